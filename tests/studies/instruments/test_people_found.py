"""The people that a method finds, beside those annotated: each once, and coreference by the field's scores."""

import pytest

from textparity.persons.mentions import Mention
from textparity_studies.instruments.annotated_texts import AnnotatedMention
from textparity_studies.instruments.coreference import score_pairs
from textparity_studies.instruments.people import confuse_people, count_people, tells_persons_apart

WOMAN, MAN, ANYONE = "feminine", "masculine", "unspecified"


def pairs(*chains):
    """Pair mentions, each given as the annotated and the found person, and both genders; None is no mention."""
    made = []
    for place, (gold, found, gold_gender, gender) in enumerate(chains):
        span = (place, place + 1, "x", "noun")
        annotated = None if gold is None else AnnotatedMention(*span, gold_gender, gold)
        made.append((annotated, None if found is None else Mention(*span, gender, found)))
    return made


def count(text, is_complete=True):
    row, of_half = count_people([({"half": "kept"}, text)], {}, is_complete)
    assert of_half == row | {"half": "kept"}
    return {name: value for name, value in row.items() if name.startswith(("annotated", "found_f", "found_m", "split"))}


def test_a_person_who_is_found_twice_is_split():
    found = count(pairs((1, 5, WOMAN, WOMAN), (1, 6, WOMAN, WOMAN), (2, 7, MAN, MAN), (2, 7, MAN, MAN)))
    assert (found["annotated_feminine"], found["found_feminine"], found["split_feminine"]) == (1, 2, 1)
    assert (found["annotated_masculine"], found["found_masculine"], found["split_masculine"]) == (1, 1, 0)
    assert found["annotated_women_percent"] == 50


def test_somebody_without_an_annotation_counts_only_if_all_persons_are_annotated():
    text = pairs((1, 5, WOMAN, WOMAN), (None, 6, "", MAN))
    assert count(text)["found_masculine"] == 1
    assert count(text, is_complete=False)["found_masculine"] == 0


def test_mentions_without_an_annotation_hide_nobody_if_only_some_are_annotated():
    text = pairs((1, 5, WOMAN, WOMAN), (None, 5, "", WOMAN), (None, 5, "", WOMAN))
    assert count(text, is_complete=False)["found_feminine"] == 1
    # Among annotated persons, most of its mentions are of nobody.
    assert count(text)["found_feminine"] == 1
    (row, _) = count_people([({"half": "kept"}, text)], {}, is_complete=False)
    assert row["right_feminine"] == 1 and row["f1_feminine"] is None


def test_those_whose_gender_is_not_annotated_are_in_no_count():
    found = count(pairs((1, 5, ANYONE, WOMAN), (2, 6, MAN, ANYONE)))
    assert (found["found_feminine"], found["annotated_masculine"], found["found_masculine"]) == (0, 1, 0)


def test_people_are_paired_one_to_one_and_their_genders_compared():
    # A woman found twice, a man found as a woman, a woman missed, and somebody who is no person.
    text = pairs(
        (1, 5, WOMAN, WOMAN), (1, 5, WOMAN, WOMAN), (1, 6, WOMAN, WOMAN), (2, 7, MAN, WOMAN), (3, None, WOMAN, ""),
        (None, 8, "", MAN),
    )  # fmt: skip
    assert confuse_people(text, True).tolist() == [[1, 0, 1], [1, 0, 0], [1, 1, 0]]
    # Where only some persons are annotated, nobody knows whether the last one is a person.
    assert confuse_people(text, False).tolist() == [[1, 0, 1], [1, 0, 0], [1, 0, 0]]
    unknown = pairs((1, 5, ANYONE, WOMAN), (1, 6, ANYONE, MAN))
    assert not confuse_people(unknown, True).any()


def test_coreference_scores_are_those_of_their_definitions():
    pytest.importorskip("scorch")
    same = pairs((1, 5, WOMAN, WOMAN), (1, 5, WOMAN, WOMAN), (2, 6, MAN, MAN))
    assert score_pairs([same])["conll"] == pytest.approx(100)
    # {a, b, c}, {d, e, f, g} against {a, b}, {c, d}, {f, g, h, i}; e is not found, and h and i are not annotated.
    example = pairs(
        (1, 5, WOMAN, WOMAN), (1, 5, WOMAN, WOMAN), (1, 6, WOMAN, WOMAN), (2, 6, MAN, MAN), (2, None, MAN, ""),
        (2, 7, MAN, MAN), (2, 7, MAN, MAN), (None, 7, "", MAN), (None, 7, "", MAN),
    )  # fmt: skip
    scores = score_pairs([example])
    # MUC: two of five links are found, and two of five are right.
    assert scores["muc"] == pytest.approx(40)
    # B³: recall (4/3 + 1/3 + 1/4 + 1) / 7, precision (2 + 1/2 + 1/2 + 1) / 8.
    recall, precision = (4 / 3 + 1 / 3 + 1 / 4 + 1) / 7, 4 / 8
    assert scores["b_cubed"] == pytest.approx(100 * 2 * recall * precision / (recall + precision))
    # CEAF: the best pairs are 4/5 and 4/8 alike, of two annotated and three found persons.
    assert scores["ceaf"] == pytest.approx(100 * 2 * (4 / 5 + 4 / 8) / (2 + 3))
    assert (scores["annotated"], scores["found"]) == (2, 3)


def test_an_annotation_that_gives_all_mentions_one_number_or_each_its_own_does_not_tell_persons_apart():
    def numbered(*entities):
        return [AnnotatedMention(0, 1, "x", "name", WOMAN, entity) for entity in entities]

    assert not tells_persons_apart([numbered(0, 0), numbered(0), []])
    assert not tells_persons_apart([numbered(0, 1), numbered(0)])
    assert tells_persons_apart([numbered(0, 0), numbered(0, 1)])
