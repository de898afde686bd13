"""Read lexicons of gendered person nouns, and find their forms among the tokens of a text (Muller 2023, §3.2–3.3)."""

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from textparity.counting.terms import CLASSES, LONGEST_FORM, Match, Term, TermMatcher, fix_form
from textparity.errors import InputError
from textparity.files import is_unicode
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
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such lexicon; see the path column of resources/registry/lexicons.tsv") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not valid UTF-8; re-encode the file") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}, column {error.colno}: not valid JSON ({error.msg})") from None
    # These errors come from numbers with thousands of digits and from very deeply nested lists.
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read as JSON ({error}); fix the file") from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: must be an object with the keys {', '.join(CLASSES)}")
    if renamed := [name for name in content if name in CLASS_ALIASES]:
        log.warning("%s: classes %s read as %s", path, renamed, [CLASS_ALIASES[name] for name in renamed])
    content = {CLASS_ALIASES.get(name, name): value for name, value in content.items()}
    if missing := [name for name in CLASSES if name not in content]:
        raise InputError(f"{path}: class {', '.join(missing)} is missing; add it, empty ([]) if it has no nouns")
    if unknown := [name for name in content if name not in CLASSES]:
        raise InputError(f"{path}: unknown class {', '.join(unknown)}; the classes are {', '.join(CLASSES)}")
    return [entry for name in CLASSES for entry in _read_class(path, name, content[name])]


def _read_class(path: Path, name: str, nouns: object) -> Iterator[Entry]:
    if not isinstance(nouns, list):
        raise InputError(f"{path}, {name}: must be a list of nouns")
    for position, noun in enumerate(nouns, start=1):
        where = f"{path}, {name}, noun {position}"
        if not isinstance(noun, dict) or not noun or not noun.keys() <= set(NUMBERS):
            raise InputError(f'{where}: must be an object with "singular", "plural" or both, not {noun!r}')
        for number in NUMBERS:
            if number in noun:
                if not isinstance(noun[number], str):
                    raise InputError(f"{where}: {number} must be a string, not {noun[number]!r}")
                if not is_unicode(noun[number]):
                    raise InputError(
                        f"{where}: {number} has half of a pair of surrogates, {noun[number]!a}; write it anew"
                    )
                if len(noun[number]) > LONGEST_FORM:
                    size = len(noun[number])
                    raise InputError(
                        f"{where}: {number} has {size:,} characters, more than {LONGEST_FORM:,}; shorten it"
                    )
                yield Entry(name, number, noun[number])


def terms_of(entries: Iterable[Entry]) -> list[Term]:
    """Convert a lexicon to the terms of the corrected procedure. Forms without a letter are left out."""
    forms = dict.fromkeys((fix_form(entry.form), entry.gender_class) for entry in entries)
    return [Term(form, gender_class) for form, gender_class in forms if any(map(str.isalpha, form))]


class Lexicon:
    """The forms of one language, prepared for both procedures.

    `published` has lower-cased forms as the file spells them. A form matches if it equals a single token. `corrected`
    has forms that are lower-cased, folded and trimmed, with single spaces. They match sequences of whole tokens,
    longest first. A form in two classes counts in both. `repairs` lists the forms that the corrected procedure fixed
    (trimmed, not_nfc, multi_word) or dropped (empty, no_letter).
    """

    def __init__(self, entries: list[Entry], folding: Folding = NO_FOLDING) -> None:
        self.published: dict[str, frozenset[str]] = {}
        self.repairs: dict[str, list[str]] = {name: [] for name in REPAIRS}
        for entry in entries:
            raw = entry.form.lower()
            self.published[raw] = self.published.get(raw, frozenset()) | {entry.gender_class}
            self._note_repairs(raw)
        self.corrected = TermMatcher(terms_of(entries), folding=folding)
        self._published_forms = frozenset(self.published)

    def _note_repairs(self, raw: str) -> None:
        form = fix_form(raw)
        if not form:
            self.repairs["empty"].append(raw)
        elif not any(map(str.isalpha, form)):
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
        if self._published_forms.isdisjoint(tokens):
            return []
        return [Match(token, self.published[token]) for token in tokens if token in self.published]
