"""Texts of WET files, Common Crawl's text of web pages: one document a record."""

from collections.abc import Callable, Iterator
from typing import BinaryIO

from textparity.errors import InputError


def read_wet(stream: BinaryIO, name: str, refuse: Callable[[InputError], None]) -> Iterator[tuple[int, str]]:
    """Yield number (from 1, of the records with a text) and text; a record that is cut or no UTF-8 goes to `refuse`.

    Raises `InputError` for what is no WET file.
    """
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    number = seen = 0
    try:
        for record in ArchiveIterator(stream, parse_http=False):
            seen += 1
            if record.record_type == WarcRecordType.response:
                raise InputError(
                    f"{name}: has web pages, not their text; name the WET file of the same crawl, which has it"
                )
            if record.record_type != WarcRecordType.conversion:
                continue
            number += 1
            raw = record.reader.read()
            where = f"{name}, record {number}"
            if len(raw) != record.content_length:
                raise InputError(f"{where}: is cut; get the file again")
            try:
                text = raw.decode()
            except UnicodeDecodeError as error:
                refuse(InputError(f"{where}: byte {error.start:,} of its text (from 0) is not valid UTF-8"))
            else:
                yield number, text
    except (OSError, EOFError, ValueError, RuntimeError) as error:
        raise InputError(f"{name}: cannot be read as WET ({error}); get it again, or say its --format") from error
    if not seen:
        raise InputError(f"{name}: has no WARC records; --format text reads it as text")
