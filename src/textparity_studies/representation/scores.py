"""Score a language model's tags of the annotated sentences: Table 4 of Derner 2025 (App. C) and its details.

`published` reads and scores the answers as the paper's notebook does. Gold words are processed in order, and each takes
an exact match, else the first word of the same spelling, although a later gold word might have matched that one
exactly. `corrected` takes the words that `parse_answers` read, and assigns exact matches first. Both use the measures
of App. C.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from textparity.corpora.reading import TEXT_SCHEMA, read_metadata, read_rows, write_batches
from textparity.counting import PROCEDURES
from textparity.estimating.bootstrap import Bootstrap, bootstrap_ratios
from textparity.estimating.estimates import percentage, share
from textparity.estimating.seeds import random_generator
from textparity.tables import Table
from textparity_studies.measures.tag_counts import CUT, ERROR, UNPARSED, Tag, read_gold

# A word, its reference to a person, and its gender.
Word = tuple[str, ...]
# An annotated and a predicted word; one is None if the other has no partner.
Pair = tuple[Word | None, Word | None]


def describe_outcome(pair: Pair) -> str:
    """Classify a pair: right in both attributes, found with a wrong one, missed, or extra."""
    gold, predicted = pair
    if gold is None or predicted is None:
        return "extra" if gold is None else "missed"
    return "correct" if gold == predicted else "incorrect"


@dataclass(frozen=True)
class Agreement:
    """The number of words of each outcome, in one or more sentences."""

    correct: int = 0
    incorrect: int = 0
    missed: int = 0
    extra: int = 0

    @classmethod
    def of(cls, pairs: Iterable[Pair]) -> "Agreement":
        """Count the outcomes of pairs."""
        return cls(**Counter(map(describe_outcome, pairs)))


@dataclass(frozen=True)
class Scores:
    """Accuracy, precision, recall and F-score of App. C, and two other measures, as fractions; NaN for 0 / 0.

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


def parse_published(text: str) -> list[tuple[str, ...]]:
    """Split an answer as the paper's notebook does, into upper-cased triples; the last may be shorter.

    It splits the whole answer at " - ", ", " and line ends, so one malformed line shifts all words after it.
    """
    cleaned = re.sub(r"(?<!\s)\s+\n", "\n", text.strip().upper())
    pieces = re.split(r" - |, |\n", cleaned)
    return [tuple(pieces[start : start + 3]) for start in range(0, len(pieces), 3)]


def match_words(gold: list[Word], predicted: list[Word], procedure: str) -> list[Pair]:
    """Match the words of one sentence; each is a tuple (word, person, gender), which the caller spells in one case."""
    left = list(predicted)
    pairs: list[Pair] = []
    waiting = gold
    if procedure == "corrected":
        waiting = []
        for word in gold:
            if word in left:
                left.remove(word)
                pairs.append((word, word))
            else:
                waiting.append(word)
    for word in waiting:
        same_spelling = [other for other in left if other[0] == word[0]]
        partner = word if word in left else next(iter(same_spelling), None)
        if partner is not None:
            left.remove(partner)
        pairs.append((word, partner))
    return pairs + [(None, other) for other in left]


def score(agreement: Agreement) -> Scores:
    """Compute the paper's four measures, and two others."""
    correct, incorrect, missed, extra = astuple(agreement)
    annotated = correct + incorrect + missed
    accuracy = share(correct, annotated)
    precision = share(correct, correct + incorrect + extra)
    recall = share(correct, correct + missed)
    return Scores(
        accuracy,
        precision,
        recall,
        f_score(precision, recall),
        unlabelled_recall=share(correct + incorrect, annotated),
        labelled_f1=f_score(precision, accuracy),
    )


def f_score(precision: float, recall: float) -> float:
    """Compute the harmonic mean of precision and a recall; NaN if both are 0."""
    return share(2 * precision * recall, precision + recall)


def f1_terms(agreement: Agreement) -> tuple[int, int]:
    """Compute numerator and denominator of App. C's F-score, which is a ratio of sums."""
    predicted = agreement.correct + agreement.incorrect + agreement.extra
    return 2 * agreement.correct, agreement.correct + agreement.missed + predicted


