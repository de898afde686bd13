"""Ours is found beside a published number by a line of `ours.csv`."""

import pandas as pd
import pytest

from textparity.errors import TableError
from textparity_studies.report.ledger import CellMapping, PublishedNumber, find_ours, read_sources

FILES = {
    "rates": pd.DataFrame(
        {"lang": ["eng", "eng", "swe"], "procedure": ["published", "corrected", "corrected"], "rate": [1.0, 2.0, 3.0],
         "low": [0.5, None, None], "method": "a model"},
    ),
    "none": pd.DataFrame(),
}  # fmt: skip
BOTH = "lang={lang}; procedure=published|corrected"


def find(row, column="rate", ours_column="{measure}", where=BOTH, file="rates", table="3|4", more=()):
    source = CellMapping(table, "{lang}", "{measure}", file, where, ours_column, "0.05", "by {method}; {lang}", "")
    ours = find_ours(PublishedNumber("4", row, column, "1", ""), [*more, source], FILES)
    return ours.published, ours.corrected, ours.remark


@pytest.mark.parametrize(
    ("arguments", "ours"),
    [
        ({"row": "eng"}, (1, 2, "by a model; eng")),
        ({"row": "swe"}, (None, 3, "by a model; swe")),
        ({"row": "deu"}, (None, None, "")),
        ({"row": "eng", "table": "5"}, (None, None, "")),
        ({"row": "eng", "file": "none"}, (None, None, "")),
        ({"row": "eng", "column": "low"}, (0.5, None, "by a model; eng")),
        ({"row": "eng", "ours_column": "rate|low"}, (1, None, "by a model; eng")),
        ({"row": "eng", "ours_column": "rate|"}, (1, None, "by a model; eng")),
        # Several rows are one number by a function alone.
        ({"row": "eng", "where": "lang={lang}"}, (None, None, "by a model; eng")),
        ({"row": "eng", "where": "lang={lang}", "ours_column": "mean(rate)"}, (1.5, 1.5, "by a model; eng")),
        ({"row": "eng", "where": "lang={lang}", "ours_column": "sum({measure})"}, (3, 3, "by a model; eng")),
    ],
)
def test_ours_is_what_the_line_says(arguments, ours):
    assert find(**arguments) == ours


def test_the_first_line_with_a_number_is_taken():
    nothing = CellMapping("4", "{lang}", "rate", "none", BOTH, "rate", "0", "first", "")
    other = CellMapping("4", "eng", "rate", "rates", "lang=swe; procedure=corrected", "rate", "0", "second", "")
    assert find("eng", more=[nothing, other]) == (3, 3, "second")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"file": "ratios"}, "there is no file ratios; there are rates, none"),
        ({"where": "language={lang}"}, "rates has no column language; it has lang, procedure"),
    ],
)
def test_a_line_about_what_is_not_there_is_named(arguments, said):
    with pytest.raises(TableError, match=r"ours.csv, table 3\|4, \{lang\}, \{measure\}: " + said):
        find("eng", **arguments)


def test_a_wrong_header_is_named(tmp_path):
    (tmp_path / "ours.csv").write_text("table,row,column\n")
    with pytest.raises(TableError, match="the header must be table,row,column,ours_file,"):
        read_sources(tmp_path / "ours.csv")
