"""ICU word and sentence boundaries (Unicode Standard Annex 29, dictionaries for Thai, Chinese, Japanese)."""

from importlib.metadata import version

from icu4py.breakers import SentenceBreaker, WordBreaker

from textparity.tokenizers import Sentences


class IcuTokenizer:
    """Tokens are ICU word segments that are not white space; punctuation marks are tokens, as in Stanza and NLTK.

    Sentences are cut before lower-casing, since ICU wants a capital after a full stop.
    """

    stand_in = False

    def __init__(self, locale: str, split_sentences: bool = False) -> None:
        self.locale = locale
        self.split_sentences = split_sentences
        self.label = f"ICU ({locale}, icu4py {version('icu4py')})"

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.tokenizers.Tokenizer`."""
        if self.split_sentences:
            cut = ([self._words(part) for part in SentenceBreaker(text, self.locale)] for text in texts)
        else:
            cut = ([self._words(text)] for text in texts)
        return [[tokens for tokens in sentences if tokens] for sentences in cut]

    def _words(self, text: str) -> list[str]:
        return [word for word in WordBreaker(text.lower(), self.locale) if not word.isspace()]
