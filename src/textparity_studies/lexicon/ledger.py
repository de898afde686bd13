"""Build the ledger rows of Muller 2023: Tables 1, 3, 4 and 5, and the counts in §5.1."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from textparity.counting import PROCEDURES
from textparity_studies.lexicon.readings import AVERAGE, READINGS, count_printed, name_nearest, read_summaries_as
from textparity_studies.lexicon.summaries import read_summaries
from textparity_studies.report.ledger import (
    LedgerRow,
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

STUDY = "lexicon"
# Map the paper's names of columns to ours. `gap` and `standard_error` have the same name in both.
_COLUMNS = {
    "feminine": "feminine_percent",
    "masculine": "masculine_percent",
    "unspecified": "unspecified_percent",
    "coverage": "coverage_percent",
}
# A different tokenizer version changes word counts less than it changes small rates.
_TOLERANCES = {"words": 0.01}
_TOLERANCE = 0.05
_SECTION = "§5.1"
# Map the corpus names of Table 1 and §5.1 to the table with the whole corpus.
_WHOLE = {"flores": "3", "ntrex": "4", "common_crawl": "5"}
# Rows of §5.1 that count languages over several tables.
_ALL, _ANY_TWO = "all corpora", "any two corpora"
_COVERAGES = {"lowest_coverage": min, "highest_coverage": max}


@dataclass(frozen=True)
class _Counted:
    """Hold our numbers for one row of a published table; `setup` as in `compare_to_published`."""

    published: pd.Series | None
    corrected: pd.Series | None
    reason: str
    setup: str = ""

    def value(self, procedure: str, column: str) -> float | None:
        row = self.published if procedure == "published" else self.corrected
        return None if row is None else float(row[_COLUMNS.get(column, column)])


def build_lexicon_ledger(
    published: Path,
    printed_sentences: Path,
    summaries: list[Path],
    ledger: Path,
    gaps: Path,
    tables: dict[str, str],
    corpora: list[str],
    crawls: list[str],
    not_run: list[list[str]],
) -> None:
    """Write one row per published number; `tables` maps a table's number to its corpus.

    `printed_sentences` is the kept table of §5.1's counts. `summaries` are those of the `corpora` of this run. If a
    language was counted with several engines, the first one's numbers are compared. `not_run` lists the omitted work
    with its reasons, and is written to `gaps`. For `crawls` only rates are compared, because the paper's sample is not
    published.
    """
    list_gaps(gaps, not_run)
    numbers = read_published(published)
    keys = ["corpus", "lang", "procedure"]
    frame = read_summaries(summaries).drop_duplicates(keys) if summaries else pd.DataFrame(columns=keys)
    reasons = {(corpus, lang): reason for corpus, lang, _, reason in not_run}
    # No name of a corpus contains a space, so these keys cannot clash.
    tables = {table: f"table {table}" for table in _WHOLE.values()} | tables
    languages: dict[str, list[str]] = {}
    for number in numbers:
        if number.column == "words" and number.row != AVERAGE:
            languages.setdefault(tables[number.table], []).append(number.row)
    results = _OurNumbers(printed_sentences, frame, reasons, languages, corpora, crawls)
    write_ledger([_ledger_row(number, results, tables) for number in numbers], ledger)


@dataclass(frozen=True)
class _OurNumbers:
    """Hold our numbers by corpus and language, or the reasons why there are none; `printed` are the counts of §5.1."""

    printed: Path
    frame: pd.DataFrame
    reasons: dict[tuple[str, str], str]
    languages: dict[str, list[str]]
    corpora: list[str]
    crawls: list[str]

    def of(self, corpus: str, lang: str) -> _Counted:
        """Return our row for one language of one corpus, or for the mean over the paper's languages."""
        if lang == AVERAGE:
            return self._average(corpus)
        if reason := self.missing(corpus, [lang]):
            return _Counted(None, None, reason)
        rows = self.frame[(self.frame["corpus"] == corpus) & (self.frame["lang"] == lang)].set_index("procedure")
        row = rows.loc["published"]
        # Drop the reason's kind, because the number itself was run.
        why = self.reasons.get((corpus, lang)) if row["engine"] != "paper" else None
        reason = join_remarks(
            row["tokenizer"], "" if why is None else f"without the paper's tokenizer: {Need.parse(why).detail}"
        )
        return _Counted(row, rows.loc["corrected"], reason, self.setup(corpus, [lang]))

    def _average(self, corpus: str) -> _Counted:
        wanted = self.languages[corpus]
        if reason := self.missing(corpus, wanted):
            return _Counted(None, None, reason)
        rows = self.frame[(self.frame["corpus"] == corpus) & self.frame["lang"].isin(wanted)]
        means = {name: part.mean(numeric_only=True) for name, part in rows.groupby("procedure")}
        setup = self.setup(corpus, wanted)
        return _Counted(means["published"], means["corrected"], f"mean of {len(wanted)} languages", setup)

    def missing(self, corpus: str, langs: list[str]) -> str:
        """Explain why not all of `langs` were counted in a corpus, or return an empty string."""
        if corpus not in self.corpora:
            if corpus.startswith("table "):
                return Need(Reason.NOT_CONFIGURED, f"no corpus of this run is counted as in {corpus}, with its lexicon")
            return Need(Reason.NOT_CONFIGURED, f"corpus {corpus} is not part of this run")
        ran = self.frame.loc[self.frame["corpus"] == corpus, "lang"]
        missing = [lang for lang in langs if lang not in {*ran}]
        if not missing:
            return ""
        why = [self.reasons.get((corpus, lang), "") for lang in missing]
        if len(langs) == 1:
            return why[0] or Need(Reason.NOT_CONFIGURED, "not among the languages or engines of this run")
        kind = Need.parse(next(filter(None, why))).reason if any(why) else Reason.NOT_CONFIGURED
        return Need(kind, f"only {len(langs) - len(missing)} of the {len(langs)} languages of {corpus} were run")

    def setup(self, corpus: str, langs: list[str]) -> str:
        """Describe the differences from the paper in counting a corpus, or return an empty string."""
        rows = self.frame[(self.frame["corpus"] == corpus) & self.frame["lang"].isin(langs)]
        rows = rows[rows["procedure"] == "published"]
        other = []
        if corpus in self.crawls:
            other.append(f"{rows['texts'].sum():,} documents of {corpus}; the paper's sample is not published")
        tokenizers = {"a stand-in tokenizer": rows["stand_in"], "ICU's words, not the paper's": rows["engine"] == "icu"}
        for what, is_so in tokenizers.items():
            if count := int(is_so.sum()):
                other.append(what + ("" if len(langs) == 1 else f" in {count} of {len(langs)} languages"))
        return "; ".join(other)


