"""Classify sentences as consistent with gender stereotypes or contradictory (Soundararajan 2023, §IV).

`published`: five folds stratified by label, with each training part split 80 : 20, stratified, for the hyperparameters.
Each lexicon word is then in training and test at once. `corrected`: sentences of one lexicon word (and near-copies of
them) stay together, and a sentence that shares any other lexicon word with the test part is excluded from training.
"""

import json
import logging
from collections import Counter
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import random_generator
from textparity.tables import write_csv
from textparity_studies.stereotypes.classifier_rows import ClassifierRow
from textparity_studies.stereotypes.classifiers import Outcome, Split, load_classifier
from textparity_studies.stereotypes.sentences import CONSISTENT, CONTRADICTORY, read_first_attempts, read_generated

FOLDS = 5
# Two texts are near-copies if they share at least this part of their distinct words and pairs of neighbouring words.
NEAR_COPY = 0.7
log = logging.getLogger(__name__)
PREDICTION_COLUMNS = ["id", "group", "fold", "label", "predicted", "gender", "probability"]
FOLD_COLUMNS = ["fold", "training", "validation", "test", "left_out", "chosen", "validation_accuracy", "reason"]


def group_sentences(keys: list[str], texts: list[str]) -> np.ndarray:
    """Number the groups of sentences, from 0: those with the same key, and near-copies of any of them."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from sklearn.feature_extraction.text import CountVectorizer

    by_key = np.unique(keys, return_inverse=True)[1]
    features = CountVectorizer(binary=True, ngram_range=(1, 2), token_pattern=r"\w+", dtype=np.int32)
    shared = (found := features.fit_transform(texts)) @ found.T
    sizes = shared.diagonal()
    pairs = shared.tocoo()
    either = sizes[pairs.row] + sizes[pairs.col] - pairs.data
    near = pairs.data >= NEAR_COPY * either
    edges = (np.ones(near.sum()), (by_key[pairs.row[near]], by_key[pairs.col[near]]))
    keys_together = coo_array(edges, shape=(by_key.max() + 1,) * 2)
    return connected_components(keys_together, directed=False)[1][by_key]


def too_few(labels: np.ndarray, groups: np.ndarray, procedure: str) -> str:
    """Explain why these sentences cannot be split into folds, or return an empty string."""
    counts = Counter(labels.tolist())
    for label in (True, False):
        have = counts[label] if procedure == "published" else len(set(groups[labels == label].tolist()))
        if have < FOLDS:
            what = "sentences" if procedure == "published" else "groups of sentences"
            return f"{have} {what} are {'consistent' if label else 'contradictory'}; {FOLDS} folds need {FOLDS}"
    return ""


def split_published(labels: np.ndarray, seed: int, *names: str) -> list[Split]:
    """Split as the paper does: folds stratified by label, whatever words the sentences share."""
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=_state(seed, *names))
    return [
        Split(fold, *hold_out(training, labels, None, None, seed, *names, str(fold))[:2], test)
        for fold, (training, test) in enumerate(folds.split(labels, labels))
    ]


def split_corrected(
    labels: np.ndarray, groups: np.ndarray, words: list[frozenset[str]], seed: int, *names: str
) -> list[Split]:
    """Split into folds stratified as well as groups allow, with no group and no word in both training and test."""
    from sklearn.model_selection import StratifiedGroupKFold

    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=_state(seed, *names))
    splits = []
    for fold, (others, test) in enumerate(folds.split(labels, labels, groups)):
        kept = _without_words_of(test, others, words)
        training, validation, left_out = hold_out(kept, labels, groups, words, seed, *names, str(fold))
        splits.append(Split(fold, training, validation, test, len(others) - len(kept) + left_out))
    return splits


def hold_out(
    places: np.ndarray,
    labels: np.ndarray,
    groups: np.ndarray | None,
    words: list[frozenset[str]] | None,
    seed: int,
    *names: str,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Split `places` into 80 % for fitting and 20 % for choosing hyperparameters; count those that fit in neither.

    The split is stratified by label. With `groups`, no group and no word is in both parts; with too few groups, both
    are empty.
    """
    from sklearn.model_selection import StratifiedGroupKFold, train_test_split

    state = _state(seed, *names, "validation")
    if groups is None or words is None:
        training, validation = train_test_split(
            places, test_size=1 / FOLDS, stratify=labels[places], random_state=state
        )
        return training, validation, 0
    if too_few(labels[places], groups[places], "corrected"):
        nothing = np.empty(0, dtype=int)
        return nothing, nothing, len(places)
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=state)
    inside, held = next(folds.split(places, labels[places], groups[places]))
    training = _without_words_of(places[held], places[inside], words)
    return training, places[held], len(inside) - len(training)


def _without_words_of(test: np.ndarray, places: np.ndarray, words: list[frozenset[str]]) -> np.ndarray:
    taken: frozenset[str] = reduce(frozenset.union, (words[place] for place in test), frozenset())
    return np.array([place for place in places if taken.isdisjoint(words[place])], dtype=int)


def _state(seed: int, *names: str) -> int:
    """Derive a seed for scikit-learn from the project's own generator."""
    return int(random_generator(seed, *names).integers(2**32))


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

    `predictions` has a row per sentence: the probability is that of `consistent`, and `group` is the first lexicon word
    of the sentences that are kept together. `folds` has the choices made in each fold, or the reason why the sentences
    are too few for folds. `name` identifies the set: all classifiers get the same folds of it. `published` takes every
    sentence of the first attempt, because the paper checks none; `corrected` takes those that pass the checks.
    """
    is_published = procedure == "published"
    frame = read_first_attempts(sentences) if is_published else read_generated(sentences)
    # A sentence without a word of the lexicon is a key of its own.
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
    """Classify each human-written sentence in the fold that tests it; both sentences of a pair are in the same fold."""
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
    """Train on all sets of generated sentences, and classify the human-written ones."""
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
    """Number each sentence's group, and return the first key of that group."""
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
    # A set counts only as a whole.
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
    found = {"chosen": json.dumps(outcome.chosen), "validation_accuracy": outcome.validation_accuracy}
    return {"fold": split.fold} | sizes | {"left_out": split.left_out} | found


def _write_nothing(predictions: Path, folds: Path, reason: str) -> None:
    log.warning("not classified: %s", reason)
    write_csv(pd.DataFrame(columns=PREDICTION_COLUMNS), predictions)
    write_csv(pd.DataFrame([{"reason": reason}], columns=FOLD_COLUMNS), folds)
