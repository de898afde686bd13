"""Cache answers in one SQLite file, so that no answer is paid for twice, not even after a kill.

It uses SQLite's rollback journal, because WAL does not work on network file systems. Only the digest and the payload of
a request are stored, never a key.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from textparity.errors import ResponseCacheError
from textparity.files import atomic_path
from textparity_studies.llm.models import Answer, Request, canonical_json, digest_of

Result = TypeVar("Result")
# Digest of the request, request, and answer; the last two are JSON.
Row = tuple[str, str, str]

# This is far below SQLite's limit of variables per statement.
AT_ONCE = 500
WAIT_SECONDS = 60.0
# SQLite does not detect a flipped bit in its data, so each row has a checksum.
TABLES = """
    CREATE TABLE kept (
        digest TEXT PRIMARY KEY, request TEXT NOT NULL, answer TEXT NOT NULL, sha256 TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE spending (requests INTEGER NOT NULL, cost REAL NOT NULL, sha256 TEXT NOT NULL);
"""


class Spending(NamedTuple):
    """Hold the number of requests, including repeated attempts, and their cost in the currency of the model rows."""

    requests: int
    cost: float

    def plus(self, other: "Spending") -> "Spending":
        """Add another spending."""
        return Spending(self.requests + other.requests, self.cost + other.cost)

    def minus(self, other: "Spending") -> "Spending":
        """Subtract another spending."""
        return Spending(self.requests - other.requests, self.cost - other.cost)


NOTHING_SPENT = Spending(0, 0.0)


class ResponseCache:
    """Store answers by the digest of their request, in one file that several processes may use at the same time.

    The first answer to a request stays; a later one for the same digest is ignored. Reading never creates the file.
    The whole file is checked when it is opened, and each row again when it is read.
    Every method raises `ResponseCacheError` if the file is damaged, not a cache, or locked for more than
    `wait_seconds`. An object belongs to one thread.
    """

    def __init__(self, path: str | Path, wait_seconds: float = WAIT_SECONDS) -> None:
        self.path = Path(path)
        self._wait_seconds = wait_seconds
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> "ResponseCache":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the next use reopens it."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def get_many(self, digests: Iterable[str]) -> dict[str, Answer]:
        """Return the cached answers among `digests`, by digest."""
        wanted = list(digests)
        found: dict[str, Answer] = {}
        for start in range(0, len(wanted), AT_ONCE):
            some = wanted[start : start + AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = self._read(f"SELECT * FROM kept WHERE digest IN ({marks})", some)
            found |= {digest: Answer(**json.loads(answer)) for digest, _, answer in rows}
        return found

    def put_many(self, pairs: Iterable[tuple[Request, Answer]], spent: Spending = NOTHING_SPENT) -> Spending:
        """Store some answers and the spending atomically; they are on disk when this returns.

        Returns the same as `spending`, including this call.
        """
        rows = [
            (answer.digest, canonical_json(request.payload()), canonical_json(asdict(answer)))
            for request, answer in pairs
        ]
        return self._insert(rows, spent) if rows or spent != NOTHING_SPENT else self.spending()

    def spending(self) -> Spending:
        """Return everything that was ever spent through this file."""
        return self._do(self._spending) if self.path.exists() else NOTHING_SPENT

    def iterate(self) -> Iterator[tuple[dict[str, Any], Answer]]:
        """Iterate over the payload of each request and its answer, by digest."""
        # Read page by page, because an open query would lock out writers.
        last = ""
        while rows := self._read("SELECT * FROM kept WHERE digest > ? ORDER BY digest LIMIT ?", [last, AT_ONCE]):
            yield from ((json.loads(request), Answer(**json.loads(answer))) for _, request, answer in rows)
            last = rows[-1][0]

    def drop_errors(self) -> int:
        """Remove stored errors and refusals, so that they are requested again; return their number."""
        delete = "DELETE FROM kept WHERE json_extract(answer, '$.error') <> ''"
        return self._write(lambda connection: connection.execute(delete).rowcount) if self.path.exists() else 0

    def export_answers(self, file: Path) -> int:
        """Write all answers to `file`, one JSON object per line, sorted by digest; return their number."""
        number = 0
        with atomic_path(file) as part, part.open("w", encoding="utf-8", newline="\n") as out:
            for payload, answer in self.iterate():
                out.write(canonical_json({"request": payload, "answer": asdict(answer)}) + "\n")
                number += 1
        return number

    def import_answers(self, file: Path) -> int:
        """Add the answers that `export_answers` wrote, all or none; return the number of lines read.

        Raises `ResponseCacheError` with the line if it is damaged, or if its digest does not match its request.
        """
        if not file.is_file():
            raise ResponseCacheError(f"{file}: this file of answers does not exist; check the path")
        rows = []
        with file.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                where = f"{file}, line {number}"
                try:
                    record = json.loads(line)
                    payload, answer = record["request"], Answer(**record["answer"])
                    digest, request = digest_of(payload), canonical_json(payload)
                except (ValueError, TypeError, KeyError, RecursionError):
                    raise ResponseCacheError(
                        f"{where}: is not a request with its answer; export the cache again"
                    ) from None
                if digest != answer.digest:
                    raise ResponseCacheError(
                        f"{where}: the answer belongs to another request (digest {answer.digest[:12]}...); requests "
                        "cannot be edited by hand, export the cache again"
                    )
                rows.append((digest, request, canonical_json(asdict(answer))))
        if rows:
            self._insert(rows)
        return len(rows)

    def _insert(self, rows: list[Row], spent: Spending = NOTHING_SPENT) -> Spending:
        def insert(connection: sqlite3.Connection) -> Spending:
            checked = [(*row, _checksum(row)) for row in rows]
            connection.executemany("INSERT OR IGNORE INTO kept VALUES (?, ?, ?, ?)", checked)
            total = self._spending(connection).plus(spent)
            connection.execute("DELETE FROM spending")
            connection.execute("INSERT INTO spending VALUES (?, ?, ?)", (*total, _checksum(total)))
            return total

        if not self.path.exists():
            self._create()
        return self._write(insert)

    def _create(self) -> None:
        """Create a file with empty tables at once, so that an empty file always means a damaged cache."""
        # Follow a link even if its target does not exist yet.
        path = Path(os.path.realpath(self.path))
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
            with closing(sqlite3.connect(f"{folder}/new")) as connection:
                connection.executescript(TABLES)
            # Unlike renaming, linking never replaces a file that another process created first.
            with suppress(FileExistsError):
                os.link(f"{folder}/new", path)

    def _read(self, query: str, values: list[Any]) -> list[Row]:
        if not self.path.exists():
            return []
        return [self._checked(*cells) for cells in self._do(lambda c: c.execute(query, values).fetchall())]

    def _checked(self, digest: str, request: str, answer: str, checksum: str) -> Row:
        if _checksum([digest, request, answer]) != checksum:
            raise self._damaged(f"the answer {digest} is not as it was stored")
        return digest, request, answer

    def _spending(self, connection: sqlite3.Connection) -> Spending:
        rows = connection.execute("SELECT * FROM spending").fetchall()
        if any(_checksum(row[:2]) != row[2] for row in rows):
            raise self._damaged("the record of the spending is not as it was stored")
        return Spending(*rows[0][:2]) if rows else NOTHING_SPENT

    def _write(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        def in_transaction(connection: sqlite3.Connection) -> Result:
            # Take the write lock at once: a lock first taken for reading cannot wait for another writer.
            connection.execute("BEGIN IMMEDIATE")
            result = work(connection)
            connection.execute("COMMIT")
            return result

        return self._do(in_transaction)

    def _do(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        try:
            if self._connection is None:
                self._open()
            assert self._connection
            return work(self._connection)
        except BaseException as error:
            # Closing the connection rolls back an open transaction, whatever stopped it.
            self.close()
            if not isinstance(error, sqlite3.DatabaseError):
                raise
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            raise ResponseCacheError(f"{self.path}: {error}; {self._advice(code)}") from error

    def _open(self) -> None:
        # "rw" creates nothing. Transactions begin and end explicitly, not where the sqlite3 module would put them.
        address = f"{Path(os.path.abspath(self.path)).as_uri()}?mode=rw"
        connection = sqlite3.connect(address, uri=True, timeout=self._wait_seconds, isolation_level=None)
        self._connection = connection
        # The checksum detects a text that a flipped bit has made invalid.
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        problem = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if problem != "ok":
            raise self._damaged(" ".join(problem.split()))
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if tables & {"kept", "answers"} and (missing := sorted({"kept", "spending"} - tables)):
            raise ResponseCacheError(
                f"{self.path}: lacks the table {' and '.join(missing)}, as caches of earlier versions do; export it "
                "with the version that wrote it (export_answers) and name the export in language_models.recorded, or "
                "move it away to request everything again"
            )
        # A query does not find an answer whose digest is damaged.
        for cells in connection.execute("SELECT * FROM kept"):
            self._checked(*cells)

    def _advice(self, code: int) -> str:
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return f"another process has held it for {self._wait_seconds:g} s; let it finish and run again"
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
            return _DAMAGED
        return "check the folder, its permissions and the space on its disk; answers stored before are not lost"

    def _damaged(self, what: str) -> ResponseCacheError:
        return ResponseCacheError(f"{self.path}: {what}; {_DAMAGED}")


_DAMAGED = (
    "it is damaged or not a cache of answers; restore a copy, or move it away to request everything again (its record "
    "of the spending is then lost)"
)


def _checksum(row: Iterable[object]) -> str:
    """Compute the sha256 (hexadecimal) of a row's cells; the JSON contains no line ends."""
    return sha256("\n".join(map(str, row)).encode()).hexdigest()
