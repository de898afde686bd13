"""Resolve to which persons nouns refer: to one they are joined with in the parse, or one with the same noun before."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textparity.persons.agreement import verb_gender
from textparity.persons.discourse import Discourse
from textparity.persons.mention_spans import GENERIC, SUBJECTS, MentionSpan, Person
from textparity.persons.mentions import FEMININE

if TYPE_CHECKING:
    from spacy.tokens import Token

# How far back a definite noun may refer, in sentences.
NOUN_REACH = 30
_INDEFINITE_ARTICLES = frozenset({"a", "an", "another", "un", "une", "una"})
# Roles of a noun whose head has the same referent, and of a name below a noun.
_ROLES_OF_APPOSITIONS = frozenset({"appos", "flat", "flat:name", "compound", "nmod:appos"})
_ROLES_OF_NAMES = frozenset({"appos", "flat", "flat:name"})
_RELATIVE_CLAUSES = frozenset({"relcl", "acl:relcl"})


class NounResolver:
    """Resolve the nouns of a document, in text order."""

    def __init__(self, discourse: Discourse) -> None:
        self._discourse = discourse

    def person_of(self, noun: MentionSpan) -> Person:
        """Find the person to whom a noun refers, or a new one."""
        token = self._discourse.doc[noun.head]
        other = self._same_person(token)
        self._correct_gender(noun, token, other)
        if other is not None and other.fits(noun.gender, noun.is_plural):
            other.nouns.add(noun.lemma)
            return other
        known = None if _is_indefinite(token) else self._known_person(noun)
        if known is None:
            is_generic = noun.evidence == GENERIC
            return Person(self._discourse.next_number(), noun.is_plural, nouns={noun.lemma}, is_generic=is_generic)
        if known.is_generic and noun.evidence != "lexicon":
            noun.gender = ""
            noun.evidence = GENERIC
        return known

    def _correct_gender(self, noun: MentionSpan, token: "Token", other: Person | None) -> None:
        """Correct the gender of a noun in a language with cases: the masculine for an office may be that of a woman."""
        if noun.evidence != "morphology" or not self._discourse.is_cased:
            return
        if verb_gender(token) == FEMININE:
            noun.gender = FEMININE
            noun.evidence = "agreement"
        elif other is not None and other.likely_gender == FEMININE:
            noun.gender = ""

    def _known_person(self, noun: MentionSpan) -> Person | None:
        """Find the person who was called by the same noun last."""
        for person, _ in self._discourse.persons_near(noun.head, NOUN_REACH):
            if noun.lemma in person.nouns and person.fits(noun.gender, noun.is_plural):
                return person
        return None

    def _same_person(self, token: "Token") -> Person | None:
        """Find the person whom the parse joins with a noun, in an apposition or as its subject."""
        # "The doctor, Anna Koch" is an apposition, "she is a doctor" a predicate.
        if token.dep_ in _ROLES_OF_APPOSITIONS:
            return self._person_at(token.head.i)
        name = self._name_below(token)
        if name is not None:
            return name.person
        subject = self._subject_of_predicate(token)
        if subject is not None:
            return self._person_at(subject)
        return self._name_beside(token) if self._discourse.is_cased else None

    def _person_at(self, position: int) -> Person | None:
        mention = self._discourse.mention_at(position)
        return mention.person if mention else None

    def _name_below(self, token: "Token") -> MentionSpan | None:
        for child in token.children:
            if child.dep_ in _ROLES_OF_NAMES:
                mention = self._discourse.mention_at(child.i)
                if mention is not None and mention.kind == "name":
                    return mention
        return None

    def _subject_of_predicate(self, token: "Token") -> int | None:
        """Find the subject of a verb whose predicate a noun is (*she is a doctor and author*)."""
        is_second = token.dep_ == "conj" and token.head.dep_ == "attr"
        noun = token.head if is_second else token
        verb = _verb_of_predicate(noun)
        if verb is None:
            return None
        for child in verb.children:
            if child.dep_ in SUBJECTS and child.i < noun.i:
                # In "Jason, who is our editor", the subject of "is" refers to Jason.
                is_relative = verb.dep_ in _RELATIVE_CLAUSES and self._discourse.mention_at(child.i) is None
                return verb.head.i if is_relative else child.i
        return None

    def _name_beside(self, token: "Token") -> Person | None:
        """Find the name beside a noun, without a parse.

        Examples are "the director (of the school) Anna Koch", "Anna Koch, the former director" and "Anna Koch —
        director".
        """
        doc = self._discourse.doc
        before = token.i - 1
        while before > 0 and doc[before].pos_ == "ADJ":
            before -= 1
        following = token.i + 1
        while following < len(doc) and _may_be_attribute(doc[following]):
            following += 1
        before_comma = before - 1 if doc[before].is_punct else -1
        return self._first_named((following, before_comma, token.i - 2))

    def _first_named(self, positions: Iterable[int]) -> Person | None:
        """Find the person of the first of some tokens that is part of a name."""
        for position in positions:
            mention = self._discourse.mention_at(position)
            if mention is not None and mention.kind == "name":
                return mention.person
        return None


def _is_indefinite(token: "Token") -> bool:
    return any(map(_is_indefinite_article, token.children))


def _is_indefinite_article(token: "Token") -> bool:
    return "Ind" in token.morph.get("Definite") or token.lower_ in _INDEFINITE_ARTICLES


def _verb_of_predicate(noun: "Token") -> "Token | None":
    """Find the verb of a predicate, or the noun itself if a copula depends on it. None if it is no predicate."""
    if noun.dep_ == "attr":
        return noun.head
    return noun if any(child.dep_ == "cop" for child in noun.children) else None


def _may_be_attribute(token: "Token") -> bool:
    """Check whether a word may be the genitive after a noun (*директор школы*)."""
    return token.pos_ in ("NOUN", "ADJ") and "Gen" in token.morph.get("Case")
