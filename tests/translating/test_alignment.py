"""Finding translated occupations by alignment: the model of fast_align, on small texts and the demo's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from textparity.folding import NO_FOLDING
from textparity.translating.alignment import align_words, digamma, find_occupations
from textparity.translating.winomt import read_sentences, read_translations


@given(st.lists(st.floats(1e-3, 1e6), min_size=1))
def test_digamma_is_that_of_scipy(numbers):
    assert digamma(np.array(numbers)) == pytest.approx(special.digamma(numbers), rel=1e-9, abs=1e-9)


def test_words_that_go_together_are_aligned():
    texts = [("the clerk left", "der Kaufmann ging"), ("the nurse left", "die Schwester ging"),
             ("the clerk slept", "der Kaufmann schlief"), ("the nurse slept", "die Schwester schlief")]  # fmt: skip
    pairs = [(source.split(), target.split()) for source, target in texts]
    assert [links.tolist() for links in align_words(pairs)] == [[0, 1, 2]] * 4


@pytest.fixture(scope="module")
def aligned(repository):
    folder = repository / "resources" / "demo" / "winomt"
    sentences = read_sentences(folder / "sentences.txt")
    translations = read_translations(folder / "google.deu.txt", sentences)
    return sentences, translations, find_occupations(sentences, translations, NO_FOLDING)


def test_occupations_are_found(aligned):
    sentences, _, found = aligned
    mechanics = [one for one in found[1] if one.english == "mechanic"]
    assert sum("Mechaniker" in one.text for one in mechanics) >= len(mechanics) - 1
    # Few are missed, and fewer if each English word looks for a translation.
    missed = [sum(not one.positions for one in side) for side in found]
    assert missed[1] <= missed[0] < len(sentences) / 20


def test_positions_are_those_of_the_words(aligned):
    _, translations, found = aligned
    for occupation, translation in zip(found[0], translations, strict=True):
        words = translation.text.split()
        assert occupation.translation == tuple(words)
        assert occupation.words == [words[position] for position in occupation.positions]
