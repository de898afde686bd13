"""Order the warnings about a result by how far women's share may be off because of them."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

# A warning that cannot move women's share by as many percentage points is not shown.
LEAST_POINTS = 1
# The warning questions the whole result, or no part of the share in particular.
WHOLE_RESULT, NOT_OF_SHARE = math.inf, math.nan


class Caution(NamedTuple):
    """A warning, and by how many percentage points women's share would move if it were right."""

    text: str
    points: float


def points_without(matches: Mapping[str, int], removed: Mapping[str, int]) -> float:
    """Compute by how many points women's share moves without some of the matches, both given by class."""
    women = matches["feminine"]
    gendered = women + matches["masculine"]
    other_women = women - removed.get("feminine", 0)
    other_gendered = gendered - removed.get("feminine", 0) - removed.get("masculine", 0)
    if not gendered:
        return 0.0
    if not other_gendered:
        # Nothing is left, so nothing is known of the share.
        return WHOLE_RESULT
    return 100 * abs(women / gendered - other_women / other_gendered)


def count_by_class(forms: Mapping[tuple[str, str], int]) -> Counter[str]:
    """Count the matches of each class from those of each class and form."""
    matches = Counter[str]()
    for (name, _), number in forms.items():
        matches[name] += number
    return matches


def order_cautions(cautions: Iterable[Caution]) -> tuple[str, ...]:
    """Put the warnings that may move the share most first, without those that hardly do.

    Warnings that are not about the share come last.
    """
    shown = [caution for caution in cautions if math.isnan(caution.points) or caution.points >= LEAST_POINTS]
    shown.sort(key=lambda caution: (math.isnan(caution.points), -caution.points))
    return tuple(caution.text for caution in shown)
