"""Compute rates, gaps and their uncertainty."""

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count
from statistics import NormalDist

# SciPy (extra `workflow`) is imported only in functions that need it, because `scipy.stats` takes half a second to
# load.
import numpy as np

# The published verdict compares the gap with two standard errors (Muller 2023, footnote 11).
PUBLISHED_VERDICTS = ("masculine", "feminine", "balanced")
STANDARD_ERRORS = 2
# With fewer documents, articles or sentences, a bootstrap gives no interval, because percentile intervals would be far
# too narrow.
MINIMUM_UNITS = 10
NO_CLEAR_DIFFERENCE, TOO_FEW = "no clear difference", "too few"
VERDICTS = ("masculine", "feminine", NO_CLEAR_DIFFERENCE, TOO_FEW)
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


@dataclass(frozen=True)
class Interval:
    """A confidence interval. Both ends are NaN if it is undefined (for instance for a ratio with denominator 0)."""

    low: float
    high: float


UNDEFINED = Interval(math.nan, math.nan)


def percentage(part: float, whole: float) -> float:
    """Compute `part` in percent of `whole`, NaN for an empty whole."""
    return 100 * part / whole if whole else math.nan


def share(part: int, whole: int) -> float:
    """Compute `part` / `whole`, NaN for an empty whole."""
    return part / whole if whole else math.nan


def normal_quantile(confidence_level: float) -> float:
    """Compute the number of standard errors between the estimate and each end of an interval."""
    return NormalDist().inv_cdf(0.5 + 0.5 * confidence_level)


