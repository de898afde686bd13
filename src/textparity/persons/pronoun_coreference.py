"""Resolve to which persons pronouns refer, by the weight of the persons, and of things, mentioned before."""

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from textparity.persons.discourse import FADING, Discourse, Nearby
from textparity.persons.impersonal import position_of_verb
from textparity.persons.mention_spans import (
    NEUTRAL_ROLES,
    PERHAPS_THEY,
    SINGULAR_THEY,
    SUBJECTS,
    MentionSpan,
    Person,
)
from textparity.persons.mentions import FEMININE, MASCULINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Token

# How far back a pronoun may refer, in sentences.
PRONOUN_REACH = 3
# How far back it may refer to somebody of its gender if nobody else fits, where things are not called he or she.
FAR_REACH = 20
# The weight of a known gender. Where he or she may be a thing, the gender of nouns shows less.
SAME_GENDER, SAME_GENDER_AS_THINGS = 0.8, 0.4
# The weight of a subject in the same sentence for a possessive or a reflexive. This and the numbers above were chosen
# on LitBank's development half.
SAME_SENTENCE = 3.0
# The score of a thing must exceed that of a person by this margin, because a pronoun is more likely to refer to a
# person. The first is for languages without cases, the second for those with cases. The margin moves by `PRIOR` times
# the log ratio of persons to things among the subjects of the text, which is limited to ±`MOST`. A verb for what
# persons do, or a role in the sentence that persons mostly have, adds to it. These numbers were chosen on French
# novels, news, NTREX-128's first half and two web pages, and on readings of Slavic news.
LIKELIER, LIKELIER_WITH_CASES, PRIOR, MOST = 2.6, 2.0, 1.0, 2.0
# Added to both counts, so that the ratio of a short text has little influence.
FEW = 3
PERSON_VERB = 2.0
PERSON_ROLES = {"possessive": 0.5, "dative": 1.0}
# A thing that was not a subject is less likely.
NO_SUBJECT = 0.5
# The score to beat for a thing if no person fits. In a text about things, nobody new is then assumed either.
NOBODY_ELSE, NO_NEW_PERSON = -2.2, 1.6
_RELATIVE_CLAUSES = frozenset({"acl:relcl", "relcl"})
# How many words a pronoun may stand below its verb in the parse.
_DEPTH = 6
_LONGEST_DISTANCE = 60
_NO_SCORE = float("-inf")


@dataclass(frozen=True)
class _Scored:
    """The most likely person, or thing, and how likely it is. None if none fits."""

    person: Person | None
    score: float


