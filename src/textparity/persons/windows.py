"""Find the mentions of documents that consist of several texts, so that references are resolved among these."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from textparity.folding import NO_FOLDING
from textparity.persons.mentions import Mention, Method

# The number of characters of a document within which references are resolved, if it consists of several texts.
WINDOW_CHARACTERS = 65_536
# It ends a paragraph (U+2029).
_SEPARATOR = "\u2029 "


def windows_of(texts: Iterable[str], documents: Iterable[Any], most: int = 0) -> list[range]:
    """Group the numbers of consecutive texts of the same document into windows.

    These have up to `most` characters, by default `WINDOW_CHARACTERS`. A text that is longer is a window of its own.
    """
    limit = most or WINDOW_CHARACTERS
    firsts: list[int] = []
    count = size = 0
    before: Any = None
    for text, document in zip(texts, documents, strict=True):
        size += len(text)
        continues = firsts and document == before
        if not continues or size > limit:
            firsts.append(count)
            size = len(text)
        before = document
        count += 1
    return [range(first, following) for first, following in pairwise([*firsts, count])]


def cut(texts: Sequence[str], windows: Iterable[range]) -> list[Sequence[str]]:
    """Take the texts of each window."""
    return [texts[window.start : window.stop] for window in windows]


def find_in_documents(method: Method, texts: Sequence[str], documents: Sequence[Any]) -> Iterator[list[Mention]]:
    """Find the mentions of each text, and resolve references among consecutive texts of the same document.

    `documents` names the document of each text. Numbers of persons are the same in a window (`windows_of`).
    """
    composed = list(map(NO_FOLDING.fold, texts))
    ranges = windows_of(composed, documents)
    windows = cut(composed, ranges)
    joined = list(map(_SEPARATOR.join, windows))
    for window, mentions in zip(windows, method.find(joined), strict=True):
        yield from _divide(mentions, window)


def _divide(mentions: list[Mention], window: Sequence[str]) -> list[list[Mention]]:
    """Give each text of a window its mentions, with their positions in the text."""
    length_of_separator = len(_SEPARATOR)
    lengths = (len(text) + length_of_separator for text in window)
    starts = list(accumulate(lengths, initial=0))
    mentions_of_texts: list[list[Mention]] = [[] for _ in window]
    for mention in mentions:
        index = bisect_right(starts, mention.start) - 1
        text = window[index]
        start = mention.start - starts[index]
        end = start + mention.end - mention.start
        # A pipeline may take the words on both sides of a line end for one name.
        end = min(end, len(text))
        words = text[start:end]
        in_text = replace(mention, start=start, end=end, text=words)
        mentions_of_texts[index].append(in_text)
    return mentions_of_texts
