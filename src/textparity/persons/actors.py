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

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any
from unicodedata import combining, normalize

from textparity.persons.actor_languages import GERMAN, Grammar, WordLists
from textparity.persons.annotations import PERSON_LABELS, Annotation
from textparity.persons.mentions import is_same_first_name
from textparity.persons.quotes import find_marked_spans, has_finite_verb

_ALL = {"male": "masculine", "female": "feminine"}
_MOSTLY = _ALL | {"mostly_male": "masculine", "mostly_female": "feminine"}
_SHORTEST_NAME = 3
_LONGEST_WORK_TITLE = 8
# These words end in miss, but are not titles.
_NO_TITLES = frozenset({"kompromiss"})


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


@dataclass(frozen=True)
class _Named:
    """A name in the text, without its titles."""

    start: int
    end: int
    parts: tuple[str, ...]
    text: str
    title_gender: str


def find_actors(article: Annotation, words: WordLists, nouns: Mapping[int, str] | None = None) -> list[Actor]:
    """Find the named and generic actors of an article, with their mentions in order. Pronouns are added later.

    `nouns` has the genders of other nouns for persons, by token.
    """
    language = words.language
    titles = _title_places(article, language)
    named = [name for span in _person_spans(article, titles, words) if (name := _strip_titles(article, span, words))]
    actors: list[Actor] = []
    # Full names come first, so that a surname in a headline is matched to the full name that follows it.
    for name in named:
        if len(name.parts) > 1:
            _add(article, name, _find_full(actors, name, language) or _new_actor(actors, name, language))
    known = {part for name in named for part in name.parts}
    for name in named:
        if len(name.parts) == 1:
            found = _find_single(actors, name, language)
            if not found:
                name = _without_genitive(name, known, language)
                found = _find_single(actors, name, language) or _new_actor(actors, name, language)
            _add(article, name, found)
    _add_unmarked(article, actors, words)
    _add_generic(article, actors, words, titles, nouns or {})
    for actor in actors:
        actor.mentions.sort(key=lambda mention: mention.start)
    return sorted(actors, key=lambda actor: actor.mentions[0].start)


def actors_by_token(actors: list[Actor]) -> dict[int, int]:
    """Map each token of a mention to the number of its actor."""
    return {
        place: number
        for number, actor in enumerate(actors)
        for mention in actor.mentions
        for place in range(mention.start, mention.end)
    }


def _person_spans(article: Annotation, titles: set[int], words: WordLists) -> list[tuple[int, int]]:
    """Find the spans marked as persons, extended to particles and surname, and unmarked full names.

    An unambiguous first name and another proper noun form a full name. Names in quotation marks without a verb are
    titles of works.
    """
    language = words.language
    marked = article.entity_spans(PERSON_LABELS)
    spans = [_with_particles(article, *span, language) for span in marked]
    others = set(article.entity_spans()).difference(marked)
    for place in range(len(article) - 1):
        pair = (place, place + 1)
        unseen = not any(article.entities[other] for other in pair) or (place, place + 2) in others
        if language.has_later_rules:
            # In "ministre des Transports Hélène Marchand", the parser may take the whole phrase for one organisation.
            unseen = unseen or any(start <= place and end == place + 2 for start, end in others)
        proper = all(article.parts_of_speech[other] == "PROPN" and article.tokens[other].istitle() for other in pair)
        if unseen and proper and guess_gender(article.tokens[place], language):
            spans.append((place, place + 2))
    if language.has_later_rules:
        spans += _after_honorifics(article, language)
    kept: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        # Two names may share words, because the surname reached over the particles of one name may also be marked by
        # itself.
        if start not in titles and (not kept or start >= kept[-1][1]):
            kept.append((start, end))
    return kept


def _after_honorifics(article: Annotation, language: Grammar) -> list[tuple[int, int]]:
    """Find the proper nouns directly after "Mrs" or "M.", whatever their label."""
    spans = []
    for place in range(1, len(article)):
        is_title = _title_word(article, place - 1, language) in language.honorifics
        if article.entities[place] in PERSON_LABELS or not is_title:
            continue
        end = place
        while end < len(article) and article.parts_of_speech[end] == "PROPN" and article.tokens[end][:1].isupper():
            end += 1
        if end > place:
            spans.append((place, end))
    return spans


def _title_places(article: Annotation, language: Grammar) -> set[int]:
    return {
        place
        for start, end in find_marked_spans(article, language)
        if end - start <= _LONGEST_WORK_TITLE and not has_finite_verb(article, start, end)
        for place in range(start, end)
    }


def _with_particles(article: Annotation, start: int, end: int, language: Grammar) -> tuple[int, int]:
    last = end
    while last < len(article) and article.tokens[last] in language.particles:
        last += 1
    # This accepts "Clara von der Heide", but neither "Clara der Partei" nor "Clara Koch von der Polizei". After two
    # particles, a common noun is accepted, too.
    named = ("PROPN", "NOUN") if last - end > 1 else ("PROPN",)
    is_first_name = end - start == 1 and guess_gender(article.tokens[start], language)
    goes_on = end < last < len(article) and article.tokens[end] not in language.particles_or_articles
    return start, (last + 1 if is_first_name and goes_on and article.parts_of_speech[last] in named else end)


