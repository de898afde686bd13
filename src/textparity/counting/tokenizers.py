"""Engines that split text into words: the paper's choice per language, and ICU for large texts.

Every tokenizer takes unprocessed texts and returns, for each text, its sentences as lists of lower-cased tokens.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain, islice
from pathlib import Path
from typing import Protocol

from icu4py.breakers import SentenceBreaker, WordBreaker

from textparity.counting import Sentences
from textparity.errors import MissingResourceError, how_to_install

ENGINES = ("paper", "icu")
APOSTROPHES = "'\u2019"
# In a cell of clitics: any letters before an apostrophe, and an apostrophe at the end of a word.
_ANY_LETTERS, _AT_END = "*'", "+'"


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

    `split_sentences`: ICU also finds the ends of sentences, because the paper's procedure depends on them. `clitics`
    are the short words that ICU separates from others.
    """

    kind: str
    code: str
    split_sentences: bool = False
    expand_words: bool = False
    clitics: str = ""

    @property
    def module(self) -> str:
        """The module that splits words. `load_tokenizer` imports it only when it is needed."""
        return "textparity.counting.stanza_tokenizer" if self.kind == "stanza" else __name__

    @property
    def engine(self) -> str:
        """The engine, one of `ENGINES`."""
        return "icu" if self.kind == "icu" else "paper"

    @property
    def model_record(self) -> str:
        """The record of the model that it needs, relative to the folder of models. Empty if it needs none."""
        return f"{self.kind}/{self.code}.json" if self.kind in ("stanza", "nltk") else ""


def load_tokenizer(choice: TokenizerChoice, model: Path | None = None) -> Tokenizer:
    """Build the tokenizer. `model` is the record of its model files if it has any."""
    if choice.kind == "icu":
        return IcuTokenizer(choice.code, choice.split_sentences, choice.clitics)
    if choice.kind == "pythainlp":
        return ThaiTokenizer()
    if model is None:
        raise MissingResourceError(f"tokenizer {choice.kind} {choice.code}: needs the record of its model")
    if choice.kind == "nltk":
        return TreebankTokenizer(model)
    # Imported here, so that a run with other tokenizers never loads PyTorch.
    from textparity.counting.stanza_tokenizer import StanzaTokenizer

    return StanzaTokenizer(choice.code, model, choice.expand_words)


class Clitics:
    """The short words that a language joins to others with an apostrophe (' or ’), from the cell of its row.

    `l'` is separated from the word after it, `'s` from the word before it. `*'` stands for any letters before an
    apostrophe. `+'` means that an apostrophe at the end of a word belongs to it. All other words with an apostrophe
    stay whole: aujourd'hui.
    """

    def __init__(self, cell: str) -> None:
        rules = cell.split()
        self.end_words = _AT_END in rules
        self.words = [rule.strip("*+'") for rule in rules]
        before: list[str] = []
        after: list[str] = []
        for rule in rules:
            if rule == _ANY_LETTERS:
                before.append(".+?")
            elif rule.endswith("'") and rule != _AT_END:
                before.append(re.escape(rule[:-1]))
            if rule.startswith("'"):
                after.append(re.escape(rule[1:]))
        # Without words, a pattern never matches.
        words_before = "|".join(before) or "(?!)"
        words_after = "|".join(after) or "(?!)"
        self._first = re.compile(rf"(?:{words_before})[{APOSTROPHES}](?=.)")
        self._last = re.compile(rf"(?<=.)[{APOSTROPHES}](?:{words_after})$")

    def cut(self, word: str) -> list[str]:
        """Split a lower-cased word into its parts."""
        parts = []
        before = self._first.match(word)
        while before:
            parts.append(before[0])
            word = word[before.end() :]
            before = self._first.match(word)
        after = self._last.search(word)
        if after:
            return [*parts, word[: after.start()], after[0]]
        return [*parts, word]


