"""Count the people of texts, or those who are quoted, instead of mentions: each once per document."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from textparity.counting import GENDERS
from textparity.folding import NO_FOLDING
from textparity.persons.mentions import Mention
from textparity.persons.people import MentionedPerson, groups_of, people_of
from textparity.persons.speaker_finder import SpeakerMention
from textparity.persons.windows import windows_of
from textparity.reading.documents import Texts


@dataclass(frozen=True)
class PeopleOfTexts:
    """The people of some texts, each in the text of the first mention.

    `firsts` has these mentions by text, with the person's name and gender. `counts`, of shape (texts, 4), has the
    women, their mentions, the men and their mentions; `groups` the groups that are first mentioned in each text. If
    only speakers are found, the number of quoted words takes the place of that of mentions.
    """

    firsts: list[list[Mention]]
    counts: np.ndarray
    groups: np.ndarray

    def add(self, text: int, person: MentionedPerson) -> None:
        """Add a person who is first mentioned in a text, given by its number."""
        first = replace(person.mentions[0], text=person.name, kind=person.kind, gender=person.gender)
        self.firsts[text].append(first)
        if person.gender in GENDERS:
            column = 2 * GENDERS.index(person.gender)
            self.counts[text, column] += 1
            self.counts[text, column + 1] += _amount_of(person)


def _amount_of(person: MentionedPerson) -> int:
    """Count the mentions of a person, or the quoted words of a speaker."""
    amount = 0
    for mention in person.mentions:
        amount += mention.quoted_words if isinstance(mention, SpeakerMention) else 1
    return amount


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
        for person in people_of(in_window):
            people.add(text_of[id(person.mentions[0])], person)
        for first in groups_of(in_window):
            people.groups[text_of[id(first)]] += 1
    return people
