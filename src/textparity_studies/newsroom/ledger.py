"""Build the ledger rows of Urchs 2025, §5 and Appendix A.

The authors publish the yearly reports of their corpus before and after balancing. We check the text against these. The
rest needs the corpus itself (the row `taz` of the article corpora). The authors call it freely available, but none of
our sources has a file of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pandas as pd

from textparity.corpora.reading import read_metadata
from textparity.counting import GENDERS, PROCEDURES
from textparity_studies.newsroom.measuring import PARTS_OF_SPEECH
from textparity_studies.newsroom.settings import PAPER_COREFERENCE, PAPER_CORPUS, PAPER_PIPELINE, PAPER_SENTIMENT
from textparity_studies.newsroom.summary import (
    OVERALL,
    PER_TEXT,
    PERCENT,
    SENTIMENT,
    TOTALS,
    WHOLE,
    read_summary,
    read_top_words,
)
from textparity_studies.newsroom.yearly_figures import read_years
from textparity_studies.report.ledger import (
    DIFFERS,
    OTHER_SETUP,
    WITHIN,
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

STUDY = "newsroom"
_TOLERANCE = 0.05
_PAPER_NAME = "taz2024full"
# The year whose words Appendix A prints.
_WORDS_YEAR = "2023"
_PAPER_SETUP = {"model": PAPER_PIPELINE, "coreference": PAPER_COREFERENCE, "sentiment": PAPER_SENTIMENT}
_FROM_RUN = "our run of the paper's corpus"
_FROM_REPORTS = "by the authors' yearly reports"
_EXCLUDED, _BALANCED = f"{_PAPER_NAME}, excluded", f"{_PAPER_NAME}, balanced"
_NEEDS_CORPUS = Need(
    Reason.NOT_DOWNLOADED, "the totals of the yearly reports do not include it, and the corpus is not part of this run"
)
_NOT_SUMMARISED = Need(
    Reason.NOT_CONFIGURED, "neither the totals of the yearly reports nor the summary of our run include it"
)
_PERCENT = "percent_of_"


def build_newsroom_ledger(
    published: Path,
    unbalanced: Path,
    balanced: Path,
    summaries: list[Path],
    top_words: list[Path],
    measures: list[Path],
    not_run: list[list[str]],
    gaps: Path,
    ledger: Path,
) -> None:
    """Write one row per published number, and write the values `not_run` to `gaps`.

    `summaries` and `top_words` belong to the paper's corpus, by procedure, or are empty. `measures` is then a file of
    its articles, which records what parsed and scored them. A claimed bound (its column ends in `lower`, `upper` or
    `bound`) is `within tolerance` if our number is on the right side of it.
    """
    list_gaps(gaps, not_run)
    left_out = [reason for corpus, *_, reason in not_run if corpus == PAPER_CORPUS]
    missing = "; ".join([_NOT_SUMMARISED if summaries else _NEEDS_CORPUS, *left_out])
    setup = describe_setup(read_metadata(measures[0])) if measures else ""
    run = CorpusRun(_join(map(read_summary, summaries)), _join(map(read_top_words, top_words)), setup)
    reports = YearlyReports(read_years(unbalanced), read_years(balanced))
    write_ledger([_compare(number, run, reports, missing) for number in read_published(published)], ledger)


def describe_setup(made: dict[str, str]) -> str:
    """Describe the differences between our run's setup and the paper's; an empty string if there are none."""
    # A pipeline's name is followed by its version.
    others = [name for name, paper in _PAPER_SETUP.items() if made.get(name, "").partition(" ")[0] != paper]
    return "; ".join(f"{name}: {made.get(name, 'unknown')}, not {_PAPER_SETUP[name]}" for name in others)


def _join(of_procedures: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Combine the tables of both procedures under the paper's name of the corpus; empty if it was not run."""
    parts = [part.assign(procedure=name) for name, part in zip(PROCEDURES, of_procedures, strict=False)]
    return pd.concat(parts).replace({"group": {WHOLE: _PAPER_NAME}}) if parts else pd.DataFrame()


@dataclass(frozen=True)
class CorpusRun:
    """Hold the summaries and top words of the paper's corpus by both procedures; both are empty if it was not run.

    `setup` describes the differences from the paper's setup.
    """

    summary: pd.DataFrame
    top_words: pd.DataFrame
    setup: str

    def find(self, number: PublishedNumber) -> ReproducedValue:
        """Find our values for a number of the paper."""
        first, _, rest = number.row.partition(", ")
        if first in PARTS_OF_SPEECH:
            # For example `nouns, feminine, 2: frau`. The corrected values are no counts.
            who, _, ranked = rest.partition(", ")
            where = {"group": _WORDS_YEAR, "part_of_speech": first, "column": "actors" if who == "all" else who}
            found = _find_cells(self.top_words, where | {"word": ranked.partition(": ")[2]}, "value")
            found.pop("corrected", None)
        else:
            who, metric = _split(number.column)
            where = {"group": first, "section": TOTALS, "statistic": "mean" if metric == SENTIMENT else "total"}
            if metric.startswith(_PERCENT):
                where |= {"section": PERCENT, "statistic": "percent"}
            elif rest:
                where |= {"section": PER_TEXT, "statistic": rest.replace(" ", "_")}
            found = _find_cells(self.summary, where | {"metric": metric.removeprefix(_PERCENT)}, who)
        return ReproducedValue(found.get("published"), found.get("corrected"), _TOLERANCE, _FROM_RUN, self.setup)


