"""How large a gap of true positive rates chance alone makes in the paper's own Tables V and VII (Soundararajan 2023).

A gap |TPR of men - TPR of women| is never below 0, so a classifier that treats both alike has one, too: the fewer
sentences, the larger. The paper calls its gaps significant, and gives no such yardstick.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import signal, stats

from textparity.ledger import read_published
from textparity.tables import write_csv

# The kinds of each class, men's first (Table V).
KINDS = {"consistent": ("MM", "FF"), "contradictory": ("MF", "FM")}
FOLDS = 5
# Of gaps, when those of folds are added up.
_RESOLUTION = 10_000
GAP_COLUMNS = [
    "dataset", "label", "men", "women", "true_positive_rate_percent", "gap", "gap_by_chance",
    "probability_by_chance_percent", "gap_by_chance_of_folds", "probability_by_chance_of_folds_percent",
]  # fmt: skip


def tabulate_published_gaps(published: Path, table_csv: Path) -> None:
    """Write a row a data set of Table V and class: its gap in Table VII beside what chance makes of equal rates.

    `men` and `women` are sentences; gaps are in percentage points. If both genders have the published rate,
    `gap_by_chance` is what is to be expected of all sentences together, and `probability_by_chance_percent` says how
    often it is as large as the published one. `*_of_folds` are the same of the mean over five folds. The paper does not
    say which its gaps are; it prints a deviation for a lexicon with a single set of sentences.
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


def mean_gap_probabilities(gaps: np.ndarray, probabilities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return every mean of the gaps of five folds that do not know of each other, and its probability.

    Gaps are rounded to a ten-thousandth.
    """
    places = np.rint(gaps * _RESOLUTION).astype(int)
    one = np.bincount(places, weights=probabilities, minlength=_RESOLUTION + 1)
    total = one
    for _ in range(FOLDS - 1):
        total = signal.fftconvolve(total, one)
    return np.arange(len(total)) / (FOLDS * _RESOLUTION), np.clip(total, 0, None)


def _row(
    dataset: str, label: str, kinds: Mapping[str, int], rates: Mapping[tuple[str, str], float]
) -> dict[str, object]:
    lexicon = dataset.partition(",")[0]
    men, women = (kinds[kind] for kind in KINDS[label])
    rate = rates[lexicon, f"{label}_true_positive_rate_percent"]
    gap = rates[lexicon, f"{label}_true_positive_rate_gap"]
    gaps, probabilities = gap_probabilities(men, women, rate / 100)
    of_folds, fold_probabilities = mean_gap_probabilities(
        *gap_probabilities(round(men / FOLDS), round(women / FOLDS), rate / 100)
    )
    return {
        "dataset": dataset,
        "label": label,
        "men": men,
        "women": women,
        "true_positive_rate_percent": rate,
        "gap": gap,
        "gap_by_chance": 100 * float(gaps @ probabilities),
        "probability_by_chance_percent": 100 * _at_least(gap / 100, gaps, probabilities),
        "gap_by_chance_of_folds": 100 * float(of_folds @ fold_probabilities),
        "probability_by_chance_of_folds_percent": 100 * _at_least(gap / 100, of_folds, fold_probabilities),
    }


def _at_least(gap: float, gaps: np.ndarray, probabilities: np.ndarray) -> float:
    # A hair below, lest a gap that is equal be lost to rounding.
    return float(probabilities[gaps >= gap - 1e-9].sum())
