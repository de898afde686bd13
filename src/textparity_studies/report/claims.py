"""Read and render claims: the project's statements about a paper or its own measurements, with numbers from a run.

A claim quotes the paper, is marked as shown or inferred, and names its strongest objection and what would overturn it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from string import Formatter
from typing import Any

from jinja2 import Environment, StrictUndefined, TemplateError

from textparity.errors import TableError, TextparityError
from textparity.files import read_tsv, write_rows
from textparity.tables import escape_latex
from textparity_studies.report.catalogue import KEPT
from textparity_studies.report.cells import Keys, RunTables, name_files, name_row, parse_rows
from textparity_studies.report.latex import macro_name
from textparity_studies.report.ledger import MEASUREMENT, NOT_RUN, read_published

KINDS = ("slip in code", "text and code differ", "statistical reading", MEASUREMENT)
CONFIDENCES = ("shown", "inferred")
# A claim either changes a conclusion of the paper or does not. This value is for our own measurements, which concern no
# paper.
NO_PAPER = "no paper"
CHANGES = ("yes", "partly", "no", NO_PAPER)
# More numbers than this belong in a table; an interval counts with its number.
MOST_NUMBERS = 5
# These mark the position of a number while a sentence is rendered; no text contains them.
LEDGER = "ledger.csv"
_OPEN, _CLOSE = "\ue000", "\ue001"


Row = dict[str, Any]


class NotInThisRun(TextparityError):
    """Report a number that this run did not make; the message names it."""


class Results:
    """Hold the tables of one run, by paths below the folder of its ledger, and `kept` ones, as `study/kept/name`."""

    def __init__(self, tables: list[Path], ledger: Path, kept: Sequence[Path] = ()) -> None:
        files = name_files([*tables, ledger], ledger.parent)
        kept_files = {"/".join(table.parts[-3:]): table for table in kept}
        self._tables = RunTables(files | kept_files)
        self.read: list[tuple[str, dict[str, str]]] = []

    def begin(self) -> "Results":
        """Copy this with an empty list `read`, which will record each table read and the keys of the rows."""
        found = copy(self)
        found.read = []
        return found

    def rows(self, name: str, **values: str) -> list[Row]:
        """Return the rows of a name such as `study/tables/name.csv[lang={lang}]`, with `values` for its braces.

        The path may have `*`: the first table with such a row counts. Cells that look like numbers become numbers, and
        empty ones None; `table` is the path. Raises `NotInThisRun`, for a number that was not run with the ledger's
        reason, or `TableError` for a column that a table does not have.
        """
        in_braces = {field for _, field, _, _ in Formatter().parse(name) if field}
        if in_braces != values.keys():
            raise TableError(f"{name!r} has {_listed(in_braces)} in braces, and values for {_listed(values)}")
        pattern, keys = parse_rows(name.format(**values))
        fitting = [path for path in self._tables.names() if fnmatch(path, pattern)]
        if not fitting:
            raise NotInThisRun(f"{pattern} is not part of this run")
        for path in fitting:
            found = self._tables.find_rows(path, keys)
            if not found:
                continue
            if path == LEDGER and found[0]["verdict"] == NOT_RUN:
                raise NotInThisRun(found[0]["reason"])
            self.read.append((path, dict(keys)))
            return [{"table": path} | _values(row) for row in found]
        in_words = ", ".join(f"{key} {value}" for key, value in keys)
        raise NotInThisRun(f"{fitting[0]} has no row with {in_words}" if keys else f"{fitting[0]} has no rows")

    def row(self, name: str, **values: str) -> Row:
        """Return the first of the `rows`."""
        return self.rows(name, **values)[0]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _values(row: Mapping[str, str]) -> Row:
    return {name: _value(cell) for name, cell in row.items()}


def _value(cell: str) -> float | str | None:
    if not cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return cell


@dataclass(frozen=True)
class Claim:
    """Hold a row of `resources/{study}/claims.tsv`.

    `plain` is the claim in one sentence without numbers, and holds in a run that meets `holds_if`, an expression over
    the variables of the templates. `topic` names the measurement without a finding, for any other run. `says` adds
    details, and `effect` completes `plain` or `topic` with the size of the effect. `changes` is one of `CHANGES`:
    whether a conclusion of the paper changes. The `TEMPLATES` are rendered in order; a variable set in `says` is
    available in the later ones. `table` has `|` between cells and `||` between rows, with the head first; it may be
    empty. `quote` has the paper's own words, `where` the section or table (and the file, for code). Both may be empty
    if the claim concerns no paper. `evidence` names the tables with the numbers, relative to the results and with `*`,
    separated by spaces.
    """

    id: str
    plain: str
    topic: str
    holds_if: str
    changes: str
    says: str
    effect: str
    table: str
    quote: str
    where: str
    kind: str
    confidence: str
    evidence: str
    objection: str
    overturned_by: str

    @property
    def study(self) -> str:
        """The study of the claim."""
        return self.id.partition("-")[0]


# The fields that are rendered as templates.
TEMPLATES = ("says", "effect", "table", "objection", "overturned_by")
# Those that argue; a run that does not meet the claim's condition only prints its measurement.
ARGUMENTS = ("says", "objection", "overturned_by")
# In the column `holds`; it is empty for a claim without numbers.
HOLDS, DOES_NOT_HOLD = "yes", "no"
# The name of rows in a template, and a call without one that can be read before the workflow runs.
_NAMED_ROWS = re.compile(r'\brows?\("([^"]+)"')
_UNNAMED_ROWS = re.compile(r'\brows?\((?!")')
COLUMNS = [
    "study",
    *(item.name for item in fields(Claim)),
    "holds",
    "heading",
    "cells",
    "reason",
    "says_latex",
    "table_latex",
    "quote_latex",
]


def read_claims(path: Path, known_tables: Sequence[str]) -> list[Claim]:
    """Read the claims of a study, whose name is that of the file.

    `known_tables` are the tables that the workflow can make, as `study/name`. Raises `TableError` with the file, the
    line and the claim for an empty cell, an unknown kind or table, a paper that is not quoted, a row that a kept table
    does not have, or a published number that the study does not have.
    """
    claims: list[Claim] = []
    for line, cells in enumerate(read_tsv(path, [item.name for item in fields(Claim)]), start=2):
        claim = Claim(**cells)
        if problem := _problem(claim, path.parent, known_tables, {other.id for other in claims}):
            raise TableError(f"{path}, line {line}, claim {claim.id!r}: {problem}")
        claims.append(claim)
    return claims


def _problem(claim: Claim, folder: Path, known_tables: Sequence[str], taken: set[str]) -> str:
    """Describe the first fault of a claim, whose study has the `folder` of resources, or return an empty string."""
    study, resources = folder.name, folder.parent
    if not re.fullmatch(rf"{study}(-[a-z0-9]+)+", claim.id):
        return f"an id is {study}- followed by words of small letters and digits, joined by hyphens"
    if claim.id in taken:
        return "the id occurs twice"
    unquoted = {"table", *(("quote", "where") if claim.kind == MEASUREMENT else ())}
    if empty := [item.name for item in fields(Claim) if not getattr(claim, item.name) and item.name not in unquoted]:
        advice = "; quote the paper in its own words" if "quote" in empty else ""
        return f"{', '.join(empty)} is empty{advice}"
    if (claim.changes == NO_PAPER) != (not claim.quote):
        return f"changes is {claim.changes!r}; a claim has {NO_PAPER!r} if and only if it quotes no paper"
    for name, known in (("kind", KINDS), ("confidence", CONFIDENCES), ("changes", CHANGES)):
        if getattr(claim, name) not in known:
            return f"{name} {getattr(claim, name)!r} is not one of {', '.join(known)}"
    named = [("evidence", pattern) for pattern in claim.evidence.split()]
    for name in (*TEMPLATES, "holds_if"):
        if _UNNAMED_ROWS.search(getattr(claim, name)):
            return f'{name}: name rows by a text, such as row("study/tables/name.csv[key=value]")'
        named += [(name, rows) for rows in _NAMED_ROWS.findall(getattr(claim, name))]
    for name, rows in named:
        table, keys = parse_rows(rows)
        if not _is_known(table, known_tables):
            return f"{name} {table} is not a table that the workflow makes (resources has no caption for it)"
        if keys and not _has_rows(table, keys, resources):
            return f"{name}: there is no {rows}"
    return ""


def _has_rows(table: str, keys: Keys, resources: Path) -> bool:
    """Check that a kept table has such rows, or the ledger such a number; others are known only after a run."""
    study, _, inside = table.partition("/")
    # Values in braces are known when the claim is rendered.
    wanted = {column: value for column, value in keys if "{" not in value}
    if table == LEDGER:
        published = resources / wanted.pop("study", "") / "published.csv"
        return published.is_file() and any(
            wanted.items() <= vars(number).items() for number in read_published(published)
        )
    if not inside.startswith(f"{KEPT}/"):
        return True
    return bool(RunTables({table: resources / study / inside}).find_rows(table, tuple(wanted.items())))


def _is_known(pattern: str, known_tables: Sequence[str]) -> bool:
    path = PurePosixPath(pattern)
    if len(path.parts) == 1:
        return f"summary/{path.stem}" in known_tables
    # The name of a corpus may follow that of the table.
    return path.suffix == ".csv" and any(
        study == path.parts[0] and (path.stem == name or path.stem.startswith(f"{name}_"))
        for study, _, name in (known.partition("/") for known in known_tables)
    )


@dataclass
class _Quoted:
    """Collect the numbers that a claim quotes, in order."""

    texts: list[str] = field(default_factory=list)
    # This count excludes the ends of intervals.
    numbers: int = 0

    def number(self, value: float | None, digits: int = 2) -> str:
        """Quote a number with this many decimals; raise `NotInThisRun` if there is none."""
        self.numbers += 1
        return self._mark(f"{_require_value(value):.{digits}f}")

    def count(self, value: float | None) -> str:
        """Quote a whole number, in groups of three digits if it has five or more."""
        self.numbers += 1
        return self._mark(f"{_require_value(value):{',' if abs(_require_value(value)) >= 10_000 else ''}.0f}")

    def interval(self, row: Row, name: str, digits: int = 2) -> str:
        """Quote the interval of a column, whose ends are `{name}_low` and `{name}_high`."""
        low, high = (_require_value(row[f"{name}_{end}"]) for end in ("low", "high"))
        return f"[{self._mark(f'{low:.{digits}f}')}, {self._mark(f'{high:.{digits}f}')}]"

    def estimate(self, row: Row, name: str, digits: int = 2) -> str:
        """Quote a number with its interval, or with the number of documents if they are too few for one."""
        found = self.number(row[name], digits)
        if row[f"{name}_low"] is not None:
            return f"{found} {self.interval(row, name, digits)}"
        return f"{found} ({self.count(row['units'])} documents)" if row.get("units") else found

    def _mark(self, text: str) -> str:
        self.texts.append(text)
        return f"{_OPEN}{len(self.texts) - 1}{_CLOSE}"


@dataclass(frozen=True)
class RenderedClaim:
    """Hold a claim's rendered templates, with marks for `numbers`, and the `cells` behind them, or why it failed."""

    texts: tuple[str, ...] = ("",) * len(TEMPLATES)
    numbers: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    reason: str = ""
    holds: bool = True

    def show(self) -> dict[str, str]:
        """Return the texts with their numbers, by the names of their templates."""
        return {name: self._with(self.numbers, text) for name, text in self._stated().items()}

    def _stated(self) -> dict[str, str]:
        """Return the texts that fit what this run measured: without the claim, nobody argues for or against it."""
        texts = dict(zip(TEMPLATES, self.texts, strict=True))
        return texts if self.holds else texts | dict.fromkeys(ARGUMENTS, "")

    def show_latex(self, heading: str, macros: Sequence[str]) -> tuple[str, str]:
        """Write the claim, which begins with `heading`, and its table in LaTeX, with `macros` in place of numbers."""
        texts = self._stated()
        says = f"{in_short(heading, texts['effect'])} {texts['says']}".strip() if texts["effect"] else ""
        rows = [[self._with(macros, escape_latex(cell)) for cell in row] for row in table_rows(texts["table"])]
        return self._with(macros, escape_latex(says)), _tabular(rows)

    @staticmethod
    def _with(numbers: Sequence[str], text: str) -> str:
        for position, number in enumerate(numbers):
            text = text.replace(f"{_OPEN}{position}{_CLOSE}", number)
        return text


