"""Determine the gender of Ukrainian titles and names, corrected (Nahurna and Romanyshyn 2025, §4.1.1), from lists and
from all readings of their words by pymorphy3.

The head word decides the gender of a job title. It is the first word that can denote a person: an animate noun, or an
adjective that no such noun follows in agreement (слідча, керуючий справами). Genitives after the head are therefore
never reached. The lists give the gender of the head (common gender first); if they lack it, its morphology does. A
plural has the gender of its singular.

Every part of a person's name has a set of possible genders and cases. They come from the name lists or else pymorphy3
for first names, from patronymics, and from surnames that pymorphy3 knows or whose ending belongs to one gender. The
gender is the one that all parts can share in one case (Олександра Петренка is masculine, Олександра Петренко feminine).
If several or none remain, a first name exactly as it is listed decides (Олександра), or else the patronymic. Initials
carry no gender. Neither do plurals, surnames that women and men share (Шевченко), or surnames that could be a man's in
the genitive (Іванова).
"""

import csv
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from itertools import filterfalse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.errors import MissingResourceError, TableError, how_to_install
from textparity.persons.mentions import FEMININE, MASCULINE
from textparity.persons.rules import read_word_list

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer
    from pymorphy3.analyzer import Parse


@dataclass(frozen=True)
class GenderLists:
    """The words of the lists, in lower case except for names, which have their share of all names of the gender."""

    # A masculine word with its feminine ones.
    pairs: dict[str, tuple[str, ...]]
    common: frozenset[str]
    feminine_names: dict[str, float]
    masculine_names: dict[str, float]

    @cached_property
    def feminine_pairs(self) -> dict[str, tuple[str, ...]]:
        """Map each feminine word to its masculine ones."""
        masculines_of: dict[str, tuple[str, ...]] = {}
        for masculine, feminines in self.pairs.items():
            for feminine in feminines:
                others = masculines_of.get(feminine, ())
                masculines_of[feminine] = (*others, masculine)
        return masculines_of


def load_gender_lists(
    gender_pairs: Path, common_gender_words: Path, feminine_names: Path, masculine_names: Path
) -> GenderLists:
    """Read the lists: CSV `male,female` (with commas between feminine words), words, and CSV `name,freq_in_corpus`.

    Raises an error, with the file and the fix, if one is wrong.
    """
    return GenderLists(
        pairs=_read_pairs(gender_pairs),
        common=read_word_list(common_gender_words),
        feminine_names=_read_names(feminine_names),
        masculine_names=_read_names(masculine_names),
    )


def _read_pairs(path: Path) -> dict[str, tuple[str, ...]]:
    pairs: dict[str, tuple[str, ...]] = {}
    for male, female in _read_csv(path, ["male", "female"]):
        masculine = male.strip().lower()
        words = [word.strip() for word in female.lower().split(",")]
        feminines = [word for word in words if word]
        if not masculine or not feminines:
            raise TableError(f"{path}: a row has {male!r} and {female!r}; it needs a word of each gender")
        # The upstream list has some words twice, with different feminines.
        known = pairs.get(masculine, ())
        without_repetition = dict.fromkeys([*known, *feminines])
        pairs[masculine] = tuple(without_repetition)
    return pairs


def _read_names(path: Path) -> dict[str, float]:
    names: dict[str, float] = {}
    for cell, frequency_cell in _read_csv(path, ["name", "freq_in_corpus"]):
        name = cell.strip()
        try:
            frequency = float(frequency_cell)
        except ValueError:
            frequency = math.nan
        if not frequency >= 0:
            raise TableError(f"{path}: the frequency of {cell} is {frequency_cell!r}, not a number from 0")
        if name in names:
            raise TableError(f"{path}: the name {name} is a duplicate; keep one row")
        names[name] = frequency
    return names


