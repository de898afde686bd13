"""Determine the expected content of a file before it is downloaded, from a mirror, which replaces the network, or from
the lock file.

The lock file records the sha256 that a file had at its first download, if no hash was known before. It is meant to be
kept under version control, so that others get the same bytes or an error. Each line has its own checksum. Without it, a
file whose name is damaged would count as never downloaded, and any new content would be accepted.
"""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256 as digest_of
from pathlib import Path
from tempfile import TemporaryDirectory

from textparity.errors import ConfigError, FetchError, TableError
from textparity.files import escapes_folder, write_rows
from textparity.tsv import read_tsv

COLUMNS = ("source", "path", "sha256", "check")


def locked_hash(lock: Path, source: str, path: str) -> str:
    """Look up the sha256 of a source's file in `lock`. Returns an empty string if there is none."""
    return _read(lock).get((source, path), "")


def lock_hash(lock: Path, source: str, path: str, sha256: str) -> None:
    """Add a line to `lock`, keeping concurrent additions. Raises `TableError` if it already has the file."""
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
    """Create a lock file without entries, unless another process does so first. It is never seen empty."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=lock.parent) as folder:
        new = Path(folder) / lock.name
        write_rows(new, COLUMNS, [], tab_separated=True)
        with suppress(FileExistsError):
            os.link(new, lock)


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on the file at `path`. The holder of the lock may replace the file."""
    while True:
        with path.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # The previous holder has replaced the file, so the lock on the new one is needed.
            if not path.exists() or not os.path.samestat(os.fstat(file.fileno()), path.stat()):
                continue
            yield
            return


def find_mirror(
    mirror: str | None = None, environment: Mapping[str, str] = os.environ, base: Path = Path()
) -> str | None:
    """Find the folder that replaces the network: `TEXTPARITY_MIRROR`, or else `mirror`. Returns None if neither is set.

    It is searched in the working directory, then in `base`. Raises `ConfigError` if it has no `urls.tsv`.
    """
    mirror = environment.get("TEXTPARITY_MIRROR") or mirror
    if mirror is not None and not Path(mirror).exists() and (base / mirror).exists():
        mirror = str(base / mirror)
    if mirror is not None and not (Path(mirror) / "urls.tsv").is_file():
        raise ConfigError(
            f"mirror: {mirror} has no urls.tsv; set `mirror` (or TEXTPARITY_MIRROR) to a folder that has one, "
            "or leave both unset to use the network"
        )
    return mirror


class Mirror:
    """A folder that replaces the network. `folder/urls.tsv` has the columns url, path, sha256 and any others."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.table = self.folder / "urls.tsv"
        self.rows = {row["url"]: row for row in read_tsv(self.table, at_least=("url", "path", "sha256"))}

    def __contains__(self, url: str) -> bool:
        return url in self.rows

    def find(self, url: str) -> tuple[Path, str]:
        """Find the file that replaces `url`, and its sha256. Raises `FetchError` for an unlisted URL."""
        if url not in self.rows:
            raise FetchError(
                f"{url} is not in the mirror ({self.table}); add a row and the file, run with "
                "--config skip_unavailable=true to leave out what needs it, or unset the mirror to use the network"
            )
        row = self.rows[url]
        if escapes_folder(row["path"]):
            raise FetchError(
                f"{self.table}: {row['path']}, listed for {url}, leads out of the mirror; put the file into it"
            )
        path = self.folder / row["path"]
        if not path.is_file():
            raise FetchError(f"{self.table}: {row['path']} is listed for {url} but is not there; put it back")
        return path, row["sha256"]
