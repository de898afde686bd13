"""Join the parts of names in texts, and find surnames that stand alone.

A word is a surname because of what stands before it somewhere in the text: a first name, a form of address, or the
title of an office. One mistake there would count in the whole text, so a word is not learned if the language uses it
for something else (`NameRules.closed`), or if the text does and only one name shows it.
"""

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import compress, pairwise
from typing import NamedTuple

import numpy as np

from textparity.counting import GENDERS, UNSPECIFIED
from textparity.counting.name_forms import WORDS_BESIDE, NameForms
from textparity.counting.name_pieces import (
    ARTICLE_JOINED,
    EDGES,
    HYPHEN,
    Piece,
    View,
    is_within,
    read_piece,
    read_small_word,
)
from textparity.counting.name_rules import NameRules
from textparity.counting.pronoun_evidence import (
    PronounEvidence,
    PronounTrail,
    are_called_neutral,
    count_votes,
    genders_shown,
    load_evidence,
)
from textparity.counting.terms import Layout, Match, TermMatcher, without_things
from textparity.folding import Folding

# The layers whose matches are parts of a name wherever they occur.
NAME_LAYERS = ("titles", "names")
# The maximum number of pieces in a full name.
MOST_PIECES = 6
# The maximum number of first names in one word.
MOST_IN_COMPOUND = 2
# What shows that a word is a name if no name does.
PRONOUNS_AFTER = "the pronouns after it"
# Only shorter titles may be acronyms (*MS*).
LONGEST_ABBREVIATION = 3
# A form that the text also uses like a common word is a surname if this many different words show it.
LEAST_SHOWN = 2


class NamePart(NamedTuple):
    """A match that can be part of a name, with its number among the matches and its first and last piece."""

    number: int
    match: Match
    first: int
    last: int


class FullName(NamedTuple):
    """The adjacent parts of a name, on the pieces from `first` to `last`.

    `kept` is the part that counts, and `gender` that of the person, empty if unknown. `kept` is None if the name is
    nobody's, or perhaps a surname, as after an initial. `surname` is empty if there is none. `acronym` is the word of a
    single name in capitals, empty for all others.
    """

    parts: list[NamePart]
    first: int
    last: int
    kept: NamePart | None
    gender: str
    surname: str
    acronym: str = ""


class Learned(NamedTuple):
    """What a text shows of a word: the gender of the persons whose name it is, and the name that shows it.

    `shown_by` is that name, None for pronouns. `is_surname`: the word is a surname where it stands alone; otherwise
    only first names get this gender.
    """

    gender: str
    shown_by: FullName | None
    is_surname: bool = True

    def source(self, view: View) -> str:
        """Read what shows the gender."""
        if self.shown_by is None:
            return PRONOUNS_AFTER
        return view.words(self.shown_by.first, self.shown_by.last)


def gender_of(match: Match) -> str:
    """Determine the gender of a match. Empty unless it has exactly one."""
    if len(match.classes) != 1:
        return ""
    (gender,) = match.classes
    return gender if gender in GENDERS else ""


def may_name(match: Match, piece: Piece) -> bool:
    """Check whether a match can be part of a name: *Mr*, *Mary*, and with a capital *King* or *Kanzlerin*."""
    if match.layer in NAME_LAYERS:
        return True
    return match.layer == "nouns" and bool(piece.key and gender_of(match))


def is_address(match: Match, rules: NameRules) -> bool:
    """Check whether a match is a form of address, such as *Mr* or *Frau*."""
    return match.layer == "titles" or match.form in rules.address


def join_names(parts: Sequence[NamePart], view: View, rules: NameRules) -> list[FullName]:
    """Join the parts of names, given in the order of the text, that are adjacent or in one word (*Anne-Marie*)."""
    part_at = {part.first: part for part in reversed(parts)}
    # Names that share a piece (*Paul/Marie*) belong to no longer name. Only the last one may begin one.
    followed: set[int] = set()
    for part, following in pairwise(parts):
        if following.first <= part.last and not view.piece_at(part.last).key:
            part_at.pop(part.first, None)
            part_at.pop(following.first, None)
            followed.add(part.number)
    full_names: list[FullName] = []
    for part in parts:
        if full_names and _belongs_to(part, full_names[-1], view):
            continue
        may_go_on = part.number not in followed
        full_names.append(_join(part, part_at, view, rules, may_go_on))
    return full_names


def _belongs_to(part: NamePart, full_name: FullName, view: View) -> bool:
    """Check whether a part is in the full name that begins before it."""
    if part.first > full_name.last:
        return False
    return bool(view.piece_at(part.first).key) or part in full_name.parts


def _is_named_after(part: NamePart, view: View) -> bool:
    """Check whether a first name only names a thing: *Heinrich-Böll-Stiftung*, *I-Max*, but not *Anne-Marie*."""
    form = part.match.form
    if part.match.layer != "names" or "-" in form or not view.piece_at(part.first).has_hyphen:
        return False
    bare_text = EDGES.sub("", view.text_at(part.first))
    words = HYPHEN.split(bare_text)
    if len(words) == 1:
        return False
    # Some languages put their prefixes before a hyphen (*u-Mary*, *al-Hassan*).
    if words[0].islower():
        words = words[1:]
    if len(words) > MOST_IN_COMPOUND:
        return True
    first_word = words[0].lower()
    return not first_word.startswith(form[:1]) or form not in first_word


def _join(
    first_part: NamePart, part_at: Mapping[int, NamePart], view: View, rules: NameRules, may_go_on: bool
) -> FullName:
    """Make the full name that begins with a part. It ends with that part unless it `may_go_on`."""
    first, last = first_part.first, first_part.last
    if _is_named_after(first_part, view):
        return FullName([first_part], first, last, None, "", "")
    parts = [first_part]
    surname = ""
    if may_go_on:
        last, surname = _extend(parts, part_at, view, rules)
    acronym = ""
    if first == last and first_part.match.layer in NAME_LAYERS:
        acronym = _read_acronym(first_part, view)
    kept, gender = _choose(parts, view, rules)
    full_name = FullName(parts, first, last, kept, gender, surname, acronym)
    return _decide(full_name, view, rules.forms) if rules.forms else full_name


def _extend(parts: list[NamePart], part_at: Mapping[int, NamePart], view: View, rules: NameRules) -> tuple[int, str]:
    """Add the parts that follow the first one to `parts`. Returns the last piece of the name, and its surname."""
    last = parts[0].last
    surname = ""
    has_particle = False
    before = view.piece_at(last)
    position = last + 1
    stop = min(view.size, parts[0].first + MOST_PIECES)
    while position < stop:
        following = part_at.get(position)
        piece = view.piece_at(position)
        if not piece.is_open or not _goes_on(before, parts[-1], rules):
            break
        if following:
            parts.append(following)
            surname = piece.key if following.match.layer == "names" else ""
            last = following.last
        elif is_within(piece, rules):
            has_particle = has_particle or piece.word in rules.particle
        else:
            may_be_surname = _may_be_surname(piece, parts, has_particle, rules)
            if may_be_surname and view.other_at(position) is None:
                surname = piece.key
                last = position
            break
        position = max(position, last) + 1
        before = view.piece_at(position - 1)
    return last, surname


def _decide(full_name: FullName, view: View, forms: NameForms) -> FullName:
    """Decide the gender of a first name whose form belongs to women and men, by the words beside the full name."""
    kept = full_name.kept
    if full_name.gender or kept is None or kept.match.layer != "names":
        return full_name
    form = kept.match.form
    if not forms.is_ambiguous(form):
        return full_name
    further_names: list[str] = []
    for position in range(kept.last + 1, full_name.last + 1):
        key = view.piece_at(position).key
        if key:
            further_names.append(key)
    before = _words_before(full_name.first, view)
    after = _words_after(full_name.last, view)
    gender = forms.decide(form, further_names, before, after)
    return full_name._replace(gender=gender)


def _words_before(position: int, view: View) -> list[str]:
    """List up to `WORDS_BESIDE` words before a piece in its sentence, in the order of the text."""
    nearest_first: list[str] = []
    while position and len(nearest_first) < WORDS_BESIDE and not view.begins_sentence(position):
        position -= 1
        nearest_first.append(view.words(position, position))
    return nearest_first[::-1]


def _words_after(position: int, view: View) -> list[str]:
    """List up to `WORDS_BESIDE` words after a piece in its sentence."""
    words: list[str] = []
    while position + 1 < view.size and len(words) < WORDS_BESIDE and not view.piece_at(position).ends_sentence:
        position += 1
        words.append(view.words(position, position))
    return words


def _goes_on(before: Piece, last: NamePart, rules: NameRules) -> bool:
    """Check whether a name goes on after a piece. `last` is the last part of the name so far."""
    if before.is_closed:
        return True
    is_title = last.match.layer == "titles"
    # A title does not end a heading, even if the line is short.
    if before.ends_line:
        return is_title
    return before.is_dotted and (is_title or before.is_initial or before.word in rules.academic)


def _may_be_surname(piece: Piece, parts: Sequence[NamePart], has_particle: bool, rules: NameRules) -> bool:
    """Check whether an unknown word after the parts of a name is the surname.

    *Frau von der Leyen* is a person, but *Präsident der Republik* names no surname, and *Tochter* is no title.
    """
    if not piece.key or piece.key in rules.closed:
        return False
    for part in parts:
        if part.match.layer == "names" or is_address(part.match, rules):
            return True
    return not has_particle and all(rules.is_role(part.match.form) for part in parts)


def _choose(parts: Sequence[NamePart], view: View, rules: NameRules) -> tuple[NamePart | None, str]:
    """Choose the part that counts and the gender: a form of address, else a first name, else the title of an office."""
    first = parts[0]
    if len(parts) == 1:
        if first.match.layer == "names" and not _is_name(first, view, rules):
            return None, ""
        return first, gender_of(first.match)
    names = [part for part in parts if part.match.layer == "names"]
    # The last of several first names is a surname.
    surname = names[-1] if len(names) > 1 else None
    first_of_kind: dict[str, NamePart] = {}
    for part in parts:
        if part != surname and gender_of(part.match):
            kind = _kind_of(part.match, rules)
            first_of_kind.setdefault(kind, part)
    for kind in (_ADDRESS, _NAME_KIND, _ROLE):
        chosen = first_of_kind.get(kind)
        if chosen:
            return chosen, gender_of(chosen.match)
    return first, ""


_ADDRESS, _NAME_KIND, _ROLE = "address", "name", "role"


def _kind_of(match: Match, rules: NameRules) -> str:
    if is_address(match, rules):
        return _ADDRESS
    return _NAME_KIND if match.layer == "names" else _ROLE


def _is_name(part: NamePart, view: View, rules: NameRules) -> bool:
    """Check whether a single first name is one: no surname after an initial, no closed word that begins a sentence."""
    before = view.piece_at(part.first - 1) if part.first else None
    if before and before.is_initial and before.is_dotted:
        return False
    return not (part.match.form in rules.closed and view.begins_sentence(part.first))


def _read_acronym(part: NamePart, view: View) -> str:
    """Read a word in capitals that stands between words which are not, as acronyms do. Empty for any other."""
    piece = view.piece_at(part.first)
    is_long_title = part.match.layer == "titles" and len(part.match.form) > LONGEST_ABBREVIATION
    if not piece.is_capitals or is_long_title:
        return ""
    neighbours: list[Piece] = []
    if part.first:
        before = view.piece_at(part.first - 1)
        # A heading may be one name in capitals.
        if not before.ends_paragraph:
            neighbours.append(before)
    following = part.last + 1
    if following < view.size and not piece.ends_paragraph:
        neighbours.append(view.piece_at(following))
    if not neighbours or any(neighbour.is_capitals for neighbour in neighbours):
        return ""
    return piece.word


