"""The ledger rows of Derner 2025, §4 and App. C–D."""

import csv
from pathlib import Path

import pandas as pd

from textparity.ledger import judge, read_published, write_ledger

STUDY = "representation"
_TOLERANCE = 0.05
# What a published cell is called in our summary; other cells come from a language model.
_POLARITY = {
    ("1", "english_masculine_per_feminine"): "masculine_per_feminine",
    ("7", "masculine"): "masculine",
    ("7", "feminine"): "feminine",
    ("7", "masculine_per_feminine"): "masculine_per_feminine",
}
_NO_TAGGING = "counts tagged by a language model are not part of this version"


def build_representation_ledger(
    published: Path, summary: Path | None, gaps: Path, ledger: Path, corpus_names: dict[str, str]
) -> None:
    """Write one row for each published number; `corpus_names` are the paper's names of the corpora of this run."""
    with gaps.open(encoding="utf-8", newline="") as file:
        reasons = {corpus_names.get(row["corpus"], row["corpus"]): row["reason"] for row in csv.DictReader(file)}
    ours = {}
    if summary is not None:
        frame = pd.read_parquet(summary)
        ours = {(corpus_names[row["corpus"]], row["procedure"]): row for _, row in frame.iterrows()}
    rows = []
    for number in read_published(published):
        column = _POLARITY.get((number.table, number.column))
        if column is None:
            rows.append(judge(STUDY, number, None, None, _TOLERANCE, _NO_TAGGING))
            continue
        by_procedure = [ours.get((number.row, procedure)) for procedure in ("published", "corrected")]
        if by_procedure[0] is None:
            reason = reasons.get(number.row, "the corpus is not part of this run")
            rows.append(judge(STUDY, number, None, None, _TOLERANCE, reason))
            continue
        reason = "published splits at white space only, so a word with a mark beside it does not count"
        values = [float(row[column]) for row in by_procedure]
        rows.append(judge(STUDY, number, *values, _TOLERANCE, reason))
    write_ledger(rows, ledger)
