"""Some printed numbers follow from others of the same paper, which shows that its tables agree with each other."""

import pytest

from textparity.errors import TableError
from textparity_studies.report.arithmetic import PRINTED, Formula
from textparity_studies.report.cells import RunTables
from textparity_studies.report.comparison import LedgerComparator, LedgerNote
from textparity_studies.report.ledger import PublishedNumber

VALUES = {
    ("5", "JOB", "precision"): "74.39", ("5", "JOB", "recall"): "65.45", ("5", "TIME", "precision"): "0.00",
    ("5", "TIME", "recall"): "0.00", ("6", "first", "men"): "590", ("6", "first", "women"): "291",
    ("6", "second", "men"): "10", ("6", "second", "women"): "0", ("6", "third", "men"): "",
    ("6", "third", "women"): "1",
}  # fmt: skip
PRINTED_NUMBERS = [PublishedNumber(*key, value, "") for key, value in VALUES.items()]
TABLES = RunTables({}, {PRINTED: [vars(number) for number in PRINTED_NUMBERS], "a/b.csv": [{"cell": "880"}]})


def check(formula, value, table="6", row="first", cell="", notes=()):
    """Compare a printed number with what follows from others."""
    text = f"{cell} or {formula}" if cell else formula
    number = PublishedNumber(table, row, "result", value, "", text)
    return LedgerComparator("a", notes, TABLES).compare(number)


@pytest.mark.parametrize(
    ("formula", "value", "row", "ours", "verdict"),
    [
        ("sum(men, women)", "881", "first", "881", "exact"),
        # One unit of the last digit is within tolerance elsewhere.
        ("sum(men, women)", "882", "first", "881", "differs"),
        ("ratio(men, women)", "2.03", "first", "2.0275", "exact"),
        ("percent(women, 6/first/*)", "33.0", "first", "33.031", "exact"),
        ("mean(6/*/women)", "97.33", "first", "97.3333", "exact"),
    ],
)
def test_a_number_is_computed_from_others_of_its_row(formula, value, row, ours, verdict):
    compared = check(formula, value, row=row)
    assert (compared.ours_published, compared.verdict, compared.evidence) == (ours, verdict, "arithmetic")


@pytest.mark.parametrize(
    ("value", "row", "verdict"),
    # 69.6342 lies between 69.629 and 69.640 if the rates are what was rounded to two digits.
    [("69.63", "JOB", "exact"), ("69.64", "JOB", "exact"), ("69.65", "JOB", "differs"), ("0.00", "TIME", "exact")],
)
def test_the_rounding_of_the_operands_is_allowed(value, row, verdict):
    assert check("f1(precision, recall)", value, table="5", row=row).verdict == verdict


def test_another_table_may_have_the_operands():
    assert check("ratio(6/men, 6/women)", "2.03", table="1").reason == (
        "ratio of the printed numbers 590 and 291; not measured: not asked for: it is not part of this run"
    )


def test_our_own_value_goes_first_and_a_reason_is_kept():
    notes = [LedgerNote("*", "*", "*", "missing", "", "", "withdrawn: a model")]
    assert check("sum(men, women)", "881", cell="a/b.csv[].cell").ours_published == "880"
    compared = check("sum(men, women)", "881", cell="a/c.csv[].cell", notes=notes)
    assert compared.reason == "sum of the printed numbers 590 and 291; not measured: withdrawn: a model"


@pytest.mark.parametrize(("formula", "row"), [("ratio(men, women)", "second"), ("sum(men, women)", "third")])
def test_without_a_value_the_number_is_not_run(formula, row):
    assert check(formula, "1", row=row).verdict == "not run"


def test_an_operand_that_is_not_printed_is_an_error():
    with pytest.raises(TableError, match="sum: an operand is no printed number"):
        check("sum(men, children)", "1")


def test_what_is_no_formula_is_read_as_a_cell():
    assert Formula.parse("a/b.csv[lang=eng].sum(x)") is None
    with pytest.raises(TableError, match="is not column, table/column or table/row/column"):
        Formula.parse("sum(a/b/c/d)")
