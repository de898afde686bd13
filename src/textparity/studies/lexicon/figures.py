"""Figures 2, 4 and 5 of Muller 2023, with the intervals the paper's figures lack."""

from pathlib import Path

import numpy as np
import pandas as pd

from textparity.measures.lexicon import NUMBERS
from textparity.measures.procedures import PROCEDURES
from textparity.measures.statistics import TOO_FEW
from textparity.measures.summary import read_summaries
from textparity.measures.terms import CLASSES
from textparity.report.plotting import COLOURS, MARKERS, figure


def plot_lexicon(
    summaries: list[Path],
    lexicon_sizes: list[Path],
    pdf: list[Path],
    svg: list[Path],
    corpus_names: dict[str, str],
    confidence_level: float,
) -> None:
    """Draw each corpus by procedure, then the sizes of lexicons, if there are any; each as PDF and SVG."""
    figures = iter(zip(pdf, svg, strict=True))
    if summaries:
        frame = read_summaries(summaries)
        for procedure in PROCEDURES:
            for corpus, rows in frame.groupby("corpus", sort=False):
                plot_representation(rows, *next(figures), corpus_names[corpus], procedure, confidence_level)
    for sizes in lexicon_sizes:
        plot_lexicon_sizes(sizes, *next(figures))


def plot_representation(
    summary: pd.DataFrame,
    figure_pdf: Path,
    figure_svg: Path,
    corpus_name: str,
    procedure: str,
    confidence_level: float,
) -> None:
    """Draw feminine and masculine nouns in percent of words per language, with intervals (Figures 4 and 5)."""
    rows = summary[summary["procedure"] == procedure].copy()
    rows["balance"] = rows["masculine_percent"] - rows["feminine_percent"]
    rows = rows.sort_values(["balance", "lang"]).reset_index(drop=True)
    units = " or ".join(f"{unit}s" for unit in sorted(rows["resampling_unit"].unique()))
    height = max(2.4, 0.17 * len(rows) + 1.1)
    with figure([figure_pdf, figure_svg], (6.4, height)) as drawn:
        axes = drawn.subplots()
        places = np.arange(len(rows))
        axes.hlines(
            places,
            rows["feminine_percent"],
            rows["masculine_percent"],
            color="#cccccc",
            linewidth=2,
            zorder=1,
        )
        too_few = (rows["verdict"] == TOO_FEW).to_numpy()
        for name, offset in (("feminine", -0.16), ("masculine", 0.16)):
            middle = rows[f"{name}_percent"]
            errors = np.nan_to_num([middle - rows[f"{name}_low"], rows[f"{name}_high"] - middle]).clip(min=0)
            for part, look in ((~too_few, {"label": name}), (too_few, {"markerfacecolor": "white", "alpha": 0.6})):
                axes.errorbar(
                    middle[part], (places + offset)[part], xerr=errors[:, part], fmt=MARKERS[name],
                    color=COLOURS[name], markersize=4, elinewidth=0.9, zorder=2, **look,
                )  # fmt: skip
        labels = [
            lang + (" *" if stand_in else "") + (" †" if few else "")
            for lang, stand_in, few in zip(rows["lang"], rows["stand_in"], too_few, strict=True)
        ]
        axes.set_yticks(places, labels)
        axes.set_ylim(-0.8, len(rows) - 0.2)
        axes.set_xlim(left=0)
        axes.grid(axis="x", color="#eeeeee", zorder=0)
        axes.set_xlabel(
            f"person nouns in % of all words, {confidence_level:.0%} bootstrap interval over {units}"
            + ("\n* cut with a stand-in for the official tokenizer model" if rows["stand_in"].any() else "")
            + ("\n† hollow: too few for a verdict" if too_few.any() else "")
        )
        axes.set_title(f"{corpus_name}, {procedure}: {len(rows)} languages, median {rows['texts'].median():,.0f} texts")
        # Below the axes, where no interval reaches.
        drawn.legend(loc="outside lower center", ncols=2)


def plot_lexicon_sizes(sizes: Path, figure_pdf: Path, figure_svg: Path) -> None:
    """Draw the number of forms per language by class and number (Figure 2)."""
    rows = pd.read_csv(sizes).sort_values("forms", ascending=False).reset_index(drop=True)
    with figure([figure_pdf, figure_svg], (max(4.5, 0.17 * len(rows) + 1.2), 3.2)) as drawn:
        axes = drawn.subplots()
        bottom = np.zeros(len(rows))
        for name in CLASSES:
            for number in NUMBERS:
                heights = rows[f"{name}_{number}"].to_numpy()
                axes.bar(
                    rows["lang"], heights, bottom=bottom, color=COLOURS[name], label=f"{name}, {number}",
                    alpha=1.0 if number == "singular" else 0.55, width=0.8,
                )  # fmt: skip
                bottom += heights
        axes.set_ylabel("forms in the lexicon")
        axes.set_xlim(-0.7, len(rows) - 0.3)
        axes.tick_params(axis="x", rotation=90)
        axes.set_title(f"Size of the lexicon by class and number, {len(rows)} languages")
        axes.legend(loc="upper right")
