"""Compare original and gender-balanced recognizers over seeds (Nahurna 2025, Tables 5, 6 and 11)."""

from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.counting.statistics import mean_interval
from textparity.errors import InputError
from textparity.tables import show_interval, write_csv, write_latex
from textparity_studies.report.plotting import add_tooltips, figure, head_figure
from textparity_studies.swapping.names import (
    ALL,
    AUGMENTED,
    BALANCED,
    COMMON,
    CORRECTED,
    DUPLICATED,
    FEMININE,
    GENDER_COLUMNS,
    JOB,
    MASCULINE,
    MEASURES,
    ORIGINAL,
    RUN,
    TRAINING_DATA,
    UNKNOWN,
    WITH_EXCEPTIONS,
)

# The effect of swapping, and the part of it that duplicating the same sentences does not have.
DIFFERENCES = {"difference": (BALANCED, ORIGINAL), "beyond_duplicates": (BALANCED, DUPLICATED)}
# The genders used with each procedure: the paper's include its lists of exceptions.
_GENDERS_BY = {"published": WITH_EXCEPTIONS, "corrected": CORRECTED}
_LETTERS = {"precision": "P", "recall": "R", "f1": "F1"}
_COLOURS = {ORIGINAL: "#999999", DUPLICATED: "#E69F00", BALANCED: "#009E73"}
_MARKERS = {ORIGINAL: "o", DUPLICATED: "D", BALANCED: "s"}


def tabulate_ner(
    scores: list[Path],
    jobs: list[Path],
    genders: list[Path],
    recall: Path,
    scores_csv: Path,
    scores_latex: Path,
    recall_csv: Path,
    recall_latex: Path,
    figures: list[Path],
    confidence_level: float,
) -> None:
    """Write the recall of job titles by gender and the tables that compare trainings, and plot that recall."""
    measure_job_recall(jobs, genders, recall)
    compare_trainings(scores, recall, scores_csv, scores_latex, recall_csv, recall_latex, confidence_level)
    plot_job_recall(recall, figures)


def measure_job_recall(jobs: list[Path], genders: list[Path], recall: Path) -> None:
    """Write the recall of job titles by gender for each training: found titles of a gender over all of it (Formula 1).

    `genders` belong to both corpora. Raises `InputError` for a job title without a gender.
    """
    known = pd.concat([read_rows(path).to_pandas() for path in genders], ignore_index=True)
    parts = []
    for path in jobs:
        titles = read_rows(path).to_pandas()
        column = GENDER_COLUMNS[_GENDERS_BY[titles["procedure"].iloc[0]]]
        labelled = titles.merge(known[["document", "entity", column]], on=["document", "entity"], how="left")
        if len(missing := labelled[labelled[column].isna()]):
            document, entity = missing[["document", "entity"]].iloc[0]
            raise InputError(f"{path}: the genders have no row of {document}, {entity}; classify the corpora again")
        counts = labelled.groupby([*RUN, "test_set", column])["found"].agg(["size", "sum", "mean"]).reset_index()
        counts.columns = [*RUN, "test_set", "gender", "titles", "true_positives", "recall"]
        parts.append(counts)
    write_csv(pd.concat(parts), recall)


def compare_trainings(
    scores: list[Path],
    recall: Path,
    scores_csv: Path,
    scores_latex: Path,
    recall_csv: Path,
    recall_latex: Path,
    confidence_level: float,
) -> None:
    """Write mean scores, in percent, and recalls over seeds with t intervals, and paired differences of models."""
    rows = pd.concat(map(pd.read_csv, scores))
    rows[list(MEASURES)] *= 100
    found = compare_models(rows, ["procedure", "test_set", "label", "support"], MEASURES, confidence_level)
    write_csv(found, scores_csv)
    _write_wide(
        found[found["label"].isin([JOB, "PERS", ALL])],
        scores_latex,
        MEASURES,
        decimals=1,
        caption="Precision, recall and F1 (%) of recognizers trained on the original corpus, on one with as many"
        " duplicates, and on the balanced one: means over seeds, with intervals over seeds of differences of F1.",
    )
    titles = compare_models(
        pd.read_csv(recall), ["procedure", "test_set", "gender", "titles"], ("recall",), confidence_level
    )
    write_csv(titles, recall_csv)
    _write_wide(
        titles,
        recall_latex,
        ("recall",),
        decimals=2,
        caption="Recall of job titles by gender: means over seeds, with intervals over seeds of differences.",
    )


