from math import log2, nan, sqrt

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import write_tables
from textparity_studies.measures.passages import ACTOR_GENDERS
from textparity_studies.newsroom.measuring import WORD_SCHEMA
from textparity_studies.newsroom.summary import (
    ACTOR_COUNTS,
    SUMMARY_HEADER,
    read_summary,
    read_top_words,
    summarise_articles,
)

ARTICLE_COLUMNS = pa.schema(
    [
        ("group", pa.string()),
        ("inclusive_language", pa.bool_()),
        ("generic_masculine", pa.bool_()),
        *((f"{gender}_{name}", pa.int32()) for gender in ACTOR_GENDERS for name in ACTOR_COUNTS),
        *((f"{gender}_sentiment", pa.float64()) for gender in ACTOR_GENDERS),
        ("mean_sentiment", pa.float64()),
    ]
)
# Group, inclusive language, generic masculine; then feminine, masculine and undetermined of actors and mentions, and
# the sentiments of the three and of the article.
ARTICLES = [
    ("2001", True, False, (1, 2, 0), (3, 5, 0), (0.5, -0.1, None), 0.1),
    ("2001", False, True, (0, 1, 1), (0, 4, 2), (None, 0.3, 0.6), 0.45),
    ("2002", False, True, (2, 0, 0), (6, 0, 0), (-0.4, None, None), -0.4),
    ("2002", True, True, (0, 0, 3), (0, 0, 3), (None, None, 0.2), 0.2),
    ("2003", False, False, (0, 0, 0), (0, 0, 0), (None, None, None), None),
]
WORDS = [
    # Background, beside any actor, beside a feminine and a masculine one.
    ("2001", "nouns", "null", 8, 6, 4, 2),
    ("2001", "nouns", "tor", 8, 4, 0, 4),
    ("2002", "nouns", "null", 4, 2, 2, 0),
    ("2002", "nouns", "frau", 6, 6, 6, 0),
    ("2002", "nouns", "mal", 10, 2, 2, 0),
]


@pytest.fixture
def summarise(tmp_path):
    """Return a function that writes articles and words, each part a file, and returns summary and top words."""

    def run(procedure, articles=ARTICLES, words=WORDS, minimum_count=2, seed=1, confidence_level=0.95):
        rows = []
        for group, inclusive, masculine, actors, mentions, sentiments, mean in articles:
            row = {"group": group, "inclusive_language": inclusive, "generic_masculine": masculine}
            row |= {f"{gender}_{name}": 0 for gender in ACTOR_GENDERS for name in ACTOR_COUNTS}
            for place, gender in enumerate(ACTOR_GENDERS):
                row[f"{gender}_actors"], row[f"{gender}_mentions"] = actors[place], mentions[place]
                row[f"{gender}_sentiment"] = sentiments[place]
            rows.append(row | {"mean_sentiment": mean})
        article_parts = write_parts(rows, "articles", ARTICLE_COLUMNS)
        words = [dict(zip(WORD_SCHEMA.names, row, strict=True)) for row in words]
        word_parts = write_parts(words, "words", WORD_SCHEMA)
        summary, top_words = files = tmp_path / "summary.csv", tmp_path / "top_words.csv"
        bootstrap = Bootstrap(seed, 200, confidence_level)
        write_tables(summarise_articles(article_parts, word_parts, procedure, minimum_count, bootstrap), files, [])
        return read_summary(summary), read_top_words(top_words)

    def write_parts(rows, name, schema):
        paths = [tmp_path / f"{name}.{number}.parquet" for number in range(2)]
        for number, path in enumerate(paths):
            pq.write_table(pa.Table.from_pylist(rows[number::2], schema=schema), path)
        return paths

    return run


def numbers(summary, group, section, metric, statistic):
    """Return the row's feminine, masculine, undetermined and overall."""
    keys = {"group": group, "section": section, "metric": metric, "statistic": statistic}
    chosen = summary[(summary[list(keys)] == pd.Series(keys)).all(axis=1)]
    assert len(chosen) == 1
    return pytest.approx(chosen.iloc[0, 4:].tolist(), nan_ok=True, abs=1e-6)


