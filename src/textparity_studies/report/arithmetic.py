"""Compute a printed number from others of the same paper: `sum(MM, FF)`, `f1(precision, recall)`.

This shows whether a paper's tables agree with each other. It reproduces nothing.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product
from statistics import fmean

from textparity.errors import TableError
from textparity_studies.report.cells import RunTables
from textparity_studies.report.ledger import EvidenceKind, PublishedNumber, ReproducedValue

# The name of the table of all printed numbers of a paper, with the columns of `PublishedNumber`.
PRINTED = "printed"
# An operand is the sum of its cells; a mean is of all cells.
Operands = Sequence[Sequence[float]]


def _ratio(operands: Operands) -> float:
    numerator, denominator = map(sum, operands)
    return numerator / denominator


def _f1(operands: Operands) -> float:
    precision, recall = map(sum, operands)
    if precision + recall == 0:
        # Nothing was found, and nothing of it was right.
        return 0.0
    return 2 * precision * recall / (precision + recall)


_OPERATIONS: dict[str, Callable[[Operands], float]] = {
    "sum": lambda operands: sum(map(sum, operands)),
    "mean": lambda operands: fmean(value for operand in operands for value in operand),
    "ratio": _ratio,
    "percent": lambda operands: 100 * _ratio(operands),
    "f1": _f1,
}
_FORMULA = re.compile(rf"({'|'.join(_OPERATIONS)})\((.+)\)")


@dataclass(frozen=True)
class PrintedCells:
    """Hold patterns, with `*`, of the printed numbers that are an operand; empty ones are those of the result."""

    table: str
    row: str
    column: str

    @classmethod
    def parse(cls, text: str) -> "PrintedCells":
        """Read `column`, `table/column` or `table/row/column`."""
        parts = text.split("/")
        if len(parts) > 3:
            raise TableError(f"{text!r} is not column, table/column or table/row/column")
        table = parts[0] if len(parts) > 1 else ""
        row = parts[1] if len(parts) > 2 else ""
        return cls(table, row, parts[-1])

    def find(self, result: PublishedNumber, printed: Sequence[PublishedNumber]) -> list[PublishedNumber]:
        """Find the printed numbers from which a result follows."""
        found = []
        for number in printed:
            is_in_table = _fits(self.table, number.table, result.table)
            is_in_row = _fits(self.row, number.row, result.row)
            if is_in_table and is_in_row and fnmatchcase(number.column, self.column):
                found.append(number)
        return found


def _fits(pattern: str, name: str, name_of_result: str) -> bool:
    return fnmatchcase(name, pattern) if pattern else name == name_of_result


@dataclass(frozen=True)
class Formula:
    """Hold how a printed number follows from others of its paper."""

    operation: str
    operands: tuple[PrintedCells, ...]

    @classmethod
    def parse(cls, text: str) -> "Formula | None":
        """Read `sum(MM, FF)`; None if the text is not a formula."""
        parsed = _FORMULA.fullmatch(text)
        if parsed is None:
            return None
        operands = parsed[2].split(", ")
        return cls(parsed[1], tuple(map(PrintedCells.parse, operands)))

    def find_operands(self, result: PublishedNumber, printed: Sequence[PublishedNumber]) -> list[list[PublishedNumber]]:
        """Find the printed numbers of each operand; raises `TableError` if there is none."""
        found = [operand.find(result, printed) for operand in self.operands]
        if not all(found):
            raise TableError(f"{self.operation}: an operand is no printed number")
        return found

    def compute(self, result: PublishedNumber, tables: RunTables) -> ReproducedValue:
        """Compute a number; there is no value if an operand cannot be read or the formula has none."""
        printed = [PublishedNumber(**row) for row in tables.rows(PRINTED)]
        operands = self.find_operands(result, printed)
        if not all(number.value for operand in operands for number in operand):
            return ReproducedValue(evidence=EvidenceKind.ARITHMETIC)
        apply = _OPERATIONS[self.operation]
        try:
            value = apply(_shift(operands, [0] * len(operands)))
            # The operations are monotonic in each operand, so the furthest values are at the ends of its rounding.
            ends = [apply(_shift(operands, signs)) for signs in product((-1, 1), repeat=len(operands))]
        except ZeroDivisionError:
            return ReproducedValue(evidence=EvidenceKind.ARITHMETIC)
        rounding = max(abs(end - value) for end in ends)
        allowance = ", which are rounded" if rounding else ""
        remark = f"{self.operation} of the printed numbers {_describe(operands)}{allowance}"
        return ReproducedValue(value, None, f"{rounding:.10f}", remark, evidence=EvidenceKind.ARITHMETIC)


def _shift(operands: Sequence[Sequence[PublishedNumber]], signs: Sequence[int]) -> list[list[float]]:
    """Move the values of each operand to an end of their rounding. Numbers without decimals are counts."""
    shifted = []
    for operand, sign in zip(operands, signs, strict=True):
        values = []
        for number in operand:
            half_unit = 0.5 * 10.0**-number.decimals if number.decimals else 0.0
            value = float(number.value)
            end = value + sign * half_unit
            # A share or a count that is printed as 0 is not negative.
            values.append(end if value < 0 else max(end, 0.0))
        shifted.append(values)
    return shifted


def _describe(operands: Sequence[Sequence[PublishedNumber]]) -> str:
    """Name the values of the operands."""
    return " and ".join(" + ".join(number.value for number in operand) for operand in operands)
