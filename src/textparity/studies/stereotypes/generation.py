"""Asking a language model for sentences about women and men with words of a coded lexicon (Soundararajan 2023, §III).

Every word of the lexicon is asked for in each of the four kinds. A word without a sentence that passes all checks is
asked for again, up to `tries` times; the first try alone is what the paper did.
"""

import logging
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import write_batches
from textparity.llm.answering import (
    ANSWER_FIELDS,
    answer_cells,
    open_answering,
    open_known_answers,
    row_of,
    write_estimate_row,
)
from textparity.llm.budget import Estimate, estimate
from textparity.llm.exchange import Request
from textparity.llm.models import ModelRow
from textparity.llm.prompts import read_part, to_prompt
from textparity.studies.stereotypes.coded_lexicons import load_coded_lexicon
from textparity.studies.stereotypes.kinds import KINDS, Kind
from textparity.studies.stereotypes.sentence_checks import NO_ANSWER, CheckedSentence, PersonWords, SentenceChecker
from textparity.studies.stereotypes.sentence_prompts import SentencePrompt

log = logging.getLogger(__name__)

# Runs of a set are numbered from here times its number, so that more tries change no request made before.
RUNS_OF_A_SET = 1000
ANSWERS_SCHEMA = pa.schema(
    [
        ("kind", pa.string()),
        # From 1.
        ("attempt", pa.int16()),
        ("number", pa.int32()),
        # As the lexicon spells them.
        ("asked", pa.list_(pa.string())),
        *ANSWER_FIELDS,
    ]
)


@dataclass(frozen=True)
class Asked:
    """One request of a set: which kind, which try, the how many-eth of its try, and the words asked for."""

    kind: Kind
    attempt: int
    number: int
    words: list[str]

    def cells(self) -> dict[str, Any]:
        """Return the first cells of `ANSWERS_SCHEMA`."""
        return {"kind": self.kind.name, "attempt": self.attempt, "number": self.number, "asked": self.words}


class SentenceSet:
    """The questions of one set to one model, try after try: what is asked next depends on what passed."""

    def __init__(
        self,
        row: ModelRow,
        prompt: Path,
        system: Path | None,
        lexicon: Path,
        form: str,
        person_nouns: Path,
        number: int,
    ) -> None:
        self._row = row
        self._prompt = SentencePrompt(prompt)
        self._system = read_part(system) if system else ""
        self._lexicon = load_coded_lexicon(lexicon, form)
        self._checker = SentenceChecker(self._lexicon, PersonWords(person_nouns), self._prompt.without_words())
        self._run = (number - 1) * RUNS_OF_A_SET
        self._open = {name: self._lexicon.of(kind.coding) for name, kind in KINDS.items()}
        self._attempt = 0

    def next_try(self) -> list[tuple[Asked, Request]]:
        """Return all requests of the next try; none if no word is open."""
        self._attempt += 1
        size = self._prompt.words_at_once
        groups = [
            (kind, self._open[name][start : start + size])
            for name, kind in KINDS.items()
            for start in range(0, len(self._open[name]), size)
        ]
        return [
            (Asked(kind, self._attempt, number, words), self._request(kind, words))
            for number, (kind, words) in enumerate(groups, start=1)
        ]

    def _request(self, kind: Kind, words: list[str]) -> Request:
        prompt = to_prompt(self._prompt.text(kind.gender, words, self._lexicon), self._row.mode, self._system)
        return Request.to_model(self._row, prompt, self._run + self._attempt - 1)

    def take(self, asked: Asked, answer: str | None, error: str | None) -> list[CheckedSentence]:
        """Check an answer and return its sentences; the word of one that passed is not asked for again.

        Neither are the words of a question that was not asked (`answer` is None).
        """
        done: set[str] = set(asked.words) if answer is None else set()
        sentences: list[CheckedSentence] = []
        if answer is not None:
            sentences = check_answer(self._checker, asked.kind, asked.words, answer, error)
            done = {sentence.word for sentence in sentences if sentence.passed}
        name = asked.kind.name
        self._open[name] = [word for word in self._open[name] if word not in done]
        return sentences


def check_answer(
    checker: SentenceChecker, kind: Kind, asked: list[str], answer: str, error: str | None
) -> list[CheckedSentence]:
    """Return the sentences of an answer, checked; one without a text for an error that was kept instead of one."""
    if error:
        return [CheckedSentence("", asked[0] if len(asked) == 1 else "", reasons=(NO_ANSWER,))]
    return checker.check(answer, kind.gender, kind.coding, asked)


def ask_generator(
    lexicon: Path,
    person_nouns: Path,
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    answers: Path,
    form: str,
    model: dict[str, Any],
    number: int,
    tries: int,
    cache: str,
    maximum_cost: float | None,
    maximum_requests: int | None,
    not_available: str,
) -> None:
    """Write the model's answers for all words and kinds of one set (`ANSWERS_SCHEMA`), in the order asked.

    `number` is that of the set, from 1. Where answers come from, and what `not_available` does: see
    `textparity.llm.answering`. The metadata count answers and what is missing.
    """
    row = row_of(model)
    questions = SentenceSet(row, prompt, system, lexicon, form, person_nouns, number)

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        with open_answering(row, cache, recorded, maximum_cost, maximum_requests, not_available) as answering:
            for attempt in range(1, tries + 1):
                if not (batch := questions.next_try()):
                    break
                found = answering.ask([request for _, request in batch])
                sentences = [
                    sentence
                    for (asked, _), answer in zip(batch, found, strict=True)
                    for sentence in questions.take(asked, *((answer.text, answer.error) if answer else (None, None)))
                ]
                passed = sum(sentence.passed for sentence in sentences)
                log.info("%s: try %d, %d of %d sentences passed", row.name, attempt, passed, len(sentences))
                yield [asked.cells() | answer_cells(answer) for (asked, _), answer in zip(batch, found, strict=True)]
        return {"generator": row.name, "set": number} | answering.summarise()

    write_batches(answers, ANSWERS_SCHEMA, batches())


def estimate_sentences(
    lexicon: Path,
    person_nouns: Path,
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    form: str,
    model: dict[str, Any],
    number: int,
    tries: int,
    cache: str,
) -> None:
    """Write one row: what `ask_generator` would send with the same arguments, without sending it.

    Words whose answer is not there yet are taken to need every try that is left, so it is at most this.
    """
    row = row_of(model)
    questions = SentenceSet(row, prompt, system, lexicon, form, person_nouns, number)
    total = Estimate(0, 0, 0, 0, 0.0)
    with open_known_answers(cache, recorded) as known:
        for attempt in range(1, tries + 1):
            if not (batch := questions.next_try()):
                break
            found = known.get_many(request.digest() for _, request in batch)
            total += estimate((request for _, request in batch), row, known)
            unknown = [request for _, request in batch if request.digest() not in found]
            once = estimate(unknown, row, known)
            for _ in range(attempt, tries):
                total += once
            for asked, request in batch:
                answer = found.get(request.digest())
                questions.take(asked, *((answer.text, answer.error) if answer else (None, None)))
    write_estimate_row(estimate_csv, name, model, total)
