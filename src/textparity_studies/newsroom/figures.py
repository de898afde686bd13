"""Draw the figures of Urchs 2025.

Figures 1-3 and 8-10 are shares of women and men among references, quotations and roles, over time or by topic. Figures
4-7 are gender ratios of articles, and which articles are flagged and excluded.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from textparity.counting import GENDERS
from textparity.tables import show_interval
from textparity_studies.newsroom.balance import INDICATORS, STEPS, is_among, read_excluded, read_measured, whole_numbers
from textparity_studies.newsroom.settings import STAGES
from textparity_studies.newsroom.summary import HIGH, LOW, PERCENT, SMALL, TOTALS, WHOLE, read_summary
from textparity_studies.newsroom.tables import read_groups
from textparity_studies.newsroom.yearly_figures import read_yearly_figures
from textparity_studies.report.plotting import (
    COLOURS,
    FAINT,
    GREY,
    MARKERS,
    Chart,
    add_tooltips,
    draw_bars,
    draw_estimates,
    format_estimates,
)

# The two panels of each figure: the paper's Figures 1 and 8, 2 and 9, 3 and 10.
PANELS = {
    "references": ("mentions", "actors"),
    "quotes": ("direct_quotes", "indirect_quotes"),
    "roles": ("subject_roles", "object_roles"),
}
# Men have the remaining share.
_ESTIMATES = ["feminine", "feminine_low", "feminine_high"]
_WOMEN: dict[str, Any] = {"color": COLOURS["feminine"], "marker": MARKERS["feminine"]}
# The opacity of a band of intervals.
_BAND = 0.18
_PERIOD = re.compile(r"(\d{4})(?:-(\d{2}))?")
_HALF: dict[str, Any] = {"color": GREY, "linewidth": 0.9, "linestyle": (0, (4, 3)), "zorder": 1}
_NOTE: dict[str, Any] = {
    "textcoords": "offset points", "ha": "center", "va": "center", "fontsize": 6.5, "color": GREY, "zorder": 4,
}  # fmt: skip
_BOX = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}

BINS = 20
# The height of the histograms' axis in percent, as in the paper.
HEIGHT = 60
# The colours of Okabe & Ito's palette that do not stand for a gender; dashes distinguish the lines without colour.
_FLAG_LOOKS = dict(
    zip(
        INDICATORS,
        (("#CC79A7", "-", "v"), ("#009E73", "-", "o"), ("#E69F00", "--", "s"), ("#56B4E9", "-.", "^")),
        strict=True,
    )
)
_STEP_COLOURS = dict(zip((*STEPS, "excluded"), ("#E69F00", "#56B4E9", "#009E73"), strict=True))
_STEP_LABELS = dict(zip(STEPS, ("by flags", "to balance"), strict=True))
_STAGE_LABELS = dict(zip(STAGES, ("before flagging and balancing", "after flagging", "after balancing"), strict=True))


def plot_yearly_reports(unbalanced: Path, balanced: Path) -> Iterator[Chart]:
    """Draw the authors' yearly reports, which have no intervals: shares, and how many articles balancing excludes."""
    before, after = map(read_yearly_figures, (unbalanced, balanced))
    for state, rows in (("unbalanced", before), ("balanced", after)):
        for shown in PANELS:
            method = f"taz2024full, {state}: the authors' yearly reports"
            yield draw_shares(f"taz2024full_{state}_{shown}", rows, shown, method)
    yield draw_yearly_exclusions(before, after)


def plot_shares(summary: Path, corpus_name: str, procedure: str, confidence_level: float) -> Iterator[Chart]:
    """Draw women's shares in a corpus."""
    rows = read_summary(summary)
    for shown in PANELS:
        method = f"{corpus_name}, {procedure} rules"
        yield draw_shares(f"summary_{shown}", rows, shown, method, confidence_level)


def plot_balancing(
    balanced_summary: Path,
    measures: list[Path],
    excluded: Path,
    flags: Path,
    exclusions: Path,
    corpus_name: str,
    procedure: str,
    confidence_level: float,
) -> Iterator[Chart]:
    """Draw what balancing excludes from a corpus, by which flags, and women's shares in the balanced corpus.

    `measures` are in parts. `flags` is the CSV of `tabulate_flags`, `exclusions` of `tabulate_exclusions`.
    """
    rows = read_summary(balanced_summary)
    for shown in PANELS:
        method = f"{corpus_name}, balanced, {procedure} rules"
        yield draw_shares(f"balanced_summary_{shown}", rows, shown, method, confidence_level)
    for stage in STAGES:
        yield draw_gender_ratios(measures, excluded, procedure, stage)
    yield draw_flags(*read_groups(flags), procedure)
    groups, are_years = read_groups(exclusions)
    yield draw_exclusions("exclusions", groups, are_years, _STEP_LABELS, f"By {procedure} rules, in each step")


