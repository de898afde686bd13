"""Each number that Urchs 2025 prints, beside the authors' yearly reports or our run of their corpus."""

import csv

import pandas as pd
import pyarrow as pa
import pytest
from ledgers import FUNCTIONS

from textparity.corpora.reading import open_batches
from textparity.counting import PROCEDURES
from textparity_studies.newsroom.ledger import build_newsroom_ledger
from textparity_studies.report.ledger import read_published

EXCLUDED, BALANCED = "taz2024full, excluded", "taz2024full, balanced"
CONTRADICTED = "contradicted by the authors' data"
FROM_REPORTS = "by the authors' yearly reports"
PAPERS_TOOLS = {
    "model": "de_core_news_lg 3.5.0", "coreference": "coreferee", "sentiment": "oliverguhr/german-sentiment-bert",
}  # fmt: skip


@pytest.fixture
def folder(repository):
    return repository / "resources" / "newsroom"


@pytest.fixture
def build(folder, tmp_path):
    """Build the ledger; returns its rows by table, row and column."""

    def build(summaries=(), top_words=(), not_run=(), balanced=None, made_with=PAPERS_TOOLS):
        measures = tmp_path / "measures.parquet"
        with open_batches(measures, pa.schema([("id", pa.string())])) as file:
            file.metadata = made_with
        tables = []
        for name, frames in (("summary", summaries), ("top_words", top_words)):
            for procedure, rows in zip(PROCEDURES, frames, strict=False):
                tables.append(tmp_path / procedure / f"{name}.csv")
                tables[-1].parent.mkdir(exist_ok=True)
                pd.DataFrame(rows).to_csv(tables[-1], index=False)
        build_newsroom_ledger(
            folder / "published.csv", folder / "ledger_notes.csv", FUNCTIONS,
            folder / "published_yearly_unbalanced.csv", balanced or folder / "published_yearly_balanced.csv",
            [folder / f"published_{name}_2023.csv" for name in ("per_text", "top_words")],
            tables, [measures] if tables else [],
            not_run=list(not_run), gaps=tmp_path / "gaps.csv", ledger=tmp_path / "ledger.csv",
        )  # fmt: skip
        with (tmp_path / "ledger.csv").open(encoding="utf-8", newline="") as file:
            return {(row["table"], row["row"], row["column"]): row for row in csv.DictReader(file)}

    return build


def test_no_published_number_is_dropped(build, folder):
    numbers = read_published(folder / "published.csv")
    rows = build()
    assert list(rows) == [(number.table, number.row, number.column) for number in numbers]
    assert {row["study"] for row in rows.values()} == {"newsroom"}
    assert all(row["reason"] for row in rows.values())


@pytest.mark.parametrize(
    ("key", "ours", "verdict"),
    [
        # Single years,
        (("§5", "2004", "actors"), "23580", "exact"),
        (("§5", "2004", "feminine_actors"), "7523", "exact"),
        (("App. A", "2023", "total_texts"), "10019", "exact"),
        (("App. A", "2023", "gender_neutral_texts"), "107", "exact"),
        (("App. A", "2023", "generic_masculine_texts"), "8081", "exact"),
        (("App. A", "2023", "feminine_mentions"), "35572", "within tolerance"),
        (("App. A", "2023", "overall_feminine_coded_words"), "10317", "exact"),
        (("App. A", "2023", "feminine_percent_of_subject_roles"), "38.058", "exact"),
        (("App. A", "2023", "overall_sentiment"), "-0.0100", "exact"),
        # sums over years,
        (("§5", "taz2024full", "texts_with_actors"), "464973", CONTRADICTED),
        (("§5", "taz2024full", "year_of_most_actors"), "2004", "exact"),
        (("§5.4", "taz2024full", "subject_role_gap_percentage_points"), "40.86", CONTRADICTED),
        (("§5.4", BALANCED, "subject_role_gap_percentage_points"), "37.58", CONTRADICTED),
        # what balancing removed,
        (("§5.3", EXCLUDED, "articles_excluded"), "17797", "within tolerance"),
        (("§5.3", EXCLUDED, "masculine_actors"), "36053", "within tolerance"),
        (("§5.3", EXCLUDED, "feminine_actors"), "2", CONTRADICTED),
        (("§5.3", EXCLUDED, "year_of_most_excluded_articles"), "2012", CONTRADICTED),
        # and claims of bounds, on whichever side ours lies.
        (("§5.3", BALANCED, "actor_ratio_lower_bound"), "0.5666", CONTRADICTED),
        (("§5.3", BALANCED, "actor_ratio_upper_bound"), "0.5666", "within tolerance"),
        (("§5.3", "mid-1990s on", "articles_excluded_a_year_lower"), "420", "within tolerance"),
        (("§5.3", "mid-1990s on", "articles_excluded_a_year_upper"), "588", CONTRADICTED),
        (("§5.3", "2015", "articles_excluded_a_year_lower_bound"), "494", CONTRADICTED),
        (("§5.3", "most recent years", "articles_excluded_a_year_upper_bound"), "387", CONTRADICTED),
    ],
)
def test_without_the_corpus_the_authors_yearly_reports_are_compared(build, key, ours, verdict):
    row = build()[key]
    assert (row["ours_published"], row["ours_corrected"], row["verdict"]) == (ours, ours, verdict)
    assert (row["evidence"], FROM_REPORTS in row["reason"]) == ("authors' report", True)


