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
    regularized incomplete beta function I_x(freedom / 2, 1 / 2) at x = 1 / (1 + t² / freedom). NaN if a number is.
    """
    if math.isnan(statistic) or math.isnan(freedom):
        # The continued fraction would never converge.
        return math.nan
    a = freedom / 2
    odds = statistic**2 / freedom
    x = 1 / (1 + odds)
    complement = odds / (1 + odds)
    # This is x^a (1 - x)^(1/2) / B(a, 1/2), with Γ(1/2)² = π.
    power_of_x = math.exp(-a * math.log1p(odds))
    root = math.sqrt(complement / math.pi)
    front = power_of_x * root * _gamma_ratio(a)
    # The continued fraction converges quickly on one side of this value.
    border = (a + 1) / (a + 2.5)
    if x < border:
        return front / a * _beta_fraction(a, 0.5, x)
    return 1 - 2 * front * _beta_fraction(0.5, a, complement)


def _gamma_ratio(a: float) -> float:
    """Compute Γ(a + 1/2) / Γ(a)."""
    if a < 100:
        logarithm = math.lgamma(a + 0.5) - math.lgamma(a)
        return math.exp(logarithm)
    # For large arguments, the logarithms differ only in their last digits. This is the asymptotic series.
    first_order = 1 / (8 * a)
    second_order = 1 / (128 * a**2)
    third_order = 5 / (1024 * a**3)
    fourth_order = 21 / (32768 * a**4)
    series = 1 - first_order + second_order + third_order - fourth_order
    return math.sqrt(a) * series


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
    upper = 1.0
    lower = 1 / (1 - (a + b) * x / (a + 1))
    fraction = lower
    for m in count(1):
        index = a + 2 * m
        even_divisor = (index - 1) * index
        odd_divisor = index * (index + 1)
        even_term = m * (b - m) * x / even_divisor
        odd_term = -(a + m) * (a + b + m) * x / odd_divisor
        for term in (even_term, odd_term):
            lower = 1 / (1 + term * lower)
            upper = 1 + term / upper
            factor = lower * upper
            fraction *= factor
        if abs(factor - 1) < 1e-15:
            break
    return fraction
