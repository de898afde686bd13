"""Find mentions of persons by the rules of actors: names, nouns, and the pronouns that refer to one person.

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

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from textparity.persons.actor_languages import Grammar, Pronoun, WordLists, form_of
from textparity.persons.actors import Actor, ActorMention, actors_by_token, find_actors, role_head
from textparity.persons.annotations import Annotation, columns_of, scheme_of
from textparity.persons.mentions import UNSPECIFIED, Mention
from textparity.persons.quotes import OPENING_MARKS, find_direct_quotes, is_speech_verb
from textparity.persons.spacy_finder import PersonFinder
from textparity.persons.things import Name, find_things

if TYPE_CHECKING:
    from spacy.tokens import Doc

_SENTENCES_BACK = 3


def resolve_pronouns(article: Annotation, actors: list[Actor], words: WordLists) -> dict[int, int]:
    """Map each pronoun that refers to one person, by token, to the number of its actor."""
    actor_of = actors_by_token(actors)
    seen: dict[int, list[tuple[ActorMention, int]]] = {}
    # The names and the nouns attached to them: die Ministerin Anna Berger.
    persons = set(actor_of)
    for number, actor in enumerate(actors):
        for mention in actor.mentions:
            seen.setdefault(article.sentence_of[mention.start], []).append((mention, number))
            persons.add(role_head(article, mention))
    quoted: dict[int, int] = {}
    if words.language.has_later_rules:
        persons |= {place for place, token in enumerate(article.tokens) if token.lower() in words.titles}
        quotes = find_direct_quotes(article, actor_of, words)
        quoted = {place: quote.speaker for quote in quotes for place in range(quote.start, quote.end)}
    genders = [actor.known_gender for actor in actors]
    resolved: dict[int, int] = {}
    for place in range(len(article)):
        pronoun = None if place in actor_of else pronoun_at(article, place, words.language)
        if pronoun is None:
            continue
        gender = pronoun.gender
        sentence = article.sentence_of[place]
        candidates = [
            (mention, number)
            for near in range(sentence - _SENTENCES_BACK, sentence + 1)
            for mention, number in seen.get(near, [])
            if mention.end <= place
            and (not gender or genders[number] in ("", gender))
            and not actors[number].is_plural
            # Nobody refers to themselves as "she".
            and quoted.get(place) != number
        ]
        # Things do not speak.
        is_subject = article.dependencies[place] in article.scheme.subject
        says = is_subject and is_speech_verb(article, article.main_verb(article.heads[place]), words)
        found = _nearest(article, place, pronoun, candidates, genders, persons, says, words)
        if found is None:
            continue
        resolved[place] = found
        # The gender that a pronoun gives to a person applies to the pronouns after it.
        genders[found] = gender or genders[found]
        seen.setdefault(sentence, []).append((ActorMention(place, place + 1, place, "pronoun"), found))
    return resolved


def pronoun_at(article: Annotation, place: int, language: Grammar) -> Pronoun | None:
    """Look up the pronoun at a token. Returns None if it cannot refer to one person."""
    token, form = article.tokens[place], form_of(article.tokens[place])
    if form not in language.pronouns:
        return None
    starts_sentence = article.sentence_starts[place] or article.tokens[place - 1] in OPENING_MARKS | {":"}
    is_polite = token[:1].isupper() and not starts_sentence
    part = "PRON" if is_clitic(article, place, language) else article.parts_of_speech[place]
    if language.has_later_rules and _is_either(article, place, language):
        return None
    is_possessive = article.dependencies[place] in article.scheme.possessive
    if part == "PRON" and form in language.personal and not is_possessive:
        pronoun = language.personal[form]
        return None if pronoun.also == "plural" and (is_polite or _is_plural(article, place)) else pronoun
    if part in ("DET", "PRON") and form in language.possessive:
        pronoun = language.possessive[form]
        return None if pronoun.also == "plural" and (is_polite or _has_plural_subject(article, place)) else pronoun
    return None


def is_clitic(article: Annotation, place: int, language: Grammar) -> bool:
    """Check whether a token is a pronoun directly before its verb: l'a, lui répondre."""
    if form_of(article.tokens[place]) not in language.clitics or place + 1 == len(article):
        return False
    return article.parts_of_speech[place + 1] in ("AUX", "VERB")


