"""Find who is quoted directly, by quotation marks and the clause that reports the quote.

A direct quote runs from an opening mark to its closing one, and may span several sentences. Its speaker is the subject
of a speech verb outside the marks, in the clause after the quote or before it ("…", sagte Berger; Berger sagte: "…").
It can also be a name after `so` or before a colon. A quote directly after that clause has the same speaker. The speaker
of a fragment is the subject of the speech verb that it depends on. Other words in marks (titles, scare quotes) have no
speaker.
"""

from dataclasses import dataclass

from textparity.persons.actor_languages import GERMAN, Grammar, WordLists, form_of
from textparity.persons.annotations import Annotation

# Opening marks and their closing marks: German, French and Swiss, English, typewriter.
_PAIRS = {"„": '“”"', "»": "«", "«": "»", "“": "”", "”": "”", '"': '"', "›": "‹", "‚": "‘’"}
# This mark is also an apostrophe. It closes a quote if a comma or full stop precedes it.
_SINGLE = {"‘": "’"}
OPENING_MARKS = frozenset(_PAIRS)
_LONGEST_QUOTE_SENTENCES = 12
_SENTENCE_ENDS = frozenset(".!?")
CLAUSE_WORDS = 14
_NOUN_WORDS = 5


def find_marked_spans(article: Annotation, language: Grammar = GERMAN) -> list[tuple[int, int]]:
    """Find the spans between quotation marks, including the marks. Spans are not nested."""
    pairs = _PAIRS | _SINGLE if language.has_single_marks else _PAIRS
    spans: list[tuple[int, int]] = []
    opened: int | None = None
    for place, token in enumerate(article.tokens):
        if opened is not None and article.sentence_of[place] - article.sentence_of[opened] > _LONGEST_QUOTE_SENTENCES:
            opened = None
        if opened is None:
            if token in pairs and _opens(article, place, language):
                opened = place
        elif token in pairs[article.tokens[opened]] and place > opened + 1 and _closes(article, place, language):
            spans.append((opened, place + 1))
            opened = None
        elif token == article.tokens[opened] and _opens(article, place, language):
            # The first mark was never closed.
            opened = place
    return spans


def _opens(article: Annotation, place: int, language: Grammar) -> bool:
    if article.tokens[place] in "„‚" or (language.has_spaced_marks and article.tokens[place] == "«"):
        return True
    return not article.spaces[place] and (
        place == 0 or article.spaces[place - 1] or article.tokens[place - 1] in ("(", ":", "–", "-", "/")
    )


def _closes(article: Annotation, place: int, language: Grammar) -> bool:
    if article.tokens[place] in _SINGLE.values() and language.has_single_marks:
        return article.tokens[place - 1] in _SENTENCE_ENDS | {","}
    return not article.spaces[place - 1] or (language.has_spaced_marks and article.tokens[place] == "»")


def has_finite_verb(article: Annotation, start: int, end: int) -> bool:
    """Check whether there is a finite verb among tokens `start` to `end`."""
    return any(
        article.parts_of_speech[place] in ("VERB", "AUX") and article.features[place].get("VerbForm") == "Fin"
        for place in range(start, end)
    )


def is_inverted_subject(article: Annotation, start: int, words: WordLists) -> bool:
    """Check whether only a noun phrase stands between a token and a reporting speech verb: », a dit la juge X."""
    place = start - 1
    while place > max(0, start - _NOUN_WORDS) and article.parts_of_speech[place] in ("DET", "ADJ", "NOUN", "PROPN"):
        if reports_speech(article, place, words):
            break
        place -= 1
    if not reports_speech(article, place, words):
        return False
    while place > 0 and (
        article.parts_of_speech[place - 1] == "AUX" or form_of(article.tokens[place - 1]) in words.language.clitics
    ):
        place -= 1
    before = article.tokens[place - 1] if place > 0 else ""
    ends = frozenset("".join(_PAIRS.values()))
    return before in ends or (before == "," and (article.tokens[place - 2] in ends or words.language.has_spaced_marks))


def reports_speech(article: Annotation, place: int, words: WordLists) -> bool:
    """Check whether a token is a speech verb, or a first-conjugation form of one that the tagger missed."""
    if is_speech_verb(article, place, words):
        return True
    token = article.tokens[place].lower()
    verbs = words.all_speech_verbs
    return words.language.has_spaced_marks and (token + "r" in verbs or token.removesuffix("é") + "er" in verbs)


def is_speech_verb(article: Annotation, place: int, words: WordLists) -> bool:
    """Check whether a token is a speech verb, together with its separated prefix: kündigte … an."""
    if article.parts_of_speech[place] not in ("VERB", "AUX"):
        return False
    lemma = article.lemmas[place].lower()
    prefixes = [
        article.lemmas[child].lower()
        for child in article.children[place]
        if article.dependencies[child] in article.scheme.separable_prefix
    ]
    verbs = words.all_speech_verbs
    # The prefix comes first in "an" + "kündigen" and second in "point" + "out".
    phrases = (form for prefix in prefixes for form in (prefix + lemma, f"{lemma} {prefix}"))
    return any(form in verbs for form in phrases) if prefixes else lemma in verbs


@dataclass(frozen=True)
class Quote:
    """Tokens `start` to `end` (exclusive) spoken by actor number `speaker`, including the marks of a direct quote."""

    start: int
    end: int
    speaker: int
    is_direct: bool


