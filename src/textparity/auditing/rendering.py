"""Render the result of an audit as text, LaTeX and a web page, and write its files.

Pages use no scripts, fonts or network, and all text in them is escaped.
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
from textparity.auditing.grades import KIN_NOUNS_ONLY
from textparity.auditing.groups import OTHER_GROUPS
from textparity.auditing.inputs import STANDARD_INPUT, TEXT, InputFile
from textparity.auditing.share import describe_error, describe_nouns, describe_share
from textparity.auditing.text_units import LINE, TEXT_UNITS, number_of
from textparity.counting.terms import CLASSES, GENDERS
from textparity.errors import ConfigError, InputError
from textparity.files import check_target, printable, writable, write_text
from textparity.persons.mentions import NOUNS, PERSONS, PUBLISHED
from textparity.tables import latex_table

if TYPE_CHECKING:
    from jinja2 import Environment

    from textparity.auditing.fail_conditions import Failure
    from textparity.auditing.results import AuditResult, Estimate, LanguageAudit

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
_NOTE_WIDTH = 80
# The axis is a little longer than the largest rate, so that no interval touches the edge.
_ROOM = 1.05
STANDARD_OUTPUT = "-"
# Added to the description of the intervals if the texts are lines.
TAKEN_AS = " as if they were independent, which lines of one article are not"
SHARE_OF = "Women %: feminine in percent of feminine and masculine matches, with"
ERROR_OF = "With error: the interval that also has how much the method errs on annotated texts."
RATIO_OF = "M : F: masculine for each feminine one, from the share."
_MOST_HEADLINES = 5
TABLES = ("audit", "words", "examples", "left_out")


def render_text(result: "AuditResult", colour: bool = False, width: int | None = None) -> str:
    """Render the headline, the table, then the words and examples of each language.

    Matches are bold with `colour`, else in brackets. If the table is wider than `width`, its intervals go below the
    numbers.
    """
    parts = [
        "\n".join(f"{printable(sentence)}." for sentence in headlines(result)),
        _head(result),
        "\n".join(f"Careful: {printable(doubt)}" for doubt in result.warnings),
    ]
    if result.languages:
        parts.append(_table(result, width))
        if result.groups:
            parts.append(_groups(result, width))
        parts += [_language(item, colour, result.has_corpora or len(result.languages) > 1) for item in result.languages]
    parts += [_left_out(result), printable(result.signature)]
    return "\n\n".join(part for part in parts if part) + "\n"


def headlines(result: "AuditResult") -> list[str]:
    """Write a sentence on women's share for each row of a short result, largest row first."""
    sentences = []
    for item in result.languages[:_MOST_HEADLINES]:
        names = ([_short(item.corpus)] if result.has_corpora else []) + [item.name] * (len(result.languages) > 1)
        if sentence := headline(item):
            sentences.append(": ".join(filter(None, [", ".join(names), sentence])))
    return sentences


def headline(item: "LanguageAudit") -> str:
    """Write women's share in one sentence, or explain why there is none. Empty if no gendered word was found."""
    if item.grade.name == KIN_NOUNS_ONLY:
        return f"No estimate of who is mentioned in {item.name}: {item.grade.reason}"
    share = item.women_share
    if math.isnan(share.value):
        return ""
    describe = describe_nouns if item.method in (NOUNS, PUBLISHED) else describe_share
    return describe(share.value, share.low, share.high)


def _head(result: "AuditResult") -> str:
    files = f"{result.files:,} file{'s' * (result.files != 1)}, " if result.files else ""
    return (
        f"{files}{number_of(result.texts, result.unit)}, {result.words:,} words; method {result.settings.method}, "
        f"lexicon {lexicon_of(result)}, {result.settings.engine} engine"
    )


def _table(result: "AuditResult", width: int | None) -> str:
    over = intervals_of(result) + " (--documents, --text-unit)" * (result.unit == LINE)
    lines = [
        *_rows(result.languages, result.has_corpora, width),
        *wrap(f"{SHARE_OF} {over}. {ERROR_OF} {RATIO_OF} {matched_of(result)}.", _NOTE_WIDTH),
        *wrap(f"Verdict: {verdict_of(result)}.", _NOTE_WIDTH),
    ]
    return "\n".join(lines)


def _groups(result: "AuditResult", width: int | None) -> str:
    note = wrap(groups_of(result), _NOTE_WIDTH)
    return "\n".join(
        [f"By {_short(result.settings.group_by)}", *_rows(result.groups, result.has_corpora, width), *note]
    )


