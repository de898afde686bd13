"""Render the result of an audit as text, LaTeX and a web page with charts, and write its files.

Pages use no fonts or network, no scripts but one for long tables, and all text in them is escaped.
"""

import io
import json
import math
import os
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from textparity import __version__
from textparity.auditing.differences import describe_differences
from textparity.auditing.formats import LINE, TEXT_UNITS, number_of
from textparity.auditing.groups import NO_DATE, NO_GROUP, OTHER_GROUPS
from textparity.auditing.inputs import STANDARD_INPUT, TEXT, InputFile
from textparity.auditing.reliability import (
    KIN_NOUNS_ONLY,
    describe_error,
    describe_nouns,
    describe_share,
    method_of,
)
from textparity.counting import CLASSES, GENDERS
from textparity.errors import ConfigError, InputError
from textparity.estimating.gaps import TOO_FEW
from textparity.files import check_target, printable, writable, write_text, write_texts
from textparity.persons.mentions import NOUNS, PERSONS, PUBLISHED
from textparity.tables import latex_table

if TYPE_CHECKING:
    from jinja2 import Environment

    from textparity.auditing.checks import Checks
    from textparity.auditing.records import DataTable
    from textparity.auditing.results import AuditResult, LanguageAudit, WordCount
    from textparity.estimating.estimates import Estimate


# Padding at both ends of a ratio axis, as a fraction of its length.
_PADDING = 0.05
# Ticks are the round numbers of the first of these sets that gives at least this many: first digits, then multiples.
_DIGITS, _MULTIPLES, _LEAST_TICKS = ((1,), (1, 2, 5), (1, 1.5, 2, 3, 5, 7)), (0.25, 0.1, 0.05, 0.02, 0.01), 3
# Labels fit side by side if they have no more than this many characters in total.
_LABELS = 64


@dataclass(frozen=True)
class RatioScale:
    """A logarithmic axis around 1 from `low` to `high` (natural logarithms). Positions are in percent of its length."""

    low: float
    high: float

    @classmethod
    def of(cls, ratios: Iterable[float], least: float) -> "RatioScale":
        """Make an axis that covers `ratios` and reaches at least `least` on both sides of 1."""
        logs = [math.log(ratio) for ratio in ratios if 0 < ratio < math.inf]
        low, high = min([*logs, -math.log(least)]), max([*logs, math.log(least)])
        room = _PADDING * (high - low)
        return cls(low - room, high + room)

    def place(self, ratio: float) -> float:
        """Compute the position of a ratio. Ratios outside the axis get its nearest end."""
        log = math.log(ratio) if ratio > 0 else -math.inf
        return round(100 * (min(max(log, self.low), self.high) - self.low) / (self.high - self.low), 2)

    @property
    def ticks(self) -> list[tuple[str, float]]:
        """The labels and positions of the ticks, which are round numbers."""
        powers = range(math.floor(self.low / math.log(10)), math.ceil(self.high / math.log(10)) + 1)
        sets = [[digit * 10.0**power for power in powers for digit in digits] for digits in _DIGITS]
        sets += [[step * number for number in range(1, int(math.exp(self.high) / step) + 1)] for step in _MULTIPLES]
        inside = ([ratio for ratio in ratios if self.low <= math.log(ratio) <= self.high] for ratios in sets)
        ticks = next((ratios for ratios in inside if len(ratios) >= _LEAST_TICKS), [1.0])
        return [(f"{ratio:g}", self.place(ratio)) for ratio in ticks]


class Mark(NamedTuple):
    """One group: its name, and its position `along` the axis in percent. Its share and interval are in its row."""

    row: "LanguageAudit"
    name: str
    along: float
    label: str


class GroupChart(NamedTuple):
    """Women's share by group, in one language: the dashed line is that of `whole`."""

    title: str
    whole: "Estimate"
    marks: list[Mark]


