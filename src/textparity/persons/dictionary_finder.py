"""Find mentions of persons in Ukrainian with a dictionary: titles and other nouns for persons, names, and pronouns."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import filterfalse
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED, Mention, Method
from textparity.persons.rules import Rules
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
    from pymorphy3.analyzer import Parse

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


class WordSpan(NamedTuple):
    """Characters `start` to `end` (exclusive) of a text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Cut the span out of its text."""
        return text[self.start : self.end]


@dataclass(frozen=True)
class _Run:
    """Capitalised words that follow each other. `first_name` is the index of a name's first word, if there is one."""

    words: list[WordSpan]
    first_name: int | None

    def last_of_name(self, first: int) -> WordSpan:
        """Find the last word of a name whose first word has this index."""
        end = min(len(self.words), first + _LONGEST_NAME)
        return self.words[end - 1]


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
        others: Method,
        grammatical: bool,
        address: Iterable[str],
    ) -> None:
        self._jobs = CorrectedJobs(lists)
        self._names = CorrectedNames(lists)
        self._listed = {*map(unify, person_nouns), *self._jobs.listed}
        self._no_persons = rules.of_kind("no_person")
        self._endings = tuple(rules.of_kind("person_ending"))
        self._others = others
        self._grammatical = grammatical
        self._address = frozenset(map(unify, address))

    def find(self, texts: Sequence[str]) -> Iterator[list[Mention]]:
        """Find the mentions of each text, in text order. Positions count characters of the text in NFC."""
        composed = [normalize("NFC", text) for text in texts]
        others_of_texts = self._others.find(composed)
        for text, others in zip(composed, others_of_texts, strict=True):
            numbering = _PersonNumbering(text)
            mentions = self._find_in(text, others)
            yield list(map(numbering.number, mentions))

    def _find_in(self, text: str, others: list[Mention]) -> list[Mention]:
        """Find names, then titles outside them, and keep the `others` that overlap with neither."""
        words = [WordSpan(*match.span()) for match in _WORD.finditer(text)]
        mentions = []
        for span in self._name_spans(text, words):
            address = self._address_before(text, words, span.start)
            mentions.append(self._name(text, span, address))
        in_names = _characters_of(mentions)
        for span in self._title_spans(text, words):
            if span.start not in in_names:
                title = self._title(text, span)
                mentions.append(title)
        taken = _characters_of(mentions)
        for mention in others:
            characters = range(mention.start, mention.end)
            if taken.isdisjoint(characters):
                mentions.append(mention)
        return sorted(mentions, key=lambda mention: mention.start)

    def _name_spans(self, text: str, words: list[WordSpan]) -> Iterator[WordSpan]:
        """Find runs of capitalised words, each from its first name on, with the initials before it."""
        runs = []
        for run_words in _capitalised_runs(text, words):
            first_name = self._first_name_in(text, words, run_words)
            runs.append(_Run(run_words, first_name))
        names = self._sure_names(text, runs)
        surnames = self._surnames(text, words, runs)
        for run in runs:
            first = run.first_name
            if len(run.words) == 1:
                (span,) = run.words
                word = span.of(text)
                is_known = word in names or not surnames.isdisjoint(_lemmas(word))
                is_name = is_known or self._address_before(text, words, span.start)
                first = 0 if is_name else None
            if first is None:
                continue
            while first and _is_initial(text, run.words[first - 1]):
                first -= 1
            last_word = run.last_of_name(first)
            yield WordSpan(run.words[first].start, last_word.end)

    def _sure_names(self, text: str, runs: list[_Run]) -> set[str]:
        """List the first names of runs, except words at the beginning of a sentence, which may be any word.

        They are names if they are names elsewhere in the text.
        """
        names = set()
        for run in runs:
            first = run.first_name
            if first is None:
                continue
            span = run.words[first]
            if first > 0 or not self._may_be_word(text, span):
                names.add(span.of(text))
        return names

    def _surnames(self, text: str, words: list[WordSpan], runs: list[_Run]) -> set[str]:
        """List the lemmas of surnames. A surname may be another word (*Коваль*), so names have to end in it."""
        surnames: set[str] = set()
        for run in runs:
            if run.first_name is None:
                continue
            first = run.words[run.first_name]
            last = run.last_of_name(run.first_name)
            if last != first or self._address_before(text, words, last.start):
                surnames |= _lemmas(last.of(text))
        return surnames

    def _address_before(self, text: str, words: list[WordSpan], start: int) -> WordSpan | None:
        """Find the form of address that stands directly before a position."""
        index = bisect_left(words, (start,)) - 1
        if index < 0:
            return None
        before = words[index]
        if not _is_gap(text[before.end : start]):
            return None
        word = unify(before.of(text))
        return before if word in self._address else None

    def _first_name_in(self, text: str, words: list[WordSpan], run: list[WordSpan]) -> int | None:
        for index, span in enumerate(run):
            if self._address_before(text, words, span.start):
                return index
            # A single letter before a name, or before a surname that is in no dictionary.
            has_following = index + 1 < len(run)
            is_initial = has_following and _is_initial(text, span)
            if is_initial or self._is_name(span.of(text)):
                return index
        return None

    def _is_name(self, word: str) -> bool:
        parses = analyse(word)
        known = [parse for parse in parses if parse.is_known]
        names = list(filter(_may_name_person, known or parses))
        tags_of_others = [parse.tag for parse in known if parse not in names]
        if any(tag.POS not in _NOMINAL for tag in tags_of_others):
            return False
        if self._names.forms_of(unify(word)):
            return True
        # Most of these are names of towns.
        return bool(names) and not any("inan" in tag for tag in tags_of_others)

    def _may_be_word(self, text: str, span: WordSpan) -> bool:
        """Check whether a word begins a sentence and may not be a name."""
        if not self._begins(text, span.start):
            return False
        word = span.of(text)
        known = [parse for parse in analyse(word) if parse.is_known]
        if self._names.forms_of(unify(word)):
            # The dictionary lists some first names also as other animate nouns, or as possessives.
            return any("inan" in parse.tag for parse in known)
        return not known or not all(map(_may_name_person, known))

    def _name(self, text: str, span: WordSpan, address: WordSpan | None) -> Mention:
        start, end = span
        name = span.of(text)
        gender = self._names.gender(name)
        evidence = "name"
        if address:
            start = address.start
            of_address = self._jobs.gender(address.of(text))
            if of_address in (FEMININE, MASCULINE):
                gender = of_address
                evidence = "title"
        if gender not in (FEMININE, MASCULINE):
            gender, evidence = UNSPECIFIED, ""
        return Mention(start, end, text[start:end], "name", gender, 0, evidence, untitled=name)

    def _title_spans(self, text: str, words: list[WordSpan]) -> Iterator[WordSpan]:
        """Find nouns for persons with the adjectives before them, and adjectives of the lists without a noun."""
        # The adjectives directly before the word.
        before: WordSpan | None = None
        for index, span in enumerate(words):
            word = unify(span.of(text))
            if before and text[before.end : span.start].strip(" "):
                before = None
            with_adjectives = WordSpan(before.start if before else span.start, span.end)
            adjectives = _adjectives_of(word)
            if adjectives and index + 1 < len(words):
                following = unify(words[index + 1].of(text))
                if self._goes_on(adjectives, following):
                    before = with_adjectives
                    continue
            is_plain = text[span.start].islower() or self._begins(text, span.start)
            is_listed = any(adjective.lemma in self._listed for adjective in adjectives)
            if is_listed or self._is_person(word, is_plain):
                yield with_adjectives
            before = None

    @staticmethod
    def _begins(text: str, start: int) -> bool:
        """Check whether a word begins a sentence or a quotation."""
        while start and text[start - 1] in _MARKS:
            start -= 1
        return not start or text[start - 1] in ".!?…:\n"

    @staticmethod
    def _goes_on(adjectives: list[GenderReading], following: str) -> bool:
        """Check whether the word after an adjective is another adjective, or a noun that it agrees with."""
        for parse in analyse(following):
            if "NOUN" in parse.tag:
                noun = GenderReading("", *read_form(parse))
                if any(map(noun.agrees_with, adjectives)):
                    return True
        return bool(read_adjectives(following))

    def _is_person(self, word: str, is_plain: bool) -> bool:
        """Check whether a word is a noun of the lists, one that can only be animate, or a new word formed like one."""
        lemmas = {noun.lemma for noun in self._jobs.nouns(word)} - self._no_persons.keys()
        if not lemmas:
            return False
        known = [parse for parse in analyse(word) if parse.is_known]
        if not known:
            return is_plain or any(map(self._ends_in_listed, lemmas))
        parses = list(filterfalse(_may_name_person, known)) or known
        # Some titles are also verb forms (мер), but no title is also a function word.
        other_parts_of_speech = {parse.tag.POS for parse in parses} - _NOMINAL
        if other_parts_of_speech:
            is_title = not lemmas.isdisjoint(self._jobs.listed)
            if other_parts_of_speech != {"VERB"} or not is_title:
                return False
        if not lemmas.isdisjoint(self._listed):
            return True
        return all(map(self._is_animate, parses)) and not read_adjectives(word)

    def _ends_in_listed(self, lemma: str) -> bool:
        """Check whether the last part of a compound may be in the lists: держінспектор, поет-пісняр."""
        starts = range(len(lemma) - _SHORTEST_PART + 1)
        return any(lemma[start:] in self._listed for start in starts)

    def _is_animate(self, parse: "Parse") -> bool:
        """Check whether a reading is no inanimate noun."""
        tag = parse.tag
        return "NOUN" not in tag or "anim" in tag or parse.normal_form.endswith(self._endings)

    def _title(self, text: str, span: WordSpan) -> Mention:
        title = span.of(text)
        gender = self._jobs.gender(title)
        if gender == MASCULINE and not self._grammatical:
            # The masculine plural may refer to anyone.
            *_, last_word = title.split()
            readings = self._jobs.nouns(unify(last_word))
            if readings and all(reading.is_plural for reading in readings):
                gender = UNSPECIFIED
        if gender not in (FEMININE, MASCULINE):
            return Mention(*span, title, "noun", UNSPECIFIED, 0)
        return Mention(*span, title, "noun", gender, 0, "noun")


