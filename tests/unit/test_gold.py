import csv
import json

import pytest

from textparity.errors import InputError
from textparity.representation_study.tags import Tag, TaggedSentence, parse_tag, read_gold
from textparity.representation_study.yardstick import measure_lexicon_on_gold

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
    ],
)
def test_malformed_gold_is_named_with_its_block(tmp_path, content, said):
    path = tmp_path / "gold.txt"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        read_gold(path)
    assert str(path) in str(error.value)
    assert said in str(error.value)


def test_the_lexicon_is_measured_on_gold(tmp_path):
    (tmp_path / "gold.txt").write_text(GOLD, "utf-8")
    nouns = {"feminine": [{"plural": "mujeres"}], "masculine": [{"singular": "padre"}, {"singular": "tipo"}],
             "unspecified": [{"plural": "niños"}]}  # fmt: skip
    (tmp_path / "lexicon.json").write_text(json.dumps(nouns), "utf-8")
    words, ratios = tmp_path / "words.csv", tmp_path / "ratios.csv"
    measure_lexicon_on_gold(tmp_path / "gold.txt", tmp_path / "lexicon.json", words, ratios, "demo", "es", 1, 100, 0.95)
    found = {row["gender"]: row for row in csv.DictReader(words.open())}
    counts = ("person_words", "found", "found_as_same_gender", "words_not_in_gold")
    assert [found["masculine"][name] for name in counts] == ["3", "2", "1", "1"]
    assert [found["feminine"][name] for name in counts] == ["1", "1", "1", "1"]
    by_method = {row["method"]: (row["masculine"], row["feminine"]) for row in csv.DictReader(ratios.open())}
    assert by_method == {"annotators": ("3", "1"), "lexicon": ("2", "1")}
