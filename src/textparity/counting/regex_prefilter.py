"""Find the pieces of a text, split at spaces, in which a regular expression may match, so that few are tried."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from textparity.counting.pairs import REACH, PairForms

# One element of a regular expression: an escape, a character class, a mark of a group, or anything else.
_ELEMENT = re.compile(r"\\.|\[\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:P[<=]\w+[>)]?|<?[=!]|[a-zA-Z]*:))?|.", re.DOTALL)
# What a piece that follows begins with, and whether this is all its letters up to a boundary of words.
_Following = tuple[str, bool]
_LOOK_AROUNDS = ("(?=", "(?!", "(?<")
# Word characters that are not known, in a string that a match must have.
_WORD = "\0"
# The largest number of strings that a part of an expression is spelled out to.
_MOST_STRINGS = 500
# These signs stand beside any word. All others make a piece rare enough to be kept as it is.
_USUAL_SIGNS = frozenset(".,;:!?()[]\"'-/’“”…")
_ESCAPE = re.compile(r"\\.\+?|\(\?i?:")
# Letters that are optional or repeated, a number of repetitions, or a class with letters.
_PART_OF_WORD = re.compile(r"[^\W_][?*+]|\{|\[[^\]]*\w")
_WORD_START = re.compile(r"\b\w")
# The end of a word, perhaps with optional signs and look-aheads after it.
_WORD_END = re.compile(r"\\b(?:\\\W\??|\(\?[=!](?:\\.|[^()\\])*\))*\)*$")
_RUN = re.compile(r"[^\W\d_]+")
_BETWEEN = re.compile(r"(?<=[\w\0])([^\w\0])(?=-?[\w\0])")
# A class of small letters before a capital, without a bar that would make it one of several possibilities.
_INNER_CAPITAL = re.compile(r"(?!.*\(\?i)[^|]*\[a-z[^\]A-Z]*\][A-Z](?![?*{])[^|]*")


class _UnfitError(Exception):
    """The beginnings of an expression cannot be determined."""


class PieceFilter:
    """A filter by the beginnings of regular expressions, for single pieces.

    `may_match`: a match may lie within the piece. `may_open`: a match may begin in the piece and continue in the next,
    if `may_follow` accepts that one. `goes_on` checks a piece together with those after it, or their shapes if
    `reads_shapes`. `reach` is the largest
    number of spaces in a match. `unfit` is true if an expression is too complex for the filter and has to be tried on
    whole texts. `needs` describes the pieces that have to be examined; None if it may be any.
    """

    def __init__(self, patterns: Iterable[str], pairs: PairForms | None = None) -> None:
        self.reach, self.unfit = REACH if pairs else 0, False
        within: list[str] = []
        opening: list[str] = []
        following: list[_Following] = []
        several: list[str] = []
        for pattern in patterns:
            try:
                elements = _elements(pattern)
                head, stopped = _alternatives(elements, following)
            except _UnfitError:
                self.unfit = True
            else:
                # A group name may occur only once in one expression, so the names are removed.
                (opening if stopped else within).append(re.sub(r"\(\?P<\w+>", "(?:", head))
                several += [pattern] if stopped else []
                self.reach = max(self.reach, _most_spaces(elements))
        follows = [pattern for pattern, _ in following]
        self.may_match, self.may_open = map(_searcher, (within, opening))
        # They all begin where the piece begins. Case is ignored, because that of a surrounding group is unknown.
        self.may_follow = re.compile("|".join(dict.fromkeys(follows)) or "(?!)").match
        at_words = all(_begins_word(_ELEMENT.findall(pattern)) for pattern in several)
        self.goes_on = _searcher_at_words(several) if at_words else _searcher(several)
        self.needs = None if self.unfit else _find_needs(within, opening, following)
        self.reads_shapes = self.needs is not None and all(map(_is_of_words, several))
        if self.needs and self.reads_shapes:
            for pattern in several:
                self.needs.runs.update(map(str.lower, _RUN.findall(_ESCAPE.sub(" ", pattern))))
        if pairs:
            self.goes_on = _either(self.goes_on, pairs.goes_on)
            if self.needs:
                self.needs.runs.update(pairs.known_nouns)
                self.needs.words_between.update(pairs.words_between)


def _is_of_words(pattern: str) -> bool:
    """Check that an expression has only whole words and any words, so that it matches shapes as it matches words."""
    return "(?P" not in pattern and not _PART_OF_WORD.search(_ESCAPE.sub(" ", pattern))


def _searcher(patterns: list[str]) -> Callable[[str], object]:
    return re.compile("|".join(patterns)).search if patterns else lambda piece: None


def _searcher_at_words(patterns: list[str]) -> Callable[[str], object]:
    """Make a function that finds an expression where a word begins, in the first piece of a text."""
    match = re.compile("|".join(patterns) or "(?!)").match

    def search(text: str) -> object:
        first, _, _ = text.partition(" ")
        return next(filter(None, (match(text, start.start()) for start in _WORD_START.finditer(first))), None)

    return search


def _either(one: Callable[[str], object], other: Callable[[str], object]) -> Callable[[str], object]:
    return lambda piece: one(piece) or other(piece) or None


def _elements(pattern: str) -> list[str]:
    """Split an expression into elements. Raises `_UnfitError` for one that may match a space or look beyond it."""
    found: list[str] = _ELEMENT.findall(pattern)
    for number, element in enumerate(found):
        end = _close(found, number) if _opens(element) else number
        following = found[end + 1] if end + 1 < len(found) else ""
        spaced = " " in found[number : end + 1]
        if (
            element in (".", r"\s", r"\W", r"\D", r"\B", r"\Z", r"\A")
            or element.startswith("[^")
            or (element.startswith("[") and (" " in element or r"\s" in element))
            or (spaced and (element[:3] in _LOOK_AROUNDS or following in ("*", "+", "{")))
        ):
            raise _UnfitError
    return found


def _opens(element: str) -> bool:
    return element.startswith("(") and not element.startswith("(?P=")


def _close(elements: list[str], start: int) -> int:
    """Find the parenthesis that closes the one at `start`."""
    depth = 0
    for place in range(start, len(elements)):
        if _opens(elements[place]):
            depth += 1
        elif elements[place] == ")":
            depth -= 1
        if depth == 0:
            return place
    raise _UnfitError


def _at_bars(elements: list[str]) -> Iterator[list[str]]:
    """Split an expression into its alternatives."""
    start, place = 0, 0
    while place < len(elements):
        if _opens(elements[place]):
            place = _close(elements, place)
        elif elements[place] == "|":
            yield elements[start:place]
            start = place + 1
        place += 1
    yield elements[start:]


def _most_spaces(elements: list[str]) -> int:
    """Compute the largest number of spaces in a match."""
    most = 0
    for sequence in _at_bars(elements):
        spaces, place = 0, 0
        while place < len(sequence):
            if _opens(sequence[place]):
                close = _close(sequence, place)
                spaces += _most_spaces(sequence[place + 1 : close])
                place = close
            else:
                spaces += sequence[place] == " "
            place += 1
        most = max(most, spaces)
    return most


def _alternatives(elements: list[str], following: list[_Following] | None) -> tuple[str, bool]:
    """Extract what all alternatives match before a space, and whether all reach one; `following` gets the rest."""
    heads, stops = zip(*(_sequence(sequence, following) for sequence in _at_bars(elements)), strict=True)
    return "|".join(heads), all(stops)


def _sequence(elements: list[str], following: list[_Following] | None) -> tuple[str, bool]:
    """Extract what a sequence matches before a space, and whether it reaches one (without `following`: or ends a word).

    `following` gets what may come after the space.
    """
    head, place = "", 0
    while place < len(elements):
        element = elements[place]
        if element == " ":
            if elements[place + 1 : place + 2] == ["?"]:
                raise _UnfitError
            if following is not None:
                try:
                    head_of_rest, is_whole = _sequence(elements[place + 1 :], None)
                except _UnfitError:
                    head_of_rest, is_whole = "", False
                following.append((rf"(?i:{head_of_rest})", is_whole))
            return rf"{head}\Z", True
        if _opens(element):
            close = _close(elements, place)
            body = elements[place + 1 : close]
            if " " in body and following is None:
                branches, stopped = _branches(body, elements[close + 1 :])
                return f"{head}{element}{branches})", stopped
            if " " in body:
                inner, stopped = _alternatives(body, following)
                if not stopped or elements[close + 1 : close + 2] == ["?"]:
                    raise _UnfitError
                return f"{head}{element}{inner})", True
            head += "".join(elements[place : close + 1])
            place = close + 1
        elif following is None and element.startswith("(?P="):
            # What the group matched is unknown in the next piece.
            raise _UnfitError
        else:
            head += element
            place += 1
    return head, following is None and head.endswith(r"\b")


def _branches(body: list[str], rest: list[str]) -> tuple[str, bool]:
    """Extract what a group and the `rest` after it match before a space, and whether all its alternatives reach one.

    Only some of the alternatives may have a space, and the group may be optional: `(?:ne |n')?faut`.
    """
    is_optional = rest[:1] == ["?"]
    after, is_whole = _sequence(rest[is_optional:], None)
    heads = [after] if is_optional else []
    for sequence in _at_bars(body):
        head, stopped = _sequence(sequence, None)
        heads.append(head if stopped else head + after)
    return "|".join(heads), is_whole


@dataclass
class Needs:
    """What a piece needs to be examined: one of these `runs` of letters, one of `parts` within such a run, one of
    `signs` between letters, one of `characters`, one of `words_between` at its beginning or end, or, with
    `inner_capitals`, a capital after a small letter. If `opens`, a match may begin in any piece.
    """

    runs: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)
    signs: set[str] = field(default_factory=set)
    characters: set[str] = field(default_factory=set)
    words_between: set[str] = field(default_factory=set)
    inner_capitals: bool = False
    opens: bool = False
    follows: bool = False

    def add(self, strings: Iterable[str]) -> None:
        """Add strings of which a match has one, by what is rarest in each. Raises `_UnfitError` if that is nothing."""
        for string in strings:
            longest = max(_RUN.findall(string), key=len, default="")
            unusual = set(_unusual(string))
            between = _BETWEEN.findall(string)
            if len(longest) >= 4 or (len(longest) > 1 and not unusual and not between):
                self.parts.add(longest)
            elif unusual:
                self.characters |= unusual
            elif between:
                self.signs.add(between[0])
            elif longest and not longest.isascii():
                self.characters.add(longest)
            else:
                raise _UnfitError


def _unusual(string: str) -> list[str]:
    return [sign for sign in string if not sign.isalnum() and sign != _WORD and sign not in _USUAL_SIGNS]


def _find_needs(within: list[str], opening: list[str], following: list[_Following]) -> Needs | None:
    needs = Needs()
    for pattern, is_whole in dict.fromkeys(following):
        _, ends, is_finite = _strings(_ELEMENT.findall(pattern))
        if is_finite and is_whole:
            needs.runs.update(run for end in ends for run in _RUN.findall(end))
        else:
            needs.follows = True
    for pattern in (*within, *opening):
        if _INNER_CAPITAL.fullmatch(pattern.removeprefix("(?:").removesuffix(")")):
            needs.inner_capitals = True
            continue
        elements: list[str] = _ELEMENT.findall(pattern)
        required, ends, is_finite = _strings(elements)
        ends_word = pattern not in within or _WORD_END.search(pattern)
        if is_finite and ends_word and _begins_word(elements):
            # A match consists of whole words, and these are all.
            needs.runs.update(run for end in ends for run in _RUN.findall(end))
            continue
        try:
            needs.add(required or [_WORD])
        except _UnfitError:
            if pattern in within:
                return None
            needs.opens = True
    return None if needs.opens and needs.follows else needs


def _begins_word(elements: list[str]) -> bool:
    """Check that a match begins where a word begins."""
    for sequence in _at_bars(elements):
        place = 0
        while sequence[place : place + 1] and _opens(sequence[place]) and sequence[place][:3] not in _LOOK_AROUNDS:
            place += 1
        if sequence[place : place + 1] != [r"\b"]:
            return False
    return True


def _strings(elements: list[str]) -> tuple[set[str] | None, set[str], bool]:
    """List lower-case strings of which a match has one (None: unknown), those that it ends in, and if these are all."""
    required: set[str] | None = set()
    ends: set[str] = set()
    is_finite = True
    for sequence in _at_bars(elements):
        options, last, is_whole = _options(sequence)
        best = min(options, key=_rarity)
        required = None if required is None or _rarity(best) > 4 else required | best
        ends |= last
        is_finite &= is_whole
    return required, ends, is_finite


def _rarity(strings: set[str]) -> int:
    """Order sets of strings: the higher, the more pieces have one of them; 5 if any piece may."""

    def of_one(string: str) -> int:
        longest = max(map(len, _RUN.findall(string)), default=0)
        tests = longest >= 4, bool(_unusual(string)), bool(_BETWEEN.search(string)), longest > 1, not string.isascii()
        return next((number for number, test in enumerate(tests) if test), 5)

    return max(map(of_one, strings), default=5)


def _options(elements: list[str]) -> tuple[list[set[str]], set[str], bool]:
    """Read a sequence: sets of strings of which a match has one each, those that it ends in, and if these are all."""
    options: list[set[str]] = []
    current, is_whole, place = {""}, True, 0
    while place < len(elements):
        element, end = elements[place], place
        if _opens(element):
            end = _close(elements, place)
        least, most, after = _times(elements, end + 1)
        body: tuple[set[str] | None, set[str], bool]
        if element in (r"\b", r"\Z", r"\A") or element[:3] in _LOOK_AROUNDS:
            body = None, {""}, True
        elif _opens(element):
            body = _strings(elements[place + 1 : end])
        elif element.startswith("[") and re.fullmatch(r"\[[^\\-]{1,6}\]", element):
            body = None, set(element[1:-1].lower()), True
        elif element.startswith(("[", r"\w", r"\d", "(?P=")):
            body = None, {_WORD}, False
        else:
            body = None, {element[-1].lower()}, True
        required, ends, is_finite = body
        longer = {first + last for first in current for last in ends | ({""} if least == 0 else set())}
        if is_finite and most == 1 and len(longer) <= _MOST_STRINGS:
            current = longer
        else:
            options.append(longer if least and is_finite and len(longer) <= _MOST_STRINGS else current)
            if required is not None and least:
                options.append(required)
            current, is_whole = ends if least else {""}, False
        place = after
    return [*options, current], current, is_whole


def _times(elements: list[str], place: int) -> tuple[int, int, int]:
    """Read a quantifier: how often at least, how often at most (2 for more than once), and where it ends."""
    quantifier = elements[place] if place < len(elements) else ""
    if quantifier in ("?", "*", "+"):
        least, most, place = int(quantifier == "+"), 1 if quantifier == "?" else 2, place + 1
    elif quantifier == "{":
        least, most, place = int(elements[place + 1] not in "0,"), 2, elements.index("}", place) + 1
    else:
        return 1, 1, place
    return least, most, place + (elements[place : place + 1] in (["?"], ["+"]))
