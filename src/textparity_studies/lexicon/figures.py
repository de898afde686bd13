"""Draw Figures 2, 4 and 5 of Muller 2023, with intervals, which the paper's figures lack."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.counting import CLASSES
from textparity.counting.lexicon import NUMBERS
from textparity.estimating.gaps import TOO_FEW
from textparity_studies.lexicon.summaries import read_summaries
from textparity_studies.report.plotting import COLOURS, MARKERS, Chart, draw_bars, draw_estimates, format_estimates


def plot_lexicon(
    summaries: list[Path],
    lexicon_sizes: Path,
    corpus_names: dict[str, str],
    language_names: dict[str, str],
    lexicon_name: str,
    confidence_level: float,
) -> Iterator[Chart]:
    """Draw each corpus by procedure, if there are any, and the sizes of the lexicon."""
    for (procedure, corpus), rows in read_summaries(summaries).groupby(["procedure", "corpus"]) if summaries else ():
        units = rows.groupby("resampling_unit")["units"].median()
        method = (
            f"{corpus_names[corpus]}, {procedure} procedure: person nouns of {lexicon_name}, median "
            f"{rows['texts'].median():,.0f} texts a language, {100 * confidence_level:g} % bootstrap intervals over "
            + " or ".join(f"{number:,.0f} {unit}s" for unit, number in units.items())
        )
        yield draw_representation(f"{procedure}/representation_{corpus}", rows, method, language_names)
    yield draw_lexicon_sizes(pd.read_csv(lexicon_sizes), language_names, lexicon_name)


def draw_representation(name: str, rows: pd.DataFrame, method: str, language_names: Mapping[str, str]) -> Chart:
    """Draw feminine and masculine nouns in percent of words per language, with intervals (Figures 4 and 5)."""
    rows = rows.assign(balance=rows["masculine_percent"] - rows["feminine_percent"])
    rows = rows.sort_values(["balance", "lang"]).reset_index(drop=True)
    chart = Chart(name, (6.4, max(3.0, 0.17 * len(rows) + 1.6)), describe_verdicts(rows["verdict"]), method)
    axes = chart.subplots()
    places = np.arange(len(rows))
    axes.hlines(places, rows["feminine_percent"], rows["masculine_percent"], color="#cccccc", linewidth=2, zorder=1)
    languages = [language_names.get(lang, lang) for lang in rows["lang"]]
    too_few = rows["verdict"] == TOO_FEW
    for gender, offset in (("feminine", -0.16), ("masculine", 0.16)):
        estimates = rows[[f"{gender}_percent", f"{gender}_low", f"{gender}_high"]]
        texts = format_estimates(estimates, 3)
        tooltips = [f"{lang}, {gender}: {text} % of words" for lang, text in zip(languages, texts, strict=True)]
        draw_estimates(
            axes, places + offset, estimates, tooltips, is_faint=too_few,
            faint_style={"markerfacecolor": "white", "alpha": 0.6}, label=gender, fmt=MARKERS[gender],
            color=COLOURS[gender], markersize=4, elinewidth=0.9, zorder=2,
        )  # fmt: skip
    labels = [
        language + (" *" if stand_in else "") + (" †" if few else "")
        for language, stand_in, few in zip(languages, rows["stand_in"], too_few, strict=True)
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
    chart.add_legend(columns=2)
    return chart


def describe_verdicts(verdicts: pd.Series) -> str:
    """Describe the number of languages with each verdict in a sentence."""
    more = {name: int((verdicts == name).sum()) for name in ("masculine", "feminine")}
    if not any(more.values()):
        return f"No clear difference between masculine and feminine nouns in any of {len(verdicts)} languages"
    return (
        f"More masculine nouns in {more['masculine']} of {len(verdicts)} languages, "
        f"more feminine ones in {more['feminine']}"
    )


def draw_lexicon_sizes(rows: pd.DataFrame, language_names: Mapping[str, str], lexicon_name: str) -> Chart:
    """Draw the number of forms per language by class and number (Figure 2)."""
    rows = rows.sort_values("forms", ascending=False).reset_index(drop=True)
    forms = rows["forms"]
    chart = Chart(
        "lexicon_sizes",
        (max(5.4, 0.17 * len(rows) + 1.2), 4.8),
        f"{lexicon_name[:1].upper()}{lexicon_name[1:]} has {forms.min():,} to {forms.max():,} forms a language, "
        f"{forms.median():,.0f} in the median",
        f"Forms by class and number, {len(rows)} languages",
    )
    axes = chart.subplots()
    languages = [language_names.get(lang, lang) for lang in rows["lang"]]
    base = np.zeros(len(rows))
    for gender in CLASSES:
        for number in NUMBERS:
            heights, label = rows[f"{gender}_{number}"].to_numpy(), f"{gender}, {number}"
            tooltips = [f"{lang}, {label}: {height:g}" for lang, height in zip(languages, heights, strict=True)]
            opacity = 1.0 if number == "singular" else 0.55
            draw_bars(axes, rows.index, heights, tooltips, base=base, color=COLOURS[gender], label=label, alpha=opacity)
            base += heights
    axes.set_ylabel("forms in the lexicon")
    axes.set_xlim(-0.7, len(rows) - 0.3)
    axes.set_xticks(rows.index, languages, rotation=90)
    chart.add_legend(columns=3)
    return chart
