"""The front page of a run: what came out alike, what the corrections change, what the studies find."""

from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from textparity.files import write_text
from textparity.report.catalogue import FIGURES, SUMMARY, Item, read_caption
from textparity.report.claims import MEASUREMENT
from textparity.report.ledger import NOT_RUN_KINDS, VERDICTS, column_name, count_verdicts
from textparity.report.pages import page_environment
from textparity.report.results import read_rows
from textparity.report.summary import write_summary
from textparity.report.table_page import write_table_pages

_TEMPLATE = "front_page.html.j2"


def render_report(
    tables: list[Path],
    captions: list[Path],
    summary: Path,
    reasons: Path,
    claims: Path,
    numbers: Path,
    gaps: list[Path],
    shown: list[dict[str, str]],
    study_pages: list[str],
    studies: list[str],
    study_names: dict[str, str],
    latex: str,
    latex_missing: str,
    pages: list[Path],
    front_page: Path,
    summary_tex: Path | None = None,
    summary_pdf: Path | None = None,
) -> None:
    """Write a page for each table, the front page, and, where there is a LaTeX, the summary of the run."""
    details = [Item(**item).detail for item in shown[: len(tables)]]
    write_table_pages(tables, captions[: len(tables)], details, pages)
    write_front_page(
        summary, reasons, claims, gaps, captions, shown, study_pages, studies, study_names, latex_missing, front_page
    )
    if summary_tex and summary_pdf:
        write_summary(summary, claims, numbers, latex, study_names, summary_tex, summary_pdf)


def write_front_page(
    summary: Path,
    reasons: Path,
    claims: Path,
    gaps: list[Path],
    captions: list[Path],
    shown: list[dict[str, str]],
    pages: list[str],
    studies: list[str],
    study_names: dict[str, str],
    latex_missing: str,
    page: Path,
) -> None:
    """Write the front page from the summarised ledger, the claims and what was left out (`gaps`, one per study).

    `shown` are the tables and figures with their `captions`, in the same order; `pages` the studies' own pages.
    `latex_missing` says why there is no summary as PDF, or is empty.
    """
    pages_of = {item["path"].removeprefix("results/"): _link(Item(**item).page) for item in shown}
    said = [row | {"evidence_links": _evidence_links(row["evidence"], pages_of)} for row in read_rows(claims)]
    text = (
        page_environment("textparity.report")
        .get_template(_TEMPLATE)
        .render(
            verdicts=[(verdict, column_name(verdict)) for verdict in VERDICTS],
            not_run_kinds=[(kind, f"not_run_{column_name(kind)}") for kind in NOT_RUN_KINDS],
            totals=_with_total(read_rows(summary)),
            reasons=_by_study(read_rows(reasons)),
            claims=_by_study([row for row in said if row["kind"] != MEASUREMENT]),
            measurements=_by_study([row for row in said if row["kind"] == MEASUREMENT]),
            gaps={study: read_rows(path) for study, path in zip(studies, gaps, strict=True)},
            studies=studies,
            study_names={SUMMARY: "Summary"} | study_names,
            listed=_by_study([_listed(item, caption) for item, caption in zip(shown, captions, strict=True)]),
            pages={Path(path).stem: _link(path) for path in pages},
            latex_missing=latex_missing,
        )
    )
    write_text(page, text)


def _with_total(rows: list[dict[str, str]]) -> list[dict[str, int | str]]:
    """Return the rows of the summarised ledger as numbers, and their sum as the last; a median has no sum."""
    keys = count_verdicts([])
    total = {key: sum(int(row[key]) for row in rows) for key in keys}
    counted = [dict(row) | {key: int(row[key]) for key in keys} for row in rows]
    return [*counted, {"study": "", "median_distance_percent": ""} | total]


def _by_study(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["study"], []).append(row)
    return found


def _listed(described: dict[str, str], caption: Path) -> dict[str, Any]:
    item = Item(**described)
    of = ", ".join(filter(None, [item.of.replace("_", " "), item.procedure]))
    files = {"table": item.page, "CSV": item.path}
    if item.kind == FIGURES:
        files = {"SVG": item.path, "PDF": str(Path(item.path).with_suffix(".pdf"))}
    return {
        "study": item.study,
        "kind": item.kind,
        "title": read_caption(caption)[0],
        "of": of,
        "files": {name: _link(path) for name, path in files.items()},
    }


def _evidence_links(evidence: str, pages_of: dict[str, str]) -> list[tuple[str, list[str]]]:
    """Return the names of the tables that a statement rests on, which may have `*`, and the pages of those made."""
    return [
        (name, [page for path, page in sorted(pages_of.items()) if fnmatch(path, name)]) for name in evidence.split()
    ]


def _link(path: str) -> str:
    """Return where a file of the results lies, seen from the front page."""
    return "../" + path.removeprefix("results/")