def draw_charts(result: "AuditResult") -> list[GroupChart]:
    """Draw women's share for each language that has groups, by two fields for each value of the first.

    For periods, texts without a date are left out.
    """
    time, by_two = result.groups_in_time, len(result.settings.group_fields) > 1
    named = [(row, row.second_group if by_two else row.group) for row in result.groups]
    named = [(row, name) for row, name in named if name and not (time and name in (NO_DATE, NO_GROUP, OTHER_GROUPS))]
    periods = [_months(name) for _, name in named] if time else []
    first, span = min(periods, default=0), max(periods, default=0) - min(periods, default=0) or 1
    every = math.ceil(len(set(periods)) * (len(named[0][1]) + 1) / _LABELS) if time and named else 1
    charts = []
    for language in result.languages:
        corpus = _short(language.corpus) if result.has_corpora else ""
        title = ", ".join(filter(None, (language.name, corpus, language.shown_method)))
        whole_key = (language.corpus, language.lang, language.shown_method)
        own = [(row, name) for row, name in named if (row.corpus, row.lang, row.shown_method) == whole_key]
        for value in dict.fromkeys(row.group if by_two else "" for row, _ in own):
            marks = []
            for number, (row, name) in enumerate(one for one in own if not by_two or one[0].group == value):
                along = round(100 * (_months(name) - first) / span, 2) if time else 0.0
                marks.append(Mark(row, name, along, name if number % every == 0 else ""))
            whole = language.stated(language.women_share)
            charts.append(GroupChart(", ".join(filter(None, [title, value])), whole, marks))
    return charts


def show_mark(mark: Mark) -> str:
    """Render the share that a mark shows with its interval or, without a verdict, the counts and the reason."""
    item = mark.row
    if item.has_verdict:
        return f"{show_estimate(item.women_share, 1)} %"
    reason = TOO_FEW if item.lacking else item.verdict or item.grade.name or "no verdict"
    return f"{item.row['feminine']:,} F, {item.row['masculine']:,} M, {reason}"


def _months(period: str) -> int:
    """Number a month, or the first month of a year, counting from year 0."""
    year, _, month = period.partition("-")
    return 12 * int(year) + int(month or 1)


BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
# The columns of a screen, unless a terminal has others.
SCREEN = 100
# The axis is a little longer than the largest rate, so that no interval touches the edge.
_ROOM = 1.05
STANDARD_OUTPUT = "-"
# Added to the description of the intervals if the texts are lines.
TAKEN_AS = " as if they were independent, which lines of one article are not"
SHARE_OF = "Women %: feminine in percent of feminine and masculine matches, with"
RATIO_OF = (
    "With error: the interval that also includes the method's error on annotated texts. M : F: masculine matches per "
    "feminine match, computed from the share."
)
_MOST_HEADLINES = 5
# The mark of a row on whose conclusion the methods do not agree.
DEPENDS = "*"
# Longer tables of a page can be searched and sorted, by the only script that a page may have.
_MOST_ROWS = 30
TABLES = ("audit", "words", "examples", "left_out")


def render_text(result: "AuditResult", colour: bool = False, width: int = SCREEN, show: Collection[str] = ()) -> str:
    """Render the headline, the table and the warnings, and what `show` names of `settings.SHOWN`.

    Matches are bold with `colour`, else in brackets. If the table is wider than `width`, its intervals go below the
    numbers.
    """
    files = f"{number_of(result.files, 'file')}, " if result.files else ""
    parts = [
        "\n".join(line for sentence in headlines(result) for line in wrap(f"{printable(sentence)}.", width)),
        f"{files}{number_of(result.texts, result.unit)}, {result.words:,} words; {_counted_by(result)}",
    ]
    several = result.has_corpora or len(result.languages) > 1
    if result.languages:
        after = " (--documents, --text-unit)" * (result.unit == LINE)
        notes = describe_columns(result, after=after) if "notes" in show else ()
        table = _rows(result.languages, result.has_corpora, width)
        parts.append("\n".join([*table, *(line for note in notes for line in wrap(note, width))]))
    if result.groups:
        heading, table = f"By {_short(result.settings.group_by)}", _rows(result.groups, result.has_corpora, width)
        parts.append("\n".join([heading, *table, *wrap(groups_of(result), width)]))
    warnings = [*result.warnings]
    for item in result.languages:
        title = f"{_title(item, result.has_corpora)}: " if several else ""
        warnings += [f"{title}{warning}" for warning in item.warnings]
    parts.append("\n".join(line for warning in warnings for line in wrap(f"Careful: {printable(warning)}", width)))
    if show:
        parts += [_language(item, colour, result.has_corpora, show) for item in result.languages]
    parts += [depends_on_method(result), _left_out(result), "\n".join(map(printable, result.signatures))]
    return "\n\n".join(part for part in parts if part) + "\n"


