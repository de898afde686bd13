"""The result as text for a terminal."""

import math
from textwrap import wrap

from textparity.auditing.findings import Estimate, Findings, LanguageAudit
from textparity.characters import printable, writable
from textparity.measures.lexicon import CLASSES

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
_NOTE_WIDTH = 80


def render_text(result: Findings, colour: bool = False, width: int | None = None) -> str:
    """Return the table, then words and examples of each language.

    Matches are bold with `colour`, else in brackets; with a `width`, a table that is wider has its intervals below.
    """
    parts = [_head(result), "\n".join(f"Careful: {printable(doubt)}" for doubt in result.doubts)]
    if result.languages:
        parts.append(_table(result, width))
        parts += [_language(item, colour, result.has_corpora or len(result.languages) > 1) for item in result.languages]
    parts.append(_left_out(result))
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(result: Findings) -> str:
    settings = result.settings
    files = f"{result.files:,} file{'s' * (result.files != 1)}, " if result.files else ""
    return (
        f"{files}{result.texts:,} texts, {result.words:,} words; lexicon {lexicon_of(result)}, "
        f"{settings.engine} engine, {settings.procedure} procedure"
    )


def _table(result: Findings, width: int | None) -> str:
    several = result.has_corpora
    heads = ["corpus"] * several + ["lang", "texts", "words", "feminine %", "masculine %", "unspecified %", "M : F",
                                    "matched", "verdict"]  # fmt: skip
    rows = [_cells(item, several) for item in result.languages]
    lines = _lines(
        heads, [[[f"{value} ({interval})" if interval else value for value, interval in row]] for row in rows]
    )
    if width and max(map(len, lines)) > width:
        # Intervals go below their numbers.
        lines = _lines(heads, [[list(values) for values in zip(*row, strict=True)] for row in rows])
    level = f"{100 * result.settings.confidence_level:g} %"
    lines += [
        f"Person nouns in percent of words, with {level} bootstrap intervals over texts.",
        *wrap(f"Verdict: {verdict_of(result)}.", _NOTE_WIDTH),
    ]
    return "\n".join(lines)


def _cells(item: LanguageAudit, several: bool) -> list[tuple[str, str]]:
    estimates = [*((item.rate(name), 3) for name in CLASSES), (item.masculine_per_feminine, 2)]
    return [
        *([(_short(item.corpus), "")] * several),
        (item.lang, ""),
        (f"{item.texts:,}", ""),
        (f"{item.words:,}", ""),
        *((show_number(estimate.value, digits), show_interval(estimate, digits)) for estimate, digits in estimates),
        (show_number(item.coverage_percent, 1, " %"), ""),
        (item.verdict or "–", ""),
    ]


def _lines(heads: list[str], rows: list[list[list[str]]]) -> list[str]:
    """Return the lines of a table whose rows have one or more lines."""
    right = {"texts", "words", "matched"}
    flat = [line for row in rows for line in row]
    widths = [max(map(len, column)) for column in zip(heads, *flat, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if head in right else cell.ljust(width)
            for head, cell, width in zip(heads, line, widths, strict=True)
        ).rstrip()
        for line in [heads, ["─" * width for width in widths], *flat]
    ]


def _language(item: LanguageAudit, colour: bool, titled: bool) -> str:
    lines = [f"{item.name} ({item.lang})" + (f", {_short(item.corpus)}" if titled else "")]
    if item.detected:
        lines.append(f"  language detected for {item.detected:,} texts, mean probability {item.mean_certainty:.2f}")
    for name in CLASSES:
        words = ", ".join(f"{found.word} {found.count:,}" for found in item.frequent_words[name])
        lines.append(f"  {name:<12} {words or '–'}")
    for name in CLASSES:
        if item.examples[name]:
            lines.append(f"  {name} in context")
            for example in item.examples[name]:
                marked = example.marked(BOLD, PLAIN) if colour else example.marked()
                lines.append(f"    {_short(example.file)}:{example.place}  {marked}")
    return "\n".join(lines)


def _left_out(result: Findings) -> str:
    lines = [f"  {number:,} texts: {reason}" for reason, number in result.left_out.items()]
    lines += [f"  file {printable(message)}" for _, message in result.failed]
    lines += [f"  file {printable(name)}: no text counted" for name in result.empty]
    lines += [f"  {number:,} {printable(reason)}" for reason, number in result.ignored.items()]
    return "\n".join(["Left out", *lines]) if lines else ""


def lexicon_of(result: Findings) -> str:
    """Return the name of the lexicon, or of the folder that it is in."""
    folder = result.settings.lexicon_folder
    return writable(folder.name) if folder else result.settings.lexicon


def verdict_of(result: Findings) -> str:
    """Return what the verdict goes by."""
    settings = result.settings
    if settings.procedure == "published":
        return "the gap against two standard errors, in percent against a fraction, as published"
    tests = sum(not math.isnan(item.row["p_value"]) for item in result.languages)
    return (
        f"a test of the gap over texts, at {100 * (1 - settings.confidence_level):g} %"
        + (f", adjusted by Holm for {tests} tests" if tests > 1 else "")
        + f"; too few: under {settings.minimum_matches} feminine and masculine words together, under "
        f"{settings.minimum_units} texts with one, or texts all alike"
    )


def show_number(value: float, digits: int, unit: str = "") -> str:
    """Return a number, or a dash where it is not defined."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}{unit}"


def show_interval(estimate: Estimate, digits: int) -> str:
    """Return the interval of a number, nothing where it is not defined."""
    if math.isnan(estimate.low) or math.isnan(estimate.value):
        return ""
    return f"{estimate.low:.{digits}f}–{estimate.high:.{digits}f}"


def show_estimate(estimate: Estimate, digits: int) -> str:
    """Return a number with its interval."""
    interval = show_interval(estimate, digits)
    return show_number(estimate.value, digits) + (f" ({interval})" if interval else "")


def _short(name: str) -> str:
    name = printable(name)
    return name if len(name) <= 40 else f"…{name[-39:]}"
