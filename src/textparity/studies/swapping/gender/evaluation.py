"""Recall of titles by gender from the recorded lists (Nahurna and Romanyshyn 2025, formula 1 and Table 6)."""

from collections import Counter
from pathlib import Path

import pandas as pd

from textparity.errors import InputError
from textparity.measures.statistics import share, wilson_interval
from textparity.report.tables import write_csv, write_latex
from textparity.studies.swapping.corpus_names import TEST
from textparity.studies.swapping.entity_corpora import read_documents
from textparity.studies.swapping.gender.classification import load_classifier
from textparity.studies.swapping.labels import JOB
from textparity.studies.swapping.names import GENDER_PROCEDURES, GENDERS

# The lists as they are, and without what they have more often than the test set.
AS_RECORDED, ONCE = "as recorded", "each once"
ALL = "all"


def measure_recorded_recall(
    found: list[Path],
    missed: list[Path],
    models: list[str],
    documents: list[Path],
    entities: list[Path],
    gender_pairs: Path,
    common_gender_words: Path,
    feminine_names: Path,
    masculine_names: Path,
    exceptions: Path,
    recall_csv: Path,
    recall_latex: Path,
    stanza_folder: str,
    confidence_level: float,
) -> None:
    """Write the recall of titles by model, gender, procedure and state of the lists, with Wilson intervals.

    `found` and `missed` have a title a line, a file for each of `models`. `documents` and `entities` are those of the
    corpora whose test sets the lists are of: their first lines stand twice (see `drop_repeated`).
    """
    classifier = load_classifier(
        gender_pairs, common_gender_words, feminine_names, masculine_names, exceptions, stanza_folder
    )
    titles_of_test_sets = _count_titles(documents, entities)
    rows = []
    for model, *paths in zip(models, found, missed, strict=True):
        recorded = (_read(paths[0]), _read(paths[1]))
        states = {AS_RECORDED: recorded, ONCE: drop_repeated(*recorded, titles_of_test_sets)}
        for state, lists in states.items():
            genders = [[classifier.genders(JOB, title) for title in titles] for titles in lists]
            for procedure in GENDER_PROCEDURES:
                counts = [Counter(of_title[procedure] for of_title in titles) for titles in genders]
                for gender in (*GENDERS, ALL):
                    there, lost = (count.total() if gender == ALL else count[gender] for count in counts)
                    recall = _recall(there, lost, confidence_level)
                    rows.append([model, state, procedure, classifier.method, gender, there, lost, *recall])
    columns = [
        "model", "records", "procedure", "method", "gender", "found", "missed", "recall", "recall_low", "recall_high",
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=columns)
    write_csv(table, recall_csv)
    write_latex(
        table.drop(columns="method"),
        recall_latex,
        caption="Recall of titles by gender, from the authors' recorded lists.",
        label="tab:recorded-recall",
        formats=dict.fromkeys(columns[-3:], "{:.2f}"),
    )


def drop_repeated(found: list[str], missed: list[str], titles: Counter[str]) -> tuple[list[str], list[str]]:
    """Return both lists without what they have more often than `titles`, the test set, taken off their beginnings.

    The authors' lists of the original model begin with 24 and 42 titles of a run that was broken off; the whole run
    follows.
    """
    excess = Counter(found) + Counter(missed) - titles
    kept = []
    for recorded in (found, missed):
        place = 0
        while place < len(recorded) and excess[recorded[place]] > 0:
            excess[recorded[place]] -= 1
            place += 1
        kept.append(recorded[place:])
    return kept[0], kept[1]


def _recall(found: int, missed: int, confidence_level: float) -> tuple[float, float, float]:
    interval = wilson_interval(found, found + missed, confidence_level)
    return share(found, found + missed), interval.low, interval.high


def _count_titles(documents: list[Path], entities: list[Path]) -> Counter[str]:
    return Counter(
        " ".join(entity.text.split())
        for paths in zip(documents, entities, strict=True)
        for document in read_documents(*paths, split=TEST)
        for entity in document.entities
        if entity.label == JOB
    )


def _read(path: Path) -> list[str]:
    titles = [" ".join(line.split()) for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    if not titles:
        raise InputError(f"{path}: has no titles; it needs one a line")
    return titles
