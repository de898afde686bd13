"""Normalize texts and forms, so that a lexicon matches them however they are written.

The rows of `folding.tsv` for all languages and for one are applied in order. The kinds are `invisible` (characters
within words), `compatibility` (letters encoded by their shapes), `spelling` (one letter, written in several ways) and
`merged` (letters that not all texts distinguish, such as accents on capitals). A row replaces the matches of a regular
expression, or letter by letter if both cells are lists in brackets.
"""

import re
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from unicodedata import is_normalized, normalize

import regex

from textparity.errors import TableError
from textparity.files import read_tsv

TABLE = Path(__file__).parent / "resources" / "lexicons" / "folding.tsv"
COLUMNS = ("langs", "kind", "from", "to", "note")
ALL_LANGUAGES = "*"
COMPATIBILITY, MERGED = "compatibility", "merged"
KINDS = ("invisible", COMPATIBILITY, "spelling", MERGED)
Replace = Callable[["regex.Match[str]"], str]
NARROW_SPACE = "\u202f"
# Between the digits of a number, a narrow space is part of the word.
_NARROW_SPACE = regex.compile(rf"(?<!\p{{N}}){NARROW_SPACE}|{NARROW_SPACE}(?!\p{{N}})")
# White space within a line, and between lines, apart from the space and the line feed.
_WITHIN_LINES = "\t\x1c\x1d\x1e\x1f\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u205f\u3000"
_BETWEEN_LINES = "\r\x0b\x0c\x85\u2028"
# Before a space, it ends a paragraph: texts are joined in this way.
_PARAGRAPH_END = re.compile("\u2029(?!\\s)")
_PLAIN = str.maketrans(dict.fromkeys(_WITHIN_LINES, " ") | dict.fromkeys(_BETWEEN_LINES, "\n"))
_ASCII_SPACES = [space for space in _WITHIN_LINES + _BETWEEN_LINES if space.isascii()]
_is_spaced_oddly = re.compile(f"[{_WITHIN_LINES}{_BETWEEN_LINES}\u2029{NARROW_SPACE}]").search
_CLUSTER = regex.compile(r"\X")
_LOOK_AROUND = re.compile(r"\(\?<?[=!][^)]*\)")
_CLASSES = re.compile(r"\\[pP]\{\w+\}")
# A class, an escape or a letter of a regular expression, to be put into one class.
_SIGNS = re.compile(r"\[([^\]]*)\]|(\\u[0-9A-F]{4}|\\U[0-9A-F]{8}|[^+])")


@dataclass(frozen=True)
class SpellingRule:
    """One spelling and its replacement."""

    langs: frozenset[str]
    kind: str
    pattern: "regex.Pattern[str]"
    replace: Replace

    @cached_property
    def signs(self) -> str:
        """The content of a character class that contains at least one character of every match."""
        bare = _LOOK_AROUND.sub("", self.pattern.pattern)
        signs: list[str] = []
        for alternative in bare.split("|"):
            *_, last = _SIGNS.finditer(alternative)
            signs += last.groups("")
        return "".join(signs)


@dataclass(frozen=True)
class Folded:
    """A text as it is compared, with the start and end of each of its characters in the original, None if unchanged."""

    text: str
    starts: "array[int] | None" = None
    ends: "array[int] | None" = None

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Find the position of a part of the text, which must not be empty, in the original text."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


class Folding:
    """A normalization by rows. Without rows, texts are only put into NFC."""

    def __init__(self, rows: tuple[SpellingRule, ...] = ()) -> None:
        # Most texts have none of these characters. Testing this takes a hundredth of the time of the full expressions.
        self._rows = [(row, _any_of([row])) for row in rows]
        self._any = _any_of(rows)
        self._ascii = self._any.findall("".join(map(chr, range(128))))

    def fold(self, text: str) -> str:
        """Normalize a text for comparison."""
        if text.isascii() and not any(sign in text for sign in self._ascii):
            return text
        if not is_normalized("NFC", text):
            text = normalize("NFC", text)
        if not self._any.search(text):
            return text
        for row, signs in self._rows:
            if signs.search(text):
                text = row.pattern.sub(row.replace, text)
        return normalize("NFC", text)

    def fold_all(self, words: Iterable[str]) -> list[str]:
        """Normalize words, none of which has a line end, at once, which is faster than one by one."""
        lines = "\n".join(words)
        return self.fold(lines).split("\n") if lines else []

    def fold_placed(self, text: str) -> Folded:
        """Normalize a text, and keep the original position of each character."""
        if is_normalized("NFC", text) and not self._any.search(text):
            return Folded(text)
        length = len(text)
        starts = array("l", range(length))
        ends = array("l", range(1, length + 1))
        if not is_normalized("NFC", text):
            text, starts, ends = _replaced(text, starts, ends, _CLUSTER, _compose)
        for row, signs in self._rows:
            if signs.search(text):
                text, starts, ends = _replaced(text, starts, ends, row.pattern, row.replace)
        if not is_normalized("NFC", text):
            text, starts, ends = _replaced(text, starts, ends, _CLUSTER, _compose)
        return Folded(text, starts, ends)

    def changed(self, characters: Iterable[str]) -> list[str]:
        """Select the characters that a row may replace."""
        return self._any.findall("".join(characters))

    def fold_letter(self, letter: str) -> str:
        """Normalize a letter wherever it stands. Returns an empty string if that depends on what is beside it."""
        for row, signs in self._rows:
            if not signs.search(letter):
                continue
            if row.pattern.pattern not in (row.signs, f"[{row.signs}]"):
                return ""
            letter = row.pattern.sub(row.replace, letter)
        return letter

    def keeps_structure(self, sign: str) -> bool:
        """Check that a sign is replaced by whether letters are beside it, whichever they are."""
        text = f"o{sign}o"
        for row, signs in self._rows:
            if not signs.search(text):
                continue
            beside = "".join(_LOOK_AROUND.findall(row.pattern.pattern))
            single_signs = _CLASSES.sub("", beside)
            if any(map(str.isalnum, single_signs)):
                return False
            # A later row may replace what stands here now.
            text = row.pattern.sub(row.replace, text)
        return True


