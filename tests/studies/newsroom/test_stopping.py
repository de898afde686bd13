"""Where balancing ends: by the authors' yearly reports, and by which articles their rule sees."""

import math

import pandas as pd
import pytest
from article_corpus import article, random_articles, write_articles

from textparity_studies.newsroom.balance import exclude_articles, flag_articles
from textparity_studies.newsroom.exclusion_tables import (
    ALL,
    AUTHORS,
    BEFORE,
    GROUPS,
    REPORTS,
    RETURNED,
    UNFLAGGED,
    simulate_balancing,
)  # fmt: skip

THRESHOLDS = {"sentiment_gap": 0.3, "subject_gap": 0.5, "quote_gap": 0.5, "naming_gap": 0.5}


@pytest.fixture
def simulate(repository, tmp_path):
    """Flag rows and simulate; returns the table's rows by corpus and reading."""
    published = repository / "resources" / "newsroom"

    def simulate(rows=(), parts=2):
        articles, flags = [], []
        if rows:
            articles, flags = write_articles(tmp_path, rows, parts), [tmp_path / "flags.parquet"]
            flag_articles(articles, flags[0], "published", THRESHOLDS, 2)
        simulate_balancing(
            ["news"] * len(flags), [articles] if rows else [], flags, published / "published.csv",
            published / "published_yearly_unbalanced.csv", published / "published_yearly_balanced.csv",
            tmp_path / "table.csv", tmp_path / "table.tex",
        )  # fmt: skip
        return pd.read_csv(tmp_path / "table.csv").set_index(["corpus", "balanced"])

    return simulate


def test_the_reports_are_added_up(simulate, repository):
    rows = simulate()
    assert list(rows.index) == [(REPORTS, BEFORE), (REPORTS, AUTHORS)]
    yearly = pd.read_csv(repository / "resources" / "newsroom" / "published_yearly_balanced.csv")
    after = rows.loc[(REPORTS, AUTHORS)]
    women, men = (yearly[f"pronoun_distribution_{pronoun}"] for pronoun in ("she_her", "he_him"))
    assert after["actor_ratio"] == pytest.approx(women.sum() / men.sum(), abs=1e-6)
    # No year has more women than texts, so that many texts at least have none.
    assert (women < yearly["texts_with_actors"]).all()
    assert after["men_alone_left"] == (yearly["texts_with_actors"] - women).sum()
    # Printed: 564 without a flag, 17,212 with one, 20 with several.
    kinds = [f"{name}_percent" for name in ("no_flag", "one_flag", "more_flags")]
    assert list(after[kinds]) == pytest.approx([100 * count / 17796 for count in (564, 17212, 20)], abs=1e-5)
    assert not rows["in_range"].any()
    assert after["groups"] == len(yearly)
    assert after["actor_ratio_in_range"] == ((women / men >= 0.75) & (women / men <= 1.25)).sum()
    # The first years before balancing have up to three articles, in which women may be the more.
    before = rows.loc[REPORTS, BEFORE]
    assert after["actor_ratio_largest"] == pytest.approx((women / men).max(), abs=1e-6)
    assert 0.7 < before["actor_ratio_largest"] < after["actor_ratio_largest"]


def test_each_reading_sees_other_articles(simulate, tmp_path):
    def men(number, actors, group="2001", **measures):
        return article(number, group, masculine_actors=actors, masculine_mentions=2 * actors, **measures)

    women = {"feminine_actors": 4, "feminine_mentions": 8}
    # Of the articles with men alone, the first two have two flags: nothing but subjects, and nothing but names.
    flagged = {"masculine_subject_roles": 3, "masculine_named_mentions": 5}
    rows = [
        men(1, 5, **flagged), men(2, 3, **flagged), men(3, 2), men(4, 2, "2002"), men(5, 1),
        article(6, **women), article(7),
    ]  # fmt: skip
    table = simulate(rows).loc["news"]
    # 4 women and 13 men; without the two flagged articles, 5. Of 2001, there are 11, 6, 3 and 1: never in range.
    assert dict(table["excluded"]) == {BEFORE: 0, ALL: 2, GROUPS: 5, UNFLAGGED: 0, RETURNED: 0}
    assert dict(table["actor_ratio"].round(4)) == {
        BEFORE: 0.3077, ALL: 0.8, GROUPS: math.inf, UNFLAGGED: 0.8, RETURNED: 0.3077,
    }  # fmt: skip
    assert dict(table["in_range"]) == {BEFORE: False, ALL: True, GROUPS: False, UNFLAGGED: True, RETURNED: False}
    assert dict(table["men_alone_left"]) == {BEFORE: 5, ALL: 3, GROUPS: 0, UNFLAGGED: 3, RETURNED: 5}
    # After the third reading, 2001 has women alone and 2002 nobody.
    assert dict(table["groups"]) == {BEFORE: 2, ALL: 2, GROUPS: 1, UNFLAGGED: 2, RETURNED: 2}
    assert dict(table["actor_ratio_in_range"]) == {BEFORE: 0, ALL: 0, GROUPS: 0, UNFLAGGED: 0, RETURNED: 0}
    assert table.loc[ALL, "more_flags_percent"] == 100
    assert (table["articles"] == 6).all()


def test_the_codes_reading_is_what_balancing_does(simulate, tmp_path):
    rows = random_articles(7, 300, excess=4)
    table = simulate(rows).loc["news"]
    paths = [tmp_path / f"part_{part}.parquet" for part in range(2)]
    exclude_articles(
        paths, tmp_path / "flags.parquet", tmp_path / "e.csv", tmp_path / "r.csv", "published", 0.75, 1.25, 1
    )
    end = pd.read_csv(tmp_path / "r.csv").iloc[-1]
    seen = table.loc[UNFLAGGED]
    assert (seen["excluded"], seen["in_range"]) == (end["excluded"], end["in_range"])
    assert seen["actor_ratio"] == pytest.approx(end["actor_ratio"])
    assert table.loc[RETURNED, "excluded"] == seen["excluded"]
    assert table.loc[RETURNED, "actor_ratio"] < seen["actor_ratio"]
