"""The ledger rows of Muller 2023: Tables 1, 3 and 4, and the verdict counts of §5.1."""

import csv
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity.ledger import LedgerRow, PublishedNumber, judge, read_published, write_ledger
from textparity.lexicon_study.tables import AVERAGE, read_summaries

STUDY = "lexicon"
# What the paper calls a column, and ours. `gap` and `standard_error` have the same name in both.
_COLUMNS = {
    "feminine": "feminine_percent",
    "masculine": "masculine_percent",
    "unspecified": "unspecified_percent",
    "coverage": "coverage_percent",
}
# A tokenizer of another version moves word counts by less than it moves small rates.
_TOLERANCES = {"words": 0.01}
_TOLERANCE = 0.05
_VERDICT_SECTION = "5.1"


@dataclass(frozen=True)
class _Ours:
    """Our numbers for one row of a published table, and what to say about them."""

    published: pd.Series | None
    corrected: pd.Series | None
    reason: str
    stand_in: bool = False

    def value(self, procedure: str, column: str) -> float | None:
        row = self.published if procedure == "published" else self.corrected
        return None if row is None else float(row[_COLUMNS.get(column, column)])


def build_lexicon_ledger(
    published: Path,
    summaries: list[Path],
    gaps: Path,
    ledger: Path,
    tables: dict[str, str],
    corpora: list[str],
    samples: list[str],
) -> None:
    """Write one row for each published number; `tables` maps a table's number to its corpus.

    `summaries` are those of the `published` engine for the `corpora` of this run, of documents those of whichever fills
    the tables; `gaps` lists what was not run, and why. `samples` are corpora of which the paper drew a sample that is
    not published: only rates are compared.
    """
    numbers = read_published(published)
    frame = read_summaries(summaries) if summaries else pd.DataFrame(columns=["corpus", "lang", "procedure"])
    with gaps.open(encoding="utf-8", newline="") as file:
        reasons = {(row["corpus"], row["lang"]): row["reason"] for row in csv.DictReader(file)}
    languages = {
        corpus: [
            number.row for number in numbers
            if number.table == table and number.column == "words" and number.row != AVERAGE
        ]
        for table, corpus in tables.items()
    }  # fmt: skip
    results = _Results(frame, reasons, languages, corpora, samples)
    write_ledger([_ledger_row(number, results, tables) for number in numbers], ledger)


class _Results:
    def __init__(
        self,
        frame: pd.DataFrame,
        reasons: dict[tuple[str, str], str],
        languages: dict[str, list[str]],
        corpora: list[str],
        samples: list[str],
    ) -> None:
        self.corpora = corpora
        self.samples = samples
        self.frame = frame
        self.reasons = reasons
        self.languages = languages

    def of(self, corpus: str, lang: str) -> _Ours:
        """Return our row for one language of one corpus, or for the mean over the paper's languages."""
        if corpus not in self.corpora:
            return _Ours(None, None, f"corpus {corpus} is not part of this run")
        rows = self.frame[(self.frame["corpus"] == corpus) & self.frame["lang"].isin(self.languages[corpus])]
        by_procedure = {name: part.set_index("lang") for name, part in rows.groupby("procedure")}
        if lang == AVERAGE:
            return self._average(corpus, by_procedure)
        if lang not in by_procedure.get("published", pd.DataFrame()).index:
            return _Ours(None, None, self.reasons.get((corpus, lang), "not among the languages or engines of this run"))
        row = by_procedure["published"].loc[lang]
        reason, stand_in = row["tokenizer"], bool(row["stand_in"])
        if corpus in self.samples:
            reason = f"{reason}; {row['texts']:,} documents of {corpus}; the paper's sample is not published"
            stand_in = True
        return _Ours(row, by_procedure["corrected"].loc[lang], reason, stand_in)

    def _average(self, corpus: str, by_procedure: dict[str, pd.DataFrame]) -> _Ours:
        wanted = self.languages[corpus]
        ran = len(by_procedure.get("published", ()))
        if ran < len(wanted):
            return _Ours(None, None, f"only {ran} of the {len(wanted)} languages of the mean were run")
        means = {name: part.mean(numeric_only=True) for name, part in by_procedure.items()}
        stand_ins = int(by_procedure["published"]["stand_in"].sum())
        return _Ours(
            means["published"], means["corrected"],
            f"mean of {ran} languages, {stand_ins} of them with a stand-in tokenizer", stand_ins > 0,
        )  # fmt: skip


def _ledger_row(number: PublishedNumber, results: _Results, tables: dict[str, str]) -> LedgerRow:
    if number.table == _VERDICT_SECTION:
        return _verdict_row(number, results)
    if number.table in tables:
        ours = results.of(tables[number.table], number.row)
    elif " " in number.row:
        ours = results.of(*number.row.split(" "))
    else:
        ours = _Ours(None, None, f"no row of the corpora table stands for table {number.table}")
    if number.column == "words" and tables.get(number.table) in {*results.samples} & {*results.corpora}:
        reason = "words are those of the sample, and the paper's is not published"
        return judge(STUDY, number, None, None, _TOLERANCE, reason)
    tolerance = _TOLERANCES.get(number.column, _TOLERANCE)
    return judge(
        STUDY, number, ours.value("published", number.column), ours.value("corrected", number.column),
        tolerance, _explain(number, ours), may_be_exact=not ours.stand_in,
    )  # fmt: skip


def _explain(number: PublishedNumber, ours: _Ours) -> str:
    notes = [ours.reason]
    if number.column == "standard_error" and ours.published is not None:
        notes.append("published prints a fraction beside a gap in percent; corrected is in percentage points")
    if number.note and number.value:
        notes.append(f"published cell: {number.note}")
    return "; ".join(notes)


def _verdict_row(number: PublishedNumber, results: _Results) -> LedgerRow:
    corpus = number.row
    wanted = results.languages.get(corpus, [])
    rows = results.frame
    rows = rows[(rows["corpus"] == corpus) & rows["lang"].isin(wanted)]
    ours: dict[str, float | None] = {"published": None, "corrected": None}
    for procedure, part in rows.groupby("procedure"):
        counted = part if number.column == "languages" else part[part["verdict"] == "masculine"]
        ours[procedure] = float(len(counted))
    ran = rows["lang"].nunique()
    if ran < len(wanted) or not wanted:
        ours = dict.fromkeys(ours)
    stand_ins = int(rows["stand_in"].sum() / 2) if len(rows) else 0
    if corpus not in results.corpora:
        return judge(STUDY, number, None, None, _TOLERANCE, f"corpus {corpus} is not part of this run")
    reason = f"{ran} of {len(wanted)} languages run, {stand_ins} with a stand-in tokenizer"
    if number.column != "languages":
        reason += "; published compares percent with a fraction, corrected compares one unit"
    return judge(STUDY, number, ours["published"], ours["corrected"], _TOLERANCE, reason, may_be_exact=not stand_ins)
