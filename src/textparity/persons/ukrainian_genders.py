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
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textparity.errors import MissingResourceError, TableError, how_to_install
from textparity.persons.mentions import FEMININE, MASCULINE, read_word_list

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
        found: dict[str, tuple[str, ...]] = {}
        for masculine, feminines in self.pairs.items():
            for feminine in feminines:
                found[feminine] = (*found.get(feminine, ()), masculine)
        return found


def load_gender_lists(
    gender_pairs: Path, common_gender_words: Path, feminine_names: Path, masculine_names: Path
) -> GenderLists:
    """Read the lists: CSV `male,female` (with commas between feminine words), words, and CSV `name,freq_in_corpus`.

    Raises an error, with the file and the fix, if one is wrong.
    """
    pairs, common = _read_pairs(gender_pairs), read_word_list(common_gender_words)
    return GenderLists(pairs, common, _read_names(feminine_names), _read_names(masculine_names))


def _read_pairs(path: Path) -> dict[str, tuple[str, ...]]:
    pairs: dict[str, tuple[str, ...]] = {}
    for masculine, feminine in _read_csv(path, ["male", "female"]):
        words = tuple(word.strip().lower() for word in feminine.split(",") if word.strip())
        if not masculine.strip() or not words:
            raise TableError(f"{path}: a row has {masculine!r} and {feminine!r}; it needs a word of each gender")
        # The upstream list has some words twice, with different feminines.
        known = pairs.get(masculine.strip().lower(), ())
        pairs[masculine.strip().lower()] = tuple(dict.fromkeys([*known, *words]))
    return pairs


def _read_names(path: Path) -> dict[str, float]:
    names: dict[str, float] = {}
    for name, cell in _read_csv(path, ["name", "freq_in_corpus"]):
        try:
            frequency = float(cell)
        except ValueError:
            frequency = math.nan
        if not frequency >= 0:
            raise TableError(f"{path}: the frequency of {name} is {cell!r}, not a number from 0")
        if name.strip() in names:
            raise TableError(f"{path}: the name {name.strip()} is a duplicate; keep one row")
        names[name.strip()] = frequency
    return names


