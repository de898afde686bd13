"""Find who is quoted: direct quotes by their marks and reporting clause, indirect speech by its verb (corrected).

A direct quote runs from an opening mark to its closing one, and may span several sentences. Its speaker is the subject
of a speech verb outside the marks, in the clause after the quote or before it ("…", sagte Berger; Berger sagte: "…").
It can also be a name after `so` or before a colon. A quote directly after that clause has the same speaker. The speaker
of a fragment is the subject of the speech verb that it depends on. Other words in marks (titles, scare quotes) have no
speaker.

Indirect speech is a speech verb (not of thinking) whose subject is an actor, with a dependent clause (dass, ob,
Konjunktiv) outside direct quotes. It also includes laut, zufolge and nach Angaben von with a name, and subsequent
sentences in the Konjunktiv.
"""

from dataclasses import dataclass

from textparity.persons.actors.annotations import Annotation
from textparity.persons.actors.languages import GERMAN, Language, form_of
from textparity.persons.actors.word_lists import WordLists

# Opening marks and their closing marks: German, French and Swiss, English, typewriter.
_PAIRS = {"„": '“”"', "»": "«", "«": "»", "“": "”", "”": "”", '"': '"', "›": "‹", "‚": "‘’"}
# This mark is also an apostrophe. It closes a quote if a comma or full stop precedes it.
_SINGLE = {"‘": "’"}
OPENING_MARKS = frozenset(_PAIRS)
_LONGEST_QUOTE_SENTENCES = 12
_SENTENCE_ENDS = frozenset(".!?")
_REPORTED = frozenset(
    {
        *("sei", "seien", "habe", "werde", "könne", "müsse", "solle", "wolle", "dürfe", "gebe", "gehe", "komme"),
        *("stehe", "liege", "bleibe", "wisse", "brauche", "halte", "sehe", "mache", "führe"),
    }
)
_CLAUSE_WORDS = 14
_NOUN_WORDS = 5


def find_marked_spans(article: Annotation, language: Language = GERMAN) -> list[tuple[int, int]]:
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


def _opens(article: Annotation, place: int, language: Language) -> bool:
    if article.tokens[place] in "„‚" or (language.has_spaced_marks and article.tokens[place] == "«"):
        return True
    return not article.spaces[place] and (
        place == 0 or article.spaces[place - 1] or article.tokens[place - 1] in ("(", ":", "–", "-", "/")
    )


def _closes(article: Annotation, place: int, language: Language) -> bool:
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
        if _reports(article, place, words):
            break
        place -= 1
    if not _reports(article, place, words):
        return False
    while place > 0 and (
        article.parts_of_speech[place - 1] == "AUX" or form_of(article.tokens[place - 1]) in words.language.clitics
    ):
        place -= 1
    before = article.tokens[place - 1] if place > 0 else ""
    ends = frozenset("".join(_PAIRS.values()))
    return before in ends or (before == "," and (article.tokens[place - 2] in ends or words.language.has_spaced_marks))


def _reports(article: Annotation, place: int, words: WordLists) -> bool:
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
        after = _clause_after(article, end, following)
        before = _clause_before(article, start, previous[0] if previous else 0)
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


def _clause_after(article: Annotation, end: int, limit: int) -> range:
    """List the tokens of the clause that continues after a quote, if there is one."""
    last = min(limit, end + _CLAUSE_WORDS, len(article))
    stop = next((place for place in range(end, last) if article.tokens[place] in _SENTENCE_ENDS), last)
    return range(end, stop)


def _clause_before(article: Annotation, start: int, limit: int) -> range:
    first = max(limit, start - 2 * _CLAUSE_WORDS, 0)
    begin = next(
        (place + 1 for place in range(start - 1, first - 1, -1) if article.tokens[place] in _SENTENCE_ENDS), first
    )
    return range(begin, start)


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
            _subject_actor(article, place, clause, actor_of, words)
            for place in places
            if (_reports if place == first else is_speech_verb)(article, place, words)
        )
        return next(speakers, None)
    if is_speech_verb(article, first, words):
        return _subject_actor(article, first, clause, actor_of, words)
    if article.tokens[first].lower() == words.language.so:
        return next((actor_of[place] for place in places[1:8] if place in actor_of), None)
    return None