MEASURES = tuple(Scores.__annotations__)
SCORE_COLUMNS = (
    "gold", "tagger", "procedure", "run", *Agreement.__annotations__,
    *MEASURES, "f1_low", "f1_high", "unread_answers", "cut_answers", "reason",
)  # fmt: skip
ATTRIBUTES = ("gold_person", "gold_gender", "predicted_person", "predicted_gender")
CONFUSION_COLUMNS = ("gold", "tagger", "runs", *ATTRIBUTES, "words")
WORD_COLUMNS = (
    "gold", "tagger", "runs", "word", "person", "gender",
    "occurrences", "correct", "incorrect", "missed", "correct_percent",
)  # fmt: skip
NOTHING = "-"


def list_gold_texts(gold: Path, texts: Path, name: str, lang: str) -> None:
    """Write the sentences of an annotated file as rows of `id, doc_id, lang, text`, to be tagged like any corpus."""
    rows = [
        {"id": f"{name}/{number:06d}", "doc_id": f"{number:06d}", "lang": lang, "text": one.sentence}
        for number, one in enumerate(read_gold(gold), start=1)
    ]
    write_batches(texts, TEXT_SCHEMA, [rows])


def tabulate_scores(
    gold: list[Path], answers: list[Path], tags: list[Path], gold_names: list[str], bootstrap: Bootstrap
) -> Iterator[Table]:
    """Compare the words of language models with those of annotators.

    `gold_names` are the names of the annotated files `gold`. `answers` and `tags` are parallel: the answers of one
    model about the sentences of one file, and the words in them.
    """
    files = dict(zip(gold_names, gold, strict=True))
    scored = []
    for answered, tagged in zip(answers, tags, strict=True):
        name = read_metadata(tagged)["texts"].removeprefix("gold/")
        scored.append(score_tagger(files[name], answered, tagged, name, bootstrap))
    tables = TaggerScores(*(pd.concat(frames, ignore_index=True) for frames in zip(*scored, strict=True)))
    for name, frame in tables._asdict().items():
        yield Table(name, frame)
    for procedure in PROCEDURES:
        yield summarise_scores(tables.scores, procedure)


class TaggerScores(NamedTuple):
    """A model's scores, annotated and predicted attributes of each word, and its words, hardest first."""

    scores: pd.DataFrame
    confusion: pd.DataFrame
    hardest_words: pd.DataFrame


def score_tagger(gold: Path, answers: Path, tags: Path, name: str, bootstrap: Bootstrap) -> TaggerScores:
    """Compare one model's words with the annotators' in every run.

    `scores`: counts and measures in percent per procedure and run, and the bootstrap interval of the F-score over
    sentences, all runs together; if answers are missing, one row with the reason. `confusion`: annotated and predicted
    attributes of each word (`-`: missed, or extra). `hardest_words`: every annotated word, hardest first. The last two
    use the corrected procedure, summed over all runs.
    """
    metadata = read_metadata(tags)
    labels = {"gold": name, "tagger": metadata["tagger"]}
    if metadata["missing"]:
        reason = pd.DataFrame([labels | {"reason": metadata["reason"]}], columns=SCORE_COLUMNS)
        return TaggerScores(reason, pd.DataFrame(columns=CONFUSION_COLUMNS), pd.DataFrame(columns=WORD_COLUMNS))
    sentences = read_gold(gold)
    skipped = frozenset(metadata["skip_list"])

    def read_as_notebook(answer: str) -> list[Word]:
        return [word for word in parse_published(answer) if word[0] not in skipped]

    def read_tags(tags: Iterable[dict[str, str]]) -> list[Word]:
        words = [tuple(tag[name] for name in Tag._fields) for tag in tags]
        return [(word.lower(), *attributes) for word, *attributes in words if word.upper() not in skipped]

    as_answers = ["\n".join(f"{tag.word} - {tag.person}, {tag.gender}" for tag in one.tags) for one in sentences]
    as_tags = [[tag._asdict() for tag in one.tags] for one in sentences]
    matched = {
        "published": _match_runs(as_answers, answers, "answer", read_as_notebook, "published"),
        "corrected": _match_runs(as_tags, tags, "words", read_tags, "corrected"),
    }
    # Answers of all runs that gave no words, and those that were cut.
    statuses = metadata["statuses"]
    unread = {
        "unread_answers": statuses.get(ERROR, 0) + statuses.get(UNPARSED, 0),
        "cut_answers": metadata["problems"][CUT],
    }
    rows = []
    for procedure in PROCEDURES:
        runs = matched[procedure]
        sentences_of_runs = np.array([[f1_terms(Agreement.of(pairs)) for pairs in run] for run in runs])
        numerators, denominators = sentences_of_runs.sum(axis=0).T
        generator = random_generator(bootstrap.seed, "f_score", *labels.values())
        (f1,) = bootstrap_ratios(numerators[None], denominators[None], bootstrap, generator)
        for number, run in enumerate(runs):
            total = Agreement.of(pair for pairs in run for pair in pairs)
            measures = {measure: 100 * value for measure, value in vars(score(total)).items()}
            key = labels | {"procedure": procedure, "run": number}
            rows.append(key | vars(total) | measures | (f1 * 100).ends("f1") | unread | {"reason": ""})
    labels |= {"runs": metadata["runs"]}
    pairs = [pair for run in matched["corrected"] for pairs in run for pair in pairs]
    return TaggerScores(
        pd.DataFrame(rows, columns=SCORE_COLUMNS),
        pd.DataFrame([labels | row for row in _count_confusions(pairs)], columns=CONFUSION_COLUMNS),
        pd.DataFrame([labels | row for row in _rank_words(pairs)], columns=WORD_COLUMNS),
    )


