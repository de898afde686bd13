"""The figure of the comparison: masculine per feminine by the annotation and by each method."""

from itertools import cycle
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.report.plotting import figure, head_figure, show_estimate, tell

_ALL, _PUBLISHED = "all", "published_lexicon"
# How the names of language models begin.
_MODEL = "llm:"
# Of methods in their order; the truth is black.
_LOOKS = {
    "published_lexicon": ("v", "#999999"),
    "nouns": ("D", "#0072B2"),
    "pronouns": ("^", "#56B4E9"),
    "words": ("s", "#009E73"),
    "persons": ("o", "#D55E00"),
}
# Of language models.
_OTHERS = (("x", "#CC79A7"), ("+", "#000000"), ("*", "#E69F00"))
_NAMES = {
    "nouns": "revised lexicon, nouns",
    "pronouns": "pronouns alone",
    "words": "revised lexicon, all layers",
    "persons": "persons (pipeline)",
}

# The bias of a ratio that is called near.
_NEAR = (0.8, 1.25)


def _say_nearest(table: pd.DataFrame, names: dict[str, str]) -> str:
    """Return in how many of its corpora each of the best two methods is near the annotated ratio, and the lexicon."""
    near = table["bias"].between(*_NEAR).groupby(table["method"], sort=False).agg(["sum", "size"])
    if not near["sum"].any():
        return "No method is near the annotated ratio"
    best = near.sort_values("sum", ascending=False, kind="stable").index[:2]
    said = [
        f"{names.get(method, method)} in {near['sum'][method]} of {near['size'][method]}"
        for method in dict.fromkeys([*best, *([_PUBLISHED] if _PUBLISHED in near.index else [])])
    ]
    return f"Near the annotated ratio: {', '.join(said)}"


def plot_methods(methods: Path, figures: list[Path], corpus_names: dict[str, str], lexicon_name: str) -> None:
    """Draw, for each corpus, the annotated ratio and those of the methods with their intervals, on a log axis.

    `corpus_names` are by corpus and language, as in `gum/eng`; `lexicon_name` is what the first method is called.
    """
    names = {_PUBLISHED: lexicon_name} | _NAMES
    table = pd.read_csv(methods)
    table = table[(table["half"] == _ALL) & (table["genre"] == _ALL)]
    corpora = list(dict.fromkeys(zip(table["gold"], table["lang"], strict=True)))
    # A method without a mention of a woman has no ratio to draw, and 0 no place on a logarithmic axis.
    table = table[np.isfinite(table["masculine_per_feminine"]) & (table["masculine_per_feminine"] > 0)]
    shown = list(dict.fromkeys(table["method"]))
    names |= {name: f"model {name.removeprefix(_MODEL)}" for name in shown if name.startswith(_MODEL)}
    looks = _LOOKS | dict(zip((name for name in shown if name not in _LOOKS), cycle(_OTHERS), strict=False))
    with figure(figures, (6.4, 2.0 + 0.62 * len(corpora))) as drawn:
        axes = drawn.subplots()
        for place, (gold, lang) in enumerate(reversed(corpora)):
            rows = table[(table["gold"] == gold) & (table["lang"] == lang)]
            truth = rows["true_masculine_per_feminine"].iloc[0]
            ends = [place - 0.36, place + 0.36]
            tell(axes.plot([truth, truth], ends, color="black", linewidth=2, zorder=3)[0], [f"annotated: {truth:.2f}"])
            for number, row in enumerate(rows.itertuples()):
                marker, colour = looks[row.method]
                y = place + 0.27 - 0.54 * number / max(1, len(shown) - 1)
                low, high = row.masculine_per_feminine_low, row.masculine_per_feminine_high
                ratio = show_estimate(row.masculine_per_feminine, low, high, 2)
                told = f"{names.get(row.method, row.method)}: {ratio}"
                if np.isfinite(low):
                    tell(axes.plot([low, high], [y, y], color=colour, linewidth=1)[0], [told])
                dot = axes.plot(row.masculine_per_feminine, y, marker, color=colour, markersize=5, zorder=4)[0]
                tell(dot, [told])
        axes.axvline(1, color="#cccccc", linewidth=0.8, zorder=0)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.set_yticks(range(len(corpora)), [corpus_names[f"{gold}/{lang}"] for gold, lang in reversed(corpora)])
        axes.set_ylim(-0.6, len(corpora) - 0.4)
        axes.set_xlabel("masculine for one feminine mention, log scale")
        head_figure(
            drawn,
            _say_nearest(table, names),
            "Masculine for one feminine mention: annotated (black), and by each method with its bootstrap interval "
            f"over documents; near is within {_NEAR[0]:g} to {_NEAR[1]:g} of the annotated ratio",
        )
        handles = [axes.plot([], [], color="black", linewidth=2, label="annotated")[0]]
        for method in shown:
            marker, colour = looks[method]
            handles += axes.plot([], [], marker, color=colour, label=names.get(method, method))
        drawn.legend(handles=handles, loc="outside lower center", ncols=3)
