"""Write files so that a reader never sees half of one, and make untrusted names and texts safe to print."""

import csv
import errno
import fcntl
import glob
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import file_digest
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, TextIO
from unicodedata import category

# The limit of Linux.
_MOST_LINKS = 40
_TOKEN_BYTES = 4
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Give a path to write to. If the block succeeds, the file replaces `path`; otherwise it is removed.

    The owner and mode of an existing file are kept. If `path` is a link, its target is replaced. Anything other than a
    file is never replaced but written to after the block: a pipe, a device, a descriptor such as `/dev/stdout`. Raises
    the `OSError` of `check_target`.
    """
    check_target(path)
    if _descriptor(path) is not None or (path.exists() and not path.is_file()):
        with TemporaryDirectory() as folder:
            part = Path(folder) / "part"
            yield part
            _copy_into(part, path)
        return
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(target)
    part, lock = _make_part(target)
    try:
        yield part
        if target.exists() and not _take_owner_and_mode(part, target):
            _copy_into(part, target)
            part.unlink()
        else:
            os.replace(part, target)
    except BaseException as error:
        part.unlink(missing_ok=True)
        if isinstance(error, OSError) and (error.filename == str(part) or _is_full(error)):
            error.filename = str(path)
        raise
    finally:
        os.close(lock)


def _is_full(error: OSError) -> bool:
    """Check whether an error means that the disk is full. The system's error does not name the file."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _make_part(target: Path) -> tuple[Path, int]:
    """Create a partial file for `target` that no other process writes to. Returns it with the lock that marks it while
    it is open.

    Until it is complete, it is readable by no one who may not read the final file.
    """
    while True:
        part = target.with_name(_part_of(target))
        # Created exclusively, so that it cannot be a link that another user has put there.
        try:
            lock = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if target.exists() else 0o666)
        except OSError as error:
            error.filename = str(target)
            raise
        # Some file systems have no locks. The partial file is then safe only until another process cleans up.
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        # Another process may have removed it as a leftover just before it was locked.
        if part.exists():
            return part, lock
        os.close(lock)


def _part_of(target: Path) -> str:
    return f".{target.name}.{token_hex(_TOKEN_BYTES)}.part"


def _remove_leftovers(target: Path) -> None:
    """Remove the partial files of `target` that killed processes left behind: those that no process has locked."""
    for part in target.parent.glob(f".{glob.escape(target.name)}.{'[0-9a-f]' * 2 * _TOKEN_BYTES}.part"):
        # The file may be gone by now, a link, owned by another user, or locked.
        with suppress(OSError):
            lock = os.open(part, os.O_WRONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                part.unlink()
            finally:
                os.close(lock)


def check_target(path: Path) -> None:
    """Raise `OSError` if `path` cannot be written: it is a folder or a read-only file, or its folder is read-only.

    A file without write permission counts as read-only for the administrator, too, because its mode was set on purpose.
    """
    if path.is_dir():
        raise _os_error(errno.EISDIR, path)
    if _descriptor(path) is not None:
        return
    if path.exists():
        if not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK):
            raise _os_error(errno.EACCES, path)
        if not path.is_file():
            return
    folder = next(folder for folder in Path(os.path.realpath(path)).parents if folder.exists())
    if not folder.is_dir():
        raise _os_error(errno.ENOTDIR, folder)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _os_error(errno.EACCES, folder)
    # The partial file has a longer name, and is created only after everything has been counted.
    if len(os.fsencode(_part_of(Path(os.path.realpath(path))))) > os.pathconf(folder, "PC_NAME_MAX"):
        raise _os_error(errno.ENAMETOOLONG, path)


def _os_error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


def _descriptor(path: Path) -> int | None:
    """Find the number of this process's open descriptor that a path such as `/dev/stdout` refers to."""
    # The descriptor may lead to a file. Replacing that file would separate it from later writes to the descriptor.
    for _ in range(_MOST_LINKS):
        folder = os.path.realpath(path.parent)
        if folder == os.path.realpath("/dev/fd") and path.name.isdecimal():
            # This raises an error if the descriptor is not open.
            path.lstat()
            return int(path.name)
        if not path.is_symlink():
            break
        path = Path(folder) / path.readlink()
    return None


