"""Classifiers of sentences as consistent with gender stereotypes or contradictory (Soundararajan 2023, §IV).

A table has the kind, model and possible hyperparameters of each. As in the paper, a classifier is fitted to the
training part of a split, with the hyperparameters that are best on the validation part (the first of equals), and then
applied to the test part. Transformers are fine-tuned from files on this machine. Everything follows from the seed,
because sums in another order would differ.

Rule files import this module while they are parsed, so it loads no tool, but it checks that tools and models are here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from importlib.util import find_spec
from itertools import product
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.errors import MissingResourceError, TableError, how_to_install
from textparity.files import NAME, read_tsv
from textparity.progress import progress_bar
from textparity_studies.measures.encoders import BATCH, embed_texts, missing_encoder, model_folder, repeatable, tokenize

if TYPE_CHECKING:
    import numpy as np

MAJORITY, TFIDF, ENCODER, FINE_TUNED = "majority", "tfidf", "encoder", "fine_tuned"
# The hyperparameters that a kind of classifier has, with the type of their values.
HYPERPARAMETERS: dict[str, dict[str, type]] = {
    MAJORITY: {},
    TFIDF: {"c": float, "ngrams": int},
    ENCODER: {"c": float},
    FINE_TUNED: {"learning_rate": float, "epochs": int},
}
ITERATIONS = 2000
# This many batches are drawn at a time, and their texts sorted by length.
SORTED_BATCHES = 8
WEIGHT_DECAY = 0.01
# The criterion of the choice; `max` takes the first of equals.
_BY_ACCURACY = attrgetter("validation_accuracy")


@dataclass(frozen=True)
class ClassifierRow:
    """One classifier.

    `kind`: `majority` (the commoner label), `tfidf` (logistic regression on words), `encoder` (logistic regression on
    the vectors of a sentence encoder) or `fine_tuned` (a transformer). `model` is a folder, a package with the model in
    its folder `model`, or a name on the Hugging Face hub whose files are on this machine. `grid` has the candidate
    values of each hyperparameter.
    """

    name: str
    kind: str
    model: str
    grid: dict[str, list[float]]


def load_classifiers(path: str | Path) -> dict[str, ClassifierRow]:
    """Read the table of classifiers by name; `TableError` names the line and column of an invalid cell."""
    rows: dict[str, ClassifierRow] = {}
    for line, cells in enumerate(read_tsv(path, [field.name for field in fields(ClassifierRow)]), start=2):
        where = f"{path}, line {line}"
        name, kind = cells["name"], cells["kind"]
        if not re.fullmatch(NAME, name) or name in rows:
            raise TableError(f"{where}, column name: {name!r} is a duplicate, or has more than letters, digits and ._-")
        if kind not in HYPERPARAMETERS:
            raise TableError(f"{where}, column kind: {kind!r} is not one of {', '.join(HYPERPARAMETERS)}")
        if (kind in (ENCODER, FINE_TUNED)) != bool(cells["model"]):
            raise TableError(f"{where}, column model: {ENCODER} and {FINE_TUNED} need a model, the others have none")
        rows[name] = ClassifierRow(name, kind, cells["model"], _parse_grid(cells["grid"], kind, where))
    return rows


def _parse_grid(cell: str, kind: str, where: str) -> dict[str, list[float]]:
    needed, where = HYPERPARAMETERS[kind], f"{where}, column grid"
    try:
        grid = json.loads(cell)
    except json.JSONDecodeError as error:
        raise TableError(f"{where}: not JSON ({error.msg})") from None
    if not isinstance(grid, dict) or set(grid) != set(needed):
        raise TableError(f"{where}: {kind} needs an object with {', '.join(needed) or 'nothing in it'}")
    for name, values in grid.items():
        if not isinstance(values, list) or not values or not all(_fits(value, needed[name]) for value in values):
            kind_of_number = "whole numbers" if needed[name] is int else "numbers"
            raise TableError(f"{where}: {name} must be a list of {kind_of_number} above 0, not {values!r}")
    return grid


def _fits(value: object, kind: type) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return value > 0 and (kind is float or isinstance(value, int))


def missing_classifier(row: ClassifierRow) -> str:
    """Explain why a classifier cannot run here, or return an empty string; the check loads and fetches nothing."""
    if find_spec("sklearn") is None:
        return f"scikit-learn is not installed; install the extra: {how_to_install('classify')}"
    if row.kind in (MAJORITY, TFIDF):
        return ""
    return missing_encoder(row.model)


@dataclass(frozen=True)
class Split:
    """One fold: sentences to fit, to choose hyperparameters by, and to test, and the number excluded."""

    fold: int
    training: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    left_out: int = 0


@dataclass(frozen=True)
class ClassifierResult:
    """The results on a test part: the probabilities of `consistent`, the choices, and the validation accuracy."""

    probabilities: np.ndarray
    chosen: dict[str, float]
    validation_accuracy: float


class Classifier:
    """Classify all texts at once, learning only from the labels of the training and validation parts."""

    def __init__(self, row: ClassifierRow) -> None:
        self.grid = row.grid
        self.model = row.model

    def classify(self, texts: list[str], labels: np.ndarray, split: Split, seed: int) -> ClassifierResult:
        """Fit, choose and test."""
        raise NotImplementedError


class _Majority(Classifier):
    """Predict the commoner label of the training part, or `consistent` for equals: the baseline."""

    def classify(self, texts: list[str], labels: np.ndarray, split: Split, seed: int) -> ClassifierResult:
        import numpy as np

        is_consistent = bool(labels[split.training].mean() >= 0.5)
        accuracy = float((labels[split.validation] == is_consistent).mean())
        return ClassifierResult(np.full(len(split.test), float(is_consistent)), {}, accuracy)


class _Words(Classifier):
    """Apply logistic regression to TF-IDF of words and, by `ngrams`, of their sequences."""

    def classify(self, texts: list[str], labels: np.ndarray, split: Split, seed: int) -> ClassifierResult:
        import numpy as np
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import make_pipeline

        def build(chosen: dict[str, Any]) -> Any:
            words = TfidfVectorizer(ngram_range=(1, chosen["ngrams"]), token_pattern=r"\w+")
            return make_pipeline(words, _regression(chosen["c"], seed))

        return _choose(build, self.grid, np.array(texts, dtype=object), labels, split)


class _Embeddings(Classifier):
    """Apply logistic regression to the vectors of a sentence encoder, which is not trained here."""

    _texts: Sequence[str] = ()

    def classify(self, texts: list[str], labels: np.ndarray, split: Split, seed: int) -> ClassifierResult:
        # All folds have the same texts.
        if texts != self._texts:
            self._texts, self._vectors = texts, embed_texts(model_folder(self.model), texts)
        return _choose(lambda chosen: _regression(chosen["c"], seed), self.grid, self._vectors, labels, split)


class _FineTuned(Classifier):
    """Train a transformer with a new last layer, choosing the number of epochs along the way."""

    def classify(self, texts: list[str], labels: np.ndarray, split: Split, seed: int) -> ClassifierResult:
        folder, epochs = model_folder(self.model), [int(number) for number in self.grid["epochs"]]

        def outcomes() -> Iterator[ClassifierResult]:
            for rate in self.grid["learning_rate"]:
                for epoch, on_validation, on_test in fine_tune(folder, texts, labels, split, rate, epochs, seed):
                    chosen = {"learning_rate": rate, "epochs": epoch}
                    yield ClassifierResult(on_test, chosen, _accuracy(on_validation, labels[split.validation]))

        return max(outcomes(), key=_BY_ACCURACY)


def load_classifier(row: ClassifierRow) -> Classifier:
    """Load the classifier of a row; `MissingResourceError` names its missing requirements."""
    if reason := missing_classifier(row):
        raise MissingResourceError(f"classifier {row.name}: {reason}; or take it out of stereotypes.classifiers")
    kinds = {MAJORITY: _Majority, TFIDF: _Words, ENCODER: _Embeddings, FINE_TUNED: _FineTuned}
    return kinds[row.kind](row)


def _regression(strength: float, seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=strength, max_iter=ITERATIONS, random_state=seed % 2**32)


def _choose(
    build: Any, grid: dict[str, list[float]], features: Any, labels: np.ndarray, split: Split
) -> ClassifierResult:
    from threadpoolctl import threadpool_limits

    def outcomes() -> Iterator[ClassifierResult]:
        for values in product(*grid.values()):
            chosen = dict(zip(grid, values, strict=True))
            model = build(chosen).fit(features[split.training], labels[split.training])
            accuracy = _accuracy(_consistent(model, features[split.validation]), labels[split.validation])
            yield ClassifierResult(_consistent(model, features[split.test]), chosen, accuracy)

    # With more threads, sums in another order would differ in their last bits.
    with threadpool_limits(1):
        return max(outcomes(), key=_BY_ACCURACY)


def _consistent(model: Any, features: Any) -> np.ndarray:
    return model.predict_proba(features)[:, list(model.classes_).index(True)]


def _accuracy(probabilities: np.ndarray, labels: np.ndarray) -> float:
    return float(((probabilities >= 0.5) == labels).mean())


def fine_tune(
    folder: Path, texts: list[str], labels: np.ndarray, split: Split, rate: float, epochs: list[int], seed: int
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Train a transformer on the training part (AdamW, cross-entropy), and iterate over its states after `epochs`.

    Each number of epochs comes with the probabilities of `consistent` for the validation and the test part. A GPU is
    used if there is one; the last digits then depend on it. On the CPU, one seed gives one result.
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


def _batches(places: np.ndarray, texts: list[str]) -> Iterator[list[int]]:
    """Iterate over batches of texts of similar length, because padding would take half the time."""
    lengths = [len(text) for text in texts]
    for start in range(0, len(places), BATCH * SORTED_BATCHES):
        some = sorted(places[start : start + BATCH * SORTED_BATCHES].tolist(), key=lengths.__getitem__)
        yield from (some[first : first + BATCH] for first in range(0, len(some), BATCH))


def _probabilities(torch: Any, model: Any, tokenizer: Any, texts: list[str], places: np.ndarray) -> np.ndarray:
    model.eval()
    with torch.inference_mode():
        found = [
            model(**tokenize(tokenizer, [texts[place] for place in places[start : start + BATCH]]).to(model.device))
            for start in range(0, len(places), BATCH)
        ]
    return torch.cat([output.logits.softmax(1) for output in found])[:, 1].cpu().numpy().astype("float64")


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
