"""Render self-contained web pages: one file, one style, light and dark, no network, and every text escaped.

The front page of a run shows what was measured, which published numbers were reproduced, and what was not run.
Each table has a page that can be sorted and searched in the browser.
"""

import csv
import math
from fnmatch import fnmatch
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from textparity.errors import TableError
from textparity.files import write_text
from textparity.tables import Caption, page_environment
from textparity_studies.report.catalogue import FIGURE_FORMATS, FIGURES, SUMMARY, ReportItem, Run
from textparity_studies.report.cells import read_cells
from textparity_studies.report.claims import in_short, table_rows
from textparity_studies.report.ledger import MEASUREMENT, NOT_RUN, VERDICTS, Reason
from textparity_studies.report.scorecard import (
    column_name,
    count_by_evidence,
    count_by_table,
    count_verdicts,
    list_reasons,
)

# Significant digits shown; the cell's tooltip, the sorting and the download use the full number.
SHOWN_DIGITS = 4
# A column with a longer text is wrapped.
LONG_TEXT = 60
SVG = "{http://www.w3.org/2000/svg}"


def render_table_page(table: Path, caption: Path, detail: str) -> str:
    """Render a table (CSV) as a page of HTML; every cell is escaped text.

    Raises `TableError` if a row has more or fewer cells than the header.
    """
    with table.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file)) or [[]]
    for line, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise TableError(f"{table}, row {line}: {len(row)} cells, but the header has {len(header)}")
    # Rows that were not run are hidden by a search, unless there are no others.
    verdicts = {row[header.index("verdict")] for row in rows} if "verdict" in header else set()
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    about = Caption.read(caption)
    return (
        page_environment("textparity_studies.report")
        .get_template("pages.table.html.j2")
        .render(
            title=about.title,
            caption=f"{about.text} {about.notes}".strip(),
            detail=detail,
            file_name=table.name,
            columns=[(name, column_kind(cells)) for name, cells in zip(header, columns, strict=True)],
            rows=[[(cell, show_cell(cell)) for cell in row] for row in rows],
            search=f'verdict!="{NOT_RUN}"' if NOT_RUN in verdicts and len(verdicts) > 1 else "",
            script=files("textparity_studies.report").joinpath("templates/pages.table.js").read_text("utf-8"),
        )
    )


def column_kind(cells: tuple[str, ...]) -> str:
    """Classify a column: `n` for numbers (at least one), `long` for long texts, else an empty string."""
    if any(cells) and all(_is_number(cell) for cell in cells if cell):
        return "n"
    return "long" if any(len(cell) > LONG_TEXT for cell in cells) else ""


def show_cell(cell: str) -> str:
    """Format a cell: decimal numbers get `SHOWN_DIGITS` significant digits, integers keep all digits."""
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


