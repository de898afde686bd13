"""Character encodings: their names, what the first bytes of a text show, and conversion to UTF-8."""

import codecs
import io
from contextlib import suppress
from difflib import get_close_matches
from encodings.aliases import aliases
from typing import BinaryIO

from textparity.errors import ConfigError, InputError

_BLOCK = 1 << 18
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
# Encodings that exist only in Python and are never used for texts:
# https://docs.python.org/3/library/codecs.html#python-specific-encodings
_OF_PYTHON = {"charmap", "idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
# UTF-16 and UTF-32 are recognized by one NUL byte in at least every 16 bytes, with nearly as many ASCII characters.
_NULS_NEEDED, _ASCII_NEEDED = 16, 0.8


def find_encoding(name: str) -> str:
    """Look up Python's name for a text encoding. Returns an empty string for an unknown encoding."""
    try:
        # Some codecs, such as rot13 and zip, do not convert text to bytes.
        "".encode(name)
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    return "" if found in _OF_PYTHON else found


def check_encoding(name: str) -> str:
    """Look up Python's name for a text encoding. Raises `ConfigError` for an unknown encoding."""
    if found := find_encoding(name):
        return found
    known = sorted(filter(find_encoding, {*aliases, *aliases.values()}))
    near = get_close_matches(name.lower().replace("-", "_"), known, 3)
    raise ConfigError(
        f"unknown encoding {name!r}; "
        + (f"did you mean {' or '.join(near)}?" if near else "use a name such as windows-1252 or utf-16")
    )


def guess_wide(head: bytes) -> str:
    """Guess from its NUL bytes which UTF-16 or UTF-32 a text begins in. Empty if it has few NUL bytes.

    UTF-8 and single-byte encodings do not use NUL bytes. Scripts without ASCII letters have few of them in UTF-16, too.
    """
    nuls = head.count(0)
    if not nuls or _NULS_NEEDED * nuls < len(head):
        return ""
    for name in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        with suppress(UnicodeDecodeError):
            # An incremental decoder accepts a last character that is cut off.
            text = codecs.getincrementaldecoder(name)().decode(head)
            # In UTF-16, most NUL bytes belong to ASCII characters. In the wrong byte order, they would become other
            # letters.
            found = nuls if name.startswith("utf-32") else sum(map(str.isascii, text))
            if text and "\0" not in text and found >= _ASCII_NEEDED * nuls:
                return name
    return ""


class Recoded(io.RawIOBase):
    """A byte stream that converts another encoding to UTF-8.

    Raises `InputError`, with the file's `name` and the position, at the first byte that is not valid in the encoding.
    """

    def __init__(self, stream: BinaryIO, encoding: str, name: str) -> None:
        super().__init__()
        self._stream, self._encoding, self._name = stream, encoding, name
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._done = 0
        self._waiting = b""
        self._at_end = False

    def readable(self) -> bool:
        """Always true: the stream can be read."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        """Fill the buffer and return the number of bytes written to it."""
        while not self._waiting and not self._at_end:
            block = self._stream.read(_BLOCK)
            self._at_end = not block
            if not self._done:
                self._check_width(block)
            # Bytes that the decoder held back from the last block come before the current block.
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
                # These errors do not name the invalid byte.
                fix, explanation = "give its encoding", f"is not valid {self._encoding} ({error})"
                if self._encoding in ("utf-16", "utf-32"):
                    fix, explanation = f"give {self._encoding}-le or {self._encoding}-be", "has no byte order mark"
                raise InputError(f"{self._name}: {explanation}; {fix} with --encoding") from None
            self._done += len(block)
            self._waiting = text.encode("utf-8", "surrogatepass")
        size = min(len(buffer), len(self._waiting))
        buffer[:size] = self._waiting[:size]
        self._waiting = self._waiting[size:]
        return size

    def _check_width(self, head: bytes) -> None:
        """Raise `InputError` for another UTF-16 or UTF-32 than was given, which would decode to other letters."""
        wide = guess_wide(head)
        has_mark = head.startswith(_MARKS) and wide.startswith(self._encoding)
        if wide and wide != self._encoding and not has_mark:
            raise InputError(f"{self._name}: is {wide}, not {self._encoding}; give it with --encoding {wide}")
