"""The language of a web document: its header, else an identifier, checked against the script."""

import pytest

from textparity.corpora.content_language import LanguageChooser, has_script, identify_middle
from textparity_studies.workflow.config import Tables
from textparity_studies.workflow.registry import StudyRegistry

SPANISH = "La alcaldesa y los vecinos hablaron ayer con los periodistas sobre el puente nuevo. " * 5
SIMPLIFIED = "这个学校的学生们在图书馆里学习汉语和历史，老师说他们进步很快。" * 5
TRADITIONAL = "這個學校的學生們在圖書館裡學習漢語和歷史，老師說他們進步很快。" * 5
JAPANESE = "この学校の生徒は図書館で歴史を勉強しています。" * 5
ARABIC = "اجتمعت المعلمات مع أولياء الأمور في المدرسة يوم الاثنين." * 5


@pytest.fixture(scope="module")
def choose(repository):
    rows = StudyRegistry(Tables().model_dump(), repository).languages.values()
    codes = {code: row.lang for row in rows for code in (row.lang, row.icu_locale)}
    table = repository / "resources" / "registry" / "content_languages.tsv"
    chooser = LanguageChooser(codes, {row.lang: row.script for row in rows}, table)

    def choose(header, text):
        choice = chooser.choose(header, text)
        return choice.lang or choice.reason, choice.source

    return choose


@pytest.mark.parametrize(
    ("header", "text", "lang"),
    [
        ("spa", SPANISH, "spa"),
        ("spa,eng", SPANISH, "spa"),
        # One code for several of ours, and for more than ours.
        ("zho", SIMPLIFIED, "cmn"),
        ("zho", TRADITIONAL, "cmn in another script"),
        ("yue", TRADITIONAL, "yue"),
        ("ara", ARABIC, "arb"),
        ("fas", ARABIC, "pes"),
        ("kur", ARABIC, "ckb"),
        ("kur", SPANISH, "ckb in another script"),
        ("lav", SPANISH, "lvs"),
        # Neighbours of ours that are not ours.
        ("msa", SPANISH, "another language"),
        ("nor", SPANISH, "another language"),
        ("jpn", JAPANESE, "jpn"),
        ("jpn", SIMPLIFIED, "jpn in another script"),
    ],
)
def test_the_header_is_taken_where_it_fits_the_script(choose, header, text, lang):
    assert choose(header, text) == (lang, "header")


@pytest.mark.parametrize(
    ("text", "lang"), [(SPANISH, "spa"), (SIMPLIFIED, "cmn"), (JAPANESE, "jpn"), ("12 : 30", "no letters")]
)
def test_without_a_header_the_identifier_decides(choose, text, lang):
    assert choose("", text) == (lang, "identifier")


def test_the_identifier_looks_past_what_comes_first():
    code, certainty = identify_middle("Home\nLogin\nSearch\n" + SPANISH * 10)
    assert code == "es"
    assert 0.5 < certainty <= 1
    assert identify_middle(" \n ") == ("", 0)


def test_a_text_without_letters_has_no_script():
    assert not has_script("1234 !", "Latn")
    assert has_script("Straße 5", "Latn")
    assert not has_script("улица и дом street", "Latn")
