"""Apply a lexicon's revision: rows that add, remove, reclassify or restrict its forms, and the resulting terms."""

import re
from dataclasses import dataclass
from pathlib import Path

from textparity.counting.lexicon import Entry, terms_of
from textparity.counting.names import first_names, inflect, restrict_names
from textparity.counting.terms import CLASSES, LAYERS, Term, fix_form, is_pattern, read_context
from textparity.errors import TableError
from textparity.tsv import read_tsv

ACTIONS = ("add", "remove", "reclassify", "restrict")
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


def read_revision(path: Path) -> list[Change]:
    """Read a revision with one change per row (`COLUMNS`, tab-separated), and check each row by itself.

    Forms are lower-cased, in NFC and trimmed. A form between slashes is a regular expression. Raises `TableError`, with
    the file and the line.
    """
    changes = []
    for line, row in enumerate(read_tsv(path, COLUMNS), start=2):
        form, *others = (row[name] for name in COLUMNS)
        change = Change(line, form if is_pattern(form) else fix_form(form), *others)
        if reason := _wrong_in(change):
            raise TableError(f"{path}, line {line}: {reason}")
        changes.append(change)
    return changes


def _wrong_in(change: Change) -> str:
    if not any(map(str.isalpha, change.form)):
        return f"form {change.form!r} has no letter"
    for name, value, allowed in (
        ("class", change.gender_class, CLASSES), ("layer", change.layer, LAYERS), ("action", change.action, ACTIONS)
    ):  # fmt: skip
        if value not in allowed:
            return f"{name} {value!r} is not one of {', '.join(allowed)}"
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
    if is_pattern(change.form) and (change.action, change.context) != ("add", ""):
        return "a regular expression can only be added, without a context"
    if change.counterpart and change.gender_class not in OPPOSITE:
        return "a form of any gender has no counterpart"
    return ""


def revised_terms(entries: list[Entry], revision: Path, name_sources: str = "") -> list[Term]:
    """Compute the terms of a lexicon after a revision, with the first names of some sources (`first_names`).

    The revision's file is named after its language, whose inflected forms (`inflect`) are added last. Names then get
    the context of the language (`restrict_names`).
    """
    nouns, changes = terms_of(entries), read_revision(revision)
    # A name that is also another word is not counted as a name.
    words = {term.form for term in nouns} | {change.form for change in changes if change.layer != "names"}
    names = [term for term in first_names(name_sources.split()) if term.form not in words]
    changes = [change for change in changes if names or change.layer != "names"]
    terms = revise([*nouns, *names], changes, revision)
    return restrict_names([*terms, *inflect(terms, revision.stem)], revision.stem)


def revise(base: list[Term], changes: list[Change], path: Path) -> list[Term]:
    """Apply the `changes` read from `path` to the terms of a lexicon.

    Raises `TableError`, with the row, in these cases: a form is not in the lexicon; a row changes nothing; a form is in
    two classes or layers without contexts that distinguish them; or a counterpart is missing from the opposite class.
    """
    terms = {(term.form, term.gender_class): [term] for term in base}
    classes = {form: [name for name in CLASSES if (form, name) in terms] for form, _ in terms}
    touched: dict[tuple[str, str], Change] = {}
    for change in changes:
        key = change.form, change.gender_class
        if reason := _useless(change, classes.get(change.form, []), touched.get(key), terms.get(key, [])):
            raise TableError(f"{path}, line {change.line}: {change.action} {change.form!r}: {reason}")
        context = change.context
        if change.action == "reclassify":
            # A first name still needs a capital.
            was = [term for name in classes[change.form] for term in terms.pop((change.form, name))]
            context = was[0].context
        if change.action == "remove":
            terms.pop(key)
        else:
            others = terms.get(key, []) if key in touched else []
            terms[key] = [*others, Term(change.form, change.gender_class, change.layer, context)]
        touched[key] = change
    _check_classes(terms, changes, path)
    _check_counterparts(terms, changes, path)
    return [term for of_form in terms.values() for term in of_form]


def _useless(change: Change, classes: list[str], earlier: Change | None, terms: list[Term]) -> str:
    """Explain why a row cannot be applied. Returns an empty string if it can."""
    if change.action == "add":
        if change.gender_class in classes and earlier is None:
            return f"the lexicon has it as {change.gender_class}"
    elif not classes:
        return "the lexicon does not have it"
    elif change.action == "reclassify" and classes == [change.gender_class]:
        return f"it is {change.gender_class} already"
    elif change.action in ("remove", "restrict") and change.gender_class not in classes:
        return f"the lexicon has it as {', '.join(classes)}, not as {change.gender_class}"
    if earlier is not None:
        if earlier.action != change.action or change.action in ("remove", "reclassify"):
            return f"line {earlier.line} changes it as well"
        if any(term.context == change.context for term in terms):
            return f"line {earlier.line} says so already"
        if not change.context or not earlier.context:
            return f"line {earlier.line} has it, and one of the two has no context"
    return ""


def _check_classes(terms: dict[tuple[str, str], list[Term]], changes: list[Change], path: Path) -> None:
    """Check the changed forms: without distinguishing contexts, each has one class and one layer."""
    for change in changes:
        of_form = [term for name in CLASSES for term in terms.get((change.form, name), [])]
        plain = [term.gender_class for term in of_form if not term.context]
        if len(set(plain)) > 1:
            raise TableError(
                f"{path}, line {change.line}: {change.form!r} is now {' and '.join(plain)}; remove one, reclassify it, "
                "or restrict it to a context"
            )
        if len(layers := {term.layer for term in of_form}) > 1:
            raise TableError(
                f"{path}, line {change.line}: {change.form!r} is in two layers, {' and '.join(sorted(layers))}"
            )


def _check_counterparts(terms: dict[tuple[str, str], list[Term]], changes: list[Change], path: Path) -> None:
    for change in changes:
        if not change.counterpart or change.action == "remove":
            continue
        opposite = OPPOSITE[change.gender_class]
        for form in map(fix_form, change.counterpart.split("|")):
            if (form, opposite) not in terms:
                found = [name for name in CLASSES if (form, name) in terms]
                raise TableError(
                    f"{path}, line {change.line}: the counterpart {form!r} of {change.form!r} is "
                    f"{'in no class' if not found else ' and '.join(found)}; it must be {opposite}"
                )
