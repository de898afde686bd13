"""The third column: split the matches of no specified gender by what their form shows of the persons."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from textparity.counting import GROUPS, INCLUSIVE, NEITHER, UNKNOWN, UNSPECIFIED
from textparity.counting.lemmas import PLURAL, forms_of, is_lemma_table, read_lemmas
from textparity.counting.lexicon import read_lexicon
from textparity.counting.terms import Match, fix_form
from textparity.files import read_tsv
from textparity.folding import NO_FOLDING, Folding

NEITHER_WORDS = Path(__file__).parents[1] / "resources" / "lexicons" / "neither_words.tsv"
_COLUMNS = ("lang", "kind", "word", "source")
# In place of a language: words of all of them.
_ALL_LANGUAGES = "*"


@cache
def read_neither_words(lang: str) -> dict[str, str]:
    """Read the words for persons who are called neither woman nor man, as `fix_form` returns them, with their kinds."""
    allowed = {"kind": ("person", "pronoun", "title")}
    rows = read_tsv(NEITHER_WORDS, _COLUMNS, allowed=allowed)
    return {fix_form(row["word"]): row["kind"] for row in rows if row["lang"] in (lang, _ALL_LANGUAGES)}


@dataclass(frozen=True)
class UnspecifiedForms:
    """The forms of no specified gender in one language: the words for `neither`, and the `plurals`, both folded."""

    neither: frozenset[str] = frozenset()
    plurals: frozenset[str] = frozenset()
    folding: Folding = NO_FOLDING
    _known: dict[Match, Match] = field(default_factory=dict)

    @classmethod
    def of(cls, lang: str, nouns: Path | None, table: Path | None, folding: Folding = NO_FOLDING) -> "UnspecifiedForms":
        """Read the forms of a lexicon, which is a list of nouns, a table of lemmas, or both."""
        neither = folding.fold_all(read_neither_words(lang))
        numbers = _numbers_of_forms(nouns, table)
        singulars: set[str] = set()
        plurals: set[str] = set()
        for form, folded in zip(numbers, folding.fold_all(numbers), strict=True):
            if numbers[form] == {PLURAL}:
                plurals.add(folded)
            else:
                singulars.add(folded)
        return cls(frozenset(neither), frozenset(plurals - singulars), folding)

    def split(self, matches: Iterable[Match]) -> list[Match]:
        """Say for each match of no specified gender what its form shows. Matches that show it already stay."""
        split = []
        for match in matches:
            if UNSPECIFIED in match.classes and not match.unspecified_as:
                match = self._split(match)
            split.append(match)
        return split

    def _split(self, match: Match) -> Match:
        known = self._known.get(match)
        if known is None:
            known = self._known[match] = match._replace(unspecified_as=self._kind_of(match))
        return known

    def _kind_of(self, match: Match) -> str:
        form = self.folding.fold(match.form)
        if form in self.neither:
            return NEITHER
        if match.layer == INCLUSIVE:
            return INCLUSIVE
        return GROUPS if form in self.plurals else UNKNOWN


def _numbers_of_forms(nouns: Path | None, table: Path | None) -> dict[str, set[str]]:
    """Find the numbers, singular or plural, that a lexicon gives to each form of words that may have no gender."""
    numbers: dict[str, set[str]] = {}
    if nouns:
        for entry in read_lexicon(nouns):
            if entry.gender_class == UNSPECIFIED:
                numbers.setdefault(fix_form(entry.form), set()).add(entry.number)
    if table and is_lemma_table(table):
        for lemma in read_lemmas(table):
            if UNSPECIFIED not in (lemma.gender_class, lemma.plural_class):
                continue
            # A plural may be written like a singular form of another class.
            for form in forms_of(lemma, table.stem):
                numbers.setdefault(fix_form(form.form), set()).add(form.number)
    return numbers
