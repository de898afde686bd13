"""NLTK's `word_tokenize`, with the same tokens in a fraction of its time.

NLTK runs some thirty substitutions over every sentence, most of which cannot match it. Here each substitution
is asked first whether a character it needs is there at all.
"""

import json
from importlib.metadata import version
from pathlib import Path

import nltk
from nltk.tokenize import NLTKWordTokenizer, PunktTokenizer

from textparity.tokenizers import Sentences

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

    def __init__(self, model: Path) -> None:
        record = json.loads(model.read_text(encoding="utf-8"))
        nltk.data.path.insert(0, record["folder"])
        self._sentences = PunktTokenizer("english")
        self.label = f"NLTK word_tokenize (nltk {version('nltk')})"

    def cut(self, texts: list[str]) -> list[Sentences]:
        """See `textparity.tokenizers.Tokenizer`."""
        return [[tokens] if (tokens := self._words(text.lower())) else [] for text in texts]

    def _words(self, text: str) -> list[str]:
        return [token for sentence in self._sentences.tokenize(text) for token in tokenize_sentence(sentence)]


def tokenize_sentence(text: str) -> list[str]:
    """Return what `NLTKWordTokenizer().tokenize(text)` returns, for lower-cased text."""
    characters = frozenset(text)
    for needed, pattern, replacement in _BEFORE_PADDING:
        if needed is None or _occurs(needed, characters, text):
            text = pattern.sub(replacement, text)
    text = f" {text} "
    for needed, pattern, replacement in _AFTER_PADDING:
        if needed is None or _occurs(needed, characters, text):
            text = pattern.sub(replacement, text)
    return text.split()


def _occurs(needed: frozenset[str] | tuple[str, ...], characters: frozenset[str], text: str) -> bool:
    if isinstance(needed, frozenset):
        return not needed.isdisjoint(characters)
    return any(part in text for part in needed)


def _guarded(pairs: list) -> list:
    guarded = []
    for pattern, replacement in pairs:
        needed = _NEEDED.get(pattern.pattern)
        guarded.append((frozenset(needed) if isinstance(needed, str) else needed, pattern, replacement))
    return guarded


_BEFORE_PADDING = _guarded(
    [
        *NLTKWordTokenizer.STARTING_QUOTES,
        *NLTKWordTokenizer.PUNCTUATION,
        NLTKWordTokenizer.PARENS_BRACKETS,
        NLTKWordTokenizer.DOUBLE_DASHES,
    ]
)
_AFTER_PADDING = _guarded(
    [
        *NLTKWordTokenizer.ENDING_QUOTES,
        *(
            (pattern, r" \1 \2 ")
            for pattern in [*NLTKWordTokenizer.CONTRACTIONS2, *NLTKWordTokenizer.CONTRACTIONS3]
        ),
    ]
)
