"""The method `persons`: who is mentioned in a text, by a language pipeline, word lists and simple rules of reference.

A mention is a name that the pipeline marks as a person (with its titles), a noun for a person (WordNet's or the
lexicon's) or a pronoun of the third person. Gender comes from the word itself (lexicon, title, pronoun), from agreement
(article, then the noun's morphology), from a first name, else from the pronouns that refer to the person.
"""

from collections import Counter, defaultdict
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
# A form is a name for a person if so many of its places, and such a share of them, look like one.
LONGEST_UNKNOWN = 2
NO_PERSONS = frozenset({"NORP", "LANGUAGE", "DATE", "TIME", "EVENT", "LAW", "MONEY", "FAC"})
MIN_SIGNS, SHARE_OF_SIGNS = 2, 0.25
PLACES = frozenset("à en dans vers in at near from".split())
_ACTORS = frozenset({"nsubj", "nsubj:pass", "nsubjpass", "vocative", "obl:agent"})
import os
UNK=float(os.environ.get("UNK","1"))
PAR=[float(x) for x in os.environ.get("PAR","1 .6 .2 .4 .03 .8 .9 0").split()]
_OF_MORPHOLOGY = {"Fem": FEMININE, "Masc": MASCULINE}
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "nsubj:pass", "csubj", "expl:subj"})


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
    weight: float = 0.0
    is_unknown: bool = False

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
        self._endings = tuple(rules.of_kind("person_ending"))
        self._epicene_endings = tuple(rules.of_kind("epicene_ending"))
        self._articles, self._markers = rules.of_kind("article"), rules.of_kind("marker")
        self._impersonal = rules.of_kind("impersonal")
        self._grammatical = grammatical
        self._epicene = {} if grammatical else rules.of_kind("epicene")

    def find(self, doc: "Doc") -> list[Mention]:
        """Return the mentions of persons in a parsed document, in text order."""
        parsed = _Parsed(doc, self._matcher)
        names = list(self._names(parsed))
        taken = {place for name in names for place in range(name.start, name.end)}
        nouns = [noun for noun in self._common_nouns(parsed) if noun.head not in taken]
        taken |= {noun.head for noun in nouns}
        pronouns = [pronoun for pronoun in self._pronouns(parsed) if pronoun.head not in taken]
        taken |= {pronoun.head for pronoun in pronouns}
        perhaps = [] if self._articles else list(parsed.unknown_names(taken))
        found = sorted([*names, *nouns, *pronouns, *perhaps], key=lambda one: (one.start, one.end))
        return [_mention(parsed, one) for one in _Reference(parsed, self._rules).resolve(found)]

    def _names(self, parsed: "_Parsed") -> Iterator[_Found]:
        doc = parsed.doc
        taken = -1
        for start, end in parsed.name_spans():
            if start < taken:
                continue
            first, gender = self._titles_before(parsed, start)
            first = max(first, taken)
            relation = ""
            if first == start > taken and (gender := parsed.noun_gender(first - 1) if first else ""):
                # Mother Noël is not Noël.
                first -= 1
                relation = parsed.doc[first].lower_
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
            yield _Found(first, end, end - 1, "name", gender, evidence, parts=parts, lemma=relation)

    def _titles_before(self, parsed: "_Parsed", start: int) -> tuple[int, str]:
        """Return where the titles before a name begin, and the gender that they tell."""
        gender, place = "", start
        while place > 0:
            before = place - 1
            word = parsed.doc[before]
            if word.text == "." and before > 0:
                before -= 1
            elif word.lower_.replace("’", "'") in ("de", "d'", "du", "des", "of") and before > 0:
                # The duke of Carigliano; but his wife of Paris is no title.
                before -= 1
                if parsed.doc[before].lower_ not in self._rules.of_kind("title_of"):
                    break
            title = parsed.title_gender(before)
            if title is None:
                if not (word.text[:1].isupper() and word.lower_ in self._nouns):
                    break
                title = ""
            gender, place = title or gender, before
        return place, gender

    def _common_nouns(self, parsed: "_Parsed") -> Iterator[_Found]:
        for token in parsed.doc:
            if token.pos_ not in ("NOUN", "PROPN", "ADJ"):
                continue
            match = parsed.match_at(token.i)
            layer, lexical = match if match is not None else ("", "")
            # Short titles (m., sr.) are units and the like, unless a name follows.
            known = layer in ("nouns", "inclusive") or (layer == "titles" and len(_without_stop(token.text)) > 3)
            # What a tagger takes for an adjective is a noun where it has an article.
            is_noun = token.pos_ == "NOUN" or (token.pos_ == "ADJ" and any(c.pos_ == "DET" for c in token.children))
            by_list = is_noun and (
                token.lemma_.lower() in self._nouns or token.lower_ in self._nouns or token.lower_.endswith(self._endings)
            )
            if not (known or by_list) or (token.pos_ == "ADJ" and not (known or by_list)):
                continue
            if token.lower_ in self._rules.of_kind("no_person"):
                continue
            if token.dep_ == "compound" and not token.ent_type_:
                continue
            if token.pos_ == "PROPN" and token.ent_type_ and token.ent_type_ not in PERSON_LABELS:
                continue
            gender, evidence = self._gender_of_noun(token, lexical)
            is_plural = "Plur" in token.morph.get("Number")
            yield _Found(
                token.i, token.i + 1, token.i, "noun", gender, evidence, is_plural, lemma=token.lemma_.lower()
            )

    def _gender_of_noun(self, token: "Token", lexical: str) -> tuple[str, str]:
        if token.lower_ in self._epicene:
            return "", ""
        if lexical in GENDERS:
            return lexical, "lexicon"
        children = [child.lower_ for child in token.children]
        for child in children:
            if marked := self._markers.get(child):
                return marked, "marker"
        if not self._articles:
            return "", ""
        gender, evidence = self._agreement(token, children)
        if self._grammatical:
            return gender or MASCULINE, evidence or "default"
        if gender == MASCULINE and "Plur" in token.morph.get("Number"):
            # The masculine plural is for anyone.
            return "", ""
        return gender, evidence

    def _agreement(self, token: "Token", children: list[str]) -> tuple[str, str]:
        for child in children:
            if gender := self._articles.get(child):
                return gender, "agreement"
        is_plural = "Plur" in token.morph.get("Number")
        # A tagger guesses the gender of words that have only one form, and of most plurals.
        is_guess = token.lower_.endswith(self._epicene_endings) or (is_plural and not self._grammatical)
        if (found := token.morph.get("Gender")) and not is_guess:
            return _OF_MORPHOLOGY.get(found[0], ""), "morphology"
        for child in token.children:
            if child.dep_ == "amod" and not is_plural and (found := child.morph.get("Gender")):
                return _OF_MORPHOLOGY.get(found[0], ""), "agreement"
        return "", ""

    def _pronouns(self, parsed: "_Parsed") -> Iterator[_Found]:
        for token in parsed.doc:
            row = self._rules.pronouns.get(token.lower_.replace("’", "'"))
            if row is None:
                continue
            gender, role = row
            is_plural = "Plur" in token.morph.get("Number") and role != "possessive"
            if role == "personal" and self._is_impersonal(token):
                continue
            if role == "object":
                # An article, unless a verb follows.
                if not _is_before_verb(token):
                    continue
                if {token.nbor(1).lemma_, token.head.lemma_} & self._rules.of_kind("clause_verb").keys():
                    continue
                is_plural = token.lower_.endswith(("s", "r"))
            elif role == "either":
                # A clitic is of any gender, what stands by itself is not.
                role, gender = ("personal", gender) if self._is_stressed(token) else ("object", ANY)
            elif role == "joint possessive":
                role, is_plural = "possessive", True
            elif role == "demonstrative":
                if token.i + 1 == len(token.doc) or token.nbor(1).lower_ not in self._rules.of_kind("relative"):
                    continue
            elif role != "personal" and token.pos_ not in ("PRON", "DET", "ADJ"):
                continue
            yield _Found(
                token.i, token.i + 1, token.i, "pronoun", "" if gender == ANY else gender, "pronoun", is_plural, role=role
            )

    def _is_impersonal(self, token: "Token") -> bool:
        """Whether a pronoun is the subject of an impersonal verb (*il faut*, *il y a*, *il est vrai que*)."""
        clitics = self._rules.of_kind("clitic")
        if not clitics:
            return False
        following = [word.lower_.replace("’", "'") for word in token.doc[token.i + 1 : token.i + 9]]
        if token.lower_.startswith("-"):
            # After its verb: faut-il.
            verb = token.doc[token.i - 1] if token.lower_ != "-il" or token.nbor(-1).lower_ != "-t" else token.nbor(-2)
            following = [verb.lower_, *following]
        seen: list[str] = []
        while following and following[0] in clitics:
            seen.append(following.pop(0))
        if not following:
            return False
        verb = token.doc[token.i + 1 + len(seen)] if not token.lower_.startswith("-") else verb
        if following[1:2] == ["été"]:
            following = ["était", *following[2:]]
        if "en" in seen and following[0] in self._rules.of_kind("impersonal_be") and following[0] not in ("fait", "faisait", "fera"):
            return True
        if "y" in seen and verb.lemma_ in ("avoir", "être"):
            return following[0] in self._rules.of_kind("there_is")
        forms = {following[0], verb.lemma_.lower()}
        if forms & self._impersonal.keys():
            return True
        near = following[1:4]
        if forms & self._rules.of_kind("impersonal_that").keys():
            return any(word in self._rules.of_kind("that") for word in near)
        if forms & self._rules.of_kind("impersonal_be").keys():
            return any(word in self._rules.of_kind("impersonal_state") for word in near) or near[1:2] in (["que"], ["qu'"])
        return False


    @staticmethod
    def _is_stressed(token: "Token") -> bool:
        """Whether a pronoun stands by itself (*avec lui*, *lui, il …*)."""
        before = token.nbor(-1) if token.i else None
        after = token.nbor(1) if token.i + 1 < len(token.doc) else None
        if before is not None and before.pos_ in ("ADP", "CCONJ"):
            return after is None or after.pos_ not in ("VERB", "AUX")
        return after is None or after.is_punct


