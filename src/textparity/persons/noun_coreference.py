"""Resolve to which persons nouns refer.

A noun refers to a person with whom the parse joins it, to one who was called by the same noun, or to the most salient
one of its gender.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textparity.persons.agreement import grammatical_gender, verb_gender
from textparity.persons.discourse import FADING, Discourse, Nearby
from textparity.persons.mention_spans import GENERIC, SUBJECTS, MentionSpan, Person
from textparity.persons.mentions import FEMININE, MASCULINE
from textparity.persons.name_coreference import NameResolver
from textparity.persons.noun_phrases import (
    find_article,
    is_coordinated,
    is_definite,
    is_indefinite,
    is_restricted,
    owner_in,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

# How far back a definite noun may refer, in sentences.
NOUN_REACH = 30
# How far back a noun may refer to somebody who was called otherwise.
SALIENT_REACH = 3
# Roles of a noun whose head has the same referent, and of a name below a noun.
_ROLES_OF_APPOSITIONS = frozenset({"appos", "flat", "flat:name", "compound", "nmod:appos"})
_ROLES_OF_NAMES = frozenset({"appos", "flat", "flat:name"})
_RELATIVE_CLAUSES = frozenset({"relcl", "acl:relcl"})
# Clauses that share the subject of the verb above them (*being a mother, she …*; *she seems to be a lady*).
_CLAUSES_WITHOUT_SUBJECT = frozenset({"advcl", "xcomp"})
_DEPTH_OF_CLAUSES = 2
# Pronouns for the speaker and the listener, who are no mentions.
_SPEAKERS = frozenset({"i", "you", "thou"})
# Verbs before a name (*a girl called Thea*), and the role of the name.
_NAMING_VERBS = frozenset({"name", "call", "nommer", "appeler"})
_ROLES_AFTER_NAMING = frozenset({"oprd", "dobj", "obj", "xcomp"})
_AFTER_APPOSITION = frozenset({",", ".", ";", "!", "?", ")", "—", "–", "--", "”", '"', "»"})
_LONGEST_ATTRIBUTE = 5
# The words between a noun and the name after it, at most (*le porte-parole de l'agence Sutopo*).
_LONGEST_PHRASE = 10
_BEFORE_NOUNS = frozenset({"DET", "ADJ", "NUM"})
_IN_PHRASES = frozenset({"ADJ", "NOUN", "PROPN", "NUM"})
# Evidence of a noun's gender that may not be that of the person.
_GRAMMATICAL = frozenset({"agreement", "morphology"})
_CLOSING = frozenset({",", ".", ";", ")", "»", "\n"})


class NounResolver:
    """Resolve the nouns of a document, in text order."""

    def __init__(self, discourse: Discourse, names: NameResolver) -> None:
        self._discourse = discourse
        self._names = names
        self._mends_parse = discourse.rules.mends_parse
        self._offices = discourse.rules.of_kind("office")
        self._within_phrase = discourse.rules.of_kind("within_phrase")
        article = None if discourse.is_cased else find_article(discourse.doc)
        self._has_articles = article is not None
        self._has_bare_singulars = False
        if article is not None and not discourse.rules.of_kind("article"):
            # Where articles show a gender, nouns without one are as often known (*père*).
            self._has_bare_singulars = not grammatical_gender(article)

    def person_of(self, noun: MentionSpan) -> Person:
        """Find the person to whom a noun refers, or a new one."""
        token = self._discourse.doc[noun.head]
        other = self._same_person(noun, token)
        self._correct_gender(noun, token, other)
        if other is not None and other.fits(noun.gender, noun.is_plural):
            other.nouns.add(noun.lemma)
            return other
        known = self._person_mentioned_before(noun, token)
        if known is None:
            is_generic = noun.evidence == GENERIC
            return Person(self._discourse.next_number(), noun.is_plural, nouns={noun.lemma}, is_generic=is_generic)
        known.nouns.add(noun.lemma)
        if known.is_generic and noun.evidence != "lexicon":
            noun.gender = ""
            noun.evidence = GENERIC
        return known

    def _correct_gender(self, noun: MentionSpan, token: "Token", other: Person | None) -> None:
        """Correct the gender of a noun: the masculine for an office may be that of a woman (*le ministre Ana*)."""
        if self._mends_parse and other is not None and other.parts:
            is_of_woman = noun.gender == MASCULINE and other.likely_gender == FEMININE
            if is_of_woman and (noun.evidence in _GRAMMATICAL or token.lower_ in self._offices):
                noun.gender = ""
        if noun.evidence != "morphology" or not self._discourse.is_cased:
            return
        if verb_gender(token) == FEMININE:
            noun.gender = FEMININE
            noun.evidence = "agreement"
        elif other is not None and other.likely_gender == FEMININE:
            noun.gender = ""

    def _person_mentioned_before(self, noun: MentionSpan, token: "Token") -> Person | None:
        """Find the person to whom a noun refers back. None if it is for somebody new."""
        if is_indefinite(token, self._has_articles, self._has_bare_singulars):
            return None
        owner = self._owner_of(token)
        known = self._known_person(noun, owner)
        if known is not None or not self._may_be_called_otherwise(noun):
            return known
        if owner is not None:
            return self._relative_of(owner, noun)
        # "The father and son" and "the man who knew too much" are mostly mentioned for the first time.
        is_new = not is_definite(token) or is_coordinated(token) or is_restricted(token)
        return None if is_new else self._salient_person(noun, token)

    def _known_person(self, noun: MentionSpan, owner: Person | None) -> Person | None:
        """Find the person who was called by the same noun last. Nobody is their own mother."""
        for person, _ in self._discourse.persons_near(noun.head, NOUN_REACH):
            is_called = noun.lemma in person.nouns and person.fits(noun.gender, noun.is_plural)
            if is_called and person is not owner:
                return person
        return None

    def _owner_of(self, token: "Token") -> Person | None:
        """Find the person to whom somebody is a relative or a servant (*his* in *his mother*)."""
        owner = owner_in(token)
        return self._person_at(owner.i) if owner is not None and self._has_articles else None

    def _may_be_called_otherwise(self, noun: MentionSpan) -> bool:
        """Check whether a noun shows by itself whom it may refer to: a woman, or a man."""
        return self._has_articles and bool(noun.gender) and not noun.is_plural

    def _relative_of(self, owner: Person, noun: MentionSpan) -> Person | None:
        """Find the only person of a noun's gender with the surname of somebody whose relative is meant (*his wife*)."""
        relatives = [
            person
            for person in self._names.with_surname_of(owner)
            if person is not owner and person.likely_gender == noun.gender
        ]
        return relatives[0] if len(relatives) == 1 else None

    def _salient_person(self, noun: MentionSpan, token: "Token") -> Person | None:
        """Find the person of a noun's gender who was mentioned most, and last, in the sentences before it."""
        others = self._persons_beside(token)
        best = None
        best_score = float("-inf")
        for near in self._discourse.persons_near(noun.head, SALIENT_REACH):
            person = near.person
            if person.is_plural or person.is_unknown or not self._may_have_gender(person, noun):
                continue
            score = _salience(near)
            if score > best_score and person.number not in others:
                best = person
                best_score = score
        return best

    def _may_have_gender(self, person: Person, noun: MentionSpan) -> bool:
        """Check whether a person has the gender of a noun, or a name that shows none, and the noun is an office."""
        if person.likely_gender:
            return person.likely_gender == noun.gender
        return self._mends_parse and bool(person.parts) and noun.lemma in self._offices

    def _persons_beside(self, token: "Token") -> set[int]:
        """List the persons whom a noun cannot mean: its owner, and those beside it below the same verb."""
        words = [child for child in token.children if child.i < token.i]
        verb = token.head
        while verb.pos_ not in ("VERB", "AUX") and verb.head != verb:
            words.append(verb)
            verb = verb.head
        words += verb.children
        persons = (self._person_at(word.i) for word in words)
        return {person.number for person in persons if person is not None}

    def _same_person(self, noun: MentionSpan, token: "Token") -> Person | None:
        """Find the person whom the parse joins with a noun, in an apposition or as its subject."""
        # "The doctor, Anna Koch" is an apposition, "she is a doctor" a predicate.
        if token.dep_ in _ROLES_OF_APPOSITIONS:
            person = self._person_at(token.head.i)
            if person is not None or not self._mends_parse:
                return person
        name = self._name_below(token) or self._name_after_phrase(token) or self._name_before_comma(token)
        if name is not None:
            return name.person
        subject = self._subject_of_predicate(token)
        if subject is not None:
            return self._person_of_subject(subject, noun, token)
        if self._discourse.is_cased:
            return self._name_beside(token)
        return self._person_called_as(token) or self._name_before(token)

    def _person_of_subject(self, subject: int, noun: MentionSpan, token: "Token") -> Person | None:
        """Find the person who is the subject of a predicate. A speaker is the most salient one (*you are a lady*)."""
        person = self._person_at(subject)
        is_speaker = self._discourse.doc[subject].lower_ in _SPEAKERS
        is_denied = any(child.dep_ == "neg" for child in token.head.children)
        if person is None and is_speaker and not is_denied and self._may_be_called_otherwise(noun):
            return self._salient_person(noun, token)
        return person

    def _person_at(self, position: int) -> Person | None:
        mention = self._discourse.mention_at(position)
        return mention.person if mention else None

    def _name_below(self, token: "Token") -> MentionSpan | None:
        for child in token.children:
            if child.dep_ in _ROLES_OF_NAMES:
                mention = self._discourse.mention_at(child.i)
                if mention is not None and mention.kind == "name":
                    return mention
            elif child.dep_ == "acl" and child.lemma_.lower() in _NAMING_VERBS:
                name = self._name_after(child)
                if name is not None:
                    return name
        return None

    def _name_after_phrase(self, token: "Token") -> MentionSpan | None:
        """Find the name that follows a noun and its attributes, in an apposition that the parse misses.

        Examples are "le porte-parole de l'agence Sutopo Nugroho" and "le directeur sportif de la LSU, Joe Alleva,".
        """
        if not self._mends_parse:
            return None
        doc = token.doc
        following = token.i + 1
        for position in range(following, min(following + _LONGEST_PHRASE, len(doc) - 1)):
            word = doc[position]
            has_comma = word.text == ","
            name = self._name_from(position + has_comma)
            if name is not None:
                # "The wife of Jean" is somebody else.
                is_apposition = self._is_closed_name(name) if has_comma else not self._links(doc[position - 1])
                return name if is_apposition else None
            if not self._links(word) and (word.pos_ not in _IN_PHRASES or self._discourse.mention_at(position)):
                return None
        return None

    def _name_before_comma(self, token: "Token") -> MentionSpan | None:
        """Find the name before a noun in an apposition that the parse misses (*Joan Puig, mécanicien de 42 ans*)."""
        if not self._mends_parse or _is_listed(token):
            return None
        doc = token.doc
        position = token.i - 1
        while position > 0 and self._is_attribute_before(doc[position]):
            position -= 1
        if position < 1 or doc[position].text != ",":
            return None
        name = self._discourse.mention_at(position - 1)
        if name is None or name.kind != "name" or name.end != position:
            return None
        is_other_subject = token.dep_ in SUBJECTS and doc[name.start].dep_ not in SUBJECTS
        return None if is_other_subject and not doc[name.start].is_sent_start else name

    def _is_attribute_before(self, word: "Token") -> bool:
        """Check whether a word before a noun may belong to it. The tagger takes some adjectives for nouns."""
        if word.pos_ in _BEFORE_NOUNS:
            return True
        return word.pos_ == "NOUN" and self._discourse.mention_at(word.i) is None

    def _name_from(self, position: int) -> MentionSpan | None:
        """Find the name that begins at a token."""
        mention = self._discourse.mention_at(position)
        if mention is None or mention.kind != "name" or mention.start != position:
            return None
        return mention

    def _links(self, word: "Token") -> bool:
        """Check whether a word links a noun and its attributes (*de*)."""
        return word.lower_ in self._within_phrase

    def _is_closed_name(self, name: MentionSpan) -> bool:
        """Check whether punctuation follows a name, as at the end of an apposition."""
        doc = self._discourse.doc
        return name.end == len(doc) or doc[name.end].text[:1] in _CLOSING

    def _name_after(self, verb: "Token") -> MentionSpan | None:
        """Find the name after a verb of naming (*a girl called Thea*)."""
        for child in verb.children:
            if child.dep_ in _ROLES_AFTER_NAMING and child.i > verb.i:
                mention = self._discourse.mention_at(child.i)
                if mention is not None and mention.kind == "name":
                    return mention
        return None

    def _person_called_as(self, token: "Token") -> Person | None:
        """Find the person about whom "as" and an indefinite noun say something (*she lived as a widow*)."""
        preposition = token.head
        is_predicate = token.dep_ == "pobj" and preposition.lower_ == "as"
        if not is_predicate or not is_indefinite(token, self._has_articles, has_bare_singulars=False):
            return None
        subject = None
        for word in preposition.head.children:
            if word.dep_ == "dobj":
                # In "they saw her as a girl", the object is meant, whether it is a person or a thing.
                return self._person_at(word.i)
            if word.dep_ in SUBJECTS:
                subject = word
        return self._person_at(subject.i) if subject is not None else None

    def _name_before(self, token: "Token") -> Person | None:
        """Find the name directly before a noun in an apposition that the parse misses.

        Examples are "Morgenroth the clothier", and "Alice, his wife," with a comma or a full stop at the end.
        """
        doc = token.doc
        start = token.left_edge.i
        has_comma = start > 0 and doc[start - 1].text == ","
        position = start - 2 if has_comma else start - 1
        mention = self._discourse.mention_at(position)
        if mention is None or mention.kind != "name":
            return None
        is_beside = mention.end == position + 1
        if not is_beside or not is_definite(token):
            return None
        is_apposition = _is_closed(token) if has_comma else owner_in(token) is None
        return mention.person if is_apposition else None

    def _subject_of_predicate(self, token: "Token") -> int | None:
        """Find the subject of a verb whose predicate a noun is (*she is a doctor and author*)."""
        is_second = token.dep_ == "conj" and token.head.dep_ == "attr"
        noun = token.head if is_second else token
        verb = _verb_of_predicate(noun)
        if verb is None:
            return None
        if verb != noun:
            verb = _verb_with_subject(verb)
        for child in verb.children:
            # In "a knight she was", the subject follows.
            if child.dep_ in SUBJECTS and (child.i < noun.i or verb.i > noun.i):
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


