"""Texts in another encoding than UTF-8, read as UTF-8."""

import codecs
import io
from contextlib import suppress
from difflib import get_close_matches
from encodings.aliases import aliases
from typing import BinaryIO

from textparity.errors import ConfigError, InputError

_BLOCK = 1 << 18
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
# Python's own, of which no text is: https://docs.python.org/3/library/codecs.html#python-specific-encodings
_OF_PYTHON = {"charmap", "idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
# One byte of so many is NUL, and so many characters for each of them are ASCII.
_NULS_NEEDED, _ASCII_NEEDED = 16, 0.8


def find_encoding(name: str) -> str:
    """Return the name under which Python knows an encoding of texts, an empty string where it knows none."""
    try:
        # Some codecs, such as rot13 and zip, are not of texts.
        "".encode(name)
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    return "" if found in _OF_PYTHON else found


def check_encoding(name: str) -> str:
    """Return the name under which Python knows an encoding of texts; an unknown one is a `ConfigError`."""
    if found := find_encoding(name):
        return found
    known = sorted(filter(find_encoding, {*aliases, *aliases.values()}))
    near = get_close_matches(name.lower().replace("-", "_"), known, 3)
    raise ConfigError(
        f"encoding {name!r} is not known; "
        + (f"did you mean {' or '.join(near)}?" if near else "use a name such as windows-1252 or utf-16")
    )


def guess_wide(head: bytes) -> str:
    """Name the UTF-16 or UTF-32 that a text begins in, by its NUL bytes; empty if it has few of them.

    UTF-8 and all encodings of single bytes have none. Scripts without ASCII letters have few in UTF-16, too.
    """
    nuls = head.count(0)
    if not nuls or _NULS_NEEDED * nuls < len(head):
        return ""
    for name in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        with suppress(UnicodeDecodeError):
            # What is cut at the end waits in the decoder.
            text = codecs.getincrementaldecoder(name)().decode(head)
            # In UTF-16, most NUL bytes belong to ASCII characters; in the other order of bytes, these are letters.
            found = nuls if name.startswith("utf-32") else sum(map(str.isascii, text))
            if text and "\0" not in text and found >= _ASCII_NEEDED * nuls:
                return name
    return ""


class Recoded(io.RawIOBase):
    """A stream of bytes in an encoding, as UTF-8.

    Bytes that the encoding does not have raise `InputError` with the file's `name` and the place of the first.
    """

    def __init__(self, stream: BinaryIO, encoding: str, name: str) -> None:
        super().__init__()
        self._stream, self._encoding, self._name = stream, encoding, name
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._done = 0
        self._waiting = b""
        self._at_end = False

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        """Fill the buffer, and return with how many bytes."""
        while not self._waiting and not self._at_end:
            block = self._stream.read(_BLOCK)
            self._at_end = not block
            if not self._done:
                self._check_width(block)
            # What the decoder holds back of the last block comes before this one.
            held = len(self._decoder.getstate()[0])
            try:
                text = self._decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                place = self._done - held + error.start
                raise InputError(
                    f"{self._name}: byte {place:,} (from 0) is not valid {self._encoding} ({error.reason}); give its "
                    "encoding with --encoding: often windows-1252, utf-16 or utf-8"
                ) from None
            except UnicodeError as error:
                raise InputError(f"{self._name}: {_explain(error, self._encoding)}") from None
            self._done += len(block)
            self._waiting = text.encode("utf-8", "surrogatepass")
        size = min(len(buffer), len(self._waiting))
        buffer[:size] = self._waiting[:size]
        self._waiting = self._waiting[size:]
        return size

    def _check_width(self, head: bytes) -> None:
        """Raise `InputError` for a text that is in another UTF-16 or UTF-32: it would become other letters."""
        wide = guess_wide(head)
        has_mark = head.startswith(_MARKS) and wide.startswith(self._encoding)
        if wide and wide != self._encoding and not has_mark:
            raise InputError(f"{self._name}: is {wide}, not {self._encoding}; give it with --encoding {wide}")


def _explain(error: UnicodeError, encoding: str) -> str:
    """Describe the error of a codec that does not name the byte."""
    if encoding in ("utf-16", "utf-32"):
        return f"has no byte order mark, so give its encoding as {encoding}-le or {encoding}-be with --encoding"
    return f"is not valid {encoding} ({error}); give its encoding with --encoding"
