"""Draw the comparison of methods: masculine per feminine by each method, divided by that of the annotation."""

from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from textparity.auditing.settings import make_settings
from textparity_studies.report.plotting import Chart, draw_estimates, format_estimates

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

DEFAULT_METHOD = make_settings().counting.method
# A ratio whose bias is within these bounds is called near.
_NEAR = (0.8, 1.25)


def plot_methods(
    methods: Path, corpus_names: dict[str, str], language_names: dict[str, str], lexicon_name: str
) -> Iterator[Chart]:
    """Draw each method's ratio divided by the annotated one with its interval, per corpus, on a log axis.

    `corpus_names` have keys of corpus and language, such as `gum/eng`; `lexicon_name` is the first method's label.
    """
    rows = read_biases(methods)
    # In the order of the table, the first corpus on top.
    corpora = list(dict.fromkeys(rows["corpus"]))[::-1]
    shown = list(dict.fromkeys(rows["method"]))
    names = {name: f"model {name.removeprefix(_MODEL)}" if name.startswith(_MODEL) else name for name in shown}
    names |= {_PUBLISHED: lexicon_name, DEFAULT_METHOD: f"{DEFAULT_METHOD} (default of the audit)"}
    looks = _LOOKS | dict(zip((name for name in shown if name not in _LOOKS), cycle(_OTHERS), strict=False))
    chart = Chart(
        "ratios",
        (6.4, 2.0 + 0.62 * len(corpora)),
        describe_nearest(rows, names),
        "Masculine per feminine as each method finds it, over the annotated ratio (at the marked mentions where only "
        "some are marked), with its bootstrap interval over documents where there are ten; near (grey) is within "
        f"{_NEAR[0]:g} to {_NEAR[1]:g}",
    )
    axes = chart.subplots()
    axes.axvspan(*_NEAR, color="#eeeeee", zorder=0)
    axes.axvline(1, color="black", linewidth=1.2, zorder=1)
    order = rows.groupby("corpus").cumcount()
    places = rows["corpus"].map(corpora.index).astype(float) + 0.27 - 0.54 * order / max(1, len(shown) - 1)
    for method, found in rows.groupby("method", sort=False):
        estimates = found[["bias", "bias_low", "bias_high"]]
        tooltips = [f"{names[method]}: {text}" for text in format_estimates(estimates, 2)]
        marker, colour = looks[method]
        draw_estimates(
            axes, places[found.index], estimates, tooltips, fmt=marker, color=colour, markersize=5, elinewidth=1
        )
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    labels = []
    for corpus in corpora:
        lang = corpus.rpartition("/")[2]
        labels.append(f"{corpus_names[corpus]}\n{language_names[lang]}")
    axes.set_yticks(range(len(corpora)), labels)
    axes.set_ylim(-0.6, len(corpora) - 0.4)
    axes.set_xlabel("masculine per feminine as found, over that of the annotation; log scale")
    handles = [Line2D([], [], color="black", linewidth=1.2, label="the annotation (truth)")]
    for method in shown:
        marker, colour = looks[method]
        handles.append(Line2D([], [], marker=marker, linestyle="none", color=colour, label=names[method]))
    chart.add_legend(2, handles)
    yield chart


def read_biases(methods: Path) -> pd.DataFrame:
    """Read each method's bias on the whole of each corpus, at marked mentions only if the annotation is partial."""
    table = pd.read_csv(methods)
    table = table[(table["half"] == _ALL) & (table["genre"] == _ALL)]
    is_complete = table["annotation"] == _COMPLETE
    for end in ("", "_low", "_high"):
        table[f"bias{end}"] = table[f"bias{end}"].where(is_complete, table[f"bias_known{end}"])
    table["corpus"] = table["gold"] + "/" + table["lang"]
    # A method without a mention of a woman has no ratio to draw, and a logarithmic axis cannot show 0.
    return table[np.isfinite(table["bias"]) & (table["bias"] > 0)]


def describe_nearest(rows: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Describe the number of corpora in which each method is near the annotated ratio, the best method first."""
    near = rows["bias"].between(*_NEAR).groupby(rows["method"], sort=False).agg(["sum", "size"])
    if not near["sum"].any():
        return "No method is near the annotated ratio"
    near = near.sort_values("sum", ascending=False, kind="stable")
    counts = [f"{names[method]} in {row['sum']} of {row['size']}" for method, row in near.iterrows()]
    return f"Near the annotated ratio: {', '.join(counts)}"
