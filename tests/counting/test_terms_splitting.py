"""Splitting forms are recognised by the forms of both genders; what is only near them is not one."""

import pytest

from textparity.counting.terms import SplittingForms

PAIRS = [
    "he she", "man woman", "men women", "male female", "chairman chairwoman", "actor actress", "mr mrs", "ami amie",
    "amis amies", "directeur directrice", "directeurs directrices", "étudiants étudiantes", "profesor profesora",
    "niño niña", "niños niñas", "kollege kollegin", "kunden kundinnen", "lehrer lehrerinnen", "vriend vriendin",
    "pan pani", "студент студентка", "студентов студенток", "φοιτητης φοιτητρια", "мъж съпруга", "छात्र छात्रा",
    "彼 彼女", "مدرس مدرسة", "dr dra", "widower widow", "boys girls", "boy girl",
]  # fmt: skip
GENDERS = {
    form: frozenset({gender})
    for pair in PAIRS
    for form, gender in zip(pair.split(), ("masculine", "feminine"), strict=True)
} | {
    # Its genitive is the masculine's.
    "małżonka": frozenset({"feminine", "masculine"}),
    "małżonek": frozenset({"masculine"}),
}
SPLIT = """
s/he S/He (s)he S(he) (wo)man wo/men fe/male (fe)male chairman/woman chair(wo)man actor/ress mr/s Mr(s) Mr.(s)
ami·e ami.e ami•e AMI·E ami·e·s ami(e)s amis/es directeur/trice directeur·rice·s directeur(trice) directeurs/-trices
étudiant·e·s étudiant.e.s profesor(a) profesor/a niño/a niña/o niños/as niño(a)s Kolleg(in) Kolleg/in Kolleg:in
Kund(inn)en Lehrer/-innen Lehrer*innen Lehrer_innen LEHRER:INNEN vriend(in) Pan(i) PAN/I студент/ка студент(ка)
студентов/ок ΦΟΙΤΗΤΗΣ/ΤΡΙΑ छात्र/ा छात्र(ा) مدرس/ة مدرس(ة) małżonek/ka widow(er) Dr(a) Dr/a
"""
FORMS = SplittingForms(GENDERS, frozenset({"dr", "dra", "mr", "mrs"}))


@pytest.mark.parametrize("text", SPLIT.split())
def test_a_word_that_names_both_genders(text):
    around = f"l'«{text}»."
    assert [around[start:end] for start, end in FORMS.find(around)] == [text]


def test_in_scripts_without_spaces_the_word_begins_and_ends_where_its_forms_do():
    text = "そこで彼(女)たちは"
    assert [text[start:end] for start, end in FORMS.find(text)] == ["彼(女)"]


@pytest.mark.parametrize(
    "text",
    ["girl(s)", "boy(s)", "he/she", "his/her", "boy/girl", "and/or", "Dr.a", "wo-man", "a (man)", "man.he", "(man)",
     "http://s.he/man", "he:she", "km/h", "s / he", "woman/s", "m/en", "men/s"],
)  # fmt: skip
def test_words_beside_each_other_plurals_and_parts_are_none(text):
    assert not list(FORMS.find(text))
