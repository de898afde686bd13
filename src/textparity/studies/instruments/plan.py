"""What the `instruments` study runs, and what of it cannot be run here."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from textparity.persons.methods import PERSONS, LanguageFiles
from textparity.persons.wordnet import ARCHIVE, OTHERS, SOURCE
from textparity.report.ledger import NOT_HERE
from textparity.tsv import require_rows
from textparity.workflow.availability import missing_file
from textparity.workflow.plans import Tagging
from textparity.workflow.registry_rows import FileReference
from textparity.workflow.study import Context, Study, StudyPlan

FOUND = "results/instruments/found/{gold}/{lang}.parquet"
NOUNS = "results/instruments/nouns/{lang}.txt"
TABLES, FIGURES = "results/instruments/tables", "results/instruments/figures"


class InstrumentsPlan(StudyPlan):
    """The plan of the `instruments` study; `units` are annotated corpora, each in one language."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.settings = context.config.instruments
        self.tagging = Tagging(context)
        self.units = self._units() if context.is_on("instruments") else []
        self.found = [FOUND.format(gold=gold, lang=lang) for gold, lang in self.units]
        self.tables = {
            "methods_csv": f"{TABLES}/methods.csv",
            "methods_latex": f"{TABLES}/methods.tex",
            **{f"{name}_csv": f"{TABLES}/{name}.csv" for name in ("kinds", "words", "errors", "calibration")},
            "confusion_csv": "results/instruments/confusion.csv",
            "gaps": "results/instruments/not_run.csv",
        }
        self.figures = [f"{FIGURES}/ratios.{ending}" for ending in ("pdf", "svg")] if self.units else []
        made = [path for path in self.tables.values() if path.startswith(f"{TABLES}/")]
        self.targets = [*made, *self.figures] if context.is_on("instruments") else []
        self.not_run = [[*unit, "", reason] for unit in self.units for reason in self._missing_method(*unit)]

    def _units(self) -> list[tuple[str, str]]:
        registry = self.registry
        known = {gold for gold, _ in registry.person_gold}
        require_rows("instruments.gold", self.settings.gold, known, registry.paths["person_gold"])
        require_rows("instruments.pipelines", self.settings.pipelines, registry.languages, registry.paths["languages"])
        languages = registry.select_languages(self.config.languages)
        return [
            (gold, lang)
            for name in self.settings.gold
            for gold, lang in registry.person_gold
            if gold == name and lang in languages and not self._is_left_out(gold, lang)
        ]

    def _is_left_out(self, gold: str, lang: str) -> bool:
        files = [*self._text_files(gold, lang), self.registry.lexicon_file(self.config.person_nouns, lang)]
        return self.config.skip_unavailable and any(missing_file(file, self.config.mirror) for file in files)

    def _text_files(self, gold: str, lang: str) -> list[FileReference]:
        rows = self.registry.person_gold[gold, lang]
        paths = [(row.source, path) for row in rows for path in (row.path, row.beside) if path]
        return [self.registry.source_file(source, path) for source, path in paths]

    @property
    def corpus_names(self) -> dict[str, str]:
        """What a figure calls each unit."""
        gold, languages = self.registry.person_gold, self.registry.languages
        return {f"{name}/{lang}": f"{gold[name, lang][0].name}\n{languages[lang].name}" for name, lang in self.units}

    def pipeline(self, lang: str) -> str:
        """Return the pipeline of a language, an empty string for none."""
        row = self.registry.person_pipelines.get(lang)
        return self.settings.pipelines.get(lang, row.pipeline if row else "")

    def _missing_method(self, gold: str, lang: str) -> list[str]:
        """Return why `persons` does not run in a language, as a list of no or one reason."""
        if PERSONS not in self.settings.methods:
            return []
        pipeline = self.pipeline(lang)
        if not pipeline:
            return [f"{NOT_HERE}: the table person_pipelines has no pipeline for {lang}"]
        is_package = pipeline.isidentifier() and find_spec(pipeline) is not None
        if find_spec("spacy") and (is_package or (Path(pipeline) / "meta.json").is_file()):
            return []
        return [f"{NOT_HERE}: the spaCy pipeline {pipeline} is not installed (python -m spacy download {pipeline})"]

    def methods(self, gold: str, lang: str) -> list[str]:
        """Return the methods that run on a corpus in a language."""
        missing = self._missing_method(gold, lang)
        return [name for name in self.settings.methods if name != PERSONS or not missing]

    # Rules.

    def wordnets(self, lang: str) -> list[str]:
        """Return WordNet's archive and the wordnets of a language; without what is not here, where that is allowed."""
        row = self.registry.person_pipelines[lang]
        files = [self.registry.source_file(OTHERS, path) for path in row.wordnets.split()]
        mirror, skip = self.config.mirror, self.config.skip_unavailable
        return [file.path for file in files if not (skip and missing_file(file, mirror))]

    @property
    def wordnet(self) -> str:
        """The archive of WordNet."""
        return f"results/sources/{SOURCE}/{ARCHIVE}"

    def texts(self, wildcards: Any) -> list[str]:
        """Return the annotated files of a job; of sentences in two versions both are."""
        rows = self.registry.person_gold[wildcards.gold, wildcards.lang]
        return [
            self.registry.source_file(row.source, path).path
            for row in rows
            for path in ((row.path, row.beside) if row.format == "marked" else (row.path,))
        ]

    def beside(self, wildcards: Any) -> list[str]:
        """Return the files that belong to the annotated ones."""
        rows = self.registry.person_gold[wildcards.gold, wildcards.lang]
        return [
            self.registry.source_file(row.source, row.beside).path
            for row in rows
            if row.beside and row.format != "marked"
        ]

    def language_inputs(self, wildcards: Any) -> list[str]:
        """Return what the methods of a job's language are made of."""
        files = self._language(wildcards.gold, wildcards.lang)
        names = (files.lexicon, files.revision, files.pronouns, files.words, files.person_nouns)
        return [path for path in names if path]

    def finding(self, wildcards: Any) -> dict[str, Any]:
        """Return the params of the job that finds persons in a corpus."""
        row = self.registry.person_gold[wildcards.gold, wildcards.lang][0]
        return {
            "gold": row.gold,
            "texts_format": row.format,
            "genre": row.genre,
            "complete": row.complete == "yes",
            "grammatical": row.grammatical == "yes",
            "methods": self.methods(row.gold, row.lang),
            "language": vars(self._language(row.gold, row.lang)),
        }

    def _language(self, gold: str, lang: str) -> LanguageFiles:
        registry, person_nouns = self.registry, self.config.person_nouns
        revision = self.config.lexicon.revision
        revised = revision is not None and registry.lexicons[revision].revises == person_nouns
        has_pipeline = PERSONS in self.methods(gold, lang)
        return LanguageFiles(
            lang=lang,
            lexicon=registry.lexicon_file(person_nouns, lang).path,
            revision=registry.revision_file(revision, lang) if revised else "",
            first_names=registry.languages[lang].first_names,
            tokenizer=registry.tokenizer(lang, "icu"),
            pronouns=self.context.resource("resources/persons/pronouns.tsv"),
            words=self.context.resource("resources/persons/words.tsv"),
            person_nouns=NOUNS.format(lang=lang) if has_pipeline else "",
            pipeline=self.pipeline(lang) if has_pipeline else "",
        )

    @property
    def tags(self) -> list[str]:
        """What language models tagged in corpora that are gold of `representation`, too."""
        if not self.context.is_on("representation"):
            return []
        taggers = self.config.representation.taggers
        tagged = [gold for gold, _ in self.units if gold in self.config.representation.gold]
        return self.tagging.files(
            self.tagging.tags, [(f"gold/{gold}", tagger) for gold in tagged for tagger in taggers]
        )


STUDY = Study("instruments", "Instruments (methods that find persons)", InstrumentsPlan, has_ledger=False)
