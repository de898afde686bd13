"""A source that is being read: the file or dataset, what is read from it, and how it is opened."""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from textparity.compression import find_compression, open_compressed
from textparity.errors import InputError
from textparity.reading.documents import Label, Place
from textparity.reading.encodings import Recoded
from textparity.reading.options import DATASET, UTF_8, ReadingOptions
from textparity.reading.recognition import SIGNATURE_BYTES, check_is_text

STANDARD_INPUT = "-"
_RECODED_BYTES = 1 << 18


@dataclass(frozen=True)
class InputFile:
    """One file, standard input (`-`) or one split of a dataset, and the language of its texts (None: detect it).

    `problem` is the reason why it cannot be read, if that is known before it is opened. `encoding` (if not UTF-8) and
    `delimiter` (of CSV) are the values that the user gave. `documents` is a file that names the document of each line.
    """

    name: str
    format: str
    lang: str | None = None
    subset: str | None = None
    split: str = ""
    problem: str = ""
    encoding: str = ""
    delimiter: str = ""
    documents: str = ""

    @property
    def is_file(self) -> bool:
        """Whether it is a file on this machine."""
        return self.format != DATASET and self.name != STANDARD_INPUT

    @property
    def title(self) -> str:
        """Its name in tables and messages."""
        if self.format != DATASET:
            return self.name
        return "-".join(filter(None, [self.name, self.subset, self.split]))


def _raise(error: InputError) -> None:
    raise error


@dataclass(frozen=True)
class Callbacks:
    """Functions that are called while a source is read.

    `on_invalid` gets the error of each invalid record, and may raise it. `on_progress` gets the number of bytes read,
    and `on_skip` the reason why a web page has no text. `on_record` gets the place of each record, even if it is
    invalid or has no text; lines of text files are not records. `label` makes the label of a record, if it has one,
    from the record and its name for messages. It raises `InputError` if it cannot.
    """

    on_invalid: Callable[[InputError], None] = _raise
    on_progress: Callable[[int], None] = lambda size: None
    on_skip: Callable[[str], None] = lambda reason: None
    on_record: Callable[[Place], None] = lambda place: None
    label: Callable[[Any, str], Label | None] = lambda record, where: None


DEFAULT_OPTIONS, DEFAULT_CALLBACKS = ReadingOptions(), Callbacks()


class SourceAccess:
    """What the reader of a format gets: the source, what to read from it, and the functions to call meanwhile."""

    def __init__(
        self, file: InputFile, options: ReadingOptions = DEFAULT_OPTIONS, callbacks: Callbacks = DEFAULT_CALLBACKS
    ) -> None:
        self.file = file
        self.options = options
        self.callbacks = callbacks
        self.name = file.name
        self._position: Callable[[], int] = lambda: 0
        self._reported = 0

    @property
    def path(self) -> Path:
        """The path of the file."""
        return Path(self.name)

    @contextmanager
    def open(self, is_recoded: bool = True) -> Iterator[BinaryIO]:
        """Open the bytes of the source: decompressed, and as UTF-8 unless they are not to be recoded.

        Raises `InputError` if they begin like a format that is not text.
        """
        with ExitStack() as stack:
            is_file = self.name != STANDARD_INPUT
            raw = cast(io.BufferedReader, sys.stdin.buffer)
            if is_file:
                raw = stack.enter_context(self.path.open("rb"))
            if is_file and raw.seekable():
                # A pipe has no position.
                self._position = raw.tell
            compression = find_compression(self.path.suffix.lower(), raw.peek(1))
            stream = raw
            if compression:
                stream = stack.enter_context(open_compressed(raw, compression, self.name))
            check_is_text(stream.peek(SIGNATURE_BYTES), self.name)
            if is_recoded and self.file.encoding not in ("", UTF_8):
                recoded = Recoded(stream, self.file.encoding, self.name)
                stream = io.BufferedReader(cast(io.RawIOBase, recoded), _RECODED_BYTES)
            yield stream
            self.report_progress()
            last = self._reported
            self._position = lambda: last

    def report_progress(self) -> None:
        """Report the bytes that have been read since the last report."""
        position = self._position()
        self.callbacks.on_progress(position - self._reported)
        self._reported = position
