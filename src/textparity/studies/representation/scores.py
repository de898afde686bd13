"""How well a language model tags the annotated sentences: Table 4 of Derner 2025 and what lies behind it.

`published` reads and scores the answers as the paper's notebook; `corrected` takes the words that `parse_answers` read.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from textparity.corpora.rows import read_metadata, read_rows
from textparity.measures.procedures import PROCEDURES
from textparity.measures.statistics import bootstrap_ratios, percentage, random_generator
from textparity.report.tables import show_intervals, write_csv, write_latex
from textparity.studies.representation.answers import parse_published
from textparity.studies.representation.tag_counts import CUT, ERROR, UNPARSED, read_skip_list
from textparity.studies.representation.tags import Tag, TaggedSentence, read_gold
from textparity.studies.representation.validation import Agreement, Matching, Scores, f1_terms, match_words, score

MEASURES = tuple(Scores.__annotations__)
SCORE_COLUMNS = (
    "gold", "tagger", "procedure", "run", *Agreement.__annotations__,
    *MEASURES, "f1_low", "f1_high", "unread_answers", "cut_answers", "reason",
)  # fmt: skip
CONFUSION_COLUMNS = ("gold", "tagger", "runs", "gold_person", "gold_gender", "found_person", "found_gender", "words")
WORD_COLUMNS = (
    "gold", "tagger", "runs", "word", "person", "gender",
    "occurrences", "correct", "incorrect", "missed", "correct_percent",
)  # fmt: skip
NOTHING = "-"


def score_tagger(
    gold: Path,
    answers: Path,
    tags: Path,
    skip_list: Path | None,
    scores_csv: Path,
    confusion_csv: Path,
    words_csv: Path,
    name: str,
    seed: int,
    resamples: int,
    confidence_level: float,
) -> None:
    """Compare one model's words with the annotators' in every run.

    `scores_csv`: counts and measures in percent per procedure and run, and the bootstrap interval of the F-score over
    sentences, all runs together; if answers are missing, one row with the reason. `confusion_csv`: annotated and found
    attributes of each word (`-`: missed, or extra). `words_csv`: every annotated word, hardest first. The last two are
    by the corrected procedure, summed over all runs.
    """
    metadata = read_metadata(tags)
    labels = {"gold": name, "tagger": metadata["tagger"]}
    if metadata["missing"]:
        for path, columns in (
            (scores_csv, SCORE_COLUMNS),
            (confusion_csv, CONFUSION_COLUMNS),
            (words_csv, WORD_COLUMNS),
        ):
            write_csv(pd.DataFrame(columns=columns), path)
        reason = pd.DataFrame([labels | {"reason": metadata["reason"]}], columns=SCORE_COLUMNS)
        write_csv(reason, scores_csv)
        return
    sentences = read_gold(gold)
    skipped = read_skip_list(skip_list)
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
            terms[:, 0][None], terms[:, 1][None], resamples, confidence_level,
            random_generator(seed, "f_score", *labels.values()),
        )  # fmt: skip
        for run, agreements in enumerate(per_sentence):
            total = sum(agreements, Agreement())
            measures = {measure: 100 * value for measure, value in vars(score(total)).items()}
            ends = {"f1_low": 100 * interval.low, "f1_high": 100 * interval.high}
            key = labels | {"procedure": procedure, "run": run}
            rows.append(key | vars(total) | measures | ends | _unread(metadata) | {"reason": ""})
    write_csv(pd.DataFrame(rows, columns=SCORE_COLUMNS), scores_csv)
    labels |= {"runs": metadata["runs"]}
    every = [one for run in matched["corrected"] for one in run]
    write_csv(pd.DataFrame([labels | row for row in _confusion(every)], columns=CONFUSION_COLUMNS), confusion_csv)
    write_csv(pd.DataFrame([labels | row for row in _words(every)], columns=WORD_COLUMNS), words_csv)


def _unread(metadata: dict[str, Any]) -> dict[str, int]:
    """Return how many answers of all runs gave no words because they were errors or could not be read, or were cut."""
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
        pairs.update((*gold[1:], *found[1:]) for gold, found in [*one.correct, *one.incorrect])
        pairs.update((*gold[1:], *nothing) for gold in one.missed)
        pairs.update((*nothing, *found[1:]) for found in one.extra)
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


def tabulate_scores(scores: list[Path], table_csv: Path, table_latex: Path, procedure: str) -> None:
    """Write mean and sample standard deviation over runs of every measure, in percent (the paper's Table 4 and ours).

    The interval of the paper's F-score is a bootstrap over sentences. Models without all answers have no row.
    """
    frame = pd.concat([pd.read_csv(path) for path in scores], ignore_index=True)
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
        label=f"tab:validation-{procedure}",
    )


def _mean_and_sd(table: pd.DataFrame, measure: str) -> list[str]:
    pairs = zip(table[measure], table[f"{measure}_sd"], strict=True)
    return [f"{mean:.2f}" if np.isnan(sd) else f"{mean:.2f} ± {sd:.2f}" for mean, sd in pairs]


def tabulate_errors(confusion: list[Path], words: list[Path], confusion_csv: Path, hardest_csv: Path) -> None:
    """Join the confusion tables, and the lists of annotated words, of all gold files and models."""
    for parts, table in ((confusion, confusion_csv), (words, hardest_csv)):
        # "nan" and "null" are words, too.
        write_csv(pd.concat([pd.read_csv(path, keep_default_na=False) for path in parts], ignore_index=True), table)
