"""Find the names of persons in an article, for the rules of actors, with the titles that determine their gender."""

from collections.abc import Sequence
from dataclasses import dataclass

from textparity.persons.actor_languages import WordLists
from textparity.persons.annotations import PERSON_LABELS, Annotation
from textparity.persons.first_name_gender import guess_gender
from textparity.persons.mention_spans import TokenSpan
from textparity.persons.quotes import find_marked_spans, has_finite_verb

_LONGEST_WORK_TITLE = 8
# These words end in miss, but are not titles.
_NO_TITLES = frozenset({"kompromiss"})


@dataclass(frozen=True)
class ActorName:
    """A name on tokens `start` to `end` (exclusive), without its titles. `parts` are its words in lower case."""

    start: int
    end: int
    parts: tuple[str, ...]
    text: str
    title_gender: str


class ActorNameFinder:
    """Find names in an article. `work_titles` are the tokens of titles of works."""

    def __init__(self, article: Annotation, words: WordLists) -> None:
        self._article, self._words, self._language = article, words, words.language
        self.work_titles = self._find_work_titles()

    def find(self) -> list[ActorName]:
        """Find the names of persons, in text order.

        Names in quotation marks without a verb are titles of works.
        """
        names: list[ActorName] = []
        end_before = 0
        for span in sorted(self._spans()):
            # Two names may share words, because the surname reached over the particles of one name may also be marked
            # by itself.
            if span.start in self.work_titles or span.start < end_before:
                continue
            end_before = span.end
            name = self._strip_titles(span)
            if name is not None:
                names.append(name)
        return names

    def _find_work_titles(self) -> set[int]:
        tokens: set[int] = set()
        for start, end in find_marked_spans(self._article, self._language):
            is_short = end - start <= _LONGEST_WORK_TITLE
            if is_short and not has_finite_verb(self._article, start, end):
                tokens.update(range(start, end))
        return tokens

    def _spans(self) -> list[TokenSpan]:
        """List the spans marked as persons, extended to particles and surname, and unmarked full names."""
        marked = [TokenSpan(*span) for span in self._article.entity_spans(PERSON_LABELS)]
        others = set(self._article.entity_spans()).difference(marked)
        spans = [self._with_particles(span) for span in marked]
        for start in range(len(self._article) - 1):
            if self._is_unmarked_full_name(start, others):
                spans.append(TokenSpan(start, start + 2))
        if self._language.has_later_rules:
            spans += self._after_honorifics()
        return spans

    def _is_unmarked_full_name(self, start: int, others: set[tuple[int, int]]) -> bool:
        """Check whether two words are an unambiguous first name and another proper noun. `others` are no persons."""
        article = self._article
        for position in (start, start + 1):
            token = article.tokens[position]
            if article.parts_of_speech[position] != "PROPN" or not token.istitle():
                return False
        if not self._is_unmarked(start, others):
            return False
        first_name = article.tokens[start]
        return bool(guess_gender(first_name, self._language))

    def _is_unmarked(self, start: int, others: set[tuple[int, int]]) -> bool:
        """Check whether two words are in no entity, or in one of their own that is no person."""
        end = start + 2
        labels = self._article.entities[start:end]
        if not any(labels) or (start, end) in others:
            return True
        if not self._language.has_later_rules:
            return False
        # In "ministre des Transports Hélène Marchand", the parser may take the whole phrase for one organisation.
        starts = [other_start for other_start, other_end in others if other_end == end]
        return any(other_start <= start for other_start in starts)

    def _after_honorifics(self) -> list[TokenSpan]:
        """Find the proper nouns directly after "Mrs" or "M.", whatever their label."""
        article = self._article
        spans = []
        for start in range(1, len(article)):
            follows_title = self.title_word(start - 1) in self._language.honorifics
            if not follows_title or article.entities[start] in PERSON_LABELS:
                continue
            end = start
            while end < len(article) and self._is_capitalised_name(end):
                end += 1
            if end > start:
                spans.append(TokenSpan(start, end))
        return spans

    def _is_capitalised_name(self, position: int) -> bool:
        is_name = self._article.parts_of_speech[position] == "PROPN"
        return is_name and self._article.is_capitalised(position)

    def _with_particles(self, span: TokenSpan) -> TokenSpan:
        """Extend a first name to the particles and the surname after it.

        This accepts "Clara von der Heide", but neither "Clara der Partei" nor "Clara Koch von der Polizei".
        """
        article = self._article
        surname = span.end
        while surname < len(article) and article.tokens[surname] in self._language.particles:
            surname += 1
        particles = surname - span.end
        if not particles or surname == len(article):
            return span
        if article.tokens[span.end] in self._language.particles_or_articles:
            return span
        # After two particles, a common noun is accepted, too.
        accepted = ("PROPN", "NOUN") if particles > 1 else ("PROPN",)
        if article.parts_of_speech[surname] not in accepted:
            return span
        first_name = article.tokens[span.start]
        is_first_name = span.end == span.start + 1 and guess_gender(first_name, self._language)
        return TokenSpan(span.start, surname + 1) if is_first_name else span

    def _strip_titles(self, span: TokenSpan) -> ActorName | None:
        """Separate a name from the titles in its span. None if it has no capital, or has a number."""
        article = self._article
        start, end = span
        gender = self.title_before(start)
        while start < end and self.is_title(start):
            gender = gender or self.title_gender(start) or ""
            start += 1
        while start < end and article.tokens[end - 1] in self._language.possessive_endings:
            end -= 1
        tokens = article.tokens[start:end]
        has_capital = any(map(article.is_capitalised, range(start, end)))
        if not has_capital or any(map(str.isdigit, tokens)):
            return None
        parts = tuple(map(str.lower, tokens))
        text = article.text_of(start, end)
        return ActorName(start, end, parts, text, gender)

    def title_before(self, start: int) -> str:
        """Find the gender of the first gendered title directly before a name: `Frau Dr.`, `Frau Professor`."""
        gender = ""
        for position in reversed(range(self._article.sentence_start(start), start)):
            of_title = self.title_gender(position)
            if of_title is None:
                break
            gender = of_title or gender
        return gender

    def title_gender(self, position: int) -> str | None:
        """Determine the gender of a title. Empty if anyone may have it; None if the word is not a title."""
        article = self._article
        title, gender = self._look_up_title(position)
        children = [article.tokens[child].lower() for child in article.children[position]]
        # "der Abgeordnete" is a man and "die Abgeordnete" a woman. So is "Abgeordnete" without an article.
        is_adjectival = self._words.titles.get(title + "r") == "masculine"
        case = article.features[position].get("Case")
        if is_adjectival and case not in ("Gen", "Dat"):
            return "masculine" if "der" in children else gender
        if gender == "" and self._language.articles:
            # "la ministre" is a woman.
            return _gender_of_article(self._language.articles, children)
        return gender

    def _look_up_title(self, position: int) -> tuple[str, str | None]:
        """Find the title that a word is, or that a compound ends in (Kultusministerin), and its listed gender."""
        title = self.title_word(position)
        is_listed = title in self._words.titles
        if is_listed or title in _NO_TITLES or not self._article.is_noun(position):
            return title, self._words.titles.get(title)
        for ending, gender in self._words.title_endings.items():
            if title.endswith(ending):
                return ending, gender
        return title, None

    def is_title(self, position: int) -> bool:
        """Check whether a word is listed as a title."""
        return self.title_word(position) in self._words.titles

    def title_word(self, position: int) -> str:
        """Convert a word to the form in which titles are listed. Empty for the verb mag, which is not the title Mag."""
        token = self._article.tokens[position]
        needs_capital = self._language.nouns_are_capitalised and not token.endswith(".")
        if needs_capital and not token[:1].isupper():
            return ""
        return token.lower().rstrip(".")


def _gender_of_article(articles: Sequence[tuple[str, str]], words: Sequence[str]) -> str:
    for article, gender in articles:
        if article in words:
            return gender
    return ""
