"""Recognize and decode the forms of input: JSON arrays and objects, known formats, character encodings."""

import codecs
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from encodings.aliases import aliases
from itertools import chain, groupby
from pathlib import Path
from typing import Any, BinaryIO

from textparity.errors import ConfigError, InputError
from textparity.files import read_lines


class RepeatedKeys(dict[str, Any]):
    """An object in which the keys `repeated` occur more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated = {name for name, times in Counter(name for name, _ in pairs).items() if times > 1}


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else RepeatedKeys(pairs)


DECODER = json.JSONDecoder(object_pairs_hook=_make_object)


def check_once(record: Any, name: str, where: str) -> None:
    """Raise `InputError` if a record has the field `name` more than once."""
    if isinstance(record, RepeatedKeys) and name in record.repeated:
        raise InputError(f"{where}: has the field {name} more than once; remove or rename the others")


# Maximum length of one record, in characters.
LONGEST_RECORD = 64 << 20
_SPACE = re.compile(r"[ \t\r\n]*")


def read_array(lines: Iterable[str], name: str) -> Iterator[Any]:
    """Read the elements of the JSON array in `lines`, each as soon as its last line has been read.

    Raises `InputError`, with the number of the record (from 1), if the text is not a JSON array or is cut off.
    """
    decode = DECODER.raw_decode
    # `state` decides what may come next. start: `[`; first: an element or `]`; next: an element; after: `,` or `]`;
    # end: nothing.
    waiting, state, number, tried = "", "start", 0, 0
    for line in chain(lines, [None]):
        waiting += "" if line is None else f"{line}\n"
        place = 0
        while (found := _SPACE.match(waiting, place)) and (place := found.end()) < len(waiting):
            character = waiting[place]
            where = f"{name}, record {number + 1}"
            if state == "end":
                raise InputError(f"{name}: has text after its JSON array; a file can have only one array")
            if state == "start" or character == ("]" if state in ("first", "after") else ""):
                state, place = ("first" if state == "start" else "end"), place + 1
            elif state == "after":
                if character != ",":
                    raise InputError(f"{where}: {character!r} instead of a comma; fix the JSON array")
                state, place = "next", place + 1
            else:
                size = len(waiting) - place
                # Decoding again after every line would take time quadratic in the length of the record, so wait until
                # it has doubled.
                if line is not None and size < 2 * tried:
                    break
                try:
                    record, place = decode(waiting, place)
                except (ValueError, RecursionError) as error:
                    if line is None or size > LONGEST_RECORD:
                        raise InputError(f"{where}: cannot be read as JSON ({error}); fix the array") from None
                    tried = size
                    break
                number, state, tried = number + 1, "after", 0
                yield record
        waiting = waiting[place:]
    if state != "end":
        raise InputError(f"{name}: its JSON array has no end after {number:,} records; get the file again")


# The number of characters that are examined.
HEAD = 8192
_MOST_LINES = 40
_SUBTITLES = "keep the lines that are spoken, without numbers and times: grep -vE '^[0-9]+$|-->' FILE"
_TEI_FIX = "take the text out of <body>, or add --format html, which reads the header, too"
_MAIL_FIX = "take the text of the mails out, for instance with Python's modules mailbox and email"

# How to get the text of documents, by their kind.
DOCUMENT_FIX = "make plain text of it, for instance with pandoc -t plain --wrap none -o FILE.txt FILE"
OLD_OFFICE_FIX = (
    "save it as plain text in UTF-8, for instance with soffice --headless --convert-to 'txt:Text (encoded):UTF8' FILE"
)
SHEET_FIX = "save the sheet as CSV in UTF-8 and name its column with --column"
PDF_FIX = "extract its text, for instance with pdftotext -layout"
SLIDES_FIX = "save it as plain text in UTF-8, for instance from its outline"
BOOK_FIX = "make plain text of it, for instance with ebook-convert FILE FILE.txt (Calibre)"
TABLE_FIX = "write it as Parquet"
_UNPACK_FIX = "unpack it and name its files"
_IMAGE_FIX = "it has no text; recognize its text first, for instance with tesseract"

# Formats that cannot be text: how the file begins, its name, and the fix.
_NO_TEXT = (
    (b"version https://git-lfs.github.com/spec/", "a Git LFS pointer, not the file itself", "get it: git lfs pull"),
    (b"/annex/objects/", "a pointer of git-annex, not the file itself", "get it: git annex get"),
    (b"%PDF-", "PDF", PDF_FIX),
    (b"%!PS", "PostScript", "extract its text, for instance with ps2ascii"),
    (b"{\\rtf", "RTF", DOCUMENT_FIX),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an old Office (Word, Excel, Outlook)", OLD_OFFICE_FIX),
    (b"AT&TFORM", "DjVu", "extract its text with djvutxt"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
    (b"PAR1\x15", "Parquet", "add --format parquet"),
    (b"ARROW1\0\0", "Arrow (Feather)", TABLE_FIX),
    (b"Obj\x01", "Avro", TABLE_FIX),
    (b"\x89HDF\r\n", "HDF5", TABLE_FIX),
    (b"\x93NUMPY", "an array of NumPy", TABLE_FIX),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK_FIX),
    (b"Rar!\x1a\x07", "a RAR archive", _UNPACK_FIX),
    (b"\x04\x22\x4d\x18", "compressed by LZ4", _UNPACK_FIX),
    (b"LZIP\x01", "compressed by lzip", _UNPACK_FIX),
    (b"\x1f\x9d", "compressed by compress (.Z)", _UNPACK_FIX),
    (b"\x89PNG\r\n", "an image (PNG)", _IMAGE_FIX),
    (b"\xff\xd8\xff", "an image (JPEG)", _IMAGE_FIX),
    (b"filedesc://", "an ARC file, the predecessor of WARC", "convert it to WARC: warcio recompress"),
)
_ZIP = b"PK\x03\x04"
# Documents that are ZIP archives: what the beginning has, their name, and the fix. The last is any other archive.
_ZIPPED = (
    (b"mimetypeapplication/epub+zip", "EPUB", DOCUMENT_FIX),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "a document of OpenOffice (.odt)", DOCUMENT_FIX),
    (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "a sheet of OpenOffice (.ods)", SHEET_FIX),
    (b"mimetypeapplication/vnd.oasis.opendocument", "a document of OpenOffice", SLIDES_FIX),
    (b"[Content_Types].xml", "a document of Office (Word, Excel, PowerPoint)", f"{DOCUMENT_FIX}; of a sheet, save CSV"),
    (b"word/", "a document of Word (.docx)", DOCUMENT_FIX),
    (b"xl/", "a sheet of Excel (.xlsx)", SHEET_FIX),
    (b"", "a ZIP archive (also Word, Excel or EPUB)", f"unpack it; of a document, {DOCUMENT_FIX}"),
)
# The number of bytes that show these formats.
SIGNATURE_BYTES = 128

_TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]{0,500})?/?>")
_HTML_TAG = re.compile(
    r"</(?:a|b|body|div|em|h[1-6]|head|html|i|li|p|span|strong|table|td|title|tr|ul)>|<(?:br|hr|p)\s?/?>", re.IGNORECASE
)
_TAGS_NEEDED = 4
_MARKUP_FIX = "add --format html, which reads its text"

# Formats that look like text: a pattern of the beginning, its name, and the fix. The first that matches is used.
_NAMED = (
    (r"<mediawiki\b", "a dump of MediaWiki", "take its text out, for instance with wikiextractor"),
    (r"<(?:\w+:)?(?:TEI|teiCorpus)\b", "TEI", _TEI_FIX),
    (r"(?:\s|<!--.*?-->|<\?.*?\?>)*<(?:!doctype\s+html|html)\b", "HTML", "add --format html"),
    (r"\s*<(?:\?xml|!DOCTYPE)\b", "XML", _MARKUP_FIX),
    (r"\s*WARC/\d", "WARC", "add --format warc"),
    (r"\s*WEBVTT\b", "subtitles (WebVTT)", _SUBTITLES),
    (r"\s*(?:\d+\s+)?\d+:\d\d:\d\d[,.]\d+\s+-->\s", "subtitles (SRT)", _SUBTITLES),
    (r"\s*\d+:\d\d:\d\d\.\d+,\d+:\d\d:\d\d\.\d+\s", "subtitles (SBV)", _SUBTITLES),
    (r"\s*\[Script Info\]", "subtitles (ASS)", _SUBTITLES),
    (r"\s*From \S+ .{0,40}\d\d:\d\d.{0,20}\d{4}.{0,10}\s+[\w-]+:\s", "mails (mbox)", _MAIL_FIX),
    (r"\s*(?:Return-Path|Received|Message-ID|MIME-Version|Delivered-To):\s", "a mail", _MAIL_FIX),
    (r"\s*\\documentclass\b", "LaTeX", "make text of it, for instance with pandoc -t plain --wrap none"),
    (r"\s*@(?:UTF8|Begin)\b", "a transcript (CHAT)", "take the lines of its speakers, for instance with pylangacq"),
)  # fmt: skip
_PATTERNS = [(re.compile(pattern, re.IGNORECASE | re.DOTALL), what, fix) for pattern, what, fix in _NAMED]
_CONLLU_LINE = re.compile(r"\d+(?:[-.]\d+)?\t[^\t]+\t[^\t]+\t[^\t]+\t")
_CONLLU_COMMENT = re.compile(r"#\s?(?:sent_id|text|newdoc|newpar|global\.columns)\b[^=]{0,40}=")
_TAGGED_LINE = re.compile(r"(?:-DOCSTART-.*|\S+[ \t](?:\S+[ \t])*(?:O|[BIES]-\w+))")


def check_is_text(head: bytes, name: str) -> None:
    """Raise `InputError` if the beginning of a file cannot be text. It needs `SIGNATURE_BYTES`."""
    head = head.removeprefix(b"\xef\xbb\xbf")[:SIGNATURE_BYTES]
    for begin, what, fix in _NO_TEXT:
        if head.startswith(begin):
            raise InputError(f"{name}: is {what}, not text; {fix}")
    if head.startswith(_ZIP):
        for part, what, fix in _ZIPPED:
            if part in head:
                raise InputError(f"{name}: is {what}, not text; {fix}")


def warn_about_markup(head: str, is_stripped: bool) -> str:
    """Warn if a text seems to be in a format with markup. `is_stripped`: HTML tags are removed anyway."""
    head = head[:HEAD].lstrip("\ufeff")
    what, fix = _recognise(head)
    if not what or (is_stripped and fix in (_MARKUP_FIX, "add --format html")):
        return ""
    return f"its first lines look like {what}, so its markup is counted, too; {fix}"


def _recognise(head: str) -> tuple[str, str]:
    is_markup = head.lstrip().startswith("<")
    for pattern, what, fix in _PATTERNS:
        # The root element of XML may follow a declaration, comments and instructions.
        if pattern.match(head) or (is_markup and pattern.pattern.startswith("<") and pattern.search(head)):
            return what, fix
    lines = [line for line in head.split("\n") if line.strip()][:_MOST_LINES]
    table = sum(_CONLLU_LINE.match(line) is not None for line in lines)
    if (_CONLLU_COMMENT.match(head.lstrip()) and "\t" in head) or 2 * table > len(lines):
        return "CoNLL-U", "take its sentences: grep '^# text = ' FILE | cut -c 10-"
    if len(lines) > 2 and all(map(_TAGGED_LINE.fullmatch, lines)):
        return "words with tags (CoNLL)", "put the words of each sentence on a line"
    tags, of_html = len(_TAG.findall(head)), len(_HTML_TAG.findall(head))
    if of_html >= _TAGS_NEEDED:
        return "HTML", "add --format html"
    if tags >= _TAGS_NEEDED and _TAG.match(head.lstrip()):
        return "XML", _MARKUP_FIX
    return "", ""


_BLOCK = 1 << 18
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
# Encodings that exist only in Python and are never used for texts:
# https://docs.python.org/3/library/codecs.html#python-specific-encodings
_OF_PYTHON = {"charmap", "idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
# UTF-16 and UTF-32 are recognized by one NUL byte in at least every 16 bytes, with nearly as many ASCII characters.
_NULS_NEEDED, _ASCII_NEEDED = 16, 0.8


def find_encoding(name: str) -> str:
    """Look up Python's name for a text encoding. Returns an empty string for an unknown encoding."""
    try:
        # Some codecs, such as rot13 and zip, do not convert text to bytes.
        "".encode(name)
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    return "" if found in _OF_PYTHON else found


def check_encoding(name: str) -> str:
    """Look up Python's name for a text encoding. Raises `ConfigError` for an unknown encoding."""
    if found := find_encoding(name):
        return found
    known = sorted(filter(find_encoding, {*aliases, *aliases.values()}))
    near = get_close_matches(name.lower().replace("-", "_"), known, 3)
    raise ConfigError(
        f"unknown encoding {name!r}; "
        + (f"did you mean {' or '.join(near)}?" if near else "use a name such as windows-1252 or utf-16")
    )


def guess_wide(head: bytes) -> str:
    """Guess from its NUL bytes which UTF-16 or UTF-32 a text begins in. Empty if it has few NUL bytes.

    UTF-8 and single-byte encodings do not use NUL bytes. Scripts without ASCII letters have few of them in UTF-16, too.
    """
    nuls = head.count(0)
    if not nuls or _NULS_NEEDED * nuls < len(head):
        return ""
    for name in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        with suppress(UnicodeDecodeError):
            # An incremental decoder accepts a last character that is cut off.
            text = codecs.getincrementaldecoder(name)().decode(head)
            # In UTF-16, most NUL bytes belong to ASCII characters. In the wrong byte order, they would become other
            # letters.
            found = nuls if name.startswith("utf-32") else sum(map(str.isascii, text))
            if text and "\0" not in text and found >= _ASCII_NEEDED * nuls:
                return name
    return ""


class Recoded(io.RawIOBase):
    """A byte stream that converts another encoding to UTF-8.

    Raises `InputError`, with the file's `name` and the position, at the first byte that is not valid in the encoding.
    """

    def __init__(self, stream: BinaryIO, encoding: str, name: str) -> None:
        super().__init__()
        self._stream, self._encoding, self._name = stream, encoding, name
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._done = 0
        self._waiting = b""
        self._at_end = False

    def readable(self) -> bool:
        """Always true: the stream can be read."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        """Fill the buffer and return the number of bytes written to it."""
        while not self._waiting and not self._at_end:
            block = self._stream.read(_BLOCK)
            self._at_end = not block
            if not self._done:
                self._check_width(block)
            # Bytes that the decoder held back from the last block come before the current block.
            held = len(self._decoder.getstate()[0])
            try:
                text = self._decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                place = self._done - held + error.start
                raise InputError(
                    f"{self._name}: byte {place:,} (from 0) is not valid {self._encoding} ({error.reason}); give its "
                    "encoding with --encoding: often windows-1252, utf-16 or utf-8"
                ) from None
            except UnicodeError as error:
                # These errors do not name the invalid byte.
                fix, explanation = "give its encoding", f"is not valid {self._encoding} ({error})"
                if self._encoding in ("utf-16", "utf-32"):
                    fix, explanation = f"give {self._encoding}-le or {self._encoding}-be", "has no byte order mark"
                raise InputError(f"{self._name}: {explanation}; {fix} with --encoding") from None
            self._done += len(block)
            self._waiting = text.encode("utf-8", "surrogatepass")
        size = min(len(buffer), len(self._waiting))
        buffer[:size] = self._waiting[:size]
        self._waiting = self._waiting[size:]
        return size

    def _check_width(self, head: bytes) -> None:
        """Raise `InputError` for another UTF-16 or UTF-32 than was given, which would decode to other letters."""
        wide = guess_wide(head)
        has_mark = head.startswith(_MARKS) and wide.startswith(self._encoding)
        if wide and wide != self._encoding and not has_mark:
            raise InputError(f"{self._name}: is {wide}, not {self._encoding}; give it with --encoding {wide}")


LINE, PARAGRAPH, DOCUMENT = TEXT_UNITS = ("line", "paragraph", "document")
# Maximum length of a text in characters, because a document is held in memory.
LONGEST_TEXT = 64 << 20
# This character ends a line of a document, and also ends a sentence. An ordinary line end does not, as in hard-wrapped
# text.
LINE_END = "\u2029"


def number_of(number: int, noun: str) -> str:
    """Write a number with its noun, such as `2 lines`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def join_lines(lines: Iterable[tuple[int, str]], unit: str, name: str) -> Iterator[tuple[int, str]]:
    """Join lines to texts: gives the number of the first line and the text of each paragraph, or of the document.

    Blank lines separate paragraphs, and are not texts. Lines of a paragraph are joined by a space. A document keeps its
    line ends. Raises `InputError` if a text is too long to be held in memory.
    """
    if unit == DOCUMENT:
        if found := _gathered(lines, name):
            yield found[0], "\n".join(found[1])
        return
    for filled, group in groupby(lines, lambda line: bool(line[1].strip())):
        if filled and (found := _gathered(group, name)):
            yield found[0], " ".join(line.strip() for line in found[1])


def read_documents(path: Path) -> list[str]:
    """Read the name of each line's document. Raises `InputError` if the lines of a document are not consecutive."""
    names = read_lines(path)
    ended: set[str] = set()
    for number, (name, before) in enumerate(zip(names, ["", *names], strict=False), start=1):
        if name in ended and name != before:
            raise InputError(
                f"{path}, line {number}: {name} already has lines above; lines of one document must be together"
            )
        ended.add(name)
    return names


def join_documents(lines: Iterable[tuple[int, str]], documents: Sequence[str], name: str) -> Iterator[tuple[int, str]]:
    """Join lines to documents, each with the number of its first line. `documents` has the document of each line."""
    for _, group in groupby(lines, lambda line: documents[line[0] - 1]):
        if found := _gathered(group, name):
            # Counting splits words at spaces, so a space has to separate the words of two lines.
            yield found[0], f"{LINE_END} ".join(found[1])


def _gathered(lines: Iterable[tuple[int, str]], name: str) -> tuple[int, list[str]] | None:
    first, texts, size = 0, list[str](), 0
    for number, line in lines:
        first = first or number
        texts.append(line)
        size += len(line) + 1
        if size > LONGEST_TEXT:
            raise InputError(
                f"{name}, line {number}: the text from line {first} on is longer than {LONGEST_TEXT >> 20} million "
                "characters; choose a smaller --text-unit"
            )
    return (first, texts) if texts else None
