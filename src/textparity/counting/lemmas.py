"""Read lexicons of lemmas, each with its evidence, and list their inflected forms.

A lexicon has one tab-separated file per language (`COLUMNS`), with a lemma and its class in each row. A cell with forms
lists words, separated by `|`. `@name` stands for the forms of the lemma by a paradigm of the language, `word@name` for
those of another stem, such as a plural, and `!word` for a generated form that is another word and does not count.
Paradigms are tables of endings (`PARADIGM_COLUMNS`).

A form that a row lists as a word outweighs one that a paradigm generates: in another row, a homograph or a form with a
context of its own can be listed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from textparity.counting import CLASSES, GENDERS
from textparity.counting.terms import HIDDEN, LAYERS, Term, fix_form, is_pattern, read_context
from textparity.errors import TableError
from textparity.files import read_tsv

PARADIGMS = Path(__file__).parents[1] / "resources" / "lexicons" / "paradigms"
PARADIGM_COLUMNS = ("paradigm", "cut", "singular", "plural", "example")
COLUMNS = (
    "lemma", "meaning", "class", "plural_class", "layer", "singular", "plural", "context", "counterpart", "evidence",
    "example",
)  # fmt: skip
NUMBERS = SINGULAR, PLURAL = "singular", "plural"
# What stands between words in a cell, before the name of a paradigm, and before a form that another row's paradigm
# generates although it is another word.
SEPARATOR, BY, NOT = "|", "@", "!"
# In a cell of endings: no ending, the place of the stem (*ال~*), and the sign between a case and its ending.
NOTHING, STEM, OF_CASE = "-", "~", ":"
# Where a lemma is attested. "ours" is the knowledge of the author of the row, a language model.
EVIDENCE = ("ours", "wordnet", "cldr", "treebank")
_OPPOSITE = {"feminine": "masculine", "masculine": "feminine"}


class CaseEnding(NamedTuple):
    """A case of a paradigm and its ending, in which `~` may mark the place of the stem."""

    case: str
    ending: str


@dataclass(frozen=True)
class Paradigm:
    """The endings of each number."""

    cut: str
    endings: Mapping[str, Sequence[CaseEnding]]

    def forms_of(self, lemma: str, number: str) -> Iterator[tuple[str, str]]:
        """List the cases and forms of a lemma that ends in `cut`."""
        stem = lemma.removesuffix(self.cut)
        for case, ending in self.endings[number]:
            yield case, ending.replace(STEM, stem) if STEM in ending else stem + ending


@cache
def load_paradigms(lang: str) -> Mapping[str, Paradigm]:
    """Load the paradigms of a language by name, none if it has no table. Raises `TableError`, with the line."""
    path = PARADIGMS / f"{lang}.tsv"
    if not path.is_file():
        return {}
    paradigms = {}
    for line, row in enumerate(read_tsv(path, PARADIGM_COLUMNS), start=2):
        if row["paradigm"] in paradigms:
            raise TableError(f"{path}, line {line}: the paradigm {row['paradigm']!r} is there already")
        endings: dict[str, list[CaseEnding]] = {}
        for number in NUMBERS:
            cells = row[number].split()
            endings[number] = [_read_ending(path, line, cell) for cell in cells]
        paradigms[row["paradigm"]] = Paradigm(row["cut"], endings)
    return paradigms


def paradigm_bytes(lang: str) -> bytes:
    """Read the table of paradigms of a language as it is, empty if it has none. Results depend on it."""
    path = PARADIGMS / f"{lang}.tsv"
    return path.read_bytes() if path.is_file() else b""


def _read_ending(path: Path, line: int, cell: str) -> CaseEnding:
    case, sign, ending = cell.partition(OF_CASE)
    if not (case and sign and ending):
        raise TableError(f"{path}, line {line}: {cell!r} must be a case and an ending, such as gen:s or nom:-")
    if ending == NOTHING:
        return CaseEnding(case, "")
    return CaseEnding(case, ending.replace("_", " "))


@dataclass(frozen=True)
class Lemma:
    """One row of a lexicon. `line` is its line in the file."""

    line: int
    lemma: str
    meaning: str
    gender_class: str
    plural_class: str
    layer: str
    singular: str
    plural: str
    context: str
    counterpart: str
    evidence: str
    example: str

    def class_of(self, number: str) -> str:
        """Return the class of the forms of a number."""
        if number == PLURAL and self.plural_class:
            return self.plural_class
        return self.gender_class

    def cells(self, number: str) -> list[str]:
        """List the parts of the cell of a number. If both cells are empty, the lemma is its only form."""
        cell = self.singular if number == SINGULAR else self.plural
        if not cell and number == SINGULAR and not self.plural:
            return [self.lemma]
        return _split_cell(cell)

    @property
    def all_cells(self) -> list[str]:
        """List the parts of the cells of both numbers."""
        return [*self.cells(SINGULAR), *self.cells(PLURAL)]


def _split_cell(cell: str) -> list[str]:
    """List the parts of a cell."""
    parts = map(str.strip, cell.split(SEPARATOR))
    return [part for part in parts if part]


def read_lemmas(path: Path) -> list[Lemma]:
    """Read the lemmas of a language, and check each row by itself. Raises `TableError`, with the file and the line."""
    allowed = {"class": (*CLASSES, HIDDEN), "plural_class": ("", *CLASSES), "layer": LAYERS}
    rows = read_tsv(path, COLUMNS, allowed=allowed)
    lemmas: list[Lemma] = []
    for line, row in enumerate(rows, start=2):
        lemma = Lemma(line, *map(str.strip, row.values()))
        reason = _wrong_in(lemma)
        if reason:
            raise TableError(f"{path}, line {line}, {lemma.lemma}: {reason}")
        lemmas.append(lemma)
    return lemmas


def _wrong_in(lemma: Lemma) -> str:
    for name in ("lemma", "meaning", "evidence", "example"):
        if not getattr(lemma, name):
            return f"{name} is empty"
    for source in lemma.evidence.split():
        kind = source.partition(":")[0]
        if kind not in EVIDENCE:
            return f"evidence {kind!r} is none of {', '.join(EVIDENCE)}"
    has_pattern = is_pattern(lemma.lemma)
    try:
        read_context(lemma.context)
        if has_pattern:
            re.compile(lemma.lemma[1:-1])
    except (ValueError, re.error) as error:
        return f"cannot be read: {error}"
    if has_pattern and (lemma.context or lemma.singular or lemma.plural):
        return "a regular expression has no forms and no context"
    if lemma.gender_class == HIDDEN and not has_pattern:
        return "only a regular expression can hide forms"
    parts = lemma.all_cells
    if not parts:
        return "has no forms; leave both cells empty if the lemma is the only one"
    for part in parts:
        word = part.removeprefix(NOT).partition(BY)[0]
        if not any(map(str.isalpha, word or lemma.lemma)):
            return "a form has no letter"
    if not has_pattern and any(map(is_pattern, parts)):
        return "a regular expression can only be the lemma"
    if lemma.counterpart and lemma.gender_class not in GENDERS:
        return "a lemma of any gender has no counterpart"
    return ""


class Form(NamedTuple):
    """A form of a row: `case` is empty if it is listed as a word, else that of the paradigm."""

    number: str
    case: str
    form: str

    @property
    def is_listed(self) -> bool:
        """Whether the row lists it as a word."""
        return not self.case


def forms_of(lemma: Lemma, lang: str) -> Iterator[Form]:
    """List the forms of a row, without those that it leaves out.

    Raises `TableError` if a paradigm is unknown.
    """
    paradigms = load_paradigms(lang)
    has_pattern = is_pattern(lemma.lemma)
    for number in NUMBERS:
        for part in lemma.cells(number):
            if part.startswith(NOT):
                continue
            word, sign, name = part.partition(BY)
            if not sign or has_pattern:
                yield Form(number, "", part)
                continue
            base = word or lemma.lemma
            if name not in paradigms:
                raise TableError(f"line {lemma.line}, {lemma.lemma}: {lang} has no paradigm {name!r}")
            paradigm = paradigms[name]
            if not base.endswith(paradigm.cut):
                raise TableError(f"line {lemma.line}: {base} does not end in {paradigm.cut!r}, as {name!r} requires")
            for case, form in paradigm.forms_of(base, number):
                yield Form(number, case, form)


def is_lemma_table(path: Path) -> bool:
    """Check whether a file is a table of lemmas, and not the revision of a lexicon, by its first column."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            return file.readline().startswith(COLUMNS[0])
    except (FileNotFoundError, UnicodeDecodeError):
        return False


