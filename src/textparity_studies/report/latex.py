"""Write the numbers of a run as LaTeX macros.

Each macro is named by study, table, row and column, so that prose cannot become outdated.
"""

import unicodedata
from collections.abc import Iterator
from pathlib import Path

from textparity.errors import TableError
from textparity.files import write_text
from textparity.tables import escape_latex
from textparity_studies.report.cells import name_row, read_cells
from textparity_studies.report.ledger import EXACT, VERDICTS, read_ledger
from textparity_studies.report.scorecard import column_name

PREFIX = "tp"
_DIGITS = ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]
# Signs that distinguish names; all others only separate words.
_SIGNS = {
    "<": "Less", ">": "Greater", "=": "Equal", "%": "Percent", "+": "Plus", "±": "PlusMinus", "§": "Section",
    "&": "And", "*": "Star", "#": "Hash",
}  # fmt: skip


def macro_name(*parts: object) -> str:
    """Build the name of a macro (without its backslash): `tp`, then each word of `parts` with a capital.

    Digits are spelled out, accents dropped, and letters of other scripts named, because macros have only Latin letters.
    """
    return PREFIX + "".join(_camel(str(part)) for part in parts)


def _camel(text: str) -> str:
    letters: list[str] = []
    begins = True
    for character in unicodedata.normalize("NFKD", text):
        if unicodedata.combining(character):
            continue
        if character.isascii() and character.isalpha():
            letters.append(character.upper() if begins else character)
            begins = False
            continue
        begins = True
        if character.isdecimal():
            letters.append(_DIGITS[unicodedata.decimal(character)])
        elif character in _SIGNS:
            letters.append(_SIGNS[character])
        elif character == ".":
            # Without this word, 1.5 would have the name of 15.
            letters.append("Point" if letters and letters[-1] in _DIGITS else "")
        elif character.isalpha():
            name = unicodedata.name(character, "LETTER").replace("-", " ").split()
            letters += [word.capitalize() for word in name if word not in ("SMALL", "CAPITAL", "LETTER", "CYRILLIC")]
    return "".join(letters)


def write_numbers(ledger: Path, summary: Path, claim_numbers: Path, numbers: Path) -> None:
    """Write a file of LaTeX macros: numbers of the ledger, its verdict counts, and the numbers of claims.

    Raises `TableError` if two numbers would share a macro.
    """
    found: dict[str, tuple[str, str]] = {}
    sources = [
        *_ledger_macros(ledger),
        *_summary_macros(summary),
        *((row["macro"], row["value"], "a claim") for row in read_cells(claim_numbers)),
    ]
    for name, value, source in sources:
        if name in found:
            raise TableError(f"\\{name} would stand for {found[name][1]} and for {source}; rename a row or column")
        found[name] = (value, source)
    lines = []
    for name, (value, source) in found.items():
        lines.append(f"\\newcommand{{\\{name}}}{{{_in_latex(value)}}}% {' '.join(source.split())}")
    head = "% Made by textparity from the results of a run; do not edit. docs/report.md explains the names.\n"
    write_text(numbers, head + "".join(f"{line}\n" for line in lines))


def _ledger_macros(ledger: Path) -> Iterator[tuple[str, str, str]]:
    for row in read_ledger(ledger):
        keys = {"study": row.study, "table": row.table, "row": row.row, "column": row.column}
        source = name_row("ledger.csv", keys)
        decimals = len(row.published.partition(".")[2])
        # The ledger's value is rounded already. Rounding again might change the digit that made it exact.
        is_exact = row.verdict == EXACT
        for kind, value in (
            ("published", row.published),
            ("ours", row.published if is_exact else _rounded(row.ours_published, decimals)),
            ("corrected", _rounded(row.ours_corrected, decimals)),
        ):
            if value:
                # The name includes the kind of table: Table 4, Section 5.4.
                yield macro_name(row.study, "table", row.table, row.row, row.column, kind), value, source


def _summary_macros(summary: Path) -> Iterator[tuple[str, str, str]]:
    totals = dict.fromkeys([*map(column_name, VERDICTS), "numbers"], 0)
    for row in read_cells(summary):
        study = row["study"]
        for verdict in totals:
            count = row[verdict]
            totals[verdict] += int(count)
            yield macro_name("ledger", study, verdict), count, f"numbers of {study} that are: {verdict}"
    for verdict, total in totals.items():
        yield macro_name("ledger", "all", verdict), str(total), f"numbers of all studies that are: {verdict}"


def _rounded(cell: str, decimals: int) -> str:
    try:
        number = float(cell)
    except ValueError:
        return cell
    # Counts stay integers, as in the ledger.
    return cell if "." not in cell else f"{number:.{decimals}f}"


def _in_latex(value: str) -> str:
    try:
        float(value)
    except ValueError:
        return escape_latex(value)
    return value.replace("-", "\\ensuremath{-}")
