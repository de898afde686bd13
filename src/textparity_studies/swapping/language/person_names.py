"""Analyse Ukrainian names of persons, and form the same name for a person of the other gender.

A first name is replaced by one of those offered. An adjectival surname (-ський, -ов) and a patronymic take the other
gender. A surname that is a noun (-енко, -ук) is declined for men only, so it gains or loses its ending. Initials stay.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from textparity.persons.ukrainian.word_lists import GenderLists
from textparity.persons.ukrainian.words import (
    CASES,
    FEMININE,
    MASCULINE,
    OTHER_GENDER,
    SINGULAR,
    analyse,
    cased_like,
    declension,
    normalise,
    read_word,
)

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


@dataclass(frozen=True)
class OfferedNames:
    """Hold the first names that a swapped sentence may use."""

    feminine: tuple[str, ...]
    masculine: tuple[str, ...]

    def of(self, gender: str) -> tuple[str, ...]:
        """Return the names of a gender."""
        return self.feminine if gender == FEMININE else self.masculine


def draw_names(lists: GenderLists, generator: np.random.Generator, count: int = OFFERED) -> OfferedNames:
    """Draw different names of each gender by their frequency (Nahurna 2025, §4.1.2: three)."""
    return OfferedNames(*(draw(names, generator, count) for names in (lists.feminine_names, lists.masculine_names)))


def draw(
    names: Mapping[str, float], generator: np.random.Generator, count: int = OFFERED, repeats: bool = False
) -> tuple[str, ...]:
    """Draw the names offered to a sentence, by their frequency; with `repeats`, a name may be drawn twice."""
    weights = np.array(list(names.values()))
    chosen = generator.choice(len(names), size=count, replace=repeats, p=weights / weights.sum())
    known = list(names)
    return tuple(known[place] for place in chosen)


class NameForms:
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


def kind_of_word(word: str, names: NameForms) -> str:
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
    endings = {"gent": "а", "accs": "а", "datv": "у", "loct": "у", "ablt": "ом"}
    ending = endings[case]
    if word.endswith("ові") and case in ("datv", "loct"):
        ending = "ові"
    stem = word.removesuffix(ending)
    if stem == word:
        soft = {"gent": "я", "accs": "я", "datv": "ю", "loct": "ю", "ablt": "ем"}[case]
        if case == "ablt" and word.endswith("єм"):
            return word[:-2] + "й"
        stem = word.removesuffix(soft)
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
    hard = {"gent": "а", "accs": "а", "datv": "у", "loct": "у", "ablt": "ом"}[case]
    soft = {"gent": "я", "accs": "я", "datv": "ю", "loct": "ю", "ablt": "ем"}[case]
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
