"""ICU word and sentence boundaries (Unicode Standard Annex 29, dictionaries for Thai, Chinese, Japanese)."""

from collections.abc import Iterator
from importlib.metadata import version
from itertools import islice

from icu4py.breakers import SentenceBreaker, WordBreaker

from textparity.tokenizers import Sentences


class IcuTokenizer:
    """Tokens are ICU word segments that are not white space; punctuation marks are tokens, as in Stanza and NLTK.

    Sentences are cut before lower-casing, since ICU wants a capital after a full stop.
    """

    stand_in = False
    spaces_in_tokens = False

    def __init__(self, locale: str, split_sentences: bool = False) -> None:
        self.locale = locale
        self.split_sentences = split_sentences
        self.label = f"ICU ({locale}, icu4py {version('icu4py')})"

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.tokenizers.Tokenizer`."""
        # Starting ICU costs more than a line does, so a batch is one text to it: a line feed ends any word or sentence.
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
        tokens: list[str] = []
        for word in WordBreaker("\n".join(sentences).lower(), self.locale):
            if not word.isspace():
                tokens.append(word)
            elif word == "\n":
                yield tokens
                tokens = []
        yield tokens


def split_sentences(text: str, locale: str) -> list[str]:
    """Return the sentences of a text, line by line and without the white space around them; none for an empty line."""
    found = (sentence.strip() for line in text.splitlines() if line for sentence in SentenceBreaker(line, locale))
    return [sentence for sentence in found if sentence]


def split_words(texts: list[str], locale: str) -> list[list[str]]:
    """Return the words of each text in lower case: what stands between word boundaries and has a letter or digit."""
    return [
        [token for sentence in sentences for token in sentence if any(map(str.isalnum, token))]
        for sentences in IcuTokenizer(locale).cut(texts)
    ]
