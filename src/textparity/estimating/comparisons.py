"""Compare masculine per feminine of two corpora: bootstrap intervals and a permutation test over units.

A unit is a text, or a document of several texts. Units with the same counts are of one kind. Time and memory therefore
depend on the number of kinds rather than of units.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from textparity.estimating.bootstrap import draw_weights, percentile_intervals
from textparity.estimating.estimates import Estimate
from textparity.estimating.hypothesis_tests import draw_groups, draw_swaps, permutation_test
from textparity.estimating.intervals import ClusteredShare, difference_interval

# The columns of counts.
_FEMININE, _MASCULINE = 0, 1
# The counts of a pair whose two corpora are swapped.
_SWAPPED = [2, 3, 0, 1]
# The coefficients of the logarithms of the four counts of a pair (those of the reference, then of the other) in the log
# ratio of ratios.
_LOG_COEFFICIENTS = np.array([1.0, -1.0, -1.0, 1.0])


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


@dataclass(frozen=True)
class UnitKinds:
    """The different units of a corpus: the counts of each kind, shape (kinds, counts), and its number of units."""

    counts: np.ndarray
    repeats: np.ndarray

    @classmethod
    def of(cls, units: np.ndarray) -> "UnitKinds":
        """Find the kinds of units with whole counts from 0, shape (units, counts). Kinds are sorted."""
        largest_counts = units.max(axis=0, initial=0)
        sizes = tuple(int(count) + 1 for count in largest_counts)
        has_small_keys = math.prod(sizes) < 1 << 63
        if has_small_keys:
            # One number for each unit takes a tenth of the time and memory of sorting rows.
            keys_of_units = np.ravel_multi_index(tuple(units.T), sizes)
            keys, repeats = np.unique(keys_of_units, return_counts=True)
            counts = np.column_stack(np.unravel_index(keys, sizes))
        else:
            counts, repeats = np.unique(units, axis=0, return_counts=True)
        return cls(counts.astype(np.int64), repeats.astype(np.int64))

    def resample(self, resamples: int, generator: np.random.Generator) -> np.ndarray:
        """Compute the sums of counts in each resample, shape (resamples, counts)."""
        portions = draw_weights(self.repeats, resamples, generator)
        return np.concatenate([weights @ self.counts for weights in portions])

    def women_share(self) -> ClusteredShare:
        """Compute the feminine share of both genders."""
        sums = self.counts * self.repeats[:, None]
        feminine, masculine = sums.T
        products = sums.T.astype(object) @ self.counts
        return ClusteredShare.of_kinds(feminine, masculine, self.repeats, products)


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
        return _compare_pairs(reference, other, resamples, confidence_level, generator)
    return _compare_groups(reference, other, resamples, confidence_level, generator)


def _compare_pairs(
    reference: np.ndarray, other: np.ndarray, resamples: int, confidence_level: float, generator: np.random.Generator
) -> Comparison:
    pairs = UnitKinds.of(np.hstack([reference, other]))
    # Resamples are drawn before permutations, by the same generator.
    resampled = pairs.resample(resamples, generator)
    not_swapped = np.zeros_like(pairs.repeats)
    (own,) = _studentized_of_pairs(pairs, not_swapped[None])
    swaps = draw_swaps(pairs.repeats, generator)
    p_value = permutation_test(own, (_studentized_of_pairs(pairs, swapped) for swapped in swaps))
    return _make_comparison(reference, other, resampled, confidence_level, p_value)


def _compare_groups(
    reference: np.ndarray, other: np.ndarray, resamples: int, confidence_level: float, generator: np.random.Generator
) -> Comparison:
    reference_kinds = UnitKinds.of(reference)
    other_kinds = UnitKinds.of(other)
    resampled = np.empty((resamples, 4), np.int64)
    for resample in resampled:
        resample[:2] = reference_kinds.resample(1, generator)
        resample[2:] = other_kinds.resample(1, generator)
    both = UnitKinds.of(np.vstack([reference, other]))
    in_reference = _repeats_in(reference_kinds, both)
    (own,) = _studentized_of_groups(both, in_reference[None])
    groups = draw_groups(both.repeats, len(reference), generator)
    p_value = permutation_test(own, (_studentized_of_groups(both, group) for group in groups))
    compared = _make_comparison(reference, other, resampled, confidence_level, p_value)
    reference_share = reference_kinds.women_share().interval(confidence_level)
    other_share = other_kinds.women_share().interval(confidence_level)
    difference = difference_interval(other_share, reference_share)
    return replace(compared, difference=difference * 100)


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
    resampled = UnitKinds.of(np.hstack([reference, other])).resample(resamples, generator)
    kinds = UnitKinds.of(whole)
    whole_sums = whole.sum(axis=0, keepdims=True)
    part_sums = part.sum(axis=0, keepdims=True)
    (own,) = _log_ratio(whole_sums, part_sums)
    parts = draw_groups(kinds.repeats, int(is_kept.sum()), generator)
    p_value = permutation_test(own, (_log_ratio(whole_sums, kept @ kinds.counts) for kept in parts))
    return _make_comparison(reference, other, resampled, confidence_level, p_value)


def _make_comparison(
    reference: np.ndarray, other: np.ndarray, resampled: np.ndarray, confidence_level: float, p_value: float
) -> Comparison:
    """Compute both measures with their percentile intervals.

    `resampled` has the sums of each resample: feminine and masculine of the reference, then of the other.
    """
    reference_sums = reference.sum(axis=0, keepdims=True)
    other_sums = other.sum(axis=0, keepdims=True)
    (own,) = _measures(reference_sums, other_sums)
    measures = _measures(resampled[:, :2], resampled[:, 2:])
    ratio, difference = percentile_intervals(own, measures, confidence_level)
    ratio = _without_constant(ratio, no_difference=1.0)
    difference = _without_constant(difference, no_difference=0.0)
    return Comparison(ratio, difference, p_value)


def _without_constant(estimate: Estimate, no_difference: float) -> Estimate:
    """Remove an interval without width. If all units differ in the same way, this does not make it certain."""
    is_constant = estimate.low == estimate.high != no_difference
    return Estimate(estimate.value) if is_constant else estimate


def _measures(reference: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Compute the ratio of ratios and the difference of women's shares in percent, from sums of shape (draws, 2)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        towards_men, towards_women = _cross_products(reference, other)
        ratio = towards_men / towards_women
        difference = _women_percent(other) - _women_percent(reference)
    has_ratio = (towards_men > 0) & (towards_women > 0)
    ratio = np.where(has_ratio, ratio, np.nan)
    return np.column_stack([ratio, difference])


def _women_percent(sums: np.ndarray) -> np.ndarray:
    feminine = sums[:, _FEMININE]
    return 100 * feminine / sums.sum(axis=1)


def _cross_products(reference: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute the numerator and the denominator of the ratio of ratios."""
    # Products of whole numbers could exceed 64 bits.
    reference, other = reference.astype(float), other.astype(float)
    towards_men = other[:, _MASCULINE] * reference[:, _FEMININE]
    towards_women = other[:, _FEMININE] * reference[:, _MASCULINE]
    return towards_men, towards_women


