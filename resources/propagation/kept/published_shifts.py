"""Measure how conditions shift the ratio in the paper's own Tables 8 and 9 (Derner 2025), by case and together.

python resources/propagation/kept/published_shifts.py

We ran it once; claims quote the two tables that it writes to its own folder.

Each case is a model in a language. There are three models in three languages, so the nine cases are not nine models,
and cases of one model or language may be alike. Each condition of a case is one training, from which stories were
generated five times. The printed deviation is over these five, and does not include variation between trainings.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

from textparity.estimating.estimates import Estimate
from textparity.estimating.hypothesis_tests import adjust_by_holm
from textparity.estimating.intervals import SampleSummary, mean_interval, welch_interval
from textparity_studies.propagation.base_models import BASE
from textparity_studies.propagation.tables import SHIFTS, includes_no_shift
from textparity_studies.report.catalogue import write_kept
from textparity_studies.report.ledger import read_published

FOLDER = Path(__file__).parent
PUBLISHED = FOLDER.parent / "published.csv"
CONFIDENCE_LEVEL = 0.95
RATIO, DIVERSITY = "masculine_per_feminine", "semantic_diversity"
RUNS = 5
ALPHA, POWER = 0.05, 0.8
DIFFERENCE, TIMES = "difference", "times"
ALL = "all"
OF_CASES, RANDOM, HARTUNG_KNAPP = "mean of these cases", "random effects", "random effects, Hartung-Knapp"
OF_MODELS, OF_LANGUAGES = "t of means of models", "t of means of languages"
# The largest deviation that prints as 0.00.
_LARGEST_ZERO = 0.005
_TABLES = {"8": DIVERSITY, "9": RATIO}
PUBLISHED_SHIFT_COLUMNS = [
    "measure", "lang", "model", "shift", "difference", "difference_low", "difference_high", "includes_no_shift",
    "p_value", "p_value_holm", "detectable_difference", "pooled_difference", "runs_to_detect_pooled",
]  # fmt: skip
POOLED_COLUMNS = [
    "shift", "lang", "scale", "method", "cases", "increases", "sign_p", "estimate", "low", "high", "p_value", "tau",
    "heterogeneity_p",
]  # fmt: skip
Pair = tuple[SampleSummary, SampleSummary]
Cases = dict[tuple[str, str], dict[str, SampleSummary]]


@dataclass(frozen=True)
class Pooled:
    """Hold an estimate with its interval and two-sided p; `tau` is the deviation of effects between cases, or NaN."""

    estimate: float
    interval: Estimate
    p: float
    tau: float = math.nan


def tabulate_published_shifts(published: Path, confidence_level: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Compute the shifts of each case in Tables 8 and 9, and the pooled shifts of Table 9.

    The first table has differences of the printed means, Welch's interval and p over five runs each, Holm's p over the
    nine cases of a shift, and the `detectable_difference` (power 80 %, at 5 %). It also has the number of runs that
    each of the two would need to detect the `pooled_difference` of the language (random effects). A deviation of 0.00
    counts as 0.005.

    The second table pools by language and over all, as differences and as `times` (means of logarithms, converted back
    to a factor; `tau` stays in logarithms). The method determines what an estimate is about. It is about these very
    cases (Welch's t of their mean), or about cases like them (random effects, by REML; with Hartung and Knapp's t,
    never below Wald's error). Because cases share models and languages, it can also be about the means of the three
    models or languages. `increases` are cases with a positive shift.
    """
    cases = {measure: _read(published, table) for table, measure in _TABLES.items()}
    pooled = [row for pair in SHIFTS if BASE in pair for row in _pool(cases[RATIO], pair, confidence_level)]
    of_language = {
        (row["shift"], row["lang"]): row["estimate"]
        for row in pooled
        if (row["scale"], row["method"]) == (DIFFERENCE, RANDOM)
    }
    rows = []
    for measure, of_measure in cases.items():
        for pair in SHIFTS:
            of_shift = [
                {"measure": measure, "lang": lang, "model": model} | _case_shift(samples, pair, confidence_level)
                for (lang, model), samples in of_measure.items()
            ]
            for row, p_value_holm, samples in zip(
                of_shift, adjust_by_holm([row["p_value"] for row in of_shift]), of_measure.values(), strict=True
            ):
                row["p_value_holm"] = p_value_holm
                together = of_language.get((row["shift"], row["lang"])) if measure == RATIO else None
                if together is not None:
                    row["pooled_difference"] = together
                    row["runs_to_detect_pooled"] = runs_to_detect(together, *_of(samples, pair))
            rows += of_shift
    shifts = pd.DataFrame(rows, columns=PUBLISHED_SHIFT_COLUMNS).astype({"runs_to_detect_pooled": "Int64"})
    return shifts, pd.DataFrame(pooled, columns=POOLED_COLUMNS)


