"""Classifying sentences as consistent with gender stereotypes or contradictory: by folds, and from models to people."""

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.measures.procedures import PROCEDURES
from textparity.measures.statistics import random_generator
from textparity.report.tables import write_csv
from textparity.studies.stereotypes.classifier_rows import ClassifierRow
from textparity.studies.stereotypes.classifiers import Outcome, load_classifier
from textparity.studies.stereotypes.folds import (
    Split,
    group_sentences,
    hold_out,
    split_corrected,
    split_published,
    too_few,
)
from textparity.studies.stereotypes.sentences import CONSISTENT, CONTRADICTORY, read_first_attempts, read_generated

log = logging.getLogger(__name__)

PREDICTION_COLUMNS = ["id", "group", "fold", "label", "predicted", "gender", "probability"]
FOLD_COLUMNS = ["fold", "training", "validation", "test", "left_out", "chosen", "validation_accuracy", "reason"]


def classify_sentences(
    sentences: Path,
    all_sentences: Path,
    predictions: list[Path],
    folds: list[Path],
    classifier: dict[str, Any],
    name: str,
    seed: int,
) -> None:
    """Classify one set by each of `PROCEDURES`; see `classify_by_folds`."""
    sources = all_sentences, sentences
    for procedure, source, made, chosen in zip(PROCEDURES, sources, predictions, folds, strict=True):
        classify_by_folds(source, made, chosen, classifier, procedure, name, seed)


def classify_by_folds(
    sentences: Path, predictions: Path, folds: Path, classifier: dict[str, Any], procedure: str, name: str, seed: int
) -> None:
    """Classify each generated sentence of one set in the fold that tests it (§IV).

    `predictions` has a row a sentence: the probability is that of `consistent`, `group` the first of the lexicon words
    that stand for sentences kept together. `folds` says what was chosen in each; where sentences are too few for folds,
    why. `name` is of the set: all classifiers get the same folds of it. `published` takes all of the first attempt, as
    the paper checks none; `corrected` takes those that pass the checks.
    """
    is_published = procedure == "published"
    frame = read_first_attempts(sentences) if is_published else read_generated(sentences)
    # Without a word of the lexicon, a sentence stands for itself.
    groups, names = _groups(frame["word"].where(frame["word"] != "", frame["id"]), frame["text"])
    labels = (frame["label"] == CONSISTENT).to_numpy()
    words = [frozenset(found.split()) for found in frame["words"]]
    if reason := too_few(labels, groups, procedure):
        _write_nothing(predictions, folds, f"{sentences}: {reason}")
        return
    splits = (
        split_published(labels, seed, name, procedure)
        if is_published
        else split_corrected(labels, groups, words, seed, name, procedure)
    )
    _cross_validate(frame, labels, names, splits, classifier, seed, predictions, folds)


def classify_within(frame: pd.DataFrame, predictions: Path, folds: Path, classifier: dict[str, Any], seed: int) -> None:
    """Classify each sentence that people wrote in the fold that tests it; both of a pair are in the same fold."""
    groups, names = _groups(frame["pair"], frame["text"])
    labels = (frame["label"] == CONSISTENT).to_numpy()
    if reason := too_few(labels, groups, "corrected"):
        _write_nothing(predictions, folds, f"pairs that people wrote: {reason}")
        return
    splits = split_corrected(labels, groups, [frozenset()] * len(frame), seed, "human text")
    _cross_validate(frame, labels, names, splits, classifier, seed, predictions, folds)


