"""Terms of a lexicon: forms that count in a class, some only in a context, and finding them in tokenized texts."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, NamedTuple, overload
from unicodedata import normalize

import regex

from textparity.counting import CLASSES, GENDERS
from textparity.counting.name_rules import NO_NAME_RULES, NameRules
from textparity.counting.pairs import PairForms, read_pair_words
from textparity.folding import NO_FOLDING, Folding

if TYPE_CHECKING:
    import numpy as np

Span = tuple[int, int]
_NONE: frozenset[str] = frozenset()
_LETTER = r"[\p{L}\p{M}]"
# A full stop is a sign after a word (*ami.e*), but not after a title, which may be written with one anyway (*Dr.a*).
_STOP = "."
# The longest parts of a splitting form.
LONGEST_LEFT, LONGEST_ENDING, LONGEST_TAIL = 30, 20, 5
# The signs of splitting forms: slashes, which a hyphen may follow, others, and brackets.
_SLASHES, _BETWEEN, _BRACKETS = "/⁄∕", "·•‧∙⋅*:_.", "(["
SPLITTING_SIGNS = _SLASHES + _BETWEEN + _BRACKETS
_SPLIT = regex.compile(
    rf"(?:(?P<sign>[{_SLASHES}]-?|[{_BETWEEN}])(?P<ending>{_LETTER}{{1,{LONGEST_ENDING}}}+)"
    rf"(?:(?P=sign)(?P<tail>{_LETTER}{{1,{LONGEST_TAIL}}}+))?"
    rf"|[(\[]-?(?P<inner>{_LETTER}{{1,{LONGEST_ENDING}}})[)\]](?P<rest>{_LETTER}*+))"
)
# One of the signs before a letter. Most pieces of a text have none, so this is a quick test.
may_split = re.compile(rf"[{re.escape(SPLITTING_SIGNS)}]-?(?:[^\W\d_]|[^\x00-\x7f])").search
_BEFORE = regex.compile(rf"(?r)(?P<left>{_LETTER}{{1,{LONGEST_LEFT}}}+)\.?\Z")
# In these scripts, spaces do not mark where a word begins and ends.
_NO_SPACES = regex.compile(r"[\p{Han}\p{Hira}\p{Kana}\p{Thai}\p{Laoo}\p{Khmr}\p{Mymr}]")
# The feminine may replace at most this many letters of the masculine (*directeur/trice*), and at least this many must
# stay.
MOST_REPLACED, _LEAST_SHARED = 6, 2
# How many letters of a form may be missing before the sign, and how many must be there (*Kolleg(in)*).
_LONGEST_ENDING, _SHORTEST_STEM = 3, 3


class SplittingForms:
    """Find splitting forms: one word written so that it names both genders (*profesor(a)*, *s/he*, *étudiant·e·s*).

    With the part that is split off, or with the part that stays, the word is a form of one gender, and a form of the
    other gender is beside it. `genders` are those of a lexicon's forms, so that no language needs a list of splitting
    forms. `titles` may end in a full stop that is not a sign.
    """

    def __init__(self, genders: Mapping[str, frozenset[str]], titles: frozenset[str]) -> None:
        self.genders = genders
        self._titles = titles

    @cached_property
    def _stems(self) -> dict[str, frozenset[str]]:
        """The genders of the forms that begin with each stem and have few more letters."""
        stems: dict[str, frozenset[str]] = {}
        for form, genders in self.genders.items():
            longest_ending = min(_LONGEST_ENDING, len(form) - _SHORTEST_STEM)
            for letters in range(1, longest_ending + 1):
                stem = form[:-letters]
                known = stems.get(stem, _NONE)
                stems[stem] = known | genders
        return stems

    def find(self, text: str) -> Iterator[Span]:
        """Find the splitting forms of a folded text, each as start and end."""
        for match in _SPLIT.finditer(text):
            span = self._find_at(match)
            if span:
                yield span

    def _find_at(self, match: "regex.Match[str]") -> Span | None:
        """Find the splitting form with a sign, None if the letters around the sign are none."""
        sign = match.start()
        before = _BEFORE.search(match.string, max(0, sign - LONGEST_LEFT - 1), sign)
        left = before["left"] if before else ""
        is_bracket = match["inner"] is not None
        if not left and not is_bracket:
            return None
        group = "inner" if is_bracket else "ending"
        ending = match[group].lower()
        is_stop = match["sign"] == _STOP
        for start, tail in self._bounds(left, match):
            if not self._names_both(left[start:].lower(), ending, tail.lower(), is_stop):
                continue
            begin = before.start() + start if before else sign
            if tail:
                return begin, match.end()
            # The closing bracket belongs to the form.
            return begin, match.end(group) + is_bracket
        return None

    @staticmethod
    def _bounds(left: str, match: "regex.Match[str]") -> Iterator[tuple[int, str]]:
        """List where the word may begin in the letters before the sign, each with the ending that it may have."""
        tail = (match["rest"] if match["inner"] else match["tail"]) or ""
        yield 0, tail
        if _NO_SPACES.search(left):
            for start in range(len(left)):
                yield start, ""
        elif match["tail"]:
            yield 0, ""

    def _names_both(self, left: str, ending: str, tail: str, is_stop: bool) -> bool:
        genders = self.genders
        with_tail = genders.get(left + tail, _NONE)
        without_tail = genders.get(left, _NONE)
        of_left = with_tail | without_tail
        if is_stop and (left in self._titles or not of_left):
            return False
        of_whole = genders.get(left + ending + tail, _NONE)
        # A stem (*Kolleg(in)*) may have both genders, a whole word (*girl(s)*) has one.
        of_other = of_left or genders.get(ending + tail) or self._stems.get(left, _NONE)
        differ = of_whole != of_other
        if of_whole and of_other and differ:
            return True
        return bool(of_left) and self._replaces_end(left, ending + tail, of_left)

    def _replaces_end(self, left: str, ending: str, of_left: frozenset[str]) -> bool:
        """Check whether an ending replaces that of the word `left` in a form of the other gender."""
        shortest = max(_LEAST_SHARED, len(left) - MOST_REPLACED)
        for kept in range(shortest, len(left)):
            of_whole = self.genders.get(left[:kept] + ending)
            if of_whole and of_whole != of_left:
                return True
        return False


# In place of a class: no form counts within a match of this regular expression (*il est nécessaire*).
HIDDEN = "hidden"
# In place of a class: the form is the language, between slashes, in whose way two nouns are joined to a pair.
PAIRED = "paired"
LAYERS = ("nouns", "pronouns", "titles", "names", "inclusive")
START, END = "^", "$"
# Maximum length of a form in characters. All prefixes of a form are stored, which takes memory quadratic in its length.
LONGEST_FORM = 1000
# A token begins at most this many letters after the end of the previous one, apart from white space and changed tokens.
NEAR = 20


class Match(NamedTuple):
    """A form found in a text; `start` is the number of its first token in the text.

    `learned` is the name in the text that shows that the form is a surname, empty for the forms of a lexicon. A form
    `among_persons` counts only if the text has enough other persons (`are_among_persons`). `unspecified_as` says what
    a form of no specified gender shows (`textparity.counting.unspecified`), once that is known.
    """

    form: str
    classes: frozenset[str]
    layer: str = "nouns"
    start: int = 0
    learned: str = ""
    among_persons: bool = False
    unspecified_as: str = ""


class Term(NamedTuple):
    """A form, as returned by `fix_form`, with its class and the contexts in which it counts (`read_context`)."""

    form: str
    gender_class: str
    layer: str = "nouns"
    context: str = ""


def fix_form(form: str) -> str:
    """Normalize a form for comparison with texts: lower-cased, in NFC, with single spaces."""
    return " ".join(normalize("NFC", form.lower()).split())


def is_pattern(form: str) -> bool:
    """Check whether a form is a regular expression between slashes."""
    return form.startswith("/") and form.endswith("/") and len(form) > 2


class Words:
    """Words that may stand beside a form. `*` at the start or end of a word stands for any letters."""

    def __init__(self, words: Iterable[str], folding: Folding = NO_FOLDING) -> None:
        whole: list[str] = []
        starts: list[str] = []
        ends: list[str] = []
        for word in words:
            folded = folding.fold(word.lower())
            if folded.endswith("*"):
                starts.append(folded[:-1])
            if folded.startswith("*"):
                ends.append(folded[1:])
            if "*" not in folded:
                whole.append(folded)
        self.whole = frozenset(whole)
        self._starts = tuple(starts)
        self._ends = tuple(ends)
        self.has_signs = any(map(_may_end_sentence, self.whole))
        self.has_wildcards = bool(self._starts or self._ends)

    def __contains__(self, token: str) -> bool:
        if token in self.whole:
            return True
        return self.has_wildcards and (token.startswith(self._starts) or token.endswith(self._ends))


def _may_end_sentence(word: str) -> bool:
    """Check whether a word is a sign that may stand where a sentence ends, as may `^` and `$`, but not a hyphen."""
    return word != "-" and not any(map(str.isalnum, word))


class Neighbour(NamedTuple):
    """The words one of which must stand beside a form, or none of them if it is not `wanted`."""

    words: Words
    wanted: bool


@dataclass(frozen=True)
class Context:
    """The conditions around a form under which it counts; see `read_context`.

    `before` are those on the token that the form stands before, and `after` those on the token that it stands after.
    """

    before: tuple[Neighbour, ...] = ()
    after: tuple[Neighbour, ...] = ()
    capitalised: bool | None = None
    among_persons: bool = False

    @cached_property
    def needs_sentence(self) -> bool:
        """Whether the context depends on where the sentence begins or ends, or on a sign that may stand there."""
        return any(words.has_signs for words in self._words)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that it names, without those with a wildcard."""
        return frozenset().union(*(words.whole for words in self._words))

    @cached_property
    def has_wildcards(self) -> bool:
        """Whether it depends on the letters of any word."""
        return any(words.has_wildcards for words in self._words)

    @property
    def _words(self) -> list[Words]:
        return [neighbour.words for neighbour in (*self.before, *self.after)]

    def holds(self, tokens: list[str], start: int, end: int, capital: bool, in_text: Sequence[str] = ()) -> bool:
        """Check the context of `tokens[start:end]` of a sentence. `capital`: the first token begins with a capital.

        `in_text` has at least the last two tokens before it in the text, because ICU ends a sentence after *St.*
        """
        if self.capitalised is not None and self.capitalised != capital:
            return False
        following = tokens[end] if end < len(tokens) else END
        for words, wanted in self.before:
            if (following in words) is not wanted:
                return False
        if not self.after:
            return True
        preceding = tokens[start - 1] if start else START
        follows_stop = len(in_text) > 1 and in_text[-1] == "."
        abbreviation = f"{in_text[-2]}." if follows_stop else ""
        for words, wanted in self.after:
            is_after = preceding in words
            if follows_stop and not is_after:
                is_after = abbreviation in words
            if is_after is not wanted:
                return False
        return True


