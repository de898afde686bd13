"""Read the Ukrainian word lists: gendered pairs, words of common gender, first names with their frequencies.

Job titles in the pairs are recognised in every form. Titles that are missing there get a pair by their ending.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from textparity.persons.ukrainian.word_lists import GenderLists
from textparity.persons.ukrainian.words import (
    FEMININE,
    MASCULINE,
    OTHER_GENDER,
    PLURAL,
    analyse,
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
            (masculine.word, feminine.word) in self._pairs
            for masculine, feminine in _of_both_genders(self.read(one), self.read(other))
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


def _of_both_genders(
    some: tuple[TitleForm, ...], others: tuple[TitleForm, ...]
) -> Iterator[tuple[TitleForm, TitleForm]]:
    for one in some:
        for other in others:
            if one.gender != other.gender:
                yield (one, other) if one.gender == MASCULINE else (other, one)


def _is_masculine(word: str) -> bool:
    """Check whether a word is a masculine personal noun in pymorphy3's dictionary (it guesses at other words)."""
    for parse in analyse(word):
        tag = parse.tag
        is_name = "Surn" in tag or "Name" in tag or not parse.is_known
        is_noun = tag.POS == "NOUN" and tag.gender == MASCULINE and "anim" in tag and str(tag.case or "nomn") == "nomn"
        if is_noun and not is_name and parse.normal_form == word:
            return True
    return False
