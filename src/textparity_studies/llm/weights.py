"""Load models whose weights are on this machine, from rows with each model's place and the training of its adapter.

Rule files import this module while they are parsed, so it loads no tool, but it checks that tools and models are on
this machine. transformers loads the weights, on a GPU if there is one, else on the CPU. A GGUF file is read and
dequantised in Python, which takes a minute for a vocabulary of 262 thousand words.
"""

import logging
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import Field, dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from textparity.errors import MissingResourceError, TableError, how_to_install
from textparity.sources.model_files import (
    GGUF,
    cached_file,
    find_gguf,
    find_model,
    is_package,
    model_folder,
    not_here,
    stay_offline,
)
from textparity.tsv import NAME, read_tsv

FULL_PRECISION, HALF_PRECISION, FOUR_BITS = "none", "bfloat16", "4bit"
CHOICES = {
    "quantisation": (FULL_PRECISION, HALF_PRECISION, FOUR_BITS),
    "schedule": ("constant", "linear", "cosine"),
}
# Kinds of models, in peft's terms: those that continue a text, and those that convert one text to another.
CAUSAL, SEQUENCE_TO_SEQUENCE = "CAUSAL_LM", "SEQ_2_SEQ_LM"
_ADAPTER = "adapter_config.json"
_MAY_BE_ZERO = ("lora_dropout", "warmup_steps", "weight_decay")
log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class WeightsRow:
    """Describe one model, and the training of its adapter (LoRA).

    `model` is a name on the Hugging Face hub, a folder, a GGUF file, or a package that contains one. `quantisation` is
    `none` (float32), `bfloat16`, or `4bit` (NF4, QLoRA). A step has `batch_size` x `gradient_accumulation` examples of
    at most `sequence_tokens` tokens.
    """

    name: str
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


Row = TypeVar("Row", bound=WeightsRow)


def load_rows(
    path: str | Path,
    kind: type[Row],
    choices: Mapping[str, Sequence[str]] | None = None,
    may_be_zero: Sequence[str] = (),
) -> dict[str, Row]:
    """Read a table of models by name; its columns are the fields of `kind`.

    Raises `TableError` with the line and column of an invalid cell: not a number, or not among the `choices` of its
    column.
    """
    rows: dict[str, Row] = {}
    columns: Sequence[Field[Any]] = fields(kind)
    for line, cells in enumerate(read_tsv(path, [column.name for column in columns]), start=2):
        where = f"{path}, line {line}"
        if not re.fullmatch(NAME, cells["name"]) or cells["name"] in rows:
            raise TableError(
                f"{where}, column name: {cells['name']!r} is a duplicate, or has more than A-Z, 0-9 and ._-"
            )
        for column, allowed in (CHOICES | dict(choices or {})).items():
            if cells[column] not in allowed:
                raise TableError(f"{where}, column {column}: {cells[column]!r} is none of {', '.join(allowed)}")
        for column in ("model", "target_modules"):
            if not cells[column].strip():
                raise TableError(f"{where}, column {column}: is empty")
        numbers = {
            field.name: _number(cells[field.name], field, where, (*_MAY_BE_ZERO, *may_be_zero))
            for field in columns
            if field.type in (int, float)
        }
        filled: dict[str, Any] = cells | numbers
        rows[cells["name"]] = kind(**filled)
    return rows


def _number(cell: str, field: Field[Any], where: str, may_be_zero: Sequence[str]) -> float:
    read = int if field.type is int else float
    try:
        number = read(cell)
    except ValueError:
        kind = "a whole number" if read is int else "a number"
        raise TableError(f"{where}, column {field.name}: {cell!r} is not {kind}") from None
    if number < 0 or (number == 0 and field.name not in may_be_zero):
        raise TableError(f"{where}, column {field.name}: {cell!r} is too small")
    return number


def is_gguf(row: WeightsRow) -> bool:
    """Check whether the model is a GGUF file, or in a package that contains one."""
    return row.model.endswith(GGUF) or (is_package(row.model) and find_model(row.model) is None)


def missing_weights(row: WeightsRow) -> str:
    """Explain why a model cannot be loaded here, or return an empty string; the check loads and fetches nothing."""
    for tool in ("torch", "transformers", "peft", *(["gguf"] if is_gguf(row) else [])):
        if find_spec(tool) is None:
            return f"{tool} is not installed; install the extra: {how_to_install('propagation')}"
    if row.quantisation == FOUR_BITS and find_spec("bitsandbytes") is None:
        return f"bitsandbytes is not installed; install the extra: {how_to_install('qlora')}"
    if row.model.endswith(GGUF):
        return "" if Path(row.model).is_file() else f"there is no model file {row.model}"
    if is_package(row.model) or find_model(row.model):
        return ""
    return f"{row.model} is no {GGUF} file, and {not_here(row.model)}"


