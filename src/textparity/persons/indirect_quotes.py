"""Find who is quoted indirectly: sentences that report what an actor says, without quotation marks."""

from collections.abc import Iterable
from dataclasses import dataclass

from textparity.persons.actor_languages import WordLists, form_of
from textparity.persons.annotations import Annotation
from textparity.persons.quotes import (
    CLAUSE_WORDS,
    Quote,
    find_marked_spans,
    find_subject_actor,
    has_finite_verb,
    is_speech_verb,
    reports_speech,
)


@dataclass(frozen=True)
class IndirectSpeech:
    """The words of a language that report speech without quotation marks, in lower case.

    `thinking` are verbs that attribute only direct quotes. `according_to` stands before a name, `according_after` after
    it. `according_nouns` follow `according_preposition`. `clause_words` introduce what was said.
    """

    thinking: frozenset[str]
    according_to: frozenset[str]
    clause_words: frozenset[str]
    according_after: frozenset[str] = frozenset()
    according_nouns: frozenset[str] = frozenset()
    according_preposition: str = ""
    # Indirect speech may use a mood of its own, without a verb of saying.
    has_reporting_mood: bool = False


INDIRECT_SPEECH = {
    "deu": IndirectSpeech(
        thinking=frozenset({"denken", "erwarten", "freuen", "glauben", "hoffen", "lachen", "vermuten", "überlegen"}),
        according_to=frozenset({"laut"}),
        clause_words=frozenset({"dass", "daß", "ob"}),
        according_after=frozenset({"zufolge"}),
        according_nouns=frozenset(
            {"angabe", "angaben", "ansicht", "aussage", "aussagen", "einschätzung", "meinung", "worten"}
        ),
        according_preposition="nach",
        has_reporting_mood=True,
    ),
    "eng": IndirectSpeech(
        thinking=frozenset({"believe", "expect", "hope", "laugh", "recall", "remember", "think", "wonder"}),
        according_to=frozenset({"according"}),
        clause_words=frozenset({"if", "that", "whether"}),
    ),
    "fra": IndirectSpeech(
        thinking=frozenset({"attendre", "croire", "espérer", "penser", "rappeler", "rire", "réjouir", "souvenir"}),
        according_to=frozenset({"après", "selon"}),
        clause_words=frozenset({"qu'", "que", "s'", "si"}),
    ),
}
# German forms that are not third-person indicatives, whatever the tagger's analysis.
_REPORTED = frozenset(
    {
        *("sei", "seien", "habe", "werde", "könne", "müsse", "solle", "wolle", "dürfe", "gebe", "gehe", "komme"),
        *("stehe", "liege", "bleibe", "wisse", "brauche", "halte", "sehe", "mache", "führe"),
    }
)
# What may stand between the comma before a reporting clause and its verb.
_IN_PARENTHESIS = frozenset({"AUX", "PRON", "PROPN", "DET", "NOUN", "ADJ"})


def find_indirect_quotes(
    article: Annotation, actor_of: dict[int, int], words: WordLists, direct: list[Quote]
) -> list[Quote]:
    """Find the sentences of indirect speech whose speaker is an actor, each sentence once per speaker.

    Indirect speech is a speech verb (not of thinking) whose subject is an actor, with a dependent clause (dass, ob,
    Konjunktiv) outside direct quotes. It also includes laut, zufolge and nach Angaben von with a name, and subsequent
    sentences in the Konjunktiv.
    """
    finder = _SpeakerFinder(article, actor_of, words)
    last_direct = {article.sentence_of[quote.end - 1]: quote.speaker for quote in direct}
    quotes: list[Quote] = []
    speaking: int | None = None
    for number, (start, end) in enumerate(article.sentences):
        if not article.text_of(start, end).strip():
            continue
        sentence = range(start, end)
        speakers = finder.speakers_of(sentence)
        if not speakers and speaking is not None and finder.goes_on(sentence):
            speakers = [speaking]
        quoted = {quote.speaker for quote in direct if quote.start < end and start < quote.end}
        for speaker in dict.fromkeys(speakers):
            if speaker not in quoted:
                quotes.append(Quote(start, end, speaker, is_direct=False))
        speaking = speakers[-1] if speakers else last_direct.get(number)
    return quotes


