"""Plan the `swapping` study: what it swaps, scores and trains, and what is not available here."""

from collections.abc import Iterable
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import NamedTuple

from textparity.errors import ConfigError, how_to_install
from textparity.files import require_rows
from textparity.persons.methods import DICTIONARY, missing_pipeline
from textparity.registry import FileReference
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.swapping.settings import (
    BALANCED,
    ORIGINAL,
    PAPERS_CORPORA,
    RECORDED,
    RECORDED_REVIEWED,
    RULES,
    SWAPPING_LANGUAGE,
    UNCHANGED,
    EntityRecognition,
    load_sequence_models,
    missing_sequence_model,
)
from textparity_studies.swapping.title_parsers import parser_version
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan

# The value of max_steps in the configuration that the authors publish.
PAPERS_STEPS = 20_000
# How the authors name their models in the lists of titles that these found and missed.
_RECORDED_MODELS = {ORIGINAL: "orig", BALANCED: "balanced"}


class Asked(NamedTuple):
    """A language model, and what it is asked to swap: the `sentences` of the corpus, or the test `items`."""

    part: str
    swapper: str


class RecognizerTraining(NamedTuple):
    """A training of a recognizer."""

    procedure: str
    data: str
    seed: int


class SwappingPlan(StudyPlan):
    """Plan the `swapping` study, which `runs` with both corpora or not at all.

    `unavailable`, `unavailable_outputs`, `unavailable_titles` and `unavailable_models` map the corpora, recorded sets
    of outputs, recorded models and sequence models that are not available here to the reason. `annotated` are the
    corpus and its swapped sentences, of which `entity_corpora` are read from files. `is_papers` is true for the
    paper's corpora.
    """

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        settings = self.settings = self.config.swapping
        skips = self.config.skip_unavailable
        self.sequence_models = load_sequence_models(self.registry.paths["sequence_models"])
        self.parser_version = parser_version(self.config.models.stanza or "")
        self.recognizer_setup = recognizer_setup(settings.recognition)
        is_on = context.is_on("swapping")
        self.unavailable = self._find_missing_corpora() if is_on else {}
        outputs = settings.outputs if is_on else []
        self.unavailable_outputs = self._find_gaps(
            {system: [self.registry.file_of(self.registry.swap_outputs[system])] for system in outputs}
        )
        self.runs = is_on and not (skips and self.unavailable)
        self.annotated = [settings.corpus, f"swapped/{RULES}" if settings.swapped == RULES else settings.swapped]
        read = [corpus for corpus in (settings.corpus, settings.swapped) if corpus != RULES]
        self.entity_corpora = read if self.runs else []
        self.is_papers = self.entity_corpora == [*PAPERS_CORPORA]
        recorded_models = _RECORDED_MODELS if self.is_papers else ()
        self.unavailable_titles = self._find_gaps(
            {model: [self.recorded_titles(model, outcome) for outcome in ("tp", "fn")] for model in recorded_models}
        )
        self.recorded_models = self._keep_available(recorded_models, self.unavailable_titles)
        self.unavailable_models = self._find_missing_models() if self.runs else {}
        swappers, evaluated = (settings.swappers, settings.evaluated_swappers) if self.runs else ([], [])
        self.swappers = self._keep_available(swappers, self.unavailable_models)
        self.evaluated_swappers = self._keep_available(evaluated, self.unavailable_models)
        self.asked = [Asked("sentences", name) for name in self.swappers if name not in self.sequence_models]
        self.asked += [Asked("items", name) for name in self.evaluated_swappers if name not in self.sequence_models]
        unavailable_scores = missing_scorers() if self.runs and skips else ""
        self._choose_systems(is_scored=self.runs and not unavailable_scores)
        unavailable_recognition = missing_recognizer(settings.recognition) if self.runs else ""
        is_trained = self.runs and not unavailable_recognition
        runs = product(settings.recognition.procedures, settings.recognition.data, settings.recognition.seeds)
        self.trainings = [RecognizerTraining(*run) for run in runs] if is_trained else []
        left_out = {} if self.runs else dict(self.unavailable)
        if skips:
            left_out |= self.unavailable_outputs | self.unavailable_models
            left_out |= {f"{model}_titles": reason for model, reason in self.unavailable_titles.items()}
        if unavailable_scores:
            left_out["scores"] = unavailable_scores
        self.not_run = [[name, SWAPPING_LANGUAGE, "", reason] for name, reason in left_out.items()]
        if unavailable_recognition:
            architecture = settings.recognition.architecture
            self.not_run.append(["recognition", SWAPPING_LANGUAGE, architecture, unavailable_recognition])

    def _choose_systems(self, is_scored: bool) -> None:
        """Choose whose candidates are checked, reviewed by people, and accepted, and whose outputs are scored."""
        settings = self.settings
        recorded = [RECORDED, RECORDED_REVIEWED] if settings.reviews else []
        self.checked_systems = [RULES, *self.swappers, *recorded]
        self.reviewed_systems = [*self.swappers, *recorded[:1]]
        # The corpus of a model's candidates requires that people have accepted some.
        self.accepted_systems = [RULES, *filter(self.people, self.swappers)] if self.runs else []
        outputs = self._keep_available(settings.outputs, self.unavailable_outputs)
        systems = [*([RULES] if settings.test_set else []), *outputs, *self.evaluated_swappers]
        # The inputs themselves are scored, too.
        if settings.test_set:
            systems.append(UNCHANGED)
        self.scored_systems = systems if is_scored else []

    def people(self, system: str) -> list[str]:
        """List the file of people's decisions about a system's candidates: one path or none."""
        path = self.settings.review_file.replace("{system}", system)
        return [path] if Path(path).is_file() else []

    def recorded_titles(self, model: str, outcome: str) -> FileReference:
        """Return the list of the titles that a model of the authors found (`tp`) or missed (`fn`)."""
        name = f"{_RECORDED_MODELS[model]}_{outcome}.txt"
        folder = "data/results_of_evaluation/NER_JOB_class_results"
        return self.registry.source_file("ner_for_fem", f"{folder}/{name}")

    # What is available here.

    def _find_missing_corpora(self) -> dict[str, str]:
        """Find the corpora that are not available; an unknown one, or one not swapped from the other, is an error."""
        settings, registry = self.settings, self.registry
        table = registry.paths["entity_corpora"]
        rows = {"corpus": settings.corpus} | ({} if settings.swapped == RULES else {"swapped": settings.swapped})
        for key, corpus in rows.items():
            made_here = [RULES] if key == "swapped" else []
            require_rows(f"swapping.{key}", [corpus], registry.entity_corpora, table, besides=made_here)
            if registry.entity_corpora[corpus].lang != SWAPPING_LANGUAGE:
                raise ConfigError(
                    f"swapping.{key}: {corpus} is not in {SWAPPING_LANGUAGE}; the study's rules and word lists are "
                    "Ukrainian: name another corpus"
                )
        if "swapped" in rows and registry.entity_corpora[settings.swapped].swapped_from != settings.corpus:
            raise ConfigError(
                f"swapping.swapped: {settings.swapped} is not swapped from {settings.corpus} by {table}; name one that "
                "is"
            )
        require_rows("swapping.outputs", settings.outputs, registry.swap_outputs, registry.paths["swap_outputs"])
        # The dictionary decides genders, whichever corpora are read.
        if missing := missing_pipeline(DICTIONARY):
            return dict.fromkeys(rows.values(), Need(Reason.NOT_DOWNLOADED, missing))
        return self._find_gaps({corpus: registry.entity_files(corpus) for corpus in rows.values()})

    def _find_gaps(self, files: dict[str, list[FileReference]]) -> dict[str, str]:
        """Map each name that lacks a file here to the reason."""
        gaps: dict[str, str] = {}
        for name, references in files.items():
            for file in references:
                if reason := missing_file(file, self.config.mirror):
                    gaps.setdefault(name, reason)
        return gaps

    def _keep_available(self, names: Iterable[str], unavailable: dict[str, str]) -> list[str]:
        """List `names`, without those that are unavailable if these are skipped."""
        skipped = unavailable if self.config.skip_unavailable else {}
        return [name for name in names if name not in skipped]

    def _find_missing_models(self) -> dict[str, str]:
        """Find the sequence models that are not available; an unknown model, or one without a prompt, is an error.

        So is a model that swaps the test items and has the name of a recorded set.
        """
        settings, registry, models = self.settings, self.registry, self.context.language_models
        table, sequence_table = registry.paths["language_models"], registry.paths["sequence_models"]
        if both := sorted(models.keys() & self.sequence_models.keys()):
            raise ConfigError(f"{sequence_table}: {', '.join(both)} is a row of {table} too; rename one of the two")
        for key in ("swappers", "evaluated_swappers"):
            tables = f"{table} or {sequence_table}"
            require_rows(f"swapping.{key}", getattr(settings, key), models, tables, besides=self.sequence_models)
        if recorded := [name for name in settings.evaluated_swappers if name in registry.swap_outputs]:
            raise ConfigError(
                f"swapping.evaluated_swappers: {', '.join(recorded)} is the name of a recorded set in "
                f"{registry.paths['swap_outputs']} too; name one of the two otherwise"
            )
        for name in settings.swappers:
            if name in models:
                self.require_prompt("swapping.swappers", name, settings.prompt, SWAPPING_LANGUAGE)
        gaps: dict[str, str] = {}
        for name in dict.fromkeys([*settings.swappers, *settings.evaluated_swappers]):
            if name in self.sequence_models and (reason := missing_sequence_model(self.sequence_models[name])):
                gaps[name] = Need(Reason.NOT_DOWNLOADED, reason)
        return gaps


