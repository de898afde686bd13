"""Corrections and findings: sentences of a table whose numbers are filled in from what the run made."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment, StrictUndefined, TemplateError

from textparity.errors import TableError
from textparity.files import write_rows
from textparity.registry import read_tsv
from textparity.report.macros import macro_name
from textparity.report.results import NotMade, Results, Row
from textparity.tables import escape_latex

CORRECTION, FINDING = "correction", "finding"
COLUMNS = ["study", "kind", "number", "paper", "text", "reason", "evidence", "paper_latex", "text_latex"]
_HEADERS = {CORRECTION: ["study", "paper", "holds", "evidence"], FINDING: ["study", "sentence", "evidence"]}
# Stand around the position of a number while a sentence is rendered; no text has them.
_OPEN, _CLOSE = "\ue000", "\ue001"


@dataclass
class _Quoted:
    """The numbers that one sentence quotes, in their order."""

    texts: list[str] = field(default_factory=list)

    def number(self, value: float | None, digits: int = 2) -> str:
        """Quote a number with so many decimals; raises `NotMade` where there is none."""
        return self._mark(f"{_there(value):.{digits}f}")

    def count(self, value: float | None) -> str:
        """Quote a whole number."""
        return self._mark(f"{_there(value):.0f}")

    def interval(self, row: Row, name: str, digits: int = 2) -> str:
        """Quote the interval of a column, whose ends are `{name}_low` and `{name}_high`."""
        low, high = (_there(row[f"{name}_{end}"]) for end in ("low", "high"))
        return f"[{self._mark(f'{low:.{digits}f}')}, {self._mark(f'{high:.{digits}f}')}]"

    def _mark(self, text: str) -> str:
        self.texts.append(text)
        return f"{_OPEN}{len(self.texts) - 1}{_CLOSE}"


def write_statements(
    tables: list[Path],
    ledger: Path,
    corrections: Path,
    findings: Path,
    statements: Path,
    numbers: Path,
    studies: list[str],
) -> None:
    """Fill in the sentences of `corrections` (study, paper, holds, evidence), `findings` (study, sentence, evidence).

    `statements` has a row for each; `reason` says why one could not be filled in, as when its study is not one of
    `studies`. In the columns `*_latex`, numbers are the macros of `numbers` (macro, value). Raises `TableError` for a
    sentence that cannot be read, with its file and row.
    """
    results = Results(tables, ledger)
    said: list[list[object]] = []
    quoted: list[tuple[str, str]] = []
    for kind, path in ((CORRECTION, corrections), (FINDING, findings)):
        for number, cells in _numbered(path, _HEADERS[kind]):
            study = cells["study"]
            parts = [cells["paper"], cells["holds"]] if kind == CORRECTION else ["", cells["sentence"]]
            if study in studies:
                texts, values, reason = _fill_in(parts, results, f"{path}, {study} {number}")
            else:
                texts, values, reason = [parts[0], ""], [], f"{study} is not one of the studies of this run"
            names = [macro_name(kind, study, number, "value", index + 1) for index in range(len(values))]
            quoted += zip(names, values, strict=True)
            plain = [_show(text, values) for text in texts]
            latex = [_show(escape_latex(text), [f"\\{name}{{}}" for name in names]) for text in texts]
            said.append([study, kind, number, *plain, reason, cells["evidence"], *latex])
    write_rows(statements, COLUMNS, said)
    write_rows(numbers, ["macro", "value"], quoted)


def _fill_in(parts: list[str], results: Results, where: str) -> tuple[list[str], list[str], str]:
    """Return the sentences with marks for numbers, the numbers, and why they cannot be said, if so."""
    quoted = _Quoted()
    environment = Environment(undefined=StrictUndefined, autoescape=False)
    environment.globals |= {"row": results.row, "rows": results.rows, "ledger": results.ledger}
    environment.globals |= {"n": quoted.number, "count": quoted.count, "interval": quoted.interval}
    texts = []
    for part in parts:
        try:
            texts.append(" ".join(environment.from_string(part).render().split()))
        except NotMade as error:
            # What the paper says can be told without our numbers.
            return [*texts, ""][:2] if texts else ["", ""], quoted.texts, str(error)
        except (TemplateError, KeyError, TypeError) as error:
            raise TableError(f"{where}: {part!r} cannot be filled in: {error}") from error
    return texts, quoted.texts, ""


def _there(value: float | None) -> float:
    if value is None:
        raise NotMade("the number is not defined in this run")
    if not isinstance(value, (int, float)):
        raise TypeError(f"{value!r} is not a number")
    return value


def _numbered(path: Path, header: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a table of sentences, numbered within their study."""
    seen: dict[str, int] = {}
    for cells in read_tsv(path, header):
        seen[cells["study"]] = seen.get(cells["study"], 0) + 1
        yield seen[cells["study"]], cells


def _show(text: str, numbers: list[str]) -> str:
    for position, number in enumerate(numbers):
        text = text.replace(f"{_OPEN}{position}{_CLOSE}", number)
    return text
