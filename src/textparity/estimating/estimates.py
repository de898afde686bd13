"""Numbers with their confidence intervals."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

# With fewer documents, articles or sentences, a bootstrap gives no interval, because percentile intervals would be far
# too narrow.
MINIMUM_UNITS = 10


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval, whose ends are NaN if it is undefined (as for a ratio to 0)."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @classmethod
    def of(cls, row: Mapping[str, float], name: str) -> "Estimate":
        """Read the columns `name` and its interval from a row, as `columns` makes them."""
        return cls(row[name], row[f"{name}_low"], row[f"{name}_high"])

    def __mul__(self, factor: float) -> "Estimate":
        return Estimate(self.value * factor, self.low * factor, self.high * factor)

    def ends(self, name: str) -> dict[str, float]:
        """Return the columns of a table with the interval of `name`."""
        return {f"{name}_low": self.low, f"{name}_high": self.high}

    def columns(self, name: str) -> dict[str, float]:
        """Return the columns of a table with the number `name` and its interval."""
        return {name: self.value} | self.ends(name)


UNDEFINED = Estimate(math.nan)


def percentage(part: float, whole: float) -> float:
    """Compute `part` in percent of `whole`, NaN for an empty whole."""
    return 100 * part / whole if whole else math.nan


def share(part: float, whole: float) -> float:
    """Compute `part` / `whole`, NaN for an empty whole."""
    return part / whole if whole else math.nan
