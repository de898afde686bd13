"""Persons in stories by a language model's tags, sentence by sentence (Derner 2025, §3.2): Spanish and Valencian."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from textparity.corpora.rows import TEXT_SCHEMA, read_batches, read_metadata, read_rows, write_batches
from textparity.errors import MissingResourceError
from textparity.measures.polarity import GENDERS
from textparity.measures.procedures import PROCEDURES
from textparity.measures.tokenizers.icu import split_sentences

BATCH_STORIES = 1000
# As of gender polarity, but means over runs of the tagger.
PERSONS_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        *((f"{procedure}_{name}", pa.float64()) for procedure in PROCEDURES for name in ("words", *GENDERS)),
    ]
)


def split_stories(stories: Path, texts: Path, icu_locale: str) -> None:
    """Write the sentences of stories as texts; a story is the document of its sentences."""

    def batches() -> Iterator[list[dict[str, Any]]]:
        for batch in read_batches(stories, BATCH_STORIES, ["id", "lang", "text"]):
            yield [
                {"id": f"{id_}/{number}", "doc_id": id_, "lang": lang, "text": sentence}
                for id_, lang, text in zip(batch["id"], batch["lang"], batch["text"], strict=True)
                for number, sentence in enumerate(split_sentences(text, icu_locale), start=1)
            ]

    write_batches(texts, TEXT_SCHEMA, batches())


def count_tagged_persons(stories: Path, texts: Path, tags: Path, counts: Path) -> None:
    """Write L_{P,M} and L_{P,F} of each story, in the columns of gender polarity; `words` are all that were tagged.

    `texts` are the sentences of the stories, `tags` what was tagged in them. `MissingResourceError` if answers are
    missing.
    """
    metadata = read_metadata(tags)
    if metadata["missing"]:
        raise MissingResourceError(
            f"{tags}: {metadata['missing']} answers are missing ({metadata['reason']}); mend that, delete the file and "
            "run again"
        )
    tagged = read_rows(tags).drop_columns(["run", "status", "words"]).to_pandas().groupby("id").sum()
    found = read_rows(texts, ["id", "doc_id"]).to_pandas().set_index("id")["doc_id"]
    # Stories without a sentence, or whose sentences are blank, have no persons.
    per_story = tagged.groupby(found.reindex(tagged.index)).sum() / metadata["runs"]
    per_story = per_story.reindex(read_rows(stories, ["id"])["id"].to_pylist(), fill_value=0)
    columns = {"id": per_story.index}
    for procedure in PROCEDURES:
        columns[f"{procedure}_words"] = (
            per_story[[f"{procedure}_{gender}" for gender in GENDERS]].sum(axis=1).to_numpy()
        )
        for gender in GENDERS:
            columns[f"{procedure}_{gender}"] = per_story[f"{procedure}_person_{gender}"].to_numpy()
    write_batches(counts, PERSONS_SCHEMA, [pd.DataFrame(columns).to_dict("records")])