class PronounResolver:
    """Resolve the pronouns of a document, in text order. `mentions` are all its mentions."""

    def __init__(self, discourse: Discourse, mentions: "Sequence[MentionSpan]") -> None:
        self._discourse = discourse
        self._rules = discourse.rules
        # How much likelier a pronoun of this text refers to a person.
        self._person_prior = 0.0
        self._same_gender = SAME_GENDER
        if discourse.may_be_things:
            self._person_prior = self._estimate_prior(mentions)
            self._same_gender = SAME_GENDER_AS_THINGS
        self._person_verbs = frozenset(self._rules.of_kind("person_verb"))
        # Organisations say things as well, but not in this way (*dit-elle*).
        self._verbs_before_pronoun = self._person_verbs.union(self._rules.of_kind("speech_verb"))

    @property
    def may_assume_persons(self) -> bool:
        """Whether the text is about persons, so that a pronoun may refer to somebody new."""
        return not self._discourse.may_be_things or self._person_prior >= NO_NEW_PERSON

    def _estimate_prior(self, mentions: "Sequence[MentionSpan]") -> float:
        """Estimate how much likelier pronouns refer to persons: more if the subjects are names and persons."""
        doc = self._discourse.doc
        heads = [doc[mention.head] for mention in mentions if mention.kind != "pronoun"]
        persons = sum(map(_is_subject, heads))
        subjects = filter(_is_subject, doc)
        things = sum(map(self._discourse.is_thing, subjects))
        ratio = (persons + FEW) / (things + FEW)
        shift = max(-MOST, min(MOST, log(ratio)))
        usual = LIKELIER_WITH_CASES if self._discourse.is_cased else LIKELIER
        return usual + PRIOR * shift

    def person_of(self, pronoun: MentionSpan) -> Person | None:
        """Find the person to whom a pronoun refers, or a new one. None if it refers to a thing or to nobody known."""
        token = self._discourse.doc[pronoun.head]
        if pronoun.role == "relative":
            return self._antecedent_of_relative(token)
        if pronoun.role == "reflexive" and not pronoun.gender:
            return self._person_of_subject(token)
        if pronoun.role in NEUTRAL_ROLES:
            return self._called_they(pronoun)
        best = self._best_person(pronoun)
        if self._discourse.may_be_things and self._is_no_person(pronoun, best):
            return None
        if best.person is None and not pronoun.gender:
            return None
        if best.person is None and not self._discourse.may_be_things:
            best = self._far_person(pronoun)
        person = best.person or Person(self._discourse.next_number(), pronoun.is_plural)
        if person.is_generic or self._is_generic(pronoun, person):
            pronoun.gender = ""
        elif best.person is None:
            person.gender = pronoun.gender
            person.evidence = "pronoun"
        elif pronoun.gender and not person.gender and not self._may_be_thing(pronoun):
            person.votes[pronoun.gender] += 1
        return person

    def _may_be_thing(self, pronoun: MentionSpan) -> bool:
        """Check whether a pronoun is an object, which is mostly a thing where things have a gender."""
        return pronoun.role == "object" and self._discourse.may_be_things

    def _far_person(self, pronoun: MentionSpan) -> _Scored:
        """Find the last person of the gender of a pronoun, farther back than others."""
        own_subject = self._subject_of(self._discourse.doc[pronoun.head])
        for near in self._discourse.persons_near(pronoun.head, FAR_REACH):
            person = near.person
            is_own_subject = pronoun.role in ("object", "dative") and person is own_subject
            is_fitting = person.likely_gender == pronoun.gender and person.fits(pronoun.gender, pronoun.is_plural)
            if is_fitting and not is_own_subject and not person.is_unknown:
                return _Scored(person, _NO_SCORE)
        return _Scored(None, _NO_SCORE)

    def _person_at(self, position: int) -> Person | None:
        mention = self._discourse.mention_at(position)
        return mention.person if mention else None

    def _antecedent_of_relative(self, token: "Token") -> Person | None:
        """Find the person before a relative pronoun, or else the one whom its clause modifies."""
        mention = self._mention_before(token)
        if mention is not None:
            return mention.person
        clause = token
        while clause.dep_ not in ("relcl", "acl:relcl", "acl"):
            if clause.head == clause:
                return None
            clause = clause.head
        return self._person_at(clause.head.i) if clause.head != clause else None

    def _mention_before(self, token: "Token") -> MentionSpan | None:
        """Find the mention directly before a relative pronoun. A comma or a preposition may stand between them."""
        for position in range(token.i - 1, max(token.i - 4, -1), -1):
            mention = self._discourse.mention_at(position)
            if mention is not None:
                is_other = mention.kind != "pronoun" or mention.role in ("demonstrative", "personal")
                return mention if is_other else None
            if self._discourse.doc[position].pos_ not in ("PUNCT", "ADP"):
                break
        return None

    def _person_of_subject(self, token: "Token") -> Person | None:
        """Find the subject of the verb that a reflexive pronoun belongs to."""
        for child in token.head.children:
            if child.dep_ in SUBJECTS:
                return self._person_at(child.i)
        return None

    def _called_they(self, pronoun: MentionSpan) -> Person | None:
        """Find the person whose pronoun is *they* or *ze*. Without one, *they* is a plural, and *ze* somebody new."""
        for person, _ in self._discourse.persons_near(pronoun.head, PRONOUN_REACH):
            if pronoun.role == PERHAPS_THEY and person.is_plural:
                return None
            if person.is_neutral:
                return person
        if pronoun.role != SINGULAR_THEY:
            return None
        return Person(self._discourse.next_number(), is_plural=False, is_neutral=True)

    def _best_person(self, pronoun: MentionSpan) -> _Scored:
        """Find the person to whom a pronoun most likely refers."""
        own_subject = self._subject_of(self._discourse.doc[pronoun.head])
        is_object = pronoun.role in ("object", "dative")
        may_be_unknown = pronoun.role == "personal" and pronoun.gender
        likely_person = self._person_in_sentence(pronoun)
        best = _Scored(None, _NO_SCORE)
        for near in self._discourse.persons_near(pronoun.head, PRONOUN_REACH):
            person = near.person
            # In "he sees him", the two pronouns refer to two persons.
            is_own_subject = is_object and person is own_subject
            if is_own_subject or not person.fits(pronoun.gender, pronoun.is_plural):
                continue
            if person.is_unknown and not may_be_unknown:
                continue
            score = self._score(pronoun, near)
            if person is likely_person:
                score += SAME_SENTENCE
            if score > best.score:
                best = _Scored(person, score)
        return best

    def _person_in_sentence(self, pronoun: MentionSpan) -> Person | None:
        """Find the person to whom a possessive or a reflexive of a gender most likely refers within its sentence.

        It is the nearest subject above it (*the receiver … has lost his temper*), or the person whom its relative
        clause modifies (*the clerk who has copied his thousands*).
        """
        if pronoun.role not in ("possessive", "reflexive") or not pronoun.gender or pronoun.is_plural:
            return None
        token = self._discourse.doc[pronoun.head]
        for above in token.ancestors:
            positions = [child.i for child in above.children if child.i < token.i and _is_subject(child)]
            if above.dep_ in _RELATIVE_CLAUSES:
                positions.insert(0, above.head.i)
            for position in positions:
                person = self._person_at(position)
                if person is not None and person.fits(pronoun.gender, pronoun.is_plural):
                    return person
        return None

    def _score(self, pronoun: MentionSpan, near: Nearby) -> float:
        """Score how likely a pronoun refers to a person mentioned before."""
        person, distance = near
        tokens_between = pronoun.head - person.last_token
        counted_tokens = min(tokens_between, _LONGEST_DISTANCE)
        weight = person.weight * FADING**distance
        has_name = bool(person.parts)
        is_same_gender = bool(pronoun.gender) and person.likely_gender == pronoun.gender
        score = -1.0 * distance - 0.03 * counted_tokens
        score += 0.8 * weight**0.5
        score += 0.6 * person.was_subject + 0.2 * has_name - 1.0 * person.is_unknown
        return score + self._same_gender * is_same_gender

    def _subject_of(self, token: "Token") -> Person | None:
        """Find the subject of the verb that a pronoun belongs to. None if the pronoun is part of it."""
        verb = token
        for _ in range(_DEPTH):
            if verb.pos_ in ("VERB", "AUX") or verb.head == verb:
                break
            if verb.dep_ in SUBJECTS:
                return None
            verb = verb.head
        for child in verb.children:
            if not _is_subject(child) or child == token:
                continue
            mention = self._discourse.mention_at(child.i)
            if mention is not None:
                return mention.person
        return None

    def _is_no_person(self, pronoun: MentionSpan, best: _Scored) -> bool:
        """Check whether a pronoun more likely refers to a thing, or to nobody, than to the best person."""
        token = self._discourse.doc[pronoun.head]
        acts_like_person = self._acts_like_person(token)
        if best.person is None and not acts_like_person and not self._may_be_new(pronoun):
            return True
        thing = self._best_thing(pronoun)
        is_said = acts_like_person and token.text.startswith("-")
        if thing.person is None or is_said:
            return False
        margin = self._person_prior + PERSON_VERB * acts_like_person + PERSON_ROLES.get(pronoun.role, 0)
        score_to_beat = NOBODY_ELSE if best.person is None else best.score
        if thing.score - margin <= score_to_beat:
            return False
        self._discourse.move(thing.person, token)
        return True

    def _may_be_new(self, pronoun: MentionSpan) -> bool:
        """Check whether a pronoun may refer to persons who were not mentioned, or only one by one."""
        return self.may_assume_persons and (not pronoun.is_plural or self._may_be_several(pronoun))

    def _best_thing(self, pronoun: MentionSpan) -> _Scored:
        """Find the thing to which a pronoun most likely refers."""
        best = _Scored(None, _NO_SCORE)
        modified = _nouns_with_clause_of(self._discourse.doc[pronoun.head])
        for near in self._discourse.things_near(pronoun.head, PRONOUN_REACH):
            thing = near.person
            if thing.last_token in modified or not thing.fits(pronoun.gender, pronoun.is_plural):
                continue
            score = self._score(pronoun, near)
            if not thing.was_subject and pronoun.role != "object":
                score -= NO_SUBJECT
            if score > best.score:
                best = _Scored(thing, score)
        return best

    def _acts_like_person(self, token: "Token") -> bool:
        """Check whether a pronoun is the subject of a verb for what persons do (*elle pense*, *dit-il*)."""
        verbs = self._person_verbs
        if token.text.startswith("-"):
            position = position_of_verb(token)
            if position < 0:
                return False
            verb = token.doc[position]
            verbs = self._verbs_before_pronoun
        else:
            verb = token.head if token.dep_ in SUBJECTS else token
        return verb.lemma_.lower() in verbs or verb.lower_ in verbs

    def _may_be_several(self, pronoun: MentionSpan) -> bool:
        """Check whether a plural pronoun may refer to several persons mentioned one by one, or cases tell nothing."""
        if self._discourse.is_cased:
            return True
        # "Ils" may be men and women, but "elles" only women.
        excluded = MASCULINE if pronoun.gender == FEMININE else None
        singles = self._singles_near(pronoun, PRONOUN_REACH)
        fitting = [person for person in singles if person.likely_gender != excluded]
        return len(fitting) > 1

    def _singles_near(self, pronoun: MentionSpan, reach: int) -> list[Person]:
        """List the single persons of the last sentences."""
        first = self._discourse.sentence_of[pronoun.head] - reach
        return [person for person in self._discourse.persons if person.last_sentence >= first and not person.is_plural]

    def _is_generic(self, pronoun: MentionSpan, person: Person) -> bool:
        """Check whether a masculine plural has no known men to refer to, so that it may mean anyone."""
        is_masculine_plural = pronoun.is_plural and pronoun.gender == MASCULINE
        if not is_masculine_plural or not self._rules.of_kind("article"):
            return False
        if person.members:
            return not _are_men(person.members)
        if person.gender == MASCULINE or person.parts:
            return False
        return not _are_men(self._singles_near(pronoun, reach=1))


def _is_subject(token: "Token") -> bool:
    return token.dep_ in SUBJECTS


def _are_men(persons: "Sequence[Person]") -> bool:
    """Check whether several persons are men, or have names that show no gender."""
    for person in persons:
        gender = person.likely_gender
        if gender != MASCULINE and (gender or not person.parts):
            return False
    return len(persons) > 1


def _nouns_with_clause_of(token: "Token") -> set[int]:
    """List the nouns with a relative clause that contains a token: *il* in *le livre qu'il lit* is not the book."""
    return {above.head.i for above in token.ancestors if above.dep_ in _RELATIVE_CLAUSES}
