"""Name and find cells of tables: `study/tables/name.csv[key=value;key=value].column`.

A cell is in the one row whose cells equal the keys (`key!=value`: do not). The path begins below the folder of the
results. `a|b` in any place names two cells: `a` belongs to the paper's procedure and `b` to the corrected one; `a|`
names the first alone.
"""

import csv
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textparity.errors import TableError

# A row of a table that was read is text; computed tables may have numbers, too.
Row = Mapping[str, Any]
# Columns with the values that they must have; a column that ends with `!` must have another value.
Keys = tuple[tuple[str, str], ...]

_CELL = re.compile(r"(?P<rows>[^\[\]]+\[.*\])\.(?P<column>[^\[\]]+)")
_ROWS = re.compile(r"(?P<table>[^\[\]]+)(?:\[(?P<keys>.*)\])?")
_TWO = re.compile(r"([^/.;=\[\]|]*)\|([^/.;=\[\]|]*)")


@dataclass(frozen=True)
class CellName:
    """Name a cell by its table, the values of its row in some columns, and its column."""

    table: str
    keys: Keys
    column: str

    @classmethod
    def parse(cls, text: str) -> "CellName":
        """Read the notation; raises `TableError` if `text` does not follow it."""
        parsed = _CELL.fullmatch(text)
        if parsed is None:
            raise TableError(f"{text!r} is not the name of a cell, such as study/table.csv[key=value].column")
        table, keys = parse_rows(parsed["rows"])
        return cls(table, keys, parsed["column"])


def parse_rows(text: str) -> tuple[str, Keys]:
    """Read the name of rows, `study/tables/name.csv[key=value;key=value]`; without `[…]`, all rows are meant."""
    parsed = _ROWS.fullmatch(text)
    if parsed is None:
        raise TableError(f"{text!r} is not the name of rows, such as study/table.csv[key=value]")
    keys = []
    for key in filter(None, (parsed["keys"] or "").split(";")):
        name, equals, value = key.partition("=")
        if not equals:
            raise TableError(f"{text!r}: {key!r} is not key=value")
        keys.append((name, value))
    return parsed["table"], tuple(keys)


def parse_pair(text: str) -> tuple[CellName, CellName]:
    """Read the name of a cell by the published and by the corrected procedure; without `|`, both are the same."""
    published, corrected = (CellName.parse(_TWO.sub(rf"\{side}", text)) for side in (1, 2))
    return published, corrected


def read_cells(table: Path) -> list[dict[str, str]]:
    """Read the rows of a CSV file; a file without a header has none."""
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def name_row(table: str, keys: Mapping[str, str]) -> str:
    """Name a row, or all rows of a table without `keys`, in the notation of cells."""
    shown = ";".join(f"{name}={value}" for name, value in keys.items())
    return f"{table}[{shown}]" if keys else table


def name_files(files: Iterable[Path], results: Path) -> dict[str, Path]:
    """Map the names of tables, their paths below the folder of the results, to their files."""
    return {file.relative_to(results).as_posix(): file for file in files}


class RunTables:
    """Find cells in the tables of a run: `files` by name, and rows that a study `computed` from others."""

    def __init__(self, files: Mapping[str, Path], computed: Mapping[str, list[Row]] | None = None) -> None:
        self._files = dict(files)
        self._rows = dict(computed or {})
        self._rows_by_keys: dict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], list[Row]]] = {}

    def __contains__(self, table: str) -> bool:
        return table in self._files or table in self._rows

    def names(self) -> list[str]:
        """Return the names of all tables, in order."""
        return sorted({*self._files, *self._rows})

    def rows(self, table: str) -> list[Row]:
        """Return all rows of a table; none if this run did not make it."""
        if table not in self:
            return []
        if table not in self._rows:
            self._rows[table] = list(read_cells(self._files[table]))
        return self._rows[table]

    def find_rows(self, table: str, keys: Keys) -> list[Row]:
        """Return the rows whose cells equal `keys`; raises `TableError` for a column that the table does not have."""
        equal: dict[str, str] = {}
        unequal: dict[str, str] = {}
        for name, value in keys:
            if name.endswith("!"):
                unequal[name.removesuffix("!")] = value
            else:
                equal[name] = value
        names = tuple(equal)
        if (table, names) not in self._rows_by_keys:
            self._rows_by_keys[table, names] = self._group_rows(table, names)
        rows = self._rows_by_keys[table, names].get(tuple(equal.values()), [])
        if not unequal:
            return rows
        return [row for row in rows if not any(str(row[name]) == value for name, value in unequal.items())]

    def _group_rows(self, table: str, names: tuple[str, ...]) -> dict[tuple[str, ...], list[Row]]:
        rows_by_key: dict[tuple[str, ...], list[Row]] = defaultdict(list)
        for row in self.rows(table):
            try:
                key = tuple(str(row[name]) for name in names)
            except KeyError as error:
                raise TableError(f"{table} has no column {error}") from None
            rows_by_key[key].append(row)
        return rows_by_key

    def find_row(self, cell: CellName) -> Row:
        """Return the row of a cell; empty if there is none, or more than one."""
        rows = self.find_rows(cell.table, cell.keys)
        return rows[0] if len(rows) == 1 else {}

    def find_text(self, cell: CellName) -> str:
        """Return the first cell that is not empty, because reasons may be given for several rows."""
        for row in self.find_rows(cell.table, cell.keys):
            if row.get(cell.column):
                return str(row[cell.column])
        return ""


def to_number(cell: Any) -> float | None:
    """Convert a cell to a number; None if there is none."""
    if cell is None or cell == "":
        return None
    number = float(cell)
    return None if math.isnan(number) else number
