"""Asking a language model to swap the test items, and to swap its answers back."""

import csv
import dataclasses

import pytest
from llm_server import LanguageModelServer, prompt_of

from textparity.errors import InputError
from textparity_studies.llm.answering import Asking
from textparity_studies.llm.models import ModelRow
from textparity_studies.swapping.asking import ask_swapper_on_items, estimate_swapping_items, read_items

WORD = "Перефразуй це слово, змінивши його гендер на протилежний (чоловічий <-> жіночий): "
SENTENCE = "Перефразуй це речення, змінивши гендерні сутності на протилежні (чоловічий <-> жіночий): "
ITEMS = [(f"{WORD}кухар", "кухарка"), (f"{SENTENCE}Кухар каже: пора.", "Кухарка каже: пора.")]
ANSWERS = {
    f"{WORD}кухар": "Кухарка.",
    f"{WORD}кухарка": " Кухар",
    f"{SENTENCE}Кухар каже: пора.": "Кухарка каже: пора.",
    f"{SENTENCE}Кухарка каже: пора.": "Кухар каже: Пора.",
}


def write_items(path, items=ITEMS, header=("inputs", "targets")):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *items])
    return path


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def server():
    with LanguageModelServer() as running:
        running.reply = lambda body: ANSWERS[prompt_of(body)]
        yield running


@pytest.fixture
def row(server):
    return ModelRow("small", server.url, "org/small", "chat", "", 0.1, None, max_tokens=100, seed=None)


@pytest.fixture
def ask(tmp_path):
    def ask(row, items=ITEMS, not_available=""):
        ask_swapper_on_items(
            write_items(tmp_path / "items.csv", items), [], tmp_path / "outputs.csv", tmp_path / "answers.csv",
            Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite"), not_available=not_available),
        )  # fmt: skip
        return table(tmp_path / "outputs.csv")

    return ask


@pytest.fixture
def estimated(tmp_path):
    """Estimate what `ask` would take; returns requests in the cache and to send, and tokens of the answers."""

    def estimated(row):
        estimate_swapping_items(
            write_items(tmp_path / "items.csv"), [], tmp_path / "estimate.csv", "items",
            Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite")),
        )  # fmt: skip
        (found,) = table(tmp_path / "estimate.csv")
        return found["in_cache"], found["to_send"], found["completion_tokens"]

    return estimated


def test_an_item_is_an_instruction_and_a_word_or_sentence(tmp_path):
    items = read_items(write_items(tmp_path / "items.csv"))
    assert [(item.number, item.kind, item.instruction, item.input) for item in items] == [
        (1, "word", WORD, "кухар"), (2, "sentence", SENTENCE, "Кухар каже: пора."),
    ]  # fmt: skip


def test_an_item_without_its_instruction_is_named(tmp_path):
    with pytest.raises(InputError, match=r"items\.csv, item 2: 'Скажи: кухар' does not begin with an instruction"):
        read_items(write_items(tmp_path / "items.csv", [ITEMS[0], ("Скажи: кухар", "кухарка")]))
    with pytest.raises(InputError, match="column inputs, targets"):
        read_items(write_items(tmp_path / "items.csv", header=("a", "b")))


def test_answers_are_swapped_back_after_case_and_full_stop_are_the_item_s(server, row, ask, tmp_path):
    rows = ask(row)
    assert [list(cells.values()) for cells in rows] == [
        ["1", "word", "кухар", "кухарка", "кухарка", "кухар"],
        ["2", "sentence", "Кухар каже: пора.", "Кухарка каже: пора.", "Кухарка каже: пора.", "Кухар каже: Пора."],
    ]
    assert [set(body) for body in server.bodies] == [{"model", "messages", "temperature", "max_tokens"}] * 4
    assert [len(body["messages"]) for body in server.bodies] == [1] * 4
    kept = table(tmp_path / "answers.csv")
    assert [(cells["item"], cells["step"], cells["answer"]) for cells in kept][:2] == [
        ("1", "there", "Кухарка."), ("1", "back", " Кухар"),
    ]  # fmt: skip


def test_a_blank_answer_is_a_blank_output_and_is_not_asked_back(server, row, ask, estimated):
    server.reply = lambda body: " "
    rows = ask(row)
    assert [(cells["output"], cells["round_trip"]) for cells in rows] == [("", ""), ("", "")]
    assert server.total == 2
    assert (estimated(row), server.total) == (("2", "0", "0"), 2)


def test_outputs_that_are_not_complete_are_no_outputs(server, row, ask, tmp_path, caplog):
    ask(row, ITEMS[:1])
    assert ask(row, ITEMS, not_available="no key") == []
    # The second item's, and what would be asked back.
    assert "small: 2 answers, 2 missing: no key" in caplog.text
    assert "outputs.csv: nothing is scored, as answers are missing" in caplog.text
    assert len(table(tmp_path / "answers.csv")) == 2
    assert len(ask(row, ITEMS[:1], not_available="no key")) == 1


def test_an_item_that_came_back_unchanged_is_asked_again(server, row, ask):
    server.reply = lambda body: prompt_of(body).removeprefix(WORD)
    assert ask(row, ITEMS[:1])[0]["round_trip"] == "кухар"
    assert server.total == 2


def test_the_estimate_counts_both_ways_and_sends_nothing(server, row, ask, estimated):
    assert (estimated(row), server.total) == (("0", "4", "400"), 0)
    ask(row)
    assert (estimated(row), server.total) == (("4", "0", "0"), 4)
