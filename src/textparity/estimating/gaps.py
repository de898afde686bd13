"""The gap between masculine and feminine words, its test, and the verdict."""

import math
from dataclasses import dataclass

import numpy as np

from textparity.estimating.distributions import t_test

# The published verdict compares the gap with two standard errors (Muller 2023, footnote 11).
PUBLISHED_VERDICTS = ("masculine", "feminine", "balanced")
STANDARD_ERRORS = 2
NO_CLEAR_DIFFERENCE, TOO_FEW = "no clear difference", "too few"
VERDICTS = ("masculine", "feminine", NO_CLEAR_DIFFERENCE, TOO_FEW)


def standard_error_of_difference(feminine: int, masculine: int, both: int, words: int) -> float:
    """Compute the standard error of the mean of (masculine − feminine) over words (Muller 2023, footnote 11).

    It is a fraction. Each word is +1, −1 or 0 (also 0 if it is in `both` classes). NaN for fewer than two words.
    """
    if words < 2:
        return math.nan
    total = masculine - feminine
    squares = masculine + feminine - 2 * both
    squared_deviations = squares - total**2 / words
    variance = squared_deviations / (words - 1)
    return math.sqrt(variance / words)


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
        has_words = words > 0
        words = words[has_words].astype(np.int64)
        difference = (masculine - feminine)[has_words].astype(np.int64)
        matches = (masculine + feminine - 2 * both)[has_words]
        return cls(
            units=len(words),
            matched_units=int((matches > 0).sum()),
            matches=int(matches.sum()),
            words=int(words.sum()),
            difference=int(difference.sum()),
            squared_differences=int(difference @ difference),
            products=int(difference @ words),
            squared_words=int(words @ words),
        )

    def __add__(self, other: "GenderGap") -> "GenderGap":
        sums = {name: value + getattr(other, name) for name, value in vars(self).items()}
        return GenderGap(**sums)

    def __sub__(self, other: "GenderGap") -> "GenderGap":
        differences = {name: value - getattr(other, name) for name, value in vars(self).items()}
        return GenderGap(**differences)

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
        statistic = self.difference / self.words / self.standard_error
        return t_test(statistic, self.units - 1)


@dataclass(frozen=True)
class EvidenceThreshold:
    """The evidence that a verdict needs: a number of words of exactly one gender, and a number of units."""

    matches: int
    units: int

    def is_met(self, gap: GenderGap) -> bool:
        """Check whether there is enough evidence."""
        if gap.matches < self.matches or gap.matched_units < self.units:
            return False
        return not math.isnan(gap.p_value)


def verdict(difference: float, p_value: float, confidence_level: float) -> str:
    """Decide one of `VERDICTS` for masculine minus feminine: `too few` if there is no p-value."""
    if math.isnan(p_value):
        return TOO_FEW
    if p_value > 1 - confidence_level:
        return NO_CLEAR_DIFFERENCE
    return "masculine" if difference > 0 else "feminine"
