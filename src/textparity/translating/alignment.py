"""Align the words of sentences and translations as fast_align does, and find the translated occupations.

This is the model of Dyer, Chahuneau and Smith (2013), A Simple, Fast, and Effective Reparameterization of IBM Model 2,
with the options of the paper's script (`fast_align -d -o -v`). Where no pipeline and no dictionary is newer than the
authors', it meets the counts of their logs to the last sentence (`tests/mirror/test_translation_study.py`). The wheel
systran-align learns the same model, but gives no forward alignments, differs between runs and ends at Python 3.11.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from textparity.folding import Folding
from textparity.translating.winomt import Sentence, Translation

# The number of passes, the probability that a translated word translates no word, and of a pair that is not known yet.
_PASSES, _NULL, _UNKNOWN = 5, 0.08, 1e-9
# The prior of the variational Bayes estimate.
_ALPHA = 0.01
# How strongly words are expected at the same position in both sentences, at first and at least and most.
_TENSION, _LEAST, _MOST = 4.0, 0.1, 14.0
_STEPS, _RATE = 8, 20.0
# Stands for the missing word of the first side if a word translates none.
_NO_WORD = ""
Pair = tuple[list[str], list[str]]


@dataclass(frozen=True)
class Occupation:
    """The positions of the words of a translation that are aligned with an occupation and its article.

    They are in the order of the English words. `english` is the occupation.
    """

    positions: tuple[int, ...]
    translation: tuple[str, ...]
    english: str

    @property
    def words(self) -> list[str]:
        """The aligned words."""
        return [self.translation[position] for position in self.positions]

    @property
    def text(self) -> str:
        """The aligned words with spaces between them."""
        return " ".join(self.words)


def find_occupations(
    sentences: Sequence[Sentence], translations: Sequence[Translation], folding: Folding
) -> tuple[list[Occupation], list[Occupation]]:
    """Find the translated occupation of each sentence, by both directions of alignment.

    The first, as published, aligns each translated word with an English one, and may leave an occupation without a
    word. The second aligns each English word with a translated one, in folded translations. There are as many
    translations as sentences, and none is empty.
    """
    sources = [translation.source.split() for translation in translations]
    targets = [translation.text.split() for translation in translations]
    folded = [folding.fold(translation.text).split() for translation in translations]
    published = _find_by_target(sentences, sources, targets)
    corrected = _find_by_source(sentences, sources, folded)
    return published, corrected


def _find_by_target(
    sentences: Sequence[Sentence], sources: list[list[str]], targets: list[list[str]]
) -> list[Occupation]:
    """Find the translated words that are aligned with an occupation's words."""
    links = align_words(list(zip(sources, targets, strict=True)))
    occupations: list[Occupation] = []
    for sentence, target, source_positions in zip(sentences, targets, links, strict=True):
        positions: list[int] = []
        for position in sentence.positions:
            positions += np.flatnonzero(source_positions == position).tolist()
        occupations.append(Occupation(tuple(positions), tuple(target), sentence.occupation))
    return occupations


def _find_by_source(
    sentences: Sequence[Sentence], sources: list[list[str]], targets: list[list[str]]
) -> list[Occupation]:
    """Find the translated words with which an occupation's words are aligned."""
    links = align_words(list(zip(targets, sources, strict=True)))
    occupations: list[Occupation] = []
    for sentence, target, target_positions in zip(sentences, targets, links, strict=True):
        # The translation may be of another sentence, which is shorter.
        positions: list[int] = []
        for source_position in sentence.positions:
            if source_position >= len(target_positions):
                continue
            position = int(target_positions[source_position])
            if position >= 0:
                positions.append(position)
        occupations.append(Occupation(tuple(positions), tuple(target), sentence.occupation))
    return occupations


