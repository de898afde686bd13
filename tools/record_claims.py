"""Record what the claims of runs say, for README.md and docs/, which print them by id.

python tools/record_claims.py RESULTS [RESULTS …]           record
python tools/record_claims.py --check RESULTS [RESULTS …]   fail if a run says something else

RESULTS is the folder `results` of a run. A claim that none of these runs could fill in keeps what an earlier one said,
unless its sentences have changed since.
"""

import argparse
import csv
import json
import sys
from hashlib import sha256
from pathlib import Path

from textparity.files import write_rows
from textparity.report.catalogue import captioned_tables
from textparity.report.claims import TEMPLATES, Claim, read_claims

REPOSITORY = Path(__file__).parents[1]
RECORD = REPOSITORY / "docs" / "claims.csv"
COLUMNS = ["id", *TEMPLATES, "cells", "templates", "run"]


def main() -> int:
    """Record or check the claims of the runs that are named; return the exit code."""
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
    if arguments.check:
        stale = [
            name
            for name, row in made.items()
            if any(row[column] != recorded.get(name, {}).get(column) for column in TEMPLATES)
        ]
        for name in stale:
            print(f"{name}: the run says {made[name]['says']!r}", file=sys.stderr)
        return int(bool(stale))
    recorded |= made
    write_rows(RECORD, COLUMNS, ([recorded[name][column] for column in COLUMNS] for name in claims if name in recorded))
    for name in claims.keys() - recorded.keys():
        print(f"{name}: no run has filled it in", file=sys.stderr)
    return 0


def all_claims() -> list[Claim]:
    """Return the claims of all studies, by file and row."""
    known = captioned_tables(str(REPOSITORY / "resources"))
    return [
        claim for path in sorted((REPOSITORY / "resources").glob("*/claims.tsv")) for claim in read_claims(path, known)
    ]


def read_record() -> dict[str, dict[str, str]]:
    """Return what was recorded, by id."""
    return {row["id"]: row for row in read_csv(RECORD)} if RECORD.is_file() else {}


def digest(claim: Claim) -> str:
    """Return a digest of a claim's sentences, by which a record is told to be of an earlier one."""
    return sha256("\0".join(getattr(claim, name) for name in TEMPLATES).encode()).hexdigest()[:12]


def run_of(results: Path) -> str:
    """Return the id and the day of a run."""
    run = json.loads((results / "run" / "run.json").read_text("utf-8"))
    return f"{run['run']} of {run['finished'][:10]}"


def read_csv(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    sys.exit(main())
