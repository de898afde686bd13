"""The numbers of one row of a result: counts, rates and shares with their intervals, the test and the verdict."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from textparity.counting import CLASSES
from textparity.estimating.estimates import UNDEFINED, Estimate

DIFFERENCE = "difference"
# The columns of the matches in a row.
MATCHES_BY_CLASS = (*CLASSES, "feminine_and_masculine")


@dataclass(frozen=True)
class GapTest:
    """The test of the gap over texts, with the verdict by its p-value alone. Holm's method adjusts for all rows.

    `standard_error_of_words` is in percentage points, and takes words as independent.
    """

    standard_error_of_words: float
    p_value: float
    p_value_holm: float
    verdict_unadjusted: str


@dataclass(frozen=True)
class GroupDifference:
    """Women's share of a group minus that of `reference`, the first group of its table, in percentage points.

    The numbers are undefined for that group itself, and for groups that are not compared; then there is no reference.
    """

    reference: str = ""
    points: Estimate = UNDEFINED
    p_value: float = math.nan
    p_value_holm: float = math.nan

    def columns(self) -> dict[str, Any]:
        """Make the columns of a table."""
        return {
            f"{DIFFERENCE}_from": self.reference,
            **self.points.columns(DIFFERENCE),
            f"{DIFFERENCE}_p_value": self.p_value,
            f"{DIFFERENCE}_p_value_holm": self.p_value_holm,
        }


@dataclass(frozen=True)
class RowStatistics:
    """The numbers of a language or group.

    `matches` has the words of each class and those of both genders. `rates` are in percent of words, shares and
    `coverage_percent` in percent, `gap` and `standard_error` in percentage points (with the published procedure, the
    latter is a fraction). `units` are those with words, `matched_units` those with a word of exactly one gender. The
    published procedure has no `test`, and only groups have a `difference`. `depends_on_method` names the conclusions
    on which the methods of the result do not agree; it is None if there is one method.
    """

    texts: int
    blank_texts: int
    matched_texts: int
    words: int
    matches: Mapping[str, int]
    rates: Mapping[str, Estimate]
    women_share: Estimate
    masculine_per_feminine: Estimate
    gap: float
    standard_error: float
    coverage_percent: float
    resampling_unit: str
    units: int
    matched_units: int
    tokenizer: str
    stand_in: bool
    verdict: str
    test: GapTest | None = None
    difference: GroupDifference | None = None
    women_share_with_error: Estimate = UNDEFINED
    error_measured_on: str = ""
    verdict_reason: str = ""
    depends_on_method: str | None = None

    @classmethod
    def of(cls, row: Mapping[str, Any], difference: GroupDifference | None = None) -> "RowStatistics":
        """Read the columns that `Tally.summary` and `decide_family` make."""
        test = None
        if "p_value_holm" in row:
            test = GapTest(
                standard_error_of_words=row["standard_error_of_words"],
                p_value=row["p_value"],
                p_value_holm=row["p_value_holm"],
                verdict_unadjusted=row["verdict_unadjusted"],
            )
        share = Estimate.of(row, "women_share")
        rates = {}
        for name in CLASSES:
            rates[name] = Estimate(row[f"{name}_percent"], row[f"{name}_low"], row[f"{name}_high"])
        return cls(
            texts=row["texts"],
            blank_texts=row["blank_texts"],
            matched_texts=row["matched_texts"],
            words=row["words"],
            matches={name: row[name] for name in MATCHES_BY_CLASS},
            rates=rates,
            women_share=share,
            women_share_with_error=Estimate(share.value),
            masculine_per_feminine=Estimate.of(row, "masculine_per_feminine"),
            gap=row["gap"],
            standard_error=row["standard_error"],
            coverage_percent=row["coverage_percent"],
            resampling_unit=row["resampling_unit"],
            units=row["units"],
            matched_units=row["matched_units"],
            tokenizer=row["tokenizer"],
            stand_in=row["stand_in"],
            verdict=row["verdict"],
            test=test,
            difference=difference,
        )

    @property
    def p_value(self) -> float:
        """The p-value of the test. NaN if there is none."""
        return self.test.p_value if self.test else math.nan

    def columns(self) -> dict[str, Any]:
        """Make the columns of the result's table, in their order."""
        columns: dict[str, Any] = {
            **self.women_share.columns("women_share"),
            **self.masculine_per_feminine.columns("masculine_per_feminine"),
            "texts": self.texts,
            "blank_texts": self.blank_texts,
            "matched_texts": self.matched_texts,
            "words": self.words,
            **self.matches,
        }
        for name, rate in self.rates.items():
            columns |= {f"{name}_percent": rate.value, **rate.ends(name)}
        columns |= {
            "gap": self.gap,
            "standard_error": self.standard_error,
            "coverage_percent": self.coverage_percent,
            "resampling_unit": self.resampling_unit,
            "units": self.units,
            "matched_units": self.matched_units,
            **self._verdict_columns(),
        }
        if self.difference:
            columns |= self.difference.columns()
        columns |= self.women_share_with_error.ends("women_share_with_error")
        columns |= {"error_measured_on": self.error_measured_on, "verdict_reason": self.verdict_reason}
        if self.depends_on_method is not None:
            columns["depends_on_method"] = self.depends_on_method
        return columns

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
