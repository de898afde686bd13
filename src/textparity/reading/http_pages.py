"""The pages within the HTTP responses of a crawl: whether a response has one, and its text in its encodings."""

import io
import zlib
from typing import TYPE_CHECKING

from textparity.errors import InputError
from textparity.reading.documents import LONGEST_TEXT
from textparity.reading.web_text import decode_page

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

HTML_TYPES = ("text/html", "application/xhtml+xml")
_NO_HEAD = "web pages without a readable HTTP header"
_GZIP, _DEFLATE, _NOT_CODED = ("gzip", "x-gzip"), ("deflate",), ("", "identity")


def why_no_page(record: "WarcRecord") -> str:
    """Explain why a response is not a readable page. Empty if it is one; its body remains to be read."""
    try:
        record.parse_http()
    except OSError:
        return _NO_HEAD
    status = str(record.http_headers.status_code if record.http_headers else None)
    if not status.isdigit():
        return _NO_HEAD
    if status != "200":
        return f"web pages with HTTP status {status}"
    content_type = (record.http_content_type or "no type given").lower()
    return "" if content_type in HTML_TYPES else f"web pages that are not HTML: {content_type}"


def decode_response(record: "WarcRecord", raw: bytes, where: str) -> str:
    """Decode the body of a response. Raises `InputError` if it cannot be decoded, or is too long."""
    transfer = _header(record, "Transfer-Encoding")
    content = _header(record, "Content-Encoding")
    codings = [coding.strip().lower() for coding in content.split(",")]
    # FastWARC undoes codings that zlib cannot. It notices if such a stream ends early.
    by_zlib = all(coding in (*_GZIP, *_DEFLATE, *_NOT_CODED) for coding in codings)
    raw = _undo({"Transfer-Encoding": transfer, "Content-Encoding": "" if by_zlib else content}, raw, where)
    for coding in reversed(codings if by_zlib else []):
        if coding not in _NOT_CODED:
            raw = _unpack(raw, coding, where)
    return decode_page(raw, record.http_charset, where)


def _header(record: "WarcRecord", name: str) -> str:
    return (record.http_headers and record.http_headers.get(name)) or ""


def _undo(headers: dict[str, str], raw: bytes, where: str) -> bytes:
    """Decode a body from the codings in its HTTP header."""
    from fastwarc.warc import ArchiveIterator

    codings = {name: value for name, value in headers.items() if value}
    if not codings:
        return raw
    # Each body is parsed alone, because an error would end the iteration over all records.
    lines = [f"{name}: {value}\r\n" for name, value in codings.items()]
    body = "".join(["HTTP/1.1 200 OK\r\n", *lines, "\r\n"]).encode() + raw
    warc = "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
    archive = io.BytesIO(f"{warc}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    try:
        record = next(iter(ArchiveIterator(archive, auto_decode="all")))
        decoded = bytes(record.reader.read(LONGEST_TEXT + 1))
    except OSError as error:
        raise InputError(f"{where}: its {' and '.join(codings)} cannot be decoded ({error})") from None
    return _check_length(decoded, where)


def _check_length(body: bytes, where: str) -> bytes:
    """Raise an error if a body unpacks to more than fits in memory."""
    if len(body) > LONGEST_TEXT:
        raise InputError(f"{where}: unpacks to more than {LONGEST_TEXT >> 20} MB")
    return body


def _unpack(raw: bytes, coding: str, where: str) -> bytes:
    """Decompress a body from gzip or deflate. A truncated body is an error: its missing rest may mention anyone."""
    bits = _window_bits(raw, coding)
    unpacked, rest = b"", raw
    try:
        while rest or rest is raw:
            stream = zlib.decompressobj(bits)
            unpacked += stream.decompress(rest, LONGEST_TEXT + 1 - len(unpacked))
            _check_length(unpacked, where)
            if not stream.eof:
                raise InputError(
                    f"{where}: its Content-Encoding cannot be decoded (the stream is incomplete); get it again"
                )
            # What follows is another stream or zero bytes. Anything else may be a stream that is damaged.
            rest = stream.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise InputError(f"{where}: its Content-Encoding cannot be decoded ({error})") from None
    return unpacked


def _window_bits(raw: bytes, coding: str) -> int:
    """Choose the parameter by which zlib recognizes the header of a stream."""
    if coding in _GZIP:
        return 16 + zlib.MAX_WBITS
    # Some servers send deflate without the zlib header.
    has_header = raw[:1] and raw[0] & 15 == 8 and int.from_bytes(raw[:2], "big") % 31 == 0
    return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS
