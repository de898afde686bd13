"""Model a sentence while its gender is swapped: words, swapped persons, ends of clauses, and agreement.

Words in agreement are found without a parser, within a clause, by gender, number and case:

- An adjective, determiner or participle before a title, in the same gender, number and case.
- A verb in the past tense, or a predicative adjective, of the old gender. It must be in the clause of a title or name
  in the nominative, or of a title in the instrumental beside a copula, and no other possible subject may be nearer.
- A relative pronoun after it, and the verbs of its clause if the pronoun is the subject there.
- Personal and possessive pronouns, if everyone of that gender in the sentence was swapped.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from textparity_studies.swapping.corpora import Entity
from textparity_studies.swapping.titles_and_names import TitleForm
from textparity_studies.swapping.word_forms import (
    FEMININE,
    MASCULINE,
    OTHER_GENDER,
    SINGULAR,
    Reading,
    agree,
    cased_like,
    normalise,
    read_word,
)

TITLE, NAME, AGREEMENT, PRONOUN = "title", "name", "agreement", "pronoun"
_TOKEN = re.compile(r"\w+(?:[’'ʼ`‘-]\w+)*|[^\w\s]")
# A comma ends a clause only before one of these words; a comma of apposition does not.
_CLAUSE_WORDS = frozenset(
    (
        "що", "щоб", "щоби", "але", "а", "бо", "якщо", "коли", "де", "куди", "звідки", "поки", "хоча", "хоч", "адже",
        "оскільки", "проте", "однак", "зате", "ніж", "наче", "мов", "як",
    )
)  # fmt: skip
RELATIVE_PRONOUNS = frozenset({"який", "котрий"})
_STRONG_MARKS = frozenset(".!?;:…")
_GENITIVE = "від до з із зі для без біля після проти серед замість щодо крім коло навколо"
CASES_OF_PREPOSITION: dict[str, frozenset[str]] = {
    **{word: frozenset({"gent"}) for word in _GENITIVE.split()},
    **{word: frozenset({"gent", "ablt"}) for word in ("з", "із", "зі")},
    **{word: frozenset({"gent", "loct", "accs"}) for word in ("у", "в")},
    **{word: frozenset({"accs", "loct"}) for word in ("на", "о", "об")},
    **{word: frozenset({"accs"}) for word in ("про", "через", "крізь")},
    **{word: frozenset({"ablt"}) for word in ("над", "перед", "між", "поміж")},
    **{word: frozenset({"loct"}) for word in ("по", "при")},
    **{word: frozenset({"datv"}) for word in ("завдяки", "всупереч")},
    "за": frozenset({"accs", "ablt", "gent"}),
}
_ADJECTIVAL = ("ADJF", "NPRO", "NUMR")
_DETERMINERS = frozenset(
    (
        "цей", "той", "сам", "самий", "весь", "увесь", "один", "мій", "твій", "свій", "наш", "ваш", "такий", "інший",
        "кожний", "кожен", "жоден", "який", "котрий",
    )
)  # fmt: skip
_ONE = frozenset({"один", "одна", "одним", "однією"})
_COPULAS = frozenset(
    (
        "бути", "стати", "ставати", "працювати", "виступати", "залишатися", "залишитися", "значитися", "числитися",
        "вважатися", "виявитися", "служити", "являтися", "зробитися", "призначити", "обрати", "називати", "назвати",
    )
)  # fmt: skip
# Abbreviations that are misread as verbs, and a conjunction that is misread as a determiner.
_ABBREVIATIONS, _AND = frozenset({"тис", "ст"}), "та"
_FEMININE_PRONOUNS = {"він": "вона", "його": "її", "нього": "неї", "йому": "їй", "ньому": "ній", "ним": "нею"}
_PRONOUNS = {MASCULINE: _FEMININE_PRONOUNS, FEMININE: {new: old for old, new in _FEMININE_PRONOUNS.items()}}


@dataclass
class Token:
    """Hold a word or mark and its place in the sentence; `new` is its replacement, and `kind` the reason."""

    text: str
    start: int
    end: int
    new: str = ""
    kind: str = ""

    @property
    def lower(self) -> str:
        """The word in the dictionaries' spelling."""
        return normalise(self.text)

    @property
    def is_word(self) -> bool:
        """True if it begins with a letter."""
        return self.text[0].isalpha()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The possible readings of the word."""
        return read_word(self.text) if self.is_word else ()

    def change(self, new: str, kind: str) -> None:
        """Change the word and keep its capitals; a word changes only once."""
        new = cased_like(new, self.text)
        if not self.new and new != self.text:
            self.new, self.kind = new, kind


@dataclass(frozen=True)
class Referent:
    """Hold a swapped person: the places of the words, their old gender, number and case."""

    places: range
    gender: str
    number: str
    case: str
    is_name: bool = False


@dataclass
class SwappedSentence:
    """Hold the tokens, the swapped persons, and the genders of persons who were not swapped."""

    tokens: list[Token]
    referents: list[Referent] = field(default_factory=list)
    kept_genders: set[str] = field(default_factory=set)

    def clause_around(self, place: int) -> range:
        """Find the clause around a word: it ends at a strong mark, or at a comma before a word that opens a clause."""
        start = place
        while start and not self._ends_clause(start - 1):
            start -= 1
        end = place
        while end < len(self.tokens) and (end == place or not self._ends_clause(end)):
            end += 1
        return range(start, end)

    def _ends_clause(self, place: int) -> bool:
        token, rest = self.tokens[place], self.tokens[place + 1 :]
        if token.text in _STRONG_MARKS:
            # A full stop after one or two letters belongs to an initial or abbreviation.
            return not (token.text == "." and place and len(self.tokens[place - 1].text) <= 2)
        if token.text != "," or not rest:
            return False
        lemmas = {reading.lemma for reading in rest[0].readings}
        if rest[0].lower in CASES_OF_PREPOSITION and len(rest) > 1:
            lemmas |= {reading.lemma for reading in rest[1].readings if reading.part == "NPRO"}
        return rest[0].lower in _CLAUSE_WORDS or bool(lemmas & RELATIVE_PRONOUNS)


def read_sentence(text: str) -> SwappedSentence:
    """Split a sentence into words and marks; a word may have apostrophes and hyphens."""
    return SwappedSentence([Token(found.group(), found.start(), found.end()) for found in _TOKEN.finditer(text)])


def places_of(tokens: list[Token], start: int, end: int) -> range:
    """Find the places of the tokens that a stretch of the text touches."""
    places = [place for place, token in enumerate(tokens) if token.start < end and token.end > start]
    return range(places[0], places[-1] + 1) if places else range(0)


def apply_changes(text: str, changes: Iterable[Token]) -> str:
    """Replace changed words of a text at their places."""
    parts, end = [], 0
    for change in sorted(changes, key=lambda change: change.start):
        parts += [text[end : change.start], change.new]
        end = change.end
    return "".join([*parts, text[end:]])


def find_annotations(text: str, words: list[tuple[str, str]]) -> list[Entity]:
    """Find every occurrence of entities given as (text, label).

    Longer ones come first, and none lies within another, because a title may be part of another entity.
    """
    taken: list[Entity] = []
    for word, label in sorted(words, key=lambda item: -len(item[0])):
        for found in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text) if word.strip() else ():
            if all(found.end() <= item.start or found.start() >= item.end for item in taken):
                taken.append(Entity("", label, found.start(), found.end(), word))
    return sorted(taken, key=lambda item: item.start)


def is_copula(reading: Reading) -> bool:
    """Check whether a verb takes a title in the instrumental: to be, become, work as, be called."""
    return reading.part == "VERB" and reading.lemma in _COPULAS


def shared_agreements(token: Token, titles: list[TitleForm]) -> set[tuple[str, str, str]]:
    """Find the gender, number and case that an adjective or determiner shares with the titles after it."""
    if token.lower == _AND:
        return set()
    mine = {
        reading.agreement
        for reading in token.readings
        if reading.part in _ADJECTIVAL and (reading.part != "NPRO" or reading.lemma in _DETERMINERS)
    }
    return mine & {(title.gender if title.number == SINGULAR else "", title.number, title.case) for title in titles}


def change_attributes(tokens: list[Token], place: int, title: TitleForm) -> int:
    """Put the adjectives before a title into the other gender; return the place of the first one."""
    first = place
    while first:
        token = tokens[first - 1]
        joined = token.text in (",", "і", "й", _AND) and 1 < first < place
        if joined and shared_agreements(tokens[first - 2], [title]):
            first -= 1
            continue
        found = shared_agreements(token, [title])
        if not found:
            break
        if title.number == SINGULAR:
            agreeing = [item for item in token.readings if item.part in _ADJECTIVAL and item.agreement in found]
            _put(token, agreeing, title.gender)
        first -= 1
    return first


def change_verbs(sentence: SwappedSentence) -> None:
    """Put the predicates of all swapped persons into the other gender."""
    for referent in [item for item in sentence.referents if item.number == SINGULAR]:
        clause = sentence.clause_around(referent.places.start)
        is_predicate = (
            referent.case == "ablt" and not referent.is_name and not _has_other_subject(sentence, clause, referent)
        )
        copula = is_predicate and any(
            is_copula(reading) for place in clause for reading in sentence.tokens[place].readings
        )
        if referent.case == "nomn" or copula:
            _change_predicates(sentence, clause, referent)


def change_relatives(sentence: SwappedSentence) -> None:
    """Put relative pronouns after a swapped person into the other gender, and their predicates."""
    for place, token in enumerate(sentence.tokens):
        readings = [reading for reading in token.readings if reading.lemma in RELATIVE_PRONOUNS and reading.gender]
        comma = place - 1 if place and sentence.tokens[place - 1].text == "," else place - 2
        if not readings or token.new or comma < 1 or sentence.tokens[comma].text != ",":
            continue
        for gender in (MASCULINE, FEMININE):
            wanted = [reading for reading in readings if reading.gender == gender]
            if not wanted or not _antecedent_is_swapped(sentence, comma, gender):
                continue
            # Directly after the comma, the accusative (якого чекали) is likelier than the genitive.
            wanted.sort(key=lambda reading: place - 1 == comma and reading.case == "gent")
            _put(token, wanted[:1], gender)
            if any(reading.case == "nomn" for reading in wanted):
                clause = range(place, sentence.clause_around(place).stop)
                _change_predicates(sentence, clause, Referent(range(place, place + 1), gender, SINGULAR, "nomn"))
            break


def change_pronouns(sentence: SwappedSentence) -> None:
    """Swap personal and possessive pronouns, if everyone to whom they can refer was swapped."""
    genders = {referent.gender for referent in sentence.referents if referent.number == SINGULAR}
    if len(genders) != 1 or genders & sentence.kept_genders:
        return
    (gender,) = genders
    titles = {referent.places.start for referent in sentence.referents if not referent.is_name}
    for place, token in enumerate(sentence.tokens):
        new = _PRONOUNS[gender].get(token.lower)
        # In її директором, the pronoun can mean the firm.
        if not new or (place + 1 in titles and token.lower in ("його", "її")):
            continue
        token.change(new, PRONOUN)
        if token.lower in ("він", "вона"):
            subject = Referent(range(place, place + 1), gender, SINGULAR, "nomn")
            _change_predicates(sentence, sentence.clause_around(place), subject)


def contradicts(tokens: list[Token], place: int, titles: list[TitleForm]) -> list[str]:
    """Find the adjective directly before a title if it can only be of the other gender."""
    if not place or shared_agreements(tokens[place - 1], titles):
        return []
    before = tokens[place - 1]
    cases = {title.case for title in titles}
    other = {OTHER_GENDER[title.gender] for title in titles}
    readings = [reading for reading in before.readings if reading.part == "ADJF"]
    is_only_adjective = readings and len(readings) == len(before.readings)
    wrong = any(reading.gender in other and reading.case in cases for reading in readings)
    return [f"{before.text} {tokens[place].text}"] if is_only_adjective and wrong else []


def contradicting_predicates(sentence: SwappedSentence, referent: Referent) -> list[str]:
    """Find the past-tense verbs whose gender differs from that of their clause's only possible subject."""
    other = OTHER_GENDER[referent.gender]
    # Pretend that the referent has the other gender, to search for a subject with which the verb would agree.
    rival = Referent(referent.places, other, SINGULAR, "nomn")
    subject = " ".join(sentence.tokens[place].text for place in referent.places)
    return [
        f"{subject} {sentence.tokens[place].text}"
        for place in sentence.clause_around(referent.places.start)
        if any(reading.is_past and reading.gender == other for reading in sentence.tokens[place].readings[:1])
        and not _other_subject_nearer(sentence, place, rival)
        and not _has_other_subject(sentence, range(place - 2, place), rival)
        and not _has_other_subject(sentence, range(place + 1, min(place + 3, len(sentence.tokens))), rival)
    ]


