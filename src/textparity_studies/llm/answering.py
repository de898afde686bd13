"""Ask one model through one cache, or estimate the cost: the two functions that all studies use.

A study supplies the `Questions`. `Asking` has the model, the cache, the budget, and the reason if nothing may be sent.
Answers come from the cache, to which recorded files are added first, or else from the model's server.
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

# Memory holds the prompts of one batch.
BATCH_REQUESTS = 5000
# Columns of tables of answers; null if the model was not asked.
ANSWER_FIELDS = [
    ("answer", pa.string()),
    ("finish_reason", pa.string()),
    ("prompt_tokens", pa.int32()),
    ("completion_tokens", pa.int32()),
    ("model", pa.string()),
    ("error", pa.string()),
]
Cells = dict[str, Any]
# The cells that identify a question, and the request for it.
Question = tuple[Cells, Request]


@dataclass(frozen=True)
class Asking:
    """Describe how one model is asked, as `Context.asking` passes it to rules. `model` has the fields of a `ModelRow`.

    If `not_available` has a reason, nothing is sent, and only cached answers are found. The budget covers all runs
    through this cache.
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
    """Supply a step's questions in batches; a subclass may choose the next batch by the earlier answers."""

    def __init__(self, questions: Iterable[Question] = ()) -> None:
        self._questions = iter(questions)

    @property
    def repeats(self) -> int:
        """The maximum number of times that a question of the last batch may be asked again if its answer is missing."""
        return 0

    def next_batch(self) -> list[Question]:
        """Return the next questions; none when all are asked."""
        return list(islice(self._questions, BATCH_REQUESTS))

    def take(self, answered: list[tuple[Cells, Answer | None]]) -> None:
        """Process the answers to the last batch, in order; None for a missing one."""


def ask(
    questions: Questions, asking: Asking, recorded: list[Path], **metadata: Any
) -> Generator[list[Cells], None, Cells]:
    """Iterate over the rows of each batch: the cells of its questions with those of `ANSWER_FIELDS`, if answered.

    Returns `metadata` with the numbers of answers and of missing ones, and the reason why they are missing.
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
    """Estimate the maximum cost of `ask`, without sending anything or touching the cache.

    Repeated requests count once. For missing answers, `questions` estimates what would follow.
    """
    total = Estimate()
    seen: set[str] = set()
    # Recorded answers go into a temporary cache.
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
