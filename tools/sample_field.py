"""Draw matches of an audit in web pages, to be judged in their sentences, and record what was judged.

    python tools/sample_field.py draw PAGES LANG METHOD [--number N] [--pipeline NAME] [--learned] > drawn.tsv
    python tools/sample_field.py record judged.tsv READER

PAGES is a folder of HTML files. `draw` prints a row for each match of a woman or man: N of each gender, or all without
--number; with --learned, only surnames that a page shows. The draw depends on the page's digest and the match's start,
not on the order of files, so that two methods share many matches. `judged` has the judgement if this match was read for
another draw. The reader fills in the others: feminine, masculine, unspecified, or nobody, for the person meant in the
sentence; the column `gender` is last, so that it can be hidden.

`record` replaces what the file of judgements has of the language and method. It keeps positions, but no text.
"""

import argparse
import csv
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from parallel_texts import load_counter
from textparity.auditing.audit import audit_sources
from textparity.auditing.inputs import choose_sources
from textparity.auditing.settings import AuditSettings
from textparity.auditing.web_text import decode_page, strip_html
import pyarrow.parquet as pq
from textparity.counting import GENDERS
from textparity.counting.terms import Match
from textparity.files import read_tsv, write_text
from textparity.persons.mentions import PERSONS
from textparity_studies.instruments.field_matches import COLUMNS, JUDGED, NO, YES, read_field_matches

JUDGEMENTS = Path(__file__).parents[1] / "resources" / "instruments" / "field_matches.tsv"
SEED = "field pages"
# Characters shown before and after a match. A pronoun needs what was said before it.
BEFORE, AFTER = 350, 150
DRAWN = ("page", "start", "end", "lang", "method", "learned", "judged", "file", "sentence", "form", "gender")


def main() -> None:
    """Run the command that the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("draw")
    command.add_argument("pages", type=Path)
    command.add_argument("lang")
    command.add_argument("method")
    command.add_argument("--number", type=int)
    command.add_argument("--pipeline", default="")
    command.add_argument("--learned", action="store_true")
    command.set_defaults(run=draw)
    command = commands.add_parser("record")
    command.add_argument("judged", type=Path)
    command.add_argument("reader")
    command.set_defaults(run=record)
    arguments = vars(parser.parse_args())
    arguments.pop("run")(**arguments)


def draw(pages: Path, lang: str, method: str, number: int | None, pipeline: str, learned: bool) -> None:
    """Print a sample of the matches in the pages of one language, in a random order."""
    known = {}
    if JUDGEMENTS.is_file():
        known = {(row["page"], row["start"], row["end"]): row["judged"] for row in read_tsv(JUDGEMENTS, COLUMNS)}
    matches = list(find_matches(pages, lang, method, pipeline))
    if learned:
        matches = [match for match in matches if match["learned"] == YES]
    matches.sort(key=chance)
    drawn = []
    for gender in GENDERS:
        of_gender = [match for match in matches if match["gender"] == gender]
        drawn += of_gender[:number]
        print(f"{gender}: {len(of_gender[:number])} of {len(of_gender)}", file=sys.stderr)
    writer = csv.DictWriter(
        sys.stdout, DRAWN, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None
    )
    writer.writeheader()
    # Genders are mixed, so that a reader does not fall into a routine.
    for match in sorted(drawn, key=chance):
        key = match["page"], str(match["start"]), str(match["end"])
        writer.writerow(match | {"judged": known.get(key, "")})


def find_matches(pages: Path, lang: str, method: str, pipeline: str) -> Iterator[dict[str, Any]]:
    """Find the matches of women and men that an audit counts in the pages of one language."""
    settings = AuditSettings.of({"method": method} | ({"pipeline": f"{lang}={pipeline}"} if pipeline else {}))
    sources, ignored = choose_sources([str(pages)], [])
    with TemporaryDirectory() as folder:
        records = Path(folder) / "records.parquet"
        audit_sources(sources, settings, ignored=ignored, records=records)
        counted = [row for row in pq.read_table(records).to_pylist() if row["lang"] == lang]
    for row in counted:
        file = pages / row["corpus"]
        raw = file.read_bytes()
        text = strip_html(decode_page(raw, None, file.name), file.name)
        taught = set() if method == PERSONS else _find_learned(text, lang, row["matches"], file)
        for index, match in enumerate(row["matches"]):
            if match["gender"] not in GENDERS or match["start"] is None:
                continue
            start, end = match["start"], match["end"]
            before = " ".join(text[max(0, start - BEFORE) : start].split())
            after = " ".join(text[end : end + AFTER].split())
            yield {
                "page": sha256(raw).hexdigest(),
                "start": start,
                "end": end,
                "lang": lang,
                "method": method,
                "learned": YES if index in taught else NO,
                "file": file.name,
                "sentence": f"{before} [[{' '.join(text[start:end].split())}]] {after}",
                "form": match["form"],
                "gender": match["gender"],
            }


def _find_learned(text: str, lang: str, of_records: list[dict[str, Any]], file: Path) -> set[int]:
    """Find the numbers of the matches, as the records list them, that only the text shows to be surnames."""
    (table,) = load_counter(lang).count([text]).values()
    matches: list[Match] = []
    for match in table.matches.get(0, []):
        # The records have a row for each class.
        matches += [match] * len(match.classes)
    if [match.form for match in matches] != [match["form"] for match in of_records]:
        sys.exit(f"{file.name}: the audit and the counter differ")
    return {index for index, match in enumerate(matches) if match.learned}


def chance(match: dict[str, Any]) -> bytes:
    """Compute the pseudo-random place of a match in the draw."""
    return sha256(f"{SEED}\t{match['page']}\t{match['start']}".encode()).digest()


def record(judged: Path, reader: str) -> None:
    """Replace the judgements of the languages and methods of a file."""
    new = read_tsv(judged, DRAWN)
    again = {(row["lang"], row["method"]) for row in new}
    rows = []
    if JUDGEMENTS.is_file():
        rows = [row for row in read_tsv(JUDGEMENTS, COLUMNS) if (row["lang"], row["method"]) not in again]
    for row in new:
        if row["judged"] not in JUDGED:
            sys.exit(f"{judged}: {row['page'][:8]} {row['start']}: judged {row['judged']!r}")
        rows.append({name: row[name] for name in COLUMNS if name in row} | {"reader": reader})
    rows.sort(key=lambda row: (row["lang"], row["method"], row["page"], int(row["start"])))
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join(row[name] for name in COLUMNS) for row in rows]
    write_text(JUDGEMENTS, "\n".join(lines) + "\n")
    print(f"{len(new)} matches, {len(read_field_matches(JUDGEMENTS))} in {JUDGEMENTS.name}")


main()
