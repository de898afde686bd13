"""An array that grows."""

from typing import Any

import numpy as np


class GrowingArray:
    """An array to which rows are appended. Its memory doubles, so that appending a few rows costs little."""

    def __init__(self, dtype: Any, *columns: int) -> None:
        self._held = np.empty((1024, *columns), dtype)
        self._size = 0

    @property
    def values(self) -> np.ndarray:
        """All rows."""
        return self._held[: self._size]

    def extend(self, rows: np.ndarray) -> None:
        """Append some rows."""
        stop = self._size + len(rows)
        if stop > len(self._held):
            capacity = max(stop, 2 * len(self._held))
            larger = np.empty((capacity, *self._held.shape[1:]), self._held.dtype)
            larger[: self._size] = self.values
            self._held = larger
        self._held[self._size : stop] = rows
        self._size = stop
