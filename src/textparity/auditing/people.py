"""Count the people of texts instead of their mentions: each once per document, at the first mention."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from textparity.auditing.results import PersonCount
from textparity.counting import GENDERS
from textparity.counting.terms import fix_form
from textparity.folding import NO_FOLDING
from textparity.persons.mentions import Mention
from textparity.persons.people import MentionedPerson, gender_of, groups_of, most_frequent, people_of
from textparity.persons.windows import windows_of
from textparity.reading.documents import Texts

# The people by name and gender, and their mentions by name, gender and evidence.
DocumentCounts = Counter[tuple[str, str]]
MentionCounts = Counter[tuple[str, str, str]]


@dataclass(frozen=True)
class NamedPerson:
    """Somebody whom a document, or a part of a long one, mentions by name; people of one name are taken for one.

    `text` is the number of the text with the first of the mentions.
    """

    name: str
    is_full: bool
    text: int
    mentions: tuple[Mention, ...]

    def count(self, documents: DocumentCounts, mentions: MentionCounts) -> None:
        """Count the document, and the mentions, of the person."""
        documents[self.name, gender_of(self.mentions)] += 1
        for mention in self.mentions:
            mentions[self.name, mention.gender, mention.evidence] += 1


@dataclass(frozen=True)
class PeopleOfTexts:
    """The people of some texts, each in the text of the first mention.

    `firsts` has these mentions by text, with the person's name and gender. `counts`, of shape (texts, 4), has the
    women, their mentions, the men and their mentions; `groups` the groups that are first mentioned in each text.
    `named` are the people with a name.
    """

    firsts: list[list[Mention]]
    counts: np.ndarray
    groups: np.ndarray
    named: list[NamedPerson] = field(default_factory=list)

    def add(self, text: int, person: MentionedPerson) -> None:
        """Add a person who is first mentioned in a text, given by its number."""
        first = replace(person.mentions[0], text=person.name, kind=person.kind, gender=person.gender)
        self.firsts[text].append(first)
        if person.gender in GENDERS:
            column = 2 * GENDERS.index(person.gender)
            self.counts[text, column] += 1
            self.counts[text, column + 1] += len(person.mentions)

    def add_named(self, people: Iterable[MentionedPerson], text_of: Mapping[int, int]) -> None:
        """Add those people of one window who have a name. `text_of` has the text of each mention, by its `id`."""
        people_by_name: dict[str, list[MentionedPerson]] = {}
        for person in people:
            if person.kind == "name":
                people_by_name.setdefault(person.full_name or person.name, []).append(person)
        for name, same in people_by_name.items():
            mentions: list[Mention] = []
            for person in same:
                mentions += person.mentions
            text = text_of[id(mentions[0])]
            self.named.append(NamedPerson(name, bool(same[0].full_name), text, tuple(mentions)))


def count_people(texts: Texts, mentions: Sequence[Sequence[Mention]]) -> PeopleOfTexts:
    """Count each person once in each window, which is a document, or a part of a long one."""
    size = len(mentions)
    people = PeopleOfTexts([[] for _ in range(size)], np.zeros((size, 4), np.int64), np.zeros(size, np.int64))
    folded = map(NO_FOLDING.fold, texts.texts)
    for window in windows_of(folded, texts.documents):
        in_window: list[Mention] = []
        text_of: dict[int, int] = {}
        for index in window:
            in_window += mentions[index]
            text_of.update(dict.fromkeys(map(id, mentions[index]), index))
        people_in_window = people_of(in_window)
        for person in people_in_window:
            people.add(text_of[id(person.mentions[0])], person)
        people.add_named(people_in_window, text_of)
        for first in groups_of(in_window):
            people.groups[text_of[id(first)]] += 1
    return people


@dataclass
class _Namesakes:
    """The counts of all people of one name, however it is spelled."""

    spellings: Counter[str] = field(default_factory=Counter)
    genders: Counter[str] = field(default_factory=Counter)
    evidence: Counter[tuple[str, str]] = field(default_factory=Counter)

    def person(self) -> PersonCount:
        """Describe them as one person, of the gender of most documents."""
        spelling = max(self.spellings, key=lambda name: (self.spellings[name], name))
        gender = most_frequent(self.genders)
        evidence = Counter({name: number for (own, name), number in self.evidence.items() if own == gender})
        commonest = min(evidence, key=lambda name: (-evidence[name], name), default="")
        documents = self.spellings.total()
        return PersonCount(spelling, gender, commonest, documents, self.evidence.total())


def people_by_name(documents: DocumentCounts, mentions: MentionCounts) -> dict[str, PersonCount]:
    """Describe the people of each name, by the name in lower case."""
    namesakes: dict[str, _Namesakes] = {}
    for (name, gender), number in documents.items():
        same = namesakes.setdefault(fix_form(name), _Namesakes())
        same.spellings[name] += number
        same.genders[gender] += number
    for (name, gender, evidence), number in mentions.items():
        namesakes[fix_form(name)].evidence[gender, evidence] += number
    return {name: same.person() for name, same in namesakes.items()}


def most_mentioned(people: Iterable[PersonCount], most: int) -> tuple[PersonCount, ...]:
    """Choose the people with most mentions, then documents."""
    ordered = sorted(people, key=lambda person: (-person.mentions, -person.documents, person.name))
    return tuple(ordered[:most])
