"""Read and write tables and texts so that no reader sees half a file, and make untrusted names safe to print."""

import csv
import errno
import glob
import os
import re
import shutil
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import file_digest
from io import StringIO
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import IO, Any, TextIO
from unicodedata import category

from textparity import locks
from textparity.errors import ConfigError, InputError, TableError

# The limit of Linux.
_MOST_LINKS = 40
_TOKEN_BYTES = 4
_LINE_SEPARATORS = frozenset("\u2028\u2029")
# What `writable` makes of a character.
_LIKE_ESCAPE = re.compile(r"\\(?:[nrt]|x[0-9a-f]{2}|u[0-9a-f]{4})")
# The limit of Windows, in UTF-16 units. Other systems are asked.
_LONGEST_NAME = 255
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Give a path to write to. If the block succeeds, the file replaces `path`; otherwise it is removed.

    The owner and mode of an existing file are kept. If `path` is a link, its target is replaced. Anything other than a
    file is never replaced but written to after the block: a pipe, a device, a descriptor such as `/dev/stdout`. Raises
    the `OSError` of `check_target`.
    """
    with atomic_paths([path]) as (part,):
        yield part


@contextmanager
def atomic_paths(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Give a path to write to for each of `paths`, as `atomic_path` does. Either all files are replaced, or none is."""
    with ExitStack() as stack:
        parts = [stack.enter_context(_open_part(path)) for path in paths]
        yield [part.path for part in parts]
        _replace_all(parts)


@dataclass(frozen=True)
class _PartialFile:
    """A partial file, and what it replaces: a file (`is_replaced`), or anything else, which is written to.

    `lock` is the open file that keeps other processes from removing it.
    """

    path: Path
    target: Path
    is_replaced: bool
    lock: IO[bytes] | None = None


@contextmanager
def _open_part(path: Path) -> Iterator[_PartialFile]:
    """Create the partial file of `path`. It is removed at the end of the block if it is still there."""
    check_target(path)
    if _descriptor(path) is not None or (path.exists() and not path.is_file()):
        with TemporaryDirectory() as folder:
            yield _PartialFile(Path(folder) / "part", path, is_replaced=False)
        return
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(target)
    part, lock = _make_part(target)
    try:
        yield _PartialFile(part, target, is_replaced=True, lock=lock)
    except OSError as error:
        # The error of a full disk does not name a file.
        is_unnamed = error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        if is_unnamed or error.filename == str(part):
            error.filename = str(path)
        raise
    finally:
        if not locks.MOVES_OPEN_FILES:
            lock.close()
        part.unlink(missing_ok=True)
        lock.close()


def _replace_all(parts: Sequence[_PartialFile]) -> None:
    """Put each partial file in the place of its target. After an error, the targets are what they were."""
    backups: list[_Backup] = []
    for part in parts:
        if part.lock and not locks.MOVES_OPEN_FILES:
            part.lock.close()
    try:
        # What cannot be undone comes last.
        for part in sorted(parts, key=lambda part: not part.is_replaced):
            can_replace = _prepare_to_replace(part)
            if part.is_replaced and len(parts) > 1:
                backups.append(_back_up(part.target, is_written_to=not can_replace))
            if can_replace:
                os.replace(part.path, part.target)
            else:
                _copy_into(part.path, part.target)
    except BaseException:
        for backup in backups:
            # Another file that cannot be put back must not keep the rest from it.
            with suppress(OSError):
                backup.put_back()
        raise
    finally:
        for backup in backups:
            backup.remove()


def _prepare_to_replace(part: _PartialFile) -> bool:
    """Give a partial file the owner and mode of its target. Returns whether it can then take its place."""
    if not part.is_replaced:
        return False
    return not part.target.exists() or _take_owner_and_mode(part.path, part.target)


@dataclass(frozen=True)
class _Backup:
    """What stood at `target` until all files are replaced: the file `path`, or nothing if it is None.

    `lock` keeps other processes from taking it for a leftover.
    """

    target: Path
    path: Path | None = None
    is_written_to: bool = False
    lock: IO[bytes] | None = None

    def put_back(self) -> None:
        """Make the target what it was."""
        if self.path is None:
            self.target.unlink(missing_ok=True)
            return
        if self.is_written_to:
            # This keeps the owner and the other names of the target.
            with suppress(OSError):
                _copy_into(self.path, self.target)
                return
        self._unlock_to_move()
        os.replace(self.path, self.target)

    def remove(self) -> None:
        """Remove the backup. Where it is still another name of its target, putting it back has not removed it."""
        self._unlock_to_move()
        if self.path:
            self.path.unlink(missing_ok=True)
        if self.lock:
            self.lock.close()

    def _unlock_to_move(self) -> None:
        if self.lock and not locks.MOVES_OPEN_FILES:
            self.lock.close()