# Thousands of forms share the same conditions.
@lru_cache(maxsize=10_000)
def read_context(cell: str, folding: Folding = NO_FOLDING) -> Context | None:
    """Read the conditions of a form, separated by `;`, all of which must hold. Returns None for an empty cell.

    `before WORD …` means that the next token is one of these words, and `after WORD …` that the previous token is.
    `capitalised` requires a capital. Each may have `not` before it. `*man` is any word that ends in man, `st.` an
    abbreviation, `^` and `$` the beginning and the end of a sentence. `among persons` means that the text must have
    enough other persons (`are_among_persons`). Raises `ValueError` for anything else.
    """
    if not cell.strip():
        return None
    before: list[Neighbour] = []
    after: list[Neighbour] = []
    capitalised = None
    among_persons = False
    for clause in cell.split(";"):
        kind, *words = clause.split() or [""]
        if [kind, *words] == ["among", "persons"]:
            among_persons = True
            continue
        wanted = kind != "not"
        if not wanted:
            kind, *words = words or [""]
        if kind == "capitalised" and not words:
            capitalised = wanted
        elif kind == "before" and words:
            before.append(Neighbour(Words(words, folding), wanted))
        elif kind == "after" and words:
            after.append(Neighbour(Words(words, folding), wanted))
        else:
            raise ValueError(f"{clause.strip()!r} is not `[not] before WORD …`, `[not] after WORD …` or `capitalised`")
    return Context(tuple(before), tuple(after), capitalised, among_persons)


