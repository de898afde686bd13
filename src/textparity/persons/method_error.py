"""Estimate from annotated texts how far a method's ratio masculine : feminine (M : F) may be from the truth.

The point estimate is never moved, because a constant correction made it worse on texts of other corpora. Instead, the
log of found over true M : F (the log bias) is modelled as varying around 0 between languages, corpora and kinds of
text. Its spread widens the interval. A method that always errs in one direction therefore has a large spread, too.
"""

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from textparity.counting import GENDERS
from textparity.estimating.distributions import normal_quantile
from textparity.estimating.estimates import UNDEFINED, Estimate

TABLE = Path(__file__).parents[1] / "resources" / "persons" / "method_errors.csv"
# The two ways in which a corpus may be annotated (`instruments.plan.PersonGold`).
COMPLETE, BALANCED = "complete", "balanced"
# Candidates for the spread (standard deviation) of log bias at each of three levels: quantiles of a half-normal prior.
# For all three together its scale is 0.5, which is usual for log ratios in meta-analyses of few studies (Röver et al.
# 2021, Research Synthesis Methods 12). The likelihood alone often peaks at 0, which would claim a faultless method.
_SCALE = 0.5 / math.sqrt(3)
_SPREADS = np.array([_SCALE * NormalDist().inv_cdf(0.5 + (number + 0.5) / 80) for number in range(40)])


@dataclass(frozen=True)
class Cluster:
    """The results of one method on one kind of text in one annotated corpus (`corpus` is the name to print).

    Pairs of numbers count feminine and masculine mentions: those annotated (`true`), those that the method `found`, and
    found ones that are `right`. Mentions whose gender is not annotated are left out of all three. `log_bias` is NaN if
    no woman or no man is annotated.
    """

    method: str
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
    clusters = [one for one in clusters if not math.isnan(one.log_bias)]
    if not clusters:
        return None
    languages, corpora, kinds = np.meshgrid(_SPREADS, _SPREADS, _SPREADS, indexing="ij", sparse=True)
    fit = np.zeros((len(_SPREADS),) * 3)
    squared_bias = languages**2
    for other in sorted({one.lang for one in clusters}):
        of_language = _Evidence()
        for corpus in sorted({one.corpus for one in clusters if one.lang == other}):
            some = [one for one in clusters if (one.lang, one.corpus) == (other, corpus)]
            bias, errors = (np.array([getattr(one, name) for one in some]) for name in ("log_bias", "standard_error"))
            weights = 1 / (kinds[..., None] ** 2 + errors**2)
            fit += (np.log(weights) - weights * bias**2).sum(axis=-1) / 2
            of_corpus = _Evidence(weights.sum(axis=-1), weights @ bias)
            fit += of_corpus.fit(corpora)
            shrunk = of_corpus.shrink(corpora)
            of_language = _Evidence(of_language.weight + shrunk.weight, of_language.weighted + shrunk.weighted)
        fit += of_language.fit(languages)
        if other == lang:
            # The variance and the mean of the language's own bias, given the spreads.
            variance = languages**2 / (1 + languages**2 * of_language.weight)
            squared_bias = variance + (variance * of_language.weighted) ** 2
    likely = np.exp(fit - fit.max())
    own = [one for one in clusters if one.lang == lang]
    return MethodError(
        log_sd=float((np.sqrt(squared_bias + corpora**2 + kinds**2) * likely).sum() / likely.sum()),
        corpora=tuple(sorted({one.corpus for one in own or clusters})),
        clusters=len(own or clusters),
        assumed=not own,
    )


@dataclass(frozen=True)
class _Evidence:
    """The evidence on one bias: the sum of inverse variances, and the sum of log biases weighted by them."""

    weight: np.ndarray | float = 0.0
    weighted: np.ndarray | float = 0.0

    def fit(self, spread: np.ndarray) -> np.ndarray:
        """Compute the gain in log likelihood from a bias that varies by `spread`, compared with no bias."""
        factor = 1 + spread**2 * self.weight
        return (spread**2 * self.weighted**2 / factor - np.log(factor)) / 2

    def shrink(self, spread: np.ndarray) -> "_Evidence":
        """Derive the evidence on the bias one level above, from which this one differs by `spread`."""
        factor = 1 + spread**2 * self.weight
        return _Evidence(self.weight / factor, self.weighted / factor)