class IcuTokenizer:
    """Tokens are ICU word segments that are not white space. Punctuation marks are tokens, as in Stanza and NLTK.

    Sentences are split before lower-casing, since ICU expects a capital after a full stop. `clitics` is a cell of the
    languages table: see `Clitics`.
    """

    stand_in = False
    spaces_in_tokens = False

    def __init__(self, locale: str, split_sentences: bool = False, clitics: str = "") -> None:
        self.locale = locale
        self.split_sentences = split_sentences
        settings = f"{locale}, clitics" if clitics else locale
        self.label = f"ICU ({settings}, icu4py {version('icu4py')})"
        self.clitics = Clitics(clitics) if clitics else None

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.counting.tokenizers.Tokenizer`."""
        # Starting ICU costs more than processing a line, so a batch is passed as one text. A line feed ends any word or
        # sentence.
        lines = [text.replace("\n", " ") for text in texts]
        sentences = self._sentences(lines) if self.split_sentences else [[line] for line in lines]
        words = self._words(list(chain.from_iterable(sentences)))
        cut = []
        for of_text in sentences:
            tokenized = islice(words, len(of_text))
            cut.append([tokens for tokens in tokenized if tokens])
        return cut

    def _sentences(self, lines: list[str]) -> list[list[str]]:
        cut: list[list[str]] = [[]]
        for sentence in SentenceBreaker("\n".join(lines), self.locale):
            cut[-1].append(sentence.rstrip())
            if sentence.endswith("\n"):
                cut.append([])
        return cut

    def _words(self, sentences: list[str]) -> Iterator[list[str]]:
        clitics = self.clitics
        tokens: list[str] = []
        previous = ""
        for word in WordBreaker("\n".join(sentences).lower(), self.locale):
            # This test comes first because most segments are words.
            if word.isalpha():
                tokens.append(word)
            elif word.isspace():
                if word == "\n":
                    yield tokens
                    tokens = []
            elif clitics is None or ("'" not in word and "\u2019" not in word):
                tokens.append(word)
            elif len(word) > 1:
                tokens += clitics.cut(word)
            elif clitics.end_words and previous.isalpha():
                tokens[-1] += word
            else:
                tokens.append(word)
            previous = word
        yield tokens


def split_sentences(text: str, locale: str) -> list[str]:
    """Split a text into sentences, line by line, without surrounding white space. An empty line has none."""
    sentences: list[str] = []
    for line in text.splitlines():
        if line:
            sentences += [sentence.strip() for sentence in SentenceBreaker(line, locale)]
    return [sentence for sentence in sentences if sentence]


def split_words(texts: list[str], locale: str) -> list[list[str]]:
    """List the words of each text in lower case: the segments between word boundaries that have a letter or digit."""
    words = []
    for sentences in IcuTokenizer(locale).cut(texts):
        tokens = chain.from_iterable(sentences)
        words.append([token for token in tokens if any(map(str.isalnum, token))])
    return words


class TreebankTokenizer:
    """`nltk.word_tokenize` on lower-cased text: Punkt sentences, then Treebank words.

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
        """See `Tokenizer`."""
        cut: list[Sentences] = []
        for text in texts:
            tokens: list[str] = []
            for sentence in self._sentences.tokenize(text.lower()):
                tokens += self._words.tokenize(sentence)
            cut.append([tokens] if tokens else [])
        return cut


class ThaiTokenizer:
    """PyThaiNLP's default engine. Runs of white space stay tokens, as in the paper (the corrected count drops them)."""

    stand_in = False
    spaces_in_tokens = True

    def __init__(self) -> None:
        try:
            from pythainlp.tokenize import word_tokenize
        except ModuleNotFoundError:
            raise MissingResourceError(
                f"PyThaiNLP is not installed; install the extra: {how_to_install('workflow')}, or use the engine icu"
            ) from None

        self._cut_words = word_tokenize
        self.label = f"PyThaiNLP newmm (pythainlp {version('pythainlp')})"

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.counting.tokenizers.Tokenizer`."""
        tokenized = [self._cut_words(text.lower()) for text in texts]
        return [[tokens] if tokens else [] for tokens in tokenized]
