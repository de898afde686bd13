"""The reproduction ledger: one row per published number, with ours beside it and a verdict.

A number that was made in another setup (a stand-in model, other data) is no reproduction, so it neither agrees nor
differs: its verdict is `other setup`, and its distance stands beside it.
"""

import csv
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from textparity.errors import TableError
from textparity.files import write_rows

EXACT, WITHIN, DIFFERS, OTHER_SETUP, NOT_RUN = "exact", "within tolerance", "differs", "other setup", "not run"
VERDICTS = (EXACT, WITHIN, DIFFERS, OTHER_SETUP, NOT_RUN)
NOT_HERE, GATED, UNPUBLISHED, NOT_ASKED, UNREADABLE = (
    "published, not here", "gated", "unpublished", "not asked for", "unreadable"
)  # fmt: skip
# Why a number was not run; its reason begins with one of these and a colon.
NOT_RUN_KINDS = (NOT_HERE, GATED, UNPUBLISHED, NOT_ASKED, UNREADABLE)
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
    setup: str


@dataclass(frozen=True)
class PublishedNumber:
    """One cell of a paper's table, as printed; `value` is empty where the cell cannot be read (see `note`)."""

    table: str
    row: str
    column: str
    value: str
    note: str


def read_published(path: Path) -> list[PublishedNumber]:
    """Read the published numbers of a study, checking the header, the numbers and that no cell is there twice."""
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
    setup: str = "",
) -> LedgerRow:
    """Compare a published number with ours and say how they agree.

    `exact`: equal when ours is rounded to the paper's digits. `within tolerance`: at most `relative_tolerance` of the
    published value away, or one unit of its last digit. `other setup`: ours was made with what `setup` names, and is
    never called exact nor different. `not run`: there is no number of ours, or none of the paper's; `reason` must
    begin with one of `NOT_RUN_KINDS`, else it is a `ValueError`.
    """
    decimals = len(number.value.partition(".")[2])
    ours = (_show(ours_published, decimals + EXTRA_DIGITS), _show(ours_corrected, decimals + EXTRA_DIGITS))
    key = (study, number.table, number.row, number.column, number.value)
    if not number.value:
        return LedgerRow(*key, *ours, "", NOT_RUN, f"{UNREADABLE}: {number.note}", "")
    if ours_published is None or math.isnan(ours_published):
        not_run_kind(reason)
        return LedgerRow(*key, *ours, "", NOT_RUN, reason, "")
    published = float(number.value)
    difference = abs(ours_published - published)
    tolerance = max(relative_tolerance * abs(published), 10.0**-decimals)
    if setup:
        found = OTHER_SETUP
    elif f"{ours_published:.{decimals}f}" == f"{published:.{decimals}f}":
        found = EXACT
    elif difference <= tolerance * (1 + 1e-9):
        found = WITHIN
        reason = f"tolerance {tolerance:.{decimals + EXTRA_DIGITS}f}; {reason}".rstrip("; ")
    else:
        found = DIFFERS
    return LedgerRow(*key, *ours, _show(difference, decimals + EXTRA_DIGITS), found, reason, setup)


def not_run_kind(reason: str) -> str:
    """Return which of `NOT_RUN_KINDS` a reason begins with; raises `ValueError` if none."""
    kind = reason.partition(": ")[0]
    if kind not in NOT_RUN_KINDS:
        raise ValueError(f"the reason {reason!r} must begin with one of: {', '.join(NOT_RUN_KINDS)}")
    return kind


def _show(value: float | None, decimals: int) -> str:
    if value is None or math.isnan(value):
        return ""
    # Counts stay whole numbers.
    return str(int(value)) if float(value).is_integer() and abs(value) >= 1 else f"{value:.{decimals}f}"


def write_ledger(rows: list[LedgerRow], path: Path) -> None:
    """Write ledger rows as CSV with the ledger's columns."""
    write_rows(path, [field.name for field in fields(LedgerRow)], map(astuple, rows))


def list_gaps(gaps: Path, reasons: list[list[str]]) -> None:
    """Write what was left out as CSV: corpus, lang, engine (empty where there is no choice), reason."""
    write_rows(gaps, ["corpus", "lang", "engine", "reason"], reasons)


def read_ledger(path: Path) -> list[LedgerRow]:
    """Read what `write_ledger` wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        return [LedgerRow(**cells) for cells in csv.DictReader(file)]


def join_ledgers(parts: list[Path], ledger: Path, counts: Path) -> None:
    """Write the ledgers of all studies as one, and how many rows each verdict has per study and table."""
    rows = [row for part in parts for row in read_ledger(part)]
    write_ledger(rows, ledger)
    found: dict[tuple[str, str], list[LedgerRow]] = {}
    for row in rows:
        found.setdefault((row.study, row.table), []).append(row)
    totals = [dict(zip(("study", "table"), key, strict=True)) | count_verdicts(found[key]) for key in sorted(found)]
    columns = ["study", "table", *count_verdicts([])]
    write_rows(counts, columns, ([total[column] for column in columns] for total in totals))


def count_verdicts(rows: Iterable[LedgerRow]) -> dict[str, int]:
    """Return how many rows have each verdict, how many of those not run are of each kind, and the `numbers` in all."""
    rows = list(rows)
    verdicts = Counter(row.verdict for row in rows)
    kinds = Counter(not_run_kind(row.reason) for row in rows if row.verdict == NOT_RUN)
    return (
        {column_name(verdict): verdicts[verdict] for verdict in VERDICTS}
        | {f"not_run_{column_name(kind)}": kinds[kind] for kind in NOT_RUN_KINDS}
        | {"numbers": len(rows)}
    )


def column_name(words: str) -> str:
    """Return a verdict or kind as the name of a column."""
    return words.replace(",", "").replace(" ", "_")
