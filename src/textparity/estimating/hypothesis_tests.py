"""Tests of differences, and the adjustment of p-values for a family of tests."""

import math
from collections.abc import Iterable, Iterator
from statistics import NormalDist

import numpy as np

from textparity.estimating.bootstrap import portion_sizes
from textparity.estimating.distributions import t_test
from textparity.estimating.intervals import ClusteredShare

# One less than a round number, because the data's own labels count as one more permutation.
PERMUTATIONS = 9999


def welch_test(first: ClusteredShare, second: ClusteredShare) -> float:
    """Compute the two-sided p-value of the hypothesis that two independent shares are equal (Welch 1947)."""
    difference = first.value - second.value
    if difference == 0:
        return 1.0
    variance = first.variance + second.variance
    of_first = first.variance**2 / first.freedom
    of_second = second.variance**2 / second.freedom
    freedom = variance**2 / (of_first + of_second)
    return t_test(difference / math.sqrt(variance), freedom)


def z_test(difference: float, standard_error: float) -> float:
    """Compute the one-sided p-value of the hypothesis that a difference is not above 0, by the normal distribution.

    NaN if the standard error is 0 or undefined.
    """
    if not standard_error > 0:
        return math.nan
    return 1 - NormalDist().cdf(difference / standard_error)


def z_test_quantile(confidence_level: float, tests: int) -> float:
    """Compute the number of standard errors above which `z_test` surely rejects, as one of a family of tests.

    This is Bonferroni's limit, which `adjust_by_holm` never exceeds.
    """
    return NormalDist().inv_cdf(1 - (1 - confidence_level) / max(tests, 1))


def permutation_test(own: float, permuted: Iterable[np.ndarray]) -> float:
    """Compute the two-sided p-value of a statistic whose null value is 0, from portions of its permuted values.

    A permutation without a statistic counts as most extreme. NaN if the data's own statistic is undefined.
    """
    statistics = np.concatenate(list(permuted))
    if math.isnan(own):
        return math.nan
    # Equal statistics may differ in their last digit.
    threshold = abs(own) * (1 - 1e-9)
    is_as_large = np.isnan(statistics) | (np.abs(statistics) >= threshold)
    as_large = int(is_as_large.sum())
    return (1 + as_large) / (1 + len(statistics))


def draw_groups(repeats: np.ndarray, size: int, generator: np.random.Generator) -> Iterator[np.ndarray]:
    """Draw a group of so many units for each permutation, in portions of shape (draws, kinds).

    The result has the numbers of units of each kind that are in the group. `repeats` has those of all units.
    """
    for draws in portion_sizes(PERMUTATIONS, len(repeats)):
        yield generator.multivariate_hypergeometric(repeats, size, size=draws, method="marginals")


def draw_swaps(repeats: np.ndarray, generator: np.random.Generator) -> Iterator[np.ndarray]:
    """Swap each pair with probability one half in each permutation, in portions of shape (draws, kinds).

    The result has the numbers of swapped pairs of each kind. `repeats` has those of all pairs.
    """
    for draws in portion_sizes(PERMUTATIONS, len(repeats)):
        yield generator.binomial(repeats, 0.5, size=(draws, len(repeats)))


def adjust_by_holm(p_values: list[float]) -> list[float]:
    """Adjust the p-values of a family of tests by Holm (1979). NaN stays NaN, and is not counted as a test."""
    tested = [index for index, value in enumerate(p_values) if not math.isnan(value)]
    tested.sort(key=p_values.__getitem__)
    adjusted = [math.nan] * len(p_values)
    remaining_tests = len(tested)
    largest = 0.0
    for index in tested:
        p_value = min(1.0, remaining_tests * p_values[index])
        # A larger p-value must not become the smaller one.
        largest = max(largest, p_value)
        adjusted[index] = largest
        remaining_tests -= 1
    return adjusted
