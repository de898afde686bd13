"""How far conditions move the ratio, over training seeds."""

import math

import pytest
from scipy import stats
from story_counts import write_counts

from textparity.tables import Caption
from textparity_studies.propagation.tables import tabulate_shifts


@pytest.fixture
def shifts(tmp_path):
    """Return a function that tabulates counts as corrected, by shift: all seeds, and each."""

    def tabulate(variants):
        tables = list(tabulate_shifts(write_counts(tmp_path, variants), confidence_level=0.95))
        found, seeds = (table.frame[table.frame["procedure"] == "corrected"] for table in tables)
        latex = tables[0].to_latex(Caption("Shifts", "Over seeds."), "tab:shifts")
        return found.set_index("shift"), seeds.set_index("shift"), latex

    return tabulate


def trained(condition, ratios):
    """One repetition of one story for each seed, with so many masculine words to one."""
    return {f"{condition}.seed{seed}.step16": [[(ratio, 1)]] for seed, ratio in enumerate(ratios, start=1)}


def test_trained_conditions_are_paired_by_seed(shifts):
    # Log-ratios differ by ln 2, ln 4 and ln 8: a mean of 2 ln 2, a deviation of ln 2, and t(0.975, 2) = 4.3027.
    found, seeds, latex = shifts(trained("male", [2, 8, 32]) | trained("female", [1, 2, 4]))
    row = found.loc["male / female"]
    half = 4.3027 * math.log(2) / math.sqrt(3)
    assert row["log_shift"] == pytest.approx(2 * math.log(2), abs=1e-6)
    ends = [row[f"log_shift_{end}"] for end in ("low", "high")]
    assert ends == pytest.approx([2 * math.log(2) - half, 2 * math.log(2) + half], abs=1e-4)
    assert (row["seeds"], row["times"], row["includes_no_shift"]) == (3, pytest.approx(4), "yes")
    assert seeds.loc["male / female", "times"].tolist() == pytest.approx([2, 4, 8], abs=1e-5)
    assert "male / female & 3 & 1 & 4.00 & 0.71–22.38" in latex


def test_shifts_against_the_base_model_count_its_own_spread(shifts):
    base = {"base": [[(2, 1)], [(3, 1)], [(3, 1)]]}
    found, _, _ = shifts(trained("male", [8, 9, 10]) | base)
    logs = [[math.log(ratio) for ratio in ratios] for ratios in ([8, 9, 10], [2, 3, 3])]
    expected = stats.ttest_ind(*logs, equal_var=False).confidence_interval(0.95)
    row = found.loc["male / base"]
    assert [row["log_shift_low"], row["log_shift_high"]] == pytest.approx([*expected], abs=1e-6)
    assert row["log_shift"] == pytest.approx(sum(logs[0]) / 3 - sum(logs[1]) / 3, abs=1e-6)
    assert (row["base_repetitions"], row["includes_no_shift"]) == (3, "no")
    # Neither was trained.
    seeds, times, includes = found.loc["balanced / base", ["seeds", "times", "includes_no_shift"]]
    assert (seeds, includes) == (0, "") and math.isnan(times)


def test_trainings_are_compared_by_the_repetitions_that_all_have(shifts):
    first = {"male.seed1.step16": [[(4, 1)], [(99, 1)]], "female.seed1.step16": [[(2, 1)], [(1, 1)]]}
    second = {"male.seed2.step16": [[(6, 1)]], "female.seed2.step16": [[(3, 1)]]}
    found, seeds, _ = shifts(first | second)
    assert found.loc["male / female", "repetitions"] == 1
    assert seeds.loc["male / female", "times"].tolist() == pytest.approx([2, 2], abs=1e-5)


def test_a_seed_without_a_ratio_is_counted(shifts):
    none = {"female.seed2.step16": [[(3, 0)]], "female.seed1.step16": [[(2, 1)]]}
    found, seeds, _ = shifts(trained("male", [4, 5]) | none)
    row = found.loc["male / female"]
    assert (row["seeds"], row["seeds_without_ratio"], row["times"]) == (2, 1, pytest.approx(2))
    # One seed has no interval, so nobody can say.
    assert math.isnan(row["times_low"]) and row["includes_no_shift"] == ""
    assert math.isnan(seeds.loc["male / female", "times"].tolist()[1])
