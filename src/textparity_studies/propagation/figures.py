"""Draw Figure 2 of Derner 2025, the ratio by training steps, the shifts over training seeds, and the loss."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from textparity.counting import PROCEDURES
from textparity_studies.propagation.base_models import BALANCED, BASE, FEMALE, MALE
from textparity_studies.propagation.story_measures import UNIT, unit_of
from textparity_studies.propagation.tables import CONDITION_TITLES, SHIFTS, shift_name
from textparity_studies.report.ledger import read_published
from textparity_studies.report.plotting import GREY, Chart, add_tooltips, draw_bars, draw_estimates, format_estimates

# Colours of Okabe & Ito's palette, in the order of the paper's grey, blue, purple and red.
COLOURS = {BASE: "#999999", MALE: "#0072B2", BALANCED: "#CC79A7", FEMALE: "#D55E00"}
MARKERS = {MALE: "s", BALANCED: "D", FEMALE: "o"}
# The paper's languages.
LANGS = {"eng": "en", "spa": "es", "cat": "va"}
_RATIO = "masculine : feminine words"
_PARITY: dict[str, Any] = {"color": "#444444", "linewidth": 0.9, "linestyle": (0, (4, 3)), "zorder": 1}
_PUBLISHED: dict[str, Any] = {
    "marker": "D", "markersize": 4.5, "markerfacecolor": "white", "markeredgecolor": "black", "linestyle": "none",
    "zorder": 5,
}  # fmt: skip
_BAR_WIDTH = 0.2
_LOSS_DASHES = {MALE: "solid", BALANCED: (0, (4, 2)), FEMALE: (0, (1, 1))}
_LOSS_COLUMNS = 3
_LOSS_SIZE = (3.1, 2.4)
# The height of a label as a fraction of its panel.
_LABEL_HEIGHT = 0.09


def plot_propagation(
    published: Path,
    story_ratios: Path | None,
    checkpoint_steps: Path | None,
    shifts: Path | None,
    seeds: Path | None,
    training_logs: list[Path],
    published_names: dict[str, str],
    language_names: dict[str, str],
    confidence_level: float,
) -> Iterator[Chart]:
    """Draw all figures of the study: the loss, and the ratios of the models' texts by each procedure.

    If `published_names` has the paper's name of a base model, its ratios have the paper's next to them.
    """
    if training_logs:
        yield draw_loss(training_logs, language_names)
    if not (story_ratios and checkpoint_steps and shifts and seeds):
        return
    papers = {
        number.row: float(number.value)
        for number in read_published(published)
        if (number.table, number.column) == ("9", "masculine_per_feminine")
    }
    level = f"{100 * confidence_level:g} %"
    for procedure in PROCEDURES:
        ratios, steps, shifted, points = (
            table[table["procedure"] == procedure]
            for table in map(pd.read_csv, (story_ratios, checkpoint_steps, shifts, seeds))
        )
        yield draw_story_ratios(ratios, procedure, papers, published_names, language_names, level)
        yield draw_checkpoint_steps(steps, procedure, language_names, level)
        yield draw_shifts(shifted, points, procedure, language_names, level)


def draw_story_ratios(
    rows: pd.DataFrame,
    procedure: str,
    papers: Mapping[str, float],
    published_names: Mapping[str, str],
    language_names: Mapping[str, str],
    level: str,
) -> Chart:
    """Draw Figure 2: a panel per language, with a bar for each base model and condition.

    Error bars are standard deviations over repetitions (published) or bootstrap intervals (corrected). Hollow markers
    are the paper's ratios (`papers`, by language, model and condition).
    """
    langs, models = list(dict.fromkeys(rows["lang"])), list(dict.fromkeys(rows["base_model"]))
    interval = f"{level} bootstrap interval over stories"
    bars = "standard deviation over repetitions" if procedure == "published" else interval
    chart = Chart(
        f"{procedure}/story_ratios",
        (max(5.4, max(3.6, 1.2 + 1.5 * len(models)) * len(langs) + 0.4), 4.1),
        describe_moves(rows),
        f"Masculine for one feminine word in what models write, {procedure} procedure; cases are models and "
        f"languages, beside the base model; thin lines: {bars}",
    )
    labels = [
        f"{LANGS.get(row.lang, row.lang)} {published_names.get(row.base_model) or ''} {row.condition}"
        for row in rows.itertuples()
    ]
    places = rows["base_model"].map(models.index).astype(float)
    rows = rows.assign(paper=[papers.get(label, np.nan) for label in labels], place=places)
    for axes, lang in zip(chart.panels(1, len(langs), sharey=True), langs, strict=True):
        of_lang = rows[rows["lang"] == lang]
        for number, condition in enumerate(COLOURS):
            chosen = of_lang[of_lang["condition"] == condition]
            _draw_condition(axes, condition, chosen, chosen["place"] + (number - 1.5) * _BAR_WIDTH)
        axes.axhline(1, **_PARITY)
        axes.set_xticks(range(len(models)), models)
        axes.set_xlim(-0.6, len(models) - 0.4)
        axes.tick_params(axis="x", length=0)
        axes.set_title(f"{language_names.get(lang, lang)}: {_describe_numbers(of_lang)}", fontsize=9)
    chart.axes[0].set_ylabel(_RATIO)
    handles = [
        Line2D([], [], color=colour, marker="s", markersize=7, linestyle="none", label=CONDITION_TITLES[name])
        for name, colour in COLOURS.items()
    ]
    if rows.loc[rows["ratio"].notna(), "paper"].notna().any():
        handles.append(Line2D([], [], label="the paper's", **_PUBLISHED))
    handles.append(Line2D([], [], label="parity", **_PARITY))
    chart.add_legend(3, handles, fontsize=8)
    return chart


def _draw_condition(axes: Axes, condition: str, rows: pd.DataFrame, places: pd.Series) -> None:
    """Draw a bar for each model after one condition's training."""
    for place in places[rows["ratio"].isna()]:
        axes.text(place, 0.02, "no ratio", rotation=90, ha="center", va="bottom", fontsize=7, color=GREY)
    rows = rows[rows["ratio"].notna()]
    places, estimates, title = places[rows.index], _estimates(rows), CONDITION_TITLES[condition]
    tooltips = [f"{title}: {text}" for text in format_estimates(estimates, 2)]
    draw_bars(axes, places, rows["ratio"], tooltips, width=_BAR_WIDTH * 0.9, color=COLOURS[condition], zorder=2)
    style: dict[str, Any] = {"fmt": "none", "ecolor": "black", "elinewidth": 0.9, "capsize": 2.5, "zorder": 4}
    draw_estimates(axes, places, estimates, tooltips, along="y", **style)
    markers = axes.plot(places, rows["paper"], **_PUBLISHED)[0]
    add_tooltips(markers, [f"{title}, the paper's: {ratio:g}" for ratio in rows["paper"]])