def random_effects(effects: np.ndarray, variances: np.ndarray, confidence_level: float) -> tuple[Pooled, Pooled]:
    """Estimate the mean of a random-effects model (REML), with Wald's interval, and with Hartung and Knapp's.

    The latter uses a t with one degree of freedom less than effects, and an error scaled up, but never down, by the
    spread of the effects.
    """

    def minus_likelihood(tau_squared: float) -> float:
        weights = 1 / (variances + tau_squared)
        mean = np.average(effects, weights=weights)
        return float((np.log(1 / weights) + weights * (effects - mean) ** 2).sum() + math.log(weights.sum()))

    widest = 10 * float(np.var(effects, ddof=1)) + 1e-12
    found = optimize.minimize_scalar(minus_likelihood, bounds=(0, widest), method="bounded", options={"xatol": 1e-10})
    tau_squared = float(found.x) if found.fun < minus_likelihood(0) else 0.0
    weights = 1 / (variances + tau_squared)
    mean = float(np.average(effects, weights=weights))
    error = 1 / math.sqrt(weights.sum())
    apart = float((weights * (effects - mean) ** 2).sum()) / (len(effects) - 1)
    tau = math.sqrt(tau_squared)
    return (
        _with_error(mean, error, stats.norm(), confidence_level, tau),
        _with_error(mean, error * math.sqrt(max(1, apart)), stats.t(len(effects) - 1), confidence_level, tau),
    )


def detectable_difference(first: SampleSummary, second: SampleSummary) -> float:
    """Compute the smallest difference that Welch's test of two samples of these deviations detects."""
    error, freedom = _welch(first, second)
    return float(optimize.brentq(lambda shift: _power(shift, freedom) - POWER, 0, 20)) * error


def runs_to_detect(difference: float, first: SampleSummary, second: SampleSummary) -> int:
    """Compute the size of each of two samples with which Welch's test detects a difference."""
    for runs in range(2, 10_000):
        error, freedom = _welch(*(SampleSummary(runs, item.mean, item.standard_deviation) for item in (first, second)))
        if _power(abs(difference) / error, freedom) >= POWER:
            return runs
    raise ValueError(f"no number of runs detects a difference of {difference}")


def _read(published: Path, table: str) -> Cases:
    numbers: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    for number in read_published(published):
        if number.table == table:
            lang, model, condition = number.row.split(" ")
            cells = numbers.setdefault((lang, model), {}).setdefault(condition, {})
            cells[number.column] = float(number.value)
    measure = _TABLES[table]
    return {
        case: {
            name: SampleSummary(RUNS, cells[measure], cells[f"{measure}_sd"] or _LARGEST_ZERO)
            for name, cells in conditions.items()
        }
        for case, conditions in numbers.items()
    }


def _of(samples: Mapping[str, SampleSummary], pair: tuple[str, str]) -> Pair:
    return samples[pair[0]], samples[pair[1]]


def _case_shift(samples: Mapping[str, SampleSummary], pair: tuple[str, str], confidence_level: float) -> dict[str, Any]:
    first, second = _of(samples, pair)
    interval = welch_interval(first, second, confidence_level)
    error, freedom = _welch(first, second)
    difference = first.mean - second.mean
    return {
        "shift": " - ".join(pair), "difference": difference, "difference_low": interval.low,
        "difference_high": interval.high, "includes_no_shift": includes_no_shift(interval),
        "p_value": float(2 * stats.t.sf(abs(difference) / error, freedom)),
        "detectable_difference": detectable_difference(first, second),
    }  # fmt: skip


def _welch(first: SampleSummary, second: SampleSummary) -> tuple[float, float]:
    """Compute the standard error of a difference of means, and its degrees of freedom."""
    return _sum_of([item.standard_deviation**2 / item.size for item in (first, second)], [first.size, second.size])


def _sum_of(variances: Sequence[float], sizes: Sequence[int]) -> tuple[float, float]:
    """Compute the standard error of a sum of means with these variances, and Satterthwaite's degrees of freedom."""
    total = sum(variances)
    return math.sqrt(total), total**2 / sum(
        variance**2 / (size - 1) for variance, size in zip(variances, sizes, strict=True)
    )


