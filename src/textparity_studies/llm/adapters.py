"""Train adapters (LoRA, and QLoRA on 4-bit weights), so that a killed training resumes and ends with the same weights.

The loop is plain PyTorch. Checkpoints of transformers' Trainer are not written atomically, and do not record the data
and settings they belong to. The learning rate's schedule comes from transformers, the adapters from peft.
"""

import json
import logging
import os
import resource
import shutil
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from typing import Any

from textparity.errors import InputError
from textparity.estimating.seeds import random_generator
from textparity.files import atomic_folder, atomic_path, write_rows
from textparity.progress import progress_bar
from textparity_studies.llm.weights import FOUR_BITS, SEQUENCE_TO_SEQUENCE, WeightsRow, load_weights
from textparity_studies.measures.encoders import repeatable

log = logging.getLogger(__name__)

LOG_COLUMNS = ("step", "loss", "learning_rate", "tokens", "seconds", "peak_memory_mb")
# This is the default of transformers' Trainer, which the authors of both papers used.
LONGEST_GRADIENT = 1.0
# This label marks positions that are excluded from the loss.
IGNORED = -100
LAST = "last.pt"
# Saving the state may take this share of the time. The state of a large adapter has three times the adapter's size.
SAVING_SHARE = 0.05
Example = tuple[list[int], list[int]]
"""Token ids of a text and of the expected output; both are the same for a model that continues texts."""


@dataclass(frozen=True)
class Training:
    """Describe the training of an adapter: its length, data and seeds.

    `kind` is the model's (`weights.CAUSAL`, `weights.SEQUENCE_TO_SEQUENCE`), and `data` is the file of the examples.
    The adapter is saved after each of `saved_steps`; the last one ends the training.
    """

    row: WeightsRow
    kind: str
    data: Path
    threads: int
    seed: int
    training_seed: int

    def fingerprint(self, saved_steps: list[int]) -> str:
        """Compute a digest of everything on which the weights depend."""
        import peft
        import torch
        import transformers

        versions = [module.__version__ for module in (torch, transformers, peft)]
        settings = asdict(self) | {"data": "", "saved_steps": saved_steps}
        digest = blake2b(json.dumps([versions, settings], sort_keys=True).encode(), digest_size=16)
        digest.update(self.data.read_bytes())
        return digest.hexdigest()

    def batches(self, examples: list[Example]) -> Iterator[list[Example]]:
        """Iterate endlessly over the examples of each step; the order of every epoch follows from the seeds."""

        def in_order() -> Iterator[Example]:
            for epoch in count():
                names = ("pieces", str(self.training_seed), str(epoch))
                order = random_generator(self.seed, *names).permutation(len(examples))
                yield from (examples[place] for place in order)

        ordered = in_order()
        while True:
            yield list(islice(ordered, self.row.batch_size * self.row.gradient_accumulation))


def train(
    training: Training,
    examples_of: Callable[[Any], list[Example]],
    steps_of: Callable[[list[Example]], list[int]],
    adapters: Path,
    training_log: Path,
    state: Path,
    prepared: Path | None = None,
) -> None:
    """Train an adapter, write it after some steps, and log the loss by step.

    `examples_of` receives the tokenizer and builds the examples; `steps_of` receives the examples and lists the steps
    to save. The folder `state` exists beside the outputs during the training; a state made for other data or settings
    is ignored. `adapters` gets a folder `step{n}` for each. Raises `InputError` if there are no examples.
    """
    row = training.row
    model_seed = int(random_generator(training.seed, "adapter", str(training.training_seed)).integers(2**31))
    with repeatable(model_seed, training.threads) as torch:
        model, tokenizer = load_weights(row, training.kind, prepared)
        examples = examples_of(tokenizer)
        if not examples:
            raise InputError(
                f"{training.data}: is too short for {row.name}, which needs pieces of {row.sequence_tokens} tokens"
            )

        saved_steps = sorted(steps_of(examples))
        loop = _Loop(torch, add_adapter(model, row, training.kind), tokenizer, training, saved_steps, state)
        rows = loop.run(training.batches(examples))
    with atomic_folder(adapters) as part:
        for step in saved_steps:
            shutil.copytree(state / f"step{step}", part / f"step{step}")
    write_rows(training_log, LOG_COLUMNS, ([f"{value:.6g}" for value in cells] for cells in rows))
    shutil.rmtree(state)


def add_adapter(model: Any, row: WeightsRow, kind: str) -> Any:
    """Add a new adapter to a model, ready for training."""
    from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training

    if row.quantisation == FOUR_BITS:
        model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=True)
    model.config.use_cache = False
    lora = LoraConfig(
        r=row.lora_rank,
        lora_alpha=row.lora_alpha,
        lora_dropout=row.lora_dropout,
        target_modules=row.target_modules.split(),
        bias="none",
        task_type=kind,
    )
    model = get_peft_model(model, lora)
    # The path on this machine is not part of an adapter.
    model.peft_config["default"].base_model_name_or_path = row.model
    return model.train()


