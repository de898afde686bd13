"""Plan the `newsroom` study: the outputs it makes, those that cannot be made here, and the inputs of its rules."""

from collections.abc import Iterable
from itertools import product
from typing import Any

from textparity.counting import PROCEDURES
from textparity.errors import ConfigError
from textparity.files import require_rows
from textparity_studies.newsroom.languages import LANGUAGES, PAPER_LANGUAGE
from textparity_studies.newsroom.rows import ArticleCorpus, article_files, document_ids_files
from textparity_studies.newsroom.settings import (
    GOLD_CORPUS,
    PAPER_CORPUS,
    STAGES,
    gold_corpus,
    language_suffix,
    missing_pipeline,
    pipeline_version,
    sentiment_method,
)
from textparity_studies.report.catalogue import figure_files
from textparity_studies.workflow.availability import missing_file, require_files
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan

RESULTS = "results/newsroom"
CORPUS = f"{RESULTS}/{{article_corpus}}"
# One corpus by one procedure.
UNIT = f"{CORPUS}/{{procedure}}"
TABLES, FIGURES = (f"{RESULTS}/{kind}/{{article_corpus}}/{{procedure}}" for kind in ("tables", "figures"))
# The panels of Figures 1 to 3.
SHOWN = ("references", "quotes", "roles")
# The states of the corpus in the authors' yearly reports.
STATES = ("unbalanced", "balanced")


def fill(patterns: Iterable[str], **values: Iterable[object]) -> list[str]:
    """Fill the wildcards of each of `patterns` with all combinations of `values`; other wildcards stay."""
    paths = []
    for pattern in patterns:
        used = {name: values[name] for name in values if f"{{{name}}}" in pattern}
        for combination in product(*used.values()):
            path = pattern
            for name, value in zip(used, combination, strict=True):
                path = path.replace(f"{{{name}}}", str(value))
            paths.append(path)
    return paths


def table(folder: str, name: str) -> list[str]:
    """Name a table's CSV and LaTeX files."""
    return [f"{folder}/{name}.csv", f"{folder}/{name}.tex"]