@dataclass
class WordUses:
    """How a text uses some words outside of longer names.

    `places` has the positions of each word with a capital, and `small` the words that the text also has in small
    letters.
    """

    places: dict[str, list[int]] = field(default_factory=dict)
    small: set[str] = field(default_factory=set)

    def is_common(self, word: str, view: View, rules: NameRules) -> bool:
        """Check whether the text also uses a word like a common word or a place."""
        if word in self.small:
            return True
        positions = self.places.get(word, ())
        return any(is_used_as_common(position, view, rules) for position in positions)

    def is_person(self, word: str, view: View, rules: NameRules) -> bool:
        """Check that a word has a capital within a sentence too, and is never used like a word, a place or a thing."""
        positions = self.places.get(word, ())
        if all(view.begins_sentence(position) for position in positions):
            return False
        if self.is_common(word, view, rules):
            return False
        return not any(_is_after_thing_word(position, view, rules) for position in positions)


@dataclass(frozen=True)
class NamesShown:
    """What the full names and pronouns of a text show, before the uses of the words decide what is learned.

    `surnames` has the full names with each surname, `first_names` what forms of address show of first names,
    `by_pronouns` the gender that pronouns show of other words, and `words` all of these, and words that may be
    acronyms.
    """

    surnames: dict[str, list[FullName]]
    first_names: dict[str, Learned]
    by_pronouns: Mapping[str, str]
    words: Set[str]

    @classmethod
    def of(
        cls, full_names: Sequence[FullName], by_pronouns: Mapping[str, str], view: View, rules: NameRules
    ) -> "NamesShown":
        """Collect what the full names and pronouns of a text show."""
        surnames = _names_by_surname(full_names, rules)
        first_names = _learn_first_names(full_names, view, rules)
        acronyms = {full_name.acronym for full_name in full_names if full_name.acronym}
        words = acronyms.union(surnames, first_names, by_pronouns)
        return cls(surnames, first_names, by_pronouns, words)

    def learn(self, uses: WordUses, view: View, rules: NameRules) -> dict[str, Learned]:
        """Decide whose surnames and first names the words of the text are, by its `uses` of the words.

        All persons with a surname must have the same gender. That of an office counts only if neither a form of address
        nor a first name shows another.
        """
        learned: dict[str, Learned] = {}
        for word, gender in self.by_pronouns.items():
            if uses.is_person(word, view, rules):
                learned[word] = Learned(gender, None)
        learned |= self.first_names
        for surname, bearers in self.surnames.items():
            learned.pop(surname, None)
            genders = _genders_shown(bearers, rules)
            if len(genders) != 1:
                continue
            shown_often = _count_forms(bearers) >= LEAST_SHOWN
            if shown_often or not uses.is_common(surname, view, rules):
                learned[surname] = Learned(genders.pop(), bearers[0])
        return learned


def _count_forms(full_names: Iterable[FullName]) -> int:
    """Count the different forms that are parts of some full names."""
    forms: set[str] = set()
    for full_name in full_names:
        forms.update(part.match.form for part in full_name.parts)
    return len(forms)


def _names_by_surname(full_names: Sequence[FullName], rules: NameRules) -> dict[str, list[FullName]]:
    by_surname: dict[str, list[FullName]] = {}
    before: FullName | None = None
    for full_name in full_names:
        surname = full_name.surname
        if surname and full_name.gender and surname not in rules.excluded:
            bearers = by_surname.setdefault(surname, [])
            bearers.append(full_name)
            # In *Mr and Mrs Smith*, both persons have the surname.
            if before and before.last + 2 == full_name.first and _is_title_alone(before):
                bearers.append(before)
        before = full_name
    return by_surname


def _is_title_alone(full_name: FullName) -> bool:
    last = full_name.parts[-1]
    return last.match.layer == "titles" and last.last == full_name.last


def _genders_shown(full_names: Iterable[FullName], rules: NameRules) -> set[str]:
    """Find the genders of some persons: by forms of address and first names, or else by offices."""
    by_names: set[str] = set()
    by_offices: set[str] = set()
    for full_name in full_names:
        kept = full_name.kept
        if kept is None or not full_name.gender:
            continue
        is_office = _kind_of(kept.match, rules) == _ROLE
        genders = by_offices if is_office else by_names
        genders.add(full_name.gender)
    return by_names or by_offices