def _speaker_before(article: Annotation, clause: range, actor_of: dict[int, int], words: WordLists) -> int | None:
    """Find the speaker named before a quote: `X sagte: `, `X: `."""
    if not clause or article.tokens[clause[-1]] not in (":", ","):
        return None
    colon = article.tokens[clause[-1]] == ":"
    for place in clause:
        if is_speech_verb(article, place, words):
            speaker = _subject_actor(article, place, clause, actor_of, words)
            if speaker is not None:
                return speaker
    if not colon:
        return None
    subjects = [
        actor_of[place]
        for place in clause
        if place in actor_of and article.dependencies[place] in article.scheme.subject
    ]
    mentioned = [actor_of[place] for place in clause if place in actor_of]
    return (subjects or mentioned)[-1] if subjects or mentioned else None


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
            return (
                _subject_actor(article, place, sentence, actor_of, words)
                if is_speech_verb(article, place, words)
                else None
            )
        if article.heads[place] == place:
            return None


def _continues(article: Annotation, end: int, start: int) -> bool:
    """Check whether only a reporting clause of one sentence lies between two quotes."""
    between = article.tokens[end:start]
    ends = sum(token in _SENTENCE_ENDS for token in between)
    return len(between) <= _CLAUSE_WORDS + 1 and ends <= 1 and (ends == 0 or between[-1] in _SENTENCE_ENDS)


