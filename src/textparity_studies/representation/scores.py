"""Score a language model's tags of the annotated sentences: Table 4 of Derner 2025 (App. C) and its details.

`published` reads and scores the answers as the paper's notebook does. Gold words are processed in order, and each takes
an exact match, else the first word of the same spelling, although a later gold word might have matched that one
exactly. `corrected` takes the words that `parse_answers` read, and assigns exact matches first. Both use the measures
of App. C.
"""

import math
from collections import Counter
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_metadata, read_rows
from textparity.counting.procedures import PROCEDURES
from textparity.counting.statistics import Bootstrap, bootstrap_ratios, percentage, random_generator
from textparity.tables import show_intervals, write_csv, write_latex
from textparity_studies.measures.tag_counts import CUT, ERROR, UNPARSED, Tag, parse_published
from textparity_studies.measures.tagged_sentences import TaggedSentence, read_gold

# A word, its reference to a person, and its gender.
Word = tuple[str, ...]


@dataclass(frozen=True)
class Agreement:
    """Count the words of one or more sentences: right in both attributes, found with a wrong one, missed, and extra."""

    correct: int = 0
    incorrect: int = 0
    missed: int = 0
    extra: int = 0

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(*map(sum, zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class Scores:
    """Hold accuracy, precision, recall and F-score of App. C, and two other measures, as fractions; NaN for 0 / 0.

    Recall in App. C, correct / (correct + missed), excludes the words found with a wrong attribute. It lies between the
    two usual measures for labelled items. One is labelled recall, the share of annotated words that are right, which
    App. C calls accuracy. The other is `unlabelled_recall`, the share of words found at all. `labelled_f1` combines
    precision and labelled recall.
    """

    accuracy: float
    precision: float
    recall: float
    f1: float
    unlabelled_recall: float
    labelled_f1: float


class Matching(NamedTuple):
    """Hold pairs of gold and predicted words: right, wrong in an attribute, missed, and extra."""

    correct: list[tuple[Word, Word]]
    incorrect: list[tuple[Word, Word]]
    missed: list[Word]
    extra: list[Word]

    @property
    def agreement(self) -> Agreement:
        """The number of words of each kind."""
        return Agreement(len(self.correct), len(self.incorrect), len(self.missed), len(self.extra))


def match_words(gold: list[Word], predicted: list[Word], procedure: str) -> Matching:
    """Match the words of one sentence; each is a tuple (word, person, gender), which the caller spells in one case."""
    matching = Matching([], [], [], list(predicted))
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
    """Compute the paper's four measures, and two others."""
    correct, incorrect, missed, extra = astuple(agreement)
    annotated = correct + incorrect + missed
    accuracy = _share(correct, annotated)
    precision = _share(correct, correct + incorrect + extra)
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
    """Compute the harmonic mean of precision and a recall; NaN if both are 0."""
    return _share(2 * precision * recall, precision + recall)


def f1_terms(agreement: Agreement) -> tuple[int, int]:
    """Compute numerator and denominator of App. C's F-score, which is a ratio of sums."""
    predicted = agreement.correct + agreement.incorrect + agreement.extra
    return 2 * agreement.correct, agreement.correct + agreement.missed + predicted


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


MEASURES = tuple(Scores.__annotations__)
SCORE_COLUMNS = (
    "gold", "tagger", "procedure", "run", *Agreement.__annotations__,
    *MEASURES, "f1_low", "f1_high", "unread_answers", "cut_answers", "reason",
)  # fmt: skip
CONFUSION_COLUMNS = (
    "gold",
    "tagger",
    "runs",
    "gold_person",
    "gold_gender",
    "predicted_person",
    "predicted_gender",
    "words",
)
WORD_COLUMNS = (
    "gold", "tagger", "runs", "word", "person", "gender",
    "occurrences", "correct", "incorrect", "missed", "correct_percent",
)  # fmt: skip
NOTHING = "-"


class TaggerScores(NamedTuple):
    """Hold a model's scores, annotated and predicted attributes of each word, and its words, hardest first."""

    scores: pd.DataFrame
    confusion: pd.DataFrame
    words: pd.DataFrame


def score_tagger(gold: Path, answers: Path, tags: Path, name: str, bootstrap: Bootstrap) -> TaggerScores:
    """Compare one model's words with the annotators' in every run.

    `scores`: counts and measures in percent per procedure and run, and the bootstrap interval of the F-score over
    sentences, all runs together; if answers are missing, one row with the reason. `confusion`: annotated and predicted
    attributes of each word (`-`: missed, or extra). `words`: every annotated word, hardest first. `confusion` and
    `words` use the corrected procedure, summed over all runs.
    """
    metadata = read_metadata(tags)
    labels = {"gold": name, "tagger": metadata["tagger"]}
    if metadata["missing"]:
        reason = pd.DataFrame([labels | {"reason": metadata["reason"]}], columns=SCORE_COLUMNS)
        return TaggerScores(reason, pd.DataFrame(columns=CONFUSION_COLUMNS), pd.DataFrame(columns=WORD_COLUMNS))
    sentences = read_gold(gold)
    skipped = frozenset(metadata["skip_list"])
    matched = {
        "published": _match_published(sentences, answers, skipped),
        "corrected": _match_corrected(sentences, tags, skipped),
    }
    rows = []
    for procedure in PROCEDURES:
        runs = matched[procedure]
        per_sentence = [[one.agreement for one in sentences_of_run] for sentences_of_run in runs]
        terms = np.array([[f1_terms(one) for one in run] for run in per_sentence]).sum(axis=0)
        (interval,) = bootstrap_ratios(
            terms[:, 0][None], terms[:, 1][None], bootstrap,
            random_generator(bootstrap.seed, "f_score", *labels.values()),
        )  # fmt: skip
        for run, agreements in enumerate(per_sentence):
            total = sum(agreements, Agreement())
            measures = {measure: 100 * value for measure, value in vars(score(total)).items()}
            ends = {"f1_low": 100 * interval.low, "f1_high": 100 * interval.high}
            key = labels | {"procedure": procedure, "run": run}
            rows.append(key | vars(total) | measures | ends | _unread(metadata) | {"reason": ""})
    labels |= {"runs": metadata["runs"]}
    every = [one for run in matched["corrected"] for one in run]
    return TaggerScores(
        pd.DataFrame(rows, columns=SCORE_COLUMNS),
        pd.DataFrame([labels | row for row in _confusion(every)], columns=CONFUSION_COLUMNS),
        pd.DataFrame([labels | row for row in _words(every)], columns=WORD_COLUMNS),
    )


def _unread(metadata: dict[str, Any]) -> dict[str, int]:
    """Count the answers of all runs that gave no words (errors and unreadable ones), and those that were cut."""
    statuses = metadata["statuses"]
    unread = statuses.get(ERROR, 0) + statuses.get(UNPARSED, 0)
    return {"unread_answers": unread, "cut_answers": metadata["problems"][CUT]}


def _match_published(sentences: list[TaggedSentence], answers: Path, skipped: frozenset[str]) -> list[list[Matching]]:
    def read(text: str) -> list[tuple[str, ...]]:
        return [words for words in parse_published(text) if words[0] not in skipped]

    gold = [read("\n".join(f"{tag.word} - {tag.person}, {tag.gender}" for tag in one.tags)) for one in sentences]
    per_run = read_rows(answers, columns=["id", "run", "answer"]).to_pandas().groupby("run")
    return [
        [match_words(words, read(answer), "published") for words, answer in zip(gold, run["answer"], strict=True)]
        for _, run in per_run
    ]


def _match_corrected(sentences: list[TaggedSentence], tags: Path, skipped: frozenset[str]) -> list[list[Matching]]:
    gold = [[_folded(*tag) for tag in one.tags if tag.word.upper() not in skipped] for one in sentences]
    per_run = read_rows(tags, columns=["id", "run", "words"]).to_pandas().groupby("run")
    return [
        [
            match_words(
                expected, [_folded(*map(word.get, Tag._fields)) for word in words if not word["skipped"]], "corrected"
            )
            for expected, words in zip(gold, run["words"], strict=True)
        ]
        for _, run in per_run
    ]


def _folded(word: str, person: str, gender: str) -> tuple[str, ...]:
    return word.lower(), person, gender


def _confusion(every: list[Matching]) -> list[dict[str, Any]]:
    nothing = (NOTHING, NOTHING)
    pairs: Counter[tuple[str, ...]] = Counter()
    for one in every:
        pairs.update((*gold[1:], *predicted[1:]) for gold, predicted in [*one.correct, *one.incorrect])
        pairs.update((*gold[1:], *nothing) for gold in one.missed)
        pairs.update((*nothing, *predicted[1:]) for predicted in one.extra)
    names = CONFUSION_COLUMNS[3:-1]
    return [dict(zip(names, pair, strict=True)) | {"words": count} for pair, count in sorted(pairs.items())]


def _words(every: list[Matching]) -> list[dict[str, Any]]:
    outcomes: dict[tuple[str, ...], Counter[str]] = {}
    for one in every:
        for outcome, words in (
            ("correct", [gold for gold, _ in one.correct]),
            ("incorrect", [gold for gold, _ in one.incorrect]),
            ("missed", one.missed),
        ):
            for word in words:
                outcomes.setdefault(word, Counter())[outcome] += 1
    rows = [
        {"word": word, "person": person, "gender": gender, "occurrences": found.total()}
        | {outcome: found[outcome] for outcome in ("correct", "incorrect", "missed")}
        | {"correct_percent": percentage(found["correct"], found.total())}
        for (word, person, gender), found in outcomes.items()
    ]
    return sorted(
        rows, key=lambda row: (row["correct"] - row["occurrences"], row["word"], row["person"], row["gender"])
    )


def tabulate_scores(scores: Path, table_csv: Path, table_latex: Path, procedure: str) -> None:
    """Write mean and sample standard deviation over runs of every measure, in percent (the paper's Table 4 and ours).

    The interval of the paper's F-score is a bootstrap over sentences. Models with missing answers have no row.
    """
    frame = pd.read_csv(scores)
    rows = frame[frame["procedure"] == procedure]
    grouped = rows.groupby(["gold", "tagger"], sort=False)
    table = pd.DataFrame({"runs": grouped["run"].count()})
    for measure in MEASURES:
        table[measure] = grouped[measure].mean()
        table[f"{measure}_sd"] = grouped[measure].std(ddof=1)
    for column in ("f1_low", "f1_high", "unread_answers", "cut_answers"):
        table[column] = grouped[column].first()
    table = table.reset_index()
    write_csv(table, table_csv)
    shown = table[["gold", "tagger"]].assign(
        **{measure: _mean_and_sd(table, measure) for measure in MEASURES},
        interval=show_intervals(table, "f1"),
    )
    write_latex(
        shown.set_axis(
            [
                "Gold",
                "Model",
                "Accuracy (%)",
                "Precision (%)",
                "Recall (%)",
                "F-score (%)",
                "Unlabelled recall (%)",
                "Labelled F-score (%)",
                "Interval",
            ],
            axis="columns",
        ),
        table_latex,
        caption=(
            f"Language models on annotated sentences ({procedure}): mean ± standard deviation over runs, and a "
            "bootstrap interval of the F-score over sentences. Accuracy to F-score as in App.~C; its recall leaves out "
            "words found with a wrong mark. Unlabelled recall: annotated words that are found, whatever their marks; "
            "labelled F-score: of precision and accuracy, which is labelled recall."
        ),
    )


def _mean_and_sd(table: pd.DataFrame, measure: str) -> list[str]:
    pairs = zip(table[measure], table[f"{measure}_sd"], strict=True)
    return [f"{mean:.2f}" if np.isnan(sd) else f"{mean:.2f} ± {sd:.2f}" for mean, sd in pairs]