def _strip_titles(article: Annotation, span: tuple[int, int], words: WordLists) -> _Named | None:
    start, end = span
    gender = _title_before(article, start, words)
    while start < end and _title_word(article, start, words.language) in words.titles:
        gender = gender or _title_gender(article, start, words) or ""
        start += 1
    while start < end and article.tokens[end - 1] in words.language.possessive_endings:
        end -= 1
    tokens = article.tokens[start:end]
    if not any(token[:1].isupper() for token in tokens) or any(token.isdigit() for token in tokens):
        return None
    return _Named(start, end, tuple(token.lower() for token in tokens), article.text_of(start, end), gender)


def _title_before(article: Annotation, start: int, words: WordLists) -> str:
    """Find the gender of the first gendered title directly before a name: `Frau Dr.`, `Frau Professor`."""
    gender = ""
    for place in range(start - 1, -1, -1):
        known = _title_gender(article, place, words)
        if known is None or article.sentence_of[place] != article.sentence_of[start]:
            break
        gender = known or gender
    return gender


def _title_gender(article: Annotation, place: int, words: WordLists) -> str | None:
    """Determine the gender of a title. Empty if anyone may have it; None if the word is not a title."""
    title = _title_word(article, place, words.language)
    gender = words.titles.get(title)
    if gender is None and article.parts_of_speech[place] in ("NOUN", "PROPN") and title not in _NO_TITLES:
        # A compound has the gender of the title it ends in: Kultusministerin, Pressesprecher.
        endings = ((ending, gender) for ending, gender in words.title_endings.items() if title.endswith(ending))
        title, gender = next(endings, (title, None))
    # "der Abgeordnete" is a man and "die Abgeordnete" a woman. So is "Abgeordnete" without an article.
    is_adjectival = words.titles.get(title + "r") == "masculine"
    children = [article.tokens[child].lower() for child in article.children[place]]
    if is_adjectival and article.features[place].get("Case") not in ("Gen", "Dat"):
        return "masculine" if "der" in children else gender
    if gender == "" and (articles := words.language.articles):
        # "la ministre" is a woman.
        return next((of_form for form, of_form in articles if form in children), "")
    return gender


def _title_word(article: Annotation, place: int, language: Grammar) -> str:
    """Convert a word to the form in which titles are listed. Empty for the verb mag, which is not the title Mag."""
    token = article.tokens[place]
    may_be_title = token[:1].isupper() or token.endswith(".") or not language.nouns_are_capitalised
    return token.lower().rstrip(".") if may_be_title else ""


def _find_full(actors: list[Actor], name: _Named, language: Grammar) -> Actor | None:
    for actor in actors:
        if actor.is_other_gender(name.title_gender):
            continue
        one, other = actor.parts[-1], name.parts[-1]
        # In languages without a genitive ending, this compares the bare names.
        same_last = one == other or one + language.genitive == other or one == other + language.genitive
        if same_last and is_same_first_name(actor.parts[0], name.parts[0]):
            return actor
    return None


def _find_single(actors: list[Actor], name: _Named, language: Grammar) -> Actor | None:
    """Find the actor of a single name: the one mentioned last before it, or else the first."""
    part = name.parts[0]
    # "Bergers" may be the genitive of Anna Berger. But Robert is not Julia Roberts, so known first names are excluded.
    genitive = "" if guess_gender(part, language) else part + language.genitive
    fitting = [
        actor
        for actor in actors
        if (part in (actor.parts[0], actor.parts[-1]) or actor.parts[-1] == genitive)
        and not actor.is_other_gender(name.title_gender)
    ]
    before = [(mention.start, actor) for actor in fitting for mention in actor.mentions if mention.start < name.start]
    return max(before, key=lambda item: item[0])[1] if before else next(iter(fitting), None)


def _without_genitive(name: _Named, known: set[str], language: Grammar) -> _Named:
    part = name.parts[0]
    if not language.genitive or not part.endswith(("s", "'", "’")) or part[:-1] not in known:
        return name
    return _Named(name.start, name.end, (part[:-1],), name.text[:-1], name.title_gender)


def _new_actor(actors: list[Actor], name: _Named, language: Grammar) -> Actor:
    actor = Actor(name.text, "named", name.parts)
    # A single name is most often a surname, and many surnames are also men's first names.
    if len(name.parts) > 1:
        actor.first_name_gender = guess_gender(name.text.split()[0], language)
    actors.append(actor)
    return actor


def _add(article: Annotation, name: _Named, actor: Actor) -> None:
    actor.title_gender = actor.title_gender or name.title_gender
    if len(name.parts) > len(actor.parts):
        actor.name, actor.parts = name.text, name.parts
    elif actor.parts[-1] == name.parts[-1] + "s":
        actor.name, actor.parts = actor.name[:-1], (*actor.parts[:-1], name.parts[-1])
    actor.mentions.append(ActorMention(name.start, name.end, article.root_of(name.start, name.end), "named"))


