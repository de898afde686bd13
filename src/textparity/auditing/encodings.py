"""Texts in another encoding than UTF-8, read as UTF-8."""

import codecs
import io
from difflib import get_close_matches
from encodings.aliases import aliases
from typing import BinaryIO

from textparity.errors import ConfigError, InputError

_BLOCK = 1 << 18


def check_encoding(name: str) -> str:
    """Return the name under which Python knows an encoding of texts; an unknown one is a `ConfigError`."""
    try:
        # Some codecs, such as rot13 and zip, are none of texts.
        "".encode(name)
        return codecs.lookup(name).name
    except LookupError:
        known = sorted({*aliases, *aliases.values()})
        near = get_close_matches(name.lower().replace("-", "_"), known, 3)
        raise ConfigError(
            f"encoding {name!r} is not known; "
            + (f"did you mean {' or '.join(near)}?" if near else "use a name such as windows-1252 or utf-16")
        ) from None


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
            self._done += len(block)
            self._waiting = text.encode("utf-8", "surrogatepass")
        size = min(len(buffer), len(self._waiting))
        buffer[:size] = self._waiting[:size]
        self._waiting = self._waiting[size:]
        return size