def _estimates(rows: pd.DataFrame) -> pd.DataFrame:
    """Select each ratio with its interval, or where it has none, with its standard deviation."""
    ratios, deviations = rows["ratio"], rows.get("ratio_sd", np.nan)
    low, high = rows["ratio_low"].fillna(ratios - deviations), rows["ratio_high"].fillna(ratios + deviations)
    return pd.DataFrame({"ratio": ratios, "low": low, "high": high})


def describe_moves(rows: pd.DataFrame) -> str:
    """Describe how many models and languages with ratios move in the direction of their training's bias."""
    wide = rows.pivot(index=UNIT, columns="condition", values="ratio").reindex(columns=list(COLOURS))
    parts = []
    for name, verb, sign in ((MALE, "raises", 1), (FEMALE, "lowers", -1)):
        moves = (wide[name] - wide[BASE]).dropna()
        if len(moves):
            moved = f"{(sign * moves > 0).sum()} of {len(moves)} cases"
            parts.append(f"{CONDITION_TITLES[name].lower()} training {verb} the ratio in {moved}")
    return ", ".join(parts).capitalize() or "No trained model has a ratio beside its base model’s"


def _describe_numbers(rows: pd.DataFrame) -> str:
    return f"{_format_span(rows['stories'])} stories a bar, {_format_span(rows['repetitions'])} repetitions"


def _format_span(values: pd.Series) -> str:
    low, high = int(values.min()), int(values.max())
    return f"{low}" if low == high else f"{low}–{high}"


