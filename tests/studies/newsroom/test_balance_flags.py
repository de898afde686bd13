"""Flags of asymmetry: Urchs 2025, formulas 1-3, by hand."""

import numpy as np
import pytest
from article_corpus import article, random_articles, write_articles

from textparity.corpora.reading import read_metadata, read_rows
from textparity.counting import PROCEDURES
from textparity.errors import InputError
from textparity_studies.newsroom.balance import INDICATORS, flag_articles

THRESHOLDS = {"sentiment_gap": 0.3, "subject_gap": 0.5, "quote_gap": 0.5, "naming_gap": 0.5}
DIFFERENCES = ["sentiment_difference", "subject_difference", "quote_difference", "naming_difference"]


@pytest.fixture
def flag(tmp_path):
    """Flag rows; returns the flags as rows."""

    def flag(rows, procedure, parts=1, minimum_flags=2):
        path = tmp_path / "flags.parquet"
        flag_articles(write_articles(tmp_path, rows, parts), path, procedure, THRESHOLDS, minimum_flags)
        return read_rows(path).to_pylist()

    return flag


def both(number, **measures):
    """Return an article with an actor of each gender, and nothing that differs but `measures`."""
    row = article(number)
    for gender in ("feminine", "masculine"):
        row |= {f"{gender}_{name}": 1 for name in ("actors", "mentions", "named_mentions", "subject_roles")}
        row |= {f"{gender}_direct_quotes": 1, f"{gender}_sentiment": 0.1}
    return row | measures


def test_the_differences_are_those_of_the_smoothed_ratios(flag):
    # (3+1)/(1+1) - (1+1)/(0+1) = 0; (4+1)/(0+1) - (0+1)/(1+1) = 4.5; (2+1)/(3+1) - (5+1)/(0+1) = -5.25.
    row = both(
        1,
        feminine_subject_roles=3,
        feminine_object_roles=1,
        feminine_direct_quotes=4,
        masculine_direct_quotes=0,
        masculine_indirect_quotes=1,
        feminine_named_mentions=2,
        feminine_pronoun_mentions=3,
        masculine_named_mentions=5,
        feminine_sentiment=-0.25,
        masculine_sentiment=0.5,
    )
    for procedure in PROCEDURES:
        (flags,) = flag([row], procedure)
        assert [flags[name] for name in DIFFERENCES] == [0.75, 0, 4.5, 5.25]
        assert [flags[name] for name in INDICATORS] == [True, False, True, True]
        assert (flags["flags"], flags["excluded"]) == (3, True)


def test_a_difference_must_exceed_its_threshold(flag):
    # 4/2 - 3/2 = 0.5 and 7/3 - 11/6 = 0.5, which the paper's code computes as 0.5000000000000002.
    rows = [
        both(1, feminine_subject_roles=3, feminine_object_roles=1, masculine_subject_roles=2, masculine_object_roles=1),
        both(
            2, feminine_subject_roles=6, feminine_object_roles=2, masculine_subject_roles=10, masculine_object_roles=5
        ),
        both(3, feminine_sentiment=0.4),
        both(4, feminine_sentiment=0.40000001),
    ]
    flags = flag(rows, "corrected")
    assert [row["subject_gap"] for row in flags[:2]] == [False, False]
    assert [row["sentiment_gap"] for row in flags[2:]] == [False, True]
    assert [row["subject_gap"] for row in flag(rows, "published")[:2]] == [False, True]


def test_an_absent_gender_is_a_ratio_of_one_as_published_and_not_judged_as_corrected(flag):
    only_men = article(
        1,
        masculine_actors=2,
        masculine_mentions=5,
        masculine_named_mentions=3,
        masculine_pronoun_mentions=2,
        masculine_subject_roles=4,
        masculine_direct_quotes=1,
        masculine_indirect_quotes=1,
        masculine_sentiment=-0.5,
    )
    (published,) = flag([only_men], "published")
    assert [published[name] for name in DIFFERENCES] == pytest.approx([0.5, 4, 0, 1 / 3])
    assert (published["flags"], published["excluded"]) == (2, True)
    (corrected,) = flag([only_men], "corrected")
    assert [corrected[name] for name in DIFFERENCES] == [None] * 4
    assert [corrected[name] for name in INDICATORS] == [False] * 4
    assert (corrected["flags"], corrected["excluded"]) == (0, False)


