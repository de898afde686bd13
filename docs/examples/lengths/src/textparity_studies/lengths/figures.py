"""Draw the length of sentences."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity_studies.report.plotting import GREY, Chart


def plot_lengths(lengths: Path) -> Iterator[Chart]:
    """Draw a bar for each language."""
    table = pd.read_csv(lengths)
    longest = table.loc[table["words"].idxmax()]
    chart = Chart(
        "lengths",
        (6.4, 2.6),
        f"Sentences are longest in {longest['lang']}: {longest['words']:.1f} words",
        "Mean number of words between white space",
    )
    axes = chart.subplots()
    axes.barh(table["lang"], table["words"], color=GREY)
    axes.set_xlabel("words")
    yield chart