@dataclass
class FormRules:
    """The classes of a form: by the contexts that hold, or else `plain`. `spelled` is its spelling in the lexicon."""

    spelled: str
    layer: str
    plain: frozenset[str] = frozenset()
    by_context: list[tuple[Context, str]] = field(default_factory=list)
    needs_case: bool = False
    needs_sentence: bool = False
    needs_letters: bool = False

    @property
    def classes(self) -> frozenset[str]:
        """All classes that the form may have."""
        if not self.by_context:
            return self.plain
        return self.plain.union(name for _, name in self.by_context)

    @cached_property
    def words_beside(self) -> frozenset[str] | None:
        """The words that its contexts name, None if these depend on the letters of any word."""
        contexts = [context for context, _ in self.by_context]
        if any(context.has_wildcards for context in contexts):
            return None
        return frozenset().union(*(context.words for context in contexts))

    def find(
        self, tokens: list[str], start: int, end: int, capital: bool, preceding: Sequence[str], token_index: int = 0
    ) -> "Match | None":
        """Make the match of the form at a token of the text, None if no context holds.

        The other arguments are those of `Context.holds`.
        """
        classes: set[str] = set()
        among_persons = True
        for context, name in self.by_context:
            if context.holds(tokens, start, end, capital, preceding):
                classes.add(name)
                among_persons &= context.among_persons
        if classes:
            return Match(self.spelled, frozenset(classes), self.layer, token_index, among_persons=among_persons)
        if self.plain:
            return Match(self.spelled, self.plain, self.layer, token_index)
        return None


