"""Read members of tar and zip archives as streams, with errors that name the archive.

Nothing is unpacked to disk. Only regular files are read; links and devices are skipped. It is an error if the name of a
member leads out of a folder, or if an archive unpacks to far more than texts do.
"""

import gzip
import io
import re
import tarfile
import zipfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import IO, Any

from textparity.errors import FetchError, MissingResourceError, TextparityError
from textparity.files import escapes_folder

_READ_BYTES = 1 << 20
# Text compresses to a third or a tenth of its size, lists of one repeated word to a few hundredths. Deflate's limit is
# 1032.
LARGEST_RATIO = 200
# Any archive may unpack to this size, however small it is.
ALWAYS_ALLOWED_BYTES = 64 << 20
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def is_archive(path: Path) -> bool:
    """Check by its name whether a file is an archive that this module reads."""
    return path.name.endswith((".tar.gz", ".tgz", ".tar", ".zip"))


def list_members(archive: Path) -> list[str]:
    """List the names of the files in `archive`. Raises the same errors as `read_members`."""
    with _broken_archive(archive):
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as file:
                return [info.filename for info in _zip_members(archive, file)]
        with _open_tar(archive) as file:
            return [info.name for info in _tar_members(archive, file)]


def read_members(archive: Path) -> Generator[tuple[str, IO[bytes]]]:
    """Read each file's name and stream in one pass. A stream is valid until the next one is requested.

    Raises `FetchError`, as do the streams, if the archive is damaged (at the end, only if everything is read), if
    Python cannot read it (encryption, an unknown method), if a name is not text or leads out of a folder, or if it
    unpacks to more than `LARGEST_RATIO` times its own size.
    """
    with _broken_archive(archive):
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as file:
                for member in _zip_members(archive, file):
                    with file.open(member) as stream:
                        yield member.filename, _stream(archive, stream)
        else:
            with _open_tar(archive) as file:
                for info in _tar_members(archive, file):
                    if content := file.extractfile(info):
                        yield info.name, _stream(archive, content)


@contextmanager
def open_member(archive: Path, member: str) -> Iterator[IO[bytes]]:
    """Open one member as a binary stream. Raises `MissingResourceError` if it is not in the archive.

    The rest of a tar file is read as well, because the checksum of a `.tar.gz` is at its end.
    """
    members = read_members(archive)
    try:
        stream = next((stream for name, stream in members if name == member), None)
        if stream is None:
            raise MissingResourceError(
                f"{archive}: has no member {member}; the archive is a subset, or the member column is wrong"
            )
        yield stream
        if archive.suffix != ".zip":
            for _ in members:
                pass
    finally:
        members.close()


def check_members(archive: Path, expected: dict[str, str]) -> list[str]:
    """Compare each member of `expected` (name → sha256) that is in `archive`, and list those that are not in it.

    Archives are pinned by their members because a mirror may hold a subset. Raises `FetchError` if the archive is
    truncated or a member differs.
    """
    present = set()
    for member, stream in read_members(archive):
        if member not in expected:
            continue
        present.add(member)
        actual = file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
        if actual != expected[member]:
            raise FetchError(
                f"{archive}: member {member} has sha256 {actual}, not {expected[member]}; upstream changed it, "
                "or resources/registry/source_files.tsv is wrong"
            )
    return sorted(expected.keys() - present)


def read_through(archive: Path) -> None:
    """Read every member to its end, which verifies the archive's checksums. Raises `FetchError` for damage."""
    for _, stream in read_members(archive):
        while stream.read(_READ_BYTES):
            pass


class _Member(io.RawIOBase):
    """The bytes of a member. Errors in reading them name the archive."""

    def __init__(self, archive: Path, stream: IO[bytes]) -> None:
        self._archive, self._stream = archive, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _broken_archive(self._archive):
            content = self._stream.read(len(buffer))
        buffer[: len(content)] = content
        return len(content)


def _stream(archive: Path, stream: IO[bytes]) -> IO[bytes]:
    return io.BufferedReader(_Member(archive, stream), _READ_BYTES)


class _BoundedGzip(gzip.GzipFile):
    """A gzip file that raises an error if more than `most` bytes are read, including tar's own headers."""

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
        most = _most_bytes(archive) + _READ_BYTES
        with _BoundedGzip(archive, most) as stream, tarfile.open(fileobj=stream, mode="r:") as file:
            yield file
            # tar's content ends before gzip's checksum, so the rest has to be read as well.
            while stream.read(_READ_BYTES):
                pass


def _tar_members(archive: Path, file: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    total = 0
    most = _most_bytes(archive)
    while info := file.next():
        # Otherwise it keeps every header, and there may be millions.
        file.members.clear()  # type: ignore[attr-defined]
        if info.isfile():
            total += info.size
            if total > most:
                raise _too_large(archive)
            if info.size < 0:
                raise tarfile.ReadError(f"{info.name!r} is {info.size} bytes long")
            _check_name(archive, info.name)
            yield info
    # tarfile takes an unreadable header for the end of the archive.
    file.fileobj.seek(file.offset)
    if file.fileobj.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
        raise tarfile.ReadError(f"no header and no end at byte {file.offset}")


def _zip_members(archive: Path, file: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """List the files. The size that each declares is the most that `zipfile` reads of it."""
    members = [info for info in file.infolist() if not info.is_dir()]
    if sum(info.file_size for info in members) > _most_bytes(archive):
        raise _too_large(archive)
    for info in members:
        _check_name(archive, info.filename)
    return members


def _check_name(archive: Path, name: str) -> None:
    if _UNPRINTABLE.search(name):
        raise FetchError(f"{archive}: the name of the member {name!a} is not text; pack it again with names in UTF-8")
    if escapes_folder(name):
        raise FetchError(f"{archive}: the member {name!r} leads out of its folder; do not use this archive")


def _most_bytes(archive: Path) -> int:
    return max(ALWAYS_ALLOWED_BYTES, LARGEST_RATIO * archive.stat().st_size)


def _too_large(archive: Path) -> FetchError:
    return FetchError(
        f"{archive}: unpacks to more than {_most_bytes(archive):,} bytes, {LARGEST_RATIO} times its own size, which is "
        "unusual for a corpus; if you trust it, unpack it yourself and name its files"
    )


@contextmanager
def _broken_archive(archive: Path) -> Iterator[None]:
    try:
        yield
    except TextparityError:
        raise
    # Damaged content makes the readers fail in ways that none of them documents: ValueError, RecursionError, ...
    except Exception as error:
        reason = str(error).encode("utf-8", "backslashreplace").decode()
        # zipfile raises this if it lacks the compression method, or needs a password.
        if isinstance(error, RuntimeError) and not isinstance(error, RecursionError):
            fix = "it is encrypted, or Python does not support its compression: unpack it yourself and name its files"
        else:
            fix = "it is truncated or damaged: delete it and fetch it again"
        raise FetchError(f"{archive}: cannot be read as an archive ({reason}); {fix}") from error
