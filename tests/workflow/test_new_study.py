"""A study is its own files and one word in the list: the example of docs/extending.md is run."""

import csv
import os
import re
import shutil
import sys

import pytest

from conftest import Checkout

pytestmark = pytest.mark.workflow


@pytest.fixture
def checkout(repository, tmp_path):
    """A checkout of its own, with the package, to which the study is added."""
    made = Checkout.of(repository, tmp_path / "checkout")
    shutil.copytree(repository / "src", made.repository / "src", symlinks=True)
    paths = [str(made.repository / "src"), os.environ["PYTHONPATH"]]
    made.environment = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(paths)}
    return made


def test_the_study_of_the_docs_runs(repository, checkout):
    shutil.copytree(repository / "docs" / "examples" / "lengths", checkout.repository, dirs_exist_ok=True)
    studies = checkout.repository / "src" / "textparity_studies" / "__init__.py"
    text = studies.read_text("utf-8")
    studies.write_text(text.replace("STUDIES = (", 'STUDIES = ("lengths", '), "utf-8")
    said = checkout.build("--config", "studies=[lengths]", "languages=[eng]", "lengths={corpus: demo}")
    assert "tabulate_lengths" in said, sys.executable
    ledger = list(csv.DictReader((checkout.results / "ledger.csv").open(encoding="utf-8")))
    assert [(row["row"], row["verdict"]) for row in ledger] == [("eng", "differs"), ("xho", "not run")]
    (claim,) = [
        row
        for row in csv.DictReader((checkout.results / "report" / "claims.csv").open(encoding="utf-8"))
        if row["study"] == "lengths"
    ]
    assert re.fullmatch(r"A sentence has \d+\.\d words\.", claim["says"])
    assert "Words of a sentence" in (checkout.results / "report" / "index.html").read_text("utf-8")
    assert "Words of a sentence" in (checkout.results / "report" / "tables" / "lengths_lengths.html").read_text("utf-8")
