"""Render a comparison as text and as a page."""

import math
from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from textparity.auditing.reliability import KIN_NOUNS_ONLY
from textparity.auditing.showing.columns import align_columns
from textparity.auditing.showing.page import audit_pages, page_script
from textparity.auditing.showing.sentences import TAKEN_AS, Wording, wording_of
from textparity.auditing.showing.tables import render_tables_as_json
from textparity.comparing.ratio_scale import RatioScale
from textparity.comparing.results import ComparedCorpus, ComparisonData, Overlap, WordDifference
from textparity.estimating.estimates import UNDEFINED, Estimate
from textparity.estimating.gaps import TOO_FEW
from textparity.estimating.hypothesis_tests import PERMUTATIONS
from textparity.files import number_of, printable
from textparity.reading.options import LINE

if TYPE_CHECKING:
    from textparity.auditing.checks import Checks

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


class ComparedCell(NamedTuple):
    """A cell of the table of corpora: its value, and the interval of the value, which may be empty."""

    value: str
    interval: str = ""

    def __str__(self) -> str:
        return f"{self.value} [{self.interval}]" if self.interval else self.value


def render_text(result: ComparisonData, top: int) -> str:
    """Render the corpora as a table, then the `top` words of each difference."""
    lines = [f"Careful: {printable(warning)}" for warning in result.warnings]
    table: list[Sequence[str]] = [_heads(result)]
    for corpus in result.corpora:
        table.append([str(cell) for cell in _cells(corpus)])
    lines += align_columns(table)
    lines.append("")
    notes = [f"{_describe_columns(result)} In brackets, {_describe_intervals(result)}. {_describe_test(result)}"]
    langs = {corpus.audit.lang for corpus in result.corpora}
    if len(langs) > 1:
        notes.append(_ACROSS_LANGUAGES)
    for note in notes + _notes(result):
        lines += wrap(note, _NOTE_WIDTH)
    wording = _wording(result)
    for corpus in result.corpora:
        if corpus.comparison and top:
            lines += ["", *_list_words(corpus, top, wording)]
    signatures = dict.fromkeys(printable(corpus.audit.signature) for corpus in result.corpora)
    return "\n".join([*lines, "", *signatures])


def render_page(result: ComparisonData, top: int) -> str:
    """Render the page as HTML: a chart, the table, and the `top` words of each difference. It needs no other file."""
    environment = audit_pages("textparity.comparing")
    wording = _wording(result)
    shown_ratios: list[float] = []
    for corpus in result.corpora:
        if corpus.comparison:
            ratio = corpus.comparison.ratio
            shown_ratios += (ratio.value, ratio.low, ratio.high)
    return environment.get_template("rendering.html.j2").render(
        result=result,
        script=page_script(len(result.corpora)),
        top=top,
        form=wording.form,
        forms=wording.forms,
        reference=_reference(result),
        columns=_describe_columns(result),
        langs=list(dict.fromkeys(corpus.audit.name for corpus in result.corpora)),
        scale=RatioScale.of(shown_ratios, _LEAST),
        heads=_heads(result),
        rows=[_cells(corpus) for corpus in result.corpora],
        intervals=_describe_intervals(result),
        test=_describe_test(result),
        notes=_notes(result),
        across_languages=_ACROSS_LANGUAGES,
    )


def render_json(result: ComparisonData, top: int, checks: "Checks") -> str:
    """Render the result for programs: settings, rows, the `top` words of each difference, and checks."""
    signatures = dict.fromkeys(corpus.audit.signature for corpus in result.corpora)
    head = {
        "signatures": list(signatures),
        "settings": result.settings.flat() | {"top": top},
        "warnings": list(result.warnings),
        "notes": _notes(result),
    }
    tables = {"rows": result.table, "words": result.top_words_table(top)}
    return render_tables_as_json(head, tables, checks)