def groups_of(result: "AuditResult") -> str:
    """Describe in sentences what the rows of groups are, and what their verdicts rest on."""
    together = f"{OTHER_GROUPS}: {result.groups_together:,} groups with fewer texts. " if result.groups_together else ""
    tests = sum(not math.isnan(item.row.get("p_value", math.nan)) for item in result.groups)
    holm = f", adjusted by Holm for {tests} tests" if tests > 1 else ""
    return f"{together}Verdicts by group are a family of their own{holm}."


def _rows(items: Sequence["LanguageAudit"], several: bool, width: int | None) -> list[str]:
    """Render the lines of a table, with a column of corpora if there are several."""
    grouped = any(item.group for item in items)
    heads = ["corpus"] * several + ["group"] * grouped
    heads += ["lang", f"{items[0].unit}s", "words", "F", "M", "women %", "with error", "M : F", "matched", "verdict"]
    rows = [_cells(item, several) for item in items]
    lines = _lines(
        heads, [[[f"{value} ({interval})" if interval else value for value, interval in row]] for row in rows]
    )
    if width and max(map(len, lines)) > width:
        # Put the intervals below their numbers.
        lines = _lines(heads, [[list(values) for values in zip(*row, strict=True)] for row in rows])
    return lines


def _cells(item: "LanguageAudit", several: bool) -> list[tuple[str, str]]:
    share, ratio = item.women_share, item.masculine_per_feminine
    return [
        *([(_short(item.corpus), "")] * several),
        *([(_short(item.group), "")] if item.group else []),
        (item.lang, ""),
        (f"{item.texts:,}", ""),
        (f"{item.words:,}", ""),
        *((f"{item.row[name]:,}", "") for name in GENDERS),
        (show_number(share.value, 1), show_interval(share, 1)),
        (show_interval(item.women_share_with_error, 1) or "–", ""),
        (show_number(ratio.value, 2), show_interval(ratio, 2)),
        (show_number(item.coverage_percent, 1, " %"), ""),
        (shown_verdict(item), ""),
    ]


def shown_verdict(item: "LanguageAudit") -> str:
    """Render the verdict, or the grade that rules one out, with its explanation."""
    verdict = item.verdict or (item.grade.name if item.grade.name == KIN_NOUNS_ONLY else "–")
    return f"{verdict}: {item.verdict_reason}" if item.verdict and item.verdict_reason else verdict


def _lines(heads: list[str], rows: list[list[list[str]]]) -> list[str]:
    """Render the lines of a table whose rows have one or more lines."""
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


def _language(item: "LanguageAudit", colour: bool, titled: bool) -> str:
    lines = [f"{item.name} ({item.lang})" + (f", {_short(item.corpus)}" if titled else "")]
    if item.detected:
        detected = number_of(item.detected, item.unit)
        lines.append(f"  language detected in {detected}, mean probability {item.mean_certainty:.2f}")
    lines += [f"  {line}" for line in notes_on(item)]
    lines += [f"  Careful: {printable(warning)}" for warning in item.warnings]
    for name in CLASSES:
        shown = [f"{found.word} {found.count:,}" for found in item.frequent_words[name]]
        if more := item.different_words[name] - len(shown):
            shown.append(f"… {number_of(more, 'more word' if shown else 'word')}")
        rate = f" ({show_estimate(item.rate(name), 3)} % of words)" if item.row[name] else ""
        lines.append(f"  {name:<12} {item.row[name]:,}{rate}" + (f": {', '.join(shown)}" if shown else ""))
    for name in CLASSES:
        if item.examples[name]:
            lines.append(f"  {name} in context")
            for example in item.examples[name]:
                marked = example.marked(BOLD, PLAIN) if colour else example.marked()
                lines.append(f"    {_short(example.file)}:{example.place}  {marked}")
    return "\n".join(lines)


def notes_on(item: "LanguageAudit") -> list[str]:
    """Describe the grade, error, precision and layers of a row, one line each."""
    grade = f"grade: {item.grade.name}; {item.grade.reason}" if item.grade.name else "grade: none"
    return [note for note in (grade, error_of(item), precision_of(item), layers_of(item)) if note]


def error_of(item: "LanguageAudit") -> str:
    """Render the interval that includes the method's error, and the texts on which this error was measured."""
    share = item.women_share_with_error
    if item.error is None or math.isnan(share.low):
        return ""
    return (
        f"women's share with the error of the method: {share.low:.0f}–{share.high:.0f} % (error "
        f"{describe_error(item.error)})"
    )


def _left_out(result: "AuditResult") -> str:
    lines = [f"  {number_of(number, result.unit)}: {reason}" for reason, number in result.left_out.items()]
    lines += [f"  file {printable(message)}" for _, message in result.failed]
    lines += [f"  file {printable(name)}: no text counted" for name in result.empty]
    lines += [f"  {printable(reason)}: {number:,}" for reason, number in result.ignored.items()]
    return "\n".join(["Left out", *lines]) if lines else ""


