import csv

import pytest
from ledgers import find_ours
from swapped_sentences import PAIRS, write_corpus, write_parallel, write_word_lists

for package in ("spacy", "pymorphy3"):
    pytest.importorskip(package)

from textparity.errors import InputError  # noqa: E402
from textparity.files import write_rows  # noqa: E402
from textparity.persons.ukrainian_genders import load_gender_lists  # noqa: E402
from textparity.tables import write_csv  # noqa: E402
from textparity_studies.swapping.output_tables import (  # noqa: E402
    count_dictionary_pairs,
    is_dictionary_pair,
    tabulate_reviews,
    word_pairs,
)
from textparity_studies.swapping.outputs import (  # noqa: E402
    PUBLISHED_COLUMNS,
    SentencePair,
    read_published_reviews,
)

RIGHT, WRONG, HARD = "Правильне", "Містить помилки", "Важко визначити"
(FIRST, FIRST_SWAPPED, *_), (SECOND, SECOND_SWAPPED, *_) = PAIRS
REVIEWS = [
    (FIRST, FIRST_SWAPPED, RIGHT, ""),
    # Equal to the original, to the letter and but for a space.
    ("Суддя прийшла .", "Суддя прийшла .", RIGHT, ""),
    (SECOND, SECOND.replace(" .", "."), RIGHT, ""),
    ("Він кухар .", "Він кухарка .", WRONG, "Вона кухарка , так ."),
    ("Цар іде .", "Цариця йде .", HARD, ""),
    ("Він ткач .", "Вона ткаля .", "", ""),
    ("Він кравець .", "Вона кравчиня .", RIGHT, "Вона кравчиня !"),
]


def write_reviews(folder, reviews=REVIEWS):
    path = folder / "reviews.csv"
    rows = [[original, generated, "{}", verdict, correction] for original, generated, verdict, correction in reviews]
    write_rows(path, list(PUBLISHED_COLUMNS), rows)
    return path


@pytest.fixture
def table(tmp_path):
    header = ["corpus", "subcorpus", "label", "entities"]
    counts = [["swapped", "total", "JOB", 12], ["swapped", "total", "PERS", 9], ["swapped", "ng", "JOB", 5],
              ["original", "total", "JOB", 40]]  # fmt: skip
    write_rows(tmp_path / "entities.csv", header, counts)
    pairs = [*PAIRS, ("Суддя прийшла .", "Суддя прийшла .", ["Суддя"], ["Суддя"]),
             ("Цар іде .", "Цариця йде .", ["Цар"], ["Цариця"])]  # fmt: skip
    pairs.append(("Він  ткач .", "Він ткач.", ["ткач"], ["ткач"]))
    documents, entities = write_corpus(tmp_path)
    (reviews,) = tabulate_reviews(
        [write_reviews(tmp_path)], [write_parallel(tmp_path, pairs)], [documents], [entities],
        tmp_path / "entities.csv", **write_word_lists(tmp_path),
    )  # fmt: skip
    write_csv(reviews.frame, tmp_path / "reviews.csv")
    with (tmp_path / "reviews.csv").open(encoding="utf-8", newline="") as file:
        return {row["measure"]: row for row in csv.DictReader(file)}, tmp_path


def values(row):
    return float(row["published"]), float(row["corrected"])


def test_shares_are_of_decided_and_of_all_sentences(table):
    rows, _ = table
    assert values(rows["accepted_percent"]) == (pytest.approx(400 / 6, abs=1e-5), pytest.approx(400 / 7, abs=1e-5))
    assert values(rows["corrected_percent"]) == (pytest.approx(100 / 6, abs=1e-5), pytest.approx(100 / 7, abs=1e-5))
    assert values(rows["dismissed_percent"]) == (pytest.approx(100 / 6, abs=1e-5), pytest.approx(100 / 7, abs=1e-5))
    assert values(rows["without_verdict"]) == (1, 1)
    assert values(rows["unchanged_percent"]) == (pytest.approx(100 / 7, abs=1e-5), pytest.approx(200 / 7, abs=1e-5))


