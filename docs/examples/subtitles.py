"""Read subtitles (.srt): each is a text."""

from collections.abc import Iterator

from textparity.reading.documents import Document
from textparity.reading.lines import read_lines, valid_lines
from textparity.reading.options import PARAGRAPH
from textparity.reading.sources import SourceAccess
from textparity.reading.text_units import join_lines


def read(source: SourceAccess) -> Iterator[Document]:
    """Read each subtitle of a file, without numbers and times."""
    with source.open() as stream:
        lines = valid_lines(source, read_lines(source, stream))
        for subtitle in join_lines(lines, PARAGRAPH, source.name):
            _, _, times_and_words = (subtitle.text or "").partition(" --> ")
            _, _, spoken = times_and_words.partition(" ")
            # Paired comparisons need the place of each text, also of one without words.
            source.callbacks.on_record(subtitle.place)
            yield Document(subtitle.place, spoken)