def _heads(result: ComparisonData) -> tuple[str, ...]:
    return ("corpus", "lang", f"{result.unit}s", "F", "M", "women %", "points", "M : F", "ratio", "p", "verdict")


def _describe_columns(result: ComparisonData) -> str:
    """Describe the columns of the table."""
    reference = _reference(result)
    wording = _wording(result)
    return (
        f"Women %: {wording.share}. Points: how many percentage points that is more or less than in {reference}. "
        f"M : F: {wording.ratio}. Ratio: M : F divided by that of {reference}."
    )


def _reference(result: ComparisonData) -> str:
    return printable(result.corpora[0].name)


def _describe_intervals(result: ComparisonData) -> str:
    level = f"{100 * result.settings.estimating.confidence_level:g} %"
    taken_as = TAKEN_AS if result.unit == LINE else ""
    paired = f", paired by {LINE}" if result.is_paired else ""
    return f"{level} intervals over {result.unit}s{taken_as}{paired}"


def _describe_test(result: ComparisonData) -> str:
    """Describe in sentences how the verdict is decided."""
    estimating = result.settings.estimating
    return (
        f"The verdict is based on p (p ≤ {1 - estimating.confidence_level:.2g}) of a permutation test, adjusted "
        f"by Holm, not on the interval. Both are random ({estimating.resamples:,} resamples; {PERMUTATIONS:,} "
        "permutations), so their last digits change with the seed. Within a language, the method is taken to err alike "
        "in all corpora."
    )


def _notes(result: ComparisonData) -> list[str]:
    """Describe in sentences the caveats of single comparisons, and what was not compared."""
    descriptions = (_describe_overlap(corpus, result) for corpus in result.corpora)
    notes = [description for description in descriptions if description]
    if result.left_out:
        notes.append(f"Not in all corpora, so not compared: {', '.join(result.left_out)}.")
    left_out = {corpus.name: corpus.left_out for corpus in result.corpora if corpus.left_out}
    if left_out:
        counts = ", ".join(f"{count:,} of {printable(name)}" for name, count in left_out.items())
        notes.append(f"Texts left out, for reasons that textparity audit shows: {counts}.")
    unpaired = sum(corpus.unpaired for corpus in result.corpora)
    if unpaired:
        notes.append(
            "Without a partner (counted in F, M, women %, M : F and words, but not in points, ratio and p): "
            f"{number_of(unpaired, result.unit)}."
        )
    return notes


def _describe_overlap(corpus: ComparedCorpus, result: ComparisonData) -> str:
    """Describe in sentences the texts that a corpus and the reference share. Empty if there are only a few."""
    overlap = corpus.overlap
    if overlap is None or overlap.shared < _SHARED * min(overlap.reference, overlap.other):
        return ""
    name, reference = printable(corpus.name), _reference(result)
    if overlap.shared == overlap.reference == overlap.other:
        return f"{name} has the same {result.unit}s as {reference}, all {overlap.shared:,}."
    if overlap.is_part:
        return _describe_part(name, reference, overlap, result.unit)
    percent_of_own = 100 * overlap.shared / overlap.other
    percent_of_reference = 100 * overlap.shared / overlap.reference
    return (
        f"{name} has {number_of(overlap.shared, result.unit)} in common with {reference} ({percent_of_own:.0f} % of "
        f"its own, {percent_of_reference:.0f} % of the other's): points, ratio and p treat them as independent, so "
        "intervals are too wide and p is too large. Add --paired if each line is a changed version of the same text; "
        "otherwise, compare the texts that only one of them has."
    )


def _describe_part(name: str, reference: str, overlap: Overlap, unit: str) -> str:
    """Describe in sentences that one corpus contains all texts of the other."""
    if overlap.shared == overlap.other:
        part, whole, size = name, reference, overlap.reference
    else:
        part, whole, size = reference, name, overlap.other
    return (
        f"{part} is {whole} without {size - overlap.shared:,} of its {number_of(size, unit)}: intervals resample "
        f"the {unit}s of {whole}, kept or left out; p is how often M : F changes as much if the same number "
        "is left out at random."
    )


