"""The percentile bootstrap: resample units (texts, documents or groups), and compute intervals of any statistic.

A resample is the number of times that each unit is in it, its weights. A statistic is a function of weighted sums.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from textparity.estimating.estimates import MINIMUM_UNITS, Estimate, share

# The number of weights drawn at a time: 16 MB.
NUMBERS_DRAWN = 2_000_000


@dataclass(frozen=True)
class Bootstrap:
    """A seeded percentile bootstrap: the number of resamples, and the level of its intervals."""

    seed: int
    resamples: int
    confidence_level: float


def portion_sizes(draws: int, numbers: int) -> Iterator[int]:
    """Divide draws of so many numbers each into portions that fit in memory."""
    largest = max(1, NUMBERS_DRAWN // max(numbers, 1))
    for start in range(0, draws, largest):
        yield min(largest, draws - start)


def draw_weights(repeats: np.ndarray, resamples: int, generator: np.random.Generator) -> Iterator[np.ndarray]:
    """Draw the number of units of each kind in each resample, in portions of shape (draws, kinds).

    `repeats` has the number of units of each kind. Time and memory depend on the number of kinds.
    """
    units = repeats.sum()
    shares = repeats / units
    for size in portion_sizes(resamples, len(repeats)):
        yield generator.multinomial(units, shares, size=size)


def draw_weights_by_unit(units: int, resamples: int, generator: np.random.Generator) -> Iterator[np.ndarray]:
    """Draw the weights of single units, in portions of shape (draws, units).

    The weights have the distribution of those of `draw_weights` with one unit of each kind, but are other numbers.
    Neither replaces the other: this takes a fraction of the time if all units differ, but the audit has too many texts
    to draw each of them.
    """
    for size in portion_sizes(resamples, units):
        weights = np.empty((size, units))
        for resample in weights:
            drawn = generator.integers(units, size=units, dtype=np.int32)
            resample[:] = np.bincount(drawn, minlength=units)
        yield weights


def resample_sums(counts: np.ndarray, resamples: int, generator: np.random.Generator) -> np.ndarray:
    """Compute the sums of counts of shape (units, numbers) in each resample: shape (resamples, numbers)."""
    portions = draw_weights_by_unit(len(counts), resamples, generator)
    # As floats, sums of whole numbers are exact whatever their order, and much faster.
    floats = counts.astype(float)
    return np.concatenate([weights @ floats for weights in portions])


def percentile_intervals(own: Iterable[float], resampled: np.ndarray, confidence_level: float) -> list[Estimate]:
    """Compute the percentile interval of each number.

    `own` are the numbers of the data itself. `resampled` has shape (resamples, numbers). A number that is undefined in
    a resample has no interval, nor has one with an infinite end.
    """
    tail = (1 - confidence_level) / 2
    with np.errstate(invalid="ignore"):
        lows, highs = np.quantile(resampled, [tail, 1 - tail], axis=0).tolist()
    estimates = []
    for value, low, high in zip(own, lows, highs, strict=True):
        estimate = Estimate(float(value))
        if math.isfinite(low) and math.isfinite(high):
            estimate = replace(estimate, low=low, high=high)
        estimates.append(estimate)
    return estimates


def divide_sums(numerators: np.ndarray, denominators: np.ndarray, *, may_be_infinite: bool) -> np.ndarray:
    """Divide the sums of resamples, none of which is negative in a denominator. 0 / 0 is NaN.

    A ratio to 0 is infinite, or NaN unless it `may_be_infinite`. `percentile_intervals` therefore treats resamples
    without the denominator in two ways. In the studies (`bootstrap_ratios`), they count as the largest, and there is no
    interval if so many lack it that the upper end is infinite. The audit (`StreamingBootstrap`) is stricter: there is
    no interval if a single one lacks it.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: np.ndarray = numerators / denominators
    if not may_be_infinite:
        ratios[denominators == 0] = np.nan
    return ratios


def bootstrap_statistic(
    statistic: Callable[[np.ndarray], np.ndarray],
    counts: np.ndarray,
    bootstrap: Bootstrap,
    generator: np.random.Generator,
    strata: Sequence[str] = (),
) -> list[Estimate]:
    """Compute percentile bootstrap intervals of any statistic of the sums of counts over units.

    `counts` has shape (units, …). `statistic` maps sums of shape (draws, …) to values of shape (draws, numbers). Units
    with a stratum are resampled within it, if their numbers belong to the design. There are no intervals for fewer than
    `MINIMUM_UNITS` units, or for a number that is undefined in a resample.
    """
    units = len(counts)
    sums = np.tensordot(np.ones((1, units)), counts, axes=1)
    (own,) = statistic(sums)
    if units < MINIMUM_UNITS:
        return [Estimate(float(value)) for value in own]
    weights = np.empty((bootstrap.resamples, units))
    stratum_of_unit = np.array(strata or [""] * units)
    for stratum in np.unique(stratum_of_unit):
        members = np.flatnonzero(stratum_of_unit == stratum)
        repeats = np.ones(len(members), np.int64)
        portions = draw_weights(repeats, bootstrap.resamples, generator)
        weights[:, members] = np.concatenate(list(portions))
    resampled_sums = np.tensordot(weights, counts, axes=1)
    resampled = statistic(resampled_sums)
    return percentile_intervals(own, resampled, bootstrap.confidence_level)


def bootstrap_ratios(
    numerators: np.ndarray, denominators: np.ndarray, bootstrap: Bootstrap, generator: np.random.Generator
) -> list[Estimate]:
    """Compute percentile bootstrap intervals of Σ numerator / Σ denominator, resampling texts.

    Both arrays have shape (ratios, texts), and all ratios are resampled together. There is no interval for fewer than
    `MINIMUM_UNITS` texts, nor if too many resamples have a denominator of 0 (`divide_sums`).
    """
    own = pooled_ratios(numerators, denominators)
    if numerators.shape[1] < MINIMUM_UNITS:
        return [Estimate(value) for value in own]
    counts = np.concatenate([numerators, denominators]).T
    sums = resample_sums(counts, bootstrap.resamples, generator)
    resampled_numerators, resampled_denominators = np.hsplit(sums, 2)
    resampled = divide_sums(resampled_numerators, resampled_denominators, may_be_infinite=True)
    return percentile_intervals(own, resampled, bootstrap.confidence_level)


def pooled_ratios(numerators: np.ndarray, denominators: np.ndarray) -> list[float]:
    """Compute the ratio of the sums of each row."""
    numerator_sums = numerators.sum(axis=1).tolist()
    denominator_sums = denominators.sum(axis=1).tolist()
    return list(map(share, numerator_sums, denominator_sums))
