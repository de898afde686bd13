"""Diversity and repetition of stories, by hand where it can be; with an encoder only where PyTorch is installed."""

import math

import numpy as np
import pandas as pd
import pytest
from tiny_encoder import make_tiny_encoder

from textparity.corpora.reading import TEXT_SCHEMA, write_batches
from textparity.errors import InputError, MissingResourceError
from textparity_studies.propagation.story_measures import measure_diversity, semantic_diversity

SENTENCE = "The old man took his boat out on the lake."
STORIES = [(1, "Sunny day, sunny day!"), (1, "Rainy day."), (2, f"He said: {SENTENCE.lower()}"), (2, ""), (2, "")]


def test_diversity_is_of_pairs_and_published_of_the_whole_matrix():
    # Cosines of the three pairs: 0.6, 0 and 0.8; both halves of the matrix have 2.8.
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1]])
    assert semantic_diversity(vectors) == (pytest.approx(1 - 2.8 / 9), pytest.approx(1 - 2.8 / 6))


def test_equal_stories_have_no_diversity_but_the_published():
    vectors = np.array([[0.6, 0.8]] * 10)
    assert semantic_diversity(vectors) == (pytest.approx(0.1), pytest.approx(0))
    assert all(map(math.isnan, semantic_diversity(vectors[:1])))


@pytest.fixture
def measure(tmp_path):
    """Measure `STORIES` against three sets of stories; returns the rows."""

    def measure(encoder="none", not_available="", stories=STORIES, prompt=""):
        paths = {}
        for name, texts in {
            "stories": [text for _, text in stories],
            "male": [SENTENCE],
            "female": ["She left."],
        }.items():
            rows = [{"id": str(n), "doc_id": "1", "lang": "eng", "text": text} for n, text in enumerate(texts)]
            paths[name] = tmp_path / f"{name}.parquet"
            write_batches(paths[name], TEXT_SCHEMA, [rows])
        frame = pd.read_parquet(paths["stories"]).assign(repetition=[number for number, _ in stories], prompt=prompt)
        frame.to_parquet(paths["stories"])
        sets = [paths[name] for name in ("male", "male", "female")]
        measure_diversity(paths["stories"], sets, tmp_path / "out.csv", encoder, "en", not_available)
        return pd.read_csv(tmp_path / "out.csv").set_index("repetition")

    return measure


def test_repetition_is_measured_without_an_encoder(measure):
    first, second = measure(not_available="no torch").to_dict("records")
    assert (first["stories"], first["words"], first["blank_stories"], first["same_stories"]) == (2, 6, 0, 0)
    # sunny, rainy, day; sunny day, day sunny, rainy day; sunny day sunny, day sunny day
    shares = [first[f"distinct_{unit}"] for unit in ("words", "bigrams", "trigrams")]
    assert shares == pytest.approx([3 / 6, 3 / 4, 1])
    assert (second["stories"], second["blank_stories"], second["same_stories"], second["words"]) == (3, 2, 1, 12)
    assert [second[f"copied_{name}"] for name in ("male", "balanced", "female")] == pytest.approx([1 / 3, 1 / 3, 0])
    assert math.isnan(first["diversity_published"]) and math.isnan(second["diversity_corrected"])


def test_an_encoder_that_is_not_there_is_named(measure, tmp_path):
    with pytest.raises(MissingResourceError, match=r"propagation\.encoder: "):
        measure("no/such-model")
    assert not (tmp_path / "out.csv").exists()


def test_no_stories_are_an_error(measure):
    with pytest.raises(InputError, match=r"stories\.parquet: has no stories"):
        measure(stories=[])


def test_stories_of_a_repetition_are_compared_with_each_other_alone(measure, tmp_path_factory):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    folder = make_tiny_encoder(tmp_path_factory.mktemp("tiny"))
    stories = [(1, "sunny day"), (2, "rainy again"), (1, "sunny day"), (2, "rainy again")]
    found = measure(str(folder), stories=stories)
    assert found["diversity_corrected"].tolist() == pytest.approx([0, 0], abs=1e-6)
    assert found["diversity_published"].tolist() == pytest.approx([0.5, 0.5], abs=1e-6)
    mixed = measure(str(folder), stories=[(1, text) for _, text in stories])
    assert mixed.loc[1, "diversity_corrected"] > 0.01
    begun = measure(str(folder), stories=[(1, text) for _, text in stories], prompt="sunny rainy day")
    assert begun.loc[1, "diversity_published"] != pytest.approx(mixed.loc[1, "diversity_published"], abs=1e-4)
    assert begun.loc[1, "diversity_corrected"] == mixed.loc[1, "diversity_corrected"]
