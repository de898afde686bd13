"""Single words of gender swapping: titles, names, adjectives and verbs in the other gender."""

import pytest
from ukrainian_lists import LISTS

pytest.importorskip("pymorphy3_dicts_uk")

from textparity.estimating.seeds import random_generator
from textparity_studies.swapping.titles_and_names import (
    FIRST_NAME,
    INITIAL,
    PATRONYMIC,
    SURNAME,
    ListedNames,
    Titles,
    draw_names,
    inflect_name,
    kind_of_word,
    swap_patronymic,
    swap_surname,
)
from textparity_studies.swapping.word_forms import FEMININE, MASCULINE, agree, cased_like, inflect, read_word


@pytest.fixture(scope="module")
def titles():
    return Titles(LISTS)


@pytest.fixture(scope="module")
def names():
    return ListedNames(LISTS)


@pytest.mark.parametrize(
    ("word", "gender", "number", "case", "form"),
    [
        ("лікар", MASCULINE, "sing", "datv", "лікарю"),
        ("лікарка", FEMININE, "sing", "datv", "лікарці"),
        ("слідчий", MASCULINE, "sing", "accs", "слідчого"),
        ("слідча", FEMININE, "sing", "ablt", "слідчою"),
        # Not in pymorphy3's dictionary: declined like a word with the same ending.
        ("агностикиня", FEMININE, "sing", "ablt", "агностикинею"),
        ("прем’єр-міністр", MASCULINE, "sing", "gent", "прем'єр-міністра"),
        # A surname too, which has no plural.
        ("король", MASCULINE, "plur", "gent", "королів"),
        ("пані мер", FEMININE, "sing", "ablt", "пані мер"),
    ],
)
def test_titles_are_inflected(word, gender, number, case, form):
    assert inflect(word, gender, number, case) == form


@pytest.mark.parametrize(
    ("word", "gender", "case", "other"),
    [
        ("новим", MASCULINE, "ablt", "новою"),
        ("нової", FEMININE, "gent", "нового"),
        # Of a person, the accusative is the genitive.
        ("яку", FEMININE, "accs", "якого"),
        ("сказав", MASCULINE, "", "сказала"),
        ("народилась", FEMININE, "", "народивсь"),
        ("народилася", FEMININE, "", "народився"),
        ("сама", FEMININE, "nomn", "сам"),
    ],
)
def test_adjectives_and_verbs_agree(word, gender, case, other):
    reading = next(
        item for item in read_word(word) if (item.gender, item.case) == (gender, case) and item.part != "NOUN"
    )
    assert agree(word, reading, FEMININE if gender == MASCULINE else MASCULINE) == other


def test_a_word_that_only_looks_like_a_verb_is_none():
    assert not any(reading.is_past for reading in read_word("сосудів"))


@pytest.mark.parametrize(
    ("word", "pattern", "expected"),
    [
        ("лікарка", "Лікар", "Лікарка"),
        ("лікарка", "ЛІКАР", "ЛІКАРКА"),
        ("іт-ішниця", "ІТ-ішник", "ІТ-ішниця"),
        ("прем'єрка", "Прем’єр", "Прем’єрка"),
    ],
)
def test_capitals_and_apostrophes_stay(word, pattern, expected):
    assert cased_like(word, pattern) == expected


def swapped_forms(titles, word):
    return {title.swapped for title in titles.read(word)}


def test_a_title_is_known_in_every_form(titles):
    assert swapped_forms(titles, "Директоркою") == {"директором"}
    assert swapped_forms(titles, "директором") == {"директоркою"}
    assert swapped_forms(titles, "слідчої") == {"слідчого"}
    # The first feminine word is the pair; each of them is known.
    assert swapped_forms(titles, "поетам") == {"поетесам"}
    assert swapped_forms(titles, "поетці") == {"поету"}


def test_common_gender_is_in_no_pair(titles):
    assert titles.read("голова") == ()


def test_parts_of_a_title(titles):
    assert [part for part, _ in titles.parts("поет-символіст")] == ["поет", "символіст"]
    assert [part for part, _ in titles.parts("екс-депутатка")] == ["депутатка"]
    assert [part for part, _ in titles.parts("ексдепутат")] == ["депутат"]
    assert titles.parts("радість") == []


@pytest.mark.parametrize(
    ("word", "other"),
    [("детектива", None), ("міліціонерку", "міліціонера"), ("підрядників", "підрядниць"), ("компанії", None)],
)
def test_a_pair_is_made_by_its_ending(titles, word, other):
    forms = {title.swapped for _, readings in titles.derive(word) for title in readings}
    assert (other in forms) if other else not forms


def test_a_made_pair_is_not_one_of_the_dictionary(titles):
    assert titles.is_pair("директора", "директорки")
    assert titles.is_pair("поетка", "поет")
    assert not titles.is_pair("директора", "лікарки")
    assert titles.derive("міліціонер") and not titles.is_pair("міліціонер", "міліціонерка")
    assert titles.read("міліціонер") == ()


@pytest.mark.parametrize(
    ("name", "gender", "case", "form"),
    [
        ("Володимир", MASCULINE, "accs", "Володимира"),
        ("Микола", MASCULINE, "accs", "Миколу"),
        ("Ігор", MASCULINE, "datv", "Ігорю"),
        ("Ольга", FEMININE, "datv", "Ользі"),
    ],
)
def test_first_names_are_inflected(name, gender, case, form):
    assert inflect_name(name, gender, case) == form


@pytest.mark.parametrize(
    ("word", "gender", "case", "other"),
    [
        ("Борисович", FEMININE, "nomn", "Борисівна"),
        ("Андрійовича", FEMININE, "gent", "Андріївни"),
        ("Андріївною", MASCULINE, "ablt", "Андрійовичем"),
        ("Василівни", MASCULINE, "gent", "Васильовича"),
    ],
)
def test_patronymics_are_swapped(word, gender, case, other):
    assert swap_patronymic(word, gender, case) == other


@pytest.mark.parametrize(
    ("word", "gender", "case", "other"),
    [
        ("Левицький", FEMININE, "nomn", "Левицька"),
        ("Левицької", MASCULINE, "gent", "Левицького"),
        ("Іванов", FEMININE, "nomn", "Іванова"),
        ("Ивановим", FEMININE, "ablt", "Ивановою"),
        # Women have a noun in the nominative, in every case.
        ("Петренка", FEMININE, "gent", "Петренко"),
        ("Ковальчуком", FEMININE, "ablt", "Ковальчук"),
        ("Ковальчук", MASCULINE, "gent", "Ковальчука"),
        ("Коломієць", MASCULINE, "gent", "Коломійця"),
        ("Сковороди", FEMININE, "gent", "Сковороди"),
        ("Нечуй-Левицький", FEMININE, "nomn", "Нечуй-Левицька"),
    ],
)
def test_surnames_are_swapped(word, gender, case, other):
    assert swap_surname(word, gender, case) == other


def test_words_of_a_name(names):
    kinds = [kind_of_word(word, names) for word in ("Петром", "Петровичем", "Януковичем", "П", "Коваль")]
    assert kinds == [FIRST_NAME, PATRONYMIC, SURNAME, INITIAL, SURNAME]


def test_names_are_drawn_by_frequency_and_seed():
    first = draw_names(LISTS, random_generator(1, "a"))
    assert first == draw_names(LISTS, random_generator(1, "a"))
    assert len(set(first[FEMININE])) == len(set(first[MASCULINE])) == 3
    draws = [draw_names(LISTS, random_generator(1, str(number)))[FEMININE][0] for number in range(400)]
    assert draws.count("Олена") == pytest.approx(200, abs=40)
