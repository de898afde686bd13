"""Engines that split text into words: the paper's choice per language, and ICU for large texts.

Every tokenizer takes unprocessed texts and returns, for each text, its sentences as lists of lower-cased tokens.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from textparity.errors import MissingResourceError

Sentences = list[list[str]]
ENGINES = ("paper", "icu")
# The module for each kind of tokenizer.
_MODULES = {"icu": "icu", "pythainlp": "published", "nltk": "published", "stanza": "neural"}


class Tokenizer(Protocol):
    """A tokenizer that splits batches of texts.

    `label` names the tool and its model for tables and the ledger. `stand_in` marks a model that replaces the official
    one. `spaces_in_tokens` is true if tokens may contain, or be, white space.
    """

    label: str
    stand_in: bool
    spaces_in_tokens: bool

    def cut(self, texts: list[str]) -> list[Sentences]:
        """Split each text into its sentences, as lists of lower-cased tokens (none for a blank text)."""
        ...


@dataclass(frozen=True)
class TokenizerChoice:
    """How to split one language with one engine: everything that a job needs to build the tokenizer.

    `split_sentences` makes ICU also find the ends of sentences, if the paper's procedure depends on them. `clitics` are
    the short words that ICU separates from others.
    """

    kind: str
    code: str
    split_sentences: bool = False
    expand_words: bool = False
    clitics: str = ""

    @property
    def module(self) -> str:
        """The module that splits words. `load_tokenizer` imports it only when it is needed."""
        return f"{__name__}.{_MODULES[self.kind]}"

    @property
    def model_record(self) -> str:
        """The record of the model that it needs, relative to the folder of models. Empty if it needs none."""
        return f"{self.kind}/{self.code}.json" if self.kind in ("stanza", "nltk") else ""


def load_tokenizer(choice: TokenizerChoice, model: Path | None = None) -> Tokenizer:
    """Build the tokenizer. `model` is the record of its model files if it has any.

    The libraries are imported here, so that a run that uses only ICU never loads PyTorch.
    """
    if choice.kind == "icu":
        from textparity.counting.tokenizers.icu import IcuTokenizer

        return IcuTokenizer(choice.code, choice.split_sentences, choice.clitics)
    if choice.kind == "pythainlp":
        from textparity.counting.tokenizers.published import ThaiTokenizer

        return ThaiTokenizer()
    if model is None:
        raise MissingResourceError(f"tokenizer {choice.kind} {choice.code}: needs the record of its model")
    if choice.kind == "nltk":
        from textparity.counting.tokenizers.published import TreebankTokenizer

        return TreebankTokenizer(model)
    from textparity.counting.tokenizers.neural import StanzaTokenizer

    return StanzaTokenizer(choice.code, model, choice.expand_words)
