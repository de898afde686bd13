"""The gender of persons' names, as published and corrected."""

import pytest
from ukrainian import LISTS

from textparity.persons.ukrainian_genders import CorrectedNames
from textparity_studies.swapping.genders import PublishedNames
from textparity_studies.swapping.title_parsers import RuleParser

pytest.importorskip("pymorphy3_dicts_uk")


@pytest.fixture(scope="module")
def corrected():
    return CorrectedNames(LISTS).gender


@pytest.fixture(scope="module")
def published():
    return PublishedNames(LISTS, RuleParser()).gender


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        # First names of the lists and of the dictionary, in any case.
        ("Олену", "feminine"),
        ("Сергієві", "masculine"),
        ("Тараса", "masculine"),
        # The surname says which of two it is; alone, a first name is the listed one.
        ("Олександра Петренка", "masculine"),
        ("Олександра Петренко", "feminine"),
        ("Олександра", "feminine"),
        # The locative would make of every Юлії a Юлій, who is listed, too.
        ("Юлії", "feminine"),
        # The surname may come first, or be a first name as well.
        ("Петренко Сергій Іванович", "masculine"),
        ("Олені Бойко", "feminine"),
        ("Бойко Олені", "feminine"),
        ("Олену Северин", "feminine"),
        # A patronymic decides; what looks like one may be a surname.
        ("Джеральдіна Іванівна", "feminine"),
        ("Юлія Янкович", "feminine"),
        ("Юлію Павлович", "feminine"),
        # Surnames alone: as adjectives, or declined as a man's only.
        ("Ковальська", "feminine"),
        ("Т. Ковальської", "feminine"),
        ("Зарванському", "masculine"),
        ("Шевченком", "masculine"),
        ("Тудесянцем", "masculine"),
        ("Комаров", "masculine"),
        # Shared by women and men, or a man's in the genitive; initials; plurals; two persons.
        ("Шевченко", "unknown"),
        ("Ткачук", "unknown"),
        ("Гоголь", "unknown"),
        ("Іванова", "unknown"),
        ("О. П.", "unknown"),
        ("Петренки", "unknown"),
        ("Олена та Сергій Петренки", "unknown"),
        ("", "unknown"),
    ],
)
def test_corrected_gender_of_a_name(corrected, name, gender):
    assert corrected(name) == gender


def test_a_name_in_both_lists_has_no_gender_of_its_own():
    lists = type(LISTS)(LISTS.pairs, LISTS.common, {"Саша": 1.0}, {"Саша": 1.0})
    assert CorrectedNames(lists).gender("Саша") == "unknown"
    assert CorrectedNames(lists).gender("Саша Ковальська") == "feminine"


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("Олена Петренко", "feminine"),
        ("Сергія", "masculine"),
        # The dictionary's first names stand before the lists.
        ("Тарас", "masculine"),
        # Only the first word is looked at, which may be a surname or an initial.
        ("Петренко Олена", "unknown"),
        ("О. Петренко", "unknown"),
        ("О . Петренко", "unknown"),
        # A man in the genitive is a woman's nominative.
        ("Олександра Петренка", "feminine"),
        ("Сергій\nПетренко", "masculine"),
    ],
)
def test_published_gender_of_a_name(published, name, gender):
    assert published(name) == gender