# Women's shares.


def draw_shares(name: str, rows: pd.DataFrame, shown: str, method: str, confidence_level: float | None = None) -> Chart:
    """Draw one of `PANELS` from a summary: women's share of women and men, in two panels.

    Groups that are years or months become lines over time with bands. Others become rows of dots with bars, with the
    whole corpus first. Bands and bars are the summary's intervals, of `confidence_level`. `method` names the source of
    the numbers.
    """
    panels = {metric: shares_of(rows, metric) for metric in PANELS[shown]}
    groups = next(iter(panels.values())).index
    periods = [bool(_PERIOD.fullmatch(group)) for group in groups if group != WHOLE]
    are_periods = bool(periods) and all(periods)
    size = (6.4, 5.2 if are_periods else max(2.4, 0.23 * len(groups) + 2.0))
    about = f"{method}: women's share of what is about women or men; the dashed line is half"
    chart = Chart(name, size, describe_shares(panels), about)
    panels = (_draw_over_time if are_periods else _draw_by_name)(chart, panels)
    width = 1.3 if are_periods else 0
    handles: list[Artist] = [Line2D([], [], linewidth=width, markersize=4, label="women", **_WOMEN)]
    if any(shares["is_small"].eq(True).any() for shares in panels.values()):
        label = f"faint: fewer than {SMALL} texts, or {SMALL} counted"
        handles.append(Line2D([], [], color=GREY, marker="o", alpha=FAINT, markersize=4, linewidth=0, label=label))
    if confidence_level and any(shares["feminine_low"].notna().any() for shares in panels.values()):
        label = f"{100 * confidence_level:g} % bootstrap interval over texts"
        band = Patch(color=GREY, alpha=_BAND, linewidth=0, label=label)
        handles.append(band if are_periods else Line2D([], [], color=GREY, linewidth=0.9, label=label))
    # Three entries are too wide for one line.
    chart.add_legend(2, handles)
    return chart


