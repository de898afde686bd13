import errno
import logging
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from textparity.tables import Table
from textparity_studies.report.plotting import Chart
from textparity_studies.workflow.runner import run_step


class Values(dict):
    """Named values, as Snakemake hands them over."""


@pytest.fixture
def job(tmp_path, monkeypatch):
    """A job without inputs that logs to a file; the loggers are put back afterwards."""
    monkeypatch.chdir(tmp_path)
    root = logging.getLogger()
    kept = (root.handlers[:], root.level, logging.raiseExceptions)
    yield SimpleNamespace(
        rule="make", wildcards=[], input=Values(), output=Values(), params=Values(), log=[str(tmp_path / "job.log")]
    )
    for handler in root.handlers:
        if handler not in kept[0]:
            handler.close()
    root.handlers[:], root.level, logging.raiseExceptions = kept


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_a_message_without_a_traceback(job, tmp_path, capsys, number):
    def make():
        raise OSError(number, "as the system says", "results/table.csv")

    with pytest.raises(SystemExit) as end:
        run_step(make, job)
    assert end.value.code == 1
    for said in (capsys.readouterr().err, (tmp_path / "job.log").read_text("utf-8")):
        assert "results/table.csv: " in said
        assert "free some space and run again" in said
        assert "Traceback" not in said


def test_any_other_failure_keeps_its_traceback(job, tmp_path):
    def make():
        raise OSError(errno.EACCES, "not yours")

    with pytest.raises(PermissionError):
        run_step(make, job)
    assert "Traceback" in (tmp_path / "job.log").read_text("utf-8")


def test_further_names_of_a_step_are_paths_like_those_it_lists(job, tmp_path):
    taken = {}

    def make(first: Path, **lists: Path):
        taken.update(lists, first=first)

    job.input = Values(first="a.csv", titles="titles.tsv")
    run_step(make, job)
    assert taken == {"first": Path("a.csv"), "titles": Path("titles.tsv")}


def test_a_step_with_further_names_yields_tables_too(job, tmp_path):
    def make(**lists: Path):
        yield Table("sizes", pd.DataFrame({"list": list(lists)}))

    job.input, job.output = Values(titles="titles.tsv"), Values(tables=["sizes.csv"])
    run_step(make, job)
    assert (tmp_path / "sizes.csv").read_text() == "list\ntitles\n"


def test_an_input_that_is_not_as_it_was_made_is_refused_before_anything_is_done(job, tmp_path, capsys):
    def make(tables: list[Path]):
        for table in tables:
            table.write_text("a,b\n1,2\n")

    def read(tables: list[Path], copy: Path):
        copy.write_text("".join(table.read_text() for table in tables))

    job.output = Values(tables=["one.csv", "two.csv"])
    run_step(make, job)
    job.input, job.output = job.output, Values(copy="copy.csv")
    run_step(read, job)
    (tmp_path / "copy.csv").unlink()
    (tmp_path / "two.csv").write_text("a,b\n1,3\n")
    with pytest.raises(SystemExit) as end:
        run_step(read, job)
    assert end.value.code == 1 and not (tmp_path / "copy.csv").exists()
    said = capsys.readouterr().err
    assert "two.csv: has sha256 " in said and "delete two.csv and run again" in said and "Traceback" not in said


def test_a_step_yields_tables_and_charts_and_each_file_has_the_one_of_its_name(job, tmp_path):
    def measure():
        yield Chart("sizes", (4, 3), "Sizes", "How")
        yield Table("numbers", pd.DataFrame({"a": [1]}))
        yield Chart("corrected/sizes", (4, 3), "Corrected", "How")

    job.output = Values(tables=["numbers.csv"], figures=["corrected/sizes.svg", "sizes.svg", "sizes.pdf"])
    run_step(measure, job)
    assert (tmp_path / "numbers.csv").read_text() == "a\n1\n"
    titles = {name: (tmp_path / f"{name}.svg").read_text() for name in ("sizes", "corrected/sizes")}
    assert "<title>Sizes</title>" in titles["sizes"] and "<title>Corrected</title>" in titles["corrected/sizes"]
    assert (tmp_path / "sizes.pdf").stat().st_size
