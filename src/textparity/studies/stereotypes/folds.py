"""How sentences are split for cross-validation (Soundararajan 2023, §IV).

`published`: five folds stratified by label, and of each training part 80 : 20, stratified, for the hyperparameters.
Each lexicon word is then in training and test at once. `corrected`: sentences of one lexicon word (and near-copies of
them) stay together, and a sentence that shares any other lexicon word with the test part is left out of training.
"""

from collections import Counter
from dataclasses import dataclass
from functools import reduce

import numpy as np

from textparity.measures.statistics import random_generator

FOLDS = 5
# Of the words and pairs of neighbouring words that two texts have, the share in common that makes them near-copies.
NEAR_COPY = 0.7


@dataclass(frozen=True)
class Split:
    """One fold: places of sentences to fit, to choose hyperparameters by, and to test; and how many fit nowhere."""

    fold: int
    training: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    left_out: int = 0


def group_sentences(keys: list[str], texts: list[str]) -> np.ndarray:
    """Return the group of each sentence, from 0: those with the same key, and near-copies of any of them."""
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
    """Return why these sentences cannot be split into folds, or an empty string."""
    counts = Counter(labels.tolist())
    for label in (True, False):
        have = counts[label] if procedure == "published" else len(set(groups[labels == label].tolist()))
        if have < FOLDS:
            what = "sentences" if procedure == "published" else "groups of sentences"
            return f"{have} {what} are {'consistent' if label else 'contradictory'}; {FOLDS} folds need {FOLDS}"
    return ""


def split_published(labels: np.ndarray, seed: int, *names: str) -> list[Split]:
    """Return the paper's folds: stratified by label, whatever words the sentences share."""
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=_state(seed, *names))
    return [
        Split(fold, *hold_out(training, labels, None, None, seed, *names, str(fold))[:2], test)
        for fold, (training, test) in enumerate(folds.split(labels, labels))
    ]


def split_corrected(
    labels: np.ndarray, groups: np.ndarray, words: list[frozenset[str]], seed: int, *names: str
) -> list[Split]:
    """Return folds stratified as well as groups allow, with no group and no word in training and test at once."""
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
    """Return 80 % of `places` to fit and 20 % to choose hyperparameters by, and how many fit in neither.

    Stratified by label; with `groups`, no group and no word is in both, and where they are too few both are empty.
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
    """Return what scikit-learn takes as a seed, from the project's own generator."""
    return int(random_generator(seed, *names).integers(2**32))
