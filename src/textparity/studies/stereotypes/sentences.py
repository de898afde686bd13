"""Labelled sentences about persons that models write, as CSV, and their four kinds.

A kind says whether the sentence is about a woman or a man, and how its word is coded (Tables III and IV).
"""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity.errors import InputError

LABELS = CONSISTENT, CONTRADICTORY = "consistent", "contradictory"
MASCULINE, FEMININE, UNDETERMINED = "masculine", "feminine", "undetermined"
SENTENCE_COLUMNS = ["id", "kind", "gender", "coding", "label", "word", "words", "text"]
# Of all that a model writes: which attempt, and what is wrong with it.
ALL_COLUMNS = [*SENTENCE_COLUMNS, "attempt", "reasons"]


@dataclass(frozen=True)
class Kind:
    """`name` is the gender of the person and the coding of the word, as the paper's M and F."""

    name: str
    gender: str
    coding: str

    @property
    def label(self) -> str:
        """Whether a sentence of this kind is consistent with gender stereotypes or contradictory to them."""
        return CONSISTENT if self.gender == self.coding else CONTRADICTORY


KINDS = {
    kind.name: kind
    for kind in (
        Kind("MM", "masculine", "masculine"),
        Kind("FF", "feminine", "feminine"),
        Kind("MF", "masculine", "feminine"),
        Kind("FM", "feminine", "masculine"),
    )
}


def read_generated(path: Path) -> pd.DataFrame:
    """Return the accepted sentences of a generator, sorted by id; `InputError` naming file and line for bad ones."""
    frame = _read(path, SENTENCE_COLUMNS)
    _check_generated(path, frame)
    for place, row in enumerate(frame.itertuples(), start=2):
        if row.word not in row.words.split():
            raise InputError(f"{path}, line {place}: word {row.word!r} is not among words {row.words!r}")
    return frame.sort_values("id", ignore_index=True)


def read_first_attempts(path: Path) -> pd.DataFrame:
    """Return what a generator wrote at the first attempt, unchecked and labelled as asked, sorted by id.

    That is what the paper classifies. `word` is empty where several were asked for and none is in the sentence.
    """
    frame = _read(path, ALL_COLUMNS)
    _check_generated(path, frame)
    return frame[frame["attempt"] == "1"].sort_values("id", ignore_index=True)


def _check_generated(path: Path, frame: pd.DataFrame) -> None:
    for place, row in enumerate(frame.itertuples(), start=2):
        kind = KINDS.get(row.kind)
        if kind is None or (kind.label, kind.gender) != (row.label, row.gender):
            raise InputError(
                f"{path}, line {place}: kind {row.kind!r} is not {row.label} and about a {row.gender} person"
            )


def _read(path: Path, columns: list[str]) -> pd.DataFrame:
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := [column for column in columns if column not in frame.columns]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; it needs {', '.join(columns)}")
    for column, allowed in (("label", LABELS), ("gender", (MASCULINE, FEMININE))):
        wrong = frame[~frame[column].isin(allowed)]
        if len(wrong):
            raise InputError(
                f"{path}, line {wrong.index[0] + 2}: {column} {wrong[column].iloc[0]!r} is none of {', '.join(allowed)}"
            )
    if (twice := frame["id"].duplicated()).any():
        raise InputError(f"{path}, line {twice.idxmax() + 2}: id {frame['id'][twice.idxmax()]!r} is a duplicate")
    return frame
