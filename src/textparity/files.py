"""Writing files so that a reader never sees half of one."""

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


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


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, whole or not at all."""
    with atomic_path(path) as part:
        part.write_text(text, encoding="utf-8")


def write_rows(
    path: Path, header: Sequence[str], rows: Iterable[Iterable[object]], tab_separated: bool = False
) -> None:
    """Write `rows` of cells below `header` to `path` as CSV with LF line ends, whole or not at all.

    `tab_separated`: as `registry.read_tsv` reads it, without quotes.
    """
    form = {"delimiter": "\t", "quoting": csv.QUOTE_NONE} if tab_separated else {}
    with atomic_path(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n", **form)
        writer.writerow(header)
        writer.writerows(rows)
