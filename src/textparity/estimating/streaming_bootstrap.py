"""The bootstrap of any number of texts in bounded memory."""

from collections.abc import Callable

import numpy as np

from textparity.estimating.bootstrap import divide_sums, draw_weights, percentile_intervals, pooled_ratios
from textparity.estimating.estimates import Estimate
from textparity.estimating.intervals import ClusteredShare

# The number of distinct counts that are held. Sentences have some thousands, long documents nearly as many as there are
# documents.
KINDS_HELD = 50_000
# The number of binary digits kept of counts that are no longer held exactly.
_FINEST_DIGITS = 8

# The columns of counts, and those of the ratios with an interval.
_WORDS, _FEMININE, _MASCULINE, _UNSPECIFIED = range(4)
_NUMERATORS = [_FEMININE, _MASCULINE, _UNSPECIFIED, _MASCULINE]
_DENOMINATORS = [_WORDS, _WORDS, _WORDS, _FEMININE]

Generator = Callable[[], np.random.Generator]
"""Makes a generator of random draws, always the same one."""


class StreamingBootstrap:
    """Bootstrap intervals of any number of texts in bounded memory, from the number of texts in each bin.

    At first, the texts of a bin have equal counts. If there are too many bins, counts lose one binary digit at a time,
    which merges whole bins. The bins therefore depend only on the texts, not on their order or batches.

    A resample is a multinomial draw of the number of texts in each bin, multiplied by the bin's mean counts, plus a
    normal draw with the variance of the texts within bins, which is 0 if they are equal.
    """

    def __init__(self, resamples: int, generator: Generator, held: int | None = None) -> None:
        """Start without texts. At most `held` bins are held, by default `KINDS_HELD`."""
        self._resamples = resamples
        self._generator = generator
        self._held = held or KINDS_HELD
        # One row per bin, sorted: words, feminine, masculine and unspecified of its texts, and the number of texts.
        self.restore(0, np.empty((0, 5), np.int64), None)

    @property
    def products(self) -> np.ndarray:
        """The sums over all texts of the products of any two of their four counts: whole numbers of any size."""
        if self._products is not None:
            return self._products
        if not len(self.bins):
            return np.zeros((4, 4), object)
        texts = np.maximum(self.bins[:, 4:], 1)
        sums = self.bins[:, :4].astype(object)
        # The texts of a bin are equal, so the products follow from the sums.
        counts_of_text = sums // texts
        return counts_of_text.T @ sums

    def add(self, counts: np.ndarray) -> None:
        """Add texts: one row each, with words, feminine, masculine and unspecified."""
        other = StreamingBootstrap(self._resamples, self._generator, len(counts))
        other.restore(0, np.insert(counts, 4, 1, axis=1), None)
        self.merge(other)

    def merge(self, other: "StreamingBootstrap") -> None:
        """Add the texts of another bootstrap."""
        grain = max(self.grain, other.grain)
        bins = _in_bins(np.concatenate([self.bins, other.bins]), grain)
        products = None if self._is_exact(grain, bins) else self.products + other.products
        self._hold(grain, bins, products)

    def change(self, before: np.ndarray, after: np.ndarray) -> None:
        """Change the counts of texts that were added: one row each, with those before and those after."""
        removed = -np.insert(before, 4, 1, axis=1)
        added = np.insert(after, 4, 1, axis=1)
        bins = _in_bins(np.concatenate([self.bins, removed, added]), self.grain)
        products = None
        if not self._is_exact(self.grain, bins):
            old = before.astype(object)
            new = after.astype(object)
            products = self.products - old.T @ old + new.T @ new
        self._hold(self.grain, bins, products)

    def _is_exact(self, grain: int, bins: np.ndarray) -> bool:
        """Check whether the texts of each bin are equal and stay so, so that products follow from the bins."""
        return grain == 0 and len(bins) <= self._held

    def _hold(self, grain: int, bins: np.ndarray, products: np.ndarray | None) -> None:
        """Hold these bins, or coarser ones if they are too many."""
        while len(bins) > self._held:
            grain += 1
            bins = _in_bins(bins, grain)
        self.restore(grain, bins, products)

    def restore(self, grain: int, bins: np.ndarray, products: np.ndarray | None) -> None:
        """Restore bins of a grain and, unless the grain is 0, the products of their texts."""
        self.grain = grain
        self.bins = _in_bins(bins, grain)
        self._products = products if grain else None
        self._drawn: np.ndarray | None = None

    def intervals(self, confidence_level: float) -> list[Estimate]:
        """Compute the intervals of feminine, masculine and unspecified per word, and of masculine per feminine.

        NaN for fewer than two texts, and for a ratio whose denominator is 0 in a resample (see `divide_sums`).
        """
        numerators = self.bins[:, _NUMERATORS]
        denominators = self.bins[:, _DENOMINATORS]
        own = pooled_ratios(numerators.T, denominators.T)
        sums = self.sums()
        if sums is None:
            return [Estimate(value) for value in own]
        resampled = divide_sums(sums[:, _NUMERATORS], sums[:, _DENOMINATORS], may_be_infinite=False)
        return percentile_intervals(own, resampled, confidence_level)

    def women_share(self) -> ClusteredShare:
        """Compute the feminine share of feminine and masculine words, with its error over texts. It draws nothing."""
        _, feminine, masculine, _, texts = self.bins.T
        return ClusteredShare.of_kinds(feminine, masculine, texts, self.products[1:3, 1:3])

    def sums(self) -> np.ndarray | None:
        """Compute words, feminine, masculine and unspecified per resample. None for fewer than two texts."""
        repeats = self.bins[:, 4]
        texts = repeats.sum()
        if self._drawn is not None or texts < 2:
            return self._drawn
        generator = self._generator()
        means = self.bins[:, :4] / repeats[:, np.newaxis]
        portions = draw_weights(repeats, self._resamples, generator)
        drawn = np.concatenate([weights @ means for weights in portions])
        if self.grain:
            drawn += self._draw_within_bins(means, generator)
        self._drawn = np.maximum(drawn, 0)
        return self._drawn

    def _draw_within_bins(self, means: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """Draw how the texts of each resample differ from the means of their bins, shape (resamples, 4)."""
        explained = means.T @ self.bins[:, :4]
        variance = self.products.astype(np.float64) - explained
        centre = np.zeros(4)
        return generator.multivariate_normal(centre, variance, self._resamples, check_valid="ignore", method="eigh")


def _in_bins(rows: np.ndarray, grain: int) -> np.ndarray:
    """Merge the rows (sums and numbers of texts) of each bin, and sort them."""
    if not len(rows):
        return rows
    # A mean lies between the smallest and the largest value in its bin.
    means = rows[:, :4] // rows[:, 4:]
    bins = _coarse(means, grain)
    first_column_last = bins.T[::-1]
    order = np.lexsort(first_column_last)
    bins = bins[order]
    differs = np.any(bins[1:] != bins[:-1], axis=1)
    starts = np.flatnonzero(np.append(True, differs))
    merged = np.add.reduceat(rows[order], starts, axis=0)
    has_texts = merged[:, 4] > 0
    return np.asarray(merged[has_texts])


def _coarse(counts: np.ndarray, grain: int) -> np.ndarray:
    """Reduce counts to fewer binary digits, the fewer the larger the grain, and finally to their number of digits."""
    if grain == 0:
        return counts
    digits = _FINEST_DIGITS + 1 - grain
    # The binary exponent of a whole number is its number of binary digits.
    lengths = np.frexp(counts)[1].astype(np.int64)
    if digits < 1:
        return lengths >> 1 - digits
    dropped = np.maximum(lengths - digits, 0)
    return counts >> dropped << dropped
