"""Reviews of candidates: the file that people make, and the authors' reviews."""

import csv

import pytest

from textparity.corpora.reading import write_batches
from textparity.errors import InputError
from textparity_studies.swapping.candidates import Candidate, read_candidates, read_review_file
from textparity_studies.swapping.corpora import DOCUMENT_SCHEMA, ENTITY_SCHEMA
from textparity_studies.swapping.swapped_corpora import import_reviews, read_reviews

CANDIDATES = [
    Candidate("aa", 0, "Лікар прийшов.", "Лікарка прийшла.", {"Лікар": "JOB"}, ("Ольга", "Ніна"), ("Петро",)),
    Candidate("aa", 4, "Учитель читав.", "Учителька читала.", {"Учитель": "JOB"}),
    Candidate("bb", 0, "Швець шив.", "", {"Швець": "JOB"}),
]
# A column besides, such as those of the candidates, is not read.
HEADER = "document,line,original,swapped,decision,repairs\n"
ACCEPTED = "aa,0,Лікар прийшов.,Лікарка прийшла.,accept,quotes\n"
CORRECTED = "aa,4,Учитель читав.,Учителька вже читала.,correct,\n"


def write(path, *lines):
    path.write_text("".join(lines), "utf-8")
    return path


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def candidates_file(tmp_path):
    return write(
        tmp_path / "candidates.csv",
        "document,line,original,swapped,feminine_names,masculine_names,entities,repairs\n",
        'aa,0,Лікар прийшов.,Лікарка прийшла.,Ольга; Ніна,Петро,"{""Лікар"": ""JOB""}",\n',
        'aa,4,Учитель читав.,Учителька читала.,,,"{""Учитель"": ""JOB""}",\n',
        'bb,0,Швець шив.,,,,"{""Швець"": ""JOB""}",no single sentence\n',
    )


def test_candidates_are_read_with_what_was_sent(candidates_file):
    assert read_candidates(candidates_file) == CANDIDATES


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("aa,4,Учитель читав.,Учителька.,agree,\n", "row 2: 'agree' is not a decision; write accept, correct, dismiss"),
        ("aa,4,Учитель читав.,Учителька.,,\n", "row 2: '' is not a decision; write accept, correct, dismiss, or"),
        ("aa,5,Учитель читав.,Учителька читала.,accept,\n", "row 2: aa, line 5 is not a candidate"),
        ("aa,4,Учитель писав.,Учителька читала.,accept,\n", "row 2: aa, line 4 was reviewed as 'Учитель писав.'"),
        ("aa,4,Учитель читав.,Вона читала.,accept,\n", "row 2: 'Вона читала.' was accepted, but the candidate"),
        (ACCEPTED, "row 2: aa, line 0 is decided twice"),
        ("bb,0,Швець шив.,,accept,\n", "row 2: an empty sentence cannot be kept"),
        ("aa,x,Учитель читав.,Учителька читала.,accept,\n", "row 2: the line 'x' is not a number"),
        ("aa,4,Учитель читав.\n", "row 2: has more or fewer cells than the header"),
    ],
)  # fmt: skip
def test_a_review_that_cannot_be_is_named_with_file_and_row(tmp_path, line, named):
    path = write(tmp_path / "reviews.csv", HEADER, ACCEPTED, line)
    with pytest.raises(InputError) as error:
        read_review_file(path, CANDIDATES)
    assert str(error.value).startswith(f"{path}, {named}")


def test_a_file_without_a_column_is_named(tmp_path):
    with pytest.raises(InputError, match=r"reviews\.csv: .*decision"):
        read_review_file(write(tmp_path / "reviews.csv", "document,line,original,swapped\n"), CANDIDATES)


def test_reviews_are_checked_put_in_order_and_counted(tmp_path, candidates_file, caplog):
    people = write(tmp_path / "people.csv", HEADER, CORRECTED, ACCEPTED)
    with caplog.at_level("INFO"):
        read_reviews(candidates_file, [people], tmp_path / "reviews.csv", "small", str(people))
    assert [(row["document"], row["line"], row["decision"]) for row in table(tmp_path / "reviews.csv")] == [
        ("aa", "0", "accept"), ("aa", "4", "correct"),
    ]  # fmt: skip
    assert "small: 1 accept, 1 correct, 0 dismiss, 1 undecided" in caplog.text


