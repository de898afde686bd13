"""Join the lines of text files: a text is a line, a paragraph or a document."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from textparity.errors import InputError
from textparity.files import read_lines

LINE, PARAGRAPH, DOCUMENT = TEXT_UNITS = ("line", "paragraph", "document")
# Maximum length of a text in characters, because a document is held in memory.
LONGEST_TEXT = 64 << 20
# This character ends a line of a document, and also ends a sentence. An ordinary line end does not, as in hard-wrapped
# text.
LINE_END = "\u2029"


def number_of(number: int, noun: str) -> str:
    """Write a number with its noun, such as `2 lines`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def join_lines(lines: Iterable[tuple[int, str]], unit: str, name: str) -> Iterator[tuple[int, str]]:
    """Join lines to texts: gives the number of the first line and the text of each paragraph, or of the document
    `name`.

    Blank lines separate paragraphs, and are not texts. Lines of a paragraph are joined by a space. A document keeps its
    line ends. Raises `InputError` if a text is too long to be held in memory.
    """
    if unit == DOCUMENT:
        if found := _gathered(lines, name):
            yield found[0], "\n".join(found[1])
        return
    for filled, group in groupby(lines, lambda line: bool(line[1].strip())):
        if filled and (found := _gathered(group, name)):
            yield found[0], " ".join(line.strip() for line in found[1])


def read_documents(path: Path) -> list[str]:
    """Read the name of each line's document. Raises `InputError` if the lines of a document are not consecutive."""
    try:
        names = read_lines(path)
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8; write the name of each line's document as UTF-8") from None
    ended: set[str] = set()
    for number, (name, before) in enumerate(zip(names, ["", *names], strict=False), start=1):
        if name in ended and name != before:
            raise InputError(
                f"{path}, line {number}: {name} has lines further up; lines of one document stand together"
            )
        ended.add(name)
    return names


def join_documents(lines: Iterable[tuple[int, str]], documents: Sequence[str], name: str) -> Iterator[tuple[int, str]]:
    """Join lines to documents, each with the number of its first line. `documents` has the document of each line."""
    for _, group in groupby(lines, lambda line: documents[line[0] - 1]):
        if found := _gathered(group, name):
            # Counting splits words at spaces, so a space has to separate the words of two lines.
            yield found[0], f"{LINE_END} ".join(found[1])


def _gathered(lines: Iterable[tuple[int, str]], name: str) -> tuple[int, list[str]] | None:
    first, texts, size = 0, list[str](), 0
    for number, line in lines:
        first = first or number
        texts.append(line)
        size += len(line) + 1
        if size > LONGEST_TEXT:
            raise InputError(
                f"{name}, line {number}: the text from line {first} on is longer than {LONGEST_TEXT >> 20} million "
                "characters; take a smaller --text-unit"
            )
    return (first, texts) if texts else None
