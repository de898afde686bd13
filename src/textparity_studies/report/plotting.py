"""Draw charts in one style: colour-blind safe, the finding as title, and reproducible byte for byte.

In SVG, a tooltip on each mark gives its value, and a screen reader announces the finding.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from pathlib import Path
from textwrap import fill
from typing import Any, Literal
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.container import BarContainer, Container
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation

from textparity.files import atomic_path
from textparity.tables import find_by_name

# Okabe & Ito's palette; the colours also differ in lightness, so that they survive a grey print.
COLOURS = {"feminine": "#D55E00", "masculine": "#0072B2", "unspecified": "#999999"}
MARKERS = {"feminine": "o", "masculine": "s", "unspecified": "^"}

# The colour of everything that is not data.
GREY = "#666666"
# The opacity of marks that rest on little data.
FAINT = 0.3
# Font sizes of the title and the text below it; their characters per inch of a line follow.
_TITLE_SIZE, _METHOD_SIZE = 10, 8
_TITLE_WIDTH, _METHOD_WIDTH = 11, 15

# The prefix of the id of marks that have tooltips.
_TOOLTIPS = "tooltips "
_NAMESPACES = {
    "": "http://www.w3.org/2000/svg",
    "xlink": "http://www.w3.org/1999/xlink",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "cc": "http://creativecommons.org/ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
}

# Matplotlib gives each of its keys a type of its own.
_STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "legend.frameon": False,
    # A name with two dollar signs is not a formula.
    "text.parse_math": False,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    # Ids in SVG files are random unless salted.
    "svg.hashsalt": "textparity",
    "figure.constrained_layout.use": True,
}
matplotlib.rcParams.update(_STYLE)


class Chart(Figure):
    """A figure of a result in the house style, headed by its finding in a sentence, with its method below.

    `name` is the path of its files below their folder, without an ending, and `size` its width and height in inches.
    The finding and the method are also the file's title and description, which browsers and screen readers announce.
    """

    def __init__(self, name: str, size: tuple[float, float], finding: str, method: str) -> None:
        super().__init__(figsize=size)
        self.name, self.finding, self.method = name, finding, method
        below = fill(method, int(_METHOD_WIDTH * size[0]))
        # The title reserves room for the lines below it, which have their own font size.
        head = fill(finding, int(_TITLE_WIDTH * size[0])) + "\n" * (below.count("\n") + 1)
        text = self.suptitle(head, x=0.01, ha="left", fontsize=_TITLE_SIZE, fontweight="bold")
        note = Annotation(below, (0, 0), xycoords=text, ha="left", va="bottom", fontsize=_METHOD_SIZE, color=GREY)
        note.set_in_layout(False)
        self.add_artist(note)

    def panels(self, rows: int, columns: int, sharex: bool = False, sharey: bool = False) -> list[Axes]:
        """Add panels, row by row."""
        return list(self.subplots(rows, columns, squeeze=False, sharex=sharex, sharey=sharey).flat)

    def add_legend(self, columns: int, handles: Sequence[Artist] = (), **style: Any) -> None:
        """Add a legend of `handles`, by default of the first panel's labels, below the panels, outside the data."""
        labels: list[Any] = [handle.get_label() for handle in handles]
        if not handles:
            handles, labels = self.axes[0].get_legend_handles_labels()
        self.legend(handles, labels, loc="outside lower center", ncols=columns, **style)

    def save(self, path: Path) -> None:
        """Save the chart in the format of the path's ending."""
        # With a date in the file, two runs would differ.
        undated = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(path.suffix, {})
        with atomic_path(path) as part:
            self.savefig(part, format=path.suffix[1:], metadata=undated | {"Title": self.finding}, dpi=150)
            if path.suffix == ".svg":
                _finish_svg(part, self.finding, self.method)


def write_charts(charts: Iterable[Chart], files: Iterable[Path]) -> None:
    """Save each chart as the `files` whose paths end with its name.

    Charts without a file are not saved. Raises `ValueError` for a file without a chart.
    """
    by_name = {chart.name: chart for chart in charts}
    for file in files:
        find_by_name(file, by_name).save(file)


