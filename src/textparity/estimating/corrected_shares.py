"""Correct women's share by a random sample of texts in which a reader has marked every mention.

The texts are drawn with replacement and with known probabilities, so the share of the sample alone is an estimate
without a model (Hansen and Hurwitz 1943). A method has counted all texts, those of the sample too. The difference
between its share in all and in the sample shows how far this sample is off, and is taken back in part (difference and
regression estimators: Särndal, Swensson and Wretman 1992, chapter 6). How far depends on how well the method's counts
follow the reader's from text to text (*power tuning* in Angelopoulos, Duchi and Zrnic 2023), halfway between all of it
and what the sample suggests, because ten texts show that poorly.

Shares are added on the logit scale. The variance is that of residuals between texts, each divided by 1 minus the text's
part of the sample (as MacKinnon and White 1985 correct residuals of influential units). A sample may lack the few texts
in which the method errs, so the variance is drawn towards a part of that of the sample alone, and a few marked women or
men cannot rule out errors that none of them shows. docs/method.md has the simulations by which the constants were
chosen.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textparity.estimating.distributions import t_quantile
from textparity.estimating.estimates import UNDEFINED, Estimate

# The variance is drawn towards this part of the variance of the sample alone, with this weight.
PRIOR_PART, PRIOR_WEIGHT = 0.18, 0.2
# The variance of the logit by a single marked woman or man: how much of them may be errors that the sample lacks.
UNSEEN_ERRORS = 0.15
# The share of the difference that is taken back is the mean of 1 and of what the sample suggests, so it costs half a
# degree of freedom.
_FREEDOM_OF_TUNING = 0.5
# Half a mention of each gender keeps logits finite.
_CONTINUITY = 0.5
# With so few draws of a stratum, there is no interval.
_MOST_WITHOUT_INTERVAL = 2


@dataclass(frozen=True)
class DrawnTexts:
    """The draws from one stratum: texts with women and men that a reader marked, and those that a method found.

    `marked` and `found` have the shape (draws, 2), or (samples, draws, 2) for several samples at once; `probabilities`
    are those of drawing the text, of shape (draws,) or (samples, draws). `found_in_all`, of shape (2,), is what the
    method found in all texts of the stratum. A text that was drawn twice has two rows.
    """

    marked: np.ndarray
    found: np.ndarray
    probabilities: np.ndarray
    found_in_all: np.ndarray

    def first(self, draws: int) -> "DrawnTexts":
        """Take the first draws, which are a sample, too."""
        return DrawnTexts(
            self.marked[..., :draws, :], self.found[..., :draws, :], self.probabilities[..., :draws], self.found_in_all
        )


@dataclass(frozen=True)
class ShareFit:
    """Women's share on the logit scale, with its variance and degrees of freedom; one number each, or one per sample.

    `total` is the estimated number of women and men in all texts, and
    `variance_of_log_total` the variance of its log: strata are added by their totals.
    """

    logit: np.ndarray
    variance: np.ndarray
    freedom: float
    total: np.ndarray
    variance_of_log_total: np.ndarray


@dataclass(frozen=True)
class CorrectedShare:
    """Women's share in all texts (fractions, with intervals): from the sample `alone`, and `corrected` by the counts.

    `draws` is the number of draws.
    """

    alone: Estimate
    corrected: Estimate
    draws: int

    @property
    def width_ratio(self) -> float:
        """The width of the corrected interval over that of the sample alone. NaN without intervals."""
        return (self.corrected.high - self.corrected.low) / (self.alone.high - self.alone.low)


NO_CORRECTION = CorrectedShare(UNDEFINED, UNDEFINED, 0)


def correct_share(strata: Sequence[DrawnTexts], confidence_level: float) -> CorrectedShare:
    """Estimate women's share in all texts of some strata from one sample. Undefined for fewer than three draws each.

    It is undefined, too, if the reader marked no woman and no man in a stratum.
    """
    draws = sum(len(stratum.probabilities) for stratum in strata)
    is_enough = all(len(stratum.probabilities) > _MOST_WITHOUT_INTERVAL and stratum.marked.sum() for stratum in strata)
    if not strata or not is_enough:
        return CorrectedShare(UNDEFINED, UNDEFINED, draws)
    alone, corrected = (
        _interval_of(_join_strata([fit[number] for fit in map(fit_shares, strata)]), confidence_level)
        for number in (0, 1)
    )
    return CorrectedShare(alone, corrected, draws)


def draws_for_half_width(share: CorrectedShare, confidence_level: float, factor: float = 0.5) -> int:
    """Estimate the number of draws at which the corrected interval has this part of its width."""
    wanted = factor * t_quantile(confidence_level, _freedom(share.draws)) / math.sqrt(share.draws)
    draws = share.draws
    while t_quantile(confidence_level, _freedom(draws)) / math.sqrt(draws) > wanted:
        draws += 1
    return draws


def fit_shares(stratum: DrawnTexts) -> tuple[ShareFit, ShareFit]:
    """Fit women's share in a stratum: from the sample alone, and corrected by what the method found in all texts."""
    weights = 1 / stratum.probabilities
    marked = _Weighted.of(stratum.marked, weights)
    found = _Weighted.of(stratum.found, weights)
    draws = stratum.probabilities.shape[-1]
    alone = _fit_alone(marked)
    slope = _choose_slope(marked, found)
    logit = marked.logit - slope * (found.logit - _logit_of(stratum.found_in_all))
    residuals = marked.residuals - slope[..., None] * found.residuals
    # A text that is the whole sample shows nothing of the difference between texts.
    leverage = np.minimum(marked.parts, 1 - 1 / (2 * draws))
    of_residuals = _variance_of_sum(residuals / (1 - leverage))
    of_prior = PRIOR_PART * alone.variance
    drawn_towards = PRIOR_WEIGHT * of_prior + (1 - PRIOR_WEIGHT) * of_residuals
    variance = drawn_towards + _variance_of_unseen(stratum.marked)
    found_in_sample = found.totals.sum(axis=-1) / draws
    found_in_all = stratum.found_in_all.sum()
    total = alone.total * _divide(found_in_all, found_in_sample)
    of_total = _variance_of_sum(marked.parts - found.parts)
    freedom = _freedom(draws)
    return alone, ShareFit(logit, variance, freedom, total, of_total)