class NewsroomPlan(StudyPlan):
    """Plan the `newsroom` study: the places of its files, and the files to make."""

    corpus = CORPUS
    articles = f"{CORPUS}/articles/{{part}}.parquet"
    rejected = f"{CORPUS}/rejected.csv"
    annotations = f"{CORPUS}/annotations/{{part}}.parquet"
    gold_annotations = f"{RESULTS}/{{gold_corpus}}/annotations/0.parquet"
    # The suffix is that of a language; the paper's has none.
    scored_annotations = f"{RESULTS}/{GOLD_CORPUS}{{suffix}}/annotations/0.parquet"
    quality_table = table(f"{RESULTS}/tables", "quality{suffix}")
    actors = f"{UNIT}/actors/{{part}}.parquet"
    measures = f"{UNIT}/measures/{{part}}.parquet"
    words = f"{UNIT}/words/{{part}}.parquet"
    pronoun_shares = f"{UNIT}/pronoun_shares/{{part}}.csv"
    inclusive_forms = f"{UNIT}/inclusive_forms/{{part}}.parquet"
    summary = f"{UNIT}/summary.csv"
    top_words = f"{UNIT}/top_words.csv"
    flags = f"{UNIT}/flags.parquet"
    excluded = f"{UNIT}/excluded.csv"
    ratios = f"{UNIT}/ratios.csv"
    kept = f"{UNIT}/kept.parquet"
    balanced_summary = f"{UNIT}/balanced_summary.csv"
    balanced = f"{UNIT}/balanced"

    pronoun_share_table = table(TABLES, "pronoun_shares")
    flag_table = table(TABLES, "flags")
    exclusion_table = table(TABLES, "exclusions")
    report = (f"{TABLES}/report.tex", f"{RESULTS}/pages/{{article_corpus}}.{{procedure}}.html")
    actor_error_table = f"{RESULTS}/tables/actor_errors.csv"
    inclusive_form_table = table(f"{RESULTS}/tables", "inclusive_forms")

    share_figures = figure_files(FIGURES, *(f"summary_{shown}" for shown in SHOWN))
    gender_ratio_figures = figure_files(FIGURES, *(f"gender_ratios_{stage}" for stage in STAGES))
    balanced_share_figures = figure_files(FIGURES, *(f"balanced_summary_{shown}" for shown in SHOWN))
    balancing_figures = (
        *figure_files(FIGURES, "flags", "exclusions"),
        *gender_ratio_figures,
        *balanced_share_figures,
    )
    yearly_share_figures = figure_files(
        f"{RESULTS}/figures", *(f"taz2024full_{state}_{shown}" for shown in SHOWN for state in STATES)
    )
    yearly_figures = (*yearly_share_figures, *figure_files(f"{RESULTS}/figures/taz2024full", "exclusions"))

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = self.config.newsroom
        self.parts = range(self.settings.parts)
        self.yearly_reports = {
            state: context.resource(f"resources/newsroom/published_yearly_{state}.csv") for state in STATES
        }
        self.resource = context.resource
        self.text_names = {name: row.name for name, row in self.registry.article_corpora.items()}
        annotations = {name: context.resource(path) for name, path in self.settings.annotations.items()}
        rows = [row for name in self.settings.corpora if (row := self.registry.article_corpora.get(name))]
        # Languages of the corpora, in their order, keyed by the names of their annotated passages.
        self.gold_corpora = {gold_corpus(row.lang): row.lang for row in rows}
        self.gold_conllu_files = {name: path for name, path in annotations.items() if name in self.gold_corpora}
        self.conllu_files = {name: path for name, path in annotations.items() if name in self.registry.article_corpora}
        is_on = context.is_on("newsroom")
        unavailable = self.find_unavailable() if is_on else {}
        left_out = {corpus: reason for corpus, reason in unavailable.items() if self._is_left_out(corpus)}
        self.not_run = [[corpus, self.lang_of(corpus), "", reason] for corpus, reason in left_out.items()]
        self.gold_langs = [lang for corpus, lang in self.gold_corpora.items() if corpus not in left_out]
        self.corpora = [corpus for corpus in self.settings.corpora if is_on and corpus not in left_out]
        self.balanced_procedures = [name for name in PROCEDURES if name in self.settings.balance.procedures]
        # All lists of units have this order.
        self.units = [
            {
                "corpus": corpus,
                "name": self.registry.article_corpora[corpus].name,
                "lang": self.lang_of(corpus),
                "procedure": procedure,
            }
            for corpus, procedure in product(self.corpora, PROCEDURES)
        ]
        self.targets = self._list_targets()

    def find_unavailable(self) -> dict[str, str]:
        """List the corpora of articles, and the annotated passages, that cannot be measured here, with the reason.

        Raises `ConfigError` for an unknown corpus.
        """
        study, known, path = self.settings, self.registry.article_corpora, self.registry.paths["article_corpora"]
        require_rows("newsroom.corpora", study.corpora, known, path)
        every_gold = [gold_corpus(lang) for lang in LANGUAGES]
        require_rows("newsroom.annotations", study.annotations, known, path, besides=every_gold)
        if foreign := [name for name in study.corpora if known[name].lang not in LANGUAGES]:
            raise ConfigError(
                f"newsroom.corpora: {', '.join(foreign)} is in none of {', '.join(LANGUAGES)}, the languages that the "
                "study has rules for: take it out"
            )
        langs = list(self.gold_corpora.values())
        for key, named in {**study.word_lists.model_dump(), "gold": study.gold}.items():
            if "{lang}" not in named and set(langs) != {PAPER_LANGUAGE}:
                where = key if key == "gold" else f"word_lists.{key}"
                raise ConfigError(
                    f"newsroom.{where}: {named} is one file, and the corpora are in {', '.join(langs)}; write {{lang}} "
                    "where the name of a file has the language"
                )
        if study.annotations and study.parts != 1:
            raise ConfigError("newsroom.parts: must be 1 with newsroom.annotations, which are one file a corpus")
        reasons = {}
        for corpus in [*study.corpora, *self.gold_corpora]:
            files = []
            if corpus in known:
                files = article_files(self.registry, corpus) + document_ids_files(self.registry, corpus)
            reason = next(filter(None, (missing_file(file, self.config.mirror) for file in files)), "")
            if not reason and corpus not in study.annotations:
                reason = missing_pipeline(self.model_of(corpus))
            if reason:
                reasons[corpus] = reason
        return reasons

    def _is_left_out(self, corpus: str) -> bool:
        """Decide whether to skip an unavailable corpus without an error, by the config or because it is not public."""
        row = self.registry.article_corpora.get(corpus)
        return self.config.skip_unavailable or bool(row and row.access)

    def lang_of(self, corpus: str) -> str:
        """Return the language of a corpus or of annotated passages."""
        row = self.registry.article_corpora.get(corpus)
        return row.lang if row else self.gold_corpora[corpus]

    def passages(self, wildcards: Any) -> str:
        """Name the annotated passages on which a job scores the rules; only the paper's language has no suffix."""
        return f"{GOLD_CORPUS}{wildcards.suffix}"

    def corpus_name(self, corpus: str) -> str:
        """Return the name of a corpus in figures."""
        return self.registry.article_corpora[corpus].name

    def word_lists(self, corpus: str) -> dict[str, str]:
        """Return the word lists for a corpus or for annotated passages."""
        lists, lang = self.settings.word_lists.model_dump(), self.lang_of(corpus)
        return {name: self.resource(path.replace("{lang}", lang)) for name, path in lists.items()}

    def model_of(self, corpus: str) -> str:
        """Return the pipeline for articles or passages."""
        return getattr(self.settings.spacy_model, self.lang_of(corpus))

    def model(self, wildcards: Any) -> str:
        """Return the pipeline for a corpus or for annotated passages."""
        return self.model_of(wildcards.get("article_corpus") or wildcards.get("gold_corpus"))

    def model_version(self, wildcards: Any) -> str:
        """Return the version of that pipeline."""
        return pipeline_version(self.model(wildcards))

    def sentiment(self, corpus: str) -> str:
        """Name the scorer of a corpus' sentences."""
        return sentiment_method(self.settings.sentiment, self.lang_of(corpus))

    def gold(self, gold_corpus: str) -> str:
        """Return the annotated passages that are parsed as a corpus."""
        return self.resource(self.settings.gold.replace("{lang}", self.gold_corpora[gold_corpus]))

    @property
    def quality_tables(self) -> list[str]:
        """The quality tables of all languages."""
        return [path for lang in self.gold_langs for path in fill(self.quality_table, suffix=[language_suffix(lang)])]

    def quality_of(self, corpus: str) -> list[str]:
        """List the quality table of a corpus' language: one path, or none if the quality is unknown."""
        lang = self.lang_of(corpus)
        return fill(self.quality_table[:1], suffix=[language_suffix(lang)]) if lang in self.gold_langs else []

    def sources(self, wildcards: Any) -> list[str]:
        """List the files of a corpus; for a missing one that is not public, an error explains how to get it."""
        return require_files(article_files(self.registry, wildcards.article_corpus), self.config.mirror)

    def document_ids(self, corpus: str) -> list[str]:
        """List the file of document ids of a corpus of lines: one path or none."""
        return [file.path for file in document_ids_files(self.registry, corpus)]

    def of_unit(self, pattern: str) -> list[str]:
        """List the parts of a file of one unit, whose wildcards stay."""
        return fill([pattern], part=self.parts)

    def of_units(self, *patterns: str, balanced: bool = False) -> list[str]:
        """List the files of all units, or of the balanced ones; the files of one unit are adjacent."""
        procedures = self.balanced_procedures if balanced else PROCEDURES
        return [
            path
            for corpus, procedure in product(self.corpora, procedures)
            for path in fill(patterns, article_corpus=[corpus], procedure=[procedure], part=self.parts)
        ]

    def of_paper_corpus(self, pattern: str) -> list[str]:
        """List the files of the paper's own corpus; none if it is not available here."""
        corpora = [corpus for corpus in self.corpora if corpus == PAPER_CORPUS]
        return fill([pattern], article_corpus=corpora, procedure=PROCEDURES, part=[0])

    def _list_targets(self) -> list[str]:
        units = {"article_corpus": self.corpora, "procedure": PROCEDURES}
        balanced = {"article_corpus": self.corpora, "procedure": self.balanced_procedures}
        of_units = [self.summary, self.top_words, *self.report, *self.share_figures]
        of_balanced = [self.balanced, *self.flag_table, *self.exclusion_table, *self.balancing_figures]
        return [
            *self.yearly_figures,
            self.actor_error_table,
            *self.inclusive_form_table,
            *self.quality_tables,
            *fill([self.rejected], article_corpus=self.corpora),
            *fill([*of_units, *self.pronoun_share_table], **units),
            *fill(of_balanced, **balanced),
        ]


STUDY = Study(
    "newsroom",
    "Newsroom (Urchs 2025)",
    NewsroomPlan,
    tables={"article_corpora": ArticleCorpus},
    captions={
        "newsroom/tables/summary": "summary",
        "newsroom/tables/top_words": "top_words",
        "newsroom/figures/summary_*": "shares",
        "newsroom/figures/balanced_summary_*": "shares",
        "newsroom/figures/taz2024full_*": "shares",
    },
)
