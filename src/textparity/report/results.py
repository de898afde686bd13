"""What a run made, as rows to quote from: final tables and the ledger, and nothing that lies there from another run."""

import csv
from copy import copy
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

from textparity.errors import TextparityError
from textparity.report.ledger import NOT_RUN

Row = dict[str, Any]


class NotMade(TextparityError):
    """A number that this run did not make; the message says which."""


class Results:
    """The tables of one run, by their paths below the folder of its ledger."""

    def __init__(self, tables: list[Path], ledger: Path) -> None:
        self._tables = {table.relative_to(ledger.parent).as_posix(): table for table in tables}
        self._ledger = ledger
        self.read: list[tuple[str, str]] = []

    def begin(self) -> "Results":
        """Return the same tables with an empty list of what was `read`: the table and, in words, which rows of it."""
        found = copy(self)
        found.read = []
        return found

    def rows(self, pattern: str, **where: str) -> list[Row]:
        """Return the rows whose cells are `where`, of the first table that has any and fits `pattern` (a path, `*`).

        Cells are numbers where they look like it, None where they are empty; `table` is the path. Raises `NotMade`, or
        `KeyError` for a column that a table does not have.
        """
        fitting = sorted(path for path in self._tables if fnmatch(path, pattern))
        if not fitting:
            raise NotMade(f"{pattern} is not part of this run")
        for path in fitting:
            rows = read_rows(self._tables[path])
            if rows and (lacking := where.keys() - rows[0].keys()):
                raise KeyError(f"{path} has no column {', '.join(sorted(lacking))}")
            found = [row for row in rows if all(row[key] == where[key] for key in where)]
            if found:
                self.read.append((path, _in_words(where)))
                return [{"table": path} | {key: _value(cell) for key, cell in row.items()} for row in found]
        raise NotMade(f"{fitting[0]} has no row with {_in_words(where)}" if where else f"{fitting[0]} has no rows")

    def row(self, pattern: str, **where: str) -> Row:
        """Return the first of the `rows`."""
        return self.rows(pattern, **where)[0]

    def ledger(self, study: str, table: str, row: str, column: str) -> Row:
        """Return a row of the ledger, if its number was run; raises `NotMade` with the ledger's reason."""
        key = {"study": study, "table": table, "row": row, "column": column}
        for found in read_rows(self._ledger):
            if all(found[name] == cell for name, cell in key.items()):
                if found["verdict"] == NOT_RUN:
                    raise NotMade(found["reason"])
                self.read.append((self._ledger.name, _in_words(key)))
                return {name: _value(cell) for name, cell in found.items()}
        raise NotMade(f"the ledger has no {_in_words(key)}")


def _in_words(where: dict[str, str]) -> str:
    return ", ".join(f"{key} {value}" for key, value in where.items())


@cache
def read_rows(table: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, read once."""
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _value(cell: str) -> float | str | None:
    if not cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return cell
