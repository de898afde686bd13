"""Plan the `swapping` study: the outputs it makes, those that cannot be made here, and the files of its rules."""

from collections.abc import Iterable
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from textparity.errors import ConfigError, how_to_install
from textparity.files import require_rows
from textparity.persons.methods import DICTIONARY, missing_pipeline
from textparity.registry import FileReference
from textparity_studies.report.catalogue import figure_files
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.swapping.settings import (
    BALANCED,
    DEV,
    ORIGINAL,
    PAPERS_CORPORA,
    RECORDED,
    RECORDED_REVIEWED,
    RULES,
    SWAPPING_LANGUAGE,
    TEST,
    TEST_SETS,
    TRAIN,
    UNCHANGED,
    EntityRecognition,
    load_sequence_models,
    missing_sequence_model,
    recorded_titles_name,
)
from textparity_studies.swapping.title_parsers import parser_version
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.registry import TIDIED
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan, flatten

TABLES, FIGURES = "results/swapping/tables", "results/swapping/figures"
# The value of max_steps in the configuration that the authors publish.
PAPERS_STEPS = 20_000
REANCHORING_DIFFERENCES = "results/swapping/reanchoring_differences.csv"
# The documents, entities and genders of a corpus, read from files or made here.
ROWS = "results/swapping/{corpus}/{kind}.parquet"
OUTPUTS = "results/swapping/outputs/{system}.csv"
SCORES = "results/swapping/scores/{system}.csv"
ADAPTERS = "results/swapping/adapters/{sequence_model}"
NER = "results/swapping/ner/{procedure}"
ESTIMATE = "results/swapping/estimates/{part}.{swapper}.csv"
# The titles that the authors' models found and missed, as they recorded them.
_TITLES = "data/results_of_evaluation/NER_JOB_class_results"
RECORDED_TITLES = {
    ORIGINAL: {"found": f"{_TITLES}/orig_tp.txt", "missed": f"{_TITLES}/orig_fn.txt"},
    BALANCED: {"found": f"{_TITLES}/balanced_tp.txt", "missed": f"{_TITLES}/balanced_fn.txt"},
}