def _is_before_verb(token: "Token") -> bool:
    """Whether a word is a clitic: a finite verb or an infinitive follows it, perhaps after another clitic."""
    if token.i + 1 == len(token.doc):
        return False
    following = token.nbor(1)
    if following.lower_ in ("lui", "leur", "y", "en") and token.i + 2 < len(token.doc):
        following = token.nbor(2)
    return following.pos_ in ("VERB", "AUX") and "Part" not in following.morph.get("VerbForm")


def _mention(parsed: "_Parsed", found: _Found) -> Mention:
    doc, person = parsed.doc, found.person
    assert person is not None
    gender, evidence = found.gender, found.evidence
    if not gender and person.likely_gender:
        gender, evidence = person.likely_gender, person.evidence or "pronouns"
    start, end = doc[found.start].idx, doc[found.end - 1].idx + len(doc[found.end - 1])
    return Mention(start, end, parsed.text[start:end], found.kind, gender or UNSPECIFIED, person.number, evidence)


class _Parsed:
    """A document with what the lexicon finds in it, by token."""

    def __init__(self, doc: "Doc", matcher: TermMatcher) -> None:
        # Each call of `doc.text` joins the words anew.
        self.doc, self.text = doc, doc.text
        places = [token.i for token in doc if not token.is_space]
        sentences: list[list[str]] = []
        self.sentence_of = [0] * len(doc)
        for number, sentence in enumerate(doc.sents):
            # The lexicon writes titles without their full stop.
            sentences.append([_without_stop(token.lower_) for token in sentence if not token.is_space])
            for token in sentence:
                self.sentence_of[token.i] = number
        self._matches: dict[int, tuple[str, str]] = {}
        for match in matcher.match(sentences, self.text):
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

    def noun_gender(self, place: int) -> str:
        """Return the gender of a noun for women or for men at a token, if it is one."""
        layer, gender = self._matches.get(place, ("", ""))
        return gender if layer == "nouns" and gender in GENDERS else ""

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
            begin = place
            if layer == "titles" and token.text[:1].isupper():
                # A title makes a person of the name that follows, whatever the pipeline calls it.
                begin += 2 if place + 1 < len(self.doc) and self.doc[place + 1].text == "." else 1
            elif layer != "names" or token.pos_ != "PROPN" or token.ent_type_:
                continue
            end = begin
            while end < len(self.doc) and self._goes_on(begin, end) and end not in taken:
                end += 1
            if end > begin and begin not in taken:
                spans.append((begin, end))
                taken.update(range(begin, end))
        return sorted([*spans, *self._names_seen_elsewhere(taken)])

    def _goes_on(self, begin: int, place: int) -> bool:
        token, first = self.doc[place], self.doc[begin]
        if token.pos_ != "PROPN" or not token.text[:1].isupper():
            return False
        return place == begin or token.ent_type_ == first.ent_type_

    def _names_seen_elsewhere(self, taken: set[int]) -> Iterator[tuple[int, int]]:
        """Yield names that the pipeline calls a person, or that do what persons do, in other places of the document."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for token in self.doc:
            if token.text[:1].isupper() and len(token) > 2 and token.pos_ in ("PROPN", "NOUN", "ADJ"):
                places[token.text].append(token.i)
        known = set()
        for form, where in places.items():
            signs = sum(place in taken for place in where)
            signs += sum(self._acts(place) for place in where if place not in taken)
            signs -= sum(self.doc[place - 1].lower_ in PLACES for place in where if place)
            if signs >= MIN_SIGNS and signs >= SHARE_OF_SIGNS * len(where) and any(map(self._is_no_word, where)):
                known.update(place for place in where if place not in taken)
        for place in sorted(known):
            if place - 1 in known:
                continue
            end = place + 1
            while end in known:
                end += 1
            yield place, end

    def _acts(self, place: int) -> bool:
        token = self.doc[place]
        return token.dep_ in _ACTORS or (place > 0 and self.title_gender(place - 1) is not None)

    def _is_no_word(self, place: int) -> bool:
        """Whether a capital is that of a name: it does not begin a sentence, and is not of all capitals."""
        token = self.doc[place]
        return not token.is_sent_start and token.pos_ == "PROPN" and not token.text.isupper()

    def unknown_names(self, taken: set[int]) -> Iterator[_Found]:
        """Yield other names, of persons perhaps; where *he* and *she* are for persons, those they refer to are."""
        end = 0
        where = {token.text for token in self.doc if token.i and token.nbor(-1).lower_ in PLACES}
        for token in self.doc:
            start = token.i
            if token.text in where:
                continue
            if start < end or not self._may_be_name(start, taken):
                continue
            end = start + 1
            while end < len(self.doc) and self._may_be_name(end, taken):
                end += 1
            if end - start <= LONGEST_UNKNOWN and not token.is_sent_start:
                parts = tuple(word.lower_ for word in self.doc[start:end])
                yield _Found(start, end, end - 1, "name", "", "", parts=parts, role="unknown")

    def _may_be_name(self, place: int, taken: set[int]) -> bool:
        token = self.doc[place]
        return (
            token.pos_ == "PROPN"
            and place not in taken
            and token.text[:1].isupper()
            and not token.text.isupper()
            and token.ent_type_ not in NO_PERSONS
            and token.is_alpha
        )

    def _is_name_part(self, place: int) -> bool:
        token = self.doc[place]
        return token.text[:1].isupper() and token.pos_ not in ("PUNCT", "DET", "PART", "SPACE", "PRON")


def _without_stop(word: str) -> str:
    return word[:-1] if word.endswith(".") and len(word) > 1 else word


class _Reference:
    """Which mentions of a document are of one person."""

    def __init__(self, parsed: _Parsed, rules: Rules) -> None:
        self._parsed, self._rules = parsed, rules
        self._number = 0
        # Those mentioned last stand last.
        self._recent: dict[int, _Person] = {}
        self._by_part: defaultdict[str, list[_Person]] = defaultdict(list)
        self._at: dict[int, _Found] = {}

    def resolve(self, found: list[_Found]) -> list[_Found]:
        """Give each mention its person; those that turn out to be of none are left out."""
        # The head of a name may be its first word.
        self._at = {place: one for one in found if one.kind == "name" for place in range(one.start, one.end)}
        self._at |= {one.head: one for one in found}
        # Full names first, so that a surname in a headline finds the name that follows.
        for one in sorted((one for one in found if one.kind == "name"), key=lambda one: -min(len(one.parts), 2)):
            one.person = self._named(one)
        self._recent = {}
        kept = []
        for one in found:
            if one.kind == "noun":
                one.person = self._noun(one)
            elif one.kind == "pronoun":
                one.person = self._referred(one)
            if one.person is not None:
                self._note(one, one.person)
                kept.append(one)
        return [one for one in kept if one.role != "unknown" or (one.person is not None and one.person.likely_gender)]

    def _note(self, one: _Found, person: _Person) -> None:
        token = self._parsed.doc[one.head]
        self._recent.pop(person.number, None)
        person.weight = person.weight * PAR[6] ** max(0, self._parsed.sentence_of[one.head] - person.last_sentence) + 1
        self._recent[person.number] = person
        person.last_sentence = self._parsed.sentence_of[one.head]
        person.last_token = one.head
        person.was_subject = token.dep_ in _SUBJECTS
        if one.gender and one.kind != "pronoun" and not person.gender:
            person.gender, person.evidence = one.gender, one.evidence

    def _new(self, is_plural: bool) -> _Person:
        person = _Person(self._number, is_plural)
        self._number += 1
        return person

    def _named(self, one: _Found) -> _Person:
        parts = one.parts
        # Those of the first and the last part of the name, the latest first.
        candidates = {person.number: person for part in (parts[0], parts[-1]) for person in self._by_part[part]}
        families = sum(len(person.parts) > 1 and person.parts[-1] == parts[-1] for person in candidates.values())
        if one.lemma:
            candidates = {number: person for number, person in candidates.items() if person.parts == parts}
        for person in sorted(candidates.values(), key=lambda person: (person.parts != parts, -person.number)):
            # Mr Lumière need not be Églantine Lumière where there are several of that name.
            if {one.lemma} - person.nouns - {""} or (person.nouns and not one.lemma):
                continue
            if len(parts) == 1 and one.gender and families > 1 and not person.gender:
                continue
            if (one.gender and person.gender and one.gender != person.gender):
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
        person.is_unknown = one.role == "unknown" and (person.is_unknown or not person.parts)
        if one.lemma:
            person.nouns.add(one.lemma)
        if len(parts) > len(person.parts):
            person.parts = parts
            for part in {parts[0], parts[-1]}:
                self._by_part[part].append(person)
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
            for person in reversed(self._recent.values()):
                if here - person.last_sentence > NOUN_REACH:
                    break
                if one.lemma in person.nouns and self._fits(person, one.gender, one.is_plural):
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

    def _mention_before(self, token: "Token") -> _Found | None:
        """Return the mention right before a relative pronoun, perhaps with a comma or a preposition between."""
        for place in range(token.i - 1, max(token.i - 4, -1), -1):
            if found := self._at.get(place):
                return found if found.kind != "pronoun" or found.role in ("demonstrative", "personal") else None
            if self._parsed.doc[place].pos_ not in ("PUNCT", "ADP"):
                break
        return None

    def _mention_at(self, token: "Token") -> _Found | None:
        return self._at.get(token.i)

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
            if before := self._mention_before(token):
                return before.person
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
        subject = self._subject_of(token)
        best, best_score = None, float("-inf")
        for person in reversed(self._recent.values()):
            distance = here - person.last_sentence
            if distance > PRONOUN_REACH:
                break
            if not self._fits(person, one.gender, one.is_plural and one.role != "possessive"):
                continue
            # He sees him: two persons.
            if person is subject and one.role == "object":
                continue
            d, su, n, g, t, f, decay, ps = PAR
            if person.is_unknown and (one.role != "personal" or not one.gender):
                continue
            score = -d * distance + su * person.was_subject + n * bool(person.parts) - UNK * person.is_unknown
            score += g * (bool(one.gender) and person.likely_gender == one.gender)
            score -= t * min(one.head - person.last_token, 60)
            score += f * (person.weight * decay ** distance) ** 0.5
            score += ps * (person is subject and one.role == "possessive")
            if score > best_score:
                best, best_score = person, score
        if best is None:
            if not one.gender:
                return None
            best = self._new(one.is_plural)
            if not self._is_generic(one, best):
                best.gender, best.evidence = one.gender, "pronoun"
        if self._is_generic(one, best):
            one.gender = ""
        elif one.gender and not best.gender:
            best.votes[one.gender] += 1
        return best

    def _is_generic(self, one: _Found, person: _Person) -> bool:
        """Whether a pronoun is a masculine plural of no known men: where nouns have a gender, it is for anyone."""
        is_known = bool(person.nouns or person.parts)
        return one.is_plural and one.gender == MASCULINE and not is_known and bool(self._rules.of_kind("article"))

    def _subject_of(self, token: "Token") -> _Person | None:
        """Return who is the subject of the verb that a pronoun belongs to, if it is not the word the pronoun is in."""
        place = token
        for _ in range(6):
            if place.pos_ in ("VERB", "AUX") or place.head == place:
                break
            if place.dep_ in _SUBJECTS:
                return None
            place = place.head
        for child in place.children:
            if child.dep_ in _SUBJECTS and child != token and (found := self._at.get(child.i)):
                return found.person
        return None
