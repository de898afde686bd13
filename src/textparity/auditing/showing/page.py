"""Render a result as a web page with charts.

Pages use no fonts or network, no scripts but one for long tables, and all text in them is escaped.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from textparity import __version__
from textparity.auditing.showing.charts import draw_bars, draw_charts, show_mark
from textparity.auditing.showing.citation import methods_paragraph, references
from textparity.auditing.showing.columns import show_with_error, shown_verdict
from textparity.auditing.showing.numbers import begin_sentence, show_estimate, show_interval, show_number
from textparity.auditing.showing.sentences import (
    SPLIT_OF,
    counted_in,
    depends_on_method,
    describe_columns,
    groups_of,
    headlines,
    intervals_of,
    level_of,
    notes_on,
)
from textparity.auditing.signature import signature_of
from textparity.counting import CLASSES, GENDERS, SPLIT
from textparity.files import number_of
from textparity.tables import page_environment

if TYPE_CHECKING:
    from jinja2 import Environment

    from textparity.auditing.results import AuditData

_PACKAGE = "textparity.auditing.showing"
_SCRIPT = Path(__file__).parent / "templates" / "page.tables.js"
# Longer tables of a page can be searched and sorted, by the only script that a page may have.
_MOST_ROWS = 30
_FILTERS = (
    begin_sentence, counted_in, depends_on_method, describe_columns, draw_bars, draw_charts, groups_of, headlines,
    intervals_of, level_of, methods_paragraph, notes_on, number_of, references, show_estimate, show_interval,
    show_mark, show_number, show_with_error, shown_verdict, signature_of,
)  # fmt: skip


def render_page(result: "AuditData") -> str:
    """Render a page that needs no other file."""
    return _render(result, "page.whole.html.j2")


def render_notebook(result: "AuditData") -> str:
    """Render the part of the page that a notebook shows, with its style."""
    return _render(result, "page.part.html.j2")


def _render(result: "AuditData", template: str) -> str:
    longest = max(len(result.languages), len(result.groups))
    return audit_pages().get_template(template).render(result=result, script=page_script(longest))


def page_script(rows: int) -> str:
    """Read the script of a page whose longest table has so many rows. Empty if it is short: then there is none."""
    return _SCRIPT.read_text("utf-8") if rows > _MOST_ROWS else ""


def audit_pages(*packages: str) -> "Environment":
    """Make the environment for the templates of `packages` and those of an audit, with the audit's filters."""
    environment = page_environment(*packages, _PACKAGE)
    environment.globals |= {"classes": CLASSES, "genders": GENDERS, "split": SPLIT, "split_of": SPLIT_OF}
    environment.globals["version"] = __version__
    environment.filters |= {function.__name__: function for function in _FILTERS}
    return environment
