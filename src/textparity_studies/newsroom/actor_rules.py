"""Find the actors of an article, the role of each mention, and the speaker of each quote, by both procedures.

`published` has the rules of the paper's public code (corpus_balancing, code/analysis.py), errors included. Urchs 2025,
§2.3 and §3, do not mention the following behaviour of the code:

- names are single tokens, and merged if the letters of one contain the other ("Ei" in "Einstein"). A surname joins
  every full name that contains it, and counts twice if it precedes them in the text;
- a pronoun counts only if it resolves to a name with that spelling which was not merged into another. A generic person
  (kept in lower case) therefore never has one. Actors without a gendered pronoun are dropped;
- `ihn` and `ihm` are not among the pronouns that indicate a gender;
- in each sentence only the first mention's role counts, and only accusative objects;
- a sentence with two quotation marks is a direct quote of every actor in it; » and « are not quotation marks;
- the code merges names in the order of a Python set, which changes from run to run; we use the text's order.

The code is for German. In another language we apply the same rules with all of its pronouns that indicate a gender.
`corrected` finds every person of an article, including those of undetermined gender.
"""

from collections import defaultdict
from collections.abc import Iterable

from textparity.persons.actor_languages import Grammar, WordLists, form_of
from textparity.persons.actor_pronouns import is_clitic, resolve_pronouns
from textparity.persons.actors import Actor, ActorMention, actors_by_token, role_head
from textparity.persons.annotations import PERSON_LABELS, UNIVERSAL, Annotation
from textparity.persons.indirect_quotes import find_indirect_quotes
from textparity.persons.mention_spans import TokenSpan
from textparity.persons.quotes import Quote, find_direct_quotes, is_inverted_subject
from textparity_studies.measures.passages import UNDETERMINED
from textparity_studies.newsroom.annotations import ActorRow, AnnotatedArticle, RuleFinding
from textparity_studies.newsroom.languages import PAPER_LANGUAGE

QUOTATION_MARKS = ('"', "„", "“", "”")
SHE = frozenset({"sie", "ihr", "ihre", "ihren", "ihrem", "ihres"})
HE = frozenset({"er", "sein", "seine", "seinen", "seinem", "seines"})


def merge_entities(article: Annotation) -> dict[int, TokenSpan]:
    """Map the tokens left if each entity is merged into its first token to their spans."""
    ends = dict(article.entity_spans())
    units = {}
    start = 0
    while start < len(article):
        end = ends.get(start, start + 1)
        units[start] = TokenSpan(start, end)
        start = end
    return units


def find_published_actors(
    article: Annotation, antecedents: list[int], words: WordLists, pronoun_share: float
) -> tuple[list[ActorRow], list[RuleFinding]]:
    """Find the actors that have a gender, in the order of the code, and everything observed about them.

    `antecedents` maps each pronoun to a token or -1. `pronoun_share` is the least share of an actor's gendered pronouns
    that decides the actor's gender.
    """
    is_paper_language = words.language.code == PAPER_LANGUAGE
    she, he = (SHE, HE) if is_paper_language else _gendered_pronouns(words.language)
    units = merge_entities(article)
    names = _find_names(article, units, words)
    pronouns = _find_pronouns(article, antecedents, units, names)
    actors: list[ActorRow] = []
    findings: list[RuleFinding] = []
    for name, nominations in names.items():
        forms = [article.tokens[token] for token in pronouns[name]]
        gender = pronoun_gender(forms, pronoun_share, she, he)
        if not gender:
            continue
        number = len(actors)
        kind = "generic" if name in words.generic_persons else "named"
        row = ActorRow(name, kind, gender, "pronouns")
        row.named_mentions = len(nominations)
        row.pronoun_mentions = len(forms)
        row.mentions = row.named_mentions + row.pronoun_mentions
        findings += [RuleFinding(kind, units[token].end - 1, number) for token in nominations]
        findings += [RuleFinding("pronoun", token, number) for token in pronouns[name]]
        spans = [units[token] for token in [*nominations, *pronouns[name]]]
        findings += _measure_sentences(article, spans, row, number, words)
        actors.append(row)
    return actors, findings


def _find_names(article: Annotation, units: dict[int, TokenSpan], words: WordLists) -> dict[str, list[int]]:
    """List the first tokens of each name, with names combined, and of each generic person, in lower case."""
    names: defaultdict[str, list[int]] = defaultdict(list)
    for token, span in units.items():
        text = article.text_of(*span)
        if article.entities[span.start] in PERSON_LABELS and "'" not in text:
            names[text].append(token)
    _combine_names(names)
    for token, span in units.items():
        lowered = article.text_of(*span).lower()
        if lowered in words.generic_persons:
            names[lowered].append(token)
    return dict(names)


def _gendered_pronouns(language: Grammar) -> tuple[frozenset[str], frozenset[str]]:
    return language.forms_of("feminine"), language.forms_of("masculine")


