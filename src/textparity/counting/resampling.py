"""Resample texts, documents or groups: the only bootstrap of the project, from a seed and the names of a purpose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from textparity.counting.statistics import MINIMUM_UNITS, ClusteredShare, Estimate, share

# The number of distinct counts that are held. Sentences have some thousands, long documents nearly as many as there are
# documents.
KINDS_HELD = 50_000
# The number of binary digits kept of counts that are no longer held exactly.
_FINEST_DIGITS = 8
# The number of values drawn at a time for resampled kinds: 16 MB.
NUMBERS_DRAWN = 2_000_000


@dataclass(frozen=True)
class Bootstrap:
    """A seeded percentile bootstrap: the number of resamples, and the level of its intervals."""

    seed: int
    resamples: int
    confidence_level: float


def random_generator(seed: int, *names: str) -> np.random.Generator:
    """Make a generator that depends only on the seed and the names of its purpose."""
    digest = blake2b("\0".join([str(seed), *names]).encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


class Ranks:
    """Compute the ranks of documents: 64 bits that depend only on the seed, the corpus and the document's id."""

    def __init__(self, seed: int, corpus: str) -> None:
        self._begun = blake2b(f"{seed}\0{corpus}\0".encode(), digest_size=8)

    def __call__(self, document_id: str) -> int:
        digest = self._begun.copy()
        digest.update(document_id.encode())
        return int.from_bytes(digest.digest(), "big")


def bootstrap_statistic(
    statistic: Callable[[np.ndarray], np.ndarray],
    units: int,
    bootstrap: Bootstrap,
    generator: np.random.Generator,
    strata: Sequence[str] = (),
) -> list[Estimate]:
    """Compute percentile bootstrap intervals of any statistic of `units`.

    `statistic` maps weights of shape (draws, units) to values of shape (draws, numbers). Units with a stratum are
    resampled within it, if their numbers belong to the design. There are no intervals for fewer than `MINIMUM_UNITS`
    units, or for a number that is undefined in a resample.
    """
    own = statistic(np.ones((1, units)))[0]
    if units < MINIMUM_UNITS:
        return [Estimate(float(value)) for value in own]
    weights = np.empty((bootstrap.resamples, units), np.int64)
    stratum = np.array(strata or [""] * units)
    for name in np.unique(stratum):
        members = np.flatnonzero(stratum == name)
        shares = np.full(len(members), 1 / len(members))
        weights[:, members] = generator.multinomial(len(members), shares, size=bootstrap.resamples)
    tail = (1 - bootstrap.confidence_level) / 2
    ends = np.quantile(statistic(weights.astype(float)), [tail, 1 - tail], axis=0).T
    return [Estimate(float(value), float(low), float(high)) for value, (low, high) in zip(own, ends, strict=True)]


def pooled_ratios(numerators: np.ndarray, denominators: np.ndarray) -> list[float]:
    """Compute the ratio of the sums of each row."""
    sums = zip(numerators.sum(axis=1), denominators.sum(axis=1), strict=True)
    return [share(float(above), float(below)) for above, below in sums]


def percentile_intervals(
    pooled: list[float], above: np.ndarray, below: np.ndarray, confidence_level: float
) -> list[Estimate]:
    """Compute the interval of each column of ratios, one row per resample; undefined if a denominator is 0."""
    defined = np.all(below > 0, axis=0)
    tail = (1 - confidence_level) / 2
    ends = np.quantile(above / np.where(defined, below, 1), [tail, 1 - tail], axis=0).T
    return [
        Estimate(value, float(low), float(high)) if is_defined else Estimate(value)
        for value, (low, high), is_defined in zip(pooled, ends, defined, strict=True)
    ]


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
        self._resamples, self._generator, self._held = resamples, generator, held or KINDS_HELD
        # One row per bin, sorted: words, feminine, masculine and unspecified of its texts, and the number of texts.
        self.restore(0, np.empty((0, 5), np.int64), None)

    @property
    def products(self) -> np.ndarray:
        """The sums over all texts of the products of any two of their four counts: whole numbers of any size."""
        if self._products is not None:
            return self._products
        texts = self.bins[:, 4:]
        sums = self.bins[:, :4].astype(object)
        # The texts of a bin are equal, so the products follow from the sums.
        return (sums // np.maximum(texts, 1)).T @ sums if len(sums) else np.zeros((4, 4), object)

    def add(self, counts: np.ndarray) -> None:
        """Add texts: one row each, with words, feminine, masculine and unspecified."""
        other = StreamingBootstrap(self._resamples, self._generator, len(counts))
        other.restore(0, np.insert(counts, 4, 1, axis=1), None)
        self.merge(other)

    def merge(self, other: "StreamingBootstrap") -> None:
        """Add the texts of another bootstrap."""
        grain = max(self.grain, other.grain)
        bins = _in_bins(np.concatenate([self.bins, other.bins]), grain)
        products = self.products + other.products if grain or len(bins) > self._held else None
        while len(bins) > self._held:
            grain += 1
            bins = _in_bins(bins, grain)
        self.restore(grain, bins, products)

    def restore(self, grain: int, bins: np.ndarray, products: np.ndarray | None) -> None:
        """Restore bins of a grain and, unless the grain is 0, the products of their texts."""
        self.grain, self.bins, self._products = grain, _in_bins(bins, grain), products if grain else None
        self._drawn: np.ndarray | None = None

    def intervals(self, confidence_level: float) -> list[Estimate]:
        """Compute the intervals of feminine, masculine and unspecified per word, and of masculine per feminine.

        NaN for fewer than two texts, and for a ratio whose denominator is 0 in a resample.
        """
        sums = self.sums()
        words, feminine, masculine, unspecified = range(4)
        above, below = [feminine, masculine, unspecified, masculine], [words, words, words, feminine]
        pooled = pooled_ratios(self.bins[:, above].T, self.bins[:, below].T)
        if sums is None:
            return [Estimate(value) for value in pooled]
        return percentile_intervals(pooled, sums[:, above], sums[:, below], confidence_level)

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
        drawn = np.empty((self._resamples, 4))
        rows = max(1, NUMBERS_DRAWN // len(means))
        for first in range(0, self._resamples, rows):
            size = min(rows, self._resamples - first)
            drawn[first : first + size] = generator.multinomial(texts, repeats / texts, size=size) @ means
        if self.grain:
            within = self.products.astype(np.float64) - means.T @ self.bins[:, :4]
            drawn += generator.multivariate_normal(np.zeros(4), within, len(drawn), check_valid="ignore", method="eigh")
        self._drawn = np.maximum(drawn, 0)
        return self._drawn


def _in_bins(rows: np.ndarray, grain: int) -> np.ndarray:
    """Merge the rows (sums and numbers of texts) of each bin, and sort them."""
    if not len(rows):
        return rows
    # A mean lies between the smallest and the largest value in its bin.
    bins = _coarse(rows[:, :4] // rows[:, 4:], grain)
    order = np.lexsort(bins.T[::-1])
    bins = bins[order]
    firsts = np.flatnonzero(np.append(True, np.any(bins[1:] != bins[:-1], axis=1)))
    return np.asarray(np.add.reduceat(rows[order], firsts, axis=0))


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
