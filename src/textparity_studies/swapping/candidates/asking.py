"""Ask a language model to swap the sentences of a corpus, and the test items (Nahurna 2025, §4.1.2 and §4.1.5).

A question about a sentence has its entities, names and the prompt. `published` is the authors' notebook: it asks about
a line if the text of any JOB entity of its document occurs in it as a word, and sends all of the document's JOB and
PERS texts that occur in it. `corrected` sends the entities that are annotated in the line itself, and draws three
different names.

As in the authors' notebook, a test item is the whole question: an instruction and a word or sentence, without prompt,
entities or names. The scores of Tables 3 and 8 are therefore those of a model without the few-shot prompt. We then ask
the model to swap its answer back.
"""

import csv
import json
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from textparity.corpora.rows import write_batches
from textparity.counting.statistics import random_generator
from textparity.errors import InputError
from textparity.files import write_rows
from textparity.persons.ukrainian.word_lists import GenderLists, load_gender_lists
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
from textparity_studies.llm.messages import Answer, Request, check_placeholders, fill, read_part, to_prompt
from textparity_studies.llm.models import ModelRow
from textparity_studies.swapping.candidates.outputs import OUTPUT_COLUMNS, SENTENCE, WORD
from textparity_studies.swapping.entity_corpora import Document, read_documents
from textparity_studies.swapping.language.person_names import OfferedNames, draw
from textparity_studies.swapping.names import JOB, LABELS

FEMININE_NAMES, MASCULINE_NAMES = "{female_names}", "{male_names}"
# The file has the prompt in two languages; the study uses the second.
_VERSION = re.compile(r"^-+ (\w+) VERSION -+$", re.MULTILINE)
_LANGUAGE = "UKRAINIAN"
SWAP_ANSWERS_SCHEMA = pa.schema(
    [
        ("document", pa.string()),
        ("line", pa.int32()),
        ("original", pa.string()),
        # JSON that maps text to label.
        ("entities", pa.string()),
        ("feminine_names", pa.list_(pa.string())),
        ("masculine_names", pa.list_(pa.string())),
        *ANSWER_FIELDS,
    ]
)
log = logging.getLogger(__name__)
# Numbers of runs; with separate ones, an item that came back unchanged is requested again.
FORWARD, ROUND_TRIP = 0, 1
ANSWER_COLUMNS = ("item", "step", "answer", "finish_reason", "model", "error")
_KINDS = {"слово": WORD, "речення": SENTENCE}
_ITEM = re.compile(r"(Перефразуй це (слово|речення),[^:]*: )(.*)", re.DOTALL)


@dataclass(frozen=True)
class Sentence:
    """Hold a line (from 0) of a document, stripped of white space, and its entities as sent: text to label.

    The entities are a dictionary, as in the paper: an entity whose text occurs twice is listed once.
    """

    document: str
    line: int
    text: str
    entities: dict[str, str]

    @property
    def entities_json(self) -> str:
        """The entities as a cell of a table."""
        return json.dumps(self.entities, ensure_ascii=False)


def select_sentences(documents: list[Document], procedure: str) -> list[Sentence]:
    """Select the lines to swap, in the order of the documents."""
    if procedure == "corrected":
        found = [sentence for document in documents for sentence in _annotated(document)]
    else:
        found = [sentence for document in documents for sentence in _mentioning(document)]
        # The notebook keeps sentences in a dictionary, so for a text in several documents the last one counts.
        last = {sentence.text: sentence.entities for sentence in found}
        found = [replace(sentence, entities=last[sentence.text]) for sentence in found]
    return [sentence for sentence in found if JOB in sentence.entities.values()]


def _mentioning(document: Document) -> list[Sentence]:
    recorded = [(_recorded_text(entity.text), entity.label) for entity in document.entities]
    found = []
    for number, (start, end) in enumerate(document.lines):
        line = document.text[start:end].strip()
        # A later entity with the same text replaces an earlier one, whatever its label.
        entities = {text: label for text, label in recorded if _stands_in(text, line)}
        found.append(Sentence(document.document, number, line, _gendered(entities)))
    return found


