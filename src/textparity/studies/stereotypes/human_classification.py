"""Classifying sentences that people wrote: within themselves, and by what is learnt from generated ones."""

from pathlib import Path
from typing import Any

from textparity.studies.stereotypes.classification import classify_across, classify_within
from textparity.studies.stereotypes.human_text import read_human_sentences


def classify_human_text(
    pairs: Path,
    person_nouns: Path,
    polarity_words: Path,
    predictions: Path,
    folds: Path,
    classifier: dict[str, Any],
    seed: int,
) -> None:
    """Classify each sentence of the pairs in the fold that tests it; see `classify_within`."""
    classify_within(read_human_sentences(pairs, person_nouns, polarity_words), predictions, folds, classifier, seed)


def classify_from_generated(
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
    """Classify the sentences of the pairs by what is learnt from all sets of a generator; see `classify_across`."""
    asked = read_human_sentences(pairs, person_nouns, polarity_words)
    classify_across(sentences, asked, predictions, folds, classifier, name, seed)