def headlines(result: "AuditResult") -> list[str]:
    """Write a sentence for each row of a short result, largest row first."""
    sentences = []
    for item in result.languages[:_MOST_HEADLINES]:
        names = [_short(item.corpus)] if result.has_corpora else []
        names += [item.name] * (len({item.lang for item in result.languages}) > 1)
        names += [f"By {item.shown_method}"] * bool(item.shown_method)
        sentences.append(": ".join(filter(None, [", ".join(names), headline(item)])))
    return sentences


def headline(item: "LanguageAudit") -> str:
    """Write women's share in one sentence. Without a verdict, write the counts and what is missing."""
    if item.has_verdict:
        describe = describe_nouns if item.method in (NOUNS, PUBLISHED) else describe_share
        return describe(item.women_share)
    matches = "mention" if item.method == PERSONS else "word"
    counts = f"{item.row['feminine']:,} feminine and {number_of(item.row['masculine'], f'masculine {matches}')}"
    if item.grade.name == KIN_NOUNS_ONLY:
        return f"{counts}. No estimate of who is mentioned in {item.name}: {item.grade.reason}"
    return f"{counts}. Too few to state women's share" + (f": {item.lacking}" if item.lacking else "")


def groups_of(result: "AuditResult") -> str:
    """Describe in sentences what the rows of groups are, and what their verdicts rest on."""
    if result.of_methods:
        return " ".join(f"By {one.settings.method}: {groups_of(one)}" for one in result.of_methods)
    others = number_of(result.groups_together, "group")
    together = f"{OTHER_GROUPS}: {others} with fewer texts." if result.groups_together else ""
    tests = sum(not math.isnan(item.row.get("p_value", math.nan)) for item in result.groups)
    holm = f", adjusted by Holm for {tests} tests" if tests > 1 else ""
    differences = describe_differences(
        [item.row for item in result.groups], [_full_name(item, result) for item in result.groups]
    )
    shared = "Differences take the method to err alike in all groups." if differences else ""
    verdicts = f"Verdicts by group are a family of their own{holm}."
    return " ".join(filter(None, (together, differences, shared, verdicts)))


def _full_name(item: "LanguageAudit", result: "AuditResult") -> str:
    several = [item.corpus] * result.has_corpora + [item.name] * (len(result.languages) > 1)
    return ", ".join([*several, item.group_name])


def depends_on_method(result: "AuditResult") -> str:
    """Explain the mark of rows whose conclusion depends on the method. Empty if there are none."""
    if not any(item.depends_on_method for item in result.rows):
        return ""
    return f"{DEPENDS}: the verdict, or the difference between groups, depends on the method."


