"""Train adapters of base models on stories by continual pretraining, and split the stories into pieces."""

import logging
from pathlib import Path
from typing import Any

from textparity.corpora.rows import read_rows
from textparity_studies.llm.adapters import Example, Training, train
from textparity_studies.llm.weights import CAUSAL
from textparity_studies.propagation.base_models import SENTENCE, BaseModelRow

log = logging.getLogger(__name__)


def train_adapter(
    stories: Path,
    prepared: Path | None,
    adapters: Path,
    training_log: Path,
    state: Path,
    base_model: dict[str, Any],
    saved_steps: list[int],
    torch_threads: int,
    seed: int,
    training_seed: int,
) -> None:
    """Train an adapter of a base model on `stories`, and write it after each of `saved_steps`, with the loss by step.

    Raises `InputError` if the stories do not fill one piece.
    """
    row = BaseModelRow(**base_model)

    def examples_of(tokenizer: Any) -> list[Example]:
        pieces = cut_pieces(read_rows(stories, ["text"])["text"].to_pylist(), tokenizer, row)
        return [(piece, piece) for piece in pieces]

    training = Training(row, CAUSAL, stories, torch_threads, seed, training_seed)
    train(training, examples_of, lambda _: saved_steps, adapters, training_log, state, prepared)


def cut_pieces(sentences: list[str], tokenizer: Any, row: BaseModelRow) -> list[list[int]]:
    """Split sentences into training pieces of token ids: single sentences, or packed pieces of equal length.

    Each piece begins as the tokenizer begins a text. The rest at the end of packed text is dropped and logged.
    """
    if row.pieces == SENTENCE:
        found = tokenizer(sentences, truncation=True, max_length=row.sequence_tokens).input_ids
        return [ids for ids in found if len(ids) > 1]
    start = [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
    ids = tokenizer(" ".join(sentences), add_special_tokens=False, verbose=False).input_ids
    size = row.sequence_tokens - len(start)
    pieces = [start + ids[first : first + size] for first in range(0, len(ids) - size + 1, size)]
    log.info("%d sentences, %d tokens: %d pieces; %d left over", len(sentences), len(ids), len(pieces), len(ids) % size)
    return pieces
