"""Read the rows of Parquet in batches of limited memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from textparity.corpora.reading import is_damage
from textparity.errors import InputError
from textparity.memory import limited_memory, system_allocator
from textparity.reading.parquet_rows import InvalidRow, choose_columns, rows_of
from textparity.reading.records import Record
from textparity.reading.sources import SourceAccess

BATCH_ROWS = 1000
# Size of a batch of Parquet, in bytes.
BATCH_SIZE = 32 << 20
# What decoding a batch may take, in bytes. It is usually near the size of a batch. With the rest of the process, this
# stays below 1 GiB.
DECODING_MEMORY = 768 << 20
# Parquet is read in pieces of this size.
_READ_BYTES = 1 << 18


@contextmanager
def explain_damage(path: Path) -> Iterator[None]:
    """Raise `InputError` instead of the errors of Arrow and of the system."""
    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        if not is_damage(error):
            raise InputError(f"{path}: cannot be read ({error})") from error
        reason = str(error).partition("\n")[0].rstrip(". ")
        raise InputError(
            f"{path}: cannot be read as Parquet ({reason}); it is damaged or incomplete: get it again"
        ) from error


@contextmanager
def _open_parquet(path: Path, **options: Any) -> Iterator[pq.ParquetFile]:
    # The file is opened here because Arrow takes names that are not valid UTF-8 for addresses. Pre-buffering would
    # hold the whole file in memory in the end, and no buffer a whole column of a row group.
    with path.open("rb") as raw:
        with system_allocator():
            file = pq.ParquetFile(raw, pre_buffer=False, buffer_size=_READ_BYTES, **options)
        with file:
            yield file


def read_records(source: SourceAccess) -> Iterator[Record]:
    """Read the rows of a file, with the columns that the options name."""
    path = source.path
    with _open_parquet(path, page_checksum_verification=True) as file:
        columns = choose_columns(source, file.schema_arrow)
        bytes_per_row = path.stat().st_size / max(1, file.metadata.num_rows)
        batches = _read_batches(path, file, columns)
        number = 0
        while rows := _next_rows(path, batches, number + 1):
            for row in rows:
                number += 1
                where = f"{path}, record {number}"
                if isinstance(row, InvalidRow):
                    yield Record(number, where, InputError(f"{where}: {row.reason}"))
                else:
                    yield Record(number, where, row)
            source.callbacks.on_progress(round(bytes_per_row * len(rows)))


def _next_rows(path: Path, batches: Iterator[pa.RecordBatch], first: int) -> list[Any]:
    """Decode the next batch that has rows. Empty at the end of the file. `first` is the number of its first row.

    Raises `InputError` if it takes more memory than `DECODING_MEMORY`. A few bytes of Parquet can stand for gigabytes,
    and its footer does not tell.
    """
    try:
        with limited_memory(DECODING_MEMORY):
            for batch in batches:
                if batch.num_rows:
                    return rows_of(batch)
    except MemoryError:
        raise InputError(
            f"{path}, record {first}: takes more than {DECODING_MEMORY >> 20:,} MiB of memory to decode, with the "
            "records after it; write the file again in smaller row groups and without DELTA_BYTE_ARRAY, or leave it "
            "out if you do not trust it"
        ) from None
    return []


def _read_batches(path: Path, file: pq.ParquetFile, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """Read the rows in batches of about `BATCH_SIZE` bytes and at most `BATCH_ROWS` rows."""
    beginnings = tuple(f"{column}." for column in columns)
    for group in range(file.num_row_groups):
        about = file.metadata.row_group(group)
        size = 0
        coded = []
        for index in range(about.num_columns):
            chunk = about.column(index)
            if not f"{chunk.path_in_schema}.".startswith(beginnings):
                continue
            size += chunk.total_uncompressed_size
            if chunk.has_dictionary_page:
                coded.append(chunk.path_in_schema)
        bytes_per_row = size // max(1, about.num_rows)
        if coded:
            bytes_per_row = max(bytes_per_row, _longest_value(path, group, columns, coded))
        rows = max(1, min(BATCH_ROWS, BATCH_SIZE // max(1, bytes_per_row)))
        # A thread would need memory of its own, and one column gains nothing from threads.
        yield from file.iter_batches(rows, row_groups=[group], columns=columns, use_threads=False)


def _longest_value(path: Path, group: int, columns: list[str], coded: list[str]) -> int:
    """Compute the length in bytes of a dictionary's longest text. A text that all rows share is stored once."""
    with _open_parquet(path, read_dictionary=coded) as file:
        first = next(file.iter_batches(1, [group], columns, use_threads=False), None)
    arrays = first.columns if first else []
    longest = 0
    for array in arrays:
        if pa.types.is_struct(array.type):
            arrays += array.flatten()
        elif pa.types.is_dictionary(array.type):
            longest = max(longest, pc.max(pc.binary_length(array.dictionary)).as_py() or 0)
    return longest
