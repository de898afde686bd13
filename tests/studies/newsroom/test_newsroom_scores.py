"""How the rules are scored on annotated passages."""

import math

import pandas as pd
import pytest
from annotated import LEXICONS, LISTS, annotate

from textparity.corpora.reading import read_rows, write_batches
from textparity.errors import InputError
from textparity.estimating.bootstrap import Bootstrap
from textparity.tables import write_tables
from textparity_studies.newsroom.annotations import ANNOTATION_SCHEMA
from textparity_studies.newsroom.scores import PHENOMENA, list_gold_passages, score_rules

GOLD = """
== 1 Politik
! inclusive
@ a feminine named Anna Berger
@ p masculine named Peter
[a S|Anna Berger] lobt [p O|Peter]. [a S|Sie] geht. <d a|„Ja“>, sagt [p S|Peter].

== 2 Sport
! held_out
! generic_masculine
@ k undetermined named Kim
@ f feminine generic Frauen
[k S|Kim] und [f S|Frauen] lachen. <i k|[k S|Kim] sagt, dass sie geht.>
"""
ONE = """
Anna   -  PROPN nsubj 3 B-PER
Berger -  PROPN flat  1 I-PER
lobt   -  VERB  root  0 Fin
Peter  -  PROPN obj   3 B-PER
.      -  PUNCT punct 3

Sie  sie   PRON  nsubj 2 Sing
geht gehen VERB  root  0 Fin.Sing
.    -     PUNCT punct 2

„     -     PUNCT punct 2
Ja    -     INTJ  root  0
“     -     PUNCT punct 2
,     -     PUNCT punct 2
sagt  sagen VERB  parataxis 2
Peter -     PROPN nsubj 5 B-PER
.     -     PUNCT punct 2
"""
# sie are the women, but nothing here says that it is a plural.
TWO = """
Kim    -     PROPN nsubj 4 B-PER
und    -     CCONJ cc    3
Frauen Frau  NOUN  conj  1 Sing
lachen -     VERB  root  0
.      -     PUNCT punct 4

Kim    -     PROPN nsubj 2 B-PER
sagt   sagen VERB  root  0 Fin
,      -     PUNCT punct 6
dass   -     SCONJ mark  6
sie    -     PRON  nsubj 6 Sing
geht   gehen VERB  ccomp 2 Fin.Sing
.      -     PUNCT punct 2
"""


def score(folder, *articles, gold=GOLD):
    """Score the rules on annotations; returns the rows by procedure, passages and phenomenon."""

    def batches():
        yield [{name: getattr(article, name) for name in ANNOTATION_SCHEMA.names} for article in articles]
        return {"model": "by hand 1.0", "scheme": "ud"}

    (folder / "gold.txt").write_text(gold)
    write_batches(folder / "annotations.parquet", ANNOTATION_SCHEMA, batches())
    (table,) = score_rules(folder / "gold.txt", folder / "annotations.parquet", 0.7, Bootstrap(1, 200, 0.9), **LISTS)
    captions = (LEXICONS.parent / "captions" / "tables").glob("*.rst")
    write_tables([table], [folder / "quality.csv", folder / "quality.tex"], captions)
    rows = pd.read_csv(folder / "quality.csv").to_dict("records")
    return {(row["procedure"], row["passages"], row["phenomenon"]): row for row in rows}


