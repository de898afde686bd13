"""The difference in women's share between groups of texts, each with the first group of its table, and its test."""

import math
from collections.abc import Sequence
from dataclasses import replace

from textparity.auditing.groups import NO_DATE, NO_GROUP, OTHER_GROUPS, SEPARATOR
from textparity.auditing.row_statistics import GroupDifference
from textparity.auditing.settings import AuditSettings
from textparity.auditing.tallying import RowTally, Tally
from textparity.estimating.estimates import UNDEFINED, Estimate
from textparity.estimating.gaps import EvidenceThreshold
from textparity.estimating.hypothesis_tests import adjust_by_holm, welch_test
from textparity.estimating.intervals import difference_interval

# Rows that are no group that could be compared.
_NO_GROUPS = ("", OTHER_GROUPS, NO_DATE, NO_GROUP)


def compare_groups(settings: AuditSettings, rows: Sequence[RowTally]) -> list[GroupDifference]:
    """Compare each group with the first of its table, in the order of the rows.

    Groups with too little text for a verdict are left out. The difference is in percentage points. With two fields,
    groups are compared within each value of the first. Holm's method adjusts the p-values of all.
    """
    minimum = EvidenceThreshold(settings.minimum_matches, settings.minimum_units)
    references: dict[tuple[str, ...], RowTally] = {}
    differences = []
    for row in rows:
        *first_field, name = row.group.split(SEPARATOR)
        difference = GroupDifference()
        if name not in _NO_GROUPS and minimum.is_met(row.tally.gap):
            table = (row.corpus, row.lang, *first_field)
            reference = references.setdefault(table, row)
            if reference is not row:
                points, p_value = compare_shares(reference.tally, row.tally, settings)
                *_, reference_name = reference.group.split(SEPARATOR)
                difference = GroupDifference(reference_name, points, p_value)
        differences.append(difference)
    adjusted = adjust_by_holm([difference.p_value for difference in differences])
    pairs = zip(differences, adjusted, strict=True)
    return [replace(difference, p_value_holm=p_value) for difference, p_value in pairs]


def compare_shares(reference: Tally, other: Tally, settings: AuditSettings) -> tuple[Estimate, float]:
    """Compute women's share minus that of the reference, in percentage points, and its two-sided p-value.

    The test is Welch's over texts. Both are NaN with too little text for a verdict.
    """
    minimum = EvidenceThreshold(settings.minimum_matches, settings.minimum_units)
    if not minimum.is_met(reference.gap) or not minimum.is_met(other.gap):
        return UNDEFINED, math.nan
    level = settings.confidence_level
    share = other.resamples.women_share()
    reference_share = reference.resamples.women_share()
    interval = difference_interval(share.interval(level), reference_share.interval(level))
    p_value = welch_test(share, reference_share)
    return interval * 100, p_value


def describe_differences(differences: Sequence[tuple[str, GroupDifference]], most: int = 5) -> str:
    """Describe the differences of groups, given with their names, or the largest, in a sentence. May be empty."""
    tested = [named for named in differences if not math.isnan(named[1].p_value_holm)]
    if not tested:
        return ""
    tested.sort(key=lambda named: named[1].p_value_holm)
    shown = [_describe_difference(*named) for named in tested[:most]]
    tests = len(tested)
    if tests > most:
        shown.append(f"{tests - most:,} more not shown")
    holm = f", p adjusted by Holm for {tests} tests" if tests > 1 else ""
    return f"Women %, difference: {'; '.join(shown)}{holm}."


def _describe_difference(name: str, difference: GroupDifference) -> str:
    points = difference.points
    interval = f"{points.low:+.1f} to {points.high:+.1f}"
    test = _show_p(difference.p_value_holm)
    return f"{name} {points.value:+.1f} points from {difference.reference} ({interval}, {test})"


def _show_p(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.2g}"
