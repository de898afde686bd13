"""Find actors by the corrected rules: every person in an article, with each mention's role and each quote's speaker."""

from textparity.persons.actors.actors import Actor, ActorRow, Finding, Mention, role_head
from textparity.persons.actors.annotations import UNIVERSAL, Annotation
from textparity.persons.actors.languages import Language, form_of
from textparity.persons.actors.pronouns import is_clitic, resolve_pronouns
from textparity.persons.actors.quotes import (
    Quote,
    find_direct_quotes,
    find_indirect_quotes,
    is_inverted_subject,
)
from textparity.persons.actors.word_lists import WordLists
from textparity.persons.passages import UNDETERMINED
from textparity_studies.newsroom.published import pronoun_gender


def resolve(article: Annotation, actors: list[Actor], words: WordLists) -> dict[int, int]:
    """Resolve each pronoun to its actor's number, by token: by the library's chains if it ran, else by rules."""
    if not article.antecedents:
        return resolve_pronouns(article, actors, words)
    at = {
        place: number
        for number, actor in enumerate(actors)
        for mention in actor.mentions
        for place in range(mention.start, mention.end)
    }
    # A library also resolves nouns, sich and dabei, which are no mentions here.
    return {
        place: at[antecedent]
        for place, antecedent in enumerate(article.antecedents)
        if antecedent in at and form_of(article.tokens[place]) in words.language.pronouns
    }


def antecedents_of(article: Annotation, actors: list[Actor], resolved: dict[int, int]) -> list[int]:
    """Map each pronoun to a token or -1: the first token of its actor's longest mention, as a library would do."""
    if article.antecedents:
        return article.antecedents
    longest = [max(actor.mentions, key=lambda mention: mention.end - mention.start).start for actor in actors]
    return [longest[resolved[place]] if place in resolved else -1 for place in range(len(article))]


def find_corrected_actors(
    article: Annotation, actors: list[Actor], resolved: dict[int, int], words: WordLists, pronoun_share: float
) -> tuple[list[ActorRow], list[Finding]]:
    """Find all actors of an article, including those of undetermined gender, and everything observed about them."""
    findings: list[Finding] = []
    rows: list[ActorRow] = []
    mentions = [list(actor.mentions) for actor in actors]
    for place, number in sorted(resolved.items()):
        mentions[number].append(Mention(place, place + 1, place, "pronoun"))
    for number, actor in enumerate(actors):
        pronouns = [article.tokens[mention.start].lower() for mention in mentions[number] if mention.kind == "pronoun"]
        gender, source = _gender(actor, pronouns, pronoun_share, words.language)
        row = ActorRow(actor.name, actor.kind, gender, source)
        for mention in mentions[number]:
            findings.append(Finding(mention.kind, mention.end - 1, number))
            role = _role(article, mention, words)
            row.subject_roles += role == "subject"
            row.object_roles += role == "object"
            if role:
                findings.append(Finding("role", mention.end - 1, number, role))
        row.mentions = len(mentions[number])
        row.pronoun_mentions = len(pronouns)
        row.named_mentions = row.mentions - row.pronoun_mentions
        row.sentences = sorted({article.sentence_of[mention.start] for mention in mentions[number]})
        rows.append(row)
    actor_of = {
        place: number
        for number, these in enumerate(mentions)
        for mention in these
        for place in range(mention.start, mention.end)
    }
    direct = find_direct_quotes(article, actor_of, words)
    indirect = find_indirect_quotes(article, actor_of, words, direct)
    findings += _count_quotes(article, [*direct, *indirect], rows)
    return rows, findings


def _gender(actor: Actor, pronouns: list[str], share: float, language: Language) -> tuple[str, str]:
    # The paper's lists lack some pronouns that indicate a gender.
    by_pronouns = pronoun_gender(pronouns, share, language.forms_of("feminine"), language.forms_of("masculine"))
    if by_pronouns:
        return by_pronouns, "pronouns"
    if actor.title_gender:
        return actor.title_gender, "generic noun" if actor.kind == "generic" else "title"
    if actor.first_name_gender:
        return actor.first_name_gender, "first name"
    return UNDETERMINED, ""


def _role(article: Annotation, mention: Mention, words: WordLists) -> str:
    scheme = article.scheme
    if words.language.has_later_rules and (seen := _plain_role(article, mention, words)) is not None:
        return seen
    dependency = article.dependencies[role_head(article, mention)]
    if dependency in scheme.subject:
        return "subject"
    return "object" if dependency in scheme.accusative_object | scheme.dative_object else ""


def _plain_role(article: Annotation, mention: Mention, words: WordLists) -> str | None:
    """Infer the role from word order, whatever the parser's label, or None if word order does not decide it."""
    if mention.kind == "pronoun" and is_clitic(article, mention.start, words.language):
        return "object"
    if article.tokens[mention.start].startswith("-"):
        # For example "dit-elle".
        return "subject"
    if is_inverted_subject(article, mention.start, words):
        return "subject"
    before = article.parts_of_speech[mention.start - 1] if mention.start else ""
    if before == "ADP":
        return ""
    is_root = article.heads[mention.head] == mention.head and article.parts_of_speech[mention.head] == "PROPN"
    start, end = article.sentences[article.sentence_of[mention.start]]
    # If a name begins a sentence and everything else depends on it, the parser has missed the verb.
    if is_root and mention.start == start and end - mention.end > 2 and article.tokens[mention.end] != ":":
        return "subject"
    head = article.heads[mention.head]
    # In "son fils Daniel", the parser attaches the name to the noun as an owner, or takes the noun for an adjective.
    is_beside = article.dependencies[mention.head] in ("nmod", "appos", "flat:name") and head == mention.start - 1
    if article.scheme is UNIVERSAL and is_beside and article.parts_of_speech[head] in ("NOUN", "ADJ", "PROPN"):
        return _role(article, Mention(head, head + 1, head, mention.kind), words)
    return None


def _count_quotes(article: Annotation, quotes: list[Quote], rows: list[ActorRow]) -> list[Finding]:
    findings = []
    for quote in quotes:
        row = rows[quote.speaker]
        row.direct_quotes += quote.is_direct
        row.indirect_quotes += not quote.is_direct
        kind = "direct quote" if quote.is_direct else "indirect quote"
        sentences = range(article.sentence_of[quote.start], article.sentence_of[quote.end - 1] + 1)
        findings += [Finding(kind, sentence, quote.speaker) for sentence in sentences]
    return findings
