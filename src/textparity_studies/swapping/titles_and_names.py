"""Recognise Ukrainian titles and names of persons, and form the same title or name for the other gender.

Job titles in the list of pairs are recognised in every form. Titles that are missing there get a pair by their ending.

A first name is replaced by one of those offered. An adjectival surname (-ський, -ов) and a patronymic take the other
gender. A surname that is a noun (-енко, -ук) is declined for men only, so it gains or loses its ending. Initials stay.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

import numpy as np

from textparity.persons.ukrainian_genders import GenderLists, analyse
from textparity_studies.swapping.word_forms import (
    CASES,
    FEMININE,
    MASCULINE,
    OTHER_GENDER,
    PLURAL,
    SINGULAR,
    cased_like,
    declension,
    inflect,
    normalise,
    read_word,
)

# Prefixes that do not change a title: ексдепутат, гендиректор.
PREFIXES = ("екс", "віце", "ген", "зам", "держ", "теле", "радіо", "кіно", "фото", "прес", "спів", "нейро", "спец")
# Endings to remove from a feminine title and to add instead: комісарка gives комісар, підрядниця gives підрядник.
_FEMININE_ENDINGS = (
    ("ниця", "ник"), ("иця", "ик"), ("иця", "ець"), ("киня", "к"), ("гиня", "г"), ("иня", ""), ("чиня", "ець"),
    ("ка", ""), ("ка", "ець"),
)  # fmt: skip
# The reverse: endings of a masculine title, the part to remove, and the part to add.
_WITH_KA = (
    "ор", "ер", "єр", "ар", "яр", "ист", "іст", "ент", "ант", "ат", "ач", "ет", "ит", "ян", "ман", "он", "ін", "еп",
    "фоп",
)  # fmt: skip
_MASCULINE_ENDINGS = (
    (("ник",), "ник", "ниця"),
    (("к", "г"), "", "иня"),
    (("ець",), "ець", "иця"),
    (_WITH_KA, "", "ка"),
)


@dataclass(frozen=True)
class TitleForm:
    """Hold a form of a title: its nominative singular `word`, gender, number, case, and the other gender's title."""

    word: str
    gender: str
    number: str
    case: str
    pair: str

    @property
    def swapped(self) -> str:
        """The same form of the other title, in lower case."""
        return inflect(self.pair, OTHER_GENDER[self.gender], self.number, self.case)


class Titles:
    """Hold the dictionary's pairs except words of common gender; the first feminine word of each is its pair."""

    def __init__(self, lists: GenderLists) -> None:
        self._common = lists.common
        self._pairs = {
            (normalise(masculine), normalise(feminine))
            for masculine, feminines in lists.pairs.items()
            for feminine in feminines
        }
        self._forms: dict[str, list[TitleForm]] = {}
        for masculine, feminines in lists.pairs.items():
            if masculine not in lists.common and feminines:
                self._add(masculine, MASCULINE, feminines[0])
        for feminine, masculines in lists.feminine_pairs.items():
            if feminine not in lists.common:
                self._add(feminine, FEMININE, masculines[0])

    def read(self, word: str) -> tuple[TitleForm, ...]:
        """List the titles of the dictionary that a word can be."""
        return tuple(self._forms.get(normalise(word), ()))

    def parts(self, word: str) -> list[tuple[str, tuple[TitleForm, ...]]]:
        """List the titles within a word: the whole, its parts between hyphens, or the rest after a prefix."""
        if readings := self.read(word):
            return [(word, readings)]
        if "-" in word:
            return [found for part in word.split("-") for found in self.parts(part)]
        for prefix in PREFIXES:
            rest = word[len(prefix) :]
            if normalise(word).startswith(prefix) and len(rest) > 3 and (readings := self.read(rest)):
                return [(rest, readings)]
        return []

    def derive(self, word: str) -> list[tuple[str, tuple[TitleForm, ...]]]:
        """Pair a title that is in no pair with one formed by its ending, in the form of `parts`.

        A feminine word requires a masculine one that pymorphy3 has; a masculine one requires an ending with a usual
        feminine.
        """
        found = [
            form
            for masculine, feminine in dict.fromkeys(self._derived_pairs(word))
            for form in (*_forms_of(masculine, MASCULINE, feminine), *_forms_of(feminine, FEMININE, masculine))
            if normalise(word) in declension(form.word, form.gender).get((form.number, form.case), ())
        ]
        return [(word, tuple(found))] if found else []

    def is_pair(self, one: str, other: str) -> bool:
        """Check whether two words, in any forms, are titles of both genders that the dictionary has as a pair."""
        return any(
            ((first.word, second.word) if first.gender == MASCULINE else (second.word, first.word)) in self._pairs
            for first, second in product(self.read(one), self.read(other))
            if first.gender != second.gender
        )

    def _add(self, word: str, gender: str, pair: str) -> None:
        for form in _forms_of(normalise(word), gender, normalise(pair)):
            for spelling in declension(word, gender)[form.number, form.case]:
                if form not in self._forms.setdefault(spelling, []):
                    self._forms[spelling].append(form)

    def _derived_pairs(self, word: str) -> Iterator[tuple[str, str]]:
        for reading in read_word(word):
            lemma = reading.lemma
            if reading.part != "NOUN" or not reading.is_animate or lemma in self._common:
                continue
            for ending, other in _FEMININE_ENDINGS if reading.gender == FEMININE or reading.number == PLURAL else ():
                masculine = lemma.removesuffix(ending) + other
                if lemma.endswith(ending) and _is_masculine(masculine):
                    yield masculine, lemma
                    break
            for endings, ending, other in _MASCULINE_ENDINGS if _is_masculine(lemma) else ():
                if lemma.endswith(endings):
                    yield lemma, lemma.removesuffix(ending) + other
                    break


