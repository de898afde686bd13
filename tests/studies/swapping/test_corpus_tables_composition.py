"""Genders of a corpus' entities, their composition by sample and procedure, and the ledger's cells of them."""

import pandas as pd
import pytest
from ledgers import find_ours
from ukrainian import write_corpus, write_lists

from textparity.corpora.reading import read_rows
from textparity.tables import write_csv
from textparity_studies.swapping.corpus_tables import tabulate_composition
from textparity_studies.swapping.genders import classify_entities

pytest.importorskip("pymorphy3_dicts_uk")

# The search of the authors finds no title between underscores.
TEXT = "Директор Сергій Іваненко.\nЙого заступник голови й Олена.\nВона була _лікаркою_ в Юлії.\nОлександр мовчав.\n"
WORDS = [
    ("JOB", "Директор"), ("PERS", "Сергій Іваненко"), ("JOB", "заступник голови"), ("PERS", "Олена"),
    ("JOB", "лікаркою"), ("PERS", "Юлії"), ("PERS", "Олександр"), ("LOC", "мовчав"),
]  # fmt: skip


@pytest.fixture
def lists(tmp_path):
    (tmp_path / "lists").mkdir()
    return write_lists(tmp_path / "lists")


@pytest.fixture
def classify(tmp_path, lists):
    """Classify the entities of a text; returns the path of the rows."""

    def classify(name, text, words, subcorpus="ng"):
        corpus = write_corpus(tmp_path / name, text, words, subcorpus)
        genders = tmp_path / name / "genders.parquet"
        classify_entities(**corpus, **lists, genders=genders, stanza_folder=str(tmp_path / "no models"))
        return genders

    return classify


def test_each_title_and_name_has_its_line_and_genders(classify):
    rows = read_rows(classify("original", TEXT, WORDS)).to_pylist()
    assert [row["text"] for row in rows] == [word for label, word in WORDS if label != "LOC"]
    assert [row["line"] for row in rows] == [0, 0, 1, 1, 2, 2, 3]
    assert [row["beside_job"] for row in rows] == [True] * 6 + [False]
    assert [row["beside_job_published"] for row in rows] == [True] * 4 + [False] * 3
    deputy = rows[2]
    assert (deputy["gender_published"], deputy["gender_published_with_exceptions"]) == ("masculine", "common")
    assert deputy["gender_corrected"] == "masculine"
    assert {row["method"] for row in rows} == {"pymorphy3 lemma, head by rule"}
    assert [row["gender_corrected"] for row in rows if row["label"] == "PERS"] == [
        "masculine", "feminine", "feminine", "masculine",
    ]  # fmt: skip


@pytest.fixture
def tables(tmp_path, classify):
    """The paths of the tables of the text above and of one swapped line."""
    genders = [
        classify("original", TEXT, WORDS),
        classify("swapped", "Директорка Олена.\n", [("JOB", "Директорка"), ("PERS", "Олена")]),
    ]
    paths = {}
    for table in tabulate_composition(genders):
        paths[table.name] = tmp_path / f"{table.name}.csv"
        write_csv(table.frame, paths[table.name])
    return paths


def cells(table, sample, label, procedure, subcorpus="total"):
    chosen = table[
        (table["sample"] == sample) & (table["label"] == label) & (table["procedure"] == procedure)
        & (table["subcorpus"] == subcorpus)
    ]  # fmt: skip
    return dict(zip(chosen["gender"], chosen["count"], strict=True))


def test_composition_counts_every_sample(tables):
    table = pd.read_csv(tables["composition"])
    nothing = {"masculine": 0, "feminine": 0, "common": 0, "unknown": 0}
    beside = "original, lines with JOB"
    # Names of the lines with a title: of all of them, or of those the search finds.
    assert cells(table, beside, "PERS", "corrected") == nothing | {"masculine": 1, "feminine": 2}
    assert cells(table, beside, "PERS", "published") == nothing | {"masculine": 1, "feminine": 1}
    # Titles are those of all lines by any procedure.
    assert cells(table, beside, "JOB", "published with exceptions") == nothing | {
        "masculine": 1, "feminine": 1, "common": 1,
    }  # fmt: skip
    assert cells(table, "original", "PERS", "corrected") == nothing | {"masculine": 2, "feminine": 2}
    assert cells(table, "augmented", "JOB", "corrected") == nothing | {"masculine": 2, "feminine": 2}
    assert cells(table, "swapped", "JOB", "corrected", "ng") == nothing | {"feminine": 1}
    sums = table.groupby(["sample", "subcorpus", "label", "procedure"])["percent"].sum()
    assert len(sums) == 48
    assert list(sums) == pytest.approx([100] * 48)


def test_lines_with_a_title_are_those_that_are_found_and_all(tables):
    lines = pd.read_csv(tables["job_lines"]).set_index(["lines", "subcorpus"])
    assert tuple(lines.loc[("published", "total")]) == (2, 2, 2)
    assert tuple(lines.loc[("corrected", "ng")]) == (3, 3, 3)


def test_the_ledgers_cells_are_those_of_the_tables(tables, tmp_path):
    recall = pd.DataFrame(
        [
            ["original", records, procedure, "pymorphy3 lemma, head by rule", "common", value]
            for records, values in {"as recorded": (0.5, 0.6, 0.7), "each once": (0.51, 0.61, 0.71)}.items()
            for procedure, value in zip(("published", "published with exceptions", "corrected"), values, strict=True)
        ],
        columns=["model", "records", "procedure", "method", "gender", "recall"],
    )
    recall.to_csv(tmp_path / "recorded_recall.csv", index=False)
    paths = [*tables.values(), tmp_path / "recorded_recall.csv"]
    named = {f"swapping/tables/{path.name}": path for path in paths}

    def ours(*key):
        found = find_ours("swapping", key, named)
        return found.published, found.corrected

    common = find_ours("swapping", ("1", "total, JOB", "common"), named)
    assert (common.published, common.corrected) == (1, 0)
    assert common.setup.startswith("pymorphy3 and a rule stand in for Stanza")
    total = find_ours("swapping", ("9", "original", "total"), named, "3")
    assert (total.published, total.corrected, total.remark, total.setup) == (3, 3, "", "")
    assert ours("10", "augmented", "feminine") == (2, 3)
    assert ours("1", "ng, PERS", "masculine_percent") == (50, pytest.approx(100 / 3))
    assert ours("6", "common", "original_recall") == (0.6, 0.71)
    assert ours("§4.1", "ner_uk, lines with JOB", "lines") == (2, 3)
    assert ours("§4.1", "ner_uk, lines with JOB", "JOB") == (3, 3)
    assert ours("§4.1", "ner_uk, JOB", "feminine_percent") == pytest.approx((100 / 3, 100 / 3))


def test_the_ledger_says_where_the_exceptions_change_the_number(tables):
    named = {f"swapping/tables/{path.name}": path for path in tables.values()}

    def remark(column, value):
        return find_ours("swapping", ("9", "original", column), named, value).remark

    assert "without the hand-made exceptions 2" in remark("masculine", "0")
    assert "exceptions" not in remark("total", "3")