def passages():
    return annotate(ONE, id="newsroom_gold/1"), annotate(TWO, id="newsroom_gold/2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("quality")


@pytest.fixture(scope="module")
def table(folder):
    return score(folder, *passages())


def test_passages_are_articles_with_their_topics_as_groups(tmp_path):
    gold = tmp_path / "gold.txt"
    gold.write_text(GOLD)
    list_gold_passages(gold, tmp_path / "articles.parquet")
    rows = read_rows(tmp_path / "articles.parquet").to_pylist()
    assert [(row["id"], row["doc_id"], row["group"], row["number"], row["file"]) for row in rows] == [
        ("newsroom_gold/1", "1", "Politik", 0, "gold.txt"),
        ("newsroom_gold/2", "2", "Sport", 1, "gold.txt"),
    ]
    assert rows[1]["text"] == "Kim und Frauen lachen. Kim sagt, dass sie geht."
    assert rows[0]["text"] == passages()[0].text_of(0, 15)


@pytest.mark.parametrize(
    ("phenomenon", "published", "corrected", "held_out"),
    [
        # Gold, predicted, found: of the paper's rules and ours in both passages, of ours in the one held out.
        ("named mentions", (5, 3, 3), (5, 5, 5), (2, 2, 2)),
        ("generic mentions", (1, 0, 0), (1, 1, 1), (1, 1, 1)),
        ("pronouns of the right actor", (1, 2, 1), (1, 2, 1), (0, 1, 0)),
        ("mentions of the right actor", (7, 5, 4), (7, 8, 7), (3, 4, 3)),
        ("actors", (4, 2, 2), (4, 4, 4), (2, 2, 2)),
        # By the pronoun, Kim is one.
        ("feminine actors", (2, 2, 1), (2, 3, 2), (1, 2, 1)),
        ("masculine actors", (1, 0, 0), (1, 0, 0), (0, 0, 0)),
        ("subject roles", (6, 4, 4), (6, 7, 6), (3, 4, 3)),
        ("object roles", (1, 0, 0), (1, 1, 1), (0, 0, 0)),
        # Peter says it, and gold says Anna.
        ("direct quotes", (1, 0, 0), (1, 1, 0), (0, 0, 0)),
        ("indirect quotes", (1, 1, 1), (1, 1, 1), (1, 1, 1)),
        ("texts with inclusive language", (1, 0, 0), (1, 0, 0), (0, 0, 0)),
        ("texts with generic masculine", (1, 1, 1), (1, 0, 0), (1, 0, 0)),
    ],
)
def test_each_phenomenon_is_counted(table, phenomenon, published, corrected, held_out):
    for keys, counts in {
        ("published", "all"): published,
        ("corrected", "all"): corrected,
        ("corrected", "held out"): held_out,
    }.items():
        assert tuple(table[*keys, phenomenon][name] for name in ("gold", "predicted", "true_positives")) == counts


def test_the_table_has_every_phenomenon_of_both_rules(table):
    rules = [(procedure, these) for procedure in ("published", "corrected") for these in ("all", "held out")]
    assert list(table) == [(*rule, name) for rule in rules for name in PHENOMENA]


def test_scores_are_percent(table):
    row = table["corrected", "all", "mentions of the right actor"]
    assert (row["precision"], row["recall"], row["f1"]) == (87.5, 100, pytest.approx(200 * 7 / 15))
    # Two passages are too few for an interval.
    assert math.isnan(row["precision_low"]) and math.isnan(row["precision_high"])
    assert row["model"] == "by hand 1.0"
    nothing = table["corrected", "held out", "masculine actors"]
    assert all(math.isnan(nothing[name]) for name in ("precision", "recall", "f1"))


def test_the_order_of_the_annotations_does_not_matter(table, folder, tmp_path):
    score(tmp_path, *reversed(passages()))
    assert (tmp_path / "quality.csv").read_bytes() == (folder / "quality.csv").read_bytes()


def test_the_latex_table_has_the_passages_held_out(table, folder):
    latex = (folder / "quality.tex").read_text()
    assert (
        "(German, parsed by by hand 1.0). Precision, recall and F1 in percent against held-out news passages" in latex
    )
    (line,) = [line for line in latex.splitlines() if line.startswith("corrected & mentions of the right actor")]
    assert "& 3 & 75.0 &" in line


def test_two_speakers_that_are_nobody_are_two_errors(tmp_path):
    text = (
        "Laut - ADP case 2\nRom - PROPN obl 6 B-PER\nund - CCONJ cc 5\nlaut - ADP case 5\nBern - PROPN conj 2 B-PER\n"
        "regnet - VERB root 0\nes - PRON nsubj 6\n. - PUNCT punct 6"
    )
    rows = score(tmp_path, annotate(text, id="newsroom_gold/1"), gold="== 1 X\nLaut Rom und laut Bern regnet es.\n")
    row = rows["corrected", "all", "indirect quotes"]
    assert (row["predicted"], row["true_positives"]) == (2, 0)


@pytest.mark.parametrize("chosen", [slice(0, 1), slice(0, 0)])
def test_annotations_of_other_passages_are_named(tmp_path, chosen):
    with pytest.raises(InputError, match=r"annotations\.parquet: holds other passages than .*gold\.txt"):
        score(tmp_path, *passages()[chosen])
