"""Find the names of persons in a parsed document, with the titles and nouns before them, and their gender."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from textparity.persons.agreement import agreeing_gender
from textparity.persons.mention_spans import MentionSpan, TokenSpan
from textparity.persons.mentions import FEMININE, MASCULINE
from textparity.persons.name_spans import find_name_spans
from textparity.persons.parsed_document import ParsedDocument
from textparity.persons.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Set

    from spacy.tokens import Doc, Span

# Words between a title and a name: the duke of, le comte de.
_OF = frozenset({"de", "d'", "du", "des", "of"})
# A first name and the further names, in lower case, and the words before and after them.
NameDecider = Callable[[str, list[str], list[str], list[str]], str]
# Surnames that are first names elsewhere, and come first in names of three parts (*Kim Jong Un*).
_SURNAMES_FIRST = frozenset({"kim", "lee", "li", "han", "lin", "yang", "jin"})
# A first name.
NameGuesser = Callable[[str], str]


class _TitlesBefore(NamedTuple):
    """The token at which the titles before a name begin, and the gender that they imply (empty for none)."""

    start: int
    gender: str


@dataclass(frozen=True)
class _Titles:
    """The titles of a name. They begin at token `start`, and those in the pipeline's span end before `name_start`.

    `relation` is a noun that is not a title (*Mother Noël*).
    """

    start: int
    name_start: int
    gender: str
    relation: str
    is_neutral: bool


class PersonNameFinder:
    """Find the names of persons by the rules of a language.

    `nouns` are those for persons. `decide_name` decides the gender of a first name that inflects, by the further names
    and the words beside it. `guess_name` guesses that of a first name outside the lexicon before a further name.
    """

    def __init__(
        self, rules: Rules, nouns: "Set[str]", decide_name: NameDecider | None, guess_name: NameGuesser | None
    ) -> None:
        self._rules, self._nouns, self._decide_name, self._guess_name = rules, nouns, decide_name, guess_name
        self._first_names = rules.of_kind("first_name")
        self._offices = rules.of_kind("office")
        self._is_cased = bool(rules.of_kind("agreement"))

    def find(self, parsed: ParsedDocument) -> list[MentionSpan]:
        """Find the names of persons in a parsed document, in text order."""
        spans = find_name_spans(parsed, self._rules, self._is_first_name)
        starts = {span.start for span in spans}
        names: list[MentionSpan] = []
        end_before = -1
        for span in spans:
            if self._is_office(parsed, span):
                continue
            is_noun = parsed.doc[span.start].lower_ in self._nouns
            # "President Trump" is one mention.
            is_title_of_next = is_noun and span.end == span.start + 1 and span.end in starts
            if span.start < end_before or is_title_of_next:
                continue
            name = self._name(parsed, span, end_before)
            if name is not None:
                names.append(name)
                end_before = name.end
        return names

    def _is_office(self, parsed: ParsedDocument, span: TokenSpan) -> bool:
        """Check whether a span is only a noun for a person (*the President*; *le Président de l'Assemblée*)."""
        if not self._rules.mends_parse:
            return False
        doc = parsed.doc
        first = doc[span.start]
        is_noun = first.lower_ in self._nouns or parsed.gender_in("nouns", span.start) != ""
        if not is_noun or first.lower_ in self._rules.of_kind("title_of"):
            return False
        return span.end == span.start + 1 or doc[span.start + 1].lower_ in _OF

    def _name(self, parsed: ParsedDocument, span: TokenSpan, end_before: int) -> MentionSpan | None:
        """Describe a name with its titles, which begin after `end_before`. None for a place or a number."""
        doc = parsed.doc
        titles = self._titles_of(parsed, span, end_before)
        if self._is_place(doc, span, titles):
            return None
        words = doc[titles.name_start : span.end]
        parts = tuple(word.norm_ for word in words if word.text[:1].isalpha())
        if not parts or any(word.text.isdigit() for word in words):
            return None
        first_name = self._gender_of_name(parsed, titles.name_start, span.end)
        gender = titles.gender
        is_titled = any(map(parsed.is_title, range(titles.start, titles.name_start)))
        if (gender, first_name) == (MASCULINE, FEMININE) and len(parts) > 1 and not is_titled:
            # The masculine word for an office says less than a first name (*President Ursula von der Leyen*).
            gender = ""
        evidence_without_title = "first name" if first_name else ""
        return MentionSpan(
            start=titles.start,
            end=span.end,
            head=span.end - 1,
            kind="name",
            gender=gender or first_name,
            evidence="title" if gender else evidence_without_title,
            parts=parts,
            lemma=titles.relation,
            name_start=titles.name_start,
            first_name=first_name,
            is_neutral=titles.is_neutral,
        )

    def _titles_of(self, parsed: ParsedDocument, span: TokenSpan, end_before: int) -> _Titles:
        """Find the titles before a name, and those that the pipeline took for part of it."""
        before = self._titles_before(parsed, span.start)
        start, gender = max(before.start, end_before), before.gender
        relation = ""
        if 0 < start == span.start > end_before:
            gender = parsed.gender_in("nouns", start - 1)
            if gender:
                # "Mother Noël" is not the same person as "Noël".
                start -= 1
                relation = parsed.doc[start].lower_
        name_start = span.start
        last = span.end - 1
        is_neutral = parsed.is_neutral_title(start - 1)
        while name_start < last and parsed.is_neutral_title(name_start):
            is_neutral = True
            name_start += 1
        while name_start < last:
            title = parsed.title_gender(name_start)
            if title is None:
                break
            gender = gender or title
            # A full stop that ends the name is no part of a title.
            name_start = parsed.after_title(name_start) if name_start + 1 < last else last
        if not self._may_be_first_name(parsed, name_start):
            name_start = self._after_offices(parsed, name_start, last)
        return _Titles(start, name_start, gender, relation, is_neutral)

    def _after_offices(self, parsed: ParsedDocument, start: int, last: int) -> int:
        """Find where a name begins after words for offices, which are in its span (*Macedonian President Ivanov*)."""
        after = start
        for position in range(start, last):
            word = parsed.doc[position].lower_
            if word.removesuffix(".") in self._offices:
                after = parsed.after_title(position)
        return min(after, last)

    def _may_be_first_name(self, parsed: ParsedDocument, position: int) -> bool:
        """Check whether a word is a first name, of the lexicon or of any country."""
        return bool(parsed.gender_in("names", position)) or self._is_first_name(parsed.doc[position].text)

    def _is_place(self, doc: "Doc", span: TokenSpan, titles: _Titles) -> bool:
        """Check whether a title and a place make a name: in "the King of Athens", Athens is not the king's name."""
        of = titles.name_start
        if not span.start < of < span.end - 1 or doc[of].lower_ not in _OF:
            return False
        return doc[of + 1 : span.end].text.lower() in self._rules.places

    def _gender_of_name(self, parsed: ParsedDocument, start: int, end: int) -> str:
        """Find the gender of a name without its titles: by a list or, in languages with cases, by agreement."""
        listed = parsed.gender_in("names", start)
        if not self._is_cased:
            is_surname = self._begins_with_surname(parsed.doc, start, end)
            return "" if is_surname else listed or self._guess(parsed.doc[start:end])
        if self._decide_name is not None:
            first, *others = [token.lower_ for token in parsed.doc[start:end]]
            before = parsed.words_before(start)
            after = parsed.words_after(start, end)
            decided = self._decide_name(first, others, before, after)
            if decided:
                return decided
        return agreeing_gender(parsed.doc[start:end]) or listed or parsed.gender_in("names", end - 1)

    def _guess_first_name(self, word: str) -> str:
        """Look up or guess the gender of a first name outside the lexicon. Empty for none."""
        listed = self._first_names.get(word.lower(), "")
        if listed or self._guess_name is None:
            return listed
        return self._guess_name(word)

    def _is_first_name(self, word: str) -> bool:
        return bool(self._guess_first_name(word))

    def _guess(self, words: "Span") -> str:
        """Guess the gender of a full name by its first part."""
        return self._guess_first_name(words[0].text) if len(words) > 1 else ""

    def _begins_with_surname(self, doc: "Doc", start: int, end: int) -> bool:
        """Check whether a surname comes first in a name of three parts (*Kim Jong Un*, *Kim Jong-un*)."""
        if doc[start].lower_ not in _SURNAMES_FIRST or end == start + 1:
            return False
        has_hyphen = any("-" in word.text for word in doc[start + 1 : end + 1])
        return has_hyphen or end - start > 2

    def _titles_before(self, parsed: ParsedDocument, start: int) -> _TitlesBefore:
        """Find where the titles before a name begin, and the gender that they imply."""
        titles = _TitlesBefore(start, "")
        while titles.start > 0:
            position = self._title_position(parsed, titles.start, start)
            if position is None:
                break
            gender = parsed.title_gender(position)
            if gender is None and not self._is_capitalised_noun(parsed.doc, titles.start - 1):
                break
            titles = _TitlesBefore(position, gender or titles.gender)
        return titles

    def _title_position(self, parsed: ParsedDocument, end: int, name_start: int) -> int | None:
        """Find the word that may be a title before a token. A full stop or "of" may follow it."""
        doc = parsed.doc
        position = end - 1
        if position == 0:
            return position
        word = doc[position]
        if word.text == ".":
            return position - 1
        if word.lower_.replace("’", "'") not in _OF:
            return position
        # In "the duke of Carigliano", the title goes on with "of". In "his wife of Paris", it does not.
        goes_on = doc[position - 1].lower_ in self._rules.of_kind("title_of")
        is_place = doc[name_start].lower_ in self._rules.places
        return position - 1 if goes_on and not is_place else None

    def _is_capitalised_noun(self, doc: "Doc", position: int) -> bool:
        return doc[position].text[:1].isupper() and doc[position].lower_ in self._nouns
