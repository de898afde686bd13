"""The table of lengths, and the ledger."""

from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import pandas as pd

from textparity.corpora.reading import read_batches
from textparity.tables import Table
from textparity_studies.report.ledger import (
    Need,
    Reason,
    ReproducedValue,
    compare_to_published,
    list_gaps,
    read_published,
    write_ledger,
)


def tabulate_lengths(texts: list[Path], langs: list[str]) -> Iterator[Table]:
    """Tabulate the mean number of words of each language; as published, white space separates words."""
    rows = []
    for lang, path in zip(langs, texts, strict=True):
        lengths = [len(text.split()) for batch in read_batches(path, 1000, ["text"]) for text in batch["text"]]
        rows.append({"lang": lang, "words": mean(lengths)})
    yield Table("lengths", pd.DataFrame(rows))


def build_lengths_ledger(published: Path, lengths: Path, ledger: Path, gaps: Path, not_run: list[list[str]]) -> None:
    """Write one row for each published number, and what was not run."""
    list_gaps(gaps, not_run)
    words = pd.read_csv(lengths).set_index("lang")["words"]
    missing = Need(Reason.NOT_CONFIGURED, "another language")
    rows = []
    for number in read_published(published):
        ours = ReproducedValue(words.get(number.row), tolerance=0.05)
        rows.append(compare_to_published("lengths", number, ours, "" if number.row in words else missing))
    write_ledger(rows, ledger)
