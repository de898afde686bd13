"""Compare the people that a method finds in annotated texts with those annotated, each once per text.

A person found is compared with the annotated one to whom most of their mentions belong (`pair_mentions`). A person
without an annotated mention is wrong if all persons are annotated, and in no count otherwise. Groups are no persons.
Annotated persons without a gender are in no count, nor are those found in their place.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from textparity.counting import GENDERS
from textparity.estimating.estimates import percentage
from textparity.persons.mentions import Mention
from textparity.persons.people import people_of
from textparity_studies.instruments.annotated_texts import AnnotatedMention
from textparity_studies.instruments.findings import Pair

COLUMNS = ["half", "texts"]


@dataclass
class PeopleCounts:
    """The people of some texts by gender: annotated, found, found more than once (`split`), and found right.

    A person is right if the gender is, and a mention is one of the annotated person's, one to one.
    """

    texts: int = 0
    annotated: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    split: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def add(self, pairs: Sequence[Pair], is_complete: bool) -> None:
        """Add a text, with its pairs of annotated and found mentions."""
        self.texts += 1
        gender_of = _genders(gold for gold, _ in pairs)
        self.annotated.update(gender_of.values())
        self.right.update(_right_people(pairs, gender_of))
        seen: set[int] = set()
        for gender, partner in _match_people(pairs, is_complete):
            if partner is None:
                self.found[gender] += is_complete
            elif gender_of.get(partner) in GENDERS:
                self.found[gender] += 1
                self.split[gender] += partner in seen
                seen.add(partner)

    def columns(self, is_complete: bool) -> dict[str, Any]:
        """Make the columns of a table; shares are in percent of women and men.

        F1 is undefined if only some persons are annotated, because nobody knows how many of those found are right.
        """
        columns: dict[str, Any] = {"texts": self.texts}
        for gender in GENDERS:
            annotated, found = self.annotated[gender], self.found[gender]
            columns |= {f"annotated_{gender}": annotated, f"found_{gender}": found}
            columns |= {f"split_{gender}": self.split[gender]}
            columns |= {f"found_per_annotated_{gender}": found / annotated if annotated else None}
            columns |= {f"right_{gender}": self.right[gender]}
            f1 = percentage(2 * self.right[gender], annotated + found) if is_complete else None
            columns |= {f"f1_{gender}": f1}
        return columns | {
            "annotated_women_percent": _women_percent(self.annotated),
            "found_women_percent": _women_percent(self.found),
        }


def tells_persons_apart(texts: Iterable[Sequence[AnnotatedMention]]) -> bool:
    """Check whether an annotation numbers persons: some text has two, and somebody is mentioned twice."""
    has_two = is_repeated = False
    for mentions in texts:
        persons = {mention.entity for mention in mentions}
        has_two |= len(persons) > 1
        is_repeated |= len(persons) < len(mentions)
    return has_two and is_repeated


def count_people(
    paired: Iterable[tuple[dict[str, Any], list[Pair]]], labels: dict[str, str], is_complete: bool
) -> Iterator[dict[str, Any]]:
    """Count the people of a corpus by half, and of all texts; see `PeopleCounts`."""
    counts: dict[str, PeopleCounts] = {}
    for text, pairs in paired:
        for half in ("all", text["half"]):
            counts.setdefault(half, PeopleCounts()).add(pairs, is_complete)
    for half, of_half in sorted(counts.items()):
        yield labels | {"half": half} | of_half.columns(is_complete)


def _match_people(pairs: Sequence[Pair], is_complete: bool) -> Iterator[tuple[str, int | None]]:
    """Yield the gender of each person found, and the annotated person of most of their mentions, if there is one.

    If only some mentions are annotated, the others do not show that the person is another one.
    """
    gold_at: dict[tuple[int, int], AnnotatedMention | None] = {}
    found: list[Mention] = []
    for gold, mention in pairs:
        if mention is not None:
            gold_at[mention.start, mention.end] = gold
            found.append(mention)
    for person in people_of(sorted(found, key=lambda mention: mention.start)):
        entities: Counter[int | None] = Counter()
        for mention in person.mentions:
            gold = gold_at[mention.start, mention.end]
            if gold is not None:
                entities[gold.entity] += 1
            elif is_complete:
                entities[None] += 1
        yield person.gender, entities.most_common(1)[0][0] if entities else None


def _genders(mentions: Iterable[Mention | None]) -> dict[int, str]:
    """Map the number of each person to their gender."""
    in_order = sorted((mention for mention in mentions if mention is not None), key=lambda mention: mention.start)
    return {person.entity: person.gender for person in people_of(in_order)}


def confuse_people(pairs: Sequence[Pair], is_complete: bool) -> np.ndarray:
    """Count the people of a text by annotated and found gender (feminine, masculine, neither): an array of 3 × 3.

    People are paired one to one, those with most mentions in common first. Annotated people without a gender, and those
    found in their place, are skipped. So are people found beside them if only some persons are annotated, unless one
    is an annotated person found twice.
    """
    annotated = _genders(gold for gold, _ in pairs)
    found = _genders(mention for _, mention in pairs)
    return confuse_genders(annotated, found, _mentions_in_common(pairs, annotated, found), is_complete)


def confuse_genders(
    annotated: Mapping[int, str], found: Mapping[int, str], in_common: Counter[tuple[int, int]], is_complete: bool
) -> np.ndarray:
    """Count people, given by number and gender, as `confuse_people`.

    `in_common` has the number of mentions that an annotated person and a found one have in common.
    """
    partner_of = pair_one_to_one(in_common)
    counts = np.zeros((3, 3))
    for person, gender in annotated.items():
        if gender in GENDERS:
            partner = partner_of.get(person)
            counts[_place(gender), _place(found[partner]) if partner is not None else 2] += 1
    others = found.keys() - set(partner_of.values())
    for other in others:
        met = {annotated[person] for person, number in in_common if number == other}
        if met <= set(GENDERS) and (met or is_complete):
            counts[2, _place(found[other])] += 1
    return counts


def _place(gender: str) -> int:
    return GENDERS.index(gender) if gender in GENDERS else 2


def _mentions_in_common(
    pairs: Iterable[Pair], annotated: Collection[int], found: Collection[int]
) -> Counter[tuple[int, int]]:
    """Count the mentions that an annotated person and a found one have in common."""
    in_common: Counter[tuple[int, int]] = Counter()
    for gold, mention in pairs:
        if gold and mention and gold.entity in annotated and mention.entity in found:
            in_common[gold.entity, mention.entity] += 1
    return in_common


def pair_one_to_one(in_common: Counter[tuple[int, int]]) -> dict[int, int]:
    """Pair annotated people with found ones, those with most mentions in common first."""
    partner_of: dict[int, int] = {}
    for (person, other), _ in in_common.most_common():
        if person not in partner_of and other not in partner_of.values():
            partner_of[person] = other
    return partner_of


def _right_people(pairs: Sequence[Pair], gender_of: dict[int, str]) -> Iterator[str]:
    """Yield the gender of each person found right, those with most mentions in common first."""
    gender_found = _genders(mention for _, mention in pairs)
    in_common: Counter[tuple[int, int]] = Counter()
    for (person, other), number in _mentions_in_common(pairs, gender_of, gender_found).items():
        gender = gender_of[person]
        if gender in GENDERS and gender_found[other] == gender:
            in_common[person, other] = number
    for person in pair_one_to_one(in_common):
        yield gender_of[person]


def _women_percent(people: Counter[str]) -> float:
    return percentage(people["feminine"], sum(people[gender] for gender in GENDERS))
