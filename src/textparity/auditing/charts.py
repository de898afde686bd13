"""Where the marks of a page's charts stand: women's shares by group, and ratios on a scale of logarithms."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from textparity.auditing.groups import NO_DATE, NO_GROUP, OTHER_GROUPS

if TYPE_CHECKING:
    from textparity.auditing.results import AuditResult, LanguageAudit

# Percent between the marks of a scale of shares.
_STEP = 25
# Beyond the ends of a scale of ratios, on both sides.
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
    """A group: how far along it stands in percent; women's share and the ends of its interval are in its row."""

    row: "LanguageAudit"
    along: float
    label: str


@dataclass(frozen=True)
class Chart:
    """The groups of one language of one corpus; `lines` join the marks of periods next to each other."""

    language: "LanguageAudit"
    marks: Sequence[Mark]
    lines: Sequence[tuple[Mark, Mark]]
    ticks: Sequence[int] = tuple(range(0, 101, _STEP))


def draw_charts(result: "AuditResult") -> list[Chart]:
    """Return a chart of women's share for each language that has groups; of periods, those alone."""
    time = result.groups_in_time
    rows = [row for row in result.groups if not time or row.group not in (NO_DATE, NO_GROUP, OTHER_GROUPS)]
    periods = [_months(row.group) for row in rows] if time else []
    first, span = min(periods, default=0), max(periods, default=0) - min(periods, default=0) or 1
    every = math.ceil(len(set(periods)) * (len(rows[0].group) + 1) / _LABELS) if time else 1
    charts = []
    for language in result.languages:
        marks = []
        own = [row for row in rows if (row.corpus, row.lang) == (language.corpus, language.lang)]
        for number, row in enumerate(own):
            along = round(100 * (_months(row.group) - first) / span, 2) if time else 0.0
            marks.append(Mark(row, along, row.group if number % every == 0 else ""))
        shown = [mark for mark in marks if not math.isnan(mark.row.women_share.value)]
        lines = [pair for pair in pairwise(marks) if pair[0] in shown and pair[1] in shown] if time else []
        if marks:
            charts.append(Chart(language, marks, lines))
    return charts


def _months(period: str) -> int:
    """Return the number of a month, or of a year's first, from the year 0 on."""
    year, _, month = period.partition("-")
    return 12 * int(year) + int(month or 1)
