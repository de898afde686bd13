"""Resolve which mentions refer to the same person: names by their parts, nouns and pronouns by simple rules."""

from collections import defaultdict
from itertools import count
from math import log
from typing import TYPE_CHECKING

from textparity.counting import GENDERS
from textparity.persons.agreement import grammatical_gender, verb_gender
from textparity.persons.impersonal import place_of_verb
from textparity.persons.mention_spans import (
    GENERIC,
    NEUTRAL_ROLES,
    PERHAPS_THEY,
    SINGULAR_THEY,
    SUBJECTS,
    MentionSpan,
    Person,
)
from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED, Rules, is_same_first_name
from textparity.persons.pronoun_hints import choose_hints, count_pronouns_after, count_statements, has_sign_of_they

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# How far back a pronoun or a definite noun may refer, in sentences.
PRONOUN_REACH, NOUN_REACH = 3, 30
# The weight that a mention gives to a person shrinks by this factor with each sentence.
FADING = 0.9
# So much higher must the score of a thing be than that of a person, because a pronoun is more likely to refer to a
# person: without and with cases. It moves by `PRIOR` times the log ratio of persons to things among the subjects of the
# text, at most `MOST` of it. A verb for what persons do, or a role in the sentence that persons mostly have, adds more.
# These numbers were chosen on the French novels, news, NTREX-128's first half and two web pages here, and on readings
# of Slavic news.
LIKELIER, LIKELIER_WITH_CASES, PRIOR, MOST = 2.6, 2.0, 1.0, 2.0
# Added to both numbers, so that short texts tell little.
FEW = 3
PERSON_VERB = 2.0
PERSON_ROLES = {"possessive": 0.5, "dative": 1.0}
# A thing that was not a subject is less likely.
NO_SUBJECT = 0.5
# The score to beat for a thing if no person fits. In a text about things, nobody new is then assumed either.
NOBODY_ELSE, NO_NEW_PERSON = -2.2, 1.6


