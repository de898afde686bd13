"""Write all tables of the study (Soundararajan 2023, Tables I, III, V and VII).

Accuracy, true positive rates and their gap between the genders (formula (1)) are in percent, the gaps in percentage
points. Undetermined persons count towards accuracy and rates, but not towards gaps.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import MINIMUM_UNITS, UNDEFINED, Bootstrap, Interval, random_generator
from textparity.tables import show_interval, write_csv, write_latex
from textparity_studies.stereotypes.annotation import measure_agreement
from textparity_studies.stereotypes.human_text import read_human_sentences
from textparity_studies.stereotypes.sentences import (
    CODINGS,
    FEMININE,
    KINDS,
    LABELS,
    MASCULINE,
    REASONS,
    UNDETERMINED,
    count_kinds,
    load_coded_lexicon,
)

MEASURES = [
    "accuracy_percent",
    *(f"{label}_true_positive_rate_percent" for label in LABELS),
    *(f"{label}_true_positive_rate_gap" for label in LABELS),
]
# The names in Table VII.
TITLES = ["Overall accuracy (%)", "TPR of S (%)", "TPR of NS (%)", "TPR gap in S (%)", "TPR gap in NS (%)"]
GENDERS = (MASCULINE, FEMININE, UNDETERMINED)
RATES = [f"{label}_{gender}_true_positive_rate_percent" for label in LABELS for gender in GENDERS[:2]]
KEY = ["lexicon", "generator", "procedure", "classifier"]
EXAMPLES = 3
UNIT = ["lexicon", "generator", "set"]
_REJECTION_COLUMNS = [*UNIT, "tries", "kind", "reason", "count", "with_fault", "remaining"]


def count_cells(sets: list[pd.DataFrame]) -> np.ndarray:
    """Count the sentences, and those classified correctly: shape (groups, sets, label, gender, 2)."""
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
    """Compute the `MEASURES` of counts (…, label, gender, 2) along the last axis; NaN if there is no sentence."""
    by_label = cells.sum(-2)
    rates, by_gender = _share(by_label), _share(cells)
    # Formula (1): |TPR of men - TPR of women|, within a class.
    gaps = np.abs(by_gender[..., 0] - by_gender[..., 1])
    return np.concatenate([_share(by_label.sum(-2))[..., None], rates, gaps], axis=-1)


def measure_rates(cells: np.ndarray) -> np.ndarray:
    """Compute the `RATES`, which show the gender that a gap favours, along the last axis."""
    rates = _share(cells)[..., :2]
    return rates.reshape(*rates.shape[:-2], -1)


def _share(counts: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return 100 * counts[..., 1] / counts[..., 0]


def resample_groups(cells: np.ndarray, bootstrap: Bootstrap, generator: np.random.Generator) -> list[Interval]:
    """Bootstrap the interval of each measure's mean over sets, resampling groups (words, pairs) as a whole.

    The interval is undefined if the measure is undefined in some resample, or if there are fewer than `MINIMUM_UNITS`
    groups.
    """
    groups = len(cells)
    if groups < MINIMUM_UNITS:
        return [UNDEFINED] * len(MEASURES)
    drawn = generator.multinomial(groups, np.full(groups, 1 / groups), size=bootstrap.resamples)
    sums = np.tensordot(drawn.astype(float), cells, axes=1)
    means = measure(sums).mean(axis=1)
    tail = (1 - bootstrap.confidence_level) / 2
    return [Interval(float(low), float(high)) for low, high in np.quantile(means, [tail, 1 - tail], axis=0).T]


def summarise(sets: list[pd.DataFrame], bootstrap: Bootstrap, generator: np.random.Generator) -> dict[str, float]:
    """Compute each measure's mean, standard deviation over sets and bootstrap interval, and the rates behind the gaps.

    It is the sample standard deviation, NaN for one set. The folds of a set are pooled.
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
    """Read predictions as `textparity_studies.stereotypes.classification` writes them."""
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
        sizes_of_sets = {"sets": len(sets), "sets_too_small": len(places) - len(sets), "sentences": sum(map(len, sets))}
        row = dict(zip(KEY, key, strict=True)) | sizes_of_sets
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
    )


