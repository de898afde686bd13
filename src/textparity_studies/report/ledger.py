"""The reproduction ledger: one row per published number, with our value and a verdict.

A number from another setup (a substitute model, other data) does not reproduce the published one, so it neither agrees
nor differs. Its verdict is `other setup`, and the distance is given.
"""

import csv
import math
import operator
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from textparity.errors import TableError
from textparity.files import write_rows

EXACT, WITHIN, DIFFERS, OTHER_SETUP, NOT_RUN = "exact", "within tolerance", "differs", "other setup", "not run"
# The paper prints another number than its authors' own report.
CONTRADICTED = "contradicted by the authors' data"
VERDICTS = (EXACT, WITHIN, DIFFERS, CONTRADICTED, OTHER_SETUP, NOT_RUN)


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


class EvidenceKind(StrEnum):
    """What our value of a published number rests on."""

    # By the paper's procedure, from texts.
    MEASURED = "measured"
    # From files that the authors published: lists, annotations, sentences.
    COUNTED = "counted"
    # From outputs of systems that the authors published.
    RESCORED = "rescored"
    # Read from a report that the authors published.
    REPORT = "authors' report"
    # Computed from other printed numbers of the paper.
    ARITHMETIC = "arithmetic"


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
    """Hold one published number with our values; all cells are text, and empty if there is no number.

    `evidence` is an `EvidenceKind`.
    """

    study: str
    table: str
    row: str
    column: str
    published: str
    ours_published: str
    ours_corrected: str
    abs_diff: str
    evidence: str
    verdict: str
    reason: str
    setup: str


@dataclass(frozen=True)
class PublishedNumber:
    """Hold one cell of a paper's table, as printed; `value` is empty if the cell cannot be read (see `note`).

    `cell` names ours: a cell, several joined by ` or ` of which the first with a number counts, a function of
    `resources/ledger_functions.tsv`, or, last, a `Formula` over printed numbers. It is empty if we have none. For
    `tolerance`, see `Tolerance`; several cells may have one each, joined by ` or `.
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
    setup differs from the paper's. `evidence` is what the value rests on.
    """

    published: float | None = None
    corrected: float | None = None
    tolerance: str = ""
    remark: str = ""
    setup: str = ""
    evidence: EvidenceKind = EvidenceKind.MEASURED


def join_remarks(*remarks: str) -> str:
    """Join the texts that are not empty, with semicolons."""
    return "; ".join(filter(None, remarks))


# The paper gives an order of magnitude, such as 100:1.
ORDER = "order"
_LARGEST_FACTOR = 10
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
    called exact or different. `contradicted by the authors' data`: what differs is the authors' own report. Arithmetic
    is exact if the rounding of the printed numbers explains the distance. `not run`: our number or the paper's is
    missing. `reason` must then begin with a `Reason`, else a `ValueError` is raised.
    """
    digits = number.decimals + EXTRA_DIGITS
    difference = setup = ""
    evidence = str(ours.evidence)
    if not number.value:
        verdict, reason = NOT_RUN, Need(Reason.UNREADABLE, number.note)
    elif ours.published is None or math.isnan(ours.published):
        verdict, reason = NOT_RUN, Need.parse(reason)
    elif math.isinf(ours.published):
        verdict = DIFFERS
    else:
        difference = _show(abs(ours.published - float(number.value)), digits)
        verdict, reason = _choose_verdict(number, ours, Tolerance.parse(ours.tolerance), reason)
        setup = ours.setup
    if verdict == NOT_RUN:
        evidence = ""
    elif verdict == DIFFERS and ours.evidence == EvidenceKind.REPORT:
        verdict = CONTRADICTED
    return LedgerRow(
        study,
        number.table,
        number.row,
        number.column,
        number.value,
        _show(ours.published, digits),
        _show(ours.corrected, digits),
        difference,
        evidence,
        verdict,
        reason,
        setup,
    )


def _choose_verdict(
    number: PublishedNumber, reproduced: ReproducedValue, tolerance: Tolerance, reason: str
) -> tuple[str, str]:
    """Choose the verdict for our number, and complete the reason by the tolerance that it met."""
    published, decimals = float(number.value), number.decimals
    ours = float(reproduced.published or 0)
    if tolerance.bound == ORDER:
        factor = max(ours / published, published / ours) if ours > 0 else math.inf
        reason = join_remarks(f"an order allows a factor of {_LARGEST_FACTOR}; the factor is {factor:.2f}", reason)
        verdict = WITHIN if factor <= _LARGEST_FACTOR else DIFFERS
        return OTHER_SETUP if reproduced.setup else verdict, reason
    if reproduced.setup:
        return OTHER_SETUP, reason
    if reproduced.evidence == EvidenceKind.ARITHMETIC:
        rounding = tolerance.width + 0.5 * 10.0**-decimals
        return EXACT if abs(ours - published) <= rounding * (1 + 1e-9) else DIFFERS, reason
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


def write_ledger(rows: list[LedgerRow], path: Path) -> None:
    """Write ledger rows as CSV."""
    write_rows(path, [column.name for column in fields(LedgerRow)], map(astuple, rows))


def list_gaps(gaps: Path, reasons: list[list[str]]) -> None:
    """Write the omitted work as CSV: corpus, lang, engine (empty if there is no choice), reason."""
    write_rows(gaps, GAP_COLUMNS, reasons)


def read_ledger(path: Path) -> list[LedgerRow]:
    """Read what `write_ledger` wrote."""
    return read_csv(path, LedgerRow)
