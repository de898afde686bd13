"""Read the rules of a language for the method `persons`: rows of `resources/persons/`."""

from dataclasses import dataclass
from pathlib import Path

from textparity.errors import TableError
from textparity.persons.mentions import FEMININE, MASCULINE
from textparity.tsv import read_tsv

PRONOUN_COLUMNS = ("lang", "form", "gender", "role")
WORD_COLUMNS = ("lang", "kind", "word", "gender")
ANY = "any"
ROLES = ("personal", "possessive", "reflexive", "relative", "demonstrative", "object", "either", "joint possessive")
# The purposes of words. For nouns, `article`, `marker` (female) and `feminine_ending` determine the gender, while
# `epicene` and `epicene_ending` allow any. `person` and `person_ending` mark persons; `no_person` excludes a word even
# if a list has it. For names, `title_of` may precede "of" and a name, and `before_place` may precede a place. For
# pronouns, `clitic` stands between subject and verb, `clause_verb` takes a clause as its object, and `relative` follows
# celui. The other kinds are for il.
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
    """The rows of a language, with forms in lower case. `pronouns` maps a form to its gender (or `any`) and role."""

    pronouns: dict[str, tuple[str, str]]
    words: dict[str, dict[str, str]]

    def of_kind(self, kind: str) -> dict[str, str]:
        """Look up the words of a kind with their gender (an empty string for most)."""
        return self.words.get(kind, {})

    @property
    def feminine_endings(self) -> dict[str, str]:
        """The masculine endings of nouns, mapped to their feminine ones (rows like `er>ère`)."""
        return dict(word.split(">") for word in self.of_kind("feminine_ending"))


def read_rules(pronouns: Path, words: Path, lang: str) -> Rules:
    """Read the rows of a language. Raises `TableError`, with file and line, if one is wrong."""
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