def _learn_first_names(full_names: Iterable[FullName], view: View, rules: NameRules) -> dict[str, Learned]:
    """Learn the gender of first names beside a form of address: *Mr Andrea Bocelli* is a man."""
    shown: dict[str, Learned] = {}
    disputed: set[str] = set()
    for full_name in full_names:
        kept = full_name.kept
        if not kept or not full_name.gender or not is_address(kept.match, rules):
            continue
        learned = Learned(full_name.gender, full_name, is_surname=False)
        for part in full_name.parts:
            if part.match.layer != "names":
                continue
            key = view.piece_at(part.first).key
            if not key or key in rules.excluded:
                continue
            first_shown = shown.setdefault(key, learned)
            if first_shown.gender != learned.gender:
                disputed.add(key)
    return {key: learned for key, learned in shown.items() if key not in disputed}


def is_used_as_common(position: int, view: View, rules: NameRules) -> bool:
    """Check whether a capitalised word follows an article, or a preposition as places do."""
    piece = view.piece_at(position)
    if piece.word.startswith(ARTICLE_JOINED):
        return True
    if position == 0 or not piece.is_open:
        return False
    before = view.piece_at(position - 1)
    return before.is_closed and (before.word in rules.article or before.word in rules.place)


def _is_after_thing_word(position: int, view: View, rules: NameRules) -> bool:
    """Check whether a word follows a preposition that is rare before persons."""
    if position == 0 or not view.piece_at(position).is_open:
        return False
    return view.piece_at(position - 1).word in rules.thing


def is_alone(position: int, learned: Learned, view: View, rules: NameRules) -> bool:
    """Check whether the surname at a position is neither in a longer name nor beside a word for the same person.

    *Betty Smith* is another person if *Betty* is not a known name. *Smith Street* is a place. *Kanzlerin Merkel* is one
    mention, as is *Präsidentin von der Leyen*.
    """
    if is_used_as_common(position, view, rules):
        return False
    first = position
    while first and view.piece_at(first).is_open and _is_particle(view.piece_at(first - 1), rules):
        first -= 1
    if _is_named_before(first, learned.gender, view):
        return False
    following = position + 1
    if following == view.size or not view.piece_at(position).is_closed:
        return True
    after = view.piece_at(following)
    may_go_on = after.is_open and after.key
    return not may_go_on or view.other_at(following) is not None


def _is_named_before(first: int, gender: str, view: View) -> bool:
    """Check whether the word before a surname is for the same person, or is another name of the person."""
    if not first or not view.piece_at(first).is_open:
        return False
    preceding = first - 1
    before = view.piece_at(preceding)
    if not before.is_closed:
        return False
    other_gender = view.other_at(preceding)
    if other_gender == gender:
        return True
    return bool(before.key) and other_gender is None and not view.begins_sentence(preceding)


def _is_particle(piece: Piece, rules: NameRules) -> bool:
    return piece.is_bare and piece.word in rules.particle


def without_gender(full_name: FullName, neutral: Set[str]) -> FullName:
    """Take the gender from a full name if it is that of a first name whose bearer is not called *he* or *she*."""
    kept = full_name.kept
    if kept and kept.match.layer == "names" and kept.match.form in neutral:
        return full_name._replace(gender="")
    return full_name


