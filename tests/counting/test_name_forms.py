"""The inflected forms of names, and the gender of a form that belongs to women's and men's names."""

from collections import Counter

import pytest

from textparity.auditing.languages import load_registry
from textparity.counting import GENDERS, name_forms
from textparity.counting.first_names import OTHERS, first_names, names_version, read_classes
from textparity.counting.name_forms import (
    KINDS,
    NAME_FORMS,
    OWN,
    genders_of,
    load_name_forms,
    read_evidence_rows,
    read_form_rows,
    reading,
)
from textparity.errors import TableError
from write_name_forms import make_table

LANGUAGES = ("bel", "ces", "ell", "lit", "lvs", "pol", "rus", "slk", "slv", "ukr")
# In these, a woman's name in the nominative is the genitive of a man's.
SLAVIC = {
    "bel": "аляксандра", "ces": "petra", "pol": "stanisława", "rus": "валентина", "slk": "petra", "slv": "andreja",
    "ukr": "олександра",
}  # fmt: skip


def own_names(lang, gender):
    names = set()
    for row in read_form_rows(lang):
        if row["origin"] == OWN and row["gender"] == gender:
            names.update(row["names"].replace("_", " ").split(" "))
    return names


@pytest.mark.parametrize(
    ("lang", "text", "gender"),
    [
        # The name is in brackets. Capitalised words after it belong to the full name.
        ("bel", "[аляксандра] Іванова прыехала", "feminine"),
        ("bel", "сустрэлі дырэктара [аляксандра] Ісачова", "masculine"),
        ("bel", "Яўген Каваленка і [яўгенія] Каваленка", "feminine"),
        ("bel", "парады [аляксандра] Лукашэнкі", "masculine"),
        ("ces", "[jana] Nováková přijela", "feminine"),
        ("ces", "dům [jana] Nováka", "masculine"),
        ("ces", "Včera [pavla] Černá vyhrála", "feminine"),
        ("ces", "bez [pavla] to nejde", "masculine"),
        ("ces", "[petra] řekla dost", "feminine"),
        ("ell", "με τον [φάνη]", "masculine"),
        ("ell", "Η [φανή] ήρθε", "feminine"),
        ("lvs", "[gunta] Bērziņa teica paldies", "feminine"),
        ("lvs", "Guntis Bērziņš un [gunta] Bērziņa", "feminine"),
        ("lvs", "pie [gunta]", "masculine"),
        ("pol", "[aleksandra] Nowak wygrała", "feminine"),
        ("pol", "prezydenta [aleksandra] Kwaśniewskiego", "masculine"),
        ("pol", "słowa [jana] Pawła", "masculine"),
        ("rus", "Директор школы [александра] Кузнецова рассказала", "feminine"),
        ("rus", "Валентин Петров и [валентина] Петрова", "feminine"),
        ("rus", "[валентина] Сергеевна", "feminine"),
        ("rus", "для [валентина] Сергеевича", "masculine"),
        ("rus", "встретил [валентина] Петрова", "masculine"),
        ("rus", "[саша] сказал", "masculine"),
        ("rus", "[саша] сказала", "feminine"),
        ("rus", "и [саша] тоже", ""),
        ("rus", "жена [александра] Иванова приехала", ""),
        ("slk", "[petra] Kováčová", "feminine"),
        ("slk", "Včera [pavla] Čierna vyhrala", "feminine"),
        ("slk", "od [petra] Kováča", "masculine"),
        ("slv", "[andreja] Novak je prišla", "feminine"),
        ("slv", "po besedah [andreja] Novaka", "masculine"),
        ("ukr", "[олександра] Шевченко", "feminine"),
        ("ukr", "Книга [мирослава] Дочинця", "masculine"),
        ("ukr", "від [олександра]", "masculine"),
    ],
)
def test_what_stands_beside_an_ambiguous_form_decides(lang, text, gender):
    forms = load_name_forms(lang)
    before, _, rest = text.partition("[")
    name, _, following = rest.partition("]")
    others, after = [], following.split()
    while after and after[0][0].isupper():
        others.append(after.pop(0).lower())
    assert forms.is_ambiguous(name)
    assert forms.decide(name, others, before.split()[-4:], after[:4]) == gender


@pytest.mark.parametrize("lang", SLAVIC)
def test_no_gender_is_decided_without_evidence(lang):
    forms = load_name_forms(lang)
    assert forms.decide(SLAVIC[lang], [], ["xxx", "xxx"], ["xxx"]) == ""
    assert forms.decide("xxxxx", [], [], []) == ""


