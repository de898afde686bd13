"""Texts that occur more than once: an estimate of their number in bounded memory, and a filter that lets one pass."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from zlib import adler32, crc32

import numpy as np

from textparity.folding import load_folding

# The number of keys kept. With more distinct texts, about half as many or more are kept, and the number of texts is
# estimated with a standard error of up to 0.8 %.
KEYS_KEPT = 1 << 15


# With a billion texts, the chance that any two different ones share a digest of this size is 3 %.
_DIGEST_BYTES = 8


def digest_text(text: str) -> int:
    """Compute the digest by which a text is recognized in another corpus, a number of 64 bits.

    It is BLAKE2b of the text in UTF-8, after folding (`textparity.folding`: NFC, invisible characters and spellings)
    and with one space for any white space. The same text has the same digest in every file format and process.
    """
    words = load_folding().fold(text).split()
    return int.from_bytes(blake2b(" ".join(words).encode(), digest_size=_DIGEST_BYTES).digest())


@dataclass
class DistinctTexts:
    """The number of distinct texts: exact up to `KEYS_KEPT`, then estimated from the smallest of their keys.

    A key has 64 bits. If there are too many, only keys that begin with `level` zeros are kept (Gibbons 2001). The keys
    therefore depend only on the texts, not on their order or batches.
    """

    level: int = 0
    keys: np.ndarray = field(default_factory=lambda: np.empty(0, np.uint64))

    @classmethod
    def of(cls, texts: Iterable[str]) -> "DistinctTexts":
        """Take the keys of texts, without the spaces around them."""
        encoded = [text.strip().encode() for text in texts]
        high_halves = np.array(list(map(crc32, encoded)), np.uint64)
        low_halves = np.array(list(map(adler32, encoded)), np.uint64)
        keys = high_halves << np.uint64(32) | low_halves
        distinct = cls(keys=np.unique(keys))
        distinct._reduce()
        return distinct

    def merge(self, other: "DistinctTexts") -> None:
        """Add other texts."""
        self.level = max(self.level, other.level)
        self.keys = np.union1d(self.keys, other.keys)
        self._reduce()

    def _reduce(self) -> None:
        while True:
            if self.level:
                self.keys = self.keys[: np.searchsorted(self.keys, np.uint64(1 << 64 - self.level))]
            if len(self.keys) <= KEYS_KEPT:
                return
            self.level += 1

    @property
    def number(self) -> int:
        """The number of distinct texts."""
        return len(self.keys) << self.level


class UniqueTexts:
    """A filter that lets each text pass once. It holds digests of all texts, in a temporary file if they are many."""

    def __init__(self) -> None:
        # SQLite deletes a database without a name when it is closed.
        self._seen = sqlite3.connect("")
        self._seen.execute("CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID")

    def is_new(self, *parts: str) -> bool:
        """Check whether a text, with its group and language, has not been seen yet."""
        digest = blake2b("\0".join(parts).encode(), digest_size=16).digest()
        return self._seen.execute("INSERT OR IGNORE INTO seen VALUES (?)", (digest,)).rowcount == 1

    def keep(self) -> None:
        """Keep the texts seen since the last call."""
        self._seen.commit()

    def forget(self) -> None:
        """Forget the texts that were not kept."""
        self._seen.rollback()
