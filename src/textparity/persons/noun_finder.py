"""Find the nouns for persons in a parsed document, and their gender."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from textparity.counting import GENDERS
from textparity.persons.agreement import grammatical_gender, is_plural
from textparity.persons.annotations import PERSON_LABELS
from textparity.persons.mention_spans import GENERIC, MentionSpan
from textparity.persons.mentions import FEMININE, MASCULINE
from textparity.persons.parsed_document import NO_MATCH, ParsedDocument, without_stop
from textparity.persons.person_nouns import NOBODY
from textparity.persons.rules import Rules

if TYPE_CHECKING:
    from spacy.tokens import Token

# Shorter titles (m., sr.) are mostly units.
_SHORTEST_TITLE = 3
# An adjective may follow a noun of at least so many letters.
_SHORTEST_NOUN = 3


class GenderEvidence(NamedTuple):
    """The gender of a noun, empty if it has none, and the source of it."""

    gender: str
    evidence: str


_NO_GENDER = GenderEvidence("", "")


class NounFinder:
    """Find nouns for persons by a lexicon, a list and the rules of a language.

    `person_nouns` are lemmas or forms in lower case, and animals after `-`. `grammatical`: nouns that can refer to
    anyone but have one gender (*persona*) get that gender.
    """

    def __init__(self, rules: Rules, person_nouns: frozenset[str], grammatical: bool) -> None:
        self._rules = rules
        self._grammatical = grammatical
        self._no_persons = rules.of_kind("no_person").keys()
        known_nouns = person_nouns | rules.of_kind("person").keys()
        self.nouns = known_nouns - self._no_persons
        animals = [word for word in person_nouns if word.startswith(NOBODY)]
        self._animals = {animal.removeprefix(NOBODY) for animal in animals}
        self._gender_by_ending = rules.of_kind("person_ending")
        self._person_endings = tuple(self._gender_by_ending)
        self._epicene_endings = tuple(rules.of_kind("epicene_ending"))
        self._feminine_endings = tuple(rules.feminine_endings.values())
        self._articles = rules.of_kind("article")
        self._markers = rules.of_kind("marker")
        self._neutral_pronouns = {*rules.of_kind("plural_pronoun"), *rules.of_kind("neutral_pronoun")}
        self._roles = rules.of_kind("before_role")
        self._kin = rules.of_kind("kin")
        self._phrases = _phrases_by_word(self._no_persons)
        # In languages with cases, words agree in gender.
        self._cased = rules.of_kind("agreement")
        self._epicene = {} if grammatical else rules.of_kind("epicene")

    def find(self, parsed: ParsedDocument) -> Iterator[MentionSpan]:
        """Find the nouns for persons in a parsed document, in text order."""
        for token in parsed.doc:
            if token.pos_ not in ("NOUN", "PROPN", "ADJ") or token.lower_ in self._neutral_pronouns:
                continue
            layer, lexical = parsed.matches.get(token.i, NO_MATCH)
            if not self._denotes_person(parsed, token, layer) or self._denotes_nobody(token, lexical):
                continue
            gender, evidence = self._gender_of(token, lexical)
            start = parsed.begins.get(token.i, token.i)
            lemma = self._lemma_of(token)
            yield MentionSpan(
                start, token.i + 1, token.i, "noun", gender, evidence, is_plural=is_plural(token), lemma=lemma
            )

    def _lemma_of(self, token: "Token") -> str:
        if self._articles and not self._cased and grammatical_gender(token) == FEMININE:
            # "Étudiantes" has the lemma "étudiant", but students of both genders are not the same persons as women.
            return token.lower_
        return token.lemma_.lower()

    def _denotes_person(self, parsed: ParsedDocument, token: "Token", layer: str) -> bool:
        """Check whether a word is a noun for a person: by the `layer` of the lexicon, a list or an ending."""
        if layer == "nouns":
            return True
        if layer == "titles":
            is_unit = len(without_stop(token.text)) < _SHORTEST_TITLE
            # In "Mr and Mrs Doe", the first title is no unit.
            if not is_unit or parsed.is_beside_title(token.i):
                return True
        # A word that the tagger takes for an adjective or a name (*the Judge*) is a noun if it has an article.
        if token.pos_ != "NOUN" and not _has_determiner(token):
            return False
        is_listed = token.lower_ in self.nouns or token.lemma_.lower() in self.nouns
        if is_listed or layer == "inclusive":
            return True
        if token.norm_.endswith(self._person_endings):
            return True
        # Animals are animate as well.
        is_animate = token.pos_ == "NOUN" and not self._cased.keys().isdisjoint(token.morph.get("Animacy"))
        return is_animate and self._animals.isdisjoint((token.lower_, token.norm_))

    def _denotes_nobody(self, token: "Token", lexical: str) -> bool:
        """Check whether a word that may be a noun for a person is none here. `lexical` is its class in the lexicon."""
        if not self._no_persons.isdisjoint((token.lower_, token.norm_)):
            return True
        if token.dep_ == "compound" and not token.ent_type_:
            return True
        if self._articles and not lexical and self._modifies(token):
            return True
        if self._is_in_phrase(token) or self._is_role(token):
            return True
        label = token.ent_type_
        return token.pos_ == "PROPN" and bool(label) and label not in PERSON_LABELS

    def _is_role(self, token: "Token") -> bool:
        """Check whether a word names a role that somebody has (*en qualité de président*)."""
        if not self._roles or token.i == 0:
            return False
        before = token.nbor(-1)
        if before.lower_ not in self._roles or token.lower_ in self._kin:
            return False
        if is_plural(token) or token.text[:1].isupper():
            return False
        following = token.doc[token.i + 1 : token.i + 2].text
        return not following[:1].isupper()

    def _modifies(self, token: "Token") -> bool:
        """Check whether a word directly follows a noun, as adjectives do (*revues généralistes*)."""
        leading = self._rules.of_kind("before_noun")
        if not token.i or not leading:
            return False
        before = token.nbor(-1)
        if before.lower_ in self._rules.of_kind("title_of"):
            return False
        singular = token.norm_.removesuffix("s")
        if before.pos_ == "ADJ" and singular.endswith(self._epicene_endings):
            # Taggers take the noun before such an adjective for one. Few adjectives stand before a noun.
            return leading.keys().isdisjoint((before.lower_, before.lemma_.lower()))
        return before.pos_ == "NOUN" and before.is_alpha and len(before) >= _SHORTEST_NOUN

    def _is_in_phrase(self, token: "Token") -> bool:
        """Check whether a word is part of a phrase that denotes no person (*chef d'œuvre*, *en chef*)."""
        phrases = self._phrases.get(token.lower_)
        if not phrases:
            return False
        first = max(0, token.i - 3)
        near = token.doc[first : token.i + 4].text.lower().replace("’", "'")
        return any(phrase in near for phrase in phrases)

    def _gender_of(self, token: "Token", lexical: str) -> GenderEvidence:
        """Find the gender of a noun for a person, and the evidence of it."""
        if not self._epicene.keys().isdisjoint((token.lower_, token.norm_)):
            return _NO_GENDER
        if lexical in GENDERS:
            return GenderEvidence(lexical, "lexicon")
        of_ending = self._gender_of_ending(token)
        if of_ending:
            return GenderEvidence(of_ending, "ending")
        children = [child.lower_ for child in token.children]
        marked = _first_gender(self._markers, children)
        if marked:
            return GenderEvidence(marked, "marker")
        if not self._articles:
            return _NO_GENDER
        agreement = self._agreement(token, children)
        if self._grammatical:
            return agreement if agreement.gender else GenderEvidence(MASCULINE, "default")
        if self._may_be_anyone(token, agreement.gender, children):
            return GenderEvidence("", GENERIC)
        return agreement

    def _gender_of_ending(self, token: "Token") -> str:
        form = token.lower_ if is_plural(token) else token.norm_
        for ending, gender in self._gender_by_ending.items():
            if gender and form.endswith(ending):
                return gender
        return ""

    def _may_be_anyone(self, token: "Token", gender: str, children: list[str]) -> bool:
        """Check whether a masculine may refer to anyone: after some words, and in the plural."""
        if is_plural(token) and MASCULINE in (gender, grammatical_gender(token)):
            return True
        if gender != MASCULINE:
            return False
        # "Chaque auteur" may be anyone, and so may somebody "comme auteur".
        quantifiers = self._rules.of_kind("quantifier").keys()
        before = token.nbor(-1).lower_ if token.i else ""
        beside = [*children, before.replace("’", "'")]
        return not quantifiers.isdisjoint(beside)

    def _agreement(self, token: "Token", children: list[str]) -> GenderEvidence:
        """Find the gender by the article, the noun's own morphology, or its adjectives."""
        of_article = _first_gender(self._articles, children)
        if of_article:
            return GenderEvidence(of_article, "agreement")
        has_plural_form = is_plural(token) and not self._cased
        own_gender = grammatical_gender(token)
        if own_gender and not self._is_guess(token, has_plural_form):
            return GenderEvidence(own_gender, "morphology")
        if has_plural_form:
            return _NO_GENDER
        for child in token.children:
            of_child = grammatical_gender(child) if child.dep_ == "amod" else ""
            if of_child:
                return GenderEvidence(of_child, "agreement")
        return _NO_GENDER

    def _is_guess(self, token: "Token", has_plural_form: bool) -> bool:
        """Check whether the tagger only guesses the gender, as of words with a single form, and of most plurals."""
        if token.lower_.endswith(self._epicene_endings):
            return True
        if not has_plural_form or self._grammatical:
            return False
        return not token.lower_.removesuffix("s").endswith(self._feminine_endings)


def _phrases_by_word(no_persons: Iterable[str]) -> dict[str, list[str]]:
    """List the phrases that denote no person, by each of their words."""
    phrases: defaultdict[str, list[str]] = defaultdict(list)
    for phrase in no_persons:
        if " " not in phrase:
            continue
        for word in phrase.replace("'", "' ").split():
            phrases[word].append(phrase)
    return phrases


def _has_determiner(token: "Token") -> bool:
    return any(child.pos_ == "DET" or child.dep_ == "poss" for child in token.children)


def _first_gender(genders: Mapping[str, str], words: Iterable[str]) -> str:
    """Look up the gender of the first word that has one. Empty if none has."""
    for word in words:
        gender = genders.get(word)
        if gender:
            return gender
    return ""
