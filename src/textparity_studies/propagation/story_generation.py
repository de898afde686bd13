"""Ask a language model for sets of stories: about men, about women, and both in turn (Derner 2025, App. E).

We ask a model the same question again and again, each time with the next run (and seed), until its stories have enough
sentences. The number of simultaneous questions does not matter, because stories are used in order.
"""

import logging
import math
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import TEXT_SCHEMA, read_batches, read_metadata, read_rows, write_batches
from textparity.counting.tokenizers.icu import split_sentences
from textparity.errors import InputError
from textparity_studies.llm.answering import (
    ANSWER_FIELDS,
    Asking,
    Cells,
    Question,
    Questions,
    ask,
    estimate,
    write_estimate,
)
from textparity_studies.llm.messages import Answer, Request, read_part, to_prompt
from textparity_studies.llm.models import ModelRow
from textparity_studies.propagation.variants import ASKED_CONDITIONS, BALANCED

log = logging.getLogger(__name__)

# "About 40-50 sentences" (App. E), for estimates before any story is written.
SENTENCES_OF_A_STORY = 45
# After this many consecutive stories without a new sentence, further requests would be pointless.
USELESS_IN_A_ROW = 20
USED, NOT_NEEDED, NO_STORY, NO_SENTENCE, TOLD_BEFORE = STATUSES = (
    "used", "not needed", "no answer", "no sentence", "same as before",
)  # fmt: skip
# `story` counts from 1.
ANSWERS_SCHEMA = pa.schema([("story", pa.int32()), *ANSWER_FIELDS])


@dataclass
class CollectedStories:
    """Collect the sentences of one set from stories, in the order in which they were requested.

    `sentences` are (story, text), with stories counted from 1; `statuses` counts the stories by outcome. Lines without
    a letter do not count. Nor does the last sentence of a story that was cut at the model's limit (`cut`).
    """

    name: str
    locale: str
    wanted: int
    sentences: list[tuple[int, str]] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    cut: int = 0
    _told: set[str] = field(default_factory=set)
    # Consecutive stories without a new sentence.
    useless: int = 0

    @property
    def stories(self) -> int:
        """The number of stories used so far."""
        return self.statuses.total()

    @property
    def missing(self) -> int:
        """The number of sentences still missing."""
        return self.wanted - len(self.sentences)

    def take(self, text: str, finish_reason: str, error: str) -> None:
        """Add the next story; `InputError` if too many in a row have no new sentence."""
        status = self._take(text, finish_reason, error)
        self.statuses[status] += 1
        self.useless = 0 if status in (USED, NOT_NEEDED) else self.useless + 1
        if self.useless == USELESS_IN_A_ROW:
            found = ", ".join(f"{count} {status}" for status, count in sorted(self.statuses.items()))
            raise InputError(
                f"{self.name}: {USELESS_IN_A_ROW} stories in a row have no new sentence ({len(self.sentences)} of "
                f"{self.wanted} sentences; stories: {found}); see their answers in the cache, and name another model, "
                "or fix its prompt, temperature or max_tokens"
            )

    def _take(self, text: str, finish_reason: str, error: str) -> str:
        if not self.missing:
            return NOT_NEEDED
        if error:
            return NO_STORY
        found = [sentence for sentence in split_sentences(text, self.locale) if any(map(str.isalpha, sentence))]
        is_cut = bool(found) and finish_reason == "length"
        found = found[:-1] if is_cut else found
        if not found:
            return NO_SENTENCE
        if text in self._told:
            return TOLD_BEFORE
        self._told.add(text)
        self.cut += is_cut
        number = self.stories + 1
        self.sentences += [(number, sentence) for sentence in found[: self.missing]]
        return USED


class StoryQuestions(Questions):
    """Repeat the one question of a set until it has enough sentences; `story` counts from 1.

    A pending story is assumed to have as many sentences as those before it, or 45 if it is the first.
    """

    def __init__(self, row: ModelRow, prompt: Path, system: Path | None, collected: CollectedStories) -> None:
        self._row = row
        # Base models continue after the last letter; with a line end there, the answer would begin with one.
        text = read_part(prompt).rstrip("\n")
        if not text:
            raise InputError(f"{prompt}: is empty; write what asks for a story")
        self._prompt = to_prompt(text, row.mode, read_part(system) if system else "")
        self._collected = collected
        self._asked = 0
        self._expected = 0.0

    def next_batch(self) -> list[Question]:
        """Return the next questions; once there are stories, no more than will probably be needed."""
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
        # A model that only repeats itself will be stopped, so until it writes something new we pay for few requests.
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
    """Write the model's stories (`ANSWERS_SCHEMA`), as many as `sentences` sentences require.

    Raises `InputError` if many stories in a row have no new sentence.
    """
    # A partial set is useless, so missing answers are requested rather than skipped.
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
    """Write one row: the requests that `ask_story_generator` would send, without sending them."""
    collected = CollectedStories(f"{name}, {asking.row.name}", icu_locale, sentences)
    questions = StoryQuestions(asking.row, prompt, system, collected)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))


def collect_story_sets(answers: list[Path], story_sets: list[Path], lang: str, icu_locale: str, sentences: int) -> None:
    """Write the sets of a language: one from each of `answers`, by the requested conditions, and the balanced one."""
    first, second, balanced = story_sets
    for condition, path, story_set in zip(ASKED_CONDITIONS, answers, (first, second), strict=True):
        collect_story_sentences(path, story_set, condition, lang, icu_locale, sentences)
    interleave_story_sets(first, second, balanced, BALANCED, sentences)


def collect_story_sentences(
    answers: Path, story_set: Path, condition: str, lang: str, icu_locale: str, sentences: int
) -> None:
    """Write the first `sentences` sentences of the stories as a corpus, with each story as a document.

    The metadata count the stories by outcome, and those that were cut at the model's limit.
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


def interleave_story_sets(first: Path, second: Path, story_set: Path, condition: str, sentences: int) -> None:
    """Write the sentences of two sets alternately, beginning with the first, until there are `sentences` (App. E)."""
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