def _read_csv(path: Path, columns: list[str]) -> list[list[str]]:
    """Read the rows of a table under its header, with as many cells as columns."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None
    except csv.Error as error:
        raise TableError(f"{path}: cannot be read as a CSV table ({error})") from None
    header, *rows = rows or [[]]
    wanted = ",".join(columns)
    if header != columns:
        actual = ",".join(header) or "empty"
        raise TableError(f"{path}: the header is {actual}; it must be {wanted}")
    width = len(columns)
    if any(len(row) > width for row in rows):
        raise TableError(f"{path}: a row has more cells than {wanted}; quote cells that have commas")
    if not rows:
        raise TableError(f"{path}: has no rows")
    return [[*row, ""][:width] for row in rows]


@cache
def load_analyser() -> "MorphAnalyzer":
    """Load pymorphy3 for Ukrainian. Raises `MissingResourceError` if it or its dictionary is not installed."""
    for package in ("pymorphy3", "pymorphy3_dicts_uk"):
        if find_spec(package) is None:
            how = how_to_install("morphology")
            raise MissingResourceError(f"{package} is not installed; install the extra: {how}")
    import pymorphy3

    return pymorphy3.MorphAnalyzer(lang="uk")


@cache
def analyse(word: str) -> "list[Parse]":
    """List the readings of a word, the most likely first."""
    return load_analyser().parse(word)


COMMON, UNKNOWN = "common", "unknown"
_APOSTROPHES = str.maketrans("’ʼ`´‘", "'''''")
# A full stop belongs to the abbreviation of a short word, which carries no gender (в. о., т. в. о., канд.).
_WORD = re.compile(r"\w[\w']*(?:-\w[\w']*)*\.?")
_ABBREVIATION = re.compile(r"\w|\w{1,5}\.")
_GRAMMEMES = {"ms-f": COMMON, "masc": MASCULINE, "femn": FEMININE}
CASES = frozenset(("nomn", "gent", "datv", "accs", "ablt", "loct", "voct"))
# Names of persons are not titles, whatever other readings the word has.
_NO_TITLE = frozenset(("Surn", "Patr", "Name", "Abbr"))
# Endings of feminine person nouns that are in no dictionary: of any form, and of lemmas.
_FEMININE_FORM = re.compile(r"\w{3,}(?:ин|иц)(?:я|і|ю|ею|ь|ям|ями|ях)")
_FEMININE_LEMMA = ("ка", "еса")
# Possessive adjectives (директорів) are not titles.
_TITLE_ADJECTIVE = ("ий", "ій", "їй")
_PART = re.compile(r"[^\W\d_](?:[\w'’ʼ-]*[^\W_])?\.?")
_INITIAL = re.compile(r"[^\W\d_]{1,2}\.|[^\W\d_]")
# Two persons in one name, such as a brother and a sister.
_SEVERAL = re.compile(r"\s(?:і|й|та)\s")
# The locative occurs only after prepositions, and would turn every Юлії into a form of Юлій.
_CASES = CASES - {"loct"}
_SURNAMES = (
    (re.compile(r".+[сзц]ьк(?:ий|ого|ому|им)"), MASCULINE),
    (re.compile(r".+[сзц]ьк(?:а|ої|ій|у|ою)"), FEMININE),
    (re.compile(r".{2,}(?:[оеєї]в|[иіїє]н)(?:ої|ій|ою)"), FEMININE),
    # A woman's surname that is not an adjective has other endings, or none.
    (re.compile(r".{3,}(?:[оеє]м|[оеє]ві)"), MASCULINE),
)
_PATRONYMICS = (
    (re.compile(r".{2,}[оеє]вич(?:а|у|еві|ем|і)?"), MASCULINE),
    (re.compile(r".{2,}(?:[іїе]вн|ичн)(?:а|и|і|у|ою|о)"), FEMININE),
)
# Surnames with these endings are a man's in the nominative. A surname that ends in any other consonant can also be a
# woman's.
_OF_MEN = ("ий", "ій", "ой", "ов", "ев", "єв", "їв", "ін", "їн", "ин")
# A gender and a case that a name can have.
Form = tuple[str, str]


@dataclass(frozen=True)
class GenderReading:
    """One reading of a word: its lemma and gender, and the cases it can have (all, if its tag has none)."""

    lemma: str
    gender: str
    is_plural: bool
    cases: frozenset[str]

    def agrees_with(self, adjective: "GenderReading") -> bool:
        """Check whether an adjective can belong to this noun."""
        if self.cases.isdisjoint(adjective.cases) or self.is_plural != adjective.is_plural:
            return False
        genders = {self.gender, adjective.gender}
        return self.is_plural or len(genders) == 1 or COMMON in genders


def unify(text: str) -> str:
    """Convert text to lower case on one line, with one kind of apostrophe and no stress marks."""
    return " ".join(text.lower().replace("\u0301", "").translate(_APOSTROPHES).split())


def read_form(parse: "Parse") -> tuple[str, bool, frozenset[str]]:
    """Determine the gender of a form (of its singular, if it is a plural), whether it is a plural, and its cases."""
    tag: Any = parse.tag
    grammemes = tag.grammemes
    gender = _gender_of(grammemes) or _gender_of(parse.normalized.tag.grammemes) or UNKNOWN
    return gender, "plur" in grammemes, CASES & grammemes or CASES


def _gender_of(grammemes: frozenset[str]) -> str:
    """Find the gender among grammemes, common gender first. Empty if there is none."""
    for grammeme, gender in _GRAMMEMES.items():
        if grammeme in grammemes:
            return gender
    return ""


class CorrectedJobs:
    """Determine the gender of job titles. `heads` lists the heads that a parser finds in a title, if there is one."""

    def __init__(self, lists: GenderLists, heads: Callable[[str], set[str]] = lambda title: set()) -> None:
        self._heads = heads
        self.listed: dict[str, str] = {}
        # Words of common gender take precedence, because some of them have a feminine in the pairs.
        for gender, words in (
            (MASCULINE, lists.pairs),
            (FEMININE, lists.feminine_pairs),
            (COMMON, lists.common),
        ):
            forms = map(unify, words)
            self.listed.update(dict.fromkeys(forms, gender))
        self.gender = lru_cache(maxsize=None)(self._gender)
        self.nouns = lru_cache(maxsize=None)(self._read_nouns)

    def _gender(self, title: str) -> str:
        title = unify(title)
        # Single words are looked up by lemma, because the list has режисера, a form of режисер, as a feminine.
        if " " in title and title in self.listed:
            return self.listed[title]
        words = list(filterfalse(_ABBREVIATION.fullmatch, _WORD.findall(title)))
        return self._by_heads(title, words) or self._by_rule(words)

    def _by_heads(self, title: str, words: list[str]) -> str:
        """Determine the gender of the head that a parser finds. Empty if it is not a person, or inside a compound."""
        readings: list[GenderReading] = []
        for head in sorted(self._heads(title) & set(words)):
            readings += self.nouns(head) or read_adjectives(head)
        return _decide(readings) if readings else ""

    def _by_rule(self, words: list[str]) -> str:
        adjectives: list[GenderReading] = []
        for word in words:
            own_adjectives = read_adjectives(word)
            if own_adjectives:
                adjectives = own_adjectives
                continue
            nouns = self.nouns(word)
            agreeing = [noun for noun in nouns if any(map(noun.agrees_with, adjectives))]
            if agreeing:
                return _decide(agreeing)
            if nouns and not adjectives:
                return _decide(nouns)
            if adjectives and any("NOUN" in parse.tag for parse in analyse(word)):
                break
        return _decide(adjectives)

    def _read_nouns(self, word: str) -> list[GenderReading]:
        """List the persons that a word, or else its last part (an ex-head is a head), or else its first can denote."""
        first, *others = word.split("-")
        if not others:
            return self._known_nouns(word) or self._guessed_nouns(word)
        # The parts of a compound are more reliable than a guess at the whole.
        known = self._known_nouns(word)
        for part in (others[-1], first):
            known = known or self._known_nouns(part) or self._guessed_nouns(part)
        return known

    def _known_nouns(self, form: str) -> list[GenderReading]:
        nouns = []
        for parse in analyse(form):
            noun = self._noun(parse)
            if noun and (parse.is_known or noun.lemma in self.listed):
                nouns.append(noun)
        return nouns

    def _guessed_nouns(self, form: str) -> list[GenderReading]:
        guess = _guess(form)
        if guess:
            return guess
        nouns = map(self._noun, analyse(form))
        return [noun for noun in nouns if noun]

    def _noun(self, parse: "Parse") -> GenderReading | None:
        if "NOUN" not in parse.tag or _NO_TITLE & parse.tag.grammemes:
            return None
        lemma = unify(parse.normal_form)
        gender, is_plural, cases = read_form(parse)
        if lemma in self.listed:
            # The lemma of a substantivised adjective is masculine, even if the form is not.
            if gender != FEMININE:
                gender = self.listed[lemma]
        elif "anim" not in parse.tag or gender == UNKNOWN:
            return None
        return GenderReading(lemma, gender, is_plural, cases)


def _guess(word: str) -> list[GenderReading]:
    """Guess that a word missing from the dictionary is a feminine person, if it ends like one."""
    parses = [parse for parse in analyse(word) if not parse.is_known]
    if not parses:
        return []
    has_feminine_form = _FEMININE_FORM.fullmatch(word)
    if has_feminine_form or any(map(_is_like_feminine_person, parses)):
        singular = GenderReading(word, FEMININE, is_plural=False, cases=CASES)
        return [singular, replace(singular, is_plural=True)]
    return []


def _is_like_feminine_person(parse: "Parse") -> bool:
    """Check whether a lemma is a feminine noun that ends like one for a person, and no name."""
    if _NO_TITLE & parse.tag.grammemes or {"NOUN", "femn"} not in parse.normalized.tag:
        return False
    return bool(parse.normal_form.endswith(_FEMININE_LEMMA))


@cache
def read_adjectives(word: str) -> list[GenderReading]:
    """List the readings of a word as an adjective, because titles such as слідча are adjectives."""
    adjectives = []
    for parse in analyse(word):
        is_adjective = "ADJF" in parse.tag and parse.is_known
        if is_adjective and parse.normal_form.endswith(_TITLE_ADJECTIVE):
            gender, is_plural, cases = read_form(parse)
            adjectives.append(GenderReading(parse.normal_form, gender, is_plural, cases))
    return adjectives


def _decide(readings: list[GenderReading]) -> str:
    """Determine the gender that readings share: common if one word is both, else that of the nominative."""
    genders = {reading.gender for reading in readings}
    if COMMON in genders:
        return COMMON
    if len(genders) == 1:
        return genders.pop()
    genders_of: defaultdict[str, set[str]] = defaultdict(set)
    for reading in readings:
        genders_of[reading.lemma].add(reading.gender)
    is_adjectival = any(lemma.endswith(_TITLE_ADJECTIVE) for lemma in genders_of)
    has_word_of_both = {MASCULINE, FEMININE} in genders_of.values()
    if has_word_of_both and not is_adjectival:
        return COMMON
    nominatives = [reading for reading in readings if "nomn" in reading.cases]
    genders_of_nominative = {reading.gender for reading in nominatives}
    return genders_of_nominative.pop() if len(genders_of_nominative) == 1 else UNKNOWN


class CorrectedNames:
    """Determine the gender of persons' names: masculine, feminine or unknown."""

    def __init__(self, lists: GenderLists) -> None:
        self._names = dict.fromkeys(map(unify, lists.feminine_names), FEMININE)
        for listed_name in lists.masculine_names:
            name = unify(listed_name)
            # A name in both lists has no gender of its own.
            self._names[name] = UNKNOWN if name in self._names else MASCULINE
        self.gender = lru_cache(maxsize=None)(self._gender)
        self.forms_of = lru_cache(maxsize=None)(self._first_name)

    def _gender(self, name: str) -> str:
        if _SEVERAL.search(name):
            return UNKNOWN
        words = filterfalse(_INITIAL.fullmatch, _PART.findall(name))
        parts = [unify(word).rstrip(".") for word in words]
        patronymics: list[set[Form]] = []
        first_names: list[set[Form]] = []
        # A first name can be a surname as well (Бойко, Квітка).
        first_or_surnames: list[set[Form]] = []
        for part in parts:
            patronymic = _patronymic(part, len(parts))
            first_name = set() if patronymic else self.forms_of(part)
            patronymics.append(patronymic)
            first_names.append(first_name)
            first_or_surnames.append(set() if patronymic else first_name | _surname(part))
        as_listed = [self._listed_form(part) for part in parts if self._has_gender(part)]
        # All parts together, then first names as listed, the patronymic, all first names, and the first of them.
        all_parts = patronymics + first_or_surnames
        for evidence in (all_parts, as_listed, patronymics, first_names, first_names[:1]):
            gender = _shared_gender(evidence)
            if gender:
                return gender
        return UNKNOWN

    def _has_gender(self, name: str) -> bool:
        """Check whether a name is listed for one gender only."""
        return self._names.get(name, UNKNOWN) != UNKNOWN

    def _first_name(self, word: str) -> set[Form]:
        """List the forms of a first name that a word can be. A listed name has only its listed forms."""
        listed = self._listed_form(word) if word in self._names else set()
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
        forms = listed or known
        return {(gender, case) for gender, case in forms if gender != UNKNOWN}

    def _listed_form(self, name: str) -> set[Form]:
        return {(self._names[name], "nomn")}


