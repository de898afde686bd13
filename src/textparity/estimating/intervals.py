"""Confidence intervals of shares, of their differences and of means, by formulas."""

import math
from dataclasses import dataclass, replace

import numpy as np

from textparity.estimating.distributions import normal_quantile, t_quantile
from textparity.estimating.estimates import MINIMUM_UNITS, UNDEFINED, Estimate


def wilson_interval(part: float, whole: float, confidence_level: float) -> Estimate:
    """Compute the Wilson interval of `part` in `whole`, NaN for an empty whole.

    The items are assumed to be independent. Use `clustered_interval` if one text has several items.
    """
    if not whole:
        return UNDEFINED
    # Newcombe 1998, method 3.
    z = normal_quantile(confidence_level)
    proportion = part / whole
    denominator = 2 * (whole + z**2)
    centre = (2 * whole * proportion + z**2) / denominator
    spread = 4 * whole * proportion * (1 - proportion)
    half = z / denominator * math.sqrt(spread + z**2)
    low = centre - half if part > 0 else 0.0
    high = centre + half if part < whole else 1.0
    return Estimate(float(proportion), float(low), float(high))


def clustered_interval(parts: np.ndarray, wholes: np.ndarray, confidence_level: float) -> Estimate:
    """Compute the interval of a share close to 1, such as a precision, whose items come in clusters (documents).

    `parts` and `wholes` are the numbers of each cluster. It is Wilson's interval for the number of independent items
    that would have the same error (Korn and Graubard 1998). If there are fewer than `MINIMUM_UNITS` clusters, or all of
    them agree, each counts as one item.
    """
    has_items = wholes > 0
    parts, wholes = parts[has_items], wholes[has_items]
    clusters = len(wholes)
    if not clusters:
        return UNDEFINED
    items = float(wholes.sum())
    proportion = float(parts.sum()) / items
    residuals = parts - proportion * wholes
    squares = float((residuals**2).sum())
    if squares == 0 or clusters < MINIMUM_UNITS:
        effective_items = float(clusters)
    else:
        # Clustering must not make a share more certain than the same number of independent items.
        effective_items = min(items, proportion * (1 - proportion) * items**2 / squares)
    interval = wilson_interval(proportion * effective_items, effective_items, confidence_level)
    return replace(interval, value=proportion)


@dataclass(frozen=True)
class ClusteredShare:
    """A share whose items come in units, such as the feminine mentions among the gendered ones of texts.

    `units` have an item. `standard_error` is that of the jackknife over units. `effective_units` is the number of
    equally large units that would be as informative (Kish 1965).
    """

    value: float
    standard_error: float
    units: int
    effective_units: float

    @classmethod
    def of_units(cls, parts: np.ndarray, others: np.ndarray) -> "ClusteredShare":
        """Compute the share of the items in `parts` among all, from the numbers of both kinds in each unit."""
        products = np.array([parts, others]).astype(object)
        return cls.of_kinds(parts, others, np.ones(len(parts), np.int64), products @ products.T)

    @classmethod
    def of_kinds(
        cls, parts: np.ndarray, others: np.ndarray, repeats: np.ndarray, products: np.ndarray
    ) -> "ClusteredShare":
        """Compute the share from units of several kinds.

        `parts` and `others` are the sums of each kind, `repeats` its numbers of units. `products`, of shape (2, 2), are
        the sums over all units of the products of their two numbers. They give the differences within kinds.
        """
        has_items = parts + others > 0
        # Python's whole numbers have any size. If all units have the same share, the error is exactly 0.
        parts = parts[has_items].astype(object)
        others = others[has_items].astype(object)
        repeats = repeats[has_items].astype(object)
        part = sum(parts)
        other = sum(others)
        units = sum(repeats)
        items = part + other
        if not items:
            return cls(math.nan, math.nan, 0, 0.0)
        share = part / items
        effective_units = items**2 / int(products.sum())
        if units < 2:
            return cls(share, math.nan, units, effective_units)
        # A residual is the number of items by which a unit exceeds its expected part. All are multiplied by `items`.
        residuals = parts * other - others * part
        squares = (residuals**2 / repeats).astype(float)
        # Without a unit, the share differs by the unit's residual divided by the items of all others.
        items_per_unit = (parts + others) / repeats
        remaining_items = (items - items_per_unit).astype(float)
        between_kinds = float((squares / remaining_items**2).sum())
        # Large units are alone in their kinds, so the differences within kinds need no such correction.
        squares_of_units = _sum_squared_residuals(part, other, products)
        squares_within_kinds = float(squares_of_units) - float(squares.sum())
        within_kinds = max(0.0, squares_within_kinds) / items**2
        deviations = between_kinds + within_kinds
        variance = deviations / items**2 * (units - 1) / units
        return cls(share, math.sqrt(variance), units, effective_units)

    def interval(self, confidence_level: float) -> Estimate:
        """Compute the interval as fractions; NaN for fewer than `MINIMUM_UNITS` units.

        It is Student's t interval of the share's logit, with the jackknife's error and one degree of freedom less than
        effective units. It lies between 0 and 1, and is not symmetric. If all units have the same share, the error is
        0, and the interval is Wilson's for as many items as there are effective units.
        """
        if self.units < MINIMUM_UNITS:
            return Estimate(self.value)
        if self.standard_error == 0:
            effective_part = self.value * self.effective_units
            interval = wilson_interval(effective_part, self.effective_units, confidence_level)
            return replace(interval, value=self.value)
        complement = 1 - self.value
        logit = math.log(self.value / complement)
        error = self.standard_error / (self.value * complement)
        half = t_quantile(confidence_level, self.freedom) * error
        low = _inverse_logit(logit - half)
        high = _inverse_logit(logit + half)
        return Estimate(self.value, low, high)

    @property
    def freedom(self) -> float:
        """The degrees of freedom of its error: at least one, even if one unit has nearly all items."""
        return max(1.0, self.effective_units - 1)

    @property
    def variance(self) -> float:
        """The variance for tests.

        If all units have the same share, there are as many items as effective units, as in `interval`, plus one of each
        kind (Agresti and Coull 1998).
        """
        if self.standard_error > 0:
            return self.standard_error**2
        items = self.effective_units + 2
        proportion = (self.value * self.effective_units + 1) / items
        return proportion * (1 - proportion) / items