def _forms_of(word: str, gender: str, pair: str) -> Iterator[TitleForm]:
    for number, case in declension(word, gender):
        yield TitleForm(word, gender, number, case, pair)


def _is_masculine(word: str) -> bool:
    """Check whether a word is a masculine personal noun in pymorphy3's dictionary (it guesses at other words)."""
    for parse in analyse(word):
        tag = parse.tag
        is_name = "Surn" in tag or "Name" in tag or not parse.is_known
        is_noun = tag.POS == "NOUN" and tag.gender == MASCULINE and "anim" in tag and str(tag.case or "nomn") == "nomn"
        if is_noun and not is_name and parse.normal_form == word:
            return True
    return False


OFFERED = 3
FIRST_NAME, PATRONYMIC, SURNAME, INITIAL = "first name", "patronymic", "surname", "initial"
Forms = frozenset[tuple[str, str]]
"""Gender and case."""

_ADJECTIVE = {
    "nomn": ("ий", "а"), "gent": ("ого", "ої"), "datv": ("ому", "ій"), "accs": ("ого", "у"), "ablt": ("им", "ою"),
    "loct": ("ому", "ій"), "voct": ("ий", "а"),
}  # fmt: skip
_POSSESSIVE = {
    "nomn": ("", "а"), "gent": ("а", "ої"), "datv": ("у", "ій"), "accs": ("а", "у"), "ablt": ("им", "ою"),
    "loct": ("у", "ій"), "voct": ("", "а"),
}  # fmt: skip
_ADJECTIVE_STEMS = ("ськ", "цьк", "зьк")
_POSSESSIVE_STEMS = ("ов", "ев", "єв", "ін", "їн", "ин")
# These are nouns: Гаврилишин and Волошин do not change for women.
_NOUN_STEMS = ("ишин", "лошин", "итвин", "русин")
_PATRONYMIC = {
    "nomn": ("ович", "івна"), "gent": ("овича", "івни"), "datv": ("овичу", "івні"), "accs": ("овича", "івну"),
    "ablt": ("овичем", "івною"), "loct": ("овичу", "івні"), "voct": ("овичу", "івно"),
}  # fmt: skip
# Words in the lists of names that in newspapers are usually a council, a star, a surname or a month.
_COMMON_WORDS = frozenset(
    (
        "рада", "зірка", "лада", "квітка", "віола", "либідь", "мир", "світ", "сокіл", "славута", "переяслав", "житомир",
        "володар", "бойко", "жадан", "тур", "спас", "соловей", "лук", "май", "ус", "рід", "малик", "яр", "грива", "дар",
        "скол", "любим", "вір", "красун", "одинець",
    )
)  # fmt: skip
_VOWELS = "аеєиіїоуюя"
# The endings of a man's noun surname.
_HARD = {"gent": "а", "accs": "а", "datv": "у", "loct": "у", "ablt": "ом"}
_SOFT = {"gent": "я", "accs": "я", "datv": "ю", "loct": "ю", "ablt": "ем"}


Offered = Mapping[str, tuple[str, ...]]
"""The first names that a swapped sentence may use, by gender."""


