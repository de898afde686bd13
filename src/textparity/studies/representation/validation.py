"""Scoring tagged words against annotations (Derner 2025, App. C).

`published` is the notebook: gold words in order, each taking an exact match, else the first word of the same spelling,
although a later gold word might have matched that one exactly. `corrected` gives exact matches first. The measures of
App. C are the same in both.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

# A word, whether it is a person, its gender.
Word = tuple[str, ...]


@dataclass(frozen=True)
class Agreement:
    """Words of one or more sentences: right in both attributes, found with a wrong one, missed, and extra."""

    correct: int = 0
    incorrect: int = 0
    missed: int = 0
    extra: int = 0

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(
            self.correct + other.correct,
            self.incorrect + other.incorrect,
            self.missed + other.missed,
            self.extra + other.extra,
        )


@dataclass(frozen=True)
class Scores:
    """Accuracy, precision, recall and F-score of App. C, and two measures beside them, as fractions; NaN for 0 / 0.

    Recall as App. C defines it, correct / (correct + missed), leaves out the words found with a wrong attribute, so it
    lies between the two that are usual where items carry labels: labelled recall, right words of all annotated ones,
    which App. C calls accuracy, and `unlabelled_recall`, words found at all. `labelled_f1` is of precision and the
    former.
    """

    accuracy: float
    precision: float
    recall: float
    f1: float
    unlabelled_recall: float
    labelled_f1: float


class Matching(NamedTuple):
    """Gold words with what was found for them, pair by pair: right, wrong in an attribute, missed, and extra."""

    correct: list[tuple[Word, Word]]
    incorrect: list[tuple[Word, Word]]
    missed: list[Word]
    extra: list[Word]

    @property
    def agreement(self) -> Agreement:
        """The number of words of each kind."""
        return Agreement(len(self.correct), len(self.incorrect), len(self.missed), len(self.extra))


def match_words(gold: list[Word], found: list[Word], procedure: str) -> Matching:
    """Match the words of one sentence; each is a tuple (word, person, gender), spelt in one case by the caller."""
    matching = Matching([], [], [], list(found))
    left = matching.extra
    waiting = list(gold)
    if procedure == "corrected":
        waiting = []
        for word in gold:
            if word in left:
                left.remove(word)
                matching.correct.append((word, word))
            else:
                waiting.append(word)
    for word in waiting:
        same = next((other for other in left if other[0] == word[0]), None)
        if word in left:
            left.remove(word)
            matching.correct.append((word, word))
        elif same is not None:
            left.remove(same)
            matching.incorrect.append((word, same))
        else:
            matching.missed.append(word)
    return matching


def score(agreement: Agreement) -> Scores:
    """Return the paper's four measures, and two beside them."""
    correct, incorrect, missed = agreement.correct, agreement.incorrect, agreement.missed
    annotated = correct + incorrect + missed
    accuracy = _share(correct, annotated)
    precision = _share(correct, correct + incorrect + agreement.extra)
    recall = _share(correct, correct + missed)
    return Scores(
        accuracy,
        precision,
        recall,
        f_score(precision, recall),
        unlabelled_recall=_share(correct + incorrect, annotated),
        labelled_f1=f_score(precision, accuracy),
    )


def f_score(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and a recall; NaN if both are 0."""
    return _share(2 * precision * recall, precision + recall)


def f1_terms(agreement: Agreement) -> tuple[int, int]:
    """Return numerator and denominator of App. C's F-score, which is a ratio of sums."""
    found = agreement.correct + agreement.incorrect + agreement.extra
    return 2 * agreement.correct, agreement.correct + agreement.missed + found


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
