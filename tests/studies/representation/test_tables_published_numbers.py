"""What follows from numbers as Derner 2025 prints them: worked out by hand from a few made-up ones."""

import pytest

from textparity_studies.representation.tables import tabulate_published_numbers

CELLS = {
    ("4", "big"): {"accuracy": 80, "precision": 90, "recall": 85, "f1": 87},
    ("5", "One 1"): {"masculine": 50, "feminine": 30, "not_person": 61, "person": 20, "person_masculine": 14,
                     "person_feminine": 6},
    ("5", "One 2"): {"masculine": 5, "feminine": 3, "not_person": 4, "person": 4, "person_masculine": 2,
                     "person_feminine": 2},
    ("6", "Two 1"): {"masculine": 500, "feminine": 300, "not_person": 600, "person": 198, "person_masculine": 100,
                     "person_feminine": 98},
    ("App. I", "all"): {"epicene_masculine": 1, "epicene_feminine": 4},
}  # fmt: skip


@pytest.fixture
def tables(tmp_path):
    lines = [
        f"{table},{row},{column},{value},,," for (table, row), cells in CELLS.items() for column, value in cells.items()
    ]
    (tmp_path / "published.csv").write_text(
        "\n".join(["table,row,column,value,note,cell,tolerance", *lines, "7,One 1,masculine,,lost,,"])
    )
    made = tabulate_published_numbers(tmp_path / "published.csv")
    return {table.name.removeprefix("published_"): table.frame.to_dict("records") for table in made}


def test_the_labelled_f_score_is_of_precision_and_accuracy(tables):
    (row,) = tables["scores"]
    assert (row["table"], row["tagger"], row["recall"]) == ("4", "big", 85)
    assert row["labelled_f1"] == pytest.approx(2 * 80 * 90 / 170)


def test_totals_by_gender_and_by_reference_are_compared(tables):
    found = {
        row["corpus"]: [row[name] for name in ("by_gender", "by_reference", "difference")] for row in tables["totals"]
    }
    assert found == {"One 1": [80, 81, -1], "One 2": [8, 8, 0], "Two 1": [800, 798, 2]}


def test_epicene_words_are_taken_out_of_both_genders_of_the_spanish_samples(tables):
    numbers = ("masculine", "feminine", "masculine_per_feminine", "masculine_percent", "feminine_percent")
    assert {row["words"]: [row[name] for name in numbers] for row in tables["epicene"]} == {
        "all": [16, 8, 2, 100, 100],
        "epicene": [1, 4, 0.25, 6.25, 50],
        "others": [15, 4, 3.75, 93.75, 50],
    }
