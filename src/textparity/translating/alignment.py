"""Align the words of sentences and translations as fast_align does, and find the translated occupations.

This is the model of Dyer, Chahuneau and Smith (2013), A Simple, Fast, and Effective Reparameterization of IBM Model 2,
with the options of the paper's script (`fast_align -d -o -v`). Where no pipeline and no dictionary is newer than the
authors', it meets the counts of their logs to the last sentence (`tests/mirror/test_translation_study.py`). The wheel
systran-align learns the same model, but gives no forward alignments, differs between runs and ends at Python 3.11.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textparity.folding import Folding
from textparity.translating.winomt import Sentence, Translation

# The number of passes, the probability that a translated word translates no word, and of a pair that is not known yet.
_PASSES, _NULL, _UNKNOWN = 5, 0.08, 1e-9
# The prior of the variational Bayes estimate.
_ALPHA = 0.01
# How strongly words are expected at the same place of both sentences, at first and at least and most.
_TENSION, _LEAST, _MOST = 4.0, 0.1, 14.0
_STEPS, _RATE = 8, 20.0
Pair = tuple[list[str], list[str]]


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
    published, corrected = [], []
    forward = align_words(list(zip(sources, targets, strict=True)))
    for sentence, target, to_source in zip(sentences, targets, forward, strict=True):
        places: list[int] = []
        for place in sentence.places:
            places += np.flatnonzero(to_source == place).tolist()
        published.append(Occupation(tuple(places), tuple(target), sentence.occupation))
    backward = align_words(list(zip(folded, sources, strict=True)))
    for sentence, target, to_target in zip(sentences, folded, backward, strict=True):
        inside = [place for place in sentence.places if place < len(to_target)]
        linked = to_target[inside].tolist() if inside else []
        places = [place for place in linked if place >= 0]
        corrected.append(Occupation(tuple(places), tuple(target), sentence.occupation))
    return published, corrected


def align_words(pairs: Sequence[Pair]) -> list[np.ndarray]:
    """Find for each word of the second side of a pair the place of the word of the first that it translates, or -1."""
    cells = _Cells.of(pairs)
    # `known` is the probability of a word given a word of the first side, for each two that occur in a pair.
    known, tension = np.full(len(cells.given), _UNKNOWN), _TENSION
    for number in range(_PASSES):
        joint = known[cells.combination] * cells.prior(tension)
        if number == _PASSES - 1:
            break
        posterior = joint / np.bincount(cells.word, joint)[cells.word]
        counts = np.bincount(cells.combination, posterior)
        if number:
            tension = cells.tune(posterior, tension)
        totals = np.bincount(cells.given, counts + _ALPHA)
        known = np.exp(digamma(counts + _ALPHA) - digamma(totals)[cells.given])
    links, first = [], 0
    for source, target in pairs:
        size = (len(source) + 1) * len(target)
        links.append(joint[first : first + size].reshape(len(target), -1).argmax(axis=1) - 1)
        first += size
    return links


@dataclass(frozen=True)
class _Cells:
    """The cells of all pairs: for each word of the second side, one for no word and one for each word of the first.

    By cell: `word` numbers the word of the second side, `combination` that of both words; `distance` is that of their
    places (from 1, as shares of the lengths), 0 for no word (`is_word`); `moved` is the same with the word's place from
    0, which is what fast_align compares with its model. `given` has the first side's word of each combination.
    `lengths` are the lengths of both sides and a place, by how often they occur (`times`).
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
        sources: dict[str, int] = {}
        targets: dict[str, int] = {}
        parts: list[tuple[np.ndarray, ...]] = []
        lengths, words = [], 0
        for source, target in pairs:
            # 0 is no word.
            of = np.array([0, *(sources.setdefault(word, len(sources) + 1) for word in source)])
            to = np.array([targets.setdefault(word, len(targets)) for word in target])
            place, at = np.arange(len(of)) / len(source), np.arange(len(to))[:, np.newaxis]
            is_word = np.broadcast_to(np.arange(len(of)) > 0, (len(to), len(of)))
            distance, moved = (np.abs(place - (at + start) / len(to)) * is_word for start in (1, 0))
            numbers = words + np.repeat(np.arange(len(to)), len(of))
            parts.append((numbers, np.tile(of, len(to)), np.repeat(to, len(of)), distance, moved, is_word))
            lengths += [(len(source), len(target), number) for number in range(1, len(target) + 1)]
            words += len(target)
        word, of, to, distance, moved, is_word = (
            np.concatenate([part.ravel() for part in column]) for column in zip(*parts, strict=True)
        )
        keys, combination = np.unique(of * len(targets) + to, return_inverse=True)
        kinds, times = np.unique(np.array(lengths), axis=0, return_counts=True)
        return cls(word, combination, distance, moved, is_word, keys // len(targets), kinds, times)

    def prior(self, tension: float) -> np.ndarray:
        """Compute the probability of each cell before its words are known (equation 2)."""
        near = np.where(self.is_word, np.exp(-tension * self.distance), 0)
        return np.where(self.is_word, (1 - _NULL) * near / np.bincount(self.word, near)[self.word], _NULL)

    def tune(self, posterior: np.ndarray, tension: float) -> float:
        """Move the tension towards the mean distance of what was aligned.

        As in fast_align, the model's mean is divided by a sum in which both lengths are swapped (`ComputeDLogZ`).
        """
        words = self.word[-1] + 1
        seen = -(posterior * self.moved)[self.is_word].sum() / words
        source, target, place = self.lengths.T
        others = np.arange(1, source.max() + 1)
        distance = np.abs(others / source[:, np.newaxis] - (place / target)[:, np.newaxis])
        for _ in range(_STEPS):
            terms = np.where(others <= source[:, np.newaxis], distance * np.exp(-tension * distance), 0).sum(axis=1)
            expected = -(self.times * terms / _swapped_sum(place, source, target, tension)).sum() / words
            tension = float(np.clip(tension + (seen - expected) * _RATE, _LEAST, _MOST))
        return tension


def _swapped_sum(place: np.ndarray, source: np.ndarray, target: np.ndarray, tension: float) -> np.ndarray:
    """Sum the weights of all places of a word, by two geometric series from where it is expected."""
    expected = place / source
    below = np.floor(place * target / source)
    ratio = np.exp(-tension / target)
    first_below = np.exp(-tension * np.abs(below / target - expected))
    first_above = np.exp(-tension * np.abs((below + 1) / target - expected))
    terms_above = np.maximum(target - below, 0)
    # A place beyond the end leaves an endless series above it.
    above = np.where(target >= below, 1 - ratio**terms_above, 1)
    total = first_above * above + first_below * (1 - ratio**below)
    return np.asarray(total / (1 - ratio))


def digamma(x: np.ndarray) -> np.ndarray:
    """Compute the digamma function of positive numbers, as `scipy.special.digamma` does, which the core lacks."""
    x = np.array(x, float)
    shifted = np.zeros_like(x)
    for _ in range(6):
        small = x < 6
        shifted[small] -= 1 / x[small]
        x[small] += 1
    # The asymptotic series (Abramowitz and Stegun 6.3.18).
    y = 1 / x**2
    series = 1 / 240 - y / 132
    for coefficient in (1 / 252, 1 / 120, 1 / 12):
        series = coefficient - y * series
    return np.asarray(shifted + np.log(x) - 1 / (2 * x) - y * series)