def render_claim(claim: Claim, results: Results, lexicon: str, names: dict[str, str]) -> RenderedClaim:
    """Render a claim; `lexicon` is the name of the lexicon of person nouns.

    The filter `named` looks up a table's key in `names`, and gives the name that people use.

    Raises `TableError` for a template that cannot be read, or that reads a table outside its evidence.
    """
    quoted = _Quoted()
    environment = Environment(undefined=StrictUndefined, autoescape=False)
    results = results.begin()
    environment.globals |= {"row": results.row, "rows": results.rows, "lexicon": lexicon}
    environment.globals |= {
        "n": quoted.number,
        "count": quoted.count,
        "interval": quoted.interval,
        "estimate": quoted.estimate,
    }
    environment.filters["named"] = lambda key: names.get(key, key)
    texts = []
    for name in TEMPLATES:
        try:
            module = environment.from_string(getattr(claim, name)).make_module()
            texts.append(" ".join(str(module).split()))
            environment.globals |= {key: value for key, value in vars(module).items() if not key.startswith("_")}
        except NotInThisRun as error:
            return RenderedClaim(reason=str(error))
        except (TemplateError, TableError, KeyError, TypeError, ZeroDivisionError) as error:
            raise TableError(f"claim {claim.id!r}: {name} cannot be rendered: {error}") from error
        if name == "says" and quoted.numbers > MOST_NUMBERS:
            raise TableError(
                f"claim {claim.id!r}: the column says quotes {quoted.numbers} numbers; put all but {MOST_NUMBERS} into "
                "the column table"
            )
    try:
        holds = _meets_condition(claim, environment)
    except NotInThisRun as error:
        return RenderedClaim(reason=str(error))
    except (TemplateError, KeyError, ZeroDivisionError) as error:
        raise TableError(f"claim {claim.id!r}: holds_if cannot be read: {error}") from error
    for table, _ in results.read:
        if not any(fnmatch(table, pattern) for pattern in claim.evidence.split()):
            raise TableError(f"claim {claim.id!r}: {table} is read but not named as evidence; add it to that column")
    cells = dict.fromkeys(name_row(table, where) for table, where in results.read)
    return RenderedClaim(tuple(texts), tuple(quoted.texts), tuple(cells), holds=holds)


