"""NLTK's `word_tokenize`, with the same tokens in a fraction of its time.

NLTK runs some thirty substitutions over every sentence. None of them looks across a space, so only the pieces between
spaces that hold a character some substitution needs are given to them, and only to those that need it.
"""

import json
import re
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import nltk
from nltk.tokenize import NLTKWordTokenizer, PunktTokenizer

from textparity.measures.tokenizers import Sentences

# For each of NLTK's patterns that is worth skipping: strings of which one must occur for it to match. White space
# runs matter only to the clitic patterns after them, since the text is split at white space in the end. A pattern
# that is not listed here (a later NLTK may add some) is always run.
_NEEDED: dict[str, str | tuple[str, ...]] = {
    "([«“‘„]|[`]+)": "«“‘„`",
    r"^\"": '"',
    r"(``)": '`"',
    r"([ \(\[{<])(\"|\'{2})": "\"'",
    r"(?i)(?<!\w)(\')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)": "'",
    "([^\\.])(\\.)([\\]\\)}>\"\\'»”’ ]*+)\\s*$": ".",
    r"([:,])([^\d])": ":,",
    r"([:,])$": ":,",
    r"\.{2,}": ".",
    r"[;@#$%&]": ";@#$%&",
    r"[\u2012-\u2015]": "\u2012\u2013\u2014\u2015",
    r'([^\.])(\.)([\]\)}>"\']*)\s*$': ".",
    r"[?!]": "?!",
    r"([^'])' ": "'",
    r"[*]": "*",
    r"[\]\[\(\)\{\}\<\>]": "[](){}<>",
    r"--": "-",
    "([»”’])": "»”’",
    r"''": "'\"",
    r'"': '"',
    r"\s+": "'\"",
    r"([^' ])('[sS]|'[mM]|'[dD]|') ": "'\"",
    r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ": "'",
    r"(?i)\b(can)(?#X)(not)\b": ("cannot",),
    r"(?i)\b(d)(?#X)('ye)\b": "'",
    r"(?i)\b(gim)(?#X)(me)\b": ("gimme",),
    r"(?i)\b(gon)(?#X)(na)\b": ("gonna",),
    r"(?i)\b(got)(?#X)(ta)\b": ("gotta",),
    r"(?i)\b(lem)(?#X)(me)\b": ("lemme",),
    r"(?i)\b(more)(?#X)('n)\b": "'",
    r"(?i)\b(wan)(?#X)(na)(?=\s)": ("wanna",),
    r"(?i) ('t)(?#X)(is)\b": "'",
    r"(?i) ('t)(?#X)(was)\b": "'",
}


class TreebankTokenizer:
    """Punkt sentences, then Treebank words: `nltk.word_tokenize` on lower-cased text, one sentence per text.

    The paper counts all of a line's words where it uses NLTK, so the words of all its sentences are one list.
    """

    stand_in = False
    spaces_in_tokens = False

    def __init__(self, model: Path) -> None:
        record = json.loads(model.read_text(encoding="utf-8"))
        nltk.data.path.insert(0, record["folder"])
        self._sentences = PunktTokenizer("english")
        self.label = f"NLTK word_tokenize (nltk {version('nltk')})"

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.measures.tokenizers.Tokenizer`."""
        return [[tokens] if (tokens := self._words(text.lower())) else [] for text in texts]

    def _words(self, text: str) -> list[str]:
        return [token for sentence in self._sentences.tokenize(text) for token in tokenize_sentence(sentence)]


def tokenize_sentence(text: str) -> list[str]:
    """Return what `NLTKWordTokenizer().tokenize(text)` returns, for lower-cased text."""
    if _CONTRACTED.search(text) or _OTHER_SPACE.search(text):
        return _tokenize_whole(text)
    if _TELLING.isdisjoint(text):
        return text.split()
    # Closing marks behind the last word belong to it: a final full stop is looked for before them.
    start = text.rstrip(_CLOSING).rfind(" ") + 1
    tokens: list[str] = []
    for place, piece in enumerate(text[:start].split(" ")):
        if _TELLING.isdisjoint(piece):
            tokens.append(piece)
        else:
            tokens += _tokenize_piece(piece, place == 0)
    tokens += _tokenize_whole(f"x {text[start:]}")[1:] if start else _tokenize_whole(text)
    return [token for token in tokens if token]


@lru_cache(maxsize=1 << 16)
def _tokenize_piece(piece: str, first: bool) -> list[str]:
    """Return the tokens of a piece that is not the last of its sentence, so that a space follows it."""
    return _tokenize_whole(f"{piece} x")[:-1] if first else _tokenize_whole(f"x {piece} x")[1:-1]


def _tokenize_whole(text: str) -> list[str]:
    before, after = _substitutions(_TELLING.intersection(text), _CONTRACTED.search(text) is not None)
    for pattern, replacement in before:
        text = pattern.sub(replacement, text)
    text = f" {text} "
    for pattern, replacement in after:
        text = pattern.sub(replacement, text)
    return text.split()


_BEFORE_PADDING = [
    *NLTKWordTokenizer.STARTING_QUOTES,
    *NLTKWordTokenizer.PUNCTUATION,
    NLTKWordTokenizer.PARENS_BRACKETS,
    NLTKWordTokenizer.DOUBLE_DASHES,
]
_AFTER_PADDING = [
    *NLTKWordTokenizer.ENDING_QUOTES,
    *((pattern, r" \1 \2 ") for pattern in [*NLTKWordTokenizer.CONTRACTIONS2, *NLTKWordTokenizer.CONTRACTIONS3]),
]
# The characters, and the contracted words, that decide which substitutions are needed.
_TELLING = frozenset("".join(needed for needed in _NEEDED.values() if isinstance(needed, str)))
_CONTRACTED = re.compile("|".join(word for needed in _NEEDED.values() if isinstance(needed, tuple) for word in needed))

_OTHER_SPACE = re.compile(r"[^\S ]")
_Substitutions = list[tuple[re.Pattern[str], str]]
_CLOSING = " .])}>\"'»”’"


@lru_cache(maxsize=4096)
def _substitutions(characters: frozenset[str], contracted: bool) -> tuple[_Substitutions, _Substitutions]:
    """Return the substitutions before and after padding that can match a text with these telling characters."""

    def can_match(pattern: re.Pattern[str]) -> bool:
        needed = _NEEDED.get(pattern.pattern)
        if needed is None:
            return True
        return contracted if isinstance(needed, tuple) else not characters.isdisjoint(needed)

    before, after = ([pair for pair in pairs if can_match(pair[0])] for pairs in (_BEFORE_PADDING, _AFTER_PADDING))
    return before, after
