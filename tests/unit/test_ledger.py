import csv

import pytest

from textparity.errors import TableError
from textparity.ledger import LedgerRow, PublishedNumber, join_ledgers, judge, read_published, write_ledger
from textparity.lexicon_study.ledger import build_lexicon_ledger


def number(value, note=""):
    return PublishedNumber("4", "swe", "feminine", value, note)


@pytest.mark.parametrize(
    ("value", "ours", "options", "verdict_", "difference"),
    [
        ("0.156", 0.15589, {}, "exact", "0.00011"),
        ("0.156", 0.1570, {}, "within tolerance", "0.00100"),
        ("0.156", 0.1620, {}, "within tolerance", "0.00600"),
        ("0.156", 0.1700, {}, "differs", "0.01400"),
        ("42980", 42980, {}, "exact", "0.00"),
        ("0.156", 0.15589, {"setup": "a stand-in"}, "other setup", "0.00011"),
        ("0.156", 0.1700, {"setup": "a stand-in"}, "other setup", "0.01400"),
        ("0.156", None, {"setup": "a stand-in"}, "not run", ""),
        ("0.156", float("nan"), {}, "not run", ""),
        ("", 0.156, {}, "not run", ""),
    ],
)
def test_a_published_number_is_judged(value, ours, options, verdict_, difference):
    row = judge("lexicon", number(value, "two readings"), ours, ours, 0.05, "gated: a form", **options)
    assert (row.verdict, row.abs_diff) == (verdict_, difference)
    assert row.setup == (options.get("setup") if verdict_ == "other setup" else "")
    reasons = (
        {"within tolerance": "tolerance 0.00780; gated: a form"} if value else {"not run": "unreadable: two readings"}
    )
    assert row.reason == reasons.get(verdict_, "gated: a form")


def test_what_was_not_run_needs_a_reason_of_a_known_kind():
    with pytest.raises(ValueError, match="'no key' must begin with one of: published, not here"):
        judge("lexicon", number("0.156"), None, None, 0.05, "no key")


def test_ledgers_are_joined_with_counts(tmp_path):
    rows = [judge("lexicon", number("0.156"), ours, None, 0.05, "unpublished: texts") for ours in (0.156, 0.5, None)]
    write_ledger(rows, tmp_path / "a.csv")
    join_ledgers([tmp_path / "a.csv", tmp_path / "a.csv"], tmp_path / "ledger.csv", tmp_path / "counts.csv")
    header, *body = list(csv.reader((tmp_path / "ledger.csv").open()))
    assert ",".join(header) == (
        "study,table,row,column,published,ours_published,ours_corrected,abs_diff,verdict,reason,setup"
    )
    assert [LedgerRow(*row) for row in body] == rows * 2
    assert (tmp_path / "counts.csv").read_text().splitlines()[1] == "lexicon,4,2,0,2,0,2,0,0,2,0,0,6"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("table,row,value\n", "the header must be"),
        ("table,row,column,value,note\n4,swe,words,42980\n", "line 2: 5 cells"),
        ("table,row,column,value,note\n4,swe,words,42.980.1,\n", "line 2: '42.980.1' is not a number"),
        ("table,row,column,value,note\n4,swe,words,1,\n4,swe,words,2,\n", "column words stands twice"),
    ],
)
def test_a_malformed_published_file_is_named(tmp_path, text, said):
    path = tmp_path / "paper.csv"
    path.write_text(text)
    with pytest.raises(TableError, match=said) as error:
        read_published(path)
    assert str(path) in str(error.value)


@pytest.fixture
def muller(repository):
    """Tables of Muller 2023 as table -> row -> column -> value; unreadable cells left out."""
    tables = {}
    for cell in read_published(repository / "resources" / "published" / "muller2023.csv"):
        cells = tables.setdefault(cell.table, {}).setdefault(cell.row, {})
        if cell.value:
            cells[cell.column] = float(cell.value)
    return tables


@pytest.mark.parametrize(("table", "rows", "whole"), [("3", 54, 54), ("4", 45, 38)])
def test_the_printed_gaps_agree_with_the_printed_rates(muller, table, rows, whole):
    rates = {row: cells for row, cells in muller[table].items() if row != "avg."}
    assert len(rates) == rows
    readable = [cells for cells in rates.values() if {"feminine", "masculine", "gap"} <= cells.keys()]
    assert len(readable) == whole
    for cells in readable:
        assert abs(cells["feminine"] - cells["masculine"]) == pytest.approx(cells["gap"], abs=0.0011)


def test_without_the_papers_corpora_every_number_of_the_lexicon_study_is_not_run(repository, tmp_path):
    (tmp_path / "gaps.csv").write_text("corpus,lang,engine,reason\n")
    published = repository / "resources" / "published" / "muller2023.csv"
    build_lexicon_ledger(published, [], tmp_path / "gaps.csv", tmp_path / "ledger.csv", {}, ["mine"], [])
    with (tmp_path / "ledger.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(read_published(published))
    assert {row["verdict"] for row in rows} == {"not run"}
    assert "no row of the corpora table stands for table 5" in {row["reason"] for row in rows}
