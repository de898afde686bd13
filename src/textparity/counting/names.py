"""Load first names by gender, from our own table and the lists of Faker (https://faker.readthedocs.io, MIT licence).

Faker covers few languages whose script has no capitals, and its names in these are often other words as well. The table
`first_names.tsv` has names of such a language, and the common international names as the news in this language spells
them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import version
from itertools import product
from pathlib import Path

from textparity.counting.terms import GENDERS, LAYERS, Term, fix_form
from textparity.errors import TableError
from textparity.tsv import read_tsv

_FOLDER = Path(__file__).parents[1] / "resources" / "lexicons"
FIRST_NAMES, ENDINGS = _FOLDER / "first_names.tsv", _FOLDER / "endings.tsv"
NAME_CONTEXTS = _FOLDER / "name_contexts.tsv"
NAME_COLUMNS = ("lang", "class", "origin", "names", "by")
CONTEXT_COLUMNS = ("langs", "side", "words", "note")
ALL_LANGUAGES = "*"
ENDING_COLUMNS = ("lang", "layers", "ends", "cut", "prefixes", "endings", "note")
# In a cell of prefixes or endings, this stands for a word without one.
NOTHING = "-"


def first_names(sources: Iterable[str]) -> list[Term]:
    """Load first names as terms of the layer `names`.

    A source is a language of `first_names.tsv` (`hin`) or a locale of Faker (`de_DE`). Names need a capital if the
    script has capitals. A name in the lists of both genders is unspecified. If several sources have a name, the first
    one decides.
    """
    genders: dict[str, str] = {}
    capitals: dict[str, str] = {}
    for source in sources:
        lists = _lists_of_locale(source) if "_" in source else _lists_of_language(source)
        feminine, masculine = ({fix_form(name): name for name in names} for names in lists)
        for name in sorted({**feminine, **masculine}):
            only = "feminine" if name not in masculine else "masculine"
            genders.setdefault(name, "unspecified" if name in feminine and name in masculine else only)
            # Georgian has capitals that are not used at the beginning of names. `title` takes this into account.
            capitals.setdefault(name, "capitalised" if name.title() != name else "")
    return [Term(name, gender, "names", capitals[name]) for name, gender in genders.items()]


def _lists_of_locale(locale: str) -> list[Iterable[str]]:
    provider = import_module(f"faker.providers.person.{locale}").Provider
    return [provider.first_names_female, provider.first_names_male]


def _lists_of_language(lang: str) -> list[Iterable[str]]:
    rows = [row for row in read_name_rows() if row["lang"] == lang]
    if not rows:
        raise TableError(f"{FIRST_NAMES}: has no names of {lang!r}; see the column first_names of languages.tsv")
    return [[name for row in rows if row["class"] == gender for name in row["names"].split()] for gender in GENDERS]


@cache
def read_name_rows() -> list[dict[str, str]]:
    """Read the table of first names: a row for each language, class and origin of names."""
    rows = read_tsv(FIRST_NAMES, NAME_COLUMNS)
    for line, row in enumerate(rows, start=2):
        if row["class"] not in GENDERS:
            raise TableError(f"{FIRST_NAMES}, line {line}: class {row['class']!r} is not one of {', '.join(GENDERS)}")
    return rows


@dataclass(frozen=True)
class Ending:
    """The inflection of words of some layers that end in one of `ends` (of which `cut` is dropped)."""

    layers: tuple[str, ...]
    ends: tuple[str, ...]
    cut: str
    prefixes: tuple[str, ...]
    endings: tuple[str, ...]

    def forms_of(self, word: str) -> Iterator[str]:
        """List the inflected forms, without the word itself."""
        for prefix, ending in product(self.prefixes, self.endings):
            if prefix or ending:
                yield fix_form(prefix + (word.removesuffix(self.cut) + ending if ending else word))


@cache
def read_endings(lang: str) -> list[Ending]:
    """Read the inflection rules of a language. The first rule that fits a word and its layer applies."""
    rows = []
    for line, row in enumerate(read_tsv(ENDINGS, ENDING_COLUMNS), start=2):
        if unknown := [name for name in row["layers"].split() if name not in LAYERS]:
            raise TableError(f"{ENDINGS}, line {line}: layer {unknown[0]!r} is not one of {', '.join(LAYERS)}")
        if row["lang"] == lang:
            ends = tuple(row["ends"].split()) or ("",)
            prefixes, endings = (
                tuple("" if part == NOTHING else part for part in row[name].split() or [NOTHING])
                for name in ("prefixes", "endings")
            )
            rows.append(Ending(tuple(row["layers"].split()), ends, row["cut"], prefixes, endings))
    return rows


@cache
def name_context(lang: str) -> str:
    """Look up the context in which names are persons: not beside words that mark a thing, such as *Street*.

    It combines the rows of `name_contexts.tsv` for the language and for all languages (`*`).
    """
    words: dict[str, list[str]] = {"before": [], "after": []}
    for line, row in enumerate(read_tsv(NAME_CONTEXTS, CONTEXT_COLUMNS), start=2):
        if row["side"] not in words:
            raise TableError(f"{NAME_CONTEXTS}, line {line}: side {row['side']!r} is not one of {', '.join(words)}")
        if {lang, ALL_LANGUAGES} & set(row["langs"].split()):
            words[row["side"]] += row["words"].split()
    return "; ".join(f"not {side} {' '.join(dict.fromkeys(found))}" for side, found in words.items() if found)


def restrict_names(terms: Iterable[Term], lang: str) -> list[Term]:
    """Add the context of the language to first names, in addition to their own."""
    context = name_context(lang)
    return [
        replace(term, context="; ".join(filter(None, (term.context, context)))) if term.layer == "names" else term
        for term in terms
    ]


def names_version(lang: str, sources: Iterable[str]) -> str:
    """Describe everything that determines the first names of a language, so that a changed table is a new version."""
    sources = list(sources)
    rows = [sorted(row.items()) for row in read_name_rows() if row["lang"] in sources]
    faker = version("faker") if any("_" in source for source in sources) else ""
    return repr((rows, read_endings(lang), name_context(lang), faker))


def inflect(terms: list[Term], lang: str) -> list[Term]:
    """List the inflected forms of some terms, by the same rules for all classes.

    A form is left out if it is already a term, or if two classes share it.
    """
    rules, known = read_endings(lang), {term.form for term in terms}
    found: dict[str, set[Term]] = {}
    for term in terms if rules else ():
        for form in _forms_of(term, rules):
            if form not in known:
                found.setdefault(form, set()).add(Term(form, term.gender_class, term.layer, term.context))
    return [next(iter(same)) for same in found.values() if len(same) == 1]


def _forms_of(term: Term, rules: list[Ending]) -> Iterator[str]:
    for rule in rules:
        if term.layer in rule.layers and term.form.endswith(rule.ends):
            return rule.forms_of(term.form)
    return iter(())
