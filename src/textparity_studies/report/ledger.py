"""The reproduction ledger: one row per published number, with our value and a verdict.

A number from another setup (a substitute model, other data) does not reproduce the published one, so it neither agrees
nor differs. Its verdict is `other setup`, and the distance is given.
"""

import csv
import math
import operator
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar

from textparity.errors import TableError
from textparity.files import write_rows

if TYPE_CHECKING:
    import pandas as pd


EXACT, WITHIN, DIFFERS, OTHER_SETUP, NOT_RUN = "exact", "within tolerance", "differs", "other setup", "not run"
VERDICTS = (EXACT, WITHIN, DIFFERS, OTHER_SETUP, NOT_RUN)


# The kind of the claims that concern no paper.
MEASUREMENT = "our measurement"


class Reason(StrEnum):
    """Why a number is missing."""

    NOT_DOWNLOADED = "published, not here"
    GATED = "gated"
    WITHDRAWN = "withdrawn"
    UNPUBLISHED = "unpublished"
    NOT_CONFIGURED = "not asked for"
    NOT_COMPUTED = "not computed"
    UNREADABLE = "unreadable"


class Need(str):
    """What is missing, and why: a line of text, `reason: detail`, which tables and jobs can hold."""

    reason: Reason
    detail: str

    def __new__(cls, reason: Reason, detail: str) -> "Need":
        """Join a reason and its detail."""
        need = super().__new__(cls, f"{reason}: {detail}")
        need.reason, need.detail = reason, detail
        return need

    def __reduce__(self) -> tuple[type["Need"], tuple[Reason, str]]:
        return Need, (self.reason, self.detail)

    @classmethod
    def parse(cls, text: str) -> "Need":
        """Read a line. Raises `ValueError` if it does not begin with a `Reason` and a colon."""
        reason, _, detail = text.partition(": ")
        if reason not in set(Reason):
            raise ValueError(f"{text!r} must begin with one of: {', '.join(Reason)}")
        return cls(Reason(reason), detail)


def is_reason(text: str) -> bool:
    """Check whether a text is a reason why a number is missing, which `Need.parse` reads."""
    return text.partition(": ")[0] in set(Reason)


SomeRow = TypeVar("SomeRow")
# Our values have this many digits more than the paper prints.
EXTRA_DIGITS = 2
# What was not run, and why; a cell is empty if there is no choice.
GAP_COLUMNS = ["corpus", "lang", "engine", "reason"]


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
    """Hold one cell of a paper's table, as printed; `value` is empty if the cell cannot be read (see `note`).

    `cell` names ours: a cell, several joined by ` or ` of which the first with a number counts, or a function of
    `resources/ledger_functions.tsv`. It is empty if we have none. For `tolerance`, see `allowed_distance`; several
    cells may have one each, joined by ` or `.
    """

    table: str
    row: str
    column: str
    value: str
    note: str
    cell: str = ""
    tolerance: str = ""

    @property
    def decimals(self) -> int:
        """The number of decimals in print."""
        return len(self.value.partition(".")[2])


def read_csv(path: Path, kind: type[SomeRow]) -> list[SomeRow]:
    """Read a CSV file whose header is the fields of `kind`."""
    columns = [column.name for column in fields(kind)]  # type: ignore[arg-type]
    rows = []
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != columns:
            raise TableError(f"{path}: the header must be {','.join(columns)}")
        for line, cells in enumerate(reader, start=2):
            if None in cells or None in cells.values():
                raise TableError(f"{path}, line {line}: {len(columns)} cells are needed")
            rows.append(kind(**cells))
    return rows


