"""The numbers of one row of a result: counts, rates and shares with their intervals, the test and the verdict."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from textparity.counting import SPLIT_COLUMNS, UNSPECIFIED
from textparity.counting.totals import TotalsSummary, decide_family
from textparity.estimating.corrected_shares import CorrectedShare
from textparity.estimating.estimates import UNDEFINED, Estimate, percentage
from textparity.estimating.intervals import ClusteredShare
from textparity.estimating.streaming_bootstrap import StreamingBootstrap
from textparity.persons.mentions import PEOPLE, SPEAKERS

DIFFERENCE, CORRECTED_SHARE = "difference", "corrected_share"


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


# The names in columns of what people get, and of groups.
_COLUMNS_OF = {PEOPLE: ("mentions", "groups_mentioned"), SPEAKERS: ("quoted_words", "groups_quoted")}


@dataclass(frozen=True)
class PeopleNumbers:
    """How often the people are mentioned: women's share of the mentions in percent, and the mean of women and of men.

    If speakers are counted, these are quoted words instead of mentions. `groups` are mentions of several persons, who
    are not counted as people. `count` is what is counted.
    """

    women_share: float
    per_woman: Estimate
    per_man: Estimate
    groups: int
    count: str

    @classmethod
    def of(cls, people: StreamingBootstrap, groups: int, level: float, count: str) -> "PeopleNumbers":
        """Compute the numbers from women, their mentions, men and their mentions in texts."""
        of_women, of_men = int(people.bins[:, 1].sum()), int(people.bins[:, 3].sum())
        share = percentage(of_women, of_women + of_men)
        return cls(share, _mean_of(people, 0, level), _mean_of(people, 2, level), groups, count)

    def columns(self) -> dict[str, Any]:
        """Make the columns of a table."""
        unit, groups = _COLUMNS_OF[self.count]
        return {
            f"women_share_of_{unit}": self.women_share,
            **self.per_woman.columns(f"{unit}_per_woman"),
            **self.per_man.columns(f"{unit}_per_man"),
            groups: self.groups,
        }


def _mean_of(people: StreamingBootstrap, column: int, level: float) -> Estimate:
    """Compute the mean number of mentions (or words) of the people in a column: the odds against a person."""
    persons = people.bins[:, column]
    mentions = people.bins[:, column + 1]
    texts = people.bins[:, 4]
    number = persons.sum()
    if not number:
        return UNDEFINED
    both = [column + 1, column]
    products = people.products[np.ix_(both, both)]
    share = ClusteredShare.of_kinds(mentions, persons, texts, products)
    interval = share.interval(level)
    return Estimate(mentions.sum() / number, _odds(interval.low), _odds(interval.high))


def _odds(share: float) -> float:
    return share / (1 - share)


@dataclass(frozen=True, kw_only=True)
class RowStatistics(TotalsSummary):
    """The numbers of a language or group: those of its totals, women's share, and what all rows together decide.

    Shares are in percent. Only groups have a `difference`. `depends_on_method` names the conclusions on which the
    methods of the result do not agree; it is None if there is one method. `people` is None if mentions are counted.
    `corrected` is the share (a fraction) corrected by texts that were read, None if the result was not checked.
    `split` has the unspecified matches by what they show of the persons.
    """

    women_share: Estimate
    split: Mapping[str, int]
    difference: GroupDifference | None = None
    women_share_with_error: Estimate = UNDEFINED
    error_measured_on: str = ""
    verdict_reason: str = ""
    depends_on_method: str | None = None
    people: PeopleNumbers | None = None
    corrected: CorrectedShare | None = None

    @classmethod
    def of(cls, summary: TotalsSummary, share: Estimate, total: Mapping[str, int]) -> "RowStatistics":
        """Add women's share, a fraction, to a summary. Masculine per feminine is derived from it.

        `total` has the parts of the unspecified matches.
        """
        percent = Estimate(percent_of(share.value), percent_of(share.low), percent_of(share.high))
        ratio = Estimate(per_woman(share.value), per_woman(share.high), per_woman(share.low))
        totals = vars(summary) | {"masculine_per_feminine": ratio}
        return cls(
            **totals,
            women_share=percent,
            split={name: total[column] for name, column in SPLIT_COLUMNS.items()},
            women_share_with_error=Estimate(percent.value),
        )

    @property
    def p_value(self) -> float:
        """The p-value of the test. NaN if there is none."""
        return self.test.p_value if self.test else math.nan

    @property
    def corrected_share(self) -> Estimate:
        """The corrected share in percent. Undefined if the row was not checked."""
        return self.corrected.corrected * 100 if self.corrected else UNDEFINED

    @property
    def texts_read(self) -> int:
        """The number of texts that correct the share, each as often as it was drawn."""
        return self.corrected.draws if self.corrected else 0

    def columns(self) -> dict[str, Any]:
        """Make the columns of the result's table, in their order."""
        columns: dict[str, Any] = {
            # The share and the ratio come first, because they are the headline.
            **self.women_share.columns("women_share"),
            **self.masculine_per_feminine.columns("masculine_per_feminine"),
            **self._columns_with_split(),
            **self.women_share_with_error.ends("women_share_with_error"),
            "error_measured_on": self.error_measured_on,
            "verdict_reason": self.verdict_reason,
        }
        if self.corrected:
            columns |= self.corrected_share.columns(CORRECTED_SHARE)
            columns["texts_read"] = self.texts_read
        if self.depends_on_method is not None:
            columns["depends_on_method"] = self.depends_on_method
        if self.people:
            columns |= self.people.columns()
        if self.difference:
            columns |= self.difference.columns()
        return columns

    def _columns_with_split(self) -> dict[str, Any]:
        """Make the columns of the totals, with the parts of the unspecified matches after these."""
        columns: dict[str, Any] = {}
        for name, value in super().columns().items():
            columns[name] = value
            if name == UNSPECIFIED:
                columns |= {column: self.split[part] for part, column in SPLIT_COLUMNS.items()}
        return columns


def per_woman(share: float) -> float:
    """Convert women's share to masculine per feminine matches. Infinite if there is no feminine match."""
    if math.isnan(share):
        return math.nan
    return (1 - share) / share if share else math.inf


def percent_of(share: float) -> float:
    """Convert a fraction to percent."""
    # `math.nan` is a single object, so that rows without a number are equal.
    return math.nan if math.isnan(share) else 100 * share


def decide_rows(
    rows: Sequence[RowStatistics], are_compared: Sequence[bool], confidence_level: float
) -> list[RowStatistics]:
    """Add the verdicts of one table, which is a family of tests. Rows that are not compared get none."""
    family = [row for row, is_compared in zip(rows, are_compared, strict=True) if is_compared]
    decided = iter(decide_family(family, confidence_level))
    return [
        next(decided) if is_compared else _without_verdict(row)
        for row, is_compared in zip(rows, are_compared, strict=True)
    ]


def _without_verdict(row: RowStatistics) -> RowStatistics:
    if row.test is None:
        return replace(row, verdict="")
    return replace(row, verdict="", test=replace(row.test, p_value=math.nan))
