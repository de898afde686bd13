"""The names that systems put into sentences, beside the name list (Nahurna 2025, §4.1.5), as a figure."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from textparity.report.plotting import COLOURS, figure
from textparity.studies.swapping.names import FEMININE, MASCULINE
from textparity.studies.swapping.scoring.name_bias import AMBIGUOUS, GENERATED

_TOP = 10
_LISTED: dict[str, Any] = {
    "marker": "D",
    "markersize": 4,
    "markerfacecolor": "white",
    "markeredgecolor": "black",
    "linestyle": "none",
}


def plot_name_bias(table: Path, figure_pdf: Path, figure_svg: Path, names: dict[str, str]) -> None:
    """Draw for each system and gender the ten names it generates most, in percent of all, and the name list's share.

    `names` are the systems' names; others are called as in the table.
    """
    rows = pd.read_csv(table)
    rows = rows[rows["procedure"] == GENERATED]
    systems = list(dict.fromkeys(rows["system"]))
    genders = (FEMININE, MASCULINE)
    reach = 1.12 * max(1, rows.loc[rows["rank"] <= _TOP, ["share", "dictionary_share"]].max().max())
    with figure([figure_pdf, figure_svg], size=(2.6 * max(len(systems), 1) + 0.4, 5.6)) as drawn:
        grid = drawn.subplots(2, max(len(systems), 1), squeeze=False, sharex=True)
        for column, system in enumerate(systems):
            of_system = rows[rows["system"] == system]
            open_names = int(of_system.loc[of_system["gender"] == AMBIGUOUS, "generated"].sum())
            for axes, gender in zip(grid[:, column], genders, strict=True):
                chosen = of_system[of_system["gender"] == gender]
                _draw(axes, chosen, gender, reach)
                title = f"{names.get(system, system)}\n" if gender == FEMININE else ""
                axes.set_title(f"{title}{gender}: {int(chosen['generated'].sum())} names")
            note = f"{open_names} more: gender open" if open_names else ""
            grid[-1, column].set_xlabel(f"% of the gender's names\n{note}")
        handles: list[Artist] = [Patch(color=COLOURS[gender], label=f"generated, {gender}") for gender in genders]
        handles.append(Line2D([], [], color="black", label="in the name list", **_LISTED))
        drawn.legend(handles=handles, loc="outside lower center", ncols=3)


def _draw(axes: Axes, rows: pd.DataFrame, gender: str, reach: float) -> None:
    top = rows[rows["rank"] <= _TOP].sort_values("rank")
    places = np.arange(len(top))
    axes.barh(places, top["share"], color=COLOURS[gender], height=0.7)
    axes.plot(top["dictionary_share"], places, **_LISTED)
    axes.set_yticks(places, top["name"])
    axes.set_ylim(_TOP - 0.4, -0.6)
    axes.set_xlim(0, reach)
    axes.tick_params(axis="y", length=0)
    if top.empty:
        axes.text(0.5, 0.5, "none", transform=axes.transAxes, ha="center", color="#666666")
