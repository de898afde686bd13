"""Render a comparison as text and as a page."""

import math
from dataclasses import asdict
from textwrap import wrap
from typing import TYPE_CHECKING

from textparity.auditing.formats import LINE, number_of
from textparity.auditing.reliability import KIN_NOUNS_ONLY
from textparity.auditing.showing.columns import align_columns
from textparity.auditing.showing.outputs import print_tables_as_json
from textparity.auditing.showing.page import audit_pages, page_script
from textparity.auditing.showing.sentences import TAKEN_AS
from textparity.comparing.ratio_scale import RatioScale
from textparity.comparing.statistics import PERMUTATIONS
from textparity.counting.statistics import TOO_FEW, UNDEFINED
from textparity.files import printable

if TYPE_CHECKING:
    from textparity.auditing.checks import Checks
    from textparity.comparing.comparison import ComparedCorpus, ComparisonResult
    from textparity.counting.statistics import Estimate

_NOTE_WIDTH = 105
_ACROSS_LANGUAGES = (
    "Between languages, differences come first from the languages and lexicons, and a word is listed apart from "
    "its translation. The method's errors differ, too: a verdict also needs the difference between the shares, with "
    "the known errors of both, to exclude 0."
)
# The chart reaches at least this far on both sides of 1.
_LEAST = 1.1
# A smaller share of common texts in the smaller corpus is not reported: a few short texts, such as the name of an
# agency, are in most corpora.
_SHARED = 0.01


def render_text(result: "ComparisonResult", top: int) -> str:
    """Render the corpora as a table, then the `top` words of each difference."""
    heads = _heads(result)
    rows = [
        [value + (f" [{interval}]" if interval else "") for value, interval in _cells(one)] for one in result.corpora
    ]
    notes = [
        f"{_columns_of(result)} In brackets, {_intervals_of(result)}. {_test_of(result)}",
        *([_ACROSS_LANGUAGES] if len({one.audit.lang for one in result.corpora}) > 1 else []),
        *_notes(result),
    ]
    lines = [
        *(f"Careful: {printable(warning)}" for warning in result.warnings),
        *align_columns([heads, *rows]),
        "",
        *(line for note in notes for line in wrap(note, _NOTE_WIDTH)),
    ]
    for one in result.corpora:
        if one.comparison and top:
            lines += ["", *_words(one, top)]
    return "\n".join([*lines, "", *dict.fromkeys(printable(one.audit.signature) for one in result.corpora)])


def render_page(result: "ComparisonResult", top: int) -> str:
    """Render the page as HTML: a chart, the table, and the `top` words of each difference. It needs no other file."""
    environment = audit_pages("textparity.comparing")
    found = [one.comparison for one in result.corpora if one.comparison]
    ends = (end for one in found for end in (one.ratio.value, one.ratio.low, one.ratio.high))
    return environment.get_template("rendering.html.j2").render(
        result=result,
        script=page_script(len(result.corpora)),
        top=top,
        reference=_reference(result),
        columns=_columns_of(result),
        langs=list(dict.fromkeys(one.audit.name for one in result.corpora)),
        scale=RatioScale.of(ends, _LEAST),
        heads=_heads(result),
        rows=[_cells(one) for one in result.corpora],
        intervals=_intervals_of(result),
        test=_test_of(result),
        notes=_notes(result),
        across_languages=_ACROSS_LANGUAGES,
    )


def print_json(result: "ComparisonResult", top: int, checks: "Checks") -> None:
    """Print the result for programs: settings, rows, the `top` words of each difference, and checks."""
    signatures = dict.fromkeys(one.audit.signature for one in result.corpora)
    head = {
        "signatures": list(signatures),
        "settings": asdict(result.settings) | {"top": top},
        "warnings": list(result.warnings),
        "notes": _notes(result),
    }
    print_tables_as_json(head, {"rows": result.table, "words": result.top_words_table(top)}, checks)


def _heads(result: "ComparisonResult") -> tuple[str, ...]:
    return ("corpus", "lang", f"{result.unit}s", "F", "M", "women %", "points", "M : F", "ratio", "p", "verdict")


def _columns_of(result: "ComparisonResult") -> str:
    """Describe the columns of the table."""
    reference = _reference(result)
    return (
        "Women %: feminine in percent of feminine and masculine matches. Points: how many percentage points that is "
        f"more or less than in {reference}. M : F: masculine matches per feminine match. Ratio: M : F divided by "
        f"that of {reference}."
    )


def _reference(result: "ComparisonResult") -> str:
    return printable(result.corpora[0].name)


