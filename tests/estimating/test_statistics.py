import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from textparity.estimating import bootstrap
from textparity.estimating.bootstrap import (
    Bootstrap,
    bootstrap_ratios,
    draw_weights,
    draw_weights_by_unit,
    percentile_intervals,
)
from textparity.estimating.distributions import t_quantile, t_test
from textparity.estimating.estimates import MINIMUM_UNITS, percentage
from textparity.estimating.gaps import (
    NO_CLEAR_DIFFERENCE,
    TOO_FEW,
    EvidenceThreshold,
    GenderGap,
    published_verdict,
    standard_error_of_difference,
    verdict,
)
from textparity.estimating.hypothesis_tests import adjust_by_holm
from textparity.estimating.intervals import (
    ClusteredShare,
    SampleSummary,
    clustered_interval,
    difference_interval,
    mean_interval,
    welch_interval,
    wilson_interval,
)
from textparity.estimating.seeds import random_generator
from textparity.estimating.streaming_bootstrap import StreamingBootstrap


def test_the_standard_error_is_that_of_a_vector_over_words():
    # Footnote 11: one value a word, +1 masculine, -1 feminine, 0 none or both.
    values = np.array([1] * 7 + [-1] * 4 + [0] * 2 + [0] * 987)
    expected = values.std(ddof=1) / math.sqrt(len(values))
    assert standard_error_of_difference(feminine=6, masculine=9, both=2, words=1000) == pytest.approx(expected)
    assert math.isnan(standard_error_of_difference(0, 1, 0, 1))


@pytest.mark.parametrize("freedom", [1, 2, 9, 198, 200, 5000, 10**6])
@pytest.mark.parametrize("statistic", [1e-3, 0.4, -1.0, 1.96, 5.0, -30.0])
def test_the_t_test_is_that_of_scipy(statistic, freedom):
    assert t_test(statistic, freedom) == pytest.approx(2 * stats.t.sf(abs(statistic), freedom), rel=1e-10, abs=0)


def test_the_interval_of_a_mean_is_that_of_scipy():
    values = np.array([1.0, 2.0, 4.5])
    expected = stats.t.interval(0.9, len(values) - 1, loc=values.mean(), scale=stats.sem(values))
    interval = mean_interval(values, 0.9)
    assert (interval.value, interval.low, interval.high) == pytest.approx((2.5, *expected))
    assert math.isnan(mean_interval(values[:1], 0.9).low)


def test_wilson_interval_is_that_of_the_formula():
    # 8 of 10 at 95 %, by hand: (0.8 + z²/20 ± z √(0.016 + z²/400)) / (1 + z²/10).
    interval = wilson_interval(8, 10, 0.95)
    assert (interval.low, interval.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert math.isnan(wilson_interval(0, 0, 0.95).low)


def ends(interval):
    return pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("number", [5, 40])
def test_one_item_per_cluster_is_wilsons_interval(number):
    right = np.arange(number) % 4 == 0
    found = clustered_interval(right.astype(int), np.ones(number, int), 0.95)
    assert (found.low, found.high) == ends(wilson_interval(right.sum(), number, 0.95))


@pytest.mark.parametrize(("right", "clusters"), [([3] * 15 + [0] * 25, 40), ([3] * 40, 40), ([3, 3, 1, 0], 4)])
def test_items_that_agree_within_clusters_count_once(right, clusters):
    found = clustered_interval(np.array(right), np.full(clusters, 3), 0.95)
    assert (found.low, found.high) == ends(wilson_interval(sum(right) / 3, clusters, 0.95))


def test_clusters_cover_the_true_share():
    # Items of a cluster are alike in 2 of 3 clusters; Wilson's interval of all items is much too narrow for that.
    rng = np.random.default_rng(7)
    covered = dict.fromkeys(("clustered", "independent"), 0)
    for _ in range(400):
        wholes = rng.integers(1, 8, 40)
        shares = np.where(rng.random(40) < 2 / 3, rng.random(40) < 0.7, 0.7)
        parts = rng.binomial(wholes, shares)
        independent = wilson_interval(parts.sum(), wholes.sum(), 0.95)
        for name, found in (("clustered", clustered_interval(parts, wholes, 0.95)), ("independent", independent)):
            covered[name] += found.low <= 0.7 <= found.high
    assert covered["clustered"] > 0.92 * 400 > covered["independent"]


def test_the_interval_of_a_difference_is_that_of_newcombe():
    # Newcombe 1998 (Statistics in Medicine 17, 873), table II, example (a), method 10.
    shares = [wilson_interval(right, judged, 0.95) for right, judged in ((56, 70), (48, 80))]
    interval = difference_interval(*shares)
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.0524, 0.3339)


