"""The records of a source, and the documents that their fields make."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from textparity.errors import InputError
from textparity.files import is_unicode
from textparity.reading.documents import FIELDS_END, Document, Label, Place
from textparity.reading.sources import SourceAccess

BY_COLUMNS = 'write it by records, in pandas with to_json(FILE, orient="records", lines=True)'
# A message names at most this many fields of a record.
_FIELDS_NAMED = 20


class Record(NamedTuple):
    """A record with its number and its name for messages. An `InputError` stands for the fields of an invalid one."""

    place: Place
    where: str
    fields: Any


class _JoinedText(NamedTuple):
    """The text of several fields, with the name and length of each."""

    texts: list[str | None]
    parts: tuple[tuple[str, int], ...] = ()


class RecordError(InputError):
    """A CSV record is not valid. One quotation mark too many joins all `lines` up to the next one."""

    def __init__(self, message: str, first: int, last: int) -> None:
        self.lines = last - first + 1
        spans = f" (the record has {self.lines:,} lines, {first} to {last}; is a quote not closed?)"
        super().__init__(message + spans * (self.lines > 1))


class RepeatedKeys(dict[str, Any]):
    """An object in which the keys `repeated` occur more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        seen: set[str] = set()
        self.repeated: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                self.repeated.add(name)
            seen.add(name)


def check_once(record: Any, name: str, where: str) -> None:
    """Raise `InputError` if a record has the field `name` more than once."""
    if isinstance(record, RepeatedKeys) and name in record.repeated:
        raise InputError(f"{where}: has the field {name} more than once; remove or rename the others")


def documents_of(source: SourceAccess, records: Iterable[Record]) -> Iterator[Document]:
    """Yield the documents of each valid record, and report the errors of the others. The text of a null is None."""
    callbacks = source.callbacks
    fields = source.options.text_fields
    is_joined = len(fields) != 1
    parts: tuple[tuple[str, int], ...] = ()
    for record in records:
        callbacks.on_record(record.place)
        try:
            if isinstance(record.fields, InputError):
                raise record.fields
            if is_joined:
                texts, parts = _join_fields(record, fields)
            else:
                texts = _read_field(record, fields[0])
            label = callbacks.label(record.fields, record.where)
        except InputError as error:
            callbacks.on_invalid(error)
            continue
        if parts:
            label = (label or Label())._replace(parts=parts)
        for text in texts:
            yield Document(record.place, text, label)


def _join_fields(record: Record, fields: tuple[str, ...]) -> _JoinedText:
    """Join the texts of several fields to one (None without any)."""
    text_of_field: dict[str, str] = {}
    for field in fields:
        texts = _read_field(record, field)
        if len(texts) > 1:
            raise InputError(
                f"{record.where}: field {field} is a list, so it cannot be joined to others; name it alone"
            )
        for text in texts:
            if text is not None:
                text_of_field[field] = text
    if not text_of_field:
        return _JoinedText([None])
    parts = tuple((field, len(text)) for field, text in text_of_field.items())
    return _JoinedText([FIELDS_END.join(text_of_field.values())], parts)


def _read_field(record: Record, field: str) -> list[str | None]:
    texts = list(_values(record.fields, field, record.where))
    for text in texts:
        is_text = text is None or (isinstance(text, str) and is_unicode(text))
        if not is_text:
            raise InputError(f"{record.where}: field {field} {_why_no_text(text)}")
    return texts


def _why_no_text(value: Any) -> str:
    if isinstance(value, str):
        return "contains a lone surrogate, which is not a character; fix the text"
    if isinstance(value, dict) and _has_row_numbers(value):
        return f"has a row number for each text, so the table is by columns; {BY_COLUMNS}"
    return f"is {type(value).__name__}, not text; name another field with --field"


def _values(record: Any, field: str, where: str) -> Iterator[Any]:
    if isinstance(record, list):
        for element in record:
            yield from _values(element, field, where)
    elif not field or record is None:
        yield record
    elif isinstance(record, dict):
        # A name may contain dots.
        name, rest = (field, "") if field in record else field.partition(".")[::2]
        if name not in record:
            raise InputError(f"{where}: has no field {name}; {_describe_fields(record)}")
        check_once(record, name, where)
        yield from _values(record[name], rest, where)
    else:
        raise InputError(f"{where}: {type(record).__name__} has no field {field}; change --field")


def _has_row_numbers(record: dict[str, Any]) -> bool:
    """Check whether the first keys of an object are 0, 1, …, as pandas numbers the rows of a table."""
    first_keys = enumerate(islice(record, _FIELDS_NAMED))
    return bool(record) and all(key == str(index) for index, key in first_keys)


def _describe_fields(record: dict[str, Any]) -> str:
    """List the fields of a record, with the fix if it is a whole table."""
    is_split_table = {"columns", "data"} <= record.keys()
    if is_split_table or _has_row_numbers(record):
        return f"it is a whole table; {BY_COLUMNS}"
    names = list(map(str, islice(record, _FIELDS_NAMED)))
    named = ", ".join(names)
    more = len(record) - len(names)
    rest = f" and {more:,} more" if more else ""
    return f"its fields are {named}{rest}: name one with --field"
