"""Asking for sentences: which prompts are sent, how often, what is kept; and the files and tables of what came."""

import csv
import dataclasses
import json
import re

import pyarrow.parquet as pq
import pytest
from llm_server import LanguageModelServer, prompt_of

from textparity.corpora.reading import read_metadata
from textparity.errors import InputError
from textparity.tables import Caption
from textparity_studies.llm.answering import Asking
from textparity_studies.llm.models import ModelRow, load_models
from textparity_studies.stereotypes.generation import (
    RUNS_OF_A_SET,
    SentencePrompt,
    SentenceSet,
    ask_generator,
    check_sentences,
    estimate_sentences,
)
from textparity_studies.stereotypes.sentences import SENTENCE_COLUMNS, CodedLexicon
from textparity_studies.stereotypes.tables import tabulate_sentences
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry

STEMS = "stem\tcoding\texample\nkind\tfeminine\t\nwarm*\tfeminine\twarm\nbold\tmasculine\t\n"
NOUNS = {"feminine": [{"singular": "woman"}], "masculine": [{"singular": "man"}], "unspecified": []}
ONE = "A <PERSON> and a word.\ntall: The tall <PERSON> was <SUBJECT>.\n<WORD>:\n"
MANY = "<NUMBER> sentences about a <PERSONS>.\n<WORDS>"
NO_KEY = "the environment variable TEST_KEY is not set"
UNIT = ["own", "writer", 1]
OUTPUTS = ("sentences", "all_sentences", "rejected")


@pytest.fixture
def row():
    return ModelRow("writer", "http://127.0.0.1:9/v1", "org/w", "completion", "", 0.8, None, max_tokens=9, seed=5)


@pytest.fixture
def files(tmp_path):
    texts = {"lexicon": STEMS, "person_nouns": json.dumps(NOUNS), "prompt": ONE}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    return {name: tmp_path / name for name in texts}


def sentence(word, person, number):
    """Return a sentence of more than 15 words, another one for each number."""
    places = " ".join(f"{word[0]}{person[0]}{number}x{place}" for place in range(16))
    return f"The {word} {person} saw {places}."


def asked_for(body):
    """Return the words and the person that a prompt asks for."""
    prompt = prompt_of(body)
    words = prompt.splitlines()[-1].strip(":").split(", ")
    return words, "woman" if re.search("woman", prompt) else "man"


@pytest.fixture
def server():
    with LanguageModelServer() as running:
        running.reply = lambda body: sentence(asked_for(body)[0][0], asked_for(body)[1], body["seed"])
        yield running


@pytest.fixture
def ask(tmp_path, files):
    """Ask for a set and check it; returns the rows of answers."""

    def ask(row, number=1, max_attempts=3, **options):
        answers = tmp_path / "answers.parquet"
        asking = Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite"), **options)
        wanted = SentenceSet("stems", number, max_attempts)
        ask_generator(**files, system=None, recorded=[], answers=answers, asking=asking, wanted=wanted)
        outputs = {name: tmp_path / f"{name}.csv" for name in OUTPUTS}
        check_sentences(answers, **files, **outputs, name=f"own.writer.set{number}", form="stems")
        return pq.read_table(answers).to_pylist()

    return ask


@pytest.fixture
def checked(tmp_path):
    """Return the rows of the three files of sentences that `ask` writes."""
    return lambda: [list(csv.DictReader((tmp_path / f"{name}.csv").open(encoding="utf-8"))) for name in OUTPUTS]


def test_a_prompt_is_filled_for_women_and_for_men(files):
    prompt = SentencePrompt(files["prompt"])
    lexicon = CodedLexicon({"warm*": "feminine"}, {"warm*": "warmth"})
    assert prompt.text("feminine", ["warm*"], lexicon) == "A woman and a word.\ntall: The tall woman was she.\nwarmth:"
    files["prompt"].write_text(MANY, "utf-8")
    assert SentencePrompt(files["prompt"]).text("masculine", ["warm*", "kind"], lexicon) == (
        "2 sentences about a male, males, man, men, boy, or boys.\nwarm*, kind"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A <PERSON>.", "needs <WORDS>, for a sentence"),
        ("A <PERSON>: <WORD> <WORDS>", "needs <WORDS>, for a sentence"),
        ("A woman: <WORD>", "has neither <PERSONS> nor <PERSON>"),
    ],
)
def test_a_prompt_without_its_placeholders_is_named(files, text, message):
    files["prompt"].write_text(text, "utf-8")
    with pytest.raises(InputError, match=rf"prompt: {message}"):
        SentencePrompt(files["prompt"])


def test_the_shipped_prompts_leave_no_placeholder(repository):
    registry = StudyRegistry(Tables().model_dump(), repository)
    models = load_models(registry.paths["language_models"])
    for name, at_once in (("gpt-3.5-turbo", 20), ("gemma3-270m-sentences", 1)):
        path = registry.prompt_files("gendered_sentences", "eng", models[name])["prompt"].path
        prompt = SentencePrompt(repository / path)
        assert prompt.words_at_once == at_once
        for gender, person in (("feminine", "woman"), ("masculine", "man")):
            text = prompt.text(gender, ["kind"], CodedLexicon({}))
            assert "<" not in text
            assert re.search(rf"\b{person}\b", text)


