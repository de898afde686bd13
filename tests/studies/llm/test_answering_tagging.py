"""Asking a language model for the words of sentences: what is sent, what is kept, what is counted as missing."""

import csv
import dataclasses
import math

import pyarrow.parquet as pq
import pytest
from llm_server import LanguageModelServer, prompt_of

from textparity.corpora.reading import TEXT_SCHEMA, read_metadata, write_batches
from textparity.errors import ApiKeyError, BudgetExceededError, InputError, ResponseCacheError
from textparity_studies.llm.answering import (
    Asking,
    TaggingPrompt,
    ask_tagger,
    estimate,
    estimate_tagging,
    tagging_questions,
)
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.client import CostEstimate
from textparity_studies.llm.models import Answer, ModelRow
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry

SENTENCES = ["La señora habló.", " ", "El Sr. Pell, «el jefe», calló.", ""]
ASKED = [SENTENCES[0], SENTENCES[2]]
NO_KEY = "the environment variable TEST_KEY is not set"


@pytest.fixture
def parts(tmp_path):
    """The files of a prompt, which ends as those of the paper do: without a line end."""
    texts = {
        "prompt": '<EXAMPLES>\n\nFrase: "<SENTENCE>"\n\nInstrucciones: Sigue.',
        "examples": 'Ejemplo 1: "Dos."\nDos - N, M',
        "system": "Be brief.",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    return {name: tmp_path / f"{name}.txt" for name in texts}


@pytest.fixture
def row():
    return ModelRow(
        "small", "http://127.0.0.1:9/v1", "org/small", "chat", "", None, None, max_tokens=10, seed=5,
        price_per_million_input=1e6, price_per_million_output=1e6,
    )  # fmt: skip


@pytest.fixture
def server():
    with LanguageModelServer() as running:
        running.reply = lambda body: f"señora - P, F\n{body['seed']}"
        yield running


@pytest.fixture
def ask(tmp_path, parts):
    """Ask about `SENTENCES`; returns the rows that were written."""
    rows = [
        {"id": f"demo/{number}", "doc_id": "1", "lang": "spa", "text": text} for number, text in enumerate(SENTENCES)
    ]
    write_batches(tmp_path / "texts.parquet", TEXT_SCHEMA, [rows])

    def ask(row, runs=1, recorded=(), **options):
        asking = Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite"), **options)
        ask_tagger(
            tmp_path / "texts.parquet", **parts, recorded=list(recorded), answers=tmp_path / "answers.parquet",
            asking=asking, runs=runs,
        )  # fmt: skip
        return pq.read_table(tmp_path / "answers.parquet").to_pylist()

    return ask


def question(row, parts):
    return TaggingPrompt(row, parts["prompt"], parts["examples"], parts["system"])


def test_the_prompt_is_the_examples_then_the_sentence_as_they_are(row, parts):
    text = 'Ejemplo 1: "Dos."\nDos - N, M\n\nFrase: "A <EXAMPLES> b. "\n\nInstrucciones: Sigue.'
    sent = question(row, parts).request("A <EXAMPLES> b. ", run=0)
    assert sent.prompt == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]
    completing = dataclasses.replace(row, mode="completion")
    assert question(completing, parts).request("A <EXAMPLES> b. ", run=0).prompt == text


def test_a_chat_without_a_system_message_has_none(row, parts):
    sent = TaggingPrompt(row, parts["prompt"], parts["examples"], None).request("Hola.", run=0)
    assert [message["role"] for message in sent.prompt] == ["user"]


@pytest.mark.parametrize("placeholder", ["<EXAMPLES>", "<SENTENCE>"])
def test_a_prompt_without_a_placeholder_is_named(row, parts, placeholder):
    parts["prompt"].write_text(parts["prompt"].read_text("utf-8").replace(placeholder, ""), "utf-8")
    with pytest.raises(InputError, match=rf"prompt\.txt: lacks {placeholder};"):
        question(row, parts)


def test_a_prompt_without_examples_is_an_error(row, parts):
    with pytest.raises(InputError, match="has no examples; add a row"):
        TaggingPrompt(row, parts["prompt"], None, None)