# The rows that have each term, by form.
_RowsByForm = dict[str, dict[Term, list[Lemma]]]


@cache
def lemma_terms(path: Path) -> tuple[Term, ...]:
    """Compute the terms of a lexicon of lemmas, once in a process. The file is named after its language.

    Raises `TableError` if a form is in two classes, or in one class with and without a context, and if a counterpart is
    no lemma of the other gender.
    """
    lemmas = read_lemmas(path)
    _check_counterparts(lemmas, path)
    listed, generated = _collect_terms(lemmas, path)
    # A listed form outweighs a generated one.
    chosen = dict(generated)
    for form in _forms_left_out(lemmas):
        chosen.pop(form, None)
    chosen |= listed
    terms: list[Term] = []
    for form, rows_by_term in chosen.items():
        if len(rows_by_term) == 1:
            terms += rows_by_term
        else:
            terms += _settle(form, rows_by_term, path)
    return tuple(terms)


def _collect_terms(lemmas: Iterable[Lemma], path: Path) -> tuple[_RowsByForm, _RowsByForm]:
    """Collect the terms that rows list as words, and those that paradigms generate."""
    listed: _RowsByForm = {}
    generated: _RowsByForm = {}
    for lemma in lemmas:
        try:
            forms = list(forms_of(lemma, path.stem))
        except TableError as error:
            raise TableError(f"{path}, {error}") from None
        fixed = [lemma.lemma] if is_pattern(lemma.lemma) else _fix_forms(form.form for form in forms)
        for form, spelled in zip(forms, fixed, strict=True):
            term = Term(spelled, lemma.class_of(form.number), lemma.layer, lemma.context)
            rows_by_form = listed if form.is_listed else generated
            rows_by_term = rows_by_form.setdefault(spelled, {})
            rows_by_term.setdefault(term, []).append(lemma)
    return listed, generated


