"""Reading members of tar and zip archives, as streams, with errors that name the archive.

Nothing is unpacked to disk. Only regular files are read: links and devices are passed over. A member with a name that
leads out of a folder, and an archive that unpacks to far more than texts do, are errors.
"""

import gzip
import re
import tarfile
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

from textparity.errors import FetchError, MissingResourceError

_READ_BYTES = 1 << 20
# Text compresses to a third or a tenth; lists of one repeated word to some hundredths. Deflate's most is 1032.
LARGEST_RATIO = 200
# What any archive may unpack to, however small it is.
ALWAYS_ALLOWED_BYTES = 64 << 20
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, OSError)


def is_archive(path: Path) -> bool:
    """Whether the name says this is an archive this module reads."""
    return path.name.endswith((".tar.gz", ".tgz", ".tar", ".zip"))


def list_members(archive: Path) -> list[str]:
    """Return the names of the files in `archive`; raise as `read_members` does."""
    with _broken_archive(archive):
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as file:
                return [info.filename for info in _zip_members(archive, file)]
        with _open_tar(archive) as file:
            return [info.name for info in _tar_members(archive, file)]


def read_members(archive: Path) -> Generator[tuple[str, IO[bytes]]]:
    """Yield each file's name and stream in one pass; a stream is good until the next one is asked for.

    Raises `FetchError` for a damaged archive, a name with `..` or from the root, and more than `LARGEST_RATIO` times
    the archive's own size.
    """
    with _broken_archive(archive):
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as file:
                for member in _zip_members(archive, file):
                    with file.open(member) as stream:
                        yield member.filename, stream
        else:
            with _open_tar(archive) as file:
                for info in _tar_members(archive, file):
                    if content := file.extractfile(info):
                        yield info.name, content


@contextmanager
def open_member(archive: Path, member: str) -> Iterator[IO[bytes]]:
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
        digest = sha256()
        with _broken_archive(archive):
            while part := stream.read(_READ_BYTES):
                digest.update(part)
        found = digest.hexdigest()
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


class _BoundedGzip(gzip.GzipFile):
    """A gzip file that refuses to be read beyond `most` bytes, also within tar's own headers."""

    def __init__(self, archive: Path, most: int) -> None:
        super().__init__(archive, "rb")
        self._archive, self._most = archive, most

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() + max(size or 0, 0) > self._most:
            raise _too_large(self._archive)
        return super().read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence == 0 and offset > self._most:
            raise _too_large(self._archive)
        return super().seek(offset, whence)


@contextmanager
def _open_tar(archive: Path) -> Iterator[tarfile.TarFile]:
    if archive.suffix == ".tar":
        with tarfile.open(archive, "r:") as file:
            yield file
    else:
        with _BoundedGzip(archive, _most_bytes(archive)) as stream, tarfile.open(fileobj=stream, mode="r:") as file:
            yield file


def _tar_members(archive: Path, file: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    total, most = 0, _most_bytes(archive)
    for info in file:
        if info.isfile():
            total += info.size
            if total > most:
                raise _too_large(archive)
            _check_name(archive, info.name)
            yield info


def _zip_members(archive: Path, file: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files; what each says of its size is the most that `zipfile` reads of it."""
    members = [info for info in file.infolist() if not info.is_dir()]
    if sum(info.file_size for info in members) > _most_bytes(archive):
        raise _too_large(archive)
    for info in members:
        _check_name(archive, info.filename)
    return members


def _check_name(archive: Path, name: str) -> None:
    if name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name):
        raise FetchError(f"{archive}: the member {name!r} leads out of its folder; do not use this archive")


def _most_bytes(archive: Path) -> int:
    return max(ALWAYS_ALLOWED_BYTES, LARGEST_RATIO * archive.stat().st_size)


def _too_large(archive: Path) -> FetchError:
    return FetchError(
        f"{archive}: unpacks to more than {_most_bytes(archive):,} bytes, {LARGEST_RATIO} times its own size, which no "
        "corpus does; if you trust it, unpack it yourself and name its files"
    )


@contextmanager
def _broken_archive(archive: Path) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise FetchError(
            f"{archive}: cannot be read as an archive ({error}); it is truncated or damaged, delete it and fetch again"
        ) from error
