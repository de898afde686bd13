"""The published numbers of all studies, and what they name."""

import csv
import re
from pathlib import Path

import pytest
from ledgers import FUNCTIONS, RESOURCES, published_of

from record_claims import named_cells
from textparity.errors import TableError
from textparity_studies import STUDIES, load_study
from textparity_studies.report.catalogue import captioned_tables
from textparity_studies.report.cells import parse_pair, parse_rows
from textparity_studies.report.claims import read_claims
from textparity_studies.report.comparison import OR, check_published, load_functions, read_notes
from textparity_studies.report.ledger import read_published

WITH_LEDGER = [study for study in STUDIES if load_study(study).has_ledger]
MOST_FUNCTIONS = 40
LEAST_TABLES = 30


@pytest.mark.parametrize("study", WITH_LEDGER)
def test_every_published_number_names_what_exists(study):
    check_published(published_of(study), FUNCTIONS, captioned_tables(str(RESOURCES)))


def test_every_function_is_used_and_says_why_no_cell_is_enough():
    with FUNCTIONS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    named = {
        cell for study in WITH_LEDGER for one in read_published(published_of(study)) for cell in one.cell.split(OR)
    }
    assert {row["name"] for row in rows} <= named
    assert all(row["reason"] for row in rows)
    assert len(rows) <= MOST_FUNCTIONS
    assert all(map(callable, load_functions(FUNCTIONS).values()))


def test_pages_quote_numbers_of_the_ledger():
    numbers = {
        (study, one.table, one.row, one.column) for study in WITH_LEDGER for one in read_published(published_of(study))
    }
    assert {*named_cells()} <= numbers


@pytest.mark.parametrize("study", STUDIES)
def test_claims_name_tables_numbers_and_kept_rows_that_exist(study):
    path = RESOURCES / study / "claims.tsv"
    assert read_claims(path, captioned_tables(str(RESOURCES)))


def notes_of(study):
    path = RESOURCES / study / "ledger_notes.csv"
    return read_notes(path) if path.is_file() else []


def columns_named():
    """Yield each table that a published number, a note or a claim names, with the columns that it must have."""
    for study in WITH_LEDGER:
        cells = [cell for number in read_published(published_of(study)) for cell in number.cell.split(OR)]
        cells += [note.cell for note in notes_of(study)]
        for cell in cells:
            if "[" in cell:
                for name in parse_pair(cell):
                    yield name.table, [*dict(name.keys), name.column]
    for path in RESOURCES.glob("*/claims.tsv"):
        for rows in re.findall(r'\brows?\("([^"]+)"', path.read_text("utf-8")):
            table, keys = parse_rows(rows)
            yield table, [*dict(keys)]


def test_the_columns_that_are_named_are_those_of_the_demos_tables():
    golden = Path(__file__).parents[2] / "workflow" / "golden"
    checked = set()
    for table, columns in columns_named():
        if (golden / table).is_file():
            with (golden / table).open(encoding="utf-8", newline="") as file:
                header = next(csv.reader(file))
            # A note may name the column of the number that it is about.
            fixed = {column.removesuffix("!") for column in columns if column and "{" not in column}
            assert fixed <= {*header}, table
            checked.add(table)
    # The demo makes no other table of these: they need the papers' data, or are computed for the ledger.
    assert len(checked) > LEAST_TABLES


@pytest.mark.parametrize("study", WITH_LEDGER)
def test_every_note_is_about_a_number(study):
    numbers = read_published(published_of(study))
    for note in notes_of(study):
        assert any(note.selects(number) for number in numbers), note


@pytest.mark.parametrize(
    ("cell", "tolerance", "said"),
    [
        ("lengths/tables/lengths.csv[lang=eng].words", "", "lengths/lengths is not a table that the workflow makes"),
        ("lexicon/tables/overview.csv[lang].words", "", "'lang' is not key=value"),
        ("a_function", "", "'a_function' is not the name of a cell"),
        ("lexicon/summaries[lang=eng].words", "5 percent", "'5 percent' is not a tolerance"),
        ("one_function or another or a_third", "5% or 1", "give one tolerance, or one for each of 3 cells"),
    ],
)
def test_what_does_not_exist_is_named_before_anything_runs(tmp_path, cell, tolerance, said):
    path = tmp_path / "published.csv"
    path.write_text(f"table,row,column,value,note,cell,tolerance\n4,swe,words,1,,{cell},{tolerance}\n")
    with pytest.raises(TableError, match="table 4, row swe, column words") as error:
        check_published(path, FUNCTIONS, ["lexicon/overview"])
    assert said in str(error.value)
