"""Plan the `newsroom` study: what it measures and balances, and what cannot be measured here."""

from textparity.counting import PROCEDURES
from textparity.errors import ConfigError
from textparity.files import require_rows
from textparity_studies.newsroom.languages import LANGUAGES, PAPER_LANGUAGE
from textparity_studies.newsroom.rows import ArticleCorpus, article_files, document_ids_files
from textparity_studies.newsroom.settings import PAPER_CORPUS, gold_corpus, missing_pipeline
from textparity_studies.workflow.availability import missing_file
from textparity_studies.workflow.study import Study, StudyContext, StudyPlan


class NewsroomPlan(StudyPlan):
    """Plan the `newsroom` study.

    `corpora` are measured; `paper_procedures` are those by which one of them, the paper's, is. `gold_corpora` maps the
    annotated passages to their languages; `gold_langs` are the languages of those that are available. `langs` maps both
    kinds of texts to their languages, and `annotations` maps those that were parsed elsewhere to their files.
    """

    def __init__(self, context: StudyContext) -> None:
        super().__init__(context)
        self.settings = context.config.newsroom
        known = self.registry.article_corpora
        self.text_names = {name: row.name for name, row in known.items()}
        chosen = [known[name].lang for name in self.settings.corpora if name in known]
        self.gold_corpora = {gold_corpus(lang): lang for lang in chosen}
        self.langs = {name: row.lang for name, row in known.items()} | self.gold_corpora
        self.annotations = {name: context.resource(path) for name, path in self.settings.annotations.items()}
        is_on = context.is_on("newsroom")
        unavailable = self.find_unavailable() if is_on else {}
        left_out = {corpus: reason for corpus, reason in unavailable.items() if self._is_left_out(corpus)}
        self.not_run = [[corpus, self.langs[corpus], "", reason] for corpus, reason in left_out.items()]
        self.corpora = [corpus for corpus in self.settings.corpora if is_on and corpus not in left_out]
        self.gold_langs = [lang for corpus, lang in self.gold_corpora.items() if corpus not in left_out]
        self.paper_procedures = PROCEDURES if PAPER_CORPUS in self.corpora else ()

    def find_unavailable(self) -> dict[str, str]:
        """List the corpora of articles, and the annotated passages, that cannot be measured here, with the reason.

        Raises `ConfigError` for an unknown corpus, and for one in a language without rules or word lists.
        """
        self._check_settings()
        reasons = {}
        for corpus in [*self.settings.corpora, *self.gold_corpora]:
            if reason := self._explain_unavailable(corpus):
                reasons[corpus] = reason
        return reasons

    def _check_settings(self) -> None:
        settings, known = self.settings, self.registry.article_corpora
        table = self.registry.paths["article_corpora"]
        require_rows("newsroom.corpora", settings.corpora, known, table)
        every_gold = [gold_corpus(lang) for lang in LANGUAGES]
        require_rows("newsroom.annotations", settings.annotations, known, table, besides=every_gold)
        if foreign := [name for name in settings.corpora if known[name].lang not in LANGUAGES]:
            raise ConfigError(
                f"newsroom.corpora: {', '.join(foreign)} is in none of {', '.join(LANGUAGES)}, the languages that the "
                "study has rules for: take it out"
            )
        langs = list(self.gold_corpora.values())
        files = {f"word_lists.{name}": path for name, path in settings.word_lists.model_dump().items()}
        for key, path in {**files, "gold": settings.gold}.items():
            if "{lang}" not in path and langs != [PAPER_LANGUAGE]:
                raise ConfigError(
                    f"newsroom.{key}: {path} is one file, and the corpora are in {', '.join(langs)}; write {{lang}} "
                    "where the name of a file has the language"
                )
        if settings.annotations and settings.parts != 1:
            raise ConfigError("newsroom.parts: must be 1 with newsroom.annotations, which are one file a corpus")

    def _explain_unavailable(self, corpus: str) -> str:
        """Explain why a corpus or annotated passages cannot be measured here, or return an empty string."""
        if corpus in self.registry.article_corpora:
            for file in article_files(self.registry, corpus) + document_ids_files(self.registry, corpus):
                if reason := missing_file(file, self.config.mirror):
                    return reason
        return "" if corpus in self.annotations else missing_pipeline(self.model(corpus))

    def _is_left_out(self, corpus: str) -> bool:
        """Decide whether to skip an unavailable corpus without an error, by the config or because it is not public."""
        row = self.registry.article_corpora.get(corpus)
        return self.config.skip_unavailable or bool(row and row.access)

    def model(self, corpus: str) -> str:
        """Return the pipeline for a corpus or for annotated passages."""
        return getattr(self.settings.spacy_model, self.langs[corpus])

    def word_lists(self, corpus: str) -> dict[str, str]:
        """Return the word lists for a corpus or for annotated passages."""
        lists = self.settings.word_lists.model_dump()
        return {name: self._in_language(path, corpus) for name, path in lists.items()}

    def gold(self, gold_corpus: str) -> str:
        """Return the file of annotated passages that are parsed as a corpus."""
        return self._in_language(self.settings.gold, gold_corpus)

    def _in_language(self, path: str, corpus: str) -> str:
        return self.context.resource(path.replace("{lang}", self.langs[corpus]))


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
