"""A sentence while its gender is swapped: words, who was swapped, where clauses end."""

import re
from dataclasses import dataclass, field

from textparity.studies.swapping.language.inflection import Reading, cased_like, normalise, read_word

TITLE, NAME, AGREEMENT, PRONOUN = "title", "name", "agreement", "pronoun"
_TOKEN = re.compile(r"\w+(?:[’'ʼ`‘-]\w+)*|[^\w\s]")
# A comma ends a clause only before one of these; one of apposition does not.
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


@dataclass(frozen=True)
class Annotation:
    """A JOB or PERS entity of a sentence."""

    label: str
    start: int
    end: int


@dataclass(frozen=True)
class Change:
    """A word that was changed, at its place in the original sentence, and what it is."""

    start: int
    end: int
    before: str
    after: str
    kind: str


@dataclass
class Token:
    """A word or mark; `new` is what it becomes, and `kind` why."""

    text: str
    start: int
    end: int
    new: str = ""
    kind: str = ""

    @property
    def lower(self) -> str:
        """The word as the dictionaries have it."""
        return normalise(self.text)

    @property
    def is_word(self) -> bool:
        """Whether it begins with a letter."""
        return self.text[0].isalpha()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What the word can be."""
        return read_word(self.text) if self.is_word else ()

    def change(self, new: str, kind: str) -> None:
        """Change the word, with its capitals; what was changed once stays so."""
        new = cased_like(new, self.text)
        if not self.new and new != self.text:
            self.new, self.kind = new, kind


@dataclass(frozen=True)
class Referent:
    """Who was swapped: the places of the words, their old gender, number and case."""

    places: range
    gender: str
    number: str
    case: str
    is_name: bool = False


@dataclass
class Sentence:
    """Tokens, who was swapped, and the genders of persons who were not."""

    tokens: list[Token]
    referents: list[Referent] = field(default_factory=list)
    kept_genders: set[str] = field(default_factory=set)

    def is_swapped(self, place: int) -> bool:
        """Whether a word is part of someone who was swapped."""
        return any(place in referent.places for referent in self.referents)

    def clause_around(self, place: int) -> range:
        """Return the places of the clause around a word: to a strong mark, or a comma before a word that opens one."""
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
            # A dot behind one or two letters is of an initial or abbreviation.
            return not (token.text == "." and place and len(self.tokens[place - 1].text) <= 2)
        if token.text != "," or not rest:
            return False
        lemmas = {reading.lemma for reading in rest[0].readings}
        if rest[0].lower in CASES_OF_PREPOSITION and len(rest) > 1:
            lemmas |= {reading.lemma for reading in rest[1].readings if reading.part == "NPRO"}
        return rest[0].lower in _CLAUSE_WORDS or bool(lemmas & RELATIVE_PRONOUNS)


def read_sentence(text: str) -> Sentence:
    """Return the words and marks of a sentence; a word may have apostrophes and hyphens."""
    return Sentence([Token(found.group(), found.start(), found.end()) for found in _TOKEN.finditer(text)])


def places_of(tokens: list[Token], annotation: Annotation) -> range:
    """Return the places of the tokens that an annotation touches."""
    places = [
        place for place, token in enumerate(tokens) if token.start < annotation.end and token.end > annotation.start
    ]
    return range(places[0], places[-1] + 1) if places else range(0)


def apply_changes(text: str, changes: tuple[Change, ...]) -> str:
    """Return a text with words replaced at their places."""
    parts, end = [], 0
    for change in sorted(changes, key=lambda change: change.start):
        parts += [text[end : change.start], change.after]
        end = change.end
    return "".join([*parts, text[end:]])


def find_annotations(text: str, words: list[tuple[str, str]]) -> list[Annotation]:
    """Return the places of entities given as (text, label), every time they stand there.

    Longer ones first, and none within another, as a title may be part of another entity.
    """
    taken: list[Annotation] = []
    for word, label in sorted(words, key=lambda item: -len(item[0])):
        for found in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text) if word.strip() else ():
            if all(found.end() <= item.start or found.start() >= item.end for item in taken):
                taken.append(Annotation(label, found.start(), found.end()))
    return sorted(taken, key=lambda item: item.start)
