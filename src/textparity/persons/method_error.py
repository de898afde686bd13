"""How far a method's masculine : feminine may be from the truth, estimated on annotated texts.

The point estimate is never moved: a constant correction made it worse on texts of other corpora. Instead, the log of
found over true M : F (the log bias) is taken to vary around 0 between languages and between kinds of text (clusters),
and its spread widens the interval. A method that always errs to one side has a large spread, too.
"""

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from textparity.measures.statistics import UNDEFINED, Interval, normal_quantile
from textparity.measures.terms import GENDERS

TABLE = Path(__file__).parents[1] / "resources" / "persons" / "method_errors.csv"
# How a corpus is annotated: all persons are marked, or some (a method is then judged at the marked mentions alone), or
# as many women as men by design, from which nothing follows for the ratio of other texts.
COMPLETE, MARKED, BALANCED = "complete", "marked", "balanced"
# Candidates for a standard deviation of log bias, and the scale of its half-normal prior, which is what meta-analyses
# of log ratios with few studies use (Röver et al. 2021, Research Synthesis Methods 12). The likelihood alone often
# peaks at 0, which would claim a method without any error.
_SPREADS = np.linspace(0.01, 2, 100)
_PRIOR_SCALE = 0.5
# Half a mention in each cell of a table of counts keeps ratios and variances finite (Haldane–Anscombe).
_CONTINUITY = 0.5


@dataclass(frozen=True)
class Cluster:
    """One method on one kind of text of one annotated corpus.

    Pairs of numbers are of feminine and masculine mentions: `true` ones, those that the method `found`, and found ones
    that are `right`. Mentions whose gender the annotation does not know are left out of all three. `corpus` is the name
    to print, `pipeline` is empty for a method without one.
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

    `corpora` are the names of the annotated corpora that it rests on, with so many `clusters`. It is `assumed` where
    the language has none, and rests on those of all languages.
    """

    log_sd: float
    corpora: tuple[str, ...]
    clusters: int
    assumed: bool


def measure_bias(documents: np.ndarray) -> tuple[float, float]:
    """Estimate the log bias of a cluster and its standard error.

    `documents` has shape (documents, 3, 3): how many mentions are annotated as, and found as, feminine, masculine or
    neither. The variance is the larger one of two: between documents, and the multinomial one of mentions, which is a
    floor where documents are few.
    """
    cells = np.full((3, 3), _CONTINUITY)
    cells[2, 2] = 0
    cells += documents.sum(axis=0)
    true, found = cells.sum(axis=1), cells.sum(axis=0)
    log_bias = math.log(found[1] / found[0]) - math.log(true[1] / true[0])
    # By how much one more mention in a cell moves the log bias (delta method).
    moves_true, moves_found = (np.array([-1 / total[0], 1 / total[1], 0]) for total in (true, found))
    moves = moves_found[None, :] - moves_true[:, None]
    variance = float((cells * moves**2).sum())
    if (number := len(documents)) > 1:
        per_document = (documents * moves).sum(axis=(1, 2))
        variance = max(variance, number / (number - 1) * float(per_document @ per_document))
    return log_bias, math.sqrt(variance)


def estimate_error(clusters: Sequence[Cluster], lang: str) -> MethodError | None:
    """Estimate the error of a method in new texts of a language from its clusters in all languages.

    A random-effects model with two spreads, between languages and between the clusters of one, both around 0. It is
    averaged over all candidates for the two, each weighted by how well it fits. A language with clusters has its own
    error, shrunk to that of all; any other language has the whole spread between languages. None without clusters.
    """
    if not clusters:
        return None
    between, within = np.meshgrid(_SPREADS, _SPREADS, indexing="ij")
    fit = -(between**2 + within**2) / (2 * _PRIOR_SCALE**2)
    squared_bias = between**2
    for other in sorted({one.lang for one in clusters}):
        bias = np.array([one.log_bias for one in clusters if one.lang == other])
        errors = np.array([one.standard_error for one in clusters if one.lang == other])
        weights = 1 / (within[..., None] ** 2 + errors**2)
        weight, weighted = weights.sum(axis=-1), weights @ bias
        # The language's own bias, given both spreads, has this variance and a mean of `weighted` times as much.
        variance = between**2 / (1 + between**2 * weight)
        fit += (np.log(weights).sum(axis=-1) - np.log1p(between**2 * weight)) / 2
        fit -= (weights @ bias**2 - variance * weighted**2) / 2
        if other == lang:
            squared_bias = variance + (variance * weighted) ** 2
    likely = np.exp(fit - fit.max())
    own = [one for one in clusters if one.lang == lang]
    return MethodError(
        log_sd=float(math.sqrt(np.average(squared_bias + within**2, weights=likely))),
        corpora=tuple(sorted({one.corpus for one in own or clusters})),
        clusters=len(own or clusters),
        assumed=not own,
    )


@cache
def load_method_error(method: str, lang: str) -> MethodError | None:
    """Load the error of a method in a language, None for a method that was not measured."""
    return estimate_error([one for one in load_clusters() if one.method == method], lang)


def describe_accuracy(method: str, lang: str) -> str:
    """Describe a method's recall and precision by gender, and the texts; nothing where none is annotated completely."""
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


@cache
def load_clusters() -> tuple[Cluster, ...]:
    """Load what the last recorded run of the study `instruments` measured."""
    with open(TABLE, encoding="utf-8", newline="") as file:
        return tuple(map(_read_cluster, csv.DictReader(file)))


def cluster_row(cluster: Cluster) -> dict[str, Any]:
    """Return a cluster as a row of the table, each pair of numbers as two columns."""
    row: dict[str, Any] = {}
    for name, value in vars(cluster).items():
        pair = isinstance(value, tuple)
        row |= (
            {f"{name}_{gender}": number for gender, number in zip(GENDERS, value, strict=True)}
            if pair
            else {name: value}
        )
    return row


def _read_cluster(row: dict[str, str]) -> Cluster:
    def pair(name: str) -> tuple[int, int]:
        return int(row[f"{name}_feminine"]), int(row[f"{name}_masculine"])

    return Cluster(
        **{name: row[name] for name in ("method", "gold", "corpus", "lang", "kind", "annotation", "pipeline")},
        documents=int(row["documents"]),
        true=pair("true"),
        found=pair("found"),
        right=pair("right"),
        log_bias=float(row["log_bias"]),
        standard_error=float(row["standard_error"]),
    )


def widen(share: float, interval: Interval, error: MethodError, confidence_level: float) -> Interval:
    """Widen the sampling interval of women's share (fractions) by a method's error.

    On the scale of the logit, which is minus the log of M : F, the two add up in quadrature, each side by itself. An
    end at 0 or 1 stays there.
    """
    if math.isnan(share) or math.isnan(interval.low) or math.isnan(interval.high):
        return UNDEFINED
    spread = normal_quantile(confidence_level) * error.log_sd
    return Interval(_move(interval.low, share, -spread), _move(interval.high, share, spread))


def _move(end: float, share: float, spread: float) -> float:
    if end in (0, 1):
        return end
    # A share of 0 or 1 has no logit to measure the distance from, so there the end moves by the whole spread.
    centre, distance = (_logit(end), 0.0) if share in (0, 1) else (_logit(share), _logit(end) - _logit(share))
    return 1 / (1 + math.exp(-centre - math.copysign(math.hypot(distance, spread), spread)))


def _logit(share: float) -> float:
    return math.log(share / (1 - share))
