"""Swap gender by rules: dictionary, morphology, and agreement of words within a clause.

This is a baseline that no paper measures, and it follows the rules of the paper's prompt (Nahurna 2025, §4.1.2). Titles
become their pair in the same case and number. Titles of common gender stay, and so do the words that depend on them.
Names near a swapped title become names of the other gender, with one new name per old one. A name stays if its title
had another gender (директор Олена). See `sentences` for agreement.
"""

from dataclasses import dataclass

import numpy as np

from textparity.persons.ukrainian_genders import CASES, GenderLists
from textparity_studies.swapping.corpora import Entity
from textparity_studies.swapping.sentences import (
    CASES_OF_PREPOSITION,
    NAME,
    TITLE,
    Referent,
    SwappedSentence,
    Token,
    apply_changes,
    change_attributes,
    change_pronouns,
    change_relatives,
    change_verbs,
    is_copula,
    places_of,
    read_sentence,
    shared_agreements,
)
from textparity_studies.swapping.settings import JOB, PERS
from textparity_studies.swapping.titles_and_names import (
    FIRST_NAME,
    INITIAL,
    PATRONYMIC,
    ListedNames,
    Offered,
    TitleForm,
    Titles,
    draw_names,
    inflect_name,
    kind_of_word,
    read_patronymic,
    read_surname,
    swap_patronymic,
    swap_surname,
)
from textparity_studies.swapping.word_forms import OTHER_GENDER, PLURAL, SINGULAR, cased_like

# A name belongs to the nearest title, with at most this many words between them.
NEAR = 10
_CASE_ORDER = ("nomn", "gent", "ablt", "datv", "accs", "loct", "voct")
_NAMED_AFTER = frozenset({"ім", "імені"})


@dataclass(frozen=True)
class Swapped:
    """Hold a swapped sentence, its changed words, and the first names that were offered."""

    text: str
    changes: tuple[Token, ...]
    offered: Offered


