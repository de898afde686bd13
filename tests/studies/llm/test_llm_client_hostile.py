"""The client, against a real server on loopback that wants money, time, memory, keys or the run to end."""

import dataclasses
import gzip
import json
import logging
import threading
import time
import traceback
from base64 import b64encode
from urllib.parse import quote

import pytest
from llm_server import LanguageModelServer
from test_llm_client import ask

from textparity.errors import ApiKeyError, BudgetExceededError, LanguageModelError, ResponseCacheError
from textparity_studies.llm.cache import ResponseCache, Spending
from textparity_studies.llm.client import Budget
from textparity_studies.llm.endpoint import LONGEST_BODY
from textparity_studies.llm.models import ModelRow

# With what is escaped in an address, in JSON and in HTML.
KEY = 'sk-live/7f+3a="Zz&9'
ENVIRONMENT = {"TEST_KEY": KEY}


@pytest.fixture
def server():
    with LanguageModelServer() as running:
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


def put(prompts, row, cache, **options):
    return ask(prompts, row, cache, environment=ENVIRONMENT, **options)


@pytest.mark.parametrize("part", ["finish_reason", "model", "text"])
def test_half_a_surrogate_pair_costs_no_other_answer(server, row, cache, part):
    row = dataclasses.replace(row, requests_at_once=8)
    server.latency = 0.1
    server.faults = {"q3": [{part: "odd\ud83d"}]}
    answers = put([f"q{number}" for number in range(8)], row, cache)
    assert vars(answers[3])[part] == "odd\ufffd"
    assert len(list(cache.iterate())) == server.total == 8


BAD_PARTS = [
    *({"usage": {"completion_tokens": bad}} for bad in (2**31, -1, True, 10**400, 1e400, "3", [3], {})),
    {"usage": {"prompt_tokens": 2**31, "completion_tokens": 1}}, {"usage": [1, 2]}, {"usage": "3"}, {"model": ["m"]},
    {"text": 7}, {"text": ["a"]}, {"text": {"content": "a"}}, {"finish_reason": {}}, {"finish_reason": 1},
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD_PARTS, ids=lambda bad: json.dumps(bad)[:60])
def test_an_answer_that_cannot_be_a_row_is_a_fault(server, row, cache, caplog, bad):
    server.faults = {"a": [bad]}
    budget = Budget(maximum_cost=100)
    assert [answer.text for answer in put(["a"], row, cache, budget=budget)] == ["a → 0.0 None"]
    assert "an answer that cannot be stored: " in caplog.text
    # The first attempt may be billed as it was estimated, 1 + 10.
    assert (server.counts["a"], budget.spent.requests, budget.spent.cost) == (2, 2, 11 + 5)
    server.faults = {"b": [bad] * 9}
    with pytest.raises(LanguageModelError, match="no usable answer after 2 attempts, last seen: an answer that cannot"):
        put(["b"], row, cache, attempts=2)
    assert len(list(cache.iterate())) == 1


def raw(content, status=200, **headers):
    return lambda handler, whole: handler.send(status, content, headers)


def test_a_refusal_that_is_no_text_is_a_fault(server, row, cache, caplog):
    row = dataclasses.replace(row, mode="chat")
    server.faults = {"a": [{"message": {"content": None, "refusal": [KEY]}}]}
    assert put(["a"], row, cache)[0].error == ""
    assert "an answer that cannot be stored: error is not a text" in caplog.text
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    ("body", "said"),
    [("[" * 100_000, "cut or invalid JSON"), ('{"choices":' * 50_000, "cut or invalid JSON"),
     ("[" * 400 + "]" * 400, "no choices"), ("1" * 5000, "cut or invalid JSON"), ("NaN", "no choices"),
     ('{"choices": [{"text": "a"}], "usage": {"prompt_tokens": %s}}' % ("9" * 5000), "cut or invalid JSON"),
     ('"\ufeff"', "no choices"), ("null", "no choices"), ("", "cut or invalid JSON")],
    ids=range(9),
)  # fmt: skip
def test_a_body_that_is_no_answer_is_a_fault(server, row, cache, caplog, body, said):
    server.faults = {"a": [raw(body)]}
    assert put(["a"], row, cache)[0].text == "a → 0.0 None"
    assert said in caplog.text


