"""Build the ledger rows of Urchs 2025, §5 and Appendix A.

The authors publish the yearly reports of their corpus before and after balancing. We check the text against these. The
rest needs the corpus itself (the row `taz` of the article corpora). The authors call it freely available, but none of
our sources has a file of it.
"""

from dataclasses import replace
from functools import cached_property
from pathlib import Path

import pandas as pd

from textparity.corpora.rows import read_metadata
from textparity.counting.procedures import PROCEDURES
from textparity.persons.actors.word_lists import GENDERS
from textparity_studies.newsroom.nlp_models import PAPER_COREFERENCE, PAPER_CORPUS, PAPER_PIPELINE, PAPER_SENTIMENT
from textparity_studies.newsroom.yearly_figures import read_years
from textparity_studies.report.ledger import (
    DIFFERS,
    NOT_ASKED,
    NOT_HERE,
    OTHER_SETUP,
    WITHIN,
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

STUDY = "newsroom"
_TOLERANCE = 0.05
_FROM_REPORTS = "by the authors' yearly reports"
_EXCLUDED, _BALANCED = "taz2024full, excluded", "taz2024full, balanced"
_NEEDS_CORPUS = f"{NOT_HERE}: the totals of the yearly reports do not tell, and the corpus is not part of this run"
_WHO = (*GENDERS, "overall")
_NOT_SUMMARISED = f"{NOT_ASKED}: neither the totals of the yearly reports nor the summary of our run tell"
_PERCENT = "percent_of_"


def build_newsroom_ledger(
    published: Path,
    sources: Path,
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
    reports = _Reports(read_years(unbalanced), read_years(balanced))
    files = {"summaries": _read_both(summaries), "top_words": _read_both(top_words)}
    if summaries:
        files["summaries"]["statistic"] = files["summaries"]["statistic"].str.replace("_", " ")
    missing = "; ".join([_NOT_SUMMARISED if summaries else _NEEDS_CORPUS, *left_out])
    setup = _setup(measures[0]) if measures else ""
    places = read_sources(sources)
    rows = [
        _judge(number, find_ours(number, places, files), reports, missing, setup)
        for number in read_published(published)
    ]
    write_ledger(rows, ledger)


def _setup(measures: Path) -> str:
    """Describe the differences between our run's setup and the paper's; an empty string if there are none."""
    made = read_metadata(measures)
    papers = {"model": PAPER_PIPELINE, "coreference": PAPER_COREFERENCE, "sentiment": PAPER_SENTIMENT}
    others = {name: made.get(name, "unknown") for name, of_paper in papers.items() if not _is(made, name, of_paper)}
    return "; ".join(f"{name}: {value}, not {papers[name]}" for name, value in others.items())


def _is(made: dict[str, str], name: str, of_paper: str) -> bool:
    # A pipeline's name is followed by its version.
    return made.get(name, "").partition(" ")[0] == of_paper


class _Reports:
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
            ("taz2024full", "texts_with_actors"): before["overall_texts_with_actors"].sum(),
            ("taz2024full", "year_of_most_actors"): actors.idxmax(),
            ("taz2024full", "subject_role_gap_percentage_points"): _role_gap(before),
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


def _read_both(paths: list[Path]) -> pd.DataFrame:
    """Combine the tables of both procedures under the paper's name of the corpus; empty if it was not run."""
    parts = [
        pd.read_csv(path, dtype={"group": str}).assign(procedure=procedure)
        for procedure, path in zip(PROCEDURES, paths, strict=False)
    ]
    return pd.concat(parts).replace({"group": {"all": "taz2024full"}}) if parts else pd.DataFrame()


def _judge(number: PublishedNumber, ours: ReproducedValue, reports: _Reports, missing: str, setup: str) -> LedgerRow:
    if ours.published is None:
        value, setup = reports.value(number), ""
        ours = ReproducedValue(value, value, _TOLERANCE, _FROM_REPORTS if value is not None else missing)
    is_year = "year" in number.column.split("_") and not number.column.startswith("articles_")
    ours = replace(ours, tolerance=0 if is_year else ours.tolerance, setup=setup)
    row = compare_to_published(STUDY, number, ours, join_remarks(ours.remark, number.note))
    if number.column == "crossing_year" and not reports.crossing_years:
        return replace(row, ours_published="none", ours_corrected="none", verdict=DIFFERS, reason=number.note)
    side = _claimed_side(number.column)
    if side and ours.published is not None and row.verdict != OTHER_SETUP:
        claimed = float(number.value)
        holds = ours.published >= claimed if side == "lower" else ours.published <= claimed
        row = replace(row, verdict=WITHIN if holds else DIFFERS)
    return row


def _claimed_side(column: str) -> str:
    parts = column.split("_")
    return next((side for side in ("lower", "upper") if side in parts), "")


def _split(column: str) -> tuple[str, str]:
    for gender in _WHO:
        if column.startswith(f"{gender}_"):
            return gender, column.removeprefix(f"{gender}_")
    return "overall", column


def _yearly_value(row: pd.Series, column: str) -> float | None:
    gender, metric = _split(column)
    if metric.startswith(_PERCENT):
        metric = metric.removeprefix(_PERCENT)
        return 100 * row[f"{gender}_{metric}"] / row[f"overall_{metric}"]
    return float(row[name]) if (name := f"{gender}_{metric}") in row.index else None


def _role_gap(yearly: pd.DataFrame) -> float:
    feminine, masculine = (yearly[f"{gender}_subject_roles"].sum() for gender in GENDERS)
    return 100 * (masculine - feminine) / (masculine + feminine)
