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
from textparity.persons.mentions import COUNTRY, Rules

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
    before, after = rules.of_kind("no_person_after"), rules.of_kind("no_person_before")
    lower = [word.lower() for word in words]
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(lower):
        places[word].append(place)
    beside, things, persons = set[int](), set[str](), set[str]()
    for number, one in enumerate(names):
        parts = one.parts
        follows = one.start > 0 and lower[one.start - 1] in before
        precedes = one.end < len(words) and words[one.end][:1].isupper() and lower[one.end] in after
        if not one.is_first:
            precedes |= bool(SCORE.match(" ".join(words[one.end : one.end + 3])))
            follows |= any(SCORE.fullmatch(" ".join(words[one.start - length : one.start])) for length in (1, 3))
        if len(parts) > 1 and not one.is_first:
            # The pipeline may take the word for the thing as part of the name. River Phoenix has a first name.
            if parts[0] in before:
                follows, parts = True, parts[1:]
            elif parts[-1] in after:
                precedes, parts = True, parts[:-1]
        if not one.is_titled and (follows or precedes):
            beside.add(number)
            things |= {one.form, " ".join(parts)}
        elif one.is_titled or (len(one.parts) > 1 and one.form not in rules.places):
            # A country in a longer name is a person's only beside a first name (*Denzel Washington*).
            is_named = one.is_titled or one.is_first
            ends = (one.parts[0], one.parts[-1])
            persons |= {part for part in ends if is_named or rules.places.get(part) != COUNTRY}
    for form in {one.form for one in names}:
        kind = rules.places.get(form, "")
        first_names = sum(one.is_first for one in names if one.form == form)
        first, *rest = form.split()
        where = [n for n in places[first] if lower[n + 1 : n + 1 + len(rest)] == rest]
        as_person = first_names + pronouns.get(tuple(form.split()), 0)
        is_somebody = as_person >= MIN_SIGNS
        as_person += sum(labels[n] in PERSON_LABELS for n in where)
        as_thing = sum(labels[n] in NO_PERSONS for n in where)
        is_group = not first_names and sum(one.plural for one in names if one.form == form) > 0
        if kind:
            as_thing += sum(n > 0 and lower[n - 1] in rules.of_kind("before_place") for n in where)
        if is_group or (kind == COUNTRY and not is_somebody) or as_thing > as_person + (0 if kind else MORE_SIGNS):
            things.add(form)
    things -= persons
    found = {n for n, one in enumerate(names) if one.form in things and not {one.parts[0], one.parts[-1]} & persons}
    return beside | found, things
