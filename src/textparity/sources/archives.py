"""Reading members of tar and zip archives, as streams, with errors that name the archive.

Nothing is unpacked to disk. Only regular files are read: links and devices are passed over. A member with a name that
leads out of a folder, and an archive that unpacks to far more than texts do, are errors.
"""

import gzip
import io
import re
import tarfile
import zipfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from textparity.errors import FetchError, MissingResourceError, TextparityError
from textparity.files import escapes_folder

_READ_BYTES = 1 << 20
# Text compresses to a third or a tenth; lists of one repeated word to some hundredths. Deflate's most is 1032.
LARGEST_RATIO = 200
# What any archive may unpack to, however small it is.
ALWAYS_ALLOWED_BYTES = 64 << 20
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


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

    Raises `FetchError`, as do the streams, for a damaged archive, one that Python cannot read (encrypted, a method it
    has not), a name with `..` or from the root or that is no text, and more than `LARGEST_RATIO` times the archive's
    own size. Only whoever asks to the end learns of damage at the end.
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
    """Open one member as a binary stream; a member that is not there is a `MissingResourceError`.

    What comes after it in a tar file is read as well, as the checksum of a `.tar.gz` is at its end.
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
        while part := stream.read(_READ_BYTES):
            digest.update(part)
        found = digest.hexdigest()
        if found != expected[member]:
            raise FetchError(
                f"{archive}: member {member} has sha256 {found}, not {expected[member]}; upstream changed it, "
                "or resources/registry/source_files.tsv is wrong"
            )
    return sorted(expected.keys() - present)


def read_through(archive: Path) -> None:
    """Read every member to its end, which checks what the archive itself can tell; raise `FetchError` if it is bad."""
    for _, stream in read_members(archive):
        while stream.read(_READ_BYTES):
            pass


class _Member(io.RawIOBase):
    """The bytes of a member; what goes wrong in reading them is an error that names the archive."""

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
        most = _most_bytes(archive) + _READ_BYTES
        with _BoundedGzip(archive, most) as stream, tarfile.open(fileobj=stream, mode="r:") as file:
            yield file
            # The archive ends before gzip's own checksum.
            while stream.read(_READ_BYTES):
                pass


def _tar_members(archive: Path, file: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    total, most = 0, _most_bytes(archive)
    while info := file.next():
        # Else it keeps every header, of which there may be millions.
        file.members.clear()  # type: ignore[attr-defined]
        if info.isfile():
            total += info.size
            if total > most:
                raise _too_large(archive)
            if info.size < 0:
                raise tarfile.ReadError(f"{info.name!r} is {info.size} bytes long")
            _check_name(archive, info.name)
            yield info
    # A header that cannot be read ends an archive for tarfile, as if nothing came after it.
    file.fileobj.seek(file.offset)
    if file.fileobj.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
        raise tarfile.ReadError(f"no header and no end at byte {file.offset}")


def _zip_members(archive: Path, file: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files; what each says of its size is the most that `zipfile` reads of it."""
    members = [info for info in file.infolist() if not info.is_dir()]
    if sum(info.file_size for info in members) > _most_bytes(archive):
        raise _too_large(archive)
    for info in members:
        _check_name(archive, info.filename)
    return members


def _check_name(archive: Path, name: str) -> None:
    if _UNPRINTABLE.search(name):
        raise FetchError(f"{archive}: the name of the member {name!a} is no text; pack it again with names in UTF-8")
    if escapes_folder(name):
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
    except TextparityError:
        raise
    # What is in an archive makes its readers fail in ways that none of them lists: ValueError, RecursionError, ...
    except Exception as error:
        reason = str(error).encode("utf-8", "backslashreplace").decode()
        # zipfile's way to say that it has no such method, or needs a password.
        if isinstance(error, RuntimeError) and not isinstance(error, RecursionError):
            fix = "it is encrypted, or packed by a method that Python has not: unpack it yourself and name its files"
        else:
            fix = "it is truncated or damaged, delete it and fetch again"
        raise FetchError(f"{archive}: cannot be read as an archive ({reason}); {fix}") from error