def _power(standard_errors: float, freedom: float) -> float:
    """Compute the power of a two-sided t test for a difference of this many standard errors, by the F of its square."""
    return float(stats.ncf.sf(stats.t.ppf(1 - ALPHA / 2, freedom) ** 2, 1, freedom, standard_errors**2))


def _pool(cases: Cases, pair: tuple[str, str], confidence_level: float) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for lang in (*dict.fromkeys(lang for lang, _ in cases), ALL):
        samples = {case: _of(found, pair) for case, found in cases.items() if lang in (case[0], ALL)}
        for scale in (DIFFERENCE, TIMES):
            effects = np.array([_effect(some, scale) for some in samples.values()])
            variances = [_variances(some, scale) for some in samples.values()]
            wald, hartung_knapp = random_effects(effects, np.array([sum(some) for some in variances]), confidence_level)
            found = {
                OF_CASES: _mean_of_cases(effects, variances, confidence_level),
                RANDOM: wald,
                HARTUNG_KNAPP: hartung_knapp,
            }
            if lang == ALL:
                by_case = pd.Series(effects, index=pd.MultiIndex.from_tuples(samples))
                for method, level in ((OF_MODELS, 1), (OF_LANGUAGES, 0)):
                    found[method] = _t_of(by_case.groupby(level=level).mean().to_numpy(), confidence_level)
            increases = int((effects > 0).sum())
            known = {
                "shift": " - ".join(pair), "lang": lang, "scale": scale, "cases": len(effects), "increases": increases,
                "sign_p": float(stats.binomtest(increases, len(effects)).pvalue),
                "heterogeneity_p": _heterogeneity_p(effects, np.array([sum(some) for some in variances])),
            }  # fmt: skip
            rows += [known | {"method": method} | _shown(pooled, scale) for method, pooled in found.items()]
    return rows


def _effect(samples: Pair, scale: str) -> float:
    first, second = (item.mean for item in samples)
    return first - second if scale == DIFFERENCE else math.log(first / second)


def _variances(samples: Pair, scale: str) -> list[float]:
    """Compute the variance of each of two means; for logarithms, to the first order."""
    by = [1.0 if scale == DIFFERENCE else item.mean for item in samples]
    return [(item.standard_deviation / unit) ** 2 / item.size for item, unit in zip(samples, by, strict=True)]


def _mean_of_cases(effects: np.ndarray, variances: list[list[float]], confidence_level: float) -> Pooled:
    parts = [variance / len(effects) ** 2 for some in variances for variance in some]
    error, freedom = _sum_of(parts, [RUNS] * len(parts))
    return _with_error(float(effects.mean()), error, stats.t(freedom), confidence_level)


def _t_of(means: np.ndarray, confidence_level: float) -> Pooled:
    return Pooled(
        float(means.mean()), mean_interval(means, confidence_level), float(stats.ttest_1samp(means, 0).pvalue)
    )


def _with_error(mean: float, error: float, distribution: Any, confidence_level: float, tau: float = math.nan) -> Pooled:
    half = float(distribution.ppf((1 + confidence_level) / 2)) * error
    return Pooled(mean, Estimate(mean, mean - half, mean + half), float(2 * distribution.sf(abs(mean) / error)), tau)


def _heterogeneity_p(effects: np.ndarray, variances: np.ndarray) -> float:
    """Compute the probability of effects at least this far apart if all are the same (Cochran's Q)."""
    apart = ((effects - np.average(effects, weights=1 / variances)) ** 2 / variances).sum()
    return float(stats.chi2.sf(apart, len(effects) - 1))


def _shown(pooled: Pooled, scale: str) -> dict[str, Any]:
    ends = [pooled.estimate, pooled.interval.low, pooled.interval.high]
    shown = ends if scale == DIFFERENCE else [math.exp(end) for end in ends]
    return dict(zip(("estimate", "low", "high"), shown, strict=True)) | {"p_value": pooled.p, "tau": pooled.tau}


if __name__ == "__main__":
    shifts, pooled = tabulate_published_shifts(PUBLISHED, CONFIDENCE_LEVEL)
    write_kept(shifts, FOLDER / "published_shifts.csv", [PUBLISHED])
    write_kept(pooled, FOLDER / "published_pooled_shifts.csv", [PUBLISHED])