# In a text about things, pronouns that may refer to things mostly do. They count if the text has this many other
# mentions of women and men for each of them.
LEAST_PERSONS = 1.2
# Fewer of these pronouns show nothing about the text.
FEWEST_PRONOUNS = 4


@overload
def are_among_persons(others: int, pronouns: int) -> bool: ...
@overload
def are_among_persons(others: "np.ndarray", pronouns: "np.ndarray") -> "np.ndarray": ...
def are_among_persons(others: Any, pronouns: Any) -> Any:
    """Check whether texts have enough other mentions of women and men for their pronouns that may refer to things.

    Takes the numbers of one text, or arrays of those of several.
    """
    return (pronouns < FEWEST_PRONOUNS) | (others >= LEAST_PERSONS * pronouns)


def without_things(matches: Sequence[Match]) -> list[Match]:
    """Leave out the matches of a text that count only among persons, if it has too few other mentions of them."""
    others = [match for match in matches if not match.among_persons]
    pronouns = len(matches) - len(others)
    if not pronouns:
        return others
    women_and_men = sum(match.classes in _ONE_GENDER for match in others)
    if are_among_persons(women_and_men, pronouns):
        return list(matches)
    return others


def _prefixes_of(forms: Iterable[str]) -> frozenset[str]:
    prefixes: set[str] = set()
    for form in forms:
        for end in range(len(form), 0, -1):
            prefix = form[:end]
            if prefix in prefixes:
                # Then all shorter ones are known, too. Inflected forms share most of them.
                break
            prefixes.add(prefix)
    return frozenset(prefixes)


_CLASS_ALONE = {name: frozenset({name}) for name in CLASSES}
_ONE_GENDER = tuple(frozenset({gender}) for gender in GENDERS)