def _may_name_person(parse: "Parse") -> bool:
    """Check whether a reading is a first name, a patronymic or a surname."""
    return not _NAMES.isdisjoint(parse.tag.grammemes)


def _adjectives_of(word: str) -> list[GenderReading]:
    """List the readings of a word as an adjective. Before a noun, прийшла is more likely a verb."""
    is_verb = any("VERB" in parse.tag for parse in analyse(word))
    return [] if is_verb else read_adjectives(word)


def _characters_of(mentions: Iterable[Mention]) -> set[int]:
    """List the positions of the characters of mentions."""
    characters: set[int] = set()
    for mention in mentions:
        characters.update(range(mention.start, mention.end))
    return characters


def _capitalised_runs(text: str, words: list[WordSpan]) -> list[list[WordSpan]]:
    """Group the capitalised words of a text that could be one name."""
    runs: list[list[WordSpan]] = []
    for span in words:
        if not text[span.start].isupper():
            continue
        before = runs[-1][-1] if runs else None
        if before and _WITHIN_NAME.fullmatch(text[before.start : span.start]):
            runs[-1].append(span)
        else:
            runs.append([span])
    return runs


def _is_initial(text: str, span: WordSpan) -> bool:
    return span.end - span.start == 1 and text[span.end : span.end + 1] == "."


