"""Summarise the ledger: the published numbers of each study by verdict, and the reasons for those not exact."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from textparity.files import write_rows
from textparity_studies.report.ledger import (
    EXACT,
    OTHER_SETUP,
    VERDICTS,
    LedgerRow,
    count_verdicts,
    join_ledgers,
    read_ledger,
)

NO_REASON = "no reason given"
SCORECARD_COLUMNS = ["study", "table", "verdict", "reason", "numbers", "example"]
# Details that would put every number in a group of its own: `tolerance 0.0078; …`, a file name, a model name.
_DETAILS = [
    (re.compile(r"^tolerance [\d.]+(; |$)"), ""),
    (re.compile(r"^(unreadable): .*"), r"\1"),
    (re.compile(r"(?:https?://\S+|\S*/\S+/\S+) is not in the mirror\b.*"), "a file is not in the mirror"),
    (re.compile(r"Stanza \S+ \S+ \((official|stand-in) model, stanza [\d.]+\)"), r"Stanza, \1 model"),
    (re.compile(r"only \d+ of the \d+ languages"), "only some of the languages"),
    (re.compile(r"\(([^();]*); [^()]*\)"), r"(\1)"),
    (re.compile(r"\bprints [\d,.]+(?=;|$)"), "prints another number"),
]


def sum_up_ledgers(parts: list[Path], ledger: Path, counts: Path, summary: Path, scorecard: Path) -> None:
    """Write the ledgers of all studies as one, the number of rows per verdict, and the reasons.

    `summary`: study, the columns of `count_verdicts`, and the median distance from the published number for those in
    another setup, in percent of it. `scorecard`: the count of numbers for each table, verdict and reason.
    """
    join_ledgers(parts, ledger, counts)
    rows = read_ledger(ledger)
    by_study: dict[str, list[LedgerRow]] = defaultdict(list)
    for row in rows:
        by_study[row.study].append(row)
    write_rows(
        summary,
        ["study", *count_verdicts([]), "median_distance_percent"],
        ([study, *count_verdicts(found).values(), _median_distance(found)] for study, found in by_study.items()),
    )
    write_rows(scorecard, SCORECARD_COLUMNS, score(rows))


def score(rows: Iterable[LedgerRow]) -> list[list[object]]:
    """Count the numbers of each study, table, verdict and reason, in the order of studies, tables and verdicts.

    A reason is the cause in short, or the setup. The example is the full reason that most of these numbers have. Exact
    numbers need no reason.
    """
    groups: dict[tuple[str, str], dict[tuple[str, str], Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for row in rows:
        cause = row.setup if row.verdict == OTHER_SETUP else row.reason
        reason, cause = ("", "") if row.verdict == EXACT else (shorten_reason(cause), cause)
        groups[row.study, row.table][row.verdict, reason][cause] += 1
    studies = list(dict.fromkeys(study for study, _ in groups))
    return [
        [*place, *found, causes.total(), causes.most_common(1)[0][0]]
        for place, reasons in sorted(
            groups.items(), key=lambda group: (studies.index(group[0][0]), _order(group[0][1]))
        )
        for found, causes in sorted(
            reasons.items(), key=lambda one: (VERDICTS.index(one[0][0]), -one[1].total(), one[0])
        )
    ]


def _order(table: str) -> tuple[bool, int, str]:
    """Sort tables by number; sections, appendices and roman numbers follow by name."""
    return (False, int(table), "") if table.isdigit() else (True, 0, table)


def _median_distance(rows: list[LedgerRow]) -> str:
    """Compute the median of |ours - published| in percent of the published number, over rows of another setup."""
    distances = [
        100 * float(row.abs_diff) / abs(float(row.published))
        for row in rows
        if row.verdict == OTHER_SETUP and float(row.published)
    ]
    return f"{median(distances):.1f}" if distances else ""


def shorten_reason(reason: str) -> str:
    """Extract the cause at the beginning of a reason, without details that concern one number alone."""
    for pattern, replacement in _DETAILS:
        reason = pattern.sub(replacement, reason)
    return reason.partition("; ")[0] or NO_REASON
