"""What chance makes of the gaps that the paper prints, and of their deviations."""

import numpy as np
import pandas as pd
import pytest

from textparity_studies.stereotypes.published_gaps import (
    Groups,
    gap_probabilities,
    probability_of_at_least,
    tabulate_published_gaps,
)

GAP = ["lexicon", "label", "reading", "sets"]


@pytest.fixture(scope="module")
def tables(repository, tmp_path_factory):
    """Return the three tables, with an index each."""
    folder = tmp_path_factory.mktemp("gaps")
    paths = [folder / f"{name}.csv" for name in ("gaps", "spreads", "detectable")]
    tabulate_published_gaps(repository / "resources/stereotypes/published.csv", *paths, seed=1)
    index = (GAP, ["lexicon", "measure", "deviation_over"], ["words", "reading", "sets"])
    return [pd.read_csv(path).set_index(names).sort_index() for path, names in zip(paths, index, strict=True)]


def test_every_gap_of_two_small_groups_has_its_probability():
    # One of each, right half of the time: the same half of the time, or apart by all.
    found = gap_probabilities([Groups(1, 1, 0.5, 0.5)])
    assert [found[0], found[-1], found.sum()] == pytest.approx([0.5, 0.5, 1])
    # Of two such sets, one of the two is apart half of the time.
    two = gap_probabilities([Groups(1, 1, 0.5, 0.5)] * 2)
    assert [probability_of_at_least(gap, two) for gap in (0.5, 0.51, 1)] == pytest.approx([0.75, 0.25, 0.25])


@pytest.mark.parametrize(
    ("groups", "gap"), [([(42, 40)] * 3, 0.107), ([(42, 40), (707, 605)], 0.05), ([(8, 8)] * 15, 0.17)]
)
def test_a_simulation_agrees(groups, gap):
    generator = np.random.default_rng(1)
    draws = (
        generator.binomial(men, 0.7, 100_000) / men - generator.binomial(women, 0.6, 100_000) / women
        for men, women in groups
    )
    means = np.abs(np.stack([*draws])).mean(axis=0)
    found = gap_probabilities([Groups(men, women, 0.7, 0.6) for men, women in groups])
    assert np.linspace(0, 1, len(found)) @ found == pytest.approx(means.mean(), abs=0.001)
    assert probability_of_at_least(gap, found) == pytest.approx((means >= gap - 1e-9).mean(), abs=0.005)


def test_the_gaps_of_the_smaller_lexicon_depend_on_what_they_are_means_of(tables):
    gaps = tables[0]["probability_by_chance_percent"]
    large = gaps.loc["gaucher", "contradictory"]
    # Three sets that err independently: unlikely by chance; the same errors three times, or means over folds: not.
    assert large["all sentences of a set", 3] == pytest.approx(1.5, abs=0.1)
    assert (large.drop(("all sentences of a set", 3)) > 5).all()
    assert (gaps.loc["gaucher", "consistent"] > 20).all()
    assert (gaps.loc["cryan"] < 5).all()
    first = tables[0].loc[("cryan", "contradictory", "mean over five folds", 3)]
    # Men contradict the stereotypes with feminine words.
    assert first[["men", "women", "gap", "other_gap"]].tolist() == [615, 704, 8.7, 17.1]


def test_a_gap_that_is_smaller_than_chance_speaks_against_folds(tables):
    gaps, spreads, _ = tables
    small = gaps["probability_as_small_percent"].loc["gaucher", "consistent"]
    assert small["mean over five folds", 3] < 5 < small["all sentences of a set", 3]
    as_small = spreads["probability_as_small_percent"].loc["gaucher", "consistent_true_positive_rate_gap"]
    assert as_small["fifteen folds"] < 5 < as_small["three sets, all sentences of each"]
    # The deviation of an accuracy over folds is that of a fold's sentences.
    by_chance = spreads["deviation_by_chance"].loc["gaucher", "accuracy_percent", "fifteen folds"]
    assert by_chance == pytest.approx(100 * (0.679 * 0.321 / 32.8) ** 0.5, rel=0.03)


def test_a_gap_is_found_in_a_smaller_difference_the_more_words_there_are(tables):
    found = tables[2].unstack("words")["detectable_gap"]
    assert (found.diff(axis="columns").iloc[:, 1:] < 0).all(axis=None)
    row = tables[2].loc[(82, "all sentences of a set", 3)]
    rate = row["true_positive_rate_percent"] / 100
    generator = np.random.default_rng(1)
    for difference, expected in ((0, 0.05), (row["detectable_gap"] / 100, 0.8)):
        shares = [generator.binomial(41, rate + half, (100_000, 3)) / 41 for half in (difference / 2, -difference / 2)]
        means = np.abs(shares[0] - shares[1]).mean(axis=1)
        assert (means >= row["critical_gap"] / 100 - 1e-9).mean() == pytest.approx(expected, abs=0.006)
