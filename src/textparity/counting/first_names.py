"""Load first names by gender, with their inflected forms.

First names come from the tables in `first_names`: by locale (`de_DE`) those of Faker (https://faker.readthedocs.io, MIT
licence), and by language (`hin`) our own where Faker has few, or often names that are other words as well.
`name_corrections.tsv` corrects the gender of some. Languages whose names have several cases have a table of forms
(`name_forms`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from textparity.counting import CLASSES, UNSPECIFIED
from textparity.counting.name_forms import genders_of, load_name_forms, read_evidence_rows, read_form_rows
from textparity.counting.name_rules import read_name_word_rows
from textparity.counting.terms import LAYERS, Term, fix_form
from textparity.errors import TableError
from textparity.files import read_tsv
from textparity.folding import ALL_LANGUAGES

_FOLDER = Path(__file__).parents[1] / "resources" / "lexicons"
FIRST_NAMES, ENDINGS = _FOLDER / "first_names", _FOLDER / "endings.tsv"
NAME_CONTEXTS, CORRECTIONS = _FOLDER / "name_contexts.tsv", _FOLDER / "name_corrections.tsv"
NAME_COLUMNS = ("class", "origin", "names", "by")
CORRECTION_COLUMNS = ("sources", "name", "class", "reason")
CONTEXT_COLUMNS = ("langs", "names", "side", "words", "note")
# In a list of sources, the ones after this are lists of other languages.
OTHERS = "|"
# The classes of corrections that remove a name: it is no name, or only a form of others.
ONLY_FORM = "form"
NO_NAMES = ("none", ONLY_FORM)
ENDING_COLUMNS = ("lang", "layers", "ends", "cut", "prefixes", "endings", "note")
# In a cell of prefixes or endings, this stands for a word without one.
NOTHING = "-"


def first_names(lang: str, sources: Iterable[str]) -> list[Term]:
    """Load the first names of a language as terms of the layer `names`.

    A source is a language or locale with a table in the folder `first_names`. The first source before `|` that has a
    name decides about it. The sources after `|` are lists of other languages, and the gender in most of them counts. A
    name that has both genders is unspecified. Names need a capital if the script has capitals.

    If the language has a table of forms, the table has the names of all sources.
    """
    sources = list(sources)
    name_forms = load_name_forms(lang) if sources else None
    if name_forms:
        genders = {form: genders_of(readings) for form, readings in name_forms.spelled.items()}
        classes = _classes_of(genders)
    else:
        classes = read_classes(lang, sources)
    terms = []
    for name, gender_class in sorted(classes.items()):
        # Georgian has capitals that are not used at the beginning of names. `title` takes this into account.
        context = "capitalised" if name.title() != name else ""
        terms.append(Term(name, gender_class, "names", context))
    return terms


def read_classes(lang: str, sources: Iterable[str]) -> dict[str, str]:
    """Read the class of each first name of a language, as `first_names` describes. Names are in lower case.

    Raises `TableError` if the table has no names of a source.
    """
    sources = list(sources)
    border = sources.index(OTHERS) if OTHERS in sources else len(sources)
    own_sources = sources[:border]
    other_sources = sources[border + 1 :]
    classes: dict[str, str] = {}
    for source in own_sources:
        # The first source decides.
        classes = _classes_of_source(source) | classes
    votes: dict[str, list[str]] = defaultdict(list)
    for source in other_sources:
        for name, gender_class in _classes_of_source(source).items():
            votes[name].append(gender_class)
    for name, voted_classes in votes.items():
        classes.setdefault(name, _majority(voted_classes))
    if classes:
        _correct(classes, lang)
    return classes


def is_language(source: str) -> bool:
    """Check whether a source is a language (`ces`) and not a locale (`cs_CZ`)."""
    return "_" not in source


def _correct(classes: dict[str, str], source: str) -> None:
    for row in read_corrections(source):
        name = fix_form(row["name"])
        if row["class"] in NO_NAMES:
            classes.pop(name, None)
        else:
            classes[name] = row["class"]


def _majority(classes: list[str]) -> str:
    women = classes.count("feminine")
    men = classes.count("masculine")
    if women == men:
        return UNSPECIFIED
    return "feminine" if women > men else "masculine"


def _classes_of(genders: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Choose the class of each name: its gender, if it has only one."""
    classes: dict[str, str] = {}
    for name, its_genders in genders.items():
        classes[name] = min(its_genders) if len(its_genders) == 1 else UNSPECIFIED
    return classes


@cache
def _classes_of_source(source: str) -> dict[str, str]:
    genders: dict[str, set[str]] = defaultdict(set)
    for row in read_name_rows(source):
        for name in _read_names(row):
            genders[name].add(row["class"])
    classes = _classes_of(genders)
    if not is_language(source):
        _correct(classes, source)
    return classes


def _read_names(row: Mapping[str, str]) -> list[str]:
    """Read the names of a row of a table."""
    return [fix_form(name.replace("_", " ")) for name in row["names"].split()]


@cache
def read_name_rows(source: str) -> list[dict[str, str]]:
    """Read the names of a source: a row for each class and origin, with _ for a space in a name.

    Raises `TableError` if the source has no table.
    """
    path = FIRST_NAMES / f"{source}.tsv"
    if not path.is_file():
        raise TableError(f"{FIRST_NAMES}: has no names of {source!r}; see the column first_names of languages.tsv")
    return read_tsv(path, NAME_COLUMNS, allowed={"class": CLASSES})


