"""Record what runs say, for README.md and docs/: claims by id, the ledger and the scorecard by study, figures.

python tools/record_claims.py RESULTS [RESULTS …]           record
python tools/record_claims.py --check RESULTS [RESULTS …]   fail if a run says something else

RESULTS is the folder `results` of a run. What none of these runs made keeps what an earlier one said; a claim, unless
its sentences have changed since, and a number, unless the published one has.
"""

import argparse
import csv
import json
import re
import shutil
import sys
from hashlib import sha256
from pathlib import Path

from textparity.files import write_rows
from textparity_studies import STUDIES
from textparity_studies.report.catalogue import captioned_tables
from textparity_studies.report.claims import TEMPLATES, Claim, read_claims
from textparity_studies.report.ledger import PublishedNumber, read_published
from textparity_studies.report.scorecard import SCORECARD_COLUMNS

REPOSITORY = Path(__file__).parents[1]
RECORD = REPOSITORY / "docs" / "claims.csv"
COLUMNS = ["id", *TEMPLATES, "holds", "cells", "templates", "run"]
LEDGER = REPOSITORY / "docs" / "ledger.csv"
CELL = ("study", "table", "row", "column")
# The published numbers of a study that are elsewhere than those of the others.
PUBLISHED = {"translation": "resources/winomt/recorded.csv"}
LEDGER_COLUMNS = [
    *CELL, "published", "ours_published", "ours_corrected", "evidence", "verdict", "reason", "setup", "run",
]  # fmt: skip
NOT_RECORDED = "no recorded run has it"
# The number of languages with each verdict, by several rules (tools/draw_verdicts.py).
VERDICTS_TABLE = REPOSITORY / "docs" / "verdicts.csv"
VERDICTS_CORPUS = "NTREX-128"
# The number of published numbers with each verdict, and the reasons.
SCORECARD = REPOSITORY / "docs" / "scorecard.csv"
# A table of the docs about the methods' detection of annotated persons.
METHODS = REPOSITORY / "docs" / "methods.csv"
# A table of the docs about the given names that methods find in treebanks.
NAMES = REPOSITORY / "docs" / "names.csv"
# A table of the docs about the precision of methods on web pages.
FIELD = REPOSITORY / "docs" / "field.csv"
# A table of the docs about simulated checks of annotated texts.
CHECKS = REPOSITORY / "docs" / "checks.csv"
# Files of a run that are kept unchanged: a figure and tables of the docs, and the errors of methods, from which an
# audit estimates its own error.
FILES = {
    "instruments/tables/methods.csv": "docs/methods.csv",
    "instruments/tables/names.csv": "docs/names.csv",
    "instruments/tables/field.csv": "docs/field.csv",
    "instruments/tables/checks.csv": "docs/checks.csv",
    "instruments/figures/ratios.svg": "docs/images/instruments.svg",
    "instruments/method_errors.csv": "resources/persons/method_errors.csv",
}


def main() -> int:
    """Record or check the claims of the named runs; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    claims = {claim.id: claim for claim in all_claims()}
    recorded = {
        name: row for name, row in read_record().items() if name in claims and row["templates"] == digest(claims[name])
    }
    made = {
        row["id"]: {column: row.get(column, "") for column in COLUMNS}
        | {"templates": digest(claims[row["id"]]), "run": run_of(results)}
        for results in arguments.results
        for row in read_csv(results / "report" / "claims.csv")
        if row["id"] in claims and not row["reason"]
    }
    cells = read_cells()
    for results in arguments.results:
        cells |= ledger_of(results)
    verdicts = read_verdicts(VERDICTS_TABLE)
    for results in arguments.results:
        found = read_verdicts(results / "lexicon" / "tables" / "verdicts.csv")
        verdicts = {rule: row | {"run": run_of(results)} for rule, row in found.items()} or verdicts
    scorecard = read_scorecard()
    for results in arguments.results:
        scorecard |= scorecard_of(results)
    if arguments.check:
        stale = [
            (name, row["says"])
            for name, row in made.items()
            if any(row[column] != recorded.get(name, {}).get(column) for column in (*TEMPLATES, "holds"))
        ]
        for new, old in ((cells, read_cells()), (verdicts, read_verdicts(VERDICTS_TABLE))):
            stale += [
                (str(name), row) for name, row in new.items() if row | {"run": ""} != old.get(name, {}) | {"run": ""}
            ]
        for study, rows in scorecard.items():
            if [row | {"run": ""} for row in rows] != [row | {"run": ""} for row in read_scorecard().get(study, [])]:
                stale.append((f"scorecard of {study}", f"{len(rows)} rows, which are not those of docs/scorecard.csv"))
        for name, says in stale:
            print(f"{name}: the run says {says!r}", file=sys.stderr)
        return int(bool(stale))
    recorded |= made
    write_rows(RECORD, COLUMNS, ([recorded[name][column] for column in COLUMNS] for name in claims if name in recorded))
    write_rows(LEDGER, LEDGER_COLUMNS, (row.values() for row in whole_ledger(cells)))
    for results in arguments.results:
        for made, kept in FILES.items():
            if (results / made).is_file():
                shutil.copyfile(results / made, REPOSITORY / kept)
    if verdicts:
        write_rows(VERDICTS_TABLE, list(next(iter(verdicts.values()))), (row.values() for row in verdicts.values()))
    write_rows(
        SCORECARD,
        [*SCORECARD_COLUMNS, "run"],
        (row.values() for study in STUDIES for row in scorecard.get(study, [])),
    )
    for name in claims.keys() - recorded.keys():
        print(f"{name}: no run has filled it in", file=sys.stderr)
    return 0


def named_cells() -> list[tuple[str, ...]]:
    """List the cells of the ledger that the pages print, as `<!-- ledger: study, table, row, column -->`."""
    pages = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
    return [
        cell
        for page in pages
        for named in re.findall(r"^<!-- ledger: (\w.*?) -->$", page.read_text("utf-8"), re.MULTILINE)
        for cell in cells_of(named)
    ]


def cells_of(named: str) -> list[tuple[str, ...]]:
    """Parse the cells that a comment of a page names, as `study, table, row, column; study, ...`.

    The name of a row may contain commas ("taz2024full, balanced").
    """
    parts = [cell.split(", ") for cell in named.split("; ")]
    return [(study, table, ", ".join(row), column) for study, table, *row, column in parts]


def key(row: dict[str, str]) -> tuple[str, ...]:
    """Return the columns that identify a row of the ledger."""
    return tuple(row[column] for column in CELL)


def read_cells() -> dict[tuple[str, ...], dict[str, str]]:
    """Read the recorded rows of the ledger, by cell."""
    return {key(row): row for row in read_csv(LEDGER)} if LEDGER.is_file() else {}


def ledger_of(results: Path) -> dict[tuple[str, ...], dict[str, str]]:
    """Read a run's ledger by cell, with the id of the run."""
    made = {}
    for row in read_csv(results / "ledger.csv"):
        made[key(row)] = {column: row[column] for column in LEDGER_COLUMNS[:-1]} | {"run": run_of(results)}
    return made