def _sum_squared_residuals(part: int, other: int, products: np.ndarray) -> int:
    """Sum the squared residuals of all units, from the sums of both kinds and the products of the two numbers."""
    squares_of_parts = other**2 * products[0, 0]
    squares_of_others = part**2 * products[1, 1]
    mixed_products = part * other * products[0, 1]
    squares: int = squares_of_parts + squares_of_others - 2 * mixed_products
    return squares


def _inverse_logit(logit: float) -> float:
    # Unlike the exponential function, the hyperbolic tangent does not overflow.
    return (1 + math.tanh(logit / 2)) / 2


def difference_interval(first: Estimate, second: Estimate) -> Estimate:
    """Compute the interval of the first share minus the second, from the intervals of both, which are independent."""
    # Newcombe 1998 (Statistics in Medicine 17, 873), method 10.
    difference = first.value - second.value
    below = math.hypot(first.value - first.low, second.high - second.value)
    above = math.hypot(first.high - first.value, second.value - second.low)
    return Estimate(difference, difference - below, difference + above)


def mean_interval(values: np.ndarray, confidence_level: float) -> Estimate:
    """Compute Student's t interval of the mean of a few values (such as one per seed); NaN for fewer than two."""
    if len(values) < 2:
        return UNDEFINED
    size = len(values)
    mean = float(values.mean())
    deviation = float(np.std(values, ddof=1))
    standard_error = deviation / size**0.5
    half = t_quantile(confidence_level, size - 1) * standard_error
    return Estimate(mean, mean - half, mean + half)


@dataclass(frozen=True)
class SampleSummary:
    """A few values (runs, seeds), described by their number, mean and sample standard deviation."""

    size: int
    mean: float
    standard_deviation: float

    @classmethod
    def of(cls, values: np.ndarray) -> "SampleSummary":
        """Describe values as a sample. The deviation of fewer than two is NaN."""
        size = len(values)
        mean = float(np.mean(values)) if size else math.nan
        standard_deviation = float(np.std(values, ddof=1)) if size > 1 else math.nan
        return cls(size, mean, standard_deviation)

    @property
    def squared_error(self) -> float:
        """The squared standard error of the mean; NaN for fewer than two values."""
        if self.size < 2:
            return math.nan
        return self.standard_deviation**2 / self.size


def welch_interval(sample: SampleSummary, other: SampleSummary, confidence_level: float) -> Estimate:
    """Compute Welch's t interval of the difference of two means; NaN if a deviation is missing or both are 0."""
    squared_error = sample.squared_error + other.squared_error
    if not squared_error > 0:
        return UNDEFINED
    of_sample = sample.squared_error**2 / (sample.size - 1)
    of_other = other.squared_error**2 / (other.size - 1)
    freedom = squared_error**2 / (of_sample + of_other)
    quantile = t_quantile(confidence_level, freedom)
    half = quantile * math.sqrt(squared_error)
    difference = sample.mean - other.mean
    return Estimate(difference, difference - half, difference + half)
