"""Shares with their intervals."""

import math

from scipy import stats

from textparity.statistics import Interval


def wilson_interval(part: int, whole: int, confidence_level: float) -> Interval:
    """Return the Wilson interval of `part` in `whole`, NaN for an empty whole."""
    if not whole:
        return Interval(math.nan, math.nan)
    found = stats.binomtest(part, whole).proportion_ci(confidence_level, method="wilson")
    return Interval(float(found.low), float(found.high))


def share(part: int, whole: int) -> float:
    """Return `part` over `whole`, NaN for an empty whole."""
    return part / whole if whole else math.nan
