"""Sum up the ledgers of all studies: the numbers of each verdict, and why they are not exact."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

from textparity.files import write_rows
from textparity_studies.report.ledger import (
    DIFFERS,
    EXACT,
    NOT_RUN,
    OTHER_SETUP,
    VERDICTS,
    EvidenceKind,
    LedgerRow,
    Need,
    Reason,
    read_ledger,
    write_ledger,
)

# Numbers that were not run have no evidence.
EVIDENCES = (*EvidenceKind, "")
NO_REASON = "no reason given"
SCORECARD_COLUMNS = ["study", "table", "evidence", "verdict", "reason", "numbers", "example"]
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
# Requirements for running the remaining numbers in the paper's setup, by kind.
WHAT_IT_TAKES = {
    Reason.NOT_DOWNLOADED: "get what the reason names: with network access, from its authors, or as a package",
    Reason.GATED: "accept the licence of what the reason names, and put it where the sources table states",
    Reason.WITHDRAWN: "its provider no longer serves it to everybody; if the weights are open, run your own server",
    Reason.UNPUBLISHED: "nothing: only the authors have what it needs",
    Reason.NOT_CONFIGURED: "name it in the configuration; the papers' own models need an API key or a GPU",
    Reason.NOT_COMPUTED: "nothing: the workflow has no step that computes it",
    Reason.UNREADABLE: "nothing: the printed cell cannot be read",
    OTHER_SETUP: "replace the substitute by what the paper used",
}
_IN_A_LINE = {DIFFERS: "different", OTHER_SETUP: "in another setup"}


def count_verdicts(rows: Iterable[LedgerRow]) -> dict[str, int]:
    """Count the rows of each verdict, those not run by kind, and all `numbers`."""
    verdicts: Counter[str] = Counter()
    reasons: Counter[Reason] = Counter()
    for row in rows:
        verdicts[row.verdict] += 1
        if row.verdict == NOT_RUN:
            reasons[Need.parse(row.reason).reason] += 1
    counts = {column_name(verdict): verdicts[verdict] for verdict in VERDICTS}
    counts |= {f"not_run_{column_name(reason)}": reasons[reason] for reason in Reason}
    return counts | {"numbers": verdicts.total()}


def column_name(words: str) -> str:
    """Convert a verdict, an evidence or a kind to a column name."""
    return words.replace(",", "").replace("'", "").replace(" ", "_")


def sum_up_ledgers(parts: list[Path], ledger: Path, counts: Path, summary: Path, scorecard: Path) -> None:
    """Write the ledgers of all studies as one, the number of rows per verdict, and the reasons.

    `counts`: the columns of `count_verdicts` for each study and table. `summary`: the same for each study, and the
    median distance from the published number for those in another setup, in percent of it. `scorecard`: the count of
    numbers for each table, evidence, verdict and reason.
    """
    rows = [row for part in parts for row in read_ledger(part)]
    write_ledger(rows, ledger)
    by_study: dict[str, list[LedgerRow]] = defaultdict(list)
    by_table: dict[tuple[str, str], list[LedgerRow]] = defaultdict(list)
    for row in rows:
        by_study[row.study].append(row)
        by_table[row.study, row.table].append(row)
    columns = list(count_verdicts([]))
    table_counts = [[*key, *count_verdicts(of_table).values()] for key, of_table in sorted(by_table.items())]
    write_rows(counts, ["study", "table", *columns], table_counts)
    study_counts = []
    for study, of_study in by_study.items():
        study_counts.append([study, *count_verdicts(of_study).values(), _median_distance(of_study)])
    write_rows(summary, ["study", *columns, "median_distance_percent"], study_counts)
    write_rows(scorecard, SCORECARD_COLUMNS, score(rows))


class _Group(NamedTuple):
    """The numbers of a table that have a verdict for the same reason and by the same evidence."""

    study: str
    table: str
    evidence: str
    verdict: str
    reason: str


def score(rows: Iterable[LedgerRow]) -> list[list[object]]:
    """Count the numbers of each study, table, evidence, verdict and reason, in this order.

    A reason is the cause in short, or the setup. The example is the full reason that most of these numbers have. Exact
    numbers need no reason.
    """
    causes: dict[_Group, Counter[str]] = defaultdict(Counter)
    for row in rows:
        cause = row.setup if row.verdict == OTHER_SETUP else row.reason
        reason = shorten_reason(cause)
        if row.verdict == EXACT:
            cause = reason = ""
        causes[_Group(row.study, row.table, row.evidence, row.verdict, reason)][cause] += 1
    studies = list(dict.fromkeys(group.study for group in causes))

    def rank(group: _Group) -> tuple[object, ...]:
        by_verdict = _rank(group.verdict, group.reason, causes[group].total())
        return studies.index(group.study), _order(group.table), EVIDENCES.index(group.evidence), by_verdict

    scores: list[list[object]] = []
    for group in sorted(causes, key=rank):
        example = causes[group].most_common(1)[0][0]
        scores.append([*group, causes[group].total(), example])
    return scores


def _order(table: str) -> tuple[bool, int, str]:
    """Sort tables by number; sections, appendices and roman numbers follow by name."""
    return (False, int(table), "") if table.isdigit() else (True, 0, table)


def _rank(verdict: str, reason: str, numbers: int) -> tuple[int, int, str]:
    """Sort by verdict, and by the number of rows with a reason, the most frequent first."""
    return VERDICTS.index(verdict), -numbers, reason


def _median_distance(rows: list[LedgerRow]) -> str:
    """Compute the median of |ours - published| in percent of the published number, over rows of another setup."""
    distances = []
    for row in rows:
        if row.verdict == OTHER_SETUP and float(row.published):
            distances.append(100 * float(row.abs_diff) / abs(float(row.published)))
    return f"{median(distances):.1f}" if distances else ""


def shorten_reason(reason: str) -> str:
    """Extract the cause at the beginning of a reason, without details that concern only one number."""
    for pattern, replacement in _DETAILS:
        reason = pattern.sub(replacement, reason)
    return reason.partition("; ")[0] or NO_REASON


def count_by_table(rows: Iterable[Mapping[str, str]]) -> dict[str, dict[str, Counter[str]]]:
    """Count the numbers of each verdict by study and table, from rows of a scorecard."""
    counts: dict[str, dict[str, Counter[str]]] = {}
    for row in rows:
        tables = counts.setdefault(row["study"], {})
        verdicts = tables.setdefault(row["table"], Counter())
        verdicts[row["verdict"]] += int(row["numbers"])
    return counts


def count_by_evidence(rows: Iterable[Mapping[str, str]]) -> dict[str, Counter[str]]:
    """Count the compared numbers of each verdict by evidence, from rows of a scorecard."""
    counts: dict[str, Counter[str]] = {evidence: Counter() for evidence in EvidenceKind}
    for row in rows:
        if row["evidence"]:
            counts[row["evidence"]][row["verdict"]] += int(row["numbers"])
    return counts


def list_reasons(rows: Iterable[dict[str, str]]) -> dict[str, list[dict[str, str]]]:
    """List by study why numbers are not exact: verdict, reason, tables, numbers, example, and requirements.

    `rows` are those of a scorecard. Verdicts keep their order; within a verdict, the most frequent reason comes first.
    """
    by_study: dict[str, dict[tuple[str, str], list[dict[str, str]]]] = {}
    for row in rows:
        reasons = by_study.setdefault(row["study"], {})
        if row["verdict"] != EXACT:
            reasons.setdefault((row["verdict"], row["reason"]), []).append(row)
    listed = {}
    for study, reasons in by_study.items():
        joined = [_join_tables(same_reason) for same_reason in reasons.values()]
        listed[study] = sorted(joined, key=lambda row: _rank(row["verdict"], row["reason"], int(row["numbers"])))
    return listed


def _join_tables(same_reason: list[dict[str, str]]) -> dict[str, str]:
    """Join the rows of several tables with a reason; the example is that of the most numbers."""
    most = max(same_reason, key=lambda row: int(row["numbers"]))
    kind = Need.parse(most["reason"]).reason if most["verdict"] == NOT_RUN else most["verdict"]
    return most | {
        "tables": ", ".join(dict.fromkeys(row["table"] for row in same_reason)),
        "numbers": str(sum(int(row["numbers"]) for row in same_reason)),
        "takes": WHAT_IT_TAKES.get(kind, ""),
    }


def describe_ledgers(ledgers: Iterable[Path]) -> str:
    """Sum up the available ledgers in one line; without any, the line is empty."""
    verdicts: Counter[str] = Counter()
    for path in ledgers:
        if path.is_file():
            verdicts.update(row.verdict for row in read_ledger(path))
    if not verdicts:
        return ""
    counts = [f"{verdicts[verdict]:,} {_IN_A_LINE.get(verdict, verdict)}" for verdict in VERDICTS]
    return f"{verdicts.total():,} published numbers: {', '.join(counts)}"
