"""A ratio that follows from how a method errs on annotated texts."""

import numpy as np
import pytest

from textparity.measures.statistics import Bootstrap, random_generator
from textparity.persons.calibration import Confusion, calibrate, calibrated_ratio

# Of 100 women, 80 are found, and of 100 men 50; 10 things are taken for men.
CONFUSION = [("feminine", "feminine", 80), ("feminine", "", 20), ("masculine", "masculine", 50), ("masculine", "", 50),
             ("", "masculine", 10)]  # fmt: skip


def rows(unit, genre, confusion=CONFUSION):
    return [
        {"unit": unit, "genre": genre, "annotated": annotated, "found": found, "number": number}
        for annotated, found, number in confusion
    ]


def test_what_is_missed_and_what_is_wrong_are_made_good():
    confusion = Confusion.of(rows("a", "news"))
    # 60 found as men are 50 true ones, half of all; 80 women are four fifths of all.
    assert calibrate(np.array(80), np.array(60), confusion.counts.sum(axis=0)) == pytest.approx(1)
    assert calibrate(np.array(40), np.array(60), confusion.counts.sum(axis=0)) == pytest.approx(2)
    # Of a method that never finds a woman, nothing follows.
    blind = Confusion.of(rows("a", "news", [("feminine", "", 9), ("masculine", "masculine", 9)]))
    assert np.isnan(calibrate(np.array(0), np.array(5), blind.counts.sum(axis=0)))


def test_of_the_annotated_texts_themselves_the_truth_follows():
    mixed = [*CONFUSION, ("feminine", "masculine", 7), ("masculine", "unspecified", 11), ("unspecified", "feminine", 5)]
    confusion = Confusion.of(rows("a", "news", mixed))
    found = (confusion.found(gender).sum() for gender in ("feminine", "masculine"))
    true = confusion.annotated("masculine").sum() / confusion.annotated("feminine").sum()
    assert calibrate(*found, confusion.counts.sum(axis=0)) == pytest.approx(true)


def test_nothing_follows_from_no_document():
    assert len(Confusion.of([]).counts) == 0


def test_a_resample_without_a_ratio_leaves_no_interval():
    one, other = [("feminine", "feminine", 9), ("masculine", "masculine", 9)], [("masculine", "masculine", 9)]
    confusion = Confusion.of([*rows("a", "news", one), *rows("b", "fiction", other)])
    totals = np.full(101, 50.0)
    value, interval = calibrated_ratio(confusion, totals, totals, Bootstrap(1, 100, 0.95), random_generator(1, "x"))
    assert value > 0 and np.isnan(interval.low) and np.isnan(interval.high)


def test_the_interval_is_wider_the_more_kinds_of_text_differ():
    other = [("feminine", "feminine", 30), ("feminine", "", 70), ("masculine", "masculine", 90), ("masculine", "", 10)]
    bootstrap = Bootstrap(seed=1, resamples=400, confidence_level=0.95)
    totals = np.full(401, 500.0)

    def interval_of(second):
        some = [row for name in "ab" for row in rows(f"n{name}", "news") + rows(f"f{name}", "fiction", second)]
        return calibrated_ratio(Confusion.of(some), totals, totals, bootstrap, random_generator(1, "x"))

    alike, (value, differing) = interval_of(CONFUSION), interval_of(other)
    assert alike[1].low == pytest.approx(alike[1].high) == pytest.approx(alike[0])
    assert differing.low < value < differing.high and differing.high > 2 * differing.low


def test_each_kind_of_text_is_left_out_in_turn_or_each_document_of_one_kind():
    several = Confusion.of([*rows("a", "news"), *rows("b", "fiction"), *rows("c", "fiction")])
    assert [(name, part.units, others.units) for name, part, others in several.parts()] == [
        ("fiction", ("b", "c"), ("a",)),
        ("news", ("a",), ("b", "c")),
    ]
    novels = Confusion.of([*rows("a", "novel"), *rows("b", "novel")])
    assert [(name, others.units) for name, _, others in novels.parts()] == [("a", ("b",)), ("b", ("a",))]
    assert several.found("masculine").tolist() == [60, 60, 60]
    assert several.annotated("feminine").tolist() == [100, 100, 100]
