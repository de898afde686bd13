"""Read texts as numbers of their pieces, between spaces, of which most are known only by their shape.

Real text never stops to bring new words, but few of them matter to a lexicon. A piece is *folded* to its shape: runs of
letters or digits that occur in no form, context or pattern are replaced, letter by letter of one kind, by one letter
(`q` for small ones, `Q` for capitals), which stands up to four times at the beginning of a piece, and once elsewhere.
All else stays. Boundaries of words and sentences depend on the kinds of characters, so ICU splits the shape as it
splits the piece. All that a counter needs to know of a piece is then known of its shape. Where it needs the letters,
beside a form or in a name, it reads the piece again from the text (`Pieces.strings`).

`_pieces.c` does the same as `PythonReader`, ten times as fast. It is optional.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from itertools import chain, pairwise
from secrets import randbits
from typing import Any
from unicodedata import category, is_normalized
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import regex
from icu4py.breakers import SentenceBreaker, WordBreaker

from textparity.counting.line_ends import MARKS
from textparity.counting.regex_prefilter import PieceFilter
from textparity.counting.terms import (
    LONGEST_ENDING,
    LONGEST_LEFT,
    LONGEST_TAIL,
    MOST_REPLACED,
    SPLITTING_SIGNS,
    TermMatcher,
)
from textparity.counting.tokenizers import APOSTROPHES
from textparity.folding import Folding

CompiledReader: Any = None
with suppress(ImportError):
    CompiledReader = import_module("textparity.counting._pieces").Reader

# Texts are split into pieces in portions of this many characters.
WINDOW = 2_000_000
# The fallback remembers the numbers of this many pieces as they were read.
MOST_READ = 500_000
SHOWN = 4
PLANE = 65_536
# General punctuation and common symbols come before this character.
LAST_SIGN = 0x2100
OTHER, LOWER, UPPER, DIGIT, CASELESS, SIGN = 0, 1, 2, 3, 4, 32
# Properties of signs, as bits: a splitting form may have it (*profesor/a*); a pattern needs it between letters; it may
# be an apostrophe.
SPLITS, INNER, QUOTE = 1, 2, 4
# Properties of runs, as bits: it is part of a form, or of the context of one; it is joined there to others, by a digit,
# an underscore or a full stop; an apostrophe joins it to others; it is a form that may be written as a splitting form.
FORM, CONTEXT, JOINED, CLITIC, GENDERED = (1 << bit for bit in range(5))
# Scripts without capitals: boundaries in Hebrew and sentences in Georgian follow rules of their own.
_SCRIPTS = ("Arab", "Hebr", "Geor")
# What may stand for small letters, digits, and the letters of each of these scripts.
_STAND_INS = ("qxjwkz", "0123456789", "بثجخظ", "אזצק", "ჟჭჰ")
# In other scripts, ICU splits runs of letters by dictionaries, or letters combine with marks that are not letters.
_ALPHABETS = regex.compile(r"[0-9\p{Latn}\p{Cyrl}\p{Grek}\p{Arab}\p{Hebr}\p{Armn}\p{Geor}]")
_SIGN = regex.compile(r"[\p{P}\p{Sm}\p{Sc}\p{Sk}\p{So}--\u00b4]", regex.V1)
# Between two runs, these make one word of them.
_JOINING = ("", "_", ".")
_RUN = re.compile(r"[^\W\d_]+|\d+")
_UNKNOWN = "\0"


@dataclass(frozen=True)
class Shapes:
    """What may be folded. `kinds` and `lowered` have an item for each character of the basic plane.

    `runs` maps runs of letters or digits to bits (`FORM` and those after it). A piece with one of `parts` within a run
    stays as it is; so does one with a capital after a small letter, if `keeps_inner_capitals`. `letters` has the letter
    that stands for those of a kind.
    """

    kinds: np.ndarray
    lowered: np.ndarray
    runs: Mapping[str, int]
    parts: tuple[str, ...]
    letters: Mapping[int, str]
    keeps_inner_capitals: bool = False

    def is_shape(self, piece: str) -> bool:
        """Check whether a piece may be a shape."""
        return self._folded_run.search(piece) is not None

    def keeps_letters(self, shape: str) -> bool:
        """Check whether a shape has letters of the piece, as its forms are."""
        return self._kept_letter.search(shape) is not None

    @cached_property
    def _kept_letter(self) -> "re.Pattern[str]":
        return re.compile(rf"(?![{''.join(self.letters.values())}])[^\W\d_]")

    @cached_property
    def _folded_run(self) -> "re.Pattern[str]":
        letters = "".join(self.letters[kind] for kind in sorted(self.letters) if kind != DIGIT)
        return re.compile(rf"(?<![^\W\d_])[{letters}]+(?![^\W\d_])|(?<!\d){self.letters[DIGIT]}(?!\d)")


def make_shapes(
    locale: str,
    folding: Folding,
    matchers: Iterable[TermMatcher],
    filters: Iterable[PieceFilter],
    forms: Iterable[str],
    clitics: Iterable[str],
    is_published: bool,
) -> Shapes:
    """Derive what may be folded from everything that reads the letters of a piece.

    `filters` are those of the matchers' patterns, `forms` those of the published procedure. If `is_published`, letters
    count as they are written, too.
    """
    kinds, lowered = _alphabet(locale, folding, is_published)
    runs: dict[str, int] = {}
    parts: set[str] = set()
    keeps_inner_capitals = False
    may_join = re.compile(rf"[\d{re.escape(''.join(_JOINING))}]").search

    def keep(words: Iterable[str], bit: int) -> None:
        joining: list[str] = []
        others: list[str] = []
        for word in words:
            (joining if may_join(word) else others).append(word)
        # Most of the thousands of forms that are read at the start are such words, which are read at once.
        for run in set(_RUN.findall("\n".join(others))):
            runs[run] = runs.get(run, 0) | bit
        for word in joining:
            found = list(_RUN.finditer(word))
            joined = {
                run for pair in pairwise(found) if word[pair[0].end() : pair[1].start()] in _JOINING for run in pair
            }
            for run in found:
                runs[run[0]] = runs.get(run[0], 0) | bit | (JOINED if run in joined else 0)

    keep(forms, FORM)
    keep(clitics, CLITIC)
    for matcher, of_patterns in zip(matchers, filters, strict=True):
        keep(matcher.rules, FORM)
        keep(chain.from_iterable(context.words for context in matcher.contexts), CONTEXT)
        if "names" in matcher.layers:
            for word in matcher.name_rules.beside_names:
                # Contexts are read at the ends of a piece alone (*Dr.h.c.*).
                keep([word], CONTEXT if len(_RUN.findall(word)) < 3 else FORM)
        if "inclusive" in matcher.layers:
            _mark(kinds, SPLITTING_SIGNS, SPLITS)
            runs.update((form, runs[form] | GENDERED) for form in matcher.splitting.genders if form in runs)
        if of_patterns.needs is None:
            return NOTHING_FOLDED
        # A word of an expression may be part of a word of ICU, as in *Mx.Smith*.
        keep(folding.fold_all(of_patterns.needs.runs), FORM | JOINED)
        keep(folding.fold_all(of_patterns.needs.words_between), CONTEXT)
        parts.update(folding.fold_all(of_patterns.needs.parts))
        keeps_inner_capitals |= of_patterns.needs.inner_capitals
        _mark(kinds, of_patterns.needs.signs, INNER)
        needed = np.frombuffer("".join(of_patterns.needs.characters).encode("utf-32-le"), np.uint32)
        kinds[needed[needed < PLANE]] = OTHER
    # No row of stand-ins may be a word that counts.
    kept = {run[0] for run, bits in runs.items() if bits & (FORM | CONTEXT | CLITIC) and run == run[0] * len(run)}
    found = [next((one for one in letters if one not in kept), "") for letters in _STAND_INS]
    if not all(found):
        return NOTHING_FOLDED
    small, digit, *others = found
    letters = {LOWER: small, UPPER: small.upper(), DIGIT: digit} | dict(enumerate(others, start=CASELESS))
    return Shapes(kinds, lowered, runs, tuple(sorted(parts)), letters, keeps_inner_capitals)


NOTHING_FOLDED = Shapes(np.zeros(PLANE, np.uint8), np.arange(PLANE, dtype=np.uint16), {}, (), {LOWER: "q", DIGIT: "0"})


def _mark(kinds: np.ndarray, signs: Iterable[str], bit: int) -> None:
    for sign in signs:
        if ord(sign) < PLANE and kinds[ord(sign)] >= SIGN:
            kinds[ord(sign)] |= bit


@cache
def _characters() -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Make the tables of kinds and of lower-cased letters by Unicode alone, and list the letters and digits."""
    kinds, lowered = np.zeros(PLANE, np.uint8), np.arange(PLANE, dtype=np.uint16)
    # One string for each letter serves all languages.
    letters = tuple(letter for letter in map(chr, range(PLANE)) if _ALPHABETS.match(letter) and letter.isalnum())
    scripts = [set(regex.findall(rf"\p{{{script}}}", "".join(letters))) for script in _SCRIPTS]
    for letter in letters:
        lower = letter.lower()
        of_script = next((number for number, script in enumerate(scripts) if letter in script), None)
        if len(lower) != 1 or letter == "Σ" or not is_normalized("NFC", letter + lower):
            continue
        if of_script is None:
            by_category = {"Ll": LOWER, "Lu": UPPER, "Nd": DIGIT if letter.isascii() else OTHER}
            kinds[ord(letter)] = by_category.get(category(letter), OTHER)
        elif category(letter) in ("Lo", "Ll"):
            kinds[ord(letter)] = CASELESS + of_script
        lowered[ord(letter)] = ord(lower)
    for sign in (*filter(_SIGN.match, map(chr, range(PLANE))), *MARKS):
        kinds[ord(sign)] = SIGN
    _mark(kinds, APOSTROPHES, QUOTE)
    return kinds, lowered, letters