def precision_of(item: "LanguageAudit") -> str:
    """Describe the share of matches that are right, if it was measured."""
    if item.measured:
        return f"of mentions in annotated texts, found with the right gender: {item.measured}"
    if item.method == PERSONS:
        return "how often it errs: not measured"
    if not item.precision:
        return "precision (how many of the words found are about such persons): not measured"
    shares = (
        f"{name} {100 * found.right / found.judged:.0f} % ({100 * found.interval.low:.0f}–"
        f"{100 * found.interval.high:.0f}) of {found.judged}"
        for name, found in item.precision.items()
    )
    return (
        f"precision (nouns found that are about such persons, in other texts): {', '.join(shares)}; read by a "
        "language model, not by native speakers"
    )


def layers_of(item: "LanguageAudit") -> str:
    """Render the matches by layer, if there is more than one."""
    if len(item.layers) < 2:
        return ""
    counts = (f"{layer} {' / '.join(f'{of[name]:,}' for name in CLASSES)}" for layer, of in item.layers.items())
    return f"{' / '.join(CLASSES)}: {', '.join(counts)}"


def lexicon_of(result: "AuditResult") -> str:
    """Name the lexicon, or the folder that contains it."""
    folder = result.settings.lexicon_folder
    return writable(folder.resolve().name) if folder else result.settings.lexicon


def verdict_of(result: "AuditResult") -> str:
    """Describe what the verdict rests on."""
    settings = result.settings
    if settings.procedure == "published":
        return "the gap against two standard errors, both in percent (Muller et al. 2023, footnote 11)"
    tests = sum(not math.isnan(item.row["p_value"]) for item in result.languages)
    return (
        f"a test over {result.unit}s of whether feminine and masculine matches are as many, at "
        f"{100 * (1 - settings.confidence_level):g} %"
        + (f", adjusted by Holm for {tests} tests" if tests > 1 else "")
        + f"; too few: under {settings.minimum_matches} gendered words, or under {settings.minimum_units} "
        f"{result.unit}s with one"
    )


def intervals_of(result: "AuditResult") -> str:
    """Describe the intervals, and what makes them too narrow."""
    said = f"{level_of(result)} % bootstrap intervals over {result.unit}s"
    return said + TAKEN_AS * (result.unit == LINE)


def matched_of(result: "AuditResult") -> str:
    """Describe the column of matched texts."""
    return f"Matched: {result.unit}s with such a word, in percent of those with words"


def show_number(value: float, digits: int, unit: str = "") -> str:
    """Format a number, or a dash if it is undefined."""
    if math.isinf(value):
        return "∞"
    return "–" if math.isnan(value) else f"{value:.{digits}f}{unit}"


def show_interval(estimate: "Estimate", digits: int) -> str:
    """Format the interval of a number. Returns an empty string if it is undefined."""
    if math.isnan(estimate.low) or math.isnan(estimate.value):
        return ""
    if math.isinf(estimate.high):
        return f"{estimate.low:.{digits}f} or more"
    return f"{estimate.low:.{digits}f}–{estimate.high:.{digits}f}"


def show_estimate(estimate: "Estimate", digits: int) -> str:
    """Format a number with its interval."""
    interval = show_interval(estimate, digits)
    return show_number(estimate.value, digits) + (f" ({interval})" if interval else "")


def _short(name: str) -> str:
    name = printable(name)
    return name if len(name) <= 40 else f"…{name[-39:]}"


def render_latex(result: "AuditResult") -> str:
    """Render a LaTeX table with intervals: one row per corpus and language, then one per group."""
    several, grouped = result.has_corpora, bool(result.groups)
    heads = ["Lang", f"{result.unit.capitalize()}s", "Words", "F", "M", "Women (%)", "With error", "M : F"]
    heads += ["Matched (%)", "Verdict"]
    rows = []
    for item in result.rows:
        share, ratio = item.women_share, item.masculine_per_feminine
        names = [item.corpus] * several + [item.group] * grouped + [item.lang]
        counts = [f"{number:,}" for number in (item.texts, item.words, *(item.row[name] for name in GENDERS))]
        error = show_interval(item.women_share_with_error, 1) or "–"
        matched = show_number(item.coverage_percent, 1)
        values = [show_number(share.value, 1), error, show_number(ratio.value, 2), matched]
        rows.append([*names, *counts, *values, item.verdict or item.grade.name or "–"])
        # Intervals go below the numbers because beside them they would not fit on a page.
        below = [show_interval(share, 1), "", show_interval(ratio, 2), "", ""]
        rows.append([""] * (len(names) + len(counts)) + below)
    return latex_table(
        ["Corpus"] * several + ["Group"] * grouped + heads,
        rows,
        "l" * (several + grouped) + "lrrrrrrrrl",
        caption=(
            f"{counted_in(result)} (method {result.settings.method}, lexicon {lexicon_of(result)}, "
            f"{result.settings.engine} engine). {SHARE_OF} (below) {intervals_of(result)}. {ERROR_OF} {RATIO_OF} "
            f"{matched_of(result)}. Verdict: {verdict_of(result)}. "
            + (f"By {result.settings.group_by}: {groups_of(result)} " if grouped else "")
        )
        + result.signature,
        label="tab:audit",
    )


