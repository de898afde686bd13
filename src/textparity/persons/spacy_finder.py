"""The method `persons`: find who is mentioned, with a language pipeline, word lists and simple coreference rules.

A mention is a name that the pipeline marks as a person (with its titles), a noun for a person (from WordNet or the
lexicon) or a pronoun of the third person. The gender comes from the word itself (lexicon, title, pronoun) or from
agreement (the article, then the noun's morphology). Otherwise it comes from a first name, or else from the pronouns
that refer to the person.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from textparity.counting import GENDERS
from textparity.counting.name_forms import WORDS_BESIDE
from textparity.counting.terms import TermMatcher
from textparity.persons.annotations import PERSON_LABELS
from textparity.persons.coreference import GENERIC, CoreferenceResolver, grammatical_gender, verb_gender
from textparity.persons.impersonal import ImpersonalFinder
from textparity.persons.mention_spans import NEUTRAL_ROLES, PERHAPS_THEY, SINGULAR_THEY, SUBJECTS, MentionSpan
from textparity.persons.mentions import ANY, FEMININE, MASCULINE, NOBODY, UNSPECIFIED, Mention, Rules
from textparity.persons.pronoun_hints import count_pronouns_after
from textparity.persons.things import NO_PERSONS, Name, find_things

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# A form is a person's name if at least this number and this share of its occurrences look like one.
MIN_SIGNS, SHARE_OF_SIGNS = 2, 0.25
# Names without a label have at most this many words, and are not among these words.
LONGEST_UNKNOWN = 2
_ACTORS = frozenset({"nsubj", "nsubj:pass", "nsubjpass", "vocative", "obl:agent"})
# Labels that pipelines also give to a single first name.
MISTAKEN = frozenset({"GPE", "LOC", "ORG", "FAC", "PRODUCT", "MISC"})
# Words between a title and a name: the duke of, le comte de.
_OF = frozenset({"de", "d'", "du", "des", "of"})
# A first name and the further names, in lower case, and the words before and after them.
NameDecider = Callable[[str, list[str], list[str], list[str]], str]


class PersonFinder:
    """Find persons in documents of one language, parsed by a spaCy pipeline.

    `matcher` has all layers of the language's lexicon. `person_nouns` are lemmas or forms in lower case, and animals
    after `-`. `grammatical`: nouns that can refer to anyone but have one gender (*persona*) get that gender.
    `decide_name` decides the gender of a first name that inflects, by the further names and the words beside it.
    """

    def __init__(
        self,
        rules: Rules,
        matcher: TermMatcher,
        person_nouns: frozenset[str],
        grammatical: bool = False,
        decide_name: NameDecider | None = None,
    ) -> None:
        self.rules, self._matcher, self._decide_name = rules, matcher, decide_name
        self._nouns = (person_nouns | rules.of_kind("person").keys()) - rules.of_kind("no_person").keys()
        self._animals = {word.removeprefix(NOBODY) for word in person_nouns if word.startswith(NOBODY)}
        self._no_persons = rules.of_kind("no_person")
        self._endings = rules.of_kind("person_ending")
        self._person_endings = tuple(self._endings)
        self._epicene_endings = tuple(rules.of_kind("epicene_ending"))
        self._feminine_endings = tuple(rules.feminine_endings.values())
        self._articles, self._markers = rules.of_kind("article"), rules.of_kind("marker")
        self._neutral = dict.fromkeys(rules.of_kind("plural_pronoun"), PERHAPS_THEY)
        self._neutral |= dict.fromkeys(rules.of_kind("neutral_pronoun"), SINGULAR_THEY)
        self._impersonal = rules.of_kind("impersonal")
        self._impersonals = ImpersonalFinder(rules)
        self._phrases: defaultdict[str, list[str]] = defaultdict(list)
        for phrase in self._no_persons:
            if " " not in phrase:
                continue
            for word in phrase.replace("'", "' ").split():
                self._phrases[word].append(phrase)
        self._cased = rules.of_kind("agreement")
        self._grammatical = grammatical
        self._epicene = {} if grammatical else rules.of_kind("epicene")

    def find(self, doc: "Doc") -> list[Mention]:
        """Find the mentions of persons in a parsed document, in text order."""
        if self._cased:
            _mend_tags(doc)
        parsed = _Parsed(doc, self._matcher, self.rules)
        names, things = self._persons_of(parsed, list(self._names(parsed)))
        taken: set[int] = set()
        for name in names:
            taken.update(range(name.start, name.end))
        nouns = [noun for noun in self._common_nouns(parsed) if noun.head not in taken]
        taken.update(noun.head for noun in nouns)
        pronouns = [pronoun for pronoun in self._pronouns(parsed) if pronoun.head not in taken]
        taken.update(pronoun.head for pronoun in pronouns)
        mentions = [*names, *nouns, *pronouns]
        if not self._articles:
            mentions += [name for name in parsed.unknown_names(taken) if " ".join(name.parts) not in things]
        mentions.sort(key=lambda mention: (mention.start, mention.end))
        resolver = CoreferenceResolver(doc, parsed.sentence_of, self.rules)
        return [_mention(parsed, mention) for mention in resolver.resolve(mentions)]

    def _persons_of(self, parsed: "_Parsed", names: list[MentionSpan]) -> tuple[list[MentionSpan], set[str]]:
        """Leave out the names of things. Also returns those names, in lower case."""
        doc = parsed.doc
        untitled = [_without_titles(doc, name) for name in names]
        # Where things are called he or she (il, elle), the pronouns after a name show nothing.
        votes = {} if self._impersonal else count_pronouns_after(doc, names, self.rules)
        pronouns = {parts: genders[FEMININE] + genders[MASCULINE] for parts, genders in votes.items()}
        words = [word.text for word in doc]
        labels = [word.ent_type_ for word in doc]
        thing_numbers, things = find_things(words, labels, untitled, self.rules, pronouns)
        persons = [name for index, name in enumerate(names) if index not in thing_numbers]
        return persons, things

    def common_nouns(self, doc: "Doc") -> list[MentionSpan]:
        """Find the nouns for persons in a parsed document."""
        return list(self._common_nouns(_Parsed(doc, self._matcher, self.rules)))

    def _names(self, parsed: "_Parsed") -> Iterator[MentionSpan]:
        doc = parsed.doc
        taken = -1
        spans = parsed.name_spans()
        begins = {start for start, _ in spans}
        for start, end in spans:
            if start < taken:
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
                relation = doc[first].lower_
            # The pipeline took this title for part of the name.
            begin = start
            is_neutral = parsed.is_neutral_title(first - 1)
            while begin < end - 1 and parsed.is_neutral_title(begin):
                is_neutral, begin = True, begin + 1
            while begin < end - 1 and (title := parsed.title_gender(begin)) is not None:
                gender = gender or title
                begin += 2 if doc[begin + 1].text == "." and begin + 2 < end else 1
            if (
                start < begin < end - 1
                and doc[begin].lower_ in _OF
                and doc[begin + 1 : end].text.lower() in self.rules.places
            ):
                # In "the King of Athens", the person is a king, and Athens is not a name.
                continue
            parts = tuple(token.norm_ for token in doc[begin:end] if token.text[:1].isalpha())
            if not parts or any(token.text.isdigit() for token in doc[begin:end]):
                continue
            first_name = self._gender_of_name(parsed, begin, end)
            is_titled = any(parsed.is_title(place) for place in range(first, begin))
            if (gender, first_name) == (MASCULINE, FEMININE) and len(parts) > 1 and not is_titled:
                # The masculine word for an office says less than a first name (*President Ursula von der Leyen*).
                gender = ""
            evidence = "title" if gender else "first name" if first_name else ""
            gender = gender or first_name
            taken = end
            yield MentionSpan(
                *(first, end, end - 1, "name", gender, evidence),
                parts=parts, lemma=relation, name_start=begin, first_name=first_name, is_neutral=is_neutral,
            )  # fmt: skip

    def _gender_of_name(self, parsed: "_Parsed", begin: int, end: int) -> str:
        """Find the gender of a name without its titles: by a list or, in languages with cases, by agreement."""
        listed = parsed.gender_in("names", begin)
        if not self._cased:
            return listed
        words = [token.lower_ for token in parsed.doc[begin:end]]
        before, after = parsed.words_beside(begin, end)
        if self._decide_name is not None and (decided := self._decide_name(words[0], words[1:], before, after)):
            return decided
        return parsed.agreeing_gender(begin, end) or listed or parsed.gender_in("names", end - 1)

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
                if parsed.doc[before].lower_ not in self.rules.of_kind("title_of"):
                    break
                if parsed.doc[start].lower_ in self.rules.places:
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
            if token.pos_ not in ("NOUN", "PROPN", "ADJ") or token.lower_ in self._neutral:
                continue
            layer, lexical = parsed.matches.get(token.i, ("", ""))
            if not self._denotes_person(parsed, token, layer) or self._denotes_nobody(token, lexical):
                continue
            gender, evidence = self._gender_of_noun(token, lexical)
            lemma = token.lemma_.lower()
            if self._articles and not self._cased and grammatical_gender(token) == FEMININE:
                # "Étudiantes" has the lemma "étudiant", but students of both genders are not the same persons as women.
                lemma = token.lower_
            is_plural = "Plur" in token.morph.get("Number")
            start = parsed.begins.get(token.i, token.i)
            yield MentionSpan(start, token.i + 1, token.i, "noun", gender, evidence, is_plural, lemma=lemma)

    def _denotes_person(self, parsed: "_Parsed", token: "Token", layer: str) -> bool:
        """Check whether a word is a noun for a person: by the `layer` of the lexicon, a list or an ending."""
        if layer == "nouns":
            return True
        # Short titles (m., sr.) are mostly units, unless a name or another title follows (Mr and Mrs Doe).
        if layer == "titles" and (len(_without_stop(token.text)) > 2 or parsed.is_beside_title(token.i)):
            return True
        # A word that the tagger takes for an adjective or a name (*the Judge*) is a noun if it has an article.
        is_noun = token.pos_ == "NOUN" or any(c.pos_ == "DET" or c.dep_ == "poss" for c in token.children)
        if not is_noun:
            return False
        if layer == "inclusive" or token.lemma_.lower() in self._nouns or token.lower_ in self._nouns:
            return True
        if token.norm_.endswith(self._person_endings):
            return True
        # Animals are animate as well.
        is_animate = token.pos_ == "NOUN" and not self._cased.keys().isdisjoint(token.morph.get("Animacy"))
        return is_animate and self._animals.isdisjoint((token.lower_, token.norm_))

    def _denotes_nobody(self, token: "Token", lexical: str) -> bool:
        """Check whether a word that may be a noun for a person is none here. `lexical` is its class in the lexicon."""
        if not self._no_persons.keys().isdisjoint((token.lower_, token.norm_)):
            return True
        if token.dep_ == "compound" and not token.ent_type_:
            return True
        if self._articles and not lexical and self._modifies(token):
            return True
        if self._is_in_phrase(token):
            return True
        return token.pos_ == "PROPN" and bool(token.ent_type_) and token.ent_type_ not in PERSON_LABELS

    def _modifies(self, token: "Token") -> bool:
        """Check whether a word directly follows a noun, as adjectives do (*revues généralistes*)."""
        leading = self.rules.of_kind("before_noun")
        if not token.i or not leading:
            return False
        before = token.nbor(-1)
        is_noun = before.pos_ == "NOUN" and len(before) > 2 and before.is_alpha
        singular = token.norm_.removesuffix("s")
        if before.pos_ == "ADJ" and singular.endswith(self._epicene_endings):
            # Taggers take the noun before such an adjective for one. Few adjectives stand before a noun.
            is_noun = leading.keys().isdisjoint((before.lower_, before.lemma_.lower()))
        return is_noun and before.lower_ not in self.rules.of_kind("title_of")

    def _is_in_phrase(self, token: "Token") -> bool:
        """Check whether a word is part of a phrase that denotes no person (*chef d'œuvre*, *en chef*)."""
        phrases = self._phrases.get(token.lower_)
        if not phrases:
            return False
        first = max(0, token.i - 3)
        near = token.doc[first : token.i + 4].text.lower().replace("’", "'")
        return any(phrase in near for phrase in phrases)

    def _gender_of_noun(self, token: "Token", lexical: str) -> tuple[str, str]:
        """Find the gender of a noun for a person, and the evidence of it."""
        if not self._epicene.keys().isdisjoint((token.lower_, token.norm_)):
            return "", ""
        if lexical in GENDERS:
            return lexical, "lexicon"
        is_plural = "Plur" in token.morph.get("Number")
        form = token.lower_ if is_plural else token.norm_
        for ending, of_ending in self._endings.items():
            if of_ending and form.endswith(ending):
                return of_ending, "ending"
        children = [child.lower_ for child in token.children]
        marked = _first_gender(self._markers, children)
        if marked:
            return marked, "marker"
        if not self._articles:
            return "", ""
        gender, evidence = self._agreement(token, children)
        if self._grammatical:
            return gender or MASCULINE, evidence or "default"
        before = token.nbor(-1).lower_.replace("’", "'") if token.i else ""
        quantifiers = self.rules.of_kind("quantifier").keys()
        if gender == MASCULINE and not quantifiers.isdisjoint((*children, before)):
            # "Chaque auteur" may be anyone, and so may somebody "comme auteur".
            return "", GENERIC
        if is_plural and MASCULINE in (gender, grammatical_gender(token)):
            # The masculine plural may refer to anyone.
            return "", GENERIC
        return gender, evidence

    def _agreement(self, token: "Token", children: list[str]) -> tuple[str, str]:
        of_article = _first_gender(self._articles, children)
        if of_article:
            return of_article, "agreement"
        is_plural = "Plur" in token.morph.get("Number") and not self._cased
        # The tagger only guesses the gender of words with a single form, and of most plurals.
        is_marked = token.lower_.removesuffix("s").endswith(self._feminine_endings) and not self._cased
        is_guess = token.lower_.endswith(self._epicene_endings)
        is_guess |= is_plural and not self._grammatical and not is_marked
        own_gender = grammatical_gender(token)
        if own_gender and not is_guess:
            return own_gender, "morphology"
        if is_plural:
            return "", ""
        for child in token.children:
            of_child = grammatical_gender(child) if child.dep_ == "amod" else ""
            if of_child:
                return of_child, "agreement"
        return "", ""

    def _pronouns(self, parsed: "_Parsed") -> Iterator[MentionSpan]:
        for token in parsed.doc:
            row = self.rules.pronouns.get(token.lower_.replace("’", "'"))
            if not self.rules.pronouns and (told := parsed.gender_in("pronouns", token.i)):
                # A language without pronoun rows of its own uses the pronouns of its lexicon.
                row = told, "possessive" if token.pos_ == "DET" else "personal"
            if row is None:
                if token.lower_ in self._neutral:
                    role = self._neutral[token.lower_]
                    yield MentionSpan(token.i, token.i + 1, token.i, "pronoun", "", "", role=role)
                continue
            gender, role = row
            is_plural = "Plur" in token.morph.get("Number") and role != "possessive"
            is_it = role == "personal" and gender == MASCULINE and not is_plural
            if is_it and self._impersonals.is_impersonal(token):
                continue
            if role == "object":
                # The word is an article unless a verb follows.
                if not _is_before_verb(token):
                    continue
                if {token.nbor(1).lemma_, token.head.lemma_} & self.rules.of_kind("clause_verb").keys():
                    continue
                is_plural = token.lower_.endswith(("s", "r"))
            elif role == "either":
                # A clitic may refer to any gender; a stressed form may not.
                role, gender = ("personal", gender) if self._is_stressed(token) else ("dative", ANY)
            elif role == "joint possessive":
                role, is_plural = "personal" if self._cased else "possessive", True
            elif role == "demonstrative":
                if token.i + 1 == len(token.doc) or token.nbor(1).lower_ not in self.rules.of_kind("relative"):
                    continue
            elif role != "personal" and gender == ANY and token.pos_ not in ("PRON", "DET", "ADJ"):
                # The noun *son* may also mean a sound. A form with a gender of its own is a pronoun, such as *hers*,
                # which taggers take for a noun.
                continue
            elif role == "personal" and self._cased and "Nom" not in token.morph.get("Case"):
                role = "object"
            gender = "" if gender == ANY else gender
            yield MentionSpan(token.i, token.i + 1, token.i, "pronoun", gender, "pronoun", is_plural, role=role)

    @staticmethod
    def _is_stressed(token: "Token") -> bool:
        """Check whether a pronoun is stressed, that is, stands by itself (*avec lui*, *lui, il …*)."""
        is_last = token.i + 1 == len(token.doc)
        if is_last:
            return True
        after = token.nbor(1)
        follows_preposition = token.i > 0 and token.nbor(-1).pos_ in ("ADP", "CCONJ")
        if follows_preposition:
            return after.pos_ not in ("VERB", "AUX")
        return after.is_punct


def _mend_tags(doc: "Doc") -> None:
    """Take capitalised foreign words for names, and lemmas for the normal forms, in a language with cases."""
    for token in doc:
        # Many foreign names are tagged as other foreign words.
        if token.pos_ == "X" and token.text[:1].isupper():
            token.pos_ = "PROPN"
        token.norm_ = token.lemma_.lower()


def _without_titles(doc: "Doc", name: MentionSpan) -> Name:
    parts = name.parts
    # The pipeline may take a word before the name as part of it (*Unbeaten Ayr*).
    if len(parts) > 1 and doc[name.name_start].pos_ in ("ADJ", "VERB"):
        parts = parts[1:]
    return Name(
        start=name.name_start,
        end=name.end,
        parts=parts,
        is_titled=name.evidence == "title" or bool(name.lemma),
        is_first=bool(name.first_name),
        plural=_number_of_verb(doc[name.head]) if len(parts) == 1 else 0,
    )


def _first_gender(genders: Mapping[str, str], words: Iterable[str]) -> str:
    """Look up the gender of the first word that has one. Empty if none has."""
    for word in words:
        gender = genders.get(word)
        if gender:
            return gender
    return ""


def _number_of_verb(token: "Token") -> int:
    """Return 1 for the subject of a plural verb, -1 for that of a singular one, else 0 (English only)."""
    if token.dep_ not in SUBJECTS or any(child.dep_ in ("conj", "cc") for child in token.children):
        return 0
    finite = token.head
    for word in token.head.children:
        if word.dep_ in ("aux", "auxpass"):
            finite = word
            break
    if finite.i <= token.i:
        return 0
    return {"VBP": 1, "VBZ": -1}.get(finite.tag_, 0)


def _is_before_verb(token: "Token") -> bool:
    """Check whether a word is a clitic: a finite verb or an infinitive follows it, possibly after another clitic."""
    following = token.i + 1
    if following == len(token.doc):
        return False
    if token.doc[following].lower_ in ("lui", "leur", "y", "en") and following + 1 < len(token.doc):
        following += 1
    verb = token.doc[following]
    return verb.pos_ in ("VERB", "AUX") and "Part" not in verb.morph.get("VerbForm")


def _mention(parsed: "_Parsed", span: MentionSpan) -> Mention:
    person = span.person
    assert person is not None
    gender, evidence = span.gender, span.evidence
    if not gender and span.role not in NEUTRAL_ROLES:
        likely_gender = person.likely_gender
        if likely_gender:
            gender, evidence = likely_gender, person.evidence or "pronouns"
    last = parsed.doc[span.end - 1]
    start, end = parsed.doc[span.start].idx, last.idx + len(last)
    return Mention(start, end, parsed.text[start:end], span.kind, gender or UNSPECIFIED, person.number, evidence)


class _Parsed:
    """A document together with the lexicon's matches in it, by token."""

    def __init__(self, doc: "Doc", matcher: TermMatcher, rules: Rules) -> None:
        # Stored because each access to `doc.text` joins the words again.
        self.doc, self.text = doc, doc.text
        self._places, self._before_place = rules.places, rules.of_kind("before_place")
        self._neutral_titles, self._neutral_pronouns = rules.of_kind("neutral_title"), rules.of_kind("neutral_pronoun")
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
                # The lexicon lists titles without their full stop, which is a word of its own in contexts (*M.*).
                parts = [word] if word == token.lower_ else [word, "."]
                words += parts
                places += [token.i] * len(parts)
            sentences.append(words)
        # The layer and class of the form that begins at a token.
        self.matches: dict[int, tuple[str, str]] = {}
        # Where the word begins whose last part a token is, if the pipeline splits it.
        self.begins: dict[int, int] = {}
        fold = matcher.folding.fold
        folded = [[fold(word) for word in words] for words in sentences]
        for match in matcher.match(folded, fold(self.text)):
            (gender,) = match.classes if len(match.classes) == 1 else ("",)
            place = places[match.start]
            if " " not in match.form and match.layer in ("nouns", "inclusive"):
                # The pipeline may split a word (*non-binary*). What the last part is decides what the word is.
                letters = len(match.form)
                while letters > len(doc[place].text) and place + 1 < len(doc):
                    letters -= len(doc[place].text)
                    place += 1
                self.begins[place] = places[match.start]
            self.matches.setdefault(place, (match.layer, gender))
        marks, endings = rules.of_kind("agreement").keys(), tuple(rules.of_kind("name_ending"))
        self._key = "norm_" if marks else "text"
        if marks:
            # Names that are declined (Paula may be Paul's accusative), and those that the tagger or their ending tells.
            forms = [fold(token.norm_) if token.pos_ == "PROPN" else "-" for token in doc]
            names = [match for match in matcher.match([forms], " ".join(forms).title()) if match.layer == "names"]
            self.matches |= {match.start: ("names", min(match.classes)) for match in names}
            told = [n for n, form in enumerate(forms) if form.endswith(endings) or marks & doc[n].morph.get("NameType")]
            self.matches |= {place: ("names", grammatical_gender(doc[place])) for place in told}

    def title_gender(self, place: int) -> str | None:
        """Look up the gender of a title or a capitalised person noun. Empty for any gender, None for other words."""
        layer, gender = self.matches.get(place, ("", ""))
        if layer == "titles" or (layer == "nouns" and self.doc[place].text[:1].isupper()):
            return gender if gender in GENDERS else ""
        return None

    def gender_in(self, layer: str, place: int) -> str:
        """Look up the gender that a layer of the lexicon gives to a token. Empty if it gives none."""
        found, gender = self.matches.get(place, ("", ""))
        return gender if found == layer and gender in GENDERS else ""

    def words_beside(self, begin: int, end: int) -> tuple[list[str], list[str]]:
        """List up to four words before, and after, a span in its sentence, without signs."""
        before = self._words_in(range(max(0, begin - 3 * WORDS_BESIDE), begin), begin)
        after = self._words_in(range(end, min(len(self.doc), end + 3 * WORDS_BESIDE)), begin)
        return before[-WORDS_BESIDE:], after[:WORDS_BESIDE]

    def _words_in(self, places: range, inside: int) -> list[str]:
        """List the words, without signs, among tokens that are in the sentence of the token `inside`."""
        sentence = self.sentence_of[inside]
        tokens = (self.doc[place] for place in places if self.sentence_of[place] == sentence)
        return [token.text for token in tokens if token.is_alpha]

    def agreeing_gender(self, begin: int, end: int) -> str:
        """Find the gender of a declined name: that of its verb, of a surname in the nominative, or of all parts."""
        words = self.doc[begin:end]
        verbs = {verb_gender(word) for word in words if "Nom" in word.morph.get("Case")} - {""}
        if len(verbs) == 1:
            return verbs.pop()
        if len(words) == 1:
            return ""
        surname = words[-1]
        if "Nom" in surname.morph.get("Case") and grammatical_gender(surname) == FEMININE:
            return FEMININE
        genders = {grammatical_gender(word) for word in words}
        return genders.pop() if len(genders) == 1 else ""

    def name_spans(self) -> list[tuple[int, int]]:
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
            if end == start + 1 and self.doc[start].lower_ in self._neutral_pronouns:
                continue
            # A title alone is not a name, but the words after it may be one.
            if not all(self.is_title(place) for place in range(start, end)):
                spans.append((start, end))
        taken = {place for start, end in spans for place in range(start, end)}
        for place, (layer, _) in self.matches.items():
            token = self.doc[place]
            begin = end = place
            if layer == "titles" and token.text[:1].isupper():
                # A name after a title is that of a person, whatever label the pipeline gives it.
                begin += 2 if place + 1 < len(self.doc) and self.doc[place + 1].text == "." else 1
                end = begin + (begin < len(self.doc) and begin not in taken and self._may_follow_title(begin))
            elif layer != "names" or token.pos_ != "PROPN" or not self._may_be_first_name(place):
                continue
            while end < len(self.doc) and self._goes_on(begin, end) and end not in taken:
                end += 1
            if end > begin and begin not in taken:
                spans.append((begin, end))
                taken.update(range(begin, end))
        return self._with_flat_parts(sorted([*spans, *self._names_seen_elsewhere(spans, taken)]))

    def _with_flat_parts(self, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Join names of which the parse makes one, such as a first name without a label and a surname with one."""
        joined: list[tuple[int, int]] = []
        for start, end in spans:
            token = self.doc[start]
            start_before, end_before = joined[-1] if joined else (0, 0)
            is_flat = token.dep_.startswith("flat") and start_before <= token.head.i < end_before
            if is_flat and end_before == start:
                joined[-1] = start_before, end
            else:
                joined.append((start, end))
        return joined

    def _may_be_first_name(self, place: int) -> bool:
        """Check whether a first name is in no entity, or in a short one that may be wrong (*Meg* as a firm)."""
        label, doc = self.doc[place].ent_type_, self.doc
        if not label:
            return True
        before = doc[place - 1] if place else None
        begins = before is None or not (before.ent_type_ == label or before.lower_ in self._before_place)
        end = place + 1
        while end < len(doc) and doc[end].ent_type_ == label and doc[end].ent_iob_ == "I":
            end += 1
        words = doc[place:end]
        return (
            label in MISTAKEN
            and begins
            and words.text.lower() not in self._places
            and len(words) <= LONGEST_UNKNOWN
            and all(word.pos_ == "PROPN" and word.is_alpha and word.is_title for word in words)
        )

    def is_neutral_title(self, place: int) -> bool:
        """Check whether a word, or the one before a full stop, is a title of any gender (*Mx*)."""
        place -= place > 0 and self.doc[place].text == "."
        return place >= 0 and _without_stop(self.doc[place].lower_) in self._neutral_titles

    def is_title(self, place: int) -> bool:
        """Check whether a word is in the layer of titles (*Mr*)."""
        return self.matches.get(place, ("", ""))[0] == "titles"

    def is_beside_title(self, place: int) -> bool:
        """Check whether a title is followed by a conjunction and another title."""
        place += 2 if place + 1 < len(self.doc) and self.doc[place + 1].text == "." else 1
        return place + 1 < len(self.doc) and self.doc[place].pos_ == "CCONJ" and self.is_title(place + 1)

    def _may_follow_title(self, place: int) -> bool:
        """Check whether the word after a title is a name. Many names are ordinary words as well (*M. Petit*)."""
        token, is_stop = self.doc[place], self.doc[place - 1].text.endswith(".")
        # Without a full stop, a title does not end a sentence, though the parser may split there (*Mme Le Pen*).
        begins = token.is_sent_start and is_stop
        return token.is_alpha and token.text[0].isupper() and not begins and not self.is_title(place)

    def _goes_on(self, begin: int, place: int) -> bool:
        token = self.doc[place]
        is_name = token.pos_ == "PROPN" and token.text[:1].isupper()
        return is_name and (place == begin or token.ent_type_ == self.doc[begin].ent_type_)

    def _stands_alone(self, place: int) -> bool:
        """Check whether no other name is beside a name, of which it could be a part."""
        near = (self.doc[other] for other in (place - 1, place + 1) if 0 <= other < len(self.doc))
        token = self.doc[place]
        return token.pos_ == "PROPN" and not self.is_title(place) and not any(one.pos_ == "PROPN" for one in near)

    def _names_seen_elsewhere(self, spans: list[tuple[int, int]], taken: set[int]) -> Iterator[tuple[int, int]]:
        """Find more occurrences of names that the pipeline marks as persons elsewhere, or that act like persons."""
        places_of_form: defaultdict[str, list[int]] = defaultdict(list)
        for token in self.doc:
            if token.text[:1].isupper() and len(token) > 2 and token.pos_ in ("PROPN", "NOUN", "ADJ"):
                places_of_form[getattr(token, self._key)].append(token.i)
        known: set[int] = set()
        surnames = {getattr(self.doc[end - 1], self._key) for start, end in spans if end - start > 1}
        for form, places in places_of_form.items():
            others = [place for place in places if place not in taken]
            if form in surnames:
                # A surname alone refers to the person who bears it.
                known.update(filter(self._stands_alone, others))
            if self._acts_like_name(places, others):
                known.update(place for place in others if not self.is_title(place))
        for place in sorted(known):
            if place - 1 in known:
                continue
            end = place + 1
            while end in known:
                end += 1
            yield place, end

    def _acts_like_name(self, places: list[int], others: list[int]) -> bool:
        """Check whether a form is mostly a person's name, by all its `places` and those where it is in no name."""
        signs = len(places) - len(others)
        for place in others:
            follows_title = place > 0 and self.title_gender(place - 1) is not None
            signs += follows_title or self.doc[place].dep_ in _ACTORS
        for place in places:
            signs -= place > 0 and self.doc[place - 1].lower_ in self._before_place
        if signs < MIN_SIGNS or signs < SHARE_OF_SIGNS * len(places):
            return False
        return any(map(self._is_no_word, places))

    def _is_no_word(self, place: int) -> bool:
        """Check whether a word's capital is that of a name: not at the start of a sentence, and not all capitals."""
        token = self.doc[place]
        return not token.is_sent_start and token.pos_ == "PROPN" and not token.text.isupper()

    def unknown_names(self, taken: set[int]) -> Iterator[MentionSpan]:
        """Find other names that may be persons', such as those to which *he* or *she* refers if things are *it*."""
        end = 0
        places = {token.text for token in self.doc if token.i and token.nbor(-1).lower_ in self._before_place}
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
