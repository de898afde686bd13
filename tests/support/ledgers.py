"""The ledger of a study from tables in any folder, and our value of one published number."""

import csv
from dataclasses import astuple, fields, replace
from io import StringIO
from pathlib import Path

import pandas as pd

from textparity.files import write_rows
from textparity_studies.report.cells import RunTables
from textparity_studies.report.comparison import LedgerComparator, build_ledger, load_functions, read_notes
from textparity_studies.report.ledger import PublishedNumber, read_published

RESOURCES = Path(__file__).parents[2] / "resources"
FUNCTIONS = RESOURCES / "ledger_functions.tsv"


def published_of(study):
    """The file with the published numbers of a study."""
    return RESOURCES / ("winomt/recorded.csv" if study == "translation" else f"{study}/published.csv")


def read_rows(table):
    """Read a CSV file, or rows (or a frame) as they would be in one."""
    if not isinstance(table, Path):
        return list(csv.DictReader(StringIO(pd.DataFrame(table).to_csv(index=False))))
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def ledger_rows(study, folder, tables, not_run=(), published=None, **options):
    """Build the ledger in `folder` from `tables`, by their names below the results; return its rows by number."""
    published = published or published_of(study)
    ledger = folder / "ledger" / f"{study}.csv"
    ledger.parent.mkdir(exist_ok=True)
    computed = {name: read_rows(path) for name, path in tables.items()} | options.pop("computed", {})
    build_ledger(
        study, published, RESOURCES / study / "ledger_notes.csv", FUNCTIONS, [], ledger,
        folder / "gaps.csv", list(not_run), computed=computed, **options,
    )  # fmt: skip
    return {(row["table"], row["row"], row["column"]): row for row in read_rows(ledger)}


def write_published(study, path, values):
    """Write some of a study's published numbers, printed as `values` (by table, row and column)."""
    numbers = {(one.table, one.row, one.column): one for one in read_published(RESOURCES / study / "published.csv")}
    chosen = [replace(numbers[key], value=value) for key, value in values.items()]
    write_rows(path, [column.name for column in fields(PublishedNumber)], map(astuple, chosen))
    return path


def find_ours(study, key, tables, value="1"):
    """Find our value of a published number (its table, row and column), printed as `value`."""
    numbers = {(one.table, one.row, one.column): one for one in read_published(RESOURCES / study / "published.csv")}
    rows = {name: read_rows(path) for name, path in tables.items()}
    run = RunTables({}, rows)
    comparison = LedgerComparator(
        study, read_notes(RESOURCES / study / "ledger_notes.csv"), run, load_functions(FUNCTIONS)
    )
    return comparison.reproduce(replace(numbers[key], value=value))
