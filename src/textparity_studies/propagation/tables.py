"""Write tables about models' texts (Derner 2025, Tables 8 and 9, Figure 2): ratios, diversity, perplexity.

`published`: words counted as in the paper, and the mean of the repetitions' ratios with its sample standard deviation.
`corrected`: words counted correctly, and the ratio of all stories together with a bootstrap interval over stories. A
mean of ratios tends to be too high if few words are counted.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Bootstrap, bootstrap_ratios, random_generator
from textparity.errors import InputError
from textparity.tables import show_interval, show_intervals, write_csv, write_latex
from textparity_studies.propagation.shifts import tabulate_shifts
from textparity_studies.propagation.story_counts import (
    UNIT,
    count_row,
    pooled_row,
    read_story_counts,
    repetition_ratios,
    unit_of,
    variant_row,
)
from textparity_studies.propagation.variants import BALANCED, BASE, FEMALE, MALE

# The names in the paper's tables and figure.
CONDITION_TITLES = {BASE: "Base", MALE: "Male-biased", BALANCED: "Balanced", FEMALE: "Female-biased"}
RATIO_COLUMNS = [
    *UNIT, "condition", "training_seed", "step", "procedure", "repetitions", "repetitions_without_ratio", "stories",
    "masculine", "feminine", "ratio", "ratio_sd", "ratio_low", "ratio_high",
]  # fmt: skip
CHECKPOINT_COLUMNS = [name for name in RATIO_COLUMNS if name not in ("repetitions_without_ratio", "ratio_sd")]
DIVERSITY = "diversity"
WITHOUT_DIAGONAL = f"{DIVERSITY}_published_without_diagonal"
REPEATED = "repeated_words"
# Measures with their title and factor.
_SHOWN_MEASURES = {
    f"{DIVERSITY}_published": ("Diversity, published", 1),
    WITHOUT_DIAGONAL: ("Diversity, published, without the diagonal", 1),
    f"{DIVERSITY}_corrected": ("Diversity, corrected", 1),
    REPEATED: ("Repeated runs (%)", 100),
}
_NAMES = ["condition", "training_seed", "step"]
_PERPLEXITY_COLUMNS = ["id", "tokens", "log_likelihood"]


def tabulate(
    counts: list[Path],
    diversity: list[Path],
    perplexity: list[Path],
    table_variants: dict[str, list[str]],
    checkpoint_variants: dict[str, list[str]],
    seed_variants: dict[str, list[str]],
    bootstrap: Bootstrap,
    **tables: Path,
) -> None:
    """Write all tables about the models' texts.

    The three kinds of variants are those of the paper's tables, those by steps, and those of all training seeds, by
    model and language.
    """
    level = bootstrap.confidence_level
    if counts:
        of_table, of_steps, of_seeds = (
            _files_of(names, counts) for names in (table_variants, checkpoint_variants, seed_variants)
        )
        tabulate_story_ratios(of_table, tables["story_ratios_csv"], tables["story_ratios_latex"], bootstrap)
        tabulate_checkpoint_steps(of_steps, tables["checkpoint_steps_csv"], tables["checkpoint_steps_latex"], bootstrap)
        tabulate_shifts(of_seeds, tables["shifts_csv"], tables["seeds_csv"], tables["shifts_latex"], level)
    if diversity:
        tabulate_diversity(diversity, tables["diversity_csv"], tables["diversity_latex"], table_variants)
        tabulate_perplexity(perplexity, tables["perplexity_csv"], tables["perplexity_latex"], bootstrap)


def _files_of(variants: dict[str, list[str]], files: list[Path]) -> list[Path]:
    """List the files of some variants, in order, for each model and language in turn."""
    by_unit = {unit_of(path): path for path in files}
    models = dict.fromkeys(unit[:2] for unit in by_unit)
    return [by_unit[*model, name] for model in models for name in variants["/".join(model)]]


def tabulate_story_ratios(counts: list[Path], table_csv: Path, table_latex: Path, bootstrap: Bootstrap) -> None:
    """Write Table 9.

    A repetition without feminine words has no ratio: it is excluded from the published mean, and counted.
    """
    rows = []
    for path in counts:
        unit = unit_of(path)
        for procedure in PROCEDURES:
            stories = read_story_counts(path, procedure)
            ratios = repetition_ratios(stories)
            row = variant_row(unit) | {"procedure": procedure} | count_row(stories)
            row["repetitions_without_ratio"] = int(ratios.isna().sum())
            if procedure == "published":
                row |= {"ratio": ratios.mean(), "ratio_sd": ratios.std(ddof=1)}
            else:
                row |= pooled_row(stories, unit, procedure, bootstrap)
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
            f"{100 * bootstrap.confidence_level:g} % bootstrap interval over stories.{note}"
        ),
    )


def tabulate_checkpoint_steps(counts: list[Path], table_csv: Path, table_latex: Path, bootstrap: Bootstrap) -> None:
    """Write the ratio of all stories together by training steps, with intervals over stories.

    The base model is step 0 of every condition, and has one row.
    """
    rows = []
    for procedure in PROCEDURES:
        for path in counts:
            unit = unit_of(path)
            stories = read_story_counts(path, procedure)
            pooled = pooled_row(stories, unit, procedure, bootstrap)
            rows.append(variant_row(unit) | {"procedure": procedure} | count_row(stories) | pooled)
    table = pd.DataFrame(rows, columns=CHECKPOINT_COLUMNS).sort_values("step", kind="stable")
    # Keep models and procedures in the order of the run instead of the alphabet.
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
            f"{100 * bootstrap.confidence_level:g} % bootstrap interval over stories."
        ),
    )


def by_condition(table: pd.DataFrame, further: list[str] | None = None) -> pd.DataFrame:
    """Arrange the cells `shown` with a column per condition, for LaTeX; empty ones have two dashes."""
    keys = [*UNIT, "procedure", *(further or [])]
    wide = table.pivot(index=keys, columns="condition", values="shown")
    # Keep models and procedures in the order of the table instead of the alphabet.
    wide = wide.reindex(pd.MultiIndex.from_frame(table[keys].drop_duplicates())).fillna("--")
    wide = wide[[name for name in CONDITION_TITLES if name in wide.columns]].rename(columns=CONDITION_TITLES)
    return wide.reset_index().rename(
        columns={"base_model": "Model", "lang": "Lang", "procedure": "Procedure", "step": "Steps"}
    )


def show_spread(mean: float, deviation: float) -> str:
    """Format a mean with its standard deviation for a table's cell."""
    return "--" if pd.isna(mean) else f"{mean:.2f}" + ("" if pd.isna(deviation) else f" ± {deviation:.2f}")


