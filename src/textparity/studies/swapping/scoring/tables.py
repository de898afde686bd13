"""All systems side by side: one table of scores (Nahurna 2025, Tables 3 and 8, with sentences and words apart)."""

from pathlib import Path

import pandas as pd

from textparity.report.tables import show_interval, write_csv, write_latex
from textparity.studies.swapping.scoring.scores import ALL, SENTENCES, read_scores

_KEYS = ["direction", "items", "metric", "procedure"]
_VALUES = ["value", "low", "high", "count", "reason"]


def tabulate_swap_scores(scores: list[Path], table_csv: Path, table_latex: Path, names: dict[str, str]) -> None:
    """Write one row for each direction, kind of items, metric and procedure, with the columns of each system.

    `names` are the systems' names for the LaTeX table, which has the corrected values and their intervals of all items
    and of sentences.
    """
    frames = []
    for system, rows in read_scores(scores).items():
        frame = pd.DataFrame(rows).set_index(_KEYS)[_VALUES]
        frames.append(
            frame.rename(columns={name: system if name == "value" else f"{system}_{name}" for name in _VALUES})
        )
    table = pd.concat(frames, axis="columns").reset_index()
    write_csv(table, table_csv)
    shown = table[table["items"].isin([ALL, SENTENCES])]
    cells = {"direction": _words(shown["direction"]), "items": shown["items"], "metric": _words(shown["metric"])}
    cells["procedure"] = shown["procedure"]
    for path in scores:
        system = path.stem
        cells[names.get(system, system)] = [
            "--" if pd.isna(value) else f"{value:.2f} ({show_interval(low, high)})"
            for value, low, high in zip(shown[system], shown[f"{system}_low"], shown[f"{system}_high"], strict=True)
        ]
    write_latex(
        pd.DataFrame(cells),
        table_latex,
        caption="Scores of swapped outputs with bootstrap intervals over items, as published and corrected.",
        label="tab:swap-scores",
    )


def _words(column: pd.Series) -> pd.Series:
    return column.str.replace("_", " ")