def _annotated(document: Document) -> list[Sentence]:
    found = []
    for number, (start, end) in enumerate(document.lines):
        inside = [entity for entity in document.entities if start <= entity.start < end]
        entities = {
            _recorded_text(entity.text): entity.label for entity in sorted(inside, key=lambda entity: entity.start)
        }
        line = document.text[start:end].strip()
        found.append(Sentence(document.document, number, line, _gendered(entities)))
    return found


def _recorded_text(text: str) -> str:
    """Return the text of an entity as NER-UK's files record it: cut at a line end."""
    return text.partition("\n")[0].strip()


def _stands_in(text: str, line: str) -> bool:
    # A plain search for the text is much faster, and nearly always sufficient.
    return text in line and bool(re.search(rf"\b{re.escape(text)}\b", line))


def _gendered(entities: dict[str, str]) -> dict[str, str]:
    return {text: label for text, label in entities.items() if label in LABELS}


def draw_names(lists: GenderLists, sentence: Sentence, seed: int, procedure: str) -> OfferedNames:
    """Draw three names of each gender by their frequency; they depend only on the seed and the sentence.

    In the published procedure, a name may be drawn twice.
    """
    generator = random_generator(seed, "names", sentence.text)
    masculine, feminine = (
        draw(names, generator, repeats=procedure == "published")
        for names in (lists.masculine_names, lists.feminine_names)
    )
    return OfferedNames(feminine, masculine)


class SwapPrompt:
    """Build the question to one model about any sentence."""

    def __init__(self, row: ModelRow, prompt: Path) -> None:
        self._row = row
        self._template = _ukrainian(read_part(prompt), prompt)
        check_placeholders(prompt, self._template, [FEMININE_NAMES, MASCULINE_NAMES])

    def request(self, sentence: Sentence, names: OfferedNames) -> Request:
        """Build the request: the prompt as the system's message, sentence and entities as the user's.

        For a model that completes texts, they become one more of the prompt's examples.
        """
        # The notebook inserts lists and dictionaries into its strings as Python prints them.
        values = {FEMININE_NAMES: str(list(names.feminine)), MASCULINE_NAMES: str(list(names.masculine))}
        instructions = fill(self._template, values)
        question = f"{sentence.text}\n{sentence.entities}"
        prompt: Any = [{"role": "system", "content": instructions}, {"role": "user", "content": question}]
        if self._row.mode == "completion":
            prompt = f"{instructions}\n\nInput:\n{question}\n\nOutput:\n"
        return Request.to_model(self._row, prompt)


def _ukrainian(text: str, path: Path) -> str:
    headings = list(_VERSION.finditer(text))
    if not headings:
        return text.strip()
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        if heading[1] == _LANGUAGE:
            return text[heading.end() : following.start() if following else None].strip()
    raise InputError(f"{path}: has no part --- {_LANGUAGE} VERSION ---; add it, or leave out the headings")


def swap_questions(
    asking: Asking, documents: Path, entities: Path, prompt: Path, procedure: str, seed: int, **word_lists: Path
) -> Questions:
    """Build the questions about every sentence with a job title.

    `procedure` determines the choice of sentences and entities (`select_sentences`).
    """
    question = SwapPrompt(asking.row, prompt)
    words = load_gender_lists(**word_lists)

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
    recorded: list[Path],
    answers: Path,
    asking: Asking,
    procedure: str,
    seed: int,
    **word_lists: Path,
) -> None:
    """Write the model's answer to every sentence with a job title (`SWAP_ANSWERS_SCHEMA`)."""
    questions = swap_questions(asking, documents, entities, prompt, procedure, seed, **word_lists)
    write_batches(answers, SWAP_ANSWERS_SCHEMA, ask(questions, asking, recorded, swapper=asking.row.name))


def estimate_swapping(
    documents: Path,
    entities: Path,
    prompt: Path,
    recorded: list[Path],
    estimate_csv: Path,
    name: str,
    asking: Asking,
    procedure: str,
    seed: int,
    **word_lists: Path,
) -> None:
    """Write one row: the requests that `ask_swapper` would send with the same arguments, without sending them."""
    questions = swap_questions(asking, documents, entities, prompt, procedure, seed, **word_lists)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))


