"""Plan the `stereotypes` study: the outputs it makes, those that cannot be made here, and the inputs of its rules."""

from collections.abc import Iterable
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any, Literal

from textparity.counting import PROCEDURES
from textparity.errors import ConfigError
from textparity.files import read_tsv, require_rows
from textparity.registry import Name
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.stereotypes.classifiers import load_classifiers, missing_classifier
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.registry import StudyRow
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan, flatten

NAME = "stereotypes"
RESULTS = f"results/{NAME}"
# A set of sentences belongs to a lexicon and a language model.
SET = "{coded_lexicon}.{generator}.set{number}"
# Lexicon, generator, number of the set, procedure, classifier.
PREDICTIONS = f"{RESULTS}/predictions/{{}}.{{}}.set{{}}.{{}}.{{}}.csv"
# This name replaces that of a language model for the paper's own sentences.
PUBLISHED = "published"
WITH_LATEX = ("coded_lexicons", "sentences", "classification", "human_text")
PUBLISHED_TABLE = f"resources/{NAME}/published_sentences.tsv"


class CodedLexiconRow(StudyRow):
    """Describe one lexicon of words coded as feminine or masculine; `form` is `stems` or `scores`.

    `stems`: tab-separated `stem, coding, example`; the coding is feminine or masculine, and the example is a whole word
    for a stem with `*`, or empty. `scores`: `word, part_of_speech, score, coding`. Adjectives whose score is more than
    a standard deviation from the mean are kept, positive ones as masculine, and those without a score by their coding.
    `licence` and `citation` name the source of the words.
    """

    KEY = ("lexicon",)

    lexicon: Name
    name: str
    source: str
    path: str
    form: Literal["stems", "scores"]
    licence: str
    citation: str


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

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = self.config.stereotypes
        self.is_on = context.is_on(NAME)
        self.classifier_rows = load_classifiers(self.registry.paths["classifiers"])
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
        classifier_gaps = {name: Need(Reason.NOT_DOWNLOADED, reason) for name, reason in reasons.items() if reason}
        pairs_gap = self._pairs_gap()
        skips = self.config.skip_unavailable
        self.classifiers = [name for name in names if not (skips and name in classifier_gaps)]
        self.reads_pairs = bool(self.pairs and self.classifiers and not (skips and pairs_gap))
        if skips:
            models = {name: context.model_gaps[name] for name in self.generators if context.model_gaps[name]}
            self.not_run = [["", "eng", name, reason] for name, reason in (classifier_gaps | models).items()]
            self.not_run += [["stereotype_pairs", "eng", "", pairs_gap]] if pairs_gap else []
        self.datasets = list(product(self.lexicons, self.generators))
        self.sets = [(*dataset, number) for dataset in self.datasets for number in range(1, settings.sets + 1)]
        self.published_rows = {
            (row["lexicon"], PUBLISHED, int(row["number"])): row["path"]
            for row in read_tsv(context.resource(PUBLISHED_TABLE), ["lexicon", "number", "path"])
        }
        # One of their lexicons is private.
        self.published_lexicons = list(dict.fromkeys(lexicon for lexicon, *_ in self.published_rows))
        self.published_sets = [
            unit for unit, path in self.published_rows.items() if self.is_on and Path(context.resource(path)).is_file()
        ]
        self.published_sentences = _fill(self.sentences, self.published_sets)
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
        self.sample_keys = _fill(self.sample_key, self.datasets)
        self.annotations = settings.annotations if self.sets else []
        if self.is_on:
            self.targets = [
                *flatten(*self.tables.values()),
                *_fill(self.sample, self.datasets),
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

    @property
    def tables(self) -> dict[str, list[str]]:
        """The files of tables, by their input; empty without that input."""
        agreement = [*_tables("agreement", "agreement_levels"), f"{RESULTS}/annotation/agreement_sentences.csv"]
        human_text = [*_tables("human_text"), f"{RESULTS}/human_text/sentences.csv"]
        return {
            "lexicons": _tables("coded_lexicons"),
            "sentences": _tables("sentences", "rejections", "tries", "examples") * bool(self.sets),
            "agreement": agreement * bool(self.annotations),
            "classification": _tables("classification", "classification_by_set") * bool(self.classified),
            "human_text": human_text * self.reads_pairs,
            "published": _tables("published_sentences") * bool(self.published_sets),
        }

    @property
    def compared_tables(self) -> list[str]:
        """The tables that the ledger compares with the paper's."""
        compared = {"coded_lexicons", "sentences", "published_sentences", "agreement", "classification"}
        files = {f"{RESULTS}/tables/{name}.csv" for name in compared}
        return [path for path in flatten(*self.tables.values()) if path in files]

    # Inputs of rules, by their wildcards.

    def of_sets(self, pattern: str) -> list[str]:
        """List the files of a pattern for all sets that models write."""
        return _fill(pattern, self.sets)

    def sets_of(self, coded_lexicon: str, generator: str, **_: str) -> list[str]:
        """List the sentences of all sets of a lexicon and a generator."""
        return _fill(self.sentences, product([coded_lexicon], [generator], range(1, self.settings.sets + 1)))

    def published_file(self, wildcards: Any) -> str:
        """Return the file of a set that the paper publishes."""
        return self.context.resource(self.published_rows[wildcards.coded_lexicon, PUBLISHED, int(wildcards.number)])

    def predictions(self) -> dict[str, str]:
        """Name the outputs of a classification: the predictions of each procedure, and the choices in their folds."""
        files = {
            procedure: PREDICTIONS.format("{coded_lexicon}", "{generator}", "{number}", procedure, "{classifier}")
            for procedure in PROCEDURES
        }
        return files | {f"{procedure}_folds": self.folds(path) for procedure, path in files.items()}

    @staticmethod
    def folds(predictions: str) -> str:
        """Name the file with the choices made in the folds of predictions."""
        return predictions.removesuffix(".csv") + ".folds.csv"

    def form(self, lexicon: str) -> str:
        """Look up the form of a coded lexicon."""
        return self.registry.coded_lexicons[lexicon].form

    def sentence_set(self, coded_lexicon: str, number: str, **_: str) -> dict[str, Any]:
        """Describe a set to ask for."""
        most = self.settings.max_attempts
        return {"form": self.form(coded_lexicon), "number": int(number), "max_attempts": most}

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


def _tables(*names: str) -> list[str]:
    """List the files of tables, some of them also for papers."""
    endings = {name: ("csv", "tex") if name in WITH_LATEX else ("csv",) for name in names}
    return [f"{RESULTS}/tables/{name}.{ending}" for name in names for ending in endings[name]]


def _fill(pattern: str, units: Iterable[tuple[Any, ...]]) -> list[str]:
    """Fill in the lexicon, the generator and, if there is one, the number of each set."""
    names = ("coded_lexicon", "generator", "number")
    return [pattern.format(**dict(zip(names, unit, strict=False))) for unit in units]


STUDY = Study(NAME, "Stereotypes (Soundararajan 2023)", StereotypesPlan, tables={"coded_lexicons": CodedLexiconRow})
