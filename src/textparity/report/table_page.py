"""A table as one web page that is sorted and searched in the browser."""

import csv
import math
from importlib.resources import files
from pathlib import Path

from textparity.errors import TableError
from textparity.files import write_text
from textparity.report.catalogue import read_caption
from textparity.report.pages import page_environment

_TEMPLATE = "table_page.html.j2"
# Significant digits shown; the whole number stands in the title of its cell, is sorted by, and goes into the download.
SHOWN_DIGITS = 4
# A column with a longer text is broken into lines.
LONG_TEXT = 60


def write_table_pages(tables: list[Path], captions: list[Path], details: list[str], pages: list[Path]) -> None:
    """Write one page for each table (CSV), with its caption; `details` say which corpus and procedure it is of."""
    for table, caption, detail, page in zip(tables, captions, details, pages, strict=True):
        write_text(page, render_table_page(table, caption, detail))


def render_table_page(table: Path, caption: Path, detail: str) -> str:
    """Return a table (CSV) as a page of HTML; every cell is escaped text.

    Raises `TableError` if a row has more or fewer cells than the header.
    """
    with table.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file)) or [[]]
    for line, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise TableError(f"{table}, row {line}: {len(row)} cells, but the header has {len(header)}")
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    title, text = read_caption(caption)
    return (
        page_environment("textparity.report")
        .get_template(_TEMPLATE)
        .render(
            title=title,
            caption=text,
            detail=detail,
            file_name=table.name,
            columns=[(name, column_kind(cells)) for name, cells in zip(header, columns, strict=True)],
            rows=[[(cell, show_cell(cell)) for cell in row] for row in rows],
            script=files("textparity.report").joinpath("templates/table_page.js").read_text("utf-8"),
        )
    )


def column_kind(cells: tuple[str, ...]) -> str:
    """Return `n` for a column of numbers alone (at least one), `long` for one of long texts, else nothing."""
    if any(cells) and all(_is_number(cell) for cell in cells if cell):
        return "n"
    return "long" if any(len(cell) > LONG_TEXT for cell in cells) else ""


def show_cell(cell: str) -> str:
    """Return what a cell shows: decimal numbers have `SHOWN_DIGITS` significant digits, whole ones all of theirs."""
    if "." not in cell or not _is_number(cell):
        return cell
    number = float(cell)
    exponent = math.floor(math.log10(abs(number))) if number and math.isfinite(number) else 0
    shown = f"{number:.{max(SHOWN_DIGITS - 1 - exponent, 0)}f}" if exponent >= -SHOWN_DIGITS else f"{number:.2g}"
    return shown if len(shown) < len(cell) else cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.strip().lower() not in ("nan", "inf", "-inf", "infinity")
