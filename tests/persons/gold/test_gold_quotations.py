"""The reader of novels with marked quotations, on a tiny one."""

import pytest

from textparity.errors import InputError

CHARACTERS = """\
Character ID,Main Name,Aliases,Gender,Category
0,Kim Day,"{'Kim', 'Kim Day'}",F,major
1,Lou,{'Lou'},M,minor
2,A Voice,{'A Voice'},U,minor
"""
HEAD = "quoteID,mentionTextsList,mentionSpansList,mentionEntitiesList\n"


@pytest.fixture
def read_novel(read):
    def run(text, *quotations):
        rows = "".join(
            f'Q{number},"{texts}","{spans}","{who}"\n' for number, (texts, spans, who) in enumerate(quotations)
        )
        beside = {"Novel/novel_text__txt": text, "Novel/character_info__csv": CHARACTERS}
        return read("quotations", "Novel/quotation_info.csv", HEAD + rows, **beside)

    return run


def test_mentions_in_quotations_have_the_gender_of_the_characters(read_novel, shown):
    text = "He said: See Kim and \nLou now. You both, and that thing."
    (piece,) = read_novel(
        text,
        (
            "[['Kim '], ['Lou', 'You both']]",
            "[[[13, 17]], [[22, 25], [31, 39]]]",
            "[[['Kim']], [['Lou'], ['Lou', 'Kim Day']]]",
        ),
        ("[['that thing']]", "[[[45, 55]]]", "[[['A Voice']]]"),
    )
    assert (piece.id, piece.unit, piece.genre) == ("Novel/1", "Novel", "novel")
    assert shown(piece) == [
        ("Kim", "name", "feminine"), ("Lou", "name", "masculine"), ("You both", "noun", "unspecified"),
        ("that thing", "noun", "unspecified"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("quotation", "message"),
    [
        (("[['Kim']]", "[[[0, 2]]]", "[[['Kim']]]"), "'Kim' does not stand at 0"),
        (("[['Kim']]", "[[]]", "[[['Kim']]]"), "are no lists that match"),
        (("[['Kim'", "[[]]", "[[]]"), "are no lists that match"),
    ],
)
def test_a_quotation_that_cannot_be_read_is_named_by_its_line(read_novel, quotation, message):
    with pytest.raises(InputError, match=rf"quotation_info\.csv, line 2: .*{message}"):
        read_novel("Kim left.", quotation)