def test_appendix_a_is_the_authors_report_of_2023_but_for_six_numbers(build):
    rows = {key: row for key, row in build().items() if "by the authors' report of 2023" in row["reason"]}
    assert len(rows) == 171
    assert {row["evidence"] for row in rows.values()} == {"authors' report"}
    others = {key[1:]: row["ours_published"] for key, row in rows.items() if row["verdict"] != "exact"}
    assert {rows["App. A", *key]["verdict"] for key in others} == {CONTRADICTED}
    assert others == {
        ("2023, mean", "masculine_mentions"): "5.6400",
        ("2023, standard deviation", "masculine_mentions"): "10.9900",
        ("2023, mean", "masculine_named_mentions"): "3.6500",
        ("2023, standard deviation", "masculine_named_mentions"): "9.2000",
        ("2023, mean", "overall_mentions"): "9.2000",
        ("2023, standard deviation", "overall_mentions"): "13.1300",
    }


def test_a_crossing_that_is_in_no_report_differs(build, folder, tmp_path):
    key = ("§5.4", BALANCED, "crossing_year")
    row = build()[key]
    assert (row["ours_published"], row["ours_corrected"], row["verdict"]) == ("none", "none", CONTRADICTED)
    crossing = pd.read_csv(folder / "published_yearly_balanced.csv")
    later = crossing["year"] >= 2018
    crossing.loc[later, "pronoun_distribution_she_her"] = crossing.loc[later, "pronoun_distribution_he_him"] + 1
    crossing.to_csv(tmp_path / "crossing.csv", index=False)
    row = build(balanced=tmp_path / "crossing.csv")[key]
    assert (row["ours_published"], row["verdict"]) == ("2018", "exact")


def test_what_no_report_tells_is_not_run_with_the_reason(build):
    key = ("§5.2", EXCLUDED, "articles_without_flag")
    row = build(not_run=[["gnad", "deu", "", "no pipeline"], ["taz", "deu", "", "there is no file taz"]])[key]
    assert (row["verdict"], row["ours_published"]) == ("not run", "")
    said = "published, not here: the yearly reports do not include it, and the corpus is not part of this run"
    note = "removed by the balancing of §5.3"
    assert row["reason"] == f"{said}; there is no file taz; {note}"
    assert build(not_run=[["gnad", "deu", "", "no pipeline"]])[key]["reason"] == f"{said}; {note}"


def summary(number, *rows):
    """Rows of a summary: group, section, metric, statistic and the feminine value; the others add to it."""
    return [
        {"group": group, "section": section, "metric": metric, "statistic": statistic,
         "feminine": value + number, "masculine": value + 10, "undetermined": 0, "overall": value + 100}
        for group, section, metric, statistic, value in rows
    ]  # fmt: skip


