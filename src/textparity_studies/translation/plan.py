"""Plan the `translation` study: the translations that it scores, and those that it cannot score here."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from textparity.files import require_rows
from textparity.translating.genders import missing_rule
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.translation.rows import TranslationRow
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.plans import Persons
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan


class Translations(NamedTuple):
    """The translations of a system into a language."""

    system: str
    lang: str


class TranslationPlan(StudyPlan):
    """Plan the `translation` study; it scores the translations `units`."""

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = context.config.translation
        self.persons = Persons(context, self.settings.methods)
        self._rows: Iterable[TranslationRow] = self.registry.translations.values()
        self.units: list[Translations] = []
        if context.is_on("translation"):
            self._choose_units()

    def _choose_units(self) -> None:
        """Choose what is scored; with `skip_unavailable`, what cannot be is not run."""
        systems, wanted = self.settings.systems, self.config.languages
        known = {row.system for row in self._rows}
        require_rows("translation.systems", systems, known, self.registry.paths["translations"])
        for row in self._rows:
            if row.system not in systems or (wanted != "all" and row.lang not in wanted):
                continue
            reason = self._missing(row)
            if reason and self.config.skip_unavailable:
                self.not_run.append([row.system, row.lang, "", reason])
                continue
            self.units.append(Translations(row.system, row.lang))
            missing = self.persons.missing(row.lang) if self._is_counted(row.lang) else []
            self.not_run += [[row.system, row.lang, "persons", reason] for reason in missing]

    def _missing(self, row: TranslationRow) -> str:
        """Explain why a translation cannot be scored here, or return an empty text."""
        if reason := missing_file(self.registry.file_of(row), self.config.mirror):
            return reason
        reason = missing_rule(row.lang, self.persons.pipeline(row.lang))
        return Need(Reason.NOT_DOWNLOADED, reason) if reason else ""

    # Hebrew is not in the languages table, so no method finds persons in it.

    def _is_counted(self, lang: str) -> bool:
        return lang in self.registry.languages

    def methods(self, lang: str) -> list[str]:
        """List the methods that find persons in a language."""
        return self.persons.methods(lang) if self._is_counted(lang) else []

    def tools(self, lang: str) -> list[str]:
        """List the files that these methods read."""
        return self.persons.files(lang) if self._is_counted(lang) else []

    def language(self, lang: str) -> dict[str, Any]:
        """Return the fields of `LanguageFiles` for these methods."""
        return vars(self.persons.language(lang)) if self._is_counted(lang) else {}

    def annotated(self, system: str, lang: str) -> list[TranslationRow]:
        """List the rows with annotations that a job compares with its genders: its own, and those that do not run.

        The first system of a language that runs aligns what people annotated in systems that do not.
        """
        running = [unit.system for unit in self.units if unit.lang == lang] or [system]
        rows = []
        for row in self._rows:
            aligned_by = row.system if row.system in running else running[0]
            if row.lang != lang or not row.annotations or aligned_by != system:
                continue
            if not missing_file(self.registry.file_of(row, row.annotations), self.config.mirror):
                rows.append(row)
        return rows


STUDY = Study(
    "translation",
    "Translation (Stanovsky 2019)",
    TranslationPlan,
    tables={"translations": TranslationRow},
    noun_tables=["kept"],
)