def tabulate_human_text(
    predictions: list[Path],
    human_text_csv: Path,
    human_text_latex: Path,
    experiments: list[list[str]],
    bootstrap: Bootstrap,
) -> None:
    """Write the scores on human-written sentences of each of `experiments` (trained_on, classifier).

    Intervals resample pairs.
    """
    rows = []
    for path, (trained_on, classifier) in zip(predictions, experiments, strict=True):
        frame = read_predictions(path)
        genders = Counter(frame["gender"])
        row = {"trained_on": trained_on, "classifier": classifier, "sentences": len(frame)}
        row |= {gender: genders[gender] for gender in GENDERS}
        if len(frame):
            generator = random_generator(bootstrap.seed, "human text", trained_on, classifier)
            row |= summarise([frame], bootstrap, generator)
        rows.append(row)
    columns = ["trained_on", "classifier", "sentences", *GENDERS, *measure_columns(with_deviation=False)]
    table = pd.DataFrame(rows, columns=columns)
    write_csv(table, human_text_csv)
    shown = table[["trained_on", "classifier"]].copy()
    for name, title in zip(MEASURES, TITLES, strict=True):
        ends = zip(table[name], table[f"{name}_low"], table[f"{name}_high"], strict=True)
        shown[title] = [
            "--" if pd.isna(value) else f"{value:.1f} ({show_interval(low, high, 1)})" for value, low, high in ends
        ]
    write_latex(
        shown.rename(columns={"trained_on": "trained on"}),
        human_text_latex,
        caption="Telling sentences that people wrote (gender pairs of CrowS-Pairs): the more stereotypical one of a "
        f"pair (S) from the other (NS), with {100 * bootstrap.confidence_level:.0f}% intervals over pairs.",
    )


def measure_columns(with_deviation: bool) -> list[str]:
    """List the columns of the measures, and of the rates behind the gaps."""
    endings = ["", *(["_sd"] if with_deviation else []), "_low", "_high"]
    return [f"{name}{ending}" for name in MEASURES for ending in endings] + RATES


def _like_the_paper(table: pd.DataFrame) -> pd.DataFrame:
    shown = {("", "", "Dataset"): TITLES}
    for row in table.to_dict("records"):
        head = (f"{row['lexicon']}, {row['generator']}", row["procedure"], row["classifier"])
        shown[head] = [_show(row[name], row[f"{name}_sd"]) for name in MEASURES]
    return pd.DataFrame(shown)


def _show(mean: float, deviation: float) -> str:
    if np.isnan(mean):
        return "--"
    return f"{mean:.1f}" if np.isnan(deviation) else f"{mean:.1f} ± {deviation:.1f}"


def tabulate_stereotypes(
    lexicons: list[Path],
    answers: list[Path],
    all_sentences: list[Path],
    rejected: list[Path],
    predictions: list[Path],
    human_predictions: list[Path],
    human_text: list[Path],
    annotations: list[Path],
    sample_keys: list[Path],
    names: list[str],
    forms: list[str],
    datasets: list[list[str]],
    sets: list[list[Any]],
    classified: list[list[str]],
    human_experiments: list[list[str]],
    bootstrap: Bootstrap,
    **tables: Path,
) -> None:
    """Write each of `tables` from the inputs that it needs; the plan decides which there are.

    The parameters describe the inputs and outputs, in order: `names` and `forms` belong to `lexicons`, `datasets`
    (lexicon, generator) to `sample_keys`, `sets` (also the number) to answers and sentences, and `classified` and
    `human_experiments` to predictions.
    """
    seed = bootstrap.seed

    def those_of(*files: str) -> dict[str, Path]:
        return {name: path for name, path in tables.items() if name.rpartition("_")[0] in files}

    measure_coded_lexicons(lexicons, names=names, forms=forms, **those_of("coded_lexicons"))
    if sets:
        found = those_of("sentences", "rejections", "tries", "examples")
        tabulate_sentences(answers, all_sentences, rejected, units=sets, seed=seed, **found)
    if annotations:
        found = those_of("agreement", "agreement_levels", "agreement_sentences")
        measure_agreement(sample_keys, annotations, names=list(map(".".join, datasets)), **found)
    if classified:
        found = those_of("classification", "classification_by_set")
        tabulate_classification(predictions, datasets=classified, bootstrap=bootstrap, **found)
    if human_experiments:
        write_csv(read_human_sentences(*human_text), tables["human_sentences_csv"])
        found = those_of("human_text")
        tabulate_human_text(human_predictions, experiments=human_experiments, bootstrap=bootstrap, **found)


def measure_coded_lexicons(
    lexicons: list[Path], coded_lexicons_csv: Path, coded_lexicons_latex: Path, names: list[str], forms: list[str]
) -> None:
    """Count the words of each lexicon by coding (Table I)."""
    rows = []
    for path, name, form in zip(lexicons, names, forms, strict=True):
        lexicon = load_coded_lexicon(path, form)
        counts = {coding: len(lexicon.of(coding)) for coding in CODINGS}
        total = sum(counts.values())
        rows.append(
            {"lexicon": name}
            | counts
            | {"words": total}
            | {f"{coding}_percent": 100 * count / total for coding, count in counts.items()}
        )
    frame = pd.DataFrame(rows)
    write_csv(frame, coded_lexicons_csv)
    write_latex(
        frame,
        coded_lexicons_latex,
        caption="Words of the coded lexicons.",
        formats={f"{coding}_percent": "{:.2f}" for coding in CODINGS},
    )