class TermMatcher:
    """The terms of some layers, prepared for matching in texts that are folded in the same way."""

    def __init__(
        self,
        terms: Iterable[Term],
        layers: Iterable[str] = ("nouns",),
        folding: Folding = NO_FOLDING,
        name_rules: NameRules = NO_NAME_RULES,
    ) -> None:
        self.layers = tuple(layers)
        self.folding = folding
        self.name_rules = name_rules
        self.rules: dict[str, FormRules] = {}
        patterns: list[str] = []
        hiding: list[str] = []
        self._pair_langs: list[str] = []
        terms = list(terms)
        folded = folding.fold_all(term.form for term in terms)
        for term, form in zip(terms, folded, strict=True):
            if not self._counts(term):
                continue
            if term.gender_class == PAIRED:
                self._pair_langs.append(term.form[1:-1])
            elif term.gender_class == HIDDEN:
                hiding.append(term.form[1:-1])
            elif is_pattern(term.form):
                patterns.append(f"(?:{term.form[1:-1]})")
            else:
                self._add(term, form)
        self.prefixes = _prefixes_of(self.rules)
        hiding = _merge(hiding)
        self.patterns = (*patterns, *hiding)
        self._pattern = re.compile("|".join(patterns)) if patterns else None
        self._hiding = re.compile("|".join(hiding)) if hiding else None

    def _counts(self, term: Term) -> bool:
        """Check whether a term plays a part in counting.

        A layer that is not counted does not hide other matches. The exception is a pair of both genders (*Bürgerinnen
        und Bürger*), in which the masculine refers to men.
        """
        if term.layer in self.layers:
            return True
        if "nouns" not in self.layers or term.gender_class == HIDDEN:
            return False
        is_phrase = " " in term.form and is_pattern(term.form)
        return is_phrase or term.gender_class == PAIRED

    def _add(self, term: Term, folded: str) -> None:
        rules = self.rules.get(folded)
        if rules is None:
            rules = self.rules[folded] = FormRules(term.form, term.layer)
        context = read_context(term.context, self.folding) if term.context else None
        if context is None:
            alone = _CLASS_ALONE[term.gender_class]
            rules.plain = rules.plain | alone if rules.plain else alone
        else:
            rules.by_context.append((context, term.gender_class))
            rules.needs_case |= context.capitalised is not None
            rules.needs_sentence |= context.needs_sentence
            rules.needs_letters |= context.has_wildcards

    @property
    def contexts(self) -> set[Context]:
        """The contexts of all forms."""
        contexts: set[Context] = set()
        for rules in self.rules.values():
            contexts.update(context for context, _ in rules.by_context)
        return contexts

    def match(self, sentences: list[list[str]], text: str) -> list[Match]:
        """Find the terms in a folded `text`, split into `sentences` of lower-cased tokens.

        Forms cover whole tokens, longest first, without overlap. A form may be several tokens if the text has its
        letters and spaces. A match of a regular expression (`Leser*innen`), or a splitting form, covers all its tokens.
        """
        spans = self.find_patterns(text)
        if not spans and all(map(self.prefixes.isdisjoint, sentences)):
            return []
        return self.match_part(sentences, Layout(text, sentences), spans)

    def find_patterns(self, text: str) -> list[Span]:
        """Find the spans of the regular expressions and of splitting forms."""
        spans: list[Span] = []
        if self._pattern:
            spans = [match.span() for match in self._pattern.finditer(text)]
        splits = list(self.find_splits(text))
        if not splits:
            return spans
        # Both may find the same form, and one of them perhaps only part of it.
        return _join_overlapping([*spans, *splits])

    def find_splits(self, text: str) -> Iterator[Span]:
        """Find the spans of splitting forms, none of which contains a space, and of pairs."""
        if "inclusive" in self.layers:
            yield from self.splitting.find(text)
        if self.pairs:
            yield from self.pairs.find(text)

    @cached_property
    def pairs(self) -> PairForms | None:
        """The pairs of the nouns; None if there is no term that tells how the language joins them."""
        words = read_pair_words(self._pair_langs[0]) if self._pair_langs else None
        if words is None:
            return None
        classes: dict[str, frozenset[str]] = {}
        for form, rules in self.rules.items():
            if rules.layer == "nouns":
                classes[form] = rules.classes
        if not classes:
            return None
        return PairForms(classes, words.folded(self.folding))

    @cached_property
    def splitting(self) -> SplittingForms:
        """The splitting forms of the terms, which only the layer `inclusive` counts."""
        genders: dict[str, frozenset[str]] = {}
        titles: set[str] = set()
        for form, rules in self.rules.items():
            its_genders = rules.classes.intersection(GENDERS)
            if not its_genders or rules.layer not in ("nouns", "pronouns", "titles"):
                continue
            genders[form] = its_genders
            if rules.layer == "titles":
                titles.add(form)
        return SplittingForms(genders, frozenset(titles))

    def match_part(
        self, sentences: list[list[str]], layout: "Layout", spans: list[Span], first: int = 0, kept: range | None = None
    ) -> list[Match]:
        """Find the matches that begin at a token in `kept`, in a part of a text that begins with token `first`."""
        counts_inclusive = "inclusive" in self.layers
        hidden = layout.tokens_in(spans) if counts_inclusive else set()
        if self._hiding:
            hiding = [match.span() for match in self._hiding.finditer(layout.text)]
            hidden |= layout.tokens_in(hiding)
        matches: list[Match] = []
        before = 0
        for tokens in sentences:
            matches += self._match(tokens, before, layout, hidden)
            before += len(tokens)
        if first:
            matches = [match._replace(start=first + match.start) for match in matches]
        if kept is not None:
            matches = [match for match in matches if match.start in kept]
        if not spans:
            return matches
        if not counts_inclusive:
            return _with_both(matches, layout, spans, first)
        for span in spans:
            matches.append(_match_inclusive(span, layout, first))
        matches.sort(key=lambda match: match.start)
        return matches

    def _match(self, tokens: list[str], first: int, layout: "Layout", hidden: set[int]) -> Iterator[Match]:
        """List the matches in a sentence that begins with token `first`, in their order."""
        candidates: dict[_FormSpan, Match] = {}
        for span in self._forms_in(tokens):
            start, end, form = span
            token_index = first + start
            if hidden and not hidden.isdisjoint(range(token_index, first + end)):
                continue
            if end - start > 1 and not layout.has(form, token_index):
                continue
            rules = self.rules[form]
            capital = rules.needs_case and layout.is_capital(token_index)
            preceding = layout.before(token_index)
            match = rules.find(tokens, start, end, capital, preceding, token_index)
            if match:
                candidates[span] = match
        chosen = _choose_longest(candidates) if len(candidates) > 1 else candidates
        for span in chosen:
            yield candidates[span]

    def _forms_in(self, tokens: list[str]) -> Iterator["_FormSpan"]:
        """List the forms that tokens make up, which may overlap."""
        prefixes = self.prefixes
        last = len(tokens) - 1
        for start, token in enumerate(tokens):
            if token not in prefixes:
                continue
            following = tokens[start + 1] if start < last else ""
            # Most prefixes of a form, such as "a", are neither a form nor continued by the next token.
            goes_on = token + following in prefixes or f"{token} {following}" in prefixes
            if goes_on or token in self.rules:
                yield from self._forms_from(tokens, start)

    def _forms_from(self, tokens: list[str], start: int) -> Iterator["_FormSpan"]:
        partial = [tokens[start]]
        end = start + 1
        while partial:
            for form in partial:
                if form in self.rules:
                    yield _FormSpan(start, end, form)
            if end == len(tokens):
                return
            partial = self._continue(partial, tokens[end])
            end += 1

    def _continue(self, partial: list[str], token: str) -> list[str]:
        """Add a token to the beginnings of forms, with and without a space, and keep those with which a form begins."""
        continued: list[str] = []
        for form in partial:
            for longer in (form + token, f"{form} {token}"):
                if longer in self.prefixes:
                    continued.append(longer)
        return continued


