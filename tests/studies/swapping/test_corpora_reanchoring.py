"""Where the entities of a line stand in its swapped line."""

import pytest

from textparity_studies.swapping.corpora import (
    CHANGED,
    NO_COUNTERPART,
    OTHER_LENGTH,
    Entity,
    EntityDocument,
    reanchor,
)


def entity(text, words, label="JOB", id_="T1"):
    start = text.index(words)
    return Entity(id_, label, start, start + len(words), words)


def anchored(original, swapped, *entities):
    found, lost = reanchor(original, entities, swapped)
    assert all(swapped[item.start : item.end] == item.text for item in found)
    return [item.text for item in found], [item.reason for item in lost]


@pytest.mark.parametrize(
    ("original", "swapped", "words", "expected"),
    [
        ("Наш лікар прийшов.", "Наша лікарка прийшла.", "лікар", "лікарка"),
        (
            "Це головний лікар міста Луцька.",
            "Це головна лікарка міста Луцька.",
            "головний лікар міста",
            "головна лікарка міста",
        ),
        # White space and words around may differ.
        ("Прийшов , отже , лікар .", "Прийшла, отже, ота лікарка.", "лікар", "лікарка"),
        # A part of a word with a hyphen.
        ("Це поет-символіст.", "Це поетеса-символістка.", "поет", "поетеса"),
        ("Обрали мера міста.", "Обрали пані мер міста.", "мера", "мер"),
    ],
)
def test_titles(original, swapped, words, expected):
    assert anchored(original, swapped, entity(original, words)) == ([expected], [])


def test_names_with_nothing_in_common():
    original, swapped = "Лікар В'ячеслав Коваль прийшов.", "Лікарка Юлія Коваль прийшла."
    assert anchored(original, swapped, entity(original, "В'ячеслав Коваль", "PERS")) == (["Юлія Коваль"], [])


def test_each_of_two_alike_has_its_own_place():
    original, swapped = "Лікар бачив лікаря.", "Лікарка бачила лікарку."
    first, second = entity(original, "Лікар", id_="T1"), entity(original, "лікаря", id_="T2")
    assert anchored(original, swapped, first, second) == (["Лікарка", "лікарку"], [])


def test_other_entities_are_there_word_for_word():
    original = "Лікар працює в спілці лікарів Києва."
    organisation = entity(original, "спілці лікарів Києва", "ORG")
    assert anchored(original, "Лікарка працює в спілці  лікарів Києва.", organisation) == (
        ["спілці  лікарів Києва"],
        [],
    )
    assert anchored(original, "Лікарка працює в спілці лікарок Києва.", organisation) == ([], [CHANGED])


def test_what_is_gone_or_grown_is_told():
    original = "Лікар прийшов о шостій."
    assert anchored(original, "о шостій.", entity(original, "Лікар")) == ([], [NO_COUNTERPART])
    original = "Бачили лікаря міста з дітьми."
    swapped = "Бачили лікарку того самого тихого міста з дітьми."
    assert anchored(original, swapped, entity(original, "лікаря міста")) == ([], [OTHER_LENGTH])


def test_entities_of_a_line_are_cut_at_its_end():
    entities = [Entity("T1", "JOB", 7, 18, "лікар\nміста"), Entity("T2", "LOC", 13, 18, "міста")]
    document = EntityDocument("aa", "s", "train", "Перший лікар\nміста мовчав.", [], entities)
    assert document.line(0) == ("Перший лікар", [Entity("T1", "JOB", 7, 12, "лікар")])
    assert document.line(1) == ("міста мовчав.", [Entity("T2", "LOC", 0, 5, "міста")])
