"""The test of two shares, and the adjustment of p-values for a family of tests."""

import math

from textparity.estimating.distributions import t_test
from textparity.estimating.intervals import ClusteredShare


def welch_test(first: ClusteredShare, second: ClusteredShare) -> float:
    """Compute the two-sided p-value of the hypothesis that two independent shares are equal (Welch 1947)."""
    difference = first.value - second.value
    if difference == 0:
        return 1.0
    shares = (first, second)
    variance = sum(share.variance for share in shares)
    freedom = variance**2 / sum(share.variance**2 / share.freedom for share in shares)
    return t_test(difference / math.sqrt(variance), freedom)


def adjust_by_holm(p_values: list[float]) -> list[float]:
    """Adjust the p-values of a family of tests by Holm (1979). NaN stays NaN, and is not counted as a test."""
    tested = [index for index, value in enumerate(p_values) if not math.isnan(value)]
    adjusted = [math.nan] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(tested, key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(tested) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted
