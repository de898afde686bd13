"""Recognize files that are not plain text by their beginning, and name the way to get their text."""

import json
import re
from collections.abc import Iterable

from textparity.errors import InputError

# The number of characters that are examined.
HEAD = 8192
_MOST_LINES = 40
_FIRST_LINES = 5
_SUBTITLES = "keep the lines that are spoken, without numbers and times: grep -vE '^[0-9]+$|-->' FILE"
_TEI_FIX = "take the text out of <body>, or add --format html, which reads the header, too"
_MAIL_FIX = "take the text of the mails out, for instance with Python's modules mailbox and email"

# How to get the text of documents, by their kind.
_DOCUMENT_FIX = "make plain text of it, for instance with pandoc -t plain --wrap none -o FILE.txt FILE"
_OLD_OFFICE_FIX = (
    "save it as plain text in UTF-8, for instance with soffice --headless --convert-to 'txt:Text (encoded):UTF8' FILE"
)
_SHEET_FIX = "save the sheet as CSV in UTF-8 and name its column with --field"
_PDF_FIX = "extract its text, for instance with pdftotext -layout"
_SLIDES_FIX = "save it as plain text in UTF-8, for instance from its outline"
_BOOK_FIX = "make plain text of it, for instance with ebook-convert FILE FILE.txt (Calibre)"
_TABLE_FIX = "write it as Parquet"
_UNPACK_FIX = "unpack it and name its files"
_IMAGE_FIX = "it has no text; recognize its text first, for instance with tesseract"

# Advice for files that contain texts in a format that is not read.
FIX_BY_ENDING = {
    **dict.fromkeys((".docx", ".docm", ".odt", ".rtf", ".epub"), _DOCUMENT_FIX),
    ".doc": _OLD_OFFICE_FIX,
    **dict.fromkeys((".ppt", ".pptx", ".odp"), _SLIDES_FIX),
    **dict.fromkeys((".mobi", ".azw", ".azw3"), _BOOK_FIX),
    **dict.fromkeys((".xls", ".xlsx", ".xlsm", ".ods"), _SHEET_FIX),
    **dict.fromkeys((".arrow", ".feather", ".orc", ".avro"), _TABLE_FIX),
    **dict.fromkeys((".sqlite", ".db"), "export the table as CSV"),
    ".pdf": _PDF_FIX,
}

# Formats that cannot be text: how the file begins, its name, and the fix.
_NO_TEXT = (
    (b"version https://git-lfs.github.com/spec/", "a Git LFS pointer, not the file itself", "get it: git lfs pull"),
    (b"/annex/objects/", "a pointer of git-annex, not the file itself", "get it: git annex get"),
    (b"%PDF-", "PDF", _PDF_FIX),
    (b"%!PS", "PostScript", "extract its text, for instance with ps2ascii"),
    (b"{\\rtf", "RTF", _DOCUMENT_FIX),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an old Office (Word, Excel, Outlook)", _OLD_OFFICE_FIX),
    (b"AT&TFORM", "DjVu", "extract its text with djvutxt"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
    (b"PAR1\x15", "Parquet", "add --format parquet"),
    (b"ARROW1\0\0", "Arrow (Feather)", _TABLE_FIX),
    (b"Obj\x01", "Avro", _TABLE_FIX),
    (b"\x89HDF\r\n", "HDF5", _TABLE_FIX),
    (b"\x93NUMPY", "an array of NumPy", _TABLE_FIX),
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
    (b"mimetypeapplication/epub+zip", "EPUB", _DOCUMENT_FIX),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "a document of OpenOffice (.odt)", _DOCUMENT_FIX),
    (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "a sheet of OpenOffice (.ods)", _SHEET_FIX),
    (b"mimetypeapplication/vnd.oasis.opendocument", "a document of OpenOffice", _SLIDES_FIX),
    (
        b"[Content_Types].xml",
        "a document of Office (Word, Excel, PowerPoint)",
        f"{_DOCUMENT_FIX}; of a sheet, save CSV",
    ),
    (b"word/", "a document of Word (.docx)", _DOCUMENT_FIX),
    (b"xl/", "a sheet of Excel (.xlsx)", _SHEET_FIX),
    (b"", "a ZIP archive (also Word, Excel or EPUB)", f"unpack it; of a document, {_DOCUMENT_FIX}"),
)
# The number of bytes that show these formats.
SIGNATURE_BYTES = 128

_TAG = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s[^<>]{0,500})?/?>")
_HTML_TAG = re.compile(
    r"</(?:a|b|body|div|em|h[1-6]|head|html|i|li|p|span|strong|table|td|title|tr|ul)>|<(?:br|hr|p)\s?/?>", re.IGNORECASE
)
_TAGS_NEEDED = 4
_HTML_FIX = "add --format html"
_MARKUP_FIX = f"{_HTML_FIX}, which reads its text"

# Formats that look like text: a pattern of the beginning, its name, and the fix. The first that matches is used.
_NAMED = (
    (r"<mediawiki\b", "a dump of MediaWiki", "take its text out, for instance with wikiextractor"),
    (r"<(?:\w+:)?(?:TEI|teiCorpus)\b", "TEI", _TEI_FIX),
    (r"(?:\s|<!--.*?-->|<\?.*?\?>)*<(?:!doctype\s+html|html)\b", "HTML", _HTML_FIX),
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
    if not what or (is_stripped and fix in (_MARKUP_FIX, _HTML_FIX)):
        return ""
    return f"its first lines look like {what}, so its markup is counted, too; {fix}"


def warn_about_records(lines: Iterable[str]) -> str:
    """Warn if the first lines of a text look like records. Returns an empty string if they do not."""
    first_lines: list[str] = []
    for line in lines:
        if line.strip() and len(first_lines) < _FIRST_LINES:
            first_lines.append(line)
    if not first_lines:
        return ""
    if all(map(is_object, first_lines)):
        format = "jsonl"
    elif re.match(r"\s*\[\s*(\{|$)", first_lines[0]):
        format = "json"
    else:
        return ""
    return (
        "its first lines look like JSON, so its syntax and field names are counted, too; add --format "
        f"{format}, and --field NAME"
    )


def is_object(line: str) -> bool:
    """Check whether a line is a whole object of JSON."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _recognise(head: str) -> tuple[str, str]:
    is_markup = head.lstrip().startswith("<")
    for pattern, what, fix in _PATTERNS:
        # The root element of XML may follow a declaration, comments and instructions.
        is_within = is_markup and pattern.pattern.startswith("<")
        if pattern.match(head) or (is_within and pattern.search(head)):
            return what, fix
    lines = [line for line in head.split("\n") if line.strip()][:_MOST_LINES]
    lines_of_table = sum(_CONLLU_LINE.match(line) is not None for line in lines)
    has_comment = _CONLLU_COMMENT.match(head.lstrip()) is not None
    if (has_comment and "\t" in head) or 2 * lines_of_table > len(lines):
        return "CoNLL-U", "take its sentences: grep '^# text = ' FILE | cut -c 10-"
    if len(lines) > 2 and all(map(_TAGGED_LINE.fullmatch, lines)):
        return "words with tags (CoNLL)", "put the words of each sentence on a line"
    if len(_HTML_TAG.findall(head)) >= _TAGS_NEEDED:
        return "HTML", _HTML_FIX
    if len(_TAG.findall(head)) >= _TAGS_NEEDED and _TAG.match(head.lstrip()):
        return "XML", _MARKUP_FIX
    return "", ""
