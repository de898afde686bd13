"""Tell the names of things from those of persons, by what the whole document shows.

A name is that of a thing in the whole document if it stands once beside a word for one (*Hurricane Rosa*, *Maris
Street*) or a score, if its verbs are mostly plural (*Ayr have won*), if it is a country, or if the pipeline marks it
more often as something else than as a person. It is a person's if a first name, a title or a noun for a person stands
with it anywhere (*Michael Jordan*, *Miss Florence*).
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textparity.persons.annotations import PERSON_LABELS
from textparity.persons.rules import COUNTRY, Rules

# Labels of entities that are no persons, and by how many of them a name that is no known place must be marked as such
# more often than as a person.
NO_PERSONS = frozenset(
    {"NORP", "LANGUAGE", "DATE", "TIME", "EVENT", "LAW", "MONEY", "FAC", "GPE", "LOC", "ORG", "MISC"}
)
MORE_SIGNS = 2
# The name of a country is a person's if it has at least this many pronouns, or is a first name that often.
MIN_SIGNS = 3
# Teams stand before or after a score (*Ayr 38 - 17 Melrose*).
SCORE = re.compile(r"\d{1,3} ?[-–:] ?\d{1,3}")


@dataclass(frozen=True)
class Name:
    """A name without its titles, on tokens `start` to `end` (exclusive), with its words in lower case.

    `is_titled`: a title or a noun for a person stands with it. `is_first`: it begins with a known first name.
    `plural`: 1 as the subject of a plural verb (*Ayr have won*), -1 as that of a singular one.
    """

    start: int
    end: int
    parts: tuple[str, ...]
    is_titled: bool
    is_first: bool
    plural: int = 0

    @property
    def form(self) -> str:
        """The name as it is compared."""
        return " ".join(self.parts)

    @property
    def ends(self) -> tuple[str, str]:
        """The first and the last word."""
        return self.parts[0], self.parts[-1]


def find_things(
    words: Sequence[str],
    labels: Sequence[str],
    names: Sequence[Name],
    rules: Rules,
    pronouns: Mapping[tuple[str, ...], int],
) -> tuple[set[int], set[str]]:
    """Find which of the `names` are those of things, by their numbers, and all names of things, in lower case.

    `words` are the tokens of a document, and `labels` those of the entities at each of them. `pronouns` has the number
    of pronouns for women or men that come next after a name, by its parts.
    """
    document = _Document(words, labels, rules)
    beside, things, persons = set[int](), set[str](), set[str]()
    names_of_form: defaultdict[str, list[Name]] = defaultdict(list)
    for index, name in enumerate(names):
        names_of_form[name.form].append(name)
        forms = document.forms_of_thing(name)
        if forms and not name.is_titled:
            beside.add(index)
            things |= forms
        else:
            persons |= document.words_of_person(name)
    for form, same_names in names_of_form.items():
        if document.is_mostly_thing(form, same_names, pronouns):
            things.add(form)
    things -= persons
    for index, name in enumerate(names):
        if name.form in things and persons.isdisjoint(name.ends):
            beside.add(index)
    return beside, things


class _Document:
    """The words of a document and the labels of their entities, with the rules for words beside names of things."""

    def __init__(self, words: Sequence[str], labels: Sequence[str], rules: Rules) -> None:
        self._words = words
        self._labels = labels
        self._places = rules.places
        self._lower = [word.lower() for word in words]
        # A name stands after some words for things, and before others.
        self._leading = rules.of_kind("no_person_after")
        self._trailing = rules.of_kind("no_person_before")
        self._surnames = rules.of_kind("surname")
        self._before_place = rules.of_kind("before_place")
        self._positions: defaultdict[str, list[int]] = defaultdict(list)
        for position, word in enumerate(self._lower):
            self._positions[word].append(position)

    def forms_of_thing(self, name: Name) -> set[str]:
        """List the forms of a name that stands beside a word for a thing, or a score. Empty for any other name."""
        parts = self._without_word_for_thing(name)
        is_thing = parts != name.parts or self._is_beside_word(name)
        if not is_thing and not name.is_first:
            is_thing = self._is_beside_score(name)
        return {name.form, " ".join(parts)} if is_thing else set()

    def _without_word_for_thing(self, name: Name) -> tuple[str, ...]:
        """Remove a word for a thing, which the pipeline may take as part of the name, from its parts."""
        parts = name.parts
        if len(parts) == 1:
            return parts
        # River Phoenix and Nathan Lane have first names, but so have John Street and the Ryder Cup.
        if parts[0] in self._leading and not name.is_first:
            return parts[1:]
        is_surname = name.is_first and parts[-1] in self._surnames
        if parts[-1] in self._trailing and not is_surname:
            return parts[:-1]
        return parts

    def _is_beside_word(self, name: Name) -> bool:
        if name.start > 0:
            before = self._lower[name.start - 1]
            if before in self._leading:
                return True
        if name.end == len(self._words):
            return False
        following = self._words[name.end]
        return following[:1].isupper() and self._lower[name.end] in self._trailing

    def _is_beside_score(self, name: Name) -> bool:
        following = self._words[name.end : name.end + 3]
        if SCORE.match(" ".join(following)):
            return True
        # A score is one token, or three.
        for length in (1, 3):
            before = self._words[name.start - length : name.start]
            if SCORE.fullmatch(" ".join(before)):
                return True
        return False

    def words_of_person(self, name: Name) -> set[str]:
        """List the first and the last word of a name that is a person's by itself. Empty for any other name."""
        ends = set(name.ends)
        if name.is_titled:
            return ends
        if len(name.parts) == 1 or name.form in self._places:
            return set()
        if name.is_first:
            return ends
        # A country in a longer name is a person's only beside a first name (*Denzel Washington*).
        return {word for word in ends if self._places.get(word) != COUNTRY}

    def is_mostly_thing(self, form: str, names: Sequence[Name], pronouns: Mapping[tuple[str, ...], int]) -> bool:
        """Check whether a form has more signs of a thing than of a person, in all places where the document has it."""
        first_names = sum(name.is_first for name in names)
        is_group = not first_names and sum(name.plural for name in names) > 0
        if is_group:
            return True
        as_person = first_names + pronouns.get(tuple(form.split()), 0)
        kind_of_place = self._places.get(form, "")
        if kind_of_place == COUNTRY and as_person < MIN_SIGNS:
            return True
        as_thing = 0 if kind_of_place else -MORE_SIGNS
        for position in self._positions_of(form):
            label = self._labels[position]
            as_person += label in PERSON_LABELS
            as_thing += label in NO_PERSONS
            if kind_of_place and position > 0:
                before = self._lower[position - 1]
                as_thing += before in self._before_place
        return as_thing > as_person

    def _positions_of(self, form: str) -> list[int]:
        """List the first tokens of all places where the document has a form."""
        first, *others = form.split()
        positions = self._positions[first]
        if not others:
            return positions
        length = len(others)
        return [start for start in positions if self._lower[start + 1 : start + 1 + length] == others]
