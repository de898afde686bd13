"""Write final tables: CSV for machines, LaTeX (booktabs) for papers.

One writer makes every LaTeX table. It escapes each caption, head and cell, so callers pass plain text.
"""

import math
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from textparity.errors import MissingResourceError, TableError
from textparity.files import open_csv, write_text

if TYPE_CHECKING:
    import pandas as pd
    from jinja2 import Environment

Result = TypeVar("Result")


@cache
def page_environment(*packages: str) -> "Environment":
    """Make the environment for the templates of `packages`. It escapes all text, and raises an error for an undefined
    name.

    `{% include "tables.base.css" %}` has the colours that all pages share, `tables.text.css` headings and tables. The
    filter `csp_hash` permits one inline script in a page whose policy forbids all others.
    """
    # Most commands and jobs make no page.
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    loaders = [PackageLoader(package) for package in (*packages, "textparity")]
    environment = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["csp_hash"] = csp_hash
    return environment


def csp_hash(script: str) -> str:
    """Compute the source of a Content-Security-Policy that permits this inline script and no other."""
    digest = sha256(script.encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"


# The packages that a document needs for these tables. Each file of tables starts with this line.
LATEX_PREAMBLE = r"\usepackage[T1]{fontenc}\usepackage{adjustbox,booktabs,rotating}"
LATEX_NEEDS = f"% Needs {LATEX_PREAMBLE}\n"

_MATHEMATICAL = {"Δ": r"\Delta", "−": "-", "∞": r"\infty", "≤": r"\leq", "≥": r"\geq", "≈": r"\approx", "≠": r"\neq"}
# The last two lines have characters that LaTeX's default font encoding lacks or prints as another sign.
_LATEX_CHARACTERS = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}
    | {"|": "\\textbar{}", "<": "\\textless{}", ">": "\\textgreater{}"}
    | {sign: f"\\ensuremath{{{command}}}" for sign, command in _MATHEMATICAL.items()}
)
# In points, for LaTeX's \footnotesize and a page of the class article.
_CHARACTER_WIDTH, _COLUMN_GAP, _LINE_WIDTH = 4.25, 8, 345
# A table that would have to be shrunk further than this is rotated instead.
_LEAST_SCALE = 0.75
# The number of rows, upright and rotated, that are readable on one page. Further rows go into another table.
_MOST_ROWS, _MOST_TURNED_ROWS = 60, 36


def write_csv(frame: "pd.DataFrame", path: Path, digits: int = 6) -> None:
    """Write `frame` as CSV without its index, with floats to `digits` decimals, so that two runs agree to the byte."""
    with open_csv(path) as file:
        frame.round(digits).to_csv(file, index=False, lineterminator="\r\n")


@dataclass(frozen=True)
class Caption:
    """The text about a table or figure: a title, the sentences that are printed with it, and notes on all columns."""

    title: str
    text: str
    notes: str = ""

    @classmethod
    def read(cls, path: Path) -> "Caption":
        """Read a caption (reStructuredText): an underlined title, a paragraph of text, and paragraphs of notes.

        Raises `MissingResourceError` if the file is missing, `TableError` if it does not begin with a title.
        """
        if not path.is_file():
            raise MissingResourceError(f"{path} is missing: a table or figure of the report needs a caption there")
        title, _, below_title = path.read_text("utf-8").partition("\n")
        underline, _, body = below_title.partition("\n")
        underline = underline.strip()
        is_long_enough = len(underline) >= len(title)
        if set(underline) != {"="} or not is_long_enough or not body.strip():
            raise TableError(f"{path}: a caption begins with a title and a line of = below it, as long as the title")
        # Snakemake's report renders the marks around names of columns; pages and LaTeX would print them.
        paragraphs = body.replace("`", "").strip().split("\n\n")
        text, *notes = map(_join_lines, paragraphs)
        return cls(title.strip(), text, " ".join(notes))


@dataclass(frozen=True)
class Table:
    """A result: its rows, and their form in print.

    `name` is the path of its files below their folder, without an ending. The CSV has all columns of `frame`. The LaTeX
    table has the keys of `columns`, under their headings; a key `x_interval` prints the columns `x_low` and `x_high` as
    one. It has the rows of `printed`, if that is given, instead of those of `frame`. `formats` are format strings or
    functions by column. Among the `ranked` columns, each row's largest value is bold and the second underlined.
    `caption` is the name of the caption's file, by default the last part of `name`, and `of` describes how this table
    differs from others with the same caption.
    """

    name: str
    frame: "pd.DataFrame"
    columns: Mapping[str, str] = field(default_factory=dict)
    formats: Mapping[str, str | Callable[..., str]] = field(default_factory=dict)
    ranked: Sequence[str] = ()
    printed: "pd.DataFrame | None" = None
    caption: str = ""
    of: str = ""

    @property
    def caption_name(self) -> str:
        """The name of the caption's file, without the ending."""
        return self.caption or self.name.rpartition("/")[2]

    def to_latex(self, caption: Caption, label: str) -> str:
        """Render the table as LaTeX. An empty cell becomes two dashes."""
        frame = self.frame if self.printed is None else self.printed
        keys = list(self.columns or frame.columns)
        for key in keys:
            if key not in frame.columns:
                intervals = _show_intervals(frame, key.removesuffix("_interval"))
                frame = frame.assign(**{key: intervals})
        heads = list(self.columns.values())
        title = f"{caption.title} ({self.of})" if self.of else caption.title
        text = f"{title}. {caption.text}"
        if self.ranked:
            text += " The largest value of a row is bold, the second underlined."
        return LATEX_NEEDS + latex_of_frame(frame[keys], text, label, self.formats, ranked=self.ranked, heads=heads)


