"""The sentences that the paper publishes (doi 10.21427/AYM7-SF29), for whoever has them.

They are not fetched: what they look like in their repository is not known to us. Each set is a CSV file with the
columns `PUBLISHED_COLUMNS`, where `resources/stereotypes/published_sentences.tsv` says. It is then classified as the
sentences of a language model are.
"""

from pathlib import Path

import pandas as pd

from textparity.errors import InputError
from textparity.tables import write_csv
from textparity_studies.stereotypes.sentences import ALL_COLUMNS, KINDS, SENTENCE_COLUMNS, count_kinds, read_generated

# `kind` is that of Table V (MM, FF, MF, FM); `word` the lexicon's word that was asked for.
PUBLISHED_COLUMNS = ["kind", "word", "text"]


def read_published_sentences(source: Path, sentences: Path, all_sentences: Path, name: str) -> None:
    """Write a published set as the sentences of a generator, all of a first attempt; ids begin with `name`.

    Raises `InputError` naming the file, and the line of a cell that cannot be used.
    """
    frame = pd.read_csv(source, dtype=str, keep_default_na=False)
    if missing := [column for column in PUBLISHED_COLUMNS if column not in frame.columns]:
        raise InputError(
            f"{source}: has no column {', '.join(missing)}; it has {', '.join(frame.columns)}. Name its columns "
            f"{', '.join(PUBLISHED_COLUMNS)}: the kind is one of {', '.join(KINDS)}"
        )
    for line, row in enumerate(frame.itertuples(), start=2):
        if row.kind not in KINDS:
            raise InputError(f"{source}, line {line}: kind {row.kind!r} is none of {', '.join(KINDS)}")
        if len(row.word.split()) != 1 or not row.text.strip():
            raise InputError(f"{source}, line {line}: a word without spaces and a text are needed")
    kinds = frame["kind"].map(KINDS)
    frame = frame.assign(
        id=[f"{name}/{number:05d}" for number in range(1, len(frame) + 1)],
        gender=[kind.gender for kind in kinds],
        coding=[kind.coding for kind in kinds],
        label=[kind.label for kind in kinds],
        words=frame["word"],
        attempt="1",
        reasons="",
    )
    write_csv(frame[SENTENCE_COLUMNS], sentences)
    write_csv(frame[ALL_COLUMNS], all_sentences)


def count_published_sentences(sentences: list[Path], table: Path, sets: list[list[str]]) -> None:
    """Write how many sentences of each kind the published `sets` (lexicon, generator, number) have, as in Table V."""
    rows = [
        {"lexicon": lexicon, "set": number} | count_kinds(read_generated(path))
        for path, (lexicon, _, number) in zip(sentences, sets, strict=True)
    ]
    write_csv(pd.DataFrame(rows), table)
