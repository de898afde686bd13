"""Labelled sentences about persons: those that models wrote, and those that people wrote, as CSV."""

from pathlib import Path

import pandas as pd

from textparity.errors import InputError
from textparity.studies.stereotypes.kinds import CONSISTENT, CONTRADICTORY, KINDS

LABELS = (CONSISTENT, CONTRADICTORY)
MASCULINE, FEMININE, UNDETERMINED = "masculine", "feminine", "undetermined"
# Of one that a model wrote.
SENTENCE_COLUMNS = ["id", "kind", "gender", "coding", "label", "word", "words", "text"]
# Of all that it wrote: which try, and what is wrong with it.
ALL_COLUMNS = [*SENTENCE_COLUMNS, "attempt", "reasons"]
_HUMAN = ["id", "pair", "direction", "label", "gender", "text"]


def read_generated(path: Path) -> pd.DataFrame:
    """Return the accepted sentences of a generator, sorted by id; `InputError` naming file and line for bad ones."""
    frame = _read(path, SENTENCE_COLUMNS, (MASCULINE, FEMININE))
    _check_generated(path, frame)
    for place, row in enumerate(frame.itertuples(), start=2):
        if row.word not in row.words.split():
            raise InputError(f"{path}, line {place}: word {row.word!r} is not among words {row.words!r}")
    return frame.sort_values("id", ignore_index=True)


def read_first_tries(path: Path) -> pd.DataFrame:
    """Return what a generator wrote at the first try, unchecked and labelled as asked, sorted by id.

    That is what the paper classifies. `word` is empty where several were asked for and none is in the sentence.
    """
    frame = _read(path, ALL_COLUMNS, (MASCULINE, FEMININE))
    _check_generated(path, frame)
    return frame[frame["attempt"] == "1"].sort_values("id", ignore_index=True)


def _check_generated(path: Path, frame: pd.DataFrame) -> None:
    for place, row in enumerate(frame.itertuples(), start=2):
        kind = KINDS.get(row.kind)
        if kind is None or (kind.label, kind.gender) != (row.label, row.gender):
            raise InputError(
                f"{path}, line {place}: kind {row.kind!r} is not {row.label} and about a {row.gender} person"
            )


def read_human(path: Path) -> pd.DataFrame:
    """Return the sentences that people wrote, sorted by id."""
    return _read(path, _HUMAN, (MASCULINE, FEMININE, UNDETERMINED)).sort_values("id", ignore_index=True)


def _read(path: Path, columns: list[str], genders: tuple[str, ...]) -> pd.DataFrame:
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := [column for column in columns if column not in frame.columns]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; it needs {', '.join(columns)}")
    for column, allowed in (("label", LABELS), ("gender", genders)):
        wrong = frame[~frame[column].isin(allowed)]
        if len(wrong):
            raise InputError(
                f"{path}, line {wrong.index[0] + 2}: {column} {wrong[column].iloc[0]!r} is none of {', '.join(allowed)}"
            )
    if (twice := frame["id"].duplicated()).any():
        raise InputError(f"{path}, line {twice.idxmax() + 2}: id {frame['id'][twice.idxmax()]!r} stands twice")
    return frame
