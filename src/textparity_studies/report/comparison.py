"""Compare a study's published numbers with ours: `resources/{study}/published.csv` names our cell for each.

`resources/{study}/ledger_notes.csv` has what the ledger adds about numbers, and why some are missing. A number that no
cell has is computed by a function of `resources/ledger_functions.tsv`. Without either, some follow from other printed
numbers, by a formula (`report.arithmetic`).
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import Any

from textparity.errors import TableError
from textparity.files import read_tsv
from textparity_studies.report.arithmetic import PRINTED, Formula
from textparity_studies.report.cells import CellName, Row, RunTables, name_files, parse_pair, to_number
from textparity_studies.report.ledger import (
    GAP_COLUMNS,
    EvidenceKind,
    LedgerRow,
    Need,
    PublishedNumber,
    Reason,
    ReproducedValue,
    Tolerance,
    compare_to_published,
    is_reason,
    join_remarks,
    list_gaps,
    read_csv,
    read_published,
    write_ledger,
)

# Cells and functions of `published.csv` are joined by this; the first with a number counts.
OR = " or "
FUNCTION_COLUMNS = ["name", "function", "reason"]
# A function that computes our value of a number from the tables of a run.
LedgerFunction = Callable[[PublishedNumber, RunTables], ReproducedValue]

REMARK, SETUP, MISSING, EVIDENCE = "remark", "setup", "missing", "evidence"
_KINDS = (REMARK, SETUP, MISSING, EVIDENCE)
_NOT_PART = Need(Reason.NOT_CONFIGURED, "it is not part of this run")


def _print_differently(first: Any, second: Any, decimals: int) -> bool:
    return f"{float(first):.{decimals}f}" != f"{float(second):.{decimals}f}"


@dataclass(frozen=True)
class LedgerNote:
    """Hold a row of `resources/{study}/ledger_notes.csv`: a text about the numbers that it selects.

    `table`, `row` and `column` are patterns of the numbers, with `*`; `|` separates alternatives. The kind is
    `remark`, `setup` (why our setup is not the paper's) or `evidence` (an `EvidenceKind`; the first counts) for a
    number that we have, and `missing` (a reason) for one that we lack. `when` has conditions, joined by `;`, on
    what the text may name in braces: the number, the keys of its cell, and the cells of our row; `missing` is then
    `table`, `row` or `value`. They compare with `=`, `!=`, `<`, `>`, or `!~` (two numbers differ in the paper's
    digits). `cell` is the name of another cell, `{cell}` in the text. The note applies if all conditions hold and
    that cell is not empty.
    """

    table: str
    row: str
    column: str
    kind: str
    when: str
    cell: str
    text: str

    def selects(self, number: PublishedNumber) -> bool:
        """Check whether the note is about a number."""
        named = ((self.table, number.table), (self.row, number.row), (self.column, number.column))
        return all(_fits(patterns, name) for patterns, name in named)

    def render(self, names: Mapping[str, Any], tables: RunTables, decimals: int) -> str:
        """Fill in the text; it is empty if the note does not apply. `decimals` are those of the printed number."""
        if self.cell:
            try:
                text = tables.find_text(CellName.parse(self.cell.format_map(names)))
            except KeyError:
                # Our row lacks what the cell is named by.
                return ""
            if not text:
                return ""
            names = {**names, "cell": _typed(text)}
        conditions = filter(None, self.when.split(";"))
        if not all(_holds(condition, names, decimals) for condition in conditions):
            return ""
        try:
            return self.text.format_map(names)
        except KeyError as error:
            raise TableError(f"the note {self.text!r} names {error}, which our row does not have") from None


def _fits(patterns: str, name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns.split("|"))


_CONDITION = re.compile(r"(?P<name>\w+)(?P<sign>!=|!~|=|<|>)(?P<value>.*)")
_NUMERIC = {"<": operator.lt, ">": operator.gt}


def _holds(condition: str, names: Mapping[str, Any], decimals: int) -> bool:
    """Check a condition; one about a name that we do not have does not hold."""
    parsed = _CONDITION.fullmatch(condition)
    if parsed is None:
        raise TableError(f"{condition!r} is not a condition, such as tagger!=gpt-4o")
    name, sign, value = parsed.groups()
    ours = names.get(name)
    if ours is None:
        return False
    if sign in _NUMERIC:
        return bool(_NUMERIC[sign](float(ours), float(value)))
    if sign == "!~":
        return _print_differently(ours, names[value], decimals)
    return (str(ours) == value) == (sign == "=")


def _typed(cell: Any) -> Any:
    """Convert a cell for use in a text: numbers may be formatted there, and a reason has `reason` and `detail`."""
    if not isinstance(cell, str):
        return "" if cell is None or cell != cell else cell
    for convert in (int, float, Need.parse):
        try:
            return convert(cell)
        except ValueError:
            continue
    return cell


def read_notes(path: Path) -> list[LedgerNote]:
    """Read the notes of a study; raises `TableError` for an unknown kind, of notes or of evidence."""
    notes = read_csv(path, LedgerNote)
    for note in notes:
        if note.kind not in _KINDS:
            raise TableError(f"{path}: {note.kind!r} is not one of {', '.join(_KINDS)}")
        if note.kind == EVIDENCE and note.text not in set(EvidenceKind):
            raise TableError(f"{path}: {note.text!r} is not one of {', '.join(EvidenceKind)}")
    return notes


def check_published(published: Path, functions: Path, known_tables: Sequence[str]) -> None:
    """Check what the published numbers of a study name, before anything is computed.

    `known_tables` are the final tables that the workflow can make, as `study/name`. Raises `TableError`, with the file
    and the number, for a cell that cannot be read or whose final table does not exist, for an unknown function, and for
    a tolerance that cannot be read.
    """
    names = {row["name"] for row in read_tsv(functions, FUNCTION_COLUMNS)}
    numbers = read_published(published)
    for number in numbers:
        cells, formulas = _split_cells(number)
        tolerances = number.tolerance.split(OR)
        try:
            if len(tolerances) not in (1, len(cells)):
                raise TableError(f"{number.tolerance!r}: give one tolerance, or one for each of {len(cells)} cells")
            for tolerance in tolerances:
                Tolerance.parse(tolerance)
            for cell in cells:
                if cell not in names:
                    _check_cell(cell, known_tables)
            for formula in formulas:
                formula.find_operands(number, numbers)
        except TableError as error:
            place = f"table {number.table}, row {number.row}, column {number.column}"
            raise TableError(f"{published}: {place}: {error}") from None


def _split_cells(number: PublishedNumber) -> tuple[list[str], list[Formula]]:
    """Separate the cells and functions that may have our value from the formulas."""
    cells: list[str] = []
    formulas: list[Formula] = []
    for cell in filter(None, number.cell.split(OR)):
        formula = Formula.parse(cell)
        if formula:
            formulas.append(formula)
        else:
            cells.append(cell)
    return cells, formulas


def _check_cell(cell: str, known_tables: Sequence[str]) -> None:
    for name in parse_pair(cell):
        study, *folders, file = name.table.split("/")
        table = f"{study}/{file.removesuffix('.csv')}"
        if "tables" in folders and table not in known_tables:
            raise TableError(
                f"{cell!r}: {table} is not a table that the workflow makes (resources has no caption for it)"
            )


def load_functions(path: Path) -> dict[str, LedgerFunction]:
    """Load the functions for the numbers that no cell has, by name."""
    functions = {}
    for row in read_tsv(path, FUNCTION_COLUMNS):
        module, _, function = row["function"].partition(":")
        functions[row["name"]] = getattr(import_module(module), function)
    return functions


@dataclass(frozen=True)
class _OurCell:
    """Hold our value from one cell or function, and the `names` of our row and its keys, for notes."""

    ours: ReproducedValue
    names: Mapping[str, Any]
    has_row: bool = False

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        """Rank a published value above a corrected one alone, and that above a row without values."""
        is_published = self.ours.published is not None
        return is_published, not is_published and self.ours.corrected is not None, self.has_row


class LedgerComparator:
    """Compare the published numbers of a study with the tables of a run."""

    def __init__(
        self,
        study: str,
        notes: Sequence[LedgerNote],
        tables: RunTables,
        functions: Mapping[str, LedgerFunction] | None = None,
    ) -> None:
        self._study = study
        self._notes = notes
        self._tables = tables
        self._functions = functions or {}

    def compare(self, number: PublishedNumber) -> LedgerRow:
        """Find our value for a number, and compare both."""
        ours = self.reproduce(number)
        return compare_to_published(self._study, number, ours, join_remarks(ours.remark, number.note))

    def reproduce(self, number: PublishedNumber) -> ReproducedValue:
        """Find our value for a number; its remark is the reason if there is none."""
        names = {name: _typed(text) for name, text in vars(number).items()}
        cells, formulas = _split_cells(number)
        candidates = self._find_candidates(number, cells) or [_OurCell(ReproducedValue(), {})]
        best = max(candidates, key=lambda candidate: candidate.rank)
        names |= best.names
        if best.ours.published is not None:
            return self._annotate(number, best.ours, names)
        reason = best.ours.remark or self._explain(number, names)
        for formula in formulas:
            computed = formula.compute(number, self._tables)
            if computed.published is not None:
                return replace(computed, remark=join_remarks(computed.remark, f"not measured: {reason}"))
        return replace(best.ours, remark=reason)

    def _find_candidates(self, number: PublishedNumber, cells: Sequence[str]) -> list[_OurCell]:
        tolerances = number.tolerance.split(OR)
        if len(tolerances) == 1:
            tolerances *= len(cells)
        candidates = []
        for cell, tolerance in zip(cells, tolerances, strict=True):
            if cell in self._functions:
                computed = self._functions[cell](number, self._tables)
                candidates.append(_OurCell(replace(computed, tolerance=tolerance), {}))
            else:
                candidates.append(self._look_up(*parse_pair(cell), tolerance))
        return candidates

    def _look_up(self, published: CellName, corrected: CellName, tolerance: str) -> _OurCell:
        published_row, corrected_row = self._tables.find_row(published), self._tables.find_row(corrected)
        row = published_row or corrected_row
        names = {"our_table": published.table, "our_column": published.column} | dict(published.keys)
        names |= {name: _typed(cell) for name, cell in row.items()}
        if row:
            names["missing"] = "value"
        else:
            names["missing"] = "row" if published.table in self._tables else "table"
        ours = ReproducedValue(
            to_number(published_row.get(published.column)), to_number(corrected_row.get(corrected.column)), tolerance
        )
        return _OurCell(ours, names, bool(row))

    def _annotate(self, number: PublishedNumber, ours: ReproducedValue, names: dict[str, Any]) -> ReproducedValue:
        names = {**names, "ours": ours.published}
        remarks = join_remarks(ours.remark, *self._render(REMARK, number, names))
        setup = join_remarks(ours.setup, *self._render(SETUP, number, names))
        evidence = next(self._render(EVIDENCE, number, names), ours.evidence)
        return replace(ours, remark=remarks, setup=setup, evidence=EvidenceKind(evidence))

    def _explain(self, number: PublishedNumber, names: dict[str, Any]) -> str:
        """Return the first reason that applies to a missing number; a remark in our row is none."""
        for text in self._render(MISSING, number, names):
            if is_reason(text):
                return text
        return _NOT_PART

    def _render(self, kind: str, number: PublishedNumber, names: Mapping[str, Any]) -> Iterator[str]:
        """Yield the texts of the notes that apply, in their order."""
        for note in self._notes:
            if note.kind != kind or not note.selects(number):
                continue
            if text := note.render(names, self._tables, number.decimals):
                yield text


def build_ledger(
    study: str,
    published: Path,
    notes: Path | None,
    functions: Path,
    tables: list[Path],
    ledger: Path,
    gaps: Path,
    not_run: list[list[str]],
    withdrawn: Mapping[str, str] | None = None,
    computed: Mapping[str, list[Row]] | None = None,
) -> None:
    """Write one row per published number, and write the values `not_run` to `gaps`.

    `tables` are those of this run, and `computed` further ones by name. Notes find the values `not_run` in the table
    `gaps`, followed by the language models that their providers have withdrawn (`engine`, `reason`).
    """
    list_gaps(gaps, not_run)
    gap_rows: list[Row] = [dict(zip(GAP_COLUMNS, gap, strict=True)) for gap in not_run]
    for model, reason in (withdrawn or {}).items():
        gap_rows.append(dict(zip(GAP_COLUMNS, ("", "", model, reason), strict=True)))
    numbers = read_published(published)
    known: dict[str, list[Row]] = {"gaps": gap_rows, PRINTED: list(map(vars, numbers)), **(computed or {})}
    results = RunTables(name_files(tables, ledger.parent.parent), known)
    comparison = LedgerComparator(study, read_notes(notes) if notes else [], results, load_functions(functions))
    write_ledger(list(map(comparison.compare, numbers)), ledger)