def test_a_part_that_is_not_utf8_or_not_there_is_named(row, parts):
    parts["examples"].write_bytes(b"se\xf1or - P, M")
    with pytest.raises(InputError, match=r"examples\.txt: byte 3"):
        question(row, parts)
    parts["examples"].unlink()
    with pytest.raises(InputError, match=r"examples\.txt: this file does not exist; see .*prompts\.tsv"):
        question(row, parts)


def test_a_grammar_has_the_words_of_each_sentence_in_their_order(row, parts):
    extra = {"grammar": "root ::= <WORDS_IN_ORDER>\ntag ::= [PN]", "cache_prompt": True}
    prompt = question(dataclasses.replace(row, extra=extra), parts)
    grammars = [prompt.request(text, run=0).row.extra["grammar"] for text in (ASKED[1], "Col·lega, l'home", ASKED[1])]
    found = [[piece for piece in grammar.split('"')[1::2] if piece != "."] for grammar in grammars]
    assert found[0] == found[2] == ["El", "Sr", "Pell", "el", "jefe", "calló"]
    assert found[1] == ["Col·lega", "l", "home"]
    assert all(grammar.startswith("root ::= (") and grammar.endswith("\ntag ::= [PN]") for grammar in grammars)
    assert prompt.request("x", run=0).row.extra["cache_prompt"] is True
    assert extra["grammar"] == "root ::= <WORDS_IN_ORDER>\ntag ::= [PN]"


def test_every_text_that_is_not_blank_is_asked_once_per_run(server, row, ask, tmp_path):
    rows = ask(dataclasses.replace(row, base_url=server.url), runs=2)
    assert [(one["run"], one["id"], one["text"]) for one in rows] == [
        (run, f"demo/{number}", SENTENCES[number]) for run in (0, 1) for number in (0, 2)
    ]
    assert [one["answer"] for one in rows] == [f"señora - P, F\n{5 + run}" for run in (0, 0, 1, 1)]
    assert {(one["model"], one["finish_reason"], one["error"]) for one in rows} == {("org/small-2024", "stop", "")}
    assert sum(one["completion_tokens"] for one in rows) == 4 * 5
    assert server.total == 4
    assert [prompt_of(body).partition("Frase: ")[2].partition("\n")[0] for body in server.bodies] == [
        f'"{text}"' for text in ASKED * 2
    ]
    metadata = {"tagger": "small", "runs": 2, "answers": 4, "missing": 0, "reason": ""}
    assert read_metadata(tmp_path / "answers.parquet") == metadata


def record(folder, row, parts, sentences, runs=1):
    """Write answers as another machine's cache would export them."""
    prompt = question(row, parts)
    requests = [prompt.request(text, run) for run in range(runs) for text in sentences]
    with ResponseCache(folder / "elsewhere.sqlite") as cache:
        cache.put_many((request, Answer(request.digest(), "jefe - P, M", "stop", 1, 1, "m")) for request in requests)
        cache.export_answers(folder / "recorded.jsonl")
    return folder / "recorded.jsonl"


def test_recorded_answers_need_no_server(row, parts, ask, tmp_path):
    recorded = record(tmp_path, row, parts, ASKED, runs=2)
    rows = ask(row, runs=2, recorded=[recorded])
    assert [one["answer"] for one in rows] == ["jefe - P, M"] * 4
    with pytest.raises(ResponseCacheError, match=r"none\.jsonl: this file of answers does not exist"):
        ask(row, recorded=[tmp_path / "none.jsonl"])


def test_what_a_model_out_of_reach_was_not_asked_is_null_and_counted(server, row, parts, ask, tmp_path, caplog):
    row = dataclasses.replace(row, base_url=server.url)
    recorded = record(tmp_path, row, parts, ASKED[:1])
    rows = ask(row, runs=2, recorded=[recorded], not_available=NO_KEY)
    assert [one["answer"] for one in rows] == ["jefe - P, M", None, None, None]
    assert [one["text"] for one in rows] == ASKED * 2
    assert server.total == 0
    metadata = {"tagger": "small", "runs": 2, "answers": 1, "missing": 3, "reason": NO_KEY}
    assert read_metadata(tmp_path / "answers.parquet") == metadata
    assert f"small: 1 answers, 3 missing: {NO_KEY}" in caplog.text


