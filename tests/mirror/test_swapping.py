"""NER-UK 2.0 and its gender-swapped sentences, as they are published."""

import csv
import os
import re
import subprocess
import sys
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from textparity.sources.archives import read_members
from textparity_studies.report.ledger import read_published
from textparity_studies.swapping.corpora import BLANK_LINE, CUT_TEXT, SEPARATORS, read_documents

if not os.environ.get("TEXTPARITY_MIRROR"):
    pytest.skip("TEXTPARITY_MIRROR not set", allow_module_level=True)

pytestmark = pytest.mark.mirror

CORPORA = ("ner_uk", "ner_uk_swapped")
# EntityDocument and place of a sentence: the line that its .meta file names, and the one it was swapped from.
WRONG_LINES = {
    ("19a095d6ed15-swapped", 1): (6, 7),
    ("7eae7aa310d7-swapped", 0): (9, 7),
    ("8b3ec884f52d-swapped", 5): (13, 11),
    ("bdb88360d4a8-swapped", 0): (12, 11),
    ("bdb88360d4a8-swapped", 1): (13, 12),
}


@pytest.fixture(scope="module")
def results(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("entities")
    done = subprocess.run(
        [
            sys.executable, "-m", "snakemake", *(f"results/swapping/{corpus}/repairs.csv" for corpus in CORPORA),
            "results/swapping/tables/entities.csv", "--cores", "2",
            "--snakefile", str(repository / "Snakefile"), "--directory", str(folder),
        ],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "results"


@pytest.fixture(scope="module")
def corpora(results):
    """The documents of each corpus."""
    folders = {corpus: results / "swapping" / corpus for corpus in CORPORA}
    return {
        corpus: read_documents(folder / "documents.parquet", folder / "entities.parquet")
        for corpus, folder in folders.items()
    }


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_table_4_and_table_7(results, repository):
    ours = {}
    for row in table(results / "swapping" / "tables" / "entities.csv"):
        if row["subcorpus"] == "total":
            ours["4", row["label"], row["corpus"]] = row["entities"]
        if row["corpus"] == "original":
            ours["7", row["label"], row["subcorpus"]] = row["entities"]
    published = {
        (number.table, number.row, number.column): number.value
        for number in read_published(repository / "resources" / "swapping" / "published.csv")
        if number.table in ("4", "7")
    }
    assert len(published) == 84
    differing = {key: (value, ours[key]) for key, value in published.items() if ours[key] != value}
    # The authors' own count of these files has 1,283, too.
    assert differing == {
        ("4", "PERS", "swapped"): ("1282", "1283"),
        ("4", "PERS", "augmented"): ("7517", "7518"),
        ("4", "total", "swapped"): ("5385", "5386"),
        ("4", "total", "augmented"): ("27378", "27379"),
    }


def test_every_repair_is_listed(results):
    repairs = {corpus: table(results / "swapping" / corpus / "repairs.csv") for corpus in CORPORA}
    assert {corpus: Counter(row["repair"] for row in rows) for corpus, rows in repairs.items()} == {
        "ner_uk": {SEPARATORS: 21993, CUT_TEXT: 2 * 49},
        "ner_uk_swapped": {SEPARATORS: 5381, BLANK_LINE: 2},
    }
    # A tab after the id and after the label, then spaces.
    mixed = [
        (row["file"], row["line"])
        for rows in repairs.values()
        for row in rows
        if row["repair"] == SEPARATORS and row["found"].count("\t") != 4
    ]
    assert len(mixed) == 2


def test_no_entity_is_lost(results, corpora):
    (archive,) = results.glob("sources/ner_uk/*.tar.gz")
    lines = Counter()
    for name, stream in read_members(archive):
        if Path(name).match("v2.0*/data/*/*.ann"):
            corpus = CORPORA["v2.0-swapped" in name]
            lines[corpus] += len(re.findall(r"^T\d+\s", stream.read().decode(), re.M))
    assert lines == {"ner_uk": 21993, "ner_uk_swapped": 5386}
    for corpus, documents in corpora.items():
        entities = [(document, entity) for document in documents for entity in document.entities]
        assert len(entities) == lines[corpus]
        assert all(document.text[entity.start : entity.end] == entity.text for document, entity in entities)


def test_the_published_split(corpora):
    assert {corpus: Counter(document.split for document in corpora[corpus]) for corpus in CORPORA} == {
        "ner_uk": {"train": 391, "test": 169},
        "ner_uk_swapped": {"train": 275, "test": 120},
    }
    splits = {document.document: document.split for document in corpora["ner_uk"]}
    for document in corpora["ner_uk_swapped"]:
        assert splits[document.document.removesuffix("-swapped")] == document.split


def sentences(document):
    """Return the text of each line, blank ones too, and the number of its persons."""
    return [
        (
            document.text[start:end],
            sum(entity.label == "PERS" and start <= entity.start < end for entity in document.entities),
        )
        for start, end in document.lines
    ]


def likest(text, lines):
    return max(
        range(len(lines)), key=lambda number: SequenceMatcher(None, text, lines[number][0], autojunk=False).ratio()
    )


def test_five_sentences_name_a_wrong_line_and_each_person_has_a_counterpart(corpora):
    originals = {document.document: sentences(document) for document in corpora["ner_uk"]}
    wrong, persons = {}, Counter()
    for document in corpora["ner_uk_swapped"]:
        lines = originals[document.document.removesuffix("-swapped")]
        swapped = [line for line in sentences(document) if line[0].strip()]
        for place, ((text, count), named) in enumerate(zip(swapped, document.source_lines, strict=True)):
            source, like = lines[named] if named < len(lines) else ("", 0), named
            if SequenceMatcher(None, text, source[0], autojunk=False).ratio() < 0.6:
                like = likest(text, lines)
                wrong[document.document, place] = (named, like)
            assert count == lines[like][1]
            persons.update(sentences=1, persons=count)
    assert wrong == WRONG_LINES
    assert persons == {"sentences": 1331, "persons": 1283}
