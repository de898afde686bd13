"""Base models and what was trained on them, loaded with transformers and peft: on a GPU if there is one, or the CPU.

A GGUF file is read and dequantised in Python, which takes a minute for a vocabulary of 262 thousand words;
`prepare_base_model` does it once and keeps the model in full precision.
"""

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from textparity.errors import MissingResourceError
from textparity.files import atomic_folder
from textparity.sources.model_files import find_gguf, model_folder
from textparity.studies.propagation.base_models import FOUR_BITS, BaseModelRow, is_gguf, missing_base_model

log = logging.getLogger(__name__)


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
