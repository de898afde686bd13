"""Classify titles and names by the paper's procedure (the authors' notebook gender_classification_for_entities).

We keep its errors:

- pymorphy3 is loaded without a language, and so analyses Ukrainian with its Russian dictionary;
- a plural becomes a singular of the same case, which no list has;
- after any hyphen, the last part is the head;
- apostrophes are compared as they are written;
- with the exceptions, any word of a title decides (the deputy of a head is a head);
- only the first word of a name is used, which often is the surname.
"""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from textparity.errors import TableError
from textparity.persons.ukrainian.syntax import Parser
from textparity.persons.ukrainian.word_lists import GenderLists
from textparity.persons.ukrainian.words import analyse, load_analyser
from textparity.tsv import read_tsv
from textparity_studies.swapping.names import COMMON, FEMININE, MASCULINE, UNKNOWN

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer

COLUMNS = ("place", "word", "value")
# The subject of a row: a word of a title, a form and its lemma, a part of a form, a whole form, a word that is no head.
WORD, FORM, PART, WHOLE, NO_HEAD = "word", "form", "part", "whole", "no head"
_WITH_GENDER = (WORD, PART, WHOLE)


@dataclass(frozen=True)
class GenderExceptions:
    """Hold words and their gender by place, forms with their lemma, and words that are never the head."""

    words: dict[str, str] = field(default_factory=dict)
    forms: dict[str, str] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    wholes: dict[str, str] = field(default_factory=dict)
    no_heads: frozenset[str] = frozenset()


def load_gender_exceptions(path: Path) -> GenderExceptions:
    """Read the exceptions; `TableError` names the line of an invalid place or gender, or of a duplicate word."""
    found: dict[str, dict[str, str]] = {place: {} for place in (WORD, FORM, PART, WHOLE, NO_HEAD)}
    for line, row in enumerate(read_tsv(path, COLUMNS), start=2):
        place, word, value = (row[column] for column in COLUMNS)
        if place not in found:
            raise TableError(f"{path}, line {line}: the place {place!r} must be one of {', '.join(found)}")
        if place in _WITH_GENDER and value not in (MASCULINE, FEMININE, COMMON):
            raise TableError(f"{path}, line {line}: {value!r} must be {MASCULINE}, {FEMININE} or {COMMON}")
        if not word or (place == FORM and not value):
            raise TableError(f"{path}, line {line}: a cell is empty; a form needs its lemma, every row its word")
        if word in found[place]:
            raise TableError(f"{path}, line {line}: {word} is a duplicate as {place!r}; keep one")
        found[place][word] = value
    return GenderExceptions(found[WORD], found[FORM], found[PART], found[WHOLE], frozenset(found[NO_HEAD]))


class PublishedJobs:
    """Classify job titles, with or without the hand-made exceptions.

    Two further lists of the authors, male_words_list.txt and female_words_list.txt, are not public, so we do without
    them.
    """

    def __init__(self, lists: GenderLists, parser: Parser, exceptions: GenderExceptions | None = None) -> None:
        self._lists = lists
        self._parser = parser
        self._exceptions = exceptions or GenderExceptions()
        self.gender = lru_cache(maxsize=None)(self._gender)

    def _gender(self, title: str) -> str:
        title = _recorded(title).lower()
        words = self._parser.parse(title)
        joint = " " if " " in title else ""
        lemma = joint.join(word.lemma for word in words)
        second_lemma = joint.join(map(_russian_lemma, title.split()))
        if len(words) > 1:
            lemma, second_lemma = self._head(lemma), self._head(second_lemma)
        forms = [title, lemma, second_lemma]
        if title in self._exceptions.forms:
            forms.append(self._exceptions.forms[title])
        return self._by_exceptions(title.split()) or self._by_lists(forms)

    def _head(self, text: str) -> str:
        """Find the lemma of the head; without a head or after the last hyphen, that of the first word."""
        words = self._parser.parse(text.rpartition("-")[2])
        roots = [word for word in words if word.is_root and word.text not in self._exceptions.no_heads]
        # After a hyphen, the first word is used even if it is not the root.
        chosen = words if "-" in text else roots or words
        return chosen[0].lemma if chosen else ""

    def _by_exceptions(self, words: list[str]) -> str:
        for word in words:
            found = [self._exceptions.words.get(form) for form in (word, self._exceptions.forms.get(word, ""))]
            for gender in (COMMON, FEMININE, MASCULINE):
                if gender in found:
                    return gender
        return ""

    def _by_lists(self, forms: list[str]) -> str:
        listed = {FEMININE: self._lists.feminine_pairs, MASCULINE: self._lists.pairs, COMMON: self._lists.common}
        for form in forms:
            for gender, words in listed.items():
                parts = (part for part, value in self._exceptions.parts.items() if value == gender)
                if form in words or self._exceptions.wholes.get(form) == gender or any(part in form for part in parts):
                    return gender
        return UNKNOWN


class PublishedNames:
    """Classify persons' names: by dict_uk's first names, then by the name lists.

    pymorphy3's Ukrainian dictionary, which is derived from dict_uk, replaces it. A word may be in one list while its
    lemma is in the other. Here it has the lemma's gender; the authors' code leaves this to the order of a set.
    """

    def __init__(self, lists: GenderLists, parser: Parser) -> None:
        self._lists = lists
        self._parser = parser
        self.gender = lru_cache(maxsize=None)(self._gender)

    def _gender(self, name: str) -> str:
        first = _recorded(name).split(" ")[0]
        if found := _dictionary_gender(first):
            return found
        lemmas = [word.lemma for word in self._parser.parse(first)]
        # The substitute's lemmas are in lower case; Stanza's names are not.
        lemmas = [lemma.title() if first[:1].isupper() else lemma for lemma in lemmas]
        for form in (*lemmas, first):
            if form in self._lists.feminine_names:
                return FEMININE
            if form in self._lists.masculine_names:
                return MASCULINE
        return UNKNOWN


def _recorded(text: str) -> str:
    """Return the text as the annotation files record it: cut at a line end."""
    return text.split("\n")[0].strip()


@cache
def _default_analyser() -> "MorphAnalyzer":
    load_analyser()
    import pymorphy3

    # Without a language, pymorphy3 loads Russian, as in the authors' code.
    return pymorphy3.MorphAnalyzer()


@cache
def _russian_lemma(word: str) -> str:
    parse = _default_analyser().parse(word)[0]
    if "plur" in parse.tag:
        singular = parse.inflect({"sing"})
        return singular.word if singular else parse.normal_form
    return parse.normal_form


def _dictionary_gender(word: str) -> str:
    """Look up the gender of a first name in the nominative; an empty string if there is none."""
    # pymorphy3 reads initials as names; dict_uk has none.
    if not word[:1].isupper() or len(word) == 1:
        return ""
    parses = [
        parse.tag
        for parse in analyse(word)
        if parse.is_known and parse.normal_form == word.lower() and {"Name", "nomn"} in parse.tag
    ]
    for grammeme, gender in (("femn", FEMININE), ("masc", MASCULINE)):
        if any(grammeme in tag for tag in parses):
            return gender
    return ""
