"""Asking a language model for sets of stories: about men, about women, and both in turn (Derner 2025, App. E).

A model is asked the same question again and again, each time with the next run (and seed), until the sentences of its
stories are enough. How many are asked for at a time changes nothing: they are taken in their order.
"""

import logging
import math
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import TEXT_SCHEMA, read_batches, read_metadata, read_rows, write_batches
from textparity.errors import InputError
from textparity.llm.answering import ANSWER_FIELDS, Asking, Cells, Question, Questions, ask, estimate, write_estimate
from textparity.llm.exchange import Answer, Request
from textparity.llm.models import ModelRow
from textparity.llm.prompts import read_part, to_prompt
from textparity.studies.propagation.collected_stories import USED, CollectedStories

log = logging.getLogger(__name__)

# "About 40-50 sentences" (App. E): to estimate what is not known yet.
SENTENCES_OF_A_STORY = 45
# `story` counts from 1.
ANSWERS_SCHEMA = pa.schema([("story", pa.int32()), *ANSWER_FIELDS])


class StoryQuestions(Questions):
    """The one question of a set, as often as its sentences need; `story` counts from 1.

    A story that is not known is taken to have as many sentences as those before it, or 45 if it is the first.
    """

    def __init__(self, row: ModelRow, prompt: Path, system: Path | None, collected: CollectedStories) -> None:
        self._row = row
        # Base models go on after the last letter: a line end there would be the answer's first.
        text = read_part(prompt).rstrip("\n")
        if not text:
            raise InputError(f"{prompt}: is empty; write what asks for a story")
        self._prompt = to_prompt(text, row.mode, read_part(system) if system else "")
        self._collected = collected
        self._asked = 0
        self._expected = 0.0

    def next_batch(self) -> list[Question]:
        """Return the next questions: no more than are likely to be needed, once some stories are there."""
        missing = self._collected.missing - self._expected
        first = self._asked + 1
        self._asked += self._next_stories(missing) if missing > 0 else 0
        return [
            ({"story": story}, Request.to_model(self._row, self._prompt, story - 1))
            for story in range(first, self._asked + 1)
        ]

    def _next_stories(self, missing: float) -> int:
        collected = self._collected
        if self._expected:
            return max(1, int(missing / self._sentences_of_a_story()))
        # A model that tells nothing new is stopped: little is paid until then.
        if not collected.sentences or collected.useless:
            return self._row.requests_at_once
        return max(1, collected.missing * collected.statuses[USED] // len(collected.sentences))

    def _sentences_of_a_story(self) -> float:
        collected = self._collected
        return len(collected.sentences) / collected.stories if collected.sentences else SENTENCES_OF_A_STORY

    def take(self, answered: list[tuple[Cells, Answer | None]]) -> None:
        """Collect the sentences of the stories."""
        collected = self._collected
        for _, answer in answered:
            if answer:
                collected.take(answer.text, answer.finish_reason, answer.error)
            else:
                self._expected += self._sentences_of_a_story()
        log.info("%s: %d sentences, %d missing", collected.name, len(collected.sentences), collected.missing)


def ask_story_generator(
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    answers: Path,
    name: str,
    asking: Asking,
    icu_locale: str,
    sentences: int,
) -> None:
    """Write the model's stories (`ANSWERS_SCHEMA`), as many as `sentences` sentences need.

    `InputError` if the model gives no new sentence for many stories.
    """
    # A part of a set is none: there is no reason here that nothing may be sent.
    asking = replace(asking, not_available="")
    collected = CollectedStories(f"{name}, {asking.row.name}", icu_locale, sentences)
    questions = StoryQuestions(asking.row, prompt, system, collected)
    write_batches(answers, ANSWERS_SCHEMA, ask(questions, asking, recorded, generator=asking.row.name))


def estimate_stories(
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    asking: Asking,
    icu_locale: str,
    sentences: int,
) -> None:
    """Write one row: what `ask_story_generator` would send, without sending it."""
    collected = CollectedStories(f"{name}, {asking.row.name}", icu_locale, sentences)
    questions = StoryQuestions(asking.row, prompt, system, collected)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))


def collect_story_sentences(
    answers: Path, story_set: Path, condition: str, lang: str, icu_locale: str, sentences: int
) -> None:
    """Write the first `sentences` sentences of the stories as a corpus, a story a document.

    The metadata count the stories by what became of them, and those that were cut at the model's limit.
    """
    generator = read_metadata(answers)["generator"]
    collected = CollectedStories(f"{answers}, {generator}", icu_locale, sentences)
    for batch in read_batches(answers, 1000, ["answer", "finish_reason", "error"]):
        for cells in zip(*batch.values(), strict=True):
            collected.take(*cells)
    if collected.missing:
        raise InputError(
            f"{answers}: its stories have {len(collected.sentences)} of {sentences} sentences; delete the file and run "
            "again, which asks for the rest"
        )
    rows = [
        {"id": f"{condition}/{number:06d}", "doc_id": f"{story:06d}", "lang": lang, "text": text}
        for number, (story, text) in enumerate(collected.sentences, start=1)
    ]
    statuses = dict(sorted(collected.statuses.items()))
    _write_set(story_set, rows, {"generator": generator, "stories": statuses, "cut": collected.cut})


def alternate_story_sets(first: Path, second: Path, story_set: Path, condition: str, sentences: int) -> None:
    """Write the sentences of two sets in turn, the first one's first, until there are `sentences` (App. E)."""
    halves = [read_rows(path).slice(0, math.ceil(sentences / 2)).to_pylist() for path in (first, second)]
    turns = [row for pair in zip(*halves, strict=True) for row in pair][:sentences]
    rows = [
        row | {"id": f"{condition}/{number:06d}", "doc_id": row["id"].partition("/")[0] + "/" + row["doc_id"]}
        for number, row in enumerate(turns, start=1)
    ]
    _write_set(story_set, rows, {})


def _write_set(path: Path, rows: list[dict[str, Any]], metadata: dict[str, Any]) -> None:
    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        yield rows
        return metadata

    write_batches(path, TEXT_SCHEMA, batches())