def test_published_knows_only_texts_with_a_gendered_actor(summarise):
    summary, _ = summarise("published")
    assert tuple(summary.columns) == SUMMARY_HEADER
    for metric, texts in [
        ("total_texts", 3),
        ("texts_with_actors", 3),
        ("gender_neutral_texts", 1),
        ("generic_masculine_texts", 2),
    ]:
        assert numbers(summary, "all", "totals", metric, "total") == [nan, nan, nan, texts]
    assert numbers(summary, "all", "totals", "actors", "total") == [3, 3, nan, 6]
    assert numbers(summary, "all", "totals", "mentions", "total") == [9, 9, nan, 18]
    assert numbers(summary, "2001", "totals", "mentions", "total") == [3, 9, nan, 12]
    assert numbers(summary, "2001", "percent", "mentions", "percent") == [25, 75, nan, nan]
    # Of 3, 0 and 6; of 5, 4 and 0; of 8, 4 and 6.
    assert numbers(summary, "all", "per text", "mentions", "mean") == [3, 3, nan, 6]
    assert numbers(summary, "all", "per text", "mentions", "median") == [3, 4, nan, 6]
    assert numbers(summary, "all", "per text", "mentions", "standard_deviation") == [3, sqrt(7), nan, 2]


def test_published_takes_a_missing_gender_for_neutral(summarise):
    summary, _ = summarise("published")
    feminine, masculine = (0.5 + 0 - 0.4) / 3, (-0.1 + 0.3 + 0) / 3
    assert numbers(summary, "all", "totals", "sentiment", "mean") == [
        feminine,
        masculine,
        nan,
        (feminine + masculine) / 2,
    ]
    # The overall sentiment per text is another number: that of all actors of the text.
    overall = (0.1 + 0.45 - 0.4) / 3
    assert numbers(summary, "all", "per text", "sentiment", "mean") == [feminine, masculine, nan, overall]


def test_corrected_counts_all_texts_and_the_undetermined(summarise):
    summary, _ = summarise("corrected")
    for metric, texts in [
        ("total_texts", 5),
        ("texts_with_actors", 3),
        ("gender_neutral_texts", 2),
        ("generic_masculine_texts", 3),
    ]:
        assert numbers(summary, "all", "totals", metric, "total") == [nan, nan, nan, texts]
    assert numbers(summary, "all", "totals", "actors", "total") == [3, 3, 4, 10]
    # Percentages are between the two genders that are compared.
    assert numbers(summary, "all", "percent", "actors", "percent") == [50, 50, nan, nan]
    assert numbers(summary, "all", "per text", "mentions", "mean") == [9 / 5, 9 / 5, 1, 23 / 5]
    assert numbers(summary, "all", "per text", "mentions", "median") == [0, 0, 0, 6]
    assert numbers(summary, "all", "per text", "generic_masculine_texts", "mean") == [nan, nan, nan, 3 / 5]


def test_corrected_sentiment_is_over_the_texts_that_have_it(summarise):
    summary, _ = summarise("corrected")
    expected = [0.05, 0.1, 0.4, (0.1 + 0.45 - 0.4 + 0.2) / 4]
    assert numbers(summary, "all", "totals", "sentiment", "mean") == expected
    assert numbers(summary, "all", "per text", "sentiment", "mean") == expected


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_sentiment_that_was_not_measured_stays_empty(summarise, procedure):
    articles = [(*article[:5], (None, None, None), None) for article in ARTICLES]
    summary, _ = summarise(procedure, articles=articles)
    assert numbers(summary, "all", "totals", "sentiment", "mean") == [nan] * 4


