"""Scoring tagged words against annotations (Derner 2025, App. C).

`published` is the notebook: gold words in order, each taking an exact match, else the first word of the same spelling,
although a later gold word might have matched that one exactly; and recall = correct / (correct + missed), which leaves
out the words found with a wrong attribute. `corrected` gives exact matches first, and counts those words in recall.
"""

import math
from dataclasses import dataclass
from typing import TypeVar

Word = TypeVar("Word", bound=tuple)


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
    """Accuracy, precision, recall and F-score as fractions; NaN where nothing was there to score."""

    accuracy: float
    precision: float
    recall: float
    f_score: float


def compare(gold: list[Word], found: list[Word], procedure: str) -> Agreement:
    """Compare the words of one sentence; each is a tuple (word, person, gender), spelt in one case by the caller."""
    left = list(found)
    waiting = list(gold)
    correct = incorrect = missed = 0
    if procedure == "corrected":
        waiting = []
        for word in gold:
            if word in left:
                left.remove(word)
                correct += 1
            else:
                waiting.append(word)
    for word in waiting:
        same = [other for other in left if other[0] == word[0]]
        if word in left:
            left.remove(word)
            correct += 1
        elif same:
            left.remove(same[0])
            incorrect += 1
        else:
            missed += 1
    return Agreement(correct, incorrect, missed, len(left))


def score(agreement: Agreement, procedure: str) -> Scores:
    """Return the paper's four measures by one procedure."""
    correct, incorrect, missed = agreement.correct, agreement.incorrect, agreement.missed
    accuracy = _share(correct, correct + incorrect + missed)
    precision = _share(correct, correct + incorrect + agreement.extra)
    recall = _share(correct, correct + missed) if procedure == "published" else accuracy
    return Scores(accuracy, precision, recall, _share(2 * precision * recall, precision + recall))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