class _FormSpan(NamedTuple):
    """A form in a sentence: the index of its first token, and after its last one."""

    start: int
    end: int
    form: str


def _join_overlapping(spans: list[Span]) -> list[Span]:
    """Join the spans that overlap, and sort them."""
    joined: list[Span] = []
    joined_end = 0
    for start, end in sorted(spans):
        if joined and start < joined_end:
            joined_end = max(end, joined_end)
            joined[-1] = joined[-1][0], joined_end
        else:
            joined_end = end
            joined.append((start, end))
    return joined


def _merge(patterns: list[str]) -> list[str]:
    """Merge the expressions that begin with the same word, so that it is compared once for all of them."""
    endings: dict[str, list[str]] = {}
    for pattern in patterns:
        head, space, rest = pattern.removesuffix(")").partition(" ")
        unclosed = head.count("(") - head.count(")")
        is_one_group = pattern.startswith("(?i:") and unclosed == 1
        if space and is_one_group:
            rests = endings.setdefault(head, [])
            rests.append(rest)
        else:
            endings[f"(?:{pattern}"] = []
    merged: list[str] = []
    for head, rests in endings.items():
        if rests:
            alternatives = "|".join(rests)
            merged.append(f"{head} (?:{alternatives}))")
        else:
            merged.append(f"{head})")
    return merged


def _match_inclusive(span: Span, layout: "Layout", first: int) -> Match:
    """Make the match of an inclusive form or pair, in a part of a text that begins with token `first`."""
    form = layout.text[slice(*span)].lower()
    tokens = layout.tokens_in([span])
    start = first + min(tokens) if tokens else 0
    return Match(form, frozenset({"unspecified"}), "inclusive", start)


def _with_both(matches: list[Match], layout: "Layout", spans: list[Span], first: int) -> list[Match]:
    """Count one noun of each pair as masculine if the other one, and only that, is a feminine match."""
    by_token = {match.start: match for match in matches}
    for span in spans:
        tokens = layout.tokens_in([span])
        if not tokens:
            continue
        first_noun = first + min(tokens)
        last_noun = first + max(tokens)
        feminine = [noun for noun in {first_noun, last_noun} if _is_feminine(by_token.get(noun))]
        if len(feminine) != 1:
            continue
        other = last_noun if feminine[0] == first_noun else first_noun
        match = by_token.get(other)
        if match is None:
            match = Match(layout.tokens[other - first], frozenset(), "nouns", other)
        by_token[other] = match._replace(classes=frozenset({"masculine"}))
    return [by_token[token] for token in sorted(by_token)]