def _verb_of(article: Annotation, place: int, language: Grammar) -> int:
    """Find the verb that governs a pronoun. For a clitic, it is the next verb, whatever head the parser chose."""
    head = article.heads[place]
    if is_clitic(article, place, language):
        head = article.heads[place + 1] if article.parts_of_speech[place + 1] == "AUX" else place + 1
    return article.main_verb(head)


def _is_either(article: Annotation, place: int, language: Grammar) -> bool:
    """Check whether a pronoun is part of "his or her"."""
    for sign, other in ((place + 1, place + 2), (place - 1, place - 2)):
        is_sign = 0 <= other < len(article) and article.tokens[sign].lower() in ("or", "and", "/", "ou", "et")
        if is_sign and form_of(article.tokens[other]) in language.pronouns:
            return True
    return False


def _is_plural(article: Annotation, place: int) -> bool:
    """Check whether `sie` or `ihr` is plural, by the verb whose subject it is, or else by its own features."""
    head = article.heads[place]
    for other in (head, *article.children[head]) if article.dependencies[place] in article.scheme.subject else ():
        features = article.features[other]
        if features.get("VerbForm") == "Fin":
            if number := features.get("Number"):
                return number == "Plur"
            break
    return article.features[place].get("Number") == "Plur"


def _has_plural_subject(article: Annotation, place: int) -> bool:
    """Check whether the subject of the clause that contains a token is before it and plural."""
    above, subject = place, None
    while subject is None:
        subjects = (child for child in article.children[above] if article.dependencies[child] in article.scheme.subject)
        subject = next(subjects, None)
        if subject is None and article.heads[above] == above:
            return False
        above = article.heads[above]
    if subject > place:
        return False
    coordinated = any(article.dependencies[child] in article.scheme.conjunct for child in article.children[subject])
    return coordinated or article.features[subject].get("Number") == "Plur"


def _nearest(
    article: Annotation,
    place: int,
    pronoun: Pronoun,
    candidates: list[tuple[ActorMention, int]],
    genders: list[str],
    persons: set[int],
    says: bool,
    words: WordLists,
) -> int | None:
    possessive = article.parts_of_speech[place] == "DET" or article.dependencies[place] in article.scheme.possessive
    if not possessive:
        # The verb's subject or object is another person, as otherwise the pronoun would be reflexive.
        verb = _verb_of(article, place, words.language)
        arguments = article.scheme.subject | article.scheme.accusative_object | article.scheme.dative_object
        same = {
            number
            for mention, number in candidates
            if article.main_verb(article.heads[head := role_head(article, mention)]) == verb
            and article.dependencies[head] in arguments
        }
        candidates = [item for item in candidates if item[1] not in same]
    if words.language.has_later_rules and not possessive:
        # The object cannot refer to the verb's subject either.
        persons = persons | {
            child for child in article.children[verb] if article.dependencies[child] in article.scheme.subject
        }
    thing = None if says else _last_thing(article, place, pronoun, persons)
    if thing is not None:
        candidates = [item for item in candidates if article.sentence_of[item[0].start] >= article.sentence_of[thing]]
    if not candidates:
        return None

    def rank(item: tuple[ActorMention, int]) -> tuple[int, bool, bool, int]:
        mention, number = item
        distance = article.sentence_of[place] - article.sentence_of[mention.start]
        is_subject = article.dependencies[role_head(article, mention)] in article.scheme.subject
        return -distance, pronoun.gender in ("", genders[number]), is_subject, mention.start

    return max(candidates, key=rank)[1]


def _last_thing(article: Annotation, place: int, pronoun: Pronoun, persons: set[int]) -> int | None:
    """Find the last subject before a pronoun, in its sentence or the one before, that is a thing of its gender."""
    first = article.sentences[max(0, article.sentence_of[place] - 1)][0]
    for other in range(place - 1, first - 1, -1):
        is_subject = article.dependencies[other] in article.scheme.subject
        if is_subject and other not in persons and _may_be_thing(article, other, pronoun):
            return other
    return None


def _may_be_thing(article: Annotation, place: int, pronoun: Pronoun) -> bool:
    """Check whether a token is a singular noun of the pronoun's gender."""
    features = article.features[place]
    is_singular_noun = article.parts_of_speech[place] == "NOUN" and features.get("Number") != "Plur"
    return is_singular_noun and pronoun.may_be(features.get("Gender", ""))


_KINDS = {"named": "name", "generic": "noun", "pronoun": "pronoun"}
# How many sentences back a noun may be that a pronoun refers to.
_REACH = 2


