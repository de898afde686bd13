"""Render a result as a LaTeX table."""

from typing import TYPE_CHECKING

from textparity.auditing.showing.columns import NameColumns, ValueCell, mark_verdict, value_cells, value_heads
from textparity.auditing.showing.numbers import begin_sentence
from textparity.auditing.showing.sentences import (
    SPLIT_OF,
    counted_by,
    counted_in,
    depends_on_method,
    describe_columns,
    groups_of,
)
from textparity.auditing.signature import signature_of
from textparity.counting import SPLIT, UNSPECIFIED
from textparity.tables import latex_table

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData, LanguageAudit

_HEADS = {"women %": "women (%)", "matched": "matched (%)"}
_SPLIT = f"Unspecified (below: {', '.join(SPLIT)}). {SPLIT_OF}"


def render_latex(result: "AuditData") -> str:
    """Render a LaTeX table with intervals: one row per corpus and language, then one per group."""
    names = NameColumns(result.has_corpora, bool(result.groups), bool(result.of_methods))
    rows: list[list[str]] = []
    for item in result.rows:
        cells = [ValueCell(name) for name in names.cells(item)]
        cells += [*value_cells(item), _split_cell(item)]
        verdict = mark_verdict(item, item.verdict or item.grade.name or "–")
        # Intervals go below the numbers because beside them they would not fit on a page.
        rows.append([*(cell.value for cell in cells), verdict])
        rows.append([*(cell.interval for cell in cells), ""])
    *heads, verdict_head = names.heads + value_heads(result.unit, result.is_checked)
    heads += [UNSPECIFIED, verdict_head]
    texts = len(names.heads) + 1
    return latex_table(
        [begin_sentence(_HEADS.get(head, head)) for head in heads],
        rows,
        "l" * texts + "r" * (len(heads) - texts - 1) + "l",
        caption=_caption(result),
        label="tab:audit",
    )


def _split_cell(item: "LanguageAudit") -> ValueCell:
    """Make the cell of the unspecified matches, with their parts below."""
    split = item.statistics.split
    parts = "/".join(f"{split[name]:,}" for name in SPLIT)
    return ValueCell(f"{item.matches[UNSPECIFIED]:,}", parts)


def _caption(result: "AuditData") -> str:
    sentences = [f"{counted_in(result)} ({counted_by(result)})."]
    sentences += describe_columns(result, " (below)")
    sentences.append(_SPLIT)
    if result.groups:
        sentences.append(f"By {result.settings.reading.group_by}: {groups_of(result)}")
    sentences.append(depends_on_method(result))
    sentences.append(signature_of(result))
    return " ".join(filter(None, sentences))