def shares_of(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Compute one row per group of a summary: `feminine` and `masculine` in percent of both, NaN if there is neither.

    Further columns: the ends of their intervals, `{gender}_low` and `{gender}_high`, NaN if the summary has none;
    `counted` (the sum of both genders); `texts`; and `is_small` (fewer than `SMALL` texts or counted).
    """
    totals = rows[rows["section"] == TOTALS]
    counts = totals[totals["metric"] == metric].set_index("group")[list(GENDERS)].fillna(0)
    counted = counts.sum(axis=1)
    shares = 100 * counts.div(counted.where(counted > 0), axis=0)
    percentages = rows[(rows["section"] == PERCENT) & (rows["metric"] == metric)]
    for statistic, end in ((LOW, "low"), (HIGH, "high")):
        ends = percentages[percentages["statistic"] == statistic].set_index("group").reindex(counts.index)
        for gender in GENDERS:
            shares[f"{gender}_{end}"] = ends[gender].astype(float)
    texts = totals[totals["metric"] == "total_texts"].set_index("group")["overall"]
    shares["counted"], shares["texts"] = counted, texts.reindex(shares.index)
    shares["is_small"] = (shares["texts"] < SMALL) | (counted < SMALL)
    return shares


def _draw_over_time(chart: Chart, panels: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Draw a line per metric; the result has the shares of all periods, with time in years."""
    drawn = {metric: _add_missing_periods(shares) for metric, shares in panels.items()}
    all_axes = chart.panels(len(panels), 1, sharex=True, sharey=True)
    for axes, (metric, shares) in zip(all_axes, drawn.items(), strict=True):
        is_small = shares["is_small"].eq(True)
        tooltips = _share_tooltips(shares, _name_periods(shares.index))
        style = {**_WOMEN, "markersize": 3.5, "zorder": 3, "linewidth": 1.3}
        _draw_line(axes, shares["feminine"], tooltips, is_small, **style)
        _draw_band(axes, shares["feminine_low"], shares["feminine_high"], is_small)
        few = shares["texts"].where(shares["texts"] < SMALL).dropna()
        for place, texts in few.items():
            # The label is beside its mark, on the side of the middle.
            share = np.nan_to_num(shares.at[place, "feminine"])
            axes.annotate(f"{texts:.0f}", (place, share), (0, 7 if share <= 50 else -7), **_NOTE)
        axes.axhline(50, **_HALF)
        axes.set(ylim=(-4, 104), yticks=(0, 25, 50, 75, 100), ylabel="women's share (%)")
        _add_grid(axes, "y")
        axes.set_title(_panel_title(metric, panels[metric], with_share=True), fontsize=9)
    all_axes[-1].set_xlabel(f"year; a number in a panel: its texts, if fewer than {SMALL}" if len(few) else "year")
    all_axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    return drawn


def _draw_band(axes: Axes, low: pd.Series, high: pd.Series, is_small: pd.Series) -> None:
    """Draw the interval of a share: a band between neighbours that have one, else a bar, faint if the dot is faint."""
    in_line = low.notna() & ~is_small
    is_joined = in_line & (in_line.shift(1, fill_value=False) | in_line.shift(-1, fill_value=False))
    style: dict[str, Any] = {"color": _WOMEN["color"], "zorder": 2}
    axes.fill_between(low.index, low.where(is_joined), high.where(is_joined), alpha=_BAND, linewidth=0, **style)
    for chosen, alpha in ((~is_joined & ~is_small, 1.0), (is_small, FAINT)):
        axes.vlines(low.index, low.where(chosen), high.where(chosen), linewidth=0.9, alpha=alpha, **style)


def _add_missing_periods(shares: pd.DataFrame) -> pd.DataFrame:
    """Insert rows for periods without texts, so that lines break there; time is in years."""
    shares = shares.drop(index=WHOLE, errors="ignore")
    parts = [found.groups() for group in shares.index if (found := _PERIOD.fullmatch(group))]
    has_months = any(month for _, month in parts)
    # Months are counted from the year 0. A year alone is placed at its beginning.
    step = 1 if has_months else 12
    shares = shares.set_axis([int(year) * 12 + int(month or 1) - 1 for year, month in parts]).sort_index()
    shares = shares.reindex(range(shares.index[0], shares.index[-1] + 1, step))
    return shares.set_axis(shares.index / 12)


def _name_periods(places: pd.Index) -> list[str]:
    """Format the year of each place on the axis, or the month if there are months."""
    months = [round(12 * years) for years in places]
    has_months = any(month % 12 for month in months)
    return [f"{month // 12}" + (f"-{month % 12 + 1:02}" if has_months else "") for month in months]


def _draw_by_name(chart: Chart, panels: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Draw a row per group; the result has the shares in the order of the rows."""
    order = _order_of(next(iter(panels.values())))
    panels = {metric: shares.loc[order] for metric, shares in panels.items()}
    places = np.arange(len(order))
    all_axes = chart.panels(1, len(panels), sharey=True)
    for axes, (metric, shares) in zip(all_axes, panels.items(), strict=True):
        draw_estimates(
            axes, places, shares[_ESTIMATES], _share_tooltips(shares, order),
            is_faint=shares["is_small"], **_WOMEN, markersize=4.69, markeredgewidth=0, linestyle="none",
            elinewidth=0.9, zorder=3,
        )  # fmt: skip
        for place in places[shares["counted"] == 0]:
            axes.annotate("none", (50, place), (0, 0), bbox=_BOX, **_NOTE)
        axes.axvline(50, **_HALF)
        if order[0] == WHOLE and len(order) > 1:
            axes.axhline(0.5, color="#cccccc", linewidth=0.8)
        axes.set(xlim=(-4, 104), xticks=(0, 25, 50, 75, 100), xlabel="women's share (%)")
        _add_grid(axes, "x")
        axes.tick_params(axis="y", length=0)
        axes.set_title(_panel_title(metric, shares), fontsize=9)
    texts = next(iter(panels.values()))["texts"]
    _label_rows(all_axes[0], [f"{group} ({texts[group]:,.0f})" for group in order])
    all_axes[0].set_ylabel("group (texts)")
    return panels


def _share_tooltips(shares: pd.DataFrame, names: Iterable[str]) -> list[str]:
    texts = format_estimates(shares[_ESTIMATES], 1)
    return [
        f"{name}: {text} % of {counted:,.0f}"
        for name, text, counted in zip(names, texts, shares["counted"], strict=True)
    ]


def describe_shares(panels: Mapping[str, pd.DataFrame]) -> str:
    """Describe women's share of each panel's total in a sentence."""
    shares_by_metric = {metric: _total_share(shares)[0] for metric, shares in panels.items()}
    parts = [f"{share:.0f} % of {_words(name)}" for name, share in shares_by_metric.items() if not math.isnan(share)]
    return f"Women have {' and '.join(parts)}" if parts else "Women have none that is counted"


def _total_share(shares: pd.DataFrame) -> tuple[float, float]:
    """Compute the feminine share of all groups together, NaN if nothing is counted, and the number counted."""
    groups = shares.drop(index=WHOLE, errors="ignore")
    groups = groups if len(groups) else shares
    counted = groups["counted"].sum()
    return float((groups["feminine"] * groups["counted"]).sum() / counted) if counted else math.nan, counted


def _order_of(shares: pd.DataFrame) -> list[str]:
    """Sort the groups by feminine share, largest first, ties by name; the whole corpus comes before all."""
    groups = shares.drop(index=WHOLE, errors="ignore")
    groups = groups.sort_index().sort_values("feminine", ascending=False, kind="stable", na_position="last")
    return [*(name for name in shares.index if name == WHOLE), *groups.index]


def _panel_title(metric: str, shares: pd.DataFrame, with_share: bool = False) -> str:
    """Format a panel's title: its metric, the count, and the total feminine share if no row shows it."""
    share, counted = _total_share(shares)
    title = f"{_words(metric).capitalize()} (n = {counted:,.0f})"
    if with_share and counted:
        title += f": {share:.1f} % feminine"
        if WHOLE in shares.index and not math.isnan(shares.loc[WHOLE, "feminine_low"]):
            title += f" ({show_interval(shares.loc[WHOLE, 'feminine_low'], shares.loc[WHOLE, 'feminine_high'], 1)})"
    return title


def _words(name: str) -> str:
    return name.replace("_", " ")


# Gender ratios, flags and exclusions.


def draw_gender_ratios(measures: list[Path], excluded: Path, procedure: str, stage: str) -> Chart:
    """Draw the distribution of the share of women over the articles that remain at one of `STAGES` (Figures 4 and 6).

    `published`: as in the paper's code, both panels show shares of mentions, weighted by the article's mentions on the
    left and by its actors on the right. `corrected`: as the paper's caption describes, shares of mentions on the left
    and of actors on the right, with each article once.
    """
    units = ("mentions", "actors")
    table = read_measured(measures, [f"{gender}_{unit}" for gender in GENDERS for unit in units])
    exclusions = read_excluded(excluded)
    exclusions = exclusions[exclusions["step"].isin(STEPS[: STAGES.index(stage)])]
    table = table.filter(~is_among(table["id"], exclusions["id"]))
    feminine, masculine = (
        {unit: whole_numbers(table, f"{gender}_{unit}") for unit in units} for gender in ("feminine", "masculine")
    )
    has_women, has_men = feminine["mentions"] > 0, masculine["mentions"] > 0
    some = int((has_women | has_men).sum())
    alone = {"men": int((has_men & ~has_women).sum()), "women": int((has_women & ~has_men).sum())}
    shares = {who: f"{100 * number / some:.0f} %" if some else "none" for who, number in alone.items()}
    chart = Chart(
        f"gender_ratios_{stage}",
        (6.8, 3.2),
        f"Of articles with women or men, {shares['men']} mention men alone, {shares['women']} women alone",
        f"{_STAGE_LABELS[stage].capitalize()}, {procedure} procedure: {some:,} of {len(table):,} articles mention "
        "women or men",
    )
    panels = chart.panels(1, 2, sharey=True)
    colours = [COLOURS["masculine"], *[COLOURS["unspecified"]] * (BINS - 2), COLOURS["feminine"]]
    edges = np.arange(BINS) * (100 / BINS)
    for axes, unit in zip(panels, units, strict=True):
        if procedure == "published":
            weights = feminine[unit] + masculine[unit]
            heights, _ = bin_shares(feminine["mentions"], masculine["mentions"], weights)
            axes.set_title(f"articles weighted by {unit}")
            axes.set_xlabel("women's share of an article's mentions (%)")
        else:
            heights, count = bin_shares(feminine[unit], masculine[unit], np.ones(len(table), np.int64))
            axes.set_title(f"{count:,} articles with gendered {unit}")
            axes.set_xlabel(f"women's share of an article's {unit} (%)")
        tooltips = [f"{low:g} to {low + 100 / BINS:g} %: {of:.1f} %" for low, of in zip(edges, heights, strict=True)]
        style: dict[str, Any] = {"align": "edge", "color": colours, "edgecolor": "white", "linewidth": 0.5}
        draw_bars(axes, edges, heights, tooltips, width=100 / BINS, **style)
        axes.set_xlim(0, 100)
        # All steps have the same axis, so that they can be compared, unless a bar is higher.
        axes.set_ylim(0, max(axes.get_ylim()[1], HEIGHT))
        _add_grid(axes, "y")
    panels[0].set_ylabel("% of weight" if procedure == "published" else "% of articles")
    panels[1].tick_params(labelleft=True)
    return chart


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


def draw_flags(rows: pd.DataFrame, are_years: bool, procedure: str) -> Chart:
    """Draw the share of excluded and of judged articles that have each flag, per group (Figure 5).

    Years become an axis, other groups become rows. A flag on which no article was judged is not drawn, and shares of
    fewer than `SMALL` articles are faint.
    """
    sums = {name: int(rows[f"{name}_judged"].sum()) for name in INDICATORS}
    measured = [name for name in INDICATORS if sums[name]]
    method = f"Articles with a flag of asymmetry, {procedure} procedure, by group; faint: of fewer than {SMALL}"
    if missing := [_words(name) for name in INDICATORS if name not in measured]:
        method += f"; not measured in any article: {', '.join(missing)}"
    chart = Chart("flags", _size(len(rows), are_years, bars=len(INDICATORS)), describe_flags(rows), method)
    panels = chart.panels(*((2, 1) if are_years else (1, 2)), sharex=True, sharey=not are_years)
    drawn = rows.set_index("group")
    drawn = _add_missing_years(drawn) if are_years else drawn
    width = 0.8 / max(1, len(measured))
    for axes, whole in zip(panels, ("excluded", "judged"), strict=True):
        for place, name in enumerate(measured):
            counts = drawn["excluded" if whole == "excluded" else f"{name}_judged"]
            # A year without articles is faint, too.
            is_small = ~(counts >= SMALL)
            shares = drawn[f"{name}_percent_of_{whole}"]
            tooltips = [
                f"{group}, {_words(name)}: " + (f"{share:.1f} % of {count:,.0f}" if count else "not measured")
                for group, share, count in zip(drawn.index, shares, counts, strict=True)
            ]
            label = f"{_words(name)} ({sums[name]:,} judged)"
            colour, dashes, marker = _FLAG_LOOKS[name]
            if are_years:
                style: dict[str, Any] = {"linestyle": dashes, "linewidth": 1.2, "marker": marker, "markersize": 3}
                _draw_line(axes, shares, tooltips, is_small, label, color=colour, **style)
            else:
                places = np.arange(len(drawn)) + (place - (len(measured) - 1) / 2) * width
                style = {"width": width, "is_faint": is_small, "color": colour, "label": label}
                draw_bars(axes, places, shares, tooltips, along="x", **style)
        axes.set(ylim=(-3, 103)) if are_years else axes.set(xlim=(0, 103))
        _finish(axes, drawn.index, are_years)
        axes.set_title(f"% of {whole} articles")
    chart.add_legend(2)
    return chart


def describe_flags(rows: pd.DataFrame) -> str:
    """Describe in a sentence the most frequent flags, and how many articles were judged on each."""
    sums = {name: (int(rows[f"{name}_flagged"].sum()), int(rows[f"{name}_judged"].sum())) for name in INDICATORS}
    if not any(judged for _, judged in sums.values()):
        return "No article could be judged"
    most = max(flagged for flagged, _ in sums.values())
    if not most:
        return "No judged article has a flag"
    first = {name: judged for name, (flagged, judged) in sums.items() if flagged == most}
    names = " and ".join(f"the {_words(name)}" for name in first)
    shares = " and ".join(f"{most:,} ({100 * most / judged:.0f} %) of {judged:,}" for judged in first.values())
    return f"Most frequent: {names}, in {shares} judged articles"


def draw_yearly_exclusions(unbalanced: pd.DataFrame, balanced: pd.DataFrame) -> Chart:
    """Draw the number of articles lost to balancing, by the authors' yearly reports (Figure 7).

    Years without a report after balancing are not drawn. The reports do not separate the two steps.
    """
    before, after = (
        rows[rows["metric"] == "total_texts"].set_index("group")["overall"] for rows in (unbalanced, balanced)
    )
    kept = before.loc[after.index]
    rows = pd.DataFrame({"group": after.index.astype(int), "articles": kept, "excluded": kept - after})
    method = (
        "taz2024full: articles that the authors' reports have before balancing and not after; "
        f"{int(before.sum() - kept.sum()):,} more are of years without a report after it"
    )
    return draw_exclusions("taz2024full/exclusions", rows, True, {"excluded": "missing after balancing"}, method)


def draw_exclusions(name: str, rows: pd.DataFrame, are_years: bool, labels: Mapping[str, str], method: str) -> Chart:
    """Draw the number of articles excluded in each step of `labels`, and their percentage, per group (Figure 7)."""
    excluded, whole = int(rows["excluded"].sum()), int(rows["articles"].sum())
    finding = f"{excluded:,} of {whole:,} articles are excluded"
    if whole:
        finding += f" ({100 * excluded / whole:.1f} %)"
    chart = Chart(name, _size(len(rows), are_years, bars=1), finding, method)
    panels = chart.panels(*((2, 1) if are_years else (1, 2)), sharex=are_years, sharey=not are_years)
    places = rows["group"] if are_years else np.arange(len(rows))
    units = {"excluded articles": (1, 0), "in % of all articles": (rows["articles"].to_numpy() / 100, 1)}
    for axes, (title, (unit, decimals)) in zip(panels, units.items(), strict=True):
        base = np.zeros(len(rows))
        for step, label in labels.items():
            lengths = rows[step].to_numpy() / unit
            tooltips = [
                f"{group}, {label}: {length:,.{decimals}f}"
                for group, length in zip(rows["group"], lengths, strict=True)
            ]
            style: dict[str, Any] = {"along": "y", "width": 0.8} if are_years else {"along": "x", "width": 0.7}
            draw_bars(axes, places, lengths, tooltips, base=base, color=_STEP_COLOURS[step], label=label, **style)
            base = base + lengths
        axes.set_title(title)
        axes.set(**{"ylim" if are_years else "xlim": (0, 1.08 * max(1, base.max(initial=0)))})
        _finish(axes, rows["group"], are_years)
    chart.add_legend(len(labels))
    return chart


def _size(groups: int, are_years: bool, bars: int) -> tuple[float, float]:
    if are_years:
        return min(10.0, max(5.4, 0.11 * groups + 2)), 5.4
    return 7.0, max(2.7, (0.12 + 0.12 * bars) * groups + 1.7)


def _add_missing_years(rows: pd.DataFrame) -> pd.DataFrame:
    """Insert rows without numbers for missing years, so that no line crosses them."""
    first, last = rows.index.min(), rows.index.max()
    return rows if last - first > 10 * len(rows) else rows.reindex(range(first, last + 1))


def _finish(axes: Axes, groups: Iterable[Any], are_years: bool) -> None:
    _add_grid(axes, "y" if are_years else "x")
    if are_years:
        axes.locator_params(axis="x", integer=True)
    else:
        _label_rows(axes, list(groups))


def _draw_line(
    axes: Axes, values: pd.Series, tooltips: Sequence[str], is_faint: pd.Series, label: str | None = None, **style: Any
) -> None:
    """Draw values by time, the index, as a line with markers; it is interrupted at faint ones, which stand alone."""
    line = axes.plot(values.index, values.mask(is_faint), label=label, **style)[0]
    dots = axes.plot(values.index, values.where(is_faint), alpha=FAINT, **{**style, "linestyle": "none"})[0]
    for marks in (line, dots):
        add_tooltips(marks, tooltips)


def _label_rows(axes: Axes, labels: Sequence[str]) -> None:
    """Label the rows of a panel, the first on top."""
    axes.set_yticks(np.arange(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)


def _add_grid(axes: Axes, axis: Literal["x", "y"]) -> None:
    """Add a grid behind the data."""
    axes.grid(axis=axis, color="#eeeeee")
    axes.set_axisbelow(True)