def _rows(items: Sequence["LanguageAudit"], several: bool, width: int) -> list[str]:
    """Render the lines of a table, with a column of corpora if there are several."""
    grouped = any(item.group for item in items)
    by_method = any(item.shown_method for item in items)
    heads = ["corpus"] * several + ["group"] * grouped + ["method"] * by_method + _heads(items[0].unit)
    rows = [_cells(item, _names(item, several, grouped), " %") for item in items]
    verdicts = list(map(shown_verdict, items))
    lines = _lines(heads, [
        [*(f"{value} ({interval})" if interval else value for value, interval in row), verdict]
        for row, verdict in zip(rows, verdicts, strict=True)
    ])  # fmt: skip
    if max(map(len, lines)) <= width:
        return lines
    # Put the intervals below their numbers, and the reasons of verdicts below the table, but for groups.
    short = [verdict.partition(":")[0] for verdict in verdicts]
    pairs = ([*zip(*row, strict=True)] for row in rows)
    lines = _lines(heads, [
        [*values, one]
        for (numbers, intervals), verdict in zip(pairs, short, strict=True)
        for values, one in ((numbers, verdict), (intervals, ""))
        if any(values)
    ])  # fmt: skip
    reasons = zip(items, verdicts, short, strict=True)
    return lines + [
        line
        for item, verdict, name in reasons
        if verdict != name and not grouped
        for line in wrap(f"{_title(item, several)}: {verdict}", width)
    ]


def _names(item: "LanguageAudit", several: bool, grouped: bool) -> list[str]:
    """List the cells that name a row beside its language."""
    corpus, group = [_short(item.corpus)] * several, [_short(item.group_name)] * grouped
    return [*corpus, *group, *filter(None, [item.shown_method])]