def test_groups_without_texts_or_spread_stay(summarise):
    summary, _ = summarise("published")
    assert list(summary["group"].unique()) == ["all", "2001", "2002", "2003"]
    assert numbers(summary, "2003", "totals", "total_texts", "total") == [nan, nan, nan, 0]
    assert numbers(summary, "2003", "percent", "mentions", "percent") == [nan] * 4
    assert numbers(summary, "2003", "per text", "mentions", "mean") == [nan] * 4
    # One text has no standard deviation.
    assert numbers(summary, "2002", "per text", "mentions", "standard_deviation") == [nan] * 4
    assert numbers(summary, "2002", "per text", "mentions", "mean") == [6, 0, nan, 6]


def test_whole_numbers_are_written_as_such(summarise, tmp_path):
    summarise("published")
    assert "\nall,totals,actors,total,3,3,,6\n" in (tmp_path / "summary.csv").read_text()


def test_percentages_of_appendix_a_are_shares_between_the_genders(summarise):
    """Appendix A prints 38.5 and 61.5 "% of all mentions" for 22,544 and 36,047 named mentions."""
    articles = [("2023", False, False, (6892, 9194, 0), (22544, 36047, 0), (0, 0, None), 0)]
    summary, _ = summarise("published", articles=articles)
    assert numbers(summary, "2023", "percent", "mentions", "percent") == [
        100 * 22544 / (22544 + 36047),
        100 * 36047 / (22544 + 36047),
        nan,
        nan,
    ]
    assert (round(100 * 22544 / (22544 + 36047), 1), round(100 * 36047 / (22544 + 36047), 1)) == (38.5, 61.5)


def some_articles(number):
    counts = [((place % 3, 1, 0), (place % 5, 1 + place % 2, 0)) for place in range(number)]
    return [(f"{2001 + place % 2}", False, False, *pair, (0, 0, None), 0) for place, pair in enumerate(counts)]


def percentages(summary, group, metric):
    """Return the rows of a share and of its interval's ends, feminine and masculine."""
    rows = summary[(summary["group"] == group) & (summary["section"] == "percent") & (summary["metric"] == metric)]
    assert rows["statistic"].tolist() == ["percent", "percent_low", "percent_high"]
    assert rows[["undetermined", "overall"]].isna().all(axis=None)
    return rows[["feminine", "masculine"]].to_numpy().T


@pytest.mark.parametrize("procedure", ["published", "corrected"])
@pytest.mark.parametrize("group", ["all", "2001", "2002"])
def test_shares_have_intervals_around_them_that_mirror_each_other(summarise, procedure, group):
    summary, _ = summarise(procedure, articles=some_articles(60))
    narrow, _ = summarise(procedure, articles=some_articles(60), confidence_level=0.5)
    for metric in ("actors", "mentions"):
        (share, low, high), masculine = percentages(summary, group, metric)
        assert 0 < low < share < high < 100
        assert masculine == pytest.approx([100 - share, 100 - high, 100 - low])
        _, low_of_narrow, high_of_narrow = percentages(narrow, group, metric)[0]
        assert low < low_of_narrow < high_of_narrow < high
    # Nobody is quoted.
    assert np.isnan(percentages(summary, group, "direct_quotes")).all()


def test_intervals_depend_on_the_seed_and_not_on_the_order_of_articles(summarise):
    summary, _ = summarise("corrected", articles=some_articles(60))
    # Other rows in other parts, too.
    reordered, _ = summarise("corrected", articles=some_articles(60)[::-1][7:] + some_articles(60)[::-1][:7])
    pd.testing.assert_frame_equal(summary, reordered)
    reseeded, _ = summarise("corrected", articles=some_articles(60), seed=2)
    differ = summary["statistic"][(summary["feminine"] != reseeded["feminine"]) & summary["feminine"].notna()]
    assert set(differ) == {"percent_low", "percent_high"}


def test_a_share_of_one_text_has_no_interval(summarise):
    summary, _ = summarise("published")
    feminine, masculine = percentages(summary, "2002", "mentions")
    assert feminine == pytest.approx([100, nan, nan], nan_ok=True)
    assert masculine == pytest.approx([0, nan, nan], nan_ok=True)


