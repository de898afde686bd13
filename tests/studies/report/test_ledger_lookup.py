"""Our value of a published number is a cell of a table, named in one notation; notes add remarks and reasons."""

import pytest

from textparity.errors import TableError
from textparity_studies.report.cells import CellName, RunTables, name_files, name_row, parse_pair, to_number
from textparity_studies.report.comparison import LedgerComparator, LedgerNote, read_notes
from textparity_studies.report.ledger import (
    EvidenceKind,
    PublishedNumber,
    ReproducedValue,
    Tolerance,
    compare_to_published,
)

RATES = [
    {"lang": "eng", "procedure": "published", "rate": "1.0", "low": "0.5", "set": "1", "method": "a model"},
    {"lang": "eng", "procedure": "corrected", "rate": "2.0", "low": "", "set": "1", "method": "a model"},
    {"lang": "swe", "procedure": "corrected", "rate": "3.0", "low": "", "set": "1", "method": "a model"},
]
TABLES = RunTables({}, {"a/rates.csv": RATES, "a/none.csv": [], "gaps": [{"lang": "fin", "reason": "gated: x"}]})


def test_a_cell_is_named_by_table_keys_and_column():
    cell = CellName.parse("a/rates.csv[lang=eng;row=ner_uk, JOB: x.y].rate")
    assert cell == CellName("a/rates.csv", (("lang", "eng"), ("row", "ner_uk, JOB: x.y")), "rate")
    assert CellName.parse("run[].setup") == CellName("run", (), "setup")


@pytest.mark.parametrize("text", ["a/rates.csv", "a/rates.csv[lang].rate", "a/rates.csv[lang=eng]", "[lang=eng].rate"])
def test_another_notation_is_refused(text):
    with pytest.raises(TableError):
        CellName.parse(text)


def test_a_row_is_named_without_a_column():
    assert name_row("a/rates.csv", {"lang": "eng", "set": "1"}) == "a/rates.csv[lang=eng;set=1]"
    assert name_row("a/rates.csv", {}) == "a/rates.csv"


def test_two_procedures_are_named_at_once():
    pair = parse_pair("a/published|corrected/b.csv[lang=eng;set=all|weighted average;found=x|].rate|rate_corrected")
    assert pair == (
        CellName("a/published/b.csv", (("lang", "eng"), ("set", "all"), ("found", "x")), "rate"),
        CellName("a/corrected/b.csv", (("lang", "eng"), ("set", "weighted average"), ("found", "")), "rate_corrected"),
    )
    same = parse_pair("a/b.csv[lang=eng].rate")
    assert same[0] == same[1]


def test_a_row_may_be_named_by_what_a_cell_is_not():
    rows = TABLES.find_rows("a/rates.csv", (("lang", "eng"), ("procedure!", "published")))
    assert [row["rate"] for row in rows] == ["2.0"]
    assert CellName.parse("a/rates.csv[lang!=eng].rate").keys == (("lang!", "eng"),)


def test_tables_are_found_below_the_results(tmp_path):
    path = tmp_path / "a" / "lengths.csv"
    path.parent.mkdir()
    path.write_text("lang,words\neng,9.5\n")
    tables = RunTables(name_files([path], tmp_path))
    assert "a/lengths.csv" in tables
    assert tables.find_text(CellName.parse("a/lengths.csv[lang=eng].words")) == "9.5"
    assert tables.find_rows("a/other.csv", (("lang", "eng"),)) == []


def test_a_table_without_a_header_has_no_cells(tmp_path):
    path = tmp_path / "a" / "scores.csv"
    path.parent.mkdir()
    # As pandas writes a frame without rows and columns.
    path.write_text("\n")
    assert RunTables(name_files([path], tmp_path)).find_rows("a/scores.csv", (("lang", "eng"),)) == []


@pytest.mark.parametrize(
    ("cell", "number"), [(None, None), ("", None), ("nan", None), (float("nan"), None), ("2", 2.0)]
)
def test_a_missing_number_is_none(cell, number):
    assert to_number(cell) == number


