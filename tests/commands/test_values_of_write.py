"""The values of `--write`: which files they name, and that they are written as a set."""

import json

import pytest
from lexicons import WITH_NOUNS

from textparity.auditing.showing.outputs import AUDIT_OUTPUTS
from textparity.command import main
from textparity.errors import ConfigError


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("A woman came.\nTwo fathers met a son.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def audit(*arguments):
    return main(["audit", "a.txt", "--lang", "eng", *WITH_NOUNS, *arguments])


@pytest.mark.parametrize(
    ("text", "kind", "target"),
    [
        ("t.csv", "csv", "t.csv"),
        ("words=t.csv", "words", "t.csv"),
        ("json=-", "json", "-"),
        ("t.json", "json", "t.json"),
        ("card=t.json", "card", "t.json"),
        ("r.parquet", "records", "r.parquet"),
        ("part=r.parquet", "part", "r.parquet"),
        ("./a=b.html", "html", "./a=b.html"),
        ("csv=a=b", "csv", "a=b"),
        ("t.bib", "citation", "t.bib"),
    ],
)
def test_the_ending_decides_or_else_the_kind(text, kind, target):
    assert AUDIT_OUTPUTS.read([text]).items == [(kind, target)]


@pytest.mark.parametrize("text", ["out", "out/", "out.d/", "folder=out.d"])
def test_a_folder_gets_all_tables_and_the_page(corpus, text):
    assert audit("--quiet", "--write", text) == 0
    (folder,) = (path for path in corpus.iterdir() if path.is_dir())
    assert len(list(folder.iterdir())) == 6


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["t.xls"], r"t\.xls: the name ends in none of \.csv, .*kinds are csv, words"),
        (["-"], "-: the name ends in none of"),
        (["table=t.csv"], "table is not a kind of output; kinds are csv, words"),
        (["csv="], "the name is empty"),
        (["figure=-"], "figure is not a text, so it cannot be printed"),
        (["csv=-", "html=-"], "csv and html both print to standard output"),
        (["r.parquet", "records=s.parquet"], "two files for records"),
    ],
)
def test_what_cannot_be_written_is_named(texts, message):
    with pytest.raises(ConfigError, match=message):
        AUDIT_OUTPUTS.read(texts)


def test_a_file_without_an_ending_needs_its_kind(corpus):
    (corpus / "table").touch()
    with pytest.raises(ConfigError, match="table: the name ends in none"):
        AUDIT_OUTPUTS.read(["table"])
    assert audit("--quiet", "--write", "csv=table") == 0
    assert (corpus / "table").read_text().startswith("corpus,lang,")


def test_texts_are_written_as_a_set(corpus, monkeypatch, capsys):
    def fail(result):
        raise OSError(28, "No space left on device")

    (corpus / "t.csv").write_text("before")
    monkeypatch.setattr("textparity.auditing.showing.outputs.render_page", fail)
    assert audit("--quiet", "--write", "t.csv", "--write", "new.csv", "--write", "page.html") == 2
    assert (corpus / "t.csv").read_text() == "before"
    assert sorted(path.name for path in corpus.iterdir()) == ["a.txt", "t.csv"]


def test_json_is_the_same_in_a_file_and_has_the_checks(corpus, capsys):
    checks = ["--fail-if", "matches < 2", "--write", "checks.xml"]
    assert audit("--quiet", *checks, "--write", "json=-") == 0
    printed = capsys.readouterr().out
    assert audit("--quiet", *checks, "--write", "t.json") == 0
    assert (corpus / "t.json").read_text("utf-8") == printed
    assert [row["condition"] for row in json.loads(printed)["passed"]] == ["matches < 2"]


def test_what_to_cite_is_bibtex(corpus):
    assert audit("--quiet", "--write", "t.bib") == 0
    assert (corpus / "t.bib").read_text("utf-8").startswith("@")
