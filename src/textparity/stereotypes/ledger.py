"""The ledger rows of Soundararajan, Jeyaraj and Delany 2023: §III, §IV, Tables I, V and VII."""

from pathlib import Path

import pandas as pd

from textparity.ledger import judge, read_published, write_ledger
from textparity.stereotypes.classification_ledger import NOT_CLASSIFIED, classification_numbers

STUDY = "stereotypes"
_TOLERANCE = 0.05
_PRIVATE = "the lexicon of Cryan et al. is not public"
_NOT_PUBLISHED = "the sentences, and what annotators said of them, are not published here"
Key = tuple[str, str, str]
Measured = tuple[float, float, str]


def build_stereotypes_ledger(
    published: Path,
    lexicon_sizes: Path,
    gaps: Path,
    ledger: Path,
    classification: Path | None = None,
    agreement: Path | None = None,
) -> None:
    """Write one row for each published number."""
    measured = _size_numbers(pd.read_csv(lexicon_sizes)) | classification_numbers(classification, agreement)
    rows = []
    for number in read_published(published):
        missing = NOT_CLASSIFIED.get(number.table, _NOT_PUBLISHED)
        missing = _PRIVATE if number.row.startswith("cryan") else missing
        key = (number.table, number.row, number.column)
        ours_published, ours_corrected, remark = measured.get(key, (None, None, missing))
        reason = "; ".join(filter(None, [remark, number.note]))
        rows.append(judge(STUDY, number, ours_published, ours_corrected, _TOLERANCE, reason))
    write_ledger(rows, ledger)


def _size_numbers(sizes: pd.DataFrame) -> dict[Key, Measured]:
    return {
        ("I", row["lexicon"], column): (row[column], row[column], "")
        for row in sizes.to_dict("records")
        for column in sizes.columns.drop("lexicon")
    }
