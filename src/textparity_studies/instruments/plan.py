"""Plan the `instruments` study: the outputs it makes, and those that cannot be made here."""

from typing import Any, ClassVar, Literal

from textparity.files import require_rows
from textparity.registry import Inside, LanguageCode, Name
from textparity_studies.report.catalogue import figure_files
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.plans import Persons
from textparity_studies.workflow.registry import StudyRow
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan

FOUND = "results/instruments/found/{gold}/{lang}.parquet"
TABLES, FIGURES = "results/instruments/tables", "results/instruments/figures"


class PersonGold(StudyRow):
    """Describe a file of texts with annotated mentions of persons; rows of one name are one corpus per language.

    `format` is one of `gold_readers.READERS`. `beside` are other files that it needs, separated by spaces. `genre` is
    the kind of text, if the file does not give it. With `grammatical`, the gender is that of the noun, whoever is
    meant. `annotation` decides the meaning of a detected mention that is not annotated:

    - `complete`: all persons are annotated, so the mention is wrong;
    - `marked`: only some are, so nothing follows;
    - `balanced`: only some are, in texts made for a test, with about as many women as men. They give no evidence about
      the errors of a ratio in other texts;
    - `names`: only given names are marked. They give their recall alone (table `names`).
    """

    KEY = ("gold", "lang", "path")
    REFERENCES: ClassVar = {"source": "sources", "lang": "languages"}

    gold: Name
    name: str
    lang: LanguageCode
    format: Literal[
        "gum",
        "brat",
        "italian_brat",
        "koconovel",
        "full_stack",
        "biographies",
        "treebank_names",
        "litbank",
        "openboek",
        "gerdracor",
        "quotations",
        "marked",
        "gap",
        "brackets",
        "schemas",
        "tagged",
        "passages",
        "entities",
        "readings",
    ]
    source: str
    path: Inside
    beside: Inside
    genre: str
    annotation: Literal["complete", "marked", "balanced", "names"]
    grammatical: Literal["yes", "no"]

    @property
    def files(self) -> list[str]:
        """The paths of its files, beginning with the annotated one."""
        return [self.path, *self.beside.split()]


class InstrumentsPlan(StudyPlan):
    """Plan the `instruments` study; `units` are annotated corpora, each in one language."""

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = context.config.instruments
        self.persons = Persons(context, self.settings.methods)
        # The annotated files of one name and language are one corpus.
        self.annotated: dict[tuple[str, str], list[PersonGold]] = {}
        for row in self.registry.person_gold.values():
            self.annotated.setdefault((row.gold, row.lang), []).append(row)
        self.units = self._units() if context.is_on("instruments") else []
        self.found = [FOUND.format(gold=gold, lang=lang) for gold, lang in self.units]
        self.methods = f"{TABLES}/methods.csv"
        names = ("sentences", "kinds", "words", "errors", "method_error", "spreads", "names", "field")
        self.tables = [self.methods, f"{TABLES}/methods.tex", *(f"{TABLES}/{name}.csv" for name in names)]
        self.figures = figure_files(FIGURES, "ratios") if self.units else []
        self.targets = [*self.tables, *self.figures] if context.is_on("instruments") else []
        missing = {lang: self.persons.missing(lang) for _, lang in self.units}
        self.not_run = [[gold, lang, "", reason] for gold, lang in self.units for reason in missing[lang]]

    def _units(self) -> list[tuple[str, str]]:
        registry = self.registry
        known = {gold for gold, _ in self.annotated}
        require_rows("instruments.gold", self.settings.gold, known, registry.paths["person_gold"])
        languages = registry.select_languages(self.config.languages)
        return [
            (gold, lang)
            for name in self.settings.gold
            for gold, lang in self.annotated
            if gold == name and lang in languages and not self._is_left_out(gold, lang)
        ]

    def _is_left_out(self, gold: str, lang: str) -> bool:
        rows, lexicon = self.annotated[gold, lang], self.persons.lexicon(lang)
        files = [self.registry.source_file(row.source, path) for row in rows for path in row.files]
        files += [lexicon] if lexicon else []
        return self.config.skip_unavailable and any(missing_file(file, self.config.mirror) for file in files)

    @property
    def corpus_names(self) -> dict[str, str]:
        """The name of each unit's corpus."""
        return {f"{gold}/{lang}": self.annotated[gold, lang][0].name for gold, lang in self.units}

    @property
    def figure_names(self) -> dict[str, str]:
        """The name of each unit in figures."""
        languages = self.registry.languages
        return {key: f"{name}\n{languages[key.split('/')[1]].name}" for key, name in self.corpus_names.items()}

    # Inputs and params of rules.

    def texts(self, wildcards: Any) -> list[str]:
        """List the annotated files of a job."""
        return self._files(wildcards, are_annotated=True)

    def beside(self, wildcards: Any) -> list[str]:
        """List the files that belong to the annotated ones."""
        return self._files(wildcards, are_annotated=False)

    def _files(self, wildcards: Any, are_annotated: bool) -> list[str]:
        # The first file of a row is annotated; sentences in two versions have two.
        return [
            self.registry.source_file(row.source, path).path
            for row in self.annotated[wildcards.gold, wildcards.lang]
            for number, path in enumerate(row.files)
            if (number == 0 or row.format == "marked") == are_annotated
        ]

    def language_inputs(self, wildcards: Any) -> list[str]:
        """List the files of the methods for a job's language."""
        return self.persons.files(wildcards.lang)

    def finding(self, wildcards: Any) -> dict[str, Any]:
        """Collect the params of the job that finds persons in a corpus, the fields of `AnnotatedCorpus`."""
        row = self.annotated[wildcards.gold, wildcards.lang][0]
        return {
            "gold": row.gold,
            "texts_format": row.format,
            "genre": row.genre,
            "annotation": row.annotation,
            "grammatical": row.grammatical == "yes",
            "methods": self.persons.methods(row.lang),
            "lexicon": self.config.person_nouns,
            "word_list": self.config.word_list,
            "language": vars(self.persons.language(row.lang)),
        }

    @property
    def tags(self) -> list[str]:
        """The tags of language models for corpora that are also gold of `representation`."""
        if not self.context.is_on("representation"):
            return []
        taggers = self.config.representation.taggers
        tagged = [gold for gold, _ in self.units if gold in self.config.representation.gold]
        return [f"results/tagging/tags/gold/{gold}.{tagger}.parquet" for gold in tagged for tagger in taggers]


STUDY = Study(
    "instruments",
    "Instruments (methods that find persons)",
    InstrumentsPlan,
    has_ledger=False,
    tables={"person_gold": PersonGold},
    noun_tables=("methods", "sentences", "kinds", "words", "errors", "method_error", "spreads", "names", "field"),
)
