"""Measure gender polarity of English text by counting words of two lists (Derner 2025, §3.1, after Dhamala 2021).

`published` is the paper's notebook: lower case, straight apostrophes, split only at white space, so that a word next to
a mark ("him.", "she,") never counts. `corrected` counts words between word boundaries, and the first part of a
contraction or possessive ("he'll", "woman's").
"""

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import read_batches, write_batches
from textparity.counting.procedures import PROCEDURES
from textparity.counting.tokenizers.icu import IcuTokenizer
from textparity.errors import TableError
from textparity.tsv import read_tsv

GENDERS = ("masculine", "feminine")
BATCH_TEXTS = 1000
POLARITY_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        *((f"{procedure}_{name}", pa.int32()) for procedure in PROCEDURES for name in ("words", *GENDERS)),
    ]
)
_APOSTROPHES = re.compile("[‘’´`]")


def read_polarity_words(path: Path) -> dict[str, frozenset[str]]:
    """Read a table of `word` and `gender`; raise `TableError` for another gender, or a gender without words."""
    words: dict[str, set[str]] = {gender: set() for gender in GENDERS}
    for line, row in enumerate(read_tsv(path, ["word", "gender"]), start=2):
        if row["gender"] not in words:
            raise TableError(f"{path}, line {line}: gender {row['gender']!r} is none of {', '.join(GENDERS)}")
        words[row["gender"]].add(row["word"].lower())
    if empty := [gender for gender in GENDERS if not words[gender]]:
        raise TableError(f"{path}: has no {' and no '.join(empty)} words")
    return {gender: frozenset(these) for gender, these in words.items()}


def count_polarity(texts: Path, words: Path, counts: Path, name: str) -> None:
    """Count the words of each gender in every text of the Parquet file `texts` (`POLARITY_SCHEMA`).

    The metadata of `counts` have the name of the texts.
    """
    lists = read_polarity_words(words)
    tokenizer = IcuTokenizer("en")

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        for batch in read_batches(texts, BATCH_TEXTS, ["id", "text"]):
            straight = [_APOSTROPHES.sub("'", text) for text in batch["text"]]
            cut = tokenizer.cut(straight)
            yield [
                {"id": id_}
                | _count("published", text.lower().split(), lists)
                | _count("corrected", _split_contractions(sentences[0] if sentences else []), lists)
                for id_, text, sentences in zip(batch["id"], straight, cut, strict=True)
            ]
        return {"texts": name, "tokenizer": tokenizer.label}

    write_batches(counts, POLARITY_SCHEMA, batches())


def _split_contractions(tokens: list[str]) -> list[str]:
    return [token.partition("'")[0] or token for token in tokens]


def _count(procedure: str, tokens: list[str], lists: dict[str, frozenset[str]]) -> dict[str, int]:
    counts = {gender: sum(token in words for token in tokens) for gender, words in lists.items()}
    return {f"{procedure}_{name}": count for name, count in ({"words": len(tokens)} | counts).items()}