def classify_across(
    training: list[Path],
    asked: pd.DataFrame,
    predictions: Path,
    folds: Path,
    classifier: dict[str, Any],
    name: str,
    seed: int,
) -> None:
    """Learn from all sets of generated sentences, and classify those that people wrote."""
    learnt = pd.concat([read_generated(path) for path in training], ignore_index=True)
    labels = (learnt["label"] == CONSISTENT).to_numpy()
    groups, _ = _groups(learnt["word"], learnt["text"])
    if reason := too_few(labels, groups, "corrected"):
        _write_nothing(predictions, folds, f"{', '.join(map(str, training))}: {reason}")
        return
    words = [frozenset(found.split()) for found in learnt["words"]]
    fitted, held, left_out = hold_out(np.arange(len(learnt)), labels, groups, words, seed, name, "across")
    split = Split(0, fitted, held, len(learnt) + np.arange(len(asked)), left_out)
    both = pd.concat([learnt, asked], ignore_index=True)
    both_labels = (both["label"] == CONSISTENT).to_numpy()
    names = np.concatenate([learnt["word"], _groups(asked["pair"], asked["text"])[1]])
    _cross_validate(both, both_labels, names, [split], classifier, seed, predictions, folds)


def _groups(keys: pd.Series, texts: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each sentence's group, and the first key of that group."""
    if keys.empty:
        return np.empty(0, dtype=int), keys.to_numpy()
    groups = group_sentences(keys.tolist(), texts.tolist())
    return groups, keys.groupby(groups).transform("min").to_numpy()


def _cross_validate(
    frame: pd.DataFrame,
    labels: np.ndarray,
    groups: np.ndarray,
    splits: list[Split],
    classifier: dict[str, Any],
    seed: int,
    predictions: Path,
    folds: Path,
) -> None:
    model = load_classifier(ClassifierRow(**classifier))
    texts = frame["text"].tolist()
    rows, chosen = [], []
    for split in splits:
        state = int(random_generator(seed, classifier["name"], str(split.fold)).integers(2**31))
        if reason := _unfit(labels, split):
            chosen.append({"fold": split.fold, "reason": reason})
            log.warning("fold %d: %s", split.fold, reason)
            continue
        outcome = model.classify(texts, labels, split, state)
        log.debug("fold %d: %s", split.fold, outcome.chosen)
        rows.append(_predictions(frame, groups, split, outcome))
        chosen.append(_choice(split, outcome))
    # A set counts whole, or not at all.
    complete = len(rows) == len(splits)
    found = pd.concat(rows).sort_values("id") if complete else pd.DataFrame(columns=PREDICTION_COLUMNS)
    write_csv(found, predictions)
    write_csv(pd.DataFrame(chosen, columns=FOLD_COLUMNS), folds)


def _unfit(labels: np.ndarray, split: Split) -> str:
    if not len(split.training) or not len(split.validation):
        return "too few sentences are left for training: others share a word with the test part"
    return "" if len(set(labels[split.training])) == 2 else "all sentences left for training have one label"


def _predictions(frame: pd.DataFrame, groups: np.ndarray, split: Split, outcome: Outcome) -> pd.DataFrame:
    tested = frame.iloc[split.test]
    return pd.DataFrame(
        {
            "id": tested["id"],
            "group": groups[split.test],
            "fold": split.fold,
            "label": tested["label"],
            "predicted": np.where(outcome.probabilities >= 0.5, CONSISTENT, CONTRADICTORY),
            "gender": tested["gender"],
            "probability": outcome.probabilities,
        },
        columns=PREDICTION_COLUMNS,
    )


def _choice(split: Split, outcome: Outcome) -> dict[str, object]:
    sizes = {part: len(getattr(split, part)) for part in ("training", "validation", "test")}
    return (
        {"fold": split.fold}
        | sizes
        | {
            "left_out": split.left_out,
            "chosen": json.dumps(outcome.chosen),
            "validation_accuracy": outcome.validation_accuracy,
        }
    )


def _write_nothing(predictions: Path, folds: Path, reason: str) -> None:
    log.warning("not classified: %s", reason)
    write_csv(pd.DataFrame(columns=PREDICTION_COLUMNS), predictions)
    write_csv(pd.DataFrame([{"reason": reason}], columns=FOLD_COLUMNS), folds)
