"""Count people: each person once per document, however often they are mentioned."""

from collections import Counter
from collections.abc import Iterable, Mapping
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

    @property
    def full_name(self) -> str:
        """The longest name of several words without its titles; the first of these. Empty if there is none."""
        longest = ""
        for mention in self.mentions:
            words = mention.untitled.split()
            name = " ".join(words)
            if len(words) > 1 and len(name) > len(longest):
                longest = name
        return longest


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
            gender = gender_of(own_mentions)
            people.append(MentionedPerson(entity, gender, tuple(own_mentions)))
    return people


def groups_of(mentions: Iterable[Mention]) -> list[Mention]:
    """List the first mention of each group in a document."""
    firsts: dict[int, Mention] = {}
    for mention in mentions:
        if mention.is_group:
            firsts.setdefault(mention.entity, mention)
    return list(firsts.values())


def gender_of(mentions: Iterable[Mention]) -> str:
    """Find the gender of most mentions that show one. It is unspecified without one, and in a tie."""
    return most_frequent(Counter(mention.gender for mention in mentions))


def most_frequent(genders: Mapping[str, int]) -> str:
    """Choose between women and men by their numbers. The gender is unspecified if these are equal."""
    women, men = (genders.get(name, 0) for name in GENDERS)
    if women == men:
        return UNSPECIFIED
    return GENDERS[0] if women > men else GENDERS[1]