def plain_spaces(text: str) -> str:
    """Replace all white space in a text by spaces and line feeds, so that it separates words alike.

    The length stays the same. The narrow space between the digits of a number stays, and a paragraph separator before
    another space, which ends a sentence and a name.
    """
    if not _has_odd_spaces(text):
        return text
    text = text.replace("\r\n", " \n").translate(_PLAIN)
    text = _PARAGRAPH_END.sub("\n", text)
    return _NARROW_SPACE.sub(" ", text)


def _has_odd_spaces(text: str) -> bool:
    # Most texts of one line are like this, and the space is the only white space that Python prints as it is.
    if text.isprintable():
        return False
    if not text.isascii():
        return _is_spaced_oddly(text) is not None
    # Looking for single characters is faster than an expression.
    return any(map(text.__contains__, _ASCII_SPACES))


def _any_of(rows: Iterable[SpellingRule]) -> "re.Pattern[str]":
    signs = "".join(row.signs for row in rows)
    # Without rows, the expression never matches.
    return re.compile(f"[{signs}]" if signs else "(?!)")


def _compose(match: "regex.Match[str]") -> str:
    return normalize("NFC", match[0])


def _replaced(
    text: str, starts: "array[int]", ends: "array[int]", pattern: "regex.Pattern[str]", replace: Replace
) -> "tuple[str, array[int], array[int]]":
    """Replace the matches of a pattern in a text, whose characters have these starts and ends in the original."""
    parts: list[str] = []
    new_starts = array("l")
    new_ends = array("l")
    copied = 0
    for match in pattern.finditer(text):
        start, end = match.span()
        replacement = replace(match)
        if replacement == match[0]:
            continue
        parts += [text[copied:start], replacement]
        new_starts += starts[copied:start]
        new_ends += ends[copied:start]
        size = len(replacement)
        if size == end - start:
            new_starts += starts[start:end]
            new_ends += ends[start:end]
        else:
            new_starts.extend([starts[start]] * size)
            new_ends.extend([ends[end - 1]] * size)
        copied = end
    parts.append(text[copied:])
    new_starts += starts[copied:]
    new_ends += ends[copied:]
    return "".join(parts), new_starts, new_ends


@cache
def load_folding(lang: str = "", merges: bool = True) -> Folding:
    """Load the folding of a language, or of all. `merges` must be off for pipelines, which know the usual spelling."""
    rows = [row for row in read_rows(TABLE) if row.langs & {lang, ALL_LANGUAGES}]
    if not merges:
        rows = [row for row in rows if row.kind != MERGED]
    return Folding(tuple(rows))


@cache
def read_rows(path: Path) -> list[SpellingRule]:
    """Read the table. Raises `TableError`, with the line, if a row is wrong."""
    rows = []
    for line, cells in enumerate(read_tsv(path, COLUMNS, allowed={"kind": KINDS}), start=2):
        where = f"{path}, line {line}"
        try:
            pattern = regex.compile(cells["from"])
        except regex.error as error:
            raise TableError(f"{where}: {cells['from']!r} is not a regular expression ({error})") from None
        langs = frozenset(cells["langs"].split())
        replace = _replacement(cells, where)
        rows.append(SpellingRule(langs, cells["kind"], pattern, replace))
    return rows


def _replacement(cells: dict[str, str], where: str) -> Replace:
    if cells["kind"] == COMPATIBILITY:
        return lambda match: normalize("NFKC", match[0])
    to = cells["to"]
    if not to.startswith("["):
        return lambda match: to
    old = cells["from"].strip("[]")
    new = to.strip("[]")
    if len(old) != len(new):
        raise TableError(f"{where}: {len(old)} letters are replaced by {len(new)}; list as many")
    letters = dict(zip(old, new, strict=True))
    return lambda match: letters[match[0]]


# Only normalizes texts to NFC.
NO_FOLDING = Folding()
