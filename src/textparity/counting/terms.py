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
        self.genders, self._titles = genders, titles

    @cached_property
    def _stems(self) -> dict[str, frozenset[str]]:
        stems: dict[str, frozenset[str]] = {}
        for form, genders in self.genders.items():
            for end in range(1, min(_LONGEST_ENDING, len(form) - _SHORTEST_STEM) + 1):
                stems[form[:-end]] = stems.get(form[:-end], _NONE) | genders
        return stems

    def find(self, text: str) -> Iterator[Span]:
        """Find the splitting forms of a folded text, each as start and end."""
        for match in _SPLIT.finditer(text):
            before = _BEFORE.search(text, max(0, match.start() - 31), match.start())
            left = before["left"] if before else ""
            group = "ending" if match["inner"] is None else "inner"
            if not left and group == "ending":
                continue
            for start, tail in self._bounds(left, match):
                parts = (left[start:].lower(), match[group].lower(), tail.lower())
                if self._names_both(*parts, is_stop=match["sign"] == _STOP):
                    begin = before.start() + start if before else match.start()
                    # The closing bracket belongs to the form.
                    yield begin, match.end() if tail else match.end(group) + (group == "inner")
                    break

    @staticmethod
    def _bounds(left: str, match: "regex.Match[str]") -> Iterator[tuple[int, str]]:
        """List where the word may begin in the letters before the sign, each with the ending that it may have."""
        tail = (match["rest"] if match["inner"] else match["tail"]) or ""
        yield 0, tail
        if _NO_SPACES.search(left):
            yield from ((start, "") for start in range(len(left)))
        elif match["tail"]:
            yield 0, ""

    def _names_both(self, left: str, ending: str, tail: str, is_stop: bool) -> bool:
        genders = self.genders
        of_left = genders.get(left + tail, _NONE) | genders.get(left, _NONE)
        if is_stop and (left in self._titles or not of_left):
            return False
        whole = genders.get(left + ending + tail, _NONE)
        # A stem (*Kolleg(in)*) may have both genders, a whole word (*girl(s)*) has one.
        beside = of_left or genders.get(ending + tail) or self._stems.get(left, _NONE)
        if whole and beside and whole != beside:
            return True
        shortest = max(_LEAST_SHARED, len(left) - MOST_REPLACED)
        wholes = (genders.get(left[:kept] + ending + tail) for kept in range(len(left) - 1, shortest - 1, -1))
        return bool(of_left) and any(whole and whole != of_left for whole in wholes)


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
    `among_persons` counts only if the text has enough other persons (`are_among_persons`).
    """

    form: str
    classes: frozenset[str]
    layer: str = "nouns"
    start: int = 0
    learned: str = ""
    among_persons: bool = False


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
        words = [folding.fold(word.lower()) for word in words]
        self.whole = frozenset(word for word in words if "*" not in word)
        self._starts = tuple(word[:-1] for word in words if word.endswith("*"))
        self._ends = tuple(word[1:] for word in words if word.startswith("*"))
        # A hyphen does not end a sentence. Other signs may stand where one ends, as may `^` and `$`.
        self.has_signs = any(word != "-" and not any(map(str.isalnum, word)) for word in self.whole)
        self.has_wildcards = bool(self._starts or self._ends)

    def __contains__(self, token: str) -> bool:
        if token in self.whole:
            return True
        return self.has_wildcards and (token.startswith(self._starts) or token.endswith(self._ends))


@dataclass(frozen=True)
class Context:
    """The conditions around a form under which it counts; see `read_context`."""

    before: tuple[tuple[Words, bool], ...] = ()
    after: tuple[tuple[Words, bool], ...] = ()
    capitalised: bool | None = None
    among_persons: bool = False

    @cached_property
    def needs_sentence(self) -> bool:
        """Whether the context depends on where the sentence begins or ends, or on a sign that may stand there."""
        return any(words.has_signs for words, _ in (*self.before, *self.after))

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that it names, without those with a wildcard."""
        return frozenset(chain.from_iterable(words.whole for words, _ in (*self.before, *self.after)))

    @cached_property
    def has_wildcards(self) -> bool:
        """Whether it depends on the letters of any word."""
        return any(words.has_wildcards for words, _ in (*self.before, *self.after))

    def holds(self, tokens: list[str], start: int, end: int, capital: bool, in_text: Sequence[str] = ()) -> bool:
        """Check the context of `tokens[start:end]` of a sentence. `capital`: the first token begins with a capital.

        `in_text` has at least the last two tokens before it in the text, because ICU ends a sentence after *St.*
        """
        if self.capitalised is not None and self.capitalised != capital:
            return False
        following = tokens[end] if end < len(tokens) else END
        preceding = [tokens[start - 1] if start else START]
        if len(in_text) > 1 and in_text[-1] == ".":
            preceding.append(f"{in_text[-2]}.")
        for words, wanted in self.before:
            if (following in words) is not wanted:
                return False
        return all(any(word in words for word in preceding) is wanted for words, wanted in self.after)


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
    before: list[tuple[Words, bool]] = []
    after: list[tuple[Words, bool]] = []
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
        elif kind in ("before", "after") and words:
            (before if kind == "before" else after).append((Words(words, folding), wanted))
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
        self, tokens: list[str], start: int, end: int, capital: bool, preceding: Sequence[str], place: int = 0
    ) -> "Match | None":
        """Make the match of the form at token `place` of the text, None if no context holds.

        The other arguments are those of `Context.holds`.
        """
        classes: set[str] = set()
        among_persons = True
        for context, name in self.by_context:
            if context.holds(tokens, start, end, capital, preceding):
                classes.add(name)
                among_persons &= context.among_persons
        if classes:
            return Match(self.spelled, frozenset(classes), self.layer, place, among_persons=among_persons)
        return Match(self.spelled, self.plain, self.layer, place) if self.plain else None


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
    pronouns = sum(match.among_persons for match in matches)
    others = sum(not match.among_persons and match.classes in _ONE_GENDER for match in matches)
    if not pronouns or are_among_persons(others, pronouns):
        return list(matches)
    return [match for match in matches if not match.among_persons]


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
        self.layers, self.folding, self.name_rules = tuple(layers), folding, name_rules
        self.rules: dict[str, FormRules] = {}
        patterns: list[str] = []
        hiding: list[str] = []
        self._pair_langs: list[str] = []
        terms = list(terms)
        folded = folding.fold_all(term.form for term in terms)
        for term, form in zip(terms, folded, strict=True):
            is_counted = term.layer in self.layers
            if term.gender_class == PAIRED:
                self._pair_langs += [term.form[1:-1]] if is_counted or "nouns" in self.layers else []
            elif term.gender_class == HIDDEN:
                hiding += [term.form[1:-1]] if is_counted else []
            elif is_pattern(term.form):
                # A layer that is not counted does not hide other matches. The exception is a pair of both genders
                # (Bürgerinnen und Bürger), in which the masculine refers to men.
                if is_counted or (" " in term.form and "nouns" in self.layers):
                    patterns.append(f"(?:{term.form[1:-1]})")
            elif is_counted:
                self._add(term, form)
        self.prefixes = _prefixes_of(self.rules)
        hiding = _merge(hiding)
        self.patterns = (*patterns, *hiding)
        self._pattern = re.compile("|".join(patterns)) if patterns else None
        self._hiding = re.compile("|".join(hiding)) if hiding else None

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
        return {context for rules in self.rules.values() for context, _ in rules.by_context}

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
        spans = [found.span() for found in self._pattern.finditer(text)] if self._pattern else []
        splits = list(self.find_splits(text))
        if not splits:
            return spans
        # Both may find the same form, and one of them perhaps only part of it.
        joined = [(0, 0)]
        for start, end in sorted([*spans, *splits]):
            if start < joined[-1][1]:
                joined[-1] = joined[-1][0], max(end, joined[-1][1])
            else:
                joined.append((start, end))
        return joined[1:]

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
        classes: dict[str, frozenset[str]] = {}
        for form, rules in self.rules.items():
            if rules.layer == "nouns":
                classes[form] = rules.classes
        return PairForms(classes, words.folded(self.folding)) if words and classes else None

    @cached_property
    def splitting(self) -> SplittingForms:
        """The splitting forms of the terms, which only the layer `inclusive` counts."""
        genders: dict[str, frozenset[str]] = {}
        titles: set[str] = set()
        for form, rules in self.rules.items():
            its = rules.classes.intersection(GENDERS)
            if its and rules.layer in ("nouns", "pronouns", "titles"):
                genders[form] = its
                titles |= {form} if rules.layer == "titles" else set()
        return SplittingForms(genders, frozenset(titles))

    def match_part(
        self, sentences: list[list[str]], layout: "Layout", spans: list[Span], first: int = 0, kept: range | None = None
    ) -> list[Match]:
        """Find the matches that begin at a token in `kept`, in a part of a text that begins with token `first`."""
        is_counted = "inclusive" in self.layers
        hidden = layout.tokens_in(spans) if is_counted else set()
        if self._hiding:
            hidden |= layout.tokens_in([found.span() for found in self._hiding.finditer(layout.text)])
        matches: list[Match] = []
        before = 0
        for tokens in sentences:
            matches += self._match(tokens, before, layout, hidden)
            before += len(tokens)
        if first:
            matches = [match._replace(start=first + match.start) for match in matches]
        if kept is not None:
            matches = [match for match in matches if match.start in kept]
        if not is_counted:
            return _with_both(matches, layout, spans, first) if spans else matches
        if spans:
            for span in spans:
                start = first + min(layout.tokens_in([span]), default=-first)
                matches.append(Match(layout.text[slice(*span)].lower(), frozenset({"unspecified"}), "inclusive", start))
            matches.sort(key=lambda match: match.start)
        return matches

    def _match(self, tokens: list[str], first: int, layout: "Layout", hidden: set[int]) -> Iterator[Match]:
        found: dict[tuple[int, int, str], Match] = {}
        prefixes, rules_of, last = self.prefixes, self.rules, len(tokens) - 1
        for start in [number for number, token in enumerate(tokens) if token in prefixes]:
            token, following = tokens[start], tokens[start + 1] if start < last else ""
            # Most prefixes of a form, such as "a", are neither a form nor continued by the next token.
            if token not in rules_of and token + following not in prefixes and f"{token} {following}" not in prefixes:
                continue
            for end, form in self._forms_from(tokens, start):
                if hidden and not hidden.isdisjoint(range(first + start, first + end)):
                    continue
                if end - start > 1 and not layout.has(form, first + start):
                    continue
                rules = self.rules[form]
                capital = rules.needs_case and layout.is_capital(first + start)
                match = rules.find(tokens, start, end, capital, layout.before(first + start), first + start)
                if match:
                    found[start, end, form] = match
        for span in _longest_first(found) if len(found) > 1 else found:
            yield found[span]

    def _forms_from(self, tokens: list[str], start: int) -> Iterator[tuple[int, str]]:
        partial, end = [tokens[start]], start + 1
        while partial:
            yield from ((end, form) for form in partial if form in self.rules)
            if end == len(tokens):
                return
            token = tokens[end]
            partial = [
                longer for form in partial for longer in (form + token, f"{form} {token}") if longer in self.prefixes
            ]
            end += 1


