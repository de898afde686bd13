"""The ledger's numbers of recognizers: Tables 5, 6 and 11 of Nahurna and Romanyshyn 2025."""

import itertools
import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity.studies.swapping.corpus_names import AUGMENTED
from textparity.studies.swapping.measured import Key, Measured
from textparity.studies.swapping.recognition.names import ALL, MEASURES, TRAINING_DATA, WEIGHTED

# In the list of what was not run, beside corpora; and the tables that it leaves empty.
RECOGNITION = "recognition"
RECOGNITION_TABLES = ("5", "6", "11")
PAPERS_ARCHITECTURE = "transformer"
_NOT_WEIGHTED = "the paper's is the score of all entities together; corrected is their weighted average"
# A procedure, a table, row and column, our value, the number of seeds, and a remark.
Cell = tuple[str, Key, float, int, str]


def recognition_numbers(scores: list[Path], recall: list[Path], architecture: str) -> dict[Key, Measured]:
    """Return means over seeds by both procedures; a smaller model than the paper's is another setup."""
    cells = [cell for path in scores for cell in _score_cells(pd.read_csv(path))]
    cells += [cell for path in recall for cell in _recall_cells(pd.read_csv(path))]
    values: dict[Key, dict[str, float]] = {}
    remarks: dict[Key, str] = {}
    for procedure, key, value, seeds, remark in cells:
        values.setdefault(key, {})[procedure] = value
        remarks[key] = "; ".join(filter(None, [f"mean of {seeds} seeds", remark]))
    is_papers = architecture == PAPERS_ARCHITECTURE
    setup = "" if is_papers else f"{architecture}, a small model for the CPU, stands in for RoBERTa-large"
    return {
        key: Measured(found.get("published", math.nan), found.get("corrected", math.nan), remarks[key], setup)
        for key, found in values.items()
    }


def _score_cells(scores: pd.DataFrame) -> Iterator[Cell]:
    """Yield Table 11, and Table 5, which is part of it."""
    for row in scores.to_dict("records"):
        label, remark = row["label"], ""
        # What the paper calls weighted average is the score of all entities together.
        if label in (ALL, WEIGHTED):
            if (label == ALL) != (row["procedure"] == "published"):
                continue
            label, remark = WEIGHTED, _NOT_WEIGHTED
        for data, measure in itertools.product(TRAINING_DATA, MEASURES):
            if (column := f"{data}_{measure}") in row:
                for table in ("5", "11"):
                    key = (table, f"{row['test_set']}, {label}", column)
                    yield row["procedure"], key, row[column], row["seeds"], remark


def _recall_cells(recall: pd.DataFrame) -> Iterator[Cell]:
    """Yield Table 6, which is of the augmented test set."""
    for row in recall[recall["test_set"] == AUGMENTED].to_dict("records"):
        for data in TRAINING_DATA:
            if (column := f"{data}_recall") in row:
                yield row["procedure"], ("6", row["gender"], column), row[column], row["seeds"], ""
