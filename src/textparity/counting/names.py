"""Join the parts of names in texts, and find surnames that stand alone.

A word is a surname because of what stands before it somewhere in the text: a first name, a form of address, or the
title of an office. One mistake there would count in the whole text, so a word is not learned if the language uses it
for something else (`NameRules.closed`), or if the text does and only one name shows it.
"""

from bisect import bisect_right
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
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
    PronounTrail,
    are_called_neutral,
    count_votes,
    genders_shown,
    load_evidence,
)
from textparity.counting.terms import Layout, Match, TermMatcher, without_things

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
        return view.words(self.shown_by.first, self.shown_by.last) if self.shown_by else PRONOUNS_AFTER


def gender_of(match: Match) -> str:
    """Determine the gender of a match. Empty unless it has exactly one."""
    (gender,) = match.classes if len(match.classes) == 1 else ("",)
    return gender if gender in GENDERS else ""


def may_name(match: Match, piece: Piece) -> bool:
    """Check whether a match can be part of a name: *Mr*, *Mary*, and with a capital *King* or *Kanzlerin*."""
    return match.layer in NAME_LAYERS or (match.layer == "nouns" and bool(piece.key and gender_of(match)))


def is_address(match: Match, rules: NameRules) -> bool:
    """Check whether a match is a form of address, such as *Mr* or *Frau*."""
    return match.layer == "titles" or match.form in rules.address


def join_names(parts: Sequence[NamePart], view: View, rules: NameRules) -> list[FullName]:
    """Join the parts of names, given in the order of the text, that are adjacent or in one word (*Anne-Marie*)."""
    at = {part.first: part for part in reversed(parts)}
    # Names that share a piece (*Paul/Marie*) belong to no longer name. Only the last one may begin one.
    followed: set[int] = set()
    for part, following in pairwise(parts):
        if following.first <= part.last and not view.piece_at(part.last).key:
            at.pop(part.first, None)
            at.pop(following.first, None)
            followed.add(part.number)
    full_names: list[FullName] = []
    for part in parts:
        is_new = not full_names or part.first > full_names[-1].last
        if is_new or not (view.piece_at(part.first).key or part in full_names[-1].parts):
            may_go_on = part.number not in followed
            full_names.append(_join(part, at, view, rules, may_go_on))
    return full_names


def _is_named_after(part: NamePart, view: View) -> bool:
    """Check whether a first name only names a thing: *Heinrich-Böll-Stiftung*, *I-Max*, but not *Anne-Marie*."""
    form = part.match.form
    if part.match.layer != "names" or "-" in form or not view.piece_at(part.first).has_hyphen:
        return False
    words = HYPHEN.split(EDGES.sub("", view.text_at(part.first)))
    if len(words) == 1:
        return False
    # Some languages put their prefixes before a hyphen (*u-Mary*, *al-Hassan*).
    if words[0].islower():
        words = words[1:]
    return len(words) > MOST_IN_COMPOUND or not words[0].lower().startswith(form[:1]) or form not in words[0].lower()


def _join(part: NamePart, at: Mapping[int, NamePart], view: View, rules: NameRules, may_go_on: bool) -> FullName:
    if _is_named_after(part, view):
        return FullName([part], part.first, part.last, None, "", "")
    parts, last, surname = [part], part.last, ""
    place = last + 1
    before = view.piece_at(last)
    has_particle = False
    stop = min(view.size, part.first + MOST_PIECES) if may_go_on else place
    while place < stop:
        following, piece = at.get(place), view.piece_at(place)
        if not piece.is_open or not _goes_on(before, parts[-1], rules):
            break
        if following:
            parts.append(following)
            surname = piece.key if following.match.layer == "names" else ""
            last = following.last
        elif is_within(piece, rules):
            has_particle = has_particle or piece.word in rules.particle
        else:
            if _may_be_surname(piece, parts, has_particle, rules) and view.other_at(place) is None:
                surname, last = piece.key, place
            break
        place = max(place, last) + 1
        before = view.piece_at(place - 1)
    kept, gender = _choose(parts, view, rules)
    acronym = _read_acronym(part, view) if last == part.first and part.match.layer in NAME_LAYERS else ""
    full_name = FullName(parts, part.first, last, kept, gender, surname, acronym)
    return _decide(full_name, view, rules.forms) if rules.forms else full_name


