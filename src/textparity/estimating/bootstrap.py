"""Resample units (texts, documents or groups), and compute percentile intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from textparity.estimating.estimates import MINIMUM_UNITS, Estimate, share

# The number of values drawn at a time for resampled kinds: 16 MB.
NUMBERS_DRAWN = 2_000_000


@dataclass(frozen=True)
class Bootstrap:
    """A seeded percentile bootstrap: the number of resamples, and the level of its intervals."""

    seed: int
    resamples: int
    confidence_level: float


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
