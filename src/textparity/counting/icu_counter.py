"""Count many texts at once with ICU, in a fraction of the time that splitting every word takes.

A space ends any word, whatever stands beside it, so the words of a text are those of the pieces between its spaces.
Most pieces recur, so each is split once and cached. A text is then an array of piece numbers, from which NumPy adds up
the words and finds the places where a form may stand. A form within one piece and without a context is counted
directly. For all others, such as forms of several words or with a context, the surroundings are split and matched like
a text.
"""

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import NamedTuple
from unicodedata import is_normalized
from weakref import WeakSet
from zlib import crc32

import numpy as np
from icu4py.breakers import SentenceBreaker, WordBreaker

from textparity.arrays import GrowingArray
from textparity.counting import CLASSES, GENDERS, Sentences
from textparity.counting.line_ends import MARKS
from textparity.counting.name_pieces import (
    Piece,
    View,
    is_within,
    may_be_no_name,
    read_piece,
    read_small_word,
)
from textparity.counting.names import (
    FullName,
    Learned,
    NamePart,
    NamesShown,
    WordUses,
    as_learned,
    gender_of,
    is_address,
    is_alone,
    is_office_alone,
    join_names,
    make_surname,
    place_surname,
    resolve,
    with_gender,
    without_gender,
)
from textparity.counting.pairs import SLASHES
from textparity.counting.pieces import Pieces, make_reader, make_shapes, plain_letters, plain_signs
from textparity.counting.pronoun_evidence import (
    NAME_LIKE,
    PLAIN,
    PronounTrail,
    are_called_neutral,
    count_votes,
    genders_shown,
    load_evidence,
)
from textparity.counting.regex_prefilter import PieceFilter
from textparity.counting.terms import FormRules, Layout, Match, TermMatcher, are_among_persons, may_split
from textparity.counting.tokenizers import IcuTokenizer
from textparity.folding import NARROW_SPACE, NO_FOLDING, Folding

# What all languages together keep of pieces, in bytes as estimated. Above it, pieces that occurred once are forgotten.
MOST_BYTES = 100_000_000
BYTES_OF_PIECE, BYTES_OF_TOKEN = 120, 60
# So many rows of pieces are remembered.
MOST_GOING_ON = 100_000
# Codes of several numbers are not above this.
LARGEST_CODE = 2**62
# This many letters of a word decide whether it may continue a form.
LONGEST_PART = 6
# The context of a match has this many words on each side.
WORDS_AROUND = 3
# An odd number and a shift, which mix the bits of a digest.
_MULTIPLIER, _MIXED = np.uint64(0x9E3779B97F4A7C15), 29
Tokens = tuple[str, ...]

# Properties of a piece, as bits: a sentence may end in or after it; a sentence certainly ends within it; it joins the
# space beside it; it has forms of the published procedure; it has letters; it may be read as a shape.
ENDS, ENDS_WITHIN, JOINS, PUBLISHED, LETTERS, SHAPE = 1, 2, 4, 8, 16, 32
# Properties of a piece for one matcher: it has a form of one token; that form depends on a context; a form of several
# tokens may begin in it, begin with its last token, or continue with its first token; a regular expression may match in
# it, from it on, or up to it; the context of its form depends on where the sentence begins or ends, or on the letters
# of any word; a pair of nouns may begin in it, or go on in it.
HAS, CONTEXT, STARTS, LAST, FIRST, PATTERN, OPENS, FOLLOWS, IN_SENTENCE, LETTERS_BESIDE, OPENS_PAIR, IN_PAIR = (
    1 << bit for bit in range(12)
)
# The role of a match in a full name: a title, a first name, or a word that needs a capital to be part of a name
# (`may_name`).
TITLE, NAME, CAPITAL = 1, 2, 3
# A name may go on after a piece, or into it; the piece may stand within names, even if it is also a word; a part of a
# name may end with these signs.
MAY_GO_ON, MAY_FOLLOW, MAY_BE_WITHIN = 1, 2, 4
_ENDS_OF_PARTS = "." + MARKS
# The key of a shape, which may be any surname.
ANY = 2**31 - 1
# In place of the number of a piece beside a form: there is none, or it has no word that a context of the form names.
NO_PIECE, OTHER_PIECE = -1, -2
ANY_WORD = 0
_OTHER_WORD = ("\0",)
_NO_CODE = -1
# The genders of other matches, by number; None if there is no match.
_GENDER_NUMBERS = (None, "", *GENDERS)


class Kinds(dict[Match, int]):
    """Consecutive numbers, from 0, of matches that are equal except for their start. `listed` has them in order."""

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[Match] = []

    def number(self, match: Match) -> int:
        """Look up the number of a match, or assign a new one."""
        match = match._replace(start=0) if match.start else match
        number = self.get(match)
        if number is None:
            number = self[match] = len(self)
            self.listed.append(match)
        return number


@contextmanager
def collecting_no_garbage() -> Iterator[None]:
    """Keep the garbage collector from walking through all lexicons again and again while many objects are made."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@dataclass
class MatchTable:
    """The matches of one procedure: the number of words in each text, and all matches, in the order of texts and
    tokens.

    For each match, `texts` has the number of its text, `kinds` its number among the `known` kinds, and `starts` the
    number of its first token in the text. `contexts` has a digest of the words around it, 0 if it is unknown.
    """

    words: np.ndarray
    texts: np.ndarray
    kinds: np.ndarray
    starts: np.ndarray
    known: Sequence[Match]
    contexts: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint64))

    def __post_init__(self) -> None:
        if len(self.contexts) != len(self.texts):
            self.contexts = np.zeros(len(self.texts), np.uint64)

    @classmethod
    def of(cls, words: np.ndarray, matches: Mapping[int, Sequence[Match]]) -> "MatchTable":
        """Make a table of the matches of texts, given by the texts' numbers."""
        known = Kinds()
        rows = [(text, known.number(match), match.start) for text in sorted(matches) for match in matches[text]]
        texts, kinds, starts = _columns(rows, 3)
        return cls(words, texts, kinds, starts, list(known))

    @classmethod
    def join(cls, size: int, parts: Iterable[tuple[np.ndarray, "MatchTable"]]) -> "MatchTable":
        """Make a table of `size` texts from tables of their parts, in order, each with the numbers of its texts."""
        known = Kinds()
        words = np.zeros(size, np.int64)
        rows = [_columns([], 3)]
        contexts = [np.zeros(0, np.uint64)]
        for numbers, table in parts:
            kinds = np.array([known.number(match) for match in table.known], np.int64)
            rows.append([numbers[table.texts], kinds[table.kinds], table.starts + words[numbers][table.texts]])
            contexts.append(table.contexts)
            words[numbers] += table.words
        texts, kinds, starts = (np.concatenate(columns) for columns in zip(*rows, strict=True))
        order = np.lexsort((starts, texts))
        return cls(words, texts[order], kinds[order], starts[order], list(known), np.concatenate(contexts)[order])

    def of_texts(self, numbers: np.ndarray) -> "MatchTable":
        """Select the matches of some texts, given by their numbers in ascending order, without their contexts."""
        places = np.full(len(self.words), -1)
        places[numbers] = np.arange(len(numbers))
        texts = places[self.texts]
        kept = texts >= 0
        # A few texts contain only few of the known kinds, so the others are dropped.
        kinds, places_of_kinds = np.unique(self.kinds[kept], return_inverse=True)
        known = [self.known[kind] for kind in kinds.tolist()]
        return MatchTable(self.words[numbers], texts[kept], places_of_kinds, self.starts[kept], known)

    def without(self, is_left_out: np.ndarray) -> "MatchTable":
        """Leave out some matches of all texts."""
        kept = ~is_left_out
        contexts = self.contexts[kept]
        return MatchTable(self.words, self.texts[kept], self.kinds[kept], self.starts[kept], self.known, contexts)

    @property
    def matches(self) -> dict[int, list[Match]]:
        """The matches of each text that has any."""
        found: defaultdict[int, list[Match]] = defaultdict(list)
        for text, kind, start in zip(self.texts.tolist(), self.kinds.tolist(), self.starts.tolist(), strict=True):
            match = self.known[kind]
            found[text].append(match._replace(start=start) if start else match)
        return dict(found)

    def has_class(self, name: str) -> np.ndarray:
        """Check for each match whether it belongs to a class."""
        return np.array([name in match.classes for match in self.known], bool)[self.kinds]

    def by_class(self) -> dict[str, np.ndarray]:
        """Count the matches of each text by class, and those that are both feminine and masculine."""
        of_class = {name: self.has_class(name) for name in CLASSES}
        of_class["feminine_and_masculine"] = of_class["feminine"] & of_class["masculine"]
        size = len(self.words)
        return {name: np.bincount(self.texts[has], minlength=size).astype(np.int32) for name, has in of_class.items()}


