"""Figures 4 to 7 of Urchs 2025: gender ratios of articles, and which articles are flagged and excluded."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from textparity.persons.actors.word_lists import GENDERS
from textparity_studies.newsroom.article_rows import STEPS, is_among, read_excluded, read_measured, whole_numbers
from textparity_studies.newsroom.balance import INDICATORS
from textparity_studies.newsroom.exclusion_tables import read_groups
from textparity_studies.newsroom.nlp_models import STAGES
from textparity_studies.newsroom.summary import SMALL
from textparity_studies.newsroom.yearly_figures import read_yearly_figures
from textparity_studies.report.plotting import COLOURS, add_tooltips, figure, head_figure

BINS = 20
# The opacity of points that rest on few articles.
FAINT = 0.3
# The height of the histograms' axis in percent, as in the paper.
HEIGHT = 60
# The colours of Okabe & Ito's palette that do not stand for a gender; dashes distinguish the lines without colour.
_LINES = dict(
    zip(
        INDICATORS,
        (("#CC79A7", "-", "v"), ("#009E73", "-", "o"), ("#E69F00", "--", "s"), ("#56B4E9", "-.", "^")),
        strict=True,
    )
)
_OTHER = {"feminine": "masculine", "masculine": "feminine"}
_OTHERS = dict(zip(GENDERS, reversed(GENDERS), strict=True))
_STEP_COLOURS = dict(zip((*STEPS, "excluded"), ("#E69F00", "#56B4E9", "#009E73"), strict=True))
_STEP_LABELS = dict(zip(STEPS, ("by flags", "to balance"), strict=True))
_STAGE_LABELS = dict(zip(STAGES, ("before flagging and balancing", "after flagging", "after balancing"), strict=True))


def plot_gender_ratio_histogram(
    articles: list[Path], excluded: Path, files: list[Path], procedure: str, step: str
) -> None:
    """Draw the distribution of the share of women over the articles that remain at a step (Figures 4 and 6).

    `step` is `before`, `after_flagging` or `after_balancing`. `published`: as in the paper's code, both panels show
    shares of mentions, weighted by the article's mentions on the left and by its actors on the right. `corrected`: as
    the paper's caption describes, shares of mentions on the left and of actors on the right, with each article once.
    """
    columns = [f"{gender}_{unit}" for gender in GENDERS for unit in ("mentions", "actors")]
    table = read_measured(articles, columns)
    gone = read_excluded(excluded)
    gone = gone[gone["step"].isin(STEPS[: STAGES.index(step)])]
    table = table.filter(~is_among(table["id"], gone["id"]))
    feminine, masculine = (
        {unit: whole_numbers(table, f"{gender}_{unit}") for unit in ("mentions", "actors")} for gender in GENDERS
    )
    counts = {"feminine": feminine["mentions"], "masculine": masculine["mentions"]}
    with figure(files, (6.8, 3.2)) as drawn:
        panels = drawn.subplots(1, 2, sharey=True)
        for axes, unit in zip(panels, ("mentions", "actors"), strict=True):
            weights = feminine[unit] + masculine[unit]
            if procedure == "published":
                heights, count = bin_shares(feminine["mentions"], masculine["mentions"], weights)
                axes.set_title(f"articles weighted by {unit}")
                axes.set_xlabel("women's share of an article's mentions (%)")
            else:
                heights, count = bin_shares(feminine[unit], masculine[unit], np.ones(len(table), np.int64))
                axes.set_title(f"{count:,} articles with gendered {unit}")
                axes.set_xlabel(f"women's share of an article's {unit} (%)")
            colours = [COLOURS["masculine"], *[COLOURS["unspecified"]] * (BINS - 2), COLOURS["feminine"]]
            edges = np.arange(BINS) * (100 / BINS)
            bars = axes.bar(edges, heights, 100 / BINS, align="edge", color=colours, edgecolor="white", linewidth=0.5)
            add_tooltips(
                bars, [f"{low:g} to {low + 100 / BINS:g} %: {of:.1f} %" for low, of in zip(edges, heights, strict=True)]
            )
            axes.set_xlim(0, 100)
            # All steps have the same axis, so that they can be compared, unless a bar is higher.
            axes.set_ylim(0, max(axes.get_ylim()[1], HEIGHT))
            axes.grid(axis="y", color="#eeeeee")
            axes.set_axisbelow(True)
        panels[0].set_ylabel("% of weight" if procedure == "published" else "% of articles")
        panels[1].tick_params(labelleft=True)
        alone = {gender: int(((counts[gender] > 0) & (counts[_OTHERS[gender]] == 0)).sum()) for gender in GENDERS}
        some = int((counts["feminine"] + counts["masculine"] > 0).sum())
        shares = {gender: f"{100 * number / some:.0f} %" if some else "none" for gender, number in alone.items()}
        head_figure(
            drawn,
            f"Of articles with women or men, {shares['masculine']} mention men alone, {shares['feminine']} women alone",
            f"{_STAGE_LABELS[step].capitalize()}, {procedure} procedure: {some:,} of {len(table):,} articles mention "
            "women or men",
        )


def bin_shares(feminine: np.ndarray, masculine: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, int]:
    """Compute the weight in each of `BINS` bins of the share feminine / (feminine + masculine), and the number binned.

    The weights are in percent of the total, shape (`BINS`,). A bin includes its lower edge; the last includes both. All
    weights are zero if there is no article to bin.
    """
    total = feminine + masculine
    some = total > 0
    # Integer arithmetic puts a share of exactly 35 % into the bin that begins at 35.
    places = np.minimum(BINS * feminine[some] // total[some], BINS - 1)
    heights = np.bincount(places, weights=weights[some], minlength=BINS)
    return 100 * heights / max(heights.sum(), 1), int(some.sum())


def plot_flags(table: Path, files: list[Path], procedure: str) -> None:
    """Draw the share of excluded and of judged articles that have each flag, per group (Figure 5).

    `table` is the CSV of `tabulate_flags`. Groups that are numbers become an axis of years; other groups become rows. A
    flag on which no article was judged is not drawn, and shares of fewer than `SMALL` articles are faint.
    """
    rows, are_years = read_groups(table)
    sums = {name: int(rows[f"{name}_judged"].sum()) for name in INDICATORS}
    measured = [name for name in INDICATORS if sums[name]]
    labels = {name: f"{_words(name)} ({sums[name]:,} judged)" for name in measured}
    with figure(files, _size(len(rows), are_years, bars=len(INDICATORS))) as drawn:
        panels = drawn.subplots(*((2, 1) if are_years else (1, 2)), sharex=True, sharey=not are_years)
        for axes, of in zip(panels, ("excluded", "judged"), strict=True):
            if are_years:
                _draw_lines(axes, _every_year(rows), of, labels)
            else:
                _draw_flag_bars(axes, rows, of, labels)
            axes.set_title(f"% of {of} articles")
        drawn.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
        method = f"Articles with a flag of asymmetry, {procedure} procedure, by group; faint: of fewer than {SMALL}"
        if missing := [_words(name) for name in INDICATORS if name not in measured]:
            method += f"; not measured in any article: {', '.join(missing)}"
        head_figure(drawn, _say_flags(rows), method)


def _say_flags(rows: pd.DataFrame) -> str:
    """Describe in a sentence the most frequent flags, and how many articles were judged on each."""
    sums = {name: (int(rows[f"{name}_flagged"].sum()), int(rows[f"{name}_judged"].sum())) for name in INDICATORS}
    if not any(judged for _, judged in sums.values()):
        return "No article could be judged"
    most = max(flagged for flagged, _ in sums.values())
    if not most:
        return "No judged article has a flag"
    first = {name: judged for name, (flagged, judged) in sums.items() if flagged == most}
    shares = [f"{most:,} ({100 * most / judged:.0f} %) of {judged:,}" for judged in first.values()]
    return f"Most frequent: {_and(f'the {_words(name)}' for name in first)}, in {_and(shares)} judged articles"


def _and(parts: Iterable[str]) -> str:
    return " and ".join(parts)


def _words(indicator: str) -> str:
    return indicator.replace("_", " ")


def _is_small(rows: pd.DataFrame, indicator: str, of: str) -> pd.Series:
    """Mark shares of fewer than `SMALL` articles; a year without articles is marked too."""
    return ~(_wholes(rows, indicator, of) >= SMALL)


def _wholes(rows: pd.DataFrame, indicator: str, of: str) -> pd.Series:
    """Return the number of articles on which each share is based."""
    return rows["excluded" if of == "excluded" else f"{indicator}_judged"]


def plot_exclusions(table: Path, files: list[Path], procedure: str) -> None:
    """Draw the number of articles excluded in each step, and their percentage, per group (Figure 7).

    `table` is the CSV of `tabulate_exclusions`.
    """
    rows, are_years = read_groups(table)
    _draw_exclusions(rows, are_years, _STEP_LABELS, f"By {procedure} rules, in each step", files)


def plot_yearly_exclusions(unbalanced: Path, balanced: Path, files: list[Path]) -> None:
    """Draw the number of articles lost to balancing, by the authors' yearly reports (Figure 7).

    Years without a report after balancing are not drawn. The reports do not separate the two steps.
    """
    before, after = (
        rows[rows["metric"] == "total_texts"].set_index("group")["overall"]
        for rows in map(read_yearly_figures, (unbalanced, balanced))
    )
    excluded = before.loc[after.index] - after
    rows = pd.DataFrame({"group": after.index.astype(int), "articles": before.loc[after.index], "excluded": excluded})
    undrawn = int(before.sum() - rows["articles"].sum())
    method = (
        "taz2024full: articles that the authors' reports have before balancing and not after; "
        f"{undrawn:,} more are of years without a report after it"
    )
    _draw_exclusions(rows, True, {"excluded": "missing after balancing"}, method, files)


def _draw_exclusions(
    rows: pd.DataFrame, are_years: bool, labels: dict[str, str], method: str, files: list[Path]
) -> None:
    with figure(files, _size(len(rows), are_years, bars=1)) as drawn:
        panels = drawn.subplots(*((2, 1) if are_years else (1, 2)), sharex=are_years, sharey=not are_years)
        units = {"excluded articles": 1, "in % of all articles": rows["articles"].to_numpy() / 100}
        for axes, (unit_name, unit) in zip(panels, units.items(), strict=True):
            base = np.zeros(len(rows))
            for step, label in labels.items():
                heights = rows[step].to_numpy() / unit
                style = {"color": _STEP_COLOURS[step], "label": label}
                if are_years:
                    bars = axes.bar(rows["group"], heights, bottom=base, width=0.8, **style)
                else:
                    bars = axes.barh(np.arange(len(rows)), heights, left=base, height=0.7, **style)
                # Counts are whole numbers; the other panel is in percent.
                decimals = 0 if unit_name == "excluded articles" else 1
                told = zip(rows["group"], heights, strict=True)
                add_tooltips(bars, [f"{group}, {label}: {height:,.{decimals}f}" for group, height in told])
                base = base + heights
            axes.set_title(unit_name)
            axes.set(**{"ylim" if are_years else "xlim": (0, 1.08 * max(1, base.max(initial=0)))})
            _finish(axes, rows, are_years)
        drawn.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(labels))
        excluded, whole = int(rows["excluded"].sum()), int(rows["articles"].sum())
        share = f" ({100 * excluded / whole:.1f} %)" if whole else ""
        head_figure(drawn, f"{excluded:,} of {whole:,} articles are excluded{share}", method)


def _size(groups: int, are_years: bool, bars: int) -> tuple[float, float]:
    if are_years:
        return min(10.0, max(5.4, 0.11 * groups + 2)), 5.4
    return 7.0, max(2.7, (0.12 + 0.12 * bars) * groups + 1.7)


def _draw_lines(axes: Axes, rows: pd.DataFrame, of: str, labels: dict[str, str]) -> None:
    for indicator, label in labels.items():
        colour, dashes, marker = _LINES[indicator]
        style: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 3}
        is_small, shares = _is_small(rows, indicator, of), rows[f"{indicator}_percent_of_{of}"]
        told = _tell_flags(rows, indicator, of)
        add_tooltips(
            axes.plot(rows["group"], shares.mask(is_small), linestyle=dashes, linewidth=1.2, label=label, **style)[0],
            told,
        )
        add_tooltips(axes.plot(rows["group"], shares.where(is_small), linewidth=0, alpha=FAINT, **style)[0], told)
    axes.set_ylim(-3, 103)
    _finish(axes, rows, are_years=True)


def _draw_flag_bars(axes: Axes, rows: pd.DataFrame, of: str, labels: dict[str, str]) -> None:
    height = 0.8 / max(1, len(labels))
    for place, (indicator, label) in enumerate(labels.items()):
        offsets = np.arange(len(rows)) + (place - (len(labels) - 1) / 2) * height
        shares = rows[f"{indicator}_percent_of_{of}"]
        bars = axes.barh(offsets, shares, height=height, color=_LINES[indicator][0], label=label)
        for patch, is_small in zip(bars, _is_small(rows, indicator, of), strict=True):
            patch.set_alpha(FAINT if is_small else 1)
        add_tooltips(bars, _tell_flags(rows, indicator, of))
    axes.set_xlim(0, 103)
    _finish(axes, rows, are_years=False)


def _tell_flags(rows: pd.DataFrame, indicator: str, of: str) -> list[str]:
    told = zip(rows["group"], rows[f"{indicator}_percent_of_{of}"], _wholes(rows, indicator, of), strict=True)
    return [
        f"{group}, {_words(indicator)}: " + (f"{share:.1f} % of {whole:,.0f}" if whole else "not measured")
        for group, share, whole in told
    ]


def _every_year(rows: pd.DataFrame) -> pd.DataFrame:
    """Insert rows without numbers for missing years, so that no line crosses them."""
    years = rows["group"]
    if years.max() - years.min() > 10 * len(years):
        return rows
    return rows.set_index("group").reindex(range(years.min(), years.max() + 1)).reset_index()


def _finish(axes: Axes, rows: pd.DataFrame, are_years: bool) -> None:
    axes.set_axisbelow(True)
    axes.grid(axis="y" if are_years else "x", color="#eeeeee")
    if are_years:
        axes.locator_params(axis="x", integer=True)
    else:
        axes.set_yticks(np.arange(len(rows)), rows["group"])
        # The first group comes on top.
        axes.set_ylim(len(rows) - 0.4, -0.6)