def _decide(full_name: FullName, view: View, forms: NameForms) -> FullName:
    """Decide the gender of a first name whose form belongs to women and men, by the words beside the full name."""
    kept = full_name.kept
    if full_name.gender or kept is None or kept.match.layer != "names" or not forms.is_ambiguous(kept.match.form):
        return full_name
    others = [view.piece_at(place).key for place in range(kept.last + 1, full_name.last + 1)]
    before: list[str] = []
    place = full_name.first
    while place and len(before) < WORDS_BESIDE and not view.begins_sentence(place):
        place -= 1
        before.insert(0, view.words(place, place))
    after: list[str] = []
    place = full_name.last
    while place + 1 < view.size and len(after) < WORDS_BESIDE and not view.piece_at(place).ends_sentence:
        place += 1
        after.append(view.words(place, place))
    gender = forms.decide(kept.match.form, list(filter(None, others)), before, after)
    return full_name._replace(gender=gender)


def _goes_on(before: Piece, last: NamePart, rules: NameRules) -> bool:
    """Check whether a name goes on after a piece, the last part before which is given."""
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
    surname = [part for part in parts if part.match.layer == "names"][1:][-1:]
    gendered = [part for part in parts if gender_of(part.match) and part not in surname]
    for kind in (_ADDRESS, _NAME_KIND, _ROLE):
        for part in gendered:
            if _kind_of(part.match, rules) == kind:
                return part, gender_of(part.match)
    return parts[0], ""


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
    neighbours = [view.piece_at(part.first - 1)] if part.first else []
    # A heading may be one name in capitals.
    neighbours = [before for before in neighbours if not before.ends_paragraph]
    if part.last + 1 < view.size and not piece.ends_paragraph:
        neighbours.append(view.piece_at(part.last + 1))
    is_apart = bool(neighbours) and not any(neighbour.is_capitals for neighbour in neighbours)
    return piece.word if is_apart else ""


@dataclass
class WordUses:
    """How a text uses some words outside of longer names.

    `places` has those of each word with a capital, and `small` the words that the text also has in small letters.
    """

    places: dict[str, list[int]] = field(default_factory=dict)
    small: set[str] = field(default_factory=set)

    def is_common(self, word: str, view: View, rules: NameRules) -> bool:
        """Check whether the text also uses a word like a common word or a place."""
        return word in self.small or any(is_used_as_common(place, view, rules) for place in self.places.get(word, ()))

    def is_person(self, word: str, view: View, rules: NameRules) -> bool:
        """Check that a word has a capital within a sentence too, and is never used like a word, a place or a thing."""
        places = self.places.get(word, ())
        if all(view.begins_sentence(place) for place in places) or self.is_common(word, view, rules):
            return False
        after_words = [place for place in places if place and view.piece_at(place).is_open]
        return not any(view.piece_at(place - 1).word in rules.thing for place in after_words)


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
        words = {full_name.acronym for full_name in full_names if full_name.acronym}
        return cls(surnames, first_names, by_pronouns, words.union(surnames, first_names, by_pronouns))

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
        for surname, its_names in self.surnames.items():
            genders = _genders_shown(its_names, rules)
            words = {part.match.form for full_name in its_names for part in full_name.parts}
            learned.pop(surname, None)
            if len(genders) == 1 and (len(words) >= LEAST_SHOWN or not uses.is_common(surname, view, rules)):
                learned[surname] = Learned(genders.pop(), its_names[0])
        return learned


def _names_by_surname(full_names: Sequence[FullName], rules: NameRules) -> dict[str, list[FullName]]:
    by_surname: dict[str, list[FullName]] = {}
    before: FullName | None = None
    for full_name in full_names:
        if full_name.surname and full_name.gender and full_name.surname not in rules.excluded:
            its_names = by_surname.setdefault(full_name.surname, [])
            its_names.append(full_name)
            # In *Mr and Mrs Smith*, both persons have the surname.
            if before and before.last + 2 == full_name.first and _is_title_alone(before):
                its_names.append(before)
        before = full_name
    return by_surname