def render_report(
    tables: list[Path],
    captions: list[Path],
    summary: Path,
    scorecard: Path,
    claims: Path,
    gaps: list[Path],
    pictures: list[Path],
    pages: list[Path],
    front_page: Path,
    run: Run,
) -> None:
    """Write a page for each table, and the front page.

    `captions` belong to `run.items`, whose tables precede the figures. `pictures` are the figures (SVG) on the front
    page, at most one per study. `gaps`, one per study, lists the omitted work.
    """
    for item, table, page, caption in zip(run.items, tables, pages, captions, strict=False):
        lexicon = f", person nouns of {run.lexicon}" * (item.path in run.noun_tables)
        write_text(page, render_table_page(table, caption, item.detail + lexicon))
    pages_of = {item.path.removeprefix("results/"): _link(item.page) for item in run.items}
    statements = [
        row | {"evidence_links": _evidence_links(row["evidence"], pages_of), "table_rows": table_rows(row["table"])}
        for row in read_cells(claims)
    ]
    scored = read_cells(scorecard)
    drawn = {item.study: _read_figure(Path(item.path)) for item in run.items if Path(item.path) in pictures}
    template = page_environment("textparity_studies.report").get_template("pages.front.html.j2")
    text = template.render(
        verdicts=[(verdict, column_name(verdict)) for verdict in VERDICTS],
        run=run,
        not_run_kinds=[(kind, f"not_run_{column_name(kind)}") for kind in Reason],
        totals=_with_total(read_cells(summary)),
        by_evidence=count_by_evidence(scored),
        scores=count_by_table(scored),
        reasons=list_reasons(scored),
        claims=_by_study([row for row in statements if row["kind"] != MEASUREMENT]),
        measurements=_by_study([row for row in statements if row["kind"] == MEASUREMENT]),
        gaps={study: read_cells(path) for study, path in zip(run.studies, gaps, strict=True)},
        studies=run.studies,
        study_names={SUMMARY: "Summary"} | run.study_names,
        openings=[_opening(study, run.study_names[study], drawn.get(study), statements) for study in run.studies],
        listed=_by_study([_listed(item, caption) for item, caption in zip(run.items, captions, strict=True)]),
        pages={Path(path).stem: _link(path) for path in run.study_pages},
    )
    write_text(front_page, text)


def _opening(study: str, name: str, picture: dict[str, Any] | None, statements: list[dict[str, Any]]) -> dict[str, Any]:
    """Open a study with one sentence: the title of its picture or, without one, its first statement with numbers."""
    filled = [row for row in statements if row["study"] == study and not row["reason"]]
    if picture:
        sentence = f"{picture['title']}."
    elif filled:
        sentence = in_short(filled[0]["heading"], filled[0]["effect"])
    else:
        sentence = "This run has no statement with numbers."
    return {"study": study, "name": name, "sentence": sentence, "picture": picture}


def _with_total(rows: list[dict[str, str]]) -> list[dict[str, int | str]]:
    """Convert the rows of the summarised ledger to numbers and add their sum; a median has no sum."""
    keys = count_verdicts([])
    total = {key: sum(int(row[key]) for row in rows) for key in keys}
    counted = [dict(row) | {key: int(row[key]) for key in keys} for row in rows]
    return [*counted, {"study": "", "median_distance_percent": ""} | total]


def _by_study(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["study"], []).append(row)
    return found


def _listed(item: ReportItem, caption: Path) -> dict[str, Any]:
    of = ", ".join(filter(None, [item.of.replace("_", " "), item.procedure]))
    files = {"table": item.page, "CSV": item.path}
    if item.kind == FIGURES:
        files = {ending.upper(): str(Path(item.path).with_suffix(f".{ending}")) for ending in FIGURE_FORMATS}
    return {
        "study": item.study,
        "title": Caption.read(caption).title,
        "of": of,
        "files": {name: _link(path) for name, path in files.items()},
    }


def _evidence_links(evidence: str, pages_of: dict[str, str]) -> list[tuple[str, list[str]]]:
    """Map the tables behind a statement, whose names may contain `*`, to the pages of those that exist."""
    return [
        (name, [page for path, page in sorted(pages_of.items()) if fnmatch(path, name)]) for name in evidence.split()
    ]


def _read_figure(path: Path) -> dict[str, Any]:
    """Read a figure as an element of a page, with its title, its method, and the tooltips of its marks."""
    text = path.read_text("utf-8")
    root = ElementTree.fromstring(text)
    # The first title belongs to the whole figure.
    tooltips = [title.text or "" for title in root.iterfind(f".//{SVG}g//{SVG}title")]
    return {
        # Drop the XML declaration of the file.
        "svg": text[text.index("<svg") :],
        "title": root.get("aria-label", ""),
        "method": root.findtext(f"{SVG}desc", ""),
        "values": list(dict.fromkeys(tooltips)),
    }


def _link(path: str) -> str:
    """Build the address of a file of the results, relative to the front page."""
    return "../" + path.removeprefix("results/")