@cache
def load_method_error(method: str, lang: str) -> MethodError | None:
    """Load the error of a method in a language. Returns None if the method was not measured."""
    clusters = [one for one in load_clusters() if one.method == method]
    # All languages without clusters share one estimate.
    if lang and lang not in {one.lang for one in clusters if not math.isnan(one.log_bias)}:
        return load_method_error(method, "")
    return estimate_error(clusters, lang)


def describe_accuracy(method: str, lang: str) -> str:
    """Describe a method's recall and precision by gender, and the texts. Empty if none is annotated completely."""
    clusters = [one for one in load_clusters() if (one.method, one.lang, one.annotation) == (method, lang, COMPLETE)]
    if not clusters:
        return ""
    right, true, found = (
        np.sum([getattr(one, name) for one in clusters], axis=0) for name in ("right", "true", "found")
    )
    shares = [
        f"{gender} {right[number] / true[number]:.0%} (precision {right[number] / found[number]:.0%})"
        for number, gender in enumerate(GENDERS)
    ]
    kinds = sorted({one.kind for one in clusters})
    shown = ", ".join(kinds) if len(kinds) < 4 else f"{len(kinds)} kinds of text"
    corpora = ", ".join(sorted({one.corpus for one in clusters}))
    by = "".join(sorted({f", with {one.pipeline}" for one in clusters if one.pipeline}))
    return f"{', '.join(shares)}, on {corpora} ({shown}, {sum(one.documents for one in clusters)} documents){by}"


def find_kinds_where_as_precise(method: str, other: str, lang: str) -> tuple[str, ...]:
    """List the kinds of text on which the advice to use `method` instead of `other` in a language rests.

    These are all on which the study `instruments` measured both, with every person annotated. There are none if
    `method` is less precise than `other` on one of them, over women's and men's mentions together.
    """
    kinds = []
    for kind in sorted({one.kind for one in load_clusters()}):
        precisions = [_precision(name, lang, kind) for name in (method, other)]
        if any(map(math.isnan, precisions)):
            continue
        if precisions[0] < precisions[1]:
            return ()
        kinds.append(kind)
    return tuple(kinds)


def _precision(method: str, lang: str, kind: str) -> float:
    """Compute a method's precision on a kind of text, not a number if it found nobody or was not measured."""
    place = (method, lang, kind)
    of_place = [one for one in load_clusters() if (one.method, one.lang, one.kind) == place]
    # Only a complete annotation tells of every match whether it is right.
    clusters = [one for one in of_place if one.annotation == COMPLETE]
    found, right = (sum(sum(getattr(one, name)) for one in clusters) for name in ("found", "right"))
    return right / found if found else math.nan


@cache
def load_clusters() -> tuple[Cluster, ...]:
    """Load the measurements of the last recorded run of the study `instruments`."""
    with open(TABLE, encoding="utf-8", newline="") as file:
        return tuple(map(_read_cluster, csv.DictReader(file)))


def _read_cluster(row: dict[str, str]) -> Cluster:
    pairs = {name: tuple(int(row[f"{name}_{gender}"]) for gender in GENDERS) for name in ("true", "found", "right")}
    texts = {name: row[name] for name in ("method", "gold", "corpus", "lang", "kind", "annotation", "pipeline")}
    numbers = {name: float(row[name] or math.nan) for name in ("log_bias", "standard_error")}
    cells: dict[str, Any] = texts | pairs | numbers
    return Cluster(**cells, documents=int(row["documents"]))


def widen(share: Estimate, error: MethodError, confidence_level: float) -> Estimate:
    """Widen the sampling interval of women's share (fractions) by a method's error.

    On the logit scale, which is minus the log of M : F, the two errors add up in quadrature, separately on each side.
    An end at 0 or 1 stays there.
    """
    if math.isnan(share.value) or math.isnan(share.low) or math.isnan(share.high):
        return UNDEFINED
    spread = normal_quantile(confidence_level) * error.log_sd
    low, high = _move(share.low, share.value, -spread), _move(share.high, share.value, spread)
    return Estimate(share.value, low, high)


def _move(end: float, share: float, spread: float) -> float:
    if end in (0, 1):
        return end
    # A share of 0 or 1 has no logit from which to measure the distance, so the end moves by the whole spread.
    centre, distance = (_logit(end), 0.0) if share in (0, 1) else (_logit(share), _logit(end) - _logit(share))
    return 1 / (1 + math.exp(-centre - math.copysign(math.hypot(distance, spread), spread)))


def _logit(share: float) -> float:
    return math.log(share / (1 - share))
