"""Plan the `instruments` study: the annotated texts in which it looks for persons, and what cannot be found here."""

from dataclasses import replace
from typing import Any, NamedTuple

from textparity.files import require_rows
from textparity.persons.methods import RECORDED, LanguageFiles
from textparity_studies.instruments.rows import PersonGold
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.plans import Persons
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan


class GoldInLanguage(NamedTuple):
    """An annotated corpus in one language."""

    gold: str
    lang: str


class InstrumentsPlan(StudyPlan):
    """Plan the `instruments` study: in the texts of `units`, `persons` are found by several methods.

    Language models have tagged the texts `tagged_gold` for `representation`.
    """

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = context.config.instruments
        self.persons = Persons(context, self.settings.methods)
        # The annotated files of one name and language are one corpus.
        self.annotated: dict[GoldInLanguage, list[PersonGold]] = {}
        for row in self.registry.person_gold.values():
            self.annotated.setdefault(GoldInLanguage(row.gold, row.lang), []).append(row)
        self.units = self._units() if context.is_on("instruments") else []
        self.corpus_names = {f"{unit.gold}/{unit.lang}": self.annotated[unit][0].name for unit in self.units}
        tagged = self.config.representation.gold if context.is_on("representation") else []
        self.tagged_gold = [unit.gold for unit in self.units if unit.gold in tagged]
        missing = {lang: self.persons.missing(lang) for _, lang in self.units}
        self.not_run = [[gold, lang, "", reason] for gold, lang in self.units for reason in missing[lang]]

    def corpus(self, gold: str, lang: str) -> dict[str, Any]:
        """Describe a corpus by the fields of `findings.AnnotatedCorpus`."""
        row = self.annotated[GoldInLanguage(gold, lang)][0]
        return {
            "gold": gold,
            "texts_format": row.format,
            "genre": row.genre,
            "annotation": row.annotation,
            "grammatical": row.grammatical == "yes",
        }

    def language(self, gold: str, lang: str) -> LanguageFiles:
        """Collect the files of the methods for a corpus, with lists for quotes if its quotes are annotated."""
        files = self.persons.language(lang)
        row = self.registry.person_pipelines.get(lang)
        has_quotes = self.annotated[GoldInLanguage(gold, lang)][0].has_quotes
        # Recorded mentions have no quotes.
        if row is None or not has_quotes or not files.pipeline or files.pipeline.endswith(RECORDED):
            return files
        lists = {name: self.registry.source_file(*place).path for name, place in row.quote_files.items()}
        return replace(files, quote_lists=lists)

    def tools(self, gold: str, lang: str) -> list[str]:
        """List the files that the methods read."""
        return [*self.persons.files(lang), *self.language(gold, lang).quote_lists.values()]

    def texts(self, gold: str, lang: str) -> list[str]:
        """List the annotated files of a corpus."""
        return self._files(GoldInLanguage(gold, lang), are_annotated=True)

    def beside(self, gold: str, lang: str) -> list[str]:
        """List the files that belong to the annotated ones."""
        return self._files(GoldInLanguage(gold, lang), are_annotated=False)

    def _files(self, unit: GoldInLanguage, are_annotated: bool) -> list[str]:
        files = []
        for row in self.annotated[unit]:
            # The first file of a row is annotated; sentences in two versions have two.
            annotated = row.files if row.format == "marked" else row.files[:1]
            beside = row.files[len(annotated) :]
            for path in annotated if are_annotated else beside:
                files.append(self.registry.source_file(row.source, path).path)
        return files

    def _units(self) -> list[GoldInLanguage]:
        wanted = self.settings.gold
        known = {unit.gold for unit in self.annotated}
        require_rows("instruments.gold", wanted, known, self.registry.paths["person_gold"])
        languages = self.registry.select_languages(self.config.languages)
        in_languages = [unit for unit in self.annotated if unit.gold in wanted and unit.lang in languages]
        units = [unit for unit in in_languages if not self._is_left_out(unit)]
        return sorted(units, key=lambda unit: wanted.index(unit.gold))

    def _is_left_out(self, unit: GoldInLanguage) -> bool:
        rows, lexicon = self.annotated[unit], self.persons.lexicon(unit.lang)
        files = [self.registry.source_file(row.source, path) for row in rows for path in row.files]
        files += [lexicon] if lexicon else []
        return self.config.skip_unavailable and any(missing_file(file, self.config.mirror) for file in files)


STUDY = Study(
    "instruments",
    "Instruments (methods that find persons)",
    InstrumentsPlan,
    has_ledger=False,
    tables={"person_gold": PersonGold},
    noun_tables=(
        "methods",
        "sentences",
        "kinds",
        "words",
        "errors",
        "method_error",
        "spreads",
        "people",
        "speakers",
        "coreference",
        "names",
        "field",
    ),
)
