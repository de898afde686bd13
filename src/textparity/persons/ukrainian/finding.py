"""Mentions of persons in Ukrainian, by a dictionary: titles and other nouns for persons, names, and pronouns."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from unicodedata import normalize

from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED, Mention
from textparity.persons.ukrainian.genders import (
    CorrectedJobs,
    CorrectedNames,
    Reading,
    read_adjectives,
    read_form,
    unify,
)
from textparity.persons.ukrainian.syntax import RuleParser
from textparity.persons.ukrainian.word_lists import GenderLists
from textparity.persons.ukrainian.words import analyse

if TYPE_CHECKING:
    from textparity.persons.methods import Method

_WORD = re.compile(r"[^\W\d_][\w'’ʼ]*(?:-[^\W\d_][\w'’ʼ]*)*")
# Between the words of a name, an initial's full stop and one space.
_WITHIN_NAME = re.compile(r"\.?[ \u00a0]?")
_NAMES = frozenset(("Name", "Patr", "Surn"))
_NOMINAL = frozenset(("NOUN", "ADJF"))
_LONGEST_NAME, _SHORTEST_PART = 4, 4
_MARKS = " \u00a0«»„“”\"'–—-("
# How far back, in characters, a pronoun looks.
_REACH = 400
Span = tuple[int, int]


class DictionaryFinder:
    """Finds persons in Ukrainian texts; `others` finds what else the lexicon has, pronouns among it.

    `no_persons` are other animate nouns, animals for the most part.
    `grammatical`: a masculine plural is masculine, else it is for anyone.
    """

    def __init__(
        self,
        lists: GenderLists,
        person_nouns: frozenset[str],
        no_persons: Collection[str],
        others: "Method",
        grammatical: bool = False,
    ) -> None:
        self._jobs, self._names = CorrectedJobs(lists, RuleParser()), CorrectedNames(lists)
        self._listed = {unify(noun) for noun in person_nouns} | self._jobs.listed.keys()
        self._first_names = {unify(name) for name in (*lists.feminine_names, *lists.masculine_names)}
        self._no_persons, self._others, self._grammatical = frozenset(no_persons), others, grammatical

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Yield the mentions of each text, in text order; places are characters of the text in NFC."""
        texts = [normalize("NFC", text) for text in texts]
        for text, others in zip(texts, self._others.find(texts), strict=True):
            words = [match.span() for match in _WORD.finditer(text)]
            names = list(self._name_spans(text, words))
            taken = {place for span in names for place in range(*span)}
            found = [self._name(text, span) for span in names]
            found += [self._title(text, *span) for span in self._title_spans(text, words) if span[0] not in taken]
            taken |= {place for mention in found for place in range(mention.start, mention.end)}
            found += [mention for mention in others if taken.isdisjoint(range(mention.start, mention.end))]
            yield list(_numbered(sorted(found, key=lambda mention: mention.start)))

    def _name_spans(self, text: str, words: list[Span]) -> Iterator[Span]:
        """Yield runs of capitalised words from the first that is a name on, with the initials before it."""
        run: list[Span] = []
        for start, end in [*words, (len(text), len(text))]:
            follows = run and _WITHIN_NAME.fullmatch(text, run[-1][1], start)
            if run and not (follows and text[start : start + 1].isupper()):
                yield from self._names_in(text, run)
                run = []
            if text[start : start + 1].isupper():
                run.append((start, end))

    def _names_in(self, text: str, run: list[Span]) -> Iterator[Span]:
        known = [place for place, span in enumerate(run) if self._is_name(text[slice(*span)])]
        # A single letter before a surname that no dictionary has.
        known += [place for place, (start, end) in enumerate(run[:-1]) if end - start == 1 and text[end] == "."]
        if not known or (len(run) == 1 and self._is_word(text, *run[0])):
            return
        first = min(known)
        while first and run[first - 1][1] - run[first - 1][0] == 1:
            first -= 1
        last = min(len(run), first + _LONGEST_NAME) - 1
        yield run[first][0], run[last][1]

    def _is_name(self, word: str) -> bool:
        parses = analyse(word)
        known = [parse for parse in parses if parse.is_known]
        names = [parse for parse in known or parses if _NAMES & parse.tag.grammemes]
        others = [parse for parse in known if parse not in names]
        if any(parse.tag.POS not in ("NOUN", "ADJF") for parse in others):
            return False
        if unify(word) in self._first_names:
            return True
        # Towns, for the most part.
        return bool(names) and not any("inan" in parse.tag for parse in others)

    @staticmethod
    def _is_word(text: str, start: int, end: int) -> bool:
        """Whether a word that begins a sentence is rather not a name."""
        begins = not text[:start].strip() or text[:start].rstrip(_MARKS)[-1:] in (*".!?…:\n", "")
        known = [parse for parse in analyse(text[start:end]) if parse.is_known]
        return begins and not (known and all(_NAMES & parse.tag.grammemes for parse in known))

    def _name(self, text: str, span: Span) -> Mention:
        name = text[slice(*span)]
        gender = self._names.gender(name)
        evidence = "name" if gender in (FEMININE, MASCULINE) else ""
        return Mention(*span, name, "name", gender if evidence else UNSPECIFIED, 0, evidence)

    def _title_spans(self, text: str, words: list[Span]) -> Iterator[Span]:
        """Yield nouns for persons with the adjectives before them, and adjectives of the lists without a noun."""
        before: list[Span] = []
        for number, (start, end) in enumerate(words):
            word = unify(text[start:end])
            if before and text[before[-1][1] : start].strip(" \u00a0"):
                before = []
            if self._is_person(word):
                yield (before[0][0] if before else start), end
                before = []
            elif read_adjectives(word):
                following = unify(text[slice(*words[number + 1])]) if number + 1 < len(words) else ""
                listed = [reading for reading in read_adjectives(word) if reading.lemma in self._listed]
                if listed and not self._goes_on(listed, following):
                    yield start, end
                    before = []
                else:
                    before.append((start, end))
            else:
                before = []

    @staticmethod
    def _goes_on(adjectives: list[Reading], following: str) -> bool:
        """Whether the word after an adjective is one more, or a noun that it belongs to."""
        nouns = [Reading("", *read_form(parse)) for parse in analyse(following) if following and "NOUN" in parse.tag]
        agrees = any(noun.agrees_with(adjective) for noun in nouns for adjective in adjectives)
        return agrees or bool(following and read_adjectives(following))

    def _is_person(self, word: str) -> bool:
        """Whether a word is a noun of the lists, one that can only be animate, or a new one made like either."""
        parses = analyse(word)
        known = [parse for parse in parses if parse.is_known]
        nouns = [reading for reading in self._jobs.nouns(word) if reading.lemma not in self._no_persons]
        if not known:
            return any(reading.gender == FEMININE or self._ends_in_listed(reading.lemma) for reading in nouns)
        words = [parse for parse in known if not _NAMES & parse.tag.grammemes] or known
        if any(parse.tag.POS not in _NOMINAL for parse in words):
            return False
        if any(reading.lemma in self._listed for reading in nouns):
            return True
        are_animate = all("anim" in parse.tag for parse in words if "NOUN" in parse.tag)
        return bool(nouns) and are_animate and not read_adjectives(word)

    def _ends_in_listed(self, lemma: str) -> bool:
        """Whether the last part of a compound is in the lists: держінспектор, поет-пісняр."""
        return any(lemma[place:] in self._listed for place in range(len(lemma) - _SHORTEST_PART + 1))

    def _title(self, text: str, start: int, end: int) -> Mention:
        title = text[start:end]
        gender = self._jobs.gender(title)
        readings: list[Reading] = self._jobs.nouns(unify(title.split()[-1]))
        is_plural = bool(readings) and all(reading.is_plural for reading in readings)
        if gender not in (FEMININE, MASCULINE) or (gender == MASCULINE and is_plural and not self._grammatical):
            gender = UNSPECIFIED
        return Mention(start, end, title, "noun", gender, 0, "noun" if gender != UNSPECIFIED else "")


def _numbered(mentions: list[Mention]) -> Iterator[Mention]:
    """Yield mentions with the number of their person: names by their last part, pronouns by the last that agrees."""
    persons: list[Mention] = []
    numbers: dict[str, int] = {}
    for mention in mentions:
        number = len(persons)
        if mention.kind == "name":
            number = numbers.setdefault(_lemma(mention.text.split()[-1]), number)
        elif mention.kind == "pronoun":
            near = (
                other
                for other in reversed(persons)
                if other.end > mention.start - _REACH and other.gender in (mention.gender, UNSPECIFIED)
            )
            number = next((other.entity for other in near), number)
        numbered = replace(mention, entity=number)
        if number == len(persons):
            persons.append(numbered)
        elif persons[number].gender == UNSPECIFIED or persons[number].end < mention.end:
            known = persons[number].gender if numbered.gender == UNSPECIFIED else numbered.gender
            persons[number] = replace(numbered, gender=known)
        yield numbered


def _lemma(word: str) -> str:
    surnames = (parse.normal_form for parse in analyse(word) if "Surn" in parse.tag and parse.is_known)
    return unify(next(surnames, word))
