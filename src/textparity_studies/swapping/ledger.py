"""Compute the number of Nahurna and Romanyshyn 2025 whose remark needs several rows: §4.1, the most frequent name."""

from textparity_studies.report.cells import CellName, RunTables, to_number
from textparity_studies.report.ledger import PublishedNumber, ReproducedValue
from textparity_studies.swapping.settings import CORRECTED, FEMININE, PUBLISHED

_NAMES = "swapping/tables/name_bias.csv"
_SETUP = "their names are words of persons found by the recognizer, looked up in dict_uk; ours are found by pymorphy3"


def find_most_frequent_name(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Find the share of a system's most frequent feminine name; the remark has those of all systems."""
    first = (("gender", FEMININE), ("rank", "1"))
    values = {}
    for procedure in (PUBLISHED, CORRECTED):
        keys = (("system", number.row), *first, ("procedure", procedure))
        row = tables.find_row(CellName(_NAMES, keys, "share"))
        values[procedure] = to_number(row.get("share"))
    shares = []
    for row in tables.find_rows(_NAMES, (*first, ("procedure", CORRECTED))):
        shares.append(f"{row['system']} {row['name']} {float(row['share']):.1f}")
    remark = f"corrected, by system: {', '.join(shares)}"
    if values[PUBLISHED] is None:
        return ReproducedValue()
    return ReproducedValue(values[PUBLISHED], values[CORRECTED], remark=remark, setup=_SETUP)
