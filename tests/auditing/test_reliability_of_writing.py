"""Texts in another script than that of their language, or in letters that it hardly has, are doubted."""

import pytest
from lexicons import NOUNS

from textparity.auditing.audit import audit, audit_files
from textparity.auditing.languages import load_registry
from textparity.auditing.reliability import LARGEST_OTHER_SCRIPT, count_writing, warn_about_writing

ANOTHER_SCRIPT, UNKNOWN_LETTERS = "not in the script", "letters do not occur"
RUSSIAN = frozenset("абвгдежзийклмнопрстуфхцчшщъыьэюя")
SERBIAN = "Њена мајка је рекла да ће доћи кући и да још није јавила људима ђачке вести."


def doubts(lang, texts, known=frozenset()):
    return " ".join(warn_about_writing(lang, count_writing(lang, known, texts)))


@pytest.mark.parametrize(
    ("lang", "own", "other"),
    [
        ("cmn", "父亲母亲妈妈儿子女儿爷爷她们", "父親母親媽媽兒子女兒爺爺她們"),
        ("yue", "父親母親媽媽兒子女兒爺爺", "父亲母亲妈妈儿子女儿爷爷"),
        ("rus", "Моя мать сказала мне", "Moya mat skazala mne"),
        ("bul", "Моята майка каза", "Moyata mayka kaza"),
        ("hin", "मेरी माँ ने कहा", "meri maan ne kaha"),
        ("arb", "قالت أمي", "qalat ummi"),
        ("jpn", "母が言った", "haha ga itta"),
        ("uzn", "Onam aytdi", "Онам айтди"),
        ("eng", "My mother said", "Май мазер сед"),
    ],
)
def test_another_script_is_doubted(lang, own, other):
    assert doubts(lang, [own] * 10) == ""
    assert ANOTHER_SCRIPT in doubts(lang, [other] * 10)
    few = int(LARGEST_OTHER_SCRIPT * 10)
    assert doubts(lang, [own] * (10 - few) + [other] * few) == ""


@pytest.mark.parametrize("row", load_registry().languages.values(), ids=lambda row: row.lang)
def test_signs_and_digits_are_in_no_script(row):
    assert doubts(row.lang, ["1984!", "", "– ? –"] * 10) == ""


def test_letters_that_the_lists_lack_are_doubted():
    assert UNKNOWN_LETTERS in doubts("rus", [SERBIAN] * 10, RUSSIAN)
    assert doubts("rus", ["Она сказала, что придет домой. "] * 10, RUSSIAN) == ""
    # English words in a Russian text are no Russian letters.
    assert doubts("rus", ["Она купила себе новый iPhone и принесла его домой. "] * 10, RUSSIAN) == ""


@pytest.mark.parametrize("text", ["ёлка Ёж", "сло\u0301во"])
def test_other_ways_of_writing_a_letter_are_known(text):
    assert doubts("rus", [text] * 50, RUSSIAN) == ""


def test_few_letters_and_few_words_say_nothing():
    assert doubts("rus", [SERBIAN], RUSSIAN) == ""
    assert doubts("rus", [SERBIAN] * 10, frozenset("мать")) == ""


def test_a_warning_is_the_same_for_any_layout_and_number_of_jobs(tmp_path):
    texts = ["Моя мать сказала.", "My mother said.", "Her sister said."] * 8
    whole = tmp_path / "whole.txt"
    whole.write_text("\n".join(texts), "utf-8")
    shards = [tmp_path / "1.txt", tmp_path / "2.txt"]
    for path, some in zip(shards, (texts[:5], texts[5:]), strict=True):
        path.write_text("\n".join(some), "utf-8")
    results = [
        audit_files([whole], "eng", lexicon_folder=NOUNS),
        audit_files(shards, "eng", lexicon_folder=NOUNS),
        audit_files(shards, "eng", lexicon_folder=NOUNS, jobs=2),
        audit(texts, "eng", lexicon_folder=NOUNS),
    ]
    (warning,) = {result["eng"].warnings for result in results}
    assert f"8 of 24 texts are {ANOTHER_SCRIPT} of English" in warning[0]