def _is_title_alone(full_name: FullName) -> bool:
    last = full_name.parts[-1]
    return last.match.layer == "titles" and last.last == full_name.last


def _genders_shown(full_names: Iterable[FullName], rules: NameRules) -> set[str]:
    """Find the genders of some persons: by forms of address and first names, or else by offices."""
    by_kind: dict[bool, set[str]] = {True: set(), False: set()}
    for full_name in full_names:
        if full_name.kept and full_name.gender:
            is_office = _kind_of(full_name.kept.match, rules) == _ROLE
            by_kind[is_office].add(full_name.gender)
    return by_kind[False] or by_kind[True]


def _learn_first_names(full_names: Iterable[FullName], view: View, rules: NameRules) -> dict[str, Learned]:
    """Learn the gender of first names beside a form of address: *Mr Andrea Bocelli* is a man."""
    told: dict[str, Learned] = {}
    disputed: set[str] = set()
    for full_name in full_names:
        if not full_name.kept or not full_name.gender or not is_address(full_name.kept.match, rules):
            continue
        for part in full_name.parts:
            key = view.piece_at(part.first).key
            if part.match.layer == "names" and key and key not in rules.excluded:
                known = told.setdefault(key, Learned(full_name.gender, full_name, is_surname=False))
                if known.gender != full_name.gender:
                    disputed.add(key)
    return {key: learned for key, learned in told.items() if key not in disputed}


def is_used_as_common(place: int, view: View, rules: NameRules) -> bool:
    """Check whether a capitalised word follows an article, or a preposition as places do."""
    piece = view.piece_at(place)
    if piece.word.startswith(ARTICLE_JOINED):
        return True
    before = view.piece_at(place - 1) if place and piece.is_open else None
    return before is not None and before.is_closed and (before.word in rules.article or before.word in rules.place)


def is_alone(place: int, learned: Learned, view: View, rules: NameRules) -> bool:
    """Check whether the surname at a place is neither in a longer name nor beside a word for the same person.

    *Betty Smith* is another person if *Betty* is not a known name. *Smith Street* is a place. *Kanzlerin Merkel* is one
    mention, as is *Präsidentin von der Leyen*.
    """
    if is_used_as_common(place, view, rules):
        return False
    piece = view.piece_at(place)
    first = place
    while first and view.piece_at(first).is_open and _is_particle(view.piece_at(first - 1), rules):
        first -= 1
    if first and view.piece_at(first).is_open and (before := view.piece_at(first - 1)).is_closed:
        other = view.other_at(first - 1)
        if other == learned.gender or (before.key and other is None and not view.begins_sentence(first - 1)):
            return False
    if place + 1 < view.size and piece.is_closed and (after := view.piece_at(place + 1)).is_open:
        return not after.key or view.other_at(place + 1) is not None
    return True


def _is_particle(piece: Piece, rules: NameRules) -> bool:
    return piece.is_bare and piece.word in rules.particle


def without_gender(full_name: FullName, neutral: Set[str]) -> FullName:
    """Take the gender from a full name if it is that of a first name whose bearer is not called *he* or *she*."""
    if full_name.kept and full_name.kept.match.layer == "names" and full_name.kept.match.form in neutral:
        return full_name._replace(gender="")
    return full_name


