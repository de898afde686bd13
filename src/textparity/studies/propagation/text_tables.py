"""Semantic diversity and repetition of what models write (Derner 2025, Table 8), and perplexity of neutral text."""

from pathlib import Path

import numpy as np
import pandas as pd

from textparity.errors import InputError
from textparity.measures.statistics import bootstrap_ratios, random_generator
from textparity.report.tables import show_intervals, write_csv, write_latex
from textparity.studies.propagation.ratio_tables import by_condition, show_spread
from textparity.studies.propagation.story_counts import UNIT, Unit, variant_row
from textparity.studies.propagation.variants import BASE

DIVERSITY = "diversity"
WITHOUT_DIAGONAL = f"{DIVERSITY}_published_without_diagonal"
REPEATED = "repeated_words"
# With a title and a factor.
_SHOWN_MEASURES = {
    f"{DIVERSITY}_published": ("Diversity, published", 1),
    WITHOUT_DIAGONAL: ("Diversity, published, without the diagonal", 1),
    f"{DIVERSITY}_corrected": ("Diversity, corrected", 1),
    REPEATED: ("Repeated runs (%)", 100),
}
_NAMES = ["condition", "training_seed", "step"]
_PERPLEXITY_COLUMNS = ["id", "tokens", "log_likelihood"]


def tabulate_diversity(
    diversity: list[Path], units: list[Unit], table_csv: Path, table_latex: Path, table_variants: list[str]
) -> None:
    """Write mean and sample standard deviation over repetitions of every measure; Table 8 in LaTeX.

    Diversity is `published`, `corrected`, and published but for the diagonal, so that the effect of each slip shows.

    `units` are the base model, language and variant of each file of `diversity`; `table_variants` those of Table 8.
    """
    rows = []
    for path, unit in zip(diversity, units, strict=True):
        measures = pd.read_csv(path).select_dtypes("number").drop(columns="repetition", errors="ignore")
        if lacking := {f"{DIVERSITY}_published", f"{DIVERSITY}_corrected"} - set(measures.columns):
            raise InputError(f"{path}: has no column {', '.join(sorted(lacking))}; delete it and run again")
        # One minus the mean cosine of pairs, out of the mean over all cells with 0 for a story and itself.
        stories = measures["stories"]
        measures[WITHOUT_DIAGONAL] = 1 - (1 - measures[f"{DIVERSITY}_published"]) * stories / (stories - 1)
        spread: dict[str, float] = {}
        for name in measures.columns:
            spread |= {name: measures[name].mean(), f"{name}_sd": measures[name].std(ddof=1)}
        rows.append(variant_row(unit) | {"repetitions": len(measures)} | spread)
    table = pd.DataFrame(rows)
    write_csv(table, table_csv)
    in_table = table[[name in table_variants for *_, name in units]]
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
        label="tab:story-diversity",
    )


def tabulate_perplexity(
    perplexity: list[Path],
    units: list[Unit],
    table_csv: Path,
    table_latex: Path,
    seed: int,
    resamples: int,
    confidence_level: float,
) -> None:
    """Write the perplexity of each variant on the neutral texts, and how many percent it is above the base model's.

    Intervals resample texts, both models' together. Raises `InputError` where two variants saw other texts or tokens.
    """
    files = {unit: (path, _read_perplexity(path)) for path, unit in zip(perplexity, units, strict=True)}
    rows = []
    for unit, (path, texts) in files.items():
        base_path, base = files.get((unit[0], unit[1], BASE), (None, None))
        if base is not None and not texts[["id", "tokens"]].equals(base[["id", "tokens"]]):
            raise InputError(f"{path}: has other texts or tokens than {base_path}; delete both and run again")
        likelihood, tokens = texts["log_likelihood"].to_numpy(), texts["tokens"].to_numpy()
        # Nats a token, and how many more than the base model's: logarithms of what is shown.
        of_base = 0 if base is None else base["log_likelihood"].to_numpy()
        losses = np.stack([-likelihood, of_base - likelihood])
        generator = random_generator(seed, *unit[:2], "perplexity")
        intervals = bootstrap_ratios(losses, np.stack([tokens] * 2), resamples, confidence_level, generator)
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
            f"{100 * confidence_level:g} \\% bootstrap intervals over texts (of the change: paired by text)."
        ),
        label="tab:perplexity",
        formats={"Perplexity": "{:.2f}"},
    )


def _read_perplexity(path: Path) -> pd.DataFrame:
    texts = pd.read_csv(path, dtype={"id": str})
    if lacking := [name for name in _PERPLEXITY_COLUMNS if name not in texts.columns]:
        raise InputError(f"{path}: has no column {', '.join(lacking)}; delete it and run again")
    if not texts["tokens"].sum():
        raise InputError(f"{path}: has no tokens; look at the neutral corpus (propagation.neutral_corpus)")
    return texts