@pytest.mark.parametrize("is_in_choice", [False, True])
def test_an_error_in_an_answer_is_met_as_its_kind(server, row, cache, caplog, is_in_choice):
    def answered(error):
        choice = {"index": 0, "text": "half", "finish_reason": "stop"}
        if is_in_choice:
            return [raw({"choices": [choice | {"error": error}]})]
        return [raw({"choices": [choice], "error": error})]

    server.faults = {
        "busy": answered({"code": 429, "message": "slow down"}),
        "down": answered({"code": "502", "message": "upstream is gone"}),
        "unknown": answered("something is wrong"),
        "bad": answered({"code": 400, "message": "too long"}),
        "fine": answered(None),
    }
    *repeated, bad, fine = put([*server.faults], row, cache)
    assert [answer.text for answer in repeated] == [f"{name} → 0.0 None" for name in ("busy", "down", "unknown")]
    for reason in ("slow down", "upstream is gone", "something is wrong"):
        assert reason in caplog.text
    assert bad.text == "" and "HTTP 200 with an error: " in bad.error and "too long" in bad.error
    assert (fine.text, fine.error) == ("half", "")
    assert server.counts == {"busy": 2, "down": 2, "unknown": 2, "bad": 1, "fine": 1}
    server.faults = {"key": answered({"code": 401, "message": "who is this?"})}
    with pytest.raises(ApiKeyError, match="who is this"):
        put(["key"], row, cache)


def choice(text, **place):
    return {"text": text, "finish_reason": "stop"} | place


@pytest.mark.parametrize(
    ("choices", "text"),
    [
        ([choice("b", index=1), choice("a", index=0)], "a"),
        ([choice("a"), choice("b")], "a"),
        ([choice("b", index=1), None, choice("a", index=0)], "a"),
        ([choice("b", index=1)], ""),
    ],
)
def test_the_choice_of_an_answer_is_the_first_by_its_index(server, row, cache, caplog, choices, text):
    server.faults = {"asked": [raw({"choices": choices})]}
    # An answer without such a choice is a fault, and the next attempt succeeds.
    assert put(["asked"], row, cache)[0].text == (text or "asked → 0.0 None")
    assert ("none with the index 0" in caplog.text) == (not text)


@pytest.mark.parametrize("status", [400, 404, 500])
def test_an_error_of_nested_json_is_a_message(server, row, cache, status):
    server.faults = {"a": [raw("[" * 100_000, status)] * 2}
    try:
        assert put(["a"], row, cache, attempts=2)[0].error.startswith("HTTP 400: [[[")
    except LanguageModelError as error:
        assert f"HTTP {status}: [[[" in str(error)


@pytest.mark.parametrize("charset", ["utf-16", "rot13", "zlib_codec", "hex", "utf-7", "no-such"])
def test_the_charset_that_a_server_names_changes_nothing(server, row, cache, charset):
    def answer(handler, whole):
        handler.send(
            200, json.dumps(whole, ensure_ascii=False), {"Content-Type": f"application/json; charset={charset}"}
        )

    server.faults = {"a": [answer]}
    assert put(["a"], row, cache)[0].text == "a → 0.0 None"
    assert server.total == 1


