"""Prepare the tables behind the ledger of Derner 2025, §5 and App. F and H (Tables 8 and 9).

The computed tables have the paper's names of models in `model`: `propagation/ratios` and `propagation/diversity` have
our rows of the trainings in the paper's tables, and `propagation/missing` the reasons why a model has none.
`propagation/story_sets` has the sets of stories if they are the paper's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from textparity_studies.propagation.base_models import BASE, CONDITIONS, ENGLISH
from textparity_studies.propagation.settings import PropagationSettings
from textparity_studies.report.cells import Row
from textparity_studies.report.comparison import build_ledger
from textparity_studies.report.ledger import Need, Reason

STUDY = "propagation"
PAPER_ENCODER = "paraphrase-multilingual-MiniLM-L12-v2"
LANGS = ("spa", "cat", "eng")
# Steps of each training, from the comments in the authors' inference.ipynb; they are the same for all conditions.
_PAPER_STEPS = {
    ("spa", "llama3.1-8B"): 12, ("spa", "qwen2.5-7B"): 16, ("spa", "llama3.2-3B"): 15,
    ("cat", "llama3.1-8B"): 11, ("cat", "qwen2.5-7B"): 15, ("cat", "llama3.2-3B"): 14,
    ("eng", "llama3.1-8B"): 9, ("eng", "qwen2.5-7B"): 12, ("eng", "llama3.2-3B"): 10,
}  # fmt: skip
_RATIOS, _DIVERSITY = "ratios", "diversity"


def build_propagation_ledger(
    published: Path,
    notes: Path,
    functions: Path,
    tables: list[Path],
    ledger: Path,
    gaps: Path,
    not_run: list[list[str]],
    settings: dict[str, Any],
    published_names: dict[str, str],
    base_model_gaps: dict[str, str],
) -> None:
    """Write one row per published number, and write the values `not_run` to `gaps`.

    `tables` are those of the sets of stories, ratios and diversity, as far as this run makes them. `settings` are those
    of `PropagationSettings`. `published_names` maps all base models to the paper's names, and only models that have one
    are compared with it. `base_model_gaps` has the reasons why some models cannot run here.
    """
    run = _PaperRows(PropagationSettings(**settings), published_names, base_model_gaps, not_run)
    # A table without rows has no header, either.
    frames = {path.stem: pd.read_csv(path) for path in tables if path.read_bytes().strip()}
    encoder = run.settings.encoder
    computed: dict[str, list[Row]] = {
        "run": [
            {
                "tagger": run.settings.tagger,
                "story_generator": run.settings.story_generator,
                "other_encoder": "" if encoder.rpartition("/")[2] == PAPER_ENCODER else encoder,
            }
        ],
        "propagation/story_sets": [],
        "propagation/ratios": run.select_rows(frames.get("story_ratios")),
        "propagation/diversity": run.select_rows(frames.get("diversity")),
        "propagation/missing": run.explain_models(),
        "propagation/missing_sets": run.explain_sets(),
        "propagation/missing_diversity": [{"lang": lang, "reason": run.find_gaps(encoder, lang)} for lang in LANGS],
    }
    # With a generator, the sets of stories are not the paper's.
    if "story_sets" in frames and not run.settings.story_generator:
        computed["propagation/story_sets"] = frames["story_sets"].to_dict("records")
    build_ledger(STUDY, published, notes, functions, [], ledger, gaps, not_run, computed=computed)


@dataclass(frozen=True)
class _PaperRows:
    """Select the rows of this run that belong to the paper's models, and explain why others are missing."""

    settings: PropagationSettings
    published_names: Mapping[str, str]
    base_model_gaps: Mapping[str, str]
    not_run: list[list[str]]

    def select_rows(self, frame: pd.DataFrame | None) -> list[Row]:
        """Select the rows of the trainings in the paper's tables, of one base model for each of the paper's."""
        if frame is None:
            return []
        frame = frame.assign(model=frame["base_model"].map(self.published_names))
        if "repetitions_without_ratio" in frame:
            frame = frame.assign(with_ratio=frame["repetitions"] - frame["repetitions_without_ratio"])
        # A training ends with the number of steps of the paper's tables; models also write before.
        last_step = frame.groupby(["base_model", "lang"])["step"].transform("max")
        is_trained = (frame["training_seed"] == self.settings.training_seeds[0]) & (frame["step"] == last_step)
        frame = frame[((frame["condition"] == BASE) | is_trained) & (frame["model"] != "")]
        rows: list[Row] = []
        for (model, lang, _), same in frame.groupby(["model", "lang", "condition"]):
            chosen = same[same["base_model"] == same["base_model"].min()]
            rows += chosen.assign(papers_steps=_PAPER_STEPS.get((lang, model))).to_dict("records")
        return rows

    def explain_models(self) -> list[Row]:
        """List the reason for each model and language of the paper, and each measure."""
        rows: list[Row] = []
        for lang, model in _PAPER_STEPS:
            for measure in (_RATIOS, _DIVERSITY):
                reason = self._explain_model(model, lang, measure)
                rows.append({"model": model, "lang": lang, "measure": measure, "reason": reason})
        return rows

    def explain_sets(self) -> list[Row]:
        """List the reason for each set of stories, by condition and language."""
        return [
            {"condition": condition, "lang": lang, "reason": self.find_gaps(f"stories_{condition}", lang)}
            for condition, lang in product(CONDITIONS, LANGS)
        ]

    def find_gaps(self, name: str, lang: str) -> str:
        """Find the reasons why a set of stories, a model or an encoder is missing in a language."""
        reasons = []
        for corpus, gap_lang, engine, reason in self.not_run:
            if name in (corpus, engine) and gap_lang in (lang, ""):
                reasons.append(reason)
        return "; ".join(dict.fromkeys(reasons))

    def _explain_model(self, model: str, lang: str, measure: str) -> str:
        """Explain why a model of the paper has no numbers in a language."""
        names = [name for name, published_name in self.published_names.items() if published_name == model]
        if not names:
            return Need(Reason.NOT_CONFIGURED, f"no row of the base models table has the published_name {model}")
        name = names[0]
        if gaps := self.find_gaps(name, lang):
            return gaps
        if name not in self.settings.base_models:
            gap = self.base_model_gaps.get(name, "")
            cannot_run = f", and cannot run here: {gap}" if gap else ""
            return Need(Reason.NOT_CONFIGURED, f"{name} is not named in propagation.base_models{cannot_run}")
        if lang not in self.settings.training_languages:
            return Need(Reason.NOT_CONFIGURED, f"{lang} is not named in propagation.training_languages")
        if measure == _RATIOS and lang != ENGLISH:
            return self._explain_tags(lang)
        for condition in CONDITIONS:
            if gaps := self.find_gaps(f"stories_{condition}", lang):
                return gaps
        return Need(Reason.NOT_DOWNLOADED, f"nothing was written by {name} in {lang}")

    def _explain_tags(self, lang: str) -> str:
        tagger = self.settings.tagger
        if not tagger:
            why = f"words in {lang} are counted by a language model: none is named in propagation.tagger"
            return Need(Reason.NOT_CONFIGURED, why)
        return self.find_gaps(tagger, lang) or Need(Reason.NOT_DOWNLOADED, f"no words in {lang} were tagged")