def draw_checkpoint_steps(rows: pd.DataFrame, procedure: str, language_names: Mapping[str, str], level: str) -> Chart:
    """Draw the ratio against the training steps, a panel per base model and language, on a logarithmic axis."""
    cases = list(rows.groupby(UNIT, sort=False))
    last_steps = rows.sort_values("step").groupby([*UNIT, "condition"], sort=False).tail(1)
    chart = Chart(
        f"{procedure}/checkpoint_steps",
        (max(5.4, 4.2 * len(cases) + 0.6), 4.1),
        describe_moves(last_steps),
        f"Masculine for one feminine word in what models write, {procedure} procedure, after the last step of "
        f"training (cases are models and languages); dashed: parity; bars: {level} bootstrap interval over stories",
    )
    panels = chart.panels(1, len(cases), sharey=True)
    for axes, ((model, lang), of_case) in zip(panels, cases, strict=True):
        base = of_case[of_case["condition"] == BASE]
        for number, name in enumerate(MARKERS):
            chosen = of_case[of_case["condition"] == name].sort_values("step")
            # Shift the points sideways, because their intervals would hide one another.
            shift = (number - 1) * 0.008 * of_case["step"].max()
            _draw_steps(axes, chosen, CONDITION_TITLES[name], shift, color=COLOURS[name], marker=MARKERS[name])
            line = pd.concat([base, chosen])[["step", "ratio"]]
            axes.plot(line["step"] + shift * (line["step"] > 0), line["ratio"], color=COLOURS[name], linewidth=1.3)
        _draw_steps(axes, base, CONDITION_TITLES[BASE], color=GREY, marker="o")
        axes.axhline(1, **_PARITY)
        axes.set_yscale("log")
        axes.set_xticks(sorted(set(of_case["step"])))
        axes.set_xlabel("steps of training (0: base model)")
        axes.set_title(f"{model}, {language_names.get(lang, lang)}: {_describe_numbers(of_case)}", fontsize=9)
    # All panels share this axis.
    _format_log_ticks(panels[0].yaxis)
    panels[0].set_ylabel(_RATIO)
    for axes, (_, of_case) in zip(panels, cases, strict=True):
        last = of_case[of_case["ratio"] > 0].sort_values("step").groupby("condition").tail(1).set_index("condition")
        _label_ends(axes, {name: (*last.loc[name, ["step", "ratio"]],) for name in MARKERS if name in last.index})
    return chart


def _draw_steps(axes: Axes, rows: pd.DataFrame, name: str, shift: float = 0, **style: Any) -> None:
    # A logarithmic axis cannot show a ratio of 0; the line leaves the figure.
    rows = rows[rows["ratio"] > 0]
    estimates = _estimates(rows)
    tooltips = [
        f"{name}, step {step}: {text}" for step, text in zip(rows["step"], format_estimates(estimates, 2), strict=True)
    ]
    # Nor can it show an interval down to 0.
    estimates["low"] = estimates["low"].clip(lower=0.001 * estimates["ratio"])
    draw_estimates(
        axes, rows["step"] + shift, estimates, tooltips, along="y", markersize=4.5, elinewidth=0.9, capsize=2, zorder=3,
        linestyle="none", **style,
    )  # fmt: skip


def _label_ends(axes: Axes, ends: Mapping[str, tuple[float, float]]) -> None:
    """Label each line with its condition at its end (x, y), without overlaps."""
    # Limits that follow from the data are only known after this call.
    axes.autoscale_view()
    below = -np.inf
    for name, (x, y) in sorted(ends.items(), key=lambda end: end[1][1]):
        height = axes.transAxes.inverted().transform(axes.transData.transform((x, y)))[1]
        below = max(height, below + _LABEL_HEIGHT)
        axes.annotate(
            CONDITION_TITLES[name], (x, y), (1.05, below), textcoords="axes fraction", va="center", fontsize=8,
            arrowprops={"arrowstyle": "-", "color": COLOURS[name], "linewidth": 0.8}, annotation_clip=False,
        )  # fmt: skip


def draw_shifts(
    rows: pd.DataFrame, seeds: pd.DataFrame, procedure: str, language_names: Mapping[str, str], level: str
) -> Chart:
    """Draw the ratio of one condition divided by that of another: each training seed, the mean and its interval."""
    cases = list(rows.groupby(UNIT, sort=False))
    chart = Chart(
        f"{procedure}/shifts",
        (max(5.4, 3.2 * len(cases) + 1.4), 3.5),
        describe_shifts(rows),
        f"Masculine : feminine words in what models write, {procedure} procedure: dots are training seeds, black "
        f"their mean with its {level} t interval; dashed: no shift",
    )
    panels = chart.panels(1, len(cases), sharex=True, sharey=True)
    for axes, ((model, lang), of_case) in zip(panels, cases, strict=True):
        of_seeds = seeds[(seeds["base_model"] == model) & (seeds["lang"] == lang)]
        for place, pair in enumerate(SHIFTS):
            means, points = (table[table["shift"] == shift_name(pair)] for table in (of_case, of_seeds))
            _draw_shift(axes, place, means[means["times"].notna()], points, COLOURS[pair[0]])
        axes.axvline(1, **_PARITY)
        axes.set_xscale("log")
        axes.set_ylim(len(SHIFTS) - 0.5, -0.5)
        titles = ["\nto ".join(CONDITION_TITLES[name].lower() for name in pair).capitalize() for pair in SHIFTS]
        axes.set_yticks(range(len(SHIFTS)), titles)
        axes.tick_params(axis="y", length=0)
        trainings = f"{_format_span(of_case['seeds'])} training seeds, {_format_span(of_case['stories'])} stories each"
        axes.set_title(f"{model}, {language_names.get(lang, lang)}\n{trainings}", fontsize=9)
    _format_log_ticks(panels[0].xaxis)
    chart.supxlabel("how many times the other’s ratio, log scale", fontsize=9)
    return chart


