"""The client, against a real server on loopback that misbehaves on request."""

import dataclasses
import inspect
import itertools
import logging
import os
import random
import signal
import subprocess
import sys
import threading
import time
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from llm_server import LanguageModelServer

from textparity.errors import ApiKeyError, BudgetExceededError, LanguageModelError, ResponseCacheError
from textparity_studies.llm.answering import Asking, Questions, estimate
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.client import Budget, CostEstimate, ask_all
from textparity_studies.llm.endpoint import _seconds
from textparity_studies.llm.models import ModelRow, Request

KEY = "sk-do-not-show-7f3a"
ENVIRONMENT = {"TEST_KEY": KEY}


@pytest.fixture
def server():
    with LanguageModelServer(key=KEY) as running:
        yield running


@pytest.fixture
def cache(tmp_path):
    with ResponseCache(tmp_path / "answers.sqlite") as opened:
        yield opened


@pytest.fixture
def row(server):
    return ModelRow(
        "small", server.url, "org/small", "completion", "TEST_KEY", temperature=0.0, top_p=None, max_tokens=10,
        seed=None, price_per_million_input=1e6, price_per_million_output=1e6, requests_at_once=4, timeout_seconds=60.0,
    )  # fmt: skip


def ask(prompts, row, cache, run=0, **options):
    requests = [
        Request(row, text if row.mode == "completion" else [{"role": "user", "content": text}], run) for text in prompts
    ]
    return ask_all(requests, row, cache, **{"environment": ENVIRONMENT, "wait_seconds": 0.01} | options)


@pytest.mark.parametrize("mode", ["chat", "completion"])
def test_answers_come_in_order_and_only_once(server, row, cache, mode):
    row = dataclasses.replace(row, mode=mode, stop=("\n",), extra={"grammar": "x"})
    prompts = [f"q{number}" for number in range(40)]
    random.Random(1).shuffle(prompts)
    server.latency = 0.01
    answers = ask([*prompts, prompts[0]], row, cache)
    assert [answer.text for answer in answers] == [f"{prompt} → 0.0 None" for prompt in [*prompts, prompts[0]]]
    assert (answers[0].model, answers[0].finish_reason, answers[0].prompt_tokens) == ("org/small-2024", "stop", 1)
    assert set(server.counts.values()) == {1}
    assert 1 < server.most_at_once <= 4
    assert {"grammar": "x", "stop": ["\n"], "max_tokens": 10}.items() <= server.bodies[0].items()
    assert ask([*prompts, prompts[0]], row, cache) == answers
    assert server.total == 40


def test_a_full_cache_needs_no_key_and_no_server(server, row, cache):
    answers = ask(["a"], row, cache)
    server.__exit__()
    assert ask(["a"], row, cache, environment={}) == answers


def test_only_what_the_answer_depends_on_asks_anew(server, row, cache):
    ask(["a"], row, cache)
    for change in ({"name": "x"}, {"price_per_million_input": 3.0}, {"requests_at_once": 1}, {"timeout_seconds": 9.0}):
        ask(["a"], dataclasses.replace(row, **change), cache)
        assert server.total == 1
    ask(["a "], row, cache)
    ask(["a"], dataclasses.replace(row, temperature=0.7), cache)
    ask(["a"], row, cache, run=1)
    assert server.total == 4


@pytest.mark.parametrize(
    ("fault", "said"),
    [("429", "HTTP 429: slow down"), ("500", "HTTP 500: this is a 500"), ("503", "HTTP 503"),
     ("hang", "no answer within 2 s"), ("reset", "reset by peer"), ("cut body", "closed"),
     ("cut json", "cut or invalid JSON of 40 characters"), ("empty choices", "no choices in the answer"),
     ("no choices", "upstream is gone"), ("html", "text/html instead of JSON: '<html>")],
)  # fmt: skip
def test_a_passing_fault_is_met_with_patience_then_an_error(server, row, cache, caplog, fault, said):
    # Long enough for the answers of a busy machine.
    row = dataclasses.replace(row, mode="chat", timeout_seconds=2 if fault == "hang" else 60)
    server.retry_after = "0.02"
    server.faults = {"a": [fault], "b": [fault] * 2}
    assert [answer.text[0] for answer in ask(["a", "ok"], row, cache)] == ["a", "o"]
    assert server.counts == {"a": 2, "ok": 1}
    with pytest.raises(LanguageModelError, match="no usable answer after 2 attempts, last seen: ") as error:
        ask(["good", "b"], row, cache, attempts=2)
    assert server.url in str(error.value)
    assert said in str(error.value)
    assert said in caplog.text
    assert server.counts["b"] == 2
    assert [answer.text[0] for answer in ask(["good", "b"], row, cache)] == ["g", "b"]
    assert server.counts["good"] == 1