def _patronymic(word: str, parts: int) -> set[Form]:
    """List the forms of a patronymic. Words in -ич may be surnames, so they need a name of more than two parts."""
    parses = analyse(word)
    for parse in parses:
        if "Patr" not in parse.tag or not parse.is_known:
            continue
        gender, is_plural, cases = read_form(parse)
        may_be_surname = any("Surn" in other.tag for other in parses)
        if not is_plural and not may_be_surname:
            return _forms(gender, cases)
    for pattern, gender in _PATRONYMICS:
        if pattern.fullmatch(word) and (gender == FEMININE or parts > 2):
            return _forms(gender, _CASES)
    return set()


def _surname(word: str) -> set[Form]:
    """List the forms of a surname that pymorphy3 knows, or whose ending belongs to only one gender."""
    forms: set[Form] = set()
    for parse in analyse(word):
        if "Surn" in parse.tag and parse.is_known:
            gender, is_plural, cases = read_form(parse)
            if not is_plural:
                forms |= _forms(gender, cases)
    if (MASCULINE, "nomn") in forms and not word.endswith(_OF_MEN):
        forms |= _forms(FEMININE, _CASES)
    if forms:
        return forms
    for pattern, gender in _SURNAMES:
        if pattern.fullmatch(word):
            return _forms(gender, _CASES)
    return set()


def _shared_gender(evidence: Iterable[set[Form]]) -> str:
    """Find the only gender that all parts of a name with any evidence can share in one case. Empty if there is none."""
    forms_of_parts = [forms for forms in evidence if forms]
    if not forms_of_parts:
        return ""
    genders = {gender for gender, _ in set.intersection(*forms_of_parts)}
    return genders.pop() if len(genders) == 1 else ""


def _forms(gender: str, cases: Iterable[str]) -> set[Form]:
    return {(gender, case) for case in _CASES.intersection(cases)}
