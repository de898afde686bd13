"""Read WARC files: web pages as they were fetched, or their text as in Common Crawl's WET files."""

from collections.abc import Iterator
from typing import Any, BinaryIO

from textparity.compression import DAMAGE
from textparity.errors import InputError
from textparity.reading.documents import LONGEST_TEXT, Document
from textparity.reading.options import ADDRESS
from textparity.reading.sources import SourceAccess
from textparity.reading.warc_records import address_of, check_whole, text_of, why_no_text
from textparity.reading.web_text import check_installed


class _Pipe:
    """A stream that cannot seek but reports its position, which FastWARC needs and a pipe does not have."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._position = stream, 0

    def read(self, size: int = -1) -> bytes:
        content = self._stream.read(size)
        self._position += len(content)
        return content

    def tell(self) -> int:
        return self._position

    def seekable(self) -> bool:
        return False


def read(source: SourceAccess) -> Iterator[Document]:
    """Read the text of each record with a page or its text. Raises `InputError` if the file is no WARC, or cut off."""
    # Each record has an encoding of its own.
    with source.open(is_recoded=False) as stream:
        yield from _read_records(source, stream)


def _read_records(source: SourceAccess, stream: BinaryIO) -> Iterator[Document]:
    check_installed()
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    archive: Any = stream if stream.seekable() else _Pipe(stream)
    descriptions = (WarcRecordType.warcinfo, WarcRecordType.request, WarcRecordType.metadata)
    is_empty = True
    number = 0
    try:
        for record in ArchiveIterator(archive, parse_http=False):
            is_empty = False
            if record.record_type in descriptions:
                # These records describe a crawl, and contain no text of a page.
                check_whole(record, record.reader.consume(), source.name)
                continue
            number += 1
            source.callbacks.on_record(number)
            where = f"{source.name}, record {number}"
            if _is_skipped(source, record, where):
                check_whole(record, record.reader.consume(), where)
                continue
            raw = record.reader.read()
            check_whole(record, len(raw), where)
            try:
                text = text_of(record, raw, where)
                label = source.callbacks.label({ADDRESS: address_of(record)}, where)
            except InputError as error:
                source.callbacks.on_invalid(error)
            else:
                yield Document(number, text, label)
    except (*DAMAGE, ValueError, RuntimeError) as error:
        raise InputError(f"{source.name}: cannot be read as WARC ({error}); get it again, or add --format") from error
    if is_empty:
        raise InputError(f"{source.name}: has no WARC records; --format text reads it as text")


def _is_skipped(source: SourceAccess, record: Any, where: str) -> bool:
    """Check whether a record has no page, or one that is too long, and report it."""
    if reason := why_no_text(record):
        source.callbacks.on_skip(reason)
        return True
    if record.content_length > LONGEST_TEXT:
        source.callbacks.on_invalid(InputError(f"{where}: is longer than {LONGEST_TEXT >> 20} MB"))
        return True
    return False