def test_a_server_that_is_down_is_named(row, cache):
    row = dataclasses.replace(row, base_url="http://127.0.0.1:9/v1")
    with pytest.raises(LanguageModelError, match=r"http://127\.0\.0\.1:9/v1, .* after 3 attempts, .*ConnectError"):
        ask(["a"], row, cache, attempts=3, budget=(budget := Budget(maximum_cost=100)))
    assert (budget.spent.cost, budget.spent.requests) == (0, 3)


def test_the_server_says_how_long_to_wait(server, row, cache):
    server.faults = {"a": ["429"]}
    server.retry_after = "0.4"
    ask(["a"], row, cache)
    assert server.times[1] - server.times[0] >= 0.4


def test_how_long_to_wait_is_a_number_or_a_date():
    tomorrow = format_datetime(datetime.now(UTC) + timedelta(days=1), usegmt=True)
    assert 80_000 < _seconds(tomorrow) <= 86_400
    assert [_seconds(text) for text in ("7", "-3", "", "soon", "Sun, 06 Nov 1994 08:49:37 GMT")] == [7, 0, 0, 0, 0]


def test_what_is_kept_is_not_asked_again(server, row, cache):
    chat = dataclasses.replace(row, mode="chat")
    server.faults = {"bad": ["400"], "no": ["refusal"], "long": ["length"], "odd": ["half emoji"], "bare": ["no usage"]}
    prompts = ["bad", "no", "long", "odd", "bare"]
    bad, no, long, odd, bare = answers = ask(prompts, chat, cache)
    assert bad.text == "" and bad.error.startswith("HTTP 400: this is a 400, you sent [key] so so")
    assert (no.text, no.error, no.finish_reason) == ("", "refusal: I would rather not.", "stop")
    assert (long.text, long.error, long.finish_reason) == ("long → 0.0 None", "", "length")
    assert odd.text == "odd → 0.0 None\ufffd"
    assert (bare.prompt_tokens, bare.completion_tokens) == (0, 0)
    assert ask(prompts, chat, cache) == answers
    assert set(server.counts.values()) == {1}
    assert cache.drop_errors() == 2
    assert [answer.error for answer in ask(prompts, chat, cache)] == [""] * 5


@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [("401", ApiKeyError, "the environment variable TEST_KEY is not accepted"),
     ("403", ApiKeyError, "the environment variable TEST_KEY is not accepted"),
     ("404", LanguageModelError, "HTTP 404: this is a 404, you sent .*; another attempt would not help"),
     ("quota", LanguageModelError, "HTTP 429: no money left; another attempt would not help")],
)  # fmt: skip
def test_what_will_not_pass_stops_at_once(server, row, cache, fault, kind, said):
    row = dataclasses.replace(row, requests_at_once=1)
    server.faults = {"b": [fault]}
    with pytest.raises(kind, match=said) as error:
        ask(["a", "b", "c"], row, cache)
    assert server.url in str(error.value)
    assert server.counts == {"a": 1, "b": 1}
    assert len(list(cache.iterate())) == 1


def test_a_stop_ends_the_waiting_of_others_and_keeps_what_arrives(server, row, cache):
    is_under_way = threading.Event()

    def reply_late(body):
        is_under_way.set()
        time.sleep(0.3)
        return "late"

    def refuse_then(handler, whole):
        is_under_way.wait()
        handler.send(401, {"error": {"message": "this is a 401"}})

    server.faults = {"wait": ["429"] * 9, "key": [refuse_then]}
    server.retry_after = "600"
    server.reply = reply_late
    started = time.monotonic()
    with pytest.raises(ApiKeyError):
        ask(["wait", "slow", "key"], row, cache)
    # Not even a busy machine takes half as long as the wait.
    assert time.monotonic() - started < 300
    assert [answer.text for _, answer in cache.iterate()] == ["late"]


@pytest.mark.parametrize("value", [None, "", "  ", "two words", "ke\u0443"])
def test_a_missing_or_odd_key_is_known_before_any_request(server, row, cache, value):
    with pytest.raises(ApiKeyError, match=r"TEST_KEY.*nothing was sent") as error:
        ask(["a"], row, cache, environment={} if value is None else {"TEST_KEY": value})
    assert "words" not in str(error.value)
    assert server.total == 0


def test_a_withdrawn_model_is_not_asked_but_its_cached_answers_are_read(server, row, cache):
    known = ask(["a"], row, cache)
    gone = dataclasses.replace(row, withdrawn="2026-10-23")
    assert ask(["a"], gone, cache) == known
    with pytest.raises(LanguageModelError, match=r"on 2026-10-23, and nothing was sent; name another row, or empty"):
        ask(["b"], gone, cache)
    assert server.total == 1


