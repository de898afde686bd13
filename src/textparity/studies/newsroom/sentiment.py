"""The polarity of a sentence, from -1 to 1: by the paper's model where it is installed, else by a lexicon.

The paper (Urchs 2025, §2.3) takes the label of german-sentiment-bert, with its probability as the strength; neutral is
0. Without that model, textblob-de looks the lemmas up in the German Polarity Lexicon and minds negations.
"""

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec

from textparity.errors import MissingResourceError
from textparity.studies.newsroom.annotations import Annotation
from textparity.studies.newsroom.tools import LEXICON, NONE

Scorer = Callable[[Annotation, int], float]
"""Gives the polarity of a sentence, by its number."""
_SIGNS = {"positive": 1.0, "negative": -1.0, "neutral": 0.0}
_CACHED_SENTENCES = 20_000


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
