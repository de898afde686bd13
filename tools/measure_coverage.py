"""Measure what the word lists of each language find in texts that also exist in English.

    python tools/measure_coverage.py write
    python tools/measure_coverage.py compare LANG FILE ENGLISH [--documents IDS]

`write` makes resources/lexicons/coverage.tsv anew from NTREX-128 and FLORES-200, from which the grades of languages
follow; run it whenever a lexicon has changed. `compare` prints the same row for two files of your own that go line by
line, such as a reference of WMT24 and its source. IDS has one document id per line; if a line has tabs, the last cell
is the id. Both count by the method `words`.
"""

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from textparity.auditing.grades import PARALLEL_TEXTS
from textparity.counting.coverage import COLUMNS, PIVOT, TABLE, Coverage, Matches, coverage_cells, measure_coverage
from textparity.counting.procedures import REVISED
from textparity.counting.text_counter import TextCounter
from textparity.errors import FetchError, MissingResourceError
from textparity.files import split_lines, write_text
from textparity_studies.workflow.parallel_texts import load_counter, load_study_registry, read_documents, read_lines


def main() -> None:
    """Run the command that the arguments choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    commands.add_parser("write").set_defaults(run=write)
    one = commands.add_parser("compare")
    one.add_argument("lang")
    one.add_argument("file", type=Path)
    one.add_argument("english", type=Path)
    one.add_argument("--documents", type=Path)
    one.set_defaults(run=compare)
    arguments = vars(parser.parse_args())
    arguments.pop("run")(**arguments)


def write() -> None:
    """Write the table for all languages."""
    english: dict[str, Matches] = {}
    rows, left_out = [], []
    # English comes first, because all others are compared with it.
    langs = sorted(load_study_registry().languages, key=lambda lang: (lang != PIVOT, lang))
    for lang in langs:
        counter = load_counter(lang)
        for corpus in PARALLEL_TEXTS:
            if not load_study_registry().corpus_has(corpus, lang):
                continue
            try:
                lines = read_lines(corpus, lang)
            except (FetchError, MissingResourceError):
                if lang == PIVOT:
                    raise
                left_out.append(f"{corpus} {lang}")
                continue
            found = find_matches(counter, lines)
            pivot = english.setdefault(corpus, found)
            rows.append(measure_coverage(corpus, lang, read_documents(corpus, len(lines)), pivot, found))
    rows.sort(key=lambda row: (list(PARALLEL_TEXTS).index(row.corpus), row.lang))
    table = ["\t".join(COLUMNS), *("\t".join(coverage_cells(row)) for row in rows)]
    write_text(TABLE, "\n".join(table) + "\n")
    print(f"{len({row.lang for row in rows})} languages, {len(rows)} rows in {TABLE.name}")
    print(f"not on this machine: {', '.join(left_out) or 'none'}")


def compare(lang: str, file: Path, english: Path, documents: Path | None) -> None:
    """Print the row of a pair of files."""
    texts = {path: split_lines(path.read_text("utf-8")) for path in (file, english)}
    found = find_matches(load_counter(lang), texts[file])
    pivot = find_matches(load_counter(PIVOT), texts[english])
    ids = [str(number) for number in range(len(texts[file]))]
    if documents:
        ids = [line.rpartition("\t")[2] for line in split_lines(documents.read_text("utf-8"))]
    if not len(ids) == len(texts[file]) == len(texts[english]):
        sys.exit(f"{file} has {len(texts[file])} lines, {english} {len(texts[english])}, and there are {len(ids)} ids")
    show(measure_coverage(file.stem, lang, ids, pivot, found))


def find_matches(counter: TextCounter, lines: Sequence[str]) -> Matches:
    """Find the matches of each line that has any."""
    return counter.count(lines)[REVISED].matches


def show(row: Coverage) -> None:
    """Print a row with its header."""
    writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    writer.writerows([COLUMNS, coverage_cells(row)])


if __name__ == "__main__":
    main()
