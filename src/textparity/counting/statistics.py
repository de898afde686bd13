"""Compute rates, gaps and their uncertainty."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from statistics import NormalDist
from typing import Any

import numpy as np

from textparity.counting import CLASSES

# The published verdict compares the gap with two standard errors (Muller 2023, footnote 11).
PUBLISHED_VERDICTS = ("masculine", "feminine", "balanced")
STANDARD_ERRORS = 2
# With fewer documents, articles or sentences, a bootstrap gives no interval, because percentile intervals would be far
# too narrow.
MINIMUM_UNITS = 10
NO_CLEAR_DIFFERENCE, TOO_FEW = "no clear difference", "too few"
VERDICTS = ("masculine", "feminine", NO_CLEAR_DIFFERENCE, TOO_FEW)


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval, whose ends are NaN if it is undefined (as for a ratio to 0)."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @classmethod
    def of(cls, row: Mapping[str, float], name: str) -> "Estimate":
        """Read the columns `name` and its interval from a row, as `columns` makes them."""
        return cls(row[name], row[f"{name}_low"], row[f"{name}_high"])

    def __mul__(self, factor: float) -> "Estimate":
        return Estimate(self.value * factor, self.low * factor, self.high * factor)

    def ends(self, name: str) -> dict[str, float]:
        """Return the columns of a table with the interval of `name`."""
        return {f"{name}_low": self.low, f"{name}_high": self.high}

    def columns(self, name: str) -> dict[str, float]:
        """Return the columns of a table with the number `name` and its interval."""
        return {name: self.value} | self.ends(name)


UNDEFINED = Estimate(math.nan)


def percentage(part: float, whole: float) -> float:
    """Compute `part` in percent of `whole`, NaN for an empty whole."""
    return 100 * part / whole if whole else math.nan


def share(part: float, whole: float) -> float:
    """Compute `part` / `whole`, NaN for an empty whole."""
    return part / whole if whole else math.nan


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


def wilson_interval(part: float, whole: float, confidence_level: float) -> Estimate:
    """Compute the Wilson interval of `part` in `whole`, NaN for an empty whole.

    The items are assumed to be independent. Use `clustered_interval` if one text has several items.
    """
    if not whole:
        return UNDEFINED
    # Newcombe 1998, method 3.
    z = normal_quantile(confidence_level)
    of_part = part / whole
    below = 2 * (whole + z**2)
    centre = (2 * whole * of_part + z**2) / below
    half = z / below * math.sqrt(4 * whole * of_part * (1 - of_part) + z**2)
    return Estimate(
        float(of_part),
        float(centre - half) if part > 0 else 0.0,
        float(centre + half) if part < whole else 1.0,
    )


def clustered_interval(parts: np.ndarray, wholes: np.ndarray, confidence_level: float) -> Estimate:
    """Compute the interval of a share close to 1, such as a precision, whose items come in clusters (documents).

    `parts` and `wholes` are the numbers of each cluster. It is Wilson's interval for the number of independent items
    that would have the same error (Korn and Graubard 1998). If there are fewer than `MINIMUM_UNITS` clusters, or all of
    them agree, each counts as one item.
    """
    parts, wholes = parts[wholes > 0], wholes[wholes > 0]
    if not len(wholes):
        return UNDEFINED
    items = float(wholes.sum())
    of_part = float(parts.sum()) / items
    squares = float(((parts - of_part * wholes) ** 2).sum())
    if squares == 0 or len(wholes) < MINIMUM_UNITS:
        effective = float(len(wholes))
    else:
        # Clustering must not make a share more certain than the same number of independent items.
        effective = min(items, of_part * (1 - of_part) * items**2 / squares)
    return replace(wilson_interval(of_part * effective, effective, confidence_level), value=of_part)


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
        parts, others, repeats = (numbers[has_items].astype(object) for numbers in (parts, others, repeats))
        part, other, units = sum(parts), sum(others), sum(repeats)
        items = part + other
        if not items:
            return cls(math.nan, math.nan, 0, 0.0)
        effective_units = items**2 / int(products.sum())
        if units < 2:
            return cls(part / items, math.nan, units, effective_units)
        # A residual is the number of items by which a unit exceeds its expected part. All are multiplied by `items`.
        residuals = parts * other - others * part
        squares = (residuals**2 / repeats).astype(float)
        # Without a unit, the share differs by the unit's residual divided by the items of all others.
        remaining = (items - (parts + others) / repeats).astype(float)
        between_kinds = float((squares / remaining**2).sum())
        # Large units are alone in their kinds, so the differences within kinds need no such correction.
        all_squares = other**2 * products[0, 0] - 2 * part * other * products[0, 1] + part**2 * products[1, 1]
        within_kinds = max(0.0, float(all_squares) - float(squares.sum())) / items**2
        variance = (between_kinds + within_kinds) / items**2 * (units - 1) / units
        return cls(part / items, math.sqrt(variance), units, effective_units)

    def interval(self, confidence_level: float) -> Estimate:
        """Compute the interval as fractions; NaN for fewer than `MINIMUM_UNITS` units.

        It is Student's t interval of the share's logit, with the jackknife's error and one degree of freedom less than
        effective units. It lies between 0 and 1, and is not symmetric. If all units have the same share, the error is
        0, and the interval is Wilson's for as many items as there are effective units.
        """
        if self.units < MINIMUM_UNITS:
            return Estimate(self.value)
        if self.standard_error == 0:
            interval = wilson_interval(self.value * self.effective_units, self.effective_units, confidence_level)
            return replace(interval, value=self.value)
        logit = math.log(self.value / (1 - self.value))
        error = self.standard_error / (self.value * (1 - self.value))
        half = t_quantile(confidence_level, self.freedom) * error
        return Estimate(self.value, _inverse_logit(logit - half), _inverse_logit(logit + half))

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
        likely = (self.value * self.effective_units + 1) / (self.effective_units + 2)
        return likely * (1 - likely) / (self.effective_units + 2)


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


def welch_test(first: ClusteredShare, second: ClusteredShare) -> float:
    """Compute the two-sided p-value of the hypothesis that two independent shares are equal (Welch 1947)."""
    difference = first.value - second.value
    if difference == 0:
        return 1.0
    shares = (first, second)
    variance = sum(share.variance for share in shares)
    freedom = variance**2 / sum(share.variance**2 / share.freedom for share in shares)
    return t_test(difference / math.sqrt(variance), freedom)


def standard_error_of_difference(feminine: int, masculine: int, both: int, words: int) -> float:
    """Compute the standard error of the mean of (masculine − feminine) over words (Muller 2023, footnote 11).

    It is a fraction. Each word is +1, −1 or 0 (also 0 if it is in `both` classes). NaN for fewer than two words.
    """
    if words < 2:
        return math.nan
    total = masculine - feminine
    squares = masculine + feminine - 2 * both
    return math.sqrt((squares - total**2 / words) / (words - 1) / words)


def published_verdict(difference: float, standard_error: float) -> str:
    """Decide whether masculine minus feminine exceeds two standard errors (Muller 2023, footnote 11).

    Both numbers must have the same unit. Empty if one is undefined.
    """
    if math.isnan(difference) or math.isnan(standard_error):
        return ""
    if abs(difference) <= STANDARD_ERRORS * standard_error:
        return "balanced"
    return "masculine" if difference > 0 else "feminine"


@dataclass(frozen=True)
class GenderGap:
    """The gap (masculine − feminine) / words of texts that come in independent units, such as documents.

    `matches` counts the words of exactly one of the two genders, `matched_units` the units with such a word. The last
    three fields are sums over units, with which the gaps of two parts of a corpus can be added up.
    """

    units: int = 0
    matched_units: int = 0
    matches: int = 0
    words: int = 0
    difference: int = 0
    squared_differences: int = 0
    products: int = 0
    squared_words: int = 0

    @classmethod
    def of(cls, words: np.ndarray, feminine: np.ndarray, masculine: np.ndarray, both: np.ndarray) -> "GenderGap":
        """Compute the gap from counts per unit, `both` being words of both genders, without units without words."""
        counted = words > 0
        words = words[counted].astype(np.int64)
        difference = (masculine - feminine)[counted].astype(np.int64)
        matches = (masculine + feminine - 2 * both)[counted]
        return cls(
            len(words), int((matches > 0).sum()), int(matches.sum()), int(words.sum()), int(difference.sum()),
            int(difference @ difference), int(difference @ words), int(words @ words),
        )  # fmt: skip

    def __add__(self, other: "GenderGap") -> "GenderGap":
        return GenderGap(
            *(one + another for one, another in zip(vars(self).values(), vars(other).values(), strict=True))
        )

    @property
    def standard_error(self) -> float:
        """The cluster-robust standard error of the gap, as a fraction (Cochran 1977, §2.11); NaN for fewer than two."""
        if self.units < 2:
            return math.nan
        # These are whole numbers, multiplied by the squared number of words, so that identical units have an error of
        # exactly 0.
        squares = (
            self.squared_differences * self.words**2
            - 2 * self.difference * self.words * self.products
            + self.difference**2 * self.squared_words
        )
        return math.sqrt(squares * self.units / (self.units - 1)) / self.words**2

    @property
    def p_value(self) -> float:
        """The two-sided p-value of the gap by Student's t over units; NaN for fewer than two units.

        If all units are identical, the error is 0, and the sign test is used because all of them lean to one side.
        """
        if self.units < 2:
            return math.nan
        if self.difference == 0:
            return 1.0
        if self.standard_error == 0:
            return min(1.0, 2 * 0.5**self.matched_units)
        return t_test(self.difference / self.words / self.standard_error, self.units - 1)


@dataclass(frozen=True)
class EvidenceThreshold:
    """The evidence that a verdict needs: a number of words of exactly one gender, and a number of units."""

    matches: int
    units: int

    def is_met(self, gap: GenderGap) -> bool:
        """Check whether there is enough evidence."""
        enough = gap.matches >= self.matches and gap.matched_units >= self.units
        return enough and not math.isnan(gap.p_value)


def verdict(difference: float, p_value: float, confidence_level: float) -> str:
    """Decide one of `VERDICTS` for masculine minus feminine: `too few` if there is no p-value."""
    if math.isnan(p_value):
        return TOO_FEW
    if p_value > 1 - confidence_level:
        return NO_CLEAR_DIFFERENCE
    return "masculine" if difference > 0 else "feminine"


def adjust_by_holm(p_values: list[float]) -> list[float]:
    """Adjust the p-values of a family of tests by Holm (1979). NaN stays NaN, and is not counted as a test."""
    tested = [index for index, value in enumerate(p_values) if not math.isnan(value)]
    adjusted = [math.nan] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(tested, key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(tested) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def mean_interval(values: np.ndarray, confidence_level: float) -> Estimate:
    """Compute Student's t interval of the mean of a few values (such as one per seed); NaN for fewer than two."""
    if len(values) < 2:
        return UNDEFINED
    error = np.std(values, ddof=1) / len(values) ** 0.5
    half = t_quantile(confidence_level, len(values) - 1) * error
    return Estimate(float(values.mean()), float(values.mean() - half), float(values.mean() + half))


