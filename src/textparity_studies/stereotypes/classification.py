"""Classify sentences as consistent with gender stereotypes or contradictory (Soundararajan 2023, §IV).

`published`: five folds stratified by label, with each training part split 80 : 20, stratified, for the hyperparameters.
Each lexicon word is then in training and test at once. `corrected`: sentences of one lexicon word (and near-copies of
them) stay together, and a sentence that shares any other lexicon word with the test part is excluded from training.

Human-written stereotypes are the gender pairs of CrowS-Pairs (Nangia 2020). In each pair, `sent_more` is the more
stereotypical sentence, whatever the pair's direction (its authors' README). A "stereo" pair begins from a sentence that
demonstrates a stereotype of a disadvantaged group. An "antistereo" pair begins from one that violates it, which is then
`sent_less`. The person's gender is that of the words by which the two sentences differ, or else of all words: person
nouns, pronouns, and then first names.
"""

import json
import logging
import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.counting.lexicon import read_lexicon
from textparity.errors import InputError
from textparity.estimating.seeds import random_generator
from textparity.tables import write_csv
from textparity_studies.measures.gender_ratios import read_polarity_words
from textparity_studies.stereotypes.classifiers import ClassifierRow, Split, load_classifier
from textparity_studies.stereotypes.sentences import (
    CONSISTENT,
    CONTRADICTORY,
    FEMININE,
    MASCULINE,
    UNDETERMINED,
    read_first_attempts,
    read_generated,
)

FOLDS = 5
# Two texts are near-copies if they share at least this part of their distinct words and pairs of neighbouring words.
NEAR_COPY = 0.7
log = logging.getLogger(__name__)
PREDICTION_COLUMNS = ["id", "group", "fold", "label", "predicted", "gender", "probability"]
PAIR_COLUMNS = ["sent_more", "sent_less", "stereo_antistereo", "bias_type"]
DIRECTIONS = ("stereo", "antistereo")
_WORD = re.compile(r"[^\W\d_]+")
_NAME_GENDERS = {"male": MASCULINE, "mostly_male": MASCULINE, "female": FEMININE, "mostly_female": FEMININE}
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
    taken = frozenset().union(*(words[place] for place in test))
    return np.array([place for place in places if taken.isdisjoint(words[place])], dtype=int)


def _state(seed: int, *names: str) -> int:
    """Derive a seed for scikit-learn from the project's own generator."""
    return int(random_generator(seed, *names).integers(2**32))


@dataclass(frozen=True)
class ClassificationJob:
    """A classifier (a row of the table) with a seed, and the files of its predictions and of the choices in its folds.

    `predictions` has a row per sentence: the probability is that of `consistent`, and `group` is the first lexicon word
    of the sentences that are kept together. `folds` has the choices made in each fold, or the reason why the sentences
    are too few for folds.
    """

    classifier: dict[str, Any]
    seed: int
    predictions: Path
    folds: Path

    def cross_validate(self, frame: pd.DataFrame, groups: np.ndarray, splits: list[Split]) -> None:
        """Classify the test part of each split; `groups` names the group of each sentence."""
        model = load_classifier(ClassifierRow(**self.classifier))
        texts, labels = frame["text"].tolist(), _is_consistent(frame)
        found, choices = [], []
        for split in splits:
            if reason := _why_unfit(labels, split):
                choices.append({"fold": split.fold, "reason": reason})
                log.warning("fold %d: %s", split.fold, reason)
                continue
            state = int(random_generator(self.seed, self.classifier["name"], str(split.fold)).integers(2**31))
            outcome = model.classify(texts, labels, split, state)
            log.debug("fold %d: %s", split.fold, outcome.chosen)
            found.append(
                frame.iloc[split.test].assign(
                    group=groups[split.test],
                    fold=split.fold,
                    predicted=np.where(outcome.probabilities >= 0.5, CONSISTENT, CONTRADICTORY),
                    probability=outcome.probabilities,
                )[PREDICTION_COLUMNS]
            )
            sizes = {part: len(getattr(split, part)) for part in ("training", "validation", "test")}
            chosen = {"chosen": json.dumps(outcome.chosen), "validation_accuracy": outcome.validation_accuracy}
            choices.append({"fold": split.fold} | sizes | {"left_out": split.left_out} | chosen)
        # A set counts only as a whole.
        self._write(found if len(found) == len(splits) else [], choices)

    def write_reason(self, reason: str) -> None:
        """Write no predictions, and the reason why there are none."""
        log.warning("not classified: %s", reason)
        self._write([], [{"reason": reason}])

    def _write(self, found: list[pd.DataFrame], choices: list[dict[str, Any]]) -> None:
        empty = pd.DataFrame(columns=PREDICTION_COLUMNS)
        write_csv(pd.concat(found).sort_values("id") if found else empty, self.predictions)
        write_csv(pd.DataFrame(choices, columns=FOLD_COLUMNS), self.folds)


