"""Prepare the tables behind the ledger of Urchs 2025, §5 and Appendix A, and compute what is in no cell of them.

The authors publish the yearly reports of their corpus before and after balancing. We check the text against these, and
Appendix A against the report of 2023. The rest needs the corpus itself (the row `taz` of the article corpora). The
authors call it freely available, but none of our sources has a file of it.

The computed tables are `newsroom/summary` and `newsroom/top_words` of our run of the corpus, by procedure, and
`newsroom/yearly/{unbalanced,balanced}` with a row per year (`{gender}_{metric}`, also in percent of both genders).
`newsroom/per_text_2023` and `newsroom/top_words_2023` are from the report of 2023.
"""

import math
from collections.abc import Callable, Mapping
from pathlib import Path

from textparity.corpora.reading import read_metadata
from textparity.counting import GENDERS
from textparity_studies.newsroom.settings import PAPER_COREFERENCE, PAPER_CORPUS, PAPER_PIPELINE, PAPER_SENTIMENT
from textparity_studies.newsroom.summary import OVERALL, WHOLE
from textparity_studies.newsroom.yearly_figures import read_years
from textparity_studies.report.cells import Row, RunTables, read_cells
from textparity_studies.report.comparison import build_ledger
from textparity_studies.report.ledger import EvidenceKind, Need, PublishedNumber, Reason, ReproducedValue

STUDY = "newsroom"
_PAPER_NAME = "taz2024full"
_PAPER_SETUP = {"model": PAPER_PIPELINE, "coreference": PAPER_COREFERENCE, "sentiment": PAPER_SENTIMENT}
_UNBALANCED, _BALANCED = "newsroom/yearly/unbalanced", "newsroom/yearly/balanced"
_FROM_REPORTS = "by the authors' yearly reports"
_NEEDS_CORPUS = Need(
    Reason.NOT_DOWNLOADED, "the yearly reports do not include it, and the corpus is not part of this run"
)
_NOT_SUMMARISED = Need(Reason.NOT_CONFIGURED, "neither the yearly reports nor the summary of our run include it")
# Claims about how many articles balancing excludes per year: the years, and whether the least or the most is meant.
_EXCLUDED_YEARS: Mapping[tuple[str, str], tuple[range, Callable[[list[float]], float]]] = {
    ("mid-1990s on", "articles_excluded_a_year_lower"): (range(1995, 2005), min),
    ("mid-1990s on", "articles_excluded_a_year_upper"): (range(1995, 2005), max),
    ("2005-2015", "articles_excluded_a_year_lower_bound"): (range(2005, 2016), min),
    ("2015", "articles_excluded_a_year_lower_bound"): (range(2015, 2016), min),
    ("most recent years", "articles_excluded_a_year_upper_bound"): (range(2022, 2100), max),
}


def build_newsroom_ledger(
    published: Path,
    notes: Path,
    functions: Path,
    unbalanced: Path,
    balanced: Path,
    report_2023: list[Path],
    tables: list[Path],
    measures: list[Path],
    not_run: list[list[str]],
    gaps: Path,
    ledger: Path,
) -> None:
    """Write one row per published number, and write the values `not_run` to `gaps`.

    `report_2023` are the statistics per text and the top words of that report. `tables` are the summaries and top
    words of the paper's corpus, each in the folder of its procedure. `measures` are of its articles, and record
    what parsed and scored them. Both are empty if the corpus was not run.
    """
    left_out = [reason for corpus, *_, reason in not_run if corpus == PAPER_CORPUS]
    run: Row = {
        "setup": describe_setup(read_metadata(measures[0])) if measures else "",
        "missing": "; ".join([_NOT_SUMMARISED if tables else _NEEDS_CORPUS, *left_out]),
    }
    computed: dict[str, list[Row]] = {
        "run": [run],
        _UNBALANCED: _yearly_rows(unbalanced),
        _BALANCED: _yearly_rows(balanced),
    }
    for path in report_2023:
        computed[f"newsroom/{path.stem.removeprefix('published_')}"] = list(read_cells(path))
    for table in tables:
        procedure = table.parent.name
        rows = computed.setdefault(f"newsroom/{table.stem}", [])
        for row in read_cells(table):
            group = _PAPER_NAME if row["group"] == WHOLE else row["group"]
            rows.append({**row, "group": group, "procedure": procedure})
    build_ledger(STUDY, published, notes, functions, [], ledger, gaps, not_run, computed=computed)


