"""Describe the pieces of a text, between spaces, as parts of names."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import regex

from textparity.counting.line_ends import LINE_MARK, MARKS
from textparity.counting.name_rules import NameRules

_ENDING = regex.compile(r"(?<=[\p{L}\p{M}\p{N}])['’]\p{Ll}+$")
_ELISION = regex.compile(r"\p{Ll}{1,3}['’](?=\p{Lu})")
# Each capital of a name has small letters after it (*McDonald*, *Baden-Baden*), so that acronyms (*AfD*) are excluded.
_SEGMENT = r"(?:\p{Lu}[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)+"
_NAME = regex.compile(
    rf"(?:\p{{Ll}}{{1,3}}[-'’])?(?:\p{{Lu}}['’])?{_SEGMENT}(?:[-'’](?:{_SEGMENT}|[\p{{Ll}}\p{{M}}]+))*"
)
# In scripts without spaces between words, a piece is not a word.
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_INITIALS = regex.compile(r"\p{Lu}(?:[.-]*\p{Lu}){0,2}")
_MARKS = frozenset(MARKS)
_SENTENCE_ENDS = frozenset(".!?:…" + MARKS)
ARTICLE_JOINED = ("l'", "l’")
# A dash is written as two hyphens.
HYPHEN = regex.compile(r"(?<=[\p{L}\p{M}\p{N}])-(?=[\p{L}\p{N}])")
EDGES = regex.compile(r"^[^\p{L}\p{N}]+|(?:['’]\p{Ll}{1,2})?[^\p{L}\p{N}]*$")


class Piece(NamedTuple):
    """A piece of a text as a part of a name.

    `word` is its word in lower case, without signs beside it or an ending after an apostrophe. `key` is the same for a
    word with a capital, without an elided article, and empty for other words. The other fields describe its form and
    what stands beside the word: it is an initial; it has several letters, all capitals; it has a hyphen; there is
    nothing before it, nothing after it, only a full stop after it, only the end of a line, the end of a line
    or a paragraph, or the end of a sentence.
    """

    word: str
    key: str
    is_initial: bool
    is_capitals: bool
    has_hyphen: bool
    is_open: bool
    is_closed: bool
    is_dotted: bool
    ends_line: bool
    ends_paragraph: bool
    ends_sentence: bool

    @property
    def is_bare(self) -> bool:
        """Whether the word has no sign beside it."""
        return self.is_open and self.is_closed


_NO_WORD = Piece("", "", *[False] * 9)


def read_small_word(text: str, piece: Piece) -> str:
    """Read the word of a piece that has only small letters and signs beside them; empty for other pieces."""
    if not text.islower() or not piece.word.isalpha():
        return ""
    # In a piece of several words, only a part is known.
    has_one_word = text.isalpha() or sum(map(str.isalnum, text)) == len(piece.word)
    return piece.word if has_one_word else ""


def is_within(piece: Piece, rules: NameRules) -> bool:
    """Check whether a name may continue after a piece that is no part of it: an initial, a particle or *Dr.*"""
    if piece.is_initial or piece.word in rules.academic:
        return True
    return piece.is_bare and piece.word in rules.particle


@lru_cache(maxsize=100_000)
def read_piece(piece: str) -> Piece:
    """Describe a piece of a folded text."""
    if not piece.isascii() and _UNSPACED.search(piece):
        return _NO_WORD
    start = 0
    end = len(piece)
    while start < end and not piece[start].isalnum():
        start += 1
    while end > start and not piece[end - 1].isalnum():
        end -= 1
    word = piece[start:end]
    tail = piece[end:]
    after_word = tail
    ending = _ENDING.search(word) if not word.isalnum() else None
    if ending:
        word = word[: ending.start()]
        after_word = ending[0] + tail
    small = word.lower()
    has_capital = word != small
    is_open = start == 0
    return Piece(
        word=small,
        key=_read_key(word, small) if has_capital else "",
        is_initial=has_capital and is_open and after_word in ("", ".") and _INITIALS.fullmatch(word) is not None,
        is_capitals=has_capital and word.isupper() and sum(map(str.isupper, word)) > 1,
        has_hyphen="-" in word,
        is_open=is_open,
        is_closed=after_word == "",
        is_dotted=after_word == ".",
        ends_line=after_word == LINE_MARK,
        ends_paragraph=not _MARKS.isdisjoint(tail),
        ends_sentence=not _SENTENCE_ENDS.isdisjoint(tail),
    )


def _read_key(word: str, small: str) -> str:
    """Read the key of a word with a capital."""
    # Most words with a capital have no other, so they need no regular expression.
    if word[0].isupper() and word[1:].islower() and word.isalpha():
        return small
    if _NAME.fullmatch(word):
        return _ELISION.sub("", word, count=1).lower()
    return ""


def may_be_no_name(piece: str) -> bool:
    """Check whether a first name or title in a piece may be none, because of how the piece is written."""
    return "-" in piece or (len(piece) > 1 and piece.isupper())


@dataclass(frozen=True)
class View:
    """A text of `size` pieces, by their positions.

    `other_at` gives the gender of a match that is not part of a name, None if none is.
    """

    size: int
    text_at: Callable[[int], str]
    piece_at: Callable[[int], Piece]
    other_at: Callable[[int], str | None]

    def begins_sentence(self, position: int) -> bool:
        """Check whether a sentence, or a quotation, begins with a piece."""
        if position == 0 or self.piece_at(position - 1).ends_sentence:
            return True
        return not self.piece_at(position).is_open

    def words(self, first: int, last: int) -> str:
        """Read the words from one piece to another, without signs at the ends."""
        text = " ".join(self.text_at(position) for position in range(first, last + 1))
        return EDGES.sub("", text)