def _ledger_row(number: PublishedNumber, results: _OurNumbers, tables: dict[str, str]) -> LedgerRow:
    if number.table == _SECTION:
        return _section_row(number, results, tables)
    if number.table in tables:
        ours = results.of(tables[number.table], number.row)
    else:
        name, lang = number.row.split(" ")
        ours = results.of(tables[_WHOLE[name]], lang)
    if number.column == "words" and tables.get(number.table) in {*results.crawls} & {*results.corpora}:
        reason = Need(Reason.UNPUBLISHED, "words are those of the paper's sample")
        return compare_to_published(STUDY, number, ReproducedValue(), reason)
    tolerance = _TOLERANCES.get(number.column, _TOLERANCE)
    published, corrected = (ours.value(procedure, number.column) for procedure in PROCEDURES)
    return compare_to_published(
        STUDY, number, ReproducedValue(published, corrected, tolerance, setup=ours.setup), _explain(number, ours)
    )


def _explain(number: PublishedNumber, ours: _Counted) -> str:
    notes = [ours.reason]
    if number.column == "standard_error" and ours.published is not None:
        notes.append("published is a fraction, as the tables print it; corrected is in percentage points")
    if number.note and number.value:
        notes.append(f"published cell: {number.note}")
    return "; ".join(notes)


