"""The hand-made exceptions of the paper's classification: a list, not code."""

from dataclasses import dataclass, field
from pathlib import Path

from textparity.errors import TableError
from textparity.studies.swapping.names import COMMON, FEMININE, MASCULINE
from textparity.workflow.registry import read_tsv

COLUMNS = ("place", "word", "value")
# What a row is about: a word of a title, a form and its lemma, a part of a form, a whole form, a word that is no head.
WORD, FORM, PART, WHOLE, NO_HEAD = "word", "form", "part", "whole", "no head"
_WITH_GENDER = (WORD, PART, WHOLE)


@dataclass(frozen=True)
class GenderExceptions:
    """Words and their gender by place, forms with their lemma, and words that are never the head; empty for none."""

    words: dict[str, str] = field(default_factory=dict)
    forms: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    wholes: dict[str, str] = field(default_factory=dict)
    no_heads: frozenset[str] = frozenset()


def load_gender_exceptions(path: Path) -> GenderExceptions:
    """Read the exceptions; `TableError` naming the line for a place or gender that there is not, or a word twice."""
    found: dict[str, dict[str, str]] = {place: {} for place in (WORD, FORM, PART, WHOLE, NO_HEAD)}
    for line, row in enumerate(read_tsv(path, COLUMNS), start=2):
        place, word, value = (row[column] for column in COLUMNS)
        if place not in found:
            raise TableError(f"{path}, line {line}: the place {place!r} must be one of {', '.join(found)}")
        if place in _WITH_GENDER and value not in (MASCULINE, FEMININE, COMMON):
            raise TableError(f"{path}, line {line}: {value!r} must be {MASCULINE}, {FEMININE} or {COMMON}")
        if not word or (place == FORM and not value):
            raise TableError(f"{path}, line {line}: a cell is empty; a form needs its lemma, every row its word")
        if word in found[place]:
            raise TableError(f"{path}, line {line}: {word} stands twice as {place!r}; keep one")
        found[place][word] = value
    return GenderExceptions(found[WORD], found[FORM], found[PART], found[WHOLE], frozenset(found[NO_HEAD]))
