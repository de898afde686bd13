"""The texts in a field of a record, whatever file or dataset it is of; those of a Parquet file."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from textparity.auditing.inputs import Source
from textparity.corpora.rows import is_damage
from textparity.errors import InputError
from textparity.files import is_unicode

BATCH_ROWS = 1000


class RecordError(InputError):
    """A record that is not valid, and how many lines it has."""

    def __init__(self, message: str, lines: int) -> None:
        super().__init__(message)
        self.lines = lines


def texts_of_record(record: Any, field: str, where: str) -> list[str | None]:
    """Return the texts in the field of a record; None for a null. Raises `InputError` if it has no such field."""
    found: list[str | None] = []
    for value in _values(record, field, where):
        if value is not None and not isinstance(value, str):
            raise InputError(f"{where}: field {field} is {type(value).__name__}, no text; name another with --field")
        if value is not None and not is_unicode(value):
            raise InputError(f"{where}: field {field} has a surrogate that is no character; mend the text")
        found.append(value)
    return found


def accepted_texts(record: Any, field: str, where: str, refuse: Callable[[InputError], None]) -> list[str | None]:
    """Return the `texts_of_record`; none of a record that is not valid, which goes to `refuse`."""
    try:
        return texts_of_record(record, field, where)
    except InputError as error:
        refuse(error)
        return []


def _values(record: Any, field: str, where: str) -> Iterator[Any]:
    if isinstance(record, list):
        for element in record:
            yield from _values(element, field, where)
    elif not field or record is None:
        yield record
    elif isinstance(record, dict):
        # A name may have dots.
        name, rest = (field, "") if field in record else field.partition(".")[::2]
        if name not in record:
            raise InputError(
                f"{where}: has no field {name}; its fields are {', '.join(map(str, record))}: name one with --field"
            )
        yield from _values(record[name], rest, where)
    else:
        raise InputError(f"{where}: {field} is asked for of {type(record).__name__}; mend --field")


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
                for record in _records_of(batch):
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


def _records_of(batch: pa.RecordBatch) -> list[Any]:
    """Return the records, or the error of each whose strings are no UTF-8, as some programs write them."""
    try:
        return batch.to_pylist()
    except UnicodeDecodeError as error:
        return (
            [error]
            if batch.num_rows == 1
            else [record for row in range(batch.num_rows) for record in _records_of(batch.slice(row, 1))]
        )
