"""Base models are rows of a table: where each is found, how it is trained, and how it writes.

Rules are parsed with this module, so it loads no tool; it says whether the tools and models are on this machine.
"""

import re
import shutil
from dataclasses import Field, dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from textparity.errors import TableError
from textparity.sources.model_files import GGUF, find_model, is_package, not_here
from textparity.tsv import NAME, read_tsv

FULL_PRECISION, FOUR_BITS = "none", "4bit"
QUANTISATIONS = (FULL_PRECISION, FOUR_BITS)
SCHEDULES = ("constant", "linear", "cosine")
# What a piece of text is: a sentence alone, as the authors' notebook has it, or as many as fill it.
SENTENCE, PACKED = "sentence", "packed"
INSTALL = "pip install 'textparity[propagation]'"


@dataclass(frozen=True)
class BaseModelRow:
    """One base model.

    `published_name` is its name in the paper's tables, or empty. `model` is a name on the Hugging Face hub, a folder, a
    GGUF file, or a package that holds one. With `quantisation` 4bit it needs a GPU and bitsandbytes (QLoRA). A step is
    `batch_size` x `gradient_accumulation` pieces of at most `sequence_tokens` tokens; a piece (`pieces`) is a
    `sentence`, or `packed` with sentences one after another. `temperature`, `top_p` and `top_k` (0: no limit) are
    those of writing.
    """

    name: str
    published_name: str
    model: str
    quantisation: str
    lora_rank: int
    lora_alpha: int
    lora_dropout: float
    target_modules: str
    learning_rate: float
    schedule: str
    warmup_steps: int
    weight_decay: float
    batch_size: int
    gradient_accumulation: int
    sequence_tokens: int
    temperature: float
    top_p: float
    pieces: str = PACKED
    top_k: int = 0


def load_base_models(path: str | Path) -> dict[str, BaseModelRow]:
    """Read the table of base models by name; `TableError` naming the line and column of a cell that cannot be used."""
    rows: dict[str, BaseModelRow] = {}
    for line, cells in enumerate(read_tsv(path, [field.name for field in fields(BaseModelRow)]), start=2):
        where = f"{path}, line {line}"
        if not re.fullmatch(NAME, cells["name"]) or cells["name"] in rows:
            raise TableError(
                f"{where}, column name: {cells['name']!r} is a duplicate, or has more than A-Z, 0-9 and ._-"
            )
        for column, allowed in (
            ("quantisation", QUANTISATIONS),
            ("schedule", SCHEDULES),
            ("pieces", (SENTENCE, PACKED)),
        ):
            if cells[column] not in allowed:
                raise TableError(f"{where}, column {column}: {cells[column]!r} is none of {', '.join(allowed)}")
        for column in ("model", "target_modules"):
            if not cells[column].strip():
                raise TableError(f"{where}, column {column}: is empty")
        numbers = {
            field.name: _number(cells[field.name], field, where)
            for field in fields(BaseModelRow)
            if field.type in (int, float)
        }
        if numbers["top_p"] > 1:
            raise TableError(f"{where}, column top_p: {cells['top_p']!r} is above 1, which is no limit")
        filled: dict[str, Any] = cells | numbers
        rows[cells["name"]] = BaseModelRow(**filled)
    return rows


# Those that may be 0.
_MAY_BE_ZERO = ("lora_dropout", "warmup_steps", "weight_decay", "top_k")


def _number(cell: str, field: Field[Any], where: str) -> float:
    read = int if field.type is int else float
    try:
        number = read(cell)
    except ValueError:
        kind = "a whole number" if read is int else "a number"
        raise TableError(f"{where}, column {field.name}: {cell!r} is not {kind}") from None
    if number < 0 or (number == 0 and field.name not in _MAY_BE_ZERO):
        raise TableError(f"{where}, column {field.name}: {cell!r} is too small")
    return number


def is_gguf(row: BaseModelRow) -> bool:
    """Whether the model is a GGUF file, or in a package that holds one."""
    return row.model.endswith(GGUF) or (is_package(row.model) and find_model(row.model) is None)


def missing_base_model(row: BaseModelRow) -> str:
    """Return why a base model cannot be had here, or an empty string; nothing is loaded or fetched to find out."""
    for tool in ("torch", "transformers", "peft", *(["gguf"] if is_gguf(row) else [])):
        if find_spec(tool) is None:
            return f"{tool} is not installed; install the extra: {INSTALL}"
    if row.quantisation == FOUR_BITS and not has_gpu():
        return "4bit needs a CUDA GPU, and there is none here"
    if row.quantisation == FOUR_BITS and find_spec("bitsandbytes") is None:
        return "bitsandbytes is not installed; install the extra: pip install 'textparity[qlora]'"
    if row.model.endswith(GGUF):
        return "" if Path(row.model).is_file() else f"there is no model file {row.model}"
    if is_package(row.model) or find_model(row.model):
        return ""
    return f"{row.model} is no {GGUF} file, and {not_here(row.model)}"


def has_gpu() -> bool:
    """Whether NVIDIA's driver is on this machine; PyTorch, which knows better, takes seconds to load."""
    return Path("/proc/driver/nvidia/version").exists() or shutil.which("nvidia-smi") is not None