def _alphabet(locale: str, folding: Folding, is_published: bool) -> tuple[np.ndarray, np.ndarray]:
    """Make the tables of kinds and of letters as they are compared, before signs and letters of patterns."""
    kinds, lowered, letters = _characters()
    kinds, lowered = kinds.copy(), lowered.copy()
    kinds[[ord(letter) for letter in set(letters) - plain_letters(locale)]] = OTHER
    for character in folding.changed(map(chr, np.flatnonzero(kinds).tolist())):
        lower = folding.fold_letter(character).lower()
        if kinds[ord(character)] >= SIGN:
            kinds[ord(character)] *= folding.keeps_structure(character)
            if folding.fold(f"a{character}a")[1] in APOSTROPHES:
                _mark(kinds, character, QUOTE)
        elif is_published or len(lower) != 1 or kinds[ord(lower)] == OTHER or not is_normalized("NFC", lower):
            kinds[ord(character)] = OTHER
        else:
            lowered[ord(character)] = ord(lower)
    return kinds, lowered


@cache
def plain_letters(locale: str) -> frozenset[str]:
    """Select the letters and digits that ICU never separates from each other, so that a piece of them is one word."""
    _, _, letters = _characters()
    words = iter(WordBreaker("".join(f"{letter}a{letter * 2}1\n" for letter in letters), locale))
    plain = []
    for letter in letters:
        word = next(words)
        if word[-1] == "1":
            plain.append(letter)
        while word != "\n":
            word = next(words)
    return frozenset(plain)