def tabulate_sentences(
    answers: list[Path],
    all_sentences: list[Path],
    rejected: list[Path],
    sentences_csv: Path,
    sentences_latex: Path,
    rejections_csv: Path,
    tries_csv: Path,
    examples_csv: Path,
    units: list[list[Any]],
    seed: int,
) -> None:
    """Write the tables of all sets; `units` give the lexicon, generator and number of the set of each file.

    `rejections_csv` follows the order of the checks, for the first attempt and for all: `count` sentences (or answers
    without one) rejected by this check, `with_fault` those with this fault at all, `remaining` those left. `tries_csv`
    has the requests and the yield of each attempt.
    """
    sizes, rejections, tries, examples = [], [], [], []
    for unit, asked_file, file, rejected_file in zip(units, answers, all_sentences, rejected, strict=True):
        names = dict(zip(UNIT, unit, strict=True))
        sentences = pd.read_csv(file, keep_default_na=False)
        without = pd.read_csv(rejected_file, keep_default_na=False)
        without = without[without["text"] == ""].rename(columns={"reason": "reasons"})
        passed = sentences[sentences["reasons"] == ""]
        sizes += [
            names | {"procedure": procedure} | count_kinds(some)
            for procedure, some in zip(PROCEDURES, (sentences[sentences["attempt"] == 1], passed), strict=True)
        ]
        items = pd.concat([sentences, without])[["kind", "attempt", "reasons"]]
        rejections += [names | row for row in _rejections(items)]
        tries += [names | row for row in _tries(asked_file, items)]
        if names["set"] == 1:
            examples += [names | row for row in _examples(passed, seed)]
    frame = pd.DataFrame(sizes)
    write_csv(frame, sentences_csv)
    caption = "Generated sentences of each kind: all of the first try (published), those that pass (corrected)."
    write_latex(_latex_frame(frame), sentences_latex, caption)
    write_csv(pd.DataFrame(rejections, columns=_REJECTION_COLUMNS), rejections_csv)
    write_csv(pd.DataFrame(tries), tries_csv)
    write_csv(pd.DataFrame(examples, columns=[*UNIT, "kind", "label", "word", "text"]), examples_csv)


def _latex_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Combine counts and percentages in one cell, as the paper prints them."""
    shown = frame[[*UNIT, "procedure"]].copy()
    for column in (name.removesuffix("_percent") for name in frame.columns if name.endswith("_percent")):
        cells = zip(frame[column], frame[f"{column}_percent"], strict=True)
        shown[column] = [f"{count} ({percent:.2f}%)" if count else "0" for count, percent in cells]
    return shown.assign(sentences=frame["sentences"])


def _rejections(items: pd.DataFrame) -> list[dict[str, Any]]:
    rows = []
    for tries, some in (("first", items[items["attempt"] == 1]), ("all", items)):
        for kind in [*KINDS, "all"]:
            reasons = some["reasons"] if kind == "all" else some.loc[some["kind"] == kind, "reasons"]
            faults = [list(filter(None, cell.split("; "))) for cell in reasons]
            remaining = len(faults)
            for reason in REASONS:
                count = sum(fault[:1] == [reason] for fault in faults)
                remaining -= count
                rows.append(
                    {"tries": tries, "kind": kind, "reason": reason, "count": count}
                    | {"with_fault": sum(reason in fault for fault in faults), "remaining": remaining}
                )
    return rows


def _tries(answers: Path, items: pd.DataFrame) -> list[dict[str, Any]]:
    asked = read_rows(answers, ["attempt", "asked", "answer", "prompt_tokens", "completion_tokens"]).to_pandas()
    asked["words"] = asked["asked"].map(len)
    rows = []
    for attempt, some in asked.groupby("attempt"):
        of_try = items[items["attempt"] == attempt]
        rows.append(
            {"attempt": attempt, "requests": len(some), "answers": int(some["answer"].notna().sum())}
            | {"words_asked": int(some["words"].sum())}
            | {column: int(some[column].sum()) for column in ("prompt_tokens", "completion_tokens")}
            | {"sentences_or_none": len(of_try), "passed": int((of_try["reasons"] == "").sum())}
        )
    return rows


def _examples(passed: pd.DataFrame, seed: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for kind in KINDS:
        some = passed[passed["kind"] == kind]
        drawn = some.sample(min(EXAMPLES, len(some)), random_state=seed).sort_index()
        rows += drawn[["kind", "label", "word", "text"]].to_dict("records")
    return rows
