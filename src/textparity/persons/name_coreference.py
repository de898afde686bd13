"""Resolve which names refer to the same person, by their parts and by hints at their gender."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textparity.counting import GENDERS
from textparity.persons.agreement import grammatical_gender, participle_gender, verb_gender
from textparity.persons.discourse import Discourse
from textparity.persons.mention_spans import SUBJECTS, MentionSpan, Person
from textparity.persons.mentions import FEMININE, UNSPECIFIED, is_same_first_name
from textparity.persons.pronoun_hints import (
    choose_hints,
    count_pronouns_after,
    count_statements,
    find_stated,
    has_sign_of_they,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

# The weight of the verb whose subject is the name, in votes for a person's gender.
_VOTES_OF_VERB = 3


@dataclass(frozen=True)
class _NameKind:
    """What a name shows about the person.

    `is_neutral`: the person is called *they*. `is_spouse`: it is a husband's name. `families` is the number of persons
    so far whose full name ends like it.
    """

    is_neutral: bool
    is_spouse: bool
    families: int


class NameResolver:
    """Resolve the names of a document. `mentions` are all its mentions, and `names` those by name."""

    def __init__(self, discourse: Discourse, mentions: Sequence[MentionSpan], names: Sequence[MentionSpan]) -> None:
        self._discourse = discourse
        self._names = names
        self._nicknames = discourse.rules.nicknames
        self._kin = discourse.rules.of_kind("kin")
        self._by_part: defaultdict[str, list[Person]] = defaultdict(list)
        doc = discourse.doc
        rules = discourse.rules
        nouns = [mention for mention in mentions if mention.kind == "noun"]
        plurals = frozenset(noun.head for noun in nouns if noun.is_plural)
        self._votes = count_pronouns_after(doc, names, rules, plurals)
        self._subjects = {name.parts for name in names if _may_be_subject(doc[name.head])}
        # A single name that is never a subject is often that of a thing (*Brexit … he*).
        others = {name.parts for name in names if len(name.parts) > 1 or name.gender}
        self._acting = self._subjects | others
        votes_of_acting = {parts: self._votes[parts] for parts in self._acting}
        statements = count_statements(doc, names, rules)
        self._stated = find_stated(doc, names, rules)
        has_sign = has_sign_of_they(doc, rules)
        self._hints = choose_hints(votes_of_acting, names, statements, has_sign)

    def resolve(self) -> None:
        """Assign a person to each name."""
        if not self._discourse.may_be_things:
            for name in self._names:
                self._heed_hint(name)
        # Full names come first, so that a surname in a headline is matched to the full name that follows it.
        full_names = [name for name in self._names if len(name.parts) > 1]
        single_names = [name for name in self._names if len(name.parts) == 1]
        for name in [*full_names, *single_names]:
            person = self._person_of(name)
            name.person = person
            words = self._discourse.doc[name.name_start : name.end]
            if self._discourse.is_cased:
                _count_votes(person, words, is_full=len(name.parts) > 1)
            elif self._discourse.rules.mends_parse:
                votes = {participle_gender(word): _VOTES_OF_VERB for word in words}
                votes.pop("", None)
                person.votes.update(votes)

    def with_surname_of(self, person: Person) -> list[Person]:
        """List the persons whose names end like that of a person, who may be one of them."""
        if not person.parts:
            return []
        surname = person.parts[-1]
        return [other for other in self._by_part.get(surname, ()) if other.parts[-1] == surname]

    def _heed_hint(self, name: MentionSpan) -> None:
        """Give a name the gender that the text hints at: the text knows its persons better than a list."""
        if name.evidence != "first name":
            return
        hint = self._hints.get(name.parts, name.gender)
        if hint in GENDERS and hint != name.gender:
            name.gender = hint
            name.evidence = "pronouns"

    def heed_single_pronouns(self) -> None:
        """Give persons without a gender that of the pronouns that come next after their names, even of a single one."""
        subjects = [name for name in self._names if name.parts in self._subjects]
        persons = {name.parts: name.person for name in subjects}
        for parts, person in persons.items():
            if person is None or person.is_unknown or person.likely_gender:
                continue
            votes = self._votes[parts]
            genders = list(filter(votes.get, GENDERS))
            if len(genders) == 1:
                (gender,) = genders
                person.votes[gender] += votes[gender]

    def _person_of(self, name: MentionSpan) -> Person:
        """Find the person with this name, or a new one."""
        hint = self._hints.get(name.parts)
        is_neutral = hint == UNSPECIFIED and name.evidence != "title"
        if is_neutral:
            name.gender = name.evidence = ""
        candidates = self._candidates(name.parts)
        families = [person for person in candidates if _has_surname(person, name.parts[-1])]
        is_guess = name.evidence == "first name" and len(name.parts) == 1
        fits_nobody = all(self._has_other_gender(person, name) for person in candidates)
        if families and is_guess and (fits_nobody or self._discourse.is_cased):
            # Elizabeth Warren may be called Warren, and Lindsey Graham is called Graham.
            name.gender = name.evidence = ""
        is_spouse = _is_husbands_name(name)
        kind = _NameKind(is_neutral, is_spouse, len(families))
        for person in candidates:
            if self._is_named(person, name, kind):
                break
        else:
            person = Person(self._discourse.next_number(), is_plural=False, is_spouse=kind.is_spouse)
        self._note(person, name, kind)
        return person

    def _candidates(self, parts: tuple[str, ...]) -> list[Person]:
        """List the persons who share the first or the last part of a name, or a nickname of the first.

        Those with the whole name come first, and those with a nickname last.
        """
        with_first_part = self._by_part[parts[0]]
        with_last_part = self._by_part[parts[-1]]
        with_nickname: list[Person] = []
        for other_name in self._nicknames.get(parts[0], ()):
            with_nickname += self._by_part.get(other_name, ())
        sharing = _latest_first([*with_first_part, *with_last_part])
        same_name = [person for person in sharing if person.parts == parts]
        other_names = [person for person in sharing if person.parts != parts]
        numbers = {person.number for person in sharing}
        nicknames = [person for person in _latest_first(with_nickname) if person.number not in numbers]
        return same_name + other_names + nicknames

    def _is_named(self, person: Person, name: MentionSpan, kind: _NameKind) -> bool:
        """Check whether a person may have a name."""
        if not self._has_relation(person, name) or self._has_other_gender(person, name):
            return False
        # If several persons have the name Lumière, Mr Lumière is not necessarily Églantine Lumière.
        is_ambiguous = len(name.parts) == 1 and kind.families > 1
        if is_ambiguous and name.gender and not person.gender:
            return False
        are_women = name.gender == person.gender == FEMININE
        if (person.is_spouse or kind.is_spouse) and not are_women:
            return False
        return _is_same_name(person.parts, name.parts) or self._is_nickname(person.parts, name.parts)

    def _has_relation(self, person: Person, name: MentionSpan) -> bool:
        """Check whether a person is called by the same noun before the name (*Mother Noël*), or by none.

        A noun before a full name, or before a first name of its gender, makes no other person of it (*her sister
        Winnie*), nor does one that is no word for a relative in a language that lists them (*the actor Noël*).
        """
        if name.first_name and name.gender == name.first_name:
            return True
        are_full = len(person.parts) > 1 or len(name.parts) > 1
        if self._kin and are_full:
            return True
        if not self._distinguishes(name.lemma):
            return not any(map(self._distinguishes, person.nouns))
        return person.parts == name.parts and name.lemma in person.nouns

    def _distinguishes(self, noun: str) -> bool:
        """Check whether a noun before a name may make another person of it. In a language without a list, any may."""
        return bool(noun) and (not self._kin or noun in self._kin)

    def _is_nickname(self, parts: tuple[str, ...], other: tuple[str, ...]) -> bool:
        """Check whether two names are alike, but for the nickname that one has for the first name of the other."""
        are_full = len(parts) > 1 and len(other) > 1
        if are_full and parts[-1] != other[-1]:
            return False
        return other[0] in self._nicknames.get(parts[0], ())

    def _has_other_gender(self, person: Person, name: MentionSpan) -> bool:
        gender = name.gender or self._hints.get(name.parts, "")
        gender_of_person = person.gender or self._hints.get(person.parts, "")
        return "" not in (gender, gender_of_person) and gender != gender_of_person

    def _note(self, person: Person, name: MentionSpan, kind: _NameKind) -> None:
        """Note what a name shows about a person."""
        parts = name.parts
        person.is_neutral |= kind.is_neutral
        # *They* alone is no evidence, because it is mostly a plural.
        person.is_neither |= kind.is_neutral and parts in self._stated
        is_new = not person.parts
        is_unknown = name.role == "unknown" or parts not in self._acting
        person.is_unknown = is_unknown and (person.is_unknown or is_new)
        if name.lemma:
            person.nouns.add(name.lemma)
        if self._discourse.rules.mends_parse:
            # Whom a text calls "le président Trump", it may call "le président".
            titles = self._discourse.doc[name.start : name.name_start]
            person.nouns.update(title.lemma_.lower() for title in titles)
        if len(parts) > len(person.parts):
            person.parts = parts
            for part in {parts[0], parts[-1]}:
                self._by_part[part].append(person)
        if name.gender and not person.gender:
            person.gender = name.gender
            person.evidence = name.evidence


def _latest_first(persons: Iterable[Person]) -> list[Person]:
    by_number = {person.number: person for person in persons}
    return [person for _, person in sorted(by_number.items(), reverse=True)]


def _may_be_subject(token: "Token") -> bool:
    """Check whether a word is a subject, or has no role because there is no parse."""
    return not token.dep_ or token.dep_ in SUBJECTS


def _has_surname(person: Person, surname: str) -> bool:
    return len(person.parts) > 1 and person.parts[-1] == surname


def _is_husbands_name(name: MentionSpan) -> bool:
    """Check whether a woman may be called by a husband's name (*Mrs Newland Archer*)."""
    if len(name.parts) == 1 or name.evidence != "title" or name.lemma:
        return False
    return name.gender == FEMININE and name.first_name != FEMININE


