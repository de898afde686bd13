"""Draw a sample of generated sentences for annotators, and measure agreement (Soundararajan 2023, §IV, Table VI)."""

import csv
import logging
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.counting.statistics import random_generator
from textparity.errors import InputError
from textparity.tables import write_csv
from textparity_studies.stereotypes.sentences import KINDS, LABELS, read_generated

log = logging.getLogger(__name__)

LEVELS = ("complete", "partial", "none", "not labelled")
_KEY = ["id", "set", "sentence", "kind", "label", "gender", "word", "text"]
_ALL = "all annotators"


def export_sample(sentences: list[Path], sample: Path, key: Path, name: str, size: int, seed: int) -> None:
    """Draw sentences for annotators with labels balanced and, within a label, kinds balanced as far as possible.

    `sample` has the columns id, text and an empty label. Nothing in it reveals our labels, which are in `key`. A text
    that occurs in several sets is drawn at most once.
    """
    frames = [read_generated(path).assign(set=str(number)) for number, path in enumerate(sentences, start=1)]
    pool = pd.concat(frames, ignore_index=True).rename(columns={"id": "sentence"}).drop_duplicates("text")
    # The generator's own ids may reveal the kind.
    pool.insert(0, "id", [blake2b(text.encode(), digest_size=5).hexdigest() for text in pool["text"]])
    generator = random_generator(seed, "sample for annotators", name)
    pool = pool.iloc[generator.permutation(len(pool))]
    wanted = _quotas(pool["kind"].value_counts().to_dict(), size)
    drawn = pd.concat([pool[pool["kind"] == kind].head(count) for kind, count in wanted.items()])
    if len(drawn) < size:
        log.warning("%s: %d sentences can be drawn, not %d, with as many of each label", name, len(drawn), size)
    # Shuffle again, so that the order reveals nothing.
    drawn = drawn.iloc[generator.permutation(len(drawn))]
    write_csv(drawn[["id", "text"]].assign(label=""), sample)
    write_csv(drawn[_KEY], key)


def _quotas(available: dict[str, int], size: int) -> dict[str, int]:
    """Compute the number to draw of each kind: labels balanced, and kinds within a label as far as there are enough."""
    kinds = {label: [kind for kind, its in KINDS.items() if its.label == label] for label in LABELS}
    of_label = min([size // 2, *(sum(available.get(kind, 0) for kind in these) for these in kinds.values())])
    quotas: dict[str, int] = {}
    for label, (first, second) in kinds.items():
        # The odd sentence is about men for one label, and about women for the other.
        half = of_label - of_label // 2 if label == LABELS[0] else of_label // 2
        count = min(half, available.get(first, 0))
        other = min(of_label - count, available.get(second, 0))
        quotas |= {first: min(of_label - other, available.get(first, 0)), second: other}
    return quotas


def measure_agreement(
    key_files: list[Path],
    annotations: list[Path],
    agreement_csv: Path,
    agreement_levels_csv: Path,
    agreement_sentences_csv: Path,
    names: list[str],
) -> None:
    """Compare annotators with our labels and with each other; `names` are the samples of the `key_files`.

    `agreement_csv`: Cohen's kappa of each annotator with our labels, their mean, and Krippendorff's alpha among
    annotators. `agreement_levels_csv`: the number of sentences that all, some or none of their annotators label as we
    do (Table VI). `agreement_sentences_csv`: these sentences. Sentences without a label are counted and excluded.
    """
    samples = {
        name: pd.read_csv(path, dtype=str, keep_default_na=False).set_index("id")
        for name, path in zip(names, key_files, strict=True)
    }
    given: dict[str, dict[str, pd.Series]] = {}
    for path in annotations:
        name, labels = read_annotation(path, samples)
        annotators = given.setdefault(name, {})
        if path.stem in annotators:
            raise InputError(f"{path}: the sample has another file of this name; rename one of them")
        annotators[path.stem] = labels
    rows, sentences = [], []
    for name, annotators in given.items():
        rows += _agreement_rows(name, samples[name], pd.DataFrame(annotators))
        sentences.append(_sentence_levels(name, samples[name], pd.DataFrame(annotators)))
    columns = ["sample", "annotator", "sentences", "labelled", "missing_labels", "cohen_kappa", "krippendorff_alpha"]
    write_csv(pd.DataFrame(rows, columns=columns), agreement_csv)
    by_sentence = pd.concat(sentences)
    counted = by_sentence.groupby(["sample", "level"], sort=False)["kind"].value_counts().unstack(fill_value=0)
    full = pd.MultiIndex.from_product([list(given), LEVELS], names=["sample", "level"])
    counted = counted.reindex(index=full, columns=list(KINDS), fill_value=0)
    counted.insert(0, "sentences", counted.sum(axis=1))
    write_csv(counted.reset_index(), agreement_levels_csv)
    write_csv(by_sentence, agreement_sentences_csv)


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
                if not name or id_ not in samples[name].index:
                    of = f"the sample {name}" if name else f"none of the samples ({', '.join(samples)})"
                    raise InputError(f"{where}: id {id_!r} is of {'no sentence of ' if name else ''}{of}")
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


def _agreement_rows(name: str, key: pd.DataFrame, given: pd.DataFrame) -> list[dict[str, Any]]:
    from sklearn.metrics import cohen_kappa_score

    rows = []
    for annotator, labels in given.items():
        has = labels.notna()
        kappa = cohen_kappa_score(key["label"][has], labels[has]) if has.any() else np.nan
        rows.append(_counts(name, annotator, given[[annotator]]) | {"cohen_kappa": kappa})
    mean = float(np.mean([row["cohen_kappa"] for row in rows]))
    alpha = krippendorff_alpha(given)
    return [*rows, _counts(name, _ALL, given) | {"cohen_kappa": mean, "krippendorff_alpha": alpha}]


def _counts(name: str, annotator: str, given: pd.DataFrame) -> dict[str, Any]:
    labelled = int(given.notna().to_numpy().sum())
    return {
        "sample": name,
        "annotator": annotator,
        "sentences": len(given),
        "labelled": labelled,
        "missing_labels": given.size - labelled,
    }


def krippendorff_alpha(given: pd.DataFrame) -> float:
    """Compute Krippendorff's alpha (nominal) from a column of labels per annotator; NaN if it is undefined."""
    import krippendorff

    # Agreement requires sentences with at least two labels, and labels that are not all the same.
    pairable = given[given.notna().sum(axis=1) > 1]
    if pd.unique(pairable.to_numpy().ravel()[pairable.notna().to_numpy().ravel()]).size < 2:
        return np.nan
    codes = given.apply(lambda column: column.map({label: place for place, label in enumerate(LABELS)}))
    return float(krippendorff.alpha(codes.astype(float).to_numpy().T, level_of_measurement="nominal"))


def _sentence_levels(name: str, key: pd.DataFrame, given: pd.DataFrame) -> pd.DataFrame:
    labelled = given.notna().sum(axis=1)
    right = given.eq(key["label"], axis=0).sum(axis=1)
    level = np.select(
        [labelled == 0, right == labelled, right > 0], [LEVELS[3], LEVELS[0], LEVELS[1]], default=LEVELS[2]
    )
    columns = {"sample": name, "id": key.index, "level": level, "labelled": labelled, "right": right}
    return pd.DataFrame(columns, index=key.index).join(key[["kind", "label", "word", "text"]]).reset_index(drop=True)
