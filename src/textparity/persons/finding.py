"""The method `persons`: who is mentioned in a text, by a language pipeline, word lists and simple rules of reference.

A mention is a name that the pipeline marks as a person (with its titles), a noun for a person (WordNet's or the
lexicon's) or a pronoun of the third person. Gender comes from the word itself (lexicon, title, pronoun), from agreement
(article, then the noun's morphology), from a first name, else from the pronouns that refer to the person.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textparity.measures.terms import TermMatcher
from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED, Mention
from textparity.persons.rules import ANY, Rules

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

PERSON_LABELS = frozenset({"PER", "PERSON"})
GENDERS = {FEMININE, MASCULINE}
# How far back a pronoun or a definite noun looks, in sentences.
PRONOUN_REACH, NOUN_REACH = 3, 30
_OF_MORPHOLOGY = {"Fem": FEMININE, "Masc": MASCULINE}
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "nsubj:pass", "csubj"})


@dataclass
class _Person:
    """Someone in a document; `gender` by a word or a name, `votes` by the pronouns that refer to them."""

    number: int
    is_plural: bool
    parts: tuple[str, ...] = ()
    nouns: set[str] = field(default_factory=set)
    gender: str = ""
    evidence: str = ""
    votes: Counter[str] = field(default_factory=Counter)
    last_sentence: int = 0
    last_token: int = 0
    was_subject: bool = False

    @property
    def likely_gender(self) -> str:
        """The gender known so far; empty for none, or where pronouns of both refer to them."""
        if self.gender:
            return self.gender
        (first, number), *others = [*self.votes.most_common(), ("", 0)]
        return first if not others or number > 2 * others[0][1] else ""


@dataclass
class _Found:
    """A mention in tokens: `start` to `end` (not with it), `head` the one whose syntax counts."""

    start: int
    end: int
    head: int
    kind: str
    gender: str
    evidence: str
    is_plural: bool = False
    parts: tuple[str, ...] = ()
    lemma: str = ""
    role: str = ""
    person: _Person | None = None


class PersonFinder:
    """Finds persons in documents of one language, parsed by a spaCy pipeline.

    `matcher` has all layers of the language's lexicon; `person_nouns` are lemmas or forms in lower case.
    `grammatical`: nouns of one gender for anyone (*persona*) have that gender, as grammarians annotate it.
    """

    def __init__(
        self, rules: Rules, matcher: TermMatcher, person_nouns: frozenset[str], grammatical: bool = False
    ) -> None:
        self._rules, self._matcher = rules, matcher
        self._nouns = (person_nouns | rules.of_kind("person").keys()) - rules.of_kind("no_person").keys()
        self._articles, self._markers = rules.of_kind("article"), rules.of_kind("marker")
        self._impersonal = rules.of_kind("impersonal")
        self._epicene = {} if grammatical else rules.of_kind("epicene")

    def find(self, doc: "Doc") -> list[Mention]:
        """Return the mentions of persons in a parsed document, in text order."""
        parsed = _Parsed(doc, self._matcher)
        names = list(self._names(parsed))
        taken = {place for name in names for place in range(name.start, name.end)}
        nouns = [noun for noun in self._common_nouns(parsed) if noun.head not in taken]
        taken |= {noun.head for noun in nouns}
        pronouns = [pronoun for pronoun in self._pronouns(parsed) if pronoun.head not in taken]
        found = sorted([*names, *nouns, *pronouns], key=lambda one: (one.start, one.end))
        return [_mention(doc, one) for one in _Reference(parsed, self._rules).resolve(found)]

    def _names(self, parsed: "_Parsed") -> Iterator[_Found]:
        doc = parsed.doc
        taken = -1
        for start, end in parsed.name_spans():
            if start < taken:
                continue
            first, gender = self._titles_before(parsed, start)
            first = max(first, taken)
            # A title that the pipeline took for a part of the name.
            begin = start
            while begin < end - 1 and (title := parsed.title_gender(begin)) is not None:
                gender = gender or title
                begin += 2 if doc[begin + 1].text == "." and begin + 2 < end else 1
            parts = tuple(token.lower_ for token in doc[begin:end] if token.text[:1].isalpha())
            if not parts:
                continue
            evidence = "title" if gender else ""
            if not gender and (gender := parsed.first_name_gender(begin)):
                evidence = "first name"
            taken = end
            yield _Found(first, end, end - 1, "name", gender, evidence, parts=parts)

    def _titles_before(self, parsed: "_Parsed", start: int) -> tuple[int, str]:
        """Return where the titles before a name begin, and the gender that they tell."""
        gender, place = "", start
        while place > 0:
            before = place - 1
            if parsed.doc[before].text == "." and before > 0:
                before -= 1
            title = parsed.title_gender(before)
            if title is None:
                break
            gender, place = title or gender, before
        return place, gender

    def _common_nouns(self, parsed: "_Parsed") -> Iterator[_Found]:
        for token in parsed.doc:
            if token.pos_ not in ("NOUN", "PROPN", "ADJ"):
                continue
            match = parsed.match_at(token.i)
            layer, lexical = match if match is not None else ("", "")
            known = layer in ("nouns", "titles", "inclusive")
            by_list = token.pos_ == "NOUN" and (token.lemma_.lower() in self._nouns or token.lower_ in self._nouns)
            if not (known or by_list) or (token.pos_ == "ADJ" and not known):
                continue
            if token.lower_ in self._rules.of_kind("no_person"):
                continue
            if token.dep_ == "compound" and not token.ent_type_:
                continue
            if token.pos_ == "PROPN" and token.ent_type_ and token.ent_type_ not in PERSON_LABELS:
                continue
            gender, evidence = self._gender_of_noun(token, lexical)
            is_plural = "Plur" in token.morph.get("Number")
            yield _Found(token.i, token.i + 1, token.i, "noun", gender, evidence, is_plural, lemma=token.lemma_.lower())

    def _gender_of_noun(self, token: "Token", lexical: str) -> tuple[str, str]:
        if token.lower_ in self._epicene:
            return "", ""
        if lexical in GENDERS:
            return lexical, "lexicon"
        children = [child.lower_ for child in token.children]
        for child in children:
            if marked := self._markers.get(child):
                return marked, "marker"
        if self._articles:
            for child in children:
                if gender := self._articles.get(child):
                    return gender, "agreement"
            if found := token.morph.get("Gender"):
                return _OF_MORPHOLOGY.get(found[0], ""), "morphology"
            for child in token.children:
                if child.dep_ == "amod" and (found := child.morph.get("Gender")):
                    return _OF_MORPHOLOGY.get(found[0], ""), "agreement"
        return "", ""

    def _pronouns(self, parsed: "_Parsed") -> Iterator[_Found]:
        for token in parsed.doc:
            row = self._rules.pronouns.get(token.lower_)
            if row is None or token.pos_ not in ("PRON", "DET", "ADJ"):
                continue
            gender, role = row
            if token.dep_.startswith("expl") and role == "personal":
                continue
            if role == "personal" and self._is_impersonal(token):
                continue
            is_plural = "Plur" in token.morph.get("Number") and role != "possessive"
            yield _Found(
                token.i,
                token.i + 1,
                token.i,
                "pronoun",
                "" if gender == ANY else gender,
                "pronoun",
                is_plural,
                role=role,
            )

    def _is_impersonal(self, token: "Token") -> bool:
        verb = token.head
        if verb.lemma_ in self._impersonal:
            return True
        following = token.nbor(1).lower_ if token.i + 1 < len(token.doc) else ""
        return bool(self._impersonal) and following in ("y", "n'y")


def _mention(doc: "Doc", found: _Found) -> Mention:
    person = found.person
    assert person is not None
    gender, evidence = found.gender, found.evidence
    if not gender and person.likely_gender:
        gender, evidence = person.likely_gender, person.evidence or "pronouns"
    start, end = doc[found.start].idx, doc[found.end - 1].idx + len(doc[found.end - 1])
    return Mention(start, end, doc.text[start:end], found.kind, gender or UNSPECIFIED, person.number, evidence)


class _Parsed:
    """A document with what the lexicon finds in it, by token."""

    def __init__(self, doc: "Doc", matcher: TermMatcher) -> None:
        self.doc = doc
        places = [token.i for token in doc if not token.is_space]
        sentences: list[list[str]] = []
        self.sentence_of = [0] * len(doc)
        for number, sentence in enumerate(doc.sents):
            sentences.append([token.lower_ for token in sentence if not token.is_space])
            for token in sentence:
                self.sentence_of[token.i] = number
        self._matches: dict[int, tuple[str, str]] = {}
        for match in matcher.match(sentences, doc.text):
            (gender,) = match.classes if len(match.classes) == 1 else ("",)
            self._matches.setdefault(places[match.start], (match.layer, gender))

    def match_at(self, place: int) -> tuple[str, str] | None:
        """Return layer and class of the form that begins at a token."""
        return self._matches.get(place)

    def title_gender(self, place: int) -> str | None:
        """Return the gender of a title or a capitalised noun for a person, empty for any, None for another word."""
        token = self.doc[place]
        layer, gender = self._matches.get(place, ("", ""))
        if layer == "titles" or (layer == "nouns" and token.text[:1].isupper()):
            return gender if gender in GENDERS else ""
        return None

    def first_name_gender(self, place: int) -> str:
        """Return the gender of a first name at a token, if it has one."""
        layer, gender = self._matches.get(place, ("", ""))
        return gender if layer == "names" and gender in GENDERS else ""

    def name_spans(self) -> list[tuple[int, int]]:
        """Return the names of persons: those that the pipeline marks, and first names with what follows."""
        spans = []
        for entity in self.doc.ents:
            if entity.label_ not in PERSON_LABELS:
                continue
            start, end = entity.start, entity.end
            while start < end and not self._is_name_part(start):
                start += 1
            while end > start and not self._is_name_part(end - 1):
                end -= 1
            if start < end:
                spans.append((start, end))
        taken = {place for start, end in spans for place in range(start, end)}
        for place, (layer, _) in self._matches.items():
            token = self.doc[place]
            if layer != "names" or place in taken or token.pos_ != "PROPN" or token.ent_type_:
                continue
            end = place + 1
            while end < len(self.doc) and self.doc[end].pos_ == "PROPN" and not self.doc[end].ent_type_:
                end += 1
            spans.append((place, end))
            taken.update(range(place, end))
        return sorted(spans)

    def _is_name_part(self, place: int) -> bool:
        token = self.doc[place]
        return token.text[:1].isupper() and token.pos_ not in ("PUNCT", "DET", "PART", "SPACE", "PRON")


class _Reference:
    """Which mentions of a document are of one person."""

    def __init__(self, parsed: _Parsed, rules: Rules) -> None:
        self._parsed, self._rules = parsed, rules
        self._persons: list[_Person] = []
        self._of_head: dict[int, _Found] = {}

    def resolve(self, found: list[_Found]) -> list[_Found]:
        """Give each mention its person; those that turn out to be of none are left out."""
        self._of_head = {one.head: one for one in found}
        # Full names first, so that a surname in a headline finds the name that follows.
        for one in sorted((one for one in found if one.kind == "name"), key=lambda one: -min(len(one.parts), 2)):
            one.person = self._named(one)
        for person in self._persons:
            person.last_sentence = person.last_token = -1
        kept = []
        for one in found:
            if one.kind == "noun":
                one.person = self._noun(one)
            elif one.kind == "pronoun":
                one.person = self._referred(one)
            if one.person is not None:
                self._note(one, one.person)
                kept.append(one)
        return kept

    def _note(self, one: _Found, person: _Person) -> None:
        token = self._parsed.doc[one.head]
        person.last_sentence = self._parsed.sentence_of[one.head]
        person.last_token = one.head
        person.was_subject = token.dep_ in _SUBJECTS
        if one.gender and one.kind != "pronoun" and not person.gender:
            person.gender, person.evidence = one.gender, one.evidence

    def _new(self, is_plural: bool) -> _Person:
        person = _Person(len(self._persons), is_plural)
        self._persons.append(person)
        return person

    def _named(self, one: _Found) -> _Person:
        parts = one.parts
        for person in reversed(self._persons):
            if not person.parts or (one.gender and person.gender and one.gender != person.gender):
                continue
            same_last = person.parts[-1] == parts[-1]
            if len(parts) > 1 and len(person.parts) > 1:
                short, long = sorted((person.parts[0].rstrip("."), parts[0].rstrip(".")), key=len)
                same = same_last and (short == long or (len(short) == 1 and long.startswith(short)))
            else:
                same = same_last or parts[-1] == person.parts[0] or person.parts[-1] == parts[0]
            if same:
                break
        else:
            person = self._new(False)
        if len(parts) > len(person.parts):
            person.parts = parts
        if one.gender and not person.gender:
            person.gender, person.evidence = one.gender, one.evidence
        return person

    def _noun(self, one: _Found) -> _Person:
        doc = self._parsed.doc
        token = doc[one.head]
        # The doctor, Anna Koch: apposition; she is a doctor: predicate.
        other = self._same_person(token)
        if other is not None and other.person is not None and self._fits(other.person, one.gender, one.is_plural):
            other.person.nouns.add(one.lemma)
            return other.person
        if not self._is_indefinite(token):
            here = self._parsed.sentence_of[one.head]
            for person in sorted(self._persons, key=lambda person: -person.last_token):
                if (
                    one.lemma in person.nouns
                    and here - person.last_sentence <= NOUN_REACH
                    and person.last_token >= 0
                    and self._fits(person, one.gender, one.is_plural)
                ):
                    return person
        person = self._new(one.is_plural)
        person.nouns.add(one.lemma)
        return person

    def _same_person(self, token: "Token") -> _Found | None:
        if token.dep_ in ("appos", "flat", "flat:name", "compound", "nmod:appos"):
            return self._mention_at(token.head)
        for child in token.children:
            if child.dep_ in ("appos", "flat", "flat:name") and (found := self._mention_at(child)):
                if found.kind == "name":
                    return found
        verb = token.head if token.dep_ == "attr" else token if any(c.dep_ == "cop" for c in token.children) else None
        if verb is not None:
            for child in verb.children:
                if child.dep_ in _SUBJECTS and child.i < token.i:
                    return self._mention_at(child)
        return None

    def _mention_at(self, token: "Token") -> _Found | None:
        if token.i in self._of_head:
            return self._of_head[token.i]
        # The head of a name may be its first word.
        return next(
            (one for one in self._of_head.values() if one.kind == "name" and one.start <= token.i < one.end), None
        )

    @staticmethod
    def _is_indefinite(token: "Token") -> bool:
        return any(
            "Ind" in child.morph.get("Definite") or child.lower_ in ("a", "an", "another", "un", "une", "una")
            for child in token.children
        )

    @staticmethod
    def _fits(person: _Person, gender: str, is_plural: bool) -> bool:
        likely = person.likely_gender
        return person.is_plural == is_plural and (not gender or not likely or gender == likely)

    def _referred(self, one: _Found) -> _Person | None:
        token = self._parsed.doc[one.head]
        if one.role == "relative":
            clause = token
            while clause.dep_ not in ("relcl", "acl:relcl", "acl") and clause.head != clause:
                clause = clause.head
            other = self._mention_at(clause.head) if clause.head != clause else None
            return other.person if other is not None else None
        if one.role == "reflexive" and not one.gender:
            subject = next((child for child in token.head.children if child.dep_ in _SUBJECTS), None)
            other = self._mention_at(subject) if subject is not None else None
            return other.person if other is not None else None
        here = self._parsed.sentence_of[one.head]
        best, best_score = None, float("-inf")
        for person in self._persons:
            distance = here - person.last_sentence
            if person.last_token < 0 or distance > PRONOUN_REACH or not self._fits(person, one.gender, one.is_plural):
                continue
            score = -1.0 * distance + 0.6 * person.was_subject + 0.4 * bool(person.parts)
            score += 0.8 * (bool(one.gender) and person.likely_gender == one.gender)
            score -= 0.01 * min(one.head - person.last_token, 60)
            if score > best_score:
                best, best_score = person, score
        if best is None:
            if not one.gender:
                return None
            best = self._new(one.is_plural)
            best.gender, best.evidence = one.gender, "pronoun"
        elif one.gender and not best.gender:
            best.votes[one.gender] += 1
        return best
