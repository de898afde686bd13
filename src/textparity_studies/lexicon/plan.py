"""Plan the `lexicon` study: the units it counts, those that cannot be counted here, and the files of its rules."""

from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

from textparity.counting import PROCEDURES
from textparity.counting.tokenizers import ENGINES, TokenizerChoice
from textparity.errors import ConfigError
from textparity.files import require_rows
from textparity.registry import Name
from textparity.sources.model_files import missing_model
from textparity_studies.report.catalogue import figure_files
from textparity_studies.report.ledger import Need, Reason
from textparity_studies.workflow.availability import check_samples, missing_file
from textparity_studies.workflow.plans import CorpusPlan
from textparity_studies.workflow.registry import StudyRow
from textparity_studies.workflow.run_record import code_digest
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan, flatten

COUNTS = "results/lexicon/counts/{corpus}/{lang}.{engine}.parquet"
SUMMARY = "results/lexicon/summary/{corpus}.{engine}.parquet"
TEXTS = "results/corpora/{corpus}/{lang}.parquet"
TABLES, FIGURES = "results/lexicon/tables", "results/lexicon/figures"


class Unit(NamedTuple):
    """Identify a corpus in a language, counted with an engine."""

    corpus: str
    lang: str
    engine: str


class BalancedTexts(StudyRow):
    """Describe two files whose sentences differ only in gender; all gendered words are marked `<F>` or `<M>`."""

    KEY = ("texts", "lang", "feminine")
    REFERENCES: ClassVar = {"source": "sources", "lang": "languages"}

    texts: Name
    name: str
    lang: str
    source: str
    feminine: str
    masculine: str


