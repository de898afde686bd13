"""Resolve the pronouns that refer to one person of an article, by the rules of actors.

Rules resolve the pronouns er, ihn, ihm, sie, ihr and the possessives sein-, ihr- to a person of the article:

- never the polite Sie and Ihr, a plural sie, or ihr- if the clause has a plural subject;
- the person's gender (by title, generic noun, first name) is that of the pronoun, or unknown;
- the mention is at most three sentences back. The nearest sentence comes first, then persons of known gender, then
  subjects, then the latest mention;
- never the subject or object of the pronoun's own verb ("Berger lobte sie" refers to another woman);
- not if a thing of the pronoun's gender was the subject of a later sentence ("Die Firma … Sie …"), unless the
  pronoun is the subject of a speech verb.

er and sein- are always singular, but sie and ihr- may be plural or polite. The rules therefore misread or miss more
pronouns for women.
"""

from collections import defaultdict
from typing import NamedTuple

from textparity.persons.actor_languages import Grammar, Pronoun, WordLists, form_of
from textparity.persons.actors import Actor, ActorMention, actors_by_token, role_head
from textparity.persons.annotations import Annotation
from textparity.persons.quotes import OPENING_MARKS, find_direct_quotes, is_speech_verb

_SENTENCES_BACK = 3
# Words between two pronouns that stand for anyone ("his or her").
_BETWEEN_ALTERNATIVES = frozenset({"or", "and", "/", "ou", "et"})
_BEFORE_SENTENCE = OPENING_MARKS | {":"}


class _Candidate(NamedTuple):
    """A mention to whose actor, given by number, a pronoun may refer."""

    mention: ActorMention
    actor: int


def resolve_pronouns(article: Annotation, actors: list[Actor], words: WordLists) -> dict[int, int]:
    """Map each pronoun that refers to one person, by token, to the number of its actor."""
    return _PronounResolver(article, actors, words).resolve()


