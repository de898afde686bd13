"""Novels in whose quotations the mentions of characters are marked: the Project Dialogism Novel Corpus (PDNC)."""

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
    """Yield a novel of PDNC in pieces with the mentions in its quotations (`quotation_info.csv`, beside the text).

    The gender of a character is in `character_info.csv`; several have one if they share it. Nobody is marked in the
    narration. Pieces end with a paragraph.
    """
    text = path.with_name("novel_text.txt").read_text("utf-8")
    genders = _read_characters(path.with_name("character_info.csv"))
    spans: dict[tuple[int, int], frozenset[str]] = {}
    for line, row in _read_csv(path, _LISTS):
        try:
            found = [ast.literal_eval(row[name]) for name in _LISTS]
            # A quotation in parts has a list for each.
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
    """Return the gender of each character by its name, and by each alias that is of nobody else."""
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
    """Yield the rows of a CSV file with the line that each ends in."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if lacking := [name for name in columns if name not in (reader.fieldnames or ())]:
            raise InputError(f"{path}: has no column {', '.join(lacking)}")
        for row in reader:
            yield reader.line_num, row
