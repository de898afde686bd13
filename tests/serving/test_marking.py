"""Marks of a text are what its audit counts."""

from collections import Counter

import pytest
from lexicons import NOUNS

import textparity
from textparity.auditing import languages
from textparity.auditing.settings import AuditSettings
from textparity.counting import CLASSES
from textparity.errors import InputError
from textparity.persons import methods
from textparity.persons.mentions import Mention
from textparity.serving.marking import LONGEST_TEXT, mark_text

DEMO = AuditSettings(lexicon_folder=NOUNS)


def shown(marked):
    """The texts as their pieces join to, with the matches."""
    return ["".join(piece.text for piece in text.pieces) for text in marked.texts], [
        (piece.text, *piece.classes) for text in marked.texts for piece in text.pieces if piece.classes
    ]


@pytest.mark.parametrize("lang", ["arb", "cmn", "deu", "eng", "rus", "spa"])
def test_the_counts_are_those_of_an_audit_of_the_file_and_each_match_is_marked(repository, lang):
    path = repository / "resources" / "demo" / "texts" / f"{lang}.txt"
    marked = mark_text(path.read_text("utf-8"), lang, DEMO)
    counted, expected = marked.result.to_frame(), textparity.audit_files([path], lang, lexicon_folder=NOUNS).to_frame()
    assert counted.drop(columns="corpus").equals(expected.drop(columns="corpus"))
    texts, marks = shown(marked)
    assert texts == path.read_text("utf-8").splitlines()
    of_class = Counter(name for _, *classes in marks for name in classes)
    assert dict(of_class) == {name: counted[name][0] for name in CLASSES}
    assert marked.unmarked == 0


def test_a_match_of_two_classes_has_one_mark_with_both_letters():
    marked = mark_text("Los hermanos llegaron.", "spa", DEMO)
    (mark,) = [piece for piece in marked.texts[0].pieces if piece.classes]
    assert (mark.text, mark.letters, mark.style, marked.several) == ("hermanos", "m u", "several", 1)
    assert marked.texts[0].lang == "es"


def test_without_a_language_it_is_that_of_the_whole_text():
    spanish = "Una mujer y su hija fueron rescatadas el lunes por la noche.\nHola.\n"
    marked = mark_text(spanish, None, DEMO)
    assert [(item.lang, item.texts, item.detected) for item in marked.result] == [("spa", 2, 2)]
    none = mark_text("zzz 123 qqq", None, DEMO)
    assert none.result.languages == () and none.result.left_out
    assert shown(none) == (["zzz 123 qqq"], []) and none.texts[0].lang == ""


def test_the_language_of_a_short_text_is_said_to_be_a_guess():
    short = mark_text(" Una mujer\n", None, DEMO)
    assert [item.lang for item in short.result] == ["spa"]
    assert short.warnings[0].startswith("Spanish is a guess: in a text of 9 characters")
    sure = "The woman and her two daughters were rescued from the flooded valley on Monday night."
    assert mark_text(sure, None, DEMO).warnings == mark_text("A woman met a man.", "eng", DEMO).warnings == ()


ENGLISH, SPANISH = "The woman met her mother in the old town.", "La mujer encontró a su madre en la ciudad vieja."
GERMAN = "Die Frau traf ihre Mutter in der alten Stadt."


@pytest.mark.parametrize(
    ("text", "settings", "said"),
    [
        ("zzz 123 qqq", {}, "Its language is not clear: choose it above."),
        (f"{ENGLISH}\n{SPANISH}\n{GERMAN}", {}, "It is in several languages: count each by itself"),
        ("אישה פגשה גבר בשוק הישן של העיר", {}, "There is no lexicon for the language that it seems to be in"),
        ("12345 !!!", {}, "It has no words."),
        ("Жінка зустріла чоловіка.", {"lexicon_folder": NOUNS}, "Choose the language above if it is another one."),
        (ENGLISH, {"method": "persons"}, "Choose the method words below, or install what is missing."),
        (ENGLISH, {}, ""),
    ],
)
def test_where_nothing_is_counted_it_says_what_to_do(monkeypatch, text, settings, said):
    monkeypatch.setattr(methods, "find_spec", lambda name: None)
    marked = mark_text(text, None, AuditSettings(**settings))
    assert marked.advice.startswith(said) and bool(marked.advice) is bool(said) is not bool(marked.result.languages)


def test_records_are_doubted_as_in_an_audit():
    (doubt,) = mark_text('{"text": "A woman."}\n{"text": "A man."}\n', "eng", DEMO).warnings
    assert doubt.startswith("its first lines look like JSON") and "this page reads no records" in doubt


def test_paragraphs_and_what_a_terminal_would_obey(repository):
    text = "A woman\nand a man.\r\n\r\nA \u202ewoman\x1b.\n"
    marked = mark_text(text, "eng", AuditSettings(lexicon_folder=NOUNS, text_unit="paragraph"))
    assert marked.result["eng"].texts == 2
    texts, marks = shown(marked)
    assert texts == ["A woman and a man.", "A �woman�."]
    assert [word for word, _ in marks] == ["woman", "man", "woman"]


def test_letters_with_marks_of_their_own_are_marked_as_they_are():
    # Not in NFC: i and its accent apart.
    texts, marks = shown(mark_text("Mi ti\u0301a vino.", "spa", DEMO))
    assert texts == ["Mi ti\u0301a vino."] and marks == [("ti\u0301a", "feminine")]


def test_persons_are_marked_and_what_overlaps_is_said(monkeypatch):
    def mention(start, end, gender):
        return Mention(start, end, "x", "noun", gender, 0)

    class Finder:
        def find(self, texts):
            # Places of the text in NFC; two mentions overlap.
            yield from ([mention(4, 10, "feminine"), mention(6, 10, "masculine"), mention(13, 16, "inclusive")],)

    monkeypatch.setattr(languages, "load_finder", lambda settings, lang: Finder())
    marked = mark_text("Die A\u0308rztin + Ute.", "deu", AuditSettings(method="persons"))
    assert shown(marked)[1] == [("A\u0308rztin", "feminine"), ("Ute", "unspecified")]
    assert marked.unmarked == 1
    assert marked.result["deu"].matches["masculine"] == 1


def test_line_ends_of_a_form_are_one_character_each():
    line = "A man and some words after it."
    lines = [line] * (LONGEST_TEXT // (len(line) + 1))
    assert mark_text("\r\n".join(lines), "eng", DEMO).result.texts == len(lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" \n\t", "there is no text; paste one"),
        ("A\0woman", "has a NUL byte, so it is not plain text"),
        ("a" * (LONGEST_TEXT + 1), r"has 1,048,577 characters, and this page takes 1,048,576; textparity audit takes"),
    ],
)
def test_what_is_no_text_is_said(text, said):
    with pytest.raises(InputError, match=said):
        mark_text(text, "eng", DEMO)
