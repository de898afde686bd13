"""Build the ledger rows of Derner 2025, §5 and App. F and H (Tables 8 and 9)."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.counting.procedures import PROCEDURES
from textparity_studies.measures.polarity import GENDERS
from textparity_studies.propagation.variants import BASE, CONDITIONS
from textparity_studies.report.ledger import (
    DIFFERS,
    NOT_ASKED,
    NOT_HERE,
    OTHER_SETUP,
    UNPUBLISHED,
    WITHIN,
    LedgerRow,
    PublishedNumber,
    ReproducedValue,
    compare_to_published,
    list_gaps,
    read_published,
    write_ledger,
)

STUDY = "propagation"
PAPER_TAGGER = "gpt-4-turbo"
PAPER_ENCODER = "paraphrase-multilingual-MiniLM-L12-v2"
LANGS = {"es": "spa", "va": "cat", "en": "eng"}
_POLARITY_LANG = "eng"
_TOLERANCE = 0.05
# "In the order of 100:1" holds if no other power of ten is nearer.
_ORDER = math.sqrt(10)
# A ratio measured over runs may differ by this many of the paper's standard deviations.
_DEVIATIONS = 2
# Steps of each training, from the comments in the authors' inference.ipynb; they are the same for all conditions.
_PAPER_STEPS = {
    ("spa", "llama3.1-8B"): 12, ("spa", "qwen2.5-7B"): 16, ("spa", "llama3.2-3B"): 15,
    ("cat", "llama3.1-8B"): 11, ("cat", "qwen2.5-7B"): 15, ("cat", "llama3.2-3B"): 14,
    ("eng", "llama3.1-8B"): 9, ("eng", "qwen2.5-7B"): 12, ("eng", "llama3.2-3B"): 10,
}  # fmt: skip
_RATIO, _DIVERSITY = "masculine_per_feminine", "semantic_diversity"
_OVERTRAINED = (
    f"{UNPUBLISHED}: of which model, language and steps is not said; ours stand in "
    "results/propagation/tables/diversity.csv"
)


@dataclass(frozen=True)
class _Run:
    """Hold the tables that this run measured, and its settings."""

    story_sets: pd.DataFrame
    ratios: pd.DataFrame
    diversity: pd.DataFrame
    gaps: pd.DataFrame
    base_models: Mapping[str, str]
    base_model_gaps: Mapping[str, str]
    selected: list[str]
    steps: Mapping[str, Mapping[str, int]]
    training_languages: list[str]
    tagger: str | None
    story_generator: str | None
    encoder: str


@dataclass(frozen=True)
class _Found:
    """Hold our values by procedure with the differences of our setup, or the reason why there are none."""

    values: Mapping[str, float] | None = None
    reason: str = ""
    setup: str = ""


def build_propagation_ledger(
    published: Path,
    gaps: Path,
    ledger: Path,
    not_run: list[list[str]],
    base_models: dict[str, str],
    base_model_gaps: dict[str, str],
    selected: list[str],
    training_languages: list[str],
    training_seed: int,
    steps: dict[str, dict[str, int]],
    encoder: str,
    tagger: str | None = None,
    story_generator: str | None = None,
    story_sets: Path | None = None,
    ratios: Path | None = None,
    diversity: Path | None = None,
) -> None:
    """Write one row per published number, and write the values `not_run` to `gaps`.

    Only base models from the paper are compared with it.

    `base_models` maps all rows of the base models table to the paper's names (or empty), and `base_model_gaps` gives
    the reason why some cannot run here (or empty). `selected` are the models trained in this run, with `training_seed`
    and `steps` (by model and language) for the paper's tables. If there are any, `ratios` and `diversity` exist. With a
    `story_generator`, the sets of stories are not the paper's.
    """
    list_gaps(gaps, not_run)
    run = _Run(
        story_sets=pd.read_csv(story_sets) if story_sets else pd.DataFrame(columns=["lang", "condition", "procedure"]),
        ratios=_read(ratios, training_seed, steps),
        diversity=_read(diversity, training_seed, steps),
        gaps=pd.DataFrame(not_run, columns=["corpus", "lang", "engine", "reason"], dtype=str),
        base_models=base_models,
        base_model_gaps=base_model_gaps,
        selected=selected,
        steps=steps,
        training_languages=training_languages,
        tagger=tagger,
        story_generator=story_generator,
        encoder=encoder,
    )
    numbers = read_published(published)
    deviations = {
        (number.table, number.row, number.column.removesuffix("_sd")): float(number.value)
        for number in numbers
        if number.column.endswith("_sd")
    }
    write_ledger([_judge(number, deviations, run) for number in numbers], ledger)


def _read(path: Path | None, training_seed: int, steps: Mapping[str, Mapping[str, int]]) -> pd.DataFrame:
    """Read the rows of the base model and of the trainings in the paper's tables."""
    if not path:
        return pd.DataFrame(columns=["base_model", "lang", "condition"])
    rows = pd.read_csv(path)
    last = [steps[model][lang] for model, lang in zip(rows["base_model"], rows["lang"], strict=True)]
    return rows[(rows["condition"] == BASE) | ((rows["training_seed"] == training_seed) & (rows["step"] == last))]


