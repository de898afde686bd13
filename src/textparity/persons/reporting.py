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
from textparity.persons.quotes import is_speech_verb, reports_speech

_TABLE = Path(__file__).parents[1] / "resources" / "persons" / "reporting.toml"
# How far a source may be from the word that introduces it.
_SOURCE_WORDS = 6
# How many verbs above a verb without a subject are searched for one.
_VERBS_ABOVE = 3
# Relations to a verb whose subject is also that of the verb below it.
_SHARES_SUBJECT = {
    "clear": frozenset({"advcl", "conj", "xcomp", "acl"}),
    "ud": frozenset({"advcl", "conj", "xcomp", "acl"}),
    "tiger": frozenset({"cj", "cd", "oc", "mo", "re"}),
}
_AGENTS = frozenset({"agent", "obl:agent", "sbp"})
_RELATIVE_CLAUSES = frozenset({"relcl", "acl:relcl", "rc"})
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
    according_after: frozenset[str] = frozenset()
    according_nouns: frozenset[str] = frozenset()


@cache
def load_reporting_words(lang: str) -> ReportingWords:
    """Load the words of a language by its code."""
    table = tomllib.loads(_TABLE.read_text("utf-8"))[lang]
    words = {name: frozenset(values) for name, values in table.items()}
    return ReportingWords(**words)


@dataclass(frozen=True)
class Report:
    """A `cue` (the verb of saying, or the word that introduces a source), and tokens that belong to the report.

    `source` is the token of the one who says it, or None. `frame` are the tokens of the reporting clause, and `content`
    those of what is reported: none, if only words in quotation marks can be.
    """

    cue: int
    source: int | None
    frame: frozenset[int]
    content: frozenset[int]


class ReportFinder:
    """Find reports in a text outside quotation marks, whose tokens are `inside`."""

    def __init__(self, article: Annotation, words: WordLists, inside: set[int]) -> None:
        self._article, self._inside = article, inside
        self._reporting = load_reporting_words(words.language.code)
        self._so = words.language.so
        verbs = words.quotation_verbs | self._reporting.verbs | self._reporting.direct_verbs
        self._words = replace(words, quotation_verbs=verbs)
        self._is_tiger = article.scheme is TIGER

    def find(self) -> list[Report]:
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

    def _report_at(self, token: int, sentence: range) -> Report | None:
        if self._says(token):
            return self._report_of_verb(token, sentence)
        source = self._source_at(token, sentence)
        if source is None:
            return None
        return self._report_of_source(token, source, sentence)

    def _says(self, token: int) -> bool:
        if is_speech_verb(self._article, token, self._words):
            return True
        before = self._article.parts_of_speech[token] in ("VERB", "AUX", "NOUN", "ADJ")
        return before and self._article.scheme is UNIVERSAL and reports_speech(self._article, token, self._words)

    # Verbs.

    def _report_of_verb(self, verb: int, sentence: range) -> Report | None:
        top = self._finite_verb(verb)
        if self._is_unsaid(verb, top):
            return None
        source = self._speaker_of(verb, top)
        clauses = self._clauses_of(verb, top, sentence)
        if clauses:
            content = self._tokens_of(clauses)
            frame = self._subtree(top) - content
        else:
            frame = self._parenthesis(verb, top, source, sentence)
            content = frozenset()
            if frame and source is not None:
                content = self._around(frame, verb, sentence)
        if self._article.lemmas[verb].lower() in self._reporting.direct_verbs:
            content = frozenset()
        if not frame:
            frame = self._near(verb, top)
        return Report(verb, source, frozenset(frame), frozenset(content))

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
        for child in (*article.children[verb], *article.children[top]):
            form = article.tokens[child].lower()
            is_negation = form in words.negations and abs(child - verb) <= _SOURCE_WORDS
            is_modal = article.parts_of_speech[child] == "AUX" and form in words.unsaid
            if is_negation or is_modal:
                return True
        head = article.heads[verb]
        is_infinitive = article.features[verb].get("VerbForm") == "Inf"
        return is_infinitive and (article.lemmas[head].lower() in words.unsaid or head == verb)

    def _clauses_of(self, verb: int, top: int, sentence: range) -> list[int]:
        """List the heads of the clauses that a verb reports."""
        article = self._article
        clauses = []
        for child in dict.fromkeys((*article.children[verb], *article.children[top])):
            is_clause = article.dependencies[child] in article.scheme.complement_clause
            if not is_clause or child == verb or child not in sentence:
                continue
            if self._is_finite(child) or not self._inside.isdisjoint(self._subtree(child)):
                clauses.append(child)
        return clauses

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
        if source is not None and sentence.start <= source < first:
            first = min(self._subtree(source) & set(sentence), default=first)
        before = first - 1
        if before <= sentence.start or article.tokens[before] not in _BEFORE_PARENTHESIS:
            return frozenset()
        end = max(verb, top) + 1
        while end < sentence.stop and article.tokens[end] not in (",", ".", ";", ":", "-", "–", "—", ")"):
            end += 1
        return frozenset(range(first, end))

    def _around(self, frame: frozenset[int], verb: int, sentence: range) -> frozenset[int]:
        """Find the tokens of the clause around a reporting clause. None, if the clause has no verb."""
        article = self._article
        content = frozenset(sentence) - frame
        if any(article.is_verb(token) for token in content):
            return content
        return frozenset()

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
        article = self._article
        for holder in (verb, top):
            for child in article.children[holder]:
                if article.is_subject(child):
                    return child
        return None

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
        if form in words.according_after:
            reach = range(token - 1, max(sentence.start, token - _SOURCE_WORDS) - 1, -1)
            return self._first_noun(reach)
        after = range(token + 1, min(token + _SOURCE_WORDS + 1, sentence.stop))
        before = [article.tokens[other].lower() for other in range(max(sentence.start, token - 3), token)]
        if form in words.according_to:
            if form == "après" and (not before or form_of(before[-1]) != "d'"):
                return None
            return self._first_noun(after)
        if form in words.according_nouns and "nach" in before:
            possessives = [other for other in range(token - 2, token) if article.tags[other] == "PPOSAT"]
            return possessives[-1] if possessives else self._first_noun(after)
        follows_comma = token > sentence.start and article.tokens[token - 1] in _BEFORE_PARENTHESIS
        if self._so and form == self._so and follows_comma:
            source = self._first_noun(after)
            verbs = range(token, source or token)
            return None if any(article.is_verb(other) for other in verbs) else source
        return None

    def _first_noun(self, tokens: Iterable[int]) -> int | None:
        """Find the first noun, name or pronoun that has no other noun above it."""
        for token in tokens:
            if self._article.is_noun(token) or self._article.parts_of_speech[token] == "PRON":
                return token
            if self._article.tokens[token] in (",", "."):
                return None
        return None

    def _report_of_source(self, cue: int, source: int, sentence: range) -> Report:
        first, last = sorted((cue, source))
        tokens = self._article.tokens
        end = last + 1
        while end < sentence.stop and tokens[end] not in (",", ".", ";", ":") and not self._article.is_verb(end):
            end += 1
        frame = frozenset(range(first, end))
        return Report(cue, source, frame, frozenset(sentence) - frame)

    def _subtree(self, token: int) -> frozenset[int]:
        """Find a token and all tokens below it."""
        tokens = {token}
        waiting = [token]
        while waiting:
            children = self._article.children[waiting.pop()]
            tokens.update(children)
            waiting += children
        return frozenset(tokens)
