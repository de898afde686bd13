"""Find who is quoted directly, by quotation marks and the clause that reports the quote.

A direct quote runs from an opening mark to its closing one, and may span several sentences. Its speaker is the subject
of a speech verb outside the marks, in the clause after the quote or before it ("…", sagte Berger; Berger sagte: "…").
It can also be a name after `so` or before a colon. A quote directly after that clause has the same speaker. The speaker
of a fragment is the subject of the speech verb that it depends on. Other words in marks (titles, scare quotes) have no
speaker.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from textparity.persons.actor_languages import GERMAN, Grammar, WordLists, form_of
from textparity.persons.annotations import Annotation

# Opening marks and their closing marks: German, French and Swiss, English, typewriter.
_PAIRS = {"„": '“”"', "»": "«", "«": "»", "“": "”", "”": "”", '"': '"', "›": "‹", "‚": "‘’"}
# This mark is also an apostrophe. It closes a quote if a comma or full stop precedes it.
_SINGLE = {"‘": "’"}
OPENING_MARKS = frozenset(_PAIRS)
CLOSING_MARKS = frozenset("".join(_PAIRS.values()))
_LONGEST_QUOTE_SENTENCES = 12
SENTENCE_ENDS = frozenset(".!?")
# What may stand directly before a mark that opens a quote, and before a single mark that closes one.
_BEFORE_OPENING = frozenset("(:–-/")
_BEFORE_SINGLE_MARK = SENTENCE_ENDS | {","}
_NOUN_PHRASE = frozenset({"DET", "ADJ", "NOUN", "PROPN"})
CLAUSE_WORDS = 14
_NOUN_WORDS = 5
# How many words after a verb its subject may be, without a parse of it.
_SUBJECT_WORDS = 6


def find_marked_spans(article: Annotation, language: Grammar = GERMAN) -> list[tuple[int, int]]:
    """Find the spans between quotation marks, including the marks. Spans are not nested."""
    pairs = _PAIRS | _SINGLE if language.has_single_marks else _PAIRS
    spans: list[tuple[int, int]] = []
    opened: int | None = None
    for position, token in enumerate(article.tokens):
        if opened is not None and _is_too_long(article, opened, position):
            opened = None
        if opened is None:
            if token in pairs and _opens(article, position, language):
                opened = position
            continue
        opening = article.tokens[opened]
        may_close = token in pairs[opening] and position > opened + 1
        if may_close and _closes(article, position, language):
            spans.append((opened, position + 1))
            opened = None
        elif token == opening and _opens(article, position, language):
            # The first mark was never closed.
            opened = position
    return spans


def _is_too_long(article: Annotation, start: int, end: int) -> bool:
    return article.sentence_of[end] - article.sentence_of[start] > _LONGEST_QUOTE_SENTENCES


def _opens(article: Annotation, position: int, language: Grammar) -> bool:
    mark = article.tokens[position]
    always_opens = "„‚«" if language.has_spaced_marks else "„‚"
    if mark in always_opens:
        return True
    if article.spaces[position]:
        return False
    before = position - 1
    if position == 0 or article.spaces[before]:
        return True
    return article.tokens[before] in _BEFORE_OPENING


def _closes(article: Annotation, position: int, language: Grammar) -> bool:
    mark = article.tokens[position]
    before = position - 1
    if language.has_single_marks and mark in _SINGLE.values():
        return article.tokens[before] in _BEFORE_SINGLE_MARK
    has_space_before = article.spaces[before]
    return not has_space_before or (language.has_spaced_marks and mark == "»")


def has_finite_verb(article: Annotation, start: int, end: int) -> bool:
    """Check whether there is a finite verb among tokens `start` to `end`."""
    for position in range(start, end):
        if article.is_verb(position) and article.features[position].get("VerbForm") == "Fin":
            return True
    return False


def is_inverted_subject(article: Annotation, start: int, words: WordLists) -> bool:
    """Check whether only a noun phrase stands between a token and a reporting speech verb: », a dit la juge X."""
    verb = start - 1
    first = max(0, start - _NOUN_WORDS)
    while verb > first and article.parts_of_speech[verb] in _NOUN_PHRASE:
        if reports_speech(article, verb, words):
            break
        verb -= 1
    if not reports_speech(article, verb, words):
        return False
    before = verb - 1
    while before >= 0 and _is_before_verb(article, before, words.language):
        before -= 1
    if before < 0:
        return False
    if article.tokens[before] != ",":
        return article.tokens[before] in CLOSING_MARKS
    return words.language.has_spaced_marks or article.tokens[before - 1] in CLOSING_MARKS


def _is_before_verb(article: Annotation, position: int, language: Grammar) -> bool:
    """Check whether a token is an auxiliary or a clitic."""
    return article.parts_of_speech[position] == "AUX" or form_of(article.tokens[position]) in language.clitics


def reports_speech(article: Annotation, position: int, words: WordLists) -> bool:
    """Check whether a token is a speech verb, or a first-conjugation form of one that the tagger missed."""
    if is_speech_verb(article, position, words):
        return True
    if not words.language.has_spaced_marks:
        return False
    token = article.tokens[position].lower()
    infinitives = {token + "r", token.removesuffix("é") + "er"}
    return not infinitives.isdisjoint(words.all_speech_verbs)


def is_speech_verb(article: Annotation, position: int, words: WordLists) -> bool:
    """Check whether a token is a speech verb, together with its separated prefix: kündigte … an."""
    if not article.is_verb(position):
        return False
    verbs = words.all_speech_verbs
    lemma = article.lemmas[position].lower()
    has_prefix = False
    for child in article.children[position]:
        if article.dependencies[child] in article.scheme.separable_prefix:
            has_prefix = True
            prefix = article.lemmas[child].lower()
            # The prefix comes first in "an" + "kündigen" and second in "point" + "out".
            if prefix + lemma in verbs or f"{lemma} {prefix}" in verbs:
                return True
    return not has_prefix and lemma in verbs


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
    next_starts = [start for start, _ in spans[1:]]
    next_starts.append(len(article))
    quotes: list[Quote] = []
    end_before = 0
    speaker_before: int | None = None
    for (start, end), next_start in zip(spans, next_starts, strict=False):
        after = _clause_after(article, end, next_start)
        speaker = _speaker_after(article, end, after, actor_of, words)
        if speaker is None:
            before = _clause_before(article, start, end_before)
            speaker = _speaker_before(article, before, actor_of, words)
        if speaker is None and _continues(article, end_before, start):
            speaker = speaker_before if has_finite_verb(article, start, end) else None
        if speaker is None:
            speaker = _speaker_around(article, start, end, actor_of, words)
        if speaker is not None:
            quotes.append(Quote(start, end, speaker, is_direct=True))
        end_before, speaker_before = end, speaker
    return quotes


def _clause_before(article: Annotation, quote: int, first: int) -> range:
    """List the tokens of the clause before a quote, which begins at a token and follows the `first` one."""
    reach = quote - 2 * CLAUSE_WORDS
    start = max(first, reach)
    for position in range(quote - 1, start - 1, -1):
        if article.tokens[position] in SENTENCE_ENDS:
            return range(position + 1, quote)
    return range(start, quote)


def _clause_after(article: Annotation, end: int, last: int) -> range:
    """List the tokens of the clause after a quote, before a `last` token that does not belong to it."""
    last = min(last, end + CLAUSE_WORDS)
    for position in range(end, last):
        if article.tokens[position] in SENTENCE_ENDS:
            return range(end, position)
    return range(end, last)


def _speaker_after(
    article: Annotation, end: int, clause: range, actor_of: dict[int, int], words: WordLists
) -> int | None:
    """Find the speaker named directly after a quote, which has an `end`: `, sagte X` or `, so X`."""
    positions = [position for position in clause if article.tokens[position] not in (",", "–", "-")]
    if not positions:
        return None
    first = positions[0]
    word = article.tokens[first]
    ends_with_stop = article.tokens[end - 2] == "."
    if ends_with_stop and article.is_capitalised(first):
        return None
    if not words.language.is_verb_second:
        return _subject_of_first_verb(article, positions, clause, actor_of, words)
    if is_speech_verb(article, first, words):
        return find_subject_actor(article, first, clause, actor_of, words)
    if word.lower() == words.language.so:
        return _first_actor(positions[1:8], actor_of)
    return None


def _subject_of_first_verb(
    article: Annotation, positions: list[int], clause: range, actor_of: dict[int, int], words: WordLists
) -> int | None:
    """Find the subject of the first speech verb among the tokens after a quote."""
    first, *others = positions
    if reports_speech(article, first, words):
        return find_subject_actor(article, first, clause, actor_of, words)
    for position in others:
        if is_speech_verb(article, position, words):
            return find_subject_actor(article, position, clause, actor_of, words)
    return None


def _first_actor(positions: Iterable[int], actor_of: dict[int, int]) -> int | None:
    for position in positions:
        if position in actor_of:
            return actor_of[position]
    return None


def _speaker_before(article: Annotation, clause: range, actor_of: dict[int, int], words: WordLists) -> int | None:
    """Find the speaker named before a quote: `X sagte: `, `X: `."""
    last_token = article.tokens[clause[-1]] if clause else ""
    if last_token not in (":", ","):
        return None
    for position in clause:
        if is_speech_verb(article, position, words):
            speaker = find_subject_actor(article, position, clause, actor_of, words)
            if speaker is not None:
                return speaker
    mentioned = [position for position in clause if position in actor_of]
    if last_token != ":" or not mentioned:
        return None
    subjects = list(filter(article.is_subject, mentioned))
    *_, last_named = subjects or mentioned
    return actor_of[last_named]


def _speaker_around(
    article: Annotation, start: int, end: int, actor_of: dict[int, int], words: WordLists
) -> int | None:
    """Find the speaker of a fragment: the subject of the speech verb it depends on (nannte es „absurd“)."""
    sentence = range(*article.sentences[article.sentence_of[start]])
    position = article.root_of(start + 1, end - 1)
    while True:
        position = article.heads[position]
        if start <= position < end or position not in sentence:
            return None
        if article.is_verb(position):
            break
        if article.heads[position] == position:
            return None
    if not is_speech_verb(article, position, words):
        return None
    return find_subject_actor(article, position, sentence, actor_of, words)


def _continues(article: Annotation, end: int, start: int) -> bool:
    """Check whether only a reporting clause of one sentence lies between two quotes."""
    between = article.tokens[end:start]
    if len(between) > CLAUSE_WORDS + 1:
        return False
    # No sentence ends between them, unless it is the last token.
    return SENTENCE_ENDS.isdisjoint(between[:-1])


def find_subject_actor(
    article: Annotation, verb: int, clause: range, actor_of: dict[int, int], words: WordLists
) -> int | None:
    """Find the actor that is the subject of a speech verb within a clause, or stands in the subject's position."""
    subject = _subject_in(article, verb, clause)
    if subject is not None:
        # The name may depend on the noun beside it: die Ministerin Anna Berger.
        return _first_actor([subject, *_beside(article, subject)], actor_of)
    # If the parser missed the subject, it is the first person after an inverted verb, or else the last one before it.
    following = verb + 1
    end = min(following + _SUBJECT_WORDS, clause.stop)
    after = _first_actor(range(following, end), actor_of)
    before = _first_actor(reversed(range(clause.start, verb)), actor_of)
    if words.language.has_later_rules and not is_inverted_subject(article, following, words):
        return before if before is not None else after
    return after if after is not None else before


def _subject_in(article: Annotation, verb: int, clause: range) -> int | None:
    """Find the subject of a verb, or of the word above it, within a clause."""
    for holder in (verb, article.heads[verb]):
        for child in article.children[holder]:
            if child in clause and article.is_subject(child):
                return child
    return None


def _beside(article: Annotation, position: int) -> list[int]:
    """List the tokens below a token that refer to the same person."""
    beside, waiting = [], [position]
    while waiting:
        for child in article.children[waiting.pop()]:
            if article.dependencies[child] in article.scheme.same_referent:
                beside.append(child)
                waiting.append(child)
    return beside
