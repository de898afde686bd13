"""Classifiers of sentences as consistent with gender stereotypes or contradictory (Soundararajan 2023, §IV).

As in the paper, each is fitted to the training part of a split, with the hyperparameters that are best on the
validation part (the first of equals), and then applied to the test part. Transformers are fine-tuned on the CPU, from
files on this machine. Everything follows from the seed, because sums in another order would differ.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from textparity.errors import MissingResourceError
from textparity.progress import progress_bar
from textparity.sources.model_files import model_folder
from textparity_studies.measures.encoders import BATCH, embed_texts, repeatable, tokenize
from textparity_studies.stereotypes.classifier_rows import (
    ENCODER,
    FINE_TUNED,
    MAJORITY,
    TFIDF,
    ClassifierRow,
    missing_classifier,
)

ITERATIONS = 2000
# This many batches are drawn at a time, and their texts sorted by length.
SORTED_BATCHES = 8
WEIGHT_DECAY = 0.01


@dataclass(frozen=True)
class Split:
    """Hold one fold: sentences to fit, to choose hyperparameters by, and to test, and the number excluded."""

    fold: int
    training: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    left_out: int = 0


@dataclass(frozen=True)
class Outcome:
    """Hold the results on a test part: the probabilities of `consistent`, the choices, and the validation accuracy."""

    probabilities: np.ndarray
    chosen: dict[str, float]
    validation_accuracy: float


class Classifier(Protocol):
    """Classify all texts at once, learning only from the labels of the training and validation parts."""

    def classify(self, texts: list[str], labels: np.ndarray, split: Split, seed: int) -> Outcome:
        """Fit, choose and test."""


def load_classifier(row: ClassifierRow) -> Classifier:
    """Load the classifier of a row; `MissingResourceError` names its missing requirements."""
    if reason := missing_classifier(row):
        raise MissingResourceError(f"classifier {row.name}: {reason}; or take it out of stereotypes.classifiers")
    kinds: dict[str, Callable[[ClassifierRow], Classifier]] = {
        MAJORITY: _Majority, TFIDF: _Words, ENCODER: _Embeddings, FINE_TUNED: _FineTuned,
    }  # fmt: skip
    return kinds[row.kind](row)


class _Majority:
    """Predict the commoner label of the training part, or `consistent` for equals: the baseline."""

    def __init__(self, row: ClassifierRow) -> None:
        pass

    def classify(self, texts: list[str], labels: np.ndarray, split: Split, seed: int) -> Outcome:
        says = float(labels[split.training].mean() >= 0.5)
        return Outcome(np.full(len(split.test), says), {}, float((labels[split.validation] == bool(says)).mean()))


class _Words:
    """Apply logistic regression to TF-IDF of words and, by `ngrams`, of their sequences."""

    def __init__(self, row: ClassifierRow) -> None:
        self._grid = row.grid

    def classify(self, texts: list[str], labels: np.ndarray, split: Split, seed: int) -> Outcome:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import make_pipeline

        def build(chosen: dict[str, Any]) -> Any:
            words = TfidfVectorizer(ngram_range=(1, chosen["ngrams"]), token_pattern=r"\w+")
            return make_pipeline(words, _regression(chosen["c"], seed))

        return _choose(build, self._grid, np.array(texts, dtype=object), labels, split)


class _Embeddings:
    """Apply logistic regression to the vectors of a sentence encoder, which is not trained here."""

    def __init__(self, row: ClassifierRow) -> None:
        self._grid = row.grid
        self._folder = model_folder(row.model)
        self._texts: list[str] = []
        self._vectors = np.empty(0)

    def classify(self, texts: list[str], labels: np.ndarray, split: Split, seed: int) -> Outcome:
        if texts != self._texts:
            self._texts, self._vectors = texts, embed_texts(self._folder, texts)
        return _choose(lambda chosen: _regression(chosen["c"], seed), self._grid, self._vectors, labels, split)


class _FineTuned:
    """Train a transformer with a new last layer, choosing the number of epochs along the way."""

    def __init__(self, row: ClassifierRow) -> None:
        self._grid = row.grid
        self._folder = model_folder(row.model)

    def classify(self, texts: list[str], labels: np.ndarray, split: Split, seed: int) -> Outcome:
        epochs = [int(number) for number in self._grid["epochs"]]

        def outcomes() -> Iterator[Outcome]:
            for rate in self._grid["learning_rate"]:
                for epoch, on_validation, on_test in fine_tune(self._folder, texts, labels, split, rate, epochs, seed):
                    chosen = {"learning_rate": rate, "epochs": epoch}
                    yield Outcome(on_test, chosen, _accuracy(on_validation, labels[split.validation]))

        return max(outcomes(), key=_validation_accuracy)


def _regression(strength: float, seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=strength, max_iter=ITERATIONS, random_state=seed % 2**32)


def _choose(build: Any, grid: dict[str, list[float]], features: Any, labels: np.ndarray, split: Split) -> Outcome:
    from threadpoolctl import threadpool_limits

    def outcomes() -> Iterator[Outcome]:
        for values in product(*grid.values()):
            chosen = dict(zip(grid, values, strict=True))
            model = build(chosen).fit(features[split.training], labels[split.training])
            accuracy = _accuracy(_consistent(model, features[split.validation]), labels[split.validation])
            yield Outcome(_consistent(model, features[split.test]), chosen, accuracy)

    # With more threads, sums in another order would differ in their last bits.
    with threadpool_limits(1):
        return max(outcomes(), key=_validation_accuracy)


def _validation_accuracy(outcome: Outcome) -> float:
    """The criterion of the choice; `max` takes the first of equals."""
    return outcome.validation_accuracy


def _consistent(model: Any, features: Any) -> np.ndarray:
    return model.predict_proba(features)[:, list(model.classes_).index(True)]


def _accuracy(probabilities: np.ndarray, labels: np.ndarray) -> float:
    return float(((probabilities >= 0.5) == labels).mean())


def fine_tune(
    folder: Path, texts: list[str], labels: np.ndarray, split: Split, rate: float, epochs: list[int], seed: int
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Train a transformer on the training part (AdamW, cross-entropy), and iterate over its states after `epochs`.

    Each number of epochs comes with the probabilities of `consistent` for the validation and the test part.

    It uses a GPU if there is one; the last digits then depend on the GPU. On the CPU, one seed gives one result.
    """
    with repeatable(seed) as torch:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        with _quiet():
            model = AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True, num_labels=2)
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        model.to(device)
        optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=WEIGHT_DECAY, fused=True)
        title = f"fold {split.fold}, learning rate {rate:g}"
        with progress_bar(len(split.training) * max(epochs), title) as bar:
            for epoch in range(1, max(epochs) + 1):
                model.train()
                for batch in _batches(split.training[torch.randperm(len(split.training)).numpy()], texts):
                    inputs = tokenize(tokenizer, [texts[place] for place in batch]).to(device)
                    loss = model(**inputs, labels=torch.tensor(labels[batch]).long().to(device)).loss
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    bar.update(len(batch))
                if epoch in epochs:
                    on_validation, on_test = (
                        _probabilities(torch, model, tokenizer, texts, part) for part in (split.validation, split.test)
                    )
                    yield epoch, on_validation, on_test


def _batches(places: np.ndarray, texts: list[str]) -> Iterator[np.ndarray]:
    """Iterate over batches of texts of similar length, because padding would take half the time."""
    for start in range(0, len(places), BATCH * SORTED_BATCHES):
        some = sorted(places[start : start + BATCH * SORTED_BATCHES], key=lambda place: len(texts[place]))
        yield from (np.array(some[first : first + BATCH]) for first in range(0, len(some), BATCH))


def _probabilities(torch: Any, model: Any, tokenizer: Any, texts: list[str], places: np.ndarray) -> np.ndarray:
    model.eval()
    with torch.inference_mode():
        found = [
            model(**tokenize(tokenizer, [texts[place] for place in places[start : start + BATCH]]).to(model.device))
            for start in range(0, len(places), BATCH)
        ]
    return torch.cat([output.logits.softmax(1) for output in found])[:, 1].cpu().numpy().astype(np.float64)


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the warning that the last layer is new, because that is intended."""
    from transformers.utils import logging as its_logging

    before = its_logging.get_verbosity()
    its_logging.set_verbosity_error()
    try:
        yield
    finally:
        its_logging.set_verbosity(before)
