"""Tabulate the study (Soundararajan 2023, Tables I, III, V, VI and VII).

Accuracy, true positive rates and their gap between the genders (formula (1)) are in percent, the gaps in percentage
points. Undetermined persons count towards accuracy and rates, but not towards gaps.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.corpora.reading import read_rows
from textparity.counting import PROCEDURES
from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap, bootstrap_statistic
from textparity.estimating.estimates import Estimate
from textparity.estimating.seeds import random_generator
from textparity.tables import Table, show_interval
from textparity_studies.stereotypes.classification import read_human_sentences
from textparity_studies.stereotypes.sentences import (
    CODINGS,
    GENDERS,
    KINDS,
    LABELS,
    RejectReason,
    count_kinds,
    load_coded_lexicon,
    read_generated,
)

# The measures of Table VII, with the names in it.
TITLES = {
    "accuracy_percent": "Overall accuracy (%)",
    "consistent_true_positive_rate_percent": "TPR of S (%)",
    "contradictory_true_positive_rate_percent": "TPR of NS (%)",
    "consistent_true_positive_rate_gap": "TPR gap in S (%)",
    "contradictory_true_positive_rate_gap": "TPR gap in NS (%)",
}
MEASURES = list(TITLES)
RATES = [f"{label}_{gender}_true_positive_rate_percent" for label in LABELS for gender in GENDERS[:2]]
KEY = ["lexicon", "generator", "procedure", "classifier"]
EXAMPLES = 3
UNIT = ["lexicon", "generator", "set"]
LEVELS = ("complete", "partial", "none", "not labelled")
ALL_ANNOTATORS = "all annotators"


def describe_coded_lexicons(lexicons: list[Path], names: list[str], forms: list[str]) -> Iterator[Table]:
    """Count the words of each lexicon by coding (Table I)."""
    rows = []
    for path, name, form in zip(lexicons, names, forms, strict=True):
        lexicon = load_coded_lexicon(path, form)
        counts = {coding: len(lexicon.of(coding)) for coding in CODINGS}
        total = sum(counts.values())
        percents = {f"{coding}_percent": 100 * count / total for coding, count in counts.items()}
        rows.append({"lexicon": name} | counts | {"words": total} | percents)
    formats = {f"{coding}_percent": "{:.2f}" for coding in CODINGS}
    yield Table("coded_lexicons", pd.DataFrame(rows), formats=formats)


def count_published_sentences(sentences: list[Path], sets: list[list[Any]]) -> Iterator[Table]:
    """Count the sentences of each kind in the published `sets` (lexicon, generator, number), as in Table V."""
    rows = [
        {"lexicon": lexicon, "set": number} | count_kinds(read_generated(path))
        for path, (lexicon, _, number) in zip(sentences, sets, strict=True)
    ]
    yield Table("published_sentences", pd.DataFrame(rows))


def tabulate_sentences(
    answers: list[Path], all_sentences: list[Path], rejected: list[Path], sets: list[list[Any]], seed: int
) -> Iterator[Table]:
    """Tabulate the sentences of all `sets` (lexicon, generator, number), one for each file.

    The table `rejections` follows the order of the checks, for the first attempt and for all: `count` sentences (or
    answers without one) rejected by this check, `with_fault` those with this fault at all, `remaining` those left. The
    table `tries` has the requests and the yield of each attempt.
    """
    sizes, rejections, attempts, examples = [], [], [], []
    for unit, asked_file, file, rejected_file in zip(sets, answers, all_sentences, rejected, strict=True):
        key = dict(zip(UNIT, unit, strict=True))
        sentences = pd.read_csv(file, keep_default_na=False)
        without = pd.read_csv(rejected_file, keep_default_na=False)
        without = without[without["text"] == ""].rename(columns={"reason": "reasons"})
        passed = sentences[sentences["reasons"] == ""]
        for procedure, some in zip(PROCEDURES, (sentences[sentences["attempt"] == 1], passed), strict=True):
            sizes.append(key | {"procedure": procedure} | count_kinds(some))
        items = pd.concat([sentences, without])[["kind", "attempt", "reasons"]]
        rejections += [key | row for row in _count_rejections(items)]
        attempts += [key | row for row in _count_attempts(asked_file, items)]
        if key["set"] == 1:
            for kind in KINDS:
                some = passed[passed["kind"] == kind]
                drawn = some.sample(min(EXAMPLES, len(some)), random_state=seed).sort_index()
                examples += [key | row for row in drawn[["kind", "label", "word", "text"]].to_dict("records")]
    frame = pd.DataFrame(sizes)
    # Counts and percentages in one cell, as the paper prints them.
    shown = {
        name: [
            f"{count} ({percent:.2f}%)" if count else "0"
            for count, percent in zip(frame[name], frame[f"{name}_percent"], strict=True)
        ]
        for name in (column.removesuffix("_percent") for column in frame if column.endswith("_percent"))
    }
    columns = [*UNIT, "procedure", *shown, "sentences"]
    yield Table("sentences", frame, dict(zip(columns, columns, strict=True)), printed=frame.assign(**shown))
    columns = [*UNIT, "tries", "kind", "reason", "count", "with_fault", "remaining"]
    yield Table("rejections", pd.DataFrame(rejections, columns=columns))
    yield Table("tries", pd.DataFrame(attempts))
    yield Table("examples", pd.DataFrame(examples, columns=[*UNIT, "kind", "label", "word", "text"]))


def _count_rejections(items: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for tries, some in (("first", items[items["attempt"] == 1]), ("all", items)):
        for kind in [*KINDS, "all"]:
            reasons = some["reasons"] if kind == "all" else some.loc[some["kind"] == kind, "reasons"]
            faults = [list(filter(None, cell.split("; "))) for cell in reasons]
            remaining = len(faults)
            for reason in RejectReason:
                count = sum(fault[:1] == [reason] for fault in faults)
                remaining -= count
                with_fault = sum(reason in fault for fault in faults)
                key = {"tries": tries, "kind": kind, "reason": reason.value}
                yield key | {"count": count, "with_fault": with_fault, "remaining": remaining}


def _count_attempts(answers: Path, items: pd.DataFrame) -> Iterator[dict[str, Any]]:
    asked = read_rows(answers, ["attempt", "asked", "answer", "prompt_tokens", "completion_tokens"]).to_pandas()
    for attempt, some in asked.groupby("attempt"):
        reasons = items.loc[items["attempt"] == attempt, "reasons"]
        yield {
            "attempt": attempt,
            "requests": len(some),
            "answers": int(some["answer"].notna().sum()),
            "words_asked": int(some["asked"].map(len).sum()),
            "prompt_tokens": int(some["prompt_tokens"].sum()),
            "completion_tokens": int(some["completion_tokens"].sum()),
            "sentences_or_none": len(reasons),
            "passed": int((reasons == "").sum()),
        }


def measure_agreement(sample_keys: list[Path], annotations: list[Path], names: list[str]) -> Iterator[Table]:
    """Compare annotators with our labels and with each other; `names` are the samples of the `sample_keys`.

    `agreement`: Cohen's kappa of each annotator with our labels, their mean, and Krippendorff's alpha among annotators.
    `agreement_levels`: the number of sentences that all, some or none of their annotators label as we do (Table VI).
    `agreement_sentences`: these sentences. Sentences without a label are counted and excluded.
    """
    samples = {
        name: pd.read_csv(path, dtype=str, keep_default_na=False).set_index("id")
        for name, path in zip(names, sample_keys, strict=True)
    }
    labels: dict[str, dict[str, pd.Series]] = {}
    for path in annotations:
        name, given = read_annotation(path, samples)
        annotators = labels.setdefault(name, {})
        if path.stem in annotators:
            raise InputError(f"{path}: the sample has another file of this name; rename one of them")
        annotators[path.stem] = given
    rows, sentences = [], []
    for name, annotators in labels.items():
        rows += _measure_sample(name, samples[name], pd.DataFrame(annotators))
        sentences.append(_classify_levels(name, samples[name], pd.DataFrame(annotators)))
    columns = ["sample", "annotator", "sentences", "labelled", "missing_labels", "cohen_kappa", "krippendorff_alpha"]
    yield Table("agreement", pd.DataFrame(rows, columns=columns))
    by_sentence = pd.concat(sentences)
    counted = by_sentence.groupby(["sample", "level"], sort=False)["kind"].value_counts().unstack(fill_value=0)
    full = pd.MultiIndex.from_product([list(labels), LEVELS], names=["sample", "level"])
    counted = counted.reindex(index=full, columns=list(KINDS), fill_value=0)
    counted.insert(0, "sentences", counted.sum(axis=1))
    yield Table("agreement_levels", counted.reset_index())
    yield Table("agreement_sentences", by_sentence)


def read_annotation(path: Path, samples: dict[str, pd.DataFrame]) -> tuple[str, pd.Series]:
    """Read the name of the sample that a file is about, and its labels by sentence, NaN for missing ones.

    The file needs the columns `id` and `label`, and a row for each sentence of the sample. Raises `InputError` with the
    file and the line otherwise.
    """
    found: dict[str, float | str] = {}
    name = ""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if not {"id", "label"} <= set(reader.fieldnames or []):
                raise InputError(f"{path}: needs the columns id and label, as the sample has; not {reader.fieldnames}")
            for row in reader:
                where, id_, label = f"{path}, line {reader.line_num}", row["id"], (row["label"] or "").strip().lower()
                name = name or next((name for name, key in samples.items() if id_ in key.index), "")
                if not name:
                    raise InputError(f"{where}: id {id_!r} is in none of the samples ({', '.join(samples)})")
                if id_ not in samples[name].index:
                    raise InputError(f"{where}: id {id_!r} is no sentence of the sample {name}")
                if id_ in found:
                    raise InputError(f"{where}: id {id_!r} is a duplicate; keep one row")
                if label and label not in LABELS:
                    raise InputError(f"{where}: label {label!r} is neither {' nor '.join(LABELS)} nor empty")
                found[id_] = label or np.nan
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; see stereotypes.annotations") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not valid UTF-8; save the file as UTF-8") from None
    if not found:
        raise InputError(f"{path}: has no rows; give the sample's, with labels")
    if missing := [id_ for id_ in samples[name].index if id_ not in found]:
        raise InputError(
            f"{path}: has no row for {len(missing)} sentences of {name}: {', '.join(missing[:5])}"
            f"{', …' if len(missing) > 5 else ''}; put them back, with an empty label if there is none"
        )
    return name, pd.Series(found, dtype=object).reindex(samples[name].index)


def _measure_sample(name: str, key: pd.DataFrame, given: pd.DataFrame) -> list[dict[str, Any]]:
    from sklearn.metrics import cohen_kappa_score

    def count(annotator: str, labels: pd.DataFrame) -> dict[str, Any]:
        labelled = int(labels.notna().to_numpy().sum())
        sizes = {"sentences": len(labels), "labelled": labelled, "missing_labels": labels.size - labelled}
        return {"sample": name, "annotator": annotator} | sizes

    rows = []
    for annotator, labels in given.items():
        has = labels.notna()
        kappa = cohen_kappa_score(key["label"][has], labels[has]) if has.any() else np.nan
        rows.append(count(annotator, given[[annotator]]) | {"cohen_kappa": kappa})
    mean = float(np.mean([row["cohen_kappa"] for row in rows]))
    together = count(ALL_ANNOTATORS, given) | {"cohen_kappa": mean, "krippendorff_alpha": krippendorff_alpha(given)}
    return [*rows, together]


def krippendorff_alpha(given: pd.DataFrame) -> float:
    """Compute Krippendorff's alpha (nominal) from a column of labels per annotator; NaN if it is undefined."""
    import krippendorff

    # Agreement requires sentences with at least two labels, and labels that are not all the same.
    pairable = given[given.notna().sum(axis=1) > 1]
    if pairable.stack().nunique() < 2:
        return np.nan
    codes = given.apply(lambda column: column.map({label: place for place, label in enumerate(LABELS)}))
    return float(krippendorff.alpha(codes.astype(float).to_numpy().T, level_of_measurement="nominal"))


