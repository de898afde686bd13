"""Compute the positions of the marks in a page's charts: women's share by group, and ratios on a logarithmic scale."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from textparity.auditing.groups import NO_DATE, NO_GROUP, OTHER_GROUPS

if TYPE_CHECKING:
    from textparity.auditing.results import AuditResult, LanguageAudit

# Distance between the ticks of a share axis, in percent.
_STEP = 25
# Padding at both ends of a ratio axis, as a fraction of its length.
_ROOM = 0.05
# Ticks are powers of the first of these bases that gives at least this many of them.
_BASES, _LEAST_TICKS = (10, 2, 1.5, 1.2, 1.1), 3
# Labels fit side by side if they have no more than this many characters in total.
_LABELS = 64


@dataclass(frozen=True)
class RatioScale:
    """A logarithmic axis around 1 from `low` to `high` (natural logarithms). Positions are in percent of its length."""

    low: float
    high: float

    @classmethod
    def of(cls, ratios: Iterable[float], least: float, most: float = math.inf) -> "RatioScale":
        """Make an axis that covers `ratios`, reaches at least `least` on both sides of 1, and at most `most`."""
        logs = [math.log(ratio) for ratio in ratios if 0 < ratio < math.inf]
        low = max(-math.log(most), min([*logs, -math.log(least)]))
        high = min(math.log(most), max([*logs, math.log(least)]))
        room = _ROOM * (high - low)
        return cls(low - room, high + room)

    def place(self, ratio: float) -> float | None:
        """Compute the position of a ratio. Ratios outside the axis get its nearest end; NaN has no position."""
        if math.isnan(ratio):
            return None
        log = math.log(ratio) if ratio > 0 else -math.inf
        return round(100 * (min(max(log, self.low), self.high) - self.low) / (self.high - self.low), 2)

    @property
    def ticks(self) -> list[tuple[str, float]]:
        """The labels and positions of the ticks, all of them powers of one base."""
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
    """One group: its position `along` the axis in percent. Its share and interval are in its row."""

    row: "LanguageAudit"
    along: float
    label: str


@dataclass(frozen=True)
class Chart:
    """The groups of one language of one corpus. `lines` join the marks of consecutive periods."""

    language: "LanguageAudit"
    marks: Sequence[Mark]
    lines: Sequence[tuple[Mark, Mark]]
    ticks: Sequence[int] = tuple(range(0, 101, _STEP))


def draw_charts(result: "AuditResult") -> list[Chart]:
    """Draw women's share for each language that has groups. For periods, texts without a date are left out."""
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
    """Number a month, or the first month of a year, counting from year 0."""
    year, _, month = period.partition("-")
    return 12 * int(year) + int(month or 1)
