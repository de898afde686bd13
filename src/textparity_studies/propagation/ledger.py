"""Build the ledger rows of Derner 2025, §5 and App. F and H (Tables 8 and 9)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from textparity.counting import PROCEDURES
from textparity_studies.measures.gender_ratios import GENDERS
from textparity_studies.propagation.base_models import BASE, CONDITIONS, ENGLISH
from textparity_studies.report.ledger import (
    DIFFERS,
    OTHER_SETUP,
    WITHIN,
    LedgerRow,
    Need,
    PublishedNumber,
    Reason,
    ReproducedValue,
    compare_to_published,
    join_remarks,
    list_gaps,
    read_published,
    write_ledger,
)

STUDY = "propagation"
PAPER_TAGGER = "gpt-4-turbo"
PAPER_ENCODER = "paraphrase-multilingual-MiniLM-L12-v2"
LANGS = {"es": "spa", "va": "cat", "en": "eng"}
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
_ELSEWHERE = "ours stand in results/propagation/tables"
_OVERTRAINED = Need(Reason.UNPUBLISHED, f"of which model, language and steps is not said; {_ELSEWHERE}/diversity.csv")
_WHITE_SPACE = "published splits at white space only, so a word with a mark beside it does not count"


@dataclass(frozen=True)
class RunSettings:
    """The choices of this run.

    `base_models` maps all rows of the base models table to the paper's names (or empty), and `base_model_gaps` gives
    the reason why some cannot run here (or empty). `selected` are the models trained in this run, with `training_seed`
    and `steps` (by model and language) for the paper's tables. With a `story_generator`, the sets of stories are not
    the paper's.
    """

    base_models: Mapping[str, str]
    base_model_gaps: Mapping[str, str]
    selected: list[str]
    training_languages: list[str]
    training_seed: int
    steps: Mapping[str, Mapping[str, int]]
    encoder: str
    tagger: str | None = None
    story_generator: str | None = None


def build_propagation_ledger(
    published: Path, tables: list[Path], ledger: Path, gaps: Path, not_run: list[list[str]], run: RunSettings
) -> None:
    """Write one row per published number, and write the values `not_run` to `gaps`.

    Only base models from the paper are compared with it. `tables` are those of the sets of stories, ratios and
    diversity, as far as this run makes them.
    """
    list_gaps(gaps, not_run)
    results = RunResults({path.stem: pd.read_csv(path) for path in tables}, not_run, run)
    numbers = read_published(published)
    deviations = {
        (number.table, number.row, number.column.removesuffix("_sd")): float(number.value)
        for number in numbers
        if number.column.endswith("_sd")
    }
    write_ledger([results.compare(number, deviations) for number in numbers], ledger)


class RunResults:
    """Compare what this run measured with the paper's numbers."""

    def __init__(self, tables: Mapping[str, pd.DataFrame], not_run: list[list[str]], run: RunSettings) -> None:
        self._run = run
        self._not_run = not_run
        self._story_sets = tables.get("story_sets", pd.DataFrame(columns=["lang", "condition", "procedure"]))
        self._models = {_RATIO: self._in_papers_tables(tables.get("story_ratios"))}
        self._models[_DIVERSITY] = self._in_papers_tables(tables.get("diversity"))
        self._other_sets = f"sets of stories written by {run.story_generator}" if run.story_generator else ""

    def _in_papers_tables(self, rows: pd.DataFrame | None) -> pd.DataFrame:
        """Select the rows of the base model and of the trainings in the paper's tables."""
        if rows is None:
            return pd.DataFrame(columns=["base_model", "lang", "condition"])
        last = [self._run.steps[model][lang] for model, lang in zip(rows["base_model"], rows["lang"], strict=True)]
        is_trained = (rows["training_seed"] == self._run.training_seed) & (rows["step"] == last)
        return rows[(rows["condition"] == BASE) | is_trained]

    def compare(self, number: PublishedNumber, deviations: Mapping[tuple[str, str, str], float]) -> LedgerRow:
        """Compare a number; `deviations` are the paper's standard deviations by table, row and column."""
        if number.table == "App. F":
            return compare_to_published(STUDY, number, ReproducedValue(), join_remarks(_OVERTRAINED, number.note))
        name, *model, condition = number.row.split(" ")
        if not model:
            return self._compare_story_set(number, LANGS[name], condition)
        ours = self._of_model(number, LANGS[name], " ".join(model), condition)
        if ours.published is None:
            return compare_to_published(STUDY, number, ours, join_remarks(ours.remark, number.note))
        # Numbers in the paper's text are from Table 9, and so is their deviation.
        deviation = deviations.get((number.table if number.table != "§5" else "9", number.row, number.column), 0)
        tolerance = max(_TOLERANCE, _DEVIATIONS * deviation / float(number.value)) if deviation else _TOLERANCE
        how = f"{_DEVIATIONS} of the paper's standard deviations" if tolerance > _TOLERANCE else ""
        ours = replace(ours, tolerance=tolerance, setup=join_remarks(ours.setup, self._other_sets))
        return compare_to_published(STUDY, number, ours, join_remarks(how, ours.remark, number.note))

    def _compare_story_set(self, number: PublishedNumber, lang: str, condition: str) -> LedgerRow:
        sets = self._story_sets
        rows = sets[(sets["lang"] == lang) & (sets["condition"] == condition)].set_index("procedure")
        why = ""
        if self._other_sets:
            why = Need(Reason.NOT_CONFIGURED, f"{self._other_sets}; {_ELSEWHERE}/story_sets.csv")
        elif rows.empty:
            not_asked = Need(Reason.NOT_CONFIGURED, f"{lang} is not named in propagation.languages")
            why = self._gap_of(f"stories_{condition}", lang) or not_asked
        if why:
            return compare_to_published(STUDY, number, ReproducedValue(), join_remarks(why, number.note))
        ours = ReproducedValue(*(rows.loc[procedure, number.column] for procedure in PROCEDURES))
        if number.column != _RATIO:
            return compare_to_published(STUDY, number, ours, number.note)
        published = rows.loc["published"]
        if math.isnan(published[_RATIO]):
            words = " and ".join(f"{published[gender]:g} {gender}" for gender in GENDERS)
            counted = Need(Reason.NOT_CONFIGURED, f"more sentences; the ratio of {words} words has no value")
            why = published["reason"] if isinstance(published["reason"], str) else counted
            return compare_to_published(STUDY, number, ours, f"{why}; {number.note}")
        ratio, papers = published[_RATIO], float(number.value)
        factor = max(ratio / papers, papers / ratio) if ratio > 0 else math.inf
        criterion = f"an order is met within a factor of the square root of ten; the factor is {factor:.2f}"
        reason = join_remarks(criterion, _WHITE_SPACE if lang == ENGLISH else "", number.note)
        ours = replace(ours, setup=_other_tagger(lang, published["method"]))
        row = compare_to_published(STUDY, number, ours, reason)
        verdict = OTHER_SETUP if row.setup else WITHIN if factor <= _ORDER else DIFFERS
        return replace(row, verdict=verdict, reason=reason)

    def _of_model(self, number: PublishedNumber, lang: str, published_name: str, condition: str) -> ReproducedValue:
        """Find our value for a model of the paper, or the reason why there is none."""
        names = [name for name, papers in self._run.base_models.items() if papers == published_name]
        if not names:
            no_row = f"no row of the base models table has the published_name {published_name}"
            return ReproducedValue(remark=Need(Reason.NOT_CONFIGURED, no_row))
        measure = _DIVERSITY if number.column.startswith(_DIVERSITY) else _RATIO
        table = self._models[measure]
        table = table[table["base_model"].isin(names) & (table["lang"] == lang) & (table["condition"] == condition)]
        if table.empty:
            return ReproducedValue(remark=self._why_not(names[0], lang, measure))
        model = table["base_model"].min()
        table = table[table["base_model"] == model]
        found = self._diversity(number, table.iloc[0]) if measure == _DIVERSITY else self._ratio(number, table)
        steps, papers = self._run.steps[model][lang], _PAPER_STEPS[lang, published_name]
        if condition == BASE or steps == papers:
            return found
        return replace(found, setup=join_remarks(found.setup, f"trained for {steps} steps, the authors' for {papers}"))

    def _ratio(self, number: PublishedNumber, table: pd.DataFrame) -> ReproducedValue:
        column = "ratio_sd" if number.column.endswith("_sd") else "ratio"
        rows = table.set_index("procedure")
        published = rows.loc["published"]
        if math.isnan(published[column]):
            runs = published["repetitions"] - published["repetitions_without_ratio"]
            few = f"more repetitions; {runs:g} of {published['repetitions']:g} have a ratio"
            return ReproducedValue(remark=Need(Reason.NOT_CONFIGURED, few))
        lang = published["lang"]
        remark = f"{published['repetitions']:g} repetitions of {published['base_model']}"
        remark = join_remarks(remark, _WHITE_SPACE if lang == ENGLISH else "")
        corrected, setup = rows.loc["corrected", column], _other_tagger(lang, self._run.tagger)
        return ReproducedValue(published[column], corrected, remark=remark, setup=setup)

    def _diversity(self, number: PublishedNumber, row: pd.Series) -> ReproducedValue:
        encoder, ending = self._run.encoder, "_sd" if number.column.endswith("_sd") else ""
        published, corrected = (row[f"diversity_{procedure}{ending}"] for procedure in PROCEDURES)
        if math.isnan(published):
            nothing = Need(Reason.NOT_CONFIGURED, f"more repetitions; {row['repetitions']:g} have no {number.column}")
            return ReproducedValue(remark=self._gap_of(encoder, row["lang"]) or nothing)
        is_papers = encoder.rpartition("/")[2] == PAPER_ENCODER
        setup = "" if is_papers else f"embedded by {encoder}, the paper's stories by {PAPER_ENCODER}"
        return ReproducedValue(published, corrected, remark=f"{row['repetitions']:g} repetitions", setup=setup)

    def _why_not(self, name: str, lang: str, measure: str) -> str:
        """Explain why a model of the paper has no numbers in a language."""
        run = self._run
        if gap := self._gap_of(name, lang):
            return gap
        if name not in run.selected:
            gap, not_asked = run.base_model_gaps.get(name, ""), f"{name} is not named in propagation.base_models"
            return Need(Reason.NOT_CONFIGURED, not_asked + (f", and cannot run here: {gap}" if gap else ""))
        if lang not in run.training_languages:
            return Need(Reason.NOT_CONFIGURED, f"{lang} is not named in propagation.training_languages")
        if measure == _RATIO and lang != ENGLISH:
            if not run.tagger:
                counted = f"words in {lang} are counted by a language model: none is named in propagation.tagger"
                return Need(Reason.NOT_CONFIGURED, counted)
            return self._gap_of(run.tagger, lang) or Need(Reason.NOT_DOWNLOADED, f"no words in {lang} were tagged")
        nothing = Need(Reason.NOT_DOWNLOADED, f"nothing was written by {name} in {lang}")
        gaps = (self._gap_of(f"stories_{condition}", lang) for condition in CONDITIONS)
        return next(filter(None, gaps), nothing)

    def _gap_of(self, name: str, lang: str) -> str:
        """Find the reasons why a set of stories, a model or an encoder is missing in a language."""
        reasons = (
            reason
            for corpus, of_lang, engine, reason in self._not_run
            if name in (corpus, engine) and of_lang in (lang, "")
        )
        return "; ".join(dict.fromkeys(reasons))


def _other_tagger(lang: str, tagger: str | None) -> str:
    if lang == ENGLISH or tagger == PAPER_TAGGER:
        return ""
    return f"tagged by {tagger}, the paper's by {PAPER_TAGGER}"
