import math

import numpy as np
import pytest

from textparity.statistics import (
    Sample,
    bootstrap_ratios,
    bootstrap_ratios_by_kind,
    percentage,
    random_generator,
    standard_error_of_difference,
    verdict,
    welch_interval,
    wilson_interval,
)


def test_the_standard_error_is_that_of_a_vector_over_words():
    # Footnote 11: one value a word, +1 masculine, -1 feminine, 0 none or both.
    values = np.array([1] * 7 + [-1] * 4 + [0] * 2 + [0] * 987)
    expected = values.std(ddof=1) / math.sqrt(len(values))
    assert standard_error_of_difference(feminine=6, masculine=9, both=2, words=1000) == pytest.approx(expected)
    assert math.isnan(standard_error_of_difference(0, 1, 0, 1))


def test_wilson_interval_is_that_of_the_formula():
    # 8 of 10 at 95 %, by hand: (0.8 + z²/20 ± z √(0.016 + z²/400)) / (1 + z²/10).
    interval = wilson_interval(8, 10, 0.95)
    assert (interval.low, interval.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert math.isnan(wilson_interval(0, 0, 0.95).low)


def test_the_verdict_depends_on_the_unit():
    # Swedish NTREX, Table 4: 0.109 percent and 0.0003.
    assert verdict(0.156, 0.265, 0.0003) == "masculine"
    assert verdict(0.265, 0.156, 0.03) == "feminine"
    assert verdict(0.203, 0.166, 0.03) == "balanced"
    assert verdict(math.nan, 0.1, 0.03) == ""


def test_percentages_of_nothing_are_not_numbers():
    assert percentage(1, 8) == 12.5
    assert math.isnan(percentage(0, 0))


def test_the_bootstrap_is_seeded_by_name_and_covers_the_ratio():
    texts = np.random.default_rng(3)
    matches, words = texts.poisson(0.3, 400), texts.integers(5, 40, 400)

    def interval(seed, name):
        return bootstrap_ratios(matches[None], words[None], 300, 0.95, random_generator(seed, "ntrex", name))[0]

    assert interval(1, "swe") == interval(1, "swe")
    assert interval(1, "swe") != interval(1, "dan")
    assert interval(1, "swe") != interval(2, "swe")
    assert interval(1, "swe").low < matches.sum() / words.sum() < interval(1, "swe").high


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("bootstrap", [bootstrap_ratios, bootstrap_ratios_by_kind])
def test_an_undefined_ratio_has_no_interval(bootstrap):
    numerators, denominators = np.array([[1, 2, 0, 1], [3, 0, 1, 2]]), np.array([[0, 0, 0, 0], [9, 8, 9, 7]])
    undefined, defined = bootstrap(numerators, denominators, 100, 0.9, random_generator(1))
    assert math.isnan(undefined.low)
    assert math.isnan(undefined.high)
    assert defined.low < defined.high
    assert math.isnan(bootstrap(numerators[:, :1], denominators[:, :1], 100, 0.9, random_generator(1))[1].low)


def test_the_bootstrap_by_kind_is_that_over_texts():
    texts = np.random.default_rng(5)
    # Many texts are alike, some have nothing, and one in a hundred has much.
    feminine = texts.poisson(0.4, (2, 600)) * texts.choice([1, 40], (2, 600), p=[0.99, 0.01])
    both = feminine + texts.poisson(0.8, (2, 600))
    resamples = 20_000
    over_texts = bootstrap_ratios(feminine, both, resamples, 0.9, random_generator(1, "texts"))
    by_kind = bootstrap_ratios_by_kind(feminine, both, resamples, 0.9, random_generator(1, "kinds"))
    for one, other in zip(over_texts, by_kind, strict=True):
        # The standard error of an end, sqrt(0.05 * 0.95 / 20,000) / density, is about half a percent of the width.
        tolerance = 0.04 * (one.high - one.low)
        assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=tolerance)


def test_the_bootstrap_by_kind_depends_on_the_seed_and_not_on_the_order_of_texts():
    texts = np.random.default_rng(7)
    feminine = texts.poisson(0.5, (3, 200))
    both = feminine + texts.poisson(300, (3, 200))

    def intervals(order, name):
        return bootstrap_ratios_by_kind(feminine[:, order], both[:, order], 100, 0.95, random_generator(1, name))

    straight = np.arange(200)
    assert intervals(straight, "a") == intervals(texts.permutation(200), "a")
    assert intervals(straight, "a") != intervals(straight, "b")


def test_the_bootstrap_takes_fractions():
    # Of texts that are all alike, every resample has the same mean.
    (interval,) = bootstrap_ratios(np.full((1, 5), 0.4), np.full((1, 5), 2), 50, 0.95, random_generator(1, "x"))
    assert (interval.low, interval.high) == pytest.approx((0.2, 0.2))


def test_welchs_interval_is_that_of_the_formula():
    # Variances of means 4/4 and 1/4, so an error of √1.25 and 1.25² / (1/3 + 1/48) = 4.41 degrees of freedom, for which
    # 95 % are within 2.677 errors.
    interval = welch_interval(Sample(4, 10, 2), Sample(4, 7, 1), 0.95)
    assert (interval.low, interval.high) == pytest.approx((3 - 2.9932, 3 + 2.9932), abs=1e-3)
    assert Sample.of(np.array([1, 2, 3])) == Sample(3, 2, 1)


def test_welchs_interval_needs_two_values_on_each_side():
    assert math.isnan(welch_interval(Sample.of(np.array([1.0])), Sample(4, 7, 1), 0.95).low)
    assert math.isnan(welch_interval(Sample(3, 1, 0), Sample(3, 1, 0), 0.95).low)
