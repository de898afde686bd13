"""Reading the sentences of WinoMT, and translations in the forms in which systems give them."""

import pytest

from textparity.errors import InputError
from textparity.translating.winomt import Sentence, read_sentences, read_translations

LINES = (
    "female\t1\tThe mechanic called the clerk because she was late.\tmechanic\n"
    "male\t4\tThe mechanic called the clerk because he was late.\tclerk\n"
    "neutral\t0\tSomeone called the clerk.\tsomeone\n"
)
TEXTS = ["Die Mechanikerin rief an.", "Der Mechaniker rief an.", "Jemand rief an."]


@pytest.fixture
def sentences(tmp_path):
    (tmp_path / "all.txt").write_text(LINES)
    (tmp_path / "pro.txt").write_text(LINES.splitlines()[1] + "\n")
    (tmp_path / "anti.txt").write_text(LINES.splitlines()[0] + "\n")
    return read_sentences(*(tmp_path / name for name in ("all.txt", "pro.txt", "anti.txt")))


def test_a_sentence_has_a_gender_a_place_and_a_stereotype(sentences):
    assert [(one.gender, one.stereotype, one.typical) for one in sentences] == [
        ("feminine", "anti", "masculine"),
        ("masculine", "pro", "masculine"),
        ("neutral", "", ""),
    ]
    # The article belongs to the occupation, where there is one.
    assert [one.positions for one in sentences] == [[0, 1], [3, 4], [0]]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("woman\t1\tThe clerk left.\tclerk", "gender (female, male or neutral), position"),
        ("female\tone\tThe clerk left.\tclerk", "gender (female, male or neutral), position"),
        ("female\t1\tThe clerk left.", "gender (female, male or neutral), position"),
        ("female\t3\tThe clerk left.\tclerk", "the sentence has no word at 3"),
    ],
)
def test_a_line_of_another_form_is_named(tmp_path, line, reason):
    (tmp_path / "all.txt").write_text(f"{LINES}{line}\n")
    with pytest.raises(InputError, match=r"all.txt, line 4: ") as error:
        read_sentences(tmp_path / "all.txt")
    assert reason in str(error.value)


def read(tmp_path, lines, sentences):
    path = tmp_path / "output.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return [one.text for one in read_translations(path, sentences)]


def test_translations_stand_alone_or_beside_their_sentences(tmp_path, sentences):
    pairs = [f"{one.text} ||| {text}" for one, text in zip(sentences, TEXTS, strict=True)]
    assert read(tmp_path, TEXTS, sentences) == TEXTS
    assert read(tmp_path, pairs, sentences) == TEXTS
    # In another order, with one twice, and with one left out.
    assert read(tmp_path, [pairs[2], pairs[0], pairs[0], pairs[2]], sentences) == [TEXTS[0], "", TEXTS[2]]


def test_a_line_of_another_sentence_keeps_its_own_source(tmp_path, sentences):
    # The lines are in the order of the sentences but for one, which has another pronoun.
    many = [sentences[0], *sentences[1:] * 10]
    pairs = [f"{one.text} ||| {text}" for one, text in zip(many, [TEXTS[0], *TEXTS[1:] * 10], strict=True)]
    pairs[0] = pairs[0].replace("she", "he")
    (tmp_path / "output.txt").write_text("\n".join(pairs) + "\n")
    found = read_translations(tmp_path / "output.txt", many)
    assert found[0].text == TEXTS[0] and found[0].source != many[0].text
    assert all(one.source == sentence.text for one, sentence in zip(found[1:], many[1:], strict=True))
    # Lines in any other order are found by their sentences alone.
    (tmp_path / "output.txt").write_text("\n".join([pairs[0], *pairs[:0:-1]]) + "\n")
    assert read_translations(tmp_path / "output.txt", many)[0].text == ""


def test_an_empty_translation_is_none(tmp_path, sentences):
    pairs = [f"{one.text} ||| " for one in sentences[:2]] + [f"{sentences[2].text} ||| {TEXTS[2]}"]
    assert read(tmp_path, pairs, sentences) == ["", "", TEXTS[2]]


def test_the_same_sentence_twice_may_have_two_translations(tmp_path, sentences):
    twice = [sentences[0], sentences[0]]
    pairs = [f"{sentences[0].text} ||| {text}" for text in TEXTS[:2]]
    assert read(tmp_path, pairs, twice) == TEXTS[:2]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (TEXTS[:2], "has 2 lines for 3 sentences"),
        (["The clerk left. ||| Sie ging.", "Er ging."], "line 2: has no"),
        (["The clerk left. ||| Sie ging."], "translates none of the sentences"),
        (["", "", ""], "has no translation"),
        (
            [TEXTS[0], "The mechanic called the clerk because he was late.|||Er rief an.", TEXTS[2]],
            "line 2: has the sent",
        ),
    ],
)
def test_translations_of_something_else_are_an_error(tmp_path, sentences, lines, reason):
    with pytest.raises(InputError, match=reason):
        read(tmp_path, lines, sentences)


def test_the_typical_gender_needs_a_set():
    assert Sentence("feminine", 1, "The clerk left.", "clerk").typical == ""
