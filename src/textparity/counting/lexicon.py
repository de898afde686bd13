"""Read lexicons of gendered person nouns, and find their forms among the tokens of a text (Muller 2023, §3.2–3.3)."""

import json
import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from unicodedata import normalize

from textparity.counting import CLASSES
from textparity.counting.first_names import first_names, inflect, restrict_names
from textparity.counting.lemmas import is_lemma_table, lemma_terms
from textparity.counting.terms import (
    HIDDEN,
    LAYERS,
    LONGEST_FORM,
    PAIRED,
    Match,
    Term,
    TermMatcher,
    fix_form,
    is_pattern,
    read_context,
)
from textparity.errors import InputError, TableError
from textparity.files import is_unicode, read_tsv
from textparity.folding import NO_FOLDING, Folding

log = logging.getLogger(__name__)

NUMBERS = ("singular", "plural")
# Some published lexicons use other names for two classes (Standard Latvian in GENDER-GAP v1.0).
CLASS_ALIASES = {"female": "feminine", "male": "masculine"}
REPAIRS = ("empty", "no_letter", "trimmed", "not_nfc", "multi_word")


@dataclass(frozen=True)
class Entry:
    """One form of a lexicon, exactly as its file spells it."""

    gender_class: str
    number: str
    form: str


def read_lexicon(path: Path) -> list[Entry]:
    """Read `{"feminine": [{"singular": …, "plural": …}, …], "masculine": …, "unspecified": …}`.

    Either number may be missing. Raises `InputError`, with the file and the entry, for anything else.
    """
    content = _read_json(path)
    if not isinstance(content, dict):
        raise InputError(f"{path}: must be an object with the keys {', '.join(CLASSES)}")
    nouns_by_class = _rename_classes(content, path)
    missing = [name for name in CLASSES if name not in nouns_by_class]
    if missing:
        raise InputError(f"{path}: class {', '.join(missing)} is missing; add it, empty ([]) if it has no nouns")
    unknown = [name for name in nouns_by_class if name not in CLASSES]
    if unknown:
        raise InputError(f"{path}: unknown class {', '.join(unknown)}; the classes are {', '.join(CLASSES)}")
    entries: list[Entry] = []
    for name in CLASSES:
        entries += _read_class(path, name, nouns_by_class[name])
    return entries


def _read_json(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such lexicon; see the path column of resources/registry/lexicons.tsv") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not valid UTF-8; re-encode the file") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}, column {error.colno}: not valid JSON ({error.msg})") from None
    # These errors come from numbers with thousands of digits and from very deeply nested lists.
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read as JSON ({error}); fix the file") from None


def _rename_classes(content: dict[str, object], path: Path) -> dict[str, object]:
    """Give the classes their usual names, with a warning if the file uses others."""
    aliases = [name for name in content if name in CLASS_ALIASES]
    if aliases:
        usual_names = [CLASS_ALIASES[name] for name in aliases]
        log.warning("%s: classes %s read as %s", path, aliases, usual_names)
    nouns_by_class: dict[str, object] = {}
    for name, nouns in content.items():
        usual_name = CLASS_ALIASES.get(name, name)
        nouns_by_class[usual_name] = nouns
    return nouns_by_class


def _read_class(path: Path, name: str, nouns: object) -> Iterator[Entry]:
    if not isinstance(nouns, list):
        raise InputError(f"{path}, {name}: must be a list of nouns")
    for position, noun in enumerate(nouns, start=1):
        where = f"{path}, {name}, noun {position}"
        is_noun = isinstance(noun, dict) and bool(noun) and noun.keys() <= set(NUMBERS)
        if not is_noun:
            raise InputError(f'{where}: must be an object with "singular", "plural" or both, not {noun!r}')
        for number in NUMBERS:
            if number in noun:
                form = _check_form(noun[number], number, where)
                yield Entry(name, number, form)


def _check_form(form: object, number: str, where: str) -> str:
    if not isinstance(form, str):
        raise InputError(f"{where}: {number} must be a string, not {form!r}")
    if not is_unicode(form):
        raise InputError(f"{where}: {number} has half of a surrogate pair, {form!a}; correct it")
    size = len(form)
    if size > LONGEST_FORM:
        raise InputError(f"{where}: {number} has {size:,} characters, at most {LONGEST_FORM:,} are allowed")
    return form


def terms_of(entries: Iterable[Entry]) -> list[Term]:
    """Convert a lexicon to the terms of the corrected procedure. Forms without a letter are left out."""
    terms = dict.fromkeys(Term(fix_form(entry.form), entry.gender_class) for entry in entries)
    return [term for term in terms if _has_letter(term.form)]


def _has_letter(form: str) -> bool:
    return any(map(str.isalpha, form))


