"""The reproduction ledger: one row per published number, with our value and a verdict.

A number from another setup (a substitute model, other data) is no reproduction, so it neither agrees nor differs. Its
verdict is `other setup`, and the distance is given.
"""

import csv
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.errors import TableError
from textparity.files import write_rows

if TYPE_CHECKING:
    import pandas as pd

EXACT, WITHIN, DIFFERS, OTHER_SETUP, NOT_RUN = "exact", "within tolerance", "differs", "other setup", "not run"
VERDICTS = (EXACT, WITHIN, DIFFERS, OTHER_SETUP, NOT_RUN)
# The kinds of numbers that were not run; each reason begins with one of these and a colon.
NOT_HERE, GATED, WITHDRAWN, UNPUBLISHED, NOT_ASKED, NOT_COMPUTED, UNREADABLE = NOT_RUN_KINDS = (
    "published, not here", "gated", "withdrawn", "unpublished", "not asked for", "not computed", "unreadable"
)  # fmt: skip
# Our values have this many digits more than the paper prints.
EXTRA_DIGITS = 2


@dataclass(frozen=True)
class LedgerRow:
    """Hold one published number with our values; all cells are text, and empty if there is no number."""

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
    """Hold one cell of a paper's table, as printed; `value` is empty if the cell cannot be read (see `note`)."""

    table: str
    row: str
    column: str
    value: str
    note: str


def read_published(path: Path) -> list[PublishedNumber]:
    """Read the published numbers of a study; check the header, the numbers, and that no cell occurs twice."""
    columns = [column.name for column in fields(PublishedNumber)]
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


@dataclass(frozen=True)
class ReproducedValue:
    """Hold our values by both procedures, None for a missing one; `row` has the cells behind `published`."""

    published: float | None = None
    corrected: float | None = None
    tolerance: float = 0
    remark: str = ""
    setup: str = ""
    row: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class CellMapping:
    """Map some cells of a paper to our values: one line of a study's `ours.csv`.

    `table`, `row` and `column` are those of the published number. A `{name}` in them matches any text, and stands for
    that text in the later fields, as `{table}` does for the table; `3|8` matches both tables. `ours_where` selects rows
    of `ours_file` (`key=value; key=value`). `ours_column` is the column of the one row, or `sum(column)`,
    `mean(column)`, `std(column)` over the rows. If the procedures differ, a `|` separates the published form from the
    corrected one. `remark` and `setup` may name cells of our row; empty parts between semicolons are dropped.
    """

    table: str
    row: str
    column: str
    ours_file: str
    ours_where: str
    ours_column: str
    tolerance: str
    remark: str
    setup: str

    @property
    def name(self) -> str:
        """The name in error messages."""
        return f"ours.csv, table {self.table}, {self.row}, {self.column}"

    def match(self, number: PublishedNumber) -> dict[str, str] | None:
        """Match `number` and return the text behind each name, or None if this mapping is about another cell."""
        names = {"table": number.table}
        for pattern, text in ((self.table, number.table), (self.row, number.row), (self.column, number.column)):
            found = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(pattern)).replace(r"\|", "|"), text)
            if not found:
                return None
            names |= found.groupdict()
        return names

    def look_up(self, names: dict[str, str], rows: "pd.DataFrame") -> ReproducedValue:
        """Look up our numbers in `rows`, the table that `ours_file` names."""
        (value, row), (corrected, other) = (self._value(place, names, rows) for place in range(2))
        if value is None and not (row := row or other):
            return ReproducedValue()
        remark, setup = (join_remarks(*text.format_map(row | names).split("; ")) for text in (self.remark, self.setup))
        return ReproducedValue(value, corrected, float(self.tolerance), remark, setup, row)

    def _value(self, place: int, names: dict[str, str], rows: "pd.DataFrame") -> tuple[float | None, dict[str, Any]]:
        for condition in filter(None, self.ours_where.split("; ")):
            key, _, value = condition.partition("=")
            if not rows.empty:
                if key not in rows.columns:
                    raise TableError(
                        f"{self.name}: {self.ours_file} has no column {key}; it has {', '.join(rows.columns)}"
                    )
                rows = rows[rows[key].astype(str) == _of_procedure(value, place).format_map(names)]
        how, column = re.fullmatch(r"(?:(\w+)\((?=.*\)))?(.*?)\)?", self.ours_column).groups()  # type: ignore[union-attr]
        column = _of_procedure(column, place).format_map(names)
        row = {} if rows.empty else rows.iloc[0].to_dict()
        if how == "sum" and rows.empty:
            return 0.0, row
        # A table without answers lacks the columns for them.
        if column not in rows.columns or rows.empty or (len(rows) > 1 and not how):
            return None, row
        number = float(getattr(rows[column], how)() if how else row[column])
        return (None if math.isnan(number) else number), row


def _of_procedure(text: str, place: int) -> str:
    return (text.split("|") * 2)[place]


def read_sources(path: Path) -> list[CellMapping]:
    """Read a study's `ours.csv`, and check its header."""
    columns = [field.name for field in fields(CellMapping)]
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != columns:
            raise TableError(f"{path}: the header must be {','.join(columns)}")
        return [CellMapping(**cells) for cells in reader]


