"""The ledger rows of Nahurna and Romanyshyn 2025: Tables 1-11 and §4.1."""

import csv
import itertools
import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity.ledger import judge, read_published, write_ledger
from textparity.swapping.entity_counts import AUGMENTED, ORIGINAL, TOTAL
from textparity.swapping.ner_names import ALL, MEASURES, TRAINING_DATA, WEIGHTED

# In the list of what was not run, beside corpora; and the tables that it leaves empty.
RECOGNITION = "recognition"
RECOGNITION_TABLES = ("5", "6", "11")
PAPERS_ARCHITECTURE = "transformer"
STUDY = "swapping"
_TOLERANCE = 0.05
_NOT_WEIGHTED = "the paper's is the score of all entities together; corrected is their weighted average"
_NOT_PART = "is not part of this run"
# A table, row and column of the paper: our value by its procedure and by the corrected one, and a remark.
Key = tuple[str, str, str]
Measured = tuple[float, float, str]


def build_swapping_ledger(
    published: Path,
    entities: list[Path],
    ner_scores: list[Path],
    job_recall: list[Path],
    gaps: Path,
    ledger: Path,
    architecture: str,
) -> None:
    """Write one row for each published number.

    `entities` is the table of entity counts, `ner_scores` and `job_recall` those of the recognizers of an
    `architecture`, or nothing where they were not run.
    """
    with gaps.open(encoding="utf-8", newline="") as file:
        reasons = {row["corpus"]: row["reason"] for row in csv.DictReader(file)}
    no_recognition = reasons.pop(RECOGNITION, "")
    left_out = "; ".join(f"{corpus}: {reason}" for corpus, reason in reasons.items())
    recognized: dict[Key, Measured] = {}
    for path in ner_scores:
        recognized |= _recognition_numbers(_score_cells(pd.read_csv(path)), architecture)
    for path in job_recall:
        recognized |= _recognition_numbers(_recall_cells(pd.read_csv(path)), architecture)
    measured = dict(recognized)
    for path in entities:
        measured |= _entity_numbers(pd.read_csv(path))
    rows = []
    for number in read_published(published):
        key = (number.table, number.row, number.column)
        lacking = left_out or (no_recognition if number.table in RECOGNITION_TABLES else "") or _NOT_PART
        ours_published, ours_corrected, remark = found = measured.get(key, (None, None, lacking))
        reason = "; ".join(filter(None, [remark, number.note]))
        is_stand_in = architecture != PAPERS_ARCHITECTURE and found is recognized.get(key)
        rows.append(judge(STUDY, number, ours_published, ours_corrected, _TOLERANCE, reason, not is_stand_in))
    write_ledger(rows, ledger)


def _entity_numbers(counts: pd.DataFrame) -> dict[Key, Measured]:
    return dict(_count_cells(counts))


def _count_cells(counts: pd.DataFrame) -> Iterator[tuple[Key, Measured]]:
    """Yield Table 4 (by corpus) and Table 7 (the original by subcorpus)."""
    for corpus, subcorpus, label, entities in counts.itertuples(index=False):
        measured = (entities, entities, "")
        if subcorpus == TOTAL:
            yield ("4", label, corpus), measured
        if corpus == ORIGINAL:
            yield ("7", label, subcorpus), measured


# A procedure, a table, row and column, our value, the number of seeds, and a remark.
Cell = tuple[str, Key, float, int, str]


def _recognition_numbers(cells: Iterator[Cell], architecture: str) -> dict[Key, Measured]:
    """Return means over seeds by both procedures; a smaller model than the paper's is named in the remark."""
    values: dict[Key, dict[str, float]] = {}
    remarks: dict[Key, str] = {}
    for procedure, key, value, seeds, remark in cells:
        values.setdefault(key, {})[procedure] = value
        said = f"mean of {seeds} seeds"
        if architecture != PAPERS_ARCHITECTURE:
            said = f"{architecture} on the CPU stands in for RoBERTa-large, {said}"
        remarks[key] = "; ".join(filter(None, [said, remark]))
    return {
        key: (found.get("published", math.nan), found.get("corrected", math.nan), remarks[key])
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
            label, remark = (
                WEIGHTED,
                _NOT_WEIGHTED,
            )
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
