"""Write resources/lexicons/name_forms.tsv: the inflected forms of first names, in languages whose names have cases.

The names are those of the language's sources in `languages.tsv`, with their gender after all corrections. The first
row of `name_declensions.tsv` that fits the gender and the end of a name gives its endings. A row of
`name_corrections.tsv` whose source is the language also applies to forms: they are not forms of another gender, or no
names.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from pathlib import Path

from textparity.auditing.languages import load_registry
from textparity.counting import GENDERS, UNSPECIFIED
from textparity.counting.first_names import ONLY_FORM, OTHERS, read_classes, read_corrections
from textparity.counting.name_forms import CASES, FOREIGN, FORM_COLUMNS, NAME_FORMS, NOTHING, OWN
from textparity.errors import TableError
from textparity.files import read_tsv, write_text
from textparity.folding import load_folding

RULES = NAME_FORMS.with_name("name_declensions.tsv")
RULE_COLUMNS = ("lang", "gender", "ends", "cut", *CASES)
# In a cell with ends, this marks a whole name.
WHOLE = "^"
# The forms of a name by case.
Paradigm = dict[str, list[str]]


def read_rules() -> dict[str, list[dict[str, str]]]:
    """Read the rules of declension of each language."""
    rules: dict[str, list[dict[str, str]]] = {}
    for row in read_tsv(RULES, RULE_COLUMNS, allowed={"gender": GENDERS}):
        rules.setdefault(row["lang"], []).append(row)
    return rules


def fits(rule: Mapping[str, str], name: str) -> bool:
    """Check whether a rule applies to a name in lower case."""
    ends = rule["ends"].split()
    if not ends:
        return True
    wholes = [end.removeprefix(WHOLE) for end in ends if end.startswith(WHOLE)]
    endings = [end for end in ends if not end.startswith(WHOLE)]
    return name in wholes or name.endswith(tuple(endings))


def decline(name: str, gender: str, rules: Iterable[Mapping[str, str]]) -> Paradigm:
    """List the forms of a name in lower case. Names of several words are not declined.

    Raises `TableError` if no rule fits.
    """
    if " " in name or "-" in name:
        return {"nominative": [name]}
    for rule in rules:
        if rule["gender"] == gender and fits(rule, name):
            return _apply(rule, name)
    raise TableError(f"{RULES}: has no rule for {gender} {name!r}")


def _apply(rule: Mapping[str, str], name: str) -> Paradigm:
    stem = name
    for cut in rule["cut"].split():
        if name.endswith(cut):
            stem = name.removesuffix(cut)
            break
    paradigm: Paradigm = {}
    for case in CASES:
        forms = []
        for ending in rule[case].split():
            if case == "nominative" and ending == NOTHING:
                forms.append(name)
            elif ending == NOTHING:
                forms.append(stem)
            else:
                forms.append(stem + ending)
        if forms:
            paradigm[case] = forms
    return paradigm


def without(paradigm: Paradigm, words: Iterable[str], fold: Callable[[str], str]) -> Paradigm:
    """Leave out the forms that are other words if both are folded."""
    folded = {fold(word) for word in words}
    kept = {}
    for case, forms in paradigm.items():
        others = [form for form in forms if fold(form) not in folded]
        if others:
            kept[case] = others
    return kept


def pattern_of(name: str, paradigm: Paradigm) -> tuple[str, ...]:
    """Describe a paradigm by what is cut off the name and by the endings of each case."""
    stem = name
    for form in chain.from_iterable(paradigm.values()):
        while not form.startswith(stem):
            stem = stem[:-1]
    cells = []
    for case in CASES:
        endings = [form.removeprefix(stem) or NOTHING for form in paradigm.get(case, [])]
        cells.append(" ".join(endings))
    return name.removeprefix(stem), *cells


def rows_of(lang: str, rules: Iterable[Mapping[str, str]]) -> list[tuple[str, ...]]:
    """List the rows of a language."""
    sources = load_registry().languages[lang].first_names.split()
    own_sources = sources[: sources.index(OTHERS)] if OTHERS in sources else sources
    own = read_classes(lang, own_sources)
    corrections = read_corrections(lang)
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, gender_class in sorted(read_classes(lang, sources).items()):
        origin = OWN if name in own else FOREIGN
        genders = GENDERS if gender_class == UNSPECIFIED else (gender_class,)
        for gender in genders:
            others = [row["name"] for row in corrections if row["class"] not in (gender, UNSPECIFIED, ONLY_FORM)]
            paradigm = without(decline(name, gender, rules), others, load_folding(lang).fold)
            if paradigm:
                groups[lang, origin, gender, *pattern_of(name, paradigm)].append(name.replace(" ", "_"))
    return [(*key, " ".join(names)) for key, names in sorted(groups.items())]


def make_table() -> str:
    """Make the whole table."""
    lines = ["\t".join(FORM_COLUMNS)]
    for lang, rules in sorted(read_rules().items()):
        lines += ["\t".join(row) for row in rows_of(lang, rules)]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    write_text(Path(NAME_FORMS), make_table())
