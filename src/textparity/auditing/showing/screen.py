"""Render a result as the readable table of the command, with what the user asks to see of each language."""

from collections.abc import Collection, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from textparity.auditing.inputs import TEXT
from textparity.auditing.settings import check_people_counted
from textparity.auditing.showing.columns import (
    SPLIT_HEADS,
    NameColumns,
    ValueCell,
    align_columns,
    shown_verdict,
    split_cells,
    value_cells,
    value_heads,
)
from textparity.auditing.showing.numbers import shorten_name, show_estimate
from textparity.auditing.showing.sentences import (
    SPLIT_OF,
    counted_by,
    depends_on_method,
    describe_columns,
    describe_split,
    groups_of,
    headlines,
    notes_on,
)
from textparity.auditing.signature import signatures_of
from textparity.counting import CLASSES, SPLIT, UNSPECIFIED
from textparity.files import number_of, printable
from textparity.reading.options import LINE, TEXT_UNITS

if TYPE_CHECKING:
    from textparity.auditing.results import AuditData, LanguageAudit, WordCount

# The columns of a screen, unless a terminal has others.
SCREEN = 100
BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
# The columns that are aligned right.
_RIGHT = {*(f"{unit}s" for unit in (TEXT, *TEXT_UNITS)), "words", "F", "M", "matched", UNSPECIFIED, *SPLIT}


def render_text(result: "AuditData", colour: bool = False, width: int = SCREEN, show: Collection[str] = ()) -> str:
    """Render the headline, the table and the warnings, and what `show` names of `settings.SHOWN`.

    Matches are bold with `colour`, else in brackets. If the table is wider than `width`, its intervals go below the
    numbers.
    """
    if "people" in show:
        check_people_counted(result.settings)
    blocks = [_headlines(result, width), [_counted(result)]]
    if result.languages:
        blocks.append(_language_table(result, width, show))
    if result.groups:
        blocks.append(_group_table(result, width))
    blocks.append(_warnings(result, width))
    if show:
        blocks += [_details(item, colour, result.has_corpora, show) for item in result.languages]
    blocks.append([depends_on_method(result)])
    blocks.append(_left_out(result))
    blocks.append(list(map(printable, signatures_of(result))))
    texts = ["\n".join(lines) for lines in blocks]
    return "\n\n".join(filter(None, texts)) + "\n"


def _headlines(result: "AuditData", width: int) -> list[str]:
    lines = []
    for sentence in headlines(result):
        lines += wrap(f"{printable(sentence)}.", width)
    return lines


def _counted(result: "AuditData") -> str:
    """Describe how much was counted, and how."""
    numbers = [number_of(result.texts, result.unit), f"{result.words:,} words"]
    if result.files:
        numbers.insert(0, number_of(result.files, "file"))
    return f"{', '.join(numbers)}; {counted_by(result)}"


def _language_table(result: "AuditData", width: int, show: Collection[str]) -> list[str]:
    lines = _table(result.languages, result.has_corpora, width)
    if "notes" in show:
        advice = " (--documents, --text-unit)" if result.unit == LINE else ""
        for note in describe_columns(result, after=advice):
            lines += wrap(note, width)
    lines += _split_unspecified(result.languages, result.has_corpora)
    if "notes" in show:
        lines += wrap(SPLIT_OF, width)
    return lines


def _group_table(result: "AuditData", width: int) -> list[str]:
    heading = f"By {shorten_name(result.settings.reading.group_by)}"
    table = _table(result.groups, result.has_corpora, width)
    split = _split_unspecified(result.groups, result.has_corpora)
    return [heading, *table, *wrap(groups_of(result), width), *split]


def _warnings(result: "AuditData", width: int) -> list[str]:
    warnings = list(result.warnings)
    needs_title = result.has_corpora or len(result.languages) > 1
    for item in result.languages:
        title = f"{_title(item, result.has_corpora)}: " if needs_title else ""
        warnings += [f"{title}{warning}" for warning in item.warnings]
    lines = []
    for warning in warnings:
        lines += wrap(f"Careful: {printable(warning)}", width)
    return lines


def _table(items: Sequence["LanguageAudit"], has_corpora: bool, width: int) -> list[str]:
    """Render the lines of a table, with a column of corpora if there are several."""
    names = _name_columns(items, has_corpora)
    heads = names.heads + value_heads(items[0].unit, items[0].is_checked)
    wide = []
    narrow = []
    reasons = []
    for item in items:
        verdict = shown_verdict(item)
        # The reason of a verdict goes below a narrow table.
        short_verdict, _, reason = verdict.partition(":")
        cells = [ValueCell(shorten_name(name)) for name in names.cells(item)]
        cells += value_cells(item, " %")
        wide.append([*map(_on_one_line, cells), verdict])
        narrow.append([*(cell.value for cell in cells), short_verdict])
        intervals = [cell.interval for cell in cells]
        if any(intervals):
            narrow.append([*intervals, ""])
        if reason and not names.group:
            reasons += wrap(f"{_title(item, has_corpora)}: {verdict}", width)
    lines = _align(heads, wide)
    if max(map(len, lines)) <= width:
        return lines
    return _align(heads, narrow) + reasons


