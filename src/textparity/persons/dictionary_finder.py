"""Find mentions of persons in Ukrainian with a dictionary: titles and other nouns for persons, names, and pronouns."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from unicodedata import normalize

from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED, Mention, Rules
from textparity.persons.ukrainian_genders import (
    CorrectedJobs,
    CorrectedNames,
    GenderLists,
    GenderReading,
    analyse,
    read_adjectives,
    read_form,
    unify,
)

if TYPE_CHECKING:
    from textparity.persons.methods import Method

_WORD = re.compile(r"[^\W\d_][\w'’ʼ]*(?:-[^\W\d_][\w'’ʼ]*)*")
# What separates the words of a name: spaces, or the end of a line that was wrapped.
_GAP = r"(?: +| *\n *)"
_is_gap = re.compile(_GAP).fullmatch
# A word of a name that is followed by another, or an initial with its full stop.
_WITHIN_NAME = re.compile(rf"[\w'’ʼ-]+{_GAP}|\w\.{_GAP}?")
_NAMES = frozenset(("Name", "Patr", "Surn"))
_NOMINAL = frozenset(("NOUN", "ADJF"))
_LONGEST_NAME, _SHORTEST_PART = 4, 4
_MARKS = " «»„“”\"'–—-("
# How far back a pronoun may refer, in characters.
_REACH = 400
Span = tuple[int, int]


class DictionaryFinder:
    """Find persons in Ukrainian texts. `others` finds everything else in the lexicon, including pronouns.

    `rules` lists animate nouns that are not persons, and endings that only persons have. `grammatical`: a masculine
    plural counts as masculine; otherwise it may refer to anyone. `address` are the forms of address (*пані*).
    """

    def __init__(
        self,
        lists: GenderLists,
        person_nouns: frozenset[str],
        rules: Rules,
        others: "Method",
        grammatical: bool,
        address: Iterable[str],
    ) -> None:
        self._jobs, self._names = CorrectedJobs(lists), CorrectedNames(lists)
        self._listed = {unify(noun) for noun in person_nouns} | self._jobs.listed.keys()
        self._no_persons, self._endings = rules.of_kind("no_person"), tuple(rules.of_kind("person_ending"))
        self._others, self._grammatical = others, grammatical
        self._address = frozenset(map(unify, address))

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Find the mentions of each text, in text order. Positions count characters of the text in NFC."""
        texts = [normalize("NFC", text) for text in texts]
        for text, others in zip(texts, self._others.find(texts), strict=True):
            words = [match.span() for match in _WORD.finditer(text)]
            names = list(self._name_spans(text, words))
            taken = {place for span in names for place in range(*span)}
            found = [self._name(text, span, self._address_before(text, words, span[0])) for span in names]
            taken |= {place for mention in found for place in range(mention.start, mention.end)}
            found += [self._title(text, *span) for span in self._title_spans(text, words) if span[0] not in taken]
            taken |= {place for mention in found for place in range(mention.start, mention.end)}
            found += [mention for mention in others if taken.isdisjoint(range(mention.start, mention.end))]
            yield list(_numbered(text, sorted(found, key=lambda mention: mention.start)))

    def _name_spans(self, text: str, words: list[Span]) -> Iterator[Span]:
        """Find runs of capitalised words, each from its first name on, with the initials before it."""
        runs: list[list[Span]] = []
        for span in words:
            if text[span[0]].isupper():
                follows = runs and _WITHIN_NAME.fullmatch(text[runs[-1][-1][0] : span[0]])
                runs[-1].append(span) if follows else runs.append([span])
        places = [self._first_name_in(text, words, run) for run in runs]
        named = [(run, place) for run, place in zip(runs, places, strict=True) if place is not None]
        # A word at the beginning of a sentence may be any word, unless it is a name elsewhere in the text.
        inside = {text[slice(*run[place])] for run, place in named if place or not self._may_be_word(text, *run[place])}
        # A surname may be another word too (*Коваль*), so it is known by the names that end in it.
        surnames: set[str] = set()
        for run, place in named:
            last = run[min(len(run), place + _LONGEST_NAME) - 1]
            if last != run[place] or self._address_before(text, words, last[0]):
                surnames |= _lemmas(text[slice(*last)])
        for run, found in zip(runs, places, strict=True):
            first = found
            if len(run) == 1:
                word = text[slice(*run[0])]
                is_known = word in inside or not surnames.isdisjoint(_lemmas(word))
                first = 0 if is_known or self._address_before(text, words, run[0][0]) else None
            if first is None:
                continue
            while first and _is_initial(text, run[first - 1]):
                first -= 1
            yield run[first][0], run[min(len(run), first + _LONGEST_NAME) - 1][1]

    def _address_before(self, text: str, words: list[Span], start: int) -> Span | None:
        """Find the form of address that stands directly before a place."""
        number = bisect_left(words, (start,)) - 1
        if number < 0 or not _is_gap(text[words[number][1] : start]):
            return None
        return words[number] if unify(text[slice(*words[number])]) in self._address else None

    def _first_name_in(self, text: str, words: list[Span], run: list[Span]) -> int | None:
        for place, (start, end) in enumerate(run):
            if self._address_before(text, words, start):
                return place
            # A single letter before a name, or before a surname that is in no dictionary.
            is_initial = _is_initial(text, (start, end)) and place + 1 < len(run)
            if is_initial or self._is_name(text[start:end]):
                return place
        return None

    def _is_name(self, word: str) -> bool:
        parses = analyse(word)
        known = [parse for parse in parses if parse.is_known]
        names = [parse for parse in known or parses if _NAMES & parse.tag.grammemes]
        others = [parse for parse in known if parse not in names]
        if any(parse.tag.POS not in ("NOUN", "ADJF") for parse in others):
            return False
        if self._names.forms_of(unify(word)):
            return True
        # Most of these are names of towns.
        return bool(names) and not any("inan" in parse.tag for parse in others)

    def _may_be_word(self, text: str, start: int, end: int) -> bool:
        """Check whether a word begins a sentence and may not be a name."""
        known = [parse.tag for parse in analyse(text[start:end]) if parse.is_known]
        if self._names.forms_of(unify(text[start:end])):
            # The dictionary lists some first names also as other animate nouns, or as possessives.
            known = [tag for tag in known if "inan" in tag]
            return self._begins(text, start) and bool(known)
        names = [tag for tag in known if _NAMES & tag.grammemes]
        return self._begins(text, start) and len(names) < max(1, len(known))

    def _name(self, text: str, span: Span, address: Span | None) -> Mention:
        gender = self._names.gender(text[slice(*span)])
        evidence = "name" if gender in (FEMININE, MASCULINE) else ""
        start, end = span
        if address:
            start = address[0]
            of_address = self._jobs.gender(text[slice(*address)])
            if of_address in (FEMININE, MASCULINE):
                gender, evidence = of_address, "title"
        return Mention(start, end, text[start:end], "name", gender if evidence else UNSPECIFIED, 0, evidence)

    def _title_spans(self, text: str, words: list[Span]) -> Iterator[Span]:
        """Find nouns for persons with the adjectives before them, and adjectives of the lists without a noun."""
        before: list[Span] = []
        for number, (start, end) in enumerate(words):
            word = unify(text[start:end])
            if before and text[before[-1][1] : start].strip(" "):
                before = []
            following = unify(text[slice(*words[number + 1])]) if number + 1 < len(words) else ""
            # Before a noun, прийшла is more likely a verb.
            own = [] if any("VERB" in parse.tag for parse in analyse(word)) else read_adjectives(word)
            if own and following and self._goes_on(own, following):
                before.append((start, end))
                continue
            is_plain = text[start].islower() or self._begins(text, start)
            if self._is_person(word, is_plain) or any(adjective.lemma in self._listed for adjective in own):
                yield (before[0][0] if before else start), end
            before = []

    @staticmethod
    def _begins(text: str, start: int) -> bool:
        """Check whether a word begins a sentence or a quotation."""
        while start and text[start - 1] in _MARKS:
            start -= 1
        return not start or text[start - 1] in ".!?…:\n"

    @staticmethod
    def _goes_on(adjectives: list[GenderReading], following: str) -> bool:
        """Check whether the word after an adjective is another adjective, or a noun that it agrees with."""
        nouns = [GenderReading("", *read_form(parse)) for parse in analyse(following) if "NOUN" in parse.tag]
        agrees = any(noun.agrees_with(adjective) for noun in nouns for adjective in adjectives)
        return agrees or bool(read_adjectives(following))

    def _is_person(self, word: str, is_plain: bool) -> bool:
        """Check whether a word is a noun of the lists, one that can only be animate, or a new word formed like one."""
        parses = analyse(word)
        known = [parse for parse in parses if parse.is_known]
        nouns = [reading for reading in self._jobs.nouns(word) if reading.lemma not in self._no_persons]
        if not known:
            # The last part of a compound may be in the lists: держінспектор, поет-пісняр.
            ends = (noun.lemma[at:] for noun in nouns for at in range(len(noun.lemma) - _SHORTEST_PART + 1))
            return bool(nouns) and (is_plain or any(end in self._listed for end in ends))
        words = [parse for parse in known if not _NAMES & parse.tag.grammemes] or known
        others = {parse.tag.POS for parse in words} - _NOMINAL
        # Some titles are also verb forms (мер), but no title is also a function word.
        if others and (others != {"VERB"} or not any(reading.lemma in self._jobs.listed for reading in nouns)):
            return False
        if any(reading.lemma in self._listed for reading in nouns):
            return True
        are_animate = all(
            "anim" in parse.tag or parse.normal_form.endswith(self._endings) for parse in words if "NOUN" in parse.tag
        )
        return bool(nouns) and are_animate and not read_adjectives(word)

    def _title(self, text: str, start: int, end: int) -> Mention:
        title = text[start:end]
        gender = self._jobs.gender(title)
        readings: list[GenderReading] = self._jobs.nouns(unify(title.split()[-1]))
        is_plural = bool(readings) and all(reading.is_plural for reading in readings)
        if gender not in (FEMININE, MASCULINE) or (gender == MASCULINE and is_plural and not self._grammatical):
            gender = UNSPECIFIED
        return Mention(start, end, title, "noun", gender, 0, "noun" if gender != UNSPECIFIED else "")


