"""Read novels with marked mentions of characters in their quotations: the Project Dialogism Novel Corpus (PDNC)."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from textparity.persons.mentions import UNSPECIFIED
from textparity_studies.instruments.annotated_texts import (
    GENDER_OF_LABEL,
    AnnotatedMention,
    AnnotatedText,
    GoldWords,
    cut_into_pieces,
    give_genders,
    kind_of,
)
from textparity_studies.instruments.columns import (
    read_csv_rows,
)
from textparity_studies.instruments.slips import Slip, read_each

_LISTS = ("mentionTextsList", "mentionSpansList", "mentionEntitiesList")


def read_quotations(path: Path, words: GoldWords) -> Iterator[AnnotatedText]:
    """Iterate over a novel of PDNC in pieces, with the mentions in its quotations (`quotation_info.csv`).

    All files of a novel are in one folder. The gender of a character is in `character_info.csv`; several characters
    have a gender if they share it. Nobody is marked in the narration. Each piece ends with a paragraph.
    """
    text = path.with_name("novel_text.txt").read_text("utf-8")
    genders = _read_characters(path.with_name("character_info.csv"))
    quotations = read_each(path, read_csv_rows(path, _LISTS), lambda row: _read_quotation(row, text), unit="quotations")
    spans: dict[tuple[int, int], frozenset[str]] = {}
    for marked in quotations:
        spans |= marked
    entities: dict[frozenset[str], int] = {}
    mentions = []
    for (start, end), who in sorted(spans.items()):
        shown = {genders.get(name.strip(), UNSPECIFIED) for name in who}
        gender = shown.pop() if len(shown) == 1 else UNSPECIFIED
        entity = entities.setdefault(who, len(entities))
        mentions.append(AnnotatedMention.at(text, start, end, kind_of(text, start, end, words), gender, entity))
    novel = path.parent.name
    yield from cut_into_pieces(give_genders(AnnotatedText(novel, novel, "novel", text, tuple(mentions)), words), "\n\n")


def _read_quotation(row: dict[str, str], text: str) -> dict[tuple[int, int], frozenset[str]]:
    """Read the mentions in a quotation: for the start and end of each, the names of the characters."""
    try:
        lists = [ast.literal_eval(row[name]) for name in _LISTS]
        # A quotation in several parts has one list for each part.
        parts = [zip(*of_part, strict=True) for of_part in zip(*lists, strict=True)]
        marked = [
            (int(start), int(end), str(found), frozenset(who)) for part in parts for found, (start, end), who in part
        ]
    except (ValueError, SyntaxError, TypeError) as error:
        raise Slip(f"{', '.join(_LISTS)} are no lists that match ({error})") from None
    spans = {}
    for start, end, found, who in marked:
        if text[start:end].split() != found.split():
            raise Slip(f"{found!r} does not stand at {start}")
        spans[start + len(found) - len(found.lstrip()), end - len(found) + len(found.rstrip())] = who
    return spans


def _read_characters(path: Path) -> dict[str, str]:
    """Map the name of each character, and each alias that no other character has, to a gender."""
    genders: dict[str, str] = {}
    aliases: defaultdict[str, set[str]] = defaultdict(set)
    rows = read_csv_rows(path, ("Main Name", "Aliases", "Gender"))
    for name, its_aliases, gender in read_each(path, rows, _read_character, unit="characters"):
        genders[name] = gender
        for alias in its_aliases:
            aliases[alias].add(gender)
    return {alias: shown.pop() for alias, shown in aliases.items() if len(shown) == 1} | genders


def _read_character(row: dict[str, str]) -> tuple[str, list[str], str]:
    """Read the name of a character, its aliases and its gender."""
    try:
        aliases = [alias.strip() for alias in ast.literal_eval(row["Aliases"])]
        gender = GENDER_OF_LABEL.get(row["Gender"].lower(), UNSPECIFIED)
        return row["Main Name"].strip(), aliases, gender
    except (ValueError, SyntaxError, TypeError, AttributeError) as error:
        raise Slip(f"Aliases are no set of names ({error})") from None
