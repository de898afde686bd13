"""Choose example sentences: a seeded sample of the texts of each class, cut to one sentence, with matches marked."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar
from unicodedata import normalize

from icu4py.breakers import SentenceBreaker

from textparity.auditing.text_units import LINE_END
from textparity.files import printable

LONGEST = 280
# The sentence of a match is searched within this many characters, because a text may be as long as a book.
SENTENCE_WITHIN = 4000
ELLIPSIS = "…"


@dataclass(frozen=True, order=True)
class Example:
    """A sentence from line or record `place` of `file`. `marks` are the start and end of each match in `text`."""

    text: str
    marks: tuple[tuple[int, int], ...]
    file: str
    place: int

    def marked(self, before: str = "[", after: str = "]") -> str:
        """Mark each match in the text with the two strings."""
        return "".join(before + part + after if is_match else part for part, is_match in self.parts())

    def parts(self) -> list[tuple[str, bool]]:
        """Split the text into pieces and mark each as a match or not."""
        pieces, end = [], 0
        for start, stop in self.marks:
            pieces += [(self.text[end:start], False), (self.text[start:stop], True)]
            end = stop
        return [piece for piece in [*pieces, (self.text[end:], False)] if piece[0]]


Item = TypeVar("Item", int, Example)
Other = TypeVar("Other", int, Example)


class Sample(Generic[Item]):
    """A sample of the distinct texts: those with the smallest hashes of seed, class and text. It does not depend on
    their order.

    If several texts are equal, the sample keeps the smallest item, whichever came first.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.kept: dict[int, Item] = {}
        self._largest = -1

    def wants(self, rank: int) -> bool:
        """Check whether a text with this hash belongs to the sample so far."""
        return len(self.kept) < self.size or rank <= self._largest

    def take(self, rank: int, item: Item) -> None:
        """Add a text whose hash belongs to the sample."""
        if rank in self.kept:
            self.kept[rank] = min(self.kept[rank], item)
        elif self.wants(rank):
            if len(self.kept) == self.size:
                del self.kept[self._largest]
            self.kept[rank] = item
            self._largest = max(self.kept)

    def merge(self, other: "Sample[Item]") -> None:
        """Merge another sample into this one."""
        for rank, item in other.kept.items():
            self.take(rank, item)

    def map(self, change: Callable[[Item], Other]) -> "Sample[Other]":
        """Apply `change` to each text of the sample."""
        sample: Sample[Other] = Sample(self.size)
        sample.kept = {rank: change(item) for rank, item in self.kept.items()}
        sample._largest = self._largest
        return sample

    def in_order(self) -> list[Item]:
        """List the examples, smallest hash first."""
        return [self.kept[rank] for rank in sorted(self.kept)]


def cut_example(text: str, spans: Iterable[tuple[int, int]], locale: str, file: str, place: int) -> Example:
    """Cut out the sentence that has the first of the `spans` (the matches) of a text at `place` of a file.

    A very long sentence is shortened. In a document that consists of lines, the sentence comes from one line.
    """
    spans = sorted(spans, key=lambda span: (span[0], -span[1]))
    first = spans[0][0] if spans else 0
    line = text.count(LINE_END, 0, first)
    begin = max(text.rfind(LINE_END, 0, first) + 1, first - SENTENCE_WITHIN)
    end = min((text.find(LINE_END, first) + 1 or len(text) + 1) - 1, first + SENTENCE_WITHIN)
    marks: list[tuple[int, int]] = []
    shown, at = "", begin
    for low, high in spans:
        # Skip a match that lies within another one or continues on the next line.
        if at <= low and high <= end:
            shown += _one_line(text[at:low])
            shown = shown if marks else shown.lstrip()
            mark = _one_line(text[low:high])
            marks.append((len(shown), len(shown) + len(mark)))
            shown += mark
            at = high
    shown = (shown + _one_line(text[at:end])).rstrip()
    shown = shown if marks else shown.lstrip()
    first = marks[0][0] if marks else 0
    start, stop = _sentence_around(shown, first, locale) if len(shown) > LONGEST else (0, len(shown))
    before = after = ""
    if stop - start > LONGEST:
        low, high = max(start, first - LONGEST // 2), min(stop, first + LONGEST // 2)
        before, after = ELLIPSIS * (low > start), ELLIPSIS * (high < stop)
        start, stop = low, high
    shift = len(before) - start
    inside = tuple((low + shift, high + shift) for low, high in marks if start <= low and high <= stop)
    return Example(before + shown[start:stop] + after, inside, file, place + line)


def _sentence_around(text: str, place: int, locale: str) -> tuple[int, int]:
    start = 0
    for sentence in SentenceBreaker(text, locale):
        if start + len(sentence) > place:
            return start, start + len(sentence.rstrip())
        start += len(sentence)
    return 0, len(text)


def _one_line(text: str) -> str:
    """Convert part of a text to one line in NFC."""
    return printable(re.sub(r"\s+", " ", normalize("NFC", text)))
