"""The method `persons`: find who is mentioned, with a language pipeline, word lists and simple coreference rules.

A mention is a name that the pipeline marks as a person (with its titles), a noun for a person (from WordNet or the
lexicon) or a pronoun of the third person. The gender comes from the word itself (lexicon, title, pronoun) or from
agreement (the article, then the noun's morphology). Otherwise it comes from a first name, or else from the pronouns
that refer to the person.

German has rules of its own for names and pronouns (`persons.actor_mentions`), whose results are published.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textparity.counting.terms import TermMatcher
from textparity.persons.actor_languages import WordLists
from textparity.persons.actor_mentions import ActorRules
from textparity.persons.coreference import resolve_mentions
from textparity.persons.mention_spans import NEUTRAL_ROLES, SUBJECTS, MentionSpan
from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED, Mention
from textparity.persons.name_finder import NameDecider, NameGuesser, PersonNameFinder
from textparity.persons.name_spans import find_unknown_names
from textparity.persons.noun_finder import NounFinder
from textparity.persons.parsed_document import ParsedDocument
from textparity.persons.pronoun_finder import PronounFinder
from textparity.persons.pronoun_hints import count_pronouns_after
from textparity.persons.rules import Rules
from textparity.persons.things import Name, find_things

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


@dataclass(frozen=True)
class _PersonNames:
    """The names of a document that are persons', and all names of things, in lower case."""

    names: list[MentionSpan]
    things: set[str]


class PersonFinder:
    """Find persons in documents of one language, parsed by a spaCy pipeline.

    `matcher` has all layers of the language's lexicon. `person_nouns` are lemmas or forms in lower case, and animals
    after `-`. `grammatical`: nouns that can refer to anyone but have one gender (*persona*) get that gender.
    `decide_name` decides the gender of a first name that inflects, by the further names and the words beside it, and
    `guess_name` guesses that of a first name outside the lexicon. `actor_words` are the lists of a language that uses
    the rules of actors, and `neopronouns` the pronouns of persons who are called neither she nor he.
    """

    def __init__(
        self,
        rules: Rules,
        matcher: TermMatcher,
        person_nouns: frozenset[str],
        grammatical: bool = False,
        decide_name: NameDecider | None = None,
        guess_name: NameGuesser | None = None,
        actor_words: WordLists | None = None,
        neopronouns: frozenset[str] = frozenset(),
    ) -> None:
        self._rules, self._matcher = rules, matcher
        self._nouns = NounFinder(rules, person_nouns, grammatical)
        self._names = PersonNameFinder(rules, self._nouns.nouns, decide_name, guess_name)
        self._pronouns = PronounFinder(rules, neopronouns)
        self._actors = ActorRules(actor_words, rules) if actor_words else None

    def find(self, doc: "Doc") -> list[Mention]:
        """Find the mentions of persons in a parsed document, in text order."""
        if self._rules.of_kind("agreement"):
            _mend_tags(doc)
        parsed = ParsedDocument(doc, self._matcher, self._rules)
        if self._actors:
            return self._actors.find(doc, self._nouns.find(parsed))
        spans = resolve_mentions(doc, parsed.sentence_of, self._rules, self._spans(parsed))
        return [_mention(parsed, span) for span in spans]

    def _spans(self, parsed: ParsedDocument) -> list[MentionSpan]:
        """Find names, then nouns and pronouns outside them, and last what may be names."""
        persons = self._persons_of(parsed.doc, self._names.find(parsed))
        taken: set[int] = set()
        for name in persons.names:
            taken.update(range(name.start, name.end))
        spans = list(persons.names)
        for finder in (self._nouns, self._pronouns):
            outside = [span for span in finder.find(parsed) if span.head not in taken]
            taken.update(span.head for span in outside)
            spans += outside
        if not self._rules.of_kind("article"):
            for name in find_unknown_names(parsed, self._rules, taken):
                form = " ".join(name.parts)
                if form not in persons.things:
                    spans.append(name)
        return sorted(spans, key=lambda span: (span.start, span.end))

    def _persons_of(self, doc: "Doc", names: list[MentionSpan]) -> _PersonNames:
        """Leave out the names of things."""
        words = [word.text for word in doc]
        labels = [word.ent_type_ for word in doc]
        untitled = [_without_titles(doc, name) for name in names]
        pronouns = self._count_pronouns(doc, names)
        thing_numbers, things = find_things(words, labels, untitled, self._rules, pronouns)
        persons = [name for index, name in enumerate(names) if index not in thing_numbers]
        return _PersonNames(persons, things)

    def _count_pronouns(self, doc: "Doc", names: list[MentionSpan]) -> dict[tuple[str, ...], int]:
        """Count the pronouns for women or men that come next after a name, by its parts."""
        # Where things are called he or she (il, elle), the pronouns after a name show nothing.
        if self._rules.of_kind("impersonal"):
            return {}
        votes = count_pronouns_after(doc, names, self._rules)
        return {parts: genders[FEMININE] + genders[MASCULINE] for parts, genders in votes.items()}


def _mend_tags(doc: "Doc") -> None:
    """Take capitalised foreign words for names, and lemmas for the normal forms, in a language with cases."""
    for token in doc:
        # Many foreign names are tagged as other foreign words.
        if token.pos_ == "X" and token.text[:1].isupper():
            token.pos_ = "PROPN"
        token.norm_ = token.lemma_.lower()


def _without_titles(doc: "Doc", name: MentionSpan) -> Name:
    parts = name.parts
    # The pipeline may take a word before the name as part of it (*Unbeaten Ayr*).
    if len(parts) > 1 and doc[name.name_start].pos_ in ("ADJ", "VERB"):
        parts = parts[1:]
    return Name(
        start=name.name_start,
        end=name.end,
        parts=parts,
        is_titled=name.evidence == "title" or bool(name.lemma),
        is_first=bool(name.first_name),
        plural=_number_of_verb(doc[name.head]) if len(parts) == 1 else 0,
    )


def _number_of_verb(token: "Token") -> int:
    """Return 1 for the subject of a plural verb, -1 for that of a singular one, else 0 (English only)."""
    roles_below = {child.dep_ for child in token.children}
    if token.dep_ not in SUBJECTS or not roles_below.isdisjoint(("conj", "cc")):
        return 0
    finite = token.head
    for word in token.head.children:
        if word.dep_ in ("aux", "auxpass"):
            finite = word
            break
    if finite.i <= token.i:
        return 0
    return {"VBP": 1, "VBZ": -1}.get(finite.tag_, 0)


def _mention(parsed: ParsedDocument, span: MentionSpan) -> Mention:
    person = span.person
    assert person is not None
    gender, evidence = span.gender, span.evidence
    if not gender and span.role not in NEUTRAL_ROLES:
        likely_gender = person.likely_gender
        if likely_gender:
            gender, evidence = likely_gender, person.evidence or "pronouns"
    first = parsed.doc[span.start]
    last = parsed.doc[span.end - 1]
    start = first.idx
    end = last.idx + len(last)
    text = parsed.text[start:end]
    untitled = ""
    if span.kind == "name":
        first_of_name = max(span.start, span.name_start)
        untitled = parsed.doc[first_of_name : span.end].text
    return Mention(
        start,
        end,
        text,
        span.kind,
        gender or UNSPECIFIED,
        person.number,
        evidence,
        is_group=person.is_plural,
        untitled=untitled,
        is_neither=person.is_neither,
    )
