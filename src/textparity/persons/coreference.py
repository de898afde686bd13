"""Resolve which mentions refer to the same person: names by their parts, nouns and pronouns by simple rules."""

from typing import TYPE_CHECKING

from textparity.persons.discourse import Discourse
from textparity.persons.mention_spans import MentionSpan, Person
from textparity.persons.name_coreference import NameResolver
from textparity.persons.noun_coreference import NounResolver
from textparity.persons.pronoun_coreference import PronounResolver
from textparity.persons.rules import Rules

if TYPE_CHECKING:
    from spacy.tokens import Doc


def resolve_mentions(
    doc: "Doc", sentence_of: list[int], rules: Rules, mentions: list[MentionSpan]
) -> list[MentionSpan]:
    """Assign a person to each mention of a document. Mentions that turn out not to refer to a person are left out.

    `sentence_of` has the number of each token's sentence. `mentions` are in text order.
    """
    discourse = Discourse(doc, sentence_of, rules, mentions)
    names = NameResolver(discourse, mentions, [mention for mention in mentions if mention.kind == "name"])
    nouns = NounResolver(discourse, names)
    pronouns = PronounResolver(discourse, mentions)
    names.resolve()
    resolved = []
    for mention in mentions:
        if mention.kind == "noun":
            mention.person = nouns.person_of(mention)
        elif mention.kind == "pronoun":
            discourse.note_things(mention.head)
            mention.person = pronouns.person_of(mention)
        if mention.person is not None:
            discourse.note(mention, mention.person)
            resolved.append(mention)
    if pronouns.may_assume_persons:
        names.heed_single_pronouns()
    return [mention for mention in resolved if mention.role != "unknown" or _has_gender(mention.person)]


def _has_gender(person: Person | None) -> bool:
    return person is not None and bool(person.likely_gender)
