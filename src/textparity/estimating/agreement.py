"""How far two readers agree."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Agreement:
    """The agreement of two readers on `units`: in percent, and Krippendorff's alpha, NaN if both always say the same.

    Alpha is 1 minus the disagreement over that expected by chance, here for words without an order, two readers and no
    missing values (Krippendorff 2019, *Content Analysis*, chapter 12).
    """

    units: int
    percent: float
    alpha: float

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]]) -> "Agreement":
        """Compute the agreement from what both say of each unit."""
        if not pairs:
            return cls(0, math.nan, math.nan)
        differing = sum(first != second for first, second in pairs)
        values = Counter(value for pair in pairs for value in pair)
        total = values.total()
        expected = sum(count * (total - count) for count in values.values())
        alpha = 1 - differing * 2 * (total - 1) / expected if expected else math.nan
        return cls(len(pairs), 100 * (1 - differing / len(pairs)), alpha)