@cache
def read_corrections(source: str) -> list[dict[str, str]]:
    """Read the corrections of the first names of a locale, or of all names that a language uses."""
    return [row for row in _read_all_corrections() if source in row["sources"].split()]


@cache
def _read_all_corrections() -> list[dict[str, str]]:
    return read_tsv(CORRECTIONS, CORRECTION_COLUMNS, allowed={"class": (*CLASSES, *NO_NAMES)})


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
        stem = word.removesuffix(self.cut)
        for prefix, ending in product(self.prefixes, self.endings):
            if ending:
                yield fix_form(prefix + stem + ending)
            elif prefix:
                yield fix_form(prefix + word)


@cache
def read_endings(lang: str) -> list[Ending]:
    """Read the inflection rules of a language. The first rule that fits a word and its layer applies."""
    rules = []
    for line, row in enumerate(read_tsv(ENDINGS, ENDING_COLUMNS), start=2):
        layers = row["layers"].split()
        for layer in layers:
            if layer not in LAYERS:
                raise TableError(f"{ENDINGS}, line {line}: layer {layer!r} is not one of {', '.join(LAYERS)}")
        if row["lang"] != lang:
            continue
        ends = row["ends"].split() or [""]
        rule = Ending(
            layers=tuple(layers),
            ends=tuple(ends),
            cut=row["cut"],
            prefixes=_read_affixes(row["prefixes"]),
            endings=_read_affixes(row["endings"]),
        )
        rules.append(rule)
    return rules


def _read_affixes(cell: str) -> tuple[str, ...]:
    """Read a cell of prefixes or endings. An empty cell has only the word itself."""
    affixes = cell.split() or [NOTHING]
    return tuple("" if affix == NOTHING else affix for affix in affixes)


@cache
def name_contexts(lang: str) -> dict[str, str]:
    """Look up the context in which names are persons: not beside words that mark a thing, such as *Street*.

    The key is a name that has a context of its own, such as *Oscar*; an empty key stands for all other names.
    """
    for_all: dict[str, list[str]] = {"before": [], "after": []}
    words_beside = {"": for_all}
    rows = read_tsv(NAME_CONTEXTS, CONTEXT_COLUMNS, allowed={"side": ("before", "after")})
    # The rows of all names come first, because those of single names add to them.
    rows.sort(key=lambda row: row["names"] != "")
    for row in rows:
        langs = row["langs"].split()
        if lang not in langs and ALL_LANGUAGES not in langs:
            continue
        words = row["words"].split()
        for name in _read_names(row) or [""]:
            if name not in words_beside:
                words_beside[name] = deepcopy(for_all)
            side = words_beside[name][row["side"]]
            side += words
    return {name: _join_sides(sides) for name, sides in words_beside.items()}


def _join_sides(sides: Mapping[str, Iterable[str]]) -> str:
    conditions = []
    for side, words in sides.items():
        if words:
            distinct_words = " ".join(dict.fromkeys(words))
            conditions.append(f"not {side} {distinct_words}")
    return "; ".join(conditions)


def restrict_names(terms: Iterable[Term], lang: str) -> list[Term]:
    """Add the context of the language to first names, in addition to their own."""
    contexts = name_contexts(lang)
    for_others = contexts[""]
    # Thousands of names have the same context. Making a term anew is faster than `_replace`.
    joined: dict[tuple[str, str], str] = {}
    restricted = []
    for term in terms:
        if term.layer == "names":
            of_name = contexts.get(term.form, for_others)
            both = term.context, of_name
            context = joined.get(both)
            if context is None:
                context = joined[both] = "; ".join(filter(None, both))
            term = Term(term.form, term.gender_class, term.layer, context)
        restricted.append(term)
    return restricted


def names_version(lang: str, sources: Iterable[str]) -> str:
    """Describe everything that determines the first names of a language, so that a changed table is a new version."""
    sources = list(sources)
    name_rows: list[dict[str, str]] = []
    for source in sources:
        if source != OTHERS:
            name_rows += read_name_rows(source)
    for source in (lang, *sources):
        name_rows += read_corrections(source)
    name_rows += read_form_rows(lang)
    name_rows += read_evidence_rows(lang)
    names = [sorted(row.items()) for row in name_rows]
    words = [sorted(row.items()) for row in read_name_word_rows(lang)]
    return repr((sources, names, words, read_endings(lang), name_contexts(lang)))


def inflect(terms: list[Term], lang: str) -> list[Term]:
    """List the inflected forms of some terms, without those that are already terms or that two classes share."""
    rules = read_endings(lang)
    if not rules:
        return []
    known_forms = {term.form for term in terms}
    inflected: dict[str, set[Term]] = defaultdict(set)
    for term in terms:
        rule = _rule_for(term, rules)
        if rule is None:
            continue
        for form in rule.forms_of(term.form):
            if form not in known_forms:
                inflected[form].add(term._replace(form=form))
    return [same_form.pop() for same_form in inflected.values() if len(same_form) == 1]


def _rule_for(term: Term, rules: Iterable[Ending]) -> Ending | None:
    for rule in rules:
        if term.layer in rule.layers and term.form.endswith(rule.ends):
            return rule
    return None
