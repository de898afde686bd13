"""Write final tables: CSV for machines, LaTeX (booktabs) for papers.

One writer makes every LaTeX table. It escapes each caption, head and cell, so callers pass plain text.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.files import open_csv, write_text

if TYPE_CHECKING:
    import pandas as pd

# The packages that a document needs for these tables. Each file of tables starts with this line.
LATEX_PREAMBLE = r"\usepackage[T1]{fontenc}\usepackage{adjustbox,booktabs,rotating}"
LATEX_NEEDS = f"% Needs {LATEX_PREAMBLE}\n"

_MATHEMATICAL = {"−": "-", "∞": r"\infty", "≤": r"\leq", "≥": r"\geq", "≈": r"\approx", "≠": r"\neq"}
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


def write_latex(
    frame: "pd.DataFrame",
    path: Path,
    caption: str,
    formats: Mapping[str, str | Callable[..., str]] | None = None,
    ranked: Sequence[str] = (),
) -> None:
    """Write `frame` as a LaTeX table. Among the `ranked` columns, each row's largest value is bold and the second
    underlined.

    `formats` are format strings or functions by column. An empty cell becomes two dashes. The label comes from the path
    below `results`, so that it is unique within a run: `tab:lexicon-corrected-overview`.
    """
    parts = path.with_suffix("").parts
    below = parts[parts.index("results") + 1 :] if "results" in parts else parts[-1:]
    label = "tab:" + "-".join(part for part in below if part != "tables")
    write_text(path, LATEX_NEEDS + latex_of_frame(frame, caption, label, formats, ranked=ranked))


def latex_of_frame(
    frame: "pd.DataFrame",
    caption: str,
    label: str,
    formats: Mapping[str, str | Callable[..., str]] | None = None,
    alignment: str = "",
    ranked: Sequence[str] = (),
) -> str:
    """Render `frame` as a LaTeX table: see `write_latex`. Without an `alignment`, numbers are aligned to the right."""
    import pandas as pd

    columns = [frame.iloc[:, place] for place in range(frame.shape[1])]
    alignment = alignment or "".join("r" if pd.api.types.is_numeric_dtype(column) else "l" for column in columns)
    shown = [[_show_cell(value, (formats or {}).get(column.name)) for value in column] for column in columns]
    if ranked:
        order = frame[list(ranked)].rank(axis="columns", ascending=False, method="dense")
        order = order.where(frame[list(ranked)].max(axis="columns") > 0)
        for name in ranked:
            place = frame.columns.get_loc(name)
            shown[place] = list(map(_mark_rank, shown[place], order[name]))
    levels = range(frame.columns.nlevels)
    heads = [[str(name) for name in frame.columns.get_level_values(level)] for level in levels]
    return _latex_tables(heads, list(zip(*shown, strict=True)), alignment, caption, label)


def latex_table(heads: Sequence[str], rows: Iterable[Sequence[str]], alignment: str, caption: str, label: str) -> str:
    """Render a LaTeX table of text cells, without pandas. `alignment` is as for tabular."""
    return LATEX_NEEDS + _latex_tables(
        [heads], [list(map(_escape_line, row)) for row in rows], alignment, caption, label
    )


def _latex_tables(
    heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], alignment: str, caption: str, label: str
) -> str:
    """Render rows of escaped cells as one table, or as several if one page cannot hold them all."""
    is_turned = _estimate_width(heads, rows) > _LINE_WIDTH / _LEAST_SCALE
    number = max(math.ceil(len(rows) / (_MOST_TURNED_ROWS if is_turned else _MOST_ROWS)), 1)
    size = max(math.ceil(len(rows) / number), 1)
    # References in a paper point to the first of them.
    label = re.sub(r"[^\w:.-]+", "-", label, flags=re.ASCII)
    tables = [
        _latex_float(
            [*_head_lines(heads), r"\midrule", *map(_latex_row, rows[place * size : (place + 1) * size])],
            alignment,
            caption + (f" (part {place + 1} of {number})" if number > 1 else ""),
            label + (f"-{place + 1}" if place else ""),
            is_turned,
        )
        for place in range(number)
    ]
    return "\n".join(tables)


def _latex_float(lines: Sequence[str], alignment: str, caption: str, label: str, is_turned: bool) -> str:
    # `tp`: a table that is too high for the top of a page needs a page of its own.
    begin, end = (
        (r"\begin{sidewaystable}", r"\end{sidewaystable}") if is_turned else (r"\begin{table}[tp]", r"\end{table}")
    )
    height = r"0.8\textwidth" if is_turned else r"0.8\textheight"
    return "\n".join(
        [
            begin, r"\centering", r"\footnotesize", r"\setlength{\tabcolsep}{4pt}",
            rf"\caption{{{_escape_line(caption)}}}", rf"\label{{{label}}}", r"\smallskip",
            rf"\begin{{adjustbox}}{{max width=\linewidth, max totalheight={height}}}",
            rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}", r"\toprule", *lines, r"\bottomrule",
            r"\end{tabular}", r"\end{adjustbox}", end, "",
        ]
    )  # fmt: skip


def _head_lines(heads: Sequence[Sequence[str]]) -> list[str]:
    """Render the lines of heads. If there are several, equal neighbours are merged, except in the last line."""
    *above, last = heads
    lines = []
    for names in above:
        runs = [(name, len(list(alike))) for name, alike in groupby(names)]
        spans = [
            rf"\multicolumn{{{span}}}{{c}}{{{_escape_line(name)}}}" if span > 1 else _escape_line(name)
            for name, span in runs
        ]
        lines.append(_latex_row(spans))
    return [*lines, _latex_row(list(map(_escape_line, last)))]


def _latex_row(cells: Sequence[str]) -> str:
    line = " & ".join(cells)
    # Otherwise LaTeX would read these as an argument of the previous line's end.
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def _estimate_width(heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> float:
    """Estimate the width of a table in points."""
    widths = [max(map(_printed_length, column)) for column in zip(heads[-1], *rows, strict=True)]
    return sum(_CHARACTER_WIDTH * width + _COLUMN_GAP for width in widths)


def _printed_length(cell: str) -> int:
    return len(re.sub(r"\\[a-z]+|[{}\\]", "", cell))


def _show_cell(value: Any, form: str | Callable[..., str] | None) -> str:
    """Format a value as an escaped cell."""
    import pandas as pd

    if pd.isna(value):
        return "--"
    if form is None:
        form = "{:.6f}" if isinstance(value, float) else "{}"
    return _escape_line(form.format(value) if isinstance(form, str) else form(value))


def _mark_rank(cell: str, rank: float) -> str:
    if rank == 1:
        return rf"\textbf{{{cell}}}"
    return rf"\underline{{{cell}}}" if rank == 2 else cell


def escape_latex(text: str) -> str:
    """Escape a text so that LaTeX prints it as it is."""
    return text.translate(_LATEX_CHARACTERS)


def _escape_line(text: str) -> str:
    """Escape a text into one line. Unprintable characters become spaces, because LaTeX stops at them."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return escape_latex(" ".join(printable.split()))


def show_count(count: float) -> str:
    """Format a count for a table's cell, or a mean of counts with one decimal."""
    return "--" if math.isnan(count) else f"{count:.0f}" if float(count).is_integer() else f"{count:.1f}"


def show_interval(low: float, high: float, decimals: int = 2) -> str:
    """Format an interval of a ratio for a table's cell, two dashes if it is undefined."""
    return "--" if math.isnan(low) or math.isnan(high) else f"{low:.{decimals}f}–{high:.{decimals}f}"


def show_intervals(frame: "pd.DataFrame", name: str) -> list[str]:
    """Format the intervals of a column whose ends are the columns `{name}_low` and `{name}_high`."""
    ends = frame.reindex(columns=[f"{name}_low", f"{name}_high"]).itertuples(index=False)
    return [show_interval(low, high) for low, high in ends]
