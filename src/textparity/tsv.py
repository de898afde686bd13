"""Read tab-separated tables, and check names that must be rows of one."""

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from textparity.errors import ConfigError, TableError

# Such names become part of file names.
NAME = r"[A-Za-z0-9_-][A-Za-z0-9_.-]*"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def read_tsv(
    path: str | Path, columns: Iterable[str] | None = None, at_least: Iterable[str] = ()
) -> list[dict[str, str]]:
    """Read a tab-separated table with a header. Cells are strings; none may be missing or contain control characters.

    With `columns`, the header must be exactly these. Otherwise it must contain those of `at_least`. Raises
    `TableError`, with the file and line.
    """
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.reader(_printable(file, path), delimiter="\t", quoting=csv.QUOTE_NONE)
            header = next(reader, [])
            if columns is not None and header != list(columns):
                raise TableError(
                    f"{path}: the header is {', '.join(header) or 'empty'}; it must be {', '.join(columns)}"
                )
            if lacking := [name for name in at_least if name not in header]:
                raise TableError(
                    f"{path}: has no column {', '.join(lacking)}; the header is {', '.join(header) or 'empty'}"
                )
            rows = []
            for line, cells in enumerate(filter(None, reader), start=2):
                if len(cells) != len(header):
                    raise TableError(f"{path}, line {line}: {len(header)} tab-separated cells are needed")
                rows.append(dict(zip(header, cells, strict=True)))
            return rows
    except FileNotFoundError:
        raise TableError(f"{path}: no such table; see `tables` in config.yaml") from None
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None
    except csv.Error as error:
        raise TableError(f"{path}: cannot be read as a table ({error})") from None


def _printable(lines: Iterable[str], path: str | Path) -> Iterator[str]:
    """Check the lines for control characters, because cells become parts of paths, messages and pages."""
    for number, line in enumerate(lines, start=1):
        if found := _CONTROL.search(line):
            raise TableError(f"{path}, line {number}: has the control character {found[0]!r}; take it out")
        yield line


def require_rows(key: str, names: Iterable[str], rows: Iterable[str], table: str, besides: Iterable[str] = ()) -> None:
    """Raise `ConfigError` if a name in the setting `key` is neither a row of its table nor one of `besides`."""
    known = [*rows, *besides]
    if unknown := [name for name in names if name not in known]:
        are = "is no row" if len(unknown) == 1 else "are no rows"
        raise ConfigError(f"{key}: {', '.join(unknown)} {are} of {table}; it has {', '.join(known)}")


def split_group(group: str) -> tuple[str, str]:
    """Split the `group` of a corpus of articles into a field and the part of it: `date:year` is date, year."""
    field, colon, part = group.rpartition(":")
    return (field, part) if colon else (part, "")
