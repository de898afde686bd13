"""Prepare the tables behind the ledger of Derner 2025, §5 and App. F and H (Tables 8 and 9).

The computed tables have the paper's names of models in `model`: `propagation/ratios` and `propagation/diversity` have
our rows of the trainings in the paper's tables, and `propagation/missing` the reasons why a model has none.
`propagation/story_sets` has the sets of stories if they are the paper's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity_studies.propagation.base_models import BASE, CONDITIONS, ENGLISH
from textparity_studies.report.cells import Row
from textparity_studies.report.comparison import build_ledger
from textparity_studies.report.ledger import Need, Reason

STUDY = "propagation"
PAPER_ENCODER = "paraphrase-multilingual-MiniLM-L12-v2"
LANGS = {"es": "spa", "va": "cat", "en": "eng"}
# Steps of each training, from the comments in the authors' inference.ipynb; they are the same for all conditions.
_PAPER_STEPS = {
    ("spa", "llama3.1-8B"): 12, ("spa", "qwen2.5-7B"): 16, ("spa", "llama3.2-3B"): 15,
    ("cat", "llama3.1-8B"): 11, ("cat", "qwen2.5-7B"): 15, ("cat", "llama3.2-3B"): 14,
    ("eng", "llama3.1-8B"): 9, ("eng", "qwen2.5-7B"): 12, ("eng", "llama3.2-3B"): 10,
}  # fmt: skip
_RATIOS, _DIVERSITY = "ratios", "diversity"


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
    published: Path,
    notes: Path,
    functions: Path,
    tables: list[Path],
    ledger: Path,
    gaps: Path,
    not_run: list[list[str]],
    run: RunSettings,
) -> None:
    """Write one row per published number, and write the values `not_run` to `gaps`.

    Only base models from the paper are compared with it. `tables` are those of the sets of stories, ratios and
    diversity, as far as this run makes them.
    """
    # A table without rows has no header, either.
    frames = {path.stem: pd.read_csv(path) for path in tables if path.read_bytes().strip()}
    reasons = _Reasons(run, not_run)
    is_papers_encoder = run.encoder.rpartition("/")[2] == PAPER_ENCODER
    settings = {
        "tagger": run.tagger,
        "story_generator": run.story_generator,
        "other_encoder": "" if is_papers_encoder else run.encoder,
    }
    computed: dict[str, list[Row]] = {
        "run": [settings],
        "propagation/story_sets": [],
        "propagation/ratios": _rows_of_papers_models(frames.get("story_ratios"), run),
        "propagation/diversity": _rows_of_papers_models(frames.get("diversity"), run),
        "propagation/missing": reasons.of_models(),
        "propagation/missing_sets": reasons.of_sets(),
        "propagation/missing_diversity": reasons.of_encoder(),
    }
    if "story_sets" in frames and not run.story_generator:
        computed["propagation/story_sets"] = frames["story_sets"].to_dict("records")
    build_ledger(STUDY, published, notes, functions, [], ledger, gaps, not_run, computed=computed)


def _rows_of_papers_models(frame: pd.DataFrame | None, run: RunSettings) -> list[Row]:
    """Select the rows of base models and of the trainings in the paper's tables, of one base model for each model."""
    if frame is None:
        return []
    papers_names = frame["base_model"].map(run.base_models)
    last_steps = [run.steps[model][lang] for model, lang in zip(frame["base_model"], frame["lang"], strict=True)]
    is_trained = (frame["training_seed"] == run.training_seed) & (frame["step"] == last_steps)
    frame = frame.assign(model=papers_names, steps=last_steps)
    frame = frame[((frame["condition"] == BASE) | is_trained) & (papers_names != "")]
    if "repetitions_without_ratio" in frame:
        frame = frame.assign(with_ratio=frame["repetitions"] - frame["repetitions_without_ratio"])
    rows: list[Row] = []
    for (model, lang, _), same in frame.groupby(["model", "lang", "condition"]):
        chosen = same[same["base_model"] == same["base_model"].min()]
        rows += chosen.assign(papers_steps=_PAPER_STEPS.get((lang, model))).to_dict("records")
    return rows


@dataclass(frozen=True)
class _Reasons:
    """Explain why numbers are missing."""

    run: RunSettings
    not_run: list[list[str]]

    def of_models(self) -> list[Row]:
        """List the reason for each model and language of the paper, and each measure."""
        rows: list[Row] = []
        for lang, model in _PAPER_STEPS:
            for measure in (_RATIOS, _DIVERSITY):
                reason = self._explain_model(model, lang, measure)
                rows.append({"model": model, "lang": lang, "measure": measure, "reason": reason})
        return rows

    def of_sets(self) -> list[Row]:
        """List the reason for each set of stories, by condition and language."""
        rows: list[Row] = []
        for condition in CONDITIONS:
            for lang in LANGS.values():
                reason = self._gaps_of(f"stories_{condition}", lang)
                rows.append({"condition": condition, "lang": lang, "reason": reason})
        return rows

    def of_encoder(self) -> list[Row]:
        """List the reason why texts were not embedded, by language."""
        return [{"lang": lang, "reason": self._gaps_of(self.run.encoder, lang)} for lang in LANGS.values()]

    def _explain_model(self, model: str, lang: str, measure: str) -> str:
        """Explain why a model of the paper has no numbers in a language."""
        run = self.run
        names = [name for name, papers_name in run.base_models.items() if papers_name == model]
        if not names:
            return Need(Reason.NOT_CONFIGURED, f"no row of the base models table has the published_name {model}")
        name = names[0]
        if gaps := self._gaps_of(name, lang):
            return gaps
        if name not in run.selected:
            gap = run.base_model_gaps.get(name, "")
            cannot_run = f", and cannot run here: {gap}" if gap else ""
            return Need(Reason.NOT_CONFIGURED, f"{name} is not named in propagation.base_models{cannot_run}")
        if lang not in run.training_languages:
            return Need(Reason.NOT_CONFIGURED, f"{lang} is not named in propagation.training_languages")
        if measure == _RATIOS and lang != ENGLISH:
            return self._explain_tags(lang)
        for condition in CONDITIONS:
            if gaps := self._gaps_of(f"stories_{condition}", lang):
                return gaps
        return Need(Reason.NOT_DOWNLOADED, f"nothing was written by {name} in {lang}")

    def _explain_tags(self, lang: str) -> str:
        tagger = self.run.tagger
        if not tagger:
            why = f"words in {lang} are counted by a language model: none is named in propagation.tagger"
            return Need(Reason.NOT_CONFIGURED, why)
        return self._gaps_of(tagger, lang) or Need(Reason.NOT_DOWNLOADED, f"no words in {lang} were tagged")

    def _gaps_of(self, name: str, lang: str) -> str:
        """Find the reasons why a set of stories, a model or an encoder is missing in a language."""
        reasons = []
        for corpus, gap_lang, engine, reason in self.not_run:
            if name in (corpus, engine) and gap_lang in (lang, ""):
                reasons.append(reason)
        return "; ".join(dict.fromkeys(reasons))