def _columns(rows: Sequence[tuple[int, ...]], width: int) -> list[np.ndarray]:
    """Convert rows of numbers to columns."""
    return list(np.array(rows, np.int64).reshape(-1, width).T)


# The text, kind and start of each match, as three arrays.
_Rows = tuple[np.ndarray, np.ndarray, np.ndarray]


class _Bounds(NamedTuple):
    """Where a window lies: the number of its text, and the ranges of its pieces with words and of those to match."""

    number: int
    low: int
    high: int
    core: int
    core_stop: int
    has_pattern: bool


class _Window(NamedTuple):
    """A window, with its tokens if it lies in one sentence. `first` is the number of its first token in the text.

    Matches have to begin at one of the tokens `kept`.
    """

    bounds: _Bounds
    text: str
    tokens: list[str] | None
    first: int
    kept: range


class _Hit(NamedTuple):
    """A form of one token in a piece."""

    place: int
    rules: FormRules
    capital: bool


class _Watch:
    """The properties of each piece for one matcher."""

    def __init__(self, matcher: TermMatcher) -> None:
        self.matcher = matcher
        self.filter = PieceFilter(matcher.patterns, matcher.pairs)
        self.joins_names = "names" in matcher.layers
        self.evidence = load_evidence(matcher)
        # Pieces have no flag for forms of several words.
        self._needs_letters = any(rules.needs_letters for form, rules in matcher.rules.items() if not form.isalpha())
        # The beginnings of the words that follow a space in a form.
        self._parts = {
            word[:length]
            for form in matcher.rules
            for word in form.split(" ")[1:]
            for length in range(1, LONGEST_PART + 1)
        }
        self.clear()

    def clear(self) -> None:
        # The properties of each piece, by its number.
        self.flags = GrowingArray(np.uint16)
        # What `PronounEvidence` reads of each piece, if pronouns show anything.
        self.traits = GrowingArray(np.uint8)
        self.hits: dict[int, list[_Hit]] = {}
        # For each piece, the number of the set of words that the contexts of its forms name. None is in place of a set,
        # with the number `ANY_WORD`, if these contexts depend on the letters of any word.
        self.named = GrowingArray(np.int32)
        self._named: list[frozenset[str] | None] = [None]
        self._numbers_named: dict[frozenset[str] | None, int] = {None: ANY_WORD}
        self.kinds = Kinds()
        # The matches of a piece between two others: the number of each match, and its first token in the piece.
        self.alone: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        # For a pair of pieces, whether a form continues from the first to the second.
        self.pairs: dict[int, bool] = {}
        self._roles = GrowingArray(np.int64, 5)
        # For the numbers of some pieces, whether a regular expression or a pair goes on from the first to the others.
        self.going_on: dict[bytes, bool] = {}

    def learn(
        self,
        first: int,
        pieces: list[str],
        tokens: list[Tokens],
        shapes: list[int],
        without_letters: Set[int],
    ) -> None:
        """Determine the properties of new pieces. `first` is the number of the first one.

        `shapes` may be read as one, and those `without_letters` have no letters of the pieces that they stand for.
        """
        rules, prefixes, parts = self.matcher.rules, self.matcher.prefixes, self._parts
        flags = np.zeros(len(pieces), np.uint16)
        named = np.full(len(pieces), ANY_WORD, np.int32)
        for number, cut in enumerate(tokens):
            flag = FIRST if cut and cut[0][:LONGEST_PART] in parts else 0
            if not prefixes.isdisjoint(cut):
                flag |= LAST if cut[-1] in prefixes else 0
                # One layout serves all hits of a piece, because a piece may be a whole text.
                layout = Layout(pieces[number], [list(cut)])
                has_capital = pieces[number] != pieces[number].lower()
                for place, token in enumerate(cut):
                    if token in rules:
                        flag |= HAS | (CONTEXT if rules[token].by_context else 0)
                        flag |= IN_SENTENCE if rules[token].needs_sentence else 0
                        flag |= LETTERS_BESIDE if rules[token].needs_letters else 0
                        # Finding the place of a token takes longer than anything else here.
                        is_capital = rules[token].needs_case and has_capital and layout.is_capital(place)
                        self.hits.setdefault(first + number, []).append(_Hit(place, rules[token], is_capital))
                    if token in prefixes and place + 1 < len(cut) and self._goes_on(token, cut[place + 1]):
                        flag |= STARTS
                if flag & CONTEXT:
                    named[number] = self._number_named(self.hits[first + number])
            flags[number] = flag
        # Splitting forms, pairs and expressions all need some letters.
        lettered = [(number, piece) for number, piece in enumerate(pieces) if number not in without_letters]
        for number, piece in lettered:
            if not piece.isalnum() and may_split(piece) and any(self.matcher.find_splits(piece)):
                flags[number] |= PATTERN
        if self.matcher.pairs:
            for number, piece in lettered:
                opens, goes_on = self.matcher.pairs.roles(piece)
                flags[number] |= (OPENS_PAIR if opens else 0) | (IN_PAIR if goes_on else 0)
                if opens and piece.endswith(SLASHES):
                    # The article of the second noun may follow.
                    flags[number] |= PATTERN
        if self.matcher.patterns:
            for number, piece in lettered:
                flags[number] |= (
                    (PATTERN if self.filter.may_match(piece) else 0)
                    | (OPENS if self.filter.may_open(piece) else 0)
                    | (FOLLOWS if self.filter.may_follow(piece) else 0)
                )
            if needs := self.filter.needs:
                flags[shapes] |= (OPENS if needs.opens else 0) | (FOLLOWS if needs.follows else 0)
        self.flags.extend(flags)
        self.named.extend(named)
        self.traits.extend(np.zeros(len(pieces), np.uint8))

    @property
    def known(self) -> Sequence[Match]:
        """The matches by their numbers."""
        return self.kinds.listed

    def needs_letters(self, numbers: np.ndarray) -> bool:
        """Check whether a form in these pieces depends on the letters of any word beside it."""
        return self._needs_letters or bool((self.flags.values[numbers] & LETTERS_BESIDE).any())

    def roles(self) -> list[np.ndarray]:
        """List each kind's role in a full name (0 for none), the number of its gender, and its further words.

        The last two columns have 1 for a form that is a name only beside certain words, and for the title of an office.
        """
        rows = []
        for match in islice(self.kinds, len(self._roles.values), None):
            gender = gender_of(match)
            role = {"titles": TITLE, "names": NAME, "nouns": CAPITAL if gender else 0}.get(match.layer, 0)
            is_doubtful = match.layer == "names" and self.matcher.name_rules.is_doubtful(match.form)
            is_office = role == CAPITAL and not is_address(match, self.matcher.name_rules)
            rows.append((role, _GENDER_NUMBERS.index(gender), match.form.count(" "), int(is_doubtful), int(is_office)))
        self._roles.extend(np.array(rows, np.int64).reshape(-1, 5))
        return list(self._roles.values.T)

    def is_named(self, number: int, tokens: Sequence[str]) -> bool:
        """Check whether a context of the set with a number names a word beside a form.

        That is the last of the tokens before it, which may be an abbreviation, or the only one of those after it.
        """
        words = self._named[number]
        if words is None or tokens[-1] in words:
            return True
        return f"{tokens[-1]}." in words or (tokens[-1] == "." and "".join(tokens) in words)

    def _number_named(self, hits: Sequence[_Hit]) -> int:
        words: frozenset[str] | None = frozenset()
        for hit in hits:
            of_form = hit.rules.words_beside
            words = None if words is None or of_form is None else words | of_form
        if words not in self._numbers_named:
            self._numbers_named[words] = len(self._named)
            self._named.append(words)
        return self._numbers_named[words]

    def _goes_on(self, token: str, following: str) -> bool:
        prefixes = self.matcher.prefixes
        return token + following in prefixes or f"{token} {following}" in prefixes

    def open_pairs(self, numbers: np.ndarray, flags: np.ndarray, tokens: list[Tokens]) -> np.ndarray:
        """Mark the pieces of a row at which a form may begin and continue."""
        begins: np.ndarray = (flags & STARTS) > 0
        maybe = np.flatnonzero((flags[:-1] & LAST).astype(bool) & (flags[1:] & FIRST).astype(bool))
        if len(maybe):
            keys = numbers[maybe].astype(np.int64) << 32 | numbers[maybe + 1]
            distinct, back = np.unique(keys, return_inverse=True)
            for key in distinct.tolist():
                if key not in self.pairs:
                    spaced = f"{tokens[key >> 32][-1]} {tokens[key & 0xFFFFFFFF][0]}"
                    self.pairs[key] = spaced in self.matcher.prefixes
            begins[maybe[np.array([self.pairs[key] for key in distinct.tolist()])[back]]] = True
        return begins

    def reach(self, numbers: np.ndarray, place: int, end: int, tokens: list[Tokens]) -> int:
        """Find the last piece that a form of several tokens from `place` on may cover, -1 if there is none."""
        rules, prefixes = self.matcher.rules, self.matcher.prefixes
        row = list(tokens[numbers[place]])
        places = [place] * len(row)
        farthest = -1
        for start in range(len(row)):
            partial, following = [row[start]] if row[start] in prefixes else [], start + 1
            while partial:
                while following == len(row) and places[-1] + 1 < end:
                    more = tokens[numbers[places[-1] + 1]]
                    row += more
                    places += [places[-1] + 1] * len(more)
                if following == len(row):
                    break
                token = row[following]
                # Between two pieces is a space.
                between = (" ",) if places[following] > places[following - 1] else ("", " ")
                partial = [
                    longer for form in partial for sign in between if (longer := f"{form}{sign}{token}") in prefixes
                ]
                if any(form in rules for form in partial):
                    farthest = max(farthest, places[following])
                following += 1
        return farthest


