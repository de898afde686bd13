"""A document that a pipeline parsed, together with the lexicon's matches in it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from textparity.counting import GENDERS
from textparity.counting.name_forms import WORDS_BESIDE
from textparity.counting.terms import Match, TermMatcher
from textparity.persons.agreement import grammatical_gender
from textparity.persons.rules import Rules

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


class LexiconMatch(NamedTuple):
    """The layer and the class of the lexicon to which a form belongs. `gender` is empty for several classes."""

    layer: str
    gender: str


NO_MATCH = LexiconMatch("", "")
# The words next to a name are looked for within this many tokens, punctuation included.
_TOKENS_BESIDE = 3 * WORDS_BESIDE


class ParsedDocument:
    """A document together with the lexicon's matches in it, by token."""

    def __init__(self, doc: "Doc", matcher: TermMatcher, rules: Rules) -> None:
        self.doc = doc
        # Stored because each access to `doc.text` joins the words again.
        self.text = doc.text
        self._neutral_titles = rules.of_kind("neutral_title")
        self.sentence_of = [0] * len(doc)
        # The match of the form that begins at a token.
        self.matches: dict[int, LexiconMatch] = {}
        # If the pipeline splits a word: the position of its first part, by that of its last part.
        self.begins: dict[int, int] = {}
        self._match_words(matcher)
        if rules.of_kind("agreement"):
            self._match_declined_names(matcher, rules)

    def _match_words(self, matcher: TermMatcher) -> None:
        fold = matcher.folding.fold
        # The tokens of all words.
        positions: list[int] = []
        sentences: list[list[str]] = []
        for number, sentence in enumerate(self.doc.sents):
            words: list[str] = []
            for token in sentence:
                self.sentence_of[token.i] = number
                for word in _lexicon_words(token):
                    words.append(fold(word))
                    positions.append(token.i)
            sentences.append(words)
        folded_text = fold(self.text)
        for match in matcher.match(sentences, folded_text):
            start = positions[match.start]
            self._note_match(match, start)

    def _note_match(self, match: Match, start: int) -> None:
        """Note a match that begins at a token."""
        position = start
        is_word = " " not in match.form
        if is_word and match.layer in ("nouns", "inclusive"):
            # The last part of a split word (*non-binary*) decides what the whole word is.
            position = self._last_part(start, len(match.form))
            self.begins[position] = start
        has_one_class = len(match.classes) == 1
        gender = min(match.classes) if has_one_class else ""
        self.matches.setdefault(position, LexiconMatch(match.layer, gender))

    def _last_part(self, position: int, letters: int) -> int:
        """Find the token that ends a form of so many letters that begins at a token."""
        last = len(self.doc) - 1
        while position < last:
            length = len(self.doc[position].text)
            if letters <= length:
                break
            letters -= length
            position += 1
        return position

    def _match_declined_names(self, matcher: TermMatcher, rules: Rules) -> None:
        """Match lemmas of first names (Paula may be Paul's accusative), and names told by the tagger or an ending."""
        fold = matcher.folding.fold
        forms = [fold(token.norm_) if token.pos_ == "PROPN" else "-" for token in self.doc]
        text = " ".join(forms).title()
        for match in matcher.match([forms], text):
            if match.layer == "names":
                gender = min(match.classes)
                self.matches[match.start] = LexiconMatch("names", gender)
        marks = rules.of_kind("agreement").keys()
        endings = tuple(rules.of_kind("name_ending"))
        for token, form in zip(self.doc, forms, strict=True):
            is_told_by_tagger = not marks.isdisjoint(token.morph.get("NameType"))
            if is_told_by_tagger or form.endswith(endings):
                gender = grammatical_gender(token)
                self.matches[token.i] = LexiconMatch("names", gender)

    def title_gender(self, position: int) -> str | None:
        """Look up the gender of a title or a capitalised person noun. Empty for any gender, None for other words."""
        match = self.matches.get(position, NO_MATCH)
        if match.layer == "nouns":
            word = self.doc[position].text
            if not word[:1].isupper():
                return None
        elif match.layer != "titles":
            return None
        return match.gender if match.gender in GENDERS else ""

    def gender_in(self, layer: str, position: int) -> str:
        """Look up the gender that a layer of the lexicon gives to a token. Empty if it gives none."""
        match = self.matches.get(position, NO_MATCH)
        if match.layer != layer or match.gender not in GENDERS:
            return ""
        return match.gender

    def is_title(self, position: int) -> bool:
        """Check whether a word is in the layer of titles (*Mr*)."""
        return self.matches.get(position, NO_MATCH).layer == "titles"

    def is_inclusive(self, position: int) -> bool:
        """Check whether the lexicon counts a word as a form for all genders, such as *hen*."""
        return self.matches.get(position, NO_MATCH).layer == "inclusive"

    def is_neutral_title(self, position: int) -> bool:
        """Check whether a word, or the one before a full stop, is a title of any gender (*Mx*)."""
        if position > 0 and self.doc[position].text == ".":
            position -= 1
        if position < 0:
            return False
        word = without_stop(self.doc[position].lower_)
        return word in self._neutral_titles

    def is_beside_title(self, position: int) -> bool:
        """Check whether a title is followed by a conjunction and another title."""
        conjunction = self.after_title(position)
        if conjunction + 1 >= len(self.doc):
            return False
        return self.doc[conjunction].pos_ == "CCONJ" and self.is_title(conjunction + 1)

    def after_title(self, position: int) -> int:
        """Find the token after a title and its full stop, if that is a token of its own."""
        following = position + 1
        has_stop = following < len(self.doc) and self.doc[following].text == "."
        return following + 1 if has_stop else following

    def words_before(self, start: int) -> list[str]:
        """List up to four words before a token in its sentence, without signs."""
        first = max(0, start - _TOKENS_BESIDE)
        sentence = self.sentence_of[start]
        words = self._words_in(self.doc[first:start], sentence)
        return words[-WORDS_BESIDE:]

    def words_after(self, start: int, end: int) -> list[str]:
        """List up to four words after a span in its sentence, without signs."""
        last = end + _TOKENS_BESIDE
        sentence = self.sentence_of[start]
        words = self._words_in(self.doc[end:last], sentence)
        return words[:WORDS_BESIDE]

    def _words_in(self, tokens: "Span", sentence: int) -> list[str]:
        """List the words, without signs, among tokens that are in a sentence."""
        words = [token for token in tokens if token.is_alpha]
        return [word.text for word in words if self.sentence_of[word.i] == sentence]


def _lexicon_words(token: "Token") -> Iterator[str]:
    """Split a token into words as the lexicon has them.

    It lists titles without their full stop, which is a word of its own in contexts (*M.*).
    """
    if token.is_space:
        return
    word = without_stop(token.lower_)
    yield word
    if word != token.lower_:
        yield "."


def without_stop(word: str) -> str:
    """Remove the full stop that ends a word."""
    return word[:-1] if word.endswith(".") and len(word) > 1 else word
