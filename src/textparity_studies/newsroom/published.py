"""Actors by the rules of the paper's public code (corpus_balancing, code/analysis.py), slips included.

Urchs 2025, §2.3 and §3. What the code does and the paper does not say:

- names are single tokens, merged if one is part of another's letters ("Ei" in "Einstein"); a surname goes to every full
  name with it, and counts twice if it stands before them in the text;
- a pronoun counts only if it resolves to a name as it is spelt there and that was not merged into another: a generic
  person (kept in lower case) never has one, and actors without a gendered pronoun are dropped;
- `ihn` and `ihm` are not among the pronouns that tell the gender;
- of each sentence only the first mention's role counts, and only accusative objects;
- a sentence with two quotation marks is a direct quote of every actor in it; » and « are not quotation marks;
- the code's order of merging names is that of a Python set, which changes from run to run; here it is the text's.

The code is for German. In another language its rules are the same, with all pronouns of it that tell a gender.
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
    """Return the actors that have a gender, in the order of the code, and each thing seen.

    `antecedents` has the token each pronoun stands for, or -1. `pronoun_share` is the least share of an actor's
    gendered pronouns that gives it their gender.
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
    """Return the paper's lists, or, in another language, all forms that tell a gender."""
    if language.code == PAPER_LANGUAGE:
        return SHE, HE
    return language.forms_of("feminine"), language.forms_of("masculine")


def pronoun_gender(pronouns: list[str], share: float, she: frozenset[str] = SHE, he: frozenset[str] = HE) -> str:
    """Return the gender of at least `share` of the pronouns that have one, or an empty string."""
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
                # As in the code, a name is within itself, too, and doubles its own list.
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
