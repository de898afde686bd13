"""Ask one model through one cache, or estimate the cost: the two functions that all studies use.

A study supplies the `Questions`. `Asking` has the model, the cache, the budget, and the reason if nothing may be sent.
Answers come from the cache, to which recorded files are added first, or else from the model's server.
"""

import logging
import re
from collections.abc import Generator, Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from textparity.corpora.reading import read_batches, write_batches
from textparity.errors import InputError
from textparity.files import write_rows
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.client import Budget, CostEstimate, ask_all
from textparity_studies.llm.models import Answer, ModelRow, Request, check_placeholders, fill, read_part, to_prompt

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
        return ModelRow(**self.model)


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
        budget = Budget(asking.maximum_cost, asking.maximum_requests)
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


def estimate(questions: Questions, asking: Asking, recorded: list[Path]) -> CostEstimate:
    """Estimate the maximum cost of `ask`, without sending anything or touching the cache.

    Repeated requests count once. For missing answers, `questions` estimates what would follow.
    """
    total = CostEstimate()
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
            total += CostEstimate.of(unknown * (1 + questions.repeats), asking.row, in_cache=len(new) - len(unknown))
            questions.take([(cells, found.get(digest)) for digest, (cells, _) in zip(digests, batch, strict=True)])
    return total


def write_estimate(estimate_csv: Path, name: str, asking: Asking, total: CostEstimate) -> None:
    """Write one row of the table that `snakemake estimate` shows; cost in the currency of the language models table."""
    cells = asdict(total)
    write_rows(estimate_csv, ["texts", "model", *cells], [[name, asking.row.name, *cells.values()]])


def show_estimates(estimates: list[Path]) -> None:
    """Log the estimates of all sets of texts and models, and their sum."""
    if not estimates:
        log.info("this run uses no language model")
        return
    import pandas as pd

    rows = pd.concat([pd.read_csv(path) for path in estimates], ignore_index=True)
    rows.loc[len(rows)] = ["all", "", *rows[list(asdict(CostEstimate()))].sum()]
    log.info("estimated requests and costs; nothing was sent\n%s", rows.to_string(index=False))


def answer_cells(answer: Answer | None) -> Cells:
    """Return the cells of `ANSWER_FIELDS`; none for an answer that is missing."""
    if answer is None:
        return {}
    cells = asdict(answer)
    return {"answer": cells.pop("text")} | {name: cells[name] for name, _ in ANSWER_FIELDS if name in cells}


EXAMPLES, SENTENCE = "<EXAMPLES>", "<SENTENCE>"
# In `extra` of a model row, this stands for a grammar of the sentence's words: each an optional line, in order.
WORDS_IN_ORDER = "<WORDS_IN_ORDER>"
BATCH_TEXTS = 1000
ANSWERS_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("run", pa.int16()),
        ("text", pa.string()),
        *ANSWER_FIELDS,
    ]
)
# The parts of "l'orador" and "madre-hija" are separate words; the dot in "col·lega" is a letter.
_WORD = re.compile(r"([\w\u0300-\u036f]+(?:·\w+)*)(\.?)")


class TaggingPrompt:
    """Build the question to one model about any sentence of one language."""

    def __init__(self, row: ModelRow, prompt: Path, examples: Path | None, system: Path | None) -> None:
        if examples is None:
            raise InputError(
                f"{prompt}: the prompt has no examples; add a row with the part examples to the prompts table"
            )
        template = read_part(prompt)
        check_placeholders(prompt, template, [EXAMPLES, SENTENCE])
        self._row = row
        self._template = template.replace(EXAMPLES, read_part(examples))
        self._system = read_part(system) if system else ""

    def request(self, sentence: str, run: int) -> Request:
        """Build the request for one sentence."""
        prompt = to_prompt(fill(self._template, {SENTENCE: sentence}), self._row.mode, self._system)
        extra = {key: _fill_words(value, sentence) for key, value in self._row.extra.items()}
        return Request(replace(self._row, extra=extra), prompt, run)


def _fill_words(value: Any, sentence: str) -> Any:
    if not isinstance(value, str) or WORDS_IN_ORDER not in value:
        return value
    # A full stop belongs to an abbreviation or ends the sentence, so the model decides.
    optional_dot = {"": "", ".": ' "."?'}
    words = " ".join(f'("{word}"{optional_dot[dot]} tag)?' for word, dot in _WORD.findall(sentence))
    return fill(value, {WORDS_IN_ORDER: words or '""'})


def tagging_questions(
    row: ModelRow, texts: Path, prompt: Path, examples: Path | None, system: Path | None, runs: int
) -> Questions:
    """Build the questions about every text except blank ones, once per run."""
    question = TaggingPrompt(row, prompt, examples, system)
    return Questions(
        ({"id": id_, "run": run, "text": text}, question.request(text, run))
        for run in range(runs)
        for batch in read_batches(texts, BATCH_TEXTS, ["id", "text"])
        for id_, text in zip(batch["id"], batch["text"], strict=True)
        if text.strip()
    )


def ask_tagger(
    texts: Path,
    prompt: Path,
    examples: Path | None,
    system: Path | None,
    recorded: list[Path],
    answers: Path,
    asking: Asking,
    runs: int,
) -> None:
    """Write the model's answer to every text, once per run (`ANSWERS_SCHEMA`); the metadata count what is missing."""
    questions = tagging_questions(asking.row, texts, prompt, examples, system, runs)
    batches = ask(questions, asking, recorded, tagger=asking.row.name, runs=runs)
    write_batches(answers, ANSWERS_SCHEMA, batches)


def estimate_tagging(
    texts: Path,
    prompt: Path,
    examples: Path | None,
    system: Path | None,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    asking: Asking,
    runs: int,
) -> None:
    """Write one row: the requests that `ask_tagger` would send with the same arguments, without sending them."""
    questions = tagging_questions(asking.row, texts, prompt, examples, system, runs)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))
