"""Decide the gender of names that inflect, where one form belongs to names of both genders.

Czech *Jana* is a woman in the nominative, and a man (*Jan*) in the genitive and accusative. Each form therefore has
readings: a gender with a case. What stands beside a name rules out some of its readings: the ending of the surname
(*Nováková*), the patronymic, a preposition, a verb that agrees with its subject (*přijela*), or the other name in a
coordination. A gender is decided if all the readings that remain have it.

`name_forms.tsv` has the forms, which `tools/write_name_forms.py` generates from first names and rules of declension.
`name_evidence.tsv` has the words and endings beside names.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from textparity.counting import GENDERS
from textparity.errors import TableError
from textparity.files import read_tsv
from textparity.folding import load_folding

_FOLDER = Path(__file__).parents[1] / "resources" / "lexicons"
NAME_FORMS, EVIDENCE = _FOLDER / "name_forms.tsv", _FOLDER / "name_evidence.tsv"
CASES = ("nominative", "genitive", "dative", "accusative", "instrumental", "locative", "vocative")
# Names of the language itself outweigh those of other languages.
ORIGINS = OWN, FOREIGN = ("own", "foreign")
FORM_COLUMNS = ("lang", "origin", "gender", "cut", *CASES, "names")
# In a cell with endings, this stands for a form without one.
NOTHING = "-"
EVIDENCE_COLUMNS = ("langs", "kind", "words", *GENDERS, "note")
KINDS = SURNAME, BEFORE, OTHERWISE, ARTICLE, CONJUNCTION, AMBIGUOUS, VERB, START, LIKELY = (
    "surname", "before", "otherwise", "article", "conjunction", "ambiguous", "verb", "start", "likely",
)  # fmt: skip
ALL_CASES = "*"
# This many words on each side of a full name may decide the gender of a first name.
WORDS_BESIDE = 4
# An article may stand before a title or an adjective, and a verb after an adverb or a pronoun.
_REACH = 3

# A set of readings is a number with one bit for each gender and case.
Readings = int
_ONE_GENDER = (1 << len(CASES)) - 1
_ALL_READINGS = (1 << len(GENDERS) * len(CASES)) - 1
_OF_GENDER = {gender: _ONE_GENDER << (index * len(CASES)) for index, gender in enumerate(GENDERS)}
NO_READINGS: Readings = 0


def reading(gender: str, case: str) -> Readings:
    """Make the set of one reading."""
    first_bit = GENDERS.index(gender) * len(CASES)
    return 1 << (first_bit + CASES.index(case))


_NOMINATIVES = reading("feminine", "nominative") | reading("masculine", "nominative")


@cache
def genders_of(readings: Readings) -> frozenset[str]:
    """List the genders that some readings have."""
    return frozenset(gender for gender in GENDERS if readings & _OF_GENDER[gender])


def _in_cases_of(readings: Readings) -> Readings:
    """List the readings of both genders in the cases of some readings."""
    feminine = readings & _ONE_GENDER
    masculine = readings >> len(CASES)
    cases = feminine | masculine
    return cases | cases << len(CASES)


class Evidence:
    """The words and endings of one kind, each with the readings that a name beside them may have."""

    def __init__(self) -> None:
        self._words: dict[str, Readings] = {}
        self._endings: dict[str, Readings] = {}
        self._longest = 0

    def add(self, word: str, readings: Readings) -> None:
        """Add a word, or an ending if it begins with `*`."""
        if word.startswith("*"):
            self._endings[word[1:]] = readings
            self._longest = max(self._longest, len(word) - 1)
        else:
            self._words[word] = readings

    def of(self, word: str) -> Readings:
        """Look up the readings that a word leaves, `NO_READINGS` if it is no evidence. The longest ending decides."""
        if word in self._words:
            return self._words[word]
        for length in range(min(self._longest, len(word)), -1, -1):
            ending = word[len(word) - length :]
            if ending in self._endings:
                return self._endings[ending]
        return NO_READINGS


@dataclass(frozen=True)
class NameForms:
    """The forms of the names of one language.

    `folded` maps each form, in lower case and folded, to its readings. `spelled` does so for the forms before folding.
    """

    spelled: Mapping[str, Readings]
    folded: Mapping[str, Readings]
    evidence: Mapping[str, Evidence]
    fold: Callable[[str], str]

    def is_ambiguous(self, form: str) -> bool:
        """Check whether a form belongs to names of both genders."""
        return len(genders_of(self.readings_of(form))) == len(GENDERS)

    def readings_of(self, form: str) -> Readings:
        """Look up the readings of a form in lower case, folded or as it is spelled."""
        if form in self.folded:
            return self.folded[form]
        return self.folded.get(self.fold(form), NO_READINGS)

    def decide(self, name: str, others: Sequence[str], before: Sequence[str], after: Sequence[str]) -> str:
        """Decide the gender of a person, an empty string if nothing decides.

        `name` is the first name, and `others` are the further words of the full name, such as a patronymic and a
        surname, all in lower case. `before` and `after` have up to `WORDS_BESIDE` words beside the full name in its
        sentence, as written and without signs. The nearest word comes last in `before`, and first in `after`.
        """
        readings = self.readings_of(name)
        for allowed in self._allowed(others, before, after):
            remaining = readings & allowed
            readings = remaining or readings
            genders = genders_of(readings)
            if len(genders) == 1:
                return min(genders)
        return ""

    def _allowed(self, others: Sequence[str], before: Sequence[str], after: Sequence[str]) -> Iterator[Readings]:
        """List the readings that each piece of evidence allows, the strongest evidence first."""
        yield from self._allowed_by_names(others)
        # The nearest word comes first on both sides.
        words_before = before[::-1]
        preceding = [self.fold(word.lower()) for word in words_before]
        following = [self.fold(word.lower()) for word in after]
        yield self._of_first(ARTICLE, preceding[:_REACH])
        directly_before = self._of_first(BEFORE, preceding[:1])
        yield directly_before or self.evidence[OTHERWISE].of("")
        coordinated_before = self._beside_conjunction(words_before)
        coordinated_after = self._beside_conjunction(after)
        yield coordinated_before
        yield coordinated_after
        if preceding and self.evidence[AMBIGUOUS].of(preceding[0]):
            return
        # The words beside the name come first. The verb of two coordinated persons is in the plural or dual.
        if not coordinated_before and not coordinated_after:
            nearest_first = [*following[:1], *preceding[:1], *following[1:_REACH]]
            yield self._of_first(VERB, nearest_first)
        if self._of_first(VERB, preceding[:1]):
            # The verb has another subject, so the name is not in the nominative.
            yield ~_NOMINATIVES
        if not preceding:
            yield self.evidence[START].of("")
        for other in others:
            yield self.evidence[LIKELY].of(self.fold(other))

    def _allowed_by_names(self, others: Sequence[str]) -> Iterator[Readings]:
        """List the readings that each further word of the full name allows."""
        for other in others:
            yield self.evidence[SURNAME].of(self.fold(other))
            # A further first name, as in *Jana Pavla*.
            further = self.readings_of(other)
            if len(genders_of(further)) == 1:
                yield further

    def _of_first(self, kind: str, words: Sequence[str]) -> Readings:
        """Look up the readings that the first of some words leaves that is evidence of a kind."""
        for word in words:
            readings = self.evidence[kind].of(word)
            if readings:
                return readings
        return NO_READINGS

    def _beside_conjunction(self, words: Sequence[str]) -> Readings:
        """Find the cases of a coordinated name, given the words beside a name from the nearest on."""
        if not words:
            return NO_READINGS
        nearest = self.fold(words[0].lower())
        if not self.evidence[CONJUNCTION].of(nearest):
            return NO_READINGS
        readings = _ALL_READINGS
        for word in words[1:]:
            if not word[:1].isupper():
                break
            name = self.fold(word.lower())
            of_name = self.readings_of(name) or self.evidence[SURNAME].of(name)
            remaining = readings & of_name
            readings = remaining or readings
        return _in_cases_of(readings)


@cache
def read_form_rows(lang: str) -> list[dict[str, str]]:
    """Read the forms of a language: a row for all names with the same origin, gender and endings."""
    rows = _read_table()
    return [row for row in rows if row["lang"] == lang]


@cache
def _read_table() -> list[dict[str, str]]:
    return read_tsv(NAME_FORMS, FORM_COLUMNS, allowed={"gender": GENDERS, "origin": ORIGINS})


@cache
def read_evidence_rows(lang: str) -> list[dict[str, str]]:
    """Read the words and endings that are evidence in a language."""
    rows = read_tsv(EVIDENCE, EVIDENCE_COLUMNS, allowed={"kind": KINDS})
    return [row for row in rows if lang in row["langs"].split()]


@cache
def load_name_forms(lang: str) -> NameForms | None:
    """Load the forms of the names of a language, None for a language whose names have no table of forms.

    Raises `TableError` if a table has an unknown case.
    """
    rows = read_form_rows(lang)
    if not rows:
        return None
    spelled = _merge_origins(rows)
    # Folding all forms at once is faster than one by one.
    fold = load_folding(lang).fold
    folded_forms = fold("\n".join(spelled)).split("\n")
    folded: dict[str, Readings] = {}
    for form, readings in zip(folded_forms, spelled.values(), strict=True):
        known = folded.get(form, NO_READINGS)
        folded[form] = known | readings
    for form, folded_form in zip(spelled, folded_forms, strict=True):
        spelled[form] = folded[folded_form]
    return NameForms(spelled, folded, _load_evidence(lang), fold)


def _merge_origins(rows: Iterable[Mapping[str, str]]) -> dict[str, Readings]:
    """List the readings of all forms, of which those of the language's own names come first."""
    own_rows = [row for row in rows if row["origin"] == OWN]
    foreign_rows = [row for row in rows if row["origin"] == FOREIGN]
    own = _expand(own_rows)
    spelled = dict(own)
    for form, readings in _expand(foreign_rows).items():
        own_readings = own.get(form, NO_READINGS)
        nominatives = readings & _NOMINATIVES
        if not own_readings:
            spelled[form] = readings
        elif nominatives and not own_readings & _NOMINATIVES:
            # A name of another language may be the inflected form of one of the language.
            spelled[form] = _without_vocatives(own_readings | nominatives)
    return spelled