class RuleSwapper:
    """Swap sentences with one set of word lists."""

    def __init__(self, lists: GenderLists) -> None:
        self.lists = lists
        self.titles = Titles(lists)
        self.names = ListedNames(lists)

    def swap(self, text: str, generator: np.random.Generator, annotations: list[Entity] | None = None) -> Swapped:
        """Swap titles, names near them, and words that agree; without annotations, the lists find titles and names.

        A text that is only a title (or several words for one) is swapped by the dictionary alone.
        """
        offered = draw_names(self.lists, generator)
        word = text.strip()
        if word and (new := self._swap_whole(word)):
            change = Token(word, text.index(word), text.index(word) + len(word), new, TITLE)
            return Swapped(apply_changes(text, (change,)), (change,), offered)
        sentence = read_sentence(text)
        persons = self._find_persons(sentence.tokens, annotations or [])
        self._swap_titles(sentence, annotations, {place for person in persons for place in person})
        if sentence.referents:
            self._swap_persons(sentence, persons, offered)
            change_verbs(sentence)
            change_relatives(sentence)
            change_pronouns(sentence)
        changes = tuple(token for token in sentence.tokens if token.new)
        return Swapped(apply_changes(text, changes), changes, offered)

    def _swap_whole(self, text: str) -> str:
        found = []
        for word in text.split(","):
            titles = [
                title for title in self.titles.read(word.strip()) if (title.number, title.case) == (SINGULAR, "nomn")
            ]
            found += [title.swapped for title in titles[:1]]
        # The two words поетка, поетеса correspond to the one word поет.
        return cased_like(found[0], text) if len(found) == text.count(",") + 1 and len(set(found)) == 1 else ""

    # Titles.

    def _swap_titles(self, sentence: SwappedSentence, annotations: list[Entity] | None, in_names: set[int]) -> None:
        tokens = sentence.tokens
        spans = [places_of(tokens, item.start, item.end) for item in annotations or [] if item.label == JOB]
        if annotations is None:
            spans = [range(len(tokens))]
        for span in spans:
            for place in [place for place in span if place not in in_names and not tokens[place].new]:
                parts = self.titles.parts(tokens[place].text)
                if not parts and annotations is not None and self._is_head(tokens, span, place):
                    parts = self.titles.derive(tokens[place].text)
                if parts:
                    self._swap_title(sentence, place, parts)

    def _swap_title(
        self, sentence: SwappedSentence, place: int, parts: list[tuple[str, tuple[TitleForm, ...]]]
    ) -> None:
        token = sentence.tokens[place]
        title = self._choose_reading(sentence.tokens, place, parts[0][1])
        new = token.text
        for part, readings in parts:
            alike = [item for item in readings if (item.number, item.case) == (title.number, title.case)]
            new = new.replace(part, cased_like((alike or list(readings))[0].swapped, part), 1)
        token.change(new, TITLE)
        start = change_attributes(sentence.tokens, place, title)
        sentence.referents.append(Referent(range(start, place + 1), title.gender, title.number, title.case))

    def _is_head(self, tokens: list[Token], span: range, place: int) -> bool:
        """Check whether a word is the first noun of a title that has no word of the dictionary."""
        if any(self.titles.parts(tokens[other].text) for other in span):
            return False
        return not any(
            reading.part == "NOUN" for other in range(span.start, place) for reading in tokens[other].readings[:1]
        )

    def _choose_reading(self, tokens: list[Token], place: int, readings: tuple[TitleForm, ...]) -> TitleForm:
        """Choose the likeliest gender, number and case: by adjacent adjectives and names, then by the word before."""
        possible, first = list(readings), place
        while first and (found := shared_agreements(tokens[first - 1], possible)):
            possible = [
                item
                for item in possible
                if (item.gender if item.number == SINGULAR else "", item.number, item.case) in found
            ]
            first -= 1
        if place + 1 < len(tokens):
            possible = self._fitting_name(tokens[place + 1].text, possible)
        before = tokens[first - 1] if first else None
        wanted = frozenset(CASES)
        if before and before.lower in CASES_OF_PREPOSITION:
            wanted = CASES_OF_PREPOSITION[before.lower]
        elif before and any(reading.part == "NOUN" for reading in before.readings[:1]):
            wanted = frozenset({"gent"})
        elif before and any(reading.part == "VERB" for reading in before.readings):
            is_predicate = any(map(is_copula, before.readings))
            wanted = frozenset({"nomn", "ablt"} if is_predicate else {"nomn", "accs", "datv"})
        possible = [item for item in possible if item.case in wanted] or possible
        if len({item.number for item in possible}) > 1:
            plural_verb = any(
                reading.part == "VERB" and reading.number == PLURAL
                for token in tokens
                for reading in token.readings[:1]
            )
            number = PLURAL if plural_verb and any(item.case == "nomn" for item in possible) else SINGULAR
            possible = [item for item in possible if item.number == number] or possible
        return min(possible, key=lambda item: _CASE_ORDER.index(item.case))

    def _fitting_name(self, word: str, possible: list[TitleForm]) -> list[TitleForm]:
        forms = {(gender, case) for _, gender, case in self.names.read(word)}
        cases = {case for _, case in forms}
        same = [item for item in possible if item.number == SINGULAR and (item.gender, item.case) in forms]
        return same or [item for item in possible if item.case in cases] or possible

    # Persons.

    def _find_persons(self, tokens: list[Token], annotations: list[Entity]) -> list[range]:
        """Find the places of names: as annotated, or else runs of capitalised words that include a first name."""
        if any(item.label == PERS for item in annotations):
            found = [places_of(tokens, item.start, item.end) for item in annotations if item.label == PERS]
            return [places for places in found if places]
        persons, place = [], 0
        while place < len(tokens):
            end = self._end_of_name(tokens, place)
            firsts = [item for item in range(place, end) if self.names.is_clear(tokens[item].text)]
            named_after = any(token.lower in _NAMED_AFTER for token in tokens[max(0, place - 2) : place])
            if firsts and not named_after:
                # The first name may follow the surname (Петренко Олена) or precede it.
                persons.append(range(place if firsts[0] == end - 1 == place + 1 else firsts[0], end))
            place = max(end, place + 1)
        return persons

    def _end_of_name(self, tokens: list[Token], place: int) -> int:
        """Find the end of a run of capitalised words and initials; a second first name starts a new run."""
        end, firsts, others = place, 0, 0
        while end < len(tokens):
            word = tokens[end].text
            is_first = self.names.is_clear(word)
            is_dot = word == "." and end > place and len(tokens[end - 1].text) == 1
            if (is_first and firsts and others) or not (is_dot or (word[0].isupper() and not self.titles.read(word))):
                break
            firsts += is_first
            others += not is_first
            end += 1
        return end

    def _swap_persons(self, sentence: SwappedSentence, persons: list[range], offered: Offered) -> None:
        new_names: dict[tuple[str, str], str] = {}
        for person in persons:
            title = _nearest_title(sentence, person)
            forms = self._read_person(sentence.tokens, person, title)
            genders = {gender for gender, _ in forms}
            is_other = title is not None and title.number == SINGULAR and title.gender not in genders
            if title is None or not forms or is_other:
                sentence.kept_genders |= genders or set(OTHER_GENDER)
                continue
            gender, case = forms[0]
            for place in person:
                self._swap_name(sentence.tokens[place], gender, case, new_names, offered)
            sentence.referents.append(Referent(person, gender, SINGULAR, case, is_name=True))

    def _swap_name(
        self, token: Token, gender: str, case: str, new_names: dict[tuple[str, str], str], offered: Offered
    ) -> None:
        if not token.is_word:
            return
        new_gender, kind = OTHER_GENDER[gender], kind_of_word(token.text, self.names)
        first = [name for name, *form in self.names.read(token.text) if form == [gender, case]]
        if kind == FIRST_NAME and first:
            names = offered[new_gender]
            taken = sum(old_gender == gender for _, old_gender in new_names)
            new = new_names.setdefault((first[0], gender), names[taken % len(names)])
            token.change(inflect_name(new, new_gender, case), NAME)
        elif kind == PATRONYMIC:
            token.change(swap_patronymic(token.text, new_gender, case), NAME)
        elif kind != INITIAL:
            token.change(swap_surname(token.text, new_gender, case), NAME)

    def _read_person(self, tokens: list[Token], person: range, title: Referent | None) -> list[tuple[str, str]]:
        """List the genders and cases that the words of a name can have together, the likeliest first."""
        known: list[set[tuple[str, str]]] = []
        has_first = False
        for word in [tokens[place].text for place in person if tokens[place].is_word]:
            kind = kind_of_word(word, self.names)
            if kind == FIRST_NAME and not has_first:
                has_first = True
                known.append({(gender, case) for _, gender, case in self.names.read(word)})
            elif kind == PATRONYMIC:
                known.append(set(read_patronymic(word)))
            elif surname := read_surname(word):
                known.append(set(surname))
        if not known and (title is None or title.number == PLURAL):
            return []
        possible = known[0] if known else {(gender, case) for gender in OTHER_GENDER for case in CASES}
        for forms in known[1:]:
            possible = possible & forms or possible
        if title is not None and title.number == SINGULAR:
            beside = title.places.stop == person.start
            if beside and (title.gender, title.case) in possible:
                possible = {(title.gender, title.case)}
            elif not known:
                possible = {(title.gender, "nomn")}
            else:
                possible = {form for form in possible if form[0] == title.gender} or possible
        return sorted(possible, key=lambda form: (_CASE_ORDER.index(form[1]), form[0]))


def _nearest_title(sentence: SwappedSentence, person: range) -> Referent | None:
    titles = [referent for referent in sentence.referents if not referent.is_name]
    nearest = min(titles, key=lambda title: _distance(title.places, person))
    return nearest if _distance(nearest.places, person) <= NEAR else None


def _distance(one: range, other: range) -> int:
    low, high = sorted((one, other), key=lambda places: places.start)
    return high.start - low.stop
