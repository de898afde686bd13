"""The ledger rows of Derner 2025, §4 and App. C, D, I."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity.ledger import LedgerRow, PublishedNumber, judge, read_published, write_ledger
from textparity.procedures import PROCEDURES
from textparity.representation_study.tag_tables import RATIO

STUDY = "representation"
PAPER_TAGGER = "gpt-4-turbo"
_TOLERANCE = 0.05
_ENGLISH, _SPANISH, _VALENCIAN = "eng", "spa", "cat"
_POLARITY = {
    ("1", "english_masculine_per_feminine"): "masculine_per_feminine",
    ("7", "masculine"): "masculine",
    ("7", "feminine"): "feminine",
    ("7", "masculine_per_feminine"): "masculine_per_feminine",
}
_WHITE_SPACE = "published splits at white space only, so a word with a mark beside it does not count"
# Tables counted by a language model: the language they are about.
_TAGGED = {"1": _SPANISH, "2": _VALENCIAN, "5": _SPANISH, "6": _VALENCIAN}
_RATIO_COLUMNS = {"spanish_person_masculine_per_feminine", "person_masculine_per_feminine"}
_SCORED = {"4": _SPANISH, "App. C": _VALENCIAN}
_EPICENE = ("10", "App. I")


@dataclass(frozen=True)
class _Found:
    """Our values by procedure, or why there are none."""

    values: Mapping[str, float] | None = None
    reason: str = ""


@dataclass(frozen=True)
class _Results:
    """What this run has measured, and what it left out (by the paper's names)."""

    polarity: pd.DataFrame
    tags: pd.DataFrame
    scores: pd.DataFrame
    epicene: pd.DataFrame
    gaps: dict[tuple[str, str], str]
    gold_langs: dict[str, str]


def build_representation_ledger(
    published: Path,
    polarity: list[Path],
    tags: list[Path],
    scores: list[Path],
    epicene: list[Path],
    gaps: Path,
    ledger: Path,
    corpus_names: dict[str, str],
    gold_langs: dict[str, str],
) -> None:
    """Write one row for each published number.

    `polarity`, `tags` and `epicene` are lists of no or one file. `corpus_names` are the paper's names of the corpora,
    `gold_langs` the languages of the gold files that stand for the paper's.
    """
    with gaps.open(encoding="utf-8", newline="") as file:
        left_out = {
            (corpus_names.get(row["corpus"], row["corpus"]), row["lang"]): row["reason"] for row in csv.DictReader(file)
        }
    results = _Results(
        polarity=_named(polarity, corpus_names, ["corpus", "procedure"]),
        tags=_named(tags, corpus_names, ["corpus", "lang", "tagger", "procedure", "reason"]),
        scores=_join([pd.read_csv(path) for path in scores], ["gold", "tagger", "procedure", "reason"]),
        epicene=_join([pd.read_csv(path) for path in epicene], ["lang", "tagger", "word", "gender", "frequency"]),
        gaps=left_out,
        gold_langs=gold_langs,
    )
    write_ledger([_judge(number, results) for number in read_published(published)], ledger)


def _named(paths: list[Path], corpus_names: dict[str, str], columns: list[str]) -> pd.DataFrame:
    frame = _join([pd.read_parquet(path) for path in paths], columns)
    return frame.assign(corpus=frame["corpus"].map(corpus_names))


def _join(frames: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _judge(number: PublishedNumber, results: _Results) -> LedgerRow:
    if (number.table, number.column) in _POLARITY:
        found = _polarity(number, results)
    elif number.table in _TAGGED:
        found = _tagged(number, results)
    elif number.table in _SCORED:
        found = _scored(number, results)
    else:
        found = _epicene(number, results)
    values = [found.values.get(procedure) for procedure in PROCEDURES] if found.values else [None, None]
    return judge(STUDY, number, *values, _TOLERANCE, found.reason)


def _polarity(number: PublishedNumber, results: _Results) -> _Found:
    rows = results.polarity[results.polarity["corpus"] == number.row]
    if rows.empty:
        return _not_run(number.row, _ENGLISH, results)
    column = _POLARITY[number.table, number.column]
    return _Found(_by_procedure(rows, column), _WHITE_SPACE)


def _tagged(number: PublishedNumber, results: _Results) -> _Found:
    lang = _TAGGED[number.table]
    rows = results.tags[(results.tags["corpus"] == number.row) & (results.tags["lang"] == lang)]
    if rows.empty:
        return _not_run(number.row, lang, results, "no language model is named in representation.corpus_tagger")
    if reason := rows["reason"].iloc[0]:
        return _Found(reason=reason)
    column = RATIO if number.column in _RATIO_COLUMNS else number.column
    return _Found(_by_procedure(rows, column), _tagged_by(rows["tagger"].iloc[0]))


def _scored(number: PublishedNumber, results: _Results) -> _Found:
    lang = _SCORED[number.table]
    langs = results.scores["gold"].map(results.gold_langs)
    rows = results.scores[(langs == lang) & (results.scores["tagger"] == number.row)]
    if rows.empty:
        return _Found(reason=f"{number.row} is not in representation.taggers")
    if reason := rows["reason"].fillna("").iloc[0]:
        return _Found(reason=reason)
    measure, is_deviation = number.column.removesuffix("_sd"), number.column.endswith("_sd")
    per_run = rows.groupby("procedure")[measure]
    values = per_run.std(ddof=1) if is_deviation else per_run.mean()
    return _Found(values.to_dict(), f"{rows['run'].nunique()} runs of {number.row}")


def _epicene(number: PublishedNumber, results: _Results) -> _Found:
    rows = results.epicene[results.epicene["lang"] == _SPANISH]
    if rows.empty:
        return _Found(reason="no Spanish corpus was tagged by a language model")
    if number.column == "epicene_percent_of_person":
        value = rows["percent_of_person"].sum()
    else:
        gender = number.column.rpartition("_")[2]
        chosen = rows[rows["gender"] == gender]
        value = (chosen if number.row == "all" else chosen[chosen["word"] == number.row])["frequency"].sum()
    # The paper counts them over all eight samples, by one procedure.
    corpora = results.tags[(results.tags["lang"] == _SPANISH) & (results.tags["reason"] == "")]["corpus"].nunique()
    reason = f"{corpora} corpora, the paper 8; {_tagged_by(rows['tagger'].iloc[0])}"
    return _Found(dict.fromkeys(PROCEDURES, float(value)), reason)


def _by_procedure(rows: pd.DataFrame, column: str) -> dict[str, float]:
    return {row["procedure"]: float(row[column]) for _, row in rows.iterrows()}


def _not_run(corpus: str, lang: str, results: _Results, why: str = "the corpus is not part of this run") -> _Found:
    return _Found(reason=results.gaps.get((corpus, lang), why))


def _tagged_by(tagger: str) -> str:
    return f"tagged by {tagger}" + ("" if tagger == PAPER_TAGGER else f", the paper by {PAPER_TAGGER}")