def read_published(path: Path) -> list[PublishedNumber]:
    """Read the published numbers of a study; check the header, the numbers, and that no cell occurs twice."""
    numbers = read_csv(path, PublishedNumber)
    seen: set[tuple[str, str, str]] = set()
    for line, number in enumerate(numbers, start=2):
        try:
            float(number.value or 0)
        except ValueError:
            raise TableError(f"{path}, line {line}: {number.value!r} is not a number") from None
        key = (number.table, number.row, number.column)
        if key in seen:
            raise TableError(f"{path}: table {number.table}, row {number.row}, column {number.column} occurs twice")
        seen.add(key)
    return numbers


@dataclass(frozen=True)
class ReproducedValue:
    """Hold our values by both procedures, None for a missing one; `row` has the cells behind `published`.

    A value is infinite if our tables show that there is no such number, for example no year that meets a condition.
    """

    published: float | None = None
    corrected: float | None = None
    tolerance: str | float = ""
    remark: str = ""
    setup: str = ""
    row: Mapping[str, Any] = field(default_factory=dict)


Row = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """Name the column and the row of one of our tables that have a number, by the published and by the corrected
    procedure.

    A row is given by its values in some columns. Remarks and the setup may name cells of the row.
    """

    table: str
    columns: tuple[str, str]
    rows: tuple[Row, Row]
    remarks: Sequence[str] = ()
    setup: str = ""
    tolerance: float = 0.05

    @classmethod
    def of(
        cls,
        table: str,
        column: str,
        where: Row,
        remarks: Sequence[str] = (),
        setup: str = "",
        tolerance: float = 0.05,
        **pairs: tuple[str, str],
    ) -> "Cell":
        """Name a cell in one column; `pairs` are the values by which the rows of both procedures differ."""
        published, corrected = (where | {key: pair[place] for key, pair in pairs.items()} for place in range(2))
        return cls(table, (column, column), (published, corrected), remarks, setup, tolerance)

    def look_up(self, tables: "Mapping[str, pd.DataFrame]") -> ReproducedValue:
        """Look up both values; None for one without exactly one such row, or whose table this run did not make."""
        rows = [find_row(tables[self.table], where) if self.table in tables else {} for where in self.rows]
        published, corrected = (_number(row.get(column)) for row, column in zip(rows, self.columns, strict=True))
        if not (row := rows[0] or rows[1]):
            return ReproducedValue()
        shown = {key: "" if value != value else value for key, value in row.items()}
        remark = join_remarks(*(text.format_map(shown) for text in self.remarks))
        return ReproducedValue(published, corrected, self.tolerance, remark, self.setup.format_map(shown), row)


def find_row(frame: "pd.DataFrame", where: Row) -> Row:
    """Find the one row of a table that has these values; empty if there is none, or more than one.

    Raises `KeyError` for a column that the table does not have.
    """
    for key, value in where.items():
        if not frame.empty:
            frame = frame[frame[key].astype(str) == str(value)]
    return frame.iloc[0].to_dict() if len(frame) == 1 else {}


def _number(value: Any) -> float | None:
    # A missing number is not equal to itself.
    return None if value is None or value != value else float(value)


def join_remarks(*remarks: str) -> str:
    """Join the texts that are not empty, with semicolons."""
    return "; ".join(filter(None, remarks))


