"""How figures look: vector files, colour-blind safe, the same bytes from the same numbers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from textparity.files import atomic_path

# Okabe & Ito's palette; lightness differs too, so the classes survive a grey print.
COLOURS = {"feminine": "#D55E00", "masculine": "#0072B2", "unspecified": "#999999"}
MARKERS = {"feminine": "o", "masculine": "s", "unspecified": "^"}

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
    """Yield a figure of `size` inches in the house style, and save it to every path (format by ending)."""
    matplotlib.use("Agg")
    with plt.rc_context(_STYLE):
        drawn = plt.figure(figsize=size)
        try:
            yield drawn
            for path in paths:
                # A date in the file would make two runs differ.
                undated = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(path.suffix)
                with atomic_path(path) as part:
                    drawn.savefig(part, format=path.suffix[1:], metadata=undated, dpi=150)
        finally:
            plt.close(drawn)
