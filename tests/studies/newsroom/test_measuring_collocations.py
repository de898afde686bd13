"""The words of an actor's sentences: their PMI within an article, and their counts over the articles of a group."""

from math import log2

import pytest
from annotated import annotate

from textparity_studies.newsroom.measuring import ArticleWords, WordCounts

ARTICLE = """
Die     - DET  det   3
junge   - ADJ  amod  3
Frau    - NOUN nsubj 4
lacht   - VERB root  0
.       - PUNCT punct 4

Das     - DET  det   2
Haus    - NOUN nsubj 3
brennt  - VERB root  0

Ein     - DET  det   3
junges  - ADJ  amod  3
Haus    - NOUN root  0
"""


def words_of(text, stop_words=()):
    return ArticleWords(annotate(text), frozenset(stop_words))


def test_words_are_counted_by_part_of_speech_and_sentence():
    words = words_of(ARTICLE)
    assert words.totals == {
        "adjectives": {"junge": 1, "junges": 1},
        "nouns": {"frau": 1, "haus": 2},
        "verbs": {"lacht": 1, "brennt": 1},
    }
    assert words.count("nouns", [2, 1, 1]) == {"haus": 2}
    assert words.count("nouns", [9]) == {}


@pytest.mark.parametrize(
    ("token", "counted"),
    [
        ("Haus - NOUN x 0", {"haus": 1}),
        ("heute - NOUN x 0", {}),
        ("EU-Haus - NOUN x 0", {}),
        ("2023 - NOUN x 0", {}),
        ("Haus - PROPN x 0", {}),
        ("Haus - NOUN x 0 B-LOC", {"haus": 1}),
        ("Haus - NOUN x 0 B-LOC\nHof - NOUN x 1 I-LOC", {}),
    ],
)
def test_words_are_letters_and_neither_stop_words_nor_names_of_several_words(token, counted):
    assert words_of(token, ["heute"]).totals["nouns"] == counted


def test_pmi_is_the_share_in_the_actors_sentences_over_that_in_the_article():
    found = words_of(ARTICLE).of_sentences([0, 2])
    # Two nouns of three stand in these sentences.
    assert found["nouns"] == [
        {"word": "frau", "count": 1, "pmi": log2((1 / 2) / (1 / 3))},
        {"word": "haus", "count": 1, "pmi": log2((1 / 2) / (2 / 3))},
    ]
    assert found["verbs"] == [{"word": "lacht", "count": 1, "pmi": log2(1 / (1 / 2))}]


@pytest.mark.parametrize("text", ["", "Ja - INTJ root 0"])
def test_an_article_without_words_has_no_pmi(text):
    assert words_of(text).of_sentences([0]) == {"adjectives": [], "nouns": [], "verbs": []}


def actor(gender, sentences, words=()):
    listed = [{"word": word, "count": 1, "pmi": 0.0} for word in words]
    return {"gender": gender, "sentences": sentences, "adjectives": [], "nouns": listed, "verbs": []}


def counted(procedure, *articles):
    """Return of each noun: background, actors, feminine, masculine; an article is its group, actors and text."""
    counts = WordCounts(procedure)
    for group, actors, text in articles:
        counts.add(group, actors, words_of(text))
    return {
        (row["group"], row["word"]): (row["background"], row["actors"], row["feminine"], row["masculine"])
        for batch in counts.batches()
        for row in batch
        if row["part_of_speech"] == "nouns"
    }


def test_the_published_counts_are_of_actors_by_article():
    articles = [
        ("2001", [actor("feminine", [0], ["frau", "haus"]), actor("masculine", [1], ["haus"])], ARTICLE),
        ("2001", [actor("masculine", [0], ["frau"])], ARTICLE),
        ("2002", [actor("masculine", [0], ["frau"])], ARTICLE),
    ]
    assert counted("published", *articles) == {
        ("2001", "frau"): (0, 2, 1, 1),
        ("2001", "haus"): (0, 2, 1, 1),
        ("2002", "frau"): (0, 1, 0, 1),
    }


def test_of_an_article_the_published_counts_have_the_ten_words_of_most_actors():
    first = [f"w{number:02}" for number in range(12)]
    rows = counted("published", ("2001", [actor("feminine", [0], first), actor("masculine", [1], ["w11"])], ARTICLE))
    assert {word: count for (_, word), count in rows.items()} == {
        **dict.fromkeys(first[:9], (0, 1, 1, 0)),
        # The tenth of all actors is w11, of the feminine ones w09.
        "w09": (0, 0, 1, 0),
        "w11": (0, 2, 0, 1),
    }


def test_the_corrected_counts_are_of_words_in_sentences_each_once():
    actors = [actor("feminine", [0, 2]), actor("feminine", [2]), actor("undetermined", [1])]
    assert counted("corrected", ("2001", actors, ARTICLE), ("2001", [], ARTICLE)) == {
        ("2001", "frau"): (2, 1, 1, 0),
        ("2001", "haus"): (4, 2, 1, 0),
    }