def test_a_full_cache_makes_up_for_a_model_out_of_reach(row, parts, ask, tmp_path):
    rows = ask(row, recorded=[record(tmp_path, row, parts, ASKED)], not_available=NO_KEY)
    assert [one["answer"] for one in rows] == ["jefe - P, M"] * 2
    assert read_metadata(tmp_path / "answers.parquet")["reason"] == ""


def test_a_missing_key_leaves_no_file_behind(row, ask, tmp_path, monkeypatch):
    monkeypatch.delenv("TEST_KEY", raising=False)
    with pytest.raises(ApiKeyError, match="TEST_KEY"):
        ask(dataclasses.replace(row, api_key_env="TEST_KEY"))
    assert not (tmp_path / "answers.parquet").exists()


def test_the_budget_is_for_all_runs_of_one_cache(server, row, ask, tmp_path):
    row = dataclasses.replace(row, base_url=server.url)
    ask(row, runs=2)
    with pytest.raises(BudgetExceededError, match="5 requests"):
        ask(dataclasses.replace(row, seed=50), runs=2, maximum_requests=5)
    assert server.total == 5
    with ResponseCache(tmp_path / "answers.sqlite") as cache:
        spent = cache.spending()
    assert (spent.requests, spent.cost) == (5, sum(len(prompt_of(body).split()) + 5 for body in server.bodies))
    with pytest.raises(BudgetExceededError, match=rf"budget: {spent.cost:.4f} is spent"):
        ask(dataclasses.replace(row, seed=50), runs=2, maximum_cost=spent.cost + 1)
    assert server.total == 5
    assert len(ask(row, runs=2, maximum_requests=5, maximum_cost=1)) == 4


def test_the_estimate_is_what_is_sent(server, row, parts, ask, tmp_path):
    row = dataclasses.replace(row, base_url=server.url)
    ask(dataclasses.replace(row, seed=99))
    ask(row)
    sent = server.total
    asking = Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite"))

    def expect():
        return estimate(tagging_questions(row, tmp_path / "texts.parquet", **parts, runs=3), asking, [])

    expected = expect()
    assert server.total == sent
    ask(row, runs=3)
    assert (expected.in_cache, expected.to_send) == (2, server.total - sent) == (2, 4)
    messages = [message["content"] for body in server.bodies[sent:] for message in body["messages"]]
    prompts = sum(math.ceil(len(text.encode()) / 4) for text in messages)
    assert (expected.prompt_tokens, expected.completion_tokens, expected.cost) == (prompts, 40, prompts + 40)
    assert expect() == CostEstimate(in_cache=6)


def test_an_estimate_counts_recorded_answers_and_sends_nothing(row, parts, ask, tmp_path):
    recorded = record(tmp_path, row, parts, ASKED)
    ask(row, not_available=NO_KEY)
    estimate_tagging(
        tmp_path / "texts.parquet", **parts, recorded=[recorded], estimate_csv=tmp_path / "estimate.csv",
        name="gold/demo", asking=Asking(dataclasses.asdict(row), str(tmp_path / "answers.sqlite")), runs=2,
    )  # fmt: skip
    (found,) = csv.DictReader((tmp_path / "estimate.csv").open(encoding="utf-8"))
    assert found["texts"] == "gold/demo"
    assert (found["model"], found["in_cache"], found["to_send"]) == ("small", "2", "2")


def test_the_shipped_prompts_have_their_placeholders(repository, row, parts):
    registry = StudyRegistry(Tables().model_dump(), repository)
    tagging = [rows["prompt"] for rows in registry.prompts.values() if "examples" in rows]
    local = [part.path for part in tagging if part.source == "local"]
    assert len(local) >= 3
    for path in local:
        TaggingPrompt(row, repository / path, parts["examples"], None)