def find_direct_quotes(article: Annotation, actor_of: dict[int, int], words: WordLists) -> list[Quote]:
    """Find the direct quotes whose speaker is an actor. `actor_of` has the actor of each mention's tokens."""
    spans = find_marked_spans(article, words.language)
    quotes: list[Quote] = []
    previous: tuple[int, int] | None = None
    for number, (start, end) in enumerate(spans):
        following = spans[number + 1][0] if number + 1 < len(spans) else len(article)
        before, after = _clauses_beside(article, start, end, range(previous[0] if previous else 0, following))
        speaker = _speaker_after(article, (start, end), after, actor_of, words)
        if speaker is None:
            speaker = _speaker_before(article, before, actor_of, words)
        if speaker is None and previous is not None and previous[1] >= 0 and _continues(article, previous[0], start):
            speaker = previous[1] if has_finite_verb(article, start, end) else None
        if speaker is None:
            speaker = _speaker_around(article, start, end, actor_of, words)
        if speaker is not None:
            quotes.append(Quote(start, end, speaker, is_direct=True))
        previous = (end, speaker if speaker is not None else -1)
    return quotes


def _clauses_beside(article: Annotation, start: int, end: int, bounds: range) -> tuple[range, range]:
    """List the tokens of the clauses before and after a quote, which lie between the other quotes."""
    first, last = max(bounds.start, start - 2 * CLAUSE_WORDS), min(bounds.stop, end + CLAUSE_WORDS)
    ends = [place for place in range(first, last) if article.tokens[place] in _SENTENCE_ENDS]
    begin = max((place + 1 for place in ends if place < start), default=first)
    stop = min((place for place in ends if place >= end), default=last)
    return range(begin, start), range(end, stop)


def _speaker_after(
    article: Annotation, quote: tuple[int, int], clause: range, actor_of: dict[int, int], words: WordLists
) -> int | None:
    """Find the speaker named directly after a quote: `, sagte X` or `, so X`."""
    places = [place for place in clause if article.tokens[place] not in (",", "–", "-")]
    if not places or (article.tokens[quote[1] - 2] == "." and article.tokens[places[0]][:1].isupper()):
        return None
    first = places[0]
    if not words.language.is_verb_second:
        speakers = (
            find_subject_actor(article, place, clause, actor_of, words)
            for place in places
            if (reports_speech if place == first else is_speech_verb)(article, place, words)
        )
        return next(speakers, None)
    if is_speech_verb(article, first, words):
        return find_subject_actor(article, first, clause, actor_of, words)
    if article.tokens[first].lower() == words.language.so:
        return next((actor_of[place] for place in places[1:8] if place in actor_of), None)
    return None


def _speaker_before(article: Annotation, clause: range, actor_of: dict[int, int], words: WordLists) -> int | None:
    """Find the speaker named before a quote: `X sagte: `, `X: `."""
    if not clause or article.tokens[clause[-1]] not in (":", ","):
        return None
    for place in clause:
        if is_speech_verb(article, place, words):
            speaker = find_subject_actor(article, place, clause, actor_of, words)
            if speaker is not None:
                return speaker
    if article.tokens[clause[-1]] != ":":
        return None
    mentioned = [place for place in clause if place in actor_of]
    subjects = [place for place in mentioned if article.dependencies[place] in article.scheme.subject]
    return actor_of[(subjects or mentioned)[-1]] if mentioned else None


def _speaker_around(
    article: Annotation, start: int, end: int, actor_of: dict[int, int], words: WordLists
) -> int | None:
    """Find the speaker of a fragment: the subject of the speech verb it depends on (nannte es „absurd“)."""
    sentence = range(*article.sentences[article.sentence_of[start]])
    place = article.root_of(start + 1, end - 1)
    while True:
        place = article.heads[place]
        if start <= place < end or place not in sentence:
            return None
        if article.parts_of_speech[place] in ("VERB", "AUX"):
            says = is_speech_verb(article, place, words)
            return find_subject_actor(article, place, sentence, actor_of, words) if says else None
        if article.heads[place] == place:
            return None


def _continues(article: Annotation, end: int, start: int) -> bool:
    """Check whether only a reporting clause of one sentence lies between two quotes."""
    between = article.tokens[end:start]
    ends = sum(token in _SENTENCE_ENDS for token in between)
    return len(between) <= CLAUSE_WORDS + 1 and ends <= 1 and (ends == 0 or between[-1] in _SENTENCE_ENDS)


def find_subject_actor(
    article: Annotation, verb: int, clause: range, actor_of: dict[int, int], words: WordLists
) -> int | None:
    """Find the actor that is the subject of a speech verb within a clause, or stands in the subject's position."""
    for holder in (verb, article.heads[verb]):
        for child in article.children[holder]:
            if article.dependencies[child] in article.scheme.subject and child in clause:
                # The name may depend on the noun beside it: die Ministerin Anna Berger.
                for place in (child, *_beside(article, child)):
                    if place in actor_of:
                        return actor_of[place]
                return None
    # If the parser missed the subject, it is the first person after an inverted verb, or else the last one before it.
    after = next((actor_of[place] for place in range(verb + 1, min(verb + 7, clause.stop)) if place in actor_of), None)
    before = next((actor_of[place] for place in range(verb - 1, clause.start - 1, -1) if place in actor_of), None)
    if words.language.has_later_rules and not is_inverted_subject(article, verb + 1, words):
        return before if before is not None else after
    return after if after is not None else before


def _beside(article: Annotation, place: int) -> list[int]:
    found, waiting = [], [place]
    while waiting:
        for child in article.children[waiting.pop()]:
            if article.dependencies[child] in article.scheme.same_referent:
                found.append(child)
                waiting.append(child)
    return found
