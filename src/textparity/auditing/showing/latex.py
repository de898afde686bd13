"""Render a result as a LaTeX table."""

from typing import TYPE_CHECKING

from textparity.auditing.showing.columns import NameColumns, ValueCell, mark_verdict, value_cells, value_heads
from textparity.auditing.showing.numbers import begin_sentence
from textparity.auditing.showing.sentences import (
    counted_by,
    counted_in,
    depends_on_method,
    describe_columns,
    groups_of,
)
from textparity.auditing.signature import signature_of
from textparity.tables import latex_table

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData

_HEADS = {"women %": "women (%)", "matched": "matched (%)"}


def render_latex(result: "AuditData") -> str:
    """Render a LaTeX table with intervals: one row per corpus and language, then one per group."""
    names = NameColumns(result.has_corpora, bool(result.groups), bool(result.of_methods))
    rows: list[list[str]] = []
    for item in result.rows:
        cells = [ValueCell(name) for name in names.cells(item)] + value_cells(item)
        verdict = mark_verdict(item, item.verdict or item.grade.name or "–")
        # Intervals go below the numbers because beside them they would not fit on a page.
        rows.append([*(cell.value for cell in cells), verdict])
        rows.append([*(cell.interval for cell in cells), ""])
    heads = names.heads + (value_heads(result.rows[0]) if result.rows else [])
    return latex_table(
        [begin_sentence(_HEADS.get(head, head)) for head in heads],
        rows,
        "l" * len(names.heads) + "l" + "r" * (len(heads) - len(names.heads) - 2) + "l",
        caption=_caption(result),
        label="tab:audit",
    )


def _caption(result: "AuditData") -> str:
    columns = " ".join(describe_columns(result, " (below)"))
    groups = f"By {result.settings.reading.group_by}: {groups_of(result)} " if result.groups else ""
    title = f"{counted_in(result)} ({counted_by(result)})."
    return f"{title} {columns} {groups}{depends_on_method(result)} {signature_of(result)}"