def _merge(patterns: list[str]) -> list[str]:
    """Merge the expressions that begin with the same word, so that it is compared once for all of them."""
    endings: dict[str, list[str]] = {}
    for pattern in patterns:
        head, space, rest = pattern.removesuffix(")").partition(" ")
        is_one_group = pattern.startswith("(?i:") and head.count("(") == head.count(")") + 1
        if space and is_one_group:
            endings.setdefault(head, []).append(rest)
        else:
            endings[f"(?:{pattern}"] = []
    return [f"{head} (?:{'|'.join(rests)}))" if rests else f"{head})" for head, rests in endings.items()]


def _with_both(matches: list[Match], layout: "Layout", spans: list[Span], first: int) -> list[Match]:
    """Count one noun of each pair as masculine if the other one, and only that, is a feminine match."""
    at = {match.start: match for match in matches}
    for span in spans:
        tokens = sorted(first + number for number in layout.tokens_in([span]))
        feminine = [place for place in {*tokens[:1], *tokens[-1:]} if place in at and at[place].classes == {"feminine"}]
        if len(feminine) == 1:
            other = tokens[-1] if feminine[0] == tokens[0] else tokens[0]
            found = at.get(other) or Match(layout.tokens[other - first], frozenset(), "nouns", other)
            at[other] = found._replace(classes=frozenset({"masculine"}))
    return [at[place] for place in sorted(at)]