def pronoun_gender(pronouns: list[str], share: float, she: frozenset[str] = SHE, he: frozenset[str] = HE) -> str:
    """Find the gender of at least `share` of the gendered pronouns; an empty string if neither reaches it."""
    forms = [form_of(pronoun) for pronoun in pronouns]
    feminine = sum(form in she for form in forms)
    masculine = sum(form in he for form in forms)
    total = feminine + masculine
    if not total:
        return ""
    if feminine / total >= share:
        return "feminine"
    return "masculine" if masculine / total >= share else ""


def _combine_names(names: dict[str, list[int]]) -> None:
    """Merge each name into those that contain its letters."""
    merged = [name for name in names if _is_within_another(name, names)]
    for name in merged:
        for other in names:
            if name in other:
                # As in the code, a name contains itself, too, and doubles its own list.
                names[other].extend(names[name])
    for name in merged:
        del names[name]


def _is_within_another(name: str, names: Iterable[str]) -> bool:
    return any(name in other and name != other for other in names)


def _find_pronouns(
    article: Annotation, antecedents: list[int], units: dict[int, TokenSpan], names: dict[str, list[int]]
) -> dict[str, list[int]]:
    """List the pronouns that resolve to each name."""
    unit_of: dict[int, TokenSpan] = {}
    for span in units.values():
        unit_of.update(dict.fromkeys(range(*span), span))
    pronouns: dict[str, list[int]] = {name: [] for name in names}
    for token, span in units.items():
        antecedent = antecedents[token]
        if antecedent < 0 or article.parts_of_speech[article.root_of(*span)] != "PRON":
            continue
        name = article.text_of(*unit_of[antecedent])
        if name in pronouns:
            pronouns[name].append(token)
    return pronouns


def _measure_sentences(
    article: Annotation, spans: list[TokenSpan], row: ActorRow, actor: int, words: WordLists
) -> list[RuleFinding]:
    """Add the roles and quotes of the first mention in each sentence to the row of an actor."""
    findings = []
    for span in spans:
        sentence = article.sentence_of[span.start]
        if sentence in row.sentences:
            continue
        row.sentences.append(sentence)
        head = article.root_of(*span)
        last = span.end - 1
        if article.is_subject(head):
            row.subject_roles += 1
            findings.append(RuleFinding("role", last, actor, "subject"))
        elif article.dependencies[head] in article.scheme.accusative_object:
            row.object_roles += 1
            findings.append(RuleFinding("role", last, actor, "object"))
        quoted = _quoted(article, sentence, words)
        row.direct_quotes += quoted == "direct"
        row.indirect_quotes += quoted == "indirect"
        if quoted:
            findings.append(RuleFinding(f"{quoted} quote", sentence, actor))
    return findings


def _quoted(article: Annotation, sentence: int, words: WordLists) -> str:
    """Check whether a sentence is a direct or an indirect quote. Empty if it is none."""
    start, end = article.sentences[sentence]
    text = article.text_of(start, end)
    if sum(map(text.count, QUOTATION_MARKS)) >= 2:
        return "direct"
    verbs = [token for token in range(start, end) if article.parts_of_speech[token] == "VERB"]
    lemmas = {article.lemmas[verb] for verb in verbs}
    return "" if lemmas.isdisjoint(words.speech_verbs) else "indirect"


def resolve(article: AnnotatedArticle, actors: list[Actor], words: WordLists) -> dict[int, int]:
    """Resolve each pronoun to its actor's number, by token: by the library's chains if it ran, else by rules."""
    if not article.antecedents:
        return resolve_pronouns(article, actors, words)
    actor_of = actors_by_token(actor.mentions for actor in actors)
    pronouns = words.language.pronouns
    resolved = {}
    for token, antecedent in enumerate(article.antecedents):
        # A library also resolves nouns, sich and dabei, which are no mentions here.
        if antecedent in actor_of and form_of(article.tokens[token]) in pronouns:
            resolved[token] = actor_of[antecedent]
    return resolved


def antecedents_of(article: AnnotatedArticle, actors: list[Actor], resolved: dict[int, int]) -> list[int]:
    """Map each pronoun to a token or -1: the first token of its actor's longest mention, as a library would do."""
    if article.antecedents:
        return article.antecedents
    longest = [_longest_mention(actor) for actor in actors]
    antecedents = [-1] * len(article)
    for token, number in resolved.items():
        antecedents[token] = longest[number].start
    return antecedents


def _longest_mention(actor: Actor) -> ActorMention:
    return max(actor.mentions, key=lambda mention: mention.end - mention.start)


