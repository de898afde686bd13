"""Read the lines of a stream in blocks, each as a whole if it is valid UTF-8, which is faster than line by line."""

import io
from codecs import BOM_UTF32_LE
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from textparity.errors import InputError
from textparity.files import decode_line
from textparity.reading.documents import PORTION_SIZE
from textparity.reading.encodings import guess_wide
from textparity.reading.sources import SourceAccess

# A line without end, such as a compressed file of zeros, must not fill the memory.
LONGEST_LINE = 64 << 20
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


class LineBlock(NamedTuple):
    """Some lines: the number of the first, and the lines as texts or, if one needs a closer look, as raw bytes."""

    first: int
    lines: list[str]
    raw: list[bytes]


class TextLine(NamedTuple):
    """A line with its number (from 1), and its error if it is not valid."""

    number: int
    text: str
    error: InputError | None


def read_blocks(source: SourceAccess, stream: BinaryIO) -> Iterator[LineBlock]:
    """Read many lines at a time. Raises `InputError` for a line that is too long to be held in memory."""
    number, waiting, is_old_mac = 1, bytearray(), False
    while block := stream.read(PORTION_SIZE):
        if is_old_mac:
            block = block.replace(b"\r", b"\n")
        end = block.rfind(b"\n") + 1
        if end:
            lines, rest = bytes(waiting) + block[:end], block[end:]
            following = number + lines.count(b"\n")
            # Nothing of a long line is held while it is counted.
            waiting.clear()
            decoded = [_decode_block(number, lines)]
            del lines
            yield decoded.pop()
            number = following
            waiting += rest
        else:
            waiting += block
        if len(waiting) >= LONGEST_LINE:
            if number > 1 or b"\r" not in waiting:
                raise _too_long(source, number)
            is_old_mac = True
            end = waiting.rfind(b"\r") + 1
            old_lines = _split_raw(waiting[:end].replace(b"\r", b"\n"))
            yield LineBlock(number, [], old_lines)
            number += len(old_lines)
            del waiting[:end]
    if waiting:
        # If a file contains no LF, its lines end in CR, as on old Macs.
        last = bytes(waiting).replace(b"\r", b"\n") if number == 1 else bytes(waiting)
        yield LineBlock(number, [], _split_raw(last))


def _split_raw(block: bytes | bytearray) -> list[bytes]:
    return list(io.BytesIO(block))


def _decode_block(number: int, block: bytes) -> LineBlock:
    # The first line may have a byte-order mark.
    is_usual = number > 1 and b"\0" not in block and len(block) < LONGEST_LINE
    if is_usual:
        with suppress(UnicodeDecodeError):
            lines = block.decode().split("\n")
            # Remove the empty text after the last line end.
            lines.pop()
            if b"\r" in block:
                lines = [line.removesuffix("\r") for line in lines]
            return LineBlock(number, lines, [])
    return LineBlock(number, [], _split_raw(block))


def read_lines(source: SourceAccess, stream: BinaryIO) -> Iterator[TextLine]:
    """Read the lines of a stream, those that are not valid with their error."""
    return lines_of(source, read_blocks(source, stream))


def lines_of(source: SourceAccess, blocks: Iterable[LineBlock]) -> Iterator[TextLine]:
    """Yield the lines of blocks, those that are not valid with their error."""
    for first, lines, raw in blocks:
        for number, line in enumerate(lines, start=first):
            yield TextLine(number, line, None)
        for number, raw_line in enumerate(raw, start=first):
            yield _decode(source, number, raw_line)


def valid_lines(source: SourceAccess, lines: Iterable[TextLine]) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each valid line, and report the errors of the others."""
    for number, text, error in lines:
        if error:
            source.callbacks.on_invalid(error)
        else:
            yield number, text


def _decode(source: SourceAccess, number: int, raw: bytes) -> TextLine:
    """Decode a line. Raises `InputError` for what makes the whole source unreadable."""
    if len(raw) >= LONGEST_LINE:
        raise _too_long(source, number)
    if number == 1 and raw.startswith(_WIDE_MARKS):
        wide = "utf-32" if raw.startswith(BOM_UTF32_LE) else "utf-16"
        raise InputError(f"{source.name}: is {wide.upper()}; add --encoding {wide}")
    try:
        if b"\0" in raw:
            raise _has_nul(source, number, raw)
        return TextLine(number, decode_line(raw, number, source.name), None)
    except InputError as error:
        replaced = raw.decode("utf-8", "replace").rstrip("\r\n")
        return TextLine(number, replaced, error)


def _too_long(source: SourceAccess, number: int) -> InputError:
    return InputError(
        f"{source.name}, line {number}: is longer than {LONGEST_LINE >> 20} MB; this is not a text with line ends"
    )


def _has_nul(source: SourceAccess, number: int, raw: bytes) -> InputError:
    fix = guess_wide(raw) or "utf-16-le, or utf-16-be"
    return InputError(
        f"{source.name}, line {number}: has a NUL byte, so it is not text in UTF-8; if it is UTF-16, add "
        f"--encoding {fix}; if it is a tar archive, unpack it; if a program made it, export its text"
    )
