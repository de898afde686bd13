"""A comparison as text and CSV."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textparity.auditing.command import STANDARD_OUTPUT
from textparity.errors import ConfigError
from textparity.files import check_target, printable, write_text

if TYPE_CHECKING:
    from textparity.auditing.tables import Table
    from textparity.comparing.comparison import ComparedCorpus, ComparisonResult


def render_text(result: "ComparisonResult", top: int) -> str:
    """Return the corpora as a table, then the `top` words of each difference."""
    level = f"{100 * result.settings.confidence_level:g} %"
    rows = [_cells(one) for one in result.corpora]
    widths = [max(map(len, column)) for column in zip(_HEADS, *rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (_HEADS, *rows)
    ]
    paired = "paired by line" if result.is_paired else "not paired"
    reference = result.corpora[0].name
    lines += [
        "",
        f"M : F: masculine words for a feminine one. times: M : F over that of {printable(reference)}. women: the",
        "feminine share of both, in percentage points more or less. In brackets, what lies between the ends of",
        f"{level} bootstrap intervals over {result.unit}s, {paired}; p by a permutation test, adjusted by Holm.",
    ]
    if result.left_out:
        lines.append(f"Not in all corpora, so not compared: {', '.join(result.left_out)}.")
    if left_out := {one.name: one.left_out for one in result.corpora if one.left_out}:
        listed = ", ".join(f"{number:,} of {printable(name)}" for name, number in left_out.items())
        lines.append(f"Texts left out, for reasons that textparity audit gives: {listed}.")
    if unpaired := sum(one.unpaired for one in result.corpora):
        lines.append(f"Without a partner, so not compared: {unpaired:,} {result.unit}s.")
    for one in result.corpora:
        if one.comparison and top:
            lines += ["", *_words(one, top)]
    lines += ["", *dict.fromkeys(printable(one.audit.signature) for one in result.corpora)]
    return "\n".join(lines)


_HEADS = ("corpus", "lang", "texts", "F", "M", "M : F", "times", "women", "p", "verdict")


def _cells(one: "ComparedCorpus") -> tuple[str, ...]:
    feminine, masculine = one.counts.sum(axis=0)
    own = _with_interval(one.masculine_per_feminine, one.interval.low, one.interval.high, "{:.2f}")
    first = (printable(one.name), one.audit.lang, f"{one.audit.texts:,}", f"{feminine:,}", f"{masculine:,}", own)
    found = one.comparison
    if found is None:
        return (*first, "", "", "", "reference")
    ratio, difference = found.ratio_interval, found.difference_interval
    seems = one.verdict_unadjusted != one.verdict
    return (
        *first,
        _with_interval(found.ratio, ratio.low, ratio.high, "{:.2f}"),
        _with_interval(found.difference, difference.low, difference.high, "{:+.1f}"),
        "" if math.isnan(one.p_value_holm) else f"{one.p_value_holm:.4f}",
        one.verdict + (f" (alone: {one.verdict_unadjusted})" if seems else ""),
    )


def _with_interval(value: float, low: float, high: float, form: str) -> str:
    if math.isnan(value):
        return "–"
    ends = "" if math.isnan(low) else f" [{form.format(low)}, {form.format(high)}]"
    return form.format(value) + ends


def _words(one: "ComparedCorpus", top: int) -> list[str]:
    said = f"{printable(one.name)}: what words add to the difference of the gaps (masculine less feminine, % of words)"
    return [
        said,
        *(
            f"  {word.contribution:+.4f}  {printable(word.word)} ({word.gender}): {word.reference:,} → {word.count:,}"
            for word in one.words[:top]
        ),
    ]


def check_outputs(outputs: Sequence[str | None], inputs: Sequence[str]) -> None:
    """Refuse, before anything is counted, tables that cannot be written or would take the place of what is read."""
    named = [output for output in outputs if output]
    if len(set(named)) < len(named):
        raise ConfigError(f"two tables would go to {named[0]}; name another file for one")
    for output in named:
        if output == STANDARD_OUTPUT:
            continue
        if any(Path(output).resolve() == Path(path).resolve() for path in inputs):
            raise ConfigError(f"{output}: is read, so it cannot be written; name another file")
        check_target(Path(output))


def write_table(table: "Table", output: str) -> None:
    """Write a table as CSV to a file or, for `-`, to standard output."""
    text = table.to_csv()
    if output == STANDARD_OUTPUT:
        print(text, end="")
    else:
        write_text(Path(output), text)
