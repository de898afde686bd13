"""Measure the length of sentences."""

from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import pandas as pd

from textparity.corpora.reading import read_batches
from textparity.tables import Table


def tabulate_lengths(texts: list[Path], corpus: str, langs: list[str]) -> Iterator[Table]:
    """Tabulate the mean number of words of each language; as in the paper, white space separates words."""
    rows = []
    for lang, path in zip(langs, texts, strict=True):
        lengths = [len(text.split()) for batch in read_batches(path, 1000, ["text"]) for text in batch["text"]]
        rows.append({"corpus": corpus, "lang": lang, "words": mean(lengths)})
    yield Table("lengths", pd.DataFrame(rows), formats={"words": "{:.1f}"})
