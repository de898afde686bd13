"""Count masculine and feminine words per story of a model's variants, and their ratio (Derner 2025, §5).

English stories are counted by the word lists of gender polarity (G_M : G_F). Stories in other languages are counted by
the words for persons that a language model tags (L_P,M : L_P,F).
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from textparity.corpora.rows import TEXT_SCHEMA, read_batches, read_metadata, read_rows, write_batches
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Bootstrap, bootstrap_ratios, random_generator, share
from textparity.counting.tokenizers.icu import split_sentences
from textparity.errors import InputError, MissingResourceError
from textparity_studies.measures.polarity import GENDERS
from textparity_studies.propagation.variants import Variant

MASCULINE, FEMININE = GENDERS
# The columns that a variant's files and rows share.
UNIT = ["base_model", "lang"]
Unit = tuple[str, str, str]
"""A base model, a language and the name of a variant."""
BATCH_STORIES = 1000
# The schema of gender polarity, but with means over runs of the tagger.
PERSONS_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        *((f"{procedure}_{name}", pa.float64()) for procedure in PROCEDURES for name in ("words", *GENDERS)),
    ]
)


def unit_of(path: Path) -> Unit:
    """Identify the variant of a file named `{lang}.{variant}`, in a folder named after the base model."""
    lang, _, variant = path.stem.partition(".")
    return path.parent.name, lang, variant


def split_stories(stories: Path, texts: Path, icu_locale: str) -> None:
    """Write the sentences of stories as texts; each story is the document of its sentences."""

    def batches() -> Iterator[list[dict[str, Any]]]:
        for batch in read_batches(stories, BATCH_STORIES, ["id", "lang", "text"]):
            yield [
                {"id": f"{id_}/{number}", "doc_id": id_, "lang": lang, "text": sentence}
                for id_, lang, text in zip(batch["id"], batch["lang"], batch["text"], strict=True)
                for number, sentence in enumerate(split_sentences(text, icu_locale), start=1)
            ]

    write_batches(texts, TEXT_SCHEMA, batches())


def count_tagged_persons(stories: Path, texts: Path, tags: Path, counts: Path) -> None:
    """Write L_{P,M} and L_{P,F} of each story, in the columns of gender polarity; `words` are all tagged words.

    `texts` are the sentences of the stories, and `tags` the words tagged in them. Raises `MissingResourceError` if
    answers are missing.
    """
    metadata = read_metadata(tags)
    if metadata["missing"]:
        raise MissingResourceError(
            f"{tags}: {metadata['missing']} answers are missing ({metadata['reason']}); fix that, delete the file and "
            "run again"
        )
    tagged = read_rows(tags).drop_columns(["run", "status", "words"]).to_pandas().groupby("id").sum()
    found = read_rows(texts, ["id", "doc_id"]).to_pandas().set_index("id")["doc_id"]
    # Stories without a sentence, or with blank sentences, have no persons.
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


def read_story_counts(path: Path, procedure: str) -> pd.DataFrame:
    """Read `repetition`, `masculine` and `feminine` of each story, counted by one procedure.

    Raises `InputError` for a file without such counts, or an id that is not made of repetition, prompt and story.
    """
    table = read_rows(path).to_pandas()
    columns = {gender: f"{procedure}_{gender}" for gender in GENDERS}
    if missing := [name for name in columns.values() if name not in table.columns]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; delete it and run again")
    return pd.DataFrame(
        {"repetition": repetitions_of(table["id"], path)}
        # Tagged words are means over runs of the tagger, so they can be fractions.
        | {gender: table[name].to_numpy() for gender, name in columns.items()}
    )


def repetitions_of(ids: pd.Series, path: Path) -> np.ndarray:
    """Extract the repetitions from story ids, such as 2 from `2/7/10`; `InputError` names an id of another form."""
    is_story = ids.str.fullmatch(r"\d+/\d+/\d+")
    if not is_story.all():
        raise InputError(
            f"{path}: id {ids[~is_story].iloc[0]!r} is not repetition/prompt/story; delete it and run again"
        )
    if (twice := ids[ids.duplicated()]).any():
        raise InputError(f"{path}: story {twice.iloc[0]} is a duplicate; delete it and run again")
    return ids.str.partition("/")[0].to_numpy(dtype=np.int64)


def repetition_ratios(counts: pd.DataFrame) -> pd.Series:
    """Compute masculine : feminine of each repetition, NaN for one without feminine words."""
    sums = counts.groupby("repetition")[list(GENDERS)].sum()
    return sums[MASCULINE] / sums[FEMININE].where(sums[FEMININE] > 0)


def pooled_ratio(counts: pd.DataFrame) -> float:
    """Compute masculine : feminine of all stories together, NaN without feminine words."""
    return share(counts[MASCULINE].sum(), counts[FEMININE].sum())


def pooled_row(counts: pd.DataFrame, unit: Unit, procedure: str, bootstrap: Bootstrap) -> dict[str, float]:
    """Compute `ratio`, `ratio_low` and `ratio_high` of all stories together, by a bootstrap over stories.

    A variant has the same interval in every table.
    """
    generator = random_generator(bootstrap.seed, *unit, "stories", procedure)
    masculine, feminine = (np.stack([counts[gender].to_numpy()]) for gender in GENDERS)
    (interval,) = bootstrap_ratios(masculine, feminine, bootstrap, generator)
    return {"ratio": pooled_ratio(counts), "ratio_low": interval.low, "ratio_high": interval.high}


def count_row(counts: pd.DataFrame) -> dict[str, float]:
    """Count the repetitions, the stories, and the words of each gender."""
    sizes = {"repetitions": counts["repetition"].nunique(), "stories": len(counts)}
    return sizes | {gender: counts[gender].sum() for gender in GENDERS}


def variant_row(unit: Unit) -> dict[str, object]:
    """Build the columns that name a variant: base model, language, condition, training seed and step."""
    base_model, lang, name = unit
    variant = Variant.parse(name)
    return {"base_model": base_model, "lang": lang} | {
        "condition": variant.condition, "training_seed": variant.seed, "step": variant.step,
    }  # fmt: skip


def log_ratios(ratios: pd.Series) -> pd.Series:
    """Compute natural logarithms, with NaN for a ratio of 0."""
    return ratios.where(ratios > 0).map(math.log, na_action="ignore")
