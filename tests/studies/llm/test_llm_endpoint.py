"""Whatever a server, a file of records or a header says: an answer that can be kept, or a fault that says why not."""

import dataclasses
import html
import json
from base64 import b64encode
from unittest.mock import patch
from urllib.parse import quote

import httpx
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from textparity.errors import LanguageModelError, ResponseCacheError
from textparity_studies.llm.answering import ANSWER_FIELDS, answer_cells
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.endpoint import MARK, Endpoint, Fault, KeyRemover, _seconds
from textparity_studies.llm.models import ModelRow, Request

KEY = "sk-prop/7f3a+Q=="
ANY = settings(
    deadline=None, max_examples=200, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
ROW = ModelRow("m", "http://127.0.0.1:9/v1", "m", "completion", "K", 0.0, None, 10, None)
# JSON may hold halves of surrogate pairs.
LETTERS = st.text(st.characters(), max_size=20) | st.sampled_from([KEY, quote(KEY, safe=""), f"a {KEY}\ud83d"])
NUMBERS = st.integers() | st.floats() | st.booleans() | st.sampled_from([2**31, 2**31 - 1, 10**400])
VALUES = st.recursive(
    st.none() | NUMBERS | LETTERS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(LETTERS, inner, max_size=3),
    max_leaves=8,
)
COUNTS = st.none() | st.integers(0, 100) | NUMBERS | VALUES
OFTEN_TEXT = LETTERS | LETTERS | VALUES
BODIES = st.fixed_dictionaries(
    {
        "choices": st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "text": OFTEN_TEXT,
                    "finish_reason": st.sampled_from(["stop", None]) | OFTEN_TEXT,
                    "message": st.fixed_dictionaries({}, optional={"content": OFTEN_TEXT, "refusal": OFTEN_TEXT}),
                },
            )
            | VALUES,
            max_size=2,
        )
    },
    optional={
        "usage": st.fixed_dictionaries({}, optional={"prompt_tokens": COUNTS, "completion_tokens": COUNTS}) | VALUES,
        "model": OFTEN_TEXT,
    },
)


def respond(text):
    content = text.encode("utf-8", "surrogatepass")
    return httpx.Response(200, content=content, headers={"content-type": "application/json"})


def ask(endpoint, request, response):
    with patch.object(endpoint, "_send", return_value=response):
        return endpoint.ask(request)


@pytest.fixture(scope="module")
def endpoint():
    opened = Endpoint(ROW, ROW.base_url, {"K": KEY})
    yield opened
    opened.close()


@pytest.fixture
def cache(tmp_path):
    with ResponseCache(tmp_path / "answers.sqlite") as opened:
        yield opened


@ANY
@given(body=BODIES | VALUES, mode=st.sampled_from(["chat", "completion"]), number=st.integers(0, 10**9))
def test_a_body_is_an_answer_that_can_be_kept_or_a_fault(endpoint, cache, body, mode, number):
    prompt = f"q{number}" if mode == "completion" else [{"role": "user", "content": f"q{number}"}]
    request = Request(dataclasses.replace(ROW, mode=mode), prompt)
    try:
        answer = ask(endpoint, request, respond(json.dumps(body)))
    except (Fault, LanguageModelError) as fault:
        assert KEY not in str(fault)
        str(fault).encode()
        return
    cache.put_many([(request, answer)])
    with ResponseCache(cache.path) as again:
        kept = again.get_many([answer.digest])[answer.digest]
    assert KEY not in repr(kept)
    pa.Table.from_pylist([answer_cells(kept)], pa.schema(ANSWER_FIELDS))


@ANY
@given(text=st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_any_text_is_a_fault_and_never_a_traceback(endpoint, text):
    with pytest.raises(Fault):
        ask(endpoint, Request(dataclasses.replace(ROW, mode="chat"), [{"role": "user", "content": "q"}]), respond(text))


SPELLINGS = [
    lambda text: quote(text, safe=""),
    lambda text: json.dumps(text),
    lambda text: json.dumps(text).replace("/", "\\/"),
    html.escape,
    lambda text: "".join(f"&#{ord(letter)};" for letter in text),
    lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    lambda text: b64encode(text.encode()).decode(),
]
PRINTABLE = st.characters(min_codepoint=33, max_codepoint=126)


@ANY
@given(
    st.text(PRINTABLE, min_size=12, max_size=40),
    st.text(max_size=9),
    st.text(max_size=9),
    st.sampled_from(SPELLINGS),
    st.sampled_from([*SPELLINGS[:6], lambda text: text]),
)
def test_a_key_is_found_however_it_is_spelled(key, before, after, spelling, again):
    said = again(spelling(key))
    cleaned = KeyRemover(key).clean(f"{before} {said} {after}")
    assert MARK in cleaned
    assert key not in cleaned and said not in cleaned
    # Two letters of base64 at each end may stay.
    assert len(cleaned) <= len(before) + len(after) + len(MARK) + 30


@ANY
@given(st.text(PRINTABLE, min_size=20, max_size=40), st.text(max_size=200))
def test_a_text_without_the_key_stays_as_it_is(key, text):
    if key not in text:
        assert KeyRemover(key).clean(text) == text
    assert KeyRemover("").clean(text) == text


@ANY
@given(
    st.text(max_size=40) | st.from_regex(r"[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{1,6} \d\d:\d\d:\d\d [+-]?\w{1,8}")
)
def test_any_retry_after_is_a_time_to_wait(header):
    assert _seconds(header) >= 0


LINES = st.binary(max_size=60) | VALUES.map(lambda value: json.dumps(value).encode())


@ANY
@given(lines=st.lists(LINES, min_size=1, max_size=3))
def test_a_file_of_records_is_read_or_its_line_named(tmp_path, lines):
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    with ResponseCache(tmp_path / "b.sqlite") as cache:
        if not b"\n".join(lines):
            assert cache.import_answers(tmp_path / "a.jsonl") == 0
            return
        with pytest.raises(ResponseCacheError, match=r"a\.jsonl, line \d+: is not a request with its answer"):
            cache.import_answers(tmp_path / "a.jsonl")
        assert not cache.path.exists()