def draw_names(
    lists: GenderLists, generator: np.random.Generator, repeats: bool = False, first: str = FEMININE
) -> Offered:
    """Draw three names of each gender by their frequency (Nahurna 2025, §4.1.2), those of the `first` gender first.

    With `repeats`, a name may be drawn twice.
    """
    drawn = {}
    for gender in (first, OTHER_GENDER[first]):
        names = lists.feminine_names if gender == FEMININE else lists.masculine_names
        known, weights = list(names), np.array(list(names.values()))
        places = generator.choice(len(known), size=OFFERED, replace=repeats, p=weights / weights.sum())
        drawn[gender] = tuple(known[place] for place in places)
    return drawn


class ListedNames:
    """Look up the listed first names in every case."""

    def __init__(self, lists: GenderLists) -> None:
        self._forms: dict[str, set[tuple[str, str, str]]] = {}
        self._stems = {normalise(name)[:3] for name in lists.masculine_names}
        for gender, names in ((FEMININE, lists.feminine_names), (MASCULINE, lists.masculine_names)):
            for name in names:
                for case in CASES:
                    self._forms.setdefault(normalise(inflect_name(name, gender, case)), set()).add((name, gender, case))

    def is_clear(self, word: str) -> bool:
        """Check that a word is almost certainly a first name; Рада and Зірка are listed too, but ambiguous."""
        return any(name.lower() not in _COMMON_WORDS for name, _, _ in self.read(word))

    def has_stem(self, letters: str) -> bool:
        """Check whether a listed man's name begins with these letters."""
        return letters in self._stems

    def read(self, word: str) -> list[tuple[str, str, str]]:
        """Look up each name, gender and case that a word can be."""
        return sorted(self._forms.get(normalise(word), ())) if word[:1].isupper() else []


@cache
def inflect_name(name: str, gender: str, case: str) -> str:
    """Inflect a first name; the accusative of Іван is its genitive, even if a word list differs."""
    if case == "accs" and gender == MASCULINE and not name.endswith(("а", "я")):
        case = "gent"
    found = _name_declension(name, gender).get((SINGULAR, case))
    if not found:
        return name
    # This prefers Олександру to Олександрові.
    short = case in ("datv", "loct") and gender == MASCULINE
    return cased_like(
        next((form for form in found if form.endswith(("у", "ю"))), found[0]) if short else found[0], name
    )


def kind_of_word(word: str, names: ListedNames) -> str:
    """Classify a word of a name: a first name, a patronymic, an initial, or else a surname."""
    if len(word.rstrip(".")) == 1:
        return INITIAL
    # Петрович is a patronymic. Янукович is a surname, because its stem is no first name. Петрівна can only be a
    # patronymic.
    genders = {gender for gender, _ in read_patronymic(word)}
    if FEMININE in genders or (genders and names.has_stem(normalise(word)[:3])):
        return PATRONYMIC
    return FIRST_NAME if names.read(word) else SURNAME


@lru_cache(maxsize=10_000)
def read_patronymic(word: str) -> Forms:
    """Read the gender and case of a patronymic; nothing for another word."""
    word = normalise(word)
    return frozenset(
        (gender, case)
        for case, endings in _PATRONYMIC.items()
        for gender, ending in zip((MASCULINE, FEMININE), endings, strict=True)
        if len(word) > len(ending) + 1
        and word.endswith((ending, ending.replace("о", "йо", 1) if gender == MASCULINE else "ї" + ending[1:]))
    )


def swap_patronymic(word: str, gender: str, case: str) -> str:
    """Convert a patronymic (of either gender) for a person of `gender`, in the same case."""
    masculine, feminine = _PATRONYMIC[case]
    old, new = (masculine, feminine) if gender == FEMININE else (feminine, masculine)
    if gender == FEMININE:
        for ending in ("йо" + old[1:], old):
            if word.endswith(ending):
                return word[: -len(ending)] + (
                    "ї" + new[1:] if ending.startswith("й") or word[-len(ending) - 1] in _VOWELS else new
                )
    else:
        for ending in ("ї" + old[1:], old):
            if word.endswith(ending):
                stem = word[: -len(ending)]
                # Андріївна gives Андрійович, but Василівна gives Васильович.
                return stem + ("й" if ending.startswith("ї") else "ь" if stem.endswith("асил") else "") + new
    return word


def read_surname(word: str) -> Forms:
    """Read each gender and case that an adjectival surname can have; nothing for others, which show no gender."""
    return frozenset((gender, case) for gender, case, _, _ in _surname_endings(normalise(word)))


