"""Read Parquet files."""

from collections.abc import Iterator

from textparity.reading import parquet_batches
from textparity.reading.documents import Document
from textparity.reading.recognition import SIGNATURE_BYTES, check_is_text
from textparity.reading.records import documents_of
from textparity.reading.sources import SourceAccess

_PARQUET = b"PAR1"


def read(source: SourceAccess) -> Iterator[Document]:
    """Read the texts of the rows, in memory that does not grow with their number."""
    with source.path.open("rb") as file:
        head = file.read(SIGNATURE_BYTES)
    if not head.startswith(_PARQUET):
        check_is_text(head, source.name)
    with parquet_batches.explain_damage(source.path):
        yield from documents_of(source, parquet_batches.read_records(source))