@pytest.mark.parametrize("freedom", [1, 1.3, 9, 4000])
def test_the_quantile_is_that_of_t(freedom):
    assert t_quantile(0.95, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-9)


def test_the_error_of_a_share_is_that_of_the_jackknife_and_large_texts_count_for_few():
    feminine, masculine = np.array([1, 0, 2, 5, 0, 3, 0, 1, 1, 40, 0]), np.array([1, 2, 0, 9, 4, 3, 1, 1, 2, 10, 0])
    found = ClusteredShare.of_units(feminine, masculine)
    items = feminine + masculine
    without = [np.delete(feminine, unit).sum() / np.delete(items, unit).sum() for unit in np.flatnonzero(items)]
    assert found.units == 10
    assert found.standard_error == pytest.approx(math.sqrt(0.9 * ((np.array(without) - found.value) ** 2).sum()))
    assert found.effective_units == pytest.approx(items.sum() ** 2 / (items**2).sum())
    logits = [math.log(share / (1 - share)) for share in (found.value, found.interval(0.95).high)]
    error = found.standard_error / found.value / (1 - found.value)
    assert logits[1] - logits[0] == pytest.approx(stats.t.ppf(0.975, max(1, found.effective_units - 1)) * error)


@pytest.mark.parametrize("lengths", [0.0, 1.5])
def test_the_interval_of_a_share_covers_it_on_both_sides(lengths):
    generator = np.random.default_rng(9)
    below, above = 0, 0
    for _ in range(400):
        items = generator.poisson(4 * generator.lognormal(0, lengths, 12))
        women = generator.binomial(items, generator.beta(0.5, 1.5, 12))
        interval = ClusteredShare.of_units(women, items - women).interval(0.95)
        below += interval.high < 0.25
        above += interval.low > 0.25
    # Four percent, and two standard errors of it. A bootstrap would miss the share in 35 rounds on one side.
    assert max(below, above) < 0.06 * 400


@pytest.mark.parametrize(("women", "men"), [(0, 3), (3, 0), (1, 2)])
def test_texts_that_agree_count_as_one_item_each(women, men):
    found = ClusteredShare.of_units(np.full(20, women), np.full(20, men)).interval(0.95)
    wilson = wilson_interval(20 * women / 3, 20, 0.95) if women == 1 else wilson_interval(20 * (women > 0), 20, 0.95)
    assert (found.low, found.high) == ends(wilson)


def test_a_text_that_has_nearly_all_words_leaves_the_share_open():
    women, men = np.array([10**12] + [1] * 9), np.array([0] + [1] * 9)
    found = ClusteredShare.of_units(women, men).interval(0.95)
    assert 0 <= found.low < 0.01 and found.value < found.high <= 1
    for units in (0, 1, MINIMUM_UNITS - 1):
        assert math.isnan(ClusteredShare.of_units(women[:units], men[:units]).interval(0.95).low)


def test_the_published_verdict_needs_more_than_two_standard_errors():
    # Swedish and English NTREX, Table 4, in percentage points.
    assert published_verdict(0.109, 0.03) == "masculine"
    assert published_verdict(-0.109, 0.03) == "feminine"
    assert published_verdict(0.037, 0.03) == "balanced"
    assert published_verdict(0.5, 0.25) == "balanced"
    assert published_verdict(math.nan, 0.03) == ""


