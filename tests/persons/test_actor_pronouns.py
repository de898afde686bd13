"""Which person a pronoun stands for, by our rules."""

import pytest
from annotated import annotate, shipped_lists

from textparity.persons.actor_pronouns import resolve_pronouns
from textparity.persons.actors import find_actors

ANNA = "Anna - PROPN nsubj 3 B-PER\nBerger - PROPN flat 1 I-PER\nlacht - VERB root 0"
PETER = "Peter - PROPN nsubj 3 B-PER\nKoch - PROPN flat 1 I-PER\nlacht - VERB root 0"
KIM = "Berger - PROPN nsubj 2 B-PER\nlacht - VERB root 0"
SHE = "Sie sie PRON nsubj 2 Sing\ngeht - VERB root 0 Fin.Sing"
HE = "Er er PRON nsubj 2 Sing\ngeht - VERB root 0 Fin.Sing"
HER_MOTHER = "Ihre ihr DET det:poss 2\nMama - PROPN nsubj 3\ngeht - VERB root 0 Fin.Sing"
HIS_MOTHER = "Seine sein DET det:poss 2\nMama - PROPN nsubj 3\ngeht - VERB root 0 Fin.Sing"


def resolved(*sentences, scheme="ud"):
    """Return each resolved pronoun with its actor's name."""
    article = annotate("\n\n".join(sentences), scheme)
    actors = find_actors(article, shipped_lists())
    found = resolve_pronouns(article, actors, shipped_lists())
    return [(article.tokens[place], actors[number].name) for place, number in sorted(found.items())]


@pytest.mark.parametrize(
    ("pronoun", "part"),
    [
        ("sie", "PRON"),
        ("ihr", "PRON"),
        ("ihre", "DET"),
        ("ihrem", "DET"),
        ("ihres", "PRON"),
        ("er", "PRON"),
        ("ihn", "PRON"),
        ("ihm", "PRON"),
        ("sein", "DET"),
        ("seiner", "PRON"),
    ],
)
def test_each_form_stands_for_a_person_of_its_gender(pronoun, part):
    line = f"geht - VERB root 0 Fin.Sing\n{pronoun} - {part} obj 1"
    expected = "Anna Berger" if pronoun.startswith(("sie", "ihr")) else "Peter Koch"
    assert resolved(ANNA, PETER, line) == [(pronoun, expected)]
    assert resolved(PETER, ANNA, line) == [(pronoun, expected)]


@pytest.mark.parametrize("line", ["sein - AUX root 0", "Sein - NOUN root 0", "es - PRON root 0", "sich - PRON root 0"])
def test_other_words_stand_for_nobody(line):
    assert resolved(PETER, line) == []


@pytest.mark.parametrize(("pronoun", "other"), [(SHE, PETER), (HE, ANNA)])
def test_without_a_person_of_its_gender_a_pronoun_stands_for_nobody(pronoun, other):
    assert resolved(other, pronoun) == []
    assert resolved(pronoun) == []


def test_a_pronoun_stands_for_somebody_before_it():
    assert resolved(SHE, ANNA) == []


def test_a_pronoun_tells_the_gender_for_those_after_it():
    assert resolved(KIM, SHE, HE) == [("Sie", "Berger")]
    assert resolved(KIM, HE, SHE, HE) == [("Er", "Berger"), ("Er", "Berger")]


POLITE = "hoffe - VERB root 0 Fin.Sing\nSie sie PRON obj 1"


@pytest.mark.parametrize(
    "sentences",
    [
        [POLITE],
        [POLITE.replace("Sie sie PRON", "Ihr ihr DET")],
        ["Ihr ihr PRON nsubj 2\nhabt haben VERB root 0 Fin.Plur"],
        # The verb tells that it is plural, else its features.
        ["Sie sie PRON nsubj 2\ngehen - VERB root 0 Fin.Plur"],
        ["Sie sie PRON nsubj 3\nsind sein AUX aux 3 Fin.Plur\ngegangen gehen VERB root 0 Part"],
        ["geht - VERB root 0 Fin.Sing\nsie - PRON obj 1 Plur"],
        # ihr- of a clause with a plural subject.
        ["Eltern - NOUN nsubj 2 Plur\nrufen - VERB root 0 Fin.Plur\nihre ihr DET det:poss 4\nMama - PROPN obj 2"],
        ["Eltern - NOUN nsubj 2 Plur\nrufen - VERB root 0 Fin.Plur\nihr - DET det:poss 4\nKind - NOUN obj 2"],
        [
            "Jan - PROPN nsubj 4 Sing\nund - CCONJ cc 3\nLea - PROPN conj 1\nrufen - VERB root 0 Fin.Plur\n"
            "ihre ihr DET det:poss 6\nMama - PROPN obj 4"
        ],
    ],
)
def test_polite_and_plural_forms_stand_for_no_woman(sentences):
    assert resolved(ANNA, *sentences) == []