def resolve(full_name: FullName, learned: Mapping[str, Learned], used: Container[str], view: View) -> Match | None:
    """Make the match of a full name, with the gender that the text shows. None if it is nobody's name.

    `used` are the words of the text with one capital, among those in question: only these may be written in capitals.
    """
    if full_name.acronym and full_name.acronym not in used:
        return None
    if not learned:
        return with_gender(full_name.kept.match, full_name.gender) if full_name.kept else None
    if full_name.first == full_name.last:
        known = learned.get(view.piece_at(full_name.first).key)
        match = full_name.parts[0].match
        if known and match.layer == "names" and (full_name.kept or known.is_surname):
            return as_learned(match, known, view)
    if full_name.kept is None:
        return None
    match = full_name.kept.match
    if match.layer == "nouns":
        of_surname = learned.get(full_name.surname)
        if of_surname and of_surname.is_surname:
            return with_gender(match, of_surname.gender)
    if match.layer == "names":
        of_first_name = learned.get(view.piece_at(full_name.kept.first).key)
        if of_first_name and not of_first_name.is_surname:
            return with_gender(match, of_first_name.gender)
    return with_gender(match, full_name.gender)


def with_gender(match: Match, gender: str) -> Match:
    """Give a match a gender. Without one, it loses the one that it has."""
    if gender == gender_of(match):
        return match
    return match._replace(classes=frozenset({gender or UNSPECIFIED}))


def as_learned(match: Match, learned: Learned, view: View) -> Match:
    """Give a single first name the gender of the person whose name it is in the text."""
    source = learned.source(view) if learned.is_surname else ""
    return with_gender(match, learned.gender)._replace(learned=source)


def make_surname(key: str, learned: Learned, view: View) -> Match:
    """Make the match of a surname that stands alone, without its place."""
    return Match(key, frozenset({learned.gender}), "names", learned=learned.source(view))


def place_surname(surname: Match, tokens: Sequence[str], first: int) -> Match | None:
    """Place a surname in a piece with these tokens. `first` is the number of the first token."""
    for number, token in enumerate(tokens, start=first):
        if surname.form.startswith(token) or token.startswith(surname.form):
            return surname._replace(start=number)
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
    has_names = "names" in matcher.layers
    if not has_names:
        matches = without_things(matches)
    layout, fold = Layout(text, sentences), matcher.folding.fold

    def mention(match: Match, first: Match | None = None, end: int = 0) -> PlacedMatch:
        start = layout.places[(first or match).start]
        is_name = match.layer == "names" or end > 0
        return PlacedMatch(match, start, end or start + len(fold(match.form)), is_name)

    if not has_names:
        return [mention(match) for match in matches]
    pieces = _Pieces(layout)
    rules = matcher.name_rules
    parts: list[NamePart] = []
    others: dict[int, str] = {}
    mentions: list[PlacedMatch] = []
    for number, match in enumerate(matches):
        first, last = pieces.of_match(match)
        if pieces.bounds and may_name(match, read_piece(pieces.text_at(first))):
            parts.append(NamePart(number, match, first, last))
        else:
            others |= dict.fromkeys(range(first, last + 1), gender_of(match))
            mentions.append(mention(match))
    view = View(len(pieces.bounds), pieces.text_at, lambda place: read_piece(pieces.text_at(place)), others.get)
    full_names = join_names(parts, view, rules)
    taken = set(others)
    joined: set[int] = set()
    for full_name in full_names:
        its_places = range(full_name.first, full_name.last + 1)
        taken.update(its_places)
        if len(its_places) > 1:
            joined.update(its_places)
        elif is_office_alone(full_name, rules):
            others[full_name.first] = full_name.gender
    by_pronouns: dict[str, str] = {}
    evidence = load_evidence(matcher)
    if evidence.is_known:
        of_pieces = [evidence.read_traits(view.text_at(place), view.piece_at(place)) for place in range(view.size)]
        traits = np.array(of_pieces, np.uint8)
        trail = PronounTrail(traits)
        neutral = _find_neutral(full_names, trail)
        full_names = [without_gender(full_name, neutral) for full_name in full_names]
        by_pronouns = _find_by_pronouns(taken, trail, view, rules)
    shown = NamesShown.of(full_names, by_pronouns, view, rules)
    words = shown.words
    uses = WordUses()
    free_places = [place for place in range(view.size) if place not in joined] if words else []
    for place in free_places:
        key = view.piece_at(place).key
        if key in words:
            uses.places.setdefault(key, []).append(place)
        elif (small := read_small_word(view.text_at(place), view.piece_at(place))) in words:
            uses.small.add(small)
    learned = shown.learn(uses, view, rules)
    for full_name in full_names:
        if resolved := resolve(full_name, learned, uses.places, view):
            end = pieces.end_of_word(full_name.last) if full_name.last > full_name.first else 0
            mentions.append(mention(resolved, full_name.parts[0].match, end))
    for word, known in learned.items():
        surname = make_surname(word, known, view)
        for place in uses.places.get(word, ()):
            if known.is_surname and place not in taken and is_alone(place, known, view, rules):
                found = place_surname(surname, *pieces.tokens_of(place))
                mentions += [mention(found)] if found else []
    kept = without_things([one.match for one in mentions])
    if len(kept) < len(mentions):
        mentions = [one for one in mentions if not one.match.among_persons]
    return sorted(mentions, key=lambda one: one.match.start)


