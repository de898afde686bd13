"""Plan the `stereotypes` study: the outputs it makes, those that cannot be made here, and the inputs of its rules."""

from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

from textparity.counting.procedures import PROCEDURES
from textparity.errors import ConfigError
from textparity.tsv import read_tsv, require_rows
from textparity_studies.report.ledger import NOT_HERE
from textparity_studies.stereotypes.classifier_rows import load_classifiers, missing_classifier
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.study import Context, Study, StudyPlan

NAME = "stereotypes"
RESULTS = f"results/{NAME}"
# A set of sentences belongs to a lexicon and a language model.
SET = "{coded_lexicon}.{generator}.set{number}"
# Lexicon, generator, number of the set, procedure, classifier.
PREDICTIONS = f"{RESULTS}/predictions/{{}}.{{}}.set{{}}.{{}}.{{}}.csv"
# This name replaces that of a language model for the paper's own sentences.
PUBLISHED = "published"
PUBLISHED_TABLE = f"resources/{NAME}/published_sentences.tsv"
WITH_LATEX = ("coded_lexicons", "sentences", "classification", "human_text")


class StereotypesPlan(StudyPlan):
    """Plan the `stereotypes` study."""

    answers = f"{RESULTS}/answers/{SET}.parquet"
    sentences = f"{RESULTS}/sentences/{SET}.csv"
    all_sentences = f"{RESULTS}/all_sentences/{SET}.csv"
    rejected = f"{RESULTS}/rejected/{SET}.csv"
    estimate = f"{RESULTS}/estimates/{SET}.csv"
    # Predictions for human-written text, in the folds that test it (`within`) or after training on a generator.
    human_prediction = f"{RESULTS}/human_text/{{learnt_from}}.{{classifier}}.csv"
    sample = f"{RESULTS}/annotation/{{coded_lexicon}}.{{generator}}.sample.csv"
    sample_key = f"{RESULTS}/annotation/{{coded_lexicon}}.{{generator}}.key.csv"
    gaps, ledger = f"{RESULTS}/not_run.csv", f"results/ledger/{NAME}.csv"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.settings = self.config.stereotypes
        self.is_on = context.is_on(NAME)
        table = self.registry.paths["classifiers"]
        self.classifier_rows = load_classifiers(table)
        settings = self.settings
        if self.is_on:
            self._check_settings()
        self.lexicons, self.generators, names = (
            list(chosen) if self.is_on else []
            for chosen in (settings.lexicons, settings.generators, settings.classifiers)
        )
        pairs = settings.stereotype_pairs
        self.pairs = context.source_file(pairs) if self.is_on and pairs else None
        reasons = {name: missing_classifier(self.classifier_rows[name]) for name in names}
        classifier_gaps = {name: f"{NOT_HERE}: {reason}" for name, reason in reasons.items() if reason}
        pairs_gap = self._pairs_gap()
        skips = self.config.skip_unavailable
        self.classifiers = [name for name in names if not (skips and name in classifier_gaps)]
        self.reads_pairs = bool(self.pairs and self.classifiers and not (skips and pairs_gap))
        if skips:
            models = {name: context.model_gaps[name] for name in self.generators if context.model_gaps[name]}
            self.not_run = [["", "eng", name, reason] for name, reason in (classifier_gaps | models).items()]
            self.not_run += [["stereotype_pairs", "eng", "", pairs_gap]] if pairs_gap else []
        self.datasets = [(lexicon, generator) for lexicon in self.lexicons for generator in self.generators]
        self.sets = [(*dataset, number) for dataset in self.datasets for number in range(1, self.settings.sets + 1)]
        self.published_rows = {
            (row["lexicon"], PUBLISHED, int(row["number"])): row["path"]
            for row in read_tsv(context.resource(PUBLISHED_TABLE), ["lexicon", "number", "path"])
        }
        self.published_sets = [
            unit for unit, path in self.published_rows.items() if self.is_on and Path(context.resource(path)).is_file()
        ]
        # Each classification has a lexicon, a generator, the number of the set, a procedure and a classifier.
        self.classified = [
            (lexicon, generator, str(number), procedure, classifier)
            for procedure, classifier in product(PROCEDURES, self.classifiers)
            for lexicon, generator, number in (*self.sets, *self.published_sets)
        ]
        self.classified_files = [PREDICTIONS.format(*unit) for unit in self.classified]
        self.learnt_from: dict[str, list[str]] = {"within": []}
        self.learnt_from |= {f"from.{'.'.join(dataset)}": self.sets_of(*dataset) for dataset in self.datasets}
        trained_on = ["the pairs (5 folds)", *map(", ".join, self.datasets)] if self.reads_pairs else []
        # Each experiment on human-written text has the data to train on, and the classifier.
        self.human_experiments = list(product(trained_on, self.classifiers))
        self.human_predictions = [
            self.human_prediction.format(learnt_from=learnt_from, classifier=classifier)
            for learnt_from, classifier in product(self.learnt_from if self.reads_pairs else [], self.classifiers)
        ]
        self.sample_keys = self._of_datasets(self.sample_key)
        self.annotations = self.settings.annotations if self.sets else []
        self.predictions = [
            PREDICTIONS.format("{coded_lexicon}", "{generator}", "{number}", procedure, "{classifier}")
            for procedure in PROCEDURES
        ]
        if self.is_on:
            self.targets = [
                *self.tables.values(),
                *self.published_table,
                *self._of_datasets(self.sample),
                *self.sample_keys,
                self.gaps,
                *self.of_sets(self.sentences),
            ]
            self.estimates = self.of_sets(self.estimate)

    def _check_settings(self) -> None:
        """Raise `ConfigError` for an unknown lexicon, model or classifier, or a model without a prompt."""
        settings, registry, models = self.settings, self.registry, self.context.language_models
        paths = registry.paths
        for key, rows, table in (
            ("lexicons", registry.coded_lexicons, "coded_lexicons"),
            ("generators", models, "language_models"),
            ("classifiers", self.classifier_rows, "classifiers"),
        ):
            require_rows(f"{NAME}.{key}", getattr(settings, key), rows, paths[table])
        if self.config.person_nouns not in registry.lexicons:
            raise ConfigError(
                f"person_nouns: {self.config.person_nouns} is not in {paths['lexicons']}; sentences are checked and "
                f"read with its English person nouns: name one that is, or take {NAME} out of studies"
            )
        for name in settings.generators:
            self.require_prompt(f"{NAME}.generators", name, settings.prompt, "eng")

    def _pairs_gap(self) -> str:
        """Explain why the human-written text cannot be read here, or return an empty string."""
        if not self.pairs:
            return ""
        nouns = self.registry.lexicon_file(self.config.person_nouns, "eng")
        return missing_file(self.pairs, self.config.mirror) or missing_file(nouns, self.config.mirror)

    def of_sets(self, pattern: str) -> list[str]:
        """List the files of a pattern for all sets that models write."""
        return _fill(pattern, self.sets)

    @property
    def published_lexicons(self) -> list[str]:
        """The lexicons of the paper's own sentences; one of them is private."""
        return list(dict.fromkeys(lexicon for lexicon, *_ in self.published_rows))

    @property
    def published_sentences(self) -> list[str]:
        """The sentences of the sets that the paper publishes, as far as they are available here."""
        return _fill(self.sentences, self.published_sets)

    @property
    def published_table(self) -> list[str]:
        """The table of these sets: one path or none."""
        return [f"{RESULTS}/tables/published_sentences.csv"] * bool(self.published_sets)

    def published_file(self, wildcards: Any) -> str:
        """Return the file of a set that the paper publishes."""
        return self.context.resource(self.published_rows[wildcards.coded_lexicon, PUBLISHED, int(wildcards.number)])

    def sets_of(self, coded_lexicon: str, generator: str, **_: str) -> list[str]:
        """List the sentences of all sets of a lexicon and a generator."""
        numbers = range(1, self.settings.sets + 1)
        return [
            self.sentences.format(coded_lexicon=coded_lexicon, generator=generator, number=number) for number in numbers
        ]

    def _of_datasets(self, pattern: str) -> list[str]:
        return [pattern.format(coded_lexicon=lexicon, generator=generator) for lexicon, generator in self.datasets]

    @staticmethod
    def folds(predictions: list[str]) -> list[str]:
        """List the files with the choices made in the folds of predictions."""
        return [path.removesuffix(".csv") + ".folds.csv" for path in predictions]

    @property
    def tables(self) -> dict[str, str]:
        """The tables, under the names that `tabulate_stereotypes` gives them."""
        names = ["coded_lexicons"]
        names += ["sentences", "rejections", "tries", "examples"] if self.sets else []
        names += ["agreement", "agreement_levels"] if self.annotations else []
        names += ["classification", "classification_by_set"] if self.classified else []
        names += ["human_text"] if self.reads_pairs else []
        tables = {f"{name}_csv": f"{RESULTS}/tables/{name}.csv" for name in names}
        tables |= {f"{name}_latex": f"{RESULTS}/tables/{name}.tex" for name in names if name in WITH_LATEX}
        if self.annotations:
            tables["agreement_sentences_csv"] = f"{RESULTS}/annotation/agreement_sentences.csv"
        if self.reads_pairs:
            tables["human_sentences_csv"] = f"{RESULTS}/human_text/sentences.csv"
        return tables

    def table(self, name: str) -> str | list[str]:
        """Return a table as an optional input."""
        return self.tables.get(name, [])

    # Inputs of rules, by their wildcards.

    def form(self, lexicon: str) -> str:
        """Return the form of a coded lexicon."""
        return self.registry.coded_lexicons[lexicon].form

    def lexicon_file(self, lexicon: str) -> str:
        """Return the file of a coded lexicon."""
        return self.registry.file_of(self.registry.coded_lexicons[lexicon]).path

    def person_nouns(self, _: Any = None) -> str:
        """Return the file of the English person nouns."""
        return self.registry.lexicon_file(self.config.person_nouns, "eng").path

    def human_text(self) -> dict[str, str]:
        """List the inputs of the human-written sentences."""
        if not self.reads_pairs or not self.pairs:
            return {}
        words = self.context.resource(self.config.tagging.polarity_words)
        return {"pairs": self.pairs.path, "person_nouns": self.person_nouns(), "polarity_words": words}

    def classifier(self, name: str) -> dict[str, Any]:
        """Return the row of a classifier."""
        return asdict(self.classifier_rows[name])


def _fill(pattern: str, sets: list[tuple[str, str, int]]) -> list[str]:
    return [
        pattern.format(coded_lexicon=lexicon, generator=generator, number=number) for lexicon, generator, number in sets
    ]


STUDY = Study(NAME, "Stereotypes (Soundararajan 2023)", StereotypesPlan)