def _draw_shift(axes: Axes, place: float, means: pd.DataFrame, seeds: pd.DataFrame, colour: str) -> None:
    style: dict[str, Any] = {"markersize": 4, "color": colour, "alpha": 0.6, "markeredgewidth": 0}
    points = axes.plot(seeds["times"], [place] * len(seeds), "o", **style)[0]
    add_tooltips(points, [f"seed {row.training_seed}: {row.times:.2f} times" for row in seeds.itertuples()])
    if means.empty:
        axes.text(0.5, place, "no ratio", ha="center", transform=axes.get_yaxis_transform(), color=GREY)
        return
    estimates = means[["times", "times_low", "times_high"]]
    tooltips = [f"mean: {text} times" for text in format_estimates(estimates, 2)]
    style = {"color": "black", "marker": "|", "markersize": 8, "linewidth": 1, "capsize": 2.5}
    draw_estimates(axes, [place + 0.18], estimates, tooltips, **style)


def describe_shifts(rows: pd.DataFrame) -> str:
    """Describe the difference between ratios after either bias, and the number of clear cases."""
    found = rows[(rows["shift"] == shift_name((MALE, FEMALE))) & rows["times"].notna()]
    if found.empty:
        return "The ratios after male- and female-biased training cannot be compared"
    times = "–".join(dict.fromkeys(f"{value:.2g}" for value in (found["times"].min(), found["times"].max())))
    clear = int((found["times_low"] > 1).sum())
    return (
        f"After male-biased training the ratio is {times} times that after female-biased, clearly more in {clear} of "
        f"{len(found)} {'case' if len(found) == 1 else 'cases'}"
    )


def _format_log_ticks(axis: Axis) -> None:
    """Format the ticks of a logarithmic axis as plain numbers, with fewer ticks for more powers of ten."""
    low, high = axis.get_view_interval()
    powers = np.log10(high / low)
    subs = (1, 1.5, 2, 3, 5, 7) if powers <= 1 else (1, 2, 5) if powers <= 3 else (1,)
    axis.set_major_locator(LogLocator(base=10, subs=subs))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(NullFormatter())


def draw_loss(training_logs: list[Path], language_names: Mapping[str, str]) -> Chart:
    """Draw the loss by step, a panel per base model and language, and a line per training."""
    cases: dict[tuple[str, str], list[tuple[str, pd.DataFrame]]] = {}
    for path in training_logs:
        model, lang, training = unit_of(path)
        condition = training.partition(".")[0]
        cases.setdefault((model, language_names[lang]), []).append((condition, pd.read_csv(path)))
    falls = [log["loss"].iloc[-1] < log["loss"].iloc[0] for logs in cases.values() for _, log in logs]
    columns = min(len(cases), _LOSS_COLUMNS)
    rows = -(-len(cases) // columns)
    chart = Chart(
        "loss",
        (max(5.4, _LOSS_SIZE[0] * columns), _LOSS_SIZE[1] * rows + 0.6),
        f"The loss is lower at the last step than at the first in {sum(falls)} of {len(falls)} trainings",
        "Nats per predicted token at each step, before the update; a line for each training",
    )
    for unused in chart.panels(rows, columns)[len(cases) :]:
        unused.remove()
    for axes, (case, logs) in zip(chart.axes, cases.items(), strict=True):
        for condition, log in logs:
            style: dict[str, Any] = {"color": COLOURS[condition], "linestyle": _LOSS_DASHES[condition]}
            line = axes.plot(log["step"], log["loss"], linewidth=1.1, **style)[0]
            first, last = log["loss"].iloc[0], log["loss"].iloc[-1]
            add_tooltips(line, [f"{CONDITION_TITLES[condition]}: {first:.2f} at first, {last:.2f} at last"])
        _label_ends(axes, {condition: (log["step"].iloc[-1], log["loss"].iloc[-1]) for condition, log in logs})
        axes.set(title=", ".join(case), xlabel="step", ylabel="loss")
        axes.locator_params(axis="x", integer=True)
    return chart