@cache
def plain_signs(locale: str) -> str:
    """Select the signs that ICU separates from everything beside them, and after which no sentence ends."""

    def is_plain(sign: str) -> bool:
        words = list(WordBreaker(f"a{sign}\n{sign}a\n{sign}{sign}", locale))
        sentences = list(SentenceBreaker(f"a{sign} A", locale))
        return words == ["a", sign, "\n", sign, "a", "\n", sign, sign] and len(sentences) == 1

    signs = filter(_SIGN.match, map(chr, range(LAST_SIGN)))
    return "".join(sign for sign in signs if sign not in APOSTROPHES and is_plain(sign))


@dataclass(frozen=True)
class Pieces:
    """The pieces of some texts: their numbers, and where those of each text end.

    `folded` tells which are known by their shape only. Their letters are compared by `keys`: equal words have equal
    keys; 0 is unknown. `string` reads a piece, by the numbers of its text and of itself, as it stands there.
    """

    numbers: np.ndarray
    ends: np.ndarray
    folded: np.ndarray
    keys: np.ndarray
    new: list[str]
    string: Callable[[int, int], str] = field(repr=False)

    def strings(self, places: np.ndarray) -> list[str]:
        """Read some pieces as they stand in their texts."""
        texts = np.searchsorted(self.ends, places, "right")
        return list(map(self.string, texts.tolist(), places.tolist()))