def _find_cells(frame: pd.DataFrame, where: dict[str, str], column: str) -> dict[str, float]:
    """Find a number of each procedure that has one, in the row that `where` selects."""
    if not frame.empty:
        rows = frame[(frame[list(where)] == pd.Series(where)).all(axis="columns")].set_index("procedure")
        return rows[column].dropna().astype(float).to_dict()
    return {}


class YearlyReports:
    """Hold the sums and differences of the authors' yearly reports before and after balancing, a row per year."""

    def __init__(self, unbalanced: pd.DataFrame, balanced: pd.DataFrame) -> None:
        self.before, self.after = unbalanced, balanced
        # Years without a balanced report cannot be compared.
        self.removed = unbalanced.loc[balanced.index] - balanced

    def value(self, number: PublishedNumber) -> float | None:
        """Return the reports' value, or None if they have none."""
        if (number.row, number.column) in self._claims:
            return self._claims[number.row, number.column]
        if number.row.isdigit() and int(number.row) in self.before.index:
            return _yearly_value(self.before.loc[int(number.row)], number.column)
        return None

    @property
    def crossing_years(self) -> list[int]:
        """The years after balancing in which feminine actors or mentions outnumber masculine ones."""
        more = [self.after[f"feminine_{what}"] > self.after[f"masculine_{what}"] for what in ("actors", "mentions")]
        return list(self.after.index[more[0] | more[1]])

    @cached_property
    def _claims(self) -> dict[tuple[str, str], float]:
        """The claims of the paper's text about the whole corpus, by row and column, computed from the reports."""
        before, after, removed = self.before, self.after, self.removed
        actors = before["overall_actors"]
        excluded = removed["overall_total_texts"]
        found = {
            (_PAPER_NAME, "texts_with_actors"): before["overall_texts_with_actors"].sum(),
            (_PAPER_NAME, "year_of_most_actors"): actors.idxmax(),
            (_PAPER_NAME, "subject_role_gap_percentage_points"): _role_gap(before),
            (_BALANCED, "subject_role_gap_percentage_points"): _role_gap(after),
            (_EXCLUDED, "articles_excluded"): excluded.sum(),
            (_EXCLUDED, "year_of_most_excluded_articles"): excluded.idxmax(),
            ("mid-1990s on", "articles_excluded_a_year_lower"): excluded.loc[1995:2004].min(),
            ("mid-1990s on", "articles_excluded_a_year_upper"): excluded.loc[1995:2004].max(),
            ("2005-2015", "articles_excluded_a_year_lower_bound"): excluded.loc[2005:2015].min(),
            ("2015", "articles_excluded_a_year_lower_bound"): excluded.loc[2015],
            ("most recent years", "articles_excluded_a_year_upper_bound"): excluded.loc[2022:].max(),
        }
        if self.crossing_years:
            found[_BALANCED, "crossing_year"] = self.crossing_years[0]
        for gender in GENDERS:
            for what in ("actors", "mentions"):
                found[_EXCLUDED, f"{gender}_{what}"] = removed[f"{gender}_{what}"].sum()
        for what in ("actor", "mention"):
            ratio = after[f"feminine_{what}s"].sum() / after[f"masculine_{what}s"].sum()
            for bound in ("lower", "upper"):
                found[_BALANCED, f"{what}_ratio_{bound}_bound"] = ratio
        return {key: float(value) for key, value in found.items()}


def _compare(number: PublishedNumber, run: CorpusRun, reports: YearlyReports, missing: str) -> LedgerRow:
    ours = run.find(number)
    if ours.published is None:
        value = reports.value(number)
        ours = ReproducedValue(value, value, _TOLERANCE, _FROM_REPORTS if value is not None else missing)
    if "year" in number.column.split("_") and not number.column.startswith("articles_"):
        # Years are compared exactly.
        ours = replace(ours, tolerance=0)
    row = compare_to_published(STUDY, number, ours, join_remarks(ours.remark, number.note))
    if number.column == "crossing_year" and not reports.crossing_years:
        return replace(row, ours_published="none", ours_corrected="none", verdict=DIFFERS, reason=number.note)
    side = next((side for side in ("lower", "upper") if side in number.column.split("_")), "")
    if side and ours.published is not None and row.verdict != OTHER_SETUP:
        claimed = float(number.value)
        holds = ours.published >= claimed if side == "lower" else ours.published <= claimed
        row = replace(row, verdict=WITHIN if holds else DIFFERS)
    return row


def _split(column: str) -> tuple[str, str]:
    """Split a published column into the gender, or `overall`, and the metric."""
    who, _, metric = column.partition("_")
    return (who, metric) if who in (*GENDERS, OVERALL) else (OVERALL, column)


def _yearly_value(row: pd.Series, column: str) -> float | None:
    gender, metric = _split(column)
    if metric.startswith(_PERCENT):
        metric = metric.removeprefix(_PERCENT)
        return 100 * row[f"{gender}_{metric}"] / row[f"overall_{metric}"]
    return float(row[name]) if (name := f"{gender}_{metric}") in row.index else None


def _role_gap(yearly: pd.DataFrame) -> float:
    feminine, masculine = (yearly[f"{gender}_subject_roles"].sum() for gender in GENDERS)
    return 100 * (masculine - feminine) / (masculine + feminine)
