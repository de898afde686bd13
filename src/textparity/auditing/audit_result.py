"""The result that `textparity.audit` returns: its data, with methods that show it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textparity.auditing.records import DataTable
from textparity.auditing.results import AuditData
from textparity.auditing.showing import page, screen, tables
from textparity.auditing.showing.latex import render_latex
from textparity.auditing.signature import signature_of, signatures_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class AuditResult(AuditData):
    """The result of an audit, with all of its outputs that need no file. Each method calls the function that makes it.

    `str` makes the readable table, and a notebook shows the page.
    """

    @property
    def signatures(self) -> tuple[str, ...]:
        """One line per method that describes how it counted; see `textparity.auditing.signature`."""
        return signatures_of(self)

    @property
    def signature(self) -> str:
        """The signatures of all methods in one line."""
        return signature_of(self)

    def table(self) -> DataTable:
        """Make a table with one row per corpus and language, then (if texts were grouped) one per group."""
        return tables.result_table(self)

    def to_frame(self) -> "pd.DataFrame":
        """Make a pandas frame with one row per corpus and language and the columns of the workflow's summaries."""
        return tables.result_table(self).to_frame()

    def words_frame(self) -> "pd.DataFrame":
        """Make a pandas frame of the most frequent words."""
        return tables.words_table(self).to_frame()

    def people_frame(self) -> "pd.DataFrame":
        """Make a pandas frame of the people who are mentioned most by name."""
        return tables.people_table(self).to_frame()

    def examples_frame(self) -> "pd.DataFrame":
        """Make a pandas frame of the examples."""
        return tables.examples_table(self).to_frame()

    def left_out_frame(self) -> "pd.DataFrame":
        """Make a pandas frame of what was left out."""
        return tables.left_out_table(self).to_frame()

    def to_text(self, colour: bool = False, width: int = screen.SCREEN, show: Collection[str] = ()) -> str:
        """Render the readable table; see `textparity.auditing.showing.screen.render_text`."""
        return screen.render_text(self, colour, width, show)

    def to_csv(self) -> str:
        """Render the table as CSV."""
        return tables.render_csv(self)

    def to_latex(self) -> str:
        """Render a booktabs table."""
        return render_latex(self)

    def to_html(self) -> str:
        """Render a page that needs no other file. All texts in it are escaped."""
        return page.render_page(self)

    def _repr_html_(self) -> str:
        return page.render_notebook(self)

    def __str__(self) -> str:
        return self.to_text()
