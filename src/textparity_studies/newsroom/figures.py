"""Draw all figures of the study.

This module has the shares of women and men among references, quotations and roles, over time or by topic (Urchs 2025,
Figures 1-3, 8-10).
"""

import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from textparity.persons.actors.word_lists import GENDERS
from textparity.tables import show_interval
from textparity_studies.newsroom.article_rows import split_evenly
from textparity_studies.newsroom.exclusion_figures import (
    FAINT,
    plot_exclusions,
    plot_flags,
    plot_gender_ratio_histogram,
    plot_yearly_exclusions,
)
from textparity_studies.newsroom.nlp_models import STAGES
from textparity_studies.newsroom.summary import HIGH, LOW, PERCENT, SMALL, TOTALS, WHOLE, read_summary
from textparity_studies.newsroom.yearly_figures import read_yearly_figures
from textparity_studies.report.catalogue import by_figure
from textparity_studies.report.plotting import COLOURS, GREY, MARKERS, add_tooltips, figure, head_figure, show_estimate

# The other gender has the remaining share.
_SHOWN = "feminine"
# The two panels of each figure: the paper's Figures 1 and 8, 2 and 9, 3 and 10.
PANELS = {
    "references": ("mentions", "actors"),
    "quotes": ("direct_quotes", "indirect_quotes"),
    "roles": ("subject_roles", "object_roles"),
}
_BAND = 0.18
_PERIOD = re.compile(r"(\d{4})(?:-(\d{2}))?")
_REFERENCE = {"color": GREY, "linewidth": 0.9, "linestyle": (0, (4, 3)), "zorder": 1}
_TICKS = (0, 25, 50, 75, 100)
_BOX = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}


def draw_figures(
    units: list[dict[str, str]],
    balanced_by: list[str],
    summaries: list[Path],
    balanced_summaries: list[Path],
    measures: list[Path],
    excluded: list[Path],
    flag_tables: list[Path],
    exclusion_tables: list[Path],
    unbalanced: Path,
    balanced: Path,
    share_figures: list[Path],
    balanced_share_figures: list[Path],
    gender_ratio_figures: list[Path],
    flag_figures: list[Path],
    exclusion_figures: list[Path],
    yearly_share_figures: list[Path],
    yearly_exclusion_figure: list[Path],
    confidence_level: float,
) -> None:
    """Draw all figures of the study.

    A unit is one corpus by one procedure (`corpus`, its `name`, `procedure`). `summaries`, `measures` and
    `share_figures` are ordered by units, the other lists by the units that are `balanced_by` their procedure. Parts of
    one file and the files of one unit are adjacent. `unbalanced` and `balanced` are the authors' yearly reports.
    """
    yearly = iter(by_figure(yearly_share_figures))
    for shown in PANELS:
        for state, report in (("unbalanced", unbalanced), ("balanced", balanced)):
            method = f"taz2024full, {state}: the authors' yearly reports"
            plot_yearly_shares(report, next(yearly), shown, method)
    plot_yearly_exclusions(unbalanced, balanced, yearly_exclusion_figure)
    number = len(units)
    for unit, summary, figures in zip(units, summaries, split_evenly(share_figures, number), strict=True):
        for shown, files in zip(PANELS, by_figure(figures), strict=True):
            plot_shares(summary, files, shown, f"{unit['name']}, {unit['procedure']} rules", confidence_level)
    parts_of = split_evenly(measures, number)
    chosen = [place for place, unit in enumerate(units) if unit["procedure"] in balanced_by]
    for rank, place in enumerate(chosen):
        name, procedure = units[place]["name"], units[place]["procedure"]
        of_shares, of_ratios, of_flags, of_exclusions = (
            by_figure(split_evenly(files, len(chosen))[rank])
            for files in (balanced_share_figures, gender_ratio_figures, flag_figures, exclusion_figures)
        )
        for shown, files in zip(PANELS, of_shares, strict=True):
            method = f"{name}, balanced, {procedure} rules"
            plot_shares(balanced_summaries[rank], files, shown, method, confidence_level)
        for stage, files in zip(STAGES, of_ratios, strict=True):
            plot_gender_ratio_histogram(parts_of[place], excluded[rank], files, procedure, stage)
        plot_flags(flag_tables[rank], of_flags[0], procedure)
        plot_exclusions(exclusion_tables[rank], of_exclusions[0], procedure)