class _SpeakerFinder:
    """Find the speakers of indirect speech in the sentences of an article."""

    def __init__(self, article: Annotation, actor_of: dict[int, int], words: WordLists) -> None:
        self._article = article
        self._actor_of = actor_of
        self._words = words
        self._speech = INDIRECT_SPEECH[words.language.code]
        # The tokens of direct quotes.
        self._inside: set[int] = set()
        for start, end in find_marked_spans(article, words.language):
            self._inside.update(range(start, end))

    def goes_on(self, sentence: range) -> bool:
        """Check whether a sentence continues the speech before it, by its mood (Konjunktiv)."""
        if not self._speech.has_reporting_mood:
            return False
        return any(is_subjunctive(self._article, token) for token in self._outside(sentence))

    def speakers_of(self, sentence: range) -> list[int]:
        """List the speakers of a sentence, in the order of the words that report."""
        speakers = []
        for token in self._outside(sentence):
            speaker = self._speaker_at(token, sentence)
            if speaker is not None:
                speakers.append(speaker)
        return speakers

    def _outside(self, sentence: range) -> list[int]:
        return [token for token in sentence if token not in self._inside]

    def _speaker_at(self, token: int, sentence: range) -> int | None:
        """Find the speaker whom a verb of saying, a word such as laut, or `so` names. None for other words."""
        article = self._article
        says = self._says(token) and article.lemmas[token].lower() not in self._speech.thinking
        if says and self._has_clause(token, sentence):
            return find_subject_actor(article, token, sentence, self._actor_of, self._words)
        if _names_a_source(article, token, sentence, self._speech):
            return self._source(token, sentence)
        lowered = article.tokens[token].lower()
        follows_comma = token > sentence.start and article.tokens[token - 1] == ","
        if lowered == self._words.language.so and follows_comma:
            return self._speaker_after_so(token, sentence)
        return None

    def _says(self, token: int) -> bool:
        article = self._article
        if is_speech_verb(article, token, self._words):
            return True
        following = form_of(article.tokens[token + 1]) if token + 1 < len(article) else ""
        return following in self._speech.clause_words and reports_speech(article, token, self._words)

    def _source(self, token: int, sentence: range) -> int | None:
        """Find the actor after laut, or before zufolge."""
        is_after_name = self._article.tokens[token].lower() in self._speech.according_after
        if is_after_name:
            reach = range(max(sentence.start, token - 4), token)
        else:
            reach = range(token + 1, min(token + 6, sentence.stop))
        near = self._actors_in(reach)
        return self._actor_of[near[0]] if near else None

    def _speaker_after_so(self, token: int, sentence: range) -> int | None:
        """Find the speaker in "…, so Berger": a name within five words, and no verb before it."""
        near = self._actors_in(range(token + 1, min(token + 6, sentence.stop)))
        if not near or token - 2 in self._inside or has_finite_verb(self._article, token, near[0]):
            return None
        return self._actor_of[near[0]]

    def _actors_in(self, tokens: range) -> list[int]:
        return [token for token in tokens if token in self._actor_of]

    def _has_clause(self, verb: int, sentence: range) -> bool:
        """Check whether a clause (dass, ob, a Konjunktiv) depends on a speech verb that is not itself reported."""
        outside = self._outside(sentence)
        if not self._speech.has_reporting_mood:
            return _has_plain_clause(self._article, verb, outside, self._speech)
        article = self._article
        # In Universal Dependencies, the auxiliary depends on the participle. In TIGER's scheme, the participle depends
        # on the auxiliary.
        beside = (*article.children[verb], article.heads[verb])
        auxiliaries = [token for token in beside if article.parts_of_speech[token] == "AUX"]
        if any(is_subjunctive(article, token) for token in (verb, *auxiliaries)):
            return False
        if any(is_subjunctive(article, token) for token in outside):
            return True
        children = [child for child in article.children[verb] if child not in self._inside]
        if any(not _is_infinitive(article, child, has_zu=True) for child in _clauses_among(article, children)):
            return True
        return any(token > verb and self._begins_clause(token) for token in outside)

    def _begins_clause(self, token: int) -> bool:
        tokens = self._article.tokens
        is_clause_word = tokens[token].lower() in self._speech.clause_words
        return is_clause_word and tokens[token - 1] in (",", "und", "oder")


def _names_a_source(article: Annotation, token: int, sentence: range, speech: IndirectSpeech) -> bool:
    """Check whether a word introduces a source: laut, zufolge, or a noun of saying as in "nach Angaben von"."""
    lowered = article.tokens[token].lower()
    if lowered in speech.according_to:
        # après counts only in "d'après".
        return lowered != "après" or form_of(article.tokens[token - 1]) == "d'"
    if lowered in speech.according_after:
        return True
    before = article.tokens[max(sentence.start, token - 3) : token]
    follows_preposition = speech.according_preposition in [word.lower() for word in before]
    return lowered in speech.according_nouns and follows_preposition


def _clauses_among(article: Annotation, children: Iterable[int]) -> list[int]:
    return [child for child in children if article.dependencies[child] in article.scheme.complement_clause]


def _has_plain_clause(article: Annotation, verb: int, outside: list[int], speech: IndirectSpeech) -> bool:
    """Check, for languages without a reporting mood, whether a speech verb has a clause below or around it."""
    below = [child for child in article.children[verb] if child in outside]
    if any(not _is_infinitive(article, child, has_zu=False) for child in _clauses_among(article, below)):
        return True
    for token in outside:
        is_near = verb < token <= verb + CLAUSE_WORDS
        if not is_near or form_of(article.tokens[token]) not in speech.clause_words:
            continue
        if article.parts_of_speech[token] == "SCONJ" or token == verb + 1:
            return True
    # In "…, a indiqué X." and ", he said,", the clause surrounds or precedes the verb.
    head = article.heads[verb]
    return head != verb and head in outside and _is_parenthesis(article, verb, outside)


def _is_parenthesis(article: Annotation, verb: int, outside: list[int]) -> bool:
    """Check whether only its auxiliaries and subject, without `and`, stand between a comma and a speech verb."""
    subjects = {child for child in article.children[verb] if article.dependencies[child] in article.scheme.subject}
    for token in range(verb - 1, outside[0], -1):
        if article.tokens[token] == ",":
            return True
        if article.parts_of_speech[token] not in _IN_PARENTHESIS and token not in subjects:
            return False
    return False


def _is_infinitive(article: Annotation, verb: int, has_zu: bool) -> bool:
    """Check whether a verb is an infinitive without a finite verb: "versprach, zu zahlen", but not "sei zu zahlen"."""
    below = article.children[verb]
    if has_zu:
        is_infinitive = article.tags[verb] == "VVIZU" or any(article.tags[child] == "PTKZU" for child in below)
    else:
        is_infinitive = article.features[verb].get("VerbForm") == "Inf"
    return is_infinitive and all(article.features[child].get("VerbForm") != "Fin" for child in below)


def is_subjunctive(article: Annotation, token: int) -> bool:
    if article.parts_of_speech[token] not in ("VERB", "AUX"):
        return False
    features = article.features[token]
    if features.get("Mood") == "Sub" and features.get("Tense") != "Past":
        return True
    return article.tokens[token] in _REPORTED and features.get("Person") != "1"