@pytest.fixture(scope="module")
def documents():
    """Words, feminine, masculine and words of both genders, of documents that each speak of women or of men."""
    rng = np.random.default_rng(11)
    words = rng.integers(80, 900, 150)
    of_women = rng.random(150) < 0.4
    feminine = rng.poisson(0.01 * words) * of_women
    masculine = rng.poisson(0.008 * words) * ~of_women
    return words, feminine, masculine, np.minimum(feminine, rng.integers(0, 2, 150))


def test_the_error_of_the_gap_is_that_of_resampled_documents(documents):
    words, feminine, masculine, both = documents
    gap = GenderGap.of(*documents)
    assert (gap.matches, gap.matched_units) == (
        (feminine + masculine - 2 * both).sum(), (feminine + masculine > 2 * both).sum(),
    )  # fmt: skip
    drawn = np.random.default_rng(2).multinomial(150, np.full(150, 1 / 150), size=4000)
    resampled = (drawn @ (masculine - feminine)) / (drawn @ words)
    assert gap.standard_error == pytest.approx(resampled.std(), rel=0.05)
    # Of documents that each speak of one gender, words are far from independent.
    of_words = standard_error_of_difference(feminine.sum(), masculine.sum(), both.sum(), words.sum())
    assert gap.standard_error > 1.5 * of_words


def test_gaps_of_two_parts_add_up(documents):
    one, other = (GenderGap.of(*(counts[part] for counts in documents)) for part in (slice(40), slice(40, None)))
    assert one + other == GenderGap.of(*documents)
    empty = np.zeros(1, dtype=int)
    assert GenderGap.of(*(np.append(counts, 0) for counts in documents)) == GenderGap.of(*documents)
    assert GenderGap.of(empty, empty, empty, empty) == GenderGap()


def test_units_that_are_all_alike_are_tested_by_their_sign():
    alike = GenderGap.of(*(np.full(100, number) for number in (7, 0, 1, 0)))
    assert alike.standard_error == 0
    assert alike.p_value == pytest.approx(2 * 0.5**100)
    assert EvidenceThreshold(20, 10).is_met(alike)
    assert math.isnan(GenderGap.of(*np.array([[7], [0], [1], [0]])).standard_error)
    # Of as many women as men everywhere, there is no difference to be told from chance.
    assert GenderGap.of(*(np.full(100, number) for number in (7, 1, 1, 0))).p_value == 1


@pytest.mark.parametrize(
    ("feminine", "masculine", "both", "met"),
    [(10, 10, 0, True), (9, 10, 0, False), (0, 20, 0, True), (20, 20, 20, False), (20, 20, 10, True)],
)
def test_a_verdict_needs_words_of_one_gender(feminine, masculine, both, met):
    # Of 40 units, the first have one word of each kind; one of both genders says nothing of a difference.
    counts = [(np.arange(40) < number).astype(int) for number in (feminine, masculine, both)]
    assert EvidenceThreshold(20, 10).is_met(GenderGap.of(np.arange(40) + 9, *counts)) == met


def test_a_verdict_needs_units():
    words = np.arange(40) + 9
    crowded = GenderGap.of(words, np.zeros(40, int), np.where(np.arange(40) < 9, 50, 0), np.zeros(40, int))
    assert not EvidenceThreshold(20, 10).is_met(crowded)
    assert EvidenceThreshold(20, 9).is_met(crowded)


