"""Prepare the tables behind the ledger of Muller 2023, and compute the counts and ranges in its §5.1.

The paper's tables stand for our corpora, which the registry of corpora names. The computed tables have a row per table
of the paper: `lexicon/summaries` our numbers (by language, or their average, and procedure), with the differences from
the paper in `setup`, `lexicon/missing` the reason why a row has no numbers, and `lexicon/corpora` our corpus.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from textparity.counting import PROCEDURES
from textparity_studies.lexicon.readings import AVERAGE, READINGS, count_printed, name_nearest, read_verdict
from textparity_studies.lexicon.sentences import read_sentences
from textparity_studies.lexicon.summaries import read_summaries
from textparity_studies.report.cells import CellName, Row, RunTables, read_cells, to_number
from textparity_studies.report.comparison import build_ledger
from textparity_studies.report.ledger import (
    Need,
    PublishedNumber,
    Reason,
    ReproducedValue,
    join_remarks,
    read_published,
)

STUDY = "lexicon"
_SUMMARIES, _MISSING, _CORPORA = "lexicon/summaries", "lexicon/missing", "lexicon/corpora"
_PRINTED = "lexicon/printed_sentences"
_SENTENCES = "lexicon/sentences"
# Map the corpus names of §5.1 to the table with the whole corpus.
_WHOLE = {"flores": "3", "ntrex": "4", "common_crawl": "5"}
# A row of §5.1 that counts languages over several tables.
_ANY_TWO = "any two corpora"
_OTHER_LANGUAGE = Need(Reason.NOT_CONFIGURED, "not among the languages or engines of this run")
# The versions in gender_gap_pipeline/requirements.txt, commit d87eb12, by the kind in the languages table.
_TOOLS = {
    "stanza": "stanza 1.5.0",
    "stanza_mwt": "stanza 1.5.0",
    "nltk": "nltk 3.8.1",
    "pythainlp": "pythainlp 4.0.2",
}
_COVERAGES = {"lowest_coverage": min, "highest_coverage": max}


@dataclass(frozen=True)
class PaperCorpora:
    """Our corpora for those of the paper: by the number of its table, those of this run, and those that are crawls.

    The paper's sample of the web is not published, so only the rates of a crawl are compared.
    """

    by_table: dict[str, str]
    in_run: list[str]
    crawls: list[str]


def build_lexicon_ledger(
    published: Path,
    notes: Path,
    functions: Path,
    printed_sentences: Path,
    summaries: list[Path],
    sentence_counts: list[Path],
    ledger: Path,
    gaps: Path,
    corpora: PaperCorpora,
    paper_tokenizers: Mapping[str, str],
    not_run: list[list[str]],
) -> None:
    """Write one row per published number.

    `printed_sentences` is the kept table of §5.1's counts. `sentence_counts` count the corpus of Table 2's sentences.
    If a language was counted with several engines, the first one's numbers among the `summaries` are compared.
    `paper_tokenizers` maps languages to the kind of tokenizer that the paper used. `not_run` lists the omitted work
    with its reasons, and is written to `gaps`.
    """
    keys = ["corpus", "lang", "procedure"]
    frame = read_summaries(summaries).drop_duplicates(keys) if summaries else pd.DataFrame(columns=keys)
    reasons = {(corpus, lang): reason for corpus, lang, _, reason in not_run}
    ours = _OurNumbers(frame, reasons, corpora, paper_tokenizers)
    computed = _compute_tables(_read_papers_languages(published), ours)
    computed[_SENTENCES] = read_sentences(sentence_counts)
    computed[_PRINTED] = list(read_cells(printed_sentences))
    build_ledger(STUDY, published, notes, functions, [], ledger, gaps, not_run, computed=computed)


def _read_papers_languages(published: Path) -> dict[str, list[str]]:
    """List the languages of each table of the paper that has the words of a corpus."""
    languages: dict[str, list[str]] = defaultdict(list)
    for number in read_published(published):
        if number.column == "words" and number.row != AVERAGE:
            languages[number.table].append(number.row)
    return languages


def _compute_tables(languages: Mapping[str, list[str]], ours: "_OurNumbers") -> dict[str, list[Row]]:
    """Compute the tables that `published.csv` names, from the languages of each table of the paper."""
    computed: dict[str, list[Row]] = {_SUMMARIES: [], _MISSING: [], _CORPORA: []}
    for table, langs in languages.items():
        corpus = ours.corpora.by_table.get(table, "")
        crawl = "yes" if ours.is_crawl(corpus) else ""
        computed[_CORPORA].append({"table": table, "corpus": corpus, "crawl": crawl})
        for lang in (*langs, AVERAGE):
            counted = langs if lang == AVERAGE else [lang]
            if reason := ours.explain_missing(corpus, table, counted):
                computed[_MISSING].append({"table": table, "lang": lang, "reason": reason})
            else:
                computed[_SUMMARIES] += ours.rows(corpus, table, lang, counted)
    return computed


@dataclass(frozen=True)
class _OurNumbers:
    """Hold our numbers by corpus and language, the reasons why some are missing, and the paper's tokenizers."""

    frame: pd.DataFrame
    reasons: dict[tuple[str, str], str]
    corpora: PaperCorpora
    paper_tokenizers: Mapping[str, str]

    def is_crawl(self, corpus: str) -> bool:
        """Check whether a corpus of this run is another sample of the web than the paper's."""
        return corpus in self.corpora.crawls and corpus in self.corpora.in_run

    def rows(self, corpus: str, table: str, lang: str, counted: list[str]) -> list[dict[str, Any]]:
        """Return our row by each procedure for a language of a corpus, or for the average of those `counted`."""
        chosen = self.frame[(self.frame["corpus"] == corpus) & self.frame["lang"].isin(counted)]
        setup = self._describe_setup(corpus, chosen)
        rows = []
        for procedure, of_procedure in chosen.groupby("procedure"):
            if lang == AVERAGE:
                row = of_procedure.mean(numeric_only=True).to_dict() | {"languages": len(counted)}
            else:
                row = of_procedure.iloc[0].to_dict() | {"paper_tokenizer": _TOOLS[self.paper_tokenizers[lang]]}
            if self.is_crawl(corpus):
                row["words"] = None
            rows.append(row | {"table": table, "corpus": corpus, "lang": lang, "procedure": procedure, "setup": setup})
        return rows

    def explain_missing(self, corpus: str, table: str, langs: list[str]) -> str:
        """Explain why not all of `langs` were counted in a corpus, or return an empty string."""
        if not corpus:
            return Need(
                Reason.NOT_CONFIGURED, f"no corpus of this run is counted as in table {table}, with its lexicon"
            )
        if corpus not in self.corpora.in_run:
            return Need(Reason.NOT_CONFIGURED, f"corpus {corpus} is not part of this run")
        counted = set(self.frame.loc[self.frame["corpus"] == corpus, "lang"])
        missing = [lang for lang in langs if lang not in counted]
        if not missing:
            return ""
        reasons = [self.reasons[corpus, lang] for lang in missing if (corpus, lang) in self.reasons]
        if len(langs) == 1:
            return reasons[0] if reasons else _OTHER_LANGUAGE
        kind = Need.parse(reasons[0]).reason if reasons else Reason.NOT_CONFIGURED
        return Need(kind, f"only {len(langs) - len(missing)} of the {len(langs)} languages of {corpus} were run")

    def _describe_setup(self, corpus: str, rows: pd.DataFrame) -> str:
        """Describe the differences from the paper in counting rows of a corpus, or return an empty string."""
        rows = rows[rows["procedure"] == "published"]
        other = []
        if corpus in self.corpora.crawls:
            other.append(f"{rows['texts'].sum():,} documents of {corpus}; the paper's sample is not published")
        tokenizers = {"a stand-in tokenizer": rows["stand_in"], "ICU's words, not the paper's": rows["engine"] == "icu"}
        for tokenizer, is_used in tokenizers.items():
            if count := int(is_used.sum()):
                other.append(tokenizer + ("" if len(rows) == 1 else f" in {count} of {len(rows)} languages"))
        return "; ".join(other)