def _put(token: Token, readings: Iterable[Reading], gender: str) -> None:
    for reading in readings:
        if new := agree(token.text, reading, OTHER_GENDER[gender]):
            token.change(new, AGREEMENT)
            return


def _change_predicates(sentence: SwappedSentence, clause: range, referent: Referent) -> None:
    for place in clause:
        token = sentence.tokens[place]
        if token.new or token.lower in _ABBREVIATIONS or _other_subject_nearer(sentence, place, referent):
            continue
        verbs = [reading for reading in token.readings if reading.is_past and reading.gender == referent.gender]
        if verbs:
            _put(token, verbs, referent.gender)
        elif _is_predicative(sentence.tokens, place, referent.gender):
            agreeing = [
                reading
                for reading in token.readings
                if reading.part in _ADJECTIVAL
                and reading.gender == referent.gender
                and reading.case in ("nomn", "ablt")
            ]
            _put(token, agreeing, referent.gender)


def _is_predicative(tokens: list[Token], place: int, gender: str) -> bool:
    """Check whether a word is a nominative adjective of this gender without a noun after it."""
    token = tokens[place]
    if token.lower in _ONE:
        # In один із засновників, the number word refers to a swapped person.
        return any(behind.kind == TITLE for behind in tokens[place + 2 : place + 4])
    is_adjective = any(
        (reading.part == "ADJF" or (reading.part == "NPRO" and reading.lemma in _DETERMINERS - RELATIVE_PRONOUNS))
        and reading.gender == gender
        and reading.case == "nomn"
        for reading in token.readings
    )
    is_other = any(reading.part in ("VERB", "ADVB", "PREP", "CONJ", "PRCL") for reading in token.readings)
    if not is_adjective or is_other or token.lower == _AND or _may_be_surname(token, place):
        return False
    for behind in tokens[place + 1 : place + 4]:
        if not behind.is_word:
            break
        nouns = [reading for reading in behind.readings if reading.part == "NOUN" and reading.gender == gender]
        if any(reading.case in ("nomn", "accs") for reading in nouns):
            return bool(behind.new)
    return True


