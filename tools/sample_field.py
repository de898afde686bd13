"""Draw matches of an audit in web pages, to be judged in their sentences, and record what was judged.

    python tools/sample_field.py draw PAGES LANG METHOD [--number N] [--pipeline NAME] [--learned] > drawn.tsv
    python tools/sample_field.py record judged.tsv READER

PAGES is a folder of HTML files. `draw` prints a row for each match of a woman or man in the pages of a language: N of
each gender, or all without --number; with --learned, the surnames that only their page shows. The draw depends on the
page's digest and the match's start, so it does not depend on the order of files, and two methods share many matches.
Genders are mixed, and the columns `form` and `gender` are last, so that the reader can hide them.

The reader fills in `judged`: feminine, masculine or unspecified for who is meant, or nobody. `draw` fills it in if the
match was read for another draw. A masculine noun that means anyone is unspecified. A name is nobody if it is that of a
firm, brand, product, institution or work, or if it is part of such a name; so is a word that is quoted as a word.

`record` replaces what resources/instruments/field_matches.tsv has of the same draw. It keeps positions, but no text. If
a method has changed, record its random draw first and then that of learned surnames.
"""

import argparse
import csv
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq

from textparity.auditing.audit import audit_sources
from textparity.auditing.inputs import choose_sources
from textparity.auditing.settings import AuditSettings
from textparity.counting import GENDERS
from textparity.files import read_tsv, write_text
from textparity.reading.web_text import decode_page, strip_html
from textparity_studies.instruments.field_matches import (
    AS_LEARNED,
    AT_RANDOM,
    COLUMNS,
    JUDGED,
    NO,
    YES,
    read_field_matches,
)

JUDGEMENTS = Path(__file__).parents[1] / "resources" / "instruments" / "field_matches.tsv"
SEED = "field pages"
# Characters shown before and after a match. A pronoun needs what was said before it.
BEFORE, AFTER = 350, 150
DRAWN = (*COLUMNS[:7], "learned", "judged", "file", "sentence", "form", "gender")
# What identifies a match in a page, a match of a method, and a draw.
PLACE = ("page", "start", "end")
MATCH = ("lang", "method", "pipeline", *PLACE)
DRAW = ("lang", "method", "pipeline", "drawn")


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
    matches = list(find_matches(pages, lang, method, pipeline))
    if learned:
        matches = [match for match in matches if match["learned"] == YES]
    matches.sort(key=chance)
    drawn: list[dict[str, Any]] = []
    for gender in GENDERS:
        of_gender = [match for match in matches if match["gender"] == gender]
        drawn += of_gender[:number]
        print(f"{gender}: {len(of_gender[:number])} of {len(of_gender)}", file=sys.stderr)
    earlier = {tuple(row[name] for name in PLACE): row["judged"] for row in read_judgements()}
    writer = csv.DictWriter(
        sys.stdout, DRAWN, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None
    )
    writer.writeheader()
    for match in sorted(drawn, key=chance):
        place = tuple(str(match[name]) for name in PLACE)
        judged = {"drawn": AS_LEARNED if learned else AT_RANDOM, "judged": earlier.get(place, "")}
        writer.writerow(match | judged)


def find_matches(pages: Path, lang: str, method: str, pipeline: str) -> Iterator[dict[str, Any]]:
    """Find the matches of women and men that an audit counts in the pages of one language."""
    chosen = {"method": method}
    if pipeline:
        chosen["pipeline"] = f"{lang}={pipeline}"
    sources, ignored = choose_sources([str(pages)], [])
    with TemporaryDirectory() as folder:
        records = Path(folder) / "records.parquet"
        audit_sources(sources, AuditSettings.of(chosen), ignored=ignored, records=records)
        rows = pq.read_table(records).to_pylist()
    for row in rows:
        if row["lang"] != lang:
            continue
        file = pages / row["corpus"]
        raw = file.read_bytes()
        text = strip_html(decode_page(raw, None, file.name), file.name)
        for match in row["matches"]:
            start, end = match["start"], match["end"]
            if match["gender"] not in GENDERS or start is None:
                continue
            before = " ".join(text[max(0, start - BEFORE) : start].split())
            after = " ".join(text[end : end + AFTER].split())
            yield {
                "page": sha256(raw).hexdigest(),
                "start": start,
                "end": end,
                "lang": lang,
                "method": method,
                "pipeline": Path(pipeline).name,
                "learned": YES if match["learned_from"] else NO,
                "file": file.name,
                "sentence": f"{before} [[{' '.join(text[start:end].split())}]] {after}",
                "form": match["form"],
                "gender": match["gender"],
            }


def chance(match: dict[str, Any]) -> bytes:
    """Compute the pseudo-random place of a match in the draw."""
    return sha256(f"{SEED}\t{match['page']}\t{match['start']}".encode()).digest()


def read_judgements() -> list[dict[str, str]]:
    """Read the recorded judgements, as rows of strings; none if there is no file."""
    return read_tsv(JUDGEMENTS, COLUMNS) if JUDGEMENTS.is_file() else []


def record(judged: Path, reader: str) -> None:
    """Replace the judgements of a draw. A learned surname that is in the random draw as well has one row there."""
    new = read_tsv(judged, DRAWN)
    draws = {tuple(row[name] for name in DRAW) for row in new}
    kept = {}
    for row in read_judgements():
        if tuple(row[name] for name in DRAW) not in draws:
            kept[tuple(row[name] for name in MATCH)] = row
    for row in new:
        if row["judged"] not in JUDGED:
            sys.exit(f"{judged}: {row['page'][:8]} {row['start']}: judged {row['judged']!r}")
        match = tuple(row[name] for name in MATCH)
        if row["drawn"] == AT_RANDOM or match not in kept:
            kept[match] = {name: row[name] for name in COLUMNS[:-1]} | {"reader": reader}
    rows = sorted(kept.values(), key=lambda row: (*(row[name] for name in MATCH[:-2]), int(row["start"])))
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join(row[name] for name in COLUMNS) for row in rows]
    write_text(JUDGEMENTS, "\n".join(lines) + "\n")
    print(f"{len(new)} matches, {len(read_field_matches(JUDGEMENTS))} in {JUDGEMENTS.name}")


main()