def test_a_local_server_needs_no_key(server, row, cache):
    server.key = ""
    assert len(ask(["a"], dataclasses.replace(row, api_key_env=""), cache, environment={})) == 1
    server.key = KEY
    with pytest.raises(ApiKeyError, match=r"the server requires a key; put the name of its variable into api_key_env"):
        ask(["b"], dataclasses.replace(row, api_key_env=""), cache, environment={})


def test_a_key_goes_to_its_own_server_only(server, row, cache):
    request = Request(dataclasses.replace(row, base_url="http://elsewhere/v1"), "a")
    with pytest.raises(LanguageModelError, match="the server of the model row small"):
        ask_all([request], row, cache, environment=ENVIRONMENT)


def test_the_key_appears_nowhere(server, row, cache, tmp_path, caplog, monkeypatch):
    monkeypatch.setenv("OPENAI_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    chat = dataclasses.replace(row, mode="chat")
    faults = ["400", "401", "403", "404", "429", "500", "hang", "reset", "cut json", "html", "refusal", "quota", "none"]
    texts = []
    server.retry_after = "0"
    for fault in faults:
        server.faults = {fault: [fault] * 2}
        try:
            hasty = dataclasses.replace(chat, timeout_seconds=0.3)
            ask([fault], hasty if fault == "hang" else chat, cache, attempts=2)
        except LanguageModelError as error:
            texts += [str(error), repr(error), "".join(traceback.format_exception(error))]
            assert error.__cause__ is None
    # A server that does not know the key says which it was sent.
    server.key = "another"
    with pytest.raises(ApiKeyError, match=r"Incorrect API key provided: \[key\]\.") as error:
        ask(["x"], chat, cache)
    texts += [
        "".join(traceback.format_exception(error.value)),
        repr(chat),
        repr(Request(row, "a")),
        caplog.text,
    ]
    cache.export_answers(tmp_path / "answers.jsonl")
    assert len(list(cache.iterate())) == 3
    texts += [file.read_bytes().decode(errors="replace") for file in tmp_path.iterdir()]
    assert len(texts) > 30
    # Not even the half of it that an excerpt might end with.
    assert not [text for text in texts if KEY[:10] in text]


def test_a_budget_of_requests_stops_and_is_resumed(server, row, cache):
    prompts = [f"q{number}" for number in range(20)]
    with pytest.raises(BudgetExceededError, match="7 requests"):
        ask(prompts, row, cache, budget=Budget(maximum_requests=7))
    assert (server.total, len(list(cache.iterate()))) == (7, 7)
    assert len(ask(prompts, row, cache, budget=Budget(maximum_requests=20))) == 20
    assert set(server.counts.values()) == {1}


def test_a_budget_of_cost_is_not_exceeded(server, row, cache):
    # Each is expected to cost 1 + 10, and does cost 1 + 4.
    prompts = [f"q{number}" for number in range(40)]
    budget = Budget(maximum_cost=60)
    with pytest.raises(
        BudgetExceededError, match=r"50\.0000 is spent through this cache, the next request may cost 11\.0000 more"
    ):
        ask(prompts, row, cache, budget=budget)
    # The tenth might make it 45 + 11, the eleventh 50 + 11.
    assert (budget.spent.cost, budget.spent.requests, server.total) == (50, 10, 10)
    assert len(list(cache.iterate())) == 10
    with pytest.raises(BudgetExceededError):
        ask(prompts, row, cache, budget=Budget(maximum_cost=10.9))
    assert server.total == 10


def test_attempts_that_may_be_billed_count_in_the_budget(server, row, cache):
    server.faults = {"a": ["cut json", "429", "500", "reset"]}
    server.retry_after = "0"
    budget = Budget(maximum_cost=100, maximum_requests=5)
    ask(["a"], row, cache, budget=budget)
    # The two that may have been worked on cost what was estimated, 11 each.
    assert (budget.spent.cost, budget.spent.requests) == (11 + 11 + 5, 5)
    server.faults = {"b": ["cut json"] * 9}
    tight = Budget(maximum_cost=57)
    with pytest.raises(BudgetExceededError):
        ask(["b"], row, cache, budget=tight)
    assert (tight.spent.cost, server.counts["b"]) == (27 + 22, 2)


def test_a_dry_run_estimates_and_sends_nothing(server, row, cache, tmp_path):
    ask(["a"], row, cache)

    def expect(row, prompts, path):
        questions = Questions(({}, Request(row, prompt)) for prompt in prompts)
        return estimate(questions, Asking(dataclasses.asdict(row), str(path)), [])

    texts = ["a", "b" * 9, "誰" * 8, "b" * 9]
    assert expect(row, texts, cache.path) == CostEstimate(1, 2, prompt_tokens=3 + 6, completion_tokens=20, cost=29.0)
    chat = dataclasses.replace(row, mode="chat", price_per_million_input=0.0, price_per_million_output=0.5)
    messages = [{"role": "system", "content": "Be brief"}, {"role": "user", "content": "Who?"}]
    assert expect(chat, [messages], tmp_path / "new.sqlite") == CostEstimate(0, 1, 3, 10, 5e-6)
    assert not (tmp_path / "new.sqlite").exists()
    assert server.total == 1


def test_progress_says_tokens_and_cost(server, row, cache, caplog, monkeypatch):
    caplog.set_level(logging.INFO)
    from textparity.progress import progress_bar
    from textparity_studies.llm import client

    monkeypatch.setattr(client, "progress_bar", lambda total, title, unit: progress_bar(total, title, unit, 0.02))
    ask(["a", "b"], row, cache)
    server.latency = 0.03
    ask([*"abcdefghijklmnop"], row, cache, title="naming, small, eng")
    assert "naming, small, eng: 16 requests, 2 in the cache, 14 to send" in caplog.text
    lines = [record.message for record in caplog.records if record.name == "textparity.progress"]
    assert any("/16 [" in line and " tokens, cost " in line and line.endswith("]") for line in lines)
    assert "naming, small, eng: 16 of 16 answered, 70 tokens, cost 70.0000, 0 stored" in caplog.text


def test_a_cache_that_breaks_ends_the_run(server, row, cache):
    server.reply = lambda body: cache.path.write_bytes(b"no database" * 999) and "text"
    with pytest.raises(ResponseCacheError, match=r"answers\.sqlite: "):
        ask(["a"], row, cache)


CHILD = """
import sys
from test_llm_client import ask_span

ask_span(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
"""


def ask_span(url, path, first=0, last=300):
    row = ModelRow("s", url, "m", "completion", "", 0.0, None, 10, None, requests_at_once=8, timeout_seconds=60.0)
    requests = [Request(row, f"q{number}") for number in range(first, last)]
    with ResponseCache(path) as cache:
        answers = ask_all(requests, row, cache, environment={})
    assert [answer.text for answer in answers] == [f"q{number} → 0.0 None" for number in range(first, last)]


def start_child(url, path, first=0, last=300):
    arguments = [url, str(path), str(first), str(last)]
    support = Path(inspect.getfile(LanguageModelServer)).parent
    path = os.pathsep.join([str(support), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path}
    command = [sys.executable, "-c", CHILD, *arguments]
    return subprocess.Popen(command, cwd=Path(__file__).parent, env=environment)


def content(path):
    with ResponseCache(path) as cache:
        return [(payload["body"], answer.text) for payload, answer in cache.iterate()]


def test_a_killed_run_loses_at_most_what_was_under_way(tmp_path):
    with LanguageModelServer(latency=0.01) as server:
        for kill_at in (80, 200):
            running = start_child(server.url, tmp_path / "killed.sqlite")
            while server.total < kill_at and running.poll() is None:
                time.sleep(0.001)
            running.kill()
            assert running.wait() == -signal.SIGKILL
        ask_span(server.url, tmp_path / "killed.sqlite")
        repeated = server.total - 300
        print(f"asked again after two kills: {repeated} of 300")
        assert len(server.counts) == 300
        assert repeated <= 2 * 8
        server.counts.clear()
        ask_span(server.url, tmp_path / "undisturbed.sqlite")
        assert set(server.counts.values()) == {1}
    assert len(content(tmp_path / "killed.sqlite")) == 300
    assert content(tmp_path / "killed.sqlite") == content(tmp_path / "undisturbed.sqlite")


def test_two_runs_share_one_cache(tmp_path):
    with LanguageModelServer(latency=0.005) as server:
        runs = [start_child(server.url, tmp_path / "a.sqlite", *span) for span in ((0, 120), (60, 180))]
        assert [run.wait() for run in runs] == [0, 0]
        assert len(server.counts) == 180
        before = server.total
        ask_span(server.url, tmp_path / "a.sqlite", 0, 180)
        assert server.total == before


@pytest.fixture
def ctrl_c():
    """Let SIGINT interrupt, as in a terminal; whoever starts the tests in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_keeps_what_was_under_way(server, row, cache, ctrl_c):
    asked = itertools.count(1)

    def reply_or_interrupt(body):
        if next(asked) == 8:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        return "x"

    server.reply = reply_or_interrupt
    with pytest.raises(KeyboardInterrupt):
        ask([f"q{number}" for number in range(100)], row, cache)
    assert len(list(cache.iterate())) == server.total < 100