class _PronounResolver:
    """Resolve the pronouns of an article, in text order."""

    def __init__(self, article: Annotation, actors: list[Actor], words: WordLists) -> None:
        self._article = article
        self._actors = actors
        self._words = words
        self._has_later_rules = words.language.has_later_rules
        self._actor_of = actors_by_token(actor.mentions for actor in actors)
        self._genders = [actor.known_gender for actor in actors]
        self._mentions_in: defaultdict[int, list[_Candidate]] = defaultdict(list)
        # The names and the nouns attached to them: die Ministerin Anna Berger.
        self._persons = set(self._actor_of)
        for number, actor in enumerate(actors):
            for mention in actor.mentions:
                self._note(mention, number)
                self._persons.add(role_head(article, mention))
        # Who says the tokens of direct quotes.
        self._speaker_of: dict[int, int] = {}
        if self._has_later_rules:
            self._note_titles()
            self._note_quotes()

    def _note_titles(self) -> None:
        for position, token in enumerate(self._article.tokens):
            if token.lower() in self._words.titles:
                self._persons.add(position)

    def _note_quotes(self) -> None:
        for quote in find_direct_quotes(self._article, self._actor_of, self._words):
            tokens = range(quote.start, quote.end)
            self._speaker_of.update(dict.fromkeys(tokens, quote.speaker))

    def _note(self, mention: ActorMention, actor: int) -> None:
        sentence = self._article.sentence_of[mention.start]
        self._mentions_in[sentence].append(_Candidate(mention, actor))

    def resolve(self) -> dict[int, int]:
        resolved: dict[int, int] = {}
        for position in range(len(self._article)):
            pronoun = None
            if position not in self._actor_of:
                pronoun = pronoun_at(self._article, position, self._words.language)
            actor = self._nearest(position, pronoun) if pronoun else None
            if pronoun is None or actor is None:
                continue
            resolved[position] = actor
            # The gender that a pronoun gives to a person applies to the pronouns after it.
            self._genders[actor] = pronoun.gender or self._genders[actor]
            self._note(ActorMention(position, position + 1, position, "pronoun"), actor)
        return resolved

    def _nearest(self, position: int, pronoun: Pronoun) -> int | None:
        """Find the actor that a pronoun refers to."""
        article = self._article
        candidates = self._candidates(position, pronoun.gender)
        persons = self._persons
        if not _is_possessive(article, position):
            # The verb's subject or object is another person, as otherwise the pronoun would be reflexive.
            verb = _verb_of(article, position, self._words.language)
            arguments = self._arguments_of(verb, candidates)
            candidates = [candidate for candidate in candidates if candidate.actor not in arguments]
            if self._has_later_rules:
                # The object cannot refer to the verb's subject either.
                persons = persons.union(article.subjects_of(verb))
        # Things do not speak.
        thing = None if self._says(position) else _last_thing(article, position, pronoun, persons)
        if thing is not None:
            start = article.sentence_start(thing)
            candidates = [candidate for candidate in candidates if candidate.mention.start >= start]
        if not candidates:
            return None
        nearest = max(candidates, key=lambda candidate: self._rank(candidate, position, pronoun))
        return nearest.actor

    def _candidates(self, position: int, gender: str) -> list[_Candidate]:
        """List the mentions in the sentences before a pronoun, and before it, of persons of its gender or unknown."""
        sentence = self._article.sentence_of[position]
        candidates = []
        for near in range(sentence - _SENTENCES_BACK, sentence + 1):
            for candidate in self._mentions_in.get(near, ()):
                is_before = candidate.mention.end <= position
                if is_before and self._may_be_meant(candidate.actor, position, gender):
                    candidates.append(candidate)
        return candidates

    def _may_be_meant(self, actor: int, position: int, gender: str) -> bool:
        if gender and self._genders[actor] not in ("", gender):
            return False
        # Nobody refers to themselves as "she".
        return not self._actors[actor].is_plural and self._speaker_of.get(position) != actor

    def _arguments_of(self, verb: int, candidates: list[_Candidate]) -> set[int]:
        """List the actors that are the subject or an object of a verb."""
        article = self._article
        scheme = article.scheme
        roles = scheme.subject | scheme.accusative_object | scheme.dative_object
        arguments = set()
        for mention, actor in candidates:
            head = role_head(article, mention)
            if article.dependencies[head] not in roles:
                continue
            verb_above = article.heads[head]
            if article.main_verb(verb_above) == verb:
                arguments.add(actor)
        return arguments

    def _says(self, position: int) -> bool:
        """Check whether a token is the subject of a speech verb."""
        article = self._article
        if not article.is_subject(position):
            return False
        verb_above = article.heads[position]
        return is_speech_verb(article, article.main_verb(verb_above), self._words)

    def _rank(self, candidate: _Candidate, position: int, pronoun: Pronoun) -> tuple[int, bool, bool, int]:
        article = self._article
        mention, actor = candidate
        sentence = article.sentence_of[mention.start]
        distance = article.sentence_of[position] - sentence
        has_known_gender = pronoun.gender in ("", self._genders[actor])
        head = role_head(article, mention)
        return -distance, has_known_gender, article.is_subject(head), mention.start


def pronoun_at(article: Annotation, position: int, language: Grammar) -> Pronoun | None:
    """Look up the pronoun at a token. Returns None if it cannot refer to one person."""
    form = form_of(article.tokens[position])
    if form not in language.pronouns:
        return None
    if language.has_later_rules and _is_either(article, position, language):
        return None
    part_of_speech = "PRON" if is_clitic(article, position, language) else article.parts_of_speech[position]
    has_possessive_role = article.dependencies[position] in article.scheme.possessive
    if part_of_speech == "PRON" and form in language.personal and not has_possessive_role:
        pronoun = language.personal[form]
        is_several = pronoun.also == "plural" and _is_plural(article, position)
    elif part_of_speech in ("DET", "PRON") and form in language.possessive:
        pronoun = language.possessive[form]
        is_several = pronoun.also == "plural" and _has_plural_subject(article, position)
    else:
        return None
    is_polite = pronoun.also == "plural" and _has_capital_of_its_own(article, position)
    return None if is_several or is_polite else pronoun