def _is_initial(text: str, span: Span) -> bool:
    return span[1] - span[0] == 1 and text[span[1] : span[1] + 1] == "."


def _numbered(text: str, mentions: list[Mention]) -> Iterator[Mention]:
    """Number the persons: names match by their last part, and a pronoun refers to the last person that agrees.

    A surname alone has the gender of all persons with it.
    """
    persons: list[Mention] = []
    # The numbers of the persons with a surname, the one who was named last comes last.
    numbers: dict[str, dict[int, None]] = {}
    before: Mention | None = None
    for mention in mentions:
        number = len(persons)
        if mention.kind == "name":
            is_beside = before and before.kind == "noun" and _is_gap(text[before.end : mention.start])
            beside = before if is_beside else None
            title = beside if beside and _agree(beside, mention) else None
            if title and mention.gender == UNSPECIFIED and title.gender != UNSPECIFIED:
                mention = replace(mention, gender=title.gender, evidence="title")
            namesakes = numbers.setdefault(_lemma(mention.text.split()[-1]), {})
            genders = {persons[one].gender for one in namesakes}
            if mention.gender == UNSPECIFIED and len(genders) == 1:
                gender = genders.pop()
                mention = replace(mention, gender=gender, evidence="name" if gender != UNSPECIFIED else "")
            new = title.entity if title else number
            number = next((one for one in reversed(namesakes) if _agree(persons[one], mention)), new)
            namesakes.pop(number, None)
            namesakes[number] = None
        elif mention.kind == "pronoun":
            near = (other for other in reversed(persons) if other.end > mention.start - _REACH)
            number = next((other.entity for other in near if _agree(other, mention)), number)
        before = replace(mention, entity=number)
        if number == len(persons):
            persons.append(before)
        else:
            known = persons[number].gender if before.gender == UNSPECIFIED else before.gender
            persons[number] = replace(before, gender=known)
        yield before


def _agree(one: Mention, other: Mention) -> bool:
    return UNSPECIFIED in (one.gender, other.gender) or one.gender == other.gender


def _lemmas(word: str) -> set[str]:
    """List what a word may be a form of, as a surname or as another noun."""
    singular = {"NOUN", "sing"}
    return {unify(parse.normal_form) for parse in analyse(word) if singular in parse.tag} | {unify(word)}


def _lemma(word: str) -> str:
    surnames = (parse.normal_form for parse in analyse(word) if "Surn" in parse.tag and parse.is_known)
    return unify(next(surnames, word))
