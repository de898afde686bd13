"""Recognizers on the real corpus: the paper's sentences and entities, and a training of a few updates."""

import csv
import os
import subprocess
import sys

import pandas as pd
import pytest

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)
pytest.importorskip("spacy")

import spacy

pytestmark = [pytest.mark.mirror, pytest.mark.train, pytest.mark.slow]

SCORES = "results/swapping/ner/corrected/scores/balanced/1.csv"
COUNTS = "results/swapping/ner/{}/data.csv"


@pytest.fixture(scope="module")
def folder(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ner")
    command = [
        sys.executable, "-m", "snakemake", SCORES, *map(COUNTS.format, ("published", "corrected")), "--cores", "2",
        "--snakefile", str(repository / "Snakefile"), "--directory", str(folder),
        "--config", "swapping={recognition: {max_steps: 60}}",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def published(folder):
    return pd.read_csv(folder / COUNTS.format("published")).set_index(["data", "split"])


def test_the_papers_conversion_makes_the_sentences_that_its_notebooks_count(published):
    assert published.loc[("swapped", "test"), "sentences"] == 222
    assert published.loc[("augmented", "test"), "sentences"] == 5308


def test_what_the_papers_models_find_is_a_whole_number_of_our_entities(repository, folder):
    """Table 11's recalls, of both single test sets; but for PERS, of which the paper has one less."""
    spans = pd.read_parquet(folder / "results" / "swapping" / "ner" / "published" / "data" / "spans.parquet")
    supports = spans.groupby(["test_set", "label"]).size()
    wrong = set()
    with (repository / "resources" / "swapping" / "published.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            test_set, _, label = row["row"].partition(", ")
            if row["table"] == "11" and row["column"].endswith("recall") and (test_set, label) in supports.index:
                support = supports[test_set, label]
                found = round(float(row["value"]) * support / 100)
                if f"{100 * found / support:.2f}" != row["value"] and test_set != "augmented":
                    wrong.add((test_set, label))
    assert len(supports) == 39
    assert wrong == {("original", "PERS")}


def test_a_quarter_of_the_papers_test_entities_are_cut_out_of_words(published):
    row = published.loc[("original", "test")]
    assert (row["kept"], row["nested"], row["inside_word"]) == (6813, 118, 1708)


def test_nothing_is_lost_but_what_is_counted(folder):
    counts = pd.read_csv(folder / COUNTS.format("corrected"))
    assert (counts["entities"] == counts["kept"] + counts["nested"] + counts["collided"]).all()
    by_data = counts.set_index(["data", "split"])["entities"]
    # Tables 4 and 7; the paper counts one swapped person less.
    assert by_data["original"].sum() == 21993
    assert by_data["balanced"].sum() + by_data["augmented", "test"] == 27379


def test_duplicated_data_are_as_many_sentences_of_the_same_documents(folder):
    counts = pd.read_csv(folder / COUNTS.format("corrected")).set_index(["data", "split"])
    duplicated, balanced = (counts.loc[data].loc[["train", "dev"]] for data in ("duplicated", "balanced"))
    assert list(duplicated["documents"]) == list(balanced["documents"])
    # One line of the swapped corpus names a source line that there is not; entities across line ends join some.
    assert abs(duplicated["sentences"].sum() - balanced["sentences"].sum()) <= 5


def test_a_short_training_learns_something(folder):
    scores = pd.read_csv(folder / SCORES).set_index(["test_set", "label"])
    assert scores.loc[("original", "all"), "support"] == 6813
    assert 0 < scores.loc[("augmented", "all"), "f1"] < 1
    assert spacy.load(folder / "results" / "swapping" / "ner" / "corrected" / "models" / "balanced" / "1").pipe_names
    jobs = pd.read_parquet(folder / "results" / "swapping" / "ner" / "corrected" / "jobs" / "balanced" / "1.parquet")
    found = jobs.groupby("test_set")["found"].agg(["size", "sum"])
    assert list(found["size"]) == [1172, 657, 515]
    for test_set in found.index:
        row = scores.loc[(test_set, "JOB")]
        assert (row["support"], row["true_positives"]) == tuple(found.loc[test_set])
