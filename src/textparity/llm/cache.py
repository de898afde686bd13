"""Answers kept beside the workflow: one SQLite file, so that no answer is paid for twice, not even after a kill.

It uses SQLite's rollback journal, not WAL, which does not work on network file systems. Only the digest and the
payload of a request are kept, never a key.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from textparity.files import atomic_path
from textparity.llm.errors import ResponseCacheError
from textparity.llm.exchange import Answer, Request, canonical_json, digest_of

Result = TypeVar("Result")

# Far below SQLite's limit of variables in one statement.
AT_ONCE = 500
WAIT_SECONDS = 60.0
TABLES = (
    """CREATE TABLE IF NOT EXISTS answers
    (digest TEXT PRIMARY KEY, request TEXT NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS spending (requests INTEGER NOT NULL, cost REAL NOT NULL)",
)


class Spending(NamedTuple):
    """Requests sent, repeated attempts included, and what they cost in the currency of the model rows."""

    requests: int
    cost: float


NOTHING_SPENT = Spending(0, 0.0)


class ResponseCache:
    """Answers by digest of their request, in one file that several processes may use at the same time.

    The first answer to a request stays: a later one for the same digest is ignored. Reading never creates the file.
    Every method raises `ResponseCacheError` if the file is damaged, no cache, or locked for more than `wait_seconds`.
    An object belongs to one thread.
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
        """Close the file; the next use opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def get_many(self, digests: Iterable[str]) -> dict[str, Answer]:
        """Return the answers that are there, by digest."""
        wanted = list(digests)
        found: dict[str, Answer] = {}
        for start in range(0, len(wanted), AT_ONCE):
            some = wanted[start : start + AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"SELECT digest, answer FROM answers WHERE digest IN ({marks})"
            found |= {digest: self._answer(digest, answer) for digest, answer in self._read(query, some)}
        return found

    def put(self, request: Request, answer: Answer) -> None:
        """Keep one answer; it is on disk when this returns."""
        self.put_many([(request, answer)])

    def put_many(self, pairs: Iterable[tuple[Request, Answer]], spent: Spending = NOTHING_SPENT) -> None:
        """Keep some answers and what was spent, all or nothing; they are on disk when this returns."""
        rows = (
            (answer.digest, canonical_json(request.payload()), canonical_json(asdict(answer)))
            for request, answer in pairs
        )
        self._insert(rows, spent)

    def spending(self) -> Spending:
        """Return all that was ever spent through this file."""
        query = "SELECT COALESCE(SUM(requests), 0), COALESCE(SUM(cost), 0.0) FROM spending"
        rows = self._read(query, [], table="spending")
        return Spending(*rows[0]) if rows else NOTHING_SPENT

    def iterate(self) -> Iterator[tuple[dict[str, Any], Answer]]:
        """Yield the payload of each request and its answer, by digest."""
        for digest, request, answer in self._pages():
            yield self._parsed(digest, request), self._answer(digest, answer)

    def drop_errors(self) -> int:
        """Remove kept errors and refusals, so that they are asked again; return how many there were."""

        def drop(connection: sqlite3.Connection) -> int:
            connection.execute("BEGIN IMMEDIATE")
            _create_tables(connection)
            dropped = connection.execute("DELETE FROM answers WHERE json_extract(answer, '$.error') <> ''").rowcount
            connection.execute("COMMIT")
            return dropped

        return self._do(drop) if self.path.exists() else 0

    def export_answers(self, file: Path) -> int:
        """Write all answers to `file`, one JSON object a line, sorted by digest; return how many there are."""
        number = 0
        with atomic_path(file) as part, part.open("w", encoding="utf-8", newline="\n") as out:
            for payload, answer in self.iterate():
                out.write(canonical_json({"request": payload, "answer": asdict(answer)}) + "\n")
                number += 1
        return number

    def import_answers(self, file: Path) -> int:
        """Add the answers that `export_answers` wrote, all or none; return how many lines were read.

        Raises `ResponseCacheError` naming the line that is damaged, or whose request is not the one answered.
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
                except (ValueError, TypeError, KeyError):
                    raise ResponseCacheError(f"{where}: no request with its answer; export the cache anew") from None
                if digest_of(payload) != answer.digest:
                    raise ResponseCacheError(
                        f"{where}: the answer belongs to another request (digest {answer.digest[:12]}...); requests "
                        "cannot be edited by hand, export the cache anew"
                    )
                rows.append((answer.digest, canonical_json(payload), canonical_json(asdict(answer))))
        self._insert(rows)
        return len(rows)

    def _insert(self, rows: Iterable[tuple[str, str, str]], spent: Spending = NOTHING_SPENT) -> None:
        rows = list(rows)

        def insert(connection: sqlite3.Connection) -> None:
            # Taking the write lock at once: a lock taken for reading first cannot wait for another writer.
            connection.execute("BEGIN IMMEDIATE")
            _create_tables(connection)
            connection.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?, ?)", rows)
            if spent != NOTHING_SPENT:
                connection.execute("INSERT INTO spending SELECT 0, 0.0 WHERE NOT EXISTS (SELECT 1 FROM spending)")
                connection.execute("UPDATE spending SET requests = requests + ?, cost = cost + ?", spent)
            connection.execute("COMMIT")

        if rows or spent != NOTHING_SPENT:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._do(insert)

    def _pages(self) -> Iterator[tuple[str, str, str]]:
        # Page by page, since an open query would lock out those who write.
        last = ""
        while rows := self._read("SELECT * FROM answers WHERE digest > ? ORDER BY digest LIMIT ?", [last, AT_ONCE]):
            yield from rows
            last = rows[-1][0]

    def _read(self, query: str, values: list[Any], table: str = "answers") -> list[Any]:
        if not self.path.exists():
            return []

        def read(connection: sqlite3.Connection) -> list[Any]:
            # Another process may have created the file, but not its table yet.
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchone():
                return []
            return connection.execute(query, values).fetchall()

        return self._do(read)

    def _do(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        try:
            if self._connection is None:
                # Transactions begin and end as written here, not where the module would put them.
                self._connection = sqlite3.connect(self.path, timeout=self._wait_seconds, isolation_level=None)
            return work(self._connection)
        except sqlite3.DatabaseError as error:
            # What was begun is rolled back with the connection.
            self.close()
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            raise ResponseCacheError(f"{self.path}: {error}; {self._mend(code)}") from error

    def _mend(self, code: int) -> str:
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return f"another process has held it for {self._wait_seconds:g} s; let it finish and run again"
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
            return "it is damaged or no cache of answers; restore a copy, or move it away to ask everything anew"
        return "check the folder, its permissions and the space on its disk; answers kept before are not lost"

    def _answer(self, digest: str, text: str) -> Answer:
        try:
            return Answer(**self._parsed(digest, text))
        except TypeError:
            raise self._broken_row(digest) from None

    def _parsed(self, digest: str, text: str) -> dict[str, Any]:
        try:
            return json.loads(text)
        except ValueError:
            raise self._broken_row(digest) from None

    def _broken_row(self, digest: str) -> ResponseCacheError:
        return ResponseCacheError(
            f"{self.path}: the answer {digest} is not what this version writes; delete that row, or move the file away"
        )


def _create_tables(connection: sqlite3.Connection) -> None:
    for table in TABLES:
        connection.execute(table)
