"""Build the ledger rows of Derner 2025, §4 and App. C, D, I."""

import math
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity.counting import PROCEDURES
from textparity_studies.report.ledger import (
    Need,
    PublishedNumber,
    Reason,
    ReproducedValue,
    compare_to_published,
    join_remarks,
    list_gaps,
    read_published,
    write_ledger,
)

STUDY = "representation"
PAPER_TAGGER = "gpt-4-turbo"
_PAPER_RUNS = 5
_ENGLISH, _SPANISH, _VALENCIAN = "eng", "spa", "cat"
_TOLERANCE = 0.05
_NOT_PART = Need(Reason.NOT_CONFIGURED, "the corpus is not part of this run")
# Map each table that a language model counted to its language.
_TAGGED = {"1": _SPANISH, "2": _VALENCIAN, "5": _SPANISH, "6": _VALENCIAN}
_POLARITY, _EPICENE = "7", ("10", "App. I")
_SIZES = "§4.1"
_WHY_NO_SIZE = {
    "million_tokens": Need(Reason.UNPUBLISHED, "the bulletins that the samples were drawn from"),
    "million_sentence_pairs": Need(Reason.NOT_COMPUTED, "the number of sentence pairs in an archive"),
}


@dataclass(frozen=True)
class _OurRun:
    """The results of this run, and why some are missing; corpora have the paper's names.

    `gaps` are the reasons by corpus (or gold file) and language. `gold_tables` maps the paper's tables to the gold
    files that replace its own, and `withdrawn` the language models that their providers have withdrawn to the reason.
    `samples` are the paper's Spanish samples.
    """

    polarity: pd.DataFrame
    tags: pd.DataFrame
    scores: pd.DataFrame
    epicene: pd.DataFrame
    gaps: dict[tuple[str, str], str]
    gold_tables: dict[str, str]
    withdrawn: dict[str, str]
    samples: set[str]


def build_representation_ledger(
    published: Path,
    results: list[Path],
    gaps: Path,
    ledger: Path,
    not_run: list[list[str]],
    corpus_names: dict[str, str],
    gold_tables: dict[str, str],
    withdrawn: dict[str, str],
) -> None:
    """Write one row per published number, and write the values `not_run` to `gaps`.

    `results` are those of this run among the tables `polarity_summary`, `tags_summary`, `scores` and `epicene`.
    `corpus_names` are the paper's names of the corpora; for the other parameters, see `_OurRun`.
    """
    list_gaps(gaps, not_run)
    numbers = read_published(published)
    files = {path.stem: path for path in results}

    def read(name: str, columns: list[str]) -> pd.DataFrame:
        if name not in files:
            return pd.DataFrame(columns=columns)
        frame = pd.read_csv(files[name], dtype={"reason": str})
        frame = frame.fillna({"reason": ""}) if "reason" in frame else frame
        return frame.assign(corpus=frame["corpus"].map(corpus_names)) if "corpus" in frame else frame

    run = _OurRun(
        polarity=read("polarity_summary", ["corpus"]),
        tags=read("tags_summary", ["corpus", "lang", "tagger", "reason"]),
        scores=read("scores", ["gold", "tagger"]),
        epicene=read("epicene", ["lang", "word", "gender", "frequency", "percent_of_person"]),
        gaps={(corpus_names.get(name, name), lang): reason for name, lang, _, reason in not_run},
        gold_tables=gold_tables,
        withdrawn=withdrawn,
        samples={number.row for number in numbers if number.table == "5"},
    )
    reproduced = [(number, _reproduce(number, run)) for number in numbers]
    write_ledger([compare_to_published(STUDY, number, ours, ours.remark) for number, ours in reproduced], ledger)


def _reproduce(number: PublishedNumber, run: _OurRun) -> ReproducedValue:
    if number.table == _POLARITY or number.column.startswith("english_"):
        return _reproduce_polarity(number, run)
    if number.table in _TAGGED:
        return _reproduce_tags(number, run)
    if number.table in _EPICENE:
        return _reproduce_epicene(number, run)
    if number.table in run.gold_tables:
        return _reproduce_scores(number, run)
    if number.table == _SIZES:
        return ReproducedValue(remark=_WHY_NO_SIZE[number.column])
    return ReproducedValue(remark=Need(Reason.NOT_CONFIGURED, f"no row of the gold table stands for {number.table}"))


