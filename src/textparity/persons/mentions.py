"""Mentions of persons: the form in which every method reports them, and annotators mark them."""

from dataclasses import dataclass

# The methods of an audit, from the one that sees most (`textparity.auditing.settings`).
PERSONS, WORDS, NOUNS, PUBLISHED = METHODS = ("persons", "words", "nouns", "published")
# Baselines that only the study `instruments` compares with them (`textparity.persons.methods`).
PUBLISHED_LEXICON, PRONOUNS = "published_lexicon", "pronouns"
KINDS = ("pronoun", "noun", "name")
FEMININE, MASCULINE, UNSPECIFIED, INCLUSIVE = "feminine", "masculine", "unspecified", "inclusive"
GENDERS = (FEMININE, MASCULINE, UNSPECIFIED, INCLUSIVE)


@dataclass(frozen=True)
class Mention:
    """Characters `start` to `end` (exclusive) of a text that mention one or more persons.

    `kind` is one of `KINDS`, and `gender` one of `GENDERS`. Mentions in one document with the same `entity` refer to
    the same person. `evidence` names the source of the gender.
    """

    start: int
    end: int
    text: str
    kind: str
    gender: str
    entity: int
    evidence: str = ""
