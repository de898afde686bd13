"""The result of an audit as text, LaTeX and a web page, and the files that are written of it.

Pages have no script, no font, no network; all text is escaped.
"""

import io
import json
import math
import os
import stat
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from textparity import __version__
from textparity.auditing.charts import draw_charts
from textparity.auditing.groups import OTHER_GROUPS
from textparity.auditing.inputs import STANDARD_INPUT, TEXT, Source
from textparity.auditing.units import LINE, TEXT_UNITS
from textparity.errors import ConfigError, InputError
from textparity.files import check_target, printable, writable, write_text
from textparity.measures.statistics import TOO_FEW
from textparity.measures.terms import CLASSES, GENDERS
from textparity.report.tables import escape_latex, small_latex

if TYPE_CHECKING:
    from jinja2 import Environment

    from textparity.auditing.gate import Failure
    from textparity.auditing.results import AuditResult, Estimate, LanguageAudit
    from textparity.auditing.settings import AuditSettings

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
_NOTE_WIDTH = 80
# Of the largest rate, so that the last interval does not touch the edge.
_ROOM = 1.05
STANDARD_OUTPUT = "-"
# Of lines.
TAKEN_AS = " as if they were independent, which lines of one article are not"
TABLES = ("audit", "words", "examples", "left_out")