def align_words(pairs: Sequence[Pair]) -> list[np.ndarray]:
    """Find for each word of the second side of a pair the position of the word of the first that it translates, or -1.

    Each array has the length of the second side.
    """
    cells = _Cells.of(pairs)
    joint = _learn(cells)
    links: list[np.ndarray] = []
    start = 0
    for source, target in pairs:
        end = start + (len(source) + 1) * len(target)
        by_word = joint[start:end].reshape(len(target), -1)
        # The first column stands for no word.
        links.append(by_word.argmax(axis=1) - 1)
        start = end
    return links


def _learn(cells: "_Cells") -> np.ndarray:
    """Learn the probability of each cell, jointly with that of its words, in several passes over all pairs."""
    # The probability of a word given a word of the first side, for each two that occur in a pair.
    given_source = np.full(len(cells.given), _UNKNOWN)
    tension = _TENSION
    for index in range(_PASSES - 1):
        joint = given_source[cells.combination] * cells.prior(tension)
        word_totals = np.bincount(cells.word, joint)
        posterior = joint / word_totals[cells.word]
        counts = np.bincount(cells.combination, posterior)
        if index:
            tension = cells.tune(posterior, tension)
        smoothed = counts + _ALPHA
        totals = np.bincount(cells.given, smoothed)
        expected_logs = digamma(smoothed) - digamma(totals)[cells.given]
        given_source = np.exp(expected_logs)
    return given_source[cells.combination] * cells.prior(tension)


class _PairCells(NamedTuple):
    """The cells of one pair, a row for each word of the second side; see `_Cells`.

    `source` and `target` number the words of both sides among all different words.
    """

    word: np.ndarray
    source: np.ndarray
    target: np.ndarray
    distance: np.ndarray
    moved: np.ndarray
    is_word: np.ndarray

    @classmethod
    def of(cls, source: np.ndarray, target: np.ndarray, first_word: int) -> "_PairCells":
        """Make the cells of a pair from the numbers of its words, with 0 for no word before those of the source."""
        shape = len(target), len(source)
        source_positions = np.arange(len(source))
        target_positions = np.arange(len(target))[:, np.newaxis]
        expected = source_positions / (len(source) - 1)
        from_one = (target_positions + 1) / len(target)
        from_zero = target_positions / len(target)
        is_word = np.broadcast_to(source_positions > 0, shape)
        return cls(
            word=np.broadcast_to(first_word + target_positions, shape),
            source=np.broadcast_to(source, shape),
            target=np.broadcast_to(target[:, np.newaxis], shape),
            distance=np.abs(expected - from_one) * is_word,
            moved=np.abs(expected - from_zero) * is_word,
            is_word=is_word,
        )


