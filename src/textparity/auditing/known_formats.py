"""Recognize files that are not running text, although they can be decoded, and suggest a fix for each format."""

import re

from textparity.errors import InputError

# The number of characters that are examined.
HEAD = 8192
_MOST_LINES = 40
_SUBTITLES = "keep the lines that are spoken, without numbers and times: grep -vE '^[0-9]+$|-->' FILE"
_TEI_FIX = "take the text out of <body>, or add --format html, which reads the header, too"
_MAIL_FIX = "take the text of the mails out, for instance with Python's modules mailbox and email"

# Formats that cannot be text: how the file begins, its name, and the fix.
_NO_TEXT = (
    (b"version https://git-lfs.github.com/spec/", "a Git LFS pointer, not the file itself", "get that: git lfs pull"),
    (b"/annex/objects/", "a pointer of git-annex, not the file itself", "get that: git annex get"),
    (b"%PDF-", "PDF", "take its text out, for instance with pdftotext -layout"),
    (b"%!PS", "PostScript", "take its text out, for instance with ps2ascii"),
    (b"{\\rtf", "RTF", "save it as plain text in UTF-8"),
    (b"PK\x03\x04", "a ZIP archive (also of Word, Excel or EPUB)", "unpack it, or save it as plain text in UTF-8"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
    (b"filedesc://", "an ARC file, which came before WARC", "make a WARC file of it: warcio recompress"),
)

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
    """Raise `InputError` if the beginning of a file cannot be text."""
    for begin, what, fix in _NO_TEXT:
        if head.removeprefix(b"\xef\xbb\xbf").startswith(begin):
            raise InputError(f"{name}: is {what}, no text; {fix}")


def doubt_format(head: str, is_stripped: bool) -> str:
    """Name the format that a text seems to be in, and the fix. Returns an empty string for running text.

    `is_stripped`: HTML tags are removed anyway.
    """
    head = head[:HEAD].lstrip("\ufeff")
    what, fix = _recognise(head)
    if not what or (is_stripped and fix in (_MARKUP_FIX, "add --format html")):
        return ""
    return f"its first lines look like {what}, whose markup is counted, too; {fix}"


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
