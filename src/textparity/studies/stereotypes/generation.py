"""Asking a language model for sentences about women and men with words of a coded lexicon (Soundararajan 2023, §III).

Every word of the lexicon is asked for in each of the four kinds. A word without a sentence that passes all checks is
asked for again, up to `max_attempts` times; the first attempt alone is what the paper did.
"""

import logging
from pathlib import Path

import pyarrow as pa

from textparity.corpora.rows import write_batches
from textparity.llm.answering import ANSWER_FIELDS, Asking, Cells, Question, Questions, ask, estimate, write_estimate
from textparity.llm.exchange import Answer, Request
from textparity.llm.models import ModelRow
from textparity.llm.prompts import read_part, to_prompt
from textparity.studies.stereotypes.coded_lexicons import load_coded_lexicon
from textparity.studies.stereotypes.kinds import KINDS, Kind
from textparity.studies.stereotypes.sentence_checks import NO_ANSWER, CheckedSentence, PersonWords, SentenceChecker
from textparity.studies.stereotypes.sentence_prompts import SentencePrompt

log = logging.getLogger(__name__)

# Runs of a set are numbered from here times its number, so that more attempts change no request made before.
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


class SentenceQuestions(Questions):
    """The questions of one set to one model, attempt after attempt: what is asked next depends on what passed."""

    def __init__(
        self,
        row: ModelRow,
        prompt: Path,
        system: Path | None,
        lexicon: Path,
        form: str,
        person_nouns: Path,
        number: int,
        max_attempts: int,
    ) -> None:
        self._row = row
        self._prompt = SentencePrompt(prompt)
        self._system = read_part(system) if system else ""
        self._lexicon = load_coded_lexicon(lexicon, form)
        self._checker = SentenceChecker(self._lexicon, PersonWords(person_nouns), self._prompt.without_words())
        self._run = (number - 1) * RUNS_OF_A_SET
        self._open = {name: self._lexicon.of(kind.coding) for name, kind in KINDS.items()}
        self._attempt = 0
        self._max_attempts = max_attempts

    @property
    def repeats(self) -> int:
        """The attempts that are left."""
        return self._max_attempts - self._attempt

    def next_batch(self) -> list[Question]:
        """Return all questions of the next attempt; none if no word is open."""
        if not self.repeats:
            return []
        self._attempt += 1
        size = self._prompt.words_at_once
        groups = [
            (kind, self._open[name][start : start + size])
            for name, kind in KINDS.items()
            for start in range(0, len(self._open[name]), size)
        ]
        return [
            (
                {"kind": kind.name, "attempt": self._attempt, "number": number, "asked": words},
                self._request(kind, words),
            )
            for number, (kind, words) in enumerate(groups, start=1)
        ]

    def _request(self, kind: Kind, words: list[str]) -> Request:
        prompt = to_prompt(self._prompt.text(kind.gender, words, self._lexicon), self._row.mode, self._system)
        return Request.to_model(self._row, prompt, self._run + self._attempt - 1)

    def take(self, answered: list[tuple[Cells, Answer | None]]) -> None:
        """Check the answers; words of sentences that pass, and those without an answer, are not asked for again."""
        sentences: list[CheckedSentence] = []
        for cells, answer in answered:
            kind, done = KINDS[cells["kind"]], set(cells["asked"])
            if answer:
                checked = check_answer(self._checker, kind, cells["asked"], answer.text, answer.error)
                done = {sentence.word for sentence in checked if sentence.passed}
                sentences += checked
            self._open[kind.name] = [word for word in self._open[kind.name] if word not in done]
        passed = sum(sentence.passed for sentence in sentences)
        log.info("%s: attempt %d, %d of %d sentences passed", self._row.name, self._attempt, passed, len(sentences))


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
    asking: Asking,
    form: str,
    number: int,
    max_attempts: int,
) -> None:
    """Write the model's answers for all words and kinds of one set (`ANSWERS_SCHEMA`), in the order asked.

    `number` is that of the set, from 1. The metadata count answers and what is missing.
    """
    row = asking.row
    questions = SentenceQuestions(row, prompt, system, lexicon, form, person_nouns, number, max_attempts)
    write_batches(answers, ANSWERS_SCHEMA, ask(questions, asking, recorded, generator=row.name, set=number))


def estimate_sentences(
    lexicon: Path,
    person_nouns: Path,
    prompt: Path,
    system: Path | None,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    asking: Asking,
    form: str,
    number: int,
    max_attempts: int,
) -> None:
    """Write one row: what `ask_generator` would send with the same arguments, without sending it.

    Words whose answer is not there yet are taken to need every attempt that is left, so it is at most this.
    """
    questions = SentenceQuestions(asking.row, prompt, system, lexicon, form, person_nouns, number, max_attempts)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))