def test_he_is_never_polite_or_plural():
    assert resolved(PETER, POLITE.replace("Sie sie", "Er er")) == [("Er", "Peter Koch")]
    assert resolved(PETER, HE.replace("Fin.Sing", "Fin.Plur")) == [("Er", "Peter Koch")]
    parents = "Eltern - NOUN nsubj 2 Plur\nrufen - VERB root 0 Fin.Plur\nseine sein DET det:poss 4\nMama - PROPN obj 2"
    assert resolved(PETER, parents) == [("seine", "Peter Koch")]


def test_a_word_of_a_name_is_no_pronoun():
    assert resolved(ANNA, "Ihr ihr PRON nsubj 3 B-PER\nLing - PROPN flat 1 I-PER\nlacht - VERB root 0") == []


@pytest.mark.parametrize("before", ["„", "«", '"', ":"])
def test_after_a_mark_a_capital_is_no_politeness(before):
    line = f"{before} - PUNCT punct 3\nSie sie PRON nsubj 3\nlacht - VERB root 0 Fin.Sing"
    assert resolved(ANNA, line) == [("Sie", "Anna Berger")]


def test_a_plural_subject_behind_the_possessive_does_not_make_it_plural():
    line = "Ihre ihr DET det:poss 2\nEltern - NOUN nsubj 3 Plur\nrufen - VERB root 0 Fin.Plur"
    assert resolved(ANNA, line) == [("Ihre", "Anna Berger")]
    line = "Ihre ihr DET det:poss 2\nMama - PROPN obj 3\nrufen - VERB root 0 Fin.Plur\nEltern - NOUN nsubj 3 Plur"
    assert resolved(ANNA, line) == [("Ihre", "Anna Berger")]


def test_a_group_is_no_antecedent():
    women = "Frauen Frau NOUN nsubj 2 Plur\nrufen - VERB root 0"
    assert resolved(ANNA, women, SHE) == [("Sie", "Anna Berger")]


@pytest.mark.parametrize(("pronoun", "person"), [(SHE, ANNA), (HE, PETER), (HER_MOTHER, ANNA), (HIS_MOTHER, PETER)])
def test_a_person_is_found_three_sentences_back_but_not_four(pronoun, person):
    filler = "Ja - INTJ root 0"
    assert len(resolved(person, filler, filler, pronoun)) == 1
    assert resolved(person, filler, filler, filler, pronoun) == []


LEA = "Lea - PROPN nsubj 3 B-PER\nFuchs - PROPN flat 1 I-PER\nlacht - VERB root 0"


@pytest.mark.parametrize(
    ("sentences", "name"),
    [
        # The nearest sentence,
        ([LEA, ANNA], "Anna Berger"),
        ([ANNA, KIM.replace("Berger", "Wolf")], "Wolf"),
        # in it those whose gender is known,
        (
            ["Lea - PROPN obl 3 B-PER\nFuchs - PROPN flat 1 I-PER\nrief - VERB root 0\nWolf - PROPN nsubj 3 B-PER"],
            "Lea Fuchs",
        ),
        # then subjects,
        (
            [
                "Lea - PROPN nsubj 3 B-PER\nFuchs - PROPN flat 1 I-PER\nrief - VERB root 0\n"
                "Anna - PROPN obj 3 B-PER\nBerger - PROPN flat 4 I-PER"
            ],
            "Lea Fuchs",
        ),
        # then the latest.
        (
            [
                "ohne - ADP root 0\nLea - PROPN obl 1 B-PER\nFuchs - PROPN flat 2 I-PER\n"
                "Anna - PROPN obl 1 B-PER\nBerger - PROPN flat 4 I-PER"
            ],
            "Anna Berger",
        ),
    ],
)
def test_of_several_the_nearest_known_subject_is_meant(sentences, name):
    assert resolved(*sentences, SHE) == [("Sie", name)]


@pytest.mark.parametrize(
    ("scheme", "line"),
    [
        ("ud", "Berger - PROPN nsubj 2 B-PER\nlobte - VERB root 0\nsie - PRON obj 2"),
        ("ud", "Berger - PROPN nsubj 2 B-PER\nhalf - VERB root 0\nihr - PRON obl:arg 2"),
        ("ud", "Berger - PROPN nsubj 2 B-PER\nsprach - VERB root 0\nmit - ADP case 4\nihr - PRON obl 2"),
        ("ud", "Ministerin - NOUN nsubj 3\nBerger - PROPN appos 1 B-PER\nlobte - VERB root 0\nsie - PRON obj 3"),
        ("tiger", "Berger - PROPN sb 2 B-PER\nlobte - VERB ROOT 0\nsie - PRON oa 2"),
        ("tiger", "Berger - PROPN sb 2 B-PER\nhat - AUX ROOT 0\nsie - PRON oa 4\ngelobt - VERB oc 2 Part"),
    ],
)
def test_subject_and_object_of_a_verb_are_two(scheme, line):
    assert resolved(line, scheme=scheme) == []


