"""Precision of a lexicon: matches drawn at random, each judged in its sentence (`resources/lexicons/precision.tsv`).

Matches are of NTREX-128 and FLORES-200, by the corrected procedure and ICU words, 25 feminine, 25 masculine and 10
unspecified ones a language where there are so many. Who wrote a lexicon saw the development half, not the kept one.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from textparity.errors import TableError
from textparity.measures.statistics import Interval, wilson_interval
from textparity.measures.terms import CLASSES
from textparity.tsv import read_tsv

COLUMNS = (
    "lexicon", "lang", "corpus", "id", "form", "class", "half", "person", "gender", "right", "reason", "note",
    "annotator",
)  # fmt: skip
HALVES = ("development", "kept")


class Judgement(NamedTuple):
    """One match that was judged: whether the form is a person of this class there."""

    lexicon: str
    lang: str
    form: str
    gender_class: str
    half: str
    is_right: bool


@dataclass(frozen=True)
class Precision:
    """How many of the judged matches are right, with the Wilson interval of their share (fractions)."""

    right: int
    judged: int
    interval: Interval


def read_judgements(path: Path) -> list[Judgement]:
    """Read judged matches; raises `TableError` naming the line of a row that contradicts itself."""
    judgements = []
    for line, row in enumerate(read_tsv(path, COLUMNS), start=2):
        is_right = row["person"] == "yes" and row["gender"] == row["class"]
        if row["class"] not in CLASSES or row["half"] not in HALVES or row["right"] != ("yes" if is_right else "no"):
            raise TableError(
                f"{path}, line {line}: class {row['class']!r}, half {row['half']!r}, person {row['person']!r}, gender "
                f"{row['gender']!r} and right {row['right']!r} do not go together"
            )
        judgements.append(Judgement(row["lexicon"], row["lang"], row["form"], row["class"], row["half"], is_right))
    return judgements


def measure_precision(
    judgements: Iterable[Judgement], confidence_level: float
) -> dict[tuple[str, str, str], Precision]:
    """Return the precision of each lexicon, language and class that has judged matches."""
    judged: Counter[tuple[str, str, str]] = Counter()
    right: Counter[tuple[str, str, str]] = Counter()
    for one in judgements:
        key = one.lexicon, one.lang, one.gender_class
        judged[key] += 1
        right[key] += one.is_right
    return {
        key: Precision(right[key], number, wilson_interval(right[key], number, confidence_level))
        for key, number in judged.items()
    }


def mostly_wrong(judgements: Iterable[Judgement]) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Return the forms that are wrong in more than half of their judged matches, two or more.

    Keys are language, class and form, values the numbers of wrong and of judged matches.
    """
    judged: Counter[tuple[str, str, str]] = Counter()
    wrong: Counter[tuple[str, str, str]] = Counter()
    for one in judgements:
        key = one.lang, one.gender_class, one.form
        judged[key] += 1
        wrong[key] += not one.is_right
    return {key: (wrong[key], number) for key, number in judged.items() if number > 1 and 2 * wrong[key] > number}
