"""Mentions of persons: what every method finds in a text, and what annotators marked in it."""

from dataclasses import dataclass

# The methods that find them (`textparity.persons.methods`).
PUBLISHED_LEXICON, NOUNS, PRONOUNS, WORDS, PERSONS = ("published_lexicon", "nouns", "pronouns", "words", "persons")
KINDS = ("pronoun", "noun", "name")
FEMININE, MASCULINE, UNSPECIFIED, INCLUSIVE = "feminine", "masculine", "unspecified", "inclusive"
GENDERS = (FEMININE, MASCULINE, UNSPECIFIED, INCLUSIVE)


@dataclass(frozen=True)
class Mention:
    """Characters `start` to `end` (not with it) of a text that mention a person, or several.

    `kind` and `gender` are of `KINDS` and `GENDERS`; mentions of one document with the same `entity` are of the same
    person; `evidence` says what told the gender.
    """

    start: int
    end: int
    text: str
    kind: str
    gender: str
    entity: int
    evidence: str = ""