class BulkCounter:
    """Count texts by all procedures at once. The results equal those of splitting and matching text by text."""

    def __init__(
        self,
        tokenizer: IcuTokenizer,
        published: dict[str, frozenset[str]] | None,
        first_sentence: bool,
        matchers: dict[str, TermMatcher],
        folding: Folding = NO_FOLDING,
    ) -> None:
        """Create a counter.

        `published` has the forms of that procedure, if it is asked for. `matchers` has the matchers of the others.
        Pieces are folded for all procedures except the published one.
        """
        self._fold = folding.fold
        self.tokenizer = tokenizer
        self._words_alone = copy(tokenizer)
        self._words_alone.split_sentences = False
        self._published = published
        self._first_sentence = first_sentence
        self._watches = {name: _Watch(matcher) for name, matcher in matchers.items()}
        self._name_rules = [watch.matcher.name_rules for watch in self._watches.values() if watch.joins_names]
        self._shapes = make_shapes(
            tokenizer.locale,
            folding,
            matchers.values(),
            [watch.filter for watch in self._watches.values()],
            published or (),
            tokenizer.clitics.words if tokenizer.clitics else (),
            published is not None,
        )
        self._reader = make_reader(self._shapes)
        self._seen = GrowingArray(np.int32)
        self._forget()
        _counters.add(self)

    def _forget(self, least: int | None = None) -> None:
        """Forget all pieces, except those that occurred `least` times."""
        often = np.flatnonzero(self._seen.values >= least).tolist() if least else []
        kept = [self._as_read[number] for number in often]
        self._reader.clear()
        # The pieces as they were read, and folded.
        self._as_read: list[str] = []
        self._pieces: list[str] = []
        self._seen = GrowingArray(np.int32)
        # Tuples of strings, because the garbage collector skips them.
        self._tokens: list[Tokens] = []
        self._published_kinds = Kinds()
        # Like `_Watch.alone`, per piece. The starts of matches are not needed in this procedure.
        self._published_matches: dict[int, list[tuple[int, int]]] = {}
        self._published_words = GrowingArray(np.int32)
        # For each piece, by its number, the surname that it may be, 0 for none. `_small` has the same for a word in
        # small letters, `_doubtful` whether a name in it may be none. Most pieces stand in texts without any match, so
        # these are known only of those that `_are_described`.
        self._are_described = GrowingArray(np.bool_)
        self._keys = GrowingArray(np.int32)
        self._small = GrowingArray(np.int32)
        self._doubtful = GrowingArray(np.bool_)
        # Whether a name may go on after each piece, and into it.
        self._edges = GrowingArray(np.uint8)
        self._key_numbers: dict[str, int] = {}
        self._words = GrowingArray(np.int32)
        # A digest of each piece, in place of the hash that folded pieces have.
        self._digests = GrowingArray(np.uint32)
        self._flags = GrowingArray(np.uint8)
        self.bytes_held = 0
        for watch in self._watches.values():
            watch.clear()
        self._number(kept)

    @collecting_no_garbage()
    def count(self, texts: Sequence[str]) -> tuple[dict[str, MatchTable], list[int]]:
        """Count the matches of each procedure. Also returns the numbers of the texts that must be split as a whole."""
        for least in (2, None):
            if sum(counter.bytes_held for counter in _counters) > MOST_BYTES:
                for counter in _counters:
                    counter._forget(least)
        pieces = self._read(texts)
        numbers, ends = pieces.numbers, pieces.ends
        flags = self._flags.values[numbers]
        words_of = self._words.values[numbers]
        words = _sums(words_of, ends)
        whole = {int(place) for place in np.searchsorted(ends, np.flatnonzero(flags & JOINS), "right")}
        if any(watch.filter.unfit for watch in self._watches.values()):
            whole = set(range(len(texts)))
        found = {}
        if self._published is not None:
            found["published"] = self._count_published(texts, numbers, ends)
        # Pieces without a word only separate others, so the row is built on pieces that have words.
        row = _Row(pieces, words_of)
        for name, watch in self._watches.items():
            columns = self._match(watch, row)
            # Texts without a match need no further look.
            with_matches = row.of_texts(columns[0])
            if watch.joins_names:
                columns = _NameJoiner(self, watch, with_matches).join(columns)
            columns = _without_things(columns, watch.known, len(ends))
            contexts = self._digest_contexts(with_matches, columns)
            found[name] = MatchTable(words, *columns, list(watch.kinds), contexts)
        return found, sorted(whole)

    def _digest_contexts(self, row: "_Row", columns: _Rows) -> np.ndarray:
        """Compute a digest of the words around each match, which is the same wherever these words stand."""
        texts, _, starts = columns
        places = row.places_of(texts, starts)
        firsts, stops = row.bounds_of(texts)
        digests = np.ones(len(texts), np.uint64)
        for step in range(-WORDS_AROUND, WORDS_AROUND + 1):
            beside = places + step
            is_within = (beside >= firsts) & (beside < stops)
            beside = np.clip(beside, 0, max(0, len(row.filled) - 1))
            hashes = row.pieces.keys[row.places[beside]]
            hashes = np.where(hashes > 0, hashes, self._digests.values[row.filled[beside]])
            digests = digests * _MULTIPLIER + np.where(is_within, hashes, 0).astype(np.uint64)
        digests ^= digests >> np.uint64(_MIXED)
        return np.maximum(digests, 1)

    def _match(self, watch: _Watch, row: "_Row") -> _Rows:
        """Find the matches of one procedure."""
        flags = watch.flags.values[row.filled]
        alone = (flags & HAS) > 0
        # If a sentence may end before or within a piece, a form whose context depends on the sentence is matched in its
        # surroundings. Other contexts need them only if the sentence ends without a sign between the words.
        in_context = np.flatnonzero(flags & CONTEXT)
        ends = (
            self._flags.values[row.filled[in_context]] | self._flags.values[row.filled[np.maximum(in_context - 1, 0)]]
        )
        asked = np.where(flags[in_context] & IN_SENTENCE, ENDS, ENDS_WITHIN)
        unsure = np.zeros(len(flags), bool)
        unsure[in_context] = (ends & asked) > 0
        windows = self._read_windows(watch, row, list(self._windows(watch, row, flags, unsure)))
        for window in windows:
            alone[window.bounds.core : window.bounds.core_stop] = False
        columns = self._match_alone(watch, row, np.flatnonzero(alone))
        if not windows:
            return columns
        rows = []
        for window, sentences in zip(windows, self._cut(windows), strict=True):
            spans = watch.matcher.find_patterns(window.text) if window.bounds.has_pattern else []
            layout = Layout(window.text, sentences)
            for match in watch.matcher.match_part(sentences, layout, spans, window.first, window.kept):
                rows.append((window.bounds.number, watch.kinds.number(match), match.start))
        return _in_order(columns, _columns(rows, 3))

    def _match_alone(self, watch: _Watch, row: "_Row", places: np.ndarray) -> _Rows:
        """Find the forms in pieces that lie in one sentence with their neighbours."""
        # Neighbours matter only to forms with a context, and only within the same text.
        owners, numbers = row.owners(places), row.filled[places]
        before, after = np.full(len(places), NO_PIECE), np.full(len(places), NO_PIECE)
        in_context = np.flatnonzero(watch.flags.values[numbers] & CONTEXT)
        need_letters = (watch.flags.values[numbers[in_context]] & LETTERS_BESIDE) > 0
        lettered = in_context[need_letters]
        numbers[lettered] = self._as_they_are(row.pieces, row.places[places[lettered]])
        named = watch.named.values[numbers[in_context]]
        for neighbours, step, part in ((before, -1, slice(-2, None)), (after, 1, slice(1))):
            beside = np.clip(places[in_context] + step, 0, len(row.filled) - 1)
            is_same = (row.owners(beside) == owners[in_context]) & (beside != places[in_context])
            found = row.filled[beside]
            found[need_letters] = self._as_they_are(row.pieces, row.places[beside[need_letters]])
            # Most neighbours make no difference.
            found = np.where(self._are_named(watch, named, found, part), found, OTHER_PIECE)
            neighbours[in_context] = np.where(is_same, found, NO_PIECE)
        rows, which = _number_rows(numbers, before, after)
        distinct = [column[rows] for column in (numbers, before, after)]
        known, of_pieces = watch.alone, []
        for key in zip(*(column.tolist() for column in distinct), strict=True):
            if key not in known:
                known[key] = self._alone(watch, *key)
            of_pieces.append(known[key])
        return _spread(of_pieces, which, owners, row.first_tokens(places))

    def _are_named(self, watch: _Watch, sets: np.ndarray, beside: np.ndarray, part: slice) -> np.ndarray:
        """Check which pieces beside forms have a word that a context names. `part` are the tokens next to the form."""
        firsts, which = _number_rows(sets, beside)
        pairs = zip(sets[firsts].tolist(), beside[firsts].tolist(), strict=True)
        return np.array([watch.is_named(number, self._tokens[piece][part]) for number, piece in pairs], bool)[which]

    def _tokens_beside(self, number: int) -> Tokens:
        if number == OTHER_PIECE:
            return _OTHER_WORD
        return self._tokens[number] if number != NO_PIECE else ()

    def _alone(self, watch: _Watch, number: int, before: int, after: int) -> list[tuple[int, int]]:
        preceding = list(self._tokens_beside(before)[-2:])
        following = self._tokens_beside(after)[:1]
        tokens = [*preceding, *self._tokens[number], *following]
        matches = []
        for hit in watch.hits[number]:
            start = len(preceding) + hit.place
            before_it = tokens[max(0, start - 2) : start]
            if match := hit.rules.find(tokens, start, start + 1, hit.capital, before_it):
                matches.append((watch.kinds.number(match), hit.place))
        return matches

    def _windows(self, watch: _Watch, row: "_Row", flags: np.ndarray, unsure: np.ndarray) -> Iterator[_Bounds]:
        """Find the parts of texts that have to be matched like whole texts. They do not overlap."""
        patterned = (flags & PATTERN) > 0
        patterned[:-1] |= ((flags[:-1] & OPENS) > 0) & ((flags[1:] & FOLLOWS) > 0)
        patterned[:-1] |= ((flags[:-1] & OPENS_PAIR) > 0) & ((flags[1:] & IN_PAIR) > 0)
        opened = watch.open_pairs(row.filled, flags, self._tokens)
        waiting: _Bounds | None = None
        places = np.flatnonzero(opened | patterned | unsure)
        for place, text in zip(places.tolist(), row.owners(places).tolist(), strict=True):
            begin, end = row.bounds(text)
            if patterned[place] and not flags[place] & PATTERN:
                last = row.places[min(end, place + watch.filter.reach + 1) - 1]
                patterned[place] = self._goes_on(watch, row.pieces, text, range(row.places[place], last + 1))
            last = place if patterned[place] or unsure[place] else -1
            if opened[place]:
                last = max(last, watch.reach(row.filled, place, end, self._tokens))
            if last < 0:
                continue
            has_pattern = bool(patterned[place])
            if has_pattern:
                last = min(end - 1, max(last, place + watch.filter.reach))
            # A window has letters on both sides, so that sentences within it end where they end in the text.
            low, high = place - 1, last + 2
            while low > begin and not self._flags.values[row.filled[low]] & LETTERS:
                low -= 1
            while high < end and not self._flags.values[row.filled[high - 1]] & LETTERS:
                high += 1
            low, high = max(low, begin), min(high, end)
            if waiting and waiting.number == text and low < waiting.high:
                _, low, stop, place, core_stop, had_pattern = waiting
                high, last, has_pattern = max(high, stop), max(last, core_stop - 1), has_pattern or had_pattern
            elif waiting:
                yield waiting
            waiting = _Bounds(text, low, high, place, last + 1, has_pattern)
        if waiting:
            yield waiting

    def _goes_on(self, watch: _Watch, pieces: Pieces, text: int, places: range) -> bool:
        """Check whether a match of a regular expression, or a pair, begins in the first of some pieces of a text."""
        numbers = pieces.numbers[places.start : places.stop]
        if not watch.filter.reads_shapes:
            # Pieces that were not folded need not be read again.
            columns = places, numbers.tolist(), pieces.folded[places.start : places.stop].tolist()
            read = [
                self._fold(pieces.string(text, place)) if is_folded else self._pieces[number]
                for place, number, is_folded in zip(*columns, strict=True)
            ]
            return watch.filter.goes_on(" ".join(read)) is not None
        key = numbers.tobytes()
        known = watch.going_on.get(key)
        if known is None:
            if len(watch.going_on) > MOST_GOING_ON:
                watch.going_on.clear()
            following = " ".join([self._pieces[number] for number in numbers.tolist()])
            known = watch.going_on[key] = watch.filter.goes_on(following) is not None
        return known

    def _read_windows(self, watch: _Watch, row: "_Row", bounds: list[_Bounds]) -> list[_Window]:
        """Look up the pieces of each window, with all their letters if these decide about a match."""
        ranges = [np.arange(row.places[of.low], row.places[of.high - 1] + 1) for of in bounds]
        needing = [
            places
            for places, of in zip(ranges, bounds, strict=True)
            if of.has_pattern or watch.needs_letters(row.pieces.numbers[places])
        ]
        pieces = row.pieces.numbers
        if needing:
            pieces = pieces.copy()
            places = np.concatenate(needing)
            pieces[places] = self._as_they_are(row.pieces, places)
        return [self._window(row, pieces[places].tolist(), of) for places, of in zip(ranges, bounds, strict=True)]

    def _window(self, row: "_Row", pieces: list[int], bounds: _Bounds) -> _Window:
        text = " ".join([self._pieces[piece] for piece in pieces])
        flags = self._flags.values[pieces]
        tokens = None
        if not (flags[:-1] & ENDS).any() and not flags[-1] & ENDS_WITHIN:
            tokens = list(chain.from_iterable([self._tokens[piece] for piece in pieces]))
        end = bounds.core_stop - 1
        first, kept, last = row.first_tokens(np.array([bounds.low, bounds.core, end])).tolist()
        return _Window(bounds, text, tokens, first, range(kept, last + len(self._tokens[row.filled[end]])))

    def _cut(self, windows: list[_Window]) -> Iterator[Sentences]:
        """Split each window into its sentences."""
        unsure = [window.text.strip("\r") for window in windows if window.tokens is None]
        cut = iter(self.tokenizer.cut(unsure) if unsure else [])
        for window in windows:
            yield next(cut) if window.tokens is None else [window.tokens]

    def _count_published(self, texts: Sequence[str], numbers: np.ndarray, ends: np.ndarray) -> MatchTable:
        flags = self._flags.values[numbers]
        words = _sums(self._published_words.values[numbers], ends)
        several = np.empty(0, np.int64)
        if self._first_sentence:
            ending = (flags & ENDS) > 0
            ending[ends - 1] = (flags[ends - 1] & ENDS_WITHIN) > 0
            several = np.flatnonzero((_sums(ending, ends) > 0) & (words > 0))
        columns = self._published_columns(numbers, ends)
        if len(several):
            others = ~np.isin(columns[0], several)
            firsts = self._first_sentences([texts[number].replace("\n", " ").strip() for number in several.tolist()])
            pieces = self._read(firsts)
            numbers, ends = pieces.numbers, pieces.ends
            words[several] = _sums(self._published_words.values[numbers], ends)
            owners, *more = self._published_columns(numbers, ends)
            columns = _in_order([column[others] for column in columns], [several[owners], *more])
        return MatchTable(words, *columns, list(self._published_kinds))

    def _published_columns(self, numbers: np.ndarray, ends: np.ndarray) -> _Rows:
        places = np.flatnonzero(self._flags.values[numbers] & PUBLISHED)
        distinct, which = np.unique(numbers[places], return_inverse=True)
        found = [self._published_matches[piece] for piece in distinct.tolist()]
        return _spread(found, which, np.searchsorted(ends, places, "right"), np.zeros(len(places), np.int64))

    def _first_sentences(self, texts: Sequence[str]) -> list[str]:
        firsts, begins = [], True
        for sentence in SentenceBreaker("\n".join(texts), self.tokenizer.locale):
            if begins:
                firsts.append(sentence.rstrip())
            begins = sentence.endswith("\n")
        return firsts

    def _read(self, texts: Sequence[str]) -> Pieces:
        """Convert texts to the numbers of their pieces."""
        pieces = self._reader.read(list(texts))
        of_shapes = pieces.numbers[pieces.folded] - len(self._pieces)
        self._add(pieces.new, frozenset(np.unique(of_shapes[of_shapes >= 0]).tolist()))
        seen = self._seen.values
        if 8 * len(pieces.numbers) > len(seen):
            seen += np.bincount(pieces.numbers, minlength=len(seen)).astype(np.int32)
        else:
            np.add.at(seen, pieces.numbers, 1)
        return pieces

    def _number(self, pieces: list[str]) -> list[int]:
        """Look up the numbers of pieces as they are."""
        numbers, new = self._reader.number(pieces)
        self._add(new)
        return numbers

    def _as_they_are(self, pieces: Pieces, places: np.ndarray) -> np.ndarray:
        """Look up the numbers of pieces with all their letters, also of those that are folded."""
        numbers = pieces.numbers[places]
        if (folded := pieces.folded[places]).any():
            numbers[folded] = self._number(pieces.strings(places[folded]))
        return numbers

    def _add(self, new: list[str], shapes_read: frozenset[int] = frozenset()) -> None:
        if not new:
            return
        first = len(self._pieces)
        shapes = [number for number, piece in enumerate(new) if self._shapes.is_shape(piece)]
        # A piece of signs alone is no shape: nothing of it is replaced.
        without_letters = {
            number for number in shapes_read.intersection(shapes) if not self._shapes.keeps_letters(new[number])
        }
        # Folding all pieces at once is faster than one by one.
        folded = self._fold("\n".join(new)).split("\n")
        cut, flags = self._cut_pieces(folded)
        if self._published is not None:
            self._learn_published(first, new, folded, cut, flags)
        for number, (piece, tokens) in enumerate(zip(folded, cut, strict=True)):
            flag = LETTERS if piece.isalpha() or any(map(str.isalpha, piece)) else 0
            if " " in piece:
                # Folding split the piece into several.
                flag |= JOINS
            if not tokens and flags[number] & ENDS:
                # A line separator ends a sentence, but pieces without a word are left out.
                flag |= JOINS
            # Lower-casing may replace letters by others.
            if not piece.isascii() and (
                _joins_space(piece[0], self.tokenizer.locale)
                or NARROW_SPACE in (piece[0], piece[-1])
                or not is_normalized("NFC", "".join(tokens))
            ):
                flag |= JOINS
            if cut[number] == (piece,):
                # The token equals the piece, so both use one string in memory.
                cut[number] = (piece,)
            flags[number] |= flag
        flags[shapes] |= SHAPE
        self._as_read += new
        self._pieces += folded
        self._seen.extend(np.zeros(len(new), np.int32))
        self._tokens += cut
        self._words.extend(np.fromiter(map(len, cut), np.int32, len(cut)))
        self._digests.extend(np.fromiter([crc32(piece.encode()) for piece in folded], np.uint32, len(folded)))
        self._flags.extend(flags)
        self.bytes_held += BYTES_OF_PIECE * len(new) + BYTES_OF_TOKEN * sum(map(len, cut)) + 2 * sum(map(len, new))
        for column in (self._keys, self._small, self._edges, self._doubtful, self._are_described):
            column.extend(np.zeros(len(new), column.values.dtype))
        for watch in self._watches.values():
            watch.learn(first, folded, cut, shapes, without_letters)

    def describe(self, numbers: np.ndarray) -> None:
        """Determine the properties for full names of those pieces that lack them."""
        new = np.unique(numbers[~self._are_described.values[numbers]])
        if not len(new):
            return
        self._are_described.values[new] = True
        pieces = [self._pieces[number] for number in new.tolist()]
        described = list(map(read_piece, pieces))
        keys = np.array([self._number_of_word(piece.key) for piece in described], np.int32)
        words = map(read_small_word, pieces, described)
        small = np.array([self._number_of_word(word) for word in words], np.int32)
        is_shape = (self._flags.values[new] & SHAPE) > 0
        self._keys.values[new] = np.where(is_shape & (keys > 0), ANY, keys)
        self._small.values[new] = np.where(is_shape & (small > 0), ANY, small)
        self._edges.values[new] = np.fromiter(map(self._read_edges, pieces, described), np.uint8, len(new))
        self._doubtful.values[new] = np.fromiter(map(may_be_no_name, pieces), np.bool_, len(new))
        for watch in self._watches.values():
            if watch.evidence.is_known:
                traits = map(watch.evidence.read_traits, pieces, described)
                watch.traits.values[new] = np.fromiter(traits, np.uint8, len(new))

    def _number_of_word(self, word: str) -> int:
        return self._key_numbers.setdefault(word, len(self._key_numbers) + 1) if word else 0

    def _read_edges(self, piece: str, described: Piece) -> int:
        goes_on = piece[-1:].isalnum() or piece[-1:] in _ENDS_OF_PARTS
        edges = (MAY_GO_ON if goes_on else 0) | (MAY_FOLLOW if piece[:1].isalnum() else 0)
        for rules in self._name_rules:
            edges |= MAY_BE_WITHIN if is_within(described, rules) else 0
        return edges

    def _learn_published(
        self, first: int, new: list[str], folded: list[str], cut: list[Tokens], flags: np.ndarray
    ) -> None:
        """Determine the properties of new pieces for the published procedure, which does not fold them."""
        as_read, changed = list(cut), [number for number, piece in enumerate(new) if piece != folded[number]]
        of_changed, their_flags = self._cut_pieces([new[number] for number in changed])
        for number, tokens, flag in zip(changed, of_changed, their_flags.tolist(), strict=True):
            as_read[number] = tokens
            if flag != flags[number] or _joins_space(new[number][0], self.tokenizer.locale):
                flags[number] |= JOINS
        forms = self._published or {}
        for number, tokens in enumerate(as_read):
            if not forms.keys().isdisjoint(tokens):
                flags[number] |= PUBLISHED
                self._published_matches[first + number] = [
                    (self._published_kinds.number(Match(token, forms[token])), 0) for token in tokens if token in forms
                ]
        self._published_words.extend(np.fromiter(map(len, as_read), np.int32, len(as_read)))

    def _cut_pieces(self, pieces: list[str]) -> tuple[list[Tokens], np.ndarray]:
        """Split pieces into tokens. Also returns for each piece whether a sentence may end in it."""
        flags = np.zeros(len(pieces), np.uint8)
        cut: list[Tokens] = [(piece.lower(),) for piece in pieces]
        letters, signs = plain_letters(self.tokenizer.locale), plain_signs(self.tokenizer.locale)
        odd = []
        for number, (word,) in enumerate(cut):
            core = word.strip(signs)
            if not core or not letters.issuperset(core):
                odd.append(number)
            elif len(core) < len(word):
                start = len(word) - len(word.lstrip(signs))
                cut[number] = (*word[:start], core, *word[start + len(core) :])
        self._cut_into(cut, odd, pieces, self._words_alone)
        if self.tokenizer.split_sentences:
            odd = [number for number in odd if not pieces[number].isalnum()]
            flags[odd] = self._sentence_ends([pieces[number] for number in odd])
            within = np.flatnonzero(flags & ENDS_WITHIN).tolist()
            uncut = [cut[number] for number in within]
            sentences_in = self._cut_into(cut, within, pieces, self.tokenizer)
            for number, of_words, sentences in zip(within, uncut, sentences_in, strict=True):
                has_letters = bool(sentences) and any(map(str.isalnum, "".join(sentences[-1])))
                if len(sentences) > 1 and not has_letters and cut[number] != of_words:
                    # Whether a sentence ends there depends on the next letter, and how words are cut depends on that.
                    flags[number] |= JOINS
            # With the last sign of a piece, at the end of a line, a sentence ends as it would after the piece.
            after_sign = [
                number
                for number, sentences in zip(within, sentences_in, strict=True)
                if len(sentences) == 1 and not sentences[0][-1][-1].isalnum()
            ]
            flags[after_sign] ^= ENDS_WITHIN
        return cut, flags

    def _cut_into(
        self, cut: list[Tokens], numbers: list[int], pieces: list[str], tokenizer: IcuTokenizer
    ) -> list[Sentences]:
        # A carriage return would merge with the line feed that ends a piece.
        found = tokenizer.cut([pieces[number].strip("\r") for number in numbers]) if numbers else []
        for number, sentences in zip(numbers, found, strict=True):
            cut[number] = tuple(sentences[0]) if len(sentences) == 1 else tuple(chain.from_iterable(sentences))
        return found

    def _sentence_ends(self, pieces: list[str]) -> np.ndarray:
        flags = np.zeros(len(pieces), np.uint8)
        number, begins = 0, True
        # Before a capital, a sentence ends wherever it can end.
        for sentence in SentenceBreaker("".join([f"{piece} A\n" for piece in pieces]), self.tokenizer.locale):
            if sentence.endswith("\n"):
                number, begins = number + 1, True
                continue
            within = not begins or len(sentence) <= len(pieces[number])
            flags[number] |= ENDS | (ENDS_WITHIN if within else 0)
            begins = False
        return flags


