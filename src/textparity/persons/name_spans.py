"""Find the tokens of names of persons: by the pipeline's labels, titles, first names, and names seen elsewhere."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import filterfalse
from typing import TYPE_CHECKING

from textparity.persons.agreement import is_plural
from textparity.persons.annotations import PERSON_LABELS
from textparity.persons.mention_spans import MentionSpan, TokenSpan
from textparity.persons.parsed_document import NO_MATCH, LexiconMatch, ParsedDocument
from textparity.persons.rules import Rules
from textparity.persons.things import NO_PERSONS

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

# A form is a person's name if at least this number and this share of its occurrences look like one.
MIN_SIGNS, SHARE_OF_SIGNS = 2, 0.25
# Names without a label have at most this many words.
LONGEST_UNKNOWN = 2
# Those beside a sign of a person have at most this many.
LONGEST_UNMARKED = 4
# The verbs before the participle of another.
_AUXILIARIES = frozenset({"avoir", "être"})
# Labels that pipelines also give to a single first name.
MISTAKEN = frozenset({"GPE", "LOC", "ORG", "FAC", "PRODUCT", "MISC"})
_ROLES_OF_PERSONS = frozenset({"nsubj", "nsubj:pass", "nsubjpass", "vocative", "obl:agent"})
_NO_NAME_PARTS = frozenset({"PUNCT", "DET", "PART", "SPACE", "PRON"})
# Parts of speech that taggers give to names, and the letters of the shortest name that is looked for elsewhere.
_TAGS_OF_NAMES = frozenset({"PROPN", "NOUN", "ADJ"})
_SHORTEST = 3


def find_name_spans(parsed: ParsedDocument, rules: Rules, is_first_name: Callable[[str], bool]) -> list[TokenSpan]:
    """Find the names of persons: those that the pipeline marks, and first names with the words that follow.

    `is_first_name` checks whether a word outside the lexicon is a first name.
    """
    return _NameSpanFinder(parsed, rules, is_first_name).find()


class _NameSpanFinder:
    """Collect the spans of names in a document. `_taken` are the tokens of those found so far."""

    def __init__(self, parsed: ParsedDocument, rules: Rules, is_first_name: Callable[[str], bool]) -> None:
        self._parsed = parsed
        self._is_first_name = is_first_name
        self._doc = parsed.doc
        self._length = len(parsed.doc)
        self._places = rules.places
        self._before_place = rules.of_kind("before_place")
        self._kin = rules.of_kind("kin")
        self._offices = rules.of_kind("office")
        self._articles = rules.of_kind("article")
        self._plural_articles = rules.of_kind("plural_article")
        self._no_persons = rules.of_kind("no_person")
        self._neutral_pronouns = rules.of_kind("neutral_pronoun")
        self._verbs_of_speech = rules.of_kind("speech_verb")
        # The pipeline labels and tags many names as other words.
        self._is_weak = rules.mends_parse
        # In languages with cases, the lemmas of names are compared.
        self._is_cased = bool(rules.of_kind("agreement"))
        self._spans: list[TokenSpan] = []
        self._taken: set[int] = set()

    def find(self) -> list[TokenSpan]:
        for entity in self._doc.ents:
            if entity.label_ in PERSON_LABELS:
                self._add(self._marked_span(entity))
        for position, match in self._parsed.matches.items():
            self._add(self._listed_span(position, match))
        if self._is_weak:
            self._add_unmarked_names()
        seen_elsewhere = _join_adjacent(self._seen_elsewhere())
        return self._join_flat_parts(sorted([*self._spans, *seen_elsewhere]))

    def _add(self, span: TokenSpan | None) -> None:
        if span is not None:
            self._spans.append(span)
            self._taken.update(range(*span))

    def _marked_span(self, entity: "Span") -> TokenSpan | None:
        """Find the name in an entity of the pipeline. None if it has only titles, or is a pronoun."""
        parts = [token.i for token in entity if self._is_part_of_name(token)]
        if not parts:
            return None
        start = parts[0]
        end = parts[-1] + 1
        is_word = end == start + 1
        if is_word and self._doc[start].lower_ in self._neutral_pronouns:
            return None
        if self._is_weak:
            start, end = self._mend_ends(start, end)
            if start >= end or self._is_plural_article(start):
                return None
        # A title alone is not a name, but the words after it may be one.
        if all(map(self._parsed.is_title, range(start, end))):
            return None
        return TokenSpan(start, end)

    def _is_part_of_name(self, token: "Token") -> bool:
        """Check whether a word may begin or end a name. A weak tagger calls names pronouns and verbs as well."""
        if self._is_weak and _is_capitalised(token) and token.lower_ not in self._articles:
            return True
        return _is_name_part(token)

    def _mend_ends(self, start: int, end: int) -> TokenSpan:
        """Correct the ends of a name that a weak pipeline marks. Nothing is left of a team, or a day of the week."""
        # In "le gardien des Rangers Allan McGregor", the team is no part of the name.
        start += self._follows_plural_article(start)
        while start < end and self._doc[start].lower_ in self._no_persons:
            start += 1
        if start >= end:
            return TokenSpan(end, end)
        while self._is_first_name_before(start):
            start -= 1
        return TokenSpan(start, self._end_of_capitals(end))

    def _is_first_name_before(self, start: int) -> bool:
        """Check whether the word before a name is a first name that the pipeline leaves out."""
        before = start - 1
        if before < 0 or before in self._taken or not _is_capitalised(self._doc[before]):
            return False
        # Other words are capitalised at the beginning of a sentence.
        is_word = self._doc[before].is_sent_start or self._parsed.is_title(before)
        return not is_word and self._may_be_any_first_name(before)

    def _add_unmarked_names(self) -> None:
        """Add capitalised words that the pipeline does not mark as persons, with a sign of one beside them."""
        position = 0
        while position < self._length:
            start = position
            end = self._end_of_capitals(start)
            position = max(end, start + 1)
            if 0 < end - start <= LONGEST_UNMARKED and self._has_sign_of_person(start, end):
                self._add(TokenSpan(start, end))

    def _end_of_capitals(self, start: int) -> int:
        """Find where the capitalised words end that begin at a token. Those of other names are left out."""
        end = start
        while end < self._length and end not in self._taken and _is_capitalised(self._doc[end]):
            if end > start and self._doc[end].is_sent_start and self._doc[end - 1].is_space:
                break
            end += 1
        return end

    def _has_sign_of_person(self, start: int, end: int) -> bool:
        """Check whether capitalised words are a person's name: by a first name, an age, a verb of speech, or a noun."""
        words = self._doc[start:end]
        if words.text.lower() in self._places or self._follows_preposition(start):
            return False
        if self._follows_plural_article(start) or self._is_plural_article(start) or self._parsed.is_title(start):
            return False
        is_full = end > start + 1
        if is_full and self._may_be_any_first_name(start):
            return True
        return self._is_aged(end) or self._is_speaker(start, end) or self._follows_noun(start)

    def _may_be_any_first_name(self, position: int) -> bool:
        """Check whether a word is a first name, of the lexicon or of any country."""
        match = self._parsed.matches.get(position, NO_MATCH)
        return match.layer == "names" or self._is_first_name(self._doc[position].text)

    def _follows_noun(self, start: int) -> bool:
        """Check whether a relative or an office stands before a name (*sa femme Zorica*, *le sénateur Flake*)."""
        if start == 0 or is_plural(self._doc[start - 1]):
            return False
        before = self._doc[start - 1].lower_
        return before in self._kin or before in self._offices

    def _is_aged(self, end: int) -> bool:
        """Check whether an age follows a name (*Olivera Georgijevska, 79 ans,*)."""
        following = [token.lower_ for token in self._doc[end : end + 3]]
        if len(following) < 3:
            return False
        comma, number, unit = following
        return comma == "," and number.isdigit() and unit == "ans"

    def _is_speaker(self, start: int, end: int) -> bool:
        """Check whether a name is the subject of a verb of speech before it (*», a expliqué Nugroho,*)."""
        if start < 2 or (end < self._length and not self._doc[end].is_punct):
            return False
        verb = self._doc[start - 1]
        if self._verbs_of_speech.keys().isdisjoint((verb.lower_, verb.lemma_)):
            return False
        before = start - 2
        if self._doc[before].lemma_ in _AUXILIARIES:
            before -= 1
        return before >= 0 and self._doc[before].is_punct

    def _follows_plural_article(self, position: int) -> bool:
        """Check whether a word follows a plural article: it is not one person's name (*les Rangers*)."""
        return position > 0 and self._is_plural_article(position - 1)

    def _is_plural_article(self, position: int) -> bool:
        return self._doc[position].lower_ in self._plural_articles

    def _listed_span(self, position: int, match: LexiconMatch) -> TokenSpan | None:
        """Find the name that begins after a title, or with a first name of the lexicon."""
        token = self._doc[position]
        if match.layer == "titles" and token.text[:1].isupper():
            # A name after a title is that of a person, whatever label the pipeline gives it.
            start = self._parsed.after_title(position)
            is_free = start < self._length and start not in self._taken
            end = start + 1 if is_free and self._may_follow_title(start) else start
        elif match.layer == "names" and token.pos_ == "PROPN" and self._may_be_first_name(position):
            start = end = position
        else:
            return None
        end = self._end_of_name(start, end)
        if end == start or start in self._taken:
            return None
        return TokenSpan(start, end)

    def _end_of_name(self, start: int, end: int) -> int:
        """Find where a name ends that begins at `start` and reaches at least to `end`."""
        while end < self._length:
            if end in self._taken or not self._goes_on(start, end):
                break
            end += 1
        return end

    def _may_follow_title(self, position: int) -> bool:
        """Check whether the word after a title is a name. Many names are ordinary words as well (*M. Petit*)."""
        token = self._doc[position]
        if not token.is_alpha or not token.text[0].isupper():
            return False
        before = self._doc[position - 1]
        # Without a full stop, a title does not end a sentence, though the parser may split there (*Mme Le Pen*).
        begins_sentence = token.is_sent_start and before.text.endswith(".")
        return not begins_sentence and not self._parsed.is_title(position)

    def _may_be_first_name(self, position: int) -> bool:
        """Check whether a first name is in no entity, or in a short one that may be wrong (*Meg* as a firm)."""
        label = self._doc[position].ent_type_
        if not label:
            return True
        if label not in MISTAKEN or not self._begins_entity(position, label):
            return False
        words = self._rest_of_entity(position, label)
        is_place = words.text.lower() in self._places
        is_long = len(words) > LONGEST_UNKNOWN and not self._acts_alone(words[-1])
        if is_place or is_long or len(words) > LONGEST_UNMARKED:
            return False
        return all(map(_is_plain_name, words))

    def _acts_alone(self, surname: "Token") -> bool:
        """Check whether the last part of a name acts like a person elsewhere (*Christine Blasey Ford … Ford said*)."""
        for token in self._doc:
            if token.text != surname.text or token.i == surname.i or token.dep_ not in _ROLES_OF_PERSONS:
                continue
            before = self._doc[token.i - 1].pos_ if token.i else ""
            if before not in ("PROPN", "DET", "ADJ"):
                return True
        return False

    def _rest_of_entity(self, position: int, label: str) -> "Span":
        """Find the words from a token to the end of its entity."""
        end = position + 1
        while end < self._length and _continues_entity(self._doc[end], label):
            end += 1
        return self._doc[position:end]

    def _begins_entity(self, position: int, label: str) -> bool:
        """Check whether neither a word with the same label stands before a token, nor one that precedes places."""
        if position == 0:
            return True
        before = self._doc[position - 1]
        goes_on = before.ent_type_ == label
        is_place = label != "ORG" and before.lower_ in self._before_place
        return not goes_on and not is_place

    def _goes_on(self, start: int, position: int) -> bool:
        """Check whether a name that begins at `start` goes on with a token."""
        token = self._doc[position]
        if token.pos_ != "PROPN" or not token.text[:1].isupper():
            return False
        first = self._doc[start]
        return position == start or token.ent_type_ == first.ent_type_

    def _seen_elsewhere(self) -> set[int]:
        """List tokens of names that the pipeline marks as persons elsewhere, or that act like persons."""
        full_names = [span for span in self._spans if span.end - span.start > 1]
        surnames = {self._form(self._doc[name.end - 1]) for name in full_names}
        seen: set[int] = set()
        for form, positions in self._positions_by_form().items():
            others = [position for position in positions if position not in self._taken]
            if form in surnames:
                # A surname alone refers to the person who bears it.
                seen.update(filter(self._stands_alone, others))
            if self._acts_like_name(positions, others):
                seen.update(filterfalse(self._parsed.is_title, others))
        return seen

    def _positions_by_form(self) -> dict[str, list[int]]:
        """List the tokens of each form that may be a name."""
        positions: defaultdict[str, list[int]] = defaultdict(list)
        for token in self._doc:
            may_be_name = self._is_weak or token.pos_ in _TAGS_OF_NAMES
            if not may_be_name or len(token) < _SHORTEST:
                continue
            if token.text[:1].isupper():
                form = self._form(token)
                positions[form].append(token.i)
        return positions

    def _form(self, token: "Token") -> str:
        return token.norm_ if self._is_cased else token.text

    def _is_proper_noun(self, position: int) -> bool:
        if not 0 <= position < self._length:
            return False
        token = self._doc[position]
        return token.pos_ == "PROPN" or (self._is_weak and _is_capitalised(token))

    def _stands_alone(self, position: int) -> bool:
        """Check whether no other name is beside a name, of which it could be a part."""
        if not self._is_proper_noun(position) or self._parsed.is_title(position):
            return False
        beside = (position - 1, position + 1)
        return not any(map(self._is_proper_noun, beside))

    def _acts_like_name(self, positions: list[int], others: list[int]) -> bool:
        """Check whether a form is mostly a person's name, by all its positions and those where it is in no name."""
        signs = len(positions) - len(others)
        signs += sum(map(self._acts_like_person, others))
        signs -= sum(map(self._follows_preposition, positions))
        signs -= sum(map(self._follows_plural_article, positions))
        least = max(MIN_SIGNS, SHARE_OF_SIGNS * len(positions))
        if signs < least:
            return False
        tokens = [self._doc[position] for position in positions]
        return any(map(_is_no_word, tokens))

    def _acts_like_person(self, position: int) -> bool:
        """Check whether a word follows a title, or has a role in the sentence that persons mostly have."""
        if position > 0 and self._parsed.title_gender(position - 1) is not None:
            return True
        token = self._doc[position]
        # The United States act as well.
        is_part_of_thing = token.ent_iob_ == "I" and token.ent_type_ in NO_PERSONS
        return token.dep_ in _ROLES_OF_PERSONS and not is_part_of_thing

    def _follows_preposition(self, position: int) -> bool:
        """Check whether a word follows one that precedes places (*in*)."""
        if position == 0:
            return False
        before = self._doc[position - 1]
        return before.lower_ in self._before_place

    def _join_flat_parts(self, spans: list[TokenSpan]) -> list[TokenSpan]:
        """Join names of which the parse makes one, such as a first name without a label and a surname with one."""
        joined: list[TokenSpan] = []
        for span in spans:
            token = self._doc[span.start]
            before = joined[-1] if joined else TokenSpan(0, 0)
            is_below = before.start <= token.head.i < before.end
            if is_below and before.end == span.start and token.dep_.startswith("flat"):
                joined[-1] = TokenSpan(before.start, span.end)
            else:
                joined.append(span)
        return joined