def make_reader(shapes: Shapes) -> "_Compiled | PythonReader":
    """Make the fastest reader that can be had."""
    return _Compiled(shapes) if CompiledReader else PythonReader(shapes)


class _Compiled:
    """The reader in C, with the methods of `PythonReader`."""

    def __init__(self, shapes: Shapes) -> None:
        tables = shapes.kinds.tobytes(), shapes.lowered.tobytes()
        self._reader: Any = CompiledReader(
            *tables,
            dict(shapes.letters),
            dict(shapes.runs),
            list(shapes.parts),
            shapes.keeps_inner_capitals,
            randbits(64),
        )
        self.number, self.key, self.clear = self._reader.number, self._reader.key, self._reader.clear

    def read(self, texts: list[str]) -> Pieces:
        numbers, ends, offsets, keys, new = self._reader.read(texts)
        offsets = np.frombuffer(offsets, np.int32)
        read_piece = self._reader.piece

        def read(text: int, place: int) -> str:
            offset = int(offsets[place])
            return read_piece(texts[text], offset if offset >= 0 else -1 - offset)

        return Pieces(
            np.frombuffer(numbers, np.int32),
            np.frombuffer(ends, np.int64),
            offsets >= 0,
            np.frombuffer(keys, np.uint32),
            new,
            read,
        )