def start(handler, status=200, **headers):
    handler.close_connection = True
    handler.send_response(status)
    for name, value in {"Content-Type": "application/json", "Connection": "close", **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()


@pytest.mark.parametrize("status", [200, 307, 400, 401, 500])
def test_a_body_without_end_is_left(server, row, cache, caplog, status):
    sent = []

    def pour(handler, whole):
        start(handler, status, **({"Location": "/v1/completions"} if status == 307 else {}))
        while len(sent) < 4000:
            handler.wfile.write(b" " * 100_000)
            sent.append(1)

    server.faults = {"a": [pour]}
    assert put(["a"], row, cache)[0].text == "a → 0.0 None"
    assert f"the body goes on after {LONGEST_BODY:,} bytes" in caplog.text
    # What is in the buffers of the system comes on top.
    assert len(sent) < 200


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_a_packed_body_is_not_unpacked(server, row, cache, caplog, name):
    def bomb(handler, whole):
        start(handler, Content_Encoding=name)
        handler.wfile.write(gzip.compress(b" " * 100_000_000))

    server.faults = {"a": [bomb]}
    assert put(["a"], row, cache)[0].text == "a → 0.0 None"
    assert f"the body is compressed ({name}), which was not requested" in caplog.text


def trickled_body(handler, whole):
    start(handler)
    trickle(handler)


def trickled_error(handler, whole):
    start(handler, 500)
    trickle(handler)


def trickled_headers(handler, whole):
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    trickle(handler)


def continued(handler, whole):
    handler.close_connection = True
    trickle(handler, b"HTTP/1.1 100 Continue\r\n\r\n")


def trickle(handler, piece=b"x"):
    # The client hangs up; if it does not, this ends some day.
    for _ in range(2000):
        handler.wfile.write(piece)
        handler.wfile.flush()
        time.sleep(0.05)


@pytest.mark.parametrize("slow", [trickled_body, trickled_error, trickled_headers, continued])
def test_an_attempt_ends_in_time_however_the_server_trickles(server, row, cache, caplog, slow):
    row = dataclasses.replace(row, timeout_seconds=0.5)
    server.faults = {"a": [slow] * 2}
    started = time.monotonic()
    with pytest.raises(LanguageModelError, match=r"last seen: no answer within 0\.5 s"):
        put(["a"], row, cache, attempts=2, budget=(budget := Budget(maximum_cost=100)))
    # Each attempt would take 100 s.
    assert time.monotonic() - started < 60
    # It may have worked.
    assert budget.spent.cost == 22


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_server_is_refused(server, row, cache, status):
    with LanguageModelServer() as other:
        server.faults = {"a": [raw("", status, Location=f"{other.url}/completions?key={quote(KEY, safe='')}")]}
        with pytest.raises(LanguageModelError, match=r"sends requests on to .*; nothing was sent there") as error:
            put(["a"], row, cache)
        assert f"sends requests on to {other.url.removesuffix('/v1')}, another" in str(error.value)
        assert "write its address up to /v1 into base_url of small" in str(error.value)
        assert KEY not in "".join(traceback.format_exception(error.value))
        assert (server.total, other.total, other.bodies) == (1, 0, [])
    assert cache.spending().requests == 1
    assert list(cache.iterate()) == []


def test_a_redirect_on_the_same_server_is_followed_but_not_for_ever(server, row, cache, caplog):
    server.faults = {"a": [raw("", 307, Location="/v1/completions")]}
    assert put(["a"], row, cache)[0].text == "a → 0.0 None"
    server.faults = {"b": [raw("", 308, Location="/v1/completions")] * 50}
    # Another attempt would be redirected too.
    with pytest.raises(LanguageModelError, match="redirects more than 3 times; check base_url"):
        put(["b"], row, cache, attempts=2)
    assert server.counts == {"a": 2, "b": 4}
    assert cache.spending().requests == 2 + 4


def test_a_redirect_is_a_request_of_the_budget(server, row, cache):
    server.faults = {"a": [raw("", 307, Location="/v1/completions")] * 3}
    with pytest.raises(BudgetExceededError, match="2 requests"):
        put(["a"], row, cache, budget=Budget(maximum_requests=2))
    assert (server.total, cache.spending().requests) == (2, 2)


@pytest.mark.parametrize("place", ["http://[::1/", "http://a b/", "ftp://h/x", "http://h:99999/", "x" * 70000])
def test_a_redirect_to_nowhere_is_a_message(server, row, cache, place):
    server.faults = {"a": [raw("", 307, Location=place)]}
    with pytest.raises(LanguageModelError):
        put(["a"], row, cache, attempts=1)


def spelled(key):
    """The key as servers may repeat it."""
    in_json = json.dumps(key)[1:-1]
    return {
        "as it is": key,
        "address": quote(key, safe=""),
        "address, lower case": quote(key, safe="").lower().replace("zz", "Zz"),
        "address twice": quote(quote(key, safe=""), safe=""),
        "JSON": in_json.replace("/", "\\/"),
        "JSON twice": json.dumps(in_json.replace("/", "\\/"))[1:-1],
        "JSON, all letters": "".join(f"\\u{ord(letter):04X}" for letter in key),
        "HTML": key.replace("&", "&amp;").replace('"', "&quot;").replace("/", "&#x2F;"),
        "HTML in JSON": json.dumps(key.replace("&", "&amp;").replace('"', "&#34;").replace("/", "&sol;"))[1:-1],
        "base64": b64encode(f"Bearer {key}".encode()).decode(),
        "base64 in an address": quote(b64encode(f"u:{key}".encode()).decode(), safe=""),
        "hexadecimal": key.encode().hex(),
    }


SPELLED = spelled(KEY)


@pytest.mark.parametrize("spelling", SPELLED)
def test_a_repeated_key_is_nowhere_however_it_is_spelled(server, row, cache, tmp_path, caplog, spelling):
    caplog.set_level(logging.DEBUG)
    said = SPELLED[spelling]
    chat = dataclasses.replace(row, mode="chat")
    message = {"role": "assistant", "content": f"You sent {said}.", "refusal": f"No {said}."}
    html_page = {"Content-Type": f"text/html; key={said}"}
    server.faults = {
        "kept": [{"message": message, "finish_reason": f"stop {said}", "model": f"m {said}"}],
        "bad": [raw({"error": {"message": f"bad {said}"}}, 400)],
        "bad, raw": [raw(f'{{"key": "{said}"}}', 413)],
        "faults": [
            raw({"error": {"message": f"limit of {said}"}}, 429), raw(f"not JSON {said}", 500), raw(said, **html_page),
            raw(f'{{"choices": [], "key": "{said}"}}'), raw({"choices": [], "key": said}), raw(f"[{said}", 503),
        ],
        "key": [raw({"detail": f"who is {said}?"}, 401)],
        "gone": [raw(f"<p>{said}", 404)],
    }  # fmt: skip
    answers = put(["kept", "bad", "bad, raw"], chat, cache)
    put(["faults"], chat, cache, attempts=9)
    shown = []
    for prompt in ("key", "gone"):
        with pytest.raises(LanguageModelError) as error:
            put([prompt], chat, cache)
        shown.append("".join(traceback.format_exception(error.value)))
    cache.export_answers(tmp_path / "answers.jsonl")
    files = [file.read_text("utf-8", "replace") for file in tmp_path.iterdir()]
    for text in [*map(repr, answers), *shown, *files, caplog.text]:
        # A piece of it would be too much, too.
        assert not [part for part in (KEY[3:12], said[3:12], said[-9:]) if part in text and part not in "stop [key]"]
        assert "[key]" in text
    assert "[key]" in answers[0].finish_reason and "[key]" in answers[0].model


def test_control_characters_of_a_server_reach_no_terminal(server, row, cache):
    server.faults = {"a": [raw({"error": {"message": "\x1b[2Jgone\x00 \x9b1m\u202e"}}, 404)]}
    with pytest.raises(LanguageModelError, match=r"HTTP 404: \ufffd.2Jgone\ufffd \ufffd1m\ufffd;"):
        put(["a"], row, cache)


def test_a_batch_that_cannot_be_written_is_kept_when_the_run_ends(server, row, cache, monkeypatch):
    calls = []
    written = ResponseCache.put_many

    def fail_once(self, *arguments):
        calls.append(1)
        if len(calls) == 1:
            raise ResponseCacheError("disk full")
        return written(self, *arguments)

    monkeypatch.setattr(ResponseCache, "put_many", fail_once)
    with pytest.raises(ResponseCacheError, match="disk full"):
        put([f"q{number}" for number in range(3)], row, cache)
    assert len(list(cache.iterate())) == server.total > 0
    # A request that was broken off before it arrived counts as sent.
    assert server.total <= cache.spending().requests <= 3


def test_ctrl_c_while_answers_are_written_loses_none(server, row, cache, monkeypatch):
    server.latency = 0.1
    stopped = []
    add = ResponseCache._spending

    def stop_once(self, *arguments):
        stopped.append(1)
        # The first call reads the spending before anything is requested. All answers may be written by the second.
        if len(stopped) == 2:
            raise KeyboardInterrupt
        return add(self, *arguments)

    monkeypatch.setattr(ResponseCache, "_spending", stop_once)
    with pytest.raises(KeyboardInterrupt):
        put([f"q{number}" for number in range(4)], row, cache)
    assert len(list(cache.iterate())) == server.total == 4
    assert cache.spending() == Spending(4, 4 * 5.0)


def test_two_runs_at_once_share_one_budget(server, row, cache):
    row = dataclasses.replace(row, requests_at_once=2)
    server.latency = 0.03
    ended = []

    def run(first):
        with ResponseCache(cache.path) as own:
            budget = Budget(maximum_requests=30)
            try:
                put([f"q{number}" for number in range(first, first + 40)], row, own, budget=budget)
            except LanguageModelError as error:
                ended.append(str(error))

    runs = [threading.Thread(target=run, args=[first]) for first in (0, 100)]
    for each in runs:
        each.start()
    for each in runs:
        each.join()
    assert len(ended) == 2 and all("budget: " in said for said in ended)
    # What the other has under way, and may have been given since.
    assert 30 <= server.total <= 30 + 2 * 2
    assert cache.spending().requests == server.total == len(list(cache.iterate()))