def _back_up(target: Path, is_written_to: bool) -> _Backup:
    """Keep an existing file under another name until all files are replaced."""
    if not target.exists():
        return _Backup(target)
    path = target.with_name(_part_name(target))
    try:
        if is_written_to:
            shutil.copy2(target, path)
        else:
            os.link(target, path)
    except OSError:
        # Some file systems have no second names.
        path.unlink(missing_ok=True)
        shutil.copy2(target, path)
    lock = path.open("rb")
    with suppress(OSError):
        locks.lock(lock.fileno())
    return _Backup(target, path, is_written_to, lock)


def _make_part(target: Path) -> tuple[Path, IO[bytes]]:
    """Create a partial file for `target` that no other process writes to. The open file keeps others from removing it.

    Until it is complete, it is readable by no one who may not read the final file.
    """
    while True:
        part = target.with_name(_part_name(target))
        # Created exclusively, so that it cannot be a link that another user has put there.
        try:
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if target.exists() else 0o666)
        except OSError as error:
            error.filename = str(target)
            raise
        # Some file systems have no locks. The partial file is then safe only until another process cleans up.
        with suppress(OSError):
            locks.lock(descriptor)
        # Another process may have removed it as a leftover just before it was locked.
        if part.exists():
            return part, os.fdopen(descriptor, "wb")
        os.close(descriptor)


def _part_name(target: Path) -> str:
    return f".{target.name}.{token_hex(_TOKEN_BYTES)}.part"


def _remove_leftovers(target: Path) -> None:
    """Remove the partial files of `target` that killed processes left behind: those that no process is using."""
    token = "[0-9a-f]" * 2 * _TOKEN_BYTES
    for part in target.parent.glob(f".{glob.escape(target.name)}.{token}.part"):
        # The file may be gone by now, a link, owned by another user, or locked.
        with suppress(OSError):
            locks.remove_unused(part)


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
    target = Path(os.path.realpath(path))
    folder = next(parent for parent in target.parents if parent.exists())
    if not folder.is_dir():
        raise _os_error(errno.ENOTDIR, folder)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _os_error(errno.EACCES, folder)
    # The partial file has a longer name, and is created only after everything has been counted.
    if _is_too_long(_part_name(target), folder):
        raise _os_error(errno.ENAMETOOLONG, path)


def _is_too_long(name: str, folder: Path) -> bool:
    """Check whether a file in `folder` cannot have this name because it is too long."""
    if hasattr(os, "pathconf"):
        return len(os.fsencode(name)) > os.pathconf(folder, "PC_NAME_MAX")
    return len(name.encode("utf-16-le", "surrogatepass")) > 2 * _LONGEST_NAME


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
    own = part.stat()
    wanted = target.stat()
    try:
        if (own.st_uid, own.st_gid) != (wanted.st_uid, wanted.st_gid):
            os.chown(part, wanted.st_uid, wanted.st_gid)
        part.chmod(stat.S_IMODE(wanted.st_mode))
    except PermissionError:
        return False
    return True


def _copy_into(part: Path, path: Path) -> None:
    """Copy the content of `part` into the existing object at `path`."""
    descriptor = _descriptor(path)
    opened = os.open(path, os.O_WRONLY | os.O_TRUNC) if descriptor is None else os.dup(descriptor)
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
    part = path.with_name(f".{path.name}.part")
    old = path.with_name(f".{path.name}.old")
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
    write_texts({path: text})


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write the text of each path as UTF-8: all files completely, or none at all."""
    with atomic_paths([*texts]) as parts:
        for (path, text), part in zip(texts.items(), parts, strict=True):
            try:
                part.write_text(text, encoding="utf-8", newline="")
            except OSError as error:
                # The error of a full disk does not name a file, and the parts have other names.
                error.filename = str(path)
                raise


class _LineFeeds:
    """A file whose CSV lines end in LF. Its writer is configured for CRLF, because only then does it quote a CR."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, line: str) -> int:
        return self._file.write(line.removesuffix("\r\n") + "\n")


