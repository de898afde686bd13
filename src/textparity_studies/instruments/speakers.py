"""Compare the quotes and speakers found in annotated texts with those annotated.

A quote is right if its characters overlap those of an annotated one by at least `LEAST_OVERLAP` (intersection over
union), one to one. A source is a person who is quoted, once per text. It is right if the gender is, and a mention
overlaps one of the annotated person's, one to one. Sources without a gender, and groups, are in no count.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from textparity.counting import GENDERS
from textparity.estimating.estimates import percentage
from textparity.persons.mentions import Mention
from textparity.persons.people import MentionedPerson
from textparity.persons.speaker_finder import QuotedText
from textparity.persons.speakers import AttributedQuote
from textparity_studies.instruments.people import confuse_genders, pair_one_to_one

# Two spans are the same quote if they share at least this part of the characters that they cover together.
LEAST_OVERLAP = 0.3
COLUMNS = ["half", "texts"]


class QuotedPair(NamedTuple):
    """The mentions and quotes of a text, as annotated and as found."""

    annotated: QuotedText
    found: QuotedText


@dataclass
class SpeakerCounts:
    """The quotes of some texts and their sources by gender: annotated, found, and found right.

    `attributed` are right quotes with a speaker in both, and `attributed_right` those whose speakers share a mention.
    """

    texts: int = 0
    annotated_quotes: int = 0
    found_quotes: int = 0
    right_quotes: int = 0
    attributed: int = 0
    attributed_right: int = 0
    annotated: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def add(self, annotated: QuotedText, found: QuotedText) -> None:
        """Add a text, as annotated and as found."""
        self.texts += 1
        pairs = match_quotes(annotated.quotes, found.quotes)
        self.annotated_quotes += len(annotated.quotes)
        self.found_quotes += len(found.quotes)
        self.right_quotes += len(pairs)
        self._add_speakers(pairs, annotated, found)
        self.annotated.update(_genders(annotated.sources))
        self.found.update(_genders(found.sources))
        self.right.update(_genders(match_sources(annotated.sources, found.sources)))

    def _add_speakers(
        self, pairs: Iterable[tuple[AttributedQuote, AttributedQuote]], annotated: QuotedText, found: QuotedText
    ) -> None:
        for quote, other in pairs:
            if quote.speaker is None or other.speaker is None:
                continue
            self.attributed += 1
            own = [mention for mention in annotated.mentions if mention.entity == quote.speaker]
            others = [mention for mention in found.mentions if mention.entity == other.speaker]
            self.attributed_right += bool(_in_common(own, others))

    def columns(self) -> dict[str, Any]:
        """Make the columns of a table; shares are in percent of women and men."""
        columns: dict[str, Any] = {
            "texts": self.texts,
            "annotated_quotes": self.annotated_quotes,
            "found_quotes": self.found_quotes,
            "right_quotes": self.right_quotes,
            "f1_quotes": percentage(2 * self.right_quotes, self.annotated_quotes + self.found_quotes),
            "attributed": self.attributed,
            "attributed_right_percent": percentage(self.attributed_right, self.attributed),
        }
        for gender in GENDERS:
            annotated, found, right = self.annotated[gender], self.found[gender], self.right[gender]
            columns |= {f"annotated_{gender}": annotated, f"found_{gender}": found, f"right_{gender}": right}
            columns |= {f"f1_{gender}": percentage(2 * right, annotated + found)}
        return columns | {
            "annotated_women_percent": _women_percent(self.annotated),
            "found_women_percent": _women_percent(self.found),
        }


def only_direct(pair: QuotedPair) -> QuotedPair:
    """Leave out indirect quotes."""
    return QuotedPair(_direct_of(pair.annotated), _direct_of(pair.found))


def _direct_of(quoted: QuotedText) -> QuotedText:
    return replace(quoted, quotes=tuple(quote for quote in quoted.quotes if quote.is_direct))


def count_speakers(
    texts: Iterable[tuple[Mapping[str, Any], QuotedPair]], labels: dict[str, str]
) -> Iterator[dict[str, Any]]:
    """Count the quotes and sources of a corpus by half, and of all texts; see `SpeakerCounts`."""
    counts: dict[str, SpeakerCounts] = {}
    for text, pair in texts:
        for half in ("all", text["half"]):
            counts.setdefault(half, SpeakerCounts()).add(*pair)
    for half, of_half in sorted(counts.items()):
        yield labels | {"half": half} | of_half.columns()


def confuse_sources(pair: QuotedPair) -> np.ndarray:
    """Count the sources of a text by annotated and found gender, as `confuse_people` counts people.

    All quotes are annotated. Somebody who is found as the source of another one is therefore wrong.
    """
    annotated, found = pair.annotated.sources, pair.found.sources
    gender_of = {person.entity: person.gender for person in annotated}
    gender_found = {person.entity: person.gender for person in found}
    return confuse_genders(gender_of, gender_found, _mentions_in_common(annotated, found), is_complete=True)


def _mentions_in_common(
    annotated: Iterable[MentionedPerson], found: Sequence[MentionedPerson]
) -> Counter[tuple[int, int]]:
    """Count the mentions that annotated people, given by number, have in common with those found."""
    in_common: Counter[tuple[int, int]] = Counter()
    for person in annotated:
        for other in found:
            number = _in_common(person.mentions, other.mentions)
            if number:
                in_common[person.entity, other.entity] = number
    return in_common


def match_quotes(
    annotated: Sequence[AttributedQuote], found: Sequence[AttributedQuote]
) -> list[tuple[AttributedQuote, AttributedQuote]]:
    """Pair quotes one to one, those that overlap most first."""
    overlaps: list[tuple[float, int, int]] = []
    for number, quote in enumerate(annotated):
        characters = _characters(quote)
        for other_number, other in enumerate(found):
            overlap = _overlap(characters, _characters(other))
            if overlap >= LEAST_OVERLAP:
                overlaps.append((overlap, number, other_number))
    overlaps.sort(key=lambda match: (-match[0], match[1:]))
    pairs = [(number, other_number) for _, number, other_number in overlaps]
    return [(annotated[number], found[other]) for number, other in _one_to_one(pairs)]


def match_sources(annotated: Sequence[MentionedPerson], found: Sequence[MentionedPerson]) -> list[MentionedPerson]:
    """List the annotated people who are found right, those with most mentions in common first."""
    gender_of = {person.entity: person.gender for person in annotated}
    gender_found = {person.entity: person.gender for person in found}
    of_one_gender: Counter[tuple[int, int]] = Counter()
    for (person, other), number in _mentions_in_common(annotated, found).items():
        if gender_of[person] == gender_found[other]:
            of_one_gender[person, other] = number
    right = pair_one_to_one(of_one_gender)
    return [person for person in annotated if person.entity in right]


def _one_to_one(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Keep the pairs in whose places nothing stood before."""
    kept: list[tuple[int, int]] = []
    first: set[int] = set()
    second: set[int] = set()
    for number, other in pairs:
        if number not in first and other not in second:
            first.add(number)
            second.add(other)
            kept.append((number, other))
    return kept


def _characters(quote: AttributedQuote) -> set[int]:
    characters: set[int] = set()
    for start, end in quote.spans:
        characters.update(range(start, end))
    return characters


def _overlap(characters: set[int], others: set[int]) -> float:
    union = characters | others
    return len(characters & others) / len(union) if union else 0.0


def _in_common(mentions: Iterable[Mention], others: Sequence[Mention]) -> int:
    """Count the mentions that overlap another person's."""
    count = 0
    for mention in mentions:
        count += any(mention.start < other.end and other.start < mention.end for other in others)
    return count


def _genders(people: Iterable[MentionedPerson]) -> list[str]:
    return [person.gender for person in people if person.gender in GENDERS]


def _women_percent(people: Counter[str]) -> float:
    return percentage(people["feminine"], sum(people[gender] for gender in GENDERS))