def load_weights(row: WeightsRow, kind: str, prepared: Path | None = None) -> tuple[Any, Any]:
    """Load a model of a kind and its tokenizer, only from files on this machine.

    `prepared` is a folder with the model of a GGUF file, dequantised. Raises `MissingResourceError` if the model cannot
    be loaded here.
    """
    if reason := missing_weights(row):
        raise MissingResourceError(f"model {row.name}: {reason}; or take it out of the configuration")
    stay_offline()
    import torch
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer, GgufConfig

    settings = {"dtype": torch.float32, "device_map": {"": 0} if torch.cuda.is_available() else None}
    if row.quantisation != FULL_PRECISION:
        settings["dtype"] = torch.bfloat16
    if row.quantisation == FOUR_BITS:
        settings["quantization_config"] = _four_bits(torch)
    elif is_gguf(row) and not prepared:
        # Otherwise the model would count as quantised, and could be neither trained nor saved.
        settings["quantization_config"] = GgufConfig(dequantize=True)
    with tempfile.TemporaryDirectory(prefix="textparity-") as scratch, _quiet():
        source = {"pretrained_model_name_or_path": prepared} if prepared else _source(row, Path(scratch))
        tokenizer = AutoTokenizer.from_pretrained(**source, local_files_only=True)
        loader = AutoModelForCausalLM if kind == CAUSAL else AutoModelForSeq2SeqLM
        model = loader.from_pretrained(**source, local_files_only=True, **settings)
    log.info("%s: %.0f million parameters on %s", row.name, model.num_parameters() / 1e6, model.device)
    return model, tokenizer


def load_to_write(
    row: WeightsRow, kind: str, adapter: Path | None = None, prepared: Path | None = None
) -> tuple[Any, Any]:
    """Load a model, ready to write, and its tokenizer, with an adapter if one is named.

    An adapter is merged into full-precision weights. With other weights it stays separate, because merging would round
    it.
    """
    model, tokenizer = load_weights(row, kind, prepared)
    if adapter is not None:
        from peft import PeftModel

        _fit_vocabulary(model, adapter)
        model = PeftModel.from_pretrained(model, str(adapter))
        if row.quantisation == FULL_PRECISION:
            model = model.merge_and_unload()
    model.config.use_cache = True
    return model.eval(), tokenizer


def find_adapter_folder(adapter: str) -> Path | None:
    """Find the folder of an adapter: a folder itself, or in the hub's cache; None if it is not on this machine."""
    if (Path(adapter) / _ADAPTER).is_file():
        return Path(adapter)
    config = None if adapter.startswith((".", "/")) or adapter.count("/") != 1 else cached_file(adapter, _ADAPTER)
    return config.parent if config else None


def _fit_vocabulary(model: Any, adapter: Path) -> None:
    """Resize a model's vocabulary to that of an adapter with embeddings, as published adapters may have."""
    from safetensors import safe_open

    for path in adapter.glob("*.safetensors"):
        with safe_open(path, "pt") as weights:
            for name in weights.keys():  # noqa: SIM118
                if re.search(r"(shared|embed_tokens|lm_head)\.weight$", name):
                    size = weights.get_slice(name).get_shape()[0]
                    if size != model.get_input_embeddings().weight.shape[0]:
                        model.resize_token_embeddings(size)
                    return


def _source(row: WeightsRow, scratch: Path) -> dict[str, str]:
    if not is_gguf(row):
        return {"pretrained_model_name_or_path": str(model_folder(row.model))}
    file = find_gguf(row.model, scratch)
    if file is None:
        raise MissingResourceError(f"model {row.name}: the package {row.model} holds no model")
    return {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}


def _four_bits(torch: Any) -> Any:
    """Return the settings of QLoRA (Dettmers 2024): NF4, with quantised constants, computed in bfloat16."""
    from transformers import BitsAndBytesConfig

    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the progress bars of transformers."""
    from transformers.utils import logging as its_logging

    were_on = its_logging.is_progress_bar_enabled()
    its_logging.disable_progress_bar()
    try:
        yield
    finally:
        if were_on:
            its_logging.enable_progress_bar()
