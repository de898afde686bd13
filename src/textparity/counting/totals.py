"""Summarise the counts of a text collection as the row of a table, with rates, intervals and verdicts."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

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

# The matches that are counted: those of each class, and those of both genders.
MATCHES = (*CLASSES, "feminine_and_masculine")


@dataclass(frozen=True)
class GapTest:
    """The test of the gap over texts, with the verdict by its p-value alone. Holm's method adjusts for all rows.

    `standard_error_of_words` is in percentage points, and takes words as independent. Until `decide_family` was called,
    there is no adjusted p-value and no verdict.
    """

    standard_error_of_words: float
    p_value: float
    p_value_holm: float = math.nan
    verdict_unadjusted: str = ""


@dataclass(frozen=True, kw_only=True)
class TotalsSummary:
    """The numbers of a text collection, or of a language or group of it.

    `matches` has the words of each class and those of both genders. `rates` are in percent of words,
    `coverage_percent` in percent of texts with words, `gap` and `standard_error` in percentage points (with the
    published procedure, the latter is a fraction, as the paper prints it). `units` are those with words,
    `matched_units` those with a word of exactly one gender. The published procedure has no `test`.
    """

    texts: int
    blank_texts: int
    matched_texts: int
    words: int
    matches: Mapping[str, int]
    rates: Mapping[str, Estimate]
    masculine_per_feminine: Estimate
    gap: float
    standard_error: float
    coverage_percent: float
    resampling_unit: str
    units: int
    matched_units: int
    tokenizer: str
    stand_in: bool
    verdict: str = ""
    test: GapTest | None = None

    def columns(self) -> dict[str, Any]:
        """Make the columns of a table, in their order."""
        columns: dict[str, Any] = {
            "texts": self.texts,
            "blank_texts": self.blank_texts,
            "matched_texts": self.matched_texts,
            "words": self.words,
            **self.matches,
        }
        for name, rate in self.rates.items():
            columns |= {f"{name}_percent": rate.value, **rate.ends(name)}
        return columns | {
            "gap": self.gap,
            "standard_error": self.standard_error,
            "coverage_percent": self.coverage_percent,
            "resampling_unit": self.resampling_unit,
            "units": self.units,
            "matched_units": self.matched_units,
            **self.masculine_per_feminine.columns("masculine_per_feminine"),
            **self._verdict_columns(),
        }

    def _verdict_columns(self) -> dict[str, Any]:
        tokenizer = {"tokenizer": self.tokenizer, "stand_in": self.stand_in}
        if self.test is None:
            return {"verdict": self.verdict, **tokenizer}
        return {
            "standard_error_of_words": self.test.standard_error_of_words,
            "p_value": self.test.p_value,
            **tokenizer,
            "p_value_holm": self.test.p_value_holm,
            "verdict": self.verdict,
            "verdict_unadjusted": self.test.verdict_unadjusted,
        }


_Summary = TypeVar("_Summary", bound=TotalsSummary)


def summarise_totals(
    total: Mapping[str, int],
    intervals: list[Estimate],
    gap: GenderGap,
    unit: str,
    procedure: str,
    minimum: EvidenceThreshold,
    tokenizer: str,
    stand_in: bool,
) -> TotalsSummary:
    """Compute the totals with rates, intervals and the inputs of verdicts.

    `total` has texts, blank_texts, matched_texts, words and the `MATCHES`. `intervals` are those of feminine, masculine
    and unspecified as fractions of words, and of masculine per feminine. `standard_error_of_words` assumes independent
    words, as the paper does. Below the `minimum`, there is no ratio and no p-value.
    """
    *intervals_of_classes, ratio_interval = intervals
    rates = _rates_of(total, intervals_of_classes)
    error_of_words = standard_error_of_difference(
        total["feminine"], total["masculine"], total["feminine_and_masculine"], total["words"]
    )
    difference = rates["masculine"].value - rates["feminine"].value
    is_enough = minimum.is_met(gap)
    ratio = UNDEFINED
    if is_enough:
        ratio_value = share(total["masculine"], total["feminine"])
        ratio = replace(_without_empty_interval(ratio_interval), value=ratio_value)
    summary = TotalsSummary(
        texts=total["texts"],
        blank_texts=total["blank_texts"],
        matched_texts=total["matched_texts"],
        words=total["words"],
        matches={name: total[name] for name in MATCHES},
        rates=rates,
        masculine_per_feminine=ratio,
        gap=abs(difference),
        standard_error=100 * gap.standard_error,
        coverage_percent=percentage(total["matched_texts"], total["texts"] - total["blank_texts"]),
        resampling_unit=unit,
        units=gap.units,
        matched_units=gap.matched_units,
        tokenizer=tokenizer,
        stand_in=stand_in,
    )
    if procedure == "published":
        decision = published_verdict(difference, 100 * error_of_words)
        return replace(summary, standard_error=error_of_words, verdict=decision)
    test = GapTest(100 * error_of_words, gap.p_value if is_enough else math.nan)
    return replace(summary, test=test)


def _rates_of(total: Mapping[str, int], intervals: Sequence[Estimate]) -> dict[str, Estimate]:
    """Compute the rate of each class in percent of words. The intervals are fractions."""
    rates = {}
    for name, interval in zip(CLASSES, intervals, strict=True):
        percent = _without_empty_interval(interval) * 100
        rates[name] = replace(percent, value=percentage(total[name], total["words"]))
    return rates


def decide_family(summaries: Sequence[_Summary], confidence_level: float) -> list[_Summary]:
    """Add verdicts by p-values adjusted for the number of rows (`p_value_holm`), and by each row's own p-value.

    Rows of the published procedure already have their verdict.
    """
    p_values = [summary.test.p_value for summary in summaries if summary.test]
    adjusted = iter(adjust_by_holm(p_values))
    decided = []
    for summary in summaries:
        if summary.test:
            summary = _decide(summary, summary.test, next(adjusted), confidence_level)
        decided.append(summary)
    return decided


def _decide(summary: _Summary, test: GapTest, p_value_holm: float, confidence_level: float) -> _Summary:
    difference = summary.matches["masculine"] - summary.matches["feminine"]
    unadjusted = verdict(difference, test.p_value, confidence_level)
    test = replace(test, p_value_holm=p_value_holm, verdict_unadjusted=unadjusted)
    return replace(summary, verdict=verdict(difference, p_value_holm, confidence_level), test=test)


def _without_empty_interval(estimate: Estimate) -> Estimate:
    """Remove an interval without width, which only means that all units are identical."""
    return estimate if estimate.low < estimate.high else Estimate(estimate.value)
