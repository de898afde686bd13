"""The Ukrainian word lists, and the morphology that reads words."""

import sys

import pytest

from textparity.errors import MissingResourceError, TextparityError
from textparity.persons.ukrainian_genders import analyse, load_analyser, load_gender_lists

LISTS = {
    "gender_pairs": 'male,female\nлікар,лікарка\nмитець,"мисткиня, Митчиня"\nПан,пані\nлікар,"докторка, лікарка"\n',
    "common_gender_words": "# обох родів\nсирота\n\n Суддя \n",
    "feminine_names": "name,freq_in_corpus\nЮлія,0.6\nМарія,4e-1\n",
    "masculine_names": "name,freq_in_corpus\nЮрій,1\n",
}


@pytest.fixture
def lists(tmp_path):
    """Load the lists with some of them replaced."""

    def lists(**changes):
        paths = {name: tmp_path / f"{name}.txt" for name in LISTS}
        for name, content in (LISTS | changes).items():
            paths[name].write_bytes(content if isinstance(content, bytes) else content.encode())
        return load_gender_lists(**paths)

    return lists


def test_words_and_names_as_they_are_looked_up(lists):
    found = lists()
    assert found.pairs == {"лікар": ("лікарка", "докторка"), "митець": ("мисткиня", "митчиня"), "пан": ("пані",)}
    assert found.common == {"сирота", "суддя"}
    assert (found.feminine_names, found.masculine_names) == ({"Юлія": 0.6, "Марія": 0.4}, {"Юрій": 1.0})


def test_a_feminine_word_may_have_several_masculine_ones(lists):
    found = lists(gender_pairs="male,female\nлікар,лікарка\nдоктор,лікарка\nпан,пані\n")
    assert found.feminine_pairs == {"лікарка": ("лікар", "доктор"), "пані": ("пан",)}


def test_a_byte_order_mark_is_no_part_of_the_header(lists):
    assert lists(feminine_names="\ufeffname,freq_in_corpus\nЮлія,1\n").feminine_names == {"Юлія": 1.0}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "gender_pairs",
            "masculine,feminine\nлікар,лікарка\n",
            "the header is masculine,feminine; it must be male,fem",
        ),
        ("gender_pairs", "male,female\nлікар,\n", "a row has 'лікар' and ''; it needs a word of each gender"),
        ("gender_pairs", "male,female\n,лікарка\n", "a row has '' and 'лікарка'"),
        ("gender_pairs", "male,female\nлікар\n", "a row has 'лікар' and ''"),
        ("gender_pairs", "male,female\nмер,мерка,мериця\n", "a row has more cells than .*quote cells that have commas"),
        ("gender_pairs", "male,female\nпан,пані\nмер,мерка,мериця\n", "a row has more cells than .*quote cells that"),
        ("gender_pairs", "male,female\n", "has no rows"),
        ("gender_pairs", "", "the header is empty; it must be male,female"),
        ("common_gender_words", "\n", "has no words; list one per line"),
        ("common_gender_words", "сирота".encode("cp1251"), "not UTF-8 .* at byte 0"),
        (
            "feminine_names",
            "name,freq_in_corpus\nЮлія,часто\n",
            "the frequency of Юлія is 'часто', not a number from 0",
        ),
        ("feminine_names", "name,freq_in_corpus\nЮлія,-1\n", "the frequency of Юлія is '-1'"),
        ("masculine_names", "name,freq_in_corpus\nЮрій,\n", "the frequency of Юрій is ''"),
        ("masculine_names", "name,freq_in_corpus\nЮрій,1\nЮрій ,2\n", "the name Юрій is a duplicate; keep one row"),
        ("masculine_names", "name,freq_in_corpus\nЮрій,1".encode("cp1251"), "not UTF-8"),
    ],
)
def test_a_malformed_list_is_named(lists, name, content, said):
    with pytest.raises(TextparityError, match=rf"{name}\.txt: .*{said}"):
        lists(**{name: content})


def test_words_are_read_as_ukrainian():
    assert {parse.normal_form for parse in analyse("директорки")} == {"директорка"}
    # In Russian it is feminine alone.
    assert [parse.tag.gender for parse in analyse("собака")] == ["masc", "femn"]


@pytest.mark.parametrize("missing", ["pymorphy3", "pymorphy3_dicts_uk"])
def test_without_its_dictionary_the_extra_is_named(monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    load_analyser.cache_clear()
    try:
        with pytest.raises(MissingResourceError, match=rf"{missing} is not installed; .*make morphology"):
            load_analyser()
    finally:
        load_analyser.cache_clear()
