"""Render a comparison as text, CSV and a web page."""

import math
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from textparity import __version__
from textparity.auditing.charts import RatioScale
from textparity.auditing.command import STANDARD_OUTPUT
from textparity.auditing.rendering import TAKEN_AS, audit_pages, print_utf8, show_interval, show_number
from textparity.auditing.text_units import LINE, number_of
from textparity.comparing.statistics import PERMUTATIONS
from textparity.files import printable, write_text

if TYPE_CHECKING:
    from textparity.auditing.results import Estimate
    from textparity.comparing.comparison import ComparedCorpus, ComparisonResult
    from textparity.counting.statistics import Interval

_NOTE_WIDTH = 105
_OF_LANGUAGES = "Between languages, this compares languages and lexicons first, and a word beside its translation."
# The chart reaches at least this far on both sides of 1.
_LEAST = 1.1
# A smaller share of common texts in the smaller corpus is not reported: a few short texts, such as the name of an
# agency, are in most corpora.
_SHARED = 0.01


def render_text(result: "ComparisonResult", top: int) -> str:
    """Render the corpora as a table, then the `top` words of each difference."""
    rows = [
        [value + (f" [{interval}]" if interval else "") for value, interval in _cells(one)] for one in result.corpora
    ]
    heads = _heads(result)
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = [f"Careful: {printable(doubt)}" for doubt in result.warnings]
    lines += [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (heads, *rows)
    ]
    lines += [
        "",
        *wrap(
            f"{_columns_of(result)} In brackets, {_intervals_of(result)}. {_test_of(result)}",
            _NOTE_WIDTH,
        ),
        *([_OF_LANGUAGES] if len({one.audit.lang for one in result.corpora}) > 1 else []),
        *(line for note in _notes(result) for line in wrap(note, _NOTE_WIDTH)),
    ]
    for one in result.corpora:
        if one.comparison and top:
            lines += ["", *_words(one, top)]
    lines += ["", *dict.fromkeys(printable(one.audit.signature) for one in result.corpora)]
    return "\n".join(lines)


def render_page(result: "ComparisonResult", top: int) -> str:
    """Render the page as HTML: a chart, the table, and the `top` words of each difference. It needs no other file."""
    template = audit_pages("textparity.comparing", "textparity.auditing").get_template("rendering.html.j2")
    found = [one.comparison for one in result.corpora if one.comparison]
    ends = (end for one in found for end in (one.ratio, one.ratio_interval.low, one.ratio_interval.high))
    return template.render(
        result=result,
        reference=_reference(result),
        columns=_columns_of(result),
        others=len({one.name for one in result.corpora}) - 1,
        langs=list(dict.fromkeys(one.audit.name for one in result.corpora)),
        scale=RatioScale.of(ends, _LEAST),
        heads=_heads(result),
        rows=[_cells(one) for one in result.corpora],
        intervals=_intervals_of(result),
        test=_test_of(result),
        notes=_notes(result),
        top=top,
        signatures=list(dict.fromkeys(one.audit.signature for one in result.corpora)),
        version=__version__,
        of_languages=_OF_LANGUAGES,
    )


def _heads(result: "ComparisonResult") -> tuple[str, ...]:
    units = f"{result.unit}s"
    return ("corpus", "lang", units, "F", "M", "women %", "points", "M : F", "times", "p", "verdict")


def _columns_of(result: "ComparisonResult") -> str:
    """Describe the columns of the table."""
    reference = _reference(result)
    return (
        "Women %: feminine in percent of feminine and masculine matches. Points: how many percentage points that is "
        f"more or less than in {reference}. M : F: masculine for each feminine match. Times: M : F divided by that of "
        f"{reference}."
    )


def _reference(result: "ComparisonResult") -> str:
    return printable(result.corpora[0].name)


def _intervals_of(result: "ComparisonResult") -> str:
    level = f"{100 * result.settings.confidence_level:g} %"
    paired = f", paired by {LINE}" if result.is_paired else ""
    return f"{level} bootstrap intervals over {result.unit}s{TAKEN_AS * (result.unit == LINE)}{paired}"


def _test_of(result: "ComparisonResult") -> str:
    """Describe in sentences how the verdict is decided."""
    return (
        f"p, of a permutation test, adjusted by Holm, decides the verdict (p ≤ "
        f"{1 - result.settings.confidence_level:.2g}), the interval does not. Both are drawn "
        f"({result.settings.resamples:,} resamples; {PERMUTATIONS:,} permutations): last digits change with the seed."
    )


