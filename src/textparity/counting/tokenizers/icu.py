"""Split text at ICU word and sentence boundaries (Unicode Standard Annex 29, dictionaries for Thai, Chinese, Japanese).

ICU treats an apostrophe between letters as a letter. In languages that join short words with it (l'homme, woman's),
these are separated by the rules of the language's row.
"""

import re
from collections.abc import Iterator
from copy import copy
from importlib.metadata import version
from itertools import islice

from icu4py.breakers import SentenceBreaker, WordBreaker

from textparity.counting.tokenizers import Sentences

APOSTROPHES = "'\u2019"


class Clitics:
    """The short words that a language joins to others with an apostrophe (' or ’), from the cell of its row.

    `l'` is separated from the word after it, `'s` from the word before it. `*'` stands for any letters before an
    apostrophe. `+'` means that an apostrophe at the end of a word belongs to it. All other words with an apostrophe
    stay whole: aujourd'hui.
    """

    def __init__(self, cell: str) -> None:
        rules = cell.split()
        self.end_words = "+'" in rules
        before = [
            ".+?" if rule == "*'" else re.escape(rule[:-1]) for rule in rules if rule.endswith("'") and rule != "+'"
        ]
        after = [re.escape(rule[1:]) for rule in rules if rule.startswith("'")]
        # If there are no rules, this pattern never matches.
        self._first = re.compile(rf"(?:{'|'.join(before) or '(?!)'})[{APOSTROPHES}](?=.)")
        self._last = re.compile(rf"(?<=.)[{APOSTROPHES}](?:{'|'.join(after) or '(?!)'})$")

    def cut(self, word: str) -> list[str]:
        """Split a lower-cased word into its parts."""
        parts = []
        while found := self._first.match(word):
            parts.append(found[0])
            word = word[found.end() :]
        if found := self._last.search(word):
            return [*parts, word[: found.start()], found[0]]
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
        self.label = f"ICU ({locale}{', clitics' * bool(clitics)}, icu4py {version('icu4py')})"
        self._clitics = Clitics(clitics) if clitics else None

    def without_sentences(self) -> "IcuTokenizer":
        """Make a copy that does not split texts into sentences."""
        other = copy(self)
        other.split_sentences = False
        return other

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.counting.tokenizers.Tokenizer`."""
        # Starting ICU costs more than processing a line, so a batch is passed as one text. A line feed ends any word or
        # sentence.
        lines = [text.replace("\n", " ") for text in texts]
        sentences = self._sentences(lines) if self.split_sentences else [[line] for line in lines]
        words = self._words([sentence for of_text in sentences for sentence in of_text])
        return [[tokens for tokens in islice(words, len(of_text)) if tokens] for of_text in sentences]

    def _sentences(self, lines: list[str]) -> list[list[str]]:
        cut: list[list[str]] = [[]]
        for sentence in SentenceBreaker("\n".join(lines), self.locale):
            cut[-1].append(sentence.rstrip())
            if sentence.endswith("\n"):
                cut.append([])
        return cut

    def _words(self, sentences: list[str]) -> Iterator[list[str]]:
        clitics = self._clitics
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
    found = (sentence.strip() for line in text.splitlines() if line for sentence in SentenceBreaker(line, locale))
    return [sentence for sentence in found if sentence]


def split_words(texts: list[str], locale: str) -> list[list[str]]:
    """List the words of each text in lower case: the segments between word boundaries that have a letter or digit."""
    return [
        [token for sentence in sentences for token in sentence if any(map(str.isalnum, token))]
        for sentences in IcuTokenizer(locale).cut(texts)
    ]