def _add_unmarked(article: Annotation, actors: list[Actor], words: WordLists) -> None:
    language = words.language
    surnames = {actor.parts[-1] for actor in actors if len(actor.parts) > 1 and len(actor.parts[-1]) >= _SHORTEST_NAME}
    taken = actors_by_token(actors)
    for place, token in enumerate(article.tokens):
        if place in taken or (article.entities[place] and not _may_be_label(article, place, words)):
            continue
        if not article.entities[place] and not _may_be_name(article, place):
            continue
        name = _Named(place, place + 1, (token.lower(),), token, _title_before(article, place, words))
        name = name if name.parts[0] in surnames else _without_genitive(name, surnames, language)
        if name.parts[0] in surnames and (actor := _find_single(actors, name, language)):
            _add(article, name, actor)


def _may_be_name(article: Annotation, place: int) -> bool:
    """Check whether a word spelled like a surname may be one: a noun without an article or adjective before it."""
    if article.parts_of_speech[place] == "PROPN":
        return True
    before = article.parts_of_speech[place - 1] if place else ""
    return article.parts_of_speech[place] == "NOUN" and article.tokens[place].istitle() and before not in ("DET", "ADJ")


def _may_be_label(article: Annotation, place: int, words: WordLists) -> bool:
    """Check whether a labelled word may nevertheless be a surname: if the label covers only the word and titles."""
    if not words.language.has_later_rules or not article.tokens[place][:1].isupper():
        return False
    start, end = next(span for span in article.entity_spans() if span[0] <= place < span[1])
    endings = words.language.possessive_endings
    return all(
        _title_word(article, other, words.language) in words.titles or article.tokens[other] in endings
        for other in range(start, end)
        if other != place
    )


def _add_generic(
    article: Annotation, actors: list[Actor], words: WordLists, titles: set[int], nouns: Mapping[int, str]
) -> None:
    found: dict[tuple[str, str], Actor] = {}
    taken = set(actors_by_token(actors))
    for place, token in enumerate(article.tokens):
        gender = words.generic_persons.get(token.lower(), nouns.get(place))
        if gender is None or place in taken or place in titles:
            continue
        is_noun = token[:1].isupper()
        if not words.language.nouns_are_capitalised:
            is_part = place > 0 and article.tokens[place - 1] == "-" and not article.spaces[place - 1]
            is_noun = article.parts_of_speech[place] in ("NOUN", "PROPN") and not is_part
        if not is_noun or _is_title(article, place, taken, words):
            continue
        actor = found.get((token.lower(), gender))
        if actor is None:
            is_plural = article.features[place].get("Number") == "Plur"
            actor = found[token.lower(), gender] = Actor(token, "generic", title_gender=gender, is_plural=is_plural)
            actors.append(actor)
        actor.mentions.append(ActorMention(place, place + 1, place, "generic"))


def _is_title(article: Annotation, place: int, names: set[int], words: WordLists) -> bool:
    """Check whether a generic noun stands before a name, possibly followed by further titles: Frau Dr. Berger."""
    following = place + 1
    while following < len(article) and _title_word(article, following, words.language) in words.titles:
        following += 1
    return following in names and article.sentence_of[following] == article.sentence_of[place]


def role_head(article: Annotation, mention: ActorMention) -> int:
    """Find the token that has the role: Ministerin in "die Ministerin Anna Berger", Anna in "Anna und Peter"."""
    place = mention.head
    while article.heads[place] != place and _shares_role(article, place):
        place = article.heads[place]
    return place


def _shares_role(article: Annotation, place: int) -> bool:
    """Check whether a token has the role of its head."""
    scheme, head, dependency = article.scheme, article.heads[place], article.dependencies[place]
    if article.parts_of_speech[head] not in ("NOUN", "PROPN", "PRON", "CCONJ"):
        return False
    if dependency in scheme.conjunct:
        return True
    # The owner of the noun is another person: "Müllers Bruder", "ihr Bruder". TIGER labels ihr as nk there, as it
    # labels names.
    is_owner = article.features[place].get("Case") == "Gen" or article.parts_of_speech[place] == "DET"
    return dependency in scheme.same_referent and not is_owner


@lru_cache(maxsize=50_000)
def guess_gender(first_name: str, language: Grammar = GERMAN) -> str:
    """Guess the gender of a first name with gender-guesser: that of most people of this name in the language's first
    country, or of all in another one or anywhere. Empty if there is none.
    """
    detector = _detector()
    name = first_name.partition("-")[0]
    first, *others = language.countries
    if (guess := detector.get_gender(name, first)) in _MOSTLY:
        return _MOSTLY[guess]
    guesses = (detector.get_gender(name, country) for country in others)
    found = next((_ALL[guess] for guess in guesses if guess in _ALL), "")
    plain = "".join(sign for sign in normalize("NFD", name) if not combining(sign))
    # gender-guesser lists many names only without accents.
    return guess_gender(plain, language) if not found and language.has_later_rules and plain != name else found


@cache
def _detector() -> Any:
    from gender_guesser.detector import Detector

    return Detector(case_sensitive=False)
