"""What the report shows: the final tables and figures of the studies of a run, and where each has its page."""

from dataclasses import asdict
from typing import Any

from textparity.report.catalogue import captioned_tables, list_figures, list_tables
from textparity.report.latex import LATEX_MISSING, find_latex
from textparity.workflow.study import Context


class ReportPlan:
    """The plan of the report; its rules take their inputs and params from it.

    `final_files` are what the studies of the run end in, `titles` the name of each study in the report,
    `captions` those of files that are not called as their caption.
    """

    def __init__(
        self, context: Context, final_files: list[str], titles: dict[str, str], captions: dict[str, str]
    ) -> None:
        self.studies = context.config.studies
        self.titles = titles
        corpora = context.registry.corpora
        self.tables = list_tables(
            ["results/ledger.csv", "results/ledger_counts.csv", *final_files], titles, corpora, captions
        )
        self.figures = list_figures(final_files, titles, corpora, captions)
        # Of these, claims and macros are made.
        self.quoted_tables = [item.path for item in self.tables if item.study in self.studies]
        self.study_pages = [path for path in final_files if path.endswith(".html")]
        self.captions = [context.resource(item.caption) for item in self.tables + self.figures]
        self.claims = [context.resource(f"resources/{study}/claims.tsv") for study in titles]
        self.known_tables = captioned_tables(str(context.registry.base / "resources"))
        self.latex = find_latex()
        self.summary = {f"summary_{kind}": f"results/summary.{kind}" for kind in ("tex", "pdf")} if self.latex else {}

    @property
    def params(self) -> dict[str, Any]:
        """The params of the job that writes the pages."""
        return {
            "shown": [asdict(item) for item in self.tables + self.figures],
            "study_pages": self.study_pages,
            "studies": self.studies,
            "study_names": self.titles,
            "latex": self.latex,
            "latex_missing": "" if self.latex else LATEX_MISSING,
        }