def _without_vocatives(readings: Readings) -> Readings:
    """Leave out the vocative of one gender if it is written as the nominative of the other, which is more frequent."""
    for gender, other in (GENDERS, reversed(GENDERS)):
        vocative = reading(gender, "vocative")
        other_cases = readings & _OF_GENDER[gender] & ~vocative
        has_other_nominative = readings & reading(other, "nominative")
        if has_other_nominative and not other_cases:
            readings &= _OF_GENDER[other]
    return readings


def _expand(rows: Iterable[Mapping[str, str]]) -> dict[str, Readings]:
    """List all forms of the names of some rows, in lower case."""
    forms: dict[str, Readings] = {}
    for row in rows:
        endings = _read_endings(row)
        names = row["names"].lower().split()
        stem_end = -len(row["cut"]) or None
        for name in names:
            stem = name[:stem_end].replace("_", " ")
            for ending, readings in endings.items():
                form = stem + ending
                known = forms.get(form, NO_READINGS)
                forms[form] = known | readings
    return {form: _without_vocatives(readings) for form, readings in forms.items()}


def _read_endings(row: Mapping[str, str]) -> dict[str, Readings]:
    """Read the endings of a row, each with its readings."""
    endings: dict[str, Readings] = {}
    for case in CASES:
        of_case = reading(row["gender"], case)
        for cell in row[case].split():
            ending = "" if cell == NOTHING else cell
            known = endings.get(ending, NO_READINGS)
            endings[ending] = known | of_case
    return endings


def _load_evidence(lang: str) -> dict[str, Evidence]:
    fold = load_folding(lang).fold
    evidence = {kind: Evidence() for kind in KINDS}
    for row in read_evidence_rows(lang):
        readings = _read_cases(row)
        kind = row["kind"]
        of_kind = evidence[kind]
        if kind in (START, OTHERWISE):
            of_kind.add("", readings)
        for word in row["words"].split():
            of_kind.add(fold(word), readings)
    return evidence


def _read_cases(row: Mapping[str, str]) -> Readings:
    """Read the cases that a row of evidence allows for each gender."""
    readings = NO_READINGS
    for gender in GENDERS:
        for case in row[gender].split():
            if case == ALL_CASES:
                readings |= _OF_GENDER[gender]
            elif case in CASES:
                readings |= reading(gender, case)
            else:
                raise TableError(f"{EVIDENCE}: {row[gender]!r} must list {', '.join(CASES)}, or {ALL_CASES}")
    return readings
