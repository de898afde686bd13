"""Combine the results of several methods on the same texts, and mark what depends on the method."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from textparity.auditing.audit_result import AuditResult
from textparity.auditing.results import LanguageAudit, RowName
from textparity.auditing.row_statistics import GroupDifference


def combine_methods(results: Sequence[AuditResult]) -> AuditResult:
    """Combine results of the same texts, one per method. The rows of one language or group follow one another."""
    first = results[0]
    level = first.settings.confidence_level
    warnings: dict[str, None] = {}
    for result in results:
        warnings |= dict.fromkeys(result.warnings)
    return replace(
        first,
        languages=_combine_rows([result.languages for result in results], level),
        groups=_combine_rows([result.groups for result in results], level),
        left_out=_combine_left_out(results),
        warnings=tuple(warnings),
        of_methods=tuple(results),
    )


def _combine_rows(rows_of_methods: Sequence[Sequence[LanguageAudit]], level: float) -> tuple[LanguageAudit, ...]:
    by_name: dict[RowName, list[LanguageAudit]] = {}
    for rows in rows_of_methods:
        for row in rows:
            shown = replace(row, shown_method=row.method)
            by_name.setdefault(row.row_name, []).append(shown)
    marked: list[LanguageAudit] = []
    for same_rows in by_name.values():
        marked += _mark_rows(same_rows, level)
    return tuple(marked)


def _mark_rows(rows: Sequence[LanguageAudit], level: float) -> list[LanguageAudit]:
    """Mark the rows of one language or group if the methods do not agree."""
    reasons: dict[str, Callable[[LanguageAudit], str]] = {}
    verdicts = {row.verdict for row in rows}
    if len(verdicts) > 1:
        reasons["verdict"] = _show_verdict
    conclusions = {_conclude_difference(row.statistics.difference, level) for row in rows}
    if len(conclusions) > 1:
        reasons["difference"] = _show_difference
    marked = []
    for row in rows:
        texts = [row.verdict_reason]
        for name, show in reasons.items():
            others = [f"{other.method}: {show(other)}" for other in rows if other is not row]
            texts.append(f"the {name} depends on the method ({', '.join(others)})")
        reason = "; ".join(filter(None, texts))
        statistics = replace(row.statistics, verdict_reason=reason, depends_on_method=", ".join(reasons))
        marked.append(replace(row, statistics=statistics))
    return marked


def _conclude_difference(difference: GroupDifference | None, level: float) -> str:
    """Name the direction of the difference from the first group that the test shows. Empty if it shows none."""
    # A missing p-value is not a number, and never small.
    if difference is None or not difference.p_value_holm <= 1 - level:
        return ""
    return "more" if difference.points.value > 0 else "less"


def _show_verdict(row: LanguageAudit) -> str:
    return row.verdict or row.grade.name


def _show_difference(row: LanguageAudit) -> str:
    difference = row.statistics.difference
    if difference is None or math.isnan(difference.p_value_holm):
        return "too few"
    return f"p = {difference.p_value_holm:.2g}"


def _combine_left_out(results: Sequence[AuditResult]) -> dict[str, int]:
    """List the texts that all methods leave out, then those that only some do, with the method."""
    common = Counter(results[0].left_out)
    for result in results[1:]:
        common &= Counter(result.left_out)
    left_out = dict(common)
    for result in results:
        own = Counter(result.left_out) - common
        for reason, number in own.items():
            left_out[f"{reason} (method {result.settings.method})"] = number
    return left_out
