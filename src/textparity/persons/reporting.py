"""Find the clauses that report what somebody said, wrote or posted, and what they report.

A report is a verb of saying with a clause that depends on it (*she said that prices rose*), a verb of saying beside a
clause (*prices rose, she said*), or a source (*according to her*, *selon elle*, *so Berger*). A verb that reports only
words in quotation marks is a report without content.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from textparity.persons.actor_languages import WordLists, form_of
from textparity.persons.annotations import TIGER, UNIVERSAL, Annotation
from textparity.persons.indirect_quotes import INDIRECT_SPEECH, is_subjunctive
from textparity.persons.quotes import is_speech_verb, reports_speech

_TABLE = Path(__file__).parents[1] / "resources" / "persons" / "reporting.toml"
# How far a source may be from the word that introduces it.
_SOURCE_WORDS = 6
# How far a word such as *that* may be from the verb of saying before it.
_CLAUSE_WORD_REACH = 25
# How far an auxiliary may be before its participle.
_AUXILIARY_REACH = 4
# How far *nach* or a possessive may be before a noun of saying.
_BEFORE_NOUN = 3
# How many verbs above a verb without a subject are searched for one.
_VERBS_ABOVE = 3
# Relations to a verb whose subject is also that of the verb below it.
_SHARES_SUBJECT = {
    "clear": frozenset({"advcl", "conj", "xcomp", "acl"}),
    "ud": frozenset({"advcl", "conj", "xcomp", "acl"}),
    "tiger": frozenset({"cj", "cd", "oc", "mo", "re"}),
}
# The unreal mood is also that of reported speech, where the form of the other is that of the indicative.
_UNREAL = frozenset({"würde", "würden", "wäre", "wären", "hätte", "hätten", "könnte", "könnten", "müsste", "müssten"})
_AGENTS = frozenset({"agent", "obl:agent", "sbp"})
# It stands between an inverted verb and a pronoun: explique-t-il.
_LINKING_T = "-t"
# With these, que introduces no clause of what is said: depuis que.
_BEFORE_OTHER_QUE = frozenset({"depuis", "alors", "lors", "parce", "afin", "bien", "avant", "après", "plus", "ne"})
_CLAUSE_BEGINS = frozenset({"DET", "PRON", "NOUN", "PROPN", "ADJ", "NUM"})
# Subjects that are nobody.
_NOBODY = frozenset({"das", "dies", "es", "it", "this", "that", "which", "cela", "ça", "ceci"})
_FRENCH_PARTICIPLES = ("é", "ée", "és", "ées")
_CLITICS = frozenset({"l'", "s'", "m'", "nous"})
_RELATIVE_SOURCES = frozenset({"lequel", "laquelle", "lesquels", "lesquelles"})
_RELATIVE_CLAUSES = frozenset({"relcl", "acl:relcl", "rc"})
_BEFORE_COMPARISON = frozenset({",", ":", ";", "–"})
_BEFORE_PARENTHESIS = frozenset({",", "–", "—", "-", "(", "”", "“", '"', "»", "«", "’", "'"})
# Words that refer to the writer or reader.
_FIRST_OR_SECOND = frozenset({"1", "2"})


@dataclass(frozen=True)
class ReportingWords:
    """The words of a language that report speech, in lower case; see `resources/persons/reporting.toml`."""

    verbs: frozenset[str]
    direct_verbs: frozenset[str]
    according_to: frozenset[str]
    clause_words: frozenset[str]
    negations: frozenset[str]
    unsaid: frozenset[str]
    relative_pronouns: frozenset[str]
    # Verbs with an object to whom something is said, and those that ask somebody to do something.
    addressing: frozenset[str] = frozenset()
    requests: frozenset[str] = frozenset()
    # Verbs before a clause that needs no word such as *that*.
    without_that: frozenset[str] = frozenset()
    according_after: frozenset[str] = frozenset()
    according_nouns: frozenset[str] = frozenset()


@cache
def load_reporting_words(lang: str) -> ReportingWords:
    """Load the words of a language by its code."""
    table = tomllib.loads(_TABLE.read_text("utf-8"))[lang]
    words = {name: frozenset(values) for name, values in table.items()}
    return ReportingWords(**words)


@dataclass(frozen=True)
class SpeechReport:
    """A `cue` (the verb of saying, or the word that introduces a source), and tokens that belong to the report.

    `source` is the token of the one who says it, or None. `frame` are the tokens of the reporting clause, and `content`
    those of what is reported: none, if only words in quotation marks can be. With `is_source`, no verb reports it.
    """

    cue: int
    source: int | None
    frame: frozenset[int]
    content: frozenset[int]
    is_source: bool = False


def may_report(article: Annotation, token: int) -> bool:
    """Check for a verb in a mood that German uses for reported speech: *sei*, *habe*, *würden*, *wäre*."""
    return is_subjunctive(article, token) or article.tokens[token].lower() in _UNREAL


def _is_hyphenated(form: str) -> bool:
    """Check for a pronoun that is joined to the verb before it: -il, -t."""
    return len(form) > 1 and form.startswith("-")


class ReportFinder:
    """Find reports in a text outside quotation marks, whose tokens are `inside`."""

    def __init__(self, article: Annotation, words: WordLists, inside: set[int]) -> None:
        self._article, self._inside = article, inside
        reporting = load_reporting_words(words.language.code)
        thinking = INDIRECT_SPEECH[words.language.code].thinking
        self._reporting = replace(reporting, direct_verbs=reporting.direct_verbs | thinking)
        self._so = words.language.so
        verbs = words.quotation_verbs | self._reporting.verbs | self._reporting.direct_verbs
        self._words = replace(words, quotation_verbs=verbs)
        self._is_tiger = article.scheme is TIGER
        self._is_verb_second = words.language.is_verb_second
        # Beside a clause, the verb of saying comes before its subject: sagte sie, dit-elle.
        self._is_inverting = words.language.is_verb_second or words.language.has_spaced_marks

    def find(self) -> list[SpeechReport]:
        """List the reports in the order of their cues."""
        reports = []
        for start, end in self._article.sentences:
            sentence = range(start, end)
            for token in sentence:
                if token in self._inside:
                    continue
                report = self._report_at(token, sentence)
                if report is not None:
                    reports.append(report)
        return reports

    def _report_at(self, token: int, sentence: range) -> SpeechReport | None:
        if self._says(token):
            return self._report_of_verb(token, sentence)
        source = self._source_at(token, sentence)
        if source is None:
            return None
        return self._report_of_source(token, source, sentence)

    def _says(self, token: int) -> bool:
        """Check for a verb of saying, or a form of one that the tagger missed where such a verb stands."""
        article = self._article
        if is_speech_verb(article, token, self._words):
            return True
        following = form_of(article.tokens[token + 1]) if token + 1 < len(article) else ""
        if self._is_verb_second:
            # It says nothing of who says it: heißt es.
            return following == "es" and article.lemmas[token].lower() == "heißen"
        if not self._is_inverting or token == 0:
            return False
        before = token - 1
        while before > 0 and (article.parts_of_speech[before] == "AUX" or form_of(article.tokens[before]) in _CLITICS):
            before -= 1
        is_in_place = following in self._reporting.clause_words or article.tokens[before] in _BEFORE_PARENTHESIS
        if not is_in_place:
            return False
        past = article.tokens[token].lower().removesuffix("a") + "er"
        return past in self._words.all_speech_verbs or reports_speech(article, token, self._words)

    # Verbs.

    def _report_of_verb(self, verb: int, sentence: range) -> SpeechReport | None:
        top = self._finite_verb(verb)
        if self._is_unsaid(verb, top):
            return None
        source = self._speaker_of(verb, top)
        frame = self._comparison(verb, sentence)
        content = frozenset(sentence) - frame if frame else self._content_below(verb, top, sentence)
        if content and not frame and self._is_beside_clause(verb, top, content, sentence):
            content = frozenset()
        if content and not frame:
            frame = (self._subtree(top) & set(sentence)) - content
        if not content:
            frame = self._parenthesis(verb, top, source, sentence)
            if frame and (source is not None or self._is_inverting):
                content = self._around(frame, sentence)
        if not content:
            content = self._after_colon_or_comma(verb, source, sentence)
        if self._is_inverting and (not content or min(content) < verb):
            source = self._inverted_source(source, verb, top, content, sentence)
        if self._article.lemmas[verb].lower() in self._reporting.direct_verbs:
            content = frozenset()
        if not frame:
            frame = self._near(verb, top)
        return SpeechReport(verb, source, frame, content - frame)

    def _is_beside_clause(self, verb: int, top: int, content: frozenset[int], sentence: range) -> bool:
        """Check for an inverted verb after a clause, with an infinitive after it: *…, sagte er, ohne zu*."""
        if not self._is_verb_second or min(content) < verb or self._has_finite_verb(content):
            return False
        before = self._first_of_verb(verb, top, sentence) - 1
        return before > sentence.start and self._article.tokens[before] == ","

    def _inverted_source(
        self, source: int | None, verb: int, top: int, content: frozenset[int], sentence: range
    ) -> int | None:
        """Find the speaker after a verb of saying which follows what it reports, if the parser missed it."""
        is_missed = source is None or source in content or source in self._inside
        if not is_missed or self._is_passive(verb, top):
            return source
        return self._noun_after_verb(verb, top, sentence)

    def _noun_after_verb(self, verb: int, top: int, sentence: range) -> int | None:
        """Find the first noun or pronoun after an inverted finite verb: *a-t-elle dit*, *a dit X*."""
        first = self._first_of_verb(verb, top, sentence)
        return self._first_noun(range(first + 1, min(first + _SOURCE_WORDS + 1, sentence.stop)))

    def _first_of_verb(self, verb: int, top: int, sentence: range) -> int:
        """Find the first token of an inverted verb, with its auxiliaries, and the pronouns beside them."""
        first = min(verb, top)
        while first > sentence.start and self._is_before_verb(first - 1):
            first -= 1
        return first

    def _comparison(self, verb: int, sentence: range) -> frozenset[int]:
        """Find the tokens of a reporting clause that begins with *wie*: *wie Berger sagte*."""
        article = self._article
        if not self._is_verb_second:
            return frozenset()
        for token in range(verb - 1, sentence.start - 1, -1):
            if article.tokens[token] == ",":
                break
            if article.tokens[token].lower() == "wie":
                is_first = token <= sentence.start + 1 or article.tokens[token - 1] in _BEFORE_COMPARISON
                return frozenset(range(token, verb + 1)) if is_first else frozenset()
        return frozenset()

    def _content_below(self, verb: int, top: int, sentence: range) -> frozenset[int]:
        """Find the tokens of the clauses that depend on a verb, or else those after a word such as *that*."""
        article = self._article
        clauses = self._clauses_of(verb, top, sentence)
        if clauses:
            content = self._tokens_of(clauses) & set(sentence)
            return content | self._missed_subject(verb, clauses[0], content)
        following = verb + 1
        may_begin = following < sentence.stop and article.parts_of_speech[following] in _CLAUSE_BEGINS
        if article.lemmas[verb].lower() in self._reporting.without_that and may_begin:
            rest = frozenset(range(following, sentence.stop))
            if self._has_finite_verb(rest) and following not in self._inside:
                return rest
        last = min(verb + _CLAUSE_WORD_REACH, sentence.stop)
        is_direct_object = article.scheme is UNIVERSAL
        for token in range(verb + 1, last):
            verb_form = article.features[token].get("VerbForm")
            if token in self._inside or (verb_form == "Fin" and token != top):
                break
            if is_direct_object and verb_form == "Inf":
                return frozenset(range(token, sentence.stop))
            is_clause_word = form_of(article.tokens[token]) in self._reporting.clause_words
            if is_clause_word and form_of(article.tokens[token - 1]) not in _BEFORE_OTHER_QUE:
                return frozenset(range(token, sentence.stop))
            is_direct_object &= article.parts_of_speech[token] in ("ADV", "PART", "AUX")
        return frozenset()

    def _after_colon_or_comma(self, verb: int, source: int | None, sentence: range) -> frozenset[int]:
        """Find what follows a colon after a verb of saying, or in German a comma before a clause in the subjunctive."""
        article = self._article
        for token in range(verb + 1, sentence.stop):
            if token in self._inside:
                break
            if article.tokens[token] == ":":
                return self._after_colon(verb, source, token, sentence)
            if article.tokens[token] == "," and self._is_verb_second:
                following = frozenset(range(token + 1, sentence.stop))
                return following if any(may_report(article, other) for other in following) else frozenset()
        return frozenset()

    def _after_colon(self, verb: int, source: int | None, colon: int, sentence: range) -> frozenset[int]:
        """Find what somebody says after a colon without quotation marks, in the same sentence or the next."""
        article = self._article
        is_somebody = source is not None and article.tokens[source].lower() not in _NOBODY
        following = frozenset(range(colon + 1, sentence.stop))
        has_marks = not self._inside.isdisjoint(following)
        if not is_somebody or has_marks or article.features[verb].get("VerbForm") == "Inf":
            return frozenset()
        return following or self._next_sentence(sentence)

    def _next_sentence(self, sentence: range) -> frozenset[int]:
        """List the tokens of the next sentence, if it has no quotation marks."""
        article = self._article
        if sentence.stop >= len(article):
            return frozenset()
        start, end = article.sentences[article.sentence_of[sentence.stop]]
        tokens = frozenset(range(start, end))
        return tokens if self._inside.isdisjoint(tokens) else frozenset()

    def _finite_verb(self, verb: int) -> int:
        """Find the auxiliary above a participle, in TIGER's scheme."""
        article = self._article
        while self._is_tiger and article.dependencies[verb] == "oc" and article.is_verb(article.heads[verb]):
            head = article.heads[verb]
            if article.parts_of_speech[head] != "AUX":
                break
            verb = head
        return verb

    def _is_unsaid(self, verb: int, top: int) -> bool:
        """Check for a verb that is negated, or below a verb such as *want* or *could*."""
        article, words = self._article, self._reporting
        if self._is_adjective(verb):
            return True
        for child in (*article.children[verb], *article.children[top]):
            form = article.tokens[child].lower()
            is_negation = form in words.negations and abs(child - verb) <= _SOURCE_WORDS
            is_perhaps = form in words.unsaid or article.lemmas[child].lower() in words.unsaid
            # Theresa May is no auxiliary.
            is_auxiliary = article.parts_of_speech[child] == "AUX" and article.tokens[child].islower()
            is_modal = is_auxiliary and is_perhaps
            if is_negation or is_modal:
                return True
        head = article.heads[verb]
        is_infinitive = article.features[verb].get("VerbForm") == "Inf"
        return is_infinitive and (article.lemmas[head].lower() in words.unsaid or head == verb)

    def _is_adjective(self, verb: int) -> bool:
        """Check for a French participle without an auxiliary: *le juge, accusé de*."""
        article = self._article
        if not self._is_inverting or self._is_verb_second:
            return False
        is_participle = article.features[verb].get("VerbForm") == "Part"
        has_ending = article.tokens[verb].endswith(_FRENCH_PARTICIPLES)
        # A second participle has the auxiliary of the first.
        is_second = article.dependencies[verb] == "conj"
        if is_second or not (is_participle and has_ending):
            return False
        first = max(0, verb - _AUXILIARY_REACH)
        nearest = [*article.children[verb], *range(first, verb)]
        auxiliaries = [token for token in nearest if article.parts_of_speech[token] == "AUX"]
        return not auxiliaries

    def _clauses_of(self, verb: int, top: int, sentence: range) -> list[int]:
        """List the heads of the clauses that a verb reports."""
        article = self._article
        clauses = []
        for child in dict.fromkeys((*article.children[verb], *article.children[top])):
            is_clause = article.dependencies[child] in article.scheme.complement_clause
            is_request = self._is_reported_infinitive(child)
            is_request |= self._is_request(verb, child) and article.dependencies[child] in ("ccomp", "xcomp", "advcl")
            if child == verb or child not in sentence or not (is_clause or is_request):
                continue
            if is_request or self._is_finite(child) or not self._inside.isdisjoint(self._subtree(child)):
                clauses.append(child)
        return clauses

    def _missed_subject(self, verb: int, clause: int, content: frozenset[int]) -> frozenset[int]:
        """Find the words between a verb and a clause without a subject, which the parser put elsewhere."""
        article = self._article
        first = min(content, default=verb)
        has_subject = any(article.is_subject(child) for child in article.children[clause])
        if has_subject or first < verb or article.lemmas[verb].lower() in self._reporting.addressing:
            return frozenset()
        return frozenset(range(verb + 1, first))

    def _is_reported_infinitive(self, clause: int) -> bool:
        """Check for an infinitive that reports: *elle dit être sûre*."""
        article = self._article
        if article.scheme is not UNIVERSAL or article.dependencies[clause] not in ("xcomp", "ccomp"):
            return False
        is_infinitive = article.features[clause].get("VerbForm") == "Inf"
        for token in article.children[clause]:
            # *De* or *à* before an infinitive: what somebody is asked or accused to do.
            if token < clause and article.parts_of_speech[token] == "ADP":
                return False
            if article.features[token].get("VerbForm") == "Inf":
                is_infinitive = True
        return is_infinitive

    def _is_request(self, verb: int, clause: int) -> bool:
        """Check for what somebody is asked to do: *warned them to stay away*."""
        article = self._article
        if article.lemmas[verb].lower() not in self._reporting.requests:
            return False
        return article.features[clause].get("VerbForm") == "Inf" and clause > verb

    def _is_finite(self, verb: int) -> bool:
        """Check whether a clause has a finite verb."""
        article = self._article
        nearest = (verb, *article.children[verb])
        for token in nearest:
            is_its_verb = token == verb or article.parts_of_speech[token] == "AUX"
            if is_its_verb and article.features[token].get("VerbForm") == "Fin":
                return True
        return False

    def _tokens_of(self, clauses: Iterable[int]) -> frozenset[int]:
        tokens: set[int] = set()
        for clause in clauses:
            tokens |= self._subtree(clause)
        return frozenset(tokens)

    def _parenthesis(self, verb: int, top: int, source: int | None, sentence: range) -> frozenset[int]:
        """Find the tokens of a reporting clause beside the clause that it reports: *prices rose, she said*."""
        article = self._article
        first = min(verb, top)
        if self._is_inverting:
            first = self._first_of_verb(verb, top, sentence)
            if source is not None and sentence.start <= source < first and source not in self._inside:
                return frozenset()
        elif source is not None and sentence.start <= source < first:
            first = min(self._subtree(source) & set(sentence), default=first)
        before = first - 1
        if before <= sentence.start or article.tokens[before] not in _BEFORE_PARENTHESIS:
            return frozenset()
        end = max(verb, top) + 1
        while end < sentence.stop and article.tokens[end] not in (",", ".", ";", ":", "–", "—", ")"):
            if article.tokens[end] == "-" and article.spaces[end]:
                break
            end += 1
        return frozenset(range(first, end))

    def _is_before_verb(self, token: int) -> bool:
        """Check for an auxiliary or a pronoun that stands before an inverted verb: *a dit X*."""
        article = self._article
        form = article.tokens[token]
        return article.parts_of_speech[token] == "AUX" or form_of(form) in _CLITICS or _is_hyphenated(form)

    def _around(self, frame: frozenset[int], sentence: range) -> frozenset[int]:
        """Find the tokens of the clause around a reporting clause. None, if the clause has no verb."""
        frame_start = min(frame)
        frame_end = max(frame) + 1
        before = frozenset(range(sentence.start, frame_start))
        after = frozenset(range(frame_end, sentence.stop))
        if self._has_finite_verb(after):
            return before | after
        # What follows the reporting clause may be an apposition to the speaker.
        if self._has_verb(before):
            return before
        if self._has_verb(after):
            return before | after
        return frozenset()

    def _has_verb(self, tokens: frozenset[int]) -> bool:
        return any(self._article.is_verb(token) for token in tokens)

    def _has_finite_verb(self, tokens: frozenset[int]) -> bool:
        article = self._article
        return any(article.features[token].get("VerbForm") == "Fin" for token in tokens)

    def _near(self, verb: int, top: int) -> frozenset[int]:
        """Find the tokens of a reporting clause that reports no clause in this sentence."""
        first, last = sorted((verb, top))
        return frozenset(range(first, last + 1))

    # Who says it.

    def _speaker_of(self, verb: int, top: int) -> int | None:
        """Find the token of the speaker: the subject of an active verb, or the agent of a passive one."""
        article = self._article
        if self._is_passive(verb, top):
            return self._agent_of(verb)
        for _ in range(_VERBS_ABOVE):
            subject = self._subject_of(verb, top)
            if subject is not None:
                return self._antecedent(subject, verb, top)
            head = article.heads[top]
            shares_subject = article.dependencies[top] in _SHARES_SUBJECT[article.scheme.name]
            if head == top or not shares_subject or not (article.is_verb(head) or article.is_noun(head)):
                break
            if article.is_noun(head):
                return head
            verb = head
            top = self._finite_verb(head)
        return None

    def _is_passive(self, verb: int, top: int) -> bool:
        article = self._article
        if self._is_tiger:
            return top != verb and article.lemmas[top].lower() == "werden" and article.tags[verb] == "VVPP"
        roles = {article.dependencies[child] for child in article.children[verb]}
        return not roles.isdisjoint(("nsubjpass", "nsubj:pass", "auxpass", "aux:pass"))

    def _agent_of(self, verb: int) -> int | None:
        article = self._article
        for child in article.children[verb]:
            if article.dependencies[child] in _AGENTS:
                below = [token for token in article.children[child] if article.is_noun(token)]
                return below[0] if below and article.parts_of_speech[child] == "ADP" else child
        return None

    def _subject_of(self, verb: int, top: int) -> int | None:
        """Find the first subject of a verb in its sentence, outside quotation marks."""
        article = self._article
        subjects = []
        for child in (*article.children[verb], *article.children[top]):
            is_subject = article.is_subject(child) and article.tokens[child] != _LINKING_T
            is_outside = child not in self._inside and article.sentence_of[child] == article.sentence_of[verb]
            if is_subject and is_outside:
                subjects.append(child)
        return subjects[0] if subjects else None

    def _antecedent(self, subject: int, verb: int, top: int) -> int:
        """Find the noun that a relative pronoun stands for; any other subject stands for itself."""
        article = self._article
        is_relative = form_of(article.tokens[subject]) in self._reporting.relative_pronouns
        if not is_relative or article.parts_of_speech[subject] != "PRON":
            return subject
        for holder in (verb, top):
            head = article.heads[holder]
            if article.dependencies[holder] in _RELATIVE_CLAUSES and head != holder:
                return head
        return subject

    # Sources.

    def _source_at(self, token: int, sentence: range) -> int | None:
        """Find the source that a word introduces: *according to X*, *laut X*, *X zufolge*, *so X*."""
        article, words = self._article, self._reporting
        form = article.tokens[token].lower()
        following = article.tokens[token + 1].lower() if token + 1 < sentence.stop else ""
        if following in _RELATIVE_SOURCES:
            return None
        end = min(token + _SOURCE_WORDS + 1, sentence.stop)
        after = range(token + 1, end)
        if form in words.according_after:
            first = max(sentence.start, token - _SOURCE_WORDS)
            before = range(first, token)
            return self._highest_noun(reversed(before))
        if form in words.according_to:
            return self._first_noun(after) if self._introduces(token, sentence) else None
        if form in words.according_nouns:
            return self._source_of_noun(token, sentence, after)
        if self._so and form == self._so:
            return self._source_after_so(token, sentence, after)
        return None

    def _introduces(self, token: int, sentence: range) -> bool:
        """Check that a word introduces a source: *après* does so only in *d'après*."""
        tokens = self._article.tokens
        if tokens[token].lower() != "après":
            return True
        return token > sentence.start and form_of(tokens[token - 1]) == "d'"

    def _source_of_noun(self, noun: int, sentence: range, after: range) -> int | None:
        """Find the source that a noun of saying has: *nach Angaben von X*, *ihrer Ansicht nach*."""
        first = max(sentence.start, noun - _BEFORE_NOUN)
        owner: int | None = None
        has_preposition = False
        for token in range(first, noun):
            if self._is_possessive(token):
                owner = token
            if self._is_nach(token):
                has_preposition = True
        if owner is None:
            return self._first_noun(after) if has_preposition else None
        has_preposition |= len(after) > 0 and self._is_nach(after.start)
        return owner if has_preposition else None

    def _is_nach(self, token: int) -> bool:
        return self._article.tokens[token].lower() == "nach"

    def _source_after_so(self, token: int, sentence: range, after: range) -> int | None:
        """Find the source in *…, so Berger*: a noun without a verb before it."""
        article = self._article
        if token == sentence.start or article.tokens[token - 1] not in _BEFORE_PARENTHESIS:
            return None
        source = self._first_noun(after)
        if source is None or self._has_verb(frozenset(range(token, source))):
            return None
        return source

    def _first_noun(self, tokens: Iterable[int]) -> int | None:
        """Find the first noun, name or pronoun, or the noun that it is part of: *media reports*."""
        article = self._article
        for token in tokens:
            is_pronoun = article.parts_of_speech[token] == "PRON" and article.tokens[token] != _LINKING_T
            if article.is_noun(token) or is_pronoun:
                while article.dependencies[token] == "compound" and article.heads[token] > token:
                    token = article.heads[token]
                return token
            if self._article.tokens[token] in (",", "."):
                return None
        return None

    def _is_possessive(self, token: int) -> bool:
        return self._article.tags[token] == "PPOSAT" or self._article.features[token].get("Poss") == "Yes"

    def _highest_noun(self, tokens: Iterable[int]) -> int | None:
        """Find the noun among some tokens, up to a comma, on which the others depend."""
        article = self._article
        nouns = []
        for token in tokens:
            if article.tokens[token] in (",", "."):
                break
            if article.is_noun(token):
                nouns.append(token)
        for noun in nouns:
            if article.heads[noun] not in nouns and article.parts_of_speech[article.heads[noun]] != "ADP":
                return noun
        return nouns[-1] if nouns else None

    def _report_of_source(self, cue: int, source: int, sentence: range) -> SpeechReport:
        first, last = sorted((cue, source))
        tokens = self._article.tokens
        below = self._subtree(source)
        end = last + 1
        while end < sentence.stop and end in below and tokens[end] not in (",", ".", ";", ":"):
            end += 1
        if first > sentence.start and form_of(tokens[first - 1]) == "d'":
            first -= 1
        if tokens[cue].lower() in self._reporting.according_after:
            while first > sentence.start and tokens[first - 1] not in (",", ".", ":"):
                first -= 1
        frame = frozenset(range(first, end))
        return SpeechReport(cue, source, frame, frozenset(sentence) - frame, is_source=True)

    def _subtree(self, token: int) -> frozenset[int]:
        """Find a token and all tokens below it."""
        tokens = {token}
        waiting = [token]
        while waiting:
            children = self._article.children[waiting.pop()]
            tokens.update(children)
            waiting += children
        return frozenset(tokens)
