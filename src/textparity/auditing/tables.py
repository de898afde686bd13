"""Tables of results without pandas. Their CSV and records equal those of a pandas frame."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from textparity.errors import MissingResourceError, how_to_install

if TYPE_CHECKING:
    import pandas as pd

# The number of decimals in files, so that two runs agree to the byte.
DIGITS = 6


class Table:
    """Rows below the names of their columns. If a column of numbers has a float or a gap, all of it becomes floats."""

    def __init__(self, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        self.columns = list(columns)
        values = list(zip(*rows, strict=True)) or [()] * len(self.columns)
        self._values = [_floats(column) if _has_floats(column) else list(column) for column in values]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> "Table":
        """Make a table from rows by column name. `columns` is used if there are no rows. A missing name is a gap."""
        names = list(dict.fromkeys(name for row in rows for name in row)) or columns
        return cls(names, [[row.get(name) for name in names] for row in rows])

    def __len__(self) -> int:
        return len(self._values[0])

    def records(self) -> list[dict[str, Any]]:
        """List the rows as dictionaries by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*self._values, strict=True)]

    def rounded(self) -> list[dict[str, Any]]:
        """List the records with floats rounded to `DIGITS` decimals, and None for undefined numbers."""
        return [{name: _rounded(value) for name, value in row.items()} for row in self.records()]

    def to_csv(self) -> str:
        """Render the table as CSV, with floats to `DIGITS` decimals."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(row.values() for row in self.rounded())
        return text.getvalue()

    def to_frame(self) -> "pd.DataFrame":
        """Convert the table to a pandas frame. Raises `MissingResourceError` if pandas is not installed."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingResourceError(
                f"a data frame needs pandas, which is not installed; install the extra: {how_to_install('frames')}"
            ) from None
        return pd.DataFrame(dict(zip(self.columns, self._values, strict=True)), columns=self.columns)


def _has_floats(column: Sequence[Any]) -> bool:
    """Check whether a column consists of numbers of which some have a fraction or are missing."""
    if any(isinstance(value, bool) or not isinstance(value, int | np.integer | float | None) for value in column):
        return False
    return any(isinstance(value, float) for value in column) or (None in column and any(v is not None for v in column))


def _floats(column: Sequence[Any]) -> list[float]:
    return [math.nan if value is None else float(value) for value in column]


def _rounded(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return None if math.isnan(value) else float(np.round(value, DIGITS))
