"""Analyse the printed tables of Muller 2023 alone: verdicts by several readings, §5.1's counts, averages.

python resources/lexicon/kept/printed_tables.py

We ran it once; claims and the ledger quote the three tables that it writes to its own folder.

A cell that is unreadable in our copy of the paper could have any value, so counts have a lower and an upper bound.
"""

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pandas as pd

from textparity.estimating.gaps import standard_error_of_difference
from textparity.estimating.intervals import mean_interval
from textparity_studies.lexicon.readings import (
    AVERAGE,
    ONE_UNIT,
    READINGS,
    WITHOUT_ERROR,
    Cells,
    beyond_two_errors,
    read_verdict,
)
from textparity_studies.report.catalogue import write_kept
from textparity_studies.report.ledger import PublishedNumber, read_published

FOLDER = Path(__file__).parent
PUBLISHED = FOLDER.parent / "published.csv"
SIDES = ("masculine", "feminine", "balanced")
CORPORA = {"3": "FLORES-200", "4": "NTREX-128", "5": "Common Crawl"}
FLORES, NTREX, CRAWL = CORPORA.values()
LEAD = "masculine - feminine"
# The lexicons of these languages list "-" as a form, which counts every hyphen that a tokenizer separates.
SIGN_LANGUAGES = ("jpn", "pes", "tam", "tha")
# The level of intervals for the mean of a column over languages.
CONFIDENCE_LEVEL = 0.95
_AVERAGE_COLUMNS = [
    "corpus", "column", "rows", "unread", "printed_average", "mean_of_read", "mean_of_read_low", "mean_of_read_high",
    "is_mean", "rest_low", "rest_high",
]  # fmt: skip

Sides = Mapping[str, str]
"""The verdict on one language by corpus; a corpus whose table does not have the language is not there."""


def _recomputed(cells: Cells) -> str:
    words = round(cells["words"])
    feminine, masculine = (round(cells[name] / 100 * words) for name in ("feminine", "masculine"))
    # The number of words of both genders is not printed; it would reduce the error.
    return beyond_two_errors(cells, 100 * standard_error_of_difference(feminine, masculine, 0, words))


# Errors are printed with one digit, which changes the verdict on borderline languages.
PRINTED_READINGS = READINGS | {f"{ONE_UNIT}, recomputed error": _recomputed}


@dataclass(frozen=True)
class _Sentence:
    """Hold a sentence of §5.1 that counts languages: those of `named` (any, if empty) whose verdicts satisfy `such`."""

    says: str
    such: Callable[[Sides], bool]
    named: str = ""
    row: str = ""
    column: str = ""


def _everywhere(sides: Sides) -> bool:
    return [sides.get(corpus) for corpus in CORPORA.values()] == ["masculine"] * len(CORPORA)


_SENTENCES = [
    _Sentence("masculine in NTREX", lambda sides: sides.get(NTREX) == "masculine", row="ntrex",
              column="masculine_languages"),
    _Sentence("named as masculine in NTREX", lambda sides: sides.get(NTREX) == "masculine",
              named="eng arb fra spa vie pan"),
    _Sentence("named as balanced in NTREX", lambda sides: sides.get(NTREX) == "balanced", named="dan"),
    _Sentence("masculine in all three", _everywhere, row="all corpora", column="masculine_languages"),
    _Sentence("named as masculine in all three", _everywhere, named="spa fra cat ita bel ind pan"),
    _Sentence("named as masculine in NTREX and feminine in Common Crawl",
              lambda sides: (sides.get(NTREX), sides.get(CRAWL)) == ("masculine", "feminine"), named="lit"),
    _Sentence("changing drastically, if that is from masculine to feminine or back",
              lambda sides: {"masculine", "feminine"} <= {*sides.values()}, row="any two corpora",
              column="changing_languages"),
    _Sentence("changing drastically, if that is another verdict", lambda sides: len({*sides.values()}) > 1,
              row="any two corpora", column="changing_languages"),
]  # fmt: skip


def main() -> None:
    """Write the three tables.

    `verdicts`: the number of languages with each verdict, by corpus and reading (`PRINTED_READINGS`); `unread` are
    those with an unreadable cell. `sentences`: see `compare_sentences`. `averages`: whether the printed average is the
    mean of the printed rows (see `check_average`); the interval of `mean_of_read` is Student's, over languages. Two
    further rows per corpus have the difference of two columns, with and without `SIGN_LANGUAGES`.
    """
    numbers = read_published(PUBLISHED)
    counts = [
        _count(corpus, reading, list(found.values()))
        for reading in PRINTED_READINGS
        for corpus, found in _verdicts(numbers, reading).items()
    ]
    order = list(CORPORA.values())
    in_order = pd.DataFrame(counts).sort_values("corpus", kind="stable", key=lambda corpora: corpora.map(order.index))
    checks = [
        {"corpus": corpus} | check
        for number, corpus in CORPORA.items()
        for check in _check_averages(_columns(numbers, number), _table(numbers, number).drop(index=AVERAGE))
    ]
    for name, frame in (
        ("printed_verdicts", in_order),
        ("printed_sentences", pd.DataFrame(compare_sentences(numbers))),
        ("printed_averages", pd.DataFrame(checks, columns=_AVERAGE_COLUMNS)),
    ):
        write_kept(frame, FOLDER / f"{name}.csv", [PUBLISHED])


