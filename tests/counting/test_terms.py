"""Terms of a lexicon, their contexts and layers, in texts that are cut by ICU."""

from unicodedata import normalize

import pytest

from textparity.counting.terms import LAYERS, PAIRED, Layout, Term, TermMatcher, read_context
from textparity.counting.tokenizers import IcuTokenizer


def found(text, *terms, layers=LAYERS, locale="en"):
    text = normalize("NFC", text)
    (sentences,) = IcuTokenizer(locale).cut([text])
    return [(match.form, *match.classes) for match in TermMatcher(terms, layers).match(sentences, text)]


@pytest.mark.parametrize(
    ("text", "term", "forms"),
    [
        ("A man read the man page.", Term("man", "masculine", context="not before page pages"), ["man"]),
        ("Видят друг друга.", Term("друг", "masculine", context="not before друг*"), []),
        ("Старый друг здесь.", Term("друг", "masculine", context="not before друг*"), ["друг"]),
        ("Un tipo de queso y un tipo raro.", Term("tipo", "masculine", context="after un; not before de"), ["tipo"]),
        ("El periodista y la periodista.", Term("periodista", "feminine", context="after la una"), ["periodista"]),
        ("Signore, ascolti la signora.", Term("signore", "masculine", context="after ^"), ["signore"]),
        ("Le signore ascoltano.", Term("signore", "masculine", context="after ^"), []),
        ("He left.", Term("left", "unspecified", context="before $"), []),
        ("He has left", Term("left", "unspecified", context="before $"), ["left"]),
        ("Will will meet Mark.", Term("will", "masculine", "names", "capitalised"), ["will"]),
        ("She will.", Term("will", "masculine", "names", "capitalised"), []),
        ("Sie ist da, sie sind da.", Term("sie", "feminine", "pronouns", "before *st"), ["sie"]),
    ],
)
def test_a_form_counts_in_its_context_alone(text, term, forms):
    assert [form for form, *_ in found(text, term)] == forms


def test_a_context_decides_the_class_and_what_has_none_is_left():
    terms = [
        Term("periodista", "feminine", context="after la una"),
        Term("periodista", "masculine", context="after el un"),
        Term("periodista", "unspecified"),
    ]
    text = "La periodista, el periodista y otra periodista."
    assert found(text, *terms) == [("periodista", name) for name in ("feminine", "masculine", "unspecified")]


def test_a_capital_is_seen_where_lower_case_has_more_letters():
    # "İ" is two letters in lower case.
    assert found("İİ Deniz gördü, deniz mavi.", Term("deniz", "feminine", "names", "capitalised"), locale="tr") == [
        ("deniz", "feminine")
    ]


@pytest.mark.parametrize(
    ("text", "form", "times"),
    [
        ("Act or die, said the factory.", "actor", 0),
        ("Grand-mère est là.", "grand-mère", 1),
        ("Grand - mère, ma grand-mère.", "grand-mère", 1),
        ("The police\n  officer and the police, officer.", "police officer", 1),
        ("Počet žen a mužů. Žena je tu.", "žena", 1),
        ("İİ Police Officer", "police officer", 1),
    ],
)
def test_a_form_of_several_tokens_counts_where_the_text_has_its_letters(text, form, times):
    assert len(found(text, Term(form, "unspecified"))) == times


def test_a_token_that_was_changed_has_no_place_and_those_after_it_have_theirs():
    text = "Du chat, la grand-mère parle" + " longtemps" * 9 + " et le chien aussi."
    sentences = [["de", "le", "chat", ",", "la", "grand", "-", "mère", "parle"]]
    assert Layout(text, sentences).places == [-1, -1, 3, 7, 9, 12, 17, 18, 23]
    assert [match.form for match in TermMatcher([Term("grand-mère", "feminine")]).match(sentences, text)] == [
        "grand-mère"
    ]