def _cells(corpus: ComparedCorpus) -> list[ComparedCell]:
    """List the cells of a corpus, in the order of the heads."""
    feminine, masculine = corpus.counts.sum(axis=0)
    difference, ratio, p_value, verdict = _comparison_cells(corpus)
    return [
        ComparedCell(printable(corpus.name)),
        ComparedCell(corpus.audit.lang),
        ComparedCell(f"{corpus.audit.texts:,}"),
        ComparedCell(f"{feminine:,}"),
        ComparedCell(f"{masculine:,}"),
        _estimate_cell(corpus.audit.stated(corpus.audit.women_share), "{:.1f}"),
        difference,
        _estimate_cell(corpus.audit.stated(corpus.audit.masculine_per_feminine), "{:.2f}"),
        ratio,
        p_value,
        verdict,
    ]


def _comparison_cells(corpus: ComparedCorpus) -> tuple[ComparedCell, ComparedCell, ComparedCell, ComparedCell]:
    """Show the difference, the ratio, the p-value and the verdict. Those of the reference are empty."""
    comparison = corpus.comparison
    if comparison is None:
        return ComparedCell(""), ComparedCell(""), ComparedCell(""), ComparedCell("reference")
    # As in the audit, shares are stated only with a verdict.
    is_stated = corpus.verdict not in ("", TOO_FEW)
    difference = _estimate_cell(comparison.difference if is_stated else UNDEFINED, "{:+.1f}")
    ratio = _estimate_cell(comparison.ratio if is_stated else UNDEFINED, "{:.2f}")
    p_value = "" if math.isnan(corpus.p_value_holm) else f"{corpus.p_value_holm:.4f}"
    verdict = _show_verdict(corpus.verdict)
    unadjusted = _show_verdict(corpus.verdict_unadjusted)
    if verdict != unadjusted:
        verdict += f" (unadjusted: {unadjusted})"
    return difference, ratio, ComparedCell(p_value), ComparedCell(verdict)


def _show_verdict(verdict: str) -> str:
    """Show a verdict relative to the reference, because M : F itself may be on either side of 1."""
    if verdict in ("feminine", "masculine"):
        return f"more {verdict}"
    return verdict or KIN_NOUNS_ONLY


def _estimate_cell(estimate: Estimate, form: str) -> ComparedCell:
    if math.isnan(estimate.value):
        return ComparedCell("–")
    value = _show_number(estimate.value, form)
    if math.isnan(estimate.low):
        return ComparedCell(value)
    low = _show_number(estimate.low, form)
    if math.isinf(estimate.high):
        return ComparedCell(value, f"{low} or more")
    return ComparedCell(value, f"{low}, {form.format(estimate.high)}")


def _show_number(number: float, form: str) -> str:
    return "∞" if math.isinf(number) else form.format(number)


def _wording(result: ComparisonData) -> Wording:
    counting = result.settings.counting
    return wording_of(counting.count, counting.same_names)


def _list_words(corpus: ComparedCorpus, top: int, wording: Wording) -> list[str]:
    """List the `top` words that contribute to the difference, below a title."""
    words = corpus.differing_words
    name = printable(corpus.name)
    if not words:
        return [f"{name}: no {wording.form} contributes differently to the gap"]
    shown = f" (the first {top} of {len(words):,})" if top < len(words) else ""
    listed = f"what {wording.forms}{shown} add"
    lines = [f"{name}: {listed} to the difference of the gaps (masculine − feminine, % of words)"]
    lines += map(_show_word, words[:top])
    return lines


def _show_word(word: WordDifference) -> str:
    counts = f"{word.reference:,} → {word.count:,}"
    return f"  {word.contribution:+.4f}  {printable(word.word)} ({word.gender}): {counts}"
