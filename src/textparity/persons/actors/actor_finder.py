"""Find mentions of persons by the rules of actors: names, nouns, and the pronouns that refer to one person."""

from collections import Counter
from typing import TYPE_CHECKING

from textparity.persons.actors.actors import Actor, find_actors
from textparity.persons.actors.actors import Mention as Place
from textparity.persons.actors.annotations import Annotation, columns_of, scheme_of
from textparity.persons.actors.pronouns import pronoun_at, resolve_pronouns, things_of
from textparity.persons.actors.word_lists import WordLists
from textparity.persons.mentions import UNSPECIFIED, Mention
from textparity.persons.spacy_finder import PersonFinder

if TYPE_CHECKING:
    from spacy.tokens import Doc

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
        article = Annotation(id="", group="", number=0, **columns, antecedents=[], scheme=scheme)
        nouns = {noun.start: noun.gender for noun in self._nouns.common_nouns(doc)}
        actors = find_actors(article, self._words, nouns)
        for actor in actors:
            if actor.kind == "named":
                self._add_titles(article, actor, nouns)
        votes = [Counter[str]() for _ in actors]
        for place, number in self._pronouns(article, actors):
            if number == len(actors):
                actors.append(Actor("", "pronoun"))
                votes.append(Counter())
            actors[number].mentions.append(Place(place, place + 1, place, "pronoun"))
            votes[number].update(filter(None, [self._gender_at(article, place)]))
        found = [
            self._mention(article, place, number, actor, votes[number])
            for number, actor in enumerate(actors)
            for place in actor.mentions
        ]
        return sorted(found, key=lambda mention: (mention.start, mention.end))

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
        taken = {place for actor in actors for one in actor.mentions for place in range(one.start, one.end)}
        things = things_of(article, taken)
        numbers: dict[str, int] = {}
        found = []
        for place in range(len(article)):
            number = resolved.get(place)
            pronoun = pronoun_at(article, place, self._words.language) if number is None else None
            if pronoun and pronoun.gender and place not in taken:
                near = range(article.sentences[max(0, article.sentence_of[place] - _REACH)][0], place)
                if not any(pronoun.may_be(things[other]) for other in near if other in things):
                    number = numbers.setdefault(pronoun.gender, len(actors) + len(numbers))
            if number is not None:
                found.append((place, number))
        return found

    def _mention(self, article: Annotation, place: Place, number: int, actor: Actor, votes: Counter[str]) -> Mention:
        start, end = article.offsets[place.start], article.offsets[place.end - 1] + len(article.tokens[place.end - 1])
        gender = self._gender_at(article, place.start) if place.kind == "pronoun" else actor.known_gender
        evidence = "pronoun" if place.kind == "pronoun" else "title" if actor.title_gender else "first name"
        if actor.kind == "generic" and gender and place.kind != "pronoun":
            evidence = "noun"
        if not gender:
            gender = actor.known_gender or max(votes, key=votes.__getitem__, default=UNSPECIFIED)
            evidence = "pronouns" if gender != UNSPECIFIED else ""
        text = article.text_of(place.start, place.end)
        return Mention(start, end, text, _KINDS[place.kind], gender, number, evidence)