@contextmanager
def open_csv(path: Path) -> Iterator[Any]:
    """Open `path` for a CSV writer with `lineterminator="\r\n"`; lines end in LF. Written completely or not at all."""
    with atomic_path(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        yield _LineFeeds(file)


@contextmanager
def open_rows(path: Path, header: Sequence[str], tab_separated: bool = False) -> Iterator[Any]:
    """Open `path` as CSV with LF line ends, and give a `csv.writer` below `header`. `tab_separated`: as for `read_tsv`.

    The file is written completely or not at all.
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
    """Read the lines of a UTF-8 file, without a byte order mark. Raises `InputError` for another encoding."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return split_lines(file.read())
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None


def split_lines(text: str) -> list[str]:
    """Split a file's text into lines, as an audit counts them. Lines end in LF or CRLF, or in CR if there is no LF.

    `str.splitlines` also splits at U+0085, U+2028 and others, which occur within lines of parallel corpora.
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
    return "".join("�" if _is_obeyed(character) else character for character in text)


def escaped(text: str) -> str:
    r"""Escape such characters of a message as Python does: `\udce9`, `\x1b`."""
    return "".join(_escape(character) if _is_obeyed(character) else character for character in text)


def writable(name: str) -> str:
    r"""Escape such characters of a name, and line separators, so that different names stay different.

    A name without such characters that looks as if it had been escaped is put in quotation marks: `"a\x1bb"`.
    """
    if not any(map(_is_escaped, name)):
        return f'"{name}"' if _LIKE_ESCAPE.search(name) else name
    escaped_name = "".join(
        _escape(character) if _is_escaped(character) or character == "\\" else character for character in name
    )
    # An escaped name has no quotation mark at its beginning, so it differs from every name in quotation marks.
    if escaped_name.startswith('"'):
        return r"\x22" + escaped_name[1:]
    return escaped_name


def _escape(character: str) -> str:
    quoted = ascii(character)
    return quoted[1:-1]


def _is_escaped(character: str) -> bool:
    return _is_obeyed(character) or character in _LINE_SEPARATORS


def _is_obeyed(character: str) -> bool:
    # Cc are control characters. Cs are bytes of a file name that are not valid UTF-8. Among format characters, only
    # those that change the direction of the following text count.
    return category(character) in ("Cc", "Cs") or character in _TURNING


# Such names become part of file names.
NAME = r"[A-Za-z0-9_-][A-Za-z0-9_.-]*"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def read_tsv(
    path: str | Path,
    columns: Iterable[str] | None = None,
    at_least: Iterable[str] = (),
    allowed: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> list[dict[str, str]]:
    """Read a tab-separated table with a header. Cells are strings; none may be missing or contain control characters.

    With `columns`, the header must be exactly these. Otherwise it must contain those of `at_least`. `allowed` has the
    values that the cells of a column may have. Raises `TableError`, with the file and line.
    """
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
            _check_printable(text, path)
            reader = csv.reader(StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
            header = next(reader, [])
            _check_header(path, header, columns, at_least)
            rows = []
            for cells in filter(None, reader):
                if len(cells) != len(header):
                    raise TableError(f"{path}, line {reader.line_num}: {len(header)} tab-separated cells are needed")
                row = dict(zip(header, cells, strict=True))
                for name, values in allowed.items():
                    if row[name] not in values:
                        known = ", ".join(values)
                        raise TableError(f"{path}, line {reader.line_num}: {name} {row[name]!r} is not one of {known}")
                rows.append(row)
            return rows
    except FileNotFoundError:
        raise TableError(f"{path}: no such table; see `tables` in config.yaml") from None
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None
    except csv.Error as error:
        raise TableError(f"{path}: cannot be read as a table ({error})") from None


def _check_printable(text: str, path: str | Path) -> None:
    """Raise `TableError` for a control character, because cells become parts of paths, messages and pages."""
    control = _CONTROL.search(text)
    if control:
        line = text.count("\n", 0, control.start()) + 1
        raise TableError(f"{path}, line {line}: has the control character {control[0]!r}; take it out")


def _check_header(
    path: str | Path, header: Sequence[str], columns: Iterable[str] | None, at_least: Iterable[str]
) -> None:
    shown = ", ".join(header) or "empty"
    if columns is not None and header != list(columns):
        raise TableError(f"{path}: the header is {shown}; it must be {', '.join(columns)}")
    missing = [name for name in at_least if name not in header]
    if missing:
        raise TableError(f"{path}: has no column {', '.join(missing)}; the header is {shown}")


def require_rows(key: str, names: Iterable[str], rows: Iterable[str], table: str, besides: Iterable[str] = ()) -> None:
    """Raise `ConfigError` if a name in the setting `key` is neither a row of its table nor one of `besides`."""
    known = [*rows, *besides]
    unknown = [name for name in names if name not in known]
    if not unknown:
        return
    are = "is not a row" if len(unknown) == 1 else "are not rows"
    unknown_names = ", ".join(unknown)
    known_names = ", ".join(known)
    raise ConfigError(f"{key}: {unknown_names} {are} of {table}; it has {known_names}")


def split_group(group: str) -> tuple[str, str]:
    """Split the `group` of a corpus of articles into a field and the part of it: `date:year` is date, year."""
    field, colon, last = group.rpartition(":")
    return (field, last) if colon else (last, "")
