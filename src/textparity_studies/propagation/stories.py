"""Train a base model on stories, and let it continue the beginnings of stories (Derner 2025, §5, App. G).

Training is continual pretraining of adapters, on stories split into pieces. The random numbers of a written story
follow from the seed and the story's own name. Stories of a batch are computed together, and the batches of a repetition
are always the same. One repetition is therefore the beginning of five, and a killed job continues with the stories that
it would have written.
"""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from hashlib import blake2b
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from transformers import (
    GenerationConfig,
    LogitsProcessor,
    LogitsProcessorList,
    TemperatureLogitsWarper,
    TopPLogitsWarper,
)

from textparity.corpora.reading import TEXT_SCHEMA, read_rows, write_batches
from textparity.estimating.seeds import random_generator
from textparity.files import atomic_folder, write_text
from textparity.progress import progress_bar
from textparity_studies.llm.adapters import Example, Training, train
from textparity_studies.llm.weights import CAUSAL, load_to_write, load_weights
from textparity_studies.measures.encoders import repeatable
from textparity_studies.propagation.base_models import SENTENCE, BaseModelRow, find_adapter

log = logging.getLogger(__name__)

_NUMBERS = [(name, pa.int32()) for name in ("repetition", "prompt_number", "story_number")]
_OUTCOME = [("prompt", pa.string()), ("tokens", pa.int32()), ("ended", pa.bool_())]
STORY_SCHEMA = pa.schema([*TEXT_SCHEMA, *_NUMBERS, *_OUTCOME])
# Stories per batch. On a CPU, 50 are nearly twice as fast as 10, and 100 are no faster than 50.
BATCH = 50
Written = tuple[str, int, bool]
"""A story, its number of tokens, and whether the model ended it."""
Key = tuple[int, int, int]
"""Identifies a story by its repetition, the number of its prompt, and its own number."""


@dataclass(frozen=True)
class StoryRequest:
    """What to write: a number of `stories` for each of `prompts`, in each repetition, of at most so many tokens."""

    prompts: list[str]
    stories: int
    repetitions: int
    tokens: int


def prepare_base_model(folder: Path, base_model: BaseModelRow) -> None:
    """Write the model of a GGUF file to `folder`, dequantised, with its tokenizer."""
    model, tokenizer = load_weights(base_model, CAUSAL)
    with atomic_folder(folder) as part:
        model.save_pretrained(part)
        tokenizer.save_pretrained(part)


def train_adapter(
    stories: Path,
    prepared: Path | None,
    adapters: Path,
    training_log: Path,
    state: Path,
    base_model: BaseModelRow,
    saved_steps: list[int],
    torch_threads: int,
    seed: int,
    training_seed: int,
) -> None:
    """Train an adapter of a base model on `stories`, and write it after each of `saved_steps`, with the loss by step.

    Raises `InputError` if the stories do not fill one piece.
    """

    def examples_of(tokenizer: Any) -> list[Example]:
        pieces = cut_pieces(read_rows(stories, ["text"])["text"].to_pylist(), tokenizer, base_model)
        return [(piece, piece) for piece in pieces]

    training = Training(base_model, CAUSAL, stories, torch_threads, seed, training_seed)
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


def write_stories(
    stories: Path,
    adapters: Path | None,
    prepared: Path | None,
    base_model: BaseModelRow,
    lang: str,
    variant: str,
    wanted: StoryRequest,
    seed: int,
    torch_threads: int,
    state: Path,
) -> None:
    """Write a base model's continuations of the prompts, as one of its variants.

    `adapters` is the folder of its training. `state` is a file beside the output with the finished batches while the
    job runs. A state made for other settings is ignored.
    """
    adapter, prompts = find_adapter(adapters, variant), wanted.prompts
    settings = [asdict(base_model), lang, variant, prompts, wanted.stories, wanted.tokens, seed, torch_threads, BATCH]
    made_for = _fingerprint(settings, adapter)
    done = _load_state(state, made_for)
    batches = list(_batches(wanted))
    left = [batch for batch in batches if _name(batch) not in done]
    if left:
        with repeatable(seed, torch_threads):
            model, tokenizer = load_to_write(base_model, CAUSAL, adapter, prepared)
            title = f"{base_model.name} {lang} {variant}"
            with progress_bar(sum(map(len, left)) * wanted.tokens, title, "tokens") as bar:
                for batch in left:
                    names = [(base_model.name, lang, variant, *map(str, key)) for key in batch]
                    numbers = np.stack([story_numbers(seed, wanted.tokens, *name) for name in names])
                    begun = [prompts[key[1] - 1] for key in batch]
                    before = bar.n
                    done[_name(batch)] = complete(model, tokenizer, begun, numbers, base_model, bar.update)
                    # Stories that ended early are finished too.
                    bar.update(before + len(batch) * wanted.tokens - bar.n)
                    write_text(state, json.dumps({"made_for": made_for, "done": done, "check": _check(done)}))
    write_batches(stories, STORY_SCHEMA, (_rows(batch, done[_name(batch)], lang, prompts) for batch in batches))
    state.unlink(missing_ok=True)


def story_numbers(seed: int, tokens: int, *name: str) -> np.ndarray:
    """Draw the random numbers that decide a story's tokens; no other story has the same."""
    return random_generator(seed, "story", *name).random(tokens, dtype=np.float32)