def count_languages(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Count languages for §5.1: those of a table, or those with masculine or changing verdicts in some tables."""
    of_table = (("table", _WHOLE[number.row]),) if number.row in _WHOLE else ()
    average = (*of_table, ("lang", AVERAGE))
    counts_verdicts = number.column != "languages"
    nearest = [_name_nearest_in_print(number, tables)] if counts_verdicts else []
    if missing := tables.find_text(CellName(_MISSING, average, "reason")):
        return ReproducedValue(remark=join_remarks(missing, *nearest))
    published, corrected = (
        tables.find_rows(_SUMMARIES, (*of_table, ("procedure", procedure), ("lang!", AVERAGE)))
        for procedure in PROCEDURES
    )
    langs = {row["lang"] for row in published}
    remarks = [f"{len(langs)} languages"]
    if counts_verdicts:
        remarks += [_name_nearest_of_ours(number, published), *nearest]
    return ReproducedValue(
        _count(number, published, [row["verdict"] for row in published]),
        _count(number, corrected, [row["verdict"] for row in corrected]),
        remark=join_remarks(*remarks),
        setup=tables.find_text(CellName(_SUMMARIES, average, "setup")),
    )


def find_coverage_bound(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Find the lowest or highest coverage of a language, or of the average, over the tables that have it."""
    of_language = (("lang", number.row),)
    if missing := tables.find_text(CellName(_MISSING, of_language, "reason")):
        return ReproducedValue(remark=missing)
    furthest = _COVERAGES[number.column]
    bounds: dict[str, float] = {}
    for procedure in PROCEDURES:
        rows = tables.find_rows(_SUMMARIES, (*of_language, ("procedure", procedure)))
        coverages = [to_number(row["coverage_percent"]) for row in rows]
        bounds[procedure] = furthest(coverage for coverage in coverages if coverage is not None)
    remark = f"of {', '.join(row['corpus'] for row in rows)}"
    setup = tables.find_text(CellName(_SUMMARIES, of_language, "setup"))
    return ReproducedValue(bounds["published"], bounds["corrected"], remark=remark, setup=setup)


def _count(number: PublishedNumber, rows: Sequence[Row], verdicts: Sequence[str]) -> int:
    """Count the languages of §5.1 from the verdict of each row."""
    by_language: dict[str, list[str]] = defaultdict(list)
    for row, verdict in zip(rows, verdicts, strict=True):
        by_language[row["lang"]].append(verdict)
    if number.column == "languages":
        return len(by_language)
    if number.row == _ANY_TWO:
        return sum({"masculine", "feminine"} <= set(of_language) for of_language in by_language.values())
    papers_tables = {row["table"] for row in rows}
    everywhere = ["masculine"] * len(papers_tables)
    return sum(of_language == everywhere for of_language in by_language.values())


def _name_nearest_in_print(number: PublishedNumber, tables: RunTables) -> str:
    """Name the readings by which the printed tables come nearest to the counts of §5.1."""
    counts = count_printed(tables.rows(_PRINTED), number.row, number.column)
    return f"in the printed tables, {name_nearest(float(number.value), counts)}"


def _name_nearest_of_ours(number: PublishedNumber, rows: Sequence[Row]) -> str:
    """Name the readings by which our counts come nearest to those of §5.1."""
    counts = {}
    for name, reading in READINGS.items():
        count = _count(number, rows, [read_verdict(reading, _cells_of(row)) for row in rows])
        counts[name] = (count, count)
    return f"in our counts, {name_nearest(float(number.value), counts)}"


def _cells_of(row: Row) -> Mapping[str, float]:
    """Name our rates as Tables 3 to 5 print them."""
    return {**row, "feminine": row["feminine_percent"], "masculine": row["masculine_percent"]}
