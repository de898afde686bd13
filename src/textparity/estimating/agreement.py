"""How far two readers agree."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ReaderAgreement:
    """The agreement of two readers on `units`: in percent, and Krippendorff's alpha, NaN if both always say the same.

    Alpha is 1 minus the disagreement over that expected by chance, here for words without an order, two readers and no
    missing values (Krippendorff 2019, *Content Analysis*, chapter 12).
    """

    units: int
    percent: float
    alpha: float

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]]) -> "ReaderAgreement":
        """Compute the agreement from what both say of each unit."""
        if not pairs:
            return cls(0, math.nan, math.nan)
        differing = 0
        values: Counter[str] = Counter()
        for first, second in pairs:
            differing += first != second
            values.update((first, second))
        total = values.total()
        expected = sum(count * (total - count) for count in values.values())
        alpha = math.nan
        if expected:
            alpha = 1 - 2 * differing * (total - 1) / expected
        percent = 100 * (1 - differing / len(pairs))
        return cls(len(pairs), percent, alpha)
