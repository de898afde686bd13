"""The normal distribution and Student's t, without SciPy."""

import math
from itertools import count
from statistics import NormalDist


def normal_quantile(confidence_level: float) -> float:
    """Compute the number of standard errors between the estimate and each end of an interval."""
    return NormalDist().inv_cdf(0.5 + 0.5 * confidence_level)


def t_test(statistic: float, freedom: float) -> float:
    """Compute the two-sided p-value of Student's t, as `2 * scipy.special.stdtr(freedom, -abs(statistic))`.

    This is all that an audit would need of SciPy, which would be a quarter of the installation. The p-value is the
    regularized incomplete beta function I_x(freedom / 2, 1 / 2) at x = 1 / (1 + t² / freedom).
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


def t_quantile(confidence_level: float, freedom: float) -> float:
    """Compute the quantile of Student's t that a two-sided interval of this level needs.

    It is the value at which `t_test` gives the complement of the level, found by halving an interval that contains it.
    """
    tail = 1 - confidence_level
    # The normal quantile is the smallest, because t has heavier tails.
    low = high = normal_quantile(confidence_level)
    while t_test(high, freedom) > tail:
        low, high = high, 2 * high
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if t_test(middle, freedom) > tail:
            low = middle
        else:
            high = middle
    return high


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