@pytest.mark.parametrize(
    "line",
    [
        # What else stands beside the verb, and the subject of another.
        "Mit - ADP case 2\nBerger - PROPN obl 3 B-PER\nging - VERB root 0\nsie - PRON nsubj 3",
        "Berger - PROPN nsubj 2 B-PER\nhofft - VERB root 0\n, - PUNCT punct 5\nsie - PRON obj 5\nkommt - VERB ccomp 2",
    ],
)
def test_other_words_of_a_sentence_may_be_one_with_its_pronouns(line):
    assert resolved(line) == [("sie", "Berger")]


def test_a_possessive_may_stand_for_the_subject_of_its_verb():
    line = "Berger - PROPN nsubj 2 B-PER\nlobte - VERB root 0\nihre ihr DET det:poss 4\nMama - PROPN obj 2"
    assert resolved(line) == [("ihre", "Berger")]


FIRM = "Firma - NOUN nsubj 2 Fem.Sing\nwächst - VERB root 0"
CLUB = "Verein - NOUN nsubj 2 Masc.Sing\nwächst - VERB root 0"
HOUSE = "Haus - NOUN nsubj 2 Neut.Sing\nwächst - VERB root 0"


@pytest.mark.parametrize(
    ("person", "thing", "pronoun", "is_person"),
    [
        (ANNA, FIRM, SHE, False),
        (PETER, CLUB, HE, False),
        (ANNA, CLUB, SHE, True),
        (PETER, FIRM, HE, True),
        (PETER, HOUSE, HE, True),
        # sein is of a house, too; ihre never is.
        (PETER, HOUSE, HIS_MOTHER, False),
        (ANNA, HOUSE, HER_MOTHER, True),
        (ANNA, FIRM.replace("Sing", "Plur"), SHE, True),
        (ANNA, FIRM.replace("nsubj", "obl"), SHE, True),
        # What says something is a person, if it is the subject.
        (ANNA, FIRM, "Sie sie PRON nsubj 2\nsagt sagen VERB root 0 Fin.Sing", True),
        (PETER, CLUB, "Er er PRON nsubj 2\nsagt sagen VERB root 0 Fin.Sing", True),
        (ANNA, FIRM, "Man man PRON nsubj 2\nsagt sagen VERB root 0 Fin.Sing\nihr - PRON obl:arg 2", False),
    ],
)
def test_a_thing_that_was_the_subject_since_stands_in_the_way(person, thing, pronoun, is_person):
    assert bool(resolved(person, thing, pronoun)) == is_person


def test_but_neither_before_nor_beside_the_person_nor_long_ago():
    assert resolved(FIRM, ANNA, SHE) == [("Sie", "Anna Berger")]
    assert resolved(ANNA, FIRM, "Ja - INTJ root 0", SHE) == [("Sie", "Anna Berger")]
    beside = (
        "Firma - NOUN nsubj 2 Fem.Sing\nhilft - VERB root 0\nAnna - PROPN obl:arg 2 B-PER\nBerger - PROPN flat 3 I-PER"
    )
    assert resolved(beside, SHE) == [("Sie", "Anna Berger")]


def test_a_thing_of_the_same_sentence_stands_in_the_way_too():
    line = f"{FIRM}\nweil - SCONJ mark 5\nsie - PRON nsubj 5\ngut - ADJ advcl 2"
    assert resolved(ANNA, line) == []


def test_a_noun_beside_a_name_is_no_thing():
    line = "Direktor - NOUN nsubj 3 Masc.Sing\nWolf - PROPN appos 1 B-PER\ndankte - VERB root 0\nihm - PRON obl:arg 3"
    assert resolved(PETER, line) == [("ihm", "Peter Koch")]
    # But Wolf's director is: Peter is not meant.
    line = line.replace("Wolf - PROPN appos 1 B-PER", "Wolfs - PROPN nmod 1 Gen.Sing B-PER")
    assert resolved(PETER, line) == [("ihm", "Wolfs")]


def test_a_name_is_no_thing():
    assert resolved(ANNA, FIRM.replace("Firma - NOUN", "Telekom - PROPN"), SHE) == [("Sie", "Anna Berger")]
    # Whatever the tagger says of it.
    peter = "Peter - PROPN flat 2 B-PER\nKoch - NOUN nsubj 3 Fem.Sing I-PER\nlacht - VERB root 0"
    assert resolved(ANNA, peter, SHE) == [("Sie", "Anna Berger")]


@pytest.mark.parametrize("sentences", [[], [SHE], ["sie - PRON root 0"]])
def test_without_persons_nothing_is_resolved(sentences):
    assert resolved(*sentences) == []
