"""Estimate from annotated texts how far a method's ratio masculine : feminine (M : F) may be from the truth.

The point estimate is never moved, because a constant correction made it worse on texts of other corpora. Instead, the
log of found over true M : F (the log bias) is modelled as varying around 0 between languages, corpora and kinds of
text. Its spread widens the interval. A method that always errs in one direction therefore has a large spread, too.
"""

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import NormalDist

import numpy as np

from textparity.counting import GENDERS
from textparity.estimating.distributions import normal_quantile
from textparity.estimating.estimates import UNDEFINED, Estimate
from textparity.persons.mentions import Measured

TABLE = Path(__file__).parents[1] / "resources" / "persons" / "method_errors.csv"
# The two ways in which a corpus may be annotated (`instruments.rows.PersonGold`).
COMPLETE, BALANCED = "complete", "balanced"
# Candidates for the spread (standard deviation) of log bias at each of three levels: quantiles of a half-normal prior.
# For all three together its scale is 0.5, which is usual for log ratios in meta-analyses of few studies (Röver et al.
# 2021, Research Synthesis Methods 12). The likelihood alone often peaks at 0, which would claim a faultless method.
_SCALE = 0.5 / math.sqrt(3)
# More kinds of text are described by their number.
_MOST_KINDS_SHOWN = 3
_STEPS = 40
_QUANTILES = [0.5 + (step + 0.5) / (2 * _STEPS) for step in range(_STEPS)]
_SPREADS = np.array([_SCALE * NormalDist().inv_cdf(quantile) for quantile in _QUANTILES])


@dataclass(frozen=True)
class Cluster:
    """The results of one method on one kind of text in one annotated corpus (`corpus` is the name to print).

    Pairs of numbers count what `count` names (mentions, or people once per document) by gender, feminine and masculine:
    those annotated (`true`), those that the method `found`, and found ones that are `right`. What has no annotated
    gender is left out of all three. `log_bias` is NaN if no woman or no man is annotated.
    """

    method: str
    count: str
    gold: str
    corpus: str
    lang: str
    kind: str
    annotation: str
    pipeline: str
    documents: int
    true: tuple[int, int]
    found: tuple[int, int]
    right: tuple[int, int]
    log_bias: float
    standard_error: float

    @property
    def measured(self) -> Measured:
        """The method, and what it counts."""
        return Measured(self.method, self.count)


@dataclass(frozen=True)
class MethodError:
    """How much a method's log bias varies: its standard deviation around 0 in texts of a new kind.

    It rests on a number of `clusters` in annotated `corpora`, of all languages (`assumed`) if the language has none.
    """

    log_sd: float
    corpora: tuple[str, ...]
    clusters: int
    assumed: bool


def estimate_error(clusters: Sequence[Cluster], lang: str) -> MethodError | None:
    """Estimate the error of a method in new texts of a language from its clusters in all languages.

    The model has random effects with three spreads around 0: between languages, between the corpora of a language, and
    between the kinds of text of a corpus. The result is averaged over all candidates for the three spreads, each
    weighted by its fit. A language with clusters has its own error, shrunk towards that of all languages. For any other
    language, the spread between languages counts in full. Returns None if there are no clusters.
    """
    clusters = [cluster for cluster in clusters if not math.isnan(cluster.log_bias)]
    if not clusters:
        return None
    model = _SpreadModel()
    squared_bias = model.languages**2
    own: list[Cluster] = []
    for other in sorted({cluster.lang for cluster in clusters}):
        clusters_of_language = [cluster for cluster in clusters if cluster.lang == other]
        evidence = model.add_language(clusters_of_language)
        if other == lang:
            own = clusters_of_language
            # The variance and the mean of the language's own bias, given the spreads.
            prior_variance = model.languages**2
            variance = prior_variance / (1 + prior_variance * evidence.weight)
            mean = variance * evidence.weighted
            squared_bias = variance + mean**2
    used = own or clusters
    squared_error = squared_bias + model.corpora**2 + model.kinds**2
    return MethodError(
        log_sd=model.average(np.sqrt(squared_error)),
        corpora=tuple(sorted({cluster.corpus for cluster in used})),
        clusters=len(used),
        assumed=not own,
    )


