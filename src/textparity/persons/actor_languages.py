"""The grammar and the word lists that the rules of actors use for each language. No tool is loaded.

A language consists of a table in `grammars.toml` and a file for each word list.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from textparity.counting import GENDERS
from textparity.errors import TableError
from textparity.files import read_tsv
from textparity.persons.rules import read_word_list

_TABLE = Path(__file__).parents[1] / "resources" / "persons" / "grammars.toml"
# Stands for all countries together.
ANYWHERE = "anywhere"
GRAMMATICAL = {"masculine": ("Masc",), "feminine": ("Fem",), "": ("Masc", "Fem")}


@dataclass(frozen=True)
class Pronoun:
    """A pronoun that may refer to one person, with its gender (empty if it has none).

    `also` names what else the form may be: `plural` (or polite), `neuter`, or nothing.
    """

    gender: str
    also: Literal["plural", "neuter", ""] = ""

    def may_be(self, grammatical_gender: str) -> bool:
        """Check whether it may refer to a noun of this gender (of Universal Features)."""
        if grammatical_gender == "Neut":
            return self.also == "neuter"
        return grammatical_gender in GRAMMATICAL[self.gender]


@dataclass(frozen=True, eq=False)
class Grammar:
    """The grammar that the rules use.

    `countries` are those of gender-guesser (`first_names.guess_gender`). `articles` determine the gender of titles that
    anyone may have. Particles stand between first name and surname; those that are also articles cannot come first.
    `so` stands between a quote and its speaker.
    """

    code: str
    countries: tuple[str | None, ...]
    personal: dict[str, Pronoun]
    possessive: dict[str, Pronoun]
    particles: frozenset[str]
    particles_or_articles: frozenset[str]
    so: str = ""
    # The name after one of these is always that of a person.
    honorifics: frozenset[str] = frozenset()
    articles: tuple[tuple[str, str], ...] = ()
    # Tokens of their own after a name.
    possessive_endings: frozenset[str] = frozenset()
    # The ending of names in the genitive, without an apostrophe.
    genitive: str = ""
    nouns_are_capitalised: bool = False
    # A compound that ends in a title is a title.
    has_compounds: bool = False
    # After a quote, the verb comes before its subject.
    is_verb_second: bool = False
    # Guillemets have spaces on both sides.
    has_spaced_marks: bool = False
    # Quotes may be in single quotation marks.
    has_single_marks: bool = False
    # Rules added after the German rules were fixed, whose results are published. They concern names under a label other
    # than person, persons to whom a quote and a verb's object cannot refer, and subjects after the reporting verb.
    has_later_rules: bool = False
    # Before a verb, these are pronouns, whatever the parser's tag.
    clitics: frozenset[str] = frozenset()

    @property
    def pronouns(self) -> frozenset[str]:
        """All forms that may refer to one person."""
        return frozenset({*self.personal, *self.possessive})

    def forms_of(self, gender: str) -> frozenset[str]:
        """List the pronouns of a gender."""
        forms: set[str] = set()
        for pronouns in (self.personal, self.possessive):
            forms.update(form for form, pronoun in pronouns.items() if pronoun.gender == gender)
        return frozenset(forms)


def _read_grammar(code: str, table: dict[str, Any]) -> Grammar:
    """Read one table of `grammars.toml`."""
    cells: dict[str, Any] = {}
    for name, cell in table.items():
        if name in ("personal", "possessive"):
            cells[name] = {form: Pronoun(*values) for form, values in cell.items()}
        elif name == "countries":
            cells[name] = tuple(None if country == ANYWHERE else country for country in cell)
        elif name == "articles":
            cells[name] = tuple(cell.items())
        elif isinstance(cell, list):
            cells[name] = frozenset(cell)
        else:
            cells[name] = cell
    return Grammar(code, **cells)


def _read_grammars() -> dict[str, Grammar]:
    tables = tomllib.loads(_TABLE.read_text("utf-8"))
    return {code: _read_grammar(code, table) for code, table in tables.items()}


GRAMMARS = _read_grammars()
GERMAN = GRAMMARS["deu"]


def form_of(token: str) -> str:
    """Convert a token to a pronoun's listed form: lower case, straight apostrophe, no leading hyphen."""
    return token.lower().replace("’", "'").lstrip("-")


_SHORTEST_ENDING = 4


@dataclass(frozen=True)
class WordLists:
    """The lists of a language, in lower case. `generic_persons` and `titles` map a word to its gender."""

    generic_persons: dict[str, str]
    titles: dict[str, str]
    # The newsroom paper's verbs of indirect speech, and those collected for this project.
    speech_verbs: frozenset[str]
    quotation_verbs: frozenset[str]
    language: Grammar

    @cached_property
    def title_endings(self) -> dict[str, str]:
        """The titles whose compounds are also titles, with their gender."""
        if not self.language.has_compounds:
            return {}
        # Frau is a title, and therefore Obfrau has a gender. For symmetry, so must Obmann.
        endings = {title: gender for title, gender in self.titles.items() if gender and len(title) >= _SHORTEST_ENDING}
        return endings | {"mann": "masculine"}

    @cached_property
    def all_speech_verbs(self) -> frozenset[str]:
        """The verbs of both lists."""
        return self.speech_verbs | self.quotation_verbs


def load_word_lists(
    generic_persons: Path, titles: Path, speech_verbs: Path, quotation_verbs: Path, lang: str
) -> WordLists:
    """Read the lists of a language. Raises an error with the file of a wrong one."""
    return WordLists(
        generic_persons=read_genders(generic_persons, "term", "gender"),
        titles=read_genders(titles, "title", "gender", also=("",)),
        speech_verbs=read_word_list(speech_verbs),
        quotation_verbs=read_word_list(quotation_verbs),
        language=GRAMMARS[lang],
    )


def read_genders(
    path: Path, word_column: str, gender_column: str, also: Iterable[str] = (), may_be_empty: bool = False
) -> dict[str, str]:
    """Read a table of words, in lower case, with their genders.

    `also` has further allowed genders. Raises `TableError`, with file and line, if a row is wrong or a word has two
    genders, or if there are no rows.
    """
    genders: dict[str, str] = {}
    allowed = {gender_column: (*GENDERS, *also)}
    rows = read_tsv(path, [word_column, gender_column], allowed=allowed)
    for line, row in enumerate(rows, start=2):
        form, gender = row[word_column].lower(), row[gender_column]
        if genders.setdefault(form, gender) != gender:
            word = row[word_column]
            raise TableError(f"{path}, line {line}: {word} is a duplicate with another {gender_column}; keep one row")
    if not genders and not may_be_empty:
        raise TableError(f"{path}: has no rows")
    return genders
