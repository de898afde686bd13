"""How figures look: colour-blind safe, with what they show as their title, the same bytes from the same numbers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
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

    The first line of what `head_figure` gave it is the title of the file too, which browsers and readers say aloud.
    """
    matplotlib.use("Agg")
    with plt.rc_context(_STYLE):
        drawn = plt.figure(figsize=size)
        try:
            yield drawn
            for path in paths:
                # A date in the file would make two runs differ.
                undated = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(path.suffix, {})
                about = {"Title": drawn.get_label()} if drawn.get_label() else {}
                with atomic_path(path) as part:
                    drawn.savefig(part, format=path.suffix[1:], metadata=undated | about, dpi=150)
        finally:
            plt.close(drawn)


def head_figure(drawn: Figure, shown: str, method: str) -> None:
    """Head a figure with what it shows, in a sentence, and below how it was measured."""
    drawn.set_label(shown)
    width = drawn.get_figwidth()
    below = fill(method, int(_METHOD_WIDTH * width))
    # The title keeps the room of the lines below it, which have a size of their own.
    head = fill(shown, int(_TITLE_WIDTH * width)) + "\n" * (below.count("\n") + 1)
    text = drawn.suptitle(head, x=0.01, ha="left", fontsize=_TITLE_SIZE, fontweight="bold")
    note = Annotation(below, (0, 0), xycoords=text, ha="left", va="bottom", fontsize=_METHOD_SIZE, color=GREY)
    note.set_in_layout(False)
    drawn.add_artist(note)
