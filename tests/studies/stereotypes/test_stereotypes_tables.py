import math

import numpy as np
import pandas as pd
import pytest

from textparity.estimating.bootstrap import Bootstrap
from textparity.estimating.estimates import MINIMUM_UNITS
from textparity.estimating.seeds import random_generator
from textparity.tables import Caption
from textparity_studies.stereotypes.tables import (
    MEASURES,
    RATES,
    count_cells,
    measure,
    measure_rates,
    resample_groups,
    summarise,
    tabulate_classification,
)


def predictions(cells):
    """Return predictions: {(label, gender): (right, wrong)}; each sentence is a group of its own."""
    rows = []
    for (label, gender), (right, wrong) in cells.items():
        other = {"consistent": "contradictory", "contradictory": "consistent"}[label]
        rows += [[label, label, gender]] * right + [[label, other, gender]] * wrong
    frame = pd.DataFrame(rows, columns=["label", "predicted", "gender"])
    return frame.assign(id=[str(n) for n in frame.index], group=[str(n) for n in frame.index], fold=0, probability=0.5)


# Consistent: men 8 of 10, women 3 of 5. Contradictory: men 1 of 4, women 6 of 6.
ONE = predictions(
    {
        ("consistent", "masculine"): (8, 2),
        ("consistent", "feminine"): (3, 2),
        ("contradictory", "masculine"): (1, 3),
        ("contradictory", "feminine"): (6, 0),
    }
)
TWO = predictions(
    {
        ("consistent", "masculine"): (5, 5),
        ("consistent", "feminine"): (5, 0),
        ("contradictory", "masculine"): (5, 0),
        ("contradictory", "feminine"): (3, 2),
    }
)


def test_measures_are_those_worked_out_by_hand():
    # 18 of 25; 11 of 15; 7 of 10; |80 - 60|; |25 - 100|.
    assert measure(count_cells([ONE]).sum((0, 1))) == pytest.approx([72, 73.333333, 70, 20, 75])
    rates = measure_rates(count_cells([ONE]).sum((0, 1)))
    assert dict(zip(RATES, rates, strict=True)) == pytest.approx(
        {
            "consistent_masculine_true_positive_rate_percent": 80,
            "consistent_feminine_true_positive_rate_percent": 60,
            "contradictory_masculine_true_positive_rate_percent": 25,
            "contradictory_feminine_true_positive_rate_percent": 100,
        }
    )


def test_undetermined_persons_count_in_rates_but_not_in_gaps():
    more = predictions({("consistent", "undetermined"): (0, 5)})
    found = measure(count_cells([pd.concat([ONE, more])]).sum((0, 1)))
    assert found == pytest.approx([60, 55, 70, 20, 75])


def test_a_gap_without_one_gender_is_not_defined():
    only_men = ONE[ONE["gender"] == "masculine"]
    found = measure(count_cells([only_men]).sum((0, 1)))
    assert found[:3] == pytest.approx([64.285714, 80, 25])
    assert np.isnan(found[3:]).all()


def test_means_and_sample_deviations_are_over_sets():
    found = summarise([ONE, TWO], Bootstrap(1, 200, 0.95), random_generator(1, "x"))
    # Second set: 18 of 25; 10 of 15; 8 of 10; |50 - 100|; |100 - 60|.
    assert [found[name] for name in MEASURES] == pytest.approx([72, 70, 75, 35, 57.5])
    assert [found[f"{name}_sd"] for name in MEASURES] == pytest.approx(
        [0, 6.666667 / math.sqrt(2), 10 / math.sqrt(2), 30 / math.sqrt(2), 35 / math.sqrt(2)]
    )


def test_one_set_has_no_deviation():
    assert math.isnan(summarise([ONE], Bootstrap(1, 200, 0.95), random_generator(1, "x"))["accuracy_percent_sd"])


def test_the_bootstrap_interval_is_that_of_a_proportion():
    many = predictions({(label, gender): (60, 40) for label in ("consistent", "contradictory") for gender in
                        ("masculine", "feminine")})  # fmt: skip
    interval = resample_groups(count_cells([many]), Bootstrap(1, 4000, 0.95), random_generator(1, "x"))[0]
    # 60 % of 400 sentences, standard error 2.449.
    assert (interval.low, interval.high) == pytest.approx((60 - 1.96 * 2.449, 60 + 1.96 * 2.449), abs=0.5)


def test_the_bootstrap_resamples_groups_as_a_whole():
    def accuracy(groups):
        alike = pd.concat([ONE.assign(group=str(number)) for number in range(groups)])
        interval = resample_groups(count_cells([alike]), Bootstrap(1, 200, 0.95), random_generator(1, "x"))[0]
        return interval.low, interval.high

    assert accuracy(MINIMUM_UNITS) == pytest.approx((72, 72))
    assert accuracy(MINIMUM_UNITS - 1) == pytest.approx((math.nan, math.nan), nan_ok=True)


def test_table_vii_is_written(tmp_path):
    paths = [tmp_path / "1.csv", tmp_path / "2.csv", tmp_path / "3.csv"]
    for frame, path in zip((ONE, TWO, ONE.iloc[:0]), paths, strict=True):
        frame.to_csv(path, index=False)
    names = [["gaucher", "a-model", number, "published", "logistic_regression"] for number in "123"]
    by_set, table = tabulate_classification(paths, names, Bootstrap(1, 200, 0.95))
    (row,) = table.frame.to_dict("records")
    assert (row["sets"], row["sets_too_small"], row["sentences"]) == (2, 1, 50)
    assert row["contradictory_true_positive_rate_gap"] == 57.5
    assert row["accuracy_percent_low"] <= 72 <= row["accuracy_percent_high"]
    assert by_set.frame["sentences"].tolist() == [25, 25, 0]
    latex = table.to_latex(Caption("Scores", "Of sets."), "tab:scores")
    assert r"TPR gap in NS (\%) & 57.5 ± 24.7" in latex
    assert "gaucher, a-model" in latex and r"logistic\_regression" in latex
