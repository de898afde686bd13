"""Errors among the named actors that annotators checked against the articles, and women's share corrected for them."""

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.counting.statistics import clustered_interval
from textparity.tables import write_csv
from textparity.tsv import read_tsv

COLUMNS = ["document", "actor", "found_as", "told_by", "is", "stands_for"]
KINDS = ("woman", "man", "no person", "not known")
# The verdict that confirms an actor of each detected gender.
RIGHT = {"feminine": "woman", "masculine": "man"}
_LEVEL = 0.95


def tabulate_actor_errors(judged: Path, table: Path) -> None:
    """Write one row per detected gender: actors checked, their number in all, the verdicts, and the percentage right.

    Actors of one document form a cluster. `women_percent_found` is women's share of the named actors with a gender, and
    `women_percent_true` is that share without the errors.
    """
    write_csv(pd.DataFrame(actor_errors(judged)), table)


def actor_errors(judged: Path) -> list[dict[str, object]]:
    """Count the checked actors; see `tabulate_actor_errors`."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    is_right: dict[str, dict[str, list[bool]]] = {gender: defaultdict(list) for gender in RIGHT}
    found: dict[str, float] = defaultdict(float)
    true: dict[str, float] = defaultdict(float)
    for row in read_tsv(judged, COLUMNS):
        gender, kind = row["found_as"], row["is"]
        kinds[gender][kind] += 1
        if kind != KINDS[-1]:
            is_right[gender][row["document"]].append(kind == RIGHT[gender])
        # Only a sample of the actors was checked, so one checked actor may stand for several.
        found[gender] += float(row["stands_for"])
        true[kind] += float(row["stands_for"])
    shares = {
        "women_percent_found": 100 * found["feminine"] / sum(found.values()),
        "women_percent_true": 100 * true["woman"] / (true["woman"] + true["man"]),
    }
    rows = []
    for gender in RIGHT:
        right, whole = (np.array(list(map(count, is_right[gender].values()))) for count in (sum, len))
        ends = clustered_interval(right, whole, _LEVEL)
        rows.append(
            {"found_as": gender, "read": kinds[gender].total(), "found": round(found[gender])}
            | {kind.replace(" ", "_"): kinds[gender][kind] for kind in KINDS}
            | {"right_percent": 100 * right.sum() / whole.sum()}
            | {"right_percent_low": 100 * ends.low, "right_percent_high": 100 * ends.high}
            | shares
        )
    return rows