def _subject_actor(
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


def find_indirect_quotes(
    article: Annotation, actor_of: dict[int, int], words: WordLists, direct: list[Quote]
) -> list[Quote]:
    """Find the sentences of indirect speech whose speaker is an actor, each sentence once per speaker."""
    inside = {place for start, end in find_marked_spans(article, words.language) for place in range(start, end)}
    last_direct = {article.sentence_of[quote.end - 1]: quote.speaker for quote in direct}
    quotes: list[Quote] = []
    speaking: int | None = None
    for number, (start, end) in enumerate(article.sentences):
        if not article.text_of(start, end).strip():
            continue
        speakers = _speakers_of(article, range(start, end), inside, actor_of, words)
        goes_on = words.language.has_reporting_mood and _is_reported(article, start, end, inside)
        if not speakers and speaking is not None and goes_on:
            speakers = [speaking]
        quoted = {quote.speaker for quote in direct if quote.start < end and start < quote.end}
        for speaker in dict.fromkeys(speakers):
            if speaker not in quoted:
                quotes.append(Quote(start, end, speaker, is_direct=False))
        speaking = speakers[-1] if speakers else last_direct.get(number)
    return quotes


def _speakers_of(
    article: Annotation, sentence: range, inside: set[int], actor_of: dict[int, int], words: WordLists
) -> list[int]:
    language = words.language
    speakers = []
    for place in sentence:
        if place in inside:
            continue
        lowered = article.tokens[place].lower()
        says = _says(article, place, words) and article.lemmas[place].lower() not in language.thinking
        if says and _has_clause(article, place, sentence, inside, language):
            speaker = _subject_actor(article, place, sentence, actor_of, words)
        elif _names_a_source(article, place, sentence, language):
            is_after = lowered in language.according_after
            reach = range(max(sentence.start, place - 4), place) if is_after else range(place + 1, place + 6)
            speaker = next((actor_of[near] for near in reach if near in actor_of and near in sentence), None)
        elif lowered == language.so and place > sentence.start and article.tokens[place - 1] == ",":
            # "…, so Berger": a name within five words, and no verb before it.
            near = [other for other in range(place + 1, min(place + 6, sentence.stop)) if other in actor_of]
            quoted = place - 2 in inside
            speaker = (
                actor_of[near[0]] if near and not quoted and not has_finite_verb(article, place, near[0]) else None
            )
        else:
            continue
        if speaker is not None:
            speakers.append(speaker)
    return speakers


def _says(article: Annotation, place: int, words: WordLists) -> bool:
    if is_speech_verb(article, place, words):
        return True
    following = form_of(article.tokens[place + 1]) if place + 1 < len(article) else ""
    return following in words.language.clause_words and _reports(article, place, words)


def _names_a_source(article: Annotation, place: int, sentence: range, language: Language) -> bool:
    """Check whether a word introduces a source: laut, zufolge, or a noun of saying as in "nach Angaben von"."""
    lowered = article.tokens[place].lower()
    if lowered in language.according_to:
        # après counts only in "d'après".
        return lowered != "après" or form_of(article.tokens[place - 1]) == "d'"
    before = [token.lower() for token in article.tokens[max(sentence.start, place - 3) : place]]
    return lowered in language.according_after or (
        lowered in language.according_nouns and language.according_preposition in before
    )


def _has_clause(article: Annotation, verb: int, sentence: range, inside: set[int], language: Language) -> bool:
    """Check whether a clause (dass, ob, a Konjunktiv) depends on a speech verb that is not itself reported."""
    outside = [place for place in sentence if place not in inside]
    if not language.has_reporting_mood:
        return _has_plain_clause(article, verb, outside, language)
    # In Universal Dependencies, the auxiliary depends on the participle. In TIGER's scheme, the participle depends on
    # the auxiliary.
    auxiliaries = [
        child for child in (*article.children[verb], article.heads[verb]) if article.parts_of_speech[child] == "AUX"
    ]
    if any(_is_subjunctive(article, place) for place in (verb, *auxiliaries)):
        return False
    if any(_is_subjunctive(article, place) for place in outside):
        return True
    children = [child for child in article.children[verb] if child not in inside]
    clauses = (child for child in children if article.dependencies[child] in article.scheme.complement_clause)
    if any(not _is_zu_infinitive(article, child) for child in clauses):
        return True
    return any(
        article.tokens[place].lower() in language.clause_words and article.tokens[place - 1] in (",", "und", "oder")
        for place in outside
        if place > verb
    )


def _has_plain_clause(article: Annotation, verb: int, outside: list[int], language: Language) -> bool:
    """Check, for languages without a reporting mood, whether a speech verb has a clause below or around it."""
    below = [child for child in article.children[verb] if child in outside]
    clauses = [child for child in below if article.dependencies[child] in article.scheme.complement_clause]
    if any(not _is_infinitive(article, child) for child in clauses):
        return True
    following = (place for place in outside if verb < place <= verb + _CLAUSE_WORDS)
    if any(
        form_of(article.tokens[place]) in language.clause_words
        and (article.parts_of_speech[place] == "SCONJ" or place == verb + 1)
        for place in following
    ):
        return True
    # In "…, a indiqué X." and ", he said,", the clause surrounds or precedes the verb.
    head = article.heads[verb]
    return head != verb and head in outside and _is_parenthesis(article, verb, outside)


def _is_parenthesis(article: Annotation, verb: int, outside: list[int]) -> bool:
    """Check whether only its auxiliaries and subject, without `and`, stand between a comma and a speech verb."""
    subjects = {child for child in article.children[verb] if article.dependencies[child] in article.scheme.subject}
    for place in range(verb - 1, outside[0], -1):
        if article.tokens[place] == ",":
            return True
        part = article.parts_of_speech[place]
        if part not in ("AUX", "PRON", "PROPN", "DET", "NOUN", "ADJ") and place not in subjects:
            return False
    return False


def _is_infinitive(article: Annotation, verb: int) -> bool:
    own = article.features[verb].get("VerbForm")
    below = {article.features[child].get("VerbForm") for child in article.children[verb]}
    return own == "Inf" and "Fin" not in below


def _is_zu_infinitive(article: Annotation, verb: int) -> bool:
    """Check whether an infinitive has no clause of its own: "versprach, mehr zu zahlen", but not "sei zu zahlen"."""
    below = article.children[verb]
    has_zu = article.tags[verb] == "VVIZU" or any(article.tags[child] == "PTKZU" for child in below)
    return has_zu and all(article.features[child].get("VerbForm") != "Fin" for child in below)


def _is_subjunctive(article: Annotation, place: int) -> bool:
    if article.parts_of_speech[place] not in ("VERB", "AUX"):
        return False
    features = article.features[place]
    if features.get("Mood") == "Sub" and features.get("Tense") != "Past":
        return True
    # These forms are not third-person indicatives, whatever the tagger's analysis.
    return article.tokens[place] in _REPORTED and features.get("Person") != "1"


def _is_reported(article: Annotation, start: int, end: int, inside: set[int]) -> bool:
    return any(place not in inside and _is_subjunctive(article, place) for place in range(start, end))
