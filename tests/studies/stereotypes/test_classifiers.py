import numpy as np
import pytest

from textparity.errors import MissingResourceError
from textparity_studies.stereotypes.classifiers import ClassifierRow, Split, load_classifier

WORDS = ClassifierRow("words", "tfidf", "", {"c": [0.001, 10], "ngrams": [1, 2]})
MAJORITY = ClassifierRow("majority", "majority", "", {})
TEXTS = [f"{'sunny' if n % 2 == 0 else 'rainy'} day number {n}" for n in range(40)]
LABELS = np.arange(40) % 2 == 0
SPLIT = Split(0, np.arange(24), np.arange(24, 32), np.arange(32, 40))


def test_words_that_go_with_a_label_are_learnt():
    outcome = load_classifier(WORDS).classify(TEXTS, LABELS, SPLIT, 1)
    assert ((outcome.probabilities >= 0.5) == LABELS[SPLIT.test]).all()
    assert outcome.validation_accuracy == 1


def test_labels_of_the_test_part_are_not_seen():
    other = LABELS.copy()
    other[SPLIT.test] = ~other[SPLIT.test]
    model = load_classifier(WORDS)
    first, second = (model.classify(TEXTS, labels, SPLIT, 1) for labels in (LABELS, other))
    assert (first.probabilities == second.probabilities).all()


def test_hyperparameters_are_those_best_on_the_validation_part():
    # What tells the label is which of two words comes first, so pairs of words are needed.
    texts = [f"day {'salt pepper' if n % 2 == 0 else 'pepper salt'} day" for n in range(40)]
    outcome = load_classifier(WORDS).classify(texts, LABELS, SPLIT, 1)
    assert outcome.chosen["ngrams"] == 2
    assert outcome.validation_accuracy == 1


def test_of_equals_the_first_is_chosen():
    outcome = load_classifier(WORDS).classify(TEXTS, LABELS, SPLIT, 1)
    assert outcome.chosen == {"c": 0.001, "ngrams": 1}


@pytest.mark.parametrize(("consistent", "says"), [(13, 1.0), (12, 1.0), (11, 0.0)])
def test_the_baseline_says_the_commoner_label_of_the_training_part(consistent, says):
    labels = np.arange(40) < consistent
    outcome = load_classifier(MAJORITY).classify(TEXTS, labels, SPLIT, 1)
    assert outcome.probabilities.tolist() == [says] * 8


def test_a_classifier_that_cannot_run_here_is_named():
    row = ClassifierRow("far", "fine_tuned", "no/such-model", {"learning_rate": [1e-5], "epochs": [1]})
    with pytest.raises(MissingResourceError, match="classifier far: "):
        load_classifier(row)
