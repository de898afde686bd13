"""Find who says what: each quote of a document, direct or indirect, and the person who is its speaker.

A quote is what somebody is reported to have said, written or posted: in quotation marks (`persons.quotes`), or in a
clause that a verb of saying or a source reports (`persons.reporting`). Its speaker is the person whose mention is the
subject of that verb, or the source. A quote goes on in the next words in marks if only the reporting clause is between
them, and in German in the next sentences of reported speech.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Union

from textparity.counting import GENDERS
from textparity.persons.actor_languages import WordLists, form_of
from textparity.persons.annotations import UNIVERSAL, Annotation, annotation_of
from textparity.persons.indirect_quotes import is_subjunctive
from textparity.persons.mentions import UNSPECIFIED, Mention
from textparity.persons.people import MentionedPerson, people_of
from textparity.persons.quoted_text import (
    has_lines,
    spans_in_apostrophes,
    with_line_spaces,
    with_lines,
    with_whole_sentences,
)
from textparity.persons.quotes import CLAUSE_WORDS, SENTENCE_ENDS, find_marked_spans, has_finite_verb
from textparity.persons.reporting import ReportFinder, SpeechReport, may_report

if TYPE_CHECKING:
    from spacy.tokens import Doc

_PUNCTUATION = ("PUNCT", "SPACE")
# How far the subject may be before its verb if the parser missed it.
_BEFORE_VERB = 6
_SHORTEST_NAME = 3
_DEFINITE_ARTICLES = frozenset({"the", "le", "la", "l'", "der", "die"})
# How many sentences back a named subject may be that a pronoun refers to.
_REACH = 3
# A fragment in marks that nobody is said to have said is a quote if it is this long.
_LEAST_WORDS = 5


@dataclass(frozen=True)
class AttributedQuote:
    """A quote at some `spans` of characters, with the number of its speaker (`Mention.entity`), or None.

    `gender` is that of a pronoun by which the reporting clause calls the speaker; empty without one. `words` are the
    tokens of the parser that have a letter or digit.
    """

    spans: tuple[tuple[int, int], ...]
    is_direct: bool
    speaker: int | None
    gender: str = ""
    words: int = 0


@dataclass
class _Draft:
    """A quote in the making: its tokens, whether some are in marks, and the report that it comes from."""

    tokens: set[int]
    speaker: int | None
    is_direct: bool = False
    report: SpeechReport | None = None
    gender: str = ""


def find_quotes(
    document: Union[Annotation, "Doc"], mentions: Sequence[Mention], words: WordLists
) -> list[AttributedQuote]:
    """Find the quotes of a parsed document, in text order. `mentions` are those of its persons."""
    article = document if isinstance(document, Annotation) else annotation_of(document)
    drafts = _QuoteFinder(article, mentions, words).find()
    quotes = []
    for draft in drafts:
        spans = _characters(article, draft.tokens)
        if spans:
            words_said = sum(_is_word(article.tokens[token]) for token in draft.tokens)
            quote = AttributedQuote(spans, draft.is_direct, draft.speaker, draft.gender, words_said)
            quotes.append(quote)
    return quotes


def people_quoted(quotes: Iterable[AttributedQuote], mentions: Sequence[Mention]) -> list[MentionedPerson]:
    """List the people who are quoted, once each, in the order of their first mentions. Groups are no people.

    Someone of unspecified gender has that of the pronouns in the clauses that report their quotes, if they agree.
    """
    genders: dict[int, set[str]] = {}
    for quote in quotes:
        if quote.speaker is not None:
            shown = genders.setdefault(quote.speaker, set())
            if quote.gender:
                shown.add(quote.gender)
    people = []
    for person in people_of(mentions):
        if person.entity not in genders:
            continue
        shown = genders[person.entity]
        if person.gender not in GENDERS and len(shown) == 1:
            person = replace(person, gender=next(iter(shown)))
        people.append(person)
    return people


class _QuoteFinder:
    """Find the quotes of one document."""

    def __init__(self, article: Annotation, mentions: Sequence[Mention], words: WordLists) -> None:
        article = with_whole_sentences(article)
        self._has_lines = has_lines(article)
        article = with_lines(article) if self._has_lines else article
        self._article, self._words = article, words
        self._spans = self._marked_spans()
        self._inside: set[int] = set()
        for start, end in self._spans:
            self._inside.update(range(start, end))
        self._reports = ReportFinder(article, words, self._inside).find()
        self._people = {person.entity: person for person in people_of(mentions)}
        # The people called by nouns who are somebody with a name.
        self._nouns_of_named: dict[int, int] = {}
        self._namesakes = _namesakes(self._people.values(), words)
        self._report_of = {report.cue: report for report in self._reports}
        self._entities_of_name = _entities_by_name(mentions)
        self._named = {mention.entity for mention in mentions if mention.kind == "name"}
        self._entity_at = _entities_by_token(article, mentions)
        if words.language.has_spaced_marks:
            self._extend_names()

    def _extend_names(self) -> None:
        """Add the name after a name to it: the French pipeline may mark only a part of *Sutopo Purwo Nugroho*."""
        article = self._article
        for token in range(1, len(article)):
            form = article.tokens[token]
            entity = self._entity_at.get(token - 1)
            if entity is None or entity not in self._named or token in self._entity_at:
                continue
            follows_name = article.is_capitalised(token - 1) and article.is_capitalised(token)
            if follows_name and form.isalpha() and len(form) >= _SHORTEST_NAME:
                self._entity_at[token] = entity
                self._entities_of_name.setdefault(form.lower(), set()).add(entity)

    def _marked_spans(self) -> list[tuple[int, int]]:
        """List the spans between quotation marks, and between typewriter apostrophes outside of them."""
        article = with_line_spaces(self._article)
        spans = find_marked_spans(article, self._words.language)
        taken: set[int] = set()
        for start, end in spans:
            taken.update(range(start, end))
        spans += spans_in_apostrophes(article, taken)
        return sorted(spans)

    def find(self) -> list[_Draft]:
        """List the quotes in text order."""
        drafts = self._indirect()
        self._add_direct(drafts)
        drafts.sort(key=lambda draft: min(draft.tokens))
        self._give_names(drafts)
        if self._words.language.code == "deu":
            drafts = self._continue_in_subjunctive(drafts)
        return drafts

    def _give_names(self, drafts: Sequence[_Draft]) -> None:
        """Give speakers without a name the person named before, or else after them, if the gender allows it."""
        last: MentionedPerson | None = None
        for draft in drafts:
            person = self._people.get(draft.speaker) if draft.speaker is not None else None
            draft.gender = self._gender_of_pronoun(draft.report)
            if person is not None:
                person = self._same_as(person, draft.report, last)
                draft.speaker = person.entity
            if person is None or not self._is_called(person):
                gender = draft.gender or (person.gender if person else "")
                if gender in GENDERS and draft.report is not None:
                    person = self._person_before(draft.report.cue, gender, last) or person
                    draft.speaker = person.entity if person else None
            # The gender of somebody who has just spoken may be unknown.
            last = person
        following: MentionedPerson | None = None
        for draft in reversed(drafts):
            person = self._people.get(draft.speaker) if draft.speaker is not None else None
            if person is None:
                continue
            if person.entity in self._nouns_of_named:
                draft.speaker = self._nouns_of_named[person.entity]
            elif person.entity in self._named:
                following = person
            elif following is not None and not self._is_called(person) and following.gender == person.gender:
                draft.speaker = following.entity

    def _same_as(
        self, person: MentionedPerson, report: SpeechReport | None, last: MentionedPerson | None
    ) -> MentionedPerson:
        """Find who a speaker also is: somebody with the same surname, or whoever spoke last, for *the actor*."""
        if person.entity in self._namesakes:
            return self._people[self._namesakes[person.entity]]
        if person.entity in self._nouns_of_named:
            return self._people[self._nouns_of_named[person.entity]]
        if last is None or report is None or report.source is None or person.entity in self._named:
            return person
        has_name = last.entity in self._named
        may_be_same = last.gender in GENDERS and person.gender in (last.gender, UNSPECIFIED)
        if has_name and may_be_same and self._is_definite_noun(report.source):
            self._nouns_of_named[person.entity] = last.entity
            return last
        return person

    def _is_definite_noun(self, token: int) -> bool:
        """Check for a noun after a definite article, with one adjective between them at most."""
        article = self._article
        if article.parts_of_speech[token] != "NOUN":
            return False
        before = token - 2 if article.parts_of_speech[token - 1] == "ADJ" else token - 1
        return before >= 0 and form_of(article.tokens[before]) in _DEFINITE_ARTICLES

    def _person_before(self, cue: int, gender: str, last: MentionedPerson | None) -> MentionedPerson | None:
        """Find the last named subject of a gender before a cue, or else who spoke before it."""
        if last is not None and last.gender == UNSPECIFIED and self._is_called(last):
            return last
        subject = self._subject_before(cue, gender)
        if subject is None and last is not None and last.gender == gender:
            return last
        return subject

    def _gender_of_pronoun(self, report: SpeechReport | None) -> str:
        """Find the gender of the pronoun that is the source of a report. Empty for a name or noun, and a plural."""
        if report is None or report.source is None:
            return ""
        form = self._article.tokens[report.source]
        if self._article.parts_of_speech[report.source] != "PRON" and not form.startswith("-"):
            return ""
        pronoun = self._words.language.personal.get(form_of(form))
        if pronoun is None or pronoun.also == "plural":
            return ""
        return pronoun.gender

    def _is_called(self, person: MentionedPerson) -> bool:
        """Check whether a person has a name or is called by a noun."""
        return any(mention.kind != "pronoun" for mention in person.mentions)

    def _subject_before(self, cue: int, gender: str) -> MentionedPerson | None:
        """Find the last subject before a cue, outside quotes, who is a named person of a gender."""
        article = self._article
        earliest = max(0, article.sentence_of[cue] - _REACH)
        first, _ = article.sentences[earliest]
        for position in range(cue - 1, first - 1, -1):
            entity = self._entity_at.get(position)
            if entity is None or position in self._inside or not article.is_subject(position):
                continue
            person = self._people.get(entity)
            if person is None or person.gender != gender:
                continue
            if any(mention.kind == "name" for mention in person.mentions):
                return person
        return None

    def _indirect(self) -> list[_Draft]:
        """Make a quote of each report that has content, but of none within another."""
        drafts: list[_Draft] = []
        # Whom somebody quotes goes before the source that reports it, and the outer verb of saying before the inner.
        for report in sorted(self._reports, key=lambda report: (report.is_source, -len(report.content))):
            content = self._content_left(report, drafts)
            if not content:
                continue
            speaker = self._speaker(report.source)
            if report.source is None:
                speaker = self._speaker_missed(report)
            elif speaker is None:
                speaker = self._speaker_before_apposition(report.cue)
            drafts.append(_Draft(content, speaker, report=report))
        return drafts

    def _content_left(self, report: SpeechReport, drafts: Iterable[_Draft]) -> set[int]:
        """Find what a report has beside other quotes: nothing, if it is itself reported."""
        content = set(report.content)
        for draft in drafts:
            if report.cue in draft.tokens or report.content <= draft.tokens:
                return set()
            if report.is_source and draft.report is not None and not content.isdisjoint(draft.tokens):
                content -= draft.tokens | draft.report.frame
        is_clause = len(content) == len(report.content) or any(map(self._is_finite_verb, content))
        return content if is_clause else set()

    def _add_direct(self, drafts: list[_Draft]) -> None:
        """Add the words in quotation marks: to the quote that they are part of, or as quotes of their own."""
        last: _Draft | None = None
        end_before = 0
        for number, (start, end) in enumerate(self._spans):
            next_start = self._spans[number + 1][0] if number + 1 < len(self._spans) else len(self._article)
            span = set(range(start, end))
            draft = self._draft_around(span, drafts)
            if draft is None:
                draft = self._draft_of_report(start, end, end_before, next_start, drafts)
            if draft is None and last is not None and self._goes_on(end_before, start, end, last):
                draft = last
            if draft is None and self._is_statement(start, end):
                is_new = self._is_new_paragraph(end_before, start)
                draft = _Draft(span, None if is_new else self._speaker_before(start, drafts))
                drafts.append(draft)
            if draft is not None:
                draft.tokens |= span
                draft.is_direct = True
            last, end_before = draft, end

    def _draft_around(self, span: set[int], drafts: Iterable[_Draft]) -> _Draft | None:
        """Find a quote that shares words with a span in marks."""
        best, most = None, 0
        for draft in drafts:
            in_common = len(span & draft.tokens)
            if in_common > most:
                best, most = draft, in_common
        return best

    def _draft_of_report(
        self, start: int, end: int, end_before: int, next_start: int, drafts: list[_Draft]
    ) -> _Draft | None:
        """Find the report of a span in marks, and the quote that comes from the same report, or a new one."""
        report = self._report_after(end, next_start)
        if report is None:
            report = self._report_before(start, end_before)
        if report is None:
            report = self._report_by_place(end, next_start)
        if report is None:
            report = self._report_above(start, end)
        if report is None:
            return self._draft_of_colon(start, end_before, drafts)
        for draft in drafts:
            if draft.report is report:
                return draft
        speaker = self._speaker(report.source)
        if report.source is None:
            speaker = self._speaker_beside(report, end)
        draft = _Draft(set(), speaker, report=report)
        drafts.append(draft)
        return draft

    def _speaker_beside(self, report: SpeechReport, end: int) -> int | None:
        """Find the person between a span and the verb that reports it, or directly after that verb."""
        cue = report.cue
        if self._is_passive(cue):
            return None
        between = range(end, cue) if cue >= end else range(max(self._article.sentence_start(cue), cue - 6), cue)
        after = range(cue + 1, min(cue + 4, len(self._article)))
        for position in (*reversed(between), *after):
            if position in self._entity_at and position not in self._inside:
                return self._entity_at[position]
        return None

    def _speaker_missed(self, report: SpeechReport) -> int | None:
        """Find the person before a finite verb whose subject the parser missed: directly, or before an apposition."""
        article = self._article
        cue = report.cue
        if self._is_passive(cue) or not self._is_finite(cue):
            return None
        first = article.sentence_start(cue)
        for position in range(cue - 1, max(first, cue - _BEFORE_VERB) - 1, -1):
            if position in self._entity_at:
                return self._entity_at[position]
            if article.tokens[position] == ",":
                return self._person_before_apposition(position, first)
            if article.parts_of_speech[position] in ("VERB", "CCONJ", "SCONJ"):
                return None
        return None

    def _speaker_before_apposition(self, cue: int) -> int | None:
        """Find the person before an apposition that ends with a comma directly before a verb."""
        article = self._article
        first = article.sentence_start(cue)
        position = cue - 1
        while position > first and article.parts_of_speech[position] == "AUX":
            position -= 1
        if article.tokens[position] != "," or not self._is_finite(cue) or self._is_passive(cue):
            return None
        return self._person_before_apposition(position, first)

    def _person_before_apposition(self, comma: int, first: int) -> int | None:
        """Find the person before the comma that belongs to a second one: *Anna Berger, …, said*."""
        for position in range(comma - 1, first, -1):
            if self._article.tokens[position] == ",":
                return self._entity_at.get(position - 1)
        return None

    def _is_finite_verb(self, token: int) -> bool:
        return self._article.is_verb(token) and self._article.features[token].get("VerbForm") == "Fin"

    def _is_finite(self, verb: int) -> bool:
        """Check for a finite verb, or a participle after an auxiliary. The French tagger confuses them."""
        article = self._article
        form = article.features[verb].get("VerbForm")
        if form != "Part" or self._words.language.has_spaced_marks:
            return form != "Inf"
        return any(article.parts_of_speech[token] == "AUX" for token in range(max(0, verb - 3), verb))

    def _is_passive(self, verb: int) -> bool:
        article = self._article
        roles = {article.dependencies[child] for child in article.children[verb]}
        return not roles.isdisjoint(("nsubjpass", "nsubj:pass", "auxpass", "aux:pass"))

    def _report_after(self, end: int, next_start: int) -> SpeechReport | None:
        """Find the report directly after a span in marks: », she said«."""
        article = self._article
        last = min(next_start, end + CLAUSE_WORDS)
        if end < len(article) and article.is_capitalised(end) and article.tokens[end - 2] in SENTENCE_ENDS:
            return None
        for position in range(end, last):
            if self._ends_clause(position):
                return None
            report = self._report_of.get(position)
            if report is not None:
                return report if self._begins_clause(end, position, report) else None
        return None

    def _report_by_place(self, end: int, next_start: int) -> SpeechReport | None:
        """Find a verb that reports a quote by its place alone, with a person: *"…," quipped Berger*."""
        article = self._article
        has_comma = article.tokens[end - 2] == "," or (end < len(article) and article.tokens[end] == ",")
        if not has_comma:
            return None
        for position in range(end, min(next_start, end + _BEFORE_VERB)):
            if self._ends_clause(position):
                return None
            if article.parts_of_speech[position] != "VERB":
                continue
            around = (*range(end, position), *range(position + 1, min(position + 4, next_start)))
            people = [token for token in around if token in self._entity_at]
            subjects = [token for token in people if article.heads[token] == position]
            if subjects and self._is_finite(position):
                return SpeechReport(position, subjects[0], frozenset({position}), frozenset())
            return None
        return None

    def _ends_clause(self, position: int) -> bool:
        """Check for the end of a sentence, or of a line if lines are no parts of sentences."""
        token = self._article.tokens[position]
        return token in SENTENCE_ENDS or (self._has_lines and "\n" in token)

    def _begins_clause(self, end: int, cue: int, report: SpeechReport) -> bool:
        """Check that only the speaker and auxiliaries stand between a span in marks and a cue."""
        for token in range(end, cue):
            is_verb = self._article.parts_of_speech[token] == "VERB"
            if is_verb and token not in report.frame and not self._describes(token, report.source):
                return False
        return True

    def _describes(self, token: int, source: int | None) -> bool:
        """Check whether a word is in a clause about a speaker: *a spokesman who declined to be named*."""
        heads = self._article.heads
        while heads[token] != token:
            token = heads[token]
            if token == source:
                return True
        return False

    def _report_before(self, start: int, end_before: int) -> SpeechReport | None:
        """Find the last report in the clause before a span in marks: she said: »."""
        article = self._article
        first = max(end_before, start - 2 * CLAUSE_WORDS)
        before = start - 1
        if before < first or article.tokens[before] not in (":", ","):
            return None
        for position in range(before - 1, first - 1, -1):
            if self._ends_clause(position):
                return None
            if position in self._report_of:
                return self._report_of[position]
        return None

    def _report_above(self, start: int, end: int) -> SpeechReport | None:
        """Find the report of a fragment: that of the verb of saying which it depends on."""
        article = self._article
        position = article.root_of(start + 1, end - 1)
        while article.heads[position] != position:
            position = article.heads[position]
            if start <= position < end:
                return None
            if article.parts_of_speech[position] != "VERB":
                continue
            report = self._report_of.get(position)
            return report if self._may_be_quoted(start, end) else None
        # The parser took the fragment for a sentence.
        if start <= position < end and self._may_be_quoted(start, end):
            first = max(article.sentence_start(start), start - CLAUSE_WORDS)
            for cue in range(start - 1, first - 1, -1):
                if cue in self._report_of:
                    return self._report_of[cue]
        return None

    def _may_be_quoted(self, start: int, end: int) -> bool:
        """Check that some words of a fragment are in lower case, unlike in a title."""
        words = [token for token in self._article.tokens[start:end] if token[:1].isalpha()]
        return any(token.islower() for token in words)

    def _draft_of_colon(self, start: int, end_before: int, drafts: list[_Draft]) -> _Draft | None:
        """Make a quote of a span after a colon, by the last subject or person before it."""
        article = self._article
        before = start - 1
        if before < 0 or article.tokens[before] != ":":
            return None
        sentence_start = article.sentence_start(before)
        mentioned = []
        for position in range(max(end_before, sentence_start), before):
            if position in self._entity_at:
                mentioned.append(position)
        subjects = [position for position in mentioned if article.is_subject(position)]
        if not mentioned:
            return None
        speaker = self._entity_at[(subjects or mentioned)[-1]]
        draft = _Draft(set(), speaker)
        drafts.append(draft)
        return draft

    def _goes_on(self, end_before: int, start: int, end: int, last: _Draft) -> bool:
        """Check whether the quote before goes on in a span: nothing is between them but its reporting clause."""
        article = self._article
        between = [token for token in range(end_before, start) if article.parts_of_speech[token] not in _PUNCTUATION]
        if not has_finite_verb(article, start, end) and end - start < _LEAST_WORDS:
            return False
        if self._is_new_paragraph(end_before, start):
            return False
        if not between:
            return True
        if len(between) > CLAUSE_WORDS or last.report is None:
            return False
        return last.report.cue in between and article.sentence_of[between[0]] == article.sentence_of[between[-1]]

    def _is_new_paragraph(self, end_before: int, start: int) -> bool:
        """Check for an empty line between two spans of a text whose lines are parts of sentences, as in novels."""
        if self._has_lines:
            return False
        return any("\n\n" in token for token in self._article.tokens[end_before:start])

    def _is_statement(self, start: int, end: int) -> bool:
        """Check whether words in marks, which nobody is said to have said, are a quote rather than a title."""
        article = self._article
        if end - start >= _LEAST_WORDS and has_finite_verb(article, start, end):
            return True
        begins_sentence = start == 0 or article.sentence_starts[start] or article.tokens[start - 1].isspace()
        return begins_sentence and article.tokens[end - 2] in SENTENCE_ENDS

    def _speaker_before(self, start: int, drafts: Iterable[_Draft]) -> int | None:
        """Find the speaker of the last quote in the sentence of a span, or the sentence before it."""
        article = self._article
        earliest = article.sentence_of[start] - 1
        latest: _Draft | None = None
        for draft in drafts:
            last_token = max((token for token in draft.tokens if token < start), default=-1)
            if last_token < 0 or article.sentence_of[last_token] < earliest:
                continue
            if latest is None or last_token > max(token for token in latest.tokens if token < start):
                latest = draft
        return latest.speaker if latest else None

    def _continue_in_subjunctive(self, drafts: list[_Draft]) -> list[_Draft]:
        """Add the sentences in the subjunctive after a quote to it."""
        article = self._article
        by_sentence: dict[int, list[_Draft]] = {}
        for draft in drafts:
            for number in {article.sentence_of[token] for token in draft.tokens}:
                by_sentence.setdefault(number, []).append(draft)
        for number, (start, end) in enumerate(article.sentences):
            if number in by_sentence or number == 0:
                continue
            before = by_sentence.get(number - 1)
            outside = [token for token in range(start, end) if token not in self._inside]
            if before and any(self._goes_on_reporting(token, before[-1]) for token in outside):
                before[-1].tokens.update(range(start, end))
                by_sentence[number] = [before[-1]]
        return drafts

    def _goes_on_reporting(self, token: int, draft: _Draft) -> bool:
        """Check for a verb in the mood of reported speech: also the unreal one, after a quote without marks."""
        if draft.is_direct:
            return is_subjunctive(self._article, token)
        return may_report(self._article, token)

    def _speaker(self, source: int | None) -> int | None:
        """Find the person whom a token mentions, or a word beside it: the minister Anna Berger."""
        if source is None:
            return None
        first_found: int | None = None
        waiting = [source]
        while waiting:
            token = waiting.pop(0)
            entity = self._entity_of(token)
            if entity is not None and entity in self._named:
                return entity
            if first_found is None:
                first_found = entity
            waiting += [child for child in self._article.children[token] if self._is_beside(child)]
        return first_found

    def _entity_of(self, token: int) -> int | None:
        """Find the person whom a token mentions, or whose name it is a part of."""
        if token in self._entity_at:
            return self._entity_at[token]
        entities = self._entities_of_name.get(self._article.tokens[token].lower(), set())
        if len(entities) == 1 and self._article.is_capitalised(token):
            return next(iter(entities))
        return None

    def _is_beside(self, token: int) -> bool:
        """Check whether a token refers to the same person as the noun above it."""
        article = self._article
        if article.dependencies[token] in article.scheme.same_referent:
            return True
        return article.scheme is UNIVERSAL and article.dependencies[token] == "nmod" and not article.children[token]


def _entities_by_token(article: Annotation, mentions: Sequence[Mention]) -> dict[int, int]:
    """Map each token of a mention to the person's number; a short mention goes before one around it."""
    token_at: dict[int, int] = {}
    for token, start in enumerate(article.offsets):
        token_at.update(dict.fromkeys(range(start, start + len(article.tokens[token])), token))
    entity_at: dict[int, int] = {}
    for mention in sorted(mentions, key=lambda mention: mention.start - mention.end):
        for character in range(mention.start, mention.end):
            if character in token_at:
                entity_at[token_at[character]] = mention.entity
    return entity_at


