"""The table of models, and what of it a request is known by."""

import dataclasses
import json
import subprocess
import sys

import pytest

from textparity.errors import LanguageModelError, TableError
from textparity_studies.llm.models import ModelRow, Request, load_models

CELLS = {
    "name": "small",
    "base_url": "http://localhost:8080/v1/",
    "model": "org/small-1",
    "mode": "chat",
    "api_key_env": "SOME_KEY",
    "temperature": "0",
    "top_p": "",
    "max_tokens": "16",
    "seed": "7",
    "stop": '["\\n"]',
    "extra": '{"grammar": "root ::= \\"x\\""}',
    "price_per_million_input": "0.5",
    "price_per_million_output": "2",
    "requests_at_once": "4",
    "timeout_seconds": "30",
    "withdrawn": "",
}
MESSAGES = [{"role": "user", "content": "Who?"}]


def write(path, *rows):
    lines = ["\t".join(CELLS), *("\t".join((CELLS | row).values()) for row in rows)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_rows_are_read_with_their_types(tmp_path):
    rows = load_models(write(tmp_path / "models.tsv", {}, {"name": "bare", "stop": "", "extra": "", "seed": ""}))
    assert rows["small"] == ModelRow(
        "small", "http://localhost:8080/v1", "org/small-1", "chat", "SOME_KEY", 0.0, None, 16, 7, ("\n",),
        {"grammar": 'root ::= "x"'}, 0.5, 2.0, 4, 30.0,
    )  # fmt: skip
    assert (rows["bare"].stop, rows["bare"].extra, rows["bare"].seed) == ((), {}, None)
    assert rows["small"].cost(1_000_000, 500_000) == 1.5


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("name", "a b"), ("name", ""), ("base_url", "localhost:80"), ("base_url", "https://me:secret@host/v1"),
        ("base_url", "https://host/v1?key=1"), ("model", ""), ("mode", "edit"), ("temperature", "warm"),
        ("temperature", "nan"), ("top_p", "2"), ("max_tokens", ""), ("max_tokens", "1.5"), ("max_tokens", "0"),
        ("seed", "x"), ("stop", "x"), ("stop", '"x"'), ("stop", "[1]"), ("extra", "[]"), ("extra", "{"),
        ("extra", '{"stream": true}'), ("extra", '{"a": NaN}'),
        ("extra", '{"max_completion_tokens": "9"}'), ("base_url", "http://:80/v1"),
        ("price_per_million_input", "-1"), ("price_per_million_output", "inf"),
        ("requests_at_once", "0"), ("timeout_seconds", "0"), ("withdrawn", "yes"),
    ],
)  # fmt: skip
def test_a_bad_cell_is_named(tmp_path, column, cell):
    with pytest.raises(TableError, match=rf"models\.tsv, line 3, column {column}: "):
        load_models(write(tmp_path / "models.tsv", {}, {"name": "other", column: cell}))


@pytest.mark.parametrize(("column", "cell"), [("api_key_env", "sk-abcdef"), ("base_url", "https://me:abcdef@host/v1")])
def test_a_key_in_the_table_is_not_repeated(tmp_path, column, cell):
    with pytest.raises(TableError, match=f"line 2, column {column}") as error:
        load_models(write(tmp_path / "models.tsv", {column: cell}))
    assert "abcdef" not in str(error.value)


def test_a_name_stands_once(tmp_path):
    with pytest.raises(TableError, match="line 3, column name: small occurs twice"):
        load_models(write(tmp_path / "models.tsv", {}, {}))


@pytest.fixture
def row(tmp_path):
    return load_models(write(tmp_path / "models.tsv", {}))["small"]


@pytest.mark.parametrize(
    "change",
    [
        {"model": "x"}, {"base_url": "http://other/v1"}, {"temperature": 0.5}, {"temperature": None}, {"top_p": 0.9},
        {"max_tokens": 17}, {"seed": 8}, {"stop": ()}, {"extra": {}},
    ],
)  # fmt: skip
def test_what_the_answer_depends_on_changes_the_digest(row, change):
    changed = Request(dataclasses.replace(row, **change), MESSAGES)
    assert changed.digest() != Request(row, MESSAGES).digest()


@pytest.mark.parametrize(
    "change",
    [{"name": "x"}, {"price_per_million_input": 9.0}, {"requests_at_once": 9}, {"timeout_seconds": 9.0},
     {"api_key_env": "X"}, {"temperature": 0}],
)  # fmt: skip
def test_how_it_is_asked_does_not(row, change):
    changed = Request(dataclasses.replace(row, **change), MESSAGES)
    assert changed.digest() == Request(row, MESSAGES).digest()


def test_prompt_and_run_change_the_digest_and_runs_get_their_own_seed(row):
    requests = [Request(row, MESSAGES, run) for run in range(3)]
    requests.append(Request(row, [{"role": "user", "content": "Who ?"}]))
    assert len({request.digest() for request in requests}) == 4
    assert [request.body()["seed"] for request in requests] == [7, 8, 9, 7]


def test_a_digest_is_the_same_everywhere():
    row = ModelRow("m", "http://h/v1", "m", "completion", "", None, None, 1, None, extra={"b": 1, "a": 2})
    request = Request(row, "Wer? 誰")
    assert request.digest() == "48f06fb6e842cad1eefabf63ef20b14deffb10b480ac52907e383756aa036d6a"


def test_the_newer_name_of_the_limit_replaces_the_older(row):
    request = Request(dataclasses.replace(row, extra={"max_completion_tokens": 99}), MESSAGES)
    assert "max_tokens" not in request.body()
    assert request.completion_limit == 99


def test_a_prompt_of_the_wrong_kind_is_refused(row):
    with pytest.raises(LanguageModelError, match="model small is asked in chat mode, which needs a list of messages"):
        Request(row, "Who?")


def test_parsing_rules_does_not_load_openai():
    code = "import sys, json, textparity_studies.llm.client; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
    assert not {"openai", "pandas", "httpx", "httpx2"} & set(loaded)
