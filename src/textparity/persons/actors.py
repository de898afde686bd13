"""Find who is in an article: mentions by name or as generic persons, and which of them are one person.

Names that spaCy marks as persons are merged by these rules, within an article:

- titles (Frau, Dr., Ministerin …) are not part of a name, but determine its gender;
- two full names are the same if their last parts are equal, and their first parts are equal or one is the other's
  initial;
- a single name belongs to the full name that it ends or begins. If there are several, it belongs to the one mentioned
  last, but never to one whose title or first name has another gender;
- a name and the same name with a genitive -s are one;
- "Müller" and "Herr Müller" are one; "Herr Müller" and "Frau Müller", "Anna Müller" and "Peter Müller" are two;
- a word that equals the surname of such a person is a mention of that person, even if spaCy did not mark it.

A generic person (Frau, Mann, Mutter …) is one actor per word and article.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from textparity.persons.actor_languages import WordLists
from textparity.persons.actor_names import ActorName, ActorNameFinder
from textparity.persons.annotations import Annotation
from textparity.persons.first_name_gender import guess_gender
from textparity.persons.mentions import is_same_first_name

_SHORTEST_NAME = 3


@dataclass
class ActorMention:
    """Tokens `start` to `end` (exclusive) that mention an actor. `head` is the token that has the grammatical role."""

    start: int
    end: int
    head: int
    kind: str


@dataclass
class Actor:
    """One person of an article: `parts` of the fullest name in lower case, and the gender by title and first name."""

    name: str
    kind: str
    parts: tuple[str, ...] = ()
    title_gender: str = ""
    first_name_gender: str = ""
    is_plural: bool = False
    mentions: list[ActorMention] = field(default_factory=list)

    @property
    def known_gender(self) -> str:
        """The gender by title (or generic noun), or else by first name. Empty if neither gives one."""
        return self.title_gender or self.first_name_gender

    def is_other_gender(self, gender: str) -> bool:
        """Check whether the actor is known to have another gender than this one."""
        return bool(gender and self.known_gender and self.known_gender != gender)


def find_actors(article: Annotation, words: WordLists, nouns: Mapping[int, str] | None = None) -> list[Actor]:
    """Find the named and generic actors of an article, with their mentions in order. Pronouns are added later.

    `nouns` has the genders of other nouns for persons, by token.
    """
    finder = _ActorFinder(article, words)
    finder.add_names()
    finder.add_unmarked()
    finder.add_generic(nouns or {})
    for actor in finder.actors:
        actor.mentions.sort(key=lambda mention: mention.start)
    return sorted(finder.actors, key=lambda actor: actor.mentions[0].start)


def actors_by_token(mentions: Iterable[Iterable[ActorMention]]) -> dict[int, int]:
    """Map each token of a mention to the number of its actor. `mentions` are those of each actor."""
    actor_of: dict[int, int] = {}
    for actor, mentions_of_actor in enumerate(mentions):
        for mention in mentions_of_actor:
            tokens = range(mention.start, mention.end)
            actor_of.update(dict.fromkeys(tokens, actor))
    return actor_of


class _ActorFinder:
    """Collect the actors of an article, first by their names."""

    def __init__(self, article: Annotation, words: WordLists) -> None:
        self._article, self._words, self._language = article, words, words.language
        self._names = ActorNameFinder(article, words)
        self.actors: list[Actor] = []

    def add_names(self) -> None:
        """Add the names that are marked, and unmarked full names."""
        names = self._names.find()
        # Full names come first, so that a surname in a headline is matched to the full name that follows it.
        for name in names:
            if len(name.parts) > 1:
                self._add(name, self._find_full(name) or self._new_actor(name))
        known_parts: set[str] = set()
        for name in names:
            known_parts.update(name.parts)
        for name in names:
            if len(name.parts) == 1:
                self._add_single(name, known_parts)

    def _add_single(self, name: ActorName, known_parts: set[str]) -> None:
        actor = self._find_single(name)
        if actor is None:
            name = self._without_genitive(name, known_parts)
            actor = self._find_single(name) or self._new_actor(name)
        self._add(name, actor)

    def _find_full(self, name: ActorName) -> Actor | None:
        for actor in self.actors:
            if actor.is_other_gender(name.title_gender):
                continue
            has_same_surname = self._is_same_surname(actor.parts[-1], name.parts[-1])
            if has_same_surname and is_same_first_name(actor.parts[0], name.parts[0]):
                return actor
        return None

    def _is_same_surname(self, surname: str, other: str) -> bool:
        """Check whether two surnames are equal, or one is the other's genitive."""
        # In languages without a genitive ending, this compares the bare names.
        ending = self._language.genitive
        return surname == other or surname + ending == other or surname == other + ending

    def _find_single(self, name: ActorName) -> Actor | None:
        """Find the actor of a single name: the one mentioned last before it, or else the first."""
        part = name.parts[0]
        # "Bergers" may be the genitive of Anna Berger. But Robert is not Julia Roberts, so known first names are
        # excluded.
        genitive = "" if guess_gender(part, self._language) else part + self._language.genitive
        first: Actor | None = None
        latest: Actor | None = None
        latest_start = -1
        for actor in self.actors:
            surname = actor.parts[-1]
            is_same_name = part in (actor.parts[0], surname) or surname == genitive
            if not is_same_name or actor.is_other_gender(name.title_gender):
                continue
            first = first or actor
            for mention in actor.mentions:
                if latest_start < mention.start < name.start:
                    latest, latest_start = actor, mention.start
        return latest or first

    def _without_genitive(self, name: ActorName, known_parts: set[str]) -> ActorName:
        """Remove the ending of the genitive, if the name without it is known."""
        part = name.parts[0]
        if not self._language.genitive or not part.endswith(("s", "'", "’")):
            return name
        nominative = part[:-1]
        if nominative not in known_parts:
            return name
        return replace(name, parts=(nominative,), text=name.text[:-1])

    def _new_actor(self, name: ActorName) -> Actor:
        actor = Actor(name.text, "named", name.parts)
        # A single name is most often a surname, and many surnames are also men's first names.
        if len(name.parts) > 1:
            first_name = name.text.split()[0]
            actor.first_name_gender = guess_gender(first_name, self._language)
        self.actors.append(actor)
        return actor

    def _add(self, name: ActorName, actor: Actor) -> None:
        """Add a mention by name. It may give the actor a gender, a fuller name, or one that is no genitive."""
        actor.title_gender = actor.title_gender or name.title_gender
        surname = name.parts[-1]
        *first_parts, known_surname = actor.parts
        if len(name.parts) > len(actor.parts):
            actor.name = name.text
            actor.parts = name.parts
        elif known_surname == surname + "s":
            actor.name = actor.name[:-1]
            actor.parts = (*first_parts, surname)
        head = self._article.root_of(name.start, name.end)
        mention = ActorMention(name.start, name.end, head, "named")
        actor.mentions.append(mention)

    def add_unmarked(self) -> None:
        """Add the words that equal the surname of an actor."""
        surnames = self._surnames()
        taken = actors_by_token(actor.mentions for actor in self.actors)
        for position, token in enumerate(self._article.tokens):
            if position in taken or not self._may_be_surname(position):
                continue
            title_gender = self._names.title_before(position)
            name = ActorName(position, position + 1, (token.lower(),), token, title_gender)
            if name.parts[0] not in surnames:
                name = self._without_genitive(name, surnames)
            actor = self._find_single(name) if name.parts[0] in surnames else None
            if actor is not None:
                self._add(name, actor)

    def _surnames(self) -> set[str]:
        """List the last parts of full names."""
        full_names = [actor.parts for actor in self.actors if len(actor.parts) > 1]
        surnames = [parts[-1] for parts in full_names]
        return {surname for surname in surnames if len(surname) >= _SHORTEST_NAME}

    def _may_be_surname(self, position: int) -> bool:
        """Check whether a word spelled like a surname may be one: a noun without an article or adjective before it."""
        article = self._article
        if article.entities[position]:
            return self._may_be_label(position)
        part_of_speech = article.parts_of_speech[position]
        if part_of_speech == "PROPN":
            return True
        if part_of_speech != "NOUN" or not article.tokens[position].istitle():
            return False
        return position == 0 or article.parts_of_speech[position - 1] not in ("DET", "ADJ")

    def _may_be_label(self, position: int) -> bool:
        """Check whether a labelled word may nevertheless be a surname: if the label covers only the word and titles."""
        article = self._article
        if not self._language.has_later_rules or not article.is_capitalised(position):
            return False
        for other in range(*_entity_at(article, position)):
            is_ending = article.tokens[other] in self._language.possessive_endings
            if other != position and not is_ending and not self._names.is_title(other):
                return False
        return True

    def add_generic(self, nouns: Mapping[int, str]) -> None:
        """Add generic persons, and the nouns for persons with their genders, by token."""
        actor_of_noun: dict[tuple[str, str], Actor] = {}
        taken = actors_by_token(actor.mentions for actor in self.actors).keys()
        for position, token in enumerate(self._article.tokens):
            form = token.lower()
            gender = self._words.generic_persons.get(form, nouns.get(position))
            is_in_name = position in taken or position in self._names.work_titles
            if gender is None or is_in_name:
                continue
            if not self._is_noun(position) or self._is_title(position, taken):
                continue
            key = (form, gender)
            if key not in actor_of_noun:
                is_plural = self._article.is_plural(position)
                actor_of_noun[key] = Actor(token, "generic", title_gender=gender, is_plural=is_plural)
                self.actors.append(actor_of_noun[key])
            mention = ActorMention(position, position + 1, position, "generic")
            actor_of_noun[key].mentions.append(mention)

    def _is_noun(self, position: int) -> bool:
        """Check whether a word is a noun: by its capital or, if nouns have none, by the tagger."""
        article = self._article
        if self._language.nouns_are_capitalised:
            return article.is_capitalised(position)
        if not article.is_noun(position):
            return False
        # The parts of a compound with hyphens are no nouns of their own.
        before = position - 1
        return position == 0 or article.tokens[before] != "-" or article.spaces[before]

    def _is_title(self, position: int, names: Collection[int]) -> bool:
        """Check whether a generic noun stands before a name, possibly followed by further titles: Frau Dr. Berger."""
        article = self._article
        following = position + 1
        while following < len(article) and self._names.is_title(following):
            following += 1
        if following not in names:
            return False
        return article.sentence_start(following) <= position


def _entity_at(article: Annotation, position: int) -> tuple[int, int]:
    """Find the span of the entity that a token is in."""
    for start, end in article.entity_spans():
        if start <= position < end:
            return start, end
    raise ValueError(f"token {position} is in no entity")


def role_head(article: Annotation, mention: ActorMention) -> int:
    """Find the token that has the role: Ministerin in "die Ministerin Anna Berger", Anna in "Anna und Peter"."""
    position = mention.head
    while article.heads[position] != position and _shares_role(article, position):
        position = article.heads[position]
    return position


def _shares_role(article: Annotation, position: int) -> bool:
    """Check whether a token has the role of its head."""
    scheme, dependency = article.scheme, article.dependencies[position]
    head = article.heads[position]
    if article.parts_of_speech[head] not in ("NOUN", "PROPN", "PRON", "CCONJ"):
        return False
    if dependency in scheme.conjunct:
        return True
    if dependency not in scheme.same_referent:
        return False
    # The owner of the noun is another person: "Müllers Bruder", "ihr Bruder". TIGER labels ihr as nk there, as it
    # labels names.
    case = article.features[position].get("Case")
    return case != "Gen" and article.parts_of_speech[position] != "DET"
