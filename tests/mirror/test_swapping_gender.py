"""Genders of NER-UK's titles and names from the mirror, beside the paper's tables."""

import csv
import os
import subprocess
import sys

import pandas as pd
import pyarrow.parquet as pq
import pytest

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = [pytest.mark.mirror, pytest.mark.slow]

TABLES = "results/swapping/tables"
GENDERS = ("masculine", "feminine", "common", "unknown")


class Study:
    """The rules of this file, in a folder of its own, with an exceptions list that may be edited."""

    def __init__(self, repository, folder):
        self.repository = repository
        self.folder = folder
        self.exceptions = folder / "exceptions.tsv"
        tracked = repository / "resources" / "swapping" / "word_lists" / "gender_exceptions_ukr.tsv"
        self.exceptions.write_text(tracked.read_text("utf-8"), encoding="utf-8")

    def run(self, *arguments):
        targets = [f"{TABLES}/{name}.csv" for name in ("composition", "recorded_recall", "gender_quality")]
        done = subprocess.run(
            [
                sys.executable, "-m", "snakemake", *targets, "results/ledger/swapping.csv", *arguments, "--cores", "1",
                "--snakefile", str(self.repository / "Snakefile"), "--directory", str(self.folder),
                "--config", "studies=[swapping]", "skip_unavailable=true",
                "swapping={gender_exceptions: exceptions.tsv, recognition: {seeds: []}}",
            ],
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def table(self, name):
        return pd.read_csv(self.folder / TABLES / name)

    def ledger(self):
        with (self.folder / "results/ledger/swapping.csv").open(encoding="utf-8") as file:
            return {(row["table"], row["row"], row["column"]): row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def study(repository, tmp_path_factory):
    study = Study(repository, tmp_path_factory.mktemp("swapping"))
    study.run()
    return study


def percents(study, procedure, sample="original", label="JOB"):
    table = study.table("composition.csv")
    chosen = table[
        (table["procedure"] == procedure) & (table["sample"] == sample) & (table["label"] == label)
        & (table["subcorpus"] == "total")
    ]  # fmt: skip
    return dict(zip(chosen["gender"], chosen["percent"], strict=True))


def test_the_papers_lines_are_those_its_search_finds(study):
    lines = study.table("job_lines.csv").set_index(["lines", "subcorpus"])["number"]
    assert lines["published", "total"] == 1513
    assert lines["corrected", "total"] == 1516
    assert study.ledger()["§4.1", "ner_uk, lines with JOB", "lines"]["verdict"] == "exact"


def test_titles_without_the_exceptions_are_near_the_papers(study):
    # Table 9.
    paper = {"original": (83.0, 3.8, 11.3, 1.8), "augmented": (49.2, 37.4, 10.5, 2.7)}
    off = {
        (sample, gender): percents(study, "corrected", sample)[gender] - value
        for sample, published in paper.items()
        for gender, value in zip(GENDERS, published, strict=True)
    }
    # Deputies of heads, which the paper's exceptions call common, are 1.2 of these points, its unknown ones 1.3.
    assert off.pop(("original", "masculine")) == pytest.approx(3.63, abs=0.01)
    assert max(map(abs, off.values())) < 3


def test_names_by_the_papers_procedure_are_near_the_papers(study):
    for sample, published in {"original": (34.0, 20.6, 0, 45.4), "augmented": (30.2, 26.8, 0, 42.9)}.items():
        ours = percents(study, "published", sample, "PERS")
        assert all(abs(ours[gender] - value) < 3 for gender, value in zip(GENDERS, published, strict=True))


def test_the_recorded_lists_hold_a_run_and_a_broken_off_one(study):
    table = study.table("recorded_recall.csv")
    table = table[table["model"] == "original"]
    everything = table[(table["gender"] == "all") & (table["procedure"] == "corrected")].set_index("records")
    assert tuple(everything.loc["as recorded", ["true_positives", "false_negatives"]]) == (817, 421)
    assert tuple(everything.loc["each once", ["true_positives", "false_negatives"]]) == (793, 379)
    # Table 11 prints 67.75 for the augmented test set.
    assert everything.loc["each once", "recall"] == pytest.approx(0.6775, abs=0.001)


def test_table_6_is_near_with_another_parser_and_without_the_authors_lists(study):
    ledger = study.ledger()
    rows = [ledger["6", gender, "original_recall"] for gender in GENDERS[:3]]
    assert {row["verdict"] for row in rows} == {"other setup"}
    assert all(float(row["abs_diff"]) <= 0.05 * float(row["published"]) for row in rows)


def test_lines_are_those_of_the_text(study):
    folder = study.folder / "results/swapping/ner_uk"
    texts = {row["document"]: row["text"] for row in pq.read_table(folder / "documents.parquet").to_pylist()}
    rows = pq.read_table(folder / "genders.parquet").to_pylist()
    assert len(rows) == 1982 + 6235
    for row in rows:
        first = row["text"].split("\n")[0]
        assert first in texts[row["document"]].split("\n")[row["line"]]


def test_an_edited_list_classifies_again_and_nothing_before(study):
    study.exceptions.write_text(study.exceptions.read_text("utf-8") + "word\tмер\tcommon\n", encoding="utf-8")
    planned = study.run("--dry-run", "--quiet", "host")
    for rule in ("classify_entities", "tabulate_composition", "score_genders", "measure_recorded_recall"):
        assert rule in planned
    assert "read_entity_corpus" not in planned
    assert "fetch_file" not in planned
