"""Asking one model through one cache, or estimating what that takes: the pair of functions that all studies use.

A study says what to ask (`Questions`), and how is in `Asking`: the model, the cache, the budget, and why nothing may be
sent. Answers come from the cache, to which those of recorded files are added first, or else from the model's server.
"""

import logging
from collections.abc import Generator, Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from textparity.files import write_rows
from textparity_studies.llm.budget import Budget, Estimate
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.client import ask_all
from textparity_studies.llm.messages import Answer, Request
from textparity_studies.llm.models import ModelRow

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
Cells = dict[str, Any]
# The cells that say what is asked, and what is sent.
Question = tuple[Cells, Request]


@dataclass(frozen=True)
class Asking:
    """How one model is asked: what `Context.asking` gives to rules. `model` has the fields of a `ModelRow`.

    With a reason in `not_available` nothing is sent, and only answers that are in the cache are found. The budget is
    that of all runs through this cache.
    """

    model: dict[str, Any]
    cache: str
    maximum_cost: float | None = None
    maximum_requests: int | None = None
    not_available: str = ""

    @cached_property
    def row(self) -> ModelRow:
        """The model's row."""
        return ModelRow(**{**self.model, "stop": tuple(self.model["stop"])})


class Questions:
    """What a step asks, batch after batch; a subclass may choose the next batch by the answers to those before."""

    def __init__(self, questions: Iterable[Question] = ()) -> None:
        self._questions = iter(questions)

    @property
    def repeats(self) -> int:
        """How often a question of the last batch may be asked again, at most, if its answer is not known."""
        return 0

    def next_batch(self) -> list[Question]:
        """Return what to ask next; nothing if all is asked."""
        return list(islice(self._questions, BATCH_REQUESTS))

    def take(self, answered: list[tuple[Cells, Answer | None]]) -> None:
        """Take the answers to the last batch, in its order; None where an answer is not known."""


def ask(
    questions: Questions, asking: Asking, recorded: list[Path], **metadata: Any
) -> Generator[list[Cells], None, Cells]:
    """Yield the rows of each batch: the cells of its questions with those of `ANSWER_FIELDS`, if there is an answer.

    Returns `metadata` with the numbers of answers and of those that are missing, and why these are.
    """
    row = asking.row
    answers = missing = 0
    with ResponseCache(asking.cache) as store:
        for file in recorded:
            store.import_answers(file)
        budget = Budget(asking.maximum_cost, asking.maximum_requests, before=store.spending())
        while batch := questions.next_batch():
            requests = [request for _, request in batch]
            if asking.not_available:
                digests = [request.digest() for request in requests]
                known = store.get_many(digests)
                found = [known.get(digest) for digest in digests]
            else:
                found = list(ask_all(requests, row, store, budget, title=row.name))
            missing += found.count(None)
            answers += len(found) - found.count(None)
            answered = [(cells, answer) for (cells, _), answer in zip(batch, found, strict=True)]
            questions.take(answered)
            yield [cells | answer_cells(answer) for cells, answer in answered]
    reason = asking.not_available if missing else ""
    if missing:
        log.warning("%s: %d answers, %d missing: %s", row.name, answers, missing, reason)
    return metadata | {"answers": answers, "missing": missing, "reason": reason}


def estimate(questions: Questions, asking: Asking, recorded: list[Path]) -> Estimate:
    """Return what `ask` would take at most, without sending anything or touching the cache.

    Requests that are asked more than once count once. Where answers are not known, `questions` say what would follow.
    """
    total = Estimate()
    seen: set[str] = set()
    # Recorded answers go into a cache of their own.
    with (
        ResponseCache(asking.cache) as store,
        TemporaryDirectory() as folder,
        ResponseCache(f"{folder}/recorded") as known,
    ):
        for file in recorded:
            known.import_answers(file)
        while batch := questions.next_batch():
            digests = [request.digest() for _, request in batch]
            found = known.get_many(digests) | store.get_many(digests)
            new = {digest: request for digest, (_, request) in zip(digests, batch, strict=True) if digest not in seen}
            seen |= new.keys()
            unknown = [request for digest, request in new.items() if digest not in found]
            total += Estimate.of(unknown * (1 + questions.repeats), asking.row, in_cache=len(new) - len(unknown))
            questions.take([(cells, found.get(digest)) for digest, (cells, _) in zip(digests, batch, strict=True)])
    return total


def write_estimate(estimate_csv: Path, name: str, asking: Asking, total: Estimate) -> None:
    """Write one row of the table that `snakemake estimate` shows; cost in the currency of the language models table."""
    cells = asdict(total)
    write_rows(estimate_csv, ["texts", "model", *cells], [[name, asking.row.name, *cells.values()]])


def show_estimates(estimates: list[Path]) -> None:
    """Log the estimates of all sets of texts and models, and their sum."""
    if not estimates:
        log.info("this run asks no language model")
        return
    import pandas as pd

    rows = pd.concat([pd.read_csv(path) for path in estimates], ignore_index=True)
    rows.loc[len(rows)] = ["all", "", *rows[list(asdict(Estimate()))].sum()]
    log.info("what asking would take; nothing was sent\n%s", rows.to_string(index=False))


def answer_cells(answer: Answer | None) -> Cells:
    """Return the cells of `ANSWER_FIELDS`; none for an answer that is missing."""
    if answer is None:
        return {}
    cells = asdict(answer)
    return {"answer": cells.pop("text")} | {name: cells[name] for name, _ in ANSWER_FIELDS if name in cells}
