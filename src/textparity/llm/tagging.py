"""Asking a language model for the nouns and pronouns of sentences, their reference and gender (Derner 2025, §3.2).

Prompt and examples are files, filled as in the paper's notebook: examples first, then the sentence.
"""

import logging
import re
from collections.abc import Generator, Iterator
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from textparity.corpora.rows import read_batches, write_batches
from textparity.errors import InputError
from textparity.llm.answering import (
    ANSWER_FIELDS,
    BATCH_REQUESTS,
    answer_cells,
    estimate_answers,
    open_answering,
    row_of,
    write_estimate_row,
)
from textparity.llm.budget import Estimate
from textparity.llm.exchange import Request
from textparity.llm.models import ModelRow
from textparity.llm.prompts import check_placeholders, fill, read_part, to_prompt

log = logging.getLogger(__name__)

EXAMPLES, SENTENCE = "<EXAMPLES>", "<SENTENCE>"
# In `extra` of a model row: the sentence's words for a grammar, each an optional line, in their order.
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
# Parts of "l'orador" and "madre-hija" are words of their own; the dot of "col·lega" is a letter.
_WORD = re.compile(r"([\w\u0300-\u036f]+(?:·\w+)*)(\.?)")


class TaggingPrompt:
    """The question to one model about any sentence of one language."""

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
        """Return what to send for one sentence."""
        prompt = to_prompt(fill(self._template, {SENTENCE: sentence}), self._row.mode, self._system)
        request = Request.to_model(self._row, prompt, run)
        extra = {key: _fill_words(value, sentence) for key, value in request.extra.items()}
        return replace(request, extra=extra)


def _fill_words(value: Any, sentence: str) -> Any:
    if not isinstance(value, str) or WORDS_IN_ORDER not in value:
        return value
    # A full stop belongs to an abbreviation or ends the sentence; the model decides.
    optional_dot = {"": "", ".": ' "."?'}
    words = " ".join(f'("{word}"{optional_dot[dot]} tag)?' for word, dot in _WORD.findall(sentence))
    return fill(value, {WORDS_IN_ORDER: words or '""'})


def ask_tagger(
    texts: Path,
    prompt: Path,
    examples: Path | None,
    system: Path | None,
    recorded: list[Path],
    answers: Path,
    model: dict[str, Any],
    runs: int,
    cache: str,
    maximum_cost: float | None,
    maximum_requests: int | None,
    not_available: str,
) -> None:
    """Write the model's answer to every text (not to blank ones), once per run (`ANSWERS_SCHEMA`).

    Answers come from the SQLite file `cache`, to which those of the JSONL files `recorded` are added first, or from
    the server. With a reason in `not_available` nothing is sent: answers that the cache lacks are null, and the
    metadata of `answers` has their number (`missing`) and the reason. `model` has the fields of a `ModelRow`.
    """
    row = row_of(model)
    question = TaggingPrompt(row, prompt, examples, system)

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        questions = _questions(texts, runs)
        with open_answering(row, cache, recorded, maximum_cost, maximum_requests, not_available) as answering:
            while batch := list(islice(questions, BATCH_REQUESTS)):
                found = answering.ask([question.request(text, run) for _, text, run in batch])
                yield [
                    {"id": id_, "run": run, "text": text} | answer_cells(answer)
                    for (id_, text, run), answer in zip(batch, found, strict=True)
                ]
        return {"tagger": row.name, "runs": runs} | answering.summarise()

    write_batches(answers, ANSWERS_SCHEMA, batches())


def estimate_tagging(
    texts: Path,
    prompt: Path,
    examples: Path | None,
    system: Path | None,
    recorded: list[Path],
    model: dict[str, Any],
    runs: int,
    cache: str,
) -> Estimate:
    """Return what `ask_tagger` would send with the same arguments, without sending it or touching the cache."""
    row = row_of(model)
    question = TaggingPrompt(row, prompt, examples, system)
    requests = (question.request(text, run) for _, text, run in _questions(texts, runs))
    return estimate_answers(requests, row, cache, recorded)


def write_estimate(
    texts: Path,
    prompt: Path,
    examples: Path | None,
    system: Path | None,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    model: dict[str, Any],
    runs: int,
    cache: str,
) -> None:
    """Write one row: what asking would take, cost in the currency of the language models table."""
    total = estimate_tagging(texts, prompt, examples, system, recorded, model, runs, cache)
    write_estimate_row(estimate_csv, name, model, total)


def show_estimates(estimates: list[Path]) -> None:
    """Log the estimates of all sets of texts and models, and their sum."""
    if not estimates:
        log.info("this run asks no language model")
        return
    rows = pd.concat([pd.read_csv(path) for path in estimates], ignore_index=True)
    rows.loc[len(rows)] = ["all", "", *rows[[field.name for field in fields(Estimate)]].sum()]
    log.info("what asking would take; nothing was sent\n%s", rows.to_string(index=False))


def _questions(texts: Path, runs: int) -> Iterator[tuple[str, str, int]]:
    for run in range(runs):
        for batch in read_batches(texts, BATCH_TEXTS, ["id", "text"]):
            yield from ((id_, text, run) for id_, text in zip(batch["id"], batch["text"], strict=True) if text.strip())
