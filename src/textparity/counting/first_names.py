"""Load first names by gender, with their inflected forms.

First names come from `first_names.tsv`: by locale (`de_DE`) those of Faker (https://faker.readthedocs.io, MIT licence),
and by language (`hin`) our own where Faker has few, or often names that are other words as well.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from textparity.counting.terms import GENDERS, LAYERS, Term, fix_form
from textparity.errors import TableError
from textparity.files import read_tsv

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

    A source is a language or locale of `first_names.tsv`; the first one that has a name decides. Names need a capital
    if the script has capitals. A name in the lists of both genders is unspecified.
    """
    terms: dict[str, Term] = {}
    for source in sources:
        rows = [row for row in read_name_rows() if row["lang"] == source]
        if not rows:
            raise TableError(f"{FIRST_NAMES}: has no names of {source!r}; see the column first_names of languages.tsv")
        genders: dict[str, set[str]] = {}
        for row in rows:
            for name in row["names"].split():
                genders.setdefault(fix_form(name.replace("_", " ")), set()).add(row["class"])
        for name, of_name in sorted(genders.items()):
            gender = min(of_name) if len(of_name) == 1 else "unspecified"
            # Georgian has capitals that are not used at the beginning of names. `title` takes this into account.
            terms.setdefault(name, Term(name, gender, "names", "capitalised" if name.title() != name else ""))
    return list(terms.values())


@cache
def read_name_rows() -> list[dict[str, str]]:
    """Read the table of first names: a row for each language, class and origin of names, with _ for a space in one."""
    return read_tsv(FIRST_NAMES, NAME_COLUMNS, allowed={"class": GENDERS})


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
    """Look up the context in which names are persons: not beside words that mark a thing, such as *Street*."""
    words: dict[str, list[str]] = {"before": [], "after": []}
    for row in read_tsv(NAME_CONTEXTS, CONTEXT_COLUMNS, allowed={"side": words}):
        if {lang, ALL_LANGUAGES} & set(row["langs"].split()):
            words[row["side"]] += row["words"].split()
    return "; ".join(f"not {side} {' '.join(dict.fromkeys(found))}" for side, found in words.items() if found)


def restrict_names(terms: Iterable[Term], lang: str) -> list[Term]:
    """Add the context of the language to first names, in addition to their own."""
    context = name_context(lang)
    return [
        term._replace(context="; ".join(filter(None, (term.context, context)))) if term.layer == "names" else term
        for term in terms
    ]


def names_version(lang: str, sources: Iterable[str]) -> str:
    """Describe everything that determines the first names of a language, so that a changed table is a new version."""
    sources = list(sources)
    rows = [sorted(row.items()) for row in read_name_rows() if row["lang"] in sources]
    return repr((rows, read_endings(lang), name_context(lang)))


def inflect(terms: list[Term], lang: str) -> list[Term]:
    """List the inflected forms of some terms, without those that are already terms or that two classes share."""
    rules, known = read_endings(lang), {term.form for term in terms}
    found: dict[str, set[Term]] = {}
    for term in terms if rules else ():
        fitting = (rule for rule in rules if term.layer in rule.layers and term.form.endswith(rule.ends))
        rule = next(fitting, None)
        for form in rule.forms_of(term.form) if rule else ():
            if form not in known:
                found.setdefault(form, set()).add(term._replace(form=form))
    return [next(iter(same)) for same in found.values() if len(same) == 1]
