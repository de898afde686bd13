"""Gender of titles and names, corrected (Nahurna and Romanyshyn 2025, §4.1.1): over all that their words can be.

Of a job title, the head word decides: what Stanza says is the head, where its models are installed; else the first word
that can be a person: an animate noun, or an adjective that no such noun follows in agreement (слідча, керуючий
справами). What stands in the genitive after the head is never reached. The head's gender is that of the lists (common
gender first), else of its morphology; a plural has the gender of its singular.

Of a person's name, every part says which genders it can have in which cases: first names by the name lists, else by
pymorphy3; patronymics; surnames that pymorphy3 knows or that end as one gender's do. The gender is the one that all
parts can share in one case (Олександра Петренка is masculine, Олександра Петренко feminine). Where that leaves several
or none, a first name as it is listed decides (Олександра), else the patronymic. Initials say nothing; neither do
plurals, nor surnames that men and women share (Шевченко) or that could be a man's in the genitive (Іванова).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from textparity.persons.mentions import FEMININE, MASCULINE
from textparity.persons.ukrainian.syntax import BY_STANZA, Parser
from textparity.persons.ukrainian.word_lists import GenderLists
from textparity.persons.ukrainian.words import analyse

if TYPE_CHECKING:
    from pymorphy3.analyzer import Parse

COMMON, UNKNOWN = "common", "unknown"
_APOSTROPHES = str.maketrans("’ʼ`´‘", "'''''")
# A full stop is part of a short word's abbreviation, which says nothing (в. о., т. в. о., канд.).
_WORD = re.compile(r"\w[\w']*(?:-\w[\w']*)*\.?")
_ABBREVIATION = re.compile(r"\w|\w{1,5}\.")
_GRAMMEMES = {"ms-f": COMMON, "masc": MASCULINE, "femn": FEMININE}
CASES = frozenset(("nomn", "gent", "datv", "accs", "ablt", "loct", "voct"))
# Names of persons are not titles, whatever else the word can be.
_NO_TITLE = frozenset(("Surn", "Patr", "Name", "Abbr"))
# Endings of feminine persons in words that no dictionary has: of any form, and of lemmas.
_FEMININE_FORM = re.compile(r"\w{3,}(?:ин|иц)(?:я|і|ю|ею|ь|ям|ями|ях)")
_FEMININE_LEMMA = ("ка", "еса")
# Possessive adjectives (директорів) are not titles.
_TITLE_ADJECTIVE = ("ий", "ій", "їй")
_PART = re.compile(r"[^\W\d_](?:[\w'’ʼ-]*[^\W_])?\.?")
_INITIAL = re.compile(r"[^\W\d_]{1,2}\.|[^\W\d_]")
# Two persons in one name: a brother and a sister.
_SEVERAL = re.compile(r"\s(?:і|й|та)\s")
# The locative stands behind prepositions alone, and would make of every Юлії a Юлій.
_CASES = CASES - {"loct"}
_SURNAMES = (
    (re.compile(r".+[сзц]ьк(?:ий|ого|ому|им)"), MASCULINE),
    (re.compile(r".+[сзц]ьк(?:а|ої|ій|у|ою)"), FEMININE),
    (re.compile(r".{2,}(?:[оеєї]в|[иіїє]н)(?:ої|ій|ою)"), FEMININE),
    # A woman's surname that is not an adjective has other endings or none.
    (re.compile(r".{3,}(?:[оеє]м|[оеє]ві)"), MASCULINE),
)
_PATRONYMICS = (
    (re.compile(r".{2,}[оеє]вич(?:а|у|еві|ем|і)?"), MASCULINE),
    (re.compile(r".{2,}(?:[іїе]вн|ичн)(?:а|и|і|у|ою|о)"), FEMININE),
)
# Endings of surnames that are a man's in the nominative; any other that ends in a consonant is a woman's, too.
_OF_MEN = ("ий", "ій", "ой", "ов", "ев", "єв", "їв", "ін", "їн", "ин")
# A gender and a case that a name can stand in.
Form = tuple[str, str]


@dataclass(frozen=True)
class Reading:
    """One thing a word can be: its lemma and gender, the cases it can stand in (all, if its tag has none)."""

    lemma: str
    gender: str
    is_plural: bool
    cases: frozenset[str]

    def agrees_with(self, adjective: "Reading") -> bool:
        """Whether an adjective can belong to this noun."""
        if not self.cases & adjective.cases or self.is_plural != adjective.is_plural:
            return False
        return self.is_plural or COMMON in (self.gender, adjective.gender) or self.gender == adjective.gender


def unify(text: str) -> str:
    """Return text in lower case on one line, with one kind of apostrophe and no stress marks."""
    return " ".join(text.lower().replace("\u0301", "").translate(_APOSTROPHES).split())


def read_form(parse: "Parse") -> tuple[str, bool, frozenset[str]]:
    """Return the gender of a form (of its singular, if it is a plural), whether it is a plural, and its cases."""
    tag: Any = parse.tag
    grammemes = tag.grammemes
    own = next((gender for name, gender in _GRAMMEMES.items() if name in grammemes), "")
    if not own:
        singular = parse.normalized.tag.grammemes
        own = next((gender for name, gender in _GRAMMEMES.items() if name in singular), UNKNOWN)
    return own, "plur" in grammemes, CASES & grammemes or CASES


class CorrectedJobs:
    """The gender of job titles; `parser` gives the head where it is Stanza."""

    def __init__(self, lists: GenderLists, parser: Parser) -> None:
        self._parser = parser
        # Words of common gender first: some of them have a feminine in the pairs.
        self.listed = {unify(word): MASCULINE for word in lists.pairs}
        self.listed |= {unify(word): FEMININE for word in lists.feminine_pairs}
        self.listed |= {unify(word): COMMON for word in lists.common}
        self.gender = lru_cache(maxsize=None)(self._gender)
        self.nouns = lru_cache(maxsize=None)(self._read_nouns)

    def _gender(self, title: str) -> str:
        title = unify(title)
        # Single words are looked up by lemma: the list has режисера, a form of режисер, as a feminine.
        if " " in title and title in self.listed:
            return self.listed[title]
        words = [word for word in _WORD.findall(title) if not _ABBREVIATION.fullmatch(word)]
        return self._by_parser(title, words) or self._by_rule(words)

    def _by_parser(self, title: str, words: list[str]) -> str:
        """Return the gender of the head that Stanza finds; nothing if it is not a person, or inside a compound."""
        if self._parser.method != BY_STANZA:
            return ""
        heads = {word.text for word in self._parser.parse(title) if word.is_root} & set(words)
        readings = [reading for head in sorted(heads) for reading in self.nouns(head) or read_adjectives(head)]
        return _decide(readings) if readings else ""

    def _by_rule(self, words: list[str]) -> str:
        adjectives: list[Reading] = []
        for word in words:
            before, own = adjectives, read_adjectives(word)
            if own:
                adjectives = own
                continue
            nouns = self.nouns(word)
            agreeing = [noun for noun in nouns if any(map(noun.agrees_with, before))]
            if agreeing or (nouns and not before):
                return _decide(agreeing or nouns)
            if before and any("NOUN" in parse.tag for parse in analyse(word)):
                break
        return _decide(adjectives)

    def _read_nouns(self, word: str) -> list[Reading]:
        """Return the persons that a word can be: those of the lists and the dictionary, else guesses.

        Of a compound: the whole, else its last part, else the first (a poet-symbolist is one, an ex-head is a head).
        """
        first, *others = word.split("-")
        for form in [word, *others[-1:], first] if others else [word]:
            found = [(parse, self._noun(parse)) for parse in analyse(form)]
            nouns = [(parse, noun) for parse, noun in found if noun]
            known = [noun for parse, noun in nouns if parse.is_known or noun.lemma in self.listed]
            # A guess at a whole compound is worth less than its parts.
            guessed = [] if form is word and others else _guess(form) or [noun for _, noun in nouns]
            if readings := known or guessed:
                return readings
        return []

    def _noun(self, parse: "Parse") -> Reading | None:
        lemma = unify(parse.normal_form)
        gender, is_plural, cases = read_form(parse)
        if "NOUN" not in parse.tag or _NO_TITLE & parse.tag.grammemes:
            return None
        if lemma in self.listed:
            # The lemma of a substantivised adjective is masculine, whatever the form is.
            return Reading(lemma, FEMININE if gender == FEMININE else self.listed[lemma], is_plural, cases)
        return Reading(lemma, gender, is_plural, cases) if "anim" in parse.tag and gender != UNKNOWN else None


def _guess(word: str) -> list[Reading]:
    """Return a word that the dictionary does not know as a feminine person, if it ends like one."""
    parses = [parse for parse in analyse(word) if not parse.is_known]
    lemmas = [p.normal_form for p in parses if {"NOUN", "femn"} in p.normalized.tag and not _NO_TITLE & p.tag.grammemes]
    if parses and (_FEMININE_FORM.fullmatch(word) or any(lemma.endswith(_FEMININE_LEMMA) for lemma in lemmas)):
        return [Reading(word, FEMININE, is_plural, CASES) for is_plural in (False, True)]
    return []


@cache
def read_adjectives(word: str) -> list[Reading]:
    """Return what a word can be as an adjective, as titles such as слідча are."""
    return [
        Reading(parse.normal_form, *read_form(parse))
        for parse in analyse(word)
        if "ADJF" in parse.tag and parse.is_known and parse.normal_form.endswith(_TITLE_ADJECTIVE)
    ]


def _decide(readings: list[Reading]) -> str:
    """Return the gender that readings share; common if one word is both; of others, that of the nominative."""
    genders = {reading.gender for reading in readings}
    if COMMON in genders:
        return COMMON
    if len(genders) == 1:
        return genders.pop()
    both = {MASCULINE, FEMININE}
    forms: dict[str, set[str]] = {}
    for reading in readings:
        forms.setdefault(reading.lemma, set()).add(reading.gender)
    if any(found == both for found in forms.values()) and not any(map(_is_adjectival, readings)):
        return COMMON
    nominative = {reading.gender for reading in readings if "nomn" in reading.cases}
    return nominative.pop() if len(nominative) == 1 else UNKNOWN


def _is_adjectival(reading: Reading) -> bool:
    return reading.lemma.endswith(_TITLE_ADJECTIVE)


class CorrectedNames:
    """The gender of persons' names: masculine, feminine or unknown."""

    def __init__(self, lists: GenderLists) -> None:
        self._names = {unify(name): FEMININE for name in lists.feminine_names}
        for name in map(unify, lists.masculine_names):
            # A name in both lists has no gender of its own.
            self._names[name] = UNKNOWN if name in self._names else MASCULINE
        self.gender = lru_cache(maxsize=None)(self._gender)
        self.forms_of = lru_cache(maxsize=None)(self._first_name)

    def _gender(self, name: str) -> str:
        if _SEVERAL.search(name):
            return UNKNOWN
        parts = [unify(part) for part in _PART.findall(" ".join(name.split())) if not _INITIAL.fullmatch(part)]
        parts = [part.rstrip(".") for part in parts]
        patronymics = [_patronymic(part, len(parts)) for part in parts]
        first_names = [set() if other else self.forms_of(part) for part, other in zip(parts, patronymics, strict=True)]
        # What is a first name can be a surname as well (Бойко, Квітка).
        others = [
            set() if patronymic else forms | _surname(part)
            for part, patronymic, forms in zip(parts, patronymics, first_names, strict=True)
        ]
        written = [{(self._names[part], "nomn")} for part in parts if self._names.get(part, UNKNOWN) != UNKNOWN]
        # All parts together; else first names as they are listed, the patronymic, all first names, the first of them.
        for told in ([*patronymics, *others], written, patronymics, first_names, first_names[:1]):
            evidence = [forms for forms in told if forms]
            genders = {gender for gender, _ in set.intersection(*evidence)} if evidence else set()
            if len(genders) == 1:
                return genders.pop()
        return UNKNOWN

    def _first_name(self, word: str) -> set[Form]:
        """Return the forms of a first name that a word can be; of listed names alone, if it can be one."""
        listed: set[Form] = {(self._names[word], "nomn")} if word in self._names else set()
        known: set[Form] = set()
        for parse in analyse(word):
            gender, is_plural, cases = read_form(parse)
            if "NOUN" not in parse.tag or is_plural:
                continue
            lemma = unify(parse.normal_form)
            if lemma in self._names and "anim" in parse.tag:
                listed |= _forms(self._names[lemma], cases)
            elif "Name" in parse.tag and parse.is_known:
                known |= _forms(gender, cases)
        return {form for form in listed or known if form[0] != UNKNOWN}


