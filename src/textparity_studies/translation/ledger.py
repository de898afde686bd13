"""Build the ledger rows of Stanovsky, Smith and Zettlemoyer 2019: the results that the authors recorded (logs/)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd

from textparity.estimating.estimates import percentage
from textparity.translating.scores import CORRECTED, MEASURES, PUBLISHED
from textparity_studies.report.ledger import (
    EXACT,
    Need,
    Reason,
    ReproducedValue,
    compare_to_published,
    join_remarks,
    read_published,
    write_ledger,
)
from textparity_studies.translation.tables import HUMAN

STUDY = "translation"
# Percentage points within which a number is called close: one for rules without a model or with the authors' words, two
# where our version of the model differs from theirs. ΔG is a difference of two numbers, and has twice that.
POINTS = {"deu": 1.0, "heb": 1.0, "rus": 1.0, "spa": 2.0, "fra": 2.0, "ita": 2.0, "ukr": 2.0}
# Why our numbers are not quite theirs, by language.
CAUSES = {
    "ukr": "a newer dictionary; with theirs, the numbers agree (kept/old_dictionary.csv)",
    "spa": "a newer pipeline",
    "fra": "a newer pipeline",
}
DELTA, SENTENCES = "delta_g", 3888


def build_translation_ledger(
    published: Path, scores: Path, confusion: Path, agreement: Path, ledger: Path, not_run: list[list[str]]
) -> None:
    """Write one row for each recorded number; it is not run for a translation that is not here, or has no rule here.

    `not_run` lists system, language, method (empty for all) and why.
    """
    ours = {
        key: values
        for table in (_scores(scores), _confusion(confusion), _agreement(agreement))
        for key, values in table
    }
    numbers = read_published(published)
    sizes: Counter[tuple[str, str, str]] = Counter()
    for number in numbers:
        gender, is_count, _ = number.column.partition("_found_")
        if is_count:
            sizes[number.table, number.row, gender] += int(number.value)
    reasons = {(system, lang): reason for system, lang, method, reason in not_run if not method}
    rows = []
    for number in numbers:
        value = float(number.value)
        points = POINTS[number.row] * (2 if number.column == DELTA else 1)
        # A count is as close as its percentage of the sentences of its gender; the authors' agreement is a share.
        gender, is_count, _ = number.column.partition("_found_")
        whole = sizes[number.table, number.row, gender] if is_count else 1 if number.table == HUMAN else 100
        width = points / 100 * (SENTENCES if number.column == "sentences" else whole)
        as_published, corrected = ours.get((number.table, number.row, number.column), (None, None))
        sentences, _ = ours.get((number.table, number.row, "sentences"), (None, None))
        setup = f"{sentences:,.0f} of {SENTENCES:,} sentences" if sentences and sentences < SENTENCES else ""
        tolerance = width / abs(value) if value else 0
        reproduced = ReproducedValue(as_published, corrected, tolerance, setup=setup)
        missing = Need(Reason.NOT_CONFIGURED, f"{number.table} in translation.systems, {number.row} in languages")
        why = CAUSES.get(number.row, "")
        if as_published is None:
            why = reasons.get((number.table, number.row), missing)
        row = compare_to_published(STUDY, number, reproduced, join_remarks(why, number.note))
        rows.append(replace(row, reason=number.note) if row.verdict == EXACT else row)
    write_ledger(rows, ledger)


_Values = tuple[tuple[str, str, str], tuple[float, float | None]]


def _scores(path: Path) -> Iterator[_Values]:
    for (system, lang), rows in pd.read_csv(path).groupby(["system", "lang"]):
        by_procedure = rows.set_index("procedure")
        for column in ("sentences", *MEASURES):
            values = by_procedure[column]
            yield (system, lang, column), (float(values[PUBLISHED]), float(values[CORRECTED]))


def _confusion(path: Path) -> Iterator[_Values]:
    for (system, lang), rows in pd.read_csv(path).groupby(["system", "lang"]):
        for gender, found, number in rows[["gender", "found", "sentences"]].itertuples(index=False):
            yield (system, lang, f"{gender}_found_{found}"), (float(number), None)
        for found, number in rows.groupby("found")["sentences"].sum().items():
            yield (system, lang, f"found_{found}"), (percentage(number, rows["sentences"].sum()), None)


def _agreement(path: Path) -> Iterator[_Values]:
    """The authors recorded the agreement of one system in each language, the first."""
    for lang, rows in pd.read_csv(path).groupby("lang"):
        values = rows.drop_duplicates("procedure").set_index("procedure")["agreement"]
        yield (HUMAN, lang, "agreement"), (values[PUBLISHED] / 100, values[CORRECTED] / 100)