def _match_runs(
    gold: list[Any], rows: Path, column: str, read: Callable[[Any], list[Word]], procedure: str
) -> list[list[list[Pair]]]:
    """Match the words of each sentence in every run, which `read` finds in the annotation and in a column of `rows`."""
    annotated = list(map(read, gold))
    per_run = read_rows(rows, columns=["run", column]).to_pandas().groupby("run")
    return [
        [match_words(words, read(found), procedure) for words, found in zip(annotated, run[column], strict=True)]
        for _, run in per_run
    ]


def _count_confusions(pairs: list[Pair]) -> list[dict[str, Any]]:
    nothing = (NOTHING, NOTHING)
    counts = Counter((gold[1:] if gold else nothing) + (found[1:] if found else nothing) for gold, found in pairs)
    return [dict(zip(ATTRIBUTES, key, strict=True)) | {"words": count} for key, count in sorted(counts.items())]


def _rank_words(pairs: list[Pair]) -> list[dict[str, Any]]:
    outcomes: defaultdict[Word, Counter[str]] = defaultdict(Counter)
    for gold, found in pairs:
        if gold is not None:
            outcomes[gold][describe_outcome((gold, found))] += 1
    rows = [
        {"word": word, "person": person, "gender": gender, "occurrences": counts.total()}
        | {outcome: counts[outcome] for outcome in ("correct", "incorrect", "missed")}
        | {"correct_percent": percentage(counts["correct"], counts.total())}
        for (word, person, gender), counts in outcomes.items()
    ]
    return sorted(
        rows, key=lambda row: (row["correct"] - row["occurrences"], row["word"], row["person"], row["gender"])
    )


def summarise_scores(scores: pd.DataFrame, procedure: str) -> Table:
    """Compute mean and sample standard deviation over runs of every measure, in percent (the paper's Table 4 and ours).

    Models with missing answers have no row.
    """
    # A row with a reason alone makes its columns ones of objects. The means are those of the scores in their own table.
    rows = scores[scores["procedure"] == procedure].infer_objects().round(6)
    grouped = rows.groupby(["gold", "tagger"], sort=False)
    table = pd.DataFrame({"runs": grouped["run"].count()})
    for measure in MEASURES:
        table[measure] = grouped[measure].mean()
        table[f"{measure}_sd"] = grouped[measure].std(ddof=1)
    for column in ("f1_low", "f1_high", "unread_answers", "cut_answers"):
        table[column] = grouped[column].first()
    table = table.reset_index()
    return Table(
        f"{procedure}/validation",
        table,
        {
            "gold": "Gold", "tagger": "Model", "accuracy": "Accuracy (%)", "precision": "Precision (%)",
            "recall": "Recall (%)", "f1": "F-score (%)", "unlabelled_recall": "Unlabelled recall (%)",
            "labelled_f1": "Labelled F-score (%)", "f1_interval": "Interval",
        },
        printed=table.assign(**{measure: _format_mean_and_sd(table, measure) for measure in MEASURES}),
        of=procedure,
    )  # fmt: skip


def _format_mean_and_sd(table: pd.DataFrame, measure: str) -> list[str]:
    pairs = zip(table[measure], table[f"{measure}_sd"], strict=True)
    return [f"{mean:.2f}" if np.isnan(sd) else f"{mean:.2f} ± {sd:.2f}" for mean, sd in pairs]
