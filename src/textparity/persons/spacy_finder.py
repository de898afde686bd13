"""The method `persons`: find who is mentioned in a text with a language pipeline, word lists and simple coreference
rules.

A mention is a name that the pipeline marks as a person (with its titles), a noun for a person (from WordNet or the
lexicon) or a pronoun of the third person. The gender comes from the word itself (lexicon, title, pronoun) or from
agreement (the article, then the noun's morphology). Otherwise it comes from a first name, or else from the pronouns
that refer to the person.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from textparity.counting.terms import TermMatcher
from textparity.persons.coreference import GENERIC, CoreferenceResolver, MentionSpan, gender_of
from textparity.persons.mentions import FEMININE, MASCULINE, UNSPECIFIED, Mention
from textparity.persons.rules import ANY, Rules

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

PERSON_LABELS = frozenset({"PER", "PERSON"})
GENDERS = {FEMININE, MASCULINE}
# A form is a person's name if at least this number and this share of its occurrences look like one.
MIN_SIGNS, SHARE_OF_SIGNS = 2, 0.25
# Names without a label have at most this many words, and are not among these words.
LONGEST_UNKNOWN = 2
NO_PERSONS = frozenset({"NORP", "LANGUAGE", "DATE", "TIME", "EVENT", "LAW", "MONEY", "FAC", "GPE", "LOC", "ORG"})
_ACTORS = frozenset({"nsubj", "nsubj:pass", "nsubjpass", "vocative", "obl:agent"})
# Words between a title and a name: the duke of, le comte de.
_OF = frozenset({"de", "d'", "du", "des", "of"})


class PersonFinder:
    """Find persons in documents of one language, parsed by a spaCy pipeline.

    `matcher` has all layers of the language's lexicon. `person_nouns` are lemmas or forms in lower case. `grammatical`:
    nouns that can refer to anyone but have one gender (*persona*) get that gender, as grammarians annotate it.
    """

    def __init__(
        self, rules: Rules, matcher: TermMatcher, person_nouns: frozenset[str], grammatical: bool = False
    ) -> None:
        self._rules, self._matcher = rules, matcher
        self._nouns = (person_nouns | rules.of_kind("person").keys()) - rules.of_kind("no_person").keys()
        self._endings = tuple(rules.of_kind("person_ending"))
        self._told = {ending: gender for ending, gender in rules.of_kind("person_ending").items() if gender}
        self._epicene_endings = tuple(rules.of_kind("epicene_ending"))
        self._articles, self._markers = rules.of_kind("article"), rules.of_kind("marker")
        self._places = rules.of_kind("before_place")
        self._impersonal = rules.of_kind("impersonal")
        self._grammatical = grammatical
        self._epicene = {} if grammatical else rules.of_kind("epicene")

    def find(self, doc: "Doc") -> list[Mention]:
        """Find the mentions of persons in a parsed document, in text order."""
        parsed = _Parsed(doc, self._matcher)
        names = list(self._names(parsed))
        taken = {place for name in names for place in range(name.start, name.end)}
        nouns = [noun for noun in self._common_nouns(parsed) if noun.head not in taken]
        taken |= {noun.head for noun in nouns}
        pronouns = [pronoun for pronoun in self._pronouns(parsed) if pronoun.head not in taken]
        taken |= {pronoun.head for pronoun in pronouns}
        perhaps = [] if self._articles else list(parsed.unknown_names(taken, self._places))
        found = sorted([*names, *nouns, *pronouns, *perhaps], key=lambda one: (one.start, one.end))
        return [
            _mention(parsed, one) for one in CoreferenceResolver(doc, parsed.sentence_of, self._rules).resolve(found)
        ]

    def common_nouns(self, doc: "Doc") -> list[MentionSpan]:
        """Find the nouns for persons in a parsed document."""
        return list(self._common_nouns(_Parsed(doc, self._matcher)))

    def _names(self, parsed: "_Parsed") -> Iterator[MentionSpan]:
        doc = parsed.doc
        taken = -1
        spans = parsed.name_spans(self._places)
        begins = {start for start, _ in spans}
        for start, end in spans:
            # Hurricane Rosa is not a person.
            if start < taken or (start and doc[start - 1].lower_ in self._rules.of_kind("no_person_after")):
                continue
            # "President Trump" is one mention.
            if end == start + 1 and end in begins and doc[start].lower_ in self._nouns:
                continue
            first, gender = self._titles_before(parsed, start)
            first = max(first, taken)
            relation = ""
            if first == start > taken and (gender := parsed.gender_in("nouns", first - 1) if first else ""):
                # "Mother Noël" is not the same person as "Noël".
                first -= 1
                relation = parsed.doc[first].lower_
            # The pipeline took this title for part of the name.
            begin = start
            while begin < end - 1 and (title := parsed.title_gender(begin)) is not None:
                gender = gender or title
                begin += 2 if doc[begin + 1].text == "." and begin + 2 < end else 1
            parts = tuple(token.lower_ for token in doc[begin:end] if token.text[:1].isalpha())
            if not parts:
                continue
            evidence = "title" if gender else ""
            if not gender and (gender := parsed.gender_in("names", begin)):
                evidence = "first name"
            taken = end
            yield MentionSpan(first, end, end - 1, "name", gender, evidence, parts=parts, lemma=relation)

    def _titles_before(self, parsed: "_Parsed", start: int) -> tuple[int, str]:
        """Find where the titles before a name begin, and the gender that they imply."""
        gender, place = "", start
        while place > 0:
            before = place - 1
            word = parsed.doc[before]
            if word.text == "." and before > 0:
                before -= 1
            elif word.lower_.replace("’", "'") in _OF and before > 0:
                # In "the duke of Carigliano", the title goes on with "of". In "his wife of Paris", it does not.
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

    def _common_nouns(self, parsed: "_Parsed") -> Iterator[MentionSpan]:
        for token in parsed.doc:
            if token.pos_ not in ("NOUN", "PROPN", "ADJ"):
                continue
            match = parsed.match_at(token.i)
            layer, lexical = match if match is not None else ("", "")
            # Short titles (m., sr.) are mostly units and the like, unless a name or another title follows (Mr and Mrs
            # Doe).
            is_title = layer == "titles" and (len(_without_stop(token.text)) > 3 or parsed.is_beside_title(token.i))
            known = layer in ("nouns", "inclusive") or is_title
            # A word that the tagger takes for an adjective is a noun if it has an article.
            is_noun = token.pos_ == "NOUN" or (token.pos_ == "ADJ" and any(c.pos_ == "DET" for c in token.children))
            by_list = is_noun and (
                token.lemma_.lower() in self._nouns
                or token.lower_ in self._nouns
                or token.lower_.endswith(self._endings)
            )
            if not (known or by_list) or token.lower_ in self._rules.of_kind("no_person"):
                continue
            if token.dep_ == "compound" and not token.ent_type_:
                continue
            if token.pos_ == "PROPN" and token.ent_type_ and token.ent_type_ not in PERSON_LABELS:
                continue
            gender, evidence = self._gender_of_noun(token, lexical)
            is_plural = "Plur" in token.morph.get("Number")
            yield MentionSpan(
                token.i, token.i + 1, token.i, "noun", gender, evidence, is_plural, lemma=token.lemma_.lower()
            )

    def _gender_of_noun(self, token: "Token", lexical: str) -> tuple[str, str]:
        if token.lower_ in self._epicene:
            return "", ""
        if lexical in GENDERS:
            return lexical, "lexicon"
        if gender := next((told for ending, told in self._told.items() if token.lower_.endswith(ending)), ""):
            return gender, "ending"
        children = [child.lower_ for child in token.children]
        for child in children:
            if marked := self._markers.get(child):
                return marked, "marker"
        if not self._articles:
            return "", ""
        gender, evidence = self._agreement(token, children)
        if self._grammatical:
            return gender or MASCULINE, evidence or "default"
        if "Plur" in token.morph.get("Number") and MASCULINE in (gender, gender_of(token)):
            # The masculine plural may refer to anyone.
            return "", GENERIC
        return gender, evidence

    def _agreement(self, token: "Token", children: list[str]) -> tuple[str, str]:
        for child in children:
            if gender := self._articles.get(child):
                return gender, "agreement"
        is_plural = "Plur" in token.morph.get("Number")
        # The tagger only guesses the gender of words with a single form, and of most plurals.
        is_guess = token.lower_.endswith(self._epicene_endings) or (is_plural and not self._grammatical)
        if (found := gender_of(token)) and not is_guess:
            return found, "morphology"
        for child in token.children:
            if child.dep_ == "amod" and not is_plural and (found := gender_of(child)):
                return found, "agreement"
        return "", ""

    def _pronouns(self, parsed: "_Parsed") -> Iterator[MentionSpan]:
        for token in parsed.doc:
            row = self._rules.pronouns.get(token.lower_.replace("’", "'"))
            if not self._rules.pronouns and (told := parsed.gender_in("pronouns", token.i)):
                # A language without pronoun rows of its own uses the pronouns of its lexicon.
                row = told, "possessive" if token.pos_ == "DET" else "personal"
            if row is None:
                continue
            gender, role = row
            is_plural = "Plur" in token.morph.get("Number") and role != "possessive"
            is_it = role == "personal" and gender == MASCULINE and not is_plural
            if is_it and self._is_impersonal(token):
                continue
            if role == "object":
                # The word is an article unless a verb follows.
                if not _is_before_verb(token):
                    continue
                if {token.nbor(1).lemma_, token.head.lemma_} & self._rules.of_kind("clause_verb").keys():
                    continue
                is_plural = token.lower_.endswith(("s", "r"))
            elif role == "either":
                # A clitic may refer to any gender; a stressed form may not.
                role, gender = ("personal", gender) if self._is_stressed(token) else ("dative", ANY)
            elif role == "joint possessive":
                role, is_plural = "possessive", True
            elif role == "demonstrative":
                if token.i + 1 == len(token.doc) or token.nbor(1).lower_ not in self._rules.of_kind("relative"):
                    continue
            elif role != "personal" and gender == ANY and token.pos_ not in ("PRON", "DET", "ADJ"):
                # The noun *son* may also mean a sound. A form with a gender of its own is a pronoun, such as *hers*,
                # which taggers take for a noun.
                continue
            yield MentionSpan(
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
        """Check whether a pronoun is the subject of an impersonal verb (*il faut*, *il y a*, *il est vrai que*)."""
        words = self._rules.of_kind
        clitics = words("clitic")
        if not clitics:
            return False
        place = token.i + 1
        while place < len(token.doc) and token.doc[place].lower_.replace("’", "'") in clitics:
            place += 1
        seen = [word.lower_ for word in token.doc[token.i + 1 : place]]
        if token.lower_.startswith("-"):
            place = token.i - 2 if token.i > 1 and token.nbor(-1).lower_ == "-t" else token.i - 1
        if not 0 <= place < len(token.doc):
            return False
        verb = token.doc[place]
        near = [word.lower_.replace("’", "'") for word in token.doc[max(place, token.i) + 1 : max(place, token.i) + 5]]
        forms = {verb.lower_, verb.lemma_.lower()}
        if near[:1] == ["été"]:
            forms, near = {"être"}, near[1:]
        near = near[:3]
        if "y" in seen and verb.lower_ in words("there_is"):
            # "Il y a eu" is impersonal, but "il y a laissé" is not.
            after = token.doc[place + 1] if place + 1 < len(token.doc) else verb
            return after.lower_ == "eu" or "Part" not in after.morph.get("VerbForm")
        if "en" in seen and forms & {"être", "aller"}:
            return bool({"de", "ainsi"} & set(near[:1]))
        if forms & self._impersonal.keys():
            return True
        if forms & words("impersonal_that").keys():
            return any(word in words("that") for word in near)
        if forms & words("impersonal_be").keys():
            return any(word in words("impersonal_state") for word in near) or near[1:2] in (["que"], ["qu'"])
        return False

    @staticmethod
    def _is_stressed(token: "Token") -> bool:
        """Check whether a pronoun is stressed, that is, stands by itself (*avec lui*, *lui, il …*)."""
        before = token.nbor(-1) if token.i else None
        after = token.nbor(1) if token.i + 1 < len(token.doc) else None
        if before is not None and before.pos_ in ("ADP", "CCONJ"):
            return after is None or after.pos_ not in ("VERB", "AUX")
        return after is None or after.is_punct


def _is_before_verb(token: "Token") -> bool:
    """Check whether a word is a clitic: a finite verb or an infinitive follows it, possibly after another clitic."""
    if token.i + 1 == len(token.doc):
        return False
    following = token.nbor(1)
    if following.lower_ in ("lui", "leur", "y", "en") and token.i + 2 < len(token.doc):
        following = token.nbor(2)
    return following.pos_ in ("VERB", "AUX") and "Part" not in following.morph.get("VerbForm")


def _mention(parsed: "_Parsed", found: MentionSpan) -> Mention:
    doc, person = parsed.doc, found.person
    assert person is not None
    gender, evidence = found.gender, found.evidence
    if not gender and person.likely_gender:
        gender, evidence = person.likely_gender, person.evidence or "pronouns"
    start, end = doc[found.start].idx, doc[found.end - 1].idx + len(doc[found.end - 1])
    return Mention(start, end, parsed.text[start:end], found.kind, gender or UNSPECIFIED, person.number, evidence)


class _Parsed:
    """A document together with the lexicon's matches in it, by token."""

    def __init__(self, doc: "Doc", matcher: TermMatcher) -> None:
        # Stored because each access to `doc.text` joins the words again.
        self.doc, self.text = doc, doc.text
        places: list[int] = []
        sentences: list[list[str]] = []
        self.sentence_of = [0] * len(doc)
        for number, sentence in enumerate(doc.sents):
            words: list[str] = []
            for token in sentence:
                self.sentence_of[token.i] = number
                if token.is_space:
                    continue
                word = _without_stop(token.lower_)
                # The lexicon lists titles without their full stop. In contexts, the full stop is a word of its own
                # (*M.*).
                parts = [word] if word == token.lower_ else [word, "."]
                words += parts
                places += [token.i] * len(parts)
            sentences.append(words)
        self._matches: dict[int, tuple[str, str]] = {}
        fold = matcher.folding.fold
        folded = [[fold(word) for word in words] for words in sentences]
        for match in matcher.match(folded, fold(self.text)):
            (gender,) = match.classes if len(match.classes) == 1 else ("",)
            self._matches.setdefault(places[match.start], (match.layer, gender))

    def match_at(self, place: int) -> tuple[str, str] | None:
        """Look up the layer and class of the form that begins at a token."""
        return self._matches.get(place)

    def title_gender(self, place: int) -> str | None:
        """Look up the gender of a title or a capitalised person noun. Empty for any gender, None for other words."""
        token = self.doc[place]
        layer, gender = self._matches.get(place, ("", ""))
        if layer == "titles" or (layer == "nouns" and token.text[:1].isupper()):
            return gender if gender in GENDERS else ""
        return None

    def gender_in(self, layer: str, place: int) -> str:
        """Look up the gender that a layer of the lexicon gives to a token. Empty if it gives none."""
        found, gender = self._matches.get(place, ("", ""))
        return gender if found == layer and gender in GENDERS else ""

    def name_spans(self, places: Collection[str]) -> list[tuple[int, int]]:
        """Find the names of persons: those that the pipeline marks, and first names with the words that follow."""
        spans = []
        for entity in self.doc.ents:
            if entity.label_ not in PERSON_LABELS:
                continue
            start, end = entity.start, entity.end
            while start < end and not self._is_name_part(start):
                start += 1
            while end > start and not self._is_name_part(end - 1):
                end -= 1
            # A title alone is not a name, but the words after it may be one.
            if not all(self._is_title(place) for place in range(start, end)):
                spans.append((start, end))
        taken = {place for start, end in spans for place in range(start, end)}
        for place, (layer, _) in self._matches.items():
            token = self.doc[place]
            begin = end = place
            if layer == "titles" and token.text[:1].isupper():
                # A name after a title is that of a person, whatever label the pipeline gives it.
                begin += 2 if place + 1 < len(self.doc) and self.doc[place + 1].text == "." else 1
                end = begin + (begin < len(self.doc) and begin not in taken and self._may_follow_title(begin))
            elif layer != "names" or token.pos_ != "PROPN" or token.ent_type_:
                continue
            while end < len(self.doc) and self._goes_on(begin, end) and end not in taken:
                end += 1
            if end > begin and begin not in taken:
                spans.append((begin, end))
                taken.update(range(begin, end))
        return sorted([*spans, *self._names_seen_elsewhere(taken, places)])

    def _is_title(self, place: int) -> bool:
        return self._matches.get(place, ("", ""))[0] == "titles"

    def is_beside_title(self, place: int) -> bool:
        """Check whether a title is followed by a conjunction and another title."""
        place += 2 if place + 1 < len(self.doc) and self.doc[place + 1].text == "." else 1
        return place + 1 < len(self.doc) and self.doc[place].pos_ == "CCONJ" and self._is_title(place + 1)

    def _may_follow_title(self, place: int) -> bool:
        """Check whether the word after a title is a name. Many names are ordinary words as well (*M. Petit*)."""
        token, is_stop = self.doc[place], self.doc[place - 1].text.endswith(".")
        # Without a full stop, a title does not end a sentence, though the parser may split there (*Mme Le Pen*).
        begins = token.is_sent_start and is_stop
        return token.is_alpha and token.text[0].isupper() and not begins and not self._is_title(place)

    def _goes_on(self, begin: int, place: int) -> bool:
        token, first = self.doc[place], self.doc[begin]
        if token.pos_ != "PROPN" or not token.text[:1].isupper():
            return False
        return place == begin or token.ent_type_ == first.ent_type_

    def _names_seen_elsewhere(self, taken: set[int], before_places: Collection[str]) -> Iterator[tuple[int, int]]:
        """Find more occurrences of names that the pipeline marks as persons elsewhere, or that act like persons."""
        forms: defaultdict[str, list[int]] = defaultdict(list)
        for token in self.doc:
            if token.text[:1].isupper() and len(token) > 2 and token.pos_ in ("PROPN", "NOUN", "ADJ"):
                forms[token.text].append(token.i)
        known: set[int] = set()
        for where in forms.values():
            signs = sum(place in taken for place in where)
            signs += sum(self._acts(place) for place in where if place not in taken)
            signs -= sum(self.doc[place - 1].lower_ in before_places for place in where if place)
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
        """Check whether a word's capital is that of a name: not at the start of a sentence, and not all capitals."""
        token = self.doc[place]
        return not token.is_sent_start and token.pos_ == "PROPN" and not token.text.isupper()

    def unknown_names(self, taken: set[int], before_places: Collection[str]) -> Iterator[MentionSpan]:
        """Find other names that may be persons', such as those to which *he* or *she* refers if things are *it*."""
        end = 0
        places = {token.text for token in self.doc if token.i and token.nbor(-1).lower_ in before_places}
        for token in self.doc:
            start = token.i
            if token.text in places or start < end or not self._may_be_name(start, taken):
                continue
            end = start + 1
            while end < len(self.doc) and self._may_be_name(end, taken):
                end += 1
            if end - start <= LONGEST_UNKNOWN and not token.is_sent_start:
                parts = tuple(word.lower_ for word in self.doc[start:end])
                yield MentionSpan(start, end, end - 1, "name", "", "", parts=parts, role="unknown")

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
