"""People: each person once per document, however often they are mentioned."""

from textparity.persons.mentions import Mention
from textparity.persons.people import people_of


def mention(text, kind, gender, entity, is_group=False, untitled=""):
    return Mention(0, len(text), text, kind, gender, entity, is_group=is_group, untitled=untitled)


def test_a_person_counts_once_by_the_gender_of_most_mentions():
    mentions = [
        mention("the doctor", "noun", "unspecified", 3),
        mention("she", "pronoun", "feminine", 3),
        mention("Dr. Koch", "name", "feminine", 3),
        mention("his", "pronoun", "masculine", 3),
        mention("Otto", "name", "masculine", 1),
        mention("Anna Koch", "name", "feminine", 3),
    ]
    people = people_of(mentions)
    assert [(person.name, person.gender, len(person.mentions)) for person in people] == [
        ("Anna Koch", "feminine", 5),
        ("Otto", "masculine", 1),
    ]


def test_somebody_called_by_both_genders_alike_has_none():
    (person,) = people_of([mention("she", "pronoun", "feminine", 0), mention("he", "pronoun", "masculine", 0)])
    assert (person.name, person.gender) == ("she", "unspecified")


def test_a_group_is_no_person_even_if_a_mention_of_it_is_not_marked():
    women = [mention("the two women", "noun", "feminine", 0, is_group=True), mention("who", "pronoun", "feminine", 0)]
    assert people_of([*women, mention("men", "noun", "masculine", 1, is_group=True)]) == []


def test_a_full_name_has_several_words_and_no_title():
    mentions = [mention("President Koch", "name", "feminine", 0, untitled="Koch")]
    (person,) = people_of(mentions)
    assert (person.name, person.full_name) == ("President Koch", "")
    mentions.append(mention("Dr. Anna\nKoch", "name", "feminine", 0, untitled="Anna\nKoch"))
    (person,) = people_of([*mentions, mention("A. Koch", "name", "feminine", 0, untitled="A. Koch")])
    assert person.full_name == "Anna Koch"
