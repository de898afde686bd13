"""The Ukrainian word lists: gendered pairs, words of common gender, first names with their frequencies.

Job titles of the pairs are read in every form; titles that are missing there get a pair by their ending.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from textparity.errors import TableError
from textparity.studies.swapping.language.words import (
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

# What stands before a title without changing it: ексдепутат, гендиректор.
PREFIXES = ("екс", "віце", "ген", "зам", "держ", "теле", "радіо", "кіно", "фото", "прес", "спів", "нейро", "спец")
# комісарка is a комісар, підрядниця a підрядник: what is taken off a feminine title, what is put on.
_FEMININE_ENDINGS = (
    ("ниця", "ник"), ("иця", "ик"), ("иця", "ець"), ("киня", "к"), ("гиня", "г"), ("иня", ""), ("чиня", "ець"),
    ("ка", ""), ("ка", "ець"),
)  # fmt: skip
# And the reverse: endings of a masculine title, what is taken off, what is put on.
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
class GenderLists:
    """Words as they stand in the lists, lower case but for names.

    `pairs` maps a masculine word to its feminine ones, in the order of the list; names map to their frequency (a share
    of all names of that gender).
    """

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
    """Read the four lists: CSV `male,female` (feminine words with commas between), a word a line, CSV `name,frequency`.

    Raises `TableError` naming the file and how to fix it where one is wrong.
    """
    return GenderLists(
        pairs=_read_pairs(gender_pairs),
        common=_read_words(common_gender_words),
        feminine_names=_read_names(feminine_names),
        masculine_names=_read_names(masculine_names),
    )


def _read_pairs(path: Path) -> dict[str, tuple[str, ...]]:
    frame = _read_csv(path, ["male", "female"])
    pairs: dict[str, tuple[str, ...]] = {}
    for masculine, feminine in frame.itertuples(index=False):
        words = tuple(word.strip().lower() for word in feminine.split(",") if word.strip())
        if not masculine.strip() or not words:
            raise TableError(f"{path}: a row has {masculine!r} and {feminine!r}; it needs a word of each gender")
        # The upstream list has words twice, with other feminines.
        known = pairs.get(masculine.strip().lower(), ())
        pairs[masculine.strip().lower()] = tuple(dict.fromkeys([*known, *words]))
    return pairs


def _read_names(path: Path) -> dict[str, float]:
    frame = _read_csv(path, ["name", "freq_in_corpus"])
    frequencies = pd.to_numeric(frame["freq_in_corpus"], errors="coerce")
    if frequencies.isna().any() or (frequencies < 0).any():
        row = frame[frequencies.isna() | (frequencies < 0)].iloc[0]
        raise TableError(f"{path}: the frequency of {row['name']} is {row['freq_in_corpus']!r}, not a number from 0")
    names = frame["name"].str.strip()
    if names.duplicated().any():
        raise TableError(f"{path}: the name {names[names.duplicated()].iloc[0]} is a duplicate; keep one row")
    return dict(zip(names, frequencies.astype(float), strict=True))


def _read_csv(path: Path, columns: list[str]) -> pd.DataFrame:
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, error) from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise TableError(
            f"{path}: no table of {','.join(columns)} ({str(error).strip()}); quote cells that have commas"
        ) from None
    # pandas takes a first row with a cell too many for one with an index.
    if not isinstance(frame.index, pd.RangeIndex):
        raise TableError(f"{path}: a row has more cells than {','.join(columns)}; quote cells that have commas")
    if list(frame.columns) != columns:
        raise TableError(f"{path}: the header is {','.join(frame.columns)}; it must be {','.join(columns)}")
    if frame.empty:
        raise TableError(f"{path}: has no rows")
    return frame


def _read_words(path: Path) -> frozenset[str]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise _not_utf8(path, error) from None
    words = frozenset(line.strip().lower() for line in lines if line.strip() and not line.startswith("#"))
    if not words:
        raise TableError(f"{path}: has no words; give it one a line")
    return words


def _not_utf8(path: Path, error: UnicodeDecodeError) -> TableError:
    return TableError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); re-encode it")


@dataclass(frozen=True)
class TitleForm:
    """A form of a title: its nominative singular `word`, gender, number, case, and the title of the other gender."""

    word: str
    gender: str
    number: str
    case: str
    pair: str

    @property
    def swapped(self) -> str:
        """The same form of the other title, lower case."""
        return inflect(self.pair, OTHER_GENDER[self.gender], self.number, self.case)


class Titles:
    """The pairs of the dictionary, but for words of common gender; the first feminine word of each is its pair."""

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
        """Return what titles of the dictionary a word can be."""
        return tuple(self._forms.get(normalise(word), ()))

    def parts(self, word: str) -> list[tuple[str, tuple[TitleForm, ...]]]:
        """Return what of a word is a title: all of it, its parts between hyphens, or what stands behind a prefix."""
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
        """Return a title that is in no pair with one made by its ending, as `parts` does.

        A feminine word needs a masculine one that pymorphy3 knows; a masculine one an ending with a usual feminine.
        """
        found = [
            form
            for masculine, feminine in dict.fromkeys(self._derived_pairs(word))
            for form in (*_forms_of(masculine, MASCULINE, feminine), *_forms_of(feminine, FEMININE, masculine))
            if normalise(word) in declension(form.word, form.gender).get((form.number, form.case), ())
        ]
        return [(word, tuple(found))] if found else []

    def is_pair(self, one: str, other: str) -> bool:
        """Whether two words, in any forms, are titles of both genders that the dictionary has as a pair."""
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
    """Whether a word is a masculine personal noun that pymorphy3's dictionary has (it guesses at others)."""
    for parse in analyse(word):
        tag = parse.tag
        is_name = "Surn" in tag or "Name" in tag or not parse.is_known
        is_noun = tag.POS == "NOUN" and tag.gender == MASCULINE and "anim" in tag and str(tag.case or "nomn") == "nomn"
        if is_noun and not is_name and parse.normal_form == word:
            return True
    return False