def test_every_word_is_asked_for_once_in_each_kind_if_all_pass(server, row, ask, tmp_path):
    rows = ask(dataclasses.replace(row, base_url=server.url))
    assert [(one["kind"], one["asked"], one["attempt"]) for one in rows] == [
        ("MM", ["bold"], 1), ("FF", ["kind"], 1), ("FF", ["warm*"], 1),
        ("MF", ["kind"], 1), ("MF", ["warm*"], 1), ("FM", ["bold"], 1),
    ]  # fmt: skip
    assert server.total == 6
    assert [body["seed"] for body in server.bodies] == [5] * 6
    assert read_metadata(tmp_path / "answers.parquet") == {
        "generator": "writer", "set": 1, "answers": 6, "missing": 0, "reason": "",
    }  # fmt: skip


def test_what_does_not_pass_is_asked_again_until_it_does_or_the_attempts_are_over(server, row, ask):
    def reply(body):
        (word,), person = asked_for(body)
        if (word, person) == ("bold", "man"):
            return "No."
        return "No." if word == "warm" and body["seed"] < 6 else sentence(word, person, body["seed"])

    server.reply = reply
    rows = ask(dataclasses.replace(row, base_url=server.url))
    later = [(one["kind"], one["asked"], one["attempt"]) for one in rows if one["attempt"] > 1]
    assert later == [("MM", ["bold"], 2), ("FF", ["warm*"], 2), ("MF", ["warm*"], 2), ("MM", ["bold"], 3)]
    assert [body["seed"] for body in server.bodies[6:]] == [6, 6, 6, 7]


def test_sets_are_told_apart_by_their_seed_and_a_full_cache_asks_nothing(server, row, ask):
    row = dataclasses.replace(row, base_url=server.url)
    ask(row)
    second = ask(row, number=2)
    assert {body["seed"] for body in server.bodies[6:]} == {5 + RUNS_OF_A_SET}
    assert server.total == 12
    assert ask(row, number=2, max_attempts=5) == second
    assert server.total == 12


def test_a_list_of_words_is_asked_for_in_batches_of_twenty(server, row, files, ask):
    words = [f"word{number}" for number in range(21)]
    files["lexicon"].write_text(STEMS + "".join(f"{word}\tmasculine\t\n" for word in words[1:]), "utf-8")
    files["prompt"].write_text(MANY, "utf-8")

    def reply(body):
        words, person = asked_for(body)
        return "\n".join(f"{place}. {sentence(word, person, 1)}" for place, word in enumerate(words, start=1))

    server.reply = reply
    rows = ask(dataclasses.replace(row, base_url=server.url, mode="chat"))
    assert [(one["kind"], len(one["asked"])) for one in rows if one["attempt"] == 1] == [
        ("MM", 20), ("MM", 1), ("FF", 2), ("MF", 2), ("FM", 20), ("FM", 1),
    ]  # fmt: skip
    assert sorted(prompt_of(body).split()[0] for body in server.bodies[:6]) == ["1", "1", "2", "2", "20", "20"]


def test_a_model_out_of_reach_is_not_asked_and_counted(server, row, ask, checked, tmp_path):
    row = dataclasses.replace(row, base_url=server.url)
    rows = ask(row, not_available=NO_KEY)
    assert [one["answer"] for one in rows] == [None] * 6
    assert server.total == 0
    metadata = read_metadata(tmp_path / "answers.parquet")
    assert (metadata["answers"], metadata["missing"], metadata["reason"]) == (0, 6, NO_KEY)
    assert checked() == [[], [], []]


def test_the_estimate_is_what_is_sent_at_most(server, row, files, ask, tmp_path):
    row = dataclasses.replace(row, base_url=server.url)
    server.reply = lambda body: "No." if asked_for(body)[0] == ["bold"] else sentence(*asked_for(body)[0], "woman", 1)
    arguments = files | {"system": None, "recorded": [], "name": "own.set1"}
    arguments["asking"] = Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite"))

    def expect(max_attempts):
        wanted = SentenceSet("stems", 1, max_attempts)
        estimate_sentences(estimate_csv=tmp_path / "estimate.csv", wanted=wanted, **arguments)
        (found,) = csv.DictReader((tmp_path / "estimate.csv").open(encoding="utf-8"))
        return int(found["in_cache"]), int(found["to_send"])

    assert expect(3) == (0, 18)
    ask(row, max_attempts=1)
    sent = server.total
    # "bold" twice over, and the two words about men.
    assert expect(3) == (6, 8)
    assert server.total == sent == 6


