"""Read the texts of WARC files: of web pages as they were fetched, or as extracted in Common Crawl's WET files."""

import io
import re
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from textparity.auditing.html_text import decode_page, strip_html
from textparity.auditing.text_units import LONGEST_TEXT
from textparity.errors import InputError

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

_HTML = ("text/html", "application/xhtml+xml")
_TEXT = "text/plain"
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_GZIP, _DEFLATE, _NOT_CODED = ("gzip", "x-gzip"), ("deflate",), ("", "identity")


class _Pipe:
    """A stream that cannot seek but reports its position, which FastWARC needs and a pipe does not have."""

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
    on_invalid: Callable[[InputError], None],
    skip: Callable[[str], None],
    on_record: Callable[[int], None] = lambda number: None,
) -> Iterator[tuple[int, str]]:
    """Read the number (from 1, among records with a page or its text) and the text of each record.

    `on_invalid` gets the error of each invalid record, and `skip` the reason why a record is not a page. Raises
    `InputError` if the file is not WARC or is cut off.
    """
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    source: Any = stream if stream.seekable() else _Pipe(stream)
    number = seen = 0
    try:
        for record in ArchiveIterator(source, parse_http=False):
            seen += 1
            kind = record.record_type
            if kind in (WarcRecordType.warcinfo, WarcRecordType.request, WarcRecordType.metadata):
                # These records describe a crawl, and contain no text of a page.
                _check_whole(record, record.reader.consume(), name)
                continue
            number += 1
            on_record(number)
            where = f"{name}, record {number}"
            if reason := _why_no_text(record):
                skip(reason)
                _check_whole(record, record.reader.consume(), where)
                continue
            size = record.content_length
            if size > LONGEST_TEXT:
                on_invalid(InputError(f"{where}: is longer than {LONGEST_TEXT >> 20} MB"))
                _check_whole(record, record.reader.consume(), where)
                continue
            raw = record.reader.read()
            _check_whole(record, len(raw), where)
            try:
                if kind == WarcRecordType.conversion:
                    text = _text_of(raw, where)
                elif kind == WarcRecordType.response:
                    text = strip_html(_page_of(record, raw, where), where)
                else:
                    page = decode_page(raw, _charset_of(record), where)
                    text = page if _type_of(record) == _TEXT else strip_html(page, where)
            except InputError as error:
                on_invalid(error)
            else:
                yield number, text
    except (OSError, EOFError, ValueError, RuntimeError) as error:
        raise InputError(f"{name}: cannot be read as WARC ({error}); get it again, or say its --format") from error
    if not seen:
        raise InputError(f"{name}: has no WARC records; --format text reads it as text")


def _check_whole(record: "WarcRecord", read: int, where: str) -> None:
    """Raise `InputError` if a record ends within its body or its header. FastWARC does not report this."""
    if read != record.content_length or not (record.headers.get("Content-Length") or "").strip().isdigit():
        raise InputError(f"{where}: is cut; get the file again")


def _text_of(raw: bytes, where: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: byte {error.start:,} of its text (from 0) is not valid UTF-8") from None


def _why_no_text(record: "WarcRecord") -> str:
    """Name the reason for skipping a record without a page or its text. Returns an empty string for other records."""
    from fastwarc.warc import WarcRecordType

    kind, found = record.record_type, _type_of(record)
    if kind == WarcRecordType.response:
        return _no_page(record)
    if kind == WarcRecordType.conversion:
        # Most records have no type, as in Common Crawl's first WET files.
        return "" if not found or found.startswith("text/") else f"WARC conversions that are no text: {found}"
    if kind == WarcRecordType.resource:
        is_page = found in (*_HTML, _TEXT)
        return "" if is_page else f"WARC resources that are no HTML and no text: {found or 'no type that is said'}"
    return f"WARC records of type {(record.headers.get('WARC-Type') or 'unknown').lower()}"


def _type_of(record: "WarcRecord") -> str:
    return (record.headers.get("Content-Type") or "").partition(";")[0].strip().lower()


def _charset_of(record: "WarcRecord") -> str | None:
    found = _CHARSET.search(record.headers.get("Content-Type") or "")
    return found[1] if found else None


def _no_page(record: "WarcRecord") -> str:
    """Explain why a response is not a readable page. Empty if it is one; its body remains to be read."""
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
    head = record.http_headers
    transfer, content = ((head and head.get(name)) or "" for name in ("Transfer-Encoding", "Content-Encoding"))
    codings = [coding.strip().lower() for coding in content.split(",")]
    # FastWARC undoes codings that zlib cannot. It notices if such a stream ends early.
    rest = [] if all(coding in (*_GZIP, *_DEFLATE, *_NOT_CODED) for coding in codings) else [content]
    raw = _undo({"Transfer-Encoding": transfer, "Content-Encoding": "".join(rest)}, raw, where)
    if not rest:
        for coding in reversed(codings):
            if coding not in _NOT_CODED:
                raw = _unpack(raw, coding, where)
    return decode_page(raw, record.http_charset, where)


def _undo(coded: dict[str, str], raw: bytes, where: str) -> bytes:
    """Decode a body from the codings in its HTTP header."""
    from fastwarc.warc import ArchiveIterator

    coded = {name: value for name, value in coded.items() if value}
    if not coded:
        return raw
    # Each body is parsed alone, because an error would end the iteration over all records.
    http = "".join(["HTTP/1.1 200 OK\r\n", *(f"{name}: {value}\r\n" for name, value in coded.items()), "\r\n"])
    body = http.encode() + raw
    warc = "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
    alone = f"{warc}Content-Length: {len(body)}\r\n\r\n".encode() + body
    try:
        found = bytes(next(iter(ArchiveIterator(io.BytesIO(alone), auto_decode="all"))).reader.read(LONGEST_TEXT + 1))
    except OSError as error:
        raise InputError(f"{where}: its {' and '.join(coded)} cannot be undone ({error})") from None
    return _check_length(found, where)


def _check_length(found: bytes, where: str) -> bytes:
    """Raise an error if a body unpacks to more than fits in memory."""
    if len(found) > LONGEST_TEXT:
        raise InputError(f"{where}: unpacks to more than {LONGEST_TEXT >> 20} MB")
    return found


def _unpack(raw: bytes, coding: str, where: str) -> bytes:
    """Decompress a body from gzip or deflate. A truncated body is an error: its missing rest may mention anyone."""
    # Some servers send deflate without the zlib header.
    has_head = coding in _GZIP or (raw[:1] and raw[0] & 15 == 8 and int.from_bytes(raw[:2], "big") % 31 == 0)
    bits = 16 + zlib.MAX_WBITS if coding in _GZIP else zlib.MAX_WBITS if has_head else -zlib.MAX_WBITS
    found, rest = b"", raw
    try:
        while rest.startswith(b"\x1f\x8b") or rest is raw:
            stream = zlib.decompressobj(bits)
            found += stream.decompress(rest, LONGEST_TEXT + 1 - len(found))
            _check_length(found, where)
            if not stream.eof:
                raise InputError(f"{where}: its Content-Encoding cannot be undone (the stream is cut); get it again")
            rest = stream.unused_data
    except zlib.error as error:
        raise InputError(f"{where}: its Content-Encoding cannot be undone ({error})") from None
    return found
