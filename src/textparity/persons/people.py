"""Count people: each person once per document, however often they are mentioned."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from textparity.counting import GENDERS
from textparity.persons.mentions import KINDS, UNSPECIFIED, Mention


@dataclass(frozen=True)
class MentionedPerson:
    """Someone whom a document mentions, by the `mentions` with their number `entity`, in text order.

    `gender` is that of most mentions that show one; it is unspecified without one, and in a tie.
    """

    entity: int
    gender: str
    mentions: tuple[Mention, ...]

    @property
    def kind(self) -> str:
        """The kind of the mentions that say most: names, or else nouns, or else pronouns."""
        return max((mention.kind for mention in self.mentions), key=KINDS.index)

    @property
    def name(self) -> str:
        """The longest mention of this kind; the first of these."""
        return max((mention.text for mention in self.mentions if mention.kind == self.kind), key=len)


def people_of(mentions: Iterable[Mention]) -> list[MentionedPerson]:
    """Put the mentions of one document together by person, in the order of first mentions.

    A group (*the two women*) is no person, and left out.
    """
    by_entity: dict[int, list[Mention]] = {}
    groups: set[int] = set()
    for mention in mentions:
        by_entity.setdefault(mention.entity, []).append(mention)
        if mention.is_group:
            groups.add(mention.entity)
    people = []
    for entity, own_mentions in by_entity.items():
        if entity not in groups:
            gender = _gender_of(own_mentions)
            people.append(MentionedPerson(entity, gender, tuple(own_mentions)))
    return people


def groups_of(mentions: Iterable[Mention]) -> list[Mention]:
    """List the first mention of each group in a document."""
    firsts: dict[int, Mention] = {}
    for mention in mentions:
        if mention.is_group:
            firsts.setdefault(mention.entity, mention)
    return list(firsts.values())


def _gender_of(mentions: Iterable[Mention]) -> str:
    genders = Counter(mention.gender for mention in mentions if mention.gender in GENDERS)
    ranked = genders.most_common()
    is_tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return UNSPECIFIED if not ranked or is_tie else ranked[0][0]
