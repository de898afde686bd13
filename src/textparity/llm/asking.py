"""One job that asks a language model: the cache, answers recorded elsewhere, the budget, and a model out of reach."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from textparity.llm.budget import Budget
from textparity.llm.cache import ResponseCache
from textparity.llm.client import ask_all
from textparity.llm.exchange import Answer, Request
from textparity.llm.models import ModelRow

Ask = Callable[[list[Request]], list[Answer | None]]


def to_row(model: dict[str, Any]) -> ModelRow:
    """Return the row of the models table that a rule passes on as a dict."""
    return ModelRow(**{**model, "stop": tuple(model["stop"])})


@contextmanager
def asking(
    row: ModelRow,
    cache: str,
    recorded: list[Path],
    maximum_cost: float | None,
    maximum_requests: int | None,
    not_available: str,
) -> Iterator[Ask]:
    """Yield a function that returns the answers to requests, from the SQLite file `cache` or from the server of `row`.

    The answers of the JSONL files `recorded` are added to the cache first. With a reason in `not_available` nothing is
    sent, and an answer that the cache lacks is None.
    """
    with ResponseCache(cache) as store:
        for file in recorded:
            store.import_answers(file)
        budget = Budget(maximum_cost, maximum_requests, before=store.spending())

        def ask(requests: list[Request]) -> list[Answer | None]:
            if not not_available:
                return list(ask_all(requests, row, store, budget, title=row.name))
            digests = [request.digest() for request in requests]
            known = store.get_many(digests)
            return [known.get(digest) for digest in digests]

        yield ask