def _show_ratio(row: dict[str, Any]) -> str:
    return show_spread(row["ratio"], row["ratio_sd"]) if row["procedure"] == "published" else _show_pooled(row)


def _show_pooled(row: dict[str, Any]) -> str:
    if pd.isna(row["ratio"]):
        return "--"
    return f"{row['ratio']:.2f} ({show_interval(row['ratio_low'], row['ratio_high'])})"


def tabulate_diversity(
    diversity: list[Path], table_csv: Path, table_latex: Path, table_variants: dict[str, list[str]]
) -> None:
    """Write mean and sample standard deviation over repetitions of every measure; Table 8 in LaTeX.

    Diversity is `published`, `corrected`, and published with the diagonal corrected, to show the effect of each error.
    `table_variants` are those of Table 8.
    """
    rows = []
    for path in diversity:
        measures = pd.read_csv(path).select_dtypes("number").drop(columns="repetition", errors="ignore")
        if missing := {f"{DIVERSITY}_published", f"{DIVERSITY}_corrected"} - set(measures.columns):
            raise InputError(f"{path}: has no column {', '.join(sorted(missing))}; delete it and run again")
        # Compute one minus the mean cosine of pairs from the mean over all cells, which has 0 for each story with
        # itself.
        stories = measures["stories"]
        measures[WITHOUT_DIAGONAL] = 1 - (1 - measures[f"{DIVERSITY}_published"]) * stories / (stories - 1)
        spread: dict[str, float] = {}
        for name in measures.columns:
            spread |= {name: measures[name].mean(), f"{name}_sd": measures[name].std(ddof=1)}
        rows.append(variant_row(unit_of(path)) | {"repetitions": len(measures)} | spread)
    table = pd.DataFrame(rows)
    write_csv(table, table_csv)
    in_table = table[[name in table_variants["/".join(model)] for *model, name in map(unit_of, diversity)]]
    shown = pd.concat(
        in_table[[*UNIT, "condition"]].assign(
            procedure=title,
            shown=[
                show_spread(scale * mean, scale * deviation)
                for mean, deviation in zip(in_table[name], in_table[f"{name}_sd"], strict=True)
            ],
        )
        for name, (title, scale) in _SHOWN_MEASURES.items()
        if name in table.columns
    )
    write_latex(
        by_condition(shown).rename(columns={"Procedure": "Measure"}),
        table_latex,
        caption=(
            "Semantic diversity of generated stories (1 - mean pairwise cosine), and the share of runs of four words "
            "that stood in the same story before: mean and standard deviation over repetitions. Published diversity is "
            "of stories with their prompts, which makes it lower, and counts each as wholly unlike itself, which makes "
            "it a little higher; corrected diversity is of what the model wrote alone."
        ),
    )


