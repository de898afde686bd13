"""Archives of results that somebody else made: `tools/archive_results.py verify` runs and deletes nothing of theirs."""

import json
import subprocess
import sys
import zipfile
from hashlib import sha256

import pytest

from textparity.corpora.reading import read_corpus

READ = {
    "rule": "read_corpus",
    "input": {"source": "resources/eng.txt"},
    "output": {"texts": "results/eng.parquet"},
    "params": {"step": "textparity.corpora.reading:read_corpus", "corpus": "demo", "lang": "eng"},
}


@pytest.fixture
def make_archive(tmp_path):
    """Write an archive of `calls` and `files`, which lists all of them and `listed` (name → content) with hashes."""

    def make(calls, files, listed=None):
        entities = [
            {"@id": name, "sha256": sha256(content).hexdigest()} for name, content in (files | (listed or {})).items()
        ]
        software = {"@id": "#textparity", "softwareVersion": "0"}
        archive = tmp_path / "results.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("ro-crate-metadata.json", json.dumps({"@graph": [software, *entities]}))
            packed.writestr("calls.jsonl", "".join(json.dumps(call) + "\n" for call in calls))
            for name, content in files.items():
                packed.writestr(name, content)
        return archive

    return make


@pytest.fixture
def verify(repository, tmp_path):
    """Verify an archive as `make verify-archive` does."""

    def run(archive):
        command = [sys.executable, str(repository / "tools/archive_results.py"), "verify", str(archive)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert "Traceback" not in done.stderr
        return done

    return run


@pytest.fixture
def result(tmp_path):
    """The files of one result: a text and the rows that were read from it."""
    (tmp_path / "eng.txt").write_text("She laughed.\n", "utf-8")
    read_corpus(tmp_path / "eng.txt", tmp_path / "eng.parquet", "demo", "eng")
    return {
        "resources/eng.txt": (tmp_path / "eng.txt").read_bytes(),
        "results/eng.parquet": (tmp_path / "eng.parquet").read_bytes(),
    }


def test_a_declared_step_makes_its_result_again(make_archive, verify, result):
    done = verify(make_archive([READ], result))
    assert done.returncode == 0, done.stderr
    assert "1 of 1 results made again with the same bytes" in done.stdout


def test_a_result_that_its_inputs_do_not_give_is_named(make_archive, verify, result):
    done = verify(make_archive([READ], result | {"resources/eng.txt": b"He laughed.\n"}))
    assert done.returncode == 1
    assert "DIFFERENT: results/eng.parquet: other bytes" in done.stdout


@pytest.mark.parametrize("function", ["shutil:rmtree", "textparity.files:remove_parts", "os:system"])
def test_only_steps_of_the_rules_are_called(make_archive, verify, result, tmp_path, function):
    victim = tmp_path / "victim"
    victim.mkdir()
    call = {"rule": "x", "input": {}, "output": {}, "params": {"step": function, "path": str(victim)}}
    done = verify(make_archive([READ, call], result))
    assert done.returncode == 1
    assert f"calls {function}, which no rule" in done.stderr
    assert victim.is_dir()


@pytest.mark.parametrize("is_listed", [True, False])
def test_nothing_outside_the_folder_is_deleted_or_written(make_archive, verify, result, tmp_path, is_listed):
    victim = tmp_path / "victim.txt"
    victim.write_text("mine", "utf-8")
    call = READ | {"output": {"texts": str(victim)}}
    done = verify(make_archive([call], result, {str(victim): b"mine"} if is_listed else {}))
    assert done.returncode == 1
    assert "victim.txt' leads out of the archive's folder" in done.stderr
    assert victim.read_text("utf-8") == "mine"


def test_a_member_is_not_unpacked_elsewhere(make_archive, verify, result, tmp_path):
    done = verify(make_archive([READ], result | {"../escaped.txt": b"out"}))
    assert done.returncode == 1
    assert "'../escaped.txt' leads out of its folder" in done.stderr
    assert not list(tmp_path.rglob("escaped.txt"))


def test_an_archive_that_unpacks_without_limit_is_refused(make_archive, verify, result):
    done = verify(make_archive([READ], result | {"results/zeros.csv": bytes(100 << 20)}))
    assert done.returncode == 1
    assert "unpacks to more than" in done.stderr


@pytest.mark.parametrize("line", ["[", "[" * 100_000, "1", '{"rule": "x"}'])
def test_what_is_no_list_of_calls_is_a_message(make_archive, verify, result, line):
    archive = make_archive([], result)
    with zipfile.ZipFile(archive, "a") as packed, pytest.warns(UserWarning, match="Duplicate"):
        packed.writestr("calls.jsonl", line)
    done = verify(archive)
    assert done.returncode == 1
    assert "calls.jsonl cannot be read" in done.stderr


@pytest.mark.parametrize(
    "attempt",
    ["socket.create_connection(('127.0.0.1', 9))", "subprocess.run(['touch', 'victim'])", "os.system('touch victim')"],
)
def test_a_step_reaches_no_server_and_no_program(repository, tmp_path, attempt):
    code = (
        "import os, socket, subprocess, sys; from archive_results import _refuse_to_leave; "
        f"sys.addaudithook(_refuse_to_leave); {attempt}"
    )
    environment = {"PYTHONPATH": f"{repository / 'tools'}:{repository / 'src'}"}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert "PermissionError" in done.stderr
    assert not (tmp_path / "victim").exists()
