"""Masculine per feminine that follows from what a method found, and from how it errs on annotated texts.

Of each gender that was found, annotated texts tell which share was truly feminine or masculine, and of each true gender
which share is found as one of the two: `true = found × share / found as one`. Of the annotated texts themselves, that
is the truth. Where those texts differ from the text that is
counted, both may be wrong: intervals therefore resample kinds of text, and then documents within them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from textparity.measures.statistics import UNDEFINED, Bootstrap, Interval
from textparity.measures.terms import GENDERS

# Of a document: mentions by annotated gender (feminine, masculine, none known or no mention) and by found gender
# (feminine, masculine, another), and those annotated that were not found.
_TRUE, _FOUND = 3, 4


@dataclass(frozen=True)
class Confusion:
    """How a method errs: `counts` of shape (documents, 3, 4), `genres` the kind of text of each document."""

    counts: np.ndarray
    genres: tuple[str, ...]
    units: tuple[str, ...]

    @classmethod
    def of(cls, rows: Iterable[dict[str, Any]]) -> "Confusion":
        """Return that of rows `unit, genre, annotated, found, number`, as a comparison of methods writes them."""
        units: dict[tuple[str, str], np.ndarray] = {}
        for row in rows:
            key = row["genre"], row["unit"]
            counts = units.setdefault(key, np.zeros((_TRUE, _FOUND)))
            counts[_place(row["annotated"], 2), _place(row["found"], 2 if row["found"] else 3)] += row["number"]
        ordered = sorted(units)
        genres, names = zip(*ordered, strict=True) if ordered else ((), ())
        return cls(np.array([units[key] for key in ordered]), genres, names)

    def parts(self) -> Iterator[tuple[str, "Confusion", "Confusion"]]:
        """Yield each kind of text, or each document where all are of one kind, by itself, and all others."""
        names = self.genres if len(set(self.genres)) > 1 else self.units
        for name in sorted(set(names)):
            yield name, self._of(name, names, True), self._of(name, names, False)

    def _of(self, name: str, names: tuple[str, ...], wanted: bool) -> "Confusion":
        kept = [number for number, other in enumerate(names) if (other == name) is wanted]
        genres, units = (tuple(values[number] for number in kept) for values in (self.genres, self.units))
        return Confusion(self.counts[kept], genres, units)

    def found(self, gender: str) -> np.ndarray:
        """Return how many mentions of a gender were found in each document."""
        return self.counts[:, :, GENDERS.index(gender)].sum(axis=1)

    def annotated(self, gender: str) -> np.ndarray:
        """Return how many mentions of a gender were annotated in each document."""
        return self.counts[:, GENDERS.index(gender)].sum(axis=1)

    def draws(self, resamples: int, generator: np.random.Generator) -> np.ndarray:
        """Return resampled totals of shape (resamples, 3, 4): kinds of text are drawn, then documents of each."""
        kinds = sorted(set(self.genres))
        of_kind = [np.array([number for number, other in enumerate(self.genres) if other == kind]) for kind in kinds]
        weights = np.zeros((resamples, len(self.genres)))
        times = generator.multinomial(len(kinds), np.full(len(kinds), 1 / len(kinds)), size=resamples)
        for number, places in enumerate(of_kind):
            for drawn in np.flatnonzero(times[:, number]):
                size = len(places) * times[drawn, number]
                weights[drawn, places] += generator.multinomial(size, np.full(len(places), 1 / len(places)))
        return np.tensordot(weights, self.counts, axes=1)


def _place(gender: str, other: int) -> int:
    return GENDERS.index(gender) if gender in GENDERS else other


def calibrate(feminine: np.ndarray, masculine: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Return masculine per feminine (NaN where it cannot be told) of numbers that were found, by `totals` (…, 3, 4)."""
    found = np.stack([feminine, masculine], axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Of what is found as a gender, the share that truly is feminine and masculine: (…, true, found).
        share = totals[..., :2, :2] / totals[..., :, :2].sum(axis=-2, keepdims=True)
        seen = totals[..., :2, :2].sum(axis=-1) / totals[..., :2, :].sum(axis=-1)
        true = (share * found[..., None, :]).sum(axis=-1) / seen
        ratio = true[..., GENDERS.index("masculine")] / true[..., GENDERS.index("feminine")]
    return np.where(np.isfinite(ratio), ratio, np.nan)


def calibrated_ratio(
    confusion: Confusion,
    feminine: np.ndarray,
    masculine: np.ndarray,
    bootstrap: Bootstrap,
    generator: np.random.Generator,
) -> tuple[float, Interval]:
    """Return the calibrated ratio with its interval; `feminine` and `masculine` are a total, then resampled totals."""
    point = calibrate(feminine[0], masculine[0], confusion.counts.sum(axis=0))
    draws = confusion.draws(len(feminine) - 1, generator)
    values = calibrate(feminine[1:], masculine[1:], draws)
    tail = 50 * (1 - bootstrap.confidence_level)
    # A resample without a ratio may be a very large one: leaving it out would cut the interval off.
    if not np.isfinite(values).all():
        return float(point), UNDEFINED
    low, high = np.percentile(values, [tail, 100 - tail])
    return float(point), Interval(float(low), float(high))