def _repeats_in(part: UnitKinds, kinds: UnitKinds) -> np.ndarray:
    """Find the number of units in `part` of each of the given kinds."""
    kinds_of_part = map(tuple, part.counts.tolist())
    repeats = dict(zip(kinds_of_part, part.repeats.tolist(), strict=True))
    in_part = [repeats.get(tuple(counts), 0) for counts in kinds.counts.tolist()]
    return np.array(in_part, np.int64)


def _studentized_of_groups(kinds: UnitKinds, in_reference: np.ndarray) -> np.ndarray:
    """Compute the test statistic of groups. `in_reference` has the reference's numbers of units, (draws, kinds)."""
    in_other = kinds.repeats - in_reference
    reference, variance_of_reference = _sums_and_log_variance(kinds, in_reference)
    other, variance_of_other = _sums_and_log_variance(kinds, in_other)
    return _studentize(reference, other, variance_of_reference + variance_of_other)


def _sums_and_log_variance(kinds: UnitKinds, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute the sums of both genders in each draw, shape (draws, 2), and the variance of their log ratio."""
    feminine_counts, masculine_counts = kinds.counts.T
    mixed_products = feminine_counts * masculine_counts
    products = np.column_stack([feminine_counts**2, masculine_counts**2, mixed_products])
    weights = drawn.astype(float)
    sums = weights @ kinds.counts
    feminine, masculine = sums.T
    feminine_squares, masculine_squares, mixed = (weights @ products).T
    with np.errstate(divide="ignore", invalid="ignore"):
        # This is the variance of each unit's contribution to the logarithm (the linearized ratio).
        of_feminine = feminine_squares / feminine**2
        of_masculine = masculine_squares / masculine**2
        of_both = 2 * mixed / (feminine * masculine)
        variance = of_feminine + of_masculine - of_both
    return sums, variance


def _studentized_of_pairs(pairs: UnitKinds, swapped: np.ndarray) -> np.ndarray:
    """Compute the test statistic of pairs. `swapped` has the numbers of swapped pairs of each kind, (draws, kinds)."""
    swapped_counts = pairs.counts[:, _SWAPPED]
    kept = pairs.repeats - swapped
    counts = np.vstack([pairs.counts, swapped_counts])
    weights = np.hstack([kept, swapped])
    counts = counts.astype(float)
    weights = weights.astype(float)
    sums = weights @ counts
    variance = _log_variance_of_pairs(counts, weights, sums)
    reference, other = np.hsplit(sums, 2)
    return _studentize(reference, other, variance)


def _log_variance_of_pairs(counts: np.ndarray, weights: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Compute the variance of the log ratio of ratios of pairs, a sum of four terms, in each draw."""
    products_of_kinds = np.einsum("ki,kj->kij", counts, counts)
    products = weights @ products_of_kinds.reshape(-1, 16)
    products = products.reshape(-1, 4, 4)
    with np.errstate(divide="ignore", invalid="ignore"):
        coefficients = _LOG_COEFFICIENTS / sums
        return np.einsum("di,dij,dj->d", coefficients, products, coefficients)


def _studentize(reference: np.ndarray, other: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Divide the log ratio of sums of shape (draws, 2) by its standard error."""
    log_ratio = _log_ratio(reference, other)
    with np.errstate(divide="ignore", invalid="ignore"):
        studentized = log_ratio / np.sqrt(variance)
    # Infinite ratios have no variance, and if all units are alike, equal ones would give 0 / 0.
    has_variance = np.isfinite(log_ratio) & (log_ratio != 0)
    return np.where(has_variance, studentized, log_ratio)


def _log_ratio(reference: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Compute the logarithm of the ratio of ratios.

    It is infinite if one group lacks a gender that the other has, so that they differ most, and 0 if both lack the same
    gender. It is NaN if a group lacks both.
    """
    towards_men, towards_women = _cross_products(reference, other)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_ratio = np.log(towards_men / towards_women)
    lack_the_same = (towards_men == 0) & (towards_women == 0)
    log_ratio[lack_the_same] = 0.0
    reference_is_empty = reference.sum(axis=1) == 0
    other_is_empty = other.sum(axis=1) == 0
    log_ratio[reference_is_empty | other_is_empty] = np.nan
    return log_ratio