def test_without_reviews_nothing_is_accepted_and_the_file_to_fill_in_is_said(tmp_path, candidates_file, caplog):
    read_reviews(candidates_file, [], tmp_path / "reviews.csv", "small", "reviews/small.csv")
    assert table(tmp_path / "reviews.csv") == []
    assert f"Copy {candidates_file} to reviews/small.csv, add the column decision" in caplog.text


def test_the_candidates_with_a_decision_column_are_a_file_of_decisions(tmp_path, candidates_file):
    head, *lines = candidates_file.read_text("utf-8").splitlines(keepends=True)
    decided = [
        line.replace("\n", f",{decision}\n") for line, decision in zip(lines, ("accept", "dismiss"), strict=False)
    ]
    # A spreadsheet writes a mark of byte order.
    people = write(tmp_path / "people.csv", "\ufeff", head.replace("\n", ",decision\n"), *decided)
    reviews = read_review_file(people, CANDIDATES)
    assert [(key, review.decision) for key, review in reviews.items()] == [
        (("aa", 0), "accept"), (("aa", 4), "dismiss"),
    ]  # fmt: skip


MADE = ("candidates", "reviews", "reviewed_candidates")
PUBLISHED = "Оригінальне речення,Змінене речення,Анотації,Коректність речення,Виправлене речення\n"


@pytest.fixture
def corpus(tmp_path):
    texts = {"aa": "Лікар прийшов.\n\nУчитель читав. \nШвець шив.", "bb": "Учитель читав."}
    rows = [
        {"document": name, "subcorpus": "s", "split": "train", "text": text, "source_lines": []}
        for name, text in texts.items()
    ]
    write_batches(tmp_path / "documents.parquet", DOCUMENT_SCHEMA, [rows])
    write_batches(tmp_path / "entities.parquet", ENTITY_SCHEMA, [[]])
    return {"documents": tmp_path / "documents.parquet", "entities": tmp_path / "entities.parquet"}


def test_published_reviews_are_found_in_the_corpus_by_text(tmp_path, corpus, caplog):
    published = write(
        tmp_path / "published.csv",
        PUBLISHED,
        "Учитель читав.,Учителька читала.,{'Учитель': 'JOB'},Містить помилки,Вчителька читала.\n",
        "Лікар прийшов.,Лікарка прийшла.,{'Лікар': 'JOB'},Правильне,Лікарка вже прийшла.\n",
        "Швець шив.,Шевчиня шила.,{'Швець': 'JOB'},,\n",
        "Кухар пік.,Кухарка пекла.,{'Кухар': 'JOB'},Важко визначити,\n",
    )
    made = {name: tmp_path / f"{name}.csv" for name in MADE}
    with caplog.at_level("INFO"):
        import_reviews(**corpus, published_reviews=[published], **made)
    candidates = read_candidates(made["candidates"])
    assert [candidate.key for candidate in candidates] == [("aa", 0), ("aa", 2), ("aa", 3), ("bb", 0)]
    assert candidates[0].entities == {"Лікар": "JOB"}
    reviews = read_review_file(made["reviews"], candidates)
    # The reviewer's text counts only where the sentence was found wrong, as in the authors' notebook.
    assert {key: (review.decision, review.swapped) for key, review in reviews.items()} == {
        ("aa", 0): ("accept", "Лікарка прийшла."),
        ("aa", 2): ("correct", "Вчителька читала."),
        ("bb", 0): ("correct", "Вчителька читала."),
    }
    left = read_candidates(made["reviewed_candidates"])
    assert [(candidate.key, candidate.swapped) for candidate in left] == [
        (key, review.swapped) for key, review in reviews.items()
    ]
    assert "4 reviewed sentences in 4 places; 1 are not in the corpus" in caplog.text


def test_a_sentence_is_reviewed_once(tmp_path, corpus):
    published = write(tmp_path / "published.csv", PUBLISHED, "Швець шив.,Шевчиня шила.,{},Правильне,\n" * 2)
    made = {name: tmp_path / f"{name}.csv" for name in MADE}
    with pytest.raises(InputError, match=r"is reviewed twice; keep one row"):
        import_reviews(**corpus, published_reviews=[published], **made)
    assert not any(path.exists() for path in made.values())