def t_test(statistic: float, freedom: int) -> float:
    """Compute the two-sided p-value of Student's t, as `2 * scipy.special.stdtr(freedom, -abs(statistic))`.

    This is the only function of SciPy that an audit would need, and SciPy would be a quarter of the installation. The
    p-value is the regularized incomplete beta function I_x(freedom / 2, 1 / 2) at x = 1 / (1 + t² / freedom), computed
    by its continued fraction.
    """
    a, odds = freedom / 2, statistic**2 / freedom
    # This is Γ(a + 1/2) / Γ(a). For large arguments, the logarithms differ only in their last digits.
    if a < 100:
        ratio = math.exp(math.lgamma(a + 0.5) - math.lgamma(a))
    else:
        ratio = math.sqrt(a) * (1 - 1 / (8 * a) + 1 / (128 * a**2) + 5 / (1024 * a**3) - 21 / (32768 * a**4))
    front = math.exp(-a * math.log1p(odds)) * math.sqrt(odds / (1 + odds) / math.pi) * ratio
    if 1 / (1 + odds) < (a + 1) / (a + 2.5):
        return front / a * _beta_fraction(a, 0.5, 1 / (1 + odds))
    return 1 - 2 * front * _beta_fraction(0.5, a, odds / (1 + odds))


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Compute the continued fraction of the incomplete beta function (DLMF 8.17.22) by the method of Lentz."""
    upper, lower = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    found = lower
    for m in count(1):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            lower = 1 / (1 + term * lower)
            upper = 1 + term / upper
            found *= lower * upper
        if abs(lower * upper - 1) < 1e-15:
            break
    return found


def wilson_interval(part: float, whole: float, confidence_level: float) -> Interval:
    """Compute the Wilson interval of `part` in `whole`, NaN for an empty whole.

    The items are assumed to be independent. Use `clustered_interval` if one text has several items.
    """
    if not whole:
        return UNDEFINED
    # Newcombe 1998, method 3.
    z = normal_quantile(confidence_level)
    of_part = part / whole
    below = 2 * (whole + z**2)
    centre = (2 * whole * of_part + z**2) / below
    half = z / below * math.sqrt(4 * whole * of_part * (1 - of_part) + z**2)
    return Interval(
        float(centre - half) if part > 0 else 0.0,
        float(centre + half) if part < whole else 1.0,
    )


def clustered_interval(parts: np.ndarray, wholes: np.ndarray, confidence_level: float) -> Interval:
    """Compute the interval of a share whose items come in clusters (texts, documents), each with a part and a whole.

    It is Wilson's interval for the number of independent items that would have the same error (Korn and Graubard 1998).
    If there are fewer than `MINIMUM_UNITS` clusters, or all of them agree, each counts as one item. With one item per
    cluster, it equals Wilson's interval.
    """
    parts, wholes = parts[wholes > 0], wholes[wholes > 0]
    if not len(wholes):
        return UNDEFINED
    items = float(wholes.sum())
    of_part = float(parts.sum()) / items
    squares = float(((parts - of_part * wholes) ** 2).sum())
    if squares == 0 or len(wholes) < MINIMUM_UNITS:
        effective = float(len(wholes))
    else:
        # Clustering must not make a share more certain than the same number of independent items.
        effective = min(items, of_part * (1 - of_part) * items**2 / squares)
    return wilson_interval(of_part * effective, effective, confidence_level)


def standard_error_of_difference(feminine: int, masculine: int, both: int, words: int) -> float:
    """Compute the standard error of the mean of (masculine − feminine) over words, as a fraction.

    Each word is +1, −1 or 0 (0 also if it is in both classes, `both` of them). The error is the sample standard
    deviation over √n of Muller 2023, footnote 11. NaN for fewer than two words.
    """
    if words < 2:
        return math.nan
    total = masculine - feminine
    squares = masculine + feminine - 2 * both
    return math.sqrt((squares - total**2 / words) / (words - 1) / words)


def published_verdict(difference: float, standard_error: float) -> str:
    """Decide `masculine`, `feminine` or `balanced`: whether masculine minus feminine exceeds two standard errors.

    This is the rule that Muller 2023 states in footnote 11. Both numbers must have the same unit. Empty if one is
    undefined.
    """
    if math.isnan(difference) or math.isnan(standard_error):
        return ""
    if abs(difference) <= STANDARD_ERRORS * standard_error:
        return "balanced"
    return "masculine" if difference > 0 else "feminine"


@dataclass(frozen=True)
class GenderGap:
    """The gap (masculine − feminine) / words of texts that come in units, such as documents.

    Words of one unit are not independent (a text about a woman names her again), but units are assumed to be. `matches`
    counts the words of exactly one of the two genders, `matched_units` the units with such a word. The last three
    fields are sums over units, of squares and of the product. With them, the gaps of two parts of a corpus can be added
    up.
    """

    units: int = 0
    matched_units: int = 0
    matches: int = 0
    words: int = 0
    difference: int = 0
    squared_differences: int = 0
    products: int = 0
    squared_words: int = 0

    @classmethod
    def of(cls, words: np.ndarray, feminine: np.ndarray, masculine: np.ndarray, both: np.ndarray) -> "GenderGap":
        """Compute the gap from counts per unit, `both` being words of both genders. Units without
        words do not count.
        """
        counted = words > 0
        words = words[counted].astype(np.int64)
        difference = (masculine - feminine)[counted].astype(np.int64)
        matches = (masculine + feminine - 2 * both)[counted]
        return cls(
            len(words), int((matches > 0).sum()), int(matches.sum()), int(words.sum()), int(difference.sum()),
            int(difference @ difference), int(difference @ words), int(words @ words),
        )  # fmt: skip

    def __add__(self, other: "GenderGap") -> "GenderGap":
        return GenderGap(
            *(one + another for one, another in zip(vars(self).values(), vars(other).values(), strict=True))
        )

    @property
    def standard_error(self) -> float:
        """The cluster-robust standard error of the gap, as a fraction; NaN for fewer than two units.

        It is the linearized error of a ratio of sums: each unit contributes its difference minus the gap times its
        words (Cochran 1977, Sampling Techniques, §2.11).
        """
        if self.units < 2:
            return math.nan
        # These are whole numbers, multiplied by the squared number of words, so that identical units have an error of
        # exactly 0.
        squares = (
            self.squared_differences * self.words**2
            - 2 * self.difference * self.words * self.products
            + self.difference**2 * self.squared_words
        )
        return math.sqrt(squares * self.units / (self.units - 1)) / self.words**2

    @property
    def p_value(self) -> float:
        """The probability of a gap at least this large, in either direction, if there is none, by Student's t over
        units.

        If all units are identical, the error is 0, and the sign test is used because all of them lean to one side. NaN
        for fewer than two units.
        """
        if self.units < 2:
            return math.nan
        if self.difference == 0:
            return 1.0
        if self.standard_error == 0:
            return min(1.0, 2 * 0.5**self.matched_units)
        return t_test(self.difference / self.words / self.standard_error, self.units - 1)


@dataclass(frozen=True)
class EvidenceThreshold:
    """The evidence that a verdict needs: a number of words of exactly one gender, and a number of units."""

    matches: int
    units: int

    def is_met(self, gap: GenderGap) -> bool:
        """Check whether there is enough evidence."""
        enough = gap.matches >= self.matches and gap.matched_units >= self.units
        return enough and not math.isnan(gap.p_value)


def verdict(difference: float, p_value: float, confidence_level: float) -> str:
    """Decide one of `VERDICTS` for masculine minus feminine: `too few` if there is no p-value."""
    if math.isnan(p_value):
        return TOO_FEW
    if p_value > 1 - confidence_level:
        return NO_CLEAR_DIFFERENCE
    return "masculine" if difference > 0 else "feminine"


def adjust_by_holm(p_values: list[float]) -> list[float]:
    """Adjust the p-values of a family of tests by Holm (1979). NaN stays NaN, and is not counted as a test."""
    tested = [index for index, value in enumerate(p_values) if not math.isnan(value)]
    adjusted = [math.nan] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(tested, key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(tested) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def random_generator(seed: int, *names: str) -> np.random.Generator:
    """Make a generator that depends only on the seed and the names of its purpose."""
    digest = blake2b("\0".join([str(seed), *names]).encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def mean_interval(values: np.ndarray, confidence_level: float) -> Interval:
    """Compute Student's t interval of the mean of a few values (such as one per seed); NaN for fewer than two."""
    if len(values) < 2:
        return UNDEFINED
    from scipy.special import stdtrit

    error = np.std(values, ddof=1) / len(values) ** 0.5
    half = stdtrit(len(values) - 1, (1 + confidence_level) / 2) * error
    return Interval(float(values.mean() - half), float(values.mean() + half))


