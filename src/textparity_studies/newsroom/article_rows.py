"""Read per-article rows (measures of actors, flags, exclusions) as columns, always in the order of article numbers."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from textparity.corpora.rows import read_rows
from textparity.errors import InputError

# The steps that exclude articles, in order.
STEPS = ("flags", "balance")
EXCLUDED_HEADER = ("id", "group", "step", "order", "reason")


def read_measured(articles: list[Path], columns: list[str]) -> pa.Table:
    """Return `id`, `number` and `columns` of the articles of all parts, sorted by number.

    The order of parts and of rows within them does not matter. Raises `InputError` if an id or a number occurs twice.
    """
    table = pa.concat_tables(read_rows(path, columns=["id", "number", *columns]) for path in articles)
    table = table.take(pc.sort_indices(table["number"])).combine_chunks()
    for key in ("number", "id"):
        if pc.count_distinct(table[key]).as_py() < len(table):
            counts = table[key].value_counts()
            twice = counts.filter(pc.greater(pc.struct_field(counts, "counts"), 1))[0]["values"].as_py()
            raise InputError(
                f"{', '.join(map(str, articles))}: article {key} {twice} occurs more than once; each article needs one "
                "of its own: delete these files and run again, and if it stays, look for copies in the corpus"
            )
    return table


def whole_numbers(table: pa.Table, column: str) -> np.ndarray:
    """Return a column of counts as int64, one per article."""
    return table[column].to_numpy().astype(np.int64, copy=False)


def read_excluded(excluded: Path) -> pd.DataFrame:
    """Read the excluded articles (columns `EXCLUDED_HEADER`), all as text, because an id may look like a number."""
    return pd.read_csv(excluded, dtype=str, keep_default_na=False)


def is_among(ids: pa.ChunkedArray, chosen: pd.Series) -> np.ndarray:
    """Compute a boolean per id: true if it is among the `chosen`."""
    return pc.is_in(ids, value_set=pa.array(chosen.to_numpy(dtype=object), ids.type)).to_numpy(zero_copy_only=False)


def split_evenly(files: Sequence[Path], number: int) -> list[list[Path]]:
    """Split `files` into `number` lists of equal length, in order."""
    size = len(files) // number if number else 0
    return [list(files[place * size : (place + 1) * size]) for place in range(number)]


def pairs(files: Sequence[Path]) -> list[tuple[Path, Path]]:
    """Group `files` into pairs, each belonging to one table or figure."""
    return list(zip(files[::2], files[1::2], strict=True))