@pytest.mark.parametrize(("units", "persons"), [(20, 1.0), (123, 1.0), (123, 0.5)])
def test_with_the_fewest_units_the_test_errs_as_often_as_it_says(units, persons):
    # No difference between genders; documents of unequal length; a person is named once, or twice on average.
    rng = np.random.default_rng(5)
    p_values = []
    while len(p_values) < 1500:
        words = (25 * np.exp(rng.normal(0, 0.5, units))).astype(int) + 5
        rates = words / words.sum() * 15 * persons / 2
        counts = [rng.poisson(rates) for _ in range(2)]
        named = [found + rng.negative_binomial(np.maximum(found, 1), persons) * (found > 0) for found in counts]
        gap = GenderGap.of(words, *named, np.zeros(units, int))
        if 10 <= gap.matched_units < 13:
            p_values.append(gap.p_value)
    # The standard error of the share is 0.6 %.
    assert np.mean(np.array(p_values) < 0.05) < 0.07


def test_of_fewer_words_only_a_large_ratio_could_be_told_from_chance():
    assert stats.binomtest(15, 20).pvalue < 0.05 < stats.binomtest(14, 20).pvalue


def test_a_verdict_is_a_direction_or_says_that_there_is_none():
    assert verdict(-4, 0.05, 0.95) == "feminine"
    assert verdict(4, 0.049, 0.95) == "masculine"
    assert verdict(4, 0.049, 0.99) == NO_CLEAR_DIFFERENCE
    assert verdict(4, math.nan, 0.95) == TOO_FEW


def test_holms_adjustment_is_that_of_the_definition():
    # Sorted .01 .02 .03 .04 times 4 3 2 1 is .04 .06 .06 .04, and none is smaller than one before it.
    adjusted = adjust_by_holm([0.03, math.nan, 0.01, 0.04, 0.02])
    assert math.isnan(adjusted.pop(1))
    assert adjusted == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert adjust_by_holm([0.6, 0.7]) == [1, 1]


def test_percentages_of_nothing_are_not_numbers():
    assert percentage(1, 8) == 12.5
    assert math.isnan(percentage(0, 0))


def test_the_bootstrap_is_seeded_by_name_and_covers_the_ratio():
    texts = np.random.default_rng(3)
    matches, words = texts.poisson(0.3, 400), texts.integers(5, 40, 400)

    def interval(seed, name):
        return bootstrap_ratios(
            matches[None], words[None], Bootstrap(1, 300, 0.95), random_generator(seed, "ntrex", name)
        )[0]

    assert interval(1, "swe") == interval(1, "swe")
    assert interval(1, "swe") != interval(1, "dan")
    assert interval(1, "swe") != interval(2, "swe")
    assert interval(1, "swe").low < matches.sum() / words.sum() < interval(1, "swe").high


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_an_undefined_ratio_has_no_interval():
    numerators = np.tile([[1, 2, 0, 1], [3, 0, 1, 2]], 3)
    denominators = np.tile([[0, 0, 0, 0], [9, 8, 9, 7]], 3)
    undefined, defined = bootstrap_ratios(numerators, denominators, Bootstrap(1, 100, 0.9), random_generator(1))
    assert math.isnan(undefined.low)
    assert math.isnan(undefined.high)
    assert defined.low < defined.high


def test_a_bootstrap_over_too_few_units_has_no_interval():
    def low_end(units):
        counts = np.arange(2 * units).reshape(1, -1)
        (interval,) = bootstrap_ratios(counts[:, ::2], counts[:, 1::2], Bootstrap(1, 100, 0.9), random_generator(1))
        return interval.low

    assert math.isnan(low_end(MINIMUM_UNITS - 1))
    assert low_end(MINIMUM_UNITS) > 0


def test_an_undefined_statistic_has_no_p_value():
    assert math.isnan(t_test(math.nan, 5)) and math.isnan(t_test(1, math.nan))