def _patronymic(word: str, parts: int) -> set[Form]:
    """Return the forms of a patronymic; words in -ич are surnames as well, and none beside fewer than two others."""
    for parse in analyse(word):
        if "Patr" in parse.tag and parse.is_known:
            gender, is_plural, cases = read_form(parse)
            surname = any("Surn" in other.tag for other in analyse(word))
            if not is_plural and not surname:
                return _forms(gender, cases)
    for pattern, gender in _PATRONYMICS:
        if pattern.fullmatch(word) and (gender == FEMININE or parts > 2):
            return _forms(gender, _CASES)
    return set()


def _surname(word: str) -> set[Form]:
    """Return the forms of a surname that pymorphy3 knows, or that ends as one of either gender alone."""
    forms: set[Form] = set()
    for parse in analyse(word):
        if "Surn" in parse.tag and parse.is_known:
            gender, is_plural, cases = read_form(parse)
            forms |= set() if is_plural else _forms(gender, cases)
    if (MASCULINE, "nomn") in forms and not word.endswith(_OF_MEN):
        forms |= _forms(FEMININE, _CASES)
    return forms or next((_forms(gender, _CASES) for pattern, gender in _SURNAMES if pattern.fullmatch(word)), set())


def _forms(gender: str, cases: Iterable[str]) -> set[Form]:
    return {(gender, case) for case in _CASES.intersection(cases)}
