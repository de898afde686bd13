"""Mentions of persons: the form in which every method reports them, and annotators mark them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from textparity.counting import GROUPS, NEITHER, UNKNOWN

# The methods of an audit, from the one that sees most (`textparity.auditing.settings`).
PERSONS, WORDS, NOUNS, PUBLISHED = METHODS = ("persons", "words", "nouns", "published")
# Baselines that only the study `instruments` compares with them (`textparity.persons.methods`).
PUBLISHED_LEXICON, PRONOUNS = "published_lexicon", "pronouns"
# What an audit counts: each mention, each person once per document, or of these only who is quoted.
MENTIONS, PEOPLE, SPEAKERS = UNITS_COUNTED = ("mentions", "people", "speakers")
# Within what people with the same full name are one person.
IN_DOCUMENT, IN_CORPUS = SAME_NAMES = ("document", "corpus")
KINDS = ("pronoun", "noun", "name")
FEMININE, MASCULINE, UNSPECIFIED, INCLUSIVE = "feminine", "masculine", "unspecified", "inclusive"
GENDERS = (FEMININE, MASCULINE, UNSPECIFIED, INCLUSIVE)


@dataclass(frozen=True, order=True)
class Measured:
    """A method and what it counts, one of `UNITS_COUNTED`: what the study `instruments` measures."""

    method: str
    count: str = MENTIONS


@dataclass(frozen=True)
class Mention:
    """Characters `start` to `end` (exclusive) of a text that mention one or more persons.

    `kind` is one of `KINDS`, and `gender` one of `GENDERS`. Mentions in one document with the same `entity` refer to
    the same person. `evidence` names the source of the gender. With `is_group`, it mentions several persons together.
    `untitled` is a name without its titles; it is empty for a method that does not separate them. With `is_neither`,
    the text calls the person neither woman nor man.
    """

    start: int
    end: int
    text: str
    kind: str
    gender: str
    entity: int
    evidence: str = ""
    is_group: bool = False
    untitled: str = ""
    is_neither: bool = field(default=False, kw_only=True)

    @property
    def unspecified_as(self) -> str:
        """Which part of the unspecified mentions it is, one of `SPLIT`. Empty if it shows a gender."""
        if self.gender in (FEMININE, MASCULINE):
            return ""
        if self.is_neither:
            return NEITHER
        if INCLUSIVE in (self.gender, self.evidence):
            return INCLUSIVE
        return GROUPS if self.is_group else UNKNOWN


class Method(Protocol):
    """A method that finds mentions of persons in texts."""

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Find the mentions of each text, in text order. Positions count characters of the text in NFC."""


def is_same_first_name(name: str, other: str) -> bool:
    """Check whether two first names may be one person's: they are equal, or one is the other's initial."""
    without_stops = (name.rstrip("."), other.rstrip("."))
    short, long = sorted(without_stops, key=len)
    return short == long or (len(short) == 1 and long.startswith(short))