def _is_same_name(parts: tuple[str, ...], other: tuple[str, ...]) -> bool:
    first = parts[0]
    last = parts[-1]
    other_first = other[0]
    other_last = other[-1]
    are_full = len(parts) > 1 and len(other) > 1
    if are_full:
        short, long = sorted((parts, other), key=len)
        # Andrés López Obrador is also called López Obrador.
        is_end = long[-len(short) :] == short
        return last == other_last and (is_end or is_same_first_name(first, other_first))
    return last in (other_last, other_first) or first == other_last


def _count_votes(person: Person, words: "Iterable[Token]", is_full: bool) -> None:
    """Count what the words of a name, and their verbs, show about the gender, in a language with cases.

    `is_full`: the name has more than one part.
    """
    for word in words:
        guess = _guess_gender(word)
        # The tagger takes most names for masculine, and so also those of things.
        counts = guess == FEMININE or (is_full and not person.votes)
        votes = {guess: int(counts)}
        votes[verb_gender(word)] = _VOTES_OF_VERB
        votes.pop("", None)
        person.votes.update(votes)


def _guess_gender(word: "Token") -> str:
    """Read the gender of a word of a name that is not inanimate."""
    if word.pos_ != "PROPN" or "Inan" in word.morph.get("Animacy"):
        return ""
    return grammatical_gender(word)
