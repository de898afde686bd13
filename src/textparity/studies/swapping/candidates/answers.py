"""Asking a language model to swap the sentences of a corpus, through the shared client and cache."""

import logging
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import write_batches
from textparity.llm.answering import (
    ANSWER_FIELDS,
    answer_cells,
    estimate_answers,
    open_answering,
    row_of,
    write_estimate_row,
)
from textparity.llm.exchange import Answer, Request
from textparity.studies.swapping.candidates.requests import Sentence, SwapPrompt, draw_names, select_sentences
from textparity.studies.swapping.entity_corpora import read_documents
from textparity.studies.swapping.language.person_names import OfferedNames
from textparity.studies.swapping.language.word_lists import load_gender_lists

log = logging.getLogger(__name__)

SWAP_ANSWERS_SCHEMA = pa.schema(
    [
        ("document", pa.string()),
        ("line", pa.int32()),
        ("original", pa.string()),
        # JSON: text to label.
        ("entities", pa.string()),
        ("feminine_names", pa.list_(pa.string())),
        ("masculine_names", pa.list_(pa.string())),
        *ANSWER_FIELDS,
    ]
)
Question = tuple[Sentence, OfferedNames, Request]


def ask_swapper(
    documents: Path,
    entities: Path,
    prompt: Path,
    gender_pairs: Path,
    common_gender_words: Path,
    feminine_names: Path,
    masculine_names: Path,
    recorded: list[Path],
    answers: Path,
    procedure: str,
    seed: int,
    model: dict[str, Any],
    cache: str,
    maximum_cost: float | None,
    maximum_requests: int | None,
    not_available: str,
) -> None:
    """Write the model's answer to every sentence with a job title (`SWAP_ANSWERS_SCHEMA`).

    `procedure` says how sentences and entities are chosen (`swap_requests`). With a reason in `not_available` nothing
    is sent: answers that are not in the cache are null, and the metadata of `answers` has their number and the reason.
    """
    row = row_of(model)
    lists = (gender_pairs, common_gender_words, feminine_names, masculine_names)
    questions = _questions(documents, entities, prompt, lists, procedure, seed, model)
    with open_answering(row, cache, recorded, maximum_cost, maximum_requests, not_available) as answering:
        found = answering.ask([request for *_, request in questions])
    metadata = {"swapper": row.name} | answering.summarise()

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        yield [_cells(*question, answer) for question, answer in zip(questions, found, strict=True)]
        return metadata

    write_batches(answers, SWAP_ANSWERS_SCHEMA, batches())


def write_swap_estimate(
    documents: Path,
    entities: Path,
    prompt: Path,
    gender_pairs: Path,
    common_gender_words: Path,
    feminine_names: Path,
    masculine_names: Path,
    recorded: list[Path],
    estimate_csv: Path,
    procedure: str,
    seed: int,
    name: str,
    model: dict[str, Any],
    cache: str,
) -> None:
    """Write one row: what `ask_swapper` would send with the same arguments; nothing is sent."""
    lists = (gender_pairs, common_gender_words, feminine_names, masculine_names)
    questions = _questions(documents, entities, prompt, lists, procedure, seed, model)
    total = estimate_answers((request for *_, request in questions), row_of(model), cache, recorded)
    write_estimate_row(estimate_csv, name, model, total)


def _questions(
    documents: Path,
    entities: Path,
    prompt: Path,
    lists: tuple[Path, Path, Path, Path],
    procedure: str,
    seed: int,
    model: dict[str, Any],
) -> list[Question]:
    question = SwapPrompt(row_of(model), prompt)
    words = load_gender_lists(*lists)
    found = []
    for sentence in select_sentences(read_documents(documents, entities), procedure):
        names = draw_names(words, sentence, seed, procedure)
        found.append((sentence, names, question.request(sentence, names)))
    return found


def _cells(sentence: Sentence, names: OfferedNames, _: Request, answer: Answer | None) -> dict[str, Any]:
    return {
        "document": sentence.document,
        "line": sentence.line,
        "original": sentence.text,
        "entities": sentence.entities_json,
        "feminine_names": list(names.feminine),
        "masculine_names": list(names.masculine),
    } | answer_cells(answer)
