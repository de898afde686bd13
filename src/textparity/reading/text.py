"""Read text files: each line is a text, or a paragraph, or the document, or the lines of one document in a list."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from textparity.errors import InputError
from textparity.reading.documents import Document, Texts, portions
from textparity.reading.lines import TextLine, lines_of, read_blocks, read_lines, valid_lines
from textparity.reading.options import LINE, PARAGRAPH
from textparity.reading.sources import SourceAccess
from textparity.reading.text_units import join_documents, join_lines, read_documents

_FOR_EACH = "give a file with the name of a document for each line"


def read(source: SourceAccess) -> Iterator[Texts]:
    """Read the texts of a text file, in portions."""
    unit = source.options.text_unit
    with source.open() as stream:
        if source.file.documents:
            yield from portions(_read_by_document(source, stream))
        elif unit == LINE:
            yield from _read_by_line(source, stream)
        else:
            joined = join_lines(valid_lines(source, read_lines(source, stream)), unit, source.name)
            for portion in portions(_report(source, joined)):
                # Paragraphs follow each other in one document.
                yield portion._replace(are_parts=unit == PARAGRAPH)


def _read_by_line(source: SourceAccess, stream: BinaryIO) -> Iterator[Texts]:
    for block in read_blocks(source, stream):
        first, lines, raw = block
        if not raw:
            yield Texts(range(first, first + len(lines)), lines, are_parts=True)
        elif valid := list(valid_lines(source, lines_of(source, [block]))):
            raw.clear()
            places, texts = zip(*valid, strict=True)
            del valid
            yield Texts(places, texts, are_parts=True)


def _read_by_document(source: SourceAccess, stream: BinaryIO) -> Iterator[Document]:
    documents = read_documents(Path(source.file.documents))
    lines = _check_number(source, read_lines(source, stream), len(documents))
    joined = join_documents(valid_lines(source, lines), documents, source.name)
    yield from _report(source, joined)


def _report(source: SourceAccess, documents: Iterable[Document]) -> Iterator[Document]:
    for document in documents:
        source.callbacks.on_record(document.place)
        yield document


def _check_number(source: SourceAccess, lines: Iterable[TextLine], documents: int) -> Iterator[TextLine]:
    """Pass lines on. Raises `InputError` if their number differs from the number of document names."""
    names = source.file.documents
    last = 0
    for line in lines:
        last = line.number
        if last > documents:
            raise InputError(f"{source.name}: has more lines than {names} ({documents:,}); {_FOR_EACH}")
        yield line
    if last < documents:
        raise InputError(f"{source.name}: has {last:,} lines, {names} {documents:,}; {_FOR_EACH}")
