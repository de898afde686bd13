"""Draw Figure 2 of Derner 2025, the ratio by training steps, the shifts over training seeds, and the loss."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from textparity.counting.procedures import PROCEDURES
from textparity_studies.propagation.shifts import SHIFTS, shift_name
from textparity_studies.propagation.story_counts import UNIT, unit_of
from textparity_studies.propagation.tables import CONDITION_TITLES
from textparity_studies.propagation.variants import BALANCED, BASE, FEMALE, MALE
from textparity_studies.report.catalogue import by_figure
from textparity_studies.report.ledger import read_published
from textparity_studies.report.plotting import GREY, add_tooltips, figure, head_figure, show_estimate

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


def plot(
    published: Path,
    story_ratios: Path | None,
    checkpoint_steps: Path | None,
    shifts: Path | None,
    seeds: Path | None,
    training_logs: list[Path],
    published_names: dict[str, str],
    language_names: dict[str, str],
    confidence_level: float,
    story_figures: list[Path],
    loss_figure: list[Path],
) -> None:
    """Draw all figures of the study: the loss, and the ratios of the models' texts by each procedure."""
    if training_logs:
        plot_loss(training_logs, loss_figure, language_names)
    if not (story_ratios and checkpoint_steps and shifts and seeds):
        return
    drawn = iter(by_figure(story_figures))
    for procedure in PROCEDURES:
        ratios, steps, moved = (next(drawn) for _ in range(3))
        plot_story_ratios(story_ratios, published, ratios, procedure, published_names, language_names, confidence_level)
        plot_checkpoint_steps(checkpoint_steps, steps, procedure, language_names, confidence_level)
        plot_shifts(shifts, seeds, moved, procedure, language_names, confidence_level)


def plot_story_ratios(
    table: Path,
    published: Path,
    files: list[Path],
    procedure: str,
    published_names: dict[str, str],
    language_names: dict[str, str],
    confidence_level: float,
) -> None:
    """Draw Figure 2 from Table 9: a panel per language, with a bar for each base model and condition.

    Error bars are standard deviations over repetitions (published) or bootstrap intervals (corrected). If
    `published_names` has the paper's name of a base model, hollow markers show the paper's ratios next to ours.
    """
    rows = pd.read_csv(table)
    rows = rows[rows["procedure"] == procedure]
    papers = {
        number.row: float(number.value)
        for number in read_published(published)
        if (number.table, number.column) == ("9", "masculine_per_feminine")
    }
    langs = list(dict.fromkeys(rows["lang"]))
    models = list(dict.fromkeys(rows["base_model"]))
    interval = f"{100 * confidence_level:g} % bootstrap interval over stories"
    bars = "standard deviation over repetitions" if procedure == "published" else interval
    size = (max(5.4, max(3.6, 1.2 + 1.5 * len(models)) * len(langs) + 0.4), 4.1)
    with figure(files, size) as drawn:
        marked = False
        for axes, lang in zip(drawn.subplots(1, len(langs), sharey=True, squeeze=False)[0], langs, strict=True):
            of_lang = rows[rows["lang"] == lang]
            for place, model in enumerate(models):
                of_model = of_lang[of_lang["base_model"] == model].set_index("condition")
                label = f"{LANGS.get(lang, lang)} {published_names.get(model) or ''}"
                marked |= _draw_bars(axes, of_model, place, {name: papers.get(f"{label} {name}") for name in COLOURS})
            axes.axhline(1, **_PARITY)
            axes.set_xticks(range(len(models)), models)
            axes.set_xlim(-0.6, len(models) - 0.4)
            axes.tick_params(axis="x", length=0)
            axes.set_title(f"{language_names.get(lang, lang)}: {_sizes(of_lang)}", fontsize=9)
        drawn.axes[0].set_ylabel(_RATIO)
        head_figure(
            drawn,
            _say_moves(rows),
            f"Masculine for one feminine word in what models write, {procedure} procedure; cases are models and "
            f"languages, beside the base model; thin lines: {bars}",
        )
        handles = [
            Line2D([], [], color=colour, marker="s", markersize=7, linestyle="none", label=CONDITION_TITLES[name])
            for name, colour in COLOURS.items()
        ]
        if marked:
            handles.append(Line2D([], [], label="the paper's", **_PUBLISHED))
        handles.append(Line2D([], [], label="parity", **_PARITY))
        drawn.legend(handles=handles, loc="outside lower center", ncols=3, fontsize=8)


