"""Read the texts of any source, in portions."""

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from textparity.compression import DAMAGE
from textparity.errors import InputError
from textparity.reading.documents import Texts, portions
from textparity.reading.formats import FORMATS
from textparity.reading.sources import SourceAccess

# Zstandard is decompressed by Arrow.
_BROKEN = (*DAMAGE, pa.ArrowInvalid)


def read_texts(source: SourceAccess) -> Iterator[Texts]:
    """Read the texts of a source, in portions.

    Raises `InputError` if a file cannot be read, and `FetchError` if a dataset is not available.
    """
    if source.file.problem:
        raise InputError(source.file.problem)
    with _explain_damage(source.name):
        for portion in portions(FORMATS[source.file.format].read(source)):
            yield portion
            source.report_progress()


@contextmanager
def _explain_damage(name: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except _BROKEN as error:
        reason = str(error).partition("\n")[0].rstrip(". ")
        raise InputError(
            f"{name}: cannot be read ({reason}); if it is compressed, it is damaged or incomplete: get it again"
        ) from error
