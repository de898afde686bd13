"""The ledger rows of Nahurna and Romanyshyn 2025: Tables 1-11 and §4.1."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity.ledger import judge, read_published, write_ledger
from textparity.swapping.corpus.entity_counts import TOTAL
from textparity.swapping.corpus_names import ORIGINAL
from textparity.swapping.gender.ledger import STAND_IN, gender_numbers
from textparity.swapping.recognition.ledger import (
    PAPERS_ARCHITECTURE,
    RECOGNITION,
    RECOGNITION_TABLES,
    recognition_numbers,
)
from textparity.swapping.scoring.ledger import STAND_INS, name_cells, review_cells, swap_score_cells

STUDY = "swapping"
_TOLERANCE = 0.05
_NOT_PART = "is not part of this run"
# A table, row and column of the paper: our value by its procedure and by the corrected one, and a remark.
Key = tuple[str, str, str]
Measured = tuple[float, float, str]


def build_swapping_ledger(
    published: Path,
    entities: list[Path],
    composition: list[Path],
    swap_scores: list[Path],
    reviews: list[Path],
    name_bias: list[Path],
    ner_scores: list[Path],
    job_recall: list[Path],
    gaps: Path,
    ledger: Path,
    architecture: str,
) -> None:
    """Write one row for each published number.

    `entities` is the table of entity counts, `composition` the tables of genders, of lines with a title and of recorded
    recall, `swap_scores` a file a system, `reviews` and `name_bias` are tables, `ner_scores` and `job_recall` those of
    recognizers of an `architecture`; nothing where they were not run.
    """
    with gaps.open(encoding="utf-8", newline="") as file:
        reasons = {row["corpus"]: row["reason"] for row in csv.DictReader(file)}
    no_recognition = reasons.pop(RECOGNITION, "")
    left_out = "; ".join(f"{corpus}: {reason}" for corpus, reason in reasons.items())
    # The recorded recall of the paper's own model, below, goes before ours of another.
    recognized = recognition_numbers(ner_scores, job_recall, architecture)
    measured: dict[Key, Measured] = dict(recognized)
    for path in entities:
        measured |= _entity_numbers(pd.read_csv(path))
    numbers = read_published(published)
    if composition:
        genders, job_lines, recall = composition
        measured |= gender_numbers(genders, job_lines, recall, numbers, _TOLERANCE)
    # Swapped outputs and reviews: Tables 2, 3, 8, §4.1.
    measured |= dict(swap_score_cells(swap_scores))
    measured |= {key: found for path in reviews for key, found in review_cells(path)}
    measured |= {key: found for path in name_bias for key, found in name_cells(path)}
    rows = []
    for number in numbers:
        key = (number.table, number.row, number.column)
        lacking = left_out or (no_recognition if number.table in RECOGNITION_TABLES else "") or _NOT_PART
        ours_published, ours_corrected, remark = found = measured.get(key, (None, None, lacking))
        reason = "; ".join(filter(None, [remark, number.note]))
        is_recognizer = found is recognized.get(key) and architecture != PAPERS_ARCHITECTURE
        may_be_exact = not remark.startswith(STAND_IN) and key not in STAND_INS and not is_recognizer
        rows.append(judge(STUDY, number, ours_published, ours_corrected, _TOLERANCE, reason, may_be_exact))
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
