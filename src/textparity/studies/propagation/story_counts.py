"""Masculine and feminine words per story, of the variants of a model, and their ratio (Derner 2025, §5).

English stories are counted by the word lists of gender polarity (G_M : G_F), others by the words for persons that a
language model tags (L_P,M : L_P,F).
"""

import math
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.errors import InputError
from textparity.measures.polarity import GENDERS
from textparity.measures.statistics import Interval, bootstrap_ratios, random_generator, share
from textparity.studies.propagation.variants import Variant

MASCULINE, FEMININE = GENDERS
# Of a variant's files and rows.
UNIT = ["base_model", "lang"]
Unit = tuple[str, str, str]
"""A base model, a language and the name of a variant."""


def read_story_counts(path: Path, procedure: str) -> pd.DataFrame:
    """Return `repetition`, `masculine` and `feminine` of each story, counted by one procedure.

    Raises `InputError` for a file without such counts, or an id that is not repetition, prompt and story.
    """
    table = read_rows(path).to_pandas()
    columns = {gender: f"{procedure}_{gender}" for gender in GENDERS}
    if lacking := [name for name in columns.values() if name not in table.columns]:
        raise InputError(f"{path}: has no column {', '.join(lacking)}; delete it and run again")
    return pd.DataFrame(
        {"repetition": repetitions_of(table["id"], path)}
        # Tagged words are means over runs of the tagger, with fractions.
        | {gender: table[name].to_numpy() for gender, name in columns.items()}
    )


def repetitions_of(ids: pd.Series, path: Path) -> np.ndarray:
    """Return the repetitions of story ids, such as 2 of `2/7/10`; `InputError` naming an id of another form."""
    is_story = ids.str.fullmatch(r"\d+/\d+/\d+")
    if not is_story.all():
        raise InputError(
            f"{path}: id {ids[~is_story].iloc[0]!r} is not repetition/prompt/story; delete it and run again"
        )
    if (twice := ids[ids.duplicated()]).any():
        raise InputError(f"{path}: story {twice.iloc[0]} stands twice; delete it and run again")
    return ids.str.partition("/")[0].to_numpy(dtype=np.int64)


def repetition_ratios(counts: pd.DataFrame) -> pd.Series:
    """Return masculine : feminine of each repetition, NaN for one without feminine words."""
    sums = counts.groupby("repetition")[list(GENDERS)].sum()
    return sums[MASCULINE] / sums[FEMININE].where(sums[FEMININE] > 0)


def pooled_ratio(counts: pd.DataFrame) -> float:
    """Return masculine : feminine of all stories together, NaN without feminine words."""
    return share(counts[MASCULINE].sum(), counts[FEMININE].sum())


def pooled_interval(
    counts: pd.DataFrame, unit: Unit, procedure: str, seed: int, resamples: int, confidence_level: float
) -> Interval:
    """Return the bootstrap interval of `pooled_ratio` over stories, the same wherever a variant is shown."""
    generator = random_generator(seed, *unit, "stories", procedure)
    masculine, feminine = (np.stack([counts[gender].to_numpy()]) for gender in GENDERS)
    return bootstrap_ratios(masculine, feminine, resamples, confidence_level, generator)[0]


def pooled_row(
    counts: pd.DataFrame, unit: Unit, procedure: str, seed: int, resamples: int, confidence_level: float
) -> dict[str, float]:
    """Return `ratio`, `ratio_low` and `ratio_high` of all stories together."""
    interval = pooled_interval(counts, unit, procedure, seed, resamples, confidence_level)
    return {"ratio": pooled_ratio(counts), "ratio_low": interval.low, "ratio_high": interval.high}


def count_row(counts: pd.DataFrame) -> dict[str, float]:
    """Return how much was counted: repetitions, stories, words of each gender."""
    sizes = {"repetitions": counts["repetition"].nunique(), "stories": len(counts)}
    return sizes | {gender: counts[gender].sum() for gender in GENDERS}


def variant_row(unit: Unit) -> dict[str, object]:
    """Return the columns that name a variant: base model, language, condition, training seed and step."""
    base_model, lang, name = unit
    variant = Variant.parse(name)
    return {"base_model": base_model, "lang": lang} | {
        "condition": variant.condition, "training_seed": variant.seed, "step": variant.step,
    }  # fmt: skip


def log_ratios(ratios: pd.Series) -> pd.Series:
    """Return natural logarithms, NaN for a ratio of 0, which has none."""
    return ratios.where(ratios > 0).map(math.log, na_action="ignore")