def test_both_ways_of_drawing_give_the_same_distribution():
    units, resamples = 40, 20_000
    by_kind = np.concatenate(list(draw_weights(np.ones(units, np.int64), resamples, random_generator(1, "kinds"))))
    by_unit = np.concatenate(list(draw_weights_by_unit(units, resamples, random_generator(1, "units"))))
    assert (by_kind.sum(axis=1) == units).all()
    assert (by_unit.sum(axis=1) == units).all()
    values = np.random.default_rng(5).poisson(0.4, units)
    (one,) = percentile_intervals([0], (by_kind @ values)[:, None], 0.9)
    (other,) = percentile_intervals([0], (by_unit @ values)[:, None], 0.9)
    # Sums are whole numbers, so that an end may differ by one.
    assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=1)


def test_draws_do_not_depend_on_their_portions(monkeypatch):
    def draw():
        by_kind = draw_weights(np.array([3, 1, 5]), 20, random_generator(1))
        by_unit = draw_weights_by_unit(3, 20, random_generator(2))
        return [np.concatenate(list(portions)) for portions in (by_kind, by_unit)]

    at_once = draw()
    monkeypatch.setattr(bootstrap, "NUMBERS_DRAWN", 7)
    for one, other in zip(at_once, draw(), strict=True):
        assert np.array_equal(one, other)


def test_the_bootstrap_takes_fractions():
    # Of texts that are all alike, every resample has the same mean.
    (interval,) = bootstrap_ratios(
        np.full((1, 10), 0.4), np.full((1, 10), 2), Bootstrap(1, 50, 0.95), random_generator(1, "x")
    )
    assert (interval.low, interval.high) == pytest.approx((0.2, 0.2))


def test_welchs_interval_is_that_of_the_formula():
    # Variances of means 4/4 and 1/4, so an error of √1.25 and 1.25² / (1/3 + 1/48) = 4.41 degrees of freedom, for which
    # 95 % are within 2.677 errors.
    interval = welch_interval(SampleSummary(4, 10, 2), SampleSummary(4, 7, 1), 0.95)
    assert (interval.low, interval.high) == pytest.approx((3 - 2.9932, 3 + 2.9932), abs=1e-3)
    assert SampleSummary.of(np.array([1, 2, 3])) == SampleSummary(3, 2, 1)


def test_welchs_interval_needs_two_values_on_each_side():
    assert math.isnan(welch_interval(SampleSummary.of(np.array([1.0])), SampleSummary(4, 7, 1), 0.95).low)
    assert math.isnan(welch_interval(SampleSummary(3, 1, 0), SampleSummary(3, 1, 0), 0.95).low)


# As of lines and of books; some sums of their products are larger than 64 bits.
COUNTS = st.integers(1, 60).flatmap(
    lambda size: arrays(np.int64, (size, 4), elements=st.one_of(st.integers(0, 9), st.integers(0, 10**10)))
)


@given(COUNTS, st.sampled_from([1, 3, 20]), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_what_is_held_of_texts_does_not_depend_on_their_parts(counts, held, random):
    def drawn(order, cuts):
        parts = [StreamingBootstrap(100, partial(np.random.default_rng, 3), held) for _ in range(cuts + 1)]
        bounds = [0, *sorted(random.choices(range(len(counts) + 1), k=cuts)), len(counts)]
        for part, start, end in zip(parts, bounds[:-1], bounds[1:], strict=True):
            # In one go, or text by text.
            for some in [order[start:end]] if random.random() < 0.5 else order[start:end, np.newaxis]:
                part.add(counts[some])
        random.shuffle(parts)
        first, *others = parts
        for other in others:
            first.merge(other)
        return first

    whole = drawn(np.arange(len(counts)), 0)
    other = drawn(np.array(random.sample(range(len(counts)), len(counts))), random.randrange(6))
    assert len(whole.bins) <= held
    assert (other.grain, other.bins.tolist()) == (whole.grain, whole.bins.tolist())
    assert other.products.tolist() == whole.products.tolist() == (counts.T.astype(object) @ counts).tolist()
    assert other.women_share() == whole.women_share() or not counts[:, 1:3].any()
    if len(counts) > 1:
        assert other.sums().tobytes() == whole.sums().tobytes()