def _find_neutral(full_names: Sequence[FullName], trail: PronounTrail) -> set[str]:
    """Find the first names of a text whose bearers are not called *he* or *she*."""
    named = [full_name for full_name in full_names if full_name.kept and full_name.kept.match.layer == "names"]
    firsts = np.array([full_name.first for full_name in named], np.int64)
    lasts = np.array([full_name.last for full_name in named], np.int64)
    shown = trail.shown_after(firsts, lasts, np.zeros(len(named), np.int64), np.full(len(named), trail.size))
    forms, votes = _count_by_word([full_name.kept.match.form for full_name in named if full_name.kept], shown)
    return {form for form, is_neutral in zip(forms, are_called_neutral(votes), strict=True) if is_neutral}


def _find_by_pronouns(taken: Set[int], trail: PronounTrail, view: View, rules: NameRules) -> dict[str, str]:
    """Find the gender that pronouns show of words that are no known names."""
    is_taken = np.zeros(trail.size, bool)
    is_taken[list(taken)] = True
    places = trail.possible_names(is_taken)
    starts, stops = np.zeros(len(places), np.int64), np.full(len(places), trail.size)
    places = places[trail.stand_alone(places, starts, stops)]
    shown = trail.shown_after(places, places, starts[: len(places)], stops[: len(places)])
    words, votes = _count_by_word([view.piece_at(place).key for place in places.tolist()], shown)
    genders = zip(words, genders_shown(votes).tolist(), strict=True)
    return {word: GENDERS[number - 1] for word, number in genders if number and word not in rules.excluded}


def _count_by_word(words: Sequence[str], shown: np.ndarray) -> tuple[list[str], np.ndarray]:
    """List the distinct words, and count what the pronouns after each show."""
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    which = np.array([numbers[word] for word in words], np.int64)
    return list(numbers), count_votes(which, shown, len(numbers))


class _Pieces:
    """The pieces of a text that have tokens. `bounds` has the start and end of each."""

    def __init__(self, layout: Layout) -> None:
        self._tokens, self._text = layout.tokens, layout.text
        self._firsts: list[int] = []
        self.bounds: list[tuple[int, int]] = []
        for number, place in enumerate(layout.places):
            if place >= 0 and (not self.bounds or place >= self.bounds[-1][1]):
                start, end = self._text.rfind(" ", 0, place) + 1, self._text.find(" ", place)
                self.bounds.append((start, end if end >= 0 else len(self._text)))
                self._firsts.append(number)

    def text_at(self, place: int) -> str:
        return self._text[slice(*self.bounds[place])]

    def end_of_word(self, place: int) -> int:
        start, end = self.bounds[place]
        while end > start + 1 and not self._text[end - 1].isalnum():
            end -= 1
        return end

    def of_match(self, match: Match) -> tuple[int, int]:
        first = max(0, bisect_right(self._firsts, match.start) - 1)
        return first, min(first + match.form.count(" "), max(0, len(self.bounds) - 1))

    def tokens_of(self, place: int) -> tuple[Sequence[str], int]:
        first, stop = [*self._firsts[place : place + 2], len(self._tokens)][:2]
        return self._tokens[first:stop], first
