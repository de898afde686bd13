"""Tabulate models' texts (Derner 2025, Tables 8 and 9, Figure 2): ratios, shifts, diversity, perplexity.

`published`: words counted as in the paper, and the mean of the repetitions' ratios with its sample standard deviation.
`corrected`: words counted correctly, and the ratio of all stories together with a bootstrap interval over stories. A
mean of ratios tends to be too high if few words are counted.

A shift is the difference of natural logarithms of masculine : feminine. Its exponential is one condition's ratio
divided by the other's. The paper has no shifts; those of its own tables are in `resources/propagation/kept`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.counting import PROCEDURES
from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap, bootstrap_ratios
from textparity.estimating.estimates import Estimate
from textparity.estimating.intervals import SampleSummary, mean_interval, welch_interval
from textparity.estimating.seeds import random_generator
from textparity.tables import Table, show_interval
from textparity_studies.propagation.base_models import BALANCED, BASE, FEMALE, MALE, Variant
from textparity_studies.propagation.story_measures import (
    UNIT,
    Unit,
    check_columns,
    count_stories,
    describe_variant,
    estimate_ratio,
    log_ratios,
    pooled_ratio,
    read_story_counts,
    repetition_ratios,
    unit_of,
)

# The names in the paper's tables and figure.
CONDITION_TITLES = {BASE: "Base", MALE: "Male-biased", BALANCED: "Balanced", FEMALE: "Female-biased"}
HEADS = {"base_model": "Model", "lang": "Lang", "procedure": "Procedure", "step": "Steps"}
VARIANT_COLUMNS = [*UNIT, "condition", "training_seed", "step"]
RATIO_COLUMNS = [
    *VARIANT_COLUMNS, "procedure", "repetitions", "repetitions_without_ratio", "stories", "masculine", "feminine",
    "ratio", "ratio_sd", "ratio_low", "ratio_high",
]  # fmt: skip
CHECKPOINT_COLUMNS = [name for name in RATIO_COLUMNS if name not in ("repetitions_without_ratio", "ratio_sd")]
SHIFTS = ((MALE, FEMALE), (MALE, BASE), (FEMALE, BASE), (BALANCED, BASE))
SHIFT_COLUMNS = [
    *UNIT, "procedure", "shift", "seeds", "seeds_without_ratio", "repetitions", "stories", "base_repetitions",
    "base_repetitions_without_ratio", "log_shift", "log_shift_low", "log_shift_high", "times", "times_low",
    "times_high", "includes_no_shift",
]  # fmt: skip
SEED_COLUMNS = [*UNIT, "procedure", "shift", "training_seed", "log_shift", "times"]
DIVERSITY = "diversity"
WITHOUT_DIAGONAL = f"{DIVERSITY}_published_without_diagonal"
# Measures with their title and factor.
_MEASURES_IN_PRINT = {
    f"{DIVERSITY}_published": ("Diversity, published", 1),
    WITHOUT_DIAGONAL: ("Diversity, published, without the diagonal", 1),
    f"{DIVERSITY}_corrected": ("Diversity, corrected", 1),
    "repeated_words": ("Repeated runs (%)", 100),
}
_LIKELIHOOD_COLUMNS = ["id", "tokens", "log_likelihood"]


def tabulate_generated_stories(
    counts: list[Path],
    table_variants: list[Unit],
    checkpoint_variants: list[Unit],
    seed_variants: list[Unit],
    bootstrap: Bootstrap,
) -> Iterator[Table]:
    """Tabulate ratios and shifts.

    The three kinds of variants are those of the paper's tables, those by steps, and those of all training seeds.
    """
    yield tabulate_story_ratios(_files_of(table_variants, counts), bootstrap)
    yield tabulate_checkpoint_steps(_files_of(checkpoint_variants, counts), bootstrap)
    yield from tabulate_shifts(_files_of(seed_variants, counts), bootstrap.confidence_level)


def _files_of(variants: list[Unit], files: list[Path]) -> list[Path]:
    """List the files of some variants, in order, except for the models and languages without any file."""
    by_unit = {unit_of(path): path for path in files}
    models = {(base_model, lang) for base_model, lang, _ in by_unit}
    return [by_unit[model, lang, name] for model, lang, name in variants if (model, lang) in models]


def tabulate_story_ratios(counts: list[Path], bootstrap: Bootstrap) -> Table:
    """Tabulate the ratios of Table 9.

    A repetition without feminine words has no ratio: it is excluded from the published mean, and counted.
    """
    rows = []
    for path in counts:
        unit = unit_of(path)
        for procedure in PROCEDURES:
            stories = read_story_counts(path, procedure)
            ratios = repetition_ratios(stories)
            row = describe_variant(unit) | {"procedure": procedure} | count_stories(stories)
            row["repetitions_without_ratio"] = int(ratios.isna().sum())
            if procedure == "published":
                row |= {"ratio": ratios.mean(), "ratio_sd": ratios.std(ddof=1)}
            else:
                row |= estimate_ratio(stories, unit, procedure, bootstrap).columns("ratio")
            rows.append(row)
    table = pd.DataFrame(rows, columns=RATIO_COLUMNS)
    without = int(table["repetitions_without_ratio"].sum())
    left_out = f"; {without} repetitions without feminine words have no ratio" if without else ""
    return Table(
        "story_ratios",
        table,
        printed=by_condition(table, list(map(_show_ratio, table.to_dict("records")))),
        of=f"{100 * bootstrap.confidence_level:g} % intervals{left_out}",
    )


def tabulate_checkpoint_steps(counts: list[Path], bootstrap: Bootstrap) -> Table:
    """Tabulate the ratio of all stories together by training steps, with intervals over stories.

    The base model is step 0 of every condition, and has one row.
    """
    rows = []
    for procedure in PROCEDURES:
        for path in counts:
            unit = unit_of(path)
            stories = read_story_counts(path, procedure)
            ratio = estimate_ratio(stories, unit, procedure, bootstrap).columns("ratio")
            rows.append(describe_variant(unit) | {"procedure": procedure} | count_stories(stories) | ratio)
    table = pd.DataFrame(rows, columns=CHECKPOINT_COLUMNS).sort_values("step", kind="stable")
    # Keep models and procedures in the order of the run instead of the alphabet.
    by_model = [of_model for _, of_model in table.groupby([*UNIT, "procedure"], sort=False)]
    order = sorted(by_model, key=lambda of_model: of_model.index.min())
    table = pd.concat(order, ignore_index=True)
    return Table(
        "checkpoint_steps",
        table,
        printed=by_condition(table, list(map(_show_ratio, table.to_dict("records"))), ["step"]),
        of=f"{100 * bootstrap.confidence_level:g} % intervals",
    )


def by_condition(table: pd.DataFrame, cells: Sequence[str], further: Sequence[str] = ()) -> pd.DataFrame:
    """Arrange the `cells` of the rows with a column per condition, for LaTeX; empty ones have two dashes."""
    keys = [*UNIT, "procedure", *further]
    wide = table.assign(shown=cells).pivot(index=keys, columns="condition", values="shown")
    # Keep models and procedures in the order of the table instead of the alphabet.
    wide = wide.reindex(pd.MultiIndex.from_frame(table[keys].drop_duplicates())).fillna("--")
    wide = wide[[name for name in CONDITION_TITLES if name in wide.columns]].rename(columns=CONDITION_TITLES)
    return wide.reset_index().rename(columns=HEADS)


def show_spread(mean: float, deviation: float) -> str:
    """Format a mean with its standard deviation for a table's cell."""
    return "--" if pd.isna(mean) else f"{mean:.2f}" + ("" if pd.isna(deviation) else f" ± {deviation:.2f}")


