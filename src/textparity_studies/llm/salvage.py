"""What is whole of a damaged cache of answers, put into a new one.

python -m textparity_studies.llm.salvage DAMAGED NEW
"""

import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textparity.errors import ResponseCacheError, TextparityError
from textparity_studies.llm.cache import ResponseCache, Spending, digest_of_row, is_whole, total_cells

# So many hexadecimal digits of a digest make a part of the table; a broken page costs the parts that it is needed for.
PART_DIGITS = 3


def salvage(damaged: Path, new: Path) -> tuple[int, Spending | None]:
    """Put the whole rows of `damaged` into the new file `new`; return how many, and what was spent, None if lost.

    `damaged` stays as it is. Raises `ResponseCacheError` if `new` is there already, or nothing can be read.
    """
    if new.exists():
        raise ResponseCacheError(f"{new}: is there already; name a new file")
    if not damaged.is_file():
        raise ResponseCacheError(f"{damaged}: no such file; check the path")
    with TemporaryDirectory(dir=new.absolute().parent, prefix=f".{new.name}.") as folder:
        copy = Path(folder) / "copy"
        shutil.copyfile(damaged, copy)
        # What a killed process began, and SQLite takes back.
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{damaged}-journal", f"{copy}-journal")
        _lengthen(copy)
        with closing(sqlite3.connect(copy)) as connection:
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
            rows = {row[0]: row for row in _rows(connection) if is_whole(row)}
            spent = _spent(connection)
    if not rows and spent is None:
        raise ResponseCacheError(f"{damaged}: nothing of it can be read; restore a copy")
    with ResponseCache(new) as cache:
        # Each answer was a request at least.
        cache.insert(rows.values(), spent or Spending(len(rows), 0.0))
    return len(rows), spent


def _lengthen(copy: Path) -> None:
    """Give a cut file the length that its header speaks of: SQLite reads nothing of one that is too short."""
    with copy.open("r+b") as file:
        header = file.read(32)
        size, pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
        length = (65536 if size == 1 else size) * pages
        # A sparse file; a length of terabytes is a flipped bit.
        if copy.stat().st_size < length < 1 << 40:
            file.truncate(length)


def _rows(connection: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    def read(query: str, *values: str) -> Iterator[tuple[Any, ...]]:
        with suppress(sqlite3.DatabaseError):
            for row in connection.execute(query, values):
                # Rows of earlier versions have no digest of their own.
                if len(row) == 3 or (all(isinstance(cell, str) for cell in row) and digest_of_row(row[:3]) == row[3]):
                    yield row[:3]

    for table in ("kept", "answers"):
        yield from read(f"SELECT * FROM {table}")
        # A scan ends at the first broken page; what lies behind is reached from above.
        for part in range(16**PART_DIGITS):
            start = f"{part:0{PART_DIGITS}x}"
            yield from read(f"SELECT * FROM {table} WHERE digest BETWEEN ? AND ?", start, f"{start}~")


def _spent(connection: sqlite3.Connection) -> Spending | None:
    with suppress(sqlite3.DatabaseError):
        for requests, cost, answers, check in connection.execute("SELECT * FROM totals"):
            return Spending(requests, cost) if total_cells(requests, cost, answers)[3] == check else None
    with suppress(sqlite3.DatabaseError):
        for requests, cost in connection.execute("SELECT requests, cost FROM spending"):
            return Spending(requests, cost)
    return None


def main() -> None:
    """Do it, and say what is left."""
    if len(sys.argv) != 3:
        sys.exit(f"usage: {Path(sys.executable).name} -m {__spec__.name} DAMAGED NEW")
    damaged, new = map(Path, sys.argv[1:])
    try:
        answers, spent = salvage(damaged, new)
    except TextparityError as error:
        sys.exit(str(error))
    said = f"{spent.requests:,} requests and {spent.cost:.4f} were spent" if spent else (
        "what was spent is lost: each answer counts as one request without cost, so lower the budget by what you paid"
    )  # fmt: skip
    print(f"{new}: {answers:,} whole answers of {damaged}; {said}")


if __name__ == "__main__":
    main()
