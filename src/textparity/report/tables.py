"""Final tables: CSV for machines, LaTeX (booktabs) for papers."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textparity.files import open_csv, write_text

if TYPE_CHECKING:
    import pandas as pd

    # With Jinja, and for LaTeX alone.
    from pandas.io.formats.style import Styler

_LATEX_CHARACTERS = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}
)


def write_csv(frame: "pd.DataFrame", path: Path, digits: int = 6) -> None:
    """Write `frame` as CSV without its index; floats to `digits` decimals, so that two runs agree to the byte."""
    with open_csv(path) as file:
        frame.round(digits).to_csv(file, index=False, lineterminator="\r\n")


def write_latex(
    frame: "pd.DataFrame",
    path: Path,
    caption: str,
    label: str,
    formats: Mapping[str, str | Callable[..., str]] | None = None,
    ranked: list[str] | None = None,
) -> None:
    """Write `frame` as a booktabs table; of the `ranked` columns, each row's largest is bold, the second underlined.

    `formats` are pandas format strings or functions by column.
    """
    import pandas as pd

    style = _latex_style(frame, formats)
    if ranked:
        style = style.apply(_rank_row, axis=1, subset=ranked)
    numeric = [pd.api.types.is_numeric_dtype(frame[column]) for column in frame.columns]
    write_text(path, _to_latex(style, "".join("r" if is_number else "l" for is_number in numeric), caption, label))


def small_latex_table(frame: "pd.DataFrame", alignment: str, caption: str, label: str) -> str:
    """Return a narrow booktabs table of cells that are shown as they are; `alignment` as for tabular.

    The caption is LaTeX: see `escape_latex`.
    """
    table = _to_latex(_latex_style(frame), f"@{{}}{alignment}@{{}}", caption, label)
    # A float begins in the size of the text, whatever stands before it.
    small = "\\footnotesize\n\\setlength{\\tabcolsep}{4pt}\n"
    return table.replace("\\centering\n", f"\\centering\n{small}", 1)


def small_latex(heads: Sequence[str], rows: Iterable[Sequence[str]], alignment: str, caption: str, label: str) -> str:
    """Return the same of text cells, without pandas."""
    lines = [" & ".join(map(escape_latex, row)) + r" \\" for row in (heads, *rows)]
    return "\n".join(
        [
            r"\begin{table}[t]", r"\centering", r"\footnotesize", r"\setlength{\tabcolsep}{4pt}",
            rf"\caption{{{caption}}}", rf"\label{{{label}}}", rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}",
            r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", r"\end{tabular}", r"\end{table}", "",
        ]
    )  # fmt: skip


def escape_latex(text: str) -> str:
    """Return text that LaTeX prints as it is; for captions, since cells and heads are escaped anyway."""
    return text.translate(_LATEX_CHARACTERS)


def show_count(count: float) -> str:
    """Return a count, or a mean of counts with one decimal, for a table's cell."""
    return "--" if math.isnan(count) else f"{count:.0f}" if float(count).is_integer() else f"{count:.1f}"


def show_interval(low: float, high: float, decimals: int = 2) -> str:
    """Return an interval of a ratio for a table's cell, two dashes where it is not defined."""
    return "--" if math.isnan(low) or math.isnan(high) else f"{low:.{decimals}f}–{high:.{decimals}f}"


def show_intervals(frame: "pd.DataFrame", name: str) -> list[str]:
    """Return the intervals of a column whose ends are the columns `{name}_low` and `{name}_high`."""
    ends = frame.reindex(columns=[f"{name}_low", f"{name}_high"]).itertuples(index=False)
    return [show_interval(low, high) for low, high in ends]


def _latex_style(frame: "pd.DataFrame", formats: Mapping[str, str | Callable[..., str]] | None = None) -> "Styler":
    style = frame.style.hide(axis="index").format(formats or {}, na_rep="--", escape="latex")
    return style.format_index(escape="latex", axis="columns")


def _to_latex(style: "Styler", alignment: str, caption: str, label: str) -> str:
    return style.to_latex(
        hrules=True,
        caption=caption,
        label=label,
        position="t",
        position_float="centering",
        column_format=alignment,
    )


def _rank_row(row: "pd.Series") -> list[str]:
    # Equals share their rank.
    order = row.rank(ascending=False, method="dense")
    if not row.max() > 0:
        return [""] * len(row)
    styles = {1: "textbf:--rwrap;", 2: "underline:--rwrap;"}
    return [styles.get(rank, "") for rank in order]
