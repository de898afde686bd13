"""Finding translated occupations by alignment, on the demo's sentences with the real aligner."""

import struct

import pytest

from textparity.errors import MissingResourceError
from textparity.translating import alignment
from textparity.translating.alignment import find_occupations
from textparity.translating.winomt import read_sentences, read_translations


@pytest.fixture(scope="module")
def aligned(repository):
    folder = repository / "resources" / "demo" / "winomt"
    sentences = read_sentences(folder / "sentences.txt")
    translations = read_translations(folder / "google.deu.txt", sentences)
    return sentences, translations, find_occupations(sentences, translations)


def test_occupations_are_found(aligned):
    sentences, _, found = aligned
    texts = {one.english: {side[number].text for side in (found.forward, found.symmetric)}
             for number, one in enumerate(found.forward)}  # fmt: skip
    assert any("Mechaniker" in text for text in texts["mechanic"])
    # Few are missed, and fewer by both directions.
    missed = [sum(not one.places for one in side) for side in (found.forward, found.symmetric)]
    assert missed[1] <= missed[0] < len(sentences) / 20


def test_places_are_those_of_the_words(aligned):
    _, translations, found = aligned
    for occupation, text in zip(found.forward, translations, strict=True):
        assert occupation.translation == tuple(text.split())
        assert occupation.words == [text.split()[place] for place in occupation.places]


def test_two_runs_agree(aligned):
    # With several threads, the model would differ each time.
    sentences, translations, found = aligned
    assert find_occupations(sentences, translations) == found


def test_another_version_of_the_aligners_file_is_refused(tmp_path):
    (tmp_path / "forward").write_bytes(struct.pack("<II", 3, 0))
    with pytest.raises(MissingResourceError, match="version 3"):
        alignment._ForwardTable(tmp_path / "forward")


def test_without_the_aligner_its_extra_is_named(monkeypatch, aligned):
    monkeypatch.setattr(alignment, "find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match="translation"):
        find_occupations(*aligned[:2])
