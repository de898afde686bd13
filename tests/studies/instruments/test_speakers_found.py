"""Quotes and speakers that are found, against those annotated."""

import pytest

from textparity.persons.mentions import Mention
from textparity.persons.speaker_finder import QuotedText
from textparity.persons.speakers import AttributedQuote
from textparity_studies.instruments.annotated_texts import read_annotated_quotes
from textparity_studies.instruments.speakers import (
    QuotedPair,
    SpeakerCounts,
    confuse_sources,
    count_speakers,
    match_quotes,
    match_sources,
    only_direct,
)


def quote(*spans, speaker=None):
    return AttributedQuote(spans, True, speaker)


def person(entity, *starts, gender="feminine", is_group=False):
    return [Mention(start, start + 3, "Ann", "name", gender, entity, is_group=is_group) for start in starts]


@pytest.mark.parametrize(
    ("found", "is_right"),
    [((0, 10), True), ((7, 13), True), ((8, 18), False), ((20, 30), False), ((0, 33), True), ((0, 34), False)],
)
def test_a_quote_is_right_from_an_overlap_of_three_tenths(found, is_right):
    # (7, 13) has 3 of 13 characters in common with (0, 10), and (0, 33) has 10 of 33.
    gold = [quote((0, 10))] if found != (7, 13) else [quote((0, 5), (7, 11))]
    assert bool(match_quotes(gold, [quote(found)])) is is_right


def test_quotes_match_one_to_one_and_the_best_first():
    annotated = [quote((0, 10)), quote((10, 20))]
    found = [quote((5, 20)), quote((0, 9))]
    assert match_quotes(annotated, found) == [(annotated[0], found[1]), (annotated[1], found[0])]
    assert match_quotes(annotated, found[:1]) == [(annotated[1], found[0])]
    assert match_quotes([], found) == []


def test_a_source_is_right_by_gender_and_a_common_mention():
    annotated = QuotedText((*person(0, 0), *person(1, 10, gender="masculine")), (quote((40, 50), speaker=0),))
    assert [source.entity for source in annotated.sources] == [0]
    right = QuotedText(tuple(person(7, 2)), (quote((60, 70), speaker=7),))
    assert [source.entity for source in match_sources(annotated.sources, right.sources)] == [0]
    of_other_gender = QuotedText(tuple(person(7, 2, gender="masculine")), right.quotes)
    assert match_sources(annotated.sources, of_other_gender.sources) == []
    elsewhere = QuotedText(tuple(person(7, 20)), right.quotes)
    assert match_sources(annotated.sources, elsewhere.sources) == []


def test_one_person_found_is_not_two_sources():
    annotated = QuotedText((*person(0, 0), *person(1, 10)), (quote((40, 50), speaker=0), quote((50, 60), speaker=1)))
    found = QuotedText(tuple(person(7, 0, 10)), (quote((40, 60), speaker=7),))
    assert len(match_sources(annotated.sources, found.sources)) == 1


def test_counts_are_shares_of_what_is_annotated_and_found():
    counts = SpeakerCounts()
    annotated = QuotedText(
        (*person(0, 0), *person(1, 10, gender="masculine"), *person(2, 20, is_group=True)),
        (quote((40, 50), speaker=0), quote((50, 60), speaker=1), quote((60, 70), speaker=2), quote((70, 80))),
    )
    found = QuotedText(tuple(person(4, 0)), (quote((40, 50), speaker=4), quote((50, 60), speaker=4)))
    counts.add(annotated, found)
    columns = counts.columns()
    assert (columns["annotated_quotes"], columns["found_quotes"], columns["right_quotes"]) == (4, 2, 2)
    assert columns["f1_quotes"] == pytest.approx(200 * 2 / 6)
    assert (columns["annotated_feminine"], columns["found_feminine"], columns["right_feminine"]) == (1, 1, 1)
    assert (columns["annotated_masculine"], columns["found_masculine"], columns["f1_masculine"]) == (1, 0, 0)
    assert (columns["annotated_women_percent"], columns["found_women_percent"]) == (50, 100)
    # The second quote is another's.
    assert (columns["attributed"], columns["attributed_right_percent"]) == (2, 50)


def test_sources_are_paired_one_to_one_and_their_genders_compared():
    # A woman found twice, a man found as a woman, a woman missed, somebody of unknown gender, and no source at all.
    annotated = QuotedText(
        (
            *person(0, 0, 5), *person(1, 10, gender="masculine"), *person(2, 20), *person(3, 30, gender="unspecified"),
            *person(4, 40, gender="masculine"),
        ),
        tuple(quote((50 + number, 60), speaker=number) for number in range(4)),
    )  # fmt: skip
    found = QuotedText(
        (*person(5, 0, 5), *person(6, 5), *person(7, 10), *person(8, 30), *person(9, 40, gender="masculine")),
        tuple(quote((50 + number, 60), speaker=number + 5) for number in range(5)),
    )
    assert confuse_sources(QuotedPair(annotated, found)).tolist() == [[1, 0, 1], [1, 0, 0], [1, 1, 0]]


def test_indirect_quotes_and_their_sources_can_be_left_out():
    mentions = (*person(0, 0), *person(1, 10))
    both = QuotedText(mentions, (quote((20, 30), speaker=0), AttributedQuote(((30, 40),), False, 1)))
    direct = only_direct(QuotedPair(both, both))
    assert [source.entity for source in direct.annotated.sources] == [0] == [one.entity for one in direct.found.sources]


def test_sources_are_counted_by_half():
    text = QuotedText(tuple(person(0, 0)), (quote((20, 30), speaker=0),))
    rows = list(count_speakers([({"half": "kept"}, QuotedPair(text, text))], {"gold": "toy"}))
    counts = [(row["gold"], row["half"], row["right_feminine"]) for row in rows]
    assert counts == [("toy", "all", 1), ("toy", "kept", 1)]


def test_the_quotes_of_the_first_reader_are_read(tmp_path):
    path = tmp_path / "quotes.tsv"
    rows = [
        "article\tlang\treader\tquote\tspeaker\tkind\tstart\tend",
        "a.1\teng\tA\t1\t4\tdirect\t3\t9",
        "a.1\teng\tA\t1\t4\tdirect\t12\t20",
        "a.1\teng\tA\t2\t\tindirect\t30\t40",
        "a.1\teng\tB\t1\t4\tdirect\t3\t9",
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert read_annotated_quotes(path) == {
        ("eng", "a.1"): [
            AttributedQuote(((3, 9), (12, 20)), True, 4),
            AttributedQuote(((30, 40),), False, None),
        ]
    }
