"""Plan the inputs and params of shared rules: reading and tagging texts, finding persons, the report."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from textparity.errors import ConfigError, TableError
from textparity.files import require_rows
from textparity.persons.mentions import PERSONS, PUBLISHED_LEXICON, WORDS
from textparity.persons.methods import RECORDED, LanguageFiles, missing_pipeline
from textparity.persons.person_nouns import OTHERS
from textparity.registry import FileReference
from textparity_studies.report.catalogue import KEPT, TABLES, Catalogue, Run
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.study import StudyContext, StudyPlan


class TaggedTexts(NamedTuple):
    """Texts (their path below `results`, without its ending) and the language model that tags them."""

    texts: str
    tagger: str


class CorpusPlan:
    """Sort corpora by their source: files of their own, samples of an archive's pairs, or crawls."""

    def __init__(self, context: StudyContext) -> None:
        self.config = context.config
        self.registry = context.registry
        corpora = self.registry.corpora
        self.crawls = [name for name, corpus in corpora.items() if corpus.wet_files]
        self.samples = [name for name, corpus in corpora.items() if corpus.sample]
        self.files = [name for name in corpora if name not in {*self.crawls, *self.samples}]
        self.sample_sets = sorted({corpus.sample_set for corpus in corpora.values()} - {""})

    def document_ids(self, corpus: str) -> list[str]:
        """List the file of a corpus' document ids: one path or none."""
        file = self.registry.document_ids_file(corpus)
        return [file.path] if file and not self.missing_documents(corpus) else []

    def missing_documents(self, corpus: str) -> str:
        """Explain why the archive of a corpus has no documents for its lines; an empty string if it has.

        Each line is then a document. A file outside the archive is an ordinary input, and must exist.
        """
        file = self.registry.document_ids_file(corpus)
        return missing_file(file, self.config.mirror) if file and file.member else ""

    def wet_files(self, crawl: str) -> range:
        """Number the WET files of a crawl."""
        return range(int(self.registry.corpora[crawl].wet_files))


class TaggingPlan:
    """Plan tagging; texts are `gold/{gold}`, or a path that ends in the language, or in `{lang}.{variant}`."""

    def __init__(self, context: StudyContext) -> None:
        self._context = context
        self._settings = context.config.tagging

    def lang(self, texts: str) -> str:
        """Return the language of texts."""
        kind, name, *rest = texts.split("/")
        return self._context.registry.gold[name].lang if kind == "gold" else rest[-1].partition(".")[0]

    def runs(self, texts: str) -> int:
        """Return the number of times that a language model is asked about each of these texts."""
        return self._settings.gold_runs if texts.startswith("gold/") else self._settings.corpus_runs

    def prompt(self, texts: str, tagger: str) -> dict[str, str | list[str]]:
        """List the parts of the prompt to send; an empty list for a missing part."""
        files = self._files(texts, tagger)
        return {part: files.get(part, []) for part in ("prompt", "examples", "system")}

    def skip_list(self, texts: str, tagger: str) -> list[str]:
        """List the file of words that do not count: one path or none."""
        files = self._files(texts, tagger)
        return [files["skip_list"]] if "skip_list" in files else []

    def report_estimates(
        self, units: Iterable[TaggedTexts], recorded: list[str], report: Callable[[str], None]
    ) -> None:
        """Report the cost of asking about texts that exist already; `snakemake estimate` makes them first."""
        from textparity_studies.llm.answering import Asking, estimate, tagging_questions

        for texts, tagger in units:
            parts: dict[str, Any] = {
                part: Path(path) if isinstance(path, str) else None for part, path in self.prompt(texts, tagger).items()
            }
            files = [Path(f"results/{texts}.parquet"), *filter(None, parts.values())]
            found = "its texts do not exist yet; `snakemake estimate` makes them and sends nothing"
            if all(file.is_file() for file in files):
                asking = Asking(**self._context.asking(tagger))
                questions = tagging_questions(asking.row, files[0], **parts, runs=self.runs(texts))
                found = str(estimate(questions, asking, list(map(Path, recorded))))
            report(f"{tagger}, {texts}: {found}")

    def _files(self, texts: str, tagger: str) -> dict[str, str]:
        model = self._context.language_models[tagger]
        files = self._context.registry.prompt_files(self._settings.prompt, self.lang(texts), model)
        return {part: file.path for part, file in files.items()}


