"""Continual pretraining of adapters (LoRA, and QLoRA on a GPU), so that a killed training goes on to the same weights.

The loop is plain PyTorch: checkpoints of transformers' Trainer are not written whole or not at all, and do not know for
which data and settings they were made. The schedule of the learning rate is transformers', the adapters are peft's.
"""

import json
import logging
import os
import resource
import shutil
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from typing import Any

from textparity.corpora.rows import read_rows
from textparity.errors import InputError
from textparity.files import atomic_folder, atomic_path, write_rows
from textparity.measures.encoders import repeatable
from textparity.measures.statistics import random_generator
from textparity.progress import progress_bar
from textparity.studies.propagation.base_models import FOUR_BITS, SENTENCE, BaseModelRow, load_base_model

log = logging.getLogger(__name__)

LOG_COLUMNS = ("step", "loss", "learning_rate", "tokens", "seconds", "peak_memory_mb")
# As transformers' Trainer has it, which the authors used.
LONGEST_GRADIENT = 1.0
# Positions that no loss is computed of.
IGNORED = -100
LAST = "last.pt"


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

    The folder `state` lies beside the outputs while the training goes on; one that was made for other data or settings
    is ignored. `adapters` gets a folder `step{n}` for each. Raises `InputError` if the stories fill no piece.
    """
    row = BaseModelRow(**base_model)
    settings = asdict(row) | {"steps": max(saved_steps), "saved_steps": sorted(saved_steps), "threads": torch_threads}
    seeds = {"seed": seed, "training_seed": training_seed}
    made_for = _fingerprint(settings | seeds, stories)
    model_seed = int(random_generator(seed, "adapter", str(training_seed)).integers(2**31))
    with repeatable(model_seed, torch_threads) as torch:
        model, tokenizer = load_base_model(row, prepared)
        pieces = cut_pieces(read_rows(stories, ["text"])["text"].to_pylist(), tokenizer, row)
        if not pieces:
            raise InputError(f"{stories}: is too short for one piece of {row.sequence_tokens} tokens ({row.name})")
        rows = _train(
            torch, _add_adapter(model, row), tokenizer, pieces, settings | seeds | {"made_for": made_for}, state
        )
    with atomic_folder(adapters) as part:
        for step in sorted(saved_steps):
            shutil.copytree(state / f"step{step}", part / f"step{step}")
    write_rows(training_log, LOG_COLUMNS, ([f"{value:.6g}" for value in row] for row in rows))
    shutil.rmtree(state)


def cut_pieces(sentences: list[str], tokenizer: Any, row: BaseModelRow) -> list[list[int]]:
    """Return what a model is trained on, as token ids: sentences alone, or one after another in pieces of equal length.

    Each piece begins as the tokenizer has a text begin. What is over at the end of packed text is left out, and logged.
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


def _fingerprint(settings: dict[str, Any], stories: Path) -> str:
    import peft
    import torch
    import transformers

    versions = [module.__version__ for module in (torch, transformers, peft)]
    digest = blake2b(json.dumps([versions, settings], sort_keys=True).encode(), digest_size=16)
    digest.update(stories.read_bytes())
    return digest.hexdigest()


def _add_adapter(model: Any, row: BaseModelRow) -> Any:
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
        task_type="CAUSAL_LM",
    )
    model = get_peft_model(model, lora)
    # The path of this machine is no part of an adapter.
    model.peft_config["default"].base_model_name_or_path = row.model
    return model.train()


