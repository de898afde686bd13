"""Find the study's tools on this machine, spaCy pipelines and sentiment models, without fetching anything.

Rule files import this module while they are parsed, so it loads no tool.
"""

import json
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from textparity.errors import how_to_install
from textparity.persons.actors.languages import PAPER_LANGUAGE, language_suffix
from textparity.sources.model_files import cached_file

# The stages of balancing; each has a row of ratios.
STAGES = ("before", "after_flagging", "after_balancing")
PAPER_CORPUS = "taz"
# The annotated passages, parsed and measured like a corpus of articles.
GOLD_CORPUS = "newsroom_gold"
PAPER_PIPELINE = "de_core_news_lg"
PAPER_COREFERENCE = "coreferee"
PAPER_SENTIMENT = "oliverguhr/german-sentiment-bert"
LEXICON = "lexicon"
NONE = "none"


def gold_corpus(lang: str) -> str:
    """Name the corpus under which the annotated passages of a language are parsed and measured."""
    return GOLD_CORPUS + language_suffix(lang)


def missing_pipeline(model: str) -> str:
    """Explain why a spaCy pipeline cannot be loaded here, or return an empty string; the check loads nothing."""
    if find_spec("spacy") is None:
        return f"spaCy is not installed; install the extra: {how_to_install('newsroom')}"
    # For a dotted name, find_spec would import the parent packages.
    is_package = model.isidentifier() and find_spec(model) is not None
    if not is_package and not (Path(model) / "meta.json").is_file():
        return (
            f"there is no spaCy pipeline {model}, neither as an installed package (python -m spacy download {model}) "
            "nor as a folder with a meta.json; set newsroom.spacy_model"
        )
    return ""


def pipeline_version(model: str) -> str:
    """Look up the version of a spaCy pipeline without loading it; an empty string if it is not installed."""
    meta = Path(model) / "meta.json"
    if meta.is_file():
        return json.loads(meta.read_text(encoding="utf-8"))["version"]
    try:
        return version(model)
    except PackageNotFoundError:
        return ""


def sentiment_method(wanted: str, lang: str = PAPER_LANGUAGE) -> str:
    """Decide the scorer to use here: `lexicon`, `none`, or the name or folder of a model. Loads and fetches nothing.

    `auto` is the paper's model if its files are on this machine, else the lexicon, else none. Model and lexicon are
    German: for another language, `auto` and the lexicon are none.
    """
    if lang != PAPER_LANGUAGE and wanted in ("auto", LEXICON, PAPER_SENTIMENT):
        return NONE
    if wanted != "auto":
        return wanted
    if _model_is_here(PAPER_SENTIMENT):
        return PAPER_SENTIMENT
    return LEXICON if find_spec("textblob_de") else NONE


def _model_is_here(model: str) -> bool:
    if find_spec("transformers") is None:
        return False
    if (Path(model) / "config.json").is_file():
        return True
    return cached_file(model, "config.json") is not None


"""Gives the polarity of a sentence, by its number."""
