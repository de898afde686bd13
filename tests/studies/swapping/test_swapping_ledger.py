"""Each number that Nahurna and Romanyshyn 2025 print, beside ours."""

import pandas as pd
import pytest
from ledgers import ledger_rows

from textparity_studies.report.ledger import read_published


@pytest.fixture
def published(repository):
    return repository / "resources" / "swapping" / "published.csv"


@pytest.fixture
def build(tmp_path):
    """Build the ledger from (corpus, subcorpus, label, entities); returns its rows by table, row and column."""

    def build(counts=None, not_run=(), tables=()):
        if counts:
            frame = pd.DataFrame(counts, columns=["corpus", "subcorpus", "label", "entities"])
            frame.to_csv(tmp_path / "entities.csv", index=False)
            tables = (*tables, tmp_path / "entities.csv")
        return ledger_rows(
            "swapping", tmp_path, {f"swapping/tables/{path.name}": path for path in tables}, not_run,
            computed={"run": [{"recognizer_setup": "tok2vec"}]},
        )  # fmt: skip

    return build


def test_no_published_number_is_dropped(build, published):
    numbers = read_published(published)
    rows = build()
    assert list(rows) == [(number.table, number.row, number.column) for number in numbers]
    assert {row["study"] for row in rows.values()} == {"swapping"}
    assert all(row["reason"] for row in rows.values())
    f1_scores = [row for row in rows.values() if row["column"].endswith("_f1")]
    assert len(f1_scores) == 96
    assert {(row["verdict"], row["evidence"]) for row in f1_scores} == {("exact", "arithmetic")}


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
        if row["evidence"] == "counted"
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
    assert build()["4", "JOB", "original"]["reason"] == "not asked for: it is not part of this run"
    reason = "published, not here: it is not in the mirror"
    row = build(not_run=[["ner_uk", "ukr", "", reason]])["4", "JOB", "original"]
    assert (row["verdict"], row["reason"]) == ("not run", reason)


def test_what_was_not_run_says_why_of_its_own_system_lists_or_recognizer(build):
    gaps = {
        "aya-101-fine-tuned": "published, not here: no outputs", "balanced_titles": "gated: no lists",
        "recognition": "unpublished: no seeds",
    }  # fmt: skip
    rows = build(not_run=[[name, "ukr", "", reason] for name, reason in gaps.items()])
    reasons = {key: rows[key]["reason"] for key in [
        ("3", "aya-101-fine-tuned", "bleu"), ("8", "aya-101", "bleu"), ("6", "feminine", "balanced_recall"),
        ("6", "feminine", "original_recall"), ("11", "original, JOB", "original_recall"),
    ]}  # fmt: skip
    assert [*reasons.values()] == [
        gaps["aya-101-fine-tuned"], "not asked for: it is not part of this run", gaps["balanced_titles"],
        gaps["recognition"], gaps["recognition"],
    ]  # fmt: skip


def test_a_smaller_recognizer_is_another_setup_and_the_authors_lists_are_named(build, tmp_path):
    columns = ["procedure", "test_set", "gender", "titles", "seeds", "original_recall", "balanced_recall"]
    rows = [[procedure, "augmented", "feminine", 2, 3, 0.69, 0.8] for procedure in ("published", "corrected")]
    pd.DataFrame(rows, columns=columns).to_csv(tmp_path / "job_recall.csv", index=False)
    gap = ["balanced_titles", "ukr", "", "unpublished: no lists"]
    found = build(not_run=[gap], tables=[tmp_path / "job_recall.csv"])
    row = found["6", "feminine", "balanced_recall"]
    assert (row["verdict"], row["ours_published"]) == ("other setup", "0.8000")
    assert row["setup"].startswith("tok2vec")
    assert row["reason"] == "mean of 3 seeds; the authors' own lists: unpublished: no lists"
    assert found["6", "feminine", "original_recall"]["reason"] == "mean of 3 seeds"


def test_recorded_lists_go_before_a_recognizer_of_ours(build, tmp_path):
    recall = tmp_path / "job_recall.csv"
    pd.DataFrame(
        [["corrected", "augmented", "feminine", 2, 3, 0.1, 0.1]],
        columns=["procedure", "test_set", "gender", "titles", "seeds", "original_recall", "balanced_recall"],
    ).to_csv(recall, index=False)
    recorded = pd.DataFrame(
        [["balanced", records, procedure, "Stanza", "feminine", 4, 1, 0.8]
         for records in ("as recorded", "each once")
         for procedure in ("published", "published with exceptions", "corrected")],
        columns=["model", "records", "procedure", "method", "gender", "true_positives", "false_negatives", "recall"],
    )  # fmt: skip
    recorded.to_csv(tmp_path / "recorded_recall.csv", index=False)
    for name, columns in {
        "composition": ["sample", "subcorpus", "label", "gender", "procedure", "method", "count", "percent"],
        "job_lines": ["subcorpus", "lines", "number", "JOB", "PERS"],
    }.items():
        rows = [["total", lines, 1, 1, 1] for lines in ("published", "corrected")] if name == "job_lines" else []
        pd.DataFrame(rows, columns=columns).to_csv(tmp_path / f"{name}.csv", index=False)
    found = build(
        tables=[recall, *(tmp_path / f"{name}.csv" for name in ("recorded_recall", "composition", "job_lines"))]
    )
    row = found["6", "feminine", "balanced_recall"]
    assert (row["ours_published"], row["abs_diff"]) == ("0.8000", "0.0000")
    assert "male_words_list.txt" in row["setup"]
    assert found["6", "feminine", "original_recall"]["verdict"] == "not run"
