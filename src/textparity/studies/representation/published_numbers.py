"""What follows from the paper's own printed numbers (Derner 2025, Tables 4 to 6, App. C and I), without counting.

Scores: the labelled F-score, which counts words found with a wrong mark against the model, as App. C's does not.
Totals: the words of Tables 5 and 6 by gender and by reference, equal if each line of an answer has both marks. Epicene
words: what they are of the person words of a gender, and the ratio without them.
"""

from pathlib import Path

import pandas as pd

from textparity.measures.statistics import percentage
from textparity.report.ledger import PublishedNumber, read_published
from textparity.report.tables import write_csv
from textparity.studies.representation.tags import GENDERS
from textparity.studies.representation.validation import f_score

SPANISH_TABLE = "5"
_SCORE_TABLES = ("4", "App. C")
_COUNT_TABLES = (SPANISH_TABLE, "6")
_EPICENE = ("App. I", "all")


def tabulate_published_numbers(published: Path, scores_csv: Path, totals_csv: Path, epicene_csv: Path) -> None:
    """Write the three tables from `published` (`resources/representation/published.csv`).

    `scores_csv`: table, tagger, printed scores in percent, and `labelled_f1` of the printed means. `totals_csv`: table,
    corpus, words by gender (M + F), by reference (N + P) and their difference. `epicene_csv`: person words of all
    Spanish samples together, all, epicene and the others, with masculine : feminine and their percentage by gender.
    """
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for number in read_published(published):
        rows.setdefault((number.table, number.row), {})[number.column] = _value(number)
    scores = [
        {"table": table, "tagger": tagger}
        | {name: cells[name] for name in ("accuracy", "precision", "recall", "f1")}
        | {"labelled_f1": f_score(cells["precision"], cells["accuracy"])}
        for (table, tagger), cells in rows.items()
        if table in _SCORE_TABLES
    ]
    totals = [
        {"table": table, "corpus": corpus}
        | {"by_gender": cells["masculine"] + cells["feminine"], "by_reference": cells["not_person"] + cells["person"]}
        for (table, corpus), cells in rows.items()
        if table in _COUNT_TABLES
    ]
    frame = pd.DataFrame(totals)
    write_csv(pd.DataFrame(scores), scores_csv)
    write_csv(frame.assign(difference=frame["by_gender"] - frame["by_reference"]), totals_csv)
    write_csv(_epicene(rows), epicene_csv)


def _value(number: PublishedNumber) -> float:
    return float(number.value) if number.value else float("nan")


def _epicene(rows: dict[tuple[str, str], dict[str, float]]) -> pd.DataFrame:
    spanish = [cells for (table, _), cells in rows.items() if table == SPANISH_TABLE]
    genders = list(GENDERS.values())
    every = {gender: sum(cells[f"person_{gender}"] for cells in spanish) for gender in genders}
    epicene = {gender: rows[_EPICENE][f"epicene_{gender}"] for gender in genders}
    others = {gender: every[gender] - epicene[gender] for gender in genders}
    table = pd.DataFrame(
        [{"words": words} | counts for words, counts in (("all", every), ("epicene", epicene), ("others", others))]
    )
    table["masculine_per_feminine"] = table["masculine"] / table["feminine"]
    for gender in genders:
        table[f"{gender}_percent"] = [percentage(count, every[gender]) for count in table[gender]]
    return table
