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

from textparity.persons.actor_languages import Grammar, WordLists, form_of
from textparity.persons.actor_pronouns import is_clitic, resolve_pronouns
from textparity.persons.actors import Actor, ActorMention, actors_by_token, role_head
from textparity.persons.annotations import PERSON_LABELS, UNIVERSAL, Annotation
from textparity.persons.quotes import Quote, find_direct_quotes, is_inverted_subject
from textparity_studies.measures.passages import UNDETERMINED
from textparity_studies.newsroom.annotations import ActorRow, AnnotatedArticle, RuleFinding
from textparity_studies.newsroom.indirect_quotes import find_indirect_quotes
from textparity_studies.newsroom.languages import PAPER_LANGUAGE

QUOTATION_MARKS = ('"', "„", "“", "”")
SHE = frozenset({"sie", "ihr", "ihre", "ihren", "ihrem", "ihres"})
HE = frozenset({"er", "sein", "seine", "seinen", "seinem", "seines"})


def merge_entities(article: Annotation) -> dict[int, tuple[int, int]]:
    """Map the tokens left if each entity is merged into its first token to their start and end (exclusive)."""
    ends = dict(article.entity_spans())
    found, place = {}, 0
    while place < len(article):
        found[place] = (place, ends.get(place, place + 1))
        place = found[place][1]
    return found


def find_published_actors(
    article: Annotation, antecedents: list[int], words: WordLists, pronoun_share: float
) -> tuple[list[ActorRow], list[RuleFinding]]:
    """Find the actors that have a gender, in the order of the code, and everything observed about them.

    `antecedents` maps each pronoun to a token or -1. `pronoun_share` is the least share of an actor's gendered pronouns
    that decides the actor's gender.
    """
    she, he = (SHE, HE) if words.language.code == PAPER_LANGUAGE else _gendered_pronouns(words.language)
    units = merge_entities(article)
    names: dict[str, list[int]] = {}
    for place, (start, end) in units.items():
        if article.entities[start] in PERSON_LABELS and "'" not in (text := article.text_of(start, end)):
            names.setdefault(text, []).append(place)
    _combine_names(names)
    for place, (start, end) in units.items():
        lowered = article.text_of(start, end).lower()
        if lowered in words.generic_persons:
            names.setdefault(lowered, []).append(place)
    pronouns = _find_pronouns(article, antecedents, units, names)
    actors: list[ActorRow] = []
    findings: list[RuleFinding] = []
    for name, nominations in names.items():
        gender = pronoun_gender([article.tokens[place] for place in pronouns[name]], pronoun_share, she, he)
        if not gender:
            continue
        kind = "generic" if name in words.generic_persons else "named"
        row = ActorRow(name, kind, gender, "pronouns")
        row.named_mentions, row.pronoun_mentions = len(nominations), len(pronouns[name])
        row.mentions = row.named_mentions + row.pronoun_mentions
        findings += [RuleFinding(kind, units[place][1] - 1, len(actors)) for place in nominations]
        findings += [RuleFinding("pronoun", place, len(actors)) for place in pronouns[name]]
        findings += _measure_sentences(article, units, [*nominations, *pronouns[name]], row, len(actors), words)
        actors.append(row)
    return actors, findings


def _gendered_pronouns(language: Grammar) -> tuple[frozenset[str], frozenset[str]]:
    return language.forms_of("feminine"), language.forms_of("masculine")


def pronoun_gender(pronouns: list[str], share: float, she: frozenset[str] = SHE, he: frozenset[str] = HE) -> str:
    """Find the gender of at least `share` of the gendered pronouns; an empty string if neither reaches it."""
    forms = [form_of(pronoun) for pronoun in pronouns]
    feminine, masculine = sum(form in she for form in forms), sum(form in he for form in forms)
    if not feminine + masculine:
        return ""
    if feminine / (feminine + masculine) >= share:
        return "feminine"
    return "masculine" if masculine / (feminine + masculine) >= share else ""


def _combine_names(names: dict[str, list[int]]) -> None:
    merged = [name for name in names if any(name in other for other in names if other != name)]
    for name in merged:
        for other in names:
            if name in other:
                # As in the code, a name contains itself, too, and doubles its own list.
                names[other].extend(names[name])
    for name in merged:
        del names[name]


def _find_pronouns(
    article: Annotation, antecedents: list[int], units: dict[int, tuple[int, int]], names: dict[str, list[int]]
) -> dict[str, list[int]]:
    unit_of = {token: span for span in units.values() for token in range(*span)}
    found: dict[str, list[int]] = {name: [] for name in names}
    for place, (start, end) in units.items():
        if antecedents[place] < 0 or article.parts_of_speech[article.root_of(start, end)] != "PRON":
            continue
        name = article.text_of(*unit_of[antecedents[place]])
        if name in found:
            found[name].append(place)
    return found


def _measure_sentences(
    article: Annotation,
    units: dict[int, tuple[int, int]],
    places: list[int],
    row: ActorRow,
    actor: int,
    words: WordLists,
) -> list[RuleFinding]:
    findings = []
    for place in places:
        sentence = article.sentence_of[place]
        if sentence in row.sentences:
            continue
        row.sentences.append(sentence)
        dependency = article.dependencies[article.root_of(*units[place])]
        if dependency in article.scheme.subject:
            row.subject_roles += 1
            findings.append(RuleFinding("role", units[place][1] - 1, actor, "subject"))
        elif dependency in article.scheme.accusative_object:
            row.object_roles += 1
            findings.append(RuleFinding("role", units[place][1] - 1, actor, "object"))
        quoted = _quoted(article, sentence, words)
        row.direct_quotes += quoted == "direct"
        row.indirect_quotes += quoted == "indirect"
        if quoted:
            findings.append(RuleFinding(f"{quoted} quote", sentence, actor))
    return findings


