"""Show the scorecard: the published numbers of each paper's tables by verdict and reason, and a run in one line.

The rows are those of `results/report/scorecard.csv` (`ledger_summary.SCORECARD_COLUMNS`).
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from textparity_studies.report.ledger import (
    DIFFERS,
    EXACT,
    GATED,
    NOT_ASKED,
    NOT_COMPUTED,
    NOT_HERE,
    NOT_RUN,
    OTHER_SETUP,
    UNPUBLISHED,
    UNREADABLE,
    VERDICTS,
    WITHDRAWN,
    not_run_kind,
    read_ledger,
)

# Requirements for running the remaining numbers in the paper's setup, by kind.
WHAT_IT_TAKES = {
    NOT_HERE: "get what the reason names: by a run with a network, from its authors, or as a package",
    GATED: "accept the licence of what the reason names, and put it where the sources table says",
    WITHDRAWN: "its provider no longer serves it to everybody; where weights are open, a server of your own can",
    UNPUBLISHED: "nothing: only the authors have what it needs",
    NOT_ASKED: "name it in the configuration; the papers' own models need an API key or a GPU",
    NOT_COMPUTED: "nothing: the workflow has no step that computes it",
    UNREADABLE: "nothing: the printed cell cannot be read",
    OTHER_SETUP: "replace the stand-in by what the paper used",
}
_IN_A_LINE = {DIFFERS: "different", OTHER_SETUP: "in another setup"}


def count_by_table(rows: Iterable[dict[str, str]]) -> dict[str, dict[str, Counter[str]]]:
    """Count the numbers of each verdict by study and table."""
    counts: dict[str, dict[str, Counter[str]]] = {}
    for row in rows:
        tables = counts.setdefault(row["study"], {})
        tables.setdefault(row["table"], Counter())[row["verdict"]] += int(row["numbers"])
    return counts


def list_reasons(rows: Iterable[dict[str, str]]) -> dict[str, list[dict[str, str]]]:
    """List by study why numbers are not exact: verdict, reason, tables, numbers, example, and requirements.

    Verdicts keep their order; within a verdict, the most frequent reason comes first.
    """
    found: dict[str, dict[tuple[str, str], list[dict[str, str]]]] = {}
    for row in rows:
        reasons = found.setdefault(row["study"], {})
        if row["verdict"] != EXACT:
            reasons.setdefault((row["verdict"], row["reason"]), []).append(row)
    return {study: sorted(map(_join_tables, reasons.values()), key=_rank) for study, reasons in found.items()}


def _join_tables(alike: list[dict[str, str]]) -> dict[str, str]:
    most = max(alike, key=lambda row: int(row["numbers"]))
    return most | {
        "tables": ", ".join(row["table"] for row in alike),
        "numbers": str(sum(int(row["numbers"]) for row in alike)),
        "takes": WHAT_IT_TAKES.get(not_run_kind(most["reason"]) if most["verdict"] == NOT_RUN else most["verdict"], ""),
    }


def _rank(row: dict[str, str]) -> tuple[int, int, str]:
    return VERDICTS.index(row["verdict"]), -int(row["numbers"]), row["reason"]


def describe_ledgers(ledgers: Iterable[Path]) -> str:
    """Sum up the available ledgers in one line; without any, the line is empty."""
    verdicts = Counter(row.verdict for path in ledgers if path.is_file() for row in read_ledger(path))
    if not verdicts:
        return ""
    counts = ", ".join(f"{verdicts[verdict]:,} {_IN_A_LINE.get(verdict, verdict)}" for verdict in VERDICTS)
    return f"{verdicts.total():,} published numbers: {counts}"
