"""Base models are rows of a table: where each is found, how it is trained, and how it writes.

Rules are parsed with this module, so it loads no tool; it says whether the tools and models are on this machine. What
was trained is loaded with transformers and peft: on a GPU if there is one, or the CPU. A GGUF file is read and
dequantised in Python, which takes a minute for a vocabulary of 262 thousand words; `prepare_base_model` does it once
and keeps the model in full precision.
"""

import logging
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import Field, dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from textparity.errors import MissingResourceError, TableError, how_to_install
from textparity.files import atomic_folder
from textparity.sources.model_files import GGUF, find_gguf, find_model, is_package, model_folder, not_here
from textparity.tsv import NAME, read_tsv

FULL_PRECISION, FOUR_BITS = "none", "4bit"
QUANTISATIONS = (FULL_PRECISION, FOUR_BITS)
SCHEDULES = ("constant", "linear", "cosine")
# What a piece of text is: a sentence alone, as the authors' notebook has it, or as many as fill it.
SENTENCE, PACKED = "sentence", "packed"
INSTALL = how_to_install("propagation")
# Those that may be 0.
_MAY_BE_ZERO = ("lora_dropout", "warmup_steps", "weight_decay", "top_k")
log = logging.getLogger(__name__)


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
        return f"bitsandbytes is not installed; install the extra: {how_to_install('qlora')}"
    if row.model.endswith(GGUF):
        return "" if Path(row.model).is_file() else f"there is no model file {row.model}"
    if is_package(row.model) or find_model(row.model):
        return ""
    return f"{row.model} is no {GGUF} file, and {not_here(row.model)}"


def has_gpu() -> bool:
    """Whether NVIDIA's driver is on this machine; PyTorch, which knows better, takes seconds to load."""
    return Path("/proc/driver/nvidia/version").exists() or shutil.which("nvidia-smi") is not None


def load_language_model(
    row: BaseModelRow, adapter: Path | None = None, prepared: Path | None = None
) -> tuple[Any, Any]:
    """Return the model, ready to write, and its tokenizer; with an adapter if one is named.

    `prepared` is what `prepare_base_model` made of the row, which otherwise is read anew. An adapter is merged into
    weights of full precision, and stays beside those of 4 bits, which merging would round. Raises
    `MissingResourceError` if the model cannot be had here.
    """
    model, tokenizer = load_base_model(row, prepared)
    if adapter is not None:
        from peft import PeftModel

        model = PeftModel.from_pretrained(model, str(adapter))
        if row.quantisation != FOUR_BITS:
            model = model.merge_and_unload()
    model.config.use_cache = True
    return model.eval(), tokenizer


def load_base_model(row: BaseModelRow, prepared: Path | None = None) -> tuple[Any, Any]:
    """Return a base model and its tokenizer, from files on this machine alone; see `load_language_model`."""
    if reason := missing_base_model(row):
        raise MissingResourceError(f"base model {row.name}: {reason}; or take it out of propagation.base_models")
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    settings = {"dtype": torch.float32, "device_map": {"": 0} if torch.cuda.is_available() else None}
    if row.quantisation == FOUR_BITS:
        settings |= {"dtype": torch.bfloat16, "quantization_config": _four_bits(torch)}
    elif is_gguf(row) and not prepared:
        # Else a model would count as quantised, which is neither trained nor saved.
        settings["quantization_config"] = GgufConfig(dequantize=True)
    with tempfile.TemporaryDirectory(prefix="textparity-") as scratch, _quiet():
        source = {"pretrained_model_name_or_path": prepared} if prepared else _source(row, Path(scratch))
        tokenizer = AutoTokenizer.from_pretrained(**source, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(**source, local_files_only=True, **settings)
    log.info("%s: %.0f million parameters on %s", row.name, model.num_parameters() / 1e6, model.device)
    return model, tokenizer


def prepare_base_model(folder: Path, base_model: dict[str, Any]) -> None:
    """Write a model of a GGUF file to `folder`, dequantised, with its tokenizer."""
    model, tokenizer = load_base_model(BaseModelRow(**base_model))
    with atomic_folder(folder) as part:
        model.save_pretrained(part)
        tokenizer.save_pretrained(part)


def _source(row: BaseModelRow, scratch: Path) -> dict[str, str]:
    if not is_gguf(row):
        return {"pretrained_model_name_or_path": str(model_folder(row.model))}
    file = find_gguf(row.model, scratch)
    if file is None:
        raise MissingResourceError(f"base model {row.name}: the package {row.model} holds no model")
    return {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}


def _four_bits(torch: Any) -> Any:
    """Return the settings of QLoRA (Dettmers 2024): NF4, its constants quantised too, calculated in bfloat16."""
    from transformers import BitsAndBytesConfig

    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep back the bars that transformers draws."""
    from transformers.utils import logging as its_logging

    were_on = its_logging.is_progress_bar_enabled()
    its_logging.disable_progress_bar()
    try:
        yield
    finally:
        if were_on:
            its_logging.enable_progress_bar()