@dataclass(frozen=True)
class Item:
    """Hold a word or sentence to swap, its reference, and the instruction before it."""

    number: int
    kind: str
    instruction: str
    input: str
    reference: str


def read_items(path: Path) -> list[Item]:
    """Read the items (CSV `inputs,targets`), numbered from 1; `InputError` for an item without a known instruction."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames != ["inputs", "targets"]:
            raise InputError(f"{path}: the header is {rows.fieldnames}; it must be inputs,targets")
        return [_item(number, cells, path) for number, cells in enumerate(rows, start=1)]


class ItemQuestions(Questions):
    """Ask about all items, then about their answers; an item without an answer is assumed to come back unchanged.

    `texts` has the answers by number and step, in the notebook's form.
    """

    def __init__(self, row: ModelRow, test_items: Path) -> None:
        self._row = row
        self.items = {item.number: item for item in read_items(test_items)}
        self.texts: dict[tuple[int, str], str] = {}
        self._batch = [self._question(item, "there", item.input, FORWARD) for item in self.items.values()]

    def _question(self, item: Item, step: str, text: str, run: int) -> Question:
        request = Request.to_model(self._row, to_prompt(item.instruction + text, self._row.mode), run)
        return {"item": item.number, "step": step}, request

    def next_batch(self) -> list[Question]:
        """Return the items, and then their answers to be swapped back."""
        batch, self._batch = self._batch, []
        return batch

    def take(self, answered: list[tuple[Cells, Answer | None]]) -> None:
        """Keep the answers, and request the way back for those that are not blank."""
        for cells, answer in answered:
            item = self.items[cells["item"]]
            text = self.texts[item.number, cells["step"]] = _mend(answer, item)
            swapped = text if answer else item.input
            if cells["step"] == "there" and swapped:
                self._batch.append(self._question(item, "back", swapped, ROUND_TRIP))


def ask_swapper_on_items(test_items: Path, recorded: list[Path], outputs: Path, answers: Path, asking: Asking) -> None:
    """Write one row (`OUTPUT_COLUMNS`) per item, and every original answer (`ANSWER_COLUMNS`).

    `outputs` has no rows if an answer is missing, because the scores of a part are not those of the whole.
    """
    questions = ItemQuestions(asking.row, test_items)
    asked = [row for batch in ask(questions, asking, recorded) for row in batch]
    asked.sort(key=lambda row: row["item"])
    kept = [[row[name] for name in ANSWER_COLUMNS] for row in asked if "answer" in row]
    if len(kept) < len(asked):
        log.warning("%s: %s: nothing is scored, as answers are missing", asking.row.name, outputs)
    texts = questions.texts
    rows = [
        [item.number, item.kind, item.input, item.reference, texts[number, "there"], texts.get((number, "back"), "")]
        for number, item in questions.items.items()
    ]
    write_rows(outputs, OUTPUT_COLUMNS, rows if len(kept) == len(asked) else [])
    write_rows(answers, ANSWER_COLUMNS, kept)


def estimate_swapping_items(
    test_items: Path, recorded: list[Path], estimate_csv: Path, name: str, asking: Asking
) -> None:
    """Write one row: the requests of `ask_swapper_on_items`; a pending way back is estimated at the item's length."""
    questions = ItemQuestions(asking.row, test_items)
    write_estimate(estimate_csv, name, asking, estimate(questions, asking, recorded))


def _item(number: int, cells: dict[str, str], path: Path) -> Item:
    found = _ITEM.fullmatch(cells["inputs"])
    if not found:
        raise InputError(
            f"{path}, item {number}: {cells['inputs'][:60]!r} does not begin with an instruction to change the gender "
            "of a word or sentence"
        )
    return Item(number, _KINDS[found[2]], found[1], found[3], cells["targets"])


def _mend(answer: Answer | None, item: Item) -> str:
    """Adapt an answer as the notebook does: no full stop that the item lacks, and the item's case."""
    text = answer.text.strip() if answer and not answer.error else ""
    if not item.input.strip().endswith("."):
        text = text.removesuffix(".")
    return text[:1].lower() + text[1:] if item.input[:1].islower() else text