@dataclass(frozen=True)
class Sample:
    """A few values (runs, seeds), described by their number, mean and sample standard deviation."""

    size: int
    mean: float
    standard_deviation: float

    @classmethod
    def of(cls, values: np.ndarray) -> "Sample":
        """Describe values as a sample. The deviation of fewer than two is NaN."""
        size = len(values)
        return cls(
            size,
            float(np.mean(values)) if size else math.nan,
            float(np.std(values, ddof=1)) if size > 1 else math.nan,
        )


def welch_interval(sample: Sample, other: Sample, confidence_level: float) -> Interval:
    """Compute Welch's t interval of the difference of two means; NaN if a deviation is missing or both are 0."""
    errors = [item.standard_deviation**2 / item.size if item.size > 1 else math.nan for item in (sample, other)]
    squared = sum(errors)
    if not squared > 0:
        return UNDEFINED
    from scipy.special import stdtrit

    freedom = squared**2 / sum(error**2 / (item.size - 1) for error, item in zip(errors, (sample, other), strict=True))
    half = stdtrit(freedom, (1 + confidence_level) / 2) * math.sqrt(squared)
    difference = sample.mean - other.mean
    return Interval(float(difference - half), float(difference + half))


def bootstrap_ratios(
    numerators: np.ndarray,
    denominators: np.ndarray,
    bootstrap: Bootstrap,
    generator: np.random.Generator,
) -> list[Interval]:
    """Compute percentile bootstrap intervals of Σ numerator / Σ denominator, resampling texts.

    Both arrays have shape (ratios, texts): each ratio has its own row, and all are resampled together. A ratio gets NaN
    if its denominator is 0 in any resample. So do all ratios if there are fewer than `MINIMUM_UNITS` texts.
    """
    ratios, texts = numerators.shape
    if texts < MINIMUM_UNITS:
        return [UNDEFINED] * ratios
    from scipy import stats

    values = np.concatenate([numerators, denominators])

    def ratio(*samples: np.ndarray, axis: int) -> np.ndarray:
        sums = np.stack([sample.sum(axis=axis) for sample in samples])
        with np.errstate(divide="ignore", invalid="ignore"):
            return sums[:ratios] / sums[ratios:]

    # SciPy also computes the spread of the resampled ratios. It is undefined if a ratio is infinite, and SciPy warns if
    # all are equal.
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        result = stats.bootstrap(
            # Integers must be wide enough for sums of counts, and fractions are kept.
            tuple(values.astype(np.result_type(values, np.int64))),
            ratio,
            n_resamples=bootstrap.resamples,
            # This limits memory to about 50 MB of resampled counts at a time.
            batch=max(1, 1_000_000 // texts),
            confidence_level=bootstrap.confidence_level,
            paired=True,
            vectorized=True,
            method="percentile",
            rng=generator,
        )
    low, high = result.confidence_interval
    return [
        Interval(float(a), float(b)) if math.isfinite(a) and math.isfinite(b) else UNDEFINED
        for a, b in zip(np.atleast_1d(low), np.atleast_1d(high), strict=True)
    ]


def bootstrap_ratios_by_kind(
    numerators: np.ndarray,
    denominators: np.ndarray,
    bootstrap: Bootstrap,
    generator: np.random.Generator,
) -> list[Interval]:
    """Compute the intervals of `bootstrap_ratios` from other draws, for many texts in a fraction of the time.

    Texts with equal counts (whole numbers from 0) are of one kind, and a resample is the number of texts of each kind.
    Kinds are sorted, so the order of texts does not matter. Memory holds the kinds and a few resamples.
    """
    ratios, texts = numerators.shape
    if texts < MINIMUM_UNITS:
        return [UNDEFINED] * ratios
    kinds, repeats = _kinds_of(np.concatenate([numerators, denominators]).T)
    kind_of_text = np.repeat(np.arange(len(kinds), dtype=np.int32), repeats)
    counted = kinds.astype(np.float64)
    resamples = bootstrap.resamples
    sums = np.empty((resamples, 2 * ratios))
    drawn = np.empty((min(resamples, max(1, NUMBERS_DRAWN // len(kinds))), len(kinds)))
    for first in range(0, resamples, len(drawn)):
        part = sums[first : first + len(drawn)]
        for place in range(len(part)):
            chosen = kind_of_text[generator.integers(texts, size=texts, dtype=np.int32)]
            drawn[place] = np.bincount(chosen, minlength=len(kinds))
        # These are whole numbers, so sums are exact whatever their order.
        part[:] = drawn[: len(part)] @ counted
    return _percentile_intervals(sums[:, :ratios], sums[:, ratios:], bootstrap.confidence_level)


def _percentile_intervals(above: np.ndarray, below: np.ndarray, confidence_level: float) -> list[Interval]:
    """Compute the interval of each column of ratios, one row per resample; undefined if a denominator is 0."""
    defined = np.all(below > 0, axis=0)
    tail = (1 - confidence_level) / 2
    ends = np.quantile(above / np.where(defined, below, 1), [tail, 1 - tail], axis=0).T
    return [
        Interval(float(low), float(high)) if is_defined else UNDEFINED
        for (low, high), is_defined in zip(ends, defined, strict=True)
    ]


def _kinds_of(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find the distinct rows of whole numbers from 0, sorted, and how often each occurs."""
    # As big-endian bytes, rows sort in numeric order. This is much faster than numpy.unique along an axis.
    number = np.min_scalar_type(rows.max()).newbyteorder(">")
    rows = np.ascontiguousarray(rows, dtype=number)
    as_bytes = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    kinds, repeats = np.unique(as_bytes, return_counts=True)
    return kinds.view(number).reshape(len(kinds), -1), repeats


Generator = Callable[[], np.random.Generator]
"""Makes a generator of random draws, always the same one."""


class StreamingBootstrap:
    """Bootstrap intervals of any number of texts in bounded memory, from the number of texts in each bin.

    At first, the texts of a bin have equal counts. If there are too many bins, counts lose one binary digit at a time,
    which merges whole bins. The bins are therefore those of the finest grain that gives few enough. They depend only on
    the texts, not on their order or on the batches in which they arrive.

    A resample of n texts is a multinomial draw of the number of texts in each bin, multiplied by the bin's mean counts.
    A normal draw is added with the variance of the texts within bins, which is 0 if they are equal.
    """

    def __init__(self, resamples: int, generator: Generator, held: int | None = None) -> None:
        """Start without texts. At most `held` bins are held, by default `KINDS_HELD`."""
        self.grain = 0
        # One row per bin, sorted: words, feminine, masculine and unspecified of its texts, and the number of texts.
        self.bins = np.empty((0, 5), np.int64)
        self._products: np.ndarray | None = None
        self._resamples = resamples
        self._generator = generator
        self._held = held or KINDS_HELD
        self._drawn: np.ndarray | None = None

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
        self._drawn = None

    def intervals(self, confidence_level: float) -> list[Interval]:
        """Compute the percentile intervals of feminine, masculine and unspecified per word, and of masculine per
        feminine.

        NaN for fewer than two texts, and for a ratio whose denominator is 0 in a resample.
        """
        sums = self.sums()
        if sums is None:
            return [UNDEFINED] * 4
        words, feminine, masculine, unspecified = range(4)
        above = sums[:, [feminine, masculine, unspecified, masculine]]
        return _percentile_intervals(above, sums[:, [words, words, words, feminine]], confidence_level)

    def sums(self) -> np.ndarray | None:
        """Compute words, feminine, masculine and unspecified per resample. None for fewer than two texts."""
        if self._drawn is None and self.bins[:, 4].sum() > 1:
            self._drawn = self._draw()
        return self._drawn

    def _draw(self) -> np.ndarray:
        generator = self._generator()
        repeats = self.bins[:, 4]
        means = self.bins[:, :4] / repeats[:, np.newaxis]
        texts = repeats.sum()
        drawn = np.empty((self._resamples, 4))
        rows = max(1, NUMBERS_DRAWN // len(means))
        for first in range(0, self._resamples, rows):
            size = min(rows, self._resamples - first)
            drawn[first : first + size] = generator.multinomial(texts, repeats / texts, size=size) @ means
        if self.grain:
            within = self.products.astype(np.float64) - means.T @ self.bins[:, :4]
            drawn += generator.multivariate_normal(np.zeros(4), within, len(drawn), check_valid="ignore", method="eigh")
        return np.maximum(drawn, 0)


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