class _SpreadModel:
    """The three spreads, each on an axis of its own, and how well each combination of them fits the clusters added."""

    def __init__(self) -> None:
        self.languages, self.corpora, self.kinds = np.meshgrid(_SPREADS, _SPREADS, _SPREADS, indexing="ij", sparse=True)
        # The log likelihood, up to a constant.
        self._fit = np.zeros((len(_SPREADS),) * 3)

    def add_language(self, clusters: Sequence[Cluster]) -> "_Evidence":
        """Add the clusters of a language. Returns their evidence on its bias."""
        evidence = _Evidence()
        for corpus in sorted({cluster.corpus for cluster in clusters}):
            own_clusters = [cluster for cluster in clusters if cluster.corpus == corpus]
            shrunk = self._add_corpus(own_clusters).shrink(self.corpora)
            weight = evidence.weight + shrunk.weight
            weighted = evidence.weighted + shrunk.weighted
            evidence = _Evidence(weight, weighted)
        self._fit += evidence.fit(self.languages)
        return evidence

    def _add_corpus(self, clusters: Sequence[Cluster]) -> "_Evidence":
        bias = np.array([cluster.log_bias for cluster in clusters])
        errors = np.array([cluster.standard_error for cluster in clusters])
        variances = self.kinds[..., None] ** 2 + errors**2
        weights = 1 / variances
        log_densities = np.log(weights) - weights * bias**2
        self._fit += log_densities.sum(axis=-1) / 2
        total_weight = weights.sum(axis=-1)
        evidence = _Evidence(total_weight, weights @ bias)
        self._fit += evidence.fit(self.corpora)
        return evidence

    def average(self, values: np.ndarray) -> float:
        """Average over all combinations of spreads, weighted by their likelihood."""
        likelihood = np.exp(self._fit - self._fit.max())
        return float((values * likelihood).sum() / likelihood.sum())


@dataclass(frozen=True)
class _Evidence:
    """The evidence on one bias: the sum of inverse variances, and the sum of log biases weighted by them."""

    weight: np.ndarray | float = 0.0
    weighted: np.ndarray | float = 0.0

    def fit(self, spread: np.ndarray) -> np.ndarray:
        """Compute the gain in log likelihood from a bias that varies by `spread`, compared with no bias."""
        variance = spread**2
        factor = 1 + variance * self.weight
        gain = variance * self.weighted**2 / factor
        return (gain - np.log(factor)) / 2

    def shrink(self, spread: np.ndarray) -> "_Evidence":
        """Derive the evidence on the bias one level above, from which this one differs by `spread`."""
        factor = 1 + spread**2 * self.weight
        return _Evidence(self.weight / factor, self.weighted / factor)


@cache
def load_method_error(measured: Measured, lang: str) -> MethodError | None:
    """Load the error of what was measured in a language. Returns None if nothing was."""
    clusters = [cluster for cluster in load_clusters() if cluster.measured == measured]
    with_bias = [cluster for cluster in clusters if not math.isnan(cluster.log_bias)]
    languages = {cluster.lang for cluster in with_bias}
    # All languages without clusters share one estimate.
    if lang and lang not in languages:
        return load_method_error(measured, "")
    return estimate_error(clusters, lang)


def describe_accuracy(measured: Measured, lang: str) -> str:
    """Describe recall and precision by gender, and the texts. Empty if none is annotated completely."""
    clusters = _annotated_completely(measured, lang)
    if not clusters:
        return ""
    pipelines = sorted({cluster.pipeline for cluster in clusters} - {""})
    with_pipelines = "".join(f", with {pipeline}" for pipeline in pipelines)
    return f"{_describe_shares(clusters)}, on {_describe_texts(clusters)}{with_pipelines}"


def _describe_shares(clusters: Sequence[Cluster]) -> str:
    """Describe recall and precision by gender, over all clusters."""
    right = _sum_pairs(cluster.right for cluster in clusters)
    true = _sum_pairs(cluster.true for cluster in clusters)
    found = _sum_pairs(cluster.found for cluster in clusters)
    recalls = right / true
    precisions = right / found
    shares = []
    for gender, recall, precision in zip(GENDERS, recalls, precisions, strict=True):
        share = f"{gender} {recall:.0%} (precision {precision:.0%})"
        shares.append(share)
    return ", ".join(shares)


def _sum_pairs(pairs: Iterable[tuple[int, int]]) -> np.ndarray:
    """Add pairs of feminine and masculine numbers."""
    return np.sum(list(pairs), axis=0)


