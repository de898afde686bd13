"""Ukrainian by a dictionary, with small lists."""

import pytest

pytest.importorskip("pymorphy3")

from ukrainian_lists import LISTS

from textparity.persons.dictionary_finder import DictionaryFinder
from textparity.persons.mentions import Mention, Rules

RULES = Rules({}, {"no_person": {"вовк": ""}, "person_ending": {"ник": ""}})


class Pronouns:
    """Finds the words він and вона, as the lexicon does."""

    def find(self, texts):
        for text in texts:
            found = []
            for word, gender in (("він", "masculine"), ("вона", "feminine")):
                start = text.lower().find(f"{word} ")
                if start >= 0:
                    found.append(
                        Mention(start, start + len(word), text[start : start + len(word)], "pronoun", gender, 0)
                    )
            yield found


@pytest.fixture
def find():
    def run(text, grammatical=False):
        finder = DictionaryFinder(LISTS, frozenset({"хлопець"}), RULES, Pronouns(), grammatical)
        (mentions,) = finder.find([text])
        assert all(text[one.start : one.end] == one.text for one in mentions)
        return [(one.text, one.kind, one.gender, one.entity) for one in mentions]

    return run


def test_titles_and_names_have_the_gender_that_their_words_share_in_a_case(find):
    assert find("Учора нову директорку школи Олену Петренко бачив лікар.") == [
        ("нову директорку", "noun", "feminine", 0),
        ("Олену Петренко", "name", "feminine", 1),
        ("лікар", "noun", "masculine", 2),
    ]


def test_a_masculine_plural_is_for_anyone_but_by_the_grammar(find):
    assert find("Прийшли депутати.") == [("депутати", "noun", "unspecified", 0)]
    assert find("Прийшли депутати.", grammatical=True) == [("депутати", "noun", "masculine", 0)]
    # Of common gender.
    assert find("Прийшов суддя.")[0][2] == "unspecified"


def test_a_pronoun_is_of_the_last_person_that_agrees(find):
    assert find("Петро чекав. Ірина мовчала. Потім він пішов.") == [
        ("Петро", "name", "masculine", 0),
        ("Ірина", "name", "feminine", 1),
        ("він", "pronoun", "masculine", 0),
    ]


@pytest.mark.parametrize("text", ["Вовк спить.", "Знаю, як гарно тут.", "Таким чином.", "Львів гарний."])
def test_animals_little_words_and_towns_are_nobody(find, text):
    assert find(text) == []


def test_a_name_ends_with_its_sentence_and_has_the_gender_of_the_title_before_it(find):
    assert find("Прийшла директорка Петренко. Лікар спить.") == [
        ("директорка", "noun", "feminine", 0),
        ("Петренко", "name", "feminine", 0),
        ("Лікар", "noun", "masculine", 1),
    ]


def test_initials_belong_to_the_name(find):
    assert find("Лист написав І. П. Абракадабренко.")[0][0] == "І. П. Абракадабренко"
