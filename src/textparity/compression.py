"""Open compressed files. All their streams are read, one after another, to the last byte of the file."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from textparity.errors import InputError

COMPRESSIONS = (".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz")
# What reading a damaged file raises.
DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError)
# The first bytes of compressed files, for names that lack the suffix.
_BEGINNINGS = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst", b"BZh": ".bz2", b"\xfd7zXZ\0": ".xz"}
_READ_BYTES = 1 << 18
# Zstandard looks back this far, unless a file was compressed with a longer window.
ZSTD_WINDOW = 128 << 20
_WINDOW_TOO_LONG = "requires too much memory"


def find_compression(suffix: str, begin: bytes) -> str:
    """Find the suffix of a file's compression by its own suffix or its first bytes. Empty if it is not compressed."""
    if suffix in COMPRESSIONS:
        return suffix
    for signature, compression in _BEGINNINGS.items():
        if begin.startswith(signature):
            return compression
    return ""


def open_compressed(raw: BinaryIO, compression: str, name: str) -> io.BufferedReader:
    """Open `raw`, which has the `compression` that a suffix names, for reading what it contains.

    Reading raises one of `DAMAGE` if a stream is damaged or cut off, or if anything but another stream or zero bytes
    follows it. It raises `InputError`, with the file's `name`, for Zstandard with a window over `ZSTD_WINDOW`.
    """
    unpacked: Any
    if compression in (".gz", ".gzip"):
        unpacked = gzip.GzipFile(fileobj=raw)
    elif compression in (".zst", ".zstd"):
        unpacked = _ZstdReader(raw, name)
    elif compression == ".bz2":
        unpacked = _StreamReader(raw, bz2.BZ2Decompressor)
    else:
        unpacked = _StreamReader(raw, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ))
    # A raw stream does not split lines.
    return io.BufferedReader(unpacked, _READ_BYTES)


class _StreamReader(io.RawIOBase):
    """Decompress streams that follow each other. `bz2` and `lzma` silently ignore what they cannot read after one."""

    def __init__(self, raw: BinaryIO, new_decompressor: Callable[[], Any]) -> None:
        super().__init__()
        self._raw, self._new_decompressor = raw, new_decompressor
        self._decompressor: Any = None
        # Bytes that were read but not yet given to a decompressor.
        self._waiting = b""
        self._has_begun = False

    def readable(self) -> bool:
        """Always true: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer and return the number of bytes written to it."""
        while True:
            if self._decompressor is None and not self._begin_stream():
                return 0
            if not self._waiting and self._decompressor.needs_input:
                self._waiting = self._raw.read(_READ_BYTES)
                if not self._waiting:
                    raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            content = self._decompressor.decompress(self._waiting, len(buffer))
            self._waiting = b""
            if self._decompressor.eof:
                self._waiting = self._decompressor.unused_data
                self._decompressor = None
            if content:
                buffer[: len(content)] = content
                return len(content)

    def _begin_stream(self) -> bool:
        """Begin the next stream, after any zero bytes. Returns whether there is one."""
        waiting = self._waiting.lstrip(b"\0")
        while not waiting:
            block = self._raw.read(_READ_BYTES)
            if not block and not self._has_begun:
                raise EOFError("the file has no compressed stream")
            if not block:
                return False
            waiting = block.lstrip(b"\0")
        self._waiting = waiting
        self._decompressor = self._new_decompressor()
        self._has_begun = True
        return True


class _ZstdReader(io.RawIOBase):
    """Decompress Zstandard, and explain a window that is too long, which is no damage."""

    def __init__(self, raw: BinaryIO, name: str) -> None:
        super().__init__()
        # Imported here because the parser of rules loads this module, and needs no Arrow.
        import pyarrow as pa

        self._stream = pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")
        self._name = name

    def readable(self) -> bool:
        """Always true: the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer and return the number of bytes written to it."""
        try:
            content = self._stream.read(len(buffer))
        except OSError as error:
            if _WINDOW_TOO_LONG not in str(error):
                raise
            raise InputError(
                f"{self._name}: was compressed by Zstandard with a window over {ZSTD_WINDOW >> 20} MB, which is not "
                "read here; unpack it with zstd -d --long=31, or pipe it: zstd -dc --long=31 FILE | textparity audit "
                "- --format FORMAT"
            ) from None
        buffer[: len(content)] = content
        return len(content)
