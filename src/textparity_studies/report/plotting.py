"""How figures look: colour-blind safe, with what they show as their title, the same bytes from the same numbers.

As SVG, a figure says its values: that of a mark where a pointer rests on it, and what it shows to readers of screens.
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

# Okabe & Ito's palette; lightness differs too, so the classes survive a grey print.
COLOURS = {"feminine": "#D55E00", "masculine": "#0072B2", "unspecified": "#999999"}
MARKERS = {"feminine": "o", "masculine": "s", "unspecified": "^"}

# Of what is beside the data.
GREY = "#666666"
# How many characters go on an inch of a line, of the title and of what is below it.
_TITLE_SIZE, _METHOD_SIZE = 10, 8
_TITLE_WIDTH, _METHOD_WIDTH = 11, 15

# How the id of marks with texts begins.
_TOLD = "told "
_NAMESPACES = {
    "": "http://www.w3.org/2000/svg",
    "xlink": "http://www.w3.org/1999/xlink",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "cc": "http://creativecommons.org/ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
}

# Of matplotlib's own keys, each a type of its own.
_STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "legend.frameon": False,
    # A name with two dollar signs is no formula.
    "text.parse_math": False,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    # Ids in SVG files are random unless salted.
    "svg.hashsalt": "textparity",
    "figure.constrained_layout.use": True,
}


@contextmanager
def figure(paths: list[Path], size: tuple[float, float]) -> Iterator[Figure]:
    """Yield a figure of `size` inches in the house style, and save it to every path (format by ending).

    What `head_figure` gave it is the title and the description of the file too, which browsers and readers say aloud.
    """
    matplotlib.use("Agg")
    with plt.rc_context(_STYLE):
        drawn = plt.figure(figsize=size)
        try:
            yield drawn
            for path in paths:
                # A date in the file would make two runs differ.
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
    """Head a figure with what it shows, in a sentence, and below how it was measured."""
    drawn.set_label(f"{shown}\n{method}")
    width = drawn.get_figwidth()
    below = fill(method, int(_METHOD_WIDTH * width))
    # The title keeps the room of the lines below it, which have a size of their own.
    head = fill(shown, int(_TITLE_WIDTH * width)) + "\n" * (below.count("\n") + 1)
    text = drawn.suptitle(head, x=0.01, ha="left", fontsize=_TITLE_SIZE, fontweight="bold")
    note = Annotation(below, (0, 0), xycoords=text, ha="left", va="bottom", fontsize=_METHOD_SIZE, color=GREY)
    note.set_in_layout(False)
    drawn.add_artist(note)


def add_tooltips(marks: Artist | Container, texts: Iterable[str]) -> None:
    """Give each mark a text, which an SVG file shows where a pointer rests on it.

    `marks` is what an axes' method returned: the points of a line, dots, bars, or points with their intervals; a line
    without markers and a patch are one mark. `texts` has one for each, also where a number that is not finite draws
    none.
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
        # The id of a group in the file, which is where the marks are found again.
        if told:
            marks.set_gid(_TOLD + json.dumps(told))


def show_estimate(value: float, low: float, high: float, decimals: int) -> str:
    """Return a number for `add_tooltips` with its interval in brackets, if it has one."""
    interval = f" [{low:.{decimals}f}, {high:.{decimals}f}]" if np.isfinite([low, high]).all() else ""
    return f"{value:.{decimals}f}{interval}"


def _finish_svg(path: Path, title: str, method: str) -> None:
    """Write the texts of marks into an SVG file as their titles, and say what the whole is."""
    for prefix, address in _NAMESPACES.items():
        ElementTree.register_namespace(prefix, address)
    # Comments have the words that are drawn as paths.
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    tree = ElementTree.parse(path, parser)
    root = tree.getroot()
    svg = f"{{{_NAMESPACES['']}}}"
    for group in list(root.iter(f"{svg}g")):
        # No other element names a group, and ids of two figures in one page would be the same.
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
        # After the title.
        root.insert(1, about)
    tree.write(path, encoding="utf-8", xml_declaration=True)
