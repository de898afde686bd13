"""Draw the comparison of methods: masculine per feminine by each method, divided by that of the annotation."""

from itertools import cycle
from pathlib import Path

import numpy as np
import pandas as pd

from textparity_studies.report.plotting import add_tooltips, figure, head_figure, show_estimate

_ALL, _PUBLISHED, _COMPLETE = "all", "published_lexicon", "complete"
# The prefix of language models' names.
_MODEL = "llm:"
# The marker and colour of each method, in order.
_LOOKS = {
    "published_lexicon": ("v", "#999999"),
    "nouns": ("D", "#0072B2"),
    "pronouns": ("^", "#56B4E9"),
    "words": ("s", "#009E73"),
    "persons": ("o", "#D55E00"),
}
# The markers and colours of language models.
_OTHERS = (("x", "#CC79A7"), ("+", "#000000"), ("*", "#E69F00"))

# A ratio whose bias is within these bounds is called near.
_NEAR = (0.8, 1.25)


def _say_nearest(table: pd.DataFrame, names: dict[str, str]) -> str:
    """Describe the number of corpora in which each method is near the annotated ratio, the best method first."""
    near = table["shown"].between(*_NEAR).groupby(table["method"], sort=False).agg(["sum", "size"])
    if not near["sum"].any():
        return "No method is near the annotated ratio"
    near = near.sort_values("sum", ascending=False, kind="stable")
    said = [f"{names.get(method, method)} in {row['sum']} of {row['size']}" for method, row in near.iterrows()]
    return f"Near the annotated ratio: {', '.join(said)}"


def _select(methods: Path) -> pd.DataFrame:
    """Read the data to draw: `shown` is each method's bias, at marked mentions only if the annotation is partial."""
    table = pd.read_csv(methods)
    table = table[(table["half"] == _ALL) & (table["genre"] == _ALL)]
    is_complete = table["annotation"] == _COMPLETE
    for end in ("", "_low", "_high"):
        table[f"shown{end}"] = table[f"bias{end}"].where(is_complete, table[f"bias_known{end}"])
    # A method without a mention of a woman has no ratio to draw, and a logarithmic axis cannot show 0.
    return table[np.isfinite(table["shown"]) & (table["shown"] > 0)]


def plot_methods(methods: Path, figures: list[Path], corpus_names: dict[str, str], lexicon_name: str) -> None:
    """Draw each method's ratio divided by the annotated one with its interval, per corpus, on a log axis.

    `corpus_names` have keys of corpus and language, such as `gum/eng`; `lexicon_name` is the first method's label.
    """
    names = {_PUBLISHED: lexicon_name}
    table = _select(methods)
    corpora = list(dict.fromkeys(zip(table["gold"], table["lang"], strict=True)))
    shown = list(dict.fromkeys(table["method"]))
    names |= {name: f"model {name.removeprefix(_MODEL)}" for name in shown if name.startswith(_MODEL)}
    looks = _LOOKS | dict(zip((name for name in shown if name not in _LOOKS), cycle(_OTHERS), strict=False))
    with figure(figures, (6.4, 2.0 + 0.62 * len(corpora))) as drawn:
        axes = drawn.subplots()
        axes.axvspan(*_NEAR, color="#eeeeee", zorder=0)
        axes.axvline(1, color="black", linewidth=1.2, zorder=1)
        for place, (gold, lang) in enumerate(reversed(corpora)):
            rows = table[(table["gold"] == gold) & (table["lang"] == lang)]
            for number, row in enumerate(rows.itertuples()):
                marker, colour = looks[row.method]
                y = place + 0.27 - 0.54 * number / max(1, len(shown) - 1)
                low, high = row.shown_low, row.shown_high
                told = f"{names.get(row.method, row.method)}: {show_estimate(row.shown, low, high, 2)}"
                if np.isfinite(low):
                    add_tooltips(axes.plot([low, high], [y, y], color=colour, linewidth=1)[0], [told])
                dot = axes.plot(row.shown, y, marker, color=colour, markersize=5, zorder=4)[0]
                add_tooltips(dot, [told])
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.set_yticks(range(len(corpora)), [corpus_names[f"{gold}/{lang}"] for gold, lang in reversed(corpora)])
        axes.set_ylim(-0.6, len(corpora) - 0.4)
        axes.set_xlabel("masculine per feminine as found, over that of the annotation; log scale")
        head_figure(
            drawn,
            _say_nearest(table, names),
            "Masculine per feminine as each method finds it, over the annotated ratio (at the marked mentions where "
            "only some are marked), with its bootstrap interval over documents where there are ten; near (grey) is "
            f"within {_NEAR[0]:g} to {_NEAR[1]:g}",
        )
        handles = []
        for method in shown:
            marker, colour = looks[method]
            handles += axes.plot([], [], marker, color=colour, label=names.get(method, method))
        drawn.legend(handles=handles, loc="outside lower center", ncols=3)