class SwappingPlan(StudyPlan):
    """Plan the `swapping` study.

    `unavailable`, `unavailable_outputs` and `unavailable_titles` map the corpora, recorded sets of outputs and recorded
    models that are not available here to the reason. The study `runs` with both corpora or not at all. `is_papers` is
    true for the paper's corpora.
    """

    adapters = ADAPTERS

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        settings = self.settings = self.config.swapping
        self.sequence_models = load_sequence_models(self.registry.paths["sequence_models"])
        self.unavailable_models: dict[str, str] = {}
        self.recognition: EntityRecognition = settings.recognition
        self.recognizer_setup = recognizer_setup(self.recognition)
        is_on = context.is_on("swapping")
        self.unavailable = self._missing_corpora() if is_on else {}
        self.unavailable_outputs = _reasons(
            (system, self._missing([self.registry.file_of(self.registry.swap_outputs[system])]))
            for system in (settings.outputs if is_on else ())
        )
        self.unavailable_titles = _reasons(
            (model, self._missing([self.recorded_title_file(model, which) for which in files]))
            for model, files in (RECORDED_TITLES.items() if is_on else ())
        )
        skips = self.config.skip_unavailable
        self.runs = is_on and not (skips and self.unavailable)
        # These corpora are read from files; the workflow makes the others itself.
        read = [corpus for corpus in (settings.corpus, settings.swapped) if corpus != RULES]
        self.entity_corpora = read if self.runs else []
        self.is_papers = self.entity_corpora == [*PAPERS_CORPORA]
        self.recorded_models = [model for model in RECORDED_TITLES if not (skips and model in self.unavailable_titles)]
        self.swappers, self.evaluated_swappers = self._select_swappers() if self.runs else ([], [])
        unavailable_scores = missing_scorers() if self.runs and skips else ""
        unavailable_recognition = missing_recognizer(self.recognition) if self.runs else ""
        self.recognizes = self.runs and not unavailable_recognition
        self._name_inputs()
        self._name_systems(scored=self.runs and not unavailable_scores)
        self.ner_tests = [f"{data}_{TEST}" for data in TEST_SETS]
        self.targets = self._list_targets() if self.runs else []
        self.estimates = [
            ESTIMATE.format(part=part, swapper=name)
            for part, names in (("sentences", self.swappers), ("items", self.evaluated_swappers))
            for name in names
            if name not in self.sequence_models
        ]
        if not self.runs:
            for corpus, reason in self.unavailable.items():
                self._leave_out(corpus, reason, lang=self.registry.entity_corpora[corpus].lang)
        if skips:
            for system, reason in (self.unavailable_outputs | self.unavailable_models).items():
                self._leave_out(system, reason)
            for model, reason in self.unavailable_titles.items() if self.is_papers else ():
                self._leave_out(recorded_titles_name(model), reason)
        if unavailable_scores:
            self._leave_out("scores", unavailable_scores)
        if unavailable_recognition:
            self._leave_out("recognition", unavailable_recognition, engine=self.recognition.architecture)

    # What is available here.

    def _missing_corpora(self) -> dict[str, str]:
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
        return _reasons((corpus, self._missing(registry.entity_files(corpus))) for corpus in rows.values())

    def _missing(self, files: list[FileReference]) -> str:
        return next(filter(None, (missing_file(file, self.config.mirror) for file in files)), "")

    def _leave_out(self, what: str, reason: str, lang: str = SWAPPING_LANGUAGE, engine: str = "") -> None:
        self.not_run.append([what, lang, engine, reason])

    def _select_swappers(self) -> tuple[list[str], list[str]]:
        """Select the models that swap the corpus, and those that swap the test items; an unknown one is an error.

        A model of the first kind without a prompt is an error too, and so is one of the second with the name of a
        recorded set.
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
        for name in [name for name in settings.swappers if name not in self.sequence_models]:
            self.require_prompt("swapping.swappers", name, settings.prompt, SWAPPING_LANGUAGE)
        asked = dict.fromkeys([*settings.swappers, *settings.evaluated_swappers])
        self.unavailable_models = {
            name: Need(Reason.NOT_DOWNLOADED, reason)
            for name in asked
            if name in self.sequence_models and (reason := missing_sequence_model(self.sequence_models[name]))
        }
        skipped = self.unavailable_models if self.config.skip_unavailable else {}
        return (
            [name for name in settings.swappers if name not in skipped],
            [name for name in settings.evaluated_swappers if name not in skipped],
        )

    # Inputs of rules.

    def _name_inputs(self) -> None:
        """Set the files of the config, keyed by the name of the parameter that takes them."""
        settings, resource = self.settings, self.context.resource
        self.word_lists = {name: resource(path) for name, path in settings.word_lists.model_dump().items()}
        self.gender_lists = self.word_lists | {"exceptions": resource(settings.gender_exceptions)}
        self.parser_version = parser_version(self.config.models.stanza or "")
        # Both folders: that of the corpus, then that of its swapped sentences.
        folders = [f"swapped/{RULES}" if corpus == RULES else corpus for corpus in (settings.corpus, settings.swapped)]
        self.corpus = {kind: ROWS.format(corpus=folders[0], kind=kind) for kind in ("documents", "entities")}
        self.both_corpora = {
            kind: [ROWS.format(corpus=folder, kind=kind) for folder in folders] for kind in self.corpus
        }
        self.genders = [ROWS.format(corpus=folder, kind="genders") for folder in folders]
        # One path or none.
        self.test_set = [resource(settings.test_set)] if settings.test_set else []
        self.parallel_sentences = list(map(resource, settings.parallel_sentences))
        self.published_reviews = list(map(resource, settings.reviews))

    @property
    def recorded_titles(self) -> dict[str, list[str]]:
        """The titles that the authors' models found and missed, and their corpora; empty lists for other corpora."""
        titles = self.both_corpora | {
            which: [self.recorded_title_file(model, which).path for model in self.recorded_models]
            for which in ("found", "missed")
        }
        return titles if self.is_papers and self.recorded_models else {name: [] for name in titles}

    def recorded_title_file(self, model: str, which: str) -> FileReference:
        """Return the file of the titles that a model of the authors `found` or `missed`."""
        return self.registry.source_file("ner_for_fem", RECORDED_TITLES[model][which])

    @property
    def all_swappers(self) -> list[str]:
        """The names of all models that can swap a corpus, through an endpoint or loaded here."""
        return [*self.context.language_models, *self.sequence_models]

    def sequence_row(self, sequence_model: str) -> dict[str, Any]:
        """Return the row of a sequence-to-sequence model."""
        return asdict(self.sequence_models[sequence_model])

    def trained_adapter(self, sequence_model: str) -> list[str]:
        """List the adapter that is trained here for a model: one path or none."""
        is_trained = self.sequence_models[sequence_model].is_trained
        return [ADAPTERS.format(sequence_model=sequence_model)] if is_trained else []

    def prompt(self, swapper: str) -> str:
        """Return the prompt that asks a model to swap a sentence."""
        model = self.context.language_models[swapper]
        return self.registry.prompt_files(self.settings.prompt, SWAPPING_LANGUAGE, model)["prompt"].path

    def review_file(self, system: str) -> str:
        """Return the present or future path of people's decisions about a system's candidates."""
        return self.settings.review_file.replace("{system}", system)

    def people(self, system: str) -> list[str]:
        """List the file of people's decisions about a system's candidates: one path or none."""
        path = self.review_file(system)
        return [path] if Path(path).is_file() else []

    def output_source(self, system: str) -> list[str]:
        """Return the file of a recorded set; the unchanged inputs are the test set."""
        return (
            self.test_set if system == UNCHANGED else [self.registry.file_of(self.registry.swap_outputs[system]).path]
        )

    def output_columns(self, system: str) -> dict[str, str]:
        """Return the columns of a recorded set."""
        if system == UNCHANGED:
            return {"input": "inputs", "reference": "references", "output": "inputs", "round_trip": "inputs"}
        return self.registry.swap_outputs[system].columns

    def published_steps(self, system: str) -> list[str]:
        """List the steps that only the authors apply, to this system's outputs."""
        row = self.registry.swap_outputs.get(system)
        return row.published_steps.split() if row else []

    # Outputs of rules.

    def _name_systems(self, scored: bool) -> None:
        """Set the systems whose candidates are checked and reviewed, and those whose outputs are scored."""
        settings = self.settings
        recorded = [RECORDED, RECORDED_REVIEWED] if settings.reviews else []
        self.checked_systems = [RULES, *self.swappers, *recorded]
        # The checks, not people, review the rules' candidates.
        self.reviewed_systems = [*self.swappers, *recorded[:1]]
        skipped = self.unavailable_outputs if self.config.skip_unavailable else {}
        outputs = [system for system in settings.outputs if system not in skipped]
        found = [*([RULES] if self.test_set else []), *outputs, *self.evaluated_swappers] if scored else []
        # The inputs themselves are scored, too.
        self.scored_systems = [*found, UNCHANGED] if found and self.test_set else found
        self.scores = [SCORES.format(system=system) for system in self.scored_systems]
        rows = self.registry.swap_outputs
        self.tidied = [name for name, row in rows.items() if TIDIED in row.published_steps.split()]
        self.names = {name: row.name for name, row in rows.items()}
        self.names |= {RULES: "Rules", UNCHANGED: "Input, unchanged"}

    def swapped(self, names: Iterable[str], systems: Iterable[str]) -> list[str]:
        """List the files of some names among each system's swapped sentences."""
        return [f"results/swapping/swapped/{system}/{name}" for name in names for system in systems]

    def outputs(self, systems: Iterable[str]) -> list[str]:
        """List the outputs of systems."""
        return [OUTPUTS.format(system=system) for system in systems]

    @property
    def swapped_outputs(self) -> list[str]:
        """The outputs in which somebody swapped."""
        return self.outputs(system for system in self.scored_systems if system != UNCHANGED)

    def data_for(self, architecture: str) -> list[str]:
        """List the training data of recognizers of an architecture; none for one that is not chosen."""
        return [*self.recognition.data] if architecture == self.recognition.architecture else []

    def of_ner_runs(self, path: str) -> list[str]:
        """List a file of each training."""
        return [
            f"{NER}/{path}".format(procedure=procedure, data=data, seed=seed)
            for procedure in self.recognition.procedures
            for data in self.recognition.data
            for seed in self.recognition.seeds
        ]

    @property
    def tables(self) -> dict[str, list[str]]:
        """The files of tables by the rule that makes them; none for what this run lacks."""
        has_systems, has_reviews = bool(self.scored_systems), bool(self.settings.reviews)
        # If the corpus is swapped here, there are no published sentences to compare.
        reanchored = self.settings.swapped != RULES
        return {
            "count_entities": _both("entities"),
            "tabulate_composition": [*_both("composition"), *_csv("job_lines")],
            "measure_recorded_recall": _both("recorded_recall") * bool(self.recorded_titles["found"]),
            "score_genders": [*_both("gender_quality"), *_csv("gender_errors")],
            "tabulate_checks": _both("checks", "check_prediction"),
            "measure_reanchoring": [*_csv("reanchoring"), REANCHORING_DIFFERENCES] * reanchored,
            "tabulate_swap_scores": _both("swap_scores") * has_systems,
            "compare_outputs": _both("swap_differences") * has_systems,
            "tabulate_reviews": _both("reviews") * has_reviews,
            "measure_name_bias": _csv("name_bias") * (has_systems or has_reviews),
            "compare_trainings": _both("ner_scores", "job_recall") * self.recognizes,
        }

    @property
    def figures(self) -> dict[str, list[str]]:
        """The files of figures by name."""
        return {
            "name_bias": figure_files(FIGURES, "name_bias") if self.tables["measure_name_bias"] else [],
            "job_recall": figure_files(FIGURES, "job_recall") if self.recognizes else [],
        }

    @property
    def ner_parts(self) -> list[str]:
        """The sets of sentences that recognizers are trained and tested on."""
        trained = [f"{data}_{split}" for data in self.recognition.data for split in (TRAIN, DEV)]
        return trained + self.ner_tests

    @property
    def ledger_tables(self) -> list[str]:
        """The tables that the ledger compares; counts from another corpus are not the paper's."""
        if not self.runs:
            return []
        of_papers = ("entities", "composition", "job_lines", "recorded_recall", "reviews", "ner_scores", "job_recall")
        names = ("name_bias", *of_papers) if self.is_papers else ("name_bias",)
        made = set(flatten(*self.tables.values()))
        return [path for path in _csv(*names) if path in made]

    @property
    def rule_outputs(self) -> list[str]:
        """The test items that rules swap: one path or none."""
        return [OUTPUTS.format(system=RULES)] if self.test_set else []

    def _list_targets(self) -> list[str]:
        # The corpus of a model's candidates requires that people have accepted some.
        balanced = [RULES, *filter(self.people, self.swappers)]
        recognized = [
            *(f"{NER}/data.csv".format(procedure=procedure) for procedure in self.recognition.procedures),
            *self.of_ner_runs("models/{data}/{seed}.csv"),
        ]
        return flatten(
            [f"results/swapping/{corpus}/repairs.csv" for corpus in self.entity_corpora],
            *self.tables.values(),
            *self.figures.values(),
            self.swapped(["reviews.csv"], self.swappers),
            self.outputs(f"{name}{end}" for end in ("", ".answers") for name in self.evaluated_swappers),
            self.rule_outputs,
            self.swapped(["documents.parquet", "entities.parquet", "left_out.csv", "brat"], balanced),
            recognized if self.recognizes else [],
        )


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
    return (
        "" if find_spec("spacy") else Need(Reason.NOT_DOWNLOADED, f"spaCy is not installed ({how_to_install('train')})")
    )


def _reasons(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name: reason for name, reason in found if reason}


def _csv(*names: str) -> list[str]:
    return [f"{TABLES}/{name}.csv" for name in names]


def _both(*names: str) -> list[str]:
    """List the files of tables for machines and papers."""
    return [f"{TABLES}/{name}.{ending}" for name in names for ending in ("csv", "tex")]


STUDY = Study("swapping", "Swapping (Nahurna 2025)", SwappingPlan)
