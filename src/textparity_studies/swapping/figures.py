"""Draw the names that systems generate, and the recall of job titles by training data (Nahurna 2025)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from textparity_studies.report.plotting import COLOURS, GREY, Chart, add_tooltips, draw_bars
from textparity_studies.swapping.settings import (
    AUGMENTED,
    BALANCED,
    COMMON,
    CORRECTED,
    DUPLICATED,
    FEMININE,
    MASCULINE,
    ORIGINAL,
    TRAINING_DATA,
    UNKNOWN,
)

# The number of names drawn for each system and gender.
_TOP = 10
_LISTED: dict[str, Any] = {
    "marker": "D", "markersize": 4, "markerfacecolor": "white", "markeredgecolor": "black", "linestyle": "none",
}  # fmt: skip
_DATA_COLOURS = {ORIGINAL: "#999999", DUPLICATED: "#E69F00", BALANCED: "#009E73"}
_DATA_MARKERS = {ORIGINAL: "o", DUPLICATED: "D", BALANCED: "s"}


def plot_name_bias(table: Path, names: dict[str, str]) -> Iterator[Chart]:
    """Draw the ten most generated names for each system and gender, in percent, with the name list's shares.

    `names` maps systems to their names; other systems keep the name in the table.
    """
    names = names | {"reviewed": "Reviewed sentences"}
    rows = pd.read_csv(table)
    rows = rows[rows["procedure"] == CORRECTED]
    systems = list(dict.fromkeys(rows["system"]))
    genders = (FEMININE, MASCULINE)
    reach = 1.12 * max(1, rows.loc[rows["rank"] <= _TOP, ["share", "dictionary_share"]].max().max())
    chart = Chart(
        "name_bias",
        (max(5.4, 2.6 * len(systems) + 0.4), 6.4),
        describe_top_names(rows),
        f"First names that swapping puts into sentences, corrected procedure: the {_TOP} of each gender that a system "
        "uses most, beside their share in a list of Ukrainian names",
    )
    panels = chart.subplots(2, max(len(systems), 1), squeeze=False, sharex=True)
    for column, system in enumerate(systems):
        of_system = rows[rows["system"] == system]
        for axes, gender in zip(panels[:, column], genders, strict=True):
            chosen = of_system[of_system["gender"] == gender]
            _draw_names(axes, chosen[chosen["rank"] <= _TOP].sort_values("rank"), gender)
            axes.set_xlim(0, reach)
            title = f"{names.get(system, system)}\n" if gender == FEMININE else ""
            axes.set_title(f"{title}{gender}: {int(chosen['generated'].sum())} names")
        undecided = int(of_system.loc[of_system["gender"] == "ambiguous", "generated"].sum())
        note = f"\n{undecided} more: gender open" if undecided else ""
        panels[-1, column].set_xlabel(f"% of the gender's names{note}")
    handles: list[Artist] = [Patch(color=COLOURS[gender], label=f"generated, {gender}") for gender in genders]
    handles.append(Line2D([], [], color="black", label="in the name list", **_LISTED))
    chart.add_legend(2, handles)
    yield chart


def _draw_names(axes: Axes, top: pd.DataFrame, gender: str) -> None:
    places = np.arange(len(top))
    tooltips = [f"{row.name}: {row.generated}, {row.share:.1f} %" for row in top.itertuples(index=False)]
    draw_bars(axes, places, top["share"], tooltips, along="x", width=0.7, color=COLOURS[gender])
    listed = axes.plot(top["dictionary_share"], places, **_LISTED)[0]
    add_tooltips(
        listed, [f"{row.name}: {row.dictionary_share:.1f} % of the name list" for row in top.itertuples(index=False)]
    )
    axes.set_yticks(places, top["name"])
    axes.set_ylim(_TOP - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    if top.empty:
        axes.text(0.5, 0.5, "none", transform=axes.transAxes, ha="center", color=GREY)


def describe_top_names(rows: pd.DataFrame) -> str:
    """Describe the share of the most frequent names among the generated names and in the name list, over all panels."""
    top = rows[(rows["rank"] <= _TOP) & rows["share"].notna()]
    if top.empty:
        return "No system puts a name into a sentence"
    shares = top.groupby(["system", "gender"])[["share", "dictionary_share"]].sum().median()
    return (
        f"In the median, the {_TOP} names that a system uses most are {shares['share']:.0f} % of its names of a "
        f"gender, and {shares['dictionary_share']:.0f} % of the name list"
    )


def plot_job_recall(recall: Path) -> Iterator[Chart]:
    """Draw the recall of job titles by gender in the augmented test set: a point per seed, a line for the mean."""
    rows = pd.read_csv(recall)
    rows = rows[(rows["test_set"] == AUGMENTED) & (rows["gender"] != UNKNOWN)]
    procedures = list(dict.fromkeys(rows["procedure"]))
    genders = [gender for gender in (FEMININE, MASCULINE, COMMON) if gender in set(rows["gender"])]
    chart = Chart(
        "job_recall",
        (max(5.4, 1.2 + 2.6 * len(procedures)), 3.6),
        describe_recall(rows[rows["procedure"] == procedures[-1]]),
        "Recall of job titles in the original and the swapped test texts, by grammatical gender: a mark for each seed, "
        f"a line for the mean; the means above are by the {procedures[-1]} procedure",
    )
    panels = chart.panels(1, len(procedures), sharey=True)
    for axes, procedure in zip(panels, procedures, strict=True):
        for shift, data in ((-0.25, ORIGINAL), (0, DUPLICATED), (0.25, BALANCED)):
            for place, gender in enumerate(genders):
                chosen = rows[(rows["procedure"] == procedure) & (rows["data"] == data) & (rows["gender"] == gender)]
                if len(chosen):
                    label = None if place else f"trained on {data}"
                    _draw_recall(axes, place + shift, chosen, data, label)
        axes.set_xticks(range(len(genders)), genders)
        axes.set_title(f"{procedure} procedure")
    panels[0].set_ylabel("recall of job titles")
    panels[0].set_ylim(bottom=0)
    chart.add_legend(3)
    yield chart


def _draw_recall(axes: Axes, place: float, rows: pd.DataFrame, data: str, label: str | None) -> None:
    colour, values = _DATA_COLOURS[data], rows["recall"]
    points = axes.plot([place] * len(rows), values, _DATA_MARKERS[data], color=colour, markersize=4, label=label)[0]
    add_tooltips(points, [f"{data}, seed {row.seed}: {row.recall:.3f}" for row in rows.itertuples()])
    mean = axes.hlines(values.mean(), place - 0.11, place + 0.11, color=colour)
    add_tooltips(mean, [f"{data}, mean: {values.mean():.3f}"])


def describe_recall(rows: pd.DataFrame) -> str:
    """Describe the mean recall of feminine titles by the recognizer's training data, for one procedure."""
    means = rows[rows["gender"] == FEMININE].groupby("data")["recall"].mean().reindex(TRAINING_DATA).dropna()
    parts = ", ".join(f"{mean:.2f} trained on {data} texts" for data, mean in means.items())
    return f"Recall of feminine job titles: {parts or 'none measured'}"
