"""Evaluate gender classification, and the recall by gender of the titles that the authors' models found (Table 6)."""

from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.counting.statistics import share, wilson_interval
from textparity.errors import InputError, TableError
from textparity.files import read_lines
from textparity.tables import write_csv, write_latex
from textparity.tsv import read_tsv
from textparity_studies.swapping.entity_corpora import read_documents
from textparity_studies.swapping.gender.classification import GenderClassifier, load_classifier
from textparity_studies.swapping.names import ALL, COMMON, GENDER_PROCEDURES, GENDERS, JOB, LABELS, PERS, TEST

# The lists as recorded, and without their excess over the test set.
AS_RECORDED, ONCE = "as recorded", "each once"
COLUMNS = ("entity", "label", "gender", "held_out", "note")
# The half of the entities whose errors are never inspected, and the other half.
HELD_OUT, SEEN = "held out", "seen"
_PARTS = {"yes": HELD_OUT, "no": SEEN}


def evaluate_genders(
    gold: Path,
    found: list[Path],
    missed: list[Path],
    models: list[str],
    documents: list[Path],
    entities: list[Path],
    quality_csv: Path,
    quality_latex: Path,
    errors_csv: Path,
    confidence_level: float,
    stanza_folder: str,
    recall_csv: Path | None = None,
    recall_latex: Path | None = None,
    **gender_lists: Path,
) -> None:
    """Score the procedures on annotated entities, and measure the recall of recorded titles if there are any."""
    classifier = load_classifier(stanza_folder, **gender_lists)
    score_genders(gold, classifier, quality_csv, quality_latex, errors_csv, confidence_level)
    if recall_csv and recall_latex:
        measure_recorded_recall(
            found, missed, models, documents, entities, classifier, recall_csv, recall_latex, confidence_level
        )


def measure_recorded_recall(
    found: list[Path],
    missed: list[Path],
    models: list[str],
    documents: list[Path],
    entities: list[Path],
    classifier: GenderClassifier,
    recall_csv: Path,
    recall_latex: Path,
    confidence_level: float,
) -> None:
    """Write the recall of titles by model, gender, procedure and state of the lists, with Wilson intervals.

    The intervals ignore that titles share documents, because the lists do not name a title's document.

    `found` and `missed` have a title per line, and a file for each of `models`. `documents` and `entities` belong to
    the corpora with the lists' test sets. The first lines of the lists are duplicates (see `drop_repeated`).
    """
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
    measured = ["recall", "recall_low", "recall_high"]
    counted = ["true_positives", "false_negatives"]
    columns = ["model", "records", "procedure", "method", "gender", *counted, *measured]
    table = pd.DataFrame(rows, columns=columns)
    write_csv(table, recall_csv)
    write_latex(
        table.drop(columns="method"),
        recall_latex,
        caption="Recall of titles by gender, from the authors' recorded lists.",
        formats=dict.fromkeys(measured, "{:.2f}"),
    )


def drop_repeated(found: list[str], missed: list[str], titles: Counter[str]) -> tuple[list[str], list[str]]:
    """Remove each title's excess over `titles`, the test set, from the beginnings of both lists.

    The authors' lists for the original model begin with 24 and 42 titles of an aborted run, followed by the complete
    run.
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
    titles = [" ".join(line.split()) for line in read_lines(path) if line.strip()]
    if not titles:
        raise InputError(f"{path}: has no titles; it needs one a line")
    return titles


def read_gender_gold(path: Path) -> pd.DataFrame:
    """Read annotated entities; `TableError` names the line of an invalid value or a duplicate entity."""
    rows = read_tsv(path, COLUMNS)
    seen = set()
    for line, row in enumerate(rows, start=2):
        for column, values in (("label", LABELS), ("gender", GENDERS), ("held_out", tuple(_PARTS))):
            if row[column] not in values:
                raise TableError(f"{path}, line {line}: {column} is {row[column]!r}; it must be {', '.join(values)}")
        if row["label"] == PERS and row["gender"] == COMMON:
            raise TableError(f"{path}, line {line}: a name has no common gender; write unknown")
        if (row["entity"], row["label"]) in seen:
            raise TableError(f"{path}, line {line}: {row['entity']} is a duplicate; keep one")
        seen.add((row["entity"], row["label"]))
    return pd.DataFrame(rows, columns=list(COLUMNS)).assign(part=lambda found: found["held_out"].map(_PARTS))


def score_genders(
    gold: Path,
    classifier: GenderClassifier,
    quality_csv: Path,
    quality_latex: Path,
    errors_csv: Path,
    confidence_level: float,
) -> None:
    """Write precision and recall of each gender by procedure with Wilson intervals, and every error on seen entities.

    Each entity is annotated once, whatever its documents, so the intervals apply to entities, not to texts.

    Errors on the held-out half are not listed, so that nobody writes rules to fit them.
    """
    annotated = read_gender_gold(gold)
    predicted = [
        classifier.genders(label, text) for text, label in zip(annotated["entity"], annotated["label"], strict=True)
    ]
    parts = [
        annotated.assign(procedure=procedure, predicted=[genders[procedure] for genders in predicted])
        for procedure in GENDER_PROCEDURES
    ]
    rows = pd.concat(parts)
    table = pd.DataFrame(_scores(rows, confidence_level)).assign(method=classifier.method)
    write_csv(table, quality_csv)
    wrong = rows[(rows["gender"] != rows["predicted"]) & (rows["part"] == SEEN)]
    write_csv(wrong[["label", "entity", "gender", "procedure", "predicted", "note"]], errors_csv)
    shown = table[table["entities"] == HELD_OUT].drop(columns=["entities", "method"])
    write_latex(
        shown,
        quality_latex,
        caption="Precision and recall of each gender on the held-out half of the annotated entities.",
        formats=dict.fromkeys([name for name in shown if name.startswith(("precision", "recall"))], "{:.2f}"),
    )


def _scores(rows: pd.DataFrame, confidence_level: float) -> list[dict[str, Any]]:
    """Compute a row for each gender, and one for all, in which precision and recall are the share of correct ones."""
    scores: list[dict[str, Any]] = []
    for part in (HELD_OUT, SEEN):
        for label in LABELS:
            for procedure in GENDER_PROCEDURES:
                chosen = rows[(rows["part"] == part) & (rows["label"] == label) & (rows["procedure"] == procedure)]
                is_true = chosen["gender"] == chosen["predicted"]
                for gender in (*GENDERS, ALL):
                    is_gold, is_predicted = (
                        (chosen[column] == gender) | (gender == ALL) for column in ("gender", "predicted")
                    )
                    if not is_gold.any() and not is_predicted.any():
                        continue
                    true_positives = int((is_true & is_gold).sum())
                    key = {"entities": part, "label": label, "procedure": procedure, "gender": gender}
                    numbers = {
                        "gold": int(is_gold.sum()),
                        "predicted": int(is_predicted.sum()),
                        "true_positives": true_positives,
                    }
                    scores.append(key | numbers | _measures(**numbers, confidence_level=confidence_level))
    return scores


def _measures(gold: int, predicted: int, true_positives: int, confidence_level: float) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, whole in (("precision", predicted), ("recall", gold)):
        interval = wilson_interval(true_positives, whole, confidence_level)
        found |= {name: share(true_positives, whole), f"{name}_low": interval.low, f"{name}_high": interval.high}
    return found
