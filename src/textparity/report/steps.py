"""The jobs of the report; what each of them does is in the modules that it calls."""

from pathlib import Path

from textparity.report.catalogue import Item
from textparity.report.claims import write_claims
from textparity.report.front_page import write_front_page
from textparity.report.ledger import join_ledgers
from textparity.report.ledger_summary import summarise_ledger
from textparity.report.macros import write_numbers
from textparity.report.summary import write_summary
from textparity.report.table_page import write_table_pages


def sum_up_ledgers(parts: list[Path], ledger: Path, counts: Path, summary: Path, reasons: Path) -> None:
    """Write the ledgers of all studies as one, how many rows each verdict has, and the reasons of those not exact."""
    join_ledgers(parts, ledger, counts)
    summarise_ledger(ledger, summary, reasons)


def quote_results(
    tables: list[Path],
    ledger: Path,
    summary: Path,
    claims: list[Path],
    quoted_tables: Path,
    filled: Path,
    claim_numbers: Path,
    numbers: Path,
    studies: list[str],
    known_tables: list[str],
) -> None:
    """Fill in the claims, and write every number that may be quoted as a macro of LaTeX."""
    write_claims(tables, ledger, claims, filled, claim_numbers, studies, known_tables)
    write_numbers(ledger, summary, claim_numbers, quoted_tables, tables, numbers)


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