def _salience(near: Nearby) -> float:
    person, distance = near
    weight = person.weight * FADING**distance
    return 0.8 * weight**0.5 - distance


def _is_closed(token: "Token") -> bool:
    """Check whether punctuation follows a noun and its attributes, as at the end of an apposition."""
    doc = token.doc
    last = token.right_edge.i
    if last - token.i > _LONGEST_ATTRIBUTE:
        last = token.i
    following = last + 1
    return following == len(doc) or doc[following].text in _AFTER_APPOSITION


def _is_listed(token: "Token") -> bool:
    """Check whether a noun is one of several that are joined without a comma (*the father and son*)."""
    joined = [child.i for child in token.children if child.dep_ == "conj"]
    if token.dep_ == "conj":
        joined.append(token.head.i)
    for other in joined:
        first = min(other, token.i)
        last = max(other, token.i)
        if not any(word.is_punct for word in token.doc[first:last]):
            return True
    return False


def _verb_of_predicate(noun: "Token") -> "Token | None":
    """Find the verb of a predicate, or the noun itself if a copula depends on it. None if it is no predicate."""
    if noun.dep_ == "attr":
        return noun.head
    return noun if any(child.dep_ == "cop" for child in noun.children) else None


def _verb_with_subject(verb: "Token") -> "Token":
    """Find the verb whose subject is that of a clause without one, or the verb of the clause itself."""
    above = verb
    for _ in range(_DEPTH_OF_CLAUSES):
        has_subject = any(child.dep_ in SUBJECTS for child in above.children)
        if has_subject or above.dep_ not in _CLAUSES_WITHOUT_SUBJECT:
            break
        above = above.head
    return above


def _may_be_attribute(token: "Token") -> bool:
    """Check whether a word may be the genitive after a noun (*директор школы*)."""
    return token.pos_ in ("NOUN", "ADJ") and "Gen" in token.morph.get("Case")
