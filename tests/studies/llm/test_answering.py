"""The pair that all studies ask and estimate with, on questions that depend on the answers before."""

import dataclasses
import logging

import pytest
from llm_server import LanguageModelServer, prompt_of

from textparity_studies.llm.answering import Asking, Questions, ask, estimate, show_estimates, write_estimate
from textparity_studies.llm.models import ModelRow, Request


class UntilYes(Questions):
    """Each word is asked for until the answer is yes, at most three times; one without an answer is given up."""

    def __init__(self, row, words):
        self.row, self.words, self.run = row, list(words), -1

    @property
    def repeats(self):
        return 2 - self.run

    def next_batch(self):
        if not self.repeats:
            return []
        self.run += 1
        return [({"word": word, "run": self.run}, Request(self.row, word, self.run)) for word in self.words]

    def take(self, answered):
        self.words = [cells["word"] for cells, answer in answered if answer and answer.text != "yes"]


@pytest.fixture
def server():
    with LanguageModelServer() as running:
        # "b" is right at the second time, "c" never.
        right = [("a", 0), ("b", 1)]
        running.reply = lambda body: "yes" if (prompt_of(body), body["seed"]) in right else "-"
        yield running


@pytest.fixture
def asking(server, tmp_path):
    row = ModelRow("small", server.url, "org/small", "completion", "", None, None, max_tokens=10, seed=0)
    return Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite"))


def run(asking, words):
    """Ask; returns the rows of all batches, and the metadata."""
    batches, rows = ask(UntilYes(asking.row, words), asking, [], of="words"), []
    while True:
        try:
            rows += next(batches)
        except StopIteration as end:
            return rows, end.value


def test_what_is_asked_next_depends_on_the_answers(asking, server):
    rows, metadata = run(asking, "abc")
    assert [(row["word"], row["run"], row["answer"]) for row in rows] == [
        ("a", 0, "yes"), ("b", 0, "-"), ("c", 0, "-"), ("b", 1, "yes"), ("c", 1, "-"), ("c", 2, "-"),
    ]  # fmt: skip
    assert metadata == {"of": "words", "answers": 6, "missing": 0, "reason": ""}
    assert server.total == 6
    assert run(asking, "abc") == (rows, metadata)
    assert server.total == 6


def test_an_estimate_follows_known_answers_and_takes_the_others_to_be_repeated(asking, server):
    expected = estimate(UntilYes(asking.row, "abc"), asking, [])
    assert (expected.in_cache, expected.to_send, expected.completion_tokens) == (0, 9, 90)
    run(asking, "bc")
    expected = estimate(UntilYes(asking.row, "abc"), asking, [])
    assert (expected.in_cache, expected.to_send) == (5, 3)
    assert server.total == 5


def test_what_may_not_be_sent_is_missing_with_its_reason(asking, server):
    run(asking, "a")
    rows, metadata = run(dataclasses.replace(asking, not_available="no key"), "ab")
    assert [row.get("answer") for row in rows] == ["yes", None]
    assert metadata == {"of": "words", "answers": 1, "missing": 1, "reason": "no key"}
    assert server.total == 1


def test_estimates_are_shown_with_their_sum(asking, tmp_path, caplog):
    caplog.set_level(logging.INFO)
    paths = [tmp_path / f"{words}.csv" for words in ("ab", "c")]
    for path in paths:
        write_estimate(path, path.stem, asking, estimate(UntilYes(asking.row, path.stem), asking, []))
    show_estimates(paths)
    shown = [line.split()[:4] for line in caplog.text.splitlines()]
    assert ["ab", "small", "0", "6"] in shown
    assert ["all", "0", "9"] in [cells[:3] for cells in shown]
    show_estimates([])
    assert "this run uses no language model" in caplog.text
