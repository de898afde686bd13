"""What chance makes of the gaps that the paper prints."""

import numpy as np
import pandas as pd
import pytest

from textparity.stereotypes.published_gaps import gap_probabilities, mean_gap_probabilities, tabulate_published_gaps


def test_every_gap_of_two_small_groups_has_its_probability():
    # One of each, right half of the time: the same half of the time, or apart by all.
    gaps, probabilities = gap_probabilities(1, 1, 0.5)
    assert {gap: probabilities[gaps == gap].sum() for gap in (0, 1)} == pytest.approx({0: 0.5, 1: 0.5})
    assert gap_probabilities(3, 7, 0.3)[1].sum() == pytest.approx(1)


def test_a_simulation_agrees():
    generator = np.random.default_rng(1)
    drawn = generator.binomial(42, 0.671, 200_000) / 42 - generator.binomial(40, 0.671, 200_000) / 40
    gaps, probabilities = gap_probabilities(42, 40, 0.671)
    assert gaps @ probabilities == pytest.approx(np.abs(drawn).mean(), abs=0.0005)
    assert probabilities[gaps >= 0.107].sum() == pytest.approx((np.abs(drawn) >= 0.107).mean(), abs=0.005)


def test_a_mean_over_folds_is_nearer_to_what_is_expected():
    generator = np.random.default_rng(1)
    drawn = generator.binomial(8, 0.671, (100_000, 5)) / 8 - generator.binomial(8, 0.671, (100_000, 5)) / 8
    means, probabilities = mean_gap_probabilities(*gap_probabilities(8, 8, 0.671))
    assert probabilities.sum() == pytest.approx(1)
    assert probabilities[means >= 0.107].sum() == pytest.approx((np.abs(drawn).mean(axis=1) >= 0.107).mean(), abs=0.005)


def test_the_gaps_of_the_smaller_lexicon_are_what_chance_makes(repository, tmp_path):
    tabulate_published_gaps(repository / "resources/published/soundararajan2023.csv", tmp_path / "gaps.csv")
    table = pd.read_csv(tmp_path / "gaps.csv").set_index(["dataset", "label"])
    assert len(table) == 8
    gaucher, cryan = table.loc["gaucher"], table.loc["cryan, set 1"]
    assert gaucher.loc["consistent", ["men", "women", "gap"]].tolist() == [42, 40, 10.7]
    # Men contradict the stereotypes with feminine words.
    assert cryan.loc["contradictory", ["men", "women", "gap"]].tolist() == [615, 704, 8.7]
    assert (gaucher[["probability_by_chance_percent", "probability_by_chance_of_folds_percent"]] > 5).all(axis=None)
    assert (cryan["probability_by_chance_percent"] < 1).all()
    assert (cryan["probability_by_chance_of_folds_percent"] < 5).all()
    assert (table["gap_by_chance_of_folds"] > table["gap_by_chance"]).all()
