"""Measure the precision of methods on web pages, from matches that a reader judged in their sentences.

The judgements have the digest of a page and positions in its text, but no text: the pages may not be redistributed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textparity.counting import CLASSES, GENDERS
from textparity.errors import TableError
from textparity.estimating.intervals import clustered_interval
from textparity.files import read_tsv

# `judged` is the gender of the person meant, or `NOBODY`.
NOBODY = "nobody"
JUDGED = (*CLASSES, NOBODY)
YES, NO = "yes", "no"
# A match was drawn at random from those of its gender, or read only because it is a surname that the page shows.
AT_RANDOM, AS_LEARNED = "gender", "learned"
COLUMNS = (
    "page", "start", "end", "lang", "method", "pipeline", "drawn", "gender", "judged", "learned", "reader",
)  # fmt: skip
# The rows of the table: random matches of each gender, and all learned surnames.
OF_BOTH_GENDERS = "feminine or masculine"
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class FieldMatch:
    """A match that a method finds in a page, the SHA-256 of the file, and the gender that a reader sees in it.

    `start` and `end` count characters of the text that an audit reads from the page.
    """

    page: str
    start: int
    end: int
    lang: str
    method: str
    pipeline: str
    drawn: str
    gender: str
    judged: str
    is_learned: bool
    reader: str

    @property
    def is_right(self) -> bool:
        """Whether a person of the gender that was found is meant."""
        return self.judged == self.gender


def read_field_matches(path: Path) -> list[FieldMatch]:
    """Read judged matches. Raises `TableError` for an unknown value, or a page without a digest."""
    allowed = {"gender": GENDERS, "judged": JUDGED, "learned": (YES, NO), "drawn": (AT_RANDOM, AS_LEARNED)}
    matches = []
    for row in read_tsv(path, COLUMNS, allowed=allowed):
        if not _DIGEST.fullmatch(row["page"]):
            raise TableError(f"{path}: the page {row['page']!r} is not a SHA-256 digest")
        start, end = row["start"], row["end"]
        if not (start.isdecimal() and end.isdecimal() and int(start) < int(end)):
            raise TableError(f"{path}: {start!r} and {end!r} are not the start and end of a match")
        is_learned = row["learned"] == YES
        texts = {name: row[name] for name in ("page", "lang", "method", "pipeline", "drawn", "gender", "judged")}
        matches.append(FieldMatch(**texts, start=int(start), end=int(end), is_learned=is_learned, reader=row["reader"]))
    return matches


def measure_field(matches: Iterable[FieldMatch], confidence_level: float) -> Iterator[dict[str, Any]]:
    """Compute the precision of each method in each language: by gender, and of the surnames that pages show.

    Intervals treat a page as a cluster.
    """
    of_methods: dict[tuple[str, str, str], list[FieldMatch]] = {}
    for match in matches:
        of_methods.setdefault((match.lang, match.method, match.pipeline), []).append(match)
    for (lang, method, pipeline), of_method in sorted(of_methods.items()):
        samples = {
            (gender, NO): [match for match in of_method if match.drawn == AT_RANDOM and match.gender == gender]
            for gender in GENDERS
        }
        samples[OF_BOTH_GENDERS, YES] = [match for match in of_method if match.is_learned]
        for (gender, only_learned), sample in samples.items():
            if sample:
                labels = {"lang": lang, "method": method, "pipeline": pipeline}
                labels |= {"gender": gender, "only_learned": only_learned}
                yield labels | _measure(sample, confidence_level)


def _measure(sample: list[FieldMatch], confidence_level: float) -> dict[str, Any]:
    pages = sorted({match.page for match in sample})
    right = np.zeros(len(pages), int)
    read = np.zeros(len(pages), int)
    wrong = dict.fromkeys(("other_gender", "unspecified", NOBODY), 0)
    for match in sample:
        place = pages.index(match.page)
        read[place] += 1
        if match.is_right:
            right[place] += 1
        elif match.judged in GENDERS:
            wrong["other_gender"] += 1
        else:
            wrong[match.judged] += 1
    share = clustered_interval(right, read, confidence_level)
    counts = {"pages": len(pages), "read": len(sample), "right": int(right.sum())}
    return counts | wrong | (share * 100).columns("precision")
