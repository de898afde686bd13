"""The texts in a field of a record, whatever file or dataset it is of."""

from collections.abc import Callable, Iterator
from typing import Any

from textparity.errors import InputError
from textparity.files import is_unicode


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
