"""The paper's corpus and tools, and the polarity of a sentence (-1 to 1): by its model where it is, else a lexicon.

The paper (Urchs 2025, §2.3) takes the label of german-sentiment-bert, with its probability as the strength; neutral is
0. Without that model, textblob-de looks the lemmas up in the German Polarity Lexicon and minds negations. Nothing is
fetched; rules are read with this module, so it loads the tools themselves only when they are used.
"""

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from textparity.errors import MissingResourceError
from textparity.studies.newsroom.annotations import Annotation

if TYPE_CHECKING:
    pass

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
Scorer = Callable[[Annotation, int], float]
_SIGNS = {"positive": 1.0, "negative": -1.0, "neutral": 0.0}
_CACHED_SENTENCES = 20_000


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


"""Gives the polarity of a sentence, by its number."""


def load_scorer(method: str) -> Scorer | None:
    """Return a scorer of sentences, or None for `none`; `MissingResourceError` if what it needs is not installed."""
    if method == NONE:
        return None
    if method == LEXICON:
        return _lexicon_scorer()
    return _model_scorer(method)


def _lexicon_scorer() -> Scorer:
    if find_spec("textblob_de") is None:
        raise MissingResourceError(
            "newsroom.sentiment is lexicon, but textblob-de is not installed; install the extra: "
            "pip install 'textparity[newsroom]', or set it to none"
        )
    from textblob_de.sentiments import sentiment

    @lru_cache(maxsize=_CACHED_SENTENCES)
    def score_lemmas(lemmas: tuple[str, ...]) -> float:
        # A string would be lower-cased, and the lexicon's nouns are not.
        return float(sentiment(list(lemmas))[0]) if lemmas else 0.0

    def score(article: Annotation, sentence: int) -> float:
        start, end = article.sentences[sentence]
        return score_lemmas(tuple(lemma for lemma in article.lemmas[start:end] if any(map(str.isalpha, lemma))))

    return score


def _model_scorer(model: str) -> Scorer:
    if find_spec("transformers") is None:
        raise MissingResourceError(
            f"newsroom.sentiment is {model}, but transformers is not installed; install the extra: "
            "pip install 'textparity[sentiment]', or set it to lexicon"
        )
    from transformers import AutoModelForSequenceClassification, AutoTokenizer, pipeline

    try:
        # A measure does not fetch: the network has one door.
        parts = [
            kind.from_pretrained(model, local_files_only=True)
            for kind in (AutoModelForSequenceClassification, AutoTokenizer)
        ]
    except OSError as error:
        raise MissingResourceError(
            f"newsroom.sentiment: the model {model} cannot be loaded ({str(error).splitlines()[0]}); give a folder or "
            f"download it (hf download {model}), or set it to lexicon"
        ) from error
    classify = pipeline("sentiment-analysis", model=parts[0], tokenizer=parts[1], truncation=True)
    labels = set(classify.model.config.id2label.values())
    if not labels <= set(_SIGNS):
        raise MissingResourceError(
            f"newsroom.sentiment: {model} has the labels {', '.join(sorted(labels))}; it must have " + ", ".join(_SIGNS)
        )

    @lru_cache(maxsize=_CACHED_SENTENCES)
    def score_text(text: str) -> float:
        found = classify(text)[0]
        return _SIGNS[found["label"]] * found["score"]

    return lambda article, sentence: score_text(article.text_of(*article.sentences[sentence]))
