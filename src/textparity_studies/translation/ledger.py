"""Compute the recorded numbers of Stanovsky, Smith and Zettlemoyer 2019 that are in no cell of our tables."""

from textparity.counting import PROCEDURES
from textparity.estimating.estimates import percentage
from textparity_studies.report.cells import RunTables
from textparity_studies.report.ledger import PublishedNumber, ReproducedValue

_TABLES = "translation/tables"


def compute_found_percent(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Compute how often a gender is found (the column `found_{gender}`), in percent of all sentences."""
    found = number.column.removeprefix("found_")
    keys = (("system", number.table), ("lang", number.row))
    sentences = sum(int(row["sentences"]) for row in tables.find_rows(f"{_TABLES}/confusion.csv", keys))
    if not sentences:
        return ReproducedValue()
    rows = tables.find_rows(f"{_TABLES}/confusion.csv", (*keys, ("found", found)))
    return ReproducedValue(percentage(sum(int(row["sentences"]) for row in rows), sentences))


def compute_agreement(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Compute the share of sentences on which people agree, for the first system: the authors recorded no other."""
    shares: dict[str, float] = {}
    for procedure in PROCEDURES:
        keys = (("lang", number.row), ("procedure", procedure))
        if rows := tables.find_rows(f"{_TABLES}/agreement.csv", keys):
            shares[procedure] = float(rows[0]["agreement"]) / 100
    return ReproducedValue(shares.get("published"), shares.get("corrected"))