def _section_row(number: PublishedNumber, results: _OurNumbers, tables: dict[str, str]) -> LedgerRow:
    """Compare a number of §5.1: about one corpus, all corpora, or the range of a language's or the average coverage."""
    if number.column in _COVERAGES:
        return _coverage_row(number, results)
    corpora = list(results.languages) if number.row in (_ALL, _ANY_TWO) else [tables[_WHOLE[number.row]]]
    counts_verdicts = number.column != "languages"
    nearest = [_nearest_in_print(number, results)] if counts_verdicts else []
    if missing := _first([results.missing(corpus, results.languages[corpus]) for corpus in corpora]):
        return compare_to_published(STUDY, number, ReproducedValue(), "; ".join([missing, *nearest]))
    wanted = {corpus: results.languages[corpus] for corpus in corpora}
    of_procedure = dict(iter(results.frame.groupby("procedure")))
    counted = {procedure: _count_languages(number, part, wanted) for procedure, part in of_procedure.items()}
    notes = [f"{len({lang for langs in wanted.values() for lang in langs})} languages"]
    if counts_verdicts:
        notes += [_nearest_of_ours(number, of_procedure["published"], wanted), *nearest]
    if number.note:
        notes.append(number.note)
    setup = _first([results.setup(corpus, langs) for corpus, langs in wanted.items()])
    ours = ReproducedValue(float(counted["published"]), float(counted["corrected"]), _TOLERANCE, setup=setup)
    return compare_to_published(STUDY, number, ours, "; ".join(notes))


def _nearest_in_print(number: PublishedNumber, results: _OurNumbers) -> str:
    """Name the readings by which the printed tables come nearest to the counts of §5.1."""
    counts = count_printed(results.printed, number.row, number.column)
    return f"in the printed tables, {name_nearest(float(number.value), counts)}"


def _nearest_of_ours(number: PublishedNumber, published: pd.DataFrame, wanted: dict[str, list[str]]) -> str:
    """Name the readings by which our counts come nearest to those of §5.1."""
    found = {
        reading: _count_languages(number, published.assign(verdict=read_summaries_as(reading, published)), wanted)
        for reading in READINGS
    }
    counts = {reading: (count, count) for reading, count in found.items()}
    return f"in our counts, {name_nearest(float(number.value), counts)}"


def _count_languages(number: PublishedNumber, rows: pd.DataFrame, wanted: dict[str, list[str]]) -> int:
    rows = rows[[lang in wanted.get(corpus, []) for corpus, lang in zip(rows["corpus"], rows["lang"], strict=True)]]
    if number.column == "languages":
        return rows["lang"].nunique()
    verdicts = rows.groupby("lang")["verdict"]
    if number.row == _ANY_TWO:
        return int(verdicts.agg(lambda found: {"masculine", "feminine"} <= {*found}).sum())
    return int(verdicts.agg(lambda found: list(found) == ["masculine"] * len(wanted)).sum())


def _coverage_row(number: PublishedNumber, results: _OurNumbers) -> LedgerRow:
    corpora = [corpus for corpus, langs in results.languages.items() if number.row in (AVERAGE, *langs)]
    ours = [results.of(corpus, number.row) for corpus in corpora]
    if missing := _first([item.reason for item in ours if item.published is None]):
        return compare_to_published(STUDY, number, ReproducedValue(), missing)
    furthest = _COVERAGES[number.column]
    published, corrected = (
        furthest(value for item in ours if (value := item.value(procedure, "coverage")) is not None)
        for procedure in PROCEDURES
    )
    reason = f"of {', '.join(corpora)}" + (f"; {number.note}" if number.note else "")
    setup = _first([item.setup for item in ours])
    return compare_to_published(STUDY, number, ReproducedValue(published, corrected, _TOLERANCE, setup=setup), reason)


def _first(texts: list[str]) -> str:
    return next(filter(None, texts), "")
