"""Read and write rows as Parquet files: in batches, completely or not at all, with their origin in the metadata."""

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from textparity.errors import InputError
from textparity.files import atomic_path

METADATA_KEY = b"textparity"
# Each row group takes memory in the file's footer as long as the file is open, so a few large ones keep memory
# constant.
ROW_GROUP_ROWS = 50_000
ROW_GROUP_BYTES = 32 << 20

TEXT_SCHEMA = pa.schema([("id", pa.string()), ("doc_id", pa.string()), ("lang", pa.string()), ("text", pa.string())])


class BatchWriter:
    """A Parquet file that is being written. Rows wait until they fill a row group."""

    def __init__(self, file: pq.ParquetWriter, row_group_bytes: int) -> None:
        self.metadata: dict[str, Any] | None = None
        self._file = file
        self._row_group_bytes = row_group_bytes
        self._waiting: list[pa.Table] = []

    def write(self, batch: list[dict[str, Any]]) -> None:
        """Add rows."""
        self.write_table(pa.Table.from_pylist(batch, schema=self._file.schema))

    def write_table(self, table: pa.Table) -> None:
        """Add rows in the form of a table."""
        self._waiting.append(table)
        rows, size = (sum(getattr(table, name) for table in self._waiting) for name in ("num_rows", "nbytes"))
        if rows >= ROW_GROUP_ROWS or size >= self._row_group_bytes:
            self._flush()

    def finish(self) -> None:
        """Write the waiting rows, and the metadata if there are any."""
        self._flush()
        if self.metadata:
            self._file.add_key_value_metadata({METADATA_KEY: json.dumps(self.metadata, sort_keys=True)})

    def _flush(self) -> None:
        rows = pa.concat_tables(self._waiting) if self._waiting else None
        if rows:
            self._file.write_table(rows)
        self._waiting.clear()


@contextmanager
def open_batches(path: Path, schema: pa.Schema, row_group_bytes: int = ROW_GROUP_BYTES) -> Iterator[BatchWriter]:
    """Open `path` for rows that come in batches, for instance together with other files. It is written completely or
    not at all.

    Memory holds one row group. If `metadata` is set before the block ends, it becomes the file's. Each page has a
    checksum.
    """
    with atomic_path(path) as part, fill_batches(part, schema, row_group_bytes) as writer:
        yield writer


@contextmanager
def fill_batches(
    part: Path | IO[bytes], schema: pa.Schema, row_group_bytes: int = ROW_GROUP_BYTES
) -> Iterator[BatchWriter]:
    """Open a temporary path of `textparity.files.atomic_path`, or a temporary file, as `open_batches` opens a file."""
    with (
        _opened(part, "wb") as raw,
        pq.ParquetWriter(raw, schema, compression="zstd", write_page_checksum=True) as file,
    ):
        writer = BatchWriter(file, row_group_bytes)
        yield writer
        writer.finish()


def write_batches(path: Path, schema: pa.Schema, batches: Iterable[list[dict[str, Any]]]) -> None:
    """Write lists of rows to `path` (zstd). Memory holds one row group.

    If the iterable is a generator that returns a dict, this becomes the file's metadata.
    """
    with open_batches(path, schema) as writer:
        batches = iter(batches)
        while True:
            try:
                batch = next(batches)
            except StopIteration as end:
                writer.metadata = end.value
                break
            writer.write(batch)


def read_batches(path: Path, size: int, columns: list[str] | None = None) -> Iterator[dict[str, list[Any]]]:
    """Read batches of at most `size` rows as columns of Python values."""
    for batch in iterate_batches(path, size, columns):
        yield batch.to_pydict()


def iterate_batches(path: Path | IO[bytes], size: int, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Read batches of at most `size` rows as Arrow record batches."""
    with ExitStack() as stack:
        stack.enter_context(_damage_named(path))
        raw = stack.enter_context(_opened(path, "rb"))
        # Pre-buffering would hold the whole file in memory in the end.
        file = stack.enter_context(pq.ParquetFile(raw, page_checksum_verification=True, pre_buffer=False))
        yield from file.iter_batches(batch_size=size, columns=columns)


def read_rows(
    path: Path, columns: list[str] | None = None, filters: list[tuple[str, str, Any]] | None = None
) -> pa.Table:
    """Read all rows, or those that pass all `filters` (column, comparison, value), with all or some columns."""
    with _damage_named(path), _opened(path, "rb") as raw:
        return pq.read_table(raw, columns=columns, filters=filters, page_checksum_verification=True)


def read_metadata(path: Path) -> dict[str, Any]:
    """Read the metadata that `write_batches` put into `path`. Empty if there are none."""
    with _damage_named(path), _opened(path, "rb") as raw:
        found = pq.read_metadata(raw).metadata or {}
        return json.loads(found.get(METADATA_KEY, b"{}"))


def read_schema(path: Path) -> pa.Schema:
    """Read the names and types of the columns of `path`."""
    with _damage_named(path), _opened(path, "rb") as raw:
        return pq.read_schema(raw)


def count_rows(path: Path) -> int:
    """Read the number of rows from the footer."""
    with _damage_named(path), _opened(path, "rb") as raw:
        return pq.read_metadata(raw).num_rows


def is_damage(error: Exception) -> bool:
    """Check whether reading Parquet failed because of the file's content."""
    # Errors of the system, such as a missing file or permission, have a number or a class of their own.
    return not isinstance(error, OSError) or (type(error) is OSError and error.errno is None)


@contextmanager
def _opened(path: Path | IO[bytes], mode: str) -> Iterator[IO[bytes]]:
    """Open a file by its name, because Arrow takes names that are not valid UTF-8, or have a colon, for addresses."""
    if isinstance(path, Path):
        with path.open(mode) as file:
            yield file
    else:
        yield path


@contextmanager
def _damage_named(path: Path | IO[bytes]) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, ValueError, OSError) as error:
        if not is_damage(error):
            raise
        reason = str(error).partition("\n")[0].rstrip(". ")
        raise InputError(
            f"{path}: cannot be read as Parquet ({reason}); it is truncated or damaged: delete it and run again, "
            "which makes it anew"
        ) from error
