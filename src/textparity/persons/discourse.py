"""What a document has mentioned so far: its persons and, in some languages, things, each with its weight."""

from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from textparity.persons.agreement import grammatical_gender, is_plural
from textparity.persons.mention_spans import SUBJECTS, MentionSpan, Person
from textparity.persons.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Reversible

    from spacy.tokens import Doc, Token

# The weight that a mention gives to a person shrinks by this factor with each sentence.
FADING = 0.9


class Nearby(NamedTuple):
    """A person, or a thing, and the number of sentences since it was mentioned."""

    person: Person
    distance: int


class Discourse:
    """The persons and things of a document up to the mention that is being resolved.

    `sentence_of` has the number of each token's sentence, and `mentions` are all mentions of the document.
    """

    def __init__(self, doc: "Doc", sentence_of: list[int], rules: Rules, mentions: Iterable[MentionSpan]) -> None:
        self.doc = doc
        self.sentence_of = sentence_of
        self.rules = rules
        # Nouns and verbs agree in gender, and have cases (Czech, Russian).
        self.is_cased = bool(rules.of_kind("agreement"))
        # Pronouns may refer to things in languages with an impersonal pronoun, and in those with cases.
        self.may_be_things = bool(rules.of_kind("impersonal")) or self.is_cased
        # Plural pronouns show a gender where nouns have articles of one.
        self._joins_names = bool(rules.of_kind("article")) and not self.is_cased
        self._mention_at = _mentions_by_token(mentions)
        self._numbers = count()
        # In order of their last mention, the latest at the end.
        self._recent: dict[int, Person] = {}
        self._group_numbers: dict[tuple[int, int], int] = {}
        # Nouns that do not denote persons, by word.
        self._things: dict[str, Person] = {}
        self._end_of_things = 0

    @property
    def persons(self) -> list[Person]:
        """All persons mentioned so far."""
        return list(self._recent.values())

    def next_number(self) -> int:
        """Number a new person."""
        return next(self._numbers)

    def mention_at(self, position: int) -> MentionSpan | None:
        """Look up the mention at a token: a name on any of its tokens, another mention on its head."""
        return self._mention_at.get(position)

    def persons_near(self, position: int, reach: int) -> Iterator[Nearby]:
        """List the persons mentioned at most `reach` sentences before a token, the latest first."""
        return self._near(self._recent.values(), position, reach)

    def things_near(self, position: int, reach: int) -> Iterator[Nearby]:
        """List the things mentioned at most `reach` sentences before a token, the latest first."""
        return self._near(self._things.values(), position, reach)

    def _near(self, persons: "Reversible[Person]", position: int, reach: int) -> Iterator[Nearby]:
        sentence = self.sentence_of[position]
        for person in reversed(persons):
            distance = sentence - person.last_sentence
            if distance > reach:
                return
            yield Nearby(person, distance)

    def note(self, mention: MentionSpan, person: Person) -> None:
        """Note that a mention refers to a person, who may get its gender."""
        self._recent.pop(person.number, None)
        self._recent[person.number] = person
        token = self.doc[mention.head]
        self._weigh(person, token)
        shows_gender = mention.gender and mention.kind != "pronoun"
        if shows_gender and not (person.gender or person.is_neutral):
            person.gender = mention.gender
            person.evidence = mention.evidence
        if self._joins_names and token.dep_ == "conj" and mention.kind != "pronoun":
            self._note_group(token.head, person)

    def _note_group(self, head: "Token", person: Person) -> None:
        """Note a person and the one at `head`, to whom the person's name or noun is joined, as a group."""
        first = self.mention_at(head.i)
        if first is None or first.person is None or first.kind == "pronoun":
            return
        key = (first.person.number, person.number)
        number = self._group_numbers.setdefault(key, self.next_number())
        group = self._recent.pop(number, None)
        if group is None:
            group = Person(number, is_plural=True, members=(first.person, person))
        self._recent[number] = group
        self._weigh(group, self.doc[first.head])

    def _weigh(self, person: Person, token: "Token") -> None:
        sentences_between = max(0, self.sentence_of[token.i] - person.last_sentence)
        person.weight = person.weight * FADING**sentences_between + 1
        self.move(person, token)

    def move(self, person: Person, token: "Token") -> None:
        """Note where a person, or a thing, was mentioned last."""
        person.last_sentence = self.sentence_of[token.i]
        person.last_token = token.i
        person.was_subject = token.dep_ in SUBJECTS

    def note_things(self, end: int) -> None:
        """Note the nouns before a token that do not denote persons, in languages whose pronouns may refer to things."""
        if not self.may_be_things:
            return
        for token in self.doc[self._end_of_things : end]:
            if self.is_thing(token):
                self._note_thing(token)
        self._end_of_things = max(self._end_of_things, end)

    def _note_thing(self, token: "Token") -> None:
        word = token.lower_
        thing = self._things.pop(word, None) or Person(-1, is_plural(token))
        thing.gender = grammatical_gender(token)
        self._weigh(thing, token)
        self._things[word] = thing

    def is_thing(self, token: "Token") -> bool:
        """Check whether a token mentions no person, but is a noun, or a word or a name that is a subject like one."""
        if token.i in self._mention_at:
            return False
        if token.pos_ == "NOUN":
            return not self.is_cased or grammatical_gender(token) != ""
        if self.is_cased or token.dep_ not in SUBJECTS:
            return False
        if token.pos_ == "PROPN":
            return True
        return token.pos_ == "ADJ" and any(child.pos_ == "DET" for child in token.children)


def _mentions_by_token(mentions: Iterable[MentionSpan]) -> dict[int, MentionSpan]:
    mention_at: dict[int, MentionSpan] = {}
    heads: dict[int, MentionSpan] = {}
    for mention in mentions:
        heads[mention.head] = mention
        # The head of a name may be its first word.
        if mention.kind == "name":
            mention_at.update(dict.fromkeys(range(mention.start, mention.end), mention))
    return mention_at | heads
