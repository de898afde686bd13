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
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from parallel_texts import load_counter, load_study_registry, read_documents, read_lines
from textparity.auditing.reliability import PARALLEL_TEXTS
from textparity.counting import GENDERS, REVISED
from textparity.counting.precision import (
    COVERAGE_COLUMNS,
    GENDERED_LAYERS,
    TABLE,
    Coverage,
)
from textparity.counting.terms import Match
from textparity.counting.text_counter import TextCounter
from textparity.errors import FetchError, MissingResourceError
from textparity.estimating.estimates import MINIMUM_UNITS, Estimate
from textparity.files import split_lines, write_text

PIVOT = "eng"
_SEED, _RESAMPLES, _LEVEL = 20231206, 2000, 0.95
_DECIMALS = 4
Matches = Mapping[int, Sequence[Match]]


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
    table = ["\t".join(COVERAGE_COLUMNS), *("\t".join(coverage_cells(row)) for row in rows)]
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
    writer.writerows([COVERAGE_COLUMNS, coverage_cells(row)])


def measure_coverage(corpus: str, lang: str, documents: Sequence[str], english: Matches, found: Matches) -> Coverage:
    """Compare the matches of a language with those of English, both by line number; `documents` has one id per line."""
    lines = len(documents)
    _, document_of = np.unique(np.array(documents), return_inverse=True)
    size = int(document_of.max()) + 1
    expected, shared = [], []
    for gender in GENDERS:
        wanted = _lines_with(english, gender, lines)
        both = wanted & _lines_with(found, gender, lines)
        expected.append(np.bincount(document_of, wanted, size))
        shared.append(np.bincount(document_of, both, size))
    generator = np.random.default_rng(_SEED)
    weights = generator.multinomial(size, np.full(size, 1 / size), size=_RESAMPLES)
    # The first row is the text itself, the others are its resamples.
    draws = np.vstack([np.ones(size, int), weights])
    with np.errstate(divide="ignore", invalid="ignore"):
        feminine, masculine = (draws @ part / (draws @ whole) for part, whole in zip(shared, expected, strict=True))
        ratio = masculine / feminine
    values: dict[str, Any] = {}
    for name, drawn in (("recall_feminine", feminine), ("recall_masculine", masculine), ("recall_ratio", ratio)):
        interval = _interval(drawn[1:]) if size >= MINIMUM_UNITS else (math.nan, math.nan)
        values |= Estimate(float(drawn[0]), *interval).columns(name)
    values |= {f"{gender}_{layer}": _count(found, gender, layer) for gender in GENDERS for layer in GENDERED_LAYERS}
    for gender, whole, part in zip(GENDERS, expected, shared, strict=True):
        values |= {f"english_{gender}": int(whole.sum()), f"shared_{gender}": int(part.sum())}
    return Coverage(corpus=corpus, lang=lang, lines=lines, documents=size, **values)


def _is_of(match: Match, gender: str) -> bool:
    return match.classes == frozenset({gender})


def _lines_with(matches: Matches, gender: str, lines: int) -> np.ndarray:
    has = np.zeros(lines, bool)
    has[[line for line, of_line in matches.items() if any(_is_of(match, gender) for match in of_line)]] = True
    return has


def _count(matches: Matches, gender: str, layer: str) -> int:
    return sum(_is_of(match, gender) and match.layer == layer for of_line in matches.values() for match in of_line)


def _interval(drawn: np.ndarray) -> tuple[float, float]:
    """Compute the percentile interval of resampled values. 0 / 0 is left out, and a positive number / 0 is infinite."""
    tail = 50 * (1 - _LEVEL)
    known = drawn[~np.isnan(drawn)]
    if not known.size:
        return math.nan, math.nan
    # The ends are drawn values, because interpolation towards infinity is not possible.
    low = np.percentile(known, tail, method="lower")
    high = np.percentile(known, 100 - tail, method="higher")
    return float(low), float(high)


def coverage_cells(coverage: Coverage) -> list[str]:
    """Convert the coverage to a row of the table."""
    return [f"{value:.{_DECIMALS}f}" if isinstance(value, float) else str(value) for value in asdict(coverage).values()]


if __name__ == "__main__":
    main()
