"""Find actors by the rules of the paper's public code (corpus_balancing, code/analysis.py), errors included.

Urchs 2025, §2.3 and §3, do not mention the following behaviour of the code:

- names are single tokens, and merged if the letters of one contain the other ("Ei" in "Einstein"). A surname joins
  every full name that contains it, and counts twice if it precedes them in the text;
- a pronoun counts only if it resolves to a name with that spelling which was not merged into another. A generic person
  (kept in lower case) therefore never has one. Actors without a gendered pronoun are dropped;
- `ihn` and `ihm` are not among the pronouns that indicate a gender;
- in each sentence only the first mention's role counts, and only accusative objects;
- a sentence with two quotation marks is a direct quote of every actor in it; » and « are not quotation marks;
- the code merges names in the order of a Python set, which changes from run to run; we use the text's order.

The code is for German. In another language we apply the same rules with all of its pronouns that indicate a gender.
"""

from textparity.persons.actors.actors import ActorRow, Finding
from textparity.persons.actors.annotations import PERSON_LABELS, Annotation
from textparity.persons.actors.languages import PAPER_LANGUAGE, Language, form_of
from textparity.persons.actors.word_lists import WordLists

QUOTATION_MARKS = ('"', "„", "“", "”")
SHE = frozenset({"sie", "ihr", "ihre", "ihren", "ihrem", "ihres"})
HE = frozenset({"er", "sein", "seine", "seinen", "seinem", "seines"})


def find_published_actors(
    article: Annotation, antecedents: list[int], words: WordLists, pronoun_share: float
) -> tuple[list[ActorRow], list[Finding]]:
    """Find the actors that have a gender, in the order of the code, and everything observed about them.

    `antecedents` maps each pronoun to a token or -1. `pronoun_share` is the least share of an actor's gendered pronouns
    that decides the actor's gender.
    """
    she, he = _pronouns_of(words.language)
    units = article.merged
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
    findings: list[Finding] = []
    for name, nominations in names.items():
        gender = pronoun_gender([article.tokens[place] for place in pronouns[name]], pronoun_share, she, he)
        if not gender:
            continue
        kind = "generic" if name in words.generic_persons else "named"
        row = ActorRow(name, kind, gender, "pronouns")
        row.named_mentions, row.pronoun_mentions = len(nominations), len(pronouns[name])
        row.mentions = row.named_mentions + row.pronoun_mentions
        findings += [Finding(kind, units[place][1] - 1, len(actors)) for place in nominations]
        findings += [Finding("pronoun", place, len(actors)) for place in pronouns[name]]
        findings += _measure_sentences(article, units, [*nominations, *pronouns[name]], row, len(actors), words)
        actors.append(row)
    return actors, findings


def _pronouns_of(language: Language) -> tuple[frozenset[str], frozenset[str]]:
    """Return the paper's lists of she and he, or, in another language, all forms that indicate a gender."""
    if language.code == PAPER_LANGUAGE:
        return SHE, HE
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
) -> list[Finding]:
    findings = []
    for place in places:
        sentence = article.sentence_of[place]
        if sentence in row.sentences:
            continue
        row.sentences.append(sentence)
        dependency = article.dependencies[article.root_of(*units[place])]
        if dependency in article.scheme.subject:
            row.subject_roles += 1
            findings.append(Finding("role", units[place][1] - 1, actor, "subject"))
        elif dependency in article.scheme.accusative_object:
            row.object_roles += 1
            findings.append(Finding("role", units[place][1] - 1, actor, "object"))
        quoted = _quoted(article, sentence, words)
        row.direct_quotes += quoted == "direct"
        row.indirect_quotes += quoted == "indirect"
        if quoted:
            findings.append(Finding(f"{quoted} quote", sentence, actor))
    return findings


def _quoted(article: Annotation, sentence: int, words: WordLists) -> str:
    start, end = article.sentences[sentence]
    text = article.text_of(start, end)
    if sum(text.count(mark) for mark in QUOTATION_MARKS) >= 2:
        return "direct"
    verbs = {article.lemmas[place] for place in range(start, end) if article.parts_of_speech[place] == "VERB"}
    return "indirect" if verbs & words.speech_verbs else ""