def _intervals_of(result: "ComparisonResult") -> str:
    level = f"{100 * result.settings.confidence_level:g} %"
    paired = f", paired by {LINE}" if result.is_paired else ""
    return f"{level} intervals over {result.unit}s{TAKEN_AS * (result.unit == LINE)}{paired}"


def _test_of(result: "ComparisonResult") -> str:
    """Describe in sentences how the verdict is decided."""
    return (
        f"The verdict is based on p (p ≤ {1 - result.settings.confidence_level:.2g}) of a permutation test, adjusted "
        f"by Holm, not on the interval. Both are random ({result.settings.resamples:,} resamples; {PERMUTATIONS:,} "
        "permutations), so their last digits change with the seed. Within a language, the method is taken to err alike "
        "in all corpora."
    )


def _notes(result: "ComparisonResult") -> list[str]:
    """Describe in sentences the caveats of single comparisons, and what was not compared."""
    lines = [line for one in result.corpora if (line := _overlap(one, result))]
    if result.left_out:
        lines.append(f"Not in all corpora, so not compared: {', '.join(result.left_out)}.")
    if left_out := {one.name: one.left_out for one in result.corpora if one.left_out}:
        listed = ", ".join(f"{number:,} of {printable(name)}" for name, number in left_out.items())
        lines.append(f"Texts left out, for reasons that textparity audit shows: {listed}.")
    if unpaired := sum(one.unpaired for one in result.corpora):
        lines.append(
            "Without a partner (counted in F, M, women %, M : F and words, but not in points, ratio and p): "
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
            f"{part} is {whole} without {size - shared:,} of its {number_of(size, result.unit)}: intervals resample "
            f"the {result.unit}s of {whole}, kept or left out; p is how often M : F changes as much if the same number "
            "is left out at random."
        )
    of_own, of_others = (100 * shared / number for number in (of_other, of_reference))
    return (
        f"{name} has {number_of(shared, result.unit)} in common with {reference} ({of_own:.0f} % of its own, "
        f"{of_others:.0f} % of the other's): points, ratio and p treat them as independent, so intervals are too wide "
        "and p is too large. Add --paired if each line is a changed version of the same text; otherwise, compare the "
        "texts that only one of them has."
    )


def _cells(one: "ComparedCorpus") -> list[tuple[str, str]]:
    """List values, each with its interval, which may be empty."""
    feminine, masculine = one.counts.sum(axis=0)
    counts = (printable(one.name), one.audit.lang, f"{one.audit.texts:,}", f"{feminine:,}", f"{masculine:,}")
    found, p_value, verdict = one.comparison, "", "reference"
    if found:
        p_value = "" if math.isnan(one.p_value_holm) else f"{one.p_value_holm:.4f}"
        # M : F itself may be on either side of 1, so the verdict is relative to the reference.
        verdict, alone = (
            f"more {name}" if name in ("feminine", "masculine") else name or KIN_NOUNS_ONLY
            for name in (one.verdict, one.verdict_unadjusted)
        )
        verdict += f" (unadjusted: {alone})" if verdict != alone else ""
    difference, ratio = ("", ""), ("", "")
    if found:
        # As in the audit, shares are stated only with a verdict.
        is_stated = one.verdict not in ("", TOO_FEW)
        difference = _cell(found.difference if is_stated else UNDEFINED, "{:+.1f}")
        ratio = _cell(found.ratio if is_stated else UNDEFINED, "{:.2f}")
    return [
        *((value, "") for value in counts),
        _cell(one.audit.stated(one.audit.women_share), "{:.1f}"),
        difference,
        _cell(one.audit.stated(one.audit.masculine_per_feminine), "{:.2f}"),
        ratio,
        (p_value, ""),
        (verdict, ""),
    ]


def _cell(estimate: "Estimate", form: str) -> tuple[str, str]:
    if math.isnan(estimate.value):
        return "–", ""
    value, low, high = (
        "∞" if math.isinf(number) else form.format(number) for number in (estimate.value, estimate.low, estimate.high)
    )
    if math.isnan(estimate.low):
        return value, ""
    return value, f"{low} or more" if math.isinf(estimate.high) else f"{low}, {high}"


def _words(one: "ComparedCorpus", top: int) -> list[str]:
    words, name = one.differing_words, printable(one.name)
    if not words:
        return [f"{name}: no word contributes differently to the gap"]
    shown = f" (the first {top} of {len(words):,})" if top < len(words) else ""
    return [
        f"{name}: what words{shown} add to the difference of the gaps (masculine − feminine, % of words)",
        *(
            f"  {word.contribution:+.4f}  {printable(word.word)} ({word.gender}): {word.reference:,} → {word.count:,}"
            for word in words[:top]
        ),
    ]
