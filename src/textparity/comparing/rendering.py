"""A comparison as text, CSV and a web page."""

import math
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from textparity import __version__
from textparity.auditing.charts import RatioScale
from textparity.auditing.command import STANDARD_OUTPUT
from textparity.auditing.rendering import TAKEN_AS, audit_pages, number_of
from textparity.auditing.units import LINE
from textparity.files import printable, write_text

if TYPE_CHECKING:
    from textparity.auditing.results import Estimate
    from textparity.comparing.comparison import ComparedCorpus, ComparisonResult
    from textparity.measures.statistics import Interval

_NOTE_WIDTH = 105
_OF_LANGUAGES = "Between languages, this compares languages and lexicons first, and a word beside its translation."
# The least that the chart shows on both sides of 1.
_LEAST = 1.1


def render_text(result: "ComparisonResult", top: int) -> str:
    """Return the corpora as a table, then the `top` words of each difference."""
    rows = [
        [value + (f" [{interval}]" if interval else "") for value, interval in _cells(one)] for one in result.corpora
    ]
    heads = _heads(result)
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (heads, *rows)
    ]
    lines += [
        "",
        *wrap(
            f"M : F: masculine words for a feminine one. times: M : F over that of {_reference(result)}. women: the "
            "feminine share of both, in percentage points more or less. In brackets, what lies between the ends of "
            f"{_intervals_of(result)}; p by a permutation test, adjusted by Holm.",
            _NOTE_WIDTH,
        ),
        *([_OF_LANGUAGES] if len({one.audit.lang for one in result.corpora}) > 1 else []),
        *_left_out(result),
    ]
    for one in result.corpora:
        if one.comparison and top:
            lines += ["", *_words(one, top)]
    lines += ["", *dict.fromkeys(printable(one.audit.signature) for one in result.corpora)]
    return "\n".join(lines)


def render_page(result: "ComparisonResult", top: int) -> str:
    """Return the page as HTML: a chart, the table, the `top` words of each difference; it needs nothing else."""
    template = audit_pages("textparity.comparing", "textparity.auditing").get_template("rendering.html.j2")
    found = [one.comparison for one in result.corpora if one.comparison]
    ends = (end for one in found for end in (one.ratio, one.ratio_interval.low, one.ratio_interval.high))
    return template.render(
        result=result,
        reference=_reference(result),
        others=len({one.name for one in result.corpora}) - 1,
        langs=list(dict.fromkeys(one.audit.name for one in result.corpora)),
        scale=RatioScale.of(ends, _LEAST),
        heads=_heads(result),
        rows=[_cells(one) for one in result.corpora],
        intervals=_intervals_of(result),
        left_out=_left_out(result),
        top=top,
        signatures=list(dict.fromkeys(one.audit.signature for one in result.corpora)),
        version=__version__,
        of_languages=_OF_LANGUAGES,
    )


def _heads(result: "ComparisonResult") -> tuple[str, ...]:
    units = f"{result.unit}s"
    return ("corpus", "lang", units, "F", "M", "M : F", "times", "women, points", "p", "verdict")


def _reference(result: "ComparisonResult") -> str:
    return printable(result.corpora[0].name)


def _intervals_of(result: "ComparisonResult") -> str:
    level = f"{100 * result.settings.confidence_level:g} %"
    paired = f"paired by {LINE}" if result.is_paired else "not paired"
    return f"{level} bootstrap intervals over {result.unit}s{TAKEN_AS * (result.unit == LINE)}, {paired}"


def _left_out(result: "ComparisonResult") -> list[str]:
    """Return what was not compared, in sentences."""
    lines = []
    if result.left_out:
        lines.append(f"Not in all corpora, so not compared: {', '.join(result.left_out)}.")
    if left_out := {one.name: one.left_out for one in result.corpora if one.left_out}:
        listed = ", ".join(f"{number:,} of {printable(name)}" for name, number in left_out.items())
        lines.append(f"Texts left out, for reasons that textparity audit gives: {listed}.")
    if unpaired := sum(one.unpaired for one in result.corpora):
        lines.append(f"Without a partner, so not compared: {number_of(unpaired, result.unit)}.")
    return lines


def _cells(one: "ComparedCorpus") -> list[tuple[str, str]]:
    """Return values, each with its interval, which may be empty."""
    feminine, masculine = one.counts.sum(axis=0)
    ratio = one.audit.masculine_per_feminine
    own = _with_interval(ratio.value, ratio, "{:.2f}")
    counts = (printable(one.name), one.audit.lang, f"{one.audit.texts:,}", f"{feminine:,}", f"{masculine:,}")
    first = [*((value, "") for value in counts), own]
    found = one.comparison
    if found is None:
        return [*first, ("", ""), ("", ""), ("", ""), ("reference", "")]
    seems = one.verdict_unadjusted != one.verdict
    verdict, alone = map(_than_reference, (one.verdict, one.verdict_unadjusted))
    return [
        *first,
        _with_interval(found.ratio, found.ratio_interval, "{:.2f}"),
        _with_interval(found.difference, found.difference_interval, "{:+.1f}"),
        ("" if math.isnan(one.p_value_holm) else f"{one.p_value_holm:.4f}", ""),
        (verdict + (f" (alone: {alone})" if seems else ""), ""),
    ]


def _than_reference(verdict: str) -> str:
    """Return a verdict as what it says: of the reference, the M : F itself may be on either side of 1."""
    return f"more {verdict}" if verdict in ("feminine", "masculine") else verdict


def _with_interval(value: float, interval: "Interval | Estimate", form: str) -> tuple[str, str]:
    if math.isnan(value):
        return "–", ""
    return form.format(value), "" if math.isnan(
        interval.low
    ) else f"{form.format(interval.low)}, {form.format(interval.high)}"


def _words(one: "ComparedCorpus", top: int) -> list[str]:
    shown = f" (the first {top} of {len(one.words):,})" if top < len(one.words) else ""
    said = (
        f"{printable(one.name)}: what words{shown} add to the difference of the gaps (masculine − feminine, % of words)"
    )
    return [
        said,
        *(
            f"  {word.contribution:+.4f}  {printable(word.word)} ({word.gender}): {word.reference:,} → {word.count:,}"
            for word in one.words[:top]
        ),
    ]


def write_output(text: str, output: str) -> None:
    """Write a text to a file or, for `-`, to standard output."""
    if output == STANDARD_OUTPUT:
        print(text, end="")
    else:
        write_text(Path(output), text)
