"""Where the marks of a page's charts stand: ratios with their intervals, on one scale of logarithms for all."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from textparity.auditing.groups import NO_DATE, NO_GROUP, OTHER_GROUPS

if TYPE_CHECKING:
    from textparity.auditing.results import AuditResult, LanguageAudit

# A chart by groups shows ratios from half to double at least; an interval that ends beyond these says no more than that
# it is wide.
_LEAST, _MOST = 2, 32
# Of the scale, on both sides.
_ROOM = 0.05
# What the marks of a scale may be powers of, and how many there are at least.
_BASES, _LEAST_TICKS = (10, 2, 1.5, 1.2, 1.1), 3
# So many characters of labels have a place side by side.
_LABELS = 64


@dataclass(frozen=True)
class RatioScale:
    """A scale of logarithms around 1, from `low` to `high`; places are percent of it."""

    low: float
    high: float

    @classmethod
    def of(cls, ratios: Iterable[float], least: float, most: float = math.inf) -> "RatioScale":
        """Return a scale for ratios that reaches from 1 to `least` on both sides, and to `most` at the most."""
        logs = [math.log(ratio) for ratio in ratios if 0 < ratio < math.inf]
        low = max(-math.log(most), min([*logs, -math.log(least)]))
        high = min(math.log(most), max([*logs, math.log(least)]))
        room = _ROOM * (high - low)
        return cls(low - room, high + room)

    def place(self, ratio: float) -> float | None:
        """Return where a ratio stands; beyond all others at an end, and nowhere if there is none."""
        if math.isnan(ratio):
            return None
        log = math.log(ratio) if ratio > 0 else -math.inf
        return round(100 * (min(max(log, self.low), self.high) - self.low) / (self.high - self.low), 2)

    @property
    def ticks(self) -> list[tuple[str, float]]:
        """Return labels and places of ratios that are powers of one number."""
        ratios: list[float] = []
        for base in _BASES:
            most = int(max(self.high, -self.low) / math.log(base))
            ratios = [base**power for power in range(-most, most + 1)]
            ratios = [ratio for ratio in ratios if self.low <= math.log(ratio) <= self.high]
            if len(ratios) >= _LEAST_TICKS:
                break
        return [(f"{ratio:.3g}", self.place(ratio) or 0.0) for ratio in ratios]


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
    rows = [row for row in result.groups if not time or row.group not in (NO_DATE, NO_GROUP, OTHER_GROUPS)]
    ratios = [row.masculine_per_feminine for row in (*rows, *result.languages)]
    scale = RatioScale.of((end for one in ratios for end in (one.value, one.low, one.high)), _LEAST, _MOST)
    periods = [_months(row.group) for row in rows] if time else []
    first, span = min(periods, default=0), max(periods, default=0) - min(periods, default=0) or 1
    every = math.ceil(len(set(periods)) * (len(rows[0].group) + 1) / _LABELS) if time else 1
    charts = []
    for language in result.languages:
        own = [row for row in rows if (row.corpus, row.lang) == (language.corpus, language.lang)]
        marks = []
        for number, row in enumerate(own):
            ratio = row.masculine_per_feminine
            along = round(100 * (_months(row.group) - first) / span, 2) if time else 0.0
            label = row.group if number % every == 0 else ""
            marks.append(Mark(row, along, label, *map(scale.place, (ratio.value, ratio.low, ratio.high))))
        lines = [pair for pair in pairwise(marks) if None not in (pair[0].ratio, pair[1].ratio)] if time else []
        if marks:
            whole = scale.place(language.masculine_per_feminine.value)
            charts.append(Chart(language, marks, whole, scale.ticks, lines))
    return charts


def _months(period: str) -> int:
    """Return the number of a month, or of a year's first, from the year 0 on."""
    year, _, month = period.partition("-")
    return 12 * int(year) + int(month or 1)