def test_a_corpus_without_groups_is_one(summarise):
    articles = [("all", *article[1:]) for article in ARTICLES]
    words = [("all", *word[1:]) for word in WORDS[:2]]
    summary, top_words = summarise("corrected", articles, words)
    assert list(summary["group"].unique()) == ["all"]
    assert set(top_words["group"]) == {"all"}
    assert numbers(summary, "all", "totals", "actors", "total") == [3, 3, 4, 10]


def test_a_group_called_all_among_others_is_an_error(summarise):
    with pytest.raises(InputError, match="one of the groups is called all"):
        summarise("corrected", articles=[("all", *ARTICLES[0][1:]), *ARTICLES])


def top(top_words, group, column):
    chosen = top_words[(top_words["group"] == group) & (top_words["column"] == column)]
    assert chosen["rank"].tolist() == list(range(1, len(chosen) + 1))
    return list(zip(chosen["word"], chosen["value"].astype(float), chosen["count"], strict=True))


def test_published_words_are_ranked_by_count(summarise):
    _, top_words = summarise("published")
    assert top(top_words, "2002", "feminine") == [("frau", 6, 6), ("mal", 2, 2), ("null", 2, 2)]
    assert top(top_words, "2002", "masculine") == []
    assert top(top_words, "all", "actors") == [("null", 8, 8), ("frau", 6, 6), ("tor", 4, 4), ("mal", 2, 2)]


def test_published_words_are_ten(summarise):
    words = [("2001", "verbs", f"w{number:02}", 0, 1, 1, 0) for number in range(12)]
    _, top_words = summarise("published", words=words)
    assert [word for word, _, _ in top(top_words, "2001", "feminine")] == [f"w{number:02}" for number in range(10)]


def test_corrected_words_are_ranked_by_mutual_information(summarise):
    _, top_words = summarise("corrected")

    def bits(*ratios):
        return [pytest.approx(log2(ratio), abs=1e-6) for ratio in ratios]

    # All: null 12, tor 8, frau 6, mal 10 of 36 words; beside a feminine actor 6, 0, 6 and 2 of 14.
    found = top(top_words, "all", "feminine")
    assert [word for word, _, _ in found] == ["frau", "null", "mal"]
    assert [value for _, value, _ in found] == bits(6 / 14 / (6 / 36), 6 / 14 / (12 / 36), 2 / 14 / (10 / 36))
    # The scale has all words, also those below the minimum.
    _, top_words = summarise("corrected", minimum_count=3)
    assert [word for word, _, _ in top(top_words, "all", "feminine")] == ["frau", "null"]
    assert [value for _, value, _ in top(top_words, "all", "feminine")] == bits(36 / 14, 36 / 28)
    assert top(top_words, "2001", "feminine") == [("null", bits(16 / 8)[0], 4)]
    # Any actor: 8 of 12, 4 of 8, 6 of 6 and 2 of 10, of 20 words.
    found = top(top_words, "all", "actors")
    assert [word for word, _, _ in found] == ["frau", "null", "tor"]
    assert [value for _, value, _ in found] == bits(6 / 6 * 36 / 20, 8 / 12 * 36 / 20, 4 / 8 * 36 / 20)


def test_equal_mutual_information_goes_by_count_then_alphabet(summarise):
    words = [
        ("2001", "nouns", "b", 6, 6, 2, 2),
        ("2001", "nouns", "a", 6, 6, 2, 2),
        ("2001", "nouns", "c", 9, 9, 3, 3),
        ("2001", "nouns", "d", 70, 9, 0, 3),
    ]
    _, top_words = summarise("corrected", words=words)
    assert [word for word, _, _ in top(top_words, "2001", "feminine")] == ["c", "a", "b"]


@pytest.mark.parametrize("procedure", ["published", "corrected"])
def test_a_corpus_without_articles_has_zeros_and_gaps(summarise, procedure):
    summary, top_words = summarise(procedure, articles=[], words=[])
    assert numbers(summary, "all", "totals", "actors", "total") == [0, 0, nan if procedure == "published" else 0, 0]
    assert numbers(summary, "all", "percent", "actors", "percent") == [nan] * 4
    assert top_words.empty
