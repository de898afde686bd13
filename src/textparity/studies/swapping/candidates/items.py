"""Asking a language model to swap the test items and to swap its answers back (Nahurna 2025, §4.1.5).

As the authors' notebook does: an item is the whole question, an instruction and a word or sentence, without prompt,
entities or names. So the scores of Tables 3 and 8 are those of a model without the few-shot prompt of §4.1.2.
"""

import csv
import logging
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textparity.errors import InputError
from textparity.files import write_rows
from textparity.llm.answering import estimate_answers, find_answers, open_answering, row_of, write_estimate_row
from textparity.llm.exchange import Answer, Request
from textparity.llm.models import ModelRow
from textparity.llm.prompts import to_prompt
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


def ask_swapper_on_items(
    test_items: Path,
    recorded: list[Path],
    outputs: Path,
    answers: Path,
    model: dict[str, Any],
    cache: str,
    maximum_cost: float | None,
    maximum_requests: int | None,
    not_available: str,
) -> None:
    """Write one row (`OUTPUT_COLUMNS`) an item, and every answer as it came (`ANSWER_COLUMNS`).

    `outputs` has no rows where an answer is missing, as the scores of a part are not those of the whole.
    """
    row = row_of(model)
    wanted = read_items(test_items)
    with open_answering(row, cache, recorded, maximum_cost, maximum_requests, not_available) as answering:
        there = answering.ask([_request(row, item, item.input) for item in wanted])
        swapped = [_mend(answer, item) for answer, item in zip(there, wanted, strict=True)]
        asked_back = [(item, text) for item, text in zip(wanted, swapped, strict=True) if text]
        back = dict(
            zip(
                (item.number for item, _ in asked_back),
                answering.ask([_request(row, item, text, ROUND_TRIP) for item, text in asked_back]),
                strict=True,
            )
        )
    complete = not answering.missing
    if not complete:
        log.warning("%s: %d answers are missing: %s; nothing is scored", row.name, answering.missing, not_available)
    rows = [
        [item.number, item.kind, item.input, item.reference, text, _mend(back.get(item.number), item)]
        for item, text in zip(wanted, swapped, strict=True)
    ]
    write_rows(outputs, OUTPUT_COLUMNS, rows if complete else [])
    steps = [(item.number, "there", answer) for item, answer in zip(wanted, there, strict=True)]
    steps += [(number, "back", answer) for number, answer in back.items()]
    kept = [
        [number, step, answer.text, answer.finish_reason, answer.model, answer.error]
        for number, step, answer in sorted(steps, key=lambda cells: cells[0])
        if answer
    ]
    write_rows(answers, ANSWER_COLUMNS, kept)


def write_items_estimate(
    test_items: Path, recorded: list[Path], estimate_csv: Path, name: str, model: dict[str, Any], cache: str
) -> None:
    """Write one row: what `ask_swapper_on_items` would send; an unknown way back is taken to be as long as the item."""
    row = row_of(model)
    wanted = read_items(test_items)
    there = [_request(row, item, item.input) for item in wanted]
    back = [
        _request(row, item, (_mend(answer, item) or item.input) if answer else item.input, ROUND_TRIP)
        for item, answer in zip(wanted, find_answers(there, cache, recorded), strict=True)
    ]
    write_estimate_row(estimate_csv, name, model, estimate_answers([*there, *back], row, cache, recorded))


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
