"""Transformers fine-tuned on the CPU, from files on this machine.

Everything follows from the seed: one thread and deterministic algorithms, since sums in another order differ.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from textparity.measures.encoders import BATCH, repeatable, tokenize
from textparity.progress import progress_bar
from textparity.studies.stereotypes.folds import Split

# So many batches are drawn at a time, and their texts sorted by length.
SORTED_BATCHES = 8
WEIGHT_DECAY = 0.01


def fine_tune(
    folder: Path, texts: list[str], labels: np.ndarray, split: Split, rate: float, epochs: list[int], seed: int
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Train a transformer on the training part (AdamW, cross-entropy) and, after each number of `epochs`, yield it
    with the probabilities of `consistent` for the validation and the test part.
    """
    with repeatable(seed) as torch:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        with _quiet():
            model = AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True, num_labels=2)
        optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=WEIGHT_DECAY, fused=True)
        title = f"fold {split.fold}, learning rate {rate:g}"
        with progress_bar(len(split.training) * max(epochs), title) as bar:
            for epoch in range(1, max(epochs) + 1):
                model.train()
                for batch in _batches(split.training[torch.randperm(len(split.training)).numpy()], texts):
                    inputs = tokenize(tokenizer, [texts[place] for place in batch])
                    loss = model(**inputs, labels=torch.tensor(labels[batch]).long()).loss
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    bar.update(len(batch))
                if epoch in epochs:
                    on_validation, on_test = (
                        _probabilities(torch, model, tokenizer, texts, part) for part in (split.validation, split.test)
                    )
                    yield epoch, on_validation, on_test


def _batches(places: np.ndarray, texts: list[str]) -> Iterator[np.ndarray]:
    """Yield batches of texts of about one length, since the shorter are filled up: half the time is saved."""
    for start in range(0, len(places), BATCH * SORTED_BATCHES):
        some = sorted(places[start : start + BATCH * SORTED_BATCHES], key=lambda place: len(texts[place]))
        yield from (np.array(some[first : first + BATCH]) for first in range(0, len(some), BATCH))


def _probabilities(torch: Any, model: Any, tokenizer: Any, texts: list[str], places: np.ndarray) -> np.ndarray:
    model.eval()
    with torch.inference_mode():
        found = [
            model(**tokenize(tokenizer, [texts[place] for place in places[start : start + BATCH]])).logits.softmax(1)
            for start in range(0, len(places), BATCH)
        ]
    return torch.cat(found)[:, 1].numpy().astype(np.float64)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep back the warning that the last layer is new: it is meant to be."""
    from transformers.utils import logging as its_logging

    before = its_logging.get_verbosity()
    its_logging.set_verbosity_error()
    try:
        yield
    finally:
        its_logging.set_verbosity(before)
