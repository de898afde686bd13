"""Draw the chart of a result's page for a paper: women's share with its interval, by group or by language."""

import io
import math
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.auditing.showing.charts import GroupChart, Mark, draw_charts, show_mark
from textparity.auditing.showing.sentences import level_of
from textparity.errors import ConfigError, MissingResourceError, how_to_install
from textparity.estimating.estimates import UNDEFINED, Estimate
from textparity.files import atomic_path, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from textparity.auditing.results import AuditData

ENDINGS = (".svg", ".pdf", ".png")
# A date would make each file another one.
_METADATA: Any = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
_COLUMNS = 3
# The distance of the corrected share from the share as counted.
_BESIDE = 0.25
_COLOUR, _GREY = "#D55E00", "#666666"
_STYLE: Any = {
    "font.size": 9, "axes.titlesize": 9, "axes.titlelocation": "left", "axes.spines.top": False,
    "axes.spines.right": False, "text.parse_math": False, "pdf.fonttype": 42, "svg.hashsalt": "textparity",
    "figure.constrained_layout.use": True,
}  # fmt: skip


def check_figure(path: Path) -> None:
    """Raise an error if the figure's name has another ending, or Matplotlib is not installed."""
    if path.suffix not in ENDINGS:
        raise ConfigError(f"figure {path}: must end in {', '.join(ENDINGS)}")
    if find_spec("matplotlib") is None:
        raise MissingResourceError(
            f"a figure needs Matplotlib, which is not installed; install the extra: {how_to_install('figure')}"
        )


def write_figure(result: "AuditData", path: Path) -> None:
    """Write the figure in the format of the path's ending, completely or not at all."""
    check_figure(path)
    content = render_figure(result, path.suffix)
    with atomic_path(path) as unfinished:
        unfinished.write_bytes(content)


def render_figure(result: "AuditData", ending: str) -> bytes:
    """Render the figure as one of `ENDINGS`. The same result gives the same bytes in one version of Matplotlib."""
    import matplotlib

    content = io.BytesIO()
    with matplotlib.rc_context(_STYLE):
        figure = _draw_figure(result)
        figure.savefig(content, format=ending.removeprefix("."), metadata=_METADATA[ending], dpi=200)
    return content.getvalue()


def _draw_figure(result: "AuditData") -> "Figure":
    """Draw a panel for each chart of the page, or a single one of all languages if there are no groups."""
    from matplotlib.figure import Figure

    charts = draw_charts(result)
    by_time = bool(charts) and result.groups_in_time
    panels = charts or [_chart_of_languages(result)]
    columns = min(_COLUMNS, len(panels))
    rows = math.ceil(len(panels) / columns)
    most_marks = max(len(panel.marks) for panel in panels)
    height = 2.0 if by_time else 0.5 + 0.25 * most_marks
    figure = Figure(figsize=(max(5.0, 2.6 * columns), 0.6 + rows * height))
    grid = figure.subplots(rows, columns, squeeze=False, sharey=by_time, sharex=not by_time)
    for axes, panel in zip(grid.flat, panels, strict=False):
        axes.set_title(printable(panel.title))
        _draw_panel(axes, panel, by_time)
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    dashed = "; dashed: the whole language" if charts else ""
    dashed += "; grey: corrected" if result.is_checked else ""
    note = f"Women %, with {level_of(result)} % intervals over {result.unit}s{dashed}"
    figure.supxlabel(note, fontsize=8, color=_GREY)
    return figure


def _chart_of_languages(result: "AuditData") -> GroupChart:
    marks = []
    for item in result.languages:
        name = f"{item.corpus}, {item.name}" if result.has_corpora else item.name
        marks.append(Mark(item, name, 0.0, ""))
    return GroupChart("", UNDEFINED, marks)


def _tick_name(mark: Mark) -> str:
    """Name a mark. A row without a mark has its counts instead."""
    counts = "" if mark.row.has_verdict else f" ({show_mark(mark)})"
    return f"{printable(mark.name)}{counts}"


def _draw_panel(axes: "Axes", panel: GroupChart, by_time: bool) -> None:
    """Draw a panel: by time from left to right, else one mark below the other. A row without a verdict has no mark."""
    positions: list[float]
    draw_line: Callable[..., Any]
    if by_time:
        positions = [mark.along for mark in panel.marks]
        draw_line = axes.axhline
        axes.set_ylim(0, 100)
    else:
        positions = [*range(len(panel.marks), 0, -1)]
        draw_line = axes.axvline
        axes.set_xlim(0, 100)
    draw_line(50, color=_GREY, linewidth=0.6)
    if not math.isnan(panel.whole.value):
        draw_line(panel.whole.value, color=_GREY, linewidth=0.8, linestyle="--")
    for position, mark in zip(positions, panel.marks, strict=True):
        _draw_mark(axes, mark, position, by_time)
    if by_time:
        _label_periods(axes, panel.marks)
    else:
        axes.set_yticks(positions, [_tick_name(mark) for mark in panel.marks])
        axes.set_ylim(0.4, len(panel.marks) + 0.6)


def _draw_mark(axes: "Axes", mark: Mark, position: float, by_time: bool) -> None:
    """Draw a share as a dot and its interval as a line, and beside it the corrected share, if there is one."""
    _draw_share(axes, mark.row.stated(mark.row.women_share), position, by_time, "o")
    _draw_share(axes, mark.row.statistics.corrected_share, position - _BESIDE, by_time, "D")


def _draw_share(axes: "Axes", share: Estimate, position: float, by_time: bool, sign: str) -> None:
    if math.isnan(share.value):
        return
    colour = _COLOUR if sign == "o" else _GREY
    positions = [position, position]
    ends = [share.low, share.high]
    if by_time:
        axes.plot(positions, ends, color=colour, linewidth=1.4)
        axes.plot(position, share.value, sign, color=colour, markersize=4.5)
    else:
        axes.plot(ends, positions, color=colour, linewidth=1.4)
        axes.plot(share.value, position, sign, color=colour, markersize=4.5)


def _label_periods(axes: "Axes", marks: Sequence[Mark]) -> None:
    labelled = [mark for mark in marks if mark.label]
    axes.set_xticks([mark.along for mark in labelled], [mark.label for mark in labelled])
    axes.set_xlim(-5, 105)
