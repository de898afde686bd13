import pytest

from textparity.errors import InputError
from textparity_studies.measures.tag_counts import Tag, TaggedSentence, parse_tag, read_gold

GOLD = """\ufeff"Dos mujeres y un señor." "mujeres - P, F
señor - P, M"

"Es un tipo de coche." "tipo - N, M
coche - N, M"

"Llueve." ""

"El padre y sus niños." "padre - P, M
niños - P, M"
"""


def test_gold_blocks_are_read(tmp_path):
    (tmp_path / "gold.txt").write_text(GOLD, "utf-8")
    sentences = read_gold(tmp_path / "gold.txt")
    assert [len(one.tags) for one in sentences] == [2, 2, 0, 2]
    expected = (Tag("mujeres", "P", "F"), Tag("señor", "P", "M"))
    assert sentences[0] == TaggedSentence("Dos mujeres y un señor.", expected)


@pytest.mark.parametrize("line", ["señor – P, M", "señor - P,M", "señor - p, m", " - P, M", "señor - P, M.", ""])
def test_a_tag_is_spelt_exactly(line):
    assert parse_tag(line) is None


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "has no annotated sentences"),
        ('"Uno."\n', "block 1: must be"),
        ('"Uno." "uno - P, M"\n\n"Dos." "dos - P"', "block 2: 'dos - P' must be word"),
        ('"Uno "dos"." "uno - P, M"', "block 1: must be"),
        ('" " ""', "block 1: the sentence is empty"),
    ],
)
def test_malformed_gold_is_named_with_its_block(tmp_path, content, said):
    path = tmp_path / "gold.txt"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        read_gold(path)
    assert str(path) in str(error.value)
    assert said in str(error.value)
