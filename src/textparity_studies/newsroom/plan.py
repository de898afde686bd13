"""Plan the `newsroom` study: the outputs it makes, those that cannot be made here, and the inputs of its rules."""

from collections.abc import Iterable
from itertools import product
from typing import Any

from textparity.counting.procedures import PROCEDURES
from textparity.errors import ConfigError
from textparity.persons.actors.languages import LANGUAGES, PAPER_LANGUAGE, language_suffix
from textparity.tsv import require_rows
from textparity_studies.newsroom.nlp_models import (
    PAPER_CORPUS,
    STAGES,
    gold_corpus,
    missing_pipeline,
    pipeline_version,
    sentiment_method,
)
from textparity_studies.report.catalogue import figure_files
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.study import Context, Study, StudyPlan

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
    balanced_share_figures = figure_files(FIGURES, *(f"balanced_summary_{shown}" for shown in SHOWN))
    gender_ratio_figures = figure_files(FIGURES, *(f"gender_ratios_{stage}" for stage in STAGES))
    flag_figure = figure_files(FIGURES, "flags")
    exclusion_figure = figure_files(FIGURES, "exclusions")
    yearly_share_figures = figure_files(
        f"{RESULTS}/figures", *(f"taz2024full_{state}_{shown}" for shown in SHOWN for state in STATES)
    )
    yearly_exclusion_figure = figure_files(f"{RESULTS}/figures/taz2024full", "exclusions")

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.settings = self.config.newsroom
        self.parts = range(self.settings.parts)
        self.yearly_reports = {
            state: context.resource(f"resources/newsroom/published_yearly_{state}.csv") for state in STATES
        }
        self.resource = context.resource
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
        self.captions = self._list_captions()

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
            ids = self.registry.article_document_ids(corpus) if corpus in known else None
            files = [*self.registry.article_files(corpus), *([ids] if ids else [])] if corpus in known else []
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

    def word_lists(self, lang: str) -> dict[str, str]:
        """Return the word lists of a language."""
        return {
            name: self.resource(path.replace("{lang}", lang))
            for name, path in self.settings.word_lists.model_dump().items()
        }

    def word_lists_of(self, corpus: str) -> dict[str, str]:
        """Return the word lists for a corpus."""
        return self.word_lists(self.lang_of(corpus))

    @property
    def word_lists_of_gold(self) -> dict[str, list[str]]:
        """Paths of each word list in all languages of annotated passages."""
        names = self.settings.word_lists.model_dump()
        return {name: [self.word_lists(lang)[name] for lang in self.gold_langs] for name in names}

    @property
    def annotations_of_gold(self) -> list[str]:
        """Paths of the passages' annotations, by language."""
        return fill([self.gold_annotations], gold_corpus=[gold_corpus(lang) for lang in self.gold_langs])

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

    def gold(self, lang: str) -> str:
        """Return the annotated passages of a language."""
        return self.resource(self.settings.gold.replace("{lang}", lang))

    def quality_table(self, lang: str) -> list[str]:
        """Name the table of the rules' quality in a language."""
        return table(f"{RESULTS}/tables", "quality" + language_suffix(lang))

    @property
    def quality_tables(self) -> list[str]:
        """The quality tables of all languages."""
        return [path for lang in self.gold_langs for path in self.quality_table(lang)]

    def document_ids(self, corpus: str) -> list[str]:
        """List the file of document ids of a corpus of lines: one path or none."""
        file = self.registry.article_document_ids(corpus)
        return [file.path] if file else []

    def of_corpus(self, *patterns: str, balanced: bool = False) -> list[str]:
        """List the files of a corpus, whose wildcard stays, by all procedures or by those that balance it."""
        return fill(patterns, procedure=self.balanced_procedures if balanced else PROCEDURES, part=self.parts)

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
        of_balanced = [self.balanced, *self.flag_table, *self.exclusion_table, *self.flag_figure]
        of_balanced += [*self.exclusion_figure, *self.gender_ratio_figures, *self.balanced_share_figures]
        return [
            *self.yearly_share_figures,
            *self.yearly_exclusion_figure,
            self.actor_error_table,
            *self.inclusive_form_table,
            *self.quality_tables,
            *fill([self.rejected], article_corpus=self.corpora),
            *fill([*of_units, *self.pronoun_share_table], **units),
            *fill(of_balanced, **balanced),
        ]

    def _list_captions(self) -> dict[str, str]:
        """Name the caption of each file that shares one, and of tables outside a folder of tables."""
        captions = dict.fromkeys(self.of_units(self.summary), "summary")
        captions |= dict.fromkeys(self.of_units(self.top_words), "top_words")
        captions |= dict.fromkeys(self.of_units(*self.share_figures), "shares")
        captions |= dict.fromkeys(self.quality_tables, "quality")
        captions |= dict.fromkeys([*self.of_units(*self.balanced_share_figures), *self.yearly_share_figures], "shares")
        return captions | dict.fromkeys(self.of_units(*self.gender_ratio_figures), "gender_ratios")


STUDY = Study("newsroom", "Newsroom (Urchs 2025)", NewsroomPlan)
