"""The figures of the authors' yearly reports (Urchs 2025, results/ of corpus_balancing), as typed in."""

from pathlib import Path

import pandas as pd

from textparity.errors import TableError
from textparity.newsroom.word_lists import GENDERS

_GENDER_CODES = dict(zip(GENDERS, ("she_her", "he_him"), strict=True))
_METRICS = {
    "actors": "pronoun_distribution",
    "mentions": "mentions_by_pronoun",
    "named_mentions": "named_mentions",
    "pronoun_mentions": "pronoun_mentions",
    "subject_roles": "subject_roles",
    "object_roles": "object_roles",
    "direct_quotes": "direct_quotes",
    "indirect_quotes": "indirect_quotes",
    "feminine_coded_words": "feminine_coded_words",
    "masculine_coded_words": "masculine_coded_words",
    "sentiment": "sentiment",
}
_TEXTS = {
    "total_texts": "total_texts",
    "texts_with_actors": "texts_with_actors",
    "gender_neutral_texts": "uses_gender_neutral_language_docs",
    "generic_masculine_texts": "generic_masculine_usage_docs",
}
_COLUMNS = _TEXTS | {
    f"{gender}_{metric}": f"{name}_{code}"
    for metric, name in _METRICS.items()
    for gender, code in _GENDER_CODES.items()
}


def read_yearly_figures(path: Path) -> pd.DataFrame:
    """Return the figures with a row per year: `total_texts` …, and `{gender}_{metric}` as in our own summaries.

    Raises `TableError` for a column that is missing or a cell that is no number.
    """
    frame = pd.read_csv(path)
    if missing := [name for name in ("year", *_COLUMNS.values()) if name not in frame.columns]:
        raise TableError(f"{path}: has no column {', '.join(missing)}; it must have those of the yearly reports")
    numbers = frame[["year", *_COLUMNS.values()]].apply(pd.to_numeric, errors="coerce")
    if wrong := list(numbers.columns[numbers.isna().any()]):
        raise TableError(f"{path}: column {', '.join(wrong)} has a cell that is no number")
    frame = frame.set_index("year").sort_index()
    if frame.index.has_duplicates:
        raise TableError(f"{path}: a year stands twice; keep one row")
    return frame[list(_COLUMNS.values())].set_axis(list(_COLUMNS), axis="columns")
