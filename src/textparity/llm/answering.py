"""Asking one model through one cache, for steps: recorded answers, the budget, and models that cannot be asked."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from textparity.files import write_rows
from textparity.llm.budget import Budget, Estimate, estimate
from textparity.llm.cache import ResponseCache
from textparity.llm.client import ask_all
from textparity.llm.exchange import Answer, Request
from textparity.llm.models import ModelRow

log = logging.getLogger(__name__)

# Memory holds their prompts.
BATCH_REQUESTS = 5000
# Columns of tables of answers; null where the model was not asked.
ANSWER_FIELDS = [
    ("answer", pa.string()),
    ("finish_reason", pa.string()),
    ("prompt_tokens", pa.int32()),
    ("completion_tokens", pa.int32()),
    ("model", pa.string()),
    ("error", pa.string()),
]


class Answering:
    """One model and one cache; counts what was answered, and what is `missing` as the model cannot be asked."""

    def __init__(self, row: ModelRow, store: ResponseCache, budget: Budget, not_available: str) -> None:
        self.answered = 0
        self.missing = 0
        self._row = row
        self._store = store
        self._budget = budget
        self._not_available = not_available

    def ask(self, requests: list[Request]) -> list[Answer | None]:
        """Return the answers in order; None where the cache has none and nothing may be sent."""
        if self._not_available:
            digests = [request.digest() for request in requests]
            known = self._store.get_many(digests)
            found = [known.get(digest) for digest in digests]
        else:
            found = list(ask_all(requests, self._row, self._store, self._budget, title=self._row.name))
        missing = found.count(None)
        self.missing += missing
        self.answered += len(found) - missing
        return found

    @property
    def reason(self) -> str:
        """Why answers are missing; empty where none is."""
        return self._not_available if self.missing else ""

    def summarise(self) -> dict[str, int | str]:
        """Return how many answers there are, how many are missing and why, for metadata; warn if any is."""
        if self.missing:
            log.warning("%s: %d answers, %d missing: %s", self._row.name, self.answered, self.missing, self.reason)
        return {"answers": self.answered, "missing": self.missing, "reason": self.reason}


@contextmanager
def open_answering(
    row: ModelRow,
    cache: str,
    recorded: list[Path],
    maximum_cost: float | None,
    maximum_requests: int | None,
    not_available: str,
) -> Iterator[Answering]:
    """Open the SQLite file `cache`, add the answers of the JSONL files `recorded`, and yield who asks.

    With a reason in `not_available` nothing is sent.
    """
    with ResponseCache(cache) as store:
        for file in recorded:
            store.import_answers(file)
        yield Answering(row, store, Budget(maximum_cost, maximum_requests, before=store.spending()), not_available)


class KnownAnswers:
    """The answers of a cache and of recorded files, to be read only."""

    def __init__(self, *stores: ResponseCache) -> None:
        self._stores = stores

    def get_many(self, digests: Iterable[str]) -> dict[str, Answer]:
        """Return the answers that are there, by digest; the first store that has one counts."""
        wanted = list(digests)
        found: dict[str, Answer] = {}
        for store in reversed(self._stores):
            found |= store.get_many(wanted)
        return found


@contextmanager
def open_known_answers(cache: str, recorded: list[Path]) -> Iterator[KnownAnswers]:
    """Open the SQLite file `cache` and the JSONL files `recorded` together, without touching the cache."""
    with ResponseCache(cache) as store, TemporaryDirectory() as folder, ResponseCache(f"{folder}/recorded") as known:
        for file in recorded:
            known.import_answers(file)
        yield KnownAnswers(store, known)


def estimate_answers(requests: Iterable[Request], row: ModelRow, cache: str, recorded: list[Path]) -> Estimate:
    """Return what asking would take, without sending anything or touching the cache."""
    total = Estimate(0, 0, 0, 0, 0.0)
    seen: set[str] = set()
    with open_known_answers(cache, recorded) as known:
        queue = iter(requests)
        while batch := list(islice(queue, BATCH_REQUESTS)):
            new = {digest: request for request in batch if (digest := request.digest()) not in seen}
            seen |= new.keys()
            total += estimate(new.values(), row, known)
    return total


def write_estimate_row(estimate_csv: Path, name: str, model: dict[str, Any], total: Estimate) -> None:
    """Write one row of the table that `snakemake estimate` shows; cost in the currency of the language models table."""
    cells = asdict(total)
    write_rows(estimate_csv, ["texts", "model", *cells], [[name, model["name"], *cells.values()]])


def find_answers(requests: list[Request], cache: str, recorded: list[Path]) -> list[Answer | None]:
    """Return the answers that are there already, without sending anything or touching the cache."""
    digests = [request.digest() for request in requests]
    with open_known_answers(cache, recorded) as known:
        found = known.get_many(digests)
    return [found.get(digest) for digest in digests]


def answer_cells(answer: Answer | None) -> dict[str, Any]:
    """Return the cells of `ANSWER_FIELDS`; none for an answer that is missing."""
    if answer is None:
        return {}
    cells = asdict(answer)
    return {"answer": cells.pop("text")} | {name: cells[name] for name, _ in ANSWER_FIELDS if name in cells}


def row_of(model: dict[str, Any]) -> ModelRow:
    """Return the row whose fields are `model`, as rules pass them."""
    return ModelRow(**{**model, "stop": tuple(model["stop"])})
