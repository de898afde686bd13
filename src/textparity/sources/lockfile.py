"""The lock file: which sha256 a file had when it was first fetched, where none is known beforehand.

It is meant to be kept under version control, so that others get the same bytes or an error. Each line has a checksum of
its own: of a damaged name, the file would else count as never fetched, and whatever comes next would be expected.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256 as digest_of
from pathlib import Path
from tempfile import TemporaryDirectory

from textparity.errors import TableError
from textparity.files import write_rows
from textparity.tsv import read_tsv

COLUMNS = ("source", "path", "sha256", "check")


def locked_hash(lock: Path, source: str, path: str) -> str:
    """Return the sha256 in `lock` for a source's file, or an empty string."""
    return _read(lock).get((source, path), "")


def lock_hash(lock: Path, source: str, path: str, sha256: str) -> None:
    """Add a line to `lock`; lines of processes that do the same at once are kept. Raises `TableError` if it has one."""
    if not lock.exists():
        _create(lock)
    with _exclusive(lock):
        rows = _read(lock)
        if rows.setdefault((source, path), sha256) != sha256:
            raise TableError(f"{lock}: {source} {path} was given another sha256 in the meantime; run again")
        lines = ([*key, found, _check(*key, found)] for key, found in sorted(rows.items()))
        write_rows(lock, COLUMNS, lines, tab_separated=True)


def _read(lock: Path) -> dict[tuple[str, str], str]:
    if not lock.exists():
        return {}
    rows = read_tsv(lock, COLUMNS)
    for line, row in enumerate(rows, start=2):
        if row["check"] != _check(row["source"], row["path"], row["sha256"]):
            raise TableError(
                f"{lock}, line {line}: is not what was written ({row['source']} {row['path']}); put the file back from "
                "version control, or remove the line to expect what the next download is"
            )
    return {(row["source"], row["path"]): row["sha256"] for row in rows}


def _check(*cells: str) -> str:
    return digest_of("\t".join(cells).encode()).hexdigest()[:8]


def _create(lock: Path) -> None:
    """Make a lock file without lines, unless another process does so first; it is never seen empty."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=lock.parent) as folder:
        new = Path(folder) / lock.name
        write_rows(new, COLUMNS, [], tab_separated=True)
        with suppress(FileExistsError):
            os.link(new, lock)


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