def _has_capital_of_its_own(article: Annotation, position: int) -> bool:
    """Check whether a word is capitalised, but begins no sentence or quote."""
    if article.sentence_starts[position] or not article.is_capitalised(position):
        return False
    before = article.tokens[position - 1]
    return before not in _BEFORE_SENTENCE


def is_clitic(article: Annotation, position: int, language: Grammar) -> bool:
    """Check whether a token is a pronoun directly before its verb: l'a, lui répondre."""
    following = position + 1
    if following == len(article) or not article.is_verb(following):
        return False
    return form_of(article.tokens[position]) in language.clitics


def _is_possessive(article: Annotation, position: int) -> bool:
    if article.parts_of_speech[position] == "DET":
        return True
    return article.dependencies[position] in article.scheme.possessive


def _verb_of(article: Annotation, position: int, language: Grammar) -> int:
    """Find the verb that governs a pronoun. For a clitic, it is the next verb, whatever head the parser chose."""
    head = article.heads[position]
    if is_clitic(article, position, language):
        following = position + 1
        head = article.heads[following] if article.parts_of_speech[following] == "AUX" else following
    return article.main_verb(head)


def _is_either(article: Annotation, position: int, language: Grammar) -> bool:
    """Check whether a pronoun is part of "his or her"."""
    for step in (1, -1):
        other = position + 2 * step
        if not 0 <= other < len(article):
            continue
        between = article.tokens[position + step].lower()
        if between in _BETWEEN_ALTERNATIVES and form_of(article.tokens[other]) in language.pronouns:
            return True
    return False


def _is_plural(article: Annotation, position: int) -> bool:
    """Check whether `sie` or `ihr` is plural, by the verb whose subject it is, or else by its own features."""
    if article.is_subject(position):
        verb = article.heads[position]
        number = _number_of_finite_verb(article, verb)
        if number:
            return number == "Plur"
    return article.is_plural(position)


def _number_of_finite_verb(article: Annotation, verb: int) -> str:
    """Find the number of a verb, or of the first finite one below it. Empty if it has none."""
    for other in (verb, *article.children[verb]):
        features = article.features[other]
        if features.get("VerbForm") == "Fin":
            return features.get("Number", "")
    return ""


def _has_plural_subject(article: Annotation, position: int) -> bool:
    """Check whether the subject of the clause that contains a token is before it and plural."""
    subject = _subject_above(article, position)
    if subject is None or subject > position:
        return False
    for child in article.children[subject]:
        if article.dependencies[child] in article.scheme.conjunct:
            return True
    return article.is_plural(subject)


def _subject_above(article: Annotation, position: int) -> int | None:
    """Find the first subject below a token, or else below the nearest token above it that has one."""
    while True:
        subjects = article.subjects_of(position)
        if subjects:
            return subjects[0]
        head = article.heads[position]
        if head == position:
            return None
        position = head


def _last_thing(article: Annotation, position: int, pronoun: Pronoun, persons: set[int]) -> int | None:
    """Find the last subject before a pronoun, in its sentence or the one before, that is a thing of its gender."""
    sentence_before = max(0, article.sentence_of[position] - 1)
    first, _ = article.sentences[sentence_before]
    for other in reversed(range(first, position)):
        is_other = article.is_subject(other) and other not in persons
        if is_other and may_be_thing(article, other, pronoun):
            return other
    return None


def may_be_thing(article: Annotation, position: int, pronoun: Pronoun) -> bool:
    """Check whether a token is a singular noun of the pronoun's gender."""
    if article.parts_of_speech[position] != "NOUN" or article.is_plural(position):
        return False
    gender = article.features[position].get("Gender", "")
    return pronoun.may_be(gender)
