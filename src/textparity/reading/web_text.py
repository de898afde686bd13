"""Extract the text of web pages: decode a page, and remove its tags."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE

from textparity.errors import InputError, MissingResourceError, how_to_install
from textparity.files import is_unicode
from textparity.reading.encodings import find_encoding, guess_wide

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


def check_installed() -> None:
    """Raise `MissingResourceError` if what reads web pages is not installed."""
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
    check_installed()
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
    return decode_strictly(raw, encoding, where, "page")


def decode_strictly(raw: bytes, encoding: str, where: str, what: str) -> str:
    """Decode a page or text. Raises `InputError`, with the position of the first byte that is not valid, if known."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        shown = encoding.replace("utf-8", "UTF-8")
        raise InputError(f"{where}: byte {error.start:,} of its {what} (from 0) is not valid {shown}") from None
    except UnicodeError as error:
        raise InputError(f"{where}: its {what} is not valid {encoding} ({error})") from None