def _show_ratio(row: Mapping[str, Any]) -> str:
    """Format a ratio with its standard deviation, or else with its interval."""
    if row["procedure"] == "published" and "ratio_sd" in row:
        return show_spread(row["ratio"], row["ratio_sd"])
    interval = show_interval(row["ratio_low"], row["ratio_high"])
    return "--" if pd.isna(row["ratio"]) else f"{row['ratio']:.2f} ({interval})"


def shift_name(pair: tuple[str, str]) -> str:
    """Name a shift by the two conditions whose ratios it divides."""
    return " / ".join(pair)


def tabulate_shifts(counts: list[Path], confidence_level: float) -> Iterator[Table]:
    """Tabulate shifts between conditions with t intervals, and those of each training seed.

    Between trained conditions the interval is over seeds, paired by seed. Against the base model it is Welch's interval
    over seeds and the base model's repetitions, because there is only one base model. Trainings are compared by the
    repetitions that they all have.
    """
    shifts, seeds = [], []
    files = {unit_of(path): path for path in counts}
    for model in dict.fromkeys(unit[:2] for unit in files):
        for procedure in PROCEDURES:
            stories = {
                Variant.parse(name): read_story_counts(path, procedure)
                for (*of_model, name), path in files.items()
                if tuple(of_model) == model
            }
            key = dict(zip([*UNIT, "procedure"], [*model, procedure], strict=True))
            for pair in SHIFTS:
                shift, per_seed = _measure_shift(stories, pair, confidence_level)
                name = key | {"shift": shift_name(pair)}
                shifts.append(name | shift)
                seeds += [
                    name | {"training_seed": seed, "log_shift": value, "times": math.exp(value)}
                    for seed, value in per_seed.items()
                ]
    heads = {"shift": "Shift", "seeds": "Seeds", "stories": "Stories", "times": "Times", "times_interval": "Interval"}
    yield Table(
        "shifts",
        pd.DataFrame(shifts, columns=SHIFT_COLUMNS),
        {key: HEADS[key] for key in (*UNIT, "procedure")} | heads | {"includes_no_shift": "Includes 1"},
        {"times": "{:.2f}"},
        of=f"{100 * confidence_level:g} % intervals",
    )
    yield Table("seeds", pd.DataFrame(seeds, columns=SEED_COLUMNS))