def find_by_name(file: Path, by_name: Mapping[str, Result]) -> Result:
    """Find the table or figure whose name is the end of the file's path; raise `ValueError` if there is none."""
    stem = "/" + file.with_suffix("").as_posix()
    # `tables/corrected/overview` ends with the names `overview` and `corrected/overview`.
    names = [name for name in by_name if stem.endswith(f"/{name}")]
    if not names:
        made = ", ".join(by_name) or "none"
        raise ValueError(f"{file}: the step made no result of this name; it made {made}")
    longest = max(names, key=len)
    return by_name[longest]


def write_tables(tables: Iterable[Table], files: Sequence[Path], captions: Iterable[Path]) -> None:
    """Write each table as the `files` whose paths end with its name: CSV, LaTeX (booktabs), or both.

    Tables without a file are not written. `captions` are the files of captions. The label of a LaTeX table comes from
    the path below `results`, so that it is unique within a run: `tab:lexicon-corrected-overview`. Raises `ValueError`
    for a file without a table.
    """
    by_name = {table.name: table for table in tables}
    caption_of = {path.stem: path for path in captions}
    for file in files:
        table = find_by_name(file, by_name)
        if file.suffix == ".csv":
            write_csv(table.frame, file)
        else:
            caption_file = caption_of.get(table.caption_name, Path(f"{table.caption_name}.rst"))
            caption = Caption.read(caption_file)
            write_text(file, table.to_latex(caption, _make_label(file)))


def _make_label(file: Path) -> str:
    """Make the label of a LaTeX table from its path."""
    names = file.with_suffix("").parts
    first = names.index("results") + 1 if "results" in names else -1
    names = names[first:]
    return "tab:" + "-".join(name for name in names if name != "tables")


def latex_of_frame(
    frame: "pd.DataFrame",
    caption: str,
    label: str,
    formats: Mapping[str, str | Callable[..., str]] | None = None,
    alignment: str = "",
    ranked: Sequence[str] = (),
    heads: Sequence[Any] = (),
) -> str:
    """Render `frame` as a LaTeX table, under `heads` instead of its columns' names if they are given.

    Without an `alignment`, numbers are aligned to the right. See `Table` for `formats` and `ranked`.
    """
    import pandas as pd

    # Two columns may have the same name.
    columns = [frame.iloc[:, index] for index in range(frame.shape[1])]
    if not alignment:
        alignment = "".join("r" if pd.api.types.is_numeric_dtype(column) else "l" for column in columns)
    formats = formats or {}
    cells = [_show_column(column, formats.get(column.name)) for column in columns]
    if ranked:
        numbers = frame[list(ranked)]
        ranks = numbers.rank(axis="columns", ascending=False, method="dense")
        ranks = ranks.where(numbers.max(axis="columns") > 0)
        for name in ranked:
            index = frame.columns.get_loc(name)
            cells[index] = list(map(_mark_rank, cells[index], ranks[name]))
    names = pd.Index(list(heads)) if heads else frame.columns
    head_lines = [list(map(str, names.get_level_values(level))) for level in range(names.nlevels)]
    rows = list(zip(*cells, strict=True))
    return _latex_tables(head_lines, rows, alignment, caption, label)


def _show_column(column: "pd.Series", form: str | Callable[..., str] | None) -> list[str]:
    return [_show_cell(value, form) for value in column]


def latex_table(heads: Sequence[str], rows: Iterable[Sequence[str]], alignment: str, caption: str, label: str) -> str:
    """Render a LaTeX table of text cells, without pandas. `alignment` is as for tabular."""
    escaped_rows = [list(map(_escape_line, row)) for row in rows]
    return LATEX_NEEDS + _latex_tables([heads], escaped_rows, alignment, caption, label)