def missing_scorers() -> str:
    """Explain why outputs are not scored here, or return an empty string."""
    if all(map(find_spec, ("rouge_score", "sacrebleu", "spacy"))):
        return ""
    return Need(Reason.NOT_DOWNLOADED, f"what scores outputs is not installed ({how_to_install('swapping')})")


def recognizer_setup(recognition: EntityRecognition) -> str:
    """Describe how the training of recognizers differs from the paper's; empty if it does not."""
    if recognition.architecture != "transformer":
        return f"{recognition.architecture}, a small model for the CPU, stands in for RoBERTa-large"
    if recognition.max_steps is not None and recognition.max_steps < PAPERS_STEPS:
        return f"at most {recognition.max_steps:,} steps, the authors' configuration {PAPERS_STEPS:,}"
    return ""


def missing_recognizer(recognition: EntityRecognition) -> str:
    """Explain why recognizers of entities are not trained here, or return an empty string."""
    if not recognition.seeds:
        return Need(Reason.NOT_CONFIGURED, "swapping.recognition.seeds is empty")
    # A transformer's package and GPU are in the job's environment and on its node, so the job itself reports their
    # absence.
    if find_spec("spacy"):
        return ""
    return Need(Reason.NOT_DOWNLOADED, f"spaCy is not installed ({how_to_install('train')})")


STUDY = Study("swapping", "Swapping (Nahurna 2025)", SwappingPlan)
