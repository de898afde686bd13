"""Draw Figures 2, 4 and 5 of Muller 2023, with intervals, which the paper's figures lack."""

from pathlib import Path

import numpy as np
import pandas as pd

from textparity.counting.lexicon import NUMBERS
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import TOO_FEW
from textparity.counting.summary import read_summaries
from textparity.counting.terms import CLASSES
from textparity_studies.report.catalogue import by_figure
from textparity_studies.report.plotting import COLOURS, MARKERS, add_tooltips, figure, head_figure, show_estimate


def plot_lexicon(
    summaries: list[Path],
    lexicon_sizes: list[Path],
    figures: list[Path],
    corpus_names: dict[str, str],
    language_names: dict[str, str],
    lexicon_name: str,
    confidence_level: float,
) -> None:
    """Draw each corpus by procedure and, if there are any, the sizes of the lexicon."""
    drawn = iter(by_figure(figures))
    if summaries:
        frame = read_summaries(summaries)
        for procedure in PROCEDURES:
            for corpus, rows in frame.groupby("corpus", sort=False):
                names = corpus_names[corpus], procedure, language_names, lexicon_name
                plot_representation(rows, next(drawn), *names, confidence_level)
    for sizes in lexicon_sizes:
        plot_lexicon_sizes(sizes, next(drawn), language_names, lexicon_name)


def plot_representation(
    summary: pd.DataFrame,
    files: list[Path],
    corpus_name: str,
    procedure: str,
    language_names: dict[str, str],
    lexicon_name: str,
    confidence_level: float,
) -> None:
    """Draw feminine and masculine nouns in percent of words per language, with intervals (Figures 4 and 5)."""
    rows = summary[summary["procedure"] == procedure].copy()
    rows["balance"] = rows["masculine_percent"] - rows["feminine_percent"]
    rows = rows.sort_values(["balance", "lang"]).reset_index(drop=True)
    units = " or ".join(
        f"{number:,.0f} {unit}s" for unit, number in rows.groupby("resampling_unit")["units"].median().items()
    )
    height = max(3.0, 0.17 * len(rows) + 1.6)
    with figure(files, (6.4, height)) as drawn:
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
        names = np.array([language_names.get(lang, lang) for lang in rows["lang"]])
        for name, offset in (("feminine", -0.16), ("masculine", 0.16)):
            middle = rows[f"{name}_percent"]
            errors = np.nan_to_num([middle - rows[f"{name}_low"], rows[f"{name}_high"] - middle]).clip(min=0)
            for part, look in ((~too_few, {"label": name}), (too_few, {"markerfacecolor": "white", "alpha": 0.6})):
                marks = axes.errorbar(
                    middle[part], (places + offset)[part], xerr=errors[:, part], fmt=MARKERS[name],
                    color=COLOURS[name], markersize=4, elinewidth=0.9, zorder=2, **look,
                )  # fmt: skip
                ends = rows.loc[part, [f"{name}_percent", f"{name}_low", f"{name}_high"]].to_numpy()
                said = [f"{show_estimate(value, low, high, 3)} % of words" for value, low, high in ends]
                add_tooltips(
                    marks, [f"{language}, {name}: {of}" for language, of in zip(names[part], said, strict=True)]
                )
        labels = [
            language + (" *" if stand_in else "") + (" †" if few else "")
            for language, stand_in, few in zip(names, rows["stand_in"], too_few, strict=True)
        ]
        axes.set_yticks(places, labels)
        axes.set_ylim(-0.8, len(rows) - 0.2)
        axes.set_xlim(left=0)
        axes.grid(axis="x", color="#eeeeee", zorder=0)
        axes.set_xlabel(
            "person nouns in % of all words"
            + ("\n* cut with a stand-in for the official tokenizer model" if rows["stand_in"].any() else "")
            + ("\n† hollow: too few for a verdict" if too_few.any() else "")
        )
        head_figure(
            drawn,
            _say_verdicts(rows["verdict"]),
            f"{corpus_name}, {procedure} procedure: person nouns of {lexicon_name}, median "
            f"{rows['texts'].median():,.0f} texts a language, {100 * confidence_level:g} % bootstrap intervals over "
            f"{units}",
        )
        # The legend is below the axes, where no interval reaches.
        drawn.legend(loc="outside lower center", ncols=2)


def _say_verdicts(verdicts: pd.Series) -> str:
    """Describe the number of languages with each verdict in a sentence."""
    more = {name: int((verdicts == name).sum()) for name in ("masculine", "feminine")}
    if not any(more.values()):
        return f"No clear difference between masculine and feminine nouns in any of {len(verdicts)} languages"
    return (
        f"More masculine nouns in {more['masculine']} of {len(verdicts)} languages, "
        f"more feminine ones in {more['feminine']}"
    )


def plot_lexicon_sizes(sizes: Path, files: list[Path], language_names: dict[str, str], lexicon_name: str) -> None:
    """Draw the number of forms per language by class and number (Figure 2)."""
    rows = pd.read_csv(sizes).sort_values("forms", ascending=False).reset_index(drop=True)
    with figure(files, (max(5.4, 0.17 * len(rows) + 1.2), 4.8)) as drawn:
        axes = drawn.subplots()
        bottom, places = np.zeros(len(rows)), np.arange(len(rows))
        names = [language_names.get(lang, lang) for lang in rows["lang"]]
        for name in CLASSES:
            for number in NUMBERS:
                heights = rows[f"{name}_{number}"].to_numpy()
                bars = axes.bar(
                    places, heights, bottom=bottom, color=COLOURS[name], label=f"{name}, {number}",
                    alpha=1.0 if number == "singular" else 0.55, width=0.8,
                )  # fmt: skip
                add_tooltips(
                    bars, [f"{of}, {name}, {number}: {height:g}" for of, height in zip(names, heights, strict=True)]
                )
                bottom += heights
        axes.set_ylabel("forms in the lexicon")
        axes.set_xlim(-0.7, len(rows) - 0.3)
        axes.set_xticks(places, names, rotation=90)
        forms = rows["forms"]
        head_figure(
            drawn,
            f"{lexicon_name[:1].upper()}{lexicon_name[1:]} has {forms.min():,} to {forms.max():,} forms a language, "
            f"{forms.median():,.0f} in the median",
            f"Forms by class and number, {len(rows)} languages",
        )
        drawn.legend(loc="outside lower center", ncols=3)