def _classify_levels(name: str, key: pd.DataFrame, given: pd.DataFrame) -> pd.DataFrame:
    labelled = given.notna().sum(axis=1)
    right = given.eq(key["label"], axis=0).sum(axis=1)
    level = np.select(
        [labelled == 0, right == labelled, right > 0], [LEVELS[3], LEVELS[0], LEVELS[1]], default=LEVELS[2]
    )
    columns = {"sample": name, "id": key.index, "level": level, "labelled": labelled, "right": right}
    return pd.DataFrame(columns, index=key.index).join(key[["kind", "label", "word", "text"]]).reset_index(drop=True)


def tabulate_classification(
    predictions: list[Path], classified: list[list[Any]], bootstrap: Bootstrap
) -> Iterator[Table]:
    """Tabulate the predictions of each of `classified` (lexicon, generator, set, procedure, classifier): Table VII."""
    index = pd.DataFrame(classified, columns=["lexicon", "generator", "set", "procedure", "classifier"])
    frames = [read_predictions(path) for path in predictions]
    by_set = [measure(count_cells([frame]).sum((0, 1))) for frame in frames]
    sizes = index.assign(sentences=list(map(len, frames)))
    yield Table("classification_by_set", pd.concat([sizes, pd.DataFrame(by_set, columns=MEASURES)], axis=1))
    rows = []
    for key, places in index.groupby(KEY, sort=False).groups.items():
        sets = [frames[place] for place in places if len(frames[place])]
        numbers = {"sets": len(sets), "sets_too_small": len(places) - len(sets), "sentences": sum(map(len, sets))}
        generator = random_generator(bootstrap.seed, "classification", *key)
        rows.append(
            dict(zip(KEY, key, strict=True)) | numbers | (summarise(sets, bootstrap, generator) if sets else {})
        )
    columns = [*KEY, "sets", "sets_too_small", "sentences", *_columns_of(MEASURES, "", "_sd", "_low", "_high"), *RATES]
    table = pd.DataFrame(rows, columns=columns)
    # A column per dataset, as the paper prints it.
    shown = {("", "", "Dataset"): list(TITLES.values())}
    for row in table.to_dict("records"):
        head = (f"{row['lexicon']}, {row['generator']}", row["procedure"], row["classifier"])
        shown[head] = [_show_spread(row[name], row[f"{name}_sd"]) for name in MEASURES]
    yield Table("classification", table, printed=pd.DataFrame(shown))