def compare_to_published(study: str, number: PublishedNumber, ours: ReproducedValue, reason: str) -> LedgerRow:
    """Compare a published number with ours, and choose the verdict.

    `exact`: equal after rounding ours to the paper's digits. `within tolerance`: a distance of at most `ours.tolerance`
    of the published value, or one unit of its last digit. `other setup`: ours was made with the setup in `ours.setup`,
    and is never called exact or different. `not run`: our number or the paper's is missing. `reason` must then begin
    with a `Reason`, else a `ValueError` is raised.
    """
    decimals = number.decimals
    shown = _show(ours.published, decimals + EXTRA_DIGITS), _show(ours.corrected, decimals + EXTRA_DIGITS)
    key = (study, number.table, number.row, number.column, number.value, *shown)
    if not number.value:
        return LedgerRow(*key, "", NOT_RUN, Need(Reason.UNREADABLE, number.note), "")
    if ours.published is None or math.isnan(ours.published):
        return LedgerRow(*key, "", NOT_RUN, Need.parse(reason), "")
    if math.isinf(ours.published):
        return LedgerRow(*key, "", DIFFERS, reason, "")
    published = float(number.value)
    difference = abs(ours.published - published)
    if ours.tolerance == ORDER:
        factor = max(ours.published / published, published / ours.published) if ours.published > 0 else math.inf
        criterion = f"an order is met within a factor of the square root of ten; the factor is {factor:.2f}"
        is_met = WITHIN if factor <= math.sqrt(10) else DIFFERS
        verdict = OTHER_SETUP if ours.setup else is_met
        shown_difference = _show(difference, decimals + EXTRA_DIGITS)
        return LedgerRow(*key, shown_difference, verdict, join_remarks(criterion, reason), ours.setup)
    bound, width = parse_tolerance(ours.tolerance)
    tolerance = max(allowed_distance(width, published), 10.0**-decimals)
    if ours.setup:
        found = OTHER_SETUP
    elif f"{ours.published:.{decimals}f}" == f"{published:.{decimals}f}":
        found = EXACT
    elif difference <= tolerance * (1 + 1e-9):
        found = WITHIN
        reason = f"tolerance {tolerance:.{decimals + EXTRA_DIGITS}f}; {reason}".rstrip("; ")
    else:
        found = DIFFERS
    if bound and not ours.setup:
        found = WITHIN if _BOUNDS[bound](ours.published, published) else DIFFERS
    return LedgerRow(*key, _show(difference, decimals + EXTRA_DIGITS), found, reason, ours.setup)


# The paper gives an order of magnitude, such as 100:1. It is met if no other power of ten is nearer.
ORDER = "order"
# The published number is a bound that ours must keep.
_BOUNDS: dict[str, Callable[[float, float], bool]] = {"at least": operator.ge, "at most": operator.le}


def parse_tolerance(tolerance: str | float) -> tuple[str, str]:
    """Split a tolerance such as `at least 5%` into the bound and the width; a number without a bound has an empty one.

    The width is that of `allowed_distance`. Beside a bound, it only decides whether the reason states it.
    """
    for bound in _BOUNDS:
        if str(tolerance).startswith(bound):
            return bound, str(tolerance).removeprefix(bound).strip()
    if isinstance(tolerance, float):
        return "", f"{100 * tolerance}%"
    return "", str(tolerance or "")


def allowed_distance(tolerance: str, published: float) -> float:
    """Compute how far ours may be from a published number: `5%` of it, or `1.5` in its unit. Empty allows no distance.

    One unit of the last printed digit is allowed in any case.
    """
    if tolerance.endswith("%"):
        return float(tolerance.removesuffix("%")) / 100 * abs(published)
    return float(tolerance or 0)


def _show(value: float | None, decimals: int) -> str:
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "none"
    # Counts stay integers.
    return str(int(value)) if float(value).is_integer() and abs(value) >= 1 else f"{value:.{decimals}f}"


@cache
def read_cells(table: Path) -> list[dict[str, str]]:
    """Read the rows of a CSV file; each file is read once."""
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_ledger(rows: list[LedgerRow], path: Path) -> None:
    """Write ledger rows as CSV."""
    write_rows(path, [column.name for column in fields(LedgerRow)], map(astuple, rows))


def list_gaps(gaps: Path, reasons: list[list[str]]) -> None:
    """Write the omitted work as CSV: corpus, lang, engine (empty if there is no choice), reason."""
    write_rows(gaps, GAP_COLUMNS, reasons)


def read_ledger(path: Path) -> list[LedgerRow]:
    """Read what `write_ledger` wrote."""
    return read_csv(path, LedgerRow)