def counted_in(result: "AuditResult") -> str:
    """Describe what is counted, as a heading."""
    if result.settings.method == PERSONS:
        return "Mentions of persons"
    return "Person nouns" if result.settings.method in (NOUNS, PUBLISHED) else "Words for persons"


def level_of(result: "AuditResult") -> str:
    """Format the confidence level of the intervals in percent."""
    return f"{100 * result.settings.confidence_level:g}"


def render_page(result: "AuditResult", template: str = "rendering.page.html.j2") -> str:
    """Render the page as HTML, or with `rendering.part.html.j2` the part that a notebook shows, with a style."""
    values = page_values(result) | {"is_part": template != "rendering.page.html.j2"}
    return audit_pages("textparity.auditing").get_template(template).render(**values)


def audit_pages(*packages: str) -> "Environment":
    """Make the environment for the templates of `packages`, with the audit's filters."""
    from textparity.pages import page_environment

    environment = page_environment(*packages)
    environment.filters |= {
        "estimate": show_estimate,
        "interval": show_interval,
        "number": show_number,
        "headline": headline,
        "notes": notes_on,
        "shown_verdict": shown_verdict,
        "number_of": number_of,
        # Jinja's own filter for a sentence's first letter would make all other letters lower-case.
        "begun": lambda text: text[:1].upper() + text[1:],
    }
    return environment


def page_values(result: "AuditResult") -> dict[str, Any]:
    """Collect the values that the template of the audit's page needs."""
    return {
        "result": result,
        "classes": CLASSES,
        "several": result.has_corpora,
        "level": level_of(result),
        "intervals": intervals_of(result),
        "matched": matched_of(result),
        "genders": GENDERS,
        "headlines": headlines(result),
        "share_of": SHARE_OF,
        "error_of": ERROR_OF,
        "ratio_of": RATIO_OF,
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
    """Compute the rate and interval of each class in percent of the language's longest bar."""
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
    sources: Sequence[InputFile],
    lexicon_folder: Path | None = None,
    documents: Path | None = None,
) -> None:
    """Raise an error, before anything is counted, if an output cannot be written or would overwrite an input.

    `files` are the targets of single tables; None and `-` may be among them. All tables are written to `folder`.
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
    """Make a key that all names of one file share. None if it is not a file: two tables may go to one pipe."""
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def write_outputs(
    result: "AuditResult", csv: str | None, latex: str | None, html: str | None, folder: Path | None
) -> None:
    """Write the requested tables, `-` to standard output after all files. A folder gets all tables and the page."""
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
        print_utf8(result.table().to_csv())
    elif STANDARD_OUTPUT in (latex, html):
        print_utf8(result.to_latex() if latex == STANDARD_OUTPUT else result.to_html())


def print_table(result: "AuditResult") -> None:
    """Print the readable table."""
    on_terminal = sys.stdout.isatty()
    width = get_terminal_size().columns if on_terminal else None
    print_readable(result.to_text(colour=on_terminal, width=width))


def print_json(result: "AuditResult", failures: Sequence["Failure"], unmet: Sequence[str]) -> None:
    """Print the result for programs: settings, rows, words, texts left out, checks that failed or matched no row."""
    tables = {"rows": result.table(), "words": result.words_table(), "left_out": result.left_out_table()}
    whole = {
        "signature": result.signature,
        "settings": asdict(result.settings),
        "files": result.files,
        "warnings": list(result.warnings),
        **{name: [without_infinity(row) for row in table.rounded()] for name, table in tables.items()},
        "failures": [asdict(failure) for failure in failures],
        "unmet": list(unmet),
    }
    print_utf8(json.dumps(whole, ensure_ascii=False, indent=1, default=str) + "\n")


def without_infinity(row: dict[str, Any]) -> dict[str, Any]:
    """Replace infinite numbers in a row by null, because JSON cannot represent them."""
    return {name: None if isinstance(value, float) and math.isinf(value) else value for name, value in row.items()}


def print_readable(text: str) -> None:
    """Print a text for people. Characters that the terminal cannot show become `?`."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    _print(text)


def print_utf8(text: str) -> None:
    """Print a text for programs in UTF-8, which is also what the page declares, whatever the terminal uses."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    _print(text)


def _print(text: str) -> None:
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
