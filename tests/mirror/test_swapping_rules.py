"""The rule-based swapper, the checks and re-anchoring on the mirror's corpus and reviews."""

import os
import subprocess
import sys

import pandas as pd
import pyarrow.parquet as pq
import pytest

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)
pytest.importorskip("pymorphy3_dicts_uk")

pytestmark = [pytest.mark.mirror, pytest.mark.slow]

TABLES = "results/swapping/tables"
RULES = "results/swapping/swapped/rules"


@pytest.fixture(scope="module")
def study(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("swapping")
    targets = [
        "results/swapping/outputs/rules.csv", f"{TABLES}/checks.csv", f"{TABLES}/reanchoring.csv",
        f"{RULES}/documents.parquet",
    ]  # fmt: skip
    done = subprocess.run(
        [
            sys.executable, "-m", "snakemake", *targets, "--cores", "2",
            "--snakefile", str(repository / "Snakefile"), "--directory", str(folder),
        ],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_item_is_swapped_there_and_back(study):
    rows = pd.read_csv(study / "results/swapping/outputs/rules.csv", dtype=str, keep_default_na=False)
    assert list(rows.columns) == ["item", "kind", "input", "reference", "output", "round_trip"]
    assert rows["kind"].value_counts().to_dict() == {"sentence": 315, "word": 208}
    assert (rows["output"] != "").all() and (rows["round_trip"] != "").all()
    # Words are pairs of the dictionary: only those with several feminine words are another text.
    words = rows[rows["kind"] == "word"]
    several = words["reference"].str.contains(",")
    assert (words["output"] == words["reference"])[~several].all()


def test_nothing_of_the_corpus_is_lost(study):
    candidates = pd.read_csv(study / RULES / "candidates.csv")
    left_out = pd.read_csv(study / RULES / "left_out.csv")
    documents = pq.read_table(study / RULES / "documents.parquet").to_pylist()
    entities = pq.read_table(study / RULES / "entities.parquet").to_pylist()
    assert len(candidates) == sum(len(row["source_lines"]) for row in documents) + len(left_out) == 1516
    texts = {row["document"]: row["text"] for row in documents}
    assert all(texts[row["document"]][row["start"] : row["end"]] == row["text"] for row in entities)


def test_a_failed_check_foretells_a_correction_better_than_chance(study):
    rows = pd.read_csv(study / TABLES / "check_prediction.csv").set_index("check")
    assert set(rows["system"]) == {"recorded"}
    assert tuple(rows.loc["any", ["reviewed", "corrected"]]) == (1480, 579)
    assert rows.loc["any", "precision"] > 579 / 1480


def test_a_sentence_in_several_places_is_a_candidate_in_each(study):
    rows = pd.read_csv(study / TABLES / "checks.csv").set_index(["check", "system"])
    counts = rows.loc["any", ["passed", "failed"]].sum(axis=1)
    assert counts.to_dict() == {"rules": 1516, "recorded": 1550, "recorded_reviewed": 1488}


def test_published_entities_are_found_again(study):
    total = pd.read_csv(study / TABLES / "reanchoring.csv").set_index("label").loc["total"]
    assert total["published"] == 5385
    assert total["equal_percent"] > 98
