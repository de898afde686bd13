"""Marks of a text are what its audit counts."""

from collections import Counter

import pytest

import textparity
from textparity.auditing import tallying
from textparity.auditing.settings import AuditSettings
from textparity.errors import InputError
from textparity.measures.terms import CLASSES
from textparity.persons.mentions import Mention
from textparity.serving.marking import LONGEST_TEXT, mark_text

DEMO = AuditSettings(lexicon="demo")


def shown(marked):
    """The texts as their pieces join to, with the matches."""
    return ["".join(piece.text for piece in text.pieces) for text in marked.texts], [
        (piece.text, *piece.classes) for text in marked.texts for piece in text.pieces if piece.classes
    ]


@pytest.mark.parametrize("lang", ["arb", "cmn", "deu", "eng", "rus", "spa"])
def test_the_counts_are_those_of_an_audit_of_the_file_and_each_match_is_marked(repository, lang):
    path = repository / "resources" / "demo" / "texts" / f"{lang}.txt"
    marked = mark_text(path.read_text("utf-8"), lang, DEMO)
    counted, expected = marked.result.to_frame(), textparity.audit_files([path], lang, lexicon="demo").to_frame()
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


def test_paragraphs_and_what_a_terminal_would_obey(repository):
    text = "A woman\nand a man.\r\n\r\nA \u202ewoman\x1b.\n"
    marked = mark_text(text, "eng", AuditSettings(lexicon="demo", text_unit="paragraph"))
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

    monkeypatch.setattr(tallying, "load_finder", lambda settings, lang: Finder())
    marked = mark_text("Die A\u0308rztin + Ute.", "deu", AuditSettings(method="persons", lexicon="demo"))
    assert shown(marked)[1] == [("A\u0308rztin", "feminine"), ("Ute", "unspecified")]
    assert marked.unmarked == 1
    assert marked.result["deu"].row["masculine"] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" \n\t", "there is no text; paste one"),
        ("A\0woman", "has a NUL byte, so it is no plain text"),
        ("a" * (LONGEST_TEXT + 1), r"has 1,048,577 characters, and this page takes 1,048,576; textparity audit takes"),
    ],
)
def test_what_is_no_text_is_said(text, said):
    with pytest.raises(InputError, match=said):
        mark_text(text, "eng", DEMO)
