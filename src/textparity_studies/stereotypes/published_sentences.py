"""Read the sentences that the paper publishes (doi 10.21427/AYM7-SF29), if the user has them.

We do not fetch them, because we do not know their format in the repository. Each set is a CSV file with the columns
`PUBLISHED_COLUMNS`, at the place given in `resources/stereotypes/published_sentences.tsv`. It is then classified like
the sentences of a language model.
"""

from pathlib import Path

import pandas as pd

from textparity.errors import InputError
from textparity.tables import write_csv
from textparity_studies.stereotypes.sentences import ALL_COLUMNS, KINDS, SENTENCE_COLUMNS, count_kinds, read_generated

# `kind` is that of Table V (MM, FF, MF, FM); `word` is the requested word of the lexicon.
PUBLISHED_COLUMNS = ["kind", "word", "text"]


def read_published_sentences(source: Path, sentences: Path, all_sentences: Path, name: str) -> None:
    """Write a published set as sentences of a generator, all from a first attempt; ids begin with `name`.

    Raises `InputError` with the file, and the line of an invalid cell.
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
    """Count the sentences of each kind in the published `sets` (lexicon, generator, number), as in Table V."""
    rows = [
        {"lexicon": lexicon, "set": number} | count_kinds(read_generated(path))
        for path, (lexicon, _, number) in zip(sentences, sets, strict=True)
    ]
    write_csv(pd.DataFrame(rows), table)