class ActorFinder:
    """Find persons in documents of one language, parsed by a spaCy pipeline. `nouns` finds the common nouns."""

    def __init__(self, words: WordLists, nouns: PersonFinder) -> None:
        self._words, self._nouns = words, nouns

    def find(self, doc: "Doc") -> list[Mention]:
        """Find the mentions of persons in a parsed document, in text order."""
        columns = columns_of(doc)
        scheme = scheme_of(set(columns["dependencies"]))
        article = Annotation(**columns, scheme=scheme)
        nouns = {noun.start: noun.gender for noun in self._nouns.common_nouns(doc)}
        actors = self._persons_of(article, find_actors(article, self._words, nouns), nouns)
        for actor in actors:
            if actor.kind == "named":
                self._add_titles(article, actor, nouns)
        votes: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for place, number in self._pronouns(article, actors):
            if number == len(actors):
                actors.append(Actor("", "pronoun"))
            actors[number].mentions.append(ActorMention(place, place + 1, place, "pronoun"))
            votes[number].update(filter(None, [self._gender_at(article, place)]))
        found = [
            self._mention(article, place, number, actor, votes[number])
            for number, actor in enumerate(actors)
            for place in actor.mentions
        ]
        return sorted(found, key=lambda mention: (mention.start, mention.end))

    def _persons_of(self, article: Annotation, actors: list[Actor], nouns: dict[int, str]) -> list[Actor]:
        """Leave out the mentions of things, and the actors that have no others."""
        named = [(actor, place) for actor in actors if actor.kind == "named" for place in actor.mentions]
        names = [
            Name(
                *(place.start, place.end, tuple(word.lower() for word in article.tokens[place.start : place.end])),
                is_titled=bool(actor.title_gender) or place.start - 1 in nouns,
                is_first=bool(actor.first_name_gender),
            )
            for actor, place in named
        ]
        # Labels are no evidence here: the pipeline at hand marks most persons of plays as organisations.
        found, _ = find_things(article.tokens, [""] * len(article), names, self._nouns.rules, {})
        for number in found:
            actor, place = named[number]
            actor.mentions.remove(place)
        return [actor for actor in actors if actor.mentions]

    def _add_titles(self, article: Annotation, actor: Actor, nouns: dict[int, str]) -> None:
        """Extend mentions of a name to the titles and nouns before it. Their gender is that of the person."""
        for place in actor.mentions:
            first = article.sentences[article.sentence_of[place.start]][0]
            while place.start > first:
                before = place.start - 1
                if before not in nouns and article.tokens[before].lower().rstrip(".") not in self._words.titles:
                    break
                place.start = before
                actor.title_gender = actor.title_gender or nouns.get(before, "")

    def _gender_at(self, article: Annotation, place: int) -> str:
        pronoun = pronoun_at(article, place, self._words.language)
        return pronoun.gender if pronoun else ""

    def _pronouns(self, article: Annotation, actors: list[Actor]) -> list[tuple[int, int]]:
        """List pronouns with the number of their actor. It is a new actor if no noun before could be meant."""
        resolved = resolve_pronouns(article, actors, self._words)
        taken = actors_by_token(actors)
        numbers: dict[str, int] = {}
        found = []
        for place in range(len(article)):
            number = resolved.get(place)
            pronoun = pronoun_at(article, place, self._words.language) if number is None else None
            if pronoun and pronoun.gender and place not in taken:
                near = range(article.sentences[max(0, article.sentence_of[place] - _REACH)][0], place)
                if not any(_may_be_thing(article, other, pronoun) for other in near if other not in taken):
                    number = numbers.setdefault(pronoun.gender, len(actors) + len(numbers))
            if number is not None:
                found.append((place, number))
        return found

    def _mention(
        self, article: Annotation, place: ActorMention, number: int, actor: Actor, votes: Counter[str]
    ) -> Mention:
        start, text = article.offsets[place.start], article.text_of(place.start, place.end)
        gender = self._gender_at(article, place.start) if place.kind == "pronoun" else actor.known_gender
        evidence = "pronoun" if place.kind == "pronoun" else "title" if actor.title_gender else "first name"
        if actor.kind == "generic" and gender and place.kind != "pronoun":
            evidence = "noun"
        if not gender:
            gender = actor.known_gender or max(votes, key=votes.__getitem__, default=UNSPECIFIED)
            evidence = "pronouns" if gender != UNSPECIFIED else ""
        return Mention(start, start + len(text), text, _KINDS[place.kind], gender, number, evidence)
