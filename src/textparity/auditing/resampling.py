"""Bootstrap intervals of any number of texts in bounded memory: texts with equal counts are of one kind.

A resample of n texts is a multinomial draw of how many it has of each kind. Of more kinds than are held, those seen so
far are drawn by Poisson weights (Chamandy et al. 2012, Estimating Uncertainty for Massive Data Streams) and go.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from textparity.measures.statistics import Interval

# Distinct counts held; of sentences there are some thousands, of long documents nearly as many as documents.
KINDS_HELD = 50_000
# Drawn at a time: 16 MB.
NUMBERS_DRAWN = 2_000_000
# The places of words, feminine, masculine and unspecified in a kind.
COUNTS = 4
UNDEFINED = Interval(float("nan"), float("nan"))

Kind = tuple[int, int, int, int]


class Resamples:
    """The kinds of texts, and what resamples of those that went sum up to."""

    def __init__(self, resamples: int, generator: Callable[[int], np.random.Generator]) -> None:
        """`generator` gives the generator of each round of draws, by its number."""
        self.kinds: Counter[Kind] = Counter()
        self._resamples = resamples
        self._generator = generator
        self._sums: np.ndarray | None = None
        self._rounds = 0

    def add(self, kinds: Counter[Kind]) -> None:
        """Add texts by their kinds."""
        self.kinds.update(kinds)
        if len(self.kinds) > KINDS_HELD:
            self._fold()

    def merge(self, other: "Resamples") -> None:
        """Add the texts of another one."""
        if other._sums is not None:
            self._sums = other._sums + (0 if self._sums is None else self._sums)
        self.add(other.kinds)

    def intervals(self, confidence_level: float) -> list[Interval]:
        """Return the percentile intervals of feminine, masculine and unspecified per word, and masculine per feminine.

        NaN for fewer than two texts, and for a ratio whose denominator is 0 in a resample.
        """
        if self._sums is not None:
            if self.kinds:
                self._fold()
            sums = self._sums
        elif self.kinds.total() < 2:
            return [UNDEFINED] * COUNTS
        else:
            sums = np.concatenate(list(self._draw("multinomial")))
        words, feminine, masculine, unspecified = sums.T
        tail = (1 - confidence_level) / 2
        return [
            _interval(above, below, tail)
            for above, below in ((feminine, words), (masculine, words), (unspecified, words), (masculine, feminine))
        ]

    def _fold(self) -> None:
        sums = np.concatenate(list(self._draw("poisson")))
        self._sums = sums if self._sums is None else self._sums + sums
        self.kinds.clear()

    def _draw(self, method: str) -> Iterator[np.ndarray]:
        generator = self._generator(self._rounds)
        self._rounds += 1
        # Sorted, so that the order of texts does not matter.
        kinds = np.array(sorted(self.kinds), dtype=np.float64)
        repeats = np.array([self.kinds[kind] for kind in sorted(self.kinds)])
        texts = repeats.sum()
        rows = max(1, NUMBERS_DRAWN // len(kinds))
        for first in range(0, self._resamples, rows):
            size = min(rows, self._resamples - first)
            if method == "poisson":
                drawn = generator.poisson(repeats, size=(size, len(kinds)))
            else:
                drawn = generator.multinomial(texts, repeats / texts, size=size)
            # Of whole numbers, so sums are exact whatever their order.
            yield drawn.astype(np.float64) @ kinds


def _interval(above: np.ndarray, below: np.ndarray, tail: float) -> Interval:
    if not (below > 0).all():
        return UNDEFINED
    low, high = np.quantile(above / below, [tail, 1 - tail])
    return Interval(float(low), float(high))
