"""Asking a language model to swap the test items and to swap its answers back (Nahurna 2025, §4.1.5).

As the authors' notebook does: an item is the whole question, an instruction and a word or sentence, without prompt,
entities or names. So the scores of Tables 3 and 8 are those of a model without the few-shot prompt of §4.1.2.
"""

import csv
import logging
import re
from dataclasses import dataclass
from pathlib import Path

from textparity.errors import InputError
from textparity.files import write_rows
from textparity.llm.answering import Asking, Cells, Question, Questions, ask, estimate, write_estimate
from textparity.llm.exchange import Answer, Request, to_prompt
from textparity.llm.models import ModelRow
from textparity.studies.swapping.candidates.outputs import OUTPUT_COLUMNS, SENTENCE, WORD

log = logging.getLogger(__name__)

# Numbers of runs: an item that came back unchanged is asked again, too.
FORWARD, ROUND_TRIP = 0, 1
ANSWER_COLUMNS = ("item", "step", "answer", "finish_reason", "model", "error")
_KINDS = {"слово": WORD, "речення": SENTENCE}
_ITEM = re.compile(r"(Перефразуй це (слово|речення),[^:]*: )(.*)", re.DOTALL)


@dataclass(frozen=True)
class Item:
    """A word or sentence to swap, what it should become, and the instruction before it."""

    number: int
    kind: str
    instruction: str
    input: str
    reference: str


def read_items(path: Path) -> list[Item]:
    """Read the items (CSV `inputs,targets`), numbered from 1; `InputError` for one without a known instruction."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames != ["inputs", "targets"]:
            raise InputError(f"{path}: the header is {rows.fieldnames}; it must be inputs,targets")
        return [_item(number, cells, path) for number, cells in enumerate(rows, start=1)]


class ItemQuestions(Questions):
    """All items, then what came of them; an item without an answer is taken to come back as it is.

    `texts` has the answers by number and step, as the notebook takes them.
    """

    def __init__(self, row: ModelRow, test_items: Path) -> None:
        self._row = row
        self.items = {item.number: item for item in read_items(test_items)}
        self.texts: dict[tuple[int, str], str] = {}
        self._batch = [self._question(item, "there", item.input, FORWARD) for item in self.items.values()]

    def _question(self, item: Item, step: str, text: str, run: int) -> Question:
        return {"item": item.number, "step": step}, _request(self._row, item, text, run)

    def next_batch(self) -> list[Question]:
        """Return the items, and then their answers to be swapped back."""
        batch, self._batch = self._batch, []
        return batch

    def take(self, answered: list[tuple[Cells, Answer | None]]) -> None:
        """Keep the answers, and ask those back that are not blank."""
        for cells, answer in answered:
            item = self.items[cells["item"]]
            text = self.texts[item.number, cells["step"]] = _mend(answer, item)
            swapped = text if answer else item.input
            if cells["step"] == "there" and swapped:
                self._batch.append(self._question(item, "back", swapped, ROUND_TRIP))


def ask_swapper_on_items(test_items: Path, recorded: list[Path], outputs: Path, answers: Path, asking: Asking) -> None:
    """Write one row (`OUTPUT_COLUMNS`) an item, and every answer as it came (`ANSWER_COLUMNS`).

    `outputs` has no rows where an answer is missing, as the scores of a part are not those of the whole.
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
    """Write one row: what `ask_swapper_on_items` would send; an unknown way back is taken to be as long as the item."""
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


def _request(row: ModelRow, item: Item, text: str, run: int = FORWARD) -> Request:
    return Request.to_model(row, to_prompt(item.instruction + text, row.mode), run)


def _mend(answer: Answer | None, item: Item) -> str:
    """Return an answer as the notebook takes it: without a full stop that the item has not, and in its case."""
    text = answer.text.strip() if answer and not answer.error else ""
    if not item.input.strip().endswith("."):
        text = text.removesuffix(".")
    return text[:1].lower() + text[1:] if item.input[:1].islower() else text
