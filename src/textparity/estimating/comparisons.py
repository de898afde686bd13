"""Test whether two corpora differ in masculine per feminine: bootstrap intervals and a permutation test over units.

A unit is a text, or a document of several texts. Units with the same counts are of one kind. Time and memory therefore
depend on the number of kinds rather than of units.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from textparity.estimating.bootstrap import NUMBERS_DRAWN
from textparity.estimating.estimates import Estimate
from textparity.estimating.intervals import ClusteredShare, difference_interval

# One less than a round number, because the data's own labels count as one more permutation.
PERMUTATIONS = 9999


@dataclass(frozen=True)
class Comparison:
    """The difference between one corpus and the reference.

    `ratio` is its masculine per feminine divided by that of the reference. `difference` is its women's share of both
    genders minus that of the reference, in percentage points. `ratio` is NaN if a corpus lacks a gender, and all three
    are if it lacks both.
    """

    ratio: Estimate
    difference: Estimate
    p_value: float


def compare_counts(
    reference: np.ndarray,
    other: np.ndarray,
    is_paired: bool,
    resamples: int,
    confidence_level: float,
    generator: np.random.Generator,
) -> Comparison:
    """Compare counts of feminine and masculine words, each an array of shape (units, 2).

    Intervals are percentiles of a bootstrap over units: of pairs (row by row) if `is_paired`, else of each corpus
    separately. Without pairs, that of the difference instead combines the intervals of the two shares. The p-value is
    two-sided. Its statistic is the log ratio divided by its standard error, and labels are permuted among units, or
    within pairs. Studentizing makes it valid if the corpora have equal ratios but differ in everything else (Janssen
    1997).
    """
    if is_paired:
        kinds, numbers = _kinds(np.hstack([reference, other]))
        samples = _resample_pairs(kinds, numbers, resamples, generator)
        own = _statistic(*_moments_of_pairs(kinds, numbers[None], np.zeros_like(numbers)[None]))

        def permuted(size: int) -> np.ndarray:
            # Each pair is swapped with probability one half.
            swapped = generator.binomial(numbers, 0.5, size=(size, len(kinds)))
            return _statistic(*_moments_of_pairs(kinds, numbers - swapped, swapped))
    else:
        one, another = _kinds(reference), _kinds(other)
        drawn = zip(_resample(one[1], resamples, generator), _resample(another[1], resamples, generator), strict=False)
        samples = ((first @ one[0], second @ another[0]) for first, second in drawn)
        kinds, numbers = _kinds(np.vstack([reference, other]))
        of_reference = dict(zip(map(tuple, one[0].tolist()), one[1].tolist(), strict=True))
        drawn_once = np.array([[of_reference.get(tuple(kind), 0) for kind in kinds.tolist()]], np.int64)
        own = _statistic(*_moments(kinds, numbers, drawn_once))

        def permuted(size: int) -> np.ndarray:
            drawn = generator.multivariate_hypergeometric(numbers, len(reference), size=size, method="marginals")
            return _statistic(*_moments(kinds, numbers, drawn))

    compared = _compared(reference, other, samples, own[0], _permute(permuted, len(kinds)), confidence_level)
    if is_paired:
        return compared
    shares = [_share(*of_corpus).interval(confidence_level) for of_corpus in (another, one)]
    return replace(compared, difference=difference_interval(*shares) * 100)


def compare_part(
    whole: np.ndarray,
    is_kept: np.ndarray,
    is_reference: bool,
    resamples: int,
    confidence_level: float,
    generator: np.random.Generator,
) -> Comparison:
    """Compare a corpus with a part of it, such as the texts that a filter keeps.

    The counts have shape (units, 2), and `is_kept` marks the units in the part. The part is the reference if
    `is_reference`, else the whole is. Intervals are percentiles of a bootstrap over the units of the whole, each kept
    or left out. The p-value is two-sided, for the log ratio when the same number of units is kept at random.
    """
    part = np.where(is_kept[:, None], whole, 0)
    reference, other = (part, whole) if is_reference else (whole, part)
    samples = _resample_pairs(*_kinds(np.hstack([reference, other])), resamples, generator)
    of_whole, of_part = whole.sum(axis=0)[None], part.sum(axis=0)[None]
    kinds, numbers = _kinds(whole)

    def permuted(size: int) -> np.ndarray:
        drawn = generator.multivariate_hypergeometric(numbers, int(is_kept.sum()), size=size, method="marginals")
        return _log_ratio(of_whole, drawn @ kinds)

    own = _log_ratio(of_whole, of_part)[0]
    return _compared(reference, other, samples, own, _permute(permuted, len(kinds)), confidence_level)


def _compared(
    reference: np.ndarray,
    other: np.ndarray,
    samples: Iterator[tuple[np.ndarray, np.ndarray]],
    own: float,
    permuted: Iterator[np.ndarray],
    confidence_level: float,
) -> Comparison:
    ratio, difference = _measures(reference.sum(axis=0)[None], other.sum(axis=0)[None])
    # Samples are drawn before permutations, by the same generator.
    drawn_measures = [_measures(first, second) for first, second in samples]
    ratios, differences = (np.concatenate(values) for values in zip(*drawn_measures, strict=True))
    statistics = np.concatenate(list(permuted))
    # A permutation with a group of no gendered words counts as most extreme. Equal statistics may differ in their last
    # digit.
    as_large = np.isnan(statistics) | (np.abs(statistics) >= abs(own) * (1 - 1e-9))
    return Comparison(
        _estimate(float(ratio[0]), ratios, confidence_level, no_difference=1),
        _estimate(float(difference[0]), differences, confidence_level, no_difference=0),
        math.nan if np.isnan(own) else float((1 + as_large.sum()) / (1 + len(statistics))),
    )


def _kinds(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    sizes = rows.max(axis=0, initial=0).astype(np.int64) + 1
    if math.prod(sizes.tolist()) < 1 << 63:
        # One number for each row takes a tenth of the time and memory of sorting rows.
        keys = np.ravel_multi_index(tuple(rows.T), tuple(sizes))
        keys, numbers = np.unique(keys, return_counts=True)
        kinds = np.column_stack(np.unravel_index(keys, tuple(sizes)))
    else:
        kinds, numbers = np.unique(rows, axis=0, return_counts=True)
    return kinds.astype(np.int64), numbers.astype(np.int64)


def _share(kinds: np.ndarray, numbers: np.ndarray) -> ClusteredShare:
    sums = kinds * numbers[:, None]
    return ClusteredShare.of_kinds(sums[:, 0], sums[:, 1], numbers, sums.T.astype(object) @ kinds)


def _permute(statistic: Callable[[int], np.ndarray], kinds: int) -> Iterator[np.ndarray]:
    """Compute the statistic of all permutations, in portions that fit in memory."""
    most = max(1, NUMBERS_DRAWN // max(kinds, 1))
    for start in range(0, PERMUTATIONS, most):
        yield statistic(min(most, PERMUTATIONS - start))


def _resample(numbers: np.ndarray, resamples: int, generator: np.random.Generator) -> Iterator[np.ndarray]:
    units = int(numbers.sum())
    # If two corpora are resampled together, draws are made one at a time, because their numbers of kinds differ.
    for _ in range(resamples):
        yield generator.multinomial(units, numbers / units, size=1)


def _resample_pairs(
    kinds: np.ndarray, numbers: np.ndarray, resamples: int, generator: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for drawn in _resample(numbers, resamples, generator):
        yield drawn @ kinds[:, :2], drawn @ kinds[:, 2:]


def _moments(kinds: np.ndarray, numbers: np.ndarray, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute the sums of both groups, shape (draws, 2) each, and the variance of the log ratio.

    `drawn` has the number of units of each kind in the reference, shape (draws, kinds).
    """
    groups = drawn.astype(float), (numbers - drawn).astype(float)
    variance = np.zeros(len(drawn))
    sums = []
    for group in groups:
        totals = group @ kinds
        feminine, masculine = (totals[:, place] for place in (0, 1))
        squares = group @ np.column_stack([kinds[:, 0] ** 2, kinds[:, 1] ** 2, kinds[:, 0] * kinds[:, 1]])
        with np.errstate(divide="ignore", invalid="ignore"):
            # This is the variance of each unit's contribution to the logarithm (the linearized ratio).
            variance += (
                squares[:, 0] / feminine**2 + squares[:, 1] / masculine**2 - 2 * squares[:, 2] / (feminine * masculine)
            )
        sums.append(totals)
    return sums[0], sums[1], variance


