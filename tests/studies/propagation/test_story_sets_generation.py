"""Asking for stories until there are enough sentences, from a real server on loopback."""

import csv
import dataclasses

import pyarrow.parquet as pq
import pytest
from llm_server import LanguageModelServer

from textparity.corpora.reading import read_metadata
from textparity.errors import BudgetExceededError, InputError
from textparity_studies.llm.answering import Asking
from textparity_studies.llm.models import ModelRow
from textparity_studies.propagation.story_sets import (
    USELESS_IN_A_ROW,
    CollectedStories,
    ask_story_generator,
    collect_story_sentences,
    estimate_stories,
    interleave_story_sets,
)

PROMPT = "A story about men.\n"


@pytest.fixture
def server():
    with LanguageModelServer() as running:
        # Three sentences, of another story for each seed.
        running.reply = lambda body: "**Title**\n\n" + " ".join(f"He saw {body['seed']} {it}." for it in ("a", "b"))
        yield running


@pytest.fixture
def row(server):
    return ModelRow("writer", server.url, "org/w", "chat", "", 0.8, None, max_tokens=9, seed=5, requests_at_once=2)


@pytest.fixture
def ask(tmp_path):
    """Ask for a set and collect it; returns the rows of both files."""

    def ask(row, sentences, condition="male", **options):
        (tmp_path / "prompt").write_text(PROMPT, "utf-8")
        answers, story_set = tmp_path / "answers.parquet", tmp_path / f"{condition}.parquet"
        ask_story_generator(
            tmp_path / "prompt", None, [], answers, f"{condition}.eng",
            Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite"), **options), "en", sentences,
        )  # fmt: skip
        collect_story_sentences(answers, story_set, condition, "eng", "en", sentences)
        return [pq.read_table(path).to_pylist() for path in (answers, story_set)]

    return ask


def test_stories_are_asked_for_until_there_are_enough_sentences(server, row, ask, tmp_path):
    answers, sentences = ask(row, 8)
    assert [body["messages"] for body in server.bodies] == [[{"role": "user", "content": "A story about men."}]] * 3
    assert sorted(body["seed"] for body in server.bodies) == [5, 6, 7]
    assert [one["story"] for one in answers] == [1, 2, 3]
    assert [(one["id"], one["doc_id"], one["text"]) for one in sentences] == [
        ("male/000001", "000001", "**Title**"), ("male/000002", "000001", "He saw 5 a."),
        ("male/000003", "000001", "He saw 5 b."), ("male/000004", "000002", "**Title**"),
        ("male/000005", "000002", "He saw 6 a."), ("male/000006", "000002", "He saw 6 b."),
        ("male/000007", "000003", "**Title**"), ("male/000008", "000003", "He saw 7 a."),
    ]  # fmt: skip
    assert {one["lang"] for one in sentences} == {"eng"}
    assert read_metadata(tmp_path / "male.parquet") == {"generator": "writer", "stories": {"used": 3}, "cut": 0}


def test_a_set_is_the_same_however_many_are_asked_at_once_and_a_longer_one_begins_with_it(row, ask, server):
    _, once = ask(row, 5)
    _, again = ask(dataclasses.replace(row, requests_at_once=7), 5)
    _, longer = ask(row, 12)
    assert once == again == longer[:5]
    # Seven at once; what they wrote is asked for no more.
    assert server.total == 7


def test_the_budget_holds(row, ask, server):
    with pytest.raises(BudgetExceededError, match="2 requests"):
        ask(row, 12, maximum_requests=2)
    assert server.total == 2


def test_what_cannot_be_used_is_counted_and_passed_over(server, row, ask, tmp_path):
    answers = ["", "***\n-", "refused", "She left. It was late. It was", "A day.", "A day.", "Another one."]
    server.reply = lambda body: answers[body["seed"] - 5]
    server.faults = {"A story about men.": ["", "", "400", "length"]}
    _, sentences = ask(dataclasses.replace(row, requests_at_once=1), 4)
    assert [(one["doc_id"], one["text"]) for one in sentences] == [
        ("000004", "She left."), ("000004", "It was late."), ("000005", "A day."), ("000007", "Another one."),
    ]  # fmt: skip
    assert read_metadata(tmp_path / "male.parquet") == {
        "generator": "writer", "cut": 1,
        "stories": {"no answer": 1, "no sentence": 2, "same as before": 1, "used": 3},
    }  # fmt: skip


def test_a_model_that_tells_nothing_new_is_stopped(server, row, ask):
    server.reply = lambda body: "He left."
    with pytest.raises(InputError, match=r"male\.eng, writer: 20 stories in a row have no new sentence \(1 of 9 sen.*"):
        ask(row, 9)
    assert server.total <= 1 + USELESS_IN_A_ROW + row.requests_at_once


def test_useless_stories_are_told_only_in_a_row():
    collected = CollectedStories("male", "en", 100)
    for number in range(2 * USELESS_IN_A_ROW):
        collected.take("" if number % 2 else f"Story {number}.", "stop", "")
    assert collected.statuses == {"used": USELESS_IN_A_ROW, "no sentence": USELESS_IN_A_ROW}
    assert collected.missing == 100 - USELESS_IN_A_ROW


def test_answers_of_fewer_sentences_make_no_set(row, ask, tmp_path):
    ask(row, 5)
    with pytest.raises(InputError, match="have 6 of 50 sentences; delete the file"):
        collect_story_sentences(tmp_path / "answers.parquet", tmp_path / "new.parquet", "male", "eng", "en", 50)
    assert not (tmp_path / "new.parquet").exists()


@pytest.mark.parametrize("sentences", [4, 5])
def test_the_balanced_set_takes_turns(row, ask, tmp_path, sentences):
    ask(row, 6)
    ask(dataclasses.replace(row, seed=50), 6, condition="female")
    balanced = tmp_path / "balanced.parquet"
    interleave_story_sets(tmp_path / "female.parquet", tmp_path / "male.parquet", balanced, sentences)
    rows = pq.read_table(balanced).to_pylist()
    expected = ["**Title**", "**Title**", "He saw 50 a.", "He saw 5 a.", "He saw 50 b."]
    assert [one["text"] for one in rows] == expected[:sentences]
    assert rows[3] == {"id": "balanced/000004", "doc_id": "male/000001", "lang": "eng", "text": "He saw 5 a."}


def test_the_estimate_takes_45_sentences_a_story_or_as_many_as_there_were(row, ask, tmp_path, server):
    def expect(sentences):
        asking = Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite"))
        estimate_stories(tmp_path / "prompt", None, [], tmp_path / "estimate.csv", "male.eng", asking, "en", sentences)
        (found,) = csv.DictReader((tmp_path / "estimate.csv").open(encoding="utf-8"))
        return int(found["in_cache"]), int(found["to_send"])

    (tmp_path / "prompt").write_text(PROMPT, "utf-8")
    assert expect(91) == (0, 3)
    ask(row, 6)
    assert expect(6) == (2, 0)
    # Three a story.
    assert expect(91) == (2, 29)
    assert server.total == 2
