"""Find the pieces of a text, split at spaces, in which a regular expression may match, so that few are tried."""

import re
from collections.abc import Callable, Iterable

# One element of a regular expression: an escape, a character class, a mark of a group, or anything else.
_ELEMENT = re.compile(r"\\.|\[\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:P[<=]\w+[>)]?|<?[=!]|[a-zA-Z]*:))?|.", re.DOTALL)


class _UnfitError(Exception):
    """The beginnings of an expression cannot be determined."""


class PieceFilter:
    """A filter by the beginnings of regular expressions, for single pieces.

    `may_match`: a match may lie within the piece. `may_open`: a match may begin in the piece and continue in the next,
    if `may_follow` accepts that one. `goes_on` checks a piece together with those after it. `reach` is the largest
    number of spaces in a match. `unfit` is true if an expression is too complex for the filter and has to be tried on
    whole texts.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self.reach, self.unfit = 0, False
        within: list[str] = []
        opening: list[str] = []
        following: list[str] = []
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
        self.may_match, self.may_open, self.may_follow = map(_searcher, (within, opening, following))
        self.goes_on = _searcher(several)


def _searcher(patterns: list[str]) -> Callable[[str], object]:
    return re.compile("|".join(patterns)).search if patterns else lambda piece: None


def _elements(pattern: str) -> list[str]:
    """Split an expression into elements. Raises `_UnfitError` for one that may match a space or look beyond it."""
    found = [match[0] for match in _ELEMENT.finditer(pattern)]
    for number, element in enumerate(found):
        end = _close(found, number) if _opens(element) else number
        following = found[end + 1] if end + 1 < len(found) else ""
        spaced = " " in found[number : end + 1]
        if (
            element in (".", r"\s", r"\W", r"\D", r"\B", r"\Z", r"\A")
            or element.startswith("[^")
            or (element.startswith("[") and (" " in element or r"\s" in element))
            or (element[:3] in ("(?=", "(?!", "(?<") and spaced)
            or (spaced and following in ("*", "+", "{") and following)
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


def _most_spaces(elements: list[str]) -> int:
    """Compute the largest number of spaces in a match."""
    most, spaces, place = 0, 0, 0
    while place < len(elements):
        if elements[place] == "|":
            spaces = 0
        elif _opens(elements[place]):
            close = _close(elements, place)
            spaces += _most_spaces(elements[place + 1 : close])
            place = close
        else:
            spaces += elements[place] == " "
        most = max(most, spaces)
        place += 1
    return most


def _alternatives(elements: list[str], following: list[str] | None) -> tuple[str, bool]:
    """Extract what all alternatives match before a space, and whether all reach one; `following` gets the rest."""
    heads, stops, start, place = [], [], 0, 0
    while place <= len(elements):
        if place == len(elements) or elements[place] == "|":
            head, stopped = _sequence(elements[start:place], following)
            heads.append(head)
            stops.append(stopped)
            start = place + 1
        elif _opens(elements[place]):
            place = _close(elements, place)
        place += 1
    return "|".join(heads), all(stops)


def _sequence(elements: list[str], following: list[str] | None) -> tuple[str, bool]:
    head, place = "", 0
    while place < len(elements):
        element = elements[place]
        if element == " ":
            if elements[place + 1 : place + 2] == ["?"]:
                raise _UnfitError
            if following is not None:
                try:
                    head_of_rest, _ = _sequence(elements[place + 1 :], None)
                except _UnfitError:
                    head_of_rest = ""
                # Case is ignored, because the case of a surrounding group is unknown here.
                following.append(rf"\A(?i:{head_of_rest})")
            return rf"{head}\Z", True
        if _opens(element):
            close = _close(elements, place)
            body = elements[place + 1 : close]
            if " " in body:
                inner, stopped = _alternatives(body, following)
                if not stopped or elements[close + 1 : close + 2] == ["?"]:
                    raise _UnfitError
                return f"{head}{element}{inner})", True
            head += "".join(elements[place : close + 1])
            place = close + 1
        else:
            head += element
            place += 1
    return head, False
