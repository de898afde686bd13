"""The ledger in short: how many published numbers came out how, per study, and why the others did not."""

import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

from textparity.files import write_rows
from textparity.report.ledger import EXACT, OTHER_SETUP, VERDICTS, LedgerRow, count_verdicts, join_ledgers, read_ledger

NO_REASON = "no reason given"
# Details that would make a group of every number: `tolerance 0.0078; …`, one of many files, one of many models.
_DETAILS = [
    (re.compile(r"^tolerance [\d.]+(; |$)"), ""),
    (re.compile(r"^(unreadable): .*"), r"\1"),
    (re.compile(r"(?:https?://\S+|\S*/\S+/\S+) is not in the mirror\b.*"), "a file is not in the mirror"),
    (re.compile(r"Stanza \S+ \S+ \((official|stand-in) model, stanza [\d.]+\)"), r"Stanza, \1 model"),
    (re.compile(r"only \d+ of the \d+ languages"), "only some of the languages"),
]


def sum_up_ledgers(parts: list[Path], ledger: Path, counts: Path, summary: Path, reasons: Path) -> None:
    """Write the ledgers of all studies as one, how many rows each verdict has, and the reasons of those not exact.

    `summary`: study, the columns of `count_verdicts`, and the median distance from the published number of those made
    in another setup, in percent of it. `reasons`: study, verdict, reason (the cause in short, or the setup), numbers,
    example (the whole reason that most of them have), the most frequent first.
    """
    join_ledgers(parts, ledger, counts)
    by_study: dict[str, list[LedgerRow]] = defaultdict(list)
    groups: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for row in read_ledger(ledger):
        by_study[row.study].append(row)
        if row.verdict != EXACT:
            cause = row.setup if row.verdict == OTHER_SETUP else row.reason
            groups[row.study, row.verdict, shorten_reason(cause)][cause] += 1
    write_rows(
        summary,
        ["study", *count_verdicts([]), "median_distance_percent"],
        ([study, *count_verdicts(rows).values(), _median_distance(rows)] for study, rows in by_study.items()),
    )
    studies = list(by_study)
    order = sorted(groups, key=lambda key: (studies.index(key[0]), VERDICTS.index(key[1]), -groups[key].total(), key))
    write_rows(
        reasons,
        ["study", "verdict", "reason", "numbers", "example"],
        ([*key, groups[key].total(), groups[key].most_common(1)[0][0]] for key in order),
    )


def _median_distance(rows: list[LedgerRow]) -> str:
    """Return the median of |ours - published| in percent of the published, over rows of another setup."""
    distances = [
        100 * float(row.abs_diff) / abs(float(row.published))
        for row in rows
        if row.verdict == OTHER_SETUP and float(row.published)
    ]
    return f"{median(distances):.1f}" if distances else ""


def shorten_reason(reason: str) -> str:
    """Return the cause that a reason begins with, without what is told of one number alone."""
    for pattern, replacement in _DETAILS:
        reason = pattern.sub(replacement, reason)
    return reason.partition("; ")[0] or NO_REASON
