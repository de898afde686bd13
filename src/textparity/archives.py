"""Reading members of tar and zip archives, as streams, with errors that name the archive."""

import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import BinaryIO

from textparity.errors import FetchError, MissingResourceError

_READ_BYTES = 1 << 20
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, OSError)


def is_archive(path: Path) -> bool:
    """Whether the name says this is an archive this module reads."""
    return path.name.endswith((".tar.gz", ".tgz", ".tar", ".zip"))


def list_members(archive: Path) -> list[str]:
    """Return the names of the files in `archive`."""
    with _broken_archive(archive):
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as file:
                return [name for name in file.namelist() if not name.endswith("/")]
        with tarfile.open(archive) as file:
            return [member.name for member in file if member.isfile()]


def read_members(archive: Path) -> Iterator[tuple[str, BinaryIO]]:
    """Yield each file's name and stream in one pass; a stream is good until the next one is asked for."""
    with _broken_archive(archive):
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as file:
                for info in file.infolist():
                    if not info.is_dir():
                        with file.open(info) as stream:
                            yield info.filename, stream
        else:
            with tarfile.open(archive) as file:
                for info in file:
                    if info.isfile():
                        yield info.name, file.extractfile(info)


@contextmanager
def open_member(archive: Path, member: str) -> Iterator[BinaryIO]:
    """Open one member as a binary stream; a member that is not there is a `MissingResourceError`."""
    members = read_members(archive)
    try:
        stream = next((stream for name, stream in members if name == member), None)
        if stream is None:
            raise MissingResourceError(
                f"{archive}: has no member {member}; the archive is a subset, or the member column is wrong"
            )
        with _broken_archive(archive):
            yield stream
    finally:
        members.close()


def check_members(archive: Path, expected: dict[str, str]) -> list[str]:
    """Compare each member of `expected` (name → sha256) that is in `archive`; return those that are not in it.

    Archives are pinned by their members because a mirror may hold a subset. Raises `FetchError` if the archive
    is truncated or a member differs.
    """
    present = set()
    for member, stream in read_members(archive):
        if member not in expected:
            continue
        present.add(member)
        with _broken_archive(archive):
            found = file_digest(stream, "sha256").hexdigest()
        if found != expected[member]:
            raise FetchError(
                f"{archive}: member {member} has sha256 {found}, not {expected[member]}; upstream changed it, "
                "or resources/source_files.tsv is wrong"
            )
    return sorted(expected.keys() - present)


def read_through(archive: Path) -> None:
    """Read every member to its end, which checks what the archive itself can tell; raise `FetchError` if it is bad."""
    for _, stream in read_members(archive):
        with _broken_archive(archive):
            while stream.read(_READ_BYTES):
                pass


@contextmanager
def _broken_archive(archive: Path) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise FetchError(
            f"{archive}: cannot be read as an archive ({error}); it is truncated or damaged, delete it and fetch again"
        ) from error
