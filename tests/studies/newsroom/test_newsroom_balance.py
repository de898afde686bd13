"""Balancing: the paper's greedy rule against its loop, the integer programme against all subsets."""

import csv
import itertools
import math

import numpy as np
import pandas as pd
import pytest
from article_corpus import article, random_articles, write_articles

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import PROCEDURES
from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import write_csv
from textparity_studies.newsroom import balance as balance_module
from textparity_studies.newsroom import exclusion
from textparity_studies.newsroom.balance import (
    balance_corpus,
    exclude_articles,
    flag_articles,
    why_not_balanced,
    write_balanced_corpus,
)
from textparity_studies.newsroom.exclusion import minimise

NEVER = {"sentiment_gap": 9, "subject_gap": 1e9, "quote_gap": 1e9, "naming_gap": 1e9}
THRESHOLDS = {"sentiment_gap": 0.3, "subject_gap": 0.5, "quote_gap": 0.5, "naming_gap": 0.5}


@pytest.fixture
def balance(tmp_path):
    """Flag and balance rows; returns the excluded rows and the ratios by step."""

    def balance(rows, procedure, lower=0.75, upper=1.25, seed=1, parts=1, thresholds=NEVER):
        articles = write_articles(tmp_path, rows, parts)
        flags, excluded, ratios = (tmp_path / name for name in ("flags.parquet", "excluded.csv", "ratios.csv"))
        flag_articles(articles, flags, procedure, thresholds, 2)
        for frame, file in zip(
            exclude_articles(articles, flags, procedure, lower, upper, seed), (excluded, ratios), strict=True
        ):
            write_csv(frame, file)
        with excluded.open(encoding="utf-8") as file:
            return list(csv.DictReader(file)), pd.read_csv(ratios).set_index("step")

    return balance


def people(number, feminine=0, masculine=0, feminine_mentions=None, masculine_mentions=None, group="2001"):
    return article(
        number,
        group,
        feminine_actors=feminine,
        masculine_actors=masculine,
        feminine_mentions=2 * feminine if feminine_mentions is None else feminine_mentions,
        masculine_mentions=2 * masculine if masculine_mentions is None else masculine_mentions,
    )


def ratios_of(rows):
    totals = [
        sum(row[f"{gender}_{unit}"] for row in rows)
        for unit in ("actors", "mentions")
        for gender in ("feminine", "masculine")
    ]
    return [a / b if b > 0 else math.inf for a, b in (totals[:2], totals[2:])]


def in_range(rows, lower, upper):
    return all(lower <= ratio <= upper for ratio in ratios_of(rows))


def loop_of_the_paper(rows, lower, upper):
    """Return the numbers of the articles that are excluded, in that order, as the paper describes it."""
    if in_range(rows, lower, upper):
        return []
    over, under = ("masculine", "feminine") if min(ratios_of(rows)) < lower else ("feminine", "masculine")
    candidates = [row for row in rows if row[f"{over}_actors"] and not row[f"{under}_actors"]]
    candidates.sort(key=lambda row: row[f"{over}_mentions"] + 10 * row[f"{over}_actors"], reverse=True)
    left, excluded = list(rows), []
    for row in candidates:
        left.remove(row)
        excluded.append(row["number"])
        if in_range(left, lower, upper):
            break
    return excluded


@pytest.mark.parametrize("excess", [4.0, 1.0, 0.25])
@pytest.mark.parametrize("seed", range(8))
def test_published_removes_what_the_loop_removes(balance, seed, excess):
    rows = random_articles(seed, 80, excess)
    for lower, upper in ((0.75, 1.25), (0.99, 1.01), (0.9, 1.4)):
        excluded, ratios = balance(rows, "published", lower, upper)
        expected = loop_of_the_paper(rows, lower, upper)
        assert [row["id"] for row in excluded] == [f"article-{number}" for number in expected]
        assert [int(row["order"]) for row in excluded] == list(range(1, len(expected) + 1))
        left = [row for row in rows if row["number"] not in expected]
        after = ratios.loc["after_balancing"]
        assert [after["actor_ratio"], after["mention_ratio"]] == pytest.approx(ratios_of(left), abs=1e-6)
        assert after["in_range"] == in_range(left, lower, upper)
        assert (after["articles"], after["excluded"]) == (len(left), len(expected))


def fewest_by_trying(rows, lower, upper):
    """Return the least (articles, mentions) whose removal will do, of all subsets; nothing if none will."""
    best = None
    for size in range(len(rows) + 1):
        for removed in itertools.combinations(range(len(rows)), size):
            left = [row for number, row in enumerate(rows) if number not in removed]
            if sum(row["feminine_actors"] for row in left) and in_range(left, lower, upper):
                mentions = sum(rows[n]["feminine_mentions"] + rows[n]["masculine_mentions"] for n in removed)
                best = min(best or (size, math.inf), (size, mentions))
        if best:
            return best
    return None