class PythonReader:
    """A reader in Python, for machines without the compiled one.

    It numbers pieces from 0 on. New pieces are returned with the numbers, in their order.
    """

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._numbers: dict[str, int] = {}
        # New pieces, perhaps since an earlier call that failed.
        self._untold: list[str] = []
        # The numbers of pieces as they were read, below 0 (-1 - number) for folded ones, and the keys of these.
        self._read: dict[str, int] = {}
        self._keys: dict[str, int] = {}
        known = {code: kind for code, kind in enumerate(shapes.kinds.tolist()) if kind != OTHER}
        letters = shapes.letters
        self._shape = _Letters({code: chr(code) if kind >= SIGN else letters[kind] for code, kind in known.items()})
        self._lower = {code: int(shapes.lowered[code]) for code in known}
        self._splitting, self._quotes, inner = (
            "".join(chr(code) for code, kind in known.items() if kind >= SIGN and kind & bit)
            for bit in (SPLITS, QUOTE, INNER)
        )
        self._has_inner = re.compile(rf"[^\W_].*[{re.escape(inner)}].*[^\W\d_]" if inner else "(?!)").search
        row = "".join(letters.values())
        self._row = re.compile(f"[{row}]").search
        # A row of capitals is shortened to as many letters as there are to tell, any other one to one.
        self._long_row = re.compile(rf"({letters.get(UPPER, _UNKNOWN)}){{{SHOWN},}}|([{row}])\2+").sub
        self._has_splitting = re.compile(f"[{re.escape(self._splitting)}]" if self._splitting else "(?!)").search
        self._cased = {letters.get(LOWER), letters.get(UPPER)}
        signs, capitals, small = (
            re.escape(
                "".join(
                    chr(code)
                    for code, kind in known.items()
                    if is_of(kind) and chr(code).lower() == chr(self._lower[code])
                )
            )
            for is_of in (SIGN.__le__, UPPER.__eq__, LOWER.__eq__)
        )
        # A word with signs on its sides, as most pieces are.
        self._plain = re.compile(rf"([{signs}]*)([{capitals}]?)([{small}]+)([{signs}]*)" if small else "(?!)").fullmatch
        self._has_part = re.compile("|".join(map(re.escape, shapes.parts)) or "(?!)").search
        all_small, all_capitals = (
            re.escape("".join(chr(code) for code, kind in known.items() if kind == wanted)) for wanted in (LOWER, UPPER)
        )
        has_cases = shapes.keeps_inner_capitals and all_small and all_capitals
        self._has_inner_capital = re.compile(f"[{all_small}][{all_capitals}]" if has_cases else "(?!)").search

    def read(self, texts: list[str]) -> Pieces:
        """Read texts, in which a line feed counts as a space."""
        if len(self._read) > MOST_READ:
            self._read.clear()
            self._keys.clear()
        coded: list[pa.DictionaryArray] = []
        numbers, keys = [np.empty(0, np.int64)], [np.empty(0, np.uint32)]
        sizes = np.zeros(len(texts), np.int64)
        for owners, parts in _portions(texts):
            lines = pa.array(parts, pa.large_string())
            if b"\n" in lines.buffers()[2].to_pybytes():
                lines = pc.replace_substring(lines, "\n", " ")
            lists = pc.split_pattern(lines, " ")
            coded.append(lists.flatten().dictionary_encode())
            distinct = coded[-1].dictionary.to_pylist()
            indices = coded[-1].indices.to_numpy()
            numbers.append(np.array([self._number_of(piece) for piece in distinct], np.int64)[indices])
            keys.append(np.array([self._keys.get(piece, 0) for piece in distinct], np.uint32)[indices])
            np.add.at(sizes, owners, np.diff(lists.offsets.to_numpy()))
        starts = np.cumsum([len(of_portion) for of_portion in numbers])

        def read(text: int, place: int) -> str:
            portion = int(np.searchsorted(starts, place, "right")) - 1
            return coded[portion][place - int(starts[portion])].as_py()

        found = np.concatenate(numbers)
        folded = found < 0
        found = np.where(folded, -1 - found, found).astype(np.int32)
        return Pieces(found, np.cumsum(sizes), folded, np.concatenate(keys), self._new(), read)

    def number(self, pieces: list[str]) -> tuple[list[int], list[str]]:
        """Number pieces as they are. Also returns the new ones."""
        return [self._look_up(piece) for piece in pieces], self._new()

    def key(self, word: str) -> int:
        """Return the key of a folded piece that has only this word. It is not 0."""
        return crc32(word.translate(self._lower).encode()) | 1

    def clear(self) -> None:
        """Forget all pieces."""
        self._numbers.clear()
        self._read.clear()
        self._keys.clear()
        self._untold.clear()

    def _new(self) -> list[str]:
        new, self._untold = self._untold, []
        return new

    def _look_up(self, piece: str) -> int:
        number = self._numbers.get(piece)
        if number is None:
            number = self._numbers[piece] = len(self._numbers)
            self._untold.append(piece)
        return number

    def _number_of(self, piece: str) -> int:
        number = self._read.get(piece)
        if number is None:
            shape = self._fold(piece)
            number = self._look_up(shape or piece)
            number = self._read[piece] = -1 - number if shape else number
            if shape:
                self._keys[piece] = self._key_of(piece)
        return number

    def _key_of(self, piece: str) -> int:
        """Compute the key of a piece whose only run is of letters; 0 for any other piece."""
        runs = _RUN.findall(piece)
        has_one_word = len(runs) == 1 and not runs[0].isdigit()
        return self.key(runs[0]) if has_one_word else 0

    def _fold(self, piece: str) -> str:
        """Fold a piece to its shape. Returns an empty string if it has to stay as it is."""
        if plain := self._plain(piece):
            before, capital, small, after = plain.groups()
            word = (capital + small).lower()
            if word not in self._shapes.runs and not self._has_part(word):
                letter = self._shapes.letters[LOWER]
                row = letter if capital else letter * min(len(small), SHOWN)
                return f"{before}{letter.upper() if capital else ''}{row}{after}"
        shape = piece.translate(self._shape)
        if _UNKNOWN in shape:
            return ""
        lower = piece.translate(self._lower)
        if self._has_part(lower) or self._has_inner(lower) or self._has_inner_capital(piece):
            return ""
        runs = list(_RUN.finditer(lower))
        bits = [self._shapes.runs.get(run[0], 0) for run in runs]
        if self._splitting and self._has_splitting(piece) and self._may_split(lower, runs):
            return ""
        if not any(bits):
            return self._shorten(shape)
        for number, (left, right) in enumerate(pairwise(runs)):
            between = piece[left.end() : right.start()]
            cased = shape[left.end() - 1] in self._cased and shape[right.start()] in self._cased
            if between in _JOINING and (between != "." or cased):
                for place in (number, number + 1):
                    if not bits[place] & JOINED:
                        bits[place] &= ~(FORM | CONTEXT)
        has_form = any(bit & FORM for bit in bits)
        first, last = len(piece) - len(piece.lstrip("_")), len(piece.rstrip("_"))
        parts, end = [], 0
        for run, bit in zip(runs, bits, strict=True):
            start, stop = run.span()
            if (
                bit & FORM
                or (bit & CONTEXT and (has_form or start <= first or stop + 1 >= last))
                or (
                    bit & CLITIC
                    and any(beside in self._quotes for beside in (*piece[:start][-1:], *piece[stop : stop + 1]))
                )
            ):
                parts += [self._shorten(shape[end:start]), piece[start:stop]]
                end = stop
        found = "".join([*parts, self._shorten(shape[end:])])
        return "" if found == piece else found

    def _shorten(self, shape: str) -> str:
        """Shorten rows of letters. The first row, and rows of capitals, tell initials and elided articles."""
        first = self._row(shape)
        if not first:
            return shape
        start = first.start() + SHOWN
        return shape[:start] + self._long_row(lambda row: row[1] * SHOWN if row[1] else row[2], shape[start:])

    def _may_split(self, lower: str, runs: Sequence["re.Match[str]"]) -> bool:
        """Check whether a run after a splitting sign may complete a gendered form."""
        words = [run[0] for run in runs]
        for number, run in enumerate(runs):
            before = lower[: run.start()].removesuffix("-") or lower[: run.start()]
            if before[-1:] in self._splitting and before and not run[0].isdigit():
                left = words[number - 1][-LONGEST_LEFT:] if number else ""
                after = words[number + 1] if number + 1 < len(words) else ""
                for kept in {0, *range(max(0, len(left) - MOST_REPLACED), len(left) + 1)}:
                    for tail in {"", after, after[:LONGEST_TAIL]}:
                        if self._shapes.runs.get(left[:kept] + run[0][:LONGEST_ENDING] + tail, 0) & GENDERED:
                            return True
        return False


class _Letters(dict[int, str]):
    def __missing__(self, code: int) -> str:
        return _UNKNOWN


def _portions(texts: Sequence[str]) -> Iterator[tuple[Sequence[int], Sequence[str]]]:
    """Split texts into portions of similar length, with the texts' numbers. Long texts are split at spaces."""
    if sum(map(len, texts)) <= 2 * WINDOW:
        yield range(len(texts)), texts
        return
    owners: list[int] = []
    parts: list[str] = []
    characters = 0
    for number, text in enumerate(texts):
        start = 0
        while start <= len(text):
            cut = text.rfind(" ", start, start + WINDOW) if len(text) - start > WINDOW else len(text)
            cut = cut if cut > start else len(text)
            owners.append(number)
            parts.append(text[start:cut])
            characters += cut - start
            start = cut + 1
            if characters >= WINDOW:
                yield owners, parts
                owners, parts, characters = [], [], 0
    if parts:
        yield owners, parts