def words(value):
    """Rows of top words, of two groups."""
    rows = [("actors", "letzten", value), ("feminine", "junge", value + 1), ("feminine", "null", value)]
    return [
        {"group": group, "part_of_speech": "adjectives", "rank": 1, "column": column, "word": word, "value": of_it,
         "count": 1}
        for group in ("all", "2023") for column, word, of_it in rows
    ]  # fmt: skip


def test_our_run_of_the_corpus_comes_before_the_reports(build):
    rows = [
        ("all", "totals", "texts_with_actors", "total", 5),
        ("2004", "totals", "actors", "total", 7000),
        ("2023", "totals", "actors", "total", 6892),
        ("2023", "totals", "sentiment", "mean", 0),
        ("2023", "percent", "subject_roles", "percent", 38),
        ("2023", "per text", "actors", "mean", 0.69),
        ("2023", "per text", "actors", "standard_deviation", 0.5),
        ("2023", "per text", "sentiment", "mean", 3),
    ]
    ledger = build(summaries=[summary(number, *rows) for number in (0, 1000)], top_words=[words(1)] * 2)

    def ours(row, column, table="App. A"):
        cells = ledger[table, row, column]
        assert "our run of the paper's corpus" in cells["reason"]
        return float(cells["ours_published"]), float(cells["ours_corrected"])

    assert ours("taz2024full", "texts_with_actors", "§5") == (105, 105)
    assert ours("2004", "feminine_actors", "§5") == (7000, 8000)
    assert ours("2023", "feminine_actors") == (6892, 7892)
    assert ours("2023", "overall_actors") == (6992, 6992)
    assert ours("2023", "feminine_sentiment") == (0, 1000)
    assert ours("2023", "masculine_percent_of_subject_roles") == (48, 48)
    assert ours("2023, mean", "feminine_actors") == (0.69, 1000.69)
    assert ours("2023, standard deviation", "feminine_actors") == (0.5, 1000.5)
    assert ours("2023, mean", "overall_sentiment") == (103, 103)
    assert ledger["App. A", "2023", "total_texts"]["ours_published"] == "10019"
    assert ledger["App. A", "2023, median", "feminine_actors"]["reason"] == "by the authors' report of 2023"
    missing = ledger["§5.2", EXCLUDED, "articles_excluded_by_flags"]
    assert (missing["verdict"], missing["reason"]) == (
        "not run", "not asked for: neither the yearly reports nor the summary of our run include it",
    )  # fmt: skip


def test_a_run_with_other_tools_neither_reproduces_nor_contradicts(build):
    rows = [("2023", "totals", "actors", "total", 6892), ("all", "totals", "texts_with_actors", "total", 5)]
    made_with = PAPERS_TOOLS | {"model": "de_mini 0.1.0", "sentiment": "lexicon"}
    ledger = build([summary(0, *rows)] * 2, [words(414)] * 2, made_with=made_with)
    ours = ledger["App. A", "2023", "feminine_actors"]
    assert (ours["verdict"], ours["evidence"], ours["abs_diff"]) == ("other setup", "measured", "0.00")
    assert ours["setup"] == (
        "model: de_mini 0.1.0, not de_core_news_lg; sentiment: lexicon, not oliverguhr/german-sentiment-bert"
    )
    # What the authors' reports say is of their own setup.
    reports = ledger["App. A", "2023", "total_texts"]
    assert (reports["verdict"], reports["setup"]) == ("exact", "")
    same = build([summary(0, *rows)] * 2, [words(414)] * 2)["App. A", "2023", "feminine_actors"]
    assert (same["verdict"], same["setup"]) == ("exact", "")


def test_top_words_are_compared_by_the_published_procedure_alone(build):
    no_numbers = summary(0, ("2023", "totals", "mentions", "total", 1))
    ledger = build(summaries=[no_numbers] * 2, top_words=[words(414), words(2.5)])
    row = ledger["App. A", "adjectives, all, 1: letzten", "texts"]
    assert (row["ours_published"], row["ours_corrected"], row["verdict"]) == ("414", "", "exact")
    assert ledger["App. A", "adjectives, feminine, 2: junge", "texts"]["ours_published"] == "415"
    assert ledger["App. A", "adjectives, masculine, 1: letzten", "texts"]["evidence"] == "authors' report"
