"""The ledger rows of Soundararajan, Jeyaraj and Delany 2023: §III, §IV, Tables I, V and VII."""

from pathlib import Path

import pandas as pd

from textparity.ledger import judge, read_published, write_ledger
from textparity.procedures import PROCEDURES
from textparity.stereotypes.classification_ledger import NOT_CLASSIFIED, PAPERS_GENERATOR, classification_numbers

STUDY = "stereotypes"
_TOLERANCE = 0.05
_PRIVATE = "the lexicon of Cryan et al. is not public"
# Its sets are alike (Table V has one row for them), so the first is compared.
_PAPERS_SET = 1
_NOT_ASKED = f"{PAPERS_GENERATOR} was not asked: name it in stereotypes.generators, with its key in OPENAI_API_KEY"
# Why a number of a table is not there.
_NOT_RUN = NOT_CLASSIFIED | {"V": _NOT_ASKED}
_NOT_PUBLISHED = "the sentences, and what annotators said of them, are not published here"
Key = tuple[str, str, str]
Measured = tuple[float, float, str]


def build_stereotypes_ledger(
    published: Path,
    lexicon_sizes: Path,
    ledger: Path,
    sentences: Path | None = None,
    classification: Path | None = None,
    agreement: Path | None = None,
) -> None:
    """Write one row for each published number; what no language model wrote, or nobody labelled, is not run."""
    measured = _size_numbers(pd.read_csv(lexicon_sizes)) | classification_numbers(classification, agreement)
    if sentences:
        measured |= _sentence_numbers(pd.read_csv(sentences))
    rows = []
    for number in read_published(published):
        missing = _NOT_RUN.get(number.table, _NOT_PUBLISHED)
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


def _sentence_numbers(sentences: pd.DataFrame) -> dict[Key, Measured]:
    """Return what the paper's model wrote (Table V): everything at the first try, and what passes of all tries."""
    papers = sentences[(sentences["generator"] == PAPERS_GENERATOR) & (sentences["set"] == _PAPERS_SET)]
    numbers = {}
    for lexicon, rows in papers.groupby("lexicon"):
        by_procedure = rows.set_index("procedure")
        if not by_procedure.loc["published", "sentences"]:
            continue
        for column in rows.columns.drop(["lexicon", "generator", "set", "procedure"]):
            ours = (by_procedure.loc[procedure, column] for procedure in PROCEDURES)
            numbers["V", lexicon, column] = (*ours, "set 1")
    return numbers
