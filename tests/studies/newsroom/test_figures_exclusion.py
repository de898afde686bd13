"""Tables and figures of what is flagged and excluded (Figures 4 to 7 of Urchs 2025)."""

import csv
import itertools

import numpy as np
import pandas as pd
import pytest
from article_corpus import article, random_articles, write_articles

from textparity.corpora.reading import read_rows
from textparity.counting import PROCEDURES
from textparity.tables import write_csv, write_tables
from textparity_studies.newsroom import figures
from textparity_studies.newsroom.balance import INDICATORS, STEPS, exclude_articles, flag_articles
from textparity_studies.newsroom.figures import (
    bin_shares,
    draw_exclusions,
    draw_flags,
    draw_gender_ratios,
    draw_yearly_exclusions,
)
from textparity_studies.newsroom.settings import STAGES
from textparity_studies.newsroom.tables import read_groups, tabulate_exclusions
from textparity_studies.newsroom.yearly_figures import read_yearly_figures
from textparity_studies.report.catalogue import FIGURE_FORMATS

THRESHOLDS = {"sentiment_gap": 0.3, "subject_gap": 0.5, "quote_gap": 0.5, "naming_gap": 0.5}
YEARS = tuple(str(year) for year in range(1980, 2025) if year != 1983)
TOPICS = (
    "Kultur",
    "Politik & Gesellschaft",
    "Sport",
    "Wirtschaft",
    "Web",
    "Panorama",
    "Etat",
    "Inland",
    "International",
)
DIFFERENCES = ("sentiment", "subject", "quote", "naming")


@pytest.fixture
def corpus(repository, tmp_path):
    """Flag, balance and tabulate rows; returns the folder with all files and the paths of the articles."""

    def corpus(rows, procedure="corrected", minimum_flags=2):
        articles = write_articles(tmp_path, rows, parts=2)
        flags, excluded = tmp_path / "flags.parquet", tmp_path / "excluded.csv"
        flag_articles(articles, flags, procedure, THRESHOLDS, minimum_flags)
        write_csv(exclude_articles(articles, flags, procedure, 0.75, 1.25, 1)[0], excluded)
        files = [tmp_path / f"{name}.{ending}" for name in ("flags", "exclusions") for ending in ("csv", "tex")]
        captions = (repository / "resources" / "newsroom" / "captions" / "tables").glob("*.rst")
        write_tables(tabulate_exclusions(flags, excluded), files, captions)
        return tmp_path, articles

    return corpus


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("groups", [YEARS[:5], TOPICS])
def test_the_tables_are_counts_of_the_rows(corpus, procedure, groups):
    folder, _ = corpus(random_articles(4, 400, groups=groups), procedure, minimum_flags=3)
    flags = read_rows(folder / "flags.parquet").to_pylist()
    with (folder / "excluded.csv").open(encoding="utf-8") as file:
        step_of = {row["id"]: row["step"] for row in csv.DictReader(file)}
    assert set(step_of.values()) == {"flags", "balance"}
    table = pd.read_csv(folder / "flags.csv", dtype={"group": str}).set_index("group")
    exclusions = pd.read_csv(folder / "exclusions.csv", dtype={"group": str}).set_index("group")
    assert list(table.index) == list(exclusions.index) == [*sorted(groups), "all"]
    for group in table.index:
        rows = [row for row in flags if group in (row["group"], "all")]
        gone = [row for row in rows if row["id"] in step_of]
        judged = [row for row in rows if any(row[f"{name}_difference"] is not None for name in DIFFERENCES)]
        of_group = table.loc[group]
        assert list(of_group[["articles", "judged", "excluded"]]) == [len(rows), len(judged), len(gone)]
        numbers = [sum(row["flags"] == number for row in judged) for number in range(5)]
        assert list(of_group[[f"flags_{number}" for number in range(5)]]) == numbers
        for name, difference in zip(INDICATORS, DIFFERENCES, strict=True):
            on_it = [row for row in rows if row[f"{difference}_difference"] is not None]
            assert of_group[f"{name}_judged"] == len(on_it)
            assert of_group[f"{name}_flagged"] == sum(row[name] for row in rows)
            share = 100 * sum(row[name] for row in on_it) / len(on_it)
            assert of_group[f"{name}_percent_of_judged"] == pytest.approx(share, abs=1e-6)
            share = 100 * sum(row[name] for row in gone) / len(gone)
            assert of_group[f"{name}_percent_of_excluded"] == pytest.approx(share, abs=1e-6)
        by_step = [sum(step_of[row["id"]] == step for row in gone) for step in ("flags", "balance")]
        of_group = exclusions.loc[group]
        assert list(of_group[["articles", "flags", "balance", "excluded", "left"]]) == [
            len(rows), *by_step, len(gone), len(rows) - len(gone),
        ]  # fmt: skip
        assert of_group["excluded_percent"] == pytest.approx(100 * len(gone) / len(rows), abs=1e-6)


