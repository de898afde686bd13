"""Reading and writing BRAT standoff annotations, each offset checked against the text.

Files of NER-UK use tabs where BRAT has spaces and cut the text of an entity at a line end; such lines are repaired and
every repair is told. The readers on PyPI take either form but tell neither, nor do they check offsets.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from textparity.errors import InputError

SEPARATORS, BLANK_LINE, CUT_TEXT, WHITE_SPACE, NO_ENTITY = (
    "separators", "blank line", "text cut at a line end", "white space", "no entity, left out",
)  # fmt: skip
_BRAT = re.compile(r"\S+\t\S+ \d+ \d+\t.*")
_ANY_SEPARATORS = re.compile(r"(T\S*\d)[ \t]+(\S+)[ \t]+(\d{1,9})[ \t]+(\d{1,9})[ \t](.*)")
_DISCONTINUOUS = re.compile(r"T\S+[ \t]+\S+[ \t]+\d+[ \t]+\d+;")
# Relations, events, attributes, normalisations, equivalences and notes.
_OTHER_KIND = re.compile(r"(?:[REAMN]\d+|\*|#\d*)[ \t]")


@dataclass(frozen=True)
class Entity:
    """One entity of a text: `text` is the text from character `start` to `end`, line ends included."""

    id: str
    label: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Repair:
    """What is fixed in a line (from 1) of an annotation file."""

    line: int
    repair: str
    found: str


def parse_brat(text: str, annotations: str, name: str) -> tuple[list[Entity], list[Repair]]:
    """Return the entities of a text in file order, and every repair.

    Raises `InputError` naming the file `name` and the line if a line is not BRAT, or its offsets do not fit the text.
    """
    entities: dict[str, Entity] = {}
    repairs: list[Repair] = []
    # What is missing of the last entity's text, if it was cut at a line end.
    missing: list[str] = []
    for number, line in enumerate(annotations.removesuffix("\n").split("\n") if annotations else [], start=1):
        where = f"{name}, line {number}"
        if not line.strip():
            repairs.append(Repair(number, BLANK_LINE, line))
        elif missing:
            if line.split() != missing[0].split():
                raise InputError(f"{where}: the text of the entity above goes on with {missing[0]!r}, not {line!r}")
            repairs.append(Repair(number, CUT_TEXT, line))
            del missing[0]
        elif found := _ANY_SEPARATORS.fullmatch(line):
            entity, recorded = _entity(found, text, where)
            if entity.id in entities:
                raise InputError(f"{where}: the id {entity.id} is a duplicate; give each entity its own")
            entities[entity.id] = entity
            if not _BRAT.fullmatch(line):
                repairs.append(Repair(number, SEPARATORS, line))
            if recorded in (entity.text, entity.text.replace("\n", " ")):
                continue
            first, *rest = entity.text.split("\n")
            if recorded.split() == entity.text.split():
                repairs.append(Repair(number, WHITE_SPACE, line))
            elif rest and recorded.split() == first.split():
                repairs.append(Repair(number, CUT_TEXT, line))
                missing = [piece for piece in rest if piece.strip()]
            else:
                raise InputError(
                    f"{where}: the text from {entity.start} to {entity.end} is {entity.text!r}, not {recorded!r}; "
                    "correct the offsets, or put back the text they were made for"
                )
        elif _OTHER_KIND.match(line):
            repairs.append(Repair(number, NO_ENTITY, line))
        else:
            raise InputError(f"{where}: {_why_not(line)}")
    if missing:
        raise InputError(f"{name}: ends before the text of its last entity does; {missing[0]!r} is missing")
    return list(entities.values()), repairs


def format_brat(entities: Iterable[Entity]) -> str:
    """Return the lines of an annotation file; a line end in an entity becomes a space, as BRAT asks."""
    return "".join(
        f"{entity.id}\t{entity.label} {entity.start} {entity.end}\t{' '.join(entity.text.split(chr(10)))}\n"
        for entity in entities
    )


def _entity(found: re.Match[str], text: str, where: str) -> tuple[Entity, str]:
    id_, label, start, end, recorded = found.groups()
    if not int(start) < int(end) <= len(text):
        raise InputError(f"{where}: {start} to {end} is not a place in a text of {len(text)} characters")
    return Entity(id_, label, int(start), int(end), text[int(start) : int(end)]), recorded


def _why_not(line: str) -> str:
    if _DISCONTINUOUS.match(line):
        return f"an entity in pieces, which are not read: {line!r}; make it one, or one for each piece"
    return f"no line of BRAT: {line!r}; an entity is T1, tab, label, start and end with spaces between, tab, its text"
