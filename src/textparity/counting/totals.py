"""Summarise the counts of a text collection as the row of a table, with rates, intervals and verdicts."""

import math
from dataclasses import replace
from typing import Any

from textparity.counting import CLASSES
from textparity.estimating.estimates import UNDEFINED, Estimate, percentage, share
from textparity.estimating.gaps import (
    EvidenceThreshold,
    GenderGap,
    published_verdict,
    standard_error_of_difference,
    verdict,
)
from textparity.estimating.hypothesis_tests import adjust_by_holm


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
    words = total["words"]
    rates = {name: percentage(total[name], words) for name in CLASSES}
    error_of_words = standard_error_of_difference(
        total["feminine"], total["masculine"], total["feminine_and_masculine"], words
    )
    row: dict[str, Any] = dict(total)
    *class_intervals, ratio_interval = intervals
    for name, interval in zip(CLASSES, class_intervals, strict=True):
        percent = _without_empty_interval(interval) * 100
        row |= {f"{name}_percent": rates[name], **percent.ends(name)}
    is_enough = minimum.is_met(gap)
    difference = rates["masculine"] - rates["feminine"]
    texts_with_content = total["texts"] - total["blank_texts"]
    row |= {
        "gap": abs(difference),
        "standard_error": error_of_words if procedure == "published" else 100 * gap.standard_error,
        "coverage_percent": percentage(total["matched_texts"], texts_with_content),
        "resampling_unit": unit,
        "units": gap.units,
        "matched_units": gap.matched_units,
    }
    ratio = UNDEFINED
    if is_enough:
        value = share(total["masculine"], total["feminine"])
        ratio = replace(_without_empty_interval(ratio_interval), value=value)
    row |= ratio.columns("masculine_per_feminine")
    if procedure == "published":
        row["verdict"] = published_verdict(difference, 100 * error_of_words)
    else:
        row["standard_error_of_words"] = 100 * error_of_words
        row["p_value"] = gap.p_value if is_enough else math.nan
    return row


def decide_family(rows: list[dict[str, Any]], confidence_level: float) -> None:
    """Add verdicts by p-values adjusted for the number of rows (`p_value_holm`), and by each row's own p-value.

    Rows of the published procedure already have their verdict.
    """
    family = [row for row in rows if "p_value" in row]
    p_values = [row["p_value"] for row in family]
    adjusted_values = adjust_by_holm(p_values)
    for row, p_value, adjusted in zip(family, p_values, adjusted_values, strict=True):
        difference = row["masculine"] - row["feminine"]
        row["p_value_holm"] = adjusted
        row["verdict"] = verdict(difference, adjusted, confidence_level)
        row["verdict_unadjusted"] = verdict(difference, p_value, confidence_level)


def _without_empty_interval(estimate: Estimate) -> Estimate:
    """Remove an interval without width, which only means that all units are identical."""
    return estimate if estimate.low < estimate.high else Estimate(estimate.value)
