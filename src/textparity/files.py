"""Writing files so that a reader never sees half of one."""

import csv
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a path beside `path` to write to; it takes the place of `path` if the block ends well, else goes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        yield part
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield a new folder beside `path`; it takes the place of `path` if the block ends well, else it goes."""
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


def leads_out(path: str) -> bool:
    """Whether a path that stands for something below a folder is not there: from the root, or with `..`."""
    return path.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", path)


def is_unicode(text: str) -> bool:
    """Whether `text` can be written: JSON may hold one half of a pair of surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