def test_token_counts_as_published_are_of_corrected_sentences(table):
    rows, _ = table
    # Published: one more token in the one correction; of the words, one is new too.
    assert values(rows["token_count_match: generated, reviewed"]) == (0, 0.8)
    assert values(rows["token_count_match: original, reviewed"]) == (0, 0.8)
    assert values(rows["token_count_match: original, generated"]) == (1, 1)
    assert rows["token_count_match: original, reviewed"]["count"] == "5"


def test_pairs_are_those_left_by_the_reviewers(table):
    rows, _ = table
    # Published: neither the dismissed nor the accepted one that is unchanged; corrected: all are swapped.
    assert values(rows["pairs"]) == (3, 2)
    assert values(rows["JOB"]) == (12, 3)
    assert values(rows["PERS"]) == (9, 1)
    assert rows["PERS"]["remark"].endswith("1 sentences are not lines of the corpus")
    assert values(rows["JOB_pairs_in_dictionary_percent"]) == (75, 100)


def test_the_ledger_takes_the_rows_under_the_papers_names(table):
    _, folder = table

    def ours(*key):
        found = find_ours("swapping", key, {"swapping/tables/reviews.csv": folder / "reviews.csv"})
        return found.published, found.corrected, found.setup

    assert ours("2", "original, generated", "token_count_match") == (1, 1, "")
    assert ours("§4.1", "reviews", "unchanged_percent")[0] == pytest.approx(100 / 7, abs=1e-5)
    assert ours("§4.1", "parallel sentences", "pairs") == (3, 2, "")
    assert "Stanza" in ours("§4.1", "parallel sentences", "JOB_pairs_in_dictionary_percent")[2]
    assert ours("§4.1", "gender pairs dictionary", "entries")[0] == 3


@pytest.mark.parametrize(
    ("review", "said"),
    [
        (
            ("а", "б", "{}", "Добре", ""),
            r"reviews\.csv, row 1: the decision 'Добре'",
        ),
        (("а", "б", "{}", WRONG, " "), r"reviews\.csv, row 1: has mistakes by its decision, but no corrected sentence"),
        (("а", "б", "{'б'", RIGHT, ""), r"reviews\.csv, row 1: the annotations \"{'б'\" are not a dictionary"),
        (("а", "б", "['б']", RIGHT, ""), r"reviews\.csv, row 1: the annotations \"\['б'\]\" are not a dictionary"),
    ],
)
def test_a_review_that_cannot_be_is_named_with_its_row(tmp_path, review, said):
    write_rows(tmp_path / "reviews.csv", PUBLISHED_COLUMNS, [review])
    with pytest.raises(InputError, match=said):
        read_published_reviews([tmp_path / "reviews.csv"])


def test_reviews_need_their_columns_and_rows(tmp_path):
    write_rows(tmp_path / "reviews.csv", ["original", "generated"], [["а", "б"]])
    with pytest.raises(InputError, match="column Оригінальне речення"):
        read_published_reviews([tmp_path / "reviews.csv"])
    with pytest.raises(InputError, match="has no reviews"):
        read_published_reviews([write_reviews(tmp_path, [])])


@pytest.mark.parametrize(
    ("title", "swapped", "is_pair"),
    [
        ("головним лікарем", "головною лікаркою", True),
        ("Лікарка", "Лікар", True),
        ("премʼєра", "прем’єрки", True),
        ("лікар", "кухарка", False),
        ("лікар", "головна лікарка", False),
        ("суддя", "суддя", False),
    ],
)
def test_titles_are_a_pair_by_their_lemmas_at_one_place(tmp_path, title, swapped, is_pair):
    lists = load_gender_lists(**write_word_lists(tmp_path))
    assert is_dictionary_pair(title, swapped, word_pairs(lists)) is is_pair


def test_the_authors_count_titles_that_are_in_any_list(tmp_path):
    lists = load_gender_lists(**write_word_lists(tmp_path))
    pairs = [SentencePair("-", "-", ("судді", "ткач", "лікар"), ("судді", "ткаля", "кухарка"))]
    assert count_dictionary_pairs(pairs, lists, only_changed=False) == (2, 3)
    assert count_dictionary_pairs(pairs, lists, only_changed=True) == (0, 2)