def _describe_texts(clusters: Sequence[Cluster]) -> str:
    """Describe the corpora of clusters, with their kinds of text and the number of documents."""
    corpora = sorted({cluster.corpus for cluster in clusters})
    kinds = sorted({cluster.kind for cluster in clusters})
    number_of_kinds = len(kinds)
    are_few = number_of_kinds <= _MOST_KINDS_SHOWN
    kinds_shown = ", ".join(kinds) if are_few else f"{number_of_kinds} kinds of text"
    documents = sum(cluster.documents for cluster in clusters)
    names = ", ".join(corpora)
    return f"{names} ({kinds_shown}, {documents} documents)"


def _annotated_completely(measured: Measured, lang: str) -> list[Cluster]:
    """List the clusters of a language that show of all that is found whether it is right."""
    clusters = []
    for cluster in load_clusters():
        is_measured = cluster.measured == measured and cluster.lang == lang
        if is_measured and cluster.annotation == COMPLETE:
            clusters.append(cluster)
    return clusters


def find_kinds_where_as_precise(method: str, other: str, lang: str) -> tuple[str, ...]:
    """List the kinds of text on which the advice to use `method` instead of `other` in a language rests.

    These are all on which the study `instruments` measured both, with every person annotated. There are none if
    `method` is less precise than `other` on one of them, over women's and men's mentions together.
    """
    kinds = []
    for kind in sorted({cluster.kind for cluster in load_clusters()}):
        own, others = _precision(method, lang, kind), _precision(other, lang, kind)
        if math.isnan(own) or math.isnan(others):
            continue
        if own < others:
            return ()
        kinds.append(kind)
    return tuple(kinds)


def _precision(method: str, lang: str, kind: str) -> float:
    """Compute a method's precision on a kind of text, not a number if it found nobody or was not measured."""
    found = right = 0
    for cluster in _annotated_completely(Measured(method), lang):
        if cluster.kind == kind:
            found += sum(cluster.found)
            right += sum(cluster.right)
    return right / found if found else math.nan


@cache
def load_clusters() -> tuple[Cluster, ...]:
    """Load the measurements of the last recorded run of the study `instruments`."""
    with open(TABLE, encoding="utf-8", newline="") as file:
        return tuple(map(_read_cluster, csv.DictReader(file)))


def _read_cluster(row: dict[str, str]) -> Cluster:
    return Cluster(
        method=row["method"],
        count=row["count"],
        gold=row["gold"],
        corpus=row["corpus"],
        lang=row["lang"],
        kind=row["kind"],
        annotation=row["annotation"],
        pipeline=row["pipeline"],
        documents=int(row["documents"]),
        true=_read_pair(row, "true"),
        found=_read_pair(row, "found"),
        right=_read_pair(row, "right"),
        log_bias=float(row["log_bias"] or math.nan),
        standard_error=float(row["standard_error"] or math.nan),
    )


def _read_pair(row: dict[str, str], name: str) -> tuple[int, int]:
    feminine, masculine = (int(row[f"{name}_{gender}"]) for gender in GENDERS)
    return feminine, masculine


def widen(share: Estimate, error: MethodError, confidence_level: float) -> Estimate:
    """Widen the sampling interval of women's share (fractions) by a method's error.

    On the logit scale, which is minus the log of M : F, the two errors add up in quadrature, separately on each side.
    An end at 0 or 1 stays there.
    """
    ends = (share.value, share.low, share.high)
    if any(map(math.isnan, ends)):
        return UNDEFINED
    spread = normal_quantile(confidence_level) * error.log_sd
    low = _move(share.low, share.value, -spread)
    high = _move(share.high, share.value, spread)
    return Estimate(share.value, low, high)


def _move(end: float, share: float, spread: float) -> float:
    if end in (0, 1):
        return end
    if share in (0, 1):
        # Such a share has no logit from which to measure the distance, so the end moves by the whole spread.
        centre = _logit(end)
        distance = 0.0
    else:
        centre = _logit(share)
        distance = _logit(end) - centre
    widened = math.hypot(distance, spread)
    moved = centre + math.copysign(widened, spread)
    return 1 / (1 + math.exp(-moved))


def _logit(share: float) -> float:
    return math.log(share / (1 - share))