def _train(
    torch: Any, model: Any, tokenizer: Any, pieces: list[list[int]], settings: dict[str, Any], state: Path
) -> list[list[float]]:
    """Train up to the last step, from the last one that is kept in `state`; return what was noted at each."""
    from transformers import get_scheduler

    weights = {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
    optimizer = torch.optim.AdamW(weights.values(), lr=settings["learning_rate"], weight_decay=settings["weight_decay"])
    schedule = get_scheduler(settings["schedule"], optimizer, settings["warmup_steps"], settings["steps"])
    if settings["schedule"] == "constant" and settings["warmup_steps"]:
        schedule = get_scheduler("constant_with_warmup", optimizer, settings["warmup_steps"])
    kept = _load_state(torch, state, settings["made_for"])
    if kept:
        _restore(torch, kept, weights, optimizer, schedule)
        log.info("going on after step %d, kept in %s", len(kept["rows"]), state)
    rows = kept["rows"] if kept else []
    batches = islice(_batches(pieces, settings), len(rows), settings["steps"])
    with progress_bar(settings["steps"], "training", "steps") as bar:
        # Not in the estimate of the time that is left.
        bar.initial = bar.n = bar.last_print_n = len(rows)
        for step, batch in enumerate(batches, start=len(rows) + 1):
            begun = time.monotonic()
            rate = schedule.get_last_lr()[0]
            loss, tokens = _backward(torch, model, tokenizer, batch, settings["batch_size"])
            torch.nn.utils.clip_grad_norm_(weights.values(), LONGEST_GRADIENT)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            rows.append([step, loss, rate, tokens, time.monotonic() - begun, _peak_memory(torch)])
            if step in settings["saved_steps"]:
                _save_adapter(model, state / f"step{step}")
            _save_state(torch, state, settings["made_for"], rows, weights, optimizer, schedule)
            bar.set_postfix(loss=f"{loss:.3f}", refresh=False)
            bar.update()
    return rows


def _batches(pieces: list[list[int]], settings: dict[str, Any]) -> Iterator[list[list[int]]]:
    """Yield the pieces of each step, for ever: all in an order that follows from the seeds, then in another one."""
    size = settings["batch_size"] * settings["gradient_accumulation"]

    def in_order() -> Iterator[list[int]]:
        for epoch in count():
            names = ("pieces", str(settings["training_seed"]), str(epoch))
            yield from (pieces[place] for place in random_generator(settings["seed"], *names).permutation(len(pieces)))

    order = in_order()
    while True:
        yield list(islice(order, size))


def _backward(torch: Any, model: Any, tokenizer: Any, batch: list[list[int]], size: int) -> tuple[float, int]:
    """Add the gradients of a step, `size` pieces at a time; return the mean loss, and of how many tokens it is."""
    # The first token of a piece is not predicted.
    tokens = sum(len(piece) - 1 for piece in batch)
    total = 0.0
    for first in range(0, len(batch), size):
        some = batch[first : first + size]
        longest = max(map(len, some))
        filler = tokenizer.pad_token_id or 0
        places = {"device": model.device}
        ids = torch.tensor([piece + [filler] * (longest - len(piece)) for piece in some], **places)
        mask = torch.tensor([[1] * len(piece) + [0] * (longest - len(piece)) for piece in some], **places)
        found = model(input_ids=ids, attention_mask=mask, labels=ids.masked_fill(mask == 0, IGNORED)).loss
        part = found * (sum(len(piece) - 1 for piece in some) / tokens)
        part.backward()
        total += part.item()
    return total, tokens


def _peak_memory(torch: Any) -> float:
    if torch.cuda.is_available():
        return torch.cuda.max_memory_allocated() / 2**20
    # Kilobytes, but bytes on macOS.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def _save_adapter(model: Any, folder: Path) -> None:
    with atomic_folder(folder) as part:
        # `auto` would ask the hub about the base model's vocabulary.
        model.save_pretrained(part, save_embedding_layers=False)
        (part / "README.md").unlink(missing_ok=True)
        config = part / "adapter_config.json"
        found = json.loads(config.read_text("utf-8"))
        # A set, whose order is another one in each process.
        found["target_modules"] = sorted(found["target_modules"])
        config.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", "utf-8")


def _save_state(
    torch: Any,
    state: Path,
    made_for: str,
    rows: list[dict[str, Any]],
    weights: dict[str, Any],
    optimizer: Any,
    schedule: Any,
) -> None:
    kept = {
        "made_for": made_for,
        "rows": rows,
        "weights": {name: weight.detach() for name, weight in weights.items()},
        "optimizer": optimizer.state_dict(),
        "schedule": schedule.state_dict(),
        "random": torch.get_rng_state(),
        "random_on_gpus": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }
    with atomic_path(state / LAST) as part, part.open("wb") as file:
        torch.save(kept, file)
        # Else a machine that goes down may keep the name without the bytes.
        os.fsync(file.fileno())


def _load_state(torch: Any, state: Path, made_for: str) -> dict[str, Any] | None:
    """Return what was kept of this training; the folder is emptied if there is nothing that can be used."""
    kept = None
    if (state / LAST).is_file():
        try:
            # PyTorch writes checksums and does not compare them.
            with zipfile.ZipFile(state / LAST) as file:
                if damaged := file.testzip():
                    raise zipfile.BadZipFile(f"wrong checksum of {damaged}")
            kept = torch.load(state / LAST, map_location="cpu", weights_only=True)
        except Exception as error:
            log.warning("%s cannot be read (%s): the training begins anew", state / LAST, error)
        else:
            if kept["made_for"] != made_for:
                log.warning("%s is of another training (its data or settings changed): it begins anew", state)
                kept = None
    if kept is None:
        shutil.rmtree(state, ignore_errors=True)
    return kept


def _restore(torch: Any, kept: dict[str, Any], weights: dict[str, Any], optimizer: Any, schedule: Any) -> None:
    with torch.no_grad():
        for name, weight in weights.items():
            weight.copy_(kept["weights"][name])
    optimizer.load_state_dict(kept["optimizer"])
    schedule.load_state_dict(kept["schedule"])
    torch.set_rng_state(kept["random"])
    if torch.cuda.is_available():
        torch.cuda.set_rng_state_all(kept["random_on_gpus"])
