"""Count the people of texts instead of their mentions: each once per document, at the first mention."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from textparity.counting import GENDERS
from textparity.folding import NO_FOLDING
from textparity.persons.mentions import Mention
from textparity.persons.people import MentionedPerson, groups_of, people_of
from textparity.persons.windows import windows_of
from textparity.reading.documents import Texts


@dataclass(frozen=True)
class PeopleOfTexts:
    """The people of some texts, each in the text of the first mention.

    `firsts` has these mentions by text, with the person's name and gender. `counts`, of shape (texts, 4), has the
    women, their mentions, the men and their mentions; `groups` the groups that are first mentioned in each text.
    `mentions` has all mentions of people by text, with the person's gender.
    """

    firsts: list[list[Mention]]
    counts: np.ndarray
    groups: np.ndarray
    mentions: list[list[Mention]]

    def add(self, person: MentionedPerson, text_of: Mapping[int, int]) -> None:
        """Add a person. `text_of` has the number of the text of each mention, by the mention's `id`."""
        self._add_mentions(person, text_of)
        text = text_of[id(person.mentions[0])]
        mention = person.mentions[0]
        first = replace(mention, text=person.name, kind=person.kind, gender=person.gender)
        self.firsts[text].append(first)
        if person.gender in GENDERS:
            column = 2 * GENDERS.index(person.gender)
            self.counts[text, column] += 1
            self.counts[text, column + 1] += len(person.mentions)

    def _add_mentions(self, person: MentionedPerson, text_of: Mapping[int, int]) -> None:
        for mention in person.mentions:
            own = replace(mention, gender=person.gender)
            text = text_of[id(mention)]
            self.mentions[text].append(own)


def count_people(texts: Texts, mentions: Sequence[Sequence[Mention]]) -> PeopleOfTexts:
    """Count each person once in each window, which is a document, or a part of a long one."""
    size = len(mentions)
    firsts: list[list[Mention]] = [[] for _ in range(size)]
    mentions_of_people: list[list[Mention]] = [[] for _ in range(size)]
    counts, groups = np.zeros((size, 4), np.int64), np.zeros(size, np.int64)
    people = PeopleOfTexts(firsts, counts, groups, mentions_of_people)
    folded = map(NO_FOLDING.fold, texts.texts)
    for window in windows_of(folded, texts.documents):
        in_window: list[Mention] = []
        text_of: dict[int, int] = {}
        for index in window:
            in_window += mentions[index]
            text_of.update(dict.fromkeys(map(id, mentions[index]), index))
        for person in people_of(in_window):
            people.add(person, text_of)
        for first in groups_of(in_window):
            people.groups[text_of[id(first)]] += 1
    return people