@dataclass(frozen=True)
class _Cells:
    """The cells of all pairs: for each word of the second side, one for no word and one for each word of the first.

    By cell: `word` numbers the word of the second side, `combination` that of both words; `distance` is that of their
    positions (from 1, as shares of the lengths), 0 for no word (`is_word`); `moved` is the same with the word's
    position from 0, which is what fast_align compares with its model. `given` has the first side's word of each
    combination. `lengths` are the lengths of both sides and a position, by how often they occur (`times`).
    """

    word: np.ndarray
    combination: np.ndarray
    distance: np.ndarray
    moved: np.ndarray
    is_word: np.ndarray
    given: np.ndarray
    lengths: np.ndarray
    times: np.ndarray

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> "_Cells":
        source_numbers = {_NO_WORD: 0}
        target_numbers: dict[str, int] = {}
        pair_cells: list[_PairCells] = []
        lengths: list[tuple[int, int, int]] = []
        words = 0
        for source, target in pairs:
            sources = _number_words([_NO_WORD, *source], source_numbers)
            targets = _number_words(target, target_numbers)
            cells = _PairCells.of(sources, targets, words)
            pair_cells.append(cells)
            for position in range(1, len(target) + 1):
                lengths.append((len(source), len(target), position))
            words += len(target)
        columns = zip(*pair_cells, strict=True)
        word, of_source, of_target, distance, moved, is_word = map(_join_cells, columns)
        keys = of_source * len(target_numbers) + of_target
        distinct_keys, combination = np.unique(keys, return_inverse=True)
        given = distinct_keys // len(target_numbers)
        distinct_lengths, times = np.unique(np.array(lengths), axis=0, return_counts=True)
        return cls(word, combination, distance, moved, is_word, given, distinct_lengths, times)

    def prior(self, tension: float) -> np.ndarray:
        """Compute the probability of each cell before its words are known (equation 2)."""
        weights = np.exp(-tension * self.distance)
        near = np.where(self.is_word, weights, 0)
        word_totals = np.bincount(self.word, near)
        totals = word_totals[self.word]
        of_words = (1 - _NULL) * near / totals
        return np.where(self.is_word, of_words, _NULL)

    def tune(self, posterior: np.ndarray, tension: float) -> float:
        """Move the tension towards the mean distance of what was aligned.

        As in fast_align, the model's mean is divided by a sum in which both lengths are swapped (`ComputeDLogZ`).
        """
        words = self.word[-1] + 1
        moved = posterior * self.moved
        aligned_mean = -moved[self.is_word].sum() / words
        source, target, position = self.lengths.T
        source_lengths = source[:, np.newaxis]
        positions = np.arange(1, source.max() + 1)
        is_inside = positions <= source_lengths
        expected_share = (position / target)[:, np.newaxis]
        distance = np.abs(positions / source_lengths - expected_share)
        for _ in range(_STEPS):
            weighted = distance * np.exp(-tension * distance)
            inside = np.where(is_inside, weighted, 0)
            terms = self.times * inside.sum(axis=1)
            means = terms / _swapped_sum(position, source, target, tension)
            model_mean = -means.sum() / words
            step = (aligned_mean - model_mean) * _RATE
            tension = float(np.clip(tension + step, _LEAST, _MOST))
        return tension


def _number_words(words: Iterable[str], numbers: dict[str, int]) -> np.ndarray:
    """Number words in the order in which they first occur in any pair. New ones are added to `numbers`."""
    return np.array([numbers.setdefault(word, len(numbers)) for word in words])


def _join_cells(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Join a column of the cells of all pairs."""
    return np.concatenate([column.ravel() for column in columns])


def _swapped_sum(position: np.ndarray, source: np.ndarray, target: np.ndarray, tension: float) -> np.ndarray:
    """Sum the weights of all positions of a word, by two geometric series from where it is expected."""
    expected = position / source
    below = np.floor(position * target / source)
    offset_below = below / target - expected
    offset_above = (below + 1) / target - expected
    # A position beyond the end leaves an endless series above it.
    terms_above = np.where(target >= below, target - below, np.inf)
    ratio = np.exp(-tension / target)
    sum_below = _sum_series(offset_below, ratio, below, tension)
    sum_above = _sum_series(offset_above, ratio, terms_above, tension)
    total = sum_above + sum_below
    return np.asarray(total / (1 - ratio))


def _sum_series(offset: np.ndarray, ratio: np.ndarray, terms: np.ndarray, tension: float) -> np.ndarray:
    """Sum a geometric series that begins at an offset from the expected position, multiplied by 1 - `ratio`."""
    first_term = np.exp(-tension * np.abs(offset))
    return np.asarray(first_term * (1 - ratio**terms))


def digamma(x: np.ndarray) -> np.ndarray:
    """Compute the digamma function of positive numbers, as `scipy.special.digamma` does, which the core lacks."""
    # Small numbers are moved up by the recurrence, as the series below needs large ones.
    x = np.array(x, float)
    shift = np.zeros_like(x)
    for _ in range(6):
        is_small = x < 6
        shift[is_small] -= 1 / x[is_small]
        x[is_small] += 1
    # The asymptotic series (Abramowitz and Stegun 6.3.18).
    y = 1 / x**2
    series = 1 / 240 - y / 132
    for coefficient in (1 / 252, 1 / 120, 1 / 12):
        series = coefficient - y * series
    half = 1 / (2 * x)
    return np.asarray(shift + np.log(x) - half - y * series)
