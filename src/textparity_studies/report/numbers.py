"""Look up numbers to quote in the tables and the ledger of a run, and never in files left by another run.

Each number has a LaTeX macro, named by study, table, row and column, so that prose cannot become outdated.
"""

import csv
import unicodedata
from collections.abc import Iterator, Sequence
from copy import copy
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

from textparity.errors import TableError, TextparityError
from textparity.files import write_text
from textparity.tables import escape_latex
from textparity_studies.report.ledger import EXACT, NOT_RUN, count_verdicts, read_ledger

PREFIX = "tp"
_DIGITS = ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]
# Signs that distinguish names; all others only separate words.
_SIGNS = {
    "<": "Less", ">": "Greater", "=": "Equal", "%": "Percent", "+": "Plus", "±": "PlusMinus", "§": "Section",
    "&": "And", "*": "Star", "#": "Hash",
}  # fmt: skip

Row = dict[str, Any]


class NotInThisRun(TextparityError):
    """Report a number that this run did not make; the message names it."""


class Results:
    """Hold the tables of one run, by paths below the folder of its ledger, and `kept` ones, as `study/kept/name`."""

    def __init__(self, tables: list[Path], ledger: Path, kept: Sequence[Path] = ()) -> None:
        self._tables = {table.relative_to(ledger.parent).as_posix(): table for table in tables}
        self._tables |= {"/".join(table.parts[-3:]): table for table in kept}
        self._ledger = ledger
        self.read: list[tuple[str, str]] = []

    def begin(self) -> "Results":
        """Copy this with an empty list `read`, which will record each table read and, in words, the rows of it."""
        found = copy(self)
        found.read = []
        return found

    def rows(self, pattern: str, **where: str) -> list[Row]:
        """Return the rows whose cells equal `where`, from the first table with any among those matching `pattern`.

        The pattern is a path with `*`. Cells that look like numbers become numbers, and empty ones None; `table` is the
        path. Raises `NotInThisRun`, or `KeyError` for a column that a table does not have.
        """
        fitting = sorted(path for path in self._tables if fnmatch(path, pattern))
        if not fitting:
            raise NotInThisRun(f"{pattern} is not part of this run")
        for path in fitting:
            rows = read_rows(self._tables[path])
            if rows and (lacking := where.keys() - rows[0].keys()):
                raise KeyError(f"{path} has no column {', '.join(sorted(lacking))}")
            found = [row for row in rows if all(row[key] == where[key] for key in where)]
            if found:
                self.read.append((path, _in_words(where)))
                return [{"table": path} | {key: _value(cell) for key, cell in row.items()} for row in found]
        raise NotInThisRun(f"{fitting[0]} has no row with {_in_words(where)}" if where else f"{fitting[0]} has no rows")

    def row(self, pattern: str, **where: str) -> Row:
        """Return the first of the `rows`."""
        return self.rows(pattern, **where)[0]

    def ledger(self, study: str, table: str, row: str, column: str) -> Row:
        """Look up a row of the ledger; raise `NotInThisRun` with the ledger's reason if its number was not run."""
        key = {"study": study, "table": table, "row": row, "column": column}
        for found in read_rows(self._ledger):
            if all(found[name] == cell for name, cell in key.items()):
                if found["verdict"] == NOT_RUN:
                    raise NotInThisRun(found["reason"])
                self.read.append((self._ledger.name, _in_words(key)))
                return {name: _value(cell) for name, cell in found.items()}
        raise NotInThisRun(f"the ledger has no {_in_words(key)}")


def _in_words(where: dict[str, str]) -> str:
    return ", ".join(f"{key} {value}" for key, value in where.items())


@cache
def read_rows(table: Path) -> list[dict[str, str]]:
    """Read the rows of a CSV file; each file is read once."""
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _value(cell: str) -> float | str | None:
    if not cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return cell


def macro_name(*parts: object) -> str:
    """Build the name of a macro (without its backslash): `tp`, then each word of `parts` with a capital.

    Digits are spelled out, accents dropped, and letters of other scripts named, because macros have only Latin letters.
    """
    return PREFIX + "".join(_camel(str(part)) for part in parts)


def _camel(text: str) -> str:
    letters: list[str] = []
    begins = True
    for character in unicodedata.normalize("NFKD", text):
        if unicodedata.combining(character):
            continue
        if character.isascii() and character.isalpha():
            letters.append(character.upper() if begins else character)
            begins = False
            continue
        begins = True
        if character.isdecimal():
            letters.append(_DIGITS[unicodedata.decimal(character)])
        elif character in _SIGNS:
            letters.append(_SIGNS[character])
        elif character == ".":
            # Without this word, 1.5 would have the name of 15.
            letters.append("Point" if letters and letters[-1] in _DIGITS else "")
        elif character.isalpha():
            name = unicodedata.name(character, "LETTER").replace("-", " ").split()
            letters += [word.capitalize() for word in name if word not in ("SMALL", "CAPITAL", "LETTER", "CYRILLIC")]
    return "".join(letters)


def write_numbers(ledger: Path, summary: Path, claim_numbers: Path, numbers: Path) -> None:
    """Write a file of LaTeX macros: numbers of the ledger, its verdict counts, and the numbers of claims.

    Raises `TableError` if two numbers would share a macro.
    """
    found: dict[str, tuple[str, str]] = {}
    sources = [
        *_ledger_macros(ledger),
        *_summary_macros(summary),
        *((row["macro"], row["value"], "a claim") for row in read_rows(claim_numbers)),
    ]
    for name, value, source in sources:
        if name in found:
            raise TableError(f"\\{name} would stand for {found[name][1]} and for {source}; rename a row or column")
        found[name] = (value, source)
    lines = []
    for name, (value, source) in found.items():
        lines.append(f"\\newcommand{{\\{name}}}{{{_in_latex(value)}}}% {' '.join(source.split())}")
    head = "% Made by textparity from the results of a run; do not edit. docs/report.md says how names are made.\n"
    write_text(numbers, head + "".join(f"{line}\n" for line in lines))


def _ledger_macros(ledger: Path) -> Iterator[tuple[str, str, str]]:
    for row in read_ledger(ledger):
        source = f"ledger: {row.study}, {row.table}, {row.row}, {row.column}"
        decimals = len(row.published.partition(".")[2])
        # The ledger's value is rounded already. Rounding again might change the digit that made it exact.
        is_exact = row.verdict == EXACT
        for kind, value in (
            ("published", row.published),
            ("ours", row.published if is_exact else _rounded(row.ours_published, decimals)),
            ("corrected", _rounded(row.ours_corrected, decimals)),
        ):
            if value:
                # The name includes the kind of table: Table 4, Section 5.4.
                yield macro_name(row.study, "table", row.table, row.row, row.column, kind), value, source


def _summary_macros(summary: Path) -> Iterator[tuple[str, str, str]]:
    totals = count_verdicts([])
    for row in read_rows(summary):
        study = row["study"]
        for verdict in totals:
            count = row[verdict]
            totals[verdict] += int(count)
            yield macro_name("ledger", study, verdict), count, f"numbers of {study} that are: {verdict}"
    for verdict, total in totals.items():
        yield macro_name("ledger", "all", verdict), str(total), f"numbers of all studies that are: {verdict}"


def _rounded(cell: str, decimals: int) -> str:
    try:
        number = float(cell)
    except ValueError:
        return cell
    # Counts stay integers, as in the ledger.
    return cell if "." not in cell else f"{number:.{decimals}f}"


def _in_latex(value: str) -> str:
    try:
        float(value)
    except ValueError:
        return escape_latex(value)
    return value.replace("-", "\\ensuremath{-}")
