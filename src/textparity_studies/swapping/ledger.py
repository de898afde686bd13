"""Compute the number of Nahurna and Romanyshyn 2025 whose remark needs several rows: §4.1, the most frequent name."""

from textparity_studies.report.cells import RunTables, to_number
from textparity_studies.report.ledger import PublishedNumber, ReproducedValue
from textparity_studies.swapping.settings import CORRECTED, FEMININE, PUBLISHED

_NAMES = "swapping/tables/name_bias.csv"
_SETUP = "their names are words of persons found by the recognizer, looked up in dict_uk; ours are found by pymorphy3"


def find_most_frequent_name(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Find the share of a system's most frequent feminine name; the remark has those of all systems."""
    values = {}
    shares = []
    for row in tables.find_rows(_NAMES, (("gender", FEMININE), ("rank", "1"))):
        if row["system"] == number.row:
            values[row["procedure"]] = to_number(row["share"])
        if row["procedure"] == CORRECTED:
            shares.append(f"{row['system']} {row['name']} {float(row['share']):.1f}")
    if values.get(PUBLISHED) is None:
        return ReproducedValue()
    remark = f"corrected, by system: {', '.join(shares)}"
    return ReproducedValue(values[PUBLISHED], values.get(CORRECTED), remark=remark, setup=_SETUP)
