"""Plan the `translation` study: the translations it scores, those it cannot score here, and the inputs of its rules."""

from typing import Any, ClassVar

from textparity.files import require_rows
from textparity.registry import Inside, Name
from textparity.translating.genders import missing_rule
from textparity_studies.report.catalogue import figure_files
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.plans import Persons
from textparity_studies.workflow.registry import StudyRow
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan

NAME = "translation"
RESULTS = f"results/{NAME}"
TABLES = ("scores", "problems", "kept", "pronouns", "confusion", "agreement", "occupations", "examples")


class TranslationRow(StudyRow):
    """Describe a system's translations of the sentences of WinoMT into a language.

    A line of the file is `sentence ||| translation`. `annotations` are those of people, if there are some: a CSV file
    whose columns are, in this order, the number of the sentence, occupation, translation, whether the occupation was
    found, and its gender (m, f or n). `language` is the name of the language.
    """

    KEY = ("system", "lang")
    REFERENCES: ClassVar = {"source": "sources"}

    system: Name
    name: str
    lang: str
    language: str
    source: str
    path: Inside
    annotations: Inside


class TranslationPlan(StudyPlan):
    """Plan the `translation` study; `units` are a system and a language."""

    results = RESULTS
    gaps, ledger = f"{RESULTS}/not_run.csv", f"results/ledger/{NAME}.csv"

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = context.config.translation
        self.persons = Persons(context, self.settings.methods)
        self.rows: dict[tuple[str, str], TranslationRow] = {
            (row.system, row.lang): row for row in self.registry.translations.values()
        }
        self.units = self._units() if context.is_on(NAME) else []
        self.findings, self.annotated_files = (
            [f"{RESULTS}/{folder}/{system}/{lang}.{ending}" for system, lang in self.units]
            for folder, ending in (("findings", "parquet"), ("annotated", "csv"))
        )
        self.tables = [*(f"{RESULTS}/tables/{name}.csv" for name in TABLES), f"{RESULTS}/tables/scores.tex"]
        self.figures = figure_files(f"{RESULTS}/figures", "recall") if self.units else []
        self.targets = [*self.tables, *self.figures, self.gaps] if context.is_on(NAME) else []

    def _units(self) -> list[tuple[str, str]]:
        """List what is scored; with `skip_unavailable`, what cannot be is listed with its reason."""
        table = self.registry.paths["translations"]
        require_rows(f"{NAME}.systems", self.settings.systems, {system for system, _ in self.rows}, table)
        wanted = self.config.languages
        units = []
        for (system, lang), row in self.rows.items():
            if system not in self.settings.systems or (wanted != "all" and lang not in wanted):
                continue
            reason = self._missing(row)
            if reason and self.config.skip_unavailable:
                self.not_run.append([system, lang, "", reason])
            else:
                units.append((system, lang))
                reasons = self.persons.missing(lang) if lang in self.registry.languages else []
                self.not_run += [[system, lang, "persons", reason] for reason in reasons]
        return units

    def _missing(self, row: TranslationRow) -> str:
        """Explain why a translation cannot be scored here, or return an empty text."""
        if reason := missing_file(self.registry.source_file(row.source, row.path), self.config.mirror):
            return reason
        reason = missing_rule(row.lang, self.persons.pipeline(row.lang))
        return Need(Reason.NOT_DOWNLOADED, reason) if reason else ""

    @property
    def system_names(self) -> dict[str, str]:
        """The name of each system."""
        return {row.system: row.name for row in self.rows.values()}

    @property
    def language_names(self) -> dict[str, str]:
        """The name of each language."""
        return {row.lang: row.language for row in self.rows.values()}

    # Inputs and params of rules.

    def sentences(self) -> dict[str, str]:
        """Return the sentences, and the two sets of them by stereotype."""
        settings = self.settings
        names = {"sentences": settings.sentences, "pro": settings.stereotypical, "anti": settings.unstereotypical}
        return {name: self.context.source_file(path).path for name, path in names.items()}

    def translations(self, wildcards: Any) -> str:
        """Return the file of a system's translations."""
        row = self.rows[wildcards.system, wildcards.lang]
        return self.registry.source_file(row.source, row.path).path

    def annotated(self, system: str, lang: str) -> list[TranslationRow]:
        """List the rows with annotations that a job compares with its genders: its own, and those that do not run.

        The first system of a language that runs aligns what people annotated in systems that do not.
        """
        running = [name for name, of in self.units if of == lang]
        rows = (self.rows[name, of] for name, of in self.rows if of == lang)
        return [
            row
            for row in rows
            if row.annotations
            and (row.system == system or (row.system not in running and system == running[0]))
            and not missing_file(self.registry.source_file(row.source, row.annotations), self.config.mirror)
        ]

    def annotations(self, wildcards: Any) -> list[str]:
        """List the files of annotations of a job."""
        rows = self.annotated(wildcards.system, wildcards.lang)
        return [self.registry.source_file(row.source, row.annotations).path for row in rows]

    def tools(self, wildcards: Any) -> list[str]:
        """List the files of the methods for a job's language."""
        lang = wildcards.lang
        return self.persons.files(lang) if lang in self.registry.languages else []

    def finding(self, wildcards: Any) -> dict[str, Any]:
        """Collect the params of a job, the fields of `Translated`."""
        lang = wildcards.lang
        is_counted = lang in self.registry.languages
        return {
            "system": wildcards.system,
            "lang": lang,
            "pipeline": self.persons.pipeline(lang),
            "methods": self.persons.methods(lang) if is_counted else [],
            "language": vars(self.persons.language(lang)) if is_counted else {},
            "annotated": [row.system for row in self.annotated(wildcards.system, lang)],
        }


STUDY = Study(
    NAME,
    "Translation (Stanovsky 2019)",
    TranslationPlan,
    tables={"translations": TranslationRow},
    noun_tables=("kept",),
)