def _measure_shift(
    stories: Mapping[Variant, pd.DataFrame], pair: tuple[str, str], confidence_level: float
) -> tuple[dict[str, object], pd.Series]:
    """Measure a shift over all seeds, as the cells of its row, and of each seed."""
    trained = {variant: counts for variant, counts in stories.items() if variant.condition != BASE}
    # All trainings have the same weight: that of the repetitions which every training wrote.
    written = [set(counts["repetition"]) for counts in trained.values()]
    common = set.intersection(*written) if written else set()
    trained = {variant: counts[counts["repetition"].isin(common)] for variant, counts in trained.items()}

    def logs_of(condition: str) -> pd.Series:
        ratios = {one.seed: pooled_ratio(counts) for one, counts in trained.items() if one.condition == condition}
        return log_ratios(pd.Series(ratios, dtype=float))

    first, base = logs_of(pair[0]), pd.Series(dtype=float)
    if BASE in pair and Variant(BASE) in stories:
        base = log_ratios(repetition_ratios(stories[Variant(BASE)]))
    differences = first - (base.mean() if BASE in pair else logs_of(pair[1]))
    usable = differences.dropna().to_numpy()
    if BASE in pair:
        interval = welch_interval(SampleSummary.of(first.dropna()), SampleSummary.of(base.dropna()), confidence_level)
    else:
        interval = mean_interval(usable, confidence_level)
    shift = replace(interval, value=float(usable.mean()) if len(usable) else math.nan)
    times = Estimate(*map(math.exp, (shift.value, shift.low, shift.high)))
    row = {
        "seeds": len(differences), "seeds_without_ratio": int(differences.isna().sum()), "repetitions": len(common),
        "stories": max(map(len, trained.values()), default=0), "base_repetitions": len(base),
        "base_repetitions_without_ratio": int(base.isna().sum()), "includes_no_shift": includes_no_shift(shift),
    }  # fmt: skip
    return row | shift.columns("log_shift") | times.columns("times"), differences


def includes_no_shift(interval: Estimate) -> str:
    """Check whether the interval includes no shift: yes, no, or an empty cell without an interval."""
    if np.isnan(interval.low):
        return ""
    return "yes" if interval.low <= 0 <= interval.high else "no"


