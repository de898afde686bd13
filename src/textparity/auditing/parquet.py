"""Texts of a column of a Parquet file."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from textparity.auditing.inputs import Source
from textparity.auditing.records import accepted_texts
from textparity.corpora.rows import is_damage
from textparity.errors import InputError

BATCH_ROWS = 1000


def read_parquet(
    source: Source, field: str, refuse: Callable[[InputError], None], advance: Callable[[int], None]
) -> Iterator[tuple[int, str | None]]:
    """Yield record number (from 1) and text of a Parquet file, as `textparity.auditing.reading.read_texts` does."""
    path = Path(source.name)
    number = 0
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            names = file.schema_arrow.names
            top = field if field in names else field.partition(".")[0]
            if top not in names:
                raise InputError(f"{path}: has no column {top}; it has {', '.join(names)}: name one with --column")
            share = path.stat().st_size / max(1, file.metadata.num_rows)
            for batch in file.iter_batches(BATCH_ROWS, columns=[top]):
                for record in _records(batch):
                    number += 1
                    where = f"{path}, record {number}"
                    if isinstance(record, UnicodeDecodeError):
                        refuse(InputError(f"{where}: is not valid UTF-8 ({record.reason}); write the column as UTF-8"))
                        continue
                    for text in accepted_texts(record, field, where, refuse):
                        yield number, text
                advance(round(share * batch.num_rows))
    except (pa.ArrowInvalid, OSError) as error:
        if not is_damage(error):
            raise InputError(f"{path}: cannot be read ({error})") from error
        reason = str(error).partition("\n")[0].rstrip(". ")
        raise InputError(f"{path}: cannot be read as Parquet ({reason}); it is damaged or cut: get it again") from error


def _records(batch: pa.RecordBatch) -> list[Any]:
    """Return the records, or the error of each whose strings are no UTF-8, as some programs write them."""
    try:
        return batch.to_pylist()
    except UnicodeDecodeError as error:
        return (
            [error]
            if batch.num_rows == 1
            else [record for row in range(batch.num_rows) for record in _records(batch.slice(row, 1))]
        )
