"""The ledger rows of Derner 2025, §4 and App. C, D, I."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity.measures.gender_ratios import RATIO
from textparity.measures.procedures import PROCEDURES
from textparity.report.ledger import (
    NOT_ASKED,
    LedgerRow,
    PublishedNumber,
    judge,
    list_gaps,
    read_published,
    write_ledger,
)

STUDY = "representation"
PAPER_TAGGER = "gpt-4-turbo"
_PAPER_RUNS = 5
_TOLERANCE = 0.05
_ENGLISH, _SPANISH, _VALENCIAN = "eng", "spa", "cat"
_POLARITY = {
    ("1", "english_masculine_per_feminine"): "masculine_per_feminine",
    ("7", "masculine"): "masculine",
    ("7", "feminine"): "feminine",
    ("7", "masculine_per_feminine"): "masculine_per_feminine",
}
_NOT_PART = f"{NOT_ASKED}: the corpus is not part of this run"
_WHITE_SPACE = "published splits at white space only, so a word with a mark beside it does not count"
# Tables counted by a language model: the language they are about.
_TAGGED = {"1": _SPANISH, "2": _VALENCIAN, "5": _SPANISH, "6": _VALENCIAN}
_RATIO_COLUMNS = {"spanish_person_masculine_per_feminine", "person_masculine_per_feminine"}
_EPICENE = ("10", "App. I")


@dataclass(frozen=True)
class _Found:
    """Our values by procedure and what is other in our setup, or why there are none."""

    values: Mapping[str, float] | None = None
    reason: str = ""
    setup: str = ""


@dataclass(frozen=True)
class _Results:
    """What this run has measured, and what it left out (by the paper's names)."""

    polarity: pd.DataFrame
    tags: pd.DataFrame
    scores: pd.DataFrame
    epicene: pd.DataFrame
    gaps: dict[tuple[str, str], str]
    gold_tables: dict[str, str]
    samples: frozenset[str]


def build_representation_ledger(
    published: Path,
    polarity: list[Path],
    tags: list[Path],
    scores: list[Path],
    epicene: list[Path],
    gaps: Path,
    ledger: Path,
    not_run: list[list[str]],
    corpus_names: dict[str, str],
    gold_tables: dict[str, str],
) -> None:
    """Write one row for each published number, and to `gaps` what is `not_run`.

    `polarity`, `tags`, `scores` and `epicene` are lists of no or one file. `corpus_names` are the paper's names
    of the corpora, `gold_tables` the gold files that stand for the paper's, by its table.
    """
    list_gaps(gaps, not_run)
    numbers = read_published(published)
    results = _Results(
        polarity=_named(polarity, corpus_names, ["corpus", "procedure"]),
        tags=_named(tags, corpus_names, ["corpus", "lang", "tagger", "procedure", "reason"]),
        scores=_join(
            [pd.read_csv(path, dtype={"reason": str}) for path in scores], ["gold", "tagger", "procedure", "reason"]
        ),
        epicene=_join(
            [pd.read_csv(path) for path in epicene], ["lang", "word", "gender", "frequency", "percent_of_person"]
        ),
        gaps={(corpus_names.get(name, name), lang): reason for name, lang, _, reason in not_run},
        gold_tables=gold_tables,
        samples=frozenset(number.row for number in numbers if number.table == "5"),
    )
    write_ledger([_judge(number, results) for number in numbers], ledger)


def _named(paths: list[Path], corpus_names: dict[str, str], columns: list[str]) -> pd.DataFrame:
    frame = _join([read_rows(path).to_pandas() for path in paths], columns)
    return frame.assign(corpus=frame["corpus"].map(corpus_names))


def _join(frames: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _judge(number: PublishedNumber, results: _Results) -> LedgerRow:
    if (number.table, number.column) in _POLARITY:
        found = _polarity(number, results)
    elif number.table in _TAGGED:
        found = _tagged(number, results)
    elif number.table in results.gold_tables:
        found = _scored(number, results)
    elif number.table in _EPICENE:
        found = _epicene(number, results)
    else:
        found = _Found(reason=f"{NOT_ASKED}: no row of the gold table stands for {number.table}")
    published, corrected = (found.values.get(procedure) if found.values else None for procedure in PROCEDURES)
    return judge(STUDY, number, published, corrected, _TOLERANCE, found.reason, found.setup)


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
        nothing = f"{NOT_ASKED}: no language model is named in representation.corpus_tagger"
        return _not_run(number.row, lang, results, nothing if results.tags.empty else _NOT_PART)
    if reason := rows["reason"].iloc[0]:
        return _Found(reason=reason)
    column = RATIO if number.column in _RATIO_COLUMNS else number.column
    tagger = rows["tagger"].iloc[0]
    return _Found(_by_procedure(rows, column), f"tagged by {tagger}", _other_tagger(tagger))


def _scored(number: PublishedNumber, results: _Results) -> _Found:
    gold = results.gold_tables[number.table]
    rows = results.scores[(results.scores["gold"] == gold) & (results.scores["tagger"] == number.row)]
    if rows.empty:
        reasons = [reason for (name, _), reason in results.gaps.items() if name == gold]
        not_asked = f"{NOT_ASKED}: {number.row} is not in representation.taggers"
        return _Found(reason=reasons[0] if reasons else not_asked)
    if isinstance(reason := rows["reason"].iloc[0], str):
        return _Found(reason=reason)
    runs = rows["run"].nunique()
    measure, is_deviation = number.column.removesuffix("_sd"), number.column.endswith("_sd")
    if is_deviation and runs < 2:
        return _Found(reason=f"{NOT_ASKED}: a standard deviation needs two runs; {number.row} was asked once")
    per_run = rows.groupby("procedure")[measure]
    values = per_run.std(ddof=1) if is_deviation else per_run.mean()
    setup = "" if runs == _PAPER_RUNS else f"{runs} runs, the paper {_PAPER_RUNS}"
    return _Found(values.to_dict(), f"{runs} runs of {number.row}", setup)


def _epicene(number: PublishedNumber, results: _Results) -> _Found:
    tagged = results.tags[results.tags["lang"] == _SPANISH]
    if not set(tagged["corpus"]) & results.samples:
        return _Found(reason=f"{NOT_ASKED}: no Spanish sample of the paper was tagged by a language model")
    corpora = set(tagged[tagged["reason"] == ""]["corpus"])
    if not corpora:
        return _Found(reason=tagged["reason"].iloc[0])
    rows = results.epicene[results.epicene["lang"] == _SPANISH]
    if number.column == "epicene_percent_of_person":
        value = rows["percent_of_person"].sum()
    else:
        chosen = rows[rows["gender"] == number.column.rpartition("_")[2]]
        value = (chosen if number.row == "all" else chosen[chosen["word"] == number.row])["frequency"].sum()
    tagger = tagged["tagger"].iloc[0]
    others = "" if corpora == results.samples else f"over {', '.join(sorted(corpora))}, the paper over all of Table 5"
    setup = "; ".join(filter(None, [_other_tagger(tagger), others]))
    return _Found(dict.fromkeys(PROCEDURES, float(value)), f"counted once, as corrected; tagged by {tagger}", setup)


def _by_procedure(rows: pd.DataFrame, column: str) -> dict[str, float]:
    return {row["procedure"]: float(row[column]) for _, row in rows.iterrows()}


def _not_run(corpus: str, lang: str, results: _Results, why: str = _NOT_PART) -> _Found:
    return _Found(reason=results.gaps.get((corpus, lang), why))


def _other_tagger(tagger: str) -> str:
    return "" if tagger == PAPER_TAGGER else f"tagged by {tagger}, the paper by {PAPER_TAGGER}"