def _entities_by_name(mentions: Iterable[Mention]) -> dict[str, set[int]]:
    """Map each part of a name, in lower case, to the numbers of the people who have it."""
    entities: dict[str, set[int]] = {}
    for mention in mentions:
        if mention.kind == "name" and not mention.is_group:
            for part in mention.text.lower().split():
                if len(part) >= _SHORTEST_NAME:
                    entities.setdefault(part, set()).add(mention.entity)
    return entities


def _namesakes(people: Iterable[MentionedPerson], words: WordLists) -> dict[int, int]:
    """Map a person called by a surname alone, or the one with the full name, to the other of them who has a gender."""
    titles = {*words.titles, *words.language.honorifics}
    parts_of: dict[int, list[str]] = {}
    gender_of: dict[int, str] = {}
    for person in people:
        if any(mention.kind == "name" for mention in person.mentions):
            parts = [part for part in person.name.lower().split() if part.rstrip(".") not in titles]
            parts_of[person.entity] = parts
            gender_of[person.entity] = person.gender
    same: dict[int, int] = {}
    for short, parts in parts_of.items():
        if len(parts) != 1:
            continue
        full_names = [other for other, names in parts_of.items() if len(names) > 1 and names[-1] == parts[0]]
        if len(full_names) != 1:
            continue
        full = full_names[0]
        genders = {gender_of[short], gender_of[full]} & set(GENDERS)
        if len(genders) > 1:
            continue
        if gender_of[full] in GENDERS or gender_of[short] not in GENDERS:
            same[short] = full
        else:
            same[full] = short
    return same


def _characters(article: Annotation, tokens: set[int]) -> tuple[tuple[int, int], ...]:
    """Find the spans of characters of some tokens: runs of them without white space and commas at their edges."""
    spans: list[tuple[int, int]] = []
    run: list[int] = []
    for token in [*sorted(tokens), len(article) + 1]:
        if run and token > run[-1] + 1:
            span = _trimmed(article, run)
            if span is not None:
                spans.append(span)
            run = []
        run.append(token)
    return tuple(spans)


def _is_word(form: str) -> bool:
    return any(map(str.isalnum, form))


def _trimmed(article: Annotation, run: list[int]) -> tuple[int, int] | None:
    """Find the characters of a run of tokens. None, if it is punctuation alone."""
    kept = []
    has_word = False
    for token in run:
        form = article.tokens[token]
        if form.isspace() or form in (",", ";", ":"):
            continue
        kept.append(token)
        has_word |= _is_word(form)
    if not has_word:
        return None
    first = kept[0]
    last = kept[-1]
    end = article.offsets[last] + len(article.tokens[last])
    return article.offsets[first], end
