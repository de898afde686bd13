"""What a language finds in a text that also exists in English."""

import math
import sys
from pathlib import Path

import pytest

from textparity.counting.precision import COVERAGE_COLUMNS, read_coverage
from textparity.counting.terms import Match
from textparity.errors import TableError

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from measure_coverage import coverage_cells, measure_coverage

sys.path.pop(0)

WOMAN, MAN = Match("woman", frozenset({"feminine"})), Match("man", frozenset({"masculine"}))
HE = Match("he", frozenset({"masculine"}), "pronouns")
EITHER = Match("x", frozenset({"feminine", "masculine"}))


def measure(english, found, documents="aabbcc"):
    return measure_coverage("ntrex", "deu", list(documents), english, found)


def test_recall_is_the_share_of_english_lines_by_gender():
    english = {0: [WOMAN], 1: [MAN, MAN], 2: [MAN], 3: [MAN], 4: [MAN], 5: [WOMAN]}
    row = measure(english, {0: [WOMAN, HE], 1: [MAN], 5: [MAN], 4: [EITHER]})
    assert (row.lines, row.documents) == (6, 3)
    assert (row.english_feminine, row.shared_feminine) == (2, 1)
    assert (row.english_masculine, row.shared_masculine) == (4, 1)
    assert (row.recall_feminine, row.recall_masculine, row.recall_ratio) == (0.5, 0.25, 0.5)
    assert (row.feminine_nouns, row.masculine_nouns, row.masculine_pronouns) == (1, 2, 1)
    assert (row.matches("nouns"), row.matches("pronouns")) == (3, 1)


def test_intervals_resample_whole_documents():
    # Half of the documents have all that is found: with 100 lines as units, the interval would be [0.4, 0.6].
    english = {line: [MAN] for line in range(100)}
    found = {line: [MAN] for line in range(50)}
    row = measure_coverage("ntrex", "deu", [str(line // 10) for line in range(100)], english, found)
    assert (row.recall_masculine, row.recall_masculine_low, row.recall_masculine_high) == (0.5, 0.2, 0.8)
    few = measure_coverage("ntrex", "deu", [str(line // 12) for line in range(100)], english, found)
    assert few.recall_masculine == 0.5 and math.isnan(few.recall_masculine_low)


def test_what_cannot_be_compared_has_no_number():
    row = measure({0: [MAN]}, {0: [MAN]})
    assert math.isnan(row.recall_feminine) and math.isnan(row.recall_ratio) and math.isnan(row.recall_ratio_high)
    assert measure({}, {}).matches("nouns") == 0


def test_men_found_and_no_woman_is_an_infinite_ratio():
    assert measure({0: [WOMAN], 1: [MAN]}, {1: [MAN]}).recall_ratio == math.inf


def test_a_row_is_read_as_it_was_written(tmp_path):
    gold = {0: [WOMAN], 1: [MAN]} | {line: [WOMAN, MAN] for line in range(2, 40)}
    row = measure(gold, gold, [str(line) for line in range(40)])
    path = tmp_path / "coverage.tsv"
    path.write_text("\n".join(["\t".join(COVERAGE_COLUMNS), "\t".join(coverage_cells(row))]) + "\n")
    assert read_coverage(path) == (row,)
    path.write_text("lang\ndeu\n")
    with pytest.raises(TableError, match="the header is lang"):
        read_coverage(path)