def test_the_files_hold_what_passes_what_was_written_and_what_was_rejected(server, row, ask, checked):
    def reply(body):
        (word,), person = asked_for(body)
        return {"bold": "", "kind": f"She slept. {sentence('kind', person, 1)}"}.get(word, sentence("warm", "man", 1))

    server.reply = reply
    ask(dataclasses.replace(row, base_url=server.url), max_attempts=1)
    sentences, every, rejected = checked()
    assert [tuple(one.values()) for one in sentences] == [
        ("own.writer.set1/1-2-2", "FF", "feminine", "feminine", "consistent", "kind", "kind",
         sentence("kind", "woman", 1)),
        ("own.writer.set1/1-4-2", "MF", "masculine", "feminine", "contradictory", "kind", "kind",
         sentence("kind", "man", 1)),
        ("own.writer.set1/1-5-1", "MF", "masculine", "feminine", "contradictory", "warm*", "warm*",
         sentence("warm", "man", 1)),
    ]  # fmt: skip
    assert list(sentences[0]) == SENTENCE_COLUMNS
    assert [(one["id"][-5:], one["word"], one["reasons"]) for one in every] == [
        ("1-2-1", "kind", "no word asked for; 15 words or fewer"), ("1-2-2", "kind", ""),
        ("1-3-1", "warm*", "other gender"), ("1-4-1", "kind", "no word asked for; other gender; 15 words or fewer"),
        ("1-4-2", "kind", ""), ("1-5-1", "warm*", ""),
    ]  # fmt: skip
    assert [(one["kind"], one["word"], one["reason"], bool(one["text"])) for one in rejected] == [
        ("MM", "bold", "no sentence", False), ("FF", "kind", "no word asked for", True),
        ("FF", "warm*", "other gender", True), ("MF", "kind", "no word asked for", True),
        ("FM", "bold", "no sentence", False),
    ]  # fmt: skip


def test_an_error_that_was_kept_is_counted_as_no_answer(server, row, ask, checked):
    row = dataclasses.replace(row, base_url=server.url)
    server.faults = {"A man and a word.\ntall: The tall man was he.\nbold:": ["400"]}
    ask(row, max_attempts=1)
    sentences, every, rejected = checked()
    assert (len(sentences), len(every)) == (5, 5)
    assert [(one["kind"], one["reason"]) for one in rejected] == [("MM", "no answer")]


@pytest.fixture
def tables(server, row, ask, tmp_path):
    """Tables of one set: of 'bold', nothing passes; of 'warm*', from the second attempt on."""

    def reply(body):
        (word,), person = asked_for(body)
        is_bad = word == "bold" or (word == "warm" and body["seed"] < 6)
        return f"A {person}." if is_bad else sentence(word, person, 1)

    server.reply = reply
    ask(dataclasses.replace(row, base_url=server.url), max_attempts=2)
    files = [tmp_path / "answers.parquet"], [tmp_path / "all_sentences.csv"], [tmp_path / "rejected.csv"]
    made = {table.name: table for table in tabulate_sentences(*files, sets=[UNIT], seed=1)}
    latex = made["sentences"].to_latex(Caption("Sentences", "By kind."), "tab:sentences")
    return {name: table.frame for name, table in made.items()} | {"latex": latex}


def test_the_table_has_everything_of_the_first_attempt_and_what_passes_of_all(tables):
    published, corrected = tables["sentences"].to_dict("records")
    assert (published["procedure"], corrected["procedure"]) == ("published", "corrected")
    kinds = ["MM", "FF", "consistent", "MF", "FM", "contradictory", "sentences"]
    assert [published[kind] for kind in kinds] == [1, 2, 3, 2, 1, 3, 6]
    assert [corrected[kind] for kind in kinds] == [0, 2, 2, 2, 0, 2, 4]
    assert published["FF_percent"] == pytest.approx(200 / 3, abs=1e-5)
    assert (corrected["FF_percent"], corrected["consistent_percent"]) == (100, 50)
    assert r"published & 1 (33.33\%) & 2 (66.67\%) & 3 (50.00\%)" in tables["latex"]
    assert r"corrected & 0 & 2 (100.00\%) & 2 (50.00\%)" in tables["latex"]


def test_rejections_are_followed_from_check_to_check(tables):
    rows = tables["rejections"].set_index(["tries", "kind", "reason"])[["count", "with_fault", "remaining"]]
    assert [tuple(rows.loc["first", "all", reason]) for reason in ("cut off", "no word asked for", "copy")] == [
        (0, 0, 6), (4, 4, 2), (0, 0, 2),
    ]  # fmt: skip
    assert tuple(rows.loc["all", "all", "15 words or fewer"]) == (0, 6, 4)
    assert rows.loc["all", "MM", "copy"]["remaining"] == 0


def test_tries_and_examples_are_listed(tables):
    tries = tables["tries"][["attempt", "requests", "answers", "words_asked", "sentences_or_none", "passed"]]
    assert tries.to_numpy().tolist() == [[1, 6, 6, 6, 6, 2], [2, 4, 4, 4, 4, 2]]
    assert tables["examples"]["kind"].tolist() == ["FF", "FF", "MF", "MF"]