def _why_unfit(labels: np.ndarray, split: Split) -> str:
    if not len(split.training) or not len(split.validation):
        return "too few sentences are left for training: others share a word with the test part"
    return "" if len(set(labels[split.training])) == 2 else "all sentences left for training have one label"


def classify_sentences(
    sentences: Path,
    all_sentences: Path,
    published: Path,
    published_folds: Path,
    corrected: Path,
    corrected_folds: Path,
    classifier: dict[str, Any],
    name: str,
    seed: int,
) -> None:
    """Classify one set by both procedures."""
    classify_by_folds(all_sentences, "published", name, ClassificationJob(classifier, seed, published, published_folds))
    classify_by_folds(sentences, "corrected", name, ClassificationJob(classifier, seed, corrected, corrected_folds))


def classify_by_folds(sentences: Path, procedure: str, name: str, job: ClassificationJob) -> None:
    """Classify each generated sentence of one set in the fold that tests it (§IV).

    `name` identifies the set: all classifiers get the same folds of it. `published` takes every sentence of the first
    attempt, because the paper checks none; `corrected` takes those that pass the checks.
    """
    is_published = procedure == "published"
    frame = read_first_attempts(sentences) if is_published else read_generated(sentences)
    # A sentence without a word of the lexicon is a key of its own.
    groups, names = _group(frame["word"].where(frame["word"] != "", frame["id"]), frame["text"])
    labels = _is_consistent(frame)
    if reason := too_few(labels, groups, procedure):
        job.write_reason(f"{sentences}: {reason}")
        return
    splits = (
        split_published(labels, job.seed, name, procedure)
        if is_published
        else split_corrected(labels, groups, _words_of(frame), job.seed, name, procedure)
    )
    job.cross_validate(frame, names, splits)


def classify_human_text(
    pairs: Path,
    person_nouns: Path,
    polarity_words: Path,
    sentences: list[Path],
    predictions: Path,
    folds: Path,
    classifier: dict[str, Any],
    name: str,
    seed: int,
) -> None:
    """Classify the sentences of the pairs after training on `sentences` or, without any, in the folds of pairs.

    `sentences` are all sets of a generator, called `name`.
    """
    frame = read_human_sentences(pairs, person_nouns, polarity_words)
    job = ClassificationJob(classifier, seed, predictions, folds)
    if sentences:
        classify_across(sentences, frame, name, job)
    else:
        classify_within(frame, job)


def classify_within(frame: pd.DataFrame, job: ClassificationJob) -> None:
    """Classify each human-written sentence in the fold that tests it; both sentences of a pair are in the same fold."""
    groups, names = _group(frame["pair"], frame["text"])
    labels = _is_consistent(frame)
    if reason := too_few(labels, groups, "corrected"):
        job.write_reason(f"pairs that people wrote: {reason}")
        return
    job.cross_validate(
        frame, names, split_corrected(labels, groups, [frozenset()] * len(frame), job.seed, "human text")
    )


def classify_across(generated: list[Path], frame: pd.DataFrame, name: str, job: ClassificationJob) -> None:
    """Train on all sets of generated sentences, and classify the human-written ones."""
    training = pd.concat([read_generated(path) for path in generated], ignore_index=True)
    labels = _is_consistent(training)
    groups, _ = _group(training["word"], training["text"])
    if reason := too_few(labels, groups, "corrected"):
        job.write_reason(f"{', '.join(map(str, generated))}: {reason}")
        return
    places, words = np.arange(len(training)), _words_of(training)
    fitted, held, left_out = hold_out(places, labels, groups, words, job.seed, name, "across")
    split = Split(0, fitted, held, len(training) + np.arange(len(frame)), left_out)
    names = np.concatenate([training["word"], _group(frame["pair"], frame["text"])[1]])
    job.cross_validate(pd.concat([training, frame], ignore_index=True), names, [split])


