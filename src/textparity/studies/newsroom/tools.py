"""What of the study's tools is on this machine: spaCy pipelines, Coreferee, sentiment; nothing is fetched.

Rules are parsed with this module, so it loads the tools themselves only when they are used.
"""

import io
import json
import logging
from contextlib import redirect_stdout
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.errors import MissingResourceError

if TYPE_CHECKING:
    from spacy.language import Language

log = logging.getLogger(__name__)

LANGUAGE = "deu"
# Of a corpus that is balanced: a row of its ratios each.
STAGES = ("before", "after_flagging", "after_balancing")
PAPER_CORPUS = "taz"
# The annotated passages, parsed and measured like a corpus of articles.
GOLD_CORPUS = "newsroom_gold"
PAPER_PIPELINE = "de_core_news_lg"
PAPER_COREFERENCE = "coreferee"
PAPER_SENTIMENT = "oliverguhr/german-sentiment-bert"
LEXICON = "lexicon"
NONE = "none"
# What the rules read, by spaCy's names for what its components assign.
_NEEDED = {
    "doc.ents": "names of persons",
    "token.dep": "sentences and grammatical roles",
    "token.pos": "nouns, verbs and pronouns",
    "token.morph": "number, mood and case",
    "token.lemma": "speech verbs",
    "token.tag": "infinitives with zu",
}


def missing_pipeline(model: str) -> str:
    """Return why a spaCy pipeline cannot be loaded here, or an empty string; nothing is loaded to find out."""
    if find_spec("spacy") is None:
        return "spaCy is not installed; install the extra: pip install 'textparity[newsroom]'"
    # Of a name with a dot, find_spec would import what stands before it.
    is_package = model.isidentifier() and find_spec(model) is not None
    if not is_package and not (Path(model) / "meta.json").is_file():
        return (
            f"there is no spaCy pipeline {model}, neither as an installed package (python -m spacy download {model}) "
            "nor as a folder with a meta.json; set newsroom.spacy_model"
        )
    return ""


def pipeline_version(model: str) -> str:
    """Return the version of a spaCy pipeline, or an empty string where it is not here; nothing is loaded."""
    meta = Path(model) / "meta.json"
    if meta.is_file():
        return json.loads(meta.read_text(encoding="utf-8"))["version"]
    try:
        return version(model)
    except PackageNotFoundError:
        return ""


def load_pipeline(model: str) -> "Language":
    """Return the spaCy pipeline of a package or folder; `MissingResourceError` if it is not here or lacks a part."""
    if reason := missing_pipeline(model):
        raise MissingResourceError(reason)
    import spacy
    from thinc.api import NumpyOps, set_current_ops

    # NumPy's own BLAS multiplies three times faster here than the one thinc takes by default.
    set_current_ops(NumpyOps(use_blis=False))
    nlp = spacy.load(model)
    given = {name for pipe in nlp.pipe_names for name in nlp.get_pipe_meta(pipe).assigns}
    if missing := [f"{name} ({purpose})" for name, purpose in _NEEDED.items() if name not in given]:
        raise MissingResourceError(
            f"the spaCy pipeline {model} assigns no {', '.join(missing)}; name another as newsroom.spacy_model, or "
            "switch its components on"
        )
    return nlp


def pipeline_name(nlp: "Language") -> str:
    """Return a pipeline's language, name and version, as in `de_core_news_lg 3.8.0`."""
    return f"{nlp.meta['lang']}_{nlp.meta['name']} {nlp.meta['version']}"


def load_coreferee(nlp: "Language") -> "Any | None":
    """Return Coreferee for this pipeline, or None where it or a model that fits is not installed."""
    if find_spec("coreferee") is None:
        return None
    import coreferee  # noqa: F401  (registers the pipe)
    from coreferee.errors import (
        LanguageNotSupportedError,
        ModelNotSupportedError,
        OutdatedCorefereeModelError,
        VectorsModelHasWrongVersionError,
        VectorsModelNotInstalledError,
    )

    try:
        # It also prints what it raises.
        with redirect_stdout(io.StringIO()):
            return nlp.create_pipe("coreferee")
    except (
        ImportError,
        LanguageNotSupportedError,
        ModelNotSupportedError,
        OutdatedCorefereeModelError,
        VectorsModelHasWrongVersionError,
        VectorsModelNotInstalledError,
    ) as error:
        log.info("no Coreferee model for %s: %s", pipeline_name(nlp), error)
    except SystemExit:
        # Coreferee ends the process where its model for the language is not installed.
        log.info("Coreferee's model for %s is not installed", nlp.meta["lang"])
    return None


def sentiment_method(wanted: str) -> str:
    """Return what will score here: `lexicon`, `none`, or the name or folder of a model. Nothing is loaded or fetched.

    `auto` is the paper's model if its files are on this machine, else the lexicon, else none.
    """
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
    from huggingface_hub import try_to_load_from_cache

    return isinstance(try_to_load_from_cache(model, "config.json"), str)
