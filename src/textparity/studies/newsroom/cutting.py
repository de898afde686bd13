"""Cutting CSV and JSON files into records without losing a byte of them."""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

# Longer than any article: of a quote that is never closed, no more than this waits in memory.
CELL_CHARACTERS = 1 << 24
BYTE_ORDER_MARK = "\ufeff"
_DECODER = json.JSONDecoder()
_BETWEEN = re.compile(r"[ \t\n\r,:]*")


def cut_csv(
    stream: Iterable[bytes], delimiter: str = "", quote: str = ""
) -> Iterator[tuple[int, list[bytes], list[str] | str]]:
    r"""Yield each record's first line (from 1), all its lines, and its cells, or what is wrong with it.

    Lines end in LF or CRLF, also within quotes; an empty line is a record without cells. `delimiter` may be `\t`,
    `quote` may be `none`; empty, they are `,` and `"`. A quote within quotes is doubled. Bytes that are not UTF-8 are
    surrogates in the cells.
    """
    form: dict[str, Any] = {"delimiter": "\t" if delimiter == r"\t" else delimiter or ","}
    form |= {"quoting": csv.QUOTE_NONE} if quote == "none" else {"quotechar": quote or '"'}
    lines: list[bytes] = []

    def taken() -> Iterator[str]:
        for line in stream:
            lines.append(line)
            yield line.decode("utf-8", "surrogateescape")

    # The reader takes a line only when the record goes on, so the lines taken are the record's.
    reader = csv.reader(taken(), strict=True, **form)
    start = 1
    while True:
        usual_limit = csv.field_size_limit(CELL_CHARACTERS)
        try:
            cells: list[str] | str = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cells = str(error)
        finally:
            csv.field_size_limit(usual_limit)
        yield start, lines.copy(), cells
        start += len(lines)
        lines.clear()


def cut_json(text: str) -> tuple[str, Iterator[tuple[str, str, str | None, Any]], str]:
    """Cut a JSON object or list into what stands before its elements, the elements, and what stands after them.

    An element is the glue between it and the one before, its own text, its key (None in a list) and its value. Keys
    may stand twice. Raises `ValueError` for anything else.
    """
    start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    if not isinstance(json.loads(text[start:]), dict | list):
        raise ValueError("it is neither an object nor a list")
    start = _skip(text, _skip(text, start) + 1)
    end = len(text.rstrip(" \t\n\r")) - 1
    last = len(text[:end].rstrip(" \t\n\r")) if start < end else end
    return text[:start], _cut_elements(text, start, last), text[last:]


def _cut_elements(text: str, start: int, last: int) -> Iterator[tuple[str, str, str | None, Any]]:
    # That the text is valid JSON is known.
    is_object = text[:start].rstrip(" \t\n\r").endswith("{")
    end = start
    while end < last:
        place = start = _skip(text, end)
        glue, key = text[end:start], None
        if is_object:
            key, place = _DECODER.raw_decode(text, start)
            place = _skip(text, place)
        value, after = _DECODER.raw_decode(text, place)
        yield glue, text[start:after], key, value
        end = after


def _skip(text: str, start: int) -> int:
    found = _BETWEEN.match(text, start)
    return found.end() if found else start
