"""Gender-inclusive forms and the generic masculine, by the paper's code and corrected."""

import pytest
from annotated import annotate, shipped_lists

from textparity_studies.newsroom.inclusive_language import (
    corrected_flags,
    find_generic_masculines,
    find_inclusive_forms,
    published_flags,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("LehrerInnen kamen", [("inner capital", "LehrerInnen")]),
        ("eine LehrerIn und ein:e ChefIn", [("inner capital", "LehrerIn"), ("inner capital", "ChefIn")]),
        ("LinkedIn in Berlin, LogIn und CheckIn", []),
        ("jede KundIn, die FreundIn", [("inner capital", "KundIn"), ("inner capital", "FreundIn")]),
        ("Lehrer:innen", [("sign", "Lehrer:innen")]),
        ("jede Lehrer*in", [("sign", "Lehrer*in")]),
        ("Kolleg_innen", [("sign", "Kolleg_innen")]),
        ("Freund·innen", [("sign", "Freund·innen")]),
        ("liebe kolleg:innen", [("sign", "kolleg:innen")]),
        ("Angestellte*r und Beamt:n", [("sign", "Angestellte*r"), ("sign", "Beamt:n")]),
        # A capital behind the sign.
        ("Leser*Innen und Lehrer:Innen", [("sign", "Leser*Innen"), ("sign", "Lehrer:Innen")]),
        ("jede Leser_In, Kolleg_Innen", [("sign", "Leser_In"), ("sign", "Kolleg_Innen")]),
        ("Leser/Innen, Lehrer/-In", [("slash", "Leser/Innen"), ("slash", "Lehrer/-In")]),
        ("Lehrer(Innen)", [("slash", "Lehrer(Innen)")]),
        # A colon may end a headline that no space follows.
        ("Unruhe in Berlin:In der Nacht, Freiheit:Innenpolitik", []),
        ("Bundeskanzler:innenamt", []),
        ("Er sagte:in Ordnung", []),
        ("um 12:30 Uhr", []),
        ("Lehrer/innen und Schüler/-innen", [("slash", "Lehrer/innen"), ("slash", "Schüler/-innen")]),
        ("Lehrer(innen)", [("slash", "Lehrer(innen)")]),
        ("Und/oder", []),
        ("Bürgerinnen und Bürger", [("pair", "Bürgerinnen und Bürger")]),
        ("Kolleginnen und liebe Kollegen", [("pair", "Kolleginnen und liebe Kolleg")]),
        ("Bürger oder Bürgerinnen", [("pair", "Bürger oder Bürgerinnen")]),
        ("Studenten und Studentinnen", [("pair", "Studenten und Studentinnen")]),
        ("Lehrerinnen und Schüler", []),
        ("Studierende und Lehrenden", [("participle", "Studierende"), ("participle", "Lehrenden")]),
        ("Mitarbeitende", [("participle", "Mitarbeitende")]),
        ("die fahrenden Züge", []),
        ("Beschäftigte, Jugendliche und Reisende", []),
        ("Die Lehrerinnen kamen", []),
        ("", []),
    ],
)
def test_inclusive_forms_are_found_with_their_kind(text, found):
    assert find_inclusive_forms(text) == found


TEACHERS = "Lehrer - NOUN nsubj 2 Masc.Plur\nkamen kommen VERB root 0"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (TEACHERS, ["Lehrer"]),
        # A compound, in a small letter, without the gender.
        ("Grundschullehrer Grundschullehrer NOUN x 0 Masc.Plur", ["Grundschullehrer"]),
        ("Lehrern Lehrer NOUN x 0 Plur", ["Lehrern"]),
        ("Kollegen Kollege NOUN x 0 Masc.Plur", ["Kollegen"]),
        # One man, women, things, names.
        (TEACHERS.replace("Plur", "Sing"), []),
        (TEACHERS.replace("Masc", "Fem"), []),
        (TEACHERS.replace("Lehrer - NOUN", "Fehler - NOUN"), []),
        (TEACHERS.replace("NOUN", "PROPN"), []),
        # The feminine of the same noun, or an inclusive form of any.
        (f"{TEACHERS}\nLehrerinnen Lehrerin NOUN obj 2 Fem.Plur", []),
        ("Kollegen Kollege NOUN x 0 Masc.Plur\nKolleginnen Kollegin NOUN x 1 Fem.Plur", []),
        (f"{TEACHERS}\nSchülerinnen Schülerin NOUN obj 2 Fem.Plur", ["Lehrer"]),
        ("Schüler:innen - NOUN x 2\nLehrer - NOUN x 0 Masc.Plur", []),
        # Arbeiterinnen are no Mitarbeiterinnen.
        ("Mitarbeiter - NOUN x 0 Masc.Plur\nArbeiterinnen - NOUN x 1 Fem.Plur", ["Mitarbeiter"]),
        ("Arbeiter - NOUN x 0 Masc.Plur\nMitarbeiterinnen - NOUN x 1 Fem.Plur", []),
        ("", []),
    ],
)
def test_generic_masculines_are_plurals_without_a_feminine_form(text, found):
    assert find_generic_masculines(annotate(text), shipped_lists()) == found


@pytest.mark.parametrize(
    ("text", "flags"),
    [(TEACHERS, (False, True)), ("Lehrer:innen - NOUN root 0", (True, False)), ("Ja - INTJ root 0", (False, False))],
)
def test_the_corrected_flags_say_whether_there_are_any(text, flags):
    assert corrected_flags(annotate(text), shipped_lists()) == flags


def nouns(*tokens, rest=""):
    return published_flags(annotate("\n".join(f"{token} - NOUN x 0 {rest}" for token in tokens)))


@pytest.mark.parametrize(
    ("tokens", "flags"),
    [
        (["Beginn", "Gewinn", "Unsinn"], (True, False)),
        (["Beginn", "Gewinn"], (False, False)),
        (["Hause"], (False, True)),
        # Not as they are usually written,
        (["Lehrer:innen", "Lehrer*innen", "Lehrer_innen", "LehrerInnen"], (False, False)),
        # but with a star before a capital;
        (["Lehrer*Innen"] * 3, (True, False)),
        (["Lehrer*Innen"] * 2 + ["Lehrer*In"], (True, False)),
        # an underscore does not end a word, and a parser cuts at a colon.
        (["Lehrer_Innen"] * 3, (False, True)),
        (["Lehrer", "Innen"] * 3, (False, True)),
        (["Lehrerinnen"], (False, True)),
        # Too short, or not capitalised.
        (["Haus", "dinge", "EU-Land"], (False, False)),
        ([], (False, False)),
    ],
)
def test_the_papers_code_flags_words_like_beginn(tokens, flags):
    assert nouns(*tokens) == flags


def test_the_papers_code_passes_over_names_and_other_parts_of_speech():
    assert nouns("Häuser", rest="B-ORG") == (False, False)
    assert published_flags(annotate("Rennen - VERB x 0")) == (False, False)
