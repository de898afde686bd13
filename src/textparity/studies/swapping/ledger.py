"""The ledger rows of Nahurna and Romanyshyn 2025: Tables 1-11 and §4.1."""

import csv
import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from textparity.report.ledger import NOT_ASKED, NOT_RUN_KINDS, PublishedNumber, judge, read_published, write_ledger
from textparity.studies.swapping.corpus_names import ORIGINAL, PAPERS_CORPORA
from textparity.studies.swapping.entity_counts import TOTAL
from textparity.studies.swapping.gender.ledger import gender_numbers
from textparity.studies.swapping.measured import Key, Measured
from textparity.studies.swapping.recognition.ledger import RECOGNITION, RECOGNITION_TABLES, recognition_numbers
from textparity.studies.swapping.recognition.names import recorded_titles_name
from textparity.studies.swapping.scoring.ledger import name_cells, review_cells, swap_score_cells

STUDY = "swapping"
_TOLERANCE = 0.05
_NOT_PART = f"{NOT_ASKED}: it is not part of this run"


def build_swapping_ledger(
    published: Path,
    entities: list[Path],
    composition: list[Path],
    recorded_recall: list[Path],
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

    `entities` is the table of entity counts, `composition` the tables of genders and of lines with a title,
    `recorded_recall` that of the authors' models, `swap_scores` a file a system, `reviews` and `name_bias` are tables,
    `ner_scores` and `job_recall` those of recognizers of an `architecture`; nothing where they were not run. `gaps`
    names what could not be run, with the reason.
    """
    with gaps.open(encoding="utf-8", newline="") as file:
        reasons = {row["corpus"]: row["reason"] for row in csv.DictReader(file)}
    # The recorded recall of the paper's own models, below, goes before ours of another.
    measured = recognition_numbers(ner_scores, job_recall, architecture)
    for path in entities:
        measured |= _entity_numbers(pd.read_csv(path))
    numbers = read_published(published)
    if composition:
        genders, job_lines = composition
        measured |= gender_numbers(genders, job_lines, recorded_recall, numbers)
    # Swapped outputs and reviews: Tables 2, 3, 8, §4.1.
    measured |= dict(swap_score_cells(swap_scores))
    measured |= {key: found for path in reviews for key, found in review_cells(path)}
    measured |= {key: found for path in name_bias for key, found in name_cells(path)}
    rows = []
    for number in numbers:
        key = (number.table, number.row, number.column)
        found = measured.get(key) or Measured(math.nan, math.nan, _why_not(number, reasons))
        remarks = [found.remark, number.note]
        if math.isnan(found.published) and not found.remark.startswith(NOT_RUN_KINDS):
            remarks.insert(0, _NOT_PART)
        elif found.setup and (lists := reasons.get(_recorded(number))):
            remarks.append(f"the authors' own lists: {lists}")
        reason = "; ".join(filter(None, remarks))
        rows.append(judge(STUDY, number, found.published, found.corrected, _TOLERANCE, reason, found.setup))
    write_ledger(rows, ledger)


def _why_not(number: PublishedNumber, reasons: dict[str, str]) -> str:
    """Return why there is no number of ours: that of its system, lists or recognizers, or of the corpora."""
    names = [number.row, _recorded(number), RECOGNITION if number.table in RECOGNITION_TABLES else "", *PAPERS_CORPORA]
    return next((reasons[name] for name in names if name in reasons), "")


def _recorded(number: PublishedNumber) -> str:
    """Return the name, among what was not run, of the authors' lists that a number is made of."""
    return recorded_titles_name(number.column.removesuffix("_recall")) if number.table == "6" else ""


def _entity_numbers(counts: pd.DataFrame) -> dict[Key, Measured]:
    return dict(_count_cells(counts))


def _count_cells(counts: pd.DataFrame) -> Iterator[tuple[Key, Measured]]:
    """Yield Table 4 (by corpus) and Table 7 (the original by subcorpus)."""
    for corpus, subcorpus, label, entities in counts.itertuples(index=False):
        measured = Measured(entities, entities)
        if subcorpus == TOTAL:
            yield ("4", label, corpus), measured
        if corpus == ORIGINAL:
            yield ("7", label, subcorpus), measured