def tabulate_diversity(diversity: list[Path], table_variants: list[Unit]) -> Iterator[Table]:
    """Tabulate mean and sample standard deviation over repetitions of every measure; Table 8 in print.

    Diversity is `published`, `corrected`, and published with the diagonal corrected, to show the effect of each error.
    `table_variants` are those of Table 8.
    """
    rows = []
    for path in diversity:
        measures = pd.read_csv(path).select_dtypes("number").drop(columns="repetition", errors="ignore")
        check_columns(path, measures, [f"{DIVERSITY}_published", f"{DIVERSITY}_corrected"])
        # Compute one minus the mean cosine of pairs from the mean over all cells, which has 0 for each story with
        # itself.
        stories = measures["stories"]
        measures[WITHOUT_DIAGONAL] = 1 - (1 - measures[f"{DIVERSITY}_published"]) * stories / (stories - 1)
        spread: dict[str, float] = {}
        for name in measures.columns:
            spread |= {name: measures[name].mean(), f"{name}_sd": measures[name].std(ddof=1)}
        rows.append(describe_variant(unit_of(path)) | {"repetitions": len(measures)} | spread)
    table = pd.DataFrame(rows)
    units_in_print = set(map(tuple, table_variants))
    in_print = table[[unit_of(path) in units_in_print for path in diversity]]
    shown = pd.concat(
        in_print[[*UNIT, "condition"]].assign(
            procedure=title,
            shown=[
                show_spread(scale * mean, scale * deviation)
                for mean, deviation in zip(in_print[name], in_print[f"{name}_sd"], strict=True)
            ],
        )
        for name, (title, scale) in _MEASURES_IN_PRINT.items()
        if name in table.columns
    )
    printed = by_condition(shown, shown["shown"]).rename(columns={HEADS["procedure"]: "Measure"})
    yield Table("diversity", table, printed=printed)


def tabulate_perplexity(perplexity: list[Path], bootstrap: Bootstrap) -> Iterator[Table]:
    """Tabulate the perplexity of each variant on the neutral texts, and its excess over the base model's in percent.

    Intervals resample texts, paired between both models. Raises `InputError` if two variants saw different texts or
    tokens.
    """
    files = {unit_of(path): (path, _read_likelihoods(path)) for path in perplexity}
    rows = []
    for unit, (path, texts) in files.items():
        base_path, base = files.get((unit[0], unit[1], BASE), (None, None))
        if base is not None and not texts[["id", "tokens"]].equals(base[["id", "tokens"]]):
            raise InputError(f"{path}: has other texts or tokens than {base_path}; delete both and run again")
        likelihood, tokens = texts["log_likelihood"].to_numpy(), texts["tokens"].to_numpy()
        # Nats per token, and the difference to the base model's: these are logarithms of the values shown.
        of_base = 0 if base is None else base["log_likelihood"].to_numpy()
        losses = np.stack([-likelihood, of_base - likelihood])
        generator = random_generator(bootstrap.seed, *unit[:2], "perplexity")
        level, change = (
            Estimate(*np.exp([loss.value, loss.low, loss.high]))
            for loss in bootstrap_ratios(losses, np.stack([tokens] * 2), bootstrap, generator)
        )
        row = describe_variant(unit) | {"texts": len(texts), "tokens": int(tokens.sum())} | level.columns("perplexity")
        if base is not None and unit[2] != BASE:
            percents = {name: 100 * (factor - 1) for name, factor in change.columns("change_percent").items()}
            row |= percents
        rows.append(row)
    changes = ["change_percent", "change_percent_low", "change_percent_high"]
    columns = [*VARIANT_COLUMNS, "texts", "tokens", "perplexity", "perplexity_low", "perplexity_high", *changes]
    table = pd.DataFrame(rows, columns=columns)
    shown = [
        "--" if np.isnan(value) else f"{value:+.2f} ({low:+.2f} to {high:+.2f})"
        for value, low, high in table[changes].to_numpy()
    ]
    heads = ["Model", "Lang", "Condition", "Seed", "Steps", "Perplexity", "Interval", "Change (%)"]
    keys = [*VARIANT_COLUMNS, "perplexity", "perplexity_interval", "change"]
    yield Table(
        "perplexity",
        table,
        dict(zip(keys, heads, strict=True)),
        {"perplexity": "{:.2f}"},
        printed=table.assign(change=shown),
        of=f"{100 * bootstrap.confidence_level:g} % intervals",
    )


def _read_likelihoods(path: Path) -> pd.DataFrame:
    texts = pd.read_csv(path, dtype={"id": str})
    check_columns(path, texts, _LIKELIHOOD_COLUMNS)
    if not texts["tokens"].sum():
        raise InputError(f"{path}: has no tokens; look at the neutral corpus (propagation.neutral_corpus)")
    return texts
