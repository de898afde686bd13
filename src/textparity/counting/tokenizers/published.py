"""The tokenizers that the paper used for languages without Stanza: NLTK's `word_tokenize`, and PyThaiNLP for Thai."""

import json
from importlib.metadata import version
from pathlib import Path

from textparity.counting.tokenizers import Sentences
from textparity.errors import MissingResourceError, how_to_install


class TreebankTokenizer:
    """`nltk.word_tokenize` on lower-cased text (Punkt sentences, then Treebank words), with one sentence per text.

    With NLTK, the paper counts all words of a line, so the words of all its sentences form one list.
    """

    stand_in = False
    spaces_in_tokens = False

    def __init__(self, model: Path) -> None:
        import nltk
        from nltk.tokenize import NLTKWordTokenizer, PunktTokenizer

        record = json.loads(model.read_text(encoding="utf-8"))
        nltk.data.path.insert(0, record["folder"])
        self._sentences = PunktTokenizer("english")
        self._words = NLTKWordTokenizer()
        self.label = f"NLTK word_tokenize (nltk {version('nltk')})"

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.counting.tokenizers.Tokenizer`."""
        return [[tokens] if (tokens := self._tokens(text.lower())) else [] for text in texts]

    def _tokens(self, text: str) -> list[str]:
        return [token for sentence in self._sentences.tokenize(text) for token in self._words.tokenize(sentence)]


class ThaiTokenizer:
    """PyThaiNLP's default engine. Runs of white space stay tokens, as in the paper (the corrected count drops them)."""

    stand_in = False
    spaces_in_tokens = True

    def __init__(self) -> None:
        try:
            from pythainlp.tokenize import word_tokenize
        except ModuleNotFoundError:
            raise MissingResourceError(
                f"PyThaiNLP is not installed; install the extra: {how_to_install('workflow')}, or use --engine icu"
            ) from None

        self._cut_words = word_tokenize
        self.label = f"PyThaiNLP newmm (pythainlp {version('pythainlp')})"

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.counting.tokenizers.Tokenizer`."""
        return [[tokens] if (tokens := self._cut_words(text.lower())) else [] for text in texts]