def _lines(heads: list[str], rows: Sequence[Sequence[str]]) -> list[str]:
    rule = ["─" * max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    right = {*(f"{unit}s" for unit in (TEXT, *TEXT_UNITS)), "words", "F", "M", "matched"}
    return align_columns([heads, rule, *rows], right)


def _heads(unit: str) -> list[str]:
    """List the heads of all columns but those of corpora and groups."""
    return ["lang", f"{unit}s", "words", "F", "M", "women %", "with error", "M : F", "matched", "verdict"]


def _cells(item: "LanguageAudit", names: Sequence[str], unit: str = "") -> list[tuple[str, str]]:
    """List the values of a row, each with its interval, which may be empty. The verdict is not among them."""
    share, ratio = item.stated(item.women_share), item.stated(item.masculine_per_feminine)
    counts = (f"{number:,}" for number in (item.texts, item.words, *(item.row[name] for name in GENDERS)))
    return [
        *((value, "") for value in (*names, item.lang, *counts)),
        (show_number(share.value, 1), show_interval(share, 1)),
        (show_with_error(item), ""),
        (show_number(ratio.value, 2), show_interval(ratio, 2)),
        (show_number(item.coverage_percent, 1, unit), ""),
    ]


def show_with_error(item: "LanguageAudit") -> str:
    """Render the interval that includes the method's error, if there is a verdict."""
    if not item.has_verdict:
        return "–"
    if item.error is None:
        return "not known"
    return show_interval(item.women_share_with_error, 1) or "–"


def shown_verdict(item: "LanguageAudit") -> str:
    """Render the verdict, or the grade that rules one out, with its explanation."""
    verdict = item.verdict or (item.grade.name if item.grade.name == KIN_NOUNS_ONLY else "–")
    mark = f" {DEPENDS}" * item.depends_on_method
    has_reason = item.verdict_reason and (item.verdict or item.depends_on_method)
    return f"{verdict}{mark}: {item.verdict_reason}" if has_reason else f"{verdict}{mark}"


def align_columns(lines: Sequence[Sequence[str]], right: Collection[str] = ()) -> list[str]:
    """Pad the cells of a table's lines. Columns whose head, in the first line, is in `right` are aligned right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if head in right else cell.ljust(width)
            for head, cell, width in zip(lines[0], line, widths, strict=True)
        ).rstrip()
        for line in lines
    ]


def _learned(found: "WordCount") -> str:
    """Name the source of a word that the texts show to be a name."""
    return f" (learned from “{found.learned_from}”)" if found.learned else ""


def _title(item: "LanguageAudit", has_corpora: bool) -> str:
    corpus = _short(item.corpus) if has_corpora else ""
    return ", ".join(filter(None, (f"{item.name} ({item.lang})", corpus, item.shown_method)))


def _language(item: "LanguageAudit", colour: bool, has_corpora: bool, show: Collection[str]) -> str:
    lines = [_title(item, has_corpora)]
    if "notes" in show:
        if item.detected:
            detected = number_of(item.detected, item.unit)
            lines.append(f"  language detected in {detected}, mean probability {item.mean_certainty:.2f}")
        lines += [f"  {line}" for line in notes_on(item)]
    for name in CLASSES if "words" in show else ():
        shown = [f"{found.word} {found.count:,}{_learned(found)}" for found in item.frequent_words[name]]
        if more := item.different_words[name] - len(shown):
            shown.append(f"… {number_of(more, 'more word' if shown else 'word')}")
        rate = f" ({show_estimate(item.rate(name), 3)} % of words)" if item.row[name] else ""
        lines.append(f"  {name:<12} {item.row[name]:,}{rate}" + (f": {', '.join(shown)}" if shown else ""))
    for name in CLASSES if "examples" in show else ():
        if item.examples[name]:
            lines.append(f"  {name} in context")
            for example in item.examples[name]:
                marked = example.marked(BOLD, PLAIN) if colour else example.marked()
                lines.append(f"    {_short(example.file)}:{example.place}  {marked}")
    return "\n".join(lines)


def notes_on(item: "LanguageAudit") -> list[str]:
    """Describe the grade, error, precision and layers of a row, one line each."""
    grade = f"grade: {item.grade.name}; {item.grade.reason}" if item.grade.name else "grade: none"
    counts = (f"{layer} {' / '.join(f'{of[name]:,}' for name in CLASSES)}" for layer, of in item.layers.items())
    layers = f"{' / '.join(CLASSES)}: {', '.join(counts)}" if len(item.layers) > 1 else ""
    return [note for note in (grade, error_of(item), precision_of(item), layers) if note]


def error_of(item: "LanguageAudit") -> str:
    """Render the interval that includes the method's error, and the texts on which this error was measured."""
    share = item.stated(item.women_share_with_error)
    if item.error is None or math.isnan(share.low):
        return ""
    return (
        f"women's share with the error of the method: {share.low:.0f}–{share.high:.0f} % (error "
        f"{describe_error(item.error)})"
    )


def _left_out(result: "AuditResult") -> str:
    lines = []
    for what, reason, number in result.left_out_rows:
        if what == "texts":
            lines.append(f"  {number_of(number, result.unit)}: {reason}")
        else:
            lines.append(f"  file {printable(reason)}" if what == "file" else f"  {printable(reason)}: {number:,}")
    return "\n".join(["Left out", *lines]) if lines else ""


def precision_of(item: "LanguageAudit") -> str:
    """Describe the share of matches that are right, if it was measured."""
    if item.measured:
        return f"mentions in annotated texts that are found with the right gender: {item.measured}"
    if item.method == PERSONS:
        return "error rate: not measured"
    if not item.precision:
        return "precision (share of the words found that refer to such persons): not measured"
    shares = (
        f"{name} {100 * found.right / found.judged:.0f} % ({100 * found.interval.low:.0f}–"
        f"{100 * found.interval.high:.0f}) of {found.judged}"
        for name, found in item.precision.items()
    )
    return (
        f"precision (share of the nouns found that refer to such persons, in other texts): {', '.join(shares)}; judged "
        "by a language model, not by native speakers"
    )


def _counted_by(result: "AuditResult") -> str:
    settings = result.settings
    several = "s" * (len(result.methods) > 1)
    return f"method{several} {' and '.join(result.methods)}, lexicon {lexicon_of(result)}, {settings.engine} engine"


def lexicon_of(result: "AuditResult") -> str:
    """Name the lexicon, or the folder that contains it."""
    folder = result.settings.lexicon_folder
    return writable(folder.resolve().name) if folder else result.settings.lexicon


def verdict_of(result: "AuditResult") -> str:
    """Describe what the verdict rests on."""
    if result.of_methods:
        return "; ".join(f"by {one.settings.method}, {verdict_of(one)}" for one in result.of_methods)
    settings = result.settings
    if method_of(settings):
        of_error = "; a direction also needs the interval with error to exclude 50 %"
    else:
        of_error = "; the method's error is not known, so a direction excludes only chance"
    if settings.procedure == "published":
        return f"the gap against two standard errors, both in percent (Muller et al. 2023, footnote 11){of_error}"
    tests = sum(not math.isnan(item.row["p_value"]) for item in result.languages)
    return (
        f"a test over {result.unit}s of whether feminine and masculine matches are equally many, at "
        f"{100 * (1 - settings.confidence_level):g} %"
        + (f", adjusted by Holm for {tests} tests" if tests > 1 else "")
        + f"{of_error}; too few: under {settings.minimum_matches} gendered words, or under {settings.minimum_units} "
        f"{result.unit}s with one"
    )


def intervals_of(result: "AuditResult") -> str:
    """Describe the intervals, and what makes them too narrow."""
    return f"{level_of(result)} % intervals over {result.unit}s" + TAKEN_AS * (result.unit == LINE)


def describe_columns(result: "AuditResult", before: str = "", after: str = "") -> tuple[str, str]:
    """Describe the columns of a table, and its verdicts. `before` and `after` surround the words on intervals."""
    return (
        f"{SHARE_OF}{before} {intervals_of(result)}{after}. {RATIO_OF} Matched: {result.unit}s with such a word, in "
        "percent of those with words.",
        f"Verdict: {verdict_of(result)}.",
    )


def show_number(value: float, digits: int, unit: str = "") -> str:
    """Format a number, or a dash if it is undefined."""
    if math.isinf(value):
        return "∞"
    return "–" if math.isnan(value) else f"{value:z.{digits}f}{unit}"


def show_interval(estimate: "Estimate", digits: int) -> str:
    """Format the interval of a number. Returns an empty string if it is undefined."""
    if math.isnan(estimate.low) or math.isnan(estimate.value):
        return ""
    if math.isinf(estimate.high):
        return f"{estimate.low:.{digits}f} or more"
    dash = " to " if estimate.low < 0 else "–"
    return f"{estimate.low:z.{digits}f}{dash}{estimate.high:z.{digits}f}"


def show_estimate(estimate: "Estimate", digits: int) -> str:
    """Format a number with its interval."""
    interval = show_interval(estimate, digits)
    return show_number(estimate.value, digits) + (f" ({interval})" if interval else "")


def _short(name: str) -> str:
    name = printable(name)
    return name if len(name) <= 40 else f"…{name[-39:]}"


def render_latex(result: "AuditResult") -> str:
    """Render a LaTeX table with intervals: one row per corpus and language, then one per group."""
    several, grouped, by_method = result.has_corpora, bool(result.groups), bool(result.of_methods)
    rows: list[list[str]] = []
    for item in result.rows:
        names = [item.corpus] * several + [item.group_name] * grouped + [item.shown_method] * by_method
        cells = _cells(item, names)
        # Intervals go below the numbers because beside them they would not fit on a page.
        verdict = f"{item.verdict or item.grade.name or '–'}{f' {DEPENDS}' * item.depends_on_method}"
        rows += map(list, zip(*cells, (verdict, ""), strict=True))
    heads = ["corpus"] * several + ["group"] * grouped + ["method"] * by_method + _heads(result.unit)
    units = {"women %": "women (%)", "matched": "matched (%)"}
    by_group = f"By {result.settings.group_by}: {groups_of(result)} " if grouped else ""
    return latex_table(
        [begin_sentence(units.get(head, head)) for head in heads],
        rows,
        "l" * (several + grouped + by_method) + "lrrrrrrrrl",
        caption=f"{counted_in(result)} ({_counted_by(result)}). {' '.join(describe_columns(result, ' (below)'))} "
        f"{by_group}{depends_on_method(result)} {result.signature}",
        label="tab:audit",
    )


def begin_sentence(text: str) -> str:
    """Capitalize the first letter. `str.capitalize` would also make all other letters lower-case."""
    return text[:1].upper() + text[1:]


def counted_in(result: "AuditResult") -> str:
    """Describe what is counted, as a heading."""
    if PERSONS in result.methods:
        return "Mentions of persons"
    return "Person nouns" if result.settings.method in (NOUNS, PUBLISHED) else "Words for persons"


def level_of(result: "AuditResult") -> str:
    """Format the confidence level of the intervals in percent."""
    return f"{100 * result.settings.confidence_level:g}"


def render_page(result: "AuditResult", template: str = "rendering.page.html.j2") -> str:
    """Render the page as HTML, or with `rendering.part.html.j2` the part that a notebook shows, with a style."""
    longest = max(len(result.languages), len(result.groups))
    return audit_pages("textparity.auditing").get_template(template).render(result=result, script=page_script(longest))


def page_script(rows: int) -> str:
    """Read the script of a page whose longest table has so many rows. Empty if it is short: then there is none."""
    return (Path(__file__).parent / "templates" / "rendering.tables.js").read_text("utf-8") if rows > _MOST_ROWS else ""


def audit_pages(*packages: str) -> "Environment":
    """Make the environment for the templates of `packages`, with the audit's filters."""
    from textparity.auditing import citation
    from textparity.tables import page_environment

    environment = page_environment(*packages)
    environment.globals |= {"classes": CLASSES, "genders": GENDERS, "version": __version__}
    filters = (
        begin_sentence, citation.methods_paragraph, citation.references, counted_in, describe_columns, draw_bars,
        depends_on_method, draw_charts, groups_of, headline, headlines, intervals_of, level_of, lexicon_of, notes_on,
        number_of,
        show_estimate, show_interval, show_mark, show_number, show_with_error,
        shown_verdict,
    )  # fmt: skip
    environment.filters |= {function.__name__: function for function in filters}
    return environment


def draw_bars(item: "LanguageAudit") -> dict[str, "Estimate"]:
    """Compute the rate of each class in percent of the language's longest bar. NaN if no class has a match."""
    rates = {name: item.rate(name) for name in CLASSES}
    ends = (end for rate in rates.values() for end in (rate.value, rate.high) if not math.isnan(end))
    longest = _ROOM * max(ends, default=0.0)
    return {name: rate * (100 / longest if longest else math.nan) for name, rate in rates.items()}


def check_outputs(
    files: Iterable[str | None],
    folder: Path | None,
    sources: Sequence[InputFile],
    *also_read: Path | None,
) -> None:
    """Raise an error, before anything is counted, if an output cannot be written or would overwrite an input.

    `files` are the targets of single tables; None and `-` may be among them. All tables are written to `folder`.
    `also_read` are files and folders that are read in addition to the sources.
    """
    targets = [Path(file) for file in files if file and file != STANDARD_OUTPUT]
    if folder:
        targets += [folder / name for name in (*(f"{table}.csv" for table in TABLES), "audit.tex", "audit.html")]
    paths = [Path("/dev/stdin" if source.name == STANDARD_INPUT else source.name) for source in sources]
    paths += [path for path in also_read if path]
    for path in [path for path in paths if path.is_dir()]:
        paths += path.rglob("*")
    read = {_file_at(path) for path in paths} - {None}
    data_folders = set(map(os.path.realpath, _data_folders()))
    if _file_at("/dev/stdout") in read:
        raise InputError("standard output: is an input and would be overwritten; redirect it to another file")
    written: set[object] = set()
    for target in targets:
        check_target(target)
        file = _file_at(target)
        parents = set(map(str, Path(os.path.realpath(target)).parents))
        is_data = target.is_file() and not parents.isdisjoint(data_folders)
        if file in read or is_data:
            raise InputError(f"{target}: is an input and would be overwritten; write to another file")
        if file in written:
            raise ConfigError(f"{target}: two tables would be written to it; name a file for each")
        written |= {file} - {None}


def _data_folders() -> tuple[Path, ...]:
    """List the folders of the data that this program reads: its own, what it has downloaded, and a mirror."""
    from textparity.auditing.languages import PACKAGE_FOLDER, cache_folder

    # A mirror that is gone does no harm if nothing is fetched.
    mirror = os.environ.get("TEXTPARITY_MIRROR")
    return (PACKAGE_FOLDER, cache_folder(), *([Path(mirror)] if mirror else []))


def _file_at(path: str | Path) -> object:
    """Make a key that all names of one file share. None if it is not a file: two tables may go to one pipe."""
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def write_outputs(
    result: "AuditResult", csv: str | None, latex: str | None, html: str | None, folder: Path | None
) -> None:
    """Write the requested tables, `-` to standard output after all files. A folder gets all tables and the page.

    The files of the folder are written as a set: all of them, or none.
    """
    if folder:
        tables = (result.table(), result.words_table(), result.examples_table(), result.left_out_table())
        texts = {folder / f"{name}.csv": table.to_csv() for name, table in zip(TABLES, tables, strict=True)}
        texts[folder / "audit.tex"] = result.to_latex()
        texts[folder / "audit.html"] = result.to_html()
        write_texts(texts)
    write_or_print([(csv, result.to_csv), (latex, result.to_latex), (html, result.to_html)])


def write_or_print(outputs: Iterable[tuple[str | None, Callable[[], str]]]) -> None:
    """Write each output to its target, `-` to standard output after all files. Those without a target are left out."""
    printed = []
    for target, render in outputs:
        if target == STANDARD_OUTPUT:
            printed.append(render)
        elif target:
            write_text(Path(target), render())
    for render in printed:
        print_text(render(), encoding="utf-8")


def print_table(result: "AuditResult", show: Collection[str]) -> None:
    """Print the readable table."""
    on_terminal = sys.stdout.isatty()
    width = get_terminal_size().columns if on_terminal else SCREEN
    print_text(result.to_text(on_terminal, width, show), errors="replace")


def print_json(result: "AuditResult", checks: "Checks") -> None:
    """Print the result for programs: settings, rows, words, texts left out and checks."""
    head = {
        "signature": result.signature,
        "settings": asdict(result.settings) | {"method": ",".join(result.methods)},
        "files": result.files,
        "warnings": list(result.warnings),
    }
    tables = {"rows": result.table(), "words": result.words_table(), "left_out": result.left_out_table()}
    print_tables_as_json(head, tables, checks)


def print_tables_as_json(head: Mapping[str, Any], tables: Mapping[str, "DataTable"], checks: "Checks") -> None:
    """Print tables as JSON, between the values of `head` and the checks."""
    whole = dict(head)
    for name, table in tables.items():
        whole[name] = [without_infinity(row) for row in table.rounded()]
    whole |= checks.to_json()
    print_text(json.dumps(whole, ensure_ascii=False, indent=1, default=str) + "\n", encoding="utf-8")


def without_infinity(row: dict[str, Any]) -> dict[str, Any]:
    """Replace infinite numbers in a row by null, because JSON cannot represent them."""
    return {name: None if isinstance(value, float) and math.isinf(value) else value for name, value in row.items()}


def print_text(text: str, **form: Any) -> None:
    """Print a text. `form` is as for `io.TextIOWrapper.reconfigure`.

    With `errors="replace"`, characters that the terminal cannot show become `?`. Texts for programs are UTF-8, which is
    also what the page declares, whatever the terminal uses.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(**form)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # Discard the buffered output, so that Python does not fail on it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            error.filename = "standard output"
            raise
        # The reader, such as head, has stopped reading. Checks still have to be reported, and they decide the exit
        # code.
