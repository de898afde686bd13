"""The words that go with actors of each gender, for the whole corpus and each group of articles (Urchs 2025, §3)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from textparity.corpora.rows import read_rows
from textparity.studies.newsroom.actor_rows import PARTS_OF_SPEECH
from textparity.studies.newsroom.word_lists import GENDERS

# Of any actor, and of those of a gender.
WORD_COLUMNS = ("actors", *GENDERS)
TOP_WORDS_HEADER = ("group", "part_of_speech", "rank", "column", "word", "value", "count")
_RANKS = 10
_COUNTED = ("background", *WORD_COLUMNS)
_KEYS = ["part_of_speech", "word"]


def rank_words(words: list[Path], procedure: str, minimum_count: int, whole: str) -> pd.DataFrame:
    """Return the ten first words (`TOP_WORDS_HEADER`) of each group, part of speech and column; the corpus first.

    `words` have the columns of `collocations.WORD_SCHEMA`; the corpus as a group is called `whole`.

    `published`: `value` is the count, as in the paper's reports, where it is called PMI. `corrected`: `value` is the
    pointwise mutual information in bits, log2((c(w, g) / N(g)) / (c(w) / N)): a word's share of the words in the
    sentences with an actor of gender g, or with any actor, over its share of all words of that part of speech; only
    words with c(w, g) of at least `minimum_count`. Ties go to the larger count, then by code point. Memory holds the
    vocabulary of the corpus and of one group.
    """
    groups = _groups_of(words)
    total: pa.Table | None = None
    ranked = []
    for group, paths in groups.items():
        counts = _sum_counts(read_rows(path, [*_KEYS, *_COUNTED], filters=[("group", "==", group)]) for path in paths)
        if group != whole:
            ranked += _rank_group(group, counts, procedure, minimum_count)
        total = counts if total is None else _sum_counts([total, counts])
    if total is not None:
        ranked = [*_rank_group(whole, total, procedure, minimum_count), *ranked]
    return pd.DataFrame(ranked, columns=list(TOP_WORDS_HEADER))


def read_top_words(top_words: Path) -> pd.DataFrame:
    """Return ranked words as written."""
    # There is a word null, and a group may be called NA.
    texts = dict.fromkeys(["group", "part_of_speech", "column", "word"], str)
    return pd.read_csv(top_words, dtype=texts, keep_default_na=False)


def _groups_of(words: list[Path]) -> dict[str, list[Path]]:
    """Return the files that have words of each group, groups sorted."""
    found: dict[str, list[Path]] = {}
    for path in words:
        for group in read_rows(path, columns=["group"])["group"].unique().to_pylist():
            found.setdefault(group, []).append(path)
    return dict(sorted(found.items()))


def _sum_counts(tables: Iterator[pa.Table] | list[pa.Table]) -> pa.Table:
    summed = pa.concat_tables(tables).group_by(_KEYS).aggregate([(name, "sum") for name in _COUNTED])
    return summed.rename_columns({f"{name}_sum": name for name in _COUNTED})


def _rank_group(group: str, counts: pa.Table, procedure: str, minimum_count: int) -> list[tuple[Any, ...]]:
    rows = []
    for part in PARTS_OF_SPEECH:
        of_part = counts.filter(pc.equal(counts["part_of_speech"], part))
        for column in WORD_COLUMNS:
            best = _best(of_part, column, procedure, minimum_count)
            rows += [
                (group, part, rank, column, word["word"], word["value"], word["count"])
                for rank, word in enumerate(best, start=1)
            ]
    return rows


def _best(counts: pa.Table, column: str, procedure: str, minimum_count: int) -> list[dict[str, Any]]:
    published = procedure == "published"
    together, alone = counts[column], counts["background"]
    # Of the whole table, before words are left out.
    scale = 0.0 if published else _log_scale(alone, together)
    chosen = pc.greater_equal(together, 1 if published else max(1, minimum_count))
    found = pa.table({"word": counts["word"], "count": together, "background": alone}).filter(chosen)
    if published:
        values = found["count"]
    else:
        # The quotient of two counts alone, so that equals tie whatever the scale.
        values = pa.array(np.log2(found["count"].to_numpy() / found["background"].to_numpy()) + scale)
    found = found.append_column("value", values)
    order = [("value", "descending"), ("count", "descending"), ("word", "ascending")]
    return found.take(pc.select_k_unstable(found, _RANKS, order)).to_pylist()


def _log_scale(alone: pa.ChunkedArray, together: pa.ChunkedArray) -> float:
    words, beside = pc.sum(alone).as_py(), pc.sum(together).as_py()
    return float(np.log2(words / beside)) if beside else 0.0
