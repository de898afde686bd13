"""Texts of a source, one by one: lines, or a field of JSON lines, CSV, TSV, Parquet; compressed or not."""

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from textparity.auditing.hub import read_dataset
from textparity.auditing.inputs import DATASET, STANDARD_INPUT, Source
from textparity.auditing.records import RecordError, accepted_texts, read_parquet
from textparity.corpora.reading import decode_line
from textparity.errors import InputError

# A line that never ends, for instance of a compressed file of zeros, must not fill the memory.
LONGEST_LINE = 64 << 20
DEFAULT_FIELD = "text"
_OBJECTS_NEEDED = "one object a line is needed (of a JSON array, jq -c '.[]' makes such lines)"
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, pa.ArrowInvalid)

# What opens each ending; beneath a buffer, as Arrow's has no lines.
_UNPACKERS: dict[str, Callable[[BinaryIO], Any]] = {
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
    **dict.fromkeys((".gz", ".gzip"), lambda raw: gzip.GzipFile(fileobj=raw)),
    **dict.fromkeys((".zst", ".zstd"), lambda raw: pa.CompressedInputStream(pa.PythonFile(raw), "zstd")),
}

Place = int
Text = tuple[Place, str | None]
"""A line or record (from 1) with its text; None where it has none."""
Line = tuple[Place, str, InputError | None]
"""A line with its text, and what is wrong with it."""


def read_texts(
    source: Source, field: str | None, refuse: Callable[[InputError], None], advance: Callable[[int], None]
) -> Iterator[Text]:
    """Yield the texts of a source.

    `field` names the field or column; `a.b` is b within a, and a list gives a text for each of its elements. A record
    that is not valid goes to `refuse`, which may raise; `advance` gets the bytes read. Raises `InputError` for a file
    that cannot be read.
    """
    if source.problem:
        raise InputError(source.problem)
    if source.format == DATASET:
        yield from read_dataset(source, field or DEFAULT_FIELD, refuse)
    elif source.format == "parquet":
        yield from read_parquet(source, field or DEFAULT_FIELD, refuse, advance)
    else:
        with _damage_named(source), _open(source) as (stream, tell):
            lines = _lines(source, stream)
            if source.format == "text":
                texts: Iterator[Text] = _valid(lines, refuse)
            elif source.format == "jsonl":
                texts = _read_jsonl(source, _valid(lines, refuse), field or DEFAULT_FIELD, refuse)
            else:
                texts = _read_csv(source, lines, field or DEFAULT_FIELD, refuse)
            done = 0
            for number, text in texts:
                yield number, text
                if number % 1000 == 0:
                    now = tell()
                    advance(now - done)
                    done = now
            advance(tell() - done)


@contextmanager
def _damage_named(source: Source) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{source.name}: no such file") from None
    except _BROKEN as error:
        reason = str(error).partition("\n")[0].rstrip(". ")
        raise InputError(
            f"{source.name}: cannot be read ({reason}); if it is compressed, it is damaged or cut: get it again"
        ) from error


@contextmanager
def _open(source: Source) -> Iterator[tuple[BinaryIO, Callable[[], int]]]:
    """Open a source, and a function that says how many bytes of it were read."""
    if source.name == STANDARD_INPUT:
        yield sys.stdin.buffer, lambda: 0
        return
    with ExitStack() as stack:
        raw = stack.enter_context(Path(source.name).open("rb"))
        unpack = _UNPACKERS.get(Path(source.name).suffix.lower())
        stream = stack.enter_context(io.BufferedReader(unpack(raw), 1 << 18)) if unpack else raw
        # A pipe has no place.
        yield stream, raw.tell if raw.seekable() else lambda: 0


def _lines(source: Source, stream: BinaryIO) -> Iterator[Line]:
    number = 0
    while raw := stream.readline(LONGEST_LINE):
        number += 1
        if len(raw) == LONGEST_LINE:
            raise InputError(
                f"{source.name}, line {number}: is longer than {LONGEST_LINE >> 20} MB; this is no text with line ends"
            )
        if number == 1 and raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError(f"{source.name}: is UTF-16; convert it, for instance with iconv -f UTF-16 -t UTF-8")
        try:
            if b"\0" in raw:
                raise InputError(
                    f"{source.name}, line {number}: has a NUL byte, so it is no text in UTF-8: a tar archive? unpack "
                    "it; or UTF-16? convert it, for instance with iconv -f UTF-16LE -t UTF-8"
                )
            yield number, decode_line(raw, number, source.name), None
        except InputError as error:
            yield number, raw.decode("utf-8", "replace").rstrip("\r\n"), error


def _valid(lines: Iterator[Line], refuse: Callable[[InputError], None]) -> Iterator[tuple[Place, str]]:
    for number, text, error in lines:
        if error:
            refuse(error)
        else:
            yield number, text


def _read_jsonl(
    source: Source, lines: Iterator[tuple[Place, str]], field: str, refuse: Callable[[InputError], None]
) -> Iterator[Text]:
    for number, line in lines:
        if not line.strip():
            continue
        where = f"{source.name}, line {number}"
        try:
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{where}: cannot be read as JSON ({error}); {_OBJECTS_NEEDED}") from None
            if not isinstance(record, dict):
                raise InputError(f"{where}: is {type(record).__name__}, no JSON object; {_OBJECTS_NEEDED}")
        except InputError as error:
            refuse(error)
        else:
            for text in accepted_texts(record, field, where, refuse):
                yield number, text


def _next_record(reader: Iterator[list[str]]) -> list[str]:
    """Return the next record of a CSV reader, however long; the limit is the whole program's, and put back."""
    usual_limit = csv.field_size_limit(LONGEST_LINE)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(usual_limit)


def _read_csv(
    source: Source, lines: Iterator[Line], field: str, refuse: Callable[[InputError], None]
) -> Iterator[Text]:
    last = 0
    damage: InputError | None = None

    def with_ends() -> Iterator[str]:
        nonlocal last, damage
        for number, line, error in lines:
            last = number
            damage = damage or error
            yield f"{line}\n"

    # TSV has no quotes (IANA, text/tab-separated-values), and many texts begin with one.
    if source.format == "tsv":
        reader = csv.reader(with_ends(), strict=True, delimiter="\t", quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(with_ends(), strict=True)
    header: list[str] = []
    place = 1
    while True:
        first, damage = last + 1, None
        where = f"{source.name}, line {first}"
        try:
            cells = _next_record(reader)
            if damage:
                raise damage
            if header and cells and len(cells) != len(header):
                raise InputError(f"{where}: has {len(cells)} cells, but the header {len(header)}")
        except StopIteration:
            return
        except csv.Error as error:
            refuse(_of_lines(f"{where}: cannot be read as CSV ({error}); mend the quotes", first, last))
        except InputError as error:
            if not header:
                raise
            refuse(_of_lines(str(error), first, last))
        else:
            if not header:
                header = cells
                place = _column(source, header, field)
            elif cells:
                yield first, cells[place]


def _of_lines(message: str, first: int, last: int) -> RecordError:
    """Return the error of a CSV record; one quote too many makes a record of all lines to the next quote."""
    lines = last - first + 1
    spans = f" (the record has {lines:,} lines, {first} to {last}; is a quote not closed?)" if lines > 1 else ""
    return RecordError(message + spans, lines)


def _column(source: Source, header: list[str], field: str) -> int:
    if header.count(field) != 1:
        times = "twice" if field in header else "not"
        raise InputError(
            f"{source.name}: column {field} is {times} in its header, which has {', '.join(header)}: name one with "
            "--column"
        )
    return header.index(field)