def _join_adjacent(positions: set[int]) -> Iterator[TokenSpan]:
    """Join tokens that follow each other."""
    for start in sorted(positions):
        if start - 1 in positions:
            continue
        end = start + 1
        while end in positions:
            end += 1
        yield TokenSpan(start, end)


def _is_capitalised(token: "Token") -> bool:
    """Check whether a word is spelled like a part of a name: not all in capitals, but perhaps with a hyphen."""
    word = token.text.replace("-", "")
    return word.isalpha() and len(word) >= _SHORTEST - 1 and word[0].isupper() and not word.isupper()


def _is_name_part(token: "Token") -> bool:
    return token.text[:1].isupper() and token.pos_ not in _NO_NAME_PARTS


def _continues_entity(token: "Token", label: str) -> bool:
    return token.ent_type_ == label and token.ent_iob_ == "I"


def _is_plain_name(token: "Token") -> bool:
    return token.pos_ == "PROPN" and token.is_alpha and token.is_title


def _is_no_word(token: "Token") -> bool:
    """Check whether a word's capital is that of a name: not at the start of a sentence, and not all capitals."""
    return not token.is_sent_start and token.pos_ == "PROPN" and not token.text.isupper()


def find_unknown_names(parsed: ParsedDocument, rules: Rules, taken: set[int]) -> Iterator[MentionSpan]:
    """Find other names that may be persons', such as those to which *he* or *she* refers if things are *it*.

    `taken` are the tokens of other mentions.
    """
    doc = parsed.doc
    places = _names_of_places(doc, rules)
    end = 0
    for token in doc:
        start = token.i
        if start < end or token.text in places or not _may_be_name(token, taken):
            continue
        end = start + 1
        while end < len(doc) and _may_be_name(doc[end], taken):
            end += 1
        words = doc[start:end]
        if len(words) <= LONGEST_UNKNOWN and not token.is_sent_start:
            parts = tuple(word.lower_ for word in words)
            yield MentionSpan(start, end, end - 1, "name", "", "", parts=parts, role="unknown")


def _names_of_places(doc: "Iterable[Token]", rules: Rules) -> set[str]:
    """List the words after those that precede places (*in*)."""
    before_place = rules.of_kind("before_place")
    return {token.text for token in doc if token.i and token.nbor(-1).lower_ in before_place}


def _may_be_name(token: "Token", taken: set[int]) -> bool:
    if token.pos_ != "PROPN" or token.i in taken or token.ent_type_ in NO_PERSONS:
        return False
    return token.is_alpha and token.text[:1].isupper() and not token.text.isupper()
