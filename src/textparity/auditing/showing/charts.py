"""The charts of a result, as numbers: women's share by group, and bars of the rates of one language."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from textparity.auditing.groups import NO_DATE, NO_GROUP, OTHER_GROUPS
from textparity.auditing.showing.numbers import shorten_name, show_estimate
from textparity.counting import CLASSES
from textparity.estimating.estimates import Estimate
from textparity.estimating.gaps import TOO_FEW

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData, LanguageAudit

# Labels fit side by side if they have no more than this many characters in total.
_LABELS = 64
# The axis is a little longer than the largest rate, so that no interval touches the edge.
_ROOM = 1.05


class Mark(NamedTuple):
    """One group: its name, and its position `along` the axis in percent. Its share and interval are in its row."""

    row: "LanguageAudit"
    name: str
    along: float
    label: str


class GroupChart(NamedTuple):
    """Women's share by group, in one language: the dashed line is that of `whole`."""

    title: str
    whole: "Estimate"
    marks: list[Mark]


@dataclass(frozen=True)
class _TimeAxis:
    """The months from the first to the last period. If labels would not fit, only every so many periods have one."""

    first: int
    months: int
    every: int

    @classmethod
    def of(cls, periods: Sequence[str]) -> "_TimeAxis":
        """Make an axis that covers some years or months. All their names have the same length."""
        months = {_count_months(period) for period in periods}
        first = min(months)
        characters = len(months) * (len(periods[0]) + 1)
        return cls(first, max(months) - first or 1, math.ceil(characters / _LABELS))

    def mark(self, row: "LanguageAudit", period: str, index: int) -> Mark:
        """Make the mark of a period, the one with this index in its chart."""
        along = round(100 * (_count_months(period) - self.first) / self.months, 2)
        label = period if index % self.every == 0 else ""
        return Mark(row, period, along, label)


def draw_charts(result: "AuditData") -> list[GroupChart]:
    """Draw women's share for each language that has groups, by two fields for each value of the first.

    For periods, texts without a date are left out.
    """
    rows = [row for row in result.groups if _is_shown(row, result)]
    axis = None
    if result.groups_in_time and rows:
        axis = _TimeAxis.of([_name_of(row, result) for row in rows])
    charts = []
    for language in result.languages:
        whole = language.stated(language.women_share)
        own = [row for row in rows if _is_group_of(row, language)]
        for value, groups in _by_first_field(own, result).items():
            marks = []
            for index, row in enumerate(groups):
                name = _name_of(row, result)
                marks.append(axis.mark(row, name, index) if axis else Mark(row, name, 0.0, name))
            charts.append(GroupChart(_title_of(language, value, result), whole, marks))
    return charts


def _has_two_fields(result: "AuditData") -> bool:
    return len(result.settings.group_fields) > 1


def _name_of(row: "LanguageAudit", result: "AuditData") -> str:
    """Name a group within its chart."""
    return row.second_group if _has_two_fields(result) else row.group


def _is_shown(row: "LanguageAudit", result: "AuditData") -> bool:
    name = _name_of(row, result)
    if result.groups_in_time and name in (NO_DATE, NO_GROUP, OTHER_GROUPS):
        return False
    return bool(name)


def _is_group_of(row: "LanguageAudit", language: "LanguageAudit") -> bool:
    own = (row.corpus, row.lang, row.shown_method)
    return own == (language.corpus, language.lang, language.shown_method)


def _by_first_field(rows: Sequence["LanguageAudit"], result: "AuditData") -> dict[str, list["LanguageAudit"]]:
    """Split groups by two fields into one list for each value of the first. Others are one list without a name."""
    by_value: dict[str, list[LanguageAudit]] = {}
    for row in rows:
        value = row.group if _has_two_fields(result) else ""
        by_value.setdefault(value, []).append(row)
    return by_value


def _title_of(language: "LanguageAudit", value: str, result: "AuditData") -> str:
    corpus = shorten_name(language.corpus) if result.has_corpora else ""
    return ", ".join(filter(None, (language.name, corpus, language.shown_method, value)))


def _count_months(period: str) -> int:
    """Number a month, or the first month of a year, counting from year 0."""
    year, _, month = period.partition("-")
    return 12 * int(year) + int(month or 1)


def show_mark(mark: Mark) -> str:
    """Render the share that a mark shows with its interval or, without a verdict, the counts and the reason."""
    item = mark.row
    if item.has_verdict:
        return f"{show_estimate(item.women_share, 1)} %"
    reason = TOO_FEW if item.lacking else item.verdict or item.grade.name or "no verdict"
    return f"{item.matches['feminine']:,} F, {item.matches['masculine']:,} M, {reason}"


def draw_bars(item: "LanguageAudit") -> dict[str, "Estimate"]:
    """Compute the rate of each class in percent of the language's longest bar. NaN if no class has a match."""
    longest = 0.0
    for name in CLASSES:
        rate = item.rate(name)
        for end in (rate.value, rate.high):
            if end > longest:
                longest = end
    scale = 100 / (_ROOM * longest) if longest else math.nan
    return {name: item.rate(name) * scale for name in CLASSES}