def complete(
    model: Any,
    tokenizer: Any,
    prompts: list[str],
    numbers: np.ndarray,
    row: BaseModelRow,
    on_step: Callable[[int], object],
) -> list[Written]:
    """Continue each prompt: the text, its number of tokens, and whether the model ended it.

    A row of `numbers` has the random number of each token and limits their count. `on_step` receives the tokens drawn.
    """
    ends = _ends_of_text(model, tokenizer)
    # Stories begin where the prompts end, so shorter prompts are padded on the left.
    tokenizer.padding_side = "left"
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token_id = ends[0]
    inputs = tokenizer(prompts, padding=True, return_tensors="pt").to(model.device)
    before = inputs["input_ids"].shape[1]
    # Replace the model's own configuration, whose settings apply even if we pass ours.
    model.generation_config = GenerationConfig(
        do_sample=False, max_new_tokens=numbers.shape[1], eos_token_id=ends, pad_token_id=tokenizer.pad_token_id
    )
    draw = DrawnTokens(numbers, before, row, on_step)
    with torch.inference_mode():
        written = model.generate(
            input_ids=inputs["input_ids"],
            attention_mask=inputs["attention_mask"],
            logits_processor=LogitsProcessorList([draw]),
        )
    found = []
    for tokens in written[:, before:].tolist():
        length = next((place for place, token in enumerate(tokens) if token in ends), len(tokens))
        text = tokenizer.decode(tokens[:length], skip_special_tokens=True, clean_up_tokenization_spaces=False)
        found.append((text, length, length < len(tokens)))
    return found


class DrawnTokens(LogitsProcessor):
    """Leave `generate` one token per story: the one that its number selects.

    `numbers` (in [0, 1)) has a row per story and a column per token. `on_step` receives the number of tokens drawn.
    """

    # PyTorch draws a number for each token of the vocabulary, which takes a quarter of the time. It also draws for all
    # stories of a batch in turn, so that a story would depend on the others in its batch.
    def __init__(
        self, numbers: np.ndarray, prompt_tokens: int, row: BaseModelRow, on_step: Callable[[int], object]
    ) -> None:
        self._numbers, self._first, self._on_step = torch.from_numpy(numbers), prompt_tokens, on_step
        self._top_k = row.top_k
        self._warpers = [TemperatureLogitsWarper(row.temperature)] if row.temperature != 1 else []
        self._warpers += [TopPLogitsWarper(row.top_p)] if row.top_p != 1 else []

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.FloatTensor:
        # Sums over a vocabulary have no repeatable order on a GPU.
        weights, candidates = scores.cpu(), None
        if self._top_k:
            # From here on, only these candidates matter, in the order of the vocabulary.
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
    """Select for each row the token at its number in [0, 1); never one of probability 0."""
    sums = probabilities.cumsum(-1)
    total = sums[:, -1:]
    places = torch.minimum(numbers[:, None] * total, torch.nextafter(total, torch.zeros_like(total)))
    return torch.searchsorted(sums, places, right=True).squeeze(1)


def _ends_of_text(model: Any, tokenizer: Any) -> list[int]:
    of_model = model.generation_config.eos_token_id
    found = [tokenizer.eos_token_id, *(of_model if isinstance(of_model, list) else [of_model])]
    return list(dict.fromkeys(token for token in found if token is not None))


def _batches(wanted: StoryRequest) -> Iterator[list[Key]]:
    for repetition in range(1, wanted.repetitions + 1):
        numbers = product(range(1, len(wanted.prompts) + 1), range(1, wanted.stories + 1))
        keys = [(repetition, *number) for number in numbers]
        yield from (keys[start : start + BATCH] for start in range(0, len(keys), BATCH))


def _name(batch: list[Key]) -> str:
    return "/".join(map(str, batch[0]))


def _rows(batch: list[Key], written: list[Written], lang: str, prompts: list[str]) -> list[dict[str, Any]]:
    rows = (
        ("/".join(map(str, key)), str(key[0]), lang, text, *key, prompts[key[1] - 1], tokens, ended)
        for key, (text, tokens, ended) in zip(batch, written, strict=True)
    )
    return [dict(zip(STORY_SCHEMA.names, row, strict=True)) for row in rows]


def _fingerprint(settings: list[Any], adapter: Path | None) -> str:
    tools = [version("torch"), version("transformers")]
    digest = blake2b(json.dumps([settings, tools], sort_keys=True).encode(), digest_size=16)
    for path in sorted(adapter.glob("*.safetensors")) if adapter else []:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _check(done: Any) -> str:
    return blake2b(json.dumps(done).encode(), digest_size=16).hexdigest()


def _load_state(path: Path, made_for: str) -> dict[str, list[Written]]:
    """Load the finished batches, by their first story; empty if the state cannot be used."""
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text("utf-8"))
        if found["check"] != _check(found["done"]):
            raise ValueError("damaged after it was written")
        if found["made_for"] == made_for:
            log.info("going on after %d finished batches, kept in %s", len(found["done"]), path)
            return found["done"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        log.warning("%s cannot be read (%r): the stories begin anew", path, error)
        return {}
    log.warning("%s was made for other settings: the stories begin anew", path)
    return {}
