"""BERTScore where its model is on this machine; nothing is downloaded to find out, or to score."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from textparity.errors import MissingResourceError

# What the package bert-score takes for English, which the authors ask for, and for Ukrainian.
MODELS = {"en": "roberta-large", "uk": "bert-base-multilingual-cased"}
_FILES = (("config.json",), ("model.safetensors", "pytorch_model.bin"))


def missing_bert_score(lang: str) -> str:
    """Return why BERTScore with the model for `lang` cannot be had here, or an empty string."""
    if find_spec("bert_score") is None:
        return "the package bert-score is not installed (pip install 'textparity[bert-score]')"
    from huggingface_hub import try_to_load_from_cache

    model = MODELS[lang]
    if all(any(isinstance(try_to_load_from_cache(model, name), str) for name in names) for names in _FILES):
        return ""
    return f"the model {model} is not in the Hugging Face cache (hf download {model})"


def bert_scores(outputs: list[str], references: list[str], lang: str) -> list[float]:
    """Return the F1 of each output; raises `MissingResourceError` where it cannot be had."""
    if reason := missing_bert_score(lang):
        raise MissingResourceError(reason)
    with _offline():
        import bert_score

        return [float(value) for value in bert_score.score(outputs, references, lang=lang)[2]]


@contextmanager
def _offline() -> Iterator[None]:
    """Keep the Hub's client from asking for newer models."""
    before = os.environ.get("HF_HUB_OFFLINE")
    os.environ["HF_HUB_OFFLINE"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["HF_HUB_OFFLINE"]
        else:
            os.environ["HF_HUB_OFFLINE"] = before
