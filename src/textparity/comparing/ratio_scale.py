"""The logarithmic axis of a chart of ratios."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

# Padding at both ends of the axis, as a fraction of its length.
_PADDING = 0.05
# Ticks are the round numbers of the first of these sets that gives at least this many: first digits, then multiples.
_LEAST_TICKS = 3
_DIGITS = ((1,), (1, 2, 5), (1, 1.5, 2, 3, 5, 7))
_MULTIPLES = (0.25, 0.1, 0.05, 0.02, 0.01)


class Tick(NamedTuple):
    """A labelled point of the axis. Its position is in percent of the axis's length."""

    label: str
    position: float


@dataclass(frozen=True)
class RatioScale:
    """A logarithmic axis around 1 from `low` to `high` (natural logarithms). Positions are in percent of its length."""

    low: float
    high: float

    @classmethod
    def of(cls, ratios: Iterable[float], least: float) -> "RatioScale":
        """Make an axis that covers `ratios` and reaches at least `least` on both sides of 1."""
        low = -math.log(least)
        high = math.log(least)
        for ratio in ratios:
            if 0 < ratio < math.inf:
                low = min(low, math.log(ratio))
                high = max(high, math.log(ratio))
        padding = _PADDING * (high - low)
        return cls(low - padding, high + padding)

    def place(self, ratio: float) -> float:
        """Compute the position of a ratio. Ratios outside the axis get its nearest end."""
        log = math.log(ratio) if ratio > 0 else -math.inf
        inside = min(max(log, self.low), self.high)
        return round(100 * (inside - self.low) / (self.high - self.low), 2)

    @property
    def ticks(self) -> list[Tick]:
        """The ticks, which are round numbers."""
        for candidates in self._round_ratios():
            ratios = [ratio for ratio in candidates if self.low <= math.log(ratio) <= self.high]
            if len(ratios) >= _LEAST_TICKS:
                break
        else:
            ratios = [1.0]
        return [Tick(f"{ratio:g}", self.place(ratio)) for ratio in ratios]

    def _round_ratios(self) -> Iterator[list[float]]:
        """Make the sets of candidates for ticks, coarse ones first: 1, 10, 100; then 1, 2, 5, 10; then multiples."""
        lowest = math.floor(self.low / math.log(10))
        highest = math.ceil(self.high / math.log(10))
        powers = [10.0**exponent for exponent in range(lowest, highest + 1)]
        for digits in _DIGITS:
            yield [digit * power for power, digit in product(powers, digits)]
        largest = math.exp(self.high)
        for step in _MULTIPLES:
            count = int(largest / step)
            yield [step * multiple for multiple in range(1, count + 1)]