def _reproduce_polarity(number: PublishedNumber, run: _OurRun) -> ReproducedValue:
    rows = run.polarity[run.polarity["corpus"] == number.row]
    published, corrected = _by_procedure(rows, number.column.removeprefix("english_"))
    if published is None:
        return ReproducedValue(remark=run.gaps.get((number.row, _ENGLISH), _NOT_PART))
    remark = "published splits at white space only, so a word with a mark beside it does not count"
    return ReproducedValue(published, corrected, _TOLERANCE, remark)


def _reproduce_tags(number: PublishedNumber, run: _OurRun) -> ReproducedValue:
    lang = _TAGGED[number.table]
    rows = run.tags[(run.tags["corpus"] == number.row) & (run.tags["lang"] == lang)]
    if reasons := list(filter(None, rows["reason"])):
        return ReproducedValue(remark=reasons[0])
    published, corrected = _by_procedure(rows, number.column.removeprefix("spanish_"))
    if published is None:
        no_tagger = Need(Reason.NOT_CONFIGURED, "no language model is named in representation.corpus_tagger")
        reason = run.withdrawn.get(PAPER_TAGGER, no_tagger) if run.tags.empty else _NOT_PART
        return ReproducedValue(remark=run.gaps.get((number.row, lang), reason))
    tagger = rows["tagger"].iloc[0]
    return ReproducedValue(published, corrected, _TOLERANCE, f"tagged by {tagger}", _describe_tagger(tagger))


def _reproduce_scores(number: PublishedNumber, run: _OurRun) -> ReproducedValue:
    gold, tagger = run.gold_tables[number.table], number.row
    rows = run.scores[(run.scores["gold"] == gold) & (run.scores["tagger"] == tagger)]
    if rows.empty:
        not_asked = Need(Reason.NOT_CONFIGURED, f"{tagger} is not in representation.taggers")
        gaps = [reason for (name, _), reason in run.gaps.items() if name == gold]
        return ReproducedValue(remark=[*gaps, run.withdrawn.get(tagger, not_asked)][0])
    if reasons := list(filter(None, rows["reason"])):
        return ReproducedValue(remark=reasons[0])
    runs = rows["run"].nunique()
    measure = number.column.removesuffix("_sd")
    published, corrected = _by_procedure(rows, measure, "mean" if measure == number.column else "std")
    if published is None and measure != number.column and runs < 2:
        why = f"a standard deviation needs two runs; {tagger} was asked once"
        return ReproducedValue(remark=Need(Reason.NOT_CONFIGURED, why))
    if published is None:
        return ReproducedValue(remark=Need(Reason.NOT_COMPUTED, f"{measure} of {tagger} is 0 / 0"))
    setup = "" if runs == _PAPER_RUNS else f"{runs} runs, the paper {_PAPER_RUNS}"
    return ReproducedValue(published, corrected, _TOLERANCE, f"{runs} runs of {tagger}", setup)


def _reproduce_epicene(number: PublishedNumber, run: _OurRun) -> ReproducedValue:
    tagged = run.tags[run.tags["lang"] == _SPANISH]
    if not {*tagged["corpus"]} & run.samples:
        nothing = Need(Reason.NOT_CONFIGURED, "no Spanish sample of the paper was tagged by a language model")
        return ReproducedValue(remark=run.withdrawn.get(PAPER_TAGGER, nothing))
    corpora = {*tagged[tagged["reason"] == ""]["corpus"]}
    if not corpora:
        return ReproducedValue(remark=tagged["reason"].iloc[0])
    rows = run.epicene[run.epicene["lang"] == _SPANISH]
    if number.table == "10":
        rows = rows[rows["word"] == number.row]
    column = "percent_of_person"
    if not number.column.endswith(column):
        rows, column = rows[rows["gender"] == number.column.rpartition("_")[2]], "frequency"
    value, tagger = float(rows[column].sum()), tagged["tagger"].iloc[0]
    others = "" if corpora == run.samples else f"over {', '.join(sorted(corpora))}, the paper over all of Table 5"
    remark = f"counted once, as corrected; tagged by {tagger}"
    return ReproducedValue(value, value, _TOLERANCE, remark, join_remarks(_describe_tagger(tagger), others))


def _by_procedure(rows: pd.DataFrame, column: str, statistic: str = "mean") -> list[float | None]:
    """Compute the mean or standard deviation of a column by each procedure, None if it is undefined."""
    if column not in rows:
        return [None] * len(PROCEDURES)
    values = [float(rows.loc[rows["procedure"] == procedure, column].agg(statistic)) for procedure in PROCEDURES]
    return [None if math.isnan(value) else value for value in values]


def _describe_tagger(tagger: str) -> str:
    return "" if tagger == PAPER_TAGGER else f"tagged by {tagger}, the paper by {PAPER_TAGGER}"