class Lexicon:
    """The forms of one language, prepared for both procedures. A form in two classes counts in both.

    `published` has lower-cased forms as the file spells them, which match single tokens. `corrected` has folded and
    trimmed forms, which match sequences of whole tokens, longest first. `repairs` lists the forms that the corrected
    procedure fixed (trimmed, not_nfc, multi_word) or dropped (empty, no_letter).
    """

    def __init__(self, entries: list[Entry], folding: Folding = NO_FOLDING) -> None:
        self.published: dict[str, frozenset[str]] = {}
        self.repairs: dict[str, list[str]] = {name: [] for name in REPAIRS}
        for entry in entries:
            raw = entry.form.lower()
            classes = self.published.get(raw, frozenset())
            self.published[raw] = classes | {entry.gender_class}
            self._note_repairs(raw)
        terms = terms_of(entries)
        self.corrected = TermMatcher(terms, folding=folding)

    def _note_repairs(self, raw: str) -> None:
        form = fix_form(raw)
        if not form:
            self.repairs["empty"].append(raw)
        elif not _has_letter(form):
            # Four published lexicons write "-" for a form that does not exist, and therefore count every hyphen.
            self.repairs["no_letter"].append(raw)
        else:
            if raw != raw.strip():
                self.repairs["trimmed"].append(raw)
            if raw != normalize("NFC", raw):
                self.repairs["not_nfc"].append(raw)
            if " " in form:
                self.repairs["multi_word"].append(form)

    def match_published(self, tokens: list[str]) -> list[Match]:
        """Find the tokens that equal a form, with their classes (paper, §3.3)."""
        if self.published.keys().isdisjoint(tokens):
            return []
        return [Match(token, self.published[token]) for token in tokens if token in self.published]


ACTIONS = ("add", "remove", "reclassify", "restrict", "hide")
COLUMNS = ("form", "class", "layer", "action", "context", "counterpart", "reason", "evidence", "by")
OPPOSITE = {"feminine": "masculine", "masculine": "feminine"}


@dataclass(frozen=True)
class Change:
    """One row of a revision. `line` is its line in the file."""

    line: int
    form: str
    gender_class: str
    layer: str
    action: str
    context: str
    counterpart: str
    reason: str
    evidence: str
    by: str

    @property
    def key(self) -> tuple[str, str]:
        """The form and its class."""
        return self.form, self.gender_class


def read_revision(path: Path) -> list[Change]:
    """Read a revision with one change per row (`COLUMNS`, tab-separated), and check each row by itself.

    Forms are lower-cased, in NFC and trimmed. A form between slashes is a regular expression. Raises `TableError`, with
    the file and the line.
    """
    allowed = {"class": CLASSES, "layer": LAYERS, "action": ACTIONS}
    rows = read_tsv(path, COLUMNS, allowed=allowed)
    changes: list[Change] = []
    for line, row in enumerate(rows, start=2):
        form, *others = (row[name] for name in COLUMNS)
        fixed = form if is_pattern(form) else fix_form(form)
        change = Change(line, fixed, *others)
        reason = _wrong_in(change)
        if reason:
            raise TableError(f"{path}, line {line}: {reason}")
        changes.append(change)
    return changes


def _wrong_in(change: Change) -> str:
    if not _has_letter(change.form):
        return f"form {change.form!r} has no letter"
    for name in ("reason", "evidence", "by"):
        if not getattr(change, name).strip():
            return f"{name} is empty"
    try:
        context = read_context(change.context)
        if is_pattern(change.form):
            re.compile(change.form[1:-1])
    except (ValueError, re.error) as error:
        return f"{change.form!r} cannot be read: {error}"
    if change.action == "restrict" and context is None:
        return "restrict needs a context"
    if change.action in ("remove", "reclassify") and context is not None:
        return f"{change.action} takes no context; use restrict"
    if is_pattern(change.form) and (change.action not in ("add", "hide") or change.context):
        return "a regular expression can only be added, or hide forms, without a context"
    if change.action == "hide" and not is_pattern(change.form):
        return "only a regular expression can hide forms"
    if change.counterpart and change.gender_class not in OPPOSITE:
        return "a form of any gender has no counterpart"
    return ""


def revised_terms(entries: list[Entry], revision: Path, name_sources: str = "") -> list[Term]:
    """Compute the terms of a lexicon after a revision, with the first names of some sources (`first_names`).

    The revision's file is named after its language, whose inflected forms (`inflect`) are added last. Names then get
    the context of the language (`restrict_names`). A table of lemmas (`textparity.counting.lemmas`) is a lexicon of its
    own and takes nothing from `entries`.
    """
    lang = revision.stem
    names = first_names(lang, name_sources.split())
    if is_lemma_table(revision):
        terms = _add_names(lemma_terms(revision), names)
    else:
        terms = _revise_with_names(terms_of(entries), names, revision)
    pairs = Term(f"/{lang}/", PAIRED, "inclusive")
    terms = restrict_names(terms, lang)
    return [*terms, *inflect(terms, lang), pairs]


def _add_names(lemmas: Iterable[Term], names: Iterable[Term]) -> list[Term]:
    """Add first names to the terms of lemmas. A name that is also another word is not counted as a name."""
    terms = list(lemmas)
    words = {term.form for term in terms}
    terms += [name for name in names if name.form not in words]
    return terms


