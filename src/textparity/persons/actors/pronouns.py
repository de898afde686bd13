"""Resolve which person of an article a pronoun refers to (corrected).

If no coreference library has a model, rules resolve the pronouns er, ihn, ihm, sie, ihr and the possessives sein-,
ihr- to a named or generic person of the article:

- never the polite Sie and Ihr, a plural sie, or ihr- if the clause has a plural subject;
- the person's gender (by title, generic noun, first name) is that of the pronoun, or unknown;
- the mention is at most three sentences back. The nearest sentence comes first, then persons of known gender, then
  subjects, then the latest mention;
- never the subject or object of the pronoun's own verb ("Berger lobte sie" refers to another woman);
- not if a thing of the pronoun's gender was the subject of a later sentence ("Die Firma … Sie …"), unless the
  pronoun is the subject of a speech verb.

er and sein- are always singular, but sie and ihr- may be plural or polite. Whatever the rules, they therefore misread
or miss more pronouns for women.
"""

from textparity.persons.actors.actors import Actor, Mention, role_head
from textparity.persons.actors.annotations import Annotation
from textparity.persons.actors.languages import Language, Pronoun, form_of
from textparity.persons.actors.quotes import OPENING_MARKS, find_direct_quotes, is_speech_verb
from textparity.persons.actors.word_lists import WordLists

_SENTENCES_BACK = 3


