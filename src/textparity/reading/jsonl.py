"""Read JSON lines: an object on each line."""

import json
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from textparity.errors import InputError
from textparity.reading.documents import Document
from textparity.reading.lines import TextLine, read_lines
from textparity.reading.recognition import is_object
from textparity.reading.records import BY_COLUMNS, Record, RepeatedKeys, documents_of
from textparity.reading.sources import SourceAccess

_FIRST_LINES = 5
_OBJECTS_NEEDED = (
    "each line must be one object (add --format json for a JSON array; jq -c . FILE > FILE.jsonl puts each object on a "
    "line of its own)"
)


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    return fields if len(fields) == len(pairs) else RepeatedKeys(pairs)


DECODER = json.JSONDecoder(object_pairs_hook=_make_object)


def read(source: SourceAccess) -> Iterator[Document]:
    """Read the texts of the objects."""
    with source.open() as stream:
        yield from documents_of(source, records_of(source, read_lines(source, stream)))


def records_of(source: SourceAccess, lines: Iterator[TextLine]) -> Iterator[Record]:
    """Read a record from each line. Raises `InputError` if the first objects take several lines each."""
    first_lines = list(islice(lines, _FIRST_LINES))
    _check_one_per_line(source, [line.text for line in first_lines if line.text.strip()])
    for number, text, error in chain(first_lines, lines):
        where = f"{source.name}, line {number}"
        if error:
            yield Record(number, where, error)
        elif text.strip():
            yield Record(number, where, _read_object(text, where))


def _read_object(line: str, where: str) -> Any:
    try:
        value = DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        return InputError(f"{where}: cannot be read as JSON ({error}); {_OBJECTS_NEEDED}")
    return value if isinstance(value, dict) else explain_value(value, where, f"; {_OBJECTS_NEEDED}")


def _check_one_per_line(source: SourceAccess, first_lines: Sequence[str]) -> None:
    """Raise `InputError` if an object begins in the first line and goes on in the second one."""
    if len(first_lines) < 2 or not first_lines[0].lstrip().startswith("{"):
        return
    first, second = first_lines[0].rstrip(), first_lines[1].lstrip()
    try:
        json.loads(first)
    except json.JSONDecodeError as error:
        # A record that is cut off looks alike, but another record follows it.
        goes_on = first.endswith(("{", "[")) or not second.startswith("{")
        closes = len(first_lines) > 2 and first_lines[2].lstrip().startswith(("]", "}"))
        if error.pos >= len(first) and goes_on and (closes or not is_object(second)):
            raise InputError(
                f"{source.name}: has JSON objects of several lines, not one on each line; convert it: jq -c . FILE > "
                "FILE.jsonl; or jq -c '.KEY[]' FILE > FILE.jsonl if the records are the list KEY of one object"
            ) from None
    except (ValueError, RecursionError):
        # The record gets its own error.
        return


def explain_value(value: Any, where: str, fix: str = "") -> InputError:
    """Make the error for a value that is not an object."""
    if isinstance(value, str):
        fix = "; make objects of the texts, for instance with jq -c '.. | strings | {text: .}' FILE > FILE.jsonl"
    elif isinstance(value, list) and not fix:
        fix = f"; make objects of the lists: {BY_COLUMNS}"
    return InputError(f"{where}: is {type(value).__name__}, not a JSON object{fix}")
