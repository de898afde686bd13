"""What the `lexicon` study counts, and functions for its rules: their inputs and params; no rules."""

from textparity.studies.lexicon.availability import (
    engines_of,
    lexicon_gaps,
    lexicon_units,
    tokenizer_of,
)
from textparity.measures.tokenizers import tokenizer_module

LEXICON_GAPS = lexicon_gaps(REGISTRY, CONFIG)
UNITS = [
    unit
    for unit in lexicon_units(REGISTRY, CONFIG)
    if not (CONFIG.skip_unavailable and unit in LEXICON_GAPS)
]
LEXICON_LANGS = sorted({lang for _, lang, _ in UNITS})
NOT_RUN["lexicon"] = [
    [*unit, reason] for unit, reason in LEXICON_GAPS.items() if CONFIG.skip_unavailable
]


def langs_of(corpus, engine):
    """Return the languages of `corpus` that `engine` can count in this run."""
    return [lang for name, lang, other in UNITS if (name, other) == (corpus, engine)]


def corpora_with(engine):
    """Return the corpora that have at least one language to count with `engine`."""
    return [corpus for corpus in LEXICON.corpora if langs_of(corpus, engine)]


def main_engine(corpus):
    """Return the engine whose counts of `corpus` fill the tables and figures."""
    return engines_of(REGISTRY.corpora[corpus], CONFIG)[0]


MAIN_CORPORA = [
    corpus for corpus in LEXICON.corpora if langs_of(corpus, main_engine(corpus))
]


def model_record(tokenizer):
    """Return the model record that a tokenizer needs, as a list of no or one path."""
    if tokenizer.kind == "stanza":
        return [f"results/models/stanza/{tokenizer.code}.json"]
    return ["results/models/nltk/punkt_tab.json"] if tokenizer.kind == "nltk" else []


def divergence_lists():
    """Return one list per language that has a text and the pivot's beside it."""
    pivots = {corpus: REGISTRY.corpora[corpus].parallel_to for corpus in MAIN_CORPORA}
    return [
        f"results/lexicon/divergence/{corpus}/{lang}.csv"
        for corpus, pivot in pivots.items()
        if pivot in langs_of(corpus, main_engine(corpus))
        for lang in langs_of(corpus, main_engine(corpus))
        if lang != pivot
    ]


def summary_of(corpus):
    """Return the summary that fills the tables and figures."""
    return SUMMARY.format(corpus=corpus, engine=main_engine(corpus))
