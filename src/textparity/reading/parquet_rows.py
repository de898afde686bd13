"""Choose the columns of Parquet, and convert its batches to rows of Python values."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from textparity.errors import InputError
from textparity.reading.sources import SourceAccess


@dataclass(frozen=True)
class InvalidRow:
    """A row with a value that Python does not have, and the reason."""

    reason: str


def rows_of(batch: pa.RecordBatch) -> list[Any]:
    """Convert a batch to rows. One without a Python value (invalid UTF-8, date out of range) is an `InvalidRow`."""
    try:
        return batch.to_pylist()
    except (ValueError, OverflowError) as error:
        if batch.num_rows == 1:
            return [InvalidRow(_explain(batch, error))]
    rows = []
    for index in range(batch.num_rows):
        rows += rows_of(batch.slice(index, 1))
    return rows


def _explain(row: pa.RecordBatch, error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"is not valid UTF-8 ({error.reason}); write the column as UTF-8"
    for name, column in zip(row.schema.names, row.columns, strict=True):
        try:
            column.to_pylist()
        except (ValueError, OverflowError):
            shown = _show_value(column)
            return f"the column {name} ({column.type}) has a value out of range{shown}; fix it, or write null"
    return str(error)


def _show_value(column: pa.Array) -> str:
    """Show the number that stands for a date or time. Empty for other types."""
    if not pa.types.is_temporal(column.type):
        return ""
    integer = pa.int32() if column.type.bit_width == 32 else pa.int64()
    return f", {column.view(integer)[0]}"


def choose_columns(source: SourceAccess, schema: pa.Schema) -> list[str]:
    """List the columns that have the fields to read. Raises `InputError` if one is missing or ambiguous."""
    names = schema.names
    columns = []
    for field in source.options.all_fields():
        column = field.name if field.name in names else field.name.partition(".")[0]
        if column not in names:
            raise InputError(
                f"{source.path}: has no column {column}; it has {', '.join(names)}: name one with {field.option}"
            )
        if repeated := _find_repeated_name(schema, column):
            raise InputError(f"{source.path}: has {repeated} more than once; rename the others, and write it again")
        columns.append(column)
    return list(dict.fromkeys(columns))


def _find_repeated_name(schema: pa.Schema, column: str) -> str:
    """Name a column that occurs twice in a file, or a field that occurs twice within `column`. Empty if none does."""
    if schema.names.count(column) > 1:
        return f"the column {column}"
    repeated = next(_repeated_fields(schema.field(column).type), "")
    return repeated and f"the field {repeated} of the column {column}"


def _repeated_fields(type_of_column: pa.DataType) -> Iterator[str]:
    fields = [type_of_column.field(index) for index in range(type_of_column.num_fields)]
    if pa.types.is_struct(type_of_column):
        names = [field.name for field in fields]
        yield from (name for name in names if names.count(name) > 1)
    for field in fields:
        yield from _repeated_fields(field.type)
