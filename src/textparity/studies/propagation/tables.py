"""Masculine : feminine of what models write (Derner 2025, Table 9, Figure 2), and the dose curve.

`published`: words counted as in the paper, the mean of the repetitions' ratios with its sample standard deviation.
`corrected`: words counted rightly, the ratio of all stories together with a bootstrap interval over stories; a mean of
ratios tends to be too high where few words are counted.
"""

from pathlib import Path
from typing import Any

import pandas as pd

from textparity.measures.procedures import PROCEDURES
from textparity.report.tables import show_interval, write_csv, write_latex
from textparity.studies.propagation.story_counts import (
    UNIT,
    Unit,
    count_row,
    pooled_row,
    read_story_counts,
    repetition_ratios,
    variant_row,
)
from textparity.studies.propagation.variants import BALANCED, BASE, FEMALE, MALE

# As the paper's tables and figure have them.
CONDITION_TITLES = {BASE: "Base", MALE: "Male-biased", BALANCED: "Balanced", FEMALE: "Female-biased"}
RATIO_COLUMNS = [
    *UNIT, "condition", "training_seed", "step", "procedure", "repetitions", "repetitions_without_ratio", "stories",
    "masculine", "feminine", "ratio", "ratio_sd", "ratio_low", "ratio_high",
]  # fmt: skip
DOSE_COLUMNS = [name for name in RATIO_COLUMNS if name not in ("repetitions_without_ratio", "ratio_sd")]


def tabulate_story_ratios(
    counts: list[Path],
    units: list[Unit],
    table_csv: Path,
    table_latex: Path,
    seed: int,
    resamples: int,
    confidence_level: float,
) -> None:
    """Write Table 9: `units` are the base model, language and variant of each of `counts`.

    A repetition without feminine words has no ratio: it is left out of the published mean, and counted.
    """
    rows = []
    for path, unit in zip(counts, units, strict=True):
        for procedure in PROCEDURES:
            stories = read_story_counts(path, procedure)
            ratios = repetition_ratios(stories)
            row = variant_row(unit) | {"procedure": procedure} | count_row(stories)
            row["repetitions_without_ratio"] = int(ratios.isna().sum())
            if procedure == "published":
                row |= {"ratio": ratios.mean(), "ratio_sd": ratios.std(ddof=1)}
            else:
                row |= pooled_row(stories, unit, procedure, seed, resamples, confidence_level)
            rows.append(row)
    table = pd.DataFrame(rows, columns=RATIO_COLUMNS)
    write_csv(table, table_csv)
    without = int(table["repetitions_without_ratio"].sum())
    note = f" {without} repetitions without feminine words have no ratio and are left out." if without else ""
    write_latex(
        by_condition(table.assign(shown=[_show_ratio(row) for row in table.to_dict("records")])),
        table_latex,
        caption=(
            "Masculine : feminine words in generated stories. Published: mean and standard deviation of the "
            "repetitions' ratios. Corrected: all stories together, with a "
            f"{100 * confidence_level:g} \\% bootstrap interval over stories.{note}"
        ),
        label="tab:story-ratios",
    )


def tabulate_doses(
    counts: list[Path],
    units: list[Unit],
    table_csv: Path,
    table_latex: Path,
    seed: int,
    resamples: int,
    confidence_level: float,
) -> None:
    """Write the ratio of all stories together against the steps of training, with intervals over stories.

    The base model is step 0 of every condition, and one row.
    """
    rows = []
    for procedure in PROCEDURES:
        for path, unit in zip(counts, units, strict=True):
            stories = read_story_counts(path, procedure)
            pooled = pooled_row(stories, unit, procedure, seed, resamples, confidence_level)
            rows.append(variant_row(unit) | {"procedure": procedure} | count_row(stories) | pooled)
    table = pd.DataFrame(rows, columns=DOSE_COLUMNS).sort_values("step", kind="stable")
    # Models and procedures in the order of the run, not of the alphabet.
    by_model = [of_model for _, of_model in table.groupby([*UNIT, "procedure"], sort=False)]
    order = sorted(by_model, key=lambda of_model: of_model.index.min())
    table = pd.concat(order, ignore_index=True)
    write_csv(table, table_csv)
    shown = table.assign(shown=[_show_pooled(row) for row in table.to_dict("records")])
    write_latex(
        by_condition(shown, ["step"]),
        table_latex,
        caption=(
            "Masculine : feminine words of all generated stories together against the number of training steps (0: "
            "base model; steps of the table of ratios have more stories), with a "
            f"{100 * confidence_level:g} \\% bootstrap interval over stories."
        ),
        label="tab:doses",
    )


def by_condition(table: pd.DataFrame, further: list[str] | None = None) -> pd.DataFrame:
    """Return the cells `shown` with a column a condition, for LaTeX; empty ones have two dashes."""
    keys = [*UNIT, "procedure", *(further or [])]
    wide = table.pivot(index=keys, columns="condition", values="shown")
    # Models and procedures in the order of the table, not of the alphabet.
    wide = wide.reindex(pd.MultiIndex.from_frame(table[keys].drop_duplicates())).fillna("--")
    wide = wide[[name for name in CONDITION_TITLES if name in wide.columns]].rename(columns=CONDITION_TITLES)
    return wide.reset_index().rename(
        columns={"base_model": "Model", "lang": "Lang", "procedure": "Procedure", "step": "Steps"}
    )


def show_spread(mean: float, deviation: float, decimals: int = 2) -> str:
    """Return a mean with its standard deviation for a table's cell."""
    if pd.isna(mean):
        return "--"
    return f"{mean:.{decimals}f}" + ("" if pd.isna(deviation) else f" ± {deviation:.{decimals}f}")


def _show_ratio(row: dict[str, Any]) -> str:
    return show_spread(row["ratio"], row["ratio_sd"]) if row["procedure"] == "published" else _show_pooled(row)


def _show_pooled(row: dict[str, Any]) -> str:
    if pd.isna(row["ratio"]):
        return "--"
    return f"{row['ratio']:.2f} ({show_interval(row['ratio_low'], row['ratio_high'])})"
