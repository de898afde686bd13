"""Skip and report what cannot be read in a file of others: one slip of its authors must not cost the whole file."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from textparity.errors import InputError

log = logging.getLogger(__name__)
Item = TypeVar("Item")
Result = TypeVar("Result")
# A short file, such as a paragraph, may have so many slips, also if nothing else is in it.
ALLOWED_SLIPS = 3
# A warning lists so many of the places; their number is always in it.
SLIPS_SHOWN = 20


class Slip(Exception):
    """An annotation that cannot be read, such as a mark in a mark. The reader skips its sentence or row."""


@dataclass(frozen=True)
class FilePlace(Generic[Item]):
    """A line, row or sentence of a file; `line` is the number of its first line."""

    line: int
    item: Item


def read_each(
    path: Path, places: Iterable[FilePlace[Item]], read: Callable[[Item], Result], unit: str = "sentences"
) -> Iterator[Result]:
    """Iterate over what `read` makes of each item of a file, without those in which it raises `Slip`.

    At the end, one warning names the file, the number of skipped items (called `unit`), and the lines with the reason.
    Raises `InputError` if more items are skipped than read, because then the file is of another format. A few slips
    (`ALLOWED_SLIPS`) are never an error.
    """
    slips: list[str] = []
    number_read = 0
    for place in places:
        try:
            result = read(place.item)
        except Slip as slip:
            slips.append(f"line {place.line}: {slip}")
            continue
        number_read += 1
        yield result
    report_slips(path, slips, number_read, unit)


def report_slips(path: Path, slips: list[str], number_read: int, unit: str) -> None:
    """Warn of the slips of a file, or raise `InputError` with the first one if they exceed what was read."""
    if len(slips) > max(number_read, ALLOWED_SLIPS):
        raise InputError(f"{path}, {slips[0]} (and {len(slips) - 1} more)")
    if slips:
        shown = slips[:SLIPS_SHOWN]
        if len(slips) > SLIPS_SHOWN:
            shown.append("…")
        log.warning("%s: skipped %d of %d %s: %s", path, len(slips), len(slips) + number_read, unit, "; ".join(shown))
