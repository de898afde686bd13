"""Draw figures in one style: colour-blind safe, the finding as title, and reproducible byte for byte.

In SVG, a tooltip on each mark gives its value, and a screen reader announces the finding.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import Any
from xml.etree import ElementTree

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import PathCollection
from matplotlib.container import BarContainer, Container
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation

from textparity.files import atomic_path

# Okabe & Ito's palette; the colours also differ in lightness, so that they survive a grey print.
COLOURS = {"feminine": "#D55E00", "masculine": "#0072B2", "unspecified": "#999999"}
MARKERS = {"feminine": "o", "masculine": "s", "unspecified": "^"}

# The colour of everything that is not data.
GREY = "#666666"
# Font sizes of the title and the text below it; their characters per inch of a line follow.
_TITLE_SIZE, _METHOD_SIZE = 10, 8
_TITLE_WIDTH, _METHOD_WIDTH = 11, 15

# The prefix of the id of marks that have tooltips.
_TOLD = "told "
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


@contextmanager
def figure(paths: list[Path], size: tuple[float, float]) -> Iterator[Figure]:
    """Create a figure of `size` inches in the house style, and save it to every path (format by ending) at exit.

    The texts of `head_figure` are also the file's title and description, which browsers and screen readers announce.
    """
    matplotlib.use("Agg")
    with plt.rc_context(_STYLE):
        drawn = plt.figure(figsize=size)
        try:
            yield drawn
            for path in paths:
                # With a date in the file, two runs would differ.
                undated = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(path.suffix, {})
                title, _, method = str(drawn.get_label()).partition("\n")
                about = {"Title": title} if title else {}
                with atomic_path(path) as part:
                    drawn.savefig(part, format=path.suffix[1:], metadata=undated | about, dpi=150)
                    if path.suffix == ".svg":
                        _finish_svg(part, title, method)
        finally:
            plt.close(drawn)


def head_figure(drawn: Figure, shown: str, method: str) -> None:
    """Head a figure with its finding in a sentence, and below with its method."""
    drawn.set_label(f"{shown}\n{method}")
    width = drawn.get_figwidth()
    below = fill(method, int(_METHOD_WIDTH * width))
    # The title reserves room for the lines below it, which have their own font size.
    head = fill(shown, int(_TITLE_WIDTH * width)) + "\n" * (below.count("\n") + 1)
    text = drawn.suptitle(head, x=0.01, ha="left", fontsize=_TITLE_SIZE, fontweight="bold")
    note = Annotation(below, (0, 0), xycoords=text, ha="left", va="bottom", fontsize=_METHOD_SIZE, color=GREY)
    note.set_in_layout(False)
    drawn.add_artist(note)


def add_tooltips(marks: Artist | Container, texts: Iterable[str]) -> None:
    """Give each mark a tooltip, which an SVG file shows under the pointer.

    `marks` is the result of an axes' method: the points of a line, dots, bars, or points with their intervals; a line
    without markers and a patch are one mark. `texts` has one for each, including marks that are not drawn because their
    number is not finite.
    """
    told = list(texts)
    if isinstance(marks, BarContainer):
        for patch, text in zip(marks, told, strict=True):
            add_tooltips(patch, [text])
    elif isinstance(marks, Container):
        for part in marks.get_children():
            add_tooltips(part, told)
    else:
        if isinstance(marks, PathCollection) or (isinstance(marks, Line2D) and marks.get_marker() != "None"):
            data = marks.get_offsets() if isinstance(marks, PathCollection) else marks.get_xydata()
            points: np.ndarray = np.ma.filled(np.ma.asarray(data, dtype=float), np.nan)
            told = [text for text, point in zip(told, points, strict=True) if np.isfinite(point).all()]
        # The file identifies the marks by the id of their group.
        if told:
            marks.set_gid(_TOLD + json.dumps(told))


def show_estimate(value: float, low: float, high: float, decimals: int) -> str:
    """Format a number for `add_tooltips`, with its interval in brackets if it has one."""
    interval = f" [{low:.{decimals}f}, {high:.{decimals}f}]" if np.isfinite([low, high]).all() else ""
    return f"{value:.{decimals}f}{interval}"


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
        if not identity.startswith(_TOLD):
            continue
        marks = list(group.iter(f"{svg}use")) or group.findall(f"{svg}path")
        for mark, text in zip(marks, json.loads(identity.removeprefix(_TOLD)), strict=True):
            ElementTree.SubElement(mark, f"{svg}title").text = text
    if title:
        root.set("role", "img")
        root.set("aria-label", title)
        about = ElementTree.Element(f"{svg}desc")
        about.text = method
        # The description follows the title.
        root.insert(1, about)
    tree.write(path, encoding="utf-8", xml_declaration=True)
