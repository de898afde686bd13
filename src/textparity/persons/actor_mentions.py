"""Find mentions of persons by the rules of actors: names, nouns, and the pronouns that refer to one person."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textparity.persons.actor_languages import Pronoun, WordLists
from textparity.persons.actor_pronouns import may_be_thing, pronoun_at, resolve_pronouns
from textparity.persons.actors import Actor, ActorMention, actors_by_token, find_actors
from textparity.persons.annotations import Annotation, annotation_of
from textparity.persons.mention_spans import MentionSpan
from textparity.persons.mentions import UNSPECIFIED, Mention
from textparity.persons.rules import Rules
from textparity.persons.things import Name, find_things

if TYPE_CHECKING:
    from spacy.tokens import Doc

_KINDS = {"named": "name", "generic": "noun", "pronoun": "pronoun"}
# How many sentences back a noun may be that a pronoun refers to.
_REACH = 2


@dataclass(frozen=True)
class _ResolvedPronoun:
    """A pronoun at a token, with its gender (empty if it has none) and the number of its actor."""

    position: int
    gender: str
    actor: int


class ActorRules:
    """The rules of actors for one language. `rules` has the words that stand beside names of things."""

    def __init__(self, words: WordLists, rules: Rules) -> None:
        self._words, self._rules = words, rules

    def find(self, doc: "Doc", nouns: Iterable[MentionSpan]) -> list[Mention]:
        """Find the mentions of persons in a parsed document, in text order. `nouns` are common nouns for persons."""
        article = annotation_of(doc)
        gender_of_noun = {noun.start: noun.gender for noun in nouns}
        actors = find_actors(article, self._words, gender_of_noun)
        self._remove_things(article, actors, gender_of_noun)
        actors = [actor for actor in actors if actor.mentions]
        for actor in actors:
            if actor.kind == "named":
                self._add_titles(article, actor, gender_of_noun)
        votes: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for pronoun in self._pronouns(article, actors):
            if pronoun.actor == len(actors):
                actors.append(Actor("", "pronoun"))
            mention = ActorMention(pronoun.position, pronoun.position + 1, pronoun.position, "pronoun")
            actors[pronoun.actor].mentions.append(mention)
            if pronoun.gender:
                votes[pronoun.actor][pronoun.gender] += 1
        mentions = []
        for number, actor in enumerate(actors):
            for mention in actor.mentions:
                mentions.append(self._mention(article, mention, number, actor, votes[number]))
        return sorted(mentions, key=lambda mention: (mention.start, mention.end))

    def _remove_things(self, article: Annotation, actors: list[Actor], nouns: Mapping[int, str]) -> None:
        """Remove the mentions by names of things. `nouns` are nouns for persons, by token."""
        owners: list[tuple[Actor, ActorMention]] = []
        names: list[Name] = []
        for actor in actors:
            if actor.kind != "named":
                continue
            for mention in actor.mentions:
                owners.append((actor, mention))
                names.append(_name(article, actor, mention, nouns))
        # Labels are no evidence here: the pipeline at hand marks most persons of plays as organisations.
        labels = [""] * len(article)
        things, _ = find_things(article.tokens, labels, names, self._rules, {})
        for index in things:
            actor, mention = owners[index]
            actor.mentions.remove(mention)

    def _add_titles(self, article: Annotation, actor: Actor, nouns: Mapping[int, str]) -> None:
        """Extend mentions of a name to the titles and nouns before it. Their gender is that of the person."""
        for mention in actor.mentions:
            first = article.sentence_start(mention.start)
            while mention.start > first:
                before = mention.start - 1
                form = article.tokens[before].lower().rstrip(".")
                if before not in nouns and form not in self._words.titles:
                    break
                mention.start = before
                actor.title_gender = actor.title_gender or nouns.get(before, "")

    def _pronouns(self, article: Annotation, actors: list[Actor]) -> list[_ResolvedPronoun]:
        """List pronouns with the number of their actor. It is a new actor if no noun before could be meant."""
        resolved = resolve_pronouns(article, actors, self._words)
        taken = actors_by_token(actor.mentions for actor in actors)
        new_actors: dict[str, int] = {}
        pronouns = []
        for position in range(len(article)):
            pronoun = pronoun_at(article, position, self._words.language)
            if pronoun is None:
                continue
            actor = resolved.get(position)
            is_free = actor is None and pronoun.gender and position not in taken
            if is_free and not _may_refer_to_thing(article, position, pronoun, taken):
                actor = new_actors.setdefault(pronoun.gender, len(actors) + len(new_actors))
            if actor is not None:
                pronouns.append(_ResolvedPronoun(position, pronoun.gender, actor))
        return pronouns

    def _mention(
        self, article: Annotation, mention: ActorMention, number: int, actor: Actor, votes: Counter[str]
    ) -> Mention:
        gender = actor.known_gender
        evidence = _evidence_of(actor)
        if mention.kind == "pronoun":
            pronoun = pronoun_at(article, mention.start, self._words.language)
            own_gender = pronoun.gender if pronoun else ""
            evidence = "pronoun" if own_gender else "pronouns"
            gender = own_gender or gender
        if not gender and votes:
            gender = max(votes, key=votes.__getitem__)
            evidence = "pronouns"
        if not gender:
            gender, evidence = UNSPECIFIED, ""
        start = article.offsets[mention.start]
        text = article.text_of(mention.start, mention.end)
        kind = _KINDS[mention.kind]
        untitled = actor.name if kind == "name" else ""
        return Mention(start, start + len(text), text, kind, gender, number, evidence, actor.is_plural, untitled)


def _name(article: Annotation, actor: Actor, mention: ActorMention, nouns: Mapping[int, str]) -> Name:
    words = article.tokens[mention.start : mention.end]
    return Name(
        start=mention.start,
        end=mention.end,
        parts=tuple(map(str.lower, words)),
        is_titled=bool(actor.title_gender) or mention.start - 1 in nouns,
        is_first=bool(actor.first_name_gender),
    )


def _may_refer_to_thing(article: Annotation, position: int, pronoun: Pronoun, taken: Mapping[int, int]) -> bool:
    """Check whether a noun that is no person (`taken`) stands in the sentences before a pronoun."""
    earliest = max(0, article.sentence_of[position] - _REACH)
    first, _ = article.sentences[earliest]
    others = [other for other in range(first, position) if other not in taken]
    return any(may_be_thing(article, other, pronoun) for other in others)


def _evidence_of(actor: Actor) -> str:
    """Name the source of an actor's known gender."""
    if actor.kind == "generic":
        return "noun"
    return "title" if actor.title_gender else "first name"
