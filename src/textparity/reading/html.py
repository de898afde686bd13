"""Read a web page: the whole file is one text."""

from collections.abc import Iterator

from textparity.errors import InputError
from textparity.reading.documents import LONGEST_TEXT, Document
from textparity.reading.sources import SourceAccess
from textparity.reading.web_text import decode_page, strip_html


def read(source: SourceAccess) -> Iterator[Document]:
    """Read the text of the page."""
    with source.open() as stream:
        raw = stream.read(LONGEST_TEXT + 1)
        if len(raw) > LONGEST_TEXT:
            raise InputError(f"{source.name}: is longer than {LONGEST_TEXT >> 20} MB, too long for a web page")
        page = decode_page(raw, None, source.name)
        yield Document(1, strip_html(page, source.name))
