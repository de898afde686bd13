"""The ledger rows of Nahurna and Romanyshyn 2025: Tables 1-11 and §4.1."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity.ledger import judge, read_published, write_ledger
from textparity.swapping.entity_counts import ORIGINAL, TOTAL
from textparity.swapping.gender_ledger import STAND_IN, gender_numbers
from textparity.swapping.swap_ledger import STAND_INS, name_cells, review_cells, swap_score_cells

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
    gaps: Path,
    ledger: Path,
) -> None:
    """Write one row for each published number.

    `entities` is the table of entity counts, `composition` the tables of genders, of lines with a title and of recorded
    recall, `swap_scores` a file a system, `reviews` and `name_bias` are tables; nothing where the study was not run.
    """
    with gaps.open(encoding="utf-8", newline="") as file:
        left_out = "; ".join(f"{row['corpus']}: {row['reason']}" for row in csv.DictReader(file))
    measured: dict[Key, Measured] = {}
    for path in entities:
        measured |= _entity_numbers(pd.read_csv(path))
    numbers = read_published(published)
    if composition:
        measured |= gender_numbers(*composition, numbers=numbers, tolerance=_TOLERANCE)
    # Swapped outputs and reviews: Tables 2, 3, 8, §4.1.
    measured |= dict(swap_score_cells(swap_scores))
    measured |= {key: found for path in reviews for key, found in review_cells(path)}
    measured |= {key: found for path in name_bias for key, found in name_cells(path)}
    rows = []
    for number in numbers:
        key = (number.table, number.row, number.column)
        ours_published, ours_corrected, remark = measured.get(key, (None, None, left_out or _NOT_PART))
        reason = "; ".join(filter(None, [remark, number.note]))
        may_be_exact = not remark.startswith(STAND_IN) and key not in STAND_INS
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
