"""Read the texts of any source, in portions."""

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from textparity.compression import DAMAGE
from textparity.errors import InputError
from textparity.reading.documents import Texts, portions
from textparity.reading.formats import FORMATS
from textparity.reading.options import ReadingOptions
from textparity.reading.sources import DEFAULT_CALLBACKS, Callbacks, InputFile, SourceAccess

# Zstandard is decompressed by Arrow.
_BROKEN = (*DAMAGE, pa.ArrowInvalid)
DEFAULT_OPTIONS = ReadingOptions()


def read_texts(
    file: InputFile, options: ReadingOptions = DEFAULT_OPTIONS, callbacks: Callbacks = DEFAULT_CALLBACKS
) -> Iterator[Texts]:
    """Read the texts of a source, in portions.

    Raises `InputError` if a file cannot be read, and `FetchError` if a dataset is not available.
    """
    if file.problem:
        raise InputError(file.problem)
    source = SourceAccess(file, options, callbacks)
    with _explain_damage(file):
        for portion in portions(FORMATS[file.format].read(source)):
            yield portion
            source.report_progress()


@contextmanager
def _explain_damage(file: InputFile) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{file.name}: no such file") from None
    except _BROKEN as error:
        reason = str(error).partition("\n")[0].rstrip(". ")
        raise InputError(
            f"{file.name}: cannot be read ({reason}); if it is compressed, it is damaged or incomplete: get it again"
        ) from error
