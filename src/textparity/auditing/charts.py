"""Where the marks of a page's charts by group stand: masculine per feminine with intervals, on one scale for all."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from textparity.auditing.groups import NO_GROUP, OTHER_GROUPS

if TYPE_CHECKING:
    from textparity.auditing.results import AuditResult, LanguageAudit

# An interval that ends beyond these says no more than that it is wide.
_LEAST, _MOST = -5, 5
# Of the scale, on both sides.
_ROOM = 0.05
# So many characters of labels have a place side by side.
_LABELS = 64


@dataclass(frozen=True)
class Mark:
    """A group: how far along it stands, and where its ratio and the ends of its interval are; all in percent.

    There is no ratio, and no end, where there is too little for it.
    """

    row: "LanguageAudit"
    along: float
    label: str
    ratio: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Chart:
    """The groups of one language of one corpus, and the ratio of the language as a whole.

    `lines` join the marks of periods next to each other: the places of two each.
    """

    language: "LanguageAudit"
    marks: Sequence[Mark]
    ratio: float | None
    ticks: Sequence[tuple[str, float]]
    lines: Sequence[tuple[Mark, Mark]]


def draw_charts(result: "AuditResult") -> list[Chart]:
    """Return a chart for each language that has groups, all on one scale; of periods, those alone."""
    time = result.groups_in_time
    rows = [row for row in result.groups if not time or row.group not in (NO_GROUP, OTHER_GROUPS)]
    ratios = [row.masculine_per_feminine for row in (*rows, *result.languages)]
    ends = [math.log2(end) for one in ratios for end in (one.value, one.low, one.high) if 0 < end < math.inf]
    # A ratio of 1, half and double are on any scale.
    low, high = max(_LEAST, min([*ends, -1.0])), min(_MOST, max([*ends, 1.0]))
    room = _ROOM * (high - low)
    low, high = low - room, high + room

    def place(ratio: float) -> float | None:
        if math.isnan(ratio):
            return None
        log = math.log2(ratio) if ratio > 0 else -math.inf
        return round(100 * (min(max(log, low), high) - low) / (high - low), 2)

    periods = [_months(row.group) for row in rows] if time else []
    first, span = min(periods, default=0), max(periods, default=0) - min(periods, default=0) or 1
    every = math.ceil(len(set(periods)) * (len(rows[0].group) + 1) / _LABELS) if time else 1
    ticks = [(f"{2**power}" if power >= 0 else f"1/{2**-power}", place(2.0**power) or 0.0)
             for power in range(_LEAST, _MOST + 1) if low <= power <= high]  # fmt: skip
    charts = []
    for language in result.languages:
        own = [row for row in rows if (row.corpus, row.lang) == (language.corpus, language.lang)]
        marks = []
        for number, row in enumerate(own):
            ratio = row.masculine_per_feminine
            along = round(100 * (_months(row.group) - first) / span, 2) if time else 0.0
            label = row.group if number % every == 0 else ""
            marks.append(Mark(row, along, label, *map(place, (ratio.value, ratio.low, ratio.high))))
        lines = [pair for pair in pairwise(marks) if None not in (pair[0].ratio, pair[1].ratio)] if time else []
        if marks:
            charts.append(Chart(language, marks, place(language.masculine_per_feminine.value), ticks, lines))
    return charts


def _months(period: str) -> int:
    """Return the number of a month, or of a year's first, from the year 0 on."""
    year, _, month = period.partition("-")
    return 12 * int(year) + int(month or 1)
