"""From reviewed candidates to a corpus, and re-anchoring measured on a published one."""

import csv

import pytest

from textparity.corpora.reading import write_batches
from textparity.errors import InputError
from textparity.files import write_rows
from textparity_studies.swapping.corpora import DOCUMENT_SCHEMA, ENTITY_SCHEMA, read_documents, read_entity_corpus
from textparity_studies.swapping.corpus_tables import measure_reanchoring
from textparity_studies.swapping.swapped_corpora import write_swapped_corpus

TEXT = "Лікар Петро спить.\n\nПриїхав директор\nміста. Він із Луцька."


def write_corpus(folder, documents, entities):
    paths = {"documents": folder / "documents.parquet", "entities": folder / "entities.parquet"}
    write_batches(paths["documents"], DOCUMENT_SCHEMA, [documents])
    write_batches(paths["entities"], ENTITY_SCHEMA, [entities])
    return paths


def document(name, text, split="train", source_lines=()):
    return {"document": name, "subcorpus": "s", "split": split, "text": text, "source_lines": list(source_lines)}


def entity(name, id_, label, text, words):
    start = text.index(words)
    return {"document": name, "entity": id_, "label": label, "start": start, "end": start + len(words), "text": words}


@pytest.fixture
def corpus(tmp_path):
    found = [("T1", "JOB", "Лікар"), ("T2", "PERS", "Петро"), ("T3", "JOB", "директор\nміста"), ("T4", "LOC", "Луцька")]
    entities = [entity("a", id_, label, TEXT, words) for id_, label, words in found]
    entities.append(entity("b", "T1", "JOB", "Лікар.", "Лікар"))
    folder = tmp_path / "original"
    folder.mkdir()
    return write_corpus(folder, [document("a", TEXT), document("b", "Лікар.", "test")], entities)


@pytest.fixture
def write(tmp_path, corpus):
    def run(*rows):
        header = ["document", "line", "original", "swapped", "decision"]
        candidates, reviews = tmp_path / "candidates.csv", tmp_path / "reviews.csv"
        # A candidate that was corrected is some other sentence; without a decision, it has no review.
        made = {tuple(row[:2]): [*row[:3], "Лікарка." if row[4] == "correct" else row[3]] for row in rows}
        write_rows(candidates, header[:4], made.values())
        write_rows(reviews, header, [row for row in rows if row[4]])
        outputs = {
            "swapped_documents": tmp_path / "out" / "documents.parquet",
            "swapped_entities": tmp_path / "out" / "entities.parquet",
            "left_out": tmp_path / "out" / "left_out.csv",
            "folder": tmp_path / "out" / "brat",
        }
        write_swapped_corpus(**corpus, candidates=candidates, reviews=reviews, **outputs)
        return outputs

    return run


FIRST = ["a", 0, "Лікар Петро спить.", "Лікарка Ірина спить.", "accept"]
SECOND = ["a", 2, "Приїхав директор", "Приїхала директорка", "correct"]
THIRD = ["a", 3, "міста. Він із Луцька.", "міста. Вона із Луцька.", "accept"]


def test_lines_become_documents_in_their_order(write):
    outputs = write(SECOND, FIRST, THIRD, ["b", 0, "Лікар.", "Лікарка.", "accept"])
    documents = read_documents(outputs["swapped_documents"], outputs["swapped_entities"])
    assert [(item.document, item.split, item.source_lines) for item in documents] == [
        ("a-swapped", "train", [0, 2, 3]), ("b-swapped", "test", [0]),
    ]  # fmt: skip
    text = documents[0].text
    assert text == "Лікарка Ірина спить.\nПриїхала директорка\nміста. Вона із Луцька."
    assert [(item.id, item.label, item.text) for item in documents[0].entities] == [
        ("T1", "JOB", "Лікарка"), ("T2", "PERS", "Ірина"), ("T3", "JOB", "директорка"), ("T4", "LOC", "Луцька"),
    ]  # fmt: skip
    assert all(text[item.start : item.end] == item.text for item in documents[0].entities)


