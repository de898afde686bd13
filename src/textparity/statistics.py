"""Rates, gaps and their uncertainty."""

import math
import warnings
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from scipy import stats

VERDICTS = ("masculine", "feminine", "balanced")
# The verdict compares the gap with two standard errors (Muller 2023, footnote 11).
STANDARD_ERRORS = 2


@dataclass(frozen=True)
class Interval:
    """A confidence interval; both ends NaN where it is not defined (for instance a ratio with nothing below)."""

    low: float
    high: float


def percentage(part: float, whole: float) -> float:
    """Return `part` in percent of `whole`, NaN for an empty whole."""
    return 100 * part / whole if whole else math.nan


def share(part: int, whole: int) -> float:
    """Return `part` over `whole`, NaN for an empty whole."""
    return part / whole if whole else math.nan


def wilson_interval(part: int, whole: int, confidence_level: float) -> Interval:
    """Return the Wilson interval of `part` in `whole`, NaN for an empty whole."""
    if not whole:
        return Interval(math.nan, math.nan)
    found = stats.binomtest(part, whole).proportion_ci(confidence_level, method="wilson")
    return Interval(float(found.low), float(found.high))


def standard_error_of_difference(feminine: int, masculine: int, both: int, words: int) -> float:
    """Return the standard error of the mean of (masculine − feminine) over words, as a fraction.

    Each word is +1, −1 or 0 (0 also if it is in both classes, `both` of them): the sample standard deviation over
    √n of Muller 2023, footnote 11. NaN for fewer than two words.
    """
    if words < 2:
        return math.nan
    total = masculine - feminine
    squares = masculine + feminine - 2 * both
    return math.sqrt((squares - total**2 / words) / (words - 1) / words)


def verdict(feminine: float, masculine: float, standard_error: float) -> str:
    """Return `masculine`, `feminine` or `balanced`: whether the gap exceeds two standard errors, units as given.

    Muller 2023 compares a gap in percent with an error as a fraction; pass them so to get its verdicts.
    """
    if math.isnan(feminine) or math.isnan(masculine) or math.isnan(standard_error):
        return ""
    if abs(feminine - masculine) <= STANDARD_ERRORS * standard_error:
        return "balanced"
    return "feminine" if feminine > masculine else "masculine"


