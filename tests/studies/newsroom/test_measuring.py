"""From annotations to rows per actor and article, and counts of words."""

import pytest
from annotated import LISTS, annotate, measure_file, shipped_lists, write_annotations

from textparity.corpora.reading import read_metadata, read_rows
from textparity.errors import TextparityError
from textparity_studies.newsroom.annotations import AnnotatedArticle
from textparity_studies.newsroom.measuring import ACTOR_SCHEMA, ARTICLE_SCHEMA, COUNTS, WORD_SCHEMA, Measure

TEXT = """
Anna     -       PROPN nsubj 3 B-PER
Berger   -       PROPN flat  1 I-PER
führt    führen  VERB  root  0 Fin
das      -       DET   det   6
kleine   -       ADJ   amod  6
Team     -       NOUN  obj   3 Neut.Sing
.        -       PUNCT punct 3

Sie      sie     PRON  nsubj 2 Sing
lobt     loben   VERB  root  0 Fin.Sing
Koch     -       PROPN obj   2 B-PER
ehrlich  -       ADV   advmod 2
.        -       PUNCT punct 2
"""
SPACES = AnnotatedArticle(
    *(["  "], [False], [""], ["SPACE"], [""], [""], [""], [0], [True], [""], [False]),
    id="a/9", group="2001", number=9, antecedents=[],
)  # fmt: skip


def polarity(article, sentence):
    return (0.5, -0.25)[sentence]


def measured(procedure, article, scorer=None):
    return Measure(procedure, shipped_lists(), 0.7, scorer)(article)


def test_the_corrected_row_of_an_actor():
    (anna, koch), _, _ = measured("corrected", annotate(TEXT), polarity)
    assert {name: anna[name] for name in ACTOR_SCHEMA.names if name not in ("adjectives", "nouns", "verbs")} == {
        "id": "a/1",
        "number": 0,
        "group": "2001",
        "actor": "Anna Berger",
        "kind": "named",
        "gender": "feminine",
        "gender_source": "pronouns",
        "mentions": 2,
        "named_mentions": 1,
        "pronoun_mentions": 1,
        "subject_roles": 2,
        "object_roles": 0,
        "direct_quotes": 0,
        "indirect_quotes": 0,
        # Team, ehrlich; führt.
        "feminine_coded_words": 2,
        "masculine_coded_words": 1,
        "sentiment": 0.125,
    }
    assert [word["word"] for word in anna["nouns"]] == ["team"]
    assert (koch["gender"], koch["object_roles"], koch["sentiment"], koch["feminine_coded_words"]) == (
        "undetermined", 1, -0.25, 1,
    )  # fmt: skip
    assert [word["word"] for word in koch["verbs"]] == ["lobt"]


def test_the_row_of_an_article_adds_up_its_actors_by_gender():
    _, row, _ = measured("corrected", annotate(TEXT), polarity)
    assert set(row) == set(ARTICLE_SCHEMA.names)
    assert (row["id"], row["number"], row["group"], row["words"]) == ("a/1", 0, "2001", 10)
    counts = [
        (row[f"{gender}_actors"], row[f"{gender}_mentions"]) for gender in ("feminine", "masculine", "undetermined")
    ]
    assert counts == [(1, 2), (0, 0), (1, 1)]
    assert (row["feminine_sentiment"], row["masculine_sentiment"], row["undetermined_sentiment"]) == (
        0.125,
        None,
        -0.25,
    )
    assert row["mean_sentiment"] == -0.0625


def test_the_published_rows_have_only_actors_with_a_gender():
    actors, row, _ = measured("published", annotate(TEXT))
    assert [(actor["actor"], actor["gender"]) for actor in actors] == [("Anna Berger", "feminine")]
    assert (row["feminine_actors"], row["undetermined_actors"]) == (1, 0)
    # The paper's code flags every article with a noun of five letters; Team has four.
    assert (row["inclusive_language"], row["generic_masculine"]) == (False, False)


def test_each_procedure_has_its_own_flags():
    houses = annotate("Häuser - NOUN root 0")
    flags = [measured(procedure, houses)[1]["generic_masculine"] for procedure in ("published", "corrected")]
    assert flags == [True, False]


def test_without_a_scorer_there_is_no_sentiment():
    actors, row, _ = measured("corrected", annotate(TEXT))
    assert {actor["sentiment"] for actor in actors} == {row["mean_sentiment"], row["feminine_sentiment"]} == {None}


def test_a_sentence_is_scored_once():
    scored = []
    measured("corrected", annotate(TEXT), lambda article, sentence: scored.append(sentence) or 0.0)
    assert sorted(scored) == [0, 1]


@pytest.mark.parametrize("procedure", ["published", "corrected"])
@pytest.mark.parametrize("article", [annotate(""), SPACES])
def test_an_article_without_words_has_a_row_of_zeros(procedure, article):
    actors, row, words = measured(procedure, article, polarity)
    assert actors == []
    assert {row[f"feminine_{name}"] for name in ("actors", *COUNTS)} == {0}
    assert (row["words"], row["mean_sentiment"], row["generic_masculine"]) == (0, None, False)
    assert not any(words.totals.values())


@pytest.fixture
def annotations(tmp_path):
    articles = [annotate(TEXT), SPACES, annotate("Haus - NOUN root 0", id="a/2")]
    return write_annotations(tmp_path / "annotations.parquet", *articles)


def test_a_file_of_annotations_becomes_files_of_rows(annotations):
    paths = measure_file(annotations)
    actors, articles, words = (read_rows(paths[name]) for name in ("actors", "measures", "words"))
    assert [actors.schema, articles.schema, words.schema] == [ACTOR_SCHEMA, ARTICLE_SCHEMA, WORD_SCHEMA]
    assert actors["actor"].to_pylist() == ["Anna Berger", "Koch"]
    assert articles["id"].to_pylist() == ["a/1", "a/9", "a/2"]
    nouns = [row for row in words.to_pylist() if row["part_of_speech"] == "nouns"]
    assert [(row["word"], row["background"], row["feminine"]) for row in nouns] == [("haus", 1, 0), ("team", 1, 1)]
    described = {"model": "by hand 1.0", "scheme": "ud", "coreference": "rules", "sentiment": "none"}
    made = [read_metadata(paths[name]) for name in ("actors", "measures", "words", "inclusive_forms")]
    assert made == [described | {"procedure": "corrected"}] * 3 + [made[-1]]
    assert made[-1] == made[0] | {"articles": {}}


def test_a_malformed_list_leaves_no_file(annotations, tmp_path):
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(TextparityError, match=r"empty\.txt: has no words"):
        measure_file(annotations, lists=LISTS | {"stop_words": tmp_path / "empty.txt"})
    assert [path.name for path in tmp_path.glob("corrected_*")] == []
