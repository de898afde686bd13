"""Transformers, with a tiny one made here; skipped where PyTorch is not installed (extra encoder)."""

import numpy as np
import pytest
from tiny_encoder import make_tiny_encoder

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from textparity_studies.measures.encoders import embed_texts, find_model  # noqa: E402
from textparity_studies.stereotypes.classifiers import (  # noqa: E402
    ClassifierRow,
    Split,
    fine_tune,
    load_classifier,
)

TEXTS = [f"{'sunny' if n % 2 == 0 else 'rainy'} day {'again ' * (n % 3)}" for n in range(40)]
LABELS = np.arange(40) % 2 == 0
SPLIT = Split(0, np.arange(24), np.arange(24, 32), np.arange(32, 40))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_tiny_encoder(tmp_path_factory.mktemp("tiny"))


def test_vectors_are_means_of_real_tokens_of_length_one(folder):
    alone, beside = embed_texts(folder, ["sunny day"]), embed_texts(folder, ["sunny day", "rainy day again again"])
    assert np.linalg.norm(beside, axis=1) == pytest.approx([1, 1])
    # What fills up the shorter text of a batch does not count.
    assert beside[0] == pytest.approx(alone[0], abs=1e-6)


def test_fine_tuning_learns_and_is_told_after_each_number_of_epochs(folder):
    found = list(fine_tune(folder, TEXTS, LABELS, SPLIT, 1e-2, [1, 12], 1))
    assert [epochs for epochs, _, _ in found] == [1, 12]
    assert ((found[-1][2] >= 0.5) == LABELS[SPLIT.test]).all()
    assert not np.array_equal(found[0][2], found[1][2])


def test_fine_tuning_repeats_to_the_last_bit_and_leaves_pytorch_as_it_was(folder):
    torch.manual_seed(5)
    before = torch.get_rng_state(), torch.get_num_threads()
    once, again = (next(iter(fine_tune(folder, TEXTS, LABELS, SPLIT, 1e-3, [1], 1)))[2] for _ in range(2))
    other = next(iter(fine_tune(folder, TEXTS, LABELS, SPLIT, 1e-3, [1], 2)))[2]
    assert np.array_equal(once, again)
    assert not np.array_equal(once, other)
    assert torch.equal(torch.get_rng_state(), before[0])
    assert torch.get_num_threads() == before[1]
    assert not torch.are_deterministic_algorithms_enabled()


@pytest.mark.parametrize(
    ("kind", "grid"),
    [("encoder", {"c": [100.0]}), ("fine_tuned", {"learning_rate": [1e-6, 1e-2], "epochs": [12]})],
)
def test_both_kinds_tell_labels_apart(folder, kind, grid):
    assert find_model(str(folder)) == folder
    outcome = load_classifier(ClassifierRow("tiny", kind, str(folder), grid)).classify(TEXTS, LABELS, SPLIT, 1)
    assert ((outcome.probabilities >= 0.5) == LABELS[SPLIT.test]).all()
    assert outcome.chosen.get("learning_rate", 1e-2) == 1e-2
