"""Texts of WARC files: of web pages as they were fetched, or as Common Crawl's WET files have their text."""

import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from textparity.auditing.html_text import decode_page, strip_html
from textparity.auditing.units import LONGEST_TEXT
from textparity.errors import InputError

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

_HTML = ("text/html", "application/xhtml+xml")
_CODED = ("Transfer-Encoding", "Content-Encoding")


class _Pipe:
    """A stream without seeking that knows where it is, which FastWARC asks and a pipe does not tell."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._place = stream, 0

    def read(self, size: int = -1) -> bytes:
        found = self._stream.read(size)
        self._place += len(found)
        return found

    def tell(self) -> int:
        return self._place

    def seekable(self) -> bool:
        return False


def read_warc(
    stream: BinaryIO,
    name: str,
    refuse: Callable[[InputError], None],
    leave_out: Callable[[str], None],
    on_record: Callable[[int], None] = lambda number: None,
) -> Iterator[tuple[int, str]]:
    """Yield number (from 1, of the records with a page or its text) and text of each.

    A record that is not valid goes to `refuse`, why one is no page to `leave_out`. Raises `InputError` for what is no
    WARC file, or is cut.
    """
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    source: Any = stream if stream.seekable() else _Pipe(stream)
    number = seen = 0
    try:
        for record in ArchiveIterator(source, parse_http=False):
            seen += 1
            if record.record_type not in (WarcRecordType.response, WarcRecordType.conversion):
                _check_whole(record, record.reader.consume(), name)
                continue
            number += 1
            on_record(number)
            where = f"{name}, record {number}"
            is_text = record.record_type == WarcRecordType.conversion
            if not is_text and (reason := _no_page(record)):
                leave_out(reason)
                _check_whole(record, record.reader.consume(), where)
                continue
            size = record.content_length
            if size > LONGEST_TEXT:
                refuse(InputError(f"{where}: is longer than {LONGEST_TEXT >> 20} MB"))
                _check_whole(record, record.reader.consume(), where)
                continue
            raw = record.reader.read()
            _check_whole(record, len(raw), where)
            try:
                text = _text_of(raw, where) if is_text else strip_html(_page_of(record, raw, where))
            except InputError as error:
                refuse(error)
            else:
                yield number, text
    except (OSError, EOFError, ValueError, RuntimeError) as error:
        raise InputError(f"{name}: cannot be read as WARC ({error}); get it again, or say its --format") from error
    if not seen:
        raise InputError(f"{name}: has no WARC records; --format text reads it as text")


def _check_whole(record: "WarcRecord", read: int, where: str) -> None:
    """Raise `InputError` for a record that ends before its body, or in its head, of which FastWARC says nothing."""
    if read != record.content_length or not (record.headers.get("Content-Length") or "").strip().isdigit():
        raise InputError(f"{where}: is cut; get the file again")


def _text_of(raw: bytes, where: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: byte {error.start:,} of its text (from 0) is not valid UTF-8") from None


def _no_page(record: "WarcRecord") -> str:
    """Return why a response is no page to be read, an empty string if it is one; the rest of it is its body then."""
    try:
        record.parse_http()
    except OSError:
        return "web pages without an HTTP head that can be read"
    head = record.http_headers
    status = head.status_code if head else None
    if status is None or not str(status).isdigit():
        return "web pages without an HTTP head that can be read"
    if str(status) != "200":
        return f"web pages with HTTP status {status}"
    kind = (record.http_content_type or "no type that is said").lower()
    return "" if kind in _HTML else f"web pages that are no HTML: {kind}"


def _page_of(record: "WarcRecord", raw: bytes, where: str) -> str:
    from fastwarc.warc import ArchiveIterator

    head = record.http_headers
    coded = {name: value for name in _CODED if head and (value := head.get(name))}
    if coded:
        # Alone, as an error would end the iteration of all.
        http = "".join(["HTTP/1.1 200 OK\r\n", *(f"{name}: {value}\r\n" for name, value in coded.items()), "\r\n"])
        body = http.encode() + raw
        warc = "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
        alone = f"{warc}Content-Length: {len(body)}\r\n\r\n".encode() + body
        try:
            raw = next(iter(ArchiveIterator(io.BytesIO(alone), auto_decode="all"))).reader.read()
        except OSError as error:
            raise InputError(f"{where}: its {' and '.join(coded)} cannot be undone ({error})") from None
    return decode_page(raw, record.http_charset, where)