def summarise_totals(
    total: dict[str, int],
    intervals: list[Estimate],
    gap: GenderGap,
    unit: str,
    procedure: str,
    minimum: EvidenceThreshold,
) -> dict[str, Any]:
    """Compute the totals with rates, intervals and the inputs of verdicts.

    `total` has texts, blank_texts, matched_texts, words and the counts. `intervals` are those of feminine, masculine
    and unspecified as fractions of words, and of masculine per feminine. Rates and their intervals are percentages,
    `gap` and `standard_error` percentage points, except that the `published` standard error is a fraction, as the paper
    prints it. `standard_error_of_words` assumes independent words, as the paper does. `matched_units` have a word of
    exactly one gender. Below the `minimum`, there is no ratio and no p-value.
    """
    rates = {name: percentage(total[name], total["words"]) for name in CLASSES}
    of_words = standard_error_of_difference(
        total["feminine"], total["masculine"], total["feminine_and_masculine"], total["words"]
    )
    row: dict[str, Any] = dict(total)
    for name, interval in zip(CLASSES, intervals, strict=False):
        low, high = _ends(interval)
        row |= {f"{name}_percent": rates[name], f"{name}_low": 100 * low, f"{name}_high": 100 * high}
    enough = minimum.is_met(gap)
    low, high = _ends(intervals[-1]) if enough else (math.nan, math.nan)
    row |= {
        "gap": abs(rates["feminine"] - rates["masculine"]),
        "standard_error": of_words if procedure == "published" else 100 * gap.standard_error,
        "coverage_percent": percentage(total["matched_texts"], total["texts"] - total["blank_texts"]),
        "resampling_unit": unit,
        "units": gap.units,
        "matched_units": gap.matched_units,
        "masculine_per_feminine": total["masculine"] / total["feminine"] if enough and total["feminine"] else math.nan,
        "masculine_per_feminine_low": low,
        "masculine_per_feminine_high": high,
    }
    if procedure == "published":
        return row | {"verdict": published_verdict(rates["masculine"] - rates["feminine"], 100 * of_words)}
    return row | {"standard_error_of_words": 100 * of_words, "p_value": gap.p_value if enough else math.nan}


def decide_family(rows: list[dict[str, Any]], confidence_level: float) -> None:
    """Add verdicts by p-values adjusted for the number of rows (`p_value_holm`), and by each row's own p-value.

    Rows of the published procedure already have their verdict.
    """
    family = [row for row in rows if "p_value" in row]
    adjusted = adjust_by_holm([row["p_value"] for row in family])
    for row, p_value in zip(family, adjusted, strict=True):
        difference = row["masculine"] - row["feminine"]
        row["p_value_holm"] = p_value
        row["verdict"] = verdict(difference, p_value, confidence_level)
        row["verdict_unadjusted"] = verdict(difference, row["p_value"], confidence_level)


def _ends(interval: Estimate) -> tuple[float, float]:
    """Convert an interval to its ends. NaN if it has no width, which only means that all units are identical."""
    return (interval.low, interval.high) if interval.low < interval.high else (math.nan, math.nan)
