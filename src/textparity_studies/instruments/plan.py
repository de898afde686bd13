"""Plan the `instruments` study: the outputs it makes, and those that cannot be made here."""

from typing import Any

from textparity.registry.rows import FileReference
from textparity.tsv import require_rows
from textparity_studies.report.catalogue import figure_files
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.plans import Persons, Tagging
from textparity_studies.workflow.study import Context, Study, StudyPlan

FOUND = "results/instruments/found/{gold}/{lang}.parquet"
TABLES, FIGURES = "results/instruments/tables", "results/instruments/figures"


class InstrumentsPlan(StudyPlan):
    """Plan the `instruments` study; `units` are annotated corpora, each in one language."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.settings = context.config.instruments
        self.tagging, self.persons = Tagging(context), Persons(context)
        self.units = self._units() if context.is_on("instruments") else []
        self.found = [FOUND.format(gold=gold, lang=lang) for gold, lang in self.units]
        self.tables = {
            "methods_csv": f"{TABLES}/methods.csv",
            "methods_latex": f"{TABLES}/methods.tex",
            **{
                f"{name}_csv": f"{TABLES}/{name}.csv"
                for name in ("sentences", "kinds", "words", "errors", "method_error", "spreads")
            },
            "method_errors_csv": "results/instruments/method_errors.csv",
            "gaps": "results/instruments/not_run.csv",
        }
        self.figures = figure_files(FIGURES, "ratios") if self.units else []
        made = [path for path in self.tables.values() if path.startswith(f"{TABLES}/")]
        self.noun_tables = made
        self.targets = [*made, *self.figures] if context.is_on("instruments") else []
        missing = {lang: self.persons.missing(self.settings.methods, lang) for _, lang in self.units}
        self.not_run = [[gold, lang, "", reason] for gold, lang in self.units for reason in missing[lang]]

    def _units(self) -> list[tuple[str, str]]:
        registry = self.registry
        known = {gold for gold, _ in registry.person_gold}
        require_rows("instruments.gold", self.settings.gold, known, registry.paths["person_gold"])
        languages = registry.select_languages(self.config.languages)
        return [
            (gold, lang)
            for name in self.settings.gold
            for gold, lang in registry.person_gold
            if gold == name and lang in languages and not self._is_left_out(gold, lang)
        ]

    def _is_left_out(self, gold: str, lang: str) -> bool:
        lexicon = self.persons.lexicon(lang)
        files = [*self._text_files(gold, lang), *([lexicon] if lexicon else [])]
        return self.config.skip_unavailable and any(missing_file(file, self.config.mirror) for file in files)

    def _text_files(self, gold: str, lang: str) -> list[FileReference]:
        rows = self.registry.person_gold[gold, lang]
        return [self.registry.source_file(row.source, path) for row in rows for path in row.files]

    @property
    def corpus_names(self) -> dict[str, str]:
        """The name of each unit's corpus."""
        return {f"{gold}/{lang}": self.registry.person_gold[gold, lang][0].name for gold, lang in self.units}

    @property
    def figure_names(self) -> dict[str, str]:
        """The name of each unit in figures."""
        languages = self.registry.languages
        return {key: f"{name}\n{languages[key.split('/')[1]].name}" for key, name in self.corpus_names.items()}

    # Inputs and params of rules.

    def texts(self, wildcards: Any) -> list[str]:
        """List the annotated files of a job; sentences in two versions have two."""
        rows = self.registry.person_gold[wildcards.gold, wildcards.lang]
        return [
            self.registry.source_file(row.source, path).path
            for row in rows
            for path in (row.files if row.format == "marked" else row.files[:1])
        ]

    def beside(self, wildcards: Any) -> list[str]:
        """List the files that belong to the annotated ones."""
        rows = self.registry.person_gold[wildcards.gold, wildcards.lang]
        return [
            self.registry.source_file(row.source, path).path
            for row in rows
            if row.format != "marked"
            for path in row.files[1:]
        ]

    def language_inputs(self, wildcards: Any) -> list[str]:
        """List the files of the methods for a job's language."""
        return self.persons.files(self.settings.methods, wildcards.lang)

    def finding(self, wildcards: Any) -> dict[str, Any]:
        """Return the params of the job that finds persons in a corpus."""
        row = self.registry.person_gold[wildcards.gold, wildcards.lang][0]
        return {
            "gold": row.gold,
            "texts_format": row.format,
            "genre": row.genre,
            "annotation": row.annotation,
            "grammatical": row.grammatical == "yes",
            "methods": self.persons.methods(self.settings.methods, row.lang),
            "lexicon": self.config.person_nouns,
            "language": vars(self.persons.language(self.settings.methods, row.lang)),
        }

    @property
    def tags(self) -> list[str]:
        """The tags of language models for corpora that are also gold of `representation`."""
        if not self.context.is_on("representation"):
            return []
        taggers = self.config.representation.taggers
        tagged = [gold for gold, _ in self.units if gold in self.config.representation.gold]
        return self.tagging.files(
            self.tagging.tags, [(f"gold/{gold}", tagger) for gold in tagged for tagger in taggers]
        )


STUDY = Study("instruments", "Instruments (methods that find persons)", InstrumentsPlan, has_ledger=False)