def resolve(full_name: FullName, learned: Mapping[str, Learned], used: Container[str], view: View) -> Match | None:
    """Make the match of a full name, with the gender that the text shows. None if it is nobody's name.

    `used` are the words of the text with one capital, among those in question: only these may be written in capitals.
    """
    kept = full_name.kept
    if full_name.acronym and full_name.acronym not in used:
        return None
    if not learned:
        return with_gender(kept.match, full_name.gender) if kept else None
    if full_name.first == full_name.last:
        key = view.piece_at(full_name.first).key
        of_word = learned.get(key)
        match = full_name.parts[0].match
        if of_word and match.layer == "names" and (kept or of_word.is_surname):
            return as_learned(match, of_word, view)
    if kept is None:
        return None
    if kept.match.layer == "nouns":
        of_surname = learned.get(full_name.surname)
        if of_surname and of_surname.is_surname:
            return with_gender(kept.match, of_surname.gender)
    if kept.match.layer == "names":
        key = view.piece_at(kept.first).key
        of_first_name = learned.get(key)
        if of_first_name and not of_first_name.is_surname:
            return with_gender(kept.match, of_first_name.gender)
    return with_gender(kept.match, full_name.gender)


def with_gender(match: Match, gender: str) -> Match:
    """Give a match a gender. Without one, it loses the one that it has."""
    if gender == gender_of(match):
        return match
    return match._replace(classes=frozenset({gender or UNSPECIFIED}))


def as_learned(match: Match, learned: Learned, view: View) -> Match:
    """Give a single first name the gender of the person whose name it is in the text."""
    source = learned.source(view) if learned.is_surname else ""
    gendered = with_gender(match, learned.gender)
    return gendered._replace(learned=source)


def make_surname(key: str, learned: Learned, view: View) -> Match:
    """Make the match of a surname that stands alone, without its position."""
    source = learned.source(view)
    return Match(key, frozenset({learned.gender}), "names", learned=source)


def place_surname(surname: Match, tokens: Sequence[str], first: int) -> Match | None:
    """Place a surname in a piece with these tokens. `first` is the number of the first token."""
    for token_index, token in enumerate(tokens, start=first):
        if surname.form.startswith(token) or token.startswith(surname.form):
            return surname._replace(start=token_index)
    # The tokenizer splits this surname differently.
    return None


def is_office_alone(full_name: FullName, rules: NameRules) -> bool:
    """Check for a noun that could be part of a name, but is none."""
    return full_name.last == full_name.first and _kind_of(full_name.parts[0].match, rules) == _ROLE


@dataclass(frozen=True)
class PlacedMatch:
    """A match, and the start and end in the text of everything that refers to the person; -1 if unknown."""

    match: Match
    start: int
    end: int
    is_name: bool


def find_mentions(matcher: TermMatcher, sentences: list[list[str]], text: str) -> list[PlacedMatch]:
    """Find the terms in a folded text as `TermMatcher.match` does.

    If first names are among them, the parts of names are joined, and surnames that stand alone are added.
    """
    matches = matcher.match(sentences, text)
    if not matches:
        return []
    layout = Layout(text, sentences)
    if "names" in matcher.layers:
        return _NameFinder(matcher, layout).find_mentions(matches)
    return [_place(match, layout, matcher.folding) for match in without_things(matches)]


def _place(match: Match, layout: Layout, folding: Folding) -> PlacedMatch:
    start = layout.places[match.start]
    length = len(folding.fold(match.form))
    is_name = match.layer == "names"
    return PlacedMatch(match, start, start + length, is_name)