def plot_shares(summary: Path, files: list[Path], shown: str, method: str, confidence_level: float) -> None:
    """Draw one of `PANELS` from a summary: women's share of women and men, in two panels.

    Groups that are years or months become lines over time with bands. Others become rows of dots with bars, with the
    whole corpus first. Bands and bars are the summary's intervals, of `confidence_level`. `method` names the source of
    the numbers.
    """
    interval = f"{100 * confidence_level:g} % bootstrap interval over texts"
    _plot(read_summary(summary), files, shown, method, interval)


def plot_yearly_shares(yearly_figures: Path, files: list[Path], shown: str, method: str) -> None:
    """Draw the same from published yearly totals, without intervals; raise `InputError` for a malformed file."""
    _plot(read_yearly_figures(yearly_figures), files, shown, method, "")


def shares_of(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return one row per group of a summary: `feminine` and `masculine` in percent of both, NaN if there is neither.

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


def _plot(rows: pd.DataFrame, paths: list[Path], shown: str, method: str, interval: str) -> None:
    panels = {metric: shares_of(rows, metric) for metric in PANELS[shown]}
    groups = [group for group in next(iter(panels.values())).index if group != WHOLE]
    if groups and all(_PERIOD.fullmatch(group) for group in groups):
        _plot_over_time(panels, paths, method, interval)
    else:
        _plot_by_name(panels, paths, method, interval)


def _plot_over_time(panels: dict[str, pd.DataFrame], paths: list[Path], method: str, interval: str) -> None:
    heads = {metric: _panel_title(metric, shares, with_share=True) for metric, shares in panels.items()}
    said = _say_shares(panels)
    panels = {metric: _on_every_period(shares.drop(index=WHOLE, errors="ignore")) for metric, shares in panels.items()}
    with figure(paths, (6.4, 5.2)) as drawn:
        all_axes = drawn.subplots(len(panels), sharex=True, sharey=True)
        for axes, (metric, shares) in zip(all_axes, panels.items(), strict=True):
            is_small = shares["is_small"].eq(True)
            style: dict[str, Any] = {
                "color": COLOURS[_SHOWN],
                "marker": MARKERS[_SHOWN],
                "markersize": 3.5,
                "zorder": 3,
            }
            told = _tell_shares(shares, _show_periods(shares.index))
            add_tooltips(axes.plot(shares.index, shares[_SHOWN].mask(is_small), linewidth=1.3, **style)[0], told)
            add_tooltips(
                axes.plot(shares.index, shares[_SHOWN].where(is_small), linewidth=0, alpha=FAINT, **style)[0], told
            )
            _draw_band(axes, shares, _SHOWN, is_small)
            few = shares["texts"].where(shares["texts"] < SMALL).dropna()
            for place, texts in few.items():
                # The label is beside its mark, on the side of the middle.
                share = np.nan_to_num(shares.at[place, _SHOWN])
                _annotate(axes, f"{texts:.0f}", (place, share), (0, 7 if share <= 50 else -7))
            axes.axhline(50, **_REFERENCE)
            _dress(axes, "y")
            axes.set_ylabel("women's share (%)")
            axes.set_title(heads[metric], fontsize=9)
        all_axes[-1].set_xlabel(f"year; a number in a panel: its texts, if fewer than {SMALL}" if len(few) else "year")
        all_axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
        _explain(
            drawn, panels, said, method, Patch(color=GREY, alpha=_BAND, linewidth=0, label=interval), linewidth=1.3
        )


def _draw_band(axes: Axes, shares: pd.DataFrame, name: str, is_small: pd.Series) -> None:
    """Draw the interval of a share: a band between neighbours that have one, else a bar, faint if the dot is faint."""
    low, high = shares[f"{name}_low"], shares[f"{name}_high"]
    in_line = low.notna() & ~is_small
    is_joined = in_line & (in_line.shift(1, fill_value=False) | in_line.shift(-1, fill_value=False))
    style: dict[str, Any] = {"color": COLOURS[name], "zorder": 2}
    axes.fill_between(shares.index, low.where(is_joined), high.where(is_joined), alpha=_BAND, linewidth=0, **style)
    for chosen, alpha in ((~is_joined & ~is_small, 1.0), (is_small, FAINT)):
        axes.vlines(shares.index, low.where(chosen), high.where(chosen), linewidth=0.9, alpha=alpha, **style)


def _on_every_period(shares: pd.DataFrame) -> pd.DataFrame:
    """Insert rows for periods without texts, so that lines break there; time is in years."""
    parts = [found.groups() for group in shares.index if (found := _PERIOD.fullmatch(group))]
    has_months = any(month for _, month in parts)
    # Months are counted from the year 0. A year alone is placed at its beginning.
    step = 1 if has_months else 12
    shares = shares.set_axis([int(year) * 12 + int(month or 1) - 1 for year, month in parts]).sort_index()
    shares = shares.reindex(range(shares.index[0], shares.index[-1] + 1, step))
    return shares.set_axis(shares.index / 12)


def _plot_by_name(panels: dict[str, pd.DataFrame], paths: list[Path], method: str, interval: str) -> None:
    order = _order_of(next(iter(panels.values())))
    said = _say_shares(panels)
    panels = {metric: shares.loc[order] for metric, shares in panels.items()}
    places = np.arange(len(order))
    with figure(paths, (6.4, max(2.4, 0.23 * len(order) + 2.0))) as drawn:
        all_axes = drawn.subplots(1, len(panels), sharey=True)
        for axes, (metric, shares) in zip(all_axes, panels.items(), strict=True):
            alpha = np.where(shares["is_small"], FAINT, 1.0)
            style: dict[str, Any] = {
                "color": COLOURS[_SHOWN],
                "marker": MARKERS[_SHOWN],
                "s": 22,
                "linewidths": 0,
                "zorder": 3,
            }
            ends = shares[f"{_SHOWN}_low"], shares[f"{_SHOWN}_high"]
            for marks in (
                axes.scatter(shares[_SHOWN], places, alpha=alpha, **style),
                axes.hlines(places, *ends, color=COLOURS[_SHOWN], linewidth=0.9, alpha=alpha, zorder=2),
            ):
                add_tooltips(marks, _tell_shares(shares, order))
            for place in places[shares["counted"] == 0]:
                _annotate(axes, "none", (50, place), (0, 0), bbox=_BOX)
            axes.axvline(50, **_REFERENCE)
            if order[0] == WHOLE and len(order) > 1:
                axes.axhline(0.5, color="#cccccc", linewidth=0.8)
            _dress(axes, "x")
            axes.tick_params(axis="y", length=0)
            axes.set_xlabel("women's share (%)")
            axes.set_title(_panel_title(metric, shares), fontsize=9)
        texts = next(iter(panels.values()))["texts"]
        all_axes[0].set_yticks(places, [f"{group} ({texts[group]:,.0f})" for group in order])
        all_axes[0].set_ylim(len(order) - 0.4, -0.6)
        all_axes[0].set_ylabel("group (texts)")
        _explain(drawn, panels, said, method, Line2D([], [], color=GREY, linewidth=0.9, label=interval), linewidth=0)


def _tell_shares(shares: pd.DataFrame, names: Iterable[str]) -> list[str]:
    """Format the tooltip of each group."""
    columns = shares[[_SHOWN, f"{_SHOWN}_low", f"{_SHOWN}_high", "counted"]].to_numpy(float)
    return [
        f"{name}: {show_estimate(share, low, high, 1)} % of {counted:,.0f}"
        for name, (share, low, high, counted) in zip(names, columns, strict=True)
    ]


def _show_periods(places: pd.Index) -> list[str]:
    """Format the year of each place on the axis, or the month if there are months."""
    months = [round(12 * years) for years in places]
    has_months = any(month % 12 for month in months)
    return [f"{month // 12}" + (f"-{month % 12 + 1:02}" if has_months else "") for month in months]


def _annotate(axes: Axes, text: str, place: tuple[float, float], points: tuple[float, float], **style: Any) -> None:
    style |= {"ha": "center", "va": "center", "fontsize": 6.5, "color": GREY, "zorder": 4}
    axes.annotate(text, place, points, textcoords="offset points", **style)


def _dress(axes: Axes, percent_axis: Literal["x", "y"]) -> None:
    axes.set(**{f"{percent_axis}lim": (-4, 104), f"{percent_axis}ticks": _TICKS})
    axes.grid(axis=percent_axis, color="#eeeeee")
    axes.set_axisbelow(True)


def _explain(
    drawn: Figure, panels: dict[str, pd.DataFrame], said: str, method: str, interval: Artist, linewidth: float
) -> None:
    """Give a figure its head, and a legend below the axes, outside the data; `interval` is listed if there are any."""
    head_figure(drawn, said, f"{method}: women's share of what is about women or men; the dashed line is half")
    style: dict[str, Any] = {"color": COLOURS[_SHOWN], "marker": MARKERS[_SHOWN], "linewidth": linewidth}
    entries: list[Artist] = [Line2D([], [], markersize=4, label="women", **style)]
    if any(shares["is_small"].eq(True).any() for shares in panels.values()):
        label = f"faint: fewer than {SMALL} texts, or {SMALL} counted"
        entries.append(Line2D([], [], color=GREY, marker="o", alpha=FAINT, markersize=4, linewidth=0, label=label))
    if any(shares["feminine_low"].notna().any() for shares in panels.values()):
        entries.append(interval)
    # Three entries are too wide for one line.
    drawn.legend(handles=entries, loc="outside lower center", ncols=2)


def _say_shares(panels: dict[str, pd.DataFrame]) -> str:
    """Describe women's share of each panel's total in a sentence."""
    said = [
        f"{share:.0f} % of {_words_of(metric)}"
        for metric, shares in panels.items()
        if not math.isnan(share := _whole(shares))
    ]
    return f"Women have {' and '.join(said)}" if said else "Women have none that is counted"


def _whole(shares: pd.DataFrame) -> float:
    """Compute the feminine share of all groups together; NaN if nothing is counted."""
    groups = shares.drop(index=WHOLE, errors="ignore")
    groups = groups if len(groups) else shares
    counted = groups["counted"].sum()
    return float((groups["feminine"] * groups["counted"]).sum() / counted) if counted else math.nan


def _order_of(shares: pd.DataFrame) -> list[str]:
    """Sort the groups by feminine share, largest first, ties by name; the whole corpus comes before all."""
    groups = shares.drop(index=WHOLE, errors="ignore")
    groups = groups.sort_index().sort_values("feminine", ascending=False, kind="stable", na_position="last")
    return [*(name for name in shares.index if name == WHOLE), *groups.index]


def _panel_title(metric: str, shares: pd.DataFrame, with_share: bool = False) -> str:
    """Format a panel's title: its metric, the count, and the total feminine share if no row shows it."""
    groups = shares.drop(index=WHOLE, errors="ignore")
    groups = groups if len(groups) else shares
    counted = groups["counted"].sum()
    title = f"{_words_of(metric).capitalize()} (n = {counted:,.0f})"
    if with_share and counted:
        title += f": {_whole(shares):.1f} % feminine"
        if WHOLE in shares.index and not math.isnan(shares.loc[WHOLE, "feminine_low"]):
            title += f" ({show_interval(shares.loc[WHOLE, 'feminine_low'], shares.loc[WHOLE, 'feminine_high'], 1)})"
    return title


def _words_of(metric: str) -> str:
    return metric.replace("_", " ")
