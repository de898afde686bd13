"""Join the parts of names in texts, and find surnames that stand alone."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import punctuation
from typing import NamedTuple

import regex

from textparity.counting.terms import GENDERS, Layout, Match, TermMatcher

# The layers whose matches are parts of a name wherever they occur.
NAME_LAYERS = ("titles", "names")
# The maximum number of pieces in a full name.
MOST_PIECES = 6
# Lower-case words within names, such as *Ursula von der Leyen*.
PARTICLES = {
    "af", "al", "bin", "d", "da", "dal", "das", "de", "degli", "dei", "del", "della", "den", "der", "di", "do", "dos",
    "du", "el", "ibn", "la", "le", "lo", "los", "ten", "ter", "van", "von", "y", "zu", "zum",
}  # fmt: skip
_PARTS = regex.compile(r"([^\p{L}\p{N}]*)(.*?)(['’]\p{Ll}+)?([^\p{L}\p{N}]*)", regex.DOTALL)
_ELISION = regex.compile(r"\p{Ll}{1,3}['’](?=\p{Lu})")
# A name needs a lower-case letter, so that acronyms are excluded.
_NAME = regex.compile(r"(?:\p{Ll}{1,3}[-'’])?\p{Lu}[\p{L}\p{M}'’-]*\p{Ll}[\p{L}\p{M}'’-]*")
# In scripts without spaces between words, a piece is not a word.
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_INITIALS = regex.compile(r"\p{Lu}(?:[.-]*\p{Lu}){0,2}")


class Piece(NamedTuple):
    """A piece of a text as a part of a name.

    `key` is a capitalised word in lower case, without an elided article or an ending after an apostrophe, empty for
    other words. `is_within`: the piece can stand inside a name, as an initial or a particle can. The other fields
    describe what stands beside the word: nothing before it, nothing after it, only a full stop after it, or the end of
    a sentence.
    """

    key: str
    is_within: bool
    is_open: bool
    is_closed: bool
    is_dotted: bool
    ends_sentence: bool


def read_key(piece: str) -> str:
    """Read the `key` of a piece. Most capitalised pieces are a plain word, for which no full description is made."""
    if piece.islower():
        return ""
    word = piece.rstrip(",.")
    if word[1:].islower() and word.isalpha() and word[0].isupper():
        return word.lower()
    return read_piece(piece).key if piece != piece.lower() else ""


def is_within(piece: str) -> bool:
    """Check whether a name may continue after a piece without a key: an initial or a particle."""
    return piece in PARTICLES or (piece[:1].isupper() and len(piece) < 8 and read_piece(piece).is_within)


@lru_cache(maxsize=100_000)
def read_piece(piece: str) -> Piece:
    """Describe a piece of a folded text."""
    word = piece.strip(punctuation)
    if len(word) > 1 and word.isascii() and word.isalpha() and word[1:].islower() and piece.isascii():
        # This covers most pieces, so they need no regular expression.
        head, _, tail = piece.partition(word)
        key = word.lower() if word[0].isupper() else ""
        ends_sentence = bool(tail) and any(sign in tail for sign in ".!?:")
        return Piece(key, word in PARTICLES and piece == word, not head, not tail, tail == ".", ends_sentence)
    parts = _PARTS.fullmatch(piece)
    if not parts or _UNSPACED.search(piece):
        return Piece("", *[False] * 5)
    head, word, ending, tail = parts.groups()
    is_initial = _INITIALS.fullmatch(word) is not None and tail in ("", ".")
    return Piece(
        key=_ELISION.sub("", word, count=1).lower() if _NAME.fullmatch(word) else "",
        is_within=not head and not ending and (is_initial or (word in PARTICLES and not tail)),
        is_open=not head,
        is_closed=not ending and not tail,
        is_dotted=not ending and tail == ".",
        ends_sentence=any(sign in ".!?:…\u2029" for sign in tail),
    )


class NamePart(NamedTuple):
    """A match that can be part of a name, with its number among the matches and its first and last piece."""

    number: int
    match: Match
    first: int
    last: int


class FullName(NamedTuple):
    """The adjacent parts of a name, on the pieces from `first` to `last`.

    `kept` is the part that counts, which determines the gender. It is None for a surname after an initial. `surname` is
    empty if there is none.
    """

    parts: list[NamePart]
    first: int
    last: int
    kept: NamePart | None
    surname: str

    @property
    def gender(self) -> str:
        """The gender of the person, or an empty string."""
        return gender_of(self.kept.match) if self.kept else ""


@dataclass(frozen=True)
class View:
    """A text of `size` pieces. `other_at` gives the gender of a match that is not part of a name, None if none is."""

    size: int
    piece_at: Callable[[int], Piece]
    other_at: Callable[[int], str | None]


def gender_of(match: Match) -> str:
    """Determine the gender of a match. Empty unless it has exactly one."""
    (gender,) = match.classes if len(match.classes) == 1 else ("",)
    return gender if gender in GENDERS else ""


def may_name(match: Match, piece: Piece) -> bool:
    """Check whether a match can be part of a name: *Mr*, *Mary*, and with a capital *King* or *Kanzlerin*."""
    return match.layer in NAME_LAYERS or (match.layer == "nouns" and bool(piece.key and gender_of(match)))


def join_names(parts: Sequence[NamePart], view: View) -> list[FullName]:
    """Join the parts of names, given in the order of the text, that are adjacent or in one word (*Anne-Marie*)."""
    at = {part.first: part for part in reversed(parts)}
    full_names: list[FullName] = []
    for part in parts:
        is_new = not full_names or part.first > full_names[-1].last
        if is_new or not (view.piece_at(part.first).key or part in full_names[-1].parts):
            full_names.append(_join(part, at, view))
    return full_names


def _join(part: NamePart, at: Mapping[int, NamePart], view: View) -> FullName:
    parts, last, surname = [part], part.last, ""
    place = last + 1
    while place < min(view.size, part.first + MOST_PIECES):
        following, piece = at.get(place), view.piece_at(place)
        if not (piece.is_open and (following or piece.key or piece.is_within)):
            break
        before = view.piece_at(place - 1)
        is_abbreviated = before.is_dotted and (before.is_within or parts[-1].match.layer == "titles")
        if not (before.is_closed or is_abbreviated):
            break
        if following:
            parts.append(following)
            surname = piece.key if following.match.layer == "names" else ""
            last = following.last
        elif not piece.is_within:
            if view.other_at(place) is None:
                surname, last = piece.key, place
            break
        place = max(place, last) + 1
    return FullName(parts, part.first, last, _choose(parts, view), surname)


def _choose(parts: Sequence[NamePart], view: View) -> NamePart | None:
    """Choose the part that gives the gender: a title, or else a first name that does not follow another."""
    first = parts[0]
    if len(parts) == 1:
        before = view.piece_at(first.first - 1) if first.first and first.match.layer == "names" else None
        return None if before and before.is_within and before.is_dotted else first
    surname = [part for part in parts if part.match.layer == "names"][1:][-1:]
    gendered = [part for part in parts if gender_of(part.match) and part not in surname]
    return next((part for part in gendered if part.match.layer != "names"), (gendered or parts)[0])


def surname_genders(full_names: Iterable[FullName]) -> dict[str, str]:
    """Map each surname in a text to the gender of the persons who have it, if they all have the same."""
    genders: dict[str, set[str]] = {}
    before: FullName | None = None
    for full_name in full_names:
        if full_name.surname and full_name.gender:
            of_surname = genders.setdefault(full_name.surname, set())
            of_surname.add(full_name.gender)
            # In *Mr and Mrs Smith*, both persons have the surname.
            if before and before.last + 2 == full_name.first and before.parts[-1].match.layer == "titles":
                of_surname.add(before.gender or full_name.gender)
        before = full_name
    return {surname: min(of_surname) for surname, of_surname in genders.items() if len(of_surname) == 1}


def is_alone(place: int, gender: str, view: View) -> bool:
    """Check whether the surname at a place is neither in a longer name nor beside a word for the same person.

    *Betty Smith* is another person if *Betty* is not a known name. *Smith Street* is a place. *Kanzlerin Merkel* is one
    mention.
    """
    piece = view.piece_at(place)
    if place and piece.is_open and (before := view.piece_at(place - 1)).is_closed:
        other = view.other_at(place - 1)
        begins_sentence = place == 1 or view.piece_at(place - 2).ends_sentence
        if other == gender or (before.key and other is None and not begins_sentence):
            return False
    if place + 1 < view.size and piece.is_closed and (after := view.piece_at(place + 1)).is_open:
        return not after.key or view.other_at(place + 1) is not None
    return True


def match_surname(key: str, gender: str, tokens: Sequence[str], first: int) -> Match | None:
    """Make the match of a surname in a piece with these tokens. `first` is the number of the first token."""
    for number, token in enumerate(tokens, start=first):
        if key.startswith(token) or token.startswith(key):
            return Match(key, frozenset({gender}), "names", number)
    # The tokenizer splits this surname differently.
    return None


def as_surname(match: Match, gender: str) -> Match:
    """Give a single first name the gender of the person whose surname it is in the text, if there is one."""
    return match._replace(classes=frozenset({gender})) if gender and match.layer == "names" else match


@dataclass(frozen=True)
class PlacedMatch:
    """A match, and the start and end in the text of everything that refers to the person; -1 if unknown."""

    match: Match
    start: int
    end: int
    is_name: bool


def find_mentions(matcher: TermMatcher, sentences: list[list[str]], text: str) -> list[PlacedMatch]:
    """Find the terms in a folded text as `TermMatcher.match` does.

    If first names are among them, the parts of names are joined, and surnames that stand alone are added.
    """
    matches = matcher.match(sentences, text)
    if not matches:
        return []
    layout, fold = Layout(text, sentences), matcher.folding.fold

    def mention(match: Match, first: Match | None = None, end: int = 0) -> PlacedMatch:
        start = layout.places[(first or match).start]
        is_name = match.layer == "names" or end > 0
        return PlacedMatch(match, start, end or start + len(fold(match.form)), is_name)

    if "names" not in matcher.layers:
        return [mention(match) for match in matches]
    pieces = _Pieces(layout)
    parts: list[NamePart] = []
    others: dict[int, str] = {}
    mentions: list[PlacedMatch] = []
    for number, match in enumerate(matches):
        first, last = pieces.of_match(match)
        if pieces.bounds and may_name(match, pieces.at(first)):
            parts.append(NamePart(number, match, first, last))
        else:
            others |= dict.fromkeys(range(first, last + 1), gender_of(match))
            mentions.append(mention(match))
    view = View(len(pieces.bounds), pieces.at, others.get)
    full_names = join_names(parts, view)
    genders = surname_genders(full_names)
    taken = set(others)
    for full_name in full_names:
        taken.update(range(full_name.first, full_name.last + 1))
        match, end, gender = (full_name.kept or full_name.parts[0]).match, 0, ""
        if full_name.last > full_name.first:
            end = pieces.end_of_word(full_name.last)
        else:
            gender = genders.get(pieces.at(full_name.first).key, "")
        if gender or full_name.kept:
            mentions.append(mention(as_surname(match, gender), full_name.parts[0].match, end))
    for place in range(view.size) if genders else ():
        gender = genders.get(pieces.at(place).key, "")
        if gender and place not in taken and is_alone(place, gender, view):
            found = match_surname(pieces.at(place).key, gender, *pieces.tokens_of(place))
            mentions += [mention(found)] if found else []
    return sorted(mentions, key=lambda one: one.match.start)


class _Pieces:
    """The pieces of a text that have tokens. `bounds` has the start and end of each."""

    def __init__(self, layout: Layout) -> None:
        self._tokens, self._text = layout.tokens, layout.text
        self._firsts: list[int] = []
        self.bounds: list[tuple[int, int]] = []
        for number, place in enumerate(layout.places):
            if place >= 0 and (not self.bounds or place >= self.bounds[-1][1]):
                start, end = self._text.rfind(" ", 0, place) + 1, self._text.find(" ", place)
                self.bounds.append((start, end if end >= 0 else len(self._text)))
                self._firsts.append(number)

    def at(self, place: int) -> Piece:
        return read_piece(self._text[slice(*self.bounds[place])])

    def end_of_word(self, place: int) -> int:
        start, end = self.bounds[place]
        while end > start + 1 and not self._text[end - 1].isalnum():
            end -= 1
        return end

    def of_match(self, match: Match) -> tuple[int, int]:
        first = max(0, bisect_right(self._firsts, match.start) - 1)
        return first, min(first + match.form.count(" "), max(0, len(self.bounds) - 1))

    def tokens_of(self, place: int) -> tuple[Sequence[str], int]:
        first, stop = [*self._firsts[place : place + 2], len(self._tokens)][:2]
        return self._tokens[first:stop], first
