"""A share corrected by a random sample: unbiased in simulated corpora, also in strata, and wide for useless counts."""

import math

import numpy as np
import pytest

from textparity.estimating.corrected_shares import (
    DrawnTexts,
    correct_share,
    draws_for_half_width,
)

LEVEL = 0.95


def make_corpus(generator, texts=300, women=0.3, recall=(0.6, 0.9)):
    """Make the women and men of texts, as they are and as a method with these recalls finds them."""
    shares = generator.beta(8 * women, 8 * (1 - women), texts)
    sizes = generator.poisson(20, texts) + 1
    of_women = generator.binomial(sizes, shares)
    marked = np.column_stack([of_women, sizes - of_women])
    found = generator.binomial(marked, recall)
    return marked.astype(float), found.astype(float)


def draw(generator, marked, found, draws):
    sizes = found.sum(axis=1) + 1
    chances = sizes / sizes.sum()
    texts = generator.choice(len(sizes), draws, p=chances)
    return DrawnTexts(marked[texts], found[texts], chances[texts], found.sum(axis=0))


def share_of(*corpora):
    women, men = np.sum([counts.sum(axis=0) for counts in corpora], axis=0)
    return women / (women + men)


def simulate(corpora, draws, samples=400):
    generator = np.random.default_rng(1)
    return [
        correct_share([draw(generator, *corpus, number) for corpus, number in zip(corpora, draws, strict=True)], LEVEL)
        for _ in range(samples)
    ]


@pytest.mark.parametrize(
    ("shares", "draws"), [((0.3,), (10,)), ((0.2, 0.6), (10, 10)), ((0.2, 0.6), (5, 20))], ids=["one", "two", "uneven"]
)
def test_the_corrected_share_is_that_of_all_texts(shares, draws):
    generator = np.random.default_rng(7)
    corpora = [make_corpus(generator, texts=200 * number, women=women) for number, women in enumerate(shares, start=1)]
    truth = share_of(*(marked for marked, _ in corpora))
    estimates = simulate(corpora, draws)
    values = np.array([estimate.corrected.value for estimate in estimates])
    ends = np.array([(estimate.corrected.low, estimate.corrected.high) for estimate in estimates])
    # The method finds far fewer women than men.
    assert share_of(*(found for _, found in corpora)) < truth - 0.04
    assert abs(values.mean() - truth) < 0.01
    assert np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1])) > 0.93
    assert np.mean([estimate.width_ratio for estimate in estimates]) < 0.8


def test_counts_that_know_nothing_gain_nothing():
    generator = np.random.default_rng(7)
    marked, found = make_corpus(generator)
    women = generator.binomial(found.sum(axis=1).astype(int), 0.5)
    shuffled = np.column_stack([women, found.sum(axis=1) - women])
    estimates = simulate([(marked, shuffled)], [20], samples=200)
    assert 0.95 < np.mean([estimate.width_ratio for estimate in estimates]) < 1.2


def test_too_few_texts_have_no_share():
    marked, found = make_corpus(np.random.default_rng(1))
    drawn = draw(np.random.default_rng(2), marked, found, 10)
    assert math.isnan(correct_share([drawn.first(2)], LEVEL).corrected.value)
    assert math.isnan(correct_share([], LEVEL).corrected.value)
    nobody = DrawnTexts(0 * drawn.marked, drawn.found, drawn.probabilities, drawn.found_in_all)
    assert math.isnan(correct_share([nobody], LEVEL).corrected.value)
    assert correct_share([drawn.first(3)], LEVEL).draws == 3


def test_half_the_width_takes_about_four_times_as_many_texts():
    marked, found = make_corpus(np.random.default_rng(1))
    share = correct_share([draw(np.random.default_rng(2), marked, found, 40)], LEVEL)
    assert 150 < draws_for_half_width(share, LEVEL) < 165