class _NameFinder:
    """Join the names among the matches of one text, and learn its surnames."""

    def __init__(self, matcher: TermMatcher, layout: Layout) -> None:
        self._matcher = matcher
        self._layout = layout
        self._rules = matcher.name_rules
        self._pieces = _Pieces(layout)
        # By piece: the gender of a match that is not part of a name.
        self._other_genders: dict[int, str] = {}
        # The pieces that a match or a name covers, and those of names of several pieces.
        self._taken: set[int] = set()
        self._joined: set[int] = set()
        pieces = self._pieces
        self._view = View(len(pieces.bounds), pieces.text_at, pieces.piece_at, self._other_genders.get)

    def find_mentions(self, matches: Sequence[Match]) -> list[PlacedMatch]:
        """Place all matches in order. Each full name is one mention, and surnames that stand alone are added."""
        parts, other_matches = self._select_parts(matches)
        full_names = join_names(parts, self._view, self._rules)
        self._note_pieces_of(full_names)
        by_pronouns: dict[str, str] = {}
        evidence = load_evidence(self._matcher)
        if evidence.is_known:
            trail = self._follow_pronouns(evidence)
            neutral = _find_neutral(full_names, trail)
            full_names = [without_gender(full_name, neutral) for full_name in full_names]
            by_pronouns = _find_by_pronouns(self._taken, trail, self._view, self._rules)
        shown = NamesShown.of(full_names, by_pronouns, self._view, self._rules)
        uses = self._find_uses(shown.words)
        learned = shown.learn(uses, self._view, self._rules)
        mentions = [self._place(match) for match in other_matches]
        mentions += self._place_full_names(full_names, learned, uses)
        mentions += self._find_surnames(learned, uses)
        mentions = _keep_among_persons(mentions)
        return sorted(mentions, key=lambda mention: mention.match.start)

    def _place(self, match: Match) -> PlacedMatch:
        return _place(match, self._layout, self._matcher.folding)

    def _select_parts(self, matches: Sequence[Match]) -> tuple[list[NamePart], list[Match]]:
        """Separate the parts of names from other matches, and note the pieces of the latter."""
        parts: list[NamePart] = []
        others: list[Match] = []
        for number, match in enumerate(matches):
            first, last = self._pieces.of_match(match)
            if self._pieces.bounds and may_name(match, self._pieces.piece_at(first)):
                parts.append(NamePart(number, match, first, last))
            else:
                covered = range(first, last + 1)
                self._other_genders |= dict.fromkeys(covered, gender_of(match))
                self._taken.update(covered)
                others.append(match)
        return parts, others

    def _note_pieces_of(self, full_names: Iterable[FullName]) -> None:
        for full_name in full_names:
            covered = range(full_name.first, full_name.last + 1)
            self._taken.update(covered)
            if len(covered) > 1:
                self._joined.update(covered)
            elif is_office_alone(full_name, self._rules):
                self._other_genders[full_name.first] = full_name.gender

    def _follow_pronouns(self, evidence: PronounEvidence) -> PronounTrail:
        view = self._view
        traits: list[int] = []
        for position in range(view.size):
            text = view.text_at(position)
            piece = view.piece_at(position)
            traits.append(evidence.read_traits(text, piece))
        return PronounTrail(np.array(traits, np.uint8))

    def _find_uses(self, words: Set[str]) -> WordUses:
        """Find the uses of some words outside of longer names."""
        uses = WordUses()
        if not words:
            return uses
        for position in range(self._view.size):
            if position in self._joined:
                continue
            piece = self._view.piece_at(position)
            if piece.key in words:
                positions = uses.places.setdefault(piece.key, [])
                positions.append(position)
                continue
            small_word = read_small_word(self._view.text_at(position), piece)
            if small_word in words:
                uses.small.add(small_word)
        return uses

    def _place_full_names(
        self, full_names: Iterable[FullName], learned: Mapping[str, Learned], uses: WordUses
    ) -> Iterator[PlacedMatch]:
        for full_name in full_names:
            match = resolve(full_name, learned, uses.places, self._view)
            if match is None:
                continue
            if full_name.first == full_name.last:
                yield self._place(match)
            else:
                first_part = full_name.parts[0]
                start = self._layout.places[first_part.match.start]
                end = self._pieces.end_of_word(full_name.last)
                yield PlacedMatch(match, start, end, is_name=True)

    def _find_surnames(self, learned: Mapping[str, Learned], uses: WordUses) -> Iterator[PlacedMatch]:
        """Find the learned surnames that stand alone."""
        for word, of_word in learned.items():
            if not of_word.is_surname:
                continue
            surname = make_surname(word, of_word, self._view)
            for position in uses.places.get(word, ()):
                if position in self._taken:
                    continue
                if not is_alone(position, of_word, self._view, self._rules):
                    continue
                tokens, first_token = self._pieces.tokens_of(position)
                match = place_surname(surname, tokens, first_token)
                if match:
                    yield self._place(match)


