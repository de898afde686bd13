"""Count the words of each gender in the texts of a corpus, and compute masculine : feminine.

- Polarity counts English words of two lists (Derner 2025, §3.1, after Dhamala 2021). `published` is the paper's
  notebook: lower case, straight apostrophes, split only at white space, so that a word next to a mark ("him.", "she,")
  never counts. `corrected` counts words between word boundaries, and the first part of a contraction or possessive
  ("he'll", "woman's").
- Tags are the words that a language model marked (`tag_counts`).

Intervals are a bootstrap over texts. A ratio without feminine words is NaN.
"""

import re
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from textparity.corpora.reading import read_batches, read_metadata, read_rows, write_batches
from textparity.counting import PROCEDURES
from textparity.counting.tokenizers import IcuTokenizer
from textparity.errors import TableError
from textparity.estimating.bootstrap import Bootstrap, bootstrap_ratios
from textparity.estimating.seeds import random_generator
from textparity.files import read_tsv
from textparity_studies.measures.tag_counts import COUNTS, FURTHER_COUNTS

GENDERS = ("masculine", "feminine")
BATCH_TEXTS = 1000
POLARITY_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        *((f"{procedure}_{name}", pa.int32()) for procedure in PROCEDURES for name in ("words", *GENDERS)),
    ]
)
WORD_RATIO, RATIO = "masculine_per_feminine", "person_masculine_per_feminine"
_APOSTROPHES = re.compile("[‘’´`]")


def read_polarity_words(path: Path) -> dict[str, frozenset[str]]:
    """Read a table of `word` and `gender`; raise `TableError` for another gender, or a gender without words."""
    words: dict[str, set[str]] = {gender: set() for gender in GENDERS}
    for line, row in enumerate(read_tsv(path, ["word", "gender"]), start=2):
        if row["gender"] not in words:
            raise TableError(f"{path}, line {line}: gender {row['gender']!r} is not one of {', '.join(GENDERS)}")
        words[row["gender"]].add(row["word"].lower())
    if empty := [gender for gender in GENDERS if not words[gender]]:
        raise TableError(f"{path}: has no {' and no '.join(empty)} words")
    return {gender: frozenset(of_gender) for gender, of_gender in words.items()}


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
                | _count_words("published", text.lower().split(), lists)
                | _count_words("corrected", _split_contractions(sentences[0] if sentences else []), lists)
                for id_, text, sentences in zip(batch["id"], straight, cut, strict=True)
            ]
        return {"texts": name, "tokenizer": tokenizer.label}

    write_batches(counts, POLARITY_SCHEMA, batches())


def _split_contractions(tokens: list[str]) -> list[str]:
    return [token.partition("'")[0] or token for token in tokens]


def _count_words(procedure: str, tokens: list[str], lists: dict[str, frozenset[str]]) -> dict[str, int]:
    counts = {gender: sum(token in words for token in tokens) for gender, words in lists.items()}
    return {f"{procedure}_{name}": count for name, count in ({"words": len(tokens)} | counts).items()}


def summarise_polarity(counts: Path, corpus: str, bootstrap: Bootstrap) -> list[dict[str, Any]]:
    """Compute totals of English words and masculine : feminine with its interval, a row per procedure."""
    return summarise_pooled_polarity([counts], corpus, bootstrap)


def summarise_pooled_polarity(counts: Sequence[Path], corpus: str, bootstrap: Bootstrap) -> list[dict[str, Any]]:
    """Compute the same for the texts of several files together."""
    rows = []
    table = pa.concat_tables([read_rows(path) for path in counts])
    for procedure in PROCEDURES:
        per_text = {name: table[f"{procedure}_{name}"].to_numpy() for name in ("words", *GENDERS)}
        generator = random_generator(bootstrap.seed, corpus, "eng", "polarity", procedure)
        rows.append(
            {"corpus": corpus, "procedure": procedure, "texts": len(table)}
            | {name: int(values.sum()) for name, values in per_text.items()}
            | ratio_columns({WORD_RATIO: [per_text[gender] for gender in GENDERS]}, bootstrap, generator)
        )
    return rows


def ratio_columns(
    sides: dict[str, list[np.ndarray]], bootstrap: Bootstrap, generator: np.random.Generator
) -> dict[str, float]:
    """Compute the columns of named ratios, each of masculine and feminine counts per text, from the same resamples."""
    masculine, feminine = (np.stack(side) for side in zip(*sides.values(), strict=True))
    ratios = bootstrap_ratios(masculine, feminine, bootstrap, generator)
    return {key: value for name, ratio in zip(sides, ratios, strict=True) for key, value in ratio.columns(name).items()}


def summarise_tags(tags: Path, corpus: str, lang: str, bootstrap: Bootstrap) -> list[dict[str, Any]]:
    """Compute L_{p,g} and the ratio L_{P,M} : L_{P,F} with its interval, a row per procedure.

    Counts are means over runs. `corrected` also has the ratio without epicene words, and the number of words excluded
    because the text does not have them. A corpus with missing answers has a `reason` and no numbers.
    """
    metadata = read_metadata(tags)
    runs = metadata["runs"]
    key = {"corpus": corpus, "lang": lang, "tagger": metadata["tagger"], "runs": runs}
    rows = [key | {"procedure": procedure, "reason": metadata["reason"]} for procedure in PROCEDURES]
    if metadata["missing"]:
        return rows
    frame = read_rows(tags).drop_columns(["run", "status", "words"]).to_pandas()
    texts = frame.groupby("id", sort=False).sum()
    for row in rows:
        procedure = row["procedure"]
        names = {name: f"{procedure}_{name}" for name in COUNTS}
        sides = {RATIO: [texts[f"{procedure}_person_{gender}"].to_numpy() for gender in GENDERS]}
        if procedure == "corrected":
            names |= {name: f"corrected_{name}" for name in FURTHER_COUNTS}
            epicene = [texts[f"corrected_epicene_{gender}"].to_numpy() for gender in GENDERS]
            without = [every - some for every, some in zip(sides[RATIO], epicene, strict=True)]
            sides[f"{RATIO}_without_epicene"] = without
        # Both procedures use the same resamples, so that equal counts have equal intervals.
        generator = random_generator(bootstrap.seed, corpus, lang, metadata["tagger"])
        row |= {"texts": len(texts)} | {name: texts[column].sum() / runs for name, column in names.items()}
        row |= ratio_columns(sides, bootstrap, generator)
    return rows