def _draw_bars(axes: Axes, rows: pd.DataFrame, place: int, papers: Mapping[str, float | None]) -> bool:
    """Draw the bars of one model; the result is true if one of the paper's ratios is drawn."""
    marked = False
    for number, (condition, colour) in enumerate(COLOURS.items()):
        x = place + (number - 1.5) * _BAR_WIDTH
        if condition not in rows.index:
            continue
        row = rows.loc[condition]
        if np.isnan(row["ratio"]):
            axes.text(x, 0.02, "no ratio", rotation=90, ha="center", va="bottom", fontsize=7, color=GREY)
            continue
        bar = axes.bar(x, row["ratio"], _BAR_WIDTH * 0.9, color=colour, zorder=2)
        below, above = _error(row)
        error = axes.errorbar(x, row["ratio"], [[below], [above]], color="black", linewidth=0.9, capsize=2.5, zorder=4)
        for marks in (bar, error):
            add_tooltips(marks, [_tell_ratio(row, CONDITION_TITLES[condition])])
        if (paper := papers[condition]) is not None:
            add_tooltips(
                axes.plot([x], [paper], **_PUBLISHED)[0], [f"{CONDITION_TITLES[condition]}, the paper's: {paper:g}"]
            )
            marked = True
    return marked


def _error(row: pd.Series) -> tuple[float, float]:
    """Compute the lengths of an error bar below and above; 0 if there is none."""
    ends = np.array([row["ratio"] - row["ratio_low"], row["ratio_high"] - row["ratio"]], dtype=float)
    ends = np.where(np.isnan(ends), row.get("ratio_sd", np.nan), ends)
    below, above = np.nan_to_num(ends)
    return below, above


def _tell_ratio(row: pd.Series, name: str) -> str:
    """Format the tooltip of a ratio, with the ends of its error bar."""
    below, above = _error(row)
    return f"{name}: {show_estimate(row['ratio'], row['ratio'] - below, row['ratio'] + above, 2)}"


def _say_moves(rows: pd.DataFrame) -> str:
    """Describe how many models and languages with ratios move in the direction of their training's bias."""
    wide = rows.pivot(index=UNIT, columns="condition", values="ratio").reindex(columns=list(COLOURS))
    said = []
    for name, verb, sign in ((MALE, "raises", 1), (FEMALE, "lowers", -1)):
        moves = (wide[name] - wide[BASE]).dropna()
        if len(moves):
            moved = f"{(sign * moves > 0).sum()} of {len(moves)} cases"
            said.append(f"{CONDITION_TITLES[name].lower()} training {verb} the ratio in {moved}")
    return ", ".join(said).capitalize() or "No trained model has a ratio beside its base model’s"


def _sizes(rows: pd.DataFrame) -> str:
    """Format the number of stories and repetitions behind a drawing, for a title."""
    return f"{_span(rows['stories'])} stories a bar, {_span(rows['repetitions'])} repetitions"


def _span(values: pd.Series) -> str:
    low, high = int(values.min()), int(values.max())
    return f"{low}" if low == high else f"{low}–{high}"