NOTES = [
    LedgerNote("*", "*", "*", "remark", "", "", "by {method}"),
    LedgerNote("4|5", "*", "ra*", "remark", "lang=swe", "", "{lang}"),
    LedgerNote("*", "*", "*", "setup", "set!=2", "", "set {set}"),
    LedgerNote("*", "*", "*", "evidence", "lang=swe", "", "counted"),
    LedgerNote("*", "*", "*", "evidence", "", "", "rescored"),
    LedgerNote("*", "*", "*", "missing", "missing=table", "", "not computed: no table"),
    LedgerNote("*", "*", "*", "missing", "", "gaps[lang={lang}].reason", "{cell}; {cell.detail}"),
    LedgerNote("*", "*", "*", "missing", "missing=row", "", "not computed: no row"),
    LedgerNote("*", "*", "*", "missing", "missing=value", "", "{method} gave none"),
]
KEYS = "procedure=published|corrected"


def find(cell, tolerance="", functions=None):
    number = PublishedNumber("4", "row", "rate", "1.0", "", cell, tolerance)
    return LedgerComparator("a", NOTES, TABLES, functions).reproduce(number)


@pytest.mark.parametrize(
    ("cell", "ours"),
    [
        (f"a/rates.csv[lang=eng;{KEYS}].rate", (1, 2, "by a model", "set 1")),
        (f"a/rates.csv[lang=eng;{KEYS}].low", (0.5, None, "by a model", "set 1")),
        # A value by the published procedure goes before one by the corrected procedure alone; else the first counts.
        (f"a/rates.csv[lang=swe;{KEYS}].rate or a/rates.csv[lang=eng;{KEYS}].rate", (1, 2, "by a model", "set 1")),
        ("a/rates.csv[lang=swe].rate or a/rates.csv[lang=eng;set=1].rate", (3, 3, "by a model; swe", "set 1")),
        # Without one, there is a reason; what does not begin with one is none.
        (f"a/rates.csv[lang=swe;{KEYS}].rate", (None, 3, "not asked for: it is not part of this run", "")),
        ("a/rates.csv[lang=deu].rate", (None, None, "not computed: no row", "")),
        ("a/rates.csv[lang=fin].rate", (None, None, "gated: x; x", "")),
        # Two rows are no cell.
        ("a/rates.csv[lang=eng].rate", (None, None, "not computed: no row", "")),
        ("a/none.csv[lang=eng].rate", (None, None, "not computed: no row", "")),
        ("a/other.csv[lang=eng].rate", (None, None, "not computed: no table", "")),
    ],
)  # fmt: skip
def test_a_cell_is_found_with_its_notes(cell, ours):
    found = find(cell)
    assert (found.published, found.corrected, found.remark, found.setup) == ours


@pytest.mark.parametrize(("lang", "evidence"), [("swe", "counted"), ("eng;set=1;procedure=published", "rescored")])
def test_the_first_note_about_evidence_counts(lang, evidence):
    assert find(f"a/rates.csv[lang={lang}].rate").evidence == evidence


def test_a_value_without_such_a_note_was_measured():
    assert ReproducedValue(1).evidence == "measured"


def test_unknown_evidence_is_named(tmp_path):
    path = tmp_path / "ledger_notes.csv"
    path.write_text("table,row,column,kind,when,cell,text\n*,*,*,evidence,,,guessed\n")
    with pytest.raises(TableError, match="'guessed' is not one of measured, counted, rescored"):
        read_notes(path)


def test_a_note_that_names_what_our_row_lacks_is_an_error():
    notes = [LedgerNote("*", "*", "*", "remark", "", "", "by {tagger}")]
    number = PublishedNumber("4", "row", "rate", "1.0", "", "a/rates.csv[lang=swe].rate")
    with pytest.raises(TableError, match=r"'by \{tagger\}' names 'tagger'"):
        LedgerComparator("a", notes, TABLES).reproduce(number)


def test_each_cell_may_have_its_tolerance():
    cells = "a/other.csv[lang=eng].rate or a/rates.csv[lang=swe].rate"
    assert find(cells, "1% or 5%").tolerance == "5%"
    assert find(cells, "1%").tolerance == "1%"


