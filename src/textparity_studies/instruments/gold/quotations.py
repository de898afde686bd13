"""Read novels with marked mentions of characters in their quotations: the Project Dialogism Novel Corpus (PDNC)."""

import ast
import csv
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from textparity.errors import InputError
from textparity.persons.mentions import UNSPECIFIED
from textparity_studies.instruments.gold.texts import (
    GENDER_OF_LABEL,
    LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    cut_into_pieces,
    give_genders,
    kind_of,
)

_LISTS = ("mentionTextsList", "mentionSpansList", "mentionEntitiesList")


def read_quotations(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over a novel of PDNC in pieces, with the mentions in its quotations (`quotation_info.csv`).

    All files of a novel are in one folder. The gender of a character is in `character_info.csv`; several characters
    have a gender if they share it. Nobody is marked in the narration. Each piece ends with a paragraph.
    """
    text = path.with_name("novel_text.txt").read_text("utf-8")
    genders = _read_characters(path.with_name("character_info.csv"))
    spans: dict[tuple[int, int], frozenset[str]] = {}
    for line, row in _read_csv(path, _LISTS):
        try:
            found = [ast.literal_eval(row[name]) for name in _LISTS]
            # A quotation in several parts has one list for each part.
            parts = [zip(*lists, strict=True) for lists in zip(*found, strict=True)]
            marked = [(start, end, said, frozenset(who)) for part in parts for said, (start, end), who in part]
        except (ValueError, SyntaxError, TypeError) as error:
            raise InputError(f"{path}, line {line}: {', '.join(_LISTS)} are no lists that match ({error})") from None
        for start, end, said, who in marked:
            if text[start:end].split() != said.split():
                raise InputError(f"{path}, line {line}: {said!r} does not stand at {start}")
            spans[start + len(said) - len(said.lstrip()), end - len(said) + len(said.rstrip())] = who
    entities: dict[frozenset[str], int] = {}
    mentions = []
    for (start, end), who in sorted(spans.items()):
        shown = {genders.get(name.strip(), UNSPECIFIED) for name in who}
        gender = shown.pop() if len(shown) == 1 else UNSPECIFIED
        entity = entities.setdefault(who, len(entities))
        of_kind = kind_of(text, start, end, words)
        mentions.append(AnnotatedMention(start, end, text[start:end], of_kind, gender, entity, LABEL))
    novel = path.parent.name
    yield from cut_into_pieces(give_genders(AnnotatedText(novel, novel, "novel", text, tuple(mentions)), words), "\n\n")


def _read_characters(path: Path) -> dict[str, str]:
    """Map the name of each character, and each alias that no other character has, to a gender."""
    genders: dict[str, str] = {}
    aliases: defaultdict[str, set[str]] = defaultdict(set)
    for line, row in _read_csv(path, ("Main Name", "Aliases", "Gender")):
        gender = GENDER_OF_LABEL.get(row["Gender"].lower(), UNSPECIFIED)
        genders[row["Main Name"].strip()] = gender
        try:
            for alias in ast.literal_eval(row["Aliases"]):
                aliases[alias.strip()].add(gender)
        except (ValueError, SyntaxError, TypeError) as error:
            raise InputError(f"{path}, line {line}: Aliases are no set of names ({error})") from None
    return {alias: shown.pop() for alias, shown in aliases.items() if len(shown) == 1} | genders


def _read_csv(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Iterate over the rows of a CSV file, with the line on which each ends."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if lacking := [name for name in columns if name not in (reader.fieldnames or ())]:
            raise InputError(f"{path}: has no column {', '.join(lacking)}")
        for row in reader:
            yield reader.line_num, row