def random_generator(seed: int, *names: str) -> np.random.Generator:
    """Return a generator that depends on the seed and the names of what it is for, and on nothing else."""
    digest = blake2b("\0".join([str(seed), *names]).encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def mean_interval(values: np.ndarray, confidence_level: float) -> Interval:
    """Return Student's t interval of the mean of a few values (such as one for each seed); NaN for fewer than two."""
    if len(values) < 2:
        return Interval(math.nan, math.nan)
    half = stats.t.ppf((1 + confidence_level) / 2, len(values) - 1) * stats.sem(values)
    return Interval(float(values.mean() - half), float(values.mean() + half))


@dataclass(frozen=True)
class Sample:
    """A few values (runs, seeds) by their number, mean and sample standard deviation."""

    size: int
    mean: float
    standard_deviation: float

    @classmethod
    def of(cls, values: np.ndarray) -> "Sample":
        """Return the sample of values; the deviation of fewer than two is NaN."""
        size = len(values)
        return cls(
            size,
            float(np.mean(values)) if size else math.nan,
            float(np.std(values, ddof=1)) if size > 1 else math.nan,
        )


def welch_interval(sample: Sample, other: Sample, confidence_level: float) -> Interval:
    """Return Welch's t interval of the difference of two means; NaN where a deviation is missing or both are 0."""
    errors = [item.standard_deviation**2 / item.size if item.size > 1 else math.nan for item in (sample, other)]
    squared = sum(errors)
    if not squared > 0:
        return Interval(math.nan, math.nan)
    freedom = squared**2 / sum(error**2 / (item.size - 1) for error, item in zip(errors, (sample, other), strict=True))
    half = stats.t.ppf((1 + confidence_level) / 2, freedom) * math.sqrt(squared)
    difference = sample.mean - other.mean
    return Interval(float(difference - half), float(difference + half))


def bootstrap_ratios(
    numerators: np.ndarray,
    denominators: np.ndarray,
    resamples: int,
    confidence_level: float,
    generator: np.random.Generator,
) -> list[Interval]:
    """Return percentile bootstrap intervals of Σ numerator / Σ denominator, resampling texts.

    Both arrays have shape (ratios, texts): each ratio has its own row, and all are resampled together. A ratio
    whose denominator is ever 0 in a resample gets NaN.
    """
    ratios, texts = numerators.shape
    if texts < 2:
        return [Interval(math.nan, math.nan)] * ratios
    values = np.concatenate([numerators, denominators])

    def ratio(*samples: np.ndarray, axis: int) -> np.ndarray:
        sums = np.stack([sample.sum(axis=axis) for sample in samples])
        with np.errstate(divide="ignore", invalid="ignore"):
            return sums[:ratios] / sums[ratios:]

    # SciPy also computes the spread of the resampled ratios, which is undefined where one is infinite, and warns where
    # all are equal.
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        result = stats.bootstrap(
            # Wide enough for sums of counts; what has fractions keeps them.
            tuple(values.astype(np.result_type(values, np.int64))),
            ratio,
            n_resamples=resamples,
            # Bounds memory: about 50 MB of resampled counts at a time.
            batch=max(1, 1_000_000 // texts),
            confidence_level=confidence_level,
            paired=True,
            vectorized=True,
            method="percentile",
            rng=generator,
        )
    low, high = result.confidence_interval
    return [
        Interval(float(a), float(b)) if math.isfinite(a) and math.isfinite(b) else Interval(math.nan, math.nan)
        for a, b in zip(np.atleast_1d(low), np.atleast_1d(high), strict=True)
    ]


def bootstrap_ratios_by_kind(
    numerators: np.ndarray,
    denominators: np.ndarray,
    resamples: int,
    confidence_level: float,
    generator: np.random.Generator,
) -> list[Interval]:
    """Return the same as `bootstrap_ratios`, from other draws, for many texts: in a fraction of its time.

    Texts with equal counts (whole numbers from 0) are of one kind, and a resample is how many it has of each kind.
    Kinds are sorted, so the order of texts does not matter. Memory holds the kinds, and a few resamples of them.
    """
    ratios, texts = numerators.shape
    undefined = Interval(math.nan, math.nan)
    if texts < 2:
        return [undefined] * ratios
    kinds, repeats = _kinds_of(np.concatenate([numerators, denominators]).T)
    kind_of_text = np.repeat(np.arange(len(kinds), dtype=np.int32), repeats)
    counted = kinds.astype(np.float64)
    sums = np.empty((resamples, 2 * ratios))
    # Bounds memory: about 16 MB of resampled kinds at a time.
    drawn = np.empty((min(resamples, max(1, 2_000_000 // len(kinds))), len(kinds)))
    for first in range(0, resamples, len(drawn)):
        part = sums[first : first + len(drawn)]
        for place in range(len(part)):
            chosen = kind_of_text[generator.integers(texts, size=texts, dtype=np.int32)]
            drawn[place] = np.bincount(chosen, minlength=len(kinds))
        # Of whole numbers, so sums are exact whatever their order.
        part[:] = drawn[: len(part)] @ counted
    above, below = sums[:, :ratios], sums[:, ratios:]
    defined = np.all(below > 0, axis=0)
    tail = (1 - confidence_level) / 2
    ends = np.quantile(above / np.where(defined, below, 1), [tail, 1 - tail], axis=0).T
    return [
        Interval(float(low), float(high)) if is_defined else undefined
        for (low, high), is_defined in zip(ends, defined, strict=True)
    ]


def _kinds_of(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows of whole numbers from 0, sorted, and how often each occurs."""
    # As bytes, the largest first, rows sort as numbers do; much faster than numpy.unique along an axis.
    number = np.min_scalar_type(rows.max()).newbyteorder(">")
    rows = np.ascontiguousarray(rows, dtype=number)
    as_bytes = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
    kinds, repeats = np.unique(as_bytes, return_counts=True)
    return kinds.view(number).reshape(len(kinds), -1), repeats
