"""Read the texts of WARC files: of web pages as they were fetched, or as extracted in Common Crawl's WET files."""

import io
import re
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from textparity.auditing.formats import LONGEST_TEXT, find_encoding, guess_wide
from textparity.compression import DAMAGE
from textparity.errors import InputError, MissingResourceError, how_to_install
from textparity.files import is_unicode

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord


# CSS selectors of elements that have no readable text, or whose text does not belong to the page itself. A reading of
# ruby (rp, rt, rtc) repeats the word that it stands above.
_LEFT_OUT = [
    "audio", "button", "canvas", "iframe", "nav", "noscript", "object", "rp", "rt", "rtc", "script", "select", "style",
    "svg", "template", "textarea", "title", "video", "[hidden]", "[role=navigation]",
]  # fmt: skip


def _tags(names: str) -> "re.Pattern[str]":
    return re.compile(rf"<(/?)(?:{'|'.join(names.split())})(?=[\s/>])", re.IGNORECASE)


# Tags that are replaced by others. Resiliparse drops some blocks and all labels, and joins other blocks to adjacent
# words. For formatting tags, and for attributes of <html> and <body>, it takes time quadratic in their number.
_READ_AS = {
    "div": _tags("dialog dir figcaption figure legend listing menu search summary"),
    "span": _tags("a b big code em font i label nobr optgroup s small strike strong tt u"),
    "br": _tags("body html"),
}
# Parsers drop the tags of cells that are outside a table.
_CELLS, _TABLE = _tags("caption tbody td tfoot th thead tr"), _tags("table")
# A menu that is removed must not join the words on both sides of it. A tag may never end, so only part of it is
# searched.
_APART = re.compile(r"<(?=(?:nav|select)[\s/>]|[a-z][^<>]{0,500}?\brole\s*=\s*[\"']?navigation)", re.IGNORECASE)
# The parser compares each attribute of a tag with all attributes before it, which is quadratic. The limit is higher
# than real pages need.
_PART_OF_TAG = r"""(?:[^>"'\s/]++|"[^"]*+"|'[^']*+'|[\s/]++)"""
_TAG = re.compile(rf"(<[a-z]{_PART_OF_TAG}{{0,5000}}+){_PART_OF_TAG}*+", re.IGNORECASE)
# Line ends and tabs in the source are white space, also within <pre>. Resiliparse adds its own between blocks.
_WHITE_SPACE = str.maketrans({"\0": None, "\n": " ", "\t": " "})
# A page declares its encoding near its beginning (https://html.spec.whatwg.org/#determining-the-character-encoding).
_DECLARED = re.compile(rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_SEARCHED = 4096
# Maximum length of a page, in characters. A page that consists only of tags takes 150 times its length in memory.
LONGEST_PAGE = 8 << 20
# Browsers read these names as larger encodings (https://encoding.spec.whatwg.org/#names-and-labels).
_MEANT = {
    **dict.fromkeys(("ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin1", "latin-1"), "cp1252"),
    "iso-8859-9": "cp1254", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949", "tis-620": "cp874", "iso-8859-11": "cp874", "utf-16": "utf-8",
}  # fmt: skip


def _check_installed() -> None:
    try:
        import fastwarc.warc  # noqa: F401
        import resiliparse.parse.html  # noqa: F401
    except ImportError as error:
        raise MissingResourceError(f"{error}; to read web pages, install the extra: {how_to_install('web')}") from error


def strip_html(page: str, where: str = "a text") -> str:
    """Extract the text of a page, or of part of one. Paragraphs, cells and list items become lines.

    Invalid pages are parsed as browsers parse them, in time linear in their length. Raises `InputError` if the page is
    too long to parse in memory.
    """
    if len(page) > LONGEST_PAGE:
        raise InputError(f"{where}: is HTML of more than {LONGEST_PAGE >> 20} million characters; split it")
    _check_installed()
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    page = _TAG.sub(r"\1", page.translate(_WHITE_SPACE))
    for tag, others in _READ_AS.items():
        page = others.sub(rf"<\1{tag}", page)
    if not _TABLE.search(page):
        page = _CELLS.sub(r"<\1div", page)
    page = _APART.sub("<br><", page)
    if not is_unicode(page):
        page = page.encode("utf-8", "replace").decode()
    text = extract_plain_text(
        HTMLTree.parse(page), preserve_formatting=True, list_bullets=False, alt_texts=False, skip_elements=_LEFT_OUT
    )
    lines = (" ".join(line.split()) for line in text.replace("\t", "\n").split("\n"))
    return "\n".join(filter(None, lines))


def decode_page(raw: bytes, declared: str | None, where: str) -> str:
    """Decode a page: as UTF-8 if it is valid, else in the encoding that its server `declared` or that the page names.

    Raises `InputError` if the page is not valid in that encoding.
    """
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        encoding = "utf-16"
    elif wide := guess_wide(raw[:_SEARCHED]):
        # The ASCII characters of UTF-16 or UTF-32 would be valid UTF-8, and all others would be lost.
        encoding = wide
    elif b"\0" in raw and declared and (known := find_encoding(declared)).startswith(("utf-16", "utf-32")):
        encoding = "utf-16-le" if known == "utf-16" else known
    else:
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            found = _DECLARED.search(raw, 0, _SEARCHED)
            named = declared or (found and found[1].decode("ascii", "replace")) or "utf-8"
            encoding = find_encoding(_MEANT.get(named.lower(), named))
            if not encoding:
                raise InputError(f"{where}: has the unknown encoding {named}") from None
    return _decode(raw, encoding, where, "page")


def _decode(raw: bytes, encoding: str, where: str, what: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        shown = encoding.replace("utf-8", "UTF-8")
        raise InputError(f"{where}: byte {error.start:,} of its {what} (from 0) is not valid {shown}") from None
    except UnicodeError as error:
        raise InputError(f"{where}: its {what} is not valid {encoding} ({error})") from None


_HTML = ("text/html", "application/xhtml+xml")
_TEXT = "text/plain"
_NO_HEAD = "web pages without a readable HTTP header"
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
) -> Iterator[tuple[int, str, str | None]]:
    """Read the number (from 1, among records with a page or its text), the text and the address of each record.

    `on_invalid` gets the error of each invalid record, and `skip` the reason why a record is not a page. Raises
    `InputError` if the file is not WARC or is cut off.
    """
    _check_installed()
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
            reason = _why_no_text(record)
            if reason or record.content_length > LONGEST_TEXT:
                if reason:
                    skip(reason)
                else:
                    on_invalid(InputError(f"{where}: is longer than {LONGEST_TEXT >> 20} MB"))
                _check_whole(record, record.reader.consume(), where)
                continue
            raw = record.reader.read()
            _check_whole(record, len(raw), where)
            try:
                if kind == WarcRecordType.conversion:
                    text = _decode(raw, "utf-8", where, "text")
                elif kind == WarcRecordType.response:
                    text = strip_html(_page_of(record, raw, where), where)
                else:
                    charset = _CHARSET.search(record.headers.get("Content-Type") or "")
                    page = decode_page(raw, charset and charset[1], where)
                    text = page if _type_of(record) == _TEXT else strip_html(page, where)
            except InputError as error:
                on_invalid(error)
            else:
                yield number, text, _address_of(record)
    except (*DAMAGE, ValueError, RuntimeError) as error:
        raise InputError(f"{name}: cannot be read as WARC ({error}); get it again, or add --format") from error
    if not seen:
        raise InputError(f"{name}: has no WARC records; --format text reads it as text")


def _address_of(record: "WarcRecord") -> str | None:
    # Some programs write the address in angle brackets, which an early version of the standard showed.
    address = (record.headers.get("WARC-Target-URI") or "").strip()
    return address.removeprefix("<").removesuffix(">") or None


def _check_whole(record: "WarcRecord", read: int, where: str) -> None:
    """Raise `InputError` if a record ends within its body or its header. FastWARC does not report this."""
    if read != record.content_length or not (record.headers.get("Content-Length") or "").strip().isdigit():
        raise InputError(f"{where}: is incomplete; get the file again")


def _why_no_text(record: "WarcRecord") -> str:
    """Name the reason for skipping a record without a page or its text. Returns an empty string for other records."""
    from fastwarc.warc import WarcRecordType

    kind, found = record.record_type, _type_of(record)
    if kind == WarcRecordType.response:
        return _no_page(record)
    if kind == WarcRecordType.conversion:
        # Most records have no type, as in Common Crawl's first WET files.
        return "" if not found or found.startswith("text/") else f"WARC conversions that are not text: {found}"
    if kind == WarcRecordType.resource:
        is_page = found in (*_HTML, _TEXT)
        return "" if is_page else f"WARC resources that are neither HTML nor text: {found or 'no type given'}"
    return f"WARC records of type {(record.headers.get('WARC-Type') or 'unknown').lower()}"


def _type_of(record: "WarcRecord") -> str:
    return (record.headers.get("Content-Type") or "").partition(";")[0].strip().lower()


def _no_page(record: "WarcRecord") -> str:
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
    kind = (record.http_content_type or "no type given").lower()
    return "" if kind in _HTML else f"web pages that are not HTML: {kind}"


def _page_of(record: "WarcRecord", raw: bytes, where: str) -> str:
    head = record.http_headers
    transfer, content = ((head and head.get(name)) or "" for name in ("Transfer-Encoding", "Content-Encoding"))
    codings = [coding.strip().lower() for coding in content.split(",")]
    # FastWARC undoes codings that zlib cannot. It notices if such a stream ends early.
    by_zlib = all(coding in (*_GZIP, *_DEFLATE, *_NOT_CODED) for coding in codings)
    raw = _undo({"Transfer-Encoding": transfer, "Content-Encoding": "" if by_zlib else content}, raw, where)
    for coding in reversed(codings if by_zlib else []):
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
        raise InputError(f"{where}: its {' and '.join(coded)} cannot be decoded ({error})") from None
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
        while rest or rest is raw:
            stream = zlib.decompressobj(bits)
            found += stream.decompress(rest, LONGEST_TEXT + 1 - len(found))
            _check_length(found, where)
            if not stream.eof:
                raise InputError(
                    f"{where}: its Content-Encoding cannot be decoded (the stream is incomplete); get it again"
                )
            # What follows is another stream or zero bytes. Anything else may be a stream that is damaged.
            rest = stream.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise InputError(f"{where}: its Content-Encoding cannot be decoded ({error})") from None
    return found
