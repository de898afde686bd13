"""Draw how often the occupations of women and of men keep their gender, by language and system."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity.translating.scores import CORRECTED
from textparity_studies.report.plotting import COLOURS, MARKERS, Chart, draw_estimates, format_estimates

_WORDS = {"feminine": "women", "masculine": "men"}


def plot_recall(scores: Path) -> Iterator[Chart]:
    """Draw recall of women and of men (corrected), a row for each system, a panel for each language."""
    table = pd.read_csv(scores)
    table = table[table["procedure"] == CORRECTED]
    languages = list(dict.fromkeys(table["language"]))
    fewer = (table["recall_feminine"] < table["recall_masculine"]).sum()
    chart = Chart(
        "recall",
        (6.4, 1.6 + 0.32 * len(table) + 0.25 * len(languages)),
        f"Women keep their gender less often than men in {fewer} of {len(table)} translations",
        "Sentences of WinoMT whose translated occupation has the gender of its person, in percent of those about women "
        "and about men that show one, with bootstrap intervals over sentences",
    )
    sizes = [int((table["language"] == language).sum()) for language in languages]
    panels = chart.subplots(len(languages), 1, sharex=True, squeeze=False, height_ratios=sizes).flat
    for axes, language in zip(panels, languages, strict=True):
        rows = table[table["language"] == language].iloc[::-1]
        places = range(len(rows))
        for gender, word in _WORDS.items():
            columns = [f"recall_{gender}{end}" for end in ("", "_low", "_high")]
            tooltips = [
                f"{system}, {word}: {text}"
                for system, text in zip(rows["system_name"], format_estimates(rows[columns], 1), strict=True)
            ]
            draw_estimates(
                axes, places, rows[columns], tooltips, label=word, fmt=MARKERS[gender], color=COLOURS[gender],
                markersize=5, elinewidth=1,
            )  # fmt: skip
        axes.set_yticks(places, rows["system_name"])
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.set_xlim(0, 100)
        axes.set_title(language)
        axes.grid(axis="x", color="#dddddd")
    axes.set_xlabel("right gender, %")
    chart.add_legend(2)
    yield chart
