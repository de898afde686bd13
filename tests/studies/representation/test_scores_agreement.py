import math

import pytest

from textparity_studies.representation.scores import Agreement, f1_terms, match_words, score

A_PM, A_PF, A_NM, B_NF = ("a", "P", "M"), ("a", "P", "F"), ("a", "N", "M"), ("b", "N", "F")


@pytest.mark.parametrize(
    ("gold", "found", "published", "corrected"),
    [
        ([A_PM, B_NF], [B_NF, A_PM], (2, 0, 0, 0), (2, 0, 0, 0)),
        ([A_PM, B_NF], [A_PF], (0, 1, 1, 0), (0, 1, 1, 0)),
        ([A_PM], [A_PM, A_PM, B_NF], (1, 0, 0, 2), (1, 0, 0, 2)),
        ([], [B_NF], (0, 0, 0, 1), (0, 0, 0, 1)),
        # The first gold word takes the second's exact match when it has none of its own.
        ([A_NM, A_PM], [A_PM, A_PF], (0, 2, 0, 0), (1, 1, 0, 0)),
    ],
)
def test_words_are_matched_by_both_procedures(gold, found, published, corrected):
    assert Agreement.of(match_words(gold, found, "published")) == Agreement(*published)
    assert Agreement.of(match_words(gold, found, "corrected")) == Agreement(*corrected)


def test_the_measures_are_those_of_appendix_c():
    found = score(Agreement(correct=60, incorrect=10, missed=30, extra=30))
    assert (found.accuracy, found.precision, found.recall) == (0.6, 0.6, pytest.approx(2 / 3))
    assert found.f1 == pytest.approx(2 * 0.6 * (2 / 3) / (0.6 + 2 / 3))
    assert math.isnan(score(Agreement()).f1)


def test_beside_them_stand_the_usual_ones_of_labelled_items():
    found = score(Agreement(correct=6, incorrect=2, missed=4, extra=8))
    # All words found, and the F-score over all words of both sides.
    assert (found.unlabelled_recall, found.labelled_f1) == (pytest.approx(8 / 12), pytest.approx(2 * 6 / (12 + 16)))
    assert found.accuracy < found.recall < found.unlabelled_recall


def test_no_two_measures_are_the_same_by_construction():
    measures = vars(score(Agreement(correct=7, incorrect=3, missed=5, extra=9)))
    assert len(set(measures.values())) == len(measures)


def test_the_f1_is_a_ratio_of_sums():
    agreement = Agreement(correct=7, incorrect=3, missed=5, extra=2)
    numerator, denominator = f1_terms(agreement)
    assert numerator / denominator == pytest.approx(score(agreement).f1)
