"""Shifts in the paper's own Tables 8 and 9: each case, and all together."""

import csv
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from textparity.counting.statistics import Sample
from textparity_studies.propagation.shifts import (
    detectable_difference,
    random_effects,
    runs_to_detect,
    tabulate_published_shifts,
)

PUBLISHED = "resources/propagation/published.csv"


@pytest.fixture(scope="module")
def tables(repository, tmp_path_factory):
    """Return the shifts of each case, and of all together."""
    paths = [tmp_path_factory.mktemp("shifts") / f"{name}.csv" for name in ("shifts", "pooled")]
    tabulate_published_shifts(repository / PUBLISHED, *paths, confidence_level=0.95)
    index = ["measure", "lang", "model", "shift"], ["shift", "lang", "scale", "method"]
    return [pd.read_csv(path).set_index(names).sort_index() for path, names in zip(paths, index, strict=True)]


def test_each_case_has_a_welch_interval_and_p(tables, repository):
    assert len(tables[0]) == 2 * 9 * 4
    # Table 9: 1.74 ± 0.41 and 1.49 ± 0.27, five runs each.
    row = tables[0].loc[("masculine_per_feminine", "en", "qwen2.5-7B", "male - base")]
    welch = stats.ttest_ind_from_stats(1.74, 0.41, 5, 1.49, 0.27, 5, equal_var=False)
    error = math.sqrt((0.41**2 + 0.27**2) / 5)
    half = row["difference_high"] - row["difference"]
    assert [row["difference"], row["p_value"]] == pytest.approx([0.25, welch.pvalue], abs=1e-6)
    assert half == pytest.approx(error * stats.t.ppf(0.975, 6.92), abs=1e-3)
    # Table 8: 0.77 ± 0.00, which counts as 0.005, and 0.76 ± 0.01.
    row = tables[0].loc[("semantic_diversity", "en", "llama3.1-8B", "male - base")]
    welch = stats.ttest_ind_from_stats(0.76, 0.01, 5, 0.77, 0.005, 5, equal_var=False)
    assert row["p_value"] == pytest.approx(welch.pvalue, abs=1e-6)
    # What the notes of the published numbers say of claims follows from this table.
    with (repository / PUBLISHED).open(encoding="utf-8") as file:
        said = {row["row"] for row in csv.DictReader(file) if "includes 0" in row["note"]}
    ratios = tables[0].loc["masculine_per_feminine"]
    shifts = ratios[ratios["includes_no_shift"] == "yes"].index
    assert {f"{lang} {model} {shift.partition(' ')[0]}" for lang, model, shift in shifts} == said


def test_english_increases_are_clear_together_for_these_models_and_not_for_others(tables):
    english = tables[1].loc[("male - base", "en", "difference")]
    ends = ["low", "high"]
    of_cases = english.loc["mean of these cases"]
    assert of_cases["estimate"] == pytest.approx((0.33 + 0.25 + 0.17) / 3)
    assert (english.loc[["mean of these cases", "random effects"], "low"] > 0).all()
    assert english.loc["random effects, Hartung-Knapp", "low"] < 0
    assert english.loc["random effects, Hartung-Knapp", ends].mean() == pytest.approx(
        english.loc["random effects", "estimate"], abs=1e-5
    )
    # All nine rise, but they are of three models in three languages.
    together = tables[1].loc[("male - base", "all", "times")]
    assert together["increases"].tolist() == [9] * 5
    assert together["sign_p"].iloc[0] == pytest.approx(2 / 2**9, abs=1e-6)
    means = [
        np.mean(np.log([3.89 / 3.38, 6.63 / 3.21, 2.31 / 1.98])),
        np.mean(np.log([3.77 / 2.81, 4.52 / 3.47, 1.74 / 1.49])),
    ]
    means.append(np.mean(np.log([4.65 / 3.03, 5.90 / 3.77, 1.90 / 1.73])))
    expected = stats.ttest_1samp(means, 0)
    of_models = together.loc["t of means of models"]
    assert of_models[["estimate", *ends, "p_value"]].tolist() == pytest.approx(
        [*np.exp([np.mean(means), *expected.confidence_interval(0.95)]), expected.pvalue], abs=1e-5
    )


def test_with_equal_errors_random_effects_are_the_mean_and_its_t_interval():
    # REML's variance between effects is then their variance less that of each.
    effects = np.array([1.0, 2.0, 4.0, 5.0])
    wald, hartung_knapp = random_effects(effects, np.full(4, 0.5), 0.95)
    assert [wald.estimate, wald.tau**2] == pytest.approx([3, effects.var(ddof=1) - 0.5], abs=1e-5)
    expected = stats.ttest_1samp(effects, 0)
    assert hartung_knapp.p == pytest.approx(expected.pvalue, abs=1e-5)
    assert hartung_knapp.interval.low == pytest.approx(expected.confidence_interval(0.95).low, abs=1e-4)
    assert wald.interval.low == pytest.approx(3 - 1.959964 * effects.std(ddof=1) / 2, abs=1e-4)


def test_effects_closer_than_their_errors_have_no_spread_and_no_smaller_error():
    wald, hartung_knapp = random_effects(np.array([1.0, 1.0, 1.0]), np.full(3, 3.0), 0.95)
    assert wald.tau == 0
    assert wald.interval.high == pytest.approx(1 + 1.959964)
    assert hartung_knapp.interval.high == pytest.approx(1 + stats.t.ppf(0.975, 2))


def test_the_power_of_a_test_is_that_of_the_textbook():
    # Cohen 1988: a difference of one deviation, at 5 % and 80 %, needs 17 in each of two groups.
    one = Sample(17, 0, 1)
    assert runs_to_detect(1, one, one) == 17
    assert detectable_difference(one, one) == pytest.approx(0.99, abs=0.01)
