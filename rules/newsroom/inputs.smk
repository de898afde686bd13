"""What the `newsroom` study measures, and functions for its rules: their inputs and params; no rules."""

from textparity.studies.newsroom.availability import newsroom_gaps
from textparity.studies.newsroom.tools import (
    NEWSROOM_LANGUAGE,
    pipeline_version,
    sentiment_method,
)

NEWSROOM_GAPS = newsroom_gaps(REGISTRY, CONFIG)
# Figures 1 to 3, before and after balancing; the years that the authors publish, in both states.
SHARE_FIGURES = ["references", "quotes", "roles"]
SUMMARIES = ("summary", "balanced_summary")
YEARLY_FIGURES = {
    "unbalanced": "resources/newsroom/published_yearly_unbalanced.csv",
    "balanced": "resources/newsroom/published_yearly_balanced.csv",
}
BALANCE_STEPS = ["before", "after_flagging", "after_balancing"]
NEWSROOM_PARTS = range(NEWSROOM.parts)
NEWSROOM_WORD_LISTS = {
    name: resource(path) for name, path in NEWSROOM.word_lists.model_dump().items()
}


def is_news_left_out(corpus):
    """Whether a corpus of articles is not run: with skip_unavailable, or because it is not public."""
    row = REGISTRY.article_corpora.get(corpus)
    return corpus in NEWSROOM_GAPS and (
        CONFIG.skip_unavailable or bool(row and row.access)
    )


NEWSROOM_CORPORA = (
    [corpus for corpus in NEWSROOM.corpora if not is_news_left_out(corpus)]
    if "newsroom" in CONFIG.studies
    else []
)
NOT_RUN["newsroom"] = [
    [corpus, NEWSROOM_LANGUAGE, "", reason]
    for corpus, reason in NEWSROOM_GAPS.items()
    if is_news_left_out(corpus)
]


def news_title(wildcards):
    """Return the title of a figure: which articles, by which rules."""
    corpus = REGISTRY.article_corpora[wildcards.news].name
    balanced = ", balanced" if wildcards.summary == "balanced_summary" else ""
    return f"{corpus}{balanced}, {wildcards.procedure} rules"


def article_document_ids(corpus):
    """Return the file of document ids of a corpus of lines, as a list of no or one path."""
    file = REGISTRY.article_document_ids(corpus)
    return [file.path] if file else []