def whole_ledger(recorded: dict[tuple[str, ...], dict[str, str]]) -> list[dict[str, str]]:
    """List a row for every published number; one that no run has recorded has no value."""
    rows = []
    for study, numbers in published_numbers().items():
        for number in numbers:
            printed = {"study": study, "table": number.table, "row": number.row, "column": number.column}
            printed["published"] = number.value
            row = recorded.get(key(printed), {})
            if row.get("run") and row["published"] == number.value:
                rows.append({column: row[column] for column in LEDGER_COLUMNS})
            else:
                rows.append(dict.fromkeys(LEDGER_COLUMNS, "") | printed | {"reason": NOT_RECORDED})
    return rows


def published_numbers() -> dict[str, list[PublishedNumber]]:
    """Read the published numbers of all studies that have some."""
    numbers = {}
    for study in STUDIES:
        path = REPOSITORY / PUBLISHED.get(study, f"resources/{study}/published.csv")
        if path.is_file():
            numbers[study] = read_published(path)
    return numbers


def read_scorecard() -> dict[str, list[dict[str, str]]]:
    """Read the recorded scorecard, by study."""
    return _by_study(read_csv(SCORECARD)) if SCORECARD.is_file() else {}


def scorecard_of(results: Path) -> dict[str, list[dict[str, str]]]:
    """Read a run's scorecard by study, with the id of the run."""
    path = results / "report" / "scorecard.csv"
    return _by_study([row | {"run": run_of(results)} for row in read_csv(path)]) if path.is_file() else {}


def _by_study(rows: list[dict[str, str]]) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        found.setdefault(row["study"], []).append(row)
    return found


def read_verdicts(path: Path) -> dict[str, dict[str, str]]:
    """Count the languages of the figure's corpus by verdict, for each rule; empty for a run without that corpus."""
    rows = read_csv(path) if path.is_file() else []
    return {row["procedure"]: row for row in rows if row["corpus"] == VERDICTS_CORPUS}


def all_claims() -> list[Claim]:
    """Read the claims of all studies, by file and row."""
    known = captioned_tables(str(REPOSITORY / "resources"))
    return [
        claim for path in sorted((REPOSITORY / "resources").glob("*/claims.tsv")) for claim in read_claims(path, known)
    ]


def read_record() -> dict[str, dict[str, str]]:
    """Read the recorded claims, by id."""
    return {row["id"]: row for row in read_csv(RECORD)} if RECORD.is_file() else {}


def digest(claim: Claim) -> str:
    """Compute a digest of a claim's templates and condition: does a record belong to an earlier version?"""
    texts = [getattr(claim, name) for name in (*TEMPLATES, "holds_if")]
    return sha256("\0".join(texts).encode()).hexdigest()[:12]


def run_of(results: Path) -> str:
    """Read the id and the day of a run."""
    run = json.loads((results / "run" / "run.json").read_text("utf-8"))
    return f"{run['run']} of {run['finished'][:10]}"


def read_csv(path: Path) -> list[dict[str, str]]:
    """Read the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    sys.exit(main())
