"""What the method `persons` knows of a language: rows of `resources/persons/`."""

from dataclasses import dataclass
from pathlib import Path

from textparity.errors import TableError
from textparity.persons.mentions import FEMININE, MASCULINE
from textparity.tsv import read_tsv

PRONOUN_COLUMNS = ("lang", "form", "gender", "role")
WORD_COLUMNS = ("lang", "kind", "word", "gender")
ANY = "any"
ROLES = ("personal", "possessive", "reflexive", "relative", "demonstrative", "object", "either", "joint possessive")
# What the words are for. Nouns: `article`, `marker` (female) and `feminine_ending` tell gender, `epicene` and
# `epicene_ending` are of any; `person` and `person_ending` are persons, `no_person` is none whatever a list says.
# Names: `title_of` may stand before of and a name, `before_place` before a place. Pronouns: `clitic` stands between
# subject and verb, `clause_verb` has a clause for its object, `relative` follows celui; the rest is for il.
KINDS = (
    "article",
    "before_place",
    "clause_verb",
    "clitic",
    "epicene",
    "epicene_ending",
    "feminine_ending",
    "impersonal",
    "impersonal_be",
    "impersonal_state",
    "impersonal_that",
    "marker",
    "no_person",
    "no_person_after",
    "person",
    "person_ending",
    "relative",
    "that",
    "there_is",
    "title_of",
)


@dataclass(frozen=True)
class Rules:
    """The rows of a language, forms in lower case; `pronouns` maps a form to its gender (or `any`) and role."""

    pronouns: dict[str, tuple[str, str]]
    words: dict[str, dict[str, str]]

    def of_kind(self, kind: str) -> dict[str, str]:
        """Return the words of a kind with their gender (an empty string for most)."""
        return self.words.get(kind, {})

    @property
    def feminine_endings(self) -> dict[str, str]:
        """The masculine endings of nouns with their feminine ones (rows like `er>ère`)."""
        return dict(word.split(">") for word in self.of_kind("feminine_ending"))


def read_rules(pronouns: Path, words: Path, lang: str) -> Rules:
    """Read the rows of a language; `TableError` names the file and line of a wrong one."""
    found: dict[str, tuple[str, str]] = {}
    for line, row in enumerate(read_tsv(pronouns, PRONOUN_COLUMNS), start=2):
        if row["gender"] not in (FEMININE, MASCULINE, ANY) or row["role"] not in ROLES:
            raise TableError(
                f"{pronouns}, line {line}: {row['form']!r} has gender {row['gender']!r}, role {row['role']!r}"
            )
        if row["lang"] == lang:
            found[row["form"]] = row["gender"], row["role"]
    of_kind: dict[str, dict[str, str]] = {}
    for line, row in enumerate(read_tsv(words, WORD_COLUMNS), start=2):
        if row["gender"] not in (FEMININE, MASCULINE, "") or row["kind"] not in KINDS:
            raise TableError(
                f"{words}, line {line}: {row['word']!r} has kind {row['kind']!r}, gender {row['gender']!r}"
            )
        if row["kind"] == "feminine_ending" and row["word"].count(">") != 1:
            raise TableError(f"{words}, line {line}: {row['word']!r} must be a masculine ending > a feminine one")
        if row["lang"] == lang:
            of_kind.setdefault(row["kind"], {})[row["word"]] = row["gender"]
    return Rules(found, of_kind)
