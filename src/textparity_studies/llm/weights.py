"""Load models whose weights are on this machine, from rows with each model's place and the training of its adapter.

Rule files import this module while they are parsed, so it loads no tool, but it checks that tools and models are on
this machine. transformers loads the weights, on a GPU if there is one, else on the CPU. A GGUF file is read and
dequantised in Python, which takes a minute for a vocabulary of 262 thousand words.
"""

import logging
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic.dataclasses import dataclass as checked_dataclass

from textparity.errors import MissingResourceError, how_to_install
from textparity_studies.llm.models import RowName
from textparity_studies.measures.encoders import (
    GGUF,
    cached_file,
    find_gguf,
    find_model,
    is_package,
    model_folder,
    not_here,
    stay_offline,
)

FULL_PRECISION, HALF_PRECISION, FOUR_BITS = "none", "bfloat16", "4bit"
# Kinds of models, in peft's terms: those that continue a text, and those that convert one text to another.
CAUSAL, SEQUENCE_TO_SEQUENCE = "CAUSAL_LM", "SEQ_2_SEQ_LM"
_ADAPTER = "adapter_config.json"
log = logging.getLogger(__name__)


def _check_text(cell: str) -> str:
    if not cell.strip():
        raise ValueError("is empty")
    return cell


Text = Annotated[str, AfterValidator(_check_text)]
AboveZero = Annotated[float, Field(gt=0)]
FromZero = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]


@checked_dataclass(frozen=True, kw_only=True)
class WeightsRow:
    """Describe one model, and the training of its adapter (LoRA); each field is a column of a table, and is checked.

    `model` is a name on the Hugging Face hub, a folder, a GGUF file, or a package that contains one. `quantisation` is
    `none` (float32), `bfloat16`, or `4bit` (NF4, QLoRA). A step has `batch_size` x `gradient_accumulation` examples of
    at most `sequence_tokens` tokens.
    """

    name: RowName
    model: Text
    quantisation: Literal["none", "bfloat16", "4bit"]
    lora_rank: Count
    lora_alpha: Count
    lora_dropout: FromZero
    target_modules: Text
    learning_rate: AboveZero
    schedule: Literal["constant", "linear", "cosine"]
    warmup_steps: Annotated[int, Field(ge=0)]
    weight_decay: FromZero
    batch_size: Count
    gradient_accumulation: Count
    sequence_tokens: Count


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
        return "" if Path(row.model).is_file() else f"the model file {row.model} does not exist"
    if is_package(row.model) or find_model(row.model):
        return ""
    return f"{row.model} is not a {GGUF} file, and {not_here(row.model)}"


def load_weights(row: WeightsRow, kind: str, prepared: Path | None = None) -> tuple[Any, Any]:
    """Load a model of a kind and its tokenizer, only from files on this machine.

    `prepared` is a folder with the model of a GGUF file, dequantised. Raises `MissingResourceError` if the model cannot
    be loaded here.
    """
    if reason := missing_weights(row):
        raise MissingResourceError(f"model {row.name}: {reason}; or remove it from the configuration")
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
        raise MissingResourceError(f"model {row.name}: the package {row.model} contains no model")
    return {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}


def _four_bits(torch: Any) -> Any:
    """Build the settings of QLoRA (Dettmers 2024): NF4 with quantised constants, computed in bfloat16."""
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
