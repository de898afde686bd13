"""Records of a JSON array that may be larger than memory."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from textparity.auditing.json_objects import DECODER
from textparity.errors import InputError

# Characters of one record.
LONGEST_RECORD = 64 << 20
_SPACE = re.compile(r"[ \t\r\n]*")


def read_array(lines: Iterable[str], name: str) -> Iterator[Any]:
    """Yield the elements of the array that `lines` are, each soon after its last line was read.

    Raises `InputError`, with the number of the record (from 1), for what is no array, or cut.
    """
    decode = DECODER.raw_decode
    # What may come next: `[`; an element or `]`; an element; `,` or `]`; nothing.
    waiting, state, number, tried = "", "start", 0, 0
    for line in chain(lines, [None]):
        waiting += "" if line is None else f"{line}\n"
        place = 0
        while (place := _after_space(waiting, place)) < len(waiting):
            character = waiting[place]
            where = f"{name}, record {number + 1}"
            if state == "end":
                raise InputError(f"{name}: goes on after the end of its JSON array; one array a file is read")
            if state == "start" or character == ("]" if state in ("first", "after") else ""):
                state, place = ("first" if state == "start" else "end"), place + 1
            elif state == "after":
                if character != ",":
                    raise InputError(f"{where}: is {character!r} in place of a comma; mend the JSON array")
                state, place = "next", place + 1
            else:
                size = len(waiting) - place
                # A try for each line of a long record would take the square of its length.
                if line is not None and size < 2 * tried:
                    break
                try:
                    record, place = decode(waiting, place)
                except (ValueError, RecursionError) as error:
                    if line is None or size > LONGEST_RECORD:
                        raise InputError(f"{where}: cannot be read as JSON ({error}); mend the array") from None
                    tried = size
                    break
                number, state, tried = number + 1, "after", 0
                yield record
        waiting = waiting[place:]
    if state != "end":
        raise InputError(f"{name}: its JSON array has no end after {number:,} records; get the file again")


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place