def test_a_function_computes_what_no_cell_has():
    functions = {
        "a_sum": lambda number, tables: ReproducedValue(sum(float(row["rate"]) for row in RATES), remark="sum")
    }
    found = LedgerComparator("a", [], TABLES, functions).reproduce(
        PublishedNumber("4", "row", "rate", "6", "", "a_sum", "5%")
    )
    assert (found.published, found.corrected, found.remark, found.tolerance) == (6, None, "sum", "5%")


def test_a_column_that_the_table_lacks_is_an_error():
    with pytest.raises(TableError, match=r"a/rates.csv has no column 'language'"):
        find("a/rates.csv[language=eng].rate")


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ("rate=1.0", True), ("rate=2", False), ("rate!=2", True), ("rate<1.5", True), ("rate>1.5", False),
        ("rate!~other", True), ("rate!~near", False), ("lang=eng;rate=2", False), ("unknown!=2", False),
    ],
)  # fmt: skip
def test_a_note_applies_if_all_its_conditions_hold(when, holds):
    note = LedgerNote("*", "*", "*", "remark", when, "", "said")
    names = {"rate": 1.0, "other": 1.2, "near": 1.04, "lang": "eng"}
    assert note.render(names, TABLES, decimals=1) == ("said" if holds else "")


def test_a_condition_that_cannot_be_read_is_named():
    with pytest.raises(TableError, match="'rate' is not a condition"):
        LedgerNote("*", "*", "*", "remark", "rate", "", "said").render({"rate": 1}, TABLES, decimals=0)


@pytest.mark.parametrize(
    ("tolerance", "ours", "verdict"),
    [
        # Relative to the published number, or in its unit; one unit of the last digit is allowed in any case.
        ("5%", 42, "within tolerance"), ("5%", 42.5, "differs"), ("1.5", 41.5, "within tolerance"),
        ("1.5", 61.5, "differs"), ("", 41, "within tolerance"), ("", 42, "differs"), ("5%", 40.2, "exact"),
        # A bound that the paper claims.
        ("at least", 61.5, "within tolerance"), ("at least 5%", 39, "differs"), ("at most", 39, "within tolerance"),
        ("at most", 40, "within tolerance"), ("at most 5%", 41, "differs"),
        # An order of magnitude.
        ("order", 400, "within tolerance"), ("order", 401, "differs"), ("order", 0, "differs"),
    ],
)  # fmt: skip
def test_a_tolerance_decides_what_differs(tolerance, ours, verdict):
    row = compare_to_published(
        "a", PublishedNumber("4", "r", "c", "40", ""), ReproducedValue(ours, None, tolerance), ""
    )
    assert row.verdict == verdict


@pytest.mark.parametrize(
    ("ours", "setup", "verdict"),
    [(42, "", "contradicted by the authors' data"), (41, "", "within tolerance"), (42, "b", "other setup")],
)
def test_an_authors_report_contradicts_what_it_differs_from(ours, setup, verdict):
    reproduced = ReproducedValue(ours, None, setup=setup, evidence=EvidenceKind.REPORT)
    row = compare_to_published("a", PublishedNumber("4", "r", "c", "40", ""), reproduced, "")
    assert (row.verdict, row.evidence) == (verdict, "authors' report")


def test_what_was_not_run_has_no_evidence():
    row = compare_to_published("a", PublishedNumber("4", "r", "c", "40", ""), ReproducedValue(), "gated: a form")
    assert (row.verdict, row.evidence) == ("not run", "")


def test_what_cannot_be_read_as_a_tolerance_is_named():
    with pytest.raises(TableError, match="'a little' is not a tolerance"):
        Tolerance.parse("a little")


def test_a_number_that_does_not_exist_differs():
    infinite = ReproducedValue(float("inf"), float("inf"))
    row = compare_to_published("a", PublishedNumber("4", "r", "c", "2018", ""), infinite, "no such year")
    assert (row.ours_published, row.abs_diff, row.verdict, row.reason) == ("none", "", "differs", "no such year")