def count_verdicts(rows: Iterable[LedgerRow]) -> dict[str, int]:
    """Count the rows of each verdict, those not run by kind, and all `numbers`."""
    rows = list(rows)
    verdicts = Counter(row.verdict for row in rows)
    kinds = Counter(Need.parse(row.reason).reason for row in rows if row.verdict == NOT_RUN)
    return (
        {column_name(verdict): verdicts[verdict] for verdict in VERDICTS}
        | {f"not_run_{column_name(kind)}": kinds[kind] for kind in Reason}
        | {"numbers": len(rows)}
    )


def column_name(words: str) -> str:
    """Convert a verdict or kind to a column name."""
    return words.replace(",", "").replace(" ", "_")


NO_REASON = "no reason given"
SCORECARD_COLUMNS = ["study", "table", "verdict", "reason", "numbers", "example"]
# Details that would put every number in a group of its own: `tolerance 0.0078; …`, a file name, a model name.
_DETAILS = [
    (re.compile(r"^tolerance [\d.]+(; |$)"), ""),
    (re.compile(r"^(unreadable): .*"), r"\1"),
    (re.compile(r"(?:https?://\S+|\S*/\S+/\S+) is not in the mirror\b.*"), "a file is not in the mirror"),
    (re.compile(r"Stanza \S+ \S+ \((official|stand-in) model, stanza [\d.]+\)"), r"Stanza, \1 model"),
    (re.compile(r"only \d+ of the \d+ languages"), "only some of the languages"),
    (re.compile(r"\(([^();]*); [^()]*\)"), r"(\1)"),
    (re.compile(r"\bprints [\d,.]+(?=;|$)"), "prints another number"),
]


def sum_up_ledgers(parts: list[Path], ledger: Path, counts: Path, summary: Path, scorecard: Path) -> None:
    """Write the ledgers of all studies as one, the number of rows per verdict, and the reasons.

    `counts`: the columns of `count_verdicts` for each study and table. `summary`: the same for each study, and the
    median distance from the published number for those in another setup, in percent of it. `scorecard`: the count of
    numbers for each table, verdict and reason.
    """
    rows = [row for part in parts for row in read_ledger(part)]
    write_ledger(rows, ledger)
    by_study: dict[str, list[LedgerRow]] = defaultdict(list)
    by_table: dict[tuple[str, str], list[LedgerRow]] = defaultdict(list)
    for row in rows:
        by_study[row.study].append(row)
        by_table[row.study, row.table].append(row)
    columns = list(count_verdicts([]))
    write_rows(
        counts,
        ["study", "table", *columns],
        ([*key, *count_verdicts(found).values()] for key, found in sorted(by_table.items())),
    )
    write_rows(
        summary,
        ["study", *columns, "median_distance_percent"],
        ([study, *count_verdicts(found).values(), _median_distance(found)] for study, found in by_study.items()),
    )
    write_rows(scorecard, SCORECARD_COLUMNS, score(rows))