@pytest.mark.parametrize("core", [2, 250])
@pytest.mark.parametrize("seed", range(25))
def test_corrected_removes_as_few_as_any_subset(balance, tmp_path, monkeypatch, seed, core):
    # With a core of two columns, it must grow.
    monkeypatch.setattr(exclusion, "CORE", core)
    random = np.random.default_rng(seed)
    rows = random_articles(seed, 11, excess=float(random.choice([0.3, 1, 2, 5])))
    lower, upper = [(0.75, 1.25), (0.95, 1.05), (1, 1), (1 / 3, 0.4)][seed % 4]
    excluded, ratios = balance(rows, "corrected", lower, upper)
    best = fewest_by_trying(rows, lower, upper)
    after = ratios.loc["after_balancing"]
    if best is None:
        assert not excluded
        assert not after["in_range"]
        assert why_not_balanced(tmp_path / "ratios.csv")
        return
    gone = {row["id"] for row in excluded}
    left = [row for row in rows if row["id"] not in gone]
    mentions = sum(row[f"{g}_mentions"] for row in rows if row["id"] in gone for g in ("feminine", "masculine"))
    assert (len(excluded), mentions) == best
    assert in_range(left, lower, upper)
    assert after["in_range"]
    assert after["outcome"] == (
        "brought into range (the fewest articles)" if excluded else "in range without balancing"
    )


def test_the_programme_removes_mixed_articles_where_that_takes_fewer(balance):
    # One article has most men and one woman; as published only those without women may go, and it takes three.
    rows = [people(1, 4, 0), people(2, 1, 12), *(people(number, 0, 2) for number in range(3, 7)), people(9, 2, 2)]
    published, ratios = balance(rows, "published", 0.4, 1.25)
    assert [row["id"] for row in published] == [f"article-{number}" for number in (3, 4, 5)]
    corrected, ratios = balance(rows, "corrected", 0.4, 1.25)
    assert [row["id"] for row in corrected] == ["article-2"]
    assert corrected[0]["reason"] == "actors (mentions): feminine 1 (2); masculine 12 (24)"
    assert list(ratios["in_range"]) == [False, False, True]


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_neither_parts_nor_their_order_matter(balance, tmp_path, procedure):
    rows = random_articles(5, 300)

    def written():
        return [(tmp_path / name).read_bytes() for name in ("excluded.csv", "ratios.csv")]

    excluded, _ = balance(rows, procedure, thresholds=THRESHOLDS)
    assert {row["step"] for row in excluded} == {"flags", "balance"}
    expected = written()
    shuffled = [rows[place] for place in np.random.default_rng(1).permutation(len(rows))]
    balance(shuffled, procedure, parts=5, thresholds=THRESHOLDS)
    assert written() == expected


def test_equal_articles_are_drawn_by_seed_and_id(balance):
    rows = [people(number, 0, 1) for number in range(40)] + [people(50, 20)]
    drawn = [{row["id"] for row in balance(rows, "corrected", 1, 1, seed)[0]} for seed in (1, 2)]
    assert [len(ids) for ids in drawn] == [20, 20]
    assert drawn[0] != drawn[1]
    # A further article without actors, or another numbering, draws the same.
    renumbered = [row | {"number": 100 - row["number"]} for row in rows] + [article(200)]
    assert {row["id"] for row in balance(renumbered, "corrected", 1, 1, 1)[0]} == drawn[0]


def test_what_flags_exclude_is_gone_before_and_says_why(balance, tmp_path):
    # Its roles and quotes differ; without it there are 3 women and 4 men.
    flagged = people(7, 1, 3) | {"feminine_subject_roles": 4, "masculine_object_roles": 2, "feminine_direct_quotes": 3}
    flagged |= {"masculine_indirect_quotes": 1, "feminine_sentiment": 0.0, "masculine_sentiment": 0.0}
    rows = [flagged, people(1, 3), people(2, 0, 4, group="Kultur, Medien"), article(3)]
    for procedure in PROCEDURES:
        excluded, ratios = balance(rows, procedure, thresholds=THRESHOLDS)
        reason = "subject_gap; quote_gap"
        assert excluded == [{"id": "article-7", "group": "2001", "step": "flags", "order": "1", "reason": reason}]
        assert list(ratios["articles"]) == [4, 3, 3]
        assert list(ratios["articles_with_actors"]) == [3, 2, 2]
        assert list(ratios["excluded"]) == [0, 1, 0]
        assert list(ratios["feminine_actors"]) == [4, 3, 3]
        assert list(ratios["masculine_mentions"]) == [14, 8, 8]
        assert list(ratios["actor_ratio"]) == [0.571429, 0.75, 0.75]
        assert list(ratios["in_range"]) == [False, True, True]
        assert ratios["outcome"].iloc[-1] == "in range without balancing"
        assert why_not_balanced(tmp_path / "ratios.csv") == ""


