"""The lock file: which sha256 a file had when it was first fetched, where none is known beforehand.

It is meant to be kept under version control, so that others get the same bytes or an error.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from textparity.errors import TableError
from textparity.files import write_rows
from textparity.registry import read_tsv

COLUMNS = ("source", "path", "sha256")


def locked_hash(lock: Path, source: str, path: str) -> str:
    """Return the sha256 in `lock` for a source's file, or an empty string."""
    return _read(lock).get((source, path), "")


def lock_hash(lock: Path, source: str, path: str, sha256: str) -> None:
    """Add a line to `lock`; lines of processes that do the same at once are kept. Raises `TableError` if it has one."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with _exclusive(lock):
        rows = _read(lock)
        if rows.setdefault((source, path), sha256) != sha256:
            raise TableError(f"{lock}: {source} {path} was given another sha256 in the meantime; run again")
        write_rows(lock, COLUMNS, ([*key, found] for key, found in sorted(rows.items())), tab_separated=True)


def _read(lock: Path) -> dict[tuple[str, str], str]:
    # Empty between its creation and its first line.
    if not lock.exists() or not lock.stat().st_size:
        return {}
    return {(row["source"], row["path"]): row["sha256"] for row in read_tsv(lock, COLUMNS)}


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    """Hold the only lock on the file at `path`, which may be replaced by whoever holds it."""
    while True:
        with path.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # Whoever held it before has put another file in its place: wait for that one.
            if not path.exists() or not os.path.samestat(os.fstat(file.fileno()), path.stat()):
                continue
            yield
            return
