"""Plan the `stereotypes` study: its sets of sentences, how they are classified, and what cannot be done here."""

from itertools import product
from pathlib import Path
from typing import NamedTuple

from textparity.counting import PROCEDURES
from textparity.errors import ConfigError
from textparity.files import read_tsv, require_rows
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.stereotypes.classifiers import load_classifiers, missing_classifier
from textparity_studies.stereotypes.rows import CodedLexiconRow
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan


class Dataset(NamedTuple):
    """All sentences that a language model writes with the words of a lexicon."""

    coded_lexicon: str
    generator: str


class NumberedSet(NamedTuple):
    """One set of the sentences of a dataset; the generator of the paper's own sentences is called `published`."""

    coded_lexicon: str
    generator: str
    number: int


class Classification(NamedTuple):
    """The classification of a set of sentences."""

    coded_lexicon: str
    generator: str
    number: int
    procedure: str
    classifier: str


class HumanExperiment(NamedTuple):
    """The classification of human-written sentences, with the data to train on as files and tables name them."""

    learnt_from: str
    trained_on: str
    classifier: str


class StereotypesPlan(StudyPlan):
    """Plan the `stereotypes` study.

    Language models write `sets`, several for each of `datasets`. `published_files` has the files of the sets that the
    paper publishes; the user has those of `published_sets`. `classified` are the classifications of sets, and
    `human_experiments` those of human-written sentences.
    """

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = settings = self.config.stereotypes
        self.classifier_rows = load_classifiers(self.registry.paths["classifiers"])
        is_on = context.is_on("stereotypes")
        if is_on:
            self._check_settings()
        self.lexicons = settings.lexicons if is_on else []
        generators = settings.generators if is_on else []
        self.datasets = [Dataset(*pair) for pair in product(self.lexicons, generators)]
        numbers = range(1, settings.sets + 1)
        self.sets = [NumberedSet(*dataset, number) for dataset, number in product(self.datasets, numbers)]
        self.annotations = settings.annotations if self.sets else []
        published = context.resource("resources/stereotypes/published_sentences.tsv")
        self.published_files = {
            NumberedSet(row["lexicon"], "published", int(row["number"])): context.resource(row["path"])
            for row in read_tsv(published, ["lexicon", "number", "path"])
        }
        self.published_sets = [unit for unit, file in self.published_files.items() if is_on and Path(file).is_file()]
        names = settings.classifiers if is_on else []
        pairs = settings.stereotype_pairs if is_on else None
        skips = self.config.skip_unavailable
        classifier_gaps = self._find_classifier_gaps(names) if skips else {}
        unavailable = context.model_gaps if skips else {}
        model_gaps = {name: unavailable[name] for name in generators if unavailable.get(name)}
        pairs_gap = self._find_pairs_gap(pairs) if pairs and skips else ""
        self.not_run = [["", "eng", name, reason] for name, reason in (classifier_gaps | model_gaps).items()]
        if pairs_gap:
            self.not_run.append(["stereotype_pairs", "eng", "", pairs_gap])
        self.classifiers = [name for name in names if name not in classifier_gaps]
        self.reads_pairs = bool(pairs and self.classifiers and not pairs_gap)
        self.classified = [
            Classification(*unit, procedure, classifier)
            for procedure, classifier in product(PROCEDURES, self.classifiers)
            for unit in (*self.sets, *self.published_sets)
        ]
        # The sentences to learn from before human-written ones are classified; `within` learns from their other folds.
        self.training_sets: dict[str, list[NumberedSet]] = {"within": []}
        trained_on = {"within": "the pairs (5 folds)"}
        for dataset in self.datasets:
            learnt_from = f"from.{dataset.coded_lexicon}.{dataset.generator}"
            self.training_sets[learnt_from] = [unit for unit in self.sets if unit[:2] == dataset]
            trained_on[learnt_from] = ", ".join(dataset)
        self.human_experiments = [
            HumanExperiment(learnt_from, trained_on[learnt_from], classifier)
            for learnt_from, classifier in product(self.training_sets, self.classifiers if self.reads_pairs else [])
        ]

    def prompt(self, generator: str) -> dict[str, str | list[str]]:
        """Return the parts of the prompt that asks a model for sentences; an empty list for a missing part."""
        return self.prompt_parts(self.settings.prompt, "eng", generator)

    def _check_settings(self) -> None:
        """Raise `ConfigError` for an unknown lexicon, model or classifier, or a model without a prompt."""
        settings, registry, models = self.settings, self.registry, self.context.language_models
        paths = registry.paths
        require_rows("stereotypes.lexicons", settings.lexicons, registry.coded_lexicons, paths["coded_lexicons"])
        require_rows("stereotypes.generators", settings.generators, models, paths["language_models"])
        require_rows("stereotypes.classifiers", settings.classifiers, self.classifier_rows, paths["classifiers"])
        if self.config.person_nouns not in registry.lexicons:
            raise ConfigError(
                f"person_nouns: {self.config.person_nouns} is not in {paths['lexicons']}; sentences are checked and "
                "read with its English person nouns: name one that is, or take stereotypes out of studies"
            )
        for name in settings.generators:
            self.require_prompt("stereotypes.generators", name, settings.prompt, "eng")

    def _find_classifier_gaps(self, names: list[str]) -> dict[str, str]:
        """Map the classifiers that cannot run here to the reason."""
        reasons = {name: missing_classifier(self.classifier_rows[name]) for name in names}
        return {name: Need(Reason.NOT_DOWNLOADED, reason) for name, reason in reasons.items() if reason}

    def _find_pairs_gap(self, pairs: str) -> str:
        """Explain why the human-written text cannot be read here, or return an empty string."""
        nouns = self.registry.lexicon_file(self.config.person_nouns, "eng")
        mirror = self.config.mirror
        return missing_file(self.context.source_file(pairs), mirror) or missing_file(nouns, mirror)


STUDY = Study(
    "stereotypes", "Stereotypes (Soundararajan 2023)", StereotypesPlan, tables={"coded_lexicons": CodedLexiconRow}
)