def resolve_pronouns(article: Annotation, actors: list[Actor], words: WordLists) -> dict[int, int]:
    """Map each pronoun that refers to one person, by token, to the number of its actor."""
    seen: dict[int, list[tuple[Mention, int]]] = {}
    named: set[int] = set()
    # The names and the nouns attached to them: die Ministerin Anna Berger.
    persons: set[int] = set()
    for number, actor in enumerate(actors):
        for mention in actor.mentions:
            seen.setdefault(article.sentence_of[mention.start], []).append((mention, number))
            named.update(range(mention.start, mention.end))
            persons.add(role_head(article, mention))
    persons |= named
    quoted: dict[int, int] = {}
    if words.language.has_later_rules:
        persons |= {place for place, token in enumerate(article.tokens) if token.lower() in words.titles}
        quoted = _speakers_by_place(article, actors, words)
    genders = [actor.known_gender for actor in actors]
    resolved: dict[int, int] = {}
    for place in range(len(article)):
        pronoun = None if place in named else pronoun_at(article, place, words.language)
        if pronoun is None:
            continue
        gender = pronoun.gender
        sentence = article.sentence_of[place]
        candidates = [
            (mention, number)
            for near in range(sentence - _SENTENCES_BACK, sentence + 1)
            for mention, number in seen.get(near, [])
            if mention.end <= place
            and _agree(genders[number], gender)
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
        seen.setdefault(sentence, []).append((Mention(place, place + 1, place, "pronoun"), found))
    return resolved


def _speakers_by_place(article: Annotation, actors: list[Actor], words: WordLists) -> dict[int, int]:
    """Map each word within quotes to its speaker, if a name identifies the speaker."""
    actor_of = {
        place: number
        for number, actor in enumerate(actors)
        for mention in actor.mentions
        for place in range(mention.start, mention.end)
    }
    quotes = find_direct_quotes(article, actor_of, words)
    return {place: quote.speaker for quote in quotes for place in range(quote.start, quote.end)}


def _agree(one: str, other: str) -> bool:
    return not one or not other or one == other


def pronoun_at(article: Annotation, place: int, language: Language) -> Pronoun | None:
    """Look up the pronoun at a token. Returns None if it cannot refer to one person."""
    token, form = article.tokens[place], form_of(article.tokens[place])
    if form not in language.pronouns:
        return None
    starts_sentence = article.sentence_starts[place] or article.tokens[place - 1] in OPENING_MARKS | {":"}
    is_polite = token[:1].isupper() and not starts_sentence
    part = article.parts_of_speech[place]
    if is_clitic(article, place, language):
        part = "PRON"
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


def is_clitic(article: Annotation, place: int, language: Language) -> bool:
    """Check whether a token is a pronoun directly before its verb: l'a, lui répondre."""
    if form_of(article.tokens[place]) not in language.clitics or place + 1 == len(article):
        return False
    return article.parts_of_speech[place + 1] in ("AUX", "VERB")


def _verb_of(article: Annotation, place: int, language: Language) -> int:
    """Find the verb that governs a pronoun. For a clitic, it is the next verb, whatever head the parser chose."""
    head = article.heads[place]
    if is_clitic(article, place, language):
        head = article.heads[place + 1] if article.parts_of_speech[place + 1] == "AUX" else place + 1
    return article.main_verb(head)


def _is_either(article: Annotation, place: int, language: Language) -> bool:
    """Check whether a pronoun is part of "his or her"."""
    for sign, other in ((place + 1, place + 2), (place - 1, place - 2)):
        is_sign = 0 <= other < len(article) and article.tokens[sign].lower() in ("or", "and", "/", "ou", "et")
        if is_sign and form_of(article.tokens[other]) in language.pronouns:
            return True
    return False


def _is_plural(article: Annotation, place: int) -> bool:
    """Check whether `sie` or `ihr` is plural, by the verb whose subject it is, or else by its own features."""
    if article.dependencies[place] in article.scheme.subject and (number := _finite_number(article, place)):
        return number == "Plur"
    return article.features[place].get("Number") == "Plur"


def _finite_number(article: Annotation, subject: int) -> str:
    head = article.heads[subject]
    for place in (head, *article.children[head]):
        features = article.features[place]
        if features.get("VerbForm") == "Fin":
            return features.get("Number", "")
    return ""


def _clause_subject(article: Annotation, place: int) -> int | None:
    """Find the subject of the clause that contains a token."""
    while True:
        for child in article.children[place]:
            if article.dependencies[child] in article.scheme.subject:
                return child
        if article.heads[place] == place:
            return None
        place = article.heads[place]


def _has_plural_subject(article: Annotation, place: int) -> bool:
    subject = _clause_subject(article, place)
    if subject is None or subject > place:
        return False
    coordinated = any(article.dependencies[child] in article.scheme.conjunct for child in article.children[subject])
    return coordinated or article.features[subject].get("Number") == "Plur"


def _nearest(
    article: Annotation,
    place: int,
    pronoun: Pronoun,
    candidates: list[tuple[Mention, int]],
    genders: list[str],
    persons: set[int],
    says: bool,
    words: WordLists,
) -> int | None:
    gender = pronoun.gender
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

    def rank(item: tuple[Mention, int]) -> tuple[int, bool, bool, int]:
        mention, number = item
        distance = article.sentence_of[place] - article.sentence_of[mention.start]
        is_subject = article.dependencies[role_head(article, mention)] in article.scheme.subject
        return -distance, gender in ("", genders[number]), is_subject, mention.start

    return max(candidates, key=rank)[1]


def _last_thing(article: Annotation, place: int, pronoun: Pronoun, persons: set[int]) -> int | None:
    """Find the last subject before a pronoun, in its sentence or the one before, that is a thing of its gender."""
    first = article.sentences[max(0, article.sentence_of[place] - 1)][0]
    for other in range(place - 1, first - 1, -1):
        features = article.features[other]
        if (
            article.dependencies[other] in article.scheme.subject
            and article.parts_of_speech[other] == "NOUN"
            and pronoun.may_be(features.get("Gender", ""))
            and features.get("Number") != "Plur"
            and other not in persons
        ):
            return other
    return None


def things_of(article: Annotation, persons: set[int]) -> dict[int, str]:
    """Map each singular noun that is not one of the `persons`, by token, to its grammatical gender."""
    return {
        place: features.get("Gender", "")
        for place, features in enumerate(article.features)
        if article.parts_of_speech[place] == "NOUN" and place not in persons and features.get("Number") != "Plur"
    }
