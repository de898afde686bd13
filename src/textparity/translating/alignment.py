"""Align the words of sentences and translations with fast_align (extra `translation`), and find the occupations.

The wheel systran-align learns the model of fast_align (Dyer, Chahuneau and Smith 2013) in both directions. Its own
alignments join both, which the paper does not do; the forward ones of the paper are decoded here from what it learned.
"""

import json
import math
import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from textparity.errors import MissingResourceError, how_to_install
from textparity.files import read_lines
from textparity.translating.winomt import SEPARATOR, Sentence

# Of each translated word: the probability that it translates no word, and one that is not in the table.
_NULL, _UNKNOWN = 0.08, 1e-9
# How much words are expected at the same place of both sentences. fast_align learns it but does not write it. In the 21
# translations of the authors that are public it learned 5.7 to 10.8; from 6 to 12, no accuracy moves by half a point.
_TENSION = 8.0
_VERSION = 2
_EMPTY_WORD = 1
_PAIR = struct.Struct("<If")
_HEAD = struct.Struct("<II")


@dataclass(frozen=True)
class Occupation:
    """The places of the words of a translation that are aligned with an occupation and its article.

    They are in the order of the English words. `english` is the occupation.
    """

    places: tuple[int, ...]
    translation: tuple[str, ...]
    english: str

    @property
    def words(self) -> list[str]:
        """The aligned words."""
        return [self.translation[place] for place in self.places]

    @property
    def text(self) -> str:
        """The aligned words with spaces between them."""
        return " ".join(self.words)


@dataclass(frozen=True)
class AlignedOccupations:
    """The occupation of each sentence by the forward alignment, as published, and by the symmetric one."""

    forward: list[Occupation]
    symmetric: list[Occupation]


def missing_aligner() -> str:
    """Explain why nothing can be aligned here, or return an empty text."""
    return "" if find_spec("systran_align") else f"systran-align is not installed: {how_to_install('translation')}"


def find_occupations(sentences: Sequence[Sentence], translations: Sequence[str]) -> AlignedOccupations:
    """Find the translated occupation of each sentence. Both have the same length; no translation is empty.

    Raises `MissingResourceError` without systran-align.
    """
    if reason := missing_aligner():
        raise MissingResourceError(reason)
    pairs = [(one.words, text.split()) for one, text in zip(sentences, translations, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        texts, forward, backward = (f"{folder}/{name}" for name in ("texts", "forward", "backward"))
        lines = (f"{' '.join(source)}{SEPARATOR}{' '.join(target)}\n" for source, target in pairs)
        Path(texts).write_text("".join(lines), "utf-8")
        call = f"from {__name__} import learn; learn({texts!r}, {forward!r}, {backward!r})"
        found = subprocess.run(
            [sys.executable, "-c", call], env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, check=False
        )
        if found.returncode:
            raise MissingResourceError(f"systran-align failed: {found.stderr.decode(errors='replace').strip()[-500:]}")
        table, symmetric = _ForwardTable(Path(forward)), json.loads(found.stdout)
    return AlignedOccupations(
        [_occupation(one, pair, table.align(*pair)) for one, pair in zip(sentences, pairs, strict=True)],
        [_occupation(one, pair, links) for one, pair, links in zip(sentences, pairs, symmetric, strict=True)],
    )


def learn(texts: str, forward: str, backward: str) -> None:
    """Learn from a file of pairs, write what was learned to two files, and print the symmetric alignments as JSON.

    `find_occupations` calls it in a process of its own: threads add up in any order, with other results each time, and
    their number is decided as OpenMP is loaded, which other libraries may have done here.
    """
    from systran_align import Aligner, generate_alignment_probabilities

    # The options -d, -o and -v of the paper's script.
    generate_alignment_probabilities(
        texts, forward, backward, favor_diagonal=True, optimize_tension=True, variational_bayes=True
    )
    aligner = Aligner(forward, backward)
    pairs = (line.split(SEPARATOR) for line in read_lines(Path(texts)))
    print(json.dumps([aligner.align(source.split(), target.split())["alignments"] for source, target in pairs]))


def _occupation(sentence: Sentence, pair: tuple[list[str], list[str]], links: Sequence[tuple[int, int]]) -> Occupation:
    places = tuple(to for place in sentence.places for of, to in links if of == place)
    return Occupation(places, tuple(pair[1]), sentence.occupation)


class _ForwardTable:
    """The probabilities of translated words given English ones, from the file that systran-align writes.

    The file has a version, the number of words, the words, each ending in a zero byte, a number that is not needed, and
    then for each English word its number, how many words it has, and their numbers and probabilities.
    """

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        version, words = _HEAD.unpack_from(data)
        if version != _VERSION:
            raise MissingResourceError(
                f"systran-align writes version {version} of its file, and {_VERSION} is read here; install 3.5"
            )
        place = _HEAD.size
        self._numbers: dict[str, int] = {}
        for number in range(1, words + 1):
            end = data.index(b"\0", place)
            self._numbers[data[place:end].decode()] = number
            place = end + 1
        place += 4
        self._rows: dict[int, dict[int, float]] = {}
        while place < len(data):
            english, size = _HEAD.unpack_from(data, place)
            place += _HEAD.size
            self._rows[english] = dict(_PAIR.iter_unpack(data[place : place + size * _PAIR.size]))
            place += size * _PAIR.size

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
        """Link each translated word with the English word that it most probably translates, if there is one."""
        return list(self._links(source, target))

    def _links(self, source: Sequence[str], target: Sequence[str]) -> Iterator[tuple[int, int]]:
        rows = [self._rows.get(self._numbers.get(word, 0), {}) for word in source]
        nothing = self._rows.get(_EMPTY_WORD, {})
        for to, word in enumerate(target):
            number = self._numbers.get(word, 0)
            # Dyer et al. 2013, equations 1 and 2.
            distances = [abs((to + 1) / len(target) - (of + 1) / len(source)) for of in range(len(source))]
            near = [math.exp(-_TENSION * distance) for distance in distances]
            share = (1 - _NULL) / sum(near)
            best, found = _NULL * nothing.get(number, _UNKNOWN), -1
            for of, row in enumerate(rows):
                if (probability := row.get(number, _UNKNOWN) * near[of] * share) > best:
                    best, found = probability, of
            if found >= 0:
                yield found, to
