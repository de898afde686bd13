"""Find splitting forms: one word written so that it names both genders (*profesor(a)*, *s/he*, *étudiant·e·s*,
*Pan(i)*).

They are recognised by the gendered forms of a lexicon, so that no language needs a list of them. With the part that is
split off, or with the part that stays, the word is a form of one gender, and a form of the other gender is beside it.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

import regex

_NONE: frozenset[str] = frozenset()
_LETTER = r"[\p{L}\p{M}]"
# A full stop is a sign after a word (*ami.e*), but not after a title, which may be written with one anyway (*Dr.a*).
_STOP = "."
_SPLIT = regex.compile(
    rf"(?:(?P<sign>[/⁄∕]-?|[·•‧∙⋅*:_.])(?P<ending>{_LETTER}{{1,20}}+)(?:(?P=sign)(?P<tail>{_LETTER}{{1,5}}+))?"
    rf"|[(\[]-?(?P<inner>{_LETTER}{{1,20}})[)\]](?P<rest>{_LETTER}*+))"
)
# One of the signs before a letter. Most pieces of a text have none, so this is a quick test.
may_split = re.compile(r"[/⁄∕·•‧∙⋅*:_.(\[]-?(?:[^\W\d_]|[^\x00-\x7f])").search
_BEFORE = regex.compile(rf"(?r)(?P<left>{_LETTER}{{1,30}}+)\.?\Z")
# In these scripts, spaces do not mark where a word begins and ends.
_NO_SPACES = regex.compile(r"[\p{Han}\p{Hira}\p{Kana}\p{Thai}\p{Laoo}\p{Khmr}\p{Mymr}]")
# The feminine may replace at most this many letters of the masculine (*directeur/trice*), and at least this many must
# stay.
_MOST_REPLACED, _LEAST_SHARED = 6, 2
# How many letters of a form may be missing before the sign, and how many must be there (*Kolleg(in)*).
_LONGEST_ENDING, _SHORTEST_STEM = 3, 3


class SplittingForms:
    """Find splitting forms by the genders of forms. `titles` may end in a full stop that is not a sign."""

    def __init__(self, genders: Mapping[str, frozenset[str]], titles: frozenset[str]) -> None:
        self._genders, self._titles = genders, titles

    @cached_property
    def _stems(self) -> dict[str, frozenset[str]]:
        stems: dict[str, frozenset[str]] = {}
        for form, genders in self._genders.items():
            for end in range(1, min(_LONGEST_ENDING, len(form) - _SHORTEST_STEM) + 1):
                stems[form[:-end]] = stems.get(form[:-end], _NONE) | genders
        return stems

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Find the splitting forms of a folded text, each as start and end."""
        for match in _SPLIT.finditer(text):
            before = _BEFORE.search(text, max(0, match.start() - 31), match.start())
            left = before["left"] if before else ""
            inner = match["inner"]
            if not left and inner is None:
                continue
            for start, tail in self._bounds(left, match):
                if self._names_both(
                    left[start:].lower(), (inner or match["ending"]).lower(), tail.lower(), match["sign"] == _STOP
                ):
                    begin = before.start() + start if before else match.start()
                    yield begin, self._end(match, tail)
                    break

    @staticmethod
    def _bounds(left: str, match: "regex.Match[str]") -> Iterator[tuple[int, str]]:
        """List where the word may begin in the letters before the sign, each with the ending that it may have."""
        tail = (match["rest"] if match["inner"] else match["tail"]) or ""
        yield 0, tail
        if _NO_SPACES.search(left):
            yield from ((start, "") for start in range(len(left)))
        elif match["tail"]:
            yield 0, ""

    @staticmethod
    def _end(match: "regex.Match[str]", tail: str) -> int:
        if tail:
            return match.end()
        return match.end("inner") + 1 if match["inner"] else match.end("ending")

    def _names_both(self, left: str, ending: str, tail: str, is_stop: bool) -> bool:
        genders = self._genders
        of_left = genders.get(left + tail, _NONE) | genders.get(left, _NONE)
        if is_stop and (left in self._titles or not of_left):
            return False
        whole = genders.get(left + ending + tail, _NONE)
        # A stem (*Kolleg(in)*) may have both genders, a whole word (*girl(s)*) has one.
        beside = of_left or genders.get(ending + tail) or self._stems.get(left, _NONE)
        if whole and beside and whole != beside:
            return True
        shortest = max(_LEAST_SHARED, len(left) - _MOST_REPLACED)
        wholes = (genders.get(left[:kept] + ending + tail) for kept in range(len(left) - 1, shortest - 1, -1))
        return bool(of_left) and any(whole and whole != of_left for whole in wholes)
