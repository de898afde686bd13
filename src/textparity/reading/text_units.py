"""Join lines to texts: the paragraphs or the whole of a file, or the documents that a list names for each line."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from textparity.errors import InputError
from textparity.files import read_lines
from textparity.reading.documents import LINE_END, LONGEST_TEXT, Document
from textparity.reading.options import DOCUMENT


class _GatheredLines(NamedTuple):
    """The lines of one text, and the number of the first."""

    first: int
    lines: list[str]


def join_lines(lines: Iterable[tuple[int, str]], unit: str, name: str) -> Iterator[Document]:
    """Join lines to texts: each paragraph, or the document. Its place is the number of its first line.

    Blank lines separate paragraphs, and are not texts. Lines of a paragraph are joined by a space. A document keeps its
    line ends. Raises `InputError` if a text is too long to be held in memory.
    """
    if unit == DOCUMENT:
        document = _gather(lines, name)
        if document:
            yield Document(document.first, "\n".join(document.lines))
        return
    for is_filled, group in groupby(lines, lambda line: bool(line[1].strip())):
        paragraph = _gather(group, name) if is_filled else None
        if paragraph:
            stripped = [line.strip() for line in paragraph.lines]
            yield Document(paragraph.first, " ".join(stripped))


def read_documents(path: Path) -> list[str]:
    """Read the name of each line's document. Raises `InputError` if the lines of a document are not consecutive."""
    names = read_lines(path)
    ended: set[str] = set()
    before = ""
    for number, name in enumerate(names, start=1):
        if name in ended and name != before:
            raise InputError(
                f"{path}, line {number}: {name} already has lines above; lines of one document must be together"
            )
        ended.add(name)
        before = name
    return names


def join_documents(lines: Iterable[tuple[int, str]], documents: Sequence[str], name: str) -> Iterator[Document]:
    """Join lines to documents, each with the place of its first line. `documents` has the document of each line."""
    for _, group in groupby(lines, lambda line: documents[line[0] - 1]):
        if document := _gather(group, name):
            # Counting splits words at spaces, so a space has to separate the words of two lines.
            yield Document(document.first, f"{LINE_END} ".join(document.lines))


def _gather(lines: Iterable[tuple[int, str]], name: str) -> _GatheredLines | None:
    first, texts, size = 0, list[str](), 0
    for number, line in lines:
        first = first or number
        texts.append(line)
        size += len(line) + 1
        if size > LONGEST_TEXT:
            raise InputError(
                f"{name}, line {number}: the text from line {first} on is longer than {LONGEST_TEXT >> 20} million "
                "characters; choose a smaller --text-unit"
            )
    return _GatheredLines(first, texts) if texts else None