def score(rows: Iterable[LedgerRow]) -> list[list[object]]:
    """Count the numbers of each study, table, verdict and reason, in the order of studies, tables and verdicts.

    A reason is the cause in short, or the setup. The example is the full reason that most of these numbers have. Exact
    numbers need no reason.
    """
    groups: dict[tuple[str, str], dict[tuple[str, str], Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for row in rows:
        cause = row.setup if row.verdict == OTHER_SETUP else row.reason
        reason, cause = ("", "") if row.verdict == EXACT else (shorten_reason(cause), cause)
        groups[row.study, row.table][row.verdict, reason][cause] += 1
    studies = list(dict.fromkeys(study for study, _ in groups))
    return [
        [*place, *found, causes.total(), causes.most_common(1)[0][0]]
        for place, reasons in sorted(
            groups.items(), key=lambda group: (studies.index(group[0][0]), _order(group[0][1]))
        )
        for found, causes in sorted(
            reasons.items(), key=lambda one: (VERDICTS.index(one[0][0]), -one[1].total(), one[0])
        )
    ]


def _order(table: str) -> tuple[bool, int, str]:
    """Sort tables by number; sections, appendices and roman numbers follow by name."""
    return (False, int(table), "") if table.isdigit() else (True, 0, table)


def _median_distance(rows: list[LedgerRow]) -> str:
    """Compute the median of |ours - published| in percent of the published number, over rows of another setup."""
    distances = [
        100 * float(row.abs_diff) / abs(float(row.published))
        for row in rows
        if row.verdict == OTHER_SETUP and float(row.published)
    ]
    return f"{median(distances):.1f}" if distances else ""


def shorten_reason(reason: str) -> str:
    """Extract the cause at the beginning of a reason, without details that concern only one number."""
    for pattern, replacement in _DETAILS:
        reason = pattern.sub(replacement, reason)
    return reason.partition("; ")[0] or NO_REASON


# Requirements for running the remaining numbers in the paper's setup, by kind.
WHAT_IT_TAKES = {
    Reason.NOT_DOWNLOADED: "get what the reason names: with network access, from its authors, or as a package",
    Reason.GATED: "accept the licence of what the reason names, and put it where the sources table states",
    Reason.WITHDRAWN: "its provider no longer serves it to everybody; if the weights are open, run your own server",
    Reason.UNPUBLISHED: "nothing: only the authors have what it needs",
    Reason.NOT_CONFIGURED: "name it in the configuration; the papers' own models need an API key or a GPU",
    Reason.NOT_COMPUTED: "nothing: the workflow has no step that computes it",
    Reason.UNREADABLE: "nothing: the printed cell cannot be read",
    OTHER_SETUP: "replace the substitute by what the paper used",
}
_IN_A_LINE = {DIFFERS: "different", OTHER_SETUP: "in another setup"}


def count_by_table(rows: Iterable[dict[str, str]]) -> dict[str, dict[str, Counter[str]]]:
    """Count the numbers of each verdict by study and table."""
    counts: dict[str, dict[str, Counter[str]]] = {}
    for row in rows:
        tables = counts.setdefault(row["study"], {})
        tables.setdefault(row["table"], Counter())[row["verdict"]] += int(row["numbers"])
    return counts


def list_reasons(rows: Iterable[dict[str, str]]) -> dict[str, list[dict[str, str]]]:
    """List by study why numbers are not exact: verdict, reason, tables, numbers, example, and requirements.

    Verdicts keep their order; within a verdict, the most frequent reason comes first.
    """
    found: dict[str, dict[tuple[str, str], list[dict[str, str]]]] = {}
    for row in rows:
        reasons = found.setdefault(row["study"], {})
        if row["verdict"] != EXACT:
            reasons.setdefault((row["verdict"], row["reason"]), []).append(row)
    return {study: sorted(map(_join_tables, reasons.values()), key=_rank) for study, reasons in found.items()}


def _join_tables(alike: list[dict[str, str]]) -> dict[str, str]:
    most = max(alike, key=lambda row: int(row["numbers"]))
    return most | {
        "tables": ", ".join(row["table"] for row in alike),
        "numbers": str(sum(int(row["numbers"]) for row in alike)),
        "takes": WHAT_IT_TAKES.get(
            Need.parse(most["reason"]).reason if most["verdict"] == NOT_RUN else most["verdict"], ""
        ),
    }


def _rank(row: dict[str, str]) -> tuple[int, int, str]:
    return VERDICTS.index(row["verdict"]), -int(row["numbers"]), row["reason"]


def describe_ledgers(ledgers: Iterable[Path]) -> str:
    """Sum up the available ledgers in one line; without any, the line is empty."""
    verdicts = Counter(row.verdict for path in ledgers if path.is_file() for row in read_ledger(path))
    if not verdicts:
        return ""
    counts = ", ".join(f"{verdicts[verdict]:,} {_IN_A_LINE.get(verdict, verdict)}" for verdict in VERDICTS)
    return f"{verdicts.total():,} published numbers: {counts}"