def find_corrected_actors(
    article: Annotation, actors: list[Actor], resolved: dict[int, int], words: WordLists, pronoun_share: float
) -> tuple[list[ActorRow], list[RuleFinding]]:
    """Find all actors of an article, including those of undetermined gender, and everything observed about them."""
    mentions = [list(actor.mentions) for actor in actors]
    for token, number in sorted(resolved.items()):
        mentions[number].append(ActorMention(token, token + 1, token, "pronoun"))
    findings: list[RuleFinding] = []
    rows: list[ActorRow] = []
    for number, actor in enumerate(actors):
        row = _corrected_row(article, actor, mentions[number], words, pronoun_share)
        for mention in mentions[number]:
            last = mention.end - 1
            findings.append(RuleFinding(mention.kind, last, number))
            role = _role(article, mention, words)
            row.subject_roles += role == "subject"
            row.object_roles += role == "object"
            if role:
                findings.append(RuleFinding("role", last, number, role))
        rows.append(row)
    actor_of = actors_by_token(mentions)
    direct = find_direct_quotes(article, actor_of, words)
    indirect = find_indirect_quotes(article, actor_of, words, direct)
    findings += _count_quotes(article, [*direct, *indirect], rows)
    return rows, findings


def _corrected_row(
    article: Annotation, actor: Actor, mentions: list[ActorMention], words: WordLists, pronoun_share: float
) -> ActorRow:
    """Describe an actor, with the number of mentions, but not yet roles and quotes."""
    pronouns = [article.tokens[mention.start].lower() for mention in mentions if mention.kind == "pronoun"]
    gender, source = _gender(actor, pronouns, pronoun_share, words.language)
    row = ActorRow(actor.name, actor.kind, gender, source)
    row.mentions = len(mentions)
    row.pronoun_mentions = len(pronouns)
    row.named_mentions = row.mentions - row.pronoun_mentions
    row.sentences = sorted({article.sentence_of[mention.start] for mention in mentions})
    return row


def _gender(actor: Actor, pronouns: list[str], share: float, language: Grammar) -> tuple[str, str]:
    """Find the gender of an actor, and the source of it."""
    # The paper's lists lack some pronouns that indicate a gender.
    she, he = _gendered_pronouns(language)
    by_pronouns = pronoun_gender(pronouns, share, she, he)
    if by_pronouns:
        return by_pronouns, "pronouns"
    if actor.title_gender:
        return actor.title_gender, "generic noun" if actor.kind == "generic" else "title"
    if actor.first_name_gender:
        return actor.first_name_gender, "first name"
    return UNDETERMINED, ""


def _role(article: Annotation, mention: ActorMention, words: WordLists) -> str:
    """Find the role of a mention: subject, object or an empty string."""
    if words.language.has_later_rules:
        role = _role_by_order(article, mention, words)
        if role is not None:
            return role
    head = role_head(article, mention)
    if article.is_subject(head):
        return "subject"
    objects = article.scheme.accusative_object | article.scheme.dative_object
    return "object" if article.dependencies[head] in objects else ""


def _role_by_order(article: Annotation, mention: ActorMention, words: WordLists) -> str | None:
    """Infer the role from word order, whatever the parser's label, or None if word order does not decide it."""
    start = mention.start
    if mention.kind == "pronoun" and is_clitic(article, start, words.language):
        return "object"
    follows_verb = article.tokens[start].startswith("-")  # "dit-elle"
    if follows_verb or is_inverted_subject(article, start, words):
        return "subject"
    if start > 0 and article.parts_of_speech[start - 1] == "ADP":
        return ""
    if _is_subject_of_missed_verb(article, mention):
        return "subject"
    if article.scheme is UNIVERSAL and _is_beside_noun(article, mention):
        head = article.heads[mention.head]
        return _role(article, ActorMention(head, head + 1, head, mention.kind), words)
    return None


def _is_subject_of_missed_verb(article: Annotation, mention: ActorMention) -> bool:
    """Check whether a name begins a sentence and everything else depends on it, so that the parser missed the verb."""
    head = mention.head
    is_root = article.heads[head] == head and article.parts_of_speech[head] == "PROPN"
    start, end = article.sentences[article.sentence_of[mention.start]]
    if not is_root or mention.start != start or end - mention.end <= 2:
        return False
    return article.tokens[mention.end] != ":"


def _is_beside_noun(article: Annotation, mention: ActorMention) -> bool:
    """Check whether a name is attached to the noun before it.

    In "son fils Daniel", the parser attaches the name to the noun as an owner, or takes the noun for an adjective.
    """
    head = article.heads[mention.head]
    if head != mention.start - 1 or article.dependencies[mention.head] not in ("nmod", "appos", "flat:name"):
        return False
    return article.parts_of_speech[head] in ("NOUN", "ADJ", "PROPN")


def _count_quotes(article: Annotation, quotes: list[Quote], rows: list[ActorRow]) -> list[RuleFinding]:
    """Add quotes to the rows of their speakers. A quote is found in each of its sentences."""
    findings = []
    for quote in quotes:
        row = rows[quote.speaker]
        row.direct_quotes += quote.is_direct
        row.indirect_quotes += not quote.is_direct
        kind = "direct quote" if quote.is_direct else "indirect quote"
        first = article.sentence_of[quote.start]
        last = article.sentence_of[quote.end - 1]
        findings += [RuleFinding(kind, sentence, quote.speaker) for sentence in range(first, last + 1)]
    return findings
