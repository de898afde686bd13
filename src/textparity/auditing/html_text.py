"""The text of HTML pages: what a reader sees of it, without navigation, a line for each paragraph."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from html.parser import HTMLParser

from textparity.auditing.encodings import find_encoding, guess_wide
from textparity.errors import InputError

# What has no text to be read, or one that is no part of the page's own.
_LEFT_OUT = {
    "audio", "button", "canvas", "iframe", "nav", "noscript", "object", "script", "select", "style", "svg", "template",
    "textarea", "title", "video",
}  # fmt: skip
# What must be closed, so that an element within it that is not ends with it.
_CLOSED = {
    "article", "aside", "blockquote", "body", "details", "dialog", "div", "dl", "fieldset", "figure", "footer", "form",
    "header", "html", "main", "ol", "section", "table", "ul",
}  # fmt: skip
_BLOCKS = _CLOSED | {
    "address", "br", "caption", "center", "dd", "dt", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "legend",
    "li", "menu", "nav", "option", "p", "pre", "select", "summary", "tbody", "td", "tfoot", "th", "thead", "tr",
}  # fmt: skip
# A page says its encoding early (https://html.spec.whatwg.org/#determining-the-character-encoding).
_DECLARED = re.compile(rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_SEARCHED = 4096
# By names for less, browsers mean more (https://encoding.spec.whatwg.org/#names-and-labels).
_MEANT = {
    **dict.fromkeys(("ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin1", "latin-1"), "cp1252"),
    "iso-8859-9": "cp1254", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949", "tis-620": "cp874", "iso-8859-11": "cp874", "utf-16": "utf-8",
}  # fmt: skip


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        # Elements that are open, and whether their text is left out.
        self._open: list[tuple[str, bool]] = []
        self._times_open = Counter[str]()
        self._left_out = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.pieces.append("\n")
        if tag in _LEFT_OUT or tag in _CLOSED:
            said = dict(attrs)
            left_out = tag in _LEFT_OUT or "hidden" in said or said.get("role") == "navigation"
            self._open.append((tag, left_out))
            self._times_open[tag] += 1
            self._left_out += left_out

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.pieces.append("\n")
        name = ""
        while self._times_open[tag] and name != tag:
            name, left_out = self._open.pop()
            self._times_open[name] -= 1
            self._left_out -= left_out

    def handle_data(self, data: str) -> None:
        if not self._left_out:
            self.pieces.append(data.replace("\n", " "))


def strip_html(page: str) -> str:
    """Return the text of a page, or of a piece of one: paragraphs, cells and items are lines of their own.

    Raises `InputError` for a declaration that the parser does not know.
    """
    parser = _Page()
    try:
        parser.feed(page.replace("\0", ""))
        parser.close()
    except AssertionError as error:
        raise InputError(f"cannot be read as HTML ({error})") from None
    lines = (" ".join(line.split()) for line in "".join(parser.pieces).split("\n"))
    return "\n".join(filter(None, lines))


def decode_page(raw: bytes, declared: str | None, where: str) -> str:
    """Return a page as text: in UTF-8 if it is, else in the encoding that its server `declared`, or that it names.

    Raises `InputError` where that is not so.
    """
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        encoding = "utf-16"
    elif wide := guess_wide(raw[:_SEARCHED]):
        # Its ASCII characters would be valid UTF-8, and all others be lost.
        encoding = wide
    elif b"\0" in raw and declared and (wide := find_encoding(declared)).startswith(("utf-16", "utf-32")):
        encoding = "utf-16-le" if wide == "utf-16" else wide
    else:
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            found = _DECLARED.search(raw, 0, _SEARCHED)
            named = declared or (found and found[1].decode("ascii", "replace")) or "utf-8"
            encoding = find_encoding(_MEANT.get(named.lower(), named))
            if not encoding:
                raise InputError(f"{where}: has an encoding that is not known, {named}") from None
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: byte {error.start:,} of its page (from 0) is not valid {encoding}") from None
    except UnicodeError as error:
        raise InputError(f"{where}: its page is not valid {encoding} ({error})") from None
