"""The reproduction ledger: one row per published number, with ours beside it and a verdict."""

import csv
import math
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from textparity.errors import TableError
from textparity.files import write_rows

EXACT, WITHIN, DIFFERS, NOT_RUN = "exact", "within tolerance", "differs", "not run"
VERDICTS = (EXACT, WITHIN, DIFFERS, NOT_RUN)
# Ours are shown with this many digits more than the paper prints.
EXTRA_DIGITS = 2


@dataclass(frozen=True)
class LedgerRow:
    """One published number; all cells are text, empty where there is no number."""

    study: str
    table: str
    row: str
    column: str
    published: str
    ours_published: str
    ours_corrected: str
    abs_diff: str
    verdict: str
    reason: str


@dataclass(frozen=True)
class PublishedNumber:
    """One cell of a paper's table, as printed; `value` is empty where the cell cannot be read (see `note`)."""

    table: str
    row: str
    column: str
    value: str
    note: str


def read_published(path: Path) -> list[PublishedNumber]:
    """Read a file of `resources/published/`, checking its header, its numbers and that no cell stands twice."""
    columns = [field.name for field in fields(PublishedNumber)]
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != columns:
            raise TableError(f"{path}: the header must be {','.join(columns)}")
        numbers = []
        for line, cells in enumerate(reader, start=2):
            if None in cells or None in cells.values():
                raise TableError(f"{path}, line {line}: {len(columns)} cells are needed")
            numbers.append(PublishedNumber(**cells))
            try:
                float(numbers[-1].value or 0)
            except ValueError:
                raise TableError(f"{path}, line {line}: {numbers[-1].value!r} is not a number") from None
    seen: set[tuple[str, str, str]] = set()
    for number in numbers:
        key = (number.table, number.row, number.column)
        if key in seen:
            raise TableError(f"{path}: table {number.table}, row {number.row}, column {number.column} stands twice")
        seen.add(key)
    return numbers


def judge(
    study: str,
    number: PublishedNumber,
    ours_published: float | None,
    ours_corrected: float | None,
    relative_tolerance: float,
    reason: str,
    may_be_exact: bool = True,
) -> LedgerRow:
    """Compare a published number with ours and say how they agree.

    `exact`: equal when ours is rounded to the paper's digits (not with `may_be_exact` false, as for stand-in
    models). `within tolerance`: at most `relative_tolerance` of the published value away, or one unit of its last
    digit. `not run`: there is no number of ours, or none of the paper's; `reason` must say why.
    """
    decimals = len(number.value.partition(".")[2])
    ours = (_show(ours_published, decimals + EXTRA_DIGITS), _show(ours_corrected, decimals + EXTRA_DIGITS))
    key = (study, number.table, number.row, number.column, number.value)
    if not number.value:
        return LedgerRow(*key, *ours, "", NOT_RUN, f"the published cell cannot be read: {number.note}")
    if ours_published is None or math.isnan(ours_published):
        return LedgerRow(*key, *ours, "", NOT_RUN, reason)
    published = float(number.value)
    difference = abs(ours_published - published)
    tolerance = max(relative_tolerance * abs(published), 10.0**-decimals)
    if f"{ours_published:.{decimals}f}" == f"{published:.{decimals}f}" and may_be_exact:
        found = EXACT
    elif difference <= tolerance * (1 + 1e-9):
        found = WITHIN
        reason = f"tolerance {tolerance:.{decimals + EXTRA_DIGITS}f}; {reason}".rstrip("; ")
    else:
        found = DIFFERS
    return LedgerRow(*key, *ours, _show(difference, decimals + EXTRA_DIGITS), found, reason)


def _show(value: float | None, decimals: int) -> str:
    if value is None or math.isnan(value):
        return ""
    # Counts stay whole numbers.
    return str(int(value)) if float(value).is_integer() and abs(value) >= 1 else f"{value:.{decimals}f}"


def write_ledger(rows: list[LedgerRow], path: Path) -> None:
    """Write ledger rows as CSV with the ledger's columns."""
    write_rows(path, [field.name for field in fields(LedgerRow)], map(astuple, rows))


def join_ledgers(parts: list[Path], ledger: Path, counts: Path) -> None:
    """Write the ledgers of all studies as one, and how many rows each verdict has per study and table."""
    rows: list[LedgerRow] = []
    for part in parts:
        with part.open(encoding="utf-8", newline="") as file:
            rows += [LedgerRow(**cells) for cells in csv.DictReader(file)]
    write_ledger(rows, ledger)
    found: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        found.setdefault((row.study, row.table), []).append(row.verdict)
    write_rows(
        counts,
        ["study", "table", *(verdict.replace(" ", "_") for verdict in VERDICTS), "rows"],
        ([*key, *map(verdicts.count, VERDICTS), len(verdicts)] for key, verdicts in sorted(found.items())),
    )
