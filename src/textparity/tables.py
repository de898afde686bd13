"""Final tables: CSV for machines, LaTeX (booktabs) for papers."""

import math
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from pandas.io.formats.style import Styler

from textparity.files import atomic_path, write_text


def write_csv(frame: pd.DataFrame, path: Path, digits: int = 6) -> None:
    """Write `frame` as CSV without its index; floats to `digits` decimals, so that two runs agree to the byte."""
    with atomic_path(path) as part:
        frame.round(digits).to_csv(part, index=False, lineterminator="\n")


def write_latex(
    frame: pd.DataFrame,
    path: Path,
    caption: str,
    label: str,
    formats: dict[str, str | Callable] | None = None,
    ranked: list[str] | None = None,
) -> None:
    """Write `frame` as a booktabs table; of the `ranked` columns, each row's largest is bold, the second underlined.

    `formats` are pandas format strings or functions by column.
    """
    style = frame.style.hide(axis="index").format(formats or {}, na_rep="--", escape="latex")
    if ranked:
        style = style.apply(_rank_row, axis=1, subset=ranked)
    style = style.format_index(escape="latex", axis="columns")
    write_text(path, _to_latex(style, frame, caption, label))


def show_count(count: float) -> str:
    """Return a count, or a mean of counts with one decimal, for a table's cell."""
    return "--" if math.isnan(count) else f"{count:.0f}" if float(count).is_integer() else f"{count:.1f}"


def show_interval(low: float, high: float) -> str:
    """Return an interval of a ratio for a table's cell, two dashes where it is not defined."""
    return "--" if math.isnan(low) or math.isnan(high) else f"{low:.2f}–{high:.2f}"


def show_intervals(frame: pd.DataFrame, name: str) -> list[str]:
    """Return the intervals of a column whose ends are the columns `{name}_low` and `{name}_high`."""
    ends = frame.reindex(columns=[f"{name}_low", f"{name}_high"]).itertuples(index=False)
    return [show_interval(low, high) for low, high in ends]


def _to_latex(style: Styler, frame: pd.DataFrame, caption: str, label: str) -> str:
    numeric = [pd.api.types.is_numeric_dtype(frame[column]) for column in frame.columns]
    alignment = "".join("r" if is_number else "l" for is_number in numeric)
    return style.to_latex(
        hrules=True,
        caption=caption,
        label=label,
        position="t",
        position_float="centering",
        column_format=alignment,
    )


def _rank_row(row: pd.Series) -> list[str]:
    # Equals share their rank.
    order = row.rank(ascending=False, method="dense")
    if not row.max() > 0:
        return [""] * len(row)
    styles = {1: "textbf:--rwrap;", 2: "underline:--rwrap;"}
    return [styles.get(rank, "") for rank in order]