@pytest.mark.parametrize("lang", SLAVIC)
def test_the_beginning_of_a_sentence_is_the_nominative_and_a_preposition_is_not(lang):
    forms = load_name_forms(lang)
    of_genitive = [
        word
        for row in read_evidence_rows(lang)
        if row["kind"] == "before" and row["feminine"] == row["masculine"] == "genitive"
        for word in row["words"].split()
    ]
    assert forms.decide(SLAVIC[lang], [], [], []) == "feminine"
    assert {forms.decide(SLAVIC[lang], [], ["xxx", word], []) for word in of_genitive} == {"masculine"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_name_has_its_gender_or_shares_its_form_with_another(lang):
    forms = load_name_forms(lang)
    for gender in GENDERS:
        for name in own_names(lang, gender):
            readings = forms.readings_of(name)
            assert not readings or gender in genders_of(readings) or forms.is_ambiguous(name), name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_women_and_men_have_as_many_names(lang):
    few, many = sorted(len(own_names(lang, gender)) for gender in GENDERS)
    assert few >= 400
    assert many <= 1.25 * few


@pytest.mark.parametrize("lang", LANGUAGES)
def test_terms_are_unspecified_exactly_if_their_form_is_ambiguous(lang):
    forms = load_name_forms(lang)
    terms = first_names(lang, load_registry().languages[lang].first_names.split())
    for term in terms:
        assert (term.gender_class == "unspecified") == forms.is_ambiguous(term.form), term
    assert len(terms) == len(forms.spelled)


def test_a_name_of_the_language_outweighs_the_same_form_of_another_language():
    # *Jana* is a woman in the Czech list. *Ann* is in foreign lists, but no form of it makes *Anna* a man.
    czech = load_name_forms("ces")
    assert genders_of(czech.readings_of("anna")) == {"feminine"}
    # An own inflected form and a name of another language remain ambiguous.
    assert "maria" in read_classes("slv", ["|", "de_DE"])
    assert load_name_forms("slv").is_ambiguous("maria")


@pytest.mark.parametrize(
    ("sources", "name", "gender"),
    [
        ("it_IT | en_US de_DE", "andrea", "masculine"),
        ("cs_CZ | it_IT", "andrea", "feminine"),
        ("| en_US de_DE it_IT", "andrea", "feminine"),
        ("| en_US it_IT", "andrea", "unspecified"),
        ("de_DE", "ada", "feminine"),
        ("de_DE | fr_BE", "lucien", "unspecified"),
        ("fr_BE", "lucien", "masculine"),
    ],
)
def test_the_own_list_decides_before_the_majority_of_others(sources, name, gender):
    assert read_classes("xyz", sources.split())[name] == gender


def test_no_language_has_ada_as_a_man():
    for lang, row in load_registry().languages.items():
        classes = read_classes(lang, row.first_names.split())
        assert classes.get("ada", "feminine") == "feminine", lang


def test_few_names_have_the_opposite_gender_in_a_second_list():
    pytest.importorskip("gender_guesser")
    import compare_names as compare

    for lang in compare.COUNTRIES:
        shared, differences = compare.compare(lang)
        opposite = [name for name in differences if ":u/" not in name]
        assert len(opposite) <= 0.02 * shared, (lang, opposite)


def test_the_table_is_what_its_script_writes():
    assert NAME_FORMS.read_text(encoding="utf-8") == make_table(), "run tools/write_name_forms.py"


@pytest.mark.parametrize(
    ("lang", "name", "gender", "case", "form"),
    [
        ("ces", "pavel", "masculine", "genitive", "pavla"),
        ("ces", "marie", "feminine", "instrumental", "marií"),
        ("ces", "marek", "masculine", "vocative", "marku"),
        ("ell", "γιώργος", "masculine", "accusative", "γιώργο"),
        ("ell", "φάνης", "masculine", "genitive", "φάνη"),
        ("lit", "kęstutis", "masculine", "genitive", "kęstučio"),
        ("lit", "rasa", "feminine", "dative", "rasai"),
        ("lvs", "mārtiņš", "masculine", "genitive", "mārtiņa"),
        ("lvs", "jānis", "masculine", "genitive", "jāņa"),
        ("lvs", "inese", "feminine", "accusative", "inesi"),
        ("pol", "marek", "masculine", "instrumental", "markiem"),
        ("pol", "jaś", "masculine", "genitive", "jasia"),
        ("pol", "olga", "feminine", "dative", "oldze"),
        ("rus", "пётр", "masculine", "genitive", "петра"),
        ("rus", "илья", "masculine", "dative", "илье"),
        ("rus", "коля", "masculine", "vocative", "коль"),
        ("slk", "ján", "masculine", "dative", "jánovi"),
        ("slv", "jože", "masculine", "genitive", "jožeta"),
        ("ukr", "ольга", "feminine", "dative", "ользі"),
        ("ukr", "василь", "masculine", "vocative", "василю"),
        ("bel", "вольга", "feminine", "dative", "вользе"),
        ("bel", "станіслаў", "masculine", "genitive", "станіслава"),
    ],
)
def test_stems_change_as_they_do_in_the_language(lang, name, gender, case, form):
    forms = load_name_forms(lang)
    assert forms.readings_of(name) & reading(gender, "nominative")
    assert forms.readings_of(form) & reading(gender, case)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_word_is_evidence_of_one_kind_once(lang):
    words = Counter()
    for row in read_evidence_rows(lang):
        words.update((row["kind"], word) for word in row["words"].split())
    assert [word for word, count in words.items() if count > 1] == []


def test_a_language_without_a_table_has_no_forms():
    assert load_name_forms("eng") is None
    assert first_names("eng", ["en_US"])


def test_evidence_with_an_unknown_case_is_named(monkeypatch, tmp_path):
    table = tmp_path / "evidence.tsv"
    table.write_text("langs\tkind\twords\tfeminine\tmasculine\tnote\nces\tbefore\tu\tergative\t\t\n", encoding="utf-8")
    monkeypatch.setattr(name_forms, "EVIDENCE", table)
    read_evidence_rows.cache_clear()
    with pytest.raises(TableError, match="'ergative' must list nominative"):
        name_forms._load_evidence("ces")
    read_evidence_rows.cache_clear()


def test_the_version_has_the_forms_and_the_evidence():
    version = names_version("ces", ["ces", OTHERS, "en_US"])
    for row in (*read_form_rows("ces"), *read_evidence_rows("ces")):
        assert repr(sorted(row.items())) in version
    assert {row["kind"] for row in read_evidence_rows("ces")} <= set(KINDS)