def test_the_files_are_read_as_the_rows(write, tmp_path):
    outputs = write(FIRST, SECOND, ["b", 0, "Лікар.", "Лікарка.", "accept"])
    paths = [tmp_path / name for name in ("d.parquet", "e.parquet", "repairs.csv")]
    files = sorted(path for path in outputs["folder"].rglob("*") if path.is_file())
    read_entity_corpus(files, *paths, folder="", split="dev-test-split.txt")
    assert read_documents(*paths[:2]) == read_documents(outputs["swapped_documents"], outputs["swapped_entities"])
    assert paths[2].read_text(encoding="utf-8").count("\n") == 1


@pytest.mark.parametrize(("subcorpus", "name"), [("..", "a"), ("s", "../../a"), ("/s", "a")])
def test_no_file_is_written_beside_the_folder(write, tmp_path, subcorpus, name):
    rows = [document(name, "Лікар.") | {"subcorpus": subcorpus}]
    write_corpus(tmp_path / "original", rows, [entity(name, "T1", "JOB", "Лікар.", "Лікар")])
    with pytest.raises(InputError, match=rf"^{subcorpus}/{name}-swapped: leads out of the folder"):
        write([name, 0, "Лікар.", "Лікарка.", "accept"])
    assert not (tmp_path / "out" / "brat").exists()
    assert [path.name for path in (tmp_path / "out").iterdir() if path.suffix not in (".parquet", ".csv")] == []


def test_what_is_left_out_is_listed_with_its_reason(write):
    outputs = write(
        [*FIRST[:4], "dismiss"],
        ["a", 2, "Приїхав директор", "Приїхав  директор", "accept"],
        ["a", 3, "міста. Він із Луцька.", "міста. Вона із Києва.", "accept"],
        ["b", 0, "Лікар.", "Лікарка.", ""],
    )
    with outputs["left_out"].open(encoding="utf-8", newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    assert rows == [
        ("a", "0", "dismissed", ""),
        ("a", "2", "unchanged", ""),
        ("a", "3", "not anchored", "LOC Луцька: is not there word for word"),
        ("b", "0", "undecided", ""),
    ]
    assert read_documents(outputs["swapped_documents"], outputs["swapped_entities"]) == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[*FIRST[:4], "yes"]], r"reviews\.csv, row 1: 'yes' is not a decision; write accept, correct, dismiss"),
        ([FIRST, FIRST], r"reviews\.csv, row 2: a, line 0 is decided twice"),
        ([["c", *FIRST[1:]]], r"candidates\.csv: the corpus has no line 0 in c"),
    ],
)
def test_a_wrong_review_is_an_error(write, tmp_path, rows, message):
    with pytest.raises(InputError, match=message):
        write(*rows)
    assert not (tmp_path / "out").exists()


def test_reanchoring_is_measured_on_a_published_corpus(tmp_path, corpus):
    text = "Лікарка Ірина спить.\nПриїхала директорка\nКінець"
    published = [("T1", "JOB", "Лікарка"), ("T2", "PERS", "Ірина спить"), ("T3", "JOB", "директорка")]
    entities = [entity("a-swapped", id_, label, text, words) for id_, label, words in published]
    folder = tmp_path / "published"
    folder.mkdir()
    # The last line comes from one that the original does not have.
    swapped = write_corpus(folder, [document("a-swapped", text, source_lines=[0, 2, 9])], entities)
    entities.append(entity("a-swapped", "T4", "LOC", text, "Кінець"))
    swapped = write_corpus(folder, [document("a-swapped", text, source_lines=[0, 2, 9])], entities)
    table, differences = measure_reanchoring(
        [corpus["documents"], swapped["documents"]], [corpus["entities"], swapped["entities"]]
    )
    rows = table.frame.set_index("label").T
    assert (rows["JOB"]["published"], rows["JOB"]["equal"], rows["JOB"]["equal_percent"]) == (2, 2, 100)
    assert (rows["PERS"]["published"], rows["PERS"]["anchored"], rows["PERS"]["equal"]) == (1, 1, 0)
    assert rows["total"]["published"] == 4
    found = differences.frame[["published_only", "anchored_only", "reason"]].to_numpy().tolist()
    assert found == [
        ["PERS Ірина спить", "PERS Ірина", ""], ["LOC Кінець", "", "the original has no line 9"],
    ]  # fmt: skip