def describe_setup(made: dict[str, str]) -> str:
    """Describe the differences between our run's setup and the paper's; an empty string if there are none."""
    # A pipeline's name is followed by its version.
    others = [name for name, paper in _PAPER_SETUP.items() if made.get(name, "").partition(" ")[0] != paper]
    return "; ".join(f"{name}: {made.get(name, 'unknown')}, not {_PAPER_SETUP[name]}" for name in others)


def _yearly_rows(report: Path) -> list[Row]:
    years = read_years(report)
    overall = [column for column in years.columns if column.startswith(f"{OVERALL}_")]
    for column in overall:
        metric = column.removeprefix(f"{OVERALL}_")
        for gender in GENDERS:
            if f"{gender}_{metric}" in years.columns:
                years[f"{gender}_percent_of_{metric}"] = 100 * years[f"{gender}_{metric}"] / years[column]
    return years.reset_index().to_dict("records")


def sum_texts_with_actors(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Sum the texts with actors over all years."""
    return _from_reports(sum(row["overall_texts_with_actors"] for row in tables.rows(_UNBALANCED)))


def find_peak_year(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Find the year with the most actors, or with the most articles that balancing excludes."""
    if number.column == "year_of_most_actors":
        by_year = {row["year"]: row["overall_actors"] for row in tables.rows(_UNBALANCED)}
    else:
        by_year = _removed(tables, "overall_total_texts")
    return _from_reports(max(by_year, key=lambda year: by_year[year]))


def compute_role_gap(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Compute by how many percentage points men are subjects more often than women, before or after balancing."""
    rows = tables.rows(_BALANCED if number.row.endswith("balanced") else _UNBALANCED)
    feminine, masculine = (sum(row[f"{gender}_subject_roles"] for row in rows) for gender in GENDERS)
    return _from_reports(100 * (masculine - feminine) / (masculine + feminine))


def sum_excluded(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Sum the articles, actors or mentions that balancing excludes."""
    column = "overall_total_texts" if number.column == "articles_excluded" else number.column
    return _from_reports(sum(_removed(tables, column).values()))


def find_excluded_a_year(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Find the least or most articles that balancing excludes in one of some years."""
    years, furthest = _EXCLUDED_YEARS[number.row, number.column]
    by_year = _removed(tables, "overall_total_texts")
    return _from_reports(furthest([articles for year, articles in by_year.items() if year in years]))


def compute_balanced_ratio(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Compute the feminine actors (or mentions) per masculine one after balancing."""
    counted = f"{number.column.partition('_')[0]}s"
    feminine, masculine = (sum(row[f"{gender}_{counted}"] for row in tables.rows(_BALANCED)) for gender in GENDERS)
    return _from_reports(feminine / masculine)


def find_crossing_year(number: PublishedNumber, tables: RunTables) -> ReproducedValue:
    """Find the first year after balancing in which feminine actors or mentions outnumber masculine ones."""
    for row in tables.rows(_BALANCED):
        if any(row[f"feminine_{counted}"] > row[f"masculine_{counted}"] for counted in ("actors", "mentions")):
            return _from_reports(row["year"])
    return _from_reports(math.inf)


def _from_reports(value: float) -> ReproducedValue:
    return ReproducedValue(float(value), float(value), remark=_FROM_REPORTS, evidence=EvidenceKind.REPORT)


def _removed(tables: RunTables, column: str) -> dict[int, float]:
    """Subtract the balanced count of each year from the unbalanced one. Years without a balanced report are omitted."""
    before = {row["year"]: row[column] for row in tables.rows(_UNBALANCED)}
    return {row["year"]: before[row["year"]] - row[column] for row in tables.rows(_BALANCED)}
