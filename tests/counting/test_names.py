"""First names of our own table, and the inflected forms of names."""

from collections import Counter
from itertools import chain

import pytest

from textparity.auditing.languages import load_registry
from textparity.counting import CLASSES, GENDERS
from textparity.counting.first_names import (
    FIRST_NAMES,
    first_names,
    inflect,
    is_language,
    read_endings,
    read_name_rows,
)
from textparity.counting.icu_counter import BulkCounter
from textparity.counting.lexicon import COLUMNS, revised_terms
from textparity.counting.name_forms import load_name_forms
from textparity.counting.names import find_mentions
from textparity.counting.terms import Term, TermMatcher, fix_form
from textparity.counting.tokenizers import load_tokenizer
from textparity.errors import TableError

NO_REVISION = "\t".join(COLUMNS) + "\n"


def find(tmp_path, lang, sources, text):
    path = tmp_path / f"{lang}.tsv"
    path.write_text(NO_REVISION, encoding="utf-8")
    matcher = TermMatcher(revised_terms([], path, sources), ("names",))
    return [(match.form, *match.classes) for match in matcher.match([text.lower().split()], text)]


OWN_LISTS = sorted(path.stem for path in FIRST_NAMES.glob("*.tsv") if is_language(path.stem))


# Those with forms are checked with theirs, in test_name_forms.py.
@pytest.mark.parametrize("lang", [lang for lang in OWN_LISTS if load_name_forms(lang) is None])
def test_both_genders_have_as_many_names_and_share_none(lang):
    forms = {name: [] for name in CLASSES}
    for row in read_name_rows(lang):
        forms[row["class"]] += map(fix_form, row["names"].split())
    assert [name for name, count in Counter(chain(*forms.values())).items() if count > 1] == []
    few, many = sorted(len(forms[gender]) for gender in GENDERS)
    assert few >= 50
    assert many <= 1.1 * few


def test_every_own_table_that_a_language_names_is_there():
    for row in load_registry().languages.values():
        first_names(row.lang, row.first_names.split())


def test_a_language_without_names_is_named():
    with pytest.raises(TableError, match="has no names of 'xyz'"):
        first_names("xyz", ["xyz"])


@pytest.mark.parametrize(
    ("lang", "sources", "text", "found"),
    [
        # Without capitals, with a case ending, and with a vowel that the ending replaces.
        ("hin", "hin", "राष्ट्रपति डोनाल्ड और क्रिस्टीन", [("डोनाल्ड", "masculine"), ("क्रिस्टीन", "feminine")]),
        ("kat", "kat", "დონალდმა და თერეზამ და ტერეზამ", [("დონალდმა", "masculine"), ("ტერეზამ", "feminine")]),
        ("tam", "tam", "டொனால்டின் , மரியாவை", [("டொனால்டின்", "masculine"), ("மரியாவை", "feminine")]),
        # The capital may stand after a prefix, but must be there.
        ("zul", "zul en_US", "uDonald , noChristine udonald", [("udonald", "masculine"), ("nochristine", "feminine")]),
        ("uzn", "uzn", "Donaldning , Terezaga donald", [("donaldning", "masculine"), ("terezaga", "feminine")]),
    ],
)
def test_names_are_found_as_the_language_writes_them(tmp_path, lang, sources, text, found):
    assert find(tmp_path, lang, sources, text) == found


def count_names(lang, sources, texts, tmp_path):
    """Count the names of texts by gender, with ICU and both ways of matching."""
    path = tmp_path / f"{lang}.tsv"
    path.write_text(NO_REVISION, encoding="utf-8")
    matcher = TermMatcher(revised_terms([], path, sources), ("names",))
    tokenizer = load_tokenizer(load_registry().tokenizer(lang, "icu"))
    found, whole = BulkCounter(tokenizer, None, False, {"revised": matcher}).count(texts)
    assert not whole
    one_by_one = [
        [mention.match for mention in find_mentions(matcher, cut, text)]
        for cut, text in zip(tokenizer.cut(texts), texts, strict=True)
    ]
    assert found["revised"].matches == {number: of_text for number, of_text in enumerate(one_by_one) if of_text}
    return [Counter(name for match in of_text for name in match.classes) for of_text in one_by_one]


FEMININE, MASCULINE = Counter(["feminine"]), Counter(["masculine"])


@pytest.mark.parametrize(
    ("lang", "sources", "thing", "person"),
    [
        ("eng", "en_US", "{} County was hit.", "{} was hit."),
        ("eng", "en_US", "They left St. {} early.", "They left. {} was early."),
        ("deu", "de_DE", "Der Hurrikan {} kam.", "Die Kollegin {} kam."),
        ("fra", "fr_FR", "L'ouragan {} approche.", "Le ministre {} approche."),
        ("spa", "es_ES", "El huracán {} llega.", "El sargento {} llega."),
        ("pol", "pl_PL", "Nad huraganem {} latano.", "Minister {} czeka."),
        ("tur", "tr_TR", "Dün {} kasırgası vurdu.", "Dün {} geldi."),
        ("rus", "ru_RU", "Здесь ураган {} прошел.", "Здесь министр {} прошел."),
    ],
)
def test_a_thing_is_no_person_whatever_the_gender_of_its_name(tmp_path, lang, sources, thing, person):
    women = [term.form for term in first_names(lang, [sources]) if term.gender_class == "feminine"]
    men = [term.form for term in first_names(lang, [sources]) if term.gender_class == "masculine"]
    for names, gender in ((women, FEMININE), (men, MASCULINE)):
        name = names[len(names) // 2].title()
        assert count_names(lang, sources, [thing.format(name), person.format(name)], tmp_path) == [Counter(), gender]


@pytest.mark.parametrize("lang", ["ben", "ckb", "kan", "kat", "khk", "kir", "mar", "tam", "tel", "uzn", "zul"])
def test_both_genders_are_inflected_alike(lang):
    stem = "ab"
    assert read_endings(lang)
    for end in ("", *{end for rule in read_endings(lang) for end in rule.ends}):
        forms = {
            gender: {term.form for term in inflect([Term(stem + end, gender, "names")], lang)} for gender in GENDERS
        }
        assert forms["feminine"] == forms["masculine"] != set()


def test_an_inflected_form_gives_way_to_other_words():
    terms = [Term("bola", "unspecified"), Term("bolaga", "unspecified"), Term("olimpia", "feminine", "names")]
    terms += [Term("ali", "masculine", "names"), Term("alida", "feminine", "names")]
    found = {(term.form, term.gender_class) for term in inflect(terms, "uzn")}
    assert ("olimpiada", "feminine") in found
    # Nouns are not inflected; a name that is written as another's inflected form stays what it is.
    assert not {form for form, _ in found} & {"bolaning", "bolaga", "alida"}


def test_a_form_of_two_classes_is_left_out():
    terms = [Term("dona", "feminine", "names"), Term("donalar", "masculine", "names")]
    forms = {term.form for term in inflect(terms, "uzn")}
    # "dona" with "larning", and "donalar" with "ning".
    assert "donalarning" not in forms
    assert {"donaning", "donalarga"} <= forms