def tabulate_human_text(
    pairs: Path,
    person_nouns: Path,
    polarity_words: Path,
    predictions: list[Path],
    experiments: list[list[str]],
    bootstrap: Bootstrap,
) -> Iterator[Table]:
    """Tabulate human-written sentences, and the scores on them of each of `experiments` (trained_on, classifier).

    Intervals resample pairs.
    """
    yield Table("human_text/sentences", read_human_sentences(pairs, person_nouns, polarity_words))
    yield tabulate_human_scores(predictions, experiments, bootstrap)


def tabulate_human_scores(predictions: list[Path], experiments: list[list[str]], bootstrap: Bootstrap) -> Table:
    """Tabulate the scores on human-written sentences, by the data to train on and the classifier."""
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
    columns = ["trained_on", "classifier", "sentences", *GENDERS, *_columns_of(MEASURES, "", "_low", "_high"), *RATES]
    table = pd.DataFrame(rows, columns=columns)
    shown = {
        name: [
            "--" if pd.isna(value) else f"{value:.1f} ({show_interval(low, high, 1)})"
            for value, low, high in table[_columns_of([name], "", "_low", "_high")].to_numpy()
        ]
        for name in MEASURES
    }
    return Table(
        "human_text",
        table,
        {"trained_on": "trained on", "classifier": "classifier"} | TITLES,
        printed=table.assign(**shown),
        of=f"{100 * bootstrap.confidence_level:.0f}% intervals",
    )