def _judge(number: PublishedNumber, deviations: Mapping[tuple[str, str, str], float], run: _Run) -> LedgerRow:
    if number.table == "App. F":
        return compare_to_published(STUDY, number, ReproducedValue(), f"{_OVERTRAINED}; {number.note}")
    lang, *model, condition = number.row.split(" ")
    if not model:
        return _judge_story_set(number, LANGS[lang], condition, run)
    found = _model_numbers(number, LANGS[lang], " ".join(model), condition, run)
    ours = _pair((found.values or {}).get)
    # Numbers in the paper's text are from Table 9, and so is their deviation.
    deviation = deviations.get((number.table if number.table != "§5" else "9", number.row, number.column))
    tolerance = _TOLERANCE if deviation is None else max(_TOLERANCE, _DEVIATIONS * deviation / float(number.value))
    how = f"{_DEVIATIONS} of the paper's standard deviations" if found.values and tolerance > _TOLERANCE else ""
    sets = _other_sets(run) if found.values and run.story_generator else ""
    return compare_to_published(
        STUDY,
        number,
        ReproducedValue(*ours, tolerance, setup=_join(found.setup, sets)),
        _join(how, found.reason, number.note),
    )


def _join(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def _pair(value_of: Callable[[str], float | None]) -> tuple[Any, Any]:
    """Return our values in the order of `compare_to_published`: published, corrected."""
    published, corrected = map(value_of, PROCEDURES)
    return published, corrected


def _judge_story_set(number: PublishedNumber, lang: str, condition: str, run: _Run) -> LedgerRow:
    if run.story_generator:
        reason = f"{NOT_ASKED}: {_other_sets(run)}; ours stand in results/propagation/tables/story_sets.csv"
        return compare_to_published(STUDY, number, ReproducedValue(), _join(reason, number.note))
    sets = run.story_sets
    rows = sets[(sets["lang"] == lang) & (sets["condition"] == condition)].set_index("procedure")
    if rows.empty:
        not_asked = f"{NOT_ASKED}: {lang} is not named in propagation.languages"
        reason = _gap_of(f"stories_{condition}", lang, run) or not_asked
        return compare_to_published(STUDY, number, ReproducedValue(), _join(reason, number.note))
    if number.column != _RATIO:
        return compare_to_published(STUDY, number, ReproducedValue(*_pair(rows[number.column].get)), number.note)
    ours = _pair(rows[_RATIO].get)
    published = rows.loc["published"]
    if math.isnan(ours[0]):
        words = " and ".join(f"{published[gender]:g} {gender}" for gender in GENDERS)
        counted = f"{NOT_ASKED}: more sentences; the ratio of {words} words has no value"
        reason = published["reason"] if isinstance(published["reason"], str) else counted
        return compare_to_published(STUDY, number, ReproducedValue(*ours), f"{reason}; {number.note}")
    factor = max(ours[0] / float(number.value), float(number.value) / ours[0]) if ours[0] > 0 else math.inf
    criterion = f"an order is met within a factor of the square root of ten; the factor is {factor:.2f}"
    reason = _join(criterion, _counted(lang), number.note)
    row = compare_to_published(
        STUDY, number, ReproducedValue(*ours, setup=_other_tagger(lang, published["method"])), reason
    )
    verdict = OTHER_SETUP if row.setup else WITHIN if factor <= _ORDER else DIFFERS
    return replace(row, verdict=verdict, reason=reason)


def _model_numbers(number: PublishedNumber, lang: str, published_name: str, condition: str, run: _Run) -> _Found:
    names = [name for name, papers in run.base_models.items() if papers == published_name]
    measure = _DIVERSITY if number.column.startswith(_DIVERSITY) else _RATIO
    table = run.diversity if measure == _DIVERSITY else run.ratios
    table = table[table["base_model"].isin(names) & (table["lang"] == lang) & (table["condition"] == condition)]
    table = table[table["base_model"] == table["base_model"].min()]
    if not names:
        return _Found(reason=f"{NOT_ASKED}: no row of the base models table has the published_name {published_name}")
    if table.empty:
        return _Found(reason=_why_not(names[0], lang, measure, run))
    found = _diversity(number, table.iloc[0], run) if measure == _DIVERSITY else _ratio(number, table, lang, run)
    if condition == BASE or not found.values:
        return found
    steps, papers = run.steps[table["base_model"].iloc[0]][lang], _PAPER_STEPS[lang, published_name]
    other = "" if steps == papers else f"trained for {steps} steps, the authors' for {papers}"
    return replace(found, setup=_join(found.setup, other))


def _ratio(number: PublishedNumber, table: pd.DataFrame, lang: str, run: _Run) -> _Found:
    name = table["base_model"].iloc[0]
    table = table.set_index("procedure")
    column = "ratio_sd" if number.column.endswith("_sd") else "ratio"
    values = table[column].to_dict()
    published = table.loc["published"]
    if math.isnan(published[column]):
        runs = published["repetitions"] - published["repetitions_without_ratio"]
        few = f"more repetitions; {runs:g} of {published['repetitions']:g} have a ratio"
        return _Found(reason=f"{NOT_ASKED}: {few}")
    reason = _join(f"{published['repetitions']:g} repetitions of {name}", _counted(lang))
    return _Found(values, reason, _other_tagger(lang, run.tagger))


def _diversity(number: PublishedNumber, row: pd.Series, run: _Run) -> _Found:
    ending = "_sd" if number.column.endswith("_sd") else ""
    values = {procedure: row[f"diversity_{procedure}{ending}"] for procedure in PROCEDURES}
    if math.isnan(values["published"]):
        nothing = f"{NOT_ASKED}: more repetitions; {row['repetitions']:g} have no {number.column}"
        return _Found(reason=_gap_of(run.encoder, row["lang"], run) or nothing)
    is_papers = run.encoder.rpartition("/")[2] == PAPER_ENCODER
    other = "" if is_papers else f"embedded by {run.encoder}, the paper's stories by {PAPER_ENCODER}"
    return _Found(values, f"{row['repetitions']:g} repetitions", other)


def _why_not(name: str, lang: str, measure: str, run: _Run) -> str:
    if gap := _gap_of(name, lang, run):
        return gap
    if name not in run.selected:
        not_asked = f"{NOT_ASKED}: {name} is not named in propagation.base_models"
        return ", and cannot run here: ".join(filter(None, [not_asked, run.base_model_gaps.get(name, "")]))
    if lang not in run.training_languages:
        return f"{NOT_ASKED}: {lang} is not named in propagation.training_languages"
    if measure == _RATIO and lang != _POLARITY_LANG:
        if not run.tagger:
            return f"{NOT_ASKED}: words in {lang} are counted by a language model: none is named in propagation.tagger"
        return _gap_of(run.tagger, lang, run) or f"{NOT_HERE}: no words in {lang} were tagged"
    nothing = f"{NOT_HERE}: nothing was written by {name} in {lang}"
    return next(filter(None, (_gap_of(f"stories_{condition}", lang, run) for condition in CONDITIONS)), nothing)


def _other_sets(run: _Run) -> str:
    return f"sets of stories written by {run.story_generator}"


def _gap_of(name: str, lang: str, run: _Run) -> str:
    named = (run.gaps[["corpus", "engine"]] == name).any(axis=1) & run.gaps["lang"].isin([lang, ""])
    return "; ".join(dict.fromkeys(run.gaps.loc[named, "reason"]))


def _counted(lang: str) -> str:
    white_space = "published splits at white space only, so a word with a mark beside it does not count"
    return white_space if lang == _POLARITY_LANG else ""


def _other_tagger(lang: str, tagger: str | None) -> str:
    if lang == _POLARITY_LANG or tagger == PAPER_TAGGER:
        return ""
    return f"tagged by {tagger}, the paper's by {PAPER_TAGGER}"
