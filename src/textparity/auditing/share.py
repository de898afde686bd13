"""Compute women's share of the gendered mentions, with its interval, and describe it in a sentence."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from textparity.auditing.grades import KIN_NOUNS_ONLY, Grade
from textparity.auditing.settings import AuditSettings
from textparity.auditing.text_units import number_of
from textparity.counting.statistics import (
    MINIMUM_UNITS,
    NO_CLEAR_DIFFERENCE,
    TOO_FEW,
    UNDEFINED,
    GenderGap,
    Interval,
    wilson_interval,
)
from textparity.persons.method_error import MethodError, widen

_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# A ratio this close to a whole number is rounded to it. Two genders this close to each other are "about as many".
_NEAR = 0.08
# The share in percent at which both genders are mentioned equally often.
_EVEN = 50


def women_share(
    feminine: int, masculine: int, sums: np.ndarray | None, gap: GenderGap, settings: AuditSettings
) -> tuple[float, Interval]:
    """Compute feminine / (feminine + masculine) with its interval, as fractions.

    `sums` has the words and the feminine, masculine and unspecified matches of each bootstrap resample of texts, shape
    (resamples, 4). The interval consists of percentiles over the resamples. If all resamples agree, for example because
    texts mention only men, the interval is Wilson's over the texts with a gendered word, so that the words of one text
    count as one observation. There is no interval if there are fewer than `MINIMUM_UNITS` such texts.
    """
    total = feminine + masculine
    if not total:
        return math.nan, UNDEFINED
    share = feminine / total
    if sums is None or gap.matched_units < MINIMUM_UNITS:
        return share, UNDEFINED
    both = sums[:, 1] + sums[:, 2]
    drawn = sums[both > 0, 1] / both[both > 0]
    tail = (1 - settings.confidence_level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    if low < high:
        return share, Interval(float(low), float(high))
    return share, wilson_interval(share * gap.matched_units, gap.matched_units, settings.confidence_level)


def per_woman(share: float) -> float:
    """Convert women's share to masculine per feminine matches. Infinite if there is no feminine match."""
    return math.nan if math.isnan(share) else (1 - share) / share if share else math.inf


def share_columns(found: tuple[float, Interval]) -> dict[str, float]:
    """Make the columns of the share in percent, and of masculine per feminine, whose interval is derived from it."""
    share, interval = found
    return {
        "women_share": _percent(share),
        "women_share_low": _percent(interval.low),
        "women_share_high": _percent(interval.high),
        "masculine_per_feminine": per_woman(share),
        "masculine_per_feminine_low": per_woman(interval.high),
        "masculine_per_feminine_high": per_woman(interval.low),
    }


def _percent(share: float) -> float:
    # `math.nan` is a single object, so that rows without a number are equal.
    return math.nan if math.isnan(share) else 100 * share


def describe_share(share: float, low: float, high: float) -> str:
    """Describe women's share (percent, with its interval) in one sentence that a newspaper could print."""
    value = f"{share:.0f} %" if share >= 1 or not share else "less than 1 %"
    interval = "" if math.isnan(low) else f" ({low:.0f}–{high:.0f} %)"
    return f"Women are {value}{interval} of the people mentioned as women or men{_in_words(share / 100)}"


def describe_nouns(share: float, low: float, high: float) -> str:
    """Describe the share of feminine person nouns (percent), which does not estimate who is mentioned."""
    interval = "" if math.isnan(low) else f" ({low:.0f}–{high:.0f} %)"
    return f"Of the person nouns for women or men, {share:.0f} %{interval} are for women"


def _in_words(share: float) -> str:
    if share in (0, 1):
        return ""
    ratio = per_woman(share)
    if abs(ratio - 1) < _NEAR or abs(1 / ratio - 1) < _NEAR:
        return ": about as many as men"
    if ratio > 1:
        return f": one for every {_number(ratio)} men"
    return f": {_number(1 / ratio)} for every man"


def _number(ratio: float) -> str:
    """Write a ratio of at least 1 for readers: in words if it is nearly whole."""
    whole = round(ratio)
    if whole < len(_NUMBERS) and abs(ratio - whole) <= _NEAR * whole:
        return _NUMBERS[whole]
    return f"{whole:,}" if ratio >= len(_NUMBERS) - 1 else f"{ratio:.1f}"


def error_columns(row: Mapping[str, Any], error: MethodError | None, confidence_level: float) -> dict[str, Any]:
    """Make the columns of the second interval of the share, which includes the method's error, in percent."""
    interval = Interval(row["women_share_low"] / 100, row["women_share_high"] / 100)
    wider = UNDEFINED
    if error and not math.isnan(interval.low):
        wider = widen(row["women_share"] / 100, interval, error, confidence_level)
    return {
        "women_share_with_error_low": _percent(wider.low),
        "women_share_with_error_high": _percent(wider.high),
        "error_measured_on": describe_error(error) if error else "",
    }


def describe_error(error: MethodError) -> str:
    """Name the corpora on which the error was measured, and mark an error that is assumed from other languages."""
    assumed = "assumed, as in other languages: " if error.assumed else ""
    return assumed + ", ".join(error.corpora)


def explain_verdict(row: Mapping[str, Any], unit: str, grade: Grade, settings: AuditSettings) -> str:
    """Explain a missing direction, or a test that disagrees with the interval. Returns an empty string otherwise."""
    if grade.name == KIN_NOUNS_ONLY:
        return grade.reason
    if row["verdict"] == TOO_FEW:
        return _lacking(row, unit, settings)
    low, high = row["women_share_low"], row["women_share_high"]
    if "p_value_holm" not in row or math.isnan(low):
        return ""
    has_direction = row["verdict"] != NO_CLEAR_DIFFERENCE
    if has_direction is (low <= _EVEN <= high):
        p_value = f"p = {row['p_value_holm']:.2g}" + " after Holm" * (row["p_value_holm"] != row["p_value"])
        return f"the test decides ({p_value}), though the interval {'in' if has_direction else 'ex'}cludes {_EVEN} %"
    return ""


def _lacking(row: Mapping[str, Any], unit: str, settings: AuditSettings) -> str:
    matches = row["feminine"] + row["masculine"] - 2 * row["feminine_and_masculine"]
    lacking = []
    if row["matched_units"] < settings.minimum_units:
        texts = number_of(row["matched_units"], unit)
        lacking.append(f"{texts} with a gendered word, {settings.minimum_units:,} are needed")
    if matches < settings.minimum_matches:
        lacking.append(f"{number_of(matches, 'gendered word')}, {settings.minimum_matches:,} are needed")
    return "; ".join(lacking)