# All counters, because the memory limit is shared by all languages.
_counters: WeakSet[BulkCounter] = WeakSet()


class _Row:
    """The pieces of some texts, by their numbers. `filled` are those with words, and `places` has their positions."""

    def __init__(self, pieces: Pieces, words: np.ndarray) -> None:
        self.pieces = pieces
        self.places = np.flatnonzero(words).astype(np.int32)
        self.filled = pieces.numbers[self.places]
        self._bounds = np.searchsorted(self.places, np.concatenate([[0], pieces.ends]))
        # The number of the first token of each piece, and after its last one, in all texts together.
        of_filled = words[self.places]
        self._stops = np.cumsum(of_filled, dtype=np.int32)
        self._starts = self._stops - of_filled

    def owners(self, places: np.ndarray) -> np.ndarray:
        """Find the texts that some pieces with words belong to."""
        return np.searchsorted(self._bounds, places, "right") - 1

    def first_tokens(self, places: np.ndarray) -> np.ndarray:
        """Find the number, in its text, of the first token of each of some pieces."""
        return self._starts[places] - self._starts[self._bounds[self.owners(places)]]

    def places_of(self, texts: np.ndarray, tokens: np.ndarray) -> np.ndarray:
        """Find the pieces with words that contain tokens, given by text and by number in that text."""
        return np.searchsorted(self._stops, self._starts[self._bounds[texts]] + tokens, "right")

    def bounds_of(self, texts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Find the ranges of the pieces with words of some texts."""
        return self._bounds[texts], self._bounds[texts + 1]

    def in_texts(self, texts: np.ndarray | list[int]) -> np.ndarray:
        """Mark the pieces with words that belong to some texts."""
        return np.repeat(self._chosen(texts), np.diff(self._bounds))

    def _chosen(self, texts: np.ndarray | list[int]) -> np.ndarray:
        is_chosen = np.zeros(len(self._bounds) - 1, bool)
        is_chosen[texts] = True
        return is_chosen

    def of_texts(self, texts: np.ndarray) -> "_Row":
        """Select the pieces of some texts. The others keep their numbers, but have no pieces."""
        kept = self.in_texts(texts)
        if kept.all():
            return self
        row = copy(self)
        row.places, row.filled = self.places[kept], self.filled[kept]
        row._starts, row._stops = self._starts[kept], self._stops[kept]
        row._bounds = np.concatenate([[0], np.cumsum(np.diff(self._bounds) * self._chosen(texts))])
        return row

    def bounds(self, text: int) -> tuple[int, int]:
        """Find the range of a text's pieces among the pieces with words."""
        return int(self._bounds[text]), int(self._bounds[text + 1])


class _NameJoiner:
    """Join the parts of names in the matches of a row, and add surnames, as `names.find_mentions` does.

    Most parts have no neighbour that could belong to the same name, so they are not examined one by one.
    """

    def __init__(self, counter: BulkCounter, watch: _Watch, row: _Row) -> None:
        self._watch, self._row = watch, row
        self._rules = watch.matcher.name_rules
        self._counter = counter
        counter.describe(row.filled)
        self._folded = row.pieces.folded[row.places]
        self._keys, self._key_numbers = counter._keys.values[row.filled], counter._key_numbers
        # For each piece: the gender of a match that is not part of a name, the number of a part that begins there,
        # whether a match or a name covers it, and whether a name of several pieces does.
        self._others = np.zeros(len(row.filled), np.int8)
        self._part_at = np.full(len(row.filled), -1, np.int32)
        self._taken = np.zeros(len(row.filled), bool)
        self._joined = np.zeros(len(row.filled), bool)
        self._views: dict[int, View] = {}
        self._hashes = row.pieces.keys[row.places]
        # Equal pieces have equal codes and are described once. Without a hash, a folded piece has none.
        self._codes = row.filled.astype(np.int64) << 32 | self._hashes
        self._codes[self._folded & (self._hashes == 0)] = _NO_CODE
        self._described: dict[int, Piece] = {}

    def join(self, columns: _Rows) -> _Rows:
        """Join the names among the matches."""
        texts, kinds, starts = columns
        if not len(texts):
            return columns
        kinds = kinds.copy()
        roles, genders, further, is_doubtful, is_office = (column[kinds] for column in self._watch.roles())
        places = self._row.places_of(texts, starts)
        is_part = (roles == TITLE) | (roles == NAME) | ((roles == CAPITAL) & (self._keys[places] > 0))
        for step in range(int(further.max()) + 1):
            reached = np.minimum(places + step, len(self._others) - 1)
            self._taken[reached[further >= step]] = True
            reaching = ~is_part & (further >= step)
            self._others[reached[reaching]] = genders[reaching]
        numbers = np.flatnonzero(is_part)
        self._part_at[places[numbers][::-1]] = numbers[::-1]
        is_examined = self._has_neighbour(places[numbers], places[numbers] + further[numbers])
        # A single title may belong to a couple.
        is_examined |= (roles[numbers] == TITLE) | (is_doubtful[numbers] > 0) | (further[numbers] > 0)
        is_examined |= self._counter._doubtful.values[self._row.filled[places[numbers]]]
        examined, others = numbers[is_examined], numbers[~is_examined]
        full_names = self._join_parts(examined, *(column[examined] for column in (texts, kinds, places, further)))
        offices = others[is_office[others] > 0]
        self._others[places[offices]] = genders[offices]
        by_pronouns: dict[int, dict[str, str]] = {}
        if self._watch.evidence.is_known:
            named = others[roles[others] == NAME]
            ends = places[named] + further[named]
            trail = PronounTrail(self._traits())
            neutral = self._find_neutral(trail, full_names, texts[named], kinds[named], places[named], ends)
            of_neutral = named[np.isin(texts[named], list(neutral))]
            for number, text in zip(of_neutral.tolist(), texts[of_neutral].tolist(), strict=True):
                match = self._watch.known[kinds[number]]
                if match.form in neutral[text]:
                    kinds[number] = self._watch.kinds.number(with_gender(match, ""))
            for text in full_names.keys() & neutral.keys():
                full_names[text] = [without_gender(full_name, neutral[text]) for full_name in full_names[text]]
            by_pronouns = self._find_by_pronouns(trail)
        learned, uses = self._learn(full_names, by_pronouns)

        kept = np.ones(len(texts), bool)
        kept[examined] = False
        for text, of_text in full_names.items():
            view, used = self._view(text), uses[text].places
            for full_name in of_text:
                if match := resolve(full_name, learned[text], used, view):
                    counted = full_name.kept or full_name.parts[0]
                    kept[counted.number] = True
                    if match is not counted.match:
                        kinds[counted.number] = self._watch.kinds.number(match)
        parts_examined = set(examined.tolist())
        alone: list[tuple[int, int, Match]] = []
        for text, of_learned in learned.items():
            view, (begin, _) = self._view(text), self._row.bounds(text)
            places_of = uses[text].places
            for key, word in of_learned.items():
                surname = None
                for place in places_of.get(key, ()):
                    part = int(self._part_at[begin + place])
                    if part in parts_examined:
                        continue
                    if part >= 0:
                        match = self._watch.known[kinds[part]]
                        if match.layer == "names":
                            kinds[part] = self._watch.kinds.number(as_learned(match, word, view))
                        continue
                    is_free = word.is_surname and not self._taken[begin + place]
                    if is_free and is_alone(place, word, view, self._rules):
                        surname = surname or make_surname(key, word, view)
                        alone.append((text, begin + place, surname))
        surnames = self._match_surnames(alone)
        # They refer to this object, which would be freed late otherwise.
        self._views.clear()
        return _in_order((texts[kept], kinds[kept], starts[kept]), surnames)

    def _has_neighbour(self, firsts: np.ndarray, lasts: np.ndarray) -> np.ndarray:
        """Check for each part whether a word beside it could belong to the same name."""
        before, after = np.maximum(firsts - 1, 0), np.minimum(lasts + 1, len(self._keys) - 1)
        edges = self._counter._edges.values
        edges_before, edges_after = edges[self._row.filled[before]], edges[self._row.filled[after]]
        has: np.ndarray = (self._keys[after] > 0) | (self._part_at[after] >= 0) | (edges_after & MAY_BE_WITHIN > 0)
        has &= (edges[self._row.filled[lasts]] & MAY_GO_ON > 0) & (edges_after & MAY_FOLLOW > 0)
        ends = np.zeros(len(self._keys), bool)
        ends[lasts] = True
        has |= (edges_before & MAY_BE_WITHIN > 0) | ends[before]
        overlap = firsts[1:] <= lasts[:-1]
        has[1:] |= overlap
        has[:-1] |= overlap
        return has

    def _find_neutral(
        self,
        trail: PronounTrail,
        full_names: Mapping[int, Sequence[FullName]],
        texts: np.ndarray,
        kinds: np.ndarray,
        firsts: np.ndarray,
        lasts: np.ndarray,
    ) -> dict[int, set[str]]:
        """Find the first names of each text whose bearers are not called *he* or *she*.

        The arrays describe the single first names that are in no full name.
        """
        form_numbers: dict[str, int] = {}
        known = self._watch.known
        number_of = {
            kind: form_numbers.setdefault(known[kind].form, len(form_numbers)) for kind in np.unique(kinds).tolist()
        }
        of_kinds = np.zeros(len(known), np.int64)
        of_kinds[list(number_of)] = list(number_of.values())
        rows: list[tuple[int, ...]] = []
        for text, of_text in full_names.items():
            begin, _ = self._row.bounds(text)
            for full_name in of_text:
                if full_name.kept and full_name.kept.match.layer == "names":
                    form = form_numbers.setdefault(full_name.kept.match.form, len(form_numbers))
                    rows.append((text, form, begin + full_name.first, begin + full_name.last))
        alone = (texts, of_kinds[kinds], firsts, lasts)
        owners, forms, firsts, lasts = (np.concatenate(pair) for pair in zip(alone, _columns(rows, 4), strict=True))
        shown = trail.shown_after(firsts, lasts, *self._row.bounds_of(owners))
        neutral: dict[int, set[str]] = {}
        names = list(form_numbers)
        owners, forms, shown = owners[shown > 0], forms[shown > 0], shown[shown > 0]
        firsts, which = _number_rows(owners, forms)
        votes = count_votes(which, shown, len(firsts))
        for number in np.flatnonzero(are_called_neutral(votes)).tolist():
            first = firsts[number]
            neutral.setdefault(int(owners[first]), set()).add(names[forms[first]])
        return neutral

    def _find_by_pronouns(self, trail: PronounTrail) -> dict[int, dict[str, str]]:
        """Find, in each text, the gender that pronouns show of words that are no known names."""
        places = trail.possible_names(self._taken)
        places = places[trail.stand_alone(places, *self._row.bounds_of(self._row.owners(places)))]
        owners = self._row.owners(places)
        shown = trail.shown_after(places, places, *self._row.bounds_of(owners))
        places, owners, shown = places[shown > 0], owners[shown > 0], shown[shown > 0]
        hashes = self._hashes[places].astype(np.int64)
        words = list(self._key_numbers)
        is_whole = np.flatnonzero(self._keys[places] != ANY)
        of_whole = [self._counter._reader.key(words[key - 1]) for key in self._keys[places[is_whole]].tolist()]
        hashes[is_whole] = of_whole
        firsts, which = _number_rows(owners, hashes)
        votes = count_votes(which, shown, len(firsts))
        genders = genders_shown(votes)
        found: dict[int, dict[str, str]] = {}
        for number in np.flatnonzero(genders).tolist():
            text, place = int(owners[firsts[number]]), int(places[firsts[number]])
            word = self._view(text).piece_at(place - self._row.bounds(text)[0]).key
            if word not in self._rules.excluded:
                found.setdefault(text, {})[word] = GENDERS[genders[number] - 1]
        return found

    def _traits(self) -> np.ndarray:
        """The traits of the pieces. Of folded ones, only the hash of their letters tells which are closed words."""
        traits: np.ndarray = self._watch.traits.values[self._row.filled]
        folded = np.flatnonzero(self._keys == ANY)
        hashes = self._hashes[folded]
        closed = np.array([self._counter._reader.key(word) for word in self._rules.closed], np.uint32)
        is_closed = _are_in(hashes, closed)
        traits[folded[is_closed]] &= ~np.uint8(NAME_LIKE | PLAIN)
        return traits

    def _join_parts(
        self, numbers: np.ndarray, texts: np.ndarray, kinds: np.ndarray, places: np.ndarray, further: np.ndarray
    ) -> dict[int, list[FullName]]:
        """Join some parts of names in each text, and note the places that they cover."""
        known = self._watch.known
        full_names: dict[int, list[FullName]] = {}
        columns = (column.tolist() for column in (texts, kinds, places, further, numbers))
        for text, of_text in groupby(zip(*columns, strict=True), key=itemgetter(0)):
            begin, _ = self._row.bounds(text)
            parts = [
                NamePart(number, known[kind], place - begin, place - begin + more)
                for _, kind, place, more, number in of_text
            ]
            full_names[text] = join_names(parts, self._view(text), self._rules)
            for full_name in full_names[text]:
                if full_name.last > full_name.first:
                    self._taken[begin + full_name.first : begin + full_name.last + 1] = True
                    self._joined[begin + full_name.first : begin + full_name.last + 1] = True
                elif is_office_alone(full_name, self._rules):
                    self._others[begin + full_name.first] = _GENDER_NUMBERS.index(full_name.gender)
        return full_names

    def _learn(
        self, full_names: Mapping[int, Sequence[FullName]], by_pronouns: Mapping[int, Mapping[str, str]]
    ) -> tuple[dict[int, dict[str, Learned]], dict[int, WordUses]]:
        """Learn from the full names and pronouns of each text. Also finds the uses of the learned words."""
        shown = {
            text: NamesShown.of(full_names.get(text, ()), by_pronouns.get(text, {}), self._view(text), self._rules)
            for text in sorted({*full_names, *by_pronouns})
        }
        uses = self._find_uses({text: names.words for text, names in shown.items()})
        learned = {text: names.learn(uses[text], self._view(text), self._rules) for text, names in shown.items()}
        return learned, uses

    def _find_uses(self, words_of: Mapping[int, Set[str]]) -> dict[int, WordUses]:
        """Find the uses of some words in each text."""
        uses = {text: WordUses() for text in words_of}
        if not any(words_of.values()):
            return uses
        key_of = self._counter._reader.key
        hash_of = {word: key_of(word) for word in chain.from_iterable(words_of.values())}
        wanted = np.array([(text, hash_of[word]) for text, of_text in words_of.items() for word in of_text], np.int64)
        # The hash of each wanted word by its number as a key, 0 for all other words.
        hashes = np.zeros(len(self._key_numbers) + 1, np.uint32)
        for word, its_hash in hash_of.items():
            if word in self._key_numbers:
                hashes[self._key_numbers[word]] = its_hash
        in_texts = self._row.in_texts([text for text, of_text in words_of.items() if of_text]) & ~self._joined
        small = self._counter._small.values[self._row.filled]
        # A folded piece of several words has no hash, and may still be a name (O'Neill).
        places, texts, _ = self._places_of(self._keys, hashes, wanted, in_texts, with_unknown=True)
        for place, text in zip(places.tolist(), texts.tolist(), strict=True):
            begin, _ = self._row.bounds(text)
            key = self._view(text).piece_at(place - begin).key
            if key in words_of[text]:
                uses[text].places.setdefault(key, []).append(place - begin)
        places, texts, codes = self._places_of(small, hashes, wanted, in_texts)
        _, firsts = np.unique(codes, return_index=True)
        for place, text in zip(places[firsts].tolist(), texts[firsts].tolist(), strict=True):
            word = read_small_word(
                self._piece(text, place), self._view(text).piece_at(place - self._row.bounds(text)[0])
            )
            if word in words_of[text]:
                uses[text].small.add(word)
        return uses

    def _places_of(
        self, keys: np.ndarray, hashes: np.ndarray, wanted: np.ndarray, in_texts: np.ndarray, with_unknown: bool = False
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find the pieces that are probably wanted, with their texts, and a code of text and word.

        `wanted` has rows of a text and the hash of a word, `hashes` those of the words by their numbers as keys. With
        `with_unknown`, folded pieces without a hash are among the pieces.
        """
        # Any shape may be wanted.
        may_be_wanted = np.append(hashes > 0, True)
        found = np.flatnonzero(may_be_wanted[np.minimum(keys, len(hashes))] & in_texts)
        is_shape = keys[found] == ANY
        its_hashes = np.where(is_shape, self._hashes[found], hashes[np.where(is_shape, 0, keys[found])])
        likely = _are_in(its_hashes, wanted[:, 1]) | (with_unknown & (its_hashes == 0))
        found, its_hashes = found[likely], its_hashes[likely].astype(np.int64)
        texts = self._row.owners(found)
        codes = texts << 32 | its_hashes
        kept = np.isin(codes, wanted[:, 0] << 32 | wanted[:, 1])
        if with_unknown:
            kept |= its_hashes == 0
        return found[kept], texts[kept], codes[kept]

    def _match_surnames(self, alone: Sequence[tuple[int, int, Match]]) -> _Rows:
        """Place surnames that stand alone, given by text, place and match."""
        places = np.array([place for _, place, _ in alone], np.int64)
        firsts = self._row.first_tokens(places).tolist()
        # All are learned at once.
        numbers = self._counter._as_they_are(self._row.pieces, self._row.places[places])
        rows = []
        for number, first, (text, _, surname) in zip(numbers.tolist(), firsts, alone, strict=True):
            if match := place_surname(surname, self._counter._tokens[number], first):
                rows.append((text, self._watch.kinds.number(match), match.start))
        texts, kinds, starts = _columns(rows, 3)
        return texts, kinds, starts

    def _piece(self, text: int, place: int) -> str:
        """Read a piece with all its letters."""
        if self._folded[place]:
            return self._counter._fold(self._row.pieces.string(text, self._row.places[place]))
        return self._counter._pieces[self._row.filled[place]]

    def _view(self, text: int) -> View:
        """Make the view of a text, once."""
        if text not in self._views:
            self._views[text] = self._make_view(text)
        return self._views[text]

    def _make_view(self, text: int) -> View:
        begin, end = self._row.bounds(text)
        # Names look at the same pieces again and again, and lists are faster than arrays.
        codes, described = self._codes[begin:end].tolist(), self._described

        def piece_at(place: int) -> Piece:
            code = codes[place]
            piece = described.get(code)
            if piece is None:
                piece = read_piece(self._piece(text, begin + place))
                if code != _NO_CODE:
                    described[code] = piece
            return piece

        return View(
            end - begin,
            lambda place: self._piece(text, begin + place),
            piece_at,
            lambda place: _GENDER_NUMBERS[self._others[begin + place]],
        )


def _without_things(columns: _Rows, known: Sequence[Match], size: int) -> _Rows:
    """Leave out matches as `terms.without_things` does, in each of `size` texts."""
    texts, kinds, _ = columns
    among_persons = np.array([match.among_persons for match in known], bool)[kinds]
    if not among_persons.any():
        return columns
    is_gendered = np.array([bool(gender_of(match)) for match in known], bool)[kinds]
    pronouns = np.bincount(texts[among_persons], minlength=size)
    others = np.bincount(texts[is_gendered & ~among_persons], minlength=size)
    kept = ~among_persons | are_among_persons(others, pronouns)[texts]
    return texts[kept], kinds[kept], columns[2][kept]


def _are_in(hashes: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Check which hashes are among some others. A small table excludes most of them in little time."""
    is_likely = np.zeros(1 << 16, bool)
    is_likely[wanted & 0xFFFF] = True
    found: np.ndarray = is_likely[hashes & 0xFFFF]
    likely = np.flatnonzero(found)
    found[likely] = np.isin(hashes[likely], wanted)
    return found


def _sums(values: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Compute the sum of the values of each text."""
    starts = np.concatenate([[0], ends[:-1]])
    return np.add.reduceat(values, starts, dtype=np.int64) if len(ends) else np.zeros(0, np.int64)


def _number_rows(*columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number the distinct rows of numbers from -2 on: the place of each one's first row, and the number of each row."""
    codes = np.zeros(len(columns[0]), np.int64)
    size = 1
    for column in columns:
        values = column.astype(np.int64) + 2
        width = int(values.max(initial=0)) + 1
        if size * width > LARGEST_CODE:
            distinct, codes = np.unique(codes, return_inverse=True)
            size = len(distinct)
        codes = codes * width + values
        size *= width
    _, which = np.unique(codes, return_inverse=True)
    firsts = np.empty(which.max(initial=-1) + 1, np.int64)
    firsts[which[::-1]] = np.arange(len(which) - 1, -1, -1)
    return firsts, which


def _spread(
    found: Sequence[Sequence[tuple[int, int]]], which: np.ndarray, owners: np.ndarray, firsts: np.ndarray
) -> _Rows:
    """List the matches of pieces. `found` has kinds and places by distinct piece, `which` each one's number."""
    sizes_of = np.fromiter(map(len, found), np.int64, len(found))
    kinds, places = _columns(list(chain.from_iterable(found)), 2)
    sizes = sizes_of[which]
    # The position of each piece's matches among those of the distinct pieces.
    begins = (np.cumsum(sizes_of) - sizes_of)[which] - (np.cumsum(sizes) - sizes)
    numbers = np.repeat(begins, sizes) + np.arange(sizes.sum())
    return np.repeat(owners, sizes), kinds[numbers], np.repeat(firsts, sizes) + places[numbers]


def _in_order(*parts: Sequence[np.ndarray]) -> _Rows:
    """Merge the matches of all parts, sorted by text and start."""
    texts, kinds, starts = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.lexsort((starts, texts))
    return texts[order], kinds[order], starts[order]


@cache
def _joins_space(letter: str, locale: str) -> bool:
    """Check whether ICU has no word boundary between a space and this letter."""
    return not letter.isspace() and next(iter(WordBreaker(f" {letter}", locale))) != " "