class Persons:
    """Plan how `methods` find persons in texts, by language."""

    def __init__(self, context: StudyContext, methods: Iterable[str] = ()) -> None:
        self._context = context
        self.config, self.registry = context.config, context.registry
        self._methods = list(methods)
        known, path = self.registry.person_pipelines, self.registry.paths["person_pipelines"]
        require_rows("person_pipelines", self.config.person_pipelines, known, path)

    def pipeline(self, lang: str) -> str:
        """Return the pipeline of a language, or an empty string."""
        row = self.registry.person_pipelines.get(lang)
        name = self.config.person_pipelines.get(lang, row.pipeline if row else "")
        return self._context.resource(name) if name.endswith(RECORDED) else name

    def missing(self, lang: str) -> list[Need]:
        """List the reason why `persons`, if it is one of the methods, does not run in a language: one or none."""
        if PERSONS not in self._methods:
            return []
        pipeline = self.pipeline(lang)
        if not pipeline:
            return [Need(Reason.NOT_DOWNLOADED, f"the table person_pipelines has no pipeline for {lang}")]
        lists = self._lists(lang).values()
        files = lists if self.config.skip_unavailable else ()
        missing = missing_pipeline(pipeline, bool(lists))
        reasons = (missing, *(missing_file(file, self.config.mirror) for file in files))
        return [Need(Reason.NOT_DOWNLOADED, reason) for reason in reasons if reason][:1]

    def _lists(self, lang: str) -> dict[str, FileReference]:
        row = self.registry.person_pipelines.get(lang)
        return {name: self.registry.source_file(*place) for name, place in row.files.items()} if row else {}

    def lexicon(self, lang: str) -> FileReference | None:
        """Return the published lexicon of a language, or None."""
        try:
            return self.registry.lexicon_file(self.config.person_nouns, lang)
        except TableError:
            return None

    def methods(self, lang: str) -> list[str]:
        """Return the methods that run in a language."""
        left_out = {PERSONS} if self.missing(lang) else set()
        left_out |= set() if self.lexicon(lang) else {PUBLISHED_LEXICON}
        return [name for name in self._methods if name not in left_out]

    def wordnets(self, wildcards: Any) -> list[str]:
        """List the wordnets of a language; unavailable ones are skipped if that is allowed."""
        row = self.registry.person_pipelines[wildcards.lang]
        files = [self.registry.source_file(OTHERS, path) for path in row.wordnets.split()]
        mirror, skip = self.config.mirror, self.config.skip_unavailable
        return [file.path for file in files if not (skip and missing_file(file, mirror))]

    def language(self, lang: str) -> LanguageFiles:
        """Collect the files and settings of the methods for a language."""
        registry, word_list = self.registry, self.config.word_list
        require_rows("word_list", [word_list], registry.lexicons, registry.paths["lexicons"])
        if not registry.is_table_of(word_list, self.config.person_nouns):
            raise ConfigError(
                f"word_list: {word_list} must be a lexicon of lemmas (…/{{lang}}.tsv), or a revision of person_nouns "
                f"({self.config.person_nouns}); see {registry.paths['lexicons']}"
            )
        has_pipeline = PERSONS in self.methods(lang)
        needs_nouns = has_pipeline and not self.pipeline(lang).endswith(RECORDED)
        return LanguageFiles(
            lang=lang,
            lexicon=lexicon.path if (lexicon := self.lexicon(lang)) else "",
            word_list=registry.table_file(word_list, lang),
            first_names=registry.languages[lang].first_names,
            tokenizer=registry.tokenizer(lang, "icu"),
            pronouns=self._context.resource("resources/persons/pronouns.tsv"),
            words=self._context.resource("resources/persons/words.tsv"),
            places=self._context.resource("resources/persons/places.tsv"),
            person_nouns=f"results/persons/nouns/{lang}.txt" if needs_nouns else "",
            pipeline=self.pipeline(lang) if has_pipeline else "",
            lists={name: file.path for name, file in self._lists(lang).items()} if has_pipeline else {},
        )

    def files(self, lang: str) -> list[str]:
        """Return the files that the methods of a language read."""
        files = self.language(lang)
        recorded = files.pipeline if files.pipeline.endswith(RECORDED) else ""
        made = (files.person_nouns, recorded, *files.lists.values())
        # The judged matches decide which layers are disabled.
        judged = self.registry.judged_matches(lang) if WORDS in self._methods else ""
        names = (files.lexicon, files.word_list, files.pronouns, files.words, files.places, judged, *made)
        return [path for path in names if path]


class ReportPlan:
    """Plan the report of a run: what it shows, and under which names.

    `plans` cover all studies. `final_files` are those of the studies in the run, and `noun_tables` the captions of the
    tables that depend on the lexicon of person nouns, each by study.
    """

    def __init__(
        self,
        context: StudyContext,
        catalogue: Catalogue,
        plans: Mapping[str, StudyPlan],
        final_files: Mapping[str, Sequence[str]],
        noun_tables: Mapping[str, Collection[str]],
    ) -> None:
        config, registry, studies = context.config, context.registry, context.config.studies
        self.lexicon = registry.lexicon_name(config.person_nouns)
        # The names of texts; a key with two parts includes the name of the corpus.
        self.names = {key: row.name for key, row in registry.gold.items()}
        for plan in plans.values():
            self.names |= plan.text_names
        self.names |= {key: row.name for key, row in registry.corpora.items()}
        self.final_files = [path for study in studies for path in final_files[study]]
        shown = catalogue.list_items(["results/ledger.csv", "results/ledger_counts.csv", *self.final_files])
        self.tables = [item for item in shown if item.kind == TABLES]
        figures = [item for item in shown if item.kind != TABLES]
        # Claims quote these tables.
        self.quoted_tables = [item.path for item in self.tables if item.study in studies]
        self.captions = [context.resource(item.caption) for item in self.tables + figures]
        kept = sorted((registry.base / "resources").glob(f"*/{KEPT}/*.csv"))
        self.kept = [context.resource(path.relative_to(registry.base).as_posix()) for path in kept]
        # The front page shows the first figure of each study, by the corrected procedure if it has two.
        drawn = [item for item in figures if item.procedure != "published"]
        self.pictures = list({item.study: item.path for item in reversed(drawn)}.values())
        languages = [] if config.languages == "all" else config.languages
        # The params of a step with a `Run`.
        self.run = asdict(
            Run(
                title=config.title,
                languages=[registry.languages[lang].name for lang in languages],
                lexicon=self.lexicon,
                noun_tables=[item.path for item in self.tables if item.name in noun_tables.get(item.study, ())],
                studies=list(studies),
                study_names=catalogue.study_names,
                study_pages=[path for path in self.final_files if path.endswith(".html")],
                items=self.tables + figures,
            )
        )