def tabulate_perplexity(perplexity: list[Path], table_csv: Path, table_latex: Path, bootstrap: Bootstrap) -> None:
    """Write the perplexity of each variant on the neutral texts, and its excess over the base model's in percent.

    Intervals resample texts, paired between both models. Raises `InputError` if two variants saw different texts or
    tokens.
    """
    files = {unit_of(path): (path, _read_perplexity(path)) for path in perplexity}
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
        intervals = bootstrap_ratios(losses, np.stack([tokens] * 2), bootstrap, generator)
        values = losses.sum(axis=1) / tokens.sum()
        level, change = (np.exp([value, ends.low, ends.high]) for value, ends in zip(values, intervals, strict=True))
        row = variant_row(unit) | {"texts": len(texts), "tokens": int(tokens.sum())}
        row |= dict(zip(["perplexity", "perplexity_low", "perplexity_high"], level, strict=True))
        if base is not None and unit[2] != BASE:
            percents = 100 * (change - 1)
            row |= dict(zip(["change_percent", "change_percent_low", "change_percent_high"], percents, strict=True))
        rows.append(row)
    columns = [
        *UNIT, *_NAMES, "texts", "tokens", "perplexity", "perplexity_low", "perplexity_high",
        "change_percent", "change_percent_low", "change_percent_high",
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns)
    write_csv(table, table_csv)
    shown = table[[*UNIT, *_NAMES, "perplexity"]].assign(
        interval=show_intervals(table, "perplexity"),
        change=[
            "--" if np.isnan(value) else f"{value:+.2f} ({low:+.2f} to {high:+.2f})"
            for value, low, high in table[["change_percent", "change_percent_low", "change_percent_high"]].to_numpy()
        ],
    )
    titles = ["Model", "Lang", "Condition", "Seed", "Steps", "Perplexity", "Interval", "Change (%)"]
    write_latex(
        shown.set_axis(titles, axis="columns"),
        table_latex,
        caption=(
            "Perplexity of held-out neutral text, and its change against the base model, with "
            f"{100 * bootstrap.confidence_level:g} % bootstrap intervals over texts (of the change: paired by text)."
        ),
        formats={"Perplexity": "{:.2f}"},
    )


def _read_perplexity(path: Path) -> pd.DataFrame:
    texts = pd.read_csv(path, dtype={"id": str})
    if missing := [name for name in _PERPLEXITY_COLUMNS if name not in texts.columns]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; delete it and run again")
    if not texts["tokens"].sum():
        raise InputError(f"{path}: has no tokens; look at the neutral corpus (propagation.neutral_corpus)")
    return texts
