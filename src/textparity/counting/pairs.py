"""Find pairs that name both genders by two words of one stem (*Bürgerinnen und Bürger*, *les étudiants et étudiantes*).

One word is a form of the lexicon, and the other is a form of the other gender, or of any gender, that shares its stem.
Such a pair means people of any gender. Words of different stems (*women and men*), and single persons of both genders
(*the prince and the princess*), stay two mentions. `resources/lexicons/pairs.tsv` has the words of each language.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, takewhile
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

        def fold(words: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(map(folding.fold, words))

        endings = ((folding.fold(one), folding.fold(other)) for one, other in self.endings)
        return PairWords(
            fold(self.conjunctions),
            fold(self.alternatives),
            fold(self.before),
            fold(self.joined),
            fold(self.plural),
            tuple(endings),
        )


@cache
def read_pair_words(lang: str) -> PairWords | None:
    """Read the words of a language; None if it has no conjunctions in the table. `_` stands for a space."""
    words: dict[str, tuple[str, ...]] = dict.fromkeys(KINDS, ())
    for row in read_tsv(PAIRS, COLUMNS, allowed={"kind": KINDS}):
        if row["lang"] == lang:
            words[row["kind"]] = tuple(word.replace("_", " ") for word in row["words"].split())
    if not words["and"]:
        return None
    endings = []
    for cell in words["endings"]:
        feminine, _, masculine = cell.partition(":")
        endings.append((feminine, masculine))
    return PairWords(words["and"], words["or"], words["before"], words["joined"], words["plural"], tuple(endings))


class PairForms:
    """Find pairs among forms with their `classes`; `words` are those of the language."""

    def __init__(self, classes: Mapping[str, frozenset[str]], words: PairWords) -> None:
        """Create a finder; forms and words are folded like the texts."""
        self.classes, self._words = classes, words
        joining = (*words.conjunctions, *words.alternatives)
        # The words that may follow the first noun.
        self.joining = frozenset(chain.from_iterable(map(_words_in, joining)))
        self._letters = regex.compile(rf"{_WORD}++").findall

    @cached_property
    def _pair(self) -> "regex.Pattern[str]":
        words = self._words
        conjunctions = "|".join(_escaped(words.conjunctions))
        alternatives = "|".join(_escaped(words.alternatives)) or "(?!)"
        spaced = [word for word in words.before if not word.endswith("'")]
        elided = [f"{regex.escape(word[:-1])}['’]" for word in words.before if word.endswith("'")]
        before = "|".join([*(f"{word} " for word in _escaped(spaced)), *elided]) or "(?!)"
        joined = "|".join(_escaped(words.joined)) or "(?!)"
        return regex.compile(
            rf"(?<!{_WORD})(?P<first>{_WORD}{{2,}}+)"
            rf"(?=(?:,? (?:{conjunctions}|(?P<or>{alternatives})) (?:{before}){{0,{MOST_BEFORE}}}+"
            rf"|(?P<slash> ?[{''.join(SLASHES)}] ?-?)(?:{before})?| (?P<joined>{joined}))"
            rf"(?P<second>{_WORD}{{2,}}+))",
            regex.IGNORECASE,
        )

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Find the pairs in a folded text, each as start and end, from the first noun to the second."""
        after = 0
        for found in self._pair.finditer(text):
            if found.start() < after:
                continue
            first = found["first"].lower()
            if first not in self.nouns:
                continue
            second = found["second"].lower()
            is_either = bool(found["or"] or found["slash"])
            # In Arabic, the lexicon has forms with the conjunction as well.
            seconds = [second, found["joined"] + second] if found["joined"] else [second]
            if any(self._are_pair(first, word, is_either) for word in seconds):
                after = found.end("second")
                yield found.start(), after

    def goes_on(self, text: str) -> bool:
        """Check whether a pair begins in the first piece of a text."""
        opens, _ = self.roles(text.partition(" ")[0])
        return opens and next(self.find(text), None) is not None

    def roles(self, piece: str) -> tuple[bool, bool]:
        """Check whether a piece may end in the first word of a pair, and whether it may begin with a later one."""
        found = [piece.lower()] if piece.isalpha() else self._letters(piece.lower())
        # A slash may stand between the two nouns, with or without spaces.
        has_slash = piece.startswith(SLASHES)
        if not found:
            return False, has_slash
        first = found[0]
        follows = first in self.nouns or first in self.joining or first.startswith(self._words.joined)
        return found[-1] in self.nouns, follows or has_slash

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The words that may be part of a pair: forms of the lexicon, and what their endings make of them."""
        # Most forms end in none of the endings, and there are thousands of them.
        endings = tuple(self._counterparts)
        others = chain.from_iterable(self._others(form) for form in self.classes if form.endswith(endings))
        return frozenset(chain(self.classes, others))

    @property
    def known_nouns(self) -> frozenset[str]:
        """The words that may be part of a pair, also with a conjunction that is written to them."""
        return self.nouns.union(word + noun for word in self._words.joined for noun in self.nouns)

    @property
    def words_between(self) -> frozenset[str]:
        """The words that may stand between the two nouns of a pair."""
        return self.joining.union(chain.from_iterable(map(_words_in, self._words.before)))

    @cached_property
    def _counterparts(self) -> dict[str, list[str]]:
        """For each ending of either gender, those of the other one."""
        counterparts: dict[str, list[str]] = {}
        for feminine, masculine in self._words.endings:
            counterparts.setdefault(feminine, []).append(masculine)
            counterparts.setdefault(masculine, []).append(feminine)
        return counterparts

    def _others(self, word: str) -> Iterator[str]:
        """List what the form of the other gender may be by the endings."""
        counterparts = self._counterparts
        for ending in counterparts:
            if word.endswith(ending) and len(word) >= len(ending) + _LEAST_WITH_ENDINGS:
                stem = word[: len(word) - len(ending)]
                yield from (stem + other for other in counterparts[ending])

    def _are_pair(self, one: str, other: str, is_either: bool) -> bool:
        return self._is_pair(one, other, is_either) or self._is_pair(other, one, is_either)

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
            if len(stem) >= _LEAST_WITH_ENDINGS and stem != feminine and stem + other == masculine:
                return True
        return False


def _words_in(joining: str) -> list[str]:
    return regex.findall(rf"{_WORD}+", joining)


def _escaped(words: tuple[str, ...] | list[str]) -> list[str]:
    return [regex.escape(word, literal_spaces=True) for word in sorted(words, key=len, reverse=True)]


def _share_stem(one: str, other: str) -> bool:
    same = takewhile(lambda letters: letters[0] == letters[1], zip(one, other, strict=False))
    stem = sum(1 for _ in same)
    shortest, longest = sorted((len(one), len(other)))
    if longest - stem > _LONGEST_ENDING:
        return False
    is_long = stem >= _LEAST_STEM and stem >= _LEAST_SHARE * shortest
    return is_long or (stem >= _SHORT_STEM and stem >= _SHORT_SHARE * shortest)
