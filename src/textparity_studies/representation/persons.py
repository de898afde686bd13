"""Count the persons of each gender in the texts of a corpus, and compute masculine : feminine.

Persons are the mentions that the methods of `textparity.persons` find.
"""

from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.reading import read_batches, read_metadata, read_rows, write_batches
from textparity.estimating.bootstrap import Bootstrap
from textparity.estimating.seeds import random_generator
from textparity.persons.mentions import FEMININE, GENDERS, MASCULINE, PERSONS
from textparity.persons.methods import LanguageFiles, load_method
from textparity.persons.windows import find_in_documents
from textparity_studies.measures.gender_ratios import BATCH_TEXTS, WORD_RATIO, ratio_columns

GRAMMATICAL = "persons_grammatical"


def count_persons(
    texts: Path,
    tools: list[Path],
    counts: Path,
    name: str,
    methods: list[str],
    language: LanguageFiles,
    grammatical: bool,
) -> None:
    """Write the mentions of each gender in every text of the Parquet file `texts`, in columns `{method}_{gender}`.

    `tools` are the files that `language` names. With `grammatical`, the method `persons` also counts by the gender of
    the noun, whoever is meant. The metadata of `counts` have the `name` of the texts, the language and the methods.
    """
    finders = {method: load_method(method, language) for method in methods}
    if grammatical and PERSONS in finders:
        finders[GRAMMATICAL] = load_method(PERSONS, language, grammatical=True)
    columns = [f"{method}_{gender}" for method in finders for gender in GENDERS]
    schema = pa.schema([("id", pa.string()), *((column, pa.int32()) for column in columns)])

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        for batch in read_batches(texts, BATCH_TEXTS, ["id", "doc_id", "text"]):
            rows: list[dict[str, Any]] = [{"id": id_} for id_ in batch["id"]]
            for method, finder in finders.items():
                for row, mentions in zip(rows, find_in_documents(finder, batch["text"], batch["doc_id"]), strict=True):
                    genders = Counter(mention.gender for mention in mentions)
                    row.update({f"{method}_{gender}": genders[gender] for gender in GENDERS})
            yield rows
        return {"texts": name, "lang": language.lang, "methods": list(finders), "pipeline": language.pipeline}

    write_batches(counts, schema, batches())


def summarise_persons(counts: Path, corpus: str, bootstrap: Bootstrap) -> list[dict[str, Any]]:
    """Compute the mentions of each gender, their ratio and its interval, a row per method."""
    metadata, table = read_metadata(counts), read_rows(counts)
    rows = []
    for method in metadata["methods"]:
        per_text = {gender: table[f"{method}_{gender}"].to_numpy() for gender in GENDERS}
        # All methods use the same resamples.
        generator = random_generator(bootstrap.seed, corpus, metadata["lang"], "persons")
        rows.append(
            {"corpus": corpus, "lang": metadata["lang"], "method": method, "texts": len(table)}
            | {gender: int(values.sum()) for gender, values in per_text.items()}
            | ratio_columns({WORD_RATIO: [per_text[MASCULINE], per_text[FEMININE]]}, bootstrap, generator)
        )
    return rows