class _PersonNumbering:
    """Number the persons of a text: names match by their last part, a pronoun refers to the last person that agrees.

    A surname alone has the gender of all persons with it.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        # The last mention of each person, with the gender known so far.
        self._persons: list[Mention] = []
        # The numbers of the persons with a surname, the one who was named last comes last.
        self._namesakes: dict[str, dict[int, None]] = {}
        self._before: Mention | None = None

    def number(self, mention: Mention) -> Mention:
        """Number the next mention in the text. A name may get the gender of its title or its namesakes."""
        if mention.kind == "name":
            mention = self._number_name(mention)
        elif mention.kind == "pronoun":
            mention = replace(mention, entity=self._referred(mention))
        else:
            mention = replace(mention, entity=len(self._persons))
        self._before = mention
        entity = mention.entity
        if entity == len(self._persons):
            self._persons.append(mention)
        elif mention.gender == UNSPECIFIED:
            known_gender = self._persons[entity].gender
            self._persons[entity] = replace(mention, gender=known_gender)
        else:
            self._persons[entity] = mention
        return mention

    def _number_name(self, name: Mention) -> Mention:
        title = self._title_before(name)
        if title and name.gender == UNSPECIFIED and title.gender != UNSPECIFIED:
            name = replace(name, gender=title.gender, evidence="title")
        *_, last_word = name.text.split()
        surname = _lemma(last_word)
        namesakes = self._namesakes.setdefault(surname, {})
        genders = {self._persons[entity].gender for entity in namesakes}
        if name.gender == UNSPECIFIED and len(genders) == 1:
            (gender,) = genders
            evidence = "name" if gender != UNSPECIFIED else ""
            name = replace(name, gender=gender, evidence=evidence)
        entity = title.entity if title else len(self._persons)
        for namesake in reversed(namesakes):
            if _agree(self._persons[namesake], name):
                entity = namesake
                break
        namesakes.pop(entity, None)
        namesakes[entity] = None
        return replace(name, entity=entity)

    def _title_before(self, name: Mention) -> Mention | None:
        """Find the noun directly before a name, if they agree."""
        before = self._before
        if before is None or before.kind != "noun" or not _is_gap(self._text[before.end : name.start]):
            return None
        return before if _agree(before, name) else None

    def _referred(self, pronoun: Mention) -> int:
        """Find the last person near a pronoun who agrees with it, or else a new one."""
        for person in reversed(self._persons):
            if person.end > pronoun.start - _REACH and _agree(person, pronoun):
                return person.entity
        return len(self._persons)


def _agree(mention: Mention, other: Mention) -> bool:
    return UNSPECIFIED in (mention.gender, other.gender) or mention.gender == other.gender


def _lemmas(word: str) -> set[str]:
    """List what a word may be a form of, as a surname or as another noun."""
    singular = {"NOUN", "sing"}
    lemmas = {unify(parse.normal_form) for parse in analyse(word) if singular in parse.tag}
    return lemmas | {unify(word)}


def _lemma(word: str) -> str:
    for parse in analyse(word):
        if "Surn" in parse.tag and parse.is_known:
            return unify(parse.normal_form)
    return unify(word)
