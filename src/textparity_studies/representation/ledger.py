"""Build the ledger rows of Derner 2025, §4 and App. C, D, I."""

from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_rows
from textparity_studies.report.ledger import (
    NOT_ASKED,
    NOT_COMPUTED,
    UNPUBLISHED,
    LedgerRow,
    PublishedNumber,
    ReproducedValue,
    compare_to_published,
    find_ours,
    join_remarks,
    list_gaps,
    read_published,
    read_sources,
    write_ledger,
)

STUDY = "representation"
PAPER_TAGGER = "gpt-4-turbo"
_PAPER_RUNS = 5
_ENGLISH, _SPANISH, _VALENCIAN = "eng", "spa", "cat"
_NOT_PART = f"{NOT_ASKED}: the corpus is not part of this run"
# Map each table that a language model counted to its language.
_TAGGED = {"1": _SPANISH, "2": _VALENCIAN, "5": _SPANISH, "6": _VALENCIAN}
_EPICENE = ("10", "App. I")
_SIZES = "§4.1"
_WHY_NO_SIZE = {
    "million_tokens": f"{UNPUBLISHED}: the bulletins that the samples were drawn from",
    "million_sentence_pairs": f"{NOT_COMPUTED}: the number of sentence pairs in an archive",
}


@dataclass(frozen=True)
class _Results:
    """Hold this run's tagged results, and what it omitted (under the paper's names)."""

    tags: pd.DataFrame
    gaps: dict[tuple[str, str], str]
    gold_tables: dict[str, str]
    withdrawn: dict[str, str]
    samples: frozenset[str]


def build_representation_ledger(
    published: Path,
    sources: Path,
    polarity: list[Path],
    tags: list[Path],
    scores: list[Path],
    epicene: list[Path],
    gaps: Path,
    ledger: Path,
    not_run: list[list[str]],
    corpus_names: dict[str, str],
    gold_tables: dict[str, str],
    withdrawn: dict[str, str],
) -> None:
    """Write one row per published number, and write the values `not_run` to `gaps`.

    `polarity`, `tags`, `scores` and `epicene` are lists of one file or none. `corpus_names` are the paper's names of
    the corpora, and `gold_tables` maps the paper's tables to the gold files that replace its own. `withdrawn` has the
    reason for each language model that its provider has withdrawn.
    """
    list_gaps(gaps, not_run)
    numbers, places = read_published(published), read_sources(sources)
    files = {
        "polarity": _join([read_rows(path).to_pandas() for path in polarity], ["corpus"]),
        "tags": _join([read_rows(path).to_pandas() for path in tags], ["corpus", "lang", "tagger", "reason"]),
        "scores": _join(
            [pd.read_csv(path, dtype={"reason": str}) for path in scores], ["gold", "tagger", "procedure", "run"]
        ),
        "epicene": _join([pd.read_csv(path) for path in epicene], []),
    }
    for name in ("polarity", "tags"):
        files[name]["corpus"] = files[name]["corpus"].map(corpus_names)
    # A model that was not asked has a row with only the reason.
    files["scores"]["procedure"] = files["scores"]["procedure"].fillna("published")
    table_of = {gold: table for table, gold in gold_tables.items()}
    files["scores"]["published_table"] = files["scores"]["gold"].map(table_of)
    if scores:
        files["scores"]["runs"] = files["scores"].groupby(["gold", "tagger"])["run"].transform("nunique")
    results = _Results(
        tags=files["tags"],
        gaps={(corpus_names.get(name, name), lang): reason for name, lang, _, reason in not_run},
        gold_tables=gold_tables,
        withdrawn=withdrawn,
        samples=frozenset(number.row for number in numbers if number.table == "5"),
    )
    write_ledger([_judge(number, find_ours(number, places, files), results) for number in numbers], ledger)


def _join(frames: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _judge(number: PublishedNumber, ours: ReproducedValue, results: _Results) -> LedgerRow:
    reason = ours.row.get("reason")
    if number.table in _EPICENE:
        ours = _epicene(ours, results)
    elif isinstance(reason, str) and reason:
        ours = ReproducedValue(remark=reason)
    elif number.table in results.gold_tables:
        ours = _scored(number, ours, results)
    elif ours.published is None:
        ours = ReproducedValue(remark=_why_not(number, results))
    elif "tagger" in ours.row:
        ours = replace(ours, setup=_other_tagger(ours.row["tagger"]))
    return compare_to_published(STUDY, number, ours, ours.remark)


def _why_not(number: PublishedNumber, results: _Results) -> str:
    if number.table == "7" or number.column.startswith("english"):
        return results.gaps.get((number.row, _ENGLISH), _NOT_PART)
    if number.table == _SIZES:
        return _WHY_NO_SIZE[number.column]
    if number.table not in _TAGGED:
        return f"{NOT_ASKED}: no row of the gold table stands for {number.table}"
    not_asked = f"{NOT_ASKED}: no language model is named in representation.corpus_tagger"
    nothing = results.withdrawn.get(PAPER_TAGGER, not_asked)
    return results.gaps.get((number.row, _TAGGED[number.table]), nothing if results.tags.empty else _NOT_PART)


def _scored(number: PublishedNumber, ours: ReproducedValue, results: _Results) -> ReproducedValue:
    gold = results.gold_tables[number.table]
    if not ours.row:
        not_asked = results.withdrawn.get(number.row, f"{NOT_ASKED}: {number.row} is not in representation.taggers")
        return ReproducedValue(
            remark=next((reason for (name, _), reason in results.gaps.items() if name == gold), not_asked)
        )
    runs = ours.row["runs"]
    if ours.published is None and runs < 2:
        return ReproducedValue(remark=f"{NOT_ASKED}: a standard deviation needs two runs; {number.row} was asked once")
    return replace(ours, setup="" if runs == _PAPER_RUNS else f"{runs} runs, the paper {_PAPER_RUNS}")


def _epicene(ours: ReproducedValue, results: _Results) -> ReproducedValue:
    tagged = results.tags[results.tags["lang"] == _SPANISH]
    if not set(tagged["corpus"]) & results.samples:
        nothing = f"{NOT_ASKED}: no Spanish sample of the paper was tagged by a language model"
        return ReproducedValue(remark=results.withdrawn.get(PAPER_TAGGER, nothing))
    corpora = set(tagged[tagged["reason"] == ""]["corpus"])
    if not corpora:
        return ReproducedValue(remark=tagged["reason"].iloc[0])
    tagger = tagged["tagger"].iloc[0]
    others = "" if corpora == results.samples else f"over {', '.join(sorted(corpora))}, the paper over all of Table 5"
    setup = join_remarks(_other_tagger(tagger), others)
    return replace(ours, remark=f"{ours.remark}; tagged by {tagger}", setup=setup)


def _other_tagger(tagger: str) -> str:
    return "" if tagger == PAPER_TAGGER else f"tagged by {tagger}, the paper by {PAPER_TAGGER}"
