"""The reproduction ledger: one row per published number, with our value and a verdict.

A number from another setup (a substitute model, other data) does not reproduce the published one, so it neither agrees
nor differs. Its verdict is `other setup`, and the distance is given.
"""

import csv
import math
import operator
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from statistics import median
from typing import TypeVar

from textparity.errors import TableError
from textparity.files import write_rows

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
    `resources/ledger_functions.tsv`. It is empty if we have none. For `tolerance`, see `Tolerance`; several cells may
    have one each, joined by ` or `.
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
    """Hold our values by both procedures, None for a missing one.

    A value is infinite if our tables show that there is no such number, for example no year that meets a condition.
    `tolerance` is text that `Tolerance.parse` reads, such as `5%` or `1.5`; if it is empty, one unit of the last
    printed digit is allowed. `remark` explains the value, or is the reason why it is missing. `setup` describes how our
    setup differs from the paper's.
    """

    published: float | None = None
    corrected: float | None = None
    tolerance: str = ""
    remark: str = ""
    setup: str = ""


def join_remarks(*remarks: str) -> str:
    """Join the texts that are not empty, with semicolons."""
    return "; ".join(filter(None, remarks))


# The paper gives an order of magnitude, such as 100:1. It is met if no other power of ten is nearer.
ORDER = "order"
_LARGEST_FACTOR = math.sqrt(10)
# The published number is a bound that ours must keep.
_BOUNDS: dict[str, Callable[[float, float], bool]] = {"at least": operator.ge, "at most": operator.le}


@dataclass(frozen=True)
class Tolerance:
    """Hold how far ours may be from a published number: by `width`, in percent of it or in its unit.

    With a `bound`, ours must instead be `at least` or `at most` the published number; the width then only decides
    whether the reason states it. With the bound `order`, ours must have the published order of magnitude.
    """

    width: float = 0
    is_percent: bool = False
    bound: str = ""

    @classmethod
    def parse(cls, text: str) -> "Tolerance":
        """Read `5%`, `1.5`, `at least 5%`, `at most 5%`, `order`, or nothing; raise `TableError` for another text."""
        if text == ORDER:
            return cls(bound=ORDER)
        bound = next((bound for bound in _BOUNDS if text.startswith(bound)), "")
        width = text.removeprefix(bound).strip()
        try:
            number = float(width.removesuffix("%") or 0)
        except ValueError:
            raise TableError(f"{text!r} is not a tolerance, such as 5%, 1.5 or at least 5%") from None
        return cls(number, width.endswith("%"), bound)

    def distance(self, published: float, decimals: int) -> float:
        """Compute the largest distance from a published number; one unit of its last digit is allowed in any case."""
        width = self.width / 100 * abs(published) if self.is_percent else self.width
        return max(width, 10.0**-decimals)


def compare_to_published(study: str, number: PublishedNumber, ours: ReproducedValue, reason: str) -> LedgerRow:
    """Compare a published number with ours, and choose the verdict.

    `exact`: equal after rounding ours to the paper's digits. `within tolerance`: at a distance that `ours.tolerance`
    allows, or one unit of its last digit. `other setup`: ours was made with the setup in `ours.setup`, and is never
    called exact or different. `not run`: our number or the paper's is missing. `reason` must then begin with a
    `Reason`, else a `ValueError` is raised.
    """
    digits = number.decimals + EXTRA_DIGITS
    difference = setup = ""
    if not number.value:
        verdict, reason = NOT_RUN, Need(Reason.UNREADABLE, number.note)
    elif ours.published is None or math.isnan(ours.published):
        verdict, reason = NOT_RUN, Need.parse(reason)
    elif math.isinf(ours.published):
        verdict = DIFFERS
    else:
        difference = _show(abs(ours.published - float(number.value)), digits)
        verdict, reason = _choose_verdict(number, ours.published, Tolerance.parse(ours.tolerance), reason, ours.setup)
        setup = ours.setup
    return LedgerRow(
        study,
        number.table,
        number.row,
        number.column,
        number.value,
        _show(ours.published, digits),
        _show(ours.corrected, digits),
        difference,
        verdict,
        reason,
        setup,
    )


def _choose_verdict(
    number: PublishedNumber, ours: float, tolerance: Tolerance, reason: str, setup: str
) -> tuple[str, str]:
    """Choose the verdict for our number, and complete the reason by the tolerance that it met."""
    published, decimals = float(number.value), number.decimals
    if tolerance.bound == ORDER:
        factor = max(ours / published, published / ours) if ours > 0 else math.inf
        criterion = f"an order is met within a factor of the square root of ten; the factor is {factor:.2f}"
        reason = join_remarks(criterion, reason)
        verdict = WITHIN if factor <= _LARGEST_FACTOR else DIFFERS
        return OTHER_SETUP if setup else verdict, reason
    if setup:
        return OTHER_SETUP, reason
    distance = tolerance.distance(published, decimals)
    if f"{ours:.{decimals}f}" == f"{published:.{decimals}f}":
        verdict = EXACT
    elif abs(ours - published) <= distance * (1 + 1e-9):
        verdict = WITHIN
        reason = f"tolerance {distance:.{decimals + EXTRA_DIGITS}f}; {reason}".rstrip("; ")
    else:
        verdict = DIFFERS
    if tolerance.bound:
        verdict = WITHIN if _BOUNDS[tolerance.bound](ours, published) else DIFFERS
    return verdict, reason


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
