"""Our value beside a published number is a cell of a table."""

import pandas as pd
import pytest

from textparity_studies.report.ledger import Cell, ReproducedValue

TABLES = {
    "rates": pd.DataFrame(
        {"lang": ["eng", "eng", "swe"], "procedure": ["published", "corrected", "corrected"], "rate": [1.0, 2.0, 3.0],
         "low": [0.5, None, None], "set": 1, "method": "a model"},
    ),
    "none": pd.DataFrame(),
}  # fmt: skip


def look_up(lang="eng", column="rate", table="rates", **where):
    procedures = {} if where.pop("both", False) else {"procedure": ("published", "corrected")}
    cell = Cell.of(table, column, {"lang": lang} | where, ["by {method}", "", "{lang}"], "set {set}", **procedures)
    ours = cell.look_up(TABLES)
    return ours.published, ours.corrected, ours.remark, ours.setup


@pytest.mark.parametrize(
    ("arguments", "ours"),
    [
        ({}, (1, 2, "by a model; eng", "set 1")),
        ({"lang": "swe"}, (None, 3, "by a model; swe", "set 1")),
        ({"column": "low"}, (0.5, None, "by a model; eng", "set 1")),
        # A column that was read as a number is compared as text.
        ({"set": "1"}, (1, 2, "by a model; eng", "set 1")),
        # Two rows are no cell, and a number that is missing is none.
        ({"both": True}, (None, None, "", "")),
        ({"lang": "swe", "both": True}, (3, 3, "by a model; swe", "set 1")),
        ({"lang": "deu"}, (None, None, "", "")),
        ({"table": "none"}, (None, None, "", "")),
        ({"table": "not made"}, (None, None, "", "")),
    ],
)
def test_a_cell_is_looked_up_by_its_row_and_column(arguments, ours):
    assert look_up(**arguments) == ours


def test_a_column_that_the_table_lacks_is_an_error():
    with pytest.raises(KeyError, match="language"):
        Cell.of("rates", "rate", {"language": "eng"}).look_up(TABLES)
    assert Cell.of("none", "rate", {"lang": "eng"}).look_up(TABLES) == ReproducedValue()