def _read_csv(path: Path, columns: list[str]) -> list[list[str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header, *rows = [*filter(None, csv.reader(file))] or [[]]
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it") from None
    except csv.Error as error:
        raise TableError(f"{path}: cannot be read as a CSV table ({error})") from None
    if header != columns:
        raise TableError(f"{path}: the header is {','.join(header) or 'empty'}; it must be {','.join(columns)}")
    if any(len(row) > len(columns) for row in rows):
        raise TableError(f"{path}: a row has more cells than {','.join(columns)}; quote cells that have commas")
    if not rows:
        raise TableError(f"{path}: has no rows")
    return [[*row, ""][: len(columns)] for row in rows]


@cache
def load_analyser() -> "MorphAnalyzer":
    """Load pymorphy3 for Ukrainian. Raises `MissingResourceError` if it or its dictionary is not installed."""
    if missing := [name for name in ("pymorphy3", "pymorphy3_dicts_uk") if find_spec(name) is None]:
        raise MissingResourceError(f"{missing[0]} is not installed; install the extra: {how_to_install('morphology')}")
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
        if not self.cases & adjective.cases or self.is_plural != adjective.is_plural:
            return False
        return self.is_plural or COMMON in (self.gender, adjective.gender) or self.gender == adjective.gender


def unify(text: str) -> str:
    """Convert text to lower case on one line, with one kind of apostrophe and no stress marks."""
    return " ".join(text.lower().replace("\u0301", "").translate(_APOSTROPHES).split())


def read_form(parse: "Parse") -> tuple[str, bool, frozenset[str]]:
    """Determine the gender of a form (of its singular, if it is a plural), whether it is a plural, and its cases."""
    tag: Any = parse.tag
    grammemes = tag.grammemes
    own = next((gender for name, gender in _GRAMMEMES.items() if name in grammemes), "")
    if not own:
        singular = parse.normalized.tag.grammemes
        own = next((gender for name, gender in _GRAMMEMES.items() if name in singular), UNKNOWN)
    return own, "plur" in grammemes, CASES & grammemes or CASES


class CorrectedJobs:
    """Determine the gender of job titles. `heads` lists the heads that a parser finds in a title, if there is one."""

    def __init__(self, lists: GenderLists, heads: Callable[[str], set[str]] = lambda title: set()) -> None:
        self._heads = heads
        # Words of common gender take precedence, because some of them have a feminine in the pairs.
        self.listed = {unify(word): MASCULINE for word in lists.pairs}
        self.listed |= {unify(word): FEMININE for word in lists.feminine_pairs}
        self.listed |= {unify(word): COMMON for word in lists.common}
        self.gender = lru_cache(maxsize=None)(self._gender)
        self.nouns = lru_cache(maxsize=None)(self._read_nouns)

    def _gender(self, title: str) -> str:
        title = unify(title)
        # Single words are looked up by lemma, because the list has режисера, a form of режисер, as a feminine.
        if " " in title and title in self.listed:
            return self.listed[title]
        words = [word for word in _WORD.findall(title) if not _ABBREVIATION.fullmatch(word)]
        return self._by_heads(title, words) or self._by_rule(words)

    def _by_heads(self, title: str, words: list[str]) -> str:
        """Determine the gender of the head that a parser finds. Empty if it is not a person, or inside a compound."""
        readings = [
            reading
            for head in sorted(self._heads(title) & set(words))
            for reading in self.nouns(head) or read_adjectives(head)
        ]
        return _decide(readings) if readings else ""

    def _by_rule(self, words: list[str]) -> str:
        adjectives: list[GenderReading] = []
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

    def _read_nouns(self, word: str) -> list[GenderReading]:
        """List the persons that a word, or else its last part (an ex-head is a head), or else its first can denote."""
        first, *others = word.split("-")
        for form in [word, *others[-1:], first] if others else [word]:
            found = [(parse, self._noun(parse)) for parse in analyse(form)]
            nouns = [(parse, noun) for parse, noun in found if noun]
            known = [noun for parse, noun in nouns if parse.is_known or noun.lemma in self.listed]
            # The parts of a compound are more reliable than a guess at the whole.
            guessed = [] if form is word and others else _guess(form) or [noun for _, noun in nouns]
            if readings := known or guessed:
                return readings
        return []

    def _noun(self, parse: "Parse") -> GenderReading | None:
        lemma = unify(parse.normal_form)
        gender, is_plural, cases = read_form(parse)
        if "NOUN" not in parse.tag or _NO_TITLE & parse.tag.grammemes:
            return None
        if lemma in self.listed:
            # The lemma of a substantivised adjective is masculine, even if the form is not.
            return GenderReading(lemma, FEMININE if gender == FEMININE else self.listed[lemma], is_plural, cases)
        return GenderReading(lemma, gender, is_plural, cases) if "anim" in parse.tag and gender != UNKNOWN else None


def _guess(word: str) -> list[GenderReading]:
    """Guess that a word missing from the dictionary is a feminine person, if it ends like one."""
    parses = [parse for parse in analyse(word) if not parse.is_known]
    lemmas = [p.normal_form for p in parses if {"NOUN", "femn"} in p.normalized.tag and not _NO_TITLE & p.tag.grammemes]
    if parses and (_FEMININE_FORM.fullmatch(word) or any(lemma.endswith(_FEMININE_LEMMA) for lemma in lemmas)):
        return [GenderReading(word, FEMININE, is_plural, CASES) for is_plural in (False, True)]
    return []


@cache
def read_adjectives(word: str) -> list[GenderReading]:
    """List the readings of a word as an adjective, because titles such as слідча are adjectives."""
    return [
        GenderReading(parse.normal_form, *read_form(parse))
        for parse in analyse(word)
        if "ADJF" in parse.tag and parse.is_known and parse.normal_form.endswith(_TITLE_ADJECTIVE)
    ]


def _decide(readings: list[GenderReading]) -> str:
    """Determine the gender that readings share: common if one word is both, else that of the nominative."""
    genders = {reading.gender for reading in readings}
    if COMMON in genders:
        return COMMON
    if len(genders) == 1:
        return genders.pop()
    forms: dict[str, set[str]] = {}
    for reading in readings:
        forms.setdefault(reading.lemma, set()).add(reading.gender)
    is_adjectival = any(lemma.endswith(_TITLE_ADJECTIVE) for lemma in forms)
    if {MASCULINE, FEMININE} in forms.values() and not is_adjectival:
        return COMMON
    nominative = {reading.gender for reading in readings if "nomn" in reading.cases}
    return nominative.pop() if len(nominative) == 1 else UNKNOWN


class CorrectedNames:
    """Determine the gender of persons' names: masculine, feminine or unknown."""

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
        parts = [unify(part).rstrip(".") for part in _PART.findall(name) if not _INITIAL.fullmatch(part)]
        patronymics = [_patronymic(part, len(parts)) for part in parts]
        first_names = [set() if other else self.forms_of(part) for part, other in zip(parts, patronymics, strict=True)]
        # A first name can be a surname as well (Бойко, Квітка).
        others = [
            set() if patronymic else forms | _surname(part)
            for part, patronymic, forms in zip(parts, patronymics, first_names, strict=True)
        ]
        written = [{(self._names[part], "nomn")} for part in parts if self._names.get(part, UNKNOWN) != UNKNOWN]
        # All parts together, then first names as listed, the patronymic, all first names, and the first of them.
        for told in ([*patronymics, *others], written, patronymics, first_names, first_names[:1]):
            evidence = [forms for forms in told if forms]
            genders = {gender for gender, _ in set.intersection(*evidence)} if evidence else set()
            if len(genders) == 1:
                return genders.pop()
        return UNKNOWN

    def _first_name(self, word: str) -> set[Form]:
        """List the forms of a first name that a word can be. A listed name has only its listed forms."""
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
    """List the forms of a patronymic. Words in -ич may be surnames, so they need a name of more than two parts."""
    for parse in analyse(word):
        if "Patr" in parse.tag and parse.is_known:
            gender, is_plural, cases = read_form(parse)
            if not is_plural and not any("Surn" in other.tag for other in analyse(word)):
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
            forms |= set() if is_plural else _forms(gender, cases)
    if (MASCULINE, "nomn") in forms and not word.endswith(_OF_MEN):
        forms |= _forms(FEMININE, _CASES)
    return forms or next((_forms(gender, _CASES) for pattern, gender in _SURNAMES if pattern.fullmatch(word)), set())


def _forms(gender: str, cases: Iterable[str]) -> set[Form]:
    return {(gender, case) for case in _CASES.intersection(cases)}
