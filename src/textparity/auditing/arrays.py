"""Read the records of a JSON array that may be larger than memory."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from textparity.auditing.json_objects import DECODER
from textparity.errors import InputError

# Maximum length of one record, in characters.
LONGEST_RECORD = 64 << 20
_SPACE = re.compile(r"[ \t\r\n]*")


def read_array(lines: Iterable[str], name: str) -> Iterator[Any]:
    """Read the elements of the JSON array in `lines`, each as soon as its last line has been read.

    Raises `InputError`, with the number of the record (from 1), if the text is not a JSON array or is cut off.
    """
    decode = DECODER.raw_decode
    # `state` decides what may come next. start: `[`; first: an element or `]`; next: an element; after: `,` or `]`;
    # end: nothing.
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
                # Decoding again after every line would take time quadratic in the length of the record, so wait until
                # it has doubled.
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
