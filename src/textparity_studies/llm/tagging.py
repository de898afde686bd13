"""Ask a language model for the nouns and pronouns of sentences, their reference and gender (Derner 2025, §3.2).

Prompt and examples are files, and are filled as in the paper's notebook: examples first, then the sentence.
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import read_batches, write_batches
from textparity.errors import InputError
from textparity_studies.llm.answering import ANSWER_FIELDS, Asking, Questions, ask, estimate, write_estimate
from textparity_studies.llm.messages import Request, check_placeholders, fill, read_part, to_prompt
from textparity_studies.llm.models import ModelRow

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
        request = Request.to_model(self._row, prompt, run)
        extra = {key: _fill_words(value, sentence) for key, value in request.extra.items()}
        return replace(request, extra=extra)


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
