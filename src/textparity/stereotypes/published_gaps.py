"""How large a gap of true positive rates chance alone makes in the paper's own Tables V and VII (Soundararajan 2023).

A gap |TPR of men - TPR of women| is never below 0, so a classifier that treats both alike has one, too: the fewer
sentences, the larger. The paper calls its gaps significant, and gives no such yardstick.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from textparity.ledger import read_published
from textparity.tables import write_csv

# The kinds of each class, men's first (Table V).
KINDS = {"consistent": ("MM", "FF"), "contradictory": ("MF", "FM")}
FOLDS = 5
GAP_COLUMNS = [
    "dataset", "label", "men", "women", "true_positive_rate_percent", "gap", "gap_by_chance", "gap_by_chance_of_folds",
    "probability_by_chance_percent",
]  # fmt: skip


def tabulate_published_gaps(published: Path, table_csv: Path) -> None:
    """Write a row a data set of Table V and class: its gap in Table VII beside what chance makes of equal rates.

    `men` and `women` are sentences; gaps are in percentage points. `gap_by_chance` is the expected one if both genders
    have the published rate, of all sentences together, and `gap_by_chance_of_folds` of a fifth of them, should the
    paper's be a mean over folds. `probability_by_chance_percent`: how often the first is as large as the published.
    """
    sizes: dict[str, dict[str, int]] = {}
    rates: dict[tuple[str, str], float] = {}
    for number in read_published(published):
        if number.table == "V":
            sizes.setdefault(number.row, {})[number.column] = round(float(number.value))
        elif number.table == "VII":
            rates[number.row, number.column] = float(number.value)
    rows = [_row(dataset, label, kinds, rates) for dataset, kinds in sizes.items() for label in KINDS]
    write_csv(pd.DataFrame(rows, columns=GAP_COLUMNS), table_csv)


def gap_probabilities(men: int, women: int, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Return every gap that can be (from 0 to 1), and its probability if both genders have the same `rate`."""
    found = [stats.binom.pmf(np.arange(size + 1), size, rate) for size in (men, women)]
    shares = [np.arange(size + 1) / size for size in (men, women)]
    gaps = np.abs(np.subtract.outer(*shares))
    return gaps.ravel(), np.multiply.outer(*found).ravel()


def _row(
    dataset: str, label: str, kinds: Mapping[str, int], rates: Mapping[tuple[str, str], float]
) -> dict[str, object]:
    lexicon = dataset.partition(",")[0]
    men, women = (kinds[kind] for kind in KINDS[label])
    rate = rates[lexicon, f"{label}_true_positive_rate_percent"]
    gap = rates[lexicon, f"{label}_true_positive_rate_gap"]
    gaps, probabilities = gap_probabilities(men, women, rate / 100)
    of_fold = gap_probabilities(round(men / FOLDS), round(women / FOLDS), rate / 100)
    return {
        "dataset": dataset,
        "label": label,
        "men": men,
        "women": women,
        "true_positive_rate_percent": rate,
        "gap": gap,
        "gap_by_chance": 100 * float(gaps @ probabilities),
        "gap_by_chance_of_folds": 100 * float(of_fold[0] @ of_fold[1]),
        # A hair below, lest a gap that is equal be lost to rounding.
        "probability_by_chance_percent": 100 * float(probabilities[gaps >= gap / 100 - 1e-9].sum()),
    }