def _forms_left_out(lemmas: Iterable[Lemma]) -> set[str]:
    """Collect the generated forms that do not count, because they are other words."""
    forms: set[str] = set()
    for lemma in lemmas:
        for part in lemma.all_cells:
            if part.startswith(NOT):
                forms.add(fix_form(part.removeprefix(NOT)))
    return forms


def _fix_forms(forms: Iterable[str]) -> list[str]:
    """Do what `fix_form` does for several forms at once, which takes a third of the time."""
    lowered = normalize("NFC", "\n".join(forms).lower()).split("\n")
    return [" ".join(form.split()) if " " in form else form for form in lowered]


def _settle(form: str, rows_by_term: Mapping[Term, list[Lemma]], path: Path) -> list[Term]:
    """Check the terms that rows have for one form, and return those that count."""
    rows_by_term = _settle_class(form, rows_by_term, path)
    lines: set[int] = set()
    for rows in rows_by_term.values():
        lines.update(row.line for row in rows)
    where = f"{path}, lines {sorted(lines)}"
    terms = list(rows_by_term)
    layers = sorted({term.layer for term in terms})
    if len(layers) > 1:
        raise TableError(f"{where}: {form!r} is in two layers, {' and '.join(layers)}")
    for name in CLASSES:
        of_class = [term for term in terms if term.gender_class == name]
        have_context = {bool(term.context) for term in of_class}
        if len(have_context) > 1:
            raise TableError(f"{where}: {form!r} is {name} with and without a context; keep one")
    return terms


def _settle_class(form: str, rows_by_term: Mapping[Term, list[Lemma]], path: Path) -> Mapping[Term, list[Lemma]]:
    """Check that a form has one class without a context. The singular of a lemma decides about its plural."""
    plain = {term.gender_class: rows for term, rows in rows_by_term.items() if not term.context}
    if len(plain) < 2:
        return rows_by_term
    readings: list[str] = []
    lines: set[int] = set()
    for name, rows in sorted(plain.items()):
        readings += [f"{name} by {row.lemma} (line {row.line})" for row in rows]
        lines.update(row.line for row in rows)
    if len(lines) > 1:
        raise TableError(
            f"{path}: {form!r} is {', '.join(readings)}; list it as a word in the row that decides, or in a row of its "
            "own"
        )
    gender_class = rows[0].gender_class
    settled: dict[Term, list[Lemma]] = {}
    for term, rows in rows_by_term.items():
        if term.context or term.gender_class == gender_class:
            settled[term] = rows
    return settled


def _check_counterparts(lemmas: Sequence[Lemma], path: Path) -> None:
    known = {(fix_form(lemma.lemma), lemma.gender_class) for lemma in lemmas}
    for lemma in lemmas:
        opposite = _OPPOSITE.get(lemma.gender_class, "")
        for counterpart in _split_cell(lemma.counterpart):
            if (fix_form(counterpart), opposite) in known:
                continue
            raise TableError(
                f"{path}, line {lemma.line}: the counterpart {counterpart!r} of {lemma.lemma} is no {opposite} lemma"
            )
