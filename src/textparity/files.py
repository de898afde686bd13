"""Writing files so that a reader never sees half of one; names and texts of others, of which no character is obeyed."""

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

# As many as Linux follows.
_MOST_LINKS = 40
_TOKEN_BYTES = 4
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a path to write to; what it holds takes the place of `path` if the block ends well, else it goes.

    Owner and mode of a file that is there are kept, and a link stays: what it leads to is replaced. What is no file is
    never replaced, but written to after the block: a pipe, a device, a descriptor such as `/dev/stdout`. Raises
    `OSError` for what `check_target` refuses.
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
    """Whether there is no room for what is written, about which the system gives no name."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _make_part(target: Path) -> tuple[Path, int]:
    """Make a part of `target` that no other process writes to; return it, and the lock that says so while it is open.

    Until it is whole, it is no more open to others than the file that it will be.
    """
    while True:
        part = target.with_name(_part_of(target))
        # Made here, so that it is no link that somebody else has put there.
        try:
            lock = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if target.exists() else 0o666)
        except OSError as error:
            error.filename = str(target)
            raise
        # Some file systems know no locks; a part is then left alone only as long as nobody cleans up.
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        # Another process may have taken it for a leftover just before it was locked.
        if part.exists():
            return part, lock
        os.close(lock)


def _part_of(target: Path) -> str:
    return f".{target.name}.{token_hex(_TOKEN_BYTES)}.part"


def _remove_leftovers(target: Path) -> None:
    """Remove the parts of `target` that killed processes left: those that nobody holds a lock on."""
    for part in target.parent.glob(f".{glob.escape(target.name)}.{'[0-9a-f]' * 2 * _TOKEN_BYTES}.part"):
        # Gone meanwhile, a link, somebody else's, or locked.
        with suppress(OSError):
            lock = os.open(part, os.O_WRONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                part.unlink()
            finally:
                os.close(lock)


def check_target(path: Path) -> None:
    """Raise `OSError` for what cannot be written to `path`: over a folder, a read-only file, in a folder that is.

    A file that nobody may write is read-only for the administrator, too: it was made so on purpose.
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
    # Its part has a longer name, and is made only when all is counted.
    if len(os.fsencode(_part_of(Path(os.path.realpath(path))))) > os.pathconf(folder, "PC_NAME_MAX"):
        raise _os_error(errno.ENAMETOOLONG, path)


def _os_error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


def _descriptor(path: Path) -> int | None:
    """Return the number of the open descriptor of this process that a path such as `/dev/stdout` stands for."""
    # Where it leads to may be a file: to replace that would part it from what is written to the descriptor later.
    for _ in range(_MOST_LINKS):
        folder = os.path.realpath(path.parent)
        if folder == os.path.realpath("/dev/fd") and path.name.isdecimal():
            # An error where it is not open.
            path.lstat()
            return int(path.name)
        if not path.is_symlink():
            break
        path = Path(folder) / path.readlink()
    return None


def _take_owner_and_mode(part: Path, target: Path) -> bool:
    """Give `part` owner and mode of `target`; return whether that is allowed."""
    made, there = part.stat(), target.stat()
    try:
        if (made.st_uid, made.st_gid) != (there.st_uid, there.st_gid):
            os.chown(part, there.st_uid, there.st_gid)
        part.chmod(stat.S_IMODE(there.st_mode))
    except PermissionError:
        return False
    return True


def _copy_into(part: Path, path: Path) -> None:
    """Write what `part` holds to what is at `path`, which stays what it is."""
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
    """Yield a new folder; it takes the place of `path` if the block ends well, else it goes.

    As with files, a link stays, and what it leads to is replaced. Raises `OSError` where there is no folder but a file.
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
    """Write `text` to `path` as UTF-8, whole or not at all."""
    with atomic_path(path) as part:
        part.write_text(text, encoding="utf-8")


class _LineFeeds:
    """A file whose CSV lines end in LF, from a writer told that they end in CRLF: only then does it quote a CR."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, line: str) -> int:
        return self._file.write(line.removesuffix("\r\n") + "\n")


@contextmanager
def open_csv(path: Path) -> Iterator[Any]:
    """Open `path` for a CSV writer with `lineterminator="\\r\\n"`, whose lines end in LF; whole or not at all."""
    with atomic_path(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        yield _LineFeeds(file)


@contextmanager
def open_rows(path: Path, header: Sequence[str], tab_separated: bool = False) -> Iterator[Any]:
    """Open `path` as CSV with LF line ends and yield a `csv.writer` below `header`; whole or not at all.

    `tab_separated`: as `registry.read_tsv` reads it, without quotes.
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
    """Return the lines of a UTF-8 file, without a byte order mark; raises `UnicodeDecodeError`."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return split_lines(file.read())


def split_lines(text: str) -> list[str]:
    """Return the lines of a file's text, as an audit counts them.

    Lines end in LF or CRLF, or in CR if the text has no LF. `str.splitlines` also cuts at U+0085, U+2028 and others,
    which stand within a line of a corpus, so that two files would no longer go line by line.
    """
    lines = text.split("\n" if "\n" in text else "\r")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file's bytes, in hexadecimal digits."""
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def escapes_folder(path: str) -> bool:
    """Whether a path that stands for something below a folder is not there: from the root, or with `..`."""
    return path.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", path)


def is_unicode(text: str) -> bool:
    """Whether `text` can be written: JSON may hold one half of a pair of surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def printable(text: str) -> str:
    """Return the text without characters that a terminal would obey."""
    return "".join("�" if _is_obeyed(one) else one for one in text)


def writable(name: str) -> str:
    r"""Return a name with such characters as Python writes them, `\udce9`, `\x1b`: different names stay different."""
    return "".join(ascii(one)[1:-1] if _is_obeyed(one) else one for one in name)


def _is_obeyed(one: str) -> bool:
    # Cc: controls. Cs: bytes of a file name that are no UTF-8. Of the format characters, those that turn the direction
    # of what follows.
    return category(one) in ("Cc", "Cs") or one in _TURNING