def plot_checkpoint_steps(
    table: Path,
    files: list[Path],
    procedure: str,
    language_names: dict[str, str],
    confidence_level: float,
) -> None:
    """Draw the ratio against the training steps, a panel per base model and language, on a logarithmic axis."""
    rows = pd.read_csv(table)
    rows = rows[rows["procedure"] == procedure]
    panels = list(rows.groupby(UNIT, sort=False))
    last_steps = rows.sort_values("step").groupby([*UNIT, "condition"], sort=False).tail(1)
    with figure(files, (max(5.4, 4.2 * len(panels) + 0.6), 4.1)) as drawn:
        all_axes = drawn.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axes, ((model, lang), of_panel) in zip(all_axes, panels, strict=True):
            base = of_panel[of_panel["condition"] == BASE]
            reach = of_panel["step"].max()
            for number, name in enumerate(MARKERS):
                chosen = of_panel[of_panel["condition"] == name].sort_values("step")
                # Shift the points sideways, because their intervals would hide one another.
                shift = (number - 1) * 0.008 * reach
                style = {"color": COLOURS[name], "marker": MARKERS[name], "linestyle": "none"}
                _draw_steps(axes, chosen, CONDITION_TITLES[name], style, shift)
                line = pd.concat([base, chosen])[["step", "ratio"]]
                axes.plot(line["step"] + shift * (line["step"] > 0), line["ratio"], color=COLOURS[name], linewidth=1.3)
            _draw_steps(axes, base, CONDITION_TITLES[BASE], {"color": GREY, "marker": "o", "linestyle": "none"})
            axes.axhline(1, **_PARITY)
            axes.set_yscale("log")
            axes.set_xticks(sorted(set(of_panel["step"])))
            axes.set_xlabel("steps of training (0: base model)")
            axes.set_title(f"{model}, {language_names.get(lang, lang)}: {_sizes(of_panel)}", fontsize=9)
        # All panels share this axis.
        _plain_ticks(all_axes[0].yaxis)
        all_axes[0].set_ylabel(_RATIO)
        for axes, (_, of_panel) in zip(all_axes, panels, strict=True):
            ends = {name: of_panel[(of_panel["condition"] == name) & (of_panel["ratio"] > 0)] for name in MARKERS}
            last = {name: found.nlargest(1, "step") for name, found in ends.items() if len(found)}
            _label_ends(axes, {name: (*row[["step", "ratio"]].iloc[0], COLOURS[name]) for name, row in last.items()})
        head_figure(
            drawn,
            _say_moves(last_steps),
            f"Masculine for one feminine word in what models write, {procedure} procedure, after the last step of "
            f"training (cases are models and languages); dashed: parity; bars: {100 * confidence_level:g} % bootstrap "
            "interval over stories",
        )


def _label_ends(axes: Axes, ends: Mapping[str, tuple[float, float, str]]) -> None:
    """Label each line with its condition at its end (x, y, colour), without overlaps."""
    # Limits that follow from the data are only known after this call.
    axes.autoscale_view()
    below = -np.inf
    for name, (x, y, colour) in sorted(ends.items(), key=lambda end: end[1][1]):
        height = axes.transAxes.inverted().transform(axes.transData.transform((x, y)))[1]
        below = max(height, below + _LABEL_HEIGHT)
        axes.annotate(
            CONDITION_TITLES[name], (x, y), (1.05, below), textcoords="axes fraction", va="center", fontsize=8,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.8}, annotation_clip=False,
        )  # fmt: skip


def _draw_steps(axes: Axes, rows: pd.DataFrame, name: str, style: dict[str, Any], shift: float = 0) -> None:
    # A logarithmic axis cannot show a ratio of 0; the line leaves the figure.
    rows = rows[rows["ratio"] > 0]
    ends = [_error(row) for _, row in rows.iterrows()]
    low = [min(below, 0.999 * ratio) for (below, _), ratio in zip(ends, rows["ratio"], strict=True)]
    bars = [low, [above for _, above in ends]]
    marks = axes.errorbar(
        rows["step"] + shift, rows["ratio"], bars, markersize=4.5, elinewidth=0.9, capsize=2, zorder=3, **style
    )
    add_tooltips(marks, [_tell_ratio(row, f"{name}, step {row['step']}") for _, row in rows.iterrows()])


def plot_shifts(
    shifts: Path,
    seeds: Path,
    files: list[Path],
    procedure: str,
    language_names: dict[str, str],
    confidence_level: float,
) -> None:
    """Draw the ratio of one condition divided by that of another: each training seed, the mean and its interval."""
    rows, points = (table[table["procedure"] == procedure] for table in map(pd.read_csv, (shifts, seeds)))
    panels = list(rows.groupby(UNIT, sort=False))
    names = [shift_name(pair) for pair in SHIFTS]
    with figure(files, (max(5.4, 3.2 * len(panels) + 1.4), 3.5)) as drawn:
        all_axes = drawn.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0]
        for axes, ((model, lang), of_panel) in zip(all_axes, panels, strict=True):
            of_seeds = points[(points["base_model"] == model) & (points["lang"] == lang)]
            for place, name in enumerate(names):
                _draw_shift(axes, of_panel[of_panel["shift"] == name], of_seeds[of_seeds["shift"] == name], place)
            axes.axvline(1, **_PARITY)
            axes.set_xscale("log")
            axes.set_ylim(len(names) - 0.5, -0.5)
            titles = ["\nto ".join(CONDITION_TITLES[name].lower() for name in pair).capitalize() for pair in SHIFTS]
            axes.set_yticks(range(len(names)), titles)
            axes.tick_params(axis="y", length=0)
            trainings = f"{_span(of_panel['seeds'])} training seeds, {_span(of_panel['stories'])} stories each"
            axes.set_title(f"{model}, {language_names.get(lang, lang)}\n{trainings}", fontsize=9)
        _plain_ticks(all_axes[0].xaxis)
        drawn.supxlabel("how many times the other’s ratio, log scale", fontsize=9)
        head_figure(
            drawn,
            _say_shift(rows),
            f"Masculine : feminine words in what models write, {procedure} procedure: dots are training seeds, black "
            f"their mean with its {100 * confidence_level:g} % t interval; dashed: no shift",
        )


