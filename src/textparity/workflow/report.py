"""What the report shows: the final tables and figures of the studies of a run, and where each has its page."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from textparity.report.catalogue import Item, captioned_tables, list_figures, list_tables
from textparity.report.latex import LATEX_MISSING, find_latex
from textparity.workflow.study import Context, StudyPlan


class ReportPlan:
    """The plan of the report; its rules take their inputs and params from it.

    `plans` and `titles` (the names in the report) are those of all studies.
    """

    def __init__(self, context: Context, plans: Mapping[str, StudyPlan], titles: dict[str, str]) -> None:
        self.studies = context.config.studies
        self.titles = titles
        # What the studies of the run end in.
        self.final_files = [path for study in self.studies for path in plans[study].targets]
        self._corpora = context.registry.corpora
        self._captions = {path: name for plan in plans.values() for path, name in plan.captions.items()}
        of_all = ["results/ledger.csv", "results/ledger_counts.csv"]
        self.tables = list_tables([*of_all, *self.final_files], self.titles, self._corpora, self._captions)
        self.figures = list_figures(self.final_files, self.titles, self._corpora, self._captions)
        # Of these, claims and macros are made.
        self.quoted_tables = [item.path for item in self.tables if item.study in self.studies]
        self.study_pages = [path for path in self.final_files if path.endswith(".html")]
        self.captions = [context.resource(item.caption) for item in self.tables + self.figures]
        self.claims = [context.resource(f"resources/{study}/claims.tsv") for study in plans]
        self.known_tables = captioned_tables(str(context.registry.base / "resources"))
        self.latex = find_latex()
        self.summary = {f"summary_{kind}": f"results/summary.{kind}" for kind in ("tex", "pdf")} if self.latex else {}

    def figure(self, path: str) -> Item:
        """Return where the figure `path`, which may have wildcards, belongs."""
        (item,) = list_figures([path], self.titles, self._corpora, self._captions)
        return item

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