def _meets_condition(claim: Claim, environment: Environment) -> bool:
    """Check whether the run meets the condition of a claim, whose variables are in the environment.

    A number that the run could not estimate meets no condition.
    """
    expression = environment.compile_expression(claim.holds_if, undefined_to_none=False)
    try:
        met = expression()
    except TypeError:
        return False
    if not isinstance(met, bool):
        raise TableError(f"claim {claim.id!r}: holds_if is {met!r}, which is neither true nor false")
    return met


def quote_results(
    tables: list[Path],
    kept: list[Path],
    ledger: Path,
    claims: list[Path],
    filled: Path,
    claim_numbers: Path,
    studies: list[str],
    known_tables: list[str],
    lexicon: str,
    names: dict[str, str],
) -> None:
    """Render the `claims`, a file per study, from the `tables` and the `ledger` of this run.

    `kept` are tables that were made once, and come with the repository. `filled` has a row per claim (`COLUMNS`);
    `reason` explains why one could not be rendered, for example because its study is not one of `studies`. In
    `*_latex`, numbers are the macros of `claim_numbers` (macro, value).
    """
    results = Results(tables, ledger, kept)
    rendered: list[list[object]] = []
    quoted: list[tuple[str, str]] = []
    for path in claims:
        for claim in read_claims(path, known_tables):
            found = RenderedClaim(reason=f"{claim.study} is not one of the studies of this run")
            if claim.study in studies:
                try:
                    found = render_claim(claim, results, lexicon, names)
                except TableError as error:
                    raise TableError(f"{path}: {error}") from error
            macros = [macro_name("claim", claim.id, "value", index + 1) for index in range(len(found.numbers))]
            quoted += zip(macros, found.numbers, strict=True)
            shown = found.show()
            cells = [shown.get(item.name, getattr(claim, item.name)) for item in fields(Claim)]
            holds = DOES_NOT_HOLD
            if found.holds:
                holds = HOLDS
            if found.reason:
                holds = ""
            heading = heading_of(claim, holds)
            in_latex = [
                *found.show_latex(heading, [f"\\{name}{{}}" for name in macros]),
                escape_latex(claim.quote),
            ]
            rendered.append([claim.study, *cells, holds, heading, "; ".join(found.cells), found.reason, *in_latex])
    write_rows(filled, COLUMNS, rendered)
    write_rows(claim_numbers, ["macro", "value"], quoted)


