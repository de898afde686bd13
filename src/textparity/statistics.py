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


def percentage(part: int, whole: int) -> float:
    """Return `part` in percent of `whole`, NaN for an empty whole."""
    return 100 * part / whole if whole else math.nan


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

    def ratio(*samples: np.ndarray, axis: int) -> np.ndarray:
        sums = np.stack([sample.sum(axis=axis) for sample in samples])
        with np.errstate(divide="ignore", invalid="ignore"):
            return sums[:ratios] / sums[ratios:]

    # SciPy also computes the spread of the resampled ratios, which is undefined where one is infinite, and warns where
    # all are equal.
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        result = stats.bootstrap(
            tuple(np.concatenate([numerators, denominators]).astype(np.int64)),
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