def _split_unspecified(items: Sequence["LanguageAudit"], has_corpora: bool) -> list[str]:
    """Split the unspecified matches of each row, below the table: in a line for a single row, else in a table."""
    if len(items) == 1:
        return [f"Unspecified: {describe_split(items[0])}"]
    names = _name_columns(items, has_corpora)
    rows = []
    for item in items:
        own_names = map(shorten_name, names.cells(item))
        rows.append([*own_names, *split_cells(item)])
    return ["", *_align([*names.heads, *SPLIT_HEADS], rows)]


def _name_columns(items: Sequence["LanguageAudit"], has_corpora: bool) -> NameColumns:
    has_groups = any(item.group for item in items)
    has_methods = any(item.shown_method for item in items)
    return NameColumns(has_corpora, has_groups, has_methods)


def _on_one_line(cell: ValueCell) -> str:
    return f"{cell.value} ({cell.interval})" if cell.interval else cell.value


def _align(heads: list[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Align the columns, with a rule below their heads."""
    rule = []
    for column in zip(heads, *rows, strict=True):
        rule.append("─" * max(map(len, column)))
    return align_columns([heads, rule, *rows], _RIGHT)


def _title(item: "LanguageAudit", has_corpora: bool) -> str:
    names = [f"{item.name} ({item.lang})"]
    if has_corpora:
        names.append(shorten_name(item.corpus))
    if item.shown_method:
        names.append(item.shown_method)
    return ", ".join(names)


def _details(item: "LanguageAudit", colour: bool, has_corpora: bool, show: Collection[str]) -> list[str]:
    """List what the user asks to see of a language."""
    lines = [_title(item, has_corpora)]
    if "notes" in show:
        lines += _notes(item)
    if "words" in show:
        lines += [_words_of(item, name) for name in CLASSES]
    if "people" in show:
        lines += _people_of(item)
    if "examples" in show:
        for name in CLASSES:
            lines += _examples_of(item, name, colour)
    return lines


def _notes(item: "LanguageAudit") -> list[str]:
    notes = notes_on(item)
    if item.detected:
        detected = number_of(item.detected, item.unit)
        notes.insert(0, f"language detected in {detected}, mean probability {item.mean_certainty:.2f}")
    return [f"  {note}" for note in notes]


def _words_of(item: "LanguageAudit", name: str) -> str:
    """Write the matches of a class, their rate and the most frequent words in a line."""
    words = [f"{word.word} {word.count:,}{_learned_from(word)}" for word in item.frequent_words[name]]
    more = item.different_words[name] - len(words)
    if more:
        noun = "more word" if words else "word"
        words.append(f"… {number_of(more, noun)}")
    line = f"  {name:<12} {item.matches[name]:,}"
    if item.matches[name]:
        rate = show_estimate(item.rate(name), 3)
        line += f" ({rate} % of words)"
    if words:
        line += f": {', '.join(words)}"
    return line


def _learned_from(word: "WordCount") -> str:
    """Name the source of a word that the texts show to be a name."""
    return f" (learned from “{word.learned_from}”)" if word.learned else ""


def _people_of(item: "LanguageAudit") -> list[str]:
    """List the people who are mentioned most by name, below the heads of the columns."""
    if not item.people:
        return []
    rows = [["people named", "gender", "evidence", "documents", "mentions"]]
    for person in item.people:
        name = shorten_name(person.name)
        rows.append([name, person.gender, person.evidence, f"{person.documents:,}", f"{person.mentions:,}"])
    aligned = align_columns(rows, {"documents", "mentions"})
    return [f"  {line}" for line in aligned]


def _examples_of(item: "LanguageAudit", name: str, colour: bool) -> list[str]:
    if not item.examples[name]:
        return []
    lines = [f"  {name} in context"]
    for example in item.examples[name]:
        marked = example.marked(BOLD, PLAIN) if colour else example.marked()
        lines.append(f"    {shorten_name(example.file)}:{example.place}  {marked}")
    return lines


def _left_out(result: "AuditData") -> list[str]:
    lines = []
    for left_out in result.left_out_rows:
        if left_out.what == "texts":
            lines.append(f"  {number_of(left_out.number, result.unit)}: {left_out.reason}")
        elif left_out.what == "file":
            lines.append(f"  file {printable(left_out.reason)}")
        else:
            lines.append(f"  {printable(left_out.reason)}: {left_out.number:,}")
    return ["Left out", *lines] if lines else []