def compare_sentences(numbers: list[PublishedNumber]) -> list[dict[str, object]]:
    """Compare the sentences of §5.1 with the printed tables, a row per reading and sentence.

    `printed` is the number of languages that §5.1 counts or names; `row` and `column` are those of the published number
    that counts them. `low` and `high` are the bounds by the reading, and `fits` is true if `printed` lies between them.
    """
    counted = {(number.row, number.column): float(number.value) for number in numbers if number.table == "§5.1"}
    compared = []
    for reading in PRINTED_READINGS:
        found = _verdicts(numbers, reading)
        for sentence in _SENTENCES:
            printed = len(sentence.named.split()) or int(counted[sentence.row, sentence.column])
            low, high = _range(sentence, reading, found)
            fits = "yes" if low <= printed <= high else "no"
            compared.append({
                "sentence": sentence.says, "reading": reading, "printed": printed, "low": low, "high": high,
                "fits": fits, "row": sentence.row, "column": sentence.column,
            })  # fmt: skip
    return compared


def _check_averages(columns: Mapping[str, Mapping[str, str]], rows: pd.DataFrame) -> Iterator[dict[str, object]]:
    for column, cells in columns.items():
        yield check_average(cells, len(rows)) | {"column": column}
    lead = (rows["masculine"] - rows["feminine"]).dropna()
    averages = (float(columns[name][AVERAGE]) for name in ("masculine", "feminine"))
    yield _mean_of_read(lead, len(rows)) | {"column": LEAD, "printed_average": operator.sub(*averages)}
    others = rows.index.difference(SIGN_LANGUAGES)
    without_signs = lead[lead.index.isin(others)]
    yield _mean_of_read(without_signs, len(others)) | {"column": f"{LEAD}, without {' '.join(SIGN_LANGUAGES)}"}


def check_average(cells: Mapping[str, str], rows: int) -> dict[str, object]:
    """Compare the average printed below a column with the mean of the cells above it.

    `cells` are the readable ones, as printed; `rows` also counts the others. `rest_low` and `rest_high` bound the sum
    of the unreadable cells if the average is the mean of the rows, whatever the rounding. If all cells are readable,
    `is_mean` is true if that range contains 0.
    """
    read = pd.Series({row: float(cell) for row, cell in cells.items() if row != AVERAGE})
    # Whole numbers are counts, which are not rounded, except for their average.
    rounded = sum(_rounding(cell) for row, cell in cells.items() if row != AVERAGE and "." in cell)
    average = float(cells.get(AVERAGE, math.nan))
    middle = rows * average - read.sum()
    half = rows * _rounding(cells.get(AVERAGE, "")) + rounded
    rest = {"rest_low": middle - half, "rest_high": middle + half}
    is_mean = "cannot be told"
    if len(read) == rows and AVERAGE in cells:
        is_mean = "yes" if rest["rest_low"] <= 0 <= rest["rest_high"] else "no"
    return _mean_of_read(read, rows) | {"printed_average": average, "is_mean": is_mean} | rest


def _mean_of_read(read: pd.Series, rows: int) -> dict[str, object]:
    interval = mean_interval(read.to_numpy(), CONFIDENCE_LEVEL)
    return {
        "rows": rows, "unread": rows - len(read),
        "mean_of_read": read.mean(), "mean_of_read_low": interval.low, "mean_of_read_high": interval.high,
    }  # fmt: skip


def _rounding(cell: str) -> float:
    """Compute the largest rounding error of a printed cell."""
    return 0.5 * 10.0 ** -len(cell.partition(".")[2])


def _table(numbers: list[PublishedNumber], table: str) -> pd.DataFrame:
    return pd.DataFrame(
        {column: pd.Series(cells, dtype=str).astype(float) for column, cells in _columns(numbers, table).items()}
    )


def _columns(numbers: list[PublishedNumber], table: str) -> dict[str, dict[str, str]]:
    """Collect the readable cells of a table, as printed: column -> row -> cell."""
    columns: dict[str, dict[str, str]] = {}
    for number in numbers:
        if number.table == table:
            column = columns.setdefault(number.column, {})
            if number.value:
                column[number.row] = number.value
    return columns


def _verdicts(numbers: list[PublishedNumber], reading: str) -> dict[str, dict[str, str]]:
    """Compute corpus -> language -> verdict by a reading, empty if the row is unreadable."""
    rows = {corpus: _table(numbers, number).drop(index=AVERAGE, errors="ignore") for number, corpus in CORPORA.items()}
    return {
        corpus: {lang: read_verdict(PRINTED_READINGS[reading], cells) for lang, cells in table.iterrows()}
        for corpus, table in rows.items()
    }


def _count(corpus: str, reading: str, found: list[str]) -> dict[str, object]:
    row: dict[str, object] = {"corpus": corpus, "reading": reading}
    return row | {side: found.count(side) for side in SIDES} | {"unread": found.count(""), "languages": len(found)}


def _range(sentence: _Sentence, reading: str, found: Mapping[str, Mapping[str, str]]) -> tuple[int, int]:
    """Count the languages that agree with a sentence, as a lower and an upper bound."""
    langs = sentence.named.split() or sorted({lang for of_corpus in found.values() for lang in of_corpus})
    options = SIDES[:2] if reading == WITHOUT_ERROR else SIDES
    possible = []
    for lang in langs:
        sides = {corpus: of_corpus[lang] for corpus, of_corpus in found.items() if lang in of_corpus}
        chosen = product(*((side,) if side else options for side in sides.values()))
        possible.append([sentence.such(dict(zip(sides, one, strict=True))) for one in chosen])
    return sum(map(all, possible)), sum(map(any, possible))


if __name__ == "__main__":
    main()