def render_text(result: "AuditResult", colour: bool = False, width: int | None = None) -> str:
    """Return the table, then words and examples of each language.

    Matches are bold with `colour`, else in brackets; with a `width`, a table that is wider has its intervals below.
    """
    parts = [_head(result), "\n".join(f"Careful: {printable(doubt)}" for doubt in result.doubts)]
    if result.languages:
        parts.append(_table(result, width))
        if result.groups:
            parts.append(_groups(result, width))
        parts += [
            _language(item, result.settings, colour, result.has_corpora or len(result.languages) > 1)
            for item in result.languages
        ]
    parts += [_left_out(result), printable(result.signature)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(result: "AuditResult") -> str:
    settings = result.settings
    files = f"{result.files:,} file{'s' * (result.files != 1)}, " if result.files else ""
    return (
        f"{files}{number_of(result.texts, result.unit)}, {result.words:,} words; method {settings.method}, lexicon "
        f"{lexicon_of(result)}, {settings.engine} engine, {settings.procedure} procedure"
    )


def _table(result: "AuditResult", width: int | None) -> str:
    over = intervals_of(result) + " (--documents, --text-unit)" * (result.unit == LINE)
    lines = [
        *_rows(result.languages, result.has_corpora, width),
        *wrap(f"{counted_in(result)} in percent of words; {over}. {matched_of(result)}.", _NOTE_WIDTH),
        *wrap(f"Verdict: {verdict_of(result)}.", _NOTE_WIDTH),
    ]
    return "\n".join(lines)


def _groups(result: "AuditResult", width: int | None) -> str:
    note = wrap(groups_of(result), _NOTE_WIDTH)
    return "\n".join(
        [f"By {_short(result.settings.group_by)}", *_rows(result.groups, result.has_corpora, width), *note]
    )


def groups_of(result: "AuditResult") -> str:
    """Return what the rows of groups are, and what their verdicts go by, in sentences."""
    together = f"{OTHER_GROUPS}: {result.groups_together:,} groups with fewer texts. " if result.groups_together else ""
    tests = sum(not math.isnan(item.row.get("p_value", math.nan)) for item in result.groups)
    holm = f", adjusted by Holm for {tests} tests" if tests > 1 else ""
    return f"{together}Verdicts by group are a family of their own{holm}."


def _rows(items: Sequence["LanguageAudit"], several: bool, width: int | None) -> list[str]:
    """Return the lines of a table, with a column of corpora if there are several."""
    grouped = any(item.group for item in items)
    heads = ["corpus"] * several + ["group"] * grouped
    heads += ["lang", f"{items[0].unit}s", "words", "F", "M", "feminine %", "masculine %", "unspecified %", "M : F"]
    heads += ["matched", "verdict"]
    rows = [_cells(item, several) for item in items]
    lines = _lines(
        heads, [[[f"{value} ({interval})" if interval else value for value, interval in row]] for row in rows]
    )
    if width and max(map(len, lines)) > width:
        # Intervals go below their numbers.
        lines = _lines(heads, [[list(values) for values in zip(*row, strict=True)] for row in rows])
    return lines


def _cells(item: "LanguageAudit", several: bool) -> list[tuple[str, str]]:
    estimates = [*((item.rate(name), 3) for name in CLASSES), (item.masculine_per_feminine, 2)]
    return [
        *([(_short(item.corpus), "")] * several),
        *([(_short(item.group), "")] if item.group else []),
        (item.lang, ""),
        (f"{item.texts:,}", ""),
        (f"{item.words:,}", ""),
        *((f"{item.row[name]:,}", "") for name in GENDERS),
        *((show_number(estimate.value, digits), show_interval(estimate, digits)) for estimate, digits in estimates),
        (show_number(item.coverage_percent, 1, " %"), ""),
        (item.verdict or "–", ""),
    ]


def _lines(heads: list[str], rows: list[list[list[str]]]) -> list[str]:
    """Return the lines of a table whose rows have one or more lines."""
    right = {*(f"{unit}s" for unit in (TEXT, *TEXT_UNITS)), "words", "F", "M", "matched"}
    flat = [line for row in rows for line in row]
    widths = [max(map(len, column)) for column in zip(heads, *flat, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if head in right else cell.ljust(width)
            for head, cell, width in zip(heads, line, widths, strict=True)
        ).rstrip()
        for line in [heads, ["─" * width for width in widths], *flat]
    ]


def _language(item: "LanguageAudit", settings: "AuditSettings", colour: bool, titled: bool) -> str:
    lines = [f"{item.name} ({item.lang})" + (f", {_short(item.corpus)}" if titled else "")]
    if item.detected:
        detected = number_of(item.detected, item.unit)
        lines.append(f"  language found out of {detected}, mean probability {item.mean_certainty:.2f}")
    said = (too_few_of(item, settings), precision_of(item), layers_of(item), calibrated_of(item))
    lines += [f"  {line}" for line in said if line]
    lines += [f"  Careful: {printable(warning)}" for warning in item.warnings]
    for name in CLASSES:
        shown = [f"{found.word} {found.count:,}" for found in item.frequent_words[name]]
        if more := item.different_words[name] - len(shown):
            shown.append(f"… {number_of(more, 'more word' if shown else 'word')}")
        lines.append(f"  {name:<12} {item.row[name]:,}" + (f": {', '.join(shown)}" if shown else ""))
    for name in CLASSES:
        if item.examples[name]:
            lines.append(f"  {name} in context")
            for example in item.examples[name]:
                marked = example.marked(BOLD, PLAIN) if colour else example.marked()
                lines.append(f"    {_short(example.file)}:{example.place}  {marked}")
    return "\n".join(lines)


def _left_out(result: "AuditResult") -> str:
    lines = [f"  {number_of(number, result.unit)}: {reason}" for reason, number in result.left_out.items()]
    lines += [f"  file {printable(message)}" for _, message in result.failed]
    lines += [f"  file {printable(name)}: no text counted" for name in result.empty]
    lines += [f"  {printable(reason)}: {number:,}" for reason, number in result.ignored.items()]
    return "\n".join(["Left out", *lines]) if lines else ""


def precision_of(item: "LanguageAudit") -> str:
    """Return how many of the lexicon's matches are right, where that was measured."""
    if item.method != "lexicon":
        found = item.measured
        if not found:
            return "how often it errs: not measured"
        return f"of mentions in annotated texts, found with the right gender: {found}"
    if not item.precision:
        return "precision (how many of the words found are about such persons): not measured"
    shares = (
        f"{name} {100 * found.right / found.judged:.0f} % ({100 * found.interval.low:.0f}–"
        f"{100 * found.interval.high:.0f}) of {found.judged}"
        for name, found in item.precision.items()
    )
    return (
        f"precision (nouns found that are about such persons, in other texts): {', '.join(shares)}; looked at by a "
        "language model, not by native speakers"
    )


def calibrated_of(item: "LanguageAudit") -> str:
    """Return the ratio that follows from how the method errs, where annotated texts tell it."""
    found = item.calibrated
    if found is None or math.isnan(found.value):
        return ""
    low, high = found.interval.low, found.interval.high
    interval = "" if math.isnan(low) else f" ({low:.2f}–{high:.2f})"
    return f"M : F as it would be without the errors measured on {found.by}: {found.value:.2f}{interval}"


def too_few_of(item: "LanguageAudit", settings: "AuditSettings") -> str:
    """Return what a corrected row without M : F and verdict has of what they need."""
    if item.verdict != TOO_FEW:
        return ""
    row = item.row
    number = row["feminine"] + row["masculine"] - 2 * row["feminine_and_masculine"]
    return (
        f"too few for M : F and a verdict: {number_of(number, 'feminine and masculine word')} in "
        f"{number_of(row['matched_units'], item.unit)}, of {settings.minimum_matches} in {settings.minimum_units} that "
        "are needed, not all alike"
    )


def layers_of(item: "LanguageAudit") -> str:
    """Return the matches by layer, where there is more than one."""
    if len(item.layers) < 2:
        return ""
    counts = (f"{layer} {' / '.join(f'{of[name]:,}' for name in CLASSES)}" for layer, of in item.layers.items())
    return f"{' / '.join(CLASSES)}: {', '.join(counts)}"


def lexicon_of(result: "AuditResult") -> str:
    """Return the name of the lexicon, or of the folder that it is in."""
    folder = result.settings.lexicon_folder
    return writable(folder.resolve().name) if folder else result.settings.lexicon


def verdict_of(result: "AuditResult") -> str:
    """Return what the verdict goes by."""
    settings = result.settings
    if settings.procedure == "published":
        return "the gap against two standard errors, both in percent (Muller et al. 2023, footnote 11)"
    tests = sum(not math.isnan(item.row["p_value"]) for item in result.languages)
    return (
        f"a test of the gap over {result.unit}s, at {100 * (1 - settings.confidence_level):g} %"
        + (f", adjusted by Holm for {tests} tests" if tests > 1 else "")
        + f"; too few: under {settings.minimum_matches} feminine and masculine words together, under "
        f"{settings.minimum_units} {result.unit}s with one, or all alike"
    )


def intervals_of(result: "AuditResult") -> str:
    """Return what intervals are, and what makes them too narrow."""
    said = f"{level_of(result)} % bootstrap intervals over {result.unit}s"
    return said + TAKEN_AS * (result.unit == LINE)


def matched_of(result: "AuditResult") -> str:
    """Return what the column of matched texts has."""
    return f"Matched: {result.unit}s with such a word, in percent of those with words"


def show_number(value: float, digits: int, unit: str = "") -> str:
    """Return a number, or a dash where it is not defined."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}{unit}"


def show_interval(estimate: "Estimate", digits: int) -> str:
    """Return the interval of a number, nothing where it is not defined."""
    if math.isnan(estimate.low) or math.isnan(estimate.value):
        return ""
    return f"{estimate.low:.{digits}f}–{estimate.high:.{digits}f}"


def show_estimate(estimate: "Estimate", digits: int) -> str:
    """Return a number with its interval."""
    interval = show_interval(estimate, digits)
    return show_number(estimate.value, digits) + (f" ({interval})" if interval else "")


def number_of(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _short(name: str) -> str:
    name = printable(name)
    return name if len(name) <= 40 else f"…{name[-39:]}"


def render_latex(result: "AuditResult") -> str:
    """Return one row a corpus and language, then one a group, with intervals."""
    several, grouped = result.has_corpora, bool(result.groups)
    heads = [
        "Lang",
        f"{result.unit.capitalize()}s",
        "Words",
        *map(str.capitalize, CLASSES),
        "M : F",
        "Matched (%)",
        "Verdict",
    ]
    rows = []
    for item in result.rows:
        estimates = [*((item.rate(name), 3) for name in CLASSES), (item.masculine_per_feminine, 2)]
        names = [item.corpus] * several + [item.group] * grouped + [item.lang]
        values = [show_number(estimate.value, digits) for estimate, digits in estimates]
        matched = show_number(item.coverage_percent, 1)
        rows.append([*names, f"{item.texts:,}", f"{item.words:,}", *values, matched, item.verdict])
        # Below the numbers, as beside them they would not fit on a page.
        rows.append([""] * (len(names) + 2) + [show_interval(*found) for found in estimates] + [""] * 2)
    settings = result.settings
    return small_latex(
        ["Corpus"] * several + ["Group"] * grouped + heads,
        rows,
        "l" * (several + grouped) + "lrrrrrrrl",
        caption=escape_latex(
            f"{counted_in(result)} in percent of words ({settings.procedure} procedure, {settings.engine} engine, "
            f"lexicon {lexicon_of(result)}), masculine per feminine, and {result.unit}s with a match; below, "
            f"{intervals_of(result)}. Verdict: {verdict_of(result)}. "
            + (f"By {result.settings.group_by}: {groups_of(result)} " if grouped else "")
        )
        + _latex_signature(result.signature),
        label="tab:audit",
    )


def _latex_signature(signature: str) -> str:
    # In fonts of LaTeX's first encoding, this sign is a dash.
    return escape_latex(signature).replace("|", r"\textbar{}")


def counted_in(result: "AuditResult") -> str:
    """Return what is counted, as a heading."""
    if result.settings.method != "lexicon":
        return "Mentions of persons"
    return "Person nouns" if tuple(result.settings.layers) == ("nouns",) else "Words for persons"


def level_of(result: "AuditResult") -> str:
    """Return the level of the intervals in percent."""
    return f"{100 * result.settings.confidence_level:g}"


def render_page(result: "AuditResult", template: str = "rendering.page.html.j2") -> str:
    """Return the page as HTML; or by `rendering.part.html.j2` what a notebook shows, with a style."""
    values = page_values(result) | {"is_part": template != "rendering.page.html.j2"}
    return audit_pages("textparity.auditing").get_template(template).render(**values)


def audit_pages(*packages: str) -> "Environment":
    """Return what renders the templates of `packages` by the filters of the audit's."""
    from textparity.report.pages import page_environment

    environment = page_environment(*packages)
    environment.filters |= {
        "estimate": show_estimate,
        "number": show_number,
        "precision": precision_of,
        "layers": layers_of,
        "calibrated": calibrated_of,
        "number_of": number_of,
        # As the beginning of a sentence; Jinja's own filter makes small letters of all others.
        "begun": lambda text: text[:1].upper() + text[1:],
    }
    return environment


def page_values(result: "AuditResult") -> dict[str, Any]:
    """Return what the audit's page needs to be rendered."""
    return {
        "result": result,
        "classes": CLASSES,
        "several": result.has_corpora,
        "level": level_of(result),
        "intervals": intervals_of(result),
        "matched": matched_of(result),
        "genders": GENDERS,
        "too_few": {(item.corpus, item.lang): too_few_of(item, result.settings) for item in result.languages},
        "counted": counted_in(result),
        "lexicon": lexicon_of(result),
        "verdict_by": verdict_of(result),
        "tokenizers": sorted({item.row["tokenizer"] for item in result.languages}),
        "stand_in": any(item.row["stand_in"] for item in result.languages),
        "version": __version__,
        "is_part": False,
        "groups": groups_of(result),
        "charts": draw_charts(result),
        "bars": {(item.corpus, item.lang): _bars(item) for item in result.languages},
    }


def _bars(item: "LanguageAudit") -> dict[str, dict[str, float] | None]:
    """Return rate and interval of each class in percent of the language's longest bar."""
    rates = {name: item.rate(name) for name in CLASSES}
    ends = [end for rate in rates.values() for end in (rate.value, rate.high) if not math.isnan(end)]
    longest = _ROOM * max(ends, default=0.0)
    return {name: _bar(rate, longest) for name, rate in rates.items()}


def _bar(rate: "Estimate", longest: float) -> dict[str, float] | None:
    if not longest > 0 or math.isnan(rate.value):
        return None
    bar = {"width": round(100 * rate.value / longest, 2)}
    if math.isnan(rate.low):
        return bar
    return bar | {
        "low": round(100 * rate.low / longest, 2),
        "span": round(100 * (rate.high - rate.low) / longest, 2),
    }


def check_outputs(
    files: Iterable[str | None],
    folder: Path | None,
    sources: Sequence[Source],
    lexicon_folder: Path | None = None,
    documents: Path | None = None,
) -> None:
    """Raise, before anything is counted, for what cannot be written or would take the place of what is read.

    `files` are the targets of single tables, with None and `-` among them; `folder` gets all of them.
    """
    targets = [Path(file) for file in files if file and file != STANDARD_OUTPUT]
    if folder:
        targets += [folder / name for name in (*(f"{table}.csv" for table in TABLES), "audit.tex", "audit.html")]
    read = {_file_at("/dev/stdin" if source.name == STANDARD_INPUT else source.name) for source in sources} - {None}
    read |= {_file_at(documents)} if documents else set()
    read_folders = {os.path.realpath(source.name) for source in sources if not source.is_file}
    read_folders |= {os.path.realpath(lexicon_folder)} if lexicon_folder else set()
    written: set[object] = set()
    for target in targets:
        check_target(target)
        file = _file_at(target)
        is_inside = any(str(parent) in read_folders for parent in Path(os.path.realpath(target)).parents)
        if file in read or (is_inside and target.is_file()):
            raise InputError(f"{target}: is read, and would be overwritten; write to another file")
        if file in written:
            raise ConfigError(f"{target}: two tables would be written to it; name a file for each")
        written |= {file} - {None}


def _file_at(path: str | Path) -> object:
    """Return what all names of a file have in common, None for what is no file (two tables may go to one pipe)."""
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def write_outputs(
    result: "AuditResult", csv: str | None, latex: str | None, html: str | None, folder: Path | None
) -> None:
    """Write what is asked for, `-` to standard output after all files; a folder gets all tables and the page."""
    if folder:
        tables = (result.table(), result.words_table(), result.examples_table(), result.left_out_table())
        for name, table in zip(TABLES, tables, strict=True):
            write_text(folder / f"{name}.csv", table.to_csv())
        write_text(folder / "audit.tex", result.to_latex())
        write_text(folder / "audit.html", result.to_html())
    if csv and csv != STANDARD_OUTPUT:
        write_text(Path(csv), result.table().to_csv())
    for target, render in ((latex, result.to_latex), (html, result.to_html)):
        if target and target != STANDARD_OUTPUT:
            write_text(Path(target), render())
    if csv == STANDARD_OUTPUT:
        _print_utf8(result.table().to_csv())
    elif STANDARD_OUTPUT in (latex, html):
        _print_utf8(result.to_latex() if latex == STANDARD_OUTPUT else result.to_html())


def print_table(result: "AuditResult") -> None:
    """Print the readable table; a character that the terminal does not have is shown as `?`."""
    on_terminal = sys.stdout.isatty()
    width = get_terminal_size().columns if on_terminal else None
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    _print(result.to_text(colour=on_terminal, width=width))


def print_json(result: "AuditResult", failures: Sequence["Failure"], unmet: Sequence[str]) -> None:
    """Print the result for programs: settings, rows, words, what was left out, what checks failed or had no row for."""
    tables = {"rows": result.table(), "words": result.words_table(), "left_out": result.left_out_table()}
    whole = {
        "signature": result.signature,
        "settings": asdict(result.settings),
        "files": result.files,
        "doubts": list(result.doubts),
        **{name: table.rounded() for name, table in tables.items()},
        "failures": [asdict(failure) for failure in failures],
        "unmet": list(unmet),
    }
    _print_utf8(json.dumps(whole, ensure_ascii=False, indent=1, default=str) + "\n")


def _print_utf8(text: str) -> None:
    # As files have it, and as the page says of itself, whatever the terminal shows.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    _print(text)


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        error.filename = "standard output"
        raise
