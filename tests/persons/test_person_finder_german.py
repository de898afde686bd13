"""German by the rules of actors, on small documents whose parse is written by hand."""

import pytest

pytest.importorskip("spacy")

import spacy
from spacy.tokens import Doc

from textparity.counting.terms import LAYERS, Term, TermMatcher
from textparity.persons.actor_languages import load_word_lists
from textparity.persons.person_finder import PersonFinder
from textparity.persons.rules import read_rules

VOCAB = spacy.blank("de").vocab
MASCULINE, FEMININE, PLURAL = "Gender=Masc|Number=Sing", "Gender=Fem|Number=Sing", "Gender=Masc|Number=Plur"


@pytest.fixture
def find(repository):
    """Return text, kind, gender, entity of what is found; a word is form, POS, relation, head, morphology, label."""

    def run(*words):
        lists = repository / "resources" / "newsroom" / "word_lists"
        names = {"generic_persons": "tsv", "titles": "tsv", "speech_verbs": "txt", "quotation_verbs": "txt"}
        files = {name: lists / f"{name}_deu.{ending}" for name, ending in names.items()}
        folder = repository / "resources" / "persons"
        rules = read_rules(folder / "pronouns.tsv", folder / "words.tsv", "deu", folder / "places.tsv")
        finder = PersonFinder(
            rules,
            TermMatcher([Term("frau", "feminine", "nouns")], LAYERS),
            frozenset({"schreiner", "schreinerin"}),
            actor_words=load_word_lists(**files, lang="deu"),
        )
        rows = [(*word, *[""] * 6)[:6] for word in words]
        doc = Doc(
            VOCAB,
            words=[row[0] for row in rows],
            pos=[row[1] for row in rows],
            deps=[row[2] for row in rows],
            heads=[int(row[3]) for row in rows],
            morphs=[row[4] for row in rows],
            ents=[row[5] for row in rows],
            lemmas=[row[0] for row in rows],
            sent_starts=[number == 0 or rows[number - 1][0] == "." for number in range(len(rows))],
        )
        found = finder.find(doc)
        assert all(doc.text[one.start : one.end] == one.text for one in found)
        return [(one.text, one.kind, one.gender, one.entity) for one in found]

    return run


def test_a_name_begins_with_its_nouns_and_has_their_gender_and_a_pronoun_is_of_the_same_person(find):
    assert find(
        ("Die", "DET", "det", 1), ("Schreinerin", "NOUN", "nsubj", 4, FEMININE),
        ("Kim", "PROPN", "appos", 1, "", "B-PER"), ("Koch", "PROPN", "flat", 2, "", "I-PER"),
        ("kam", "VERB", "ROOT", 4, "VerbForm=Fin|Number=Sing"), (".", "PUNCT", "punct", 4),
        ("Ihr", "DET", "det", 7), ("Hund", "NOUN", "nsubj", 8, MASCULINE),
        ("schlief", "VERB", "ROOT", 8, "VerbForm=Fin|Number=Sing"), (".", "PUNCT", "punct", 8),
    ) == [("Schreinerin Kim Koch", "name", "feminine", 0), ("Ihr", "pronoun", "feminine", 0)]  # fmt: skip


def test_a_masculine_plural_is_for_anyone_and_women_are_told_by_the_ending(find):
    assert find(
        ("Schreiner", "NOUN", "nsubj", 3, PLURAL), ("und", "CCONJ", "cc", 2),
        ("Mechanikerinnen", "NOUN", "conj", 0, "Gender=Fem|Number=Plur"),
        ("kamen", "VERB", "ROOT", 3, "VerbForm=Fin|Number=Plur"), (".", "PUNCT", "punct", 3),
    ) == [("Schreiner", "noun", "unspecified", 0), ("Mechanikerinnen", "noun", "feminine", 1)]  # fmt: skip


def test_a_pronoun_without_a_person_is_of_a_new_one_unless_a_thing_may_be_meant(find):
    came = ("kam", "VERB", "ROOT", 1, "VerbForm=Fin|Number=Sing")
    assert find(("Er", "PRON", "nsubj", 1, MASCULINE), came) == [("Er", "pronoun", "masculine", 0)]
    thing = [("Der", "DET", "det", 1), ("Wagen", "NOUN", "nsubj", 2, MASCULINE)]
    parked = [("hielt", "VERB", "ROOT", 2, "VerbForm=Fin|Number=Sing"), (".", "PUNCT", "punct", 2)]
    again = ("kam", "VERB", "ROOT", 5, "VerbForm=Fin|Number=Sing")
    assert find(*thing, *parked, ("Er", "PRON", "nsubj", 5, MASCULINE), again) == []
    # The same with another gender of the thing.
    thing[1] = ("Kutsche", "NOUN", "nsubj", 2, FEMININE)
    assert find(*thing, *parked, ("Er", "PRON", "nsubj", 5, MASCULINE), again) == [("Er", "pronoun", "masculine", 0)]