def _take_owner_and_mode(part: Path, target: Path) -> bool:
    """Give `part` the owner and mode of `target`. Returns whether that is permitted."""
    made, there = part.stat(), target.stat()
    try:
        if (made.st_uid, made.st_gid) != (there.st_uid, there.st_gid):
            os.chown(part, there.st_uid, there.st_gid)
        part.chmod(stat.S_IMODE(there.st_mode))
    except PermissionError:
        return False
    return True


def _copy_into(part: Path, path: Path) -> None:
    """Copy the content of `part` into the existing object at `path`."""
    number = _descriptor(path)
    opened = os.open(path, os.O_WRONLY | os.O_TRUNC) if number is None else os.dup(number)
    try:
        with os.fdopen(opened, "wb") as file, part.open("rb") as whole:
            shutil.copyfileobj(whole, file)
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Give a new folder. If the block succeeds, it replaces `path`; otherwise it is removed.

    If `path` is a link, its target is replaced, as with files. Raises `OSError` if `path` is a file.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_dir():
        raise _os_error(errno.ENOTDIR, path)
    part, old = (path.with_name(f".{path.name}.{ending}") for ending in ("part", "old"))
    for leftover in (part, old):
        shutil.rmtree(leftover, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        yield part
        if path.exists():
            path.rename(old)
        part.rename(path)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, completely or not at all."""
    with atomic_path(path) as part:
        part.write_text(text, encoding="utf-8")


class _LineFeeds:
    """A file whose CSV lines end in LF. Its writer is configured for CRLF, because only then does it quote a CR."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, line: str) -> int:
        return self._file.write(line.removesuffix("\r\n") + "\n")


@contextmanager
def open_csv(path: Path) -> Iterator[Any]:
    """Open `path` for a CSV writer with `lineterminator="\r\n"`; lines end in LF. Written
    completely or not at all.
    """
    with atomic_path(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        yield _LineFeeds(file)


@contextmanager
def open_rows(path: Path, header: Sequence[str], tab_separated: bool = False) -> Iterator[Any]:
    """Open `path` as CSV with LF line ends, and give a `csv.writer` below `header`. The file is written completely or
    not at all.

    `tab_separated`: in the format of `registry.read_tsv`, without quotes.
    """
    form: dict[str, Any] = {"delimiter": "\t", "quoting": csv.QUOTE_NONE} if tab_separated else {}
    with open_csv(path) as file:
        writer = csv.writer(file, lineterminator="\r\n", **form)
        writer.writerow(header)
        yield writer


def write_rows(
    path: Path, header: Sequence[str], rows: Iterable[Iterable[object]], tab_separated: bool = False
) -> None:
    """Write `rows` of cells below `header` to `path`, as `open_rows` does."""
    with open_rows(path, header, tab_separated) as writer:
        writer.writerows(rows)


def read_lines(path: Path) -> list[str]:
    """Read the lines of a UTF-8 file, without a byte order mark. Raises `UnicodeDecodeError`."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return split_lines(file.read())


def split_lines(text: str) -> list[str]:
    """Split a file's text into lines, as an audit counts them.

    Lines end in LF or CRLF, or in CR if the text has no LF. `str.splitlines` also splits at U+0085, U+2028 and others.
    These occur within lines of a corpus, so that two parallel files would no longer correspond line by line.
    """
    lines = text.split("\n" if "\n" in text else "\r")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def sha256_of(path: Path) -> str:
    """Compute the sha256 of a file's bytes, in hexadecimal digits."""
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def escapes_folder(path: str) -> bool:
    """Check whether a path, meant to lie below a folder, leads out of it: from the root, or with `..`."""
    return path.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", path)


def is_unicode(text: str) -> bool:
    """Check whether `text` can be encoded. JSON may contain half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def printable(text: str) -> str:
    """Remove the characters of a text that a terminal would interpret."""
    return "".join("�" if _is_obeyed(one) else one for one in text)


def writable(name: str) -> str:
    r"""Escape such characters of a name as Python does, `\udce9`, `\x1b`, so that different names stay different."""
    return "".join(ascii(one)[1:-1] if _is_obeyed(one) else one for one in name)


def _is_obeyed(one: str) -> bool:
    # Cc are control characters. Cs are bytes of a file name that are not valid UTF-8. Among format characters, only
    # those that change the direction of the following text count.
    return category(one) in ("Cc", "Cs") or one in _TURNING