class LexiconPlan(StudyPlan):
    """Plan the `lexicon` study.

    `units` are counted. The `main_units`, by the first engine of their corpus, provide the tables and figures, through
    `main_counts`, `main_texts` and `main_summaries`.
    """

    engines = ENGINES

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings, registry = self.config.lexicon, self.registry
        known = self._known_units()
        self.unavailable = {unit: reason for unit in known if (reason := self._missing(unit))}
        skipped = self.unavailable if self.config.skip_unavailable else {}
        self.not_run = [[*unit, reason] for unit, reason in skipped.items()]
        self.units = [unit for unit in known if unit not in skipped]
        self.not_run += self._missing_documents()
        self.langs = sorted({unit.lang for unit in self.units})
        self.main_units = [unit for unit in self.units if unit.engine == self._engines_of(unit.corpus)[0]]
        self.main_engines = {unit.corpus: unit.engine for unit in self.main_units}
        self.main_counts = [COUNTS.format(**unit._asdict()) for unit in self.main_units]
        self.main_texts = [TEXTS.format(corpus=unit.corpus, lang=unit.lang) for unit in self.main_units]
        self.main_summaries = _summaries(self.main_engines.items())
        of_engines = [self._corpora_with(engine) for engine in ENGINES]
        # Summaries of all engines, the paper's first, if there is more than one to compare.
        self.compared_summaries = flatten(*map(_summaries, of_engines)) if all(of_engines) else []
        self.corpora = {corpus: registry.corpora[corpus] for corpus in self.main_engines}
        self.corpus_names = {name: corpus.name for name, corpus in self.corpora.items()}
        self.lexicon_name = registry.lexicon_name(self.config.person_nouns)
        counted = {(unit.corpus, unit.lang) for unit in self.main_units}
        parallel = {name: corpus.parallel_to for name, corpus in self.corpora.items()}
        # The language with which the others of a corpus are compared, text by text.
        self.pivots = {corpus: lang for corpus, lang in parallel.items() if (corpus, lang) in counted}
        verdicts = self.config.verdicts
        self.balanced_files = self._balanced_files()
        self.minimum = {"matches": verdicts.minimum_matches, "units": verdicts.minimum_units}
        crawled = [f"results/crawls/{name}/documents.csv" for name, corpus in self.corpora.items() if corpus.wet_files]
        self.targets = flatten(*self.tables.values(), self.figures, crawled, self.symmetry, self.average_lead)

    def _missing_documents(self) -> list[list[str]]:
        """List the corpora in which lines replace documents, because the file of documents is not available."""
        corpora, plan = dict.fromkeys(unit.corpus for unit in self.units), CorpusPlan(self.context)
        reasons = {corpus: plan.missing_documents(corpus) for corpus in corpora}
        return [
            [corpus, "", "", f"{reason}; each line counts as a document"]
            for corpus, reason in reasons.items()
            if reason
        ]

    def _known_units(self) -> list[Unit]:
        """List every unit in the tables; an unknown name is a `ConfigError`."""
        corpora, person_nouns = self.settings.corpora, self.config.person_nouns
        registry = self.registry
        if not self.context.is_on("lexicon") and (
            person_nouns not in registry.lexicons or not registry.corpora.keys() >= set(corpora)
        ):
            return []
        require_rows("lexicon.corpora", corpora, registry.corpora, registry.paths["corpora"])
        require_rows("person_nouns", [person_nouns], registry.lexicons, registry.paths["lexicons"])
        self._check_revision()
        check_samples(registry, self.config, "lexicon.corpora", corpora)
        languages = registry.select_languages(self.config.languages)
        return [
            Unit(corpus, lang, engine)
            for corpus in corpora
            for lang in languages
            if registry.corpus_has(corpus, lang)
            for engine in self._engines_of(corpus)
        ]

    def _check_revision(self) -> None:
        person_nouns, revision = self.config.person_nouns, self.settings.revision
        if revised := self.registry.lexicons[person_nouns].revises:
            raise ConfigError(f"person_nouns: {person_nouns} revises {revised}; name it in lexicon.revision")
        if revision is not None:
            require_rows("lexicon.revision", [revision], self.registry.lexicons, self.registry.paths["lexicons"])

    def _balanced_files(self) -> list[dict[str, Any]]:
        """Collect the files for measuring the symmetry of lexicons: the fields of `symmetry.BalancedFiles`."""
        if not self.context.is_on("lexicon"):
            return []
        registry, mirror = self.registry, self.config.mirror
        names = self.settings.balanced_texts
        rows: dict[str, list[BalancedTexts]] = {}
        for row in registry.balanced_texts.values():
            rows.setdefault(row.texts, []).append(row)
        require_rows("lexicon.balanced_texts", names, rows, registry.paths["balanced_texts"])
        languages, files = registry.select_languages(self.config.languages), []
        for row in (row for name in names for row in rows[name]):
            needed = [
                registry.source_file(row.source, row.feminine),
                registry.source_file(row.source, row.masculine),
                registry.lexicon_file(self.config.person_nouns, row.lang),
            ]
            missing = any(missing_file(file, mirror) for file in needed)
            if row.lang in languages and not (missing and self.config.skip_unavailable):
                feminine, masculine, lexicon = (file.path for file in needed)
                files.append({
                    "lang": row.lang,
                    "feminine": feminine,
                    "masculine": masculine,
                    "lexicon": lexicon,
                    "revision": next(iter(self.revision_of(row.lang)), ""),
                    "tokenizer": registry.tokenizer(row.lang, "icu"),
                    "first_names": registry.languages[row.lang].first_names,
                })  # fmt: skip
        return files

    @property
    def symmetry(self) -> list[str]:
        """The table of lexicons on balanced texts, as CSV and LaTeX; empty without such texts."""
        return _both(["symmetry"] * bool(self.balanced_files))

    @property
    def parallel_counts(self) -> list[str]:
        """The main counts of corpora whose languages translate the same documents."""
        return [
            path
            for unit, path in zip(self.main_units, self.main_counts, strict=True)
            if self.corpora[unit.corpus].parallel_to
        ]

    @property
    def average_lead(self) -> list[str]:
        """The table of the average over languages; empty without parallel texts."""
        return _csv(*["average_lead"] * bool(self.parallel_counts))

    @property
    def balanced_inputs(self) -> list[str]:
        """The files of `balanced_files`."""
        names = ("feminine", "masculine", "lexicon", "revision")
        return list(dict.fromkeys(file[name] for file in self.balanced_files for name in names if file[name]))

    def _engines_of(self, corpus: str) -> list[str]:
        is_of_sentences = self.registry.corpora[corpus].unit == "sentence"
        return self.settings.engines if is_of_sentences else self.settings.document_engines

    def _missing(self, unit: Unit) -> str:
        """Explain why a unit cannot be counted here, or return an empty string."""
        return (
            missing_file(self.registry.corpus_file(unit.corpus, unit.lang), self.config.mirror)
            or missing_file(self.registry.lexicon_file(self.config.person_nouns, unit.lang), self.config.mirror)
            or self._missing_tokenizer(self.registry.tokenizer(unit.lang, unit.engine))
        )

    def _missing_tokenizer(self, choice: TokenizerChoice) -> str:
        if not choice.model_record:
            return ""
        folder = str(getattr(self.config.models, choice.kind))
        missing = missing_model(choice.kind, choice.code, folder, offline=self.config.mirror is not None)
        # The models are public, so the only reason is a missing download.
        return missing and Need(Reason.NOT_DOWNLOADED, missing)

    # Counting one language.

    def lexicon(self, lang: str) -> str:
        """Return the lexicon of a language."""
        return self.registry.lexicon_file(self.config.person_nouns, lang).path

    def revision(self, wildcards: Any) -> list[str]:
        """List the file that revises the lexicon of a job's language: one path or none."""
        return self.revision_of(wildcards.lang)

    def revision_of(self, lang: str) -> list[str]:
        """List the file that revises a language's lexicon: one path or none."""
        path = self.registry.table_file(self.settings.revision, lang) if self.is_revised else ""
        return [path] if path else []

    @property
    def is_revised(self) -> bool:
        """True if the configured revision belongs to the counted lexicon, or is a lexicon of its own."""
        revision = self.settings.revision
        return revision is not None and self.registry.is_table_of(revision, self.config.person_nouns)

    def tokenizer(self, wildcards: Any) -> TokenizerChoice:
        """Return the tokenizer of a job."""
        return self.registry.tokenizer(wildcards.lang, wildcards.engine)

    def tokenizer_digest(self, wildcards: Any) -> str:
        """Return the digest of the tokenizer's code, which counting chooses at run time."""
        return code_digest(self.tokenizer(wildcards).module)

    def model(self, wildcards: Any) -> list[str]:
        """List the record of the model that a tokenizer needs: one path or none."""
        record = self.tokenizer(wildcards).model_record
        return [f"results/models/{record}"] if record else []

    @property
    def counted_together(self) -> dict[tuple[str, ...], list[str]]:
        """The languages of each set of corpora that one job counts: a crawl, or all others of one unit."""
        of_job: dict[tuple[str, str], list[str]] = {}
        for corpus, lang in dict.fromkeys((unit.corpus, unit.lang) for unit in self.units):
            row = self.registry.corpora[corpus]
            of_job.setdefault((corpus if row.wet_files else row.unit, lang), []).append(corpus)
        together: dict[tuple[str, ...], list[str]] = {}
        for (_, lang), corpora in of_job.items():
            together.setdefault(tuple(corpora), []).append(lang)
        return together

    def counts(self, corpus: str, engine: str) -> list[str]:
        """Return the counts of all languages of a corpus."""
        return [
            COUNTS.format(**unit._asdict()) for unit in self.units if (unit.corpus, unit.engine) == (corpus, engine)
        ]

    # Tables and figures.

    @property
    def ledger_summaries(self) -> list[str]:
        """The summaries to compare with the paper's numbers, beginning with those of the paper's tokenizer."""
        return _summaries(pair for engine in ENGINES for pair in self._corpora_with(engine))

    @property
    def tables(self) -> dict[str, list[str]]:
        """The files of tables by their input: the paper, lexicons, summaries, or matches in texts."""
        distributions = [f"distribution_{corpus}" for corpus in self.main_engines]
        summarised = [f"{procedure}/{name}" for procedure in PROCEDURES for name in (*distributions, "overview")]
        summarised += ["verdicts", "correction", *["revision"] * self.is_revised]
        divergences = [
            f"results/lexicon/divergence/{unit.corpus}/{unit.lang}.csv"
            for unit in self.main_units
            if unit.lang != self.pivots.get(unit.corpus, unit.lang)
        ]
        of_all = bool(self.main_units)
        return {
            "lexicons": _csv("precision") + self.lexicon_sizes,
            "summaries": _both(summarised * of_all + ["fidelity"] * bool(self.compared_summaries)),
            "matches": (_csv("fixes", "leave_one_out", *["layers"] * self.is_revised) + divergences) * of_all,
        }

    @property
    def judged(self) -> list[str]:
        """List the tables of judged matches, one per language that has any."""
        judged = map(self.registry.judged_matches, self.registry.languages)
        return sorted(filter(None, judged))

    @property
    def lexicon_sizes(self) -> list[str]:
        """The table of the lexicons' sizes; empty without a language."""
        return _csv(*["lexicon_sizes"] * bool(self.langs))

    @property
    def language_names(self) -> dict[str, str]:
        """The names of languages in figures."""
        return {lang: row.name for lang, row in self.registry.languages.items()}

    @property
    def figures(self) -> list[str]:
        """The files of figures: one for each procedure and corpus, and the sizes of lexicons."""
        drawn = [f"{procedure}/representation_{corpus}" for procedure in PROCEDURES for corpus in self.main_engines]
        names = [*drawn, *["lexicon_sizes"] * bool(self.langs)]
        return figure_files(FIGURES, *names)

    @property
    def published_corpora(self) -> dict[str, str]:
        """Map each table of the paper to its corpus."""
        return {row.published_table: name for name, row in self.registry.corpora.items() if row.published_table}

    # Crawls.

    def crawl_texts(self, crawl: str) -> list[str]:
        """List the counted samples of a crawl."""
        return [TEXTS.format(corpus=crawl, lang=unit.lang) for unit in self.main_units if unit.corpus == crawl]

    def _corpora_with(self, engine: str) -> list[tuple[str, str]]:
        """List the corpora with a language to count with an engine, each with that engine."""
        return list(dict.fromkeys((unit.corpus, unit.engine) for unit in self.units if unit.engine == engine))


def _summaries(corpora_and_engines: Iterable[tuple[str, str]]) -> list[str]:
    return [SUMMARY.format(corpus=corpus, engine=engine) for corpus, engine in corpora_and_engines]


def _csv(*names: str) -> list[str]:
    return [f"{TABLES}/{name}.csv" for name in names]


def _both(names: Iterable[str]) -> list[str]:
    """List the files of tables for machines and papers."""
    return [f"{TABLES}/{name}.{ending}" for name in names for ending in ("csv", "tex")]


STUDY = Study(
    "lexicon",
    "Lexicon (Muller 2023)",
    LexiconPlan,
    tables={"balanced_texts": BalancedTexts},
    noun_tables=(
        "lexicon_sizes",
        "distribution",
        "overview",
        "verdicts",
        "correction",
        "revision",
        "fidelity",
        "fixes",
        "leave_one_out",
        "layers",
    ),
)
