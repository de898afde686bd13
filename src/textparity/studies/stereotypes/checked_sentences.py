"""The sentences of one set as files: those that pass all checks, all that were written, and what was rejected."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from textparity.corpora.rows import read_batches
from textparity.files import write_rows
from textparity.studies.stereotypes.coded_lexicons import load_coded_lexicon
from textparity.studies.stereotypes.generation import check_answer
from textparity.studies.stereotypes.kinds import KINDS, Kind
from textparity.studies.stereotypes.sentence_checks import CheckedSentence, PersonWords, SentenceChecker
from textparity.studies.stereotypes.sentence_prompts import SentencePrompt
from textparity.studies.stereotypes.sentences import ALL_COLUMNS, SENTENCE_COLUMNS

REJECTED_COLUMNS = ["kind", "attempt", "word", "reason", "text"]
BATCH_ANSWERS = 1000


def check_sentences(
    answers: Path,
    lexicon: Path,
    person_nouns: Path,
    prompt: Path,
    sentences: Path,
    all_sentences: Path,
    rejected: Path,
    name: str,
    form: str,
) -> None:
    """Split the answers of a set into sentences and check each.

    `sentences` has those that pass (`corrected`), labelled by what they were checked for. `all_sentences` has every
    one, labelled by what was asked, with the try and all reasons against it; those of try 1 are what the paper would
    have taken (`published`). `rejected` has the first reason of each, and answers without any sentence.
    """
    coded = load_coded_lexicon(lexicon, form)
    checker = SentenceChecker(coded, PersonWords(person_nouns), SentencePrompt(prompt).without_words())
    every, bad = [], []
    for kind, attempt, place, found in _checked(answers, checker):
        if found.text:
            cells = [f"{name}/{place}", kind.name, kind.gender, kind.coding, kind.label]
            every.append([*cells, found.word, " ".join(found.words), found.text, attempt, "; ".join(found.reasons)])
        if not found.passed:
            bad.append([kind.name, attempt, found.word, found.reasons[0], found.text])
    write_rows(sentences, SENTENCE_COLUMNS, (row[: len(SENTENCE_COLUMNS)] for row in every if not row[-1]))
    write_rows(all_sentences, ALL_COLUMNS, every)
    write_rows(rejected, REJECTED_COLUMNS, bad)


def _checked(answers: Path, checker: SentenceChecker) -> Iterator[tuple[Kind, int, str, CheckedSentence]]:
    for batch in read_batches(answers, BATCH_ANSWERS):
        for row in _rows(batch):
            if row["answer"] is None:
                continue
            kind = KINDS[row["kind"]]
            found = check_answer(checker, kind, row["asked"], row["answer"], row["error"])
            for number, sentence in enumerate(found, start=1):
                yield kind, row["attempt"], f"{row['attempt']}-{row['number']}-{number}", sentence


def _rows(batch: dict[str, list[Any]]) -> Iterator[dict[str, Any]]:
    return (dict(zip(batch, cells, strict=True)) for cells in zip(*batch.values(), strict=True))
