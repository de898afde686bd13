"""The reader of novels with marked quotations, on a tiny one."""

import pytest

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
