"""Mentions of persons: what every method finds in a text, and what annotators marked in it."""

from dataclasses import dataclass

# The methods of an audit, those that see most first (`textparity.auditing.settings`).
PERSONS, WORDS, NOUNS, PUBLISHED = METHODS = ("persons", "words", "nouns", "published")
# Baselines that only `instruments` compares with them (`textparity.persons.methods`).
PUBLISHED_LEXICON, PRONOUNS = "published_lexicon", "pronouns"
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
