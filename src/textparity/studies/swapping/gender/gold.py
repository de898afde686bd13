"""How right the procedures are on annotated titles and names."""

from pathlib import Path
from typing import Any

import pandas as pd

from textparity.errors import TableError
from textparity.measures.statistics import share, wilson_interval
from textparity.report.tables import write_csv, write_latex
from textparity.studies.swapping.gender.classification import load_classifier
from textparity.studies.swapping.labels import LABELS, PERS
from textparity.studies.swapping.names import COMMON, GENDER_PROCEDURES, GENDERS
from textparity.workflow.registry import read_tsv

COLUMNS = ("entity", "label", "gender", "held_out", "note")
# The half of the entities whose errors nobody looks at, and the other.
HELD_OUT, SEEN = "held out", "seen"
ALL = "all"
_PARTS = {"yes": HELD_OUT, "no": SEEN}


def read_gender_gold(path: Path) -> pd.DataFrame:
    """Read annotated entities; `TableError` naming the line for a value that there is not, or an entity twice."""
    rows = read_tsv(path, COLUMNS)
    seen = set()
    for line, row in enumerate(rows, start=2):
        for column, values in (("label", LABELS), ("gender", GENDERS), ("held_out", tuple(_PARTS))):
            if row[column] not in values:
                raise TableError(f"{path}, line {line}: {column} is {row[column]!r}; it must be {', '.join(values)}")
        if row["label"] == PERS and row["gender"] == COMMON:
            raise TableError(f"{path}, line {line}: a name has no common gender; write unknown")
        if (row["entity"], row["label"]) in seen:
            raise TableError(f"{path}, line {line}: {row['entity']} stands twice; keep one")
        seen.add((row["entity"], row["label"]))
    return pd.DataFrame(rows, columns=list(COLUMNS)).assign(part=lambda found: found["held_out"].map(_PARTS))


def score_genders(
    gold: Path,
    gender_pairs: Path,
    common_gender_words: Path,
    feminine_names: Path,
    masculine_names: Path,
    exceptions: Path,
    quality_csv: Path,
    quality_latex: Path,
    errors_csv: Path,
    stanza_folder: str,
    confidence_level: float,
) -> None:
    """Write precision and recall of each gender by procedure with Wilson intervals, and every error on seen entities.

    Errors on the held-out half are not listed, so that nobody makes rules with them.
    """
    classifier = load_classifier(
        gender_pairs, common_gender_words, feminine_names, masculine_names, exceptions, stanza_folder
    )
    annotated = read_gender_gold(gold)
    given = [
        classifier.genders(label, text) for text, label in zip(annotated["entity"], annotated["label"], strict=True)
    ]
    parts = [
        annotated.assign(procedure=procedure, given=[genders[procedure] for genders in given])
        for procedure in GENDER_PROCEDURES
    ]
    rows = pd.concat(parts)
    table = pd.DataFrame(_scores(rows, confidence_level)).assign(method=classifier.method)
    write_csv(table, quality_csv)
    wrong = rows[(rows["gender"] != rows["given"]) & (rows["part"] == SEEN)]
    write_csv(wrong[["label", "entity", "gender", "procedure", "given", "note"]], errors_csv)
    shown = table[table["entities"] == HELD_OUT].drop(columns=["entities", "method"])
    write_latex(
        shown,
        quality_latex,
        caption="Precision and recall of each gender on the held-out half of the annotated entities.",
        label="tab:gender-quality",
        formats=dict.fromkeys([name for name in shown if name.startswith(("precision", "recall"))], "{:.2f}"),
    )


def _scores(rows: pd.DataFrame, confidence_level: float) -> list[dict[str, Any]]:
    """Return a row for each gender, and for all: there, precision and recall are the share that is right."""
    scores: list[dict[str, Any]] = []
    for part in (HELD_OUT, SEEN):
        for label in LABELS:
            for procedure in GENDER_PROCEDURES:
                chosen = rows[(rows["part"] == part) & (rows["label"] == label) & (rows["procedure"] == procedure)]
                right = chosen["gender"] == chosen["given"]
                for gender in (*GENDERS, ALL):
                    is_gold, is_given = ((chosen[column] == gender) | (gender == ALL) for column in ("gender", "given"))
                    if not is_gold.any() and not is_given.any():
                        continue
                    hits = int((right & is_gold).sum())
                    key = {"entities": part, "label": label, "procedure": procedure, "gender": gender}
                    numbers = {"gold": int(is_gold.sum()), "given": int(is_given.sum()), "right": hits}
                    scores.append(key | numbers | _measures(hits, is_given.sum(), is_gold.sum(), confidence_level))
    return scores


def _measures(hits: int, given: int, gold: int, confidence_level: float) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, whole in (("precision", int(given)), ("recall", int(gold))):
        interval = wilson_interval(hits, whole, confidence_level)
        found |= {name: share(hits, whole), f"{name}_low": interval.low, f"{name}_high": interval.high}
    return found
