"""Ukrainian words: how text is cut (by spaCy's rules, as the authors do, or at any script's), and what words can be."""

import re
from functools import cache
from typing import TYPE_CHECKING

import regex

from textparity.errors import MissingResourceError

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer
    from pymorphy3.analyzer import Parse
    from spacy.language import Language

# An apostrophe, of any kind, is inside a word.
_WORD = regex.compile(r"\w+(?:'\w+)*")
_PIECE = regex.compile(r"\w+|[^\w\s]")
_APOSTROPHES = re.compile("[’ʼ'`‘]")
_SPACE = re.compile(r"\s+")


class UnicodeWords:
    """The words of a text in lower case, as a tokenizer for the package rouge-score, whose own keeps a-z and 0-9."""

    def tokenize(self, text: str) -> list[str]:
        """Return letters and digits of any script that stand together; all apostrophes are one."""
        return _WORD.findall(one_apostrophe(text.lower()))


@cache
def load_rules() -> "Language":
    """Return spaCy's Ukrainian tokenizer, which needs no model; `MissingResourceError` where spaCy is missing."""
    try:
        import spacy
    except ImportError as error:
        raise MissingResourceError(
            f"{error.name} is not installed; install the extra: pip install 'textparity[swapping]'"
        ) from None
    return spacy.blank("uk")


@cache
def rule_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of spaCy's Ukrainian rules; line ends and further spaces are tokens too."""
    return tuple(token.text for token in load_rules()(text))


def pieces(text: str) -> list[str]:
    """Return words and single punctuation marks: two texts that differ in white space alone have the same."""
    return _PIECE.findall(text)


def sentence_key(text: str) -> str:
    """Return what a sentence is looked up by: white space and the kind of apostrophe do not count."""
    return _SPACE.sub("", one_apostrophe(text))


def one_apostrophe(text: str) -> str:
    """Return the text with a plain apostrophe for each of its kind."""
    return _APOSTROPHES.sub("'", text)


@cache
def load_analyser() -> "MorphAnalyzer":
    """Return pymorphy3 for Ukrainian; `MissingResourceError` where it or its dictionary is not installed."""
    try:
        import pymorphy3
        import pymorphy3_dicts_uk  # noqa: F401
    except ImportError as error:
        raise MissingResourceError(
            f"{error.name} is not installed; install the extra: pip install 'textparity[morphology]'"
        ) from None
    return pymorphy3.MorphAnalyzer(lang="uk")


@cache
def analyse(word: str) -> "list[Parse]":
    """Return what a word can be, the likeliest first."""
    return load_analyser().parse(word)