def _say_shift(rows: pd.DataFrame) -> str:
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


def _draw_shift(axes: Axes, mean: pd.DataFrame, seeds: pd.DataFrame, place: int) -> None:
    colour = COLOURS[SHIFTS[place][0]]
    style: dict[str, Any] = {"markersize": 4, "color": colour, "alpha": 0.6, "markeredgewidth": 0}
    points = axes.plot(seeds["times"], [place] * len(seeds), "o", **style)[0]
    add_tooltips(points, [f"seed {row.training_seed}: {row.times:.2f} times" for row in seeds.itertuples()])
    if mean.empty or mean["times"].isna().all():
        axes.text(0.5, place, "no ratio", ha="center", transform=axes.get_yaxis_transform(), color=GREY)
        return
    row = mean.iloc[0]
    ends = np.nan_to_num([[row["times"] - row["times_low"]], [row["times_high"] - row["times"]]])
    marks = axes.errorbar(
        row["times"], place + 0.18, xerr=ends, color="black", marker="|", markersize=8, linewidth=1, capsize=2.5
    )
    add_tooltips(marks, [f"mean: {show_estimate(row['times'], row['times_low'], row['times_high'], 2)} times"])


def _plain_ticks(axis: Axis) -> None:
    """Format the ticks of a logarithmic axis as plain numbers, with fewer ticks for more powers of ten."""
    low, high = axis.get_view_interval()
    powers = np.log10(high / low)
    subs = (1, 1.5, 2, 3, 5, 7) if powers <= 1 else (1, 2, 5) if powers <= 3 else (1,)
    axis.set_major_locator(LogLocator(base=10, subs=subs))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(NullFormatter())


def plot_loss(training_logs: list[Path], files: list[Path], language_names: dict[str, str]) -> None:
    """Draw the loss by step, a panel per base model and language, and a line per training."""
    panels: dict[tuple[str, str], list[tuple[str, pd.DataFrame]]] = {}
    for path in training_logs:
        model, lang, training = unit_of(path)
        condition = training.partition(".")[0]
        panels.setdefault((model, language_names[lang]), []).append((condition, pd.read_csv(path)))
    columns = min(len(panels), _LOSS_COLUMNS)
    rows = -(-len(panels) // columns)
    with figure(files, (max(5.4, _LOSS_SIZE[0] * columns), _LOSS_SIZE[1] * rows + 0.6)) as drawn:
        axes = drawn.subplots(rows, columns, squeeze=False).flat
        for unused in list(axes)[len(panels) :]:
            unused.remove()
        falls = []
        for axis, (panel, logs) in zip(drawn.axes, panels.items(), strict=True):
            for condition, found in logs:
                style: dict[str, Any] = {"color": COLOURS[condition], "linestyle": _LOSS_DASHES[condition]}
                line = axis.plot(found["step"], found["loss"], linewidth=1.1, **style)[0]
                first, last = found["loss"].iloc[0], found["loss"].iloc[-1]
                add_tooltips(line, [f"{CONDITION_TITLES[condition]}: {first:.2f} at first, {last:.2f} at last"])
                falls.append(last < first)
            ends = {condition: found.iloc[-1] for condition, found in logs}
            _label_ends(axis, {name: (end["step"], end["loss"], COLOURS[name]) for name, end in ends.items()})
            axis.set(title=", ".join(panel), xlabel="step", ylabel="loss")
            axis.locator_params(axis="x", integer=True)
        head_figure(
            drawn,
            f"The loss is lower at the last step than at the first in {sum(falls)} of {len(falls)} trainings",
            "Nats per predicted token at each step, before the update; a line for each training",
        )
