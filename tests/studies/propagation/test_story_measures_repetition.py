"""What is repeated and copied; all numbers counted by hand."""

import math

import pytest

from textparity_studies.propagation.story_measures import copied_share, distinct_share, ngrams, repeated_share, runs_of

ROSE = ["a", "rose", "is", "a", "rose", "is", "a", "rose"]
SHORT = ["a", "rose"]


def test_runs_of_words_overlap_and_end_with_the_text():
    assert list(ngrams(["a", "b", "c"], 2)) == [("a", "b"), ("b", "c")]
    assert list(ngrams(["a"], 2)) == []


@pytest.mark.parametrize(("size", "share"), [(1, 3 / 10), (2, 3 / 8), (3, 3 / 6)])
def test_distinct_runs_are_of_all_texts_together(size, share):
    assert distinct_share([ROSE, SHORT], size) == pytest.approx(share)


def test_repeated_runs_are_of_each_text_alone():
    # a rose is a, rose is a rose, is a rose is, a rose is a, rose is a rose
    assert repeated_share([ROSE]) == pytest.approx(2 / 5)
    assert repeated_share([ROSE, ROSE, SHORT]) == pytest.approx(4 / 10)


def test_a_copy_has_eight_words_in_a_row_of_one_sentence():
    sentence = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    known = runs_of([sentence, ["ten", "eleven"]])
    texts = [["and", *sentence[1:]], sentence[:7], [*sentence[2:], "ten"], []]
    assert len(known) == 2
    assert copied_share(texts, known) == pytest.approx(1 / 4)


def test_without_words_there_is_no_share():
    assert math.isnan(distinct_share([[]], 1))
    assert math.isnan(repeated_share([SHORT]))
    assert math.isnan(copied_share([], set()))
