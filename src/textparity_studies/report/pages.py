"""Render self-contained web pages: one file, one style, light and dark, no network, and every text escaped.

The front page of a run shows which numbers were reproduced, what the corrections change, and the studies' findings.
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
from textparity.pages import page_environment
from textparity_studies.report.catalogue import FIGURE_FORMATS, FIGURES, SUMMARY, Item, read_caption
from textparity_studies.report.claims import MEASUREMENT, table_rows
from textparity_studies.report.ledger import NOT_RUN, NOT_RUN_KINDS, VERDICTS, column_name, count_verdicts
from textparity_studies.report.numbers import read_rows
from textparity_studies.report.scorecard import count_by_table, list_reasons
from textparity_studies.report.summary import write_summary

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
    title, text = read_caption(caption)
    return (
        page_environment("textparity_studies.report")
        .get_template("pages.table.html.j2")
        .render(
            title=title,
            caption=text,
            detail=detail,
            file_name=table.name,
            columns=[(name, column_kind(cells)) for name, cells in zip(header, columns, strict=True)],
            rows=[[(cell, show_cell(cell)) for cell in row] for row in rows],
            search=f'verdict!="{NOT_RUN}"' if NOT_RUN in verdicts and len(verdicts) > 1 else "",
            script=files("textparity_studies.report").joinpath("templates/pages.table.js").read_text("utf-8"),
        )
    )


def column_kind(cells: tuple[str, ...]) -> str:
    """Return `n` for a column of numbers (at least one), `long` for one of long texts, else an empty string."""
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
    numbers: Path,
    gaps: list[Path],
    pictures: list[Path],
    shown: list[dict[str, str]],
    run: dict[str, Any],
    study_pages: list[str],
    studies: list[str],
    study_names: dict[str, str],
    latex: list[str],
    latex_missing: str,
    pages: list[Path],
    front_page: Path,
    summary_tex: Path | None = None,
    summary_pdf: Path | None = None,
) -> None:
    """Write a page for each table, the front page and, if LaTeX is installed, the summary of the run.

    `shown` are the tables and figures (`Item`), in the order of their `captions`. `run` has its `title`, the names of
    the `languages` to which it is limited, and the name of the `lexicon` behind its `noun_tables`. `study_pages` are
    the studies' own pages. `pictures` are the figures (SVG) on the front page, at most one per study. `gaps`, one per
    study, lists the omitted work; `latex_missing` explains why there is no summary as PDF.
    """
    items = [Item(**item) for item in shown]
    # Tables come before figures.
    for item, table, page, caption in zip(items, tables, pages, captions, strict=False):
        lexicon = f", person nouns of {run['lexicon']}" * (item.path in run["noun_tables"])
        write_text(page, render_table_page(table, caption, item.detail + lexicon))
    pages_of = {item.path.removeprefix("results/"): _link(item.page) for item in items}
    said = [
        row | {"evidence_links": _evidence_links(row["evidence"], pages_of), "table_rows": table_rows(row["table"])}
        for row in read_rows(claims)
    ]
    scored = read_rows(scorecard)
    template = page_environment("textparity_studies.report").get_template("pages.front.html.j2")
    text = template.render(
        verdicts=[(verdict, column_name(verdict)) for verdict in VERDICTS],
        run=run,
        not_run_kinds=[(kind, f"not_run_{column_name(kind)}") for kind in NOT_RUN_KINDS],
        totals=_with_total(read_rows(summary)),
        scores=count_by_table(scored),
        reasons=list_reasons(scored),
        claims=_by_study([row for row in said if row["kind"] != MEASUREMENT]),
        measurements=_by_study([row for row in said if row["kind"] == MEASUREMENT]),
        gaps={study: read_rows(path) for study, path in zip(studies, gaps, strict=True)},
        studies=studies,
        study_names={SUMMARY: "Summary"} | study_names,
        pictures={item.study: _read_figure(Path(item.path)) for item in items if Path(item.path) in pictures},
        listed=_by_study([_listed(item, caption) for item, caption in zip(items, captions, strict=True)]),
        pages={Path(path).stem: _link(path) for path in study_pages},
        latex_missing=latex_missing,
    )
    write_text(front_page, text)
    if summary_tex and summary_pdf:
        write_summary(summary, claims, numbers, latex, study_names, summary_tex, summary_pdf)


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


def _listed(item: Item, caption: Path) -> dict[str, Any]:
    of = ", ".join(filter(None, [item.of.replace("_", " "), item.procedure]))
    files = {"table": item.page, "CSV": item.path}
    if item.kind == FIGURES:
        files = {ending.upper(): str(Path(item.path).with_suffix(f".{ending}")) for ending in FIGURE_FORMATS}
    return {
        "study": item.study,
        "kind": item.kind,
        "title": read_caption(caption)[0],
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
    told = [title.text or "" for title in root.iterfind(f".//{SVG}g//{SVG}title")]
    return {
        # Drop the XML declaration of the file.
        "svg": text[text.index("<svg") :],
        "title": root.get("aria-label", ""),
        "method": root.findtext(f"{SVG}desc", ""),
        "values": list(dict.fromkeys(told)),
    }


def _link(path: str) -> str:
    """Return the address of a file of the results, relative to the front page."""
    return "../" + path.removeprefix("results/")
