"""Notice that one repeated sentence, such as a footer, supplies most of the women or men.

A match has a digest of the words around it (`MatchTable.contexts`), unless its text had to be split as a whole. Digests
are counted in a fixed number of bins, so that memory does not grow and the result does not depend on the order of
texts. A sentence that supplies half of all matches stands out in its bin; other sentences there add less than a
thousandth on average.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from textparity.auditing.cautions import Caution, points_without
from textparity.counting import GENDERS

BINS = 1024
# A bin with this share of the matches of a gender is reported, if the gender has at least this many matches.
LEAST_SHARE, FEWEST_MATCHES = 1 / 2, 20
# The letters on each side of a mention that are its context.
_LETTERS_BESIDE = 30
_DIGITS = re.compile(r"\d+")
_PLURALS = {"feminine": "women", "masculine": "men"}


@dataclass
class Contexts:
    """The matches of each gender by the bin of their context; `counts` has the shape (genders, bins)."""

    counts: np.ndarray = field(default_factory=lambda: np.zeros((len(GENDERS), BINS), np.int64))

    @classmethod
    def of(cls, digests: np.ndarray, is_gender: tuple[np.ndarray, ...]) -> "Contexts":
        """Count the digests of matches. `is_gender` marks those of each gender. A digest of 0 is unknown."""
        is_known = digests != 0
        bins = (digests % BINS).astype(np.int64)
        counts = [np.bincount(bins[is_known & of_gender], minlength=BINS) for of_gender in is_gender]
        return cls(np.array(counts))

    def add(self, other: "Contexts") -> None:
        """Add the matches of other texts."""
        self.counts = self.counts + other.counts

    def warn(self, matches: Mapping[str, int]) -> Iterator[Caution]:
        """Name the share of each gender that one sentence supplies, if it is large. `matches` are all, by class."""
        for gender, counts in zip(GENDERS, self.counts, strict=True):
            total = int(counts.sum())
            most = int(counts.max())
            if total < FEWEST_MATCHES or most < LEAST_SHARE * total:
                continue
            share = 100 * most / total
            text = f"one sentence supplies {share:.0f} % of the {_PLURALS[gender]}"
            points = points_without(matches, {gender: most})
            yield Caution(text, points)


def digest_context(text: str, start: int, end: int) -> int:
    """Compute the digest of a mention with the letters around it. Numbers are left out: those of footers differ."""
    window_start = max(0, start - 2 * _LETTERS_BESIDE)
    window_end = end + 2 * _LETTERS_BESIDE
    before = _DIGITS.sub("", text[window_start:start])
    before = before[-_LETTERS_BESIDE:]
    after = _DIGITS.sub("", text[end:window_end])
    after = after[:_LETTERS_BESIDE]
    context = before + text[start:end] + after
    digest = crc32(context.lower().encode())
    return digest or 1
