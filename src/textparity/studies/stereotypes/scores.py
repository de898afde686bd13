"""Accuracy, true positive rates and their gap between the genders (Soundararajan 2023, formula (1), Table VII).

All in percent, the gaps in percentage points. Undetermined persons count in accuracy and rates, not in the gaps.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd

from textparity.measures.statistics import Bootstrap, Interval, random_generator
from textparity.report.tables import show_interval, write_csv, write_latex
from textparity.studies.stereotypes.sentences import FEMININE, LABELS, MASCULINE, UNDETERMINED

MEASURES = [
    "accuracy_percent",
    *(f"{label}_true_positive_rate_percent" for label in LABELS),
    *(f"{label}_true_positive_rate_gap" for label in LABELS),
]
# As Table VII calls them.
TITLES = dict(
    zip(
        MEASURES,
        ["Overall accuracy (%)", "TPR of S (%)", "TPR of NS (%)", "TPR gap in S (%)", "TPR gap in NS (%)"],
        strict=True,
    )
)
GENDERS = (MASCULINE, FEMININE, UNDETERMINED)
RATES = [f"{label}_{gender}_true_positive_rate_percent" for label in LABELS for gender in GENDERS[:2]]
KEY = ["lexicon", "generator", "procedure", "classifier"]


def count_cells(sets: list[pd.DataFrame]) -> np.ndarray:
    """Return how many sentences there are, and how many are classified rightly: (groups, sets, label, gender, 2)."""
    groups = sorted({group for frame in sets for group in frame["group"]})
    cells = np.zeros((len(groups), len(sets), len(LABELS), len(GENDERS), 2))
    for number, frame in enumerate(sets):
        places = (
            pd.Categorical(frame["group"], categories=groups).codes,
            number,
            pd.Categorical(frame["label"], categories=LABELS).codes,
            pd.Categorical(frame["gender"], categories=GENDERS).codes,
        )
        np.add.at(cells, (*places, 0), 1)
        np.add.at(cells, (*places, 1), (frame["label"] == frame["predicted"]).to_numpy())
    return cells


def measure(cells: np.ndarray) -> np.ndarray:
    """Return the `MEASURES` of counts (…, label, gender, 2) along the last axis; NaN where there is no sentence."""
    by_label = cells.sum(-2)
    rates, by_gender = _share(by_label), _share(cells)
    # Formula (1): |TPR of men - TPR of women|, within a class.
    gaps = np.abs(by_gender[..., 0] - by_gender[..., 1])
    return np.concatenate([_share(by_label.sum(-2))[..., None], rates, gaps], axis=-1)


def measure_rates(cells: np.ndarray) -> np.ndarray:
    """Return the `RATES`, which say which gender a gap favours, along the last axis."""
    rates = _share(cells)[..., :2]
    return rates.reshape(*rates.shape[:-2], -1)


def _share(counts: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return 100 * counts[..., 1] / counts[..., 0]


def resample_groups(cells: np.ndarray, bootstrap: Bootstrap, generator: np.random.Generator) -> list[Interval]:
    """Return the interval of each measure's mean over sets, resampling groups (words, pairs) as a whole.

    A measure that is not defined in every resample has none.
    """
    groups = len(cells)
    drawn = generator.multinomial(groups, np.full(groups, 1 / groups), size=bootstrap.resamples)
    sums = np.tensordot(drawn.astype(float), cells, axes=1)
    means = measure(sums).mean(axis=1)
    tail = (1 - bootstrap.confidence_level) / 2
    return [Interval(float(low), float(high)) for low, high in np.quantile(means, [tail, 1 - tail], axis=0).T]


def summarise(sets: list[pd.DataFrame], bootstrap: Bootstrap, generator: np.random.Generator) -> dict[str, float]:
    """Return mean, standard deviation over sets and bootstrap interval of each measure, and the rates behind the gaps.

    The standard deviation is of the sample; NaN for one set. Folds of a set are taken together.
    """
    cells = count_cells(sets)
    by_set = measure(cells.sum(0))
    deviations = by_set.std(axis=0, ddof=1) if len(sets) > 1 else np.full(len(MEASURES), np.nan)
    intervals = resample_groups(cells, bootstrap, generator)
    found: dict[str, float] = {}
    for name, mean, deviation, interval in zip(MEASURES, by_set.mean(0), deviations, intervals, strict=True):
        found |= {name: mean, f"{name}_sd": deviation, f"{name}_low": interval.low, f"{name}_high": interval.high}
    return found | dict(zip(RATES, measure_rates(cells.sum(0)).mean(0), strict=True))


def read_predictions(path: Path) -> pd.DataFrame:
    """Return predictions as `textparity.studies.stereotypes.classification` writes them."""
    return pd.read_csv(path, dtype={"id": str, "group": str})


def tabulate_classification(
    predictions: list[Path],
    classification_csv: Path,
    classification_by_set_csv: Path,
    classification_latex: Path,
    datasets: list[list[str]],
    bootstrap: Bootstrap,
) -> None:
    """Write Table VII from the predictions of each of `datasets` (lexicon, generator, set, procedure, classifier)."""
    index = pd.DataFrame(datasets, columns=["lexicon", "generator", "set", "procedure", "classifier"])
    frames = [read_predictions(path) for path in predictions]
    by_set = [measure(count_cells([frame]).sum((0, 1))) for frame in frames]
    sizes = index.assign(sentences=[len(frame) for frame in frames])
    write_csv(pd.concat([sizes, pd.DataFrame(by_set, columns=MEASURES)], axis=1), classification_by_set_csv)
    rows = []
    for key, places in index.groupby(KEY, sort=False).groups.items():
        sets = [frames[place] for place in places if len(frames[place])]
        row = dict(zip(KEY, key, strict=True)) | {
            "sets": len(sets),
            "sets_too_small": len(places) - len(sets),
            "sentences": sum(map(len, sets)),
        }
        generator = random_generator(bootstrap.seed, "classification", *key)
        rows.append(row | (summarise(sets, bootstrap, generator) if sets else {}))
    columns = [*KEY, "sets", "sets_too_small", "sentences", *measure_columns(with_deviation=True)]
    table = pd.DataFrame(rows, columns=columns)
    write_csv(table, classification_csv)
    write_latex(
        _like_the_paper(table),
        classification_latex,
        caption="Accuracy and true positive rates of telling sentences that are consistent with gender stereotypes (S) "
        "from contradictory ones (NS); means over sets, with standard deviations.",
        label="tab:stereotype-classification",
    )


def tabulate_human_text(
    predictions: list[Path],
    human_text_csv: Path,
    human_text_latex: Path,
    experiments: list[list[str]],
    bootstrap: Bootstrap,
) -> None:
    """Write how well sentences that people wrote are classified, by each of `experiments` (trained_on, classifier).

    Intervals resample pairs.
    """
    rows = []
    for path, (trained_on, classifier) in zip(predictions, experiments, strict=True):
        frame = read_predictions(path)
        genders = Counter(frame["gender"])
        row = {"trained_on": trained_on, "classifier": classifier, "sentences": len(frame)}
        row |= {gender: genders[gender] for gender in (MASCULINE, FEMININE, UNDETERMINED)}
        if len(frame):
            generator = random_generator(bootstrap.seed, "human text", trained_on, classifier)
            row |= summarise([frame], bootstrap, generator)
        rows.append(row)
    counts = ["sentences", MASCULINE, FEMININE, UNDETERMINED]
    table = pd.DataFrame(rows, columns=["trained_on", "classifier", *counts, *measure_columns(with_deviation=False)])
    write_csv(table, human_text_csv)
    shown = table[["trained_on", "classifier"]].copy()
    for name in MEASURES:
        ends = zip(table[name], table[f"{name}_low"], table[f"{name}_high"], strict=True)
        shown[TITLES[name]] = [
            "--" if pd.isna(value) else f"{value:.1f} ({show_interval(low, high, 1)})" for value, low, high in ends
        ]
    write_latex(
        shown.rename(columns={"trained_on": "trained on"}),
        human_text_latex,
        caption="Telling sentences that people wrote (gender pairs of CrowS-Pairs): the more stereotypical one of a "
        f"pair (S) from the other (NS), with {100 * bootstrap.confidence_level:.0f}% intervals over pairs.",
        label="tab:human-text",
    )


def measure_columns(with_deviation: bool) -> list[str]:
    """Return the columns of the measures, and of the rates behind the gaps."""
    endings = ["", *(["_sd"] if with_deviation else []), "_low", "_high"]
    return [f"{name}{ending}" for name in MEASURES for ending in endings] + RATES


def _like_the_paper(table: pd.DataFrame) -> pd.DataFrame:
    shown = {("", "", "Dataset"): list(TITLES.values())}
    for row in table.to_dict("records"):
        head = (f"{row['lexicon']}, {row['generator']}", row["procedure"], row["classifier"])
        shown[head] = [_show(row[name], row[f"{name}_sd"]) for name in MEASURES]
    return pd.DataFrame(shown)


def _show(mean: float, deviation: float) -> str:
    if np.isnan(mean):
        return "--"
    return f"{mean:.1f}" if np.isnan(deviation) else f"{mean:.1f} ± {deviation:.1f}"