def _is_consistent(frame: pd.DataFrame) -> np.ndarray:
    return (frame["label"] == CONSISTENT).to_numpy()


def _words_of(frame: pd.DataFrame) -> list[frozenset[str]]:
    return [frozenset(words.split()) for words in frame["words"]]


def _group(keys: pd.Series, texts: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Number the groups of sentences, and name each by its first key."""
    if keys.empty:
        return np.empty(0, dtype=int), keys.to_numpy()
    groups = group_sentences(keys.tolist(), texts.tolist())
    return groups, keys.groupby(groups).transform("min").to_numpy()


class GenderWords:
    """English words that indicate the gender of a person."""

    def __init__(self, lexicon: Path, polarity_words: Path) -> None:
        self._genders: dict[str, str] = {}
        for entry in read_lexicon(lexicon):
            if entry.gender_class in (MASCULINE, FEMININE):
                self._genders[entry.form.strip().lower()] = entry.gender_class
        for gender, words in read_polarity_words(polarity_words).items():
            self._genders |= dict.fromkeys(words, gender)

    def gender_of(self, words: list[str]) -> str:
        """Find the one gender of nouns and pronouns, or else of first names; undetermined for none or both."""
        for found in (
            {self._genders.get(word.lower()) for word in words},
            {_NAME_GENDERS.get(_detector().get_gender(word, "usa")) for word in words if word[0].isupper()},
        ):
            genders = {gender for gender in found if gender}
            if genders:
                return genders.pop() if len(genders) == 1 else UNDETERMINED
        return UNDETERMINED

    def genders_of_pair(self, first: str, second: str) -> tuple[str, str]:
        """Find the gender of the person in each of two sentences that differ in a few words."""
        sides = _WORD.findall(first), _WORD.findall(second)
        before, after = ([word.lower() for word in side] for side in sides)
        changes = SequenceMatcher(None, before, after, autojunk=False)
        differing: tuple[list[str], list[str]] = [], []
        for kind, *ends in changes.get_opcodes():
            if kind != "equal":
                differing[0].extend(sides[0][ends[0] : ends[1]])
                differing[1].extend(sides[1][ends[2] : ends[3]])
        one, other = (
            found if (found := self.gender_of(words)) != UNDETERMINED else self.gender_of(side)
            for words, side in zip(differing, sides, strict=True)
        )
        return one, other


@cache
def _detector() -> Any:
    from gender_guesser.detector import Detector

    return Detector()


def read_human_sentences(pairs: Path, person_nouns: Path, polarity_words: Path) -> pd.DataFrame:
    """Read both sentences of each gender pair of CrowS-Pairs with label, gender, and the pair's direction, by id."""
    frame = pd.read_csv(pairs, dtype=str, keep_default_na=False)
    if missing := [column for column in PAIR_COLUMNS if column not in frame.columns]:
        raise InputError(f"{pairs}: has no column {', '.join(missing)}; it should be the CSV file of CrowS-Pairs")
    words = GenderWords(person_nouns, polarity_words)
    rows = []
    for place, row in frame[frame["bias_type"] == "gender"].iterrows():
        if row["stereo_antistereo"] not in DIRECTIONS:
            raise InputError(
                f"{pairs}, pair {place}: stereo_antistereo {row['stereo_antistereo']!r} is neither "
                f"{' nor '.join(DIRECTIONS)}"
            )
        texts = row["sent_more"], row["sent_less"]
        genders = words.genders_of_pair(*texts)
        for label, gender, text in zip((CONSISTENT, CONTRADICTORY), genders, texts, strict=True):
            # The file's own numbers, padded to equal length so that they sort.
            pair = f"{place:04d}"
            rows.append([f"{pair}.{label}", pair, row["stereo_antistereo"], label, gender, text])
    if not rows:
        raise InputError(f"{pairs}: no pair has the bias_type gender")
    return pd.DataFrame(rows, columns=["id", "pair", "direction", "label", "gender", "text"])