def test_a_range_out_of_reach_is_explained_with_how_far_it_got(balance, tmp_path):
    # Every text has twice as many men, so no choice of texts will do; as published, there is nothing to choose from.
    rows = [people(number, 1, 2) for number in range(5)] + [people(9, 0, 1)]
    for procedure, removed in (("published", 1), ("corrected", 0)):
        excluded, ratios = balance(rows, procedure)
        assert len(excluded) == removed
        assert not ratios["in_range"].any()
        message = why_not_balanced(tmp_path / "ratios.csv")
        assert "ratios.csv: the corpus is not balanced: no" in message
        assert f"actors went from 0.455 to {0.5 if removed else 0.455:.3f}" in message
        assert f"0 articles were removed by flags and {removed} to balance; {6 - removed} remain, with 5" in message
        assert "widen newsroom.balance.lower and newsroom.balance.upper" in message


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize(
    ("rows", "outcome"),
    [
        ([], "there are no feminine and no masculine actors"),
        ([article(1), article(2)], "there are no feminine and no masculine actors"),
        ([people(1, 0, 2), people(2, 0, 1)], "there are no feminine actors"),
        ([people(1, 2), people(2, 1)], "there are no masculine actors"),
    ],
)
def test_a_corpus_without_both_genders_cannot_be_balanced(balance, tmp_path, procedure, rows, outcome):
    excluded, ratios = balance(rows, procedure)
    assert not ratios["in_range"].any()
    if procedure == "corrected":
        assert not excluded
        assert ratios["outcome"].iloc[-1] == outcome
    else:
        assert len(excluded) == sum(row["feminine_actors"] + row["masculine_actors"] > 0 for row in rows)
    assert "it takes articles with actors of both" in why_not_balanced(tmp_path / "ratios.csv")
    folder = tmp_path / "balanced"
    write_balanced_corpus([], folder, tmp_path / "excluded.csv", "mine", {}, ratios=tmp_path / "ratios.csv")
    assert [path.name for path in folder.iterdir()] == ["NOT_BALANCED"]


def test_flags_of_other_articles_are_refused(balance, tmp_path):
    balance([people(1, 1, 1), people(2, 1, 1)], "corrected")
    articles = write_articles(tmp_path, [people(1, 1, 1), people(3, 1, 1)])
    with pytest.raises(InputError, match=r"flags\.parquet: flags other articles than those of .*part_0\.parquet"):
        exclude_articles(articles, tmp_path / "flags.parquet", "corrected", 0.75, 1.25, 1)


def test_a_search_that_ends_early_says_what_is_proved(monkeypatch):
    random = np.random.default_rng(1)
    weights = random.integers(20, 90, 40)
    costs, most, rows = random.integers(1, 9, 40), np.full(40, 3), np.array([-weights, weights], dtype=float)
    limits = np.array([-1001.0, 1001.0])
    best = minimise(costs, most, rows, limits)
    assert best.cost(costs) == best.bound
    assert weights @ best.values == 1001
    monkeypatch.setattr(exclusion, "NODES", 0)
    early = minimise(costs, most, rows, limits)
    assert early.cost(costs) >= best.bound >= early.bound > 0
    assert minimise(costs, most, rows, np.array([-1001.0, 1000.0])).bound == math.inf
    # An even sum is never odd, which the linear relaxation does not see.
    even = minimise(costs, most, 2 * rows, np.array([-1001.0, 1001.0]))
    assert even.values is None


def test_what_is_kept_is_what_is_not_excluded(tmp_path, monkeypatch):
    def summarise(articles, procedure, bootstrap):
        return pd.DataFrame({"procedure": [procedure], "articles": [len(read_rows(*articles))]})

    monkeypatch.setattr(balance_module, "summarise", summarise)
    rows = random_articles(1, 60)
    articles = write_articles(tmp_path, rows, 2)
    flags, kept = tmp_path / "flags.parquet", tmp_path / "kept.parquet"
    flag_articles(articles, flags, "corrected", THRESHOLDS, 2)
    assert read_metadata(flags)["procedure"] == "corrected"
    made = balance_corpus(articles, flags, kept, "corrected", 0.75, 1.25, Bootstrap(1, 100, 0.95))
    frames = {table.name: table.frame for table in made}
    gone = set(frames["excluded"]["id"])
    assert gone
    left = [row for row in rows if row["id"] not in gone]
    assert sorted(read_rows(kept)["id"].to_pylist()) == sorted(row["id"] for row in left)
    assert in_range(left, 0.75, 1.25)
    assert frames["balanced_summary"].to_numpy().tolist() == [["corrected", len(left)]]