def _notes(result: "ComparisonResult") -> list[str]:
    """Describe in sentences the caveats of single comparisons, and what was not compared."""
    lines = [line for one in result.corpora if (line := _overlap(one, result))]
    if result.left_out:
        lines.append(f"Not in all corpora, so not compared: {', '.join(result.left_out)}.")
    if left_out := {one.name: one.left_out for one in result.corpora if one.left_out}:
        listed = ", ".join(f"{number:,} of {printable(name)}" for name, number in left_out.items())
        lines.append(f"Texts left out, for reasons that textparity audit gives: {listed}.")
    if unpaired := sum(one.unpaired for one in result.corpora):
        lines.append(
            f"Without a partner, so in F, M, women %, M : F and words, but not in points, times and p: "
            f"{number_of(unpaired, result.unit)}."
        )
    return lines


def _overlap(one: "ComparedCorpus", result: "ComparisonResult") -> str:
    """Describe in sentences the texts that a corpus and the reference share. Empty if there are only a few."""
    if one.overlap is None or one.overlap.shared < _SHARED * min(one.overlap.reference, one.overlap.other):
        return ""
    shared, of_reference, of_other = one.overlap
    name, reference = printable(one.name), _reference(result)
    if shared == of_reference == of_other:
        return f"{name} has the same {result.unit}s as {reference}, all {shared:,}."
    if one.overlap.is_part:
        part, whole, size = (name, reference, of_reference) if shared == of_other else (reference, name, of_other)
        return (
            f"{part} is {whole} without {size - shared:,} of its {number_of(size, result.unit)}: intervals are over "
            f"{result.unit}s of {whole}, kept or left out; p is how often M : F changes as much where as many are left "
            "out at random."
        )
    of_own, of_others = (100 * shared / number for number in (of_other, of_reference))
    return (
        f"{name} has {number_of(shared, result.unit)} in common with {reference} ({of_own:.0f} % of its own, "
        f"{of_others:.0f} % of the other's): points, times and p take them for independent, so intervals are too wide "
        "and p is too large. Add --paired where each line is the same text, changed; else compare what only one of "
        "them has."
    )


def _cells(one: "ComparedCorpus") -> list[tuple[str, str]]:
    """List values, each with its interval, which may be empty."""
    feminine, masculine = one.counts.sum(axis=0)
    share, ratio = one.audit.women_share, one.audit.masculine_per_feminine
    counts = (printable(one.name), one.audit.lang, f"{one.audit.texts:,}", f"{feminine:,}", f"{masculine:,}")
    first = [*((value, "") for value in counts), (show_number(share.value, 1), _ends_of(share, 1))]
    own = (show_number(ratio.value, 2), _ends_of(ratio, 2))
    found = one.comparison
    if found is None:
        return [*first, ("", ""), own, ("", ""), ("", ""), ("reference", "")]
    verdict, alone = map(_than_reference, (one.verdict, one.verdict_unadjusted))
    return [
        *first,
        _with_interval(found.difference, found.difference_interval, "{:+.1f}"),
        own,
        _with_interval(found.ratio, found.ratio_interval, "{:.2f}"),
        ("" if math.isnan(one.p_value_holm) else f"{one.p_value_holm:.4f}", ""),
        (verdict + (f" (alone: {alone})" if one.verdict_unadjusted != one.verdict else ""), ""),
    ]


def _than_reference(verdict: str) -> str:
    """Describe a verdict relative to the reference. M : F itself may be on either side of 1."""
    return f"more {verdict}" if verdict in ("feminine", "masculine") else verdict


def _ends_of(estimate: "Estimate", digits: int) -> str:
    return show_interval(estimate, digits).replace("–", ", ")


def _with_interval(value: float, interval: "Interval", form: str) -> tuple[str, str]:
    if math.isnan(value):
        return "–", ""
    return form.format(value), "" if math.isnan(
        interval.low
    ) else f"{form.format(interval.low)}, {form.format(interval.high)}"


def _words(one: "ComparedCorpus", top: int) -> list[str]:
    if not one.differing_words:
        return [f"{printable(one.name)}: no word differs in how much it adds to the gap"]
    shown = f" (the first {top} of {len(one.differing_words):,})" if top < len(one.differing_words) else ""
    said = (
        f"{printable(one.name)}: what words{shown} add to the difference of the gaps (masculine − feminine, % of words)"
    )
    return [
        said,
        *(
            f"  {word.contribution:+.4f}  {printable(word.word)} ({word.gender}): {word.reference:,} → {word.count:,}"
            for word in one.differing_words[:top]
        ),
    ]


def write_output(text: str, output: str) -> None:
    """Write a text to a file or, for `-`, to standard output."""
    if output == STANDARD_OUTPUT:
        print_utf8(text)
    else:
        write_text(Path(output), text)