def _is_feminine(match: Match | None) -> bool:
    return match is not None and match.classes == {"feminine"}


def _choose_longest(candidates: Iterable[_FormSpan]) -> list[_FormSpan]:
    """Choose forms that do not overlap, the longest first, and sort them by their position."""
    chosen: list[_FormSpan] = []
    taken: set[int] = set()
    for candidate in sorted(candidates, key=_rank_by_length):
        span = range(candidate.start, candidate.end)
        if taken.isdisjoint(span):
            taken.update(span)
            chosen.append(candidate)
    return sorted(chosen)


def _rank_by_length(candidate: _FormSpan) -> tuple[int, int, int]:
    tokens = candidate.end - candidate.start
    letters = len(candidate.form)
    return -tokens, -letters, candidate.start


class Layout:
    """The positions of the tokens in a text, computed at the first access."""

    def __init__(self, text: str, sentences: list[list[str]]) -> None:
        self.text = text
        self._sentences = sentences

    def has(self, form: str, token_index: int) -> bool:
        """Check whether the text has a form's letters from a token on, including the spaces between them."""
        start = self.places[token_index]
        if start < 0:
            return False
        if self.text[start : start + len(form)].lower() == form:
            return True
        words = r"\s+".join(map(re.escape, form.split()))
        return re.compile(words, re.IGNORECASE).match(self.text, start) is not None

    @cached_property
    def places(self) -> list[int]:
        """The position of each token in the text; -1 for a token that the tokenizer changed."""
        lowered = self.text.lower()
        places = self._places_in(lowered)
        if len(lowered) == len(self.text):
            return places
        # Lower-casing turns some capitals (İ) into two letters, so positions have to be mapped back.
        lengths = (len(letter.lower()) for letter in self.text)
        starts = accumulate(lengths, initial=0)
        places_before = {start: index for index, start in enumerate(starts)}
        return [places_before.get(place, -1) for place in places]

    def _places_in(self, lowered: str) -> list[int]:
        places: list[int] = []
        end = 0
        reach = NEAR
        for token in self.tokens:
            while lowered[end : end + 1].isspace():
                end += 1
            # A changed token may also occur later, unchanged, in another word, so the search is limited.
            start = lowered.find(token, end, end + len(token) + reach)
            places.append(start)
            if start < 0:
                reach += 2 * len(token)
            else:
                end = start + len(token)
                reach = NEAR
        return places

    def is_capital(self, token_index: int) -> bool:
        """Check whether a token has a capital letter: at its beginning or after a prefix (Zulu *uDonald*)."""
        start = self.places[token_index]
        if start < 0:
            return False
        end = start + len(self.tokens[token_index])
        return any(map(str.isupper, self.text[start:end]))

    def before(self, token_index: int) -> list[str]:
        """List the two tokens before a token, or as many as there are."""
        return self.tokens[max(0, token_index - 2) : token_index]

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens of all sentences."""
        return list(chain.from_iterable(self._sentences))

    def tokens_in(self, spans: list[Span]) -> set[int]:
        """Find the indexes of the tokens that overlap one of the spans."""
        indexes: set[int] = set()
        for start, end in spans:
            first = bisect_left(self._starts, start)
            stop = bisect_left(self._starts, end)
            # The tokenizer may not separate the word from the letters before it (l'étudiant·e).
            while first and self._end_of_placed(first - 1) > start:
                first -= 1
            indexes.update(self._placed[first:stop])
        return indexes

    @cached_property
    def _placed(self) -> list[int]:
        """The indexes of the tokens that have a position, in ascending order."""
        return [index for index, place in enumerate(self.places) if place >= 0]

    @cached_property
    def _starts(self) -> list[int]:
        """The positions of these tokens."""
        return [self.places[index] for index in self._placed]

    def _end_of_placed(self, index: int) -> int:
        """The end of the token with this index in `_placed`."""
        token = self.tokens[self._placed[index]]
        return self._starts[index] + len(token)
