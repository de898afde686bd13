"""`textparity audit` from end to end: what it prints and writes, and its exit codes."""

import csv
import os
import subprocess
import sys
import types
from dataclasses import replace
from hashlib import sha256

import pytest

from textparity.auditing import languages
from textparity.auditing.lexicons import find_lexicon
from textparity.auditing.settings import AuditSettings
from textparity.command import main
from textparity.errors import FetchError
from textparity.files import write_rows


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    (tmp_path / "eng.txt").write_text("A woman came.\nTwo fathers met a son.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def audit(*arguments):
    return main(["audit", *map(str, arguments), "--lexicon", "demo"])


def test_a_pipe_becomes_tables_and_a_page(corpus, repository):
    command = [sys.executable, "-m", "textparity", "audit", "-", "--lang", "en", "--lexicon", "demo", "--output", "out"]
    environment = os.environ | {"PYTHONPATH": str(repository / "src")}
    done = subprocess.run(
        command, input=(corpus / "eng.txt").read_bytes(), capture_output=True, cwd=corpus, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert "-:1  A [woman] came." in done.stdout.decode()
    assert sorted(path.name for path in (corpus / "out").iterdir()) == [
        "audit.csv", "audit.html", "audit.tex", "examples.csv", "left_out.csv", "words.csv",
    ]  # fmt: skip
    with (corpus / "out" / "audit.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["corpus"], row["lang"], row["texts"], row["feminine"], row["masculine"]) == ("-", "eng", "2", "1", "2")


def test_what_goes_to_standard_output_goes_there_alone(corpus, capsys):
    assert audit("eng.txt:eng", "--latex", "-") == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(r"\begin{table}")
    assert captured.out.endswith("\\end{table}\n")
    assert captured.err == ""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["empty.txt", "--lang", "eng"], 1, "nothing counted; there is no text"),
        (["eng.txt", "--minimum-certainty", "1"], 1, "nothing counted; texts were left out: 2 language not sure"),
        (["eng.txt", "--lang", "swe"], 1, "no lexicon for Swedish"),
        (["no.txt"], 2, "no.txt: no such file"),
        (["bad.txt", "--lang", "eng"], 2, "bad.txt, line 2: byte 1 of the line is not valid UTF-8"),
        (["eng.txt", "--split", "train"], 2, "--split and --subset are of a --dataset"),
        ([], 2, "name files"),
        (["eng.txt", "--lang", "eng", "--csv", "-", "--html", "-"], 2, "both print to standard output"),
        (["eng.txt", "bad.txt", "--lang", "eng", "--skip-failed"], 3, "skipped: "),
        (["eng.txt", "no.txt", "--lang", "eng", "--skip-failed"], 3, "skipped: no.txt: no such file"),
        (["bad.txt", "--lang", "eng", "--skip-invalid"], 3, "bad.txt, line 2"),
        (["bad.txt", "--lang", "eng", "--skip-failed"], 1, "nothing counted; no file could be read"),
    ],
)
def test_the_exit_code_says_how_it_went(corpus, capsys, arguments, code, message):
    (corpus / "empty.txt").touch()
    (corpus / "bad.txt").write_bytes(b"A man.\n\xff\n")
    assert audit(*arguments) == code
    assert message in capsys.readouterr().err


def test_wrong_options_are_wrong_use(corpus):
    for arguments in (["eng.txt", "--jobs", "0"], ["eng.txt", "--engine", "fast"], ["eng.txt", "--nonsense"]):
        with pytest.raises(SystemExit) as ended:
            audit(*arguments)
        assert ended.value.code == 2


def test_a_dataset_needs_its_package(corpus, capsys, monkeypatch):
    monkeypatch.setattr("textparity.auditing.hub.find_spec", lambda name: None)
    assert audit("--dataset", "some/news", "--lang", "eng") == 2
    assert "pip install 'textparity[hub]'" in capsys.readouterr().err


def test_every_split_of_a_dataset_is_streamed(corpus, capsys, monkeypatch):
    asked = []

    def load_dataset(name, subset, split, streaming):
        asked.append((name, subset, split, streaming))
        if split == "nosplit":
            raise ValueError("Unknown split")
        return [{"answers": [{"text": "A woman."}, {"text": "A man."}]}, {"answers": []}]

    # A module of the kind that `import datasets` finds, without the package.
    stand_in = types.SimpleNamespace(load_dataset=load_dataset, __spec__=types.SimpleNamespace())
    monkeypatch.setitem(sys.modules, "datasets", stand_in)
    options = ["--dataset", "some/news", "--subset", "en", "--field", "answers.text", "--lang", "eng"]
    assert audit(*options, "--split", "train", "--split", "test", "--csv", "-", "--per-file") == 0
    assert asked == [("some/news", "en", "train", True), ("some/news", "en", "test", True)]
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [(row["corpus"], row["texts"]) for row in rows] == [("some/news-en-train", "2"), ("some/news-en-test", "2")]
    assert audit(*options, "--split", "nosplit") == 2
    assert "dataset some/news-en-nosplit: Unknown split; check its name" in capsys.readouterr().err


def test_a_lexicon_is_fetched_once_and_verified(tmp_path, monkeypatch, repository):
    content = (repository / "resources" / "demo" / "lexicons" / "eng.json").read_bytes()
    reference = languages.load_registry().lexicon_file("gender_gap_v1.0", "eng")
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "eng.json").write_bytes(content)
    write_rows(mirror / "urls.tsv", ["url", "path", "sha256"],
               [(reference.url, "eng.json", sha256(content).hexdigest())], tab_separated=True)  # fmt: skip
    monkeypatch.setenv("TEXTPARITY_MIRROR", str(mirror))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    # Of the pinned hash, not of any file of that name.
    with pytest.raises(FetchError, match=r"but resources/source_files\.tsv says"):
        find_lexicon(AuditSettings(), "eng")
    files, key = languages.load_registry().source_files, ("gender_gap_lexicon", "eng_nouns.json")
    monkeypatch.setitem(files, key, [replace(files[key][0], sha256=sha256(content).hexdigest())])
    path = find_lexicon(AuditSettings(), "eng")
    assert path.is_relative_to(tmp_path / "cache")
    (mirror / "eng.json").unlink()
    assert find_lexicon(AuditSettings(), "eng") == path
    path.write_bytes(content[:-1])
    with pytest.raises(FetchError):
        find_lexicon(AuditSettings(), "eng")
    assert find_lexicon(AuditSettings(lexicon="demo"), "fra") is None