def compare_models(
    rows: pd.DataFrame, keys: list[str], measures: tuple[str, ...], confidence_level: float
) -> pd.DataFrame:
    """Compute, for each key, the mean of each measure by training data and of `DIFFERENCES`, with intervals.

    Intervals are Student's t over seeds; those of differences pair the models of a seed. They cover the variation of
    training on this corpus, not of another corpus. A type that a model never saw or predicted has no row of that model,
    and counts as 0.
    """
    found = []
    for key, group in rows.groupby(keys, sort=False):
        seeds = rows.loc[rows["procedure"] == key[0], ["data", "seed"]].drop_duplicates()
        cells = dict(zip(keys, key, strict=True)) | {"seeds": seeds["seed"].nunique()}
        for measure in measures:
            wide = seeds.merge(group, on=["data", "seed"], how="left").pivot(index="seed", columns="data")[measure]
            wide = wide.fillna(0)
            for name, (one, other) in DIFFERENCES.items():
                if {one, other} <= set(wide.columns):
                    wide[name] = wide[one] - wide[other]
            for name in (*TRAINING_DATA, *DIFFERENCES):
                if name in wide.columns:
                    values = wide[name].dropna()
                    interval = mean_interval(values.to_numpy(), confidence_level)
                    cells[f"{name}_{measure}"] = values.mean()
                    cells[f"{name}_{measure}_low"], cells[f"{name}_{measure}_high"] = interval.low, interval.high
        found.append(cells)
    return pd.DataFrame(found)


def plot_job_recall(recall: Path, figures: list[Path]) -> None:
    """Plot the recall of job titles by gender in the augmented test set: a point per seed, a line for the mean."""
    rows = pd.read_csv(recall)
    rows = rows[(rows["test_set"] == AUGMENTED) & (rows["gender"] != UNKNOWN)]
    procedures = list(dict.fromkeys(rows["procedure"]))
    genders = [gender for gender in (FEMININE, MASCULINE, COMMON) if gender in set(rows["gender"])]
    with figure(figures, (max(5.4, 1.2 + 2.6 * len(procedures)), 3.6)) as drawn:
        panels = drawn.subplots(1, len(procedures), sharey=True, squeeze=False)[0]
        for panel, procedure in zip(panels, procedures, strict=True):
            for shift, data in ((-0.25, ORIGINAL), (0, DUPLICATED), (0.25, BALANCED)):
                for place, gender in enumerate(genders):
                    chosen = (rows["procedure"] == procedure) & (rows["data"] == data) & (rows["gender"] == gender)
                    values = rows.loc[chosen, "recall"]
                    if values.empty:
                        continue
                    x = place + shift
                    points = panel.plot(
                        [x] * len(values), values, _MARKERS[data], color=_COLOURS[data], markersize=4,
                        label=f"trained on {data}" if not place else None,
                    )[0]  # fmt: skip
                    seeds = rows.loc[chosen, "seed"]
                    add_tooltips(points, [f"{data}, seed {s}: {v:.3f}" for s, v in zip(seeds, values, strict=True)])
                    mean = panel.hlines(values.mean(), x - 0.11, x + 0.11, color=_COLOURS[data])
                    add_tooltips(mean, [f"{data}, mean: {values.mean():.3f}"])
            panel.set_xticks(range(len(genders)), genders)
            panel.set_title(f"{procedure} procedure")
        panels[0].set_ylabel("recall of job titles")
        panels[0].set_ylim(bottom=0)
        drawn.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        head_figure(
            drawn,
            _say_recall(rows[rows["procedure"] == procedures[-1]]),
            "Recall of job titles in the original and the swapped test texts, by grammatical gender: a mark for each "
            f"seed, a line for the mean; the means above are by the {procedures[-1]} procedure",
        )


def _say_recall(rows: pd.DataFrame) -> str:
    """Describe the mean recall of feminine titles by the recognizer's training data, for one procedure."""
    means = rows[rows["gender"] == FEMININE].groupby("data")["recall"].mean().reindex(TRAINING_DATA).dropna()
    said = ", ".join(f"{mean:.2f} trained on {data} texts" for data, mean in means.items())
    return f"Recall of feminine job titles: {said or 'none measured'}"


def _write_wide(found: pd.DataFrame, path: Path, measures: tuple[str, ...], decimals: int, caption: str) -> None:
    kinds = [column for column in ("procedure", "test_set", "label", "gender", "titles") if column in found]
    wide = found[kinds].rename(columns={"test_set": "test set", "label": "type"})
    formats = {}
    for data in TRAINING_DATA:
        for measure in measures:
            if f"{data}_{measure}" in found:
                name = f"{data} {_LETTERS[measure]}"
                wide[name], formats[name] = found[f"{data}_{measure}"], f"{{:.{decimals}f}}"
    last = measures[-1]
    for difference, (one, other) in DIFFERENCES.items():
        if f"{difference}_{last}" in found:
            name = f"{one} - {other} {_LETTERS[last]}"
            # Remove the sign of values that round to zero.
            wide[name] = found[f"{difference}_{last}"].round(decimals) + 0.0
            formats[name] = f"{{:+.{decimals}f}}"
            ends = found[[f"{difference}_{last}_low", f"{difference}_{last}_high"]].itertuples(index=False)
            # Column names must be unique.
            wide[f"interval of - {other}"] = [show_interval(low, high, decimals) for low, high in ends]
    write_latex(wide, path, caption=caption, formats=formats)
