"""Recall by gender from the recorded lists, as they are and without what was recorded twice."""

from collections import Counter

import pytest
from ukrainian import write_corpus, write_lists

from textparity.errors import InputError
from textparity_studies.swapping.corpus_tables import drop_repeated, measure_recorded_recall

pytest.importorskip("pymorphy3_dicts_uk")


def test_what_a_broken_off_run_recorded_is_dropped_from_the_beginnings():
    titles = Counter(["лікар", "поет", "мер", "мер"])
    found, missed = ["лікар", "лікар", "мер", "мер"], ["поет", "поет"]
    assert drop_repeated(found, missed, titles) == (["лікар", "мер", "мер"], ["поет"])
    # Later ones stay, even if they are too many, and so does what the test set has not.
    assert drop_repeated(["мер", "лікар", "лікар"], ["кур'єр"], titles) == (["мер", "лікар", "лікар"], [])


@pytest.fixture
def measure(tmp_path):
    (tmp_path / "lists").mkdir()
    lists = write_lists(tmp_path / "lists")
    text = "директор директорка суддя заступник голови лікар\n"
    words = [("JOB", word) for word in ("директор", "директорка", "суддя", "заступник голови", "лікар")]
    corpus = write_corpus(tmp_path / "corpus", text, words)

    def measure(found, missed):
        (tmp_path / "found.txt").write_text(found, encoding="utf-8")
        (tmp_path / "missed.txt").write_text(missed, encoding="utf-8")
        (table,) = measure_recorded_recall(
            [tmp_path / "found.txt", tmp_path / "missed.txt"], [tmp_path / "missed.txt", tmp_path / "found.txt"],
            ["original", "balanced"], [corpus["documents"]], [corpus["entities"]], str(tmp_path), 0.95, **lists,
        )  # fmt: skip
        return table.frame.set_index(["model", "records", "procedure", "gender"])

    return measure


def test_recall_by_model_gender_and_procedure(measure):
    models = measure("директор\nдиректор\n\nсуддя\nзаступник голови\n", "директорка\nлікар\n")
    assert models.loc[("balanced", "as recorded", "published", "masculine"), "recall"] == 0.25
    table = models.loc["original"]
    counts = table[["true_positives", "false_negatives"]]
    assert tuple(counts.loc["as recorded", "published", "masculine"]) == (3, 1)
    assert tuple(counts.loc["as recorded", "published with exceptions", "common"]) == (2, 0)
    assert tuple(counts.loc["each once", "corrected", "masculine"]) == (2, 1)
    assert tuple(counts.loc["as recorded", "corrected", "all"]) == (4, 2)
    row = table.loc["as recorded", "published", "masculine"]
    assert row["recall"] == 0.75
    assert row["recall_low"] < 0.75 < row["recall_high"]


def test_an_empty_list_is_an_error(measure):
    with pytest.raises(InputError, match=r"missed.txt: has no titles"):
        measure("директор\n", "\n")
