"""The columns of the tables that readers see: their heads, and the cells of a row."""

from collections.abc import Collection, Sequence
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from textparity.auditing.reliability import KIN_NOUNS_ONLY
from textparity.auditing.showing.numbers import show_interval, show_number
from textparity.auditing.showing.sentences import DEPENDS
from textparity.counting import GENDERS, SPLIT, UNSPECIFIED

if TYPE_CHECKING:
    from textparity.auditing.results import LanguageAudit


class NameColumns(NamedTuple):
    """The columns that name the rows of a table beside their language: whether it needs each of them."""

    corpus: bool
    group: bool
    method: bool = False

    @property
    def heads(self) -> list[str]:
        """The heads of the columns."""
        return list(compress(("corpus", "group", "method"), self))

    def cells(self, item: "LanguageAudit") -> list[str]:
        """List the names of a row."""
        return list(compress((item.corpus, item.group_name, item.shown_method), self))


class ValueCell(NamedTuple):
    """A value with its interval, which may be empty."""

    value: str
    interval: str = ""


def value_heads(unit: str, is_checked: bool) -> list[str]:
    """List the heads of all columns but those that name rows. `is_checked`: there is a corrected share."""
    corrected = ["corrected"] if is_checked else []
    return ["lang", f"{unit}s", "words", "F", "M", "women %", "with error", *corrected, "M : F", "matched", "verdict"]


def value_cells(item: "LanguageAudit", unit: str = "") -> list[ValueCell]:
    """List the cells of a row below `value_heads`, without the verdict. `unit` follows the percentage of matches."""
    share = item.stated(item.women_share)
    ratio = item.stated(item.masculine_per_feminine)
    numbers = (item.texts, item.words, *(item.matches[name] for name in GENDERS))
    return [
        ValueCell(item.lang),
        *(ValueCell(f"{number:,}") for number in numbers),
        ValueCell(show_number(share.value, 1), show_interval(share, 1)),
        ValueCell(show_with_error(item)),
        *_corrected_cells(item),
        ValueCell(show_number(ratio.value, 2), show_interval(ratio, 2)),
        ValueCell(show_number(item.coverage_percent, 1, unit)),
    ]


def _corrected_cells(item: "LanguageAudit") -> list[ValueCell]:
    """Make the cell of the corrected share, if the result was checked."""
    if not item.is_checked:
        return []
    share = item.statistics.corrected_share
    return [ValueCell(show_number(share.value, 1), show_interval(share, 1))]


SPLIT_HEADS = ("lang", UNSPECIFIED, *SPLIT)


def split_cells(item: "LanguageAudit") -> list[str]:
    """List the cells of a row below `SPLIT_HEADS`: the unspecified matches, and what they show of the persons."""
    numbers = (item.matches[UNSPECIFIED], *(item.statistics.split[name] for name in SPLIT))
    return [item.lang, *(f"{number:,}" for number in numbers)]


def show_with_error(item: "LanguageAudit") -> str:
    """Render the interval that includes the method's error, if there is a verdict."""
    if not item.has_verdict:
        return "–"
    if item.error is None:
        return "not known"
    return show_interval(item.women_share_with_error, 1) or "–"


def mark_verdict(item: "LanguageAudit", verdict: str) -> str:
    """Add the mark to a verdict that depends on the method."""
    return f"{verdict} {DEPENDS}" if item.depends_on_method else verdict


def shown_verdict(item: "LanguageAudit") -> str:
    """Render the verdict, or the grade that rules one out, with its explanation."""
    instead = item.grade.name if item.grade.name == KIN_NOUNS_ONLY else "–"
    marked = mark_verdict(item, item.verdict or instead)
    has_reason = item.verdict_reason and (item.verdict or item.depends_on_method)
    return f"{marked}: {item.verdict_reason}" if has_reason else marked


def align_columns(lines: Sequence[Sequence[str]], right: Collection[str] = ()) -> list[str]:
    """Pad the cells of a table's lines. Columns whose head, in the first line, is in `right` are aligned right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned = []
    for line in lines:
        cells = []
        for head, cell, width in zip(lines[0], line, widths, strict=True):
            cells.append(cell.rjust(width) if head in right else cell.ljust(width))
        aligned.append("  ".join(cells).rstrip())
    return aligned
