"""Plan the `swapping` study: the outputs it makes, those that cannot be made here, and the files of its rules."""

from collections.abc import Iterable
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from textparity.errors import ConfigError, how_to_install
from textparity.persons.methods import DICTIONARY, missing_pipeline
from textparity.persons.ukrainian.syntax import parser_version
from textparity.registry.rows import FileReference
from textparity.tsv import require_rows
from textparity_studies.report.catalogue import figure_files
from textparity_studies.report.ledger import NOT_ASKED, NOT_HERE
from textparity_studies.swapping.names import (
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
    recorded_titles_name,
)
from textparity_studies.swapping.sequence_models import load_sequence_models, missing_sequence_model
from textparity_studies.swapping.settings import EntityRecognition
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.registry_rows import TIDIED
from textparity_studies.workflow.study import Context, Study, StudyPlan, flatten

TABLES, FIGURES = "results/swapping/tables", "results/swapping/figures"
# The documents, entities and genders of a corpus, read from files or made here.
# The value of max_steps in the configuration that the authors publish.
PAPERS_STEPS = 20_000
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

    def __init__(self, context: Context) -> None:
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
        self._name_tables()
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
        missing = missing_pipeline(DICTIONARY)
        missing = missing and f"{NOT_HERE}: {missing}"
        return _reasons((corpus, missing or self._missing(registry.entity_files(corpus))) for corpus in rows.values())

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
        for name in settings.swappers:
            if name in self.sequence_models:
                continue
            mode = models[name].mode
            if "prompt" not in registry.prompts.get((settings.prompt, SWAPPING_LANGUAGE, mode), {}):
                raise ConfigError(
                    f"swapping.swappers: {name} is asked in {mode} mode, and {registry.paths['prompts']} has no prompt "
                    f"{settings.prompt} in {SWAPPING_LANGUAGE} for that; add its rows, or take {name} out"
                )
        asked = dict.fromkeys([*settings.swappers, *settings.evaluated_swappers])
        self.unavailable_models = _reasons(
            (name, missing_sequence_model(self.sequence_models[name])) for name in asked if name in self.sequence_models
        )
        self.unavailable_models = {name: f"{NOT_HERE}: {reason}" for name, reason in self.unavailable_models.items()}
        skipped = self.unavailable_models if self.config.skip_unavailable else {}

        def kept(names: list[str]) -> list[str]:
            return [name for name in names if name not in skipped]

        return kept(settings.swappers), kept(settings.evaluated_swappers)

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
        """List the steps that the authors apply to a system's outputs alone."""
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

    def _name_tables(self) -> None:
        """Set the final tables and figures by the job that makes them and the name of its parameter."""
        has_systems, reviews = bool(self.scored_systems), bool(self.settings.reviews)
        self.corpus_tables = _table("entities") | _table("composition") | {"job_lines_csv": f"{TABLES}/job_lines.csv"}
        self.check_tables = _table("checks") | _table("prediction", "check_prediction")
        # If the corpus is swapped here, there are no published sentences to compare.
        if self.settings.swapped != RULES:
            self.check_tables |= {
                "reanchoring_csv": f"{TABLES}/reanchoring.csv",
                "differences_csv": "results/swapping/reanchoring_differences.csv",
            }
        self.gender_tables = _table("recall", "recorded_recall") if self.recorded_titles["found"] else {}
        self.gender_tables |= _table("quality", "gender_quality") | {"errors_csv": f"{TABLES}/gender_errors.csv"}
        self.output_tables = (
            (_table("scores", "swap_scores") | _table("differences", "swap_differences") if has_systems else {})
            | (_table("reviews") if reviews else {})
            | ({"names_csv": f"{TABLES}/name_bias.csv"} if has_systems or reviews else {})
        )
        self.output_figures = figure_files(FIGURES, "name_bias") if "names_csv" in self.output_tables else []
        self.rule_outputs = {"outputs": OUTPUTS.format(system=RULES)} if self.test_set else {}
        self.ner_tests = [f"{data}_{TEST}" for data in TEST_SETS]
        self.ner_parts = [
            f"{data}_{split}" for data in self.recognition.data for split in (TRAIN, DEV)
        ] + self.ner_tests
        self.recognition_tables = _table("scores", "ner_scores") | _table("recall", "job_recall")
        self.recognition_figures = figure_files(FIGURES, "job_recall")

    @property
    def ledger(self) -> dict[str, list[str]]:
        """The tables that the ledger compares; counts from another corpus are not the paper's."""
        tables = {
            "entities": _files(self.corpus_tables, "entities_csv"),
            "composition": _files(self.corpus_tables, "composition_csv", "job_lines_csv"),
            "recorded_recall": _files(self.gender_tables, "recall_csv"),
            "reviews": _files(self.output_tables, "reviews_csv"),
            "ner_scores": _files(self.recognition_tables, "scores_csv") if self.recognizes else [],
            "job_recall": _files(self.recognition_tables, "recall_csv") if self.recognizes else [],
        }
        of_outputs = {
            "swap_scores": self.scores,
            "name_bias": _files(self.output_tables, "names_csv") if self.runs else [],
        }
        return (tables if self.is_papers else {name: [] for name in tables}) | of_outputs

    def _list_targets(self) -> list[str]:
        recognition = self.recognition
        # The corpus of a model's candidates requires that people have accepted some.
        balanced = [RULES, *filter(self.people, self.swappers)]
        recognized = flatten(
            [f"{NER}/data.csv".format(procedure=procedure) for procedure in recognition.procedures],
            self.of_ner_runs("models/{data}/{seed}.csv"),
            self.recognition_tables.values(),
            *self.recognition_figures,
        )
        return flatten(
            [f"results/swapping/{corpus}/repairs.csv" for corpus in self.entity_corpora],
            self.corpus_tables.values(),
            self.gender_tables.values(),
            self.swapped(["reviews.csv", "review_counts.csv"], self.swappers),
            self.outputs(f"{name}{end}" for end in ("", ".answers") for name in self.evaluated_swappers),
            self.rule_outputs.values(),
            self.swapped(["documents.parquet", "entities.parquet", "left_out.csv", "brat"], balanced),
            self.check_tables.values(),
            self.output_tables.values(),
            *self.output_figures,
            recognized if self.recognizes else [],
        )


def missing_scorers() -> str:
    """Explain why outputs are not scored here, or return an empty string."""
    if all(map(find_spec, ("rouge_score", "sacrebleu", "spacy"))):
        return ""
    return f"{NOT_HERE}: what scores outputs is not installed ({how_to_install('swapping')})"


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
        return f"{NOT_ASKED}: swapping.recognition.seeds is empty"
    # A transformer's package and GPU are in the job's environment and on its node, so the job itself reports their
    # absence.
    return "" if find_spec("spacy") else f"{NOT_HERE}: spaCy is not installed ({how_to_install('train')})"


def _reasons(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name: reason for name, reason in found if reason}


def _table(parameter: str, name: str = "") -> dict[str, str]:
    path = f"{TABLES}/{name or parameter}"
    return {f"{parameter}_csv": f"{path}.csv", f"{parameter}_latex": f"{path}.tex"}


def _files(tables: dict[str, str], *parameters: str) -> list[str]:
    return [tables[name] for name in parameters if name in tables]


STUDY = Study("swapping", "Swapping (Nahurna 2025)", SwappingPlan)
