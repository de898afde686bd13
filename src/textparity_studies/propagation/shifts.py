"""Measure how conditions shift the ratio, over trainings. The paper (Derner 2025) has no shifts.

A shift is the difference of natural logarithms of masculine : feminine. Its exponential is one condition's ratio
divided by the other's. Shifts of the paper's own tables are in `resources/propagation/kept`.
"""

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Interval, Sample, mean_interval, welch_interval
from textparity.tables import show_intervals, write_csv, write_latex
from textparity_studies.propagation.story_counts import (
    UNIT,
    log_ratios,
    pooled_ratio,
    read_story_counts,
    repetition_ratios,
    unit_of,
)
from textparity_studies.propagation.variants import BALANCED, BASE, FEMALE, MALE, Variant

SHIFTS = ((MALE, FEMALE), (MALE, BASE), (FEMALE, BASE), (BALANCED, BASE))
SHIFT_COLUMNS = [
    *UNIT, "procedure", "shift", "seeds", "seeds_without_ratio", "repetitions", "stories", "base_repetitions",
    "base_repetitions_without_ratio", "log_shift", "log_shift_low", "log_shift_high", "times", "times_low",
    "times_high", "includes_no_shift",
]  # fmt: skip
SEED_COLUMNS = [*UNIT, "procedure", "shift", "training_seed", "log_shift", "times"]


def shift_name(pair: tuple[str, str]) -> str:
    """Name a shift by the two conditions whose ratios it divides."""
    return " / ".join(pair)


def tabulate_shifts(
    counts: list[Path],
    shifts_csv: Path,
    seeds_csv: Path,
    shifts_latex: Path,
    confidence_level: float,
) -> None:
    """Write shifts between conditions with t intervals, and those of each training seed.

    Between trained conditions the interval is over seeds, paired by seed. Against the base model it is Welch's interval
    over seeds and the base model's repetitions, because there is only one base model. Trainings are compared by the
    repetitions that they all have.
    """
    shifts, seeds = [], []
    models = dict.fromkeys(unit_of(path)[:2] for path in counts)
    for model in models:
        for procedure in PROCEDURES:
            stories = {
                Variant.parse(name): read_story_counts(path, procedure)
                for path in counts
                for *named, name in [unit_of(path)]
                if tuple(named) == model
            }
            key = dict(zip([*UNIT, "procedure"], [*model, procedure], strict=True))
            for pair in SHIFTS:
                found, per_seed = _shift(stories, pair, confidence_level)
                name = key | {"shift": shift_name(pair)}
                shifts.append(name | found)
                seeds += [name | row for row in per_seed]
    table = pd.DataFrame(shifts, columns=SHIFT_COLUMNS)
    write_csv(table, shifts_csv)
    write_csv(pd.DataFrame(seeds, columns=SEED_COLUMNS), seeds_csv)
    shown = table[[*UNIT, "procedure", "shift", "seeds", "stories", "times"]].assign(
        interval=show_intervals(table, "times"), none=table["includes_no_shift"]
    )
    titles = ["Model", "Lang", "Procedure", "Shift", "Seeds", "Stories", "Times", "Interval", "Includes 1"]
    write_latex(
        shown.set_axis(titles, axis="columns"),
        shifts_latex,
        caption=(
            "How many times the masculine : feminine ratio of one condition is that of the other, over training seeds, "
            f"each with so many stories ({100 * confidence_level:g} % t intervals of the logarithm; against the base "
            "model, Welch's with its repetitions)."
        ),
        formats={"Times": "{:.2f}"},
    )


def _shift(
    stories: Mapping[Variant, pd.DataFrame], pair: tuple[str, str], confidence_level: float
) -> tuple[dict[str, object], list[dict[str, object]]]:
    trained = {variant: counts for variant, counts in stories.items() if variant.condition != BASE}
    common = _common_repetitions(trained)
    of_seed = {
        condition: pd.Series(
            {
                variant.seed: pooled_ratio(counts[counts["repetition"].isin(common)])
                for variant, counts in trained.items()
                if variant.condition == condition
            },
            dtype=float,
        )
        for condition in pair
        if condition != BASE
    }
    logs = {condition: log_ratios(ratios) for condition, ratios in of_seed.items()}
    base = pd.Series(dtype=float)
    if BASE in pair and Variant(BASE) in stories:
        base = log_ratios(repetition_ratios(stories[Variant(BASE)]))
    first = logs[pair[0]]
    differences = first - (base.mean() if BASE in pair else logs[pair[1]])
    usable = differences.dropna().to_numpy()
    if BASE in pair:
        interval = welch_interval(Sample.of(first.dropna()), Sample.of(base.dropna()), confidence_level)
    else:
        interval = mean_interval(usable, confidence_level)
    mean = float(usable.mean()) if len(usable) else math.nan
    row = {
        "seeds": len(differences), "seeds_without_ratio": int(differences.isna().sum()), "repetitions": len(common),
        "stories": max(sum(counts["repetition"].isin(common)) for counts in trained.values()) if trained else 0,
        "base_repetitions": len(base), "base_repetitions_without_ratio": int(base.isna().sum()),
        "log_shift": mean, "log_shift_low": interval.low, "log_shift_high": interval.high,
        "times": math.exp(mean), "times_low": math.exp(interval.low), "times_high": math.exp(interval.high),
        "includes_no_shift": includes_no_shift(interval),
    }  # fmt: skip
    per_seed = [
        {"training_seed": seed, "log_shift": value, "times": math.exp(value)} for seed, value in differences.items()
    ]
    return row, per_seed


def _common_repetitions(stories: Mapping[Variant, pd.DataFrame]) -> set[int]:
    """Find the repetitions that every training wrote, so that all have the same weight."""
    written = [set(counts["repetition"]) for counts in stories.values()]
    return set.intersection(*written) if written else set()


def includes_no_shift(interval: Interval) -> str:
    """Check whether the interval includes no shift: yes, no, or an empty cell without an interval."""
    if np.isnan(interval.low):
        return ""
    return "yes" if interval.low <= 0 <= interval.high else "no"
