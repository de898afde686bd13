"""The records of WARC files: which have a page or its text, and that text."""

import re
from typing import TYPE_CHECKING

from textparity.errors import InputError
from textparity.reading.http_pages import HTML_TYPES, decode_response, why_no_page
from textparity.reading.web_text import decode_page, decode_strictly, strip_html

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

_TEXT = "text/plain"
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)


def text_of(record: "WarcRecord", raw: bytes, where: str) -> str:
    """Extract the text from the `raw` body of a record. Raises `InputError` if it cannot be decoded."""
    from fastwarc.warc import WarcRecordType

    if record.record_type == WarcRecordType.conversion:
        return decode_strictly(raw, "utf-8", where, "text")
    if record.record_type == WarcRecordType.response:
        return strip_html(decode_response(record, raw, where), where)
    charset = _CHARSET.search(record.headers.get("Content-Type") or "")
    page = decode_page(raw, charset and charset[1], where)
    return page if _type_of(record) == _TEXT else strip_html(page, where)


def check_whole(record: "WarcRecord", read: int, where: str) -> None:
    """Raise `InputError` if a record ends within its body or its header. FastWARC does not report this."""
    if read != record.content_length or not (record.headers.get("Content-Length") or "").strip().isdigit():
        raise InputError(f"{where}: is incomplete; get the file again")


def address_of(record: "WarcRecord") -> str | None:
    """Read the address of a page, if it has one."""
    # Some programs write the address in angle brackets, which an early version of the standard showed.
    address = (record.headers.get("WARC-Target-URI") or "").strip()
    return address.removeprefix("<").removesuffix(">") or None


def why_no_text(record: "WarcRecord") -> str:
    """Name the reason for skipping a record without a page or its text. Returns an empty string for other records."""
    from fastwarc.warc import WarcRecordType

    content_type = _type_of(record)
    if record.record_type == WarcRecordType.response:
        return why_no_page(record)
    if record.record_type == WarcRecordType.conversion:
        # Most records have no type, as in Common Crawl's first WET files.
        is_text = not content_type or content_type.startswith("text/")
        return "" if is_text else f"WARC conversions that are not text: {content_type}"
    if record.record_type == WarcRecordType.resource:
        is_page = content_type in (*HTML_TYPES, _TEXT)
        return "" if is_page else f"WARC resources that are neither HTML nor text: {content_type or 'no type given'}"
    return f"WARC records of type {(record.headers.get('WARC-Type') or 'unknown').lower()}"


def _type_of(record: "WarcRecord") -> str:
    return (record.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
