"""Find pairs that name both genders by two words of one stem (*Bürgerinnen und Bürger*, *les étudiants et étudiantes*).

One word is a form of the lexicon, and the other is a form of the other gender, or of any gender, that shares its stem.
Such a pair means people of any gender. Words of different stems (*women and men*), and single persons of both genders
(*the prince and the princess*), stay two mentions. `resources/lexicons/pairs.tsv` has the words of each language.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import Path

import regex

from textparity.files import read_tsv
from textparity.folding import Folding

PAIRS = Path(__file__).parents[1] / "resources" / "lexicons" / "pairs.tsv"
COLUMNS = ("lang", "kind", "words", "note")
# Words that join the two (`and`, `or`), conjunctions that are written to the second one, words that may stand before
# it, endings of feminine plurals, and pairs of a feminine and a masculine ending.
KINDS = ("and", "or", "joined", "before", "plural", "endings")
# At most this many words stand between the conjunction and the second noun (*toutes les … et tous les …*).
MOST_BEFORE = 3
# A pair within a text has at most this many spaces.
REACH = MOST_BEFORE + 2
# The stem that two forms share has at least this many letters, and this share of the shorter form; a shorter stem needs
# a larger share. What follows it has at most this many letters.
_LEAST_STEM, _LEAST_SHARE, _SHORT_STEM, _SHORT_SHARE = 4, 0.5, 3, 0.6
_LONGEST_ENDING = 6
# With known endings, a stem may be shorter.
_LEAST_WITH_ENDINGS = 1
_FEMININE, _MASCULINE = "feminine", "masculine"
SLASHES = ("/", "⁄", "∕")
_WORD = r"[\p{L}\p{M}\u200c]"
# An expression that nothing matches.
_NEVER = "(?!)"
_NO_CLASS: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PairWords:
    """How a language joins two words to a pair. `endings` are pairs of a feminine and a masculine one."""

    conjunctions: tuple[str, ...]
    alternatives: tuple[str, ...]
    before: tuple[str, ...]
    joined: tuple[str, ...]
    plural: tuple[str, ...]
    endings: tuple[tuple[str, str], ...]

    def folded(self, folding: Folding) -> "PairWords":
        """Fold all words and endings."""
        fold = folding.fold
        endings = [(fold(feminine), fold(masculine)) for feminine, masculine in self.endings]
        return PairWords(
            conjunctions=tuple(map(fold, self.conjunctions)),
            alternatives=tuple(map(fold, self.alternatives)),
            before=tuple(map(fold, self.before)),
            joined=tuple(map(fold, self.joined)),
            plural=tuple(map(fold, self.plural)),
            endings=tuple(endings),
        )


@cache
def read_pair_words(lang: str) -> PairWords | None:
    """Read the words of a language; None if it has no conjunctions in the table. `_` stands for a space."""
    words: dict[str, tuple[str, ...]] = dict.fromkeys(KINDS, ())
    for row in read_tsv(PAIRS, COLUMNS, allowed={"kind": KINDS}):
        if row["lang"] == lang:
            its_words = [word.replace("_", " ") for word in row["words"].split()]
            words[row["kind"]] = tuple(its_words)
    if not words["and"]:
        return None
    endings = []
    for cell in words["endings"]:
        feminine, _, masculine = cell.partition(":")
        endings.append((feminine, masculine))
    return PairWords(
        conjunctions=words["and"],
        alternatives=words["or"],
        before=words["before"],
        joined=words["joined"],
        plural=words["plural"],
        endings=tuple(endings),
    )


class PairForms:
    """Find pairs among forms with their `classes`; `words` are those of the language."""

    def __init__(self, classes: Mapping[str, frozenset[str]], words: PairWords) -> None:
        """Create a finder; forms and words are folded like the texts."""
        self.classes = classes
        self._words = words
        # The words that may follow the first noun.
        self.joining = frozenset(_words_in([*words.conjunctions, *words.alternatives]))
        self._letters = regex.compile(rf"{_WORD}++").findall

    @cached_property
    def _pair(self) -> "regex.Pattern[str]":
        words = self._words
        conjunctions = _alternation(words.conjunctions)
        alternatives = _alternation(words.alternatives) or _NEVER
        joined = _alternation(words.joined) or _NEVER
        before = self._before_pattern()
        slashes = "".join(SLASHES)
        conjoined = rf",? (?:{conjunctions}|(?P<or>{alternatives})) (?:{before}){{0,{MOST_BEFORE}}}+"
        slashed = rf"(?P<slash> ?[{slashes}] ?-?)(?:{before})?"
        return regex.compile(
            rf"(?<!{_WORD})(?P<first>{_WORD}{{2,}}+)"
            rf"(?=(?:{conjoined}|{slashed}| (?P<joined>{joined}))(?P<second>{_WORD}{{2,}}+))",
            regex.IGNORECASE,
        )

    def _before_pattern(self) -> str:
        """Write the expression for a word that may stand before the second noun, with the space after it."""
        spaced: list[str] = []
        elided: list[str] = []
        for word in self._words.before:
            if word.endswith("'"):
                elided.append(regex.escape(word[:-1]))
            else:
                spaced.append(word)
        patterns = [f"{word} " for word in _escaped(spaced)]
        patterns += [f"{word}['’]" for word in elided]
        return "|".join(patterns) or _NEVER

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Find the pairs in a folded text, each as start and end, from the first noun to the second."""
        end = 0
        for match in self._pair.finditer(text):
            if match.start() < end:
                continue
            first = match["first"].lower()
            if first not in self.nouns:
                continue
            seconds = [match["second"].lower()]
            joined = match["joined"]
            if joined:
                # In Arabic, the lexicon has forms with the conjunction as well.
                seconds.append(joined + seconds[0])
            is_either = bool(match["or"] or match["slash"])
            if any(self._are_pair(first, word, is_either) for word in seconds):
                end = match.end("second")
                yield match.start(), end

    def goes_on(self, text: str) -> bool:
        """Check whether a pair begins in the first piece of a text."""
        first_piece = text.partition(" ")[0]
        opens, _ = self.roles(first_piece)
        return opens and next(self.find(text), None) is not None

    def roles(self, piece: str) -> tuple[bool, bool]:
        """Check whether a piece may end in the first word of a pair, and whether it may begin with a later one."""
        small = piece.lower()
        words = [small] if piece.isalpha() else self._letters(small)
        # A slash may stand between the two nouns, with or without spaces.
        has_slash = piece.startswith(SLASHES)
        if not words:
            return False, has_slash
        first = words[0]
        last = words[-1]
        opens = last in self.nouns
        is_joined = first in self.joining or first.startswith(self._words.joined)
        return opens, is_joined or first in self.nouns or has_slash

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The words that may be part of a pair: forms of the lexicon, and what their endings make of them."""
        # Most forms end in none of the endings, and there are thousands of them.
        endings = tuple(self._counterparts)
        nouns = set(self.classes)
        for form in self.classes:
            if form.endswith(endings):
                nouns.update(self._others(form))
        return frozenset(nouns)

    @property
    def known_nouns(self) -> frozenset[str]:
        """The words that may be part of a pair, also with a conjunction that is written to them."""
        with_conjunction = [word + noun for word, noun in product(self._words.joined, self.nouns)]
        return self.nouns.union(with_conjunction)

    @property
    def words_between(self) -> frozenset[str]:
        """The words that may stand between the two nouns of a pair."""
        return self.joining.union(_words_in(self._words.before))

    @cached_property
    def _counterparts(self) -> dict[str, list[str]]:
        """For each ending of either gender, those of the other one."""
        counterparts: dict[str, list[str]] = defaultdict(list)
        for feminine, masculine in self._words.endings:
            counterparts[feminine].append(masculine)
            counterparts[masculine].append(feminine)
        return counterparts

    def _others(self, word: str) -> Iterator[str]:
        """List what the form of the other gender may be by the endings."""
        for ending, other_endings in self._counterparts.items():
            if not word.endswith(ending):
                continue
            length = len(word) - len(ending)
            if length >= _LEAST_WITH_ENDINGS:
                stem = word[:length]
                for other in other_endings:
                    yield stem + other

    def _are_pair(self, first: str, second: str, is_either: bool) -> bool:
        return self._is_pair(first, second, is_either) or self._is_pair(second, first, is_either)

    def _is_pair(self, feminine: str, masculine: str, is_either: bool) -> bool:
        """Check whether two words are the feminine and the masculine, or generic, form of one noun.

        `is_either`: "or" joins them. With "and", two of the singular are two persons.
        """
        of_feminine = self.classes.get(feminine, _NO_CLASS)
        of_masculine = self.classes.get(masculine, _NO_CLASS)
        if feminine == masculine:
            # Only the articles differ (*els alumnes i les alumnes*).
            return _FEMININE in of_feminine and len(of_feminine) > 1
        if _FEMININE in of_masculine or (of_feminine and _FEMININE not in of_feminine):
            return False
        if not of_feminine and not of_masculine:
            return False
        if _MASCULINE in of_masculine and not is_either and not feminine.endswith(self._words.plural):
            return False
        if of_feminine and of_masculine and _share_stem(feminine, masculine):
            return True
        return self._have_endings(feminine, masculine)

    def _have_endings(self, feminine: str, masculine: str) -> bool:
        for ending, other in self._words.endings:
            stem = feminine.removesuffix(ending)
            is_long_enough = len(stem) >= _LEAST_WITH_ENDINGS
            if is_long_enough and stem != feminine and stem + other == masculine:
                return True
        return False


def _words_in(phrases: Iterable[str]) -> list[str]:
    """List the words of all phrases."""
    return regex.findall(rf"{_WORD}+", " ".join(phrases))


def _escaped(words: Iterable[str]) -> list[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return [regex.escape(word, literal_spaces=True) for word in longest_first]


def _alternation(words: Iterable[str]) -> str:
    return "|".join(_escaped(words))


def _share_stem(first: str, second: str) -> bool:
    """Check whether two forms begin with a common stem that is long enough."""
    shared = _count_shared(first, second)
    shorter = min(len(first), len(second))
    longer = max(len(first), len(second))
    if longer - shared > _LONGEST_ENDING:
        return False
    if shared >= _LEAST_STEM and shared >= _LEAST_SHARE * shorter:
        return True
    return shared >= _SHORT_STEM and shared >= _SHORT_SHARE * shorter


def _count_shared(first: str, second: str) -> int:
    """Count the letters with which both words begin."""
    shared = 0
    for letter, other in zip(first, second, strict=False):
        if letter != other:
            break
        shared += 1
    return shared
