"""Draw the chart of a result's page for a paper: women's share with its interval, by group or by language."""

import math
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.auditing import rendering
from textparity.errors import ConfigError, MissingResourceError, how_to_install
from textparity.estimating.estimates import UNDEFINED
from textparity.files import atomic_path, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from textparity.auditing.results import AuditResult, LanguageAudit

ENDINGS = (".svg", ".pdf", ".png")
_COLUMNS = 3
_COLOUR, _GREY = "#D55E00", "#666666"
_STYLE: Any = {
    "font.size": 9, "axes.titlesize": 9, "axes.titlelocation": "left", "axes.spines.top": False,
    "axes.spines.right": False, "text.parse_math": False, "pdf.fonttype": 42, "svg.hashsalt": "textparity",
    "figure.constrained_layout.use": True,
}  # fmt: skip


def check_figure(path: Path) -> None:
    """Raise an error if the figure's name has another ending, or Matplotlib is not installed."""
    if path.suffix not in ENDINGS:
        raise ConfigError(f"--figure {path}: must end in {', '.join(ENDINGS)}")
    if find_spec("matplotlib") is None:
        raise MissingResourceError(
            f"--figure needs Matplotlib, which is not installed; install the extra: {how_to_install('figure')}"
        )


def write_figure(result: "AuditResult", path: Path) -> None:
    """Write the figure. The same result gives the same bytes, with the same version of Matplotlib."""
    check_figure(path)
    import matplotlib
    from matplotlib.figure import Figure

    charts = rendering.draw_charts(result)
    by_time = bool(charts) and result.groups_in_time
    shown = [rendering.Mark(item, _row_name(item, result), 0.0, "") for item in result.languages]
    panels = charts or [rendering.GroupChart("", UNDEFINED, shown)]
    columns = min(_COLUMNS, len(panels))
    rows = math.ceil(len(panels) / columns)
    tall = 2.0 if by_time else 0.5 + 0.25 * max(len(panel.marks) for panel in panels)
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(max(5.0, 2.6 * columns), 0.6 + rows * tall))
        grid = figure.subplots(rows, columns, squeeze=False, sharey=by_time, sharex=not by_time)
        for axes, panel in zip(grid.flat, panels, strict=False):
            axes.set_title(printable(panel.title))
            _draw_panel(axes, panel, by_time)
        for axes in grid.flat[len(panels) :]:
            axes.set_visible(False)
        level = rendering.level_of(result)
        note = f"Women %, with {level} % intervals over {result.unit}s" + "; dashed: the whole language" * bool(charts)
        figure.supxlabel(note, fontsize=8, color=_GREY)
        with atomic_path(path) as part:
            # A date would make each file another one.
            dates: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
            figure.savefig(part, format=path.suffix[1:], metadata=dates[path.suffix], dpi=200)


def _row_name(item: "LanguageAudit", result: "AuditResult") -> str:
    return ", ".join([item.corpus] * result.has_corpora + [item.name])


def _tick_name(mark: rendering.Mark) -> str:
    """Name a mark. A row without a mark has its counts instead."""
    counts = "" if mark.row.has_verdict else f" ({rendering.show_mark(mark)})"
    return f"{printable(mark.name)}{counts}"


def _draw_panel(axes: "Axes", panel: rendering.GroupChart, by_time: bool) -> None:
    """Draw a panel: by time from left to right, else one mark below the other. A row without a verdict has no mark."""
    (limit, line) = (axes.set_ylim, axes.axhline) if by_time else (axes.set_xlim, axes.axvline)
    limit(0, 100)
    line(50, color=_GREY, linewidth=0.6)
    marks, whole = panel.marks, panel.whole.value
    if not math.isnan(whole):
        line(whole, color=_GREY, linewidth=0.8, linestyle="--")
    places = [mark.along for mark in marks] if by_time else list(range(len(marks), 0, -1))
    for place, mark in zip(places, marks, strict=True):
        share = mark.row.stated(mark.row.women_share)
        if math.isnan(share.value):
            continue
        ends = (share.low, share.high)
        at, span = ([place], [share.value]) if by_time else ([share.value], [place]), ([place, place], ends)
        axes.plot(*(span if by_time else span[::-1]), color=_COLOUR, linewidth=1.4)
        axes.plot(*at, "o", color=_COLOUR, markersize=4.5)
    if by_time:
        named = [(place, mark.label) for place, mark in zip(places, marks, strict=True) if mark.label]
        axes.set_xticks([place for place, _ in named], [label for _, label in named])
        axes.set_xlim(-5, 105)
    else:
        axes.set_yticks(places, [_tick_name(mark) for mark in marks])
        axes.set_ylim(0.4, len(marks) + 0.6)
