"""Actors by the corrected rules: every person of an article, with each mention's role and each quote's speaker."""

from textparity.studies.newsroom.actor_rows import ActorRow, Finding
from textparity.studies.newsroom.actors import Actor, Mention, role_head
from textparity.studies.newsroom.annotations import Annotation
from textparity.studies.newsroom.pronouns import PRONOUNS, resolve_pronouns
from textparity.studies.newsroom.published import pronoun_gender
from textparity.studies.newsroom.quotes import Quote, find_direct_quotes, find_indirect_quotes
from textparity.studies.newsroom.word_lists import UNDETERMINED, WordLists

# Of the pronouns that tell a gender, the paper's lists lack these; each counts as one that they have.
_ALL_FORMS = {"ihn": "er", "ihm": "er", "ihrer": "ihr", "seiner": "sein"}


def resolve(article: Annotation, actors: list[Actor], words: WordLists) -> dict[int, int]:
    """Return the number of the actor of each pronoun, by token: by the library's chains where it ran, else by rules."""
    if not article.antecedents:
        return resolve_pronouns(article, actors, words)
    at = {
        place: number
        for number, actor in enumerate(actors)
        for mention in actor.mentions
        for place in range(mention.start, mention.end)
    }
    # A library resolves nouns, sich and dabei, too, which are no mentions here.
    return {
        place: at[antecedent]
        for place, antecedent in enumerate(article.antecedents)
        if antecedent in at and article.tokens[place].lower() in PRONOUNS
    }


def antecedents_of(article: Annotation, actors: list[Actor], resolved: dict[int, int]) -> list[int]:
    """Return the token each pronoun stands for, or -1: the first of its actor's longest mention, as a library would."""
    if article.antecedents:
        return article.antecedents
    longest = [max(actor.mentions, key=lambda mention: mention.end - mention.start).start for actor in actors]
    return [longest[resolved[place]] if place in resolved else -1 for place in range(len(article))]


def find_corrected_actors(
    article: Annotation, actors: list[Actor], resolved: dict[int, int], words: WordLists, pronoun_share: float
) -> tuple[list[ActorRow], list[Finding]]:
    """Return all actors of an article, those of undetermined gender too, and each thing seen."""
    findings: list[Finding] = []
    rows: list[ActorRow] = []
    mentions = [list(actor.mentions) for actor in actors]
    for place, number in sorted(resolved.items()):
        mentions[number].append(Mention(place, place + 1, place, "pronoun"))
    for number, actor in enumerate(actors):
        pronouns = [article.tokens[mention.start].lower() for mention in mentions[number] if mention.kind == "pronoun"]
        gender, source = _gender(actor, pronouns, pronoun_share)
        row = ActorRow(actor.name, actor.kind, gender, source)
        for mention in mentions[number]:
            findings.append(Finding(mention.kind, mention.end - 1, number))
            role = _role(article, mention)
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


def _gender(actor: Actor, pronouns: list[str], share: float) -> tuple[str, str]:
    by_pronouns = pronoun_gender([_ALL_FORMS.get(pronoun, pronoun) for pronoun in pronouns], share)
    if by_pronouns:
        return by_pronouns, "pronouns"
    if actor.title_gender:
        return actor.title_gender, "generic noun" if actor.kind == "generic" else "title"
    if actor.first_name_gender:
        return actor.first_name_gender, "first name"
    return UNDETERMINED, ""


def _role(article: Annotation, mention: Mention) -> str:
    scheme = article.scheme
    dependency = article.dependencies[role_head(article, mention)]
    if dependency in scheme.subject:
        return "subject"
    return "object" if dependency in scheme.accusative_object | scheme.dative_object else ""


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