def test_layers_that_are_not_asked_for_do_not_count():
    terms = [Term("woman", "feminine"), Term("she", "feminine", "pronouns"), Term("mrs", "feminine", "titles")]
    text = "She is a woman, Mrs Doe."
    assert found(text, *terms, layers=["nouns"]) == [("woman", "feminine")]
    assert [form for form, _ in found(text, *terms)] == ["she", "woman", "mrs"]


def test_an_inclusive_form_hides_its_parts_if_it_counts():
    terms = [Term("leser", "masculine"), Term(r"/\w+[*:_]innen\b/", "unspecified", "inclusive")]
    text = "Die Leser*innen und Leser, die Hörer:innen."
    assert found(text, *terms) == [
        ("leser*innen", "unspecified"),
        ("leser", "masculine"),
        ("hörer:innen", "unspecified"),
    ]
    assert found(text, *terms, layers=["nouns"]) == [("leser", "masculine")] * 2


def test_a_pair_of_both_genders_counts_as_its_nouns_if_its_layer_is_not_counted():
    terms = [
        Term("hijos", "masculine"),
        Term("hijas", "feminine"),
        Term("/hijos y hijas/", "unspecified", "inclusive"),
    ]
    assert found("Sus hijos y hijas.", *terms, locale="es") == [("hijos y hijas", "unspecified")]
    assert found("Sus hijos y hijas.", *terms, layers=["nouns"], locale="es") == [
        ("hijos", "masculine"), ("hijas", "feminine"),
    ]  # fmt: skip


def test_two_singulars_that_and_joins_are_two_persons():
    terms = [
        *(Term(form, "feminine") for form in ("chanteuse", "chanteuses")),
        *(Term(form, "masculine") for form in ("chanteur", "chanteurs")),
        Term("/fra/", PAIRED, "inclusive"),
    ]
    assert found("Les chanteuses et chanteurs.", *terms, locale="fr") == [("chanteuses et chanteurs", "unspecified")]
    assert found("Une chanteuse ou un chanteur.", *terms, locale="fr") == [("chanteuse ou un chanteur", "unspecified")]
    assert found("La chanteuse et le chanteur.", *terms, locale="fr") == [
        ("chanteuse", "feminine"), ("chanteur", "masculine"),
    ]  # fmt: skip


def test_in_a_pair_whose_layer_is_not_counted_the_masculine_is_for_men():
    terms = [
        Term("bürgerinnen", "feminine"),
        Term("bürger", "unspecified"),
        Term(r"/\b(?P<one>\w+)innen und (?P=one)\b/", "unspecified", "inclusive"),
    ]
    assert found("Bürgerinnen und Bürger und Bürger", *terms, layers=["nouns"], locale="de") == [
        ("bürgerinnen", "feminine"), ("bürger", "masculine"), ("bürger", "unspecified"),
    ]  # fmt: skip
    # A pair that the lexicon does not have is nobody's.
    assert not found("Hörerinnen und Hörer", *terms, layers=["nouns"], locale="de")


def test_a_form_of_several_words_that_ends_in_an_inclusive_form_is_hidden_too():
    terms = [Term(form, "masculine") for form in ("old man", "he")] + [Term("she", "feminine", "pronouns")]
    assert found("The old s/he.", *terms, Term("old s", "masculine")) == [("s/he", "unspecified")]


def test_an_inclusive_form_within_a_token_is_found_where_that_begins():
    terms = [Term("ami", "masculine"), Term("amie", "feminine")]
    (sentences,) = [[["voici", "l'ami·e"]]]
    matches = TermMatcher(terms, LAYERS).match(sentences, "Voici l'ami·e")
    assert [(match.form, match.start) for match in matches] == [("ami·e", 1)]


def test_a_longer_form_out_of_its_context_leaves_the_shorter():
    terms = [Term("old man", "masculine", context="not before river"), Term("man", "masculine")]
    assert found("An old man at the Old Man River.", *terms) == [("old man", "masculine"), ("man", "masculine")]


@pytest.mark.parametrize("cell", ["before", "near page", "capitalised x", "not", "after el;", "not capitalised y"])
def test_a_context_that_says_nothing_is_refused(cell):
    with pytest.raises(ValueError, match="is not `"):
        read_context(cell)
