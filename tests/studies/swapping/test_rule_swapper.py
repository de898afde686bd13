"""Whole sentences through the rule-based swapper; all of them are made up."""

import pytest
from ukrainian_lists import LISTS

pytest.importorskip("pymorphy3_dicts_uk")

from textparity.estimating.seeds import random_generator
from textparity_studies.swapping import rule_swapper
from textparity_studies.swapping.rule_swapper import RuleSwapper
from textparity_studies.swapping.sentences import find_annotations
from textparity_studies.swapping.word_forms import FEMININE, MASCULINE


@pytest.fixture(scope="module")
def swapper():
    return RuleSwapper(LISTS)


@pytest.fixture
def swap(swapper, monkeypatch):
    # So that each sentence has one outcome.
    monkeypatch.setattr(
        rule_swapper, "draw_names", lambda lists, generator: {FEMININE: ("Ірина",), MASCULINE: ("Ігор",)}
    )

    def run(text, *entities):
        annotations = find_annotations(text, list(entities)) if entities else None
        return swapper.swap(text, random_generator(1), annotations).text

    return run


@pytest.mark.parametrize(
    ("one", "other"),
    [("лікар", "лікарка"), ("Лікарка", "Лікар"), ("поет", "поетеса"), ("мер", "пані мер"), ("поетка, поетеса", "поет")],
)
def test_single_words(swap, one, other):
    assert swap(one) == other


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Case and number stay.
        ("Вони розмовляли з лікарем про сина.", "Вони розмовляли з лікаркою про сина."),
        ("Депутати голосували до ночі.", "Депутатки голосували до ночі."),
        ("Зустріли депутаток біля входу.", "Зустріли депутатів біля входу."),
        # Genitive or accusative: by the word before.
        ("Це слова лікаря.", "Це слова лікарки."),
        ("Усі чекали на лікаря.", "Усі чекали на лікарку."),
        ("За рішенням слідчої справу закрили.", "За рішенням слідчого справу закрили."),
        # Adjectives and determiners before it.
        ("Говорили про нового головного лікаря.", "Говорили про нову головну лікарку."),
        # Verbs and predicates of its clause.
        ("Лікар прийшов і сказав правду.", "Лікарка прийшла і сказала правду."),
        ("Вона стала директоркою.", "Він став директором."),
        ("Він був обраний депутатом.", "Вона була обрана депутаткою."),
        # The verb of another subject stays.
        ("Лікар побачив, що дощ пройшов.", "Лікарка побачила, що дощ пройшов."),
        # The relative pronoun, and the verbs of its clause.
        ("Це лікар, який лікував мене.", "Це лікарка, яка лікувала мене."),
        ("Це лікар, якого чекали.", "Це лікарка, яку чекали."),
        # Pronouns.
        ("Лікар забув, де його пальто.", "Лікарка забула, де її пальто."),
        # Her firm's director: hers is the firm.
        ("Фірма має офіс, її директором є лікар.", "Фірма має офіс, її директоркою є лікарка."),
        # Parts of a title.
        ("Прийшов поет-символіст.", "Прийшла поетеса-символістка."),
        # Titles of common gender, and what depends on them.
        ("Суддя прийшов, голова сказав слово.", "Суддя прийшов, голова сказав слово."),
        ("Лунала музика.", "Лунала музика."),
    ],
)
def test_titles_and_what_agrees(swap, text, expected):
    assert swap(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Лікар Петро Левицький мовчав.", "Лікарка Ірина Левицька мовчала."),
        ("Писали лікареві Петру Ковальчуку.", "Писали лікарці Ірині Ковальчук."),
        ("Директоркою є Марія Іванівна Коваль.", "Директором є Ігор Іванович Коваль."),
        # A woman with a masculine title stays, and is called by the feminine one.
        ("Директор Олена Коваль прийшла.", "Директорка Олена Коваль прийшла."),
        # What is named after someone is no person.
        ("Лікар працює в школі імені Петра Левицького.", "Лікарка працює в школі імені Петра Левицького."),
    ],
)
def test_names_by_the_lists(swap, text, expected):
    assert swap(text) == expected


def test_names_far_from_a_title_stay(swap):
    text = "Лікар довго шукав свою стару теку, а потім побачив, що на столі в коридорі сидить Петро."
    assert swap(text).endswith("сидить Петро.")


def test_one_person_has_one_new_name_and_initials_stay(swapper):
    text = "Директор Петро Левицький мовчав, і Петра не чули, бо депутат А. Левицький кричав."
    entities = [("Директор", "JOB"), ("депутат", "JOB")]
    entities += [("Петро Левицький", "PERS"), ("Петра", "PERS"), ("А. Левицький", "PERS")]
    found = swapper.swap(text, random_generator(7), find_annotations(text, entities))
    names = [change.new for change in found.changes if change.text in ("Петро", "Петра")]
    assert len(names) == 2 and names[0] in found.offered[FEMININE] and names[0][:3] == names[1][:3]
    assert "А. Левицька" in found.text


def test_only_annotated_titles_are_swapped(swap):
    text = "Лікар бачив директора."
    assert swap(text, ("директора", "JOB")) == "Лікар бачив директорку."
    assert swap(text, ("Лікар", "PERS")) == text


def test_an_annotated_title_that_the_dictionary_lacks(swap):
    assert swap("Міліціонер спав.", ("Міліціонер", "JOB")) == "Міліціонерка спала."
    assert swap("Міліціонер спав.") == "Міліціонер спав."


def test_the_head_of_an_unknown_title_alone(swap):
    assert swap("Прийшов міліціонер міста.", ("міліціонер міста", "JOB")) == "Прийшла міліціонерка міста."


def test_what_was_swapped_before_makes_no_difference(swapper):
    text = "Лікарка бачила міліціонера."
    alone = RuleSwapper(LISTS).swap(text, random_generator(1))
    other = "Міліціонер спав."
    swapper.swap(other, random_generator(2), find_annotations(other, [("Міліціонер", "JOB")]))
    assert swapper.swap(text, random_generator(1)) == alone


def test_changes_tell_what_was_changed(swapper):
    text = "Лікар мовчав."
    found = swapper.swap(text, random_generator(1))
    assert [(change.text, change.new, change.kind) for change in found.changes] == [
        ("Лікар", "Лікарка", "title"),
        ("мовчав", "мовчала", "agreement"),
    ]
    assert all(text[change.start : change.end] == change.text for change in found.changes)