class CoreferenceResolver:
    """Resolve which mentions in a document refer to the same person."""

    def __init__(self, doc: "Doc", sentence_of: list[int], rules: Rules) -> None:
        self._doc, self._sentence_of, self._rules = doc, sentence_of, rules
        # Nouns and verbs agree in gender, and have cases (Czech, Russian).
        self._cased = rules.of_kind("agreement")
        self._numbers = count()
        # In order of their last mention, the latest at the end.
        self._recent: dict[int, Person] = {}
        self._by_part: defaultdict[str, list[Person]] = defaultdict(list)
        # Nouns that do not denote persons, by word.
        self._things: dict[str, Person] = {}
        self._seen = 0
        # Those languages have an impersonal pronoun, or cases.
        self._may_be_things = bool(rules.of_kind("impersonal") or self._cased)
        self._likely = 0.0
        # Plural pronouns show a gender where nouns have articles of one.
        self._joins = bool(rules.of_kind("article")) and not self._cased
        self._group_numbers: dict[tuple[int, int], int] = {}

    def resolve(self, found: list[MentionSpan]) -> list[MentionSpan]:
        """Assign a person to each mention. Mentions that turn out not to refer to a person are left out."""
        # The head of a name may be its first word.
        self._at = {place: one for one in found if one.kind == "name" for place in range(one.start, one.end)}
        self._at |= {one.head: one for one in found}
        names = [one for one in found if one.kind == "name"]
        plurals = frozenset(one.head for one in found if one.kind == "noun" and one.is_plural)
        self._votes = count_pronouns_after(self._doc, names, self._rules, plurals)
        # A single name that is never a subject is often that of a thing (*Brexit … he*).
        subjects = {one.parts for one in names if (self._doc[one.head].dep_ or "nsubj") in SUBJECTS}
        self._acting = subjects | {one.parts for one in names if len(one.parts) > 1 or one.gender}
        acting = {parts: self._votes[parts] for parts in self._acting}
        statements = count_statements(self._doc, names, self._rules)
        self._hints = choose_hints(acting, names, statements, has_sign_of_they(self._doc, self._rules))
        for one in names:
            hint = self._hints.get(one.parts, "")
            if one.evidence == "first name" and hint in GENDERS and not self._may_be_things:
                # The text knows its persons better than a list of first names.
                one.gender, one.evidence = hint, one.evidence if hint == one.gender else "pronouns"
        # Full names come first, so that a surname in a headline is matched to the full name that follows it.
        for one in sorted(names, key=lambda one: -min(len(one.parts), 2)):
            one.person = self._named(one)
            for token in self._doc[one.name_start : one.end] if self._cased else ():
                # The tagger takes most names for masculine, and so also those of things.
                is_alive = "Inan" not in token.morph.get("Animacy")
                guess = grammatical_gender(token) if token.pos_ == "PROPN" and is_alive else ""
                is_new = guess == FEMININE or (len(one.parts) > 1 and not one.person.votes)
                one.person.votes.update({guess: int(is_new), verb_gender(token): 3})
                del one.person.votes[""]
        self._likely = self._person_prior(found)
        kept = []
        for one in found:
            if one.kind == "noun":
                one.person = self._noun(one)
            elif one.kind == "pronoun":
                self._note_things(one.head)
                one.person = self._referred(one)
            if one.person is not None:
                self._note(one, one.person)
                self._note_joined(one, one.person)
                kept.append(one)
        if not self._may_be_things or self._likely >= NO_NEW_PERSON:
            self._heed_single_hints([one for one in names if one.parts in subjects])
        return [one for one in kept if one.role != "unknown" or (one.person is not None and one.person.likely_gender)]

    def _heed_single_hints(self, names: list[MentionSpan]) -> None:
        """Give persons without a gender that of the pronouns that come next after their names, even of a single one."""
        for parts, person in {one.parts: one.person for one in names}.items():
            genders = {gender: self._votes[parts][gender] for gender in GENDERS if self._votes[parts][gender]}
            if person is not None and not person.is_unknown and not person.likely_gender and len(genders) == 1:
                person.votes.update(genders)

    def _note(self, one: MentionSpan, person: Person) -> None:
        token = self._doc[one.head]
        self._recent.pop(person.number, None)
        self._recent[person.number] = person
        self._weigh(person, token)
        if one.gender and one.kind != "pronoun" and not (person.gender or person.is_neutral):
            person.gender, person.evidence = one.gender, one.evidence

    def _note_joined(self, one: MentionSpan, person: Person) -> None:
        """Note two persons whose names are joined as a group, in languages whose plural pronouns have a gender."""
        token = self._doc[one.head]
        first = self._at.get(token.head.i) if self._joins and token.dep_ == "conj" else None
        if first is None or first.person is None or one.kind == "pronoun" or first.kind == "pronoun":
            return
        number = self._group_numbers.setdefault((first.person.number, person.number), next(self._numbers))
        group = self._recent.pop(number, None) or Person(number, is_plural=True, members=(first.person, person))
        self._recent[number] = group
        self._weigh(group, self._doc[first.head])

    def _weigh(self, person: Person, token: "Token") -> None:
        here = self._sentence_of[token.i]
        person.weight = person.weight * FADING ** max(0, here - person.last_sentence) + 1
        person.last_sentence = here
        person.last_token = token.i
        person.was_subject = token.dep_ in SUBJECTS

    def _note_things(self, end: int) -> None:
        """Note the nouns before a token that do not denote persons, in languages whose pronouns may refer to things."""
        if not self._may_be_things:
            return
        for token in self._doc[self._seen : end]:
            if token.i not in self._at and self._is_thing(token):
                gender = grammatical_gender(token)
                thing = self._things.pop(token.lower_, None) or Person(-1, "Plur" in token.morph.get("Number"))
                thing.gender = gender
                self._weigh(thing, token)
                self._things[token.lower_] = thing
        self._seen = max(self._seen, end)

    def _is_thing(self, token: "Token") -> bool:
        """Check whether a token that mentions no person is a noun, or a word or a name that is a subject like one."""
        if token.pos_ == "NOUN":
            return bool(grammatical_gender(token)) or not self._cased
        if self._cased or token.dep_ not in SUBJECTS:
            return False
        return token.pos_ == "PROPN" or (token.pos_ == "ADJ" and any(child.pos_ == "DET" for child in token.children))

    def _find_thing(self, one: MentionSpan) -> tuple[Person | None, float]:
        """Find the thing that a pronoun most likely refers to, and its score, on the same scale as that of a person."""
        here = self._sentence_of[one.head]
        best, best_score = None, float("-inf")
        clauses = self._modified_by_clause_of(self._doc[one.head])
        for thing in reversed(self._things.values()):
            distance = here - thing.last_sentence
            if distance > PRONOUN_REACH:
                break
            if thing.last_token in clauses or not self._fits(thing, one.gender, one.is_plural):
                continue
            score = self._score(one, thing, distance)
            score -= 0 if thing.was_subject or one.role == "object" else NO_SUBJECT
            if score > best_score:
                best, best_score = thing, score
        return best, best_score - self._person_margin(one)

    def _modified_by_clause_of(self, token: "Token") -> set[int]:
        """List the nouns with a relative clause that contains a token: *il* in *le livre qu'il lit* is not the book."""
        nouns = set()
        for above in token.ancestors:
            if above.dep_ in ("acl:relcl", "relcl"):
                nouns.add(above.head.i)
        return nouns

    def _person_prior(self, found: list[MentionSpan]) -> float:
        """How much likelier a pronoun of this text refers to a person: more if its subjects are names and persons."""
        if not self._may_be_things:
            return 0
        persons = sum(self._doc[one.head].dep_ in SUBJECTS for one in found if one.kind != "pronoun")
        things = sum(
            token.dep_ in SUBJECTS and token.i not in self._at and self._is_thing(token) for token in self._doc
        )
        likely = LIKELIER_WITH_CASES if self._cased else LIKELIER
        return likely + PRIOR * max(-MOST, min(MOST, log((persons + FEW) / (things + FEW))))

    def _acts_like_person(self, one: MentionSpan) -> bool:
        """Check whether a pronoun is the subject of a verb for what persons do (*elle pense*, *dit-il*)."""
        token, verbs = self._doc[one.head], set(self._rules.of_kind("person_verb"))
        if token.text.startswith("-"):
            place = place_of_verb(token)
            if place < 0:
                return False
            verb = self._doc[place]
            # Organisations say things as well, but not in this way.
            verbs |= self._rules.of_kind("speech_verb").keys()
        else:
            verb = token.head if token.dep_ in SUBJECTS else token
        return verb.lemma_.lower() in verbs or verb.lower_ in verbs

    def _person_margin(self, one: MentionSpan) -> float:
        """How much likelier a pronoun refers to a person than to a thing with the same score."""
        return self._likely + PERSON_VERB * self._acts_like_person(one) + PERSON_ROLES.get(one.role, 0)

    def _named(self, one: MentionSpan) -> Person:
        parts = one.parts
        is_neutral = self._hints.get(parts) == UNSPECIFIED and one.evidence != "title"
        if is_neutral:
            one.gender = one.evidence = ""
        is_spouse = len(parts) > 1 and one.evidence == "title" and one.gender == FEMININE and one.first_name != FEMININE
        # Persons who share the first or the last part of the name, the latest first.
        candidates = {person.number: person for part in (parts[0], parts[-1]) for person in self._by_part[part]}
        families = sum(len(person.parts) > 1 and person.parts[-1] == parts[-1] for person in candidates.values())
        if one.lemma:
            candidates = {number: person for number, person in candidates.items() if person.parts == parts}
        if len(parts) == 1 and families and one.evidence == "first name" and self._cased:
            # Elizabeth Warren may be called Warren.
            one.gender = one.evidence = ""
        for person in sorted(candidates.values(), key=lambda person: (person.parts != parts, -person.number)):
            # If several persons have the name Lumière, Mr Lumière is not necessarily Églantine Lumière.
            if {one.lemma} - person.nouns - {""} or (person.nouns and not one.lemma):
                continue
            if len(parts) == 1 and one.gender and families > 1 and not person.gender:
                continue
            if (
                (gender := one.gender or self._hints.get(parts))
                and (other := person.gender or self._hints.get(person.parts))
                and gender != other
            ):
                continue
            if (person.is_spouse or is_spouse) and not (one.gender == person.gender == FEMININE):
                continue
            same_last = person.parts[-1] == parts[-1]
            if len(parts) > 1 and len(person.parts) > 1:
                same = same_last and is_same_first_name(person.parts[0], parts[0])
            else:
                same = same_last or parts[-1] == person.parts[0] or person.parts[-1] == parts[0]
            if same:
                break
        else:
            person = Person(next(self._numbers), is_plural=False, is_spouse=is_spouse)
        person.is_neutral |= is_neutral
        is_unknown = one.role == "unknown" or parts not in self._acting
        person.is_unknown = is_unknown and (person.is_unknown or not person.parts)
        if one.lemma:
            person.nouns.add(one.lemma)
        if len(parts) > len(person.parts):
            person.parts = parts
            for part in {parts[0], parts[-1]}:
                self._by_part[part].append(person)
        if one.gender and not person.gender:
            person.gender, person.evidence = one.gender, one.evidence
        return person

    def _noun(self, one: MentionSpan) -> Person:
        doc = self._doc
        token = doc[one.head]
        # "The doctor, Anna Koch" is an apposition, "she is a doctor" a predicate.
        other = self._same_person(token)
        if one.evidence == "morphology" and self._cased:
            # The masculine noun for an office may be that of a woman.
            if verb_gender(token) == FEMININE:
                one.gender, one.evidence = FEMININE, "agreement"
            elif other and other.person and other.person.likely_gender == FEMININE:
                one.gender = ""
        if other is not None and other.person is not None and self._fits(other.person, one.gender, one.is_plural):
            other.person.nouns.add(one.lemma)
            return other.person
        is_indefinite = any(
            "Ind" in child.morph.get("Definite") or child.lower_ in ("a", "an", "another", "un", "une", "una")
            for child in token.children
        )
        if not is_indefinite:
            here = self._sentence_of[one.head]
            for person in reversed(self._recent.values()):
                if here - person.last_sentence > NOUN_REACH:
                    break
                if one.lemma in person.nouns and self._fits(person, one.gender, one.is_plural):
                    if person.is_generic and one.evidence != "lexicon":
                        one.gender, one.evidence = "", GENERIC
                    return person
        return Person(next(self._numbers), one.is_plural, nouns={one.lemma}, is_generic=one.evidence == GENERIC)

    def _same_person(self, token: "Token") -> MentionSpan | None:
        if token.dep_ in ("appos", "flat", "flat:name", "compound", "nmod:appos"):
            return self._at.get(token.head.i)
        for child in token.children:
            found = self._at.get(child.i) if child.dep_ in ("appos", "flat", "flat:name") else None
            if found is not None and found.kind == "name":
                return found
        is_second = token.dep_ == "conj" and token.head.dep_ == "attr"
        noun = token.head if is_second else token
        verb = noun.head if noun.dep_ == "attr" else noun if any(c.dep_ == "cop" for c in noun.children) else None
        if verb is not None:
            for child in verb.children:
                if child.dep_ in SUBJECTS and child.i < noun.i:
                    # In "Jason, who is our editor", the subject of "is" refers to Jason.
                    is_relative = verb.dep_ in ("relcl", "acl:relcl") and child.i not in self._at
                    return self._at.get(verb.head.i if is_relative else child.i)
        if not self._cased:
            return None
        # Without a parse: "the director (of the school) Anna Koch", "Anna Koch, the former director" or "Anna Koch —
        # director".
        place = token.i - 1
        while place > 0 and self._doc[place].pos_ == "ADJ":
            place -= 1
        following = token.i + 1
        while following < len(self._doc) and self._is_attribute(self._doc[following]):
            following += 1
        near = [following, place - 1 if self._doc[place].is_punct else -1, token.i - 2]
        return next((one for one in map(self._at.get, near) if one and one.kind == "name"), None)

    @staticmethod
    def _is_attribute(token: "Token") -> bool:
        """Check whether a word may be the genitive after a noun (*директор школы*)."""
        return token.pos_ in ("NOUN", "ADJ") and "Gen" in token.morph.get("Case")

    def _mention_before(self, token: "Token") -> MentionSpan | None:
        """Find the mention directly before a relative pronoun. A comma or a preposition may stand between them."""
        for place in range(token.i - 1, max(token.i - 4, -1), -1):
            if found := self._at.get(place):
                return found if found.kind != "pronoun" or found.role in ("demonstrative", "personal") else None
            if self._doc[place].pos_ not in ("PUNCT", "ADP"):
                break
        return None

    @staticmethod
    def _fits(person: Person, gender: str, is_plural: bool) -> bool:
        if gender and person.is_neutral and not person.gender:
            return False
        likely = MASCULINE if person.is_generic else person.likely_gender
        return person.is_plural == is_plural and (not gender or not likely or gender == likely)

    def _referred(self, one: MentionSpan) -> Person | None:
        token = self._doc[one.head]
        if one.role == "relative":
            if before := self._mention_before(token):
                return before.person
            clause = token
            while clause.dep_ not in ("relcl", "acl:relcl", "acl") and clause.head != clause:
                clause = clause.head
            other = self._at.get(clause.head.i) if clause.head != clause else None
            return other.person if other else None
        if one.role == "reflexive" and not one.gender:
            subject = next((child for child in token.head.children if child.dep_ in SUBJECTS), None)
            other = self._at.get(subject.i) if subject is not None else None
            return other.person if other else None
        if one.role in NEUTRAL_ROLES:
            return self._called_they(one)
        here = self._sentence_of[one.head]
        own_subject = self._subject_of(token)
        best, best_score = None, float("-inf")
        for person in reversed(self._recent.values()):
            distance = here - person.last_sentence
            if distance > PRONOUN_REACH:
                break
            if not self._fits(person, one.gender, one.is_plural):
                continue
            # In "he sees him", the two pronouns refer to two persons.
            if person is own_subject and one.role in ("object", "dative"):
                continue
            if person.is_unknown and (one.role != "personal" or not one.gender):
                continue
            score = self._score(one, person, distance)
            if score > best_score:
                best, best_score = person, score
        if self._may_be_things:
            thing, thing_score = self._find_thing(one)
            acts = self._acts_like_person(one)
            is_said = acts and self._doc[one.head].text.startswith("-")
            is_doubtful = self._likely < NO_NEW_PERSON or (one.is_plural and not self._may_be_several(one))
            if best is None and is_doubtful and not acts:
                return None
            if thing is not None and not is_said and thing_score > (NOBODY_ELSE if best is None else best_score):
                weight = thing.weight
                self._weigh(thing, self._doc[one.head])
                thing.weight = weight
                return None
        if best is None and not one.gender:
            return None
        person = best or Person(next(self._numbers), one.is_plural)
        if person.is_generic or self._is_generic(one, person):
            one.gender = ""
        elif best is None:
            person.gender, person.evidence = one.gender, "pronoun"
        elif one.gender and not person.gender:
            person.votes[one.gender] += 1
        return person

    def _called_they(self, one: MentionSpan) -> Person | None:
        """Find the person whose pronoun is *they* or *ze*. Without one, *they* is a plural, and *ze* somebody new."""
        here = self._sentence_of[one.head]
        for person in reversed(self._recent.values()):
            if here - person.last_sentence > PRONOUN_REACH:
                break
            if one.role == PERHAPS_THEY and person.is_plural:
                return None
            if person.is_neutral:
                return person
        return Person(next(self._numbers), False, is_neutral=True) if one.role == SINGULAR_THEY else None

    @staticmethod
    def _score(one: MentionSpan, person: Person, distance: int) -> float:
        """Score how likely a pronoun refers to a person mentioned `distance` sentences before."""
        score = -1.0 * distance - 0.03 * min(one.head - person.last_token, 60)
        score += 0.8 * (person.weight * FADING**distance) ** 0.5
        score += 0.6 * person.was_subject + 0.2 * bool(person.parts) - 1.0 * person.is_unknown
        return score + 0.4 * (bool(one.gender) and person.likely_gender == one.gender)

    def _may_be_several(self, one: MentionSpan) -> bool:
        """Check whether a plural pronoun may refer to several persons mentioned one by one, or cases tell nothing."""
        here = self._sentence_of[one.head]
        near = [other for other in self._recent.values() if here - other.last_sentence <= PRONOUN_REACH]
        # "Ils" may be men and women, but "elles" only women.
        excluded = MASCULINE if one.gender == FEMININE else None
        fitting = [other for other in near if not other.is_plural and other.likely_gender != excluded]
        return bool(self._cased) or len(fitting) > 1

    def _is_generic(self, one: MentionSpan, person: Person) -> bool:
        """Check whether a masculine plural has no known men to refer to, so that it may mean anyone."""
        if not (one.is_plural and one.gender == MASCULINE and self._rules.of_kind("article")):
            return False
        here = self._sentence_of[one.head]
        near = [other for other in self._recent.values() if here - other.last_sentence <= 1 and not other.is_plural]
        if person.members:
            near = list(person.members)
        are_men = len(near) > 1 and all(
            other.likely_gender == MASCULINE or (other.parts and not other.likely_gender) for other in near
        )
        if person.members:
            return not are_men
        return not (person.gender == MASCULINE or person.parts or are_men)

    def _subject_of(self, token: "Token") -> Person | None:
        """Find the subject of the verb that a pronoun belongs to. None if the pronoun is part of it."""
        place = token
        for _ in range(6):
            if place.pos_ in ("VERB", "AUX") or place.head == place:
                break
            if place.dep_ in SUBJECTS:
                return None
            place = place.head
        for child in place.children:
            if child.dep_ in SUBJECTS and child != token and (found := self._at.get(child.i)):
                return found.person
        return None