def find_ours(
    number: PublishedNumber, sources: list[CellMapping], files: Mapping[str, "pd.DataFrame"]
) -> ReproducedValue:
    """Find our value by the first of `sources` with a published one, else the first with a corrected one alone."""
    found = [
        source.look_up(names, _file_of(source, files))
        for source in sources
        if (names := source.match(number)) is not None
    ]
    return max(found, key=_completeness, default=ReproducedValue())


def _file_of(source: CellMapping, files: Mapping[str, "pd.DataFrame"]) -> "pd.DataFrame":
    if source.ours_file not in files:
        raise TableError(f"{source.name}: there is no file {source.ours_file}; there are {', '.join(files)}")
    return files[source.ours_file]


def _completeness(ours: ReproducedValue) -> int:
    if ours.published is not None:
        return 3
    return 2 if ours.corrected is not None else int(bool(ours.row))


def join_remarks(*remarks: str) -> str:
    """Join the texts that are not empty, with semicolons."""
    return "; ".join(filter(None, remarks))


def compare_to_published(study: str, number: PublishedNumber, ours: ReproducedValue, reason: str) -> LedgerRow:
    """Compare a published number with ours, and choose the verdict.

    `exact`: equal after rounding ours to the paper's digits. `within tolerance`: a distance of at most `ours.tolerance`
    of the published value, or one unit of its last digit. `other setup`: ours was made with the setup in `ours.setup`,
    and is never called exact or different. `not run`: our number or the paper's is missing. `reason` must then begin
    with one of `NOT_RUN_KINDS`, else a `ValueError` is raised.
    """
    decimals = len(number.value.partition(".")[2])
    shown = _show(ours.published, decimals + EXTRA_DIGITS), _show(ours.corrected, decimals + EXTRA_DIGITS)
    key = (study, number.table, number.row, number.column, number.value, *shown)
    if not number.value:
        return LedgerRow(*key, "", NOT_RUN, f"{UNREADABLE}: {number.note}", "")
    if ours.published is None or math.isnan(ours.published):
        not_run_kind(reason)
        return LedgerRow(*key, "", NOT_RUN, reason, "")
    published = float(number.value)
    difference = abs(ours.published - published)
    tolerance = max(ours.tolerance * abs(published), 10.0**-decimals)
    if ours.setup:
        found = OTHER_SETUP
    elif f"{ours.published:.{decimals}f}" == f"{published:.{decimals}f}":
        found = EXACT
    elif difference <= tolerance * (1 + 1e-9):
        found = WITHIN
        reason = f"tolerance {tolerance:.{decimals + EXTRA_DIGITS}f}; {reason}".rstrip("; ")
    else:
        found = DIFFERS
    return LedgerRow(*key, _show(difference, decimals + EXTRA_DIGITS), found, reason, ours.setup)


def not_run_kind(reason: str) -> str:
    """Find the one of `NOT_RUN_KINDS` with which a reason begins; raise `ValueError` if there is none."""
    kind = reason.partition(": ")[0]
    if kind not in NOT_RUN_KINDS:
        raise ValueError(f"the reason {reason!r} must begin with one of: {', '.join(NOT_RUN_KINDS)}")
    return kind


def _show(value: float | None, decimals: int) -> str:
    if value is None or math.isnan(value):
        return ""
    # Counts stay integers.
    return str(int(value)) if float(value).is_integer() and abs(value) >= 1 else f"{value:.{decimals}f}"


def write_ledger(rows: list[LedgerRow], path: Path) -> None:
    """Write ledger rows as CSV."""
    write_rows(path, [column.name for column in fields(LedgerRow)], map(astuple, rows))


def list_gaps(gaps: Path, reasons: list[list[str]]) -> None:
    """Write the omitted work as CSV: corpus, lang, engine (empty if there is no choice), reason."""
    write_rows(gaps, ["corpus", "lang", "engine", "reason"], reasons)


def read_ledger(path: Path) -> list[LedgerRow]:
    """Read what `write_ledger` wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        return [LedgerRow(**cells) for cells in csv.DictReader(file)]


def join_ledgers(parts: list[Path], ledger: Path, counts: Path) -> None:
    """Write the ledgers of all studies as one, and count the rows of each verdict per study and table."""
    rows = [row for part in parts for row in read_ledger(part)]
    write_ledger(rows, ledger)
    found: dict[tuple[str, str], list[LedgerRow]] = {}
    for row in rows:
        found.setdefault((row.study, row.table), []).append(row)
    totals = [dict(zip(("study", "table"), key, strict=True)) | count_verdicts(found[key]) for key in sorted(found)]
    columns = ["study", "table", *count_verdicts([])]
    write_rows(counts, columns, ([total[column] for column in columns] for total in totals))


def count_verdicts(rows: Iterable[LedgerRow]) -> dict[str, int]:
    """Count the rows of each verdict, those not run by kind, and all `numbers`."""
    rows = list(rows)
    verdicts = Counter(row.verdict for row in rows)
    kinds = Counter(not_run_kind(row.reason) for row in rows if row.verdict == NOT_RUN)
    return (
        {column_name(verdict): verdicts[verdict] for verdict in VERDICTS}
        | {f"not_run_{column_name(kind)}": kinds[kind] for kind in NOT_RUN_KINDS}
        | {"numbers": len(rows)}
    )


def column_name(words: str) -> str:
    """Convert a verdict or kind to a column name."""
    return words.replace(",", "").replace(" ", "_")
