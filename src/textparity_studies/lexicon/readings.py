"""Read the verdict of footnote 11 of Muller 2023 in several ways, which differ in the units that they compare."""

import math
from collections.abc import Callable, Iterable, Mapping

import pandas as pd

from textparity.estimating.gaps import published_verdict

# The label of the row below a table's languages.
AVERAGE = "avg."
ONE_UNIT = "footnote 11 in one unit"
PERCENT_AND_FRACTION = "percent against a fraction"
WITHOUT_ERROR = "masculine >= feminine"

Cells = Mapping[str, float]
"""A row as Tables 3 to 5 print it: feminine, masculine and gap in percent, standard_error as a fraction."""


def beyond_two_errors(cells: Cells, standard_error: float) -> str:
    """Compare the gap of a row with two standard errors."""
    # The printed gap was rounded once, the difference of the printed rates twice.
    return published_verdict(math.copysign(cells["gap"], cells["masculine"] - cells["feminine"]), standard_error)


READINGS: dict[str, Callable[[Cells], str]] = {
    ONE_UNIT: lambda cells: beyond_two_errors(cells, 100 * cells["standard_error"]),
    PERCENT_AND_FRACTION: lambda cells: beyond_two_errors(cells, cells["standard_error"]),
    WITHOUT_ERROR: lambda cells: "masculine" if cells["masculine"] >= cells["feminine"] else "feminine",
}


def read_verdict(reading: Callable[[Cells], str], cells: Cells) -> str:
    """Apply a reading to a row; the result is empty if a cell that it could need is missing."""
    is_whole = not any(
        math.isnan(cells.get(name, math.nan)) for name in ("feminine", "masculine", "gap", "standard_error")
    )
    return reading(cells) if is_whole else ""


def read_summaries_as(reading: str, published: pd.DataFrame) -> list[str]:
    """Apply a reading to rows of a summary by the `published` procedure, whose errors are fractions."""
    columns = {"feminine_percent": "feminine", "masculine_percent": "masculine"}
    rows = published[[*columns, "gap", "standard_error"]].rename(columns=columns)
    return [read_verdict(READINGS[reading], cells) for cells in rows.to_dict("records")]


def count_printed(sentences: Iterable[Mapping[str, str]], row: str, column: str) -> dict[str, tuple[int, int]]:
    """Look up the languages behind a number of §5.1, by reading, as a lower and an upper bound.

    `sentences` are the rows of the kept table of the counts in the printed tables.
    """
    counts: dict[str, tuple[int, int]] = {}
    for sentence in sentences:
        reading = sentence["reading"]
        if (sentence["row"], sentence["column"]) != (row, column) or reading not in READINGS:
            continue
        # One number has two sentences; the first is the usual one.
        counts.setdefault(reading, (int(sentence["low"]), int(sentence["high"])))
    return counts


def name_nearest(printed: float, counts: Mapping[str, tuple[int, int]]) -> str:
    """Name the readings whose count comes nearest to a printed one, and the count by footnote 11.

    `counts` has the least and the most languages by each reading.
    """
    distances = {name: max(low - printed, printed - high, 0) for name, (low, high) in counts.items()}
    nearest = [name for name in counts if distances[name] == min(distances.values())]
    shown = {name: f"{name} ({' to '.join(map(str, dict.fromkeys(ends)))})" for name, ends in counts.items()}
    said = f"{' and '.join(shown[name] for name in nearest)} {'comes' if len(nearest) == 1 else 'come'} nearest"
    return said if ONE_UNIT in nearest else f"{said}, before {shown[ONE_UNIT]}"
