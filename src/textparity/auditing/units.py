"""Lines of text files put together: a text is a line, a paragraph or the whole document."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from textparity.errors import InputError

LINE, PARAGRAPH, DOCUMENT = TEXT_UNITS = ("line", "paragraph", "document")
# Characters; a document is held in memory.
LONGEST_TEXT = 64 << 20


def join_lines(lines: Iterable[tuple[int, str]], unit: str, name: str) -> Iterator[tuple[int, str]]:
    """Yield the number of the first line and the text of each paragraph, or of the document `name`.

    Between paragraphs are blank lines, which are no texts. Lines of a paragraph are joined by a space; a document keeps
    its line ends. Raises `InputError` for a text too long to be held in memory.
    """
    if unit == DOCUMENT:
        if found := _gathered(lines, name):
            yield found[0], "\n".join(found[1])
        return
    for filled, group in groupby(lines, lambda line: bool(line[1].strip())):
        if filled and (found := _gathered(group, name)):
            yield found[0], " ".join(line.strip() for line in found[1])


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
