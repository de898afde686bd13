"""Pairs of annotated and found mentions."""

from textparity.persons.mentions import Mention
from textparity_studies.instruments.annotated_texts import AnnotatedMention
from textparity_studies.instruments.findings import pair_mentions


def annotated(start, end, head=(-1, -1)):
    return AnnotatedMention(start, end, "", "noun", "feminine", 0, "annotated", head_start=head[0], head_end=head[1])


def found(start, end):
    return Mention(start, end, "", "noun", "feminine", 0)


def test_equal_spans_then_the_shortest_that_holds_what_was_found():
    outer, inner, same = annotated(0, 30), annotated(10, 20), annotated(40, 45)
    within, equal, lost = found(12, 15), found(40, 45), found(60, 65)
    assert pair_mentions([outer, inner, same], [within, equal, lost]) == [
        (outer, None), (inner, within), (same, equal), (None, lost),
    ]  # fmt: skip


def test_where_heads_are_annotated_a_pair_meets_at_the_head():
    mother, nested = annotated(0, 30, (0, 6)), annotated(20, 30, (20, 30))
    one, other = found(0, 6), found(20, 30)
    assert pair_mentions([mother, nested], [one, other]) == [(mother, one), (nested, other)]
    assert pair_mentions([mother], [found(8, 12)])[0] == (mother, None)


def test_what_has_a_partner_has_no_second():
    only = annotated(0, 20)
    one, other = found(0, 5), found(6, 10)
    assert pair_mentions([only], [one, other]) == [(only, one), (None, other)]


def test_a_pronoun_in_a_longer_span_is_somebody_else():
    his_wife, his = annotated(0, 8), Mention(0, 3, "His", "pronoun", "masculine", 0)
    wife = found(4, 8)
    assert pair_mentions([his_wife], [his, wife]) == [(his_wife, wife), (None, his)]