def test_years_are_ordered_as_numbers_and_names_may_be_anything(corpus):
    folder, _ = corpus([article(1, "1999"), article(2, "2000"), article(3, "800")])
    rows, are_years = read_groups(folder / "exclusions.csv")
    assert (list(rows["group"]), are_years) == ([800, 1999, 2000], True)
    folder, _ = corpus(
        [article(1, "NA"), article(2, ""), article(3, "all"), article(4, "2000"), article(5, "A, b & c")]
    )
    rows, are_years = read_groups(folder / "exclusions.csv")
    assert (list(rows["group"]), are_years) == (["", "2000", "A, b & c", "NA", "all"], False)
    assert "A, b \\& c & 1 & 0 & 0 & 0 & 0.00 & 1" in (folder / "exclusions.tex").read_text("utf-8")


def test_shares_without_a_whole_are_left_empty(corpus):
    folder, _ = corpus([article(1)])
    with (folder / "flags.csv").open(encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    assert {row[f"{name}_percent_of_{of}"] for name in INDICATORS for of in ("judged", "excluded")} == {""}


def test_shares_are_binned_as_whole_numbers():
    # 0 %, 5 % (an edge), 35 % (an edge that 100 * 7 / 20 / 5 meets), 50 %, 99 % and 100 %; nobody is not binned.
    feminine, masculine = np.array([0, 1, 7, 1, 99, 3, 0]), np.array([2, 19, 13, 1, 1, 0, 0])
    heights, count = bin_shares(feminine, masculine, np.ones(7, np.int64))
    assert count == 6
    assert dict(enumerate(heights.round(6))) == dict.fromkeys(range(20), 0) | {
        0: 16.666667, 1: 16.666667, 7: 16.666667, 10: 16.666667, 19: 33.333333,
    }  # fmt: skip
    heights, _ = bin_shares(feminine, masculine, np.array([6, 0, 0, 3, 0, 1, 100]))
    assert (heights[0], heights[10], heights[19]) == (60, 30, 10)
    assert bin_shares(feminine[:0], masculine[:0], feminine[:0])[0].sum() == 0


def binned(monkeypatch, articles, folder, procedure, step):
    """Return what the two panels show, in percent by place."""
    shown = []

    def record(*arguments):
        heights, count = bin_shares(*arguments)
        shown.append({place: round(height, 3) for place, height in enumerate(heights) if height})
        return heights, count

    monkeypatch.setattr(figures, "bin_shares", record)
    draw_gender_ratios(articles, folder / "excluded.csv", procedure, step)
    return shown


def test_the_histogram_weights_as_published_and_counts_articles_as_corrected(monkeypatch, tmp_path):
    # Women: 1 of 4 actors with 6 of 10 mentions; 0 of 1 with 0 of 5; 2 of 2 with 15 of 15; nobody.
    people = [(1, 3, 6, 4), (0, 1, 0, 5), (2, 0, 15, 0), (0, 0, 0, 0)]
    names = ("feminine_actors", "masculine_actors", "feminine_mentions", "masculine_mentions")
    rows = [article(number, **dict(zip(names, counts, strict=True))) for number, counts in enumerate(people)]
    articles = write_articles(tmp_path, rows)
    steps = ["article-1,2001,flags,1,x", "article-2,2001,balance,1,y"]
    (tmp_path / "excluded.csv").write_text("\n".join(["id,group,step,order,reason", *steps, ""]), "utf-8")
    show = {
        (procedure, step): binned(monkeypatch, articles, tmp_path, procedure, step)
        for procedure, step in itertools.product(PROCEDURES, STAGES)
    }
    assert show["published", "before"] == [{0: 16.667, 12: 33.333, 19: 50}, {0: 14.286, 12: 57.143, 19: 28.571}]
    assert show["published", "after_flagging"] == [{12: 40, 19: 60}, {12: 66.667, 19: 33.333}]
    assert show["corrected", "before"] == [{0: 33.333, 12: 33.333, 19: 33.333}, {0: 33.333, 5: 33.333, 19: 33.333}]
    assert show["corrected", "after_flagging"] == [{12: 50, 19: 50}, {5: 50, 19: 50}]
    assert show["published", "after_balancing"] == [{12: 100}, {12: 100}]
    assert show["corrected", "after_balancing"] == [{12: 100}, {5: 100}]


def draw_all(folder, articles, procedure, stage):
    """Draw the charts of a corpus, by name."""
    labels = dict(zip(STEPS, ("by flags", "to balance"), strict=True))
    charts = [
        draw_flags(*read_groups(folder / "flags.csv"), procedure),
        draw_exclusions("exclusions", *read_groups(folder / "exclusions.csv"), labels, "How"),
        draw_gender_ratios(articles, folder / "excluded.csv", procedure, stage),
    ]
    return {chart.name: chart for chart in charts}


# What earlier tests left to the garbage collector may be collected here.
@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")
@pytest.mark.parametrize("groups", [YEARS, TOPICS])
def test_figures_are_the_same_to_the_byte(corpus, groups):
    folder, articles = corpus(random_articles(2, 500, groups=groups))
    written = []
    for _ in range(2):
        charts = draw_all(folder, articles, "published", "after_balancing")
        files = [folder / f"{name}.{ending}" for name in charts for ending in FIGURE_FORMATS]
        for file in files:
            charts[file.stem].save(file)
        written.append([file.read_bytes() for file in files])
    assert written[0] == written[1]


# What earlier tests left to the garbage collector may be collected here.
@pytest.mark.filterwarnings("error", "ignore::ResourceWarning")
@pytest.mark.parametrize("rows", [[], [article(1)], [article(1, "Kultur")]])
def test_figures_of_nothing_say_of_how_many_articles_they_are(corpus, rows):
    folder, articles = corpus(rows)
    for procedure in PROCEDURES:
        charts = draw_all(folder, articles, procedure, "before")
        for chart in charts.values():
            chart.save(folder / "figure.svg")
        assert charts["flags"].finding == "No article could be judged"
        assert charts["exclusions"].finding.startswith(f"0 of {len(rows)} articles are excluded")
        method = charts["gender_ratios_before"].method
        assert method.startswith(f"Before flagging and balancing, {procedure} procedure: 0 of {len(rows)} articles")


@pytest.mark.parametrize("groups", [YEARS, TOPICS])
def test_flags_that_no_article_was_judged_on_are_left_out(corpus, groups):
    rows = random_articles(4, 400, groups=groups)
    folder, _ = corpus([row | dict.fromkeys(["feminine_sentiment", "masculine_sentiment"]) for row in rows])
    table = pd.read_csv(folder / "flags.csv")
    assert table["sentiment_gap_judged"].sum() == 0 and table["sentiment_gap_percent_of_excluded"].isna().all()
    draw_flags(*read_groups(folder / "flags.csv"), "corrected").save(folder / "f.svg")
    drawn = (folder / "f.svg").read_text("utf-8")
    assert "not measured in any article: sentiment gap</desc>" in drawn and ", sentiment gap:" not in drawn


def test_the_most_frequent_flags_are_named_with_how_many_were_judged():
    judged = dict(zip(INDICATORS, (0, 17, 9, 19), strict=True))
    flagged = dict(zip(INDICATORS, (0, 10, 5, 10), strict=True))
    columns = {f"{name}_judged": [count] for name, count in judged.items()}
    rows = pd.DataFrame(columns | {f"{name}_flagged": [count] for name, count in flagged.items()})
    assert figures.describe_flags(rows) == (
        "Most frequent: the subject gap and the naming gap, in 10 (59 %) of 17 and 10 (53 %) of 19 judged articles"
    )


def test_the_authors_exclusions_are_the_difference_of_their_reports(monkeypatch, repository, tmp_path):
    published = repository / "resources" / "newsroom"
    paths = [published / f"published_yearly_{state}.csv" for state in ("unbalanced", "balanced")]
    drawn = []
    monkeypatch.setattr(figures, "draw_exclusions", lambda name, *others: drawn.append(others))
    reports = [read_yearly_figures(path) for path in paths]
    draw_yearly_exclusions(*reports)
    rows, are_years, *_ = drawn[0]
    before, after = (pd.read_csv(path).set_index("year")["total_texts"] for path in paths)
    assert are_years
    assert list(rows["group"]) == list(after.index)
    assert list(rows["excluded"]) == list(before.loc[after.index] - after)
    monkeypatch.undo()
    draw_yearly_exclusions(*reports).save(tmp_path / "f.svg")
    drawn = (tmp_path / "f.svg").read_text("utf-8")
    assert "<title>17,797 of 464,967 " in drawn and "6 more are of years without a report after it</desc>" in drawn