def _revise_with_names(nouns: list[Term], names: Iterable[Term], revision: Path) -> list[Term]:
    """Add first names to nouns, and apply a revision. A name that is also another word is not counted as a name."""
    changes = read_revision(revision)
    changes_of_words = [change for change in changes if change.layer != "names"]
    words = {noun.form for noun in nouns}
    words.update(change.form for change in changes_of_words)
    names = [name for name in names if name.form not in words]
    if not names:
        changes = changes_of_words
    terms = [*nouns, *names]
    return revise(terms, changes, revision)


# The terms of a lexicon by form and class: several if they have different contexts.
_Terms = dict[tuple[str, str], list[Term]]


def revise(base: list[Term], changes: list[Change], path: Path) -> list[Term]:
    """Apply the `changes` read from `path` to the terms of a lexicon.

    Raises `TableError`, with the row, if a form is not in the lexicon, a row changes nothing, a form is in two classes
    or layers without contexts that distinguish them, or a counterpart is missing from the opposite class.
    """
    terms: _Terms = {}
    for term in base:
        terms[term.form, term.gender_class] = [term]
    classes_before = {term.form: _classes_of(term.form, terms) for term in base}
    touched: dict[tuple[str, str], Change] = {}
    for change in changes:
        classes = classes_before.get(change.form, [])
        earlier = touched.get(change.key)
        present = terms.get(change.key, [])
        reason = _useless(change, classes, earlier, present)
        if reason:
            where = f"{path}, line {change.line}"
            raise TableError(f"{where}: {change.action} {change.form!r}: {reason}")
        _apply(change, terms, classes, is_first=earlier is None)
        touched[change.key] = change
    _check_classes(terms, changes, path)
    _check_counterparts(terms, changes, path)
    return list(chain.from_iterable(terms.values()))


def _classes_of(form: str, terms: _Terms) -> list[str]:
    return [name for name in CLASSES if (form, name) in terms]


def _apply(change: Change, terms: _Terms, classes: list[str], is_first: bool) -> None:
    """Apply a change of a form that had `classes`. `is_first`: no earlier row changes the form in this class."""
    if change.action == "remove":
        terms.pop(change.key)
        return
    if change.action == "hide":
        terms[change.key] = [Term(change.form, HIDDEN, change.layer)]
        return
    context = change.context
    others: list[Term] = []
    if change.action == "reclassify":
        reclassified = [terms.pop((change.form, name)) for name in classes]
        # A first name still needs a capital.
        context = reclassified[0][0].context
    elif not is_first:
        others = terms.get(change.key, [])
    term = Term(change.form, change.gender_class, change.layer, context)
    terms[change.key] = [*others, term]


def _useless(change: Change, classes: list[str], earlier: Change | None, terms: list[Term]) -> str:
    """Explain why a row cannot be applied. Returns an empty string if it can."""
    if change.action in ("add", "hide"):
        if change.gender_class in classes and earlier is None:
            return f"the lexicon has it as {change.gender_class}"
    elif not classes:
        return "the lexicon does not have it"
    elif change.action == "reclassify" and classes == [change.gender_class]:
        return f"it is already {change.gender_class}"
    elif change.action in ("remove", "restrict") and change.gender_class not in classes:
        return f"the lexicon has it as {', '.join(classes)}, not as {change.gender_class}"
    if earlier is not None:
        if earlier.action != change.action or change.action in ("remove", "reclassify"):
            return f"line {earlier.line} changes it as well"
        if any(term.context == change.context for term in terms):
            return f"line {earlier.line} already makes this change"
        if not change.context or not earlier.context:
            return f"line {earlier.line} has it, and one of the two has no context"
    return ""


def _check_classes(terms: _Terms, changes: list[Change], path: Path) -> None:
    """Check the changed forms: without distinguishing contexts, each has one class and one layer."""
    for change in changes:
        terms_of_form: list[Term] = []
        for name in CLASSES:
            terms_of_form += terms.get((change.form, name), [])
        plain_classes = [term.gender_class for term in terms_of_form if not term.context]
        if len(set(plain_classes)) > 1:
            raise TableError(
                f"{path}, line {change.line}: {change.form!r} is now {' and '.join(plain_classes)}; remove one, "
                "reclassify it, or restrict it to a context"
            )
        layers = sorted({term.layer for term in terms_of_form})
        if len(layers) > 1:
            raise TableError(f"{path}, line {change.line}: {change.form!r} is in two layers, {' and '.join(layers)}")


def _check_counterparts(terms: _Terms, changes: list[Change], path: Path) -> None:
    for change in changes:
        if not change.counterpart or change.action == "remove":
            continue
        opposite = OPPOSITE[change.gender_class]
        counterparts = map(fix_form, change.counterpart.split("|"))
        for form in counterparts:
            if (form, opposite) in terms:
                continue
            classes = " and ".join(_classes_of(form, terms)) or "in no class"
            where = f"{path}, line {change.line}"
            raise TableError(
                f"{where}: the counterpart {form!r} of {change.form!r} is {classes}; it must be {opposite}"
            )
