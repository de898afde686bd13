"""Cache answers in one SQLite file, so that no answer is paid for twice, not even after a kill.

It uses SQLite's rollback journal, because WAL does not work on network file systems. Only the digest and the payload of
a request are stored, never a key. SQLite does not detect a flipped bit in its data, so each row has a digest of its
own, and one row has the number of rows.
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
from textparity_studies.llm.messages import Answer, Request, canonical_json, digest_of

Result = TypeVar("Result")
# Digest of the request, request, and answer; the last two are JSON.
Row = tuple[str, str, str]

# This is far below SQLite's limit of variables per statement.
AT_ONCE = 500
WAIT_SECONDS = 60.0
TABLES = (
    "CREATE TABLE kept (digest TEXT PRIMARY KEY, request TEXT NOT NULL, answer TEXT NOT NULL, sha256 TEXT NOT NULL) "
    "WITHOUT ROWID",
    "CREATE TABLE totals (requests INTEGER NOT NULL, cost REAL NOT NULL, answers INTEGER NOT NULL, "
    "sha256 TEXT NOT NULL)",
)
# The table of earlier versions, whose rows had no digest of their own.
OLD_TABLE = "answers"


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

    The first answer to a request stays; a later one for the same digest is ignored. Reading never creates the file. The
    whole file is checked when it is opened, and each row again when it is read. Every method raises
    `ResponseCacheError` if the file is damaged, empty, from an earlier version, not a cache, or locked for more than
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
            found |= {digest: self._answer(digest, answer) for digest, _, answer in rows}
        return found

    def put(self, request: Request, answer: Answer) -> None:
        """Store one answer; it is on disk when this returns."""
        self.put_many([(request, answer)])

    def put_many(self, pairs: Iterable[tuple[Request, Answer]], spent: Spending = NOTHING_SPENT) -> Spending:
        """Store some answers and the spending atomically; they are on disk when this returns.

        Returns the same as `spending`, including this call.
        """
        rows = [
            (answer.digest, canonical_json(request.payload()), canonical_json(asdict(answer)))
            for request, answer in pairs
        ]
        return self.insert(rows, spent) if rows or spent != NOTHING_SPENT else self.spending()

    def spending(self) -> Spending:
        """Return everything that was ever spent through this file."""
        return self._do(lambda connection: self._totals(connection)[0]) if self.path.exists() else NOTHING_SPENT

    def iterate(self) -> Iterator[tuple[dict[str, Any], Answer]]:
        """Iterate over the payload of each request and its answer, by digest."""
        for digest, request, answer in self._pages():
            yield json.loads(request), self._answer(digest, answer)

    def drop_errors(self) -> int:
        """Remove stored errors and refusals, so that they are requested again; return their number."""

        def drop(connection: sqlite3.Connection) -> int:
            connection.execute("BEGIN IMMEDIATE")
            dropped = connection.execute("DELETE FROM kept WHERE json_extract(answer, '$.error') <> ''").rowcount
            self._add(connection, NOTHING_SPENT, -dropped)
            connection.execute("COMMIT")
            return dropped

        return self._do(drop) if self.path.exists() else 0

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
            raise ResponseCacheError(f"{file}: no such file of answers; check the path")
        rows = []
        with file.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                where = f"{file}, line {number}"
                try:
                    record = json.loads(line)
                    payload, answer = record["request"], Answer(**record["answer"])
                    digest, request = digest_of(payload), canonical_json(payload)
                except (ValueError, TypeError, KeyError, RecursionError):
                    raise ResponseCacheError(f"{where}: no request with its answer; export the cache anew") from None
                if digest != answer.digest:
                    raise ResponseCacheError(
                        f"{where}: the answer belongs to another request (digest {answer.digest[:12]}...); requests "
                        "cannot be edited by hand, export the cache anew"
                    )
                rows.append((digest, request, canonical_json(asdict(answer))))
        if rows:
            self.insert(rows)
        return len(rows)

    def insert(self, rows: Iterable[Row], spent: Spending = NOTHING_SPENT) -> Spending:
        """Add rows and spending, as `put_many` does."""
        checked = [(*row, _digest_of_row(row)) for row in rows]

        def insert(connection: sqlite3.Connection) -> Spending:
            # Take the write lock at once: a lock first taken for reading cannot wait for another writer.
            connection.execute("BEGIN IMMEDIATE")
            new = connection.executemany("INSERT OR IGNORE INTO kept VALUES (?, ?, ?, ?)", checked).rowcount
            total = self._add(connection, spent, max(0, new))
            connection.execute("COMMIT")
            return total

        self._create()
        return self._do(insert)

    def _create(self) -> None:
        """Create a file with empty tables if there is none, so that an empty file always means a damaged cache."""
        if self.path.exists():
            return
        # Follow a link even if its target does not exist yet.
        path = Path(os.path.realpath(self.path))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
                new = f"{folder}/new"
                with closing(sqlite3.connect(new, isolation_level=None)) as connection:
                    _create_tables(connection)
                # Unlike renaming, linking never replaces a file that another process created first.
                with suppress(FileExistsError):
                    os.link(new, path)
        except (OSError, sqlite3.DatabaseError) as error:
            raise ResponseCacheError(f"{self.path}: {error}; {self._mend(sqlite3.SQLITE_CANTOPEN)}") from error

    def _pages(self) -> Iterator[Row]:
        # Read page by page, because an open query would lock out writers.
        last = ""
        while rows := self._read("SELECT * FROM kept WHERE digest > ? ORDER BY digest LIMIT ?", [last, AT_ONCE]):
            yield from rows
            last = rows[-1][0]

    def _read(self, query: str, values: list[Any]) -> list[Row]:
        if not self.path.exists():
            return []
        return [self._checked(*cells) for cells in self._do(lambda c: c.execute(query, values).fetchall())]

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
            raise ResponseCacheError(f"{self.path}: {error}; {self._mend(code)}") from error

    def _open(self) -> None:
        if self.path.is_file() and not self.path.stat().st_size:
            raise ResponseCacheError(
                f"{self.path}: the file is empty, which no cache ever is: what it held is lost; restore a copy, or "
                "move it away to ask everything anew (what was spent through it is then forgotten)"
            )
        # "rw" creates nothing. Transactions begin and end explicitly, not where the sqlite3 module would put them.
        address = f"{Path(os.path.abspath(self.path)).as_uri()}?mode=rw"
        connection = sqlite3.connect(address, uri=True, timeout=self._wait_seconds, isolation_level=None)
        self._connection = connection
        # The digest detects a text that a flipped bit has made invalid.
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        # One transaction prevents writes in the meantime.
        connection.execute("BEGIN")
        tables = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
        if OLD_TABLE in tables:
            raise ResponseCacheError(
                f"{self.path}: an earlier version of textparity wrote answers into it, which this one does not read; "
                "move it away, have that version export it (ResponseCache.export_answers), and name the exported file "
                "as language_models.recorded, or else everything is asked anew"
            )
        if not set(TABLES) <= {" ".join(sql.split()) for sql in tables.values()}:
            raise self._damaged("it has not the tables of a cache of answers")
        self._check(connection)
        connection.execute("COMMIT")

    def _check(self, connection: sqlite3.Connection) -> None:
        problem = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if problem != "ok":
            raise self._damaged(" ".join(problem.split()))
        number = 0
        for cells in connection.execute("SELECT * FROM kept"):
            self._checked(*cells)
            number += 1
        if number != (there := self._totals(connection)[1]):
            raise self._damaged(f"it has {number:,} answers, and {there:,} were put into it")

    def _totals(self, connection: sqlite3.Connection) -> tuple[Spending, int]:
        """Read the spending and the number of answers."""
        rows = connection.execute("SELECT * FROM totals").fetchall()
        if len(rows) != 1 or rows[0] != _total_cells(*rows[0][:3]):
            raise self._damaged("what it says of its own number of answers and spending is damaged")
        requests, cost, answers, _ = rows[0]
        return Spending(requests, cost), answers

    def _add(self, connection: sqlite3.Connection, spent: Spending, answers: int) -> Spending:
        before, there = self._totals(connection)
        total = before.plus(spent)
        connection.execute(
            "UPDATE totals SET requests = ?, cost = ?, answers = ?, sha256 = ?", _total_cells(*total, there + answers)
        )
        return total

    def _checked(self, digest: str, request: str, answer: str, check: str) -> Row:
        row = digest, request, answer
        if not all(isinstance(cell, str) for cell in row) or _digest_of_row(row) != check:
            raise self._broken_row(digest)
        return row

    def _mend(self, code: int) -> str:
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return f"another process has held it for {self._wait_seconds:g} s; let it finish and run again"
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
            return (
                "it is damaged or no cache of answers; restore a copy, or move it away to ask everything anew (what "
                "was spent through it is then forgotten)"
            )
        return "check the folder, its permissions and the space on its disk; answers kept before are not lost"

    def _damaged(self, what: str) -> ResponseCacheError:
        return ResponseCacheError(f"{self.path}: {what}; {self._mend(sqlite3.SQLITE_CORRUPT)}")

    def _answer(self, digest: str, text: str) -> Answer:
        try:
            return Answer(**json.loads(text))
        except (TypeError, ValueError):
            raise self._broken_row(digest) from None

    def _broken_row(self, digest: object) -> ResponseCacheError:
        return self._damaged(f"the answer {digest} is not what was written")


def _digest_of_row(row: Row) -> str:
    """Compute the sha256 (hexadecimal) of a row's cells; the JSON contains no line ends."""
    return sha256("\n".join(row).encode()).hexdigest()


def _total_cells(requests: int, cost: float, answers: int) -> tuple[int, float, int, str]:
    return requests, cost, answers, sha256(repr((requests, cost, answers)).encode()).hexdigest()


def _create_tables(connection: sqlite3.Connection) -> None:
    for table in TABLES:
        connection.execute(table)
    connection.execute("INSERT INTO totals VALUES (?, ?, ?, ?)", _total_cells(*NOTHING_SPENT, 0))