def heading_of(claim: Claim, holds: str) -> str:
    """Choose the heading: the topic of a claim that does not hold, by its column `holds`, or its plain sentence."""
    return claim.topic if holds == DOES_NOT_HOLD else claim.plain


def in_short(heading: str, effect: str) -> str:
    """Join the heading of a claim and the size of its effect into one sentence."""
    return f"{heading.removesuffix('.')}: {effect}."


def table_rows(table: str) -> list[list[str]]:
    """Split the table of a claim into its rows of cells; no rows if it has no table."""
    return [[cell.strip() for cell in row.split("|")] for row in table.split("||") if row.strip()]


def _tabular(rows: list[list[str]]) -> str:
    """Format rows of LaTeX cells as a table without a caption; an empty string without rows."""
    if not rows:
        return ""
    lines = " ".join(" & ".join(row) + r" \\" for row in rows)
    return f"\\par{{\\footnotesize\\begin{{tabular}}{{@{{}}*{{{len(rows[0])}}}{{l}}@{{}}}} {lines} \\end{{tabular}}}}"


def _require_value(value: float | None) -> float:
    if value is None:
        raise NotInThisRun("the number is not defined in this run")
    if not isinstance(value, (int, float)):
        raise TypeError(f"{value!r} is not a number")
    return value
