"""Ukrainian by a dictionary, with small lists."""

import pytest

pytest.importorskip("pymorphy3")

from ukrainian_lists import LISTS

from textparity.persons.dictionary_finder import DictionaryFinder
from textparity.persons.mentions import Mention
from textparity.persons.rules import Rules

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
        address = ["пан", "паном", "пані"]
        finder = DictionaryFinder(LISTS, frozenset({"хлопець"}), RULES, Pronouns(), grammatical, address)
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


@pytest.mark.parametrize("full_name", ["Олена Коваль", "Олена  Коваль", "Олена\nКоваль", "Пані Коваль"])
def test_a_surname_that_is_another_word_too_is_that_of_the_person_named_before(find, full_name):
    assert find(f"{full_name} сказала. Коваль пішла.") == [
        (full_name, "name", "feminine", 0),
        ("Коваль", "name", "feminine", 0),
    ]
    assert find("Коваль пішов.")[0][1] == "noun"


def test_the_plural_of_a_word_that_is_a_surname_is_no_person_with_it(find):
    found = find("Олена Коваль сказала. Ковалі пішли.")
    assert [text for text, kind, *_ in found if kind == "name"] == ["Олена Коваль"]


def test_the_next_sentence_is_not_part_of_a_name(find):
    assert [text for text, *_ in find("Прийшла Олена Бондар. Україна чекала.")] == ["Олена Бондар"]


def test_namesakes_of_two_genders_are_two_persons(find):
    assert find("Олена Мельник і Петро Мельник прийшли. Мельник пішов.") == [
        ("Олена Мельник", "name", "feminine", 0),
        ("Петро Мельник", "name", "masculine", 1),
        ("Мельник", "name", "unspecified", 1),
    ]


def test_a_form_of_address_and_a_name_are_one_mention_with_its_gender(find):
    assert find("Я бачив пані Петренко.") == [("пані Петренко", "name", "feminine", 0)]
    # In the dictionary, this is also a thing.
    assert find("Зустріч з паном Шевченком.") == [("паном Шевченком", "name", "masculine", 0)]


def test_a_preposition_is_no_initial(find):
    assert [text for text, *_ in find("Бачили Олену Бондар. З Бондар говорили.")] == ["Олену Бондар", "Бондар"]


def test_initials_belong_to_the_name(find):
    assert find("Лист написав І. П. Абракадабренко.")[0][0] == "І. П. Абракадабренко"