def _columns_of(names: list[str], *endings: str) -> list[str]:
    return [name + ending for name in names for ending in endings]


def _show_spread(mean: float, deviation: float) -> str:
    if np.isnan(mean):
        return "--"
    return f"{mean:.1f}" if np.isnan(deviation) else f"{mean:.1f} ± {deviation:.1f}"


def read_predictions(path: Path) -> pd.DataFrame:
    """Read predictions as `textparity_studies.stereotypes.classification` writes them."""
    return pd.read_csv(path, dtype={"id": str, "group": str})


def summarise(sets: list[pd.DataFrame], bootstrap: Bootstrap, generator: np.random.Generator) -> dict[str, float]:
    """Compute each measure's mean, standard deviation over sets and bootstrap interval, and the rates behind the gaps.

    It is the sample standard deviation, NaN for one set. The folds of a set are pooled.
    """
    cells = count_cells(sets)
    by_set = measure(cells.sum(0))
    deviations = by_set.std(axis=0, ddof=1) if len(sets) > 1 else np.full(len(MEASURES), np.nan)
    found: dict[str, float] = {}
    for name, deviation, mean in zip(MEASURES, deviations, resample_groups(cells, bootstrap, generator), strict=True):
        found |= mean.columns(name) | {f"{name}_sd": deviation}
    return found | dict(zip(RATES, measure_rates(cells.sum(0)).mean(0), strict=True))


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


def resample_groups(cells: np.ndarray, bootstrap: Bootstrap, generator: np.random.Generator) -> list[Estimate]:
    """Bootstrap the interval of each measure's mean over sets, resampling groups (words, pairs) as a whole.

    The interval is undefined if the measure is undefined in some resample, or if there are fewer than `MINIMUM_UNITS`
    groups.
    """

    def means(sums: np.ndarray) -> np.ndarray:
        return measure(sums).mean(axis=1)

    return bootstrap_statistic(means, cells, bootstrap, generator)
