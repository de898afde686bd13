"""The reader of novels with marked quotations, on a tiny one."""

import pytest

CHARACTERS = """\
Character ID,Main Name,Aliases,Gender,Category
0,Kim Day,"{'Kim', 'Kim Day'}",F,major
1,Lou,{'Lou'},M,minor
2,A Voice,{'A Voice'},U,minor
"""
HEAD = "quoteByteSpans,speaker,referringExpression,mentionTextsList,mentionSpansList,mentionEntitiesList\n"
NOBODY = ("[[]]", "[[]]", "[[]]")


@pytest.fixture
def read_novel(read):
    def run(text, *quotations):
        rows = "".join(",".join(f'"{cell}"' for cell in quotation) + "\n" for quotation in quotations)
        beside = {"Novel/novel_text__txt": text, "Novel/character_info__csv": CHARACTERS}
        return read("quotations", "Novel/quotation_info.csv", HEAD + rows, **beside)

    return run


def test_mentions_in_quotations_have_the_gender_of_the_characters(read_novel, shown):
    text = "He said: See Kim and \nLou now. You both, and that thing."
    (piece,) = read_novel(
        text,
        (
            "[[9, 39]]",
            "Lou",
            "He said",
            "[['Kim '], ['Lou', 'You both']]",
            "[[[13, 17]], [[22, 25], [31, 39]]]",
            "[[['Kim']], [['Lou'], ['Lou', 'Kim Day']]]",
        ),
        ("[[41, 56]]", "A Voice", "", "[['that thing']]", "[[[45, 55]]]", "[[['A Voice']]]"),
    )
    assert (piece.id, piece.unit, piece.genre) == ("Novel/1", "Novel", "novel")
    assert shown(piece) == [
        ("Kim", "name", "feminine"), ("Lou", "name", "masculine"), ("You both", "noun", "unspecified"),
        ("that thing", "noun", "unspecified"),
    ]  # fmt: skip


def test_speakers_are_recognized_by_unique_names_and_the_words_that_report_their_quotations(read_novel):
    text = "“Is Kim\nDay in?” Lou said. “No,” she said. “Then,” said a voice, “bye.”"
    (piece,) = read_novel(
        text,
        ("[[0, 15]]", "Lou", "Lou said", "[['Kim Day']]", "[[[4, 11]]]", "[[['Kim Day']]]"),
        ("[[26, 31]]", "Kim Day", "she said", *NOBODY),
        ("[[42, 49], [64, 70]]", "A  Voice", "said a voice", *NOBODY),
    )
    assert [quote.spans for quote in piece.quoted.quotes] == [((0, 15),), ((26, 31),), ((42, 49), (64, 70))]
    assert all(quote.is_direct for quote in piece.quoted.quotes)
    # A pronoun is a mention without its verb, and other words are one with it.
    assert [(source.gender, [mention.text for mention in source.mentions]) for source in piece.quoted.sources] == [
        ("feminine", ["Kim\nDay", "she"]), ("masculine", ["Lou"]), ("unspecified", ["said a voice"]),
    ]  # fmt: skip


def test_a_piece_has_its_own_quotations(read_novel):
    first = "“Lou!” Kim said. " + 10_000 * "x" + "\n\n"
    of_first = ("[[0, 6]]", "Kim", "Kim said", "[['Lou']]", "[[[1, 4]]]", "[[['Lou']]]")
    start = len(first)
    mentioned = f"[[[{start + 1}, {start + 4}]]]"
    of_second = (f"[[{start}, {start + 6}]]", "Lou", "", "[['Kim']]", mentioned, "[[['Kim']]]")
    one, other = read_novel(first + "“Kim!”", of_first, of_second)
    assert [quote.spans for quote in one.quoted.quotes] == [((0, 6),)] == [quote.spans for quote in other.quoted.quotes]
    assert [mention.start for mention in one.quoted.mentions] == [1, 7]
    assert [mention.text for mention in other.quoted.mentions] == ["Kim"]
