"""The record of a run: everything but host and time is the same for two runs of the same."""

import csv
import hashlib
import json

import pytest

from textparity_studies.workflow.run_record import record_run

NAMES = ("run", "config", "packages", "sources", "models", "files")


@pytest.fixture
def record(tmp_path, monkeypatch, repository):
    def record(folder, **settings):
        (tmp_path / folder / "results" / "sources" / "news").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / folder)
        (tmp_path / folder / "results" / "sources" / "news" / "a.txt").write_text("text")
        table = tmp_path / folder / "results" / "table.csv"
        table.write_text("a,b\n")
        out = {name: tmp_path / folder / name for name in NAMES}
        record_run(
            [table.relative_to(tmp_path / folder)], **out, ledger=table, settings=settings, repository=str(repository)
        )
        return {name: path.read_text() for name, path in out.items()} | {"about": json.loads(out["run"].read_text())}

    return record


def test_two_runs_of_the_same_have_the_same_record(record):
    one, two = record("one", seed=1), record("two", seed=1)
    assert {one[name] == two[name] for name in ("config", "packages", "sources", "models")} == {True}
    assert one["about"]["run"] == two["about"]["run"]
    other = record("three", seed=2)
    assert other["about"]["run"] != one["about"]["run"]


def test_it_names_what_was_used_and_made(record):
    made = record("one", seed=1)
    rows = list(csv.DictReader(made["sources"].splitlines()))
    assert rows == [{"file": "results/sources/news/a.txt", "sha256": hashlib.sha256(b"text").hexdigest()}]
    assert "results/table.csv," + hashlib.sha256(b"a,b\n").hexdigest() in made["files"]
    assert json.loads(made["config"]) == {"seed": 1}
    versions = {row["package"]: row["version"] for row in csv.DictReader(made["packages"].splitlines())}
    assert {"python", "snakemake", "pandas"} <= versions.keys()
    assert made["about"].keys() >= {"commit", "host", "finished"}
