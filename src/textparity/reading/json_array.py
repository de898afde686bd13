"""Read a JSON array of objects, record by record, or JSON lines if the file has no array."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, dropwhile
from typing import Any

from textparity.errors import InputError
from textparity.reading import jsonl
from textparity.reading.documents import Document
from textparity.reading.lines import TextLine, read_lines, valid_lines
from textparity.reading.records import Record, documents_of
from textparity.reading.sources import SourceAccess

# Maximum length of one record, in characters.
LONGEST_RECORD = 64 << 20
_SPACE = re.compile(r"[ \t\r\n]*")


def read(source: SourceAccess) -> Iterator[Document]:
    """Read the texts of the objects."""
    with source.open() as stream:
        yield from documents_of(source, _read_records(source, read_lines(source, stream)))


def _read_records(source: SourceAccess, lines: Iterator[TextLine]) -> Iterator[Record]:
    lines = dropwhile(_is_blank, lines)
    first = next(lines, None)
    if first is None:
        return
    lines = chain([first], lines)
    if not first.text.lstrip().startswith("["):
        yield from jsonl.records_of(source, lines)
        return
    texts = (text for _, text in valid_lines(source, lines))
    for number, value in enumerate(read_array(texts, source.name), start=1):
        where = f"{source.name}, record {number}"
        yield Record(number, where, value if isinstance(value, dict) else jsonl.explain_value(value, where))


def _is_blank(line: TextLine) -> bool:
    return not line.error and not line.text.strip()


def read_array(lines: Iterable[str], name: str) -> Iterator[Any]:
    """Read the elements of the JSON array in `lines`, each as soon as its last line has been read.

    Raises `InputError`, with the number of the record (from 1), if the text is not a JSON array or is cut off.
    """
    decode = jsonl.DECODER.raw_decode
    # `state` decides what may come next. start: `[`; first: an element or `]`; next: an element; after: `,` or `]`;
    # end: nothing.
    waiting, state, number, tried = "", "start", 0, 0
    for line in chain(lines, [None]):
        waiting += "" if line is None else f"{line}\n"
        position = 0
        while (position := _skip_space(waiting, position)) < len(waiting):
            character = waiting[position]
            where = f"{name}, record {number + 1}"
            if state == "end":
                raise InputError(f"{name}: has text after its JSON array; a file can have only one array")
            if state == "start":
                state, position = "first", position + 1
            elif character == "]" and state in ("first", "after"):
                state, position = "end", position + 1
            elif state == "after":
                if character != ",":
                    raise InputError(f"{where}: {character!r} instead of a comma; fix the JSON array")
                state, position = "next", position + 1
            else:
                size = len(waiting) - position
                # Decoding again after every line would take time quadratic in the length of the record, so wait until
                # it has doubled.
                if line is not None and size < 2 * tried:
                    break
                try:
                    record, position = decode(waiting, position)
                except (ValueError, RecursionError) as error:
                    if line is None or size > LONGEST_RECORD:
                        raise InputError(f"{where}: cannot be read as JSON ({error}); fix the array") from None
                    tried = size
                    break
                number, state, tried = number + 1, "after", 0
                yield record
        waiting = waiting[position:]
    if state != "end":
        raise InputError(f"{name}: its JSON array has no end after {number:,} records; get the file again")


def _skip_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position