def _longest_first(candidates: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    kept: list[tuple[int, int, str]] = []
    taken: set[int] = set()
    for candidate in sorted(candidates, key=lambda item: (item[0] - item[1], -len(item[2]), item[0])):
        span = range(candidate[0], candidate[1])
        if taken.isdisjoint(span):
            taken.update(span)
            kept.append(candidate)
    return sorted(kept)


class Layout:
    """The positions of the tokens in a text, computed at the first access."""

    def __init__(self, text: str, sentences: list[list[str]]) -> None:
        self.text, self._sentences = text, sentences

    def has(self, form: str, number: int) -> bool:
        """Check whether the text has a form's letters from token `number` on, including the spaces between them."""
        place = self.places[number]
        if place < 0:
            return False
        if self.text[place : place + len(form)].lower() == form:
            return True
        words = r"\s+".join(map(re.escape, form.split()))
        return re.compile(words, re.IGNORECASE).match(self.text, place) is not None

    @cached_property
    def places(self) -> list[int]:
        """The position of each token in the text; -1 for a token that the tokenizer changed."""
        text, end, reach, places = self.text.lower(), 0, NEAR, []
        for token in chain.from_iterable(self._sentences):
            while text[end : end + 1].isspace():
                end += 1
            # A changed token may also occur later, unchanged, in another word, so the search is limited.
            place = text.find(token, end, end + len(token) + reach)
            places.append(place)
            end, reach = (end, reach + 2 * len(token)) if place < 0 else (place + len(token), NEAR)
        if len(text) != len(self.text):
            # Lower-casing turns some capitals (İ) into two letters, so positions have to be mapped back.
            starts = accumulate((len(letter.lower()) for letter in self.text), initial=0)
            back = {place: index for index, place in enumerate(starts)}
            places = [back.get(place, -1) for place in places]
        return places

    def is_capital(self, number: int) -> bool:
        """Check whether token `number` has a capital letter: at its beginning or after a prefix (Zulu *uDonald*)."""
        place = self.places[number]
        length = len(self.tokens[number])
        return place >= 0 and any(map(str.isupper, self.text[place : place + length]))

    def before(self, number: int) -> list[str]:
        """List the two tokens before token `number`, or as many as there are."""
        return self.tokens[max(0, number - 2) : number]

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens of all sentences."""
        return list(chain.from_iterable(self._sentences))

    def tokens_in(self, spans: list[Span]) -> set[int]:
        """Find the numbers of the tokens that overlap one of the spans."""
        numbers: set[int] = set()
        for start, end in spans:
            first, stop = bisect_left(self._starts, start), bisect_left(self._starts, end)
            # The tokenizer may not separate the word from the letters before it (l'étudiant·e).
            while first and self._starts[first - 1] + len(self.tokens[self._placed[first - 1]]) > start:
                first -= 1
            numbers.update(self._placed[first:stop])
        return numbers

    @cached_property
    def _placed(self) -> list[int]:
        """The numbers of the tokens that have a position, in ascending order."""
        return [number for number, place in enumerate(self.places) if place >= 0]

    @cached_property
    def _starts(self) -> list[int]:
        return [self.places[number] for number in self._placed]
