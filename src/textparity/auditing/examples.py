"""Example sentences: a seeded sample of the texts of a class, cut to the sentence of a match, with matches marked."""

from collections import Counter
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Generic, NamedTuple, TypeVar
from unicodedata import normalize

import regex
from icu4py.breakers import SentenceBreaker

from textparity.auditing.units import LINE_END
from textparity.files import printable

LONGEST = 280
ELLIPSIS = "…"
# Between letters these do not end a word (Unicode Standard Annex 29).
_INNER = "'’.:·"
_LETTER = r"[\w\p{M}]"


@dataclass(frozen=True)
class Example:
    """A sentence of line or record `place` of `file`; `marks` are start and end of each match in `text`."""

    text: str
    marks: tuple[tuple[int, int], ...]
    file: str
    place: int

    def marked(self, before: str = "[", after: str = "]") -> str:
        """Return the text with each match between two strings."""
        return "".join(before + part + after if is_match else part for part, is_match in self.parts())

    def parts(self) -> list[tuple[str, bool]]:
        """Return the text in pieces, each with whether it is a match."""
        pieces, end = [], 0
        for start, stop in self.marks:
            pieces += [(self.text[end:start], False), (self.text[start:stop], True)]
            end = stop
        return [piece for piece in [*pieces, (self.text[end:], False)] if piece[0]]


class Candidate(NamedTuple):
    """A text with the forms found in it of one class."""

    text: str
    forms: tuple[str, ...]
    locale: str
    place: int


Item = TypeVar("Item", Candidate, Example)


class Sample(Generic[Item]):
    """The texts with the smallest hashes of seed, class and text: a sample of the distinct texts, in any order."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.kept: dict[int, Item] = {}
        self._largest = -1

    def wants(self, rank: int) -> bool:
        """Return whether a text with this hash belongs to the sample so far."""
        return len(self.kept) < self.size or rank < self._largest

    def take(self, rank: int, item: Item) -> None:
        """Take a text that the sample wants."""
        if self.wants(rank) and rank not in self.kept:
            if len(self.kept) == self.size:
                del self.kept[self._largest]
            self.kept[rank] = item
            self._largest = max(self.kept)

    def merge(self, other: "Sample[Item]") -> None:
        """Take what belongs to the sample of both."""
        for rank, item in other.kept.items():
            self.take(rank, item)

    def shown(self: "Sample[Candidate]", file: str) -> "Sample[Example]":
        """Return the sample with its texts cut and marked."""
        sample: Sample[Example] = Sample(self.size)
        sample.kept = {rank: cut_example(item, file) for rank, item in self.kept.items()}
        sample._largest = self._largest
        return sample

    def in_order(self) -> list[Item]:
        """Return the examples, smallest hash first."""
        return [self.kept[rank] for rank in sorted(self.kept)]


def cut_example(candidate: Candidate, file: str) -> Example:
    """Return the sentence of the first match, shortened if it is very long; of a document of lines, from its line."""
    lines = list(map(_one_line, candidate.text.split(LINE_END)))
    number = next((number for number, line in enumerate(lines) if _find_forms(line, candidate.forms)), 0)
    text = lines[number]
    found = _find_forms(text, candidate.forms)
    first = min((form.place for form in found), default=0)
    start, stop = _sentence_around(text, first, candidate.locale) if len(text) > LONGEST else (0, len(text))
    before = after = ""
    if stop - start > LONGEST:
        low, high = max(start, first - LONGEST // 2), min(stop, first + LONGEST // 2)
        before, after = ELLIPSIS * (low > start), ELLIPSIS * (high < stop)
        start, stop = low, high
    shift = len(before) - start
    shown = tuple((low + shift, high + shift) for low, high in _find_marks(text, found, start, stop))
    return Example(before + text[start:stop] + after, shown, file, candidate.place + number)


class _Form(NamedTuple):
    """What finds a form in a text, where that finds it first, and how often it was counted."""

    pattern: regex.Pattern[str]
    place: int
    times: int


def _find_forms(text: str, forms: tuple[str, ...]) -> list[_Form]:
    """Return how each form is found in the text, longest first.

    As a whole word, also beside an apostrophe if it is not counted so often without; as a part of one if it has to be.
    """
    found = []
    for form, times in sorted(Counter(forms).items(), key=lambda item: -len(item[0])):
        words = r"\s*".join(map(regex.escape, form.split()))
        whole = rf"(?<!{_LETTER}){words}(?!{_LETTER})"
        apart = rf"(?<!\w[{_INNER}]){whole}(?![{_INNER}]\w)"
        patterns = [regex.compile(expression, regex.IGNORECASE) for expression in (apart, whole, words)]
        places = [[match.start() for match in islice(pattern.finditer(text), times)] for pattern in patterns[:2]]
        if len(places[0]) < len(places[1]):
            found.append(_Form(patterns[1], places[1][0], times))
        elif places[0]:
            found.append(_Form(patterns[0], places[0][0], times))
        elif match := patterns[2].search(text):
            found.append(_Form(patterns[2], match.start(), times))
    return found


def _find_marks(text: str, found: list[_Form], start: int, stop: int) -> list[tuple[int, int]]:
    """Return where the forms stand between two places of the text, each at most as often as it was counted."""
    marks: list[tuple[int, int]] = []
    for form in found:
        # Not by endpos, where a part of a word would look like a whole one.
        spans = takewhile(lambda span: span[1] <= stop, (match.span() for match in form.pattern.finditer(text, start)))
        free = (span for span in spans if all(span[1] <= low or span[0] >= high for low, high in marks))
        marks += list(islice(free, form.times))
    return sorted(marks)


def _sentence_around(text: str, place: int, locale: str) -> tuple[int, int]:
    start = 0
    for sentence in SentenceBreaker(text, locale):
        if start + len(sentence) > place:
            return start, start + len(sentence.rstrip())
        start += len(sentence)
    return 0, len(text)


def _one_line(text: str) -> str:
    """Return the text in NFC on one line."""
    return printable(" ".join(normalize("NFC", text).split()))
