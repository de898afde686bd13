"""Count the people of texts, or those who are quoted, instead of mentions: each once per document."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from textparity.auditing.results import PersonCount
from textparity.counting import GENDERS
from textparity.counting.terms import fix_form
from textparity.folding import NO_FOLDING
from textparity.persons.mentions import IN_CORPUS, IN_DOCUMENT, Mention
from textparity.persons.people import MentionedPerson, gender_of, groups_of, most_frequent, people_of
from textparity.persons.speaker_finder import SpeakerMention
from textparity.persons.windows import windows_of
from textparity.reading.documents import Texts

# The people by name and gender, and their mentions by name, gender and evidence.
DocumentCounts = Counter[tuple[str, str]]
MentionCounts = Counter[tuple[str, str, str]]
# The people with a name whom the parts of a document have mentioned so far: the gender by the name in lower case.
KnownNames = dict[str, str]


@dataclass(frozen=True)
class NamedPerson:
    """Somebody whom a document, or a part of a long one, mentions by name; people of one name are taken for one.

    `text` is the number of the text with the first of the mentions. `is_new`: no earlier part has the name.
    """

    name: str
    is_full: bool
    text: int
    mentions: tuple[Mention, ...]
    is_new: bool

    @property
    def key(self) -> str:
        """The name by which the person is recognized in other documents."""
        return fix_form(self.name)

    def count(self, documents: DocumentCounts, mentions: MentionCounts) -> None:
        """Count the document, and the mentions, of the person."""
        if self.is_new:
            documents[self.name, gender_of(self.mentions)] += 1
        for mention in self.mentions:
            mentions[self.name, mention.gender, mention.evidence] += 1


@dataclass(frozen=True)
class PeopleOfTexts:
    """The people of some texts, each in the text of the first mention.

    `firsts` has these mentions by text, with the person's name and gender. `counts`, of shape (texts, 4), has the
    women, their mentions, the men and their mentions; `groups` the groups that are first mentioned in each text.
    `named` are the people with a name. `are_apart` marks those of the `firsts` who are not in `counts`, because they
    count once per corpus. `mentions` has all mentions of people by text, with the person's gender. If only speakers are
    found, the number of quoted words takes the place of that of mentions.
    """

    firsts: list[list[Mention]]
    counts: np.ndarray
    groups: np.ndarray
    are_apart: list[list[bool]]
    mentions: list[list[Mention]]
    named: list[NamedPerson] = field(default_factory=list)

    @classmethod
    def empty(cls, size: int) -> "PeopleOfTexts":
        """Make the people of so many texts, without any so far."""
        firsts: list[list[Mention]] = []
        are_apart: list[list[bool]] = []
        mentions: list[list[Mention]] = []
        for _ in range(size):
            firsts.append([])
            are_apart.append([])
            mentions.append([])
        counts = np.zeros((size, 4), np.int64)
        groups = np.zeros(size, np.int64)
        return cls(firsts, counts, groups, are_apart, mentions)

    @property
    def apart(self) -> np.ndarray:
        """Whether each of the first mentions, in the order of texts, is of somebody who counts once per corpus."""
        return np.array(list(chain.from_iterable(self.are_apart)), bool)

    def add(self, text: int, person: MentionedPerson, is_apart: bool) -> None:
        """Add a person who is first mentioned in a text, given by its number."""
        first_mention = person.mentions[0]
        first = replace(first_mention, text=person.name, kind=person.kind, gender=person.gender)
        self.firsts[text].append(first)
        self.are_apart[text].append(is_apart)
        if person.gender in GENDERS and not is_apart:
            column = 2 * GENDERS.index(person.gender)
            self.counts[text, column] += 1
            self.add_mentions(text, person)

    def add_mentions(self, text: int, person: MentionedPerson) -> None:
        """Add the mentions of a person, who may count in an earlier text."""
        if person.gender in GENDERS:
            column = 2 * GENDERS.index(person.gender) + 1
            self.counts[text, column] += _amount_of(person)

    def place_mentions(self, person: MentionedPerson, text_of: Mapping[int, int]) -> None:
        """Keep the mentions of a person in their texts. `text_of` has the text of each mention, by its `id`."""
        for mention in person.mentions:
            own = replace(mention, gender=person.gender)
            text = text_of[id(mention)]
            self.mentions[text].append(own)

    def add_named(self, people: Iterable[MentionedPerson], text_of: Mapping[int, int], known: KnownNames) -> None:
        """Add those people of one window who have a name, and note the names.

        `text_of` has the text of each mention, by its `id`. `known` has the names of earlier windows.
        """
        people_by_name: dict[str, list[MentionedPerson]] = {}
        for person in people:
            if person.kind == "name":
                people_by_name.setdefault(person.full_name or person.name, []).append(person)
        for name, same in people_by_name.items():
            mentions: list[Mention] = []
            for person in same:
                mentions += person.mentions
            text = text_of[id(mentions[0])]
            key = fix_form(name)
            is_new = key not in known
            self.named.append(NamedPerson(name, bool(same[0].full_name), text, tuple(mentions), is_new))
            known.setdefault(key, same[0].gender)


def _amount_of(person: MentionedPerson) -> int:
    """Count the mentions of a person, or the quoted words of a speaker."""
    amount = 0
    for mention in person.mentions:
        amount += mention.quoted_words if isinstance(mention, SpeakerMention) else 1
    return amount


def count_people(
    texts: Texts, mentions: Sequence[Sequence[Mention]], same_names: str = IN_DOCUMENT, known: KnownNames | None = None
) -> PeopleOfTexts:
    """Count each person once in each document.

    Coreference ends with a window. A full name of an earlier window of the document is that of the same person, of the
    gender that is known from there: only its mentions count. `known` has the names of the windows before these texts,
    if all are of one document; the names of the texts are added. If `same_names` is the corpus, those with a full name
    are left apart.
    """
    people = PeopleOfTexts.empty(len(mentions))
    known = {} if known is None else known
    folded = map(NO_FOLDING.fold, texts.texts)
    document = texts.documents[0] if texts.texts else None
    for window in windows_of(folded, texts.documents):
        if texts.documents[window.start] != document:
            document = texts.documents[window.start]
            known = {}
        in_window: list[Mention] = []
        text_of: dict[int, int] = {}
        for index in window:
            in_window += mentions[index]
            text_of.update(dict.fromkeys(map(id, mentions[index]), index))
        people_in_window = people_of(in_window)
        for person in people_in_window:
            people.place_mentions(person, text_of)
            text = text_of[id(person.mentions[0])]
            full_name = fix_form(person.full_name)
            is_apart = same_names == IN_CORPUS and full_name != ""
            if full_name not in known:
                people.add(text, person, is_apart)
            elif not is_apart:
                known_person = replace(person, gender=known[full_name])
                people.add_mentions(text, known_person)
        people.add_named(people_in_window, text_of, known)
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
        evidence = self._evidence_of(gender)
        documents = self.spellings.total()
        mentions = self.evidence.total()
        return PersonCount(spelling, gender, evidence, documents, mentions)

    def _evidence_of(self, gender: str) -> str:
        """Find the evidence of most mentions of a gender."""
        numbers: dict[str, int] = {}
        for (gender_of_mention, evidence), number in self.evidence.items():
            if gender_of_mention == gender:
                numbers[evidence] = number
        return min(numbers, key=lambda evidence: (-numbers[evidence], evidence), default="")


def people_by_name(documents: DocumentCounts, mentions: MentionCounts) -> dict[str, PersonCount]:
    """Describe the people of each name, by the name in lower case."""
    by_name: defaultdict[str, _Namesakes] = defaultdict(_Namesakes)
    for (name, gender), number in documents.items():
        key = fix_form(name)
        namesakes = by_name[key]
        namesakes.spellings[name] += number
        namesakes.genders[gender] += number
    for (name, gender, evidence), number in mentions.items():
        key = fix_form(name)
        by_name[key].evidence[gender, evidence] += number
    people = {}
    for key, namesakes in by_name.items():
        people[key] = namesakes.person()
    return people


def most_mentioned(people: Iterable[PersonCount], most: int) -> tuple[PersonCount, ...]:
    """Choose the people with most mentions, then documents."""
    ordered = sorted(people, key=lambda person: (-person.mentions, -person.documents, person.name))
    return tuple(ordered[:most])
