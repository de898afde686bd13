"""Given names of treebanks, and how many of them a method finds."""

import math

import numpy as np
import pytest

from textparity.estimating.bootstrap import Bootstrap
from textparity.persons.mentions import Mention
from textparity_studies.instruments.annotated_texts import AnnotatedMention, GivenNames, GoldWords
from textparity_studies.instruments.treebank_names import JudgedName, judge_names, measure_names, read_treebank_names

BOOTSTRAP = Bootstrap(seed=1, resamples=200, confidence_level=0.95)


def sentence(name, text, *rows, comments=()):
    """A sentence of form, lemma, part of speech, features, head and relation."""
    lines = [*comments, f"# sent_id = {name}", f"# text = {text}"]
    for number, form, lemma, tag, features, head, relation in rows:
        lines.append("\t".join([str(number), form, lemma, tag, "_", features, str(head), relation, "_", "_"]))
    return "\n".join([*lines, "", ""])


@pytest.fixture
def read(tmp_path):
    """Read a treebank with some marked names: pairs of sentence and word with a gender."""

    def run(*sentences, marks=()):
        path = tmp_path / "sl_ssj-ud-dev.conllu"
        path.write_text("".join(sentences), "utf-8")
        lines = ["treebank\tsentence\tword\tgender", *(f"{path.stem}\t" + "\t".join(mark) for mark in marks)]
        (tmp_path / "given.tsv").write_text("\n".join(lines) + "\n", "utf-8")
        (tmp_path / "words.tsv").write_text("lang\tword\tshows\n", "utf-8")
        words = GoldWords(tmp_path / "words.tsv", "slv", GivenNames(tmp_path / "given.tsv"))
        return [
            (text.id, text.text, [(name.text, name.gender, name.start) for name in text.mentions])
            for text in read_treebank_names(path, words)
        ]

    return run


JAN = (1, "Jana", "Jan", "PROPN", "Animacy=Anim|Gender=Masc", 0, "root")
NOVAK = (2, "Novaka", "Novak", "PROPN", "Gender=Masc", 1, "flat:name")
ALPS = (1, "Julijske", "Julijske", "PROPN", "Gender=Fem", 0, "root")
HILLS = (2, "Alpe", "Alpe", "PROPN", "Gender=Fem", 1, "flat")


def test_names_have_the_type_of_a_given_name(read):
    jan = (*JAN[:4], JAN[4] + "|NameType=Giv,Sur", *JAN[5:])
    kranj = (3, "Kranj", "Kranj", "PROPN", "Gender=Masc|NameType=Geo", 1, "nmod")
    ((_, _, names),) = read(sentence("1", "Jana Novaka Kranj", jan, NOVAK, kranj))
    assert names == [("Jana", "masculine", 0)]


def test_names_are_marked_where_a_treebank_has_no_types(read):
    both = (sentence("a", "Jana Novaka", JAN, NOVAK), sentence("b", "Julijske Alpe", ALPS, HILLS))
    assert read(*both)[0][2] == [("Jana", "masculine", 0), ("Julijske", "feminine", 12)]
    # The gender of the mark is that of the person.
    assert read(*both, marks=[("a", "1", "feminine")])[0][2] == [("Jana", "feminine", 0)]


def test_documents_are_texts_and_words_of_one_token_have_its_place(read):
    begin = ("# newdoc id = x",)
    one = sentence("1", "Jana Novaka", JAN, NOVAK, comments=begin)
    joined = [("1-2", "Novakjan", "_", "_", "_", "_", "_"), (1, "Novak", "Novak", "PROPN", "Gender=Masc", 0, "root")]
    joined.append((2, "jan", "Jan", "PROPN", "Gender=Masc|NameType=Giv", 1, "flat"))
    two = sentence("2", "E\u0301 Novakjan", (0.1, "É", "É", "X", "_", 0, "dep"), *joined, comments=("# newdoc id = y",))
    texts = read(one, two)
    assert [text[:2] for text in texts] == [
        ("sl_ssj-ud-dev/x", "Jana Novaka\n"), ("sl_ssj-ud-dev/y", "É Novakjan\n"),
    ]  # fmt: skip
    # A treebank with types has no other given names.
    assert [text[2] for text in texts] == [[], [("Novakjan", "masculine", 2)]]


def test_a_mention_finds_the_name_whose_beginning_it_covers():
    text = "Jana Novak, Eva, Ada, Bo"
    names = [
        AnnotatedMention.at(text, text.index(name), text.index(name) + len(name), "name", gender, number)
        for number, (name, gender) in enumerate([("Jana", "feminine"), ("Eva", "feminine"), ("Ada", "feminine"),
                                                 ("Bo", "masculine")])
    ]  # fmt: skip
    places = [(0, 10, "feminine"), (12, 15, "masculine"), (17, 20, "unspecified"), (23, 24, "masculine")]
    found = [Mention(start, end, text[start:end], "name", gender, 0, "") for start, end, gender in places]
    assert [name.result for name in judge_names(names, found, "slv")] == ["right", "wrong", "unspecified", "not_found"]


def judged(gender, *lemmas):
    """Names by lemma: how many are right, and how many are not found."""
    return [
        JudgedName(("slv", (gender == "masculine") * 100 + number), gender, result)
        for number, (right, missed) in enumerate(lemmas)
        for result in ["right"] * right + ["not_found"] * missed
    ]


def test_recall_is_by_gender_and_one_lemma_is_one_name():
    women = judged("feminine", *[(1, 0)] * 6, *[(0, 1)] * 6)
    men = judged("masculine", *[(1, 0)] * 9, *[(0, 1)] * 3)
    feminine, masculine = measure_names(women + men, {"lang": "slv"}, BOOTSTRAP)
    assert (feminine["names"], feminine["right"], feminine["not_found"]) == (12, 6, 6)
    assert (feminine["right_percent"], masculine["right_percent"]) == (50, 75)
    assert feminine["recall_ratio"] == pytest.approx(2 / 3)
    assert feminine["recall_ratio_low"] < 2 / 3 < feminine["recall_ratio_high"]
    assert math.isnan(masculine["recall_ratio"])
    repeated, _ = measure_names(judged("feminine", *[(10, 0)] * 6, *[(0, 10)] * 6) + men, {"lang": "slv"}, BOOTSTRAP)
    for end in ("low", "high"):
        assert repeated[f"right_percent_{end}"] == pytest.approx(feminine[f"right_percent_{end}"], abs=2)


def test_a_gender_without_names_has_no_ratio():
    feminine, masculine = measure_names(judged("masculine", (1, 0)), {"lang": "slv"}, BOOTSTRAP)
    assert (feminine["names"], masculine["names"]) == (0, 1)
    assert np.isnan([feminine["right_percent"], feminine["recall_ratio"]]).all()