def _choose_slope(marked: "_Weighted", found: "_Weighted") -> np.ndarray:
    """Choose how much of the difference is taken back: halfway between all of it and what the sample suggests."""
    covariance = (marked.residuals * found.residuals).sum(axis=-1)
    spread = (found.residuals**2).sum(axis=-1)
    suggested = _divide(covariance, spread, without=0.0)
    slope: np.ndarray = (1 + np.clip(suggested, 0, 1)) / 2
    return slope


def _logit_of(counts: np.ndarray) -> float:
    women, men = counts + _CONTINUITY
    return math.log(women / men)


def _variance_of_unseen(marked: np.ndarray) -> np.ndarray:
    """Compute the variance by errors that so few marked women and men may lack."""
    of_gender = marked.sum(axis=-2) + _CONTINUITY
    variance: np.ndarray = (UNSEEN_ERRORS / of_gender).sum(axis=-1)
    return variance


def _divide(numbers: np.ndarray, by: np.ndarray, without: float = 1.0) -> np.ndarray:
    """Divide numbers; the quotient is `without` where the other number is 0."""
    has_quotient = by > 0
    return np.where(has_quotient, numbers / np.where(has_quotient, by, 1.0), without)


def _fit_alone(counts: "_Weighted") -> ShareFit:
    """Fit the share of the first of two counts from the sample alone."""
    draws = counts.parts.shape[-1]
    of_total = _variance_of_sum(counts.parts - 1 / draws)
    total = counts.totals.sum(axis=-1) / draws
    return ShareFit(counts.logit, _variance_of_sum(counts.residuals), draws - 1, total, of_total)


def _freedom(draws: int) -> float:
    return draws - 1 - _FREEDOM_OF_TUNING


@dataclass(frozen=True)
class _Weighted:
    """Counts of women and men of draws, weighted by one over their probabilities.

    `parts` are the parts of the draws in the total. `residuals` are their influence on the logit, with a sum of 0.
    """

    totals: np.ndarray
    logit: np.ndarray
    parts: np.ndarray
    residuals: np.ndarray

    @classmethod
    def of(cls, counts: np.ndarray, weights: np.ndarray) -> "_Weighted":
        weighted = counts * weights[..., None]
        totals = weighted.sum(axis=-2)
        whole = totals.sum(axis=-1)
        # Half a mention of each gender is weighted like the mean mention.
        mean_weight = _divide(whole, counts.sum(axis=(-2, -1)))
        half_mention = _CONTINUITY * mean_weight
        adjusted = totals + half_mention[..., None]
        logit = np.log(adjusted[..., 0]) - np.log(adjusted[..., 1])
        weighted_draws = weighted / adjusted[..., None, :]
        difference = weighted_draws[..., 0] - weighted_draws[..., 1]
        mean = difference.mean(axis=-1, keepdims=True)
        of_draws = weighted.sum(axis=-1)
        whole_of_draws = whole[..., None]
        parts = _divide(of_draws, whole_of_draws)
        residuals = difference - mean
        return cls(totals, logit, parts, residuals)


def _variance_of_sum(residuals: np.ndarray) -> np.ndarray:
    draws = residuals.shape[-1]
    variance: np.ndarray = (residuals**2).sum(axis=-1) * draws / max(draws - 1, 1)
    return variance


def _join_strata(fits: Sequence[ShareFit]) -> ShareFit:
    """Add strata by their totals; the variance is that of the delta method."""
    if len(fits) == 1:
        return fits[0]
    totals = np.array([fit.total for fit in fits])
    shares = np.array([_inverse_logit(fit.logit) for fit in fits])
    variances = np.array([fit.variance for fit in fits])
    of_log_totals = np.array([fit.variance_of_log_total for fit in fits])
    total = totals.sum(axis=0)
    parts = totals / total
    share = (parts * shares).sum(axis=0)
    of_shares = _slope_of_logit(shares) ** 2 * variances
    of_totals = (shares - share) ** 2 * of_log_totals
    variance = (parts**2 * (of_shares + of_totals)).sum(axis=0)
    logit = np.log(share / (1 - share))
    freedom = sum(fit.freedom for fit in fits)
    return ShareFit(logit, variance / _slope_of_logit(share) ** 2, freedom, total, np.zeros_like(share))


def _slope_of_logit(shares: np.ndarray) -> np.ndarray:
    """Compute how much a share changes with its logit."""
    return shares * (1 - shares)


def _interval_of(fit: ShareFit, confidence_level: float) -> Estimate:
    half = t_quantile(confidence_level, fit.freedom) * math.sqrt(float(fit.variance))
    logit = float(fit.logit)
    ends = (_inverse_logit(np.array(end)) for end in (logit, logit - half, logit + half))
    return Estimate(*map(float, ends))


def _inverse_logit(logit: np.ndarray) -> np.ndarray:
    inverse: np.ndarray = (1 + np.tanh(logit / 2)) / 2
    return inverse