def draw_estimates(
    axes: Axes,
    places: Any,
    estimates: pd.DataFrame,
    tooltips: Sequence[str],
    along: Literal["x", "y"] = "x",
    is_faint: Any = False,
    faint_style: Mapping[str, Any] | None = None,
    label: str | None = None,
    **style: Any,
) -> None:
    """Draw dots with their intervals, if they have one: a row for each value, its low and its high end.

    `along` is the axis of the values; `places` are those on the other axis. Faint dots have the `faint_style`, by
    default less opacity. `style` is that of `Axes.errorbar`.
    """
    values, low, high = estimates.to_numpy(float).T
    low, high = np.where(np.isnan(low), values, low), np.where(np.isnan(high), values, high)
    errors = np.array([values - low, high - values]).clip(min=0)
    places, is_faint = np.asarray(places), np.broadcast_to(is_faint, len(estimates))
    across = "y" if along == "x" else "x"
    for chosen, look in ((~is_faint, {"label": label}), (is_faint, faint_style or {"alpha": FAINT})):
        points = {along: values[chosen], across: places[chosen], f"{along}err": errors[:, chosen]}
        marks = axes.errorbar(**points, **{**style, **look})
        # Matplotlib cannot draw an interval that lies beside its value, as a bootstrap's may.
        ends = np.stack([np.stack([end[chosen], places[chosen]], axis=1) for end in (low, high)], axis=1)
        marks.lines[2][0].set_segments(list(ends if along == "x" else ends[:, :, ::-1]))
        add_tooltips(marks, compress(tooltips, chosen))


def draw_bars(
    axes: Axes,
    places: Any,
    lengths: Any,
    tooltips: Sequence[str],
    along: Literal["x", "y"] = "y",
    width: float = 0.8,
    base: Any = 0,
    is_faint: Any = False,
    **style: Any,
) -> None:
    """Draw bars along an axis, on a `base` if they are stacked."""
    if along == "y":
        bars = axes.bar(places, lengths, width, bottom=base, **style)
    else:
        bars = axes.barh(places, lengths, width, left=base, **style)
    for bar, faint in zip(bars, np.broadcast_to(is_faint, len(bars)), strict=True):
        bar.set_alpha(FAINT if faint else style.get("alpha"))
    add_tooltips(bars, tooltips)


def add_tooltips(marks: Artist | Container, texts: Iterable[str]) -> None:
    """Give each mark a tooltip, which an SVG file shows under the pointer.

    `marks` is the result of an axes' method: the points of a line, dots, bars, or points with their intervals; a line
    without markers and a patch are one mark. `texts` has one for each, including marks that are not drawn because their
    number is not finite.
    """
    tooltips = list(texts)
    if isinstance(marks, BarContainer):
        for patch, text in zip(marks, tooltips, strict=True):
            add_tooltips(patch, [text])
    elif isinstance(marks, Container):
        for part in marks.get_children():
            add_tooltips(part, tooltips)
    else:
        if isinstance(marks, PathCollection) or (isinstance(marks, Line2D) and marks.get_marker() != "None"):
            data = marks.get_offsets() if isinstance(marks, PathCollection) else marks.get_xydata()
            points: np.ndarray = np.ma.filled(np.ma.asarray(data, dtype=float), np.nan)
            tooltips = [text for text, point in zip(tooltips, points, strict=True) if np.isfinite(point).all()]
        # The file identifies the marks by the id of their group.
        if tooltips:
            marks.set_gid(_TOOLTIPS + json.dumps(tooltips))


def format_estimates(estimates: pd.DataFrame, decimals: int) -> list[str]:
    """Format each value of `draw_estimates` for its tooltip, with its interval in brackets if it has one."""
    texts = []
    for value, low, high in estimates.to_numpy(float):
        interval = f" [{low:.{decimals}f}, {high:.{decimals}f}]" if np.isfinite([low, high]).all() else ""
        texts.append(f"{value:.{decimals}f}{interval}")
    return texts


def _finish_svg(path: Path, title: str, method: str) -> None:
    """Write the marks' tooltips into an SVG file as titles, and describe the whole figure."""
    for prefix, address in _NAMESPACES.items():
        ElementTree.register_namespace(prefix, address)
    # Comments contain the words that are drawn as paths.
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    tree = ElementTree.parse(path, parser)
    root = tree.getroot()
    svg = f"{{{_NAMESPACES['']}}}"
    for group in list(root.iter(f"{svg}g")):
        # No other element refers to a group, and ids of two figures in one page would clash.
        identity = group.attrib.pop("id", "")
        if not identity.startswith(_TOOLTIPS):
            continue
        marks = list(group.iter(f"{svg}use")) or group.findall(f"{svg}path")
        for mark, text in zip(marks, json.loads(identity.removeprefix(_TOOLTIPS)), strict=True):
            ElementTree.SubElement(mark, f"{svg}title").text = text
    if title:
        root.set("role", "img")
        root.set("aria-label", title)
        about = ElementTree.Element(f"{svg}desc")
        about.text = method
        # The description follows the title.
        root.insert(1, about)
    tree.write(path, encoding="utf-8", xml_declaration=True)
