"""The difference in women's share between groups of texts, each with the first group of its table, and its test."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from textparity.auditing.groups import NO_DATE, NO_GROUP, OTHER_GROUPS, SEPARATOR
from textparity.auditing.settings import AuditSettings
from textparity.auditing.tallying import Tally
from textparity.estimating.estimates import UNDEFINED, Estimate
from textparity.estimating.gaps import EvidenceThreshold
from textparity.estimating.hypothesis_tests import adjust_by_holm, welch_test
from textparity.estimating.intervals import difference_interval

DIFFERENCE = "difference"
COLUMNS = (f"{DIFFERENCE}_from", *UNDEFINED.columns(DIFFERENCE), f"{DIFFERENCE}_p_value", f"{DIFFERENCE}_p_value_holm")


def compare_groups(settings: AuditSettings, items: Sequence[tuple[str, str, str, Tally]]) -> list[dict[str, Any]]:
    """Make the columns of each group, given with its corpus and language, in the order of the table.

    Groups with too little text for a verdict are left out. The difference is in percentage points. With two fields,
    groups are compared within each value of the first. Holm's method adjusts the p-values of all.
    """
    minimum = EvidenceThreshold(settings.minimum_matches, settings.minimum_units)
    firsts: dict[tuple[str, ...], tuple[str, Tally]] = {}
    rows: list[dict[str, Any]] = []
    for corpus, lang, group, tally in items:
        *first, name = group.split(SEPARATOR)
        row: dict[str, Any] = dict.fromkeys(COLUMNS, math.nan) | {COLUMNS[0]: ""}
        if name not in ("", OTHER_GROUPS, NO_DATE, NO_GROUP) and minimum.is_met(tally.gap):
            reference, of_reference = firsts.setdefault((corpus, lang, *first), (name, tally))
            if of_reference is not tally:
                difference, p_value = compare_shares(of_reference, tally, settings)
                row |= {COLUMNS[0]: reference, **difference.columns(DIFFERENCE), f"{DIFFERENCE}_p_value": p_value}
        rows.append(row)
    adjusted = adjust_by_holm([row[f"{DIFFERENCE}_p_value"] for row in rows])
    return [row | {COLUMNS[-1]: p_value} for row, p_value in zip(rows, adjusted, strict=True)]


def compare_shares(reference: Tally, other: Tally, settings: AuditSettings) -> tuple[Estimate, float]:
    """Compute women's share minus that of the reference, in percentage points, and its two-sided p-value.

    The test is Welch's over texts. Both are NaN with too little text for a verdict.
    """
    minimum = EvidenceThreshold(settings.minimum_matches, settings.minimum_units)
    if not (minimum.is_met(reference.gap) and minimum.is_met(other.gap)):
        return UNDEFINED, math.nan
    shares = [tally.resamples.women_share() for tally in (other, reference)]
    interval = difference_interval(*(share.interval(settings.confidence_level) for share in shares))
    return interval * 100, welch_test(*shares)


def describe_differences(rows: Sequence[Mapping[str, Any]], names: Sequence[str], most: int = 5) -> str:
    """Describe the differences of groups with these columns and names, or the largest, in a sentence. May be empty."""
    tested = [(row, name) for row, name in zip(rows, names, strict=True) if not math.isnan(row[COLUMNS[-1]])]
    tested.sort(key=lambda item: item[0][COLUMNS[-1]])
    if not tested:
        return ""
    shown = [
        f"{name} {row[DIFFERENCE]:+.1f} points from {row[COLUMNS[0]]} ({row[f'{DIFFERENCE}_low']:+.1f} to "
        f"{row[f'{DIFFERENCE}_high']:+.1f}, {_show_p(row[COLUMNS[-1]])})"
        for row, name in tested[:most]
    ]
    holm = f", p adjusted by Holm for {len(tested)} tests" if len(tested) > 1 else ""
    more = f"; {len(tested) - most:,} more not shown" if len(tested) > most else ""
    return f"Women %, difference: {'; '.join(shown)}{more}{holm}."


def _show_p(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.2g}"