def _may_be_surname(token: Token, place: int) -> bool:
    return token.text[0].isupper() and (place > 0 or token.text.endswith(("ова", "ева", "єва", "ов", "ев", "єв")))


def _may_be_subject(sentence: SwappedSentence, place: int, gender: str) -> bool:
    """Check whether an unchanged word is, by its likeliest reading, a nominative of this gender."""
    token = sentence.tokens[place]
    if token.new or not token.readings or token.readings[0].part not in ("NOUN", "NPRO"):
        return False
    return any(
        reading.case == "nomn"
        and reading.gender == gender
        and (reading.part == "NOUN" or reading.lemma in ("він", "вона"))
        for reading in token.readings
    )


def _has_other_subject(sentence: SwappedSentence, clause: range, referent: Referent) -> bool:
    return any(
        _may_be_subject(sentence, place, referent.gender)
        and sentence.tokens[place].lower not in _PRONOUNS[referent.gender]
        for place in clause
        if place not in referent.places
    )


def _other_subject_nearer(sentence: SwappedSentence, place: int, referent: Referent) -> bool:
    """Check whether an unambiguous subject of this gender stands between a word and the swapped person."""
    own = referent.places
    between = range(own.stop, place) if place >= own.stop else range(place + 1, own.start)
    return any(
        _may_be_subject(sentence, item, referent.gender)
        and not any(item in swapped.places for swapped in sentence.referents)
        and all(reading.case == "nomn" for reading in sentence.tokens[item].readings if reading.part == "NOUN")
        for item in between
    )


def _antecedent_is_swapped(sentence: SwappedSentence, comma: int, gender: str) -> bool:
    """Check whether the nearest noun of a gender before a comma (except genitives) belongs to a swapped person."""
    swapped = {
        place
        for referent in sentence.referents
        if referent.number == SINGULAR and referent.gender == gender
        for place in referent.places
    }
    for place in range(comma - 1, sentence.clause_around(comma - 1).start - 1, -1):
        if place in swapped:
            return True
        nouns = [reading for reading in sentence.tokens[place].readings if reading.part == "NOUN"]
        if nouns and (nouns[0].gender, nouns[0].number) == (gender, SINGULAR) and nouns[0].case != "gent":
            return False
    return False