def _keep_among_persons(mentions: list[PlacedMatch]) -> list[PlacedMatch]:
    """Leave out mentions as `without_things` does."""
    kept = without_things([mention.match for mention in mentions])
    if len(kept) == len(mentions):
        return mentions
    return [mention for mention in mentions if not mention.match.among_persons]


def _find_neutral(full_names: Sequence[FullName], trail: PronounTrail) -> set[str]:
    """Find the first names of a text whose bearers are not called *he* or *she*."""
    forms: list[str] = []
    firsts: list[int] = []
    lasts: list[int] = []
    for full_name in full_names:
        kept = full_name.kept
        if kept and kept.match.layer == "names":
            forms.append(kept.match.form)
            firsts.append(full_name.first)
            lasts.append(full_name.last)
    first_pieces = np.array(firsts, np.int64)
    last_pieces = np.array(lasts, np.int64)
    shown = trail.shown_in_text(first_pieces, last_pieces)
    distinct_forms, votes = _count_by_word(forms, shown)
    is_neutral = are_called_neutral(votes)
    return set(compress(distinct_forms, is_neutral))


def _find_by_pronouns(taken: Set[int], trail: PronounTrail, view: View, rules: NameRules) -> dict[str, str]:
    """Find the gender that pronouns show of words that are no known names."""
    is_taken = np.zeros(trail.size, bool)
    is_taken[list(taken)] = True
    positions = trail.possible_names(is_taken)
    are_alone = trail.stand_alone_in_text(positions)
    positions = positions[are_alone]
    shown = trail.shown_in_text(positions, positions)
    keys = [view.piece_at(position).key for position in positions.tolist()]
    words, votes = _count_by_word(keys, shown)
    gender_numbers = genders_shown(votes).tolist()
    genders: dict[str, str] = {}
    for word, gender_number in zip(words, gender_numbers, strict=True):
        if gender_number and word not in rules.excluded:
            genders[word] = GENDERS[gender_number - 1]
    return genders


def _count_by_word(words: Sequence[str], shown: np.ndarray) -> tuple[list[str], np.ndarray]:
    """List the distinct words, and count what the pronouns after each show."""
    index_of: dict[str, int] = {}
    word_indexes: list[int] = []
    for word in words:
        index = index_of.setdefault(word, len(index_of))
        word_indexes.append(index)
    votes = count_votes(np.array(word_indexes, np.int64), shown, len(index_of))
    return list(index_of), votes


class _Pieces:
    """The pieces of a text that have tokens. `bounds` has the start and end of each."""

    def __init__(self, layout: Layout) -> None:
        self._tokens = layout.tokens
        self._text = layout.text
        # The number of the first token of each piece.
        self._first_tokens: list[int] = []
        self.bounds: list[tuple[int, int]] = []
        last_end = 0
        for token_index, position in enumerate(layout.places):
            if position >= last_end:
                start = self._text.rfind(" ", 0, position) + 1
                last_end = self._end_from(position)
                self.bounds.append((start, last_end))
                self._first_tokens.append(token_index)

    def _end_from(self, position: int) -> int:
        end = self._text.find(" ", position)
        return end if end >= 0 else len(self._text)

    def text_at(self, index: int) -> str:
        start, end = self.bounds[index]
        return self._text[start:end]

    def piece_at(self, index: int) -> Piece:
        return read_piece(self.text_at(index))

    def end_of_word(self, index: int) -> int:
        start, end = self.bounds[index]
        while end > start + 1 and not self._text[end - 1].isalnum():
            end -= 1
        return end

    def of_match(self, match: Match) -> tuple[int, int]:
        """Find the first and the last piece of a match."""
        first = max(0, bisect_right(self._first_tokens, match.start) - 1)
        last = first + match.form.count(" ")
        last_piece = max(0, len(self.bounds) - 1)
        return first, min(last, last_piece)

    def tokens_of(self, index: int) -> tuple[Sequence[str], int]:
        """List the tokens of a piece, and find the number of the first one."""
        first = self._first_tokens[index]
        is_last = index + 1 == len(self._first_tokens)
        stop = len(self._tokens) if is_last else self._first_tokens[index + 1]
        return self._tokens[first:stop], first
