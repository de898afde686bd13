"""The ledger in short: how many published numbers came out how, per study, and why the others did not."""

import csv
import re
from collections import Counter, defaultdict
from pathlib import Path

from textparity.files import write_rows
from textparity.ledger import EXACT, VERDICTS, LedgerRow

NO_REASON = "no reason given"
# Details that would make a group of every number: `tolerance 0.0078; …`, one of many files, one of many models.
_DETAILS = [
    (re.compile(r"^tolerance [\d.]+(; |$)"), ""),
    (re.compile(r"^not run: "), ""),
    (re.compile(r"^(the published cell cannot be read): .*"), r"\1"),
    (re.compile(r"(?:https?://\S+|\S*/\S+/\S+) is not in the mirror\b.*"), "a file is not in the mirror"),
    (re.compile(r"Stanza \S+ \S+ \((official|stand-in) model, stanza [\d.]+\)"), r"Stanza, \1 model"),
    (re.compile(r"^only \d+ of the \d+ languages"), "only some of the languages"),
]


def summarise_ledger(ledger: Path, summary: Path, reasons: Path) -> None:
    """Write how many numbers of each study have which verdict, and the reasons of all that are not exact.

    `summary`: study, exact, within_tolerance, differs, not_run, numbers. `reasons`: study, verdict, reason (the cause
    in short), numbers, example (the whole reason that most of them have), the most frequent first.
    """
    with ledger.open(encoding="utf-8", newline="") as file:
        rows = [LedgerRow(**cells) for cells in csv.DictReader(file)]
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    groups: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        verdicts[row.study][row.verdict] += 1
        if row.verdict != EXACT:
            groups[row.study, row.verdict, shorten_reason(row.reason)][row.reason] += 1
    write_rows(
        summary,
        ["study", *(verdict.replace(" ", "_") for verdict in VERDICTS), "numbers"],
        ([study, *(found[verdict] for verdict in VERDICTS), found.total()] for study, found in verdicts.items()),
    )
    studies = list(verdicts)
    order = sorted(groups, key=lambda key: (studies.index(key[0]), VERDICTS.index(key[1]), -groups[key].total(), key))
    write_rows(
        reasons,
        ["study", "verdict", "reason", "numbers", "example"],
        ([*key, groups[key].total(), groups[key].most_common(1)[0][0]] for key in order),
    )


def shorten_reason(reason: str) -> str:
    """Return the cause that a reason begins with, without what is told of one number alone."""
    for pattern, replacement in _DETAILS:
        reason = pattern.sub(replacement, reason)
    return reason.partition("; ")[0] or NO_REASON
