"""Drawing the next token of each story by a random number of its own; loaded where transformers is."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from transformers import LogitsProcessor, TemperatureLogitsWarper, TopPLogitsWarper

from textparity.studies.propagation.base_models import BaseModelRow


def draw_by(
    numbers: np.ndarray, prompt_tokens: int, row: BaseModelRow, on_step: Callable[[int], object]
) -> LogitsProcessor:
    """Return a processor that leaves `generate` one token for each story: the one that its number falls on.

    A row of `numbers` (in [0, 1)) is of a story, and a column of a token. `on_step` hears how many were drawn.
    """
    warpers = [TemperatureLogitsWarper(row.temperature)] if row.temperature != 1 else []
    warpers += [TopPLogitsWarper(row.top_p)] if row.top_p != 1 else []
    return _Draw(torch.from_numpy(numbers), prompt_tokens, row.top_k, warpers, on_step)


class _Draw(LogitsProcessor):
    # PyTorch's own way draws a number for each token of the vocabulary, a quarter of the time; and it draws for all
    # stories of a batch in turn, so that a story would depend on those beside it.
    def __init__(
        self,
        numbers: Any,
        first: int,
        top_k: int,
        warpers: list[LogitsProcessor],
        on_step: Callable[[int], object],
    ) -> None:
        self._numbers, self._first, self._top_k, self._on_step = numbers, first, top_k, on_step
        self._warpers = warpers

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.FloatTensor:
        # Sums over a vocabulary have no repeatable order on a GPU.
        weights, candidates = scores.cpu(), None
        if self._top_k:
            # Only these are looked at from here on, in the order of the vocabulary.
            candidates = weights.topk(min(self._top_k, weights.shape[1])).indices.sort().values
            weights = weights.gather(1, candidates)
        for warp in self._warpers:
            weights = warp(input_ids, weights)
        tokens = choose_tokens(weights.softmax(-1), self._numbers[:, input_ids.shape[1] - self._first])
        if candidates is not None:
            tokens = candidates.gather(1, tokens[:, None]).squeeze(1)
        scores.fill_(-torch.inf)
        scores[torch.arange(len(scores), device=scores.device), tokens.to(scores.device)] = 0
        self._on_step(len(scores))
        return scores


def choose_tokens(probabilities: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
    """Return for each row the token that its number in [0, 1) falls on; never one of probability 0."""
    sums = probabilities.cumsum(-1)
    total = sums[:, -1:]
    places = torch.minimum(numbers[:, None] * total, torch.nextafter(total, torch.zeros_like(total)))
    return torch.searchsorted(sums, places, right=True).squeeze(1)