def _latex_tables(
    heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], alignment: str, caption: str, label: str
) -> str:
    """Render rows of escaped cells as one table, or as several if one page cannot hold them all."""
    is_turned = _estimate_width(heads[-1], rows) > _LINE_WIDTH / _LEAST_SCALE
    most_rows = _MOST_TURNED_ROWS if is_turned else _MOST_ROWS
    count = max(math.ceil(len(rows) / most_rows), 1)
    size = max(math.ceil(len(rows) / count), 1)
    label = re.sub(r"[^\w:.-]+", "-", label, flags=re.ASCII)
    head_lines = _head_lines(heads)
    tables = []
    for index in range(count):
        start = index * size
        rows_of_part = rows[start : start + size]
        lines = [*head_lines, r"\midrule", *map(_latex_row, rows_of_part)]
        part = f" (part {index + 1} of {count})" if count > 1 else ""
        # References in a paper point to the first table, whose label has no number.
        suffix = f"-{index + 1}" if index else ""
        tables.append(_latex_float(lines, alignment, caption + part, label + suffix, is_turned))
    return "\n".join(tables)


def _estimate_width(head: Sequence[str], rows: Iterable[Sequence[str]]) -> float:
    """Estimate the width of a table in points."""
    columns = zip(head, *rows, strict=True)
    widths = [max(map(_printed_length, column)) for column in columns]
    return sum(_CHARACTER_WIDTH * width + _COLUMN_GAP for width in widths)


def _latex_float(lines: Sequence[str], alignment: str, caption: str, label: str, is_turned: bool) -> str:
    if is_turned:
        environment, position, height = "sidewaystable", "", r"\textwidth"
    else:
        # `tp`: a table that is too high for the top of a page needs a page of its own.
        environment, position, height = "table", "[tp]", r"\textheight"
    begin = [
        rf"\begin{{{environment}}}{position}",
        r"\centering",
        r"\footnotesize",
        r"\setlength{\tabcolsep}{4pt}",
        rf"\caption{{{_escape_line(caption)}}}",
        rf"\label{{{label}}}",
        r"\smallskip",
        rf"\begin{{adjustbox}}{{max width=\linewidth, max totalheight=0.8{height}}}",
        rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}",
        r"\toprule",
    ]
    end = [r"\bottomrule", r"\end{tabular}", r"\end{adjustbox}", rf"\end{{{environment}}}", ""]
    return "\n".join([*begin, *lines, *end])


def _head_lines(heads: Sequence[Sequence[str]]) -> list[str]:
    """Render the lines of heads. If there are several, equal neighbours are merged, except in the last line."""
    *above, last = heads
    lines = []
    for names in above:
        spans = [_latex_span(name, len(list(alike))) for name, alike in groupby(names)]
        lines.append(_latex_row(spans))
    lines.append(_latex_row([_escape_line(name) for name in last]))
    return lines


def _latex_span(name: str, columns: int) -> str:
    cell = _escape_line(name)
    return rf"\multicolumn{{{columns}}}{{c}}{{{cell}}}" if columns > 1 else cell


def _latex_row(cells: Sequence[str]) -> str:
    line = " & ".join(cells)
    if line.startswith(("[", "*")):
        # Otherwise LaTeX would read these as an argument of the previous line's end.
        line = "{}" + line
    return line + r" \\"


def _printed_length(cell: str) -> int:
    without_commands = re.sub(r"\\[a-z]+|[{}\\]", "", cell)
    return len(without_commands)


def _show_cell(value: Any, form: str | Callable[..., str] | None) -> str:
    """Format a value as an escaped cell."""
    import pandas as pd

    if pd.isna(value):
        return "--"
    if form is None:
        form = "{:.6f}" if isinstance(value, float) else "{}"
    shown = form.format(value) if isinstance(form, str) else form(value)
    return _escape_line(shown)


def _mark_rank(cell: str, rank: float) -> str:
    if rank == 1:
        return rf"\textbf{{{cell}}}"
    if rank == 2:
        return rf"\underline{{{cell}}}"
    return cell


def escape_latex(text: str) -> str:
    """Escape a text so that LaTeX prints it as it is."""
    return text.translate(_LATEX_CHARACTERS)


def _escape_line(text: str) -> str:
    """Escape a text into one line. Unprintable characters become spaces, because LaTeX stops at them."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return escape_latex(_join_lines(printable))


def _join_lines(text: str) -> str:
    """Join the lines of a text, with one space between words."""
    return " ".join(text.split())


def show_interval(low: float, high: float, decimals: int = 2) -> str:
    """Format an interval of a ratio for a table's cell, two dashes if it is undefined."""
    if math.isnan(low) or math.isnan(high):
        return "--"
    return f"{low:.{decimals}f}–{high:.{decimals}f}"


def _show_intervals(frame: "pd.DataFrame", name: str) -> list[str]:
    ends = zip(frame[f"{name}_low"], frame[f"{name}_high"], strict=True)
    return [show_interval(low, high) for low, high in ends]
