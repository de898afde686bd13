"""Row data: Parquet files written in batches, whole or not at all, with what made them in their metadata."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from textparity.errors import InputError
from textparity.files import atomic_path

METADATA_KEY = b"textparity"
# Each row group costs memory in the file's footer, for as long as the file is open: few large ones stay flat.
ROW_GROUP_ROWS = 50_000
ROW_GROUP_BYTES = 32 << 20

TEXT_SCHEMA = pa.schema([("id", pa.string()), ("doc_id", pa.string()), ("lang", pa.string()), ("text", pa.string())])


def write_batches(path: Path, schema: pa.Schema, batches: Iterable[list[dict[str, Any]]]) -> None:
    """Write lists of rows to `path` (zstd); memory holds one row group.

    A dict that the iterable returns (as a generator's return value) becomes the file's metadata.
    """
    with atomic_path(path) as part, pq.ParquetWriter(part, schema, compression="zstd") as writer:
        waiting: list[pa.Table] = []
        batches = iter(batches)
        while True:
            try:
                batch = next(batches)
            except StopIteration as end:
                _flush(writer, waiting)
                if end.value:
                    writer.add_key_value_metadata({METADATA_KEY: json.dumps(end.value, sort_keys=True)})
                break
            waiting.append(pa.Table.from_pylist(batch, schema=schema))
            rows, size = (sum(getattr(table, name) for table in waiting) for name in ("num_rows", "nbytes"))
            if rows >= ROW_GROUP_ROWS or size >= ROW_GROUP_BYTES:
                _flush(writer, waiting)


def _flush(writer: pq.ParquetWriter, waiting: list[pa.Table]) -> None:
    rows = pa.concat_tables(waiting) if waiting else None
    if rows:
        writer.write_table(rows)
    waiting.clear()


def read_batches(path: Path, size: int, columns: list[str] | None = None) -> Iterator[dict[str, list[Any]]]:
    """Yield batches of at most `size` rows as columns of Python values."""
    with _damage_named(path), pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=size, columns=columns):
            yield batch.to_pydict()


def read_rows(
    path: Path, columns: list[str] | None = None, filters: list[tuple[str, str, Any]] | None = None
) -> pa.Table:
    """Return all rows, or those that pass all `filters` (column, comparison, value), of all or some columns."""
    with _damage_named(path):
        return pq.read_table(path, columns=columns, filters=filters)


def read_metadata(path: Path) -> dict[str, Any]:
    """Return what `write_batches` put into the metadata of `path`, or nothing."""
    with _damage_named(path):
        raw = pq.read_metadata(path).metadata or {}
    return json.loads(raw.get(METADATA_KEY, b"{}"))


def count_rows(path: Path) -> int:
    """Return the number of rows, from the footer alone."""
    with _damage_named(path):
        return pq.read_metadata(path).num_rows


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowInvalid, OSError) as error:
        # What the system says has a number or a class of its own: no such file, no permission.
        if isinstance(error, OSError) and (type(error) is not OSError or error.errno is not None):
            raise
        reason = str(error).partition("\n")[0].rstrip(". ")
        raise InputError(
            f"{path}: cannot be read as Parquet ({reason}); it is truncated or damaged: delete it and run again, "
            "which makes it anew"
        ) from error