def swap_surname(word: str, gender: str, case: str) -> str:
    """Convert a surname (of a person of the other gender) for a person of `gender`, in the same case."""
    lower = normalise(word)
    if "-" in word:
        return "-".join(swap_surname(part, gender, case) for part in word.split("-"))
    for old_gender, old_case, stem, endings in _surname_endings(lower):
        if old_gender != gender and old_case == case:
            return cased_like(stem + endings[gender == FEMININE], word)
    return cased_like(_nominative_noun(lower, case) if gender == FEMININE else _in_case(lower, case), word)


def _surname_endings(word: str) -> Iterator[tuple[str, str, str, tuple[str, str]]]:
    for endings_of, stems in ((_ADJECTIVE, _ADJECTIVE_STEMS), (_POSSESSIVE, _POSSESSIVE_STEMS)):
        for case, endings in endings_of.items():
            for gender, ending in zip((MASCULINE, FEMININE), endings, strict=True):
                stem = word.removesuffix(ending)
                if (ending and stem == word) or len(stem) < 4:
                    continue
                if stem.endswith(stems) and not (stem.endswith(_NOUN_STEMS)):
                    yield gender, case, stem, endings
    # Other adjectives are Сірий and Гладка. The word must be known, because nouns also end in -а, -ий and -ого.
    for reading in read_word(word):
        if reading.part == "ADJF" and reading.gender in OTHER_GENDER and reading.lemma.endswith("ий"):
            yield reading.gender, reading.case, reading.lemma[:-2], _ADJECTIVE[reading.case]
        elif reading.part == "NOUN" and reading.gender == MASCULINE and reading.lemma.endswith(("той", "ной")):
            yield MASCULINE, reading.case, reading.lemma[:-2], _ADJECTIVE[reading.case]


def _nominative_noun(word: str, case: str) -> str:
    """Return the nominative of a man's noun surname; women keep it in every case."""
    if case in ("nomn", "voct") or word.endswith(("их", "ко", "о")):
        return word
    ending = _HARD[case]
    if word.endswith("ові") and case in ("datv", "loct"):
        ending = "ові"
    stem = word.removesuffix(ending)
    if stem == word:
        if case == "ablt" and word.endswith("єм"):
            return word[:-2] + "й"
        stem = word.removesuffix(_SOFT[case])
        if stem == word:
            return word
        if stem[-1:] in _VOWELS:
            return stem + "й"
        if stem.endswith(("ч", "ш", "ж", "щ", "р")):
            return stem
        return stem[:-1] + "ець" if stem.endswith("ц") else stem + "ь"
    # -енка comes from -енко. Собака and Скрипка are the same for both genders, and look like Дашка from Дашко.
    if stem.endswith(("енк", "єнк", "йк", "ьк", "шк", "чк")):
        return stem + "о"
    return stem


def _in_case(word: str, case: str) -> str:
    """Decline a woman's noun surname, which has no cases, as a man's."""
    if case in ("nomn", "voct") or word.endswith(("а", "я", "і", "ї", "у", "ю", "е", "є", "и", "их")):
        return word
    known = [reading for reading in read_word(word) if reading.is_animate and reading.case == "nomn"]
    if any(reading.gender == MASCULINE for reading in known):
        forms = declension(word, MASCULINE).get((SINGULAR, "gent" if case == "accs" else case), ())
        if forms and forms[0] != word:
            return forms[-1] if case in ("datv", "loct") else forms[0]
    hard, soft = _HARD[case], _SOFT[case]
    if word.endswith("о"):
        return word[:-1] + hard
    if word.endswith("ець"):
        return word[:-3] + "ц" + soft
    if word.endswith("ь"):
        return word[:-1] + soft
    if word.endswith("й"):
        return word[:-1] + ("єм" if case == "ablt" else soft)
    if word.endswith(("ч", "ш", "ж", "щ")) and case == "ablt":
        return word + "ем"
    return word + hard


@cache
def _name_declension(name: str, gender: str) -> dict[tuple[str, str], tuple[str, ...]]:
    lower = normalise(name)
    parses = [parse for parse in analyse(lower) if parse.word == lower and parse.tag.gender == gender]
    nominative = [parse for parse in parses if str(parse.tag.case or "nomn") == "nomn" and parse.tag.POS == "NOUN"]
    for parse in sorted(nominative, key=lambda parse: "Name" not in parse.tag):
        forms: dict[tuple[str, str], tuple[str, ...]] = {}
        for form in parse.lexeme:
            if form.tag.number != "plur" and "Dist" not in form.tag:
                key = SINGULAR, str(form.tag.case or "nomn")
                forms[key] = (*forms.get(key, ()), form.word)
        return forms
    return {}