def _moments_of_pairs(
    kinds: np.ndarray, kept: np.ndarray, swapped: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute the same for pairs: `kept` and `swapped` have the numbers of pairs of each kind in either order."""
    both = np.vstack([kinds, kinds[:, [2, 3, 0, 1]]]).astype(float)
    numbers = np.hstack([kept, swapped]).astype(float)
    totals = numbers @ both
    # All products of two counts are needed, because the variance is that of a sum of four terms.
    products = numbers @ np.einsum("ki,kj->kij", both, both).reshape(len(both), 16)
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = np.array([1.0, -1.0, -1.0, 1.0]) / totals
        variance = np.einsum("di,dij,dj->d", weights, products.reshape(-1, 4, 4), weights)
    return totals[:, :2], totals[:, 2:], variance


def _statistic(reference: np.ndarray, other: np.ndarray, variance: np.ndarray) -> np.ndarray:
    log_ratio = _log_ratio(reference, other)
    with np.errstate(divide="ignore", invalid="ignore"):
        studentized = log_ratio / np.sqrt(variance)
    # Infinite ratios have no variance, and if all units are alike, equal ones would give 0 / 0.
    return np.where(np.isfinite(log_ratio) & (log_ratio != 0), studentized, log_ratio)


def _log_ratio(reference: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Compute the logarithm of the ratio of ratios.

    It is infinite if one group lacks a gender that the other has, so that they differ most, and 0 if both lack the same
    gender. It is NaN if a group lacks both.
    """
    towards_men, towards_women = other[:, 1] * reference[:, 0], other[:, 0] * reference[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(towards_men / towards_women)
    lack_the_same = (towards_men == 0) & (towards_women == 0)
    have_words = (reference.sum(axis=1) > 0) & (other.sum(axis=1) > 0)
    return np.where(have_words, np.where(lack_the_same, 0.0, found), np.nan)


def _measures(reference: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute the ratio of ratios and the difference of women's shares in percent, from sums of shape (draws, 2)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (other[:, 1] * reference[:, 0]) / (other[:, 0] * reference[:, 1])
        shares = [100 * sums[:, 0] / sums.sum(axis=1) for sums in (reference, other)]
    ratio = np.where((reference > 0).all(axis=1) & (other > 0).all(axis=1), ratio, np.nan)
    return ratio, shares[1] - shares[0]


def _estimate(value: float, values: np.ndarray, confidence_level: float, no_difference: float) -> Estimate:
    if not len(values) or np.isnan(values).any():
        return Estimate(value)
    low, high = np.quantile(values, [(1 - confidence_level) / 2, (1 + confidence_level) / 2])
    if low == high != no_difference:
        # All units differ in the same way, which does not make the difference certain.
        return Estimate(value)
    return Estimate(value, float(low), float(high))