class _Loop:
    """Run one training; it resumes after the last step saved in its folder."""

    def __init__(
        self, torch: Any, model: Any, tokenizer: Any, training: Training, saved_steps: list[int], state: Path
    ) -> None:
        from transformers import get_scheduler

        row = training.row
        self._torch, self._model, self._tokenizer = torch, model, tokenizer
        self._training, self._saved_steps, self._steps, self._folder = training, saved_steps, max(saved_steps), state
        self._made_for = training.fingerprint(saved_steps)
        self._weights = {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
        self._optimizer = torch.optim.AdamW(self._weights.values(), lr=row.learning_rate, weight_decay=row.weight_decay)
        schedule = "constant_with_warmup" if row.schedule == "constant" and row.warmup_steps else row.schedule
        self._schedule = get_scheduler(schedule, self._optimizer, row.warmup_steps, self._steps)
        self._rows: list[list[float]] = []
        self._kept_at, self._seconds_to_keep = time.monotonic(), 0.0

    def run(self, batches: Iterator[list[Example]]) -> list[list[float]]:
        """Train up to the last step; return the record of each step."""
        kept = _load_state(self._torch, self._folder, self._made_for)
        if kept:
            self._restore(kept)
            log.info("the training resumes after step %d, stored in %s", len(self._rows), self._folder)
        with progress_bar(self._steps, "training", "steps") as bar:
            # Resumed steps do not count in the estimate of the remaining time.
            bar.initial = bar.n = bar.last_print_n = len(self._rows)
            for batch in islice(batches, len(self._rows), self._steps):
                loss = self._step(batch)
                step = len(self._rows)
                if step in self._saved_steps:
                    _save_adapter(self._model, self._folder / f"step{step}")
                if step in self._saved_steps or self._is_time_to_keep():
                    self._keep()
                bar.set_postfix(loss=f"{loss:.3f}", refresh=False)
                bar.update()
        return self._rows

    def _step(self, batch: list[Example]) -> float:
        begun = time.monotonic()
        rate = self._schedule.get_last_lr()[0]
        size = self._training.row.batch_size
        loss, tokens = backward(self._torch, self._model, self._tokenizer, batch, size, self._training.kind)
        self._torch.nn.utils.clip_grad_norm_(self._weights.values(), LONGEST_GRADIENT)
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad()
        seconds = time.monotonic() - begun
        self._rows.append([len(self._rows) + 1, loss, rate, tokens, seconds, _peak_memory(self._torch)])
        return loss

    def _is_time_to_keep(self) -> bool:
        return (time.monotonic() - self._kept_at) * SAVING_SHARE >= self._seconds_to_keep

    def _keep(self) -> None:
        torch, begun = self._torch, time.monotonic()
        kept = {
            "made_for": self._made_for,
            "rows": self._rows,
            "weights": {name: weight.detach() for name, weight in self._weights.items()},
            "optimizer": self._optimizer.state_dict(),
            "schedule": self._schedule.state_dict(),
            "random": torch.get_rng_state(),
            "random_on_gpus": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        }
        with atomic_path(self._folder / LAST) as part, part.open("wb") as file:
            torch.save(kept, file)
            # Otherwise, a machine that crashes may keep the name without the bytes.
            os.fsync(file.fileno())
        self._kept_at = time.monotonic()
        self._seconds_to_keep = self._kept_at - begun

    def _restore(self, kept: dict[str, Any]) -> None:
        torch = self._torch
        with torch.no_grad():
            for name, weight in self._weights.items():
                weight.copy_(kept["weights"][name])
        self._rows = kept["rows"]
        self._optimizer.load_state_dict(kept["optimizer"])
        self._schedule.load_state_dict(kept["schedule"])
        torch.set_rng_state(kept["random"])
        if torch.cuda.is_available():
            torch.cuda.set_rng_state_all(kept["random_on_gpus"])


def backward(torch: Any, model: Any, tokenizer: Any, batch: list[Example], size: int, kind: str) -> tuple[float, int]:
    """Add the gradients of a step, `size` examples at a time; return the mean loss and its number of tokens."""
    # The first token of a text to continue is given, not predicted.
    given = 0 if kind == SEQUENCE_TO_SEQUENCE else 1
    tokens = sum(len(target) - given for _, target in batch)
    total = 0.0
    for first in range(0, len(batch), size):
        some = batch[first : first + size]

        def fill(rows: list[list[int]], filler: int) -> Any:
            longest = max(map(len, rows))
            return torch.tensor([row + [filler] * (longest - len(row)) for row in rows], device=model.device)

        sources, targets = [source for source, _ in some], [target for _, target in some]
        found = model(
            input_ids=fill(sources, tokenizer.pad_token_id or 0),
            attention_mask=fill([[1] * len(source) for source in sources], 0),
            labels=fill(targets, IGNORED),
        ).loss
        part = found * (sum(len(target) - given for target in targets) / tokens)
        part.backward()
        total += part.item()
    return total, tokens


def _peak_memory(torch: Any) -> float:
    if torch.cuda.is_available():
        return torch.cuda.max_memory_allocated() / 2**20
    # The unit is kilobytes, but bytes on macOS.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def _save_adapter(model: Any, folder: Path) -> None:
    with atomic_folder(folder) as part:
        # `auto` would ask the hub for the base model's vocabulary.
        model.save_pretrained(part, save_embedding_layers=False)
        (part / "README.md").unlink(missing_ok=True)
        config = part / "adapter_config.json"
        found = json.loads(config.read_text("utf-8"))
        # This is a set, whose order differs between processes.
        found["target_modules"] = sorted(found["target_modules"])
        config.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", "utf-8")


def _load_state(torch: Any, state: Path, made_for: str) -> dict[str, Any] | None:
    """Load the state that this training last saved. If it cannot be used, the folder is emptied."""
    kept = None
    if (state / LAST).is_file():
        try:
            # PyTorch writes checksums but does not verify them.
            with zipfile.ZipFile(state / LAST) as file:
                if damaged := file.testzip():
                    raise zipfile.BadZipFile(f"wrong checksum of {damaged}")
            kept = torch.load(state / LAST, map_location="cpu", weights_only=True)
        except Exception as error:
            log.warning("%s cannot be read (%s): the training starts again", state / LAST, error)
        else:
            if kept["made_for"] != made_for:
                log.warning("%s belongs to a training with other data or settings: the training starts again", state)
                kept = None
    if kept is None:
        shutil.rmtree(state, ignore_errors=True)
    return kept
