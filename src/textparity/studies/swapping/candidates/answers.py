"""Asking a language model to swap the sentences of a corpus, through the shared client and cache."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from textparity.corpora.rows import write_batches
from textparity.llm.answering import ANSWER_FIELDS, Asking, Question, Questions, ask, estimate, write_estimate
from textparity.studies.swapping.candidates.asking import SwapPrompt, draw_names, select_sentences
from textparity.studies.swapping.entity_corpora import read_documents
from textparity.studies.swapping.language.word_lists import load_gender_lists

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


def swap_questions(
    asking: Asking, documents: Path, entities: Path, prompt: Path, lists: list[Path], procedure: str, seed: int
) -> Questions:
    """Return the questions about every sentence with a job title.

    `procedure` says how sentences and entities are chosen (`swap_requests`).
    """
    question = SwapPrompt(asking.row, prompt)
    words = load_gender_lists(*lists)

    def questions() -> Iterator[Question]:
        for sentence in select_sentences(read_documents(documents, entities), procedure):
            names = draw_names(words, sentence, seed, procedure)
            cells = {
                "document": sentence.document,
                "line": sentence.line,
                "original": sentence.text,
                "entities": sentence.entities_json,
                "feminine_names": list(names.feminine),
                "masculine_names": list(names.masculine),
            }
            yield cells, question.request(sentence, names)

    return Questions(questions())


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
    asking: Asking,
    procedure: str,
    seed: int,
) -> None:
    """Write the model's answer to every sentence with a job title (`SWAP_ANSWERS_SCHEMA`)."""
    lists = [gender_pairs, common_gender_words, feminine_names, masculine_names]
    questions = swap_questions(asking, documents, entities, prompt, lists, procedure, seed)
    write_batches(answers, SWAP_ANSWERS_SCHEMA, ask(questions, asking, recorded, swapper=asking.row.name))


def estimate_swapping(
    documents: Path,
    entities: Path,
    prompt: Path,
    gender_pairs: Path,
    common_gender_words: Path,
    feminine_names: Path,
    masculine_names: Path,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    asking: Asking,
    procedure: str,
    seed: int,
) -> None:
    """Write one row: what `ask_swapper` would send with the same arguments; nothing is sent."""
    lists = [gender_pairs, common_gender_words, feminine_names, masculine_names]
    questions = swap_questions(asking, documents, entities, prompt, lists, procedure, seed)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))