def test_corrected_judges_each_indicator_where_both_genders_have_something(flag):
    quiet = both(1, masculine_direct_quotes=0, feminine_subject_roles=0)
    (corrected,) = flag([quiet], "corrected")
    assert [corrected[name] for name in DIFFERENCES] == [0, None, None, 0]
    # As published, (1+1)/(0+1) is compared with the 1 of nobody.
    (published,) = flag([quiet], "published")
    assert [published[name] for name in DIFFERENCES] == [0, 1, 1, 0]


def test_articles_without_gendered_actors_are_not_judged(flag):
    rows = [article(1), article(2, undetermined_actors=3, undetermined_mentions=9, undetermined_sentiment=0.9)]
    for procedure in PROCEDURES:
        for row in flag(rows, procedure, minimum_flags=1):
            assert [row[name] for name in DIFFERENCES] == [None] * 4
            assert not row["excluded"]


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_neither_parts_nor_their_order_matter(flag, tmp_path, procedure):
    rows = random_articles(3, 200)
    flag(rows, procedure)
    expected = (tmp_path / "flags.parquet").read_bytes()
    flag([rows[place] for place in np.random.default_rng(1).permutation(len(rows))], procedure, parts=4)
    assert (tmp_path / "flags.parquet").read_bytes() == expected


@pytest.mark.parametrize("seed", range(5))
def test_published_is_the_rule_applied_article_by_article(flag, seed):
    rows = random_articles(seed, 100)
    for row, flags in zip(rows, flag(rows, "published", minimum_flags=3), strict=True):
        if not row["feminine_actors"] + row["masculine_actors"]:
            assert flags["flags"] == 0
            continue
        she, he = (
            [row[f"{gender}_sentiment"] or 0]
            + [
                (row[f"{gender}_{above}"] + 1) / (row[f"{gender}_{below}"] + 1)
                for above, below in (
                    ("subject_roles", "object_roles"),
                    ("direct_quotes", "indirect_quotes"),
                    ("named_mentions", "pronoun_mentions"),
                )
            ]
            for gender in ("feminine", "masculine")
        )
        fired = [abs(a - b) > limit for a, b, limit in zip(she, he, THRESHOLDS.values(), strict=True)]
        assert [flags[name] for name in INDICATORS] == fired
        assert (flags["flags"], flags["excluded"]) == (sum(fired), sum(fired) >= 3)


def test_the_settings_are_in_the_metadata_and_no_articles_are_no_flags(flag, tmp_path):
    assert flag([], "corrected") == []
    settings = {"procedure": "corrected", "thresholds": THRESHOLDS, "minimum_flags": 2}
    assert read_metadata(tmp_path / "flags.parquet") == settings


@pytest.mark.parametrize("key", ["id", "number"])
def test_an_article_that_occurs_twice_is_named(flag, key):
    with pytest.raises(InputError, match=rf"part_0.parquet: article {key} (article-)?3 occurs more than once"):
        flag([article(1), article(3), article(4) | {key: article(3)[key]}], "corrected")


def test_one_man_who_is_subject_once_and_quoted_once_excludes_an_article(flag):
    """The claim newsroom-flag-count: 2/1 - 1/1 for roles, and for quotes; he is named once, or by a pronoun."""
    man = {"masculine_actors": 1, "masculine_mentions": 1, "masculine_subject_roles": 1, "masculine_direct_quotes": 1}
    (flags,) = flag([article(1) | man], "published")
    assert (flags["subject_difference"], flags["quote_difference"]) == (1, 1)
    assert (flags["flags"], flags["excluded"]) == (2, True)
