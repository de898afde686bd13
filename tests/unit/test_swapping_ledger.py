"""Each number that Nahurna and Romanyshyn 2025 print, beside ours."""

import csv

import pandas as pd
import pytest

from textparity.ledger import read_published
from textparity.swapping.ledger import build_swapping_ledger


@pytest.fixture
def published(repository):
    return repository / "resources" / "published" / "nahurna2025.csv"


@pytest.fixture
def build(published, tmp_path):
    """Build the ledger from (corpus, subcorpus, label, entities); returns its rows by table, row and column."""

    def build(counts=None, gaps=""):
        (tmp_path / "gaps.csv").write_text(f"corpus,lang,engine,reason\n{gaps}")
        entities = []
        if counts:
            entities.append(tmp_path / "entities.csv")
            pd.DataFrame(counts, columns=["corpus", "subcorpus", "label", "entities"]).to_csv(entities[0], index=False)
        others = {name: [] for name in ("composition", "swap_scores", "reviews", "name_bias")}
        build_swapping_ledger(published, entities, **others, gaps=tmp_path / "gaps.csv", ledger=tmp_path / "ledger.csv")
        with (tmp_path / "ledger.csv").open(encoding="utf-8", newline="") as file:
            return {(row["table"], row["row"], row["column"]): row for row in csv.DictReader(file)}

    return build


def test_no_published_number_is_dropped(build, published):
    numbers = read_published(published)
    rows = build()
    assert list(rows) == [(number.table, number.row, number.column) for number in numbers]
    assert {row["study"] for row in rows.values()} == {"swapping"}
    assert all(row["reason"] for row in rows.values())


def test_counts_of_entities_by_corpus_and_of_the_original_by_subcorpus(build):
    rows = build(
        [
            ("original", "bruk", "JOB", 638), ("original", "total", "JOB", 1982), ("original", "total", "total", 21993),
            ("swapped", "bruk", "JOB", 485), ("swapped", "total", "PERS", 1283), ("augmented", "total", "JOB", 4000),
        ]
    )  # fmt: skip
    found = {
        key: (row["published"], row["ours_published"], row["ours_corrected"], row["verdict"])
        for key, row in rows.items()
        if row["verdict"] != "not run"
    }
    assert found == {
        ("4", "JOB", "original"): ("1982", "1982", "1982", "exact"),
        ("4", "total", "original"): ("21993", "21993", "21993", "exact"),
        ("4", "PERS", "swapped"): ("1282", "1283", "1283", "within tolerance"),
        ("4", "JOB", "augmented"): ("3715", "4000", "4000", "differs"),
        ("7", "JOB", "bruk"): ("638", "638", "638", "exact"),
        ("7", "JOB", "total"): ("1982", "1982", "1982", "exact"),
        ("7", "total", "total"): ("21993", "21993", "21993", "exact"),
    }
    # What the files have, and why the paper has one less.
    assert "the authors' own count" in rows["4", "PERS", "swapped"]["reason"]


def test_what_was_not_run_says_why(build):
    assert build()["4", "JOB", "original"]["reason"] == "is not part of this run"
    row = build(gaps="ner_uk,ukr,,it is not in the mirror\n")["4", "JOB", "original"]
    assert (row["verdict"], row["reason"]) == ("not run", "ner_uk: it is not in the mirror")