def _quoted(article: Annotation, sentence: int, words: WordLists) -> str:
    start, end = article.sentences[sentence]
    text = article.text_of(start, end)
    if sum(text.count(mark) for mark in QUOTATION_MARKS) >= 2:
        return "direct"
    verbs = {article.lemmas[place] for place in range(start, end) if article.parts_of_speech[place] == "VERB"}
    return "indirect" if verbs & words.speech_verbs else ""


def resolve(article: AnnotatedArticle, actors: list[Actor], words: WordLists) -> dict[int, int]:
    """Resolve each pronoun to its actor's number, by token: by the library's chains if it ran, else by rules."""
    if not article.antecedents:
        return resolve_pronouns(article, actors, words)
    at = actors_by_token(actor.mentions for actor in actors)
    # A library also resolves nouns, sich and dabei, which are no mentions here.
    return {
        place: at[antecedent]
        for place, antecedent in enumerate(article.antecedents)
        if antecedent in at and form_of(article.tokens[place]) in words.language.pronouns
    }


def antecedents_of(article: AnnotatedArticle, actors: list[Actor], resolved: dict[int, int]) -> list[int]:
    """Map each pronoun to a token or -1: the first token of its actor's longest mention, as a library would do."""
    if article.antecedents:
        return article.antecedents
    longest = [max(actor.mentions, key=lambda mention: mention.end - mention.start).start for actor in actors]
    return [longest[resolved[place]] if place in resolved else -1 for place in range(len(article))]


def find_corrected_actors(
    article: Annotation, actors: list[Actor], resolved: dict[int, int], words: WordLists, pronoun_share: float
) -> tuple[list[ActorRow], list[RuleFinding]]:
    """Find all actors of an article, including those of undetermined gender, and everything observed about them."""
    findings: list[RuleFinding] = []
    rows: list[ActorRow] = []
    mentions = [list(actor.mentions) for actor in actors]
    for place, number in sorted(resolved.items()):
        mentions[number].append(ActorMention(place, place + 1, place, "pronoun"))
    for number, actor in enumerate(actors):
        pronouns = [article.tokens[mention.start].lower() for mention in mentions[number] if mention.kind == "pronoun"]
        gender, source = _gender(actor, pronouns, pronoun_share, words.language)
        row = ActorRow(actor.name, actor.kind, gender, source)
        for mention in mentions[number]:
            findings.append(RuleFinding(mention.kind, mention.end - 1, number))
            role = _role(article, mention, words)
            row.subject_roles += role == "subject"
            row.object_roles += role == "object"
            if role:
                findings.append(RuleFinding("role", mention.end - 1, number, role))
        row.mentions = len(mentions[number])
        row.pronoun_mentions = len(pronouns)
        row.named_mentions = row.mentions - row.pronoun_mentions
        row.sentences = sorted({article.sentence_of[mention.start] for mention in mentions[number]})
        rows.append(row)
    actor_of = actors_by_token(mentions)
    direct = find_direct_quotes(article, actor_of, words)
    indirect = find_indirect_quotes(article, actor_of, words, direct)
    findings += _count_quotes(article, [*direct, *indirect], rows)
    return rows, findings


def _gender(actor: Actor, pronouns: list[str], share: float, language: Grammar) -> tuple[str, str]:
    # The paper's lists lack some pronouns that indicate a gender.
    by_pronouns = pronoun_gender(pronouns, share, *_gendered_pronouns(language))
    if by_pronouns:
        return by_pronouns, "pronouns"
    if actor.title_gender:
        return actor.title_gender, "generic noun" if actor.kind == "generic" else "title"
    if actor.first_name_gender:
        return actor.first_name_gender, "first name"
    return UNDETERMINED, ""


def _role(article: Annotation, mention: ActorMention, words: WordLists) -> str:
    scheme = article.scheme
    if words.language.has_later_rules and (seen := _plain_role(article, mention, words)) is not None:
        return seen
    dependency = article.dependencies[role_head(article, mention)]
    if dependency in scheme.subject:
        return "subject"
    return "object" if dependency in scheme.accusative_object | scheme.dative_object else ""


def _plain_role(article: Annotation, mention: ActorMention, words: WordLists) -> str | None:
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
        return _role(article, ActorMention(head, head + 1, head, mention.kind), words)
    return None


def _count_quotes(article: Annotation, quotes: list[Quote], rows: list[ActorRow]) -> list[RuleFinding]:
    findings = []
    for quote in quotes:
        row = rows[quote.speaker]
        row.direct_quotes += quote.is_direct
        row.indirect_quotes += not quote.is_direct
        kind = "direct quote" if quote.is_direct else "indirect quote"
        sentences = range(article.sentence_of[quote.start], article.sentence_of[quote.end - 1] + 1)
        findings += [RuleFinding(kind, sentence, quote.speaker) for sentence in sentences]
    return findings
