"""Gender of persons' names, corrected: every part of a name, over all that it can be (Nahurna and Romanyshyn 2025).

A part says which genders it can have in which cases: first names by the name lists, else by pymorphy3; patronymics;
surnames that pymorphy3 knows or that end as one gender's do. The gender is the one that all parts can share in one case
(Олександра Петренка is masculine, Олександра Петренко feminine). Where that leaves several or none, a first name as it
is listed decides (Олександра), else the patronymic. Initials say nothing; neither do plurals, nor surnames that men and
women share (Шевченко) or that could be a man's in the genitive (Іванова).
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from textparity.studies.swapping.gender.corrected import CASES, read_form, unify
from textparity.studies.swapping.language.word_lists import GenderLists
from textparity.studies.swapping.language.words import analyse
from textparity.studies.swapping.names import FEMININE, MASCULINE, UNKNOWN

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


class CorrectedNames:
    """The gender of persons' names: masculine, feminine or unknown."""

    def __init__(self, lists: GenderLists) -> None:
        self._names = {unify(name): FEMININE for name in lists.feminine_names}
        for name in map(unify, lists.masculine_names):
            # A name in both lists has no gender of its own.
            self._names[name] = UNKNOWN if name in self._names else MASCULINE
        self.gender = lru_cache(maxsize=None)(self._gender)
        self._forms_of = lru_cache(maxsize=None)(self._first_name)

    def _gender(self, name: str) -> str:
        if _SEVERAL.search(name):
            return UNKNOWN
        parts = [unify(part) for part in _PART.findall(" ".join(name.split())) if not _INITIAL.fullmatch(part)]
        parts = [part.rstrip(".") for part in parts]
        patronymics = [_patronymic(part, len(parts)) for part in parts]
        first_names = [set() if other else self._forms_of(part) for part, other in zip(parts, patronymics, strict=True)]
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
