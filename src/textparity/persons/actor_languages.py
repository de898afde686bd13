"""The grammar and the word lists that the rules of actors use for each language. No tool is loaded.

A language consists of a table in `grammars.toml`, a file for each word list, inclusive forms (of the study of articles)
and annotated passages, which measure how well it works.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from textparity.errors import TableError
from textparity.files import read_tsv
from textparity.persons.mentions import read_word_list

GRAMMARS = Path(__file__).parents[1] / "resources" / "persons" / "grammars.toml"
PAPER_LANGUAGE = "deu"
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
        genders = GRAMMATICAL[self.gender] + (("Neut",) if self.also == "neuter" else ())
        return grammatical_gender in genders


@dataclass(frozen=True, eq=False)
class Grammar:
    """The grammar that the rules use.

    `countries` are those of gender-guesser (`actors.guess_gender`). `articles` determine the gender of titles that
    anyone may have. Particles stand between first name and surname; those that are also articles cannot come first.
    Verbs of thinking attribute only direct quotes. `according_to` stands before a name, `according_after` after it.
    `according_nouns` follow `according_preposition`. `so` stands between a quote and its speaker. `clause_words`
    introduce indirect speech.
    """

    code: str
    # The language code in HTML.
    tag: str
    name: str
    countries: tuple[str | None, ...]
    personal: dict[str, Pronoun]
    possessive: dict[str, Pronoun]
    particles: frozenset[str]
    particles_or_articles: frozenset[str]
    thinking: frozenset[str]
    according_to: frozenset[str]
    clause_words: frozenset[str]
    according_after: frozenset[str] = frozenset()
    according_nouns: frozenset[str] = frozenset()
    according_preposition: str = ""
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
    # Indirect speech may use a mood of its own, without a verb of saying.
    has_reporting_mood: bool = False
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
        both = (self.personal, self.possessive)
        return frozenset(form for forms in both for form, pronoun in forms.items() if pronoun.gender == gender)


def _read_grammar(code: str, table: dict[str, Any]) -> Grammar:
    """Read one table of `grammars.toml`."""
    for name in ("personal", "possessive"):
        table[name] = {form: Pronoun(*cells) for form, cells in table[name].items()}
    table["countries"] = tuple(None if country == ANYWHERE else country for country in table["countries"])
    table["articles"] = tuple(table.get("articles", {}).items())
    cells: dict[str, Any] = {name: frozenset(cell) if isinstance(cell, list) else cell for name, cell in table.items()}
    return Grammar(code, **cells)


LANGUAGES = {code: _read_grammar(code, table) for code, table in tomllib.loads(GRAMMARS.read_text("utf-8")).items()}
GERMAN = LANGUAGES[PAPER_LANGUAGE]


def form_of(token: str) -> str:
    """Convert a token to a pronoun's listed form: lower case, straight apostrophe, no leading hyphen."""
    return token.lower().replace("’", "'").lstrip("-")


GENDERS = ("feminine", "masculine")
_SHORTEST_ENDING = 4


@dataclass(frozen=True)
class WordLists:
    """All lists, in lower case. Tables map a word to its gender."""

    generic_persons: dict[str, str]
    titles: dict[str, str]
    coded_stems: dict[str, str]
    speech_verbs: frozenset[str]
    quotation_verbs: frozenset[str]
    stop_words: frozenset[str]
    person_nouns: frozenset[str]
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
        """The paper's verbs of indirect speech, and those collected for this project."""
        return self.speech_verbs | self.quotation_verbs


def load_word_lists(
    generic_persons: Path,
    titles: Path,
    speech_verbs: Path,
    quotation_verbs: Path,
    coded_stems: Path | None = None,
    stop_words: Path | None = None,
    person_nouns: Path | None = None,
    lang: str = PAPER_LANGUAGE,
) -> WordLists:
    """Read the lists; those not needed to find persons are optional. Raises an error with the file of a wrong one."""
    return WordLists(
        generic_persons=_read_genders(generic_persons, "term", "gender"),
        titles=_read_genders(titles, "title", "gender", also=("",)),
        # For some languages, no list has been published.
        coded_stems=_read_genders(coded_stems, "stem", "coding", may_be_empty=True) if coded_stems else {},
        speech_verbs=read_word_list(speech_verbs),
        quotation_verbs=read_word_list(quotation_verbs),
        stop_words=read_word_list(stop_words) if stop_words else frozenset(),
        person_nouns=read_word_list(person_nouns) if person_nouns else frozenset(),
        language=LANGUAGES[lang],
    )


def _read_genders(
    path: Path, word: str, gender: str, also: Iterable[str] = (), may_be_empty: bool = False
) -> dict[str, str]:
    found: dict[str, str] = {}
    rows = read_tsv(path, [word, gender], allowed={gender: (*GENDERS, *also)})
    for line, row in enumerate(rows, start=2):
        if found.get(row[word].lower(), row[gender]) != row[gender]:
            raise TableError(f"{path}, line {line}: {row[word]} is a duplicate with another {gender}; keep one row")
        found[row[word].lower()] = row[gender]
    if not found and not may_be_empty:
        raise TableError(f"{path}: has no rows")
    return found
